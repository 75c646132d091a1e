//! Request units by key, summed over regions, ranges and operations of the logs.

use std::collections::HashMap;

use crate::model::load::{Load, RuKey};

/// Sums are kept in millionths, in whole numbers: the same in whatever order a map gives its cells.
const STEPS_PER_RU: f64 = 1e6;

/// What the RU logs tell of keys.
#[derive(Debug, Default)]
pub struct KeyRu {
    by_key: HashMap<(u32, RuKey), u128>,
    by_container: HashMap<u32, u128>,
}

impl KeyRu {
    pub fn of(load: &Load) -> Self {
        let mut out = Self::default();
        for (cell, sum) in &load.ru {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "the cast saturates, and what is negative or no number counts nothing"
            )]
            let steps = (sum.ru * STEPS_PER_RU) as u128;
            for held in [
                out.by_key.entry((cell.container, cell.key)).or_default(),
                out.by_container.entry(cell.container).or_default(),
            ] {
                *held = held.saturating_add(steps);
            }
        }
        out
    }

    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// RU of a key by its canonical text, empty for records without a key. None where no record names it, which is not
    /// zero: logs may be off, or hold more keys than are told apart.
    pub fn of_key(&self, load: &Load, container: u32, canonical: &str) -> Option<f64> {
        if self.by_key.is_empty() {
            return None;
        }
        let key = if canonical.is_empty() {
            RuKey::NotReported
        } else {
            RuKey::Named(load.keys.find(canonical)?)
        };
        self.by_key.get(&(container, key)).map(|steps| ru(*steps))
    }

    /// RU of all records of a container.
    pub fn of_container(&self, container: u32) -> Option<f64> {
        self.by_container.get(&container).map(|steps| ru(*steps))
    }
}

fn ru(steps: u128) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a sum is read to a few digits")]
    let steps = steps as f64;
    steps / STEPS_PER_RU
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::model::load::{RuLog, RuRecord};

    #[test]
    fn request_units_add_up_over_regions_and_absence_is_not_zero() {
        let mut load = Load::default();
        for (region, key, ru) in [(0, "[\"a\"]", 5.1), (1, "[\"a\"]", 2.2), (0, "", 1.0)] {
            load.add_ru(&RuRecord {
                container: 3,
                log: RuLog::OwnTable,
                region,
                range: "0",
                key,
                operation: "Read",
                at: None,
                ru,
                mark: None,
            });
        }
        let sums = KeyRu::of(&load);
        let near = |ru: Option<f64>, expected: f64| (ru.unwrap() - expected).abs() < 1e-5;
        assert!(near(sums.of_key(&load, 3, "[\"a\"]"), 7.3));
        assert!(near(sums.of_key(&load, 3, ""), 1.0));
        assert!(near(sums.of_container(3), 8.3));
        assert_eq!(sums.of_key(&load, 3, "[\"b\"]"), None);
        assert_eq!(sums.of_key(&load, 2, "[\"a\"]"), None);
        assert!(KeyRu::of(&Load::default()).is_empty());
    }
}
