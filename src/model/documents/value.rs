//! What stands at a path of a document: a value that can be part of a key, nothing at all, or something no key can hold.

use crate::model::key::{Number, Part};

/// The document has nothing at the path.
pub const MISSING: u32 = 0;
pub const NULL: u32 = 1;
pub const FALSE: u32 = 2;
pub const TRUE: u32 = 3;
/// No key can hold a list.
pub const ARRAY: u32 = 4;
/// No key can hold an object; its own properties have paths of their own.
pub const OBJECT: u32 = 5;
/// A number beyond what a double holds.
pub const TOO_LARGE: u32 = 6;
/// Codes from here on are values of the column's dictionary.
pub const FIRST_VALUE: u32 = 8;

/// Bytes of a text that are kept; a key has at most 2,048. A longer text is known by its hash and its beginning.
pub const KEPT_TEXT_BYTES: usize = 2_048;

/// A value as a reader finds it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scalar<'a> {
    Null,
    Bool(bool),
    /// The text is a JSON number, the value its double.
    Number {
        text: &'a str,
        value: f64,
    },
    Text(&'a str),
    Array,
    Object,
}

/// A value as a column gives it back.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value<'a> {
    Missing,
    Null,
    Bool(bool),
    /// As it was found first; another document may write the same number differently.
    Number(&'a str),
    Text(&'a str),
    /// The first `KEPT_TEXT_BYTES` of a longer text.
    Cut(&'a str),
    Array,
    Object,
    TooLarge,
}

/// What kind of value a dictionary holds; the two lowest bits of its hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    Text = 0,
    Number = 1,
    Cut = 2,
}

impl ValueKind {
    pub fn of_hash(hash: u64) -> Self {
        match hash & 3 {
            1 => Self::Number,
            2 => Self::Cut,
            _ => Self::Text,
        }
    }

    pub(super) fn value(self, text: &str) -> Value<'_> {
        match self {
            Self::Text => Value::Text(text),
            Self::Number => Value::Number(text),
            Self::Cut => Value::Cut(text),
        }
    }
}

impl Value<'_> {
    /// As a part of a key; none for what no key can hold.
    pub fn part(self) -> Option<Part> {
        match self {
            Self::Missing => Some(Part::Undefined),
            Self::Null => Some(Part::Null),
            Self::Bool(value) => Some(Part::Bool(value)),
            Self::Number(text) => Number::from_text(text).map(Part::Number),
            Self::Text(text) => Some(Part::Text(text.into())),
            Self::Cut(_) | Self::Array | Self::Object | Self::TooLarge => None,
        }
    }

    /// What stands for a code that needs no dictionary.
    pub(super) fn of_code(code: u32) -> Self {
        match code {
            NULL => Self::Null,
            FALSE => Self::Bool(false),
            TRUE => Self::Bool(true),
            ARRAY => Self::Array,
            OBJECT => Self::Object,
            TOO_LARGE => Self::TooLarge,
            _ => Self::Missing,
        }
    }
}
