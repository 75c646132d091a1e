//! When a key reaches the limit, as every screen and report says it.

use super::LimitDate;
use crate::model::time::Stamp;
use crate::model::units::rounded_text;

/// Beyond 20 years a date is no forecast.
pub const FAR_DAYS: f64 = 7_305.0;
/// Beyond this a doubt is told in years.
const VAGUE_DAYS: f64 = 999.0;
/// From here on a doubt is told in months.
const MONTHS_FROM_DAYS: f64 = 100.0;
/// A date that is further ahead is one of a month.
const MONTH_AHEAD_DAYS: f64 = 2.0 * DAYS_A_YEAR;
const DAYS_A_YEAR: f64 = 365.25;
const DAYS_A_MONTH: f64 = DAYS_A_YEAR / 12.0;

/// A date with its doubt, the earliest where that is longer than the time until then, or words; at most 17 columns.
pub fn limit_date_text(limit_date: &LimitDate, as_of: Option<Stamp>) -> String {
    let LimitDate::Date { at, earliest, latest } = limit_date else {
        return match limit_date {
            LimitDate::Over => "over the limit",
            LimitDate::Never => "never",
            LimitDate::Unknown | LimitDate::Date { .. } => "unknown",
        }
        .to_owned();
    };
    let ahead = as_of.map(|now| at.days_since(now));
    if ahead.is_some_and(|ahead| ahead > FAR_DAYS) {
        return "> 20 years".to_owned();
    }
    let doubt = doubt_days([*at, *earliest], *latest);
    let is_shown = shown_moment(limit_date, as_of) == Some(*at);
    let is_certain = earliest == at && *latest == Some(*at);
    let [date, earliest] = [*at, *earliest].map(Stamp::date_text);
    let month = date.get(..7).unwrap_or(&date);
    let whole = |days: f64| rounded_text((doubt / days).ceil());
    let is_far = ahead > Some(MONTH_AHEAD_DAYS);
    match doubt {
        // What follows from a given growth has none.
        _ if is_certain => (if is_far { month } else { &date }).to_owned(),
        _ if !is_shown => format!("≥ {}", earliest.get(..7).unwrap_or(&earliest)),
        _ if doubt > VAGUE_DAYS => format!("{month} ±{} yr", whole(DAYS_A_YEAR)),
        // A doubt of months makes the day a pretence, and the text too long for its column.
        _ if doubt >= MONTHS_FROM_DAYS || is_far => {
            format!("{month} ±{} mo", whole(DAYS_A_MONTH))
        }
        _ => format!("{date} ±{} d", rounded_text(doubt)),
    }
}

/// The moment that the text shows, which dates are sorted by: the likeliest, or the earliest where the doubt is longer
/// than the time until then.
pub fn shown_moment(limit_date: &LimitDate, as_of: Option<Stamp>) -> Option<Stamp> {
    let LimitDate::Date { at, earliest, latest } = *limit_date else {
        return None;
    };
    let ahead = as_of.map_or(FAR_DAYS, |now| at.days_since(now));
    let doubt = doubt_days([at, earliest], latest);
    let is_vague = doubt >= MONTHS_FROM_DAYS && doubt > ahead && ahead <= FAR_DAYS;
    Some(if is_vague { earliest } else { at })
}

/// The longer of the times from the likeliest date to the earliest and to the latest.
fn doubt_days([at, earliest]: [Stamp; 2], latest: Option<Stamp>) -> f64 {
    let later = latest.map_or(f64::INFINITY, |latest| latest.days_since(at));
    later.max(at.days_since(earliest)).ceil()
}

/// The same behind a word: `on 2026-07-01 ±7 d`, `not before 2026-06`, `in > 20 years`.
pub fn limit_date_words(limit_date: &LimitDate, as_of: Option<Stamp>) -> String {
    let text = limit_date_text(limit_date, as_of);
    if let Some(earliest) = text.strip_prefix("≥ ") {
        return format!("not before {earliest}");
    }
    match limit_date {
        LimitDate::Date { .. } if text.starts_with('>') => format!("in {text}"),
        LimitDate::Date { .. } => format!("on {text}"),
        LimitDate::Over | LimitDate::Never | LimitDate::Unknown => text,
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn dates_carry_their_doubt() {
        let at = |s: i64| Stamp::from_seconds(1_782_094_241 + s * 86_400).unwrap();
        let date = |days: [i64; 2], latest: Option<i64>| {
            let [at_day, earliest] = days.map(at);
            LimitDate::Date { at: at_day, earliest, latest: latest.map(at) }
        };
        let text =
            |days, latest, now: Option<i64>| limit_date_text(&date(days, latest), now.map(at));
        assert_eq!(text([9, 6], Some(16), Some(0)), "2026-07-01 ±7 d");
        assert_eq!(text([9, 6], None, None), "≥ 2026-06");
        assert_eq!(text([9, 9], Some(9), Some(0)), "2026-07-01");
        assert_eq!(text([900, 900], Some(900), Some(0)), "2028-12");
        assert_eq!(text([9, 6], Some(1_509), None), "2026-07 ±5 yr");
        assert_eq!(text([9, 6], Some(1_509), Some(0)), "≥ 2026-06");
        assert_eq!(text([900, 700], Some(1200), Some(0)), "2028-12 ±10 mo");
        assert_eq!(text([900, 880], Some(950), Some(0)), "2028-12 ±2 mo");
        assert_eq!(text([90_000, 6], None, Some(0)), "> 20 years");
        assert_eq!(limit_date_text(&LimitDate::Over, None), "over the limit");
        let words = |days, latest| limit_date_words(&date(days, latest), Some(at(0)));
        assert_eq!(words([9, 6], Some(16)), "on 2026-07-01 ±7 d");
        assert_eq!(words([9, 6], None), "not before 2026-06");
        assert_eq!(words([90_000, 6], None), "in > 20 years");
        let shown = |days, latest| shown_moment(&date(days, latest), Some(at(0)));
        assert_eq!(shown([9, 6], Some(16)), Some(at(9)));
        assert_eq!(shown([9, 6], Some(1_509)), Some(at(6)));
        assert_eq!(shown([9, 6], None), Some(at(6)));
        assert_eq!(shown([90_000, 6], None), Some(at(90_000)));
        assert_eq!(shown_moment(&LimitDate::Never, Some(at(0))), None);
        assert_eq!(limit_date_words(&LimitDate::Never, None), "never");
    }
}
