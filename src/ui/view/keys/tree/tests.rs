//! The tree of hierarchical keys, by the keys that a person presses.

use super::*;
use crate::analysis::testing::{GIB, Log, NEWEST, ORDERS, READINGS, northpier, seconds};
use crate::ui::app::App;
use crate::ui::app::testing::{app_showing, resize};
use crate::ui::view::keys::tests::{pressed, shown};

fn plants() -> App {
    let log = Log::new("exports/plants.csv");
    for (n, key) in (1_u32..).zip([
        r#"["plant-1","dev-1","a"]"#,
        r#"["plant-1","dev-1","b"]"#,
        r#"["plant-1","dev-2","a"]"#,
        r#"["plant-2","dev-9",null]"#,
    ]) {
        let kib = f64::from(n) * GIB;
        log.reading(READINGS, key, "West Europe", Some(seconds(NEWEST)), kib);
    }
    log.facts(READINGS, &["/plantId", "/deviceId", "/day"], &[]);
    let mut app = app_showing(log.capture());
    pressed(&mut app, "2 T");
    app
}

fn rows(app: &App) -> Vec<String> {
    let lines = shown(app);
    // Below the headings, within the frame.
    let rows = lines.lines().skip(4).take_while(|line| !line.starts_with('┗'));
    let rows = rows.map(|line| line.trim_matches('┃'));
    let rows = rows.filter(|line| !line.trim().is_empty() && !line.contains("other keys"));
    rows.map(|line| {
        line.split("  ")
            .filter(|w| !w.trim().is_empty())
            .map(str::trim)
            .collect::<Vec<_>>()
            .join("|")
    })
    .collect()
}

#[test]
fn levels_open_and_close_one_by_one() {
    let mut app = plants();
    let first = rows(&app);
    assert_eq!(first.len(), 2);
    assert!(first[0].contains("▸ plant-1") && first[0].contains("≥ 6.00"), "{first:?}");
    pressed(&mut app, "l");
    assert_eq!(rows(&app).len(), 4);
    // Into it, open the next, and out again with the same key.
    pressed(&mut app, "l l");
    let open = rows(&app);
    assert_eq!(open.len(), 6);
    assert!(open[1].contains("▾ dev-1") || open[1].contains("▸ dev-2"), "{open:?}");
    pressed(&mut app, "h h h");
    assert_eq!(rows(&app).len(), 2);
    pressed(&mut app, "enter");
    assert_eq!(rows(&app).len(), 4);
    pressed(&mut app, "enter");
    assert_eq!(rows(&app).len(), 2);
}

#[test]
fn keys_in_the_tree_have_their_detail_and_their_marks() {
    let mut app = plants();
    pressed(&mut app, "l j l j");
    assert!(app.views.keys.chosen().is_some());
    pressed(&mut app, "space");
    assert_eq!(app.views.keys.marks.len(), 1);
    pressed(&mut app, "g space");
    assert_eq!(app.views.keys.marks.len(), 1);
    assert!(shown(&app).contains("only keys with a reported size"));
    resize(&mut app, 120, 40);
    assert!(shown(&app).contains("A prefix of hierarchical keys: at"));
    resize(&mut app, 80, 24);
    pressed(&mut app, "j j enter");
    assert_eq!(app.views.keys.pane, KeysPane::Detail);
    assert!(shown(&app).contains("plant-1 / dev-"), "{}", shown(&app));
}

#[test]
fn the_filter_and_other_orders_hold_in_the_tree() {
    let mut app = plants();
    pressed(&mut app, "l / p l a n t - 2 enter");
    let left = rows(&app);
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(left[0].contains("plant-2"));
    pressed(&mut app, "esc T");
    assert_eq!(app.views.keys.shape, ListShape::List);
    assert_eq!(app.views.keys.rows(), 4);
}

#[test]
fn a_key_of_one_level_has_no_tree() {
    let log = Log::new("exports/x.csv");
    log.reading(ORDERS, "[\"a\"]", "", Some(seconds(NEWEST)), GIB);
    log.facts(ORDERS, &["/tenantId"], &[]);
    let mut app = app_showing(log.capture());
    pressed(&mut app, "2 T");
    assert_eq!(app.views.keys.shape, ListShape::List);
    assert!(shown(&app).contains("there is no tree"));
    // Without a definition keys of one part are a tree of one level.
    let mut app = app_showing(northpier());
    pressed(&mut app, "2 T");
    assert!(shown(&app).contains("tenant-0002"));
}

#[test]
fn levels_are_kept_only_while_they_are_seen_and_of_a_limited_number() {
    let mut app = plants();
    pressed(&mut app, "l l l");
    assert_eq!((app.views.keys.tree.open.len(), app.views.keys.tree.levels.len()), (2, 3));
    // The level below goes with the one above.
    pressed(&mut app, "g h");
    assert_eq!((app.views.keys.tree.open.len(), app.views.keys.tree.levels.len()), (0, 1));
    pressed(&mut app, "T");
    assert!(app.views.keys.tree.levels.is_empty(), "they hold the data that they were made of");
    pressed(&mut app, "T");
    assert_eq!(rows(&app).len(), 2);

    let log = Log::new("exports/plants.csv");
    for plant in 0..=MOST_OPEN {
        for device in ["a", "b"] {
            let key = format!("[\"plant-{plant}\",\"{device}\",\"x\"]");
            log.reading(READINGS, &key, "West Europe", Some(seconds(NEWEST)), GIB);
        }
    }
    log.facts(READINGS, &["/plantId", "/deviceId", "/day"], &[]);
    let mut app = app_showing(log.capture());
    pressed(&mut app, "2 T G");
    (0..=MOST_OPEN).for_each(|_| {
        pressed(&mut app, "l k");
    });
    assert_eq!(app.views.keys.tree.open.len(), MOST_OPEN);
    assert_eq!(app.views.keys.tree.levels.len(), MOST_OPEN + 1);
}
