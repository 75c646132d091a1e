//! The one way outside text reaches a screen: nothing in it acts, hides, or looks like another text's code.
//!
//! A letter that looks like one of another script, and a mark apart from its letter, are codes where the text could be read as
//! another one. Whatever the standard library's Unicode tables do not call printable is a code, so unassigned and private
//! characters always are, and so is a character newer than those tables.

mod doubtful;
mod shorten;

use std::borrow::Cow;
use std::fmt::Write as _;

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;
use unicode_width::UnicodeWidthChar;

use doubtful::doubtful;

pub use doubtful::script;
pub use shorten::{distinct_cells, shorten, shorten_column, shorten_marked};

/// More marks on one base would climb over the lines above.
const MARKS_PER_BASE: usize = 8;
const DELETE_PICTURE: char = '\u{2421}';
const SPACE_PICTURE: char = '\u{2420}';

/// Printable by category, yet blank, joining or altering their neighbour, or themselves the picture of a code.
const DECEPTIVE: [(char, char); 17] = [
    ('\u{34f}', '\u{34f}'),     // combining grapheme joiner
    ('\u{115f}', '\u{1160}'),   // Hangul fillers
    ('\u{17b4}', '\u{17b5}'),   // Khmer inherent vowels
    ('\u{180b}', '\u{180f}'),   // Mongolian variation selectors and vowel separator
    ('\u{2400}', '\u{243f}'),   // control pictures, which stand for controls here
    ('\u{2800}', '\u{2800}'),   // braille blank
    ('\u{2d7f}', '\u{2d7f}'),   // Tifinagh consonant joiner
    ('\u{3164}', '\u{3164}'),   // Hangul filler
    ('\u{fe00}', '\u{fe0f}'),   // variation selectors
    ('\u{ffa0}', '\u{ffa0}'),   // halfwidth Hangul filler
    ('\u{fff0}', '\u{fffd}'),   // annotations, object and replacement characters
    ('\u{1107f}', '\u{1107f}'), // Brahmi number joiner
    ('\u{13441}', '\u{13442}'), // Egyptian blanks
    ('\u{16fe4}', '\u{16fe4}'), // Khitan filler
    ('\u{1d159}', '\u{1d159}'), // musical null notehead
    ('\u{1d173}', '\u{1d17a}'), // musical format controls
    ('\u{1f3fb}', '\u{1f3ff}'), // emoji modifiers, whose width depends on the terminal
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Plain,
    Mark,
    Coded,
}

/// Text fit for display, from which [`unvisible`] gives back the exact original.
///
/// Controls become their pictures (`␛`), other dangerous characters `\u{202e}`; a space at either end or
/// after another space becomes `␠`, and a backslash is `\u{5c}` only where the original would read as a code.
pub fn visible(text: &str) -> Cow<'_, str> {
    if is_evident(text.as_bytes()) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut marks = Marks::of(text);
    let mut spaced = true;
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let after = rest.as_str();
        if character == ' ' {
            let odd = spaced || after.is_empty();
            out.push(if odd { SPACE_PICTURE } else { ' ' });
            marks.space();
        } else if marks.codes(character) {
            push_code(character, &mut out);
        } else if character == '\\' && after.starts_with("u{") {
            out.extend(character.escape_unicode());
        } else {
            out.push(character);
        }
        spaced = character == ' ';
    }
    Cow::Owned(out)
}

/// The original of a text made by [`visible`]; `None` for any other text.
pub fn unvisible(shown: &str) -> Option<String> {
    let mut out = String::with_capacity(shown.len());
    let mut rest = shown;
    while let Some(character) = rest.chars().next() {
        let length = code_len(rest).unwrap_or(character.len_utf8());
        let (token, after) = rest.split_at_checked(length)?;
        out.push(match character {
            '\\' if length > 1 => coded_character(token)?,
            SPACE_PICTURE => ' ',
            DELETE_PICTURE => '\u{7f}',
            '\u{2400}'..='\u{241f}' => char::from_u32(u32::from(character) - 0x2400)?,
            _ => character,
        });
        rest = after;
    }
    (visible(&out) == shown).then_some(out)
}

/// Whether a character is a code wherever it stands; marks and spaces depend on their neighbours.
pub fn needs_code(character: char) -> bool {
    classify(character) == Class::Coded
}

/// The body of a JSON string: exact, and every character [`visible`] would show as a code is `\uXXXX`.
///
/// Spaces stay: the quotes around the string show where they end.
pub fn json_escape_into(text: &str, out: &mut String) {
    let mut marks = Marks::of(text);
    for character in text.chars() {
        if character == ' ' {
            marks.space();
            out.push(' ');
        } else if marks.codes(character) {
            push_json_code(character, out);
        } else {
            if matches!(character, '"' | '\\') {
                out.push('\\');
            }
            out.push(character);
        }
    }
}

/// Makes a whole JSON text harmless without changing its value: marks and dangerous characters become `\uXXXX`.
pub(super) fn json_harmless_into(json: &str, out: &mut String) {
    for character in json.chars() {
        if classify(character) == Class::Plain {
            out.push(character);
        } else {
            push_json_code(character, out);
        }
    }
}

/// Columns that already visible text takes, each character by itself.
pub fn display_width(shown: &str) -> usize {
    shown.chars().map(character_width).sum()
}

/// Which characters of a text are codes, from its first to its last.
struct Marks {
    /// Marks that the base already carries; None where there is no base.
    on_base: Option<usize>,
    /// What would look like other characters; empty where nothing does.
    doubtful: std::vec::IntoIter<bool>,
}

impl Marks {
    fn of(text: &str) -> Self {
        Self { on_base: None, doubtful: doubtful(text).into_iter() }
    }

    /// A space carries no mark.
    fn space(&mut self) {
        self.on_base = None;
        self.doubtful.next();
    }

    fn codes(&mut self, character: char) -> bool {
        let is_doubtful = self.doubtful.next() == Some(true);
        self.on_base = match (classify(character), self.on_base) {
            _ if is_doubtful => None,
            (Class::Plain, _) => Some(0),
            (Class::Mark, Some(count)) if count < MARKS_PER_BASE => Some(count + 1),
            _ => None,
        };
        self.on_base.is_none()
    }
}

fn classify(character: char) -> Class {
    // The first ranges, plain throughout, only spare common scripts the slower look-ups.
    match character {
        ' '..='~'
        | '\u{a1}'..='\u{ac}'
        | '\u{ae}'..='\u{2af}'
        | '\u{410}'..='\u{44f}'
        | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{20000}'..='\u{2a6df}' => Class::Plain,
        // No plane from the fourth on holds a letter: only tags, private and unassigned characters.
        '\0'..='\u{a0}' | '\u{ad}' | '\u{e000}'..='\u{f8ff}' | '\u{40000}'.. => Class::Coded,
        _ if DECEPTIVE.iter().any(|(first, last)| (first..=last).contains(&&character)) => {
            Class::Coded
        }
        _ if is_escaped_alone(character) && is_escaped_after_another(character) => Class::Coded,
        _ if is_escaped_alone(character) => Class::Mark,
        _ if character_width(character) == 0 => Class::Mark,
        // Drawn onto the one before it although it has a width.
        _ => match CodePointMapData::<GeneralCategory>::new().get(character) {
            GeneralCategory::SpacingMark => Class::Mark,
            _ => Class::Plain,
        },
    }
}

/// The standard library escapes what is not printable, and marks that start a text.
fn is_escaped_alone(character: char) -> bool {
    character.escape_debug().len() > 1
}

fn is_escaped_after_another(character: char) -> bool {
    let mut text = String::from('x');
    text.push(character);
    text.escape_debug().count() > 2
}

/// Text of which every byte may stand as it is, as nearly all keys are.
fn is_evident(bytes: &[u8]) -> bool {
    let inside = bytes.iter().all(|byte| matches!(byte, b' '..=b'~') && *byte != b'\\');
    let ends = bytes.first() != Some(&b' ') && bytes.last() != Some(&b' ');
    inside && ends && !bytes.windows(2).any(|pair| pair == b"  ")
}

fn push_code(character: char, out: &mut String) {
    match character {
        '\0'..='\u{1f}' => out.extend(char::from_u32(0x2400 + u32::from(character))),
        '\u{7f}' => out.push(DELETE_PICTURE),
        _ => out.extend(character.escape_unicode()),
    }
}

/// `\u00e4`: UTF-16 units, as JSON, JavaScript, Kusto and SQL read them.
pub fn push_json_code(character: char, out: &mut String) {
    for unit in character.encode_utf16(&mut [0; 2]) {
        let _ = write!(out, "\\u{unit:04x}");
    }
}

/// The bytes of the code `\u{…}` at the start of a text.
fn code_len(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("\\u{")?.as_bytes();
    let digits = rest.iter().take(7).take_while(|byte| byte.is_ascii_hexdigit()).count();
    let closed = (1..=6).contains(&digits) && rest.get(digits) == Some(&b'}');
    closed.then_some("\\u{}".len() + digits)
}

fn coded_character(code: &str) -> Option<char> {
    let digits = code.strip_prefix("\\u{")?.strip_suffix('}')?;
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

fn character_width(character: char) -> usize {
    character.width().unwrap_or(1)
}

#[cfg(test)]
mod tests;
