//! Changes as scripts and people get them.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::{Value, json};

use super::*;
use crate::analysis::diff::diff;
use crate::analysis::summary::SummaryOptions;
use crate::analysis::testing::*;

type WriteChanges<'a> = &'a dyn Fn(&[KeyChange], Style, &mut dyn Write) -> io::Result<()>;

fn changes() -> Vec<KeyChange> {
    let of = |at: i64, keys: &[(&str, f64)]| {
        let log = Log::new("a");
        for (key, gib) in keys {
            log.reading(ORDERS, key, "W", Some(seconds(at)), gib * GIB);
        }
        report(&log.capture(), SummaryOptions::default())
    };
    let before = of(NEWEST - 3 * WEEK, &[(r#"["a"]"#, 13.0), (r#"["b"]"#, 3.0)]);
    diff(&before, &of(NEWEST, &[(r#"["a"]"#, 18.0), (r#"["c"]"#, 4.0)]))
}

#[test]
fn scripts_get_schema_1() {
    let mut out = Vec::new();
    json(&changes(), Style::default(), &mut out).unwrap();
    let value: Value = serde_json::from_slice(&out).unwrap();
    let row = |key: &str, change: &str, before: Value, after: Value, mark: Value| {
        json!({
            "account": "northpier-prod", "database": "shop", "container": "orders", "key": [key],
            "change": change, "before_kib": before, "after_kib": after, "mark": mark, "within_error": false,
        })
    };
    let expected = json!({"schema": 1, "changes": [
        row("a", "over_mark", json!(13_631_488), json!(18_874_368), json!(0.9)),
        row("c", "new", Value::Null, json!(4_194_304), Value::Null),
        row("b", "not_reported", json!(3_145_728), Value::Null, Value::Null),
    ]});
    assert_eq!(value, expected);
}

#[test]
fn people_read_that_absence_is_not_the_end() {
    let text_of = |changes: &[KeyChange]| {
        let mut out = Vec::new();
        text(changes, Style::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let text = text_of(&changes());
    assert!(
        text.starts_with("1 grew over a mark, 1 not listed before, 1 no longer reported.\n"),
        "{text}"
    );
    assert!(
        text.contains("13.0 GiB → 18.0 GiB  +5.00 GiB  ≥ 90 %  20 GB on 2026-06-30 ±5 d"),
        "{text}"
    );
    assert!(text.contains("may still be there") && !text.contains("gone"), "{text}");
    assert!(text.lines().all(|l| !l.ends_with(' ')), "{text:?}");
    assert!(text_of(&[]).starts_with("No change: "));
}

#[test]
fn exports_without_a_container_in_common_are_not_compared() {
    let of = |container, gib: f64| {
        let log = Log::new("a");
        log.reading(container, "[1]", "W", None, gib * GIB);
        log.reading(container, "[2]", "W", None, gib * GIB);
        report(&log.capture(), SummaryOptions::default())
    };
    let text_of = |changes: &[KeyChange], write: WriteChanges<'_>| {
        let mut out = Vec::new();
        write(changes, Style::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let apart = diff(&of(ORDERS, 5.0), &of(CARTS, 6.0));
    let expected = "No container is in both: nothing to compare. Before: northpier-prod / shop / orders. After: northpier-prod / shop / carts. Take two exports of the same container.";
    let written = text_of(&apart, &text);
    let flat = written.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(flat, expected);
    let page = text_of(&apart, &*format("md").unwrap());
    assert!(page.contains(expected) && !page.contains("5.00"), "{page}");
    // Scripts get each key.
    assert_eq!(text_of(&apart, &csv).lines().count(), 5);
    // The same container without a change is in both.
    assert!(text_of(&diff(&of(ORDERS, 5.0), &of(ORDERS, 5.0)), &text).starts_with("No change"));
}

#[test]
fn what_is_within_the_error_has_not_grown_and_a_mark_it_passes_is_named() {
    let of = |gib: f64| {
        let log = Log::new("a");
        for (key, gib) in [("[1]", gib), ("[2]", gib - 10.0)] {
            log.reading(ORDERS, key, "W", None, gib * GIB);
        }
        report(&log.capture(), SummaryOptions::default())
    };
    let mut out = Vec::new();
    text(&diff(&of(17.9), &of(18.1)), Style::default(), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    for expected in [
        "1 over a mark within the error, 1 same within the error.\n",
        "17.9 GiB → 18.1 GiB  +205 MiB   ±512 MiB  ≥ 90 %",
        "7.90 GiB → 8.10 GiB  +205 MiB   ±512 MiB  2 in",
        "The error is 1 % of the physical partition.",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert!(!text.contains("grew"), "{text}");
}

#[test]
fn tables_of_changes_for_spreadsheets_and_pages() {
    let text_of = |name: &str| {
        let mut out = Vec::new();
        format(name).unwrap()(&changes(), Style::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let table = text_of("csv");
    let mut lines = table.lines();
    assert_eq!(lines.next().unwrap(), HEADER.trim_end());
    let first = r#"northpier-prod,shop,orders,"[""a""]",over_mark,13631488,18874368,5242880,0.384615,0.9,false"#;
    assert_eq!(lines.next().unwrap(), first);
    assert_eq!(lines.count(), 2);
    assert!(text_of("md").contains("Changes of key sizes"));
    for page in [text_of("md"), text_of("html")] {
        for expected in
            ["13.0 GiB", "+5.00", "+38 %", "+1.67", "2026-06-30 ±5 d", "may still be there"]
        {
            assert!(page.contains(expected), "{expected}\n{page}");
        }
    }
}
