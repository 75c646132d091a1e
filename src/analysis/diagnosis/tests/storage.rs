//! Rules of size.

use crate::analysis::diagnosis::testing::{DiagnosisFixture, START};
use crate::analysis::findings::Severity;
use crate::model::load::Limited;

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

/// 403s in the second five minutes of a log, on the partition of a key or on another one.
fn with_403s(key: &str, gib: f64, is_elsewhere: bool) -> DiagnosisFixture {
    let mut stage = DiagnosisFixture::new(Some(24_000.0), 4, 600);
    let at = (stage.owner(key) + usize::from(is_elsewhere)) % 4;
    stage.stores(key, &[gib]);
    stage.requests_at(at, "Create", (START, 300), 1_000, 0, 5_000.0);
    stage.requests_at(at, "Create", (START + 300, 300), 1_000, 0, 5_000.0);
    stage.answered(at, "Create", (START + 300, 300), 403, (8_342, 0.0));
    stage
}

#[test]
fn a_full_key_says_how_many_403s_there_are_since_when() {
    let line = |gib: f64, is_elsewhere: bool| {
        let found = with_403s("tenant-0002", gib, is_elsewhere).diagnosis();
        let sized = found.verdicts.iter().find(|v| v.key.is_some()).unwrap();
        format!("{}  {}", sized.rule.name(), sized.line())
    };
    let count = "403s: 8,342  since 02:05 (5 min)";
    let key = "[\"tenant-0002\"]";
    assert_eq!(
        line(21.6, false),
        format!("KEY OVER 20 GB  {key}  21.6 GiB  {count}")
    );
    // An estimate a little below the limit is at it where writes get 403.
    assert_eq!(
        line(19.8, false),
        format!("KEY OVER 20 GB  {key}  19.8 GiB  {count}")
    );
    assert!(line(19.8, true).starts_with("KEY NEAR 20 GB"));
    assert!(line(17.0, false).starts_with("KEY NEAR 20 GB"));
}

#[test]
fn what_403s_mean_depends_on_their_sub_status() {
    let found = |gib: f64, is_elsewhere: bool, limited: Limited| {
        let mut stage = with_403s("tenant-0002", gib, is_elsewhere);
        let found = stage.limited(limited).diagnosis();
        let mut verdicts = found.verdicts.into_iter();
        verdicts
            .find(|v| v.key.is_none() && v.headline_text().contains("403s: 8,342"))
            .map(|v| (v.rule.name(), v.severity, v.line()))
    };
    let unknown = Limited::default();
    let size = Limited {
        of_full_keys: 8_342,
        ..unknown
    };
    let other = Limited {
        of_other_403: 8_342,
        ..unknown
    };
    let cases = [
        (
            1.0,
            unknown,
            "403 FORBIDDEN",
            Severity::Warn,
            "sub-status unknown",
        ),
        (
            1.0,
            size,
            "KEY OVER 20 GB",
            Severity::Alarm,
            "sub-status 1014",
        ),
        (
            1.0,
            other,
            "403 FORBIDDEN",
            Severity::Note,
            "no sub-status 1014",
        ),
    ];
    for (gib, limited, rule, severity, detail) in cases {
        let (name, is, line) = found(gib, false, limited).unwrap();
        assert_eq!((name, is), (rule, severity));
        assert!(line.starts_with(detail), "{line}");
    }
    // A full key explains those of its partition, and no others.
    assert_eq!(found(21.6, false, unknown), None);
    assert!(found(21.6, true, unknown).is_some());
    let both = Limited {
        of_full_keys: 12,
        ..other
    };
    let beside = found(21.6, true, both).map(|found| found.0);
    assert_eq!(beside, Some("403 FORBIDDEN"));
}

#[test]
fn metrics_count_403s_of_the_container() {
    let mut stage = DiagnosisFixture::new(Some(24_000.0), 4, 120);
    for (status, requests) in [("201", 500.0), ("403", 12.0)] {
        stage.total_requests(&[("statuscode", status)], 0, requests);
        stage.total_requests(&[("statuscode", status)], 1, requests);
    }
    let found = stage.diagnosis();
    let verdict = found.verdict("403 FORBIDDEN");
    assert_eq!(
        verdict.headline_text(),
        "the container  403s: 24  since 02:00 or earlier"
    );
}
