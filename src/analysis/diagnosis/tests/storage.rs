//! Rules of size.

use crate::analysis::diagnosis::testing::DiagnosisFixture;
use crate::analysis::findings::Severity;

const GIB: f64 = 1_048_576.0;

#[test]
fn a_key_over_20_gb_has_the_name_for_it() {
    let mut stage = DiagnosisFixture::new(Some(24_000.0), 4, 60);
    stage
        .stores("tenant-0001", &[13.5, 15.0, 16.5, 18.0])
        .stores("tenant-0002", &[21.6]);
    let found = stage.diagnosis();
    let verdict = found.verdict("KEY OVER 20 GB");
    assert_eq!(verdict.severity, Severity::Alarm);
    assert_eq!(verdict.key.as_deref(), Some("[\"tenant-0002\"]"));
    assert!(verdict.line().contains("108 %"), "{}", verdict.line());
    assert!(
        verdict.line().contains("writes get 403  +1 key"),
        "{}",
        verdict.line()
    );
    assert_eq!(
        verdict.says(),
        ["no effect", "no effect", "no effect", "fixes"]
    );
    assert!(
        verdict
            .answers
            .new_key
            .why
            .contains("with 2 suffixes it is 10.8 GiB each")
    );
    let values: Vec<&str> = verdict.evidence.iter().map(|f| f.value.as_str()).collect();
    assert!(
        values
            .iter()
            .any(|v| v.contains("reaches 20 GB on 2026-07-0")),
        "{values:?}"
    );
}

#[test]
fn marks_and_dates_decide_how_bad_it_is() {
    let severity = |gib: &[f64]| {
        let mut stage = DiagnosisFixture::new(Some(24_000.0), 4, 60);
        let found = stage.stores("tenant-0001", gib).diagnosis();
        let struck = found
            .verdicts
            .iter()
            .find(|v| v.rule.name() == "KEY NEAR 20 GB");
        struck.map(|v| v.severity)
    };
    assert_eq!(severity(&[13.9]), None);
    assert_eq!(severity(&[14.0]), Some(Severity::Warn));
    assert_eq!(severity(&[18.0]), Some(Severity::Alarm));
    // Half full, and full in a month and a half, or in 36 days at the earliest.
    assert_eq!(severity(&[5.5, 7.0, 8.5, 10.0]), Some(Severity::Warn));
    assert_eq!(severity(&[1.0, 4.0, 7.0, 10.0]), Some(Severity::Alarm));
    assert_eq!(severity(&[13.0, 12.0, 11.0, 10.0]), None);
}

#[test]
fn a_partition_near_50_gb_will_be_split() {
    let filled = |gib: f64, load: f64| {
        let mut stage = DiagnosisFixture::new(Some(24_000.0), 4, 60);
        stage
            .partition(1, |p| p.kib = Some(gib * GIB))
            .metric(&[load; 4]);
        stage.diagnosis()
    };
    let found = filled(47.0, 80.0);
    let verdict = found.verdict("PARTITION FILLING");
    assert_eq!(
        (verdict.severity, verdict.partition),
        (Severity::Warn, Some(1))
    );
    assert_eq!(
        verdict.says(),
        ["not needed", "fixes", "not needed", "not needed"]
    );
    assert_eq!(
        filled(47.0, 10.0).verdict("PARTITION FILLING").severity,
        Severity::Note
    );
    assert_eq!(filled(34.0, 80.0).rules(), ["HEALTHY"]);
}
