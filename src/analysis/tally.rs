//! The rows of a report, made of the keys of a capture.

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::capture::Capture;
use crate::model::key::{Key, KeyDefinition, KeyKind};
use crate::model::logical::{KeyId, KeyView, SeriesView};

use super::columns::Lookups;
use super::growth::LimitDate;
use super::outlook::Outlook;
use super::places::KeyRange;
use super::rows::{KeyRow, SizeOf};

impl Lookups {
    /// A key as a report has it, and the readings that its row rests on; None for a key without any reading.
    pub fn key_row<'a>(&self, capture: &'a Capture, id: KeyId) -> Option<(KeyRow, SeriesView<'a>)> {
        let view = capture.sizes.view(id)?;
        let (place, outlook) = self.outlook(capture, &view)?;
        let series = outlook.now.series;
        let region = capture.region(series.region).map(Into::into);
        let row = self.row(capture, &view, &place, &outlook, region);
        Some((row, series))
    }

    /// The row of a key whose place and outlook are known already.
    pub(super) fn row(
        &self,
        capture: &Capture,
        view: &KeyView<'_>,
        place: &KeyRange,
        outlook: &Outlook<'_>,
        region: Option<Arc<str>>,
    ) -> KeyRow {
        let now = &outlook.now;
        let canonical = view.canonical();
        let container = capture.container(view.container());
        let definition = container.and_then(|c| c.definition.as_ref());
        let partition = place.owner;
        let partition = partition.and_then(|(at, _)| container?.partitions.get(at));
        let epk = self.places.epk(view.container(), canonical);
        KeyRow {
            key: view.json_text().map(Into::into),
            size_kib: now.latest.kib,
            share: self.ceiling.share(now.latest.kib),
            size_of: size_of(canonical, definition),
            region,
            sampled_at: now.latest.when.at(),
            trust: now.latest.when.trust(),
            samples: now.series.count(),
            limit_date: outlook.limit_date,
            forbidden: match outlook.limit_date {
                LimitDate::Over => self.forbidden_to(view),
                _ => 0,
            },
            growth: outlook.growth,
            period_end: outlook.period_end,
            band_kib: outlook.band_kib,
            epk: epk.map(|epk| epk.to_string().into()),
            partition: partition.map(|p| p.id.as_str().into()),
        }
    }
}

/// Names of regions, of which the rows of a report share one copy each.
#[derive(Debug, Default)]
pub(super) struct RegionNames(HashMap<u16, Arc<str>>);

impl RegionNames {
    pub fn of(&mut self, series: &SeriesView<'_>, capture: &Capture) -> Option<Arc<str>> {
        let text = capture.region(series.region)?;
        let name = self.0.entry(series.region);
        Some(Arc::clone(name.or_insert_with(|| text.into())))
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
