//! How physical partitions grow: by their own sizes over time, else by the keys that they hold.

use std::collections::BTreeMap;

use crate::analysis::ceiling::MARK_WARN;
use crate::analysis::growth::{Growth, LimitDate, NEARLY_ALL, band_kib, limit_date, trend};
use crate::analysis::usage::largest_series;
use crate::model::capture::{Capture, Container};
use crate::model::logical::KeyId;
use crate::model::names::ContainerName;
use crate::model::order::{bisected, keep_first};
use crate::model::physical::PhysicalPartition;
use crate::model::sample::{Sample, Trust};
use crate::model::time::{DAY_S, Stamp};
use crate::model::units::{PHYSICAL_CEILING_KIB, real, whole_u64};

use super::retention::Retention;
use super::{LimitKind, LimitSubject, NextLimit};

/// A key of this share of its partition is named with it.
const MOSTLY: f64 = 0.5;
const BYTES_PER_KIB: f64 = 1024.0;
/// Keys of a partition that may come to their ceiling before it fills.
const LARGEST: usize = 64;
/// No date is further away.
const FAR_DAYS: f64 = 36_525.0;
/// Halves a century down to milliseconds.
const BISECTIONS: u32 = 45;

/// A key that is most of its partition: a split leaves it whole.
#[derive(Clone, PartialEq, Debug)]
pub struct LargestKey {
    /// JSON text; None where the log named no key.
    pub key: Option<Box<str>>,
    /// Of the size of the partition.
    pub share: f64,
}

/// By container and index of the partition what the growth of its keys adds up to.
#[derive(Debug, Default)]
pub(in crate::analysis) struct PartitionGrowth {
    keys: BTreeMap<(u32, usize), GrowthSum>,
    /// The largest keys, the first ones first.
    largest: BTreeMap<(u32, usize), Vec<(SizedKey, KeyId)>>,
}

/// A key as it is now.
#[derive(Clone, Copy, Debug)]
pub(in crate::analysis) struct SizedKey {
    pub kib: f64,
    /// Of its size: what it added to its partition.
    pub growth: Option<Growth>,
    /// Writes to it get 403.
    pub is_full: bool,
}

/// The growth of several keys together, whose errors are independent: the squares of their errors add up.
///
/// In whole bytes: keys come in another order each time, and sums of whole numbers are the same in any.
#[derive(Debug, Default)]
struct GrowthSum {
    bytes: f64,
    /// Bytes a day.
    rate: f64,
    /// Of how far the rates may be too high and too low.
    squares: [u128; 2],
    newest_at: Option<Stamp>,
}

impl PartitionGrowth {
    /// Keeps the largest keys of each partition: others never reach 20 GB before these fill it.
    pub fn weigh(&mut self, place: (u32, usize), (key, id): (SizedKey, KeyId), capture: &Capture) {
        let held = self.largest.entry(place).or_default();
        held.push((key, id));
        if held.len() >= 2 * LARGEST {
            shorten(held, capture);
        }
    }

    pub fn add(&mut self, place: (u32, usize), kib: f64, growth: Option<&Growth>) {
        if let Some(growth) = growth {
            self.keys.entry(place).or_default().add(kib, growth);
        }
    }

    pub fn merge(&mut self, other: Self, capture: &Capture) {
        for (place, more) in other.keys {
            self.keys.entry(place).or_default().merge(&more);
        }
        for (place, keys) in other.largest {
            for key in keys {
                self.weigh(place, key, capture);
            }
        }
    }

    /// Partitions of known size, as they go on.
    pub fn futures(
        &self,
        capture: &Capture,
        number: u32,
        (factor, ceiling_kib): (f64, f64),
    ) -> Vec<PartitionFuture> {
        let sizes = sizes_over_time(capture, number);
        let future = |(at, partition): (usize, &PhysicalPartition)| {
            let kib = partition.kib?;
            let samples = sizes.get(partition.id.as_str());
            let trend = samples.and_then(|s| trend(s, None, Trust::Exact, band_kib(Some(kib))));
            let mut largest = self.largest.get(&(number, at)).cloned().unwrap_or_default();
            shorten(&mut largest, capture);
            let measured = trend.map(|trend| without_full(trend.growth, &largest));
            let of_keys = || self.keys.get(&(number, at))?.growth(kib);
            Some(PartitionFuture {
                at,
                id: partition.id.clone(),
                kib,
                is_measured: measured.is_some(),
                growth: measured.or_else(of_keys).map(|growth| growth.times(factor)),
                largest_key: largest_key(capture, &largest, kib),
                stopping: stopping(&largest, (factor, ceiling_kib)),
            })
        };
        let container = capture.container(number).into_iter();
        let partitions = container.flat_map(Container::current_partitions);
        partitions.filter_map(future).collect()
    }
}

/// A physical partition and how it grows, where that is known.
#[derive(Clone, PartialEq, Debug)]
pub struct PartitionFuture {
    /// Its index among all partitions of the container.
    pub at: usize,
    pub id: String,
    pub kib: f64,
    pub growth: Option<Growth>,
    /// Its growth is that of its own sizes over time, not that of its keys.
    pub is_measured: bool,
    /// The key that is most of it, where one is.
    pub largest_key: Option<LargestKey>,
    /// Of its largest growing keys what is missing to their ceiling, where writes to them end, and what they gain a day.
    stopping: Vec<[f64; 2]>,
}

/// Growth of a container as a whole; None where that of a partition is unknown.
pub(super) fn whole_growth(
    container: &Container,
    partitions: &[PartitionFuture],
) -> Option<Growth> {
    let is_all = partitions.len() == container.current_partitions().count();
    let mut sum = GrowthSum::default();
    for partition in partitions.iter().filter(|_| is_all) {
        sum.add(partition.kib, partition.growth.as_ref()?);
    }
    sum.growth(sum.bytes / BYTES_PER_KIB)
}

/// An end of the growth, or the likeliest one.
pub type GrowthEnd = fn(&Growth) -> f64;

impl PartitionFuture {
    /// Its size after some days: keys that reach their ceiling grow no more. At an end of the growth all of them are as much
    /// faster or slower as the whole is.
    pub fn kib_after(&self, days: f64, rate: GrowthEnd) -> f64 {
        let Some(growth) = &self.growth else { return self.kib };
        let grown = rate(growth) * days;
        let times = if growth.kib_per_day > 0.0 { grown / growth.kib_per_day } else { 0.0 };
        let beyond = |[missing, a_day]: &[f64; 2]| (a_day * times - missing).max(0.0);
        let beyond: f64 = self.stopping.iter().map(beyond).sum();
        self.kib + (grown - beyond).max(grown.min(0.0))
    }

    /// The date as the line of its growth has it, later where keys stop before. Where it may stand still there is no latest one.
    fn date(&self) -> LimitDate {
        let date = limit_date(self.kib, self.growth.as_ref(), PHYSICAL_CEILING_KIB);
        let growing = self.growth.as_ref().filter(|growth| growth.kib_per_day > 0.0);
        let Some(growth) = growing.filter(|_| date != LimitDate::Over) else { return date };
        let days = |kib: f64, rate: GrowthEnd| {
            let reached = |days: &f64| self.kib_after(*days, rate) >= kib;
            let far = Some(FAR_DAYS).filter(reached)?;
            let [_, high] = bisected([0.0, far], BISECTIONS, |days| !reached(&days));
            Some(high)
        };
        let at = |days: f64| growth.newest_at.plus_seconds(days * DAY_S);
        let limit = PHYSICAL_CEILING_KIB + self.kib - growth.newest_kib;
        let likely = days(limit, |g| g.kib_per_day).and_then(at);
        let earliest = days(limit - growth.band_kib, |g| g.highest).and_then(at);
        let latest = days(limit + growth.band_kib, |g| g.lowest).and_then(at);
        let none = earliest.map_or(LimitDate::Never, |_| LimitDate::Unknown);
        likely.map_or(none, |at| LimitDate::Date { at, earliest: earliest.unwrap_or(at), latest })
    }

    /// Towards 50 GB, or at 70 % of it where its growth is unknown.
    pub(super) fn limit(
        &self,
        container: u32,
        name: &ContainerName,
        retention: Option<Retention>,
    ) -> Option<NextLimit> {
        let growth = self.growth.as_ref();
        let date = self.date();
        let as_it_grows = limit_date(self.kib, growth, PHYSICAL_CEILING_KIB).date();
        let is_slowed = as_it_grows
            .is_some_and(|early| date.date().is_none_or(|late| late.days_since(early) >= 1.0));
        let (date, levels_off_kib) =
            Retention::date(retention, date, self.kib, growth, PHYSICAL_CEILING_KIB);
        let is_near = self.kib >= MARK_WARN * PHYSICAL_CEILING_KIB;
        let grows = growth.is_some_and(|growth| growth.lowest > 0.0);
        let is_listed = match date {
            LimitDate::Over => true,
            LimitDate::Date { .. } => is_near || grows,
            LimitDate::Unknown => is_near || levels_off_kib.is_some(),
            LimitDate::Never => levels_off_kib.is_some(),
        };
        let subject = || LimitSubject::Partition(self.id.clone());
        let (kind, most) = (LimitKind::PartitionSize, PHYSICAL_CEILING_KIB);
        is_listed.then(|| NextLimit {
            growth: self.growth,
            date,
            levels_off_kib,
            largest_key: self.largest_key.clone(),
            is_slowed,
            ..NextLimit::new(container, name, subject(), kind, self.kib, most)
        })
    }
}

impl GrowthSum {
    fn add(&mut self, kib: f64, growth: &Growth) {
        let whole = |kib: f64| (kib * BYTES_PER_KIB).round();
        let rate = whole(growth.kib_per_day);
        let errors = [rate - whole(growth.lowest), whole(growth.highest) - rate];
        let squares = errors.map(|error| u128::from(whole_u64(error)).pow(2));
        let newest_at = Some(growth.newest_at);
        self.merge(&Self { bytes: whole(kib), rate, squares, newest_at });
    }

    fn merge(&mut self, other: &Self) {
        self.bytes += other.bytes;
        self.rate += other.rate;
        for (sum, more) in self.squares.iter_mut().zip(other.squares) {
            *sum = sum.saturating_add(more);
        }
        self.newest_at = self.newest_at.max(other.newest_at);
    }

    /// What is not reported is taken to grow as the keys do; None where these are too small a part.
    fn growth(&self, partition_kib: f64) -> Option<Growth> {
        let held_kib = self.bytes / BYTES_PER_KIB;
        if held_kib < NEARLY_ALL * partition_kib {
            return None;
        }
        let scale = (partition_kib / held_kib).max(1.0) / BYTES_PER_KIB;
        let root = |sum: u128| real(u64::try_from(sum.isqrt()).unwrap_or(u64::MAX));
        let [low, high] = self.squares.map(root);
        Some(Growth {
            kib_per_day: self.rate * scale,
            lowest: (self.rate - low) * scale,
            highest: (self.rate + high) * scale,
            newest_at: self.newest_at?,
            newest_kib: partition_kib,
            band_kib: band_kib(Some(partition_kib)),
            doubles_in_days: None,
        })
    }
}

/// By the id of a partition its sizes as metrics have them, in the region where it is largest.
fn sizes_over_time(capture: &Capture, number: u32) -> BTreeMap<&str, Vec<Sample>> {
    let of_size =
        capture.load.metrics.iter().filter(|(name, _)| {
            name.container == number && name.metric == "PhysicalPartitionSizeInfo"
        });
    largest_series(of_size, |name| name.dimension("physicalpartitionid"))
}

/// Of keys of one size the first by its text: they come in another order each time.
fn shorten(keys: &mut Vec<(SizedKey, KeyId)>, capture: &Capture) {
    keep_first(keys, LARGEST, |(a, first), (b, second)| {
        let larger = b.kib.total_cmp(&a.kib);
        larger.then_with(|| capture.sizes.text_order(*first, *second))
    });
}

/// The key that a split leaves whole, where it is most of the partition.
fn largest_key(capture: &Capture, largest: &[(SizedKey, KeyId)], kib: f64) -> Option<LargestKey> {
    let (key, id) = largest.first()?;
    let share = (key.kib / kib).min(1.0);
    if share < MOSTLY {
        return None;
    }
    let key = capture.sizes.view(*id)?.json_text().map(Into::into);
    Some(LargestKey { key, share })
}

/// Growing keys: how much is missing to the ceiling of each, and what it gains a day.
fn stopping(largest: &[(SizedKey, KeyId)], (factor, ceiling_kib): (f64, f64)) -> Vec<[f64; 2]> {
    let growing = largest.iter().filter_map(|(key, _)| {
        let a_day = key.growth?.kib_per_day * factor;
        let missing = (ceiling_kib - key.kib).max(0.0);
        (a_day > 0.0 && !key.is_full).then_some([missing, a_day])
    });
    growing.collect()
}

/// What a partition gained, without the keys that are full by now.
fn without_full(growth: Growth, largest: &[(SizedKey, KeyId)]) -> Growth {
    let full = largest.iter().filter(|(key, _)| key.is_full);
    let gained: f64 = full.filter_map(|(key, _)| Some(key.growth?.kib_per_day)).sum();
    let rest = |kib: f64| if kib > 0.0 { (kib - gained).max(0.0) } else { kib };
    let [kib_per_day, lowest, highest] =
        [growth.kib_per_day, growth.lowest, growth.highest].map(rest);
    let doubles_in_days = growth.doubles_in_days.filter(|_| gained <= 0.0);
    Growth { kib_per_day, lowest, highest, doubles_in_days, ..growth }
}
