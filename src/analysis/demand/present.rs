//! Today's partitions under today's demand, over the sizing window.

use super::outcome::{
    Interval, JudgedSteps, Outcome, RepeatedOutcome, StepLoad, by_partition, hottest_key, overload,
    routed, throttled,
};
use super::partitions::Partitions;
use super::remedies::{capacities, least_ru};
use super::{Demand, Evidence, outcome::LoadRoute};
use crate::model::layout::Layout;
use crate::model::ru_bucket::RuBucket;

/// What an outcome is made from.
#[derive(Debug)]
pub struct OutcomeInputs<'a> {
    pub partitions: Partitions,
    /// Of all the evidence.
    pub demand: &'a Demand,
    pub region: Option<&'a str>,
    /// Whether it is known what was throttled.
    pub knows_throttled: bool,
    /// Where clients may repeat requests.
    pub repeats: Option<Repeats<'a>>,
    /// Throttled shares up to this one count as cured.
    pub cured: f64,
}

/// How often clients may repeat a request.
#[derive(Clone, Copy, Debug)]
pub struct Repeats<'a> {
    pub retries: f64,
    /// Of all requests those answered with 429.
    pub share_of_requests: f64,
    /// The demand if they do; where the one that is judged is of no retries.
    pub demand: Option<&'a Demand>,
}

/// One value for a container, shared by everything that shows its load.
#[derive(Clone, PartialEq, Debug)]
pub struct CurrentLoad {
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
    /// What writes that get 403 would take: no log has it as RU, and another key has to serve it.
    pub unserved_ru_per_second: Option<f64>,
}

/// What a full bucket of unused RU does for a partition.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct BurstUse {
    /// 429s begin after so many seconds of the window; None where there are none.
    pub seconds: Option<i64>,
    /// RU/s beyond what it serves, summed over the steps.
    pub excess: f64,
}

impl BurstUse {
    pub fn words(&self) -> String {
        self.seconds.map_or_else(
            || "no 429s in the window".to_owned(),
            |seconds| format!("429s begin after {seconds} s"),
        )
    }
}

impl CurrentLoad {
    pub fn of(look: &OutcomeInputs<'_>) -> Self {
        let demand = look.demand.worst_window(&look.partitions);
        let span = demand.span;
        let mut now = Self::load_over_all_steps(look, demand);
        now.outcome.repeated = look.repeats.and_then(|repeats| {
            let least = repeats.demand.and_then(|demand| demand.within(span));
            let least = least.map(|demand| Self::load_over_all_steps(look, demand).outcome);
            let of = least.as_ref().unwrap_or(&now.outcome);
            Some(RepeatedOutcome {
                retries: repeats.retries,
                demand_ru_per_second: of.demand_ru_per_second,
                lost_share: of.throttled_share?.point,
                share_of_requests: repeats.share_of_requests,
                ru_to_buy: of.ru_to_buy,
            })
        });
        let is_open = now.demand.retries.is_none();
        let outcome = &mut now.outcome;
        if let (true, Some(share), Some(of)) =
            (is_open, &mut outcome.throttled_share, &outcome.repeated)
        {
            share.low = of.lost_share.min(share.point);
        }
        now
    }

    /// With the outcome of a demand over all its steps.
    fn load_over_all_steps(look: &OutcomeInputs<'_>, demand: Demand) -> Self {
        let partitions = look.partitions.clone();
        let outcome = Outcome {
            region: look.region.map(str::to_owned),
            from: demand.span.0,
            to: demand.span.1,
            evidence: evidence(&demand),
            provisioned_ru_per_second: partitions.provisioned,
            ..Outcome::default()
        };
        let now = Self {
            outcome,
            loads: routed(&demand.loads, &LoadRoute::default(), partitions.len()),
            is_known: look.knows_throttled && partitions.capacities.is_some(),
            demand,
            partitions,
            cured: look.cured,
            unserved_ru_per_second: None,
        };
        let capacities = now.partitions.capacities.clone();
        let ids = now.partitions.ids.clone();
        now.with_outcome(&ids, capacities.as_deref())
    }

    /// The same demand come to another total, on other RU/s, and on what today's ranges are split into; itself where nothing
    /// differs. None where it is not known where keys go after a split.
    pub fn at(
        &self,
        total: f64,
        ru_per_second: Option<f64>,
        grown: Option<&Layout>,
    ) -> Option<Outcome> {
        let provisioned = self.partitions.provisioned;
        let factor = total / self.outcome.demand_ru_per_second.max(f64::MIN_POSITIVE);
        let is_same_load = (factor - 1.0).abs() < 1e-9;
        let is_same_ru = ru_per_second.is_none() || ru_per_second == provisioned;
        if is_same_load && is_same_ru && grown.is_none() {
            return Some(self.outcome.clone());
        }
        let demand = self.demand.times(factor);
        let ru = ru_per_second.or(provisioned)?;
        let ids = match grown {
            Some(grown) => (0..grown.len()).map(|n| n.to_string()).collect(),
            None => self.partitions.ids.clone(),
        };
        let scaled = Self {
            outcome: Outcome {
                provisioned_ru_per_second: Some(ru),
                repeated: None,
                ..self.outcome.clone()
            },
            loads: self.loads_on(&demand, grown)?,
            demand,
            ..self.clone()
        };
        let capacities = capacities(self, ru, ids.len());
        Some(scaled.with_outcome(&ids, Some(&capacities)).outcome)
    }

    /// What comes of its loads on partitions of these names and RU/s.
    fn with_outcome(mut self, ids: &[String], capacities: Option<&[f64]>) -> Self {
        let (demand, loads) = (&self.demand, &self.loads);
        let share = capacities.filter(|_| self.is_known);
        let even = vec![0.0; ids.len()];
        let imbalance =
            overload(loads, &even, JudgedSteps::default(), |l| l.ru_per_second).imbalance;
        self.outcome = Outcome {
            demand_ru_per_second: demand.ru_per_second(),
            throttled_share: share.map(|c| throttled(loads, c, demand)),
            imbalance: Some(imbalance).filter(|i| *i > 0.0),
            partitions: by_partition(loads, ids, capacities, demand),
            hottest_key: hottest_key(demand),
            ..self.outcome
        };
        self.outcome.ru_to_buy = least_ru(&self, self.cured);
        self
    }

    /// What a full bucket of unused RU does for a partition. None where the partition does not burst, or needs no burst.
    pub fn burst(&self, place: u32) -> Option<BurstUse> {
        let of = self.loads.iter().filter(|load| load.partition == place);
        let loads: Vec<&StepLoad> = of.collect();
        self.burst_of(place, &loads)
    }

    /// The same of the partition's own loads.
    pub fn burst_of(&self, place: u32, loads: &[&StepLoad]) -> Option<BurstUse> {
        let capacity = self.partitions.capacity(place)?;
        loads.iter().find(|load| load.ru_per_second > capacity)?;
        self.burst_at(place, loads, |load| load.ru_per_second)
    }

    /// At one end of the demand.
    pub fn burst_at(
        &self,
        place: u32,
        loads: &[&StepLoad],
        end: impl Fn(&StepLoad) -> f64,
    ) -> Option<BurstUse> {
        let mut bucket = RuBucket::full(self.partitions.capacity(place)?)?;
        let mut loads = loads.iter().peekable();
        let step = i64::from(self.demand.step_s.max(1));
        let (from, to) = self.demand.span;
        let mut found = BurstUse::default();
        for second in from..to {
            while loads.next_if(|l| l.second + step <= second).is_some() {}
            let load = loads.peek().filter(|load| load.second <= second);
            let beyond = bucket.beyond(load.map_or(0.0, |load| end(load)));
            if beyond > 0.0 {
                found.seconds.get_or_insert(second.saturating_sub(from));
                found.excess += beyond / f64::from(self.demand.step_s.max(1));
            }
        }
        Some(found)
    }

    pub fn throttled(&self) -> Option<Interval> {
        self.outcome.throttled_share
    }
}

/// `RU log, 1 s, with 429s by partition (33.3 % of the attempts at most)`.
pub(in crate::analysis) fn evidence(demand: &Demand) -> String {
    use crate::model::units::{percent_text, whole_text};
    let step = demand.step_s;
    match demand.evidence {
        Evidence::RuLog => format!("RU log, {step} s"),
        Evidence::Throttled { most } => format!(
            "RU log or metric, {step} s, with 429s by partition ({} of the attempts at most)",
            percent_text(most)
        ),
        Evidence::Placed { ru_per_second, is_at_most } => format!(
            "RU log or metric, {step} s, with 429s of the container placed on partitions at their limit ({}{} RU/s)",
            if is_at_most { "≤" } else { "" },
            whole_text(ru_per_second)
        ),
        Evidence::Metric => format!("metric, busiest second of each {step} s"),
    }
}
