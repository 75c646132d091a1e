//! What happens to the physical partitions of a container in time: they fill and split, keys reach 20 GB, requests get 429.
//!
//! Load is the container's own [`Demand`], repeated; keys grow in straight lines between changes, so only changes are
//! computed. The same start, question and seed give the same [`TimeLapse`].

mod event;
mod lapse;
mod load;
mod moved;
mod sizes;
mod start;
#[cfg(test)]
mod tests;

use super::candidate::DateUnit;
use super::ceiling::Ceiling;
use super::demand::Demand;
use super::forecast::Retention;
use super::mask::Masker;
use super::routing::periods::{first_of, next};
use super::rows::Note;
use crate::model::epk::Epk;
use crate::model::key::KeyDefinition;
use crate::model::layout::Layout;
use crate::model::names::ContainerName;
use crate::model::time::Stamp;

pub use event::{EventCause, LapseEvent, LapseEventKind, SplitChild};
pub use load::LoadTotals;
pub(in crate::analysis) use moved::{NewContainer, NewKey, NewKeyless, NewPart};

words! {
    /// What writers do once a key is at 20 GB.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum OverflowPolicy {
        /// Writes get 403 from then on.
        #[default]
        Stop = "stop",
        /// Writes go on under the next suffix.
        LinkedList = "linked-list",
        /// Ids start again from the first, and each write replaces the oldest document.
        CircularBuffer = "circular-buffer",
    }
    fn word
}

/// What is simulated.
#[derive(Clone, PartialEq, Debug)]
pub struct SimulateQuestion {
    pub ceiling: Ceiling,
    pub until_s: i64,
    /// 1 follows load second by second; longer steps take its mean over a cycle.
    pub step_s: i64,
    pub load_factor: f64,
    /// By what share load grows in a month.
    pub load_growth: Option<f64>,
    /// RU/s set at the start; partitions are split as far as these need.
    pub ru_per_second: Option<f64>,
    /// Partitions are split until there are so many.
    pub partitions: Option<usize>,
    pub growth_factor: f64,
    /// Documents are deleted after so many days.
    pub kept_days: Option<f64>,
    /// How often clients repeat a throttled request; None as the evidence has it.
    pub retries: Option<u8>,
    pub overflow: OverflowPolicy,
    /// Ends with the first event of this kind.
    pub stop_at: Option<LapseEventKind>,
    pub seed: u64,
}

/// A container as it is when the simulation begins.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LapseStart {
    pub name: ContainerName,
    /// As people write it.
    pub key: Option<String>,
    /// A new container takes the place of today's.
    pub is_moved: bool,
    /// None where no input has a time.
    pub at: Option<Stamp>,
    pub definition: Option<KeyDefinition>,
    /// Ranges of the partitions, numbered as in `partitions`.
    pub layout: Option<Layout>,
    pub partitions: Vec<StartPartition>,
    pub keys: Vec<StartKey>,
    /// Size of a document, where their number is known.
    pub item_kib: Option<f64>,
    /// Of all the evidence; its partitions are numbered as here.
    pub demand: Option<Demand>,
    pub provisioned: Option<f64>,
    /// The autoscale maximum.
    pub autoscale: Option<f64>,
    /// Partitions save unused RU.
    pub is_burst: bool,
    /// How often clients repeat a throttled request, as far as the evidence has it.
    pub retries: Option<u8>,
    /// How long documents are kept.
    pub retention: Option<Retention>,
    /// Of sizes, and of load.
    pub notes: Vec<Note>,
    pub load_notes: Vec<Note>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct StartPartition {
    pub id: String,
    /// None where neither its size nor a key of it is reported.
    pub kib: Option<f64>,
    /// Of all its data, keys included.
    pub kib_per_day: Option<f64>,
    pub ru_per_second: Option<f64>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct StartKey {
    /// Canonical text.
    pub canonical: Box<str>,
    pub epk: Option<Epk>,
    /// Index among the partitions.
    pub partition: Option<u32>,
    pub kib: f64,
    /// None where it is not known.
    pub kib_per_day: Option<f64>,
    /// Seconds after the start when the month or day ends that it names.
    pub ends_s: Option<i64>,
    /// Then the key of the next period gets them.
    pub period: Option<KeyPeriod>,
    /// Writes to it get 403 already.
    pub is_full: bool,
}

/// A date that is a part of keys, and in which level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyPeriod {
    pub unit: DateUnit,
    pub level: usize,
}

impl KeyPeriod {
    /// Seconds after the start when the period ends that this second lies in.
    pub(in crate::analysis) fn end_s(self, start: Stamp, at_s: i64) -> Option<i64> {
        let now = start.plus_seconds(crate::model::units::real_seconds(at_s))?;
        let end = next(first_of(now, self.unit)?, self.unit)?;
        Some(end.seconds().saturating_sub(start.seconds()))
    }
}

/// A container over time, to be listed or played.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TimeLapse {
    pub name: ContainerName,
    /// Of the container as it is, or of the one that it is moved to.
    pub key: Option<String>,
    pub is_moved: bool,
    /// Seconds of frames and events count from here; None where no input has a time.
    pub start: Option<Stamp>,
    /// Seconds simulated.
    pub seconds: i64,
    pub overflow: OverflowPolicy,
    pub seed: u64,
    /// In the order of time: evenly spaced, and one at each event.
    pub frames: Vec<LapseFrame>,
    /// In the order of time; the first ones where there are very many.
    pub events: Vec<LapseEvent>,
    pub events_total: u64,
    pub totals: LapseTotals,
    pub notes: Vec<Note>,
}

/// The partitions at one moment, in the order of their ranges.
#[derive(Clone, PartialEq, Debug)]
pub struct LapseFrame {
    pub at_s: i64,
    pub partitions: Vec<PartitionFrame>,
    /// Keys at their limit.
    pub full_keys: u64,
}

#[derive(Clone, PartialEq, Debug)]
pub struct PartitionFrame {
    pub id: String,
    pub kib: Option<f64>,
    /// Mean until the frame after; of the last one over as long.
    pub demand: Option<f64>,
    pub ru_per_second: Option<f64>,
    /// Of the RU requested in that time.
    pub throttled_share: Option<f64>,
    pub is_splitting: bool,
}

/// What it all came to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LapseTotals {
    /// None where load or RU/s are unknown.
    pub load: Option<LoadTotals>,
    /// Data that was not taken: writes that got 403.
    pub rejected_kib: f64,
    /// The same in writes, where the size of a document is known.
    pub rejected_writes: Option<f64>,
    /// Keys at their limit of which no input shows how much is written to them.
    pub full_of_unknown_growth: u64,
    /// Mean RU/s billed of an autoscale container.
    pub billed_ru_per_second: Option<f64>,
    pub splits: u64,
}

impl TimeLapse {
    pub fn moment(&self, at_s: i64) -> Option<Stamp> {
        self.start?.plus_seconds(crate::model::units::real_seconds(at_s))
    }

    pub fn first(&self, kind: LapseEventKind) -> Option<&LapseEvent> {
        self.events.iter().find(|event| event.kind == kind)
    }

    /// Of the RU requested, at the first attempt.
    pub fn throttled_share(&self) -> Option<f64> {
        self.totals.load.map(|load| load.throttled_share())
    }

    /// Replaces every name.
    pub fn mask(&mut self, masker: &Masker) {
        self.name = masker.container(&self.name);
        for event in &mut self.events {
            if let Some(key) = &mut event.key {
                *key = masker.key(key);
            }
            if let EventCause::Suffix { key, .. } = &mut event.cause {
                *key = masker.key(key);
            }
        }
    }
}
