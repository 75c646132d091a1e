//! Partitions in every room, merged, and told apart without colour.
#![expect(clippy::panic, reason = "a test may panic")]

use super::*;
use crate::ui::kit::panel::Focus;
use crate::ui::view::trial::testing::{
    assert_harmless, cars, check, hostile, settings, shown, trial,
};
use ratatui::layout::Rect;

const SIZES: [(u16, u16); 5] = [(40, 5), (60, 10), (80, 24), (120, 30), (200, 60)];

fn inputs<'a>(
    current: &'a Trial,
    candidate: &'a Trial,
    settings: &'a Settings,
) -> PlacesInputs<'a> {
    PlacesInputs {
        candidate,
        current: Some(current),
        settings,
        order: PlacesOrder::HashRange,
        against: BarScale::Ceiling,
    }
}

#[test]
fn places_in_every_room() {
    let settings = settings();
    let (month, device) =
        (trial(&cars(), "/month", &settings), trial(&cars(), "/deviceId", &settings));
    check("places", &SIZES, |buffer, area, theme| {
        let made = places_panel(&inputs(&month, &device, &settings), rows(area, 10));
        draw(buffer, area, &made, Focus::Here, theme);
    });
}

#[test]
fn without_told_load_the_mean_is_the_measure() {
    let settings = Settings { load_ru_per_second: None, ..settings() };
    let device = trial(&cars(), "/deviceId", &settings);
    let one = PlacesInputs {
        current: None,
        order: PlacesOrder::FullestFirst,
        against: BarScale::Fullest,
        ..inputs(&device, &device, &settings)
    };
    check("places-of-the-mean", &SIZES, |buffer, area, theme| {
        draw(buffer, area, &places_panel(&one, rows(area, 10)), Focus::Away, theme);
    });
    let made = places_panel(&one, 10);
    assert!(made.sides[0].load_of.contains("average"));
    let highest = made.sides[0].rows[0].load.text.parse::<f64>().unwrap_or(0.0);
    let ratio = device.placement.load_ratio_ru.unwrap_or(0.0);
    assert!((highest - ratio).abs() < 0.01, "{highest} {ratio}");
}

#[test]
fn a_key_of_months_and_one_of_devices_are_told_apart_without_colour() {
    let settings = settings();
    let (month, device) = (
        trial(&cars(), "/month", &settings),
        trial(&cars(), "/vin + \"-\" + month(/time)", &settings),
    );
    let theme = crate::ui::view::testing::theme_ascii();
    let text = shown((100, 20), |buffer, area| {
        let made = places_panel(&inputs(&month, &device, &settings), rows(area, 10));
        draw(buffer, area, &made, Focus::Here, &theme);
    });
    assert!(text.contains("very uneven") && text.contains(" even"), "{text}");
}

#[test]
fn merged_rows_show_the_highest_and_say_so() {
    let settings = Settings { partitions: 100, ..settings() };
    let device = trial(&cars(), "/deviceId", &settings);
    for order in [PlacesOrder::HashRange, PlacesOrder::FullestFirst] {
        let asked = PlacesInputs { order, ..inputs(&device, &device, &settings) };
        let all = places_panel(&asked, 100);
        let some = places_panel(&asked, 7);
        assert!(some.title.contains("highest of") && !all.title.contains("highest"));
        let most = |made: &PlacesPanel| {
            let rows = made.sides[0].rows.iter();
            rows.map(|row| row.storage.part).fold(0.0, f64::max)
        };
        assert!((most(&all) - most(&some)).abs() < 1e-12);
        let rows = &some.sides[0].rows;
        assert!(rows.len() <= 7 && rows.len() >= 6);
        for (row, part) in rows.iter().zip(all.sides[0].rows.chunks(15)) {
            let first = &part[0].label;
            let others = part.len() - 1;
            assert_eq!(row.label, format!("{first} +{others}"));
            let highest = part.iter().map(|row| row.load.part).fold(0.0, f64::max);
            assert!((row.load.part - highest).abs() < 1e-12);
        }
    }
}

#[test]
fn where_no_row_is_left_for_units_the_title_has_them() {
    let settings = settings();
    let device = trial(&cars(), "/deviceId", &settings);
    let theme = crate::ui::view::testing::theme();
    for (height, title, above) in [
        (12, "10 physical partitions: of 50 GB, RU/s of 6,000 ", 0),
        (13, "10 physical partitions ━", 1),
    ] {
        let text = shown((80, height), |buffer, area| {
            let one = PlacesInputs { current: None, ..inputs(&device, &device, &settings) };
            let made = places_panel(&one, rows(area, 10));
            draw(buffer, area, &made, Focus::Here, &theme);
        });
        let (first, rest) = text.split_once('\n').unwrap_or_default();
        assert!(first.contains(title), "{text}");
        assert_eq!(rest.matches("of 50 GB").count(), above, "{text}");
    }
}

#[test]
fn what_each_partition_refuses_adds_up_to_the_share() {
    let settings = settings();
    let device = trial(&cars(), "/deviceId", &settings);
    let one = PlacesInputs { current: None, ..inputs(&device, &device, &settings) };
    let made = places_panel(&one, 10);
    let loads = device.placement.partitions.iter();
    let loads: Vec<f64> = loads.filter_map(|p| p.ru_per_second).collect();
    let throttled: f64 = made.sides[0]
        .rows
        .iter()
        .zip(&loads)
        .filter_map(|(row, load)| Some(row.throttled? * load))
        .sum();
    let share = throttled / loads.iter().sum::<f64>();
    let reported = device.placement.throttled_share.unwrap_or(f64::NAN);
    assert!((share - reported).abs() < 1e-9 && share > 0.0, "{share} {reported}");
}

#[test]
fn of_a_key_that_is_a_date_the_last_hours_are_shown() {
    let settings = settings();
    let month = trial(&cars(), "/month", &settings);
    let device = trial(&cars(), "/deviceId", &settings);
    let made = places_panel(&inputs(&month, &device, &settings), 10);
    let [current, candidate] = made.sides.as_slice() else {
        panic!("two sides");
    };
    // One month takes every write, devices share them.
    let busy = |side: &Side| side.rows.iter().filter(|row| row.load.part > 0.0).count();
    assert_eq!((busy(current), busy(candidate)), (1, 10));
    let all = current.rows.iter().map(|row| row.load.part).sum::<f64>();
    // All its RU are for one of the 13 into which storage splits them.
    assert!((all - 40_000.0 / (60_000.0 / 13.0)).abs() < 1e-9, "{all}");
    let throttled = current.rows.iter().filter_map(|row| row.throttled).sum::<f64>();
    let reported = month.placement.throttled_share.unwrap_or(f64::NAN);
    assert!((throttled - reported).abs() < 1e-9, "{throttled} {reported}");
}

#[test]
fn every_room_is_filled_and_no_more() {
    let settings = settings();
    let device = trial(&cars(), "/deviceId", &settings);
    for height in 0..60 {
        let area = Rect::new(0, 0, 80, height);
        let rows = rows(area, 10);
        assert!(rows <= usize::from(height));
        assert!(height < 3 || rows > 0, "{height}");
        let made = places_panel(&inputs(&device, &device, &settings), rows);
        assert!(rows == 0 || made.sides[0].rows.len() <= rows);
    }
    let hostile = trial(&hostile(), "/list", &settings);
    let made = places_panel(&inputs(&device, &hostile, &settings), 5);
    assert_harmless(|buffer, area, theme| draw(buffer, area, &made, Focus::Here, theme));
}
