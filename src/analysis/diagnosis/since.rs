//! Since when requests were throttled, at what rate and for how long, in words.

use std::fmt::Write as _;

use super::card::GAP;
use super::text::number_text;
use crate::analysis::demand::attempts::{Attempts, Counts};
use crate::model::time::{SECONDS_PER_MINUTE, Stamp};
use crate::model::units::percent_text;

/// Over this a moment needs its date.
const SAME_DAY_S: i64 = 86_400;
const MONTH_S: i64 = 2_629_800;

/// `  429s: 289/s  since 23:24 (36 min)`: the 429s a second since a partition is hot, where they are most, as the heat map
/// shows them, and how long that is.
/// `place` is the number of the partition; None for all of them.
pub fn hot_since(
    attempts: Option<&Attempts>,
    partition: Option<u32>,
    since: Option<(Stamp, u32)>,
    until: Option<Stamp>,
    window: Option<(i64, i64)>,
) -> String {
    let window = window.map(|(from, to)| (from, until.map_or(to, Stamp::seconds)));
    let from = since.map(|(since, _)| since.seconds()).or(window.map(|w| w.0));
    let span = from.zip(window.map(|w| w.1));
    let span = span.filter(|(from, to)| from < to);
    let counted =
        span.zip(attempts).and_then(|((from, to), attempts)| attempts.between(partition, from, to));
    // Saved RU may serve a hot partition for minutes before its 429s begin.
    let first = span.zip(attempts);
    let first = first.and_then(|((from, to), of)| of.throttled_since(partition, from, to));
    let since = since.map(|held| first.filter(|first| first.0 > held.0).unwrap_or(held));
    // The metric of the container alone has no rate by time.
    let share = attempts.and_then(|attempts| attempts.all.throttled_share());
    let mut text = String::new();
    if let Some((counts, rate)) = counted.filter(|(counts, _)| counts.throttled > 0.0) {
        let _ = write!(text, "{GAP}429s: {}", throttled_text(Some(rate), || counts));
    } else if let Some(share) = share.filter(|share| counted.is_none() && *share > 0.0) {
        let _ = write!(text, "{GAP}429s: {} of all requests", percent_text(share));
    }
    if let (Some(since), Some(window), Some(_)) = (since, window, span) {
        text.push_str(&since_text(since, until, window));
    }
    text
}

/// `  since 23:24 (36 min)`; `  since ≤23:24` where what was looked at begins then; `  since 23:20–23:25` of a total of
/// minutes, which says no more; `  since 23:24 until 23:50 (26 min)` where it was over before the inputs end.
pub fn since_text(
    (since, step_s): (Stamp, u32),
    until: Option<Stamp>,
    (begins, ends): (i64, i64),
) -> String {
    let length = ends.saturating_sub(since.seconds());
    let text = |at: Stamp| {
        let minute = at.minute_text();
        let clock = minute.split_once(' ').filter(|_| length < SAME_DAY_S);
        clock.map_or(minute.clone(), |(_, clock)| clock.to_owned())
    };
    let moment = text(since);
    let until = until.map_or_else(String::new, |until| format!(" until {}", text(until)));
    if since.seconds() <= begins {
        return format!("{GAP}since ≤{moment}{until}");
    }
    let step_ends = Stamp::from_seconds(since.seconds().saturating_add(step_s.into()));
    match step_ends.filter(|_| i64::from(step_s) > SECONDS_PER_MINUTE) {
        Some(end) => format!("{GAP}since {moment}–{}{until}", text(end)),
        None => format!("{GAP}since {moment}{until} ({})", length_text(length)),
    }
}

/// Of fewer requests a share says nothing.
const MANY_REQUESTS: f64 = 100.0;

/// How many requests were throttled: `289/s`; of less than one a second `6 of 12 requests`; `18 % of requests` where no rate is
/// known.
pub fn throttled_text(rate: Option<f64>, counts: impl FnOnce() -> Counts) -> String {
    if let Some(rate) = rate.filter(|rate| *rate >= 1.0) {
        return rate_text(rate);
    }
    let counts = counts();
    let share = counts.throttled_share().filter(|_| counts.requests >= MANY_REQUESTS);
    if let (None, Some(share)) = (rate, share) {
        return format!("{} of requests", percent_text(share));
    }
    let [some, all] = [counts.throttled, counts.requests].map(|n| number_text(n.round()));
    format!("{some} of {all} requests")
}

/// `289/s`, without digits behind the point from 10 on.
pub fn rate_text(rate: f64) -> String {
    let rate = if rate >= 10.0 { rate.round() } else { rate };
    format!("{}/s", number_text(rate))
}

/// `70 s`, `36 min`, `3 h`, `9 d`, `4 mo`.
pub(super) fn length_text(seconds: i64) -> String {
    match seconds {
        ..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        172_800..5_259_600 => format!("{} d", seconds / 86_400),
        _ => format!("{} mo", (seconds + MONTH_S / 2) / MONTH_S),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn less_than_one_a_second_is_a_count() {
        for (rate, throttled, requests, expected) in [
            (Some(289.4), 9.0, 10.0, "289/s"),
            (Some(1.0), 9.0, 10.0, "1/s"),
            (Some(0.02), 6.0, 12.0, "6 of 12 requests"),
            (Some(0.5), 1_800.0, 36_000.0, "1,800 of 36,000 requests"),
            (None, 1_800.0, 36_000.0, "5.0 % of requests"),
            (None, 6.0, 12.0, "6 of 12 requests"),
        ] {
            let counts = Counts { requests, throttled, ..Counts::default() };
            assert_eq!(throttled_text(rate, || counts), expected);
        }
    }

    #[test]
    fn what_a_total_of_minutes_counts_began_within_it() {
        let cases = [
            (60, 0, None, "  since 23:20 (40 min)"),
            (60, 0, Some(50), "  since 23:20 until 23:50 (30 min)"),
            (300, 0, None, "  since 23:20–23:25"),
            (300, 1_200, None, "  since ≤23:20"),
            (300, 1_200, Some(50), "  since ≤23:20 until 23:50"),
        ];
        for (step_s, later, until, expected) in cases {
            let at = |minutes: i64| 1_782_687_600 + minutes * 60;
            let since = (Stamp::from_seconds(at(20)).unwrap(), step_s);
            let window = (at(0) + later, at(until.unwrap_or(60)));
            let until = until.and_then(|minute| Stamp::from_seconds(at(minute)));
            assert_eq!(since_text(since, until, window), expected);
        }
    }
}
