//! Finding a byte that is most likely near: the cells of a log are shorter than it takes `memchr` to get going.

use memchr::{memchr, memchr2};

const ONES: u64 = u64::MAX / 255;
const HIGHS: u64 = ONES << 7;
/// Beyond this a search by whole vectors is faster.
const NEAR_BYTES: usize = 40;

/// As `starts_with`, for beginnings shorter than it takes to call a comparison of memory.
#[inline]
pub fn begins(bytes: &[u8], with: &[u8]) -> bool {
    let Some(bytes) = bytes.get(..with.len()) else {
        return false;
    };
    if with.len() >= 8 {
        let (words, others) = (bytes.as_chunks::<8>().0, with.as_chunks::<8>().0);
        return words.iter().zip(others).all(|(a, b)| a == b)
            && bytes.last_chunk::<8>() == with.last_chunk::<8>();
    }
    if with.len() >= 4 {
        return bytes.first_chunk::<4>() == with.first_chunk::<4>()
            && bytes.last_chunk::<4>() == with.last_chunk::<4>();
    }
    bytes == with
}

/// The first of two bytes: eight at a time at first, then by `memchr2`.
#[inline]
pub fn first_of(bytes: &[u8], a: u8, b: u8) -> Option<usize> {
    let (a_word, b_word) = (ONES * u64::from(a), ONES * u64::from(b));
    match in_words(bytes, |word| zeros(word ^ a_word) | zeros(word ^ b_word)) {
        Ok(at) => Some(at),
        Err(at) => memchr2(a, b, bytes.get(at..)?).map(|n| at + n),
    }
}

pub fn first(bytes: &[u8], a: u8) -> Option<usize> {
    let a_word = ONES * u64::from(a);
    match in_words(bytes, |word| zeros(word ^ a_word)) {
        Ok(at) => Some(at),
        Err(at) => memchr(a, bytes.get(at..)?).map(|n| at + n),
    }
}

/// Has the high bit set in every byte that is zero; the lowest bit set is always a true hit.
fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

/// Where the first hit is, or how far was searched.
#[inline]
fn in_words(bytes: &[u8], hits: impl Fn(u64) -> u64) -> Result<usize, usize> {
    let mut at = 0;
    while at < NEAR_BYTES
        && let Some(chunk) = bytes.get(at..).and_then(|b| b.first_chunk())
    {
        let found = hits(u64::from_le_bytes(*chunk));
        if found != 0 {
            return Ok(at + (found.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    Err(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_is_found_wherever_it_is(bytes in prop::collection::vec(prop_oneof![5 => 0x60_u8..0x70, 1 => any::<u8>()], 0..80), a in 0x5e_u8..0x72, b in 0x5e_u8..0x72) {
            prop_assert_eq!(first(&bytes, a), memchr(a, &bytes));
            prop_assert_eq!(first_of(&bytes, a, b), memchr2(a, b, &bytes));
            for (from, changed) in [(0, false), (1, false), (0, true)] {
                let mut with = bytes.get(from..bytes.len() - usize::from(a) % (bytes.len() + 1)).unwrap_or_default().to_vec();
                if changed && let Some(byte) = with.get_mut(usize::from(b) % bytes.len().max(1)) {
                    *byte ^= 1;
                }
                prop_assert_eq!(begins(&bytes, &with), bytes.starts_with(&with));
            }
        }
    }
}
