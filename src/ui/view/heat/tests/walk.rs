//! What someone on call runs into: small windows, answers, other alarms, spans of time, keys that do nothing.

use super::*;
use crate::analysis::findings::Severity;
use crate::analysis::summary::{Summary, SummaryOptions};
use crate::model::capture::SourceInfo;
use crate::model::key::{KeyDefinition, KeyKind, KeyVersion};
use crate::model::physical::ContainerFacts;
use crate::ui::app::testing::{copied, dataset, generation_of};
use crate::ui::app::update::open;
use crate::work::data::{Origin, Stage};
use crate::work::salt::Salt;

fn night() -> App {
    let mut app = app_with("night");
    press(&mut app, "3");
    app
}

fn text(app: &App) -> String {
    screen(app).join("\n")
}

#[test]
fn the_keys_of_a_finding_lead_to_its_partition_and_key() {
    for name in ["night", "tenants"] {
        let mut app = app_with(name);
        press(&mut app, "1 enter 3");
        let worst = head::worst(&app.views.heat).unwrap().clone();
        assert_eq!(app.views.heat.chosen(), worst.partition, "{name}");
        let list = &app.views.heat.list;
        let entry = list.entries.get(list.cursor.chosen).unwrap();
        let Some(key) = &worst.key else { continue };
        let shown = entry.canonical(app.views.heat.scope.as_ref().unwrap());
        assert_eq!(shown.as_deref(), Some(&**key), "{name}");
        // Its row is marked before the keys have the focus.
        let lines = screen(&app);
        let heading = lines.iter().position(|line| line.starts_with("keys of"));
        let first = &lines[heading.unwrap() + 1];
        assert!(first.starts_with('▶'), "{first}");
    }
}

#[test]
fn a_partition_whose_key_is_full_is_marked() {
    let mut app = app_with("plants");
    for (width, height) in [(80, 24), (100, 30), (200, 60)] {
        resize(&mut app, width, height);
        press(&mut app, "3");
        let text = text(&app);
        // One figure in the verdict, in the row and in the line below the map.
        let mut rows = text.lines().filter(|line| line.contains("403s: 203/s "));
        let found = [(); 3].map(|()| rows.next().unwrap_or_default());
        assert!(found[0].starts_with("● KEY OVER 20 GB"), "{text}");
        assert!(found[1].starts_with("▶ 2 "), "{text}");
        assert!(found[2].contains("403s: 203/s (mean 23:55–00:00)"), "{text}");
    }
}

#[test]
fn values_are_located_below_the_strip_of_hash_ranges() {
    let mut app = app_with("tenants");
    press(&mut app, ": l o c a t e space A space Z enter");
    assert_eq!(app.cx.view, ViewId::Heat);
    let shown = text(&app);
    assert!(shown.contains("1 A · partition 0 · 19.4 GiB · at 33 %"), "{shown}");
    assert!(shown.contains("2 Z · partition 1 · at 46 %"), "{shown}");
    assert!(shown.contains("2 values on 2 of 3 partitions; by chance 1.7 on average."));
    // A name is not to be guessed by its place.
    update(&mut app, Msg::SaltRead(Ok(Salt(vec![7; 32]))));
    let masked = text(&app);
    assert!(!masked.contains("1 A ·") && !masked.contains("at 33 %"), "{masked}");
    press(&mut app, "p esc");
    assert!(!text(&app).contains("1 A ·"));
    assert_eq!(app.cx.view, ViewId::Heat);
    for (width, height) in [(40, 10), (12, 4), (200, 60)] {
        press(&mut app, ": l o c a t e space [ 1 , 2 ] enter");
        resize(&mut app, width, height);
        assert!(!text(&app).is_empty());
    }
    assert!(text(&app).contains("1 value cannot be placed: the key has 1 level."));
}

#[test]
fn steps_in_the_evidence_have_the_names_of_the_container() {
    let mut app = night();
    press(&mut app, "i");
    let Some(Overlay::Paper(paper)) = &app.overlay else {
        unreachable!("evidence is a paper");
    };
    let text = paper.lines.join("\n");
    assert!(text.contains("--account-name 'contoso'"), "{text}");
    for place in ["<account>", "<database>", "<container>"] {
        assert!(!text.contains(place), "{place}\n{text}");
    }
}

#[test]
fn names_have_the_columns_that_few_steps_leave() {
    let mut app = app_with("events");
    for (width, height, name) in
        [(80, 24, "Contoso / … always-on"), (100, 30, "Contoso / gateway / always-on")]
    {
        resize(&mut app, width, height);
        press(&mut app, "3");
        let text = text(&app);
        assert!(text.contains(&format!("▶ {name}")), "{text}");
    }
}

#[test]
fn what_helps_is_said_wherever_there_is_room_for_two_lines() {
    let mut app = night();
    for (width, height) in [(40, 10), (60, 12), (80, 11), (100, 14), (80, 24), (200, 60)] {
        resize(&mut app, width, height);
        let text = text(&app);
        for wanted in ["HOT KEY  contoso", "10 suffixes"] {
            assert!(text.contains(wanted), "{width}x{height} {wanted}\n{text}");
        }
        if width >= 80 {
            assert!(text.contains("since 23:24 (36 min)"), "{width}x{height}\n{text}");
        }
        let marked = text.lines().any(|line| line.starts_with('▶'));
        assert!(marked, "a row of the map stays\n{text}");
    }
    let text = text(&app);
    for row in ["remedy", "now ", "scale up ", "helps, not enough", "no effect", "fixes"] {
        assert!(text.contains(row), "{row}\n{text}");
    }
}

#[test]
fn another_alarm_is_named() {
    let mut app = app_with("tenants");
    press(&mut app, "3");
    let found = head::diagnosis(&app.views.heat).unwrap();
    let others = found.verdicts.get(1..).unwrap_or_default();
    let alarm = others.iter().find(|v| v.severity == Severity::Alarm);
    let rule = alarm.unwrap().rule.name();
    for (width, height) in [(80, 24), (120, 20), (80, 16)] {
        resize(&mut app, width, height);
        let text = text(&app);
        let line = text.lines().find(|line| line.contains(" more: "));
        assert!(line.is_some_and(|line| line.contains(rule)), "{width}x{height}\n{text}");
    }
}

#[test]
fn a_key_that_is_full_stands_at_the_top_of_its_list() {
    let mut app = app_with("car");
    press(&mut app, "3");
    let list = &app.views.heat.list;
    assert_eq!((list.cursor.chosen, list.cursor.first), (0, 0));
    let lines = screen(&app);
    let heading = lines.iter().position(|line| line.contains("of 20 GB↓"));
    let first = &lines[heading.unwrap() + 1];
    assert!(first.starts_with("▶ model-1 "), "{first}");
    press(&mut app, "tab s");
    assert!(text(&app).contains("keys by since"), "{}", text(&app));
}

#[test]
fn the_chosen_key_stands_whole_in_the_readout() {
    let mut app = app_with("events");
    press(&mut app, "3");
    let whole = "Contoso / gateway / always-on  RU/s 4,800";
    assert!(!text(&app).contains(whole), "{}", text(&app));
    press(&mut app, "tab");
    assert!(text(&app).contains(whole), "{}", text(&app));
    // One figure is written alike on every screen.
    assert!(text(&app).contains(" 6.0 % "), "{}", text(&app));
}

#[test]
fn keys_are_those_of_the_span_that_is_shown() {
    let mut app = night();
    assert!(text(&app).contains("keys of partition 0, 23:00–00:00 "));
    let ru = |app: &App| -> f64 {
        let loads = app.views.heat.list.entries.iter();
        loads.filter_map(|entry| Some(entry.load.as_ref()?.ru)).sum()
    };
    let whole = ru(&app);
    press(&mut app, "+ +");
    let (from, to) = time::chosen_span(&app.views.heat).unwrap();
    assert!(ru(&app) < whole, "less time has less RU");
    let scope = app.views.heat.scope.clone().unwrap();
    let partition = app.views.heat.chosen().unwrap();
    let cells = scope.heat().unwrap().keys.cells().iter();
    let inside = cells.filter(|cell| {
        cell.partition == partition && cell.second.is_some_and(|at| (from..to).contains(&at))
    });
    let logged: f64 = inside.map(|cell| cell.ru).sum();
    assert!((ru(&app) - logged).abs() < 1e-6 * logged.max(1.0));
    let clocks = names::clocks(from, to);
    let heading = text(&app);
    assert!(
        heading.lines().any(|line| line.contains("partition") && line.contains(&clocks)),
        "{clocks}\n{heading}"
    );
    press(&mut app, "0");
    assert!((ru(&app) - whole).abs() < 1e-6);
}

#[test]
fn the_chosen_partition_stays_even_in_the_first_row() {
    let mut app = night();
    let chosen = app.views.heat.chosen();
    for _ in 0..GridOrder::ALL.len() {
        press(&mut app, "o");
        assert_eq!(app.views.heat.chosen(), chosen, "{:?}", app.views.heat.order);
    }
    for _ in 0..5 {
        press(&mut app, "m");
        assert_eq!(app.views.heat.chosen(), chosen);
    }
}

#[test]
fn a_drag_beyond_the_edge_ends_at_the_edge() {
    let mut app = burning();
    let end = window_s(&app).1;
    let (column, row) = place(&app, 1, 10);
    point(&mut app, column, row, MouseAct::Click);
    let last = app.cx.size.width - 1;
    point(&mut app, last, row, MouseAct::Drag);
    point(&mut app, last, row, MouseAct::Release);
    let (from, to) = window_s(&app);
    assert!(from > START && from <= START + 20 * 60, "{from}");
    assert!((to - end).abs() <= 2 * 60, "{to} {end}");
}

#[test]
fn a_view_that_is_asked_for_while_reading_comes_with_the_data() {
    let mut app = app();
    let generation = generation_of(&open(&mut app, Origin::Scenario("night")));
    press(&mut app, "3");
    assert!(text(&app).contains("3 when reading is done"), "{}", text(&app));
    update(&mut app, Msg::Loaded(generation, dataset("night", Stage::Whole)));
    assert_eq!(app.cx.view, ViewId::Heat);
    assert!(text(&app).contains('▶'));
}

#[test]
fn while_inputs_are_read_none_is_called_missing() {
    let read = || {
        let builder = CaptureBuilder::new(1);
        let definition = KeyDefinition {
            paths: vec!["/id".to_owned()],
            kind: KeyKind::Hash,
            version: KeyVersion::V2,
        };
        let name = ContainerName::new(None, Some("shop"), Some("orders"));
        let facts =
            ContainerFacts { name, definition: Some(definition), ..ContainerFacts::default() };
        let source = builder.add_source(SourceInfo::default());
        builder.facts(facts, "orders.json", source);
        builder.settle(None);
        builder.finish()
    };
    let mut app = shown(read());
    assert!(text(&app).contains("NOT ENOUGH DATA"));
    let data = app.cx.data.clone().unwrap();
    open(&mut app, data.origin.clone());
    let part = crate::work::testing::dataset(
        data.origin.clone(),
        Stage::Reading { keys_so_far: 0 },
        read(),
        Summary::new(SummaryOptions::default()).finish(),
        crate::analysis::ceiling::Ceiling::BINARY,
        &|| true,
    );
    app.cx.data = part.map(crate::work::shared::Shared::new);
    press(&mut app, "b");
    let text = text(&app);
    assert!(!text.contains("NOT ENOUGH DATA"), "{text}");
    assert!(text.contains("still being read"), "{text}");
}

#[test]
fn what_does_nothing_in_a_chart_says_why() {
    let mut app = burning();
    press(&mut app, "c");
    for key in ["+", "b", "d", "x", "m", "space"] {
        press(&mut app, key);
        let text = text(&app);
        assert!(text.contains("is for the map of time; c turns to it"), "{key}\n{text}");
    }
}

#[test]
fn a_copied_cell_says_where_it_is_from() {
    let mut app = night();
    let effects = press(&mut app, "ctrl-y");
    let copied = copied(&effects);
    let scope = app.views.heat.scope.as_ref().unwrap();
    let container = scope.capture_container().unwrap().name.container.clone().unwrap();
    let track = scope.track().unwrap();
    let partition =
        names::sentence(&scope.partition(app.views.heat.chosen().unwrap()).unwrap().named);
    for wanted in [&*container, track.measure.title(), &partition, "UTC"] {
        assert!(copied.contains(wanted), "{wanted}: {copied}");
    }
    assert!(!copied.contains('…'), "nothing is cut: {copied}");
}

#[test]
fn without_load_the_fullest_partition_comes_first() {
    let builder = CaptureBuilder::new(1);
    let name = ContainerName::new(Some("northpier"), Some("shop"), Some("orders"));
    let container = builder.container(&name).unwrap();
    builder.load(|load| {
        for (partition, bytes) in [("1", 1e9), ("2", 9e9), ("3", 4e9)] {
            let series = SeriesName {
                metric: "PhysicalPartitionSizeInfo".to_owned(),
                unit: "Bytes".to_owned(),
                aggregation: "maximum".to_owned(),
                container,
                dimensions: vec![("physicalpartitionid".to_owned(), partition.to_owned())],
            };
            load.add_point(&series, Stamp::from_seconds(START).unwrap(), bytes);
        }
    });
    let app = shown(builder.finish());
    assert_eq!((app.views.heat.chart, app.views.heat.order), (Chart::Storage, GridOrder::Size));
    let text = text(&app);
    assert!(text.contains("50 GB · by size"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("▶ 2")), "{text}");
}
