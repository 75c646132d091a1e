//! Keys copied out of a shard with all their series, also while the shard is being filled.

use super::super::sample::{SAMPLES_PER_SERIES, Sample, latest};
use super::read::siblings_in;
use super::{Entry, SIBLING, Shard, block_len};

/// A key's size as it ranks: whether it is dated, and how large it is.
type Rank = Option<(bool, f64)>;

impl Shard {
    /// Calls `take` with entry, container and size of every key. As everywhere the region counts where a key is largest,
    /// and a reading without a time only where none has one.
    pub(in crate::model) fn each_size(&self, mut take: impl FnMut(u32, u32, f64)) {
        let mut ranks: Vec<Rank> = (0..self.entry_count).map(|e| self.rank(e)).collect();
        for (first, further) in &self.siblings {
            let other = ranks.get(*further as usize).copied().flatten();
            if let Some(held) = ranks.get_mut(*first as usize)
                && other > *held
            {
                *held = other;
            }
        }
        for (entry, rank) in (0..self.entry_count).zip(ranks) {
            let found = self.entries.get(entry).filter(|e| e.flags & SIBLING == 0);
            if let (Some(e), Some((_, kib))) = (found, rank) {
                take(entry, e.container, kib);
            }
        }
    }

    fn rank(&self, entry: u32) -> Rank {
        let e = self.entries.get(entry)?;
        let size = latest(self.pool.slice(e.samples_at, usize::from(e.kept))?)?;
        Some((size.when.order() > 0, size.kib))
    }

    /// A shard of these keys alone, to be read and never to be filled. What is no key (any more) is left out.
    pub(in crate::model) fn copy_of(&self, keys: &[u32]) -> Self {
        let mut siblings = self.siblings.clone();
        siblings.sort_unstable();
        let mut copy = Self::default();
        for entry in keys {
            let Some(e) = self.entries.get(*entry).filter(|e| e.flags & SIBLING == 0) else {
                continue;
            };
            let key_at = copy.store_key(self.key_bytes(e));
            let first = copy.take_series(self, e, key_at);
            if let Some(text) = self.respelled.get(entry) {
                copy.keep_respelled(first, text.clone());
            }
            for e in siblings_in(&siblings, *entry).filter_map(|e| self.entries.get(e)) {
                let region = copy.take_series(self, e, key_at);
                copy.siblings.push((first, region));
            }
        }
        copy
    }

    fn take_series(&mut self, from: &Self, e: &Entry, key_at: u32) -> u32 {
        let mut taken = Entry { key_at, ..*e };
        let kept = usize::from(e.kept).min(SAMPLES_PER_SERIES);
        taken.samples_at = self.take_samples(from, e.samples_at, kept);
        if let Some(class) = e.dropped_class() {
            taken.dropped_at = self.take_samples(from, e.dropped_at, block_len(class));
            self.thinned_count += 1;
        }
        self.entry_count += 1;
        self.entries.allocate(1, taken)
    }

    fn take_samples(&mut self, from: &Self, at: u32, n: usize) -> u32 {
        let to = self.pool.allocate(n, Sample::NONE);
        if let (Some(place), Some(held)) = (self.pool.slice_mut(to, n), from.pool.slice(at, n)) {
            place.copy_from_slice(held);
        }
        to
    }
}
