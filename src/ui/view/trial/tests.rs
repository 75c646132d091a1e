//! The trial view by its keys, on documents of a scenario.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::analysis::parallelism::Parallelism;
use crate::source::watch::Watch;
use crate::ui::app::testing::{
    app, app_with, copied, dataset, dataset_from, generation_of, press, resize, type_in,
};
use crate::ui::app::update::{open, update};
use crate::ui::app::{App, Overlay};
use crate::ui::kit::input::{InputEvent, MouseAct, Pointer};
use crate::ui::kit::msg::Msg;
use crate::ui::view::testing::{SIZES, screen, theme_ascii};
use crate::work::data::{Exported, Origin, Stage};
use crate::work::fault::{WorkFault, WorkProgress};
use crate::work::load::Loader;
use crate::work::trial::DocumentsOf;
use crate::work::write::WrittenFile;

mod agreement;
mod fields;
mod searching;

/// Does at once what effects ask for, as far as it concerns trials; the others are given back.
fn settle_effects(app: &mut App, effects: Vec<Effect>) -> Vec<Effect> {
    let loader = Loader { drawn_documents: Some(2_000), ..Loader::default() };
    let mut waiting = effects;
    let mut others = Vec::new();
    while !waiting.is_empty() {
        for effect in std::mem::take(&mut waiting) {
            let reported = match effect {
                Effect::Sample(generation, ask) => {
                    let sample = loader.sample(&ask, &Watch::default()).unwrap();
                    vec![Msg::Sampled(generation, Ok(sample))]
                }
                Effect::Try(generation, ask) => {
                    let mut reported = Vec::new();
                    ask.answer(Parallelism::ALONE, &|| true, &mut |answer| {
                        reported.push(match answer {
                            Ok(tried) => Msg::Tried(generation, Shared::new(tried)),
                            Err(unreported) => Msg::Unreported(generation, unreported),
                        });
                    });
                    reported
                }
                Effect::LookAt(generation, ask) => {
                    vec![Msg::LookedAt(generation, Ok(ask.answer().unwrap()))]
                }
                Effect::Search(generation, ask) => {
                    let found = ask.answer(Parallelism::ALONE, &|| true, &|_, _, _| {});
                    vec![Msg::Found(generation, Shared::new(found))]
                }
                other => {
                    others.push(other);
                    continue;
                }
            };
            for msg in reported {
                waiting.extend(update(app, msg));
            }
        }
    }
    others
}

fn keys(app: &mut App, chords: &str) -> Vec<Effect> {
    let effects = press(app, chords);
    settle_effects(app, effects)
}

fn typed(app: &mut App, text: &str) -> Vec<Effect> {
    let effects = type_in(app, text);
    settle_effects(app, effects)
}

/// The container of the scenario that is keyed by month, on the trial view.
fn by_month() -> App {
    let mut app = app_with("car");
    for _ in 0..8 {
        let chosen = crate::ui::view::overview::chosen_container(&app.views.overview).unwrap();
        let data = app.cx.data.clone().unwrap();
        let name = data.capture.container(chosen).unwrap().name.clone();
        if name.container.as_deref() == Some("by-month") {
            break;
        }
        press(&mut app, "j");
    }
    keys(&mut app, "4");
    assert_eq!(app.cx.view, ViewId::Trial);
    app
}

fn shown(app: &App) -> String {
    screen(app).join("\n")
}

#[test]
fn the_documents_of_the_chosen_container_come_and_what_teaches_is_tried() {
    let app = by_month();
    let texts: Vec<String> =
        app.views.trial.entries.iter().map(|e| e.candidate.to_string()).collect();
    assert_eq!(
        texts,
        [
            "/month",
            "/deviceId",
            "/deviceId + \"-\" + /month",
            "/deviceId > /month",
            // What the diagnosis advises, which is rejected.
            "/month + \".\" + bucket(/id, 5)"
        ]
    );
    assert!(app.views.trial.entries.iter().all(|e| e.age == entries::ResultAge::Fresh));
    let standing = |at: usize| app.views.trial.result(at).unwrap();
    assert_eq!(standing(0).verdict.standing.word(), "reject");
    let [month, device] = [0, 1].map(|at| standing(at).trial.placement.load_ratio_ru.unwrap());
    assert!(month > 2.0 * device, "{month} {device}");
    let text = shown(&app);
    for word in ["/month", "good", "0.6 % of RU", "[today 12 · new 8]", "[2,400]"] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn a_key_is_tried_with_every_letter_and_gone_with_esc() {
    let mut app = by_month();
    keys(&mut app, "t");
    assert!(matches!(&app.overlay, Some(Overlay::Line(_))));
    typed(&mut app, "/vin");
    assert_eq!(app.views.trial.entries.len(), 6);
    assert_eq!(app.views.trial.chosen, 5);
    let seen = |app: &App| app.views.trial.result(5).unwrap().trial.distinct.seen;
    assert_eq!(seen(&app), 100);
    // What is no key yet leaves the last result, greyed, and says at which character it stops.
    typed(&mut app, " + ");
    assert_eq!(seen(&app), 100);
    assert!(shown(&app).contains("expected"), "{}", shown(&app));
    let draft = app.views.trial.draft.as_ref().unwrap();
    assert_eq!(draft.reads, editor::DraftReads::NotYet);
    // Enter does not take what is no key.
    keys(&mut app, "enter");
    assert!(matches!(&app.overlay, Some(Overlay::Line(_))));
    typed(&mut app, "/month");
    assert!(seen(&app) > 100);
    keys(&mut app, "esc");
    assert_eq!((app.views.trial.entries.len(), app.views.trial.chosen), (5, 0));
    assert!(app.views.trial.draft.is_none() && app.overlay.is_none());
    keys(&mut app, "t");
    typed(&mut app, "/vin");
    keys(&mut app, "enter");
    assert_eq!((app.views.trial.entries.len(), app.views.trial.chosen), (6, 5));
}

#[test]
fn t_opens_the_line_of_a_key_from_every_view() {
    for view in ["1", "2", "3", "4", "5", "6", "H", "w", "2 enter", "v"] {
        let mut app = app_with("car");
        keys(&mut app, view);
        keys(&mut app, "t");
        typed(&mut app, "/vin");
        assert!(shown(&app).contains("\ntry key: /vin "), "{view}\n{}", shown(&app));
        keys(&mut app, "enter");
        let trial = &app.views.trial;
        let chosen = trial.entries[trial.chosen].candidate.to_string();
        assert_eq!((app.cx.view, chosen.as_str()), (ViewId::Trial, "/vin"), "{view}");
    }
}

#[test]
fn a_key_is_typed_while_documents_are_read_and_no_other_is_lost() {
    let tried = |app: &App| -> Vec<String> {
        app.views.trial.entries.iter().map(|e| e.candidate.to_string()).collect()
    };
    let mut plain = app_with("car");
    keys(&mut plain, "4");
    // What is typed before and after the documents are there.
    for (early, late) in [("/vin", ""), ("", "/vin"), ("/v", "in")] {
        let mut app = app_with("car");
        let reading = press(&mut app, "t");
        let more = type_in(&mut app, early);
        let Some(Effect::Sample(generation, _)) =
            reading.iter().find(|e| matches!(e, Effect::Sample(..)))
        else {
            unreachable!("{reading:?}")
        };
        let progress = WorkProgress { done_bytes: 3, total_bytes: 4, ..WorkProgress::default() };
        update(&mut app, Msg::Progressed(*generation, progress));
        let hint = format!("try key: {early}  (reading documents 75 %, result follows)");
        assert!(shown(&app).contains(&hint), "{}", shown(&app));
        settle_effects(&mut app, reading);
        settle_effects(&mut app, more);
        typed(&mut app, late);
        assert!(!shown(&app).contains("result follows"), "{}", shown(&app));
        let chosen = app.views.trial.chosen;
        assert!(app.views.trial.result(chosen).is_some(), "{early}|{late}");
        assert_eq!(tried(&app)[chosen], "/vin");
        keys(&mut app, "esc");
        assert_eq!(tried(&app), tried(&plain), "{early}|{late}");
        assert_eq!(app.views.trial.chosen, 0);
    }
}

#[test]
fn a_key_is_typed_before_there_is_data_and_tried_when_it_is_there() {
    for (early, late, key) in [
        ("/ v i n enter", "", "/vin"),
        ("/ v i", "n enter", "/vin"),
        ("", "/ v i n enter", "/vin"),
        ("/ v i n esc", "", ""),
    ] {
        let mut app = app();
        let generation = generation_of(&open(&mut app, Origin::Scenario("car")));
        press(&mut app, "t");
        let line = "try key:   (reading, result follows)";
        assert!(shown(&app).contains(line), "{}", shown(&app));
        press(&mut app, early);
        let is_kept = shown(&app).contains("t /vin when reading is done");
        assert_eq!(is_kept, early.ends_with("enter"), "{}", shown(&app));
        let effects = update(&mut app, Msg::Loaded(generation, dataset("car", Stage::Whole)));
        settle_effects(&mut app, effects);
        keys(&mut app, late);
        let trial = &app.views.trial;
        let chosen = trial.entries.get(trial.chosen).map(|entry| entry.candidate.to_string());
        assert_eq!(chosen.unwrap_or_default(), key, "{early}|{late}");
        assert_eq!((app.cx.view == ViewId::Trial, &app.overlay), (!key.is_empty(), &None));
    }
}

#[test]
fn a_decision_that_is_not_saved_is_said_once_before_q_leaves() {
    let mut app = by_month();
    assert_eq!(keys(&mut app, "q"), [Effect::Quit]);
    keys(&mut app, "l space");
    let question = "decision /deviceId is not saved: e saves, q again leaves";
    assert_eq!(keys(&mut app, "q"), []);
    assert!(shown(&app).contains(question), "{}", shown(&app));
    assert_eq!(keys(&mut app, "q"), [Effect::Quit]);
    // Ctrl-c leaves at once, and another view says how to come here.
    assert_eq!(keys(&mut app, "l ctrl-c"), [Effect::Quit]);
    assert!(!keys(&mut app, "1 q").contains(&Effect::Quit));
    assert!(shown(&app).contains("is not saved: 4 e saves"), "{}", shown(&app));
    // The file that is offered keeps it; a page does not.
    let export = |app: &mut App, path: &str| {
        let written = WrittenFile { path: path.to_owned(), rows: 1 };
        update(app, Msg::Exported(Generation(0), Ok(written)));
    };
    keys(&mut app, "4");
    export(&mut app, "trial.md");
    assert_eq!(keys(&mut app, "q"), []);
    let effects = keys(&mut app, "e enter");
    let [Effect::Export(_, file)] = &effects[..] else { unreachable!("{effects:?}") };
    export(&mut app, file.path.to_str().unwrap());
    assert_eq!(keys(&mut app, "q"), [Effect::Quit]);
    keys(&mut app, "l space");
    assert_eq!(keys(&mut app, "q"), []);
}

#[test]
fn a_key_that_stands_there_is_chosen_and_not_repeated() {
    let mut app = by_month();
    keys(&mut app, "t");
    typed(&mut app, "/deviceId");
    keys(&mut app, "enter");
    assert_eq!((app.views.trial.entries.len(), app.views.trial.chosen), (5, 1));
}

#[test]
fn the_containers_own_key_is_never_taken_out_or_changed() {
    let mut app = by_month();
    keys(&mut app, "d");
    assert_eq!(app.views.trial.entries.len(), 5);
    keys(&mut app, "enter");
    typed(&mut app, " > /vin");
    keys(&mut app, "enter");
    assert_eq!(app.views.trial.entries.len(), 6);
    assert_eq!(app.views.trial.entries[0].candidate.to_string(), "/month");
    assert_eq!(app.views.trial.entries[5].candidate.to_string(), "/month > /vin");
    keys(&mut app, "d");
    assert_eq!(app.views.trial.entries.len(), 5);
}

#[test]
fn an_older_answer_is_dropped() {
    let mut app = by_month();
    let effects = press(&mut app, "+");
    let [Effect::Try(old, ask)] = &effects[..] else { unreachable!("{effects:?}") };
    let (old, ask) = (*old, ask.clone());
    let newer = press(&mut app, "+");
    assert!(app.views.trial.entries.iter().all(|e| e.age == entries::ResultAge::Stale));
    ask.answer(Parallelism::ALONE, &|| true, &mut |tried| {
        update(&mut app, Msg::Tried(old, Shared::new(tried.unwrap())));
    });
    assert!(app.views.trial.entries.iter().all(|e| e.age == entries::ResultAge::Stale));
    settle_effects(&mut app, newer);
    let settings = app.views.trial.settings.clone().unwrap();
    assert_eq!(settings.partitions, 14);
    assert!(app.views.trial.entries.iter().all(|e| e.age == entries::ResultAge::Fresh));
    keys(&mut app, "0");
    assert_eq!(app.views.trial.settings.clone().unwrap().partitions, 12);
}

#[test]
fn dials_are_set_by_name_and_refuse_what_is_no_number() {
    let mut app = by_month();
    for (line, partitions, ru) in [
        ("partitions 20", 20, 2_400.0),
        ("ru 60000", 20, 60_000.0),
        ("partitions 0", 20, 60_000.0),
        ("ru many", 20, 60_000.0),
    ] {
        keys(&mut app, ":");
        typed(&mut app, line);
        keys(&mut app, "enter");
        let settings = app.views.trial.settings.clone().unwrap();
        assert_eq!(settings.partitions, partitions, "{line}");
        assert_eq!(settings.ru_per_second, Some(ru), "{line}");
    }
}

#[test]
fn a_path_becomes_a_key_with_enter() {
    let mut app = by_month();
    keys(&mut app, "/");
    typed(&mut app, "vin");
    keys(&mut app, "enter enter");
    let chosen = &app.views.trial.entries[app.views.trial.chosen];
    assert_eq!(chosen.candidate.to_string(), "/vin");
}

#[test]
fn an_export_holds_the_decision_and_copies_hold_the_command() {
    let mut app = by_month();
    keys(&mut app, "l l space");
    let effects = keys(&mut app, "e enter");
    let [Effect::Export(_, export)] = &effects[..] else { unreachable!("{effects:?}") };
    let Exported::Trial(held) = &export.what else { unreachable!() };
    let decided = held.decided.as_ref().unwrap().to_string();
    assert_eq!(decided, "/deviceId + \"-\" + /month");
    let text = copied(&keys(&mut app, "Y"));
    for word in ["--scenario car", "--current '/month'", "--partitions 12"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let text = copied(&keys(&mut app, "y"));
    assert!(text.starts_with("/deviceId + \"-\" + /month: "), "{text}");
}

#[test]
fn documents_that_cannot_be_read_leave_everything_as_it_is() {
    let mut app = by_month();
    keys(&mut app, ":");
    type_in(&mut app, "documents nowhere.json");
    let effects = press(&mut app, "enter");
    let Some(Effect::Sample(generation, ask)) = effects.first().cloned() else {
        unreachable!("{effects:?}")
    };
    assert_eq!(ask.from, DocumentsOf::Paths(vec!["nowhere.json".into()]));
    let fault = WorkFault { is_passing: false, what: "nowhere.json: gone".into(), next: None };
    update(&mut app, Msg::Sampled(generation, Err(fault)));
    assert_eq!(app.views.trial.entries.len(), 5);
    assert!(shown(&app).contains("nowhere.json: gone"));
}

#[test]
fn without_documents_the_logs_tell_what_they_can() {
    let mut app = app();
    let origin = Origin::Paths(vec!["exports".into()]);
    let generation = generation_of(&open(&mut app, origin.clone()));
    let data = dataset_from("car", origin);
    update(&mut app, Msg::Loaded(generation, data));
    keys(&mut app, "4");
    let text = shown(&app);
    assert!(text.contains("documents – (v)"), "{text}");
    assert_eq!(app.views.trial.entries.len(), 3);
    let text = copied(&keys(&mut app, "Y"));
    assert!(text.starts_with("cosmoscope trial --logs 'exports' --container "), "{text}");
    let Ok(Exported::Trial(held)) = app.views.trial.exported(&app.cx) else { unreachable!() };
    assert_eq!(held.logs, [PathBuf::from("exports")]);
    assert!(app.views.trial.result(1).is_some());
    let (_, other_key) = app.views.trial.change_key().unwrap();
    assert!(other_key.how[0].ends_with("as tried on the logged keys"));
    keys(&mut app, "t");
    typed(&mut app, "/deviceId");
    keys(&mut app, "enter");
    assert!(app.views.trial.entries[3].unreported.is_some());
    let text = shown(&app);
    assert!(text.contains("unknown"), "{text}");
    // What is known of the container stays.
    assert!(!text.contains("size [unknown]"), "{text}");
    type_in(&mut app, ":queries queries.sql");
    let effects = press(&mut app, "enter");
    let Some(Effect::LookAt(_, ask)) = effects.first() else { unreachable!("{effects:?}") };
    assert_eq!(ask.queries, Some("queries.sql".into()));
    for chord in ["+", "x", "a", "o", "m", "d", "space", "enter", "esc", "y", "P", "s", "c", "l"] {
        keys(&mut app, chord);
    }
}

/// Nothing but a file of documents: what could be a key is tried at once, and what is unknown is said.
#[test]
fn documents_alone_are_tried_by_their_paths() {
    let mut app = app();
    app.cx.data = None;
    let file = "tests/it/data/corpus/documents/lines.jsonl";
    app.views.trial = TrialState::new(vec![file.into()], None);
    keys(&mut app, "4");
    let entries = app.views.trial.entries.iter();
    let tried: Vec<String> = entries.map(|e| e.candidate.to_string()).collect();
    // The others have too few values.
    assert_eq!(tried, ["/id", "/tenantId", "/city/name"]);
    assert_eq!(app.views.trial.chosen, 0);
    assert!(shown(&app).contains("unknown  real size (:size 81GB)"));
}

#[test]
fn queries_that_were_named_at_the_start_are_those_of_every_container() {
    let queries: Option<PathBuf> = Some("queries.sql".into());
    let mut app = app();
    app.cx.data = None;
    app.views.trial = TrialState::new(vec!["documents.jsonl".into()], queries.clone());
    app.views.trial = app.views.trial.renewed();
    let effects = press(&mut app, "4");
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::Sample(_, ask) => Some(ask.queries.clone()),
        _ => None,
    });
    assert_eq!(asked, Some(queries));
}

#[test]
fn a_click_chooses_a_key() {
    let mut app = by_month();
    let screen = shown(&app);
    let places = (0_u16..).zip(screen.lines());
    let mut found = places.filter_map(|(row, line)| Some((row, line.split_once("/deviceId ")?.0)));
    let (row, before) = found.next().unwrap();
    let pointer = Pointer {
        column: u16::try_from(before.chars().count()).unwrap(),
        row,
        did: MouseAct::Click,
    };
    let effects = update(&mut app, Msg::Did(InputEvent::Pointer(pointer)));
    settle_effects(&mut app, effects);
    assert_eq!(app.views.trial.chosen, 1);
}

#[test]
fn every_window_shows_something_and_ascii_stays_ascii() {
    let mut app = by_month();
    for (width, height) in SIZES {
        resize(&mut app, width, height);
        for chord in ["c", "tab", "j", "z", "z", "l", "b", "s"] {
            keys(&mut app, chord);
            screen(&app);
        }
    }
    app.cx.theme = theme_ascii();
    resize(&mut app, 120, 40);
    for _ in 0..6 {
        keys(&mut app, "c");
        let text = shown(&app);
        let odd = text.chars().find(|c| !c.is_ascii());
        assert_eq!(odd, None, "{text}");
    }
}

#[test]
fn an_unknown_path_is_the_headline() {
    let mut app = by_month();
    keys(&mut app, "t");
    typed(&mut app, "/region");
    let text = shown(&app);
    let headline = text.lines().find(|line| line.contains("/region: reject"));
    assert!(headline.unwrap().contains("No document has /region"), "{text}");
    assert!(text.contains("no document has it"), "{text}");
}

#[test]
fn the_header_names_what_is_assumed() {
    let mut app = by_month();
    resize(&mut app, 200, 60);
    let text = shown(&app);
    for word in [
        "size [",
        "growth [~",
        "demand [",
        "provisioned [2,400]",
        "documents [2,000 of ",
        "weight [~documents]",
        "/deviceId > /month",
        "─ paths ─",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let blank = text.lines().filter(|line| line.trim().is_empty()).count();
    assert!(blank <= 12, "{blank} of 60 rows are blank: {text}");
    // What decides is above every other figure.
    let row = |label: &str| text.lines().position(|line| line.starts_with(label));
    assert!(row("cross-partition").unwrap() < row("distinct keys").unwrap(), "{text}");
}
