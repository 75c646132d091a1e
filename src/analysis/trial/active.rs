//! Keys that are written within the same second: one key a second is one partition's work, however many keys there are.

use super::clock::{Clock, Window};
use super::settings::Whole;
use crate::model::units::real;

/// Documents looked at: enough seconds for a mean.
const MOST: usize = 200_000;
/// Fewer documents tell nothing of a second.
const FEWEST: usize = 10;
const HOUR: u32 = 3_600;
const Z_95: f64 = 1.959_964;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Active {
    /// Different keys in a second that has documents.
    pub mean: f64,
    /// Where the mean lies with 95 %; of a sample, which leaves documents of each second out, not known.
    pub interval: Option<[f64; 2]>,
    /// Documents in such a second.
    pub documents: f64,
    /// Seconds looked at.
    pub seconds: u64,
    /// Worked out from a sample's rates: all documents have at least so many.
    pub at_least: bool,
}

/// Documents of the last hours, by the second.
#[derive(Debug)]
pub(super) struct Instants {
    /// Seconds and rows.
    rows: Vec<(u32, u32)>,
}

impl Instants {
    /// None where times do not tell seconds apart.
    pub fn of((clock, hours): (&Clock, u32)) -> Option<Self> {
        let last = clock.whole().to;
        let window = Window {
            from: last.saturating_sub(hours.saturating_mul(HOUR).saturating_sub(1)),
            to: last,
        };
        let rows = clock.rows(window, MOST);
        let is_coarse = rows.iter().all(|(second, _)| second % 60 == 0);
        (rows.len() >= FEWEST && !is_coarse).then_some(Self { rows })
    }
}

pub(super) fn active(instants: &Instants, of_row: &[u32], whole: Whole) -> Option<Active> {
    let group = |row: u32| of_row.get(row as usize).copied().unwrap_or(0);
    let rows = instants.rows.iter();
    let mut pairs: Vec<(u32, u32)> = rows.map(|(s, row)| (*s, group(*row))).collect();
    if whole.is_sample {
        return expected(&mut pairs, whole);
    }
    let documents = real(pairs.len() as u64);
    pairs.sort_unstable();
    pairs.dedup();
    let counts = pairs
        .chunk_by(|a, b| a.0 == b.0)
        .map(|s| real(s.len() as u64));
    let (n, sum, squares) = counts.fold((0.0, 0.0, 0.0), |(n, sum, squares), keys| {
        (n + 1.0, sum + keys, squares + keys * keys)
    });
    let mean = sum / n;
    let variance = (squares / n - mean * mean).max(0.0);
    let half = Z_95 * (variance / n).sqrt();
    Some(Active {
        mean,
        interval: Some([(mean - half).max(1.0).min(mean), mean + half]),
        documents: documents / n,
        seconds: pairs.chunk_by(|a, b| a.0 == b.0).count() as u64,
        at_least: false,
    })
}

/// With the rates that the sample's keys have in all documents, each key is there in a second with 1 − e^−λ.
fn expected(pairs: &mut [(u32, u32)], whole: Whole) -> Option<Active> {
    let first = pairs.iter().map(|p| p.0).min()?;
    let last = pairs.iter().map(|p| p.0).max()?;
    let seconds = f64::from(last - first) + 1.0;
    pairs.sort_unstable_by_key(|p| p.1);
    let keys = pairs.chunk_by(|a, b| a.1 == b.1);
    let rate = |key: &[(u32, u32)]| real(key.len() as u64) * whole.documents_scale / seconds;
    let mean: f64 = keys.map(|key| 1.0 - (-rate(key)).exp()).sum();
    Some(Active {
        mean,
        interval: None,
        documents: real(pairs.len() as u64) * whole.documents_scale / seconds,
        seconds: u64::from(last - first) + 1,
        at_least: true,
    })
}
