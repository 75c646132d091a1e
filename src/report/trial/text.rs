//! Candidate keys for people at a terminal.
//!
//! ```text
//! 100,000 documents of 97.66 MiB (storage factor 1), on 10 physical partitions given 60,000 RU/s.
//!
//!   1  current: /month
//!   2  /deviceId
//!                                  1      2
//!   verdict             does not hold  holds
//!   different keys                 24    210
//!   …
//!
//! 1  current: /month
//!    does not hold
//!    alarm  Of the 143 documents …
//!    requests: …
//!    largest keys: …
//! ```

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::findings::Severity;
use crate::model::visible::{display_width, shorten, visible};
use crate::report::layout::{left, push_notes, right, wrap};
use crate::report::{Colour, Style};

use super::words::{ROWS, collisions, dominated, name, routes, summary, top};
use super::{CandidateReport, TrialReport};

/// More columns are not compared at one look.
const SIDE_BY_SIDE: usize = 4;
const LABEL: usize = 16;
const NARROWEST: usize = 13;
const INDENT: &str = "   ";
const DEEP: &str = "          ";
/// A key in a list; longer ones are cut in the middle.
const KEY_COLUMNS: usize = 44;

pub(super) fn write(report: &TrialReport, style: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut out = wrap(&summary(report), style.width, "", "");
    for (first, some) in (0..)
        .step_by(SIDE_BY_SIDE)
        .zip(report.candidates.chunks(SIDE_BY_SIDE))
    {
        push_table(first, some, style, &mut out);
    }
    for (number, candidate) in (1..).zip(&report.candidates) {
        out.push('\n');
        push_candidate(report, number, candidate, style, &mut out);
    }
    super::search::push_text(&report.searched, style, &mut out);
    if !report.notes.is_empty() {
        out.push('\n');
    }
    push_notes(&report.notes, style.width, &mut out);
    to.write_all(out.as_bytes())
}

fn push_table(first: usize, some: &[CandidateReport], style: Style, out: &mut String) {
    let cells: Vec<Vec<String>> = ROWS
        .iter()
        .map(|(_, cell)| some.iter().map(cell).collect())
        .collect();
    out.push('\n');
    for (number, candidate) in (first + 1..).zip(some) {
        let head = format!("{number}  {}", name(candidate));
        out.push_str(&wrap(&head, style.width, "  ", "     "));
    }
    let heads = (first + 1..)
        .take(some.len())
        .map(|number| number.to_string());
    let heads: Vec<String> = heads.collect();
    let width = |column: usize| {
        let all = cells
            .iter()
            .chain([&heads])
            .filter_map(|row| row.get(column));
        all.map(|c| display_width(c)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..some.len()).map(width).collect();
    let mut line = |label: &str, row: &[String]| {
        let _ = write!(out, "  {}", left(label, LABEL));
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(out, "  {}", right(cell, *width));
        }
        out.push('\n');
    };
    line("", &heads);
    for ((label, _), row) in ROWS.iter().zip(&cells) {
        line(label, row);
    }
}

fn push_candidate(
    report: &TrialReport,
    number: usize,
    candidate: &CandidateReport,
    style: Style,
    out: &mut String,
) {
    let head = format!("{number}  {}", name(candidate));
    match style.colour {
        Colour::Off => out.push_str(&wrap(&head, style.width, "", INDENT)),
        Colour::On => {
            let _ = writeln!(
                out,
                "\x1b[1m{}\x1b[0m",
                shorten(&head, style.width.max(NARROWEST))
            );
        }
    }
    let standing = candidate.verdict.standing.words();
    let standing = match dominated(report, candidate) {
        Some(why) => format!("{standing}. {why}"),
        None => standing.to_owned(),
    };
    out.push_str(&wrap(&standing, style.width, INDENT, INDENT));
    for reason in &candidate.verdict.reasons {
        push_reason(reason.severity, &reason.sentence, style, out);
    }
    for line in collisions(&candidate.trial) {
        out.push_str(&wrap(&line, style.width, DEEP, DEEP));
    }
    let routes = routes(candidate);
    if !routes.is_empty() {
        let _ = writeln!(
            out,
            "{INDENT}requests, and the physical partitions that each asks:"
        );
    }
    for [name, route, why] in routes {
        let why = if why.is_empty() {
            why
        } else {
            format!(": {why}")
        };
        let line = format!("{}: {route}{why}", shorten(&name, KEY_COLUMNS));
        out.push_str(&wrap(&line, style.width, "     ", "       "));
    }
    let top = top(&candidate.trial);
    if !top.is_empty() {
        let _ = writeln!(
            out,
            "{INDENT}{} {} {} {}",
            left("largest keys", KEY_COLUMNS),
            right("size", 12),
            right("documents", 12),
            right("share", 12)
        );
    }
    for [key, size, documents, share] in top {
        let _ = writeln!(
            out,
            "{INDENT}{} {} {} {}",
            left(&shorten(&key, KEY_COLUMNS), KEY_COLUMNS),
            right(&size, 12),
            right(&documents, 12),
            right(&share, 12)
        );
    }
}

fn push_reason(severity: Severity, said: &str, style: Style, out: &mut String) {
    let word = left(severity.word(), 5);
    let lines = wrap(
        &visible(said),
        style.width,
        &format!("{INDENT}{word}  "),
        DEEP,
    );
    let paint = match severity {
        Severity::Alarm => "\x1b[1;31m",
        Severity::Warn => "\x1b[33m",
        Severity::Note => "\x1b[36m",
    };
    match (style.colour, lines.strip_prefix(&format!("{INDENT}{word}"))) {
        (Colour::On, Some(rest)) => {
            let _ = write!(out, "{INDENT}{paint}{word}\x1b[0m{rest}");
        }
        _ => out.push_str(&lines),
    }
}
