//! What an application does with its containers, and which properties of documents change, in five formats.

mod csv;

use std::io::{self, Write};

use crate::analysis::billing::Price;
use crate::analysis::changes::{DocumentChanges, PathChange};
use crate::analysis::logged_workload::{
    AccessRate, ClientUse, CountedBy, KeyUse, LoggedWorkload, OperationUse, QueryUse, slow_share,
};
use crate::analysis::rows::Note;
use crate::model::path::Path;
use crate::model::time::Stamp;
use crate::model::units::{
    amount_text, count_text, counted, figure_text, percent_text, six_digits, whole_text,
};
use crate::model::visible::visible;

use super::doc::{Doc, NUMBERS, Point, TableForm, WORDS};
use super::key_text::key_text;
use super::layout::{optional, page_title, title};
use super::write_json::{Json, as_found, list, object, stream};
use super::{Style, Writer, writer};

/// Clients and queries listed for people.
const LISTED: usize = 20;

/// Everything that is written.
#[derive(Debug, Default)]
pub struct WorkloadReport {
    pub containers: Vec<LoggedWorkload>,
    pub price: Option<Price>,
    pub changes: Option<DocumentChanges>,
    /// Properties that change by their names, and why.
    pub named_changes: Vec<(Path, &'static str)>,
    pub notes: Vec<Note>,
}

/// The writer of the format of that name.
pub fn format(name: &str) -> Option<Writer<WorkloadReport>> {
    writer(name, page, &[("json", json), ("csv", csv::csv)])
}

/// As people read it.
pub fn text(report: &WorkloadReport, style: Style) -> String {
    let mut doc = Doc::text(style);
    push(report, &mut doc);
    doc.into_text()
}

fn page(mut doc: Doc, report: &WorkloadReport, to: &mut dyn Write) -> io::Result<()> {
    push(report, &mut doc);
    doc.end(to)
}

fn push(report: &WorkloadReport, doc: &mut Doc) {
    let many = report.containers.len() > 1;
    if many {
        let count = counted(report.containers.len() as u64, "container", "containers");
        doc.title("Workload", &report_title(&report.containers), &count);
    }
    for workload in &report.containers {
        let head = headline(workload);
        if many {
            doc.heading(2, [&title(&workload.name), "", ""]);
            doc.paragraph(&head, "");
        } else {
            let summary = format!("{}: {head}", title(&workload.name));
            doc.title("Workload", &report_title(&report.containers), &summary);
        }
        container(doc, workload, report.price.as_ref());
    }
    match &report.changes {
        Some(changes) => changed(doc, changes),
        None if report.containers.is_empty() => named_changes(doc, &report.named_changes),
        None => {}
    }
    doc.gap();
    doc.notes(None, &report.notes);
}

fn report_title(containers: &[LoggedWorkload]) -> String {
    let finding = match containers {
        [one] => one.mix().map(|(_, written)| mix_text(written)),
        _ => None,
    };
    let names = containers.iter().map(|workload| &workload.name);
    let newest = containers.iter().filter_map(|workload| workload.to).max();
    page_title(names, finding.as_deref().unwrap_or("workload"), newest)
}

fn mix_text(written: f64) -> String {
    format!("writes are {} of the RU", percent_text(written))
}

fn headline(workload: &LoggedWorkload) -> String {
    let requests = workload.requests;
    let requests = match workload.counted_by {
        CountedBy::RequestLog => counted(requests, "request", "requests"),
        CountedBy::RuLog => counted(requests, "record", "records"),
    };
    let ru = whole_text(workload.ru);
    let when = match (workload.from, workload.to) {
        (Some(from), Some(to)) => format!(", {} to {}", from.second_text(), to.second_text()),
        _ => ", times unknown".to_owned(),
    };
    let log = match workload.counted_by {
        CountedBy::RequestLog => "request log",
        CountedBy::RuLog => "RU log",
    };
    format!("{requests}, {ru} RU ({log}{when})")
}

fn container(doc: &mut Doc, workload: &LoggedWorkload, price: Option<&Price>) {
    const HEADS: [&str; 8] =
        ["operation", "kind", "requests", "/s", "RU", "RU each", "ms each", "429s"];
    if let Some((kind, written)) = workload.mix() {
        doc.bold(&format!("{}: {}", kind.word(), mix_text(written)));
        doc.gap();
    }
    rates(doc, workload);
    doc.gap();
    let operation = |used: &OperationUse| {
        [
            visible(&used.name).into_owned(),
            used.kind.word().to_owned(),
            count_text(used.requests),
            optional(used.per_second, figure_text),
            whole_text(used.ru),
            optional(used.ru_each, amount_text),
            optional(used.ms_each, amount_text),
            optional(used.throttled, count_text),
        ]
    };
    let form = TableForm { spare: &["ms each", "kind", "requests"], ..NUMBERS };
    doc.table(form, HEADS, workload.operations.iter().map(operation));
    queries(doc, workload);
    clients(doc, workload);
    keys(doc, workload);
    let advice = workload.advice(price);
    if !advice.is_empty() {
        doc.gap();
        doc.list(("ul", "- ", "  "), advice.into_iter().map(Point::Plain));
    }
    if !workload.notes.is_empty() {
        doc.gap();
        let notes = workload.notes.iter().map(|note| Point::Plain(note.sentence()));
        doc.list(("ul", "· ", "  "), notes);
    }
}

fn rates(doc: &mut Doc, workload: &LoggedWorkload) {
    const HEADS: [&str; 6] = ["", "mean /s", "p99 /s", "busiest hour", "/s then", "RU/s"];
    let row = |name: &str, rate: &AccessRate| {
        let busiest = rate.busiest_hour();
        let none = rate.per_second.filter(|rate| *rate > 0.0).map_or("–", |_| "even");
        [
            name.to_owned(),
            optional(rate.per_second, figure_text),
            optional(rate.p99, figure_text),
            busiest.map_or(none.to_owned(), |(hour, _)| format!("{hour:02}:00 UTC")),
            optional(busiest, |(_, rate)| figure_text(rate)),
            optional(rate.ru_per_second, figure_text),
        ]
    };
    let rows = [row("reads", &workload.reads), row("writes", &workload.writes)];
    doc.table(NUMBERS, HEADS, rows);
}

fn queries(doc: &mut Doc, workload: &LoggedWorkload) {
    const HEADS: [&str; 6] = ["query", "requests", "RU each", "ms each", "partitions", "slow page"];
    if workload.queries.is_empty() {
        return;
    }
    doc.gap();
    let row = |(number, query): (usize, &QueryUse)| {
        [
            number.to_string(),
            count_text(query.requests),
            optional(query.ru_each, amount_text),
            optional(query.ms_each, amount_text),
            amount_text(query.partitions),
            percent_text(slow_share(query.partitions)),
        ]
    };
    let shown = || (1..).zip(&workload.queries).take(LISTED);
    doc.table(NUMBERS, HEADS, shown().map(row));
    let text = |(number, query): (usize, &QueryUse)| {
        let sql = visible(&query.sql).into_owned();
        Point::Said([String::new(), number.to_string(), sql])
    };
    doc.list(("ul", "  ", "     "), shown().map(text));
    more(doc, workload.queries.len(), "queries");
}

fn clients(doc: &mut Doc, workload: &LoggedWorkload) {
    const HEADS: [&str; 5] = ["program", "requests", "share", "a day", "hierarchical keys"];
    if workload.clients.is_empty() {
        return;
    }
    doc.gap();
    let shown = workload.clients.iter().take(LISTED);
    let rows = shown.map(|used| {
        let levels = match used.client.knows_levels() {
            Some(true) => "yes",
            Some(false) => "no: upgrade",
            None => "unknown",
        };
        [
            visible(&used.client.to_string()).into_owned(),
            count_text(used.requests),
            percent_text(used.share),
            optional(used.per_day, whole_text),
            levels.to_owned(),
        ]
    });
    doc.table(NUMBERS, HEADS, rows);
    more(doc, workload.clients.len(), "programs");
}

fn keys(doc: &mut Doc, workload: &LoggedWorkload) {
    const HEADS: [&str; 4] = ["key", "RU", "share", "writes"];
    if workload.keys.is_empty() {
        return;
    }
    doc.gap();
    let rows = workload.keys.iter().map(|used| {
        [
            key_text(Some(&used.key)),
            whole_text(used.ru),
            percent_text(used.share),
            percent_text(used.write_share),
        ]
    });
    doc.table(NUMBERS, HEADS, rows);
}

fn more(doc: &mut Doc, all: usize, what: &str) {
    let left = all.saturating_sub(LISTED) as u64;
    if left > 0 {
        doc.paragraph(&format!("{} more {what}; --format json lists all", count_text(left)), "");
    }
}

fn changed(doc: &mut Doc, changes: &DocumentChanges) {
    const HEADS: [&str; 4] = ["property", "changed", "of", "share"];
    let paired = count_text(changes.paired);
    let by = visible(&changes.paired_by_text()).into_owned();
    let summary = format!("{paired} documents in both captures, paired by {by}");
    doc.title("Changes", "Changes of documents", &summary);
    let rows = changes.paths.iter().map(|change| {
        [
            visible(&change.path.to_string()).into_owned(),
            count_text(change.changed),
            count_text(change.compared),
            match change.share() {
                Some(0.0) => "stable".to_owned(),
                share => optional(share, percent_text),
            },
        ]
    });
    doc.table(NUMBERS, HEADS, rows);
    doc.paragraph(
        &format!(
            "{} only in the older capture, {} only in the newer one, {} with an id that is not unique.",
            count_text(changes.only_before),
            count_text(changes.only_after),
            count_text(changes.ambiguous)
        ),
        "",
    );
}

fn named_changes(doc: &mut Doc, found: &[(Path, &str)]) {
    let summary = match found {
        [] => "No name of a property says that its values change.",
        _ => "by the names of the properties alone",
    };
    doc.title("Changes", "Changes of documents", summary);
    let rows = found
        .iter()
        .map(|(path, why)| [visible(&path.to_string()).into_owned(), format!("~ {why}")]);
    if !found.is_empty() {
        doc.table(WORDS, ["property", "what changes"], rows);
    }
}

fn json(report: &WorkloadReport, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut tail = object();
    if let Some(changes) = &report.changes {
        tail = tail.with("changes", changes_json(changes));
    }
    if !report.named_changes.is_empty() {
        let named = report.named_changes.iter();
        let why = named.map(|(of, why)| object().with("path", of.to_string()).with("why", *why));
        tail = tail.with("changes_by_name", why.collect::<Vec<_>>());
    }
    let tail = tail.notes("notes", &report.notes);
    let head = object().with("schema", 1);
    let containers = report.containers.iter();
    let containers = containers.map(|found| container_json(found, report.price.as_ref()));
    stream(head, "containers", containers, &tail, to)?;
    to.write_all(b"\n")
}

fn container_json(workload: &LoggedWorkload, price: Option<&Price>) -> Json {
    let mix = workload.mix();
    let counted_by = match workload.counted_by {
        CountedBy::RequestLog => "request_log",
        CountedBy::RuLog => "ru_log",
    };
    let all = object()
        .names(&workload.name)
        .with("from", workload.from.map(Stamp::rfc3339))
        .with("to", workload.to.map(Stamp::rfc3339))
        .with("seconds", six_digits(workload.seconds))
        .with("counted_by", counted_by)
        .with("requests", workload.requests)
        .with("ru", six_digits(workload.ru))
        .with("mix", mix.map(|(kind, _)| kind.word()))
        .with("write_share", mix.map(|(_, share)| six_digits(share)))
        .with("reads", rate_json(&workload.reads))
        .with("writes", rate_json(&workload.writes));
    let key = |used: &KeyUse| key_json(object().with("key", as_found(Some(&used.key))), used);
    all.with("operations", list(&workload.operations, operation_json))
        .with("queries", list(&workload.queries, query_json))
        .with("clients", list(&workload.clients, client_json))
        .with("keys", list(&workload.keys, key))
        .with("advice", workload.advice(price))
        .notes("notes", &workload.notes)
}

fn client_json(used: &ClientUse) -> Json {
    object()
        .with("name", used.client.to_string())
        .with("requests", used.requests)
        .with("share", six_digits(used.share))
        .with("per_day", used.per_day.map(six_digits))
        .with("hierarchical_keys", used.client.knows_levels())
}

/// The numbers of a key behind what names it.
fn key_json(named: Json, used: &KeyUse) -> Json {
    named
        .with("ru", six_digits(used.ru))
        .with("share", six_digits(used.share))
        .with("write_share", six_digits(used.write_share))
}

fn operation_json(used: &OperationUse) -> Json {
    object()
        .with("name", &used.name)
        .with("kind", used.kind.word())
        .with("requests", used.requests)
        .with("throttled", used.throttled)
        .with("per_second", used.per_second.map(six_digits))
        .with("ru", six_digits(used.ru))
        .with("ru_each", used.ru_each.map(six_digits))
        .with("ms_each", used.ms_each.map(six_digits))
}

fn query_json(query: &QueryUse) -> Json {
    let values = query.values.iter();
    let values: Vec<Json> = values
        .map(|(name, value)| object().with("name", name).with("value", as_found(Some(value))))
        .collect();
    object()
        .with("sql", &query.sql)
        .with("parameters", values)
        .with("requests", query.requests)
        .with("per_second", query.per_second.map(six_digits))
        .with("partitions", six_digits(query.partitions))
        .with("slow_share", six_digits(slow_share(query.partitions)))
        .with("ru_each", query.ru_each.map(six_digits))
        .with("ms_each", query.ms_each.map(six_digits))
}

fn rate_json(rate: &AccessRate) -> Json {
    let by_hour: Vec<Option<f64>> = rate.by_hour.iter().map(|rate| rate.map(six_digits)).collect();
    object()
        .with("requests", rate.requests)
        .with("ru", six_digits(rate.ru))
        .with("ru_per_second", rate.ru_per_second.map(six_digits))
        .with("per_second", rate.per_second.map(six_digits))
        .with("p99_per_second", rate.p99.map(six_digits))
        .with("step_s", rate.step_s)
        .with("per_second_by_hour", by_hour)
}

fn change_json(change: &PathChange) -> Json {
    object()
        .with("path", change.path.to_string())
        .with("compared", change.compared)
        .with("changed", change.changed)
        .with("share", change.share().map(six_digits))
}

fn changes_json(changes: &DocumentChanges) -> Json {
    object()
        .with("paired_by", changes.paired_by_text())
        .with("paired", changes.paired)
        .with("only_before", changes.only_before)
        .with("only_after", changes.only_after)
        .with("ambiguous", changes.ambiguous)
        .with("paths", list(&changes.paths, change_json))
}
