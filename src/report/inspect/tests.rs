//! What people see of the keys: where each is, and none like another.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::analysis::summary::SummaryOptions;
use crate::analysis::testing::*;
use crate::model::visible::display_width;

fn text_of(log: Log, sources: &[SourceInfo]) -> String {
    let mut out = Vec::new();
    let report = report(&log.capture(), SummaryOptions::default());
    text(&report, sources, &[], Style::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_key_is_named_with_account_database_and_container() {
    let log = Log::new("a");
    log.reading(ORDERS, "[1]", "W", None, GIB);
    log.reading(["northpier-dev", "shop", "orders"], "[1]", "W", None, GIB);
    let text = text_of(log, &[]);
    let line = |account: &str| format!("\n      1.00 GiB  1 in {account} / shop / orders\n");
    assert!(text.contains("2 keys listed in 2 containers; all of them:\n"), "{text}");
    assert!(text.contains(&line("northpier-dev")), "{text}");
    assert!(text.contains(&line("northpier-prod")), "{text}");
}

#[test]
fn long_keys_that_differ_in_the_middle_stay_apart() {
    let log = Log::new("a");
    let with = |middle: &str| format!("[\"{}{middle}{}\"]", "k".repeat(300), "k".repeat(300));
    for key in ["a", "b"].map(with) {
        log.reading(ORDERS, &key, "W", None, GIB);
    }
    log.reading(ORDERS, &format!("[\"{}\"]", "z".repeat(300)), "W", None, GIB);
    let text = text_of(log, &[]);
    let keys = text.lines().filter(|line| line.contains("  kk"));
    let different: std::collections::HashSet<&str> = keys.collect();
    assert_eq!(different.len(), 2, "{text}");
    assert_eq!(text.matches("…#").count(), 2, "{text}");
    assert!(text.lines().all(|l| display_width(l) <= 80), "{text}");
}

#[test]
fn one_is_told_in_the_singular() {
    let log = Log::new("a");
    log.reading(ORDERS, "[1]", "W", None, GIB);
    let source = SourceInfo {
        path: "one.csv".to_owned(),
        shape: "table".to_owned(),
        rows: 1,
        ..SourceInfo::default()
    };
    let text = text_of(log, &[source]);
    assert!(text.contains("table: 1 record\n"), "{text}");
    assert!(text.contains("1 key listed in 1 container:\n"), "{text}");
}
