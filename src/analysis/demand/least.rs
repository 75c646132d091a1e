//! The least RU/s, as they are sold, with which no more of a demand is throttled than is healthy.
//!
//! More RU/s mean more physical partitions, on which keys lie otherwise and cross-partition reads cost more: the throttled
//! share may rise at a split. So every number of partitions is looked at by itself, from the least upward.

use crate::model::throughput::{ThroughputMode, initial_partitions};
use crate::model::units::{MOST_RU, as_number};

/// The throttled share that retries hide.
pub const CURED: f64 = 0.01;
/// What is left of a share counts as no better from here on.
pub const NEAR: f64 = 0.001;

/// Rounding decides nothing.
pub fn is_cured(share: f64, cured: f64) -> bool {
    share <= cured + 1e-9
}

/// How RU/s are sold, and how many physical partitions they make.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ThroughputTerms {
    pub throughput_mode: ThroughputMode,
    /// Physical partitions that there are at least, for storage or because they exist.
    pub least: usize,
    /// RU/s from which on there is one partition more: 10,000 of a container that exists.
    pub ru_of_one: f64,
    /// No fewer RU/s are looked at, nor fewer than are sold.
    pub from: f64,
}

/// A demand on some number of partitions.
pub trait DemandSpread {
    fn throttled_share(&self, ru_per_second: f64) -> f64;

    /// The next number of partitions to look at; None where more of them part nothing.
    fn next(&self) -> Option<usize>;
}

/// So many RU/s for a demand that is spread so.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LeastRu<S> {
    pub ru_per_second: f64,
    pub on: S,
}

impl ThroughputTerms {
    fn step(&self) -> f64 {
        self.throughput_mode.sold()[0]
    }

    /// Physical partitions of a new container with these RU/s.
    pub fn partitions(&self, ru_per_second: f64) -> usize {
        initial_partitions(ru_per_second, self.throughput_mode).max(self.least)
    }

    /// The first and the last number of steps with which there are `n` partitions.
    fn steps(&self, n: usize) -> [f64; 2] {
        let before = if n > self.least {
            as_number(n - 1) * self.ru_of_one + self.step()
        } else {
            self.step()
        };
        let last = (as_number(n) * self.ru_of_one).min(MOST_RU);
        let [step, minimum] = self.throughput_mode.sold();
        let first = (before.max(self.from).max(minimum) / step).ceil();
        [first, (last / self.step()).floor()]
    }

    /// The least RU/s that cure, else the best there are; `spread` is asked for any number of partitions, and ends the search
    /// with None.
    pub fn least<S: DemandSpread>(
        &self,
        cured: f64,
        mut spread: impl FnMut(usize) -> Option<S>,
    ) -> Result<LeastRu<S>, Option<LeastRu<S>>> {
        let mut best: Option<(f64, [f64; 2], S)> = None;
        let mut n = self.least.max(1);
        // Data may need more partitions than the most RU/s make: these are looked at all the same.
        while n <= self.least.max(1) || as_number(n - 1) * self.ru_of_one < MOST_RU {
            let steps = self.steps(n);
            if steps[0] > steps[1] {
                n += 1;
                continue;
            }
            let Some(on) = spread(n) else { break };
            let highest = on.throttled_share(steps[1] * self.step());
            if is_cured(highest, cured) {
                return Ok(self.within(steps, cured, on));
            }
            let next = on.next();
            if best.as_ref().is_none_or(|held| highest < held.0 - NEAR) {
                best = Some((highest, steps, on));
            }
            let Some(next) = next else { break };
            n = next;
        }
        Err(best.map(|(share, steps, on)| self.within(steps, share + NEAR, on)))
    }

    /// Among the same partitions more RU/s never throttle more; the last of these steps are enough.
    fn within<S: DemandSpread>(&self, [first, last]: [f64; 2], cured: f64, on: S) -> LeastRu<S> {
        let [mut too_few, mut enough] = [first - 1.0, last];
        while enough - too_few > 1.5 {
            let middle = f64::midpoint(too_few, enough).floor();
            let is_enough = is_cured(on.throttled_share(middle * self.step()), cured);
            *(if is_enough { &mut enough } else { &mut too_few }) = middle;
        }
        LeastRu { ru_per_second: enough * self.step(), on }
    }
}
