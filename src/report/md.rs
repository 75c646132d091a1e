//! A report as Markdown tables, with everything from outside escaped.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::rows::{ContainerRows, KeyRow, Report, SizeOf};
use crate::model::time::Stamp;
use crate::model::units::{count_text, kib_text, percent_text};

use crate::model::visible::visible;

use super::Style;
use super::key_text::key_text;
use super::layout::{
    facts, gib, gib_a_week, headline, keys_text, sentence, skew_text, spread_text, title, wall_text,
};

const HEADER: &str = "| key | of the limit | GiB | GiB/week | wall | region | sampled (UTC) |\n|---|---:|---:|---:|---|---|---|\n";

pub fn write(report: &Report, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let head = format!(
        "# Logical partitions against their limit\n\n{}\n",
        escape(&headline(report))
    );
    to.write_all(head.as_bytes())?;
    for container in &report.containers {
        let mut out = format!(
            "\n## {}\n\n{}\n",
            escape(&title(&container.name)),
            escape(&facts(container))
        );
        if let Some(skew) = skew_text(container) {
            let _ = writeln!(out, "\n{}", escape(&skew));
        }
        if let Some(spread) = spread_text(container) {
            let _ = writeln!(out, "\n{}", escape(&spread));
        }
        if !container.keys.is_empty() {
            out.push('\n');
            out.push_str(HEADER);
        }
        for row in &container.keys {
            push_row(row, report, &mut out);
        }
        push_foot(container, &mut out);
        to.write_all(out.as_bytes())?;
    }
    let mut out = String::from("\n## Notes\n\n");
    for note in &report.notes {
        let _ = writeln!(out, "- {}", escape(&sentence(note)));
    }
    to.write_all(out.as_bytes())
}

fn push_row(row: &KeyRow, report: &Report, out: &mut String) {
    let key = escape(&key_text(row.key.as_deref()));
    let at_least = match row.size_of {
        SizeOf::Key => "",
        SizeOf::Prefix => "at least ",
    };
    let region = visible(row.region.as_deref().unwrap_or("–")).into_owned();
    let _ = writeln!(
        out,
        "| {key} | {} | {at_least}{} | {} | {} | {} | {} |",
        percent_text(row.share),
        escape(&gib(row.size_kib)),
        gib_a_week(row.growth.as_ref()),
        wall_text(&row.wall, report.as_of),
        escape(&region),
        row.sampled_at
            .map_or_else(|| "–".to_owned(), Stamp::minute_text),
    );
}

fn push_foot(container: &ContainerRows, out: &mut String) {
    let hidden = container
        .keys_total
        .saturating_sub(container.keys.len() as u64);
    if hidden > 0 {
        let _ = writeln!(out, "\n{} more reported, not shown.", count_text(hidden));
    }
    if !container.prefixes.is_empty() {
        out.push_str("\n| prefix | at least | keys |\n|---|---:|---:|\n");
    }
    for prefix in &container.prefixes {
        let key = escape(&key_text(Some(&prefix.key)));
        let _ = writeln!(
            out,
            "| {key} | {} | {} |",
            kib_text(prefix.kib),
            keys_text(prefix.keys)
        );
    }
    if !container.notes.is_empty() {
        out.push('\n');
    }
    for note in &container.notes {
        let _ = writeln!(out, "- {}", escape(&sentence(note)));
    }
}

/// Character references for whatever could become markup, HTML, a table edge or a link of its own.
pub(super) fn escape(shown: &str) -> String {
    let mut out = String::with_capacity(shown.len());
    let mut word = String::new();
    for c in shown.chars() {
        let starts_link = c == '.' && word.eq_ignore_ascii_case("www");
        let is_markup = matches!(
            c,
            '&' | '<'
                | '>'
                | '|'
                | '\\'
                | '`'
                | '*'
                | '_'
                | '['
                | ']'
                | '~'
                | '#'
                | '!'
                | '@'
                | '$'
                | '{'
                | '}'
        );
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
    [
        "http",
        "https",
        "ftp",
        "mailto",
        "xmpp",
        "javascript",
        "file",
        "data",
    ]
    .iter()
    .any(|scheme| word.to_ascii_lowercase().ends_with(scheme))
}

#[cfg(test)]
mod tests;
