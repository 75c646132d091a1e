//! What inputs are: their shape, their numbers, what was left out, and the keys found.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::Style;
use super::doc::Doc;
use super::layout::{keys_text, right, shortened, title, visible_once};
use super::text::row_key;
use super::write_json::{Json, as_found, lines, object, stream};
use crate::analysis::rows::Report;
use crate::model::capture::SourceInfo;
use crate::model::units::{count_text, counted, kib_text};

/// Keys that people see; scripts get as many as they ask for.
const KEYS_FOR_PEOPLE: usize = 10;
/// Size and blanks before a key.
const BEFORE_KEY: usize = 16;
/// A column narrower than this tells nothing; the line then runs over the edge.
const NARROWEST: usize = 10;

/// The numbers of one input, in the order of [`numbers_json`].
fn numbers(source: &SourceInfo) -> [u64; 5] {
    let (rows, skipped) = (source.rows, source.skipped);
    let (repeated, other_kinds) = (source.repeated, source.other_kinds);
    let odd = u64::from(skipped + repeated + other_kinds > 0);
    let warnings = (source.notes.len() as u64).max(odd);
    [rows, skipped, repeated, other_kinds, warnings]
}

fn numbers_json(of: Json, numbers: [u64; 5]) -> Json {
    let names = ["rows", "skipped", "repeated", "other_kinds", "warnings"];
    of.with_all(names.into_iter().zip(numbers))
}

/// Notes that belong to the whole come first, then each input's with its name.
fn notes(sources: &[SourceInfo], general: &[String]) -> Vec<String> {
    let several = sources.len() > 1;
    let of_source = |s: &SourceInfo| {
        let path = s.path.clone();
        let refused = s.refused.iter().map(|r| format!("not used: {r}"));
        let all: Vec<String> = s.notes.iter().cloned().chain(refused).collect();
        all.into_iter().map(move |n| if several { format!("{path}: {n}") } else { n })
    };
    general.iter().cloned().chain(sources.iter().flat_map(of_source)).collect()
}

pub fn json(
    report: &Report,
    sources: &[SourceInfo],
    general: &[String],
    to: &mut dyn Write,
) -> io::Result<()> {
    let mut sum = [0; 5];
    for source in sources {
        for (sum, number) in sum.iter_mut().zip(numbers(source)) {
            *sum += number;
        }
    }
    let notes = notes(sources, general);
    let [.., warnings] = &mut sum;
    *warnings = (notes.len() as u64).max(*warnings);
    let file = |source: &SourceInfo| {
        let shape = Some(&source.shape).filter(|shape| !shape.is_empty());
        let head = object()
            .with("path", &source.path)
            .with("shape", shape)
            .with("refused", source.refused.as_ref());
        numbers_json(head, numbers(source)).with("notes", &source.notes)
    };
    let keys = report.keys().into_iter();
    let keys = keys.map(|(_, row)| as_found(row.key.as_deref()));
    let tail = object()
        .with("\nkeys_total", report.keys_total())
        .with("\nnotes", notes)
        .with("\nfiles", lines(sources.iter().map(file)));
    let head = numbers_json(object().with("schema", 1), sum);
    stream(head, "\nkeys", keys, &tail, to)?;
    to.write_all(b"\n")
}

pub fn text(
    report: &Report,
    sources: &[SourceInfo],
    general: &[String],
    style: Style,
    to: &mut dyn Write,
) -> io::Result<()> {
    let mut doc = Doc::text(style);
    for source in sources {
        push_source(source, &mut doc);
    }
    for note in general {
        doc.line(&visible_once(note), "- ", "  ");
    }
    doc.gap();
    push_keys(report, &mut doc);
    doc.end(to)
}

fn push_source(source: &SourceInfo, doc: &mut Doc) {
    let [rows, skipped, repeated, other_kinds, _] = numbers(source);
    doc.line(&visible_once(&source.path), "", "  ");
    if let Some(why) = &source.refused {
        return doc.line(&format!("not used: {}", visible_once(why)), "  ", "  ");
    }
    let records = counted(rows, "record", "records");
    let mut line = format!("{}: {records}", source.shape);
    for (count, word) in
        [(skipped, "skipped"), (repeated, "repeated"), (other_kinds, "of other kinds")]
    {
        if count > 0 {
            let _ = write!(line, ", {} {word}", count_text(count));
        }
    }
    doc.line(&line, "  ", "  ");
    for note in &source.notes {
        doc.line(&visible_once(note), "  - ", "    ");
    }
}

fn push_keys(report: &Report, doc: &mut Doc) {
    let keys = report.keys();
    let total = report.keys_total();
    if total == 0 {
        return doc.raw("no logical partition keys with sizes\n");
    }
    let shown = keys.len().min(KEYS_FOR_PEOPLE);
    let these = match (shown, shown as u64 == total) {
        (1, true) => String::new(),
        (_, true) => "; all of them".to_owned(),
        (1, false) => "; the largest".to_owned(),
        _ => format!("; the {shown} largest"),
    };
    let places = match report.containers.len() {
        1 => "1 container".to_owned(),
        several => format!("{several} containers"),
    };
    doc.raw(format!("{} listed in {places}{these}:\n", keys_text(total)));
    let room = doc.style.width.saturating_sub(BEFORE_KEY + " in ".len());
    let room = room.max(NARROWEST);
    let rows: Vec<_> = keys.into_iter().take(KEYS_FOR_PEOPLE).collect();
    let keys = shortened(&rows, room, |(_, row)| row_key(row));
    let places = shortened(&rows, room, |(container, _)| title(&container.name));
    let indent = " ".repeat(BEFORE_KEY);
    for ((_, row), (key, place)) in rows.iter().zip(keys.zip(places)) {
        let size = right(&kib_text(row.size_kib), BEFORE_KEY - 4);
        doc.line(&format!("{key} in {place}"), &format!("  {size}  "), &indent);
    }
}

#[cfg(test)]
mod tests;
