//! The requests of a scenario, second by second: what each key asks for, what its partition grants, and what is refused.

use std::collections::BTreeMap;

use super::PlannedContainer;
use super::keys::Period;
use super::random::Random;
use super::ranges::Range;
use super::spec::{Operation, Reach, Spec};
use crate::model::load::{
    FORBIDDEN, Limited, Load, RequestRecord, RuLog, RuRecord, SeriesName, TOO_MANY_REQUESTS,
};
use crate::model::ru_bucket::RuBucket;
use crate::model::time::Stamp;
use crate::model::units::{LOGICAL_CEILING_KIB, whole_u64};

/// A refusal does no work; this is the way there and back.
const REFUSED_MS: f64 = 0.4;
/// The span of the totals of requests in resource logs.
const TOTAL_SECONDS: u32 = 300;
const METRIC_SECONDS: i64 = 60;
/// Out of the way of the streams of keys and GUIDs.
const PHASE_STREAM: u64 = 2 << 32;

/// One sort of request that goes to one partition, by one key or by none.
struct Flow<'a> {
    key: &'a str,
    period: Option<Period>,
    range: usize,
    operation: Operation,
    requests_per_s: f64,
    ru_each: f64,
    ms_each: f64,
    full: bool,
    is_in_bucket: bool,
}

/// Requests of one kind on one partition until the next total is written.
#[derive(Clone, Copy, Default)]
struct Total {
    sent: f64,
    throttled: f64,
    /// Of the throttled ones, by the throughput bucket.
    limited: f64,
    ru: f64,
    ms: f64,
}

/// What is told of one partition by operation, and apart where keys are full.
type Totals = BTreeMap<(usize, Operation, bool), Total>;

/// Requests of one flow in one second.
struct FlowSecond<'a> {
    flow: &'a Flow<'a>,
    /// Those that reach the partition.
    requests: f64,
    /// Those that the throughput bucket throttles before.
    limited: f64,
}

/// The partitions of a container, and what they noted since it was last told.
struct Service {
    buckets: Vec<RuBucket>,
    busiest: Vec<f64>,
    /// Served beyond the RU/s of a partition.
    burst_ru: f64,
    totals: Totals,
}

pub(super) fn write(made: &PlannedContainer<'_>, scenario: &Spec, load: &mut Load) {
    let end = made.ends.seconds();
    let start = end - scenario.load_seconds();
    let flows = flows(made, start);
    let mut service = Service::new(made);
    let mut pending = pending(made.seed, &flows, start, end);
    let mut sent = Vec::new();
    for second in start..end {
        send(made, &mut pending, second, &mut sent);
        limit(made, &mut sent);
        log(made, &sent, second, load);
        service.answer(made, &sent);
        let passed = second + 1 - start;
        if passed % METRIC_SECONDS == 0 {
            service.metric(made, scenario, second + 1 - METRIC_SECONDS, load);
        }
        if passed % i64::from(TOTAL_SECONDS) == 0 {
            let totals = std::mem::take(&mut service.totals);
            write_totals(made, second + 1 - i64::from(TOTAL_SECONDS), totals, load);
        }
    }
}

fn flows<'a>(made: &'a PlannedContainer<'_>, start: i64) -> Vec<Flow<'a>> {
    let mut flows = Vec::new();
    for key in &made.keys {
        let loads = made.spec.keys.get(key.group).map(|g| g.load.as_slice()).unwrap_or_default();
        for (load, ru_per_s) in loads.iter().zip(&key.ru_per_s) {
            flows.push(Flow {
                key: &key.canonical,
                period: both(key.period, minutes(load.minutes, start)),
                range: key.range,
                operation: load.operation,
                requests_per_s: ru_per_s / load.ru_each,
                ru_each: load.ru_each,
                ms_each: load.ms_each,
                full: load.operation.adds_data() && key.kib >= LOGICAL_CEILING_KIB,
                is_in_bucket: load.is_in_bucket,
            });
        }
    }
    for load in &made.spec.without_key {
        for (range, of) in made.ranges.iter().enumerate() {
            let share = if load.reach == Reach::EveryPartition { 1.0 } else { of.share };
            flows.push(Flow {
                key: "",
                period: minutes(load.minutes, start),
                range,
                operation: load.operation,
                requests_per_s: load.requests_per_s * share,
                ru_each: load.ru_each,
                ms_each: load.ms_each,
                full: false,
                is_in_bucket: false,
            });
        }
    }
    flows
}

/// The only time a load is there, if it is not there always.
fn minutes(minutes: Option<(u32, u32)>, start: i64) -> Option<Period> {
    let (from, to) = minutes?;
    let second = |minute: u32| start + i64::from(minute) * 60;
    Some((second(from), second(to)))
}

/// What two periods have in common; None is always.
fn both(a: Option<Period>, b: Option<Period>) -> Option<Period> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.max(b.0), a.1.min(b.1))),
        (one, other) => one.or(other),
    }
}

/// Flows with the parts of requests that they carry over from second to second.
struct Pending<'a> {
    flow: &'a Flow<'a>,
    /// Its place among all, which its sway depends on.
    number: u64,
    carried: f64,
    from: i64,
    to: i64,
}

/// Those that send anything between two times.
fn pending<'a>(seed: u64, flows: &'a [Flow<'a>], start: i64, end: i64) -> Vec<Pending<'a>> {
    let mut random = Random::new(seed, PHASE_STREAM);
    let pending = (0_u64..).zip(flows).map(|(number, flow)| {
        let (from, to) = flow.period.unwrap_or((start, end));
        Pending {
            flow,
            number,
            // Without a start of its own each, all slow keys would be asked for in the same seconds.
            carried: random.share(),
            from,
            to,
        }
    });
    pending.filter(|p| p.to > start && p.from < end).collect()
}

/// Whole requests of every flow in one second.
fn send<'a>(
    made: &PlannedContainer<'_>,
    pending: &mut [Pending<'a>],
    second: i64,
    sent: &mut Vec<FlowSecond<'a>>,
) {
    sent.clear();
    for p in pending {
        if (p.from..p.to).contains(&second) {
            p.carried += p.flow.requests_per_s * sway(made, p.number, second);
            if p.carried >= 1.0 {
                let requests = p.carried.floor();
                p.carried -= requests;
                sent.push(FlowSecond { flow: p.flow, requests, limited: 0.0 });
            }
        }
    }
}

/// Of the requests in the throughput bucket as many are throttled as go beyond its share of the RU/s.
fn limit(made: &PlannedContainer<'_>, sent: &mut [FlowSecond<'_>]) {
    let Some(share) = made.spec.bucket_share else {
        return;
    };
    let limit = share * made.spec.throughput.highest();
    let in_bucket = sent.iter().filter(|s| s.flow.is_in_bucket);
    let wanted: f64 = in_bucket.map(|s| s.requests * s.flow.ru_each).sum();
    let beyond = (1.0 - limit / wanted).max(0.0);
    for s in sent.iter_mut().filter(|s| s.flow.is_in_bucket) {
        s.limited = s.requests * beyond;
        s.requests -= s.limited;
    }
}

fn log(made: &PlannedContainer<'_>, sent: &[FlowSecond<'_>], second: i64, load: &mut Load) {
    // Writes to a full key are turned away before they cost anything.
    for FlowSecond { flow, requests, .. } in sent.iter().filter(|s| !s.flow.full) {
        let Some(range) = made.ranges.get(flow.range) else {
            continue;
        };
        load.add_ru(&RuRecord {
            container: made.place.container,
            log: RuLog::OwnTable,
            region: made.place.region,
            range: &range.id,
            key: flow.key,
            operation: flow.operation.word(),
            at: Stamp::from_seconds(second),
            ru: requests * flow.ru_each,
            mark: None,
        });
    }
}

/// The second of a pair takes back what the first had more, so that the mean stays as described.
fn sway(made: &PlannedContainer<'_>, flow: u64, second: i64) -> f64 {
    if made.spec.sway == 0.0 {
        return 1.0;
    }
    let pair = u64::try_from(second.div_euclid(2)).unwrap_or_default();
    let more = made.spec.sway * (2.0 * Random::new(made.seed ^ pair, flow).share() - 1.0);
    if second.rem_euclid(2) == 0 { 1.0 + more } else { 1.0 - more }
}

/// RU asked of each partition, as they are logged.
fn requested_ru(sent: &[FlowSecond<'_>], partitions: usize) -> Vec<f64> {
    let mut demand = vec![0.0; partitions];
    for FlowSecond { flow, requests, .. } in sent.iter().filter(|s| !s.flow.full) {
        if let Some(demand) = demand.get_mut(flow.range) {
            *demand += requests * flow.ru_each;
        }
    }
    demand
}

impl Service {
    fn new(made: &PlannedContainer<'_>) -> Self {
        let bucket = |range: &Range| RuBucket::of(range.ru_per_second, made.spec.is_burst);
        Self {
            buckets: made.ranges.iter().map(bucket).collect(),
            busiest: vec![0.0; made.ranges.len()],
            burst_ru: 0.0,
            totals: Totals::new(),
        }
    }

    fn answer(&mut self, made: &PlannedContainer<'_>, sent: &[FlowSecond<'_>]) {
        let mut throttled = requested_ru(sent, made.ranges.len());
        let partitions = self.buckets.iter_mut().zip(&mut self.busiest);
        for ((range, (bucket, busy)), ru) in made.ranges.iter().zip(partitions).zip(&mut throttled)
        {
            *busy = busy.max(*ru / range.ru_per_second);
            let beyond = bucket.beyond(*ru);
            self.burst_ru += (*ru - beyond - range.ru_per_second).max(0.0);
            // From here on the share of it that is throttled.
            *ru = if beyond > 0.0 { beyond / *ru } else { 0.0 };
        }
        for FlowSecond { flow, requests, limited } in sent {
            let throttled = match throttled.get(flow.range) {
                _ if flow.full => 1.0,
                share => share.copied().unwrap_or_default(),
            };
            let kind = (flow.range, flow.operation, flow.full);
            let total = self.totals.entry(kind).or_default();
            let done = requests * (1.0 - throttled);
            total.sent += requests + limited;
            total.throttled += requests - done + limited;
            total.limited += limited;
            total.ru += done * flow.ru_each;
            total.ms += done * flow.ms_each;
        }
    }

    fn metric(
        &mut self,
        made: &PlannedContainer<'_>,
        scenario: &Spec,
        minute: i64,
        load: &mut Load,
    ) {
        let Some(at) = Stamp::from_seconds(minute) else {
            return;
        };
        let series = |metric: &str, unit: &str, aggregation: &str, name: &str, value: &str| {
            let named = |name: &str, value: &str| (name.to_owned(), value.to_owned());
            SeriesName {
                metric: metric.to_owned(),
                unit: unit.to_owned(),
                aggregation: aggregation.to_owned(),
                container: made.place.container,
                dimensions: vec![
                    named("collectionname", &made.spec.name),
                    named("databasename", &scenario.database),
                    named(name, value),
                ],
            }
        };
        for (range, busy) in made.ranges.iter().zip(&mut self.busiest) {
            let of = "NormalizedRUConsumption";
            let series = series(of, "Percent", "maximum", "partitionkeyrangeid", &range.id);
            // The service tells whole percents and never more than all.
            let percent = (std::mem::take(busy) * 100.0).round().min(100.0);
            load.add_point(&series, at, percent);
        }
        if made.spec.is_burst {
            let of = "TotalRequestUnits";
            let series = series(of, "Count", "total", "capacitytype", "BurstCapacity");
            load.add_point(&series, at, std::mem::take(&mut self.burst_ru).round());
        }
    }
}

fn write_totals(made: &PlannedContainer<'_>, start: i64, totals: Totals, load: &mut Load) {
    for ((range, operation, full), total) in totals {
        let Some(range) = made.ranges.get(range) else {
            continue;
        };
        let throttled = total.throttled.round();
        if made.spec.bucket_share.is_some() {
            let in_buckets = whole_u64(total.limited.round());
            let found = Limited {
                in_buckets,
                of_neither: whole_u64(throttled).saturating_sub(in_buckets),
                ..Limited::default()
            };
            load.add_limited(made.place.container, found);
        }
        let refusal = if full { FORBIDDEN } else { TOO_MANY_REQUESTS };
        let rows = [
            (operation.done_status(), total.sent - throttled, total.ru, total.ms),
            (refusal, throttled, 0.0, throttled * REFUSED_MS),
        ];
        for (status, requests, ru, duration_ms) in rows.into_iter().filter(|row| row.1 > 0.0) {
            load.add_request(&RequestRecord {
                container: made.place.container,
                region: made.place.region,
                partition: &range.guid,
                operation: operation.word(),
                status,
                span_s: TOTAL_SECONDS,
                at: Stamp::from_seconds(start),
                requests: whole_u64(requests),
                ru,
                duration_ms,
                mark: None,
            });
        }
    }
}
