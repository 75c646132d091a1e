//! RU/s as the service sells them: steps, minima, and how many physical partitions they make.

use super::layout::MAX_PARTITIONS;
use super::units::{
    KIB_PER_GIB, MANUAL_RU_PER_NEW_PARTITION, MOST_RU, PARTITION_RU_PER_SECOND,
    PHYSICAL_CEILING_KIB, as_number, whole_usize,
};

/// A round of splits takes about so long, from and to.
pub const SPLIT_ROUND_HOURS: [u32; 2] = [4, 6];

/// How RU/s are bought when a container is created.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ThroughputMode {
    #[default]
    Manual,
    /// Autoscale, or shared by the containers of a database.
    AutoscaleOrShared,
}

impl ThroughputMode {
    /// The step in which RU/s are sold, and the fewest.
    pub fn sold(self) -> [f64; 2] {
        match self {
            Self::Manual => [100.0, 400.0],
            Self::AutoscaleOrShared => [1_000.0, 1_000.0],
        }
    }

    /// The fewest RU/s of a container that stores so much: 1 RU/s for each GB, 10 of an autoscale maximum.
    pub fn minimum(self, kib: f64) -> f64 {
        self.minimum_after(0.0, kib)
    }

    /// The same after the highest RU/s ever set: a hundredth of them stays, or a tenth of an autoscale maximum.
    pub fn minimum_after(self, highest: f64, kib: f64) -> f64 {
        let [step, least] = self.sold();
        let kept = match self {
            Self::Manual => 0.01,
            Self::AutoscaleOrShared => 0.1,
        };
        let of_highest = highest * kept;
        let of_storage = kib / KIB_PER_GIB * step / 100.0;
        (of_highest.max(of_storage).max(least) / step).ceil() * step
    }
}

/// Physical partitions of a new container. The documentation gives whole examples only; rounding up is assumed.
pub fn initial_partitions(ru_per_second: f64, throughput_mode: ThroughputMode) -> usize {
    count(ru_per_second / creation_ru(throughput_mode))
}

/// RU/s for each of which a new container has one physical partition.
pub fn creation_ru(throughput_mode: ThroughputMode) -> f64 {
    match throughput_mode {
        ThroughputMode::Manual => MANUAL_RU_PER_NEW_PARTITION,
        ThroughputMode::AutoscaleOrShared => PARTITION_RU_PER_SECOND,
    }
}

/// Physical partitions that so much data needs at least.
pub fn partitions_for_storage(kib: f64) -> usize {
    count(kib / PHYSICAL_CEILING_KIB)
}

/// Where neither RU/s nor data tell how many partitions there are: enough that unevenness shows.
const UNTOLD_PARTITIONS: usize = 10;

/// Physical partitions of a new container by its RU/s and its data; `at_least_kib` is the known part of the data where
/// the whole is unknown.
pub fn planned_partitions(
    ru_per_second: Option<f64>,
    throughput_mode: ThroughputMode,
    stored_kib: Option<f64>,
    at_least_kib: f64,
) -> usize {
    let by_storage = partitions_for_storage(stored_kib.unwrap_or(at_least_kib));
    match ru_per_second {
        Some(ru) => initial_partitions(ru, throughput_mode).max(by_storage),
        None if stored_kib.is_some() && by_storage > 1 => by_storage,
        None => by_storage.max(UNTOLD_PARTITIONS),
    }
}

/// Physical partitions of a container whose RU/s are set: it keeps those that it has, and splits where they cannot serve them.
pub fn partitions_after(now: usize, ru_per_second: Option<f64>) -> usize {
    let ru = ru_per_second.unwrap_or(0.0);
    now.max(count(ru / PARTITION_RU_PER_SECOND))
}

/// The next whole number, at least 1.
fn count(n: f64) -> usize {
    whole_usize(n.max(1.0).ceil()).min(MAX_PARTITIONS)
}

/// The most RU/s after some rounds of splits, each of which splits every partition once.
pub fn most_ru(partitions: usize, rounds: u32) -> f64 {
    (PARTITION_RU_PER_SECOND * as_number(partitions << rounds)).min(MOST_RU)
}
