//! The overview of the imaginary account, and of random captures against their reports.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::cmp::Reverse;

use proptest::prelude::*;

use super::super::ceiling::Ceiling;
use super::super::columns::tests::{capture, readings};
use super::super::diagnosis::Diagnoses;
use super::super::findings::{findings, worst};
use super::super::summary::SummaryOptions;
use super::super::testing::{self, CARTS, GIB, Log, NEWEST, ORDERS, northpier, seconds};
use super::*;
use crate::model::sample::Trust;
use crate::model::units::real;

const REGION: &str = "West Europe";

fn of(capture: &Capture) -> (Report, Overview) {
    let report = testing::report(capture, SummaryOptions::default());
    let lookups = Lookups::of(capture, Ceiling::BINARY);
    let columns = Columns::of(capture, Ceiling::BINARY);
    let max = Limits::DEFAULT_MAX_LOGICAL;
    let calm = Diagnoses::default();
    let overview = overview(&report, capture, &columns, &lookups, &calm, max);
    (report, overview)
}

#[test]
fn the_imaginary_account_stands_worst_first() {
    let (_, overview) = of(&northpier());
    let names: Vec<_> =
        overview.rows.iter().map(|r| r.name.container.as_deref().unwrap()).collect();
    assert_eq!(names, ["orders", "carts", "readings"]);
    let orders = &overview.rows[0];
    assert_eq!(orders.finding.severity, Some(Severity::Alarm));
    assert_eq!(orders.finding.about, SentenceSubject::Key(Some(r#"["tenant-0002"]"#.into())));
    assert_eq!(
        orders.finding.text,
        "21.6 GiB of 20.0 GiB, 108 % of the limit: writes that make it larger get 403"
    );
    let fastest = orders.standing.fastest.as_ref().unwrap();
    assert_eq!(fastest.key_json(), r#"["tenant-0001"]"#);
    let next = orders.standing.next_limit_date.as_ref().unwrap();
    assert_eq!(next.key, fastest.key);
    assert_eq!(orders.standing.newest, Some(seconds(NEWEST)));
    assert_eq!(orders.missing, [Missing::RequestUnits, Missing::Ranges, Missing::Definition]);
    let readings = &overview.rows[2];
    assert_eq!((readings.finding.severity, readings.whole_of), (None, WholeOf::Container));
    assert_eq!(readings.finding.text, "is the largest: 3.20 GiB, 16 % of the limit");
    assert_eq!(overview.totals.containers, 3);
    assert_eq!(overview.totals.missing[&Missing::Ranges], 3);
}

#[test]
fn further_keys_above_the_mark_are_counted() {
    let log = Log::new("log.csv");
    for key in ["[1]", "[2]", "[3]"] {
        log.reading(ORDERS, key, "", None, 19.0 * GIB);
    }
    let (_, overview) = of(&log.capture());
    let finding = &overview.rows[0].finding;
    assert!(finding.text.ends_with("; 2 further keys are at 90 % or above"), "{}", finding.text);
    assert_eq!(finding.about, SentenceSubject::Key(Some("[1]".into())));
}

/// Alike in size, growth and date: more than any list of equals keeps.
#[test]
fn of_equal_keys_the_first_by_text_stands_out_whatever_the_order_of_the_input() {
    let standing = |numbers: &[u32]| {
        let log = Log::new("log.csv");
        for number in numbers {
            let key = format!("[\"key-{number:04}\"]");
            for week in 0..4_u64 {
                let at = Some(seconds(NEWEST - i64::try_from(week).unwrap() * 604_800));
                log.reading(ORDERS, &key, "", at, real(14 - week) * GIB);
            }
        }
        let (_, overview) = of(&log.capture());
        overview.rows[0].standing.clone()
    };
    let numbers: Vec<u32> = (0..600).collect();
    let reversed: Vec<u32> = numbers.iter().rev().copied().collect();
    let shuffled: Vec<u32> = numbers.iter().map(|n| n * 7 % 600).collect();
    for order in [numbers, reversed, shuffled] {
        let found = standing(&order);
        let named = [found.largest, found.fastest, found.next_limit_date, found.soonest];
        for row in named {
            assert_eq!(row.unwrap().key_json(), r#"["key-0000"]"#);
        }
    }
}

/// One key reaches the ceiling first on average; another, of which less is known, may reach it long before.
#[test]
fn a_container_is_judged_by_the_key_that_can_reach_the_ceiling_first() {
    let log = Log::new("log.csv");
    let read = |key, region, day: i64, size, trust| {
        let at = Some(seconds(NEWEST - day * 86_400));
        log.trusted(CARTS, key, region, at, size * GIB, trust);
    };
    for _ in 0..3 {
        read("[1]", "", 0, 0.0, Trust::Exact);
    }
    read("[2]", REGION, 28, 7.02, Trust::Weak);
    read("[2]", REGION, 1, 12.28, Trust::Weak);
    read("[3]", "", 26, 6.99, Trust::Exact);
    read("[3]", "", 14, 9.0, Trust::Exact);
    let (report, overview) = of(&log.capture());
    let limits = Limits::of(&report, Limits::DEFAULT_MAX_LOGICAL);
    let found = findings(&report, &limits);
    let row = &overview.rows[0];
    let (next, soonest) = (&row.standing.next_limit_date, &row.standing.soonest);
    assert_ne!(next, soonest);
    assert_eq!(row.finding.severity, worst(&found));
    assert_eq!(row.finding.text, found[0].finding.sentence);
    assert_eq!(row.finding.about, SentenceSubject::Key(found[0].key.clone()));
}

#[test]
fn a_container_without_keys_says_so() {
    let log = Log::new("log.csv");
    log.facts(CARTS, &["/tenantId"], &[]);
    let (_, overview) = of(&log.capture());
    let row = &overview.rows[0];
    assert_eq!(
        (row.keys_total, &row.standing.largest, &row.finding.about),
        (0, &None, &SentenceSubject::Container)
    );
    assert!(row.finding.text.starts_with("no key was reported"));
    assert_eq!(row.missing[0], Missing::Statistics);
    assert!(Missing::ALL.iter().all(|m| m.words().starts_with("no ") && !m.remedy().is_empty()));
}

/// Of equal keys the same is the largest in both, also where a report shows a code in place of a character.
#[test]
fn equal_keys_stand_in_one_order() {
    let log = Log::new("log.csv");
    // A control character that is ASCII has a code there, too.
    for key in ["[\"tenant-0001\"]", "[\"b\"]", "[\"\u{7f}\"]", "[\"aé\"]", "[\"\u{202e}x\"]"] {
        log.trusted(CARTS, key, "", Some(seconds(NEWEST)), GIB, Trust::Exact);
    }
    let (report, overview) = of(&log.capture());
    let first = report.containers[0].keys[0].key.clone();
    assert_eq!(overview.rows[0].standing.largest.as_ref().unwrap().key, first);
    assert_eq!(first.as_deref(), Some("[\"\\u007f\"]"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_overview_says_what_the_report_says(given in readings()) {
        let capture = capture(&given);
        let (report, overview) = of(&capture);
        let limits = Limits::of(&report, Limits::DEFAULT_MAX_LOGICAL);
        let all = findings(&report, &limits);
        for rows in &report.containers {
            let row = overview.rows.iter().find(|r| r.name == rows.name).unwrap();
            prop_assert_eq!((row.keys_total, row.marks), (rows.keys_total, rows.marks));
            let largest = rows.keys.first().map(|k| (&k.key, k.size_kib));
            prop_assert_eq!(row.standing.largest.as_ref().map(|l| (&l.key, l.size_kib)), largest);
            let of_it: Vec<_> = all.iter().filter(|f| f.name == rows.name).cloned().collect();
            prop_assert_eq!(row.finding.severity, worst(&of_it));
            let rates = rows.keys.iter().filter_map(|k| k.growth).map(|g| g.kib_per_day);
            let fastest = rates.filter(|g| *g > 0.0).max_by(f64::total_cmp);
            prop_assert_eq!(row.standing.fastest.as_ref().and_then(|f| f.growth).map(|g| g.kib_per_day), fastest);
            let date = |limit_date: &LimitDate| match limit_date { LimitDate::Date { at, .. } => Some(*at), _ => None };
            let first = rows.keys.iter().filter_map(|k| date(&k.limit_date)).min();
            prop_assert_eq!(row.standing.next_limit_date.as_ref().and_then(|w| date(&w.limit_date)), first);
        }
        prop_assert_eq!(overview.totals.keys_total, report.keys_total());
        prop_assert!(overview.rows.is_sorted_by_key(|r| Reverse(r.finding.severity)));
    }
}
