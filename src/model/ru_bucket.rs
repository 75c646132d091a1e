//! RU of a physical partition second by second, with those that burst capacity saves.

use super::units::{real_seconds, whole_u64};

/// RU/s that a partition may use when it bursts, and below which it may.
const BURST_RU_PER_SECOND: f64 = 3_000.0;
const BURST_BUCKET_SECONDS: f64 = 300.0;

/// RU of a partition second by second. The last request may overdraw a second, as its charge is not known before it is
/// served; that is missing in the next one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RuBucket {
    ru_per_second: f64,
    /// Unused RU that may be held.
    most_saved: f64,
    pub saved: f64,
    /// In this second.
    pub left: f64,
}

impl RuBucket {
    pub fn new(ru_per_second: f64) -> Self {
        Self { ru_per_second, most_saved: 0.0, saved: 0.0, left: 0.0 }
    }

    /// As a partition begins: where the account has burst capacity and it can burst, full of unused RU.
    pub fn of(ru_per_second: f64, is_burst: bool) -> Self {
        let full = Self::full(ru_per_second).filter(|_| is_burst);
        full.unwrap_or_else(|| Self::new(ru_per_second))
    }

    /// Full of unused RU; None where a partition does not burst. Bursts are not guaranteed, and a feature of the account.
    pub fn full(ru_per_second: f64) -> Option<Self> {
        let saved = ru_per_second * BURST_BUCKET_SECONDS;
        let bursts = (0.0..BURST_RU_PER_SECOND).contains(&ru_per_second);
        bursts.then(|| Self { most_saved: saved, saved, ..Self::new(ru_per_second) })
    }

    pub fn begin_second(&mut self) {
        let overdrawn = self.left.min(0.0);
        self.saved = (self.saved + self.left.max(0.0)).min(self.most_saved);
        let more = (BURST_RU_PER_SECOND - self.ru_per_second).max(0.0);
        let more = more.min(self.saved);
        self.saved -= more;
        self.left = self.ru_per_second + more + overdrawn;
    }

    /// Passes seconds with the same load, as long as each leaves more than `spare`; returns how many of them it passed. Call it
    /// after a second that was served whole.
    pub fn skip(&mut self, load: f64, spare: f64, seconds: i64) -> i64 {
        let (held, rise) = (self.saved + self.left, self.ru_per_second - load);
        let (passed, held) = if rise >= 0.0 {
            (seconds, (held + real_seconds(seconds) * rise).min(self.most_saved + rise))
        } else {
            let held = held.min(self.most_saved);
            let until = (held - (spare - rise)) / -rise;
            let passed = seconds.min(i64::try_from(whole_u64(until.floor())).unwrap_or(seconds));
            (passed, held + real_seconds(passed) * rise)
        };
        if passed > 0 {
            let more = (BURST_RU_PER_SECOND - self.ru_per_second).max(0.0);
            self.saved = (held - rise - more).max(0.0);
            self.left = held - self.saved;
        }
        passed
    }

    /// Whether it may save unused RU, and has none left.
    pub fn is_drained(&self) -> bool {
        self.most_saved > 0.0 && self.saved <= 0.0
    }

    /// What is not served of a second's load.
    pub fn beyond(&mut self, load: f64) -> f64 {
        self.begin_second();
        let beyond = (load - self.left).max(0.0);
        self.left = (self.left - load).max(0.0);
        beyond
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_passed_at_once_are_those_passed_one_by_one() {
        for (ru, is_burst) in [(400.0, true), (400.0, false), (2_900.0, true), (10_000.0, true)] {
            for load in [0.0, 150.0, 400.0, 401.0, 1_000.0, 2_950.0, 3_000.0, 9_000.0] {
                for used in [0_i32, 1, 40, 299, 2_000] {
                    let mut at_once = RuBucket::of(ru, is_burst);
                    (0..used).for_each(|_| {
                        at_once.beyond(ru * 1.5);
                    });
                    if at_once.beyond(load) > 0.0 {
                        continue;
                    }
                    let mut one_by_one = at_once;
                    let passed = at_once.skip(load, 0.0, 1_000);
                    let beyond: f64 = (0..passed).map(|_| one_by_one.beyond(load)).sum();
                    let case = format!("{ru} {is_burst} {load} {used}: {passed}");
                    assert!(beyond < 1e-6, "{case}");
                    assert!((at_once.left - one_by_one.left).abs() < 1e-6, "{case}");
                    assert!((at_once.saved - one_by_one.saved).abs() < 1e-4, "{case}");
                    let is_throttled = (0..2).any(|_| one_by_one.beyond(load) > 0.0);
                    assert!(passed == 1_000 || is_throttled, "{case}");
                }
            }
        }
    }
}
