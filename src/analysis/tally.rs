//! One pass over a capture's keys: which region counts, how far a size may be off, and the row that comes of it.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use crate::model::capture::Capture;
use crate::model::key::{Key, KeyDefinition, KeyKind};
use crate::model::logical::{KeyView, SeriesView};
use crate::model::names::Names;
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

/// Where keys lie, as far as their physical partitions list them.
#[derive(Debug, Default)]
pub(super) struct Partitions {
    listed: HashMap<u32, HashMap<String, f64>>,
    /// The largest partition of a container whose partitions are all known: no key lies in a larger one.
    largest: HashMap<u32, f64>,
}

impl Partitions {
    pub fn of(capture: &Capture) -> Self {
        let mut out = Self::default();
        for (number, container) in (0_u32..).zip(&capture.containers) {
            for partition in &container.partitions {
                let Some(kib) = partition.kib else { continue };
                let keys = out.listed.entry(number).or_default();
                for (key, _) in &partition.listed {
                    if let Some(key) = Key::from_cell(key) {
                        keys.insert(key.canonical(), kib);
                    }
                }
            }
            if container.kib().is_some() {
                let sizes = container.partitions.iter().filter_map(|p| p.kib);
                out.largest
                    .extend(sizes.reduce(f64::max).map(|kib| (number, kib)));
            }
        }
        out
    }

    fn kib(&self, container: u32, canonical: &str) -> Option<f64> {
        let listed = self
            .listed
            .get(&container)
            .and_then(|keys| keys.get(canonical));
        listed.or_else(|| self.largest.get(&container)).copied()
    }
}

/// What making rows needs beside the key itself.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    capture: &'a Capture,
    ceiling: Ceiling,
    partitions: Partitions,
    regions: HashMap<u16, Arc<str>>,
}

impl<'a> Rows<'a> {
    pub fn new(capture: &'a Capture, ceiling: Ceiling) -> Self {
        let partitions = Partitions::of(capture);
        Self {
            capture,
            ceiling,
            partitions,
            regions: HashMap::new(),
        }
    }

    pub fn row(&mut self, view: &KeyView<'_>) -> Option<KeyRow> {
        let now = current(view, &self.capture.regions)?;
        let band = band_kib(self.partitions.kib(view.container(), view.canonical()));
        let is_exact = |s: SeriesView<'_>| has_dated(s.samples, s.thinned, Trust::Exact);
        let trust = if view.series().any(is_exact) {
            Trust::Exact
        } else {
            Trust::Weak
        };
        let growth = growth(now.series.samples, now.series.thinned, trust, band);
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
