//! What each partition can give and holds: told by the service, by its share, or an equal share of what was bought.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::capture::Container;
use crate::model::physical::PhysicalPartition;
use crate::model::time::Stamp;
use crate::model::units::PARTITION_RU_PER_SECOND;

use super::cells::MetricEntry;
use super::join::Join;
use super::{Capacity, CapacityFrom, RangeName, RuFrom};

const BYTES_PER_KIB: f64 = 1024.0;

/// The newest value of a metric by partition; None stands for the container as a whole.
type Newest = BTreeMap<Option<u32>, f64>;

/// Fills in what the partitions of a container can give and hold; returns the RU/s of the container and how they are known.
pub(super) fn tell(
    join: &mut Join,
    container: &Container,
    metrics: &[MetricEntry<'_>],
) -> (Option<f64>, RuFrom) {
    let reported = newest(metrics, "PhysicalPartitionThroughputInfo", join);
    let sizes = newest(metrics, "PhysicalPartitionSizeInfo", join);
    // Range ids that were split.
    let parents = container.partitions.iter().flat_map(|p| &p.parents);
    let parents: BTreeSet<&str> = parents.map(String::as_str).collect();
    let by_service = |index: u32, known: Option<&PhysicalPartition>| {
        let reported = || reported.get(&Some(index)).copied();
        positive(known.and_then(|k| k.ru_per_second)).or_else(reported)
    };
    let current = || (0_u32..).zip(&container.partitions);
    let current = || current().filter(|(_, p)| !parents.contains(p.id.as_str()));
    let described = current().count() > 0;
    let sum_of_told = || {
        let all: Option<f64> = if described {
            current().map(|(i, p)| by_service(i, Some(p))).sum()
        } else {
            let named = (0_u32..).zip(&join.partitions);
            let ranges = named.filter(|(_, p)| p.named.range().is_some());
            ranges.map(|(i, _)| by_service(i, None)).sum()
        };
        positive(all)
    };
    // The autoscale maximum where it scales: that is what partitions are given.
    let provisioned = container.throughput.map(|settings| settings.throughput.highest());
    let told_whole = positive(provisioned)
        .or_else(|| of_whole(metrics, "AutoscaleMaxThroughput", join))
        .or_else(|| of_whole(metrics, "ProvisionedThroughput", join));
    let ru_from = told_whole.map_or(RuFrom::SumOfPartitions, |_| RuFrom::Reported);
    let whole = told_whole.or_else(sum_of_told);
    let equal = whole.and_then(|whole| {
        let reported = || container.throughput.and_then(|t| t.partitions());
        let counted = || of_whole(metrics, "PhysicalPartitionCount", join);
        let count = if described {
            Some(current().map(|_| 1.0).sum())
        } else {
            reported().or_else(counted)
        };
        positive(count).map(|count| whole / count)
    });
    for (index, partition) in (0_u32..).zip(&mut join.partitions) {
        let known = partition.known.and_then(|at| container.partitions.get(at));
        let fraction = known.and_then(|k| positive(k.throughput_fraction));
        let is_parent = partition.named.range().is_some_and(|id| parents.contains(id));
        let has_name = matches!(partition.named, RangeName::Range(_) | RangeName::Guid(_));
        // Of partitions that were split nobody can say what they had, nor of those a described container does not list.
        let takes_part = !is_parent && has_name && (known.is_some() || !described);
        let ways = [
            (CapacityFrom::Reported, by_service(index, known)),
            (CapacityFrom::Fraction, whole.zip(fraction).map(|(w, f)| w * f)),
            (CapacityFrom::EqualShares, equal.filter(|_| takes_part)),
        ];
        let mut ways = ways.into_iter();
        partition.capacity = ways.find_map(|(from, ru_per_second)| {
            Some(Capacity {
                ru_per_second: positive(ru_per_second)?.min(PARTITION_RU_PER_SECOND),
                from,
            })
        });
        partition.kib = known
            .and_then(|k| k.kib)
            .or_else(|| sizes.get(&Some(index)).map(|bytes| bytes / BYTES_PER_KIB));
    }
    (whole, ru_from)
}

fn of_whole(metrics: &[MetricEntry<'_>], metric: &str, join: &Join) -> Option<f64> {
    newest(metrics, metric, join).get(&None).copied()
}

/// Of values of one moment, in several regions or aggregations, the highest.
fn newest(metrics: &[MetricEntry<'_>], metric: &str, join: &Join) -> Newest {
    let mut held: BTreeMap<Option<u32>, (Stamp, f64)> = BTreeMap::new();
    let of_metric = metrics.iter().filter(|(name, _)| name.metric.eq_ignore_ascii_case(metric));
    for (name, points) in of_metric {
        let reported = points.iter().rev().find(|(_, v)| positive(Some(*v)).is_some());
        let Some((at, value)) = reported.copied() else {
            continue;
        };
        let entry = held.entry(join.series(name)).or_insert((at, value));
        if (at, value) > *entry {
            *entry = (at, value);
        }
    }
    held.into_iter().map(|(p, (_, value))| (p, value)).collect()
}

fn positive(value: Option<f64>) -> Option<f64> {
    value.filter(|v| v.is_finite() && *v > 0.0)
}
