//! The findings of `check`, for people and for scripts.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::findings::hot::MAX_HOT;
use crate::analysis::findings::{Finding, Severity, worst};
use crate::analysis::rows::Completeness;
use crate::model::units::count_text;
use crate::model::visible::{shorten, visible};

use super::key_text::key_text;
use super::layout::{left, title, wrap};
use super::write_json::{push_names, push_number, push_text};
use super::{Colour, Style};

/// Under the text behind the word.
const INDENT: &str = "       ";

pub fn json(
    findings: &[Finding],
    completeness: Completeness,
    to: &mut dyn Write,
) -> io::Result<()> {
    let worst = worst(findings).map_or_else(|| "null".to_owned(), |s| format!("\"{}\"", s.word()));
    let partial = completeness == Completeness::Partial;
    let mut out = format!("{{\"schema\":1,\"worst\":{worst},\"partial\":{partial},\"findings\":[");
    for (i, finding) in findings.iter().enumerate() {
        out.push_str(if i > 0 { ",\n" } else { "\n" });
        let (rule, severity) = (finding.rule, finding.severity.word());
        let _ = write!(out, "{{\"rule\":\"{rule}\",\"severity\":\"{severity}\",");
        push_names(&finding.name, &mut out);
        out.push_str(",\"key\":");
        out.push_str(finding.key.as_deref().unwrap_or("null"));
        out.push_str(",\"value\":");
        push_number(finding.value, &mut out);
        out.push_str(",\"threshold\":");
        push_number(finding.threshold, &mut out);
        out.push_str(",\"message\":");
        push_text(&finding.message, &mut out);
        out.push('}');
        to.write_all(out.as_bytes())?;
        out.clear();
    }
    out.push_str("]}\n");
    to.write_all(out.as_bytes())
}

/// What was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checked {
    Keys,
    KeysAndPartitions,
}

pub fn text(
    findings: &[Finding],
    completeness: Completeness,
    checked: Checked,
    style: Style,
    to: &mut dyn Write,
) -> io::Result<()> {
    let mut out = wrap(&headline(findings, checked), style.width, "", "");
    if completeness == Completeness::Partial {
        let sentence = "The data is partial: some rows or inputs could not be used, so a key may be missing here.";
        out.push_str(&wrap(sentence, style.width, "", ""));
    }
    if !findings.is_empty() {
        out.push('\n');
    }
    // A line of its own for each, behind the word.
    let room = style.width.saturating_sub(INDENT.len() + " in ".len());
    for finding in findings {
        let name = shorten(&title(&finding.name), room);
        let message = visible(&finding.message);
        let line = if finding.rule == MAX_HOT && finding.key.is_none() {
            // Nobody is to blame, which is not the same as a key that the log left out.
            format!("{name}: {message}")
        } else {
            let key = shorten(&key_text(finding.key.as_deref()), room);
            format!("{key} in {name}: {message}")
        };
        let word = left(finding.severity.word(), 5);
        // Painted after wrapping: escape sequences have no width.
        let lines = wrap(&line, style.width, &format!("{word}  "), INDENT);
        match (style.colour, lines.strip_prefix(&word)) {
            (Colour::On, Some(rest)) => {
                let _ = write!(out, "{}{word}\x1b[0m{rest}", paint(finding.severity));
            }
            _ => out.push_str(&lines),
        }
    }
    to.write_all(out.as_bytes())
}

fn paint(severity: Severity) -> &'static str {
    match severity {
        Severity::Alarm => "\x1b[1;31m",
        Severity::Warn => "\x1b[33m",
        Severity::Note => "\x1b[36m",
    }
}

fn noun(severity: Severity) -> &'static str {
    match severity {
        Severity::Alarm => "alarm",
        Severity::Warn => "warning",
        Severity::Note => "note",
    }
}

fn headline(findings: &[Finding], checked: Checked) -> String {
    let counted = Severity::ALL.into_iter().rev().filter_map(|severity| {
        let count = findings.iter().filter(|f| f.severity == severity).count() as u64;
        (count > 0).then(|| {
            format!(
                "{} {}{}",
                count_text(count),
                noun(severity),
                if count == 1 { "" } else { "s" }
            )
        })
    });
    let counted: Vec<String> = counted.collect();
    if counted.is_empty() {
        let partitions = match checked {
            Checked::Keys => "",
            Checked::KeysAndPartitions => {
                ", and no physical partition uses as much of its RU/s as a threshold says"
            }
        };
        return format!(
            "No finding: no reported key stands at a threshold or meets the limit within 90 days{partitions}."
        );
    }
    let order = if findings.len() > 1 {
        ", worst first"
    } else {
        ""
    };
    format!("{}{order}.", counted.join(", "))
}

#[cfg(test)]
mod tests;
