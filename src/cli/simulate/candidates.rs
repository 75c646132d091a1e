//! Other keys for the same container: documents say what data and load become under each.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::analysis::candidate::Candidate;
use crate::analysis::columns::Lookups;
use crate::analysis::diagnosis::Diagnosis;
use crate::analysis::heat::Heat;
use crate::analysis::rows::Note;
use crate::analysis::simulate::{LapseStart, SimulateQuestion, TimeLapse};
use crate::analysis::trial::{PreparedDocuments, Settings, Trials};
use crate::cli::progress::{self, FileNames};
use crate::cli::settings;
use crate::cli::trial::{TrialArguments, TrialInputs, parts};
use crate::config::Config;
use crate::error::{Error, usage};
use crate::model::capture::Capture;
use crate::report::trial::KeyRole;
use crate::source::watch::Watch;
use crate::work::queries::workload;
use crate::work::threads::parallelism;

use super::SimulateArguments;

/// Keys other than today's.
const MOST: usize = 3;

#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Data")]
pub struct CandidateArguments {
    /// Also simulate a new container with this key, such as '/tenantId > /userId'; up to three times
    #[arg(long, value_name = "KEY", conflicts_with = "suffixes")]
    pub key: Vec<String>,
    /// Documents of the container, from which the keys are made; a scenario has its own
    #[arg(long, value_name = "FILE", requires = "key", conflicts_with_all = ["scenario", "suffixes"])]
    pub documents: Vec<PathBuf>,
    /// Queries as text or JSON, each with its rate if known
    #[arg(long, value_name = "FILE", requires = "key", conflicts_with = "suffixes")]
    pub queries: Option<PathBuf>,
}

/// Lapses of the keys that are wanted.
pub(super) fn lapses(
    c: &SimulateArguments,
    (capture, number): (&Capture, Option<u32>),
    (start, diagnosis): (&LapseStart, Diagnosis),
    asked: &SimulateQuestion,
    (config, watch): (&Config, &Watch),
) -> Result<Vec<TimeLapse>, Error> {
    if c.candidates.key.len() > MOST {
        return Err(Error::usage(format!("--key may be given {MOST} times")));
    }
    if c.candidates.documents.is_empty() && c.scenario.scenario.is_none() {
        return Err(usage(
            "--key needs documents of the container",
            "add --documents FILE: JSON lines, a JSON list, CSV or Parquet",
        ));
    }
    let with = as_trial(c, start);
    let container = number.map(|number| (capture, number));
    let today = container.and_then(|of| parts::today(of, &diagnosis, asked.ceiling));
    let keys = parts::keys(&with, today.as_ref())?;
    let scenario = with.scenario.as_deref().zip(with.container.as_deref());
    let workload = workload(with.against.queries.as_deref(), scenario)?;
    let options = parts::options(&with, &keys, None, config)?;
    let needed: Vec<_> = keys.iter().flat_map(|(key, _)| key.paths()).cloned().collect();
    let is_masked = c.reading.masking.mask;
    let read = || parts::load(&with, &options, &needed, watch);
    let names = FileNames::of(is_masked);
    let mut loaded = progress::during(watch, c.reading.quiet, names, read)?;
    if is_masked {
        // They may name files.
        loaded.notes.clear();
    }
    parts::refuse_misspelled(&with, &parts::absent_paths(&keys, &loaded), config, watch)?;
    let settings = parts::settings(&with, &loaded, today, workload, config)?;
    let documents = std::mem::take(&mut loaded.documents);
    let prepared = PreparedDocuments::made_by(parallelism(), documents, None);
    let trials = Trials::new(Arc::new(prepared), settings).with_parallelism(parallelism());
    let mut lapses = of_trials(&trials, &keys, (start, asked), watch)?;
    for lapse in &mut lapses {
        lapse.notes.extend(loaded.notes.iter().map(Note::new));
    }
    Ok(lapses)
}

/// Lapses of the candidates, of the key of today where it is alone.
fn of_trials(
    trials: &Trials,
    keys: &[(Candidate, KeyRole)],
    (start, asked): (&LapseStart, &SimulateQuestion),
    watch: &Watch,
) -> Result<Vec<TimeLapse>, Error> {
    let is_candidate = |(_, role): &(Candidate, KeyRole)| *role == KeyRole::Candidate;
    let is_alone = !keys.iter().any(is_candidate);
    let lapse = |(key, _): &(Candidate, KeyRole)| {
        let on = (start, asked.until_s);
        let start = trials.start_of(key, on, &|| watch.keep_going());
        let lapse = TimeLapse::of(&start.ok_or(Error::Interrupted)?, asked);
        Ok(TimeLapse { key: Some(key.to_string()), ..lapse })
    };
    keys.iter().filter(|key| is_alone || is_candidate(key)).map(lapse).collect()
}

/// Lapses of the keys that `check` tries, from the container as its logs show it.
pub(in crate::cli) fn on_logs(
    c: &TrialArguments,
    place: Option<(&Capture, u32)>,
    (prepared, settings, keys): (&Arc<PreparedDocuments>, &Settings, &[(Candidate, KeyRole)]),
    (config, watch): (&Config, &Watch),
) -> Result<Vec<TimeLapse>, Error> {
    let Some(asked) = &c.simulate else {
        return Ok(Vec::new());
    };
    let thresholds = settings::thresholds(config)?;
    let start = place.and_then(|(capture, number)| {
        let (heat, lookups) = (Heat::of(capture), Lookups::of(capture, asked.ceiling));
        let with = (&heat, &lookups, &thresholds);
        LapseStart::of(capture, number, with, asked, settings.as_of)
    });
    let trials = Trials::new(Arc::clone(prepared), settings.clone());
    let start = start.unwrap_or_default();
    of_trials(&trials.with_parallelism(parallelism()), keys, (&start, asked), watch)
}

/// The trial that reads the documents.
fn as_trial(c: &SimulateArguments, start: &LapseStart) -> TrialArguments {
    let scenario = c.scenario.scenario.clone();
    TrialArguments {
        container: scenario.as_ref().and(start.name.container.as_deref()).map(str::to_owned),
        scenario,
        key: c.candidates.key.clone(),
        ceiling: c.measure.ceiling.clone(),
        memory: c.reading.memory.clone(),
        as_of: c.measure.as_of.clone(),
        quiet: c.reading.quiet,
        ..TrialArguments::of(
            c.candidates.documents.clone(),
            TrialInputs {
                queries: c.candidates.queries.clone(),
                ru: c.terms.ru,
                retention: c.terms.retention.clone(),
                ..TrialInputs::default()
            },
        )
    }
}

/// That one of several containers is simulated.
pub(super) fn note_of(of: usize) -> Option<Note> {
    let text = || {
        format!(
            "Of {of} containers the one with the largest key or, without keys, most data; --container takes another."
        )
    };
    (of > 1).then(|| Note::new(text()))
}
