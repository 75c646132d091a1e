//! How many keys a candidate has of each size: powers of two, as sizes of keys span many of them.

use super::super::distribution::{Bucket, bucket_from, bucket_of};
use super::estimates::real;

/// From the smallest to the largest size without a gap.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SizeClasses {
    pub classes: Vec<Bucket>,
}

impl SizeClasses {
    /// Of groups with their documents and bytes; `scale` leads from bytes to those of the whole container.
    pub fn of(counts: &[u64], bytes: &[u64], scale: f64) -> Self {
        let mut found: Vec<(u64, f64)> = Vec::new();
        for (_, bytes) in counts.iter().zip(bytes).filter(|(count, _)| **count > 0) {
            let kib = real(*bytes) * scale / 1024.0;
            let class = bucket_of(kib);
            if found.len() <= class {
                found.resize(class + 1, (0, 0.0));
            }
            if let Some((keys, sum)) = found.get_mut(class) {
                *keys += 1;
                *sum += kib;
            }
        }
        let classes = found
            .iter()
            .enumerate()
            .skip_while(|(_, (keys, _))| *keys == 0);
        let classes = classes.map(|(class, (keys, kib))| Bucket {
            from_kib: bucket_from(class),
            to_kib: bucket_from(class + 1),
            keys: *keys,
            kib: *kib,
        });
        Self {
            classes: classes.collect(),
        }
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
        let shown: Vec<(f64, f64, u64)> = found
            .iter()
            .map(|b| (b.from_kib, b.to_kib, b.keys))
            .collect();
        let expected = [
            (1.0, 2.0, 1),
            (2.0, 4.0, 2),
            (4.0, 8.0, 0),
            (8.0, 16.0, 0),
            (16.0, 32.0, 1),
        ];
        assert_eq!(shown, expected);
        let kib: f64 = found.iter().map(|b| b.kib).sum();
        assert!((kib - 2.0 * 11_228.0 / 1024.0).abs() < 1e-9);
        assert_eq!(SizeClasses::of(&[], &[], 1.0), SizeClasses::default());
    }
}
