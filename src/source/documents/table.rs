//! Documents as rows of delimited text: the header names the paths, and unquoted cells that read as JSON are typed.

use std::collections::HashMap;

use memchr::memchr;

use super::judge;
use super::parse::number;
use super::tree::NameRule;
use crate::model::capture::RowFault;
use crate::model::documents::{Rows, Scalar};
use crate::model::path::Path;
use crate::source::columns::Field;
use crate::source::delimited::{
    CellSpan, Encoding, Quotes, TableLayout, decoded_lines, line_end, next_line, record,
    wrong_record,
};
use crate::source::format::delimited::{self, Header};
use crate::source::json::scan::{Scanner, Token};
use crate::source::marks::CellMarks;
use crate::source::near::count;
use crate::source::rewritten::Rewritten;
use crate::source::sniff::{Refusal, Sniff};
use crate::source::tally::{Tally, quoted};

/// Columns of a table that are read; the service takes no document of more properties at its top.
const MAX_COLUMNS: usize = 1 << 14;

/// How a table of documents is read.
#[derive(Clone, Debug)]
pub struct DocumentPlan {
    layout: TableLayout,
    paths: Vec<Path>,
    /// Bytes of the decoded stream before the first record, and the line it stands on.
    pub skip_bytes: usize,
    pub first_line: u64,
}

pub fn plan(sniffed: &Sniff) -> Result<DocumentPlan, Refusal> {
    if delimited::plan(sniffed, None).is_ok() {
        return Err(judge::export_table());
    }
    let head = String::from_utf8_lossy(&sniffed.head);
    let mut at = head.len() - head.trim_start_matches(['\r', '\n', '\u{feff}']).len();
    let rest = head.get(at..).unwrap_or_default();
    let mut reported = None;
    if let Some(sign) = rest.strip_prefix("sep=") {
        reported = sign.bytes().next();
        at += memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |p| p + 1);
    }
    let rest = head.get(at..).unwrap_or_default();
    if !rest.contains('\n') && !sniffed.complete {
        return Err(judge::nothing_found("this is one endless line without columns"));
    }
    let header = delimited::best_header(rest, reported, |header| header.names.len());
    let Header { delimiter, names, len, .. } = header;
    judge::check_names(&names)?;
    if names.len() > MAX_COLUMNS {
        return Err(judge::nothing_found("the header names more than 16,384 columns"));
    }
    let before = head.get(..at + len).unwrap_or_default();
    if before.contains('\u{fffd}') && sniffed.encoding == Encoding::Utf8 {
        return Err(judge::nothing_found("the header is not UTF-8"));
    }
    Ok(DocumentPlan {
        paths: names.iter().map(|n| path_of(n)).collect(),
        layout: TableLayout {
            delimiter,
            quotes: Quotes::Doubled,
            // What a column means to a log does not matter here: every cell is taken.
            columns: vec![Some(Field::Time); names.len()],
            width: names.len(),
            encoding: sniffed.encoding,
        },
        skip_bytes: delimited::decoded_bytes(before, &sniffed.head),
        first_line: 1 + before.matches('\n').count() as u64,
    })
}

/// A header cell that begins with a slash is a path, such as `/device/type`; any other is one name, dots and all.
fn path_of(name: &str) -> Path {
    let name = name.trim();
    let path = name.starts_with('/').then(|| Path::parse(name).ok());
    path.flatten().unwrap_or_else(|| Path(vec![name.into()]))
}

/// A worker's way from records to rows.
#[derive(Debug)]
pub struct TableParser<'p> {
    pub rows: Rows,
    pub tally: Tally,
    plan: &'p DocumentPlan,
    /// By column of the table; none where nobody asked for it.
    columns: Vec<Option<u32>>,
    /// Columns of one name, by their places in the table.
    twins: Vec<(usize, usize)>,
    file: usize,
    cells: Vec<CellSpan>,
    rewritten: Rewritten,
    decoded: String,
}

impl<'p> TableParser<'p> {
    pub fn new(rows: Rows, plan: &'p DocumentPlan, unlisted: NameRule, file: usize) -> Self {
        let mut parser = Self {
            rows,
            tally: Tally::default(),
            columns: Vec::new(),
            twins: twins(&plan.paths),
            plan,
            file,
            cells: Vec::new(),
            rewritten: Rewritten::default(),
            decoded: String::new(),
        };
        parser.find_columns(unlisted);
        parser
    }

    fn find_columns(&mut self, unlisted: NameRule) {
        for path in &self.plan.paths {
            self.columns.push(unlisted.column(&mut self.rows, path));
        }
    }

    /// Takes every record of a piece.
    pub fn take_piece(&mut self, bytes: &[u8], first: u64) {
        let mut decoded = std::mem::take(&mut self.decoded);
        let layout = &self.plan.layout;
        let text = decoded_lines(layout, bytes, first, &mut decoded, &mut self.tally);
        self.take_text(text, first);
        self.decoded = decoded;
    }

    fn take_text(&mut self, text: &str, first: u64) {
        let bytes = text.as_bytes();
        let (mut line, mut at) = (first, 0);
        let mut marks = self.plan.layout.marks(bytes);
        while at < bytes.len() {
            let from = at;
            if let Some(next) = line_end(bytes, at) {
                at = next;
                marks.seek(at);
            } else {
                at = self.take_record(text, &mut marks, at, line);
            }
            let passed = bytes.get(from..at).unwrap_or_default();
            line += count(passed, b'\n') as u64;
        }
    }

    /// Takes the record that begins at `at`, and gives where the next one does.
    fn take_record(
        &mut self,
        text: &str,
        marks: &mut CellMarks<'_>,
        at: usize,
        line: u64,
    ) -> usize {
        let bytes = text.as_bytes();
        self.cells.clear();
        let (layout, cells) = (&self.plan.layout, &mut self.cells);
        let found = record(layout, marks, at, &mut self.rewritten, |cell| {
            cells.push(cell);
        });
        let width = layout.width;
        match found {
            Ok((end, n)) if n == width => {
                self.take_cells(text, at, end, line);
                end
            }
            wrong => {
                self.tally.leave_out(line, wrong_record(width, wrong));
                let next = next_line(bytes, at);
                marks.seek(next);
                next
            }
        }
    }

    /// The first column whose name another one has, with another value.
    fn twice(&self, text: &str) -> Option<usize> {
        let cell = |column: usize| {
            let cell = self.cells.get(column)?;
            let cell = cell.text(text, &self.rewritten);
            Some(cell).filter(|cell| !cell.is_empty())
        };
        let differ = |(one, two): &&(usize, usize)| match (cell(*one), cell(*two)) {
            (Some(one), Some(two)) => one != two,
            _ => false,
        };
        self.twins.iter().find(differ).map(|(one, _)| *one)
    }

    fn take_cells(&mut self, text: &str, at: usize, end: usize, line: u64) {
        if let Some(column) = self.twice(text) {
            let name = self.plan.paths.get(column).map(Path::to_string);
            let detail = || format!("two values in columns {}", quoted(&name.unwrap_or_default()));
            self.tally.skip(line, RowFault::Cast, detail);
            return;
        }
        self.rows.begin(number(self.file, line));
        for (cell, column) in self.cells.iter().zip(&self.columns) {
            let Some(column) = column else { continue };
            let value = cell.text(text, &self.rewritten);
            let is_quoted = cell.start > at && text.as_bytes().get(cell.start - 1) == Some(&b'"');
            if cell.doubled || is_quoted {
                self.rows.put(*column, Scalar::Text(value));
            } else if let Some(scalar) = unquoted(value) {
                self.rows.put(*column, scalar);
            }
        }
        let whole = text.get(at..end).unwrap_or_default();
        self.rows.end(whole.trim_end_matches(['\r', '\n']).len());
        self.tally.sizes += 1;
    }
}

/// Of columns with one path the first with each further one.
fn twins(paths: &[Path]) -> Vec<(usize, usize)> {
    let mut first: HashMap<&Path, usize> = HashMap::new();
    let mut twins = Vec::new();
    for (column, path) in paths.iter().enumerate() {
        match first.get(path) {
            Some(one) => twins.push((*one, column)),
            None => {
                first.insert(path, column);
            }
        }
    }
    twins
}

/// An empty cell is no value; one that reads as a JSON number, truth value or null is that.
fn unquoted(cell: &str) -> Option<Scalar<'_>> {
    Some(match cell {
        "" => return None,
        "null" => Scalar::Null,
        "true" | "True" | "TRUE" => Scalar::Bool(true),
        "false" | "False" | "FALSE" => Scalar::Bool(false),
        text if text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => number_or_text(text),
        text => Scalar::Text(text),
    })
}

fn number_or_text(text: &str) -> Scalar<'_> {
    match Scanner::of(text).next_token() {
        Ok(Some(Token::Number(digits))) if digits.len() == text.len() => {
            Scalar::Number { text, value: digits.parse().unwrap_or(f64::NAN) }
        }
        _ => Scalar::Text(text),
    }
}
