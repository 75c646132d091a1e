//! Papers: what they tell, that they fit, and that masks hold.

use super::*;
use crate::analysis::testing::{GIB, Log, NEWEST, ORDERS, northpier, seconds};
use crate::model::account::{Account, Setting};
use crate::model::capture::{RowError, RowFault};
use crate::model::physical::{PhysicalPartition, Throughput, ThroughputSettings, WithoutOwn};
use crate::source::answers::{Inquiry, Kind, Observation};
use crate::source::ledger::Ledger;
use crate::source::live::target::{Side, Target};
use crate::ui::app::testing::{
    app, app_showing, app_with, copied, dataset_watched, generation_of, press, resize,
};
use crate::ui::app::update::{open, update};
use crate::ui::app::{App, Overlay};
use crate::ui::kit::msg::Msg;
use crate::ui::view::testing::{SIZES, screen};
use crate::work::data::Origin;
use crate::work::salt::Salt;

fn text_of(app: &App) -> String {
    match &app.overlay {
        Some(Overlay::Paper(paper)) => paper.lines.join("\n"),
        _ => String::new(),
    }
}

fn flawed() -> App {
    let log = Log::new("sentinel-folder/sentinel-file.csv");
    log.reading(ORDERS, r#"["sentinel-key"]"#, "", Some(seconds(NEWEST)), GIB);
    log.source(|source| {
        source.shape = "CSV".to_owned();
        (source.rows, source.skipped, source.repeated, source.other_kinds) = (1234, 25, 6, 7);
        source.notes = vec!["taken for `sentinel-text`".to_owned()];
        source.refused = Some("line 3 of sentinel-folder/sentinel-file.csv is broken".to_owned());
        source.incomplete = true;
        source.row_errors = vec![RowError {
            line: 4812,
            fault: RowFault::Cast,
            detail: "`sizeKb` is `sentinel\u{1b}[2J`".to_owned(),
        }];
    });
    app_showing(log.capture())
}

#[test]
fn a_text_leaves_the_head_of_a_high_window_free() {
    let mut app = flawed();
    press(&mut app, "v");
    for (width, height, is_free) in [(80, 24, false), (200, 60, true)] {
        resize(&mut app, width, height);
        let lines = screen(&app);
        let top = lines.iter().position(|line| line.contains(" sources "));
        assert_eq!(top.map(|top| top > 1), Some(is_free), "{lines:?}");
        assert!(lines.iter().any(|line| line.contains("closes")));
    }
}

#[test]
fn of_a_report_only_headings_are_bold() {
    let lines = [
        "Cut-over",
        "   1. Work through the table, clear what is found and look up what cannot",
        "      be seen.",
        "  A paragraph before a table",
        "                today   new",
        "",
        "· A note that goes on",
        "  in a second line",
        "- Advice that goes on",
        "  in a second line",
    ]
    .map(str::to_owned);
    let lines: Vec<&String> = lines.iter().collect();
    let headings = |is_report| {
        let rows = wrap(&lines, is_report, 40, Glyphs::Unicode);
        let headings = rows.into_iter().filter(|(role, _)| *role == Role::Heading);
        headings.map(|(_, row)| row).collect::<Vec<_>>()
    };
    assert_eq!(headings(true), ["Cut-over"]);
    assert!(headings(false).len() > 4);
}

#[test]
fn sources_tell_every_number_and_reason() {
    let mut app = flawed();
    press(&mut app, "v");
    let text = text_of(&app);
    for expected in [
        "sentinel-folder/sentinel-file.csv",
        "shape: CSV",
        "1,234 records taken · 6 repeated, counted once · 25 left out · 7 of other log kinds",
        "refused: line 3",
        "incomplete",
        "taken for `sentinel-text`",
        "line 4,812: cast: `sizeKb` is `sentinel␛[2J`",
        "24 more left out",
        "20 GB limit is read as",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

/// Two containers of a serverless account that lets partitions be merged, one of them beside RU/s of its database.
fn set_up() -> App {
    let mut capture = northpier();
    let reported = vec![(Setting::Serverless, true), (Setting::MergeEnabled, true)];
    let region = vec!["West Europe".to_owned()];
    let account = Account::new(Some("northpier-prod"), reported, region);
    capture.accounts.push(account);
    let throughput = Throughput::Manual { ru_per_second: 1_000.0 };
    let settings =
        ThroughputSettings { throughput, minimum: None, instant_maximum: None, key_cap: None };
    for container in &mut capture.containers {
        container.throughput = None;
        if container.name.database.as_deref() == Some("shop") {
            container.without_own = Some(WithoutOwn::Shared(settings));
        }
    }
    app_showing(capture)
}

#[test]
fn what_accounts_and_databases_are_set_to_is_told_with_what_follows() {
    let mut app = set_up();
    press(&mut app, "v");
    let text = text_of(&app);
    for expected in [
        "What northpier-prod is set to",
        "  serverless: no RU/s are provisioned",
        "  merging of physical partitions is switched on: the service then answers only clients",
        "  regions: West Europe",
        "  shop, 2 containers with no RU/s of its own: its database has 1,000 RU/s, manual",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    press(&mut app, "esc");
    update(&mut app, Msg::SaltRead(Ok(Salt(vec![7; 32]))));
    press(&mut app, "v");
    let masked = text_of(&app);
    assert!(masked.contains("serverless: no RU/s"), "{masked}");
    for name in ["northpier", "shop"] {
        assert!(!masked.contains(name), "{name}\n{masked}");
    }
}

#[test]
fn the_overview_and_the_heat_say_whose_ru_a_container_uses() {
    let mut app = set_up();
    resize(&mut app, 200, 60);
    let overview = screen(&app).join("\n");
    assert!(overview.contains("its database has 1,000"), "{overview}");
    let counted = "2 sharing RU/s · 1 without RU/s";
    assert!(overview.contains(counted), "{overview}");
    press(&mut app, "3");
    let heat = screen(&app).join("\n");
    assert!(heat.contains("shares 1,000 RU/s"), "{heat}");
}

#[test]
fn what_is_not_asked_of_an_account_says_how_it_would_be() {
    let target = Target {
        endpoint: "http://127.0.0.1:8081/".to_owned(),
        side: Side::Emulator,
        ..Target::default()
    };
    let origin = Origin::Live(Box::new(target));
    let mut ledger = Ledger::new("127.0.0.1:8081");
    let inquiry = Inquiry::account(Kind::Databases);
    let body = r#"{"Databases":[]}"#.as_bytes();
    ledger.add(Observation::of(&inquiry, seconds(NEWEST), Ok((body.into(), Some(1.0)))));
    let mut app = app();
    let generation = generation_of(&open(&mut app, origin.clone()));
    let data = dataset_watched(northpier(), origin, &ledger);
    update(&mut app, Msg::Loaded(generation, data));
    let overview = screen(&app).join(" ");
    assert!(overview.contains("(v: more)"), "{overview}");
    press(&mut app, "v");
    let sources = text_of(&app);
    assert!(sources.contains("--workspace"), "{sources}");
    press(&mut app, "esc");
    press(&mut app, ": c o n n e c t enter");
    let text = text_of(&app);
    for expected in [
        "list of databases: as of 02:",
        "overview and keys: statistics not asked",
        "metrics not asked",
        "the management plane is not read: it takes no account key",
        "logs are not asked: --workspace ID",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn statistics_are_there_only_where_answers_hold_them() {
    let endpoint = "https://northpier-prod.documents.azure.com/";
    let target = Target { endpoint: endpoint.to_owned(), ..Target::default() };
    let origin = Origin::Live(Box::new(target));
    let mut ledger = Ledger::new("northpier-prod");
    for container in ["orders", "carts", "readings"] {
        let inquiry = Inquiry::container(Kind::Container, "shop", container);
        let body: Vec<u8> = b"{}".to_vec();
        ledger.add(Observation::of(&inquiry, seconds(NEWEST), Ok((body.into(), Some(1.0)))));
    }
    for (with, expected) in [
        (3, "statistics there, logged"),
        (1, "statistics there, partly, logged"),
        (0, "statistics in no answer, logged"),
    ] {
        let mut capture = northpier();
        assert_eq!(capture.containers.len(), 3);
        for container in capture.containers.iter_mut().take(with) {
            let mut partition = PhysicalPartition::new("0");
            partition.documents = Some(7);
            container.partitions = vec![partition];
        }
        let mut app = app();
        let generation = generation_of(&open(&mut app, origin.clone()));
        let data = dataset_watched(capture, origin.clone(), &ledger);
        update(&mut app, Msg::Loaded(generation, data));
        press(&mut app, ": c o n n e c t enter");
        let text = text_of(&app);
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn masked_sources_tell_no_name_and_no_value() {
    let mut app = flawed();
    press(&mut app, "v");
    // The paper was written before: it goes with the names in it.
    update(&mut app, Msg::SaltRead(Ok(Salt(vec![7; 32]))));
    assert_eq!(app.overlay, None);
    press(&mut app, "v");
    let text = text_of(&app);
    assert!(!text.contains("sentinel"), "{text}");
    assert!(text.contains("line 4,812: cast"), "{text}");
    assert!(!screen(&app).concat().contains("sentinel"));
}

#[test]
fn pages_fit_every_window_and_scroll_to_their_end() {
    let mut app = app_showing(northpier());
    for keys in ["v", ": c o n n e c t enter"] {
        for (width, height) in SIZES {
            resize(&mut app, width, height);
            press(&mut app, keys);
            press(&mut app, "ctrl-d j G");
            let lines = screen(&app);
            let last = text_of(&app);
            let last = last.split_whitespace().next_back().unwrap_or_default();
            let text = lines.concat();
            assert!(text.contains(last), "{last}\n{}", lines.join("\n"));
            press(&mut app, "g");
            assert!(screen(&app).concat().contains("Esc closes"));
            press(&mut app, "esc");
        }
    }
}

#[test]
fn a_paper_is_copied_unbroken_and_keys_of_rows_do_nothing_under_it() {
    let mut app = app_showing(northpier());
    press(&mut app, ": c o n n e c t enter");
    let effects = press(&mut app, "y");
    let whole = "az cosmosdb sql container show --resource-group GROUP --account-name ACCOUNT";
    assert!(copied(&effects).contains(whole));
    press(&mut app, "s");
    assert!(matches!(app.overlay, Some(Overlay::Paper(_))));
    // Enter closes it, and opens nothing below.
    press(&mut app, "enter");
    assert_eq!(app.overlay, None);
    assert_eq!(app.cx.view, crate::ui::kit::msg::ViewId::Overview);
}

#[test]
fn a_search_keeps_lines_with_their_headings_and_esc_ends_it_before_the_text() {
    let mut app = app_with("night");
    press(&mut app, "i");
    press(&mut app, "/");
    for letter in ["4", "2", "9"] {
        press(&mut app, letter);
    }
    let text = screen(&app).join("\n");
    assert!(text.contains("evidence, search: 429"), "{text}");
    assert!(text.contains("Numbers of the findings"), "{text}");
    assert!(!text.contains("Largest key"), "{text}");
    press(&mut app, "backspace");
    assert!(screen(&app).join("\n").contains("search: 42 "));
    press(&mut app, "esc");
    assert!(screen(&app).join("\n").contains("evidence ━"));
    press(&mut app, "esc");
    assert!(app.overlay.is_none());
}

#[test]
fn a_text_is_read_on_where_its_search_ended() {
    let mut app = app_with("night");
    press(&mut app, "i");
    assert!(!screen(&app).join("\n").contains("Largest key"));
    press(&mut app, "/ l a r g e s t space k e y");
    let text = screen(&app).join("\n");
    assert!(!text.contains("y copy") && !text.contains("q quit"), "{text}");
    press(&mut app, "esc");
    let text = screen(&app).join("\n");
    assert!(text.contains("Largest key") && text.contains("y copy"), "{text}");
}

#[test]
fn a_search_without_a_match_says_so_and_what_ends_it() {
    let mut app = app_with("night");
    press(&mut app, "i / q q");
    let text = screen(&app).join("\n");
    let ways = "Backspace deletes a letter, Esc ends the search";
    assert!(text.contains("no match for \"qq\""), "{text}");
    assert_eq!(text.matches(ways).count(), 2, "{text}");
    // Enter would close a text that is read; what is typed stays.
    press(&mut app, "enter");
    assert!(screen(&app).join("\n").contains("no match"));
    press(&mut app, "backspace backspace");
    assert!(screen(&app).join("\n").contains("Counts"));
}

#[test]
fn a_long_text_fills_a_wide_window_in_two_columns() {
    let mut app = app_with("night");
    press(&mut app, "i");
    resize(&mut app, 200, 60);
    let lines = screen(&app);
    let found = |words: &str| lines.iter().position(|line| line.contains(words));
    assert!(found("evidence ━").is_some_and(|at| at < 4), "{lines:#?}");
    // What stands far below the first lines is next to them.
    let [counts, growth] = [" Counts ", " Growth "].map(found);
    assert!(counts < growth && growth.is_some(), "{lines:#?}");
    assert!(found(" 1-110 of ").is_some(), "{lines:#?}");
    press(&mut app, "G");
    assert!(screen(&app).concat().contains("-118 of 118"));
}

#[test]
fn with_nothing_open_sources_say_so() {
    let mut app = app();
    press(&mut app, "v");
    assert_eq!(text_of(&app), "Nothing is open yet.");
}
