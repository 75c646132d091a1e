//! The keys with most of the request units, where there are too many to hold each: a count-min sketch, and passes that follow.
//!
//! A sketch adds up whole numbers, so it is the same in whatever order workers bring the records. It never shows less than
//! a key used, so no key of at least the listed share is missed; it shows more by over 0.001 % of all for hardly any key, and
//! what is listed is counted exactly in the next pass.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::quality::FixedState;

use super::{Load, MAX_RU_KEYS, RuKey, WIDTHS};
use crate::model::names::Names;
use crate::model::units::{real, whole_u64};

/// A key is as large as its smallest sum.
const ROWS: usize = 4;
/// Sums of a row; a power of two. All take 8 MiB.
const COLUMNS: usize = 1 << 18;
/// Keys with at least this share of the RU of all keys are listed, if the cells of these few fit.
const FIRST_SHARE: f64 = 0.000_1;
/// Whole numbers of millionths add up to the same in any order.
const STEPS_PER_RU: f64 = 1e6;

#[derive(Clone, Copy, PartialEq, Debug)]
enum HeavyPass {
    /// RU are added up, and no key is listed.
    Counting,
    /// Keys with at least this number of steps are listed.
    Listing(u64),
    /// Even these had too many cells.
    Failed,
}

#[derive(Clone, Debug)]
pub(super) struct HeavyKeys {
    sums: Vec<u64>,
    total: u64,
    share: f64,
    pass: HeavyPass,
}

impl HeavyKeys {
    pub fn new() -> Self {
        Self { sums: vec![0; ROWS * COLUMNS], total: 0, share: 0.0, pass: HeavyPass::Counting }
    }

    /// Counts the RU of a key while they are added up.
    pub fn add(&mut self, key: &str, ru: f64) {
        if self.pass != HeavyPass::Counting {
            return;
        }
        let steps = whole_u64((ru * STEPS_PER_RU).round());
        self.total = self.total.saturating_add(steps);
        for place in places(key) {
            if let Some(sum) = self.sums.get_mut(place) {
                *sum = sum.saturating_add(steps);
            }
        }
    }

    /// Whether a key is one of those that are listed.
    pub fn lists(&self, key: &str) -> bool {
        let HeavyPass::Listing(least) = self.pass else {
            return false;
        };
        let sums = places(key).into_iter().filter_map(|place| self.sums.get(place));
        sums.min().is_some_and(|sum| *sum >= least)
    }

    /// Lists no key any more: the next pass lists fewer.
    pub fn give_up(&mut self) {
        if matches!(self.pass, HeavyPass::Listing(_)) {
            self.pass = HeavyPass::Failed;
        }
    }

    /// Frees the sums, once nothing more comes.
    pub fn forget(&mut self) {
        self.sums = Vec::new();
    }

    /// Whether the records have to be read once more, by which the keys that are listed now are counted.
    pub fn begins_pass(&mut self) -> bool {
        if matches!(self.pass, HeavyPass::Listing(_)) || self.share >= 1.0 {
            return false;
        }
        self.share = if self.share > 0.0 { self.share * 10.0 } else { FIRST_SHARE };
        self.pass = HeavyPass::Listing(whole_u64(real(self.total) * self.share));
        true
    }
}

/// One sum in each row; the parts of one hash choose them.
fn places(key: &str) -> [usize; ROWS] {
    let hash = FixedState::default().hash_one(key);
    let step = (hash >> 32) | 1;
    std::array::from_fn(|row| {
        let at = hash.wrapping_add(step.wrapping_mul(row as u64)) % COLUMNS as u64;
        row * COLUMNS + usize::try_from(at).unwrap_or(0)
    })
}

impl Load {
    /// The key that a record counts for.
    pub(super) fn ru_key(&mut self, key: &str, ru: f64) -> RuKey {
        if key.is_empty() {
            return RuKey::NotReported;
        }
        if self.heavy.as_ref().is_none_or(|heavy| heavy.lists(key)) {
            if let Some(number) = self.keys.number(key, MAX_RU_KEYS) {
                return RuKey::Named(number);
            }
            self.list_fewer();
        }
        if let Some(heavy) = &mut self.heavy {
            heavy.add(key, ru);
        }
        RuKey::Other
    }

    /// More keys or cells than are held: no key is listed until the records are read again.
    pub(super) fn list_fewer(&mut self) {
        let mut heavy = self.heavy.take().unwrap_or_else(HeavyKeys::new);
        heavy.give_up();
        let keys = std::mem::take(&mut self.keys);
        self.regroup(|cell, sum| {
            if let RuKey::Named(number) = cell.key {
                heavy.add(keys.text(number), sum.ru);
                cell.key = RuKey::Other;
            }
        });
        self.heavy = Some(heavy);
    }

    /// Whether the RU records have to be read again from the first on, because of too many keys: then none of them is held.
    pub fn begins_ru_pass(&mut self) -> bool {
        if !self.heavy.as_mut().is_some_and(HeavyKeys::begins_pass) {
            return false;
        }
        (self.ru, self.keys, self.ru_width_s) = (HashMap::new(), Names::default(), WIDTHS[0]);
        self.marks.forget();
        true
    }

    /// Keys with at least this share of the RU of all keys are listed; None where all keys are.
    pub fn listed_share(&self) -> Option<f64> {
        self.heavy.as_ref().map(|heavy| heavy.share)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::collections::BTreeMap;

    use super::super::{MAX_CELLS, RuLog, RuRecord};
    use super::*;
    use crate::model::time::Stamp;

    fn add(load: &mut Load, key: &str, second: i64, ru: f64) {
        load.add_ru(&RuRecord {
            container: 0,
            log: RuLog::OwnTable,
            region: 0,
            range: "3",
            key,
            operation: "Create",
            at: Stamp::from_seconds(second),
            ru,
            mark: None,
        });
    }

    /// RU and records of each key in each second; of keys that are not listed together.
    fn figures(load: &Load) -> BTreeMap<(String, Option<i64>), (f64, u64)> {
        let name = |key| match key {
            RuKey::Named(number) => load.keys.text(number).to_owned(),
            RuKey::NotReported | RuKey::Other => String::new(),
        };
        let cells = load.ru.iter();
        cells.map(|(cell, sum)| ((name(cell.key), cell.second), (sum.ru, sum.records))).collect()
    }

    /// 450,000 keys are seen once each, and then one takes 85 % of the RU.
    #[test]
    fn a_key_that_starts_late_is_listed_exactly_in_whatever_order_records_come() {
        const KEYS: u64 = 450_000;
        const RECORDS: u64 = 500_000;
        let read = |stride: u64| {
            let mut load = Load::default();
            let mut passes = 1;
            loop {
                for at in (0..RECORDS).map(|n| n * stride % RECORDS) {
                    let second = i64::try_from(at / 1_000).unwrap();
                    match at {
                        0..KEYS => add(&mut load, &format!("[\"k{at}\"]"), second, 10.0),
                        _ => add(&mut load, "[\"hot\"]", second, 500.0),
                    }
                }
                if !load.begins_ru_pass() {
                    break;
                }
                passes += 1;
            }
            load.close();
            assert_eq!((passes, load.listed_share()), (2, Some(FIRST_SHARE)));
            (load.ru_width_s, load.keys.len(), figures(&load))
        };
        let found = read(1);
        assert_eq!(found, read(7_919));
        let (width_s, keys, figures) = found;
        assert_eq!((width_s, keys, figures.len()), (1, 1, 500));
        let of_hot = |((key, _), _): &(&(String, Option<i64>), &(f64, u64))| !key.is_empty();
        let (hot, others): (Vec<_>, Vec<_>) = figures.iter().partition(of_hot);
        let sum = |of: &[(_, &(f64, u64))]| {
            of.iter().fold((0.0, 0), |sum, (_, held)| (sum.0 + held.0, sum.1 + held.1))
        };
        assert_eq!(sum(&hot), (25_000_000.0, 50_000));
        assert_eq!(sum(&others), (4_500_000.0, 450_000));
    }

    #[test]
    fn cells_that_cannot_be_wider_are_of_fewer_keys() {
        let mut load = Load::default();
        let keys: Vec<String> = (0..5_000).map(|n| format!("[\"k{n}\"]")).collect();
        for hour in 0..=100 {
            for key in &keys {
                add(&mut load, key, hour * 3_600, 1.0);
            }
        }
        assert!(load.ru.len() < MAX_CELLS, "{}", load.ru.len());
        assert!((load.ru.values().map(|sum| sum.ru).sum::<f64>() - 505_000.0).abs() < 1e-6);
        assert!(load.begins_ru_pass() && load.ru.is_empty());
    }

    #[test]
    fn each_pass_lists_fewer_keys_than_one_that_failed() {
        let mut heavy = HeavyKeys::new();
        for (key, ru) in [("a", 0.9), ("b", 0.099), ("c", 0.000_9), ("d", 0.000_1)] {
            heavy.add(key, ru * 1_000.0);
        }
        for listed in ["abcd", "ab", "ab", "a", ""] {
            assert!(heavy.begins_pass());
            let found: String = "abcd".chars().filter(|c| heavy.lists(&c.to_string())).collect();
            assert_eq!(found, listed, "{}", heavy.share);
            assert!(!heavy.begins_pass(), "it was enough");
            heavy.give_up();
            assert!(!heavy.lists("a"));
        }
        assert!(!heavy.begins_pass(), "there is nothing left to leave out");
    }
}
