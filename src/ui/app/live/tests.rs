//! When an account is asked again.

use super::*;
use crate::analysis::testing::northpier;
use crate::source::answers::{HELD, Inquiry, Observation};
use crate::source::import::ImportOptions;
use crate::source::ledger::{Access, Ledger};
use crate::source::watch::Watch;
use crate::ui::app::Freeze;
use crate::ui::app::testing::{app, dataset_from, dataset_watched, generation_of, press};
use crate::ui::app::update::{open, update};
use crate::ui::kit::input::Size;
use crate::ui::kit::msg::Msg;
use crate::ui::kit::msg::ViewId;
use crate::ui::view::testing::screen;

fn target() -> Target {
    Target { endpoint: "https://contoso.documents.azure.com".to_owned(), ..Target::default() }
}

fn origin() -> Origin {
    Origin::Live(Box::new(target()))
}

fn fault() -> WorkFault {
    WorkFault { is_passing: true, what: "nothing answers".to_owned(), next: None }
}

/// The screens over an account that is asked every minute, and the timer that was set.
fn watching() -> (App, Generation) {
    let mut app = app();
    app.cx.polling.every_ms = Some(60_000);
    let generation = generation_of(&open(&mut app, origin()));
    let effects = update(&mut app, Msg::Loaded(generation, dataset_from("food", origin())));
    let timer = timer(&effects, 60_000);
    (app, timer)
}

#[track_caller]
fn timer(effects: &[Effect], pause_ms: u64) -> Generation {
    let waits: Vec<&Effect> = effects.iter().filter(|e| matches!(e, Effect::Wait(..))).collect();
    match waits.as_slice() {
        [Effect::Wait(generation, ms)] if *ms == pause_ms => *generation,
        other => panic!("{other:?}, expected one of {pause_ms} ms"),
    }
}

#[test]
fn a_round_is_followed_by_a_pause_and_the_pause_by_a_round() {
    let (mut app, waited) = watching();
    press(&mut app, "2");
    let effects = update(&mut app, Msg::Due(waited));
    assert!(matches!(effects.as_slice(), [Effect::Visit(_, _, Urgency::Due)]), "{effects:?}");
    assert_eq!(update(&mut app, Msg::Due(waited)), [], "one round at a time");
    let generation = generation_of(&effects);
    let effects = update(&mut app, Msg::Loaded(generation, dataset_from("food", origin())));
    timer(&effects, 60_000);
    assert_eq!(app.cx.view, ViewId::Keys, "everything stays in its place");
}

#[test]
fn failures_keep_what_is_shown_and_are_tried_again_soon() {
    let (mut app, mut waited) = watching();
    for _ in 0..5 {
        let generation = generation_of(&update(&mut app, Msg::Due(waited)));
        let effects = update(&mut app, Msg::LoadFailed(generation, fault()));
        waited = timer(&effects, 15_000);
        assert!(app.cx.data.is_some());
    }
    assert_eq!(app.cx.polling.lost.as_ref().unwrap().0, 5);
    // A refusal is no outage: each try may start a program that asks somebody.
    let generation = generation_of(&update(&mut app, Msg::Due(waited)));
    let refused = WorkFault { is_passing: false, ..fault() };
    let effects = update(&mut app, Msg::LoadFailed(generation, refused));
    waited = timer(&effects, 480_000);
    let generation = generation_of(&update(&mut app, Msg::Due(waited)));
    let effects = update(&mut app, Msg::Loaded(generation, dataset_from("food", origin())));
    timer(&effects, 60_000);
    assert_eq!(app.cx.polling.lost, None);
}

#[test]
fn asking_by_hand_takes_the_place_of_the_timer() {
    let (mut app, waited) = watching();
    let effects = press(&mut app, "r");
    assert!(matches!(effects.as_slice(), [Effect::Visit(_, _, Urgency::ByHand)]), "{effects:?}");
    assert_eq!(update(&mut app, Msg::Due(waited)), []);
    let generation = generation_of(&effects);
    let effects = update(&mut app, Msg::Loaded(generation, dataset_from("food", origin())));
    let next = timer(&effects, 60_000);
    assert_eq!(update(&mut app, Msg::Due(waited)), [], "the older timer means nothing");
    assert!(!update(&mut app, Msg::Due(next)).is_empty());
}

#[test]
fn a_start_that_failed_is_tried_again_and_its_reason_stays() {
    let mut app = app();
    app.cx.polling.every_ms = Some(60_000);
    let generation = generation_of(&open(&mut app, origin()));
    let effects = update(&mut app, Msg::LoadFailed(generation, fault()));
    let waited = timer(&effects, 15_000);
    press(&mut app, "down");
    // A key takes the sentence of the moment away; this one stays.
    app.status = Status::Quiet;
    assert!(screen(&app).concat().contains("nothing answers"));
    let effects = update(&mut app, Msg::Due(waited));
    assert!(matches!(effects.as_slice(), [Effect::Visit(_, _, Urgency::Due)]), "{effects:?}");
    let effects = update(&mut app, Msg::LoadFailed(generation_of(&effects), fault()));
    timer(&effects, 15_000);
    // What is opened instead ends it.
    let generation = generation_of(&open(&mut app, Origin::Scenario("food")));
    let data = dataset_from("food", Origin::Scenario("food"));
    update(&mut app, Msg::Loaded(generation, data));
    assert_eq!(app.cx.polling.lost, None);
    assert_eq!(keep_polling(&mut app), None);
}

#[test]
fn polling_goes_on_after_a_file_that_could_not_be_opened() {
    let (mut app, waited) = watching();
    let generation = generation_of(&open(&mut app, Origin::Paths(vec!["gone.csv".into()])));
    assert_eq!(update(&mut app, Msg::Due(waited)), [], "a file is being read");
    let effects = update(&mut app, Msg::LoadFailed(generation, fault()));
    let next = timer(&effects, 60_000);
    let effects = update(&mut app, Msg::Due(next));
    assert!(matches!(effects.as_slice(), [Effect::Visit(..)]), "{effects:?}");
}

#[test]
fn what_is_opened_while_frozen_is_shown_and_stays() {
    let (mut app, waited) = watching();
    press(&mut app, "f");
    let round = generation_of(&update(&mut app, Msg::Due(waited)));
    update(&mut app, Msg::Loaded(round, dataset_from("food", origin())));
    assert!(matches!(app.freeze, Freeze::Held(Some(_))), "{:?}", app.freeze);
    let generation = generation_of(&open(&mut app, Origin::Scenario("food")));
    let data = dataset_from("food", Origin::Scenario("food"));
    update(&mut app, Msg::Loaded(generation, data));
    assert_eq!(app.cx.data.as_ref().unwrap().origin, Origin::Scenario("food"));
    assert_eq!(app.freeze, Freeze::Flowing);
    assert_eq!(keep_polling(&mut app), None, "the account is shown no more");
}

#[test]
fn esc_ends_what_somebody_waits_for() {
    let mut app = app();
    open(&mut app, origin());
    assert_eq!(press(&mut app, "esc"), [Effect::StopLoading]);
}

#[test]
fn of_several_news_the_newest_is_told_and_how_many_more_there_are() {
    let mut ledger = Ledger::new("contoso");
    let reported = |ledger: &mut Ledger, container, body: &str, second: i64| {
        let inquiry = Inquiry::container(Kind::Ranges, "shop", container);
        let at = Stamp::from_seconds(1_780_000_000 + second).unwrap();
        ledger.add(Observation::of(&inquiry, at, Ok((body.as_bytes().into(), None))));
    };
    let before = r#"{"PartitionKeyRanges":[{"id":"0"}]}"#;
    let after = r#"{"PartitionKeyRanges":[{"id":"1","parents":["0"]},{"id":"2","parents":["0"]}]}"#;
    for container in ["carts", "orders"] {
        reported(&mut ledger, container, before, 0);
    }
    let mut app = app();
    app.cx.polling.every_ms = Some(60_000);
    let mut generation = generation_of(&open(&mut app, origin()));
    let said = |app: &mut App, generation: &mut Generation, ledger: &Ledger| {
        app.status = Status::Quiet;
        let data = dataset_watched(northpier(), origin(), ledger);
        update(app, Msg::Loaded(*generation, data));
        let said = match &app.status {
            Status::Done(said) => said.clone(),
            _ => String::new(),
        };
        *generation = generation_of(&press(app, "r"));
        said
    };
    assert_eq!(said(&mut app, &mut generation, &ledger), "", "nothing was before");
    reported(&mut ledger, "carts", after, 60);
    let one = said(&mut app, &mut generation, &ledger);
    assert!(one.ends_with("physical partition 0 of carts split into 1 and 2"), "{one}");
    assert_eq!(said(&mut app, &mut generation, &ledger), "", "told once");
    reported(&mut ledger, "orders", after, 120);
    reported(&mut ledger, "carts", before, 120);
    let several = said(&mut app, &mut generation, &ledger);
    assert!(several.ends_with("; 1 more: :connect"), "{several}");
}

#[test]
fn another_opening_ends_the_timer() {
    let (mut app, waited) = watching();
    let generation = generation_of(&open(&mut app, Origin::Scenario("food")));
    let data = dataset_from("food", Origin::Scenario("food"));
    update(&mut app, Msg::Loaded(generation, data));
    assert_eq!(update(&mut app, Msg::Due(waited)), []);
}

/// What an account tells that had no answer to these questions last.
fn without(failing: &[(Kind, i64, Obstacle)]) -> Watched {
    let access = failing.iter().map(|(kind, seconds, obstacle)| {
        let at = Stamp::from_seconds(*seconds).unwrap();
        let trouble = Trouble::new(*obstacle, format!("no {kind:?}"), "wait");
        Access {
            kind: *kind,
            answered: 0,
            newest: None,
            failing: 1,
            trouble: Some((at, trouble)),
            ru: 0.0,
        }
    });
    Watched { access: access.collect(), ..Watched::default() }
}

#[test]
fn what_had_no_answer_is_told_each_time_to_who_asked_and_else_once() {
    let reported = |before: &Watched, now: &Watched, urgency| {
        unanswered(Some(&RoundStart::of(before)), now, urgency).map(|fault| fault.what)
    };
    let well = without(&[]);
    let ranges = without(&[(Kind::Ranges, 1, Obstacle::Forbidden)]);
    let again = without(&[(Kind::Ranges, 2, Obstacle::Forbidden)]);
    let otherwise = without(&[(Kind::Ranges, 2, Obstacle::TimedOut)]);
    let no_ranges = Some("no Ranges".to_owned());
    for urgency in [Urgency::ByHand, Urgency::Due] {
        assert_eq!(reported(&well, &ranges, urgency), no_ranges);
        assert_eq!(reported(&ranges, &ranges, urgency), None, "not asked again");
        assert_eq!(reported(&ranges, &otherwise, urgency), no_ranges);
        assert_eq!(reported(&ranges, &well, urgency), None);
    }
    assert_eq!(reported(&ranges, &again, Urgency::ByHand), no_ranges);
    assert_eq!(reported(&ranges, &again, Urgency::Due), None);
}

#[test]
fn the_account_comes_first_and_how_it_is_set_up_is_no_failure() {
    let now = without(&[
        (Kind::Databases, 1, Obstacle::Service),
        (Kind::Ranges, 1, Obstacle::Service),
        (Kind::Offer, 1, Obstacle::Forbidden),
        (Kind::Metrics, 1, Obstacle::Forbidden),
        (Kind::Documents, 1, Obstacle::Service),
    ]);
    let fault = unanswered(None, &now, Urgency::Due).unwrap();
    assert_eq!(fault.what, "no Databases");
    let next = fault.next.unwrap();
    assert_eq!(next, "wait (1 more without an answer: :connect shows them)");
    let mut held = without(&[
        (Kind::Databases, 1, Obstacle::Throttled),
        (Kind::Ranges, 1, Obstacle::Throttled),
    ]);
    let (_, trouble) = held.access[0].trouble.as_mut().unwrap();
    trouble.what = format!("{HELD} 60 s");
    let fault = unanswered(None, &held, Urgency::Due).unwrap();
    assert_eq!(fault.what, "no Ranges", "the cause, not what was held back");
    let set_up = without(&[
        (Kind::Offer, 1, Obstacle::Unsupported),
        (Kind::ManagedAccount, 1, Obstacle::NotFound),
    ]);
    assert_eq!(unanswered(None, &set_up, Urgency::ByHand), None);
}

#[test]
fn what_never_answered_is_asked_by_hand_where_nothing_else_is_wanted() {
    let mut app = app();
    let generation = generation_of(&open(&mut app, origin()));
    assert_eq!(update(&mut app, Msg::LoadFailed(generation, fault())), []);
    assert!(app.cx.loading.is_none());
    let effects = press(&mut app, "r");
    assert!(matches!(effects.as_slice(), [Effect::Visit(..)]), "{effects:?}");
}

#[test]
fn the_container_that_is_on_screen_is_read_before_the_others() {
    let mut app = app();
    app.cx.size = Size::clamped(160, 45);
    let generation = generation_of(&open(&mut app, origin()));
    let mut ledger = Ledger::new("contoso");
    let mut tell = |of: Inquiry, body: &str| {
        let came = Ok((body.as_bytes().into(), None));
        ledger.add(Observation::of(&of, Stamp::from_seconds(1_780_000_000).unwrap(), came));
    };
    let list = r#"{"DocumentCollections":[{"id":"carts"},{"id":"orders"}]}"#;
    tell(Inquiry::database(Kind::Containers, "shop"), list);
    let read = r#"{"id":"carts","_rid":"ZwVeAP2LnPw=","partitionKey":{"paths":["/id"]},
        "statistics":[{"id":"0","sizeInKB":9,"documentCount":1,"partitionKeys":[]}]}"#;
    tell(Inquiry::container(Kind::Container, "shop", "carts"), read);
    let shown = |ledger: &Ledger| {
        let capture = ledger.capture(&ImportOptions::default(), &Watch::default()).unwrap();
        dataset_watched(capture, origin(), ledger)
    };
    let effects = update(&mut app, Msg::Loaded(generation, shown(&ledger)));
    let first = |name: &str| Effect::ReadFirst(Some(("shop".to_owned(), name.to_owned())));
    assert_eq!(effects, [first("carts")], "it was read");
    assert!(screen(&app)[0].contains("1 of 2 containers read"), "{}", screen(&app)[0]);
    let effects = press(&mut app, "down");
    assert!(
        matches!(&effects[..], [of, Effect::Visit(..)] if *of == first("orders")),
        "{effects:?}"
    );
    let effects = press(&mut app, "up");
    assert_eq!(effects, [first("carts")], "one round at a time");
    assert_eq!(press(&mut app, "enter").iter().filter(|of| **of == first("carts")).count(), 0);
}
