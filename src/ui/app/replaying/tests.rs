//! Messages in, state and effects out, of a recording that is replayed.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::path::PathBuf;

use super::*;
use crate::model::time::Stamp;
use crate::source::answers::{Inquiry, Kind, Obstacle};
use crate::source::recording::Moment;
use crate::ui::app::testing::{app, dataset_from, dataset_replayed, generation_of, press, type_in};
use crate::ui::app::update::{open, update};
use crate::ui::kit::action::{ACTIONS, Context};
use crate::ui::kit::input::{InputEvent, MouseAct, Pointer, Size};
use crate::ui::kit::msg::Msg;
use crate::ui::kit::msg::ViewId;
use crate::ui::view::testing::screen;
use crate::work::replay::{ReplayPosition, Timeline};

fn path() -> PathBuf {
    PathBuf::from("monday.rec")
}

fn at(minute: i64) -> Stamp {
    Stamp::from_seconds(1_782_000_000 + 60 * minute).unwrap()
}

fn mark(place: usize, what: Marked) -> StoryMark {
    StoryMark {
        place,
        at: at(i64::try_from(place).unwrap()),
        inquiry: Inquiry::container(Kind::Ranges, "shop", "orders"),
        what,
    }
}

/// Six rounds, a minute apart, of which the third changed nothing; a split in the second, no answer in the fifth.
fn timeline() -> Shared<Timeline> {
    let moments = (0..6).map(|n| Moment {
        at: at(n),
        lines: usize::try_from(n).unwrap() + 1,
        changed: n != 2,
    });
    let split =
        EventKind::Split { from: "2".to_owned(), into: vec!["3".to_owned(), "4".to_owned()] };
    Shared::new(Timeline {
        moments: moments.collect(),
        marks: vec![
            mark(1, Marked::Happened(split)),
            mark(4, Marked::Happened(EventKind::Failed(Obstacle::Throttled))),
            mark(4, Marked::KeyOver(0.9)),
        ],
    })
}

fn moment(timeline: &Shared<Timeline>, place: usize) -> Shared<Dataset> {
    let replayed = ReplayPosition { timeline: timeline.clone(), place };
    dataset_replayed("food", Origin::Recording(path()), replayed)
}

/// The screens with the recording open at its end.
fn replaying() -> (App, Shared<Timeline>) {
    let mut app = app();
    let timeline = timeline();
    let generation = generation_of(&open(&mut app, Origin::Recording(path())));
    let effects = update(&mut app, Msg::Loaded(generation, moment(&timeline, 5)));
    assert!(effects.contains(&Effect::Remember(vec![path()])));
    (app, timeline)
}

fn rewound(effects: &[Effect]) -> (Generation, usize) {
    let inquiry = effects.iter().find_map(|effect| match effect {
        Effect::Rewind(generation, of, place) if *of == path() => Some((*generation, *place)),
        _ => None,
    });
    inquiry.unwrap_or_else(|| panic!("no moment is asked for: {effects:?}"))
}

fn waits(effects: &[Effect]) -> (Generation, u64) {
    let inquiry = effects.iter().find_map(|effect| match effect {
        Effect::Wait(generation, pause_ms) => Some((*generation, *pause_ms)),
        _ => None,
    });
    inquiry.unwrap_or_else(|| panic!("nothing is waited for: {effects:?}"))
}

fn place(app: &App) -> usize {
    app.cx.playback.as_ref().unwrap().place
}

fn going(app: &App) -> PlayMode {
    app.cx.playback.as_ref().unwrap().going
}

fn status_text(app: &App) -> &str {
    match &app.status {
        Status::Done(text) => text,
        Status::Failed(fault) => &fault.what,
        Status::Quiet => "",
    }
}

#[test]
fn a_recording_opens_at_its_end_and_nothing_goes_on_by_itself() {
    let (app, _) = replaying();
    assert_eq!((place(&app), going(&app)), (5, PlayMode::Paused));
    assert_eq!(app.cx.view, ViewId::Overview);
    // The present is the moment that is shown.
    assert_eq!(app.cx.now, Some(at(5)));
    let mut app = app;
    assert_eq!(update(&mut app, Msg::Clock(at(999_999))), []);
    assert_eq!(app.cx.now, Some(at(5)));
}

#[test]
fn steps_go_to_moments_at_which_anything_changed() {
    let (mut app, timeline) = replaying();
    for (chord, expected) in [("[", 4), ("[", 3), ("[", 1), ("[", 0), ("]", 1), ("]", 3)] {
        let (generation, inquiry) = rewound(&press(&mut app, chord));
        assert_eq!((inquiry, place(&app)), (expected, expected), "{chord}");
        // What is shown stays until the answer is there.
        let effects = update(&mut app, Msg::Rewound(generation, Ok(moment(&timeline, inquiry))));
        assert!(!effects.iter().any(|e| matches!(e, Effect::Wait(..))));
        assert_eq!(app.cx.now, Some(at(i64::try_from(inquiry).unwrap())));
    }
    press(&mut app, "[ [");
    assert_eq!(place(&app), 0);
    assert_eq!(press(&mut app, "["), []);
    assert_eq!(status_text(&app), "the recording begins here");
    assert_eq!(rewound(&press(&mut app, "L")).1, 5);
    assert_eq!(press(&mut app, "]"), []);
    assert_eq!(press(&mut app, "L"), []);
    assert_eq!(status_text(&app), "the recording ends here");
}

#[test]
fn everything_stays_in_its_place() {
    let (mut app, timeline) = replaying();
    press(&mut app, "2 j j j");
    let (view, cursor, trail) = (app.cx.view, app.views.keys.cursor, app.cx.trail.clone());
    let (generation, inquiry) = rewound(&press(&mut app, "["));
    update(&mut app, Msg::Rewound(generation, Ok(moment(&timeline, inquiry))));
    assert_eq!((app.cx.view, app.views.keys.cursor, app.cx.trail), (view, cursor, trail));
}

#[test]
fn answers_to_older_questions_are_dropped() {
    let (mut app, timeline) = replaying();
    let (old, inquiry) = rewound(&press(&mut app, "["));
    let (new, _) = rewound(&press(&mut app, "["));
    update(&mut app, Msg::Rewound(old, Ok(moment(&timeline, inquiry))));
    assert_eq!(app.cx.now, Some(at(5)));
    update(&mut app, Msg::Rewound(new, Ok(moment(&timeline, 3))));
    assert_eq!(app.cx.now, Some(at(3)));
}

#[test]
fn jumps_tell_what_happened() {
    let (mut app, _) = replaying();
    assert_eq!(rewound(&press(&mut app, "{")).1, 4);
    assert_eq!(
        status_text(&app),
        "orders: no answer: physical partitions; orders: a key passed 90 % of its limit"
    );
    assert_eq!(rewound(&press(&mut app, "{")).1, 1);
    assert_eq!(status_text(&app), "orders: partition 2 split into 3 and 4");
    assert_eq!(press(&mut app, "{"), []);
    assert_eq!(status_text(&app), "nothing happened before this moment");
    assert_eq!(rewound(&press(&mut app, "}")).1, 4);
    assert_eq!(press(&mut app, "}"), []);
    assert_eq!(status_text(&app), "nothing happened after this moment");
}

#[test]
fn names_of_what_happened_are_masked() {
    let (mut app, _) = replaying();
    let salt = crate::work::salt::Salt(b"salt".to_vec());
    update(&mut app, Msg::SaltRead(Ok(salt)));
    press(&mut app, "{ {");
    assert!(status_text(&app).starts_with("container-"), "{}", status_text(&app));
    assert!(!status_text(&app).contains("orders"));
}

#[test]
fn it_plays_to_the_end_and_wakes_nobody_when_paused() {
    let (mut app, timeline) = replaying();
    let (generation, inquiry) = rewound(&press(&mut app, "P"));
    assert_eq!((inquiry, going(&app)), (0, PlayMode::Playing));
    let mut effects = update(&mut app, Msg::Rewound(generation, Ok(moment(&timeline, 0))));
    for next in 1..6 {
        let (timer, pause_ms) = waits(&effects);
        // A minute at sixty times.
        assert_eq!(pause_ms, 1_000);
        let (generation, inquiry) = rewound(&update(&mut app, Msg::Due(timer)));
        assert_eq!(inquiry, next);
        effects = update(&mut app, Msg::Rewound(generation, Ok(moment(&timeline, inquiry))));
    }
    assert!(!effects.iter().any(|e| matches!(e, Effect::Wait(..))));
    assert_eq!((going(&app), status_text(&app)), (PlayMode::Paused, "the recording ends here"));

    press(&mut app, "[ [");
    let (timer, _) = waits(&press(&mut app, "P"));
    assert_eq!(press(&mut app, "P"), []);
    // The timer that was set before means nothing any more.
    assert_eq!(update(&mut app, Msg::Due(timer)), []);
    assert_eq!(going(&app), PlayMode::Paused);
}

#[test]
fn the_speed_is_typed() {
    let (mut app, _) = replaying();
    press(&mut app, "[ [ P :");
    type_in(&mut app, "speed 10");
    let (_, pause_ms) = waits(&press(&mut app, "enter"));
    // Six seconds would be long: nobody would see that it goes on.
    assert_eq!(pause_ms, 3_000);
    assert_eq!(status_text(&app), "replayed 10 times as fast as recorded");
    for wrong in ["0", "fast", "100001", "-1"] {
        press(&mut app, ":");
        type_in(&mut app, &format!("speed {wrong}"));
        press(&mut app, "enter");
        assert!(matches!(app.status, Status::Failed(_)), "{wrong}");
    }
    press(&mut app, ":");
    type_in(&mut app, "speed 100000");
    assert_eq!(waits(&press(&mut app, "enter")).1, 100);
}

#[test]
fn a_failure_leaves_what_is_shown_and_pauses() {
    let (mut app, _) = replaying();
    let (generation, _) = rewound(&press(&mut app, "P"));
    let fault = WorkFault::new("the file is gone", None);
    assert_eq!(update(&mut app, Msg::Rewound(generation, Err(fault))), []);
    assert_eq!((place(&app), going(&app)), (5, PlayMode::Paused));
    assert_eq!(status_text(&app), "the file is gone");
}

#[test]
fn other_data_ends_it_and_then_its_keys_do_nothing() {
    let (mut app, _) = replaying();
    press(&mut app, "[ P");
    let generation = generation_of(&open(&mut app, Origin::Scenario("food")));
    let data = dataset_from("food", Origin::Scenario("food"));
    update(&mut app, Msg::Loaded(generation, data));
    assert_eq!(app.cx.playback, None);
    press(&mut app, "[");
    assert!(status_text(&app).contains("does nothing here"), "{}", status_text(&app));
    press(&mut app, ":");
    type_in(&mut app, "next-moment");
    assert_eq!(press(&mut app, "enter"), []);
    assert_eq!(status_text(&app), "no recording is open");
}

#[test]
fn in_a_recording_p_plays_also_where_keys_are_tried() {
    let (mut app, _) = replaying();
    app.go(ViewId::Trial);
    press(&mut app, "P");
    assert_eq!(going(&app), PlayMode::Playing);
}

#[test]
fn a_click_on_the_line_goes_to_that_time() {
    let (mut app, _) = replaying();
    let row = 21;
    let line = screen(&app)[row].clone();
    let column = |sign: char| u16::try_from(line.chars().position(|c| c == sign).unwrap()).unwrap();
    let click = |app: &mut App, column: u16| {
        let pointer = Pointer { column, row: u16::try_from(row).unwrap(), did: MouseAct::Click };
        update(app, Msg::Did(InputEvent::Pointer(pointer)))
    };
    assert_eq!(rewound(&click(&mut app, column('◆'))).1, 1);
    assert_eq!(rewound(&click(&mut app, column('✗'))).1, 4);
    assert_eq!(click(&mut app, 0), []);
}

#[test]
fn the_row_tells_time_place_and_keys_in_any_window() {
    let (mut app, _) = replaying();
    let line = |app: &App, row: usize| screen(app)[row].trim_end().to_owned();
    assert_eq!(
        line(&app, 21),
        "paused  2026-06-21 00:05:00 UTC  ━━━━━◆━━━━━━━━━━━━━━━━✗━━━━━●  6 of 6  [ ] step"
    );
    update(&mut app, Msg::Did(InputEvent::Resized(Size::clamped(200, 60))));
    let wide = line(&app, 57);
    for part in ["[ ] step", "{ } event", "P play", "L end"] {
        assert!(wide.contains(part), "{wide}");
    }
    update(&mut app, Msg::Did(InputEvent::Resized(Size::clamped(40, 12))));
    assert!(line(&app, 9).contains("2026-06-21 00:05:00"), "{}", line(&app, 9));
    press(&mut app, "H");
    assert!(!screen(&app).join("").contains("00:05:00 UTC"));
}

#[test]
fn no_key_of_a_recording_hides_another_but_that_of_paths() {
    let map = &app().cx.keymap;
    for about in ACTIONS.iter().filter(|a| a.context == Context::Replay) {
        for chord in map.chords(about.action) {
            let outer = [Context::Keys, Context::Heat, Context::List, Context::Global];
            assert_eq!(map.action(&outer, *chord), None, "{chord}");
            let trial = map.action(&[Context::Trial], *chord);
            assert!(trial.is_none_or(|a| a == Action::Browse), "{chord}");
        }
    }
}
