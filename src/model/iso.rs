//! Times as ISO 8601 writes them, and as every log of Azure does.

use super::time::{Civil, Stamp};

/// `2026-06-22T02:10:41.4187442Z`, also with a blank for the T, without seconds, or with an offset. No zone = UTC.
pub fn iso(b: &[u8]) -> Option<Stamp> {
    if let Some(stamp) = as_azure_writes_it(b) {
        return Some(stamp);
    }
    let (year, month, day) = (number(b, 0, 4)?, number(b, 5, 2)?, number(b, 8, 2)?);
    if b.get(4) != Some(&b'-') || b.get(7) != Some(&b'-') {
        return None;
    }
    let byte = |n: i64| u8::try_from(n).ok();
    let mut civil = Civil::midnight(year, byte(month)?, byte(day)?);
    let Some(separator) = b.get(10) else {
        return Stamp::from_civil(civil);
    };
    if !matches!(separator, b'T' | b't' | b' ') || b.get(13) != Some(&b':') {
        return None;
    }
    civil.hour = byte(number(b, 11, 2)?)?;
    civil.minute = byte(number(b, 14, 2)?)?;
    let mut at = 16;
    if b.get(16) == Some(&b':') {
        civil.second = byte(number(b, 17, 2)?)?;
        at = 19;
        if matches!(b.get(19), Some(b'.' | b',')) {
            (civil.ticks, at) = fraction(b, 20)?;
        }
    }
    let stamp = Stamp::from_civil(civil)?;
    match b.get(at..)? {
        [] | b"Z" | b"z" | b" UTC" => Some(stamp),
        [sign @ (b'+' | b'-'), rest @ ..] => {
            let minutes = match rest.len() {
                5 if rest.get(2) == Some(&b':') => number(rest, 0, 2)? * 60 + number(rest, 3, 2)?,
                4 => number(rest, 0, 2)? * 60 + number(rest, 2, 2)?,
                2 => number(rest, 0, 2)? * 60,
                _ => return None,
            };
            let ticks = minutes * 60 * 10_000_000;
            Stamp::from_ticks(if *sign == b'+' {
                stamp.ticks() - ticks
            } else {
                stamp.ticks() + ticks
            })
        }
        _ => None,
    }
}

/// `2026-06-22T02:10:41.4187442Z` and nothing else: the form of nearly every log, read without looking for alternatives.
fn as_azure_writes_it(b: &[u8]) -> Option<Stamp> {
    let b: &[u8; 28] = b.try_into().ok()?;
    let signs = [
        (4, b'-'),
        (7, b'-'),
        (10, b'T'),
        (13, b':'),
        (16, b':'),
        (19, b'.'),
        (27, b'Z'),
    ];
    if signs.iter().any(|(at, sign)| b.get(*at) != Some(sign)) {
        return None;
    }
    let mut wrong = 0;
    let mut digits = |from: usize, len: usize| {
        let mut n = 0_u32;
        for digit in b.iter().skip(from).take(len) {
            let digit = digit.wrapping_sub(b'0');
            wrong |= u32::from(digit > 9);
            n = n * 10 + u32::from(digit);
        }
        n
    };
    let (year, month, day) = (digits(0, 4), digits(5, 2), digits(8, 2));
    let (hour, minute, second) = (digits(11, 2), digits(14, 2), digits(17, 2));
    let ticks = digits(20, 7);
    if wrong != 0 {
        return None;
    }
    let byte = |n: u32| u8::try_from(n).ok();
    let (month, day) = (byte(month)?, byte(day)?);
    let (hour, minute, second) = (byte(hour)?, byte(minute)?, byte(second)?);
    Stamp::from_civil(Civil {
        year: i64::from(year),
        month,
        day,
        hour,
        minute,
        second,
        ticks,
    })
}

/// Up to nine digits after the second, cut to 100 ns; returns them and where they end.
pub fn fraction(b: &[u8], from: usize) -> Option<(u32, usize)> {
    let mut ticks = 0_u32;
    let mut at = from;
    while let Some(digit) = b.get(at).filter(|d| d.is_ascii_digit()) {
        if at - from < 7 {
            ticks = ticks * 10 + u32::from(digit - b'0');
        }
        at += 1;
    }
    let digits = at - from;
    if digits == 0 || digits > 9 {
        return None;
    }
    for _ in digits..7 {
        ticks *= 10;
    }
    Some((ticks, at))
}

/// Exactly `len` digits at a place.
pub fn number(b: &[u8], at: usize, len: usize) -> Option<i64> {
    let mut n = 0;
    for digit in b.get(at..at + len)? {
        if !digit.is_ascii_digit() {
            return None;
        }
        n = n * 10 + i64::from(digit - b'0');
    }
    Some(n)
}
