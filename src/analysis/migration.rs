//! The way to another key: what can copy the documents, what blocks it, what it takes, and what means something else
//! afterwards. A key cannot be changed in place: there is a new container, and the documents move.

mod scope;
mod words;

#[cfg(test)]
pub(super) mod tests;

use super::candidate::{Candidate, LevelPart};
use super::demand::least::{CURED, is_cured};
use super::rules::Rule;
use super::trial::{Trial, Trials};
use crate::model::physical::TimeToLive;
use crate::model::throughput::creation_ru;
use crate::model::units::{PARTITION_RU_PER_SECOND, WRITE_RU, as_number, root};

pub use crate::model::units::write_ru;

pub use scope::MigrationScope;
pub use words::{hours_range_text, hours_text, rounded};

/// What the documentation says a document of 1 KB and of 100 KB costs: 1 and 10 RU to read, so it grows as the root.
const READ_RU: f64 = 1.0;
/// The online copy job takes less than these.
const MOST_COPIED_BYTES: f64 = 4.0 * 1_099_511_627_776.0;
const MOST_COPIED_RU: f64 = 1_000_000.0;

/// What is known of the account and the container; nothing where nobody told it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    pub merge_enabled: Option<bool>,
    pub local_auth_disabled: Option<bool>,
    pub lifetime: Option<TimeToLive>,
    pub unique_keys: Option<bool>,
}

words! {
    /// Whether documents can be copied as they are.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Copy {
        /// It is the key that the container has.
        NothingToDo = "none",
        AsTheyAre = "copy",
        /// Documents do not hold the key yet: whoever copies them writes it into them.
        Transformed = "transform",
        /// Transformed by a suffix that differs each time it is drawn.
        Drawn = "transform-once",
    }
    fn word
}

/// What may stand in the way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hurdle {
    pub is_known: bool,
    /// It stands in the way of the online copy job and of nothing else.
    pub is_online_only: bool,
    pub sentence: String,
}

/// Request units, by the sizes of the documents. Rough: indexes and sizes decide, and both are guessed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cost {
    pub documents: f64,
    pub read_ru: f64,
    /// Without an index, and with everything indexed.
    pub write_ru: [f64; 2],
    /// At the RU/s that the new container is given, if they are known.
    pub hours: Option<[f64; 2]>,
    /// Largest over mean of what partitions are written: the hours take it into account.
    pub load_ratio: f64,
    /// As many as its partitions can be given.
    pub ru_per_second: Option<f64>,
    /// RU/s that the load of today leaves for reading, where both are known.
    pub spare: Option<f64>,
}

/// The way from the current key to a candidate.
#[derive(Clone, PartialEq, Debug)]
pub struct Migration {
    pub candidate: Candidate,
    pub copy: Copy,
    pub hurdles: Vec<Hurdle>,
    pub cost: Cost,
    /// Partitions that the container is created with, to be split once it is filled; none where it is created as it stays.
    pub created_with: Option<usize>,
    /// What becomes of the documents that share a key; none where the current key is not known.
    pub scope: Option<MigrationScope>,
    /// Documents that would meet under one key and id; none where documents have no ids.
    pub collisions: Option<u64>,
    pub facts: Facts,
    /// The least RU/s with hardly anything throttled, where demand is known.
    pub ru_to_buy: Option<f64>,
    /// RU that stay throttled with this key and the RU/s of today, where these are more than is healthy.
    pub throttled: Option<f64>,
    /// That no document has a property of the key.
    pub absent: Option<String>,
}

impl Migration {
    /// The way of a candidate that was tried.
    pub fn of(trials: &Trials, trial: &Trial, current: Option<&Candidate>, facts: Facts) -> Self {
        let candidate = &trial.candidate;
        let scope = current.filter(|current| *current != candidate);
        let scope = scope.map(|current| {
            MigrationScope::of(&trials.document_keys(current), &trials.document_keys(candidate))
        });
        let brief = Self::brief(trials, trial, current, facts);
        Self { scope, ..brief }
    }

    /// The same without a look at every document: what becomes of those that share a key stays open.
    pub fn brief(
        trials: &Trials,
        trial: &Trial,
        current: Option<&Candidate>,
        facts: Facts,
    ) -> Self {
        let candidate = &trial.candidate;
        let absent = trial.findings.iter().find(|f| f.rule == Rule::Absent);
        let copy = copy(candidate, current);
        let ru_to_buy = trial.demand.and(trial.to_buy.first());
        let ru_to_buy = ru_to_buy.and_then(|buy| Some(buy.ru.ok()?.point));
        Self {
            copy,
            hurdles: hurdles(trials, copy, facts),
            cost: cost(trials, trial, ru_to_buy),
            created_with: trial.placement.layout.created_with(),
            scope: None,
            collisions: trial.collisions.as_ref().map(|c| c.documents),
            candidate: candidate.clone(),
            facts,
            ru_to_buy,
            absent: absent.map(|finding| finding.sentence.clone()),
            throttled: (trial.placement.throttled_share).filter(|share| !is_cured(*share, CURED)),
        }
    }
}

fn copy(candidate: &Candidate, current: Option<&Candidate>) -> Copy {
    let is_drawn = |part: &LevelPart| matches!(part, LevelPart::Random { .. });
    match () {
        () if current == Some(candidate) => Copy::NothingToDo,
        () if candidate.is_stored() => Copy::AsTheyAre,
        () if candidate.parts().any(is_drawn) => Copy::Drawn,
        () => Copy::Transformed,
    }
}

fn hurdles(trials: &Trials, copy: Copy, facts: Facts) -> Vec<Hurdle> {
    let mut found = Vec::new();
    if copy != Copy::AsTheyAre {
        return found;
    }
    let mut add = |is_known, is_online_only, sentence: &str| {
        found.push(Hurdle { is_known, is_online_only, sentence: sentence.to_owned() });
    };
    if facts.merge_enabled != Some(false) {
        let is_known = facts.merge_enabled.is_some();
        let why = if is_known {
            "partition merge is enabled on the account, with which copy jobs do not run"
        } else {
            "whether partition merge is enabled on the account (copy jobs do not run with it)"
        };
        add(is_known, false, why);
    }
    // Pages disagree: that is to be checked even where the setting is known.
    if facts.local_auth_disabled != Some(false) {
        let whether = if facts.local_auth_disabled.is_none() { "whether " } else { "" };
        let disabled = format!(
            "{whether}local authentication is disabled (disableLocalAuth); older pages name it as a blocker of copy jobs, newer ones do not"
        );
        add(false, false, &disabled);
    }
    if trials.whole().bytes >= MOST_COPIED_BYTES {
        add(true, true, "4 TB or more are stored: the online copy job takes less");
    }
    if trials.settings().ru_per_second >= Some(MOST_COPIED_RU) {
        let much = "the container has 1,000,000 RU/s or more: the online copy job takes less";
        add(true, true, much);
    }
    found
}

fn cost(trials: &Trials, trial: &Trial, ru_to_buy: Option<f64>) -> Cost {
    let documents = trials.prepared().documents();
    let (whole, settings) = (trials.whole(), trials.settings());
    let roots: f64 = documents.bytes().iter().map(|bytes| root(f64::from(*bytes))).sum();
    let at_hand = as_number(documents.len().max(1));
    let units = roots / at_hand * whole.documents;
    let write_ru = WRITE_RU.map(|ru| ru * units);
    // Each document is written once: what they hold decides, not their load.
    let created_with = trial.placement.layout.created_with();
    let uneven = (trial.placement.load_ratio_storage).filter(|_| created_with.is_none());
    let load_ratio = uneven.unwrap_or(1.0).max(1.0);
    let most = match created_with {
        Some(partitions) => as_number(partitions) * creation_ru(settings.throughput_mode),
        None => as_number(settings.partitions) * PARTITION_RU_PER_SECOND,
    };
    let as_it_stays = ru_to_buy.filter(|_| created_with.is_none());
    let as_today = || settings.ru_per_second.map(|ru| ru.min(most));
    let ru_per_second = as_it_stays.or_else(as_today);
    let usable = ru_per_second.map(|ru| ru / load_ratio);
    let read_ru = READ_RU * units;
    let left = settings.ru_per_second.zip(settings.load_ru_per_second);
    let spare = left.map(|(ru, load)| ru - load).filter(|ru| *ru > 0.0);
    let least = spare.map_or(0.0, |spare| read_ru / spare);
    Cost {
        documents: whole.documents,
        read_ru,
        write_ru,
        hours: usable.map(|usable| write_ru.map(|ru| (ru / usable).max(least) / 3_600.0)),
        spare,
        load_ratio,
        ru_per_second,
    }
}
