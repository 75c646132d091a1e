//! The physical partitions of a scenario: the hash space divided evenly, then split where it became too full.

use super::keys::PlacedKey;
use super::random::Random;
use super::spec::ContainerSpec;
use crate::model::epk::{Epk, even_boundaries, midpoint};
use crate::model::key::KeyDefinition;
use crate::model::physical::{PhysicalPartition, Throughput};
use crate::model::units::{KIB_PER_GIB, PHYSICAL_CEILING_KIB};

/// Keys take the streams 0, 1, 2 …; this one is out of their way.
const GUID_STREAM: u64 = 1 << 32;

#[derive(Clone, Debug)]
pub(super) struct Range {
    pub id: String,
    pub guid: String,
    pub min: Epk,
    pub max: Epk,
    parents: Vec<String>,
    /// Of data and requests that are not told by key.
    pub share: f64,
    throughput_fraction: f64,
    pub ru_per_second: f64,
    pub kib: f64,
}

impl Range {
    fn new(id: u32, min: Epk, max: Epk, share: f64) -> Self {
        let guid = String::new();
        Self {
            id: id.to_string(),
            guid,
            min,
            max,
            parents: Vec::new(),
            share,
            throughput_fraction: 0.0,
            ru_per_second: 0.0,
            kib: 0.0,
        }
    }

    pub fn partition(&self) -> PhysicalPartition {
        PhysicalPartition {
            guid: Some(self.guid.clone()),
            min_inclusive: Some(self.min.to_string()),
            max_exclusive: Some(self.max.to_string()),
            parents: self.parents.clone(),
            status: Some("online".to_owned()),
            throughput_fraction: Some(self.throughput_fraction),
            ru_per_second: Some(self.ru_per_second),
            kib: Some(self.kib),
            ..PhysicalPartition::new(&self.id)
        }
    }
}

/// The ranges in hash order; each of the keys, which are in hash order too, learns where it lies.
pub(super) fn of(
    spec: &ContainerSpec,
    definition: &KeyDefinition,
    keys: &mut [PlacedKey],
    seed: u64,
) -> Result<Vec<Range>, String> {
    let unlisted_kib = spec.unlisted_gib * KIB_PER_GIB;
    let mut ranges = even(spec.partitions, definition);
    fill(&mut ranges, keys, unlisted_kib);
    let mut next = spec.partitions;
    while let Some(full) = ranges.iter().position(|r| r.kib > PHYSICAL_CEILING_KIB) {
        split(&mut ranges, full, next, (keys, definition))
            .ok_or_else(|| format!("too much data in {} for one partition", spec.name))?;
        fill(&mut ranges, keys, unlisted_kib);
        next += 2;
    }
    let count: f64 = ranges.iter().map(|_| 1.0).sum();
    let (Throughput::Manual { ru_per_second: whole }
    | Throughput::Autoscale { maximum: whole, .. }) = spec.throughput;
    let mut random = Random::new(seed, GUID_STREAM);
    for range in &mut ranges {
        range.guid = random.uuid();
        range.throughput_fraction = 1.0 / count;
        range.ru_per_second = whole / count;
    }
    Ok(ranges)
}

fn fill(ranges: &mut [Range], keys: &mut [PlacedKey], unlisted_kib: f64) {
    for range in &mut *ranges {
        range.kib = unlisted_kib * range.share;
    }
    for key in keys {
        key.range = ranges.partition_point(|r| r.max <= key.epk);
        if let Some(range) = ranges.get_mut(key.range) {
            range.kib += key.kib;
        }
    }
}

fn even(count: u32, definition: &KeyDefinition) -> Vec<Range> {
    let ends = even_boundaries(count, definition).into_iter().chain([Epk::MAX]);
    let mut min = Epk::MIN;
    let share = 1.0 / f64::from(count.max(1));
    (0..)
        .zip(ends)
        .map(|(id, max)| Range::new(id, std::mem::replace(&mut min, max.clone()), max, share))
        .collect()
}

/// What the service does with a partition that is full: two new ones, the line between them in the middle of the data.
fn split(
    ranges: &mut Vec<Range>,
    at: usize,
    next: u32,
    (keys, definition): (&[PlacedKey], &KeyDefinition),
) -> Option<()> {
    let old = ranges.get(at)?.clone();
    let of_data = data_middle(&old, keys).filter(|middle| old.min < *middle);
    // Where no key is listed that could begin the second half, data lies evenly.
    let middle = of_data.or_else(|| midpoint(&old.min, &old.max, definition))?;
    let mut lower = Range::new(next, old.min, middle.clone(), old.share / 2.0);
    lower.parents = old.parents;
    lower.parents.push(old.id);
    let mut upper = Range::new(next + 1, middle, old.max, old.share / 2.0);
    upper.parents.clone_from(&lower.parents);
    ranges.splice(at..=at, [lower, upper]);
    Some(())
}

/// The key that begins the second half of the data of a range; a split follows the data, not the hash space.
fn data_middle(range: &Range, keys: &[PlacedKey]) -> Option<Epk> {
    let inside = keys.iter().filter(|k| range.min <= k.epk && k.epk < range.max);
    let half = inside.clone().map(|k| k.kib).sum::<f64>() / 2.0;
    let mut before = 0.0;
    for key in inside {
        if before >= half {
            return Some(key.epk.clone());
        }
        before += key.kib;
    }
    None
}
