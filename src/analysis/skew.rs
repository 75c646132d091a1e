//! How unevenly sizes lie over keys: top shares and the number of equal keys that would be as uneven.

use crate::model::units::{KIB_PER_GIB, tenths_text, whole_text};

words! {
    /// Where a share's whole comes from; every view says it beside the share.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum WholeOf {
        /// The container's own size, from its physical partitions or its usage metrics.
        Container = "of the container",
        /// Only what was reported: statistics list large keys, so shares look larger than they are.
        ReportedKeys = "of the reported keys",
    }
    fn words
}

/// A sum in whole steps, of which `STEPS` make one: it does not depend on the order of its parts, and never wraps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StepSum<const STEPS: u32>(u128);

/// A sum of sizes in KiB, kept in whole bytes.
pub type Total = StepSum<1024>;

impl<const STEPS: u32> StepSum<STEPS> {
    pub fn add(&mut self, value: f64) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the cast saturates, and what is negative or no number counts nothing"
        )]
        let steps = (value * f64::from(STEPS)) as u128;
        self.0 = self.0.saturating_add(steps);
    }

    pub fn value(self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a sum is read to a few digits")]
        let steps = self.0 as f64;
        steps / f64::from(STEPS)
    }
}

/// What skew needs of the keys, collected one by one.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sizes {
    pub total: Total,
    /// Sum of squares, each in GiB squared so that it stays far from overflow.
    squares: f64,
    pub largest_kib: f64,
}

impl Sizes {
    pub fn add(&mut self, kib: f64) {
        let gib = kib / KIB_PER_GIB;
        let square = gib * gib;
        if square.is_finite() && (self.squares + square).is_finite() {
            self.squares += square;
        }
        self.total.add(kib);
        self.largest_kib = self.largest_kib.max(kib);
    }

    pub fn skew(&self, container_kib: Option<f64>) -> Skew {
        let reported = self.total.value();
        // Statistics and usage are taken at different times; a whole smaller than its parts is the older one.
        let whole = container_kib.filter(|kib| kib.is_finite() && *kib >= reported && *kib > 0.0);
        let total_kib = whole.unwrap_or(reported);
        let gib = total_kib / KIB_PER_GIB;
        let effective = whole.map(|_| gib * gib / self.squares);
        Skew {
            total_kib,
            whole_of: whole.map_or(WholeOf::ReportedKeys, |_| WholeOf::Container),
            reported_kib: reported,
            largest_share: (total_kib > 0.0).then(|| self.largest_kib / total_kib),
            effective_keys_at_most: effective.filter(|k| k.is_finite()),
        }
    }
}

/// How uneven a container is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Skew {
    pub total_kib: f64,
    pub whole_of: WholeOf,
    pub reported_kib: f64,
    /// None where the whole is nothing.
    pub largest_share: Option<f64>,
    /// 1/Σw² over the reported keys. Unreported keys only lower it, and without the container's size it is not known
    /// by how much: then it is None.
    pub effective_keys_at_most: Option<f64>,
}

/// From here on the number of equal keys is one of precision, no longer one to picture.
pub(super) const COUNTLESS: f64 = 1_000_000.0;

impl Skew {
    /// `at most 5.5 effective keys`, or that there are too many to count; None where it is not known.
    pub fn evenness_text(&self) -> Option<String> {
        let keys = self.effective_keys_at_most?;
        if keys >= COUNTLESS {
            return Some("spread evenly over a very large number of keys".to_owned());
        }
        // One digit after the point while it tells something.
        let text = if keys < 1000.0 { tenths_text(keys) } else { whole_text(keys) };
        Some(format!("at most {text} effective keys"))
    }

    /// The share of a key in the whole; None in an empty one.
    pub fn share(&self, kib: f64) -> Option<f64> {
        (self.total_kib > 0.0).then(|| kib / self.total_kib)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sizes(kib: &[f64]) -> Sizes {
        let mut out = Sizes::default();
        for k in kib {
            out.add(*k);
        }
        out
    }

    #[test]
    fn statistics_alone_tell_shares_of_the_reported_keys_and_no_more() {
        let skew = sizes(&[600.0, 300.0, 100.0]).skew(None);
        assert_eq!(skew.whole_of.words(), "of the reported keys");
        assert_eq!(skew.largest_share, Some(0.6));
        assert_eq!(skew.effective_keys_at_most, None);
    }

    #[test]
    fn the_size_of_the_container_makes_shares_real() {
        let skew = sizes(&[1000.0; 10]).skew(Some(10_000.0));
        assert_eq!(skew.whole_of, WholeOf::Container);
        assert!((skew.effective_keys_at_most.unwrap() - 10.0).abs() < 1e-9);
        assert_eq!(skew.share(500.0), Some(0.05));
        let smaller = sizes(&[1000.0]).skew(Some(10.0));
        assert_eq!(smaller.whole_of, WholeOf::ReportedKeys);
    }

    #[test]
    fn shares_of_nothing_are_no_numbers() {
        let skew = sizes(&[0.0]).skew(Some(0.0));
        assert_eq!((skew.largest_share, skew.share(0.0)), (None, None));
        assert_eq!(sizes(&[]).skew(None).largest_share, None);
        assert_eq!(sizes(&[0.0]).skew(Some(5.0)).effective_keys_at_most, None);
    }

    #[test]
    fn the_number_of_equal_keys_is_told_as_long_as_it_can_be_pictured() {
        let text = |container_kib| sizes(&[1.0; 4]).skew(Some(container_kib)).evenness_text();
        assert_eq!(text(4.0).unwrap(), "at most 4.0 effective keys");
        assert_eq!(text(200.0).unwrap(), "at most 10,000 effective keys");
        assert!(text(1e9).unwrap().starts_with("spread evenly over"));
        assert_eq!(sizes(&[1.0]).skew(None).evenness_text(), None);
    }

    proptest! {
        #[test]
        fn totals_do_not_depend_on_the_order(mut kib in prop::collection::vec(0.0..1e300_f64, 0..40)) {
            let forward = sizes(&kib).total;
            kib.reverse();
            prop_assert_eq!(forward, sizes(&kib).total);
            prop_assert!(forward.value().is_finite());
        }
    }
}
