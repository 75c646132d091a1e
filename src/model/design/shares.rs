//! Who has how much: by name, or along a curve of ranks, so that nobody is listed however many there are.

use crate::model::units::{real, whole_u64};

/// Values whose shares are summed one by one; further ones follow the curve.
const SUMMED: u64 = 1_000;
/// Where the curve goes on behind them.
const BEHIND: f64 = 1_000.5;

/// Who has how much: a few by name, the others by rank.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueShares {
    /// In all, those with a name among them.
    pub distinct: u64,
    pub curve: RankCurve,
    pub giants: Vec<(String, f64)>,
    /// The place of the property that its values are divided among, as that has shares.
    pub within: Option<usize>,
}

impl ValueShares {
    fn named(&self) -> u64 {
        self.giants.len() as u64
    }

    /// What is left for those without a name.
    fn rest(&self) -> f64 {
        1.0 - self.giants.iter().map(|(_, share)| share).sum::<f64>()
    }

    /// The share of the value of this rank, from 1 on; names come first.
    pub fn share(&self, rank: u64) -> f64 {
        let at = usize::try_from(rank.saturating_sub(1)).unwrap_or(usize::MAX);
        if let Some((_, share)) = self.giants.get(at) {
            return *share;
        }
        let others = self.distinct.saturating_sub(self.named());
        self.rest() * self.curve.share(rank.saturating_sub(self.named()), others)
    }

    /// How many values this value of the property above has.
    pub fn children(&self, parent_share: f64) -> u64 {
        whole_u64((real(self.distinct) * parent_share).round()).max(1)
    }

    /// The rank that a number from 0 up to 1 falls on.
    pub fn rank(&self, number: f64) -> u64 {
        let mut before = 0.0;
        for (rank, (_, share)) in (1..).zip(&self.giants) {
            before += share;
            if number < before {
                return rank;
            }
        }
        let others = self.distinct.saturating_sub(self.named()).max(1);
        let part = ((number - before) / self.rest().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        self.named() + self.curve.rank(part, others)
    }
}

/// The second has 1 / 2^zipf of the first; with 0 all are alike.
#[derive(Clone, PartialEq, Debug)]
pub struct RankCurve {
    zipf: f64,
    /// Sums of 1 / rank^zipf one by one; further ones are the area below the curve.
    sums: Vec<f64>,
}

impl RankCurve {
    pub fn new(zipf: f64) -> Self {
        let mut sum = 0.0;
        let sums = (1..=SUMMED).map(|rank| {
            sum += real(rank).powf(-zipf);
            sum
        });
        Self { sums: sums.collect(), zipf }
    }

    pub fn is_even(&self) -> bool {
        self.zipf == 0.0
    }

    /// What the value of this rank has, of so many.
    pub fn share(&self, rank: u64, values: u64) -> f64 {
        real(rank.max(1)).powf(-self.zipf) / self.sum(values.max(1))
    }

    /// The rank that a part of all falls on.
    pub fn rank(&self, part: f64, values: u64) -> u64 {
        let wanted = part * self.sum(values);
        let first = self.sums.partition_point(|sum| *sum <= wanted) as u64 + 1;
        if first <= SUMMED {
            return first.min(values);
        }
        let more = wanted - self.sum(SUMMED);
        let power = 1.0 - self.zipf;
        let at = if power.abs() < 1e-9 {
            BEHIND * more.exp()
        } else {
            (BEHIND.powf(power) + power * more).powf(1.0 / power)
        };
        whole_u64(at.round()).clamp(1, values)
    }

    fn sum(&self, values: u64) -> f64 {
        let at = usize::try_from(values.clamp(1, SUMMED) - 1).unwrap_or_default();
        let first = self.sums.get(at).copied().unwrap_or(1.0);
        if values <= SUMMED {
            return first;
        }
        let to = real(values) + 0.5;
        let power = 1.0 - self.zipf;
        first
            + if power.abs() < 1e-9 {
                (to / BEHIND).ln()
            } else {
                (to.powf(power) - BEHIND.powf(power)) / power
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_all_values_are_one_and_ranks_are_drawn_by_them() {
        for (distinct, zipf, giant) in [(5, 0.0, 0.4), (40_000, 1.0, 0.0), (30_000, 1.3, 0.25)] {
            let giants = (giant > 0.0).then(|| ("contoso".to_owned(), giant));
            let shares = ValueShares {
                distinct,
                curve: RankCurve::new(zipf),
                giants: giants.into_iter().collect(),
                within: None,
            };
            let sum: f64 = (1..=distinct).map(|rank| shares.share(rank)).sum();
            assert!((sum - 1.0).abs() < 1e-6, "{distinct}: {sum}");
            let mut before = 0.0;
            for rank in 1..=distinct {
                let share = shares.share(rank);
                let drawn = shares.rank(before + share / 2.0);
                assert!(drawn.abs_diff(rank) <= rank / 1_000, "{rank}: {drawn}");
                before += share;
            }
        }
    }
}
