//! How fast a key grows and when it reaches the ceiling, from estimates that move in steps.
//!
//! The service reports a key's size as a whole number of hundredths of its physical partition, more or less: every
//! reading may be off by that much. The line through the readings is exact, its slope is not, so a slope comes with the
//! bounds that the worst possible errors leave.

use crate::model::sample::{LineSums, Sample, Thinned, Trust};
use crate::model::time::Stamp;
use crate::model::units::PHYSICAL_CEILING_KIB;

/// A reported size is good to one hundredth of its physical partition.
const BAND_SHARE: f64 = 0.01;
/// Readings closer together than this tell a rate only where it stands out of the band.
const SHORTEST_SPAN_DAYS: f64 = 1.0;
const SECONDS_PER_DAY: f64 = 86_400.0;

/// How far a reported size may be off, from the size of the physical partition that holds the key.
pub fn band_kib(partition_kib: Option<f64>) -> f64 {
    partition_kib
        .filter(|kib| kib.is_finite() && *kib > 0.0)
        .unwrap_or(PHYSICAL_CEILING_KIB)
        * BAND_SHARE
}

/// Growth of one key in one region.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Growth {
    pub kib_per_day: f64,
    /// The slopes that the worst errors of the readings allow.
    pub lowest: f64,
    pub highest: f64,
    /// The newest reading that the rate rests on; the wall is counted from here.
    pub newest_at: Stamp,
    pub newest_kib: f64,
    pub band_kib: f64,
}

/// When a key reaches the ceiling.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Wall {
    Over,
    /// `latest` is None where the slowest growth allowed takes beyond the year 9999.
    Date {
        at: Stamp,
        earliest: Stamp,
        latest: Option<Stamp>,
    },
    /// It does not grow.
    Never,
    Unknown,
}

impl Wall {
    pub fn state(&self) -> &'static str {
        match self {
            Self::Over => "over",
            Self::Date { .. } => "date",
            Self::Never => "never",
            Self::Unknown => "unknown",
        }
    }
}

/// Whether a series has a dated reading of this trust.
pub fn has_dated(samples: &[Sample], thinned: Option<&Thinned>, trust: Trust) -> bool {
    match thinned {
        Some(sums) => line(sums, trust).n > 0.0,
        None => dated(samples, trust).next().is_some(),
    }
}

/// The rate of a series from its readings of one trust; None where they do not tell.
pub fn growth(
    samples: &[Sample],
    thinned: Option<&Thinned>,
    trust: Trust,
    band_kib: f64,
) -> Option<Growth> {
    let (newest_at, newest_kib) = dated(samples, trust).max_by_key(|(at, _)| *at)?;
    let fit = match thinned {
        Some(sums) => fit_of_sums(line(sums, trust))?,
        None => fit_of_samples(samples, trust)?,
    };
    let slack = band_kib * fit.leverage;
    let stands_out = fit.slope.abs() > slack;
    let two_points_agree = fit.readings < 2.5 && fit.rise_kib.abs() <= band_kib;
    if two_points_agree || (fit.span_days < SHORTEST_SPAN_DAYS && !stands_out) {
        return None;
    }
    let (lowest, highest) = (fit.slope - slack, fit.slope + slack);
    let usable = lowest.is_finite() && highest.is_finite();
    usable.then_some(Growth {
        kib_per_day: fit.slope,
        lowest,
        highest,
        newest_at,
        newest_kib,
        band_kib,
    })
}

/// When a key of this size meets the ceiling.
pub fn wall(size_kib: f64, growth: Option<&Growth>, ceiling_kib: f64) -> Wall {
    if size_kib >= ceiling_kib {
        return Wall::Over;
    }
    let Some(growth) = growth else {
        return Wall::Unknown;
    };
    if growth.kib_per_day <= 0.0 {
        return Wall::Never;
    }
    if growth.lowest <= 0.0 {
        return Wall::Unknown;
    }
    let reached = |missing_kib: f64, kib_per_day: f64| {
        let days = (missing_kib / kib_per_day).max(0.0);
        growth.newest_at.plus_seconds(days * SECONDS_PER_DAY)
    };
    let missing = ceiling_kib - growth.newest_kib;
    let Some(at) = reached(missing, growth.kib_per_day) else {
        // Beyond the calendar: a date that far says no more than that none is in sight.
        return Wall::Unknown;
    };
    Wall::Date {
        at,
        earliest: reached(missing - growth.band_kib, growth.highest).unwrap_or(at),
        latest: reached(missing + growth.band_kib, growth.lowest),
    }
}

/// A line through readings. `leverage` times the band is how far its slope may be off.
struct Fit {
    slope: f64,
    leverage: f64,
    readings: f64,
    span_days: f64,
    /// Last reading less first; only known, and only needed, for two readings.
    rise_kib: f64,
}

fn dated(samples: &[Sample], trust: Trust) -> impl Iterator<Item = (Stamp, f64)> + '_ {
    samples
        .iter()
        .filter(move |s| s.when.trust() == trust)
        .filter_map(|s| Some((s.when.at()?, s.kib)))
}

fn line(sums: &Thinned, trust: Trust) -> &LineSums {
    match trust {
        Trust::Exact => &sums.exact,
        Trust::Weak => &sums.weak,
    }
}

fn fit_of_samples(samples: &[Sample], trust: Trust) -> Option<Fit> {
    let (first, first_kib) = dated(samples, trust).min_by_key(|(at, _)| *at)?;
    let (last, last_kib) = dated(samples, trust).max_by_key(|(at, _)| *at)?;
    let points = || dated(samples, trust).map(|(at, kib)| (at.days_since(first), kib));
    let (n, t, s) = points().fold((0.0, 0.0, 0.0), |(n, t, s), (day, kib)| {
        (n + 1.0, t + day, s + kib)
    });
    let (mean_t, mean_s) = (t / n, s / n);
    let (mut spread, mut squares, mut products) = (0.0, 0.0, 0.0);
    for (day, kib) in points() {
        let offset = day - mean_t;
        spread += offset.abs();
        squares += offset * offset;
        products += offset * (kib - mean_s);
    }
    (squares > 0.0).then(|| Fit {
        slope: products / squares,
        leverage: spread / squares,
        readings: n,
        span_days: last.days_since(first),
        rise_kib: last_kib - first_kib,
    })
}

/// The sums no longer tell each reading's distance from the mean; the root of the squares is never less than their mean.
fn fit_of_sums(sums: &LineSums) -> Option<Fit> {
    if sums.n < 2.0 {
        return None;
    }
    let squares = sums.tt - sums.t * sums.t / sums.n;
    // A difference this small against its terms is rounding, not time.
    if squares <= 1e-9 * sums.tt || squares <= 0.0 {
        return None;
    }
    let slope = (sums.ts - sums.t * sums.s / sums.n) / squares;
    let span_days = (squares / sums.n).sqrt() * 2.0;
    Some(Fit {
        slope,
        leverage: (sums.n / squares).sqrt(),
        readings: sums.n,
        span_days,
        rise_kib: slope * span_days,
    })
}

#[cfg(test)]
mod tests;
