//! Points in time as Azure writes them: 100-nanosecond ticks, always UTC, no clock and no time zones here.

use super::units::real_seconds;

/// 100 ns ticks since 1970-01-01T00:00:00Z. Only the years 1601 to 9999 exist, so a tick count always fits 62 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Stamp(i64);

pub const TICKS_PER_SECOND: i64 = 10_000_000;
pub const SECONDS_PER_MINUTE: i64 = 60;
pub const SECONDS_PER_HOUR: i64 = 3_600;
pub const SECONDS_PER_DAY: i64 = 86_400;
pub const HOUR_S: f64 = 3_600.0;
pub const DAY_S: f64 = 86_400.0;
/// 1601-01-01 and 10000-01-01 in ticks since 1970.
const FIRST_TICK: i64 = -11_644_473_600 * TICKS_PER_SECOND;
const AFTER_LAST_TICK: i64 = 253_402_300_800 * TICKS_PER_SECOND;

/// A calendar reading before it is known to exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Civil {
    pub year: i64,
    pub month: u8,
    pub day: u8,
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
    /// 100 ns parts of the second.
    pub ticks: u32,
}

impl Civil {
    pub fn midnight(year: i64, month: u8, day: u8) -> Self {
        Self { year, month, day, hour: 0, minute: 0, second: 0, ticks: 0 }
    }

    fn month_text(self) -> &'static str {
        MONTHS.get(usize::from(self.month).wrapping_sub(1)).unwrap_or(&"")
    }
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

impl Stamp {
    /// 1970, where a clock says nothing better.
    pub const EPOCH: Self = Self(0);

    pub fn from_ticks(ticks: i64) -> Option<Self> {
        (FIRST_TICK..AFTER_LAST_TICK).contains(&ticks).then_some(Self(ticks))
    }

    pub fn from_seconds(seconds: i64) -> Option<Self> {
        Self::from_ticks(seconds.checked_mul(TICKS_PER_SECOND)?)
    }

    /// None where the calendar has no such moment. A leap second is read as the last tick before midnight's second.
    pub fn from_civil(c: Civil) -> Option<Self> {
        let leap = c.year % 4 == 0 && (c.year % 100 != 0 || c.year % 400 == 0);
        let days = match c.month {
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            1..=12 => 31,
            _ => return None,
        };
        let valid = (1601..=9999).contains(&c.year)
            && (1..=days).contains(&c.day)
            && c.hour < 24
            && c.minute < 60
            && c.second <= 60
            && c.ticks < 10_000_000;
        if !valid {
            return None;
        }
        let day = days_from_civil(c.year, c.month, c.day);
        let second = u32::from(c.second.min(59));
        let of_day = u32::from(c.hour) * 3600 + u32::from(c.minute) * 60 + second;
        let seconds = day * SECONDS_PER_DAY + i64::from(of_day);
        Self::from_ticks(seconds * TICKS_PER_SECOND + i64::from(c.ticks))
    }

    pub fn ticks(self) -> i64 {
        self.0
    }

    pub fn seconds(self) -> i64 {
        self.0.div_euclid(TICKS_PER_SECOND)
    }

    /// Whole milliseconds since 1970: two exports of one record differ below this.
    pub fn millis(self) -> i64 {
        self.0.div_euclid(TICKS_PER_SECOND / 1000)
    }

    pub fn plus_seconds(self, seconds: f64) -> Option<Self> {
        // The bounds of `Stamp` lie far inside the exact range of the cast; anything beyond is refused first.
        let ticks = seconds * 1e7;
        if !ticks.is_finite() || ticks.abs() > 4e18 {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "checked against 4e18 above")]
        let whole = ticks as i64;
        Self::from_ticks(self.0.checked_add(whole)?)
    }

    pub fn days_since(self, earlier: Self) -> f64 {
        real_seconds(self.0 - earlier.0) / 864e9
    }

    pub fn civil(self) -> Civil {
        let seconds = self.seconds();
        let (year, month, day) = civil_from_days(seconds.div_euclid(SECONDS_PER_DAY));
        let of_day = seconds.rem_euclid(SECONDS_PER_DAY);
        let byte = |n: i64| u8::try_from(n).unwrap_or(0);
        Civil {
            year,
            month: byte(month),
            day: byte(day),
            hour: byte(of_day / 3600),
            minute: byte(of_day / 60 % 60),
            second: byte(of_day % 60),
            ticks: u32::try_from(self.0.rem_euclid(TICKS_PER_SECOND)).unwrap_or(0),
        }
    }

    /// RFC 3339 in UTC, with as many digits after the second as are needed.
    pub fn rfc3339(self) -> String {
        let c = self.civil();
        let head = format!(
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
            c.year, c.month, c.day, c.hour, c.minute, c.second
        );
        if c.ticks == 0 {
            return format!("{head}Z");
        }
        let fraction = format!("{:07}", c.ticks);
        format!("{head}.{}Z", fraction.trim_end_matches('0'))
    }

    /// `2026-06-22 02:00:09 UTC`.
    pub fn second_text(self) -> String {
        format!("{}:{:02} UTC", self.minute_text(), self.civil().second)
    }

    /// `2026-06-22 02:10`, for people; the zone is always UTC and said once by whoever prints it.
    pub fn minute_text(self) -> String {
        let c = self.civil();
        format!("{:04}-{:02}-{:02} {:02}:{:02}", c.year, c.month, c.day, c.hour, c.minute)
    }

    /// `22 Jun 02:05`, for people; with the year where it is not `year`.
    pub fn day_text(self, year: Option<i64>) -> String {
        let c = self.civil();
        let time = format!("{:02}:{:02}", c.hour, c.minute);
        match year {
            Some(year) if year != c.year => format!("{} {time}", self.long_date_text()),
            _ => format!("{} {} {time}", c.day, c.month_text()),
        }
    }

    /// `22 Jun 2026`, in a sentence.
    pub fn long_date_text(self) -> String {
        let c = self.civil();
        format!("{} {} {}", c.day, c.month_text(), c.year)
    }

    pub fn date_text(self) -> String {
        let c = self.civil();
        format!("{:04}-{:02}-{:02}", c.year, c.month, c.day)
    }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar, counted from March so that leap days fall at the end.
/// The year is that of a `Stamp`.
fn days_from_civil(year: i64, month: u8, day: u8) -> i64 {
    let year = u32::try_from(year).unwrap_or(0) - u32::from(month <= 2);
    let month_from_march = (u32::from(month) + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + u32::from(day) - 1;
    let days = year * 365 + year / 4 - year / 100 + year / 400 + day_of_year;
    i64::from(days) - 719_468
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn civil(year: i64, month: u8, day: u8, hour: u8, minute: u8, second: u8, ticks: u32) -> Civil {
        Civil { year, month, day, hour, minute, second, ticks }
    }

    #[test]
    fn known_moments() {
        let stamp = Stamp::from_civil(civil(2026, 6, 22, 2, 10, 41, 4_187_442)).unwrap();
        assert_eq!(stamp.rfc3339(), "2026-06-22T02:10:41.4187442Z");
        assert_eq!(Stamp::from_seconds(0).unwrap().rfc3339(), "1970-01-01T00:00:00Z");
        assert_eq!(Stamp::from_seconds(951_782_400).unwrap().rfc3339(), "2000-02-29T00:00:00Z");
        assert_eq!(stamp.millis().rem_euclid(1000), 418);
        assert_eq!(stamp.long_date_text(), "22 Jun 2026");
        let days = [None, Some(2026), Some(2027)].map(|year| stamp.day_text(year));
        assert_eq!(days, ["22 Jun 02:10", "22 Jun 02:10", "22 Jun 2026 02:10"]);
    }

    #[test]
    fn moments_that_do_not_exist() {
        for c in [
            civil(2026, 2, 29, 0, 0, 0, 0),
            civil(2100, 2, 29, 0, 0, 0, 0),
            civil(2026, 13, 1, 0, 0, 0, 0),
            civil(2026, 0, 1, 0, 0, 0, 0),
            civil(2026, 4, 31, 0, 0, 0, 0),
            civil(2026, 4, 0, 0, 0, 0, 0),
            civil(2026, 4, 1, 24, 0, 0, 0),
            civil(1600, 4, 1, 0, 0, 0, 0),
            civil(10_000, 4, 1, 0, 0, 0, 0),
        ] {
            assert_eq!(Stamp::from_civil(c), None, "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn civil_and_back(ticks in FIRST_TICK..AFTER_LAST_TICK) {
            let stamp = Stamp::from_ticks(ticks).unwrap();
            prop_assert_eq!(Stamp::from_civil(stamp.civil()), Some(stamp));
        }
    }
}
