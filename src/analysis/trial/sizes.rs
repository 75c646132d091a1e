//! What groups have: documents and bytes, summed up document by document. Both are kept in one number, so that each document
//! touches memory once; and where each document is a group, nothing is summed up at all.

use std::ops::Range;

use prefetch_index::prefetch_index;

use super::super::parallelism::Parallelism;

/// Of the 64 bits those that count bytes; the others count documents.
const BYTE_BITS: u32 = 40;
const ONE: u64 = 1 << BYTE_BITS;
const MOST_DOCUMENTS: u64 = 1 << (u64::BITS - BYTE_BITS);
/// Groups that are put together at a time: fewer are not worth a thread.
const GRAIN: usize = 1 << 16;

/// Documents ahead of which the memory of a group is asked for: many groups do not stay near the processor.
const AHEAD: usize = 32;

/// Documents and bytes of each group; some may have none.
#[derive(Debug)]
pub(super) enum Sizes<'a> {
    Packed(Vec<u64>),
    /// Where both do not fit into one number.
    Apart(Vec<[u64; 2]>),
    /// Each document is a group, and this is its size.
    Single(&'a [u32]),
}

impl Default for Sizes<'_> {
    fn default() -> Self {
        Self::Packed(Vec::new())
    }
}

fn unpacked(both: u64) -> [u64; 2] {
    [both >> BYTE_BITS, both & (ONE - 1)]
}

impl Sizes<'_> {
    /// Groups that there may be.
    pub fn len(&self) -> usize {
        match self {
            Self::Packed(both) => both.len(),
            Self::Apart(both) => both.len(),
            Self::Single(sizes) => sizes.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Documents and bytes of a group.
    pub fn of(&self, group: u32) -> [u64; 2] {
        let at = group as usize;
        let found = match self {
            Self::Packed(both) => both.get(at).map(|both| unpacked(*both)),
            Self::Apart(both) => both.get(at).copied(),
            Self::Single(sizes) => sizes.get(at).map(|size| [1, u64::from(*size)]),
        };
        found.unwrap_or_default()
    }

    pub fn count(&self, group: u32) -> u64 {
        self.of(group)[0]
    }

    pub fn bytes(&self, group: u32) -> u64 {
        self.of(group)[1]
    }

    /// Every group of a range that has documents, with these and their bytes.
    pub fn each(&self, range: Range<usize>, mut visit: impl FnMut(u32, [u64; 2])) {
        let first = u32::try_from(range.start).unwrap_or(u32::MAX);
        match self {
            Self::Packed(both) => {
                let both = both.get(range).unwrap_or_default();
                for (group, both) in (first..).zip(both).filter(|(_, both)| **both != 0) {
                    visit(group, unpacked(*both));
                }
            }
            Self::Apart(both) => {
                let both = both.get(range).unwrap_or_default();
                for (group, both) in (first..).zip(both).filter(|(_, both)| both[0] != 0) {
                    visit(group, *both);
                }
            }
            Self::Single(sizes) => {
                let sizes = sizes.get(range).unwrap_or_default();
                for (group, size) in (first..).zip(sizes) {
                    visit(group, [1, u64::from(*size)]);
                }
            }
        }
    }

    /// Every group that has documents.
    pub fn all(&self, visit: impl FnMut(u32, [u64; 2])) {
        self.each(0..self.len(), visit);
    }

    /// Ranges of groups, about one for each hand.
    pub fn parts(&self, workers: Parallelism) -> Vec<Range<usize>> {
        let length = workers.share(self.len(), GRAIN);
        let starts = (0..self.len()).step_by(length);
        starts.map(|start| start..(start + length).min(self.len())).collect()
    }
}

/// Documents and bytes of groups, while they are summed up.
#[derive(Debug, Default)]
pub(super) struct Sums {
    /// What was not yet added to the others.
    both: Vec<u64>,
    apart: Vec<[u64; 2]>,
    documents: u64,
    bytes: u64,
}

fn sum_up(both: &mut [u64], of_row: &[u32], sizes: &[u32]) {
    for (row, (group, size)) in of_row.iter().zip(sizes).enumerate() {
        if let Some(ahead) = of_row.get(row + AHEAD) {
            prefetch_index(&*both, *ahead as usize);
        }
        if let Some(both) = both.get_mut(*group as usize) {
            *both = both.wrapping_add(ONE | u64::from(*size));
        }
    }
}

impl Sums {
    /// Of so many groups; more may come.
    pub fn of(groups: usize) -> Self {
        let mut sums = Self::default();
        // Written now: memory that is first read and then written to costs twice.
        sums.reach(groups);
        sums
    }

    /// Room for so many groups.
    pub fn reach(&mut self, groups: usize) {
        if self.both.len() < groups {
            self.both.resize(groups, 0);
        }
    }

    /// Adds a few documents of groups for which there is room.
    pub fn add(&mut self, of_row: &[u32], sizes: &[u32]) {
        let sum: u64 = sizes.iter().map(|size| u64::from(*size)).sum();
        let rows = sizes.len() as u64;
        if !self.fits(rows, sum) {
            self.flush();
        }
        if !self.fits(rows, sum) {
            self.add_apart(of_row, sizes);
            return;
        }
        self.documents += rows;
        self.bytes += sum;
        sum_up(&mut self.both, of_row, sizes);
    }

    /// Adds what a group has.
    pub fn add_to(&mut self, group: u32, [documents, bytes]: [u64; 2]) {
        if !self.fits(documents, bytes) {
            self.flush();
        }
        let at = group as usize;
        self.reach(at + 1);
        if !self.fits(documents, bytes) {
            self.reach_apart();
            if let Some([count, sum]) = self.apart.get_mut(at) {
                *count += documents;
                *sum += bytes;
            }
            return;
        }
        self.documents += documents;
        self.bytes += bytes;
        if let Some(both) = self.both.get_mut(at) {
            *both = both.wrapping_add((documents << BYTE_BITS) | bytes);
        }
    }

    /// What others found, too.
    pub fn and(mut self, mut other: Self, workers: Parallelism) -> Self {
        if !self.fits(other.documents, other.bytes) {
            self.flush();
            other.flush();
        }
        self.reach(other.both.len());
        self.documents += other.documents;
        self.bytes += other.bytes;
        let length = workers.share(other.both.len(), GRAIN);
        let parts = self
            .both
            .chunks_mut(length)
            .zip(other.both.chunks(length))
            .filter(|_| other.documents > 0);
        workers.each(parts, |(sums, others)| {
            for (sum, other) in sums.iter_mut().zip(others) {
                *sum = sum.wrapping_add(*other);
            }
        });
        if !other.apart.is_empty() {
            self.reach(other.apart.len());
            self.reach_apart();
            for (sum, other) in self.apart.iter_mut().zip(&other.apart) {
                sum[0] += other[0];
                sum[1] += other[1];
            }
        }
        self
    }

    /// Leaves out what groups from this one on have.
    pub fn cut(&mut self, groups: usize) {
        self.both.truncate(groups);
        self.apart.truncate(groups);
    }

    pub fn done<'s>(mut self) -> Sizes<'s> {
        if self.apart.is_empty() {
            return Sizes::Packed(self.both);
        }
        self.flush();
        Sizes::Apart(self.apart)
    }

    /// Whether so much more can be counted without a carry from one to the other.
    fn fits(&self, documents: u64, bytes: u64) -> bool {
        self.documents.saturating_add(documents) < MOST_DOCUMENTS
            && self.bytes.saturating_add(bytes) < ONE
    }

    fn reach_apart(&mut self) {
        let length = self.apart.len().max(self.both.len());
        self.apart.resize(length, [0; 2]);
    }

    /// Documents beyond all sense, by their sizes.
    fn add_apart(&mut self, of_row: &[u32], sizes: &[u32]) {
        self.reach_apart();
        for (group, size) in of_row.iter().zip(sizes) {
            if let Some([count, bytes]) = self.apart.get_mut(*group as usize) {
                *count += 1;
                *bytes += u64::from(*size);
            }
        }
    }

    fn flush(&mut self) {
        (self.documents, self.bytes) = (0, 0);
        self.reach_apart();
        for (sum, both) in self.apart.iter_mut().zip(&mut self.both) {
            let [documents, bytes] = unpacked(std::mem::take(both));
            sum[0] += documents;
            sum[1] += bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::parallelism::testing::parallelism;
    use proptest::prelude::*;

    type Block = Vec<(u32, u32)>;

    fn blocks() -> impl Strategy<Value = Vec<Block>> {
        let size = prop_oneof![0_u32..9, any::<u32>()];
        prop::collection::vec(prop::collection::vec((0_u32..20, size), 0..600), 0..8)
    }

    fn added(blocks: &[Block], wanted: &mut [[u64; 2]]) -> Sums {
        let mut sums = Sums::of(20);
        for block in blocks {
            let (of_row, sizes): (Vec<u32>, Vec<u32>) = block.iter().copied().unzip();
            sums.add(&of_row, &sizes);
            for (group, size) in block {
                wanted[*group as usize][0] += 1;
                wanted[*group as usize][1] += u64::from(*size);
            }
        }
        sums
    }

    proptest! {
        #[test]
        fn sums_are_those_of_each_document_by_itself(
            one in blocks(),
            other in blocks(),
            whole in prop::collection::vec((0_u32..30, 0..1_u64 << 26, 0..1_u64 << 43), 0..6),
        ) {
            let mut wanted = vec![[0_u64; 2]; 30];
            let sums = added(&one, &mut wanted);
            let mut sums = sums.and(added(&other, &mut wanted), parallelism(3));
            for (group, documents, bytes) in whole {
                sums.add_to(group, [documents, bytes]);
                wanted[group as usize][0] += documents;
                wanted[group as usize][1] += bytes;
            }
            let sizes = sums.done();
            for (group, wanted) in (0..).zip(&wanted) {
                prop_assert_eq!(&sizes.of(group), wanted);
            }
            let mut met = vec![[0; 2]; 30];
            for part in sizes.parts(parallelism(4)) {
                sizes.each(part, |group, has| met[group as usize] = has);
            }
            for (met, wanted) in met.iter().zip(&wanted) {
                prop_assert!(met == wanted || wanted[0] == 0);
            }
        }
    }
}
