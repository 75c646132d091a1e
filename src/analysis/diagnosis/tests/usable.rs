//! RU/s that are billed and not usable, and 429s that no partition caused.

use crate::analysis::diagnosis::testing::DiagnosisFixture;
use crate::analysis::diagnosis::thresholds::Thresholds;
use crate::analysis::diagnosis::{Fact, Phrase};
use crate::analysis::findings::Severity;
use crate::model::account::Setting;
use crate::model::load::Limited;

fn fractions(ru: f64, parts: [f64; 3]) -> DiagnosisFixture {
    let mut stage = DiagnosisFixture::new(Some(ru), 3, 300);
    for (at, part) in parts.into_iter().enumerate() {
        stage.partition(at, |p| p.throughput_fraction = Some(part));
    }
    stage
}

#[test]
fn a_partition_at_its_limit_leaves_ru_paid_and_not_usable() {
    // The published 1,000/4,000/1,000 of 6,000 at 24,000: 4,000/10,000/4,000.
    let sixth = 1.0 / 6.0;
    let found = fractions(24_000.0, [sixth, 4.0 * sixth, sixth]).diagnosis();
    let verdict = found.verdict("PAID, NOT USABLE");
    assert_eq!(verdict.severity, Severity::Warn);
    let line = verdict.line();
    assert!(
        line.starts_with("24,000 RU/s billed, 18,000 RU/s usable (75 %): 1 of 3 partitions"),
        "{line}"
    );
    assert_eq!(verdict.says(), ["no effect", "fixes", "fixes", "no effect"]);
    let why = &verdict.answers.redistribute.why;
    assert!(why.contains("18,000 RU/s usable now → 24,000 RU/s"), "{why}");
    let from = |fact: &&Fact| fact.what == Phrase::plain("RU/s of partitions from");
    let from = verdict.evidence.iter().find(from);
    assert_eq!(
        from.map(|fact| fact.value.as_str()),
        Some("the container's RU/s times its throughputFraction")
    );
}

#[test]
fn fractions_that_sum_to_less_than_one_are_named() {
    let found = fractions(9_000.0, [0.3, 0.3, 0.2]).diagnosis();
    let line = found.verdict("PAID, NOT USABLE").line();
    assert!(line.contains("7,200 RU/s usable (80 %): the partitions keep smaller"), "{line}");
    let whole = fractions(9_000.0, [0.3, 0.3, 0.4]).diagnosis();
    assert!(!whole.rules().contains(&"PAID, NOT USABLE"));
}

#[test]
fn a_partition_that_no_input_names_is_not_unusable() {
    let mut stage = fractions(9_000.0, [0.3, 0.3, 0.2]);
    stage.partition(2, |p| p.min_inclusive = None);
    assert!(!stage.diagnosis().rules().contains(&"PAID, NOT USABLE"));
}

fn calm(throttled: u64) -> DiagnosisFixture {
    let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 300);
    stage.metric(&[40.0, 35.0, 38.0]);
    stage.requests(0, "Create", 10_000, throttled, 50_000.0);
    stage
}

#[test]
fn throttled_with_no_partition_near_its_limit_is_a_bucket() {
    let found = calm(1_500).diagnosis();
    let verdict = found.verdict("THROTTLED BY BUCKET");
    let line = verdict.line();
    assert!(line.starts_with("15 % of requests throttled, no partition above 40 %"), "{line}");
    assert!(line.ends_with("unknown which"), "{line}");
    let step = verdict.steps.first().map(|s| s.text(|_| String::new()));
    assert!(step.is_some_and(|s| s.contains("sub-status")));
    assert!(!calm(50).diagnosis().rules().contains(&"THROTTLED BY BUCKET"));
    let mut near = DiagnosisFixture::new(Some(30_000.0), 3, 300);
    near.metric(&[40.0, 35.0, 92.0]);
    near.requests(0, "Create", 10_000, 1_500, 50_000.0);
    assert!(!near.diagnosis().rules().contains(&"THROTTLED BY BUCKET"));
}

#[test]
fn a_log_or_a_metric_says_what_throttled() {
    let found =
        calm(1_500).limited(Limited { in_buckets: 1_500, ..Limited::default() }).diagnosis();
    let line = found.verdict("THROTTLED BY BUCKET").line();
    assert!(line.ends_with("100 % of the 429s are of a throughput bucket"), "{line}");
    let neither = Limited { of_neither: 1_500, ..Limited::default() };
    let found = calm(1_500).limited(neither).diagnosis();
    assert!(!found.rules().contains(&"THROTTLED BY BUCKET"));
    let mut stage = DiagnosisFixture::new(Some(30_000.0), 3, 300);
    stage
        .metric(&[40.0, 35.0, 38.0])
        .total_requests(&[("prioritylevel", "High"), ("statuscode", "200")], 0, 8_000.0)
        .total_requests(&[("prioritylevel", "Low"), ("statuscode", "429")], 0, 2_000.0);
    let found = stage.diagnosis();
    let line = found.verdict("THROTTLED BY BUCKET").line();
    assert!(line.ends_with("100 % of the 429s have low priority"), "{line}");
}

/// Whatever the sub-status says: the one of a key at its cap is not known.
#[test]
fn a_key_at_its_cap_is_named_where_the_account_caps_keys() {
    let neither = Limited { of_neither: 1_500, ..Limited::default() };
    let mut stage = calm(1_500);
    let found = stage.limited(neither).account(Setting::KeyThrottling).diagnosis();
    let line = found.verdict("THROTTLED BY BUCKET").line();
    assert!(line.ends_with("hot-key throttling may be the cause"), "{line}");
}

#[test]
fn a_fleet_pool_is_a_row_where_a_setting_says_so() {
    let mut stage = DiagnosisFixture::new(Some(3_000.0), 3, 120);
    stage.requested("D", 4_000.0).requested("B", 100.0);
    let limits = Thresholds { fleet_pool: 1.0, ..Thresholds::default() };
    let found = stage.with(&limits);
    let rows = || found.verdicts.iter().flat_map(|v| &v.remedies);
    let row = rows().find(|row| row.name == "fleet-pool");
    // 1,000 RU/s of its own and 5,000 of the pool.
    let fixes = row
        .is_some_and(|row| row.effect.word() == "fixes" && row.words.contains("up to 6,000 RU/s"));
    assert!(fixes, "{row:?}");
    let mut stage = DiagnosisFixture::new(Some(3_000.0), 3, 120);
    stage.requested("D", 4_000.0).requested("B", 100.0);
    let found = stage.diagnosis();
    let mut rows = found.verdicts.iter().flat_map(|v| &v.remedies);
    assert!(!rows.any(|row| row.name == "fleet-pool"));
    let mut facts = found.verdicts.iter().flat_map(|v| &v.evidence);
    assert!(facts.any(|fact| fact.from.contains("--threshold fleet-pool=1")));
}
