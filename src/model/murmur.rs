//! `MurmurHash3` with seed 0 in the two widths the service uses.

use super::short_text;

const C1_32: u32 = 0xcc9e_2d51;
const C2_32: u32 = 0x1b87_3593;
const C1_64: u64 = 0x87c3_7b91_1142_53d5;
const C2_64: u64 = 0x4cf5_ad43_2745_937f;

/// The 32-bit hash of the x86 variant.
pub(super) fn x86_32(bytes: &[u8]) -> u32 {
    let (blocks, tail) = bytes.as_chunks::<4>();
    let mut hash = 0_u32;
    for block in blocks {
        hash ^= scramble_32(u32::from_le_bytes(*block));
        hash = hash.rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
    }
    // An empty tail scrambles to zero, which changes nothing.
    let rest = tail.iter().rev().fold(0, |word, &byte| (word << 8) | u32::from(byte));
    hash ^= scramble_32(rest);
    hash ^= low_32(bytes.len());
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    hash ^ (hash >> 16)
}

/// Both halves of the 128-bit hash of the x64 variant.
pub(super) fn x64_128(bytes: &[u8]) -> (u64, u64) {
    let (blocks, tail) = bytes.as_chunks::<16>();
    Blocks::default().and(blocks).done(tail)
}

/// Whole blocks of 16 bytes, hashed once for whatever comes behind them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Blocks {
    first: u64,
    second: u64,
    bytes: u64,
}

impl Blocks {
    pub fn and(self, blocks: &[[u8; 16]]) -> Self {
        let (mut first, mut second) = (self.first, self.second);
        for block in blocks {
            let (low, high) = halves(block);
            first ^= scramble_first(low);
            first = first
                .rotate_left(27)
                .wrapping_add(second)
                .wrapping_mul(5)
                .wrapping_add(0x52dc_e729);
            second ^= scramble_second(high);
            second = second
                .rotate_left(31)
                .wrapping_add(first)
                .wrapping_mul(5)
                .wrapping_add(0x3849_5ab5);
        }
        Self { first, second, bytes: self.bytes + 16 * blocks.len() as u64 }
    }

    /// With fewer than 16 bytes behind them.
    pub fn done(self, tail: &[u8]) -> (u64, u64) {
        // An empty tail scrambles to zero, which changes nothing.
        let (low, high) = halves(&short_text::first(tail, 0));
        let length = self.bytes + tail.len() as u64;
        let mut first = self.first ^ scramble_first(low) ^ length;
        let mut second = self.second ^ scramble_second(high) ^ length;
        first = first.wrapping_add(second);
        second = second.wrapping_add(first);
        first = finish_64(first);
        second = finish_64(second);
        first = first.wrapping_add(second);
        (first, second.wrapping_add(first))
    }
}

fn scramble_32(word: u32) -> u32 {
    word.wrapping_mul(C1_32).rotate_left(15).wrapping_mul(C2_32)
}

fn scramble_first(word: u64) -> u64 {
    word.wrapping_mul(C1_64).rotate_left(31).wrapping_mul(C2_64)
}

fn scramble_second(word: u64) -> u64 {
    word.wrapping_mul(C2_64).rotate_left(33).wrapping_mul(C1_64)
}

fn finish_64(word: u64) -> u64 {
    let word = (word ^ (word >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let word = (word ^ (word >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ (word >> 33)
}

fn halves(block: &[u8; 16]) -> (u64, u64) {
    let both = u128::from_le_bytes(*block);
    (low_64(both), low_64(both >> 64))
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is what is asked for")]
fn low_64(both: u128) -> u64 {
    both as u64
}

#[expect(clippy::cast_possible_truncation, reason = "the hash takes the length modulo 2^32")]
fn low_32(length: usize) -> u32 {
    length as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_known_hashes() {
        assert_eq!(x86_32(b""), 0);
        assert_eq!(x86_32(b"hello"), 0x248b_fa47);
        assert_eq!(x64_128(b""), (0, 0));
        assert_eq!(x64_128(b"hello"), (0xcbd8_a7b3_41bd_9b02, 0x5b1e_906a_48ae_1d19));
    }
}
