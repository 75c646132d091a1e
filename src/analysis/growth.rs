//! How fast a key grows and when it reaches the limit, from estimates that move in steps.
//!
//! The service reports a key's size as a whole number of hundredths of its physical partition, more or less: every
//! reading may be off by that much. The readings are cut into pieces through each of which one straight line passes within
//! that error. The newest piece gives the rate; its bounds are all slopes that the newer half of it allows, since a change
//! after that may still be hidden in the error. While the newest piece is short, the rates of older pieces widen the bounds.
//! A rate that rises all the time may go on rising: the earliest date reckons with it.

mod doubling;
mod limit_text;

pub use limit_text::{FAR_DAYS, limit_date_text, limit_date_words, shown_moment};

use crate::model::sample::{LineSums, Sample, SeriesSummary, Trust};
use crate::model::time::{self, DAY_S, Stamp};
use crate::model::units::PHYSICAL_CEILING_KIB;

/// A reported size is good to one hundredth of its physical partition. So readings tell at most a hundred times their own
/// span ahead, and growth a day takes a hundredth of a day.
const BAND_SHARE: f64 = 0.01;
/// Readings closer together than this tell a rate only where it stands out of the band.
const SHORTEST_SPAN_DAYS: f64 = 1.0;
/// More pieces than this are noise and not changes of rate, if a band of a few times the width makes them fewer.
const MAX_PIECES: usize = 2;
const NOISE: [f64; 2] = [2.0, 4.0];
/// From so many readings on their own scatter says how far they are off: this many times, within the bounds of the band.
const SCATTERED: usize = 8;
const SCATTER: f64 = 1.25;
/// The part of a piece that bounds its slope.
const NEWER: f64 = 0.5;
/// Of the band: differences of sizes that are rounding errors.
const ROUNDING: f64 = 1e-9;
/// A piece that covers less of the whole span is widened by the older ones.
const SHORT_PIECE: f64 = 0.25;
/// Growth that reaches the limit within this time may not be called none, and what is proposed is to last as long.
pub const HORIZON_DAYS: f64 = 365.0;

/// The growth of all data is known where the keys with a known growth hold this part of it.
pub(super) const NEARLY_ALL: f64 = 0.9;

/// How far a reported size may be off, from the size of the physical partition that holds the key.
pub fn band_kib(partition_kib: Option<f64>) -> f64 {
    partition_kib.filter(|kib| kib.is_finite() && *kib > 0.0).unwrap_or(PHYSICAL_CEILING_KIB)
        * BAND_SHARE
}

/// Growth of one key in one region.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Growth {
    pub kib_per_day: f64,
    /// The slopes that the worst errors of the readings allow.
    pub lowest: f64,
    pub highest: f64,
    /// The newest reading that the rate rests on; days are counted from here.
    pub newest_at: Stamp,
    /// The size then, as the readings before it allow it, and how far it may be off.
    pub newest_kib: f64,
    pub band_kib: f64,
    /// Days in which the rate doubled, and may double again.
    pub doubles_in_days: Option<f64>,
}

impl Growth {
    /// So many times as fast.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self {
            kib_per_day: self.kib_per_day * factor,
            lowest: self.lowest * factor,
            highest: self.highest * factor,
            ..self
        }
    }
}

/// When a key reaches the ceiling.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LimitDate {
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

impl LimitDate {
    pub fn state(&self) -> &'static str {
        match self {
            Self::Over => "over",
            Self::Date { .. } => "date",
            Self::Never => "never",
            Self::Unknown => "unknown",
        }
    }

    pub fn date(&self) -> Option<Stamp> {
        match self {
            Self::Date { at, .. } => Some(*at),
            Self::Over | Self::Never | Self::Unknown => None,
        }
    }
}

/// When a key reaches the ceiling, by the day.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LimitDay {
    Over,
    /// Days since 1970-01-01, UTC.
    Day(i32),
    Never,
    Unknown,
}

impl LimitDay {
    pub fn of(limit_date: &LimitDate) -> Self {
        match limit_date {
            LimitDate::Over => Self::Over,
            LimitDate::Date { at, .. } => Self::Day(day_of(*at)),
            LimitDate::Never => Self::Never,
            LimitDate::Unknown => Self::Unknown,
        }
    }

    /// In four bytes: the order of the numbers is the order of the limit dates.
    pub(super) fn pack(self) -> i32 {
        match self {
            Self::Over => i32::MIN,
            Self::Day(day) => day,
            Self::Never => i32::MAX - 1,
            Self::Unknown => i32::MAX,
        }
    }

    pub(super) fn unpack(packed: i32) -> Self {
        match packed {
            i32::MIN => Self::Over,
            n if n == i32::MAX - 1 => Self::Never,
            i32::MAX => Self::Unknown,
            day => Self::Day(day),
        }
    }
}

/// Days since 1970-01-01 of a moment.
pub fn day_of(at: Stamp) -> i32 {
    // The calendar ends with the year 9999, far inside.
    i32::try_from(at.seconds().div_euclid(time::SECONDS_PER_DAY)).unwrap_or(0)
}

/// Whether any of these readings is dated and of this trust.
pub fn has_dated(samples: &[Sample], trust: Trust) -> bool {
    dated(samples, trust).next().is_some()
}

/// The rate of a series and how far ahead it holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trend {
    pub growth: Growth,
    pub reach_days: f64,
}

impl Trend {
    /// When a key of this size reaches the limit; unknown beyond the reach of the readings.
    pub fn limit_date(&self, size_kib: f64, ceiling_kib: f64) -> LimitDate {
        match limit_date(size_kib, Some(&self.growth), ceiling_kib) {
            LimitDate::Date { at, .. }
                if at.days_since(self.growth.newest_at) > self.reach_days =>
            {
                LimitDate::Unknown
            }
            limit_date => limit_date,
        }
    }
}

/// The rate of a series from its readings of one trust; None where they do not tell.
pub fn trend(
    samples: &[Sample],
    thinned: Option<&SeriesSummary>,
    trust: Trust,
    band_kib: f64,
) -> Option<Trend> {
    let (first_at, _) = dated(samples, trust).min_by_key(|(at, _)| *at)?;
    let (newest_at, _) = dated(samples, trust).max_by_key(|(at, _)| *at)?;
    let span_days = newest_at.days_since(first_at);
    if span_days < SHORTEST_SPAN_DAYS * BAND_SHARE {
        return None;
    }
    let mut points: Vec<Point> = dated(samples, trust)
        .map(|(at, kib)| Point { day: at.days_since(newest_at), kib })
        .collect();
    points.sort_by(|a, b| a.day.total_cmp(&b.day));
    let (pieces, noise_kib) = pieces(&points, band_kib);
    let (newest, older) = pieces.split_last()?;
    let whole = thinned.filter(|_| older.is_empty());
    let mut rate = newest.rate(whole.and_then(|sums| slope_of_sums(line(sums, trust))));
    let (tail, error_kib) = newest.tail(noise_kib, band_kib);
    let slack = (band_kib - error_kib).max(0.0);
    let (smallest, largest) = tail.kib_now(error_kib);
    let mut bounds = tail.slopes;
    // By the errors of two readings and no less: a rise of two steps of the service.
    let mut has_grown = newest.slopes.lowest >= -ROUNDING * band_kib;
    if newest.span_days() < SHORT_PIECE * span_days {
        // Two readings that a fall lies between are a piece, too, but no rate.
        let rates = older.iter().rev().filter(|piece| piece.points.len() > 2);
        for piece in rates {
            let Some(older_rate) = piece.rate(None).filter(|rate| *rate >= 0.0) else {
                continue;
            };
            if !has_grown && piece.slopes.lowest > 0.0 {
                rate = Some(newest.slopes.clamp(older_rate));
                has_grown = true;
            }
            bounds = bounds.with(older_rate);
        }
    }
    let stands_out = newest.slopes.lowest > 0.0 || newest.slopes.highest < 0.0;
    if !stands_out && !has_grown && (points.len() < 3 || span_days < SHORTEST_SPAN_DAYS) {
        return None;
    }
    let kib_per_day = rate?;
    if has_grown && kib_per_day > 0.0 {
        // It has grown, and may stand still since: a date without a latest one.
        bounds.lowest = bounds.lowest.max(f64::MIN_POSITIVE);
    }
    let doubles_in_days = doubling::days(&points, noise_kib);
    if let Some(doubling) = doubles_in_days {
        // A line through readings has the rate of their middle.
        bounds.highest *= (tail.span_days() / 2.0 / doubling).exp2();
    }
    let growth = Growth {
        kib_per_day,
        lowest: bounds.lowest,
        highest: bounds.highest,
        newest_at,
        newest_kib: f64::midpoint(smallest, largest),
        band_kib: (largest - smallest) / 2.0 + slack,
        doubles_in_days,
    };
    let numbers = [growth.lowest, growth.highest, growth.newest_kib, growth.band_kib];
    numbers
        .iter()
        .all(|n| n.is_finite())
        .then_some(Trend { growth, reach_days: span_days / BAND_SHARE })
}

/// When a key of this size reaches the limit.
pub fn limit_date(size_kib: f64, growth: Option<&Growth>, ceiling_kib: f64) -> LimitDate {
    if size_kib >= ceiling_kib {
        return LimitDate::Over;
    }
    let Some(growth) = growth else {
        return LimitDate::Unknown;
    };
    let missing = ceiling_kib - growth.newest_kib;
    if growth.kib_per_day <= 0.0 {
        let hidden_kib = growth.highest.max(0.0) * HORIZON_DAYS;
        let is_far = missing - growth.band_kib > hidden_kib;
        return if is_far { LimitDate::Never } else { LimitDate::Unknown };
    }
    if growth.lowest <= 0.0 {
        return LimitDate::Unknown;
    }
    let after = |days: f64| growth.newest_at.plus_seconds(days.max(0.0) * DAY_S);
    let reached = |missing_kib: f64, kib_per_day: f64| after(missing_kib / kib_per_day);
    let soonest = (missing - growth.band_kib) / growth.highest;
    let soonest = growth.doubles_in_days.map_or(soonest, |days| doubling::sooner(soonest, days));
    let Some(at) = reached(missing, growth.kib_per_day) else {
        // Beyond the calendar: a date that far says no more than that none is in sight.
        return LimitDate::Unknown;
    };
    LimitDate::Date {
        at,
        earliest: after(soonest).unwrap_or(at),
        latest: reached(missing + growth.band_kib, growth.lowest),
    }
}

fn dated(samples: &[Sample], trust: Trust) -> impl Iterator<Item = (Stamp, f64)> + '_ {
    samples
        .iter()
        .filter(move |s| s.when.trust() == trust)
        .filter_map(|s| Some((s.when.at()?, s.kib)))
}

fn line(sums: &SeriesSummary, trust: Trust) -> &LineSums {
    match trust {
        Trust::Exact => &sums.exact,
        Trust::Weak | Trust::Assumed => &sums.weak,
    }
}

/// A reading of a size, by the days since the newest.
#[derive(Clone, Copy, Debug)]
struct Point {
    day: f64,
    kib: f64,
}

/// Slopes of lines in KiB a day.
#[derive(Clone, Copy, Debug)]
struct Slopes {
    lowest: f64,
    highest: f64,
}

impl Slopes {
    const ALL: Self = Self { lowest: f64::NEG_INFINITY, highest: f64::INFINITY };

    fn is_none(&self) -> bool {
        self.lowest > self.highest
    }

    fn clamp(&self, slope: f64) -> f64 {
        slope.max(self.lowest).min(self.highest)
    }

    fn with(self, slope: f64) -> Self {
        Self { lowest: self.lowest.min(slope), highest: self.highest.max(slope) }
    }

    /// Those of them that also pass both points within the error.
    fn through(self, a: Point, b: Point, error_kib: f64) -> Self {
        let (days, rise) = (b.day - a.day, b.kib - a.kib);
        if days <= 0.0 {
            return self;
        }
        Self {
            lowest: self.lowest.max((rise - 2.0 * error_kib) / days),
            highest: self.highest.min((rise + 2.0 * error_kib) / days),
        }
    }
}

/// Readings in a row, and the slopes of the straight lines that pass all of them within the error.
#[derive(Clone, Copy, Debug)]
struct Piece<'p> {
    points: &'p [Point],
    slopes: Slopes,
}

impl<'p> Piece<'p> {
    fn new(points: &'p [Point], error_kib: f64) -> Self {
        let mut slopes = Slopes::ALL;
        for (n, b) in points.iter().enumerate() {
            let earlier = points.iter().take(n);
            slopes = earlier.fold(slopes, |slopes, a| slopes.through(*a, *b, error_kib));
        }
        Self { points, slopes }
    }

    fn span_days(&self) -> f64 {
        let [first, .., last] = self.points else {
            return 0.0;
        };
        last.day - first.day
    }

    /// The slope of the least-squares line, as far as the error allows it; None of a single reading.
    fn rate(&self, exact: Option<f64>) -> Option<f64> {
        let slope = exact.or_else(|| slope_of(self.points))?;
        Some(self.slopes.clamp(slope))
    }

    /// The newer half, but four readings, and how far its readings are off.
    fn tail(&self, noise_kib: f64, band_kib: f64) -> (Self, f64) {
        let newer = self.span_days() * NEWER;
        let older = self.points.iter().take_while(|p| -p.day > newer).count();
        let older = older.min(self.points.len().saturating_sub(4));
        let tail = self.points.get(older..).unwrap_or_default();
        let least = if noise_kib > band_kib { 0.0 } else { band_kib / 2.0 };
        let error_kib = match scatter(self.points) {
            Some(scatter) => (scatter * SCATTER).min(noise_kib * SCATTER).max(least),
            None => noise_kib,
        };
        let tail = Self::new(tail, error_kib);
        if tail.slopes.is_none() {
            return (*self, noise_kib);
        }
        (tail, error_kib)
    }

    /// The smallest and the largest size at the newest reading that lines of the outermost slopes end at.
    fn kib_now(&self, error_kib: f64) -> (f64, f64) {
        let Slopes { lowest, highest } = self.slopes;
        let ends = |slope: f64| self.points.iter().map(move |p| p.kib - slope * p.day);
        (
            ends(lowest).fold(f64::NEG_INFINITY, f64::max) - error_kib,
            ends(highest).fold(f64::INFINITY, f64::min) + error_kib,
        )
    }
}

/// The pieces of a series, oldest first, and the error that they were made with.
fn pieces(points: &[Point], band_kib: f64) -> (Vec<Piece<'_>>, f64) {
    let found = pieces_within(points, band_kib);
    if found.len() <= MAX_PIECES {
        return (found, band_kib);
    }
    let mut widened = NOISE.map(|times| band_kib * times).into_iter();
    let calmer = widened.find_map(|error_kib| {
        let found = pieces_within(points, error_kib);
        (found.len() <= MAX_PIECES).then_some((found, error_kib))
    });
    calmer.unwrap_or((found, band_kib))
}

/// From the oldest on, so that a piece begins where the one before it no longer holds: behind a change, never before it.
fn pieces_within(points: &[Point], error_kib: f64) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let (mut from, mut slopes, mut has_fallen) = (0, Slopes::ALL, false);
    for (n, point) in points.iter().enumerate() {
        let earlier = points.get(from..n).unwrap_or_default();
        let next = earlier.iter().fold(slopes, |slopes, a| slopes.through(*a, *point, error_kib));
        // A fall of more than both readings may be off is a clean-up, whatever the slope.
        has_fallen = earlier.last().is_some_and(|last| last.kib - point.kib > 2.0 * error_kib);
        if next.is_none() || has_fallen {
            found.push(Piece { points: earlier, slopes });
            (from, slopes) = (n, Slopes::ALL);
        } else {
            slopes = next;
        }
    }
    if let [.., last, newest] = points
        && from + 1 == points.len()
        && !has_fallen
    {
        // A change of rate that the newest reading shows is better told by two than not at all.
        from -= 1;
        slopes = Slopes::ALL.through(*last, *newest, error_kib);
    }
    let points = points.get(from..).unwrap_or_default();
    found.push(Piece { points, slopes });
    found
}

/// How far enough readings lie from their own line: half of the whole width.
fn scatter(points: &[Point]) -> Option<f64> {
    if points.len() < SCATTERED {
        return None;
    }
    let slope = slope_of(points)?;
    let offsets = || points.iter().map(|p| p.kib - slope * p.day);
    let (least, most) =
        (offsets().fold(f64::INFINITY, f64::min), offsets().fold(f64::NEG_INFINITY, f64::max));
    Some((most - least) / 2.0)
}

/// The slope of the least-squares line.
fn slope_of(points: &[Point]) -> Option<f64> {
    let sum = |of: fn(&Point) -> f64| points.iter().map(of).sum::<f64>();
    let n = sum(|_| 1.0);
    let (mean_day, mean_kib) = (sum(|p| p.day) / n, sum(|p| p.kib) / n);
    let (mut squares, mut products) = (0.0, 0.0);
    for point in points {
        let offset = point.day - mean_day;
        squares += offset * offset;
        products += offset * (point.kib - mean_kib);
    }
    (squares > 0.0).then(|| products / squares)
}

fn slope_of_sums(sums: &LineSums) -> Option<f64> {
    let squares = sums.tt - sums.t * sums.t / sums.n;
    // A difference this small against its terms is rounding, not time.
    let is_time = squares > 1e-9 * sums.tt;
    is_time.then(|| (sums.ts - sums.t * sums.s / sums.n) / squares)
}

#[cfg(test)]
mod tests;
