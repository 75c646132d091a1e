//! A report for people, at a terminal, as Markdown and as a page.
//!
//! ```text
//! 108 % of the 20 GB limit: tenant-0002 in …, the largest of 27 keys listed, as of …
//!
//! account / database / container
//!   key /tenantId · 10 keys · 2 at 70 % or more · …
//!   key                      70% 90%       %      GiB  GiB/week limit date
//!   tenant-0002 ████████████████████ 108.0 %    21.60     +0.75 over the limit
//! notes
//! ```

use std::io::{self, Write};

use crate::analysis::ceiling::Mark;
use crate::analysis::prefix::PrefixTotal;
use crate::analysis::rows::{ContainerRows, KeyRow, Report, SizeOf};
use crate::model::time::Stamp;
use crate::model::units::{count_text, kib_text, percent_text};
use crate::model::visible::{display_width, visible};

use super::doc::{Doc, Markup, NUMBERS, Point, TableForm};
use super::key_text::key_text;
use super::layout::{
    BAR_CELLS, bar, date_doubt, facts, gib, gib_a_week, headline, keys_text, left, limit_date_text,
    optional, report_title, right, sentence, shortened, skew_text, spread_text, title, twin,
};
use super::{Colour, Style};

/// In Markdown and on a page.
const COLUMNS: &str = "key | of the limit | GiB | GiB/week | 20 GB on | region | sampled (UTC)";
const TABLE: TableForm = TableForm { align: "lrrrl", ..NUMBERS };
/// Columns of a row but the key: indent, bar, percent, size, growth, date, and the blanks between them.
const OTHER_COLUMNS: usize = 2 + 1 + BAR_CELLS + 1 + PERCENT + 1 + SIZE + 1 + GROWTH + 1 + DATE;
const PERCENT: usize = 8;
const SIZE: usize = 8;
const GROWTH: usize = 9;
const DATE: usize = 16;
/// A key column narrower than this tells nothing; the line then runs over the edge.
const NARROWEST_KEY: usize = 10;
/// Prefixes of each level that are worth a line.
const PREFIXES_SHOWN: usize = 3;
/// Findings before the tables; every container may have one.
const ALARMS_SHOWN: usize = 10;
/// Containers told of in a line each.
const OTHERS_SHOWN: usize = 20;
const INDENT: &str = "  ";

pub fn write(report: &Report, style: Style, to: &mut dyn Write) -> io::Result<()> {
    write_to(report, Doc::text(style), to)
}

pub(super) fn write_to(report: &Report, mut doc: Doc, to: &mut dyn Write) -> io::Result<()> {
    let is_text = doc.is(Markup::Text);
    let is_load = is_text && report.keys_total() == 0 && !report.alarms.is_empty();
    if !is_load {
        let kind = "Logical partitions against their limit";
        doc.title(kind, &report_title(report), &headline(report));
    }
    let findings = report.alarms.iter().take(ALARMS_SHOWN);
    let findings = findings.flat_map(|(alarm, remedy)| {
        let remedy = remedy.clone().map(Point::Below);
        std::iter::once(Point::Plain(alarm.clone())).chain(remedy)
    });
    let more = report.alarms.len().checked_sub(ALARMS_SHOWN);
    let more = more.filter(|n| *n > 0);
    let more = more.map(|n| Point::Plain(format!("… {n} more findings")));
    let doubt = date_doubt(&report.notes).map(Point::Plain);
    doc.list(("ul", "", INDENT), findings.chain(more).chain(doubt));
    if is_load {
        doc.gap();
        doc.line(&headline(report), "", "");
    }
    let key_columns = key_columns(report, doc.style.width);
    let (shown, others): (Vec<_>, Vec<_>) = report
        .containers
        .iter()
        .filter(|c| !is_text || report.keys_total() > 0 || c.definition.is_some())
        .partition(|c| !is_text || is_shown(c));
    for container in shown {
        doc.part(&title(&container.name));
        let said = [
            twin_text(report, container),
            Some(facts(container)),
            skew_text(container),
            spread_text(container),
        ];
        for said in said.into_iter().flatten() {
            doc.aside(&said, INDENT);
        }
        if is_text && !container.keys.is_empty() {
            push_columns(key_columns, report.ceiling.heading("20 GB on"), &mut doc);
            let room = doc.style.width.saturating_sub(INDENT.len());
            let keys = shortened(&container.keys, room.max(NARROWEST_KEY), row_key);
            for (row, key) in container.keys.iter().zip(keys) {
                push_row(row, &key, report, key_columns, &mut doc);
            }
        } else if !container.keys.is_empty() {
            let rows = container.keys.iter().map(|row| cells(row, report));
            let heads = COLUMNS.split(" | ").map(|head| report.ceiling.heading(head));
            doc.table(TABLE, heads, rows);
        }
        push_foot(container, &mut doc);
        doc.part_end();
        doc.flush(to)?;
    }
    if is_text {
        push_others(&others, &mut doc);
    }
    doc.gap();
    doc.notes(None, &report.notes);
    for step in next_steps(report).into_iter().filter(|_| is_text) {
        doc.line(&step, "> ", INDENT);
    }
    doc.end(to)
}

/// The columns of [`COLUMNS`], visible.
fn cells(row: &KeyRow, report: &Report) -> [String; 7] {
    let at_least = match row.size_of {
        SizeOf::Key => "",
        SizeOf::Prefix => "at least ",
    };
    [
        key_text(row.key.as_deref()),
        percent_text(row.share),
        format!("{at_least}{}", gib(row.size_kib)),
        gib_a_week(row.growth.as_ref()),
        limit_date_text(&row.limit_date, report.as_of),
        visible(row.region.as_deref().unwrap_or("–")).into_owned(),
        optional(row.sampled_at, Stamp::minute_text),
    ]
}

fn key_columns(report: &Report, width: usize) -> usize {
    let rows = report.containers.iter().flat_map(|c| &c.keys);
    let longest = rows.map(|r| display_width(&row_key(r))).max().unwrap_or(0);
    let room = width.saturating_sub(OTHER_COLUMNS);
    longest.min(room).max(NARROWEST_KEY)
}

pub(super) fn row_key(row: &KeyRow) -> String {
    let key = key_text(row.key.as_deref());
    match row.size_of {
        SizeOf::Key => key,
        SizeOf::Prefix => format!("at least: {key}"),
    }
}

fn push_columns(key_columns: usize, date: &str, doc: &mut Doc) {
    doc.raw(format!(
        "{INDENT}{} {:>18}   {:>PERCENT$} {:>SIZE$} {:>GROWTH$} {date}\n",
        left("key", key_columns),
        "70% 90%",
        "%",
        "GiB",
        "GiB/week",
    ));
}

fn push_row(row: &KeyRow, key: &str, report: &Report, key_columns: usize, doc: &mut Doc) {
    let colour = doc.style.colour;
    let paint = |text: String| match (colour, row.mark()) {
        (Colour::Off, _) | (Colour::On, Mark::Below) => text,
        (Colour::On, Mark::Warn) => format!("\x1b[33m{text}\x1b[0m"),
        (Colour::On, Mark::Alarm) => format!("\x1b[31m{text}\x1b[0m"),
        (Colour::On, Mark::Full) => format!("\x1b[1;31m{text}\x1b[0m"),
    };
    let mut beside = key;
    if display_width(key) > key_columns {
        // Cut to the column, a key of several levels would not be recognized.
        doc.raw(format!("{INDENT}{key}\n"));
        beside = "";
    }
    doc.raw(format!(
        "{INDENT}{} {} {} {} {} {}\n",
        left(beside, key_columns),
        paint(bar(row.share)),
        paint(right(&percent_text(row.share), PERCENT)),
        right(&gib(row.size_kib), SIZE),
        right(&gib_a_week(row.growth.as_ref()), GROWTH),
        limit_date_text(&row.limit_date, report.as_of),
    ));
}

fn push_foot(container: &ContainerRows, doc: &mut Doc) {
    let shown = container.keys.len() as u64;
    let hidden = container.keys_total.saturating_sub(shown);
    let count = count_text(hidden);
    let more = if shown == 0 { "" } else { "more " };
    let keys = if hidden == 1 { "key" } else { "keys" };
    match doc.kind {
        _ if hidden == 0 => {}
        Markup::Text => doc.raw(format!("{INDENT}… {count} {more}{keys} reported, not shown\n")),
        _ => doc.aside(&format!("{count} more reported, not shown."), ""),
    }
    if doc.is(Markup::Text) {
        push_prefixes(&container.prefixes, doc);
    } else if !container.prefixes.is_empty() {
        let rows = container.prefixes.iter().map(|prefix| {
            let key = key_text(Some(&prefix.key));
            [key, kib_text(prefix.kib), keys_text(prefix.keys)]
        });
        doc.table(NUMBERS, ["prefix", "at least", "keys"], rows);
    }
    let notes = container.notes.iter().map(sentence);
    doc.list(("ul", INDENT, INDENT), notes.map(Point::Plain));
}

fn push_prefixes(prefixes: &[PrefixTotal], doc: &mut Doc) {
    for level in 1..=2 {
        let of_level = prefixes.iter().filter(|prefix| prefix.levels == level);
        for prefix in of_level.take(PREFIXES_SHOWN) {
            let key = key_text(Some(&prefix.key));
            let (size, keys) = (kib_text(prefix.kib), keys_text(prefix.keys));
            doc.line(&format!("{key} / …: at least {size} in {keys}"), INDENT, "    ");
        }
    }
}

/// A container none of whose keys is among the largest takes a line, unless it has no keys at all to be told of.
fn is_shown(container: &ContainerRows) -> bool {
    !container.keys.is_empty() || container.keys_total == 0
}

fn push_others(others: &[&ContainerRows], doc: &mut Doc) {
    if !others.is_empty() {
        doc.raw("\nwithout a key among those shown\n");
    }
    for container in others.iter().take(OTHERS_SHOWN) {
        let size = kib_text(container.largest_kib);
        let keys = format!("{} listed", keys_text(container.keys_total));
        let line = format!("{}: {keys}, the largest {size}", title(&container.name));
        doc.line(&line, INDENT, "    ");
    }
    if let Some(more) = others.len().checked_sub(OTHERS_SHOWN).filter(|n| *n > 0) {
        doc.raw(format!("{INDENT}… {more} more containers\n"));
    }
}

fn twin_text(report: &Report, of: &ContainerRows) -> Option<String> {
    let twin = title(&twin(report, of)?.name);
    Some(format!(
        "account unknown: may be {twin}; the first line counts only the longer list of the two"
    ))
}

fn next_steps(report: &Report) -> Vec<String> {
    let mut steps = Vec::new();
    if report.keys_shown() < report.keys_total() {
        steps.push("--top N shows more keys; --format json and csv hold all of them".to_owned());
    }
    if !report.alarms.is_empty() {
        let step = if report.has_load {
            "--view heat: what to do about the load, partitions, keys by RU"
        } else {
            "cosmoscope open PATH… and w: what to do, step by step"
        };
        steps.push(step.to_owned());
    }
    if report.keys_total() > 0 {
        steps.push(format!(
            "cosmoscope check PATH… exits with 1 if a key nears {}; diff A B shows what changed",
            report.ceiling.name()
        ));
    }
    steps
}

#[cfg(test)]
mod tests;
