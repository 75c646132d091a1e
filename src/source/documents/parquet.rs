//! Documents as rows of a Parquet file: column names are the paths, those of nested columns the nested ones.

use std::collections::HashSet;
use std::sync::atomic::Ordering;

use super::judge;
use super::parse::number;
use super::read::{DocumentJob, ReadEnd, info_of};
use super::tree::NameRule;
use crate::model::capture::RowFault;
use crate::model::documents::{Rows, Scalar};
use crate::model::path::Path;
use crate::source::chunks::MAX_RECORD_BYTES;
use crate::source::columns::Field;
use crate::source::format::parquet::{CellKind, ParquetColumn, ParquetTable, each_batch};
use crate::source::read::Stopped;
use crate::source::sniff::Refusal;
use crate::source::tally::{Tally, quoted, too_long};

/// Quotes and colon of a name, and the comma behind its value.
const NAME_SIGNS: usize = 4;
/// The brackets of an object, or the quotes of a text.
const PAIR: usize = 2;

/// A column that is read.
struct Place {
    column: Option<u32>,
    /// What its name and those of the objects that begin with it take as JSON.
    name_bytes: usize,
}

pub fn read(job: &DocumentJob<'_>) -> Result<ReadEnd, Refusal> {
    // Every column is read, wanted or not: the size of a document is made of all.
    let table = ParquetTable::open(job.opened, |_, _| Some(Field::Time))?;
    judge::check_names(&table.names)?;
    let mut rows = job.turns.rows();
    let places = places(&table, &mut rows, job.unlisted)?;
    let mut tally = Tally::default();
    let read = each_batch(job.opened, job.watch, &table, &mut |columns, count, before| {
        for (line, row) in (before + 1..).zip(0..count) {
            rows.begin(number(job.file, line));
            take_row(columns, &places, row, line, &mut rows, &mut tally);
        }
        job.turns.append(&mut rows);
        job.watch.rows.fetch_add(count as u64, Ordering::Relaxed);
    });
    job.turns.append(&mut rows);
    let fault = match read {
        Ok(()) => None,
        Err(Stopped::Interrupted) => return Ok(ReadEnd::Stopped),
        Err(Stopped::Refused(refusal)) if tally.sizes == 0 => return Err(refusal),
        Err(Stopped::Refused(refusal)) => Some(refusal.what),
    };
    job.watch.done_bytes.fetch_add(job.opened.bytes, Ordering::Relaxed);
    let mut info = info_of("documents as Parquet", tally);
    info.notes.push("sizes are those of the same documents as JSON, without lists".to_owned());
    let lists = table.places().filter(|(_, is_list)| *is_list).count();
    if lists > 0 {
        let columns = if lists == 1 { "column" } else { "columns" };
        info.notes.push(format!("{lists} {columns} inside lists: not usable as keys, not read"));
    }
    if let Some(fault) = fault {
        info.incomplete = true;
        info.notes.push(format!("{fault}; what comes before it is used"));
    }
    Ok(ReadEnd::Read(Box::new(info)))
}

/// Two columns of one name that is read are refused: of two values of one property nobody can know which is right.
fn places(
    table: &ParquetTable,
    rows: &mut Rows,
    unlisted: NameRule,
) -> Result<Vec<Place>, Refusal> {
    let mut found = Vec::new();
    let mut objects = HashSet::new();
    let mut taken = HashSet::new();
    for (names, is_list) in table.places() {
        if is_list {
            continue;
        }
        let path: Path = names.iter().map(String::as_str).collect();
        let column = unlisted.column(rows, &path);
        if column.is_some_and(|column| !taken.insert(column)) {
            return Err(Refusal::new(
                &format!("two columns are named {}", quoted(&path.to_string())),
                "give one of them another name where the file is made",
            ));
        }
        let mut name_bytes = names.last().map_or(0, String::len) + NAME_SIGNS;
        for depth in 1..names.len() {
            let around = names.get(..depth).unwrap_or_default();
            if objects.insert(around.to_vec()) {
                name_bytes += around.last().map_or(0, String::len) + NAME_SIGNS + PAIR;
            }
        }
        found.push(Place { column, name_bytes });
    }
    Ok(found)
}

fn take_row(
    columns: &mut [ParquetColumn],
    places: &[Place],
    row: usize,
    line: u64,
    rows: &mut Rows,
    tally: &mut Tally,
) {
    let (mut bytes, mut is_text) = (1, true);
    for (column, place) in columns.iter_mut().zip(places) {
        if column.is_null(row) {
            continue;
        }
        let matter = column.matter();
        let Some(text) = column.cell(row) else {
            is_text = false;
            continue;
        };
        let scalar = match matter {
            CellKind::Text => Scalar::Text(text),
            CellKind::Bool => Scalar::Bool(text == "true"),
            CellKind::Number => match text.parse() {
                Ok(value) if f64::is_finite(value) => Scalar::Number { text, value },
                // Not a number has no form in JSON but null.
                _ => Scalar::Null,
            },
        };
        let quotes = if matter == CellKind::Text { PAIR } else { 0 };
        bytes += place.name_bytes + text.len() + quotes;
        if let Some(column) = place.column {
            rows.put(column, scalar);
        }
    }
    if !is_text {
        rows.abandon();
        let detail = || "a value is not UTF-8".to_owned();
        tally.skip(line, RowFault::InvalidUnicode, detail);
    } else if bytes > MAX_RECORD_BYTES {
        rows.abandon();
        tally.leave_out(line, too_long());
    } else {
        rows.end(bytes.max(PAIR));
        tally.sizes += 1;
    }
}
