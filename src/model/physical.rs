//! Physical partitions of a container: hash range, parents, share of throughput, storage and the keys listed in them.

use super::key::KeyDefinition;
use super::names::ContainerName;
use super::throughput::ThroughputMode;
use super::time::Stamp;

/// What is known of one physical partition, joined from range feeds, container reads and management answers by range id.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PhysicalPartition {
    /// The partition key range id, such as `3`.
    pub id: String,
    /// The GUID by which request logs name it.
    pub guid: Option<String>,
    pub min_inclusive: Option<String>,
    pub max_exclusive: Option<String>,
    pub parents: Vec<String>,
    pub status: Option<String>,
    pub throughput_fraction: Option<f64>,
    pub ru_per_second: Option<f64>,
    pub kib: Option<f64>,
    pub documents: Option<u64>,
    /// Keys the service listed for it, canonical text and size.
    pub listed: Vec<(String, f64)>,
}

impl PhysicalPartition {
    pub fn new(id: &str) -> Self {
        Self { id: id.to_owned(), ..Self::default() }
    }

    /// Takes over what `other` knows; figures of the later input win.
    pub fn merge(&mut self, other: Self) {
        self.guid = other.guid.or(self.guid.take());
        self.min_inclusive = other.min_inclusive.or(self.min_inclusive.take());
        self.max_exclusive = other.max_exclusive.or(self.max_exclusive.take());
        self.status = other.status.or(self.status.take());
        self.throughput_fraction = other.throughput_fraction.or(self.throughput_fraction);
        self.ru_per_second = other.ru_per_second.or(self.ru_per_second);
        self.kib = other.kib.or(self.kib);
        self.documents = other.documents.or(self.documents);
        if !other.parents.is_empty() {
            self.parents = other.parents;
        }
        if !other.listed.is_empty() {
            self.listed = other.listed;
        }
    }
}

/// How RU/s are bought for a container.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Throughput {
    Manual { ru_per_second: f64 },
    Autoscale { maximum: f64, now: Option<f64> },
}

impl Throughput {
    /// RU/s that partitions can have together.
    pub fn highest(self) -> f64 {
        match self {
            Self::Manual { ru_per_second } => ru_per_second,
            Self::Autoscale { maximum, .. } => maximum,
        }
    }

    pub fn mode(self) -> ThroughputMode {
        match self {
            Self::Manual { .. } => ThroughputMode::Manual,
            Self::Autoscale { .. } => ThroughputMode::AutoscaleOrShared,
        }
    }
}

/// The limits that come with a throughput setting.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ThroughputSettings {
    pub throughput: Throughput,
    pub minimum: Option<f64>,
    /// What can be set at once without a split: 10,000 RU/s per physical partition.
    pub instant_maximum: Option<f64>,
    /// What one key may use of its partition's RU/s.
    pub key_cap: Option<f64>,
}

impl ThroughputSettings {
    /// The number of physical partitions that the instant maximum tells.
    pub fn partitions(&self) -> Option<f64> {
        self.instant_maximum.map(|m| (m / super::units::PARTITION_RU_PER_SECOND).round())
    }
}

/// Where a container that has no RU/s of its own has them from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum WithoutOwn {
    /// Its database has RU/s, which all containers there without their own use.
    Shared(ThroughputSettings),
    /// None are listed, neither for it nor for its database.
    Nowhere,
}

/// Whether documents end by themselves, as a container is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeToLive {
    Off,
    /// Documents may have one of their own; the others end by the default, where there is one.
    On {
        default_seconds: Option<u64>,
    },
}

/// What the service says in a header of its own that a container uses: a snapshot, beside the statistics of its partitions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Usage {
    pub documents: Option<u64>,
    /// Of documents and their index, in KB as published.
    pub kib: Option<f64>,
}

impl Usage {
    /// `documentsCount=3;collectionSize=12;` and whatever else stands there.
    pub fn read(header: &str) -> Option<Self> {
        let value = |name: &str| {
            let pairs = header.split(';').filter_map(|pair| pair.split_once('='));
            let mut named = pairs.filter(|(at, _)| at.trim().eq_ignore_ascii_case(name));
            named.next().map(|(_, value)| value.trim())
        };
        let kib = value("collectionSize").and_then(|text| text.parse::<f64>().ok());
        let usage = Self {
            documents: value("documentsCount").and_then(|text| text.parse().ok()),
            kib: kib.filter(|kib| kib.is_finite() && *kib >= 0.0),
        };
        (usage.documents.is_some() || usage.kib.is_some()).then_some(usage)
    }
}

/// Facts about one container from one input that is no log: a read, a range feed, a management answer.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ContainerFacts {
    pub name: ContainerName,
    pub definition: Option<KeyDefinition>,
    pub throughput: Option<ThroughputSettings>,
    pub without_own: Option<WithoutOwn>,
    /// Whether documents may end by themselves, and whether some values are unique within a key.
    pub lifetime: Option<TimeToLive>,
    pub unique_keys: Option<bool>,
    pub usage: Option<Usage>,
    pub partitions: Vec<PhysicalPartition>,
    /// A merge that was only tried out: what the partition would be.
    pub merge_preview: Vec<PhysicalPartition>,
    /// When the input was taken, if it says so. A container read does not.
    pub at: Option<Stamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_of_usage_is_read_as_far_as_it_tells() {
        let read = |header| Usage::read(header).map(|usage| (usage.documents, usage.kib));
        let whole = "documentSize=0;documentsSize=11;documentsCount=7;collectionSize=12.5;";
        assert_eq!(read(whole), Some((Some(7), Some(12.5))));
        assert_eq!(read(" DocumentsCount = 0 "), Some((Some(0), None)));
        assert_eq!(read("documentsCount=-1;collectionSize=3"), Some((None, Some(3.0))));
        for nothing in [
            "",
            ";;=;",
            "documentsCount",
            "collectionSize=-1",
            "collectionSize=NaN",
            "collectionSize=inf",
        ] {
            assert_eq!(read(nothing), None, "{nothing}");
        }
    }
}
