//! The question before a sample, the meter while it is drawn, and what is said at its end.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::*;
use crate::model::time::Stamp;
use crate::source::answers::{Answer, Inquiry, Obstacle, Trouble};
use crate::source::live::target::{Side, Target};
use crate::source::watch::Watch;
use crate::ui::app::testing::{app, dataset_from, generation_of, press, resize};
use crate::ui::app::update::{open, update};
use crate::ui::app::{App, Overlay};
use crate::ui::kit::input::InputEvent;
use crate::ui::kit::msg::Msg;
use crate::ui::kit::msg::ViewId;
use crate::ui::kit::picture;
use crate::ui::view;
use crate::work::data::Origin;
use crate::work::load::Loader;

fn account() -> Target {
    Target {
        endpoint: "http://127.0.0.1:8081/".to_owned(),
        side: Side::Emulator,
        ..Target::default()
    }
}

/// The connected cars as if an account had told of them, with nothing read of their documents.
fn live() -> App {
    let mut app = app();
    let origin = Origin::Live(Box::new(account()));
    let generation = generation_of(&open(&mut app, origin.clone()));
    update(&mut app, Msg::Loaded(generation, dataset_from("car", origin)));
    // The container by month.
    press(&mut app, "j");
    app
}

fn shown(app: &App) -> String {
    view::testing::screen(app).join("\n")
}

fn dialog(app: &App) -> Dialog {
    assert_eq!(app.overlay, Some(Overlay::Sampling));
    Dialog::clone(app.views.trial.dialog.as_ref().unwrap())
}

fn sample_effect(effects: &[Effect]) -> (Generation, SampleAsk) {
    let sample = effects.iter().find_map(|effect| match effect {
        Effect::Sample(generation, ask) => Some((*generation, ask.clone())),
        _ => None,
    });
    sample.unwrap()
}

fn meter(entries: u64, spent_ru: f64) -> Meter {
    Meter {
        spent_ru,
        budget_ru: 1_000.0,
        ru_per_second: 24.0,
        entries,
        documents_total: 500,
        resting_seconds: None,
        paying_seconds: None,
        refusals: 0,
        is_full: false,
        is_unwindowed: false,
        costs_times: None,
    }
}

/// What an account would have given by then.
fn sample(ask: &SampleAsk, over: ScanEnd, meter: Meter) -> Shared<TrialSample> {
    let DocumentsOf::Live { database, container } = &ask.from else { panic!("{ask:?}") };
    let mut body = "{\"Documents\":[".to_owned();
    for number in 0..meter.entries {
        let comma = if number > 0 { "," } else { "" };
        write!(
            body,
            "{comma}{{\"id\":\"{number}\",\"deviceId\":\"d{}\",\"month\":\"2026-06\"}}",
            number % 9
        )
        .unwrap();
    }
    body.push_str("]}");
    let page = Answer {
        at: Stamp::EPOCH,
        inquiry: Inquiry::container(Kind::Documents, database, container).part("0/whole/00000"),
        body: body.into_bytes().into(),
        ru: Some(meter.spent_ru),
    };
    let scanned = Some(ScanResult { over, meter });
    let made = Loader::default().sampled(ask, std::iter::once(&page), scanned, &Watch::default());
    made.unwrap()
}

/// Compares the screen with its picture, colours included, in two windows.
fn check(name: &str, app: &mut App) {
    let mut all = String::new();
    for (width, height) in [(80, 24), (200, 60)] {
        resize(app, width, height);
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        crate::ui::app::draw(app, &mut buffer);
        writeln!(all, "{width}x{height}\n{}", picture::styled(&buffer)).unwrap();
    }
    resize(app, 80, 24);
    insta::with_settings!({
        snapshot_path => "../../../../../tests/it/snapshots/panels",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, all);
    });
}

#[test]
fn without_documents_somebody_is_asked_what_a_sample_may_cost() {
    let mut app = live();
    let effects = press(&mut app, "4");
    assert_eq!(app.cx.view, ViewId::Trial);
    assert!(!effects.iter().any(|e| matches!(e, Effect::Sample(..))), "nothing is read unasked");
    let text = shown(&app);
    for word in ["No documents yet", "physical partitions", "RU/s", "Enter begins", "Esc leaves it"]
    {
        assert!(text.contains(word), "{word}\n{text}");
    }
    check("sampling-dialog", &mut app);
    let before = dialog(&app).documents;
    press(&mut app, "+");
    assert!(dialog(&app).documents > before);
    press(&mut app, "- -");
    assert!(dialog(&app).documents < before);
    press(&mut app, "esc");
    assert_eq!(app.overlay, None);
    assert_eq!(app.cx.view, ViewId::Trial);
    assert!(shown(&app).contains("No documents yet"));
    press(&mut app, "4");
    dialog(&app);
}

#[test]
fn a_key_is_typed_first_and_is_among_the_properties_of_the_sample() {
    let mut app = live();
    press(&mut app, "t / d e v i c e I d");
    assert!(shown(&app).contains("\ntry key: /deviceId "), "{}", shown(&app));
    press(&mut app, "enter");
    let paths = dialog(&app).choice().paths;
    assert!(paths.iter().any(|path| path.to_string() == "/deviceId"), "{paths:?}");
    press(&mut app, "esc t esc");
    assert_eq!(app.overlay, None);
}

#[test]
fn the_meter_runs_and_rests_and_esc_keeps_what_is_there() {
    let mut app = live();
    press(&mut app, "4");
    let (generation, ask) = sample_effect(&press(&mut app, "enter"));
    let scan = ask.scan.clone().unwrap();
    assert!((scan.more_ru - 1_000.0).abs() < f64::EPSILON);
    assert!(scan.ru_per_second >= 5.0 && scan.field.strata.len() > 1);
    update(&mut app, Msg::Metered(generation, meter(120, 96.0)));
    let text = shown(&app);
    assert!(text.contains("120 of 500 documents, 96 of 1,000 RU at 24 RU/s"), "{text}");
    check("sampling-runs", &mut app);
    let paying = Meter { paying_seconds: Some(80.0), ..meter(120, 96.0) };
    update(&mut app, Msg::Metered(generation, paying));
    assert!(shown(&app).contains("goes on in 80 s"), "{}", shown(&app));
    let resting = Meter { resting_seconds: Some(43.0), ..meter(120, 96.0) };
    update(&mut app, Msg::Metered(generation, resting));
    assert!(shown(&app).contains("rests 43 s"), "{}", shown(&app));
    check("sampling-rests", &mut app);
    let effects = press(&mut app, "esc");
    assert_eq!(effects, [Effect::StopSampling]);
    assert!(app.views.trial.reading.is_some(), "what is there is on its way");
    let there = sample(&ask, ScanEnd::Stopped, meter(120, 96.0));
    let effects = update(&mut app, Msg::Sampled(generation, Ok(there)));
    assert!(
        effects.iter().any(|e| matches!(e, Effect::Try(..) | Effect::LookAt(..)))
            || app.views.trial.sample.is_some()
    );
    assert_eq!(app.views.trial.sample.as_ref().unwrap().prepared.documents().len(), 120);
    assert_eq!(app.views.trial.reading.as_ref().map(|r| r.generation), None);
}

#[test]
fn what_is_spent_is_said_and_more_is_allowed_by_enter() {
    let mut app = live();
    press(&mut app, "4");
    let (generation, ask) = sample_effect(&press(&mut app, "enter"));
    let there = sample(&ask, ScanEnd::Spent, meter(320, 990.0));
    update(&mut app, Msg::Sampled(generation, Ok(there)));
    let text = shown(&app);
    assert!(text.contains("990 RU spent. Enter allows 1,000 more."), "{text}");
    check("sampling-spent", &mut app);
    let (_, more) = sample_effect(&press(&mut app, "enter"));
    assert_eq!(more.from, ask.from);
    assert!((more.scan.unwrap().more_ru - 1_000.0).abs() < f64::EPSILON);
}

#[test]
fn what_stands_in_the_way_is_said_and_nothing_is_lost() {
    let mut app = live();
    press(&mut app, "4");
    let (generation, ask) = sample_effect(&press(&mut app, "enter"));
    let trouble = Trouble::new(
        Obstacle::Forbidden,
        "this sign-in may not read documents (403)",
        "ask for a role",
    );
    let there = sample(&ask, ScanEnd::Failed(trouble), meter(20, 9.0));
    update(&mut app, Msg::Sampled(generation, Ok(there)));
    assert!(shown(&app).contains("this sign-in may not read documents (403)"), "{}", shown(&app));
    assert!(app.views.trial.sample.is_some());
}

fn scan_of(ask: &SampleAsk) -> &ScanAsk {
    ask.scan.as_ref().unwrap()
}

fn names(scan: &ScanAsk) -> Vec<String> {
    scan.choice.paths.iter().map(ToString::to_string).collect()
}

#[test]
fn most_documents_are_read_by_chosen_properties_and_some_whole() {
    let mut app = live();
    press(&mut app, "4");
    let text = shown(&app);
    assert!(text.contains("200 of them tell sizes"), "{text}");
    assert!(text.contains("only /month /_ts /id"), "{text}");
    press(&mut app, "<");
    assert!(shown(&app).contains("100 of them tell sizes"), "{}", shown(&app));
    press(&mut app, "> > >");
    let whole = dialog(&app).choice().whole;
    assert!(whole > 200, "{whole}");
    // Beyond the last step all are whole.
    press(&mut app, "> > > > > > > >");
    assert!(dialog(&app).choice().paths.is_empty());
    assert!(shown(&app).contains("all: every property"), "{}", shown(&app));
    press(&mut app, "<");
    assert!(!dialog(&app).choice().paths.is_empty());
    press(&mut app, "< < < < < < < < < <");
    assert_eq!(dialog(&app).choice().whole, 50);
    let (_, ask) = sample_effect(&press(&mut app, "enter"));
    assert_eq!(scan_of(&ask).choice.whole, 50);
    assert_eq!(names(scan_of(&ask)), ["/month", "/_ts", "/id"]);
}

#[test]
fn properties_are_chosen_and_typed() {
    let mut app = live();
    press(&mut app, "4 p");
    let text = shown(&app);
    assert!(text.contains("[x] /month") && text.contains("today's key"), "{text}");
    check("sampling-properties", &mut app);
    press(&mut app, "j space");
    assert!(shown(&app).contains("[ ] /_ts"), "{}", shown(&app));
    press(&mut app, "/ d e v i c e I d enter");
    assert!(shown(&app).contains("[x] /deviceId"), "{}", shown(&app));
    // What is none is said, and nothing is added.
    press(&mut app, "/ / enter");
    assert!(shown(&app).contains("not a path"), "{}", shown(&app));
    press(&mut app, "esc esc");
    assert!(shown(&app).contains("only /month /id /deviceId"), "{}", shown(&app));
    let (_, ask) = sample_effect(&press(&mut app, "enter"));
    assert_eq!(names(scan_of(&ask)), ["/month", "/id", "/deviceId"]);
}

#[test]
fn a_pasted_property_is_one_that_is_typed() {
    let paste =
        |app: &mut App, text: &str| update(app, Msg::Did(InputEvent::Paste(text.to_owned())));
    let mut app = live();
    press(&mut app, "4");
    paste(&mut app, "/plant");
    assert!(shown(&app).contains("pasted text is taken only where"));
    press(&mut app, "p /");
    paste(&mut app, " /plant/\u{1b}[2Jid\r\n");
    press(&mut app, "enter");
    let text = shown(&app);
    assert!(text.contains("[x] /plant/\"[2Jid\""), "{text}");
    press(&mut app, "/");
    paste(&mut app, &format!("{}{}", "/plant/id", " ".repeat(100_000)));
    press(&mut app, "enter");
    let text = shown(&app);
    assert!(text.contains("[x] /plant/id"), "{text}");
}

#[test]
fn a_service_that_reads_no_parts_is_told_when_more_is_asked_for() {
    for is_unwindowed in [true, false] {
        let mut app = live();
        press(&mut app, "4");
        let (generation, ask) = sample_effect(&press(&mut app, "enter"));
        let meter = Meter { is_unwindowed, ..meter(120, 80.0) };
        let there = sample(&ask, ScanEnd::Whole, meter);
        update(&mut app, Msg::Sampled(generation, Ok(there)));
        press(&mut app, "4");
        let text = shown(&app);
        assert!(text.contains("are there  120"), "{text}");
        let is_reported = text.contains("the start of each partition only");
        assert_eq!(is_reported, is_unwindowed, "{text}");
    }
}

#[test]
fn esc_goes_back_to_the_numbers_before_it_leaves() {
    let mut app = live();
    press(&mut app, "4 p / x esc");
    for back in ["esc", "q"] {
        assert!(shown(&app).contains("Space chooses"), "{}", shown(&app));
        press(&mut app, back);
        assert!(shown(&app).contains("Enter begins"), "{}", shown(&app));
        press(&mut app, &format!("{back} 4 p"));
    }
}

/// What an account gives of a narrow sample: some whole, the others with the properties that were asked for.
fn narrow_sample(ask: &SampleAsk, meter: Meter) -> Shared<TrialSample> {
    let DocumentsOf::Live { database, container } = &ask.from else { panic!("{ask:?}") };
    let page = |part: String, rows: Vec<String>| Answer {
        at: Stamp::EPOCH,
        inquiry: Inquiry::container(Kind::Documents, database, container).part(&part),
        body: format!("{{\"Documents\":[{}]}}", rows.join(",")).into_bytes().into(),
        ru: Some(1.0),
    };
    let list = serde_json::Value::from(names(scan_of(ask)));
    let whole = |n: u64| {
        format!(
            "{{\"id\":\"{n}\",\"deviceId\":\"d{}\",\"month\":\"2026-06\",\"_ts\":1782000000}}",
            n % 9
        )
    };
    let row = |n: u64| format!("{{\"id\":\"{n}\",\"month\":\"2026-0{}\"}}", 1 + n % 6);
    let pages = [
        page("0/0A/00000".to_owned(), (0..20).map(whole).collect()),
        page(format!("0/1A/00000{list}"), (20..meter.entries).map(row).collect()),
    ];
    let scanned = Some(ScanResult { over: ScanEnd::Whole, meter });
    let made = Loader::default().sampled(ask, pages.iter(), scanned, &Watch::default());
    made.unwrap()
}

#[test]
fn a_key_that_was_not_asked_for_is_tried_on_whole_documents_and_more_is_one_key_away() {
    let mut app = live();
    press(&mut app, "4");
    let (generation, ask) = sample_effect(&press(&mut app, "enter"));
    let there = narrow_sample(&ask, meter(120, 80.0));
    assert_eq!((there.weighed, there.prepared.documents().len()), (Some(20), 120));
    update(&mut app, Msg::Sampled(generation, Ok(there.clone())));
    assert!(shown(&app).contains("120 documents (20 whole)"), "{}", shown(&app));
    let key = |text: &str| crate::analysis::candidate::Candidate::parse(text).unwrap();
    assert!(!there.needs_whole(&key("/month")) && there.needs_whole(&key("/deviceId")));
    let why = there.on_whole(&key("/month > /deviceId")).unwrap();
    assert!(
        why.contains("20 whole documents only: /deviceId was not read of the 100 others"),
        "{why}"
    );
    // A key that is typed is among the properties of the next sample.
    press(&mut app, "t / d e v i c e I d enter");
    press(&mut app, "4");
    let text = shown(&app);
    assert!(text.contains("/deviceId") && text.contains("read again"), "{text}");
    check("sampling-more", &mut app);
    let (_, more) = sample_effect(&press(&mut app, "enter"));
    assert!(names(scan_of(&more)).contains(&"/deviceId".to_owned()));
}
