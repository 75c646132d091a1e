//! How hot each partition is against its own RU/s, over the stretch of time that is judged.

use std::cmp::Ordering;

use crate::analysis::demand::AT_LIMIT;
use crate::analysis::demand::attempts::Attempts;
use crate::analysis::demand::partitions::Partitions;
use crate::analysis::heat::grid::{TrackStatistics, standing};
use crate::analysis::heat::{ContainerHeat, Measure, Track};
use crate::model::time::Stamp;

use super::thresholds::Thresholds;

/// Shares of one track.
#[derive(Debug)]
pub struct Shares<'h> {
    pub track: &'h Track,
    /// `[from, to)`.
    pub window: (i64, i64),
    /// By place; None where the track tells nothing of the partition.
    pub standings: Vec<Option<TrackStatistics>>,
}

impl<'h> Shares<'h> {
    /// Of each region the metric or the RU log, whichever has the hottest partition; of equals the metric.
    pub fn by_region(
        heat: &'h ContainerHeat,
        physical: &Partitions,
        limits: &Thresholds,
    ) -> Vec<Self> {
        let mut regions: Vec<Self> = Vec::new();
        for measure in [Measure::NormalizedRu, Measure::LoggedShare] {
            let tracks = heat.tracks_of(measure);
            for found in tracks.filter_map(|track| Self::of_track(track, physical, limits)) {
                match regions.iter_mut().find(|r| r.track.region == found.track.region) {
                    Some(held) if found.hottest_share() > held.hottest_share() => *held = found,
                    Some(_) => {}
                    None => regions.push(found),
                }
            }
        }
        regions
    }

    /// A metric never tells more than all of it: against a log above it, both are at their limit.
    pub fn hottest_share(&self) -> f64 {
        let reported = self.standings.iter().flatten();
        reported.map(|s| s.p99.min(1.0)).fold(-1.0, f64::max)
    }

    fn of_track(track: &'h Track, physical: &Partitions, limits: &Thresholds) -> Option<Self> {
        let window = hot_window(track, limits)?;
        let of = |number: &u32| standing(track, *number, window.0, window.1);
        let standings: Vec<Option<TrackStatistics>> = physical.numbers.iter().map(of).collect();
        standings.iter().any(Option::is_some).then_some(Self { track, window, standings })
    }

    pub fn standing(&self, place: u32) -> Option<TrackStatistics> {
        self.standings.get(place as usize).copied().flatten()
    }

    pub fn is_hot(&self, place: u32, limits: &Thresholds) -> bool {
        self.standing(place).is_some_and(|s| {
            s.p99 >= limits.hot_share || saturated_minutes(&s) >= limits.saturated_minutes
        })
    }

    /// Of partitions that are all at their limit the one that refused most.
    pub fn hottest(&self, physical: &Partitions, attempts: Option<&Attempts>) -> Option<u32> {
        let throttled = |place: u32| {
            let on = physical.number(place).and_then(|n| attempts?.on(n));
            on.map_or(0.0, |c| c.throttled)
        };
        let reported = (0_u32..).zip(&self.standings);
        let rank = |place: u32, s: &TrackStatistics| {
            [s.p99.min(1.0), saturated_minutes(s), throttled(place), s.p99, s.highest]
        };
        let ranked = reported.filter_map(|(place, s)| Some((place, rank(place, s.as_ref()?))));
        let greatest =
            ranked.reduce(|held, found| if is_greater(&found.1, &held.1) { found } else { held });
        greatest.map(|(place, _)| place)
    }

    /// The highest 99th percentile of the partitions but one.
    pub fn others(&self, place: u32) -> Option<f64> {
        self.but(place).into_iter().reduce(f64::max)
    }

    /// How many times the usual one of the others a partition has; None where there are no others.
    pub fn ratio(&self, place: u32) -> Option<f64> {
        let mut others = self.but(place);
        others.sort_by(f64::total_cmp);
        let usual = median(&others)?;
        let own = self.standing(place)?.p99;
        Some(if usual > 0.0 { own / usual } else { f64::INFINITY })
    }

    fn but(&self, place: u32) -> Vec<f64> {
        // What the RU log does not name took nothing; of what a metric leaves out nothing is known.
        let absent = (self.track.measure == Measure::LoggedShare).then_some(0.0);
        let others = (0_u32..).zip(&self.standings).filter(|(p, _)| *p != place);
        others.filter_map(|(_, s)| s.map(|s| s.p99).or(absent)).collect()
    }
}

fn is_greater(a: &[f64; 5], b: &[f64; 5]) -> bool {
    let mut orders = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
    orders.find(|o| o.is_ne()) == Some(Ordering::Greater)
}

/// The middle of sorted values.
fn median(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        return sorted.get(middle).copied();
    }
    Some(f64::midpoint(*sorted.get(middle.checked_sub(1)?)?, *sorted.get(middle)?))
}

pub fn saturated_minutes(s: &TrackStatistics) -> f64 {
    let seconds = s.saturated_s.unwrap_or(0);
    f64::from(u32::try_from(seconds).unwrap_or(u32::MAX)) / 60.0
}

/// All of the time where it is short; else the stretch up to the last step at which a partition was at all of its RU/s,
/// or up to the end where none was.
fn hot_window(track: &Track, limits: &Thresholds) -> Option<(i64, i64)> {
    let (from, to) = track.together.span()?;
    #[expect(clippy::cast_possible_truncation, reason = "the cast saturates")]
    let length = (limits.window_minutes * 60.0).max(1.0) as i64;
    if to.saturating_sub(from) <= length {
        return Some((from, to));
    }
    let full = track.together.points(from, to).filter(|(_, v)| f64::from(*v) >= AT_LIMIT);
    let end = full.last().map_or(to, |(second, _)| second.saturating_add(i64::from(track.step_s)));
    Some((end.saturating_sub(length).max(from), end))
}

/// As long below its share before the inputs end, and a partition is taken to be hot no more.
const OVER_S: i64 = 300;

/// When a partition reached a share within the window, first and last; no last time where the inputs end soon after.
pub fn hot_span(
    track: &Track,
    number: u32,
    window: (i64, i64),
    share: f64,
) -> Option<(Stamp, Option<Stamp>)> {
    let series = track.series.get(number as usize)?;
    let points = series.points(window.0, window.1);
    let mut hot = points.filter(|(_, v)| f64::from(*v) >= share);
    let (since, _) = hot.next()?;
    let last = hot.last().map_or(since, |(second, _)| second);
    let until = last.saturating_add(track.step_s.into());
    let ends = track.together.span().map_or(until, |(_, ends)| ends);
    let until = Stamp::from_seconds(until).filter(|_| ends.saturating_sub(until) > OVER_S);
    Some((Stamp::from_seconds(since)?, until))
}
