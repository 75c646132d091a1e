//! What groups have: documents and bytes, summed up document by document, side by side, so that each document touches memory
//! once; and where each document is a group, nothing is summed up at all.

use std::ops::Range;

use prefetch_index::prefetch_index;

use super::super::parallelism::Parallelism;

/// Groups that are put together at a time: fewer are not worth a thread.
const GRAIN: usize = 1 << 16;

/// Documents ahead of which the memory of a group is asked for: many groups do not stay near the processor.
const AHEAD: usize = 32;

/// Documents and bytes of each group; some may have none.
#[derive(Debug)]
pub(super) enum Sizes<'a> {
    Summed(Vec<[u64; 2]>),
    /// Each document is a group, and this is its size.
    Single(&'a [u32]),
}

impl Default for Sizes<'_> {
    fn default() -> Self {
        Self::Summed(Vec::new())
    }
}

impl Sizes<'_> {
    /// Groups that there may be.
    pub fn len(&self) -> usize {
        match self {
            Self::Summed(sums) => sums.len(),
            Self::Single(sizes) => sizes.len(),
        }
    }

    /// Documents and bytes of a group.
    pub fn of(&self, group: u32) -> [u64; 2] {
        let at = group as usize;
        let found = match self {
            Self::Summed(sums) => sums.get(at).copied(),
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
            Self::Summed(sums) => {
                let sums = sums.get(range).unwrap_or_default();
                for (group, sums) in (first..).zip(sums).filter(|(_, sums)| sums[0] != 0) {
                    visit(group, *sums);
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
pub(super) struct Sums(Vec<[u64; 2]>);

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
        if self.0.len() < groups {
            self.0.resize(groups, [0; 2]);
        }
    }

    /// Adds a few documents of groups for which there is room.
    pub fn add(&mut self, of_row: &[u32], sizes: &[u32]) {
        for (row, (group, size)) in of_row.iter().zip(sizes).enumerate() {
            if let Some(ahead) = of_row.get(row + AHEAD) {
                prefetch_index(&self.0, *ahead as usize);
            }
            if let Some([documents, bytes]) = self.0.get_mut(*group as usize) {
                *documents += 1;
                *bytes = bytes.wrapping_add(u64::from(*size));
            }
        }
    }

    /// Adds what a group has.
    pub fn add_to(&mut self, group: u32, more: [u64; 2]) {
        let at = group as usize;
        self.reach(at + 1);
        if let Some(sums) = self.0.get_mut(at) {
            add(sums, &more);
        }
    }

    /// What others found, too.
    pub fn and(mut self, other: &Self, workers: Parallelism) -> Self {
        self.reach(other.0.len());
        let length = workers.share(other.0.len(), GRAIN);
        let parts = self.0.chunks_mut(length).zip(other.0.chunks(length));
        workers.each(parts, |(sums, others)| {
            for (sums, more) in sums.iter_mut().zip(others) {
                add(sums, more);
            }
        });
        self
    }

    /// Leaves out what groups from this one on have.
    pub fn cut(&mut self, groups: usize) {
        self.0.truncate(groups);
    }

    pub fn done<'s>(self) -> Sizes<'s> {
        Sizes::Summed(self.0)
    }
}

fn add(sums: &mut [u64; 2], more: &[u64; 2]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum = sum.wrapping_add(*more);
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
            let mut sums = sums.and(&added(&other, &mut wanted), parallelism(3));
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
