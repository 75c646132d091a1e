//! What was opened, and the tables made of it once, off the screen's own thread.

use std::path::PathBuf;

use super::msg::Shared;
use crate::analysis::rows::Report;
use crate::model::capture::Capture;

/// Where data comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    Paths(Vec<PathBuf>),
    Scenario(&'static str),
}

/// How much of the inputs a dataset holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Still being read: the largest keys so far, and how many there were in all.
    Reading {
        keys_so_far: u64,
    },
    Whole,
    /// Reading was stopped; the largest keys that were there by then.
    Stopped {
        keys_so_far: u64,
    },
    /// More keys than the memory budget holds: the largest, counts exact.
    Largest {
        keys_total: u64,
    },
}

/// Everything a screen shows of one opening.
#[derive(Debug)]
pub struct Dataset {
    pub origin: Origin,
    pub stage: Stage,
    pub capture: Capture,
    pub report: Report,
}

/// Which keys in which order.
#[derive(Clone, PartialEq, Debug)]
pub struct Ask {
    pub data: Shared<Dataset>,
    pub container: u32,
}

/// The answer to an `Ask`.
#[derive(Debug)]
pub struct Arranged {
    pub order: Vec<u32>,
}

/// What an export holds.
#[derive(Clone, PartialEq, Debug)]
pub enum Exported {
    Report(Shared<Dataset>),
}
