//! Rules of the key and of the partitions' RU/s.

use crate::analysis::diagnosis::testing::DiagnosisFixture;
use crate::analysis::findings::Severity;

#[test]
fn few_keys_cannot_use_many_partitions() {
    let stage = |keys: u32, ru: f64| {
        let mut stage = DiagnosisFixture::new(Some(40_000.0), 4, 60);
        for key in 0..keys {
            stage.requested(&format!("color-{key}"), ru);
        }
        stage.diagnosis()
    };
    let found = stage(8, 100.0);
    let verdict = found.verdict("LOW-CARDINALITY");
    assert_eq!(verdict.severity, Severity::Note);
    assert_eq!(verdict.says(), ["no effect", "no effect", "no effect", "fixes"]);
    assert!(
        verdict.line().starts_with("8 active keys for 4 partitions  behave like 8"),
        "{}",
        verdict.line()
    );
    // Healthy comes first: nothing is refused yet.
    assert_eq!(found.rules(), ["HEALTHY", "LOW-CARDINALITY"]);
    assert_eq!(stage(100, 10.0).rules(), ["HEALTHY"]);
}

#[test]
fn one_key_among_many_is_as_bad_as_few() {
    let mut stage = DiagnosisFixture::new(Some(40_000.0), 4, 60);
    for key in 0..100 {
        stage.requested(&format!("user-{key}"), 1.0);
    }
    stage.requested("gateway", 4000.0);
    let found = stage.diagnosis();
    let verdict = found.verdict("LOW-CARDINALITY");
    assert_eq!(verdict.key.as_deref(), Some("[\"gateway\"]"));
    assert!(verdict.line().ends_with("[\"gateway\"] 98 % of RU"), "{}", verdict.line());
}

/// Seven keys take 70 of 100 RU/s; the rest is of keys of which none is listed.
#[test]
fn small_keys_that_are_not_listed_are_keys_too() {
    let stage = |small: f64, gateway: f64| {
        let mut stage = DiagnosisFixture::new(Some(40_000.0), 4, 60);
        for key in 0..7 {
            stage.requested(&format!("color-{key}"), 10.0);
        }
        for at in 0..4 {
            stage.of_small_keys("Create", at, small);
        }
        stage.requested("gateway", gateway).diagnosis()
    };
    assert_eq!(stage(7.5, 0.0).rules(), ["HEALTHY"]);
    let line = stage(7.5, 300.0).verdict("LOW-CARDINALITY").line();
    assert!(line.starts_with("≥ 9 active keys for 4 partitions"), "{line}");
    assert!(line.ends_with("[\"gateway\"] 75 % of RU"), "{line}");
}

#[test]
fn values_that_are_none_share_a_partition() {
    let stage = |blank: &str, gib: f64| {
        let mut stage = DiagnosisFixture::new(Some(4000.0), 4, 60);
        stage.stores(blank, &[gib]).stores("cart-1", &[10.0]);
        stage.diagnosis()
    };
    for blank in ["[{}]", "[null]", "[\"\"]"] {
        let found = stage(blank, 9.0);
        let verdict = found.verdict("NULL KEY");
        assert_eq!((verdict.key.as_deref(), verdict.severity), (Some(blank), Severity::Warn));
        assert_eq!(verdict.says(), ["no effect", "no effect", "no effect", "fixes"]);
        assert!(verdict.line().contains("hold 47 % of the data"), "{}", verdict.line());
    }
    assert!(!stage("[{}]", 1.0).rules().contains(&"NULL KEY"));
    assert!(!stage("null", 9.0).rules().contains(&"NULL KEY"));
    assert_eq!(stage("[null]", 15.0).verdict("NULL KEY").severity, Severity::Alarm);
}

#[test]
fn the_log_shows_null_keys_too() {
    let mut stage = DiagnosisFixture::new(Some(40_000.0), 4, 60);
    stage.logged("[null]", "Create", 1, 300.0).requested("cart-1", 700.0);
    let found = stage.diagnosis();
    assert!(found.verdict("NULL KEY").line().contains("take 30 % of the RU"));
}

#[test]
fn a_moment_of_null_keys_is_only_noted() {
    let mut stage = DiagnosisFixture::new(None, 2, 1);
    stage.logged("[null]", "Create", 1, 310.8).requested("cart-1", 21.0);
    let found = stage.diagnosis();
    assert_eq!(found.verdict("NULL KEY").severity, Severity::Note);
}

#[test]
fn partitions_with_fewer_ru_than_others_are_told() {
    let stage = |ru: [f64; 3], load: f64| {
        let mut stage = DiagnosisFixture::new(Some(20_000.0), 3, 300);
        for (at, ru) in ru.into_iter().enumerate() {
            stage.partition(at, |p| p.ru_per_second = Some(ru));
        }
        stage.metric(&[40.0, load, 40.0]).diagnosis()
    };
    let uneven = [10_000.0, 5000.0, 5000.0];
    let found = stage(uneven, 75.0);
    let verdict = found.verdict("UNEVEN RU SHARES");
    assert_eq!((verdict.severity, verdict.partition), (Severity::Warn, Some(1)));
    assert!(
        verdict.line().contains("partition 1 has 5,000 RU/s, at 75 % (p99)"),
        "{}",
        verdict.line()
    );
    assert_eq!(stage(uneven, 40.0).verdict("UNEVEN RU SHARES").severity, Severity::Note);
    assert_eq!(stage([6600.0, 6700.0, 6700.0], 40.0).rules(), ["HEALTHY"]);
}
