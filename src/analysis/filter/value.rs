//! Comparisons: which names there are, how each one's value is read, and the one way in which it is written.

use std::cmp::Ordering;

use crate::analysis::ceiling::{MARK_FULL, Mark};
use crate::analysis::grammar::{Halt, Op, Scan, halt};
use crate::analysis::growth::LimitDay;
use crate::model::units::real;

use super::read::{Sign, amount, count, limit_date, number, one_of, rate, share, word};
use super::text::quoted_if_needed;
use super::{FilterBasis, FilterRow};

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
pub(super) const DATE_WORDS: [(&str, LimitDay); 3] =
    [("over", LimitDay::Over), ("never", LimitDay::Never), ("unknown", LimitDay::Unknown)];
pub(super) const MARK_WORDS: [(&str, MarkWord); 5] = [
    ("over", MarkWord::Over),
    ("full", MarkWord::Is(Mark::Full)),
    ("nearly", MarkWord::Is(Mark::Alarm)),
    ("filling", MarkWord::Is(Mark::Warn)),
    ("fine", MarkWord::Is(Mark::Below)),
];

impl Op {
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

words! {
    /// What a comparison looks at.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(super) enum Field {
        Size = "size",
        Share = "share",
        Growth = "growth",
        LimitDate = "date",
        Mark = "mark",
        Ru = "ru",
        Partition = "partition",
        Region = "region",
        Samples = "samples",
    }
    fn name, ALL
}

impl Field {
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name().eq_ignore_ascii_case(name))
    }

    /// The number that a row has of it; None where it is not known.
    fn number(self, row: &impl FilterRow) -> Option<f64> {
        match self {
            Self::Size => Some(row.size_kib()),
            Self::Share => Some(row.share()),
            Self::Growth => row.growth_kib_per_day(),
            Self::Ru => row.ru(),
            Self::Samples => Some(real(row.samples())),
            Self::LimitDate | Self::Mark | Self::Partition | Self::Region => None,
        }
    }

    /// How two words stand to each other, whatever their letter case; `West Europe` and `westeurope` are one region.
    pub fn order(self, a: &str, b: &str) -> Ordering {
        let has_blanks = self != Self::Region;
        letters(a, has_blanks).cmp(letters(b, has_blanks))
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
    fn fits(self, share: f64, day: LimitDay) -> bool {
        match self {
            Self::Over => share > MARK_FULL,
            Self::Is(mark) if day == LimitDay::Over => mark == Mark::Full,
            Self::Is(mark) => Mark::of(share) == mark,
        }
    }
}

/// What a row's value is compared with.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Limit {
    Number(f64),
    /// None: counted from a day that is not known.
    Day(Option<i32>),
    State(LimitDay),
    Mark(MarkWord),
    Word(Box<str>),
}

/// A comparison with its canonical text.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Comparison {
    pub field: Field,
    pub op: Op,
    pub limit: Limit,
    text: Box<str>,
}

impl Comparison {
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Of a size: the operator as queries write it, and the KB reported.
    pub fn size(&self) -> Option<(&'static str, f64)> {
        let operator = if self.op == Op::Equal { "==" } else { self.op.text() };
        let Limit::Number(kb) = self.limit else { return None };
        (self.field == Field::Size).then_some((operator, kb))
    }

    /// Whether its number would take this text, standing behind it, for its unit.
    pub fn would_take(&self, text: &str) -> bool {
        let is_bare = self.text.ends_with(|c: char| c.is_ascii_digit());
        is_bare
            && match self.field {
                Field::Size | Field::Growth => starts_with_unit(text),
                Field::Share => text == "%",
                _ => false,
            }
    }

    pub fn passes(&self, row: &impl FilterRow) -> bool {
        let is = |fits: bool| fits.cmp(&true);
        let known_date = || Some(row.limit_date()).filter(|day| *day != LimitDay::Unknown);
        self.op.holds(match &self.limit {
            Limit::Number(limit) => {
                self.field.number(row).and_then(|value| value.partial_cmp(limit))
            }
            Limit::Day(day) => day.zip(known_date()).map(|(day, date)| match date {
                LimitDay::Day(at) => at.cmp(&day),
                LimitDay::Over => Ordering::Less,
                LimitDay::Never | LimitDay::Unknown => Ordering::Greater,
            }),
            Limit::State(LimitDay::Unknown) => Some(is(known_date().is_none())),
            Limit::State(state) => known_date().map(|day| is(day == *state)),
            Limit::Mark(mark) => {
                let share = Some(row.share()).filter(|share| !share.is_nan());
                share.map(|share| is(mark.fits(share, row.limit_date())))
            }
            Limit::Word(word) => {
                let text = if self.field == Field::Region { row.region() } else { row.partition() };
                text.map(|text| self.field.order(text, word))
            }
        })
    }

    /// Reads the value of a comparison whose name and operator were read; `op_at` is where the operator stands.
    pub fn read(
        field: Field,
        (op, op_at): (Op, usize),
        scan: &mut Scan<'_>,
        basis: FilterBasis,
    ) -> Result<Self, Halt> {
        let name = field.name();
        let is_equality = matches!(op, Op::Equal | Op::Unequal);
        if field.is_word() && !is_equality {
            return Err(halt(op_at, format!("= or != after {name}")));
        }
        let of_number = |(number, text)| (Limit::Number(number), text);
        let of_word = |word: String| {
            let text = quoted_if_needed(&word).into_owned();
            (Limit::Word(word.into()), text)
        };
        let (limit, value) = match field {
            Field::Size => of_number(amount(scan, Sign::Positive, basis)?),
            Field::Growth => of_number(rate(scan, basis)?),
            Field::Share => of_number(share(scan)?),
            Field::Ru => {
                let ru = number(scan, Sign::Positive, "a number of RU such as 100")?;
                of_number((ru, ru.to_string()))
            }
            Field::Samples => {
                let count = count(scan, "a number of samples such as 5")?;
                of_number((real(count), count.to_string()))
            }
            Field::LimitDate => limit_date(op, op_at, scan, basis)?,
            Field::Mark => {
                let (word, mark) = one_of(scan, &MARK_WORDS)?;
                (Limit::Mark(mark), word.to_owned())
            }
            Field::Partition => of_word(word(scan, "the id of a physical partition such as 3")?),
            Field::Region => of_word(word(scan, "a region such as \"West Europe\"")?),
        };
        if !scan.at_edge() {
            return Err(halt(scan.at, "a blank after the value"));
        }
        Ok(Self { field, op, limit, text: format!("{name}{}{value}", op.text()).into() })
    }
}

fn letters(text: &str, has_blanks: bool) -> impl Iterator<Item = u8> {
    let bytes = text.bytes().filter(move |b| has_blanks || *b != b' ');
    bytes.map(|b| b.to_ascii_lowercase())
}

fn starts_with_unit(text: &str) -> bool {
    let letters = text.split('/').next().unwrap_or_default();
    UNITS.iter().any(|u| u.0.eq_ignore_ascii_case(letters))
}
