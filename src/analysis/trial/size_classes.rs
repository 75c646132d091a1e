//! How many keys a candidate has of each size: powers of two, as sizes of keys span many of them.

use super::super::distribution::{BUCKETS, bucket_from, bucket_of};
use crate::model::units::real;

/// From the smallest to the largest size without a gap.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SizeClasses {
    pub classes: Vec<SizeClass>,
}

/// The keys of at least one size and less than another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SizeClass {
    pub from_kib: f64,
    /// Infinite for sizes that no key has.
    pub to_kib: f64,
    pub keys: u64,
}

impl SizeClasses {
    /// Of groups with their documents and bytes; `scale` leads from bytes to those of the whole container.
    pub fn of(counts: &[u64], bytes: &[u64], scale: f64) -> Self {
        let mut found = [0; BUCKETS];
        let groups = counts.iter().zip(bytes).filter(|(count, _)| **count > 0);
        for (_, bytes) in groups {
            count(&mut found, real(*bytes) * scale);
        }
        Self::of_found(&found)
    }

    pub(super) fn of_found(found: &[u64; BUCKETS]) -> Self {
        let last = found.iter().rposition(|keys| *keys > 0);
        let used = found.iter().enumerate();
        let used = used.skip_while(|(_, keys)| **keys == 0);
        let classes = used.map(|(class, keys)| SizeClass {
            from_kib: bucket_from(class),
            to_kib: bucket_from(class + 1),
            keys: *keys,
        });
        let beyond = bucket_from(last.map_or(0, |last| last + 1));
        Self { classes: classes.take_while(|c| c.from_kib < beyond).collect() }
    }
}

/// Notes one more group. There may be millions of them: nothing is done for each but to count it.
pub(super) fn count(found: &mut [u64; BUCKETS], bytes: f64) {
    if let Some(keys) = found.get_mut(bucket_of(bytes / 1024.0)) {
        *keys += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_in_one_class_and_no_class_between_is_left_out() {
        let counts = [1, 4, 2, 0, 1];
        let bytes = [512, 8_192, 1_024, 0, 1_500];
        let found = SizeClasses::of(&counts, &bytes, 2.0).classes;
        let shown: Vec<(f64, f64, u64)> =
            found.iter().map(|b| (b.from_kib, b.to_kib, b.keys)).collect();
        let expected =
            [(1.0, 2.0, 1), (2.0, 4.0, 2), (4.0, 8.0, 0), (8.0, 16.0, 0), (16.0, 32.0, 1)];
        assert_eq!(shown, expected);
        let beyond = SizeClasses::of(&[1], &[u64::MAX], 1e300).classes;
        assert_eq!((beyond.len(), beyond.first().map(|c| c.keys)), (1, Some(1)));
        assert_eq!(SizeClasses::of(&[], &[], 1.0), SizeClasses::default());
    }
}
