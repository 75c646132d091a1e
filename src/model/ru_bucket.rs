//! RU of a physical partition second by second, with those that burst capacity saves.

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
