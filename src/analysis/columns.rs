//! Flat columns over all keys of a finished capture: what sorting and filtering a million keys reads.
//!
//! The keys of a container lie next to each other in storage order, so a scan walks through memory from front to back.
//! Callers that have several threads make parts of their own and join them; the result is the same as of one part.

mod join;
mod row;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::model::capture::{Capture, Container};
use crate::model::logical::{KeyId, KeyView, LogicalPartitions};
use crate::model::time::Stamp;
use crate::model::units::single;

use super::best::Best;
use super::ceiling::{Ceiling, Mark};
use super::growth::{LimitDate, LimitDay};
use super::heat::ForbiddenRequests;
use super::key_ru::KeyRu;
use super::outlook::{Current, Outlook, current, outlook};
use super::places::{KeyRange, Places};
use super::select::bits;

pub use join::join;
pub use row::RowRef;

/// Keys between two questions whether to go on: well under a millisecond.
pub(super) const KEYS_PER_ASKING: usize = 1024;
/// No partition, no region.
const NONE: u32 = u32::MAX;
const NO_TIME: i64 = i64::MIN;

/// What is looked up for each key: made once for a capture, shared by all parts and by the detail of a key.
#[derive(Debug, Default)]
pub struct Lookups {
    pub places: Places,
    pub ru: KeyRu,
    pub forbidden: ForbiddenRequests,
    pub ceiling: Ceiling,
}

impl Lookups {
    pub fn of(capture: &Capture, ceiling: Ceiling) -> Self {
        Self {
            places: Places::of(capture),
            ru: KeyRu::of(&capture.load),
            forbidden: ForbiddenRequests::of(capture),
            ceiling,
        }
    }

    /// Where a key lies and what its readings tell; None for a key without any.
    pub(super) fn outlook<'k>(
        &self,
        capture: &Capture,
        view: &KeyView<'k>,
    ) -> Option<(KeyRange, Outlook<'k>)> {
        Some(self.outlook_of(view, current(view, &capture.regions)?))
    }

    /// The same where the series that counts is known already.
    pub(super) fn outlook_of<'k>(
        &self,
        view: &KeyView<'k>,
        now: Current<'k>,
    ) -> (KeyRange, Outlook<'k>) {
        let place = self.places.place(view.container(), view.canonical());
        let is_full = self.mark(view, now.latest.kib) == Mark::Full;
        let outlook = outlook(view, now, place.partition_kib, self.ceiling, is_full);
        (place, outlook)
    }

    /// The marks that a key of a size passed. Sizes are estimates: one a little below the limit is at it where writes get 403.
    pub(super) fn mark(&self, view: &KeyView<'_>, kib: f64) -> Mark {
        match Mark::of(self.ceiling.share(kib)) {
            Mark::Alarm if self.forbidden_to(view) > 0 => Mark::Full,
            mark => mark,
        }
    }

    /// 403s of the partition of a key.
    pub(super) fn forbidden_to(&self, view: &KeyView<'_>) -> u64 {
        if self.forbidden.is_empty() {
            return 0;
        }
        let owner = self.places.owner(view.container(), view.canonical());
        self.forbidden.to(view.container(), owner.map(|(at, _)| at))
    }
}

/// 46 bytes a key.
#[derive(Debug, Default)]
struct Cells {
    ids: Vec<KeyId>,
    size_kib: Vec<f64>,
    growth_kib_per_day: Vec<f64>,
    newest_ticks: Vec<i64>,
    limit_date: Vec<i32>,
    partition: Vec<u32>,
    ru: Vec<f32>,
    region: Vec<u16>,
}

/// The keys that reach the ceiling first: by their likeliest day, and by the earliest possible one, by which a limit date is
/// judged. They need not be the same key. Of one day the larger comes first.
#[derive(Clone, Copy, Debug, Default)]
struct FirstKeys {
    likely: Best<(Reverse<Stamp>, u64)>,
    earliest: Best<([Reverse<Stamp>; 2], u64)>,
}

impl FirstKeys {
    fn merge(&mut self, other: Self, keys: &LogicalPartitions) {
        self.likely.merge(other.likely, keys);
        self.earliest.merge(other.earliest, keys);
    }
}

/// The columns of some of the keys, containers mixed; to be joined.
#[derive(Debug, Default)]
pub struct ColumnsPart {
    containers: Vec<u32>,
    cells: Cells,
    first_full: BTreeMap<u32, FirstKeys>,
}

impl ColumnsPart {
    /// The columns of one of `parts` even shares of the keys. None when `keep_going` said no.
    pub fn of(
        capture: &Capture,
        lookups: &Lookups,
        part: usize,
        parts: usize,
        keep_going: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let mut out = Self::with_room(capture.sizes.len_of_part(part, parts));
        for (n, id) in capture.sizes.ids_of_part(part, parts).enumerate() {
            if n.is_multiple_of(KEYS_PER_ASKING) && !keep_going() {
                return None;
            }
            out.push(capture, lookups, id);
        }
        Some(out)
    }

    /// Growing by doubling would take half as much memory again.
    fn with_room(keys: usize) -> Self {
        Self {
            containers: Vec::with_capacity(keys),
            cells: Cells {
                ids: Vec::with_capacity(keys),
                size_kib: Vec::with_capacity(keys),
                growth_kib_per_day: Vec::with_capacity(keys),
                newest_ticks: Vec::with_capacity(keys),
                limit_date: Vec::with_capacity(keys),
                partition: Vec::with_capacity(keys),
                ru: Vec::with_capacity(keys),
                region: Vec::with_capacity(keys),
            },
            first_full: BTreeMap::new(),
        }
    }

    fn push(&mut self, capture: &Capture, lookups: &Lookups, id: KeyId) -> Option<()> {
        let view = capture.sizes.view(id)?;
        let (container, canonical) = (view.container(), view.canonical());
        let (place, outlook) = lookups.outlook(capture, &view)?;
        let ru = lookups.ru.of_key(&capture.load, container, canonical);
        let cells = &mut self.cells;
        self.containers.push(container);
        cells.ids.push(id);
        cells.size_kib.push(outlook.now.latest.kib);
        let growth = outlook.growth.map(|g| g.kib_per_day);
        cells.growth_kib_per_day.push(growth.unwrap_or(f64::NAN));
        let newest = outlook.now.newest.at();
        cells.newest_ticks.push(newest.map_or(NO_TIME, Stamp::ticks));
        cells.limit_date.push(LimitDay::of(&outlook.limit_date).pack());
        if let LimitDate::Date { at, earliest, .. } = outlook.limit_date {
            let first = self.first_full.entry(container).or_default();
            let size = bits(outlook.now.latest.kib);
            first.likely.offer((Reverse(at), size), id, &capture.sizes);
            let dates = [earliest, at].map(Reverse);
            first.earliest.offer((dates, size), id, &capture.sizes);
        }
        let owner = place.owner.and_then(|(index, _)| u32::try_from(index).ok());
        cells.partition.push(owner.unwrap_or(NONE));
        cells.ru.push(ru.map_or(f32::NAN, single));
        cells.region.push(outlook.now.series.region);
        Some(())
    }
}

/// The columns of a whole capture, grouped by container.
#[derive(Debug, Default)]
pub struct Columns {
    /// Where the keys of each container start, and where the last end.
    starts: Vec<usize>,
    cells: Cells,
    first_full: BTreeMap<u32, FirstKeys>,
    ceiling: Ceiling,
}

impl Columns {
    /// All of it by one thread.
    pub fn of(capture: &Capture, ceiling: Ceiling) -> Self {
        let lookups = Lookups::of(capture, ceiling);
        let part = ColumnsPart::of(capture, &lookups, 0, 1, &|| true).unwrap_or_default();
        join(vec![part], capture, ceiling)
    }

    /// Keys over all containers.
    pub fn len(&self) -> usize {
        self.cells.ids.len()
    }

    pub fn is_empty(&self) -> bool {
        self.cells.ids.is_empty()
    }

    /// The keys of a container of the capture that the columns were made of; None for a number it does not have.
    pub fn container<'a>(
        &'a self,
        capture: &'a Capture,
        number: u32,
    ) -> Option<ContainerColumns<'a>> {
        let at = number as usize;
        let keys = *self.starts.get(at)?..*self.starts.get(at + 1)?;
        let cells = &self.cells;
        let first_full = self.first_full.get(&number);
        Some(ContainerColumns {
            capture,
            container: capture.container(number)?,
            number,
            ceiling: self.ceiling,
            next_limit_date: first_full.and_then(|first| first.likely.key()),
            soonest: first_full.and_then(|first| first.earliest.key()),
            ids: cells.ids.get(keys.clone())?,
            size_kib: cells.size_kib.get(keys.clone())?,
            growth_kib_per_day: cells.growth_kib_per_day.get(keys.clone())?,
            newest_ticks: cells.newest_ticks.get(keys.clone())?,
            limit_date: cells.limit_date.get(keys.clone())?,
            partition: cells.partition.get(keys.clone())?,
            ru: cells.ru.get(keys.clone())?,
            region: cells.region.get(keys)?,
        })
    }
}

/// The columns of one container; rows are numbered from 0 in storage order, which is the order of `KeyId`.
#[derive(Clone, Copy, Debug)]
pub struct ContainerColumns<'a> {
    pub capture: &'a Capture,
    pub container: &'a Container,
    /// The container's number in the capture.
    pub number: u32,
    pub ceiling: Ceiling,
    /// The key that reaches the ceiling first on average, and the one that can reach it first.
    pub next_limit_date: Option<KeyId>,
    pub soonest: Option<KeyId>,
    pub ids: &'a [KeyId],
    pub size_kib: &'a [f64],
    /// Not a number where it is not known, here and in `ru`.
    pub growth_kib_per_day: &'a [f64],
    /// RU in all logs together, over all regions.
    pub ru: &'a [f32],
    newest_ticks: &'a [i64],
    limit_date: &'a [i32],
    partition: &'a [u32],
    region: &'a [u16],
}

impl<'a> ContainerColumns<'a> {
    pub fn len(&self) -> u32 {
        u32::try_from(self.ids.len()).unwrap_or(u32::MAX)
    }

    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    pub fn row(&self, row: u32) -> Option<RowRef<'_, 'a>> {
        RowRef::new(self, row)
    }

    /// The row of a key.
    pub fn find(&self, id: KeyId) -> Option<u32> {
        let row = self.ids.binary_search(&id).ok()?;
        u32::try_from(row).ok()
    }

    /// The row of a key by its canonical text: for a key chosen in another capture of the same data. Looks through all.
    pub fn find_text(&self, canonical: &str) -> Option<u32> {
        let is_it = |id: &KeyId| {
            let view = self.capture.sizes.view(*id);
            view.is_some_and(|view| view.canonical() == canonical)
        };
        u32::try_from(self.ids.iter().position(is_it)?).ok()
    }

    /// Over first, then by the day, then never; None where it is not known.
    pub(super) fn limit_rank(&self, row: u32) -> Option<u64> {
        let packed = *self.limit_date.get(row as usize)?;
        let rank = i64::from(packed) - i64::from(i32::MIN) + 1;
        u64::try_from(rank).ok().filter(|_| LimitDay::unpack(packed) != LimitDay::Unknown)
    }

    /// Index into the container's partitions.
    pub fn partition_index(&self, row: u32) -> Option<u32> {
        let index = self.partition.get(row as usize).copied();
        index.filter(|index| *index != NONE)
    }

    pub(super) fn region_number(&self, row: u32) -> Option<u16> {
        self.region.get(row as usize).copied()
    }
}

#[cfg(test)]
pub(super) mod tests;
