//! Comparisons: which names there are, how each one's value is read, and the one way in which it is written.

use std::cmp::Ordering;

use crate::analysis::ceiling::{MARK_FULL, Mark};
use crate::model::time::{Civil, SECONDS_PER_DAY, Stamp};

use super::scan::{Halt, Scan, starts, wrong};
use super::text::quoted_if_needed;
use super::{Basis, Gigabyte, Row, RowWall};

/// A fraction above this was meant as percent: no key holds twice its limit and a half.
const MAX_FRACTION: f64 = 2.5;
const DAYS_A_WEEK: f64 = 7.0;
const DAYS_A_MONTH: f64 = 365.25 / 12.0;

/// Name, KiB in binary reading, KiB in decimal reading.
pub(super) const UNITS: [(&str, f64, f64); 9] = [
    ("B", 1.0 / 1024.0, 1.0 / 1024.0),
    ("KiB", 1.0, 1.0),
    ("MiB", 1024.0, 1024.0),
    ("GiB", 1_048_576.0, 1_048_576.0),
    ("TiB", 1_073_741_824.0, 1_073_741_824.0),
    ("KB", 1.0, 1e3 / 1024.0),
    ("MB", 1024.0, 1e6 / 1024.0),
    ("GB", 1_048_576.0, 1e9 / 1024.0),
    ("TB", 1_073_741_824.0, 1e12 / 1024.0),
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Positive,
    Either,
}

fn number(scan: &mut Scan<'_>, sign: Sign, what: &str) -> Result<f64, Halt> {
    let start = *scan;
    let text = scan.rest();
    if sign == Sign::Either {
        scan.take("-");
    }
    let is_digit = |c: char| c.is_ascii_digit();
    if scan.take_while(is_digit).is_empty() {
        return Err(scan.missing(what));
    }
    if scan.take(".") && scan.take_while(is_digit).is_empty() {
        return Err(scan.missing("a digit after the point"));
    }
    let text = text.get(..scan.at - start.at).unwrap_or_default();
    match text.parse::<f64>() {
        // Zero has no sign.
        Ok(number) if number.is_finite() => Ok(number + 0.0),
        _ => Err(wrong(start.at, "a smaller number")),
    }
}

fn count(scan: &mut Scan<'_>, what: &str) -> Result<u64, Halt> {
    let at = scan.at;
    let digits = scan.take_while(|c| c.is_ascii_digit());
    if digits.is_empty() {
        return Err(scan.missing(what));
    }
    digits.parse().map_err(|_| wrong(at, "a smaller number"))
}

/// KiB, and the text with its unit; only zero needs none.
fn amount(scan: &mut Scan<'_>, sign: Sign, basis: Basis) -> Result<(f64, String), Halt> {
    let at = scan.at;
    let number = number(scan, sign, "a size such as 14GiB")?;
    let Some((name, binary, decimal)) = unit(scan, number)? else {
        return Ok((0.0, "0".to_owned()));
    };
    let kib = number
        * match basis.gigabyte {
            Gigabyte::Binary => binary,
            Gigabyte::Decimal => decimal,
        };
    if kib.is_finite() {
        Ok((kib, format!("{number}{name}")))
    } else {
        Err(wrong(at, "a smaller number"))
    }
}

fn unit(scan: &mut Scan<'_>, number: f64) -> Result<Option<(&'static str, f64, f64)>, Halt> {
    let is_attached = !scan.at_edge();
    let mut ahead = *scan;
    ahead.skip_blanks();
    let at = ahead.at;
    let letters = ahead.take_while(|c| c.is_ascii_alphabetic());
    let found = UNITS.iter().find(|u| u.0.eq_ignore_ascii_case(letters));
    let ends = ahead.at_edge() || ahead.rest().starts_with('/');
    if let Some(unit) = found.filter(|_| ends || is_attached) {
        *scan = ahead;
        return Ok(Some(*unit));
    }
    if !is_attached && number == 0.0 {
        return Ok(None);
    }
    let at = if is_attached { scan.at } else { at };
    let names = UNITS.iter().map(|u| u.0);
    Err(ahead.unknown(at, names, "a unit such as GiB"))
}

/// KiB a day.
fn rate(scan: &mut Scan<'_>, basis: Basis) -> Result<(f64, String), Halt> {
    let (kib, text) = amount(scan, Sign::Either, basis)?;
    if text == "0" {
        return Ok((0.0, text));
    }
    let what = "/day, /week or /month";
    if !scan.take("/") {
        return Err(scan.missing(what));
    }
    let (period, days) = one_of(scan, &PERIODS)?;
    Ok((kib / days, format!("{text}/{period}")))
}

fn share(scan: &mut Scan<'_>) -> Result<(f64, String), Halt> {
    let at = scan.at;
    let what = "a share such as 70% or 0.7";
    let number = number(scan, Sign::Positive, what)?;
    let mut ahead = *scan;
    ahead.skip_blanks();
    let mut behind = ahead;
    if behind.take("%") && (scan.at == ahead.at || behind.at_edge()) {
        *scan = behind;
        return Ok((number / 100.0, format!("{number}%")));
    }
    if number <= MAX_FRACTION {
        return Ok((number, number.to_string()));
    }
    if ahead.is_done() {
        return Err(ahead.missing("% after the number"));
    }
    Err(wrong(at, what))
}

fn wall(op: Op, op_at: usize, scan: &mut Scan<'_>, basis: Basis) -> Result<(Test, String), Halt> {
    let what = "days such as 30d, a date such as 2026-12-01, over, never or unknown";
    if !scan.rest().starts_with(|c: char| c.is_ascii_digit()) {
        if scan.is_done() || !scan.rest().starts_with(|c: char| c.is_alphabetic()) {
            return Err(scan.missing(what));
        }
        let (word, state) = one_of(scan, &WALL_WORDS)?;
        return match op {
            Op::Equal | Op::Unequal => Ok((Test::Wall(op, state), word.to_owned())),
            _ => Err(wrong(op_at, format!("= or != before {word}"))),
        };
    }
    let at = scan.at;
    let number = count(scan, what)?;
    if scan.rest().starts_with('-') {
        scan.at = at;
        let day = date(scan)?;
        let text = Stamp::from_seconds(i64::from(day) * SECONDS_PER_DAY).map(Stamp::date_text);
        return Ok((Test::WallDay(op, Some(day)), text.unwrap_or_default()));
    }
    let (word, days) = if scan.take("d") {
        ("d", Some(number))
    } else if scan.take("w") {
        ("w", number.checked_mul(7))
    } else {
        return Err(scan.missing("d, w or the rest of a date such as 2026-12-01"));
    };
    let Some(days) = days.and_then(|d| i32::try_from(d).ok()) else {
        return Err(wrong(at, "a smaller number"));
    };
    let day = basis.as_of_day.map(|today| today.saturating_add(days));
    Ok((Test::WallDay(op, day), format!("{number}{word}")))
}

fn date(scan: &mut Scan<'_>) -> Result<i32, Halt> {
    /// Characters of `2026-12-01`.
    const LEN: usize = 10;
    let at = scan.at;
    let what = "a date such as 2026-12-01";
    let text = scan.take_while(|c| c.is_ascii_digit() || c == '-');
    let shape = text.bytes().zip(b"0000-00-00");
    let is_begun = text.len() <= LEN && shape.into_iter().all(|(b, s)| (b == b'-') == (*s == b'-'));
    if is_begun && text.len() < LEN && scan.is_done() {
        return Err(scan.missing(what));
    }
    let mut parts = text.splitn(3, '-').map(|p| p.parse::<u16>().ok());
    let mut next = || {
        parts
            .next()
            .flatten()
            .filter(|_| is_begun && text.len() == LEN)
    };
    let civil = |year: u16, month: u16, day: u16| {
        Some(Civil {
            year: i64::from(year),
            month: u8::try_from(month).ok()?,
            day: u8::try_from(day).ok()?,
            hour: 0,
            minute: 0,
            second: 0,
            ticks: 0,
        })
    };
    let moment = match (next(), next(), next()) {
        (Some(year), Some(month), Some(day)) => civil(year, month, day).and_then(Stamp::from_civil),
        _ => None,
    };
    moment.map(super::day_of).ok_or_else(|| wrong(at, what))
}

fn one_of<T: Copy>(
    scan: &mut Scan<'_>,
    words: &[(&'static str, T)],
) -> Result<(&'static str, T), Halt> {
    let at = scan.at;
    let typed = scan.value_word();
    let found = words.iter().find(|(w, _)| w.eq_ignore_ascii_case(typed));
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = words.iter().map(|w| w.0).collect();
        let what = format!("one of {}", names.join(", "));
        scan.unknown(at, names.into_iter().filter(|w| starts(w, typed)), what)
    })
}

fn word(scan: &mut Scan<'_>, what: &str) -> Result<String, Halt> {
    let missing = scan.missing(what);
    let text = if scan.rest().starts_with('"') {
        scan.quoted()?
    } else {
        scan.value_word().to_owned()
    };
    if text.is_empty() {
        Err(missing)
    } else {
        Ok(text)
    }
}
