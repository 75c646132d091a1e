//! What a report holds: containers with their keys, ready to be written in any format.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::model::capture::AMBIGUOUS_DATES;
use crate::model::key::KeyDefinition;
use crate::model::names::ContainerName;
use crate::model::sample::Trust;
use crate::model::time::Stamp;

use super::ceiling::{Ceiling, Mark, MarkCounts};
use super::distribution::Distribution;
use super::growth::{Growth, LimitDate};
use super::prefix::PrefixTotal;
use super::skew::Skew;

/// The name shown where no input says which container its records are of.
pub const UNKNOWN_CONTAINER: &str = "unknown container";
/// Of a container of which only the largest keys are reported.
pub const OTHER_KEYS: &str = "other keys: smaller, not reported";

/// A sentence about the data, and the input it came from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Note {
    pub source: Option<String>,
    pub text: String,
}

impl Note {
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { source: None, text }
    }

    /// Whether it says which of two date orders was taken.
    pub fn is_about_dates(&self) -> bool {
        self.text.starts_with(AMBIGUOUS_DATES)
    }

    /// Not yet made visible.
    pub fn sentence(&self) -> String {
        match &self.source {
            Some(source) => format!("{source}: {}", self.text),
            None => self.text.clone(),
        }
    }
}

/// Whether a size is all there is of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SizeOf {
    Key,
    /// A prefix of a hierarchical key: what was reported under it, so at least this much.
    Prefix,
}

/// One logical partition in the region where it is largest.
#[derive(Clone, PartialEq, Debug)]
pub struct KeyRow {
    /// Compact JSON list, harmless; None where the log named no key.
    pub key: Option<Box<str>>,
    pub size_kib: f64,
    pub share: f64,
    pub size_of: SizeOf,
    pub region: Option<Arc<str>>,
    pub sampled_at: Option<Stamp>,
    /// How far the time and the size can be trusted.
    pub trust: Trust,
    /// Readings in that region.
    pub samples: u64,
    pub growth: Option<Growth>,
    pub limit_date: LimitDate,
    /// 403s of the partition of a full key.
    pub forbidden: u64,
    /// Where the month or day ends that it names.
    pub period_end: Option<Stamp>,
    /// How far the size may be off.
    pub band_kib: f64,
    /// Effective partition key in hexadecimal, where the container's definition is known.
    pub epk: Option<Box<str>>,
    /// Id of the physical partition that holds it, where the ranges are known.
    pub partition: Option<Box<str>>,
}

impl KeyRow {
    /// The memory it takes; each text of its own costs the allocator some bytes more.
    pub fn bytes(&self) -> usize {
        let texts = [&self.key, &self.epk, &self.partition];
        let texts = texts.into_iter().flatten();
        size_of::<Self>() + texts.map(|text| text.len() + 16).sum::<usize>()
    }

    /// The key's JSON text; `null` where none was named.
    pub fn key_json(&self) -> &str {
        self.key.as_deref().unwrap_or("null")
    }

    pub fn mark(&self) -> Mark {
        match self.limit_date {
            LimitDate::Over => Mark::Full,
            _ => Mark::of(self.share),
        }
    }

    /// Largest first, ties by the key's JSON text.
    pub fn order(&self, other: &Self) -> Ordering {
        let by_size = other.size_kib.total_cmp(&self.size_kib);
        by_size.then_with(|| self.key_json().cmp(other.key_json()))
    }
}

/// A container and those of its keys that the report shows.
#[derive(Clone, PartialEq, Debug)]
pub struct ContainerRows {
    pub name: ContainerName,
    pub definition: Option<KeyDefinition>,
    pub keys: Vec<KeyRow>,
    /// Reported keys, shown or not.
    pub keys_total: u64,
    pub largest_kib: f64,
    pub marks: MarkCounts,
    pub skew: Skew,
    /// Of all reported keys, shown or not.
    pub distribution: Option<Distribution>,
    pub prefixes: Vec<PrefixTotal>,
    pub notes: Vec<Note>,
}

impl ContainerRows {
    /// By largest key; ties by name, so that the order never depends on which input came first.
    pub fn order(&self, other: &Self) -> Ordering {
        let by_size = other.largest_kib.total_cmp(&self.largest_kib);
        by_size.then_with(|| name_order(&self.name, &other.name))
    }
}

pub fn name_order(a: &ContainerName, b: &ContainerName) -> Ordering {
    let [a, b] = [a, b].map(|name| name.parts().map(Option::unwrap_or_default));
    a.cmp(&b)
}

/// The keys of an account against the ceiling.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The newest reading, unless another moment was asked for.
    pub as_of: Option<Stamp>,
    pub ceiling: Ceiling,
    pub containers: Vec<ContainerRows>,
    pub notes: Vec<Note>,
    /// Whether some record of an input could not be used.
    pub is_partial: bool,
    /// What the load of partitions and the sizes of keys are judged, the worst first: a sentence each and what fixes it,
    /// visible. Empty where nothing alarms or nobody looked.
    pub alarms: Vec<(String, Option<String>)>,
    /// Whether the inputs have load, too.
    pub has_load: bool,
}

impl Report {
    /// Every key shown with its container, largest first over all containers.
    pub fn keys(&self) -> Vec<(&ContainerRows, &KeyRow)> {
        let mut rows: Vec<_> =
            self.containers.iter().flat_map(|c| c.keys.iter().map(move |k| (c, k))).collect();
        rows.sort_by(|(a_in, a), (b_in, b)| {
            a.order(b).then_with(|| name_order(&a_in.name, &b_in.name))
        });
        rows
    }

    pub fn keys_total(&self) -> u64 {
        self.containers.iter().map(|c| c.keys_total).sum()
    }

    pub fn keys_shown(&self) -> u64 {
        self.containers.iter().map(|c| c.keys.len() as u64).sum()
    }
}
