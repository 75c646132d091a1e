//! Which keys are listed: those of the RU logs by the logged partition, those known by size by their placement.

use std::collections::HashSet;

use super::KeyOrder;
use crate::analysis::heat::keys::{KeyShare, RecordFilter};
use crate::model::key::Key;
use crate::model::load::RuKey;
use crate::ui::kit::cx::Cx;
use crate::ui::view::heat::HeatState;
use crate::ui::view::heat::index::Index;
use crate::ui::view::heat::scope::HeatScope;

/// How a key is named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryKey {
    /// As the RU logs have it.
    Logged(RuKey),
    /// A row of the container's columns.
    Sized(u32),
}

#[derive(Clone, PartialEq, Debug)]
pub struct ListedKey {
    pub who: EntryKey,
    pub load: Option<KeyShare>,
    /// The row of the container's columns, where a size is reported.
    pub row: Option<u32>,
}

impl ListedKey {
    /// Whether it stands for the records without a key.
    pub fn is_keyless(&self) -> bool {
        self.who == EntryKey::Logged(RuKey::NotReported)
    }

    /// The key's canonical text; None for records without a key.
    pub fn canonical(&self, scope: &HeatScope) -> Option<String> {
        let data = &scope.data;
        match self.who {
            EntryKey::Logged(RuKey::Named(number)) => {
                Some(data.capture.load.keys.text(number).to_owned())
            }
            EntryKey::Logged(RuKey::NotReported | RuKey::Other) => None,
            EntryKey::Sized(row) => {
                let columns = data.columns.container(&data.capture, scope.container)?;
                Some(columns.row(row)?.view()?.canonical().to_owned())
            }
        }
    }

    /// The key's JSON text; None where the log named none.
    pub fn json(&self, scope: &HeatScope) -> Option<Box<str>> {
        let canonical = self.canonical(scope)?;
        let key = Key::from_canonical(&canonical);
        Some(key.map_or_else(|| canonical.into(), |key| key.json().into()))
    }

    pub fn kib(&self, scope: &HeatScope) -> Option<f64> {
        let data = &scope.data;
        let columns = data.columns.container(&data.capture, scope.container)?;
        Some(columns.key(self.row?)?.size_kib)
    }
}

/// The number of the track's region in the capture.
pub fn region(scope: &HeatScope) -> Option<u16> {
    let name = scope.track()?.region.as_deref()?;
    let number = scope.data.capture.regions.find(name)?;
    u16::try_from(number).ok()
}

/// What a key is called on the screen.
pub fn shown(cx: &Cx, scope: &HeatScope, entry: &ListedKey) -> String {
    match entry.who {
        EntryKey::Logged(RuKey::Other) => return "(other keys)".to_owned(),
        EntryKey::Logged(RuKey::NotReported) => return "(no key)".to_owned(),
        EntryKey::Logged(RuKey::Named(_)) | EntryKey::Sized(_) => {}
    }
    cx.mask.key_text(entry.json(scope).as_deref())
}

/// The entries of a partition, and whether RU of all regions count.
pub fn listed_keys(
    state: &HeatState,
    cx: &Cx,
    which: RecordFilter,
    by: KeyOrder,
    filter: &str,
) -> (Vec<ListedKey>, bool) {
    let Some(scope) = &state.scope else {
        return (Vec::new(), false);
    };
    let (loads, is_all_regions) = ranked(scope, which);
    let index = &state.index;
    let mut entries: Vec<ListedKey> = loads
        .into_iter()
        .map(|load| ListedKey {
            row: row_of(scope, index, load.key),
            who: EntryKey::Logged(load.key),
            load: Some(load),
        })
        .collect();
    let listed: HashSet<u32> = entries.iter().filter_map(|entry| entry.row).collect();
    let sized = match which.partition {
        Some(partition) => index.largest(scope.partition(partition).and_then(|p| p.known)),
        None => index.of_container(),
    };
    let sized = sized.iter().filter(|row| !listed.contains(row));
    entries.extend(sized.map(|row| ListedKey {
        who: EntryKey::Sized(*row),
        load: None,
        row: Some(*row),
    }));
    if !filter.is_empty() {
        let wanted = filter.to_lowercase();
        entries.retain(|entry| shown(cx, scope, entry).to_lowercase().contains(&wanted));
    }
    sort(cx, scope, &mut entries, by);
    (entries, is_all_regions)
}

/// Where a region has no record of the partition at any time, those of all regions count.
fn ranked(scope: &HeatScope, which: RecordFilter) -> (Vec<KeyShare>, bool) {
    let Some(heat) = scope.heat() else {
        return (Vec::new(), false);
    };
    let names = &scope.data.capture.load.keys;
    let cells = heat.keys.cells();
    let ends = cells.first().zip(cells.last());
    let is_of_many = ends.is_some_and(|(first, last)| first.region != last.region);
    let at_any_time = RecordFilter { span: None, ..which };
    if which.region.is_none() || heat.keys.of(at_any_time).next().is_some() {
        let is_all = which.region.is_none() && is_of_many;
        return (heat.keys.ranked(which, names), is_all);
    }
    let which = RecordFilter { region: None, ..which };
    (heat.keys.ranked(which, names), true)
}

fn row_of(scope: &HeatScope, index: &Index, key: RuKey) -> Option<u32> {
    match key {
        RuKey::Named(number) => index.row(scope.data.capture.load.keys.text(number)),
        RuKey::NotReported | RuKey::Other => None,
    }
}

/// Those of which a column tells nothing come last; what is equal stays in the order of RU and size.
fn sort(cx: &Cx, scope: &HeatScope, entries: &mut [ListedKey], by: KeyOrder) {
    let size = |entry: &ListedKey| entry.kib(scope).unwrap_or(f64::NEG_INFINITY);
    match by {
        KeyOrder::Ru => {}
        KeyOrder::Size => entries.sort_by(|a, b| size(b).total_cmp(&size(a))),
        KeyOrder::Since => entries.sort_by_key(|entry| {
            let load = entry.load.as_ref();
            let first = load.and_then(|load| load.since.or(load.first));
            (first.is_none(), first)
        }),
        KeyOrder::Key => entries.sort_by_cached_key(|entry| shown(cx, scope, entry)),
    }
}
