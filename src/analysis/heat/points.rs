//! From points by region and partition to tracks.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::series::Series;
use super::{Measure, Track};

/// Series over all tracks and containers, empty ones included; a log of 100,000 invented partitions in 4,000 invented
/// regions would otherwise take what a small log of it never holds. Beyond it the regions told least of are left out.
const MAX_SERIES: usize = 2_000_000;
/// The grains in which metrics are told, in seconds.
const GRAINS_S: [u32; 8] = [60, 300, 900, 1800, 3600, 21_600, 43_200, 86_400];

pub(super) type Region = Option<Arc<str>>;

/// (second, value) by partition.
pub(super) type ByPartition = BTreeMap<u32, Vec<(i64, f64)>>;

pub(super) type Points = BTreeMap<Region, ByPartition>;

/// How many series may still be made.
#[derive(Debug)]
pub(super) struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        Self(MAX_SERIES)
    }
}

/// One track for each region, the busiest first.
pub(super) fn tracks(
    measure: Measure,
    step_s: impl Fn(&Region, &ByPartition) -> u32,
    from: impl Fn(u32) -> String,
    points: Points,
    partitions: usize,
    room: &mut Room,
) -> Vec<Track> {
    let mut regions: Vec<_> = points.into_iter().collect();
    // Stable: regions of which as much is told stay in the order of their names.
    regions.sort_by_key(|(_, of)| std::cmp::Reverse(of.values().map(Vec::len).sum::<usize>()));
    let mut tracks = Vec::new();
    for (region, mut of) in regions {
        let Some(left) = room.0.checked_sub(partitions) else {
            break;
        };
        for points in of.values_mut() {
            points.sort_by_key(|(second, _)| *second);
        }
        let step_s = step_s(&region, &of);
        let mut series = vec![Series::default(); partitions];
        for (partition, points) in of {
            if let Some(series) = series.get_mut(partition as usize) {
                *series = Series::of(&points, step_s);
            }
        }
        let track = Track::new(measure, region, step_s, series, from(step_s));
        if !track.together.is_empty() {
            room.0 = left;
            tracks.push(track);
        }
    }
    tracks.sort_by(Track::busier);
    tracks
}

/// The grain of a metric: the coarsest that the nearest two points of a partition are apart. Where no partition has two
/// it is the finest.
pub(super) fn grain_s(of: &ByPartition) -> u32 {
    let pairs = of.values().flat_map(|points| points.iter().zip(points.iter().skip(1)));
    let apart = pairs.filter(|(a, b)| b.0 > a.0).map(|(a, b)| b.0.abs_diff(a.0));
    let nearest = apart.min().unwrap_or(0);
    GRAINS_S.into_iter().rev().find(|grain| u64::from(*grain) <= nearest).unwrap_or(60)
}

/// `60 s`, `5 min`, `1 h`.
pub(super) fn grain_text(step_s: u32) -> String {
    if step_s > 60 && step_s.is_multiple_of(3600) {
        format!("{} h", step_s / 3600)
    } else if step_s > 60 && step_s.is_multiple_of(60) {
        format!("{} min", step_s / 60)
    } else {
        format!("{step_s} s")
    }
}
