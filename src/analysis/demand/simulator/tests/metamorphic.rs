//! Changes that must change nothing.

use super::super::ServedRu;
use super::{ServiceModel, Stream, Traffic, Workload};
use crate::analysis::demand::outcome::Outcome;
use crate::analysis::demand::{CurrentLoad, Demand, OutcomeInputs};
use crate::analysis::diagnosis::Diagnosis;
use crate::analysis::diagnosis::thresholds::Thresholds;
use crate::model::load::RuLog;

const SEEDS: [u64; 4] = [5, 9, 12, 24];

fn shares(outcome: &Outcome) -> Vec<f64> {
    let throttled = outcome.throttled_share.unwrap();
    let partitions = outcome.partitions.iter();
    let mut shares: Vec<f64> = partitions.filter_map(|p| p.throttled_share).collect();
    shares.extend([throttled.point, throttled.low, throttled.high]);
    shares.extend([outcome.imbalance.unwrap(), outcome.hottest_key.as_ref().unwrap().share]);
    shares
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-9, "{found}, {expected}");
    }
}

/// What a reader is told: which rules strike, where, and what would help.
fn answers(diagnosis: &Diagnosis) -> Vec<(String, [&'static str; 4])> {
    let verdicts = diagnosis.verdicts.iter();
    verdicts.map(|v| (format!("{} {}", v.rule.name(), v.line()), v.says())).collect()
}

#[test]
fn twice_the_charges_on_twice_the_ru_throttle_the_same_share() {
    for seed in SEEDS {
        let mut workload = Workload::of(seed, 0);
        let before = workload.now(&workload.simulation());
        let streams = workload.traffic.streams.iter();
        let doubled = |s: &Stream| Stream { ru_each: s.ru_each * 2.0, ..s.clone() };
        workload.traffic =
            Traffic { streams: streams.map(doubled).collect(), ..workload.traffic.clone() };
        let capacities = workload.service.capacities.iter();
        workload.service = ServiceModel {
            capacities: capacities.map(|ru| ru * 2.0).collect(),
            ..workload.service.clone()
        };
        assert!(workload.service.capacities.iter().all(|ru| *ru < 10_000.0));
        let after = workload.now(&workload.simulation());
        assert_close(&shares(&after.outcome), &shares(&before.outcome));
    }
}

#[test]
fn names_of_keys_do_not_matter_while_their_hashes_stay() {
    for seed in SEEDS {
        let workload = Workload::of(seed, 0);
        let before = workload.now(&workload.simulation());
        let mut keys = before.demand.keys.to_vec();
        for (number, key) in keys.iter_mut().enumerate() {
            key.canonical = format!("[\"other-{number}\"]");
        }
        let demand = Demand { keys: keys.into(), ..before.demand.clone() };
        let after = CurrentLoad::of(&OutcomeInputs {
            repeats: None,
            partitions: before.partitions.clone(),
            demand: &demand,
            region: before.outcome.region.as_deref(),
            knows_throttled: true,
            cured: Thresholds::default().cured_throttled,
        });
        let named = |now: &CurrentLoad| {
            let mut outcome = now.outcome.clone();
            outcome.hottest_key.as_mut().unwrap().key.clear();
            outcome.throttled_share.as_mut().unwrap().low = 0.0;
            outcome.repeated = None;
            outcome
        };
        assert_eq!(named(&after), named(&before));
    }
}

#[test]
fn a_log_in_two_files_is_one_log() {
    for seed in SEEDS {
        let workload = Workload::of(seed, 0);
        let simulation = workload.simulation();
        let whole = workload.diagnosis(&simulation);
        let mut stage = workload.stage(&simulation);
        let log = simulation.ru_log();
        let (odd, even): (Vec<&ServedRu>, Vec<&ServedRu>) =
            log.iter().partition(|r| r.second % 2 == 1);
        for r in odd.into_iter().chain(even) {
            let key = workload.canonical(r.key);
            stage.logged_by(RuLog::OwnTable, key, r.operation, r.partition, r.second, r.ru);
        }
        let parts = stage.with(&Thresholds::default());
        assert_eq!(answers(&parts), answers(&whole));
        let [parts, whole] = [parts, whole].map(|d| d.now.unwrap());
        assert_close(&shares(&parts.outcome), &shares(&whole.outcome));
        assert_eq!(parts.outcome.ru_to_buy, whole.outcome.ru_to_buy);
    }
}

#[test]
fn another_log_of_the_same_seconds_changes_nothing() {
    for seed in SEEDS {
        let workload = Workload::of(seed, 0);
        let simulation = workload.simulation();
        let one = workload.diagnosis(&simulation);
        let mut stage = workload.stage(&simulation);
        workload.log(&mut stage, RuLog::OwnTable, &simulation);
        workload.log(&mut stage, RuLog::SharedTable, &simulation);
        let both = stage.with(&Thresholds::default());
        assert_eq!(answers(&both), answers(&one));
        assert_eq!(both.now, one.now);
    }
}
