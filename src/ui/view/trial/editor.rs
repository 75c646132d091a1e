//! A key that is typed: tried while it is typed, kept with Enter, gone with Esc.

use super::entries::{self, MOST_KEYS, TriedKey, ask};
use super::{TrialState, scanning};
use crate::analysis::candidate::Candidate;
use crate::analysis::candidate::complete;
use crate::model::near;
use crate::model::path::Path;
use crate::model::visible::visible;
use crate::report::trial::KeyRole;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::line::{Offer, Offers, Prompt, PromptPurpose};
use crate::ui::kit::msg::{Effect, OnScreen};
use crate::work::trial::TypingPace;

/// The entry that is typed.
#[derive(Clone, Debug)]
pub struct Draft {
    /// None before the first text that is a key.
    at: Option<usize>,
    /// The entry that stood there, to go back to.
    before: Option<TriedKey>,
    /// Which entry was chosen, if there was one.
    chosen: Option<usize>,
    pub reads: DraftReads,
}

/// Whether what is typed is a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DraftReads {
    AsKey,
    NotYet,
}

impl Draft {
    /// A new key, which will stand last.
    fn new(state: &TrialState) -> Self {
        Self {
            at: None,
            before: None,
            chosen: (!state.entries.is_empty()).then_some(state.chosen),
            reads: DraftReads::NotYet,
        }
    }

    pub fn at(&self) -> Option<usize> {
        self.at
    }

    /// A key came before all others.
    pub fn follow(&mut self) {
        self.at = self.at.map(|at| at + 1);
        self.chosen = self.chosen.map(|chosen| chosen + 1);
    }
}

/// Begins a new key.
pub fn new_key(state: &mut TrialState) {
    state.draft = Some(Draft::new(state));
}

/// Opens the chosen key for editing; the container's own key stays, and a new one begins with its text.
pub fn edit_chosen(state: &mut TrialState) -> Vec<Effect> {
    let Some(entry) = state.entries.get(state.chosen) else {
        new_key(state);
        return open(state, "");
    };
    let text = entry.candidate.to_string();
    let (at, before) = match entry.stands {
        KeyRole::Current => (None, None),
        KeyRole::Candidate => (Some(state.chosen), Some(entry.clone())),
    };
    state.draft = Some(Draft { at, before, reads: DraftReads::AsKey, ..Draft::new(state) });
    open(state, &text)
}

fn open(state: &mut TrialState, text: &str) -> Vec<Effect> {
    let mut line = Prompt::new(PromptPurpose::Key, text);
    line.offer(key_offers(state, text, line.cursor()));
    OnScreen::Type(Box::new(line)).alone()
}

/// Whether a text is a key.
pub fn is_key(text: &str) -> bool {
    Candidate::parse(text).is_ok()
}

/// With every letter: a text that is a key is tried at once, of another the last result stays.
pub fn on_typed(state: &mut TrialState, cx: &Cx, text: &str) -> Vec<Effect> {
    let Some(draft) = &mut state.draft else {
        return Vec::new();
    };
    let Ok(candidate) = Candidate::parse(text) else {
        draft.reads = DraftReads::NotYet;
        return Vec::new();
    };
    draft.reads = DraftReads::AsKey;
    let (at, is_new) = (draft.at, draft.before.is_none());
    if is_new && entries::position(state, &candidate).is_some_and(|p| Some(p) != at) {
        // It stands there already: a second column would say the same.
        return Vec::new();
    }
    state.chosen = put(state, at, candidate);
    if let Some(draft) = &mut state.draft {
        draft.at = Some(state.chosen);
    }
    ask(state, cx, TypingPace::Typed)
}

/// Puts a key in the place of an entry, else behind all others; returns where it stands.
fn put(state: &mut TrialState, at: Option<usize>, candidate: Candidate) -> usize {
    let at = at.unwrap_or(state.entries.len());
    match state.entries.get_mut(at) {
        Some(entry) => entry.becomes(candidate),
        None => state.entries.push(TriedKey::new(candidate, KeyRole::Candidate)),
    }
    at
}

/// What can stand at the cursor, and what is wrong at which character.
pub fn key_offers(state: &TrialState, text: &str, cursor: usize) -> Offers {
    let known = state.sample.as_ref().map(|sample| &sample.known[..]);
    let offers = Offer::of(text, complete(text, cursor, known.unwrap_or_default()));
    let misspelled = || {
        let what = misspelled(state, &Candidate::parse(text).ok()?)?;
        offers.is_empty().then_some((0, what))
    };
    let problem = problem(text).or_else(misspelled);
    (offers, problem.filter(|_| !text.is_empty()))
}

/// What is wrong with a key, and at which character.
fn problem(text: &str) -> Option<(usize, String)> {
    let expected = Candidate::parse(text).err()?;
    let what = format!("character {}: expected {}", expected.column + 1, visible(&expected.what));
    Some((expected.column, what))
}

/// That the documents have no such path, where they have one that is nearly the same.
pub fn misspelled(state: &TrialState, key: &Candidate) -> Option<String> {
    let known = &state.sample.as_ref()?.known;
    let is_unknown = |path: &&Path| known.iter().all(|known| known.path != **path);
    let paths = key.paths().into_iter().filter(is_unknown);
    let mut questions = paths.filter_map(|path| {
        let known: Vec<String> = known.iter().map(|known| known.path.to_string()).collect();
        let path = path.to_string();
        let near = near::question(&path, known.iter().map(String::as_str))?;
        Some(visible(&format!("No document has {path}. {near}")).into_owned())
    });
    questions.next()
}

/// Enter: the typed key stays.
pub fn keep_typed(state: &mut TrialState, cx: &Cx, text: &str) -> Vec<Effect> {
    let Ok(candidate) = Candidate::parse(text) else {
        return leave_editor(state, cx);
    };
    let draft = state.draft.take().unwrap_or_else(|| Draft::new(state));
    let same = |state: &TrialState| {
        let mut others = state.entries.iter().enumerate();
        others.find_map(|(at, e)| (Some(at) != draft.at && e.candidate == candidate).then_some(at))
    };
    if let Some(at) = same(state) {
        state.draft = Some(draft);
        let mut effects = leave_editor(state, cx);
        entries::choose(state, entries::position(state, &candidate).unwrap_or(at));
        effects.extend(Effect::say("this key stands here already"));
        return effects;
    }
    if state.entries.len() > MOST_KEYS {
        state.draft = Some(draft);
        let mut effects = Effect::fail("no more keys can be compared", Some("take one out first"));
        effects.extend(leave_editor(state, cx));
        return effects;
    }
    let at = put(state, draft.at, candidate);
    entries::choose(state, at);
    let mut effects = ask(state, cx, TypingPace::AtOnce);
    // Nothing is there yet on which it could be tried.
    if super::wants_more(state, cx) && state.sample.is_none() && state.settings.is_none() {
        effects.extend(scanning::offer(state, cx));
    }
    effects
}

/// Esc: everything as it was before.
pub fn leave_editor(state: &mut TrialState, cx: &Cx) -> Vec<Effect> {
    let Some(draft) = state.draft.take() else {
        return Vec::new();
    };
    if let Some(at) = draft.at.filter(|at| *at < state.entries.len()) {
        state.entries.splice(at..=at, draft.before);
    }
    entries::choose(state, draft.chosen.unwrap_or_default());
    entries::compare(state);
    ask(state, cx, TypingPace::AtOnce)
}

/// `:try KEY`, of a text that is a key.
pub fn try_key(state: &mut TrialState, cx: &Cx, text: &str) -> Vec<Effect> {
    state.draft = None;
    keep_typed(state, cx, text)
}

/// Whether a typed text is a key, or why not.
pub fn parsed(text: &str) -> Result<(), Vec<Effect>> {
    let Some((_, what)) = problem(text) else {
        return Ok(());
    };
    Err(Effect::fail(
        format!("not a key at {what}"),
        Some("a key is such as /tenantId, /vin + \"-\" + month(/time) or /tenantId > /userId"),
    ))
}
