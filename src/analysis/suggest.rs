//! Keys worth a look, found by trying: single paths, joined ones, with dates and buckets, and hierarchies.
//!
//! Paths that can make no key are left out by what they hold and how they are called. What is left is combined, tried on
//! a sample and compared in each thing that matters by itself: what no other key beats comes first. There is no score.

mod forms;
mod measures;
mod paths;
mod search;
mod words;

#[cfg(test)]
mod tests;

use super::candidate::Candidate;
use super::trial::Trial;
use super::trial::routes::Routed;
use super::trial::verdict::Standing;
use crate::model::path::Path;

pub use measures::Measures;
pub use paths::Unfit;
pub use search::suggest;

/// Keys proposed where nobody asks for another number.
pub const PROPOSED: usize = 5;
/// Keys tried at most: what is behind are longer forms of paths that requests hardly ask for.
pub const MOST_TRIALS: usize = 400;
/// Documents of a trial while searching: ratios of load are then right to a few hundredths.
pub const SEARCH_DOCUMENTS: usize = 100_000;

/// How much is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wish {
    pub most: usize,
    pub most_trials: usize,
    pub documents: usize,
}

impl Default for Wish {
    fn default() -> Self {
        Self {
            most: PROPOSED,
            most_trials: MOST_TRIALS,
            documents: SEARCH_DOCUMENTS,
        }
    }
}

/// A key worth a look.
#[derive(Clone, PartialEq, Debug)]
pub struct Proposal {
    pub candidate: Candidate,
    /// On all documents that are loaded.
    pub trial: Trial,
    pub routed: Vec<Routed>,
    pub standing: Standing,
    /// 0 where none of those tried beats it in everything, 1 where only such ones do, and so on.
    pub layer: usize,
    pub measures: Measures,
    /// Keys that do the same, as far as was measured, and are longer or have more values.
    pub alike: Vec<Candidate>,
    /// What is better than with the current key, and what it costs.
    pub why: String,
}

/// Why a key that was tried is not proposed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Dropped {
    /// A rule on what keys may be speaks against it.
    Illegal,
    /// It parts no more than a shorter one.
    PartsNothing,
    /// Documents would meet under one key and id.
    Collides,
    /// Several others are as good in everything and better in something.
    Beaten,
    /// Another one is as good and simpler.
    Alike,
    /// Others come before it.
    Behind,
}

impl Dropped {
    pub fn words(self) -> &'static str {
        match self {
            Self::Illegal => "not allowed as a key",
            Self::PartsNothing => "no finer than a shorter one",
            Self::Collides => "documents would share key and id",
            Self::Beaten => "another one is better",
            Self::Alike => "as good as a simpler one",
            Self::Behind => "behind those proposed",
        }
    }
}

/// What was found, and what was not looked at.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Suggestions {
    /// The most fitting first.
    pub proposals: Vec<Proposal>,
    /// Paths that take part in no key, by reason.
    pub unfit: Vec<(Unfit, Vec<Path>)>,
    pub dropped: Vec<(Dropped, usize)>,
    pub tried: usize,
    /// Keys that were not tried: beyond the limit of trials, or stopped before.
    pub not_tried: usize,
    /// Documents that keys were searched on, if not all.
    pub searched_on: Option<usize>,
    /// Requests a second that read and that write; none without a workload.
    pub mix: Option<[f64; 2]>,
    pub is_complete: bool,
}
