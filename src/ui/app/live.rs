//! An account that is looked at: when it is asked again, and what is done when it does not answer.

use std::fmt::Write as _;

use super::header::container_of;
use super::{App, Status};
use crate::model::capture::Container;
use crate::model::time::Stamp;
use crate::model::units::count_text;
use crate::source::answers::{Kind, Obstacle, Trouble};
use crate::source::ledger::Event;
use crate::source::live::plan::Urgency;
use crate::source::live::target::Target;
use crate::ui::kit::cx::{Loading, ReadingGoal};
use crate::ui::kit::masking::Mask;
use crate::ui::kit::msg::{Effect, Generation};
use crate::ui::view::text_pages;
use crate::work::data::{Dataset, Origin, Watched};
use crate::work::fault::{WorkFault, WorkProgress};

/// Where something does not answer it is asked again after this part of the usual pause: whoever waits for the server to be
/// back does not wait long, and one question more costs little.
const TROUBLED_PART: u64 = 4;
/// After other failures the pause doubles up to this many times the usual one.
const MOST_PAUSES: u64 = 8;

/// What is remembered of the account that was opened last.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LiveAccount {
    /// The account that was asked last, whether or not it answered.
    target: Option<Box<Target>>,
    /// The timer that runs; older ones mean nothing.
    timer: Option<Generation>,
    /// The container to read first, by database and name.
    read_first: Option<(String, String)>,
    /// What was known when the round began that goes on.
    before: Option<RoundStart>,
}

/// What a round may add to.
#[derive(Clone, PartialEq, Debug)]
struct RoundStart {
    event: Option<Event>,
    /// What stood in the way, and when that was seen.
    failing: Vec<(Kind, Stamp, Obstacle)>,
}

impl RoundStart {
    fn of(watched: &Watched) -> Self {
        let failing = watched.in_the_way();
        Self {
            event: watched.events.last().cloned(),
            failing: failing.map(|(k, at, t)| (k, at, t.obstacle)).collect(),
        }
    }
}

/// Begins a round of questions; what is shown stays.
pub fn visit(app: &mut App, target: &Target, urgency: Urgency) -> Vec<Effect> {
    if app.live.target.as_deref() != Some(target) {
        app.cx.polling.charged = None;
    }
    app.live.target = Some(Box::new(target.clone()));
    // The end of this round sets the next timer.
    app.live.timer = None;
    let origin = Origin::Live(Box::new(target.clone()));
    let held = app.cx.data.as_ref().filter(|held| held.origin == origin);
    let watched = held.and_then(|held| held.watched.as_ref());
    app.live.before = watched.map(RoundStart::of);
    let generation = app.cx.turns.next();
    app.cx.loading = Some(Loading {
        generation,
        origin,
        progress: WorkProgress::default(),
        goal: ReadingGoal::default(),
        urgency,
    });
    if urgency == Urgency::ByHand {
        app.status = Status::Quiet;
    }
    vec![Effect::Visit(generation, Box::new(target.clone()), urgency)]
}

/// Reads the container on the screen before all others, and at once if it was never read.
pub fn read_first(app: &mut App) -> Vec<Effect> {
    if watched(app).is_none() {
        return Vec::new();
    }
    let number = container_of(app);
    let data = app.cx.data.as_ref();
    let shown = number.zip(data).and_then(|(number, data)| data.capture.container(number));
    let name = shown.and_then(|of| {
        Some((of.name.database.as_ref()?.to_string(), of.name.container.as_ref()?.to_string()))
    });
    if app.live.read_first == name {
        return Vec::new();
    }
    let is_unread = shown.is_some_and(Container::is_only_listed);
    app.live.read_first.clone_from(&name);
    let mut effects = vec![Effect::ReadFirst(name)];
    let is_due = is_unread && app.cx.loading.is_none() && app.cx.polling.lost.is_none();
    let target = watched(app).filter(|_| is_due).cloned();
    effects.extend(target.into_iter().flat_map(|target| visit(app, &target, Urgency::Due)));
    effects
}

/// A round is over.
pub fn on_round(app: &mut App, failed: Option<WorkFault>) {
    app.cx.polling.lost = match (failed, app.cx.polling.lost.take()) {
        (None, _) => None,
        (Some(fault), None) => Some((1, fault)),
        (Some(fault), Some((times, _))) => Some((times.saturating_add(1), fault)),
    };
}

/// An account did not answer. What is not shown, though something else is, is not asked again.
pub fn on_failed(app: &mut App, origin: &Origin, fault: WorkFault) {
    let shown = app.cx.data.as_ref().map(|data| &data.origin);
    if matches!(origin, Origin::Live(_)) && shown.is_none_or(|shown| shown == origin) {
        on_round(app, Some(fault));
    }
}

/// The account that is shown, or that did not answer yet while nothing else is shown.
fn watched(app: &App) -> Option<&Target> {
    match app.cx.data.as_deref().map(|data| &data.origin) {
        Some(Origin::Live(target)) => Some(target),
        Some(Origin::Paths(_) | Origin::Scenario(_) | Origin::Recording(_)) => None,
        None => app.cx.polling.lost.as_ref().and(app.live.target.as_deref()),
    }
}

/// Sets the timer of the next round where none runs and nothing is read. The one place that does: whatever ends, however it
/// ends, polling goes on.
pub fn keep_polling(app: &mut App) -> Option<Effect> {
    let every_ms = app.cx.polling.every_ms?;
    if app.cx.loading.is_some() || app.live.timer.is_some() || watched(app).is_none() {
        return None;
    }
    let watched = app.cx.data.as_ref().and_then(|data| data.watched.as_ref());
    let mut failing = watched.into_iter().flat_map(Watched::in_the_way);
    let is_passing = failing.any(|(.., trouble)| trouble.obstacle.is_passing());
    let pause_ms = match &app.cx.polling.lost {
        Some((_, fault)) if fault.is_passing => every_ms / TROUBLED_PART,
        // A sign-in that failed, or a refusal: each try may ask somebody.
        Some((times, _)) => {
            let pauses = 1_u64.checked_shl(*times).unwrap_or(MOST_PAUSES);
            every_ms * pauses.min(MOST_PAUSES)
        }
        None if is_passing => every_ms / TROUBLED_PART,
        None => every_ms,
    };
    let timer = app.cx.turns.next();
    app.live.timer = Some(timer);
    Some(Effect::Wait(timer, pause_ms))
}

/// What a round brought is told in the status line: first of all what had no answer, else what happened meanwhile.
pub fn tell_news(app: &mut App, data: &Dataset, urgency: Urgency) {
    let before = app.live.before.take();
    let Some(watched) = &data.watched else { return };
    if let Some(fault) = unanswered(before.as_ref(), watched, urgency) {
        app.status = Status::Failed(masked(&app.cx.mask, &fault));
        return;
    }
    let Some(before) = before else { return };
    let is_news = |event: &&Event| Some(*event) != before.event.as_ref();
    let news = watched.events.iter().rev().take_while(is_news).count();
    let Some(newest) = watched.events.last().filter(|_| news > 0) else {
        return;
    };
    let what = text_pages::happened(&app.cx.mask, newest);
    app.say(match news {
        1 => what,
        n => format!("{what}; {} more: :connect", count_text(n as u64 - 1)),
    });
}

/// What was asked for in vain. Somebody who asked by hand is told each time, others once.
fn unanswered(before: Option<&RoundStart>, now: &Watched, urgency: Urgency) -> Option<WorkFault> {
    let known = |kind: Kind| {
        let mut held = before.into_iter().flat_map(|before| &before.failing);
        held.find(|(held, ..)| *held == kind)
    };
    let is_news = |(kind, at, trouble): &(Kind, Stamp, &Trouble)| match (known(*kind), urgency) {
        (None, _) => true,
        (Some((_, reported, _)), Urgency::ByHand) => at > reported,
        (Some((_, _, held)), Urgency::Due) => *held != trouble.obstacle,
    };
    let news: Vec<_> = now.in_the_way().filter(is_news).collect();
    // What was refused is why others were not even sent.
    let refused = news.iter().find(|(_, _, trouble)| !trouble.is_held());
    let (_, _, first) = refused.or(news.first())?;
    let more = news.len() - 1;
    let mut fault = WorkFault::from(*first);
    if more > 0 {
        let next = fault.next.get_or_insert_default();
        let more = count_text(more as u64);
        let _ = write!(next, " ({more} more without an answer: :connect shows them)");
    }
    Some(fault)
}

/// A failure without the names that are hidden.
pub fn masked(mask: &Mask, fault: &WorkFault) -> WorkFault {
    let next = fault.next.as_deref().map(|next| mask.text(next));
    WorkFault::new(mask.text(&fault.what), next.as_deref())
}

/// The pause has passed. Where something else is being read, its end sets the next timer.
pub fn on_due(app: &mut App, generation: Generation) -> Vec<Effect> {
    if app.live.timer != Some(generation) {
        return Vec::new();
    }
    app.live.timer = None;
    match watched(app).cloned() {
        Some(target) if app.cx.loading.is_none() => visit(app, &target, Urgency::Due),
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
    let loading = app.cx.loading.as_ref();
    loading.is_some_and(|loading| {
        matches!(loading.origin, Origin::Live(_)) && loading.urgency == Urgency::ByHand
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]
mod tests;
