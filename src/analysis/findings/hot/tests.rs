//! Partitions at their limit: which strike, at which threshold, and what is said of them.
#![expect(clippy::panic, clippy::unwrap_used, reason = "a test may panic")]

use super::super::merged;
use super::*;
use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::diagnosis::{Answers, Diagnosis, Phrase};
use crate::analysis::heat::Partition;
use crate::analysis::heat::series::Series;
use crate::analysis::rules::Rule;
use crate::model::capture::{Capture, CaptureBuilder};
use crate::model::names::ContainerName;

const START: i64 = 1_782_093_600;

fn capture() -> Capture {
    let builder = CaptureBuilder::new(7);
    let name = ContainerName::new(Some("acc"), Some("shop"), Some("orders"));
    builder.container(&name).unwrap();
    builder.finish()
}

/// Four partitions with one share each in two regions.
fn heat(measure: Measure, west: [f64; 4], north: [f64; 4]) -> Heat {
    let track = |region: &str, shares: [f64; 4]| {
        let series = shares.map(|s| Series::of(&[(START, s), (START + 60, s)], 60));
        let from = "metric".to_owned();
        Track::new(measure, Some(region.into()), 60, series.into(), from)
    };
    let partition = |id: u32| Partition {
        known: None,
        named: RangeName::Range(id.to_string()),
        capacity: None,
        kib: None,
    };
    Heat {
        containers: vec![ContainerHeat {
            partitions: (0..4).map(partition).collect(),
            tracks: vec![track("West", west), track("North", north)],
            ..ContainerHeat::default()
        }],
    }
}

#[test]
fn the_metric_counts_where_a_report_shows_it() {
    let mut both = heat(Measure::NormalizedRu, [1.0, 0.2, 0.2, 0.2], [0.95, 0.2, 0.2, 0.95]);
    let log = heat(Measure::LoggedShare, [1.27, 1.27, 0.1, 0.1], [0.1; 4]);
    for (container, of_log) in both.containers.iter_mut().zip(log.containers) {
        container.tracks.extend(of_log.tracks);
    }
    let found = found(&both, Vec::new(), &[]);
    let values: Vec<f64> =
        found.findings.iter().map(|f| f.finding.measured.unwrap().value).collect();
    assert_eq!(values, [1.0, 0.95]);
    assert!(found.findings[1].finding.sentence.contains("in North"), "{found:?}");
}

fn verdict(rule: Rule, partition: Option<u32>) -> Verdict {
    let answer = |says, why: &str| RemedyAnswer {
        effect: says,
        why: why.to_owned(),
        how: Vec::new(),
        suffixes: None,
        adds_id: false,
    };
    Verdict {
        rule,
        severity: Severity::Alarm,
        partition,
        region: None,
        key: Some("[\"tenant-0001\"]".to_owned()),
        headline: Phrase::default(),
        detail: Phrase::default(),
        evidence: Vec::new(),
        answers: Answers {
            more_ru: answer(RemedyEffect::None, "29 % refused now"),
            split: answer(RemedyEffect::None, ""),
            redistribute: answer(RemedyEffect::Helps, ""),
            new_key: answer(RemedyEffect::Fixes, ""),
        },
        remedies: Vec::new(),
        since: None,
        until: None,
        as_of: None,
        steps: Vec::new(),
    }
}

fn found(heat: &Heat, verdicts: Vec<Verdict>, containers: &[ContainerFilter]) -> HotFindings {
    let diagnoses = Diagnoses { containers: vec![Diagnosis { verdicts, ..Diagnosis::default() }] };
    hot(HotInputs {
        capture: &capture(),
        heat,
        diagnoses: &diagnoses,
        containers,
        max_hot: 0.9,
        thresholds: &Thresholds::default(),
    })
}

#[test]
fn the_worst_region_counts_and_is_named() {
    let heat = heat(Measure::NormalizedRu, [0.2, 0.75, 0.9, 1.3], [0.95, 0.1, 0.1, 1.0]);
    let found = found(&heat, Vec::new(), &[]);
    let short: Vec<_> = found
        .findings
        .iter()
        .map(|f| {
            (
                f.finding.severity.word(),
                f.finding.measured.unwrap().value,
                f.finding.measured.unwrap().threshold,
            )
        })
        .collect();
    let close = |(word, value, threshold): &(&'static str, f64, f64), to: (&str, f64, f64)| {
        *word == to.0 && (value - to.1).abs() < 1e-6 && (threshold - to.2).abs() < 1e-9
    };
    let expected =
        [("alarm", 0.95, 0.9), ("warn", 0.75, 0.7), ("alarm", 0.9, 0.9), ("alarm", 1.3, 0.9)];
    assert_eq!(short.len(), 4);
    assert!(short.iter().zip(expected).all(|(a, b)| close(a, b)), "{short:?}");
    assert!(
        found.findings[0]
            .finding
            .sentence
            .starts_with("partition 0 in North: 95 % of its RU/s at p99")
    );
    assert!(
        found.findings[3].finding.sentence.contains("120 s at 100 % or more"),
        "{:?}",
        found.findings[3]
    );
    assert_eq!(found.partitions, 4);
    let all = merged(Vec::new(), found.findings);
    assert!(all[0].finding.sentence.starts_with("partition 3 "), "{all:?}");
}

#[test]
fn a_short_incident_in_a_long_log_is_a_warning() {
    let calm = (0..1000).map(|n| (START + n * 60, 0.1));
    let hot = (1000..1002).map(|n| (START + n * 60, 1.1));
    let points: Vec<(i64, f64)> = calm.chain(hot).collect();
    let series = vec![Series::of(&points, 60)];
    let mut heat = heat(Measure::NormalizedRu, [0.0; 4], [0.0; 4]);
    let from = "metric".to_owned();
    heat.containers[0].tracks = vec![Track::new(Measure::NormalizedRu, None, 60, series, from)];
    let found = found(&heat, Vec::new(), &[]);
    let [only] = found.findings.as_slice() else { panic!("{found:?}") };
    let (severity, threshold) = (only.finding.severity, only.finding.measured.map(|m| m.threshold));
    assert_eq!((severity, threshold.map(f64::to_bits)), (Severity::Warn, Some(1.0_f64.to_bits())));
    assert!((only.finding.measured.unwrap().value - 1.1).abs() < 1e-9, "{only:?}");
    assert!(only.finding.sentence.contains("10 % of its RU/s at p99, highest 110 %"), "{only:?}");
}

#[test]
fn the_key_to_blame_and_the_three_answers_come_from_the_verdict() {
    let heat = heat(Measure::LoggedShare, [0.2, 0.2, 0.2, 1.0], [0.0; 4]);
    let verdicts = vec![verdict(Rule::KeyNearLimit, Some(3)), verdict(Rule::HotKey, Some(3))];
    let found = found(&heat, verdicts, &[]);
    let [only] = found.findings.as_slice() else { panic!("{found:?}") };
    assert_eq!(only.key.as_deref(), Some("[\"tenant-0001\"]"));
    let said = "; HOT KEY: scale up: no effect (29 % refused now); split: no effect; redistribute RU/s: helps, not enough; change key: fixes";
    assert!(only.finding.sentence.ends_with(said), "{}", only.finding.sentence);
}

#[test]
fn a_verdict_on_storage_or_on_another_partition_blames_nobody() {
    let heat = heat(Measure::LoggedShare, [0.2, 0.2, 0.2, 1.0], [0.0; 4]);
    let verdicts = vec![verdict(Rule::KeyNearLimit, Some(3)), verdict(Rule::HotKey, Some(1))];
    let found = found(&heat, verdicts, &[]);
    assert_eq!(found.findings[0].key, None);
    assert!(!found.findings[0].finding.sentence.contains("change key"));
}

#[test]
fn other_measures_and_other_containers_are_not_looked_at() {
    let amounts = heat(Measure::ThrottledShare, [1.0; 4], [1.0; 4]);
    let found_there = found(&amounts, Vec::new(), &[]);
    let [only] = found_there.findings.as_slice() else { panic!("{found_there:?}") };
    assert_eq!((found_there.partitions, only.finding.severity), (0, Severity::Note));
    assert!(only.finding.sentence.contains("cannot be judged"), "{only:?}");
    let hot = heat(Measure::NormalizedRu, [1.0; 4], [1.0; 4]);
    let elsewhere = [ContainerFilter::parse("carts")];
    assert_eq!(found(&hot, Vec::new(), &elsewhere), HotFindings::default());
    let here = [ContainerFilter::parse("shop/orders")];
    assert_eq!(found(&hot, Vec::new(), &here).findings.len(), 4);
}
