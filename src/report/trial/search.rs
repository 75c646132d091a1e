//! What was searched for: proposed keys, suffixes, and the way to each key.
//!
//! ```text
//! Proposed keys
//!    42 keys were tried. …
//!
//!   now  /month: reject (hot key)
//!   1    /deviceId + "-" + month(/time): good
//!
//!        throttled  RU/s to buy  …    20 GB on  …
//!   now       52 %       46,000  …  2026-09-09  …
//!
//! Suffixes for /month: random
//!    Every key is to stay under 14.00 GiB. …
//!         n    largest  …
//!   *    15  13.60 GiB  …
//!
//! Plan for /deviceId
//!    · Make a new container …
//! ```

mod json;

use crate::analysis::candidate::Candidate;
use crate::analysis::migration::Migration;
use crate::analysis::suffix::{Suffix, SuffixPlan, SuffixRow};
use crate::analysis::suggest::{Proposal, Suggestions};
use crate::analysis::trial::Writes;
use crate::analysis::trial::verdict::word;
use crate::model::units::{count_text, kib_text, percent_text, ratio_text};
use crate::model::visible::{display_width, visible};
use crate::report::Style;
use crate::report::doc::{Bullets, Doc, FirstColumn, Markup, NUMBERS, Point, TableForm};

use crate::report::layout::{NONE, optional};

use super::words::{
    CROSS_PARTITION, amount, buy_text, cross_partition, distinct, filled, full_on, largest, ratio,
    ru_to_buy, throttled,
};

pub(super) use json::json;

const INDENT: &str = "   ";
const POINTS: Bullets = ("ul", "   · ", "     ");
/// In Markdown points too, in HTML in their order.
const ORDERED: Bullets = ("ol", "   · ", "     ");
/// Between columns.
const GAP: usize = 2;
const VERDICT: &str = "verdict";
/// Today's key in the list of proposals.
const NOW: &str = "now";
/// Columns left out where there is little room, the least needed first.
const LEAST_NEEDED: [&str; 5] = [
    "hottest key, newest",
    "distinct keys",
    "imbalance, RU/s",
    "largest key",
    "throttled",
];

/// Everything that was searched for; empty where nobody asked.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SearchResults {
    pub suggestions: Option<Suggestions>,
    pub suffixes: Vec<SuffixPlan>,
    /// Of the keys asked for, then of those proposed; empty where they were not asked for.
    pub routes: Vec<Migration>,
    pub routes_proposed: Vec<Migration>,
}

impl SearchResults {
    /// Names of properties stay; what trials of proposals hold of values goes.
    pub fn mask(&mut self) {
        let found = self.suggestions.iter_mut();
        for proposal in found.flat_map(|found| found.now.iter_mut().chain(&mut found.proposals)) {
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

/// The head of a column or line, and the cell of each row.
type Figure<R> = (&'static str, fn(&R) -> String);
/// A line of the comparison of proposals.
type Line = Figure<Proposal>;

const LINES: [Line; 9] = [
    (VERDICT, |p| word(p.standing, p.visits.is_some()).to_owned()),
    ("throttled", |p| throttled(&p.trial)),
    ("RU/s to buy", |p| ru_to_buy(&p.trial)),
    (CROSS_PARTITION, |p| cross_partition(&p.routed)),
    ("20 GB on", |p| full_on(&p.trial)),
    ("largest key", |p| largest(&p.trial)),
    ("imbalance, RU/s", |p| {
        ratio(p.trial.placement.load_ratio_ru)
    }),
    ("distinct keys", |p| distinct(&p.trial)),
    ("hottest key, newest", |p| {
        optional(p.trial.writes.as_ref(), Writes::text)
    }),
];

fn lines(found: &Suggestions) -> Vec<&'static Line> {
    let some: Vec<&Proposal> = found.now.iter().chain(&found.proposals).collect();
    let is_known = |cell: fn(&Proposal) -> String| {
        let mut cells = some.iter().map(|one| cell(one));
        cells.any(|cell| cell != NONE && cell != "unknown")
    };
    let lines = filled(&LINES, some.iter().map(|proposal| &proposal.trial));
    lines.filter(|(_, cell)| is_known(*cell)).collect()
}

/// What was found, as a person at a terminal reads it; every line is visible text. Proposals have the numbers that they have
/// elsewhere.
pub fn text(searched: &SearchResults, style: Style, numbers: &[usize]) -> String {
    let mut doc = Doc::text(style);
    push(searched, &mut doc, numbers);
    doc.into_text()
}

pub(super) fn push(searched: &SearchResults, doc: &mut Doc, numbers: &[usize]) {
    if let Some(found) = &searched.suggestions {
        push_suggestions(found, doc, numbers);
    }
    for plan in &searched.suffixes {
        push_plan(plan, doc);
    }
    for route in searched.routes() {
        doc.gap();
        doc.heading(2, ["Plan for ", &shown(&route.candidate), ""]);
        doc.list(ORDERED, points(route.sentences()));
    }
}

fn points(sentences: Vec<String>) -> impl Iterator<Item = Point> {
    let sentences = sentences.into_iter();
    sentences.map(|said| Point::Plain(visible(&said).into_owned()))
}

fn shown(key: &Candidate) -> String {
    visible(&key.to_string()).into_owned()
}

fn push_suggestions(found: &Suggestions, doc: &mut Doc, numbers: &[usize]) {
    doc.gap();
    doc.heading(2, ["Proposed keys, the most fitting first", "", ""]);
    doc.list(POINTS, found.head().map(Point::Plain));
    if doc.is(Markup::Text) {
        push_proposals_below_each_other(found, doc, numbers);
    } else {
        let lines = lines(found);
        let heads = std::iter::once("key").chain(lines.iter().map(|(label, _)| *label));
        let rows = found.now.iter().chain(&found.proposals).map(|proposal| {
            let cells = lines.iter().map(|(_, cell)| cell(proposal));
            std::iter::once(shown(&proposal.candidate)).chain(cells)
        });
        doc.table(NUMBERS, heads, rows);
        let why = found.proposals.iter().map(|proposal| {
            let alike = alike(proposal).map_or(String::new(), |alike| format!(" {alike}"));
            let why = proposal.why(found.now.as_ref());
            let why = format!("{}{alike}", visible(&why));
            Point::Said([String::new(), shown(&proposal.candidate), why])
        });
        doc.list(ORDERED, why);
    }
    doc.list(POINTS, found.sentences().into_iter().map(Point::Plain));
}

/// Each proposal with its number: in their order where none are given.
fn numbered<'a>(
    found: &'a Suggestions,
    numbers: &'a [usize],
) -> impl Iterator<Item = (String, &'a Proposal)> {
    let numbers = numbers.iter().copied().chain(numbers.len() + 1..);
    let numbers = numbers.map(|number| count_text(number as u64));
    numbers.zip(&found.proposals)
}

/// The keys, the table, then what else is good and bad about each.
fn push_proposals_below_each_other(found: &Suggestions, doc: &mut Doc, numbers: &[usize]) {
    let now = found.now.iter().map(|now| (NOW.to_owned(), now));
    let all: Vec<_> = now.chain(numbered(found, numbers)).collect();
    let below = " ".repeat(INDENT.len() + NOW.len() + GAP);
    let head = |number: &str| format!("{INDENT}{number:<0$}{1:2$}", NOW.len(), "", GAP);
    doc.gap();
    for (number, proposal) in &all {
        let verdict = word(proposal.standing, proposal.visits.is_some());
        let because = proposal.because.as_ref();
        let because = because.map_or(String::new(), |because| format!(" ({because})"));
        let said = format!("{}: {verdict}{because}", shown(&proposal.candidate));
        doc.line(&said, &head(number), &below);
    }
    push_table(found, &all, doc);
    doc.gap();
    for (number, proposal) in numbered(found, numbers) {
        let remarks = proposal.remarks(found.now.as_ref());
        let remarks = remarks.iter().map(|said| visible(said).into_owned());
        let first = std::iter::once(head(&number));
        let heads = first.chain(std::iter::repeat(below.clone()));
        for (head, said) in heads.zip(remarks.chain(alike(proposal))) {
            doc.line(&said, &head, &format!("{below}  "));
        }
    }
    doc.gap();
}

/// A row for each key by its number, in as many columns as there is room for.
fn push_table(found: &Suggestions, all: &[(String, &Proposal)], doc: &mut Doc) {
    let mut lines = lines(found);
    lines.retain(|line| line.0 != VERDICT);
    let rows: Vec<&Proposal> = all.iter().map(|(_, one)| *one).collect();
    let width = (INDENT.len() + NOW.len(), doc.style.width);
    leave_out(&mut lines, &rows, &LEAST_NEEDED, width);
    doc.gap();
    let heads = std::iter::once("").chain(lines.iter().map(|line| line.0));
    let rows = all.iter().map(|(number, proposal)| {
        let cells = lines.iter().map(|line| (line.1)(proposal));
        std::iter::once(number.clone()).chain(cells)
    });
    let form = TableForm {
        between: [INDENT, "  "],
        ..NUMBERS
    };
    doc.table(form, heads, rows);
}

/// Keys that do the same.
fn alike(proposal: &Proposal) -> Option<String> {
    let keys: Vec<String> = proposal.alike.iter().map(shown).collect();
    (!keys.is_empty()).then(|| format!("As good, but no simpler: {}.", keys.join("; ")))
}

/// Heads of the table of suffixes, and a cell of each.
type Column = Figure<SuffixRow>;

const COLUMNS: [Column; 9] = [
    ("n", |r| count_text(r.n.into())),
    ("largest", |r| kib_text(r.worst.bytes / 1024.0)),
    ("RU/s", |r| optional(r.worst.ru_per_second, amount)),
    ("throttled", throttled_within),
    ("RU/s to buy", |r| buy_text(r.to_buy.as_ref())),
    ("ratio", |r| optional(r.load_ratio, ratio_text)),
    ("busiest", |r| optional(r.load_ratio_busiest, ratio_text)),
    ("queried", |r| amount(r.read.visits)),
    ("RU", |r| amount(r.read.ru)),
];

const LEGEND: &str = "largest: the largest key; RU/s: demand of the hottest key; throttled: in a new \
                      container at the RU/s of today, with what a sample leaves open; ratio: imbalance of the partitions; busiest: if all \
                      writes went to today's hottest key; queried, RU: partitions and least charge of a query for \
                      all documents of one key of today.";

/// `0.9 % (≤ 5.2 %)`
fn throttled_within(row: &SuffixRow) -> String {
    let [share, most] = [row.throttled_share, row.throttled].map(|s| optional(s, percent_text));
    if share == most {
        return share;
    }
    format!("{share} (≤ {most})")
}

/// Columns left out where there is little room, the least needed first.
const LEAST_NEEDED_OF_SUFFIXES: [&str; 3] = ["busiest", "ratio", "RU"];

/// Leaves columns out until the others fit beside what is `taken`.
fn leave_out<R>(
    columns: &mut Vec<&Figure<R>>,
    rows: &[&R],
    least_needed: &[&str],
    (taken, width): (usize, usize),
) {
    let room = |column: &&Figure<R>| {
        let cells = rows.iter().map(|row| display_width(&(column.1)(row)));
        cells.fold(column.0.len(), usize::max) + GAP
    };
    for least in least_needed {
        if taken + columns.iter().map(room).sum::<usize>() > width {
            columns.retain(|column| column.0 != *least);
        }
    }
}

fn plan_head(plan: &SuffixPlan) -> String {
    let key = plan.key.to_string();
    let of = match &plan.suffix {
        Suffix::Random => "random".to_owned(),
        Suffix::Bucket(path) => format!("buckets of {path}"),
    };
    format!("Suffixes for {}: {}", visible(&key), visible(&of))
}

fn push_plan(plan: &SuffixPlan, doc: &mut Doc) {
    doc.gap();
    doc.heading(2, ["", &plan_head(plan), ""]);
    doc.list(POINTS, points(plan.sentences()));
    if plan.rows.is_empty() {
        return;
    }
    doc.gap();
    let mark = if doc.is(Markup::Text) { "*" } else { "advised" };
    let mut columns: Vec<&Column> = COLUMNS.iter().collect();
    if doc.is(Markup::Text) {
        let rows: Vec<&SuffixRow> = plan.rows.iter().collect();
        let width = (GAP + mark.len(), doc.style.width);
        leave_out(&mut columns, &rows, &LEAST_NEEDED_OF_SUFFIXES, width);
    }
    let heads = std::iter::once("").chain(columns.iter().map(|(head, _)| *head));
    let rows = plan.rows.iter().map(|row| {
        let mark = if plan.advised() == Some(row.n) {
            mark
        } else {
            ""
        };
        let cells = columns.iter().map(|(_, cell)| cell(row));
        std::iter::once(mark.to_owned()).chain(cells)
    });
    let form = TableForm {
        between: ["  ", "  "],
        first: FirstColumn::Fixed(1),
        ..NUMBERS
    };
    doc.table(form, heads, rows);
    doc.aside(LEGEND, INDENT);
}
