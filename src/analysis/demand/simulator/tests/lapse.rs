//! Time lapses against the service that answers request by request.

use std::collections::BTreeMap;

use super::{Simulation, Workload, as_number};
use crate::analysis::ceiling::Ceiling;
use crate::analysis::demand::{Demand, DemandLoad, Evidence, Keyless, Requester};
use crate::analysis::simulate::{
    LapseStart, LoadTotals, OverflowPolicy, SimulateQuestion, StartPartition, TimeLapse,
};

const POINTS: f64 = 0.015;
const WORKLOADS: u64 = 60;

/// First attempts as they came, or their means of the whole time with chance added.
fn demand(workload: &Workload, simulation: &Simulation, is_mean: bool) -> Demand {
    let seconds = workload.traffic.seconds;
    let step_s = if is_mean { seconds } else { 1 };
    let mut sums: BTreeMap<(i64, u32, Requester), f64> = BTreeMap::new();
    let (mut squares, mut all) = (0.0, 0.0);
    for (answer, stream) in simulation.with_stream() {
        let ru = f64::from(answer.counts.first) * stream.ru_each;
        let second = i64::from(answer.second - answer.second % step_s);
        let requester = stream.key.map_or(Requester::Keyless, Requester::Key);
        let sum = sums.entry((second, answer.partition, requester));
        *sum.or_default() += ru / f64::from(step_s);
        all += ru;
        squares += ru * stream.ru_each;
    }
    let load = |((second, partition, requester), ru): ((i64, u32, Requester), f64)| {
        DemandLoad::served(second, requester, partition, ru)
    };
    Demand {
        keys: workload.traffic.keys.clone().into(),
        loads: sums.into_iter().map(load).collect(),
        evidence: Evidence::RuLog,
        keyless: Keyless::Divided,
        step_s,
        span: (0, i64::from(seconds)),
        unplaced_ru: 0.0,
        charge: is_mean.then(|| squares / all),
        ru_of_429: 0.0,
        retries: None,
    }
}

fn lapse(workload: &Workload, demand: Demand) -> LoadTotals {
    let service = &workload.service;
    let partition = |(n, ru): (usize, &f64)| StartPartition {
        id: n.to_string(),
        ru_per_second: Some(*ru),
        ..StartPartition::default()
    };
    let start = LapseStart {
        layout: Some(service.layout.clone()),
        partitions: service.capacities.iter().enumerate().map(partition).collect(),
        demand: Some(demand),
        is_burst: service.is_burst,
        ..LapseStart::default()
    };
    let asked = SimulateQuestion {
        ceiling: Ceiling::BINARY,
        until_s: i64::from(workload.traffic.seconds),
        step_s: 1,
        load_factor: 1.0,
        load_growth: None,
        ru_per_second: None,
        partitions: None,
        growth_factor: 1.0,
        kept_days: None,
        retries: Some(service.retries),
        overflow: OverflowPolicy::Stop,
        stop_at: None,
        seed: 1,
    };
    TimeLapse::of(&start, &asked).totals.load.unwrap()
}

/// RU of the attempts that got 429, of all attempts.
fn throttled_attempts(simulation: &Simulation) -> f64 {
    let (mut all, mut throttled) = (0.0, 0.0);
    for (answer, stream) in simulation.with_stream() {
        let counts = answer.counts;
        throttled += f64::from(counts.throttled) * stream.ru_each;
        all += f64::from(counts.throttled + counts.served) * stream.ru_each;
    }
    throttled / all
}

#[test]
fn shares_are_those_of_single_requests() {
    let mut throttled = 0;
    for seed in 0..WORKLOADS {
        let mut workload = Workload::of(5_000 + seed, 0);
        workload.service.is_burst = seed % 3 == 0;
        let simulation = workload.service.simulate(&workload.traffic);
        let truth = simulation.truth(0, workload.traffic.seconds).throttled_share();
        throttled += usize::from(truth > 0.02);
        // Courses and peaks of some minutes are no chance: only even load is known by its mean.
        let traffic = &workload.traffic;
        let mut streams = traffic.streams.iter();
        let is_even = traffic.course.is_empty()
            && streams.all(|stream| stream.during == (0, traffic.seconds));
        for is_mean in [false, true] {
            if is_mean && !is_even {
                continue;
            }
            let found = lapse(&workload, demand(&workload, &simulation, is_mean));
            let off = found.throttled_share() - truth;
            assert!(off.abs() <= POINTS, "{seed} {is_mean}: {off} of {truth}");
        }
    }
    assert!(as_number(throttled) > 0.4 * crate::model::units::real(WORKLOADS), "{throttled}");
}

#[test]
fn repeated_requests_are_throttled_as_often() {
    for seed in 0..WORKLOADS {
        let mut workload = Workload::of(7_000 + seed, 9);
        workload.service.is_burst = seed % 3 == 0;
        let simulation = workload.service.simulate(&workload.traffic);
        let found = lapse(&workload, demand(&workload, &simulation, false));
        let truth = throttled_attempts(&simulation);
        let off = found.attempts_throttled_share() - truth;
        assert!(off.abs() <= POINTS, "{seed}: {off} of {truth}");
    }
}
