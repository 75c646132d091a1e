//! How much larger each key is at a later date, from when its documents were written.
//!
//! A key that is still written grows on as it grew so far. Where keys live for a while only (a month's key, whatever
//! property it is made of), a key grows until it is as old as the oldest ones became; where a key is made of a date, until
//! that date's unit is over.

use super::super::candidate::{Candidate, LevelPart};
use super::super::growth::HORIZON_DAYS;
use super::super::trial::{DocumentKeys, Settings, Trials};
use crate::model::time::{DAY_S, Stamp};
use crate::model::units::real_seconds;

/// Documents of less time tell no growth.
const LEAST_DAYS: f64 = 1.0;
/// Keys of which the oldest spans less of all the time are keys of a while.
const WHOLE_TIME: f64 = 0.8;
/// A key without documents in this last part of its life is no longer written.
const SILENT: f64 = 0.1;

/// What is known of growth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum KnownGrowth {
    /// Nobody asked for a later date.
    NotProjected,
    /// Nothing tells when documents were written, or all in less than a day.
    Unknown,
    /// Keys that are written now go on until then.
    GoesOn { from: Stamp, until: Stamp },
    /// The most days that keys live: by how long documents are kept, else by their own times.
    LivesDays { from: Stamp, until: Stamp, days: f64, is_kept: bool },
    /// As given, every key in proportion to its size: nothing tells which ones are written now.
    Given { days: f64 },
}

/// By the number of the key, how many times its size it will have.
#[derive(Clone, PartialEq, Debug)]
pub struct Projection {
    pub growth: KnownGrowth,
    factors: Vec<f64>,
}

impl Projection {
    pub fn of(
        trials: &Trials,
        candidate: &Candidate,
        keys: &DocumentKeys,
        until: Option<Stamp>,
    ) -> Self {
        let known = || keys.seconds.iter().flatten();
        let first = known().map(|s| s[0]).min();
        let last = known().map(|s| s[1]).max();
        let settings = trials.settings();
        let growth = match (until, first.zip(last)) {
            (None, _) => KnownGrowth::NotProjected,
            (Some(until), Some((first, last))) => {
                growth(candidate, keys, settings, until, [first, last])
            }
            (Some(_), None) => KnownGrowth::Unknown,
        };
        let reported = settings.growth_bytes_per_day;
        let days = until.zip(newest(settings, keys)).map(|(a, b)| a.days_since(b));
        let (growth, alike) = match (growth, reported.zip(days)) {
            (KnownGrowth::Unknown, Some((reported, days))) => {
                let more = reported * days.max(0.0) / trials.whole().bytes.max(1.0);
                (KnownGrowth::Given { days }, 1.0 + more)
            }
            (growth, _) => (growth, 1.0),
        };
        let ahead = GrowthHorizon::of(trials, growth, first.zip(last).map(|(a, b)| [a, b]));
        let factor = |at: usize| {
            let range = keys.seconds.get(at).copied().flatten();
            range.zip(ahead).map_or(alike, |(range, a)| a.factor(range))
        };
        Self { growth, factors: (0..keys.bytes.len()).map(factor).collect() }
    }

    pub fn factor(&self, key: usize) -> f64 {
        self.factors.get(key).copied().unwrap_or(1.0)
    }
}

/// The day for which sizes hold.
fn newest(settings: &Settings, keys: &DocumentKeys) -> Option<Stamp> {
    let last = || keys.seconds.iter().flatten().map(|s| s[1]).max();
    settings.as_of.or_else(|| Stamp::from_seconds(i64::from(last()?)))
}

/// The date up to which a given growth counts where no date is asked for.
pub(super) fn usual_until(settings: &Settings, keys: &DocumentKeys) -> Option<Stamp> {
    settings.growth_bytes_per_day?;
    newest(settings, keys)?.plus_seconds(HORIZON_DAYS * DAY_S)
}

fn growth(
    candidate: &Candidate,
    keys: &DocumentKeys,
    settings: &Settings,
    until: Stamp,
    [first, last]: [u32; 2],
) -> KnownGrowth {
    let Some(from) = Stamp::from_seconds(i64::from(first)) else { return KnownGrowth::Unknown };
    let all_days = f64::from(last - first) / DAY_S;
    if all_days < LEAST_DAYS {
        return KnownGrowth::Unknown;
    }
    let lives = keys.seconds.iter().flatten();
    let longest = lives.map(|[first, last]| f64::from(last - first) / DAY_S).fold(0.0, f64::max);
    // How long the text of a date stays the same.
    let unit = candidate.parts().filter_map(|part| match part {
        LevelPart::Date { unit, .. } => Some(unit.days()),
        _ => None,
    });
    let unit = unit.reduce(f64::min);
    let days = unit.or_else(|| (longest < all_days * WHOLE_TIME).then_some(longest));
    // Nothing grows older than documents are kept.
    let kept = settings.kept_days.filter(|kept| days.is_none_or(|days| *kept <= days));
    match kept.or(days) {
        Some(days) => KnownGrowth::LivesDays { from, until, days, is_kept: kept.is_some() },
        None => KnownGrowth::GoesOn { from, until },
    }
}

/// The time that is left, in seconds.
#[derive(Clone, Copy, Debug)]
struct GrowthHorizon {
    /// For which the sizes hold.
    newest: f64,
    rest: f64,
    /// How long a key is written.
    lives: f64,
    /// How fast documents come, against how they came.
    pace: f64,
}

impl GrowthHorizon {
    fn of(trials: &Trials, growth: KnownGrowth, range: Option<[u32; 2]>) -> Option<Self> {
        let (until, lives) = match growth {
            KnownGrowth::GoesOn { until, .. } => (until, f64::INFINITY),
            KnownGrowth::LivesDays { until, days, .. } => (until, days * DAY_S),
            _ => return None,
        };
        let [first, last] = range?.map(f64::from);
        let settings = trials.settings();
        let newest = settings.as_of.map_or(last, |as_of| seconds(as_of).max(last));
        let seen = trials.whole().bytes / ((last - first) / DAY_S);
        let reported = settings.growth_bytes_per_day;
        Some(Self {
            newest: last,
            rest: seconds(until) - newest,
            lives,
            pace: reported.map_or(1.0, |reported| reported / seen.max(f64::MIN_POSITIVE)),
        })
    }

    fn factor(&self, [first, last]: [u32; 2]) -> f64 {
        let (first, last) = (f64::from(first), f64::from(last));
        let seen = last - first;
        let all = self.newest - first;
        if seen < 1.0 || self.newest - last > SILENT * all.min(self.lives) {
            return 1.0;
        }
        let rest = self.rest.min(self.lives - seen).max(0.0);
        1.0 + rest / seen * self.pace
    }
}

fn seconds(stamp: Stamp) -> f64 {
    real_seconds(stamp.seconds())
}
