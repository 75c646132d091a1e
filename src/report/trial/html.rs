//! Candidate keys as one HTML page that stands alone: the comparison, then each key with its physical partitions.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::words::{ROWS, amount, collisions, dominated, name, optional, routes, summary, top};
use super::{CandidateReport, TrialReport};
use crate::analysis::trial::PartitionLoad;
use crate::model::units::{PHYSICAL_CEILING_KIB, count_text, kib_text, percent_text};
use crate::model::visible::visible;
use crate::report::Style;
use crate::report::escape::escape;
use crate::report::layout::sentence;
use crate::report::page::{self, push_columns, push_list, push_table};

/// Of the picture of physical partitions, in its own units.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 90.0;
/// Partitions that a table names; the picture shows all.
const MOST_ROWS: usize = 100;

pub(super) fn write(report: &TrialReport, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut out = page::head("Candidate keys", &summary(report));
    let heads = std::iter::once(String::new()).chain(report.candidates.iter().map(name));
    let rows = ROWS.iter().map(|(label, cell)| {
        std::iter::once((*label).to_owned()).chain(report.candidates.iter().map(cell))
    });
    push_columns("numbers", heads, rows, &mut out);
    to.write_all(out.as_bytes())?;
    for candidate in &report.candidates {
        let mut out = String::new();
        push_candidate(report, candidate, &mut out);
        to.write_all(out.as_bytes())?;
    }
    let mut out = String::new();
    super::search::push_html(&report.searched, &mut out);
    if !report.notes.is_empty() {
        out.push_str("<h2>Notes</h2>\n");
    }
    push_list("ul", report.notes.iter().map(sentence), &mut out);
    out.push_str(page::END);
    to.write_all(out.as_bytes())
}

fn push_candidate(report: &TrialReport, candidate: &CandidateReport, out: &mut String) {
    let verdict = &candidate.verdict;
    let worst = verdict.reasons.iter().map(|reason| reason.severity).max();
    let _ = writeln!(
        out,
        "<section>\n<h2><bdi>{}</bdi></h2>\n<div class=\"verdict {}\">\n<h3>{}</h3>",
        escape(&name(candidate)),
        worst.map_or("", |severity| severity.word()),
        escape(verdict.standing.words())
    );
    if let Some(why) = dominated(report, candidate) {
        let _ = writeln!(out, "<p><bdi>{}</bdi></p>", escape(&why));
    }
    let reasons = verdict.reasons.iter().map(|reason| {
        let said = visible(&reason.sentence);
        format!("{}: {said}", reason.severity.word())
    });
    push_list("ul", reasons.chain(collisions(&candidate.trial)), out);
    out.push_str("</div>\n");
    push_partitions(&candidate.trial.placement.partitions, out);
    let rows = routes(candidate);
    if !rows.is_empty() {
        out.push_str("<h3>Requests</h3>\n");
        let heads = ["request", "physical partitions", "why"];
        push_table("words", &heads, rows.into_iter(), out);
    }
    let rows = top(&candidate.trial);
    if !rows.is_empty() {
        out.push_str("<h3>Largest keys</h3>\n");
        let heads = ["key", "size", "documents", "share"];
        push_table("numbers", &heads, rows.into_iter(), out);
    }
    out.push_str("</section>\n");
}

fn push_partitions(partitions: &[PartitionLoad], out: &mut String) {
    if partitions.is_empty() {
        return;
    }
    out.push_str("<h3>Physical partitions, in the order of the hash space</h3>\n");
    push_picture(partitions, out);
    let rows = partitions.iter().enumerate().take(MOST_ROWS);
    let rows = rows.map(|(id, load)| {
        [
            id.to_string(),
            kib_text(load.bytes / 1024.0),
            percent_text(load.bytes / 1024.0 / PHYSICAL_CEILING_KIB),
            amount(load.documents),
            optional(load.ru_per_second, amount),
        ]
    });
    let heads = ["partition", "size", "of 50 GB", "documents", "RU/s"];
    push_table("numbers", &heads, rows, out);
    if let Some(more) = partitions.len().checked_sub(MOST_ROWS).filter(|n| *n > 0) {
        let more = count_text(more as u64);
        let _ = writeln!(out, "<p class=\"faint\">{more} more, not shown.</p>");
    }
}

/// A bar for each partition: its share of the load where it is known, else of the bytes, against the largest.
fn push_picture(partitions: &[PartitionLoad], out: &mut String) {
    let is_load = partitions.iter().all(|load| load.ru_per_second.is_some());
    let value = |load: &PartitionLoad| load.ru_per_second.filter(|_| is_load).unwrap_or(load.bytes);
    let highest = partitions.iter().map(value).fold(0.0, f64::max);
    let each = WIDTH / crate::model::units::real(partitions.len() as u64);
    let what = if is_load { "RU/s" } else { "size" };
    let _ = write!(
        out,
        "<figure><svg width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n\
         <title>{what} of each physical partition against the largest</title>\n"
    );
    for (at, load) in (0..).zip(partitions) {
        let share = value(load) / highest.max(f64::MIN_POSITIVE);
        let height = (HEIGHT * share).max(1.0);
        let _ = writeln!(
            out,
            "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{height:.2}\" fill=\"#1f6feb\"/>",
            each * crate::model::units::real(at),
            HEIGHT - height,
            (each * 0.9).max(0.1)
        );
    }
    let _ = writeln!(
        out,
        "</svg><figcaption class=\"faint\">{what}, against the largest</figcaption></figure>"
    );
}
