//! What a trial is measured against, each key tried, and what is to be said beside the numbers.

use std::sync::Arc;

use super::super::option_values;
use super::TrialArguments;
use crate::analysis::candidate::Candidate;
use crate::analysis::migration::MigrationScope;
use crate::analysis::routing::workload::{Request, Workload};
use crate::analysis::rows::Note;
use crate::analysis::trial::verdict::created_otherwise;
use crate::analysis::trial::{
    PreparedDocuments, Settings, Today, Trial as TrialOutcome, Trials, Weight,
};
use crate::config::Config;
use crate::error::Error;
use crate::model::throughput::{partitions_after, planned_partitions};
use crate::model::units::real;
use crate::report::trial::{KeyRole, TrialReport};
use crate::source::documents::LoadedDocuments;
use crate::source::scenario;
use crate::source::watch::Watch;
use crate::work::queries::notes_of;
use crate::work::threads::parallelism;

pub(in crate::cli) fn settings(
    c: &TrialArguments,
    loaded: &LoadedDocuments,
    today: Option<Today>,
    workload: Workload,
    config: &Config,
) -> Result<Settings, Error> {
    let factor = c.against.storage_factor;
    let stored = match (&c.scenario, &c.container) {
        (Some(name), Some(container)) => {
            let all = real(scenario::stored_documents(name, container)?);
            let mean = real(loaded.documents.kept_bytes()) / real(loaded.documents.len() as u64);
            Some(all * mean * factor)
        }
        _ => None,
    };
    let seen = real(loaded.documents.seen().bytes) * factor;
    let settings = given(c, stored, seen, today, workload, config)?;
    let design = c.scenario.as_deref().map(scenario::assumed).transpose()?;
    let kept_days = design.flatten().and_then(|design| design.kept_days());
    Ok(Settings {
        weighed: loaded.weighed,
        kept_days: settings.kept_days.or(kept_days),
        ..settings
    })
}

/// As the options say, else as is known of the container; `seen` are the bytes that are at hand.
pub(super) fn given(
    c: &TrialArguments,
    stored: Option<f64>,
    seen: f64,
    today: Option<Today>,
    workload: Workload,
    config: &Config,
) -> Result<Settings, Error> {
    let given = &c.against;
    let known = stored.or(today.as_ref().and_then(|t| t.stored_bytes));
    // A size that somebody gives and a count that logs tell may be of two different days.
    let counted = today.as_ref().and_then(|t| t.stored_documents);
    let counted = counted.filter(|_| given.stored.is_none() && stored.is_none());
    let stored = size("--stored", given.stored.as_deref())?.or(known);
    let ru = given.ru.or(today.as_ref().and_then(|t| t.ru_per_second));
    let measured = today.as_ref().and_then(Today::demand);
    let mode = today.as_ref().and_then(|t| t.throughput_mode);
    let mode = mode.unwrap_or_default();
    let planned = || {
        let stored = stored.map(|b| b / 1024.0);
        planned_partitions(ru.or(given.load), mode, stored, seen / 1024.0)
    };
    let partitions = match (given.partitions, today.as_ref().and_then(Today::partitions)) {
        (least, Some(known)) => partitions_after(least.unwrap_or(1).max(known), given.ru),
        (Some(least), None) if ru.is_some() || stored.is_some() => least.max(planned()),
        (Some(least), None) => least,
        (None, None) => planned(),
    };
    Ok(Settings {
        partitions,
        ru_per_second: ru,
        throughput_mode: mode,
        price: config.price.clone(),
        least_partitions: given.partitions.unwrap_or(1),
        load_ru_per_second: given.load.or(measured),
        workload: Arc::new(workload),
        storage_factor: given.storage_factor,
        stored_bytes: stored,
        is_size_expected: given.stored.is_some(),
        stored_documents: counted,
        weighed: None,
        ceiling: option_values::ceiling(c.ceiling.as_deref(), config)?,
        top: c.top,
        seed: given.seed,
        today: today.map(Arc::new),
        cut: given.cut.cut(),
        weight: given.weight.weight(),
        growth_bytes_per_day: size("--growth", given.growth.as_deref())?,
        kept_days: given
            .retention
            .as_deref()
            .map(|text| option_values::days("--retention", text))
            .transpose()?,
        as_of: option_values::as_of(c.as_of.as_deref())?,
        changes: Arc::default(),
    })
}

fn size(option: &str, text: Option<&str>) -> Result<Option<f64>, Error> {
    text.map(|text| option_values::size(option, text)).transpose()
}

pub(super) fn tried(
    prepared: &Arc<PreparedDocuments>,
    settings: Settings,
    keys: &[(Candidate, KeyRole)],
    watch: &Watch,
) -> Result<TrialReport, Error> {
    let trials =
        Trials::new(Arc::clone(prepared), settings.clone()).with_parallelism(parallelism());
    let mut made = Vec::new();
    for (key, stands) in keys {
        let made_of = trials.trial_while(key, &|| watch.keep_going());
        let (trial, routed) = made_of.ok_or(Error::Interrupted)?;
        made.push((trial, *stands, routed));
    }
    let shown: Vec<&TrialOutcome> = made.iter().map(|m| &m.0).collect();
    let notes = trials.notes(&shown);
    let mut notes: Vec<Note> = notes.into_iter().map(Note::new).collect();
    if trials.weight() == Weight::Documents && trials.settings().weight == Weight::Documents {
        notes.push(Note::new(
            "each document is taken to cost the same RU; reads are known from --queries or from logs with query texts",
        ));
    }
    notes.extend(scope_notes(&trials, keys));
    Ok(TrialReport::of(settings, trials.whole(), made, notes))
}

/// Which keys break batches and procedures that the requests hold.
fn scope_notes(trials: &Trials, keys: &[(Candidate, KeyRole)]) -> Vec<Note> {
    let mut requests = trials.settings().workload.requests.iter();
    let current = keys.iter().find(|(_, role)| *role == KeyRole::Current);
    let Some((current, _)) = current.filter(|_| requests.any(Request::is_transaction)) else {
        return Vec::new();
    };
    let before = trials.document_keys(current);
    let others = keys.iter().filter(|(key, _)| key != current);
    let broken = others.filter_map(|(key, _)| {
        let scope = MigrationScope::of(&before, &trials.document_keys(key));
        Some(Note::new(scope.broken_sentence(key)?))
    });
    broken.collect()
}

pub(super) fn notes(settings: &Settings, loaded: &LoadedDocuments) -> Vec<Note> {
    let mut notes = notes_of(loaded, &settings.workload);
    notes.push(Note::new(format!(
        "a document's size is its text without blanks, times the storage factor {}: indexes count towards {}, too",
        settings.storage_factor,
        settings.ceiling.name()
    )));
    if !settings.is_size_known() {
        notes.push(Note::new(
            "the size of the container is unknown: no growth and no dates. Give --stored, or the size of the documents if they are all",
        ));
    }
    let rates = || settings.workload.requests.iter().map(|r| r.per_second);
    let is_rated = rates().len() > 0 && rates().all(|rate| rate.is_some());
    match (settings.load_ru_per_second, is_rated) {
        (None, false) => notes.push(Note::new(
            "demand is unknown: no throttled share and no RU/s to buy. Give --load, or --queries with a rate for each request",
        )),
        (None, true) => notes.push(Note::new(
            "demand is that of the requests, each rate times its charge, of queries 2.5 RU where none is given; --load scales it",
        )),
        (Some(_), false) if rates().len() > 0 => notes.push(Note::new(
            "requests without a rate are taken to be as frequent as the others are on average",
        )),
        (Some(_), _) => {}
    }
    notes
}

/// That queries which somebody gives tell another growth than the one that is taken.
pub(super) fn growth_note(c: &TrialArguments, made: &TrialReport) -> Option<Note> {
    c.against.queries.as_ref()?;
    let found = made.searched.suggestions.iter();
    let proposed = found.flat_map(|found| &found.proposals);
    let proposed = proposed.map(|one| (&one.trial, &one.routed));
    let tried = made.candidates.iter().map(|one| (&one.trial, &one.routed));
    let (first, routed) = tried.chain(proposed).next()?;
    created_otherwise(first, routed, &made.settings).map(Note::new)
}
