//! Keys on physical partitions, by the hashes that the service computes.

use super::super::placement::Layout;
use super::super::throttling::equal_share;
use super::estimates::{Load, load_ratio, load_ratio_interval, real};
use super::fold::Groups;
use super::keys::definition;
use crate::model::units::PARTITION_RU_PER_SECOND;

/// What one level's hash takes in a boundary.
const LEVEL_BYTES: usize = 16;

/// A candidate's keys on physical partitions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Placement {
    /// In the order of the hash space.
    pub partitions: Vec<PartitionLoad>,
    /// Largest over mean by bytes; none without documents.
    pub load_ratio_storage: Option<f64>,
    /// Of a sample, where it lies with 95 %.
    pub load_ratio_storage_interval: Option<[f64; 2]>,
    /// Largest over mean by RU: each document is taken to cost the same.
    pub load_ratio_ru: Option<f64>,
    pub load_ratio_ru_interval: Option<[f64; 2]>,
    /// The share of RU refused; none where RU/s are not given.
    pub throttled_share: Option<f64>,
    /// The same if the load is that of the last hours.
    pub throttled_share_now: Option<f64>,
    pub load_ratio_now: Option<f64>,
    /// Keys whose texts were not kept: they are placed by chance.
    pub by_chance: u64,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PartitionLoad {
    /// Of all documents, with what indexes take.
    pub bytes: f64,
    pub documents: f64,
    /// RU a second asked of it; none where RU/s are not given.
    pub ru_per_second: Option<f64>,
}

/// What is placed, and on what.
pub(super) struct Asked<'a> {
    pub layout: &'a Layout,
    /// Documents and bytes of each group.
    pub counts: &'a [u64],
    pub bytes: &'a [u64],
    /// The size of each document.
    pub sizes: &'a [u32],
    /// Groups of the last hours.
    pub recent: &'a [(u32, u64)],
    pub ru_per_second: Option<f64>,
    pub load_ru_per_second: Option<f64>,
    /// From kept to all.
    pub documents_scale: f64,
    pub bytes_scale: f64,
    pub is_sample: bool,
    pub seed: u64,
}

pub(super) fn place(groups: &Groups<'_>, asked: &Asked<'_>) -> Placement {
    let (of_group, by_chance) = owners(groups, asked.layout);
    let owner = |group: u32| of_group.get(group as usize).copied().unwrap_or(0);
    let n = asked.layout.len();
    let mut documents = vec![0_u64; n];
    let mut bytes = vec![0_u64; n];
    for (group, (count, size)) in (0_u32..).zip(asked.counts.iter().zip(asked.bytes)) {
        add(&mut documents, owner(group), *count);
        add(&mut bytes, owner(group), *size);
    }
    let total: u64 = documents.iter().sum();
    let asks = |counts: &[u64]| -> Option<Vec<f64>> {
        let load = asked.load_ru_per_second.or(asked.ru_per_second)?;
        let total: u64 = counts.iter().sum();
        let of = |count: &u64| load * real(*count) / real(total.max(1));
        Some(counts.iter().map(of).collect())
    };
    let refused = |loads: &[f64]| refused_share(loads, asked.ru_per_second?);
    let loads = asks(&documents);
    let mut recent = vec![0_u64; n];
    for (group, count) in asked.recent {
        add(&mut recent, owner(*group), *count);
    }
    let interval = |loads: &dyn Fn() -> Vec<Load>| {
        (asked.is_sample && total > 0).then(|| load_ratio_interval(&loads(), asked.seed))?
    };
    let squared = || {
        let squares = squares(groups, asked.sizes, &owner, n);
        let both = bytes.iter().zip(squares);
        both.map(|(b, squares)| Load {
            sum: real(*b),
            squares,
        })
        .collect()
    };
    let counted = || {
        let load = |n: &u64| Load {
            sum: real(*n),
            squares: real(*n),
        };
        documents.iter().map(load).collect()
    };
    Placement {
        load_ratio_storage: load_ratio(bytes.iter().map(|b| real(*b))),
        load_ratio_storage_interval: interval(&squared),
        load_ratio_ru: load_ratio(documents.iter().map(|d| real(*d))),
        load_ratio_ru_interval: interval(&counted),
        throttled_share: loads.as_deref().and_then(refused),
        throttled_share_now: asks(&recent).as_deref().and_then(refused),
        load_ratio_now: load_ratio(recent.iter().map(|d| real(*d))),
        partitions: (0..n)
            .map(|at| PartitionLoad {
                bytes: bytes.get(at).map_or(0.0, |b| real(*b) * asked.bytes_scale),
                documents: documents
                    .get(at)
                    .map_or(0.0, |d| real(*d) * asked.documents_scale),
                ru_per_second: loads.as_ref().and_then(|l| l.get(at).copied()),
            })
            .collect(),
        by_chance,
    }
}

fn add(sums: &mut [u64], at: usize, value: u64) {
    if let Some(sum) = sums.get_mut(at) {
        *sum = sum.saturating_add(value);
    }
}

/// T = Σ max(0, L − C) / Σ L with equal shares of the RU/s.
fn refused_share(loads: &[f64], ru_per_second: f64) -> Option<f64> {
    let capacity = equal_share(ru_per_second, loads.len());
    let total: f64 = loads.iter().sum();
    let beyond: f64 = loads.iter().map(|l| (l - capacity).max(0.0)).sum();
    (total > 0.0).then(|| beyond / total)
}

/// The share of a load that a key of this share of it asks for beyond what any partition can give.
pub(super) fn beyond_any(share: f64, load_ru_per_second: f64) -> f64 {
    (share * load_ru_per_second - PARTITION_RU_PER_SECOND).max(0.0)
}

/// The partition of each group, and how many groups lie where chance puts them.
///
/// Boundaries that end with the first level, as those of a new container do, keep all keys of a first level together.
fn owners(groups: &Groups<'_>, layout: &Layout) -> (Vec<usize>, u64) {
    let levels = groups.levels.len();
    let is_long = |bytes: &[u8]| {
        let zeros = bytes.iter().rev().take_while(|b| **b == 0).count();
        bytes.len() - zeros > LEVEL_BYTES
    };
    let is_cut = layout.spans().iter().any(|s| is_long(s.min.as_bytes()));
    let depth = if is_cut { levels } else { levels.min(1) };
    let of_group = groups.prefixes(depth);
    let count = depth
        .checked_sub(1)
        .and_then(|d| groups.depths.get(d))
        .map_or(0, Vec::len);
    let mut by_chance = 0;
    let owners: Vec<usize> = (0..)
        .take(count)
        .map(|group| {
            let (epk, is_computed) = groups.place(group, depth);
            by_chance += u64::from(!is_computed);
            layout.owner(&epk).unwrap_or(0)
        })
        .collect();
    let of = |prefix: &u32| owners.get(*prefix as usize).copied().unwrap_or(0);
    (of_group.iter().map(of).collect(), by_chance)
}

/// The squares of the documents' sizes by partition.
fn squares(
    groups: &Groups<'_>,
    sizes: &[u32],
    owner: &dyn Fn(u32) -> usize,
    partitions: usize,
) -> Vec<f64> {
    let mut sums = vec![0.0; partitions];
    for (group, size) in groups.of_row.iter().zip(sizes) {
        if let Some(sum) = sums.get_mut(owner(*group)) {
            *sum += f64::from(*size).powi(2);
        }
    }
    sums
}

/// The layout of a new container.
pub(super) fn even(partitions: usize, levels: usize) -> Layout {
    Layout::even(partitions, &definition(levels))
}
