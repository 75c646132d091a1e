//! Since when something is busy, from its RU by second.

use crate::model::time::SECONDS_PER_MINUTE;
use crate::model::units::real_seconds;

/// Of the busiest minute.
const BUSY: f64 = 0.5;

/// Start of the latest busy stretch. A minute is busy with at least half the RU of the busiest one; one minute that is
/// not may lie between two that are. The stretch begins at the first step at the pace of a busy minute, which may lie in
/// the minute before: nothing starts on the full minute. `points` are (second, RU) in time order, `width_s` apart or
/// more.
pub(super) fn since(points: &[(i64, f64)], width_s: u32) -> Option<i64> {
    let width = i64::from(width_s.max(1));
    let bucket = width.max(SECONDS_PER_MINUTE);
    let mut buckets: Vec<(i64, f64)> = Vec::new();
    for (second, ru) in points {
        let at = second.div_euclid(bucket);
        match buckets.last_mut() {
            Some((held, sum)) if *held == at => *sum += ru,
            _ => buckets.push((at, *ru)),
        }
    }
    let most = buckets.iter().map(|(_, sum)| *sum).fold(0.0, f64::max);
    if most <= 0.0 {
        return None;
    }
    let mut busy = buckets.iter().filter(|(_, sum)| *sum >= most * BUSY).rev();
    let mut first = busy.next()?.0;
    for (at, _) in busy {
        if first - at > 2 {
            break;
        }
        first = *at;
    }
    let pace = most * BUSY * (real_seconds(width) / real_seconds(bucket));
    let begins = first.saturating_mul(bucket);
    let earliest = if bucket == width { begins } else { begins.saturating_sub(bucket) };
    let at_pace = points.iter().find(|(second, ru)| *second >= earliest && *ru >= pace);
    Some(at_pace.map_or(begins, |(second, _)| *second))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(from: i64, to: i64, ru: f64) -> impl Iterator<Item = (i64, f64)> {
        (from..to).map(move |second| (second, ru))
    }

    #[test]
    fn the_latest_stretch_begins_where_the_pace_does() {
        let quiet_then_busy: Vec<_> = flat(0, 945, 100.0).chain(flat(945, 2000, 6000.0)).collect();
        assert_eq!(since(&quiet_then_busy, 1), Some(945));
        let twice: Vec<_> = flat(100, 700, 50.0).chain(flat(5000, 5600, 40.0)).collect();
        assert_eq!(since(&twice, 1), Some(5000));
        let with_a_pause: Vec<_> = flat(60, 600, 50.0).chain(flat(655, 1200, 50.0)).collect();
        assert_eq!(since(&with_a_pause, 1), Some(60));
    }

    #[test]
    fn a_single_busy_second_is_no_stretch() {
        let spike: Vec<_> =
            flat(0, 600, 1000.0).chain([(600, 6000.0)]).chain(flat(601, 1200, 1000.0)).collect();
        assert_eq!(since(&spike, 1), Some(0));
    }

    #[test]
    fn coarse_logs_and_short_ones() {
        assert_eq!(since(&[(0, 5.0), (3600, 100.0), (7200, 90.0)], 3600), Some(3600));
        assert_eq!(since(&[(7, 5.0)], 1), Some(7));
        assert_eq!(since(&[], 1), None);
        assert_eq!(since(&[(i64::MIN, 1.0), (i64::MAX, 1.0)], 1), Some(i64::MAX));
    }
}
