//! Which container's documents are tried, where they come from, and how far reading them is.

use std::borrow::Cow;
use std::path::PathBuf;

use super::entries::{self, ask, begin};
use super::{State, panels, scanning};
use crate::analysis::candidate::Candidate;
use crate::model::path::Path;
use crate::model::visible::visible;
use crate::ui::app::App;
use crate::ui::kit::action::Action;
use crate::ui::kit::msg::{Effect, Turn};
use crate::ui::view::{ViewId, heat, overview};
use crate::work::data::Origin;
use crate::work::fault::{Fault, Progress};
use crate::work::sample::Meter;
use crate::work::shared::Shared;
use crate::work::trial::{AsItIs, DocumentsOf, LoggedKeys, LookAsk, Pace, Sample, SampleAsk};

/// Documents that are being read.
#[derive(Clone, Debug)]
pub struct Reading {
    pub turn: Turn,
    pub ask: SampleAsk,
    pub progress: Progress,
    /// Of a sample of an account.
    pub meter: Option<Meter>,
    pub is_stopping: bool,
}

/// Files that were named when the program was started can be tried without any other data.
pub fn needs_no_data(app: &App, view: ViewId) -> bool {
    view == ViewId::Trial && !app.trial.given.is_empty()
}

/// Which container is tried: the one that was chosen where one comes from, the one tried last, the worst.
pub fn on_shown(app: &mut App) -> Vec<Effect> {
    let chosen = match app.trail.last() {
        Some(ViewId::Overview) => overview::chosen_container(app),
        Some(ViewId::Keys) => app.keys.container,
        Some(ViewId::Heat) => heat::container(app),
        _ => None,
    };
    let worst = || app.data.as_ref()?.worst_container().or(Some(0));
    let container = chosen.or(app.trial.container).or_else(worst);
    choose(app, container);
    let mut effects = look(app);
    effects.extend(read_if_needed(app));
    effects
}

/// More data of the same opening, or other data: what it tells of the container is looked up anew.
pub fn on_data(app: &mut App) -> Vec<Effect> {
    let named = app.trial.name.clone();
    if let (Some(data), Some(name)) = (&app.data, named) {
        app.trial.container = data.container_named(&name);
    }
    if super::is_shown(app) {
        let mut effects = follow(app);
        effects.extend(look(app));
        effects.extend(scanning::offer_once(app));
        return effects;
    }
    // As soon as the view is shown again.
    app.trial.looked_at = None;
    Vec::new()
}

/// Another container begins anew; the same one keeps its keys.
fn choose(app: &mut App, container: Option<u32>) {
    let held = app.data.as_ref().zip(container);
    let held = held.and_then(|(data, number)| data.capture.container(number));
    let name = held.map(|c| c.name.identity());
    if name != app.trial.name {
        let files = app.trial.sample.take().filter(is_of_files);
        let reading = app.trial.reading.take();
        app.trial = State {
            container,
            name,
            // Files say nothing of a container: they go on to be what is tried.
            sample: files,
            reading: reading.filter(|r| matches!(r.ask.from, DocumentsOf::Paths(_))),
            ..app.trial.renewed()
        };
    }
}

/// Asks what inputs tell of the container, unless that is known.
fn look(app: &mut App) -> Vec<Effect> {
    let (Some(data), Some(container)) = (app.data.clone(), app.trial.container) else {
        app.trial.dials.told = Some(Shared::new(AsItIs::default()));
        return Vec::new();
    };
    let of = Some((data.clone(), container));
    if app.trial.looked_at == of {
        return Vec::new();
    }
    let keys = if app.trial.sample.is_none() && origin(app).is_none() {
        LoggedKeys::Wanted
    } else {
        LoggedKeys::LeftOut
    };
    let turn = app.turn.advance();
    app.trial.looked_at = of;
    app.trial.looked = turn;
    let ask = LookAsk {
        data,
        container,
        keys,
    };
    vec![Effect::LookAt(turn, ask)]
}

pub fn on_looked(app: &mut App, turn: Turn, told: Shared<AsItIs>) -> Vec<Effect> {
    if app.trial.looked != turn {
        return Vec::new();
    }
    app.trial.dials.told = Some(told);
    start(app)
}

/// Tries keys once it is known on what and against what.
fn start(app: &mut App) -> Vec<Effect> {
    let own = own_key(app);
    let state = &mut app.trial;
    let Some(told) = &state.dials.told else {
        return Vec::new();
    };
    if state.entries.is_empty() {
        let proposed = match (&state.sample, &told.logged) {
            (Some(sample), _) => sample.proposed.clone(),
            (None, Some(_)) => own.iter().flat_map(extended).collect(),
            (None, None) => return Vec::new(),
        };
        begin(state, own, &proposed);
    }
    ask(app, Pace::AtOnce)
}

fn is_of_files(sample: &Shared<Sample>) -> bool {
    matches!(sample.from, DocumentsOf::Paths(_))
}

/// The key that the container has, where an input tells it.
fn own_key(app: &App) -> Option<Candidate> {
    app.trial.dials.today()?.key.clone()
}

/// Where the documents of the container come from, as far as that is known by itself.
fn origin(app: &App) -> Option<DocumentsOf> {
    if !app.trial.given.is_empty() {
        return Some(DocumentsOf::Paths(app.trial.given.clone()));
    }
    match &app.data.as_ref()?.origin {
        Origin::Scenario(name) => Some(DocumentsOf::Scenario {
            name,
            container: app.trial.name.as_ref()?.container.as_deref()?.to_owned(),
        }),
        Origin::Recording(path) => recorded(app, path),
        Origin::Paths(_) | Origin::Live(_) => None,
    }
}

/// Documents that were asked for while a recording was made, up to the moment that is shown.
fn recorded(app: &App, path: &std::path::Path) -> Option<DocumentsOf> {
    let data = app.data.as_ref()?;
    let name = &data.capture.container(app.trial.container?)?.name;
    let of = (
        name.database.as_deref()?.to_owned(),
        name.container.as_deref()?.to_owned(),
    );
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
fn follow(app: &mut App) -> Vec<Effect> {
    let is_recording = |app: &App| {
        let data = app.data.as_ref();
        data.is_some_and(|data| matches!(data.origin, Origin::Recording(_)))
    };
    let state = &app.trial;
    let reading = state.reading.as_ref().map(|reading| &reading.ask.from);
    let held = reading.or_else(|| state.sample.as_ref().map(|sample| &sample.from));
    let is_file = held.is_some_and(|of| matches!(of, DocumentsOf::Paths(_)));
    if !is_recording(app) || is_file {
        return Vec::new();
    }
    let held = held.cloned();
    let is_same = |from: &DocumentsOf| held.as_ref().is_some_and(|held| held.is_same(from));
    match origin(app) {
        Some(from) if is_same(&from) => Vec::new(),
        Some(from) => {
            let (time, queries) = app.trial.sample.as_ref().map_or((None, None), |sample| {
                (sample.time.clone(), sample.queries.clone())
            });
            let ask = SampleAsk {
                from,
                time,
                queries,
                held: None,
                scan: None,
            };
            read(app, ask)
        }
        None => {
            if held.is_some() {
                app.trial = State {
                    container: app.trial.container,
                    name: app.trial.name.clone(),
                    ..app.trial.renewed()
                };
            }
            Vec::new()
        }
    }
}

fn read_if_needed(app: &mut App) -> Vec<Effect> {
    if app.trial.sample.is_some() || app.trial.reading.is_some() {
        let mut effects = follow(app);
        effects.extend(start(app));
        return effects;
    }
    let Some(from) = origin(app) else {
        let mut effects = scanning::offer_once(app);
        effects.extend(start(app));
        return effects;
    };
    read(
        app,
        SampleAsk {
            from,
            time: None,
            queries: None,
            held: None,
            scan: None,
        },
    )
}

/// The current key with what sizes by key can tell of: suffixes, and `id` as a further level.
fn extended(key: &Candidate) -> Vec<Candidate> {
    let texts = [
        format!("{key} + \"-\" + random(10)"),
        format!("{key} > /id"),
    ];
    let read = texts.iter().filter_map(|text| Candidate::parse(text).ok());
    read.collect()
}

pub(super) fn read(app: &mut App, ask: SampleAsk) -> Vec<Effect> {
    let turn = app.turn.advance();
    app.trial.reading = Some(Reading {
        turn,
        ask: ask.clone(),
        progress: Progress::default(),
        meter: None,
        is_stopping: false,
    });
    vec![Effect::Sample(turn, ask)]
}

pub fn on_progress(app: &mut App, turn: Turn, progress: Progress) {
    if let Some(reading) = app.trial.reading.as_mut().filter(|r| r.turn == turn) {
        reading.progress = progress;
    } else {
        super::search::on_progress(app, turn, progress);
    }
}

/// Documents are there; a failure leaves what was there before.
pub fn on_sampled(
    app: &mut App,
    turn: Turn,
    sampled: Result<Shared<Sample>, Fault>,
) -> Vec<Effect> {
    if app.trial.reading.as_ref().is_none_or(|r| r.turn != turn) {
        return Vec::new();
    }
    let reading = app.trial.reading.take();
    let sample = match sampled {
        Ok(sample) => sample,
        Err(fault) => {
            let nothing_held = reading.is_some_and(|r| scanning::on_nothing_held(app, &r));
            if !nothing_held {
                app.status = crate::ui::app::Status::Failed(fault);
            }
            return Vec::new();
        }
    };
    scanning::on_sampled(app, &sample);
    app.trial.sample = Some(sample);
    for entry in &mut app.trial.entries {
        entry.age = entries::Age::Stale;
    }
    panels::on_documents(app);
    start(app)
}

pub fn is_busy(app: &App) -> bool {
    app.trial.reading.is_some() || app.trial.searching.is_some()
}

pub fn stop(app: &mut App) -> Vec<Effect> {
    if let Some(effects) = super::search::stop(app) {
        return effects;
    }
    if let Some(effects) = scanning::stop(app) {
        return effects;
    }
    app.trial.reading = None;
    app.say("reading documents was stopped");
    vec![Effect::StopSampling]
}

/// `:documents FILE …`.
pub fn read_documents(app: &mut App, paths: Vec<PathBuf>) -> Vec<Effect> {
    let mut effects = show(app);
    app.trial.reading = None;
    let ask = SampleAsk {
        from: DocumentsOf::Paths(paths),
        time: None,
        queries: app.trial.sample.as_ref().and_then(|s| s.queries.clone()),
        held: None,
        scan: None,
    };
    effects.retain(|effect| !matches!(effect, Effect::Sample(..)));
    effects.extend(read(app, ask));
    effects
}

/// `:queries FILE`.
pub fn read_queries(app: &mut App, paths: Vec<PathBuf>) -> Vec<Effect> {
    again(app, |ask| ask.queries = paths.into_iter().next())
}

/// `:time /path`.
pub fn date_by(app: &mut App, text: &str) -> Vec<Effect> {
    match Path::parse(text) {
        Ok(path) => again(app, |ask| ask.time = Some(path)),
        Err(fault) => {
            app.fail(
                format!("not a path: expected {}", visible(fault.what)),
                Some("a path is such as /_ts or /device/time"),
            );
            Vec::new()
        }
    }
}

/// The same documents with something else about them.
fn again(app: &mut App, change: impl FnOnce(&mut SampleAsk)) -> Vec<Effect> {
    let mut effects = show(app);
    let Some(sample) = app.trial.sample.clone() else {
        app.fail(
            "there are no documents yet",
            Some(":documents FILE reads some"),
        );
        return effects;
    };
    let mut ask = SampleAsk {
        from: sample.from.clone(),
        time: sample.time.clone(),
        queries: sample.queries.clone(),
        held: Some(sample),
        scan: None,
    };
    change(&mut ask);
    effects.extend(read(app, ask));
    effects
}

fn show(app: &mut App) -> Vec<Effect> {
    if super::is_shown(app) {
        return Vec::new();
    }
    app.go(ViewId::Trial);
    on_shown(app)
}

/// Commands that mean nothing without what follows their name.
pub fn takes_more(app: &mut App, action: Action) {
    let name = action.about().map_or("", |about| about.name);
    let wanted = match action {
        Action::DatedBy => "a path, such as /_ts",
        Action::Queries => "a file of queries",
        _ => "files of documents",
    };
    app.fail(
        format!("{name} wants {wanted} after its name"),
        Some("type it after a colon; Tab completes it"),
    );
}

/// The properties by which documents may be dated.
pub fn times(app: &App) -> Vec<String> {
    let Some(sample) = &app.trial.sample else {
        return Vec::new();
    };
    let documents = sample.ground.documents();
    let columns = documents.columns();
    let times = documents.time_columns().iter();
    let path = |time: &crate::model::documents::TimeColumn| {
        Some(visible(&columns.get(time.column)?.path().to_string()).into_owned())
    };
    times.filter_map(path).collect()
}

/// What stands in place of a table while there is none.
pub fn sentence(app: &App) -> Cow<'static, str> {
    let state = &app.trial;
    if state.sample.is_none()
        && let Some(sentence) = scanning::sentence(app)
    {
        return sentence.into();
    }
    if state.sample.is_none() && state.reading.is_none() && app.replay.is_some() {
        return "No documents were asked for by this moment of the recording: ] goes on to later ones, :documents FILE reads an \
                export."
            .into();
    }
    plain_sentence(state).into()
}

fn plain_sentence(state: &State) -> &'static str {
    if state.reading.is_some() {
        return "The documents are being read.";
    }
    match &state.sample {
        Some(_) if state.entries.is_empty() => {
            "The documents are there. t begins a key, such as /tenantId or /vin + \"-\" + month(/time); it is tried while \
             you type."
        }
        Some(_) => "The keys are being tried.",
        None => {
            "To try a key documents are needed: an export of some thousand of the container's documents, as JSON lines, a \
             JSON list, CSV or Parquet, is enough. :documents FILE reads them here, and cosmoscope open … --documents FILE \
             from the start. What the logs report names only the largest keys."
        }
    }
}
