//! The least number of suffixes that keeps every key under a size and a load, and what reading costs with it.
//!
//! Division gives the least number that can be enough: with fewer, the largest share of the largest key is above the
//! goal for certain. From there on numbers are tried on the documents until one keeps every key under both goals.

mod field;
mod plan;
mod projection;
mod words;

#[cfg(test)]
pub(super) mod tests;

use std::num::NonZeroU32;

use super::candidate::{Candidate, JOINT, LevelPart, MAX_BUCKETS, MAX_PARTS};
use super::ceiling::MARK_WARN;
use super::demand::least::{CURED, is_cured};
use super::trial::verdict::VERY_UNEVEN;
use super::trial::{Settings, ToBuy};
use crate::model::path::Path;
use crate::model::time::Stamp;
use crate::model::units::PARTITION_RU_PER_SECOND;

pub use plan::least;
pub use projection::KnownGrowth;

/// Numbers for which the table is made, as far as they are near the least one.
const STEPS: [u32; 17] = [
    1, 2, 5, 10, 20, 50, 100, 200, 400, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000,
    200_000,
];

/// What every key is to stay under.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Goal {
    pub bytes: f64,
    pub ru_per_second: f64,
    /// Sizes are those of this date; of now without it.
    pub until: Option<Stamp>,
}

impl Goal {
    /// 70 % of what a logical partition can hold, and of what one can be given.
    pub fn of(settings: &Settings) -> Self {
        Self {
            bytes: settings.ceiling.bytes() * MARK_WARN,
            ru_per_second: PARTITION_RU_PER_SECOND * MARK_WARN,
            until: None,
        }
    }
}

/// How suffixes are chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Suffix {
    /// Drawn for each document: readers must ask for all of them.
    Random,
    /// Computed from a property: who knows it asks for one.
    Bucket(Path),
}

impl Suffix {
    /// A key without the suffix that it ends with, and how that is chosen; none where it has none.
    pub fn taken_off(key: &Candidate) -> Option<(Candidate, Self)> {
        let mut key = key.clone();
        let parts = &mut key.levels.last_mut()?.parts;
        let suffix = match parts.pop()? {
            LevelPart::Random { .. } => Self::Random,
            LevelPart::Bucket { path, .. } => Self::Bucket(path),
            _ => return None,
        };
        let is_joined = matches!(parts.pop(), Some(LevelPart::Literal(_)));
        (is_joined && !parts.is_empty()).then_some((key, suffix))
    }

    fn part(&self, n: NonZeroU32) -> LevelPart {
        match self {
            Self::Random => LevelPart::Random { buckets: n },
            Self::Bucket(path) => LevelPart::Bucket { path: path.clone(), buckets: n },
        }
    }
}

/// Which level of a hierarchical key gets one more part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangedLevel {
    /// It decides on which partition a key lies.
    First,
    /// Keys become smaller, and who knows the levels above still finds all of one.
    Last,
}

impl ChangedLevel {
    /// Where load is to be spread the first level must be; for size alone the last one is enough.
    pub fn by(is_for_load: bool) -> Self {
        if is_for_load { Self::First } else { Self::Last }
    }

    pub fn of<T>(self, levels: &mut [T]) -> Option<&mut T> {
        match self {
            Self::First => levels.first_mut(),
            Self::Last => levels.last_mut(),
        }
    }
}

/// The key with one of `n` buckets of the id at a level: point reads know them.
pub fn spread_by_id(key: &Candidate, at: ChangedLevel, n: u32) -> Option<Candidate> {
    let id = ["id"].into_iter().collect();
    suffixed_at(key, at, &Suffix::Bucket(id), n)
}

/// The key with one of `n` suffixes at its last level; itself for one, none where its level has no room for more parts.
fn suffixed(key: &Candidate, suffix: &Suffix, n: u32) -> Option<Candidate> {
    suffixed_at(key, ChangedLevel::Last, suffix, n)
}

fn suffixed_at(key: &Candidate, at: ChangedLevel, suffix: &Suffix, n: u32) -> Option<Candidate> {
    if n <= 1 {
        return Some(key.clone());
    }
    let n = NonZeroU32::new(n.min(MAX_BUCKETS))?;
    let mut key = joined(key, at)?;
    at.of(&mut key.levels)?.parts.push(suffix.part(n));
    Some(key)
}

/// The key as text with what parts it from its suffix.
fn joined(key: &Candidate, at: ChangedLevel) -> Option<Candidate> {
    let mut key = key.clone();
    let level = at.of(&mut key.levels)?;
    if level.parts.len() + 2 > MAX_PARTS {
        return None;
    }
    level.parts.push(LevelPart::Literal(JOINT.into()));
    Some(key)
}

words! {
    /// What decides the least number.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum DecidingLimit {
        Storage = "storage",
        Load = "load",
    }
    fn word
}

/// Why no number is enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SuffixObstacle {
    /// Documents without a value share one key, which no suffix parts.
    NoValue,
    /// The documents of one value of the property are too many, and always share a bucket.
    OneValue,
    /// More than the most suffixes that a key can have.
    TooMany,
    /// With so many suffixes the sample has a few documents of each, and each stands for more than the goal.
    SampleTooSmall,
    /// A level that has as many parts as it can.
    NoRoom,
    /// What reads cost that query every suffix takes a key over its limit again.
    Reads,
}

/// The answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SuffixAnswer {
    /// The key stays under both goals as it is.
    AsItIs,
    Found {
        n: u32,
        /// Every smaller number was tried, or is too small by division.
        is_proven: bool,
    },
    None(SuffixObstacle),
    /// Stopped before one was found.
    Stopped,
}

/// What the worst keys have with some number of suffixes.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Worst {
    pub bytes: f64,
    /// None where nobody told the load.
    pub ru_per_second: Option<f64>,
}

impl Worst {
    pub fn meets(&self, goal: &Goal) -> bool {
        self.bytes <= goal.bytes && self.ru_per_second.is_none_or(|ru| ru <= goal.ru_per_second)
    }
}

/// Reading all documents of one key of before.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ReadBack {
    /// Keys asked for: with `random` by everybody, with `bucket` by who does not know the property. At most so many
    /// point reads find one document.
    pub keys: u32,
    /// Physical partitions on which those of the busiest key lie; on average where its text is not known.
    pub visits: f64,
    /// At least, for one query of all of them.
    pub ru: f64,
}

/// One number of suffixes.
#[derive(Clone, PartialEq, Debug)]
pub struct SuffixRow {
    pub n: u32,
    pub worst: Worst,
    pub meets: bool,
    /// Of the RU in the sizing window, in a new container with the RU/s of today; its high end where it has one. None where
    /// RU/s or demand are not known.
    pub throttled: Option<f64>,
    /// The same without what chance may add to it, as the trial shows it.
    pub throttled_share: Option<f64>,
    /// Largest over mean load of the partitions, by documents.
    pub load_ratio: Option<f64>,
    /// The same if the busiest key of before were all that is written.
    pub load_ratio_busiest: Option<f64>,
    /// None where demand is not known.
    pub to_buy: Option<ToBuy>,
    pub keys: u64,
    pub partitions: usize,
    /// Whether keys that are written at a time are too few for the partitions.
    pub writes_few_keys: bool,
    pub read: ReadBack,
}

/// Suffixes for one key.
#[derive(Clone, PartialEq, Debug)]
pub struct SuffixPlan {
    pub key: Candidate,
    pub suffix: Suffix,
    pub goal: Goal,
    /// Of the key as it is.
    pub now: Worst,
    pub growth: KnownGrowth,
    /// Fewer cannot be enough.
    pub by_division: u32,
    pub decides: Option<DecidingLimit>,
    pub least: SuffixAnswer,
    /// The documents are a sample, of whose few documents a key the largest are overstated by chance.
    pub is_sample: bool,
    /// What one document of the sample stands for.
    pub document_bytes: f64,
    /// With the least number among them.
    pub rows: Vec<SuffixRow>,
    pub is_complete: bool,
}

/// Where it is not known, nothing speaks against it.
fn is_healthy(throttled: Option<f64>) -> bool {
    throttled.is_none_or(|share| is_cured(share, CURED))
}

impl SuffixPlan {
    /// The number to take: keys within their limits may meet on a partition, so of the numbers in the table from the least on
    /// the first that throttles no more than is healthy, writes to enough keys at a time and loads partitions evenly. The first
    /// that throttles no more, where none does all; the least, where none does that either. None where the key may stay as it is,
    /// or no number is enough.
    pub fn advised(&self) -> Option<u32> {
        let enough = |least| (self.rows.iter()).filter(move |row| row.n >= least && row.meets);
        let cured = |least| enough(least).filter(|row| is_healthy(row.throttled));
        let healthy = |least| {
            let is_even = |row: &&SuffixRow| {
                let ratio = row.load_ratio.filter(|_| row.throttled.is_some());
                !row.writes_few_keys && ratio.is_none_or(|ratio| ratio <= VERY_UNEVEN)
            };
            let even = cured(least).find(is_even);
            even.or(cured(least).next())
        };
        match self.least {
            SuffixAnswer::Found { n, .. } => Some(healthy(n).map_or(n, |row| row.n)),
            SuffixAnswer::AsItIs => {
                enough(1).find(|row| row.n == 1 && !is_healthy(row.throttled_share))?;
                Some(healthy(2)?.n)
            }
            SuffixAnswer::None(_) | SuffixAnswer::Stopped => None,
        }
    }

    /// Whether hardly anything is throttled with the advised number, as far as that is known.
    pub fn cures(&self) -> bool {
        let row = self.advised().and_then(|n| self.row(n));
        is_healthy(row.and_then(|row| row.throttled))
    }

    fn row(&self, n: u32) -> Option<&SuffixRow> {
        self.rows.iter().find(|row| row.n == n)
    }

    /// The key with the advised number of suffixes.
    pub fn best(&self) -> Option<Candidate> {
        match (self.least, self.advised()) {
            (SuffixAnswer::AsItIs, None) => Some(self.key.clone()),
            (_, advised) => suffixed(&self.key, &self.suffix, advised?),
        }
    }
}
