//! Option values as the user typed them, into what they mean; every refusal names the value and the forms that work.

use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::TimeZone;

use crate::analysis::ceiling::Ceiling;
use crate::config::{CeilingReading, Config};
use crate::error::{Error, usage};
use crate::model::limits::{self, ValueLimits};
use crate::model::time::Stamp;
use crate::model::units::{bytes_of, days_of, whole_u64};
use crate::model::visible::visible;
use crate::source::tally::unquoted;
use crate::source::times;

pub(super) fn refuse(option: &str, value: &str, wanted: &str) -> Error {
    usage(format!("{option} is `{}`", unquoted(&visible(value))), format!("give {wanted}"))
}

/// What a value means, where it is within its limits.
fn within(option: &str, text: &str, value: Option<f64>, limits: ValueLimits) -> Result<f64, Error> {
    let value = value.and_then(|value| limits.checked(value));
    value.ok_or_else(|| refuse(option, text, limits.text))
}

/// A number that the command line has read; its text is not repeated, as it may be very long.
pub fn number(option: &str, value: f64, limits: ValueLimits) -> Result<f64, Error> {
    limits.checked(value).ok_or_else(|| {
        usage(format!("{option} cannot have that value"), format!("give {}", limits.text))
    })
}

pub fn memory(text: &str) -> Result<u64, Error> {
    within("--memory", text, bytes_of(text, 1024.0), limits::MEMORY).map(whole_u64)
}

/// GB and GiB both mean 2^30 bytes, unless the configuration reads the limit as decimal.
pub fn ceiling(text: Option<&str>, config: &Config) -> Result<Ceiling, Error> {
    let decimal = config.ceiling == CeilingReading::Decimal;
    let Some(text) = text else {
        return Ok(limit(decimal));
    };
    let wanted = "a size such as 20GB or 30GiB";
    let is_decimal = decimal && !text.to_ascii_lowercase().contains("ib");
    let kb_bytes = if is_decimal { 1000.0 } else { 1024.0 };
    let usual = limit(is_decimal);
    let given = bytes_of(text, kb_bytes).map(|bytes| bytes / kb_bytes);
    let given = given.and_then(|kb| match kb {
        kb if (kb - usual.kib()).abs() < 0.5 => Some(usual),
        kb => Ceiling::given_in(kb, kb_bytes),
    });
    given.ok_or_else(|| refuse("--ceiling", text, wanted))
}

fn limit(is_decimal: bool) -> Ceiling {
    if is_decimal { Ceiling::DECIMAL } else { Ceiling::BINARY }
}

/// A size in bytes, `80GB` as 80 GiB.
pub fn size(option: &str, text: &str) -> Result<f64, Error> {
    within(option, text, bytes_of(text, 1024.0), limits::BYTES)
}

/// `30d`, `12h`, `2w`, `10y`, in days.
pub fn days(option: &str, text: &str) -> Result<f64, Error> {
    within(option, text, days_of(text), limits::DAYS)
}

pub fn as_of(text: Option<&str>) -> Result<Option<Stamp>, Error> {
    text.map(|text| moment("--as-of", text)).transpose()
}

pub fn moment(option: &str, text: &str) -> Result<Stamp, Error> {
    let wanted = "a time such as 2026-06-22T02:00:00Z or a date such as 2026-06-22, of the years 1601 to 9999";
    times::iso(text.as_bytes()).ok_or_else(|| refuse(option, text, wanted))
}

pub fn time_zone(text: Option<&str>) -> Result<Option<TimeZone>, Error> {
    let Some(text) = text else { return Ok(None) };
    if text.eq_ignore_ascii_case("utc") || text == "Z" {
        return Ok(Some(TimeZone::UTC));
    }
    let wanted = "the name of a zone such as Europe/London, an offset such as +11:00, or UTC";
    let found = match text.strip_prefix("UTC").unwrap_or(text).split_at_checked(1) {
        Some((sign @ ("+" | "-"), hours)) if !hours.is_empty() => {
            DateTimeParser::new().parse_time_zone(format!("{sign}{hours:0>2}"))
        }
        _ => TimeZone::get(text),
    };
    found.map(Some).map_err(|_| refuse("--time-zone", text, wanted))
}

/// `2`, `10x`, `0.5`
pub fn factor(option: &str, text: &str) -> Result<f64, Error> {
    let number = text.trim().trim_end_matches(['x', '×']).parse::<f64>();
    within(option, text, number.ok(), limits::FACTOR)
}

/// `80%` or `0.8`.
pub fn share(option: &str, text: &str, limits: ValueLimits) -> Result<f64, Error> {
    let trimmed = text.trim();
    let (number, unit) =
        trimmed.strip_suffix('%').map_or((trimmed, 1.0), |n| (n.trim_end(), 100.0));
    let share = number.parse::<f64>().ok().map(|n| n / unit);
    // 8 or 80 without a sign is most likely meant as a percentage: ask.
    within(option, text, share.filter(|n| unit > 1.0 || *n <= 2.0), limits)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Cli;
    use crate::model::units::LOGICAL_CEILING_KIB;

    #[test]
    fn sizes_are_binary_unless_the_configuration_says_otherwise() {
        let mut config = Config::default();
        assert_eq!(ceiling(Some("20GB"), &config).unwrap(), Ceiling::BINARY);
        assert_eq!(ceiling(Some("20 GiB"), &config).unwrap(), Ceiling::BINARY);
        assert_eq!(ceiling(None, &config).unwrap(), Ceiling::BINARY);
        config.ceiling = CeilingReading::Decimal;
        assert_eq!(ceiling(Some("20GB"), &config).unwrap(), Ceiling::DECIMAL);
        let binary = ceiling(Some("20GiB"), &config).unwrap().kib();
        assert!((binary - LOGICAL_CEILING_KIB).abs() < 1e-9, "{binary}");
        // What is read in a filter goes with it.
        let is_decimal = ["30GB", "30GiB"].map(|text| ceiling(Some(text), &config).unwrap());
        assert_eq!(is_decimal.map(Ceiling::is_decimal), [true, false]);
        for wrong in ["", "20", "GB", "-1GB", "nanGB", "1e3GB", "20XB"] {
            assert!(ceiling(Some(wrong), &config).is_err(), "{wrong}");
        }
    }

    #[test]
    fn memory_has_a_floor() {
        assert_eq!(memory("512M").unwrap(), 512 << 20);
        assert_eq!(memory("1GiB").unwrap(), 1 << 30);
        assert!(memory("1MiB").is_err() && memory("lots").is_err());
        let hint = |text| memory(text).unwrap_err().hint().unwrap();
        assert!(hint("1MiB").contains("at least 128MiB"));
        assert!(hint("999999GiB").contains("at most 900TiB"));
        assert_eq!(memory("900TiB").unwrap(), 900 << 40);
    }

    #[test]
    fn shares_take_a_sign_or_a_fraction() {
        let share = |text: &str| share("--max-logical", text, limits::SHARE_OF_LIMIT);
        let near = |text: &str| (share(text).unwrap() - 0.8).abs() < 1e-12;
        assert!(near("80%") && near("0.8"));
        for wrong in ["80", "8", "2.1", "-1%", "1001%"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
        assert!(share("800%").is_ok());
    }

    /// What reads values, some that it takes and some that it does not, and what it says of these.
    type Case<'a> = (&'a dyn Fn(&str) -> Result<f64, Error>, &'a [&'a str], &'a [&'a str], &'a str);

    #[test]
    fn values_have_limits_that_errors_name() {
        let of_days = |text: &str| days("--until", text);
        let of_size = |text: &str| size("--import", text);
        let of_factor = |text: &str| factor("--load-factor", text);
        let of_key = |text: &str| share("--tenant-share", text, limits::KEY_SHARE);
        let of_ru = |text: &str| number("--ru", text.parse().unwrap(), limits::RU);
        let read: [Case<'_>; 5] = [
            (&of_days, &["1s", "100y"], &["0.1s", "101y", "1e300d"], "from 1s to 100y"),
            (&of_size, &["1KB", "900000TB"], &["0.0000001k", "1000000TB"], "to 900000TB"),
            (&of_factor, &["0", "1e6"], &["-1", "1e7", "inf", "nan"], "to 1,000,000"),
            (&of_key, &["0.1%", "100%", "1"], &["300%", "1e-300", "1.5"], "from 0.1% to 100%"),
            (&of_ru, &["1", "1e6"], &["0", "1e308", "inf", "nan", "-5"], "from 1 to 1,000,000"),
        ];
        for (of, fine, wrong, range) in read {
            assert!(fine.iter().all(|text| of(text).is_ok()), "{range}");
            for text in wrong {
                let hint = of(text).unwrap_err().hint().unwrap();
                assert!(hint.contains(range), "{text}: {hint}");
            }
        }
    }

    #[test]
    fn a_zone_is_a_name_or_an_offset() {
        for (text, minutes) in [
            ("+11:00", 660),
            ("-03:30", -210),
            ("+05", 300),
            ("UTC+2", 120),
            ("UTC-03:30", -210),
            ("UTC", 0),
            ("Africa/Lagos", 60),
        ] {
            let zone = time_zone(Some(text)).unwrap().unwrap();
            let offset = zone.to_offset(jiff::Timestamp::UNIX_EPOCH);
            assert_eq!(offset.seconds(), minutes * 60, "{text}");
        }
        let given = ["cosmoscope", "report", "x", "--time-zone", "-03:30"];
        assert!(Cli::try_parse_from(given).is_ok());
        for wrong in ["Middle/Earth", "+", "+11:00x", "+99:00", "11:00", "UTC2"] {
            assert!(time_zone(Some(wrong)).is_err(), "{wrong}");
        }
    }
}
