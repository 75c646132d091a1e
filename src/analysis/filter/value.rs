//! Comparisons: which names there are, how each one's value is read, and the one way in which it is written.

use std::cmp::Ordering;

use crate::analysis::ceiling::{MARK_FULL, Mark};

use super::read::{Sign, amount, count, number, one_of, rate, share, wall, word};
use super::scan::{Halt, Scan, wrong};
use super::text::quoted_if_needed;
use super::{Basis, Row, RowWall};

const DAYS_A_WEEK: f64 = 7.0;
const DAYS_A_MONTH: f64 = 365.25 / 12.0;

/// Name, reported KB in binary reading, and in decimal reading where such a KB is 1,000 bytes.
pub(super) const UNITS: [(&str, f64, f64); 9] = [
    ("B", 1.0 / 1024.0, 1e-3),
    ("KiB", 1.0, 1.0),
    ("MiB", 1024.0, 1024.0),
    ("GiB", 1_048_576.0, 1_048_576.0),
    ("TiB", 1_073_741_824.0, 1_073_741_824.0),
    ("KB", 1.0, 1.0),
    ("MB", 1024.0, 1e3),
    ("GB", 1_048_576.0, 1e6),
    ("TB", 1_073_741_824.0, 1e9),
];
pub(super) const PERIODS: [(&str, f64); 3] =
    [("day", 1.0), ("week", DAYS_A_WEEK), ("month", DAYS_A_MONTH)];
pub(super) const WALL_WORDS: [(&str, RowWall); 3] = [
    ("over", RowWall::Over),
    ("never", RowWall::Never),
    ("unknown", RowWall::Unknown),
];
pub(super) const MARK_WORDS: [(&str, MarkWord); 5] = [
    ("over", MarkWord::Over),
    ("full", MarkWord::Is(Mark::Full)),
    ("nearly", MarkWord::Is(Mark::Alarm)),
    ("filling", MarkWord::Is(Mark::Warn)),
    ("fine", MarkWord::Is(Mark::Below)),
];

/// How a value stands to the one that was typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    Below,
    AtMost,
    Above,
    AtLeast,
    Equal,
    Unequal,
}

impl Op {
    pub fn text(self) -> &'static str {
        match self {
            Self::Below => "<",
            Self::AtMost => "<=",
            Self::Above => ">",
            Self::AtLeast => ">=",
            Self::Equal => "=",
            Self::Unequal => "!=",
        }
    }

    /// What cannot be compared passes nothing.
    pub fn holds(self, ordering: Option<Ordering>) -> bool {
        ordering.is_some_and(|o| match self {
            Self::Below => o.is_lt(),
            Self::AtMost => o.is_le(),
            Self::Above => o.is_gt(),
            Self::AtLeast => o.is_ge(),
            Self::Equal => o.is_eq(),
            Self::Unequal => o.is_ne(),
        })
    }
}

/// What a comparison looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Field {
    Size,
    Share,
    Growth,
    Wall,
    Mark,
    Ru,
    Partition,
    Region,
    Samples,
}

pub(super) const FIELDS: [(&str, Field); 9] = [
    ("size", Field::Size),
    ("share", Field::Share),
    ("growth", Field::Growth),
    ("wall", Field::Wall),
    ("mark", Field::Mark),
    ("ru", Field::Ru),
    ("partition", Field::Partition),
    ("region", Field::Region),
    ("samples", Field::Samples),
];

impl Field {
    pub fn named(name: &str) -> Option<(&'static str, Self)> {
        FIELDS
            .into_iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    /// Whether only `=` and `!=` mean something.
    pub fn is_word(self) -> bool {
        matches!(self, Self::Mark | Self::Partition | Self::Region)
    }
}

/// A mark of the ceiling by its word; a key over the ceiling is full, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MarkWord {
    Over,
    Is(Mark),
}

impl MarkWord {
    fn fits(self, share: f64) -> bool {
        match self {
            Self::Over => share > MARK_FULL,
            Self::Is(mark) => Mark::of(share) == mark,
        }
    }
}

/// What is asked of a row.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Test {
    Size(Op, f64),
    Share(Op, f64),
    Growth(Op, f64),
    Ru(Op, f64),
    Samples(Op, u64),
    /// None: counted from a day that is not known.
    WallDay(Op, Option<i32>),
    Wall(Op, RowWall),
    Mark(Op, MarkWord),
    Partition(Op, Box<str>),
    Region(Op, Box<str>),
}

/// A test with its canonical text.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Comparison {
    test: Test,
    text: Box<str>,
}

impl Comparison {
    pub fn test(&self) -> &Test {
        &self.test
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether its number would take this text, standing behind it, for its unit.
    pub fn would_take(&self, text: &str) -> bool {
        let is_bare = self.text.ends_with(|c: char| c.is_ascii_digit());
        is_bare
            && match self.test {
                Test::Size(..) | Test::Growth(..) => starts_with_unit(text),
                Test::Share(..) => text == "%",
                _ => false,
            }
    }

    pub fn passes(&self, row: &impl Row) -> bool {
        let number = |op: Op, value: f64, limit: &f64| op.holds(value.partial_cmp(limit));
        match &self.test {
            Test::Size(op, kib) => number(*op, row.size_kib(), kib),
            Test::Share(op, share) => number(*op, row.share(), share),
            Test::Growth(op, rate) => row
                .growth_kib_per_day()
                .is_some_and(|v| number(*op, v, rate)),
            Test::Ru(op, ru) => row.ru().is_some_and(|v| number(*op, v, ru)),
            Test::Samples(op, samples) => op.holds(Some(row.samples().cmp(samples))),
            Test::WallDay(op, day) => {
                let Some(day) = day else { return false };
                op.holds(match row.wall() {
                    RowWall::Over => Some(Ordering::Less),
                    RowWall::Never => Some(Ordering::Greater),
                    RowWall::Unknown => None,
                    RowWall::Day(at) => Some(at.cmp(day)),
                })
            }
            Test::Wall(op, RowWall::Unknown) => {
                op.holds(Some((row.wall() == RowWall::Unknown).cmp(&true)))
            }
            Test::Wall(op, state) => {
                let wall = row.wall();
                wall != RowWall::Unknown && op.holds(Some((wall == *state).cmp(&true)))
            }
            Test::Mark(op, mark) => {
                let share = row.share();
                !share.is_nan() && op.holds(Some(mark.fits(share).cmp(&true)))
            }
            Test::Partition(op, id) => row
                .partition()
                .is_some_and(|p| op.holds(Some(id_order(p, id)))),
            Test::Region(op, region) => row
                .region()
                .is_some_and(|r| op.holds(Some(region_order(r, region)))),
        }
    }

    /// Reads the value of a comparison whose name and operator were read; `op_at` is where the operator stands.
    pub fn read(
        (name, field): (&str, Field),
        (op, op_at): (Op, usize),
        scan: &mut Scan<'_>,
        basis: Basis,
    ) -> Result<Self, Halt> {
        let is_equality = matches!(op, Op::Equal | Op::Unequal);
        if field.is_word() && !is_equality {
            return Err(wrong(op_at, format!("= or != after {name}")));
        }
        let (test, value) = match field {
            Field::Size => {
                let (kib, text) = amount(scan, Sign::Positive, basis)?;
                (Test::Size(op, kib), text)
            }
            Field::Growth => {
                let (rate, text) = rate(scan, basis)?;
                (Test::Growth(op, rate), text)
            }
            Field::Share => {
                let (share, text) = share(scan)?;
                (Test::Share(op, share), text)
            }
            Field::Ru => {
                let ru = number(scan, Sign::Positive, "a number of RU/s such as 100")?;
                (Test::Ru(op, ru), ru.to_string())
            }
            Field::Samples => {
                let count = count(scan, "a number of samples such as 5")?;
                (Test::Samples(op, count), count.to_string())
            }
            Field::Wall => wall(op, op_at, scan, basis)?,
            Field::Mark => {
                let (word, mark) = one_of(scan, &MARK_WORDS)?;
                (Test::Mark(op, mark), word.to_owned())
            }
            Field::Partition => {
                let id = word(scan, "the id of a physical partition such as 3")?;
                let text = quoted_if_needed(&id).into_owned();
                (Test::Partition(op, id.into()), text)
            }
            Field::Region => {
                let region = word(scan, "a region such as \"West Europe\"")?;
                let text = quoted_if_needed(&region).into_owned();
                (Test::Region(op, region.into()), text)
            }
        };
        if !scan.at_edge() {
            return Err(wrong(scan.at, "a blank after the value"));
        }
        Ok(Self {
            test,
            text: format!("{name}{}{value}", op.text()).into(),
        })
    }
}

/// How two ids stand to each other, whatever their letter case.
pub(super) fn id_order(a: &str, b: &str) -> Ordering {
    fn letters(text: &str) -> impl Iterator<Item = u8> {
        text.bytes().map(|b| b.to_ascii_lowercase())
    }
    letters(a).cmp(letters(b))
}

/// The same for regions, where `West Europe` and `westeurope` are one.
pub(super) fn region_order(a: &str, b: &str) -> Ordering {
    fn letters(text: &str) -> impl Iterator<Item = u8> {
        let kept = text.bytes().filter(|b| *b != b' ');
        kept.map(|b| b.to_ascii_lowercase())
    }
    letters(a).cmp(letters(b))
}

fn starts_with_unit(text: &str) -> bool {
    let letters = text.split('/').next().unwrap_or_default();
    UNITS.iter().any(|u| u.0.eq_ignore_ascii_case(letters))
}
