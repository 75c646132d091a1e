//! Which container's documents are tried, where they come from, and how far reading them is.

use std::borrow::Cow;
use std::path::PathBuf;

use super::entries::{self, ask, begin};
use super::{TrialState, panels, scanning};
use crate::analysis::candidate::Candidate;
use crate::analysis::paths::first_keys;
use crate::analysis::suffix::{ChangedLevel, spread_by_id};
use crate::model::path::Path;
use crate::model::visible::visible;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::msg::{Effect, Generation, OnScreen};
use crate::ui::view::OtherViews;
use crate::work::data::Origin;
use crate::work::fault::{WorkFault, WorkProgress};
use crate::work::sample::Meter;
use crate::work::shared::Shared;
use crate::work::trial::{
    AsItIs, DocumentsOf, LoggedKeys, LookAsk, SampleAsk, TrialSample, TypingPace,
};

/// Documents that are being read.
#[derive(Clone, Debug)]
pub struct DocumentRead {
    pub generation: Generation,
    pub ask: SampleAsk,
    pub progress: WorkProgress,
    /// Of a sample of an account.
    pub meter: Option<Meter>,
    pub is_stopping: bool,
    /// What was pressed meanwhile, and is done as soon as they are there.
    pub then: Vec<Action>,
}

/// Which container is tried: the one that was chosen where one comes from, the one tried last, the worst.
pub fn on_shown(state: &mut TrialState, cx: &Cx, others: &OtherViews) -> Vec<Effect> {
    let worst = || cx.data.as_ref()?.worst_container().or(Some(0));
    let container = others.container_before(cx).or(state.container);
    let container = container.or_else(worst);
    choose(state, cx, container);
    let mut effects = look(state, cx);
    effects.extend(read_if_needed(state, cx));
    effects
}

/// More data of the same opening, or other data: what it tells of the container is looked up anew.
pub fn on_data(state: &mut TrialState, cx: &Cx) -> Vec<Effect> {
    let named = state.name.clone();
    if let (Some(data), Some(name)) = (&cx.data, named) {
        state.container = data.container_named(&name);
    }
    if super::is_shown(cx) {
        let mut effects = follow(state, cx);
        effects.extend(look(state, cx));
        effects.extend(scanning::offer_once(state, cx));
        return effects;
    }
    // As soon as the view is shown again.
    state.looked_at = None;
    Vec::new()
}

/// Another container begins anew; the same one keeps its keys.
fn choose(state: &mut TrialState, cx: &Cx, container: Option<u32>) {
    let held = cx.data.as_ref().zip(container);
    let held = held.and_then(|(data, number)| data.capture.container(number));
    let name = held.map(|c| c.name.identity());
    if name != state.name {
        let sample = state.sample.take();
        let reading = state.reading.take();
        *state = TrialState {
            container,
            name,
            reading: reading.filter(|r| matches!(r.ask.from, DocumentsOf::Paths(_))),
            ..state.renewed()
        };
        let origin = origin(state, cx);
        // Files say nothing of a container: they go on to be what is tried. So do documents of this very container.
        let is_of_files = |of: &TrialSample| matches!(of.from, DocumentsOf::Paths(_));
        let is_drawn = |of: &TrialSample| of.time.is_none() && of.queries.is_none();
        let is_of_it = |of: &TrialSample| is_drawn(of) && origin.as_ref() == Some(&of.from);
        state.sample = sample.filter(|sample| is_of_files(sample) || is_of_it(sample));
    }
}

/// Asks what inputs tell of the container, unless that is known.
fn look(state: &mut TrialState, cx: &Cx) -> Vec<Effect> {
    let (Some(data), Some(container)) = (cx.data.clone(), state.container) else {
        state.dials.as_it_is = Some(Shared::new(AsItIs::default()));
        return Vec::new();
    };
    let of = Some((data.clone(), container));
    if state.looked_at == of {
        return Vec::new();
    }
    let keys = if state.sample.is_none() && origin(state, cx).is_none() {
        LoggedKeys::Wanted
    } else {
        LoggedKeys::LeftOut
    };
    let generation = cx.turns.next();
    state.looked_at = of;
    state.looked = generation;
    let ask = LookAsk { data, container, keys, queries: state.queries.clone() };
    vec![Effect::LookAt(generation, ask)]
}

pub fn on_looked(
    state: &mut TrialState,
    cx: &Cx,
    generation: Generation,
    reported: Result<Shared<AsItIs>, WorkFault>,
) -> Vec<Effect> {
    if state.looked != generation {
        return Vec::new();
    }
    match reported {
        Ok(reported) => state.dials.as_it_is = Some(reported),
        Err(fault) => {
            state.queries = None;
            return OnScreen::Fail(fault).alone();
        }
    }
    start(state, cx)
}

/// Tries keys once it is known on what and against what.
fn start(state: &mut TrialState, cx: &Cx) -> Vec<Effect> {
    let own = own_key(state);
    let Some(reported) = &state.dials.as_it_is else {
        return Vec::new();
    };
    let has_own = own.is_none() || entries::has_own(state);
    // A key may have been typed before there was anything to try it on.
    if state.entries.is_empty() || state.settings.is_none() || !has_own {
        let today = reported.today.as_deref();
        let advised = today.and_then(|today| today.advised.clone());
        let proposed = match (&state.sample, &reported.logged) {
            (Some(sample), _) if own.is_none() && sample.proposed.is_empty() => {
                let mut keys = first_keys(&sample.paths);
                keys.truncate(MOST_FIRST);
                keys
            }
            (Some(sample), _) => advised.iter().chain(&sample.proposed).cloned().collect(),
            (None, Some(_)) => {
                let keys = own.iter().flat_map(|own| extended(own, advised.as_ref()));
                keys.collect()
            }
            (None, None) => return Vec::new(),
        };
        begin(state, own, &proposed);
    }
    ask(state, cx, TypingPace::AtOnce)
}

/// The key that the container has, where an input tells it.
fn own_key(state: &TrialState) -> Option<Candidate> {
    state.dials.today()?.key.clone()
}

/// Where the documents of the container come from, as far as that is known by itself.
fn origin(state: &TrialState, cx: &Cx) -> Option<DocumentsOf> {
    if !state.given.is_empty() {
        return Some(DocumentsOf::Paths(state.given.clone()));
    }
    match &cx.data.as_ref()?.origin {
        Origin::Scenario(name) => Some(DocumentsOf::Scenario {
            name,
            container: state.name.as_ref()?.container.as_deref()?.to_owned(),
        }),
        Origin::Recording(path) => recorded(state, cx, path),
        Origin::Paths(_) | Origin::Live(_) => None,
    }
}

/// Documents that were asked for while a recording was made, up to the moment that is shown.
fn recorded(state: &TrialState, cx: &Cx, path: &std::path::Path) -> Option<DocumentsOf> {
    let data = cx.data.as_ref()?;
    let name = &data.capture.container(state.container?)?.name;
    let of = (name.database.as_deref()?.to_owned(), name.container.as_deref()?.to_owned());
    let pages = *data.watched.as_ref()?.sampled.get(&of)?;
    let (database, container) = of;
    Some(DocumentsOf::Recorded {
        path: path.to_owned(),
        place: data.replayed.as_ref()?.place,
        database,
        container,
        pages,
    })
}

/// Another moment of a recording may know more or fewer documents.
fn follow(state: &mut TrialState, cx: &Cx) -> Vec<Effect> {
    let data = cx.data.as_ref();
    let is_recording = data.is_some_and(|data| matches!(data.origin, Origin::Recording(_)));
    let reading = state.reading.as_ref().map(|reading| &reading.ask.from);
    let held = reading.or_else(|| state.sample.as_ref().map(|sample| &sample.from));
    let is_file = held.is_some_and(|of| matches!(of, DocumentsOf::Paths(_)));
    if !is_recording || is_file {
        return Vec::new();
    }
    let held = held.cloned();
    let is_same = |from: &DocumentsOf| held.as_ref().is_some_and(|held| held.is_same(from));
    match origin(state, cx) {
        Some(from) if is_same(&from) => Vec::new(),
        Some(from) => {
            let (time, queries) = state
                .sample
                .as_ref()
                .map_or((None, None), |sample| (sample.time.clone(), sample.queries.clone()));
            let ask = SampleAsk { from, time, queries, sample: None, scan: None };
            read(state, cx, ask)
        }
        None => {
            if held.is_some() {
                *state = TrialState {
                    container: state.container,
                    name: state.name.clone(),
                    ..state.renewed()
                };
            }
            Vec::new()
        }
    }
}

fn read_if_needed(state: &mut TrialState, cx: &Cx) -> Vec<Effect> {
    if state.sample.is_some() || state.reading.is_some() {
        let mut effects = follow(state, cx);
        effects.extend(start(state, cx));
        return effects;
    }
    let Some(from) = origin(state, cx) else {
        let mut effects = scanning::offer_once(state, cx);
        effects.extend(start(state, cx));
        return effects;
    };
    let queries = state.queries.clone();
    read(state, cx, SampleAsk { from, time: None, queries, sample: None, scan: None })
}

/// Of documents alone so many paths are tried before a search: as many as a window of usual width compares.
const MOST_FIRST: usize = 4;
/// For a key of which nothing is known that asks for more.
const SOME_SUFFIXES: u32 = 10;

/// The current key with what sizes by key can tell of: suffixes, and `id` as a further level.
fn extended(key: &Candidate, advised: Option<&Candidate>) -> impl Iterator<Item = Candidate> {
    let some = || spread_by_id(key, ChangedLevel::Last, SOME_SUFFIXES);
    let spread = advised.cloned().or_else(some);
    let below = key.with_id().filter(|below| Some(below) != advised);
    spread.into_iter().chain(below)
}

pub(super) fn read(state: &mut TrialState, cx: &Cx, ask: SampleAsk) -> Vec<Effect> {
    let generation = cx.turns.next();
    state.reading = Some(DocumentRead {
        generation,
        ask: ask.clone(),
        progress: WorkProgress::default(),
        meter: None,
        is_stopping: false,
        then: Vec::new(),
    });
    vec![Effect::Sample(generation, ask)]
}

pub fn on_progress(state: &mut TrialState, generation: Generation, progress: &WorkProgress) {
    if let Some(reading) = state.reading.as_mut().filter(|r| r.generation == generation) {
        reading.progress.clone_from(progress);
    } else {
        super::search::on_progress(state, generation, progress);
    }
}

/// Documents are there; a failure leaves what was there before.
pub fn on_sampled(
    state: &mut TrialState,
    cx: &Cx,
    generation: Generation,
    sampled: Result<Shared<TrialSample>, WorkFault>,
) -> Vec<Effect> {
    if state.reading.as_ref().is_none_or(|r| r.generation != generation) {
        return Vec::new();
    }
    let reading = state.reading.take();
    let then = reading.as_ref().map(|reading| reading.then.clone());
    let sample = match sampled {
        Ok(sample) => sample,
        Err(fault) => {
            let reading = reading.filter(scanning::is_of_held);
            return match reading {
                Some(_) => scanning::offer_again(state, cx),
                None => OnScreen::Fail(fault).alone(),
            };
        }
    };
    let mut effects = scanning::on_sampled(state, cx, &sample);
    state.sample = Some(sample);
    state.proposed = None;
    state.found = None;
    for entry in &mut state.entries {
        entry.age = entries::ResultAge::Stale;
    }
    panels::on_documents(state);
    effects.extend(start(state, cx));
    for action in then.into_iter().flatten() {
        match action {
            Action::NextKey => entries::step(state, 1),
            Action::PreviousKey => entries::step(state, -1),
            _ => effects.extend(super::search::act(state, cx, action)),
        }
    }
    effects
}

/// Why the chosen key has no result yet; none where it waits for nothing.
pub fn waiting(state: &TrialState) -> Option<&'static str> {
    if state.reading.is_some() {
        return Some("the documents are still being read: press it once they are there");
    }
    let is_stale = |entry: &entries::TriedKey| entry.age == entries::ResultAge::Stale;
    let chosen = state.entries.get(state.chosen);
    let is_computing = chosen.map_or(state.sample.is_some(), is_stale);
    is_computing.then_some("still computing")
}

pub fn progress(state: &TrialState) -> Option<&WorkProgress> {
    state.reading.as_ref().map(|reading| &reading.progress)
}

/// Whether the documents or the first key wait for their answer.
pub fn is_early(state: &TrialState) -> bool {
    state.reading.is_some() || state.sample.is_some() && state.entries.first().is_some_and(is_asked)
}

/// Whether a key waits for its answer.
pub fn is_trying(state: &TrialState) -> bool {
    state.sample.is_some() && state.entries.iter().any(is_asked)
}

fn is_asked(entry: &entries::TriedKey) -> bool {
    entry.tried.is_none() && entry.unreported.is_none()
}

pub fn is_busy(state: &TrialState) -> bool {
    state.reading.is_some() || state.searching.is_some()
}

pub fn stop(state: &mut TrialState) -> Vec<Effect> {
    if let Some(effects) = super::search::stop(state) {
        return effects;
    }
    if let Some(effects) = scanning::stop(state) {
        return effects;
    }
    state.reading = None;
    let mut effects = Effect::say("reading documents was stopped");
    effects.push(Effect::StopSampling);
    effects
}

/// `:documents FILE …`.
pub fn read_documents(state: &mut TrialState, cx: &Cx, paths: Vec<PathBuf>) -> Vec<Effect> {
    state.reading = None;
    let ask = SampleAsk {
        from: DocumentsOf::Paths(paths),
        time: None,
        queries: state.queries.clone(),
        sample: None,
        scan: None,
    };
    read(state, cx, ask)
}

/// `:queries FILE`. Without documents they are routed by the keys alone.
pub fn read_queries(state: &mut TrialState, cx: &Cx, paths: Vec<PathBuf>) -> Vec<Effect> {
    state.queries = paths.into_iter().next();
    if state.sample.is_none() && !state.entries.is_empty() {
        state.looked_at = None;
        return look(state, cx);
    }
    let queries = state.queries.clone();
    again(state, cx, |ask| ask.queries = queries)
}

/// `:time /path`.
pub fn date_by(state: &mut TrialState, cx: &Cx, path: Path) -> Vec<Effect> {
    again(state, cx, |ask| ask.time = Some(path))
}

/// A path that dates documents, as it is typed.
pub fn time_path(text: &str) -> Result<Path, Vec<Effect>> {
    Path::parse(text).map_err(|fault| {
        Effect::fail(
            format!("not a path: expected {}", visible(fault.what)),
            Some("a path is such as /_ts or /device/time"),
        )
    })
}

/// The same documents with something else about them.
fn again(state: &mut TrialState, cx: &Cx, change: impl FnOnce(&mut SampleAsk)) -> Vec<Effect> {
    let Some(sample) = state.sample.clone() else {
        return Effect::fail("there are no documents yet", Some(":documents FILE reads some"));
    };
    let mut ask = SampleAsk {
        from: sample.from.clone(),
        time: sample.time.clone(),
        queries: sample.queries.clone(),
        sample: Some(sample),
        scan: None,
    };
    change(&mut ask);
    read(state, cx, ask)
}

/// The properties by which documents may be dated.
pub fn times(state: &TrialState) -> Vec<String> {
    let Some(sample) = &state.sample else {
        return Vec::new();
    };
    let documents = sample.prepared.documents();
    let columns = documents.columns();
    let times = documents.time_columns().iter();
    let path = |time: &crate::model::documents::TimeColumn| {
        Some(visible(&columns.get(time.column)?.path().to_string()).into_owned())
    };
    times.filter_map(path).collect()
}

/// What stands in place of a table while there is none.
pub fn sentence(state: &TrialState, cx: &Cx) -> Cow<'static, str> {
    if state.sample.is_none()
        && let Some(sentence) = scanning::sentence(state, cx)
    {
        return sentence.into();
    }
    if state.sample.is_none() && state.reading.is_none() && cx.playback.is_some() {
        return "No documents were read up to this moment of the recording: ] goes on to later ones, :documents FILE reads an \
                export."
            .into();
    }
    plain_sentence(state).into()
}

fn plain_sentence(state: &TrialState) -> &'static str {
    if state.reading.is_some() {
        return "The documents are being read.";
    }
    match &state.sample {
        Some(_) if state.entries.is_empty() => {
            "The documents are there. a looks for keys. t begins one, such as /tenantId or /vin + \"-\" + month(/time); it is \
             tried while you type. P chooses a path as one."
        }
        Some(_) => "The keys are being tried.",
        None => {
            "To try a key documents are needed: an export of some thousand of the container's documents, as JSON lines, a \
             JSON list, CSV or Parquet, is enough. :documents FILE reads them here, and cosmoscope open … --documents FILE \
             from the start. What the logs report names only the largest keys."
        }
    }
}
