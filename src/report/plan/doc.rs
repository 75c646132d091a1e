//! A plan for people: at a terminal, as Markdown, and as a page that stands alone.

use std::io::{self, Write};

use super::PlanReport;
use super::artefact::{Artefact, INVENTED};
use crate::analysis::plan::facts::WriteSource;
use crate::analysis::plan::readiness::ReadinessCheck;
use crate::analysis::plan::routes::MoveRoute;
use crate::analysis::plan::{MovePlan, PlanAdvice};
use crate::analysis::routing::Routing;
use crate::analysis::routing::workload::RequestAccess;
use crate::analysis::trial::routes::Routed;
use crate::model::units::{amount_text, count_text};
use crate::model::visible::visible;
use crate::report::doc::{Doc, Markup, Point, WORDS};
use crate::report::layout::{left, page_title, title};
use crate::report::trial::{CandidateReport, CandidateRow, ROWS, push_side_by_side, summary};

/// Rows of the trial's comparison that tell before from after.
const COMPARED: [&str; 9] = [
    "verdict",
    "why",
    "RU/s to buy",
    "throttled, of RU",
    "largest key",
    "20 GB on",
    "cross-partition",
    "imbalance, storage",
    "imbalance, RU/s",
];
const INDENT: &str = "  ";
const DEEP: &str = "    ";
const PRESENCE_COLUMNS: usize = 13;

pub(super) fn write(mut doc: Doc, report: &PlanReport, to: &mut dyn Write) -> io::Result<()> {
    push(report, &mut doc);
    doc.end(to)
}

pub(super) fn push(report: &PlanReport, doc: &mut Doc) {
    let plan = &report.plan;
    doc.title("Plan for another partition key", &report_title(report), &headline(report));
    let keep = match &plan.advice {
        PlanAdvice::Keep(why) if is_same(report) => Some(why.clone()),
        PlanAdvice::Keep(why) => Some(format!("Keep today's key. {why}")),
        PlanAdvice::Unusable(why) => {
            Some(format!("No plan: {why} Name a path that documents have."))
        }
        PlanAdvice::Move => None,
    };
    if let Some(said) = &keep {
        doc.gap();
        doc.paragraph(&visible(said), "");
    }
    push_comparison(report, doc);
    if keep.is_none() {
        push_routes(plan, doc);
        push_readiness(&plan.readiness, doc);
        push_steps("Cut-over", &plan.steps, doc);
        push_steps("Roll-back", &plan.roll_back, doc);
        push_points("Risks", plan.risks.iter().cloned(), doc);
    }
    let variants = plan.variants.iter().map(|[what, when]| format!("{what}: {when}."));
    push_points("Without a new key", variants, doc);
    if keep.is_none() {
        push_artefacts(report, doc);
    }
    if !report.trial.notes.is_empty() {
        doc.gap();
        doc.notes(None, &report.trial.notes);
    }
}

/// Today's key and the new one.
fn keys(report: &PlanReport) -> [String; 2] {
    let key = |of: Option<&CandidateReport>| {
        of.map_or_else(
            || "an unknown key".to_owned(),
            |one| visible(&one.trial.candidate.to_string()).into_owned(),
        )
    };
    [report.today(), report.new_key()].map(key)
}

fn report_title(report: &PlanReport) -> String {
    let [today, new] = keys(report);
    let name = report.name.container.is_some().then_some(&report.name);
    let finding = match &report.plan.advice {
        PlanAdvice::Move => format!("move from {today} to {new}"),
        PlanAdvice::Keep(_) => format!("keep {today}"),
        PlanAdvice::Unusable(_) => format!("no plan for {new}"),
    };
    page_title(name, &finding, report.trial.as_of())
}

/// `Move shop/orders from /tenantId to /userId: by a container copy job, online.`
pub(super) fn headline(report: &PlanReport) -> String {
    let name = match &report.name.container {
        Some(_) => title(&report.name),
        None => "the container".to_owned(),
    };
    let [today, new] = keys(report);
    let plan = &report.plan;
    match (&plan.advice, plan.route()) {
        (PlanAdvice::Move, Some(route)) => format!(
            "Move {name} from {today} to {new}: {}, {}.",
            route.kind.name(),
            match route.time {
                Some(_) => route.time_text(),
                None => "time unknown".to_owned(),
            }
        ),
        (PlanAdvice::Move, None) => format!("Move {name} from {today} to {new}: no route."),
        (PlanAdvice::Unusable(_), _) => format!("No plan for {name} and the key {new}."),
        _ if is_same(report) => format!("No plan for {name}: {today} is its key."),
        _ => format!("Keep {today} of {name}."),
    }
}

/// Whether the key of today was asked about.
fn is_same(report: &PlanReport) -> bool {
    let key = |of: Option<&CandidateReport>| of.map(|one| one.trial.candidate.clone());
    key(report.today()) == key(report.new_key())
}

const OWN_ROWS: [CandidateRow; 2] = [
    ("physical partitions", |c| count_text(c.trial.placement.partitions.len() as u64)),
    ("reads: 1, some, all", |c| kinds(&c.routed)),
];

/// Kinds of reads by the partitions that they query: one, some, all.
fn kinds(routed: &[Routed]) -> String {
    let reads = routed.iter().filter(|r| r.access == RequestAccess::Read);
    match Routing::counts(reads.map(|r| r.route.routing)) {
        [0, 0, 0, 0] => "unknown".to_owned(),
        [single, targeted, all, _] => format!("{single}, {targeted}, {all}"),
    }
}

/// The rows of the comparison, in the trial's own words.
pub(super) fn rows() -> impl Iterator<Item = &'static CandidateRow> {
    let is_compared = |row: &&CandidateRow| COMPARED.contains(&row.0);
    ROWS.iter().filter(is_compared).chain(&OWN_ROWS)
}

fn push_comparison(report: &PlanReport, doc: &mut Doc) {
    doc.part("Before and after");
    doc.paragraph(&summary(&report.trial), INDENT);
    let candidates = &report.trial.candidates;
    let has_both = candidates.len() > 1;
    let heads = has_both.then_some("today").into_iter().chain(["new"]);
    push_side_by_side(rows(), heads.map(str::to_owned), candidates, doc);
    doc.part_end();
}

/// A column of the table of routes, its cell, and whether it is short.
type RouteColumn = (&'static str, fn(&MoveRoute) -> String, bool);

const COLUMNS: [RouteColumn; 7] = [
    ("route", |r| r.kind.name().to_owned(), true),
    ("possible", |r| r.feasibility.word().to_owned(), true),
    ("why", why, false),
    ("RU", MoveRoute::ru_text, false),
    ("time", MoveRoute::time_text, true),
    ("writes stop for", MoveRoute::stop_text, true),
    ("writes", |r| r.kind.writes().to_owned(), false),
];

fn push_routes(plan: &MovePlan, doc: &mut Doc) {
    doc.part("Routes");
    if let Some((kind, reason)) = &plan.recommended {
        let said = format!("Recommended: {}. {reason}", kind.name());
        doc.paragraph(&visible(&said), INDENT);
    }
    doc.paragraph(&writes(plan), INDENT);
    let is_text = doc.is(Markup::Text);
    // At a terminal the long ones are below.
    let columns = COLUMNS.iter().filter(|(.., is_short)| *is_short || !is_text);
    let heads = columns.clone().map(|(head, ..)| match *head {
        "possible" if is_text => "",
        head => head,
    });
    let row = |route| columns.clone().map(move |(_, cell, _)| cell(route));
    doc.table(WORDS, heads, plan.routes.iter().map(row));
    if is_text {
        let points = plan.routes.iter().map(|route| {
            let what =
                format!("{}; writes {}; {}", route.ru_text(), route.kind.writes(), why(route));
            Point::Said([String::new(), route.kind.name().to_owned(), what])
        });
        doc.list(("ul", "  · ", DEEP), points);
    }
    doc.part_end();
}

fn why(route: &MoveRoute) -> String {
    visible(&route.why.join("; ")).into_owned()
}

/// What a copy has to follow.
pub(super) fn writes(plan: &MovePlan) -> String {
    let Some(writes) = plan.writes else {
        return "Writes a second: unknown, so that times are those without writes.".to_owned();
    };
    let source = match writes.source {
        WriteSource::Logs => "the mean of the request log",
        WriteSource::Queries => "by the rates of the requests",
        WriteSource::Growth => "new documents alone, as the container grows",
    };
    let rate = amount_text(writes.per_second);
    format!("Writes a second: {rate} ({source}). Times are estimates: sizes and indexes decide.")
}

fn push_readiness(checks: &[ReadinessCheck], doc: &mut Doc) {
    doc.part("Readiness");
    if doc.is(Markup::Text) {
        for check in checks {
            let presence = left(check.presence.word(), PRESENCE_COLUMNS);
            let said = format!("{}: {}", check.obstacle, visible(&check.evidence));
            let further = " ".repeat(INDENT.len() + PRESENCE_COLUMNS);
            doc.line(&said, &format!("{INDENT}{presence}"), &further);
        }
    } else {
        doc.table(
            WORDS,
            ["obstacle", "", "evidence"],
            checks.iter().map(|check| {
                [
                    check.obstacle.to_owned(),
                    check.presence.word().to_owned(),
                    visible(&check.evidence).into_owned(),
                ]
            }),
        );
    }
    doc.part_end();
}

fn push_steps(name: &str, steps: &[String], doc: &mut Doc) {
    if steps.is_empty() {
        return;
    }
    doc.part(name);
    if doc.is(Markup::Text) {
        for (number, step) in (1..).zip(steps) {
            let number = format!("{number:>2}");
            doc.line(&visible(step), &format!("{INDENT}{number}. "), "      ");
        }
    } else {
        let steps = steps.iter().map(|s| Point::Step(visible(s).into_owned()));
        doc.list(("ol", "", ""), steps);
    }
    doc.part_end();
}

fn push_points(name: &str, points: impl Iterator<Item = String>, doc: &mut Doc) {
    let mut points = points.peekable();
    if points.peek().is_none() {
        return;
    }
    doc.part(name);
    let points = points.map(|said| Point::Plain(visible(&said).into_owned()));
    doc.list(("ul", "  · ", DEEP), points);
    doc.part_end();
}

/// At a terminal their names; in a document to hand over their text.
fn push_artefacts(report: &PlanReport, doc: &mut Doc) {
    doc.part("Artefacts");
    let decision = match &report.decision {
        Some(file) => format!("Decision file attached: {}.", visible(file)),
        None => "No decision file; --save FILE.toml writes one.".to_owned(),
    };
    doc.paragraph(&decision, INDENT);
    doc.paragraph("Text to read, change and run by hand; nothing was run.", INDENT);
    if report.is_masked {
        doc.paragraph(INVENTED, INDENT);
    }
    if doc.is(Markup::Text) {
        let names: Vec<&str> = Artefact::ALL.iter().map(|one| one.name).collect();
        let said = format!("Print one with --as: {}.", names.join(", "));
        doc.paragraph(&said, INDENT);
    } else {
        for one in Artefact::ALL {
            doc.heading(3, [one.title, "", ""]);
            doc.code(one.markup, &one.text(report));
        }
    }
    doc.part_end();
}
