//! How the sizes of a container's keys are spread: a histogram, exact quantiles, what the largest hold together.

use super::skew::{COUNTLESS, Sizes, Skew, Total};
use crate::model::units::{counted, real, tenths_text, whole_text};

/// Sizes held for exact quantiles: 64 MiB, far beyond the keys of the largest exports seen.
const MAX_SIZES: u64 = 8_388_608;
/// Powers of two of KiB; the last bucket has no end.
pub(super) const BUCKETS: usize = 64;
/// The numbers of largest keys whose share is told.
const TOPS: [usize; 3] = [1, 10, 100];

/// The keys of at least one size and less than another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SizeBucket {
    pub from_kib: f64,
    /// Infinite for sizes that no service reports.
    pub to_kib: f64,
    pub keys: u64,
    pub kib: f64,
}

/// Of this share of the keys none is larger (nearest rank: each is a size that was reported).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Quantiles {
    pub p50_kib: f64,
    pub p90_kib: f64,
    pub p99_kib: f64,
}

/// What the largest keys hold together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LargestSizes {
    pub keys: u64,
    pub kib: f64,
    /// Of the whole that [`Skew`] names.
    pub share: f64,
}

/// The sizes of the reported keys of one container.
#[derive(Clone, PartialEq, Debug)]
pub struct Distribution {
    pub keys: u64,
    /// None without keys, and where there are more than can be held.
    pub quantiles: Option<Quantiles>,
    pub max_kib: f64,
    /// The largest 1, 10 and 100, as far as there are more keys than that.
    pub tops: Vec<LargestSizes>,
    /// From the smallest to the largest size without a gap.
    pub histogram: Vec<SizeBucket>,
    pub skew: Skew,
}

/// Collects the sizes of a container's keys one by one.
#[derive(Clone, Debug, Default)]
pub struct SizeCollector {
    sums: Sizes,
    keys: u64,
    /// Let go once there are more than the limit: quantiles of some of them would be chance.
    sizes: Vec<f64>,
    buckets: Vec<(u64, Total)>,
}

impl SizeCollector {
    /// What is no size is not counted.
    pub fn add(&mut self, kib: f64) {
        if !(kib.is_finite() && kib >= 0.0) {
            return;
        }
        self.keys += 1;
        self.sums.add(kib);
        let bucket = bucket_of(kib);
        if self.buckets.len() <= bucket {
            self.buckets.resize(bucket + 1, (0, Total::default()));
        }
        if let Some((keys, total)) = self.buckets.get_mut(bucket) {
            *keys += 1;
            total.add(kib);
        }
        if self.keys <= MAX_SIZES {
            self.sizes.push(kib);
        } else {
            self.sizes = Vec::new();
        }
    }

    pub fn finish(self, container_kib: Option<f64>) -> Distribution {
        let skew = self.sums.skew(container_kib);
        let mut sizes = self.sizes;
        Distribution {
            keys: self.keys,
            quantiles: quantiles(&mut sizes),
            max_kib: self.sums.largest_kib,
            tops: tops(&mut sizes, &skew),
            histogram: histogram(&self.buckets),
            skew,
        }
    }
}

impl Distribution {
    pub fn of(sizes_kib: impl IntoIterator<Item = f64>, container_kib: Option<f64>) -> Self {
        let mut spread = SizeCollector::default();
        sizes_kib.into_iter().for_each(|kib| spread.add(kib));
        spread.finish(container_kib)
    }

    /// How many equally large keys would spread the same. Unknown where only large keys were reported and the
    /// container's size is not known: then the number would be that of the report, not of the data.
    pub fn evenness(&self) -> String {
        let reported = counted(self.keys, "key", "keys");
        let Some(effective) = self.skew.effective_keys_at_most else {
            return format!(
                "{reported} reported, the largest ones only; the skew of all keys is unknown."
            );
        };
        let number = if effective < 10.0 { tenths_text(effective) } else { whole_text(effective) };
        // Only fewer effective keys than were reported show a skew among them.
        if effective < real(self.keys) {
            format!("{reported} reported; skew makes them behave like {number} by size.")
        } else if effective < COUNTLESS {
            format!("{reported} reported; all keys together behave like at most {number} by size.")
        } else {
            format!("{reported} reported; the others are too many and too small for skew.")
        }
    }
}

/// 0 below 1 KiB, then one for each power of two.
pub(super) fn bucket_of(kib: f64) -> usize {
    if kib < 1.0 {
        return 0;
    }
    // The exponent of a double, which is never less than its bias here.
    let exponent = usize::try_from((kib.to_bits() >> 52) & 0x7ff).unwrap_or(0);
    exponent.saturating_sub(1022).min(BUCKETS - 1)
}

/// The least size of a bucket; of the one behind the last what no size reaches.
pub(super) fn bucket_from(bucket: usize) -> f64 {
    match i32::try_from(bucket) {
        Ok(0) => 0.0,
        Ok(power) if bucket < BUCKETS => 2.0_f64.powi(power - 1),
        _ => f64::INFINITY,
    }
}

fn histogram(buckets: &[(u64, Total)]) -> Vec<SizeBucket> {
    let used = buckets.iter().enumerate();
    let used = used.skip_while(|(_, (keys, _))| *keys == 0);
    used.map(|(bucket, (keys, total))| SizeBucket {
        from_kib: bucket_from(bucket),
        to_kib: bucket_from(bucket + 1),
        keys: *keys,
        kib: total.value(),
    })
    .collect()
}

fn quantiles(sizes: &mut [f64]) -> Option<Quantiles> {
    let mut at = |percent: usize| {
        let rank = (sizes.len() * percent).div_ceil(100).checked_sub(1)?;
        let (_, size, _) = sizes.select_nth_unstable_by(rank, f64::total_cmp);
        Some(*size)
    };
    Some(Quantiles { p50_kib: at(50)?, p90_kib: at(90)?, p99_kib: at(99)? })
}

fn tops(sizes: &mut [f64], skew: &Skew) -> Vec<LargestSizes> {
    let count = sizes.len();
    let mut out = Vec::new();
    for keys in TOPS.into_iter().filter(|keys| *keys < count || (*keys, count) == (1, 1)) {
        if count > keys {
            sizes.select_nth_unstable_by(keys - 1, |a, b| b.total_cmp(a));
        }
        let mut total = Total::default();
        sizes.iter().take(keys).for_each(|kib| total.add(*kib));
        let kib = total.value();
        if let Some(share) = skew.share(kib) {
            out.push(LargestSizes { keys: keys as u64, kib, share });
        }
    }
    out
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test may panic, and these numbers are exact"
)]
mod tests {
    use super::*;
    use crate::analysis::skew::WholeOf;
    use proptest::prelude::*;

    #[test]
    fn quantiles_are_sizes_that_were_reported() {
        let found = Distribution::of((1..=200).map(f64::from), None);
        let expected = Quantiles { p50_kib: 100.0, p90_kib: 180.0, p99_kib: 198.0 };
        assert_eq!((found.quantiles, found.max_kib, found.keys), (Some(expected), 200.0, 200));
        let one = Distribution::of([7.0], None).quantiles.unwrap();
        assert_eq!((one.p50_kib, one.p90_kib, one.p99_kib), (7.0, 7.0, 7.0));
    }

    #[test]
    fn buckets_are_powers_of_two_without_a_gap() {
        let found = Distribution::of([3.0, 2.0, 0.5, 8.0], None).histogram;
        let shown: Vec<(f64, f64, u64, f64)> =
            found.iter().map(|b| (b.from_kib, b.to_kib, b.keys, b.kib)).collect();
        let expected = [
            (0.0, 1.0, 1, 0.5),
            (1.0, 2.0, 0, 0.0),
            (2.0, 4.0, 2, 5.0),
            (4.0, 8.0, 0, 0.0),
            (8.0, 16.0, 1, 8.0),
        ];
        assert_eq!(shown, expected);
        let huge = Distribution::of([1e300], None).histogram;
        assert_eq!((huge.len(), huge[0].to_kib), (1, f64::INFINITY));
    }

    #[test]
    fn shares_name_their_whole_and_statistics_alone_have_no_effective_keys() {
        let sizes = || (0..20).map(|i| if i == 7 { 810.0 } else { 10.0 });
        let found = Distribution::of(sizes(), None);
        let tops: Vec<(u64, f64, f64)> =
            found.tops.iter().map(|t| (t.keys, t.kib, t.share)).collect();
        assert_eq!(tops, [(1, 810.0, 0.81), (10, 900.0, 0.9)]);
        assert_eq!(found.skew.whole_of, WholeOf::ReportedKeys);
        assert!(found.evenness().ends_with("the skew of all keys is unknown."));
        let whole = Distribution::of(sizes(), Some(2000.0));
        assert_eq!(whole.tops[0].share, 0.405);
        let sentence = "20 keys reported; skew makes them behave like 6.1 by size.";
        assert_eq!(whole.evenness(), sentence);
        let many = Distribution::of(sizes(), Some(1e4)).evenness();
        assert!(many.contains("all keys together behave like at most"), "{many}");
    }

    #[test]
    fn of_nothing_nothing_is_told() {
        for sizes in [vec![], vec![f64::NAN, -1.0, f64::INFINITY]] {
            let found = Distribution::of(sizes, None);
            assert_eq!((found.keys, found.quantiles), (0, None));
            assert!(found.histogram.is_empty() && found.tops.is_empty());
        }
        let zeros = Distribution::of([0.0, 0.0], None);
        assert!(zeros.tops.is_empty() && zeros.quantiles.is_some());
    }

    #[test]
    fn too_many_sizes_leave_the_histogram() {
        let mut spread = SizeCollector { keys: MAX_SIZES - 3, ..SizeCollector::default() };
        (0..4).for_each(|_| spread.add(5.0));
        let found = spread.finish(None);
        assert_eq!((found.keys, found.quantiles, found.max_kib), (MAX_SIZES + 1, None, 5.0));
        assert_eq!((found.histogram[0].keys, found.tops), (4, Vec::new()));
    }

    proptest! {
        #[test]
        fn quantiles_and_tops_are_those_of_the_sorted_sizes(
            sizes in prop::collection::vec(0_u32..2_000_000, 1..300),
        ) {
            let mut sorted: Vec<f64> = sizes.iter().map(|s| f64::from(*s)).collect();
            let found = Distribution::of(sorted.clone(), None);
            sorted.sort_by(f64::total_cmp);
            let q = found.quantiles.unwrap();
            for (percent, value) in [(50, q.p50_kib), (90, q.p90_kib), (99, q.p99_kib)] {
                let below = sorted.iter().filter(|s| **s <= value).count();
                let less = sorted.iter().filter(|s| **s < value).count();
                prop_assert!(below * 100 >= percent * sorted.len() && less * 100 < percent * sorted.len());
            }
            for top in &found.tops {
                let kib: f64 = sorted.iter().rev().take(usize::try_from(top.keys).unwrap()).sum();
                prop_assert_eq!(top.kib, kib);
            }
            let all: f64 = sorted.iter().sum();
            let keys: u64 = found.histogram.iter().map(|b| b.keys).sum();
            let kib: f64 = found.histogram.iter().map(|b| b.kib).sum();
            prop_assert_eq!((keys, kib), (sorted.len() as u64, all));
            for bucket in &found.histogram {
                let inside = sorted.iter().filter(|s| (bucket.from_kib..bucket.to_kib).contains(*s));
                prop_assert_eq!(inside.count() as u64, bucket.keys);
            }
        }
    }
}
