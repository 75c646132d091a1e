//! How many keys a candidate has of each size: powers of two, as sizes of keys span many of them.

use super::super::distribution::{bucket_from, bucket_of};

/// The keys of at least one size and less than that of the next class.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SizeClass {
    pub from_kib: f64,
    pub keys: u64,
}

/// From the smallest to the largest size without a gap.
pub(super) fn classes(found: &[u64]) -> Vec<SizeClass> {
    let end = found.iter().rposition(|keys| *keys > 0).map_or(0, |last| last + 1);
    let used = found.iter().enumerate().take(end).skip_while(|(_, keys)| **keys == 0);
    used.map(|(class, keys)| SizeClass { from_kib: bucket_from(class), keys: *keys }).collect()
}

/// Notes one more group. There may be millions of them: nothing is done for each but to count it.
pub(super) fn count(found: &mut [u64], bytes: f64) {
    if let Some(keys) = found.get_mut(bucket_of(bytes / 1024.0)) {
        *keys += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::distribution::BUCKETS;

    #[test]
    fn every_key_is_in_one_class_and_no_class_between_is_left_out() {
        let of = |bytes: &[f64]| {
            let mut found = [0; BUCKETS];
            for bytes in bytes {
                count(&mut found, *bytes);
            }
            classes(&found)
        };
        let found = of(&[1_024.0, 16_384.0, 2_048.0, 3_000.0]);
        let shown: Vec<(f64, u64)> = found.iter().map(|b| (b.from_kib, b.keys)).collect();
        assert_eq!(shown, [(1.0, 1), (2.0, 2), (4.0, 0), (8.0, 0), (16.0, 1)]);
        let beyond = of(&[f64::MAX]);
        assert_eq!((beyond.len(), beyond.first().map(|c| c.keys)), (1, Some(1)));
        assert_eq!(of(&[]), []);
    }
}
