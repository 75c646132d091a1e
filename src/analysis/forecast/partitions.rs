//! How physical partitions grow: by their own sizes over time, else by the keys that they hold.

use std::collections::BTreeMap;

use crate::analysis::ceiling::MARK_WARN;
use crate::analysis::growth::{Growth, LimitDate, band_kib, limit_date, trend};
use crate::model::capture::Capture;
use crate::model::physical::PhysicalPartition;
use crate::model::sample::{Sample, SampleTime, Trust};
use crate::model::time::Stamp;
use crate::model::units::PHYSICAL_CEILING_KIB;

use super::{LimitKind, LimitSubject, NextLimit, times};

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

    /// Partitions that grow towards 50 GB, and those of unknown growth that are at 70 % of it.
    pub fn limits(&self, capture: &Capture, number: u32, factor: f64) -> Vec<NextLimit> {
        let Some(container) = capture.container(number) else {
            return Vec::new();
        };
        let sizes = sizes_over_time(capture, number);
        let limit = |(at, partition): (usize, &PhysicalPartition)| {
            let kib = partition.kib?;
            let measured = sizes
                .get(partition.id.as_str())
                .and_then(|s| of_samples(s, kib));
            let measured = measured.map(|growth| times(growth, factor));
            let of_keys = || self.0.get(&(number, at))?.growth(kib);
            let growth = measured.or_else(of_keys);
            let date = limit_date(kib, growth.as_ref(), PHYSICAL_CEILING_KIB);
            let is_near = kib >= MARK_WARN * PHYSICAL_CEILING_KIB;
            let is_listed = match date {
                LimitDate::Over | LimitDate::Date { .. } => true,
                LimitDate::Unknown => is_near,
                LimitDate::Never => false,
            };
            is_listed.then(|| NextLimit {
                name: container.name.clone(),
                subject: LimitSubject::Partition(partition.id.clone()),
                kind: LimitKind::PartitionSize,
                now: kib,
                limit: PHYSICAL_CEILING_KIB,
                growth_a_day: growth.map(|g| g.kib_per_day),
                date,
                levels_off_kib: None,
            })
        };
        container.current_partitions().filter_map(limit).collect()
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
