//! Requests by partition, in all and refused: of the request log by partition, of metrics for the container as a whole.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::model::capture::Capture;
use crate::model::load::{FORBIDDEN, RequestCell, RequestSum, SeriesName, TOO_MANY_REQUESTS};
use crate::model::time::Stamp;

use super::cells::{MetricEntry, RequestEntry};
use super::join::Join;
use super::points::{Points, Region, Room, grain_text, tracks};
use super::{Measure, Track};
use crate::model::units::{real, whole_u64};

/// Requests of one partition over all regions and times of the request log, each counted once.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PartitionRequests {
    pub requests: u64,
    /// Throttled: 429.
    pub throttled: u64,
    /// Refused with 403: a full logical partition, or no permission.
    pub forbidden: u64,
    /// When the first of these was.
    pub forbidden_from: Option<i64>,
    pub ru: f64,
}

/// What 429s would have cost, by region, partition and step.
pub type RuOf429s = BTreeMap<(Option<Arc<str>>, u32, i64), ThrottledRu>;

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ThrottledRu {
    /// Those of operations of which any was served.
    pub requests: f64,
    pub ru: f64,
    /// Sum of the squares of the charges: how much they differ by chance.
    pub squares: f64,
}

impl ThrottledRu {
    pub fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.ru += other.ru;
        self.squares += other.squares;
    }
}

/// Charges of what was served, and the 429s that they price.
#[derive(Default)]
struct Charges {
    /// RU and requests of an operation on a partition, and of the operation.
    served: HashMap<(Option<u32>, u32), (f64, f64)>,
    /// By partition, operation and step.
    throttled: BTreeMap<(u32, u32, i64), u64>,
}

impl Charges {
    fn add(&mut self, partition: u32, (cell, sum): RequestEntry<'_>, step: Option<i64>) {
        let is_throttled = cell.status == TOO_MANY_REQUESTS;
        if let Some(step) = step.filter(|_| is_throttled) {
            let held = self.throttled.entry((partition, cell.operation, step)).or_default();
            *held = held.saturating_add(sum.requests);
        } else if !is_throttled && sum.ru > 0.0 && sum.requests > 0 {
            for place in [Some(partition), None] {
                let held = self.served.entry((place, cell.operation)).or_default();
                held.0 += sum.ru;
                held.1 += real(sum.requests);
            }
        }
    }

    fn charge(&self, partition: u32, operation: u32) -> Option<f64> {
        let of = |place| self.served.get(&(place, operation)).map(|(ru, requests)| ru / requests);
        of(Some(partition)).or_else(|| of(None))
    }

    fn price(&self, region: Option<&Arc<str>>, into: &mut RuOf429s) {
        for ((partition, operation, step), requests) in &self.throttled {
            if let Some(charge) = self.charge(*partition, *operation) {
                let requests = real(*requests);
                let (ru, squares) = (charge * requests, charge * charge * requests);
                let place = (region.cloned(), *partition, *step);
                into.entry(place).or_default().add(&ThrottledRu { requests, ru, squares });
            }
        }
    }
}

/// A step in which burst capacity served requests.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BurstStep {
    pub second: i64,
    pub step_s: u32,
    pub ru: f64,
}

/// Requests of a container by the metric `TotalRequests`, which names no partition.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct WholeLoad {
    /// None where no metric tells.
    pub requests: Option<u64>,
    /// Throttled: 429; None where requests are not told by status.
    pub throttled: Option<u64>,
    /// Answered with 403, and when the first of these was.
    pub forbidden: u64,
    pub forbidden_from: Option<i64>,
    /// RU of what was served, by the metric `TotalRequestUnits`.
    pub ru: Option<f64>,
    /// First and last second of the metric `TotalRequests`.
    pub span: Option<(i64, i64)>,
    /// 429s in a throughput bucket; None where the metric is not split by `ThroughputBucket`.
    pub in_buckets: Option<u64>,
    /// 429s of low priority; None where the metric is not split by `PriorityLevel`.
    pub of_low_priority: Option<u64>,
}

/// The request log of one container as tracks, with the exact sums behind them.
pub(super) fn of_log(
    entries: &[RequestEntry<'_>],
    capture: &Capture,
    join: &Join,
    room: &mut Room,
) -> (Vec<Track>, Vec<PartitionRequests>, RuOf429s) {
    let mut sums = vec![PartitionRequests::default(); join.partitions.len()];
    let mut rates: BTreeMap<Measure, Points> = BTreeMap::new();
    let (mut widths, mut is_mixed, mut priced) = (BTreeMap::new(), false, RuOf429s::new());
    if entries.is_empty() {
        return (Vec::new(), Vec::new(), RuOf429s::new());
    }
    for of_region in entries.chunk_by(|(a, _), (b, _)| a.region == b.region) {
        let Some((first, _)) = of_region.first() else {
            continue;
        };
        let region: Region = capture.region(first.region).map(Into::into);
        let counted = CountedInput::of(of_region, capture.load.requests_width_s);
        is_mixed |= counted.is_mixed;
        widths.insert(region.clone(), counted.step_s);
        let mut named: HashMap<u32, Option<u32>> = HashMap::new();
        let mut cells: BTreeMap<(u32, i64), PartitionRequests> = BTreeMap::new();
        let is_throttled = |(cell, _): &RequestEntry<'_>| cell.status == TOO_MANY_REQUESTS;
        let mut charges = of_region.iter().any(is_throttled).then(Charges::default);
        for (cell, sum) in of_region.iter().filter(|(cell, _)| counted.holds(cell)) {
            let by_name = || join.partition(capture.load.names.text(cell.partition));
            let Some(partition) = *named.entry(cell.partition).or_insert_with(by_name) else {
                continue;
            };
            let requests = PartitionRequests::of(cell, sum);
            if let Some(held) = sums.get_mut(partition as usize) {
                held.add(&requests);
            }
            let step = counted.step(cell.second);
            if let Some(charges) = &mut charges {
                charges.add(partition, (cell, sum), step);
            }
            if let Some(step) = step {
                cells.entry((partition, step)).or_default().add(&requests);
            }
        }
        if let Some(charges) = charges {
            charges.price(region.as_ref(), &mut priced);
        }
        for ((partition, second), sum) in cells {
            for (measure, value) in sum.rates(counted.step_s) {
                let of = rates.entry(measure).or_default();
                let of = of.entry(region.clone()).or_default();
                of.entry(partition).or_default().push((second, value));
            }
        }
    }
    let mixed = if is_mixed {
        "; where totals and single requests cover the same time, the one with more requests counts alone"
    } else {
        ""
    };
    let from = |step_s| format!("request log, {}{mixed}", grain_text(step_s));
    let step_s = |region: &_, _: &_| widths.get(region).copied().unwrap_or(1);
    let partitions = join.partitions.len();
    let of_measure = |(measure, points)| tracks(measure, step_s, from, points, partitions, room);
    (rates.into_iter().flat_map(of_measure).collect(), sums, priced)
}

/// Which of several inputs counts in each step of a region: the same requests may stand in a log of single requests, in
/// totals of 5 minutes and in totals of 15 minutes. The one that tells of most requests is the most complete one; of
/// equals the coarser, whose totals are the service's own.
struct CountedInput {
    step_s: u32,
    /// The span of the records that count, by step.
    spans: BTreeMap<Option<i64>, u32>,
    is_mixed: bool,
}

impl CountedInput {
    fn of(entries: &[RequestEntry<'_>], width_s: u32) -> Self {
        let spans = entries.iter().map(|(cell, _)| cell.span_s);
        let step_s = spans.fold(width_s.max(1), u32::max);
        let mut counted = Self { step_s, spans: BTreeMap::new(), is_mixed: false };
        let mut reported: BTreeMap<(Option<i64>, u32), u64> = BTreeMap::new();
        for (cell, sum) in entries {
            let step = counted.step(cell.second);
            let held = reported.entry((step, cell.span_s)).or_default();
            *held = held.saturating_add(sum.requests);
        }
        let mut most = BTreeMap::new();
        for ((step, span_s), requests) in reported {
            let held = most.entry(step).or_insert((requests, span_s));
            counted.is_mixed |= held.1 != span_s;
            *held = (*held).max((requests, span_s));
        }
        let spans = most.into_iter().map(|(step, (_, span_s))| (step, span_s));
        counted.spans = spans.collect();
        counted
    }

    fn step(&self, second: Option<i64>) -> Option<i64> {
        let step = i64::from(self.step_s);
        second.map(|s| s.saturating_sub(s.rem_euclid(step)))
    }

    fn holds(&self, cell: &RequestCell) -> bool {
        self.spans.get(&self.step(cell.second)) == Some(&cell.span_s)
    }
}

impl PartitionRequests {
    /// 403s a second, from the first of them to where the input ends; None where no time is known, or of so few that their
    /// count says more.
    pub fn forbidden_rate(&self, ends: Option<i64>) -> Option<f64> {
        let span = self.forbidden_from.zip(ends);
        let (from, ends) = span.filter(|(from, ends)| from < ends)?;
        let rate = real(self.forbidden) / real(ends.abs_diff(from));
        (rate >= 1.0).then_some(rate)
    }

    fn of(cell: &RequestCell, sum: &RequestSum) -> Self {
        let with = |status| {
            if cell.status == status { sum.requests } else { 0 }
        };
        let forbidden = with(FORBIDDEN);
        Self {
            requests: sum.requests,
            throttled: with(TOO_MANY_REQUESTS),
            forbidden,
            forbidden_from: cell.second.filter(|_| forbidden > 0),
            ru: sum.ru,
        }
    }

    pub fn add(&mut self, other: &Self) {
        self.requests = self.requests.saturating_add(other.requests);
        self.throttled = self.throttled.saturating_add(other.throttled);
        self.forbidden = self.forbidden.saturating_add(other.forbidden);
        let from = [self.forbidden_from, other.forbidden_from];
        self.forbidden_from = from.into_iter().flatten().min();
        self.ru += other.ru;
    }

    fn rates(&self, step_s: u32) -> [(Measure, f64); 4] {
        let step = f64::from(step_s);
        let (requests, throttled) = (real(self.requests), real(self.throttled));
        // A step in which nothing was asked for has no share: that value is left out as no number.
        [
            (Measure::RequestRu, self.ru / step),
            (Measure::Throttled, throttled / step),
            (Measure::ThrottledShare, throttled / requests),
            (Measure::Requests, requests / step),
        ]
    }
}

/// `TotalRequests` of the whole container. An answer may be there twice, by other dimensions each time: the one that
/// counts most requests is the most complete, and of those by status the one that counts most has the refused ones.
pub(super) fn whole(metrics: &[MetricEntry<'_>]) -> WholeLoad {
    let is_it = |(name, _): &&MetricEntry<'_>| is_requests(name);
    let mut forms: BTreeMap<(Vec<&str>, &str), (f64, f64, f64)> = BTreeMap::new();
    let mut forbidden_from = None;
    for (name, points) in metrics.iter().filter(is_it) {
        let dimensions = name.dimensions.iter().map(|(n, _)| n.as_str()).collect();
        let sum: f64 = positive(points).map(|(_, value)| value).sum();
        let held = forms.entry((dimensions, name.aggregation.as_str())).or_default();
        held.0 += sum;
        match status(name) {
            Some(TOO_MANY_REQUESTS) => held.1 += sum,
            Some(FORBIDDEN) => {
                held.2 += sum;
                let seconds = positive(points).map(|(second, _)| second);
                forbidden_from = seconds.chain(forbidden_from).min();
            }
            _ => {}
        }
    }
    let by_status =
        |((dimensions, _), _): &(&(Vec<&str>, &str), _)| dimensions.contains(&"statuscode");
    let most = forms.values().map(|sums| sums.0).reduce(f64::max);
    let throttled = forms.iter().filter(by_status).map(|(_, sums)| *sums);
    let throttled = throttled.max_by(|a, b| a.0.total_cmp(&b.0));
    WholeLoad {
        requests: most.map(count),
        throttled: throttled.map(|(_, throttled, _)| count(throttled)),
        forbidden: count(forms.values().map(|sums| sums.2).fold(0.0, f64::max)),
        forbidden_from,
        ru: whole_ru(metrics),
        span: span(metrics.iter().filter(is_it)),
        // Buckets have numbers from 1 on; requests in none have no number, or 0.
        in_buckets: throttled_by(metrics, "throughputbucket", |bucket| {
            bucket.trim().parse().is_ok_and(|bucket: u32| bucket > 0)
        }),
        of_low_priority: throttled_by(metrics, "prioritylevel", |level| {
            level.eq_ignore_ascii_case("low")
        }),
    }
}

fn span<'m>(metrics: impl Iterator<Item = &'m MetricEntry<'m>>) -> Option<(i64, i64)> {
    let seconds = metrics.flat_map(|(_, points)| points.iter().map(|(at, _)| at.seconds()));
    seconds.fold(None, |held: Option<(i64, i64)>, at| {
        Some(held.map_or((at, at), |(from, to)| (from.min(at), to.max(at))))
    })
}

/// 429s by the metric `TotalRequests` where a dimension has a value; None where no series has the dimension. Of counts and
/// totals of the same requests the higher sum.
fn throttled_by(
    metrics: &[MetricEntry<'_>],
    dimension: &str,
    is_meant: impl Fn(&str) -> bool,
) -> Option<u64> {
    let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
    for (name, points) in metrics {
        let is_it = is_requests(name) && status(name) == Some(TOO_MANY_REQUESTS);
        let Some(value) = name.dimension(dimension).filter(|_| is_it) else {
            continue;
        };
        let found: f64 = positive(points).map(|(_, value)| value).sum();
        let held = sums.entry(name.aggregation.as_str()).or_default();
        *held += if is_meant(value) { found } else { 0.0 };
    }
    sums.into_values().reduce(f64::max).map(count)
}

/// RU that burst capacity served, by step: of answers by other dimensions the one that tells of most.
pub(super) fn bursts(metrics: &[MetricEntry<'_>]) -> Vec<BurstStep> {
    let mut forms: BTreeMap<Vec<&str>, BTreeMap<i64, f64>> = BTreeMap::new();
    let mut step_s = u32::MAX;
    for (name, points) in metrics.iter().filter(|(name, _)| is_ru(name)) {
        let of = name.dimension("capacitytype");
        if !of.is_some_and(|of| of.eq_ignore_ascii_case("BurstCapacity")) {
            continue;
        }
        let dimensions = name.dimensions.iter().map(|(n, _)| n.as_str()).collect();
        let form = forms.entry(dimensions).or_default();
        step_s = step_s.min(grain_of(points));
        for (second, ru) in positive(points) {
            *form.entry(second).or_default() += ru;
        }
    }
    let sum = |form: &BTreeMap<i64, f64>| form.values().sum::<f64>();
    let most = forms.into_values().max_by(|a, b| sum(a).total_cmp(&sum(b)));
    let burst = |(second, ru)| BurstStep { second, step_s, ru };
    most.into_iter().flatten().map(burst).collect()
}

/// The nearest two points.
fn grain_of(points: &[(Stamp, f64)]) -> u32 {
    let pairs = points.iter().zip(points.iter().skip(1));
    let apart = pairs.filter_map(|((a, _), (b, _))| u32::try_from(b.seconds() - a.seconds()).ok());
    apart.filter(|s| *s > 0).min().unwrap_or(60)
}

/// Seconds and values of the points that are above zero.
fn positive(points: &[(Stamp, f64)]) -> impl Iterator<Item = (i64, f64)> {
    let above = points.iter().filter(|(_, value)| value.is_finite() && *value > 0.0);
    above.map(|(at, value)| (at.seconds(), *value))
}

fn is_requests(name: &SeriesName) -> bool {
    name.metric.eq_ignore_ascii_case("TotalRequests")
        && matches!(name.aggregation.as_str(), "count" | "total")
}

fn is_ru(name: &SeriesName) -> bool {
    name.metric.eq_ignore_ascii_case("TotalRequestUnits") && name.aggregation == "total"
}

/// Of answers by other dimensions the one that tells of most.
fn whole_ru(metrics: &[MetricEntry<'_>]) -> Option<f64> {
    let mut forms: BTreeMap<Vec<&str>, f64> = BTreeMap::new();
    for (name, points) in metrics.iter().filter(|(name, _)| is_ru(name)) {
        let dimensions = name.dimensions.iter().map(|(n, _)| n.as_str()).collect();
        let held = forms.entry(dimensions).or_default();
        *held += positive(points).map(|(_, value)| value).sum::<f64>();
    }
    forms.into_values().reduce(f64::max)
}

pub(super) fn status(name: &SeriesName) -> Option<u16> {
    name.dimension("statuscode")?.trim().parse().ok()
}

fn count(requests: f64) -> u64 {
    whole_u64(requests.round())
}
