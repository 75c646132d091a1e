//! The sizes of a scenario's keys over time, as a log would tell them.

use super::PlannedContainer;
use super::keys::PlacedKey;
use super::spec::SizePrecision;
use crate::model::capture::CaptureBuilder;
use crate::model::load::{Load, SeriesName};
use crate::model::sample::{Sample, SampleTime, Trust};
use crate::model::time::Stamp;
use crate::model::units::{KIB_PER_GIB, real_seconds};

/// The service estimates a key as a whole percentage of its physical partition.
const STAIRS: f64 = 100.0;

/// How many readings were written.
pub(super) fn write(made: &PlannedContainer<'_>, builder: &CaptureBuilder) -> u64 {
    let readings = &made.spec.readings;
    let step = i64::from(readings.every_hours) * 3600;
    let last = made.ends.seconds();
    let first = last - step * i64::from(readings.count.saturating_sub(1));
    let mut rows = 0;
    let mut batch = builder.sizes().batch();
    for back in (0..i64::from(readings.count)).rev() {
        let second = last - back * step;
        let Some(at) = Stamp::from_seconds(second) else {
            continue;
        };
        let window = passed(second, first, last);
        let sizes: Vec<f64> = made.keys.iter().map(|k| size(k, second, window)).collect();
        let stair = stairs(made, &sizes, window);
        if made.spec.unlisted_gained.is_some() {
            builder.load(|load| write_partitions(made, at, &stair, load));
        }
        for (key, kib) in made.keys.iter().zip(sizes) {
            if kib <= 0.0 {
                continue;
            }
            let shown = match readings.shown {
                SizePrecision::Exact => kib,
                SizePrecision::Staircase => {
                    let stair = stair.get(key.range).copied().unwrap_or(1.0);
                    (kib / stair).floor() * stair
                }
            };
            if shown <= 0.0 {
                continue;
            }
            let sample = Sample { when: SampleTime::new(Some(at), Trust::Exact), kib: shown };
            let (container, region) = (made.place.container, made.place.region);
            batch.push_cell(container, region, key.canonical.as_bytes(), sample);
            rows += 1;
        }
        builder.sizes().apply(&mut batch, made.place.source);
    }
    rows
}

/// The part of a span that is over.
fn passed(second: i64, from: i64, to: i64) -> f64 {
    if to > from { real_seconds(second - from) / real_seconds(to - from) } else { 1.0 }
}

/// A key of a period fills up evenly during it; any other gained its share between the first reading and the last.
fn size(key: &PlacedKey, second: i64, window: f64) -> f64 {
    let part = match key.period {
        Some((start, end)) => passed(second, start, end).clamp(0.0, 1.0),
        None => 1.0 - key.gained * (1.0 - window),
    };
    key.kib * (key.written * part).min(1.0)
}

/// One hundredth of each physical partition as large as it was at that time.
fn stairs(made: &PlannedContainer<'_>, sizes: &[f64], window: f64) -> Vec<f64> {
    let part = 1.0 - made.spec.unlisted_gained.unwrap_or(0.0) * (1.0 - window);
    let unlisted_kib = made.spec.unlisted_gib * KIB_PER_GIB;
    let mut stairs: Vec<f64> =
        made.ranges.iter().map(|r| unlisted_kib * r.share / STAIRS * part).collect();
    for (key, kib) in made.keys.iter().zip(sizes) {
        if let Some(stair) = stairs.get_mut(key.range) {
            *stair += kib / STAIRS;
        }
    }
    stairs
}

/// The metric from which growth is known where most keys are too small to be listed.
fn write_partitions(made: &PlannedContainer<'_>, at: Stamp, stairs: &[f64], load: &mut Load) {
    for (range, stair) in made.ranges.iter().zip(stairs) {
        let series = SeriesName {
            metric: "PhysicalPartitionSizeInfo".to_owned(),
            unit: "Bytes".to_owned(),
            aggregation: "maximum".to_owned(),
            container: made.place.container,
            dimensions: vec![("physicalpartitionid".to_owned(), range.id.clone())],
        };
        load.add_point(&series, at, stair * STAIRS * 1024.0);
    }
}
