//! Demand put on partitions: what is served, what is throttled, and how even it is.

use std::collections::HashMap;

use serde::Serialize;

use super::{Demand, DemandLoad, Requester};
use crate::analysis::throttling::expected_excess;
use crate::model::units::{PARTITION_RU_PER_SECOND, as_number, percent_text, real_seconds};

/// Of 100 intervals of so many standard deviations 95 hold the truth.
const CONFIDENT: f64 = 1.96;

/// A figure with the ends between which it lies.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Interval {
    pub point: f64,
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub fn exact(value: f64) -> Self {
        Self { point: value, low: value, high: value }
    }

    /// The mean of several; None of none.
    pub fn mean(of: &[Self]) -> Option<Self> {
        let part = (!of.is_empty()).then(|| as_number(of.len()).recip())?;
        let sum = |end: fn(&Self) -> f64| of.iter().map(end).sum::<f64>() * part;
        Some(Self { point: sum(|i| i.point), low: sum(|i| i.low), high: sum(|i| i.high) })
    }

    /// With nothing below a bound.
    #[must_use]
    pub fn at_least(self, bound: f64) -> Self {
        Self { point: self.point.max(bound), low: self.low.max(bound), high: self.high.max(bound) }
    }
}

/// What becomes of a container's demand on its partitions, over the sizing window.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Outcome {
    pub region: Option<String>,
    /// Seconds since 1970, `[from, to)`.
    pub from: i64,
    pub to: i64,
    /// What the demand is known from.
    pub evidence: String,
    pub provisioned_ru_per_second: Option<f64>,
    /// Mean over the window; where partitions stood at their limit and no 429s are known, the least.
    pub demand_ru_per_second: f64,
    /// Of the RU requested; None where it is not known what was throttled, or what partitions can serve.
    pub throttled_share: Option<Interval>,
    /// Fullest over average partition; 1 is perfect.
    pub imbalance: Option<f64>,
    /// Where clients may repeat what is throttled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated: Option<RepeatedOutcome>,
    /// The least RU/s with at most 1 % throttled on today's key; None where there is none, or too little is known.
    pub ru_to_buy: Option<f64>,
    pub partitions: Vec<PartitionOutcome>,
    pub hottest_key: Option<KeyOutcome>,
    /// Each region has all of the RU/s: this is the outcome of the worst one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_regions: Vec<RegionOutcome>,
}

/// What clients lose, and what they repeat.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct RepeatedOutcome {
    /// How often they repeat a request.
    pub retries: f64,
    /// RU/s requested, if all that is served later was only repeated.
    pub demand_ru_per_second: f64,
    /// Of the RU requested, lost after the last retry.
    pub lost_share: f64,
    /// Of all requests those answered with 429.
    pub share_of_requests: f64,
    /// The least RU/s to buy for it.
    pub ru_to_buy: Option<f64>,
}

impl RepeatedOutcome {
    /// `8.3 % lost` and `78 % repeated`.
    pub fn words(&self) -> [String; 2] {
        let [lost, repeated] = [self.lost_share, self.share_of_requests].map(percent_text);
        [lost + " lost", repeated + " repeated"]
    }
}

/// A region that is not the worst.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RegionOutcome {
    pub region: Option<String>,
    pub demand_ru_per_second: f64,
    pub throttled_share: Option<Interval>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PartitionOutcome {
    pub id: String,
    /// RU/s that it can serve.
    pub capacity: Option<f64>,
    pub mean: f64,
    pub p99: f64,
    pub peak: f64,
    pub served: Option<f64>,
    pub throttled_share: Option<f64>,
}

/// The key with most RU, against the 10,000 RU/s that one key can use at most.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct KeyOutcome {
    /// Canonical text.
    pub key: String,
    pub mean: f64,
    pub peak: f64,
    /// Of the container's RU.
    pub share: f64,
}

impl Outcome {
    pub fn by_id(&self) -> HashMap<&str, &PartitionOutcome> {
        let partitions = self.partitions.iter();
        partitions.map(|held| (held.id.as_str(), held)).collect()
    }

    /// Another name for each key.
    pub fn mask(&mut self, name: impl Fn(&str) -> String) {
        if let Some(key) = &mut self.hottest_key {
            key.key = name(&key.key);
        }
    }
}

/// Where load goes in another layout. What is not listed stays on its partition.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LoadRoute {
    /// By key: partitions and the part of its RU that each gets; empty where the key stays.
    pub keys: Vec<Vec<(u32, f64)>>,
    /// By old partition; empty where it stays.
    pub keyless: Vec<Vec<(u32, f64)>>,
}

impl LoadRoute {
    pub fn targets(&self, load: &DemandLoad) -> &[(u32, f64)] {
        let list = match load.requester {
            Requester::Key(key) => self.keys.get(key as usize),
            Requester::Keyless => self.keyless.get(load.partition as usize),
        };
        list.map_or(&[], Vec::as_slice)
    }
}

/// What one partition is asked to serve in one step.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct StepLoad {
    pub second: i64,
    pub partition: u32,
    pub ru_per_second: f64,
    pub served: f64,
    /// Beyond the RU/s of today's partition, and not refused for it.
    pub burst: f64,
}

impl StepLoad {
    fn add(&mut self, load: &DemandLoad, part: f64) {
        self.ru_per_second += load.ru_per_second * part;
        self.served += load.served * part;
        self.burst += load.burst * part;
    }
}

/// Loads of partitions step by step, in order; `partitions` is how many there are after the route.
pub fn routed(loads: &[DemandLoad], route: &LoadRoute, partitions: usize) -> Vec<StepLoad> {
    let mut sums = vec![StepLoad::default(); partitions];
    let mut touched: Vec<u32> = Vec::new();
    let mut found = Vec::new();
    for second in loads.chunk_by(|a, b| a.second == b.second) {
        let mut add = |partition: u32, load: &DemandLoad, part: f64| {
            if let Some(sum) = sums.get_mut(partition as usize)
                && load.ru_per_second * part > 0.0
            {
                if sum.ru_per_second <= 0.0 {
                    touched.push(partition);
                }
                sum.add(load, part);
            }
        };
        for load in second {
            match route.targets(load) {
                [] => add(load.partition, load, 1.0),
                targets => {
                    for (partition, part) in targets {
                        add(*partition, load, *part);
                    }
                }
            }
        }
        touched.sort_unstable();
        let at = second.first().map_or(0, |l| l.second);
        for partition in touched.drain(..) {
            let sum = sums.get_mut(partition as usize).map(std::mem::take);
            found.extend(sum.map(|sum| StepLoad { second: at, partition, ..sum }));
        }
    }
    found
}

/// What comes of loads on partitions of given capacities, over all steps.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Overload {
    pub demand: f64,
    pub excess: f64,
    /// Of the RU requested.
    pub share: f64,
    /// Fullest over average partition in each step, weighted by the step's RU; 0 without load.
    pub imbalance: f64,
    /// The highest load of a partition in any step.
    pub peak: f64,
}

/// The steps in which loads are judged.
#[derive(Clone, Copy, Debug, Default)]
pub struct JudgedSteps {
    step_s: i64,
    judged_s: i64,
    span: (i64, i64),
    /// Mean RU of a request where chance adds to a step.
    charge: f64,
}

impl Demand {
    pub fn judged_steps(&self) -> JudgedSteps {
        JudgedSteps {
            step_s: i64::from(self.step_s.max(1)),
            judged_s: i64::from(self.judged_step_s()),
            span: self.span,
            charge: self.charge.unwrap_or(0.0),
        }
    }
}

/// RU/s beyond what each partition can serve, over all steps. Where a step is longer than a second its seconds differ by
/// chance, by so much as requests bring; what is repeated evens them out.
fn excess(
    loads: &[StepLoad],
    capacities: &[f64],
    steps: JudgedSteps,
    of: impl Fn(&StepLoad) -> f64,
) -> Vec<f64> {
    let mut all = vec![0.0; capacities.len()];
    let JudgedSteps { step_s: step, judged_s: judged, span: (from, to), charge } = steps;
    if judged <= step {
        for load in loads {
            if let Some(sum) = all.get_mut(load.partition as usize) {
                let capacity = capacities.get(load.partition as usize).copied().unwrap_or(0.0);
                let ru = of(load) - load.burst;
                *sum += expected_excess(ru, ru * charge, capacity);
            }
        }
        return all;
    }
    let start = |load: &StepLoad| from + (load.second - from).div_euclid(judged) * judged;
    for group in loads.chunk_by(|a, b| start(a) == start(b)) {
        let first = group.first().map_or(from, start);
        let steps = real_seconds((to - first).clamp(step, judged)) / real_seconds(step);
        let mut sums = vec![0.0; capacities.len()];
        for load in group {
            if let Some(sum) = sums.get_mut(load.partition as usize) {
                *sum += of(load) - load.burst;
            }
        }
        for ((sum, capacity), all) in sums.into_iter().zip(capacities).zip(&mut all) {
            *all += (sum - capacity * steps).max(0.0);
        }
    }
    all
}

/// `of` takes the end of the demand that is meant.
pub fn overload(
    loads: &[StepLoad],
    capacities: &[f64],
    steps: JudgedSteps,
    of: impl Fn(&StepLoad) -> f64,
) -> Overload {
    let mut out = Overload::default();
    let mut fullest = 0.0;
    for second in loads.chunk_by(|a, b| a.second == b.second) {
        let mut highest = 0.0_f64;
        for ru in second.iter().map(&of) {
            out.demand += ru;
            highest = highest.max(ru);
        }
        fullest += highest;
        out.peak = out.peak.max(highest);
    }
    if out.demand > 0.0 {
        out.excess = excess(loads, capacities, steps, of).iter().sum();
        out.share = out.excess / out.demand;
        out.imbalance = fullest * as_number(capacities.len()) / out.demand;
    }
    out
}

/// How far the part of a demand that was throttled may be off: counts of requests differ by chance, and their charges about as
/// much as their mean.
fn off_by_chance(loads: &[StepLoad], demand: &Demand) -> f64 {
    let throttled: f64 = loads.iter().map(|l| l.ru_per_second - l.served).sum();
    let requests = throttled * f64::from(demand.step_s) / demand.ru_of_429;
    if requests > 0.0 && requests.is_finite() {
        (CONFIDENT * (2.0 / requests).sqrt()).min(1.0)
    } else {
        0.0
    }
}

/// What is requested with so much more or less of what was throttled.
fn end(load: &StepLoad, part: f64) -> f64 {
    load.ru_per_second + part * (load.ru_per_second - load.served)
}

/// The high end of [`throttled`].
pub fn most_throttled(loads: &[StepLoad], capacities: &[f64], demand: &Demand) -> f64 {
    let part = off_by_chance(loads, demand);
    overload(loads, capacities, demand.judged_steps(), |l| end(l, part)).share
}

/// The throttled share at both ends of the demand.
pub fn throttled(loads: &[StepLoad], capacities: &[f64], demand: &Demand) -> Interval {
    at_ends(loads, demand, |of| overload(loads, capacities, demand.judged_steps(), of).share)
}

/// A throttled share at both ends of the demand; no less than what was served was requested.
pub fn at_ends(
    loads: &[StepLoad],
    demand: &Demand,
    share: impl Fn(&dyn Fn(&StepLoad) -> f64) -> f64,
) -> Interval {
    let chance = off_by_chance(loads, demand);
    let least = if demand.retries.is_some() { -chance } else { -1.0 };
    let [low, point, high] = [least, 0.0, chance].map(|part| share(&|load| end(load, part)));
    Interval { point, low: low.min(point), high: high.max(point) }
}

/// The share of RU that keys request beyond the 10,000 RU/s of one key: throttled at any RU/s.
pub fn beyond_one_key(loads: &[DemandLoad]) -> f64 {
    let (mut total, mut beyond) = (0.0, 0.0);
    for second in loads.chunk_by(|a, b| a.second == b.second) {
        let mut by_key: Vec<(Requester, f64)> =
            second.iter().map(|l| (l.requester, l.ru_per_second)).collect();
        by_key.sort_by_key(|l| l.0);
        for key in by_key.chunk_by(|a, b| a.0 == b.0) {
            let ru: f64 = key.iter().map(|k| k.1).sum();
            total += ru;
            if let Some((Requester::Key(_), _)) = key.first() {
                beyond += (ru - PARTITION_RU_PER_SECOND).max(0.0);
            }
        }
    }
    if total > 0.0 { beyond / total } else { 0.0 }
}

/// Each partition over the window.
pub fn by_partition(
    loads: &[StepLoad],
    ids: &[String],
    capacities: Option<&[f64]>,
    demand: &Demand,
) -> Vec<PartitionOutcome> {
    let mut values: Vec<Vec<f64>> = vec![Vec::new(); ids.len()];
    for load in loads {
        if let Some(of) = values.get_mut(load.partition as usize) {
            of.push(load.ru_per_second);
        }
    }
    let steps = demand.steps_in_span();
    let beyond = |c| excess(loads, c, demand.judged_steps(), |l| l.ru_per_second);
    let beyond = capacities.map(beyond).unwrap_or_default();
    let each = ids.iter().zip(values).enumerate();
    let one = |(at, (id, mut values)): (usize, (&String, Vec<f64>))| {
        let capacity = capacities.and_then(|c| c.get(at).copied());
        let sum: f64 = values.iter().sum();
        let beyond = capacity.and_then(|_| beyond.get(at).copied());
        values.sort_by(f64::total_cmp);
        PartitionOutcome {
            id: id.clone(),
            capacity,
            mean: sum / steps,
            p99: percentile_99(&values),
            peak: values.last().copied().unwrap_or(0.0),
            served: beyond.map(|beyond| (sum - beyond) / steps),
            throttled_share: beyond.map(|beyond| if sum > 0.0 { beyond / sum } else { 0.0 }),
        }
    };
    each.map(one).collect()
}

/// The value that all but one in a hundred stay at or below, of sorted ones.
pub fn percentile_99(sorted: &[f64]) -> f64 {
    let at = sorted.len().checked_sub(1 + sorted.len() / 100);
    at.and_then(|at| sorted.get(at)).copied().unwrap_or(0.0)
}

pub fn hottest_key(demand: &Demand) -> Option<KeyOutcome> {
    let by_key = demand.ru_by_key();
    let (at, ru) = *by_key.first()?;
    let number = u32::try_from(at).ok()?;
    let of_key = |l: &&DemandLoad| l.requester == Requester::Key(number);
    let mut peak = 0.0_f64;
    for second in demand.loads.chunk_by(|a, b| a.second == b.second) {
        let sum: f64 = second.iter().filter(of_key).map(|l| l.ru_per_second).sum();
        peak = peak.max(sum);
    }
    let mean = ru / f64::from(demand.step_s.max(1)) / demand.steps_in_span();
    let all = demand.ru_per_second();
    Some(KeyOutcome {
        key: demand.keys.get(at)?.canonical.clone(),
        mean,
        peak,
        share: if all > 0.0 { mean / all } else { 0.0 },
    })
}
