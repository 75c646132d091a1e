//! Flat records over all keys of a finished capture: what sorting and filtering a million keys reads.
//!
//! The keys of a container lie next to each other in storage order, so a scan walks through memory from front to back.
//! Callers that have several threads make parts of their own and join them; the result is the same as of one part.

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

/// What a list sorts and filters a key by, in 48 bytes.
#[derive(Clone, Copy, Debug)]
pub struct KeyRecord {
    pub id: KeyId,
    pub size_kib: f64,
    /// Not a number where it is not known, here and in `ru`.
    pub growth_kib_per_day: f64,
    newest_ticks: i64,
    limit_date: i32,
    partition: u32,
    /// RU in all logs together, over all regions.
    pub ru: f32,
    pub(super) region: u16,
}

impl KeyRecord {
    /// Over first, then by the day, then never; None where it is not known.
    pub(super) fn limit_rank(&self) -> Option<u64> {
        let is_known = LimitDay::unpack(self.limit_date) != LimitDay::Unknown;
        is_known.then(|| u64::from(self.limit_date.abs_diff(i32::MIN)) + 1)
    }

    /// Index into the container's partitions.
    pub fn partition_index(&self) -> Option<u32> {
        Some(self.partition).filter(|index| *index != NONE)
    }
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

/// The keys of one container in storage order, which is the order of `KeyId`.
#[derive(Debug, Default)]
struct ContainerKeys {
    keys: Vec<KeyRecord>,
    first_full: FirstKeys,
}

/// Some of the keys by the number of their container; to be joined.
#[derive(Debug, Default)]
pub struct ColumnsPart(BTreeMap<u32, ContainerKeys>);

impl ColumnsPart {
    /// The columns of one of `parts` even shares of the keys. None when `keep_going` said no.
    pub fn of(
        capture: &Capture,
        lookups: &Lookups,
        part: usize,
        parts: usize,
        keep_going: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let mut out = Self::default();
        for (n, id) in capture.sizes.ids_of_part(part, parts).enumerate() {
            if n.is_multiple_of(KEYS_PER_ASKING) && !keep_going() {
                return None;
            }
            out.push(capture, lookups, id);
        }
        // These stay as long as the input does.
        out.0.values_mut().for_each(|held| held.keys.shrink_to_fit());
        Some(out)
    }

    fn push(&mut self, capture: &Capture, lookups: &Lookups, id: KeyId) -> Option<()> {
        let view = capture.sizes.view(id)?;
        let (container, canonical) = (view.container(), view.canonical());
        let (place, outlook) = lookups.outlook(capture, &view)?;
        let ru = lookups.ru.of_key(&capture.load, container, canonical);
        let held = self.0.entry(container).or_default();
        if let LimitDate::Date { at, earliest, .. } = outlook.limit_date {
            let first = &mut held.first_full;
            let size = bits(outlook.now.latest.kib);
            first.likely.offer((Reverse(at), size), id, &capture.sizes);
            let dates = [earliest, at].map(Reverse);
            first.earliest.offer((dates, size), id, &capture.sizes);
        }
        let owner = place.owner.and_then(|(index, _)| u32::try_from(index).ok());
        held.keys.push(KeyRecord {
            id,
            size_kib: outlook.now.latest.kib,
            growth_kib_per_day: outlook.growth.map_or(f64::NAN, |growth| growth.kib_per_day),
            newest_ticks: outlook.now.newest.at().map_or(NO_TIME, Stamp::ticks),
            limit_date: LimitDay::of(&outlook.limit_date).pack(),
            partition: owner.unwrap_or(NONE),
            ru: ru.map_or(f32::NAN, single),
            region: outlook.now.series.region,
        });
        Some(())
    }
}

/// Joins all parts of a capture, given in their order.
pub fn join(parts: Vec<ColumnsPart>, capture: &Capture, ceiling: Ceiling) -> Columns {
    let mut parts = parts.into_iter();
    let mut containers = parts.next().unwrap_or_default().0;
    for (container, part) in parts.flat_map(|part| part.0) {
        let held = containers.entry(container).or_default();
        held.keys.reserve_exact(part.keys.len());
        held.keys.extend(part.keys);
        held.first_full.merge(part.first_full, &capture.sizes);
    }
    Columns { containers, ceiling }
}

/// The columns of a whole capture, grouped by container.
#[derive(Debug, Default)]
pub struct Columns {
    containers: BTreeMap<u32, ContainerKeys>,
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
    pub fn key_count(&self) -> usize {
        self.containers.values().map(|held| held.keys.len()).sum()
    }

    /// The keys of a container of the capture that the columns were made of; None for a number it does not have.
    pub fn container<'a>(
        &'a self,
        capture: &'a Capture,
        number: u32,
    ) -> Option<ContainerColumns<'a>> {
        let held = self.containers.get(&number);
        Some(ContainerColumns {
            capture,
            container: capture.container(number)?,
            number,
            ceiling: self.ceiling,
            next_limit_date: held.and_then(|held| held.first_full.likely.key()),
            soonest: held.and_then(|held| held.first_full.earliest.key()),
            keys: held.map_or(&[], |held| &held.keys),
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
    pub keys: &'a [KeyRecord],
}

impl<'a> ContainerColumns<'a> {
    pub fn len(&self) -> u32 {
        u32::try_from(self.keys.len()).unwrap_or(u32::MAX)
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub fn key(&self, row: u32) -> Option<&'a KeyRecord> {
        self.keys.get(row as usize)
    }

    pub fn row(&self, row: u32) -> Option<RowRef<'_, 'a>> {
        Some(RowRef { columns: self, key: self.key(row)? })
    }

    /// The row of a key.
    pub fn find(&self, id: KeyId) -> Option<u32> {
        let row = self.keys.binary_search_by_key(&id, |key| key.id).ok()?;
        u32::try_from(row).ok()
    }

    /// The row of a key by its canonical text: for a key chosen in another capture of the same data. Looks through all.
    pub fn find_text(&self, canonical: &str) -> Option<u32> {
        let is_it = |key: &KeyRecord| {
            let view = self.capture.sizes.view(key.id);
            view.is_some_and(|view| view.canonical() == canonical)
        };
        u32::try_from(self.keys.iter().position(is_it)?).ok()
    }
}

#[cfg(test)]
pub(super) mod tests;
