//! The part of a document that is held in memory: grows to one record, moves on, and knows its line.

use std::io::{ErrorKind, Read};

use memchr::{memchr2, memrchr};

use super::fault::{DocumentFault, Ending, JsonError};
use super::scan::Scanner;
use super::split::{MAX_QUIET_BYTES, MAX_RECORD_BYTES};
use crate::source::near::count;

const READ_BYTES: usize = 64 * 1024;
/// How often the caller is asked whether to go on.
const ASK_BYTES: u64 = 1024 * 1024;
const MARK: &[u8] = b"\xef\xbb\xbf";

/// How far a value reaches.
pub(super) enum Extent {
    /// Its length in bytes; all of them are held.
    Whole(usize),
    /// More than `MAX_RECORD_BYTES`.
    Long,
}

pub(super) struct Window<'r> {
    reader: &'r mut dyn Read,
    keep_going: &'r dyn Fn() -> bool,
    /// Its first `filled` bytes are read, the rest is room.
    buffer: Vec<u8>,
    filled: usize,
    /// Everything before is done with.
    at: usize,
    /// Bytes of the document before the buffer.
    base: u64,
    /// Line breaks are counted up to here.
    counted: usize,
    line: u64,
    /// Place in the document where the counted line begins.
    line_start: u64,
    asked: u64,
    last_record: u64,
}

impl<'r> Window<'r> {
    pub(super) fn new(reader: &'r mut dyn Read, keep_going: &'r dyn Fn() -> bool) -> Self {
        Self {
            reader,
            keep_going,
            buffer: Vec::new(),
            filled: 0,
            at: 0,
            base: 0,
            counted: 0,
            line: 1,
            line_start: 0,
            asked: 0,
            last_record: 0,
        }
    }

    /// Passes over a byte order mark.
    pub(super) fn begin(&mut self) -> Result<(), Ending> {
        while self.filled < MARK.len() && self.more()? {}
        if self.ahead().starts_with(MARK) {
            self.pass(MARK.len());
            self.line_start = 3;
        }
        Ok(())
    }

    /// What is held from the current place on.
    pub(super) fn ahead(&self) -> &[u8] {
        self.buffer.get(self.at..self.filled).unwrap_or_default()
    }

    pub(super) fn pass(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.filled);
    }

    /// A record was handed on: the document is not quiet.
    pub(super) fn saw_record(&mut self) {
        self.last_record = self.base + self.at as u64;
    }

    /// The next byte that is no blank; None at the end of the document.
    pub(super) fn peek(&mut self) -> Result<Option<u8>, Ending> {
        loop {
            let blanks = self
                .ahead()
                .iter()
                .take_while(|b| matches!(b, b' ' | b'\n' | b'\r' | b'\t'))
                .count();
            self.pass(blanks);
            if let Some(byte) = self.ahead().first() {
                return Ok(Some(*byte));
            }
            if !self.more()? {
                return Ok(None);
            }
        }
    }

    /// As `peek`, where the document must go on.
    pub(super) fn next(&mut self) -> Result<u8, Ending> {
        self.peek()?.ok_or(Ending::Json(JsonError::CutShort))
    }

    pub(super) fn expect(&mut self, wanted: u8) -> Result<(), Ending> {
        let found = self.next()?;
        if found != wanted {
            return Err(Ending::Json(JsonError::Unexpected(found)));
        }
        self.pass(1);
        Ok(())
    }

    /// Goes to the next entry behind an opening bracket or another entry; None where the closing one was passed.
    pub(super) fn entry(&mut self, end: u8, is_first: bool) -> Result<Option<u8>, Ending> {
        let mut byte = self.next()?;
        if byte == end {
            self.pass(1);
            return Ok(None);
        }
        if !is_first {
            self.expect(b',')?;
            byte = self.next()?;
            if byte == end {
                return Err(Ending::Json(JsonError::Unexpected(byte)));
            }
        }
        Ok(Some(byte))
    }

    /// How far the value at the current place reaches; it stays where it is.
    pub(super) fn extent(&mut self) -> Result<Extent, Ending> {
        let mut bounds = Bounds::new();
        let mut seen = 0;
        loop {
            if let Some(end) = bounds.feed(self.ahead().get(seen..).unwrap_or_default()) {
                return Ok(if seen + end > MAX_RECORD_BYTES {
                    Extent::Long
                } else {
                    Extent::Whole(seen + end)
                });
            }
            seen = self.ahead().len();
            if seen > MAX_RECORD_BYTES {
                return Ok(Extent::Long);
            }
            if !self.more()? {
                return if bounds.may_end() {
                    Ok(Extent::Whole(seen))
                } else {
                    Err(self.cut_short())
                };
            }
        }
    }

    /// Passes over a value of any length without holding it.
    pub(super) fn pass_long(&mut self) -> Result<(), Ending> {
        let mut bounds = Bounds::new();
        loop {
            if let Some(end) = bounds.feed(self.ahead()) {
                self.pass(end);
                return Ok(());
            }
            self.at = self.filled;
            if !self.more()? {
                return if bounds.may_end() {
                    Ok(())
                } else {
                    Err(Ending::Json(JsonError::CutShort))
                };
            }
        }
    }

    /// A value that does not end is often one whose fault lies earlier, such as a missing quote.
    fn cut_short(&mut self) -> Ending {
        let earlier = Scanner::new(self.ahead()).and_then(|mut s| s.finish()).err();
        match earlier {
            Some(fault) if fault.why != JsonError::CutShort => {
                self.pass(fault.offset);
                Ending::Json(fault.why)
            }
            _ => {
                self.at = self.filled;
                Ending::Json(JsonError::CutShort)
            }
        }
    }

    /// The line of the current place, from 1.
    pub(super) fn line(&mut self) -> u64 {
        let passed = self.buffer.get(self.counted..self.at).unwrap_or_default();
        if let Some(last) = memrchr(b'\n', passed) {
            self.line += count(passed, b'\n') as u64;
            self.line_start = self.base + (self.counted + last) as u64 + 1;
        }
        self.counted = self.at;
        self.line
    }

    /// A fault at the current place.
    pub(super) fn fault(&mut self, why: Ending) -> DocumentFault {
        let line = self.line();
        DocumentFault { line, column: self.base + self.at as u64 - self.line_start + 1, why }
    }

    /// Reads on, and lets go of what lies before the current place. False at the end of the document.
    fn more(&mut self) -> Result<bool, Ending> {
        self.line();
        // Many short reads of one long record must not move it again and again.
        if self.at > 0 {
            self.buffer.copy_within(self.at..self.filled, 0);
        }
        self.base += self.at as u64;
        self.filled -= self.at;
        (self.at, self.counted) = (0, 0);
        let end = self.base + self.filled as u64;
        if end - self.last_record > MAX_QUIET_BYTES {
            return Err(Ending::NoRecord);
        }
        if end >= self.asked {
            self.asked = end + ASK_BYTES;
            if !(self.keep_going)() {
                return Err(Ending::Stopped);
            }
        }
        if self.buffer.len() < self.filled + READ_BYTES {
            self.buffer.resize(self.filled + READ_BYTES, 0);
        }
        loop {
            let room = self.buffer.get_mut(self.filled..).unwrap_or_default();
            match self.reader.read(room) {
                Ok(n) => {
                    self.filled += n.min(room.len());
                    return Ok(n > 0);
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(Ending::Io(e)),
            }
        }
    }
}

/// Finds the end of a value by its brackets and quotes alone, over any number of pieces.
struct Bounds {
    depth: u64,
    within: LexerState,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LexerState {
    Structure,
    Text,
    Escape,
    /// A number or a word.
    Bare,
}

impl Bounds {
    fn new() -> Self {
        Self { depth: 0, within: LexerState::Structure }
    }

    /// Whether the value is over if the document is.
    fn may_end(&self) -> bool {
        self.within == LexerState::Bare
    }

    /// The place after the value's end, if it lies in `bytes`.
    fn feed(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            match self.within {
                LexerState::Text => {
                    at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
                    self.within = if bytes.get(at) == Some(&b'"') {
                        LexerState::Structure
                    } else {
                        LexerState::Escape
                    };
                    if self.depth == 0 && self.within == LexerState::Structure {
                        return Some(at + 1);
                    }
                }
                LexerState::Escape => self.within = LexerState::Text,
                LexerState::Bare => {
                    if matches!(
                        byte,
                        b' ' | b'\n'
                            | b'\r'
                            | b'\t'
                            | b','
                            | b':'
                            | b'['
                            | b']'
                            | b'{'
                            | b'}'
                            | b'"'
                    ) {
                        return Some(at);
                    }
                }
                LexerState::Structure => match byte {
                    b'"' => self.within = LexerState::Text,
                    b'[' | b'{' => self.depth += 1,
                    b']' | b'}' => {
                        self.depth = self.depth.saturating_sub(1);
                        if self.depth == 0 {
                            return Some(at + 1);
                        }
                    }
                    _ if self.depth == 0 => self.within = LexerState::Bare,
                    _ => {}
                },
            }
            at += 1;
        }
        None
    }
}
