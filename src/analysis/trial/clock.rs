//! When documents were written, second by second: windows of time, and what each group got in them.

use std::collections::BTreeMap;

use crate::model::documents::{ColumnCells, Documents, Value};
use crate::model::path::Path;
use crate::model::time::{DAY_S, Stamp};
use crate::model::units::{real, whole_u64};

use super::super::candidate::{Candidate, DateUnit, LevelPart};
use super::super::routing::periods::{first_of, named_in, next};
use super::fold::Groups;
use super::sizes::{Sizes, Sums};
use super::times::{LateDocuments, NO_SECOND, plausible, second_at};

const HOUR: u32 = 3_600;
/// How many hours back the newest documents may go until there are enough of them.
const LAST_HOURS: [u32; 6] = [1, 3, 24, 168, 720, 8_760];
/// Documents of which those of a window are added together.
const BLOCK: usize = 1_024;
/// Documents by which it is told whether a property is the date on which they were written.
const COMPARED: usize = 1_000;
/// Of these so many of a hundred must have the date of their own time.
const AGREE_PERCENT: usize = 90;
/// Documents of less time tell no rate of a day.
pub(super) const SHORTEST_DAYS: f64 = 1.0;
/// The rate of now: of a part of the time, at most so many days.
const PART_OF_TIME: f64 = 0.25;
const LONGEST_DAYS: f64 = 90.0;
/// Fewer values, or fewer compared documents for each, are no turns.
const LEAST_TURNS: usize = 3;
const DOCUMENTS_A_TURN: usize = 20;
/// The newest turn is at most this many times as long as the longest before it.
const LONGER_TURN: f64 = 1.5;

#[derive(Debug)]
pub(super) struct Clock {
    path: Path,
    /// Of each document since 1970; `u32::MAX` where it has none.
    pub seconds: Vec<u32>,
    first: u32,
    last: u32,
    /// Whether each document has one.
    is_whole: bool,
    /// Documents whose time is not used, as if they had none.
    pub late: Option<LateDocuments>,
}

/// For how long a key gets documents before the next key takes its turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum KeyTurn {
    Unit(DateUnit),
    /// Values of a property that follow each other, such as buckets of ten days: when the newest began, and the longest time of
    /// one.
    Values {
        since: i64,
        seconds: i64,
    },
}

impl KeyTurn {
    pub fn word(self) -> &'static str {
        match self {
            Self::Unit(unit) => unit.word(),
            Self::Values { .. } => "value",
        }
    }

    /// The first second of the turn that a second lies in, and of the next one.
    pub(super) fn at(self, second: i64) -> Option<(i64, i64)> {
        match self {
            Self::Unit(unit) => period(second, unit),
            Self::Values { since, seconds } => {
                let turns = second.saturating_sub(since).div_euclid(seconds.max(1));
                let start = since.saturating_add(turns.saturating_mul(seconds));
                Some((start, start.saturating_add(seconds)))
            }
        }
    }
}

/// Seconds from one to another, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub from: u32,
    pub to: u32,
}

impl Window {
    fn holds(self, second: u32) -> bool {
        second >= self.from && second <= self.to && second != NO_SECOND
    }

    pub fn days(self) -> f64 {
        f64::from(self.to.saturating_sub(self.from).saturating_add(1)) / DAY_S
    }
}

impl Clock {
    pub fn of(documents: &Documents, path: &Path) -> Option<Self> {
        let (seconds, late) = plausible(documents.column(path)?);
        let known = || seconds.iter().filter(|s| **s != NO_SECOND);
        let (first, last) = (*known().min()?, *known().max()?);
        Some(Self {
            path: path.clone(),
            is_whole: !seconds.contains(&NO_SECOND),
            seconds,
            first,
            last,
            late,
        })
    }

    pub fn whole(&self) -> Window {
        Window { from: self.first, to: self.last }
    }

    /// The property that the time is from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the shortest window begins that ends with the newest document and holds so many; all where none does.
    pub fn newest(&self, enough: usize) -> u32 {
        let known = self.seconds.iter().filter(|s| **s != NO_SECOND);
        let mut known: Vec<u32> = known.copied().collect();
        let Some(before) = known.len().checked_sub(enough) else {
            return self.first;
        };
        if before >= known.len() {
            return self.last;
        }
        *known.select_nth_unstable(before).1
    }

    /// The same in whole hours, days or weeks.
    pub fn last_hours(&self, enough: usize) -> (u32, Window) {
        let seconds = self.last - self.newest(enough);
        let least = LAST_HOURS.into_iter().find(|hours| hours * HOUR > seconds);
        let hours = least.unwrap_or(seconds / HOUR + 1);
        let from = self.last.saturating_sub(hours.saturating_mul(HOUR) - 1);
        (hours, Window { from, to: self.last })
    }

    pub fn last(&self) -> Option<Stamp> {
        Stamp::from_seconds(i64::from(self.last))
    }

    /// Bytes of all documents in a window.
    pub fn written(&self, window: Window, sizes: &[u32]) -> u64 {
        let rows = self.seconds.iter().zip(sizes);
        rows.filter(|(second, _)| window.holds(**second)).map(|(_, size)| u64::from(*size)).sum()
    }

    /// Documents and bytes of each group in a window; none where that is all there is.
    pub fn sums(
        &self,
        window: Window,
        groups: &Groups<'_>,
        sizes: &[u32],
    ) -> Option<Sizes<'static>> {
        if window == self.whole() && self.is_whole {
            return None;
        }
        let mut sums = Sums::of(groups.len());
        let (mut some_groups, mut some_sizes) = (Vec::new(), Vec::new());
        let rows = groups.of_row.chunks(BLOCK).zip(sizes.chunks(BLOCK));
        for (seconds, (groups, sizes)) in self.seconds.chunks(BLOCK).zip(rows) {
            some_groups.clear();
            some_sizes.clear();
            for (second, (group, size)) in seconds.iter().zip(groups.iter().zip(sizes)) {
                if window.holds(*second) {
                    some_groups.push(*group);
                    some_sizes.push(*size);
                }
            }
            sums.add(&some_groups, &some_sizes);
        }
        Some(sums.done())
    }

    /// Rows of a window with their seconds; of its end, where there are more than so many.
    pub fn rows(&self, window: Window, most: usize) -> Vec<(u32, u32)> {
        let Window { mut from, to } = window;
        let rows = (0_u32..).zip(&self.seconds);
        let rows = rows.filter(|(_, s)| window.holds(**s));
        let mut found: Vec<(u32, u32)> = rows.map(|(row, second)| (*second, row)).collect();
        while found.len() > most && from < to {
            // Whole seconds stay whole: what is left out is earlier.
            from += (to - from).div_ceil(2);
            found.retain(|(second, _)| *second >= from);
        }
        found
    }

    /// The turn of a key, where a part of it is the date on which documents were written, or moves on with time as it does.
    pub fn turn(&self, candidate: &Candidate, documents: &Documents) -> Option<KeyTurn> {
        let by_values = || candidate.parts().find_map(|part| self.values_in_turn(part, documents));
        self.period(candidate, documents).map(KeyTurn::Unit).or_else(by_values)
    }

    /// The shortest period for which a key gets documents, where a part of it is the date on which they were written.
    pub fn period(&self, candidate: &Candidate, documents: &Documents) -> Option<DateUnit> {
        let unit = |part| {
            let of_part = self.unit(part, documents);
            of_part.or_else(|| self.unit_in_texts(part, documents))
        };
        candidate.parts().filter_map(unit).max()
    }

    /// The key without the dates on which documents are written, where it has some: at any moment only the keys of that
    /// moment are written, one for each of these. A level of dates alone stays, empty.
    pub fn undated(&self, candidate: &Candidate, documents: &Documents) -> Option<Candidate> {
        let mut found = candidate.clone();
        for level in &mut found.levels {
            let before = level.parts.len();
            level.parts.retain(|part| self.unit(part, documents).is_none());
            let is_literal = |part: &LevelPart| matches!(part, LevelPart::Literal(_));
            if level.parts.len() < before && level.parts.iter().all(is_literal) {
                level.parts.clear();
            }
        }
        (found.parts().count() < candidate.parts().count()).then_some(found)
    }

    /// The unit of a part that is the date on which documents were written.
    fn unit(&self, part: &LevelPart, documents: &Documents) -> Option<DateUnit> {
        let (path, unit) = match part {
            LevelPart::Date { path, unit } => (path, *unit),
            LevelPart::Path(path) | LevelPart::Lower(path) => {
                (path, self.unit_of_values(path, documents, None)?)
            }
            LevelPart::Prefix { path, characters } => {
                let kept = usize::try_from(characters.get()).ok()?;
                (path, self.unit_of_values(path, documents, Some(kept))?)
            }
            LevelPart::Literal(_) | LevelPart::Random { .. } | LevelPart::Bucket { .. } => {
                return None;
            }
        };
        self.dates(path, unit, documents).then_some(unit)
    }

    /// The unit of the date that the texts of a property name, such as `PLANT-1-2026-06-30`, where documents are written on it.
    fn unit_in_texts(&self, part: &LevelPart, documents: &Documents) -> Option<DateUnit> {
        let LevelPart::Path(path) = part else {
            return None;
        };
        let column = documents.column(path)?;
        let mut found = None;
        let agree = self.agree(|row, written| {
            let Some(Value::Text(text)) = column.value(row) else {
                return None;
            };
            Some(named_in(text).is_some_and(|(unit, from, to)| {
                found = found.max(Some(unit));
                from.seconds() <= written && written < to.seconds()
            }))
        });
        found.filter(|_| agree)
    }

    /// The turn by values of a property, each of which begins after the one before it ends. Two values are not enough: a third
    /// may never follow.
    fn values_in_turn(&self, part: &LevelPart, documents: &Documents) -> Option<KeyTurn> {
        let LevelPart::Path(path) = part else {
            return None;
        };
        let ColumnCells::Codes { codes, .. } = documents.column(path)?.cells() else {
            return None;
        };
        let mut spans: BTreeMap<u32, [u32; 2]> = BTreeMap::new();
        let mut compared = 0;
        for row in self.chosen() {
            let (code, second) = (*codes.get(row)?, *self.seconds.get(row)?);
            if second != NO_SECOND {
                let [first, last] = spans.entry(code).or_insert([second; 2]);
                (*first, *last) = (second.min(*first), second.max(*last));
                compared += 1;
            }
        }
        let mut spans: Vec<[u32; 2]> = spans.into_values().collect();
        spans.sort_unstable();
        let follow = |pair: &[[u32; 2]]| matches!(pair, [a, b] if a[1] < b[0]);
        if spans.len() < LEAST_TURNS
            || spans.len() * DOCUMENTS_A_TURN > compared
            || !spans.windows(2).all(follow)
        {
            return None;
        }
        let lengths = spans.iter().zip(spans.iter().skip(1)).map(|([a, _], [b, _])| b - a);
        let ([since, _], longest) = (*spans.last()?, lengths.max()?);
        // Where the newest goes on for longer than any before it, no other may follow.
        let so_far = self.last.saturating_sub(since);
        let goes_on = f64::from(so_far) > f64::from(longest) * LONGER_TURN;
        let seconds = i64::from(longest.max(so_far.saturating_add(1)));
        (!goes_on).then_some(KeyTurn::Values { since: i64::from(since), seconds })
    }

    /// Whether nearly all documents that can be compared are alike: by their row and the second they were written.
    fn agree(&self, mut is_alike: impl FnMut(usize, i64) -> Option<bool>) -> bool {
        let (mut compared, mut alike) = (0_usize, 0_usize);
        for row in self.chosen() {
            let written = self.seconds.get(row).filter(|s| **s != NO_SECOND);
            if let Some(is) = written.and_then(|written| is_alike(row, i64::from(*written))) {
                compared += 1;
                alike += usize::from(is);
            }
        }
        compared > 0 && alike * 100 >= compared * AGREE_PERCENT
    }

    /// Rows of the table, evenly chosen.
    fn chosen(&self) -> impl Iterator<Item = usize> {
        let step = self.seconds.len().div_ceil(COMPARED).max(1);
        (0..self.seconds.len()).step_by(step)
    }

    /// To which unit the texts of a property go, where they are moments.
    fn unit_of_values(
        &self,
        path: &Path,
        documents: &Documents,
        kept: Option<usize>,
    ) -> Option<DateUnit> {
        let column = documents.column(path)?;
        let mut found = None;
        for row in self.chosen() {
            let unit = match column.value(row) {
                // Near-unique moments, of which only the seconds were kept.
                None if matches!(column.cells(), ColumnCells::Hashes { seconds: Some(_), .. }) => {
                    unit_of_width(kept.unwrap_or(usize::MAX))
                }
                Some(Value::Text(text)) => {
                    unit_of_width(text.len().min(kept.unwrap_or(usize::MAX)))
                }
                Some(Value::Number(text)) if kept.is_none() => match text.len() {
                    8 => Some(DateUnit::Day),
                    length if length >= 10 => Some(DateUnit::Minute),
                    _ => None,
                },
                _ => continue,
            };
            found = found.max(Some(unit?));
        }
        found
    }

    /// Whether the property is the date on which documents were written, to a unit.
    fn dates(&self, path: &Path, unit: DateUnit, documents: &Documents) -> bool {
        if *path == self.path {
            return true;
        }
        let Some(column) = documents.column(path) else {
            return false;
        };
        self.agree(|row, written| {
            let second = second_at(column, row)?;
            Some(period(second, unit) == period(written, unit))
        })
    }
}

/// The characters that are left of a moment's text.
fn unit_of_width(characters: usize) -> Option<DateUnit> {
    let characters = characters.min(DateUnit::Minute.width());
    DateUnit::ALL.into_iter().find(|unit| unit.width() == characters)
}

/// The first second of the period that a second lies in, and of the next one.
pub(super) fn period(second: i64, unit: DateUnit) -> Option<(i64, i64)> {
    let start = first_of(Stamp::from_seconds(second)?, unit)?;
    Some((start.seconds(), next(start, unit)?.seconds()))
}

pub(super) fn days_between(start: i64, end: i64) -> f64 {
    let seconds = u64::try_from(end.saturating_sub(start)).unwrap_or(0);
    real(seconds) / DAY_S
}

/// The newest days of a time, so many that they tell the rate of now.
fn recent_days(whole: Window) -> f64 {
    (whole.days() * PART_OF_TIME).clamp(SHORTEST_DAYS, LONGEST_DAYS)
}

pub(super) fn recent(whole: Window) -> Window {
    Window { from: back(whole, whole.to, recent_days(whole)), to: whole.to }
}

/// So many days before a second, but not before there are documents.
fn back(whole: Window, to: u32, days: f64) -> u32 {
    let seconds = u32::try_from(whole_u64(days * DAY_S)).unwrap_or(u32::MAX);
    to.saturating_sub(seconds.saturating_sub(1)).max(whole.from)
}

/// Windows to tell the rate from, the best first. Of keys that take turns a window lies in one turn.
pub(super) fn windows(whole: Window, turn: Option<KeyTurn>) -> Vec<Window> {
    let days = recent_days(whole);
    let recent = recent(whole);
    let Some((start, end)) = turn.and_then(|turn| turn.at(i64::from(whole.to))) else {
        return vec![recent, whole];
    };
    let start = u32::try_from(start).unwrap_or(0);
    let current = Window { from: recent.from.max(start), to: whole.to };
    let earlier = turn.and_then(|turn| turn.at(i64::from(start) - 1));
    let length = earlier.map_or(0.0, |(start, end)| days_between(start, end));
    let before = Window {
        from: back(whole, start.saturating_sub(1), days.min(length)),
        to: start.saturating_sub(1),
    };
    // A period that has just begun tells less than the one before it.
    let has_begun = current.days() * 4.0 >= days.min(days_between(i64::from(start), end));
    match (has_begun, before.to > before.from && before.to >= whole.from) {
        (_, false) => vec![current],
        (true, true) => vec![current, before],
        (false, true) => vec![before, current],
    }
}
