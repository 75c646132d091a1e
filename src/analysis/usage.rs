//! The size of a container from its usage metrics: data and index, since the ceiling counts both.

use std::collections::BTreeMap;

use crate::model::capture::Capture;
use crate::model::load::{Load, SeriesName};

/// Data of a container: what its physical partitions hold, else its usage metrics.
pub fn stored_kib(capture: &Capture, container: u32) -> Option<f64> {
    let of_partitions = capture.container(container)?.kib();
    of_partitions.or_else(|| container_kib(&capture.load, container))
}

/// The container's size in its largest region. None unless data and index are both known.
fn container_kib(load: &Load, container: u32) -> Option<f64> {
    let data = by_region(load, container, "DataUsage");
    let index = by_region(load, container, "IndexUsage");
    let sums = data
        .iter()
        .filter_map(|(region, bytes)| Some(bytes + index.get(region)?));
    sums.reduce(f64::max).map(|bytes| bytes / 1024.0)
}

/// Bytes by region. The same usage may be given in several aggregations or cuts: each adds up by itself, the largest counts.
fn by_region(load: &Load, container: u32, metric: &str) -> BTreeMap<String, f64> {
    let mut cuts: BTreeMap<(String, String, Vec<String>), f64> = BTreeMap::new();
    let is_wanted = |name: &SeriesName| {
        name.container == container
            && name.metric == metric
            && name.unit.eq_ignore_ascii_case("bytes")
    };
    let mut series: Vec<_> = load
        .metrics
        .iter()
        .filter(|(name, _)| is_wanted(name))
        .collect();
    // Sums of f64 depend on their order, and the order of a map is chance.
    series.sort_by(|a, b| a.0.cmp(b.0));
    for (name, points) in series {
        let Some((_, bytes)) = points.last().filter(|(_, v)| v.is_finite() && *v >= 0.0) else {
            continue;
        };
        let region = name.dimension("region").unwrap_or_default().to_owned();
        let cut = name.dimensions.iter().map(|(n, _)| n.clone()).collect();
        *cuts
            .entry((region, name.aggregation.clone(), cut))
            .or_default() += bytes;
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
    use crate::model::time::Stamp;

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
