//! One shard of the table of logical partitions: open addressing over compact entries, keys in an arena, readings in a pool.

mod copy;
mod lookahead;
mod read;

use std::collections::HashMap;

use super::logical::{SizeBatch, SizeRow};
use super::names::is_same;
use super::paged::Paged;
use super::sample::{
    PACKED_LINE, PACKED_LINES, SAMPLES_PER_SERIES, Sample, SampleTime, SeriesSummary, better, thin,
};

/// Rows worked on at a time: enough independent loads to hide a cache miss, few enough to stay in registers and L1.
const GROUP: usize = 64;
/// Readings that pool blocks hold: few steps, since each one moves the series and leaves a block behind. What is known
/// of dropped readings is kept in blocks that series have outgrown.
const BLOCKS: [usize; 5] = [2, PACKED_LINE, PACKED_LINES, 12, SAMPLES_PER_SERIES];
/// The length byte of keys whose length follows in four more.
const LONG_KEY: u8 = u8::MAX;
/// A place of the map of respelled texts takes 25 bytes, and nine of sixteen may be empty.
const RESPELLED_PLACE_BYTES: usize = 57;

/// Half a line of memory, so that looking at one never costs two.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Entry {
    /// The newest time seen: a later row needs no search for repeats.
    newest: SampleTime,
    pub(super) container: u32,
    /// Where the arena holds its length, and then the key.
    key_at: u32,
    samples_at: u32,
    /// In the pool the packed `SeriesSummary` of the readings that were thinned away, where there are any.
    dropped_at: u32,
    region: u16,
    source: u16,
    kept: u8,
    class: u8,
    flags: u8,
}

const _: () = assert!(size_of::<Entry>() == 32);

impl Entry {
    /// Whether its block has no room for one more reading.
    fn is_full(&self) -> bool {
        usize::from(self.kept) == block_len(usize::from(self.class))
    }

    /// The class of the block of what was thinned away.
    fn dropped_class(&self) -> Option<usize> {
        match self.flags & (THINNED | BOTH_LINES) {
            0 => None,
            THINNED => Some(1),
            _ => Some(2),
        }
    }
}

const SIBLING: u8 = 1;
const THINNED: u8 = 2;
/// The canonical spelling itself was found, so it is what is shown.
const PLAIN: u8 = 4;
/// What was thinned away is on two lines.
const BOTH_LINES: u8 = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum State {
    #[default]
    Held,
    /// Given up for memory; filled in a later pass.
    Dropped,
    /// Handed out by an earlier pass.
    Finished,
}

#[derive(Debug, Default)]
pub struct Shard {
    pub(super) state: State,
    /// hash32 << 32 | entry + 1, 0 = empty; always a power of two long.
    slots: Vec<u64>,
    entries: Paged<Entry>,
    entry_count: u32,
    arena: Paged<u8>,
    pool: Paged<Sample>,
    free: [Vec<u32>; BLOCKS.len()],
    thinned_count: u32,
    respelled: HashMap<u32, Box<str>>,
    /// So many were held at once: the map keeps their places when they go.
    most_respelled: usize,
    respelled_bytes: usize,
    /// (first entry of the key, entry of a further region)
    siblings: Vec<(u32, u32)>,
    repeats: Vec<u64>,
    conflicts: Vec<u64>,
}

impl Shard {
    /// Empties it, and returns what it held.
    pub(super) fn emptied(&mut self, state: State) -> Self {
        std::mem::replace(self, Self { state, ..Self::default() })
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * 8
            + self.entries.bytes()
            + self.arena.bytes()
            + self.pool.bytes()
            + self.free.iter().map(Vec::capacity).sum::<usize>() * 4
            + self.most_respelled * RESPELLED_PLACE_BYTES
            + self.respelled_bytes
            + self.siblings.capacity() * 8
    }

    pub(super) fn renumber_sources(&mut self, numbers: &[u16]) {
        let mut place = 0;
        while let Some(entry) = self.entries.get_mut(place) {
            if let Some(number) = numbers.get(usize::from(entry.source)) {
                entry.source = *number;
            }
            place += 1;
        }
    }

    pub(super) fn apply(&mut self, batch: &SizeBatch, order: &[u32], source: u16) {
        if self.state != State::Held {
            return;
        }
        self.make_room(order.len());
        for group in order.chunks(GROUP) {
            self.touch(batch, group);
            for row in group.iter().filter_map(|i| batch.rows.get(*i as usize)) {
                self.upsert(batch, row, source);
            }
        }
    }

    fn upsert(&mut self, batch: &SizeBatch, row: &SizeRow, source: u16) {
        let key = batch
            .keys
            .get(row.key_at as usize..(row.key_at + row.key_len) as usize)
            .unwrap_or_default();
        let tag = low32(row.hash);
        let mask = self.slots.len() - 1;
        let mut place = tag as usize & mask;
        let mut primary = None;
        loop {
            let slot = self.slots.get(place).copied().unwrap_or(0);
            if slot == 0 {
                break;
            }
            let entry = low32(slot) - 1;
            if high32(slot) == tag
                && let Some(e) = self.entries.get(entry)
                && e.container == row.container
                && is_same(self.key_bytes(e), key)
            {
                if e.region == row.region {
                    self.add(entry, row.sample, source);
                    self.spell(primary.unwrap_or(entry), batch, row);
                    return;
                }
                primary = primary.or(Some(entry));
            }
            place = (place + 1) & mask;
        }
        let entry = self.insert(key, row, source);
        if let Some(slot) = self.slots.get_mut(place) {
            *slot = (u64::from(tag) << 32) | u64::from(entry + 1);
        }
        if let Some(first) = primary {
            self.siblings.push((first, entry));
            if let Some(e) = self.entries.get_mut(entry) {
                e.flags |= SIBLING;
            }
        }
        self.spell(primary.unwrap_or(entry), batch, row);
    }

    fn key_bytes(&self, e: &Entry) -> &[u8] {
        let stored = self.arena.rest(e.key_at).unwrap_or_default();
        let key = match stored.split_first() {
            Some((&LONG_KEY, rest)) => rest
                .split_first_chunk()
                .and_then(|(len, key)| key.get(..u32::from_le_bytes(*len) as usize)),
            Some((len, rest)) => rest.get(..usize::from(*len)),
            None => None,
        };
        key.unwrap_or_default()
    }

    fn insert(&mut self, key: &[u8], row: &SizeRow, source: u16) -> u32 {
        let key_at = self.store_key(key);
        let samples_at = self.block(0);
        if let Some(sample) = self.pool.get_mut(samples_at) {
            *sample = row.sample;
        }
        self.entry_count += 1;
        self.entries.allocate(
            1,
            Entry {
                newest: row.sample.when,
                container: row.container,
                key_at,
                samples_at,
                dropped_at: 0,
                region: row.region,
                source,
                kept: 1,
                class: 0,
                flags: 0,
            },
        )
    }

    fn store_key(&mut self, key: &[u8]) -> u32 {
        let number = u32::try_from(key.len()).unwrap_or(u32::MAX).to_le_bytes();
        let long = [LONG_KEY, number[0], number[1], number[2], number[3]];
        let len = u8::try_from(key.len()).ok().filter(|len| *len != LONG_KEY);
        let short = [len.unwrap_or_default()];
        let head = if len.is_some() { &short[..] } else { &long[..] };
        let at = self.arena.allocate(head.len() + key.len(), 0);
        if let Some(place) = self.arena.slice_mut(at, head.len() + key.len())
            && let Some((first, rest)) = place.split_at_mut_checked(head.len())
        {
            first.copy_from_slice(head);
            rest.copy_from_slice(key);
        }
        at
    }

    /// Of several spellings of one key the canonical one is shown, else the first in byte order: the same whatever
    /// worker came first.
    fn spell(&mut self, primary: u32, batch: &SizeBatch, row: &SizeRow) {
        let Some(e) = self.entries.get_mut(primary) else {
            return;
        };
        if e.flags & PLAIN != 0 {
            return;
        }
        if row.respelled == 0 {
            e.flags |= PLAIN;
            if !self.respelled.is_empty()
                && let Some(text) = self.respelled.remove(&primary)
            {
                self.respelled_bytes -= respelled_bytes(&text);
            }
            return;
        }
        if let Some(text) = batch.respelled.get(row.respelled as usize - 1) {
            let shown = self.respelled.get(&primary);
            if shown.is_none_or(|held| text < held) {
                self.keep_respelled(primary, text.clone());
            }
        }
    }

    fn keep_respelled(&mut self, primary: u32, text: Box<str>) {
        self.respelled_bytes += respelled_bytes(&text);
        if let Some(before) = self.respelled.insert(primary, text) {
            self.respelled_bytes -= respelled_bytes(&before);
        }
        self.most_respelled = self.most_respelled.max(self.respelled.len());
    }

    fn add(&mut self, entry: u32, sample: Sample, source: u16) {
        let Some(e) = self.entries.get_mut(entry) else {
            return;
        };
        let is_newest = sample.when.order() > e.newest.order();
        if is_newest && !sample.when.same_moment(e.newest) {
            (e.newest, e.source) = (sample.when, source);
        } else if self.is_repeat(entry, sample, source) {
            return;
        }
        self.append(entry, sample);
    }

    /// Whether a reading of that moment is held: the better one is, and the other one is counted.
    fn is_repeat(&mut self, entry: u32, sample: Sample, source: u16) -> bool {
        let Some(e) = self.entries.get(entry) else {
            return false;
        };
        let kept = self.pool.slice_mut(e.samples_at, usize::from(e.kept));
        for held in kept.unwrap_or_default() {
            if !held.when.same_moment(sample.when) {
                continue;
            }
            #[expect(clippy::float_cmp, reason = "a repeat is the very same number")]
            let same_size = held.kib == sample.kib;
            if !same_size && sample.when.order() == 0 {
                continue;
            }
            *held = better(sample, *held);
            let counts = if same_size { &mut self.repeats } else { &mut self.conflicts };
            count(counts, source.into());
            return true;
        }
        false
    }

    /// In place: copying an entry to and fro costs more than all else here.
    #[inline]
    fn append(&mut self, entry: u32, sample: Sample) {
        if self.entries.get(entry).is_some_and(Entry::is_full) {
            self.make_room_in(entry);
        }
        let Some(e) = self.entries.get_mut(entry) else {
            return;
        };
        if let Some(place) = self.pool.get_mut(e.samples_at + u32::from(e.kept)) {
            *place = sample;
        }
        e.kept += 1;
    }

    #[inline(never)]
    fn make_room_in(&mut self, entry: u32) {
        let Some(mut e) = self.entries.get(entry).copied() else {
            return;
        };
        if usize::from(e.kept) < SAMPLES_PER_SERIES {
            self.move_up(&mut e);
        } else {
            self.thin(&mut e);
        }
        if let Some(place) = self.entries.get_mut(entry) {
            *place = e;
        }
    }

    fn move_up(&mut self, e: &mut Entry) {
        let to = self.block(usize::from(e.class) + 1);
        let kept = usize::from(e.kept);
        let mut moved = [Sample::NONE; SAMPLES_PER_SERIES];
        if let (Some(from), Some(held)) =
            (self.pool.slice(e.samples_at, kept), moved.get_mut(..kept))
        {
            held.copy_from_slice(from);
        }
        if let (Some(place), Some(held)) = (self.pool.slice_mut(to, kept), moved.get(..kept)) {
            place.copy_from_slice(held);
        }
        self.give_back(usize::from(e.class), e.samples_at);
        e.samples_at = to;
        e.class += 1;
    }

    fn thin(&mut self, e: &mut Entry) {
        let dropped = self.dropped(e).and_then(SeriesSummary::unpack);
        let mut dropped = dropped.unwrap_or_default();
        let Some(samples) = self.pool.slice_mut(e.samples_at, usize::from(e.kept)) else {
            return;
        };
        e.kept = u8::try_from(thin(samples, |gone| dropped.add(gone))).unwrap_or(u8::MAX);
        self.keep_dropped(e, &dropped);
    }

    /// What is known of the readings that were thinned away, packed.
    fn dropped(&self, e: &Entry) -> Option<&[Sample]> {
        let class = e.dropped_class()?;
        self.pool.slice(e.dropped_at, block_len(class))
    }

    fn keep_dropped(&mut self, e: &mut Entry, dropped: &SeriesSummary) {
        let len = dropped.packed_len();
        let (class, flags) =
            if len == PACKED_LINE { (1, THINNED) } else { (2, THINNED | BOTH_LINES) };
        let before = e.dropped_class();
        if before != Some(class) {
            match before {
                Some(before) => self.give_back(before, e.dropped_at),
                None => self.thinned_count += 1,
            }
            e.dropped_at = self.block(class);
            e.flags |= flags;
        }
        if let Some(place) = self.pool.slice_mut(e.dropped_at, len)
            && let Some(packed) = dropped.pack().get(..len)
        {
            place.copy_from_slice(packed);
        }
    }

    fn give_back(&mut self, class: usize, at: u32) {
        if let Some(list) = self.free.get_mut(class) {
            list.push(at);
        }
    }

    /// A free block of a class in the pool.
    fn block(&mut self, class: usize) -> u32 {
        if let Some(at) = self.free.get_mut(class).and_then(Vec::pop) {
            return at;
        }
        self.pool.allocate(block_len(class), Sample::NONE)
    }

    /// Room for `more` entries at a load of at most three quarters.
    fn make_room(&mut self, more: usize) {
        let needed = (self.entry_count as usize + more) * 4 / 3 + 1;
        if needed <= self.slots.len() {
            return;
        }
        let len = needed.next_power_of_two().max(64);
        let old = std::mem::replace(&mut self.slots, vec![0; len]);
        let mask = len - 1;
        // In entry order, so that the first entry of a key stays before its siblings.
        let mut tags = vec![0; self.entry_count as usize];
        for slot in old.into_iter().filter(|s| *s != 0) {
            if let Some(tag) = tags.get_mut(low32(slot) as usize - 1) {
                *tag = high32(slot);
            }
        }
        for (number, tag) in (1_u64..).zip(tags) {
            let mut place = tag as usize & mask;
            while self.slots.get(place).is_some_and(|s| *s != 0) {
                place = (place + 1) & mask;
            }
            if let Some(free) = self.slots.get_mut(place) {
                *free = (u64::from(tag) << 32) | number;
            }
        }
    }
}

/// One more at that place.
pub(super) fn count(counts: &mut Vec<u64>, at: usize) {
    if counts.len() <= at {
        counts.resize(at + 1, 0);
    }
    if let Some(n) = counts.get_mut(at) {
        *n += 1;
    }
}

/// A respelled text in a piece of memory of its own.
fn respelled_bytes(text: &str) -> usize {
    text.len() + 24
}

fn block_len(class: usize) -> usize {
    BLOCKS.get(class).copied().unwrap_or(SAMPLES_PER_SERIES)
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is what is wanted")]
fn low32(word: u64) -> u32 {
    word as u32
}

fn high32(word: u64) -> u32 {
    (word >> 32) as u32
}
