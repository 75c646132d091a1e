//! The documents of a key's values in one place, so that many numbers of suffixes can be tried on the largest alone.

use std::collections::HashMap;
use std::num::NonZeroU32;

use foldhash::fast::FixedState;

use super::super::candidate::{Candidate, Level, LevelPart, RandomSuffix};
use super::super::trial::{DocumentKeys, KeepGoing, Trials};
use super::projection::Projection;
use super::{Goal, Suffix, Worst};
use crate::model::units::real;

/// A value of the key, with all its documents.
#[derive(Clone, Copy, Debug)]
struct Value {
    /// As they will be, of all of the container.
    bytes: f64,
    /// For each byte of a document at hand.
    scale: f64,
    load: f64,
    is_parted: bool,
    /// Where its documents begin and end among `rows`.
    start: usize,
    end: usize,
}

/// All values of a key.
#[derive(Debug)]
pub(super) struct Field<'a> {
    trials: &'a Trials,
    suffix: &'a Suffix,
    /// Random suffixes of the key.
    before: u64,
    rows: Vec<u32>,
    /// The largest first.
    by_bytes: Vec<Value>,
    /// The busiest first; empty where nobody told the load.
    by_load: Vec<Value>,
}

impl<'a> Field<'a> {
    /// `load` are the RU/s that are asked of the container.
    pub fn new(
        trials: &'a Trials,
        key: &Candidate,
        suffix: &'a Suffix,
        keys: &DocumentKeys,
        projection: &Projection,
        load: Option<f64>,
    ) -> Self {
        let (rows, ends) = rows_by_key(&keys.of_row, keys.bytes.len());
        let mut start = 0;
        let mut by_bytes = Vec::with_capacity(ends.len());
        for (at, end) in ends.into_iter().enumerate() {
            let bytes = keys.bytes.get(at).copied().unwrap_or(0.0);
            let factor = projection.factor(at);
            by_bytes.push(Value {
                bytes: bytes * factor,
                scale: trials.whole().bytes_scale * factor,
                load: load.unwrap_or(0.0) * keys.load_share.get(at).copied().unwrap_or(0.0),
                is_parted: !keys.without_value.get(at).copied().unwrap_or(false),
                start,
                end,
            });
            start = end;
        }
        let mut by_load = if load.is_some() { by_bytes.clone() } else { Vec::new() };
        by_load.sort_by(|a, b| b.load.total_cmp(&a.load));
        by_bytes.sort_by(|a, b| b.bytes.total_cmp(&a.bytes));
        let is_random = |part: &&LevelPart| matches!(part, LevelPart::Random { .. });
        let before = key.parts().filter(is_random).count() as u64;
        Self { trials, suffix, before, rows, by_bytes, by_load }
    }

    pub fn undivided(&self) -> Worst {
        Worst {
            bytes: self.by_bytes.first().map_or(0.0, |v| v.bytes),
            ru_per_second: self.by_load.first().map(|v| v.load),
        }
    }

    /// Whether a value that no suffix parts is beyond a goal.
    pub fn is_stuck(&self, goal: &Goal) -> bool {
        let unparted = self.by_bytes.iter().filter(|v| !v.is_parted);
        let mut worst = unparted.map(|v| Worst {
            bytes: v.bytes,
            ru_per_second: (!self.by_load.is_empty()).then_some(v.load),
        });
        worst.any(|w| !w.meets(goal))
    }

    /// Documents of the value that has most of those beyond a goal: with more suffixes some stay empty.
    pub fn most_documents(&self, goal: &Goal) -> u32 {
        let large = self.by_bytes.iter().filter(|v| v.bytes > goal.bytes);
        let busy = self.by_load.iter().filter(|v| v.load > goal.ru_per_second);
        let documents = large.chain(busy).map(|v| v.end - v.start).max();
        u32::try_from(documents.unwrap_or(0)).unwrap_or(u32::MAX)
    }

    /// The largest and the busiest key with one of `n` suffixes. The load of a value is parted as all its documents are,
    /// not as the few of the last hours. None where it was not wanted to the end.
    pub fn worst(&self, n: u32, keep_going: &KeepGoing<'_>) -> Option<Worst> {
        let suffixes = self.suffixes(n, keep_going)?;
        let sizes = self.trials.prepared().documents().bytes();
        let size = |row: u32| sizes.get(row as usize).copied().unwrap_or(0);
        let by_bytes = |value: &Value, rows: &[u32]| most(rows, &suffixes, size) * value.scale;
        let bytes = self.most(&self.by_bytes, |v| v.bytes, by_bytes, keep_going)?;
        let by_load = |value: &Value, rows: &[u32]| {
            let all = f64::from(u32::try_from(rows.len()).unwrap_or(u32::MAX)).max(1.0);
            most(rows, &suffixes, |_| 1) / all * value.load
        };
        let load = self.most(&self.by_load, |v| v.load, by_load, keep_going)?;
        Some(Worst { bytes, ru_per_second: (!self.by_load.is_empty()).then_some(load) })
    }

    /// The most that a key has of values whose first are the largest: no later one is looked at than can still exceed it.
    fn most(
        &self,
        values: &[Value],
        whole: fn(&Value) -> f64,
        parted: impl Fn(&Value, &[u32]) -> f64,
        keep_going: &KeepGoing<'_>,
    ) -> Option<f64> {
        let mut most = 0.0_f64;
        for value in values {
            if whole(value) <= most {
                break;
            }
            if !keep_going() {
                return None;
            }
            let rows = self.rows.get(value.start..value.end).unwrap_or_default();
            most = most.max(if value.is_parted { parted(value, rows) } else { whole(value) });
        }
        Some(most)
    }

    fn suffixes(&self, n: u32, keep_going: &KeepGoing<'_>) -> Option<Suffixes> {
        let buckets = NonZeroU32::new(n)?;
        let seed = self.trials.settings().seed;
        Some(match self.suffix {
            Suffix::Random => Suffixes::Drawn(RandomSuffix { seed, before: self.before, buckets }),
            Suffix::Bucket(_) => {
                let parts = vec![self.suffix.part(buckets)];
                let bucket = Candidate { levels: vec![Level { parts }] };
                Suffixes::Computed(self.trials.document_keys_while(&bucket, keep_going)?.of_row)
            }
        })
    }
}

/// The suffix of each document, counted from 0.
enum Suffixes {
    Drawn(RandomSuffix),
    Computed(Vec<u32>),
}

impl Suffixes {
    fn of(&self, row: u32) -> u32 {
        match self {
            Self::Drawn(suffix) => suffix.of(u64::from(row)) - 1,
            Self::Computed(of_row) => of_row.get(row as usize).copied().unwrap_or(0),
        }
    }
}

/// The most that any suffix has of some rows.
fn most(rows: &[u32], suffixes: &Suffixes, size: impl Fn(u32) -> u32) -> f64 {
    let mut sums: HashMap<u32, u64, FixedState> = HashMap::default();
    for row in rows {
        *sums.entry(suffixes.of(*row)).or_default() += u64::from(size(*row));
    }
    real(sums.into_values().max().unwrap_or(0))
}

/// Rows in the order of their keys, and where each key's end.
fn rows_by_key(of_row: &[u32], keys: usize) -> (Vec<u32>, Vec<usize>) {
    let mut pairs: Vec<(u32, u32)> = of_row.iter().copied().zip(0..).collect();
    pairs.sort_unstable();
    let ends = (0..).take(keys).map(|key| pairs.partition_point(|(of, _)| *of <= key)).collect();
    (pairs.into_iter().map(|(_, row)| row).collect(), ends)
}
