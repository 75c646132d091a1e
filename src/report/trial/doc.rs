//! Candidate keys for people: at a terminal, as Markdown, and as a page that stands alone.
//!
//! ```text
//! 100,000 documents of 97.7 MiB (storage factor 1), on 10 physical partitions with 60,000 RU/s provisioned.
//!
//!   1  current: /month
//!   2  /deviceId
//!                                  1      2
//!   verdict                    reject   good
//!   why             writes to one key      –
//!   …
//!
//! 1  current: /month
//!    reject
//!    alarm  Of the 143 documents …
//!    requests: …
//!    largest keys: …
//! ```

use std::fmt::Write as _;
use std::io::{self, Write};

use super::words::{
    CandidateRow, ROWS, amount, collisions, dominated, filled, name, routes, summary, top, verdicts,
};
use super::{CandidateReport, TrialReport, search};
use crate::analysis::ceiling::Ceiling;
use crate::analysis::trial::PartitionLoad;
use crate::model::units::{
    PHYSICAL_CEILING_KIB, count_text, kib_text, percent_text, ratio_text, real,
};
use crate::model::visible::{shorten, visible};
use crate::report::Colour;
use crate::report::doc::{Doc, FirstColumn, Markup, NUMBERS, Point, TableForm, WORDS};
use crate::report::layout::{optional, page_title};

/// More columns are not compared at one look.
const SIDE_BY_SIDE: usize = 3;
const INDENT: &str = "   ";
const DEEP: &str = "          ";
/// A key in a list; longer ones are cut in the middle.
const KEY_COLUMNS: usize = 44;
/// Of the picture of physical partitions, in its own units.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 90.0;
/// Partitions that a table names; the picture shows all.
const MOST_ROWS: usize = 100;

/// Of the names of what is compared.
const LABEL_COLUMNS: usize = 22;

pub(super) fn write(mut doc: Doc, report: &TrialReport, to: &mut dyn Write) -> io::Result<()> {
    let name = report.settings.today.iter().map(|today| &today.name);
    let page = page_title(name, &verdicts(report), report.as_of());
    doc.title("Candidate keys", &page, &summary(report));
    let at_a_time = match doc.kind {
        Markup::Text => SIDE_BY_SIDE,
        Markup::Md | Markup::Html => report.candidates.len().max(1),
    };
    for (first, some) in (1..).step_by(at_a_time).zip(report.candidates.chunks(at_a_time)) {
        push_comparison(first, some, &mut doc);
    }
    for (number, candidate) in (1..).zip(&report.candidates) {
        push_candidate(report, number, candidate, &mut doc);
        doc.flush(to)?;
    }
    search::push(&report.searched, &mut doc);
    if !report.notes.is_empty() {
        doc.gap();
        doc.notes(None, &report.notes);
    }
    doc.end(to)
}

fn push_comparison(first: usize, some: &[CandidateReport], doc: &mut Doc) {
    doc.gap();
    let mut heads = Vec::new();
    for (number, candidate) in (first..).zip(some) {
        if doc.is(Markup::Text) {
            doc.line(&format!("{number}  {}", name(candidate)), "  ", "     ");
            heads.push(number.to_string());
        } else {
            heads.push(name(candidate));
        }
    }
    let rows = filled(&ROWS, some.iter().map(|one| &one.trial));
    push_side_by_side(rows, heads, some, doc);
}

/// A row for each thing compared, under the heads of those that are.
pub(in crate::report) fn push_side_by_side(
    rows: impl Iterator<Item = &'static CandidateRow>,
    heads: impl IntoIterator<Item = String>,
    some: &[CandidateReport],
    doc: &mut Doc,
) {
    let first = FirstColumn::Fixed(LABEL_COLUMNS);
    let form = TableForm { between: ["  ", "  "], first, ..NUMBERS };
    let heads = std::iter::once(String::new()).chain(heads);
    let ceiling = some.first().map_or(Ceiling::BINARY, |one| one.trial.ceiling);
    let row = |(label, cell): &CandidateRow| {
        let label = std::iter::once(ceiling.heading(label).to_owned());
        label.chain(some.iter().map(cell)).collect::<Vec<_>>()
    };
    doc.table(form, heads, rows.map(row));
}

fn push_candidate(report: &TrialReport, number: usize, candidate: &CandidateReport, doc: &mut Doc) {
    let verdict = &candidate.verdict;
    let standing = verdict.word();
    let why = dominated(report, candidate);
    match doc.kind {
        Markup::Text => {
            let head = format!("{number}  {}", name(candidate));
            doc.gap();
            match doc.style.colour {
                Colour::Off => doc.line(&head, "", INDENT),
                Colour::On => doc.bold(&shorten(&head, doc.style.width.max(13))),
            }
            let why = why.iter().map(|why| format!(". {why}"));
            let standing = std::iter::once(standing.to_owned()).chain(why);
            doc.line(&standing.collect::<String>(), INDENT, INDENT);
        }
        Markup::Md => {
            doc.part(&name(candidate));
            doc.raw(format!("\n**{standing}**\n"));
        }
        Markup::Html => {
            let worst = verdict.reasons.iter().map(|reason| reason.severity).max();
            let worst = worst.map_or("", |severity| severity.word());
            doc.part(&name(candidate));
            doc.raw(format!("<div class=\"verdict {worst}\">\n"));
            doc.heading(3, [standing, "", ""]);
        }
    }
    if let Some(why) = why.filter(|_| !doc.is(Markup::Text)) {
        doc.paragraph(&why, "");
    }
    let reasons = verdict
        .reasons
        .iter()
        .map(|reason| Point::Reason(reason.severity, visible(&reason.sentence).into_owned()));
    let below = collisions(&candidate.trial).into_iter().map(Point::Below);
    let route = report.searched.first_route(&candidate.trial.candidate);
    let route = route.map(Point::Plain);
    doc.list(("ul", INDENT, DEEP), reasons.chain(below).chain(route));
    if doc.is(Markup::Html) {
        doc.raw("</div>\n");
        push_partitions(&candidate.trial.placement.partitions, doc);
    }
    push_routes(candidate, doc);
    push_top(candidate, doc);
    doc.part_end();
}

fn push_routes(candidate: &CandidateReport, doc: &mut Doc) {
    let routes = routes(candidate);
    if routes.is_empty() {
        return;
    }
    if doc.is(Markup::Text) {
        doc.raw(format!("{INDENT}requests, and the physical partitions that each queries:\n"));
        let line = |[name, route, why]: [String; 3]| {
            Point::Said([format!("{}: ", shorten(&name, KEY_COLUMNS)), route, why])
        };
        doc.list(("ul", "     ", "       "), routes.into_iter().map(line));
        return;
    }
    if doc.is(Markup::Html) {
        doc.heading(3, ["Requests", "", ""]);
    }
    doc.table(WORDS, ["request", "physical partitions", "why"], routes);
}

fn push_top(candidate: &CandidateReport, doc: &mut Doc) {
    let rows = top(&candidate.trial);
    if rows.is_empty() {
        return;
    }
    if doc.is(Markup::Html) {
        doc.heading(3, ["Largest keys", "", ""]);
    }
    let key = match doc.kind {
        Markup::Html => "key",
        Markup::Md | Markup::Text => "largest keys",
    };
    let form = TableForm {
        between: [INDENT, " "],
        first: FirstColumn::Fixed(KEY_COLUMNS),
        least: 12,
        ..NUMBERS
    };
    doc.table(form, [key, "size", "documents", "share"], rows);
}

fn push_partitions(partitions: &[PartitionLoad], doc: &mut Doc) {
    if partitions.is_empty() {
        return;
    }
    doc.heading(3, ["Physical partitions, in the order of the hash space", "", ""]);
    doc.raw(picture(partitions));
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
    doc.table(NUMBERS, heads, rows);
    if let Some(more) = partitions.len().checked_sub(MOST_ROWS).filter(|n| *n > 0) {
        let more = count_text(more as u64);
        doc.aside(&format!("{more} more, not shown."), "");
    }
}

/// A bar for each partition: its share of the load where it is known, else of the bytes, against the largest.
fn picture(partitions: &[PartitionLoad]) -> String {
    let is_load = partitions.iter().all(|load| load.ru_per_second.is_some());
    let value = |load: &PartitionLoad| load.ru_per_second.filter(|_| is_load).unwrap_or(load.bytes);
    let highest = partitions.iter().map(value).fold(0.0, f64::max);
    let each = WIDTH / real(partitions.len() as u64);
    let what = if is_load { "RU/s" } else { "size" };
    let mut out = format!(
        "<figure><svg width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n\
         <title>{what} of each physical partition against the largest</title>\n"
    );
    for (at, load) in (0..).zip(partitions) {
        let share = value(load) / highest.max(f64::MIN_POSITIVE);
        let height = (HEIGHT * share).max(1.0);
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#1f6feb\"/>",
            ratio_text(each * real(at)),
            ratio_text(HEIGHT - height),
            ratio_text((each * 0.9).max(0.1)),
            ratio_text(height)
        );
    }
    format!(
        "{out}</svg><figcaption class=\"faint\">{what}, against the largest</figcaption></figure>\n"
    )
}
