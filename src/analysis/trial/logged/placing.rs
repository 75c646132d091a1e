//! The values of a key that is made of the current one, on physical partitions.

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::epk::{Epk, epk};
use crate::model::key::{KeyDefinition, Part as Value};

use super::super::super::candidate::{Candidate, Gaps};
use super::super::super::demand::buy::{KeyShares, PartitionFlows};
use super::super::super::demand::profiles::LoadProfiles;
use super::super::super::distribution::BUCKETS;
use super::super::super::growth::LimitDate;
use super::super::super::skew::WholeOf;
use super::super::as_placed::KeyPlaces;
use super::super::clock::KeyTurn;
use super::super::estimates::{Distinct, Share, load_ratio};
use super::super::forecast::{self, ForecastReason, KeyForecast, Rate, fullness};
use super::super::key_placement::{PartitionLoad, Placement, throttled_v1};
use super::super::load::{Bill, CandidateDemand, measured};
use super::super::routes::Routed;
use super::super::scaling::DOCUMENT_BYTES;
use super::super::settings::Settings;
use super::super::size_classes::{SizeClass, classes, count};
use super::super::splits::{self, LaidOut, PlacementRanges};
use super::super::{LevelSpread, TopKey, Trial};
use super::findings::findings;
use super::new_keys::{NewKey, is_heavy, ones, placed_apart};
use super::transform::KeySplit;
use super::{KeyLog, LoggedKey, TrialBasis};
use crate::model::layout::{Layout, PlacedWeight};
use crate::model::units::PARTITION_RU_PER_SECOND;

pub(super) fn trial(
    logged: &KeyLog,
    candidate: &Candidate,
    made: &KeySplit<'_>,
    settings: &Settings,
) -> (Trial, Vec<Routed>) {
    let profiles = settings.measured().map(|now| LoadProfiles::of(&now.demand));
    let profiles = profiles.unwrap_or_default();
    let ones = ones(logged, made, &profiles, settings);
    let whole = logged.whole(settings);
    let ahead = ahead(logged, made, settings);
    let largest = largest(&ones, made);
    let ru: f64 = logged.today.logged.total();
    let hottest = match made {
        KeySplit::ById => 0.0,
        _ => ones.iter().map(|o| o.ru).fold(0.0, f64::max) / ru.max(f64::MIN_POSITIVE),
    };
    let mut shares = shares(&ones, ru, hottest, &profiles);
    if *made == KeySplit::ById {
        shares = divisible(shares, &ones, whole.bytes, ru);
    }
    let apart = placed_apart(&ones, made, ru);
    let (layout, routed, load) = laid_out(logged, candidate, &apart, &shares, settings);
    let partitions = settings.partitions;
    let mut bill = Bill::of(load.as_ref(), &routed, &shares, settings, partitions);
    let share = |bytes: f64| share_of(bytes, whole.bytes);
    let placed = (load.as_ref(), profiles.as_ref());
    let mut placement = placement(logged, &layout, &apart, placed, settings);
    as_placed(&mut bill, logged, candidate, (&apart, &shares), settings);
    let outcome = measured(candidate, (settings, &layout), &mut placement, &mut bill);
    let mut trial = Trial {
        outcome,
        candidate: candidate.clone(),
        basis: logged.basis(settings),
        whole,
        distinct: Distinct { seen: ones.len() as u64, ..Distinct::default() },
        largest_bytes: largest,
        largest_range: None,
        largest_grows: false,
        ceiling: settings.ceiling,
        largest_share_of_ceiling: settings.ceiling.share(largest / 1024.0),
        sizes: sizes(&ones, made),
        top_share: share(largest),
        hottest_share: hottest,
        top: match made {
            KeySplit::ById => Vec::new(),
            _ => top(&ones, settings.top, share, ru),
        },
        // Large keys alone say nothing of how many the others are.
        k_eff: None,
        levels: levels(candidate, &ones, made, whole.bytes, largest),
        hot_hour_share: None,
        writes: None,
        keys_at_a_time: None,
        ahead,
        collisions: None,
        placement,
        demand: bill.demand,
        to_buy: bill.to_buy,
        demand_at_key_limit: (hottest > 0.0).then(|| PARTITION_RU_PER_SECOND / hottest),
        beyond_any_ru: bill.beyond_any_ru,
        findings: findings(logged, made, settings),
    };
    forecast::measured(&mut trial, settings);
    (trial, routed)
}

/// RU/s to buy by where the values lie once they are set.
fn as_placed(
    bill: &mut Bill,
    logged: &KeyLog,
    candidate: &Candidate,
    (ones, shares): (&[NewKey], &KeyShares),
    settings: &Settings,
) {
    if logged.today.is_current(candidate) {
        return;
    }
    bill.as_placed(settings, KeyPlaces::Stay, |on| {
        let (layout, _, load) = laid_out(logged, candidate, ones, shares, on);
        let load = (load.as_ref(), shares.profiles.as_ref());
        let demand = partition_loads(logged, &layout, ones, load, on).2?;
        let share = move |ru| demand.throttled_share(ru).unwrap_or(0.0);
        Some((share, layout.from))
    });
}

fn largest(ones: &[NewKey], made: &KeySplit<'_>) -> f64 {
    let largest = ones.iter().map(|o| o.bytes).fold(0.0, f64::max);
    match made {
        // What a key of today holds no document is larger than.
        KeySplit::ById if largest > 0.0 => DOCUMENT_BYTES.min(largest),
        KeySplit::ById => DOCUMENT_BYTES,
        _ => largest,
    }
}

fn share_of(bytes: f64, whole: f64) -> Share {
    let share = bytes / whole.max(f64::MIN_POSITIVE);
    Share { share, interval: [share; 2] }
}

fn top(ones: &[NewKey], most: usize, share: impl Fn(f64) -> Share, ru: f64) -> Vec<TopKey> {
    let mut order: Vec<&NewKey> = ones.iter().collect();
    order.sort_by(|a, b| b.bytes.total_cmp(&a.bytes));
    let top = order.into_iter().take(most).map(|one| TopKey {
        key: one.key.clone(),
        documents: 0.0,
        bytes: one.bytes,
        is_measured: true,
        share: share(one.bytes),
        share_of_ru: one.ru / ru.max(f64::MIN_POSITIVE),
    });
    top.collect()
}

/// What values have of the logged RU; what no log names is smaller keys, and smooth. With the id below, what lies together
/// until it splits is that of a key of today.
fn shares(ones: &[NewKey], ru: f64, hottest: f64, profiles: &Arc<LoadProfiles>) -> KeyShares {
    let row = |profile: usize, share: f64| {
        let mut row = vec![0.0; profiles.count()];
        if let Some(part) = row.get_mut(profile) {
            *part = share;
        }
        row
    };
    let mut found = KeyShares {
        rest: vec![0.0; profiles.count()],
        profiles: Arc::clone(profiles),
        ..KeyShares::default()
    };
    let mut named = 0.0;
    for one in ones {
        let share = one.ru / ru.max(f64::MIN_POSITIVE);
        named += share;
        if is_heavy(one, ru) {
            found.heavy.extend(row(one.profile, share));
        } else {
            found.rest_squares += share * share;
            if let Some(rest) = found.rest.get_mut(one.profile) {
                *rest += share;
            }
        }
        if share >= hottest && found.hottest.is_empty() {
            found.hottest = row(one.profile, hottest);
        }
    }
    if let Some(rest) = found.rest.last_mut() {
        *rest += (1.0 - named).max(0.0);
    }
    found
}

/// Of the keys whose sizes are reported; of documents none is.
fn sizes(ones: &[NewKey], made: &KeySplit<'_>) -> Vec<SizeClass> {
    let mut found = [0; BUCKETS];
    let bytes = ones.iter().map(|one| one.bytes.floor());
    for bytes in bytes.filter(|bytes| *bytes > 0.0 && *made != KeySplit::ById) {
        count(&mut found, bytes);
    }
    classes(&found)
}

/// The values of each level together with those before it; of documents below no more is known than how large one can be.
fn levels(
    candidate: &Candidate,
    ones: &[NewKey],
    made: &KeySplit<'_>,
    whole: f64,
    largest: f64,
) -> Vec<LevelSpread> {
    let share = |bytes: f64| bytes / whole.max(f64::MIN_POSITIVE);
    let spread = |level: usize| {
        let mut sums: HashMap<&[Value], f64> = HashMap::new();
        for one in ones {
            let parts = one.key.parts();
            let first = parts.get(..=level).unwrap_or(parts);
            *sums.entry(first).or_default() += one.bytes;
        }
        let is_id = *made == KeySplit::ById && level + 1 == candidate.levels.len();
        let most = sums.values().copied().fold(0.0, f64::max);
        LevelSpread {
            distinct: sums.len() as u64,
            largest_share: share(if is_id { largest } else { most }),
            gaps: Gaps::default(),
        }
    };
    (0..candidate.levels.len()).map(spread).collect()
}

/// The ranges, where requests go on them, and what they demand. The current key lies on today's ranges.
fn laid_out(
    logged: &KeyLog,
    candidate: &Candidate,
    ones: &[NewKey],
    shares: &KeyShares,
    settings: &Settings,
) -> LaidOut {
    let is_asked = logged.today.logged.total() > 0.0;
    let on = |ranges: PlacementRanges| {
        let routed = logged.routed(candidate, settings, ranges.routed());
        let load = CandidateDemand::of(&routed, settings).filter(|_| is_asked);
        (ranges, routed, load)
    };
    let places = |definition: &KeyDefinition| {
        let of = |weigh: fn(&NewKey) -> f64| -> Vec<PlacedWeight> {
            placed(ones, definition).map(|(epk, one)| (epk, weigh(one))).collect()
        };
        [of(|one| one.bytes), of(|one| one.ru)]
    };
    let today = Some(&logged.today).filter(|t| t.ranges.is_some() && t.is_current(candidate));
    let bytes = (logged.whole(settings).bytes, 1.0);
    splits::laid_out(candidate, (settings, today), shares, bytes, places, on)
}

/// With the id below, splits divide what a key of today has.
fn divisible(shares: KeyShares, ones: &[NewKey], whole: f64, ru: f64) -> KeyShares {
    let heavy = ones.iter().filter(|one| is_heavy(one, ru));
    let bytes = heavy.map(|one| one.bytes / whole.max(f64::MIN_POSITIVE));
    let heavy_bytes: Vec<f64> = bytes.collect();
    let rows = (0..heavy_bytes.len()).map(|row| (row, Vec::new()));
    KeyShares { heavy_bytes, ..shares.with(rows) }
}

/// Bytes and logged RU of each partition, and what it is asked to serve.
fn partition_loads(
    logged: &KeyLog,
    PlacementRanges { layout, definition, from }: &PlacementRanges,
    ones: &[NewKey],
    (load, profiles): (Option<&CandidateDemand>, &LoadProfiles),
    settings: &Settings,
) -> (Vec<f64>, Vec<f64>, Option<PartitionFlows>) {
    let placed: Vec<(Epk, &NewKey)> = placed(ones, definition).collect();
    let (mut bytes, mut parts) = sums(&placed, layout, profiles);
    let shares = from.hash_parts(layout);
    // What no log names is smaller keys, and of those there are many.
    let rest = (logged.whole(settings).bytes - bytes.iter().sum::<f64>()).max(0.0);
    let rest_ru = (logged.today.logged.total() - parts.iter().sum::<f64>()).max(0.0);
    let rows = parts.chunks_mut(profiles.count().max(1));
    for ((bytes, parts), share) in bytes.iter_mut().zip(rows).zip(shares) {
        *bytes += rest * share;
        if let Some(part) = parts.last_mut() {
            *part += rest_ru * share;
        }
    }
    let rows = parts.chunks(profiles.count().max(1));
    let ru: Vec<f64> = rows.map(|row| row.iter().sum()).collect();
    let load = load.filter(|_| ru.iter().sum::<f64>() > 0.0);
    let demand = load.map(|load| load.placed(&parts, profiles, layout, definition));
    (bytes, ru, demand)
}

fn placement(
    logged: &KeyLog,
    ranges: &PlacementRanges,
    ones: &[NewKey],
    placed: (Option<&CandidateDemand>, &LoadProfiles),
    settings: &Settings,
) -> Placement {
    let (bytes, ru, demand) = partition_loads(logged, ranges, ones, placed, settings);
    let TrialBasis::Statistics { of, .. } = logged.basis(settings) else {
        return Placement::default();
    };
    let means = demand.as_ref().map(PartitionFlows::means);
    // What one key alone was logged for shows nothing of how the load lies.
    let is_of_many = logged.today.logged.by_key.len() > 1;
    let by_weight = load_ratio(ru.iter().copied()).filter(|_| is_of_many);
    let throttled = |demand: &PartitionFlows| demand.throttled_share(settings.ru_per_second?);
    Placement {
        layout: ranges.from,
        load_ratio_storage: load_ratio(bytes.iter().copied()).filter(|_| of == WholeOf::Container),
        load_ratio_ru: (demand.as_ref().and_then(PartitionFlows::imbalance)).or(by_weight),
        load_ratio_ru_v1: by_weight,
        throttled_share: demand.as_ref().and_then(throttled),
        throttled_share_v1: throttled_v1(&ru, settings),
        partitions: (0..ranges.layout.len())
            .map(|at| PartitionLoad {
                bytes: bytes.get(at).copied().unwrap_or(0.0),
                documents: 0.0,
                ru_per_second: means.as_ref().and_then(|means| means.get(at).copied()),
            })
            .collect(),
        ..Placement::default()
    }
}

/// What each partition has of the bytes, and of each course.
fn sums(
    placed: &[(Epk, &NewKey)],
    layout: &Layout,
    profiles: &LoadProfiles,
) -> (Vec<f64>, Vec<f64>) {
    let mut bytes = vec![0.0; layout.len()];
    let mut parts = vec![0.0; layout.len() * profiles.count()];
    for (epk, one) in placed {
        let at = layout.owner(epk).unwrap_or(0);
        let part = parts.get_mut(at * profiles.count() + one.profile);
        if let (Some(bytes), Some(part)) = (bytes.get_mut(at), part) {
            *bytes += one.bytes;
            *part += one.ru;
        }
    }
    (bytes, parts)
}

/// Where values lie. Of fewer parts than the key has levels the place of the first: all below begin with it.
fn placed<'o>(
    ones: &'o [NewKey],
    definition: &KeyDefinition,
) -> impl Iterator<Item = (Epk, &'o NewKey)> {
    let place = |one: &'o NewKey| Some((epk(one.key.parts(), definition)?, one));
    ones.iter().filter_map(place)
}

/// The key that is full first, by the growth of the current ones.
fn ahead(logged: &KeyLog, made: &KeySplit<'_>, settings: &Settings) -> KeyForecast {
    let (parts, unit) = match made {
        KeySplit::Divided { parts, unit, .. } => (f64::from(*parts), *unit),
        KeySplit::Same | KeySplit::ById => (1.0, None),
    };
    let mut found = KeyForecast {
        rate: Rate::Logged,
        turn: unit.map(KeyTurn::Unit),
        ..KeyForecast::unknown(ForecastReason::NotLogged, settings, logged.newest)
    };
    // Of all keys where the overview shows it, else of those that grow.
    let measured = settings.today.as_deref().and_then(|today| today.measured.as_ref());
    let all = measured.and_then(|measured| measured.growth_kib_per_day);
    found.all_bytes_per_day = found.all_bytes_per_day.or(all.map(|kib| kib * 1024.0));
    found.logged = logged.growth().filter(|_| found.all_bytes_per_day.is_none());
    if *made == KeySplit::ById {
        (found.limit_date, found.because) = (LimitDate::Never, ForecastReason::OneEach);
        return found;
    }
    let Some(as_of) = found.as_of else {
        return found;
    };
    let limit = settings.ceiling.kib() * 1024.0;
    let mut rank = f64::INFINITY;
    for key in &logged.keys {
        let held = match unit {
            Some(_) => 0.0,
            None => key.bytes.unwrap_or(0.0) / parts,
        };
        let Some(growth) = key.growth else { continue };
        let rate =
            [growth.lowest, growth.kib_per_day, growth.highest].map(|kib| kib * 1024.0 / parts);
        let (limit_date, because, most) =
            fullness(settings, rate, held, unit.map(KeyTurn::Unit), as_of);
        // The date where there is one, else the nearest to the limit.
        let near = match limit_date {
            LimitDate::Over => -2.0,
            LimitDate::Date { at, .. } => -1.0 - 1.0 / (2.0 + at.days_since(as_of).max(0.0)),
            _ => limit / most.unwrap_or(held).max(1.0),
        };
        if near < rank {
            rank = near;
            found.limit_date = limit_date;
            found.because = because;
            found.most_bytes = most;
            found.bytes_per_day = Some(rate);
            found.key = Some(key.key.clone());
        }
    }
    let is_known = |key: &LoggedKey| key.growth.is_some() || !key.is_full;
    if matches!(found.limit_date, LimitDate::Never | LimitDate::Unknown)
        && !logged.keys.iter().all(is_known)
    {
        (found.limit_date, found.because) = (LimitDate::Unknown, ForecastReason::NotLogged);
    }
    found
}
