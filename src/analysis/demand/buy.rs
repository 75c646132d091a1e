//! RU/s to buy for a new container: the median over placements of the least with at most 1 % throttled.

mod divided;

use std::sync::Arc;

use super::super::chance::Chance;
use super::super::throttling::{equal_share, expected_excess};
use super::least::{CURED, DemandSpread, ThroughputTerms};
use super::outcome::Interval;
use super::profiles::LoadProfiles;
use crate::model::throughput::{ThroughputMode, creation_ru};
use crate::model::units::{MOST_RU, PARTITION_RU_PER_SECOND, as_number, real, whole_usize};

use divided::HeavyPrefix;

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
        Self { ru_per_second: self.ru_per_second * factor, squares: self.squares * factor }
    }

    /// RU/s beyond a capacity.
    fn beyond(self, capacity: f64) -> f64 {
        expected_excess(self.ru_per_second, self.squares, capacity)
    }
}

/// The demand of each partition, step after step.
#[derive(Clone, PartialEq, Debug)]
pub struct PartitionFlows {
    flows: Vec<Flow>,
    partitions: usize,
}

impl From<Vec<Flow>> for PartitionFlows {
    /// One step.
    fn from(flows: Vec<Flow>) -> Self {
        Self { partitions: flows.len(), flows }
    }
}

impl PartitionFlows {
    /// Of what follows the keys each partition has parts by course, a row for each; `beside` is what else it has on average.
    pub fn of(by_key: Flow, parts: &[f64], profiles: &LoadProfiles, beside: &[Flow]) -> Self {
        let of_partition = |row: &[f64]| profiles.follow(row);
        let rows: Vec<Vec<f64>> = parts.chunks(profiles.count().max(1)).map(of_partition).collect();
        let steps = profiles.steps.first().map_or(1, Vec::len);
        let all: f64 = parts.iter().sum();
        let mut flows = Vec::with_capacity(steps * rows.len());
        for at in 0..steps {
            let of_step = || rows.iter().map(|row| row.get(at).copied().unwrap_or(0.0));
            // What goes to no single key comes when all else does.
            let whole = of_step().sum::<f64>() / all.max(f64::MIN_POSITIVE);
            let whole = if all > 0.0 { whole } else { 1.0 };
            let flow = |(part, beside): (f64, &Flow)| {
                let flow = by_key.times(part).and(beside.times(whole));
                match profiles.ru_each {
                    Some(ru) => Flow { squares: flow.ru_per_second * ru, ..flow },
                    None => flow,
                }
            };
            flows.extend(of_step().zip(beside).map(flow));
        }
        Self { flows, partitions: beside.len() }
    }

    fn steps(&self) -> impl Iterator<Item = &[Flow]> {
        self.flows.chunks(self.partitions.max(1))
    }

    /// RU/s of each partition on average.
    pub fn means(&self) -> Vec<f64> {
        let steps = as_number(self.steps().count().max(1));
        let mut means = vec![0.0; self.partitions];
        for step in self.steps() {
            for (mean, flow) in means.iter_mut().zip(step) {
                *mean += flow.ru_per_second / steps;
            }
        }
        means
    }

    /// Fullest over average partition in each step, weighted by what it has.
    pub fn imbalance(&self) -> Option<f64> {
        let (mut fullest, mut all) = (0.0, 0.0);
        for step in self.steps() {
            fullest += step.iter().map(|f| f.ru_per_second).fold(0.0, f64::max);
            all += step.iter().map(|f| f.ru_per_second).sum::<f64>();
        }
        (all > 0.0).then(|| fullest * as_number(self.partitions) / all)
    }

    /// Σ max(0, L − C) / Σ L of partitions with equal capacities; none without demand.
    pub fn throttled_share(&self, ru_per_second: f64) -> Option<f64> {
        let capacity = equal_share(ru_per_second, self.partitions);
        let all: f64 = self.flows.iter().map(|flow| flow.ru_per_second).sum();
        let beyond: f64 = self.flows.iter().map(|flow| flow.beyond(capacity)).sum();
        (all > 0.0).then(|| (beyond / all).min(1.0))
    }
}

/// Partitions with equal capacities.
struct Even {
    demand: PartitionFlows,
    ru_of_one: f64,
}

impl DemandSpread for Even {
    fn throttled_share(&self, ru_per_second: f64) -> f64 {
        self.demand.throttled_share(ru_per_second).unwrap_or(0.0)
    }

    /// Fewer partitions than the whole demand needs are not looked at.
    fn next(&self) -> Option<usize> {
        let all: f64 = self.demand.means().iter().sum();
        let needed = all * (1.0 - CURED) / self.ru_of_one;
        Some((self.demand.partitions + 1).max(whole_usize(needed.ceil())))
    }
}

/// The least RU/s for the demand of each partition, which `demand` gives for any number of them.
pub fn least_ru(sold: &ThroughputTerms, demand: impl Fn(usize) -> PartitionFlows) -> Option<f64> {
    let even = |n| Some(Even { demand: demand(n), ru_of_one: sold.ru_of_one });
    Some(sold.least(CURED, even).ok()?.ru_per_second)
}

/// What keys have of a demand, before they are placed: the heavy ones one by one, the others as a smooth mass.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct KeyShares {
    /// Of what follows the keys, a row for each key with its part of each course.
    pub heavy: Vec<f64>,
    /// The same of the other keys together.
    pub rest: Vec<f64>,
    /// Σ of the squares of the others' shares.
    pub rest_squares: f64,
    /// What the hottest logical key has of each course; what lies together may be more.
    pub hottest: Vec<f64>,
    pub profiles: Arc<LoadProfiles>,
    /// Of hierarchical keys the heavy first levels that splits can divide.
    pub inside: Vec<HeavyPrefix>,
    /// What each heavy row has of the data, where any can be divided.
    pub heavy_bytes: Vec<f64>,
}

impl KeyShares {
    /// Where nothing but means is known.
    pub fn steady(heavy: Vec<f64>, rest_squares: f64, hottest: f64) -> Self {
        Self {
            rest: vec![(1.0 - heavy.iter().sum::<f64>()).max(0.0)],
            heavy,
            rest_squares,
            hottest: vec![hottest],
            ..Self::default()
        }
    }

    /// With the heavy rows that splits can divide, and the heavy keys in each.
    #[must_use]
    pub fn with(self, inside: impl Iterator<Item = (usize, Vec<f64>)>) -> Self {
        Self { inside: inside.map(|(row, keys)| HeavyPrefix { row, keys }).collect(), ..self }
    }

    /// The share of the hottest logical key.
    pub fn hottest_share(&self) -> f64 {
        self.hottest.iter().sum()
    }

    /// All of it as one key.
    pub fn joined(&mut self) {
        *self = Self {
            heavy: self.whole(),
            rest: vec![0.0; self.profiles.count()],
            rest_squares: 0.0,
            inside: Vec::new(),
            ..std::mem::take(self)
        };
    }

    /// The same courses, divided among keys of which none stands out.
    #[must_use]
    pub fn evenly(&self) -> Self {
        Self { rest: self.whole(), profiles: Arc::clone(&self.profiles), ..Self::default() }
    }

    /// What all keys have of each course.
    fn whole(&self) -> Vec<f64> {
        let mut whole = self.rest.clone();
        for row in self.rows() {
            for (sum, part) in whole.iter_mut().zip(row) {
                *sum += part;
            }
        }
        whole
    }

    /// Whether one partition with so many RU/s cannot serve what lies together of a demand, beyond what retries hide.
    pub fn is_too_hot(&self, ru_per_second: f64, capacity: f64) -> bool {
        self.rows().any(|row| {
            let steps = self.profiles.follow(row);
            let beyond = |step: &f64| (step * ru_per_second - capacity).max(0.0);
            let beyond: f64 = steps.iter().map(beyond).sum();
            beyond > CURED * ru_per_second * as_number(steps.len())
        })
    }

    fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.heavy.chunks(self.profiles.count().max(1))
    }
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

    /// RU/s of the hottest key on average, and what is beyond its limit of it.
    pub fn hottest_key(&self) -> [f64; 2] {
        let steps = self.shares.profiles.follow(&self.shares.hottest);
        let ru = self.by_key.ru_per_second;
        let beyond = steps.iter().map(|step| over_limit(step * ru)).sum::<f64>();
        let own = [self.shares.hottest_share() * ru, beyond / as_number(steps.len().max(1))];
        let bound = self.bound.iter().map(|flow| flow.ru_per_second);
        bound.fold(own, |[most, beyond], ru| [ru.max(most), over_limit(ru).max(beyond)])
    }

    /// The demand of each partition where chance places the keys.
    pub fn placed(&self, partitions: usize, seed: u64) -> PartitionFlows {
        let n = as_number(partitions);
        let mut chance = Chance::new(seed.wrapping_mul(PLACEMENT_STREAM));
        let profiles = self.shares.profiles.count().max(1);
        let mut parts = vec![0.0_f64; partitions * profiles];
        let mut add = |place: usize, row: &[f64], times: f64| {
            let to = parts.get_mut(place * profiles..(place + 1) * profiles);
            for (part, share) in to.unwrap_or_default().iter_mut().zip(row) {
                *part += share * times;
            }
        };
        for row in self.shares.rows() {
            add(whole_usize(chance.unit() * n), row, 1.0);
        }
        let beside = self.beside(partitions, &mut chance);
        let rest: f64 = self.shares.rest.iter().sum();
        let deviation = (self.shares.rest_squares / n * (1.0 - 1.0 / n)).max(0.0).sqrt();
        let smooth: Vec<f64> =
            (0..partitions).map(|_| (rest / n + deviation * chance.normal()).max(0.0)).collect();
        let all = smooth.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        for (place, smooth) in smooth.iter().enumerate() {
            add(place, &self.shares.rest, smooth / all);
        }
        PartitionFlows::of(self.by_key, &parts, &self.shares.profiles, &beside)
    }

    /// What partitions have that follows no key's share: cross-partition requests on each, bound ones where chance places them.
    fn beside(&self, partitions: usize, chance: &mut Chance) -> Vec<Flow> {
        let mut beside = vec![self.each; partitions];
        for flow in self.bound {
            let place = whole_usize(chance.unit() * as_number(partitions));
            if let Some(held) = beside.get_mut(place) {
                *held = held.and(*flow);
            }
        }
        beside
    }

    /// What is throttled on average over placements.
    pub fn throttled_share(&self, partitions: usize, ru_per_second: f64) -> Option<f64> {
        let share = |seed| self.placed(partitions, seed).throttled_share(ru_per_second);
        let all: Option<f64> = (0..PLACEMENTS).map(share).sum();
        all.map(|all| all / real(PLACEMENTS))
    }
}

/// RU/s beyond what one key can use.
fn over_limit(ru_per_second: f64) -> f64 {
    (ru_per_second - PARTITION_RU_PER_SECOND).max(0.0)
}

/// Why no RU/s are enough.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Shortfall {
    /// One key needs so many, and is limited to 10,000.
    Key(f64),
    /// On each placement some partition is too hot.
    Partition,
    /// A key is over its limit: writes to it get 403.
    Full,
}

/// RU/s to buy for a new container with this key: the median over placements, the least and the most.
pub fn ru_to_buy(
    demand: &KeyDemand<'_>,
    throughput_mode: ThroughputMode,
    least: usize,
) -> Result<Interval, Shortfall> {
    let [hottest, beyond] = demand.hottest_key();
    if hottest > PARTITION_RU_PER_SECOND || beyond > CURED * demand.total(least) {
        return Err(Shortfall::Key(hottest.max(PARTITION_RU_PER_SECOND + beyond)));
    }
    // A partition gets more than at creation where RU/s are raised later, until it splits.
    let created = [creation_ru(throughput_mode), PARTITION_RU_PER_SECOND];
    let sold =
        created.map(|ru_of_one| ThroughputTerms { throughput_mode, least, ru_of_one, from: 0.0 });
    let [created, raised] = sold;
    let found =
        provisioned_at(demand, &created, false).or_else(|| provisioned_at(demand, &raised, true));
    found.ok_or(Shortfall::Partition)
}

/// Of a container that RU/s are raised of later, hot first levels are divided by splits.
fn provisioned_at(
    demand: &KeyDemand<'_>,
    sold: &ThroughputTerms,
    is_raised: bool,
) -> Option<Interval> {
    let least = sold.least.max(1);
    let is_divided = |at: usize| is_raised && demand.shares.inside.iter().any(|i| i.row == at);
    let whole_rows = demand.shares.rows().enumerate();
    let whole_rows = whole_rows.filter(|(at, _)| !is_divided(*at));
    let too_hot = whole_rows.map(|(_, row)| {
        let share: f64 = row.iter().sum();
        let flow = demand.by_key.times(share).and(demand.each);
        (flow.ru_per_second - sold.ru_of_one).max(0.0)
    });
    let most = whole_usize(MOST_RU / sold.ru_of_one).max(least);
    if too_hot.sum::<f64>() > CURED * demand.total(most) {
        return None;
    }
    let is_split = is_raised && !demand.shares.inside.is_empty();
    let on = |n: usize, seed| {
        if is_split && n > least { demand.divided(n, least, seed) } else { demand.placed(n, seed) }
    };
    let placed = |seed| least_ru(sold, |n| on(n, seed)).unwrap_or(f64::INFINITY);
    let mut found: Vec<f64> = (0..PLACEMENTS).map(placed).collect();
    found.sort_by(f64::total_cmp);
    let point = found.get(found.len() / 2).copied();
    let point = point.filter(|point| point.is_finite())?;
    Some(Interval {
        point,
        low: found.first().copied().unwrap_or(point),
        high: found.last().copied().unwrap_or(point).min(MOST_RU),
    })
}

#[cfg(test)]
mod tests;
