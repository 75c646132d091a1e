//! Records of delimited text: strict about quotes, and a broken record costs only the line it begins on.

use memchr::memchr;

use super::columns::{Field, LogRow};
use super::near::{count, first, first_of};
use super::records::RecordTaker;
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
    pub end: usize,
    /// Holds `""` for `"`.
    pub doubled: bool,
}

/// Buffers that live as long as a worker.
#[derive(Debug, Default)]
pub struct Scratch {
    doubled: Vec<CellSpan>,
    unquoted: Vec<u8>,
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
    let mut decoded = std::mem::take(&mut scratch.decoded);
    let text = decoded_lines(layout, bytes, line, &mut decoded, &mut records.tally);
    take_text(layout, text, line, scratch, records);
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
    text: &str,
    line: u64,
    scratch: &mut Scratch,
    records: &mut RecordTaker<'_>,
) {
    let bytes = text.as_bytes();
    let mut lines = LineCounter { line, at: 0 };
    let mut at = 0;
    while at < bytes.len() {
        // Blank lines are no records.
        if let Some(next) = line_end(bytes, at) {
            at = next;
            continue;
        }
        scratch.doubled.clear();
        let mut row = LogRow::default();
        let found = record(layout, bytes, at, |cell| {
            if cell.doubled {
                scratch.doubled.push(cell);
            } else {
                row.put(
                    cell.field,
                    text.get(cell.start..cell.end).unwrap_or_default(),
                );
            }
        });
        match found {
            Ok((end, width)) if width == layout.width => {
                let listed = records.tally.errors.len();
                unquote(bytes, &mut scratch.doubled, &mut scratch.unquoted);
                for cell in &scratch.doubled {
                    let value = scratch.unquoted.get(cell.start..cell.end);
                    let value = value.and_then(|bytes| std::str::from_utf8(bytes).ok());
                    row.put(cell.field, value.unwrap_or_default());
                }
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
    let kind = if found < wanted {
        RowFault::MissingColumns
    } else {
        RowFault::TooManyColumns
    };
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

/// Finds the cells of one record; gives where the next one starts and how many cells there were.
pub fn record(
    layout: &TableLayout,
    bytes: &[u8],
    mut at: usize,
    mut take: impl FnMut(CellSpan),
) -> Result<(usize, usize), Fault> {
    let mut column = 0;
    loop {
        let quoted = layout.quotes == Quotes::Doubled && bytes.get(at) == Some(&b'"');
        let (start, mut end, doubled);
        if quoted {
            start = at + 1;
            (end, doubled) = closing_quote(bytes, start)?;
            at = end + 1;
        } else {
            start = at;
            doubled = false;
            let rest = bytes.get(at..).unwrap_or_default();
            end = first_of(rest, layout.delimiter, b'\n').map_or(bytes.len(), |p| at + p);
            at = end;
            if bytes.get(end) != Some(&layout.delimiter)
                && end > start
                && bytes.get(end - 1) == Some(&b'\r')
            {
                end -= 1;
            }
        }
        if let Some(Some(field)) = layout.columns.get(column) {
            take(CellSpan {
                field: *field,
                start,
                end,
                doubled,
            });
        }
        column += 1;
        match bytes.get(at) {
            Some(b) if *b == layout.delimiter => at += 1,
            Some(_) => {
                if let Some(next) = line_end(bytes, at) {
                    return Ok((next, column));
                }
                let detail = format!("text behind the closing quote in column {column}");
                return Err((RowFault::UnquotedValue, detail));
            }
            None => return Ok((at, column)),
        }
    }
}

/// The place of the closing quote, and whether the cell holds doubled ones.
fn closing_quote(bytes: &[u8], start: usize) -> Result<(usize, bool), Fault> {
    let mut at = start;
    let mut doubled = false;
    loop {
        let Some(p) = first(bytes.get(at..).unwrap_or_default(), b'"') else {
            let detail = "a quote is opened and never closed".to_owned();
            return Err((RowFault::UnquotedValue, detail));
        };
        at += p;
        if bytes.get(at + 1) != Some(&b'"') {
            return Ok((at, doubled));
        }
        doubled = true;
        at += 2;
    }
}

/// Writes the cells that hold doubled quotes as they are meant, and moves their places there.
fn unquote(bytes: &[u8], cells: &mut [CellSpan], unquoted: &mut Vec<u8>) {
    unquoted.clear();
    for cell in cells {
        let start = unquoted.len();
        let mut at = cell.start;
        // Searched up to the end of the text: a search that ends with the cell is too short for a vector.
        while at < cell.end {
            let rest = bytes.get(at..).unwrap_or_default();
            let quote = first(rest, b'"').map_or(cell.end, |p| at + p + 1);
            let end = quote.min(cell.end);
            append(unquoted, bytes, at, end);
            at = end + 1;
        }
        (cell.start, cell.end) = (start, unquoted.len());
    }
}

/// Appends a short piece of a text. In copies of one size where more of the text follows: one of any size is a call.
fn append(to: &mut Vec<u8>, bytes: &[u8], mut from: usize, end: usize) {
    let len = to.len() + (end - from);
    while from < end {
        let rest = bytes.get(from..).unwrap_or_default();
        match rest.first_chunk::<16>() {
            Some(piece) => to.extend_from_slice(piece),
            None => to.extend_from_slice(rest),
        }
        from += 16;
    }
    to.truncate(len);
}

/// The cells of the first record and its length with the line end, for headers and for looking before reading. A broken
/// record ends with its first line.
pub fn split_record(text: &str, delimiter: u8, quotes: Quotes) -> (Vec<String>, usize) {
    let every = vec![Some(Field::Time); 1 << 14];
    let layout = TableLayout {
        delimiter,
        quotes,
        columns: every,
        width: 0,
        encoding: Encoding::Utf8,
    };
    let mut cells = Vec::new();
    let found = record(&layout, text.as_bytes(), 0, |cell| cells.push(cell));
    let end = found.map_or_else(|_| next_line(text.as_bytes(), 0), |(end, _)| end);
    let value = |c: &CellSpan| {
        let raw = text.get(c.start..c.end).unwrap_or_default();
        if c.doubled {
            raw.replace("\"\"", "\"")
        } else {
            raw.to_owned()
        }
    };
    (cells.iter().map(value).collect(), end)
}

/// Hands over the cells that matter of every record of a text, without judging the records.
pub fn each_cell(layout: &TableLayout, text: &str, mut take: impl FnMut(Field, &str)) {
    let mut cells = Vec::new();
    let mut at = 0;
    while at < text.len() {
        cells.clear();
        let found = record(layout, text.as_bytes(), at, |cell| cells.push(cell));
        at = found.map_or_else(|_| next_line(text.as_bytes(), at), |(end, _)| end);
        for cell in &cells {
            take(
                cell.field,
                text.get(cell.start..cell.end).unwrap_or_default(),
            );
        }
    }
}

#[cfg(test)]
mod tests;
