//! Logical partitions by the million: one shared table of (container, key, region) with a bounded series of sizes each.
//!
//! The table is cut into shards by hash. Importers hand over whole batches: rows are sorted by shard, each shard is locked
//! once per batch, and rows are worked on in groups so that the cache misses of a group overlap instead of queueing. A
//! shard is also a range of hashes, so an import that outgrows its memory budget drops shards and reads its inputs once
//! more for them: exact, with no spill files.

use std::borrow::Cow;
use std::cmp;
use std::hash::{BuildHasher, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::quality::FixedState;

use super::key::{Key, KeyForm, canonicalise};
use super::sample::{Sample, SeriesSummary};
use super::shard::{Shard, State};

/// 64 shards: two workers rarely meet in one, and a pass can hold as little as a 64th of the keys.
pub const SHARDS: usize = 64;
const SHARD_SHIFT: u32 = 58;

/// One row of an import on its way into the table.
#[derive(Clone, Copy, Debug)]
pub struct SizeRow {
    pub(super) hash: u64,
    pub(super) container: u32,
    pub(super) key_at: u32,
    pub(super) key_len: u32,
    /// 1 + index into the batch's respelled texts, 0 where the canonical text is what was found.
    pub(super) respelled: u32,
    pub(super) region: u16,
    pub(super) sample: Sample,
}

/// Rows collected by one worker; reused from chunk to chunk.
#[derive(Clone, Debug, Default)]
pub struct SizeBatch {
    pub(super) rows: Vec<SizeRow>,
    pub(super) keys: Vec<u8>,
    pub(super) respelled: Vec<Box<str>>,
    respelled_bytes: usize,
    order: Vec<u32>,
    hasher: FixedState,
}

impl SizeBatch {
    /// Takes a row with its key as the log's cell spells it.
    pub fn push_cell(&mut self, container: u32, region: u16, cell: &[u8], sample: Sample) {
        let key_at = self.keys.len();
        let respelled = match canonicalise(cell, &mut self.keys) {
            KeyForm::Respelled(text) => Some(text),
            KeyForm::Plain | KeyForm::NotReported => None,
        };
        self.push(container, region, key_at, respelled, sample);
    }

    /// Takes the bytes appended to `keys` since `key_at` as the key of a new row; none = no key reported.
    fn push(
        &mut self,
        container: u32,
        region: u16,
        key_at: usize,
        respelled: Option<Box<str>>,
        sample: Sample,
    ) {
        let key = self.keys.get(key_at..).unwrap_or_default();
        let mut hasher = self.hasher.build_hasher();
        hasher.write(key);
        hasher.write_u32(container);
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let respelled = respelled.map_or(0, |text| {
            self.respelled_bytes += text.len() + 32;
            self.respelled.push(text);
            number(self.respelled.len())
        });
        let (key_at, key_len) = (number(key_at), number(key.len()));
        self.rows.push(SizeRow {
            hash: hasher.finish(),
            container,
            key_at,
            key_len,
            respelled,
            region,
            sample,
        });
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn bytes(&self) -> usize {
        self.rows.len() * size_of::<SizeRow>() + self.keys.len() + self.respelled_bytes
    }

    pub fn clear(&mut self) {
        self.rows.clear();
        self.keys.clear();
        self.respelled.clear();
        self.respelled_bytes = 0;
    }

    /// Row numbers grouped by shard, and where each shard's group ends.
    fn by_shard(&mut self) -> [u32; SHARDS] {
        let mut ends = [0_u32; SHARDS];
        for row in &self.rows {
            ends[shard_of(row.hash)] += 1;
        }
        let mut sum = 0;
        let mut next = [0_u32; SHARDS];
        for (end, start) in ends.iter_mut().zip(&mut next) {
            *start = sum;
            sum += *end;
            *end = sum;
        }
        self.order.clear();
        self.order.resize(self.rows.len(), 0);
        for (i, row) in (0_u32..).zip(&self.rows) {
            let place = &mut next[shard_of(row.hash)];
            if let Some(slot) = self.order.get_mut(*place as usize) {
                *slot = i;
            }
            *place += 1;
        }
        ends
    }
}

fn shard_of(hash: u64) -> usize {
    (hash >> SHARD_SHIFT) as usize
}

/// The table while it is being filled, shared by all workers of an import.
#[derive(Debug)]
pub struct SizeTable {
    hasher: FixedState,
    pub(super) shards: Vec<Mutex<Shard>>,
    bytes: AtomicUsize,
    /// Held by the one worker that makes room: two would give up twice as much as is needed.
    shrinking: Mutex<()>,
}

impl SizeTable {
    /// The seed keeps crafted keys from meeting in one slot; it never shows in any result.
    pub fn new(seed: u64) -> Self {
        Self {
            hasher: FixedState::with_seed(seed),
            shards: (0..SHARDS).map(|_| Mutex::new(Shard::default())).collect(),
            bytes: AtomicUsize::new(0),
            shrinking: Mutex::new(()),
        }
    }

    pub fn batch(&self) -> SizeBatch {
        SizeBatch { hasher: self.hasher.clone(), ..SizeBatch::default() }
    }

    /// Merges a batch and empties it. `source` numbers the input, for provenance and for counting repeats.
    pub fn apply(&self, batch: &mut SizeBatch, source: u16) {
        let ends = batch.by_shard();
        let mut start = 0;
        for (shard, end) in self.shards.iter().zip(ends) {
            let group = batch.order.get(start as usize..end as usize).unwrap_or_default();
            start = end;
            if group.is_empty() {
                continue;
            }
            let mut shard = locked(shard);
            let before = shard.bytes();
            shard.apply(batch, group, source);
            let after = shard.bytes();
            // Counted under the lock: whoever drops the shard next takes off all that it held.
            if after >= before {
                self.bytes.fetch_add(after - before, Ordering::Relaxed);
            } else {
                self.bytes.fetch_sub(before - after, Ordering::Relaxed);
            }
            drop(shard);
        }
        batch.clear();
    }

    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Gives up parts of the table until it takes no more than that, or one shard is left.
    pub fn shrink_to(&self, bytes: usize) {
        if self.bytes() > bytes {
            let _one = self.shrinking.lock().unwrap_or_else(PoisonError::into_inner);
            while self.bytes() > bytes && self.drop_half() {}
        }
    }

    /// Drops the upper half of the shards still held; a later pass fills them. False where only one is left.
    pub fn drop_half(&self) -> bool {
        let is_held = |s: &&Mutex<Shard>| locked(s).state == State::Held;
        let mut held: Vec<&Mutex<Shard>> = self.shards.iter().filter(is_held).collect();
        if held.len() < 2 {
            return false;
        }
        for shard in held.split_off(held.len().div_ceil(2)) {
            let dropped = locked(shard).emptied(State::Dropped);
            self.bytes.fetch_sub(dropped.bytes(), Ordering::Relaxed);
        }
        true
    }

    /// Ends a pass: what was held becomes the pass's result, what was dropped is held next. None when nothing was dropped.
    pub fn next_pass(&self) -> Option<Vec<Shard>> {
        if !self.shards.iter().any(|s| locked(s).state == State::Dropped) {
            return None;
        }
        let mut finished = Vec::new();
        for mut shard in self.shards.iter().map(locked) {
            if shard.state == State::Held {
                self.bytes.fetch_sub(shard.bytes(), Ordering::Relaxed);
                finished.push(shard.emptied(State::Finished));
            } else if shard.state == State::Dropped {
                shard.state = State::Held;
            }
        }
        Some(finished)
    }

    /// The finished shards of the last (or only) pass.
    pub fn finish(self) -> LogicalPartitions {
        let shards =
            self.shards.into_iter().map(|s| s.into_inner().unwrap_or_else(PoisonError::into_inner));
        LogicalPartitions::new(shards.filter(|shard| shard.state == State::Held).collect())
    }
}

pub(super) fn locked(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One logical partition: its container, its key and its series by region.
#[derive(Clone, Copy, Debug)]
pub struct KeyView<'a> {
    shard: &'a Shard,
    entry: u32,
}

/// The sizes of one key in one region.
#[derive(Clone, Copy, Debug)]
pub struct SeriesView<'a> {
    pub region: u16,
    /// The input that gave the newest reading.
    pub source: u16,
    pub samples: &'a [Sample],
    /// What is known of those that were thinned away, packed.
    pub(super) dropped: Option<&'a [Sample]>,
}

impl SeriesView<'_> {
    /// How many different readings there were, kept or not.
    pub fn count(&self) -> u64 {
        let dropped = self.dropped.and_then(SeriesSummary::unpack);
        dropped.map_or(0, |gone| gone.count) + self.samples.len() as u64
    }

    /// All readings there were, where some are no longer kept.
    pub fn thinned(&self) -> Option<SeriesSummary> {
        let mut all = SeriesSummary::unpack(self.dropped?)?;
        for sample in self.samples {
            all.add(*sample);
        }
        Some(all)
    }
}

impl<'a> KeyView<'a> {
    pub fn container(&self) -> u32 {
        self.shard.entry(self.entry).map_or(0, |e| e.container)
    }

    /// The canonical JSON text; empty where no key was reported.
    pub fn canonical(&self) -> &'a str {
        self.shard.key_text(self.entry)
    }

    /// The key's JSON text with its numbers as they were found, where that differs.
    pub fn as_found(&self) -> Option<&'a str> {
        self.shard.as_found(self.entry)
    }

    /// The JSON text that reports show, borrowed where it is what is stored; None where no key was reported.
    pub fn json_text(&self) -> Option<Cow<'a, str>> {
        let (canonical, as_found) = (self.canonical(), self.as_found());
        let is_plain = (canonical.bytes()).fold(true, |plain, b| plain & matches!(b, b' '..=b'~'));
        if is_plain && !canonical.is_empty() && as_found.is_none() {
            return Some(Cow::Borrowed(canonical));
        }
        let key = Key::from_canonical(as_found.unwrap_or(canonical));
        let key = key.or_else(|| Key::from_cell(canonical))?;
        Some(Cow::Owned(key.json()))
    }

    pub fn series(&self) -> impl Iterator<Item = SeriesView<'a>> + use<'a> {
        let shard = self.shard;
        std::iter::once(self.entry)
            .chain(shard.siblings_of(self.entry))
            .filter_map(move |e| shard.series(e))
    }
}

/// Names a key of a `LogicalPartitions` in eight bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KeyId {
    shard: u32,
    entry: u32,
}

/// All logical partitions known, unchangeable.
#[derive(Debug, Default)]
pub struct LogicalPartitions {
    pub(super) shards: Vec<Shard>,
    keys: usize,
}

impl LogicalPartitions {
    pub fn new(mut shards: Vec<Shard>) -> Self {
        for shard in &mut shards {
            shard.freeze();
        }
        let keys = shards.iter().map(Shard::keys).sum();
        Self { shards, keys }
    }

    /// Gives inputs other numbers: `numbers` holds the new one of each.
    pub fn renumber_sources(&mut self, numbers: &[u16]) {
        for shard in &mut self.shards {
            shard.renumber_sources(numbers);
        }
    }

    /// Different (container, key) pairs; regions are not counted apart.
    pub fn len(&self) -> usize {
        self.keys
    }

    pub fn is_empty(&self) -> bool {
        self.keys == 0
    }

    /// How many times as much there is in all parts of the import together, as hashes spread keys.
    pub fn times_in_all(&self) -> usize {
        SHARDS / self.shards.len().clamp(1, SHARDS)
    }

    /// The memory it takes.
    pub fn bytes(&self) -> usize {
        self.shards.iter().map(Shard::bytes).sum()
    }

    pub fn ids(&self) -> impl Iterator<Item = KeyId> + '_ {
        self.ids_of_part(0, 1)
    }

    /// The keys of one of `parts` even shares, for callers that split work: all shares one after another are all keys in
    /// the order of `ids`, which is the order of `KeyId`.
    pub fn ids_of_part(&self, part: usize, parts: usize) -> impl Iterator<Item = KeyId> + '_ {
        self.shards_of_part(part, parts)
            .flat_map(|(shard, s)| s.primaries().map(move |entry| KeyId { shard, entry }))
    }

    fn shards_of_part(&self, part: usize, parts: usize) -> impl Iterator<Item = (u32, &Shard)> {
        let parts = parts.max(1);
        let edge = |n: usize| self.shards.len() * n.min(parts) / parts;
        let (from, to) = (edge(part), edge(part.saturating_add(1)));
        (0_u32..).zip(&self.shards).take(to).skip(from)
    }

    pub fn view(&self, id: KeyId) -> Option<KeyView<'_>> {
        let shard = self.shards.get(id.shard as usize)?;
        shard.entry(id.entry).map(|_| KeyView { shard, entry: id.entry })
    }

    /// The key's JSON text with its numbers as they were found: what looks through all keys asks for nothing else.
    #[inline]
    pub fn found_text(&self, id: KeyId) -> Option<&str> {
        let shard = self.shards.get(id.shard as usize)?;
        Some(shard.as_found(id.entry).unwrap_or_else(|| shard.key_text(id.entry)))
    }

    /// Of keys of one size the first by the JSON text that reports show: ids depend on which input came first.
    pub fn text_order(&self, a: KeyId, b: KeyId) -> cmp::Ordering {
        let text = |id| {
            let text = self.view(id).and_then(|view| view.json_text());
            text.unwrap_or(Cow::Borrowed("null"))
        };
        text(a).cmp(&text(b))
    }

    pub fn iter(&self) -> impl Iterator<Item = (KeyId, KeyView<'_>)> + '_ {
        self.ids().filter_map(|id| Some((id, self.view(id)?)))
    }

    /// Readings that were given more than once by the inputs, by input.
    pub fn repeats(&self) -> Vec<u64> {
        self.sum_by_source(Shard::repeats)
    }

    /// Moments for which one key had two sizes; the better one was kept.
    pub fn conflicts(&self) -> Vec<u64> {
        self.sum_by_source(Shard::conflicts)
    }

    /// Whether any series is longer than what is kept of it, so that repeats are "at least".
    pub fn any_thinned(&self) -> bool {
        self.shards.iter().any(Shard::any_thinned)
    }

    fn sum_by_source(&self, of: fn(&Shard) -> &[u64]) -> Vec<u64> {
        let mut sums = Vec::new();
        for shard in &self.shards {
            add_by_source(&mut sums, of(shard));
        }
        sums
    }
}

/// Adds counts kept by source number, growing the sums as needed.
pub fn add_by_source(sums: &mut Vec<u64>, counts: &[u64]) {
    if sums.len() < counts.len() {
        sums.resize(counts.len(), 0);
    }
    for (sum, n) in sums.iter_mut().zip(counts) {
        *sum += n;
    }
}

#[cfg(test)]
mod tests;
