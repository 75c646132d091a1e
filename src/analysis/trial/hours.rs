//! Documents in the order of their hours: what a key takes now, and in the hour that is worst for it.

use std::ops::Range;

use crate::model::documents::{Cells, Column, Documents, Sureness, TimeColumn};
use crate::model::path::Path;
use crate::model::time::Stamp;

use super::estimates::{Share, share};
use super::fold::Groups;
use super::met::Met;
use super::sizes::Sizes;
use super::times::plausible;
use crate::model::units::real;

const HOUR: u32 = 3_600;
const NO_SECOND: u32 = u32::MAX;
/// Fewer documents tell nothing of an hour: then more hours are looked at.
const FEWEST: usize = 100;
/// Times that more documents share each are months or days.
const PERIOD_DOCUMENTS: usize = 1_000;
/// How many hours back "now" may go until there are enough documents.
const WINDOWS: [u32; 6] = [1, 3, 24, 168, 720, 8_760];

/// When documents were written.
#[derive(Debug)]
pub(super) struct Hours {
    path: Path,
    /// Rows that have a time, in the order of their hours.
    rows: Vec<u32>,
    /// Where each hour that has documents ends among them.
    ends: Vec<usize>,
    /// Rows of the last hours.
    recent: Vec<u32>,
    window: u32,
    last: u32,
}

/// The load of a key at the end of the documents' time, where writes happen now.
#[derive(Clone, PartialEq, Debug)]
pub struct Now {
    /// The property that the time is from.
    pub path: Path,
    /// The last document's time, without such as lie far ahead of all others.
    pub until: Option<Stamp>,
    /// Hours looked at: the last one, or more where it holds too few documents.
    pub hours: u32,
    pub documents: u64,
    /// Different keys among them.
    pub keys: u64,
    /// What the busiest key has of them.
    pub top: Share,
    /// The largest share of one key in any hour with enough documents.
    pub worst_hour: Option<f64>,
}

impl Hours {
    /// By the property asked for, else by the best time column.
    pub fn of(documents: &Documents, path: Option<&Path>) -> Option<Self> {
        let column: &Column = if let Some(path) = path {
            documents.column(path)?
        } else {
            let likely = |t: &&TimeColumn| t.sureness > Sureness::Possible;
            let times = documents.time_columns().iter().filter(likely);
            let columns = || {
                times
                    .clone()
                    .filter_map(|t| documents.columns().get(t.column))
            };
            // A month or a day tells no hour: only where there is nothing finer.
            let finer = columns().find(|column| !is_period(column, documents.len()));
            finer.or_else(|| columns().next())?
        };
        let (seconds, _) = plausible(column);
        let known = || seconds.iter().filter(|s| **s != NO_SECOND);
        let (first, last) = (*known().min()?, *known().max()?);
        let (rows, ends) = by_hour(&seconds, first / HOUR, last / HOUR);
        let (window, recent) = recent(&seconds, last);
        Some(Self {
            path: column.path().clone(),
            rows,
            ends,
            recent,
            window,
            last,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many hours the last ones are.
    pub fn window(&self) -> u32 {
        self.window
    }

    /// What keys had in the last hours, each with its documents, the commonest first.
    pub fn recent_counts(&self, of_row: &[u32], groups: usize) -> Vec<(u32, u64)> {
        let group = |row: &u32| of_row.get(*row as usize).copied().unwrap_or(0);
        let mut found: Vec<(u32, u64)> = Vec::new();
        if self.recent.len() < groups {
            let mut met: Vec<u32> = self.recent.iter().map(group).collect();
            met.sort_unstable();
            let alike = met.chunk_by(|a, b| a == b);
            found.extend(alike.filter_map(|g| Some((*g.first()?, g.len() as u64))));
        } else {
            let mut counts = vec![0_u64; groups];
            for row in &self.recent {
                if let Some(count) = counts.get_mut(group(row) as usize) {
                    *count += 1;
                }
            }
            found.extend((0_u32..).zip(counts).filter(|(_, count)| *count > 0));
        }
        found.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        found
    }

    /// `worst` is what was found in parts of the hours.
    pub fn now(&self, recent: &[(u32, u64)], worst: &[Option<f64>]) -> Now {
        let documents = self.recent.len() as u64;
        Now {
            path: self.path.clone(),
            until: Stamp::from_seconds(i64::from(self.last)),
            hours: self.window,
            documents,
            keys: recent.len() as u64,
            top: share(recent.first().map_or(0, |r| r.1), documents),
            worst_hour: worst.iter().copied().flatten().reduce(f64::max),
        }
    }

    /// Hours that can be looked at each by itself, in about so many parts.
    pub fn parts(&self, parts: usize) -> Vec<Range<usize>> {
        let each = self.ends.len().div_ceil(parts.max(1)).max(1);
        let starts = (0..self.ends.len()).step_by(each);
        starts
            .map(|at| at..(at + each).min(self.ends.len()))
            .collect()
    }

    /// The largest share that one key has of some of the hours, of those with enough documents.
    pub fn worst_hour(&self, hours: Range<usize>, groups: &Groups<'_>) -> Option<f64> {
        let mut start = hours.start.checked_sub(1).map_or(0, |before| {
            self.ends.get(before).copied().unwrap_or_default()
        });
        let ends = self.ends.get(hours).unwrap_or_default();
        if matches!(groups.sizes, Sizes::Single(_)) {
            // One document each.
            let starts = std::iter::once(&start).chain(ends);
            let lengths = ends.iter().zip(starts).map(|(end, start)| end - start);
            let least = lengths.filter(|length| *length >= FEWEST).min()?;
            return Some(1.0 / real(least as u64));
        }
        let mut worst: Option<f64> = None;
        let mut met = Met::of(groups.len());
        for end in ends {
            let rows = self.rows.get(start..*end).unwrap_or_default();
            start = *end;
            if rows.len() < FEWEST {
                continue;
            }
            let group = |row: &u32| groups.of_row.get(*row as usize).copied().unwrap_or(0);
            let highest = met.most(rows.iter().map(group));
            let found = f64::from(highest) / real(rows.len() as u64);
            worst = Some(worst.map_or(found, |w| w.max(found)));
        }
        worst
    }
}

/// Whether many documents share each of its times.
fn is_period(column: &Column, documents: usize) -> bool {
    match column.cells() {
        Cells::Codes { dictionary, .. } => {
            dictionary.len().saturating_mul(PERIOD_DOCUMENTS) <= documents
        }
        Cells::Hashes { .. } => false,
    }
}

/// Rows in the order of their hours, and where each hour that has some ends.
fn by_hour(seconds: &[u32], first: u32, last: u32) -> (Vec<u32>, Vec<usize>) {
    let known = || {
        let all = (0_u32..).zip(seconds).filter(|(_, s)| **s != NO_SECOND);
        all.map(|(row, second)| (row, second / HOUR))
    };
    let span = (last - first) as usize + 1;
    if span > seconds.len().saturating_mul(4) {
        // A few documents over many years.
        let mut sorted: Vec<(u32, u32)> = known().map(|(row, hour)| (hour, row)).collect();
        sorted.sort_unstable();
        let mut at = 0;
        let ends = sorted.chunk_by(|a, b| a.0 == b.0).map(|hour| {
            at += hour.len();
            at
        });
        let ends = ends.collect();
        return (sorted.into_iter().map(|(_, row)| row).collect(), ends);
    }
    let mut counts = vec![0_usize; span];
    for (_, hour) in known() {
        if let Some(count) = counts.get_mut((hour - first) as usize) {
            *count += 1;
        }
    }
    let mut at = 0;
    let start = |count: &usize| {
        at += count;
        at - count
    };
    let mut places: Vec<usize> = counts.iter().map(start).collect();
    let mut rows = vec![0; at];
    for (row, hour) in known() {
        if let Some(place) = places.get_mut((hour - first) as usize)
            && let Some(slot) = rows.get_mut(*place)
        {
            *slot = row;
            *place += 1;
        }
    }
    // Each place has moved on to the end of its hour.
    let ends = places.iter().zip(&counts).filter(|(_, n)| **n > 0);
    let ends = ends.map(|(end, _)| *end).collect();
    (rows, ends)
}

fn recent(seconds: &[u32], last: u32) -> (u32, Vec<u32>) {
    let mut found = (1, Vec::new());
    for hours in WINDOWS {
        let from = last.saturating_sub(hours * HOUR);
        let is_recent = |(_, s): &(u32, &u32)| **s != NO_SECOND && (**s > from || **s == last);
        let rows = (0_u32..).zip(seconds).filter(is_recent).map(|(r, _)| r);
        found = (hours, rows.collect());
        if found.1.len() >= FEWEST {
            break;
        }
    }
    found
}
