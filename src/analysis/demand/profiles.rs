//! How demand goes on over the steps of the sizing window: the keys with most of it one by one, all others together.

use std::sync::Arc;

use super::{Demand, DemandLoad, Requester};
use crate::model::units::as_number;

/// Keys that have a course of their own.
const OWN: usize = 15;
/// Of more steps those alike are taken together: what partitions cannot serve depends on how high loads are, not on when.
const MOST_STEPS: usize = 60;

/// The courses that keys follow.
#[derive(Clone, PartialEq, Debug)]
pub struct LoadProfiles {
    /// Canonical texts of the keys that have one each; what is left follows the last course.
    pub keys: Vec<String>,
    /// Of each course its steps, 1 on average.
    pub steps: Vec<Vec<f64>>,
    /// Chance within a step, as requests of so many RU bring it: nothing in measured seconds. None where no step was
    /// measured and the requests' own rates tell.
    pub ru_each: Option<f64>,
}

impl Default for LoadProfiles {
    /// Nothing but means is known.
    fn default() -> Self {
        Self { keys: Vec::new(), steps: vec![vec![1.0]], ru_each: None }
    }
}

impl LoadProfiles {
    pub fn of(demand: &Demand) -> Arc<Self> {
        let ranked = demand.ru_by_key();
        let own: Vec<usize> = ranked.iter().take(OWN).map(|(key, _)| *key).collect();
        let mut of_key = vec![own.len(); demand.keys.len()];
        for (profile, key) in own.iter().enumerate() {
            if let Some(slot) = of_key.get_mut(*key) {
                *slot = profile;
            }
        }
        let profile = |load: &DemandLoad| match load.requester {
            Requester::Key(key) => of_key.get(key as usize).copied(),
            Requester::Keyless => None,
        };
        let length = i64::from(demand.judged_step_s());
        let charge = demand.charge.filter(|_| demand.judged_step_s() <= demand.step_s.max(1));
        let seconds = demand.span.1.saturating_sub(demand.span.0);
        let count = usize::try_from(seconds.saturating_add(length - 1) / length).unwrap_or(1);
        let mut steps = vec![vec![0.0; count.max(1)]; own.len() + 1];
        for load in &demand.loads {
            let at = (load.second - demand.span.0) / length;
            let row = steps.get_mut(profile(load).unwrap_or(own.len()));
            let slot = usize::try_from(at).ok().zip(row);
            if let Some(slot) = slot.and_then(|(at, row)| row.get_mut(at)) {
                *slot += load.ru_per_second;
            }
        }
        let keys = own.iter().filter_map(|key| demand.keys.get(*key));
        Arc::new(Self {
            keys: keys.map(|key| key.canonical.clone()).collect(),
            steps: together(&steps).into_iter().map(evened).collect(),
            ru_each: Some(charge.unwrap_or(0.0)),
        })
    }

    pub fn count(&self) -> usize {
        self.steps.len()
    }

    /// The course of a key; that of all others where it has none of its own.
    pub fn of_key(&self, canonical: &str) -> usize {
        let own = self.keys.iter().position(|key| key == canonical);
        own.unwrap_or(self.keys.len())
    }

    /// Of parts of each course what they come to, step by step.
    pub fn follow(&self, parts: &[f64]) -> Vec<f64> {
        let mut found = vec![0.0; self.steps.first().map_or(0, Vec::len)];
        for (part, steps) in parts.iter().zip(&self.steps).filter(|(part, _)| **part > 0.0) {
            for (sum, step) in found.iter_mut().zip(steps) {
                *sum += part * step;
            }
        }
        found
    }
}

/// Steps in the order of their whole load, as many as are worth it in one.
fn together(profiles: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let count = profiles.first().map_or(0, Vec::len);
    let each = count.div_ceil(MOST_STEPS).max(1);
    let whole = |at: &usize| profiles.iter().filter_map(|c| c.get(*at)).sum::<f64>();
    let mut order: Vec<usize> = (0..count).collect();
    if each > 1 {
        order.sort_by(|a, b| whole(a).total_cmp(&whole(b)));
    }
    let mean = |profile: &Vec<f64>| -> Vec<f64> {
        let of = |some: &[usize]| some.iter().filter_map(|at| profile.get(*at)).sum::<f64>();
        // Where some are fewer, they are those of the least load.
        let parts = order.rchunks(each);
        parts.map(|some| of(some) / as_number(each)).collect()
    };
    profiles.iter().map(mean).collect()
}

fn evened(steps: Vec<f64>) -> Vec<f64> {
    let mean = steps.iter().sum::<f64>() / as_number(steps.len().max(1));
    if mean <= 0.0 {
        return vec![1.0; steps.len()];
    }
    steps.into_iter().map(|step| step / mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::demand::{DemandKey, Evidence, Keyless};

    #[test]
    fn heavy_keys_keep_their_steps_and_the_others_share_theirs() {
        let key = |n: usize| DemandKey { canonical: format!("[\"k{n}\"]"), epk: None };
        let load = |second: i64, key: u32, ru_per_second: f64| {
            DemandLoad::served(second, Requester::Key(key), 0, ru_per_second)
        };
        // Key 0 in each fifth second; 30 others always.
        let of_second = |second: i64| {
            let batch = if second % 5 == 0 { 5_000.0 } else { 0.0 };
            let others = (1..31).map(move |key| load(second, key, 10.0));
            others.chain([load(second, 0, batch)])
        };
        let demand = Demand {
            keys: (0..31).map(key).collect(),
            loads: (0..300).flat_map(of_second).collect(),
            evidence: Evidence::RuLog,
            keyless: Keyless::Unknown,
            step_s: 1,
            span: (0, 300),
            unplaced_ru: 0.0,
            charge: None,
            ru_of_429: 0.0,
            retries: None,
        };
        let profiles = LoadProfiles::of(&demand);
        assert_eq!((profiles.count(), profiles.ru_each), (OWN + 1, Some(0.0)));
        assert_eq!(profiles.of_key("[\"k0\"]"), 0);
        assert_eq!(profiles.of_key("[\"none\"]"), OWN);
        let (batch, others) = (&profiles.steps[0], &profiles.steps[OWN]);
        assert_eq!(batch.len(), MOST_STEPS);
        assert!((batch.iter().copied().fold(0.0, f64::max) - 5.0).abs() < 1e-9);
        assert!(others.iter().all(|step| (step - 1.0).abs() < 1e-9));
        let all = profiles.follow(&[0.5; OWN + 1]);
        assert!((all.iter().sum::<f64>() / 60.0 - 8.0).abs() < 1e-9);
    }
}
