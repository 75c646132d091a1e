//! The different values of a column: texts in one arena, found again by a 64-bit hash.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use prefetch_index::prefetch_index;

use super::value::{FIRST_VALUE, KEPT_TEXT_BYTES, Value, ValueKind};

/// The most values of one dictionary: the number of each fits into a slot, and none looks like a free one.
pub const MAX_VALUES: usize = (1 << 24) - 1;
/// What an entry takes beside its text: its hash, its end, and its share of the slots.
const ENTRY_BYTES: usize = 8 + 4 + 16;
/// Hashes below are codes that need no dictionary.
pub(super) const FIRST_HASH: u64 = 8;
const FEWEST_SLOTS: usize = 16;
const FREE: u32 = u32::MAX;
/// Bits of a slot that come from the hash; the others tell the entry.
const TAG_BITS: u32 = 8;
const TAG: u32 = (1 << TAG_BITS) - 1;
/// Keeps the number 1 apart from a text whose bytes are the same.
const NUMBER_SEED: u64 = 0x6e75_6d62_6572_0001;

/// How values become hashes: the same for all columns and workers.
#[derive(Clone, Debug, Default)]
pub struct Hashes {
    texts: FixedState,
    numbers: FixedState,
}

impl Hashes {
    /// `seed` keeps crafted values from meeting; it shows in no result.
    pub fn new(seed: u64) -> Self {
        Self {
            texts: FixedState::with_seed(seed),
            numbers: FixedState::with_seed(seed ^ NUMBER_SEED),
        }
    }

    pub fn text(&self, text: &str) -> u64 {
        let mut hasher = self.texts.build_hasher();
        hasher.write(text.as_bytes());
        let kind = if text.len() > KEPT_TEXT_BYTES { ValueKind::Cut } else { ValueKind::Text };
        finished(hasher.finish(), kind)
    }

    /// By its double: `1`, `1.0` and `1e0` are one number, and so are 0 and -0.
    pub fn number(&self, value: f64) -> u64 {
        let value = if value == 0.0 { 0.0 } else { value };
        finished(self.numbers.hash_one(value.to_bits()), ValueKind::Number)
    }
}

fn finished(hash: u64, kind: ValueKind) -> u64 {
    let hash = hash & !3 | kind as u64;
    if hash < FIRST_HASH { hash | FIRST_HASH } else { hash }
}

/// Look-ups that wait for memory together: about as many as a processor core has under way.
pub(super) const MAX_WAITING: usize = 32;

/// Values to be looked up together.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    texts: String,
    items: Vec<Item>,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    row: usize,
    /// Where its text ends among `texts`.
    end: usize,
    hash: u64,
}

impl Waiting {
    /// True once there are as many as are looked up together.
    pub fn push(&mut self, row: usize, hash: u64, text: &str) -> bool {
        self.texts.push_str(text);
        self.items.push(Item { row, end: self.texts.len(), hash });
        self.items.len() >= MAX_WAITING
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn clear(&mut self) {
        self.texts.clear();
        self.items.clear();
    }
}

/// Values numbered in the order in which they came. Two values are taken for one if their 64-bit hashes are equal.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    arena: String,
    ends: Vec<u32>,
    hashes: Vec<u64>,
    /// Open addressing: an entry and a few bits of its hash, at most half of them taken. Small, because what is read
    /// here lies nowhere near what was read before. Empty where the dictionary is no longer added to.
    slots: Vec<u32>,
}

impl Dictionary {
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// What its values take in memory, by their number and lengths alone.
    pub fn bytes(&self) -> usize {
        self.arena.len() + self.len() * ENTRY_BYTES
    }

    /// Asks for the memory that a look-up will begin with.
    pub(super) fn prefetch(&self, hash: u64) {
        let mask = self.slots.len().wrapping_sub(1);
        prefetch_index(&self.slots, place(hash, mask));
    }

    /// The number of a value, which is added if it is new. A text is cut to what is kept; `hash` is that of the whole.
    pub(super) fn intern(&mut self, hash: u64, text: &str) -> u32 {
        match self.find(hash) {
            Ok(entry) => entry,
            Err(free) => self.add(free, hash, text),
        }
    }

    /// The number of a value, or the slot that it would take.
    fn find(&self, hash: u64) -> Result<u32, usize> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = place(hash, mask);
        loop {
            match self.slots.get(at) {
                None | Some(&FREE) => return Err(at),
                Some(slot) if slot & TAG == tag(hash) => {
                    let entry = slot >> TAG_BITS;
                    if self.hashes.get(entry as usize) == Some(&hash) {
                        return Ok(entry);
                    }
                }
                Some(_) => {}
            }
            at = (at + 1) & mask;
        }
    }

    #[inline(never)]
    fn add(&mut self, mut free: usize, hash: u64, text: &str) -> u32 {
        if self.hashes.len() * 2 >= self.slots.len() {
            self.grow();
            free = self.find(hash).err().unwrap_or_default();
        }
        let entry = u32::try_from(self.hashes.len()).unwrap_or(u32::MAX);
        if let Some(slot) = self.slots.get_mut(free) {
            *slot = slot_of(entry, hash);
        }
        self.hashes.push(hash);
        self.arena.push_str(beginning(text));
        self.ends.push(u32::try_from(self.arena.len()).unwrap_or(u32::MAX));
        entry
    }

    /// The numbers of a few values at once, in their order. Where most of them are in the dictionary, the memory that a
    /// look-up waits for comes for all of them together.
    pub(super) fn intern_all(&mut self, waiting: &Waiting, mut found: impl FnMut(usize, u32)) {
        let mask = self.slots.len().wrapping_sub(1);
        let mut likely = [FREE; MAX_WAITING];
        for (entry, item) in likely.iter_mut().zip(&waiting.items) {
            let slot = self.slots.get(place(item.hash, mask));
            *entry = slot.copied().unwrap_or(FREE) >> TAG_BITS;
            prefetch_index(&self.hashes, *entry as usize);
        }
        let mut start = 0;
        for (entry, item) in likely.iter().zip(&waiting.items) {
            let entry = if self.hashes.get(*entry as usize) == Some(&item.hash) {
                *entry
            } else {
                let text = waiting.texts.get(start..item.end).unwrap_or_default();
                self.intern(item.hash, text)
            };
            start = item.end;
            found(item.row, entry);
        }
    }

    /// Doubles the slots, or makes the first ones for values that are already there.
    fn grow(&mut self) {
        let needed = (self.hashes.len() * 2 + 1).next_power_of_two();
        let length = (self.slots.len() * 2).max(FEWEST_SLOTS).max(needed);
        let mut slots = vec![FREE; length];
        let mask = length - 1;
        for (entry, hash) in (0..).zip(&self.hashes) {
            let mut at = place(*hash, mask);
            while slots.get(at).is_some_and(|held| *held != FREE) {
                at = (at + 1) & mask;
            }
            if let Some(slot) = slots.get_mut(at) {
                *slot = slot_of(entry, *hash);
            }
        }
        self.slots = slots;
    }

    /// The hash of a value by its code in a column.
    pub fn hash_of(&self, code: u32) -> Option<u64> {
        let entry = code.checked_sub(FIRST_VALUE)?;
        self.hashes.get(entry as usize).copied()
    }

    /// The value of a code.
    pub fn value(&self, code: u32) -> Value<'_> {
        let Some(entry) = code.checked_sub(FIRST_VALUE) else {
            return Value::of_code(code);
        };
        match (self.text_at(entry as usize), self.hash_of(code)) {
            (Some(text), Some(hash)) => ValueKind::of_hash(hash).value(text),
            _ => Value::Missing,
        }
    }

    /// The text of a value, of whatever type it is; none where the code is that of none.
    pub fn text(&self, code: u32) -> Option<&str> {
        self.text_at(code.checked_sub(FIRST_VALUE)? as usize)
    }

    /// Every value with its code.
    pub fn values(&self) -> impl Iterator<Item = (u32, Value<'_>)> {
        let codes = FIRST_VALUE..;
        codes.zip(0..self.len()).map(|(c, _)| (c, self.value(c)))
    }

    pub(super) fn text_at(&self, entry: usize) -> Option<&str> {
        let end = *self.ends.get(entry)? as usize;
        let start = match entry.checked_sub(1) {
            Some(before) => *self.ends.get(before)? as usize,
            None => 0,
        };
        self.arena.get(start..end)
    }

    /// The values that these codes still name, in the order in which they do; the codes are theirs then.
    pub(super) fn left(&self, codes: &mut [u32]) -> Self {
        let mut left = Self::default();
        let mut map = vec![FREE; self.len()];
        for code in codes {
            let entry = code.wrapping_sub(FIRST_VALUE) as usize;
            // Codes of no value have no place in the map.
            let Some(known) = map.get_mut(entry) else {
                continue;
            };
            if *known == FREE {
                let text = self.text_at(entry).unwrap_or_default();
                let hash = self.hash_of(*code).unwrap_or_default();
                *known = FIRST_VALUE + left.intern(hash, text);
            }
            *code = *known;
        }
        left
    }

    /// Nothing more is added: lets go of what only adding needs.
    pub(super) fn close(&mut self) {
        self.slots = Vec::new();
        self.arena.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.hashes.shrink_to_fit();
    }
}

/// The beginning of a text that is kept.
fn beginning(text: &str) -> &str {
    if text.len() <= KEPT_TEXT_BYTES {
        return text;
    }
    let mut end = KEPT_TEXT_BYTES;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// The highest bits, which say nothing yet about the place.
fn tag(hash: u64) -> u32 {
    u32::try_from(hash >> (u64::BITS - TAG_BITS)).unwrap_or_default()
}

/// A value beyond `MAX_VALUES` is not found again.
fn slot_of(entry: u32, hash: u64) -> u32 {
    if entry as usize >= MAX_VALUES {
        return FREE;
    }
    entry << TAG_BITS | tag(hash)
}

/// The lowest bits tell the kind.
fn place(hash: u64, mask: usize) -> usize {
    usize::try_from((hash >> 2) & mask as u64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn kinds_and_equal_numbers() {
        let hashes = Hashes::new(7);
        assert_eq!(hashes.number(0.0), hashes.number(-0.0));
        assert_ne!(hashes.number(1.0), hashes.text("1"));
        let long = "é".repeat(2_000);
        let mut found = Dictionary::default();
        let code = FIRST_VALUE + found.intern(hashes.text(&long), &long);
        let other = format!("{long}x");
        assert_ne!(found.intern(hashes.text(&other), &other) + FIRST_VALUE, code);
        assert_eq!(found.value(code), Value::Cut(&"é".repeat(1_024)));
        assert_eq!(found.value(code).part(), None);
        assert_eq!(found.value(99), Value::Missing);
    }

    proptest! {
        #[test]
        fn each_value_has_one_number(texts in prop::collection::vec("[a-c]{0,4}", 0..400)) {
            let hashes = Hashes::new(1);
            let mut found = Dictionary::default();
            let mut seen: Vec<&str> = Vec::new();
            for text in &texts {
                let code = found.intern(hashes.text(text), text);
                let wanted = seen.iter().position(|s| s == text).unwrap_or(seen.len());
                if wanted == seen.len() {
                    seen.push(text);
                }
                prop_assert_eq!(code as usize, wanted);
            }
            let values: Vec<Value<'_>> = found.values().map(|(_, value)| value).collect();
            let wanted: Vec<Value<'_>> = seen.into_iter().map(Value::Text).collect();
            prop_assert_eq!(values, wanted);
        }
    }
}
