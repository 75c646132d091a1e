//! What a trial is measured against, and how the documents at hand stand for all of the container.

use std::sync::Arc;

use crate::model::documents::Documents;
use crate::model::time::Stamp;

use super::super::billing::Price;
use super::super::candidate::Candidate;
use super::super::ceiling::Ceiling;
use super::super::changes::PathChange;
use super::super::demand::CurrentLoad;
use super::super::demand::outcome::Outcome;
use super::super::routing::workload::Workload;
use super::key_placement::LayoutFrom;
use super::splits::PlacementRanges;
use super::today::Today;
use crate::model::layout::SplitPoint;
use crate::model::throughput::{ThroughputMode, initial_partitions, partitions_for_storage};
use crate::model::units::{count_text, real};

/// What a trial is measured against.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Physical partitions, with the ranges that a new container has. The current key has today's ranges where they are
    /// known, split until there are as many.
    pub partitions: usize,
    /// Provisioned RU/s.
    pub ru_per_second: Option<f64>,
    pub throughput_mode: ThroughputMode,
    /// What RU/s cost; None shows RU/s only.
    pub price: Option<Price>,
    /// Physical partitions that a new container is to have at least.
    pub least_partitions: usize,
    /// Demand: RU/s that clients request; where it is not known, the rates of the workload tell it, or nothing does.
    pub load_ru_per_second: Option<f64>,
    /// What clients request, with its rates where they are known.
    pub workload: Arc<Workload>,
    /// What is stored for each byte of a document: its indexes count, too.
    pub storage_factor: f64,
    /// The true size of the container, with its indexes.
    pub stored_bytes: Option<f64>,
    /// That size is expected, not measured: measured sizes hold only if it is the same.
    pub is_size_expected: bool,
    /// How many documents it holds, where that is counted; else its size and that of the documents at hand tell.
    pub stored_documents: Option<f64>,
    /// Of the documents at hand so many were read whole; what the others weigh is an estimate. None = all of them.
    pub weighed: Option<u64>,
    pub ceiling: Ceiling,
    /// Largest keys that are kept.
    pub top: usize,
    /// For random suffixes and intervals.
    pub seed: u64,
    /// What logs and reads tell of the container as it is.
    pub today: Option<Arc<Today>>,
    /// Where a split of a physical partition falls.
    pub cut: SplitPoint,
    /// By what a key's share of the RU is told.
    pub weight: Weight,
    /// What is written to the container in a day, with its indexes; as the documents' times tell unless this is given.
    pub growth_bytes_per_day: Option<f64>,
    /// Documents are deleted when they are so old.
    pub kept_days: Option<f64>,
    /// The day for which the sizes hold; the newest document's time unless this is given.
    pub as_of: Option<Stamp>,
    /// Which properties change, where an older capture of the documents shows it; else their names do.
    pub changes: Arc<Vec<PathChange>>,
}

impl Settings {
    pub(super) fn is_serverless(&self) -> bool {
        let today = self.today.as_ref();
        self.ru_per_second.is_none() && today.is_some_and(|today| today.is_serverless)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            partitions: 10,
            ru_per_second: None,
            throughput_mode: ThroughputMode::Manual,
            price: None,
            least_partitions: 1,
            load_ru_per_second: None,
            workload: Arc::default(),
            storage_factor: 1.0,
            stored_bytes: None,
            is_size_expected: false,
            stored_documents: None,
            weighed: None,
            ceiling: Ceiling::default(),
            top: 10,
            seed: 1,
            today: None,
            cut: SplitPoint::default(),
            weight: Weight::default(),
            growth_bytes_per_day: None,
            kept_days: None,
            as_of: None,
            changes: Arc::default(),
        }
    }
}

impl Settings {
    /// Today's demand, where logs name its keys.
    pub(super) fn measured(&self) -> Option<&CurrentLoad> {
        let now = self.today.as_ref()?.now.as_deref()?;
        (now.is_known && !now.demand.keys.is_empty()).then_some(now)
    }

    /// What becomes of the demand on today's partitions: the value that the heat view shows, for the key of today.
    pub(super) fn outcome(
        &self,
        candidate: &Candidate,
        ranges: &PlacementRanges,
    ) -> Option<Outcome> {
        let today = self.today.as_ref().filter(|t| t.is_current(candidate))?;
        let now = today.now.as_deref().filter(|now| now.is_known)?;
        let load = self.load_ru_per_second?;
        // Of what is not given today's key is not asked to serve its 403s.
        let is_measured = today.demand() == Some(load);
        let load = if is_measured { now.outcome.demand_ru_per_second } else { load };
        let grown = match ranges.from {
            LayoutFrom::TodaySplit { .. } if now.partitions.layout.is_some() => {
                Some(&ranges.layout)
            }
            _ if ranges.layout.len() > now.partitions.len() => return None,
            _ => None,
        };
        now.at(load, self.ru_per_second, grown)
    }

    pub(super) fn is_current(&self, candidate: &Candidate) -> bool {
        let today = self.today.as_ref();
        today.is_some_and(|today| today.is_current(candidate))
    }

    /// Whether an input says how large the container is.
    pub fn is_size_known(&self) -> bool {
        self.stored_bytes.is_some() || self.stored_documents.is_some()
    }

    /// Physical partitions that a new container has whatever RU/s are provisioned.
    pub(super) fn least_of_new(&self) -> usize {
        let stored = self.stored_bytes.unwrap_or(0.0);
        self.least_partitions.max(partitions_for_storage(stored / 1024.0))
    }

    /// The fewest RU/s for what is stored.
    pub(super) fn minimum(&self) -> f64 {
        let stored = self.stored_bytes.unwrap_or(0.0);
        self.throughput_mode.minimum(stored / 1024.0)
    }

    /// Physical partitions of a new container by its RU/s and by its size, where these alone decide.
    pub fn partitions_by(&self) -> Option<[usize; 2]> {
        let by_ru = initial_partitions(self.ru_per_second?, self.throughput_mode);
        let by_size = partitions_for_storage(self.stored_bytes? / 1024.0);
        (self.least_partitions <= by_ru.max(by_size)).then_some([by_ru, by_size])
    }

    /// Whether the container's own ranges are known: then those of a new one follow from its RU/s.
    pub fn are_ranges_known(&self) -> bool {
        self.today.as_ref().is_some_and(|t| t.ranges.is_some())
    }

    /// Physical partitions of a container that is created with these RU/s.
    fn created(&self, ru_per_second: f64) -> usize {
        initial_partitions(ru_per_second, self.throughput_mode).max(self.least_of_new())
    }

    /// The same with other RU/s; the partitions of a new container follow from them.
    #[must_use]
    pub fn at(&self, ru_per_second: f64) -> Self {
        let mut on = Self { ru_per_second: Some(ru_per_second), ..self.clone() };
        if !self.are_ranges_known() {
            on.partitions = self.created(ru_per_second);
        }
        on
    }

    /// Physical partitions of a new container that takes the place of one whose ranges are known.
    pub fn partitions_of_new(&self) -> usize {
        match self.ru_per_second.filter(|_| self.are_ranges_known()) {
            Some(ru) => self.created(ru),
            None => self.partitions,
        }
    }
}

words! {
    /// By what a key's share of the RU is told.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Weight {
        /// Each document costs the same.
        #[default]
        Documents = "documents",
        /// Each byte does.
        Bytes = "bytes",
        /// By the RU that logs name for the documents' current keys.
        Logged = "logged",
    }
    fn name, ALL
}

/// How the documents at hand stand for all of the container.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Whole {
    /// All documents and bytes, indexes included.
    pub documents: f64,
    pub bytes: f64,
    /// Documents looked at.
    pub looked_at: u64,
    pub is_sample: bool,
    /// No input tells how large the container is: the documents at hand are taken for all of it.
    pub is_assumed: bool,
    /// Of those looked at so many were weighed; the sizes of the others are estimates. None = all of them.
    pub weighed: Option<u64>,
    pub(super) documents_scale: f64,
    pub(in crate::analysis) bytes_scale: f64,
}

impl Whole {
    /// What is to be known of sizes where not every document was weighed.
    pub fn weighed_sentence(&self) -> Option<String> {
        let weighed = self.weighed?;
        let others = count_text(self.looked_at.saturating_sub(weighed));
        Some(format!(
            "sizes of {others} documents are estimates, the mean of {} that were read whole",
            count_text(weighed)
        ))
    }

    pub(super) fn of(documents: &Documents, settings: &Settings) -> Self {
        let looked_at = documents.len() as u64;
        let (n, kept) = (real(looked_at), real(documents.kept_bytes()));
        let seen = documents.seen();
        let factor = settings.storage_factor;
        let scale = |all: f64, part: f64| if part > 0.0 { all / part } else { 1.0 };
        // Counts of the service are some minutes old: there are at least those at hand.
        let counted = settings.stored_documents.map(|all| scale(all.max(n), n));
        let (documents_scale, bytes_scale) = match (settings.stored_bytes, counted) {
            (Some(stored), Some(counted)) => (counted, scale(stored, kept)),
            (Some(stored), None) => (scale(stored, kept * factor), scale(stored, kept)),
            (None, Some(counted)) => (counted, counted * factor),
            (None, None) if documents.is_sampled() => {
                (scale(real(seen.documents), n), scale(real(seen.bytes), kept) * factor)
            }
            (None, None) => (1.0, factor),
        };
        Self {
            documents: n * documents_scale,
            bytes: kept * bytes_scale,
            looked_at,
            // Twice what is there need not be a sample, but cannot be told from one.
            is_sample: documents.is_sampled() || documents_scale > 1.000_001,
            is_assumed: !settings.is_size_known(),
            weighed: settings.weighed.filter(|weighed| *weighed < looked_at),
            documents_scale,
            bytes_scale,
        }
    }
}
