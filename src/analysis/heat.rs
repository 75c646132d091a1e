//! Load over time by physical partition: what is measured of each, joined from all inputs by range id, partition id and GUID.
//!
//! A container has [`Partition`]s and [`Track`]s. A track is one measure in one region: a [`series::Series`] for each
//! partition, cut into steps, absent where nothing was told. Nothing is summed over regions but request units.

pub mod grid;
mod join;
pub mod keys;
pub mod series;
mod tracks;

use std::sync::Arc;

use crate::model::capture::Capture;

use keys::KeyLoads;
use series::Series;

/// The load of all containers of a capture.
#[derive(Debug, Default)]
pub struct Heat {
    /// By the container's number in the capture.
    pub containers: Vec<ContainerHeat>,
}

/// The load of one container.
#[derive(Debug, Default)]
pub struct ContainerHeat {
    /// Those the inputs describe first, in the order of the capture; then those that only load records name.
    pub partitions: Vec<Partition>,
    /// In the order of [`Measure::ALL`], then by region: the busiest region first.
    pub tracks: Vec<Track>,
    pub keys: KeyLoads,
    /// How RU/s were bought, in words of units: all of the container's RU/s, autoscale maximum where it scales.
    pub ru_per_second: Option<f64>,
}

/// A physical partition as load knows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Partition {
    /// Index into the capture's partitions of the container; None for one that only load records name.
    pub known: Option<usize>,
    pub named: Named,
    /// What it can give a second, and how that is known.
    pub capacity: Option<Capacity>,
    pub kib: Option<f64>,
}

/// By what a partition is named.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Named {
    /// A partition key range id, such as `3`.
    Range(String),
    /// A GUID that no input joins to a range id.
    Guid(String),
    /// The log wrote `undefined`.
    Undefined,
    /// The log left the partition out.
    NotReported,
}

/// RU/s that a partition can give.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Capacity {
    pub ru_per_second: f64,
    pub from: CapacityFrom,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CapacityFrom {
    /// The service told it for this partition: a distribution answer, or the metric `PhysicalPartitionThroughputInfo`.
    Told,
    /// The container's RU/s times the partition's `throughputFraction`.
    Fraction,
    /// The container's RU/s divided evenly: no input says how they are spread.
    EqualShares,
}

impl CapacityFrom {
    pub fn words(self) -> &'static str {
        match self {
            Self::Told => "told by the service for this partition",
            Self::Fraction => "the container's RU/s times its throughputFraction",
            Self::EqualShares => {
                "an equal share of the container's RU/s: no input says how they are spread"
            }
        }
    }
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Measure {
    /// `NormalizedRUConsumption`: the highest second within a step, as a share of the partition's RU/s.
    NormalizedRu,
    /// RU a second of the RU log, as a share of the partition's RU/s.
    LoggedShare,
    /// RU a second of the RU log.
    LoggedRu,
    /// RU a second of the request log.
    RequestRu,
    /// Requests refused with 429, a second.
    Refused,
    /// Of all requests of a step.
    RefusedShare,
    /// Requests a second.
    Requests,
    /// KiB, from `PhysicalPartitionSizeInfo`.
    Storage,
}

/// How a value is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// 1.0 is all of it.
    Share,
    RuPerSecond,
    PerSecond,
    Kib,
}

/// How partitions add up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Along {
    Sum,
    Highest,
}

impl Measure {
    pub const ALL: [Self; 8] = [
        Self::NormalizedRu,
        Self::LoggedShare,
        Self::LoggedRu,
        Self::RequestRu,
        Self::Refused,
        Self::RefusedShare,
        Self::Requests,
        Self::Storage,
    ];

    /// For commands and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::NormalizedRu => "normalized-ru",
            Self::LoggedShare => "logged-share",
            Self::LoggedRu => "logged-ru",
            Self::RequestRu => "request-ru",
            Self::Refused => "429",
            Self::RefusedShare => "429-share",
            Self::Requests => "requests",
            Self::Storage => "storage",
        }
    }

    /// For headings.
    pub fn title(self) -> &'static str {
        match self {
            Self::NormalizedRu => "RU % of partition (metric, highest second)",
            Self::LoggedShare => "RU % of partition (RU log)",
            Self::LoggedRu => "RU/s (RU log)",
            Self::RequestRu => "RU/s (request log)",
            Self::Refused => "429 a second",
            Self::RefusedShare => "429 share of requests",
            Self::Requests => "requests a second",
            Self::Storage => "storage",
        }
    }

    pub fn unit(self) -> Unit {
        match self {
            Self::NormalizedRu | Self::LoggedShare | Self::RefusedShare => Unit::Share,
            Self::LoggedRu | Self::RequestRu => Unit::RuPerSecond,
            Self::Refused | Self::Requests => Unit::PerSecond,
            Self::Storage => Unit::Kib,
        }
    }

    pub fn along(self) -> Along {
        match self.unit() {
            Unit::Share => Along::Highest,
            Unit::RuPerSecond | Unit::PerSecond | Unit::Kib => Along::Sum,
        }
    }
}

/// One measure in one region, for each partition of the container.
#[derive(Debug, Default)]
pub struct Track {
    pub measure: Option<Measure>,
    /// None where the input names no region.
    pub region: Option<Arc<str>>,
    /// Seconds of a step: the finest there is.
    pub step_s: u32,
    /// By the index of the partition; empty where nothing is told of it.
    pub series: Vec<Series>,
    /// All partitions together, as [`Measure::along`] says.
    pub together: Series,
    /// Where it comes from, in words: `metric NormalizedRUConsumption, 60 s`.
    pub from: String,
}

impl Heat {
    pub fn of(_capture: &Capture) -> Self {
        Self::default()
    }

    pub fn container(&self, number: u32) -> Option<&ContainerHeat> {
        self.containers.get(number as usize)
    }
}
