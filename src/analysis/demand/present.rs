//! Today's partitions under today's demand, over the sizing window.

use super::outcome::{
    Between, Outcome, StepLoad, by_partition, hottest_key, overload, routed, throttled,
};
use super::partitions::Partitions;
use super::remedies::{capacities, least_ru, split_up};
use super::{Demand, Evidence, outcome::Route};

/// What an outcome is made from.
#[derive(Debug)]
pub struct Look<'a> {
    pub partitions: Partitions,
    /// Of all the evidence.
    pub demand: &'a Demand,
    pub region: Option<&'a str>,
    /// Whether it is known what was throttled.
    pub knows_throttled: bool,
    /// Throttled shares up to this one count as cured.
    pub cured: f64,
}

/// One value for a container, shared by everything that shows its load.
#[derive(Clone, PartialEq, Debug)]
pub struct Now {
    pub outcome: Outcome,
    /// Of the sizing window.
    pub demand: Demand,
    pub partitions: Partitions,
    /// What each partition is asked to serve, step by step.
    pub loads: Vec<StepLoad>,
    /// Whether throttled shares can be computed.
    pub is_known: bool,
    /// Throttled shares up to this one count as cured.
    pub cured: f64,
}

impl Now {
    pub fn of(look: Look<'_>) -> Self {
        let partitions = look.partitions;
        let demand = look.demand.worst_window(&partitions);
        let loads = routed(&demand.loads, &Route::default(), partitions.len());
        let capacities = partitions.capacities.as_deref();
        let is_known = look.knows_throttled && capacities.is_some();
        let share = capacities.filter(|_| is_known);
        let share = share.map(|c| throttled(&loads, c, demand.charge));
        let even = vec![0.0; partitions.len()];
        let imbalance = overload(&loads, &even, None, |l| l.ru_per_second).imbalance;
        let outcome = Outcome {
            region: look.region.map(str::to_owned),
            from: demand.span.0,
            to: demand.span.1,
            evidence: evidence(&demand),
            provisioned_ru_per_second: partitions.provisioned,
            demand_ru_per_second: demand.ru_per_second(),
            throttled_share: share,
            imbalance: Some(imbalance).filter(|i| *i > 0.0),
            ru_to_buy: None,
            partitions: by_partition(
                &loads,
                &partitions.ids,
                capacities,
                demand.steps_in_span(),
                demand.charge,
            ),
            hottest_key: hottest_key(&demand),
        };
        let mut now = Self {
            outcome,
            demand,
            partitions,
            loads,
            is_known,
            cured: look.cured,
        };
        now.outcome.ru_to_buy = least_ru(&now, look.cured);
        now
    }

    /// The same demand come to another total, on other RU/s, and on so many partitions of today's ranges; itself where
    /// nothing differs. None where it is not known where keys go after a split.
    pub fn at(&self, total: f64, ru_per_second: Option<f64>, partitions: usize) -> Option<Outcome> {
        let provisioned = self.partitions.provisioned;
        let count = self.partitions.len();
        let factor = total / self.outcome.demand_ru_per_second.max(f64::MIN_POSITIVE);
        let is_same_load = (factor - 1.0).abs() < 1e-9;
        let is_same_ru = ru_per_second.is_none() || ru_per_second == provisioned;
        if is_same_load && is_same_ru && partitions <= count {
            return Some(self.outcome.clone());
        }
        let demand = self.demand.times(factor);
        let ru = ru_per_second.or(provisioned)?;
        let (ids, loads) = if partitions > count {
            let loads = split_up(self, partitions)?;
            let loads = loads.into_iter().map(|l| l.times(factor)).collect();
            ((0..partitions).map(|n| n.to_string()).collect(), loads)
        } else {
            let loads = routed(&demand.loads, &Route::default(), count);
            (self.partitions.ids.clone(), loads)
        };
        let capacities = capacities(self, ru, ids.len());
        let scaled = Self {
            outcome: Outcome {
                provisioned_ru_per_second: Some(ru),
                demand_ru_per_second: demand.ru_per_second(),
                throttled_share: self
                    .is_known
                    .then(|| throttled(&loads, &capacities, demand.charge)),
                imbalance: Some(overload(&loads, &capacities, None, |l| l.ru_per_second).imbalance),
                partitions: by_partition(
                    &loads,
                    &ids,
                    Some(&capacities),
                    demand.steps_in_span(),
                    demand.charge,
                ),
                hottest_key: hottest_key(&demand),
                ..self.outcome.clone()
            },
            demand,
            partitions: self.partitions.clone(),
            loads,
            is_known: self.is_known,
            cured: self.cured,
        };
        let to_buy = if partitions > count {
            self.outcome.ru_to_buy
        } else {
            least_ru(&scaled, self.cured)
        };
        Some(Outcome {
            ru_to_buy: to_buy,
            ..scaled.outcome
        })
    }

    pub fn throttled(&self) -> Option<Between> {
        self.outcome.throttled_share
    }
}

/// `RU log, 1 s, with 429s by partition (33.3 % of the attempts at most)`.
fn evidence(demand: &Demand) -> String {
    use crate::model::units::{percent_text, whole_text};
    let step = demand.step_s;
    match demand.evidence {
        Evidence::RuLog => format!("RU log, {step} s"),
        Evidence::Throttled { most } => format!(
            "RU log or metric, {step} s, with 429s by partition ({} of the attempts at most)",
            percent_text(most)
        ),
        Evidence::Placed { ru_per_second } => format!(
            "RU log or metric, {step} s, with 429s of the container placed on partitions at their limit ({} RU/s)",
            whole_text(ru_per_second)
        ),
        Evidence::Metric => format!("metric, busiest second of each {step} s"),
    }
}
