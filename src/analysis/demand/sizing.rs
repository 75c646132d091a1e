//! The sizing window: the worst five minutes of the evidence, by which verdicts, throttled shares and RU/s to buy go.

use super::Demand;
use super::partitions::Partitions;

/// Long enough that a second of chance decides nothing, short enough that an incident is not averaged away.
const WINDOW_S: i64 = 300;

/// A step of all partitions together.
#[derive(Clone, Copy, Default)]
struct Step {
    second: i64,
    /// RU beyond what partitions can serve.
    excess: f64,
    /// Of the fullest partition, against what it can serve; RU/s where that is not known.
    highest: f64,
}

impl Demand {
    /// Of the steps the contiguous five minutes with most RU beyond what partitions can serve; where nothing is beyond it,
    /// those in which the fullest partition is fullest.
    #[must_use]
    pub fn worst_window(&self, partitions: &Partitions) -> Self {
        let length = WINDOW_S.max(i64::from(self.step_s));
        if self.span.1.saturating_sub(self.span.0) <= length {
            return self.clone();
        }
        let steps = self.by_second(partitions);
        let (mut first, mut sum) = (0, Step::default());
        let mut best: Option<Step> = None;
        for step in &steps {
            sum.excess += step.excess;
            sum.highest += step.highest;
            while let Some(old) = steps.get(first)
                && step.second.saturating_sub(old.second) >= length
            {
                sum.excess -= old.excess;
                sum.highest -= old.highest;
                first += 1;
            }
            sum.second = steps.get(first).map_or(step.second, |s| s.second);
            // A rounding error of the running sums must not move the window.
            let is_worse = best.is_none_or(|held| {
                let margin = 1e-9 * (1.0 + held.excess.abs());
                sum.excess > held.excess + margin
                    || (sum.excess > held.excess - margin && sum.highest > held.highest * 1.000_001)
            });
            if is_worse {
                best = Some(sum);
            }
        }
        let from = best.map_or(self.span.0, |b| b.second);
        let found = self.within((from, from.saturating_add(length)));
        found.unwrap_or_else(|| self.clone())
    }

    fn by_second(&self, partitions: &Partitions) -> Vec<Step> {
        let seconds = self.loads.chunk_by(|a, b| a.second == b.second);
        let step = |loads: &[super::DemandLoad]| {
            let mut step =
                Step { second: loads.first().map_or(0, |l| l.second), ..Step::default() };
            for of in loads.chunk_by(|a, b| a.partition == b.partition) {
                let load: f64 = of.iter().map(|l| l.ru_per_second).sum();
                let burst: f64 = of.iter().map(|l| l.burst).sum();
                let capacity = of.first().and_then(|l| partitions.capacity(l.partition));
                step.excess += capacity.map_or(0.0, |c| (load - burst - c).max(0.0));
                step.highest = step.highest.max(load / capacity.unwrap_or(1.0));
            }
            step
        };
        seconds.map(step).collect()
    }
}
