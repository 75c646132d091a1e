//! The moment that a document's value means: seconds, milliseconds or ticks as numbers, and the texts that writers make.
//!
//! | value | read as |
//! |---|---|
//! | number up to 1e11 | seconds since 1970, as `_ts` (to the year 5138) |
//! | whole number from 19000101 to 29991231 that is a calendar day | that day, `yyyymmdd` |
//! | number up to 1e14 | milliseconds since 1970 |
//! | number up to 1e17 | microseconds since 1970 |
//! | number up to 1e18 | .NET ticks: 100 ns since the year 1 (the years 318 to 3169) |
//! | beyond | nanoseconds since 1970 (from 2001 on) |
//! | text of a number | as the number |
//! | ISO 8601 | with an offset moved to UTC, without one UTC; `2026` and `2026-06` are their first moment |
//! | `/Date(1750557600000)/` | milliseconds since 1970, as older .NET writers have it |
//!
//! Numbers are read as the double they are, so ticks and nanoseconds are exact to some ten microseconds. Local forms
//! such as `6/22/2026` mean different days in different places and are no moment.

use std::ops::RangeInclusive;

use super::iso::{iso, number};
use super::key::Part;
use super::number::Number;
use super::time::{Civil, Stamp, TICKS_PER_SECOND};

/// 1970-01-01 in .NET ticks.
const NET_TICKS_AT_1970: f64 = 621_355_968_000_000_000.0;
/// What the forms of numbers are told apart by: each bound lies far from any time that people record.
const SECONDS_BELOW: f64 = 1e11;
const MILLIS_BELOW: f64 = 1e14;
const MICROS_BELOW: f64 = 1e17;
const NET_TICKS_BELOW: f64 = 1e18;
/// As seconds these would all be months of 1970, when nothing was recorded.
const DAY_NUMBERS: RangeInclusive<f64> = 19_000_101.0..=29_991_231.0;

/// None for a value that is no time.
pub fn of(value: &Part) -> Option<Stamp> {
    match value {
        Part::Number(found) => of_number(found.value()),
        Part::Text(text) => of_text(text),
        _ => None,
    }
}

pub fn of_number(value: f64) -> Option<Stamp> {
    let size = value.abs();
    if DAY_NUMBERS.contains(&value)
        && let Some(day) = of_day_number(&format!("{value}"))
    {
        return Some(day);
    }
    let ticks = if size < SECONDS_BELOW {
        value * 1e7
    } else if size < MILLIS_BELOW {
        value * 1e4
    } else if size < MICROS_BELOW {
        value * 10.0
    } else if size < NET_TICKS_BELOW {
        value - NET_TICKS_AT_1970
    } else {
        value / 100.0
    };
    if !ticks.is_finite() || ticks.abs() > 4e18 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "checked against 4e18 above")]
    let whole = ticks.floor() as i64;
    Stamp::from_ticks(whole)
}

pub fn of_text(text: &str) -> Option<Stamp> {
    let text = text.trim_matches([' ', '\t']);
    let bytes = text.as_bytes();
    match bytes.len() {
        4 => return first_day(number(bytes, 0, 4)?, 1, 1),
        7 if bytes.get(4) == Some(&b'-') => {
            return first_day(number(bytes, 0, 4)?, number(bytes, 5, 2)?, 1);
        }
        _ => {}
    }
    if let Some(stamp) = of_day_number(text).or_else(|| iso(bytes)) {
        return Some(stamp);
    }
    if let Some(inner) = text.strip_prefix("/Date(") {
        return of_net_date(inner.strip_suffix(")/")?);
    }
    of_number(Number::from_text(text)?.value())
}

/// `20260622`.
fn of_day_number(text: &str) -> Option<Stamp> {
    let bytes = text.as_bytes();
    if bytes.len() != 8 {
        return None;
    }
    first_day(number(bytes, 0, 4)?, number(bytes, 4, 2)?, number(bytes, 6, 2)?)
}

/// The milliseconds of `/Date(1750557600000+0200)/`; the offset says where it was written and moves nothing.
fn of_net_date(inner: &str) -> Option<Stamp> {
    let offset = inner.rfind(['+', '-']).filter(|at| *at > 0);
    let millis: i64 = inner.get(..offset.unwrap_or(inner.len()))?.parse().ok()?;
    Stamp::from_ticks(millis.checked_mul(TICKS_PER_SECOND / 1000)?)
}

fn first_day(year: i64, month: i64, day: i64) -> Option<Stamp> {
    let (month, day) = (u8::try_from(month).ok()?, u8::try_from(day).ok()?);
    Stamp::from_civil(Civil::midnight(year, month, day))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number_text(value: f64) -> String {
        of_number(value).map_or("none".to_owned(), Stamp::rfc3339)
    }

    fn text(text: &str) -> String {
        of_text(text).map_or("none".to_owned(), Stamp::rfc3339)
    }

    #[test]
    fn numbers_are_told_apart_by_their_size() {
        for value in [
            1_782_094_241.0,
            1_782_094_241_000.0,
            1_782_094_241_000_000.0,
            1_782_094_241_000_000_000.0,
            639_176_910_410_000_000.0,
        ] {
            assert_eq!(number_text(value), "2026-06-22T02:10:41Z", "{value}");
        }
        assert_eq!(number_text(0.0), "1970-01-01T00:00:00Z");
        assert_eq!(number_text(-0.5), "1969-12-31T23:59:59.5Z");
        assert_eq!(number_text(1_782_094_241.5), "2026-06-22T02:10:41.5Z");
        for value in [f64::NAN, f64::INFINITY, 1e300, -1e300, 1e21, -5e17] {
            assert_eq!(number_text(value), "none", "{value}");
        }
    }

    #[test]
    fn eight_digits_are_a_day_if_the_calendar_has_it() {
        assert_eq!(number_text(20_260_622.0), "2026-06-22T00:00:00Z");
        assert_eq!(text("20260622"), "2026-06-22T00:00:00Z");
        assert_eq!(number_text(20_261_322.0), "1970-08-23T12:08:42Z");
    }

    #[test]
    fn texts_are_iso_or_numbers() {
        for (found, read) in [
            ("2026-06-22T04:10:41+02:00", "2026-06-22T02:10:41Z"),
            ("2026-06-22T02:10:41.4187442Z", "2026-06-22T02:10:41.4187442Z"),
            ("2026-06-22 02:10", "2026-06-22T02:10:00Z"),
            ("2026-06", "2026-06-01T00:00:00Z"),
            ("2026", "2026-01-01T00:00:00Z"),
            ("1782094241", "2026-06-22T02:10:41Z"),
            ("/Date(1782094241000)/", "2026-06-22T02:10:41Z"),
            ("/Date(1782094241000+0200)/", "2026-06-22T02:10:41Z"),
            ("/Date(-1000)/", "1969-12-31T23:59:59Z"),
            ("6/22/2026", "none"),
            ("", "none"),
            ("2026-13", "none"),
            ("/Date()/", "none"),
            ("Mon, 22 Jun 2026", "none"),
            ("ä026", "none"),
        ] {
            assert_eq!(text(found), read, "{found}");
        }
    }

    #[test]
    fn only_numbers_and_texts_are_times() {
        assert_eq!(of(&Part::Undefined), None);
        assert_eq!(of(&Part::Bool(true)), None);
        assert_eq!(of(&Part::Other("[1]".into())), None);
        assert_eq!(
            of(&Part::Number(Number::new(0.0).unwrap())),
            of(&Part::Text("1970-01-01".into()))
        );
    }

    proptest! {
        #[test]
        fn no_value_stops_it(value in any::<f64>(), text in "\\PC{0,20}|/Date\\([-+0-9]{0,24}\\)/|[-0-9T:+.]{0,30}") {
            let _ = (of_number(value), of_text(&text));
        }

        #[test]
        fn seconds_and_their_milliseconds_are_one_moment(seconds in 200_000_000_i32..2_000_000_000) {
            let seconds = f64::from(seconds);
            prop_assert_eq!(of_number(seconds), of_number(seconds * 1000.0));
        }
    }
}
