//! What another key would do to the documents at hand: sizes, load, physical partitions, queries, and what speaks
//! against it.
//!
//! [`PreparedDocuments`] looks at the documents once; a trial of one key then costs a few steps a document. A sample stands for
//! all documents of the container: counts and sizes are scaled to them, and intervals say what the sample leaves open.

mod as_placed;
mod clock;
mod column_values;
mod dates;
mod digits;
mod document_keys;
mod estimates;
mod fold;
mod forecast;
mod key_placement;
mod keys;
mod layout_from;
mod level;
mod load;
pub mod logged;
mod measured_demand;
mod new_container;
mod notes;
mod numbering;
mod owners;
mod pairs;
mod pieces;
mod rates;
pub mod routes;
mod rows;
mod running;
mod scaling;
mod settings;
mod shared_ids;
pub mod size_classes;
mod sizes;
mod splits;
mod tally;
mod times;
pub mod today;
pub mod verdict;
mod weights;
mod window_samples;
mod writes;

#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use crate::model::documents::Documents;
use crate::model::key::Key;
use crate::model::path::Path;
use crate::model::units::real;

use super::candidate::legality::{IdCollisions, PathStats};
use super::candidate::{Candidate, Gaps};
use super::ceiling::Ceiling;
use super::demand::outcome::Outcome;
use super::findings::Finding;
use super::parallelism::Parallelism;

use clock::Clock;
use shared_ids::SharedIds;
use size_classes::SizeClass;
use weights::Weighing;
use writes::Newest;

pub use clock::KeyTurn;
pub use document_keys::{DocumentKeys, SuffixSpread};
pub use estimates::{Distinct, Share, share};
pub use forecast::{ForecastReason, KeyForecast, Rate};
pub use key_placement::{LayoutFrom, PartitionLoad, Placement};
pub use load::{Limit, ToBuy};
pub use logged::{CannotTell, KeyLog, TrialBasis};
pub use measured_demand::stats as path_stats;
pub(super) use rates::factor as rate_factor;
pub use settings::{Settings, Weight, Whole};
pub use splits::Splits;
pub use times::TimeDisagreement;
pub use today::Today;
pub use weights::{DemandMapping, LoggedSpread};
pub use writes::{ActiveKeys, Writes};

/// Documents made ready once for any number of trials.
#[derive(Debug)]
pub struct PreparedDocuments {
    documents: Arc<Documents>,
    clock: Option<Clock>,
    disagreements: Vec<TimeDisagreement>,
    twins: SharedIds,
    newest: Option<Newest>,
    /// Of each column when it is first asked for.
    stats: Vec<OnceLock<PathStats>>,
}

/// Trials of keys on one ground, all measured against the same.
#[derive(Clone, Debug)]
pub struct Trials {
    prepared: Arc<PreparedDocuments>,
    settings: Settings,
    whole: Whole,
    weighing: Arc<Weighing>,
    mapped: DemandMapping,
    workers: Parallelism,
    /// RU/s to buy are enough where keys lie by their hashes, too; else they are the median over placements alone.
    is_as_placed: bool,
}

/// Whether a trial is still wanted.
pub type KeepGoing<'a> = dyn Fn() -> bool + Sync + 'a;

/// What one key does.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    pub candidate: Candidate,
    pub basis: TrialBasis,
    pub whole: Whole,
    pub distinct: Distinct,
    /// The largest logical partition in bytes, scaled to all documents.
    pub largest_bytes: f64,
    /// Of a sample where that lies with 95 %.
    pub largest_range: Option<[f64; 2]>,
    /// Whether it still gets documents in the last hours; true where nothing is known of times, false of logged keys, whose
    /// proportions are not those of all.
    pub largest_grows: bool,
    /// The limit of a logical partition.
    pub ceiling: Ceiling,
    /// Of that limit.
    pub largest_share_of_ceiling: f64,
    /// The share of the documents that the commonest key has.
    pub top_share: Share,
    /// The share of the RU that the hottest key has, by the weight that is set.
    pub hottest_share: f64,
    /// By bytes, the largest first.
    pub top: Vec<TopKey>,
    /// How many keys there are of each size.
    pub sizes: Vec<SizeClass>,
    /// Of how many equal keys these are worth; none where a sample saw no key twice.
    pub k_eff: Option<f64>,
    /// Of hierarchical keys each level's prefix, of others the key itself.
    pub levels: Vec<LevelSpread>,
    /// What the hottest key has of the documents of the last hours.
    pub hot_hour_share: Option<f64>,
    /// None where demand is measured, or nothing tells when documents were written.
    pub writes: Option<Writes>,
    /// Of a key with the date of its documents in it: keys that get writes at one moment, as other dates get none.
    pub keys_at_a_time: Option<u64>,
    pub ahead: KeyForecast,
    /// None where documents have no ids.
    pub collisions: Option<IdCollisions>,
    pub placement: Placement,
    /// Of the key of today where its demand is measured: the value that the heat view and the remedies show.
    pub outcome: Option<Outcome>,
    /// RU/s that clients demand in all, with what cross-partition requests cost; none where it is not known.
    pub demand: Option<f64>,
    /// For the demand; where that is not known, for three that it may be.
    pub to_buy: Vec<ToBuy>,
    /// The demand in all at which the hottest key reaches its limit; none where no key is more than chance.
    pub demand_at_key_limit: Option<f64>,
    /// RU/s that are demanded of the hottest key beyond its limit.
    pub beyond_any_ru: Option<f64>,
    /// Worst first.
    pub findings: Vec<Finding>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct TopKey {
    pub key: Key,
    /// Scaled to all documents.
    pub documents: f64,
    pub bytes: f64,
    /// Its size is that of logs, not of a sample.
    pub is_measured: bool,
    /// Of the documents.
    pub share: Share,
    /// Of the RU, by the weight that is set.
    pub share_of_ru: f64,
}

/// The values of the first levels together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LevelSpread {
    pub distinct: u64,
    /// What the largest of them has of all bytes.
    pub largest_share: f64,
    /// Documents in which this level has no value, by reason.
    pub gaps: Gaps,
}

impl PreparedDocuments {
    /// Documents are dated by the property named, else by the likeliest.
    pub fn new(documents: impl Into<Arc<Documents>>, time: Option<&Path>) -> Self {
        Self::made_by(Parallelism::ALONE, documents, time)
    }

    pub fn made_by(
        workers: Parallelism,
        documents: impl Into<Arc<Documents>>,
        time: Option<&Path>,
    ) -> Self {
        let documents = documents.into();
        let (mut twins, mut dated) = (SharedIds::default(), (None, None, Vec::new()));
        workers.all(vec![
            Box::new(|| twins = SharedIds::of(&documents)),
            Box::new(|| dated = Self::dated(&documents, time)),
        ]);
        let (clock, newest, disagreements) = dated;
        let columns = documents.columns().iter();
        Self {
            stats: columns.map(|_| OnceLock::new()).collect(),
            clock,
            newest,
            disagreements,
            twins,
            documents,
        }
    }

    fn dated(
        documents: &Documents,
        time: Option<&Path>,
    ) -> (Option<Clock>, Option<Newest>, Vec<TimeDisagreement>) {
        let best = time.is_none().then(|| times::best(documents)).flatten();
        let clock = (time.or(best.as_ref())).and_then(|path| Clock::of(documents, path));
        let newest = clock.as_ref().map(Newest::of);
        let other_times = |clock: &Clock| times::disagreements(documents, clock.path());
        let disagreements = clock.as_ref().map_or_else(Vec::new, other_times);
        (clock, newest, disagreements)
    }

    pub fn documents(&self) -> &Arc<Documents> {
        &self.documents
    }

    /// Whether the values of a property follow each other in time.
    pub fn takes_turns(&self, path: &Path) -> bool {
        let alone = Candidate::of_paths([path.clone()]);
        let turn = self.clock.as_ref().and_then(|clock| clock.turn(&alone, &self.documents));
        matches!(turn, Some(KeyTurn::Values { .. }))
    }

    /// Other properties that look like the time of a document, and put documents into another order.
    pub fn disagreements(&self) -> &[TimeDisagreement] {
        &self.disagreements
    }

    /// What stands at a path.
    pub fn path_stats(&self, path: &Path) -> PathStats {
        let columns = self.documents.columns();
        let at = columns.iter().position(|column| column.path() == path);
        let of = || measured_demand::stats(&self.documents, path);
        let held = at.and_then(|at| self.stats.get(at));
        held.map_or_else(of, |held| *held.get_or_init(of))
    }

    /// The property by which documents are dated.
    pub fn time(&self) -> Option<&Path> {
        self.clock.as_ref().map(Clock::path)
    }
}

impl Trials {
    pub fn new(prepared: Arc<PreparedDocuments>, settings: Settings) -> Self {
        let (weighing, mapped) =
            Weighing::of(&prepared.documents, prepared.clock.as_ref(), &settings);
        Self {
            whole: Whole::of(&prepared.documents, &settings),
            weighing: Arc::new(weighing),
            mapped,
            is_as_placed: true,
            prepared,
            settings,
            workers: Parallelism::ALONE,
        }
    }

    /// With RU/s to buy that are compared among many keys: their placement is luck.
    #[must_use]
    pub fn by_median(&self) -> Self {
        Self { is_as_placed: false, ..self.clone() }
    }

    /// With hands that work side by side: what is found is the same.
    #[must_use]
    pub fn with_parallelism(self, workers: Parallelism) -> Self {
        Self { workers, ..self }
    }

    /// Whoever else works by the same hands.
    pub fn parallelism(&self) -> Parallelism {
        self.workers
    }

    pub fn prepared(&self) -> &Arc<PreparedDocuments> {
        &self.prepared
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn whole(&self) -> Whole {
        self.whole
    }

    /// The mean size of the documents at hand.
    pub(super) fn document_kib(&self) -> f64 {
        let documents = &self.prepared.documents;
        let bytes = real(documents.kept_bytes()) / real(documents.len().max(1) as u64);
        bytes / 1024.0
    }

    /// The weight in use: that of documents where no logged RU can be spread over them.
    pub fn weight(&self) -> Weight {
        self.weighing.weight()
    }

    /// How the demand by keys of today is brought to other keys.
    pub fn mapped(&self) -> DemandMapping {
        self.mapped
    }

    /// Whether load is that of logs: then what the documents of the last hours say of it is a weaker witness.
    fn is_measured(&self) -> bool {
        self.settings.measured().is_some() && matches!(self.mapped, DemandMapping::By(_))
    }
}
