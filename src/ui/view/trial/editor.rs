//! A key that is typed: tried while it is typed, kept with Enter, gone with Esc.

use super::State;
use super::entries::{self, Entry, MOST_KEYS, ask};
use crate::analysis::candidate::Candidate;
use crate::analysis::candidate::complete;
use crate::model::visible::visible;
use crate::report::trial::Stands;
use crate::ui::app::{App, Overlay};
use crate::ui::kit::line::{Line, Offer, Purpose};
use crate::ui::kit::msg::Effect;
use crate::ui::view::ViewId;
use crate::work::trial::Pace;

/// The entry that is typed.
#[derive(Clone, Debug)]
pub struct Draft {
    at: usize,
    /// The entry that stood there, to go back to.
    before: Option<Entry>,
    /// Which entry was chosen.
    chosen: usize,
    pub reads: Reads,
}

/// Whether what is typed is a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reads {
    AsKey,
    NotYet,
}

impl Draft {
    pub fn at(&self) -> usize {
        self.at
    }
}

/// Begins a new key; gives the text to begin with.
pub fn new_key(app: &mut App) -> &'static str {
    app.trial.draft = Some(Draft {
        at: app.trial.entries.len(),
        before: None,
        chosen: app.trial.chosen,
        reads: Reads::NotYet,
    });
    ""
}

/// Opens the chosen key for editing; the container's own key stays, and a new one begins with its text.
pub fn edit_chosen(app: &mut App) -> Vec<Effect> {
    let state = &mut app.trial;
    let Some(entry) = state.entries.get(state.chosen) else {
        let text = new_key(app);
        return open(app, text);
    };
    let text = entry.candidate.to_string();
    let (at, before) = match entry.stands {
        Stands::Current => (state.entries.len(), None),
        Stands::Candidate => (state.chosen, Some(entry.clone())),
    };
    state.draft = Some(Draft {
        at,
        before,
        chosen: state.chosen,
        reads: Reads::AsKey,
    });
    open(app, &text)
}

fn open(app: &mut App, text: &str) -> Vec<Effect> {
    let mut line = Line::new(Purpose::Key, text);
    let (offers, problem) = key_offers_at(app, text, line.cursor());
    line.offers = offers;
    line.problem = problem.filter(|_| !text.is_empty());
    app.overlay = Some(Overlay::Line(Box::new(line)));
    Vec::new()
}

/// Whether a text is a key.
pub fn is_key(text: &str) -> bool {
    Candidate::parse(text).is_ok()
}

/// With every letter: a text that is a key is tried at once, of another the last result stays.
pub fn on_typed(app: &mut App, text: &str) -> Vec<Effect> {
    let state = &mut app.trial;
    let Some(draft) = &mut state.draft else {
        return Vec::new();
    };
    let Ok(candidate) = Candidate::parse(text) else {
        draft.reads = Reads::NotYet;
        return Vec::new();
    };
    draft.reads = Reads::AsKey;
    let at = draft.at;
    if draft.before.is_none() && entries::position(state, &candidate).is_some_and(|p| p != at) {
        // It stands there already: a second column would say the same.
        return Vec::new();
    }
    match state.entries.get_mut(at) {
        Some(entry) => entry.becomes(candidate),
        None => state.entries.push(Entry::new(candidate, Stands::Candidate)),
    }
    state.chosen = at;
    ask(app, Pace::Typed)
}

/// What can stand at the cursor, and what is wrong at which character.
pub fn key_offers(app: &App, text: &str) -> (Vec<Offer>, Option<(usize, String)>) {
    let cursor = match &app.overlay {
        Some(Overlay::Line(line)) => line.cursor(),
        _ => text.chars().count(),
    };
    let (offers, problem) = key_offers_at(app, text, cursor);
    (offers, problem.filter(|_| !text.is_empty()))
}

fn key_offers_at(app: &App, text: &str, cursor: usize) -> (Vec<Offer>, Option<(usize, String)>) {
    let known = app.trial.sample.as_ref().map(|sample| &sample.known[..]);
    let offers = Offer::of(text, complete(text, cursor, known.unwrap_or_default()));
    let problem = Candidate::parse(text).err().map(|expected| {
        let what = format!(
            "character {}: expected {}",
            expected.column + 1,
            visible(&expected.what)
        );
        (expected.column, what)
    });
    (offers, problem)
}

/// Enter: the typed key stays.
pub fn keep_typed(app: &mut App, text: &str) -> Vec<Effect> {
    let Ok(candidate) = Candidate::parse(text) else {
        return leave_editor(app);
    };
    let Some(draft) = app.trial.draft.take() else {
        return Vec::new();
    };
    let same = |state: &State| {
        let mut others = state.entries.iter().enumerate();
        others.find_map(|(at, e)| (at != draft.at && e.candidate == candidate).then_some(at))
    };
    if let Some(at) = same(&app.trial) {
        app.trial.draft = Some(draft);
        let effects = leave_editor(app);
        entries::choose(app, at);
        app.say("this key stands here already");
        return effects;
    }
    if app.trial.entries.len() > MOST_KEYS {
        app.trial.draft = Some(draft);
        app.fail("so many keys are not compared", Some("take one out first"));
        return leave_editor(app);
    }
    if let Some(entry) = app.trial.entries.get_mut(draft.at) {
        entry.becomes(candidate);
    } else {
        let entry = Entry::new(candidate, Stands::Candidate);
        app.trial.entries.push(entry);
    }
    entries::choose(app, draft.at);
    ask(app, Pace::AtOnce)
}

/// Esc: everything as it was before.
pub fn leave_editor(app: &mut App) -> Vec<Effect> {
    let Some(draft) = app.trial.draft.take() else {
        return Vec::new();
    };
    let state = &mut app.trial;
    match (draft.before, state.entries.get_mut(draft.at)) {
        (Some(before), Some(entry)) => *entry = before,
        (None, Some(_)) => {
            state.entries.remove(draft.at);
        }
        _ => {}
    }
    entries::compare(state);
    entries::choose(app, draft.chosen);
    ask(app, Pace::AtOnce)
}

/// `:try KEY`.
pub fn try_key(app: &mut App, text: &str) -> Vec<Effect> {
    if let Err(expected) = Candidate::parse(text) {
        app.fail(
            format!(
                "not a key at character {}: expected {}",
                expected.column + 1,
                visible(&expected.what)
            ),
            Some("a key is such as /tenantId, /vin + \"-\" + month(/time) or /tenantId > /userId"),
        );
        return Vec::new();
    }
    let mut effects = Vec::new();
    if app.view != ViewId::Trial {
        app.go(ViewId::Trial);
        effects.extend(super::on_shown(app));
    }
    new_key(app);
    effects.extend(keep_typed(app, text));
    effects
}
