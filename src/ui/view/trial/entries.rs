//! The keys that are compared: the container's own first, then those that were typed, each with its newest result.

use std::sync::Arc;

use super::editor::Draft;
use super::{TrialState, conditions};
use crate::analysis::candidate::Candidate;
use crate::analysis::demand::remedies::Remedy;
use crate::analysis::suggest::{self, remedy};
use crate::analysis::trial::verdict::Acceptance;
use crate::analysis::trial::{CannotTell, Settings};
use crate::report::trial::{CandidateReport, KeyRole, TrialReport};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::list::place_further;
use crate::ui::kit::msg::{Effect, Generation};
use crate::ui::kit::scroll::Scroll;
use crate::work::shared::Shared;
use crate::work::trial::{TrialOutcome, TrialRefusal, TriedOn, TryAsk, TypingPace};

/// More keys than anyone compares.
pub const MOST_KEYS: usize = 40;

/// One key.
#[derive(Clone, Debug)]
pub struct TriedKey {
    pub candidate: Candidate,
    pub stands: KeyRole,
    pub tried: Option<Shared<TrialOutcome>>,
    /// Why nothing can be told of it.
    pub unreported: Option<CannotTell>,
    pub age: ResultAge,
}

/// Whether a result is of the key and the settings as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultAge {
    Stale,
    Fresh,
}

impl TriedKey {
    pub fn new(candidate: Candidate, stands: KeyRole) -> Self {
        Self { candidate, stands, tried: None, unreported: None, age: ResultAge::Stale }
    }

    /// Another key in its place; the old result stays until the new one is there.
    pub fn becomes(&mut self, candidate: Candidate) {
        if self.candidate != candidate {
            self.candidate = candidate;
            self.age = ResultAge::Stale;
        }
    }
}

/// Whether the container's own key is among those that are tried.
pub fn has_own(state: &TrialState) -> bool {
    let mut entries = state.entries.iter();
    entries.any(|entry| entry.stands == KeyRole::Current)
}

/// Begins with the container's own key and those that are proposed. A key that was typed before they were known stays
/// chosen.
pub fn begin(state: &mut TrialState, current: Option<Candidate>, proposed: &[Candidate]) {
    if let Some(key) = current {
        let typed = position(state, &key).filter(|_| state.draft.is_none());
        state.chosen = match typed {
            Some(_) => 0,
            None if state.entries.is_empty() => state.chosen,
            None => state.chosen + 1,
        };
        typed.map(|typed| state.entries.remove(typed));
        state.entries.insert(0, TriedKey::new(key, KeyRole::Current));
        state.draft.iter_mut().for_each(Draft::follow);
    }
    for candidate in proposed {
        if position(state, candidate).is_none() {
            let entry = TriedKey::new(candidate.clone(), KeyRole::Candidate);
            state.entries.push(entry);
        }
    }
}

pub fn position(state: &TrialState, candidate: &Candidate) -> Option<usize> {
    let is_it = |entry: &TriedKey| entry.candidate == *candidate;
    state.entries.iter().position(is_it)
}

/// Asks for every result that is not there or not fresh: the typed key first, then the chosen one.
pub fn ask(state: &mut TrialState, cx: &Cx, pace: TypingPace) -> Vec<Effect> {
    let Some(settings) = conditions::settings(state, cx) else {
        return Vec::new();
    };
    if !state.settings.as_ref().is_some_and(|held| is_same(held, &settings)) {
        for entry in &mut state.entries {
            entry.age = ResultAge::Stale;
        }
        state.settings = Some(settings.clone());
    }
    let logged = state.dials.as_it_is.as_ref().and_then(|t| t.logged.as_ref());
    let on = match (&state.sample, logged) {
        (Some(sample), _) => TriedOn::Documents(sample.clone()),
        (None, Some(logged)) => TriedOn::Logs(logged.clone()),
        (None, None) => return Vec::new(),
    };
    let typed = state.draft.as_ref().and_then(Draft::at);
    let first = typed.unwrap_or(state.chosen);
    let mut wanted: Vec<(usize, &TriedKey)> = state.entries.iter().enumerate().collect();
    wanted.retain(|(_, entry)| entry.age == ResultAge::Stale);
    wanted.sort_by_key(|(at, _)| *at != first);
    let candidates: Vec<Candidate> = wanted.iter().map(|(_, e)| e.candidate.clone()).collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    let generation = cx.turns.next();
    state.generation = generation;
    let ask = TryAsk { on, settings, candidates, pace };
    vec![Effect::Try(generation, ask)]
}

/// What is known of a container may be long: it is the same if it is the same one.
pub fn is_same(one: &Settings, other: &Settings) -> bool {
    let plain = |of: &Settings| Settings { today: None, ..of.clone() };
    let is_same_day = match (&one.today, &other.today) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (one, other) => one.is_none() && other.is_none(),
    };
    is_same_day && plain(one) == plain(other)
}

/// A result arrived.
pub fn on_tried(state: &mut TrialState, generation: Generation, tried: &Shared<TrialOutcome>) {
    let candidate = &tried.trial.candidate;
    on_answer(state, generation, candidate, (Some(tried.clone()), None));
}

/// Stores the result of a key, or the reason why there is none.
fn on_answer(
    state: &mut TrialState,
    generation: Generation,
    candidate: &Candidate,
    (tried, unreported): (Option<Shared<TrialOutcome>>, Option<CannotTell>),
) {
    if generation != state.generation {
        return;
    }
    for entry in state.entries.iter_mut().filter(|entry| entry.candidate == *candidate) {
        entry.tried.clone_from(&tried);
        entry.unreported.clone_from(&unreported);
        entry.age = ResultAge::Fresh;
    }
    compare(state);
}

impl TrialState {
    /// A key that logs do not show, and why.
    pub(super) fn unreported(&self, at: usize) -> Option<(&TriedKey, &CannotTell)> {
        let entry = self.entries.get(at)?;
        Some((entry, entry.unreported.as_ref()?))
    }
}

/// Of a key nothing can be told.
pub fn on_unreported(state: &mut TrialState, generation: Generation, unreported: &TrialRefusal) {
    let because = Some(unreported.because.clone());
    on_answer(state, generation, &unreported.candidate, (None, because));
}

/// All results side by side, the container's own key first and then the best: a verdict also tells which key is no
/// better than another.
pub fn compare(state: &mut TrialState) {
    report(state);
    if arrange(state) {
        report(state);
    }
}

/// By verdict, of one verdict in the order they came; true if a key moved. What is typed stays where it is typed. While no
/// query is known the id alone stands behind what is not rejected: it spreads, and finds nothing but itself.
fn arrange(state: &mut TrialState) -> bool {
    let worth = |at: &usize| {
        let is_own = (state.entries.get(*at)).is_some_and(|e| e.stands == KeyRole::Current);
        let verdict = state.result(*at).map(|result| &result.verdict);
        let standing = verdict.map(|verdict| verdict.standing);
        let is_resort = verdict.is_some_and(|verdict| !verdict.knows_reads)
            && (state.entries.get(*at)).is_some_and(|e| e.candidate.is_id());
        let is_rejected = standing == Some(Acceptance::Reject);
        (!is_own, standing.is_none(), is_rejected, is_resort, standing)
    };
    let mut order: Vec<usize> = (0..state.entries.len()).collect();
    order.sort_by_key(worth);
    // Columns change places once: when all results are there.
    let is_computing = |entry: &TriedKey| entry.tried.is_none() && entry.unreported.is_none();
    if state.draft.is_some() || order.is_sorted() || state.entries.iter().any(is_computing) {
        return false;
    }
    let moved = order.iter().position(|at| *at == state.chosen);
    // Until one is chosen the first is shown.
    state.chosen = moved.filter(|_| state.is_chosen).unwrap_or_default();
    let entries = order.iter().filter_map(|at| state.entries.get(*at).cloned());
    state.entries = entries.collect();
    true
}

fn report(state: &mut TrialState) {
    let mut made = Vec::new();
    state.places.clear();
    for entry in &state.entries {
        let place = entry.tried.as_ref().map(|tried| {
            made.push((tried.trial.clone(), entry.stands, tried.routed.clone()));
            made.len() - 1
        });
        state.places.push(place);
    }
    let whole = made.first().map(|(trial, ..)| trial.whole);
    let notes = state.sample.as_ref().map(|sample| sample.notes.clone());
    state.report = state.settings.clone().zip(whole).map(|(settings, whole)| {
        let notes = notes.unwrap_or_default();
        Shared::new(TrialReport::of(settings, whole, made, notes))
    });
    state.change_key = best(state);
    state.panels.forget();
}

/// The first of the proposals, else the best of the good keys in place of today's: the one of the fewest RU/s, of those that make
/// reads cross-partition only where no other is good. What the diagnosis advises it says itself.
fn best(state: &TrialState) -> Option<Remedy> {
    let settings = state.settings.as_ref()?;
    let today = settings.today.as_deref()?;
    let results = || state.report.iter().flat_map(|report| &report.candidates);
    let now = results().find(|result| result.standing == KeyRole::Current);
    let now = now.map(|now| &now.routed[..]);
    let is_good = |result: &CandidateReport| result.verdict.standing == Acceptance::Good;
    let is_resort = |result: &CandidateReport| {
        suggest::is_last_resort(&result.trial.candidate, &result.routed, now)
    };
    let has_better = results().any(|result| is_good(result) && !is_resort(result));
    let good = results().filter(|result| {
        let key = &result.trial.candidate;
        let is_best = match &state.proposed {
            Some(proposed) => proposed == key,
            None => is_good(result) && !(has_better && is_resort(result)),
        };
        is_best && !today.is_current(key) && today.advised.as_ref() != Some(key)
    });
    let priced = good.filter_map(|result| {
        let ru = result.trial.to_buy.first()?.ru.ok()?.point;
        Some((ru, &result.trial))
    });
    let (_, best) = priced.min_by(|a, b| a.0.total_cmp(&b.0))?;
    remedy(best, settings)
}

pub fn choose(state: &mut TrialState, entry: usize) {
    state.is_chosen = true;
    state.chosen = entry.min(state.entries.len().saturating_sub(1));
    state.places_in.reasons = Scroll::default();
    state.places_in.sizes = Scroll::default();
}

/// Round and round.
pub fn step(state: &mut TrialState, step: isize) {
    if let Some(next) = place_further(state.chosen, step, state.entries.len()) {
        choose(state, next);
    }
}

pub fn remove(state: &mut TrialState) -> Vec<Effect> {
    match state.entries.get(state.chosen) {
        None => return Effect::fail("there is no key to take out", None),
        Some(entry) if entry.stands == KeyRole::Current => {
            return Effect::fail(
                "the container's own key stays: all others are held against it",
                None,
            );
        }
        Some(_) => {
            let gone = state.entries.remove(state.chosen);
            state.chosen = state.chosen.min(state.entries.len().saturating_sub(1));
            if state.decided.as_ref() == Some(&gone.candidate) {
                state.decided = None;
            }
            compare(state);
        }
    }
    Vec::new()
}

/// Decides for the chosen key, or takes that back.
pub fn decide(state: &mut TrialState) -> Vec<Effect> {
    let Some(entry) = state.entries.get(state.chosen) else {
        return Effect::fail("there is no key to decide for", None);
    };
    let candidate = entry.candidate.clone();
    let shown = crate::model::visible::visible(&candidate.to_string()).into_owned();
    if state.decided.as_ref() == Some(&candidate) {
        state.decided = None;
        Effect::say("no key is decided for")
    } else {
        state.decided = Some(candidate);
        Effect::say(format!("decided for {shown}; e saves it"))
    }
}
