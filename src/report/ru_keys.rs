//! Keys of one container by the RU that the log names for them, where no sizes are reported.

use std::io::{self, Write};

use super::csv::Line;
use super::doc::{Doc, NUMBERS};
use super::heat::{KeyOf, key_words};
use super::layout::{page_title, title};
use super::write_json::{as_found, moment, object, stream};
use super::{Style, Writer, writer};
use crate::analysis::heat::keys::KeyShare;
use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::model::units::{counted, figure_text, percent_text, six_digits};
use crate::model::visible::visible;

/// Keys in the order in which they are shown.
#[derive(Clone, PartialEq, Debug)]
pub struct RuKeys {
    pub container: ContainerName,
    pub keys: Vec<RuKeyRow>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct RuKeyRow {
    pub key: KeyOf,
    pub load: KeyShare,
    /// Where most of its RU were logged.
    pub partition: Option<String>,
}

/// The writer of the format of that name.
pub fn format(name: &str) -> Option<Writer<RuKeys>> {
    writer(name, table, &[("json", json), ("csv", csv)])
}

fn json(report: &RuKeys, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let key = |row: &RuKeyRow| {
        let (key, is) = row.key.json();
        object()
            .with("key", as_found(key))
            .with("is", is)
            .with("ru", six_digits(row.load.ru))
            .with("share", six_digits(row.load.share))
            .with("peak_ru_per_second", six_digits(row.load.peak_ru_per_second))
            .with("since", moment(row.load.since))
            .with("partition", row.partition.as_ref())
    };
    let head = object().with("schema", 1).names(&report.container);
    stream(head, "keys", report.keys.iter().map(key), &object(), to)?;
    to.write_all(b"\n")
}

const HEADER: &str =
    "account,database,container,key,is,ru,share,peak_ru_per_second,since,partition\n";

fn csv(report: &RuKeys, style: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut line = Line::below(HEADER, style, to)?;
    for row in &report.keys {
        let (key, is) = row.key.json();
        line.names(&report.container)
            .json(key)
            .plain(Some(is))
            .number(Some(six_digits(row.load.ru)))
            .number(Some(six_digits(row.load.share)))
            .number(Some(six_digits(row.load.peak_ru_per_second)))
            .plain(moment(row.load.since))
            .text(row.partition.as_deref())
            .end(to)?;
    }
    Ok(())
}

fn table(mut doc: Doc, report: &RuKeys, to: &mut dyn Write) -> io::Result<()> {
    let keys = counted(report.keys.len() as u64, "key", "keys");
    let summary = format!("{keys} of {} by RU; sizes are not reported.", title(&report.container));
    doc.title("Keys by RU", &page_title([&report.container], "keys by RU", None), &summary);
    doc.gap();
    let cells = |row: &RuKeyRow| {
        let since = row.load.since.and_then(Stamp::from_seconds);
        [
            key_words(&row.key),
            percent_text(row.load.share),
            figure_text(row.load.peak_ru_per_second),
            since.map_or_else(String::new, Stamp::minute_text),
            visible(row.partition.as_deref().unwrap_or_default()).into_owned(),
        ]
    };
    let heads = ["key", "share of RU", "peak RU/s", "since (UTC)", "partition"];
    doc.table(NUMBERS, heads, report.keys.iter().map(cells));
    doc.end(to)
}
