//! What a worker makes of one piece of text: documents as JSON, one a line or one at a time.

use std::str::Utf8Error;

use super::tree::{NameRule, PathTree};
use super::walk::Walker;
use crate::model::capture::RowFault;
use crate::model::documents::Rows;
use crate::source::chunks::each_line;
use crate::source::json::fault::{JsonError, JsonFault};
use crate::source::tally::Tally;

/// Bits of a document's number that tell its place in its file; the rest tell the file.
const PLACE_BITS: u32 = 44;

/// The number of a document, by which it is chosen for a sample.
pub fn number(file: usize, place: u64) -> u64 {
    (file as u64) << PLACE_BITS | place & ((1 << PLACE_BITS) - 1)
}

/// A worker's way from text to rows.
#[derive(Debug)]
pub struct JsonParser {
    pub rows: Rows,
    pub tally: Tally,
    tree: PathTree,
    walker: Walker,
    file: usize,
}

impl JsonParser {
    pub fn new(rows: Rows, unlisted: NameRule, file: usize) -> Self {
        Self {
            tree: PathTree::new(&rows, unlisted),
            rows,
            tally: Tally::default(),
            walker: Walker::default(),
            file,
        }
    }

    /// To be called whenever the rows were handed over.
    pub fn renew(&mut self) {
        self.tree.renew(&mut self.rows);
    }

    /// Every line of a piece is a document.
    pub fn take_lines(&mut self, bytes: &[u8], first: u64) {
        each_line(bytes, first, |line, text| self.take(text, line, line));
    }

    /// One document; `place` is its number in the file.
    pub fn take(&mut self, text: Result<&str, Utf8Error>, line: u64, place: u64) {
        match text {
            Ok(text) => self.take_sized(text, (line, place), None),
            Err(e) => {
                let detail = || format!("byte {} of it is not UTF-8", e.valid_up_to() + 1);
                self.tally.skip(line, RowFault::InvalidUnicode, detail);
            }
        }
    }

    /// One document that weighs as much as is said, or as its text.
    pub fn take_sized(&mut self, text: &str, (line, place): (u64, u64), bytes: Option<usize>) {
        if text.bytes().all(|b| b.is_ascii_whitespace()) {
            return;
        }
        self.rows.begin(number(self.file, place));
        match self.walker.document(text, &mut self.tree, &mut self.rows) {
            Ok(found) => {
                self.rows.end(bytes.unwrap_or(found));
                self.tally.sizes += 1;
            }
            Err(fault) => {
                self.rows.abandon();
                self.tally.skip(line, RowFault::BrokenJson, || reason(text, fault));
            }
        }
    }
}

fn reason(text: &str, fault: JsonFault) -> String {
    let first = text.trim_start().bytes().next();
    match (first, fault.why) {
        (Some(b'['), JsonError::Unexpected(b'[')) => {
            "a list where a document was expected".to_owned()
        }
        (Some(b'"' | b'0'..=b'9' | b'-' | b't' | b'f' | b'n'), JsonError::Unexpected(_))
            if fault.offset == text.len() - text.trim_start().len() =>
        {
            "a single value where a document was expected".to_owned()
        }
        (_, why) => format!("{why}, byte {}", fault.offset + 1),
    }
}
