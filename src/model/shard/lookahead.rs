//! What rows will need of a shard, asked for before they do: a table of many keys is a wait for memory at every step.

use prefetch_index::prefetch_index;

use super::super::logical::SizeBatch;
use super::{GROUP, Shard, high32, low32};

/// Readings in a line of memory.
const SAMPLES_PER_LINE: usize = 4;

impl Shard {
    /// Asks for what the group's rows will need, level by level, so that the waits of one level overlap.
    pub(super) fn touch(&self, batch: &SizeBatch, group: &[u32]) {
        let mask = self.slots.len() - 1;
        let mut rows = [(0_u32, 0_u32); GROUP];
        for (held, i) in rows.iter_mut().zip(group) {
            if let Some(row) = batch.rows.get(*i as usize) {
                *held = (low32(row.hash), row.key_len);
                prefetch_index(&self.slots, held.0 as usize & mask);
            }
        }
        let mut entries = [0; GROUP];
        for (held, (tag, _)) in entries.iter_mut().zip(rows).take(group.len()) {
            *held = self.first_of(tag);
            self.entries.prefetch(*held);
        }
        // Each of these may lie in a line of memory of its own.
        for (at, (_, key_len)) in entries.iter().zip(rows).take(group.len()) {
            let Some(e) = self.entries.get(*at) else {
                continue;
            };
            self.arena.prefetch(e.key_at);
            self.arena.prefetch(e.key_at.wrapping_add(key_len));
            self.pool.prefetch(e.samples_at + u32::from(e.kept));
            // A full series is moved or thinned as a whole.
            if e.is_full() {
                self.prefetch_readings(e.samples_at, e.kept);
                self.prefetch_readings(e.dropped_at, e.kept);
            }
        }
    }

    /// Asks for a few readings from a place of the pool on.
    pub(super) fn prefetch_readings(&self, from: u32, count: u8) {
        for reading in (0..u32::from(count)).step_by(SAMPLES_PER_LINE) {
            self.pool.prefetch(from.wrapping_add(reading));
        }
    }

    /// The first entry that may be the one of a key.
    fn first_of(&self, tag: u32) -> u32 {
        let mask = self.slots.len() - 1;
        let mut place = tag as usize & mask;
        loop {
            let slot = self.slots.get(place).copied().unwrap_or(0);
            if slot == 0 || high32(slot) == tag {
                return low32(slot).wrapping_sub(1);
            }
            place = (place + 1) & mask;
        }
    }
}
