//! The physical partitions of a scenario: even hash ranges, then split where they became too full.

use super::keys::PlacedKey;
use super::random::Random;
use super::spec::ContainerSpec;
use crate::model::epk::Epk;
use crate::model::key::KeyDefinition;
use crate::model::layout::{Layout, Span};
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
    let weights: Vec<_> = keys.iter().map(|key| (key.epk.clone(), key.kib)).collect();
    let even = f64::from(spec.partitions.max(1)).recip();
    let mut layout = Layout::even(spec.partitions as usize, definition);
    let mut names: Vec<Vec<String>> = (0..spec.partitions).map(|id| vec![id.to_string()]).collect();
    let mut next = spec.partitions;
    let mut ranges = loop {
        let ranges = filled(&layout, &names, even, spec.unlisted_gib * KIB_PER_GIB, keys);
        let Some(full) = ranges.iter().position(|r| r.kib > PHYSICAL_CEILING_KIB) else {
            break ranges;
        };
        let parents = layout.split_at(full, &weights, definition).and_then(|_| names.get(full));
        let parents = parents.cloned();
        let parents =
            parents.ok_or_else(|| format!("too much data in {} for one partition", spec.name))?;
        let child = |id: u32| parents.iter().cloned().chain([id.to_string()]).collect();
        names.splice(full..=full, [child(next), child(next + 1)]);
        next += 2;
    };
    let (Throughput::Manual { ru_per_second: whole }
    | Throughput::Autoscale { maximum: whole, .. }) = spec.throughput;
    let count: f64 = ranges.iter().map(|_| 1.0).sum();
    let mut random = Random::new(seed, GUID_STREAM);
    for range in &mut ranges {
        range.guid = random.uuid();
        // A split for storage halves RU/s; those of a scenario are redistributed evenly since.
        range.throughput_fraction = count.recip();
        range.ru_per_second = whole / count;
    }
    Ok(ranges)
}

/// Each range with what lies in it; its name is the last of `names`, after those that it came from.
fn filled(
    layout: &Layout,
    names: &[Vec<String>],
    even: f64,
    unlisted_kib: f64,
    keys: &mut [PlacedKey],
) -> Vec<Range> {
    let range = |(span, names): (&Span, &Vec<String>)| {
        let mut parents = names.clone();
        let share = even * span.part();
        Range {
            id: parents.pop().unwrap_or_default(),
            guid: String::new(),
            min: span.min.clone(),
            max: span.max.clone(),
            parents,
            share,
            throughput_fraction: 0.0,
            ru_per_second: 0.0,
            kib: unlisted_kib * share,
        }
    };
    let mut ranges: Vec<Range> = layout.spans().iter().zip(names).map(range).collect();
    for key in keys {
        key.range = layout.owner(&key.epk).unwrap_or_default();
        if let Some(range) = ranges.get_mut(key.range) {
            range.kib += key.kib;
        }
    }
    ranges
}
