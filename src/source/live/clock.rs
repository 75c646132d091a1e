//! The one clock of the live source: when an answer came, and the date that a request is signed with.

use std::time::Duration;

use crate::model::time::{Stamp, TICKS_PER_SECOND};

/// A `Stamp` counts in 100 ns.
const NANOS_PER_TICK: i128 = 100;

#[expect(
    clippy::disallowed_methods,
    reason = "an answer of a live account is as old as the moment it came"
)]
fn timestamp() -> jiff::Timestamp {
    jiff::Timestamp::now()
}

fn stamp(at: jiff::Timestamp) -> Option<Stamp> {
    Stamp::from_ticks(i64::try_from(at.as_nanosecond() / NANOS_PER_TICK).ok()?)
}

/// Now. A clock before the year 1601 or after 9999 reads as 1970.
pub fn now() -> Stamp {
    stamp(timestamp()).unwrap_or(Stamp::EPOCH)
}

/// Now as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
pub(super) fn http_date() -> String {
    jiff::fmt::rfc2822::DateTimePrinter::new()
        .timestamp_to_rfc9110_string(&timestamp())
        .unwrap_or_default()
}

/// From and to of a time back from now, in whole steps that are over, as Azure takes it.
pub(super) fn whole_steps(now: Stamp, last: Duration, step_s: u64) -> String {
    let step = i64::try_from(step_s).unwrap_or(1).max(1);
    let to = now.seconds() - now.seconds().rem_euclid(step);
    let last = i64::try_from(last.as_secs()).unwrap_or(i64::MAX);
    let text = |second: i64| {
        let ticks = second.saturating_mul(TICKS_PER_SECOND);
        Stamp::from_ticks(ticks).unwrap_or(now).rfc3339()
    };
    format!("{}/{}", text(to.saturating_sub(last)), text(to))
}

/// A date as HTTP writes it.
pub(super) fn read_http_date(text: &str) -> Option<Stamp> {
    let zoned = jiff::fmt::rfc2822::parse(text.trim()).ok()?;
    stamp(zoned.timestamp())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn a_timespan_is_whole_steps() {
        let now = Stamp::from_seconds(1_782_093_987).unwrap();
        assert_eq!(
            whole_steps(now, Duration::from_secs(3600), 60),
            "2026-06-22T01:06:00Z/2026-06-22T02:06:00Z"
        );
        assert!(!whole_steps(now, Duration::MAX, 0).is_empty());
    }

    #[test]
    fn a_date_is_read_as_it_is_written() {
        let read = read_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        assert_eq!(read.rfc3339(), "1994-11-06T08:49:37Z");
        assert_eq!(read_http_date("yesterday"), None);
        let apart = now().days_since(read_http_date(&http_date()).unwrap());
        assert!((0.0..0.001).contains(&apart), "{apart}");
    }
}
