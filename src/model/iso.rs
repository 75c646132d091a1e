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
            let ticks = minutes * 60 * if *sign == b'+' { -10_000_000 } else { 10_000_000 };
            Stamp::from_ticks(stamp.ticks() + ticks)
        }
        _ => None,
    }
}

/// `2026-06-22T02:10:41.4187442Z` and nothing else: the form of nearly every log, read eight characters at a time.
pub fn as_azure_writes_it(b: &[u8]) -> Option<Stamp> {
    let b: &[u8; 28] = b.try_into().ok()?;
    let [date, clock, second] = [0, 8, 16].map(|at| b.get(at..).and_then(<[u8]>::first_chunk));
    let date = Digits::of(*date?, *b"0000-00-")?;
    let clock = Digits::of(*clock?, *b"00T00:00")?;
    let second = Digits::of(*second?, *b":00.0000")?;
    // The last three characters of the time before, and what follows.
    let ticks = Digits::of(*b.last_chunk()?, *b"0000000Z")?;
    let year = 100 * u32::from(date.two(0)) + u32::from(date.two(2));
    Stamp::from_civil(Civil {
        year: i64::from(year),
        month: date.two(5),
        day: clock.two(0),
        hour: clock.two(3),
        minute: clock.two(6),
        second: second.two(1),
        ticks: ticks.first_seven(),
    })
}

/// The high bit of each of eight bytes that is more than nine; of what follows such a byte it may say anything.
pub fn beyond_nine(bytes: u64) -> u64 {
    (bytes.wrapping_add(0x7676_7676_7676_7676) | bytes) & 0x8080_8080_8080_8080
}

/// The digits of eight characters by their values, the first one lowest; zero where another sign stands.
#[derive(Clone, Copy)]
struct Digits(u64);

impl Digits {
    /// None where the form has a digit and the text has none, or another sign than the form.
    fn of(text: [u8; 8], form: [u8; 8]) -> Option<Self> {
        // Zero for equal signs, the value for digits.
        let values = u64::from_le_bytes(text) ^ u64::from_le_bytes(form);
        let is_digit = u64::from_le_bytes(form.map(|b| if b == b'0' { 0xff } else { 0 }));
        let wrong = beyond_nine(values) | values & !is_digit;
        (wrong == 0).then_some(Self(values))
    }

    /// The number of two digits from a place on.
    #[inline]
    fn two(self, at: u32) -> u8 {
        // Of all neighbours at once: no sum exceeds its byte.
        let pairs = self.0.wrapping_mul(10).wrapping_add(self.0 >> 8);
        let [number, ..] = (pairs >> (8 * at)).to_le_bytes();
        number
    }

    fn first_seven(self) -> u32 {
        u32::try_from(joined(self.0 << 8)).unwrap_or(0)
    }
}

/// The number of eight digits, the first one lowest. Pairs, then fours, then all: each step joins neighbours.
pub fn joined(digits: u64) -> u64 {
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xffff_ffff
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

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_azure_is_read_as_every_other_form() {
        let text = *b"2026-06-22T02:10:41.4187442Z";
        let mut read = 0;
        for at in 0..text.len() {
            for byte in 0..=u8::MAX {
                let mut changed = text;
                changed[at] = byte;
                let quick = as_azure_writes_it(&changed);
                // With an offset instead of the Z it takes the way of all other forms.
                let mut slow = changed[..27].to_vec();
                slow.extend(if changed[27] == b'Z' { "+00:00" } else { "?" }.bytes());
                if quick.is_some() {
                    assert_eq!(quick, iso(&slow), "{:?}", changed.escape_ascii().to_string());
                    read += 1;
                }
            }
        }
        // The text itself as often as it has bytes, and each digit that its place allows.
        assert!(read > 150, "{read}");
        let stamp = as_azure_writes_it(&text).unwrap();
        assert_eq!(stamp.rfc3339().as_bytes(), text);
        assert!(as_azure_writes_it(&text[..27]).is_none());
    }
}
