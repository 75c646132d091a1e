//! Markdown: everything from outside escaped.

use std::fmt::Write as _;

/// Character references for whatever could become markup, HTML, a table edge or a link of its own.
pub(super) fn escape(shown: &str) -> String {
    let mut out = String::with_capacity(shown.len());
    let mut word = String::new();
    for c in shown.chars() {
        let starts_link = c == '.' && word.eq_ignore_ascii_case("www");
        let is_markup = "&<>|\\`*_[]~#!@${}".contains(c);
        let is_address = c == ':' && !word.is_empty();
        if is_markup || starts_link || (is_address && is_scheme(&word)) {
            let _ = write!(out, "&#{};", u32::from(c));
        } else {
            out.push(c);
        }
        if c.is_alphanumeric() {
            word.push(c);
        } else {
            word.clear();
        }
    }
    out
}

/// The schemes that renderers make links of without being asked.
fn is_scheme(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    "http https ftp mailto xmpp javascript file data"
        .split(' ')
        .any(|scheme| word.ends_with(scheme))
}

#[cfg(test)]
mod tests;
