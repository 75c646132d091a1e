//! What clients request of a container, what its partitions can serve, and what comes of it: the one place where load is
//! computed.
//!
//! [`Demand`] is RU/s before the service answers; [`partitions::Partitions`] are the ranges and RU/s of today;
//! [`outcome`] puts one on the other. [`CurrentLoad`] is that outcome over the worst five minutes of the evidence, made once for
//! a container and shared: the heat view, the trial's current key and the first row of the remedies show the same value.

pub mod attempts;
pub mod buy;
mod evidence;
pub mod least;
pub mod outcome;
pub mod partitions;
mod present;
pub mod profiles;
pub mod remedies;
mod requested;
#[cfg(test)]
mod simulator;
mod sizing;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::model::epk::Epk;
use crate::model::units::real_seconds;

pub use evidence::AT_LIMIT;
pub(in crate::analysis) use present::evidence as evidence_text;
pub use present::{CurrentLoad, OutcomeInputs, Repeats};

/// Retries of a request end within about a minute.
const REPEATED_WITHIN_S: u32 = 60;

/// A key that the log names.
#[derive(Clone, PartialEq, Debug)]
pub struct DemandKey {
    pub canonical: String,
    pub epk: Option<Epk>,
}

/// Who requests.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Requester {
    /// By its number in [`Demand::keys`].
    Key(u32),
    /// Requests that name no key, or one of more keys than are told apart.
    Keyless,
}

/// RU/s of one requester on one partition in one step of time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DemandLoad {
    pub second: i64,
    pub requester: Requester,
    pub partition: u32,
    /// Requested, before the service answers.
    pub ru_per_second: f64,
    /// Of these, served as logged: the least that was requested, however often clients repeated what was throttled.
    pub served: f64,
    /// Of these, beyond the RU/s of the partition and not refused for it: burst or rounding where nothing was refused, or
    /// refused by a bucket while the partition had room.
    pub burst: f64,
}

impl DemandLoad {
    /// As logged.
    pub fn served(second: i64, requester: Requester, partition: u32, ru_per_second: f64) -> Self {
        Self { second, requester, partition, ru_per_second, served: ru_per_second, burst: 0.0 }
    }
}

/// How the demand is known.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Evidence {
    /// As the RU log has it: nothing was throttled, or the log holds more than the partitions can serve.
    #[default]
    RuLog,
    /// Served RU and the share of requests answered with 429 by partition; the largest of these shares.
    Throttled { most: f64 },
    /// Served RU and 429s of the container as a whole, which lie where partitions are at their limit: so many RU/s, or fewer
    /// where no input has what a request costs.
    Placed { ru_per_second: f64, is_at_most: bool },
    /// The busiest second of each step from a metric, without keys.
    Metric,
}

/// What requests without a key reach after a split.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Keyless {
    /// Cross-partition queries: every partition gets each of them.
    Everywhere,
    /// They spread like the keys.
    Divided,
    /// Nothing is known of their keys.
    #[default]
    Unknown,
}

/// RU/s that clients request of a container.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Demand {
    pub keys: Arc<[DemandKey]>,
    /// In the order of seconds, then partitions, which are numbered as in [`partitions::Partitions`].
    pub loads: Vec<DemandLoad>,
    pub evidence: Evidence,
    pub keyless: Keyless,
    /// Seconds of a step: values are means over it.
    pub step_s: u32,
    /// `[from, to)` of the steps.
    pub span: (i64, i64),
    /// RU of records whose partition the log does not name.
    pub unplaced_ru: f64,
    /// Mean RU of a request, where the log counts them: below a step of a second chance adds to the load.
    pub charge: Option<f64>,
    /// Mean RU of the requests of which some were throttled; 0 where none were counted.
    pub ru_of_429: f64,
    /// How often clients repeat what is throttled. None where that is not known and 429s are many: then the demand counts
    /// each 429 as a request of its own, and its low end is what was served.
    pub retries: Option<f64>,
}

impl Demand {
    /// The highest load of each partition in any step.
    pub fn highest_by_partition(&self, partitions: usize) -> Vec<f64> {
        let mut highest = vec![0.0_f64; partitions];
        for step in self.steps() {
            let load: f64 = step.iter().map(|a| a.ru_per_second).sum();
            let partition = step.first().map_or(0, |a| a.partition);
            if let Some(held) = highest.get_mut(partition as usize) {
                *held = held.max(load);
            }
        }
        highest
    }

    /// What is requested of one partition in one step, for each.
    pub fn steps(&self) -> impl Iterator<Item = &[DemandLoad]> {
        self.loads.chunk_by(|a, b| (a.second, a.partition) == (b.second, b.partition))
    }

    /// Only what lies within `[from, to)`; None where nothing does.
    #[must_use]
    pub fn within(&self, (from, to): (i64, i64)) -> Option<Self> {
        let first = self.loads.partition_point(|l| l.second < from);
        let end = self.loads.partition_point(|l| l.second < to);
        let loads = self.loads.get(first..end).filter(|l| !l.is_empty())?;
        Some(Self {
            keys: Arc::clone(&self.keys),
            loads: loads.to_vec(),
            span: (self.span.0.max(from), self.span.1.min(to)),
            ..*self
        })
    }

    /// All rates alike.
    #[must_use]
    pub fn times(&self, factor: f64) -> Self {
        let scaled = |load: &DemandLoad| DemandLoad {
            ru_per_second: load.ru_per_second * factor,
            served: load.served * factor,
            burst: load.burst * factor.min(1.0),
            ..*load
        };
        Self {
            keys: Arc::clone(&self.keys),
            loads: self.loads.iter().map(scaled).collect(),
            ..*self
        }
    }

    /// Mean RU/s over the whole span.
    pub fn ru_per_second(&self) -> f64 {
        self.loads.iter().map(|l| l.ru_per_second).sum::<f64>() / self.steps_in_span()
    }

    /// Seconds over which a load is compared with what a partition can serve. A repeated request is served in another
    /// second than its first attempt, which no count shows.
    pub fn judged_step_s(&self) -> u32 {
        let is_repeated = self.retries.is_some_and(|times| times > 0.0);
        if is_repeated { self.step_s.max(REPEATED_WITHIN_S) } else { self.step_s.max(1) }
    }

    /// Steps between the first and the last one, those without requests included.
    pub fn steps_in_span(&self) -> f64 {
        let seconds = self.span.1.saturating_sub(self.span.0).max(1);
        let steps = real_seconds(seconds) / f64::from(self.step_s.max(1));
        steps.max(1.0)
    }

    /// The part of it without a key.
    pub fn keyless_share(&self) -> f64 {
        let keyless = self.loads.iter();
        let keyless = keyless.filter(|l| l.requester == Requester::Keyless);
        let total: f64 = self.loads.iter().map(|l| l.ru_per_second).sum();
        if total > 0.0 { keyless.map(|l| l.ru_per_second).sum::<f64>() / total } else { 0.0 }
    }

    /// RU by key, most first.
    pub fn ru_by_key(&self) -> Vec<(usize, f64)> {
        let mut sums = vec![0.0; self.keys.len()];
        for load in &self.loads {
            if let Requester::Key(key) = load.requester
                && let Some(sum) = sums.get_mut(key as usize)
            {
                *sum += load.ru_per_second * f64::from(self.step_s);
            }
        }
        let mut ranked: Vec<(usize, f64)> = sums.into_iter().enumerate().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked
    }
}
