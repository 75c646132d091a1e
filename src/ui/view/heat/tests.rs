//! The heat view: what keys and the mouse do to it, and what is made of which data.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod rows;
mod walk;

use super::layout::HeatPane;
use super::readout;
use super::*;
use crate::analysis::heat::Measure;
use crate::model::capture::{Capture, CaptureBuilder};
use crate::model::load::{RequestRecord, SeriesName};
use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::ui::app::App;
use crate::ui::app::Overlay;
use crate::ui::app::testing::{app, app_showing, app_with, press, resize};
use crate::ui::app::update::update;
use crate::ui::kit::input::{InputEvent, MouseAct, Pointer};
use crate::ui::kit::msg::Msg;
use crate::ui::kit::msg::ViewId;
use crate::ui::view::testing::{SIZES, screen, theme_ascii};

/// A whole hour of the samples' day.
const START: i64 = 1_782_093_600;

/// Minutes of `NormalizedRUConsumption` of so many ranges; `value` gives percents.
fn metrics(
    partitions: u32,
    minutes: i64,
    value: impl Fn(u32, i64) -> Option<f64>,
) -> CaptureBuilder {
    let builder = CaptureBuilder::new(1);
    let name = ContainerName::new(Some("northpier"), Some("shop"), Some("orders"));
    let container = builder.container(&name).unwrap();
    builder.load(|load| {
        for partition in 0..partitions {
            let series = SeriesName {
                metric: "NormalizedRUConsumption".to_owned(),
                unit: "Percent".to_owned(),
                aggregation: "maximum".to_owned(),
                container,
                dimensions: vec![("partitionkeyrangeid".to_owned(), partition.to_string())],
            };
            for minute in 0..minutes {
                if let Some(percent) = value(partition, minute) {
                    let at = Stamp::from_seconds(START + minute * 60).unwrap();
                    load.add_point(&series, at, percent);
                }
            }
        }
    });
    builder
}

fn shown(capture: Capture) -> App {
    let mut app = app_showing(capture);
    press(&mut app, "3");
    assert_eq!(app.cx.view, ViewId::Heat);
    app
}

/// Two hours of four ranges: 3 burns from the 30th minute to the 39th.
fn burning() -> App {
    let value = |partition, minute: i64| match (partition, minute) {
        (3, 30..40) => Some(100.0),
        (2, 5) => None,
        (partition, _) => Some(f64::from(10 + partition)),
    };
    shown(metrics(4, 120, value).finish())
}

fn cell(app: &App) -> readout::ChosenCell {
    readout::chosen(&app.views.heat).unwrap()
}

fn window_s(app: &App) -> (i64, i64) {
    let window = app.views.heat.map.window.unwrap();
    (window.from, window.to())
}

fn point(app: &mut App, column: u16, row: u16, did: MouseAct) {
    let pointer = Pointer { column, row, did };
    update(app, Msg::Did(InputEvent::Pointer(pointer)));
}

/// Where a cell of the map is on the screen.
fn place(app: &App, row: u16, cell: usize) -> (u16, u16) {
    let areas = areas(&app.views.heat, app.cx.body());
    let cells = app.views.heat.map.columns.cells(areas.map);
    let columns = 0..app.views.heat.map.width();
    let column = columns.into_iter().find(|c| app.views.heat.map.under(*c).contains(&cell));
    (cells.x + u16::try_from(column.unwrap()).unwrap(), areas.map.y + row * areas.lines)
}

#[test]
fn the_cursor_begins_where_it_is_hottest() {
    let app = burning();
    let cell = cell(&app);
    assert_eq!((cell.partition, cell.from), (3, START + 30 * 60));
    assert_eq!(cell.value, Some(1.0));
    let text = screen(&app).join("\n");
    assert!(text.contains("2026-06-22 02:30–02:32 UTC"), "{text}");
    assert!(text.contains("▲"), "{text}");
    assert!(text.contains("10 min") || app.cx.size.width < 100);
}

#[test]
fn time_is_zoomed_from_the_finest_data_and_back_again() {
    let mut app = burning();
    let all = window_s(&app);
    press(&mut app, "+");
    let half = window_s(&app);
    assert!(half.1 - half.0 < all.1 - all.0);
    assert!((half.0..half.1).contains(&(START + 30 * 60)), "{half:?}");
    press(&mut app, "+");
    press(&mut app, "backspace");
    assert_eq!(window_s(&app), half);
    press(&mut app, "-");
    assert_eq!(window_s(&app), all);
    press(&mut app, "+ + + + + + + +");
    let finest = window_s(&app);
    assert!(finest.1 - finest.0 >= 4 * 60, "{finest:?}");
    assert_eq!(app.views.heat.map.window.unwrap().width_s, 60);
    press(&mut app, "0");
    assert_eq!(window_s(&app), all);
    for _ in 0..20 {
        if app.cx.view == ViewId::Heat {
            press(&mut app, "backspace");
        }
    }
    assert_eq!(app.cx.view, ViewId::Overview, "after the zooms the view is left");
}

#[test]
fn a_brush_is_a_span_between_two_cells() {
    let mut app = burning();
    press(&mut app, "space l l l l enter");
    let (from, to) = window_s(&app);
    assert_eq!((from, to), (START + 30 * 60, START + 40 * 60));
    press(&mut app, "backspace space esc");
    assert_eq!((app.views.heat.time.brush, app.cx.view), (None, ViewId::Heat));
}

#[test]
fn a_drag_is_a_brush_and_a_click_is_none() {
    let mut app = burning();
    let before = window_s(&app);
    let (column, row) = place(&app, 1, 10);
    point(&mut app, column, row, MouseAct::Click);
    point(&mut app, column, row, MouseAct::Release);
    assert_eq!(window_s(&app), before);
    assert_eq!(app.views.heat.cursor.chosen, 1);
    let (end, _) = place(&app, 1, 31);
    point(&mut app, column, row, MouseAct::Click);
    point(&mut app, end, row, MouseAct::Drag);
    assert!(app.views.heat.time.brush.is_some());
    point(&mut app, end, row + 3, MouseAct::Release);
    // Under a column two cells may lie; the first of them counts.
    let (from, to) = window_s(&app);
    assert!([18, 20].map(|m| START + m * 60).contains(&from), "{from}");
    assert!([62, 64].map(|m| START + m * 60).contains(&to), "{to}");
    assert_eq!((app.views.heat.time.brush, app.views.heat.time.pressed), (None, None));
    // A button that went down elsewhere drags nothing.
    let held = window_s(&app);
    point(&mut app, 2, 1, MouseAct::Click);
    point(&mut app, end, row, MouseAct::Drag);
    point(&mut app, end, row, MouseAct::Release);
    assert_eq!(window_s(&app), held);
}

#[test]
fn the_wheel_with_ctrl_zooms_around_the_pointer() {
    let mut app = burning();
    let (column, row) = place(&app, 0, 50);
    point(&mut app, column, row, MouseAct::ZoomIn);
    let (from, to) = window_s(&app);
    let pointed = START + 100 * 60;
    assert!(to - from <= 62 * 60 && (from..to).contains(&pointed), "{from} {to}");
    point(&mut app, column, row, MouseAct::ZoomOut);
    assert!(app.views.heat.time.span.is_none());
}

#[test]
fn a_pinned_cell_is_compared_with_the_cursor() {
    let mut app = burning();
    press(&mut app, "x l l l l l l l l l l l l");
    let line = readout::line(&app.views.heat);
    assert!(line.starts_with("13 %") && line.contains("-87 % from pinned 100 %"), "{line}");
    press(&mut app, "x x");
    assert!(app.views.heat.pin.is_none());
}

#[test]
fn orders_and_measures_turn_and_the_selection_stays() {
    let mut app = burning();
    press(&mut app, "j");
    let chosen = app.views.heat.chosen();
    for _ in 0..4 {
        press(&mut app, "o");
        assert_eq!(app.views.heat.chosen(), chosen);
    }
    assert_eq!(app.views.heat.order, GridOrder::Hottest);
    press(&mut app, "m");
    assert!(screen(&app).join("\n").contains("no other measure"));
}

#[test]
fn merged_rows_hide_no_hot_cell() {
    let value = |partition, minute| {
        let is_hot = (partition, minute) == (777, 43);
        Some(if is_hot { 100.0 } else { 1.0 })
    };
    let mut app = shown(metrics(1000, 60, value).finish());
    press(&mut app, "o d");
    assert!(app.views.heat.map.group > 1);
    assert_eq!(map::rows(&app.views.heat), app.views.heat.map.rows.len());
    let dots =
        app.views.heat.map.rows.iter().flat_map(|row| &row.lanes).flat_map(|lane| &lane.dots);
    let hot = dots.filter(|dot| dot.value >= 1.0).count();
    assert_eq!(hot, 1);
    // The cursor tells which one it is.
    let row = 777 / app.views.heat.map.group;
    app.views.heat.cursor.chosen = row;
    app.views.heat.time.at = Some(START + 43 * 60);
    press(&mut app, "b");
    let line = readout::line(&app.views.heat);
    assert!(line.contains("partition 777") && line.contains("merged"), "{line}");
    press(&mut app, "d");
    assert_eq!(app.views.heat.map.group, 1);
}

#[test]
fn gaps_are_not_zero() {
    let value = |partition, minute: i64| (partition == 1 || minute > 30).then_some(0.0);
    let mut app = shown(metrics(2, 60, value).finish());
    press(&mut app, "o");
    let row = &app.views.heat.map.rows[0].lanes[0].dots;
    assert!(row[0].value.is_nan() && row[40].value == 0.0);
    app.views.heat.time.at = Some(START);
    press(&mut app, "b");
    assert!(readout::line(&app.views.heat).starts_with("no data, which is not zero"));
    app.cx.theme = theme_ascii();
    let lines = screen(&app);
    let row = lines.iter().find(|line| line.starts_with("> 0")).unwrap();
    assert!(row.contains("----") && row.contains("    "), "{row}");
}

/// Two ranges at 50 %, a metric without a region; partition 1 is refused in the first five of ten minutes.
fn refusing(regions: &[&str]) -> App {
    refusing_of(regions, [900, 300])
}

fn refusing_of(regions: &[&str], [served, throttled]: [u64; 2]) -> App {
    let builder = metrics(2, 10, |_, _| Some(50.0));
    let name = ContainerName::new(Some("northpier"), Some("shop"), Some("orders"));
    let container = builder.container(&name).unwrap();
    for (nth, region) in (1_u64..).zip(regions) {
        let region = builder.region(region).unwrap();
        builder.load(|load| {
            for (status, requests) in [(200, served), (429, throttled * nth)] {
                load.add_request(&RequestRecord {
                    container,
                    region,
                    partition: "1",
                    operation: "Create",
                    status,
                    span_s: 300,
                    at: Stamp::from_seconds(START),
                    requests,
                    ru: 10.0,
                    duration_ms: 1.0,
                    mark: None,
                });
            }
        });
    }
    shown(builder.finish())
}

#[test]
fn refusals_lie_over_the_map_of_shares_whatever_region_the_log_names() {
    for regions in [&[""][..], &["West Europe"], &["North Europe", "West Europe"]] {
        let mut app = refusing(regions);
        let scope = app.views.heat.scope.as_ref().unwrap();
        assert_eq!(scope.measure(), Some(Measure::NormalizedRu), "{regions:?}");
        let row = scope.rows.iter().position(|row| {
            let named = &scope.partition(*row).unwrap().named;
            *named == RangeName::Range("1".to_owned())
        });
        let row = row.unwrap();
        let marks = |row: usize| -> Vec<bool> {
            let lane = &app.views.heat.map.rows[row].lanes[0];
            lane.dots.iter().map(|dot| dot.is_refused).collect()
        };
        let marked = |row: usize| marks(row).iter().filter(|is| **is).count();
        assert_eq!((marked(row), marked(1 - row)), (5, 0), "{regions:?}");
        app.views.heat.cursor.chosen = row;
        app.views.heat.time.at = Some(START);
        press(&mut app, "b");
        let line = readout::line(&app.views.heat);
        // The region with most of them is named.
        let wanted = match regions {
            [""] => "429s: 1/s (mean 02:00–02:05)",
            [_] => "429s: 1/s (mean 02:00–02:05)  West Europe",
            _ => "429s: 2/s (mean 02:00–02:05)  West Europe",
        };
        assert!(line.contains(wanted), "{line}");
        app.views.heat.time.at = Some(START + 600);
        press(&mut app, "b");
        let most = wanted.get(6..7).unwrap();
        let text = screen(&app).join("\n");
        // Five minutes of one total are one total.
        let is_one = text
            .lines()
            .any(|row| row.contains(" [!!!") && row.contains(&format!(" {most}/s !!!")));
        assert!(is_one && text.contains("[!] 429s, mean of 5 min"), "{text}");
    }
}

#[test]
fn few_refusals_are_counted_in_the_cell_and_the_row() {
    let mut app = refusing_of(&[""], [6, 6]);
    let rows = &app.views.heat.map.rows;
    let row = rows.iter().position(|row| !row.throttled_words.is_empty()).unwrap();
    assert_eq!(rows[row].throttled_words, "6 of 12 requests");
    assert_eq!(rows[row].throttled_totals[0].words, "6 of 12 requests");
    app.views.heat.cursor.chosen = row;
    app.views.heat.time.at = Some(START);
    press(&mut app, "b");
    let line = readout::line(&app.views.heat);
    assert!(line.contains("429s: 6 of 12 requests (02:00–02:05)"), "{line}");
}

#[test]
fn what_burst_capacity_served_stands_with_the_cell_and_in_the_evidence() {
    let builder = metrics(2, 60, |_, _| Some(40.0));
    let name = ContainerName::new(Some("northpier"), Some("shop"), Some("orders"));
    let container = builder.container(&name).unwrap();
    builder.load(|load| {
        let series = SeriesName {
            metric: "TotalRequestUnits".to_owned(),
            unit: "Count".to_owned(),
            aggregation: "total".to_owned(),
            container,
            dimensions: vec![("capacitytype".to_owned(), "BurstCapacity".to_owned())],
        };
        for (minute, ru) in [(9, 0.0), (10, 9_000.0), (11, 3_000.0)] {
            let at = Stamp::from_seconds(START + minute * 60).unwrap();
            load.add_point(&series, at, ru);
        }
    });
    let mut app = shown(builder.finish());
    for (minute, wanted) in [(9, false), (10, true), (12, false)] {
        app.views.heat.time.at = Some(START + minute * 60);
        press(&mut app, "b");
        let line = readout::line(&app.views.heat);
        assert_eq!(line.contains("burst served 9,000 RU"), wanted, "{line}");
    }
    let verdict = head::worst(&app.views.heat).unwrap();
    let fact =
        verdict.evidence.iter().find(|fact| fact.what.text(|_| String::new()) == "burst capacity");
    let value = fact.map(|fact| fact.value.as_str());
    assert_eq!(value, Some("served 12,000 RU in 2 minutes: provisioned RU/s alone would not have"));
}

#[test]
fn cells_are_made_only_when_something_they_are_made_of_changes() {
    let mut app = burning();
    let made = app.views.heat.map.builds;
    press(&mut app, "h l h j k b < > x tab tab i esc p");
    assert_eq!(app.views.heat.map.builds, made);
    press(&mut app, "+");
    assert_eq!(app.views.heat.map.builds, made + 1);
}

#[test]
fn from_a_partition_to_its_keys_to_a_key_and_back() {
    let mut app = app_with("tenants");
    press(&mut app, "3 enter");
    assert_eq!(app.views.heat.pane, HeatPane::Keys);
    press(&mut app, "j");
    let scope = app.views.heat.scope.clone().unwrap();
    let canonical = app.views.heat.list.entries[1].canonical(&scope).unwrap();
    let effects = press(&mut app, "enter");
    assert_eq!(app.cx.view, ViewId::Keys);
    let asked = effects.iter().any(|effect| {
        matches!(effect, Effect::Arrange(_, ask)
        if ask.follow.iter().any(|key| **key == *canonical))
    });
    assert!(asked, "{canonical}");
    press(&mut app, "backspace");
    assert_eq!(app.cx.view, ViewId::Heat);
    assert_eq!(app.views.heat.pane, HeatPane::Keys);
    press(&mut app, "backspace");
    assert_eq!((app.cx.view, app.views.heat.pane), (ViewId::Heat, HeatPane::Map));
}

#[test]
fn without_any_load_it_says_what_is_missing() {
    let builder = CaptureBuilder::new(1);
    let name = ContainerName::new(None, Some("shop"), Some("orders"));
    builder.container(&name).unwrap();
    let mut app = shown(builder.finish());
    let text = screen(&app).join(" ");
    assert!(text.contains("NormalizedRUConsumption"), "{text}");
    for keys in [
        "+", "-", "0", "space", "h", "l", "m", "n", "o", "d", "x", "c", "c", "c", "y", "Y", "i",
        "esc", "e", "esc",
    ] {
        press(&mut app, keys);
    }
    let mut app = self::app();
    press(&mut app, "3");
    assert_eq!(app.cx.view, ViewId::Start);
}

#[test]
fn the_evidence_tells_where_the_map_comes_from() {
    let mut app = burning();
    press(&mut app, "i");
    let Some(Overlay::Paper(paper)) = &app.overlay else {
        unreachable!("evidence is a paper");
    };
    let text = paper.lines.join("\n");
    assert!(text.contains("NormalizedRUConsumption") && text.contains("steps of 1 min"), "{text}");
}

#[test]
fn every_chart_fits_into_every_window() {
    let value = |partition: u32, minute| {
        Some(f64::from(partition % 130) + f64::from(u32::try_from(minute % 3).unwrap()))
    };
    let many = metrics(300, 90, value).finish();
    for mut app in [
        Box::new(shown(many)),
        Box::new(app_with("suffix")),
        Box::new(app_with("events")),
        Box::new(burning()),
    ] {
        let sizes = SIZES.into_iter().filter(|(width, _)| *width < 500);
        for ascii in [false, true] {
            if ascii {
                app.cx.theme = theme_ascii();
            }
            for (width, height) in sizes.clone() {
                resize(&mut app, width, height);
                app.cx.view = ViewId::Heat;
                press(&mut app, "c");
                for keys in ["tab", "d", "z", "G", "+", "space", "l", "space", "b", "z", "c", "c"] {
                    press(&mut app, keys);
                    let lines = screen(&app);
                    assert_eq!(lines.len(), usize::from(height));
                }
            }
        }
    }
}
