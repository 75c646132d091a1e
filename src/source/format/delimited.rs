//! Tables as delimited text: finds the header (or does without one), the delimiter, and how the file writes its numbers.

use jiff::tz::TimeZone;

use crate::source::columns::{Field, field_of, is_request_log, zone_label};
use crate::source::delimited::{Quotes, TableLayout, each_cell, split_record};
use crate::source::dialect::{DialectEvidence, Zone};
use crate::source::numbers::NumberForm;
use crate::source::records::EmptyCell;
use crate::source::sniff::{Refusal, Sniff, WHAT_TO_EXPORT};

const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Header names that a refusal lists.
const LISTED_NAMES: usize = 12;
/// Lines that may stand before the header.
const LINES_BEFORE: usize = 8;

/// How to read one table.
#[derive(Clone, Debug)]
pub struct DelimitedTable {
    pub layout: TableLayout,
    /// Bytes of the decoded stream before the first record.
    pub skip_bytes: usize,
    /// The number of the line on which the first record stands.
    pub first_line: u64,
    pub zone: Zone,
    pub default_form: NumberForm,
    pub empty: EmptyCell,
    pub shape: &'static str,
}

/// Reads the head of a table.
pub fn plan(sniffed: &Sniff, time_zone: Option<&TimeZone>) -> Result<DelimitedTable, Refusal> {
    let head = String::from_utf8_lossy(&sniffed.head);
    let mut at = 0;
    let mut line = 1;
    let mut reported = None;
    for _ in 0..LINES_BEFORE {
        let rest = head.get(at..).unwrap_or_default();
        let text = rest.split('\n').next().unwrap_or_default();
        let trimmed = text.trim_start_matches('\u{feff}').trim();
        if let Some(sign) = trimmed.strip_prefix("sep=") {
            reported = sign.bytes().next().or(Some(b'\t'));
        } else if !trimmed.is_empty() && !trimmed.starts_with("#TYPE") {
            break;
        }
        at = (at + text.len() + 1).min(head.len());
        line += 1;
    }
    // Blank lines may be many.
    let rest = head.get(at..).unwrap_or_default();
    let blank = rest.len() - rest.trim_start_matches(['\r', '\n']).len();
    line += rest.get(..blank).unwrap_or_default().matches('\n').count() as u64;
    at += blank;
    let rest = head.get(at..).unwrap_or_default();
    if !rest.contains('\n') && !sniffed.complete {
        return Err(Refusal::new(
            "this is one endless line without columns: not a known format",
            WHAT_TO_EXPORT,
        ));
    }
    let header = best_header(rest, reported, |header| header.columns.iter().flatten().count());
    let skip = |len| decoded_bytes(head.get(..at + len).unwrap_or_default(), &sniffed.head);
    if suffices(&header.columns) {
        let lines = rest.get(..header.len).unwrap_or_default().matches('\n').count() as u64;
        let label = header
            .names
            .iter()
            .find(|n| field_of(n) == Some(Field::Time))
            .and_then(|n| zone_label(n));
        return Ok(DelimitedTable {
            layout: header.layout(sniffed, Quotes::Doubled),
            skip_bytes: skip(header.len),
            first_line: line + lines,
            zone: zone_of(label, time_zone),
            default_form: if header.delimiter == b';' {
                NumberForm::Comma
            } else {
                NumberForm::Point
            },
            empty: EmptyCell::Blank,
            shape: if header.delimiter == b'\t' {
                "tab-separated table"
            } else {
                "delimited table"
            },
        });
    }
    headerless(rest, sniffed, skip(0), line).ok_or_else(|| refusal(&header))
}

fn zone_of(label: Option<&str>, time_zone: Option<&TimeZone>) -> Zone {
    match (label, time_zone) {
        (None, _) => Zone::Utc,
        (Some(label), _) if label.eq_ignore_ascii_case("utc") => Zone::Utc,
        (Some(_), Some(zone)) => Zone::Named(zone.clone()),
        (Some(_), None) => Zone::Guess,
    }
}

/// How many bytes the (lossy) text of the beginning takes in the stream.
pub fn decoded_bytes(before: &str, raw: &[u8]) -> usize {
    if !before.contains('\u{fffd}') {
        return before.len();
    }
    // Damaged bytes before the first record: count line ends instead, which no damage hides.
    let ends = before.matches('\n').count();
    memchr::memchr_iter(b'\n', raw).nth(ends.saturating_sub(1)).map_or(raw.len(), |p| p + 1)
}

/// The first record of a table, as one delimiter divides it.
pub struct Header {
    pub delimiter: u8,
    pub names: Vec<String>,
    columns: Vec<Option<Field>>,
    /// Bytes with the line end.
    pub len: usize,
}

impl Header {
    fn layout(&self, sniffed: &Sniff, quotes: Quotes) -> TableLayout {
        let width = self.columns.len();
        let mut columns = self.columns.clone();
        while columns.last().is_some_and(Option::is_none) {
            columns.pop();
        }
        TableLayout {
            delimiter: self.delimiter,
            quotes,
            columns,
            width,
            encoding: sniffed.encoding,
        }
    }
}

/// The reading of the first record that is worth the most.
pub fn best_header(text: &str, reported: Option<u8>, worth: impl Fn(&Header) -> usize) -> Header {
    let candidates = reported.map_or(DELIMITERS.to_vec(), |d| vec![d]);
    let read = candidates.into_iter().map(|delimiter| {
        let (names, len) = split_record(text, delimiter, Quotes::Doubled);
        let columns: Vec<Option<Field>> = names.iter().map(|n| field_of(n)).collect();
        Header { delimiter, names, columns, len }
    });
    // Of equal ones the first: a comma is the commonest.
    let best = read.reduce(|best, next| if worth(&next) > worth(&best) { next } else { best });
    best.unwrap_or(Header { delimiter: b',', names: Vec::new(), columns: Vec::new(), len: 0 })
}

/// Whether rows of these columns can be records of any kind that is read.
pub fn suffices(columns: &[Option<Field>]) -> bool {
    let known = |f: Field| columns.contains(&Some(f));
    known(Field::Key) && (known(Field::Size) || known(Field::Additional) || known(Field::Charge))
        || known(Field::Range) && known(Field::Charge)
        || known(Field::QueryText) && known(Field::Container)
        || is_request_log(known)
}

fn refusal(header: &Header) -> Refusal {
    if header.names.len() < 2 {
        let what = "not a known format: this is text without columns";
        return Refusal::new(what, WHAT_TO_EXPORT);
    }
    other_columns(&header.names)
}

/// A table of something else.
pub fn other_columns(names: &[String]) -> Refusal {
    let listed: Vec<String> = names
        .iter()
        .take(LISTED_NAMES)
        .map(|n| format!("`{}`", crate::source::tally::shown(n)))
        .collect();
    let more = if names.len() > LISTED_NAMES { ", …" } else { "" };
    let what = format!(
        "no partition statistics in this file: columns found are {}{more}; needed are `PartitionKey` and `SizeKb`",
        listed.join(", ")
    );
    Refusal::new(&what, WHAT_TO_EXPORT)
}

/// The CLI's tab-separated output: no header, columns in the alphabetical order of their names. Told by content.
fn headerless(
    text: &str,
    sniffed: &Sniff,
    skip_bytes: usize,
    first_line: u64,
) -> Option<DelimitedTable> {
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|l| !l.is_empty())
        .take(50)
        .map(|l| l.trim_end_matches('\r').split('\t').collect::<Vec<&str>>())
        .collect();
    let width = rows.first()?.len();
    let all = |column: usize, test: &dyn Fn(&str) -> bool| {
        rows.iter().all(|r| r.get(column).is_some_and(|c| test(c)))
    };
    let find = |from: usize, test: &dyn Fn(&str) -> bool| (from..width).find(|c| all(*c, test));
    if width < 3 {
        return None;
    }
    let key =
        find(0, &|c| (c.starts_with('[') && c.ends_with(']')) || c.is_empty() || c == "None")?;
    let number = |c: &str| !c.is_empty() && c.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let size = find(key + 1, &number)?;
    let mut columns = vec![None; width];
    let mut set = |column: Option<usize>, field| {
        if let Some(place) = column.and_then(|c| columns.get_mut(c)) {
            *place = Some(field);
        }
    };
    set(Some(key), Field::Key);
    set(Some(size), Field::Size);
    let time = |c: &str| crate::source::times::iso(c.as_bytes()).is_some() || c == "None";
    set(find(0, &time), Field::Time);
    let resource = |c: &str| c.to_ascii_lowercase().starts_with("/subscriptions/");
    set(find(0, &resource), Field::ResourceId);
    set(find(size, &|c| c.starts_with("CDB")), Field::Table);
    // AccountName, CollectionName and DatabaseName are the only names that come before PartitionKey.
    if key == 3 {
        for (column, field) in
            [Field::Account, Field::Container, Field::Database].into_iter().enumerate()
        {
            set(Some(column), field);
        }
    }
    // RegionName stands between PartitionKey and SizeKb.
    if size == key + 2 {
        set(Some(key + 1), Field::Region);
    }
    let header = Header { delimiter: b'\t', names: Vec::new(), columns, len: 0 };
    Some(DelimitedTable {
        layout: header.layout(sniffed, Quotes::Literal),
        skip_bytes,
        first_line,
        zone: Zone::Utc,
        default_form: NumberForm::Point,
        empty: EmptyCell::NoneWord,
        shape: "tab-separated table without header",
    })
}

/// What the cells of some records say about the file's dates and numbers.
pub fn gather(layout: &TableLayout, text: &str, evidence: &mut DialectEvidence) {
    each_cell(layout, text, |field, cell| match field {
        Field::Time => evidence.time(cell),
        Field::Size | Field::Charge => evidence.number(cell),
        _ => {}
    });
}
