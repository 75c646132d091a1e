//! Keys on physical partitions, by the hashes that the service computes.

use super::super::placement::Layout;
use super::super::throttling::equal_share;
use super::estimates::{Load, load_ratio, load_ratio_interval};
use super::fold::Groups;
use super::keys::definition;
use super::owners::Owners;
use super::splits::Splits;
use super::weights::{Weighing, Weights};
use crate::model::epk::{Epk, epk};
use crate::model::key::{KeyDefinition, KeyVersion, Part};
use crate::model::units::{PARTITION_RU_PER_SECOND, real};

use super::keys::Known;

/// A candidate's keys on physical partitions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Placement {
    /// In the order of the hash space.
    pub partitions: Vec<PartitionLoad>,
    pub layout: LayoutFrom,
    /// Largest over mean by bytes; none without documents.
    pub load_ratio_storage: Option<f64>,
    /// Of a sample, where it lies with 95 %.
    pub load_ratio_storage_interval: Option<[f64; 2]>,
    /// Largest over mean by RU, by the weight that is set.
    pub load_ratio_ru: Option<f64>,
    pub load_ratio_ru_interval: Option<[f64; 2]>,
    /// The share of RU refused; none where RU/s are not given.
    pub throttled_share: Option<f64>,
    /// The same if the load is that of the last hours.
    pub throttled_share_now: Option<f64>,
    pub load_ratio_now: Option<f64>,
    /// Documents of the last hours that were looked at, by partition.
    pub recent: Vec<f64>,
    /// Keys whose texts were not kept: they are placed by chance.
    pub by_chance: u64,
    /// What storage splits make of it, where a partition would hold more than it may.
    pub after_splits: Option<Splits>,
}

/// Where the hash ranges are from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LayoutFrom {
    /// Even, as the service divides a new container.
    #[default]
    Creation,
    /// Those of the container today.
    Today,
    /// Those of today, split until there are as many as asked for.
    TodaySplit { from: usize },
}

impl LayoutFrom {
    pub fn name(self) -> &'static str {
        match self {
            Self::Creation => "creation",
            Self::Today => "today",
            Self::TodaySplit { .. } => "today-split",
        }
    }
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
    pub from: LayoutFrom,
    pub definition: &'a KeyDefinition,
    /// The weight of each group.
    pub weights: &'a Weights<'a>,
    pub weighing: &'a Weighing,
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

impl Asked<'_> {
    /// RU/s of parts of the load; none where RU/s are not given.
    pub fn shared_out(&self, parts: &[f64]) -> Option<Vec<f64>> {
        let load = self.load_ru_per_second.or(self.ru_per_second)?;
        let total: f64 = parts.iter().sum();
        let of = |part: &f64| load * part / total.max(f64::MIN_POSITIVE);
        Some(parts.iter().map(of).collect())
    }

    pub fn refused_share(&self, loads: &[f64]) -> Option<f64> {
        refused(loads, self.ru_per_second?)
    }
}

/// T = Σ max(0, L − C) / Σ L with equal shares of the RU/s.
pub(super) fn refused(loads: &[f64], ru_per_second: f64) -> Option<f64> {
    let capacity = equal_share(ru_per_second, loads.len());
    let total: f64 = loads.iter().sum();
    let beyond: f64 = loads.iter().map(|l| (l - capacity).max(0.0)).sum();
    (total > 0.0).then(|| beyond / total)
}

/// What all partitions have: documents, bytes and weight.
fn sums(groups: &Groups<'_>, asked: &Asked<'_>, owners: &Owners) -> (Vec<u64>, Vec<u64>, Vec<f64>) {
    let n = asked.layout.len();
    let mut documents = vec![0_u64; n];
    let mut bytes = vec![0_u64; n];
    groups.sizes_at(owners.depth).all(|group, [count, size]| {
        let owner = owners.of_prefix.get(group as usize).copied();
        let owner = owner.unwrap_or(0) as usize;
        add(&mut documents, owner, count);
        add(&mut bytes, owner, size);
    });
    let whole = |sums: &[u64]| sums.iter().map(|sum| real(*sum)).collect();
    let weights = match asked.weighing {
        Weighing::Documents => whole(&documents),
        Weighing::Bytes => whole(&bytes),
        Weighing::Rows(_) => {
            let mut weights = vec![0.0; n];
            for group in (0_u32..).take(groups.len()) {
                if let Some(sum) = weights.get_mut(owners.of(groups, group)) {
                    *sum += asked.weights.of(group);
                }
            }
            weights
        }
    };
    (documents, bytes, weights)
}

pub(super) fn place(groups: &Groups<'_>, asked: &Asked<'_>, owners: &Owners) -> Placement {
    let owner = |group: u32| owners.of(groups, group);
    let n = asked.layout.len();
    let (documents, bytes, weights) = sums(groups, asked, owners);
    let loads = asked.shared_out(&weights);
    let mut recent = vec![0_u64; n];
    for (group, count) in asked.recent {
        add(&mut recent, owner(*group), *count);
    }
    let recent: Vec<f64> = recent.iter().map(|n| real(*n)).collect();
    let refused = |loads: &[f64]| asked.refused_share(loads);
    let [storage, ru] = intervals(groups, asked, &owner, [&documents, &bytes], &weights);
    let partitions: Vec<PartitionLoad> = (0..n)
        .map(|at| PartitionLoad {
            bytes: bytes.get(at).map_or(0.0, |b| real(*b) * asked.bytes_scale),
            documents: documents
                .get(at)
                .map_or(0.0, |d| real(*d) * asked.documents_scale),
            ru_per_second: loads.as_ref().and_then(|l| l.get(at).copied()),
        })
        .collect();
    Placement {
        layout: asked.from,
        load_ratio_storage: load_ratio(bytes.iter().map(|b| real(*b))),
        load_ratio_storage_interval: storage,
        load_ratio_ru: load_ratio(weights.iter().copied()),
        load_ratio_ru_interval: ru,
        throttled_share: loads.as_deref().and_then(refused),
        throttled_share_now: asked.shared_out(&recent).as_deref().and_then(refused),
        load_ratio_now: load_ratio(recent.iter().copied()),
        recent,
        partitions,
        by_chance: owners.by_chance,
        after_splits: None,
    }
}

/// Of a sample, where the load ratios by bytes and by RU lie.
fn intervals(
    groups: &Groups<'_>,
    asked: &Asked<'_>,
    owner: &dyn Fn(u32) -> usize,
    [documents, bytes]: [&[u64]; 2],
    weights: &[f64],
) -> [Option<[f64; 2]>; 2] {
    if !asked.is_sample || documents.iter().all(|n| *n == 0) {
        return [None, None];
    }
    let n = documents.len();
    let loads = |sums: &mut dyn Iterator<Item = f64>, squares: Vec<f64>| -> Vec<Load> {
        sums.zip(squares)
            .map(|(sum, squares)| Load { sum, squares })
            .collect()
    };
    let sizes = |row: usize| f64::from(asked.sizes.get(row).copied().unwrap_or(0));
    let by_bytes = loads(
        &mut bytes.iter().map(|b| real(*b)),
        squares(groups, &sizes, owner, n),
    );
    let storage = load_ratio_interval(&by_bytes, asked.seed);
    let ru = match asked.weighing {
        Weighing::Bytes => storage,
        Weighing::Documents => {
            let counts = documents.iter().map(|n| real(*n));
            load_ratio_interval(
                &loads(&mut counts.clone(), counts.clone().collect()),
                asked.seed,
            )
        }
        Weighing::Rows(rows) => {
            let weight = |row: usize| f64::from(rows.get(row).copied().unwrap_or(0.0));
            let squares = squares(groups, &weight, owner, n);
            load_ratio_interval(&loads(&mut weights.iter().copied(), squares), asked.seed)
        }
    };
    [storage, ru]
}

fn add(sums: &mut [u64], at: usize, value: u64) {
    if let Some(sum) = sums.get_mut(at) {
        *sum = sum.saturating_add(value);
    }
}

/// The share of a load that a key of this share of it asks for beyond what any partition can give.
pub(super) fn beyond_any(share: f64, load_ru_per_second: f64) -> f64 {
    (share * load_ru_per_second - PARTITION_RU_PER_SECOND).max(0.0)
}

/// Where a group of the first `depth` levels lies; false where that is by chance.
pub(super) fn hashed(
    groups: &Groups<'_>,
    group: u32,
    depth: usize,
    definition: &KeyDefinition,
) -> (Epk, bool) {
    if definition.version == KeyVersion::V2 {
        return groups.place(group, depth);
    }
    let mut is_computed = true;
    let mut part = |known: Known| match known {
        Known::Part(part) => part,
        Known::Hash(hash) => {
            is_computed = false;
            Part::Text(format!("{hash:016x}").into())
        }
    };
    let parts: Vec<Part> = groups
        .known(group, depth)
        .into_iter()
        .map(&mut part)
        .collect();
    match epk(&parts, definition) {
        Some(epk) => (epk, is_computed),
        None => (Epk::MIN, false),
    }
}

/// The squares of what the documents weigh, by partition.
fn squares(
    groups: &Groups<'_>,
    weight: &dyn Fn(usize) -> f64,
    owner: &dyn Fn(u32) -> usize,
    partitions: usize,
) -> Vec<f64> {
    let mut sums = vec![0.0; partitions];
    for (row, group) in groups.of_row.iter().enumerate() {
        if let Some(sum) = sums.get_mut(owner(*group)) {
            *sum += weight(row).powi(2);
        }
    }
    sums
}

/// The layout of a new container.
pub(super) fn even(partitions: usize, levels: usize) -> Layout {
    Layout::even(partitions, &definition(levels))
}
