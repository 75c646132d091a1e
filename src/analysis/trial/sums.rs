//! What groups have, summed up document by document: count and bytes in one number, so that each document touches memory
//! once.

/// Of the 64 bits those that count bytes; the others count documents.
const BYTE_BITS: u32 = 40;
const MOST_BYTES: u64 = 1 << BYTE_BITS;
const MOST_DOCUMENTS: u64 = 1 << (u64::BITS - BYTE_BITS);

/// Documents and bytes of groups.
#[derive(Debug, Default)]
pub(super) struct Sums {
    counts: Vec<u64>,
    bytes: Vec<u64>,
    /// What was not yet added to them.
    both: Vec<u64>,
    documents: u64,
    pending: u64,
}

impl Sums {
    /// Adds a few documents of groups below `groups`.
    pub fn add(&mut self, of_row: &[u32], sizes: &[u32], groups: usize) {
        let sum: u64 = sizes.iter().map(|size| u64::from(*size)).sum();
        let rows = sizes.len() as u64;
        if self.documents + rows >= MOST_DOCUMENTS || self.pending.saturating_add(sum) >= MOST_BYTES
        {
            self.flush();
        }
        if rows >= MOST_DOCUMENTS || sum >= MOST_BYTES {
            self.add_apart(of_row, sizes, groups);
            return;
        }
        self.documents += rows;
        self.pending += sum;
        if self.both.len() < groups {
            self.both.resize(groups, 0);
        }
        for (group, size) in of_row.iter().zip(sizes) {
            if let Some(both) = self.both.get_mut(*group as usize) {
                *both += MOST_BYTES | u64::from(*size);
            }
        }
    }

    /// Documents beyond all sense, by their sizes.
    fn add_apart(&mut self, of_row: &[u32], sizes: &[u32], groups: usize) {
        let length = self.counts.len().max(groups);
        self.counts.resize(length, 0);
        self.bytes.resize(length, 0);
        for (group, size) in of_row.iter().zip(sizes) {
            let at = *group as usize;
            if let (Some(count), Some(bytes)) = (self.counts.get_mut(at), self.bytes.get_mut(at)) {
                *count += 1;
                *bytes += u64::from(*size);
            }
        }
    }

    fn flush(&mut self) {
        (self.documents, self.pending) = (0, 0);
        let both = std::mem::take(&mut self.both);
        if self.counts.is_empty() {
            self.counts = both.iter().map(|both| both >> BYTE_BITS).collect();
            self.bytes = both;
            for bytes in &mut self.bytes {
                *bytes %= MOST_BYTES;
            }
            return;
        }
        let length = self.counts.len().max(both.len());
        self.counts.resize(length, 0);
        self.bytes.resize(length, 0);
        let sums = self.counts.iter_mut().zip(&mut self.bytes);
        for ((count, bytes), both) in sums.zip(both) {
            *count += both >> BYTE_BITS;
            *bytes += both % MOST_BYTES;
        }
    }

    /// Documents and bytes by group.
    pub fn done(mut self) -> [Vec<u64>; 2] {
        self.flush();
        [self.counts, self.bytes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_are_those_of_each_document_by_itself(
            blocks in prop::collection::vec(
                prop::collection::vec((0_u32..20, prop_oneof![0_u32..9, any::<u32>()]), 0..600), 0..8),
        ) {
            let mut wanted = [vec![0_u64; 20], vec![0_u64; 20]];
            let mut sums = Sums::default();
            for block in &blocks {
                let (of_row, sizes): (Vec<u32>, Vec<u32>) = block.iter().copied().unzip();
                sums.add(&of_row, &sizes, 20);
                for (group, size) in block {
                    wanted[0][*group as usize] += 1;
                    wanted[1][*group as usize] += u64::from(*size);
                }
            }
            let [mut counts, mut bytes] = sums.done();
            counts.resize(20, 0);
            bytes.resize(20, 0);
            prop_assert_eq!([counts, bytes], wanted);
        }
    }
}
