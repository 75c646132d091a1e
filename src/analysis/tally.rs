//! The rows of a report, made of the keys of a capture.

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::capture::Capture;
use crate::model::key::{Key, KeyDefinition, KeyKind};
use crate::model::logical::KeyView;

use super::ceiling::Ceiling;
use super::outlook::{Current, Outlook, current, outlook_of};
use super::places::Places;
use super::rows::{KeyRow, SizeOf};

/// The key's compact JSON text with numbers as found; None where the log named no key.
pub(super) fn key_json(view: &KeyView<'_>) -> Option<Box<str>> {
    let canonical = view.canonical();
    let key = Key::from_canonical(view.as_found().unwrap_or(canonical))
        .or_else(|| Key::from_cell(canonical));
    key.map(|key| key.json().into())
}

/// What making rows needs beside the key itself.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    capture: &'a Capture,
    ceiling: Ceiling,
    places: Places,
    regions: HashMap<u16, Arc<str>>,
}

impl<'a> Rows<'a> {
    pub fn new(capture: &'a Capture, ceiling: Ceiling) -> Self {
        Self {
            capture,
            ceiling,
            places: Places::of(capture),
            regions: HashMap::new(),
        }
    }

    pub fn row(&mut self, view: &KeyView<'_>) -> Option<KeyRow> {
        let outlook = self.outlook(view, current(view, &self.capture.regions)?);
        Some(self.row_of(view, &outlook))
    }

    /// Size, growth and wall without the row's texts.
    pub fn outlook<'k>(&self, view: &KeyView<'k>, now: Current<'k>) -> Outlook<'k> {
        let place = self.places.place(view.container(), view.canonical());
        outlook_of(view, now, place.partition_kib, self.ceiling)
    }

    pub fn row_of(&mut self, view: &KeyView<'_>, outlook: &Outlook<'_>) -> KeyRow {
        let region = self.region(outlook.now.series.region);
        key_row(
            self.capture,
            self.ceiling,
            &self.places,
            view,
            outlook,
            region,
        )
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

pub(super) fn key_row(
    capture: &Capture,
    ceiling: Ceiling,
    places: &Places,
    view: &KeyView<'_>,
    outlook: &Outlook<'_>,
    region: Option<Arc<str>>,
) -> KeyRow {
    let now = &outlook.now;
    let container = capture.container(view.container());
    let definition = container.and_then(|c| c.definition.as_ref());
    let (number, canonical) = (view.container(), view.canonical());
    let owner = places.owner(number, canonical);
    let partition = owner.and_then(|(at, _)| container?.partitions.get(at));
    KeyRow {
        key: key_json(view),
        size_kib: now.latest.kib,
        share: ceiling.share(now.latest.kib),
        size_of: size_of(view.canonical(), definition),
        region,
        sampled_at: now.latest.when.at(),
        samples: now.series.count(),
        wall: outlook.wall,
        growth: outlook.growth,
        band_kib: outlook.band_kib,
        epk: places
            .epk(number, canonical)
            .map(|epk| epk.to_string().into()),
        partition: partition.map(|p| p.id.as_str().into()),
    }
}

/// A hierarchical key with fewer parts than levels is the total of what lies under it.
pub(super) fn size_of(canonical: &str, definition: Option<&KeyDefinition>) -> SizeOf {
    let Some(definition) = definition.filter(|d| d.kind == KeyKind::MultiHash) else {
        return SizeOf::Key;
    };
    match Key::from_canonical(canonical) {
        Some(key) if key.parts().len() < definition.paths.len() => SizeOf::Prefix,
        _ => SizeOf::Key,
    }
}
