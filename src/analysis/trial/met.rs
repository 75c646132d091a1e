//! How often the commonest of a few documents' groups is met, hour by hour. What is counted in stays near the processor: of
//! millions of groups an hour meets a few thousand.

/// Up to so many groups each has a place of its own.
const MOST_PLACES: usize = 1 << 17;
/// 2^64 divided by the golden ratio: multiplying by it spreads neighbours.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Room to count in: the hour in which a group was met last, and how often in it.
#[derive(Debug)]
pub(super) struct Met {
    groups: usize,
    hour: u32,
    places: Vec<(u32, u32)>,
    /// Hour, group and how often; open addressing. Empty where each group has a place.
    slots: Vec<(u32, u32, u32)>,
}

impl Met {
    /// For so many groups.
    pub fn of(groups: usize) -> Self {
        Self {
            groups,
            hour: 0,
            places: Vec::new(),
            slots: Vec::new(),
        }
    }

    /// How often the commonest of them is met.
    pub fn most(&mut self, met: impl ExactSizeIterator<Item = u32>) -> u32 {
        self.hour += 1;
        let slots = (met.len() * 2).next_power_of_two();
        if self.groups <= MOST_PLACES.max(slots) {
            self.most_by_place(met)
        } else {
            if self.slots.len() < slots {
                self.slots.clear();
                self.slots.resize(slots, (0, 0, 0));
            }
            self.most_by_slot(met)
        }
    }

    fn most_by_place(&mut self, met: impl Iterator<Item = u32>) -> u32 {
        self.places.resize(self.groups, (0, 0));
        let mut most = 0;
        for group in met {
            if let Some((hour, count)) = self.places.get_mut(group as usize) {
                *count = if *hour == self.hour { *count + 1 } else { 1 };
                *hour = self.hour;
                most = most.max(*count);
            }
        }
        most
    }

    fn most_by_slot(&mut self, met: impl Iterator<Item = u32>) -> u32 {
        let mask = self.slots.len() - 1;
        let mut most = 0;
        for group in met {
            let mut at = place(group) & mask;
            while let Some((hour, held, count)) = self.slots.get_mut(at) {
                if *hour != self.hour {
                    (*hour, *held, *count) = (self.hour, group, 1);
                } else if *held == group {
                    *count += 1;
                } else {
                    at = (at + 1) & mask;
                    continue;
                }
                most = most.max(*count);
                break;
            }
        }
        most
    }
}

fn place(group: u32) -> usize {
    usize::try_from(u64::from(group).wrapping_mul(SPREAD) >> 36).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_commonest_is_found_however_it_is_counted(
            hours in prop::collection::vec(prop::collection::vec(0_u32..300_000, 0..200), 1..6),
            alike in prop::collection::vec(0_u32..300_000, 0..60),
        ) {
            let (mut few, mut many) = (Met::of(300_000), Met::of(usize::MAX));
            for mut hour in hours {
                hour.extend(alike.iter().map(|group| group % 7 * 40_000));
                let often = |group: &u32| hour.iter().filter(|g| *g == group).count();
                let wanted = hour.iter().map(often).max().unwrap_or(0);
                let all = hour.iter().copied();
                prop_assert_eq!(few.most_by_place(all.clone()) as usize, wanted);
                few.hour += 1;
                prop_assert_eq!(many.most(all) as usize, wanted);
            }
        }
    }
}
