//! How physical partitions grow: by their own sizes over time, else by the keys that they hold.

use std::collections::BTreeMap;

use crate::analysis::ceiling::MARK_WARN;
use crate::analysis::growth::{Growth, LimitDate, band_kib, limit_date, trend};
use crate::model::capture::Capture;
use crate::model::names::ContainerName;
use crate::model::physical::PhysicalPartition;
use crate::model::sample::{Sample, SampleTime, Trust};
use crate::model::time::Stamp;
use crate::model::units::PHYSICAL_CEILING_KIB;

use super::{ForecastQuestion, LimitKind, LimitSubject, NextLimit};

/// Of what a partition holds: keys of so much tell its growth.
const NEARLY_ALL: f64 = 0.9;
/// Points of a series that are looked at.
const POINTS: usize = 64;
const BYTES_PER_KIB: f64 = 1024.0;

/// A metric over time.
type Points = Vec<(Stamp, f64)>;

/// By container and index of the partition what the growth of its keys adds up to.
#[derive(Debug, Default)]
pub(super) struct PartitionGrowth(BTreeMap<(u32, usize), KeyGrowth>);

/// In whole bytes: keys come in another order each time, and sums of whole numbers are the same in any.
#[derive(Debug, Default)]
struct KeyGrowth {
    bytes: f64,
    /// A day: likeliest, lowest, highest.
    rates: [f64; 3],
    newest_at: Option<Stamp>,
}

impl PartitionGrowth {
    pub fn add(&mut self, place: (u32, usize), kib: f64, growth: Option<&Growth>) {
        let Some(growth) = growth else { return };
        let whole = |kib: f64| (kib * BYTES_PER_KIB).round();
        let held = self.0.entry(place).or_default();
        held.bytes += whole(kib);
        let rates = [growth.kib_per_day, growth.lowest, growth.highest];
        for (sum, rate) in held.rates.iter_mut().zip(rates) {
            *sum += whole(rate);
        }
        held.newest_at = held.newest_at.max(Some(growth.newest_at));
    }

    pub fn merge(&mut self, other: Self) {
        for (place, more) in other.0 {
            let held = self.0.entry(place).or_default();
            held.bytes += more.bytes;
            for (sum, rate) in held.rates.iter_mut().zip(more.rates) {
                *sum += rate;
            }
            held.newest_at = held.newest_at.max(more.newest_at);
        }
    }

    /// Partitions of known size, as they go on.
    pub fn futures(&self, capture: &Capture, number: u32, factor: f64) -> Vec<PartitionFuture> {
        let Some(container) = capture.container(number) else {
            return Vec::new();
        };
        let sizes = sizes_over_time(capture, number);
        let future = |(at, partition): (usize, &PhysicalPartition)| {
            let kib = partition.kib?;
            let measured = sizes
                .get(partition.id.as_str())
                .and_then(|s| of_samples(s, kib));
            let of_keys = || self.0.get(&(number, at))?.growth(kib);
            Some(PartitionFuture {
                id: partition.id.clone(),
                kib,
                growth: measured.or_else(of_keys).map(|growth| growth.times(factor)),
            })
        };
        container.current_partitions().filter_map(future).collect()
    }
}

/// A physical partition and how it grows, where that is known.
#[derive(Clone, PartialEq, Debug)]
pub struct PartitionFuture {
    pub id: String,
    pub kib: f64,
    pub growth: Option<Growth>,
}

impl PartitionFuture {
    /// Towards 50 GB, or at 70 % of it where its growth is unknown.
    pub(super) fn limit(
        &self,
        container: u32,
        name: &ContainerName,
        asked: &ForecastQuestion,
    ) -> Option<NextLimit> {
        let growth = self.growth.as_ref();
        let date = limit_date(self.kib, growth, PHYSICAL_CEILING_KIB);
        let (date, levels_off_kib) = asked.levelled(date, growth, PHYSICAL_CEILING_KIB);
        let is_near = self.kib >= MARK_WARN * PHYSICAL_CEILING_KIB;
        let is_listed = match date {
            LimitDate::Over | LimitDate::Date { .. } => true,
            LimitDate::Unknown => is_near || levels_off_kib.is_some(),
            LimitDate::Never => levels_off_kib.is_some(),
        };
        is_listed.then(|| NextLimit {
            container,
            name: name.clone(),
            subject: LimitSubject::Partition(self.id.clone()),
            key_id: None,
            kind: LimitKind::PartitionSize,
            now: self.kib,
            limit: PHYSICAL_CEILING_KIB,
            growth: self.growth,
            date,
            levels_off_kib,
        })
    }
}

impl KeyGrowth {
    /// What is not reported is taken to grow as the keys do; None where these are too small a part.
    fn growth(&self, partition_kib: f64) -> Option<Growth> {
        let held_kib = self.bytes / BYTES_PER_KIB;
        if held_kib < NEARLY_ALL * partition_kib {
            return None;
        }
        let scale = (partition_kib / held_kib).max(1.0) / BYTES_PER_KIB;
        let [kib_per_day, lowest, highest] = self.rates.map(|bytes| bytes * scale);
        Some(Growth {
            kib_per_day,
            lowest,
            highest,
            newest_at: self.newest_at?,
            newest_kib: partition_kib,
            band_kib: band_kib(Some(partition_kib)),
        })
    }
}

fn of_samples(samples: &[Sample], kib: f64) -> Option<Growth> {
    let trend = trend(samples, None, Trust::Exact, band_kib(Some(kib)))?;
    Some(trend.growth)
}

/// By the id of a partition its sizes as metrics have them, in the region where it is largest.
fn sizes_over_time(capture: &Capture, number: u32) -> BTreeMap<&str, Vec<Sample>> {
    let mut largest: BTreeMap<&str, (f64, &Points)> = BTreeMap::new();
    for (name, points) in &capture.load.metrics {
        if name.container != number || name.metric != "PhysicalPartitionSizeInfo" {
            continue;
        }
        let id = name.dimension("physicalpartitionid");
        if let (Some(id), Some((_, last))) = (id, points.last()) {
            let held = largest.entry(id).or_insert((*last, points));
            if (*last, points.len()) > (held.0, held.1.len()) {
                *held = (*last, points);
            }
        }
    }
    let samples = |points: &Points| {
        let step = points.len() / POINTS + 1;
        let sample = |(at, bytes): &(Stamp, f64)| Sample {
            when: SampleTime::new(Some(*at), Trust::Exact),
            kib: bytes / BYTES_PER_KIB,
        };
        points.iter().rev().step_by(step).map(sample).collect()
    };
    let all = largest.into_iter();
    all.map(|(id, (_, points))| (id, samples(points))).collect()
}
