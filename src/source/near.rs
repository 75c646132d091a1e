//! Finding a byte that is most likely near: the cells of a log are shorter than it takes `memchr` to get going.

use memchr::{memchr, memchr2};
use wide::u8x16;

/// Bytes that are compared at once.
pub const VECTOR: usize = 16;
/// Beyond this a search by the widest vectors that the machine has is faster.
const NEAR_BYTES: usize = 48;

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

/// The first of two bytes: by a few vectors at first, then by `memchr2`.
#[inline]
pub fn first_of(bytes: &[u8], a: u8, b: u8) -> Option<usize> {
    match in_vectors(bytes, |vector| hits(vector, [a, b])) {
        Ok(at) => Some(at),
        Err(at) => memchr2(a, b, bytes.get(at..)?).map(|n| at + n),
    }
}

#[inline]
pub fn first(bytes: &[u8], a: u8) -> Option<usize> {
    match in_vectors(bytes, |vector| hits(vector, [a])) {
        Ok(at) => Some(at),
        Err(at) => memchr(a, bytes.get(at..)?).map(|n| at + n),
    }
}

/// How often a byte occurs. Blocks are so short that their counts fit into bytes, of which a vector adds many at once.
pub fn count(bytes: &[u8], wanted: u8) -> usize {
    const BLOCK: usize = 240;
    let of_block = |block: &[u8]| {
        let hits = block.iter().map(|byte| u8::from(*byte == wanted));
        usize::from(hits.fold(0, u8::wrapping_add))
    };
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let in_blocks: usize = blocks.iter().map(|block| of_block(block)).sum();
    in_blocks + of_block(rest)
}

/// Whether all is UTF-8: what is ASCII is passed over by vectors, and only lines with more are looked at.
pub fn is_utf8(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    loop {
        let is_ascii = |block: &&[u8; 4 * VECTOR]| {
            let vectors = block.as_chunks::<VECTOR>().0.iter();
            let any = vectors.fold(u8x16::ZERO, |any, vector| any | u8x16::from(*vector));
            any.to_bitmask() == 0
        };
        let passed = rest.as_chunks().0.iter().take_while(is_ascii).count() * 4 * VECTOR;
        rest = rest.get(passed..).unwrap_or_default();
        let line = memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let (line, behind) = rest.split_at(line);
        if std::str::from_utf8(line).is_err() {
            return false;
        }
        if behind.is_empty() {
            return true;
        }
        rest = behind;
    }
}

/// Whether all is ASCII without the controls before the blank.
#[inline]
pub fn is_plain(bytes: &[u8]) -> bool {
    let Some(last) = bytes.last_chunk::<VECTOR>() else {
        return bytes.iter().all(|byte| (b' '..0x80).contains(byte));
    };
    // Of any other byte this sets the high bit.
    let other = |vector: &[u8; VECTOR]| {
        let bytes = u8x16::from(*vector);
        (bytes - u8x16::splat(b' ')) | bytes
    };
    let vectors = bytes.as_chunks::<VECTOR>().0.iter();
    let others = vectors.fold(other(last), |any, vector| any | other(vector));
    others.to_bitmask() == 0
}

/// Where the first hit is, or how far was searched.
#[inline]
fn in_vectors(bytes: &[u8], hits: impl Fn([u8; VECTOR]) -> u32) -> Result<usize, usize> {
    let mut at = 0;
    while at < NEAR_BYTES
        && let Some(vector) = bytes.get(at..).and_then(|b| b.first_chunk())
    {
        let found = hits(*vector);
        if found != 0 {
            return Ok(at + found.trailing_zeros() as usize);
        }
        at += VECTOR;
    }
    Err(at)
}

/// A bit for every byte that is one of some.
#[inline]
pub fn hits<const N: usize>(vector: [u8; VECTOR], wanted: [u8; N]) -> u32 {
    let bytes = u8x16::from(vector);
    let is = wanted.map(|wanted| bytes.simd_eq(u8x16::splat(wanted)));
    let any = is.into_iter().fold(u8x16::ZERO, |any, is| any | is);
    any.to_bitmask()
}

#[cfg(test)]
mod tests {
    use super::*;
    use memchr::memchr_iter;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_is_found_wherever_it_is(bytes in prop::collection::vec(prop_oneof![5 => 0x60_u8..0x70, 1 => any::<u8>(), 1 => Just(0x7f)], 0..80), a in 0x5e_u8..0x72, b in 0x5e_u8..0x72) {
            prop_assert_eq!(first(&bytes, a), memchr(a, &bytes));
            prop_assert_eq!(first_of(&bytes, a, b), memchr2(a, b, &bytes));
            let many = bytes.repeat(usize::from(b));
            prop_assert_eq!(count(&many, a), memchr_iter(a, &many).count());
            let no_control = |byte: &u8| !byte.is_ascii_control() || *byte == 0x7f;
            prop_assert_eq!(is_plain(&bytes), bytes.is_ascii() && bytes.iter().all(no_control));
            let lines = many.iter().map(|byte| if *byte == a { b'\n' } else { *byte });
            let lines: Vec<_> = lines.chain("é字\n".bytes().cycle().take(usize::from(b) % 13)).collect();
            prop_assert_eq!(is_utf8(&lines), std::str::from_utf8(&lines).is_ok());
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
