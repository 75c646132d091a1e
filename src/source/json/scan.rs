//! A strict JSON scanner over bytes in memory: pulls tokens, builds nothing, recurses nowhere.

use std::ops::Range;

use super::fault::{JsonError, JsonFault};
use crate::source::near::{first, first_of};

/// Levels of nesting that are read; one bit of `Scanner::objects` each.
pub const MAX_DEPTH: u32 = 64;

/// The inside of a JSON string, already checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JsonText<'a> {
    raw: &'a str,
    escaped: bool,
}

impl<'a> JsonText<'a> {
    /// As it stands between the quotes.
    pub fn raw(self) -> &'a str {
        self.raw
    }

    pub fn is_escaped(self) -> bool {
        self.escaped
    }

    /// The text itself; `scratch` is used only where there are escapes.
    pub fn read<'s>(self, scratch: &'s mut String) -> &'s str
    where
        'a: 's,
    {
        if !self.escaped {
            return self.raw;
        }
        scratch.clear();
        self.push_to(scratch);
        scratch
    }

    pub fn push_to(self, out: &mut String) {
        each_piece(self.raw.as_bytes(), self.raw.len(), |piece| match piece {
            Piece::Plain(place) => out.push_str(self.raw.get(place).unwrap_or_default()),
            Piece::Char(character) => out.push(character),
        });
    }
}

/// A part of what a checked string means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// It stands there.
    Plain(Range<usize>),
    Char(char),
}

/// Hands over what the checked string means that fills the first `len` bytes of a text, part by part.
#[inline]
pub fn each_piece(text: &[u8], len: usize, mut take: impl FnMut(Piece)) {
    let (mut from, mut at) = (0, 0);
    loop {
        // Searched beyond the end: a search that ends with the string is too short for a vector.
        let found = first(text.get(at..).unwrap_or_default(), b'\\');
        let end = found.map_or(len, |found| len.min(at + found));
        take(Piece::Plain(from..end));
        if end == len {
            return;
        }
        if matches!(text.get(end + 1), Some(b'"' | b'\\' | b'/')) {
            // What is escaped stands for itself.
            (from, at) = (end + 1, end + 2);
            continue;
        }
        let (character, length) = unescaped(text.get(end..len).unwrap_or_default());
        take(Piece::Char(character));
        from = len.min(end + length);
        at = from;
    }
}

/// Decodes the inside of a checked string.
pub fn push_unescaped(raw: &str, out: &mut String) {
    JsonText { raw, escaped: true }.push_to(out);
}

/// Where the text ends that `bytes` begin inside of, and whether it holds escapes. None where it has no end, or holds an
/// escape of more than one character, which only the scanner checks.
pub fn plain_text_end(bytes: &[u8]) -> Option<(usize, bool)> {
    let mut at = 0;
    let mut escaped = false;
    loop {
        at += quote_or_backslash(bytes.get(at..)?)?;
        if bytes.get(at) == Some(&b'"') {
            return Some((at, escaped));
        }
        if !matches!(
            bytes.get(at + 1),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')
        ) {
            return None;
        }
        escaped = true;
        at += 2;
    }
}

/// The character of a checked escape that the bytes begin with, and how many bytes it takes.
fn unescaped(bytes: &[u8]) -> (char, usize) {
    match bytes.get(1) {
        Some(b'b') => ('\u{8}', 2),
        Some(b'f') => ('\u{c}', 2),
        Some(b'n') => ('\n', 2),
        Some(b'r') => ('\r', 2),
        Some(b't') => ('\t', 2),
        Some(b'u') => match (hex4(bytes, 2), hex4(bytes, 8)) {
            (Some(high @ 0xd800..=0xdbff), Some(low @ 0xdc00..=0xdfff)) => {
                let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
            }
            (Some(code), _) => (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 6),
            (None, _) => (char::REPLACEMENT_CHARACTER, 2),
        },
        Some(other) => (char::from(*other), 2),
        None => (char::REPLACEMENT_CHARACTER, 1),
    }
}

fn hex4(bytes: &[u8], at: usize) -> Option<u32> {
    bytes
        .get(at..at + 4)?
        .iter()
        .try_fold(0, |code, b| Some(code << 4 | char::from(*b).to_digit(16)?))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token<'a> {
    ObjectStart,
    ObjectEnd,
    ArrayStart,
    ArrayEnd,
    Key(JsonText<'a>),
    String(JsonText<'a>),
    /// As it stands; valid by grammar, but perhaps beyond what a double holds.
    Number(&'a str),
    True,
    False,
    Null,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expect {
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    CommaOrEnd,
    Nothing,
}

/// Pulls the tokens of one JSON value.
#[derive(Clone, Debug)]
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
    token_at: usize,
    depth: u32,
    /// One bit a level, set where the level is an object.
    objects: u64,
    expect: Expect,
    /// Whether control bytes occur at all: without any, no string needs to be searched for them.
    controls: bool,
}

impl<'a> Scanner<'a> {
    pub fn new(bytes: &'a [u8]) -> Result<Self, JsonFault> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Self::of(text)),
            Err(e) => Err(JsonFault { offset: e.valid_up_to(), why: JsonError::InvalidUtf8 }),
        }
    }

    pub fn of(text: &'a str) -> Self {
        let controls = has_control(text.as_bytes());
        Self { text, at: 0, token_at: 0, depth: 0, objects: 0, expect: Expect::Value, controls }
    }

    /// In bytes: where the last token began.
    pub fn token_offset(&self) -> usize {
        self.token_at
    }

    /// In bytes: where the last token ended.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Levels open after the last token.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// None after the end of the value, once nothing but blanks follows it.
    pub fn next_token(&mut self) -> Result<Option<Token<'a>>, JsonFault> {
        loop {
            let Some(byte) = self.skip_blanks() else {
                return if self.expect == Expect::Nothing {
                    Ok(None)
                } else {
                    Err(self.fault(JsonError::CutShort))
                };
            };
            self.token_at = self.at;
            return match (self.expect, byte) {
                (Expect::CommaOrEnd, b',') => {
                    self.at += 1;
                    self.expect = if self.in_object() { Expect::Key } else { Expect::Value };
                    continue;
                }
                (Expect::CommaOrEnd | Expect::KeyOrEnd, b'}') if self.in_object() => {
                    Ok(Some(self.close(Token::ObjectEnd)))
                }
                (Expect::CommaOrEnd | Expect::ValueOrEnd, b']') if !self.in_object() => {
                    Ok(Some(self.close(Token::ArrayEnd)))
                }
                (Expect::Key | Expect::KeyOrEnd, b'"') => self.key().map(Some),
                (Expect::Value | Expect::ValueOrEnd, _) => self.value(byte).map(Some),
                (Expect::Nothing, _) => Err(self.fault(JsonError::TextAfter)),
                _ => Err(self.fault(JsonError::Unexpected(byte))),
            };
        }
    }

    /// Passes over the next value and gives it as it stands; None at the end of the list or object around it.
    pub fn next_raw(&mut self) -> Result<Option<&'a str>, JsonFault> {
        let outside = self.depth;
        match self.next_token()? {
            None | Some(Token::ArrayEnd | Token::ObjectEnd) => return Ok(None),
            Some(_) => {}
        }
        let from = self.token_at;
        while self.depth > outside {
            self.next_token()?;
        }
        Ok(self.text.get(from..self.at))
    }

    /// Passes over the value of the key just read.
    pub fn skip_value(&mut self) -> Result<&'a str, JsonFault> {
        self.next_raw()?.ok_or_else(|| self.fault(JsonError::CutShort))
    }

    /// Checks what is left to the end.
    pub fn finish(&mut self) -> Result<(), JsonFault> {
        while self.next_token()?.is_some() {}
        Ok(())
    }

    fn fault(&self, why: JsonError) -> JsonFault {
        JsonFault { offset: self.at, why }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn skip_blanks(&mut self) -> Option<u8> {
        loop {
            match self.byte(self.at)? {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                other => return Some(other),
            }
        }
    }

    fn in_object(&self) -> bool {
        self.objects & 1 == 1
    }

    fn open(&mut self, token: Token<'a>) -> Result<Token<'a>, JsonFault> {
        if self.depth == MAX_DEPTH {
            return Err(self.fault(JsonError::TooDeep));
        }
        self.at += 1;
        self.depth += 1;
        let object = token == Token::ObjectStart;
        self.objects = self.objects << 1 | u64::from(object);
        self.expect = if object { Expect::KeyOrEnd } else { Expect::ValueOrEnd };
        Ok(token)
    }

    fn close(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        self.depth -= 1;
        self.objects >>= 1;
        self.after_value();
        token
    }

    fn after_value(&mut self) {
        self.expect = if self.depth == 0 { Expect::Nothing } else { Expect::CommaOrEnd };
    }

    fn value(&mut self, byte: u8) -> Result<Token<'a>, JsonFault> {
        let token = match byte {
            b'"' => Token::String(self.string()?),
            b'{' => return self.open(Token::ObjectStart),
            b'[' => return self.open(Token::ArrayStart),
            b'-' | b'0'..=b'9' => Token::Number(self.number()?),
            b't' => self.word("true", Token::True)?,
            b'f' => self.word("false", Token::False)?,
            b'n' => self.word("null", Token::Null)?,
            _ => return Err(self.fault(JsonError::Unexpected(byte))),
        };
        self.after_value();
        Ok(token)
    }

    fn key(&mut self) -> Result<Token<'a>, JsonFault> {
        let text = self.string()?;
        match self.skip_blanks() {
            Some(b':') => self.at += 1,
            Some(other) => return Err(self.fault(JsonError::Unexpected(other))),
            None => return Err(self.fault(JsonError::CutShort)),
        }
        self.expect = Expect::Value;
        Ok(Token::Key(text))
    }

    fn word(&mut self, word: &str, token: Token<'a>) -> Result<Token<'a>, JsonFault> {
        self.at = word_end(self.text.as_bytes(), self.at, word)?;
        Ok(token)
    }

    fn string(&mut self) -> Result<JsonText<'a>, JsonFault> {
        let from = self.at + 1;
        let (end, escaped) = string_end(self.text, from, self.controls)?;
        self.at = end + 1;
        let raw = self.text.get(from..end).unwrap_or_default();
        Ok(JsonText { raw, escaped })
    }

    fn number(&mut self) -> Result<&'a str, JsonFault> {
        let from = self.at;
        self.at = number_end(self.text.as_bytes(), from)?;
        Ok(self.text.get(from..self.at).unwrap_or_default())
    }
}

/// The place behind the number that begins at `at`.
pub fn number_end(bytes: &[u8], at: usize) -> Result<usize, JsonFault> {
    let is = |at: usize, wanted: &[u8]| bytes.get(at).is_some_and(|b| wanted.contains(b));
    let mut at = at + usize::from(is(at, b"-"));
    at = if is(at, b"0") { at + 1 } else { digits_end(bytes, at)? };
    if is(at, b".") {
        at = digits_end(bytes, at + 1)?;
    }
    if is(at, b"eE") {
        at += 1;
        at = digits_end(bytes, at + usize::from(is(at, b"+-")))?;
    }
    Ok(at)
}

/// Behind at least one digit.
fn digits_end(bytes: &[u8], from: usize) -> Result<usize, JsonFault> {
    let mut at = from;
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    if at > from {
        return Ok(at);
    }
    let found = bytes.get(at);
    let why = found.map_or(JsonError::CutShort, |_| JsonError::BadNumber);
    Err(JsonFault { offset: at, why })
}

/// No early exit, so that whole vectors are compared at once.
pub fn has_control(bytes: &[u8]) -> bool {
    bytes.iter().fold(u8::MAX, |least, b| least.min(*b)) < 0x20
}

/// The next byte that ends a string or begins an escape in it.
pub fn quote_or_backslash(bytes: &[u8]) -> Option<usize> {
    first_of(bytes, b'"', b'\\')
}

/// The place behind a word that must stand at `at`.
#[inline]
pub fn word_end(bytes: &[u8], at: usize, word: &str) -> Result<usize, JsonFault> {
    let rest = bytes.get(at..).unwrap_or_default();
    let pairs = rest.iter().zip(word.as_bytes());
    let same = pairs.take_while(|(a, b)| a == b).count();
    let offset = at + same;
    if same == word.len() {
        return Ok(offset);
    }
    let why = rest.get(same).copied();
    let why = why.map_or(JsonError::CutShort, JsonError::Unexpected);
    Err(JsonFault { offset, why })
}

/// Where the string ends whose inside begins at `from`, and whether it holds escapes. Without `controls` there are no
/// control bytes to be searched for.
#[inline]
pub fn string_end(text: &str, from: usize, controls: bool) -> Result<(usize, bool), JsonFault> {
    let bytes = text.as_bytes();
    let (mut at, mut escaped) = (from, false);
    loop {
        let Some(found) = bytes.get(at..).and_then(quote_or_backslash) else {
            return Err(JsonFault { offset: bytes.len(), why: JsonError::CutShort });
        };
        at += found;
        if bytes.get(at) == Some(&b'"') {
            break;
        }
        escaped = true;
        at = after_escape(bytes, at)?;
    }
    let inside = bytes.get(from..at).unwrap_or_default();
    if controls
        && has_control(inside)
        && let Some(n) = inside.iter().position(|b| *b < 0x20)
    {
        return Err(JsonFault { offset: from + n, why: JsonError::ControlByte });
    }
    Ok((at, escaped))
}

/// Checks the escape whose backslash is at `at`; gives the place after it.
fn after_escape(bytes: &[u8], at: usize) -> Result<usize, JsonFault> {
    let fault = |why| Err(JsonFault { offset: at, why });
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => return Ok(at + 2),
        Some(b'u') => {}
        Some(_) => return fault(JsonError::BadEscape),
        None => return fault(JsonError::CutShort),
    }
    match hex4(bytes, at + 2) {
        None => {
            fault(if at + 6 > bytes.len() { JsonError::CutShort } else { JsonError::BadEscape })
        }
        Some(0xdc00..=0xdfff) => fault(JsonError::LoneSurrogate),
        Some(0xd800..=0xdbff) => {
            let second = bytes.get(at + 6..at + 8) == Some(b"\\u");
            match hex4(bytes, at + 8) {
                Some(0xdc00..=0xdfff) if second => Ok(at + 12),
                _ => fault(JsonError::LoneSurrogate),
            }
        }
        Some(_) => Ok(at + 6),
    }
}
