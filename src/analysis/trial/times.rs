//! Properties that both look like the time of a document, and disagree on which document came first.

use crate::model::documents::{Column, ColumnCells, Documents, Sureness, TimeColumn, moment_of};
use crate::model::path::Path;
use crate::model::time::Stamp;

pub(super) const NO_SECOND: u32 = u32::MAX;
/// Of fewer documents none can be called one of few.
const FEWEST_DATED: usize = 20;
/// At most one document in so many is wrongly dated.
const ONE_IN: usize = 100;
/// A wrong date lies so many times further ahead than all the others lie apart, and at least so many seconds.
const GAP_SPANS: u32 = 3;
const LEAST_GAP: u32 = 30 * 86_400;
/// Documents by which it is told whether a time tells more than the day.
const LOOKED_AT: usize = 100;
/// Documents that are compared.
const COMPARED: usize = 2_000;
/// Fewer pairs tell nothing.
const FEWEST: usize = 20;
const HOUR_S: u32 = 3_600;
/// Clocks that run apart a little change the order of a few neighbours; more than this is another time.
const DIFFERENT: f64 = 0.1;

/// Two times of which one cannot stand for the other.
#[derive(Clone, PartialEq, Debug)]
pub struct TimeDisagreement {
    pub one: Path,
    pub other: Path,
    /// Of pairs of documents those whose order differs.
    pub share: f64,
    /// What both read in the first document, where they are in the same order and apart.
    pub readings: Option<[Stamp; 2]>,
}

/// Documents dated long after all others, such as in 2099: their times are taken for wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LateDocuments {
    pub documents: usize,
    /// The earliest of their times.
    pub from: Option<Stamp>,
}

/// The second of each document, without those that cannot be true.
pub(super) fn plausible(column: &Column) -> (Vec<u32>, Option<LateDocuments>) {
    let mut seconds = column.seconds();
    let Some(from) = first_late(&seconds) else {
        return (seconds, None);
    };
    let is_late = |second: &&mut u32| **second >= from && **second != NO_SECOND;
    let documents = seconds.iter_mut().filter(is_late);
    let documents = documents.map(|second| *second = NO_SECOND).count();
    let from = Stamp::from_seconds(i64::from(from));
    (seconds, Some(LateDocuments { documents, from }))
}

/// Where a few documents lie far ahead of all the others, the earliest second of these few.
fn first_late(seconds: &[u32]) -> Option<u32> {
    let known = || seconds.iter().copied().filter(|s| *s != NO_SECOND);
    let (count, last) = (known().count(), known().max()?);
    let few = count.div_ceil(ONE_IN);
    let newest = known().filter(|s| last - s < LEAST_GAP);
    if count < FEWEST_DATED || newest.take(few + 1).count() > few {
        return None;
    }
    let mut known: Vec<u32> = known().collect();
    // A few early ones may be wrong, too.
    let first = *known.select_nth_unstable(few).1;
    known.select_nth_unstable(count - few - 1);
    let mut newest = known.split_off(count - few - 1);
    newest.sort_unstable();
    let mut found = None;
    while let Some(at) = gap(&newest, first) {
        found = newest.get(at).copied();
        newest.truncate(at);
    }
    found
}

/// Where the times begin that lie far ahead, in sorted ones.
fn gap(newest: &[u32], first: u32) -> Option<usize> {
    let last = *newest.last()?;
    let mut pairs = newest.iter().zip(newest.iter().skip(1));
    let at = pairs.position(|(before, next)| {
        let apart = next - before;
        let others = before.saturating_sub(first).saturating_mul(GAP_SPANS);
        apart >= LEAST_GAP && apart > others && apart > last - next
    });
    at.map(|at| at + 1)
}

/// The likeliest time: of equally sure properties the first that tells more than the day, for a month or a birthday beside
/// a time says less of when a document was written.
pub(super) fn best(documents: &Documents) -> Option<Path> {
    let likely = |t: &&TimeColumn| t.sureness > Sureness::Possible;
    let times: Vec<&TimeColumn> = documents.time_columns().iter().filter(likely).collect();
    let first = *times.first()?;
    let column = |t: &TimeColumn| documents.columns().get(t.column);
    let equals = times.iter().filter(|t| t.sureness == first.sureness);
    let fine = equals.copied().find(|t| column(t).is_some_and(|c| !is_of_days(c, documents.len())));
    column(fine.unwrap_or(first)).map(|c| c.path().clone())
}

/// Whether all times that are looked at are midnights.
fn is_of_days(column: &Column, rows: usize) -> bool {
    let step = rows.div_ceil(LOOKED_AT).max(1);
    (0..rows).step_by(step).filter_map(|row| second_at(column, row)).all(|s| s % 86_400 == 0)
}

/// The second since 1970 of one document.
pub(super) fn second_at(column: &Column, row: usize) -> Option<i64> {
    if let ColumnCells::Hashes { seconds: Some(seconds), .. } = column.cells() {
        return seconds.get(row).copied().filter(|s| *s != NO_SECOND).map(i64::from);
    }
    column.value(row).and_then(moment_of).map(Stamp::seconds)
}

/// The time in use against the others.
pub(super) fn disagreements(documents: &Documents, used: &Path) -> Vec<TimeDisagreement> {
    let Some(one) = documents.column(used) else {
        return Vec::new();
    };
    let times = documents.time_columns().iter();
    let times = times.filter(|t| t.sureness > Sureness::Possible);
    let times = times.filter_map(|t| Some((t.form, documents.columns().get(t.column)?)));
    let (same, others): (Vec<_>, Vec<_>) = times.partition(|(_, column)| column.path() == used);
    if others.is_empty() {
        return Vec::new();
    }
    let form = same.first().map(|(form, _)| *form);
    let seconds = one.seconds();
    // A moment of the application: not when the service wrote, and not a day alone.
    let is_of_event = |column: &Column| {
        column.path().top_name() != Some("_ts") && !is_of_days(column, documents.len())
    };
    let found = others.into_iter().filter_map(|(other_form, other)| {
        let chosen = chosen(&seconds, &other.seconds());
        let share = discordant(&chosen).unwrap_or(0.0);
        let says_the_same = form.is_some_and(|form| form != other_form)
            && [one, other].into_iter().all(is_of_event);
        let readings = (share <= DIFFERENT && says_the_same).then(|| apart(&chosen)).flatten();
        (share > DIFFERENT || readings.is_some()).then(|| TimeDisagreement {
            one: used.clone(),
            other: other.path().clone(),
            share,
            readings,
        })
    });
    found.collect()
}

/// Of documents with both times some, evenly chosen.
fn chosen(one: &[u32], other: &[u32]) -> Vec<(u32, u32)> {
    let both = one.iter().zip(other).filter(|(a, b)| **a != NO_SECOND && **b != NO_SECOND);
    let step = both.clone().count().div_ceil(COMPARED).max(1);
    both.map(|(a, b)| (*a, *b)).step_by(step).collect()
}

/// What the first document reads, where one moment written in two forms is hours apart in half of the documents.
fn apart(chosen: &[(u32, u32)]) -> Option<[Stamp; 2]> {
    let far = chosen.iter().filter(|(a, b)| a.abs_diff(*b) >= HOUR_S);
    let is_common = far.clone().count() * 2 > chosen.len();
    let (a, b) = far.clone().next().filter(|_| is_common)?;
    let at = |second: u32| Stamp::from_seconds(i64::from(second));
    Some([at(*a)?, at(*b)?])
}

/// Of pairs of documents with both times those that the times put into different orders.
fn discordant(chosen: &[(u32, u32)]) -> Option<f64> {
    let half = chosen.len() / 2;
    let pairs = chosen.iter().zip(chosen.iter().skip(half)).take(half);
    let (mut compared, mut differ) = (0_u32, 0_u32);
    for ((a, b), (c, d)) in pairs {
        if a != c && b != d {
            compared += 1;
            differ += u32::from((a < c) != (b < d));
        }
    }
    (compared as usize >= FEWEST).then(|| f64::from(differ) / f64::from(compared))
}
