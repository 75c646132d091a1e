//! What was asked to be opened, read and summed up into a dataset.

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::replay::Replays;
use crate::analysis::columns::{ColumnsPart, Lookups};
use crate::analysis::design::query_visits;
use crate::analysis::diagnosis::thresholds::Thresholds;
use crate::analysis::rows::{Note, Report};
use crate::analysis::select::Selection;
use crate::analysis::summary::{self, Summary};
use crate::error::Error;
use crate::model::capture::{Capture, CaptureBuilder};
use crate::model::largest::{Glimpse, LargestKeys};
use crate::model::units::count_text;
use crate::source::ledger::Ledger;
use crate::source::live::target::Target;
use crate::source::watch::Watch;
use crate::source::{import, input, scenario};
use crate::work::data::{Dataset, Origin, Stage, Watched};
use crate::work::paths::at_home;
use crate::work::shared::Shared;

/// Keys in the report of a dataset: more than anyone reads, few enough to be made in no time. Exports make their own.
const KEYS_IN_REPORT: usize = 1_000;
/// Keys kept where the memory budget does not hold all of them; in a small budget fewer.
const KEYS_OVER_BUDGET: u64 = 100_000;
/// What one of them takes: its series twice while the next part is looked through, its row and its columns.
const KEY_BYTES: u64 = 1024;

/// How inputs are read and measured.
#[derive(Clone, Debug, Default)]
pub struct Loader {
    pub import: import::ImportOptions,
    pub summary: summary::SummaryOptions,
    pub thresholds: Thresholds,
    /// How many documents a scenario draws for trials; as many as its commands unless told.
    pub drawn_documents: Option<u64>,
    /// The recording that is open.
    pub replays: Replays,
    /// Held while a dataset is made: the next one may be asked for faster than one is made, and each takes as much memory as
    /// what is shown.
    pub making: Arc<Mutex<()>>,
}

impl Loader {
    pub fn load(&self, origin: Origin, watch: &Watch) -> Result<Shared<Dataset>, Error> {
        match &origin {
            Origin::Scenario(name) => {
                let builder = CaptureBuilder::new(self.import.seed);
                self.alone(watch, || scenario::load(name, query_visits, &builder))?;
                let data = self.dataset(origin, Stage::Whole, builder.finish(), watch);
                data.map(Shared::new)
            }
            Origin::Paths(paths) => {
                let paths: Vec<PathBuf> = paths.iter().map(|p| at_home(p)).collect();
                self.read(origin, &paths, watch).map(Shared::new)
            }
            Origin::Recording(path) => self.replay(path, watch),
            Origin::Live(_) => Err(Error::input("an account is visited, not read")),
        }
    }

    /// Waits until no other dataset is made, and makes what is wanted even then. On a thread of its own, which takes over the
    /// memory that the one before it freed: each of the runtime's threads would keep some for itself.
    fn alone<T: Send>(
        &self,
        watch: &Watch,
        make: impl FnOnce() -> Result<T, Error> + Send,
    ) -> Result<T, Error> {
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        watch.check()?;
        let joined = thread::scope(|scope| scope.spawn(make).join());
        joined.unwrap_or_else(|fault| resume_unwind(fault))
    }

    /// What an account told so far.
    pub fn watched(
        &self,
        target: &Target,
        ledger: &Ledger,
        watch: &Watch,
    ) -> Result<Shared<Dataset>, Error> {
        let capture = ledger.capture(&self.import, watch)?;
        let origin = Origin::Live(Box::new(target.clone()));
        let mut data = self.dataset(origin, Stage::Whole, capture, watch)?;
        data.watched = Some(Watched::of(ledger));
        Ok(Shared::new(data))
    }

    fn read(&self, origin: Origin, paths: &[PathBuf], watch: &Watch) -> Result<Dataset, Error> {
        let inputs = input::find(paths, &|| watch.keep_going())?;
        // The list of keys takes two thirds of what their table does: 48 bytes a key, twice while its parts are joined.
        let held_bytes = self.import.free_bytes() * 2 / 5;
        let import = import::ImportOptions { held_bytes, ..self.import.clone() };
        let most = KEYS_OVER_BUDGET.min(held_bytes / KEY_BYTES);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let mut summary = Summary::new(self.summary_options(KEYS_IN_REPORT));
        let mut largest = None;
        let mut capture = import::import(&inputs, &import, watch, &mut |part| {
            // The first part: all would not fit, so the report takes the place of the table.
            let largest = largest.get_or_insert_with(|| {
                summary = Summary::new(self.summary_options(most));
                LargestKeys::new(most)
            });
            summary.absorb(part);
            largest.absorb(&part.sizes);
            Ok(())
        })?;
        let Some(mut largest) = largest else {
            return self.dataset(origin, Stage::Whole, capture, watch);
        };
        summary.absorb(&capture);
        largest.absorb(&capture.sizes);
        let keys_total: u64 = largest.keys_seen().iter().sum();
        capture.sizes = largest.finish();
        let mut report = summary.finish();
        report.notes.push(Note::new(format!(
            "more keys than memory: the {} largest are shown; --memory changes that",
            count_text(most as u64)
        )));
        self.with_tables(origin, Stage::Largest { keys_total }, capture, report, watch)
    }

    /// What is known while reading goes on, or when it was stopped.
    pub fn glimpsed(
        &self,
        origin: Origin,
        stage: fn(u64) -> Stage,
        glimpse: Glimpse,
    ) -> Option<Dataset> {
        let keys_so_far = glimpse.keys_so_far.iter().sum();
        // So few keys that it is not worth being stopped.
        let watch = Watch::default();
        let data = self.dataset(origin, stage(keys_so_far), glimpse.capture, &watch);
        data.ok()
    }

    pub(super) fn dataset(
        &self,
        origin: Origin,
        stage: Stage,
        capture: Capture,
        watch: &Watch,
    ) -> Result<Dataset, Error> {
        let mut summary = Summary::new(self.summary_options(KEYS_IN_REPORT));
        summary.absorb(&capture);
        self.with_tables(origin, stage, capture, summary.finish(), watch)
    }

    /// The tables that the list of keys is made from, by two threads.
    fn with_tables(
        &self,
        origin: Origin,
        stage: Stage,
        capture: Capture,
        report: Report,
        watch: &Watch,
    ) -> Result<Dataset, Error> {
        self.alone(watch, || {
            let lookups = Lookups::of(&capture, self.summary.ceiling);
            let keep_going = || watch.keep_going();
            let parts = thread::scope(|scope| {
                let second = scope.spawn(|| ColumnsPart::of(&capture, &lookups, 1, 2, &keep_going));
                let first = ColumnsPart::of(&capture, &lookups, 0, 2, &keep_going);
                let second = second.join().unwrap_or_else(|fault| resume_unwind(fault));
                Some(vec![first?, second?])
            });
            let parts = parts.ok_or(Error::Interrupted)?;
            let thresholds = self.thresholds.clone();
            let data = Dataset::joined(origin, stage, capture, report, lookups, parts, thresholds);
            // Nobody takes what was given up; here it is freed off the screen's thread.
            watch.check().map(|()| data)
        })
    }

    fn summary_options(&self, keys: usize) -> summary::SummaryOptions {
        summary::SummaryOptions {
            selection: Selection::Top(keys),
            has_prefixes: true,
            has_distributions: true,
            ..self.summary.clone()
        }
    }
}
