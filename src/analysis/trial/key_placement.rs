//! Keys on physical partitions, by the hashes that the service computes.

use std::collections::BTreeMap;

use super::super::demand::buy::{Flow, PartitionFlows};
use super::super::demand::outcome::Outcome;
use super::Trials;
use super::estimates::{Load, interval, load_ratio, load_ratio_interval};
use super::fold::Groups;
pub use super::layout_from::LayoutFrom;
use super::load::{CandidateDemand, ENOUGH};
use super::owners::Owners;
use super::settings::Settings;
use super::splits::{PlacementRanges, Splits};
use super::weights::{RowWeights, Weighing, Weights};
use super::window_samples;
use crate::model::layout::Layout;
use crate::model::units::{PHYSICAL_CEILING_KIB, real};

/// A candidate's keys on physical partitions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Placement {
    /// In the order of the hash space.
    pub partitions: Vec<PartitionLoad>,
    /// As the service names them, where they are those of today; else they are counted from 0.
    pub ids: Vec<String>,
    pub layout: LayoutFrom,
    /// Largest over mean by bytes; none without documents.
    pub load_ratio_storage: Option<f64>,
    /// Of a sample, where it lies with 95 %.
    pub load_ratio_storage_interval: Option<[f64; 2]>,
    /// Imbalance by demand; where that is not known, by the weight that is set.
    pub load_ratio_ru: Option<f64>,
    pub load_ratio_ru_interval: Option<[f64; 2]>,
    /// By the weight that is set, whatever is demanded.
    pub load_ratio_ru_v1: Option<f64>,
    /// None where demand or provisioned RU/s are not known.
    pub throttled_share: Option<f64>,
    /// Of a sample, and of today's key as far as it was measured.
    pub throttled_share_interval: Option<[f64; 2]>,
    /// With all provisioned RU/s for the demand where no load is given.
    pub throttled_share_v1: Option<f64>,
    /// Keys whose texts were not kept: they are placed by chance.
    pub by_chance: u64,
    /// What storage splits make of it, where a partition would hold more than it may.
    pub after_splits: Option<Splits>,
}

impl Placement {
    /// As the service names a partition, else its number.
    pub fn id(&self, at: usize) -> String {
        let known = self.ids.get(at).cloned();
        known.unwrap_or_else(|| at.to_string())
    }

    /// The mean over placements, by the number of partitions, instead of what this one throttles.
    pub(super) fn averaged(&mut self, throttled: impl Fn(usize) -> Option<f64>) {
        self.throttled_share = throttled(self.partitions.len());
        self.throttled_share_interval = None;
        if let Some(after) = &mut self.after_splits {
            after.throttled_share = throttled(after.partitions.len());
        }
    }

    /// The measured partitions under their own ids, not keys placed again.
    pub(super) fn measured(&mut self, outcome: &Outcome) {
        self.throttled_share = outcome.throttled_share.map(|t| t.point);
        self.throttled_share_interval = outcome.throttled_share.map(|t| [t.low, t.high]);
        self.load_ratio_ru = outcome.imbalance;
        self.load_ratio_ru_interval = None;
        if outcome.partitions.len() != self.partitions.len() {
            return;
        }
        // The ranges here are in their order, the partitions there in that of their ids: after splits these differ.
        let measured = outcome.by_id();
        if self.ids.is_empty() || !self.ids.iter().all(|id| measured.contains_key(&**id)) {
            self.ids = outcome.partitions.iter().map(|p| p.id.clone()).collect();
        }
        for (load, id) in self.partitions.iter_mut().zip(&self.ids) {
            load.ru_per_second = measured.get(&**id).map(|measured| measured.mean);
        }
    }

    /// Measured sizes under their ids, where all are known: those that keys come to by their hashes are estimates.
    pub(super) fn stored(&mut self, bytes: &BTreeMap<String, f64>) {
        let sizes: Option<Vec<f64>> = self.ids.iter().map(|id| bytes.get(id).copied()).collect();
        let Some(sizes) = sizes.filter(|sizes| sizes.len() == self.partitions.len()) else {
            return;
        };
        self.load_ratio_storage = load_ratio(sizes.iter().copied());
        self.load_ratio_storage_interval = None;
        if sizes.iter().all(|bytes| *bytes <= PHYSICAL_CEILING_KIB * 1024.0) {
            self.after_splits = None;
        }
        for (load, size) in self.partitions.iter_mut().zip(sizes) {
            load.bytes = size;
        }
    }
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PartitionLoad {
    /// Of all documents, with what indexes take.
    pub bytes: f64,
    pub documents: f64,
    /// Demand; none where it is not known.
    pub ru_per_second: Option<f64>,
}

/// What is placed, and on what.
pub(super) struct PlacementInput<'a> {
    pub trials: &'a Trials,
    pub groups: &'a Groups<'a>,
    pub ranges: &'a PlacementRanges,
    pub owners: &'a Owners,
    /// The weight of each group.
    pub weights: &'a Weights<'a>,
    pub settings: &'a Settings,
    /// Documents of the last hours by group, where only keys of the present date get some.
    pub newest: Option<&'a [(u32, u64)]>,
    pub load: Option<&'a CandidateDemand>,
}

impl PlacementInput<'_> {
    /// The demand of partitions that have these parts of each course; none where it is not known, or nothing is there.
    pub fn demand(&self, parts: &[f64], layout: &Layout) -> Option<PartitionFlows> {
        let load = self.load.filter(|_| parts.iter().sum::<f64>() > 0.0)?;
        let profiles = self.trials.weighing.profiles();
        Some(load.placed(parts, &profiles, layout, &self.ranges.definition))
    }

    pub fn throttled(&self, demand: Option<&PartitionFlows>) -> Option<f64> {
        demand?.throttled_share(self.settings.ru_per_second?)
    }
}

/// By the weight alone, as schema 1 had it.
pub(super) fn throttled_v1(parts: &[f64], settings: &Settings) -> Option<f64> {
    let provisioned = settings.ru_per_second;
    let all: f64 = parts.iter().sum();
    let scale = settings.load_ru_per_second.or(provisioned)? / all.max(f64::MIN_POSITIVE);
    let flow = |part: &f64| Flow { ru_per_second: part * scale, squares: 0.0 };
    let demand: Vec<Flow> = parts.iter().map(flow).collect();
    PartitionFlows::from(demand).throttled_share(provisioned?)
}

/// What all partitions have: documents, bytes and weight.
fn sums(input: &PlacementInput<'_>) -> (Vec<u64>, Vec<u64>, Vec<f64>) {
    let PlacementInput { groups, owners, .. } = *input;
    let n = input.ranges.layout.len();
    let mut documents = vec![0_u64; n];
    let mut bytes = vec![0_u64; n];
    groups.sizes_at(owners.depth).all(|group, [count, size]| {
        let owner = owners.of_prefix.get(group as usize).copied();
        let owner = owner.unwrap_or(0) as usize;
        add(&mut documents, owner, count);
        add(&mut bytes, owner, size);
    });
    let whole = |sums: &[u64]| sums.iter().map(|sum| real(*sum)).collect();
    let weights = match &*input.trials.weighing {
        Weighing::Documents => whole(&documents),
        Weighing::Bytes => whole(&bytes),
        Weighing::Rows(_) => {
            let mut weights = vec![0.0; n];
            for group in (0_u32..).take(groups.len()) {
                if let Some(sum) = weights.get_mut(owners.of(groups, group)) {
                    *sum += input.weights.of(group);
                }
            }
            weights
        }
    };
    (documents, bytes, weights)
}

pub(super) fn place(input: &PlacementInput<'_>) -> Placement {
    let PlacementInput { groups, owners, .. } = *input;
    let from = input.ranges.from;
    let n = input.ranges.layout.len();
    let (documents, bytes, weights) = sums(input);
    let newest = (input.newest).map(|newest| written(newest, groups, owners, n));
    let demand = demand(input, (&weights, newest.as_ref()));
    let drawn = drawn(input, [&documents, &bytes], &weights);
    let within = |loads: &[Load]| load_ratio_interval(loads, input.settings.seed);
    let storage = drawn.as_ref().and_then(|[bytes, _]| within(bytes));
    let ru = drawn.as_ref().and_then(|[_, by_weight]| within(by_weight));
    let share = input.throttled(demand.as_ref());
    let throttled = share.zip(drawn.as_ref().filter(|_| newest.is_none()));
    let throttled = throttled.and_then(|(share, [_, by_weight])| {
        // As they lie in the sample: what evens out few documents is one of the ends.
        let parts = match &*input.trials.weighing {
            Weighing::Rows(rows) => of_profiles(rows, input, 1),
            Weighing::Documents | Weighing::Bytes => weights.clone(),
        };
        let [low, high] = throttled_interval(&parts, by_weight, input)?;
        Some([low.min(share), high.max(share)])
    });
    let by_weight = load_ratio(weights.iter().copied());
    let by_demand = demand.as_ref().and_then(PartitionFlows::imbalance);
    let means = demand.as_ref().map(PartitionFlows::means);
    // What requests cost everywhere evens out what keys do.
    let evened = by_demand
        .zip(by_weight)
        .map_or(1.0, |(demand, weight)| (demand - 1.0) / (weight - 1.0).max(f64::MIN_POSITIVE));
    let evened = if evened.is_finite() && evened <= 1.0 { evened } else { 1.0 };
    let partitions = partition_loads(input, &documents, &bytes, means.as_deref());
    Placement {
        ids: match (from, &input.settings.today) {
            (LayoutFrom::Today, Some(today)) if today.ids.len() == n => today.ids.clone(),
            _ => Vec::new(),
        },
        layout: from,
        load_ratio_storage: load_ratio(bytes.iter().map(|b| real(*b))),
        load_ratio_storage_interval: storage,
        load_ratio_ru: by_demand
            .or_else(|| load_ratio(newest.as_ref()?.iter().copied()))
            .or(by_weight),
        load_ratio_ru_v1: by_weight,
        load_ratio_ru_interval: (ru.filter(|_| newest.is_none()))
            .map(|ru| ru.map(|ratio| 1.0 + (ratio - 1.0) * evened)),
        throttled_share: share,
        throttled_share_interval: throttled,
        throttled_share_v1: throttled_v1(&weights, input.settings),
        partitions,
        by_chance: owners.by_chance,
        after_splits: None,
    }
}

fn partition_loads(
    input: &PlacementInput<'_>,
    documents: &[u64],
    bytes: &[u64],
    means: Option<&[f64]>,
) -> Vec<PartitionLoad> {
    let whole = &input.trials.whole;
    let of = documents.iter().zip(bytes).enumerate();
    let one = |(at, (documents, bytes)): (usize, (&u64, &u64))| PartitionLoad {
        bytes: real(*bytes) * whole.bytes_scale,
        documents: real(*documents) * whole.documents_scale,
        ru_per_second: means.and_then(|means| means.get(at).copied()),
    };
    of.map(one).collect()
}

/// What partitions are asked to serve, with these weights.
fn demand(
    input: &PlacementInput<'_>,
    (weights, newest): (&Vec<f64>, Option<&Vec<f64>>),
) -> Option<PartitionFlows> {
    let parts = match (&*input.trials.weighing, newest) {
        (Weighing::Rows(rows), _) => of_profiles(rows, input, ENOUGH),
        (_, Some(newest)) => newest.clone(),
        (_, None) => steady(input).unwrap_or_else(|| weights.clone()),
    };
    input.demand(&parts, &input.ranges.layout)
}

/// The same of keys without a date.
pub(super) fn flows(input: &PlacementInput<'_>) -> Option<PartitionFlows> {
    let (.., weights) = sums(input);
    demand(input, (&weights, None))
}

/// The weights of a sample by partition, where keys of a few documents lie evenly: of those the next sample has others. None
/// where all documents are there, or documents weigh by themselves.
fn steady(input: &PlacementInput<'_>) -> Option<Vec<f64>> {
    let PlacementInput { groups, owners, ranges, .. } = *input;
    let by_count = match &*input.trials.weighing {
        Weighing::Documents => true,
        Weighing::Bytes => false,
        Weighing::Rows(_) => return None,
    };
    if !input.trials.whole.is_sample {
        return None;
    }
    let (mut parts, mut rest) = (vec![0.0; ranges.layout.len()], 0.0);
    groups.sizes_at(owners.depth).all(|group, [count, size]| {
        let weight = real(if by_count { count } else { size });
        let owner = owners.of_prefix.get(group as usize).copied().unwrap_or(0);
        // Where a first level is cut, few documents of a key say at least which level they are of.
        let is_known = owners.depth > 1 || count >= ENOUGH;
        match parts.get_mut(owner as usize).filter(|_| is_known) {
            Some(part) => *part += weight,
            None => rest += weight,
        }
    });
    let shares = ranges.from.hash_parts(&ranges.layout);
    for (part, share) in parts.iter_mut().zip(shares) {
        *part += rest * share;
    }
    Some(parts)
}

/// Documents of the last hours by partition. Where a key has a few only, where it lies is chance: the next one lies elsewhere,
/// where a first level is cut as all keys of that level do.
fn written(
    newest: &[(u32, u64)],
    groups: &Groups<'_>,
    owners: &Owners,
    partitions: usize,
) -> Vec<f64> {
    let mut written = vec![0_u64; partitions];
    let mut few: BTreeMap<u32, u64> = BTreeMap::new();
    for (group, count) in newest.iter().copied() {
        if count >= ENOUGH {
            add(&mut written, owners.of(groups, group), count);
        } else {
            let first = groups.prefix(group, owners.depth.saturating_sub(1).min(1));
            *few.entry(first).or_default() += count;
        }
    }
    let mut written: Vec<f64> = written.into_iter().map(real).collect();
    if owners.depth <= 1 {
        let even = real(few.values().sum()) / real(partitions.max(1) as u64);
        for part in &mut written {
            *part += even;
        }
        return written;
    }
    let mut held: BTreeMap<u32, BTreeMap<usize, u64>> = BTreeMap::new();
    groups.sizes_at(owners.depth).all(|group, [count, _]| {
        let first = groups.prefix(group, 1);
        if few.contains_key(&first) {
            let parts = held.entry(first).or_default();
            *parts.entry(owners.of(groups, group)).or_default() += count;
        }
    });
    for (first, parts) in held {
        let all = real(parts.values().sum());
        let new = few.get(&first).map_or(0.0, |count| real(*count));
        for (at, part) in parts {
            if let Some(sum) = written.get_mut(at) {
                *sum += new * real(part) / all;
            }
        }
    }
    written
}

/// What partitions have of each course, a row for each. Keys of fewer than `enough` documents lie evenly: the next ones lie
/// elsewhere.
fn of_profiles(rows: &RowWeights, input: &PlacementInput<'_>, enough: u64) -> Vec<f64> {
    let PlacementInput { groups, owners, ranges, .. } = *input;
    let (n, profiles) = (ranges.layout.len(), rows.profiles.count());
    let mut of_prefix = vec![0_u32; owners.of_prefix.len()];
    if let Weights::Parts { documents, .. } = input.weights {
        for (group, count) in (0_u32..).zip(documents) {
            let prefix = groups.prefix(group, owners.depth) as usize;
            if let Some(sum) = of_prefix.get_mut(prefix) {
                *sum = sum.saturating_add(*count);
            }
        }
    }
    let place = |group| {
        let prefix = groups.prefix(group, owners.depth) as usize;
        // Where a first level is cut, few documents of a key say at least which level they are of.
        let is_known = owners.depth > 1 || u64::from(*of_prefix.get(prefix)?) >= enough;
        let owner = owners.of_prefix.get(prefix).copied();
        is_known.then_some(owner.unwrap_or(0) as usize)
    };
    let [mut parts, rest] = rows.by_profile(groups, n, place);
    let shares = ranges.from.hash_parts(&ranges.layout);
    for (row, share) in parts.chunks_mut(profiles).zip(shares) {
        for (part, rest) in row.iter_mut().zip(&rest) {
            *part += rest * share;
        }
    }
    parts
}

/// Of a sample, where the throttled share lies: of `parts` each partition has more or less in proportion to what is drawn.
fn throttled_interval(
    parts: &[f64],
    loads: &[Load],
    input: &PlacementInput<'_>,
) -> Option<[f64; 2]> {
    let profiles = parts.len() / loads.len().max(1);
    let steps = input.trials.weighing.profiles().steps.first().map_or(1, Vec::len);
    interval(loads, input.settings.seed, steps * profiles, |drawn| {
        let mut parts = parts.to_vec();
        let rows = parts.chunks_mut(profiles.max(1)).zip(loads.iter().zip(drawn));
        for (row, (load, drawn)) in rows.filter(|(_, (load, _))| load.sum > 0.0) {
            for part in row {
                *part *= drawn / load.sum;
            }
        }
        input.throttled(input.demand(&parts, &input.ranges.layout).as_ref())
    })
}

/// Of a sample what partitions have by bytes and by the weight that is set, with what chance makes of it.
fn drawn(
    input: &PlacementInput<'_>,
    [documents, bytes]: [&[u64]; 2],
    weights: &[f64],
) -> Option<[Vec<Load>; 2]> {
    if !input.trials.whole.is_sample || documents.iter().all(|n| *n == 0) {
        return None;
    }
    let table = &input.trials.prepared.documents;
    let squares = |weight: &dyn Fn(usize) -> f64| squares(input, weight, documents.len());
    let loads = |sums: &[f64], squares: Vec<f64>| -> Vec<Load> {
        let each = sums.iter().copied().zip(squares);
        each.map(|(sum, squares)| Load { sum, squares }).collect()
    };
    let real = |counts: &[u64]| counts.iter().map(|n| real(*n)).collect::<Vec<f64>>();
    let sizes = |row: usize| f64::from(table.bytes().get(row).copied().unwrap_or(0));
    let by_bytes = loads(&real(bytes), squares(&sizes));
    let by_weight = match &*input.trials.weighing {
        Weighing::Bytes => by_bytes.clone(),
        Weighing::Documents => {
            let counts = real(documents);
            let squares = match table.windows().all.as_slice() {
                [] => counts.clone(),
                _ => squares(&|_| 1.0),
            };
            loads(&counts, squares)
        }
        Weighing::Rows(rows) => {
            let weight = |row: usize| f64::from(rows.ru.get(row).copied().unwrap_or(0.0));
            loads(weights, squares(&weight))
        }
    };
    Some([by_bytes, by_weight])
}

fn add(sums: &mut [u64], at: usize, value: u64) {
    if let Some(sum) = sums.get_mut(at) {
        *sum = sum.saturating_add(value);
    }
}

/// The squares of what the documents weigh, by partition; those of one window together.
fn squares(
    input: &PlacementInput<'_>,
    weight: &dyn Fn(usize) -> f64,
    partitions: usize,
) -> Vec<f64> {
    let PlacementInput { groups, owners, .. } = *input;
    let windows = input.trials.prepared.documents.windows();
    let rows = groups.of_row.iter().enumerate();
    let rows = rows.map(|(row, group)| (owners.of(groups, *group), weight(row)));
    if !windows.of_row.is_empty() {
        return window_samples::squares(windows, rows, partitions);
    }
    let mut sums = vec![0.0; partitions];
    for (owner, weight) in rows {
        if let Some(sum) = sums.get_mut(owner) {
            *sum += weight.powi(2);
        }
    }
    sums
}
