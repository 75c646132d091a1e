//! Tracks of the records and points of a capture.

use std::collections::{BTreeMap, HashMap};

use crate::model::capture::{Capture, Container};
use crate::model::units::{as_number, percent_text};

use super::cells::{Cells, ContainerCells, MetricEntry, RuEntry};
use super::join::Join;
use super::keys::{KeyCell, KeyLoads};
use super::points::{Points, Room, grain_s, grain_text, tracks};
use super::{Capacity, ContainerHeat, Heat, Measure, Track, capacity, requests};

pub(super) fn heat(capture: &Capture) -> Heat {
    let cells = Cells::of(&capture.load);
    let mut room = Room::default();
    let containers = (0_u32..).zip(&capture.containers);
    let containers = containers
        .map(|(number, known)| container(capture, known, cells.container(number), &mut room));
    Heat { containers: containers.collect() }
}

fn container(
    capture: &Capture,
    known: &Container,
    cells: ContainerCells<'_, '_>,
    room: &mut Room,
) -> ContainerHeat {
    let mut join = Join::of(known, cells, &capture.load);
    let (ru_per_second, ru_from) = capacity::tell(&mut join, known, cells.metrics);
    let of_metric = |measure, name, factor, room: &mut Room| {
        of_metric(measure, name, factor, cells.metrics, &join, room)
    };
    let mut all = of_metric(Measure::NormalizedRu, "NormalizedRUConsumption", 0.01, room);
    all.extend(of_ru_log(cells.ru, capture, &join, room));
    let (of_requests, sums, ru_of_429s) = requests::of_log(cells.requests, capture, &join, room);
    all.extend(of_requests);
    let kib = 1.0 / 1024.0;
    all.extend(of_metric(Measure::Storage, "PhysicalPartitionSizeInfo", kib, room));
    // Stable: of one measure the busiest region stays first.
    all.sort_by_key(|track| track.measure);
    let mut ranges: HashMap<u32, Option<u32>> = HashMap::new();
    let keys = cells.ru.iter().filter_map(|(cell, sum)| {
        let named = || join.range(capture.load.names.text(cell.range));
        let partition = *ranges.entry(cell.range).or_insert_with(named);
        Some(KeyCell {
            region: cell.region,
            partition: partition?,
            second: cell.second,
            key: cell.key,
            operation: cell.operation,
            ru: sum.ru,
            records: sum.records,
        })
    });
    // Hardly any has no partition: a list that grows by doubling takes twice the memory.
    let mut placed = Vec::with_capacity(cells.ru.len());
    placed.extend(keys);
    ContainerHeat {
        tracks: all,
        keys: KeyLoads::new(placed, capture.load.ru_width_s),
        requests: sums,
        ru_of_429s,
        whole: requests::whole(cells.metrics),
        bursts: requests::bursts(cells.metrics),
        ru_per_second,
        ru_from,
        partitions: join.partitions,
    }
}

/// RU a second, and its share of what the partition can give where that is known.
fn of_ru_log(
    entries: &[RuEntry<'_>],
    capture: &Capture,
    join: &Join,
    room: &mut Room,
) -> Vec<Track> {
    let width_s = capture.load.ru_width_s.max(1);
    let mut rates = Points::new();
    for same in entries.chunk_by(|(a, _), (b, _)| (a.region, a.range) == (b.region, b.range)) {
        let Some((first, _)) = same.first() else {
            continue;
        };
        let Some(partition) = join.range(capture.load.names.text(first.range)) else {
            continue;
        };
        let timed = same.iter().filter_map(|(c, sum)| Some((c.second?, sum.ru)));
        let timed = timed.map(|(second, ru)| (second, ru / f64::from(width_s)));
        let of = rates.entry(capture.region(first.region).map(Into::into)).or_default();
        of.entry(partition).or_default().extend(timed);
    }
    for points in rates.values_mut().flat_map(BTreeMap::values_mut) {
        *points = summed(std::mem::take(points));
    }
    let mut shares = Points::new();
    let mut weakest = None;
    for (region, of) in &rates {
        for (partition, points) in of {
            let known = join.partitions.get(*partition as usize);
            let Some(Capacity { ru_per_second, from }) = known.and_then(|p| p.capacity) else {
                continue;
            };
            weakest = weakest.max(Some(from));
            let points = points.iter().map(|(s, rate)| (*s, rate / ru_per_second));
            let of = shares.entry(region.clone()).or_default();
            of.insert(*partition, points.collect());
        }
    }
    let log = format!("RU log, {}", grain_text(width_s));
    let words = weakest.map_or("", |from| from.words());
    let against = format!("{log}; RU/s of a partition: {words}");
    let partitions = join.partitions.len();
    let (measure, amount) = (Measure::LoggedShare, Measure::LoggedRu);
    let step = |_: &_, _: &_| width_s;
    let mut all = tracks(measure, step, |_| against.clone(), shares, partitions, room);
    all.extend(tracks(amount, step, |_| log.clone(), rates, partitions, room));
    all
}

/// In time order, what falls into one second added up.
fn summed(mut points: Vec<(i64, f64)>) -> Vec<(i64, f64)> {
    points.sort_by_key(|(second, _)| *second);
    points.dedup_by(|next, held| {
        let same = next.0 == held.0;
        if same {
            held.1 += next.1;
        }
        same
    });
    points
}

/// A metric by partition: its maximum where that is told, else its average.
fn of_metric(
    measure: Measure,
    metric: &str,
    factor: f64,
    metrics: &[MetricEntry<'_>],
    join: &Join,
    room: &mut Room,
) -> Vec<Track> {
    let mut by_aggregation = [Points::new(), Points::new()];
    let of_metric = metrics.iter().filter(|(name, _)| name.metric.eq_ignore_ascii_case(metric));
    for (name, points) in of_metric {
        let [maxima, averages] = &mut by_aggregation;
        let into = match name.aggregation.as_str() {
            "maximum" => maxima,
            "average" => averages,
            _ => continue,
        };
        let Some(partition) = join.series(name) else {
            continue;
        };
        let region = name.dimension("region").or(name.dimension("regionname"));
        let region = region.filter(|r| !r.is_empty()).map(Into::into);
        let points = points.iter().map(|(at, value)| (at.seconds(), value * factor));
        let of = into.entry(region).or_default();
        of.entry(partition).or_default().extend(points);
    }
    let [mut maxima, averages] = by_aggregation;
    let mut only_average = 0_usize;
    for (region, of) in averages {
        let held = maxima.entry(region).or_default();
        for (partition, points) in of {
            held.entry(partition).or_insert_with(|| {
                only_average += 1;
                points
            });
        }
    }
    let reported: usize = maxima.values().map(BTreeMap::len).sum();
    let aggregation = match only_average {
        0 => String::new(),
        n if n == reported => "; only averages are reported: peaks were higher".to_owned(),
        n => {
            let share = percent_text(as_number(n) / as_number(reported));
            format!(
                "; of {share} of the series only averages are reported: their peaks were higher"
            )
        }
    };
    let from = |step_s| format!("metric {metric}, {}{aggregation}", grain_text(step_s));
    let partitions = join.partitions.len();
    tracks(measure, |_, of| grain_s(of), from, maxima, partitions, room)
}
