//! Load over time by physical partition: what is measured of each, joined from all inputs by range id, partition id and GUID.
//!
//! A container has [`Partition`]s and [`Track`]s. A track is one measure in one region: a [`series::Series`] for each
//! partition, cut into steps, absent where nothing was told. Nothing is summed over regions but request units.

mod capacity;
pub(in crate::analysis) mod cells;
mod forbidden;
pub mod grid;
mod join;
pub mod keys;
pub mod placement;
mod points;
pub mod requests;
pub mod series;
mod since;
mod track;
mod tracks;
mod unpaired;
mod window;

use crate::model::capture::Capture;

use keys::KeyLoads;
pub use requests::ThrottledRu;
use requests::{BurstStep, PartitionRequests, RuOf429s, WholeLoad};

pub use forbidden::ForbiddenRequests;
pub use track::Track;

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
    /// By the index of the partition: exact sums over all regions and times of the request log.
    pub requests: Vec<PartitionRequests>,
    /// At the mean charge of what was served of their own operation.
    pub ru_of_429s: RuOf429s,
    /// What metrics tell of the container as a whole.
    pub whole: WholeLoad,
    /// By time.
    pub bursts: Vec<BurstStep>,
    /// How RU/s were bought, in words of units: all of the container's RU/s, autoscale maximum where it scales.
    pub ru_per_second: Option<f64>,
    pub ru_from: RuFrom,
}

words! {
    /// How the RU/s of a container are known.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum RuFrom {
        /// Its settings or a metric of the container as a whole.
        #[default]
        Reported = "as provisioned",
        /// What its partitions are told to give, added up.
        SumOfPartitions = "the RU/s reported for each partition, added up",
    }
    fn words
}

/// A physical partition as load knows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Partition {
    /// Index into the capture's partitions of the container; None for one that only load records name.
    pub known: Option<usize>,
    pub named: RangeName,
    /// What it can give a second, and how that is known.
    pub capacity: Option<Capacity>,
    pub kib: Option<f64>,
}

/// By what a partition is named.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RangeName {
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

words! {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum CapacityFrom {
        /// The service told it for this partition: a distribution answer, or the metric `PhysicalPartitionThroughputInfo`.
        Reported = "reported by the service for this partition",
        /// The container's RU/s times the partition's `throughputFraction`.
        Fraction = "the container's RU/s times its throughputFraction",
        /// The container's RU/s divided evenly: no input says how they are spread.
        EqualShares = "an equal share of the container's RU/s: no input says how they are spread",
    }
    fn words
}

words! {
    /// What is measured.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum Measure {
        #[default]
        /// `NormalizedRUConsumption`: the highest second within a step, as a share of the partition's RU/s.
        NormalizedRu = "normalized-ru",
        /// RU a second of the RU log, as a share of the partition's RU/s.
        LoggedShare = "logged-share",
        /// RU a second of the RU log.
        LoggedRu = "logged-ru",
        /// RU a second of the request log.
        RequestRu = "request-ru",
        /// Requests refused with 429, a second.
        Throttled = "429",
        /// Of all requests of a step.
        ThrottledShare = "429-share",
        /// Requests a second.
        Requests = "requests",
        /// KiB, from `PhysicalPartitionSizeInfo`.
        Storage = "storage",
    }
    /// For commands and JSON.
    fn name, ALL
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
pub enum Aggregate {
    Sum,
    Highest,
}

impl Measure {
    /// For headings.
    pub fn title(self) -> &'static str {
        match self {
            Self::NormalizedRu => "RU % of partition (metric, highest second)",
            Self::LoggedShare => "RU % of partition (RU log)",
            Self::LoggedRu => "RU/s (RU log)",
            Self::RequestRu => "RU/s (request log)",
            Self::Throttled => "429 a second",
            Self::ThrottledShare => "429 share of requests",
            Self::Requests => "requests a second",
            Self::Storage => "storage",
        }
    }

    pub fn unit(self) -> Unit {
        match self {
            Self::NormalizedRu | Self::LoggedShare | Self::ThrottledShare => Unit::Share,
            Self::LoggedRu | Self::RequestRu => Unit::RuPerSecond,
            Self::Throttled | Self::Requests => Unit::PerSecond,
            Self::Storage => Unit::Kib,
        }
    }

    pub fn along(self) -> Aggregate {
        match self.unit() {
            Unit::Share => Aggregate::Highest,
            Unit::RuPerSecond | Unit::PerSecond | Unit::Kib => Aggregate::Sum,
        }
    }
}

impl Heat {
    pub fn of(capture: &Capture) -> Self {
        tracks::heat(capture)
    }

    pub fn container(&self, number: u32) -> Option<&ContainerHeat> {
        self.containers.get(number as usize)
    }
}

impl ContainerHeat {
    /// RU that burst capacity served from one second up to another.
    pub fn burst_ru(&self, from: i64, to: i64) -> f64 {
        let inside = self.bursts.iter();
        let inside = inside.filter(|burst| (from..to).contains(&burst.second));
        inside.map(|burst| burst.ru).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.tracks.is_empty() && self.keys.cells().is_empty()
    }

    /// All regions of a measure, the busiest first.
    pub fn tracks_of(&self, measure: Measure) -> impl Iterator<Item = &Track> {
        self.tracks.iter().filter(move |t| t.measure == measure)
    }

    /// A measure in its busiest region.
    pub fn track(&self, measure: Measure) -> Option<&Track> {
        self.tracks_of(measure).next()
    }

    /// The track that best shows where it is hot, in the region where it is hottest: shares of what a partition can give, then
    /// what was refused, then amounts.
    pub fn best_track(&self) -> Option<&Track> {
        let rank = |track: &&Track| (track.measure.unit() != Unit::Share, track.measure);
        self.tracks.iter().min_by_key(rank)
    }

    fn is_described(&self) -> bool {
        self.partitions.iter().any(|p| p.known.is_some())
    }

    /// Indices of the partitions that exist, as far as inputs tell; `undefined` and what logs leave out are none.
    ///
    /// Where partitions are described they alone exist. Else a GUID that nothing joins to a range id is one of the
    /// ranges under another name wherever there are ranges.
    pub fn physical(&self) -> impl Iterator<Item = u32> {
        let (is_described, has_ranges) = (self.is_described(), self.has_ranges());
        let exists = move |p: &Partition| match &p.named {
            _ if p.known.is_some() => true,
            _ if is_described => false,
            RangeName::Undefined | RangeName::NotReported => false,
            RangeName::Range(_) => true,
            RangeName::Guid(_) => !has_ranges,
        };
        let all = (0_u32..).zip(&self.partitions);
        all.filter(move |(_, p)| exists(p)).map(|(index, _)| index)
    }

    /// How many partitions exist; None where no input names one.
    pub fn physical_partitions(&self) -> Option<usize> {
        let mut count = self.physical().count();
        if !self.is_described() {
            // Ranges and GUIDs that nothing joins: of one of the two may be more.
            count = count.max(self.guids());
        }
        (count > 0).then_some(count)
    }

    /// Index of a partition by its range id.
    pub fn partition_of_range(&self, id: &str) -> Option<u32> {
        let at = self.partitions.iter().position(|p| p.named.range() == Some(id))?;
        u32::try_from(at).ok()
    }
}

impl RangeName {
    /// The id of a range.
    pub fn range(&self) -> Option<&str> {
        if let Self::Range(id) = self { Some(id) } else { None }
    }

    /// For headings and rows.
    pub fn text(&self) -> &str {
        match self {
            Self::Range(id) | Self::Guid(id) => id,
            Self::Undefined => "undefined",
            Self::NotReported => "not reported",
        }
    }
}

#[cfg(test)]
mod tests;
