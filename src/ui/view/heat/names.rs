//! How partitions, times and values are written.

use crate::analysis::heat::{RangeName, Unit};
use crate::model::physical::PhysicalPartition;
use crate::model::time::{SECONDS_PER_DAY, Stamp};
use crate::model::units::{figure_text, kib_text, percent_text};
use crate::model::visible::{display_width, visible};
use crate::ui::kit::text;

/// Longer labels are shortened.
const MOST_LABEL: usize = 12;

/// In the first column of a row; ids are visible already.
pub fn label(named: &RangeName) -> String {
    match named {
        RangeName::Range(id) => visible(id).into_owned(),
        RangeName::Guid(guid) => text::guid_start(guid),
        RangeName::Undefined => "undefined".to_owned(),
        RangeName::NotReported => "unknown".to_owned(),
    }
}

/// In a sentence.
pub fn sentence(named: &RangeName) -> String {
    match named {
        RangeName::Range(id) => format!("partition {}", visible(id)),
        RangeName::Guid(guid) => format!("partition {}", visible(guid)),
        RangeName::Undefined => "no partition: the log writes \"undefined\"".to_owned(),
        RangeName::NotReported => "records without a partition".to_owned(),
    }
}

/// The same with no more of a GUID than its label has.
pub fn short_sentence(named: &RangeName) -> String {
    match named {
        RangeName::Guid(_) => format!("partition {}", label(named)),
        _ => sentence(named),
    }
}

pub fn columns(named: &RangeName) -> usize {
    display_width(&label(named)).min(MOST_LABEL)
}

/// A value with its unit.
pub fn value(value: f64, unit: Unit) -> String {
    if !value.is_finite() {
        return "no number".to_owned();
    }
    match unit {
        Unit::Share => percent_text(value),
        Unit::RuPerSecond => format!("{} RU/s", figure_text(value)),
        Unit::PerSecond => format!("{}/s", figure_text(value)),
        Unit::Kib => kib_text(value),
    }
}

/// `1 min`, `15 min`, `2 h`, `1 day`.
pub fn length(seconds: u64) -> String {
    let day = SECONDS_PER_DAY.unsigned_abs();
    match seconds {
        0 => "0".to_owned(),
        s if s.is_multiple_of(day) => format!("{} d", s / day),
        s if s.is_multiple_of(3600) => format!("{} h", s / 3600),
        s if s.is_multiple_of(60) && s < 7200 => format!("{} min", s / 60),
        s if s < 120 => format!("{s} s"),
        s if s < 3600 => format!("{} min {} s", s / 60, s % 60),
        s if s < day => format!("{} h {} min", s / 3600, s / 60 % 60),
        s => format!("{} d {} h", s / day, s / 3600 % 24),
    }
}

/// `14:02`, with the date where a day is not told otherwise, with seconds where cells are that fine.
pub fn clock(second: i64, precision: Precision) -> String {
    let Some(stamp) = Stamp::from_seconds(second) else {
        return String::new();
    };
    let c = stamp.civil();
    let minutes = format!("{:02}:{:02}", c.hour, c.minute);
    match precision {
        Precision::Seconds => format!("{minutes}:{:02}", c.second),
        Precision::Minutes => minutes,
        Precision::Dated => {
            format!("{} {minutes}", stamp.date_text().get(5..).unwrap_or_default())
        }
        Precision::Days => stamp.date_text(),
    }
}

/// `06-29`, at midnight.
pub fn day(second: i64) -> String {
    let date = Stamp::from_seconds(second).map(Stamp::date_text);
    let day = date.as_deref().and_then(|date| date.get(5..));
    day.unwrap_or_default().to_owned()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    Seconds,
    Minutes,
    Dated,
    Days,
}

impl Precision {
    /// What tells the cells of a span apart.
    pub fn of(width_s: u32, span_s: i64) -> Self {
        match width_s {
            ..60 => Self::Seconds,
            86_400.. => Self::Days,
            _ if span_s > SECONDS_PER_DAY => Self::Dated,
            _ => Self::Minutes,
        }
    }
}

/// A span in UTC: the date is told once.
pub fn span(from: i64, to: i64) -> String {
    let (Some(start), Some(end)) = (Stamp::from_seconds(from), Stamp::from_seconds(to)) else {
        return String::new();
    };
    let is_fine = from.rem_euclid(60) != 0 || to.rem_euclid(60) != 0;
    let precision = if is_fine { Precision::Seconds } else { Precision::Minutes };
    let at = |second| clock(second, precision);
    // Midnight ends its day.
    let last = Stamp::from_seconds(to.saturating_sub(1)).map(Stamp::date_text);
    let is_one_day = last.is_some_and(|last| last == start.date_text());
    if start.date_text() == end.date_text()
        || is_one_day && to.saturating_sub(from) < SECONDS_PER_DAY
    {
        return format!("{} {}–{} UTC", start.date_text(), at(from), at(to));
    }
    format!("{} {} – {} {} UTC", start.date_text(), at(from), end.date_text(), at(to))
}

/// The clock times of a span, with dates where it is longer than a day.
pub fn clocks(from: i64, to: i64) -> String {
    let is_fine = from.rem_euclid(60) != 0 || to.rem_euclid(60) != 0;
    let precision = match to.saturating_sub(from) {
        length if length > SECONDS_PER_DAY => Precision::Dated,
        _ if is_fine => Precision::Seconds,
        _ => Precision::Minutes,
    };
    format!("{}–{}", clock(from, precision), clock(to, precision))
}

/// `hash range 3FFFFF… to 7FFFFF…`: as many digits as tell its ends apart; `hash range within 23C3EC20CBEA…` where these
/// are more than anyone reads.
pub fn range(partition: &PhysicalPartition) -> Option<String> {
    const DIGITS: usize = 6;
    const MOST_DIGITS: usize = 12;
    let (from, to) = partition.min_inclusive.as_ref().zip(partition.max_exclusive.as_ref())?;
    let [from, to] = [from, to].map(|bound| visible(bound));
    let alike = from.chars().zip(to.chars()).take_while(|(a, b)| a == b);
    let digits = DIGITS.max(alike.count() + 1);
    if digits > MOST_DIGITS {
        let head: String = from.chars().take(MOST_DIGITS).collect();
        return Some(format!("hash range within {head}…"));
    }
    let short = |bound: &str| {
        let head: String = bound.chars().take(digits).collect();
        match bound.chars().count() {
            0 => "00".to_owned(),
            count if count <= digits => head,
            _ => format!("{head}…"),
        }
    };
    Some(format!("hash range {} to {}", short(&from), short(&to)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_short() {
        let of = [0, 1, 60, 90, 150, 900, 3600, 5400, 7260, 86_400, 90_000].map(length);
        assert_eq!(
            of,
            [
                "0",
                "1 s",
                "1 min",
                "90 s",
                "2 min 30 s",
                "15 min",
                "1 h",
                "90 min",
                "2 h 1 min",
                "1 d",
                "25 h"
            ]
        );
        assert_eq!(value(0.979, Unit::Share), "98 %");
        assert_eq!(value(f64::NAN, Unit::Share), "no number");
        assert_eq!(value(12.0, Unit::PerSecond), "12/s");
    }

    #[test]
    fn a_span_tells_its_date_once_unless_there_are_two() {
        let start = 1_782_093_600;
        assert_eq!(span(start, start + 60), "2026-06-22 02:00–02:01 UTC");
        assert_eq!(span(start, start + 1), "2026-06-22 02:00:00–02:00:01 UTC");
        assert_eq!(span(start, start + 86_400), "2026-06-22 02:00 – 2026-06-23 02:00 UTC");
        let midnight = start - start.rem_euclid(86_400) + 86_400;
        assert_eq!(span(midnight - 60, midnight), "2026-06-22 23:59–00:00 UTC");
        assert_eq!(span(i64::MAX, i64::MIN), "");
    }

    #[test]
    fn a_narrow_range_has_as_many_digits_as_tell_its_ends_apart() {
        let of = |from: &str, to: &str| {
            let partition = PhysicalPartition {
                min_inclusive: Some(from.into()),
                max_exclusive: Some(to.into()),
                ..PhysicalPartition::default()
            };
            range(&partition).unwrap_or_default()
        };
        assert_eq!(of("", "0FFFFFFFFFFF"), "hash range 00 to 0FFFFF…");
        assert_eq!(of("23C3ECAA11", "23C3ECAB22"), "hash range 23C3ECAA… to 23C3ECAB…");
        assert_eq!(of("23C3EC20CBEA79A1", "23C3EC20CBEA79A2"), "hash range within 23C3EC20CBEA…");
    }
}
