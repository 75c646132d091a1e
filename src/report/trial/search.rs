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
use crate::analysis::ceiling::Ceiling;
use crate::analysis::migration::Migration;
use crate::analysis::suffix::{Suffix, SuffixPlan, SuffixRow};
use crate::analysis::suggest::{Proposal, Suggestions};
use crate::analysis::trial::Writes;
use crate::analysis::trial::verdict::word;
use crate::model::units::{count_text, kib_text, percent_text, ratio_text, whole_text};
use crate::model::visible::{display_width, visible};
use crate::report::Style;
use crate::report::diff::signed;
use crate::report::doc::{Bullets, Doc, FirstColumn, Markup, NUMBERS, Point, TableForm};
use crate::report::plan::PlanReport;

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
pub const VERDICT: &str = "verdict";
const RU_TO_BUY: &str = "RU/s to buy";
/// What of them is more or less than for today's key.
const TO_NOW: &str = "to now";
/// Today's key in the list of proposals.
pub const NOW: &str = "now";
/// Columns left out where there is little room, the least needed first.
pub const LEAST_NEEDED: [&str; 5] =
    ["hottest key, newest", "distinct keys", "imbalance, RU/s", "largest key", "throttled"];

/// Everything that was searched for; empty where nobody asked.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SearchResults {
    pub suggestions: Option<Suggestions>,
    pub suffixes: Vec<SuffixPlan>,
    /// Of the keys asked for, then of those proposed; empty where they were not asked for.
    pub routes: Vec<Migration>,
    pub routes_proposed: Vec<Migration>,
    /// The way to a key as a document, where that is what was asked for.
    pub plan: Option<Box<PlanReport>>,
    /// The route that a plan recommends for a key that was asked for.
    pub first_routes: Vec<(Candidate, String)>,
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

    /// How a container would move to the key.
    pub(super) fn first_route(&self, key: &Candidate) -> Option<String> {
        let mut all = self.first_routes.iter();
        let (_, route) = all.find(|(other, _)| other == key)?;
        Some(format!("way there: {route} (cosmoscope plan)"))
    }

    fn routes(&self) -> impl Iterator<Item = &Migration> {
        self.routes.iter().chain(&self.routes_proposed)
    }
}

/// A column of the comparison of proposals, and its cell of each, with today's key.
type Figure = (&'static str, fn(&Proposal, Option<&Proposal>) -> String);

const FIGURES: [Figure; 10] = [
    (VERDICT, |p, _| word(p.standing, p.visits.is_some()).to_owned()),
    ("throttled", |p, _| throttled(&p.trial)),
    (RU_TO_BUY, |p, _| ru_to_buy(&p.trial)),
    (TO_NOW, |p, now| {
        let other = now.filter(|now| now.candidate != p.candidate);
        let saved = other.and_then(|now| Some(p.ru()?.point - now.ru()?.point));
        optional(saved, |ru| signed(ru, whole_text))
    }),
    (CROSS_PARTITION, |p, _| cross_partition(&p.routed)),
    ("20 GB on", |p, _| full_on(&p.trial)),
    ("largest key", |p, _| largest(&p.trial)),
    ("imbalance, RU/s", |p, _| ratio(p.trial.placement.load_ratio_ru)),
    ("distinct keys", |p, _| distinct(&p.trial)),
    ("hottest key, newest", |p, _| optional(p.trial.writes.as_ref(), Writes::text)),
];

/// A column by its head, with a cell of each row.
pub type Cells = (&'static str, Vec<String>);

/// Today's key and the proposals in columns: only what is known of any.
pub fn figures(found: &Suggestions) -> Vec<Cells> {
    let now = found.now.as_ref();
    let some = || now.into_iter().chain(&found.proposals);
    let figures = filled(&FIGURES, some().map(|proposal| &proposal.trial));
    let ceiling = some().next().map_or(Ceiling::BINARY, |one| one.trial.ceiling);
    let columns = figures
        .map(|(head, cell)| (ceiling.heading(head), some().map(|one| cell(one, now)).collect()));
    let is_known = |(_, cells): &Cells| {
        let mut cells = cells.iter();
        cells.any(|cell| cell != NONE && cell != "unknown")
    };
    columns.filter(is_known).collect()
}

/// Leaves columns out until the others fit beside what is `taken`.
pub fn leave_out(columns: &mut Vec<Cells>, least_needed: &[&str], taken: usize, width: usize) {
    let room = |(head, cells): &Cells| {
        let cells = cells.iter().map(|cell| display_width(cell));
        cells.fold(head.len(), usize::max) + GAP
    };
    for least in least_needed {
        if taken + columns.iter().map(room).sum::<usize>() > width {
            columns.retain(|column| column.0 != *least);
        }
    }
}

/// What was found, as a person at a terminal reads it; every line is visible text.
pub fn text(searched: &SearchResults, style: Style) -> String {
    let mut doc = Doc::text(style);
    push(searched, &mut doc);
    doc.into_text()
}

pub(super) fn push(searched: &SearchResults, doc: &mut Doc) {
    if let Some(found) = &searched.suggestions {
        push_suggestions(found, doc);
    }
    for plan in &searched.suffixes {
        push_plan(plan, doc);
    }
    if let Some(plan) = &searched.plan {
        plan.push(doc);
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

fn push_suggestions(found: &Suggestions, doc: &mut Doc) {
    doc.gap();
    doc.heading(2, ["Proposed keys, the most fitting first", "", ""]);
    doc.list(POINTS, found.head().map(Point::Plain));
    if doc.is(Markup::Text) {
        push_proposals_below_each_other(found, doc);
    } else {
        let all = found.now.iter().chain(&found.proposals);
        let keys = all.map(|proposal| shown(&proposal.candidate)).collect();
        let columns = [("key", keys)].into_iter().chain(figures(found));
        push_columns(columns.collect(), NUMBERS, doc);
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

/// The keys, the table, then what else is good and bad about each.
fn push_proposals_below_each_other(found: &Suggestions, doc: &mut Doc) {
    let numbered = || (1..).map(count_text).zip(&found.proposals);
    let now = found.now.iter().map(|now| (NOW.to_owned(), now));
    let all: Vec<_> = now.chain(numbered()).collect();
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
    let mut columns = figures(found);
    columns.retain(|(head, _)| *head != VERDICT);
    columns.insert(0, ("", all.iter().map(|(number, _)| number.clone()).collect()));
    doc.gap();
    let form = TableForm { between: [INDENT, "  "], spare: &LEAST_NEEDED, ..NUMBERS };
    push_columns(columns, form, doc);
    doc.gap();
    for (number, proposal) in numbered() {
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

fn push_columns(columns: Vec<Cells>, form: TableForm, doc: &mut Doc) {
    let (heads, cells): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let count = cells.first().map_or(0, Vec::len);
    let rows = (0..count).map(|row| cells.iter().filter_map(move |cells| cells.get(row).cloned()));
    doc.table(form, heads, rows);
}

/// Keys that do the same.
pub fn alike(proposal: &Proposal) -> Option<String> {
    let keys: Vec<String> = proposal.alike.iter().map(shown).collect();
    (!keys.is_empty()).then(|| format!("As good, but no simpler: {}.", keys.join("; ")))
}

/// A head of the table of suffixes, a cell of each, and what it is, where the head does not say it.
type Column = (&'static str, fn(&SuffixRow) -> String, &'static str);

const COLUMNS: [Column; 9] = [
    ("n", |r| count_text(r.n.into()), "number of suffixes"),
    ("largest", |r| kib_text(r.worst.bytes / 1024.0), "the largest key"),
    (
        "RU/s",
        |r| optional(r.worst.ru_per_second, amount),
        "demand of the hottest key, with what reads of all suffixes add",
    ),
    (
        "throttled",
        throttled_within,
        "in a new container at the RU/s of today (≤ with what a sample leaves open)",
    ),
    (RU_TO_BUY, |r| buy_text(r.to_buy.as_ref()), ""),
    (
        "imbalance",
        |r| optional(r.load_ratio, ratio_text),
        "busiest partition over the mean, by RU/s",
    ),
    (
        "busiest",
        |r| optional(r.load_ratio_busiest, ratio_text),
        "the same if all writes went to today's hottest key",
    ),
    (
        "queried",
        |r| amount(r.read.visits),
        "partitions of a query for all documents of one key of today",
    ),
    ("RU", |r| amount(r.read.ru), "its least charge"),
];

/// `0.9 % (≤ 5.2 %)`
fn throttled_within(row: &SuffixRow) -> String {
    let [share, most] = [row.throttled_share, row.throttled].map(|s| optional(s, percent_text));
    if share == most {
        return share;
    }
    format!("{share} (≤ {most})")
}

/// Columns left out where there is little room, the least needed first.
const LEAST_NEEDED_OF_SUFFIXES: [&str; 3] = ["busiest", "imbalance", "RU"];

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
    doc.list(POINTS, points(plan.answer()));
    if !plan.rows.is_empty() {
        doc.gap();
        push_rows(plan, doc);
        doc.gap();
    }
    doc.list(POINTS, points(plan.sentences()));
}

fn push_rows(plan: &SuffixPlan, doc: &mut Doc) {
    let is_text = doc.is(Markup::Text);
    let mark = if is_text { "*" } else { "advised" };
    let columns =
        COLUMNS.iter().map(|(head, cell, _)| (*head, plan.rows.iter().map(cell).collect()));
    let mut columns: Vec<Cells> = columns.collect();
    if is_text {
        let taken = GAP + mark.len();
        let least_needed = &LEAST_NEEDED_OF_SUFFIXES;
        leave_out(&mut columns, least_needed, taken, doc.style.width);
    }
    let is_shown = |name: &&str| columns.iter().any(|(head, _)| head == name);
    let explained = COLUMNS.iter().filter(|(head, _, what)| is_shown(head) && !what.is_empty());
    let legend = explained.map(|(head, _, what)| format!("{head}: {what}"));
    let advised = plan.advised().filter(|_| plan.cures());
    let named = advised.filter(|_| is_text);
    let named = named.map(|_| "*: advised".to_owned());
    let today = std::iter::once("1: today's key and container".to_owned());
    let legend: Vec<String> = named.into_iter().chain(today).chain(legend).collect();
    let marks = plan.rows.iter().map(|row| {
        let is_advised = advised == Some(row.n);
        if is_advised { mark } else { "" }.to_owned()
    });
    columns.insert(0, ("", marks.collect()));
    let form = TableForm { between: ["  ", "  "], first: FirstColumn::Fixed(1), ..NUMBERS };
    push_columns(columns, form, doc);
    doc.aside(&format!("{}.", legend.join("; ")), INDENT);
}
