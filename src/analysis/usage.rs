//! The size of a container from its usage metrics: data and index, since the ceiling counts both.

use std::collections::BTreeMap;

use crate::model::capture::Capture;
use crate::model::load::{Load, SeriesName};
use crate::model::sample::{Sample, SampleTime, Trust};
use crate::model::time::Stamp;
use crate::model::units::real;

use super::growth::{band_kib, trend};

/// A metric over time.
pub(super) type Points = Vec<(Stamp, f64)>;

/// Data of a container: what its physical partitions hold, else its usage metrics.
pub fn stored_kib(capture: &Capture, container: u32) -> Option<f64> {
    let of_partitions = capture.container(container)?.kib();
    of_partitions.or_else(|| container_kib(&capture.load, container))
}

/// Mean size of a document with its part of the index.
pub(super) fn item_kib(capture: &Capture, number: u32) -> Option<f64> {
    let container = capture.container(number)?;
    let of_partitions = container.current_partitions().map(|(_, p)| p.documents);
    let documents: Option<u64> = of_partitions.sum();
    let documents = documents.or(container.usage.and_then(|usage| usage.documents))?;
    let kib = stored_kib(capture, number).or(container.usage.and_then(|usage| usage.kib))?;
    (documents > 0 && kib > 0.0).then(|| kib / real(documents))
}

/// The container's size in its largest region. None unless data and index are both known.
fn container_kib(load: &Load, container: u32) -> Option<f64> {
    let data = by_region(load, container, "DataUsage");
    let index = by_region(load, container, "IndexUsage");
    let sums = data.iter().filter_map(|(region, bytes)| Some(bytes + index.get(region)?));
    sums.reduce(f64::max).map(|bytes| bytes / 1024.0)
}

/// The newest size and the growth a day of data and index together, in the region where they are largest. None unless both are
/// measured over time.
pub fn growth(capture: &Capture, container: u32) -> Option<(f64, f64)> {
    let [data, index] = ["DataUsage", "IndexUsage"].map(|metric| {
        let all = capture.load.metrics.iter();
        let of_metric =
            all.filter(|(name, _)| name.container == container && name.metric == metric);
        largest_series(of_metric, |_| Some(())).remove(&())
    });
    let rate = |samples: &[Sample]| {
        let kib = samples.first()?.kib;
        let trend = trend(samples, None, Trust::Exact, band_kib(Some(kib)))?;
        Some((kib, trend.growth.kib_per_day))
    };
    let (data, index) = (rate(&data?)?, rate(&index?)?);
    Some((data.0 + index.0, data.1 + index.1))
}

/// Points of a series that are looked at.
const POINTS: usize = 64;

/// Of each group the series that ends largest, as sizes over time, the newest first: the same is given by region and in several
/// aggregations.
pub(super) fn largest_series<'a, G: Ord>(
    metrics: impl Iterator<Item = (&'a SeriesName, &'a Points)>,
    group: impl Fn(&'a SeriesName) -> Option<G>,
) -> BTreeMap<G, Vec<Sample>> {
    let mut largest: BTreeMap<G, (f64, &Points)> = BTreeMap::new();
    let mut metrics: Vec<_> = metrics.collect();
    // The order of a map is chance, and equal series may differ before their end.
    metrics.sort_by_key(|(name, _)| *name);
    for (name, points) in metrics {
        if let (Some(of), Some((_, last))) = (group(name), points.last()) {
            let held = largest.entry(of).or_insert((*last, points));
            if (*last, points.len()) > (held.0, held.1.len()) {
                *held = (*last, points);
            }
        }
    }
    let samples = |points: &Points| {
        let step = points.len() / POINTS + 1;
        let sample = |(at, bytes): &(Stamp, f64)| Sample {
            when: SampleTime::new(Some(*at), Trust::Exact),
            kib: bytes / 1024.0,
        };
        points.iter().rev().step_by(step).map(sample).collect()
    };
    let all = largest.into_iter();
    all.map(|(of, (_, points))| (of, samples(points))).collect()
}

/// Bytes by region. The same usage may be given in several aggregations or cuts: each adds up by itself, the largest counts.
fn by_region(load: &Load, container: u32, metric: &str) -> BTreeMap<String, f64> {
    let mut cuts: BTreeMap<(String, String, Vec<String>), f64> = BTreeMap::new();
    let is_wanted = |name: &SeriesName| {
        name.container == container
            && name.metric == metric
            && name.unit.eq_ignore_ascii_case("bytes")
    };
    let mut series: Vec<_> = load.metrics.iter().filter(|(name, _)| is_wanted(name)).collect();
    // Sums of f64 depend on their order, and the order of a map is chance.
    series.sort_by(|a, b| a.0.cmp(b.0));
    for (name, points) in series {
        let Some((_, bytes)) = points.last().filter(|(_, v)| v.is_finite() && *v >= 0.0) else {
            continue;
        };
        let region = name.dimension("region").unwrap_or_default().to_owned();
        let cut = name.dimensions.iter().map(|(n, _)| n.clone()).collect();
        *cuts.entry((region, name.aggregation.clone(), cut)).or_default() += bytes;
    }
    let mut regions = BTreeMap::new();
    for ((region, _, _), bytes) in cuts {
        let held: &mut f64 = regions.entry(region).or_default();
        *held = held.max(bytes);
    }
    regions
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn add(load: &mut Load, metric: &str, region: &str, aggregation: &str, bytes: f64) {
        let name = SeriesName {
            metric: metric.into(),
            unit: "Bytes".into(),
            aggregation: aggregation.into(),
            container: 3,
            dimensions: vec![("region".into(), region.into())],
        };
        load.add_point(&name, Stamp::from_seconds(60).unwrap(), bytes);
    }

    #[test]
    fn data_and_index_add_up_in_the_largest_region() {
        let mut load = Load::default();
        add(&mut load, "DataUsage", "West Europe", "total", 2048.0);
        assert_eq!(container_kib(&load, 3), None);
        add(&mut load, "IndexUsage", "West Europe", "total", 1024.0);
        add(&mut load, "IndexUsage", "West Europe", "average", 1000.0);
        add(&mut load, "DataUsage", "North Europe", "total", 4096.0);
        add(&mut load, "IndexUsage", "North Europe", "total", 0.0);
        assert_eq!(container_kib(&load, 3), Some(4.0));
        assert_eq!(container_kib(&load, 4), None);
    }
}
