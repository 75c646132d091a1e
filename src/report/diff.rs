//! The changes that `diff` found, for people and for scripts.

use std::io::{self, Write};

use crate::analysis::diff::{ChangeKind, KeyChange};
use crate::analysis::growth::{LimitDate, limit_date_text, limit_date_words};
use crate::model::names::ContainerName;
use crate::model::units::{count_text, kib_text, percent_text, six_digits};

use super::csv::Line;
use super::doc::{Doc, WORDS};
use super::key_text::key_text;
use super::layout::{
    NONE, first_of, gib, gib_a_week, left, optional, page_title, shortened, title,
};
use super::write_json::{as_found, object, stream};
use super::{Style, Writer, writer};

const ERROR: &str = "The error is 1 % of the physical partition.";
const STILL_THERE: &str = "Statistics list only large keys. A key no longer reported may still be there; one not listed before may not be new.";
/// Of the lines below the sizes.
const INDENT: &str = "    ";

/// The writer of the format of that name.
pub fn format(name: &str) -> Option<Writer<[KeyChange]>> {
    writer(name, table, &[("text", text), ("json", json), ("csv", csv)])
}

fn json(changes: &[KeyChange], _: Style, to: &mut dyn Write) -> io::Result<()> {
    let change = |change: &KeyChange| {
        object()
            .names(&change.name)
            .with("key", as_found(change.key.as_deref()))
            .with("change", change.kind.word())
            .with("before_kib", change.before_kib)
            .with("after_kib", change.after_kib)
            .with("mark", change.mark)
            .with("within_error", change.within_kib.is_some())
    };
    let head = object().with("schema", 1);
    let changes = changes.iter().map(change);
    stream(head, "changes", changes, &object(), to)?;
    to.write_all(b"\n")
}

fn text(changes: &[KeyChange], style: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut doc = Doc::text(style);
    doc.line(&headline(changes, title), "", "");
    let changes = comparable(changes);
    // A line of its own for each, below the sizes.
    let room = style.width.saturating_sub(INDENT.len() + " in ".len());
    for alike in changes.chunk_by(|a, b| a.phrase() == b.phrase()) {
        if let Some(first) = alike.first() {
            doc.raw(format!("\n{}\n", first.phrase()));
        }
        let keys = shortened(alike, room, |change| key_text(change.key.as_deref()));
        let places = shortened(alike, room, |change| title(&change.name));
        for (change, (key, place)) in alike.iter().zip(keys.zip(places)) {
            let line = format!("{}  {key} in {place}", sizes(change));
            doc.line(&line, "  ", INDENT);
            doc.flush(to)?;
        }
    }
    if let Some(note) = note(changes) {
        doc.gap();
        doc.line(&note, "· ", "  ");
    }
    doc.end(to)
}

const HEADER: &str = "account,database,container,key,change,before_kib,after_kib,delta_kib,delta_share,mark,within_error\n";

/// One row for each change; what is not known is an empty cell.
fn csv(changes: &[KeyChange], style: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut line = Line::below(HEADER, style, to)?;
    for change in changes {
        line.names(&change.name)
            .json(change.key.as_deref())
            .plain(Some(change.kind.word()))
            .number(change.before_kib)
            .number(change.after_kib)
            .number(change.delta_kib())
            .number(change.delta_share().map(six_digits))
            .number(change.mark)
            .plain(Some(change.within_kib.is_some()))
            .end(to)?;
    }
    Ok(())
}

fn table(mut doc: Doc, changes: &[KeyChange], to: &mut dyn Write) -> io::Result<()> {
    const HEADS: [&str; 9] =
        ["key", "container", "change", "before", "after", "Δ GiB", "Δ %", "GiB/week", "20 GB on"];
    let summary = headline(changes, title);
    let finding = summary.split(['.', ':']).next().unwrap_or_default();
    let newest = changes.iter().filter_map(|change| Some(change.growth?.newest_at)).max();
    let page = page_title(changes.iter().map(|change| &change.name), finding, newest);
    doc.title("Changes of key sizes", &page, &summary);
    let changes = comparable(changes);
    let cells = |change: &KeyChange| {
        let [before, after] = [change.before_kib, change.after_kib];
        let mark = change.mark.map(|mark| format!(" ≥ {}", percent_text(mark)));
        [
            key_text(change.key.as_deref()),
            title(&change.name),
            format!("{}{}", change.phrase(), mark.unwrap_or_default()),
            optional(before, kib_text),
            optional(after, kib_text),
            optional(change.delta_kib(), |kib| signed(kib, gib)),
            optional(change.delta_share(), |share| signed(share, percent_text)),
            gib_a_week(change.growth.as_ref()),
            match change.limit_date {
                LimitDate::Unknown => NONE.to_owned(),
                at => limit_date_text(&at, change.growth.map(|growth| growth.newest_at)),
            },
        ]
    };
    if !changes.is_empty() {
        doc.table(WORDS, HEADS, changes.iter().map(cells));
    }
    if let Some(note) = note(changes) {
        doc.paragraph(&note, "");
    }
    doc.end(to)
}

/// With its sign, also where it is more than nothing.
pub fn signed(number: f64, text: impl Fn(f64) -> String) -> String {
    let sign = if number < 0.0 { "-" } else { "+" };
    format!("{sign}{}", text(number.abs()))
}

/// `13.0 GiB → 18.0 GiB  +5.00 GiB  ≥ 90 %  20 GB on 2026-07-01 ±6 d`, with its error where the change is within it, to stand below others.
pub fn sizes(change: &KeyChange) -> String {
    let [before, after] = [change.before_kib, change.after_kib].map(|kib| optional(kib, kib_text));
    let delta = change.delta_kib().map(|kib| signed(kib, kib_text));
    let delta = delta.map(|delta| format!("  {}", left(&delta, 9)));
    let error = change.within_kib.map(|kib| format!("  ±{}", kib_text(kib)));
    let mark = change.mark.map(|m| format!("  ≥ {}", percent_text(m)));
    let now = change.growth.map(|growth| growth.newest_at);
    let date = (change.limit_date.date())
        .map(|_| format!("  20 GB {}", limit_date_words(&change.limit_date, now)));
    let [delta, error, mark, date] = [delta, error, mark, date].map(Option::unwrap_or_default);
    format!("{}{delta}{error}{mark}{date}", left(&format!("{before} → {after}"), 19))
}

/// What changes do not show: how much sizes may be off, and what keys in one of the two alone may be.
pub fn note(changes: &[KeyChange]) -> Option<String> {
    let is_within = |change: &KeyChange| change.within_kib.is_some();
    let error = changes.iter().any(is_within).then(|| ERROR.to_owned());
    let is_alone =
        |change: &KeyChange| matches!(change.kind, ChangeKind::New | ChangeKind::NotReported);
    let alone = changes.iter().any(is_alone).then(|| STILL_THERE.to_owned());
    let said: Vec<String> = error.into_iter().chain(alone).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

/// None where no container is in both.
pub fn comparable(changes: &[KeyChange]) -> &[KeyChange] {
    let is_apart = changes.first().is_some_and(|change| change.is_apart);
    if is_apart { &[] } else { changes }
}

/// How many changes of each kind, or that there is nothing to compare.
pub fn headline(changes: &[KeyChange], name: impl Fn(&ContainerName) -> String) -> String {
    if comparable(changes).len() < changes.len() {
        let [before, after] = [ChangeKind::NotReported, ChangeKind::New].map(|kind| {
            let of = changes.iter().filter(|change| change.kind == kind);
            let names: Vec<String> = of.map(|change| name(&change.name)).collect();
            if names.is_empty() { NONE.to_owned() } else { first_of(&names) }
        });
        return format!(
            "No container is in both: nothing to compare. Before: {before}. After: {after}. \
             Take two exports of the same container."
        );
    }
    let counted = changes.chunk_by(|a, b| a.phrase() == b.phrase());
    let counted = counted.map(|alike| {
        let phrase = alike.first().map_or("", KeyChange::phrase);
        format!("{} {phrase}", count_text(alike.len() as u64))
    });
    let counted: Vec<String> = counted.collect();
    if counted.is_empty() {
        return "No change: every key has the same size in both.".to_owned();
    }
    format!("{}.", counted.join(", "))
}

#[cfg(test)]
mod tests;
