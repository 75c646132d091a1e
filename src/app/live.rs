//! An account that is looked at: when it is asked again, and what is done when it does not answer.

use std::fmt::Write as _;

use super::action::Action;
use super::data::{Dataset, Origin, Watched};
use super::masking::Mask;
use super::msg::{Effect, Fault, Progress, Turn};
use super::scanning::Allowance;
use super::{App, Loading, Status, Wish};
use crate::model::time::Stamp;
use crate::model::units::count_text;
use crate::source::answers::{Kind, Obstacle, Trouble};
use crate::source::ledger::Event;
use crate::source::live::plan::Urgency;
use crate::source::live::target::Target;
use crate::view::papers;

/// After failures the pause doubles up to this many times the usual one.
const MOST_PAUSES: u64 = 8;

/// What is remembered of the account that was opened last.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    /// The account that was asked last, whether or not it answered.
    target: Option<Box<Target>>,
    /// The pause between rounds; none where it is only asked by hand.
    pub every_ms: Option<u64>,
    /// What reading documents may cost.
    pub allowance: Allowance,
    /// The timer that runs; older ones mean nothing.
    timer: Option<Turn>,
    /// Rounds in a row that failed as a whole, and why the last one did.
    pub lost: Option<(u32, Fault)>,
    /// What was known when the round began that goes on.
    before: Option<Known>,
}

/// What a round may add to.
#[derive(Clone, PartialEq, Debug)]
struct Known {
    event: Option<Event>,
    /// What stood in the way, and when that was seen.
    failing: Vec<(Kind, Stamp, Obstacle)>,
}

impl Known {
    fn of(watched: &Watched) -> Self {
        let failing = watched.in_the_way();
        Self {
            event: watched.events.last().cloned(),
            failing: failing.map(|(k, at, t)| (k, at, t.obstacle)).collect(),
        }
    }
}

impl State {
    pub fn every(every_ms: Option<u64>) -> Self {
        Self {
            every_ms,
            ..Self::default()
        }
    }

    #[must_use]
    pub fn allowing(self, allowance: Allowance) -> Self {
        Self { allowance, ..self }
    }
}

/// Begins a round of questions; what is shown stays.
pub fn visit(app: &mut App, target: &Target, urgency: Urgency) -> Vec<Effect> {
    app.live.target = Some(Box::new(target.clone()));
    // The end of this round sets the next timer.
    app.live.timer = None;
    let origin = Origin::Live(Box::new(target.clone()));
    let held = app.data.as_ref().filter(|held| held.origin == origin);
    let watched = held.and_then(|held| held.watched.as_ref());
    app.live.before = watched.map(Known::of);
    let turn = app.turn.advance();
    app.loading = Some(Loading {
        turn,
        origin,
        progress: Progress::default(),
        wish: Wish::default(),
        then: None,
        urgency,
    });
    if urgency == Urgency::ByHand {
        app.status = Status::Quiet;
    }
    vec![Effect::Visit(turn, Box::new(target.clone()), urgency)]
}

/// A round is over.
pub fn on_round(app: &mut App, failed: Option<Fault>) {
    app.live.lost = match (failed, app.live.lost.take()) {
        (None, _) => None,
        (Some(fault), None) => Some((1, fault)),
        (Some(fault), Some((times, _))) => Some((times.saturating_add(1), fault)),
    };
}

/// The account that is shown, or that did not answer yet while nothing else is shown.
fn watched(app: &App) -> Option<&Target> {
    match app.data.as_deref().map(|data| &data.origin) {
        Some(Origin::Live(target)) => Some(target),
        Some(Origin::Paths(_) | Origin::Scenario(_) | Origin::Recording(_)) => None,
        None => app.live.lost.as_ref().and(app.live.target.as_deref()),
    }
}

/// Why the account that was to be opened did not answer, and what happens next. None once anything is shown.
pub fn unanswered_start(app: &App) -> Option<String> {
    let (times, fault) = app.live.lost.as_ref().filter(|_| app.data.is_none())?;
    let fault = masked(&app.mask, fault);
    let next = fault
        .next
        .map_or_else(String::new, |next| format!(" ({next})"));
    let refresh = app.keymap.shown(Action::Refresh).unwrap_or_default();
    let again = if app.live.every_ms.is_some() {
        ", and it is tried again"
    } else {
        ""
    };
    let attempts = match times {
        1 => "1 attempt".to_owned(),
        n => format!("{} attempts", count_text((*n).into())),
    };
    let what = fault.what;
    Some(format!(
        "No answer after {attempts}: {what}{next}. {refresh} tries now{again}."
    ))
}

/// Sets the timer of the next round where none runs and nothing is read. The one place that does: whatever ends, however it
/// ends, polling goes on.
pub fn keep_polling(app: &mut App) -> Option<Effect> {
    let every_ms = app.live.every_ms?;
    if app.loading.is_some() || app.live.timer.is_some() || watched(app).is_none() {
        return None;
    }
    let times = app.live.lost.as_ref().map_or(0, |(times, _)| *times);
    let pauses = 1_u64.checked_shl(times).unwrap_or(MOST_PAUSES);
    let timer = app.turn.advance();
    app.live.timer = Some(timer);
    Some(Effect::Wait(timer, every_ms * pauses.min(MOST_PAUSES)))
}

/// What a round brought is told in the status line: first of all what had no answer, else what happened meanwhile.
pub fn tell_news(app: &mut App, data: &Dataset, urgency: Urgency) {
    let before = app.live.before.take();
    let Some(watched) = &data.watched else { return };
    if let Some(fault) = unanswered(before.as_ref(), watched, urgency) {
        app.status = Status::Failed(masked(&app.mask, &fault));
        return;
    }
    let Some(before) = before else { return };
    let is_news = |event: &&Event| Some(*event) != before.event.as_ref();
    let news = watched.events.iter().rev().take_while(is_news).count();
    let Some(newest) = watched.events.last().filter(|_| news > 0) else {
        return;
    };
    let told = papers::happened(&app.mask, newest);
    app.say(match news {
        1 => told,
        n => format!("{told}; {} more: :connect", count_text(n as u64 - 1)),
    });
}

/// What was asked for in vain. Somebody who asked by hand is told each time, others once.
fn unanswered(before: Option<&Known>, now: &Watched, urgency: Urgency) -> Option<Fault> {
    let known = |kind: Kind| {
        let mut held = before.into_iter().flat_map(|before| &before.failing);
        held.find(|(held, ..)| *held == kind)
    };
    let is_news = |(kind, at, trouble): &(Kind, Stamp, &Trouble)| match (known(*kind), urgency) {
        (None, _) => true,
        (Some((_, told, _)), Urgency::ByHand) => at > told,
        (Some((_, _, held)), Urgency::Due) => *held != trouble.obstacle,
    };
    let mut news = now.in_the_way().filter(is_news);
    let (_, _, first) = news.next()?;
    let more = news.count();
    let mut fault = Fault {
        what: first.what.clone(),
        next: first.next.clone(),
    };
    if more > 0 {
        let next = fault.next.get_or_insert_default();
        let more = count_text(more as u64);
        let _ = write!(next, " ({more} more without an answer: :connect tells)");
    }
    Some(fault)
}

/// A failure without the names that are hidden.
pub fn masked(mask: &Mask, fault: &Fault) -> Fault {
    Fault {
        what: mask.text(&fault.what),
        next: fault.next.as_deref().map(|next| mask.text(next)),
    }
}

/// The pause has passed. Where something else is being read, its end sets the next timer.
pub fn on_due(app: &mut App, turn: Turn) -> Vec<Effect> {
    if app.live.timer != Some(turn) {
        return Vec::new();
    }
    app.live.timer = None;
    match watched(app).cloned() {
        Some(target) if app.loading.is_none() => visit(app, &target, Urgency::Due),
        _ => Vec::new(),
    }
}

/// The account that was asked and never answered is asked once more.
pub fn try_again(app: &mut App) -> Option<Vec<Effect>> {
    let target = app.live.target.clone()?;
    Some(visit(app, &target, Urgency::ByHand))
}

/// Whether an account is asked by hand: what somebody began, Esc ends.
pub fn is_waited_for(app: &App) -> bool {
    let loading = app.loading.as_ref();
    loading.is_some_and(|loading| {
        matches!(loading.origin, Origin::Live(_)) && loading.urgency == Urgency::ByHand
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::analysis::testing::northpier;
    use crate::app::Freeze;
    use crate::app::msg::Msg;
    use crate::app::testing::{app, dataset_from, dataset_watched, press, turn_of};
    use crate::app::update::{open, update};
    use crate::source::answers::{Asked, Seen};
    use crate::source::ledger::{Access, Ledger};
    use crate::view::ViewId;
    use crate::view::testing::screen;

    fn target() -> Target {
        Target {
            endpoint: "https://contoso.documents.azure.com".to_owned(),
            ..Target::default()
        }
    }

    fn origin() -> Origin {
        Origin::Live(Box::new(target()))
    }

    fn fault() -> Fault {
        Fault {
            what: "nothing answers".to_owned(),
            next: None,
        }
    }

    /// The screens over an account that is asked every minute, and the timer that was set.
    fn watching() -> (App, Turn) {
        let mut app = app();
        app.live.every_ms = Some(60_000);
        let turn = turn_of(&open(&mut app, origin()));
        let effects = update(&mut app, Msg::Loaded(turn, dataset_from("food", origin())));
        let timer = timer(&effects, 60_000);
        (app, timer)
    }

    #[track_caller]
    fn timer(effects: &[Effect], pause_ms: u64) -> Turn {
        let waits: Vec<&Effect> = effects
            .iter()
            .filter(|e| matches!(e, Effect::Wait(..)))
            .collect();
        match waits.as_slice() {
            [Effect::Wait(turn, ms)] if *ms == pause_ms => *turn,
            other => panic!("{other:?}, expected one of {pause_ms} ms"),
        }
    }

    #[test]
    fn a_round_is_followed_by_a_pause_and_the_pause_by_a_round() {
        let (mut app, waited) = watching();
        press(&mut app, "2");
        let effects = update(&mut app, Msg::Due(waited));
        assert!(
            matches!(effects.as_slice(), [Effect::Visit(_, _, Urgency::Due)]),
            "{effects:?}"
        );
        assert_eq!(
            update(&mut app, Msg::Due(waited)),
            [],
            "one round at a time"
        );
        let turn = turn_of(&effects);
        let effects = update(&mut app, Msg::Loaded(turn, dataset_from("food", origin())));
        timer(&effects, 60_000);
        assert_eq!(app.view, ViewId::Keys, "everything stays in its place");
    }

    #[test]
    fn failures_keep_what_is_shown_and_make_pauses_longer() {
        let (mut app, mut waited) = watching();
        for pause in [120_000, 240_000, 480_000, 480_000, 480_000] {
            let turn = turn_of(&update(&mut app, Msg::Due(waited)));
            let effects = update(&mut app, Msg::LoadFailed(turn, fault()));
            waited = timer(&effects, pause);
            assert!(app.data.is_some());
        }
        assert_eq!(app.live.lost.as_ref().unwrap().0, 5);
        let turn = turn_of(&update(&mut app, Msg::Due(waited)));
        let effects = update(&mut app, Msg::Loaded(turn, dataset_from("food", origin())));
        timer(&effects, 60_000);
        assert_eq!(app.live.lost, None);
    }

    #[test]
    fn asking_by_hand_takes_the_place_of_the_timer() {
        let (mut app, waited) = watching();
        let effects = press(&mut app, "r");
        assert!(
            matches!(effects.as_slice(), [Effect::Visit(_, _, Urgency::ByHand)]),
            "{effects:?}"
        );
        assert_eq!(update(&mut app, Msg::Due(waited)), []);
        let turn = turn_of(&effects);
        let effects = update(&mut app, Msg::Loaded(turn, dataset_from("food", origin())));
        let next = timer(&effects, 60_000);
        assert_eq!(
            update(&mut app, Msg::Due(waited)),
            [],
            "the older timer means nothing"
        );
        assert!(!update(&mut app, Msg::Due(next)).is_empty());
    }

    #[test]
    fn a_start_that_failed_is_tried_again_and_its_reason_stays() {
        let mut app = app();
        app.live.every_ms = Some(60_000);
        let turn = turn_of(&open(&mut app, origin()));
        let effects = update(&mut app, Msg::LoadFailed(turn, fault()));
        let waited = timer(&effects, 120_000);
        press(&mut app, "down");
        let told =
            "No answer after 1 attempt: nothing answers. r tries now, and it is tried again.";
        assert!(screen(&app).concat().contains(told), "{:#?}", screen(&app));
        let effects = update(&mut app, Msg::Due(waited));
        assert!(
            matches!(effects.as_slice(), [Effect::Visit(_, _, Urgency::Due)]),
            "{effects:?}"
        );
        let effects = update(&mut app, Msg::LoadFailed(turn_of(&effects), fault()));
        timer(&effects, 240_000);
        // What is opened instead ends it.
        let turn = turn_of(&open(&mut app, Origin::Scenario("food")));
        let data = dataset_from("food", Origin::Scenario("food"));
        update(&mut app, Msg::Loaded(turn, data));
        assert_eq!(app.live.lost, None);
        assert_eq!(keep_polling(&mut app), None);
    }

    #[test]
    fn polling_goes_on_after_a_file_that_could_not_be_opened() {
        let (mut app, waited) = watching();
        let turn = turn_of(&open(&mut app, Origin::Paths(vec!["gone.csv".into()])));
        assert_eq!(
            update(&mut app, Msg::Due(waited)),
            [],
            "a file is being read"
        );
        let effects = update(&mut app, Msg::LoadFailed(turn, fault()));
        let next = timer(&effects, 60_000);
        let effects = update(&mut app, Msg::Due(next));
        assert!(
            matches!(effects.as_slice(), [Effect::Visit(..)]),
            "{effects:?}"
        );
    }

    #[test]
    fn what_is_opened_while_frozen_is_shown_and_stays() {
        let (mut app, waited) = watching();
        press(&mut app, "f");
        let round = turn_of(&update(&mut app, Msg::Due(waited)));
        update(&mut app, Msg::Loaded(round, dataset_from("food", origin())));
        assert!(
            matches!(app.freeze, Freeze::Held(Some(_))),
            "{:?}",
            app.freeze
        );
        let turn = turn_of(&open(&mut app, Origin::Scenario("food")));
        let data = dataset_from("food", Origin::Scenario("food"));
        update(&mut app, Msg::Loaded(turn, data));
        assert_eq!(app.data.as_ref().unwrap().origin, Origin::Scenario("food"));
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
        let told = |ledger: &mut Ledger, container, body: &str, second: i64| {
            let asked = Asked::container(Kind::Ranges, "shop", container);
            let at = Stamp::from_seconds(1_780_000_000 + second).unwrap();
            ledger.add(Seen::of(&asked, at, Ok((body.as_bytes().into(), None))));
        };
        let before = r#"{"PartitionKeyRanges":[{"id":"0"}]}"#;
        let after =
            r#"{"PartitionKeyRanges":[{"id":"1","parents":["0"]},{"id":"2","parents":["0"]}]}"#;
        for container in ["carts", "orders"] {
            told(&mut ledger, container, before, 0);
        }
        let mut app = app();
        app.live.every_ms = Some(60_000);
        let mut turn = turn_of(&open(&mut app, origin()));
        let said = |app: &mut App, turn: &mut Turn, ledger: &Ledger| {
            app.status = Status::Quiet;
            let data = dataset_watched(northpier(), origin(), ledger);
            update(app, Msg::Loaded(*turn, data));
            let said = match &app.status {
                Status::Done(said) => said.clone(),
                _ => String::new(),
            };
            *turn = turn_of(&press(app, "r"));
            said
        };
        assert_eq!(said(&mut app, &mut turn, &ledger), "", "nothing was before");
        told(&mut ledger, "carts", after, 60);
        let one = said(&mut app, &mut turn, &ledger);
        assert!(
            one.ends_with("physical partition 0 of carts split into 1 and 2"),
            "{one}"
        );
        assert_eq!(said(&mut app, &mut turn, &ledger), "", "told once");
        told(&mut ledger, "orders", after, 120);
        told(&mut ledger, "carts", before, 120);
        let several = said(&mut app, &mut turn, &ledger);
        assert!(several.ends_with("; 1 more: :connect"), "{several}");
    }

    #[test]
    fn another_opening_ends_the_timer() {
        let (mut app, waited) = watching();
        let turn = turn_of(&open(&mut app, Origin::Scenario("food")));
        let data = dataset_from("food", Origin::Scenario("food"));
        update(&mut app, Msg::Loaded(turn, data));
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
        Watched {
            access: access.collect(),
            ..Watched::default()
        }
    }

    #[test]
    fn what_had_no_answer_is_told_each_time_to_who_asked_and_else_once() {
        let told = |before: &Watched, now: &Watched, urgency| {
            unanswered(Some(&Known::of(before)), now, urgency).map(|fault| fault.what)
        };
        let well = without(&[]);
        let ranges = without(&[(Kind::Ranges, 1, Obstacle::Forbidden)]);
        let again = without(&[(Kind::Ranges, 2, Obstacle::Forbidden)]);
        let otherwise = without(&[(Kind::Ranges, 2, Obstacle::TimedOut)]);
        let no_ranges = Some("no Ranges".to_owned());
        for urgency in [Urgency::ByHand, Urgency::Due] {
            assert_eq!(told(&well, &ranges, urgency), no_ranges);
            assert_eq!(told(&ranges, &ranges, urgency), None, "not asked again");
            assert_eq!(told(&ranges, &otherwise, urgency), no_ranges);
            assert_eq!(told(&ranges, &well, urgency), None);
        }
        assert_eq!(told(&ranges, &again, Urgency::ByHand), no_ranges);
        assert_eq!(told(&ranges, &again, Urgency::Due), None);
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
        assert_eq!(next, "wait (1 more without an answer: :connect tells)");
        let set_up = without(&[
            (Kind::Offer, 1, Obstacle::Unsupported),
            (Kind::ManagedAccount, 1, Obstacle::NotFound),
        ]);
        assert_eq!(unanswered(None, &set_up, Urgency::ByHand), None);
    }
}
