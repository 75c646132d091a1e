//! Records of delimited text: strict about quotes, and a broken record costs only the line it begins on.

use memchr::memchr;

use super::columns::{Field, LogRow, text};
use super::marks::CellMarks;
use super::near::{count, is_utf8};
use super::records::RecordTaker;
use super::rewritten::Rewritten;
use super::tally::{Fault, Tally, not_utf8};
use crate::model::capture::RowFault;

/// Where the cells that matter stand in each record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableLayout {
    pub delimiter: u8,
    pub quotes: Quotes,
    /// By column; columns after the last one that matters are left off.
    pub columns: Vec<Option<Field>>,
    /// Cells of every good record.
    pub width: usize,
    pub encoding: Encoding,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quotes {
    /// `"` opens a cell and `""` stands for one.
    Doubled,
    /// Quotes are ordinary characters, as in the CLI's tab-separated output.
    Literal,
}

/// How bytes that are not UTF-8 are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// The record is damaged.
    Utf8,
    /// The file has no other sign of UTF-8, so it is the old Western encoding.
    Windows1252,
}

/// The place of a cell in the text of its record.
#[derive(Clone, Copy, Debug)]
pub struct CellSpan {
    field: Field,
    pub start: usize,
    end: usize,
    /// Held `""` for `"`: its place is in what was rewritten.
    pub doubled: bool,
}

impl CellSpan {
    /// The cell, in the text that holds it.
    fn of<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        bytes.get(self.start..self.end).unwrap_or_default()
    }

    /// The same of text, or of what was rewritten.
    pub fn text<'a>(&self, whole: &'a str, rewritten: &'a Rewritten) -> &'a str {
        if self.doubled {
            return text(self.of(rewritten.written()));
        }
        whole.get(self.start..self.end).unwrap_or_default()
    }
}

impl TableLayout {
    /// What cuts a text of this layout into cells and records.
    pub fn marks<'a>(&self, bytes: &'a [u8]) -> CellMarks<'a> {
        let quote = match self.quotes {
            Quotes::Doubled => b'"',
            Quotes::Literal => b'\n',
        };
        CellMarks::new(bytes, [self.delimiter, b'\n', quote])
    }
}

/// Buffers that live as long as a worker.
#[derive(Debug, Default)]
pub struct Scratch {
    rewritten: Rewritten,
    decoded: String,
}

/// Takes every record of a chunk.
pub fn take_chunk(
    layout: &TableLayout,
    bytes: &[u8],
    line: u64,
    scratch: &mut Scratch,
    records: &mut RecordTaker<'_>,
) {
    if is_utf8(bytes) {
        take_text(layout, bytes, line, scratch, records);
        return;
    }
    let mut decoded = std::mem::take(&mut scratch.decoded);
    let text = decoded_lines(layout, bytes, line, &mut decoded, &mut records.tally);
    take_text(layout, text.as_bytes(), line, scratch, records);
    scratch.decoded = decoded;
}

/// Lines that are not UTF-8 are read as Windows-1252 or left out; an empty line stands in, so that line numbers hold.
pub fn decoded_lines<'a>(
    layout: &TableLayout,
    bytes: &'a [u8],
    first: u64,
    out: &'a mut String,
    tally: &mut Tally,
) -> &'a str {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text;
    }
    out.clear();
    for (line, raw) in (first..).zip(bytes.split_inclusive(|b| *b == b'\n')) {
        match (std::str::from_utf8(raw), layout.encoding) {
            (Ok(text), _) => out.push_str(text),
            (Err(_), Encoding::Windows1252) => {
                tally.as_windows_1252 += 1;
                out.extend(raw.iter().map(|b| windows_1252(*b)));
            }
            (Err(e), Encoding::Utf8) => {
                tally.leave_out(line, not_utf8(e));
                out.push('\n');
            }
        }
    }
    out
}

fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    byte.checked_sub(0x80)
        .and_then(|i| HIGH.get(usize::from(i)))
        .copied()
        .unwrap_or(char::from(byte))
}

// Inlined into its caller the loop has fewer registers: 3 % of an import.
#[inline(never)]
fn take_text(
    layout: &TableLayout,
    bytes: &[u8],
    line: u64,
    scratch: &mut Scratch,
    records: &mut RecordTaker<'_>,
) {
    let rewritten = &mut scratch.rewritten;
    let mut lines = LineCounter { line, at: 0 };
    let mut marks = layout.marks(bytes);
    let mut at = 0;
    while at < bytes.len() {
        // Blank lines are no records.
        if let Some(next) = line_end(bytes, at) {
            at = next;
            marks.seek(at);
            continue;
        }
        let mut row = LogRow::default();
        let found = record(layout, &mut marks, at, rewritten, |cell| {
            if !cell.doubled {
                row.put(cell.field, cell.of(bytes));
            }
        });
        match found {
            Ok((end, width)) if width == layout.width => {
                let listed = records.tally.errors.len();
                rewritten.put_into(&mut row);
                records.take(&row, 0);
                // Lines are counted only where somebody will read the number.
                if let Some(error) = records.tally.errors.get_mut(listed) {
                    error.line = lines.at(bytes, at);
                }
                at = end;
            }
            wrong => {
                let number = lines.at(bytes, at);
                let fault = wrong_record(layout.width, wrong);
                records.tally.leave_out(number, fault);
                at = next_line(bytes, at);
                marks.seek(at);
            }
        }
    }
}

/// Counts lines only as far as somebody asks.
struct LineCounter {
    line: u64,
    at: usize,
}

impl LineCounter {
    fn at(&mut self, bytes: &[u8], at: usize) -> u64 {
        self.line += count(bytes.get(self.at..at).unwrap_or_default(), b'\n') as u64;
        self.at = at;
        self.line
    }
}

/// What is wrong with a record that could not be read, or has another width.
pub fn wrong_record(wanted: usize, found: Result<(usize, usize), Fault>) -> Fault {
    found.map_or_else(|fault| fault, |(_, width)| wrong_width(wanted, width))
}

/// Where to go on behind a broken record, whatever it seemed to hold.
pub fn next_line(bytes: &[u8], at: usize) -> usize {
    memchr(b'\n', bytes.get(at..).unwrap_or_default()).map_or(bytes.len(), |p| at + p + 1)
}

/// What is wrong with a record that has too few or too many cells.
pub fn wrong_width(wanted: usize, found: usize) -> Fault {
    let kind = if found < wanted { RowFault::MissingColumns } else { RowFault::TooManyColumns };
    (kind, format!("{found} columns, expected {wanted}"))
}

/// Just behind a line end that starts at `at`.
pub fn line_end(bytes: &[u8], at: usize) -> Option<usize> {
    match (bytes.get(at)?, bytes.get(at + 1)) {
        (b'\n', _) | (b'\r', None) => Some(at + 1),
        (b'\r', Some(b'\n')) => Some(at + 2),
        _ => None,
    }
}

/// Finds the cells of the record at `at`, where the next mark is its first; gives where the next record starts, with the
/// next mark there, and how many cells there were. Behind a fault the marks stand anywhere. Cells with doubled quotes are
/// rewritten as they are meant.
pub fn record(
    layout: &TableLayout,
    marks: &mut CellMarks<'_>,
    mut at: usize,
    rewritten: &mut Rewritten,
    mut take: impl FnMut(CellSpan),
) -> Result<(usize, usize), Fault> {
    let bytes = marks.bytes();
    let is_quotable = layout.quotes == Quotes::Doubled;
    rewritten.clear();
    let mut columns = layout.columns.iter();
    let mut take = |start, end, doubled| {
        let field = columns.next().copied().flatten()?;
        take(CellSpan { field, start, end, doubled });
        Some(field)
    };
    let mut column = 0;
    loop {
        column += 1;
        if is_quotable && bytes.get(at) == Some(&b'"') {
            let from = rewritten.len();
            let end = closing_quote(marks, at + 1, rewritten)?;
            let doubled = rewritten.len() > from;
            let cell = if doubled { from..rewritten.len() } else { at + 1..end };
            if let Some(field) = take(cell.start, cell.end, doubled).filter(|_| doubled) {
                rewritten.end(field, from);
            }
            at = end + 1;
            if bytes.get(at) == Some(&layout.delimiter) {
                marks.next();
                at += 1;
                continue;
            }
            let Some(next) = line_end(bytes, at) else {
                if at == bytes.len() {
                    return Ok((at, column));
                }
                let detail = format!("text behind the closing quote in column {column}");
                return Err((RowFault::UnquotedValue, detail));
            };
            marks.next();
            return Ok((next, column));
        }
        let (end, mark) = cell_end(marks);
        if mark == layout.delimiter {
            take(at, end, false);
            at = end + 1;
            continue;
        }
        let is_return = end > at && bytes.get(end - 1) == Some(&b'\r');
        take(at, end - usize::from(is_return), false);
        return Ok((bytes.len().min(end + 1), column));
    }
}

/// Where a cell without quotes around it ends, and by what: a quote inside it is an ordinary character.
#[expect(clippy::inline_always, reason = "5 % of an import")]
#[inline(always)]
fn cell_end(marks: &mut CellMarks<'_>) -> (usize, u8) {
    let bytes = marks.bytes();
    for at in marks.by_ref() {
        let mark = bytes.get(at).copied().unwrap_or_default();
        if mark != b'"' {
            return (at, mark);
        }
    }
    (bytes.len(), b'\n')
}

/// The place of the closing quote of a cell whose opening one is the next mark. Where the cell holds doubled ones, it is
/// rewritten as it is meant.
#[expect(clippy::inline_always, reason = "5 % of an import")]
#[inline(always)]
fn closing_quote(
    marks: &mut CellMarks<'_>,
    mut from: usize,
    rewritten: &mut Rewritten,
) -> Result<usize, Fault> {
    let bytes = marks.bytes();
    let before = rewritten.len();
    marks.next();
    while let Some(at) = marks.next() {
        if bytes.get(at) != Some(&b'"') {
            continue;
        }
        let rest = bytes.get(from..).unwrap_or_default();
        if bytes.get(at + 1) != Some(&b'"') {
            if rewritten.len() > before {
                rewritten.push(rest, at - from);
            }
            return Ok(at);
        }
        rewritten.push(rest, at + 1 - from);
        marks.next();
        from = at + 2;
    }
    let detail = "a quote is opened and never closed".to_owned();
    Err((RowFault::UnquotedValue, detail))
}

/// The cells of the first record and its length with the line end, for headers and for looking before reading. A broken
/// record ends with its first line.
pub fn split_record(text: &str, delimiter: u8, quotes: Quotes) -> (Vec<String>, usize) {
    let every = vec![Some(Field::Time); 1 << 14];
    let layout =
        TableLayout { delimiter, quotes, columns: every, width: 0, encoding: Encoding::Utf8 };
    let (mut cells, mut rewritten) = (Vec::new(), Rewritten::default());
    let bytes = text.as_bytes();
    let mut marks = layout.marks(bytes);
    let found = record(&layout, &mut marks, 0, &mut rewritten, |cell| {
        cells.push(cell);
    });
    let end = found.map_or_else(|_| next_line(bytes, 0), |(end, _)| end);
    let value = |cell: &CellSpan| cell.text(text, &rewritten).to_owned();
    (cells.iter().map(value).collect(), end)
}

/// Hands over the cells that matter of every record of a text, without judging the records.
pub fn each_cell(layout: &TableLayout, text: &str, mut take: impl FnMut(Field, &str)) {
    let (mut cells, mut rewritten) = (Vec::new(), Rewritten::default());
    let bytes = text.as_bytes();
    let mut marks = layout.marks(bytes);
    let mut at = 0;
    while at < bytes.len() {
        cells.clear();
        marks.seek(at);
        let found = record(layout, &mut marks, at, &mut rewritten, |cell| {
            cells.push(cell);
        });
        at = found.map_or_else(|_| next_line(bytes, at), |(end, _)| end);
        for cell in &cells {
            take(cell.field, cell.text(text, &rewritten));
        }
    }
}

#[cfg(test)]
mod tests;
