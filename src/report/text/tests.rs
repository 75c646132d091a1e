//! The report at a terminal: a golden file, widths, colours and hostile names.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;

use super::*;
use crate::analysis::distribution::Distribution;
use crate::analysis::select::Selection;
use crate::analysis::summary::SummaryOptions;
use crate::analysis::testing::*;
use crate::model::visible::needs_code;

fn written(report: &Report, width: usize, colour: Colour) -> String {
    let style = Style { width, colour, ..Style::default() };
    let mut out = Vec::new();
    write(report, style, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn sample() -> Report {
    let options = SummaryOptions { has_prefixes: true, ..SummaryOptions::default() };
    report(&northpier(), options)
}

#[test]
fn the_report_tells_the_worst_first() {
    let text = written(&sample(), 80, Colour::Off);
    let expected = include_str!("sample.txt");
    assert_eq!(text, expected, "{text}");
}

#[test]
fn lines_keep_to_the_width_and_columns_to_their_places() {
    for width in [78, 80, 100, 132, 200] {
        let text = written(&sample(), width, Colour::Off);
        for line in text.lines() {
            assert!(display_width(line) <= width, "{width}: {line}");
        }
        let ends: Vec<usize> = text
            .lines()
            .filter(|l| l.contains(['░', '█']))
            .map(|l| display_width(l.split_once(['░', '█']).unwrap().0))
            .collect();
        assert!(ends.windows(2).all(|w| w[0] == w[1]), "{ends:?}");
    }
}

#[test]
fn colour_is_written_only_when_told() {
    assert!(!written(&sample(), 80, Colour::Off).contains('\x1b'));
    let painted = written(&sample(), 80, Colour::On);
    assert!(painted.contains("\x1b[1;31m████"));
    let mut plain = painted;
    for code in ["\x1b[0m", "\x1b[1m", "\x1b[31m", "\x1b[1;31m", "\x1b[33m"] {
        plain = plain.replace(code, "");
    }
    assert_eq!(plain, written(&sample(), 80, Colour::Off));
}

#[test]
fn what_is_not_shown_is_counted() {
    let options = SummaryOptions { selection: Selection::Top(1), ..SummaryOptions::default() };
    let text = written(&report(&northpier(), options), 80, Colour::Off);
    assert!(text.contains("… 3 more keys reported, not shown"), "{text}");
    assert!(text.contains("--top N"), "{text}");
    assert!(
        text.contains("\n  northpier-prod / shop / carts: 3 keys listed, the largest 9.40 GiB\n"),
        "{text}"
    );
}

#[test]
fn a_screen_of_notes_is_not_scrolled_away() {
    let log = Log::new("a");
    log.source(|s| s.notes = (0..50).map(|i| format!("note {i}")).collect());
    let text = written(&report(&log.capture(), SummaryOptions::default()), 80, Colour::Off);
    assert_eq!(text.matches("a: note").count(), 19);
    assert!(text.contains("… 31 more notes"), "{text}");
}

#[test]
fn another_moment_is_not_the_time_of_the_reading() {
    let options =
        SummaryOptions { as_of: Some(seconds(NEWEST + 365 * 86_400)), ..SummaryOptions::default() };
    let text = written(&report(&northpier(), options.clone()), 300, Colour::Off);
    let words = ", as of 2026-06-22 02:10 UTC; time is counted from 2027-06-22 02:10 UTC. ";
    assert!(text.contains(words), "{text}");
    let log = Log::new("a");
    log.reading(ORDERS, "[1]", "W", None, GIB);
    let text = written(&report(&log.capture(), options), 300, Colour::Off);
    assert!(
        text.contains(", the only key reported; time is counted from 2027-06-22 02:10 UTC. "),
        "{text}"
    );
}

#[test]
fn a_missing_value_is_named_in_brackets_in_a_sentence() {
    let log = Log::new("a");
    log.reading(ORDERS, "[{}]", "W", None, GIB);
    let text = written(&report(&log.capture(), SummaryOptions::default()), 80, Colour::Off);
    assert!(text.starts_with("5.0 % of the 20 GB limit: (no value) in northpier-prod"), "{text}");
}

#[test]
fn of_a_container_without_keys_no_largest_is_told() {
    let log = Log::new("a");
    log.facts(ORDERS, &["/tenantId"], &[8.0 * GIB]);
    let text = written(&report(&log.capture(), SummaryOptions::default()), 80, Colour::Off);
    assert!(text.contains("/ orders\n  key /tenantId · 0 keys listed\n"), "{text}");
    assert!(!text.contains("largest key"), "{text}");
}

#[test]
fn no_data_is_a_sentence() {
    let text =
        written(&report(&Log::new("a").capture(), SummaryOptions::default()), 80, Colour::Off);
    assert!(
        text.starts_with("No key sizes and no load in these inputs; cosmoscope inspect shows"),
        "{text}"
    );
}

#[test]
fn without_sizes_findings_come_before_that_they_are_missing() {
    let mut report = report(&Log::new("a").capture(), SummaryOptions::default());
    report.alarms = vec![("HOT KEY · blue".to_owned(), None)];
    report.has_load = true;
    let text = written(&report, 80, Colour::Off);
    let expected =
        "HOT KEY · blue\n\nNo key sizes in these inputs; --view heat shows what else they hold.";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn alarms_come_first_with_what_fixes_them_and_twins_are_named() {
    let mut report = report(&northpier(), SummaryOptions::default());
    let whole = title(&report.containers[0].name);
    let mut twin = report.containers[0].clone();
    twin.name.account = None;
    let once = headline(&report);
    report.containers.insert(0, twin);
    assert_eq!(headline(&report), once);
    let fix = "fixes: redistribute, 13 → 0 % of RU throttled".to_owned();
    report.alarms = vec![("HOT KEY · blue".to_owned(), Some(fix)); 12];
    report.alarms[11].0 = "*".to_owned();
    let text = written(&report, 100, Colour::Off);
    assert!(text.contains("\n… 2 more findings\n"), "{text}");
    assert!(text.contains("> cosmoscope open PATH… and w"), "{text}");
    report.alarms.drain(..11);
    let mut md = Vec::new();
    write_to(&report, Doc::md(Style::default()), &mut md).unwrap();
    let md = String::from_utf8(md).unwrap();
    assert!(md.contains("\n\n- &#42;\n   - fixes: "), "{md}");
    report.has_load = true;
    let loaded = written(&report, 100, Colour::Off);
    assert!(loaded.contains("> --view heat"), "{loaded}");
    let first = "\nHOT KEY · blue\n  fixes: redistribute, 13 → 0 % of RU throttled\n";
    assert!(text.contains(first), "{text}");
    let twin = format!("  account unknown: may be {whole}; the first line counts only");
    assert_eq!(text.matches(&twin).count(), 1, "{text}");
}

#[test]
fn quantiles_take_one_line() {
    let mut report = report(&northpier(), SummaryOptions::default());
    report.containers[0].distribution = Some(Distribution::of([1.0, 5.0, 2048.0], None));
    report.containers[1].distribution = Some(Distribution::of([1.0], None));
    let text = written(&report, 100, Colour::Off);
    let line = "\n  sizes of the reported keys: p50 5 KiB · p90 2.00 MiB · p99 2.00 MiB · largest 2.00 MiB\n";
    assert!(text.contains(line), "{text}");
    assert_eq!(text.matches("p50").count(), 1, "{text}");
}

proptest! {
    #[test]
    fn nothing_from_outside_acts_on_a_terminal(name in ".{0,20}", key in ".{0,20}", kib in 0.0..1e300_f64) {
        let log = Log::new("a");
        log.reading([&name, &name, &name], &key, &name, None, kib);
        log.source(|s| s.notes = vec![name.clone()]);
        let text = written(&report(&log.capture(), SummaryOptions::default()), 80, Colour::Off);
        prop_assert!(!text.chars().any(|c| c != '\n' && needs_code(c) && !('\u{2400}'..='\u{2424}').contains(&c)), "{:?}", text);
    }
}

#[test]
fn keys_that_differ_in_the_middle_only_never_look_alike() {
    let log = Log::new("a");
    for n in 0..8 {
        let key = format!("[\"{}{n}{}\"]", "a".repeat(90), "z".repeat(90));
        log.reading(ORDERS, &key, "W", None, GIB);
    }
    let text = written(&report(&log.capture(), SummaryOptions::default()), 80, Colour::Off);
    let keys = text.lines().filter(|line| line.starts_with("  aa"));
    let different: std::collections::HashSet<&str> = keys.collect();
    assert_eq!(different.len(), 8, "{text}");
}
