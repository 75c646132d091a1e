//! Findings as scripts and people get them.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::{Value, json};

use super::*;
use crate::analysis::findings::{Limits, findings};
use crate::analysis::summary::SummaryOptions;
use crate::analysis::testing::*;
use crate::report::Colour;

fn found() -> Vec<GateFinding> {
    let report = report(&northpier(), SummaryOptions::default());
    findings(&report, &Limits::of(&report, Limits::DEFAULT_MAX_LOGICAL))
}

fn checked(findings: &[GateFinding], is_partial: bool) -> CheckReport<'_> {
    CheckReport {
        findings,
        is_partial,
        exports: Some(Exports::Keys),
        is_simulated: false,
        candidates: &[],
        fail_on: Severity::Alarm,
        inputs: &[],
    }
}

fn text_of(findings: &[GateFinding], is_partial: bool, colour: Colour) -> String {
    let style = Style { colour, ..Style::default() };
    let mut out = Vec::new();
    text(&checked(findings, is_partial), style, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn json_of(findings: &[GateFinding], is_partial: bool) -> Value {
    let mut out = Vec::new();
    let checked = checked(findings, is_partial);
    json(&checked, Style::default(), &mut out).unwrap();
    serde_json::from_slice(&out).unwrap()
}

#[test]
fn scripts_get_schema_1() {
    let value = json_of(&found(), false);
    assert_eq!((&value["worst"], &value["partial"]), (&json!("alarm"), &json!(false)));
    let first = &value["findings"][0];
    let expected = json!({
        "rule": "max-logical",
        "severity": "alarm",
        "account": "northpier-prod",
        "database": "shop",
        "container": "orders",
        "key": ["tenant-0002"],
        "value": 1.080_078_125,
        "threshold": 0.9,
        "message": "21.6 GiB of 20.0 GiB, 108 % of the limit: writes that make it larger get 403",
    });
    assert_eq!(first, &expected);
    let none = json_of(&[], true);
    assert_eq!(none, json!({"schema": 1, "worst": null, "partial": true, "findings": []}));
}

#[test]
fn people_get_sentences() {
    let text = text_of(&found(), false, Colour::Off);
    assert!(
        text.starts_with(
            "3 alarms, worst first.\n\nalarm  tenant-0002 in northpier-prod / shop / orders:"
        ),
        "{text}"
    );
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    let painted = text_of(&found(), false, Colour::On);
    assert_eq!(painted.replace("\x1b[1;31m", "").replace("\x1b[0m", ""), text);
    let mut long = found();
    long[0].key = Some(format!("[\"{}\"]", "k".repeat(2000)).into());
    let text = text_of(&long, false, Colour::Off);
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    let none = text_of(&[], true, Colour::Off);
    assert!(none.starts_with("No finding") && none.contains("partial"), "{none}");
}

#[test]
fn findings_are_counted_in_nouns() {
    let counted = |severities: &[Severity]| {
        let of = |severity: &Severity| {
            let mut finding = found().remove(0);
            finding.finding.severity = *severity;
            finding
        };
        let findings: Vec<GateFinding> = severities.iter().map(of).collect();
        headline(&checked(&findings, false))
    };
    assert_eq!(counted(&[Severity::Warn]), "1 warning.");
    assert_eq!(
        counted(&[Severity::Alarm, Severity::Warn, Severity::Warn]),
        "1 alarm, 2 warnings, worst first."
    );
}
