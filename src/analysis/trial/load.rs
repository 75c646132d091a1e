//! RU/s that clients demand under a key: what follows the keys, what goes to single ones, and what cross-partition requests
//! cost on every physical partition.

use std::sync::Arc;

use super::super::billing::{Price, and_money};
use super::super::candidate::Candidate;
use super::super::demand::buy::{
    self, Flow, HEAVY, KeyDemand, KeyShares, PartitionFlows, Shortfall,
};
use super::super::demand::outcome::{Interval, Outcome};
use super::super::demand::profiles::LoadProfiles;
use super::super::routing::{RU_PER_VISIT, Routing};
use super::super::throttling::equal_share;
use super::Trial;
use super::fold::Groups;
use super::key_placement::Placement;
use super::rates::{factor, usual_rate};
use super::routes::Routed;
use super::settings::Settings;
use super::splits::PlacementRanges;
use super::tally::Tally;
use super::weights::{RowWeights, Weights};
use crate::model::epk::epk;
use crate::model::key::{KeyDefinition, Part};
use crate::model::layout::Layout;
use crate::model::throughput::{creation_ru, initial_partitions};
use crate::model::units::{PARTITION_RU_PER_SECOND, as_number, real};

/// Documents of a key from which on its share is more than chance.
pub(super) const ENOUGH: u64 = 8;

/// From this share on a first level is looked into: what is less fits into any partition.
const DIVIDED: f64 = 1.0 / 32.0;

/// Under one key.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct CandidateDemand {
    pub by_key: Flow,
    pub each: Flow,
    /// Keys that texts of requests name, and what goes to each.
    pub named: Vec<Vec<Part>>,
    pub bound: Vec<Flow>,
}

/// RU/s to buy for one demand.
#[derive(Clone, PartialEq, Debug)]
pub struct ToBuy {
    /// RU/s in all; of one that is not known before cross-partition requests cost more.
    pub demand: f64,
    pub ru: Result<Interval, Shortfall>,
    /// As many as are enough if clients only repeated what was throttled.
    pub least: Option<f64>,
    /// RU/s that the same requests would need if no key stood out and one partition answered each.
    pub evenly: Option<f64>,
    /// Physical partitions that a new container has with them.
    pub partitions: Option<usize>,
    pub price: Option<Price>,
}

impl ToBuy {
    /// `, 876 EUR a month` behind the RU/s; nothing without a price.
    pub fn money(&self) -> String {
        let ru = self.ru.map(|ru| and_money(self.price.as_ref(), ru.point));
        ru.unwrap_or_default()
    }
}

impl CandidateDemand {
    /// None where neither a load is given nor every request has a rate.
    pub fn of(routed: &[Routed], settings: &Settings) -> Option<Self> {
        let is_rated = !routed.is_empty() && routed.iter().all(|r| r.per_second.is_some());
        match settings.load_ru_per_second {
            Some(load) => Some(Self::at(load, routed, settings)),
            None => is_rated.then(|| Self::shape(routed, 1.0)),
        }
        .filter(|load| load.total(1) > 0.0)
    }

    /// All rates are scaled alike until they come to a total under the current key, else where one partition answers each.
    pub fn at(total: f64, routed: &[Routed], settings: &Settings) -> Self {
        let Some(factor) = factor(total, routed, settings) else {
            let by_key = Flow { ru_per_second: total, squares: 0.0 };
            return Self { by_key, ..Self::default() };
        };
        Self::shape(routed, factor)
    }

    /// The rates of the requests times this factor.
    pub fn shape(routed: &[Routed], factor: f64) -> Self {
        let usual = usual_rate(routed.iter().map(|r| r.per_second));
        let mut load = Self::default();
        for one in routed {
            let rate = one.per_second.unwrap_or(usual) * factor;
            let flow =
                |ru: f64, of: f64| Flow { ru_per_second: rate * ru, squares: rate * ru * ru / of };
            let mut add = |more: Flow| load.by_key = load.by_key.and(more);
            match one.route.routing {
                Routing::FanOut { of } if of > 1 => {
                    // The charge where one partition answers holds one visit.
                    add(flow((one.ru - RU_PER_VISIT).max(0.0), f64::from(of)));
                    load.each = load.each.and(flow(RU_PER_VISIT, 1.0));
                }
                // What is not understood decides nothing: that it is there, the verdict says.
                Routing::Unknown => add(flow(one.ru, 1.0)),
                Routing::Single | Routing::Targeted { .. } | Routing::FanOut { .. } => {
                    let visits = one.route.visits().unwrap_or(1.0).max(1.0);
                    let all = flow(one.ru + RU_PER_VISIT * (visits - 1.0), visits);
                    let keys = &one.route.known;
                    let part = 1.0 / as_number(keys.len().max(1));
                    load.named.extend_from_slice(keys);
                    load.bound.extend(keys.iter().map(|_| all.times(part)));
                    if keys.is_empty() {
                        load.by_key = load.by_key.and(all);
                    }
                }
            }
        }
        load
    }

    pub fn total(&self, partitions: usize) -> f64 {
        self.demand(&KeyShares::default()).total(partitions)
    }

    /// What one partition answers.
    pub fn without_fan_out(&self) -> Flow {
        self.bound.iter().copied().fold(self.by_key, Flow::and)
    }

    /// The same requests if no key stood out and one partition answered each.
    fn single_partition_demand<'a>(&self, even: &'a KeyShares) -> KeyDemand<'a> {
        let by_key = self.without_fan_out().and(self.each);
        KeyDemand { by_key, shares: even, bound: &[], each: Flow::default() }
    }

    pub fn demand<'a>(&'a self, shares: &'a KeyShares) -> KeyDemand<'a> {
        KeyDemand { by_key: self.by_key, shares, bound: &self.bound, each: self.each }
    }

    /// The demand of each partition, where what the keys on it have of each course is known, a row for each.
    pub fn placed(
        &self,
        parts: &[f64],
        profiles: &LoadProfiles,
        layout: &Layout,
        definition: &KeyDefinition,
    ) -> PartitionFlows {
        let all: f64 = parts.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let parts: Vec<f64> = parts.iter().map(|part| part / all).collect();
        let mut beside = vec![self.each; layout.len()];
        for (key, flow) in self.named.iter().zip(&self.bound) {
            let at = epk(key, definition).and_then(|epk| layout.owner(&epk));
            if let Some(held) = beside.get_mut(at.unwrap_or(0)) {
                *held = held.and(*flow);
            }
        }
        PartitionFlows::of(self.by_key, &parts, profiles, &beside)
    }
}

/// What a demand comes to under one key.
pub(super) struct Bill {
    pub demand: Option<f64>,
    pub to_buy: Vec<ToBuy>,
    pub beyond_any_ru: Option<f64>,
}

impl Bill {
    pub fn of(
        load: Option<&CandidateDemand>,
        routed: &[Routed],
        shares: &KeyShares,
        settings: &Settings,
        partitions: usize,
    ) -> Self {
        let demand = load.map(|load| load.demand(shares));
        let beyond = |demand: KeyDemand<'_>| demand.hottest_key()[1];
        Self {
            demand: demand.map(|demand| demand.total(partitions)),
            to_buy: to_buy(load, routed, shares, settings),
            beyond_any_ru: demand.map(beyond),
        }
    }

    pub fn measured(&mut self, outcome: &Outcome, price: Option<Price>) {
        let demand = outcome.demand_ru_per_second;
        let peak = outcome.hottest_key.as_ref().map_or(0.0, |key| key.peak);
        let beyond = (peak - PARTITION_RU_PER_SECOND).max(0.0);
        let cannot = if beyond > 0.0 { Shortfall::Key(peak) } else { Shortfall::Partition };
        self.demand = Some(demand);
        self.beyond_any_ru = Some(beyond);
        self.to_buy = vec![ToBuy {
            demand,
            ru: outcome.ru_to_buy.map(Interval::exact).ok_or(cannot),
            least: outcome.repeated.and_then(|of| of.ru_to_buy),
            evenly: None,
            partitions: None,
            price,
        }];
    }
}

/// The key of today shows its measured partitions; None for others, and where demand is not measured.
pub(super) fn measured(
    candidate: &Candidate,
    (settings, ranges): (&Settings, &PlacementRanges),
    placement: &mut Placement,
    bill: &mut Bill,
) -> Option<Outcome> {
    let outcome = settings.outcome(candidate, ranges)?;
    placement.measured(&outcome);
    bill.measured(&outcome, settings.price.clone());
    bill.to_buy.retain(|_| !settings.is_serverless());
    Some(outcome)
}

/// What a partition can serve, and the part of its demand beyond it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limit {
    pub capacity: f64,
    pub throttled: f64,
}

impl Trial {
    /// Of each partition with these loads: as measured for the key of today, else with equal parts of the RU/s.
    pub fn limits(&self, loads: &[f64], provisioned: f64) -> Vec<Limit> {
        let capacity = equal_share(provisioned, loads.len());
        let measured = self.outcome.as_ref();
        let measured = measured.filter(|of| of.partitions.len() == loads.len());
        let measured = measured.map(Outcome::by_id).unwrap_or_default();
        let one = |(at, load): (usize, &f64)| {
            let id = self.placement.ids.get(at);
            let of = id.and_then(|id| measured.get(&**id));
            let flow = Flow { ru_per_second: *load, squares: 0.0 };
            let computed = || PartitionFlows::from(vec![flow]).throttled_share(capacity);
            Limit {
                capacity: of.and_then(|p| p.capacity).unwrap_or(capacity),
                throttled: of.map_or_else(computed, |p| p.throttled_share).unwrap_or(0.0),
            }
        };
        loads.iter().enumerate().map(one).collect()
    }
}

/// RU/s to buy: for the demand that is known, else for three that are not, a tenth of what is provisioned, that, and ten
/// times as much.
fn to_buy(
    load: Option<&CandidateDemand>,
    routed: &[Routed],
    shares: &KeyShares,
    settings: &Settings,
) -> Vec<ToBuy> {
    if settings.is_serverless() {
        return Vec::new();
    }
    let (least, mode) = (settings.least_of_new(), settings.throughput_mode);
    let even = &shares.evenly();
    let buy = |demand: f64, load: &CandidateDemand| {
        let single = load.single_partition_demand(even);
        let [ru, evenly] = [load.demand(shares), single].map(|of| buy::ru_to_buy(&of, mode, least));
        // Nobody buys less than the demand, though 1 % may be throttled, nor less than what is stored takes.
        let step = mode.sold()[0];
        let whole = |demand: f64| ((demand / step).ceil() * step).max(settings.minimum());
        let ru = ru.map(|ru| ru.at_least(whole(demand)));
        let created = |ru: Interval| initial_partitions(ru.point, mode).max(least);
        let (partitions, price) = (ru.ok().map(created), settings.price.clone());
        let evenly = evenly.ok().map(|ru| ru.at_least(whole(single.total(1))).point);
        ToBuy { demand, ru, least: None, evenly, partitions, price }
    };
    if let Some(load) = load {
        let demand = load.total(settings.partitions.max(1));
        let part = settings.today.as_ref().and_then(|today| today.repeated_part());
        let if_repeated = part.map(|part| {
            let demand = demand * part;
            buy(demand, &CandidateDemand::at(demand, routed, settings))
        });
        let least = if_repeated.and_then(|buy| Some(buy.ru.ok()?.point));
        return vec![ToBuy { least, ..buy(demand, load) }];
    }
    let planned = || creation_ru(settings.throughput_mode) * as_number(settings.partitions);
    let provisioned = settings.ru_per_second.unwrap_or_else(planned);
    let ifs = [0.1, 1.0, 10.0].map(|times| provisioned * times);
    ifs.map(|demand| buy(demand, &CandidateDemand::at(demand, routed, settings))).into()
}

/// A key that is placed by itself.
struct HeavyKey {
    group: u32,
    share: f64,
    documents: u64,
}

/// Keys that are placed one by one, the heaviest first, and how unlike the others are.
#[derive(Default)]
struct HeavyKeys {
    keys: Vec<HeavyKey>,
    rest_squares: f64,
}

impl HeavyKeys {
    /// Documents stand for those to come: a key seen once says nothing of one key.
    fn of(groups: &Groups<'_>, weights: &Weights<'_>, total: f64, depth: usize) -> Self {
        let mut found = Self::default();
        let mut add = |group: u32, weight: f64, documents: u64| {
            let share = weight / total;
            if share >= HEAVY && documents >= ENOUGH {
                found.keys.push(HeavyKey { group, share, documents });
            } else if documents > 0 {
                found.rest_squares += share * share * (1.0 - 1.0 / real(documents));
            }
        };
        let sizes = groups.sizes_at(depth);
        match weights {
            Weights::Documents(_) => sizes.all(|group, [count, _]| add(group, real(count), count)),
            Weights::Bytes(_) => sizes.all(|group, [count, bytes]| add(group, real(bytes), count)),
            Weights::Parts { sums, documents, .. } => {
                let mut both = vec![(0.0, 0); sizes.len()];
                for (group, (weight, count)) in (0_u32..).zip(sums.iter().zip(documents)) {
                    if let Some((sum, all)) = both.get_mut(groups.prefix(group, depth) as usize) {
                        *sum += weight;
                        *all += u64::from(*count);
                    }
                }
                for (group, (weight, count)) in (0_u32..).zip(both) {
                    add(group, weight, count);
                }
            }
        }
        // The numbers of groups depend on what else is read, and chance places one after the other.
        let bytes = |key: &HeavyKey| std::cmp::Reverse(sizes.bytes(key.group));
        let by_share = |a: &HeavyKey, b: &HeavyKey| b.share.total_cmp(&a.share);
        found.keys.sort_by(|a, b| by_share(a, b).then(bytes(a).cmp(&bytes(b))));
        found
    }
}

/// What keys of the first `depth` levels have together: those that a new container keeps in one place.
pub(super) fn shares(
    groups: &Groups<'_>,
    weights: &Weights<'_>,
    tally: &Tally,
    depth: usize,
) -> KeyShares {
    let total = weights.total(tally).max(f64::MIN_POSITIVE);
    let (hottest, highest) = weights.highest(tally);
    let found = HeavyKeys::of(groups, weights, total, depth);
    let (divided, keys) = inside(groups, weights, total, depth, &found.keys);
    let sizes = groups.sizes_at(depth);
    let all_bytes = real(tally.bytes.max(1));
    let bytes = found.keys.iter().map(|key| real(sizes.bytes(key.group)) / all_bytes);
    let steady = KeyShares {
        heavy_bytes: bytes.filter(|_| !divided.is_empty()).collect(),
        ..KeyShares::steady(
            found.keys.iter().map(|key| key.share).collect(),
            found.rest_squares,
            highest / total,
        )
    };
    let rows = match weights {
        Weights::Parts { rows, .. } if rows.profiles.count() > 1 => rows,
        _ => {
            let share = |group: &u32| weights.of(*group) / total;
            let keys = keys.iter();
            let keys = keys.map(|keys| keys.iter().map(share).collect());
            return steady.with(divided.into_iter().zip(keys));
        }
    };
    let of_total = |parts: Vec<f64>| parts.into_iter().map(|part| part / total).collect();
    let of_groups = |wanted: Vec<u32>| {
        let [parts, _] = by_profile(groups, rows, wanted.into_iter(), groups.len(), |group| group);
        of_total(parts)
    };
    let prefix = |group| groups.prefix(group, depth);
    let wanted = found.keys.iter().map(|key| key.group);
    let parts = by_profile(groups, rows, wanted, sizes.len(), prefix);
    let [mut heavy, rest]: [Vec<f64>; 2] = parts.map(of_total);
    let factors = trusted(&found.keys);
    for (row, factor) in heavy.chunks_mut(rows.profiles.count()).zip(factors) {
        for part in row {
            *part *= factor;
        }
    }
    let mut of_hottest: Vec<f64> = of_groups(vec![hottest]);
    let scale = highest / total / of_hottest.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    for part in &mut of_hottest {
        *part *= scale;
    }
    let found = KeyShares {
        heavy,
        rest,
        hottest: of_hottest,
        profiles: Arc::clone(&rows.profiles),
        ..steady
    };
    found.with(divided.into_iter().zip(keys.into_iter().map(of_groups)))
}

/// By how much shares are too far from their mean, as far as chance explains it of so few documents each (as the sizes of
/// keys of a sample are, by Bühlmann's credibility).
fn trusted(heavy: &[HeavyKey]) -> Vec<f64> {
    let n = as_number(heavy.len().max(1));
    let mean = heavy.iter().map(|key| key.share).sum::<f64>() / n;
    let apart = heavy.iter().map(|key| (key.share - mean).powi(2));
    let apart = apart.sum::<f64>().max(f64::MIN_POSITIVE);
    let by_chance = heavy.iter().map(|key| key.share * key.share / real(key.documents.max(1)));
    let trust = (1.0 - by_chance.sum::<f64>() / apart).max(0.0);
    heavy.iter().map(|key| (mean + trust * (key.share - mean)) / key.share).collect()
}

/// Which heavy first levels are heavy enough to be worth a split, and the heavy keys in each.
fn inside(
    groups: &Groups<'_>,
    weights: &Weights<'_>,
    total: f64,
    depth: usize,
    heavy: &[HeavyKey],
) -> (Vec<usize>, Vec<Vec<u32>>) {
    let hot = heavy.iter().enumerate();
    let hot = hot.filter(|(_, key)| depth < groups.levels.len() && key.share >= DIVIDED);
    let (rows, prefixes): (Vec<usize>, Vec<u32>) = hot.map(|(row, key)| (row, key.group)).unzip();
    let mut keys = vec![Vec::new(); rows.len()];
    if !rows.is_empty() {
        groups.sizes.all(|group, [count, _]| {
            if count < ENOUGH || weights.of(group) < HEAVY * total {
                return;
            }
            let prefix = groups.prefix(group, depth);
            let at = prefixes.iter().position(|hot| *hot == prefix);
            if let Some(keys) = at.and_then(|at| keys.get_mut(at)) {
                keys.push(group);
            }
        });
    }
    (rows, keys)
}

/// What some groups have of each course, a row for each, and what all others have together.
fn by_profile(
    groups: &Groups<'_>,
    rows: &RowWeights,
    wanted: impl Iterator<Item = u32>,
    count: usize,
    of: impl Fn(u32) -> u32,
) -> [Vec<f64>; 2] {
    let mut places = vec![None; count];
    let mut found = 0;
    for group in wanted {
        if let Some(place) = places.get_mut(group as usize) {
            *place = Some(found);
            found += 1;
        }
    }
    let place = |group| places.get(of(group) as usize).copied().flatten();
    rows.by_profile(groups, found, place)
}
