//! Numbers inside keys: the double decides what a number is, its text decides how it is written.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// From here on whole doubles no longer name one integer each, and exponents become shorter.
const LARGEST_PLAIN: f64 = 1e21;
/// Below this a fraction is written with an exponent, as JSON writers commonly do.
const SMALLEST_PLAIN: f64 = 1e-6;

/// A finite number that remembers the text it was found as; compared by value alone.
#[derive(Clone, Debug)]
pub struct Number {
    value: f64,
    text: Box<str>,
}

impl Number {
    /// A number with its canonical text; `None` unless finite.
    pub fn new(value: f64) -> Option<Self> {
        value
            .is_finite()
            .then(|| Self { value: unsigned_zero(value), text: canonical_number(value).into() })
    }

    /// Keeps `text`, which must be a JSON number without blanks whose value is finite.
    pub fn from_text(text: &str) -> Option<Self> {
        if !is_json_number(text) {
            return None;
        }
        let value: f64 = text.parse().ok()?;
        value.is_finite().then(|| Self { value: unsigned_zero(value), text: text.into() })
    }

    /// The double; never -0.0, which is read and hashed as 0.0, as the Rust driver does. UNVERIFIED: the libraries for Python,
    /// JavaScript and .NET hash -0.0 apart, and what the service does is not confirmed.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The one text of its value, whatever it was found as.
    pub fn canonical(&self) -> String {
        canonical_number(self.value)
    }

    /// The text as found.
    pub fn text(&self) -> &str {
        &self.text
    }
}

equal_by_order!(Number);

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.total_cmp(&other.value)
    }
}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.to_bits().hash(state);
    }
}

/// The one text of a double: its shortest round-trip digits, plain from 1e-6 up to below 1e21, else with an exponent.
pub(super) fn canonical_number(value: f64) -> String {
    let value = unsigned_zero(value);
    let size = value.abs();
    if value == 0.0 || (SMALLEST_PLAIN..LARGEST_PLAIN).contains(&size) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

fn unsigned_zero(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value }
}

fn is_json_number(text: &str) -> bool {
    json_number_len(text.as_bytes()) == Some(text.len())
}

/// How many bytes at the start of `bytes` are one JSON number.
pub(super) fn json_number_len(bytes: &[u8]) -> Option<usize> {
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    let whole = digits(bytes, at);
    if whole == 0 || (whole > 1 && bytes.get(at) == Some(&b'0')) {
        return None;
    }
    at += whole;
    if bytes.get(at) == Some(&b'.') {
        let fraction = digits(bytes, at + 1);
        if fraction == 0 {
            return None;
        }
        at += 1 + fraction;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits(bytes, at + 1 + sign);
        if exponent == 0 {
            return None;
        }
        at += 1 + sign + exponent;
    }
    Some(at)
}

fn digits(bytes: &[u8], from: usize) -> usize {
    bytes.get(from..).map_or(0, |rest| rest.iter().take_while(|byte| byte.is_ascii_digit()).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_text_for_each_double() {
        for (text, canonical) in [
            ("42.0", "42"),
            ("-0.0", "0"),
            ("-0", "0"),
            ("4.2e1", "42"),
            ("9007199254740993", "9007199254740992"),
            ("123456789012345680000", "123456789012345680000"),
            ("1000000000000000000000", "1e21"),
            ("1e308", "1e308"),
            ("5e-324", "5e-324"),
            ("1e-400", "0"),
            ("0.000001", "0.000001"),
            ("0.0000001", "1e-7"),
            ("-1.50", "-1.5"),
        ] {
            let number = Number::from_text(text).map(|number| canonical_number(number.value()));
            assert_eq!(number.as_deref(), Some(canonical), "{text}");
        }
    }

    #[test]
    fn only_finite_json_numbers() {
        for text in [
            "", "-", "01", "1.", ".5", "1e", "1e+", "+1", "1e400", "-1e400", "NaN", "inf", " 1",
            "1 ", "0x1",
        ] {
            assert_eq!(Number::from_text(text), None, "{text}");
        }
        assert_eq!(Number::new(f64::NAN), None);
        assert_eq!(Number::new(f64::INFINITY), None);
    }
}
