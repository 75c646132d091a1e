//! RU/s to buy for a new container: the median over placements of the least with at most 1 % throttled.

use super::super::chance::Chance;
use super::super::placement::{Bought, MOST_RU, as_number, creation_ru};
use super::super::throttling::expected_excess;
use super::least::{CURED, Sold, Spread};
use super::outcome::Between;
use crate::model::units::{PARTITION_RU_PER_SECOND, real};

/// Placements over which the median is taken.
const PLACEMENTS: u64 = 32;
/// Seeds next to each other are to draw nothing alike.
const PLACEMENT_STREAM: u64 = 0xd1b5_4a32_d192_ed03;

/// RU/s of requests, and how unevenly they arrive.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Flow {
    pub ru_per_second: f64,
    /// Rate × charge² of each kind of request; 0 leaves chance out, as where seconds were measured.
    pub squares: f64,
}

impl Flow {
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            ru_per_second: self.ru_per_second + other.ru_per_second,
            squares: self.squares + other.squares,
        }
    }

    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self {
            ru_per_second: self.ru_per_second * factor,
            squares: self.squares * factor,
        }
    }

    /// RU/s beyond a capacity.
    fn beyond(self, capacity: f64) -> f64 {
        expected_excess(self.ru_per_second, self.squares, capacity)
    }
}

/// Σ max(0, L − C) / Σ L of partitions with equal capacities; none without demand.
pub fn throttled_share(demand: &[Flow], ru_per_second: f64) -> Option<f64> {
    let n = as_number(demand.len().max(1));
    let capacity = (ru_per_second / n).min(PARTITION_RU_PER_SECOND);
    let all: f64 = demand.iter().map(|flow| flow.ru_per_second).sum();
    let beyond: f64 = demand.iter().map(|flow| flow.beyond(capacity)).sum();
    (all > 0.0).then(|| (beyond / all).min(1.0))
}

/// Partitions with equal capacities.
struct Even {
    demand: Vec<Flow>,
    ru_of_one: f64,
}

impl Spread for Even {
    fn throttled_share(&self, ru_per_second: f64) -> f64 {
        throttled_share(&self.demand, ru_per_second).unwrap_or(0.0)
    }

    /// Fewer partitions than the whole demand needs are not looked at.
    fn next(&self) -> Option<usize> {
        let all: f64 = self.demand.iter().map(|flow| flow.ru_per_second).sum();
        let needed = all * (1.0 - CURED) / self.ru_of_one;
        Some((self.demand.len() + 1).max(whole(needed.ceil())))
    }
}

/// The least RU/s for the demand of each partition, which `demand` gives for any number of them.
pub fn least_ru(sold: &Sold, demand: impl Fn(usize) -> Vec<Flow>) -> Option<f64> {
    let even = |n| {
        Some(Even {
            demand: demand(n),
            ru_of_one: sold.ru_of_one,
        })
    };
    Some(sold.least(CURED, even).ok()?.ru_per_second)
}

/// What keys have of a demand, before they are placed: the heavy ones one by one, the others as a smooth mass.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct KeyShares {
    /// Of what follows the keys.
    pub heavy: Vec<f64>,
    /// Σ of the squares of the others' shares.
    pub rest_squares: f64,
    /// The largest share of one logical key; what lies together may be more.
    pub hottest: f64,
}

/// Shares below are smooth mass: of the others there are at most so many.
pub const HEAVY: f64 = 1.0 / 2_048.0;

/// The demand under one key.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KeyDemand<'a> {
    /// Goes where keys lie, by their shares.
    pub by_key: Flow,
    pub shares: &'a KeyShares,
    /// What requests bound to one value put on single keys.
    pub bound: &'a [Flow],
    /// Of cross-partition requests, on each partition.
    pub each: Flow,
}

impl KeyDemand<'_> {
    pub fn total(&self, partitions: usize) -> f64 {
        let bound: f64 = self.bound.iter().map(|flow| flow.ru_per_second).sum();
        self.by_key.ru_per_second + bound + self.each.ru_per_second * as_number(partitions)
    }

    /// RU/s of the hottest key.
    pub fn hottest_key(&self) -> f64 {
        let bound = self.bound.iter().map(|flow| flow.ru_per_second);
        bound.fold(self.shares.hottest * self.by_key.ru_per_second, f64::max)
    }

    /// The demand of each partition where chance places the keys.
    pub fn placed(&self, partitions: usize, seed: u64) -> Vec<Flow> {
        let n = as_number(partitions);
        let mut chance = Chance(seed.wrapping_mul(PLACEMENT_STREAM));
        let mut parts = vec![0.0_f64; partitions];
        let mut at = |parts: &mut Vec<f64>, share: f64| {
            let place = whole(chance.unit() * n);
            if let Some(part) = parts.get_mut(place) {
                *part += share;
            }
        };
        for share in &self.shares.heavy {
            at(&mut parts, *share);
        }
        let mut bound = vec![Flow::default(); partitions];
        let places = self
            .bound
            .iter()
            .map(|flow| (whole(chance.unit() * n), flow));
        for (place, flow) in places {
            if let Some(held) = bound.get_mut(place) {
                *held = held.and(*flow);
            }
        }
        let rest = (1.0 - self.shares.heavy.iter().sum::<f64>()).max(0.0);
        let deviation = (self.shares.rest_squares / n * (1.0 - 1.0 / n))
            .max(0.0)
            .sqrt();
        let smooth: Vec<f64> = (0..partitions)
            .map(|_| (rest / n + deviation * chance.normal()).max(0.0))
            .collect();
        let scale = rest / smooth.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let of = parts.iter().zip(&smooth).zip(&bound);
        of.map(|((heavy, smooth), bound)| {
            let share = heavy + smooth * scale;
            self.by_key.times(share).and(self.each).and(*bound)
        })
        .collect()
    }

    /// What is throttled on average over placements.
    pub fn throttled_share(&self, partitions: usize, ru_per_second: f64) -> Option<f64> {
        let share = |seed| throttled_share(&self.placed(partitions, seed), ru_per_second);
        let all: Option<f64> = (0..PLACEMENTS).map(share).sum();
        all.map(|all| all / real(PLACEMENTS))
    }
}

/// Why no RU/s are enough.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Cannot {
    /// One key needs so many, and is limited to 10,000.
    Key(f64),
    /// On each placement some partition is too hot.
    Partition,
}

/// RU/s to buy for a new container with this key: the median over placements, the least and the most.
pub fn ru_to_buy(demand: &KeyDemand<'_>, bought: Bought, least: usize) -> Result<Between, Cannot> {
    let hottest = demand.hottest_key();
    if hottest > PARTITION_RU_PER_SECOND {
        return Err(Cannot::Key(hottest));
    }
    // A partition gets more than at creation where RU/s are raised later, until it splits.
    let created = [creation_ru(bought), PARTITION_RU_PER_SECOND];
    let sold = created.map(|ru_of_one| Sold {
        bought,
        least,
        ru_of_one,
        from: bought.sold()[1],
    });
    let found = sold.iter().find_map(|sold| {
        let too_hot = demand.shares.heavy.iter().map(|share| {
            let flow = demand.by_key.times(*share).and(demand.each);
            (flow.ru_per_second - sold.ru_of_one).max(0.0)
        });
        let most = whole(MOST_RU / sold.ru_of_one).max(least);
        if too_hot.sum::<f64>() > CURED * demand.total(most) {
            return None;
        }
        let placed = |seed| least_ru(sold, |n| demand.placed(n, seed)).unwrap_or(f64::INFINITY);
        let mut found: Vec<f64> = (0..PLACEMENTS).map(placed).collect();
        found.sort_by(f64::total_cmp);
        let point = found.get(found.len() / 2).copied();
        let point = point.filter(|point| point.is_finite())?;
        Some(Between {
            point,
            low: found.first().copied().unwrap_or(point),
            high: found.last().copied().unwrap_or(point).min(MOST_RU),
        })
    });
    found.ok_or(Cannot::Partition)
}

fn whole(value: f64) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates, and no place is negative"
    )]
    let whole = value as usize;
    whole
}

#[cfg(test)]
mod tests;
