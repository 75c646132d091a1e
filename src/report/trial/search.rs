//! What was searched for: proposed keys, suffixes, and the way to each key, as text and as Markdown.
//!
//! ```text
//! Proposed keys
//!    42 keys were tried. …
//!
//!   1  /deviceId + "-" + month(/time): 12,000 RU/s instead of 46,000; …
//!
//!                      1       2
//!   largest key  0.63 GiB    …
//!
//! Suffixes for /month: random
//!    Every key is to stay under 14.00 GiB. …
//!         n    largest  …
//!   *    15  13.60 GiB  …
//!
//! The way to /deviceId
//!    · Make a new container …
//! ```

mod html;
mod json;

use std::fmt::Write as _;

use crate::analysis::migration::Migration;
use crate::analysis::suffix::{Least, Plan, Row, Suffix};
use crate::analysis::suggest::{Proposal, Suggestions, load_ratio};
use crate::model::units::{count_text, kib_text, percent_text};
use crate::model::visible::{display_width, visible};
use crate::report::Style;
use crate::report::layout::{left, right, wrap};
use crate::report::md::escape;

use super::TrialReport;
use super::words::{amount, optional, ru_to_buy};

pub(super) use html::push_html;
pub(super) use json::json;

const INDENT: &str = "   ";
const BULLET: &str = "   · ";
const UNDER_BULLET: &str = "     ";
/// More columns are not compared at one look.
const SIDE_BY_SIDE: usize = 5;
const LABEL: usize = 15;

/// Everything that was searched for; empty where nobody asked.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Searched {
    pub suggestions: Option<Suggestions>,
    pub suffixes: Vec<Plan>,
    /// Of the keys asked for, then of those proposed; empty where they were not asked for.
    pub routes: Vec<Migration>,
    pub routes_proposed: Vec<Migration>,
}

impl Searched {
    /// Names of properties stay; what trials of proposals hold of values goes.
    pub fn mask(&mut self) {
        for proposal in self.suggestions.iter_mut().flat_map(|s| &mut s.proposals) {
            proposal.trial.top.clear();
            for (number, routed) in (1..).zip(&mut proposal.routed) {
                routed.name = format!("request {number}");
                routed.route.why = String::new();
            }
            if let Some(collisions) = &mut proposal.trial.collisions {
                collisions.examples.clear();
            }
        }
    }

    fn routes(&self) -> impl Iterator<Item = &Migration> {
        self.routes.iter().chain(&self.routes_proposed)
    }
}

/// A line of the comparison of proposals.
type Line = (&'static str, fn(&Proposal) -> String);

const LINES: [Line; 8] = [
    ("verdict", |p| p.standing.word().to_owned()),
    ("different keys", |p| count_text(p.trial.distinct.seen)),
    ("largest key", |p| p.trial.largest_text()),
    ("of the limit", |p| p.trial.largest_share_text()),
    ("busiest now", |p| {
        let writes = p.trial.writes.as_ref();
        optional(writes.map(|w| w.top.share), percent_text)
    }),
    ("imbalance", |p| format!("{:.2}", load_ratio(&p.trial))),
    ("RU/s to buy", |p| ru_to_buy(&p.trial)),
    ("read queries", |p| optional(p.visits, amount)),
];

/// What was found, as a person at a terminal reads it; every line is visible text.
pub fn text(searched: &Searched, style: Style) -> String {
    let mut out = String::new();
    push_text(searched, style, &mut out);
    out
}

pub(super) fn push_text(searched: &Searched, style: Style, out: &mut String) {
    if let Some(found) = &searched.suggestions {
        push_suggestions(found, style, out);
    }
    for plan in &searched.suffixes {
        push_plan(plan, style, out);
    }
    for route in searched.routes() {
        let key = route.candidate.to_string();
        let head = format!("The way to {}", visible(&key));
        out.push('\n');
        out.push_str(&wrap(&head, style.width, "", INDENT));
        for said in route.sentences() {
            out.push_str(&wrap(&visible(&said), style.width, BULLET, UNDER_BULLET));
        }
    }
}

fn push_suggestions(found: &Suggestions, style: Style, out: &mut String) {
    out.push_str("\nProposed keys, the most fitting first\n");
    for (number, proposal) in (1..).zip(&found.proposals) {
        let key = proposal.candidate.to_string();
        let head = format!("{number}  {}: {}", visible(&key), visible(&proposal.why()));
        out.push('\n');
        out.push_str(&wrap(&head, style.width, "  ", "     "));
        if let Some(alike) = alike(proposal) {
            out.push_str(&wrap(&alike, style.width, "     ", "     "));
        }
    }
    for (first, some) in (0..)
        .step_by(SIDE_BY_SIDE)
        .zip(found.proposals.chunks(SIDE_BY_SIDE))
    {
        out.push('\n');
        push_lines(first, some, out);
    }
    out.push('\n');
    for said in found.sentences() {
        out.push_str(&wrap(&said, style.width, BULLET, UNDER_BULLET));
    }
}

fn push_lines(first: usize, some: &[Proposal], out: &mut String) {
    let heads: Vec<String> = (first + 1..)
        .take(some.len())
        .map(|number| number.to_string())
        .collect();
    let lines = LINES.iter().map(|(label, cell)| {
        let cells: Vec<String> = some.iter().map(cell).collect();
        (*label, cells)
    });
    let lines: Vec<(&str, Vec<String>)> = std::iter::once(("", heads)).chain(lines).collect();
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|(_, cells)| cells.get(column));
        cells.map(|c| display_width(c)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..some.len()).map(width).collect();
    for (label, cells) in &lines {
        let _ = write!(out, "  {}", left(label, LABEL));
        for (cell, width) in cells.iter().zip(&widths) {
            let _ = write!(out, "  {}", right(cell, *width));
        }
        out.push('\n');
    }
}

/// Keys that do the same.
fn alike(proposal: &Proposal) -> Option<String> {
    let keys: Vec<String> = proposal
        .alike
        .iter()
        .map(|key| visible(&key.to_string()).into_owned())
        .collect();
    (!keys.is_empty()).then(|| format!("As good, but no simpler: {}.", keys.join("; ")))
}

/// Heads of the table of suffixes, and a cell of each.
type Column = (&'static str, fn(&Row) -> String);

const COLUMNS: [Column; 8] = [
    ("n", |r| count_text(r.n.into())),
    ("largest", |r| kib_text(r.worst.bytes / 1024.0)),
    ("RU/s", |r| optional(r.worst.ru_per_second, amount)),
    ("ratio", |r| optional(r.load_ratio, ratio)),
    ("busiest", |r| optional(r.load_ratio_busiest, ratio)),
    ("keys each", |r| amount(r.keys_per_partition)),
    ("asked", |r| amount(r.read.visits)),
    ("RU", |r| amount(r.read.ru)),
];

const LEGEND: &str = "largest: the largest key; RU/s: asked of the busiest; ratio: largest over mean load of the partitions, \
                      and if the busiest key of today were all that is written; keys each: for each partition; asked, RU: \
                      partitions and the least charge of a query for all documents of one key of today.";

fn ratio(ratio: f64) -> String {
    format!("{ratio:.2}")
}

fn plan_head(plan: &Plan) -> String {
    let key = plan.key.to_string();
    let of = match &plan.suffix {
        Suffix::Random => "random".to_owned(),
        Suffix::Bucket(path) => format!("buckets of {path}"),
    };
    format!("Suffixes for {}: {}", visible(&key), visible(&of))
}

fn is_least(plan: &Plan, row: &Row) -> bool {
    matches!(plan.least, Least::Found { n, .. } if n == row.n)
}

fn push_plan(plan: &Plan, style: Style, out: &mut String) {
    out.push('\n');
    out.push_str(&wrap(&plan_head(plan), style.width, "", INDENT));
    for said in plan.sentences() {
        out.push_str(&wrap(&visible(&said), style.width, BULLET, UNDER_BULLET));
    }
    if plan.rows.is_empty() {
        return;
    }
    let cells = |row: &Row| COLUMNS.map(|(_, cell)| cell(row));
    let mut lines = vec![(' ', COLUMNS.map(|(head, _)| head.to_owned()))];
    for row in &plan.rows {
        let mark = if is_least(plan, row) { '*' } else { ' ' };
        lines.push((mark, cells(row)));
    }
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|(_, cells)| cells.get(column));
        cells.map(|c| display_width(c)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..COLUMNS.len()).map(width).collect();
    out.push('\n');
    for (mark, cells) in &lines {
        let _ = write!(out, "  {mark}");
        for (cell, width) in cells.iter().zip(&widths) {
            let _ = write!(out, "  {}", right(cell, *width));
        }
        out.push('\n');
    }
    out.push_str(&wrap(LEGEND, style.width, INDENT, INDENT));
}

pub(super) fn push_md(report: &TrialReport, out: &mut String) {
    let searched = &report.searched;
    if let Some(found) = &searched.suggestions {
        push_suggestions_md(found, out);
    }
    for plan in &searched.suffixes {
        let _ = writeln!(out, "\n## {}\n", escape(&plan_head(plan)));
        for said in plan.sentences() {
            let _ = writeln!(out, "- {}", escape(&visible(&said)));
        }
        let heads: Vec<&str> = COLUMNS.iter().map(|(head, _)| *head).collect();
        let _ = writeln!(
            out,
            "\n| | {} |\n|---{}|",
            heads.join(" | "),
            "|---:".repeat(8)
        );
        for row in &plan.rows {
            let mark = if is_least(plan, row) { "least" } else { "" };
            let cells = COLUMNS.map(|(_, cell)| escape(&cell(row)));
            let _ = writeln!(out, "| {mark} | {} |", cells.join(" | "));
        }
        let _ = writeln!(out, "\n{LEGEND}");
    }
    for route in searched.routes() {
        let key = route.candidate.to_string();
        let _ = writeln!(out, "\n## The way to {}\n", escape(&visible(&key)));
        for said in route.sentences() {
            let _ = writeln!(out, "- {}", escape(&visible(&said)));
        }
    }
}

fn push_suggestions_md(found: &Suggestions, out: &mut String) {
    out.push_str("\n## Proposed keys, the most fitting first\n\n| key");
    for (label, _) in LINES {
        let _ = write!(out, " | {label}");
    }
    let _ = writeln!(out, " |\n|---{}|", "|---:".repeat(LINES.len()));
    for proposal in &found.proposals {
        let key = proposal.candidate.to_string();
        let cells = LINES.map(|(_, cell)| escape(&cell(proposal)));
        let _ = writeln!(
            out,
            "| {} | {} |",
            escape(&visible(&key)),
            cells.join(" | ")
        );
    }
    out.push('\n');
    for proposal in &found.proposals {
        let key = proposal.candidate.to_string();
        let why = escape(&visible(&proposal.why()));
        let _ = write!(out, "- **{}**: {why}", escape(&visible(&key)));
        if let Some(alike) = alike(proposal) {
            let _ = write!(out, " {}", escape(&alike));
        }
        out.push('\n');
    }
    out.push('\n');
    for said in found.sentences() {
        let _ = writeln!(out, "- {}", escape(&said));
    }
}
