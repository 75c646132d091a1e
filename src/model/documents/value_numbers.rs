//! Documents with the same value of a near-unique column: numbers as dictionaries give them, worked out from hashes alone.

use prefetch_index::prefetch_index;

/// Hashes are looked at in so many parts by their upper bits: each part stays near the processor.
const PART_BITS: u32 = 10;
const PARTS: usize = 1 << PART_BITS;
const FREE: u32 = u32::MAX;
/// What `ValueNumbers` takes for a document at most, once it is asked for.
pub(super) const ALIKE_ROW_BYTES: usize = 4 + 4 + 1;

/// The values of a column numbered in the order in which they come.
#[derive(Clone, Debug, Default)]
pub struct ValueNumbers {
    codes: Vec<u32>,
    firsts: Vec<u32>,
    shared: Vec<bool>,
}

impl ValueNumbers {
    pub(super) fn of(hashes: &[u64]) -> Self {
        let firsts = first_rows(hashes);
        let mut made = Self {
            codes: Vec::with_capacity(hashes.len()),
            firsts: Vec::with_capacity(hashes.len()),
            shared: Vec::with_capacity(hashes.len()),
        };
        for (row, first) in (0_u32..).zip(firsts) {
            if row == first {
                made.codes.push(narrow(made.firsts.len()));
                made.firsts.push(row);
                made.shared.push(false);
            } else {
                let code = made.codes.get(first as usize).copied().unwrap_or(0);
                if let Some(shared) = made.shared.get_mut(code as usize) {
                    *shared = true;
                }
                made.codes.push(code);
            }
        }
        made.firsts.shrink_to_fit();
        made.shared.shrink_to_fit();
        made
    }

    /// The number of each document's value.
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// Different values.
    pub fn len(&self) -> usize {
        self.firsts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.firsts.is_empty()
    }

    /// The first document that has a value.
    pub fn first(&self, code: u32) -> Option<u32> {
        self.firsts.get(code as usize).copied()
    }

    /// By number, whether more than one document has the value.
    pub fn shared(&self) -> &[bool] {
        &self.shared
    }
}

/// Hashes from `least` on that stand in several rows, with all their rows, in order.
pub fn repeated(hashes: &[u64], least: u64) -> Vec<(u64, u32)> {
    // Those that came before, and few others.
    let mut met = MetHashes::with_room(hashes.len());
    let mut later = Vec::new();
    for (row, hash) in hashes.iter().enumerate() {
        if let Some(ahead) = hashes.get(row + AHEAD) {
            met.prefetch(*ahead);
        }
        if met.add(*hash) && *hash >= least {
            later.push(*hash);
        }
    }
    drop(met);
    let mut again = MetHashes::with_room(2 * later.len());
    for hash in later {
        again.add(hash);
    }
    let rows = (0..).zip(hashes).filter(|(_, hash)| **hash >= least && again.has(**hash));
    let mut rows: Vec<(u64, u32)> = rows.map(|(row, hash)| (*hash, row)).collect();
    rows.sort_unstable();
    let same = |a: &(u64, u32), b: &(u64, u32)| a.0 == b.0;
    let groups = rows.chunk_by(same).filter(|group| group.len() > 1);
    groups.flatten().copied().collect()
}

/// Rows ahead of which the memory is asked for.
const AHEAD: usize = 32;
/// So that few different hashes meet.
const PLACES_OF_HASH: usize = 16;

/// A bit for each hash, which some others have, too.
struct MetHashes {
    /// A power of two of them.
    words: Vec<u64>,
}

impl MetHashes {
    fn with_room(hashes: usize) -> Self {
        let words = (hashes * PLACES_OF_HASH / 64).next_power_of_two();
        Self { words: vec![0; words] }
    }

    /// The lowest bits tell the kind.
    fn place(&self, hash: u64) -> (usize, u64) {
        let word = usize::try_from(hash >> 8).unwrap_or(0) & (self.words.len() - 1);
        (word, 1 << (hash >> 2 & 63))
    }

    fn prefetch(&self, hash: u64) {
        prefetch_index(&self.words, self.place(hash).0);
    }

    fn has(&self, hash: u64) -> bool {
        let (word, bit) = self.place(hash);
        self.words.get(word).is_some_and(|held| held & bit != 0)
    }

    /// Whether its bit was there.
    fn add(&mut self, hash: u64) -> bool {
        let (word, bit) = self.place(hash);
        self.words.get_mut(word).is_some_and(|held| {
            let had = *held & bit != 0;
            *held |= bit;
            had
        })
    }
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(FREE)
}

fn part(hash: u64) -> usize {
    usize::try_from(hash >> (u64::BITS - PART_BITS)).unwrap_or(0)
}

/// For each document the first one with the same hash.
fn first_rows(hashes: &[u64]) -> Vec<u32> {
    let mut counts = vec![0_usize; PARTS];
    for hash in hashes {
        if let Some(count) = counts.get_mut(part(*hash)) {
            *count += 1;
        }
    }
    let (mut places, mut at) = (counts.clone(), 0);
    for place in &mut places {
        at += std::mem::replace(place, at);
    }
    let mut sorted = vec![(0_u64, 0_u32); hashes.len()];
    for (row, hash) in (0..).zip(hashes) {
        if let Some(place) = places.get_mut(part(*hash))
            && let Some(slot) = sorted.get_mut(*place)
        {
            *slot = (*hash, row);
            *place += 1;
        }
    }
    let mut firsts = vec![0; hashes.len()];
    let mut slots: Vec<(u64, u32)> = Vec::new();
    let mut start = 0;
    for count in counts {
        let rows = sorted.get(start..start + count).unwrap_or_default();
        start += count;
        slots.clear();
        slots.resize((count * 2).next_power_of_two().max(2), (0, FREE));
        let mask = slots.len() - 1;
        for (hash, row) in rows {
            // The lowest bits tell the kind.
            let mut at = usize::try_from(*hash >> 2).unwrap_or(0) & mask;
            let first = loop {
                match slots.get_mut(at) {
                    Some(held) if held.1 == FREE => {
                        *held = (*hash, *row);
                        break *row;
                    }
                    Some(held) if held.0 == *hash => break held.1,
                    Some(_) => at = (at + 1) & mask,
                    None => break *row,
                }
            };
            if let Some(slot) = firsts.get_mut(*row as usize) {
                *slot = first;
            }
        }
    }
    firsts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn values_are_numbered_as_they_come(
            values in prop::collection::vec(0_u64..300, 0..1_000),
        ) {
            let spread = |v: &u64| v.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let hashes: Vec<u64> = values.iter().map(spread).collect();
            let made = ValueNumbers::of(&hashes);
            let mut seen: Vec<u64> = Vec::new();
            for (hash, code) in hashes.iter().zip(made.codes()) {
                let wanted = seen.iter().position(|s| s == hash).unwrap_or(seen.len());
                if wanted == seen.len() {
                    seen.push(*hash);
                }
                prop_assert_eq!(*code as usize, wanted);
                let rows = hashes.iter().filter(|h| *h == hash).count();
                prop_assert_eq!(made.shared().get(wanted), Some(&(rows > 1)));
                let first = hashes.iter().position(|h| h == hash);
                prop_assert_eq!(made.first(*code).map(|f| f as usize), first);
            }
            prop_assert_eq!(made.len(), seen.len());
            let least = spread(&7);
            let of_many = |hash: &u64| hashes.iter().filter(|h| *h == hash).count() > 1;
            let mut many: Vec<(u64, u32)> = hashes.iter().copied().zip(0..).collect();
            many.retain(|(hash, _)| *hash >= least && of_many(hash));
            many.sort_unstable();
            prop_assert_eq!(repeated(&hashes, least), many);
        }
    }
}
