//! Option values as the user typed them, into what they mean; every refusal names the value and the forms that work.

use jiff::tz::TimeZone;

use crate::analysis::ceiling::Ceiling;
use crate::config::{CeilingReading, Config};
use crate::error::Error;
use crate::model::time::Stamp;
use crate::model::units::{bytes_of, days_of, whole_u64};
use crate::model::visible::visible;
use crate::source::import::MIN_MEMORY_BYTES;
use crate::source::tally::unquoted;
use crate::source::times;

fn refuse(option: &str, value: &str, wanted: &str) -> Error {
    Error::Usage {
        what: format!("{option} is `{}`", unquoted(&visible(value))),
        next: Some(format!("give {wanted}")),
    }
}

/// Far beyond any machine, and whole as a float.
const MOST_MEMORY_BYTES: f64 = 1e15;

pub fn memory(text: &str) -> Result<u64, Error> {
    let wanted = "a size of at least 128MiB, such as 512MiB or 4GiB";
    let found = bytes_of(text, 1024.0).ok_or_else(|| refuse("--memory", text, wanted))?;
    if found >= MOST_MEMORY_BYTES {
        let wanted = "a size that a machine can have: at most 900TiB, such as 512MiB or 4GiB";
        return Err(refuse("--memory", text, wanted));
    }
    let whole = whole_u64(found);
    if whole < MIN_MEMORY_BYTES { Err(refuse("--memory", text, wanted)) } else { Ok(whole) }
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
    let found = bytes_of(text, 1024.0).filter(|n| *n < MOST_MEMORY_BYTES * 1024.0);
    found.ok_or_else(|| refuse(option, text, "a size such as 80GB or 2TB"))
}

/// `30d`, `12h`, `2w`, `10y`, in days.
pub fn days(option: &str, text: &str) -> Result<f64, Error> {
    days_of(text).ok_or_else(|| refuse(option, text, "a time such as 12h, 30d, 8w or 10y"))
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
    let wanted = "the name of a zone such as Europe/London, or UTC";
    TimeZone::get(text).map(Some).map_err(|_| refuse("--time-zone", text, wanted))
}

/// `2`, `10x`, `0.5`
pub fn factor(option: &str, text: &str) -> Result<f64, Error> {
    let number = text.trim().trim_end_matches(['x', '×']).parse::<f64>();
    let number = number.ok().filter(|n| (0.0..=1e6).contains(n));
    number.ok_or_else(|| refuse(option, text, "a number such as 2 or 0.5"))
}

/// `80%` or `0.8`.
pub fn share(option: &str, text: &str) -> Result<f64, Error> {
    let trimmed = text.trim();
    let (number, unit) =
        trimmed.strip_suffix('%').map_or((trimmed, 1.0), |n| (n.trim_end(), 100.0));
    let share = number.parse::<f64>().ok().map(|n| n / unit).filter(|n| n.is_finite() && *n > 0.0);
    // 8 or 80 without a sign is most likely meant as a percentage: ask.
    let most = if unit > 1.0 { 10.0 } else { 2.0 };
    share.filter(|n| *n <= most).ok_or_else(|| refuse(option, text, "a share such as 80% or 0.8"))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
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
        let near = |text: &str| (share("--max-logical", text).unwrap() - 0.8).abs() < 1e-12;
        assert!(near("80%") && near("0.8"));
        for wrong in ["80", "8", "2.1", "-1%", "1001%"] {
            assert!(share("--max-logical", wrong).is_err(), "{wrong}");
        }
        assert!(share("--max-logical", "800%").is_ok());
    }

    #[test]
    fn a_zone_that_does_not_exist_is_refused() {
        assert!(time_zone(Some("Europe/London")).unwrap().is_some());
        assert!(time_zone(Some("Middle/Earth")).is_err());
    }
}
