//! The heat of partitions for people: at a terminal, as Markdown, and as a page that stands alone and fits to be printed.
//!
//! ```text
//! HOT KEY · partition 3 at 100 % … · in account / database / container
//!
//! account / database / container
//!   key /tenantId · 4 physical partitions · 18,000 RU/s · 2026-06-22 02:00 to 02:15 UTC
//!   alarm  HOT KEY · …
//!     remedy  throttled    RU/s  takes  verdict
//!   RU % of partition (…), a cell is 1 min
//!   3  ▁▁▇█████████·····████████  100.0 %
//!   partition   p99  highest at       sat. min      RU  requests   429  429 %   GiB  of 50
//!   keys of partition 3          RU   share  …
//!   why HOT KEY, and what to do
//! ```

use std::io::{self, Write};

use crate::analysis::billing::Price;
use crate::analysis::ceiling::Ceiling;
use crate::analysis::diagnosis::Verdict;
use crate::analysis::diagnosis::card::{COLUMNS, RemedyLine};
use crate::model::units::{
    PHYSICAL_CEILING_KIB, amount_text, count_text, kib_text, percent_text, rounded_text, whole_text,
};
use crate::model::visible::{display_width, shorten, visible};

use super::map_text;
use super::steps::StepLog;
use super::svg_map::figure;
use super::words::{
    clock, column_notes, facts, headline, in_region, key_words, moment, optional, phrase,
    place_words, remedy, report_title, saturated_minutes, size_words, summary, thresholds,
    value_text,
};
use super::{ContainerHeatRows, HeatReport, KeyHeat, PartitionKeys, PartitionRow};
use crate::report::doc::{Doc, FirstColumn, Markup, NUMBERS, Point, TableForm, WORDS, columns};
use crate::report::layout::{self, gib, sentence, title, visible_once};
use crate::report::md;

const INDENT: &str = "  ";
const DEEP: &str = "    ";
/// A name of a partition in a table; ids are numbers of a few digits, GUIDs are cut in the middle.
pub(super) const LABEL: usize = 10;
const NARROWEST_KEY: usize = 12;
/// The columns of remedies of what is no load.
const REASONS: [&str; 3] = ["remedy", "verdict", "why"];
const PARTITIONS: &str = "partition | p99 | highest | at (UTC) | saturated min | RU | requests | 429 | 429 share | size | of 50 GB | RU/s | hash range | parents | gaps";
const NARROW_PARTITIONS: &str =
    "partition | p99 | highest | at | sat. min | RU | 429 | 429 % | GiB of 50";
const KEYS: &str =
    "key | RU | share | peak RU/s | peak at (UTC) | since (UTC) | size | of 20 GB | belongs to";
const NARROW_KEYS: &str = "key | RU | share | peak/s | since | at | of 20 GB";

pub(super) fn write(report: &HeatReport, mut doc: Doc, to: &mut dyn Write) -> io::Result<()> {
    doc.title("Heat of physical partitions", &report_title(report), &summary(report));
    if let Some(doubt) = layout::date_doubt(&report.notes) {
        doc.aside(&doubt, "");
    }
    if let (Markup::Html, Some(as_of)) = (doc.kind, report.as_of) {
        doc.aside(&format!("As of {} UTC", as_of.minute_text()), "");
    }
    let mut reported = StepLog::new(report.price.as_ref());
    for (id, container) in report.containers.iter().enumerate() {
        push_container(container, id, report.ceiling, &mut reported, &mut doc);
        doc.flush(to)?;
    }
    doc.gap();
    doc.notes(thresholds(report), &report.notes);
    doc.end(to)
}

fn push_container(
    container: &ContainerHeatRows,
    id: usize,
    ceiling: Ceiling,
    reported: &mut StepLog<'_>,
    doc: &mut Doc,
) {
    doc.part(&title(&container.name));
    doc.aside(&facts(container), INDENT);
    for row in &container.verdicts {
        push_verdict(&row.verdict, reported.price, doc);
    }
    if let Some(map) = &container.map {
        doc.gap();
        match doc.kind {
            Markup::Text => map_text::push_text(map, doc),
            Markup::Md => map_text::push_md(map, doc),
            Markup::Html => doc.raw(figure(map, id)),
        }
    }
    push_partitions(container, doc);
    for keys in &container.keys {
        doc.gap();
        push_keys(keys, ceiling, doc);
    }
    for row in &container.verdicts {
        push_why(&row.verdict, container, reported, doc);
    }
    if !container.notes.is_empty() || !container.partitions.is_empty() {
        doc.gap();
    }
    let notes = column_notes(container).into_iter();
    let notes = notes.chain(container.notes.iter().map(sentence));
    doc.list(("ul", INDENT, DEEP), notes.map(Point::Plain));
    doc.part_end();
}

fn push_verdict(verdict: &Verdict, price: Option<&Price>, doc: &mut Doc) {
    let (severity, head) = (verdict.severity.word(), headline(verdict));
    match doc.kind {
        Markup::Text => doc.severity_line(verdict.severity, &head, INDENT, "         "),
        Markup::Md => doc.raw(format!("\n**{severity}: {}**\n", md::escape(&head))),
        Markup::Html => {
            doc.raw(format!("<div class=\"verdict {severity}\">\n"));
            doc.heading(3, [&format!("{severity}: "), &head, ""]);
        }
    }
    push_remedies(verdict, price, doc);
    if doc.is(Markup::Html) {
        doc.raw("</div>\n");
    }
}

/// The rows of the screens and of the incident note: of load with its numbers, of anything else with the reason. On a page
/// the present stands first, then the remedy to try first.
fn push_remedies(verdict: &Verdict, price: Option<&Price>, doc: &mut Doc) {
    let mut lines = verdict.remedy_lines();
    if doc.is(Markup::Html) {
        lines.sort_by_key(RemedyLine::order);
    }
    let has_figures = lines.iter().any(|line| !line.throttled.is_empty());
    let (align, heads) = if has_figures { ("lrrl", &COLUMNS[..]) } else { ("l", &REASONS[..]) };
    let form = TableForm { align, between: [DEEP, INDENT], ..WORDS };
    let cells = |line: &RemedyLine| {
        if has_figures {
            return line.cells().to_vec();
        }
        vec![line.remedy.clone(), line.verdict().into(), line.why.clone()]
    };
    let seen = |cell: String| visible_once(&cell).into_owned();
    let rows = lines.iter().map(cells);
    let rows: Vec<Vec<String>> = rows.map(|row| row.into_iter().map(seen).collect()).collect();
    if rows.is_empty() {
        return;
    }
    if has_figures || !doc.is(Markup::Text) {
        doc.table(form, heads.iter().copied(), rows);
    } else {
        let heads = REASONS.map(str::to_owned);
        let whys = heads.iter().skip(2);
        let whys = whys.chain(rows.iter().filter_map(|row| row.last()));
        let names = columns(form, &heads[..2], &rows, doc.style.width);
        for (line, why) in names.into_iter().zip(whys) {
            let further = " ".repeat(display_width(&line) + INDENT.len());
            doc.line(why, &(line + INDENT), &further);
        }
    }
    if let Some(price) = price.filter(|_| has_figures) {
        doc.aside(&money(verdict, price), DEEP);
    }
}

/// `24,000 RU/s: 1,402 EUR a month; 28,000 RU/s: …`
fn money(verdict: &Verdict, price: &Price) -> String {
    let rows = verdict.remedies.iter().filter_map(|row| row.ru_per_second);
    let mut texts: Vec<String> =
        rows.map(|ru| format!("{} RU/s: {}", whole_text(ru), price.text(ru))).collect();
    texts.dedup();
    texts.join("; ")
}

/// The numbers behind a verdict and what to do: below the map, for whoever reads on.
fn push_why(verdict: &Verdict, of: &ContainerHeatRows, reported: &mut StepLog<'_>, doc: &mut Doc) {
    let rule = verdict.rule.name();
    doc.gap();
    if doc.is(Markup::Text) {
        doc.raw(format!("{INDENT}why {rule}, and what to do\n"));
    } else {
        doc.heading(3, [&format!("Why {rule}, and what to do"), "", ""]);
    }
    let facts = verdict.evidence.iter().map(|fact| {
        [
            phrase(&fact.what),
            visible_once(&fact.value).into_owned(),
            visible_once(&fact.from).into_owned(),
        ]
    });
    if !doc.is(Markup::Html) {
        let facts = facts.map(|[what, value, from]| format!("{what}: {value} ({from})"));
        doc.list(("ul", "    · ", "      "), facts.map(Point::Plain));
    } else if !verdict.evidence.is_empty() {
        doc.table(WORDS, ["evidence", "value", "from"], facts);
    }
    let remedies = verdict.remedies.iter().skip(1);
    let remedies = remedies.map(|row| Point::Plain(remedy(row, verdict.key.as_deref())));
    doc.list(("ul", "    = ", "      "), remedies);
    doc.list(("ol", "    > ", "      "), reported.steps(verdict, of));
}

fn push_partitions(container: &ContainerHeatRows, doc: &mut Doc) {
    if container.partitions.is_empty() {
        return;
    }
    doc.gap();
    let rows = container.partitions.iter();
    if doc.is(Markup::Text) {
        doc.table(
            NUMBERS,
            NARROW_PARTITIONS.split(" | "),
            rows.map(|row| narrow_cells(container, row)),
        );
    } else {
        if doc.is(Markup::Html) {
            doc.heading(3, ["Physical partitions", "", ""]);
        }
        let form = TableForm { align: "lrrlrrrrrrrrllr", ..NUMBERS };
        doc.table(form, PARTITIONS.split(" | "), rows.map(|row| cells(container, row, moment)));
    }
    let hidden = container.partitions_total.saturating_sub(container.partitions.len());
    push_hidden(
        hidden,
        ["more partitions; --format json holds all of them", "more partitions"],
        INDENT,
        doc,
    );
}

/// What is not shown, in text with the way to see it.
fn push_hidden(rows: usize, [text, md]: [&str; 2], indent: &str, doc: &mut Doc) {
    let count = count_text(rows as u64);
    let line = match doc.kind {
        _ if rows == 0 => return,
        Markup::Text => format!("… {count} {text}"),
        Markup::Md | Markup::Html => format!("{count} {md}, not shown."),
    };
    doc.aside(&line, indent);
}

/// The columns of [`PARTITIONS`], visible.
fn cells(container: &ContainerHeatRows, row: &PartitionRow, at: fn(i64) -> String) -> [String; 15] {
    let track = container.track(container.sources.load);
    let value = |v| track.map_or_else(String::new, |t| value_text(t.measure.unit(), v));
    let standing = row.standing;
    let text = |text: Option<&str>| visible(text.unwrap_or("–")).into_owned();
    let range = match (&row.min_inclusive, &row.max_exclusive) {
        (None, None) => "–".to_owned(),
        (min, max) => format!("{} to {}", edge(min.as_deref()), edge(max.as_deref())),
    };
    let parents = row.parents.join(" ");
    [
        text(Some(row.named.text())),
        optional(standing.map(|s| s.p99), value),
        optional(standing.map(|s| s.highest), value),
        layout::optional(standing, |s| at(s.highest_at)),
        saturated_minutes(row),
        optional(row.ru, amount_text),
        optional(row.requests, amount_text),
        optional(row.throttled, amount_text),
        optional(row.throttled_share(), percent_text),
        optional(row.kib, kib_text),
        optional(row.kib.map(|kib| kib / PHYSICAL_CEILING_KIB), percent_text),
        optional(row.capacity.map(|c| c.ru_per_second), amount_text),
        range,
        text(Some(parents.as_str()).filter(|p| !p.is_empty())),
        layout::optional(row.gaps, count_text),
    ]
}

/// The columns of [`NARROW_PARTITIONS`]; the unit stands in the note on the column.
fn narrow_cells(container: &ContainerHeatRows, row: &PartitionRow) -> [String; 9] {
    let short = |text: String| text.trim_end_matches(" RU/s").to_owned();
    let size = |kib| {
        let share = kib / PHYSICAL_CEILING_KIB * 100.0;
        format!("{} {}%", gib(kib), rounded_text(share))
    };
    let [name, p99, highest, at, saturated, ru, _, throttled, share, ..] =
        cells(container, row, clock);
    let (p99, highest) = (short(p99), short(highest));
    let size = optional(row.kib, size);
    let name = shorten(&name, LABEL);
    [name, p99, highest, at, saturated, ru, throttled, share, size]
}

fn cut(label: &str) -> String {
    shorten(&visible(label), LABEL)
}

/// The first digits of a bound tell partitions apart; the whole stands in JSON.
fn edge(bound: Option<&str>) -> String {
    const DIGITS: usize = 8;
    match bound {
        None => "?".to_owned(),
        Some("") => "00".to_owned(),
        Some(hex) => visible(&hex.chars().take(DIGITS).collect::<String>()).into_owned(),
    }
}

fn push_keys(keys: &PartitionKeys, ceiling: Ceiling, doc: &mut Doc) {
    let region = in_region(keys);
    let rows = keys.keys.iter();
    if doc.is(Markup::Text) {
        let head = format!("keys of partition {}{region}", cut(&keys.partition));
        doc.line(&head, INDENT, DEEP);
        let rows: Vec<Vec<String>> = rows.map(narrow_key_cells).collect();
        let form = TableForm { first: FirstColumn::Rest(NARROWEST_KEY), ..NUMBERS };
        let heads = NARROW_KEYS.split(" | ").map(|head| ceiling.heading(head).to_owned());
        let heads: Vec<String> = heads.collect();
        let mut places = std::iter::once(None).chain(keys.keys.iter().map(|k| k.place.as_ref()));
        for line in columns(form, &heads, &rows, doc.style.width) {
            doc.raw(line + "\n");
            let place = places.next().flatten();
            if place.is_some_and(|p| !p.agrees) {
                let text = format!("belongs to partition {}", place_words(place));
                doc.line(&text, DEEP, DEEP);
            }
        }
    } else {
        doc.heading(3, ["Keys of partition ", &visible(&keys.partition), &region]);
        let form = TableForm { align: "lrrrllrrl", ..NUMBERS };
        let heads = KEYS.split(" | ").map(|head| ceiling.heading(head));
        doc.table(form, heads, rows.map(|key| key_cells(key, moment)));
    }
    let hidden = keys.keys_total.saturating_sub(keys.keys.len());
    push_hidden(hidden, ["more; --top N shows more", "more"], DEEP, doc);
}

/// The columns of [`KEYS`], visible.
fn key_cells(key: &KeyHeat, at: fn(i64) -> String) -> [String; 9] {
    let at = |second: Option<i64>| layout::optional(second, at);
    let load = &key.load;
    let [size, of_ceiling] = size_words(key);
    [
        key_words(&key.key),
        amount_text(load.ru),
        percent_text(load.share),
        amount_text(load.peak_ru_per_second),
        at(load.peak_at),
        at(load.since),
        size,
        of_ceiling,
        place_words(key.place.as_ref()),
    ]
}

/// The columns of [`NARROW_KEYS`].
fn narrow_key_cells(key: &KeyHeat) -> Vec<String> {
    let [name, ru, share, peak, at, since, _, of_ceiling, _] = key_cells(key, clock);
    vec![name, ru, share, peak, since, at, of_ceiling]
}
