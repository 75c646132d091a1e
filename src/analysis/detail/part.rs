//! One part of a key: its type, its text and the characters in it that do not speak for themselves.

use crate::model::key::Part;
use crate::model::visible::visible;

/// Code points listed for a part; a part may be a MiB of them.
const MAX_CODE_POINTS: usize = 32;

/// Characters that look like others or like nothing, by the names under which people look them up.
const NAMES: [(char, &str); 20] = [
    ('\0', "null"),
    ('\t', "tab"),
    ('\n', "line feed"),
    ('\r', "carriage return"),
    ('\u{1b}', "escape"),
    (' ', "space"),
    ('\u{7f}', "delete"),
    ('\u{a0}', "no-break space"),
    ('\u{ad}', "soft hyphen"),
    ('\u{200b}', "zero width space"),
    ('\u{200c}', "zero width non-joiner"),
    ('\u{200d}', "zero width joiner"),
    ('\u{200e}', "left-to-right mark"),
    ('\u{200f}', "right-to-left mark"),
    ('\u{202d}', "left-to-right override"),
    ('\u{202e}', "right-to-left override"),
    ('\u{2060}', "word joiner"),
    ('\u{3000}', "ideographic space"),
    ('\u{feff}', "byte order mark"),
    ('\u{fffd}', "replacement character"),
];

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartDetail {
    /// `string`, `number`, `boolean`, `null`, `no value`, or `object or list`, which no key can hold.
    pub type_name: &'static str,
    /// Already visible; numbers as found.
    pub text: String,
    pub characters: usize,
    /// In UTF-8.
    pub bytes: usize,
    /// Characters of a string that are not printable ASCII, and spaces where they are easily missed.
    pub code_points: Vec<CodePoint>,
    /// Further ones that are not listed.
    pub more_code_points: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodePoint {
    /// Character of the part, from 1.
    pub place: usize,
    pub character: char,
    pub name: Option<&'static str>,
}

impl CodePoint {
    /// `U+202E right-to-left override`.
    pub fn words(&self) -> String {
        let code = format!("U+{:04X}", u32::from(self.character));
        self.name.map_or_else(|| code.clone(), |name| format!("{code} {name}"))
    }
}

impl PartDetail {
    pub fn of(part: &Part) -> Self {
        match part {
            Part::Undefined => Self::plain("no value", "(documents without this property)"),
            Part::Null => Self::plain("null", "null"),
            Part::Bool(value) => Self::plain("boolean", if *value { "true" } else { "false" }),
            Part::Number(number) => Self::plain("number", number.text()),
            Part::Text(text) => Self::string(text),
            Part::Other(json) => Self::plain("object or list", json),
        }
    }

    fn plain(type_name: &'static str, text: &str) -> Self {
        Self {
            type_name,
            text: visible(text).into_owned(),
            characters: text.chars().count(),
            bytes: text.len(),
            code_points: Vec::new(),
            more_code_points: 0,
        }
    }

    fn string(text: &str) -> Self {
        let mut out = Self::plain("string", text);
        let mut before = ' ';
        for (place, character) in (1..).zip(text.chars()) {
            let is_odd_space = character == ' ' && (before == ' ' || place == out.characters);
            before = character;
            if matches!(character, ' '..='~') && !is_odd_space {
                continue;
            }
            if out.code_points.len() == MAX_CODE_POINTS {
                out.more_code_points += 1;
                continue;
            }
            let name = NAMES.iter().find(|(c, _)| *c == character);
            out.code_points.push(CodePoint { place, character, name: name.map(|(_, name)| *name) });
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_do_not_speak_for_themselves_are_listed() {
        let part = PartDetail::of(&Part::Text(" a\u{202e}b  é ".into()));
        let words: Vec<String> = part.code_points.iter().map(CodePoint::words).collect();
        let expected = [
            "U+0020 space",
            "U+202E right-to-left override",
            "U+0020 space",
            "U+00E9",
            "U+0020 space",
        ];
        assert_eq!(words, expected);
        let places: Vec<usize> = part.code_points.iter().map(|c| c.place).collect();
        assert_eq!(places, [1, 3, 6, 7, 8]);
        assert_eq!((part.type_name, part.characters, part.bytes), ("string", 8, 11));
        assert_eq!(PartDetail::of(&Part::Text("tenant 1".into())).code_points, []);
    }

    #[test]
    fn long_parts_list_no_more_than_is_read() {
        let part = PartDetail::of(&Part::Text("é".repeat(100).into()));
        let listed = part.code_points.len();
        assert_eq!((listed, part.more_code_points), (MAX_CODE_POINTS, 100 - listed));
    }

    #[test]
    fn parts_tell_their_types() {
        let names = [Part::Undefined, Part::Null, Part::Bool(true), Part::Other("[]".into())]
            .map(|p| PartDetail::of(&p).type_name);
        assert_eq!(names, ["no value", "null", "boolean", "object or list"]);
    }
}
