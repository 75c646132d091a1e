//! Which keys are spoken against, and how loudly.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::model::key::Key;

const fn plain() -> PathStats {
    PathStats {
        documents: 1000,
        missing: 0,
        nulls: 0,
        bools: 0,
        numbers: 0,
        texts: 1000,
        unusable: 0,
        fractions: 0,
        beyond_2_53: 0,
        longest_bytes: 20,
        changed: None,
    }
}

#[track_caller]
fn rules_with(
    key: &str,
    version: KeyVersion,
    stats: Option<&PathStats>,
) -> Vec<(String, Severity)> {
    let candidate = Candidate::parse(key).unwrap();
    let found = findings(&candidate, version, |_| stats);
    let mut severities: Vec<Severity> = found.iter().map(|f| f.severity).collect();
    severities.reverse();
    assert!(severities.is_sorted(), "{found:?}");
    for finding in &found {
        assert!(finding.sentence.ends_with('.'), "{finding:?}");
        assert!(!finding.sentence.contains("  "), "{finding:?}");
    }
    let rule = |finding: Finding| (finding.rule.name().to_owned(), finding.severity);
    found.into_iter().map(rule).collect()
}

#[track_caller]
fn assert_form(key: &str, expected: &[(&str, Severity)]) {
    let found = rules_with(key, KeyVersion::V2, None);
    let found: Vec<(&str, Severity)> = found.iter().map(|(r, s)| (r.as_str(), *s)).collect();
    assert_eq!(found, expected, "{key}");
}

#[track_caller]
fn assert_measured(key: &str, stats: PathStats, expected: &[(&str, Severity)]) {
    let found = rules_with(key, KeyVersion::V2, Some(&stats));
    let found: Vec<(&str, Severity)> = found.iter().map(|(r, s)| (r.as_str(), *s)).collect();
    assert_eq!(found, expected, "{key} {stats:?}");
}

use Severity::{Alarm, Note, Warn};

#[test]
fn good_keys_have_no_findings() {
    for key in [
        "/tenantId",
        "/vin + \"-\" + month(/time)",
        "/tenantId > /userId",
        "lower(/country) + \"-\" + bucket(/vin, 16)",
        "month(/time) + /vin",
        "/vin + day(/time)",
        "/date + \"\"",
    ] {
        assert_form(key, &[]);
        assert_measured(key, plain(), &[]);
    }
}

#[test]
fn the_form_of_a_key_is_judged() {
    assert_form("\"a\"", &[("constant-level", Alarm)]);
    assert_form("/a > \"x\" + \"y\"", &[("constant-level", Alarm)]);
    assert_form("/a > /b > /a", &[("repeated-level", Warn)]);
    assert_form("day(/time)", &[("time-only", Warn)]);
    assert_form("\"d\" + day(/time)", &[("time-only", Warn)]);
    assert_form("/vin > day(/time)", &[]);
    assert_form("day(/time) + \".\" + random(400)", &[("random-reads", Warn)]);
    assert_form("/a + /b", &[("ambiguous-join", Note)]);
    assert_form("/a + \"\" + /b", &[("ambiguous-join", Note)]);
    assert_form("/id", &[("id-alone", Note)]);
    assert_form("/tenantId > /id", &[("id-last", Note)]);
    assert_form("/id > /tenantId", &[("id-not-last", Warn)]);
    assert_form("/a/id > /b", &[]);
}

#[test]
fn more_levels_than_the_service_takes_are_an_alarm() {
    let path = |name: &str| Path::from_iter([name]);
    let candidate = Candidate::of_paths(["a", "b", "c", "d"].map(path));
    let found = findings(&candidate, KeyVersion::V2, |_| None);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].rule.name(), "too-many-levels");
    assert_eq!(found[0].at, KeyPlace::Candidate);
}

#[test]
fn what_changes_is_no_key() {
    assert_form("/status", &[("mutable-name", Warn)]);
    assert_form("bucket(/updatedAt, 4)", &[("mutable-name", Warn)]);
    assert_form("/_etag", &[("system-property", Alarm)]);
    assert_form("/vin + \"-\" + month(/_ts)", &[("system-property", Warn)]);
    assert_form("/a/_ts", &[]);
}

#[test]
fn a_finding_says_where() {
    let candidate = Candidate::parse("/a > /b + \"-\" + /status").unwrap();
    let found = findings(&candidate, KeyVersion::V2, |_| None);
    assert_eq!(found[0].at, KeyPlace::Part { level: 1, part: 2 });
    assert_eq!(
        found[0].sentence,
        "~ /status looks like a state that documents pass through, by its name: the key of a document cannot change, so \
         each change means a delete and an insert."
    );
}

#[test]
fn documents_without_a_value_share_one_key() {
    for (missing, severity) in [(1, Note), (9, Note), (10, Warn), (249, Warn), (250, Alarm)] {
        let stats = PathStats { missing, texts: 1000 - missing, ..plain() };
        assert_measured("/a", stats, &[("missing", severity)]);
        assert_measured("month(/a) + /b", stats, &[("missing", severity); 2]);
    }
    let stats = PathStats { missing: 1000, texts: 0, ..plain() };
    assert_measured("/a", stats, &[("absent", Alarm)]);
    let stats = PathStats { nulls: 120, texts: 880, ..plain() };
    assert_measured("/a", stats, &[("null", Warn)]);
    let candidate = Candidate::parse("/a").unwrap();
    assert_eq!(
        findings(&candidate, KeyVersion::V2, |_| Some(&stats))[0].sentence,
        "/a is null in 12 % of the documents (120 of 1,000): they share the one key null."
    );
}

#[test]
fn types_and_numbers_are_judged() {
    let mixed = PathStats { texts: 500, numbers: 500, ..plain() };
    assert_measured("/a", mixed, &[("mixed-types", Warn)]);
    assert_measured("lower(/a)", mixed, &[("mixed-types", Note)]);
    assert_measured("/v + \"-\" + day(/a)", mixed, &[("mixed-types", Note)]);
    let numbers = PathStats { texts: 0, numbers: 1000, fractions: 3, beyond_2_53: 4, ..plain() };
    assert_measured("/a", numbers, &[("beyond-2-53", Alarm), ("fractions", Warn)]);
    assert_measured("prefix(/a, 2)", numbers, &[("fractions", Warn), ("beyond-2-53", Warn)]);
    assert_measured("day(/a)", numbers, &[("time-only", Warn)]);
    let unusable = PathStats { unusable: 1, texts: 999, ..plain() };
    assert_measured("/a", unusable, &[("unusable", Alarm)]);
}

#[test]
fn values_are_counted_with_their_documents() {
    let mut stats = PathStats::default();
    for (value, documents) in [
        ("{}", 1),
        ("null", 2),
        ("true", 3),
        ("\"ä\"", 4),
        ("[1]", 5),
        ("0.5", 6),
        ("9007199254740993", 7),
        ("9007199254740991", 8),
        ("1e300", 9),
    ] {
        let key = Key::from_canonical(&format!("[{value}]")).unwrap();
        stats.add(&key.parts()[0], documents);
    }
    let expected = PathStats {
        documents: 45,
        missing: 1,
        nulls: 2,
        bools: 3,
        texts: 4,
        unusable: 5,
        numbers: 30,
        fractions: 6,
        beyond_2_53: 16,
        longest_bytes: 16,
        changed: None,
    };
    assert_eq!(stats, expected);
}

#[test]
fn long_values_depend_on_the_version() {
    let long = |longest_bytes| PathStats { longest_bytes, ..plain() };
    assert_measured("/a", long(2048), &[]);
    assert_measured("/a", long(2049), &[("too-long", Alarm)]);
    assert_measured("/a + \"-\" + /b", long(1024), &[("too-long", Warn)]);
    assert_measured("prefix(/a, 512)", long(u64::MAX), &[]);
    assert_measured("/a + \"-\" + bucket(/b, 400)", long(2044), &[]);
    assert_measured("/a + \"-\" + bucket(/b, 400)", long(2045), &[("too-long", Warn)]);
    let v1 = |key, stats: PathStats| rules_with(key, KeyVersion::V1, Some(&stats));
    assert_eq!(v1("/a", long(101)), []);
    assert_eq!(v1("/a", long(102)), [("too-long".to_owned(), Alarm)]);
    assert_eq!(v1("/a > /b", long(102)), []);
}

#[test]
fn no_documents_are_no_findings() {
    assert_measured("/a", PathStats::default(), &[]);
}

#[test]
fn unread_times_and_collisions_are_told() {
    let mut gaps = super::super::Gaps::default();
    assert_eq!(no_time(0, &gaps, 10), None);
    gaps.add(super::super::Gap::NoTime, 5);
    let found = no_time(1, &gaps, 10).unwrap();
    assert_eq!((found.severity, found.at), (Alarm, KeyPlace::Level(1)));
    assert_eq!(IdCollisions::default().finding(), None);
    let collisions = IdCollisions { pairs: 2, documents: 5, examples: Vec::new() };
    assert_eq!(
        collisions.finding().unwrap().sentence,
        "5 documents would share 2 pairs of key and id, of which a container holds one document each."
    );
}
