//! A shard that is filled no more: what can be read of it.

use super::super::logical::SeriesView;
use super::{Entry, SIBLING, Shard};

/// Entries ahead of which readings are asked for: whoever goes through the keys looks at their sizes.
const AHEAD: u32 = 16;

/// Of sorted siblings those of an entry.
pub(super) fn siblings_in(sorted: &[(u32, u32)], entry: u32) -> impl Iterator<Item = u32> {
    let from = sorted.partition_point(|(first, _)| *first < entry);
    let further = sorted.iter().skip(from);
    further.take_while(move |(first, _)| *first == entry).map(|(_, sibling)| *sibling)
}

impl Shard {
    /// Gives back what only filling needs.
    pub(in crate::model) fn freeze(&mut self) {
        self.slots = Vec::new();
        self.free = Default::default();
        self.siblings.sort_unstable();
    }

    pub(in crate::model) fn entry(&self, entry: u32) -> Option<&Entry> {
        self.entries.get(entry)
    }

    #[inline]
    pub(in crate::model) fn key_text(&self, entry: u32) -> &str {
        let bytes = self.entries.get(entry).map_or(&[][..], |e| self.key_bytes(e));
        // Keys enter as `str` only.
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    #[inline]
    pub(in crate::model) fn as_found(&self, entry: u32) -> Option<&str> {
        self.respelled.get(&entry).map(|t| &**t)
    }

    pub(in crate::model) fn siblings_of(&self, entry: u32) -> impl Iterator<Item = u32> + use<'_> {
        siblings_in(&self.siblings, entry)
    }

    pub(in crate::model) fn series(&self, entry: u32) -> Option<SeriesView<'_>> {
        let e = self.entries.get(entry)?;
        Some(SeriesView {
            region: e.region,
            source: e.source,
            samples: self.pool.slice(e.samples_at, usize::from(e.kept))?,
            dropped: self.dropped(e),
        })
    }

    pub(in crate::model) fn primaries(&self) -> impl Iterator<Item = u32> + '_ {
        let is_primary =
            |entry: &u32| self.entries.get(*entry).is_some_and(|e| e.flags & SIBLING == 0);
        let ask = |entry: &u32| {
            if let Some(e) = self.entries.get(*entry + AHEAD) {
                self.prefetch_readings(e.samples_at, e.kept);
            }
        };
        (0..self.entry_count).inspect(ask).filter(is_primary)
    }

    pub(in crate::model) fn keys(&self) -> usize {
        self.entry_count as usize - self.siblings.len()
    }

    pub(in crate::model) fn repeats(&self) -> &[u64] {
        &self.repeats
    }

    pub(in crate::model) fn conflicts(&self) -> &[u64] {
        &self.conflicts
    }

    pub(in crate::model) fn any_thinned(&self) -> bool {
        self.thinned_count > 0
    }
}
