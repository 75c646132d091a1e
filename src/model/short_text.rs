//! Short texts sixteen bytes at a time: keys are so short that setting up a search takes longer than the search.

pub const LANES: usize = 16;

/// Whether a test says yes to any sixteen bytes of a text. Bytes may be shown to it twice; what is missing of the last
/// sixteen is `fill`.
#[inline]
pub fn any(bytes: &[u8], fill: u8, test: impl Fn(&[u8; LANES]) -> bool) -> bool {
    if let Some(last) = bytes.last_chunk::<LANES>() {
        let mut whole = bytes.chunks_exact(LANES);
        // Going back over bytes already seen costs less than a shorter piece.
        return whole.any(|piece| piece.first_chunk().is_some_and(&test)) || test(last);
    }
    test(&first(bytes, fill))
}

/// The first sixteen bytes of a text, with `fill` for what it lacks.
///
/// Put together in registers: what is stored in pieces has to be waited for when it is read as a whole.
#[inline]
pub fn first(bytes: &[u8], fill: u8) -> [u8; LANES] {
    if let Some(whole) = bytes.first_chunk() {
        return *whole;
    }
    let held = bytes.len() * 8;
    // The last piece lies over the end of the first one; the bytes of both are the same there.
    let word = if let (Some(first), Some(last)) =
        (bytes.first_chunk::<8>(), bytes.last_chunk::<8>())
    {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        u128::from(first) | u128::from(last) << (held - 64)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        u128::from(first) | u128::from(last) << (held - 32)
    } else {
        let bytes = bytes.iter().rev();
        bytes.fold(0, |word, byte| word << 8 | u128::from(*byte))
    };
    let fill = u128::from_le_bytes([fill; LANES]) << held;
    (word | fill).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn every_byte_is_shown_and_none_but_its_own() {
        for length in 0..70_u8 {
            let bytes: Vec<u8> = (1..=length).collect();
            let seen = RefCell::new(Vec::new());
            let found = any(&bytes, 200, |piece| {
                seen.borrow_mut().extend_from_slice(piece);
                false
            });
            assert!(!found);
            let mut seen = seen.into_inner();
            seen.sort_unstable();
            seen.dedup();
            seen.retain(|byte| *byte != 200);
            assert_eq!(seen, bytes);
            let padded = first(&bytes, 200);
            let expected = bytes.iter().copied().chain([200; LANES]).take(LANES);
            assert!(padded.into_iter().eq(expected));
            for wanted in &bytes {
                assert!(any(&bytes, 200, |piece| piece.contains(wanted)));
            }
        }
    }
}
