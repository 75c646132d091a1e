//! Numbers for pairs: (group so far, what comes next) becomes a group, in the order in which pairs are first met.

/// Tables of at most so many cells for each document are filled directly: looking up is then one step.
const CELLS_A_ROW: usize = 6;
/// Smaller tables are always worth it.
const SMALL_CELLS: usize = 1 << 16;
const FREE: u32 = u32::MAX;
const FEWEST_SLOTS: usize = 1 << 12;
/// 2^64 divided by the golden ratio: multiplying by it spreads neighbours.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
/// Look-ups that wait for memory together: about as many as a processor core has under way.
const TOGETHER: usize = 16;
/// Marks what one document alone has: it needs no looking up.
pub(super) const ALONE: u64 = 1 << 63;

/// Pairs and their numbers.
#[derive(Debug)]
pub(super) struct Numbering {
    cells: Cells,
    pairs: Vec<(u32, u64)>,
}

#[derive(Debug)]
enum Cells {
    /// A cell for every pair that there can be.
    /// One more than the number, 0 where there is none yet: memory that nobody wrote to costs nothing.
    Dense { width: usize, numbers: Vec<u32> },
    /// Open addressing: a pair and its number side by side, so that a look-up touches memory once.
    Slots { slots: Vec<Slot>, held: usize },
}

/// What became of numbers that were taken in.
#[derive(Debug)]
pub(super) enum Moved {
    /// Each is greater by so much.
    By(u32),
    To(Vec<u32>),
}

impl Moved {
    /// Gives rows the numbers that their groups have now.
    pub fn of_rows(&self, rows: &mut [u32]) {
        match self {
            Self::By(by) => {
                for row in rows {
                    *row = row.saturating_add(*by);
                }
            }
            Self::To(to) => {
                for row in rows {
                    *row = to.get(*row as usize).copied().unwrap_or(0);
                }
            }
        }
    }

    /// The number that a group has now.
    pub fn of(&self, group: u32) -> u32 {
        match self {
            Self::By(by) => group.saturating_add(*by),
            Self::To(to) => to.get(group as usize).copied().unwrap_or(0),
        }
    }
}

type Slot = (u64, u32, u32);
const EMPTY: Slot = (0, 0, FREE);

impl Numbering {
    /// For seconds below `width` after firsts below `height`.
    pub fn of(height: usize, width: Option<usize>, rows: usize) -> Self {
        let most = rows.saturating_mul(CELLS_A_ROW).max(SMALL_CELLS);
        let cells = width.and_then(|width| height.checked_mul(width));
        match (cells.filter(|cells| *cells <= most), width) {
            (Some(cells), Some(width)) => {
                Self { cells: Cells::Dense { width, numbers: vec![0; cells] }, pairs: Vec::new() }
            }
            _ => Self::of_hashes(),
        }
    }

    /// For seconds that are hashes.
    pub fn of_hashes() -> Self {
        Self {
            cells: Cells::Slots { slots: vec![EMPTY; FEWEST_SLOTS], held: 0 },
            pairs: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Takes in what others numbered that come behind, and says which numbers those have now.
    pub fn take_in(&mut self, others: Self) -> Moved {
        if others.pairs.iter().all(|(_, second)| second & ALONE != 0) {
            let by = u32::try_from(self.pairs.len()).unwrap_or(FREE - 1);
            self.pairs.extend_from_slice(&others.pairs);
            return Moved::By(by);
        }
        let (mut to, seconds): (Vec<u32>, Vec<u64>) = others.pairs.into_iter().unzip();
        self.number_all(&mut to, &seconds);
        Moved::To(to)
    }

    /// The pairs by their numbers.
    pub fn into_pairs(self) -> Vec<(u32, u64)> {
        self.pairs
    }

    /// Gives each of a few groups, with what comes next, its number.
    pub fn number_all(&mut self, groups: &mut [u32], seconds: &[u64]) {
        match &mut self.cells {
            Cells::Dense { width, numbers } => {
                for (group, second) in groups.iter_mut().zip(seconds) {
                    *group = dense(numbers, *width, &mut self.pairs, *group, *second);
                }
            }
            Cells::Slots { .. } => {
                for (groups, seconds) in groups.chunks_mut(TOGETHER).zip(seconds.chunks(TOGETHER)) {
                    self.number_few(groups, seconds);
                }
            }
        }
    }

    fn number_few(&mut self, groups: &mut [u32], seconds: &[u64]) {
        let mut likely = [EMPTY; TOGETHER];
        if let Cells::Slots { slots, .. } = &self.cells {
            let mask = slots.len().wrapping_sub(1);
            for (likely, (group, second)) in likely.iter_mut().zip(groups.iter().zip(seconds)) {
                if *second & ALONE == 0 {
                    let at = place(*group, *second, mask);
                    *likely = slots.get(at).copied().unwrap_or(EMPTY);
                }
            }
        }
        for (likely, (group, second)) in likely.iter().zip(groups.iter_mut().zip(seconds)) {
            *group = if likely.2 != FREE && (likely.0, likely.1) == (*second, *group) {
                likely.2
            } else {
                self.number(*group, *second)
            };
        }
    }

    pub fn number(&mut self, first: u32, second: u64) -> u32 {
        let next = u32::try_from(self.pairs.len()).unwrap_or(FREE - 1);
        if second & ALONE != 0 {
            self.pairs.push((first, second));
            return next;
        }
        match &mut self.cells {
            Cells::Dense { width, numbers } => {
                dense(numbers, *width, &mut self.pairs, first, second)
            }
            Cells::Slots { slots, held } => {
                if (*held + 1) * 4 > slots.len() * 3 {
                    grow(slots);
                }
                let mask = slots.len().wrapping_sub(1);
                let mut at = place(first, second, mask);
                loop {
                    match slots.get_mut(at) {
                        Some(slot) if slot.2 == FREE => {
                            *slot = (second, first, next);
                            *held += 1;
                            self.pairs.push((first, second));
                            return next;
                        }
                        Some(slot) if (slot.0, slot.1) == (second, first) => return slot.2,
                        Some(_) => at = (at + 1) & mask,
                        None => return 0,
                    }
                }
            }
        }
    }
}

fn dense(
    numbers: &mut [u32],
    width: usize,
    pairs: &mut Vec<(u32, u64)>,
    first: u32,
    second: u64,
) -> u32 {
    let next = u32::try_from(pairs.len()).unwrap_or(FREE - 1);
    if second & ALONE != 0 {
        pairs.push((first, second));
        return next;
    }
    let second_at = usize::try_from(second).unwrap_or(usize::MAX);
    let at = (first as usize).saturating_mul(width).saturating_add(second_at);
    let Some(number) = numbers.get_mut(at) else {
        return 0;
    };
    if *number == 0 {
        *number = next.saturating_add(1);
        pairs.push((first, second));
    }
    number.saturating_sub(1)
}

fn place(first: u32, second: u64, mask: usize) -> usize {
    let bits =
        (second ^ u64::from(first).wrapping_mul(SPREAD).rotate_left(32)).wrapping_mul(SPREAD);
    usize::try_from((bits ^ (bits >> 29)) >> 16).unwrap_or(0) & mask
}

fn grow(slots: &mut Vec<Slot>) {
    let length = slots.len() * 4;
    let mask = length - 1;
    let before = std::mem::replace(slots, vec![EMPTY; length]);
    for held in before.into_iter().filter(|slot| slot.2 != FREE) {
        let mut at = place(held.1, held.0, mask);
        while slots.get(at).is_some_and(|slot| slot.2 != FREE) {
            at = (at + 1) & mask;
        }
        if let Some(slot) = slots.get_mut(at) {
            *slot = held;
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
            pairs in prop::collection::vec((0_u32..60, 0_u64..200), 0..6000),
        ) {
            let mut dense = Numbering::of(60, Some(200), pairs.len());
            let mut sparse = Numbering::of_hashes();
            let mut together = Numbering::of_hashes();
            let (mut groups, seconds): (Vec<u32>, Vec<u64>) = pairs.iter().copied().unzip();
            together.number_all(&mut groups, &seconds);
            let mut seen: std::collections::HashMap<(u32, u64), u32> = std::collections::HashMap::new();
            let mut wanted_pairs = Vec::new();
            for (pair, group) in pairs.into_iter().zip(groups) {
                let number = dense.number(pair.0, pair.1);
                prop_assert_eq!(number, sparse.number(pair.0, pair.1));
                prop_assert_eq!(number, group);
                let next = u32::try_from(seen.len()).unwrap_or(0);
                let wanted = *seen.entry(pair).or_insert_with(|| {
                    wanted_pairs.push(pair);
                    next
                });
                prop_assert_eq!(number, wanted);
            }
            prop_assert_eq!(&dense.into_pairs(), &wanted_pairs);
            prop_assert_eq!(&together.into_pairs(), &wanted_pairs);
        }
    }
}
