//! Messages in, state and effects out.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::path::PathBuf;

use crate::source::times::DateOrder;
use crate::ui::app::testing::{
    app, app_with, copied, dataset, dataset_from, generation_of, press, settings, type_in,
};
use crate::ui::app::update::{open, update};
use crate::ui::app::{App, Freeze, Overlay, Status};
use crate::ui::kit::input::{InputEvent, MouseAct, Pointer, Size};
use crate::ui::kit::line::PromptPurpose;
use crate::ui::kit::msg::ViewId;
use crate::ui::kit::msg::{Effect, Generation, Msg};
use crate::ui::view::testing::screen;
use crate::work::data::{Origin, Stage};
use crate::work::fault::{WorkFault, WorkProgress};
use crate::work::paths::{EntryKind, PathOffer};
use crate::work::salt::Salt;
use crate::work::shared::Shared;
use crate::work::whole_file::IfExists;

fn typed(app: &App) -> &str {
    match &app.overlay {
        Some(Overlay::Line(line)) => line.text(),
        _ => "",
    }
}

fn failure(app: &App) -> &str {
    match &app.status {
        Status::Failed(fault) => &fault.what,
        _ => "",
    }
}

#[test]
fn a_path_given_at_the_start_is_read_at_once() {
    let origin = Origin::Paths(vec![PathBuf::from("a.csv")]);
    let mut settings = settings();
    settings.origin = Some(origin.clone());
    let (app, effects) = App::new(settings);
    assert_eq!(effects, [Effect::ReadRecent, Effect::Load(Generation(1), origin)]);
    assert!(app.cx.loading.is_some());
}

#[test]
fn data_opens_at_the_overview_and_the_same_data_again_leaves_the_view() {
    let mut app = app_with("tenants");
    assert_eq!((app.cx.view, app.cx.loading.is_some()), (ViewId::Overview, false));
    press(&mut app, "2");
    assert_eq!(app.cx.view, ViewId::Keys);
    let effects = press(&mut app, "r");
    let generation = generation_of(&effects);
    update(&mut app, Msg::Loaded(generation, dataset("tenants", Stage::Whole)));
    assert_eq!(app.cx.view, ViewId::Keys);
    press(&mut app, "esc");
    assert_eq!(app.cx.view, ViewId::Overview);
    press(&mut app, "esc");
    assert_eq!(app.cx.view, ViewId::Start);
    press(&mut app, "esc");
    assert!(matches!(&app.status, Status::Done(text) if text.contains("q leaves")));
}

#[test]
fn answers_to_older_questions_are_dropped() {
    let mut app = app();
    let first = generation_of(&open(&mut app, Origin::Scenario("tenants")));
    let second = generation_of(&open(&mut app, Origin::Scenario("food")));
    update(&mut app, Msg::Loaded(first, dataset("tenants", Stage::Whole)));
    assert!(app.cx.data.is_none() && app.cx.loading.is_some());
    let late = WorkFault::new("late", None);
    update(&mut app, Msg::LoadFailed(first, late));
    update(&mut app, Msg::Progressed(first, WorkProgress { rows: 9, ..WorkProgress::default() }));
    assert_eq!(failure(&app), "");
    assert_eq!(app.cx.loading.as_ref().unwrap().progress.rows, 0);
    update(&mut app, Msg::Loaded(second, dataset("food", Stage::Whole)));
    assert_eq!(app.cx.data.unwrap().origin, Origin::Scenario("food"));
}

#[test]
fn a_failure_leaves_what_is_shown() {
    let mut app = app_with("tenants");
    let generation = generation_of(&open(&mut app, Origin::Paths(vec![PathBuf::from("gone.csv")])));
    let fault = WorkFault {
        is_passing: false,
        what: "gone.csv: there is no such file".to_owned(),
        next: Some("look at the name".to_owned()),
    };
    update(&mut app, Msg::LoadFailed(generation, fault.clone()));
    assert_eq!(app.status, Status::Failed(fault));
    assert!(app.cx.data.is_some() && app.cx.loading.is_none());
    assert_eq!(app.cx.view, ViewId::Overview);
}

#[test]
fn glimpses_are_shown_and_stopping_keeps_them() {
    let mut app = app();
    let generation = generation_of(&open(&mut app, Origin::Scenario("car")));
    let stage = Stage::Reading { keys_so_far: 1234 };
    update(&mut app, Msg::Glimpsed(generation, dataset("car", stage.clone())));
    assert_eq!(app.cx.view, ViewId::Overview);
    press(&mut app, "2 j");
    update(&mut app, Msg::Glimpsed(generation, dataset("car", stage)));
    assert_eq!(app.cx.view, ViewId::Keys);
    assert!(screen(&app).concat().contains("Ctrl-x stop"));
    assert_eq!(press(&mut app, "ctrl-x"), [Effect::StopLoading]);
    assert!(screen(&app).concat().contains("stopping"));
    let stopped = Stage::Stopped { keys_so_far: 2000 };
    update(&mut app, Msg::Loaded(generation, dataset("car", stopped)));
    assert_eq!((app.cx.view, app.cx.loading.is_some()), (ViewId::Keys, false));
    assert_eq!(press(&mut app, "ctrl-x"), []);
}

#[test]
fn what_was_seen_of_a_file_that_breaks_off_is_marked() {
    let mut app = app();
    let generation = generation_of(&open(&mut app, Origin::Scenario("car")));
    let stage = Stage::Reading { keys_so_far: 1234 };
    update(&mut app, Msg::Glimpsed(generation, dataset("car", stage)));
    assert!(!screen(&app).concat().contains("incomplete file"));
    let fault = WorkFault {
        is_passing: false,
        what: "a.gz: its check sum is wrong".to_owned(),
        next: None,
    };
    update(&mut app, Msg::LoadFailed(generation, fault));
    let text = screen(&app).concat();
    assert!(text.contains("incomplete file") && text.contains("its check sum is wrong"), "{text}");
}

#[test]
fn frozen_screens_hold_newer_data_back_until_they_flow_again() {
    let mut app = app_with("tenants");
    press(&mut app, "f");
    let effects = press(&mut app, "r");
    let generation = generation_of(&effects);
    let newer = dataset("tenants", Stage::Whole);
    let before = app.cx.data.clone();
    update(&mut app, Msg::Loaded(generation, newer.clone()));
    assert_eq!(app.cx.data, before);
    assert_eq!(app.freeze, Freeze::Held(Some(newer.clone())));
    press(&mut app, "f");
    assert_eq!((app.cx.data, app.freeze), (Some(newer), Freeze::Flowing));
}

#[test]
fn a_file_that_was_read_is_remembered_and_a_scenario_is_not() {
    let mut app = app();
    let generation = generation_of(&open(&mut app, Origin::Scenario("food")));
    assert_eq!(update(&mut app, Msg::Loaded(generation, dataset("food", Stage::Whole))), []);
    let paths = vec![PathBuf::from("a.csv")];
    let generation = generation_of(&open(&mut app, Origin::Paths(paths.clone())));
    let data = dataset_from("food", Origin::Paths(paths.clone()));
    let effects = update(&mut app, Msg::Loaded(generation, data));
    assert!(effects.contains(&Effect::Remember(paths)), "{effects:?}");
}

#[test]
fn the_palette_runs_any_action_by_its_name() {
    let mut app = app_with("tenants");
    press(&mut app, ":");
    type_in(&mut app, "fre");
    press(&mut app, "enter");
    assert_eq!(app.freeze, Freeze::Held(None));
    press(&mut app, ":");
    type_in(&mut app, "theme light");
    press(&mut app, "enter");
    assert_eq!(app.cx.theme_name, "light");
    press(&mut app, ":");
    type_in(&mut app, "nothing-like-it");
    press(&mut app, "enter");
    let Some(Overlay::Line(line)) = &app.overlay else {
        panic!("the line is closed");
    };
    let problem = line.problem.as_ref().map(|(_, what)| what.as_str());
    assert_eq!(problem, Some("there is no command nothing-like-it"));
    press(&mut app, "esc :");
    type_in(&mut app, "quit now");
    assert_eq!(press(&mut app, "enter"), []);
    assert_eq!(failure(&app), "quit takes nothing after its name");
    press(&mut app, ":");
    type_in(&mut app, "quit");
    assert_eq!(press(&mut app, "enter"), [Effect::Quit]);
}

#[test]
fn only_export_with_a_bang_replaces_a_file() {
    let mut app = app_with("tenants");
    for (command, expected) in
        [("export a.csv", IfExists::Keep), ("export! a.csv", IfExists::Replace)]
    {
        press(&mut app, ":");
        type_in(&mut app, command);
        let effects = press(&mut app, "enter");
        let [Effect::Export(_, export)] = effects.as_slice() else {
            panic!("{effects:?}");
        };
        assert_eq!(export.existing, expected);
    }
}

#[test]
fn views_without_data_say_which_keys_open_some() {
    let mut app = app();
    app.cx.keymap = app.cx.keymap.patched("[global]\nopen = [\"x\"]\n").unwrap();
    press(&mut app, "2");
    let expected = "Enter opens the chosen scenario or file; x opens a path";
    assert!(
        matches!(&app.status, Status::Failed(fault) if fault.next.as_deref() == Some(expected))
    );
}

#[test]
fn a_long_failure_is_told_whole_with_what_to_do() {
    let mut app = app();
    let words = |what: &str, n| vec![what; n].join(" ");
    app.status = Status::Failed(WorkFault {
        is_passing: false,
        what: words("wrong", 20),
        next: Some("do this instead".to_owned()),
    });
    let reported = |app: &App| screen(app).join(" ").matches("wrong").count();
    assert_eq!(reported(&app), 20);
    assert!(screen(&app)[22].starts_with("  do this instead"));
    app.status = Status::Failed(WorkFault {
        is_passing: false,
        what: words("wrong", 900),
        next: Some(words("do", 900)),
    });
    for (width, height) in [(0, 0), (3, 1), (40, 10), (80, 24)] {
        crate::ui::app::testing::resize(&mut app, width, height);
        screen(&app);
    }
}

#[test]
fn completion_goes_through_the_offers_and_cancel_leaves_all_as_it_was() {
    let mut app = app_with("tenants");
    press(&mut app, ":");
    type_in(&mut app, "scen");
    press(&mut app, "tab");
    assert_eq!(typed(&app), "scenario ");
    press(&mut app, "tab tab");
    assert_eq!(typed(&app), "scenario tenants");
    press(&mut app, "esc");
    assert_eq!((app.overlay.is_none(), app.cx.view), (true, ViewId::Overview));
    press(&mut app, "D");
    type_in(&mut app, "car");
    let effects = press(&mut app, "enter");
    assert_eq!(effects, [Effect::Load(generation_of(&effects), Origin::Scenario("car"))]);
}

#[test]
fn a_date_order_is_taken_and_the_same_files_are_read_again() {
    let mut app = app_with("tenants");
    let origin = app.cx.data.as_ref().unwrap().origin.clone();
    for (typed, order) in [("dmy", DateOrder::DayFirst), ("mdy", DateOrder::MonthFirst)] {
        press(&mut app, ":");
        type_in(&mut app, &format!("date-order {typed}"));
        let effects = press(&mut app, "enter");
        let load = Effect::Load(generation_of(&effects), origin.clone());
        assert_eq!(effects, [Effect::ReadDates(order), load]);
    }
    press(&mut app, ":");
    type_in(&mut app, "date-order ymd");
    assert_eq!(press(&mut app, "enter"), []);
    assert!(failure(&app).contains("dmy (day first) or mdy"));
}

#[test]
fn file_names_are_completed_and_late_lists_are_dropped() {
    let mut app = app();
    let effects = press(&mut app, "O");
    let Some(Effect::ListPaths(first, start)) = effects.last() else {
        panic!("{effects:?}");
    };
    assert_eq!(start, "");
    let effects = type_in(&mut app, "d");
    let Some(Effect::ListPaths(second, start)) = effects.last() else {
        panic!("{effects:?}");
    };
    assert_eq!(start, "d");
    let offered = |path: &str| PathOffer { path: path.to_owned(), kind: EntryKind::Folder };
    update(&mut app, Msg::PathsListed(*second, vec![offered("data/")]));
    update(&mut app, Msg::PathsListed(*first, vec![offered("other/")]));
    press(&mut app, "tab");
    assert_eq!(typed(&app), "open data/");
    type_in(&mut app, "x.csv");
    let effects = press(&mut app, "enter");
    let origin = Origin::Paths(vec![PathBuf::from("data/x.csv")]);
    assert_eq!(effects, [Effect::Load(generation_of(&effects), origin)]);
}

#[test]
fn pasted_text_never_runs_as_keys() {
    let mut app = app_with("tenants");
    let effects = update(&mut app, Msg::Did(InputEvent::Paste("q\n:quit\n".to_owned())));
    assert_eq!(effects, []);
    assert!(failure(&app).contains("only where a line is typed"));
    press(&mut app, "/");
    update(&mut app, Msg::Did(InputEvent::Paste("con\ntoso".to_owned())));
    assert_eq!(typed(&app), "con toso");
    assert!(
        matches!(&app.overlay, Some(Overlay::Line(line)) if line.purpose == PromptPurpose::Filter)
    );
}

#[test]
fn masking_waits_for_its_secret_and_says_when_there_is_none() {
    let mut app = app_with("tenants");
    assert_eq!(press(&mut app, "p"), [Effect::ReadSalt]);
    assert!(!app.cx.mask.is_on());
    let fault = WorkFault::new("no home folder", None);
    update(&mut app, Msg::SaltRead(Err(fault)));
    assert!(!app.cx.mask.is_on() && failure(&app) == "no home folder");
    let salt = Salt(vec![7; 32]);
    assert_eq!(format!("{salt:?}"), "Salt");
    update(&mut app, Msg::SaltRead(Ok(salt)));
    assert!(app.cx.mask.is_on());
    press(&mut app, "p");
    assert!(!app.cx.mask.is_on());
}

#[test]
fn the_footer_can_be_clicked() {
    let mut app = app_with("tenants");
    let row = app.cx.size.height - 1;
    let columns = 0..app.cx.size.width;
    let click = |column| Pointer { column, row, did: MouseAct::Click };
    let mut seen = Vec::new();
    for column in columns {
        update(&mut app, Msg::Did(InputEvent::Pointer(click(column))));
        if let Some(Overlay::Help(_)) = app.overlay {
            seen.push("help");
            app.overlay = None;
        }
        if app.cx.view != ViewId::Overview {
            seen.push(app.cx.view.about().name);
            app.cx.view = ViewId::Overview;
        }
        app.overlay = None;
    }
    seen.dedup();
    assert!(seen.contains(&"help") && seen.contains(&"keys"), "{seen:?}");
}

#[test]
fn an_unknown_key_says_where_help_is_and_a_small_window_survives_everything() {
    let mut app = app_with("tenants");
    press(&mut app, "%");
    assert_eq!(failure(&app), "% does nothing here");
    for size in [Size::clamped(0, 0), Size::clamped(1, 1), Size::clamped(65535, 65535)] {
        assert_eq!(update(&mut app, Msg::Did(InputEvent::Resized(size))), [Effect::Redraw]);
        press(&mut app, "j G g 2 j tab z ? j esc : x tab esc / x esc 1 i esc v esc");
        let click = Pointer { column: 3, row: 0, did: MouseAct::Click };
        update(&mut app, Msg::Did(InputEvent::Pointer(click)));
    }
    assert_eq!(app.cx.size, Size::LARGEST);
}

#[test]
fn what_now_copies_the_query_of_the_client_a_command_and_the_note() {
    let mut app = app_with("night");
    press(&mut app, "w");
    assert!(matches!(app.overlay, Some(Overlay::WhatNow(_))));
    let shown = screen(&app).join("\n");
    let first = "▶ 1  limit client  11 % → 0 %";
    assert!(shown.contains(first), "{shown}");
    let copied = |effects: Vec<Effect>| copied(&effects);
    let first = copied(press(&mut app, "enter"));
    let limit = "limit contoso to 9,094 RU/s (23 % of the container's; bucket 22 %); 18 % ";
    assert!(first.starts_with(limit), "{first}");
    assert!(
        first.contains("\nA throughput bucket (preview) limits it, too, but its 429s stay\n")
            && !first.contains('#')
    );
    assert!(shown.contains("Enter copies step 1 (text)"), "{shown}");
    press(&mut app, "j");
    let client = copied(press(&mut app, "enter"));
    let by = "by UserAgent, ClientIpAddress, OperationName, PartitionId";
    assert!(client.starts_with("CDBDataPlaneRequests") && client.contains(by));
    press(&mut app, "j enter");
    // Left empty the resource group is filled in by hand.
    let command = copied(press(&mut app, "enter"));
    assert!(command.contains("--resource-group '<resource-group>' --account-name 'contoso'"));
    assert!(command.contains("--database-name 'shop' --name '<new-container>'"));
    let note = copied(press(&mut app, "y"));
    assert!(note.starts_with("HOT KEY") && note.lines().count() == 5, "{note}");
    press(&mut app, "w");
    assert_eq!(app.overlay, None);
}

#[test]
fn a_copied_command_has_no_remark_and_the_resource_group_is_typed_once() {
    let mut app = app_with("users");
    app.cx.size = Size { width: 80, height: 40 };
    press(&mut app, "w");
    let shown = screen(&app).join("\n");
    assert!(shown.contains("preview extension cosmosdb-preview") && !shown.contains(" # "));
    press(&mut app, "enter");
    assert!(screen(&app).join("\n").contains("\nresource group: "));
    // Esc leads back, and a name that a shell could read as more stands in no command.
    press(&mut app, "esc");
    assert!(matches!(app.overlay, Some(Overlay::WhatNow(_))));
    press(&mut app, "enter");
    type_in(&mut app, "rg;x");
    assert_eq!(press(&mut app, "enter"), []);
    press(&mut app, "backspace backspace");
    type_in(&mut app, "-x");
    let command = copied(&press(&mut app, "enter"));
    assert!(command.starts_with("az cosmosdb sql container redistribute-partition-throughput"));
    assert!(command.contains("--resource-group 'rg-x' ") && command.ends_with('\''), "{command}");
    assert!(screen(&app).join("\n").contains("Enter copies step 1 (command)"));
    // It is known from then on, also when the steps are opened again.
    assert_eq!(copied(&press(&mut app, "w w enter")), command);
    assert!(copied(&press(&mut app, "y")).contains("--resource-group 'rg-x'"));
    // With invented names no command runs.
    let mut app = app_with("users");
    update(&mut app, Msg::SaltRead(Ok(Salt(vec![7; 32]))));
    assert!(copied(&press(&mut app, "w enter")).contains("<resource-group>"));
}

#[test]
fn q_closes_what_lies_over_the_view_and_then_leaves() {
    let design = ": d e s i g n space o r d e r s enter";
    for keys in ["?", "i", "v", "w", ": c o n n e c t enter", design] {
        let mut app = app_with("tenants");
        press(&mut app, keys);
        let footer = screen(&app).pop().unwrap_or_default();
        assert!(app.is_covered() && footer.contains("Esc ") && !footer.contains("q back"));
        assert_eq!(press(&mut app, "q"), [], "{keys}");
        assert!(!app.is_covered(), "{keys}");
        assert_eq!(press(&mut app, "q"), [Effect::Quit], "{keys}");
        press(&mut app, keys);
        assert_eq!(press(&mut app, "ctrl-c"), [Effect::Quit], "{keys}");
    }
    // A search has its letter.
    for keys in ["? z q", "i / q"] {
        let mut app = app_with("tenants");
        assert_eq!(press(&mut app, keys), []);
        assert!(app.is_covered(), "{keys}");
    }
}

#[test]
fn what_now_is_a_list_that_never_loses_its_chosen_title() {
    let mut app = app_with("night");
    for (width, height) in [(80, 24), (100, 30), (40, 10)] {
        app.cx.size = Size { width, height };
        press(&mut app, "w");
        for _ in 0..20 {
            press(&mut app, "j");
            assert!(screen(&app).iter().any(|line| line.contains("┃ ▶ ")), "{width}");
        }
        press(&mut app, "w");
    }
}

#[test]
fn the_workload_of_the_chosen_container_is_a_page() {
    let mut app = app_with("tenants");
    app.cx.size = Size { width: 80, height: 24 };
    let asked = press(&mut app, "W");
    let [Effect::Workload(generation, ask)] = asked.as_slice() else {
        panic!("{asked:?}");
    };
    let found = ask.answer().map(Shared::new);
    update(&mut app, Msg::WorkloadFound(Generation(0), found.clone()));
    assert_eq!(app.overlay, None);
    update(&mut app, Msg::WorkloadFound(*generation, found));
    let shown = screen(&app).join("\n");
    for part in "workload|31,824,000 requests|Create|60 % of the RU".split('|') {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    press(&mut app, "esc");
    press(&mut app, "W");
    let generation = app.workload;
    update(&mut app, Msg::WorkloadFound(generation, None));
    assert!(matches!(&app.status, Status::Failed(fault) if fault.next.is_some()));
}
