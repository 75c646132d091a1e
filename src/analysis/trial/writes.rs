//! Writes of the last hours by key: what documents alone say of load, where no demand is measured.

use super::clock::Clock;
use super::estimates::{Share, Z_95, share};
use super::settings::Whole;
use crate::model::path::Path;
use crate::model::time::Stamp;
use crate::model::units::{count_text, percent_text, real};

/// Fewer documents tell nothing of an hour: then more hours are looked at.
const ENOUGH: usize = 100;
/// Documents looked at: enough seconds for a mean.
const MOST: usize = 50_000;
/// Fewer documents tell nothing of a second.
const FEWEST: usize = 10;
/// With fewer documents in a second these show one key each.
const MORE_THAN_ONE: f64 = 1.1;

/// The newest documents, in the order of the table.
#[derive(Debug)]
pub(super) struct Newest {
    path: Path,
    until: Option<Stamp>,
    hours: u32,
    /// Seconds and rows.
    rows: Vec<(u32, u32)>,
}

/// What keys get where documents are written now.
#[derive(Clone, PartialEq, Debug)]
pub struct Writes {
    /// The property that the time is from.
    pub path: Path,
    /// The last document's time, without such as lie far ahead of all others.
    pub until: Option<Stamp>,
    /// Hours looked at: the last one, or more where it holds too few documents.
    pub hours: u32,
    pub documents: u64,
    /// Different keys among them.
    pub keys: u64,
    /// What the hottest key has of them.
    pub top: Share,
    /// None where times do not tell seconds apart.
    pub active: Option<ActiveKeys>,
}

impl Writes {
    /// `2.2 % in 3 h`: what the hottest key has of them, and in how long; of few documents `2.2 % (≤ 6.3 %) in 3 h`.
    pub fn text(&self) -> String {
        let share = match self.top.share * real(self.documents) {
            _ if self.keys == self.documents && self.keys > 1 => "all different".to_owned(),
            few if few < real(super::forecast::ENOUGH) => {
                let [share, most] = [self.top.share, self.top.interval[1]].map(percent_text);
                format!("{share} (≤ {most})")
            }
            _ => percent_text(self.top.share),
        };
        match self.hours {
            days if days >= 48 => format!("{share} in {} d", count_text((days / 24).into())),
            hours => format!("{share} in {} h", count_text(hours.into())),
        }
    }
}

/// Keys that are written within the same second: one key a second is one partition's work, however many keys there are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ActiveKeys {
    /// Different keys in a second that has documents.
    pub mean: f64,
    /// Where the mean lies with 95 %; of a sample, which leaves documents of each second out, not known.
    pub interval: Option<[f64; 2]>,
    /// Documents in such a second.
    pub documents: f64,
    /// Seconds looked at.
    pub seconds: u64,
    /// Computed from a sample's rates: all documents have at least so many.
    pub at_least: bool,
}

impl Newest {
    pub fn of(clock: &Clock) -> Self {
        let (hours, window) = clock.last_hours(ENOUGH);
        Self {
            path: clock.path().clone(),
            until: clock.last(),
            hours,
            rows: clock.rows(window, MOST),
        }
    }

    /// Documents of each key, the commonest first.
    pub fn counts(&self, of_row: &[u32]) -> Vec<(u32, u64)> {
        let mut groups: Vec<u32> = self.groups(of_row).map(|(_, group)| group).collect();
        groups.sort_unstable();
        let alike = groups.chunk_by(|a, b| a == b);
        let mut found: Vec<(u32, u64)> =
            alike.filter_map(|g| Some((*g.first()?, g.len() as u64))).collect();
        found.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        found
    }

    /// Seconds and keys.
    fn groups<'a>(&'a self, of_row: &'a [u32]) -> impl Iterator<Item = (u32, u32)> + 'a {
        let group = |row: u32| of_row.get(row as usize).copied().unwrap_or(0);
        self.rows.iter().map(move |(s, row)| (*s, group(*row)))
    }

    pub fn writes(&self, counts: &[(u32, u64)], active: Option<ActiveKeys>) -> Writes {
        let documents = self.rows.len() as u64;
        Writes {
            path: self.path.clone(),
            until: self.until,
            hours: self.hours,
            documents,
            keys: counts.len() as u64,
            top: share(counts.first().map_or(0, |c| c.1), documents),
            active,
        }
    }

    /// None where times do not tell seconds apart.
    pub fn active(&self, of_row: &[u32], whole: Whole) -> Option<ActiveKeys> {
        let is_coarse = self.rows.iter().all(|(second, _)| second % 60 == 0);
        if self.rows.len() < FEWEST || is_coarse {
            return None;
        }
        let mut pairs: Vec<(u32, u32)> = self.groups(of_row).collect();
        if whole.is_sample {
            return expected(&mut pairs, whole);
        }
        let documents = real(pairs.len() as u64);
        pairs.sort_unstable();
        pairs.dedup();
        let counts = pairs.chunk_by(|a, b| a.0 == b.0).map(|s| real(s.len() as u64));
        let (n, sum, squares) = counts.fold((0.0, 0.0, 0.0), |(n, sum, squares), keys| {
            (n + 1.0, sum + keys, squares + keys * keys)
        });
        let mean = sum / n;
        // Some documents of a container leave out what else was written in their seconds.
        if whole.is_assumed && documents / n < MORE_THAN_ONE {
            return None;
        }
        let variance = (squares / n - mean * mean).max(0.0);
        let half = Z_95 * (variance / n).sqrt();
        Some(ActiveKeys {
            mean,
            interval: Some([(mean - half).max(1.0).min(mean), mean + half]),
            documents: documents / n,
            seconds: pairs.chunk_by(|a, b| a.0 == b.0).count() as u64,
            at_least: false,
        })
    }
}

/// With the rates that the sample's keys have in all documents, each key is there in a second with 1 − e^−λ.
fn expected(pairs: &mut [(u32, u32)], whole: Whole) -> Option<ActiveKeys> {
    let first = pairs.iter().map(|p| p.0).min()?;
    let last = pairs.iter().map(|p| p.0).max()?;
    let seconds = f64::from(last - first) + 1.0;
    pairs.sort_unstable_by_key(|p| p.1);
    let keys = pairs.chunk_by(|a, b| a.1 == b.1);
    let rate = |key: &[(u32, u32)]| real(key.len() as u64) * whole.documents_scale / seconds;
    let mean: f64 = keys.map(|key| 1.0 - (-rate(key)).exp()).sum();
    Some(ActiveKeys {
        mean,
        interval: None,
        documents: real(pairs.len() as u64) * whole.documents_scale / seconds,
        seconds: u64::from(last - first) + 1,
        at_least: true,
    })
}
