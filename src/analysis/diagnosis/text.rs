//! Numbers, times and keys of verdicts in words.

use crate::analysis::demand::attempts::Counts;
use crate::model::key::Key;
use crate::model::time::Stamp;
use crate::model::units::{amount_text, percent_text};

/// Where RU by key were logged.
pub const RU_LOG: &str = "RU log (PartitionKeyRUConsumption)";
/// Beyond this no number of a database is meant: a charge of a damaged log, at best.
const MOST: f64 = 1e15;

/// `6,000 RU/s`, `58.7 RU/s`
pub fn ru_text(ru_per_second: f64) -> String {
    format!("{} RU/s", number_text(ru_per_second))
}

/// An amount that is no more than what can be meant.
pub fn number_text(n: f64) -> String {
    if n.abs() > MOST {
        return "more than 1,000,000,000,000,000".to_owned();
    }
    amount_text(n)
}

/// `5 min`, `10 s`, `3 h`.
pub fn span_text(seconds: i64) -> String {
    match seconds {
        s if s >= 172_800 && s % 86_400 == 0 => format!("{} days", s / 86_400),
        s if s >= 7200 && s % 3600 == 0 => format!("{} h", s / 3600),
        s if s >= 60 && s % 60 == 0 => format!("{} min", s / 60),
        s if s >= 600 => format!("{} min", s / 60),
        s => format!("{s} s"),
    }
}

/// `146 days`, `5 h`: how old something is, to the largest unit that tells it well enough.
pub fn age_text(seconds: i64) -> String {
    match seconds {
        s if s >= 172_800 => format!("{} days", s / 86_400),
        s if s >= 7200 => format!("{} h", s / 3600),
        s if s >= 120 => format!("{} min", s / 60),
        s => format!("{s} s"),
    }
}

/// `2026-06-22 02:00:09 UTC`.
pub fn second_text(second: i64) -> String {
    let at = Stamp::from_seconds(second);
    at.map_or_else(|| "at an unknown time".to_owned(), Stamp::second_text)
}

/// `1.2 % of 60,000 requests`.
pub fn counts_text(counts: &Counts, share: f64) -> String {
    format!("{} of {} requests", percent_text(share), number_text(counts.requests.round()))
}

/// A key's JSON text with nothing in it that acts or hides.
pub fn json_of(canonical: &str) -> Option<Box<str>> {
    Key::from_canonical(canonical).map(|key| key.json().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(ru_text(6000.0), "6,000 RU/s");
        assert_eq!(ru_text(5872.6), "5,873 RU/s");
        assert_eq!(ru_text(58.72), "58.7 RU/s");
        assert_eq!(number_text(f64::INFINITY), "more than 1,000,000,000,000,000");
        assert_eq!(number_text(0.96), "1");
        assert_eq!(number_text(-2.5), "-2.5");
    }

    #[test]
    fn spans_are_told_in_the_largest_whole_unit() {
        let texts = [10, 300, 3600, 7200, 90, 1000, 604_800].map(span_text);
        let expected = ["10 s", "5 min", "60 min", "2 h", "90 s", "16 min", "7 days"];
        assert_eq!(texts, expected);
        let ages = [12_614_500, 7300, 150, 90].map(age_text);
        assert_eq!(ages, ["146 days", "2 h", "2 min", "90 s"]);
        assert_eq!(second_text(1_782_094_241), "2026-06-22 02:10:41 UTC");
    }
}
