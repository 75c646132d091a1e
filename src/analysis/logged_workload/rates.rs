//! Requests a second: the mean, what all but one step in a hundred stay below, and by the hour of the day.

use super::super::demand::outcome::percentile_99;
use super::LoggedStep;
use crate::model::time::SECONDS_PER_HOUR;
use crate::model::units::{real, real_seconds};

const HOURS: usize = 24;
/// An hour with this many times the mean is busier than others.
const BUSIER: f64 = 1.1;
/// More steps than this are not spread out: two months of seconds.
const MAX_STEPS: usize = 5_000_000;

/// Reads or writes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AccessRate {
    pub requests: u64,
    pub ru: f64,
    pub ru_per_second: Option<f64>,
    /// None where requests are not counted, as in an RU log.
    pub per_second: Option<f64>,
    /// All but one step in a hundred stay at or below it.
    pub p99: Option<f64>,
    /// How long these steps are.
    pub step_s: u32,
    /// By the hour of the day (UTC); none where no second of that hour is logged.
    pub by_hour: [Option<f64>; HOURS],
}

impl AccessRate {
    pub(super) fn of<'s>(
        steps: impl Iterator<Item = &'s LoggedStep>,
        span: Option<(i64, i64)>,
        width: u32,
    ) -> Self {
        let mut found = Self { step_s: width, ..Self::default() };
        let mut by_hour = [0_u64; HOURS];
        let count = span.map_or(0, |(from, to)| place(to - from, width));
        let mut each = vec![0_u64; if count <= MAX_STEPS { count } else { 0 }];
        for step in steps {
            found.requests = found.requests.saturating_add(step.sum.requests);
            found.ru += step.sum.ru;
            let Some((second, (from, _))) = step.second.zip(span) else { continue };
            if let Some(held) = by_hour.get_mut(hour_of(second)) {
                *held += step.sum.requests;
            }
            if let Some(held) = each.get_mut(place(second - from, width)) {
                *held += step.sum.requests;
            }
        }
        let Some(span) = span else { return found };
        let seconds = real_seconds(span.1 - span.0);
        found.per_second = (seconds > 0.0).then(|| real(found.requests) / seconds);
        found.ru_per_second = (seconds > 0.0).then(|| found.ru / seconds);
        each.sort_unstable();
        let rates: Vec<f64> = (each.iter()).map(|n| real(*n) / f64::from(width)).collect();
        found.p99 = (!rates.is_empty()).then(|| percentile_99(&rates));
        let logged = logged_seconds(span);
        for ((rate, requests), seconds) in found.by_hour.iter_mut().zip(by_hour).zip(logged) {
            *rate = (seconds > 0).then(|| real(requests) / real_seconds(seconds));
        }
        found
    }

    /// The hour of the day with most requests, and how many a second; None where load is even.
    pub fn busiest_hour(&self) -> Option<(u32, f64)> {
        let hours = (0..).zip(&self.by_hour);
        let known = hours.filter_map(|(hour, rate)| Some((hour, (*rate)?)));
        let busiest = known.max_by(|a, b| a.1.total_cmp(&b.1))?;
        (busiest.1 > self.per_second? * BUSIER).then_some(busiest)
    }

    /// Without counts of requests: a record may stand for several.
    pub(super) fn uncounted(self) -> Self {
        Self {
            ru: self.ru,
            ru_per_second: self.ru_per_second,
            step_s: self.step_s,
            ..Self::default()
        }
    }
}

fn place(seconds: i64, width: u32) -> usize {
    usize::try_from(seconds / i64::from(width.max(1))).unwrap_or(0)
}

fn hour_of(second: i64) -> usize {
    usize::try_from(second.div_euclid(SECONDS_PER_HOUR).rem_euclid(24)).unwrap_or(0)
}

/// Seconds of each hour of the day that lie within the span.
fn logged_seconds((from, to): (i64, i64)) -> [i64; HOURS] {
    let mut seconds = [0; HOURS];
    let mut at = from;
    while at < to {
        let end = (at.div_euclid(SECONDS_PER_HOUR) + 1).saturating_mul(SECONDS_PER_HOUR).min(to);
        if let Some(held) = seconds.get_mut(hour_of(at)) {
            *held += end - at;
        }
        at = end;
    }
    seconds
}
