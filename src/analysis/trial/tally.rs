//! One look at all keys: how many there are, of which sizes, the largest and the commonest.

use std::ops::Range;

use super::super::crew::Crew;
use super::super::distribution::BUCKETS;
use super::size_classes;
use super::sizes::Sizes;

/// What all keys tell together.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    pub seen: u64,
    pub documents: u64,
    /// Keys of one document, and of two.
    pub once: u64,
    pub twice: u64,
    /// Of their documents.
    pub squares: u64,
    /// Documents of the commonest key, bytes of the largest.
    pub commonest: u64,
    pub largest: u64,
    pub bytes: u64,
    pub classes: Classes,
}

/// Keys by the class of their size.
#[derive(Clone, Copy)]
pub(super) struct Classes(pub [u64; BUCKETS]);

impl Default for Classes {
    fn default() -> Self {
        Self([0; BUCKETS])
    }
}

impl Tally {
    /// `scale` leads from bytes to those of the whole container.
    pub fn of(sizes: &Sizes<'_>, scale: f64, crew: Crew) -> Self {
        let found = crew.each(sizes.parts(crew), |part| Self::of_part(sizes, part, scale));
        found.into_iter().fold(Self::default(), Self::and)
    }

    fn of_part(sizes: &Sizes<'_>, part: Range<usize>, scale: f64) -> Self {
        let mut found = Self::default();
        let kib_each = scale / 1024.0;
        sizes.each(part, |_, [count, bytes]| {
            found.seen += 1;
            found.documents += count;
            found.once += u64::from(count == 1);
            found.twice += u64::from(count == 2);
            found.squares = found.squares.saturating_add(count.saturating_mul(count));
            found.commonest = found.commonest.max(count);
            found.largest = found.largest.max(bytes);
            found.bytes = found.bytes.wrapping_add(bytes);
            size_classes::count(&mut found.classes.0, bytes, kib_each);
        });
        found
    }

    fn and(mut self, other: Self) -> Self {
        self.seen += other.seen;
        self.documents += other.documents;
        self.once += other.once;
        self.twice += other.twice;
        self.squares = self.squares.saturating_add(other.squares);
        self.commonest = self.commonest.max(other.commonest);
        self.largest = self.largest.max(other.largest);
        self.bytes += other.bytes;
        for (sum, keys) in self.classes.0.iter_mut().zip(other.classes.0) {
            *sum += keys;
        }
        self
    }
}
