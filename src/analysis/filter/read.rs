//! Reads the values of comparisons: numbers with their units, days and dates, words.

use crate::model::moment;
use crate::model::time::{SECONDS_PER_DAY, Stamp};

use super::super::grammar::{Halt, Op, Scan, halt, starts};
use super::super::growth::day_of;
use super::FilterBasis;
use super::value::{DATE_WORDS, Limit, PERIODS, UNITS};

/// A fraction above this was meant as percent: no key holds twice its limit and a half.
const MAX_FRACTION: f64 = 2.5;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Positive,
    Either,
}

pub(super) fn number(scan: &mut Scan<'_>, sign: Sign, what: &str) -> Result<f64, Halt> {
    let start = *scan;
    let text = scan.rest();
    if sign == Sign::Either {
        scan.take("-");
    }
    if scan.digits().is_empty() {
        return Err(scan.missing(what));
    }
    if scan.take(".") && scan.digits().is_empty() {
        return Err(scan.missing("a digit after the point"));
    }
    let text = text.get(..scan.at - start.at).unwrap_or_default();
    match text.parse::<f64>() {
        // Zero has no sign.
        Ok(number) if number.is_finite() => Ok(number + 0.0),
        _ => Err(halt(start.at, "a smaller number")),
    }
}

pub(super) fn count(scan: &mut Scan<'_>, what: &str) -> Result<u64, Halt> {
    let at = scan.at;
    let digits = scan.digits();
    if digits.is_empty() {
        return Err(scan.missing(what));
    }
    digits.parse().map_err(|_| halt(at, "a smaller number"))
}

/// KiB, and the text with its unit; only zero needs none.
pub(super) fn amount(
    scan: &mut Scan<'_>,
    sign: Sign,
    basis: FilterBasis,
) -> Result<(f64, String), Halt> {
    let at = scan.at;
    let number = number(scan, sign, "a size such as 14GiB")?;
    let Some((name, binary, decimal)) = unit(scan, number)? else {
        return Ok((0.0, "0".to_owned()));
    };
    let kib = number * if basis.has_decimal_gb { decimal } else { binary };
    let found = kib.is_finite().then(|| (kib, format!("{number}{name}")));
    found.ok_or_else(|| halt(at, "a smaller number"))
}

fn unit(scan: &mut Scan<'_>, number: f64) -> Result<Option<(&'static str, f64, f64)>, Halt> {
    let is_attached = !scan.at_edge();
    let mut ahead = *scan;
    ahead.skip_blanks();
    let at = ahead.at;
    let letters = ahead.take_while(|c| c.is_ascii_alphabetic());
    let found = UNITS.iter().find(|u| u.0.eq_ignore_ascii_case(letters));
    let ends = ahead.at_edge() || ahead.rest().starts_with('/');
    if let Some(unit) = found.filter(|_| ends || is_attached) {
        *scan = ahead;
        return Ok(Some(*unit));
    }
    if !is_attached && number == 0.0 {
        return Ok(None);
    }
    let at = if is_attached { scan.at } else { at };
    let names = UNITS.iter().map(|u| u.0);
    Err(ahead.unknown(at, names, "a unit such as GiB"))
}

/// KiB a day.
pub(super) fn rate(scan: &mut Scan<'_>, basis: FilterBasis) -> Result<(f64, String), Halt> {
    let (kib, text) = amount(scan, Sign::Either, basis)?;
    if text == "0" {
        return Ok((0.0, text));
    }
    let what = "/day, /week or /month";
    if !scan.take("/") {
        return Err(scan.missing(what));
    }
    let (period, days) = one_of(scan, &PERIODS)?;
    Ok((kib / days, format!("{text}/{period}")))
}

pub(super) fn share(scan: &mut Scan<'_>) -> Result<(f64, String), Halt> {
    let at = scan.at;
    let what = "a share such as 70% or 0.7";
    let number = number(scan, Sign::Positive, what)?;
    let mut ahead = *scan;
    ahead.skip_blanks();
    let mut behind = ahead;
    if behind.take("%") && (scan.at == ahead.at || behind.at_edge()) {
        *scan = behind;
        return Ok((number / 100.0, format!("{number}%")));
    }
    if number <= MAX_FRACTION {
        return Ok((number, number.to_string()));
    }
    if ahead.is_done() {
        return Err(ahead.missing("% after the number"));
    }
    Err(halt(at, what))
}

pub(super) fn limit_date(
    op: Op,
    op_at: usize,
    scan: &mut Scan<'_>,
    basis: FilterBasis,
) -> Result<(Limit, String), Halt> {
    let what = "days such as 30d, a date such as 2026-12-01, over, never or unknown";
    if !scan.rest().starts_with(|c: char| c.is_ascii_digit()) {
        if scan.is_done() || !scan.rest().starts_with(|c: char| c.is_alphabetic()) {
            return Err(scan.missing(what));
        }
        let (word, state) = one_of(scan, &DATE_WORDS)?;
        return match op {
            Op::Equal | Op::Unequal => Ok((Limit::State(state), word.to_owned())),
            _ => Err(halt(op_at, format!("= or != before {word}"))),
        };
    }
    let at = scan.at;
    let number = count(scan, what)?;
    if scan.rest().starts_with('-') {
        scan.at = at;
        let day = date(scan)?;
        let text = Stamp::from_seconds(i64::from(day) * SECONDS_PER_DAY).map(Stamp::date_text);
        return Ok((Limit::Day(Some(day)), text.unwrap_or_default()));
    }
    let (word, days) = if scan.take("d") {
        ("d", Some(number))
    } else if scan.take("w") {
        ("w", number.checked_mul(7))
    } else {
        return Err(scan.missing("d, w or the rest of a date such as 2026-12-01"));
    };
    let days = days.and_then(|days| i32::try_from(days).ok());
    let days = days.ok_or_else(|| halt(at, "a smaller number"))?;
    let day = basis.as_of_day.map(|today| today.saturating_add(days));
    Ok((Limit::Day(day), format!("{number}{word}")))
}

fn date(scan: &mut Scan<'_>) -> Result<i32, Halt> {
    /// Characters of `2026-12-01`.
    const LEN: usize = 10;
    let at = scan.at;
    let what = "a date such as 2026-12-01";
    let text = scan.take_while(|c| c.is_ascii_digit() || c == '-');
    let shape = text.bytes().zip(b"0000-00-00");
    let is_begun = text.len() <= LEN && shape.into_iter().all(|(b, s)| (b == b'-') == (*s == b'-'));
    if is_begun && text.len() < LEN && scan.is_done() {
        return Err(scan.missing(what));
    }
    let moment = moment::of_text(text).filter(|_| is_begun && text.len() == LEN);
    moment.map(day_of).ok_or_else(|| halt(at, what))
}

pub(super) fn one_of<T: Copy>(
    scan: &mut Scan<'_>,
    words: &[(&'static str, T)],
) -> Result<(&'static str, T), Halt> {
    let at = scan.at;
    let typed = scan.value_word();
    let found = words.iter().find(|(w, _)| w.eq_ignore_ascii_case(typed));
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = words.iter().map(|w| w.0).collect();
        let what = format!("one of {}", names.join(", "));
        scan.unknown(at, names.into_iter().filter(|w| starts(w, typed)), what)
    })
}

pub(super) fn word(scan: &mut Scan<'_>, what: &str) -> Result<String, Halt> {
    let missing = scan.missing(what);
    let text =
        if scan.rest().starts_with('"') { scan.quoted()? } else { scan.value_word().to_owned() };
    if text.is_empty() { Err(missing) } else { Ok(text) }
}
