//! Cells that do not mean what stands there: without escapes, and with one quote for two.

use super::columns::{Field, LogRow};
use super::json::scan::{Piece, each_piece};

/// Bytes copied at once: a copy of any size is a call, and pieces between quotes are short.
const PIECE: usize = 32;

/// The cells of one record, and a buffer that is used for every one.
#[derive(Debug, Default)]
pub struct Rewritten {
    /// Longer than what is written.
    bytes: Vec<u8>,
    len: usize,
    cells: Vec<(Field, usize, usize)>,
}

impl Rewritten {
    pub fn clear(&mut self) {
        self.len = 0;
        self.cells.clear();
    }

    /// How much is written.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn written(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// Writes the first `len` bytes of a text.
    #[inline]
    pub fn push(&mut self, text: &[u8], len: usize) {
        let place = self.bytes.get_mut(self.len..).unwrap_or_default();
        match (text.first_chunk::<PIECE>(), place.first_chunk_mut()) {
            (Some(piece), Some(place)) if len <= PIECE => *place = *piece,
            _ => self.push_long(text, len),
        }
        self.len += len;
    }

    #[inline(never)]
    fn push_long(&mut self, text: &[u8], len: usize) {
        let end = self.len + len;
        if self.bytes.len() < end + PIECE {
            self.bytes.resize(2 * end + PIECE, 0);
        }
        if let (Some(place), Some(text)) = (self.bytes.get_mut(self.len..end), text.get(..len)) {
            place.copy_from_slice(text);
        }
    }

    fn push_char(&mut self, character: char) {
        let mut utf8 = [0; PIECE];
        let len = character.encode_utf8(&mut utf8).len();
        self.push(&utf8, len);
    }

    /// Writes what a checked JSON string means that fills the first `len` bytes of a text.
    fn unescape(&mut self, text: &[u8], len: usize) {
        each_piece(text, len, |piece| match piece {
            Piece::Plain(place) => {
                let rest = text.get(place.start..).unwrap_or_default();
                self.push(rest, place.len());
            }
            Piece::Char(character) => self.push_char(character),
        });
    }

    /// Puts the cell that fills the first `len` bytes of a text into a row, where it is plain, else aside as it is meant.
    #[inline]
    pub fn put<'a>(
        &mut self,
        row: &mut LogRow<'a>,
        field: Field,
        (text, len, is_escaped): (&'a [u8], usize, bool),
    ) {
        // A plain cell behind an escaped one of its kind waits with it: the first filled one counts.
        if !is_escaped && !self.cells.iter().any(|(held, ..)| *held == field) {
            row.put(field, text.get(..len).unwrap_or_default());
            return;
        }
        self.put_aside(field, text, len, is_escaped);
    }

    #[inline(never)]
    fn put_aside(&mut self, field: Field, text: &[u8], len: usize, is_escaped: bool) {
        let from = self.len;
        if is_escaped {
            self.unescape(text, len);
        } else {
            self.push(text, len);
        }
        self.end(field, from);
    }

    /// What was written from there on is a cell.
    pub fn end(&mut self, field: Field, from: usize) {
        self.cells.push((field, from, self.len));
    }

    /// Puts what was not plain into a row.
    pub fn put_into<'a>(&'a self, row: &mut LogRow<'a>) {
        for (field, from, end) in &self.cells {
            row.put(*field, self.bytes.get(*from..*end).unwrap_or_default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fmt::Write as _;

    proptest! {
        #[test]
        fn pieces_follow_each_other(pieces in prop::collection::vec("[a-zé]{0,40}", 0..8), behind in "[a-z]{0,20}") {
            let mut rewritten = Rewritten::default();
            for round in 0..2 {
                rewritten.clear();
                for piece in pieces.iter().skip(round) {
                    let text = format!("{piece}{behind}");
                    rewritten.push(text.as_bytes(), piece.len());
                }
                let all: String = pieces.iter().skip(round).map(String::as_str).collect();
                prop_assert_eq!(rewritten.written(), all.as_bytes());
            }
        }

        #[test]
        fn escapes_mean_what_serde_reads(text in "[ -~é\n\t\u{8}😀]{0,40}", behind in "[ -~]{0,20}", ascii in any::<bool>()) {
            let mut json = serde_json::to_string(&text).unwrap_or_default();
            if ascii {
                let escaped = |c: char| {
                    let mut text = String::new();
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        let _ = write!(text, "\\u{unit:04x}");
                    }
                    if c.is_ascii() { String::from(c) } else { text }
                };
                json = json.chars().map(escaped).collect();
            }
            let inside = json.len() - 2;
            let raw = format!("{}{behind}", json.get(1..=inside).unwrap_or_default());
            let mut rewritten = Rewritten::default();
            rewritten.unescape(raw.as_bytes(), inside);
            prop_assert_eq!(rewritten.written(), text.as_bytes());
        }
    }
}
