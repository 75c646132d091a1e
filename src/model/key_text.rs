//! Reads a key's JSON list strictly: any spelling of the same values gives the same parts, a doubtful one none.

use super::key::Part;
use super::number::{Number, canonical_number, json_number_len};
use super::visible::push_json_code;

/// Deeper lists and objects are taken as text: no key is nested, so depth is only ever an attack.
const MAX_LEVELS: usize = 64;

/// How numbers inside an object or list part are written.
#[derive(Clone, Copy)]
enum Numbers {
    AsFound,
    Canonical,
}

/// The parts of a cell that is one whole JSON list, blanks around it ignored.
pub(super) fn read_list(text: &str) -> Option<Vec<Part>> {
    let mut reader = Reader { text, at: 0 };
    reader.blanks();
    reader.expect(b'[')?;
    let mut parts = Vec::new();
    reader.blanks();
    if reader.expect(b']').is_none() {
        loop {
            parts.push(reader.part()?);
            reader.blanks();
            if reader.expect(b',').is_none() {
                break;
            }
            reader.blanks();
        }
        reader.expect(b']')?;
    }
    reader.blanks();
    (reader.at == text.len()).then_some(parts)
}

/// An object or list part with its numbers in canonical text; text that is no JSON stays as it is.
pub(super) fn canonical_other(json: &str) -> String {
    let mut reader = Reader { text: json, at: 0 };
    let mut out = String::with_capacity(json.len());
    match reader.minify(Numbers::Canonical, 2, &mut out) {
        Some(()) if reader.at == json.len() => out,
        _ => json.to_owned(),
    }
}

/// The JSON string that `text` begins with and the bytes it takes, or the byte at which it stops being one: its end if
/// only the closing quote is missing.
pub fn leading_string(text: &str) -> Result<(String, usize), usize> {
    let mut reader = Reader { text, at: 0 };
    match reader.string() {
        Some(string) => Ok((string, reader.at)),
        None if reader.rest().iter().any(|byte| matches!(byte, b'"' | 0..0x20)) => Err(reader.at),
        None => Err(text.len()),
    }
}

/// The character of the JSON escape that `text` begins with, without its backslash, and the bytes it takes.
pub fn leading_escape(text: &str) -> Option<(char, usize)> {
    let mut reader = Reader { text, at: 0 };
    let character = reader.escape()?;
    Some((character, reader.at))
}

/// A JSON string in canonical spelling: raw but for the quote, the backslash and controls below U+0020.
pub(super) fn push_string(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\0'..='\u{1f}' => push_json_code(character, out),
            _ => out.push(character),
        }
    }
    out.push('"');
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn blanks(&mut self) {
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.at += self.rest().iter().take_while(is_blank).count();
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.word(&[byte])
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found.then_some(())
    }

    fn part(&mut self) -> Option<Part> {
        match self.peek()? {
            b'"' => Some(Part::Text(self.string()?.into())),
            b't' => self.word(b"true").map(|()| Part::Bool(true)),
            b'f' => self.word(b"false").map(|()| Part::Bool(false)),
            b'n' => self.word(b"null").map(|()| Part::Null),
            b'{' | b'[' => {
                let mut json = String::new();
                // The key's own list is the first level.
                self.minify(Numbers::AsFound, 2, &mut json)?;
                Some(if json == "{}" { Part::Undefined } else { Part::Other(json.into()) })
            }
            _ => self.number().map(Part::Number),
        }
    }

    fn number(&mut self) -> Option<Number> {
        let length = json_number_len(self.rest())?;
        let number = Number::from_text(self.text.get(self.at..self.at + length)?)?;
        self.at += length;
        Some(number)
    }

    fn string(&mut self) -> Option<String> {
        self.expect(b'"')?;
        let mut out = String::new();
        loop {
            let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
            let plain = self.rest().iter().position(is_special)?;
            out.push_str(self.text.get(self.at..self.at + plain)?);
            self.at += plain;
            if self.expect(b'"').is_some() {
                return Some(out);
            }
            // A bare control character is no JSON and ends here.
            self.expect(b'\\')?;
            out.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Option<char> {
        let kind = self.peek()?;
        self.at += 1;
        match kind {
            b'"' | b'\\' | b'/' => Some(char::from(kind)),
            b'b' => Some('\u{8}'),
            b'f' => Some('\u{c}'),
            b'n' => Some('\n'),
            b'r' => Some('\r'),
            b't' => Some('\t'),
            b'u' => {
                let unit = self.hex_unit()?;
                if !(0xD800..0xDC00).contains(&unit) {
                    return char::from_u32(unit);
                }
                self.word(b"\\u")?;
                let low = self.hex_unit()?;
                if !(0xDC00..0xE000).contains(&low) {
                    return None;
                }
                char::from_u32(0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
            }
            _ => None,
        }
    }

    fn hex_unit(&mut self) -> Option<u32> {
        let (digits, _) = self.rest().split_first_chunk::<4>()?;
        self.at += 4;
        digits.iter().try_fold(0, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)?))
    }

    /// Copies one value without blanks, strings in canonical spelling; `level` bounds the recursion.
    fn minify(&mut self, numbers: Numbers, level: usize, out: &mut String) -> Option<()> {
        let (open, close) = match self.peek()? {
            b'"' => {
                push_string(&self.string()?, out);
                return Some(());
            }
            b'{' => ('{', b'}'),
            b'[' => ('[', b']'),
            _ => return self.minify_scalar(numbers, out),
        };
        if level > MAX_LEVELS {
            return None;
        }
        self.at += 1;
        out.push(open);
        self.blanks();
        if self.expect(close).is_none() {
            loop {
                if open == '{' {
                    push_string(&self.string()?, out);
                    self.blanks();
                    self.expect(b':')?;
                    out.push(':');
                    self.blanks();
                }
                self.minify(numbers, level + 1, out)?;
                self.blanks();
                if self.expect(b',').is_none() {
                    break;
                }
                out.push(',');
                self.blanks();
            }
            self.expect(close)?;
        }
        out.push(char::from(close));
        Some(())
    }

    fn minify_scalar(&mut self, numbers: Numbers, out: &mut String) -> Option<()> {
        for word in ["true", "false", "null"] {
            if self.word(word.as_bytes()).is_some() {
                out.push_str(word);
                return Some(());
            }
        }
        let number = self.number()?;
        match numbers {
            Numbers::AsFound => out.push_str(number.text()),
            Numbers::Canonical => out.push_str(&canonical_number(number.value())),
        }
        Some(())
    }
}
