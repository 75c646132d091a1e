//! Splits of physical partitions: today's ranges brought to a number, and partitions that hold more than they may.

use super::super::candidate::Candidate;
use super::super::demand::buy::{KeyShares, PartitionFlows};
use super::super::routing::RoutedLayout;
use super::super::throttling::equal_share;
use super::estimates::load_ratio;
use super::fold::Groups;
use super::key_placement::{LayoutFrom, PartitionLoad, PlacementInput};
use super::keys::even;
use super::load::CandidateDemand;
use super::routes::Routed;
use super::settings::Settings;
use super::today::Today;
use super::weights::Weights;
use crate::model::epk::Epk;
use crate::model::key::KeyDefinition;
use crate::model::layout::{Layout, PlacedWeight, SplitBy, SplitFirst};
use crate::model::throughput::{ThroughputMode, initial_partitions};
use crate::model::units::{PHYSICAL_CEILING_KIB, real};

/// Keys that are placed one by one to find where splits fall; of more a part stands for the rest.
const MOST_PLACED: usize = 50_000;
/// A key with more than this part of what all hold is always among them.
const LARGE: f64 = 1e-4;

/// What storage splits make of a placement.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Splits {
    /// In the order of the hash space.
    pub partitions: Vec<PartitionLoad>,
    pub load_ratio_storage: Option<f64>,
    pub load_ratio_ru: Option<f64>,
    pub throttled_share: Option<f64>,
    /// Partitions that hold too much even so: one key alone fills them, and no split divides a key.
    pub over: u64,
}

/// A group's place and what it stands for.
struct PlacedGroup {
    epk: Epk,
    bytes: f64,
    documents: f64,
    weight: f64,
}

/// Ranges on which keys are placed, and how keys are hashed.
pub(super) struct PlacementRanges {
    pub layout: Layout,
    pub from: LayoutFrom,
    pub definition: KeyDefinition,
}

impl PlacementRanges {
    /// The same for requests. Of a new container the ranges are equal: what splits make of them is not bought for either.
    pub fn routed(&self) -> RoutedLayout {
        if !matches!(self.from, LayoutFrom::Today | LayoutFrom::TodaySplit { .. }) {
            return RoutedLayout::even(u32::try_from(self.layout.len()).unwrap_or(u32::MAX));
        }
        RoutedLayout::of(self.layout.clone(), self.definition.version)
    }
}

/// The ranges, where requests go on them, and what they demand.
pub(super) type LaidOut = (PlacementRanges, Vec<Routed>, Option<CandidateDemand>);

/// Where a key lies once splits have made room for its data and its load. `places` are both by place; times `scale`
/// their bytes are those of all that is stored.
pub(super) fn laid_out(
    candidate: &Candidate,
    (settings, today): (&Settings, Option<&Today>),
    shares: &KeyShares,
    (all_bytes, scale): (f64, f64),
    places: impl Fn(&KeyDefinition) -> [Vec<PlacedWeight>; 2],
    on: impl Fn(PlacementRanges) -> LaidOut,
) -> LaidOut {
    let levels = candidate.levels.len();
    let data = |definition: &KeyDefinition| {
        let [data, _] = places(definition);
        data
    };
    let first = on(layout(today, levels, settings, data));
    let of_keys = first.2.as_ref().map_or(0.0, |load| load.by_key.ru_per_second);
    let is_too_hot = |capacity| shares.is_too_hot(of_keys, capacity);
    let cooled = cooled(levels, settings, (&first.0, &is_too_hot), &places);
    // Today's partitions are as many as there are.
    let is_today = cooled.is_none() && settings.is_current(candidate);
    let new = Some(cooled.as_ref().unwrap_or(&first.0)).filter(|_| !is_today);
    let filled = new.and_then(|new| {
        filled(new, all_bytes, settings, |definition| {
            data(definition).into_iter().map(|(epk, bytes)| (epk, bytes * scale)).collect()
        })
    });
    filled.or(cooled).map_or(first, on)
}

/// The ranges on which a key is placed: where it is the one that the container has today's, split as far as its keys' places
/// and bytes say, else those of a new container.
fn layout(
    today: Option<&Today>,
    levels: usize,
    settings: &Settings,
    bytes: impl FnOnce(&KeyDefinition) -> Vec<(Epk, f64)>,
) -> PlacementRanges {
    let definition =
        today.map_or_else(|| KeyDefinition::of_levels(levels), |today| today.hashing(levels));
    let partitions = settings.partitions;
    let (layout, from) = match today.and_then(|today| today.ranges.as_ref()) {
        None => (even(settings.partitions_of_new(), levels), LayoutFrom::Creation),
        Some(ranges) if partitions <= ranges.len() => (ranges.clone(), LayoutFrom::Today),
        Some(ranges) => {
            let now = today.and_then(|today| today.now.as_deref());
            let worst = SplitFirst::Lightest;
            let by_load = now.and_then(|now| now.grown(partitions, worst, settings.cut));
            let by_data = || {
                let bytes = bytes(&definition);
                let by = SplitBy::new(&bytes, &definition, settings.cut);
                ranges.grown(partitions, SplitFirst::Heaviest, by)
            };
            let grown = by_load.unwrap_or_else(by_data);
            (grown, LayoutFrom::TodaySplit { from: ranges.len() })
        }
    };
    PlacementRanges { layout, from, definition }
}

/// Partitions of a new container that would hold more than they may are split while its data is copied: it serves on what
/// these splits make. None where nothing is split.
fn filled(
    new: &PlacementRanges,
    all_bytes: f64,
    settings: &Settings,
    bytes: impl FnOnce(&KeyDefinition) -> Vec<PlacedWeight>,
) -> Option<PlacementRanges> {
    let limit = PHYSICAL_CEILING_KIB * 1024.0;
    let from = match new.from {
        LayoutFrom::Creation => LayoutFrom::StorageSplit { from: new.layout.len() },
        split @ LayoutFrom::CreationSplit { .. } => split,
        _ => return None,
    };
    if all_bytes <= limit {
        return None;
    }
    let weights = bytes(&new.definition);
    let layout =
        new.layout.split_over(limit, SplitBy::new(&weights, &new.definition, settings.cut));
    (layout.len() > new.layout.len()).then(|| PlacementRanges {
        layout,
        from,
        definition: new.definition.clone(),
    })
}

/// The ranges of a new container whose first level is too hot for a partition: created as small as it may be, a partition
/// gets more where RU/s are raised, and is split from 10,000 RU/s on. None where one partition can serve each first level,
/// where a new one is as small anyway, or RU/s are not known.
fn cooled(
    levels: usize,
    settings: &Settings,
    (chosen, is_too_hot): (&PlacementRanges, &dyn Fn(f64) -> bool),
    data_and_load: impl FnOnce(&KeyDefinition) -> [Vec<PlacedWeight>; 2],
) -> Option<PlacementRanges> {
    let ru = settings.ru_per_second?;
    let least = settings.least_of_new().max(1);
    let count = initial_partitions(ru, ThroughputMode::AutoscaleOrShared).max(least);
    let is_new = chosen.from == LayoutFrom::Creation && levels > 1;
    let is_fewer = least < chosen.layout.len();
    if !is_new || !is_fewer || !is_too_hot(equal_share(ru, chosen.layout.len())) {
        return None;
    }
    let [data, load] = data_and_load(&chosen.definition);
    let layout = even(least, levels);
    Some(PlacementRanges {
        layout: layout.cooled(count, &load, SplitBy::new(&data, &chosen.definition, settings.cut)),
        from: LayoutFrom::CreationSplit { from: least },
        definition: chosen.definition.clone(),
    })
}

/// What groups have of the data and of the load, by their places.
pub(super) fn data_and_load(
    groups: &Groups<'_>,
    weights: &Weights<'_>,
    definition: &KeyDefinition,
) -> [Vec<PlacedWeight>; 2] {
    let placed = placed(groups, definition, weights);
    let of = |weigh: fn(&PlacedGroup) -> f64| -> Vec<PlacedWeight> {
        placed.iter().map(|p| (p.epk.clone(), weigh(p))).collect()
    };
    [of(|p| p.bytes), of(|p| p.weight)]
}

/// None where no partition holds more than it may.
pub(super) fn after_splits(
    input: &PlacementInput<'_>,
    mut bytes: impl Iterator<Item = f64>,
) -> Option<Splits> {
    let limit = PHYSICAL_CEILING_KIB * 1024.0;
    if bytes.all(|bytes| bytes <= limit) {
        return None;
    }
    let PlacementRanges { layout, definition, .. } = input.ranges;
    let whole = &input.trials.whole;
    let placed = placed(input.groups, definition, input.weights);
    let weigh = |p: &PlacedGroup| (p.epk.clone(), p.bytes * whole.bytes_scale);
    let weights: Vec<(Epk, f64)> = placed.iter().map(weigh).collect();
    let by = SplitBy::new(&weights, definition, input.settings.cut);
    let layout = layout.split_over(limit, by);
    let mut found = vec![PartitionLoad::default(); layout.len()];
    let mut parts = vec![0.0; layout.len()];
    for one in &placed {
        let at = layout.owner(&one.epk).unwrap_or(0);
        if let (Some(load), Some(part)) = (found.get_mut(at), parts.get_mut(at)) {
            load.bytes += one.bytes * whole.bytes_scale;
            load.documents += one.documents * whole.documents_scale;
            *part += one.weight;
        }
    }
    // Keys of one partition follow all courses, as all keys do.
    let mix = input.trials.weighing.mix(input.groups);
    let of_profiles = parts.iter().flat_map(|part| mix.iter().map(move |share| part * share));
    let of_profiles: Vec<f64> = of_profiles.collect();
    let demand = input.demand(&of_profiles, &layout);
    let means = demand.as_ref().map(PartitionFlows::means);
    for (load, ru) in found.iter_mut().zip(means.into_iter().flatten()) {
        load.ru_per_second = Some(ru);
    }
    Some(Splits {
        load_ratio_storage: load_ratio(found.iter().map(|p| p.bytes)),
        load_ratio_ru: (demand.as_ref().and_then(PartitionFlows::imbalance))
            .or_else(|| load_ratio(parts.iter().copied())),
        throttled_share: input.throttled(demand.as_ref()),
        over: found.iter().filter(|p| p.bytes > limit).count() as u64,
        partitions: found,
    })
}

/// Groups with their places: all of them, or the large ones and as many of the others as stand for the rest.
fn placed(
    groups: &Groups<'_>,
    definition: &KeyDefinition,
    weights: &Weights<'_>,
) -> Vec<PlacedGroup> {
    let (mut total, mut seen) = (0.0, 0_usize);
    groups.sizes.all(|_, [_, bytes]| {
        total += real(bytes);
        seen += 1;
    });
    let large = total * LARGE;
    let each = seen.div_ceil(MOST_PLACED).max(1);
    let (mut small, mut taken) = (0.0, 0.0);
    let mut found = Vec::new();
    let mut small_ones = Vec::new();
    let mut at = 0_usize;
    groups.sizes.all(|group, [count, size]| {
        let is_large = real(size) > large;
        if !is_large {
            small += real(size);
        }
        at += 1;
        if !is_large && !(at - 1).is_multiple_of(each) {
            return;
        }
        let one = PlacedGroup {
            epk: groups.place(group, groups.levels.len(), definition).0,
            bytes: real(size),
            documents: real(count),
            weight: weights.of(group),
        };
        if is_large {
            found.push(one);
        } else {
            taken += one.bytes;
            small_ones.push(one);
        }
    });
    let scale = if each > 1 && taken > 0.0 { small / taken } else { 1.0 };
    found.extend(small_ones.into_iter().map(|p| PlacedGroup {
        bytes: p.bytes * scale,
        documents: p.documents * scale,
        weight: p.weight * scale,
        ..p
    }));
    found
}
