//! Figures are recomputed from the numbers that they show.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::ui::view::trial::testing::{candidate, cars, masked, settings};

const KEYS: [&str; 5] = ["/month", "/deviceId", "/vin > /month", "/model", "/id"];

fn found<'f>(figures: &'f [Working], what: &str) -> &'f Working {
    figures.iter().find(|figure| figure.what == what).unwrap()
}

/// The numbers of a text, in their order.
fn numbers(text: &str) -> Vec<f64> {
    let sign = |c: char| match c {
        '0'..='9' | '.' => c,
        ',' => '_',
        _ => ' ',
    };
    let cleaned: String = text.chars().map(sign).collect();
    let words = cleaned.split(' ').map(|word| word.replace('_', ""));
    words.filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn every_row_of_the_table_that_shows_something_is_explained() {
    let settings = settings();
    for key in KEYS {
        let of = candidate(&cars(), key, &settings, "");
        let asked = ExplainInputs { of: &of, settings: &settings };
        let figures = figures(&asked, &Mask::Off);
        for (label, cell) in ROWS {
            let shown = cell(&of);
            if shown != "–" {
                let figure = found(&figures, label);
                assert_eq!(figure.result, shown, "{key} {label}");
                assert!(!figure.formula.is_empty());
            }
        }
    }
}

#[test]
fn the_numbers_put_in_give_the_result() {
    let settings = settings();
    for key in KEYS {
        let of = candidate(&cars(), key, &settings, "");
        let asked = ExplainInputs { of: &of, settings: &settings };
        let figures = figures(&asked, &Mask::Off);
        let close = |what: &str, computed: f64, tolerance: f64| {
            let shown = numbers(&found(&figures, what).result)[0];
            let is_close = (computed - shown).abs() <= tolerance;
            assert!(is_close, "{key} {what}: {computed} {shown}");
        };
        let put_in = |what: &str| numbers(&found(&figures, what).numbers);
        let n = put_in("largest share");
        close("largest share", 100.0 * n[0] / n[1], 0.51);
        let n = put_in("sample coverage");
        close("sample coverage", 100.0 * (n[0] - n[1] / n[2]), 0.51);
        let n = put_in("of the limit");
        close("of the limit", 100.0 * gib(&found(&figures, "of the limit").numbers) / n[1], 0.51);
        let s = put_in("imbalance, RU/s");
        close("imbalance, RU/s", s[0] * s[1] / s[2], 0.011);
        let t = put_in("throttled, of RU");
        close("throttled, of RU", 100.0 * t[0] / t[1], 0.51);
        if of.trial.k_eff.is_some() {
            let k = put_in("effective keys, size");
            let (n, pairs) = (k[0], k.last().unwrap());
            close("effective keys, size", n * (n - 1.0) / pairs, 0.6);
        }
    }
}

/// The first size of a text, in GiB.
fn gib(text: &str) -> f64 {
    let size = text.split(" / ").next().unwrap();
    let value = numbers(size)[0];
    match size.trim_start_matches("≤ ").split(' ').nth(1) {
        Some("GiB") => value,
        Some("MiB") => value / 1024.0,
        _ => value / 1024.0 / 1024.0,
    }
}

#[test]
fn a_request_is_priced_as_it_is_explained() {
    let settings = settings();
    let text = "-- rate: 10/s\n-- ru: 4\nSELECT * FROM c WHERE c.model = 'model-1'";
    let of = candidate(&cars(), "/deviceId", &settings, text);
    let asked = ExplainInputs { of: &of, settings: &settings };
    let figures = figures(&asked, &Mask::Off);
    let last = figures.last().unwrap();
    let n = numbers(&last.numbers);
    let computed = n[0] + n[1] * (n[2] - n[3]);
    assert!((computed - of.routed[0].price.unwrap().ru_each).abs() < 0.06, "{last:?}");
    let lines = lines(&asked, &masked());
    assert!(lines.iter().all(|line| !line.contains("model-1")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("request 1: cross-partition (")), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("Chao1")));
    assert!(lines.iter().any(|line| line.starts_with("  boundaries: ")));
}
