//! Demand and remedies against a service whose requests are all known.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test may panic, and its figures are worth reading"
)]

mod lapse;
mod metamorphic;
mod oracle;
mod small;

use std::sync::Arc;

use super::{RequestTotal, ServiceModel, Simulation, Stream, Traffic};
use crate::analysis::demand::simulator::random::Random;
use crate::analysis::demand::{CurrentLoad, DemandKey};
use crate::analysis::diagnosis::Diagnosis;
use crate::analysis::diagnosis::testing::{DiagnosisFixture, START, definition};
use crate::analysis::diagnosis::thresholds::Thresholds;
use crate::model::layout::Layout;
use crate::model::layout::tests::hash;
use crate::model::load::RuLog;
use crate::model::units::as_number;

/// How much is requested.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Goal {
    /// This part is throttled, if every second were like the mean.
    Throttled(f64),
    /// The fullest partition uses this part of its RU/s.
    Calm(f64),
}

/// Traffic and the service that it meets, by a seed.
#[derive(Clone)]
struct Workload {
    traffic: Traffic,
    service: ServiceModel,
    /// Seconds of a record of the request log.
    total_s: u32,
}

impl Workload {
    fn of(seed: u64, retries: u8) -> Self {
        let mut chance = Random::of(seed);
        let partitions = whole(chance.between(1.0, 21.0));
        let service = ServiceModel {
            layout: Layout::even(partitions, &definition()),
            capacities: capacities(&mut chance, partitions),
            is_burst: false,
            retries,
        };
        let keys = whole(chance.between_by_factor(5.0, 500.0));
        let skew = chance.between(0.0, 1.5);
        let seconds = if chance.unit() < 0.2 && keys < 150 { 600 } else { 300 };
        let goal = if chance.unit() < 0.2 {
            Goal::Calm(chance.between(0.3, 0.95))
        } else {
            Goal::Throttled(chance.between(0.0, 0.45))
        };
        let mut streams = keyed(&mut chance, keys, skew, seconds);
        if chance.unit() < 0.3 {
            streams.push(keyless(&mut chance, partitions, seconds));
        }
        let mut workload = Self {
            traffic: Traffic {
                keys: (0..keys).map(key).collect(),
                streams,
                seconds,
                course: course(seed, seconds),
                seed,
                limited: None,
            },
            service,
            total_s: if chance.unit() < 0.8 { 300 } else { 0 },
        };
        workload.scale(goal);
        if chance.unit() < 0.25 {
            workload.add_peak(&mut chance);
        }
        workload
    }

    /// RU/s of each partition while nothing is left to chance.
    fn mean_loads(&self) -> Vec<f64> {
        let mut loads = vec![0.0; self.service.capacities.len()];
        for stream in &self.traffic.streams {
            for place in self.service.visited(&self.traffic, stream) {
                loads[place as usize] += stream.per_second * stream.ru_each;
            }
        }
        loads
    }

    fn scale(&mut self, goal: Goal) {
        let loads = self.mean_loads();
        let of = || loads.iter().zip(&self.service.capacities);
        let all: f64 = loads.iter().sum();
        let factor = match goal {
            Goal::Calm(share) => share / of().map(|(l, c)| l / c).fold(0.0, f64::max),
            Goal::Throttled(share) => {
                let throttled = |factor: f64| {
                    let beyond = of().map(|(l, c)| (l * factor - c).max(0.0));
                    beyond.sum::<f64>() / (all * factor)
                };
                let (mut low, mut high) = (0.0, 1e6);
                for _ in 0..200 {
                    let middle = f64::midpoint(low, high);
                    *(if throttled(middle) < share { &mut low } else { &mut high }) = middle;
                }
                high
            }
        };
        for stream in &mut self.traffic.streams {
            stream.per_second *= factor;
        }
    }

    /// Half as much again in some minutes.
    fn add_peak(&mut self, chance: &mut Random) {
        let seconds = f64::from(self.traffic.seconds);
        let from = chance.between(0.0, seconds / 2.0);
        let to = from + chance.between(30.0, seconds / 2.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "seconds of a test"
        )]
        let during = (from as u32, to as u32);
        let more = self.traffic.streams.clone();
        self.traffic.streams.extend(more.into_iter().map(|s| Stream {
            per_second: s.per_second / 2.0,
            during,
            ..s
        }));
    }

    fn simulation(&self) -> Simulation {
        self.service.simulate(&self.traffic)
    }

    fn canonical(&self, key: Option<u32>) -> &str {
        key.map_or("", |key| &self.traffic.keys[key as usize].canonical)
    }

    /// What the service logs and tells, without the RU log.
    fn stage(&self, simulation: &Simulation) -> DiagnosisFixture {
        let service = &self.service;
        let all: f64 = service.capacities.iter().sum();
        let mut stage = DiagnosisFixture::new(Some(all), service.capacities.len(), 0);
        for (at, capacity) in service.capacities.iter().enumerate() {
            stage.partition(at, |p| p.ru_per_second = Some(*capacity));
        }
        for ((start, at, operation), total) in simulation.requests(self.total_s) {
            let RequestTotal { served, throttled, ru } = total;
            let from = (START + i64::from(start), self.total_s);
            stage.requests_at(at as usize, operation, from, served + throttled, throttled, ru);
        }
        for ((minute, at), share) in simulation.normalized() {
            stage.metric_at(at as usize, START + i64::from(minute), (share * 100.0).round());
        }
        stage
    }

    fn log(&self, stage: &mut DiagnosisFixture, log: RuLog, simulation: &Simulation) {
        for r in simulation.ru_log() {
            let key = self.canonical(r.key);
            stage.logged_by(log, key, r.operation, r.partition, r.second, r.ru);
        }
    }

    fn diagnosis(&self, simulation: &Simulation) -> Diagnosis {
        self.diagnosis_with(simulation, &Thresholds::default())
    }

    fn diagnosis_with(&self, simulation: &Simulation, limits: &Thresholds) -> Diagnosis {
        let mut stage = self.stage(simulation);
        self.log(&mut stage, RuLog::OwnTable, simulation);
        stage.with(limits)
    }

    fn now(&self, simulation: &Simulation) -> Arc<CurrentLoad> {
        self.diagnosis(simulation).now.unwrap()
    }

    /// Where it is known how often clients repeat a request.
    fn known(&self, simulation: &Simulation) -> Arc<CurrentLoad> {
        let limits =
            Thresholds { retries: f64::from(self.service.retries), ..Thresholds::default() };
        self.diagnosis_with(simulation, &limits).now.unwrap()
    }
}

/// The window of an outcome in seconds of the simulation.
fn window(now: &CurrentLoad) -> (u32, u32) {
    let second = |at: i64| u32::try_from(at - START).unwrap();
    (second(now.outcome.from), second(now.outcome.to))
}

/// What each second has of the mean: a quarter of the seeds each are steady, cyclic, on and off, and in bursts under 10 s.
fn course(seed: u64, seconds: u32) -> Vec<f64> {
    let chance = &mut Random::of(seed ^ 0x00c0_ffee);
    let seconds = (0..seconds).map(f64::from);
    let turns = |times: f64, period: f64, on: f64| {
        let low = 1.0 / (1.0 - on + times * on);
        let at = move |s: f64| if s.rem_euclid(period) < period * on { low * times } else { low };
        seconds.clone().map(at).collect()
    };
    match seed % 4 {
        0 => Vec::new(),
        1 => {
            let (swing, period) = (chance.between(0.3, 0.9), chance.between(30.0, 300.0));
            let at = |s: f64| 1.0 + swing * (s / period * std::f64::consts::TAU).sin();
            seconds.map(at).collect()
        }
        2 => turns(
            chance.between_by_factor(4.0, 50.0),
            chance.between(30.0, 150.0),
            chance.between(0.4, 0.8),
        ),
        _ => {
            let (burst, period) = (chance.between(2.0, 10.0), chance.between(30.0, 90.0));
            turns(chance.between(3.0, 5.0), period, burst / period)
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number of keys or partitions"
)]
fn whole(number: f64) -> usize {
    number as usize
}

/// In all at most 20,000 RU/s, which keeps tests quick.
fn capacities(chance: &mut Random, partitions: usize) -> Vec<f64> {
    let most = (20_000.0 / as_number(partitions)).min(10_000.0);
    let base = chance.between_by_factor(400.0, most);
    let is_even = chance.unit() < 0.5;
    let one = |_| {
        let factor = if is_even { 1.0 } else { chance.between_by_factor(0.5, 2.0) };
        (base * factor).round().min(10_000.0)
    };
    (0..partitions).map(one).collect()
}

fn key(number: usize) -> DemandKey {
    let name = format!("key-{number}");
    DemandKey { canonical: format!("[\"{name}\"]"), epk: Some(hash(&name)) }
}

/// Reads and writes of each key, of which the first is the hottest.
fn keyed(chance: &mut Random, keys: usize, skew: f64, seconds: u32) -> Vec<Stream> {
    let read_ru =
        if chance.unit() < 0.5 { chance.between(1.0, 8.0) } else { chance.between(8.0, 40.0) };
    let write_ru = (read_ru * chance.between(1.0, 6.0)).min(60.0);
    let reads = chance.unit();
    let stream = |(number, operation, ru_each, part): (usize, &'static str, f64, f64)| {
        let weight = as_number(number + 1).powf(-skew) * part;
        Stream {
            key: u32::try_from(number).ok(),
            operation,
            ru_each,
            per_second: weight / ru_each,
            during: (0, seconds),
        }
    };
    let both =
        |number| [(number, "Read", read_ru, reads), (number, "Create", write_ru, 1.0 - reads)];
    (0..keys).flat_map(both).map(stream).collect()
}

/// Queries that visit every partition, of a part of the RU that keys have.
fn keyless(chance: &mut Random, partitions: usize, seconds: u32) -> Stream {
    let ru_each = chance.between(2.5, 6.0);
    let share = chance.between(0.05, 0.3) / as_number(partitions);
    Stream {
        key: None,
        operation: "Query",
        ru_each,
        per_second: share * 3.0 / ru_each,
        during: (0, seconds),
    }
}
