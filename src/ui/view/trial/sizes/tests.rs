//! Sizes of keys in every room, of samples and of hostile documents.

use super::*;
use crate::ui::view::trial::testing::{
    assert_harmless, cars, check, drawn, hostile, masked, settings, shown, trial,
};

const SIZES: [(u16, u16); 5] = [(40, 5), (60, 10), (80, 24), (120, 30), (200, 60)];

fn of(key: &str) -> (Trial, SizesPanel) {
    let trial = trial(&cars(), key, &settings());
    let made = sizes_panel(&trial, &settings(), &Mask::Off);
    (trial, made)
}

#[test]
fn sizes_in_every_room() {
    let (_, made) = of("/deviceId");
    check("sizes", &SIZES, |buffer, area, theme| {
        draw(buffer, area, &made, 0, Focus::Here, theme);
    });
}

#[test]
fn the_keys_and_their_classes_are_all_keys() {
    for key in ["/month", "/deviceId", "/vin > /month", "/id"] {
        let (trial, made) = of(key);
        let keys: u64 = made.classes.iter().map(|class| class.keys).sum();
        assert_eq!(keys, trial.distinct.seen, "{key}");
        let largest = made.classes.first().map(|class| class.mark);
        let share = trial.largest_share_of_ceiling;
        // A class begins at or below its largest key.
        assert!(largest <= Some(Mark::of(share)), "{key} {share} {largest:?}");
        let first = made.rows.first().map(|row| row.of_ceiling);
        assert!(first.is_some_and(|of| (of - share).abs() < 1e-9));
    }
}

#[test]
fn more_than_the_limit_is_shown_as_such() {
    let (trial, made) = of("/model");
    assert!(trial.largest_share_of_ceiling > 1.0);
    for theme in [crate::ui::view::testing::theme(), crate::ui::view::testing::theme_ascii()] {
        let text = shown((80, 12), |buffer, area| {
            draw(buffer, area, &made, 0, Focus::Away, &theme);
        });
        assert!(text.contains(theme.glyphs.signs().bar_over), "{text}");
    }
}

#[test]
fn what_a_sample_leaves_open_is_said() {
    let (trial, made) = of("/deviceId");
    assert!(trial.whole.is_sample);
    assert!(made.notes.iter().any(|note| note.contains("not in the sample")));
    let all = Settings::default();
    let exact = crate::ui::view::trial::testing::trial(&cars(), "/month", &all);
    let made = sizes_panel(&exact, &all, &Mask::Off);
    assert!(made.notes.iter().all(|note| !note.contains("sample")));
    assert!(made.rows.iter().all(|row| row.interval == "exact"));
}

#[test]
fn hostile_values_are_shown_escaped_and_names_can_be_masked() {
    let prepared = hostile();
    let key = format!("/{:?}", "na\u{1b}me \u{202e}東京")
        .replace("\\u{1b}", "\\u001b")
        .replace("\\u{202e}", "\\u202e");
    let trial = trial(&prepared, &key, &settings());
    let made = sizes_panel(&trial, &settings(), &Mask::Off);
    assert_harmless(|buffer, area, theme| draw(buffer, area, &made, 0, Focus::Here, theme));
    let masked = sizes_panel(&trial, &settings(), &masked());
    let theme = crate::ui::view::testing::theme();
    let text = shown((120, 30), |buffer, area| {
        draw(buffer, area, &masked, 0, Focus::Here, &theme);
    });
    assert!(!text.contains("plain") && text.contains("key-"), "{text}");
}

#[test]
fn a_long_list_is_scrolled() {
    let (_, made) = of("/deviceId");
    let area = Rect::new(0, 0, 80, 6);
    assert!(seen(area, &made) < made.rows());
    let theme = crate::ui::view::testing::theme();
    let first = |first: usize| {
        let buffer = drawn((80, 6), |buffer, area| {
            draw(buffer, area, &made, first, Focus::Here, &theme);
        });
        crate::ui::view::testing::lines(&buffer)
    };
    assert_ne!(first(0), first(3));
}
