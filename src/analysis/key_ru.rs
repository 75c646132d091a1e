//! Request units by key, summed over regions, ranges and operations of the logs.

use std::collections::HashMap;

use super::skew::StepSum;
use crate::model::load::{Load, RuKey};

/// A sum of RU, kept in millionths: maps give their cells in any order.
type RuSum = StepSum<1_000_000>;

/// What the RU logs tell of keys.
#[derive(Debug, Default)]
pub struct KeyRu {
    by_key: HashMap<(u32, RuKey), RuSum>,
    by_container: HashMap<u32, RuSum>,
}

impl KeyRu {
    pub fn of(load: &Load) -> Self {
        let mut out = Self::default();
        for (cell, sum) in &load.ru {
            out.by_key.entry((cell.container, cell.key)).or_default().add(sum.ru);
            out.by_container.entry(cell.container).or_default().add(sum.ru);
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
        self.by_key.get(&(container, key)).map(|sum| sum.value())
    }

    /// RU of all records of a container.
    pub fn of_container(&self, container: u32) -> Option<f64> {
        self.by_container.get(&container).map(|sum| sum.value())
    }
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
