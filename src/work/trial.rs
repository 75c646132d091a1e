//! Documents made ready for trials of keys, and what the trial view asks to be tried on them.

use std::cell::LazyCell;
use std::path::PathBuf;
use std::sync::Arc;

use super::data::Dataset;
use crate::analysis::candidate::{Candidate, KnownPath};
use crate::analysis::mask::Masker;
use crate::analysis::parallelism::Parallelism;
use crate::analysis::paths::PathRow;
use crate::analysis::routing::workload::Workload;
use crate::analysis::rows::Note;
use crate::analysis::trial::routes::Routed;
use crate::analysis::trial::{
    CannotTell, KeepGoing, KeyLog, PreparedDocuments, Settings, Today, Trial, Trials,
};
use crate::error::Error;
use crate::model::path::Path;
use crate::model::time::Stamp;
use crate::model::units::{count_text, real};
use crate::report::trial::TrialReport;
use crate::work::queries::{logged, workload};
use crate::work::sample::{ScanAsk, ScanResult};
use crate::work::shared::Shared;

/// Where documents come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DocumentsOf {
    Paths(Vec<PathBuf>),
    /// Those that a built-in scenario draws for one of its containers.
    Scenario {
        name: &'static str,
        container: String,
    },
    /// Those that were asked of an account.
    Live {
        database: String,
        container: String,
    },
    /// Those of an account that a recording holds, up to a moment of it.
    Recorded {
        path: PathBuf,
        place: usize,
        database: String,
        container: String,
        /// Pages that are there by then: as long as there are no more, the documents are the same.
        pages: usize,
    },
}

impl DocumentsOf {
    /// Whether the documents are the same, at whatever moment of a recording.
    pub fn is_same(&self, other: &Self) -> bool {
        let anywhen = |of: &Self| match of.clone() {
            Self::Recorded { path, database, container, pages, .. } => {
                Self::Recorded { path, place: 0, database, container, pages }
            }
            other => other,
        };
        anywhen(self) == anywhen(other)
    }
}

/// A question for documents: which, by which property they are dated, and what is asked of them.
#[derive(Clone, PartialEq, Debug)]
pub struct SampleAsk {
    pub from: DocumentsOf,
    /// The likeliest unless it is named.
    pub time: Option<Path>,
    /// A file of queries in place of those that the origin knows.
    pub queries: Option<PathBuf>,
    /// Documents that are there already need not be read again.
    pub sample: Option<Shared<TrialSample>>,
    /// Of an account: what is to be asked first; without it what was asked before is all.
    pub scan: Option<ScanAsk>,
}

/// Documents made ready for trials.
#[derive(Debug)]
pub struct TrialSample {
    pub from: DocumentsOf,
    pub time: Option<Path>,
    pub queries: Option<PathBuf>,
    pub prepared: Arc<PreparedDocuments>,
    /// The whole ones among them, where of the others only some properties were read.
    pub whole: Option<Arc<PreparedDocuments>>,
    /// So many were weighed, where the sizes of others are estimates.
    pub weighed: Option<u64>,
    pub workload: Arc<Workload>,
    /// How many documents the container holds, where the origin knows it.
    pub stored_documents: Option<f64>,
    /// Keys that the origin proposes to try.
    pub proposed: Vec<Candidate>,
    /// What stands at each path.
    pub paths: Arc<Vec<PathRow>>,
    /// For completion.
    pub known: Vec<KnownPath>,
    pub notes: Vec<Note>,
    /// Of an account: how asking ended.
    pub scanned: Option<ScanResult>,
}

impl TrialSample {
    /// Whether a key names a property that was read of whole documents only.
    pub fn needs_whole(&self, candidate: &Candidate) -> bool {
        self.lacks(candidate.paths())
    }

    /// What is to be said of how documents of an account were chosen.
    pub fn provenance(&self) -> &[Note] {
        match self.from {
            DocumentsOf::Live { .. } | DocumentsOf::Recorded { .. } => &self.notes,
            DocumentsOf::Paths(_) | DocumentsOf::Scenario { .. } => &[],
        }
    }

    /// On which documents such a key is tried, and what to do about it.
    pub fn on_whole(&self, candidate: &Candidate) -> Option<String> {
        let whole = self.whole.as_ref().filter(|_| self.needs_whole(candidate))?;
        let all = self.prepared.documents();
        let lacking = candidate.paths().into_iter();
        let lacking = lacking.filter(|path| all.column(path).is_none());
        let lacking: Vec<String> = lacking.map(ToString::to_string).collect();
        let few = whole.documents().len() as u64;
        let others = (all.len() as u64).saturating_sub(few);
        Some(format!(
            "Tried on the {} whole documents only: {} was not read of the {} others. Another sample, with it among the \
             properties, shows more.",
            count_text(few),
            lacking.join(", "),
            count_text(others)
        ))
    }

    fn lacks<'p>(&self, paths: impl IntoIterator<Item = &'p Path>) -> bool {
        let all = self.prepared.documents();
        let is_lacking = |path: &Path| all.column(path).is_none();
        self.whole.is_some() && paths.into_iter().any(is_lacking)
    }

    /// The documents that have every property that is named, and how they stand for all.
    pub fn prepared_for<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p Path>,
        settings: &Settings,
    ) -> (Arc<PreparedDocuments>, Settings) {
        let whole = self.whole.as_ref();
        match whole.filter(|_| self.lacks(paths)) {
            Some(whole) => (Arc::clone(whole), self.of_whole(settings)),
            None => (Arc::clone(&self.prepared), settings.clone()),
        }
    }

    /// Documents with every property that there is: the whole ones.
    pub fn every_path(&self, settings: &Settings) -> (Arc<PreparedDocuments>, Settings) {
        match &self.whole {
            Some(whole) => (Arc::clone(whole), self.of_whole(settings)),
            None => (Arc::clone(&self.prepared), settings.clone()),
        }
    }

    /// Whole documents stand for what all of them stand for, and each of them was weighed.
    fn of_whole(&self, settings: &Settings) -> Settings {
        let is_unreported = settings.stored_documents.is_none() && settings.stored_bytes.is_none();
        let all = real(self.prepared.documents().len() as u64);
        Settings {
            stored_documents: settings.stored_documents.or(is_unreported.then_some(all)),
            weighed: None,
            ..settings.clone()
        }
    }
}

/// Whether a person is still typing: then it waits a moment, for the next letter makes it useless.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypingPace {
    AtOnce,
    Typed,
}

/// A question for what inputs tell of a container.
#[derive(Clone, PartialEq, Debug)]
pub struct LookAsk {
    pub data: Shared<Dataset>,
    pub container: u32,
    pub keys: LoggedKeys,
    /// A file of queries: where they go needs no document.
    pub queries: Option<PathBuf>,
}

/// Whether the keys that logs name are wanted: they take their time, and where there are documents nobody asks them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoggedKeys {
    Wanted,
    LeftOut,
}

/// What inputs tell of a container as it is.
#[derive(Debug, Default)]
pub struct AsItIs {
    pub today: Option<Arc<Today>>,
    pub logged: Option<Shared<KeyLog>>,
    /// Of a file, else of the logs.
    pub workload: Arc<Workload>,
}

impl LookAsk {
    pub fn answer(&self) -> Result<Shared<AsItIs>, Error> {
        let logged = || logged(&self.data.capture, self.container);
        let workload = match &self.queries {
            Some(file) => workload(Some(file), None)?,
            None => logged().unwrap_or_default(),
        };
        Ok(Shared::new(AsItIs { workload: Arc::new(workload), ..self.reported() }))
    }

    fn reported(&self) -> AsItIs {
        let diagnosis = self.data.diagnoses.container(self.container);
        let diagnosis = diagnosis.cloned().unwrap_or_default();
        let now = diagnosis.now.clone();
        let logged = match self.keys {
            LoggedKeys::Wanted => KeyLog::of(&self.data.capture, self.container, now.clone()),
            LoggedKeys::LeftOut => None,
        };
        let mut rows = self.data.overview.rows.iter();
        let row = rows.find(|row| row.number == self.container);
        let measured = row.map(|row| row.standing.clone());
        let today = Today::of(&self.data.capture, self.container, now);
        let today = today.map(|today| today.diagnosed(&diagnosis, measured));
        AsItIs {
            today: today.map(Arc::new),
            logged: logged.map(Shared::new),
            workload: Arc::default(),
        }
    }
}

/// What keys are tried on.
#[derive(Clone, PartialEq, Debug)]
pub enum TriedOn {
    Documents(Shared<TrialSample>),
    /// Sizes and RU of the keys that logs name: of some keys they tell enough.
    Logs(Shared<KeyLog>),
}

/// Keys to be tried, in the order in which they are wanted.
#[derive(Clone, PartialEq, Debug)]
pub struct TryAsk {
    pub on: TriedOn,
    pub settings: Settings,
    pub candidates: Vec<Candidate>,
    pub pace: TypingPace,
}

/// What one key does, and where the queries go.
#[derive(Debug)]
pub struct TrialOutcome {
    pub trial: Trial,
    pub routed: Vec<Routed>,
}

/// A key of which the logs do not tell enough.
#[derive(Clone, PartialEq, Debug)]
pub struct TrialRefusal {
    pub candidate: Candidate,
    /// Why, what documents would add, and where the queries go.
    pub because: CannotTell,
}

impl TryAsk {
    /// One after another, each by all workers; ends where `keep_going` says no.
    pub fn answer(
        &self,
        workers: Parallelism,
        keep_going: &KeepGoing<'_>,
        tell: &mut dyn FnMut(Result<TrialOutcome, TrialRefusal>),
    ) {
        match &self.on {
            TriedOn::Documents(sample) => {
                self.on_documents(sample, workers, keep_going, &mut |tried| tell(Ok(tried)));
            }
            TriedOn::Logs(logged) => {
                for candidate in self.candidates.iter().take_while(|_| keep_going()) {
                    tell(self.on_logs(logged, candidate));
                }
            }
        }
    }

    fn on_logs(
        &self,
        logged: &KeyLog,
        candidate: &Candidate,
    ) -> Result<TrialOutcome, TrialRefusal> {
        let tried = logged.trial_with_routes(candidate, &self.settings);
        let (trial, routed) =
            tried.map_err(|because| TrialRefusal { candidate: candidate.clone(), because })?;
        Ok(TrialOutcome { trial, routed })
    }

    fn on_documents(
        &self,
        sample: &TrialSample,
        workers: Parallelism,
        keep_going: &KeepGoing<'_>,
        tell: &mut dyn FnMut(TrialOutcome),
    ) {
        let of = |(prepared, settings)| Trials::new(prepared, settings).with_parallelism(workers);
        let all = LazyCell::new(|| of(sample.prepared_for([], &self.settings)));
        let whole = LazyCell::new(|| of(sample.every_path(&self.settings)));
        for candidate in &self.candidates {
            let trials: &Trials = if sample.needs_whole(candidate) { &whole } else { &all };
            let Some((trial, routed)) = trials.trial_while(candidate, keep_going) else {
                return;
            };
            tell(TrialOutcome { trial, routed });
        }
    }
}

/// Candidates side by side as they are shown.
#[derive(Clone, PartialEq, Debug)]
pub struct TrialShown {
    pub report: Shared<TrialReport>,
    /// None where keys were tried on logs.
    pub sample: Option<Shared<TrialSample>>,
    /// Files and folders that show the container as it is.
    pub logs: Vec<PathBuf>,
    /// The key that was decided for.
    pub decided: Option<Candidate>,
    pub now: Option<Stamp>,
    /// Values are replaced where it is given.
    pub masker: Option<Shared<Masker>>,
}
