//! A rate that rises all the time seen, and in how many days it doubles.

use std::f64::consts::LN_2;

use super::{Growth, Point};
use crate::model::units::{rounded_text, tenths_text, with_unit};

/// Of the rate of the third before, what a third of the time has at least.
const FASTER: f64 = 1.2;
/// A larger rise of the rate from the first third to the last counts as this one.
const MOST: f64 = 16.0;

/// In how many days the rate doubles, where each third of the time has grown faster than the one before it, and the last
/// by more than readings may be off.
pub(super) fn days(points: &[Point], error_kib: f64) -> Option<f64> {
    let third_days = (points.last()?.day - points.first()?.day) / 3.0;
    let sizes = [3.0, 2.0, 1.0, 0.0].map(|back| kib_at(points, -back * third_days));
    let rate = |from: usize| Some((sizes[from + 1]? - sizes[from]?) / third_days);
    let [first, second, third] = [rate(0)?, rate(1)?, rate(2)?];
    let is_faster = first > 0.0 && second > first * FASTER && third > second * FASTER;
    let stands_out = third - first > error_kib / third_days;
    (is_faster && stands_out).then(|| 2.0 * third_days / (third / first).min(MOST).log2())
}

/// Days until a size, from the days at a steady rate, if the rate doubles all the time.
pub(super) fn sooner(days: f64, doubling_days: f64) -> f64 {
    doubling_days * (1.0 + days.max(0.0) * LN_2 / doubling_days).log2()
}

impl Growth {
    /// `it doubles every 12 days; the earliest date reckons with that`.
    pub fn doubling_words(&self) -> Option<String> {
        let days = self.doubles_in_days?;
        let days = if days < 10.0 { tenths_text(days) } else { rounded_text(days) };
        let days = with_unit(&days, "day", "days");
        Some(format!("it doubles every {days}; the earliest date reckons with that"))
    }
}

/// The size on a day, between readings.
fn kib_at(points: &[Point], day: f64) -> Option<f64> {
    let last = points.len().checked_sub(1)?;
    let next = points.partition_point(|p| p.day < day).clamp(1, last.max(1));
    let (a, b) = (points.get(next - 1)?, points.get(next)?);
    let part = (day - a.day) / (b.day - a.day).max(f64::MIN_POSITIVE);
    Some(a.kib + (b.kib - a.kib) * part.clamp(0.0, 1.0))
}
