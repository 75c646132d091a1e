//! Every kind of change, however small.

use super::*;
use crate::analysis::growth::limit_date_text;
use crate::analysis::summary::SummaryOptions;
use crate::analysis::testing::*;

fn changes(
    before: &[(&str, f64)],
    after: &[(&str, f64)],
) -> Vec<(String, &'static str, Option<f64>)> {
    let of = |keys: &[(&str, f64)]| {
        let log = Log::new("a");
        for (key, gib) in keys {
            log.reading(ORDERS, key, "W", Some(seconds(NEWEST)), gib * GIB);
        }
        report(&log.capture(), SummaryOptions::default())
    };
    let found = diff(&of(before), &of(after)).into_iter();
    found.map(|c| (c.key.unwrap_or_default().into(), c.kind.word(), c.mark)).collect()
}

fn row(key: &str, word: &'static str, mark: Option<f64>) -> (String, &'static str, Option<f64>) {
    (key.to_owned(), word, mark)
}

#[test]
fn every_kind_of_change_is_told_worst_first() {
    let before = [("[1]", 5.0), ("[2]", 13.0), ("[3]", 9.0), ("[4]", 3.0), ("[5]", 19.0)];
    let after = [("[1]", 6.0), ("[2]", 18.5), ("[3]", 8.0), ("[6]", 15.0), ("[5]", 21.0)];
    let expected = [
        row("[5]", "over_mark", Some(1.0)),
        row("[2]", "over_mark", Some(0.9)),
        row("[1]", "grew", None),
        row("[3]", "shrank", None),
        row("[6]", "new", Some(0.7)),
        row("[4]", "not_reported", None),
    ];
    assert_eq!(changes(&before, &after), expected);
}

#[test]
fn the_smallest_step_is_a_change_and_equal_sizes_are_none() {
    let before = [("[1]", 5.0), ("[2]", 14.1), ("[3]", 6.0)];
    let after = [("[1]", 5.5), ("[2]", 13.9), ("[3]", 6.0)];
    let expected = [row("[1]", "grew", None), row("[2]", "shrank", None)];
    assert_eq!(changes(&before, &after), expected);
}

#[test]
fn a_mark_is_crossed_by_the_smallest_step() {
    let before = [("[1]", 13.99), ("[2]", 17.99), ("[3]", 19.99)];
    let after = [("[1]", 14.0), ("[2]", 18.0), ("[3]", 20.0)];
    let expected = [
        row("[3]", "over_mark", Some(1.0)),
        row("[2]", "over_mark", Some(0.9)),
        row("[1]", "over_mark", Some(0.7)),
    ];
    assert_eq!(changes(&before, &after), expected);
    let back = changes(&after, &before);
    assert!(back.iter().all(|row| row.1 == "shrank"), "{back:?}");
}

#[test]
fn two_sizes_beyond_the_error_tell_when_a_key_reaches_20_gb() {
    let of = |at: i64, gib: f64| {
        let log = Log::new("a");
        let keys =
            [("[1]", gib), ("[2]", 9.0 + gib / 20.0), ("[3]", gib + 3.0), (r#"["2026-06"]"#, gib)];
        for (key, gib) in keys {
            log.reading(ORDERS, key, "W", Some(seconds(at)), gib * GIB);
        }
        report(&log.capture(), SummaryOptions::default())
    };
    let told = |before: &Report, after: &Report| {
        let told = diff(before, after).into_iter().map(|c| {
            let week = c.growth.map(|growth| growth.kib_per_day * 7.0 / GIB);
            let key = c.key.unwrap_or_default().into_string();
            (key, week, limit_date_text(&c.limit_date, after.as_of))
        });
        let mut told: Vec<_> = told.collect();
        told.sort_by(|a, b| a.0.cmp(&b.0));
        told
    };
    let [before, after] = [of(NEWEST - 3 * WEEK, 13.5), of(NEWEST, 18.0)];
    let row = |key: &str, week: Option<f64>, date: &str| (key.to_owned(), week, date.to_owned());
    let expected = [
        row(r#"["2026-06"]"#, None, "unknown"),
        row("[1]", Some(1.5), "2026-07-01 ±6 d"),
        row("[2]", None, "unknown"),
        row("[3]", Some(1.5), "over the limit"),
    ];
    assert_eq!(told(&before, &after), expected);
    // Given the wrong way round, or without dates, they tell none.
    assert!(told(&after, &before).iter().all(|row| row.1.is_none()));
}

#[test]
fn a_key_is_the_same_however_its_number_is_written() {
    assert_eq!(changes(&[("[42]", 5.0)], &[("[42.0]", 8.0)]), [row("[42.0]", "grew", None)]);
    let apart = changes(&[("[42]", 5.0)], &[(r#"["42"]"#, 5.0)]);
    assert_eq!(apart.len(), 2);
}
