//! Documents for the trial view: read with every path, dated, with the queries that are asked of them.

use std::path::PathBuf;
use std::sync::Arc;

use super::load::Loader;
use crate::analysis::candidate::{Candidate, KnownPath, PathKind};
use crate::analysis::paths::{PathRow, rows};
use crate::analysis::routing::workload::Workload;
use crate::analysis::rows::Note;
use crate::analysis::trial::PreparedDocuments;
use crate::error::Error;
use crate::model::documents::{Documents, Sureness};
use crate::model::units::real;
use crate::source::answers::Answer;
use crate::source::documents::{self, DocumentOptions, LoadedDocuments};
use crate::source::sampled::{SampledPages, recorded};
use crate::source::watch::Watch;
use crate::source::{input, scenario};
use crate::work::paths::at_home;
use crate::work::queries::{notes_of, workload};
use crate::work::sample::ScanResult;
use crate::work::shared::Shared;
use crate::work::threads::parallelism;
use crate::work::trial::{DocumentsOf, SampleAsk, TrialSample};

/// Commonest values kept of each path.
const COMMONEST: usize = 10;

/// Documents as they were read, and the whole ones among them by themselves where there are others.
struct Read {
    all: LoadedDocuments,
    whole: Option<LoadedDocuments>,
}

impl From<LoadedDocuments> for Read {
    fn from(all: LoadedDocuments) -> Self {
        Self { all, whole: None }
    }
}

/// What every trial on the same documents shares.
struct Ready {
    documents: Arc<Documents>,
    whole: Option<Arc<Documents>>,
    weighed: Option<u64>,
    paths: Arc<Vec<PathRow>>,
    notes: Vec<Note>,
}

impl Loader {
    /// Reads what is not there yet and makes the rest anew.
    pub fn sample(&self, ask: &SampleAsk, watch: &Watch) -> Result<Shared<TrialSample>, Error> {
        Self::sample_from(ask, &mut || self.documents(&ask.from, watch), None, watch)
    }

    /// The same of pages that an account gave.
    pub fn sampled<'p>(
        &self,
        ask: &SampleAsk,
        pages: impl Iterator<Item = &'p Answer>,
        scanned: Option<ScanResult>,
        watch: &Watch,
    ) -> Result<Shared<TrialSample>, Error> {
        let sampled = SampledPages::of(pages);
        let read = &mut || self.pages(&sampled, watch);
        Self::sample_from(ask, read, scanned, watch)
    }

    fn sample_from(
        ask: &SampleAsk,
        read: &mut dyn FnMut() -> Result<Read, Error>,
        scanned: Option<ScanResult>,
        watch: &Watch,
    ) -> Result<Shared<TrialSample>, Error> {
        let workload = workload(ask.queries.as_deref(), scenario_of(&ask.from))?;
        let held = ask.sample.as_ref().filter(|held| held.from == ask.from);
        let scanned = scanned.or_else(|| held?.scanned.clone());
        let ready = match held {
            Some(held) => Ready::of(held),
            None => Ready::read(read()?, &workload, watch)?,
        };
        let known = known(&ready.paths);
        let made = |documents: Arc<Documents>| {
            PreparedDocuments::made_by(parallelism(), documents, ask.time.as_ref())
        };
        let prepared = made(ready.documents);
        let whole = ready.whole.map(|whole| Arc::new(made(whole)));
        let dated = |prepared: &PreparedDocuments| prepared.time().is_some();
        if let Some(path) = &ask.time
            && !dated(&prepared)
            && !whole.as_deref().is_some_and(dated)
        {
            return Err(Error::unusable(
                format!("no document has a time at {path}"),
                "Tab after the command shows the paths",
            ));
        }
        Ok(Shared::new(TrialSample {
            from: ask.from.clone(),
            time: ask.time.clone(),
            queries: ask.queries.clone(),
            prepared: Arc::new(prepared),
            whole,
            weighed: ready.weighed,
            workload: Arc::new(workload),
            stored_documents: stored(ask)?,
            proposed: proposed(&ask.from),
            paths: ready.paths,
            known,
            notes: ready.notes,
            scanned,
        }))
    }

    fn reading(&self) -> DocumentOptions {
        let mut options = DocumentOptions::every();
        options.limits.memory_bytes =
            usize::try_from(self.import.memory_bytes).unwrap_or(usize::MAX);
        options
    }

    fn documents(&self, from: &DocumentsOf, watch: &Watch) -> Result<Read, Error> {
        let options = self.reading();
        match from {
            DocumentsOf::Live { .. } => Err(Error::input("an account is not a file of documents")),
            DocumentsOf::Recorded { path, place, database, container, .. } => {
                let ledger = self.known_at(path, *place, watch)?;
                let sampled = SampledPages::of(ledger.documents(database, container));
                self.pages(&sampled, watch)
            }
            DocumentsOf::Scenario { name, container } => {
                let count = self.drawn_documents.unwrap_or(scenario::SAMPLE_DOCUMENTS);
                let loaded = documents::of_scenario(name, container, count, &options, watch)?;
                Ok(loaded.into())
            }
            DocumentsOf::Paths(paths) => {
                let paths: Vec<PathBuf> = paths.iter().map(|p| at_home(p)).collect();
                let inputs = input::find_documents(&paths, &|| watch.keep_going())?;
                if let Some(recorded) = recorded(&inputs, None, watch)? {
                    return self.pages(&recorded.sampled(), watch);
                }
                Ok(documents::read(&inputs, &options, watch)?.into())
            }
        }
    }

    fn pages(&self, sampled: &SampledPages<'_>, watch: &Watch) -> Result<Read, Error> {
        let options = self.reading();
        if !sampled.is_narrow() {
            return Ok(documents::of_sample(sampled, &options, watch)?.into());
        }
        Ok(Read {
            all: documents::of_rows(sampled, &options, watch)?,
            whole: Some(documents::of_sample(sampled, &options, watch)?),
        })
    }
}

impl Ready {
    fn of(held: &TrialSample) -> Self {
        Self {
            documents: Arc::clone(held.prepared.documents()),
            whole: held.whole.as_ref().map(|w| Arc::clone(w.documents())),
            weighed: held.weighed,
            paths: Arc::clone(&held.paths),
            notes: held.notes.clone(),
        }
    }

    fn read(read: Read, workload: &Workload, watch: &Watch) -> Result<Self, Error> {
        let notes = notes_of(&read.all, workload);
        let documents = Arc::new(read.all.documents);
        let whole = read.whole.filter(|whole| !whole.documents.is_empty());
        let whole = whole.map(|whole| Arc::new(whole.documents));
        if documents.is_empty() {
            return Err(Error::unusable(
                "the inputs hold no document",
                "give documents as JSON lines, a JSON list, CSV or Parquet",
            ));
        }
        let keep_going = || watch.keep_going();
        let rows_of = |of: &Documents| rows(of, COMMONEST, &keep_going).ok_or(Error::Interrupted);
        let mut paths = rows_of(&documents)?;
        if let Some(whole) = &whole {
            // Of properties that were read of all documents all of them tell; of others the whole ones.
            let more = rows_of(whole)?.into_iter();
            let is_known = |row: &PathRow| documents.column(&row.path).is_some();
            paths.extend(more.filter(|row| !is_known(row)));
        }
        Ok(Self { documents, whole, weighed: read.all.weighed, paths: Arc::new(paths), notes })
    }
}

fn scenario_of(from: &DocumentsOf) -> Option<(&str, &str)> {
    match from {
        DocumentsOf::Scenario { name, container } => Some((name, container)),
        DocumentsOf::Paths(_) | DocumentsOf::Live { .. } | DocumentsOf::Recorded { .. } => None,
    }
}

/// How many documents there are in all, where the origin of the documents tells it.
fn stored(ask: &SampleAsk) -> Result<Option<f64>, Error> {
    let of = scenario_of(&ask.from);
    let stored = of.map(|(name, container)| scenario::stored_documents(name, container));
    Ok(stored.transpose()?.map(real))
}

/// Keys that a scenario proposes.
fn proposed(from: &DocumentsOf) -> Vec<Candidate> {
    let Some((name, container)) = scenario_of(from) else {
        return Vec::new();
    };
    let keys = scenario::keys_to_try(name, container);
    keys.iter().filter_map(|key| Candidate::parse(key).ok()).collect()
}

/// The paths with what stands there, for completion.
fn known(rows: &[PathRow]) -> Vec<KnownPath> {
    let known = rows.iter().map(|row| KnownPath { path: row.path.clone(), kind: kind(row) });
    known.collect()
}

fn kind(row: &PathRow) -> PathKind {
    let times = row.times.as_ref();
    if times.is_some_and(|times| times.sureness > Sureness::Possible) {
        return PathKind::Time;
    }
    let kinds = &row.kinds;
    let usable = [kinds.texts, kinds.numbers, kinds.bools];
    match usable.map(|n| n > 0) {
        [true, false, false] => PathKind::Text,
        [false, true, false] => PathKind::Number,
        [false, false, true] => PathKind::Bool,
        [false, false, false] if kinds.arrays + kinds.objects + kinds.too_large > 0 => {
            PathKind::Unusable
        }
        _ => PathKind::Mixed,
    }
}
