//! Arithmetic of shares: even and redistributed RU/s, chance.

use crate::model::units::{PARTITION_RU_PER_SECOND, as_number};

/// Terms of the Gauss series beyond this add nothing to seven digits.
const SQRT_TWO: f64 = std::f64::consts::SQRT_2;

/// Of how many equal keys this distribution is worth; 0 for none.
pub fn effective_keys(weights: impl Iterator<Item = f64> + Clone) -> f64 {
    let total: f64 = weights.clone().sum();
    if total <= 0.0 {
        return 0.0;
    }
    weights.map(|w| (w / total).powi(2)).sum::<f64>().recip()
}

/// Equally used keys with which the largest partition is expected to stay within so many times the mean.
pub fn keys_needed(partitions: usize, load_ratio: f64) -> f64 {
    let n = as_number(partitions.max(1));
    (2.0 * n * n.ln() / (load_ratio - 1.0).powi(2)).ceil()
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
    let least = minimum.min(ru_per_second / n).clamp(0.0, PARTITION_RU_PER_SECOND);
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
            if open_load > 0.0 { rest * load / open_load } else { rest / as_number(open_count) }
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

/// RU/s beyond a capacity, on average, of requests that arrive by chance; no variance leaves chance out.
pub fn expected_excess(load: f64, variance: f64, capacity: f64) -> f64 {
    if variance <= 0.0 {
        return (load - capacity).max(0.0);
    }
    let deviation = variance.sqrt();
    let z = (load - capacity) / deviation;
    // Far below the capacity the approximation falls below nothing.
    (deviation * (density(z) + z * distribution(z))).max(0.0)
}

fn density(z: f64) -> f64 {
    (-z * z / 2.0).exp() / (SQRT_TWO * std::f64::consts::PI.sqrt())
}

/// The normal distribution by a rational approximation of the error function, off by less than 2e-7.
fn distribution(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.327_591_1 * z.abs() / SQRT_TWO);
    let terms = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let tail = terms.into_iter().fold(0.0, |sum, term| sum * t + term) * t * (-z * z / 2.0).exp();
    if z >= 0.0 { 1.0 - tail / 2.0 } else { tail / 2.0 }
}

/// RU/s that a fleet pool serves beyond those of a partition, at most.
const POOL_RU_PER_SECOND: f64 = 5_000.0;

/// RU/s that a partition can serve at most where its account is in a fleet pool.
pub fn pooled(capacity: f64) -> f64 {
    (POOL_RU_PER_SECOND + capacity).min(PARTITION_RU_PER_SECOND)
}

#[cfg(test)]
mod tests;
