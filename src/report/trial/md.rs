//! Candidate keys as Markdown, with everything from outside escaped.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::model::visible::visible;
use crate::report::Style;
use crate::report::layout::sentence;
use crate::report::md::escape;

use super::TrialReport;
use super::words::{ROWS, collisions, dominated, name, routes, summary, top};

pub(super) fn write(report: &TrialReport, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut out = format!("# Candidate keys\n\n{}\n\n|", escape(&summary(report)));
    for candidate in &report.candidates {
        let _ = write!(out, " | {}", escape(&name(candidate)));
    }
    let _ = writeln!(out, " |\n|---{}|", "|---:".repeat(report.candidates.len()));
    for (label, cell) in ROWS {
        let _ = write!(out, "| {label}");
        for candidate in &report.candidates {
            let _ = write!(out, " | {}", escape(&cell(candidate)));
        }
        out.push_str(" |\n");
    }
    for candidate in &report.candidates {
        let standing = candidate.verdict.standing.words();
        let _ = writeln!(out, "\n## {}\n\n**{standing}**", escape(&name(candidate)));
        if let Some(why) = dominated(report, candidate) {
            let _ = writeln!(out, "\n{}", escape(&why));
        }
        out.push('\n');
        for reason in &candidate.verdict.reasons {
            let _ = writeln!(
                out,
                "- **{}** {}",
                reason.severity.word(),
                escape(&visible(&reason.sentence))
            );
        }
        for line in collisions(&candidate.trial) {
            let _ = writeln!(out, "  - {}", escape(&line));
        }
        let rows = routes(candidate);
        push_table(
            "| request | physical partitions | why |\n|---|---|---|\n",
            &rows,
            &mut out,
        );
        let rows = top(&candidate.trial);
        push_table(
            "| largest keys | size | documents | share |\n|---|---:|---:|---:|\n",
            &rows,
            &mut out,
        );
    }
    super::search::push_md(report, &mut out);
    if !report.notes.is_empty() {
        out.push_str("\n## Notes\n\n");
    }
    for note in &report.notes {
        let _ = writeln!(out, "- {}", escape(&sentence(note)));
    }
    to.write_all(out.as_bytes())
}

fn push_table<const N: usize>(head: &str, rows: &[[String; N]], out: &mut String) {
    if rows.is_empty() {
        return;
    }
    let _ = write!(out, "\n{head}");
    for row in rows {
        for cell in row {
            let _ = write!(out, "| {} ", escape(cell));
        }
        out.push_str("|\n");
    }
}
