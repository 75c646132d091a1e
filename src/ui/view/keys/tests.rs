//! The screen of keys as a whole: what is shown, made and kept from message to message.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod asking;
mod masking;
mod taking;

use std::collections::HashSet;

use super::*;
use crate::analysis::ceiling::Ceiling;
use crate::analysis::summary::{Summary, SummaryOptions};
use crate::analysis::testing::{GIB, Log, NEWEST, ORDERS, READINGS, northpier, seconds};
use crate::model::capture::Capture;
use crate::model::load::{RuLog, RuRecord};
use crate::ui::app::App;
use crate::ui::app::testing::{
    app_showing, app_with, copied, export, go_to, press, resize, sort_by,
};
use crate::ui::app::update::update;
use crate::ui::kit::msg::Msg;
use crate::ui::view::testing::{SIZES, screen};
use crate::work::data::{Origin, Stage};
use crate::work::testing::{arrange, dataset};
use crate::work::whole_file::IfExists;

/// Does what the screen asks for, as worker threads would; what only others can do comes back.
pub(super) fn answered(app: &mut App, effects: Vec<Effect>) -> Vec<Effect> {
    let mut outside = Vec::new();
    let mut waiting = effects;
    while let Some(effect) = waiting.pop() {
        let msg = match effect {
            Effect::Arrange(generation, ask) => {
                Msg::Arranged(generation, Shared::new(arrange(&ask, &|| true).unwrap()))
            }
            Effect::Grow(generation, branch) => {
                Msg::Grown(generation, Shared::new(branch.grow(&|| true).unwrap()))
            }
            other => {
                outside.push(other);
                continue;
            }
        };
        waiting.extend(update(app, msg));
    }
    outside
}

pub(super) fn pressed(app: &mut App, chords: &str) -> Vec<Effect> {
    let chords = chords.split_whitespace();
    let effects = chords.flat_map(|chord| {
        let effects = press(app, chord);
        answered(app, effects)
    });
    effects.collect()
}

pub(super) fn shown(app: &App) -> String {
    screen(app).join("\n")
}

/// The keys of a capture, with the container of the largest one open.
fn keys_of(capture: Capture) -> App {
    let mut app = app_showing(capture);
    pressed(&mut app, "2");
    app
}

/// Keys of falling size, the n-th of them `tenant-n`.
fn many(keys: u32) -> Capture {
    let log = Log::new("exports/many.csv");
    let newest = Some(seconds(NEWEST));
    for n in 0..keys {
        let key = format!("[\"tenant-{n:05}\"]");
        let kib = 10.0 * GIB - f64::from(n);
        log.reading(ORDERS, &key, "West Europe", newest, kib);
    }
    log.capture()
}

fn chosen_text(app: &App) -> String {
    let list = app.views.keys.list.clone().unwrap();
    let view = list.data.capture.sizes.view(app.views.keys.chosen().unwrap());
    view.unwrap().canonical().to_owned()
}

/// Other data of the same opening arrives.
fn arrives(app: &mut App, capture: Capture, stage: Stage) {
    let effects = arriving_in(app, capture, stage);
    answered(app, effects);
}

/// The same, with what the screen asks for then.
fn arriving(app: &mut App, capture: Capture) -> Vec<Effect> {
    arriving_in(app, capture, Stage::Whole)
}

fn arriving_in(app: &mut App, capture: Capture, stage: Stage) -> Vec<Effect> {
    let mut summary = Summary::new(SummaryOptions::default());
    summary.absorb(&capture);
    let origin = Origin::Paths(vec!["exports".into()]);
    let report = summary.finish();
    let ceiling = Ceiling::BINARY;
    let data = dataset(origin.clone(), stage, capture, report, ceiling, &|| true);
    let effects = crate::ui::app::update::open(app, origin);
    let generation = crate::ui::app::testing::generation_of(&effects);
    update(app, Msg::Loaded(generation, Shared::new(data.unwrap())))
}

#[test]
fn eighty_columns_tell_which_key_is_full_and_when() {
    let app = keys_of(northpier());
    let lines = screen(&app);
    let shown = "4 keys listed · sort size ↓ · 1 key full · 2 keys ≥90 %";
    assert_eq!(lines[1].trim_end(), shown);
    assert!(lines[2].starts_with("● KEY OVER 20 GB  tenant-0002"));
    for words in ["key", "of 20 GB", "%", "GiB↓", "20 GB on", "RU share"] {
        assert!(lines[4].contains(words), "{words}");
    }
    assert!(lines[5].starts_with("┃▶  tenant-0002"));
    assert!(lines[5].contains("▶   108 %    21.60"));
    assert!(lines[5].contains("over the limit"));
    assert!(lines[6].contains("2026-07-01 ±6"));
    assert!(lines[9].contains("other keys: smaller, not reported"), "{}", lines[9]);
    // The list is short: the chosen key stands below it.
    assert!(lines[11].contains("chosen key") && lines[12].contains("tenant-0002"));
}

#[test]
fn only_the_rows_of_the_window_are_made_and_only_once() {
    let mut app = keys_of(many(5000));
    let made = app.views.keys.window.builds;
    assert_eq!(app.views.keys.window.rows().len(), 14);
    for msg in [Msg::Clock(seconds(NEWEST)), Msg::Clock(seconds(NEWEST + 1))] {
        update(&mut app, msg);
    }
    pressed(&mut app, "j k j");
    assert_eq!(app.views.keys.window.builds, made, "moving inside the window makes no row");
    pressed(&mut app, "G");
    assert_eq!(app.views.keys.window.builds, made + 1);
    assert!(shown(&app).contains("tenant-04999"));
    resize(&mut app, 80, 30);
    assert_eq!(app.views.keys.window.builds, made + 2);
    assert_eq!(app.views.keys.window.rows().len(), 20);
}

#[test]
fn every_window_shows_every_pane_and_none_panics() {
    for name in ["tenants", "events"] {
        let mut app = app_with(name);
        pressed(&mut app, "2");
        for (width, height) in SIZES {
            resize(&mut app, width, height);
            for chords in ["j", "> >", "tab", "z", "G", "tab", "z", "g", "tab", "< T", "l j", "T"] {
                pressed(&mut app, chords);
                let lines = screen(&app);
                assert_eq!(lines.len(), usize::from(height));
            }
        }
    }
}

#[test]
fn hostile_keys_keep_the_columns_in_line() {
    let log = Log::new("exports/hostile.csv");
    let longest = format!("[\"{}\"]", "x".repeat(2042));
    let keys = [
        "[\"\u{202e}evil\"]",
        "[\"a\\u001b[2J\\u0007\"]",
        "[\"東京都千代田区東京都千代田区東京都千代田区\"]",
        "[\"e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\"]",
        "[\"👩‍👩‍👧‍👦👩‍👩‍👧‍👦\"]",
        "[\"مرحبا\"]",
        &longest,
        "[{},null,\"a / b\",1e400]",
        "\r\n\t",
    ];
    for (n, key) in (0_u32..).zip(keys) {
        let kib = GIB * f64::from(n + 1);
        log.reading(ORDERS, key, "West\u{1b}Europe", Some(seconds(NEWEST)), kib);
    }
    let mut app = keys_of(log.capture());
    for width in [80, 120, 200] {
        resize(&mut app, width, 40);
        let room = app.views.keys.areas(&app.cx, app.cx.body()).list();
        let key = app.views.keys.window.columns()[0].width;
        let mut buffer = Buffer::empty(app.cx.area());
        crate::ui::app::draw(&app, &mut buffer);
        for (n, y) in (0..keys.len()).zip(room.y..room.bottom()) {
            // The cell before the bar is the gap, whatever stands before it, and the bar starts behind it.
            let gap = buffer.cell((room.x + 3 + key, y)).unwrap().symbol();
            let bar = buffer.cell((room.x + 3 + key + 1, y)).unwrap().symbol();
            assert_eq!(gap, " ", "row {n} at {width}");
            assert!("█▉▊▋▌▍▎▏░".contains(bar) && bar != " ", "row {n} at {width}: {bar:?}");
        }
        let text = shown(&app);
        assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{7}', '\r']));
    }
    pressed(&mut app, "g tab z");
    for _ in 0..keys.len() {
        assert!(!shown(&app).contains(['\u{1b}', '\u{202e}', '\u{7}']));
        pressed(&mut app, "tab tab j tab");
    }
}

#[test]
fn what_is_not_there_is_said_in_words() {
    let mut app = keys_of(Capture::default());
    assert!(shown(&app).contains("CDBPartitionKeyStatistics"));
    let log = Log::new("exports/range.json");
    log.facts(ORDERS, &["/tenantId"], &[1.0, 2.0]);
    app = keys_of(log.capture());
    assert!(shown(&app).contains("no keys reported"));
    pressed(&mut app, "space y Y ctrl-y i enter T s R ctrl-a U e esc tab z esc");
    app = keys_of(northpier());
    pressed(&mut app, "/ n o t h e r e enter");
    let text = shown(&app);
    assert!(text.contains("None of the 4 keys passes the filter. Ctrl-r or Esc shows all keys"));
    pressed(&mut app, "esc");
    assert!(shown(&app).contains("4 keys listed"));
}

#[test]
fn more_data_leaves_the_chosen_and_the_marked_key_where_they_are() {
    let mut app = keys_of(northpier());
    pressed(&mut app, "j space");
    assert_eq!(chosen_text(&app), "[\"tenant-0007\"]");
    arrives(&mut app, many(30), Stage::Reading { keys_so_far: 1_204_332 });
    assert!(shown(&app).contains("the 30 largest of 1,204,332 so far"));
    assert!(app.views.keys.marks.is_empty(), "the new data does not have it");
    pressed(&mut app, "j j j space");
    assert_eq!(chosen_text(&app), "[\"tenant-00006\"]");
    arrives(&mut app, many(40), Stage::Whole);
    assert_eq!(chosen_text(&app), "[\"tenant-00006\"]");
    assert!(shown(&app).contains("1 marked, 10.0 GiB"));
    assert!(shown(&app).contains("40 keys listed"));
}

#[test]
fn a_chosen_key_that_is_gone_leaves_the_selection_in_its_place() {
    let mut app = keys_of(many(30));
    pressed(&mut app, "j j j");
    for tenants in [1, 2] {
        let log = Log::new("exports/other.csv");
        for n in 0..30 {
            let key = format!("[\"other-{tenants}-{n:02}\"]");
            let kib = 5.0 * GIB - f64::from(n);
            log.reading(ORDERS, &key, "West Europe", Some(seconds(NEWEST)), kib);
        }
        arrives(&mut app, log.capture(), Stage::Whole);
        assert_eq!(chosen_text(&app), format!("[\"other-{tenants}-03\"]"));
    }
}

#[test]
fn the_title_tells_age_and_what_is_missing_where_there_is_room() {
    let mut app = keys_of(northpier());
    update(&mut app, Msg::Clock(seconds(NEWEST + 5 * 3600)));
    let title = |app: &App| screen(app)[0].trim_end().to_owned();
    assert!(title(&app).contains("(5 h) · 5 missing (v)"));
    resize(&mut app, 200, 60);
    assert!(title(&app).contains("(5 h old)"), "{}", title(&app));
    assert!(title(&app).contains("RU log –"), "{}", title(&app));
    resize(&mut app, 40, 10);
    assert!(title(&app).contains("orders · to 22 Jun 02:10 (5 h)"));
}

#[test]
fn a_step_back_leaves_zoom_then_pane_then_filter_then_the_view() {
    let mut app = keys_of(northpier());
    pressed(&mut app, "tab / 7");
    assert_eq!(app.views.keys.pane, KeysPane::Table, "who filters sees the rows");
    pressed(&mut app, "enter tab z");
    assert!(!shown(&app).contains("RU share"));
    pressed(&mut app, "esc");
    assert_eq!((app.views.keys.zoom, app.views.keys.pane), (Zoom::Off, KeysPane::Detail));
    pressed(&mut app, "esc");
    assert_eq!(app.views.keys.pane, KeysPane::Table);
    assert!(shown(&app).contains("1 of 4 keys listed · filter 7"));
    pressed(&mut app, "esc");
    assert!(shown(&app).contains("4 keys listed · sort"));
    assert_eq!(app.cx.view, ViewId::Keys);
    pressed(&mut app, "esc");
    assert_eq!(app.cx.view, ViewId::Overview);
}

#[test]
fn a_key_chosen_while_other_data_is_arranged_is_looked_for_in_it() {
    let mut app = keys_of(many(30));
    pressed(&mut app, "j");
    let effects = arriving(&mut app, many(40));
    press(&mut app, "j");
    press(&mut app, "j");
    let held = chosen_text(&app);
    assert_eq!(held, "[\"tenant-00003\"]");
    answered(&mut app, effects);
    assert_eq!(chosen_text(&app), held);
    assert_eq!(app.views.keys.rows(), 40);
}

fn click(app: &mut App, column: u16, row: u16) {
    let pointer =
        crate::ui::kit::input::Pointer { column, row, did: crate::ui::kit::input::MouseAct::Click };
    let input = crate::ui::kit::input::InputEvent::Pointer(pointer);
    let effects = update(app, Msg::Did(input));
    answered(app, effects);
}

#[test]
fn a_click_chooses_and_a_second_one_opens() {
    let mut app = keys_of(northpier());
    click(&mut app, 5, 7);
    assert_eq!(chosen_text(&app), "[\"tenant-0007\"]");
    pressed(&mut app, "s");
    assert_eq!(chosen_text(&app), "[\"tenant-0007\"]");
    pressed(&mut app, "S");
    click(&mut app, 5, 7);
    assert_eq!(app.views.keys.pane, KeysPane::Detail);
    click(&mut app, 5, 20);
    assert_eq!(app.views.keys.pane, KeysPane::Detail, "beyond the rows is nothing");
}

#[test]
fn who_goes_to_the_heat_sees_the_partition_of_the_chosen_key() {
    let mut app = app_with("tenants");
    pressed(&mut app, "2");
    for (row, key, partition) in [(0, "A", "0"), (2, "C", "1"), (4, "B", "1")] {
        pressed(&mut app, "2 g");
        for _ in 0..row {
            pressed(&mut app, "j");
        }
        let named = partition_of_chosen(&app.views.keys).unwrap();
        assert_eq!((named.text(), key), (partition, key));
        pressed(&mut app, "3");
        let text = shown(&app);
        let chosen = text.lines().find(|line| line.starts_with('▶')).unwrap();
        assert!(chosen.starts_with(&format!("▶ {partition} ")), "{key}: {chosen}");
    }
}

/// Two keys in the RU log and no size of any.
fn ru_log() -> Capture {
    let log = Log::new("exports/ru.csv");
    log.facts(ORDERS, &["/tenantId"], &[1.0]);
    let mut capture = log.capture();
    for (key, ru) in [("[\"contoso\"]", 900.0), ("[\"fabrikam\"]", 100.0)] {
        capture.load.add_ru(&RuRecord {
            container: 0,
            log: RuLog::OwnTable,
            region: 0,
            range: "0",
            key,
            operation: "Read",
            at: Some(seconds(NEWEST)),
            ru,
            mark: None,
        });
    }
    capture
}

#[test]
fn without_sizes_the_keys_of_the_ru_log_are_listed() {
    let mut app = keys_of(ru_log());
    let lines = screen(&app);
    assert!(lines[1].starts_with("2 keys in the RU log · sort RU share ↓"), "{}", lines[1]);
    assert!(lines[4].starts_with("┃▶  contoso") && lines[4].contains("90 %"), "{}", lines[4]);
    assert!(shown(&app).contains("sizes: not reported; PartitionKeyStatistics shows them"));
    assert_eq!(partition_of_chosen(&app.views.keys).unwrap().text(), "0");
    let line = copied(&pressed(&mut app, "j y"));
    assert!(line.starts_with("fabrikam  10 % of RU  peak 100"), "{line}");
    // The chosen key stays chosen in the other order.
    pressed(&mut app, "R");
    assert!(screen(&app)[4].starts_with("┃▶  fabrikam"));
    pressed(&mut app, "/ r u > 5 0 0 enter");
    assert!(shown(&app).contains("1 of 2 keys in the RU log"));
    let effects = export(&mut app, "keys.csv", IfExists::Keep);
    let [Effect::Export(_, asked)] = &effects[..] else {
        panic!("nothing is exported");
    };
    let Exported::RuKeys(keys) = &asked.what else {
        panic!("not the keys of the RU log");
    };
    let written = |name: &str| {
        let mut out = Vec::new();
        let write = crate::report::ru_keys::format(name).unwrap();
        write(keys, crate::report::Style::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let csv = "account,database,container,key,is,ru,share,peak_ru_per_second,since,partition\n\
               northpier-prod,shop,orders,\"[\"\"contoso\"\"]\",key,900,0.9,900,2026-06-22T02:10:41Z,0\n";
    assert_eq!(written("csv"), csv);
    assert!(written("json").contains("\"key\":[\"contoso\"],\"is\":\"key\",\"ru\":900"));
    for name in ["text", "md"] {
        let text = written(name);
        assert!(text.contains("contoso") && text.contains("90 %"), "{text}");
    }
    pressed(&mut app, "esc s s i esc enter");
    assert!(shown(&app).contains("peak       900"), "{}", shown(&app));
    assert!(pressed(&mut app, "space").is_empty());
}

#[test]
fn a_heading_sorts_and_a_second_click_reverses() {
    let mut app = keys_of(northpier());
    let heading = screen(&app)[4].clone();
    let at = heading.chars().position(|c| c == '%').unwrap();
    click(&mut app, u16::try_from(at).unwrap(), 4);
    assert_eq!(app.views.keys.sort.by, crate::analysis::arrange::SortBy::Share);
    assert!(screen(&app)[4].contains("%↓"));
    click(&mut app, u16::try_from(at).unwrap(), 4);
    assert!(screen(&app)[4].contains("%↑"));
}

#[test]
fn keys_that_differ_in_the_middle_only_never_look_alike() {
    for (width, height) in [(60, 20), (80, 24), (120, 40)] {
        let log = Log::new("exports/long.csv");
        for n in 0..8 {
            let key = format!("[\"{}{n}{}\",\"b\"]", "a".repeat(90), "z".repeat(90));
            log.reading(READINGS, &key, "West Europe", Some(seconds(NEWEST)), GIB);
        }
        log.facts(READINGS, &["/plantId", "/deviceId"], &[]);
        let mut app = keys_of(log.capture());
        resize(&mut app, width, height);
        for chords in ["", "T"] {
            pressed(&mut app, chords);
            let shown = shown(&app);
            let words = shown.split_whitespace();
            let keys = words.filter(|w| w.starts_with("aa") && w.contains('…'));
            let different: HashSet<&str> = keys.collect();
            assert_eq!(different.len(), 8, "{width} {chords}\n{shown}");
        }
    }
}

#[test]
fn a_key_of_a_month_says_why_it_never_reaches_the_limit() {
    let mut app = app_with("car");
    press(&mut app, "1 j");
    pressed(&mut app, "2 G");
    let text = shown(&app);
    let why = "never: the month or day in the key ends on 2026-06-01";
    assert!(text.contains(why), "{text}");
}
