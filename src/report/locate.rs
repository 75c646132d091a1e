//! Where values of a key lie, in five formats.

use std::io::{self, Write};

use crate::analysis::locate::{Located, LocatedKey};
use crate::model::units::{counted, kib_text, percent_text, six_digits};
use crate::model::visible::visible;

use super::csv::Line;
use super::doc::{Doc, WORDS};
use super::key_text::key_text;
use super::layout::{optional, page_title, title};
use super::write_json::{Json, as_found, object, stream};
use super::{Style, Writer, writer};

/// The writer of the format of that name.
pub fn format(name: &str) -> Option<Writer<Located>> {
    writer(name, page, &[("json", json), ("csv", csv)])
}

fn page(mut doc: Doc, located: &Located, to: &mut dyn Write) -> io::Result<()> {
    const HEADS: [&str; 5] = ["value", "partition", "of the hashes", "hash", "stored"];
    let values = counted(located.keys.len() as u64, "value", "values");
    let page = page_title(&located.ranges.name, &format!("places of {values}"), None);
    doc.title("Places", &page, &headline(located));
    let row = |key: &LocatedKey| {
        [
            key_text(Some(&key.key.json())),
            partitions(key).unwrap_or_else(|| "–".to_owned()),
            optional(key.position, percent_text),
            optional(key.epk.as_ref(), ToString::to_string),
            optional(key.stored_kib, kib_text),
        ]
    };
    doc.table(WORDS, HEADS, located.keys.iter().map(row));
    doc.gap();
    doc.notes(None, &located.notes);
    doc.end(to)
}

/// None where the value cannot be placed.
fn partitions(key: &LocatedKey) -> Option<String> {
    let all = &key.partitions;
    (!all.is_empty()).then(|| visible(&all.join(", ")).into_owned())
}

fn headline(located: &Located) -> String {
    let name = located.ranges.name.as_ref().map(title);
    let name = name.unwrap_or_else(|| "a new container".to_owned());
    let count = located.ranges.layout.len() as u64;
    let partitions = counted(count, "physical partition", "physical partitions");
    format!("Places in {name} with {partitions}.")
}

fn json(located: &Located, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let place = |found: &LocatedKey| -> Json {
        let json = found.key.json();
        object()
            .with("key", as_found(Some(&json)))
            .with("hash", found.epk.as_ref().map(ToString::to_string))
            .with("position", found.position.map(six_digits))
            .with("partitions", &found.partitions)
            .with("from", found.range.as_ref().map(|range| range.0.to_string()))
            .with("to", found.range.as_ref().map(|range| range.1.to_string()))
            .with("size_kib", found.stored_kib.map(six_digits))
    };
    let mut all = object().with("schema", 1);
    if let Some(name) = &located.ranges.name {
        all = all.names(name);
    }
    let head = all.with("partitions", located.ranges.layout.len());
    let tail = object().notes("notes", &located.notes);
    stream(head, "places", located.keys.iter().map(place), &tail, to)?;
    to.write_all(b"\n")
}

fn csv(located: &Located, style: Style, to: &mut dyn Write) -> io::Result<()> {
    let header = "key,partitions,position,hash,from,to,size_kib\n";
    let mut line = Line::below(header, style, to)?;
    for found in &located.keys {
        let json = found.key.json();
        let hash = found.epk.as_ref().map(ToString::to_string);
        let bounds = found.range.as_ref();
        line.json(Some(&json))
            .text(partitions(found).as_deref())
            .number(found.position.map(six_digits))
            .plain(hash)
            .plain(bounds.map(|range| range.0.to_string()))
            .plain(bounds.map(|range| range.1.to_string()))
            .number(found.stored_kib.map(six_digits))
            .end(to)?;
    }
    Ok(())
}
