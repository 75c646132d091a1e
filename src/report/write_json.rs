//! The few pieces of JSON that all writers share: texts, numbers, moments, each exact and harmless.

use std::fmt::Write as _;
use std::io;

use serde::Serialize;
use serde_json::ser::Formatter;

use crate::analysis::rows::{Note, UNKNOWN_CONTAINER};
use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::model::visible::json_escape_into;

pub(super) fn push_text(text: &str, out: &mut String) {
    out.push('"');
    json_escape_into(text, out);
    out.push('"');
}

pub(super) fn push_text_or_null(text: Option<&str>, out: &mut String) {
    match text {
        Some(text) => push_text(text, out),
        None => out.push_str("null"),
    }
}

/// What can be serialised, with texts that act on no terminal and numbers as [`push_number`] writes them.
pub(super) fn push_value(value: &impl Serialize, out: &mut String) {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Harmless);
    let text = match value.serialize(&mut serializer) {
        Ok(()) => String::from_utf8(bytes).ok(),
        Err(_) => None,
    };
    out.push_str(text.as_deref().unwrap_or("null"));
}

struct Harmless;

impl Formatter for Harmless {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut text = String::new();
        json_escape_into(fragment, &mut text);
        writer.write_all(text.as_bytes())
    }

    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        let mut text = String::new();
        push_number(value, &mut text);
        writer.write_all(text.as_bytes())
    }
}

/// Whole numbers without a point; JSON has no word for what is no number.
pub(super) fn push_number(number: f64, out: &mut String) {
    if number.is_finite() {
        // Zero has no sign in a report.
        let _ = write!(out, "{}", number + 0.0);
    } else {
        out.push_str("null");
    }
}

pub(super) fn push_number_or_null(number: Option<f64>, out: &mut String) {
    push_number(number.unwrap_or(f64::NAN), out);
}

pub(super) fn push_moment(at: Option<Stamp>, out: &mut String) {
    match at {
        Some(at) => {
            let _ = write!(out, "\"{}\"", at.rfc3339());
        }
        None => out.push_str("null"),
    }
}

/// `"account":…,"database":…,"container":…`
pub(super) fn push_names(name: &ContainerName, out: &mut String) {
    out.push_str("\"account\":");
    push_text_or_null(name.account.as_deref(), out);
    out.push_str(",\"database\":");
    push_text_or_null(name.database.as_deref(), out);
    out.push_str(",\"container\":");
    push_text(name.container.as_deref().unwrap_or(UNKNOWN_CONTAINER), out);
}

pub(super) fn push_notes(notes: &[Note], out: &mut String) {
    out.push_str("\"notes\":[");
    for (i, note) in notes.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        push_text(&note.sentence(), out);
    }
    out.push(']');
}

/// Growth is an estimate: more digits would promise what nobody knows.
pub(super) fn six_digits(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(n: f64) -> String {
        let mut out = String::new();
        push_number(n, &mut out);
        out
    }

    #[test]
    fn numbers_are_json_numbers() {
        let all = [
            22_650_880.0,
            1.080_078_125,
            -0.0,
            0.1,
            1e21,
            f64::NAN,
            f64::INFINITY,
        ];
        let texts = all.map(number);
        let expected = [
            "22650880",
            "1.080078125",
            "0",
            "0.1",
            "1000000000000000000000",
            "null",
            "null",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn estimates_are_rounded_to_six_digits() {
        let texts =
            [224_694.857_142, -0.001_234_567_8, 0.0, 9_999_999.0].map(|n| number(six_digits(n)));
        assert_eq!(texts, ["224695", "-0.00123457", "0", "10000000"]);
    }
}
