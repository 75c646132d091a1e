//! Where the RU/s or the charges are not known.

use crate::analysis::diagnosis::testing::DiagnosisFixture;
use crate::analysis::diagnosis::tests::load::close;
use crate::analysis::findings::Severity;

#[test]
fn one_partition_that_refuses_is_hot_without_any_share() {
    let judged = |others: u64| {
        let mut stage = DiagnosisFixture::new(None, 3, 300);
        stage
            .requests(0, "Read", 1000, 177, 800.0)
            .requests(1, "Read", 1000, others, 800.0)
            .requests(2, "Read", 1000, 0, 800.0)
            .diagnosis()
    };
    let found = judged(0);
    let verdict = found.verdict("HOT PARTITION");
    assert_eq!((verdict.severity, verdict.partition), (Severity::Alarm, Some(0)));
    assert!(
        verdict
            .line()
            .starts_with("partition 0 throttles 18 % of requests (429), others at most 0 %"),
        "{}",
        verdict.line()
    );
    assert!(!judged(200).rules().contains(&"HOT PARTITION"));
    // A share of so few says nothing.
    let mut stage = DiagnosisFixture::new(None, 2, 300);
    let stage = stage.requests(0, "Read", 12, 6, 800.0);
    let few = stage.requests(1, "Read", 12, 0, 800.0).diagnosis();
    let headline = few.verdict("HOT PARTITION").headline_text();
    assert!(headline.contains("429s: 6 of 12 requests"), "{headline}");
}

#[test]
fn what_the_logs_name_otherwise_is_likely_the_same() {
    let mut stage = DiagnosisFixture::new(None, 3, 300);
    let at = stage.owner("D");
    let other = (at + 1) % 3;
    let found = stage
        .requested("D", 5_800.0)
        .requests(other, "Read", 1000, 177, 800.0)
        .requests((other + 1) % 3, "Read", 1000, 0, 800.0)
        .diagnosis();
    let verdict = found.verdict("HOT PARTITION");
    let line = verdict.line();
    assert!(line.contains("likely [\"D\"]"), "{line}");
    assert_eq!(verdict.key.as_deref(), Some("[\"D\"]"));
    let headline = verdict.headline_text();
    assert!(headline.contains("  likely [\"D\"]  429s: 18 % of requests  since "), "{headline}");
}

/// No input has the RU of requests: a 429 costs no more than the metric lets through for each served request of the same
/// time. Of another time it is unknown, which is not 0 %.
#[test]
fn counted_429s_without_ru_cost_no_more_than_served_requests() {
    for (minutes, says) in [(5, ["fixes", "unknown", "fixes", "unknown"]), (9, ["unknown"; 4])] {
        let mut stage = DiagnosisFixture::new(Some(24_000.0), 4, 300);
        stage.metric(&[100.0, 24.0, 19.0, 7.0]);
        for (status, requests) in [("200", 50_000.0), ("429", 8_000.0)] {
            for minute in 0..minutes {
                stage.total_requests(&[("statuscode", status)], minute, requests);
            }
        }
        let found = stage.diagnosis();
        let verdict = found.verdict("HOT PARTITION");
        assert_eq!(verdict.severity, Severity::Alarm);
        assert_eq!(verdict.says(), says, "{minutes} min");
        let headline = verdict.headline_text();
        assert!(headline.contains("429s: 14 % of all requests"), "{headline}");
        if minutes == 5 {
            // 8,000 of 58,000 requests, at 9,000 RU/s ÷ 50,000 × 60 s each.
            close(verdict.throttled("now"), 8.0 / 58.0);
            let mut from = verdict.evidence.iter().map(|fact| &fact.from);
            assert!(from.any(|from| from.contains("at their limit (≤")));
        }
    }
}
