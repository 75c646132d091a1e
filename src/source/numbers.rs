//! Sizes and charges as text, in the forms that portals, spreadsheets and older logs give them.

use super::times::trimmed;
use crate::model::iso::{beyond_nine, joined};

/// Which sign separates the fraction; the other one groups thousands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberForm {
    /// `18,874,368.5`
    Point,
    /// `18.874.368,5`
    Comma,
}

/// A number and whether a spreadsheet cut it: an exponent in a column of whole KB is the trace of that.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ReadNumber {
    pub value: f64,
    pub rounded: bool,
}

/// A finite number of at least zero, or None. Never a sign but that of minus zero, a unit, an underscore, another base or
/// other digits than 0-9.
pub fn amount(text: &[u8], form: NumberForm) -> Option<ReadNumber> {
    let exact = |value| ReadNumber { value, rounded: false };
    if let Some(whole) = plain_digits(text) {
        return Some(exact(whole));
    }
    let text = trimmed(text);
    let bytes = text.strip_prefix(b"-").filter(|rest| is_zero(rest)).unwrap_or(text);
    if let Some(whole) = plain_digits(bytes) {
        return Some(exact(whole));
    }
    let (group, point) = match form {
        NumberForm::Point => (b',', b'.'),
        NumberForm::Comma => (b'.', b','),
    };
    let exponent_at = bytes.iter().position(|b| matches!(b, b'e' | b'E'));
    let (mantissa, exponent) = bytes.split_at_checked(exponent_at.unwrap_or(bytes.len()))?;
    let point_at = mantissa.iter().position(|b| *b == point);
    let (whole, fraction) = mantissa.split_at_checked(point_at.unwrap_or(mantissa.len()))?;
    let fraction_ok = fraction.is_empty()
        || (fraction.len() > 1 && fraction.iter().skip(1).all(u8::is_ascii_digit));
    if !grouped_digits(whole, group) || !fraction_ok || !exponent_valid(exponent) {
        return None;
    }
    let mut spelled: String =
        whole.iter().filter(|b| b.is_ascii_digit()).map(|b| char::from(*b)).collect();
    if !fraction.is_empty() {
        spelled.push('.');
        spelled.extend(fraction.iter().skip(1).map(|b| char::from(*b)));
    }
    spelled.extend(exponent.iter().map(|b| char::from(*b)));
    let value: f64 = spelled.parse().ok()?;
    value.is_finite().then_some(ReadNumber { value, rounded: !exponent.is_empty() })
}

/// Whether no digit before the exponent, if any, is more than zero. Programs that round write minus zero.
fn is_zero(text: &[u8]) -> bool {
    let mut mantissa = text.iter().take_while(|b| !matches!(b, b'e' | b'E'));
    !mantissa.any(|b| matches!(b, b'1'..=b'9'))
}

/// Up to 15 digits: exact in a double, and by far the most common form.
fn plain_digits(bytes: &[u8]) -> Option<f64> {
    if bytes.is_empty() || bytes.len() > 15 {
        return None;
    }
    let whole = match bytes.len() {
        4..=8 => eight_digits(bytes)?,
        _ => bytes.iter().try_fold(0, |whole: u64, b| {
            let digit = b.wrapping_sub(b'0');
            (digit <= 9).then(|| whole * 10 + u64::from(digit))
        })?,
    };
    #[expect(clippy::cast_precision_loss, reason = "at most 15 digits, below 2^53")]
    let value = whole as f64;
    Some(value)
}

/// Four to eight digits at once.
fn eight_digits(bytes: &[u8]) -> Option<u64> {
    const ZEROS: u64 = 0x3030_3030_3030_3030;
    let (first, last) = (bytes.first_chunk()?, bytes.last_chunk()?);
    let [first, last] = [first, last].map(|four| u64::from(u32::from_le_bytes(*four)));
    // Both cover the middle of what is shorter than eight.
    let word = first | last << (8 * bytes.len().saturating_sub(4));
    // The last digit highest, zeros before the first.
    let digits = (word ^ ZEROS) << (64 - 8 * bytes.len().min(8));
    (beyond_nine(digits) == 0).then(|| joined(digits))
}

/// Digits, with groups of exactly three after the first where the sign appears at all.
fn grouped_digits(bytes: &[u8], group: u8) -> bool {
    let mut parts = bytes.split(|b| *b == group);
    let first = parts.next().unwrap_or_default();
    let digits = |p: &[u8]| p.iter().all(u8::is_ascii_digit);
    let mut grouped = false;
    for part in parts {
        grouped = true;
        if part.len() != 3 || !digits(part) {
            return false;
        }
    }
    !first.is_empty() && digits(first) && (!grouped || first.len() <= 3)
}

fn exponent_valid(exponent: &[u8]) -> bool {
    match exponent {
        [] => true,
        [_, b'+' | b'-', digits @ ..] | [_, digits @ ..] => {
            !digits.is_empty() && digits.len() <= 3 && digits.iter().all(u8::is_ascii_digit)
        }
    }
}

/// What one value says about the form of its file.
pub fn evidence(text: &str) -> Option<NumberForm> {
    let text = text.trim();
    let count = |sign: char| text.matches(sign).count();
    let (dots, commas) = (count('.'), count(','));
    let after = |sign: char| {
        text.rsplit(sign)
            .next()
            .map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count())
    };
    match (dots, commas) {
        (0, 0) => None,
        (2.., 0) => Some(NumberForm::Comma),
        (0, 2..) => Some(NumberForm::Point),
        (1, 0) => (after('.') != 3).then_some(NumberForm::Point),
        (0, 1) => (after(',') != 3).then_some(NumberForm::Comma),
        _ => Some(if text.rfind('.') > text.rfind(',') {
            NumberForm::Point
        } else {
            NumberForm::Comma
        }),
    }
}

/// Whether the value reads differently in the two forms, so that a file of only such values stays undecided.
pub fn is_ambiguous(text: &str) -> bool {
    text.contains(['.', ',']) && evidence(text).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(text: &str, form: NumberForm) -> Option<f64> {
        amount(text.as_bytes(), form).map(|r| r.value)
    }

    #[test]
    fn sizes_that_are_none() {
        let texts = "| |NaN|nan|inf|-inf|Infinity|1e400|-1|-0.5|abc|12 KB|0x10|1_000|--5|--0|-|-.0|\
    -0.000000001|-1e-400|0-|５|٥|1e|.|+|null|true|1/2|5-|\u{1b}[31m7|1,2,3|1,,000|,5|\
    12,34";
        for text in texts.split('|') {
            assert_eq!(value(text, NumberForm::Point), None, "{text:?}");
        }
        assert_eq!(value(&"9".repeat(400), NumberForm::Point), None);
    }

    #[test]
    fn forms_of_one_size() {
        assert_eq!(value("22650880", NumberForm::Point), Some(22_650_880.0));
        assert_eq!(value("22650880.0", NumberForm::Point), Some(22_650_880.0));
        assert_eq!(value("22,650,880", NumberForm::Point), Some(22_650_880.0));
        assert_eq!(value("22.650.880", NumberForm::Comma), Some(22_650_880.0));
        assert_eq!(value(" 7 ", NumberForm::Point), Some(7.0));
        assert_eq!(value("0.5", NumberForm::Point), Some(0.5));
        assert_eq!(value("0,5", NumberForm::Comma), Some(0.5));
        assert_eq!(
            amount(b"2.26509E+07", NumberForm::Point),
            Some(ReadNumber { value: 22_650_900.0, rounded: true })
        );
        assert_eq!(
            value("9223372036854775807", NumberForm::Point),
            Some(9_223_372_036_854_775_807.0)
        );
    }

    #[test]
    fn minus_zero_is_zero() {
        let point = ["-0", "-0.0", " -0.00 ", "-000", "-0e5", "-0.0E+00", "-0,000"];
        let point = point.map(|text| (text, NumberForm::Point));
        for (text, form) in point.into_iter().chain([("-0,0", NumberForm::Comma)]) {
            assert_eq!(value(text, form).map(f64::to_bits), Some(0), "{text}");
        }
    }

    #[test]
    fn a_file_decides_by_its_telling_values() {
        assert_eq!(evidence("1.101.005"), Some(NumberForm::Comma));
        assert_eq!(evidence("18,874,368"), Some(NumberForm::Point));
        assert_eq!(evidence("22650880.0"), Some(NumberForm::Point));
        assert_eq!(evidence("1.101,5"), Some(NumberForm::Comma));
        assert_eq!(evidence("1,101.5"), Some(NumberForm::Point));
        assert!(is_ambiguous("18,874") && is_ambiguous("18.874") && !is_ambiguous("18874"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,24}") {
            for form in [NumberForm::Point, NumberForm::Comma] {
                if let Some(r) = amount(text.as_bytes(), form) {
                    prop_assert!(r.value.is_finite() && r.value >= 0.0);
                }
            }
        }

        #[test]
        fn whole_numbers_of_any_length_read_as_the_standard_library_reads_them(
            digits in "[0-9]{1,15}", at in 0_usize..15, other in any::<char>(),
        ) {
            prop_assert_eq!(plain_digits(digits.as_bytes()), digits.parse().ok());
            let mut changed: Vec<char> = digits.chars().collect();
            let at = at % changed.len();
            changed[at] = other;
            let changed: String = changed.into_iter().collect();
            let whole = changed.bytes().all(|b| b.is_ascii_digit()).then(|| changed.parse().ok());
            prop_assert_eq!(plain_digits(changed.as_bytes()), whole.flatten());
        }

        #[test]
        fn plain_numbers_read_as_the_standard_library_reads_them(n in 0_u64..1 << 53, fraction in 0_u32..1000) {
            let text = format!("{n}.{fraction}");
            prop_assert_eq!(value(&text, NumberForm::Point), text.parse().ok());
        }
    }
}
