//! One pass over a capture's keys: which region counts, how far a size may be off, and the row that comes of it.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use crate::model::capture::{Capture, Container};
use crate::model::epk::{Epk, epk, owner};
use crate::model::key::{Key, KeyDefinition, KeyKind};
use crate::model::logical::{KeyView, SeriesView};
use crate::model::names::Names;
use crate::model::physical::PhysicalPartition;
use crate::model::sample::{Sample, Trust, When, latest};

use super::ceiling::Ceiling;
use super::growth::{band_kib, growth, has_dated, wall};
use super::rows::{KeyRow, SizeOf};

/// The series that counts for a key: the region where it is largest now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Current<'a> {
    pub series: SeriesView<'a>,
    pub latest: Sample,
    /// The newest reading of the key in any region.
    pub newest: When,
    /// All series of the key together have more than one reading.
    pub repeated: bool,
}

/// None for a key without any reading.
pub(super) fn current<'a>(view: &KeyView<'a>, regions: &Names) -> Option<Current<'a>> {
    let mut best: Option<Current<'a>> = None;
    for series in view.series() {
        let Some(latest) = latest(series.samples) else {
            continue;
        };
        let repeated = series.samples.len() > 1;
        let found = Current {
            series,
            latest,
            newest: latest.when,
            repeated,
        };
        best = Some(match best {
            None => found,
            Some(held) => {
                let newest = if held.newest.order() < found.newest.order() {
                    found.newest
                } else {
                    held.newest
                };
                let repeated = held.repeated || found.repeated;
                let counts = if precedence(&found, &held, regions) == Ordering::Greater {
                    found
                } else {
                    held
                };
                Current {
                    newest,
                    repeated,
                    ..counts
                }
            }
        });
    }
    best
}

/// A reading without a time counts only where none has one. Ties prefer what says more: a region, then more readings;
/// the name decides last, so that the choice never depends on which input came first.
fn precedence(a: &Current<'_>, b: &Current<'_>, regions: &Names) -> Ordering {
    let dated = |c: &Current<'_>| c.latest.when.order() > 0;
    let name = |c: &Current<'_>| regions.text(u32::from(c.series.region));
    dated(a)
        .cmp(&dated(b))
        .then(a.latest.kib.total_cmp(&b.latest.kib))
        .then(name(b).is_empty().cmp(&name(a).is_empty()))
        .then(a.series.count().cmp(&b.series.count()))
        .then_with(|| name(b).cmp(name(a)))
}

/// The key's compact JSON text with numbers as found; None where the log named no key.
pub(super) fn key_json(view: &KeyView<'_>) -> Option<Box<str>> {
    let canonical = view.canonical();
    let key = Key::from_canonical(view.as_found().unwrap_or(canonical))
        .or_else(|| Key::from_cell(canonical));
    key.map(|key| key.json().into())
}

/// The physical partitions of one container, as far as keys can be placed in them.
#[derive(Debug, Default)]
struct Placement {
    definition: Option<KeyDefinition>,
    /// Size of the partition that lists a key, by the key's canonical text.
    listed: HashMap<String, f64>,
    ranges: Vec<(Epk, Epk, Option<f64>)>,
    /// The largest partition where all are known: no key lies in a larger one.
    largest: Option<f64>,
}

impl Placement {
    fn of(container: &Container) -> Self {
        let mut listed = HashMap::new();
        for partition in &container.partitions {
            for (key, _) in &partition.listed {
                if let (Some(key), Some(kib)) = (Key::from_cell(key), partition.kib) {
                    listed.insert(key.canonical(), kib);
                }
            }
        }
        let bound = |text: &Option<String>| Epk::from_hex(text.as_deref()?);
        let range = |p: &PhysicalPartition| {
            Some((bound(&p.min_inclusive)?, bound(&p.max_exclusive)?, p.kib))
        };
        let sizes = container.partitions.iter().filter_map(|p| p.kib);
        Self {
            definition: container.definition.clone(),
            listed,
            ranges: container.partitions.iter().filter_map(range).collect(),
            largest: container.kib().and_then(|_| sizes.reduce(f64::max)),
        }
    }

    /// The size of the partition that holds a key, or of the largest it may lie in.
    fn partition_kib(&self, canonical: &str) -> Option<f64> {
        let listed = self.listed.get(canonical).copied();
        listed.or_else(|| self.hashed(canonical)).or(self.largest)
    }

    fn hashed(&self, canonical: &str) -> Option<f64> {
        let key = Key::from_canonical(canonical)?;
        let place = epk(key.parts(), self.definition.as_ref()?)?;
        let ranges = self.ranges.iter().map(|(min, max, _)| (min, max));
        self.ranges.get(owner(&place, ranges)?)?.2
    }
}

/// What making rows needs beside the key itself.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    capture: &'a Capture,
    ceiling: Ceiling,
    placements: Vec<Placement>,
    regions: HashMap<u16, Arc<str>>,
}

impl<'a> Rows<'a> {
    pub fn new(capture: &'a Capture, ceiling: Ceiling) -> Self {
        let placements = capture.containers.iter().map(Placement::of).collect();
        Self {
            capture,
            ceiling,
            placements,
            regions: HashMap::new(),
        }
    }

    pub fn row(&mut self, view: &KeyView<'_>) -> Option<KeyRow> {
        let now = current(view, &self.capture.regions)?;
        let placement = self.placements.get(view.container() as usize);
        let band = band_kib(placement.and_then(|p| p.partition_kib(view.canonical())));
        let is_exact = |s: SeriesView<'_>| has_dated(s.samples, s.thinned.as_ref(), Trust::Exact);
        let trust = if view.series().any(is_exact) {
            Trust::Exact
        } else {
            Trust::Weak
        };
        let growth = growth(now.series.samples, now.series.thinned.as_ref(), trust, band);
        let definition = self
            .capture
            .container(view.container())
            .and_then(|c| c.definition.as_ref());
        Some(KeyRow {
            key: key_json(view),
            size_kib: now.latest.kib,
            share: self.ceiling.share(now.latest.kib),
            size_of: size_of(view.canonical(), definition),
            region: self.region(now.series.region),
            sampled_at: now.latest.when.at(),
            samples: now.series.count(),
            wall: wall(now.latest.kib, growth.as_ref(), self.ceiling.kib()),
            growth,
            band_kib: band,
            epk: None,
            partition: None,
        })
    }

    fn region(&mut self, number: u16) -> Option<Arc<str>> {
        let text = self.capture.regions.text(u32::from(number));
        if text.is_empty() {
            return None;
        }
        Some(Arc::clone(
            self.regions.entry(number).or_insert_with(|| text.into()),
        ))
    }
}

/// A hierarchical key with fewer parts than levels is the total of what lies under it.
fn size_of(canonical: &str, definition: Option<&KeyDefinition>) -> SizeOf {
    let Some(definition) = definition.filter(|d| d.kind == KeyKind::MultiHash) else {
        return SizeOf::Key;
    };
    match Key::from_canonical(canonical) {
        Some(key) if key.parts().len() < definition.paths.len() => SizeOf::Prefix,
        _ => SizeOf::Key,
    }
}
