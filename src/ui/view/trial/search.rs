//! Searches from the trial view: better keys, the least number of suffixes, the way to a key.

use super::entries::{self, Age, Entry, ask};
use super::panels;
use crate::analysis::candidate::Candidate;
use crate::analysis::migration::Facts;
use crate::analysis::suffix::{Plan, Suffix};
use crate::analysis::suggest::Suggestions;
use crate::model::path::Path;
use crate::model::visible::visible;
use crate::report::Style;
use crate::report::trial::Stands;
use crate::report::trial::search::{self, SearchResults};
use crate::ui::app::{App, Overlay};
use crate::ui::kit::action::Action;
use crate::ui::kit::msg::{Effect, Turn};
use crate::ui::view::papers;
use crate::work::fault::Progress;
use crate::work::search::{Search, SearchAsk};
use crate::work::shared::Shared;
use crate::work::trial::{Pace, Sample, Tried};

/// Of a paper, and what its frame and margins take.
const MOST_COLUMNS: u16 = 104;
const MARGINS: u16 = 6;

/// A search that goes on.
#[derive(Clone, Debug)]
pub struct Searching {
    pub turn: Turn,
    pub words: &'static str,
    pub progress: Progress,
}

pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    match action {
        Action::Suggest => begin(app, Search::Keys),
        Action::LeastSuffix => of_chosen(app, |key| Search::Suffixes {
            key,
            suffix: Suffix::Random,
        }),
        _ => of_chosen(app, |key| Search::Way { key }),
    }
}

fn of_chosen(app: &mut App, search: impl FnOnce(Candidate) -> Search) -> Vec<Effect> {
    let state = &app.trial;
    if let Some(entry) = state.entries.get(state.chosen) {
        let search = search(entry.candidate.clone());
        return begin(app, search);
    }
    app.fail("there is no key to search for", Some("t begins one"));
    Vec::new()
}

/// `:suffix /path`: buckets of a property in place of random numbers.
pub fn bucket(app: &mut App, text: &str) -> Vec<Effect> {
    match Path::parse(text) {
        Ok(path) => of_chosen(app, |key| Search::Suffixes {
            key,
            suffix: Suffix::Bucket(path),
        }),
        Err(fault) => {
            app.fail(
                format!("not a path: expected {}", visible(fault.what)),
                Some("a path makes buckets of its values; without one numbers are drawn"),
            );
            Vec::new()
        }
    }
}

fn begin(app: &mut App, search: Search) -> Vec<Effect> {
    let state = &app.trial;
    if state.sample.is_none() && state.reading.is_some() {
        app.fail(
            "the documents are still being read",
            Some("once they are there the same key searches in them"),
        );
        return Vec::new();
    }
    let (Some(sample), Some(settings)) = (&state.sample, super::against::settings(app)) else {
        app.fail(
            "there are no documents to search in",
            Some(":documents FILE reads some"),
        );
        return Vec::new();
    };
    let first = state
        .entries
        .first()
        .filter(|e| e.stands == Stands::Current);
    let known = app.data.as_ref().zip(state.container);
    let facts = known.map_or_else(Facts::default, |(data, container)| {
        Facts::of(&data.capture, container)
    });
    let ask = SearchAsk {
        sample: sample.clone(),
        settings,
        current: first.map(|e| e.candidate.clone()),
        facts,
        search,
    };
    let turn = app.turn.advance();
    app.trial.searching = Some(Searching {
        turn,
        words: ask.search.words(),
        progress: Progress::default(),
    });
    vec![Effect::Search(turn, ask)]
}

pub fn on_progress(app: &mut App, turn: Turn, progress: Progress) {
    if let Some(search) = app.trial.searching.as_mut().filter(|s| s.turn == turn) {
        search.progress = progress;
    }
}

/// Stops a search; what was found by then still arrives.
pub fn stop(app: &mut App) -> Option<Vec<Effect>> {
    app.trial.searching.as_ref()?;
    app.say("the search is stopped: what was found so far comes");
    Some(vec![Effect::StopSearch])
}

pub fn on_found(app: &mut App, turn: Turn, found: &Shared<SearchResults>) -> Vec<Effect> {
    if app.trial.searching.as_ref().is_none_or(|s| s.turn != turn) {
        return Vec::new();
    }
    app.trial.searching = None;
    if let Some(suggestions) = &found.suggestions {
        app.trial.change_key.clone_from(&suggestions.remedy);
        take(app, suggestions);
    }
    for best in found.suffixes.iter().filter_map(Plan::best) {
        add(app, &best, None);
    }
    entries::compare(&mut app.trial);
    let width = usize::from(app.size.width.min(MOST_COLUMNS).saturating_sub(MARGINS));
    let style = Style {
        width,
        ..Style::default()
    };
    let text = search::text(found, style);
    if text.trim().is_empty() {
        app.say("the search was stopped before anything was found");
        return ask(app, Pace::AtOnce);
    }
    let lines = text.trim_matches('\n').lines().map(str::to_owned).collect();
    app.overlay = Some(Overlay::Paper(papers::State::new("found", lines)));
    ask(app, Pace::AtOnce)
}

/// Proposed keys stand beside the others, with the results that they were found by.
fn take(app: &mut App, suggestions: &Suggestions) {
    for proposal in &suggestions.proposals {
        // Where only some documents are whole, keys were searched on these, and are tried on all that have what they name.
        let is_final = |sample: &Shared<Sample>| sample.whole.is_none();
        let is_final = app.trial.sample.as_ref().is_some_and(is_final);
        let tried = is_final.then(|| {
            Shared::new(Tried {
                trial: proposal.trial.clone(),
                routed: proposal.routed.clone(),
            })
        });
        add(app, &proposal.candidate, tried);
    }
    if let Some(first) = suggestions.proposals.first()
        && let Some(at) = entries::position(&app.trial, &first.candidate)
    {
        entries::choose(app, at);
    }
    panels::Made::forget(&mut app.trial.panels);
}

fn add(app: &mut App, candidate: &Candidate, tried: Option<Shared<Tried>>) {
    let state = &mut app.trial;
    if let Some(at) = entries::position(state, candidate) {
        return entries::choose(app, at);
    }
    if state.entries.len() >= entries::MOST_KEYS {
        return;
    }
    let mut entry = Entry::new(candidate.clone(), Stands::Candidate);
    if tried.is_some() {
        entry.age = Age::Fresh;
    }
    entry.tried = tried;
    state.entries.push(entry);
    let last = state.entries.len() - 1;
    entries::choose(app, last);
}
