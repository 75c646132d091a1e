#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::model::units::percent_text;
use crate::view::trial::testing::{cars, masked, requests, settings, trial};

const KEYS: [&str; 4] = ["/month", "/deviceId", "/vin > /month", "/id"];

fn found<'f>(figures: &'f [Figure], what: &str) -> &'f Figure {
    figures.iter().find(|figure| figure.what == what).unwrap()
}

/// The numbers of a text, in their order.
fn numbers(text: &str) -> Vec<f64> {
    let cleaned: String = text
        .chars()
        .map(|c| {
            if c.is_ascii_digit() || c == '.' {
                c
            } else if c == ',' {
                '_'
            } else {
                ' '
            }
        })
        .collect();
    let words = cleaned.split(' ').map(|word| word.replace('_', ""));
    words.filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn the_numbers_put_in_give_the_result() {
    let settings = settings();
    for key in KEYS {
        let trial = trial(&cars(), key, &settings);
        let asked = Asked {
            trial: &trial,
            settings: &settings,
            routed: &[],
        };
        let figures = figures(&asked, &Mask::Off);
        let close = |what: &str, computed: f64, tolerance: f64| {
            let shown = numbers(&found(&figures, what).result)[0];
            let is_close = (computed - shown).abs() <= tolerance;
            assert!(is_close, "{key} {what}: {computed} {shown}");
        };
        let put_in = |what: &str| numbers(&found(&figures, what).numbers);
        let n = put_in("commonest key");
        close("commonest key", 100.0 * n[0] / n[1], 0.06);
        let s = put_in("load ratio by RU");
        close("load ratio by RU", s[0] * s[1] / s[2], 0.011);
        let t = put_in("refused");
        close("refused", 100.0 * t[0] / t[1], 0.06);
        if trial.k_eff.is_some() {
            let k = put_in("worth equal keys");
            let (n, pairs) = (k[0], k.last().unwrap());
            close("worth equal keys", n * (n - 1.0) / pairs, 0.6);
        }
        let of = found(&figures, "largest logical partition");
        assert!(
            of.result
                .contains(&percent_text(trial.largest_share_of_ceiling))
        );
    }
}

#[test]
fn results_are_those_that_are_shown_elsewhere() {
    let settings = settings();
    for key in KEYS {
        let trial = trial(&cars(), key, &settings);
        let asked = Asked {
            trial: &trial,
            settings: &settings,
            routed: &[],
        };
        let figures = figures(&asked, &Mask::Off);
        let placement = &trial.placement;
        for (what, value) in [
            ("load ratio by bytes", placement.load_ratio_storage),
            ("load ratio by RU", placement.load_ratio_ru),
        ] {
            assert_eq!(
                found(&figures, what).result,
                format!("{:.2}", value.unwrap()),
                "{key}"
            );
        }
        let refused = percent_text(placement.throttled_share.unwrap());
        assert_eq!(found(&figures, "refused").result, refused);
        let distinct = &found(&figures, "different keys").result;
        assert_eq!(
            numbers(distinct)[0],
            f64::from(u32::try_from(trial.distinct.seen).unwrap())
        );
    }
}

#[test]
fn a_request_is_priced_as_it_is_explained() {
    let settings = settings();
    let text = "-- rate: 10/s\n-- ru: 4\nSELECT * FROM c WHERE c.model = 'model-1'";
    let routed = requests(&cars(), "/deviceId", &settings, text);
    let trial = trial(&cars(), "/deviceId", &settings);
    let asked = Asked {
        trial: &trial,
        settings: &settings,
        routed: &routed,
    };
    let figures = figures(&asked, &Mask::Off);
    let last = figures.last().unwrap();
    let n = numbers(&last.numbers);
    let computed = n[0] + n[1] * (n[2] - n[3]);
    assert!(
        (computed - routed[0].price.unwrap().ru_each).abs() < 0.06,
        "{last:?}"
    );
    let lines = lines(&asked, &masked());
    assert!(
        lines.iter().all(|line| !line.contains("model-1")),
        "{lines:?}"
    );
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("request 1: fan-out")),
        "{lines:?}"
    );
    assert!(lines.iter().any(|line| line.contains("Chao1")));
    assert!(lines.iter().any(|line| line.starts_with("  boundaries: ")));
}
