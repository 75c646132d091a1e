//! Keys on physical partitions, by the hashes that the service computes.

use super::super::placement::{Layout, Span};
use super::super::throttling::equal_share;
use super::estimates::{Load, load_ratio, load_ratio_interval};
use super::fold::Groups;
use super::keys::definition;
use super::splits::Splits;
use super::weights::Weighing;
use crate::model::epk::{Epk, epk, place_of_text};
use crate::model::key::{KeyDefinition, KeyVersion, Part};
use crate::model::units::{PARTITION_RU_PER_SECOND, real};

use super::keys::Known;

/// What one level's hash takes in a boundary.
const LEVEL_BYTES: usize = 16;

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
    /// Documents, bytes and weight of each group.
    pub counts: &'a [u64],
    pub bytes: &'a [u64],
    pub weights: &'a [f64],
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

pub(super) fn place(groups: &Groups<'_>, asked: &Asked<'_>) -> Placement {
    let (of_group, by_chance) = owners(groups, asked.layout, asked.definition);
    let owner = |group: u32| of_group.get(group as usize).copied().unwrap_or(0);
    let n = asked.layout.len();
    let mut documents = vec![0_u64; n];
    let mut bytes = vec![0_u64; n];
    let mut weights = vec![0.0; n];
    for (group, (count, size)) in (0_u32..).zip(asked.counts.iter().zip(asked.bytes)) {
        add(&mut documents, owner(group), *count);
        add(&mut bytes, owner(group), *size);
        let weight = asked.weights.get(group as usize).copied().unwrap_or(0.0);
        if let Some(sum) = weights.get_mut(owner(group)) {
            *sum += weight;
        }
    }
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
        by_chance,
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

/// The partition of each group, and how many groups lie where chance puts them.
///
/// Boundaries that end with the first level, as those of a new container do, keep all keys of a first level together.
fn owners(groups: &Groups<'_>, layout: &Layout, definition: &KeyDefinition) -> (Vec<usize>, u64) {
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
    let texts = (depth == 1 && definition.version == KeyVersion::V2)
        .then(|| Texts::of(layout))
        .flatten();
    let mut room = (String::new(), Vec::new());
    let owners: Vec<usize> = (0..)
        .take(count)
        .map(|group| {
            let of_text = texts
                .as_ref()
                .and_then(|t| t.owner(groups, group, &mut room));
            if let Some(owner) = of_text {
                return owner;
            }
            let (epk, is_computed) = hashed(groups, group, depth, definition);
            by_chance += u64::from(!is_computed);
            layout.owner(&epk).unwrap_or(0)
        })
        .collect();
    let of = |prefix: &u32| owners.get(*prefix as usize).copied().unwrap_or(0);
    (of_group.iter().map(of).collect(), by_chance)
}

/// The boundaries of a layout as numbers, among which places of texts are found fast.
struct Texts {
    starts: Vec<u128>,
}

impl Texts {
    /// None where a range is left out, or does not begin with whole bytes of one level.
    fn of(layout: &Layout) -> Option<Self> {
        let spans = layout.spans();
        let follows = |pair: &[Span]| matches!(pair, [a, b] if a.max == b.min);
        let is_whole = spans.first()?.min == Epk::MIN && spans.last()?.max == Epk::MAX;
        if !is_whole || !spans.windows(2).all(follows) {
            return None;
        }
        let start = |span: &Span| {
            let mut bytes = [0_u8; LEVEL_BYTES];
            for (to, from) in bytes.iter_mut().zip(span.min.as_bytes()) {
                *to = *from;
            }
            u128::from_be_bytes(bytes)
        };
        Some(Self {
            starts: spans.iter().map(start).collect(),
        })
    }

    /// The partition of a group of the first level whose value is a text.
    fn owner(
        &self,
        groups: &Groups<'_>,
        group: u32,
        (text, bytes): &mut (String, Vec<u8>),
    ) -> Option<usize> {
        let (_, value) = *groups.depths.first()?.get(group as usize)?;
        text.clear();
        if !groups.levels.first()?.push_kept_text(value, text) {
            return None;
        }
        let place = place_of_text(text, bytes);
        let after = self.starts.partition_point(|start| *start <= place);
        after.checked_sub(1)
    }
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
