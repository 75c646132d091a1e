//! Keys worth a look, found by trying: single paths, joined ones, with dates and buckets, and hierarchies.
//!
//! Paths that can make no key are left out by what they hold and how they are called. What is left is combined, tried on
//! a sample and ranked by the RU/s that must be bought for it.

mod forms;
mod paths;
mod ranking;
mod search;
mod words;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::candidate::Candidate;
use super::trial::Trial;
use super::trial::routes::Routed;
use super::trial::verdict::Acceptance;
use crate::model::path::Path;

pub use paths::Unfit;
pub use ranking::{is_last_resort, load_ratio};
pub use search::suggest;
pub use words::remedy;

/// Keys proposed where nobody asks for another number.
pub const PROPOSED: usize = 5;
/// Keys tried at most: what is behind are longer forms of paths that requests hardly ask for.
pub const MOST_TRIALS: usize = 400;
/// Documents of a trial while searching: ratios of load are then right to a few hundredths.
pub const SEARCH_DOCUMENTS: usize = 100_000;

/// How much is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    pub most: usize,
    pub most_trials: usize,
    pub documents: usize,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self { most: PROPOSED, most_trials: MOST_TRIALS, documents: SEARCH_DOCUMENTS }
    }
}

/// A key worth a look.
#[derive(Clone, PartialEq, Debug)]
pub struct Proposal {
    pub candidate: Candidate,
    /// On all documents that are loaded.
    pub trial: Trial,
    pub routed: Vec<Routed>,
    pub standing: Acceptance,
    /// What speaks against it, where something does: its verdict, or that it makes reads cross-partition.
    pub because: Option<String>,
    /// 0 for the cheapest and all that cost at most a tenth more, and so on.
    pub band: usize,
    /// Partitions that a read queries, by the rates; none without reads.
    pub visits: Option<f64>,
    /// Keys that do the same, as far as was measured, and are longer or have more values.
    pub alike: Vec<Candidate>,
    /// Whether the diagnosis of the container advises it.
    pub is_advised: bool,
}

words! {
    /// Why a key that was tried is not proposed.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Rejection {
        /// A rule on what keys may be speaks against it.
        Illegal = "not allowed as a key",
        /// Documents would meet under one key and id.
        Collides = "documents would share key and id",
        /// A key reaches its limit within the horizon.
        TooLarge = "a key is full within a year",
        /// A key needs more RU/s than one can use.
        TooHot = "a key needs more than 10,000 RU/s",
        /// Some partition needs more RU/s than one has, wherever keys lie.
        NoRu = "no RU/s keep it under 1 % throttled",
        /// It parts no more than a shorter one.
        PartsNothing = "no finer than a shorter one",
        /// Its verdict is against it, and others have a better one.
        Rejected = "rejected by its verdict",
        /// Another one is as good in everything.
        NoBetter = "no better than another in anything",
        /// Another one does the same and is simpler.
        Alike = "does the same as a simpler one",
        /// Today's key is as good.
        NoGain = "no better than today's key",
        /// Others come before it.
        Behind = "behind those proposed",
    }
    fn words
}

/// What was found, and what was not looked at.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Suggestions {
    /// The current key, where it is known.
    pub now: Option<Proposal>,
    /// The most fitting first.
    pub proposals: Vec<Proposal>,
    /// Paths that take part in no key, by reason.
    pub unfit: BTreeMap<Unfit, Vec<Path>>,
    pub dropped: BTreeMap<Rejection, Vec<Candidate>>,
    pub tried: usize,
    /// Keys that were not tried: beyond the limit of trials, or stopped before.
    pub not_tried: usize,
    /// Physical partitions on which keys were judged, twice those of a new container, and to how many growth leads within a
    /// year.
    pub partitions: Option<[usize; 2]>,
    /// Documents that keys were searched on, if not all.
    pub searched_on: Option<usize>,
    /// The property in most filters, and why it is not proposed by itself.
    pub natural: Option<String>,
    pub is_complete: bool,
}
