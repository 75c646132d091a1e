//! Times as text: ISO as Azure writes it, and the local forms of portals and spreadsheets.

pub use crate::model::iso::iso;
use crate::model::iso::{as_azure_writes_it, fraction, number};
use crate::model::time::{Civil, Stamp};

/// Which of the first two numbers of `03/04/2026` is the day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DateOrder {
    DayFirst,
    MonthFirst,
}

/// The names of the orders in options and commands, and in words.
pub const DATE_ORDERS: [(&str, DateOrder, &str); 2] =
    [("dmy", DateOrder::DayFirst, "day first"), ("mdy", DateOrder::MonthFirst, "month first")];

/// The order with this name.
pub fn date_order(named: &str) -> Option<DateOrder> {
    DATE_ORDERS.iter().find(|(name, ..)| *name == named).map(|(_, order, _)| *order)
}

/// A time as it stands in a cell, before zone and date order are applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeText {
    /// Zone known, or a form that is always UTC.
    Utc(Stamp),
    Local(LocalTime),
}

/// A local form, with its first two numbers: one is the day, the other the month.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalTime {
    first: u8,
    second: u8,
    /// Without them.
    at: Civil,
    /// None where nothing rules one reading out.
    pub order: Option<DateOrder>,
}

impl LocalTime {
    /// Whether it is the same day in either order.
    pub fn reads_alike(&self) -> bool {
        self.first == self.second
    }

    /// The calendar reading in a given order.
    pub fn civil(&self, order: DateOrder) -> Civil {
        let (day, month) = match order {
            DateOrder::DayFirst => (self.first, self.second),
            DateOrder::MonthFirst => (self.second, self.first),
        };
        Civil { month, day, ..self.at }
    }
}

/// Reads a time; None where the text is none.
pub fn read(text: &[u8]) -> Option<TimeText> {
    if let Some(stamp) = as_azure_writes_it(text) {
        return Some(TimeText::Utc(stamp));
    }
    let bytes = trimmed(text);
    if bytes.get(4) == Some(&b'-') {
        return iso(bytes).map(TimeText::Utc);
    }
    local(bytes).map(TimeText::Local)
}

/// The order to assume for a local time that shows none: the portal in English of the United States writes
/// `6/5/2026, 2:00:00 PM`. Others pad the numbers, write `pm` or have 24 hours, with the day first.
pub fn assumed_order(text: &str) -> DateOrder {
    let is_us = text.trim().split_once(", ").is_some_and(|(date, clock)| {
        let is_padded = date.starts_with('0') || date.contains("/0");
        date.contains('/') && !is_padded && clock.ends_with('M')
    });
    if is_us { DateOrder::MonthFirst } else { DateOrder::DayFirst }
}

/// Whether an ISO time says its zone: `Z`, or an offset behind the clock time.
pub fn has_zone(text: &[u8]) -> bool {
    let clock = trimmed(text).get(10..).unwrap_or_default();
    matches!(clock.last(), Some(b'Z' | b'z')) || clock.iter().any(|b| matches!(b, b'+' | b'-'))
}

/// Without the blanks and tabs around it.
pub fn trimmed(text: &[u8]) -> &[u8] {
    let is_text = |b: &u8| !matches!(b, b' ' | b'\t');
    let from = text.iter().position(is_text).unwrap_or(text.len());
    let end = text.iter().rposition(is_text).map_or(from, |last| last + 1);
    text.get(from..end).unwrap_or_default()
}

/// `6/22/2026, 2:10:41.418 AM`, `22/06/2026 03:10`, `22.6.2026, 02:10:41,418`.
fn local(b: &[u8]) -> Option<LocalTime> {
    let (first, at) = short(b, 0)?;
    let sign = *b.get(at)?;
    if !matches!(sign, b'/' | b'.' | b'-') {
        return None;
    }
    let (second, at) = short(b, at + 1)?;
    if b.get(at) != Some(&sign) {
        return None;
    }
    let year = number(b, at + 1, 4)?;
    let rest = b.get(at + 5..)?;
    let rest = rest.strip_prefix(b",").unwrap_or(rest);
    let mut at = Civil::midnight(year, 0, 0);
    if !rest.is_empty() {
        read_clock(rest.strip_prefix(b" ")?, &mut at)?;
    }
    // Dots are written day first everywhere; slashes and dashes are not.
    let order = match (first > 12, second > 12) {
        _ if sign == b'.' => Some(DateOrder::DayFirst),
        (true, false) => Some(DateOrder::DayFirst),
        (false, true) => Some(DateOrder::MonthFirst),
        _ => None,
    };
    Some(LocalTime { first, second, at, order })
}

/// One or two digits and where they end.
fn short(b: &[u8], at: usize) -> Option<(u8, usize)> {
    let digit = |i: usize| b.get(i).filter(|d| d.is_ascii_digit()).map(|d| d - b'0');
    let first = digit(at)?;
    Some(match digit(at + 1) {
        Some(second) => (first * 10 + second, at + 2),
        None => (first, at + 1),
    })
}

fn read_clock(b: &[u8], to: &mut Civil) -> Option<()> {
    let (mut hour, at) = short(b, 0)?;
    if b.get(at) != Some(&b':') {
        return None;
    }
    let (minute, mut at) = short(b, at + 1)?;
    if b.get(at) == Some(&b':') {
        (to.second, at) = short(b, at + 1)?;
        if matches!(b.get(at), Some(b'.' | b',')) {
            (to.ticks, at) = fraction(b, at + 1)?;
        }
    }
    let rest = std::str::from_utf8(b.get(at..)?).ok()?;
    // Newer locales put a narrow no-break space before AM.
    let half = rest.trim_start_matches([' ', '\u{a0}', '\u{202f}']).to_ascii_lowercase();
    match half.as_str() {
        "" => {}
        "am" | "a.m." if (1..=12).contains(&hour) => hour %= 12,
        "pm" | "p.m." if (1..=12).contains(&hour) => hour = hour % 12 + 12,
        _ => return None,
    }
    (to.hour, to.minute) = (hour, minute);
    Some(())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn utc(text: &str) -> String {
        match read(text.as_bytes()) {
            Some(TimeText::Utc(stamp)) => stamp.rfc3339(),
            Some(TimeText::Local(local)) => {
                let order = local.order.unwrap_or(DateOrder::MonthFirst);
                Stamp::from_civil(local.civil(order)).map_or("none".into(), Stamp::rfc3339)
            }
            None => "none".into(),
        }
    }

    #[test]
    fn one_moment_in_every_form() {
        assert_eq!(utc("2026-06-22T02:10:41.4187442Z"), "2026-06-22T02:10:41.4187442Z");
        assert_eq!(utc("2026-06-22 02:10:41.4187442"), "2026-06-22T02:10:41.4187442Z");
        assert_eq!(utc("2026-06-22T04:10:41+02:00"), "2026-06-22T02:10:41Z");
        assert_eq!(utc("2026-06-22T01:10:41-0100"), "2026-06-22T02:10:41Z");
        assert_eq!(utc("6/22/2026, 2:10:41.418 AM"), "2026-06-22T02:10:41.418Z");
        assert_eq!(utc("6/22/2026, 12:10:41.418\u{202f}PM"), "2026-06-22T12:10:41.418Z");
        assert_eq!(utc("6/22/2026, 12:10 am"), "2026-06-22T00:10:00Z");
        assert_eq!(utc("22/06/2026, 03:10:41.418"), "2026-06-22T03:10:41.418Z");
        assert_eq!(utc("22.6.2026, 02:10:41,418"), "2026-06-22T02:10:41.418Z");
        assert_eq!(utc("6/22/2026 2:10"), "2026-06-22T02:10:00Z");
        assert_eq!(utc("2026-06-22"), "2026-06-22T00:00:00Z");
    }

    #[test]
    fn texts_that_are_no_time() {
        for text in [
            "",
            "now",
            "6/22",
            "2026-06-22T",
            "2026-06-22T25:00:00Z",
            "2026-6-22T02:10Z",
            "13 PM",
            "6/22/26",
            "2026-06-22T02:10:41.",
        ] {
            assert_eq!(utc(text), "none", "{text:?}");
        }
        assert_eq!(utc("6/22/2026, 13:10:41 PM"), "none");
    }

    #[test]
    fn the_form_of_the_us_portal_is_month_first_and_any_other_day_first() {
        for (text, expected) in [
            ("6/5/2026, 2:00:00.418 PM", DateOrder::MonthFirst),
            ("10/11/2026, 12:00:00\u{202f}AM", DateOrder::MonthFirst),
            ("06/05/2026, 2:00:00 PM", DateOrder::DayFirst),
            ("6/05/2026, 2:00:00 PM", DateOrder::DayFirst),
            ("6/5/2026, 2:00:00 pm", DateOrder::DayFirst),
            ("6/5/2026, 14:00:00", DateOrder::DayFirst),
            ("6/5/2026 2:00:00 PM", DateOrder::DayFirst),
            ("6-5-2026, 2:00:00 PM", DateOrder::DayFirst),
        ] {
            assert_eq!(assumed_order(text), expected, "{text}");
        }
    }

    #[test]
    fn the_order_is_told_only_by_numbers_beyond_twelve() {
        let order = |text: &str| match read(text.as_bytes()).unwrap() {
            TimeText::Local(local) => local.order,
            TimeText::Utc(_) => None,
        };
        assert_eq!(order("03/04/2026, 02:10:23.418"), None);
        assert_eq!(order("22/04/2026"), Some(DateOrder::DayFirst));
        assert_eq!(order("03/22/2026"), Some(DateOrder::MonthFirst));
        assert_eq!(order("3.4.2026"), Some(DateOrder::DayFirst));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,32}") {
            let _ = read(text.as_bytes());
        }

        #[test]
        fn what_is_written_is_read(ticks in -116_444_736_000_000_000_i64..2_534_023_008_000_000_000) {
            let stamp = Stamp::from_ticks(ticks).unwrap();
            prop_assert_eq!(read(stamp.rfc3339().as_bytes()), Some(TimeText::Utc(stamp)));
        }
    }
}
