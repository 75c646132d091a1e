//! Numbers for pairs: (group so far, what comes next) becomes a group, in the order in which pairs are first met.

/// Tables of at most so many cells for each document are filled directly: looking up is then one step.
const CELLS_A_ROW: usize = 4;
/// Smaller tables are always worth it.
const SMALL_CELLS: usize = 1 << 16;
const FREE: u32 = u32::MAX;
const FEWEST_SLOTS: usize = 1 << 10;
/// 2^64 divided by the golden ratio: multiplying by it spreads neighbours.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Pairs and their numbers.
#[derive(Debug)]
pub(super) struct Numbering {
    cells: Cells,
    pairs: Vec<(u32, u64)>,
}

#[derive(Debug)]
enum Cells {
    /// A cell for every pair that there can be.
    Dense { width: usize, numbers: Vec<u32> },
    /// Open addressing.
    Slots { slots: Vec<(u64, u32)> },
}

impl Numbering {
    /// For seconds below `width` after firsts below `height`.
    pub fn of(height: usize, width: usize, rows: usize) -> Self {
        let most = rows.saturating_mul(CELLS_A_ROW).max(SMALL_CELLS);
        let cells = match height.checked_mul(width).filter(|cells| *cells <= most) {
            Some(cells) => Cells::Dense {
                width,
                numbers: vec![FREE; cells],
            },
            None => Cells::Slots { slots: Vec::new() },
        };
        Self {
            cells,
            pairs: Vec::new(),
        }
    }

    /// For seconds that are hashes.
    pub fn of_hashes() -> Self {
        Self {
            cells: Cells::Slots { slots: Vec::new() },
            pairs: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The pairs by their numbers.
    pub fn into_pairs(self) -> Vec<(u32, u64)> {
        self.pairs
    }

    pub fn number(&mut self, first: u32, second: u64) -> u32 {
        let next = u32::try_from(self.pairs.len()).unwrap_or(FREE - 1);
        match &mut self.cells {
            Cells::Dense { width, numbers } => {
                let at = usize::try_from(second).map_or(usize::MAX, |s| {
                    (first as usize).saturating_mul(*width).saturating_add(s)
                });
                let Some(number) = numbers.get_mut(at) else {
                    return 0;
                };
                if *number == FREE {
                    *number = next;
                    self.pairs.push((first, second));
                }
                *number
            }
            Cells::Slots { slots } => {
                if (self.pairs.len() + 1) * 4 > slots.len() * 3 {
                    grow(slots, &self.pairs);
                }
                let at = slot(slots, &self.pairs, first, second);
                match slots.get_mut(at) {
                    Some(held) if held.1 == FREE => {
                        *held = (mixed(first, second), next);
                        self.pairs.push((first, second));
                        next
                    }
                    Some(held) => held.1,
                    None => 0,
                }
            }
        }
    }
}

fn mixed(first: u32, second: u64) -> u64 {
    let bits =
        (second ^ u64::from(first).wrapping_mul(SPREAD).rotate_left(32)).wrapping_mul(SPREAD);
    bits ^ (bits >> 29)
}

/// Where a pair is or belongs.
fn slot(slots: &[(u64, u32)], pairs: &[(u32, u64)], first: u32, second: u64) -> usize {
    let mask = slots.len().wrapping_sub(1);
    let hash = mixed(first, second);
    let mut at = usize::try_from(hash >> 16).unwrap_or(0) & mask;
    while let Some((held, number)) = slots.get(at) {
        let is_it = || pairs.get(*number as usize) == Some(&(first, second));
        if *number == FREE || (*held == hash && is_it()) {
            break;
        }
        at = (at + 1) & mask;
    }
    at
}

fn grow(slots: &mut Vec<(u64, u32)>, pairs: &[(u32, u64)]) {
    let length = (slots.len() * 2).max(FEWEST_SLOTS);
    *slots = vec![(0, FREE); length];
    let mask = length - 1;
    for (number, (first, second)) in (0..).zip(pairs) {
        let hash = mixed(*first, *second);
        let mut at = usize::try_from(hash >> 16).unwrap_or(0) & mask;
        while slots.get(at).is_some_and(|(_, held)| *held != FREE) {
            at = (at + 1) & mask;
        }
        if let Some(held) = slots.get_mut(at) {
            *held = (hash, number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_pair_has_one_number_however_it_is_kept(
            pairs in prop::collection::vec((0_u32..40, 0_u64..60), 0..3000),
        ) {
            let mut dense = Numbering::of(40, 60, pairs.len());
            let mut sparse = Numbering::of_hashes();
            let mut seen: Vec<(u32, u64)> = Vec::new();
            for (first, second) in pairs {
                let number = dense.number(first, second);
                prop_assert_eq!(number, sparse.number(first, second));
                let wanted = seen.iter().position(|p| *p == (first, second));
                prop_assert_eq!(number as usize, wanted.unwrap_or(seen.len()));
                if wanted.is_none() {
                    seen.push((first, second));
                }
            }
            prop_assert_eq!(dense.into_pairs(), seen);
        }
    }
}
