//! Searches from the trial view: better keys, the least number of suffixes, the way to a key.

use std::path::PathBuf;

use super::entries::{self, ResultAge, TriedKey, ask};
use super::panels;
use crate::analysis::candidate::Candidate;
use crate::analysis::suffix::{Suffix, SuffixPlan};
use crate::analysis::suggest::Suggestions;
use crate::analysis::trial::Settings;
use crate::model::near;
use crate::model::path::Path;
use crate::model::visible::visible;
use crate::report::Style;
use crate::report::plan::PlanReport;
use crate::report::plan::artefact::Artefact;
use crate::report::trial::KeyRole;
use crate::report::trial::search::{self, SearchResults};
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::msg::{Effect, Generation, OnScreen};
use crate::ui::view::text_pages::columns;
use crate::ui::view::trial::TrialState;
use crate::work::export::{Export, Exported};
use crate::work::fault::WorkProgress;
use crate::work::paths::at_home;
use crate::work::search::{SearchAsk, SearchGoal};
use crate::work::shared::Shared;
use crate::work::trial::{TrialOutcome, TrialSample, TypingPace};
use crate::work::whole_file::IfExists;

/// A search that goes on.
#[derive(Clone, Debug)]
pub struct Searching {
    pub generation: Generation,
    pub words: &'static str,
    pub progress: WorkProgress,
    /// What it looks at.
    settings: Settings,
    /// Of a plan what is wanted alone.
    part: Option<PlanPart>,
}

/// What `:plan` is given after its name.
#[derive(Clone, PartialEq, Eq, Debug)]
enum PlanPart {
    /// The artefact of that name, shown to be copied.
    Artefact(&'static str),
    /// The whole is written there.
    File(PathBuf),
}

pub fn act(state: &mut TrialState, cx: &Cx, action: Action) -> Vec<Effect> {
    if state.sample.is_none()
        && let Some(reading) = &mut state.reading
    {
        // Of several searches the last begins.
        (reading.then).retain(|then| matches!(then, Action::NextKey | Action::PreviousKey));
        reading.then.push(action);
        return Effect::say(match action {
            Action::Suggest => "keys are looked for as soon as the documents are read",
            Action::LeastSuffix => "suffixes are counted as soon as the documents are read",
            _ => "the plan is made as soon as the documents are read",
        });
    }
    match action {
        Action::Suggest => begin(state, cx, SearchGoal::Keys),
        Action::LeastSuffix => {
            let usual = usual_suffix(state);
            of_chosen(state, cx, |key| {
                let own = Suffix::taken_off(&key).map(|(_, suffix)| suffix);
                let suffix = own.unwrap_or(usual);
                SearchGoal::Suffixes { key, suffix }
            })
        }
        _ if is_current(state) => Effect::fail(
            "the chosen key is that of the container: nothing moves",
            Some("l chooses another one, a looks for keys"),
        ),
        _ => of_chosen(state, cx, |key| SearchGoal::Way { key }),
    }
}

/// `:plan bicep` shows one artefact of the plan for the chosen key, `:plan plan.html` writes the plan to a file.
pub fn plan_as(state: &mut TrialState, cx: &Cx, name: &str) -> Vec<Effect> {
    let is_file = name.contains(['.', '/', '\\']);
    let file = is_file.then(|| PlanPart::File(at_home(name.as_ref())));
    let artefact = || Artefact::named(name).map(|artefact| PlanPart::Artefact(artefact.name));
    let Some(part) = file.or_else(artefact) else {
        let names = Artefact::ALL.map(|artefact| artefact.name);
        let what = format!("a plan has no {}", visible(name));
        let what = near::unknown(&what, name, names);
        let next = format!("{}, or the name of a file such as plan.html", names.join(", "));
        return Effect::fail(what, Some(&next));
    };
    let effects = act(state, cx, Action::Plan);
    if let Some(searching) = &mut state.searching {
        searching.part = Some(part);
    }
    effects
}

fn is_current(state: &TrialState) -> bool {
    let chosen = state.entries.get(state.chosen);
    chosen.is_some_and(|entry| entry.stands == KeyRole::Current)
}

/// Buckets of the id, which point reads know; drawn where documents have none.
fn usual_suffix(state: &TrialState) -> Suffix {
    let id = Path::parse("/id").ok();
    let sample = state.sample.as_ref();
    let is_there = |id: &Path| sample.is_some_and(|s| s.prepared.documents().column(id).is_some());
    id.filter(is_there).map_or(Suffix::Random, Suffix::Bucket)
}

fn of_chosen(
    state: &mut TrialState,
    cx: &Cx,
    search: impl FnOnce(Candidate) -> SearchGoal,
) -> Vec<Effect> {
    if let Some(entry) = state.entries.get(state.chosen) {
        let search = search(entry.candidate.clone());
        return begin(state, cx, search);
    }
    match super::documents::waiting(state) {
        Some(why) => Effect::say(why),
        None => Effect::fail("there is no key to search for", Some("t begins one")),
    }
}

/// `:suffix /path`: buckets of a property in place of random numbers.
pub fn bucket(state: &mut TrialState, cx: &Cx, text: &str) -> Vec<Effect> {
    match Path::parse(text) {
        Ok(path) => {
            of_chosen(state, cx, |key| SearchGoal::Suffixes { key, suffix: Suffix::Bucket(path) })
        }
        Err(fault) => Effect::fail(
            format!("not a path: expected {}", visible(fault.what)),
            Some("a path makes buckets of its values; without one they are of /id"),
        ),
    }
}

fn begin(state: &mut TrialState, cx: &Cx, search: SearchGoal) -> Vec<Effect> {
    let (Some(sample), Some(settings)) = (&state.sample, super::conditions::settings(state, cx))
    else {
        return Effect::fail(
            "there are no documents to search in",
            Some(":documents FILE reads some"),
        );
    };
    if let Some((on, found)) = &state.found
        && search == SearchGoal::Keys
        && entries::is_same(on, &settings)
    {
        return OnScreen::Propose(found.clone()).alone();
    }
    let first = state.entries.first().filter(|e| e.stands == KeyRole::Current);
    let known = cx.data.clone().zip(state.container);
    let ask = SearchAsk {
        sample: sample.clone(),
        settings,
        current: first.map(|e| e.candidate.clone()),
        known,
        masker: cx.mask.shared(),
        search,
    };
    let generation = cx.turns.next();
    state.searching = Some(Searching {
        generation,
        words: ask.search.words(),
        progress: WorkProgress::default(),
        settings: ask.settings.clone(),
        part: None,
    });
    // In place of what was said when it waited for the documents; the header shows how far it is.
    let said = Effect::say(format!("{}; Esc stops", ask.search.words()));
    said.into_iter().chain([Effect::Search(generation, ask)]).collect()
}

pub fn on_progress(state: &mut TrialState, generation: Generation, progress: &WorkProgress) {
    if let Some(search) = state.searching.as_mut().filter(|s| s.generation == generation) {
        search.progress.clone_from(progress);
    }
}

/// Stops a search; what was found by then still arrives.
pub fn stop(state: &mut TrialState) -> Option<Vec<Effect>> {
    state.searching.as_ref()?;
    let mut effects = Effect::say("the search is stopped: what was found so far comes");
    effects.push(Effect::StopSearch);
    Some(effects)
}

pub fn on_found(
    state: &mut TrialState,
    cx: &Cx,
    generation: Generation,
    found: &Shared<SearchResults>,
) -> Vec<Effect> {
    let Some(search) = (state.searching).take_if(|s| s.generation == generation) else {
        return Vec::new();
    };
    let mut has_key = false;
    if let Some(suggestions) = &found.suggestions {
        take(state, suggestions);
        state.found = suggestions.is_complete.then(|| (search.settings, found.clone()));
    }
    for best in found.suffixes.iter().filter_map(SuffixPlan::best) {
        add(state, &best, None);
        has_key = true;
    }
    entries::compare(state);
    let mut effects = match (search.part, found.plan.as_deref()) {
        (Some(PlanPart::Artefact(name)), Some(plan)) => shown_artefact(name, plan),
        (Some(PlanPart::File(path)), Some(_)) => {
            let export =
                Export { path, existing: IfExists::Keep, what: Exported::Plan(found.clone()) };
            vec![Effect::Export(cx.turns.next(), export)]
        }
        _ => shown(cx, found, has_key),
    };
    effects.extend(ask(state, cx, TypingPace::AtOnce));
    effects
}

fn shown_artefact(name: &'static str, plan: &PlanReport) -> Vec<Effect> {
    let lines = Artefact::named(name).map(|artefact| artefact.text(plan));
    let lines = lines.unwrap_or_default();
    let lines = lines.lines().map(str::to_owned).collect();
    let shown = OnScreen::ReadReport(name, lines).alone();
    let said = Effect::say("y copies it");
    shown.into_iter().chain(said).collect()
}

/// What was found, over the view.
fn shown(cx: &Cx, found: &Shared<SearchResults>, has_key: bool) -> Vec<Effect> {
    if found.suggestions.is_some() {
        let shown = OnScreen::Propose(found.clone()).alone();
        // In place of what was said when it began.
        let said = Effect::say("a shows them again");
        return shown.into_iter().chain(said).collect();
    }
    let style = Style { width: columns(cx.body()).into(), ..Style::default() };
    let text = search::text(found, style);
    if text.trim().is_empty() {
        return Effect::say("the search was stopped before anything was found");
    }
    let lines = text.trim_matches('\n').lines().map(str::to_owned);
    let title = if found.suffixes.is_empty() { "plan" } else { "suffixes" };
    let shown = OnScreen::ReadReport(title, lines.collect()).alone();
    let said = Effect::say(match (has_key, found.plan.is_some()) {
        (true, _) => "the key is chosen: Enter shows it",
        (false, true) => "Enter closes; :plan plan.html writes it, :plan bicep shows code",
        (false, false) => "Enter closes",
    });
    shown.into_iter().chain(said).collect()
}

pub fn chosen_key(state: &TrialState) -> Option<&Candidate> {
    Some(&state.entries.get(state.chosen)?.candidate)
}

/// A key of the proposals is shown among those that are tried.
pub fn show(state: &mut TrialState, cx: &Cx, key: &Candidate) -> Vec<Effect> {
    add(state, key, None);
    if entries::position(state, key).is_none() {
        return Effect::fail("there is no room for one more key", Some("- takes one out"));
    }
    ask(state, cx, TypingPace::AtOnce)
}

/// Proposed keys stand beside the others, with the results that they were found by.
fn take(state: &mut TrialState, suggestions: &Suggestions) {
    for proposal in &suggestions.proposals {
        // Where only some documents are whole, keys were searched on these, and are tried on all that have what they name.
        let is_final = |sample: &Shared<TrialSample>| sample.whole.is_none();
        let is_final = state.sample.as_ref().is_some_and(is_final);
        let tried = is_final.then(|| {
            Shared::new(TrialOutcome {
                trial: proposal.trial.clone(),
                routed: proposal.routed.clone(),
            })
        });
        add(state, &proposal.candidate, tried);
    }
    let first = suggestions.proposals.first();
    state.proposed = first.map(|first| first.candidate.clone());
    if let Some(at) = first.and_then(|first| entries::position(state, &first.candidate)) {
        entries::choose(state, at);
    }
    panels::PanelContents::forget(&mut state.panels);
}

fn add(state: &mut TrialState, candidate: &Candidate, tried: Option<Shared<TrialOutcome>>) {
    if let Some(at) = entries::position(state, candidate) {
        return entries::choose(state, at);
    }
    if state.entries.len() >= entries::MOST_KEYS {
        return;
    }
    let mut entry = TriedKey::new(candidate.clone(), KeyRole::Candidate);
    if tried.is_some() {
        entry.age = ResultAge::Fresh;
    }
    entry.tried = tried;
    state.entries.push(entry);
    let last = state.entries.len() - 1;
    entries::choose(state, last);
}
