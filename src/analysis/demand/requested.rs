//! RU/s requested of a partition in each second of a total of 429s, from what it served, the course of the others and how often
//! clients repeat.

use std::collections::BTreeMap;

use crate::model::order::bisected;
use crate::model::units::{as_number, whole_u64};

/// A partition that throttled nearly everything would be thought endlessly busy.
const MOST_THROTTLED: f64 = 0.95;
/// What partitions with room have of the demand at least, to show the course of all.
const LEAST_WITH_ROOM: f64 = 0.05;
/// In a stretch in which no partition has room the load rises and falls over steps at its ends.
const REACH: f64 = 5.0;
/// A client that repeats for longer is not waited for.
const MOST_RETRIES: f64 = 30.0;

/// What a partition served in a step of the log.
#[derive(Clone, Debug)]
pub struct ServedStep {
    /// Where in [`super::Demand::loads`].
    pub loads: std::ops::Range<usize>,
    pub second: i64,
    pub served: f64,
    /// It served all it could. Its last request may overdraw a second, since charges are not known before; that is missing
    /// in the next second.
    pub is_full: bool,
}

/// Value `n` of a standard normal distribution, such that those of any stretch fill it evenly.
fn quantile(n: usize) -> f64 {
    // Parts of a golden section; the power is close to the normal distribution's quantiles.
    let part = (as_number(n) * 0.618_033_988_749_895).fract();
    4.91 * (part.powf(0.14) - (1.0 - part).powf(0.14))
}

/// A step of a partition.
struct PartitionLoad {
    second: i64,
    /// Where it had room.
    served: f64,
    /// By how much more or less is requested than at the highest, where it served all it could.
    course: Option<f64>,
    /// By chance.
    off: f64,
}

/// A partition whose clients repeat what gets 429, a second later each time.
#[derive(Clone, Debug)]
pub struct RepeatQueue {
    retries: f64,
    /// Requests vary by chance as if each had this charge.
    charge: f64,
    /// RU/s where it serves all it can.
    most: f64,
    step_s: u32,
    /// RU that wait, first those that got 429 once.
    waiting: Vec<f64>,
    next: i64,
    got_429: f64,
}

impl RepeatQueue {
    pub fn new(retries: f64, charge: f64, step_s: u32) -> Self {
        let repeated = usize::try_from(whole_u64(retries.min(MOST_RETRIES))).unwrap_or(0);
        let waiting = vec![0.0; repeated];
        Self { retries, charge, most: 0.0, step_s, waiting, next: i64::MIN, got_429: 0.0 }
    }

    /// RU/s requested in each of these steps, in which this part of the RU of all attempts got 429. It lies where the partition
    /// served all it could, and follows the course of the others.
    pub fn demand(
        &mut self,
        steps: &[ServedStep],
        share: f64,
        capacity: f64,
        course: &DemandCourse,
    ) -> Vec<f64> {
        let full = || steps.iter().filter(|s| s.is_full);
        let all: f64 = steps.iter().map(|s| s.served).sum();
        let in_full: f64 = full().map(|s| s.served).sum();
        let in_others = all - in_full;
        let count = as_number(full().count());
        if count <= 0.0 || self.retries > MOST_RETRIES {
            let lost = lost_share(share, self.retries);
            return steps.iter().map(|s| s.served / (1.0 - lost)).collect();
        }
        // Where it served all it could it had the RU/s of the partition; what was overdrawn counts in the other seconds.
        let overdrawn = in_full - count * capacity;
        let is_small = in_others > 10.0 * overdrawn.abs();
        let (served, factor) =
            if is_small { (capacity, 1.0 + overdrawn / in_others) } else { (in_full / count, 1.0) };
        let got_429 = all * share / (1.0 - share);
        let most = MOST_THROTTLED.powf(1.0 / (self.retries + 1.0));
        let got_429 = got_429.min(in_full * most / (1.0 - most));
        let lost = lost_share(got_429 / (got_429 + in_full), self.retries);
        // 429s are counted over a step: requests vary by the second as far as chance lets them.
        let deviation = (served / (1.0 - lost) * self.charge).sqrt();
        let course = |s: &ServedStep| course.get(&s.second).copied().unwrap_or(1.0);
        let highest = full().map(course).fold(f64::MIN_POSITIVE, f64::max);
        let load = |(n, s): (usize, &ServedStep)| PartitionLoad {
            second: s.second,
            served: s.served * factor,
            course: s.is_full.then(|| course(s) / highest),
            off: quantile(n) * deviation,
        };
        let loads: Vec<PartitionLoad> = (1..).zip(steps).map(load).collect();
        let off = loads.iter().map(|of| of.off.abs()).fold(0.0, f64::max);
        (self.most, self.got_429) = (served, 0.0);
        let is_below = |level: f64| {
            let mut queue = self.clone();
            for load in &loads {
                queue.take(load, level);
            }
            queue.got_429 < got_429
        };
        let [_, high] = bisected([0.0, served + got_429 + off], 50, is_below);
        loads.iter().map(|of| self.take(of, high)).collect()
    }

    /// Returns what is requested in a step for the first time, if so much is at the highest.
    fn take(&mut self, load: &PartitionLoad, level: f64) -> f64 {
        if load.second != self.next {
            self.waiting.fill(0.0);
        }
        self.next = load.second.saturating_add(i64::from(self.step_s));
        let mut requested = 0.0;
        for _ in 0..self.step_s {
            let waiting: f64 = self.waiting.iter().sum();
            let first = match load.course {
                // Without a queue nothing is served that is not requested in that second.
                Some(course) if self.waiting.is_empty() => {
                    (course * level + load.off).max(self.most)
                }
                Some(course) => (course * level + load.off).max(0.0),
                // With what waited.
                None => (load.served - waiting).max(0.0),
            };
            let part = (1.0 - self.most / (first + waiting)).max(0.0);
            let mut again = first * part;
            for of in &mut self.waiting {
                again = std::mem::replace(of, again) * part;
            }
            self.got_429 += (first + waiting) * part / f64::from(self.step_s);
            requested += first;
        }
        requested / f64::from(self.step_s)
    }
}

/// The part of the RU requested that is lost after all retries, of this share of 429s.
pub fn lost_share(throttled: f64, retries: f64) -> f64 {
    throttled.powf(retries + 1.0).min(MOST_THROTTLED)
}

/// By how much more or less than on average is requested in each second, by what partitions served that had room.
pub type DemandCourse = BTreeMap<i64, f64>;

#[derive(Debug, Default)]
pub struct CourseSums {
    /// RU/s served by partitions with room, and RU requested over all seconds of those without.
    seconds: BTreeMap<i64, [f64; 2]>,
    /// RU requested of all, over all seconds.
    requested: f64,
}

impl CourseSums {
    /// Takes the steps of a partition, of which so much was requested in all.
    pub fn add(&mut self, steps: &[ServedStep], requested: f64) {
        self.requested += requested;
        for step in steps {
            let [served, without_room] = self.seconds.entry(step.second).or_default();
            if step.is_full {
                *without_room += requested;
            } else {
                *served += step.served;
            }
        }
    }

    /// Requests arrive by chance as if each had this charge.
    pub fn course(self, charge: f64) -> DemandCourse {
        let count = as_number(self.seconds.len());
        let (mut known, mut sum, mut all, mut chance) = (0.0, 0.0, 0.0, 0.0);
        let of = |[served, without_room]: [f64; 2]| {
            let with_room = self.requested - without_room;
            let mean = with_room / count;
            let is_known = with_room > LEAST_WITH_ROOM * self.requested;
            is_known.then(|| (served / mean, charge / mean))
        };
        let parts: Vec<Option<(f64, f64)>> = self.seconds.values().map(|sums| of(*sums)).collect();
        let mut highest = 0.0_f64;
        for (part, noise) in parts.iter().flatten() {
            known += 1.0;
            sum += part;
            highest = highest.max(*part);
            all += (part - 1.0).powi(2);
            chance += part * noise;
        }
        // Only what chance does not explain is a course; the mean of all seconds is one.
        let certain = if all > chance { 1.0 - chance / all } else { 0.0 };
        let without_room =
            if known > 0.0 { ((count - sum) / (count - known)).max(1.0) } else { 1.0 };
        let distances = distances(parts.iter().map(Option::is_some));
        let distant: f64 = distances.iter().sum();
        let mean = distant / (count - known);
        let highest = highest.min(without_room);
        let at = |(part, distance): (Option<(f64, f64)>, f64)| match part {
            Some((part, _)) => 1.0 + certain * (part - 1.0),
            None => highest + (without_room - highest) * distance / mean,
        };
        let by_second = self.seconds.into_keys().zip(parts.into_iter().zip(distances).map(at));
        by_second.collect()
    }
}

/// How far each is from the next that is known, of which a few steps count.
fn distances(known: impl DoubleEndedIterator<Item = bool> + Clone) -> Vec<f64> {
    let count = |known: bool, last: &mut f64| {
        *last = if known { 0.0 } else { (*last + 1.0).min(REACH) };
        Some(*last)
    };
    let forth = known.clone().scan(REACH, |last, is| count(is, last));
    let mut back: Vec<f64> = known.rev().scan(REACH, |last, is| count(is, last)).collect();
    back.reverse();
    forth.zip(back).map(|(a, b)| a.min(b)).collect()
}
