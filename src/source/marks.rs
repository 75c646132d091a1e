//! The bytes by which delimited text is cut, found sixty-four at a time: cells are shorter than a search of their own.
#![expect(
    clippy::inline_always,
    reason = "the compiler calls these sixteen times a row: 5 % of an import"
)]

use super::near::{VECTOR, hits};

/// Bytes that are searched at once; one bit of a mask each.
const BLOCK: usize = 64;

/// Goes from one of three bytes to the next.
#[derive(Clone, Debug)]
pub struct CellMarks<'a> {
    bytes: &'a [u8],
    wanted: [u8; 3],
    /// Where the block starts that `found` is of.
    block: usize,
    /// A bit for every mark of the block that is still ahead.
    found: u64,
}

impl<'a> CellMarks<'a> {
    pub fn new(bytes: &'a [u8], wanted: [u8; 3]) -> Self {
        let mut marks = Self { bytes, wanted, block: 0, found: 0 };
        marks.seek(0);
        marks
    }

    /// The text that they are of.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Goes to the first one from `at` on.
    pub fn seek(&mut self, at: usize) {
        self.block = at - at % BLOCK;
        self.found = self.of_block() & (u64::MAX << (at % BLOCK));
    }

    #[inline(always)]
    fn of_block(&self) -> u64 {
        let rest = self.bytes.get(self.block..).unwrap_or_default();
        match rest.first_chunk::<BLOCK>() {
            Some(block) => self.of(block),
            None => self.of_last_block(rest),
        }
    }

    #[cold]
    fn of_last_block(&self, rest: &[u8]) -> u64 {
        let mut block = [0; BLOCK];
        if let Some(place) = block.get_mut(..rest.len()) {
            place.copy_from_slice(rest);
        }
        self.of(&block) & !(u64::MAX << rest.len())
    }

    #[inline(always)]
    fn of(&self, block: &[u8; BLOCK]) -> u64 {
        let vectors = block.as_chunks::<VECTOR>().0.iter().rev();
        vectors.fold(0, |found, vector| (found << VECTOR) | u64::from(hits(*vector, self.wanted)))
    }
}

impl Iterator for CellMarks<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.found == 0 {
            self.block += BLOCK;
            if self.block >= self.bytes.len() {
                return None;
            }
            self.found = self.of_block();
        }
        let at = self.block + self.found.trailing_zeros() as usize;
        self.found &= self.found - 1;
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_mark_is_met_once(bytes in prop::collection::vec(0x20_u8..0x40, 0..300), from in 0_usize..300, again in 0_usize..300) {
            let wanted = [b',', b'"', b'0'];
            let at = |from: usize| {
                let all = bytes.iter().enumerate().skip(from);
                all.filter(|(_, byte)| wanted.contains(byte)).map(|(at, _)| at).collect::<Vec<_>>()
            };
            let mut marks = CellMarks::new(&bytes, wanted);
            marks.seek(from);
            prop_assert_eq!(marks.by_ref().collect::<Vec<_>>(), at(from));
            prop_assert_eq!(marks.next(), None);
            marks.seek(again);
            prop_assert_eq!(marks.collect::<Vec<_>>(), at(again));
        }
    }
}
