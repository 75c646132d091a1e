//! Properties that both look like the time of a document, and disagree on which document came first.

use crate::model::documents::{Cells, Column, Documents, Sureness, TimeColumn, moment_of};
use crate::model::path::Path;
use crate::model::time::Stamp;

const NO_SECOND: u32 = u32::MAX;
/// Documents by which it is told whether a time tells more than the day.
const LOOKED_AT: usize = 100;
/// Documents that are compared.
const COMPARED: usize = 2_000;
/// Fewer pairs tell nothing.
const FEWEST: usize = 20;
/// Clocks that run apart a little change the order of a few neighbours; more than this is another time.
const DIFFERENT: f64 = 0.1;

/// Two times of which one cannot stand for the other.
#[derive(Clone, PartialEq, Debug)]
pub struct Disagreement {
    pub one: Path,
    pub other: Path,
    /// Of pairs of documents those whose order differs.
    pub share: f64,
}

/// The likeliest time: of equally sure properties the first that tells more than the day, for a month or a birthday beside
/// a time says less of when a document was written.
pub(super) fn best(documents: &Documents) -> Option<Path> {
    let likely = |t: &&TimeColumn| t.sureness > Sureness::Possible;
    let times: Vec<&TimeColumn> = documents.time_columns().iter().filter(likely).collect();
    let first = *times.first()?;
    let column = |t: &TimeColumn| documents.columns().get(t.column);
    let equals = times.iter().filter(|t| t.sureness == first.sureness);
    let fine = equals
        .copied()
        .find(|t| column(t).is_some_and(|c| !is_of_days(c, documents.len())));
    column(fine.unwrap_or(first)).map(|c| c.path().clone())
}

/// Whether all times that are looked at are midnights.
fn is_of_days(column: &Column, rows: usize) -> bool {
    let step = rows.div_ceil(LOOKED_AT).max(1);
    (0..rows)
        .step_by(step)
        .filter_map(|row| second_at(column, row))
        .all(|s| s % 86_400 == 0)
}

/// The second since 1970 of one document.
pub(super) fn second_at(column: &Column, row: usize) -> Option<i64> {
    if let Cells::Hashes {
        seconds: Some(seconds),
        ..
    } = column.cells()
    {
        return seconds
            .get(row)
            .copied()
            .filter(|s| *s != NO_SECOND)
            .map(i64::from);
    }
    column.value(row).and_then(moment_of).map(Stamp::seconds)
}

/// The time in use against the others.
pub(super) fn disagreements(documents: &Documents, used: &Path) -> Vec<Disagreement> {
    let Some(one) = documents.column(used) else {
        return Vec::new();
    };
    let others = documents
        .time_columns()
        .iter()
        .filter(|t| t.sureness > Sureness::Possible);
    let others = others.filter_map(|t| documents.columns().get(t.column));
    let others: Vec<_> = others.filter(|column| column.path() != used).collect();
    if others.is_empty() {
        return Vec::new();
    }
    let seconds = one.seconds();
    let found = others.into_iter().filter_map(|other| {
        let share = discordant(&seconds, &other.seconds())?;
        (share > DIFFERENT).then(|| Disagreement {
            one: used.clone(),
            other: other.path().clone(),
            share,
        })
    });
    found.collect()
}

/// Of pairs of documents with both times those that the times put into different orders.
fn discordant(one: &[u32], other: &[u32]) -> Option<f64> {
    let both = one
        .iter()
        .zip(other)
        .filter(|(a, b)| **a != NO_SECOND && **b != NO_SECOND);
    let both: Vec<(u32, u32)> = both.map(|(a, b)| (*a, *b)).collect();
    let step = both.len().div_ceil(COMPARED).max(1);
    let chosen: Vec<(u32, u32)> = both.into_iter().step_by(step).collect();
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
