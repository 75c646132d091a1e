//! One look at all keys: how many there are, of which sizes, the largest and the commonest, and what they have by the first
//! levels alone.

use super::super::crew::Crew;
use super::super::distribution::BUCKETS;
use super::fold::Groups;
use super::size_classes;

/// Keys that are looked at together: fewer are not worth a thread.
const GRAIN: usize = 1 << 16;

/// What all keys tell together.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    pub seen: u64,
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
    pub fn of(counts: &[u64], bytes: &[u64], scale: f64, crew: Crew) -> Self {
        let length = crew.share(counts.len(), GRAIN);
        let parts = counts.chunks(length).zip(bytes.chunks(length));
        let found = crew.each(parts, |(counts, bytes)| Self::of_part(counts, bytes, scale));
        found.into_iter().fold(Self::default(), Self::and)
    }

    fn of_part(counts: &[u64], bytes: &[u64], scale: f64) -> Self {
        let mut found = Self::default();
        for (count, bytes) in counts.iter().zip(bytes) {
            found.seen += u64::from(*count > 0);
            found.once += u64::from(*count == 1);
            found.twice += u64::from(*count == 2);
            found.squares = found.squares.saturating_add(count.saturating_mul(*count));
            found.commonest = found.commonest.max(*count);
            found.largest = found.largest.max(*bytes);
            found.bytes += bytes;
        }
        found.classes = Classes(size_classes::found(counts, bytes, scale));
        found
    }

    fn and(mut self, other: Self) -> Self {
        self.seen += other.seen;
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

/// What the groups of the first levels have; those of all levels are not among them.
pub(super) struct Rolled {
    /// For each number of levels but all: documents and bytes.
    by_depth: Vec<[Vec<u64>; 2]>,
}

impl Rolled {
    pub fn of(groups: &Groups<'_>, crew: Crew) -> Self {
        let mut by_depth: Vec<[Vec<u64>; 2]> = Vec::new();
        let before = groups.depths.iter().rev().skip(1).map(Vec::len);
        for (pairs, count) in groups.depths.iter().rev().zip(before) {
            let sums = match by_depth.last() {
                Some([counts, bytes]) => [counts, bytes],
                None => [&groups.counts, &groups.bytes],
            };
            by_depth.push(sums.map(|values| rolled(pairs, values, count, crew)));
        }
        by_depth.reverse();
        Self { by_depth }
    }

    /// Documents and bytes of the groups of the first `depth` levels.
    pub fn at<'s>(&'s self, groups: &'s Groups<'_>, depth: usize) -> [&'s [u64]; 2] {
        match depth.checked_sub(1).and_then(|at| self.by_depth.get(at)) {
            Some([counts, bytes]) => [counts, bytes],
            None => [&groups.counts, &groups.bytes],
        }
    }
}

/// What each group has, its group of one level less has, too.
fn rolled(pairs: &[(u32, u64)], values: &[u64], count: usize, crew: Crew) -> Vec<u64> {
    let sum_up = |pairs: &[(u32, u64)], values: &[u64]| {
        let mut sums = vec![0_u64; count];
        for ((group, _), value) in pairs.iter().zip(values) {
            if let Some(sum) = sums.get_mut(*group as usize) {
                *sum += value;
            }
        }
        sums
    };
    let length = crew.share(pairs.len(), GRAIN);
    let parts = pairs.chunks(length).zip(values.chunks(length));
    let found = crew.each(parts, |(pairs, values)| sum_up(pairs, values));
    let mut found = found.into_iter();
    let mut all = found.next().unwrap_or_else(|| vec![0; count]);
    for part in found {
        for (sum, value) in all.iter_mut().zip(part) {
            *sum += value;
        }
    }
    all
}
