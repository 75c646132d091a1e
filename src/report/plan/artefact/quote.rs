//! Names from data as literals that nothing in them can end, by language; and as comments that end with their line.

use std::fmt::Write as _;

use crate::model::visible::needs_code;
use crate::model::visible::push_json_code;

/// Printable ASCII characters stand for themselves, but for the quote, the backslash and those that begin something.
fn quoted(text: &str, quote: char, begins: &str, coded: impl Fn(char, &mut String)) -> String {
    let mut out = String::from(quote);
    for c in text.chars() {
        if c == quote || c == '\\' {
            out.push('\\');
            out.push(c);
        } else if matches!(c, ' '..='~') && !begins.contains(c) {
            out.push(c);
        } else {
            coded(c, &mut out);
        }
    }
    out.push(quote);
    out
}

fn code(c: char) -> u32 {
    u32::from(c)
}

/// `\u00e4`, beyond the first plane `\U0001f697`.
fn wide_code(c: char, out: &mut String) {
    let _ = match code(c) {
        n @ ..=0xffff => write!(out, "\\u{n:04x}"),
        n => write!(out, "\\U{n:08x}"),
    };
}

/// Also of C#.
pub(super) fn python(text: &str) -> String {
    quoted(text, '"', "", wide_code)
}

pub(super) fn javascript(text: &str) -> String {
    quoted(text, '"', "", push_json_code)
}

/// Codes of the first characters are read before the literal is, so that these are octal.
pub(super) fn java(text: &str) -> String {
    quoted(text, '"', "", |c, out| match code(c) {
        n @ ..=0xff => {
            let _ = write!(out, "\\{n:03o}");
        }
        _ => push_json_code(c, out),
    })
}

pub(super) fn rust(text: &str) -> String {
    quoted(text, '"', "", |c, out| {
        let _ = write!(out, "\\u{{{:x}}}", code(c));
    })
}

pub(super) fn bicep(text: &str) -> String {
    quoted(text, '\'', "$", |c, out| {
        let _ = write!(out, "\\u{{{:x}}}", code(c));
    })
}

/// A code is no beginning of a template.
pub(super) fn terraform(text: &str) -> String {
    quoted(text, '"', "$%", wide_code)
}

/// In brackets a text would be an expression.
pub(super) fn arm(text: &str) -> String {
    if text.starts_with('[') && text.ends_with(']') { format!("[{text}") } else { text.to_owned() }
}

/// A name in a comment: what could end one, or begin a code that does, is a question mark.
pub(super) fn comment(text: &str) -> String {
    let is_safe = |c: char| !c.is_control() && !needs_code(c) && !matches!(c, '\\' | '`');
    let safe = |c| if is_safe(c) { c } else { '?' };
    text.chars().map(safe).collect::<String>().replace("*/", "*?")
}
