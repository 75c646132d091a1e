//! One partition in time: what it serves of its load, what is throttled, and what clients repeat.

use std::ops::Range;

use super::cycle::ServerMean;
use super::{LapseEventKind, LoadMoment, LoadTerms, LoadTotals, part};
use crate::analysis::throttling::expected_excess;
use crate::model::ru_bucket::RuBucket;
use crate::model::time::SECONDS_PER_HOUR;
use crate::model::units::real_seconds;

/// Load this many deviations off a limit is not on its other side by chance.
const FAR: f64 = 6.0;

/// A step of the cycle in which a partition has load.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct LoadStep {
    /// Seconds after the cycle begins, `[from, to)`.
    pub from: i64,
    pub to: i64,
    /// Before it is multiplied.
    pub ru_per_second: f64,
}

/// How the cycle of load runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct CyclePace {
    pub cycle_s: i64,
    pub factor: f64,
    /// Mean RU of a request; 0 where it is unknown.
    pub charge: f64,
}

/// What one second comes to.
struct Second {
    totals: LoadTotals,
    /// The part of the RU/s that is used.
    used: f64,
    /// The next second with the same load comes to the same.
    is_steady: bool,
}

/// One partition and its RU.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Server {
    pub slot: u32,
    capacity: f64,
    /// In the order of time.
    loads: Vec<LoadStep>,
    /// Of first attempts alone: DEMAND's throttled share.
    alone: RuBucket,
    /// With what is asked again.
    all: RuBucket,
    /// By how often it was throttled before.
    waiting: Vec<f64>,
    waiting_ru: f64,
    pub totals: LoadTotals,
    pub has_throttled: bool,
    pub has_burst: bool,
    /// None until its cycle has run, and where seconds are followed one by one.
    pub mean: Option<ServerMean>,
}

/// RU that a bucket does not serve of a second's load.
fn beyond(bucket: &mut RuBucket, load: f64, variance: f64) -> f64 {
    bucket.begin_second();
    let off = load - bucket.left;
    let beyond = if variance <= 0.0 || off * off > FAR * FAR * variance {
        off.max(0.0)
    } else {
        expected_excess(load, variance, bucket.left)
    };
    bucket.left = (bucket.left - (load - beyond)).max(0.0);
    beyond
}

impl Server {
    /// Without load.
    pub fn new(slot: u32, capacity: f64, terms: &LoadTerms) -> Self {
        let bucket = RuBucket::of(capacity, terms.is_burst);
        Self {
            slot,
            capacity,
            loads: Vec::new(),
            alone: bucket,
            all: bucket,
            waiting: vec![0.0; usize::from(terms.retries)],
            waiting_ru: 0.0,
            totals: LoadTotals::default(),
            has_throttled: false,
            has_burst: false,
            mean: None,
        }
    }

    /// From now on it has other RU/s and loads; None where these stay.
    pub fn set(&mut self, capacity: f64, loads: Option<Vec<LoadStep>>, terms: &LoadTerms) {
        if let Some(loads) = loads.filter(|loads| *loads != self.loads) {
            (self.loads, self.mean) = (loads, None);
        }
        if (self.capacity - capacity).abs() >= 1e-9 {
            let bucket = RuBucket::of(capacity, terms.is_burst);
            (self.capacity, self.alone, self.all, self.mean) = (capacity, bucket, bucket, None);
        }
    }

    fn second(&mut self, load: f64, variance: f64) -> Second {
        #[cfg(test)]
        crate::model::work::count(crate::model::work::Work::SecondFollowed);
        let before = (self.alone, self.all);
        let is_alike = self.waiting_ru <= 0.0 && self.alone == self.all;
        let throttled = beyond(&mut self.alone, load, variance);
        let attempts = load + self.waiting_ru;
        let lost = if is_alike {
            self.all = self.alone;
            throttled
        } else {
            beyond(&mut self.all, attempts, variance)
        };
        let mut totals =
            LoadTotals { requested: load, throttled, attempts, ..LoadTotals::default() };
        let mut is_steady = before == (self.alone, self.all);
        if lost > 0.0 || self.waiting_ru > 0.0 {
            totals.attempts_throttled = lost;
            is_steady &= self.repeat(load, part(lost, attempts), &mut totals);
        }
        Second { totals, used: ((attempts - lost) / self.capacity).min(1.0), is_steady }
    }

    /// What was throttled waits for the next second, as old requests as new ones; returns whether as much of each waited
    /// before.
    fn repeat(&mut self, load: f64, lost: f64, totals: &mut LoadTotals) -> bool {
        let (mut before, mut is_steady) = (load, true);
        self.waiting_ru = 0.0;
        for waiting in &mut self.waiting {
            let ru = std::mem::replace(waiting, before * lost);
            is_steady &= ru.to_bits() == waiting.to_bits();
            self.waiting_ru += *waiting;
            before = ru;
        }
        totals.failed = before * lost;
        totals.waited = self.waiting_ru;
        if self.waiting_ru < 1e-9 {
            self.waiting.fill(0.0);
            self.waiting_ru = 0.0;
        }
        is_steady
    }

    /// Follows the load over `[from, to)`, which counts from the begin of a cycle. `hour` gets a second of each hour and the
    /// largest part of the RU/s that is used in one of its seconds.
    pub fn run(
        &mut self,
        from: i64,
        to: i64,
        pace: &CyclePace,
        out: &mut Vec<LoadMoment>,
        mut hour: impl FnMut(i64, f64),
    ) {
        let (mut at, mut second) = (from, from.rem_euclid(pace.cycle_s));
        let mut hour_ends = (at.div_euclid(SECONDS_PER_HOUR) + 1) * SECONDS_PER_HOUR;
        let mut next = self.loads.partition_point(|step| step.from <= second);
        while at < to {
            while self.loads.get(next).is_some_and(|step| step.from <= second) {
                next += 1;
            }
            let ends = self.loads.get(next).map_or(pace.cycle_s, |step| step.from);
            let now = next.checked_sub(1).and_then(|at| self.loads.get(at));
            let now = now.filter(|step| second < step.to);
            let (load, ends) = now
                .map_or((0.0, ends), |step| (step.ru_per_second * pace.factor, step.to.min(ends)));
            let end = (at + ends.min(pace.cycle_s) - second).min(to).min(hour_ends);
            hour(at, self.hold(load, at..end, pace, out));
            second += end - at;
            at = end;
            if second >= pace.cycle_s {
                (second, next) = (0, 0);
            }
            if at >= hour_ends {
                hour_ends += SECONDS_PER_HOUR;
            }
        }
    }

    /// Seconds with the same load. Follows them one by one while requests are throttled or wait, else skips ahead. Returns the
    /// largest share of the RU/s that is used.
    fn hold(
        &mut self,
        load: f64,
        mut span: Range<i64>,
        pace: &CyclePace,
        out: &mut Vec<LoadMoment>,
    ) -> f64 {
        let mut most = 0.0_f64;
        while let Some(at_s) = span.next() {
            let found = self.second(load, load * pace.charge);
            let throttled = found.totals.throttled;
            most = most.max(found.used);
            self.totals.add(&found.totals, 1.0);
            self.report(at_s, load, throttled, pace.charge, out);
            if found.is_steady && (self.has_throttled || throttled <= 0.0) {
                self.totals.add(&found.totals, real_seconds(span.end - span.start));
                break;
            }
            if throttled <= 0.0 && self.waiting_ru <= 0.0 && self.alone == self.all {
                let spare = FAR * (load * pace.charge).sqrt();
                let passed = self.alone.skip(load, spare, span.end - span.start);
                self.all = self.alone;
                self.totals.add(&found.totals, real_seconds(passed));
                span.start += passed;
            }
        }
        most
    }

    fn report(
        &mut self,
        at_s: i64,
        ru_per_second: f64,
        throttled: f64,
        charge: f64,
        out: &mut Vec<LoadMoment>,
    ) {
        let (slot, limit) = (self.slot, self.capacity);
        let mut add = |kind| {
            out.push(LoadMoment { at_s, kind, slot, key: None, ru_per_second, limit });
        };
        if !self.has_burst && self.alone.is_drained() && throttled > 0.0 {
            self.has_burst = true;
            add(LapseEventKind::BurstUsed);
        }
        // By chance a part of a request is throttled now and then: the first whole one counts.
        if !self.has_throttled && self.totals.throttled > charge.max(1e-6 * limit) {
            self.has_throttled = true;
            add(LapseEventKind::Throttled);
        }
    }
}
