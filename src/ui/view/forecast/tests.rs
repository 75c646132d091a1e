//! The forecast on the screen.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::analysis::candidate::Candidate;
use crate::analysis::forecast::LimitKind;
use crate::analysis::parallelism::Parallelism;
use crate::analysis::trial::{PreparedDocuments, Settings, Today};
use crate::source::documents::{DocumentOptions, of_scenario};
use crate::source::watch::Watch;
use crate::ui::app::App;
use crate::ui::app::testing::{app_with, copied, export, press, resize, set_filter, type_in};
use crate::ui::app::update::update;
use crate::ui::view::testing::{SIZES, screen};
use crate::work::salt::Salt;
use crate::work::trial::{DocumentsOf, TrialSample};
use crate::work::whole_file::IfExists;
use std::sync::Arc;

/// Answers the newest question among the effects, as a worker would.
fn answered(app: &mut App, effects: &[Effect]) {
    let newest = effects.iter().rev().find_map(|effect| match effect {
        Effect::Forecast(generation, ask) => Some((*generation, ask.clone())),
        _ => None,
    });
    let (generation, ask) = newest.unwrap();
    let answer = ask.answer(Parallelism::ALONE, &|| true).unwrap();
    update(app, Msg::Forecast(generation, Shared::new(answer)));
}

fn shown(name: &'static str) -> App {
    let mut app = app_with(name);
    resize(&mut app, 100, 30);
    let effects = press(&mut app, "5");
    answered(&mut app, &effects);
    app
}

/// The line of the dials.
fn dials(app: &App) -> String {
    screen(app).remove(2).trim_end().to_owned()
}

fn row(app: &App, who: &str) -> String {
    let lines = screen(app);
    let found = lines.into_iter().skip(3).find(|line| line.contains(who));
    found.unwrap_or_default()
}

#[test]
fn a_dial_asks_anew_and_what_was_read_once_is_kept() {
    let mut app = shown("tenants");
    assert!(row(&app, "key A").contains("2026-07-05 ±5 d"), "{:#?}", screen(&app));
    let effects = press(&mut app, "+");
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::Forecast(_, ask) => Some(ask),
        _ => None,
    });
    assert!(asked.unwrap().trends.is_some());
    // Until the answer is there the rows stay, and the head says so.
    assert!(row(&app, "key A").contains("2026-07-05"));
    assert!(screen(&app).concat().contains("being computed again"));
    answered(&mut app, &effects);
    assert!(dials(&app).starts_with("growth ×1.5 "), "{}", dials(&app));
    assert!(row(&app, "key A").contains("2026-07-03"), "{:#?}", screen(&app));
}

#[test]
fn ru_is_of_one_container_and_escape_leaves_it() {
    let mut app = shown("plants");
    let total = app.views.forecast.shown.limits_total;
    let effects = press(&mut app, "l l l >");
    answered(&mut app, &effects);
    assert!(screen(&app).concat().contains("one container"));
    assert!(dials(&app).contains("RU/s 150,000"), "{}", dials(&app));
    let one = app.views.forecast.shown.limits.iter();
    let one: std::collections::BTreeSet<u32> = one.map(|limit| limit.container).collect();
    assert_eq!(one.len(), 1);
    let effects = press(&mut app, "esc");
    answered(&mut app, &effects);
    assert_eq!(app.views.forecast.shown.limits_total, total);
    assert!(dials(&app).contains("RU/s as is"), "{}", dials(&app));
}

#[test]
fn a_typed_dial_is_set_or_says_what_is_wrong() {
    let mut app = shown("tenants");
    press(&mut app, "l E");
    assert!(screen(&app).join("\n").contains("\nload = "), "{:#?}", screen(&app));
    type_in(&mut app, "10%");
    let effects = press(&mut app, "enter");
    answered(&mut app, &effects);
    assert!(dials(&app).contains("load +10 %/mo"), "{}", dials(&app));
    // Load that grows gives RU/s a date.
    assert!(row(&app, "partition 1").contains("2027-"), "{:#?}", screen(&app));
    press(&mut app, ":");
    type_in(&mut app, "dial kept long");
    press(&mut app, "enter");
    assert!(screen(&app).concat().contains("long is not days such as 30"));
}

#[test]
fn rows_are_filtered_sorted_opened_and_copied() {
    let mut app = shown("tenants");
    set_filter(&mut app, "key");
    press(&mut app, "g");
    assert!(row(&app, "partition 0").is_empty());
    press(&mut app, "j");
    let effects = press(&mut app, "y");
    assert!(copied(&effects).starts_with("on 2026-07-05 ±5 d  key A in "));
    press(&mut app, "i");
    let evidence = screen(&app).concat();
    assert!(evidence.contains("may be off by"), "{evidence}");
    press(&mut app, "esc enter");
    assert_eq!(app.cx.view, ViewId::Keys);
    press(&mut app, "esc s s s");
    let first = app.views.forecast.shown.limits.get(app.views.forecast.order[0]);
    let shares = app.views.forecast.shown.limits.iter().map(NextLimit::share);
    let of_keys = shares.fold(0.0, f64::max);
    assert!(first.unwrap().share() <= of_keys);
}

#[test]
fn masked_names_are_nowhere_and_exports_hold_what_is_shown() {
    let mut app = shown("tenants");
    press(&mut app, "p");
    update(&mut app, Msg::SaltRead(Ok(Salt("a salt for tests".into()))));
    let all = screen(&app).concat();
    assert!(!all.contains("tickets") && !all.contains("key A"), "{all}");
    let effects = export(&mut app, "forecast.csv", IfExists::Keep);
    let written = effects.iter().find_map(|effect| match effect {
        Effect::Export(_, export) => Some(&export.what),
        _ => None,
    });
    let forecast = written.and_then(|written| match written {
        Exported::Forecast(ForecastShown(forecast)) => Some(forecast),
        _ => None,
    });
    let forecast = forecast.unwrap();
    let mut text = Vec::new();
    let csv = words::format("csv").unwrap();
    csv(forecast, crate::report::Style::default(), &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("partition-ru") && !text.contains("tickets"), "{text}");
}

/// Presses keys and does what a worker would.
fn worked(app: &mut App, keys: &str) {
    let mut effects = press(app, keys);
    while let Some(effect) = effects.pop() {
        if let Effect::Simulate(generation, ask) = effect {
            let lapse = Shared::new(ask.answer(Parallelism::ALONE, &|| true).unwrap());
            effects.extend(update(app, Msg::Simulated(generation, lapse)));
        }
    }
}

/// Whether a frame is waited for.
fn pause(effects: &[Effect]) -> Option<Generation> {
    effects.iter().find_map(|effect| match effect {
        Effect::WaitForFrame(generation, _) => Some(*generation),
        _ => None,
    })
}

#[test]
fn a_container_is_played_in_time_and_events_are_jumped_to() {
    let mut app = shown("tenants");
    worked(&mut app, "space");
    let all = screen(&app).concat();
    assert!(all.contains("day 0 of 365") && all.contains("10 frames a second"), "{all}");
    // A frame comes with each pause, and asks for the next one.
    let mut waited = pause(&press(&mut app, "}"));
    let first = app.views.forecast.clone();
    assert_eq!(waited, None);
    press(&mut app, "space");
    waited = waited.or_else(|| pause(&press(&mut app, "space")));
    let generation = waited.or_else(|| {
        let is_it = |n: &u64| app.views.forecast.is_awaited(Generation(*n));
        (0..100).find(is_it).map(Generation)
    });
    update(&mut app, Msg::Due(generation.unwrap()));
    assert_ne!(app.views.forecast, first);
    press(&mut app, "n");
    let all = screen(&app).concat();
    assert!(
        all.contains("paused") && all.contains("key A on partition 0: writes get 403"),
        "{all}"
    );
    press(&mut app, "N");
    assert!(screen(&app).concat().contains("day 0 of 365"));
    press(&mut app, ".");
    assert!(screen(&app).concat().contains("day 1 of 365"));
    press(&mut app, "n n n");
    assert!(screen(&app).concat().contains("nothing more happens"));
    // Another dial is another film.
    for dial in ["+", "- l +", "0 l l +"] {
        let effects = press(&mut app, dial);
        let mut asked = effects.iter();
        assert!(asked.any(|effect| matches!(effect, Effect::Simulate(..))), "{dial}");
    }
}

#[test]
fn throttled_partitions_come_first_from_the_first_frame_on() {
    // The throttled partition is one of the last ranges, and there is room for a few.
    let mut app = shown("suffix");
    for (width, height) in [(80, 24), (100, 30), (120, 40)] {
        resize(&mut app, width, height);
        worked(&mut app, "space space");
        let lines = screen(&app);
        let track = lines.iter().position(|line| line.contains("day 0 of 365")).unwrap();
        let first = &lines[track + 1];
        assert!(first.contains("p20 ") && first.contains("1,000 of 476 RU/s, 429"), "{first}");
    }
    // An event is whole, however narrow the film.
    let all = screen(&app).concat();
    assert!(all.contains("476 provisioned"), "{all}");
}

/// Keys that were tried on documents of the scenario.
fn tried(app: &App, keys: &[&str]) -> TriedKeys {
    let loaded =
        of_scenario("tenants", "tickets", 2_000, &DocumentOptions::every(), &Watch::default());
    let prepared = Arc::new(PreparedDocuments::new(loaded.unwrap().documents, None));
    let data = app.cx.data.clone().unwrap();
    let container = app.views.forecast.container().unwrap();
    let today = Today::of(&data.capture, container, None);
    let keys = keys.iter().map(|key| Candidate::parse(key).unwrap());
    TriedKeys {
        container: data.capture.container(container).unwrap().name.identity(),
        sample: Shared::new(TrialSample {
            from: DocumentsOf::Paths(Vec::new()),
            time: None,
            queries: None,
            prepared,
            whole: None,
            weighed: None,
            workload: Arc::default(),
            stored_documents: None,
            proposed: Vec::new(),
            paths: Arc::default(),
            known: Vec::new(),
            notes: Vec::new(),
            scanned: None,
        }),
        settings: Settings {
            ru_per_second: Some(30_000.0),
            today: today.map(Arc::new),
            ..Settings::default()
        },
        keys: keys.collect(),
    }
}

#[test]
fn keys_that_were_tried_are_played_beside_todays_and_written() {
    let mut app = shown("tenants");
    let effects = press(&mut app, "b");
    let refused = screen(&app).concat();
    assert!(effects.is_empty() && refused.contains("no other key was tried"), "{refused}");
    let others = OtherViews {
        tried: Some(tried(&app, &["/tenantId > /id", "/id"])),
        ..OtherViews::default()
    };
    app.views.forecast.on_shown(&app.cx, &others);
    resize(&mut app, 200, 60);
    worked(&mut app, "b");
    let all = screen(&app).concat();
    assert!(all.contains("tickets in time"), "{all}");
    assert!(all.contains("with /tenantId > /id in time"), "{all}");
    resize(&mut app, 80, 24);
    let all = screen(&app).concat();
    assert!(all.contains("with /tenantId > /id in time") && !all.contains("tickets in time"));
    for (file, found) in [("a.svg", "/tenantId &gt; /id"), ("a.json", "new_container")] {
        let effects = export(&mut app, file, IfExists::Keep);
        let export = effects.iter().find_map(|effect| match effect {
            Effect::Export(_, export) => Some(&export.what),
            _ => None,
        });
        let Some(Exported::Lapses(lapses)) = export else {
            unreachable!("{export:?}");
        };
        assert_eq!(lapses.len(), 2);
        let write = crate::report::simulate::format(&file[2..]).unwrap();
        let mut text = Vec::new();
        write(lapses, 10, crate::report::Style::default(), &mut text).unwrap();
        assert!(String::from_utf8(text).unwrap().contains(found), "{file}");
    }
    // The next key, then none.
    press(&mut app, "b");
    let all = screen(&app).concat();
    assert!(all.contains("with /id in time"), "{all}");
    press(&mut app, "b");
    assert!(screen(&app).concat().contains("tickets in time"));
}

#[test]
fn every_window_and_every_scenario_is_drawn() {
    for name in ["night", "tenants", "plants", "fanout"] {
        let mut app = shown(name);
        for (width, height) in SIZES {
            resize(&mut app, width, height);
            for keys in ["", "c", "c", "c", "z", "z", "G", "g"] {
                press(&mut app, keys);
                assert_eq!(screen(&app).len(), usize::from(height.min(500)), "{name}");
            }
        }
    }
}

#[test]
fn evidence_names_where_the_numbers_of_each_limit_come_from() {
    for (scenario, kind, now, growth) in [
        (
            "tenants",
            LimitKind::KeySize,
            "now: its newest sample, computed: scenario tenants",
            ", by the line through its samples",
        ),
        (
            "tenants",
            LimitKind::PartitionSize,
            "now: the size reported with the physical partitions",
            ", the sum of its keys, whose errors are independent",
        ),
        (
            "orders",
            LimitKind::PartitionSize,
            "now: the size reported with the physical partitions",
            ", by the line through its PhysicalPartitionSizeInfo",
        ),
    ] {
        let app = shown(scenario);
        let state = &app.views.forecast;
        let dated = |limit: &&NextLimit| limit.kind == kind && limit.growth.is_some();
        let limit = state.shown.limits.iter().find(dated).unwrap();
        let lines = evidence::lines(&app.cx, &state.shown, limit, &state.dials);
        assert!(lines.iter().any(|line| line == now), "{scenario}: {lines:#?}");
        assert!(lines.iter().any(|line| line.ends_with(growth)), "{scenario}: {lines:#?}");
    }
}
