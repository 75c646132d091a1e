//! The overview: order, filter, what it copies and writes, and that it fits whatever the data.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod listing;

use crate::analysis::testing::{CARTS, GIB, Log, NEWEST, ORDERS, WEEK, northpier, seconds};
use crate::model::load::SeriesName;
use crate::model::visible::display_width;
use crate::ui::app::testing::{app_showing, app_with, copied, press, resize, type_in};
use crate::ui::app::update::update;
use crate::ui::app::{App, Overlay};
use crate::ui::kit::input::{InputEvent, MouseAct, Pointer};
use crate::ui::kit::msg::{Effect, Msg, ViewId};
use crate::ui::view::testing::{SIZES, screen, theme_ascii};
use crate::work::data::Exported;
use crate::work::salt::Salt;

fn mask(app: &mut App) {
    update(app, Msg::SaltRead(Ok(Salt(vec![7; 32]))));
}

fn text_of(app: &App) -> String {
    screen(app).join("\n")
}

/// The containers from top to bottom, as the list names them.
fn names(app: &App) -> Vec<String> {
    let state = &app.views.overview;
    let rows = state.order.iter().map(|at| state.rows[*at].name.clone());
    rows.collect()
}

#[test]
fn the_worst_container_stands_first_with_its_finding_in_words() {
    let mut app = app_showing(northpier());
    update(&mut app, Msg::Clock(seconds(NEWEST + 5 * 3600)));
    let text = text_of(&app);
    assert_eq!(names(&app), ["shop ▸ orders", "shop ▸ carts", "telemetry ▸ readings"]);
    for expected in [
        "3 containers · 1 full · next key reaches 20 GB: tenant-0001, 2026-07-01 ±6 d",
        "to 22 Jun 02:10 (5 h)",
        "108 %       over",
        "20 GB on",
        "NULL KEY no value",
        "no RU logs: heat unknown (v: more)",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn the_next_date_of_all_containers_stands_above_them() {
    let log = Log::new("a.csv");
    let sizes = [13.5, 15.0, 16.5, 18.0].map(|gib| gib * GIB);
    log.weeks(ORDERS, r#"["grows"]"#, "", &sizes);
    log.weeks(ORDERS, r#"["rests"]"#, "", &[18.5 * GIB; 4]);
    log.weeks(CARTS, r#"["later"]"#, "", &sizes.map(|kib| kib / 2.0));
    let mut app = app_showing(log.capture());
    resize(&mut app, 160, 45);
    let text = text_of(&app);
    let expected = "next key reaches 20 GB: orders grows, 2026-07-01 ±6 d";
    assert!(text.contains(expected), "{text}");
    resize(&mut app, 40, 10);
    assert!(!text_of(&app).contains("next key reaches"));
}

#[test]
fn sorting_turns_and_the_chosen_container_stays_chosen() {
    let mut app = app_showing(northpier());
    press(&mut app, "j");
    assert_eq!(app.views.overview.chosen().unwrap().name, "shop ▸ carts");
    type_in(&mut app, ":sort name");
    press(&mut app, "enter");
    assert_eq!(names(&app)[0], "shop ▸ carts");
    assert_eq!(app.views.overview.cursor.chosen, 0);
    press(&mut app, "R");
    assert_eq!(names(&app)[0], "telemetry ▸ readings");
    assert_eq!(app.views.overview.chosen().unwrap().name, "shop ▸ carts");
    // What is not known comes last either way: readings has no rate.
    type_in(&mut app, ":sort growth");
    press(&mut app, "enter");
    assert_eq!(names(&app)[2], "telemetry ▸ readings");
    press(&mut app, "R");
    assert_eq!(names(&app)[2], "telemetry ▸ readings");
    type_in(&mut app, ":sort nonsense");
    press(&mut app, "enter");
    assert!(text_of(&app).contains("there is no column nonsense"));
}

#[test]
fn every_column_can_be_sorted_by() {
    let mut app = app_showing(northpier());
    let mut seen = Vec::new();
    for _ in super::ORDERS.names {
        press(&mut app, "s");
        seen.push(super::ORDERS.name(app.views.overview.sort.by));
        assert_eq!(names(&app).len(), 3);
    }
    let mut all = super::ORDERS.names.to_vec();
    all.sort_unstable();
    seen.sort_unstable();
    assert_eq!(seen, all);
    press(&mut app, "S");
    assert_eq!(super::ORDERS.name(app.views.overview.sort.by), "age");
}

#[test]
fn a_filter_narrows_by_name_with_every_letter() {
    let mut app = app_showing(northpier());
    press(&mut app, "/");
    type_in(&mut app, "SHOP ca");
    assert_eq!(names(&app), ["shop ▸ carts"]);
    press(&mut app, "enter");
    assert!(text_of(&app).contains("1 of 3 containers with \"SHOP ca\""));
    press(&mut app, "/");
    type_in(&mut app, "zzz");
    press(&mut app, "enter");
    assert!(text_of(&app).contains("No container has that in its name"));
    press(&mut app, "enter");
    assert_eq!(app.cx.view, ViewId::Overview);
    press(&mut app, "esc");
    assert_eq!(names(&app).len(), 3);
}

#[test]
fn enter_and_a_second_click_go_into_the_container() {
    let mut app = app_showing(northpier());
    press(&mut app, "enter");
    assert_eq!(app.cx.view, ViewId::Keys);
    press(&mut app, "esc");
    let lines = screen(&app);
    let row = lines.iter().position(|line| line.contains("shop ▸ carts"));
    let click = Msg::Did(InputEvent::Pointer(Pointer {
        column: 9,
        row: u16::try_from(row.unwrap()).unwrap(),
        did: MouseAct::Click,
    }));
    update(&mut app, click.clone());
    assert_eq!(app.views.overview.chosen().unwrap().name, "shop ▸ carts");
    update(&mut app, click);
    assert_eq!(app.cx.view, ViewId::Keys);
}

#[test]
fn a_row_is_copied_in_words_and_as_the_query_that_asks_again() {
    let mut app = app_showing(northpier());
    let note = copied(&press(&mut app, "y"));
    assert!(note.starts_with("KEY OVER 20 GB (alarm) · northpier-prod"), "{note}");
    let query = copied(&press(&mut app, "Y"));
    for expected in [
        "CDBPartitionKeyStatistics",
        "| where AccountName =~ \"northpier-prod\"",
        "| where DatabaseName == \"shop\"",
        "| where CollectionName == \"orders\"",
        "| top 100 by SizeKb desc",
    ] {
        assert!(query.contains(expected), "{expected}\n{query}");
    }
}

#[test]
fn no_name_ends_its_text_in_a_query() {
    let log = Log::new("a.csv");
    let name = ["acc", "d\"b", "x\" | take 1 // \\"];
    log.reading(name, r#"["k"]"#, "", None, GIB);
    let mut app = app_showing(log.capture());
    let query = copied(&press(&mut app, "Y"));
    assert!(query.contains(r#"CollectionName == "x\" | take 1 // \\""#), "{query}");
    assert!(query.contains(r#"DatabaseName == "d\"b""#), "{query}");
}

#[test]
fn the_evidence_tells_where_each_number_comes_from() {
    let mut app = app_showing(northpier());
    press(&mut app, "i");
    let Some(Overlay::Paper(paper)) = &app.overlay else {
        unreachable!("i opens a paper");
    };
    let text = paper.lines.join("\n");
    assert_eq!(paper.lines[2], "Finding");
    for expected in [
        "  KEY OVER 20 GB: tenant-0002  108 % of 20 GB",
        "newest data 2026-06-22 02:10 UTC",
        "21.6 GiB, the sample of 2026-06-22 02:10 UTC in West Europe; 4 samples there",
        "in steps of 1 %",
        "the 20 GB limit is read as 20 GiB",
        "tenant-0002, full: writes that grow this key fail with 403",
        "other keys are smaller, not reported",
        "CollectionName == \"orders\"",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn an_export_holds_what_is_shown_and_masks_it() {
    let mut app = app_showing(northpier());
    press(&mut app, "/");
    type_in(&mut app, "carts");
    press(&mut app, "enter");
    mask(&mut app);
    // The filter goes by the names that are shown.
    assert_eq!(names(&app).len(), 0);
    press(&mut app, "esc");
    let effects = press(&mut app, "e enter");
    let [Effect::Export(_, export)] = &effects[..] else {
        unreachable!("e writes a file");
    };
    let Exported::Report(shown) = &export.what else {
        panic!("{export:?}");
    };
    let report = shown.narrowed(shown.data.report.clone());
    assert_eq!(report.containers.len(), 3);
    let text = format!("{report:?}");
    assert!(!text.contains("northpier") && !text.contains("tenant-0"), "{text}");
}

#[test]
fn an_export_of_a_narrowed_list_holds_only_that() {
    let mut app = app_showing(northpier());
    press(&mut app, "/");
    type_in(&mut app, "carts");
    press(&mut app, "enter");
    let effects = press(&mut app, "e enter");
    let [Effect::Export(_, export)] = &effects[..] else {
        unreachable!("e writes a file");
    };
    let Exported::Report(shown) = &export.what else {
        panic!("{export:?}");
    };
    let report = shown.narrowed(shown.data.report.clone());
    let names: Vec<&str> = report
        .containers
        .iter()
        .map(|held| held.name.container.as_deref().unwrap_or_default())
        .collect();
    assert_eq!(names, ["carts"]);
    assert!(
        report.notes.iter().any(|n| n.text == "only the 1 of 3 containers that the filter shows")
    );
}

#[test]
fn details_stand_beside_or_below_where_there_is_room_and_behind_tab_where_not() {
    let mut app = app_showing(northpier());
    let facts = "partition key: not reported";
    resize(&mut app, 80, 60);
    assert!(text_of(&app).contains(facts), "{}", text_of(&app));
    assert!(text_of(&app).contains("shop ▸ carts"));
    resize(&mut app, 80, 11);
    let first = "tenant-0002  108 % of 20 GB";
    assert!(!text_of(&app).contains(first));
    press(&mut app, "tab");
    assert!(text_of(&app).contains(first), "{}", text_of(&app));
    press(&mut app, "esc");
    assert!(!text_of(&app).contains(first));
    for (width, height) in [(120, 60), (200, 60)] {
        resize(&mut app, width, height);
        assert!(text_of(&app).contains(facts), "{}", text_of(&app));
    }
    press(&mut app, "G");
    assert!(text_of(&app).contains("hierarchical partition key /plantId"));
    assert!(text_of(&app).contains("3 physical partitions, the largest"));
    press(&mut app, "z");
    assert!(!text_of(&app).contains("hierarchical"));
}

/// Names and keys that act, join, or are wider than they look.
fn hostile() -> App {
    let log = Log::new("a.csv");
    let names = [
        "\u{1b}[2J\u{202e}evil",
        "東京東京東京東京東京東京",
        "e\u{301}\u{200d}👩‍👩‍👧",
        "a\nb\tc",
        &"x".repeat(3000),
    ];
    for (n, name) in (0_i64..).zip(names) {
        let key = serde_json::to_string(&[name]).unwrap();
        let at = Some(seconds(NEWEST - n * WEEK));
        #[expect(clippy::cast_precision_loss, reason = "a few")]
        let kib = GIB * (n + 1) as f64 * 4.5;
        log.reading(["acc", name, name], &key, name, at, kib);
    }
    app_showing(log.capture())
}

#[test]
fn hostile_names_act_on_nothing_and_leave_columns_where_they_are() {
    let mut app = hostile();
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        resize(&mut app, width, height);
        let lines = screen(&app);
        let column = |line: &String| line.find(" %  ").map(|at| display_width(&line[..at]));
        let percents: Vec<usize> = lines
            .iter()
            .filter(|line| line.starts_with("  ") || line.starts_with('▶'))
            .filter(|line| !line.contains("finding"))
            .filter_map(column)
            .collect();
        assert!(
            percents.len() >= 3 && percents.windows(2).all(|p| p[0] == p[1]),
            "{percents:?}\n{}",
            lines.join("\n")
        );
        let text = lines.concat();
        assert!(!text.contains(['\u{1b}', '\u{202e}', '\n', '\t']));
    }
}

#[test]
fn masked_nothing_tells_whose_data_it_is() {
    let log = Log::new("sentinel-file.csv");
    for (container, gib) in [("sentinel-c1", 21.0), ("sentinel-c2", 15.0)] {
        let name = ["sentinel-account", "sentinel-database", container];
        log.weeks(name, r#"["sentinel-key"]"#, "", &[gib * GIB * 0.9, gib * GIB]);
    }
    log.source(|s| s.notes = vec!["taken for `sentinel-note`".to_owned()]);
    let mut app = app_showing(log.capture());
    mask(&mut app);
    for (width, height) in SIZES {
        resize(&mut app, width, height);
        for keys in ["tab", "tab", "z", "z", "i", "esc"] {
            press(&mut app, keys);
            let text = text_of(&app);
            assert!(!text.contains("sentinel"), "{width}x{height} {keys}\n{text}");
        }
    }
    for keys in ["y", "Y"] {
        let text = copied(&press(&mut app, keys));
        assert!(!text.is_empty() && !text.contains("sentinel"), "{text}");
    }
}

#[test]
fn every_window_shows_every_state() {
    let many = {
        let log = Log::new("many.csv");
        for n in 0..5000 {
            let name = format!("container-{n:04}");
            log.reading(["acc", "db", &name], r#"["k"]"#, "", None, GIB * f64::from(n % 23));
        }
        log.capture()
    };
    let empty = Log::new("empty.csv").capture();
    for capture in [many, empty, northpier()] {
        let mut app = app_showing(capture);
        for ascii in [false, true] {
            if ascii {
                app.cx.theme = theme_ascii();
            }
            for (width, height) in SIZES {
                resize(&mut app, width, height);
                press(&mut app, "G k j g ctrl-d tab G z z tab s R i");
                let text = screen(&app).concat();
                assert!(!ascii || text.is_ascii(), "{text}");
                press(&mut app, "esc");
                screen(&app);
            }
        }
    }
}

#[test]
fn the_last_of_thousands_is_reached_and_drawn() {
    let log = Log::new("many.csv");
    for n in 0..5000 {
        let name = format!("container-{n:04}");
        log.reading(["acc", "db", &name], r#"["k"]"#, "", None, GIB + f64::from(n));
    }
    let mut app = app_showing(log.capture());
    press(&mut app, "G");
    let lines = screen(&app);
    let chosen = lines.iter().find(|line| line.starts_with('▶')).unwrap();
    assert!(chosen.contains("container-0000"), "{chosen}");
    assert!(app.views.overview.drawn.rows.len() < 20);
}

#[test]
fn more_of_the_same_data_leaves_the_cursor_on_its_container() {
    let mut app = app_showing(northpier());
    press(&mut app, "j");
    let origin = app.cx.data.as_ref().unwrap().origin.clone();
    let effects = crate::ui::app::update::open(&mut app, origin.clone());
    let generation = crate::ui::app::testing::generation_of(&effects);
    let log = Log::new("more.csv");
    log.reading(ORDERS, r#"["a"]"#, "", None, GIB);
    log.reading(CARTS, r#"["b"]"#, "", None, 20.5 * GIB);
    let other = app_showing(log.capture());
    update(&mut app, Msg::Loaded(generation, other.cx.data.clone().unwrap()));
    assert_eq!(names(&app), ["carts", "orders"]);
    assert_eq!(app.views.overview.chosen().unwrap().name, "carts");
}

#[test]
fn scenarios_say_what_is_wrong_with_them() {
    let app = app_with("tenants");
    let text = text_of(&app);
    assert!(text.contains("tickets") && text.contains("of 20 GB"), "{text}");
    assert!(!text.contains("no RU logs"), "{text}");
}

#[test]
fn a_foot_that_is_cut_says_so() {
    let mut app = app_showing(northpier());
    for (width, height) in [(100, 30), (160, 45)] {
        resize(&mut app, width, height);
        let all = super::missing::foot(app.cx.data.as_ref().unwrap(), Some("v")).join(" ");
        let foot = &app.views.overview.drawn.foot;
        let is_whole = all.ends_with(foot.last().unwrap().as_str());
        assert!(is_whole || foot.last().unwrap().ends_with(" …"), "{foot:?}");
        assert!(foot.iter().all(|line| line.chars().count() <= width.into()));
    }
}

#[test]
fn throttled_requests_that_metrics_count_are_not_unknown() {
    let mut capture = northpier();
    let series = SeriesName {
        metric: "TotalRequests".into(),
        aggregation: "count".into(),
        dimensions: vec![("statuscode".into(), "429".into())],
        ..SeriesName::default()
    };
    capture.load.add_point(&series, seconds(NEWEST), 41_350.0);
    let app = app_showing(capture);
    let reported = super::missing::missing(app.cx.data.as_ref().unwrap()).join("\n");
    assert!(reported.contains("no request logs: 41,350 throttled (429) by metrics"), "{reported}");
}

#[test]
fn the_growth_in_the_list_is_that_of_a_key_and_says_so() {
    let mut app = app_with("night");
    for (width, height) in [(100, 30), (200, 60)] {
        resize(&mut app, width, height);
        let heading = screen(&app)[2].clone();
        for expected in ["20 GB on", " key GiB/wk", "hottest", "age"] {
            assert!(heading.contains(expected), "{expected}\n{heading}");
        }
    }
}

#[test]
fn a_partition_without_429s_says_so() {
    let text = text_of(&app_with("events"));
    assert!(text.contains("429            none logged"), "{text}");
}
