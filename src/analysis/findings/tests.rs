//! Which keys strike a rule, how hard, and in which words.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::analysis::summary::SummaryOptions;
use crate::analysis::testing::*;

fn all(max_logical: f64) -> Vec<(String, &'static str, &'static str)> {
    let report = report(&northpier(), SummaryOptions::default());
    let found = findings(&report, &Limits::of(&report, max_logical)).into_iter();
    found
        .map(|f| {
            (f.key.unwrap_or_default().into(), f.finding.rule.name(), f.finding.severity.word())
        })
        .collect()
}

fn row(
    key: &str,
    rule: &'static str,
    severity: &'static str,
) -> (String, &'static str, &'static str) {
    (format!("[\"{key}\"]"), rule, severity)
}

#[test]
fn keys_at_the_threshold_and_limits_nearby_raise_alarms() {
    let expected = [
        row("tenant-0002", "max-logical", "alarm"),
        row("tenant-0001", "max-logical", "alarm"),
        row("tenant-0001", "wall", "alarm"),
    ];
    assert_eq!(all(0.9), expected);
}

#[test]
fn a_key_over_the_ceiling_is_an_alarm_whatever_the_threshold() {
    let expected = [
        row("tenant-0002", "max-logical", "alarm"),
        row("tenant-0001", "wall", "alarm"),
        row("tenant-0001", "max-logical", "warn"),
    ];
    assert_eq!(all(1.5), expected);
    assert_eq!(all(0.4)[3], ("[{}]".to_owned(), "max-logical", "alarm"));
}

#[test]
fn days_to_the_limit_count_from_the_time_asked_for() {
    let severity = |days: i64| {
        let as_of = Some(seconds(NEWEST - days * 86_400));
        let options = SummaryOptions { as_of, ..SummaryOptions::default() };
        let report = report(&northpier(), options);
        let found = findings(&report, &Limits::of(&report, 0.9)).into_iter();
        found.filter(|f| f.finding.rule.name() == "wall").map(|f| f.finding.severity).next()
    };
    assert_eq!(severity(0), Some(Severity::Alarm));
    assert_eq!(severity(60), Some(Severity::Warn));
    assert_eq!(severity(200), None);
}

#[test]
fn sentences_name_size_and_date() {
    let report = report(&northpier(), SummaryOptions::default());
    let found = findings(&report, &Limits::of(&report, 0.9));
    assert_eq!(
        found[0].finding.sentence,
        "21.6 GiB of 20.0 GiB, 108 % of the limit: writes that make it larger get 403"
    );
    assert_eq!(
        found[2].finding.sentence,
        "reaches the ceiling on 2026-07-01; 2026-06-27 at the earliest (in 6 days from 2026-06-22, the newest sample), 2026-07-07 at the latest"
    );
    assert_eq!(worst(&found), Some(Severity::Alarm));
    assert_eq!(worst(&[]), None);
}

#[test]
fn days_are_said_to_count_from_the_moment_asked_for() {
    let message = |day: i64| {
        let options = SummaryOptions {
            as_of: Some(seconds(NEWEST + day * 86_400)),
            ..SummaryOptions::default()
        };
        let report = report(&northpier(), options);
        let found = findings(&report, &Limits::of(&report, 0.9)).into_iter();
        let messages: Vec<String> =
            found.filter(|f| f.finding.rule.name() == "wall").map(|f| f.finding.sentence).collect();
        messages.concat()
    };
    assert!(
        message(0).contains("(in 6 days from 2026-06-22, the newest sample), "),
        "{}",
        message(0)
    );
    for (day, words) in [(5, "(in 1 day from 2026-06-27), "), (9, "(3 days before 2026-07-01), ")] {
        assert!(message(day).contains(words), "{}", message(day));
    }
}

#[test]
fn refusals_are_told_of_at_the_limit_of_the_service_only() {
    let first = |ceiling| {
        let options = SummaryOptions { ceiling, ..SummaryOptions::default() };
        let report = report(&northpier(), options);
        findings(&report, &Limits::of(&report, 0.9))[0].finding.sentence.clone()
    };
    for ceiling in [Ceiling::BINARY, Ceiling::DECIMAL] {
        assert!(first(ceiling).ends_with("get 403"), "{}", first(ceiling));
    }
    let given = Ceiling::given(10.0 * GIB).unwrap();
    assert_eq!(first(given), "21.6 GiB of 10.0 GiB, 216 % of the limit; the threshold is 90 %");
}
