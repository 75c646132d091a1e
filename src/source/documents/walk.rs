//! Reads one JSON document in one pass: checks it strictly, hands its values to the columns, and measures it.

use std::ops::Range;

use crate::model::documents::{Rows, Scalar};
use crate::source::json::fault::{JsonError, JsonFault};
use crate::source::json::scan::{
    MAX_DEPTH, Scanner, has_control, number_end, push_unescaped, quote_or_backslash, string_end,
    word_end,
};
use crate::source::near::begins;

use super::tree::{Depth, NOWHERE, PathTree, ROOT};

/// Whole numbers up to here are doubles, and so are powers of ten up to the 22nd: one division of two of them is exact to the last bit.
const EXACT_WHOLE: u64 = 1 << 53;
const EXACT_POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// So many digits always fit into 64 bits.
const WHOLE_DIGITS: usize = 19;

/// An open object or list.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// The node of an object whose properties have paths.
    node: u32,
    /// The property that was read last.
    before: u32,
    /// The byte that closes it.
    end: u8,
}

/// Around the document.
const OUTSIDE: Level = Level { node: NOWHERE, before: NOWHERE, end: 0 };

/// Buffers that live as long as a worker.
#[derive(Debug, Default)]
pub struct Walker {
    /// The number of the document at hand.
    document: u64,
    /// Those around the innermost.
    levels: Vec<Level>,
    name: String,
    text: String,
}

/// The way through one document.
struct Walk<'a, 'w> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// Blanks outside strings.
    blanks: usize,
    /// Whether control bytes occur at all: without any, no string needs to be searched for them.
    controls: bool,
    /// The innermost.
    level: Level,
    walker: &'w mut Walker,
    tree: &'w mut PathTree,
    rows: &'w mut Rows,
}

impl Walker {
    /// Takes a document that `rows` has begun, and gives its size without blanks outside strings.
    pub fn document(
        &mut self,
        text: &str,
        tree: &mut PathTree,
        rows: &mut Rows,
    ) -> Result<usize, JsonFault> {
        self.levels.clear();
        self.document += 1;
        let mut walk = Walk {
            text,
            bytes: text.as_bytes(),
            at: 0,
            blanks: 0,
            controls: has_control(text.as_bytes()),
            level: OUTSIDE,
            walker: self,
            tree,
            rows,
        };
        walk.run()?;
        Ok(text.len() - walk.blanks)
    }
}

impl<'a> Walk<'a, '_> {
    fn run(&mut self) -> Result<(), JsonFault> {
        match self.next()? {
            b'{' => self.open(ROOT, b'}')?,
            other => return Err(self.fault(JsonError::Unexpected(other))),
        }
        loop {
            match self.level.end {
                b'}' => self.member()?,
                b']' => self.passed()?,
                _ => break,
            }
        }
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.fault(JsonError::TextAfter)),
        }
    }

    fn fault(&self, why: JsonError) -> JsonFault {
        JsonFault { offset: self.at, why }
    }

    #[inline]
    fn peek(&mut self) -> Option<u8> {
        match self.bytes.get(self.at) {
            Some(byte) if *byte > b' ' => Some(*byte),
            _ => self.peek_behind_blanks(),
        }
    }

    fn peek_behind_blanks(&mut self) -> Option<u8> {
        loop {
            match *self.bytes.get(self.at)? {
                b' ' | b'\n' | b'\r' | b'\t' => {
                    self.at += 1;
                    self.blanks += 1;
                }
                other => return Some(other),
            }
        }
    }

    #[inline]
    fn next(&mut self) -> Result<u8, JsonFault> {
        self.peek().ok_or_else(|| self.fault(JsonError::CutShort))
    }

    /// Opens a level; one with nothing in it is closed at once.
    fn open(&mut self, node: u32, end: u8) -> Result<(), JsonFault> {
        if self.walker.levels.len() >= MAX_DEPTH as usize {
            return Err(self.fault(JsonError::TooDeep));
        }
        self.at += 1;
        if self.next()? == end {
            self.at += 1;
            return self.after_value();
        }
        self.walker.levels.push(self.level);
        self.level = Level { node, before: NOWHERE, end };
        Ok(())
    }

    /// Passes what stands between a value and the next one of the innermost open level: closing brackets and a comma.
    #[expect(clippy::inline_always, reason = "3 % of a trial")]
    #[inline(always)]
    fn after_value(&mut self) -> Result<(), JsonFault> {
        if self.bytes.get(self.at) == Some(&b',') && self.level.end != OUTSIDE.end {
            self.at += 1;
            return Ok(());
        }
        self.after_last()
    }

    fn after_last(&mut self) -> Result<(), JsonFault> {
        while self.level.end != OUTSIDE.end {
            match self.next()? {
                b',' => {
                    self.at += 1;
                    return Ok(());
                }
                byte if byte == self.level.end => {
                    self.at += 1;
                    self.level = self.walker.levels.pop().unwrap_or(OUTSIDE);
                }
                other => return Err(self.fault(JsonError::Unexpected(other))),
            }
        }
        Ok(())
    }

    fn member(&mut self) -> Result<(), JsonFault> {
        match self.next()? {
            b'"' => {}
            other => return Err(self.fault(JsonError::Unexpected(other))),
        }
        if self.level.node == NOWHERE {
            self.string()?;
            self.colon()?;
            return self.passed();
        }
        let guess = self.tree.guess(self.level.node, self.level.before);
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let node = match guess {
            Some((node, spelled)) if begins(rest, spelled) => {
                self.at += spelled.len();
                node
            }
            _ => self.searched()?,
        };
        if node == NOWHERE {
            return self.passed();
        }
        self.level.before = node;
        let (first, column) = self.tree.see(node, self.walker.document, self.at);
        match first {
            None => {
                let column = column.or_else(|| self.tree.new_column(node, self.rows));
                self.value(node, column)
            }
            Some(first) => self.again(first),
        }
    }

    /// A property that was there already: with the same value it says nothing new, with another one nobody can know which
    /// is right.
    fn again(&mut self, first: usize) -> Result<(), JsonFault> {
        let value_at = |at| Scanner::of(self.text.get(at..)?).skip_value().ok();
        if value_at(first) == value_at(self.at) {
            self.passed()
        } else {
            Err(self.fault(JsonError::Twice))
        }
    }

    fn searched(&mut self) -> Result<u32, JsonFault> {
        let level = self.level;
        let (inside, escaped) = self.string()?;
        let raw = self.text.get(inside).unwrap_or_default();
        self.colon()?;
        if !escaped {
            return Ok(self.tree.child(level.node, level.before, raw));
        }
        self.walker.name.clear();
        push_unescaped(raw, &mut self.walker.name);
        Ok(self.tree.child(level.node, level.before, &self.walker.name))
    }

    fn colon(&mut self) -> Result<(), JsonFault> {
        match self.next()? {
            b':' => {
                self.at += 1;
                Ok(())
            }
            other => Err(self.fault(JsonError::Unexpected(other))),
        }
    }

    /// A value that has no path.
    #[inline(never)]
    fn passed(&mut self) -> Result<(), JsonFault> {
        self.value(NOWHERE, None)
    }

    #[expect(clippy::inline_always, reason = "4 % of a trial")]
    #[inline(always)]
    fn value(&mut self, node: u32, column: Option<u32>) -> Result<(), JsonFault> {
        match self.next()? {
            b'"' => {
                let (inside, escaped) = self.string()?;
                match column {
                    Some(column) => self.put_text(column, inside, escaped),
                    None => self.put(None, Scalar::Null),
                }
            }
            b'{' => {
                self.put(column, Scalar::Object);
                let inside = self.inside(node);
                return self.open(inside, b'}');
            }
            b'[' => {
                self.put(column, Scalar::Array);
                return self.open(NOWHERE, b']');
            }
            b'-' | b'0'..=b'9' => {
                if column.is_some() {
                    let (text, exact) = self.number()?;
                    let value = exact.unwrap_or_else(|| text.parse().unwrap_or(f64::NAN));
                    self.put(column, Scalar::Number { text, value });
                } else {
                    self.at = number_end(self.bytes, self.at)?;
                    self.put(None, Scalar::Null);
                }
            }
            b't' => self.word("true", column, Scalar::Bool(true))?,
            b'f' => self.word("false", column, Scalar::Bool(false))?,
            b'n' => self.word("null", column, Scalar::Null)?,
            other => return Err(self.fault(JsonError::Unexpected(other))),
        }
        self.after_value()
    }

    fn put(&mut self, column: Option<u32>, scalar: Scalar<'_>) {
        match column {
            Some(column) => self.rows.put(column, scalar),
            None if self.tree.counts_unlisted() && self.is_in_paths() => self.rows.pass_over(),
            None => {}
        }
    }

    fn put_text(&mut self, column: u32, inside: Range<usize>, escaped: bool) {
        let raw = self.text.get(inside).unwrap_or_default();
        if escaped {
            self.walker.text.clear();
            push_unescaped(raw, &mut self.walker.text);
            self.rows.put(column, Scalar::Text(&self.walker.text));
        } else {
            self.rows.put(column, Scalar::Text(raw));
        }
    }

    /// Whether the innermost level is an object whose properties have paths.
    fn is_in_paths(&self) -> bool {
        self.level.node != NOWHERE
    }

    /// The node under which the properties of an object at `node` are looked up.
    fn inside(&mut self, node: u32) -> u32 {
        match self.tree.inside(node) {
            Depth::Paths => node,
            Depth::Nothing => NOWHERE,
            Depth::TooDeep => {
                self.rows.pass_over_deeper();
                NOWHERE
            }
        }
    }

    fn word(
        &mut self,
        word: &str,
        column: Option<u32>,
        scalar: Scalar<'_>,
    ) -> Result<(), JsonFault> {
        self.at = word_end(self.bytes, self.at, word)?;
        self.put(column, scalar);
        Ok(())
    }

    /// Where the inside of the string lies that begins here, and whether it holds escapes.
    #[expect(clippy::inline_always, reason = "5 % of a trial")]
    #[inline(always)]
    fn string(&mut self) -> Result<(Range<usize>, bool), JsonFault> {
        let from = self.at + 1;
        if !self.controls
            && let Some(found) = self.bytes.get(from..).and_then(quote_or_backslash)
            && self.bytes.get(from + found) == Some(&b'"')
        {
            self.at = from + found + 1;
            return Ok((from..from + found, false));
        }
        self.string_with_care()
    }

    fn string_with_care(&mut self) -> Result<(Range<usize>, bool), JsonFault> {
        let from = self.at + 1;
        let (end, escaped) = string_end(self.text, from, self.controls)?;
        self.at = end + 1;
        Ok((from..end, escaped))
    }

    /// The number that begins here, and its value where that is found without reading the text again.
    fn number(&mut self) -> Result<(&'a str, Option<f64>), JsonFault> {
        let from = self.at;
        let negative = self.bytes.get(self.at) == Some(&b'-');
        self.at += usize::from(negative);
        let mut whole = 0_u64;
        let first = self.at;
        if self.bytes.get(self.at) == Some(&b'0') {
            self.at += 1;
        } else {
            self.digits(&mut whole)?;
        }
        let mut length = self.at - first;
        let mut fraction = 0;
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            fraction = self.digits(&mut whole)?;
            length += fraction;
        }
        // What fits into 64 bits becomes the nearest double, as reading its text would.
        let mut exact =
            length <= 18 && whole <= EXACT_WHOLE || length <= WHOLE_DIGITS && fraction == 0;
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            exact = false;
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits(&mut whole)?;
        }
        let text = self.text.get(from..self.at).unwrap_or_default();
        let power = EXACT_POWERS.get(fraction).filter(|_| exact);
        #[expect(clippy::cast_precision_loss, reason = "rounded as the text would be")]
        let value = power.map(|power| whole as f64 / power);
        Ok((text, value.map(|v| if negative { -v } else { v })))
    }

    /// At least one digit, added to `whole`; more than eighteen wrap around and are told by their count.
    fn digits(&mut self, whole: &mut u64) -> Result<usize, JsonFault> {
        let from = self.at;
        while let Some(digit) = self.bytes.get(self.at).map(|b| b.wrapping_sub(b'0'))
            && digit <= 9
        {
            *whole = whole.wrapping_mul(10).wrapping_add(u64::from(digit));
            self.at += 1;
        }
        if self.at > from {
            return Ok(self.at - from);
        }
        let found = self.bytes.get(self.at);
        Err(self.fault(found.map_or(JsonError::CutShort, |_| JsonError::BadNumber)))
    }
}
