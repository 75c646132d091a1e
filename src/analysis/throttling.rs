//! What partitions refuse when keys ask for RU/s: shares, ratios and floors, second by second.

use super::placement::as_number;
use crate::model::units::PARTITION_RU_PER_SECOND;

/// Terms of the Gauss series beyond this add nothing to seven digits.
const SQRT_TWO: f64 = std::f64::consts::SQRT_2;

/// Who asks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Asker {
    /// By its number in a list of keys.
    Key(u32),
    /// Requests without a key, or of more keys than are told apart.
    Loose,
}

/// RU a second that somebody asks of a partition in one step of time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ask {
    pub second: i64,
    pub asker: Asker,
    pub partition: u32,
    pub ru_per_second: f64,
}

/// Where asks go in another layout. What is not listed stays on its partition.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Route {
    /// By key: partitions and the part of its RU that each gets; empty where the key stays.
    pub keys: Vec<Vec<(u32, f64)>>,
    /// By old partition; empty where it stays.
    pub loose: Vec<Vec<(u32, f64)>>,
}

impl Route {
    fn targets(&self, ask: &Ask) -> &[(u32, f64)] {
        let list = match ask.asker {
            Asker::Key(key) => self.keys.get(key as usize),
            Asker::Loose => self.loose.get(ask.partition as usize),
        };
        list.map_or(&[], Vec::as_slice)
    }
}

/// What comes of asks on partitions of given capacities, over all seconds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Outcome {
    pub asked: f64,
    pub refused: f64,
    /// Of all RU asked for.
    pub refused_share: f64,
    /// Largest over mean load of partitions in each second, weighted by the RU of the second; 0 where nothing is asked.
    pub load_ratio: f64,
    /// The highest load of a partition in any second.
    pub highest: f64,
}

/// Adds up seconds; `asks` in the order of seconds.
pub fn outcome(asks: &[Ask], route: &Route, capacities: &[f64]) -> Outcome {
    let mut loads = vec![0.0_f64; capacities.len()];
    let mut out = Outcome::default();
    let mut highest_sum = 0.0;
    for second in asks.chunk_by(|a, b| a.second == b.second) {
        loads.fill(0.0);
        for ask in second {
            let mut add = |partition: u32, ru: f64| {
                if let Some(load) = loads.get_mut(partition as usize) {
                    *load += ru;
                }
            };
            match route.targets(ask) {
                [] => add(ask.partition, ask.ru_per_second),
                targets => {
                    for (partition, part) in targets {
                        add(*partition, ask.ru_per_second * part);
                    }
                }
            }
        }
        let mut highest = 0.0_f64;
        for (load, capacity) in loads.iter().zip(capacities) {
            out.asked += load;
            out.refused += (load - capacity).max(0.0);
            highest = highest.max(*load);
        }
        highest_sum += highest;
        out.highest = out.highest.max(highest);
    }
    if out.asked > 0.0 {
        out.refused_share = out.refused / out.asked;
        out.load_ratio = highest_sum * as_number(capacities.len()) / out.asked;
    }
    out
}

/// The share of RU that keys above 10,000 RU/s ask for beyond it: refused at any RU/s. `asks` in the order of seconds.
pub fn floor(asks: &[Ask]) -> f64 {
    let mut total = 0.0;
    let mut beyond = 0.0;
    for second in asks.chunk_by(|a, b| a.second == b.second) {
        let mut by_key: Vec<(Asker, f64)> =
            second.iter().map(|a| (a.asker, a.ru_per_second)).collect();
        by_key.sort_by_key(|a| a.0);
        for key in by_key.chunk_by(|a, b| a.0 == b.0) {
            let asked: f64 = key.iter().map(|k| k.1).sum();
            total += asked;
            if let Some((Asker::Key(_), _)) = key.first() {
                beyond += (asked - PARTITION_RU_PER_SECOND).max(0.0);
            }
        }
    }
    if total > 0.0 { beyond / total } else { 0.0 }
}

/// Of how many equal keys this distribution is worth; 0 for none.
pub fn effective_keys(weights: impl Iterator<Item = f64> + Clone) -> f64 {
    let total: f64 = weights.clone().sum();
    if total <= 0.0 {
        return 0.0;
    }
    weights.map(|w| (w / total).powi(2)).sum::<f64>().recip()
}

/// RU/s with which nothing is refused at this layout with equal shares; None where the highest load is more than any
/// partition can give.
pub fn needed_ru(partitions: usize, highest_load: f64) -> Option<f64> {
    (highest_load <= PARTITION_RU_PER_SECOND).then(|| as_number(partitions) * highest_load)
}

/// What each of `partitions` can give when RU/s are shared equally.
pub fn equal_share(ru_per_second: f64, partitions: usize) -> f64 {
    (ru_per_second / as_number(partitions.max(1))).min(PARTITION_RU_PER_SECOND)
}

/// The same RU/s handed out after the loads: each partition at least `minimum` and at most 10,000.
///
/// What one partition cannot take goes to the others in proportion; so does what the smallest are given beyond their load.
pub fn redistributed(ru_per_second: f64, loads: &[f64], minimum: f64) -> Vec<f64> {
    let n = as_number(loads.len().max(1));
    // More than an equal share cannot be everybody's minimum.
    let least = minimum
        .min(ru_per_second / n)
        .clamp(0.0, PARTITION_RU_PER_SECOND);
    let total: f64 = loads.iter().sum();
    if total <= 0.0 {
        return vec![equal_share(ru_per_second, loads.len()); loads.len()];
    }
    let mut given: Vec<Option<f64>> = vec![None; loads.len()];
    loop {
        let fixed: f64 = given.iter().flatten().sum();
        let open = || loads.iter().zip(&given).filter(|(_, g)| g.is_none());
        let open_load: f64 = open().map(|(load, _)| load).sum();
        let open_count = open().count();
        if open_count == 0 {
            break;
        }
        let rest = (ru_per_second - fixed).max(0.0);
        let share = |load: f64| {
            if open_load > 0.0 {
                rest * load / open_load
            } else {
                rest / as_number(open_count)
            }
        };
        let over = open().any(|(load, _)| share(*load) > PARTITION_RU_PER_SECOND);
        let under = open().any(|(load, _)| share(*load) < least);
        for (load, given) in loads.iter().zip(&mut given) {
            let wanted = share(*load);
            // Too much first: what is cut off may lift those that have too little.
            if given.is_some() {
            } else if over && wanted > PARTITION_RU_PER_SECOND {
                *given = Some(PARTITION_RU_PER_SECOND);
            } else if !over && under && wanted < least {
                *given = Some(least);
            } else if !over && !under {
                *given = Some(wanted);
            }
        }
    }
    given.into_iter().flatten().collect()
}

/// Requests of one sort that arrive by chance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Arrivals {
    pub per_second: f64,
    pub ru_each: f64,
}

/// RU a second refused, on average, when requests arrive by chance at a mean load that fits.
pub fn expected_excess(arrivals: &[Arrivals], capacity: f64) -> f64 {
    let load: f64 = arrivals.iter().map(|a| a.per_second * a.ru_each).sum();
    let variance: f64 = arrivals
        .iter()
        .map(|a| a.per_second * a.ru_each.powi(2))
        .sum();
    if variance <= 0.0 {
        return (load - capacity).max(0.0);
    }
    let deviation = variance.sqrt();
    let z = (load - capacity) / deviation;
    deviation * (density(z) + z * distribution(z))
}

fn density(z: f64) -> f64 {
    (-z * z / 2.0).exp() / (SQRT_TWO * std::f64::consts::PI.sqrt())
}

/// The normal distribution by a rational approximation of the error function, off by less than 2e-7.
fn distribution(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.327_591_1 * z.abs() / SQRT_TWO);
    let terms = [
        1.061_405_429,
        -1.453_152_027,
        1.421_413_741,
        -0.284_496_736,
        0.254_829_592,
    ];
    let tail = terms.into_iter().fold(0.0, |sum, term| sum * t + term) * t * (-z * z / 2.0).exp();
    if z >= 0.0 {
        1.0 - tail / 2.0
    } else {
        tail / 2.0
    }
}

/// What a full bucket of unused RU gives a partition.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Burst {
    pub bucket_ru: f64,
    pub seconds: f64,
}

/// RU a partition may use up at when it bursts, and below which it may.
const BURST_RU_PER_SECOND: f64 = 3_000.0;
const BURST_BUCKET_SECONDS: f64 = 300.0;

/// None where a partition does not burst. Bursts are not guaranteed, and a feature of the account.
pub fn burst(capacity: f64) -> Option<Burst> {
    (0.0..BURST_RU_PER_SECOND).contains(&capacity).then(|| {
        let bucket_ru = capacity * BURST_BUCKET_SECONDS;
        Burst {
            bucket_ru,
            seconds: bucket_ru / BURST_RU_PER_SECOND,
        }
    })
}

#[cfg(test)]
mod tests;
