//! One look at all keys: how many there are, of which sizes, the largest and the commonest.

use std::ops::Range;

use super::super::distribution::BUCKETS;
use super::super::parallelism::Parallelism;
use super::estimates::effective;
use super::scaling::Scaling;
use super::settings::Whole;
use super::size_classes;
use super::sizes::Sizes;
use super::window_samples::WindowSamples;
use crate::model::units::real;

/// What all keys tell together.
#[derive(Clone, Default)]
pub(super) struct Tally {
    pub seen: u64,
    pub documents: u64,
    /// Keys of one document, and of two.
    pub once: u64,
    pub twice: u64,
    /// Of a key's documents all ways to take two, and three, one after the other.
    pub pairs: u64,
    pub triples: u128,
    /// Documents of the commonest key, and that key.
    pub commonest: (u64, u32),
    pub largest: Largest,
    pub bytes: u64,
    /// Keys by the class of their size.
    pub classes: Vec<u64>,
    /// From what a key has here to what it has in all.
    pub scaling: Scaling,
}

/// The key that holds most in all: its bytes there, what it has here, and its number.
#[derive(Clone, Copy, Default)]
pub(super) struct Largest {
    pub bytes: f64,
    pub has: [u64; 2],
    pub group: u32,
}

impl Largest {
    /// Of equal ones that which was seen more often.
    fn or(&mut self, other: Self) {
        if (other.bytes, other.has[0]) > (self.bytes, self.has[0]) {
            *self = other;
        }
    }
}

impl Tally {
    /// Where the bytes of the largest key lie.
    pub fn largest_range(&self) -> [f64; 2] {
        let found = self.scaling.share(self.largest.group, self.largest.has[0]);
        let bytes = self.largest.bytes;
        let of_share = bytes / found.share.max(f64::MIN_POSITIVE);
        let [low, high] = found.interval.map(|share| share * of_share);
        // An end that is the share itself may be off by a rounding.
        [low.min(bytes), high.max(bytes)]
    }

    /// Of how many equal keys all of them are worth.
    pub fn effective(&self, whole: &Whole) -> Option<f64> {
        let n = real(self.documents);
        match &self.scaling.clumps {
            Some(clumps) => effective(clumps.others[0] * n, n, Some(clumps.of_all)),
            None => effective(real(self.pairs), n, whole.is_sample.then_some(1.0)),
        }
    }

    pub fn commonest_part(&self) -> f64 {
        let (count, group) = self.commonest;
        self.scaling.part(group, count)
    }

    pub fn of(
        sizes: &Sizes<'_>,
        whole: &Whole,
        clumps: Option<WindowSamples>,
        workers: Parallelism,
    ) -> Self {
        let counted = Self::scaled(sizes, Scaling::plain(whole), workers);
        if !whole.is_sample {
            return counted;
        }
        // How a sample's keys are scaled all of them tell.
        Self::scaled(sizes, Scaling::of(whole, &counted, clumps), workers)
    }

    fn scaled(sizes: &Sizes<'_>, scaling: Scaling, workers: Parallelism) -> Self {
        let of_part = |part| Self::of_part(sizes, part, &scaling);
        let found = workers.each(sizes.parts(workers), of_part);
        let found = found.into_iter().reduce(Self::and).unwrap_or_default();
        Self { scaling, ..found }
    }

    fn of_part(sizes: &Sizes<'_>, part: Range<usize>, scaling: &Scaling) -> Self {
        let mut found = Self { classes: vec![0; BUCKETS], ..Self::default() };
        sizes.each(part, |group, [count, bytes]| {
            found.seen += 1;
            found.documents += count;
            found.once += u64::from(count == 1);
            found.twice += u64::from(count == 2);
            if count > 1 {
                let pairs = count.saturating_mul(count - 1);
                found.pairs = found.pairs.saturating_add(pairs);
                found.triples += u128::from(pairs) * u128::from(count - 2);
            }
            if count > found.commonest.0 {
                found.commonest = (count, group);
            }
            found.bytes = found.bytes.wrapping_add(bytes);
            let in_all = scaling.bytes(group, [count, bytes]);
            found.largest.or(Largest { bytes: in_all, has: [count, bytes], group });
            size_classes::count(&mut found.classes, in_all);
        });
        found
    }

    fn and(mut self, other: Self) -> Self {
        self.seen += other.seen;
        self.documents += other.documents;
        self.once += other.once;
        self.twice += other.twice;
        self.pairs = self.pairs.saturating_add(other.pairs);
        self.triples += other.triples;
        if other.commonest.0 > self.commonest.0 {
            self.commonest = other.commonest;
        }
        self.largest.or(other.largest);
        self.bytes += other.bytes;
        for (sum, keys) in self.classes.iter_mut().zip(other.classes) {
            *sum += keys;
        }
        self
    }
}
