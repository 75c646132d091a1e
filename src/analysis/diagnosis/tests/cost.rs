//! What could cost less.

use crate::analysis::billing::Price;
use crate::analysis::diagnosis::Phrase;
use crate::analysis::diagnosis::testing::DiagnosisFixture;
use crate::analysis::diagnosis::thresholds::Thresholds;
use crate::analysis::findings::Severity;

const DAY_S: i64 = 86_400;

#[test]
fn a_price_turns_ru_into_money_and_without_one_there_is_none() {
    let priced = Thresholds {
        price: Some(Price { per_100_ru_hour: 0.01, currency: "EUR".to_owned() }),
        ..Thresholds::default()
    };
    for (percent, rule, money) in [
        ([23.0, 8.0], "OVER-PROVISIONED", "365 EUR a month"),
        ([60.0, 8.0], "MANUAL OR AUTOSCALE", "manual 730 EUR a month, autoscale 657 EUR a month"),
    ] {
        let facts = |limits: &Thresholds| {
            let found = day(10_000.0, percent).with(limits);
            let facts = found.verdict(rule).evidence.iter().map(|fact| fact.value.clone());
            facts.filter(|value| value.contains("a month")).collect::<Vec<_>>()
        };
        assert_eq!(facts(&priced), [money], "{rule}");
        assert!(facts(&Thresholds::default()).is_empty());
    }
    let mut idle = DiagnosisFixture::new(Some(4_000.0), 2, 300);
    for hour in 0..25 {
        idle.total_requests(&[("statuscode", "200")], hour * 60, 0.0);
    }
    let line = idle.with(&priced).verdict("IDLE").line();
    assert!(line.ends_with("4,000 RU/s provisioned, 292 EUR a month"), "{line}");
}

/// A day of the metric, by partition.
fn day(ru: f64, percent: [f64; 2]) -> DiagnosisFixture {
    let mut stage = DiagnosisFixture::new(Some(ru), 2, DAY_S);
    stage.metric(&percent);
    stage
}

#[test]
fn half_of_the_ru_would_do_where_a_day_is_known() {
    let found = day(10_000.0, [23.0, 8.0]).diagnosis();
    let verdict = found.verdict("OVER-PROVISIONED");
    assert_eq!(verdict.severity, Severity::Note);
    assert_eq!(
        verdict.line(),
        "partition 0, the fullest, uses 23 % of its RU/s (p99, 24 h): with 5,000 RU/s of 10,000 RU/s it would use 46 %"
    );
    let formula = verdict.evidence.iter().any(|f| f.from.contains("23 % × 10,000 ÷ 5,000"));
    assert!(formula, "{:?}", verdict.evidence);
    assert_eq!(found.rules().first(), Some(&"HEALTHY"));
    let has =
        |stage: &mut DiagnosisFixture| stage.diagnosis().rules().contains(&"OVER-PROVISIONED");
    assert!(!has(&mut day(10_000.0, [55.0, 8.0])));
    // Less is not sold.
    assert!(!has(&mut day(400.0, [23.0, 8.0])));
    let mut short = DiagnosisFixture::new(Some(10_000.0), 2, DAY_S / 2);
    assert!(!has(short.metric(&[23.0, 8.0])));
}

#[test]
fn manual_or_autoscale_whichever_costs_less() {
    let found = day(10_000.0, [60.0, 8.0]).diagnosis();
    let line = found.verdict("MANUAL OR AUTOSCALE").line();
    assert!(line.starts_with("autoscale would cost 90 % of today: hours use 60 %"), "{line}");
    let has =
        |stage: &mut DiagnosisFixture| stage.diagnosis().rules().contains(&"MANUAL OR AUTOSCALE");
    assert!(!has(&mut day(10_000.0, [70.0, 8.0])));
    assert!(!has(day(10_000.0, [60.0, 8.0]).autoscale()));
    let found = day(10_000.0, [80.0, 20.0]).autoscale().diagnosis();
    let verdict = found.verdict("MANUAL OR AUTOSCALE");
    let line = verdict.line();
    assert!(line.starts_with("manual RU/s would cost 83 % of today"), "{line}");
    let billed = verdict.evidence.iter().map(|f| f.value.as_str());
    let billed: Vec<&str> = billed.filter(|v| v.contains("alike")).collect();
    assert_eq!(
        billed,
        [
            "10,000 manual; autoscale 12,000 if all partitions scale alike, 7,500 if each scales by itself"
        ]
    );
}

#[test]
fn what_an_hour_is_billed_is_known_from_the_log_too() {
    let mut stage = DiagnosisFixture::new(Some(10_000.0), 2, 600);
    let at = stage.owner("busy");
    let found = stage.logged("busy", "Read", at, 2_500.0).diagnosis();
    let billed = found.provisioned.last().unwrap();
    assert_eq!(
        billed.what,
        Phrase::plain("billed for the last 10 min, at the price of manual RU/s")
    );
    // The other partition served nothing: a tenth of its maximum.
    assert_eq!(
        billed.value,
        "10,000 manual; autoscale ≥ 7,500 if all partitions scale alike, ≥ 4,500 if each scales by itself"
    );
    assert!(billed.from.contains("RU log"), "{}", billed.from);
    let lowest = found.provisioned.first().unwrap();
    assert!(lowest.value.starts_with("≥ 400 RU/s"), "{}", lowest.value);
}

#[test]
fn a_container_without_requests_is_idle() {
    let idle = |requests: f64, hours: i64| {
        let mut stage = DiagnosisFixture::new(Some(4_000.0), 2, 300);
        for hour in 0..hours {
            stage.total_requests(&[("statuscode", "200")], hour * 60, requests);
        }
        stage.diagnosis()
    };
    let line = idle(0.0, 25).verdict("IDLE").line();
    assert_eq!(line, "no request in 24 h, 4,000 RU/s provisioned");
    assert!(!idle(0.0, 12).rules().contains(&"IDLE"));
    assert!(!idle(1.0, 25).rules().contains(&"IDLE"));
}

#[test]
fn small_neighbours_could_be_one() {
    let of = |seconds: u32, ru: f64, gib: [f64; 3]| {
        let mut stage = DiagnosisFixture::new(Some(ru), 3, i64::from(seconds));
        stage.metric(&[10.0; 3]);
        for (at, gib) in gib.into_iter().enumerate() {
            stage.partition(at, |p| p.kib = Some(gib * 1_048_576.0));
        }
        stage.diagnosis()
    };
    // Of minutes nothing is said.
    assert!(!of(300, 6_000.0, [4.0, 12.0, 3.0]).rules().contains(&"MERGE CANDIDATES"));
    let of = |ru, gib| of(90_000, ru, gib);
    let found = of(6_000.0, [4.0, 12.0, 3.0]);
    let line = found.verdict("MERGE CANDIDATES").line();
    assert_eq!(line, "partition 0 and partition 1 are small neighbours: 3 partitions could be 2");
    assert!(!of(6_000.0, [4.0, 22.0, 3.0]).rules().contains(&"MERGE CANDIDATES"));
    assert!(!of(9_000.0, [4.0, 12.0, 3.0]).rules().contains(&"MERGE CANDIDATES"));
}
