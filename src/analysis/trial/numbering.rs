//! Numbers for pairs: (group so far, what comes next) becomes a group, in the order in which pairs are first met.

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// Marks what one document alone has: it needs no looking up.
pub(super) const ALONE: u64 = 1 << 63;

/// Pairs and their numbers.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    numbers: HashMap<(u32, u64), u32, FixedState>,
    /// By their numbers.
    pub pairs: Vec<(u32, u64)>,
}

impl Numbering {
    /// Takes in what others numbered that come behind; for each of their numbers the one that it has now.
    pub fn take_in(&mut self, others: Self) -> Vec<u32> {
        self.numbers.reserve(others.numbers.len());
        self.pairs.reserve(others.pairs.len());
        let others = others.pairs.into_iter();
        others.map(|(first, second)| self.number(first, second)).collect()
    }

    pub fn number(&mut self, first: u32, second: u64) -> u32 {
        let next = u32::try_from(self.pairs.len()).unwrap_or(u32::MAX);
        let number = match second & ALONE {
            0 => *self.numbers.entry((first, second)).or_insert(next),
            _ => next,
        };
        if number == next {
            self.pairs.push((first, second));
        }
        number
    }
}

/// The number that a group has now.
pub(super) fn moved(to: &[u32], group: u32) -> u32 {
    to.get(group as usize).copied().unwrap_or(0)
}
