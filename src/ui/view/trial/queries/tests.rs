//! Where requests go, in every room, and masked.

use super::*;
use crate::ui::view::trial::testing::{
    assert_harmless, cars, check, masked, requests, settings, shown,
};

const SIZES: [(u16, u16); 5] = [(40, 5), (60, 10), (80, 24), (120, 30), (200, 60)];

const WORKLOAD: &str = "\
-- name: latest of a device
-- rate: 200/s
-- ru: 3
-- @d: \"car-7\"
SELECT * FROM c WHERE c.deviceId = @d;

-- name: a model's day
-- rate: 5000/s
-- ru: 4
SELECT * FROM c WHERE c.model = 'model-1';

-- name: some devices
-- rate: 2/s
SELECT * FROM c WHERE c.deviceId IN ('car-1', 'car-2', 'car-3');

-- name: sta\u{1b}tus \u{202e}
SELECT * FROM c WHERE ARRAY_CONTAINS(@list, c.deviceId);
";

fn of(key: &str) -> Vec<Routed> {
    requests(&cars(), key, &settings(), WORKLOAD)
}

#[test]
fn queries_in_every_room() {
    let (device, month) = (of("/deviceId"), of("/month"));
    let made = queries_panel("/deviceId", &device, Some(&month), &Mask::Off);
    let cursor = Cursor { chosen: 1, first: 0 };
    check("queries", &SIZES, |buffer, area, theme| {
        draw(buffer, area, &made, &cursor, Focus::Here, theme);
    });
    assert_harmless(|buffer, area, theme| {
        draw(buffer, area, &made, &cursor, Focus::Here, theme);
    });
}

#[test]
fn sums_are_those_of_the_rows() {
    let device = of("/deviceId");
    let words: Vec<&str> = device.iter().map(|r| r.route.routing.word()).collect();
    assert_eq!(words[0], "single", "{words:?}");
    assert_eq!(words[1], "fan-out", "{words:?}");
    assert_eq!(words[2], "targeted", "{words:?}");
    let made = queries_panel("/deviceId", &device, None, &Mask::Off);
    let sum: f64 = device.iter().filter_map(in_all).sum();
    let expected = format!("{} RU/s", figure_text(sum));
    assert!(made.totals[0].contains(&expected), "{:?} {expected}", made.totals);
    assert!(
        made.totals[0].starts_with("1 single-partition, 1 targeted, 1 cross-partition, 1 unknown")
    );
    // 5,000 a second on each of all partitions, at 2.5 RU a visit and more.
    assert!(made.rows[1].candidate.is_over);
    assert!(made.rows[1].candidate.more.len() >= 3);
}

#[test]
fn names_and_reasons_are_masked() {
    let device = of("/deviceId");
    let made = queries_panel("/deviceId", &device, Some(&device), &masked());
    let theme = crate::ui::view::testing::theme();
    let cursor = Cursor::default();
    let text = shown((200, 40), |buffer, area| {
        draw(buffer, area, &made, &cursor, Focus::Here, &theme);
    });
    assert!(text.contains("request 1") && !text.contains("latest"), "{text}");
    assert!(!text.contains("car-"), "{text}");
}

#[test]
fn without_requests_the_way_to_them_is_said() {
    let made = queries_panel("/a", &[], None, &Mask::Off);
    let theme = crate::ui::view::testing::theme();
    let text = shown((60, 8), |buffer, area| {
        draw(buffer, area, &made, &Cursor::default(), Focus::Here, &theme);
    });
    assert!(text.contains("No queries known"), "{text}");
    assert_eq!(list(Rect::new(0, 0, 60, 8), &made).height, 1);
}
