//! The requests of a scenario, second by second: what each key asks for, what its partition grants, and what is refused.

use std::collections::BTreeMap;

use super::PlannedContainer;
use super::keys::Period;
use super::random::Random;
use super::spec::{KeyLoad, Operation, Reach, Spec};
use crate::model::load::{Load, RequestRecord, RuLog, RuRecord, SeriesName};
use crate::model::time::Stamp;
use crate::model::units::{LOGICAL_CEILING_KIB, whole_u64};

const TOO_MANY_REQUESTS: u16 = 429;
/// A write to a logical partition that is full.
const FORBIDDEN: u16 = 403;
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
}

/// Requests of one kind on one partition until the next total is written.
#[derive(Clone, Copy, Default)]
struct Total {
    sent: f64,
    throttled: f64,
    ru: f64,
    ms: f64,
}

/// What is told of one partition by operation, and apart where keys are full.
type Totals = BTreeMap<(usize, Operation, bool), Total>;

/// Requests of one flow in one second.
struct FlowSecond<'a> {
    flow: &'a Flow<'a>,
    requests: f64,
}

pub(super) fn write(made: &PlannedContainer<'_>, scenario: &Spec, load: &mut Load) {
    let end = made.ends.seconds();
    let start = end - scenario.load_seconds();
    let flows = flows(made, start);
    let mut totals = Totals::new();
    let mut busiest = vec![0.0_f64; made.ranges.len()];
    for (second, sent) in (start..end).zip(by_second(made, &flows, start, end)) {
        log(made, &sent, second, load);
        let demand = requested_ru(&sent, made.ranges.len());
        for ((busy, demand), range) in busiest.iter_mut().zip(&demand).zip(&made.ranges) {
            *busy = busy.max(demand / range.ru_per_second);
        }
        answer(made, &sent, &demand, &mut totals);
        let passed = second + 1 - start;
        if passed % METRIC_SECONDS == 0 {
            metric(
                made,
                scenario,
                second + 1 - METRIC_SECONDS,
                &mut busiest,
                load,
            );
        }
        if passed % i64::from(TOTAL_SECONDS) == 0 {
            write_totals(
                made,
                second + 1 - i64::from(TOTAL_SECONDS),
                std::mem::take(&mut totals),
                load,
            );
        }
    }
}

fn flows<'a>(made: &'a PlannedContainer<'_>, start: i64) -> Vec<Flow<'a>> {
    let mut flows = Vec::new();
    for key in &made.keys {
        let loads = made
            .spec
            .keys
            .get(key.group)
            .map(|g| g.load.as_slice())
            .unwrap_or_default();
        for (load, ru_per_s) in loads.iter().zip(&key.ru_per_s) {
            flows.push(Flow {
                key: &key.canonical,
                period: both(key.period, minutes(load, start)),
                range: key.range,
                operation: load.operation,
                requests_per_s: ru_per_s / load.ru_each,
                ru_each: load.ru_each,
                ms_each: load.ms_each,
                full: load.operation.adds_data() && key.kib >= LOGICAL_CEILING_KIB,
            });
        }
    }
    for load in &made.spec.without_key {
        for (range, of) in made.ranges.iter().enumerate() {
            let share = if load.reach == Reach::EveryPartition {
                1.0
            } else {
                of.share
            };
            flows.push(Flow {
                key: "",
                period: None,
                range,
                operation: load.operation,
                requests_per_s: load.requests_per_s * share,
                ru_each: load.ru_each,
                ms_each: load.ms_each,
                full: false,
            });
        }
    }
    flows
}

/// The only time a load is there, if it is not there always.
fn minutes(load: &KeyLoad, start: i64) -> Option<Period> {
    let (from, to) = load.minutes?;
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

/// Whole requests of every flow, parts of one carried over to the next second.
fn by_second<'a>(
    container: &PlannedContainer<'_>,
    flows: &'a [Flow<'a>],
    start: i64,
    end: i64,
) -> Vec<Vec<FlowSecond<'a>>> {
    let mut seconds: Vec<Vec<FlowSecond<'a>>> = (start..end).map(|_| Vec::new()).collect();
    let mut random = Random::new(container.seed, PHASE_STREAM);
    for (number, flow) in (0_u64..).zip(flows) {
        // Without a start of its own each, all slow keys would be asked for in the same seconds.
        let mut carried = random.share();
        let (from, to) = flow.period.unwrap_or((start, end));
        if to <= start || from >= end {
            continue;
        }
        for (second, sent) in (start..end).zip(&mut seconds) {
            if (from..to).contains(&second) {
                carried += flow.requests_per_s * sway(container, number, second);
                if carried >= 1.0 {
                    let requests = carried.floor();
                    carried -= requests;
                    sent.push(FlowSecond { flow, requests });
                }
            }
        }
    }
    seconds
}

fn log(made: &PlannedContainer<'_>, sent: &[FlowSecond<'_>], second: i64, load: &mut Load) {
    // Writes to a full key are turned away before they cost anything.
    for FlowSecond { flow, requests } in sent.iter().filter(|s| !s.flow.full) {
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
    if second.rem_euclid(2) == 0 {
        1.0 + more
    } else {
        1.0 - more
    }
}

/// RU asked of each partition, as they are logged.
fn requested_ru(sent: &[FlowSecond<'_>], partitions: usize) -> Vec<f64> {
    let mut demand = vec![0.0; partitions];
    for FlowSecond { flow, requests } in sent.iter().filter(|s| !s.flow.full) {
        if let Some(demand) = demand.get_mut(flow.range) {
            *demand += requests * flow.ru_each;
        }
    }
    demand
}

fn answer(
    made: &PlannedContainer<'_>,
    sent: &[FlowSecond<'_>],
    demand: &[f64],
    totals: &mut Totals,
) {
    let throttled = |granted: f64, demand: f64| {
        if demand > granted {
            1.0 - granted / demand
        } else {
            0.0
        }
    };
    let throttled: Vec<f64> = made
        .ranges
        .iter()
        .zip(demand)
        .map(|(range, demand)| throttled(range.ru_per_second, *demand))
        .collect();
    for FlowSecond { flow, requests } in sent {
        let throttled_share = if flow.full {
            1.0
        } else {
            throttled.get(flow.range).copied().unwrap_or_default()
        };
        let total = totals
            .entry((flow.range, flow.operation, flow.full))
            .or_default();
        let done = requests * (1.0 - throttled_share);
        total.sent += requests;
        total.throttled += requests - done;
        total.ru += done * flow.ru_each;
        total.ms += done * flow.ms_each;
    }
}

fn metric(
    made: &PlannedContainer<'_>,
    scenario: &Spec,
    minute: i64,
    busiest: &mut [f64],
    load: &mut Load,
) {
    let Some(at) = Stamp::from_seconds(minute) else {
        return;
    };
    for (range, busy) in made.ranges.iter().zip(busiest) {
        let named = |name: &str, value: String| (name.to_owned(), value);
        let series = SeriesName {
            metric: "NormalizedRUConsumption".to_owned(),
            unit: "Percent".to_owned(),
            aggregation: "maximum".to_owned(),
            container: made.place.container,
            dimensions: vec![
                named("collectionname", made.spec.name.clone()),
                named("databasename", scenario.database.clone()),
                named("partitionkeyrangeid", range.id.clone()),
            ],
        };
        // The service tells whole percents and never more than all.
        load.add_point(
            &series,
            at,
            (std::mem::take(busy) * 100.0).round().min(100.0),
        );
    }
}

fn write_totals(made: &PlannedContainer<'_>, start: i64, totals: Totals, load: &mut Load) {
    for ((range, operation, full), total) in totals {
        let Some(range) = made.ranges.get(range) else {
            continue;
        };
        let throttled = total.throttled.round();
        let refusal = if full { FORBIDDEN } else { TOO_MANY_REQUESTS };
        let rows = [
            (
                operation.done_status(),
                total.sent - throttled,
                total.ru,
                total.ms,
            ),
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
