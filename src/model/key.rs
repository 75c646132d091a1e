//! Partition key values as the service reports them, compared by type and value, never by spelling.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::mem;

pub use super::canonical::{KeyForm, canonicalise};
use super::key_text::{canonical_other, push_string, read_list};
pub use super::key_text::{leading_escape, leading_string};
pub use super::number::Number;
use super::number::canonical_number;
use super::visible::{json_escape_into, json_harmless_into};

/// One component of a partition key.
#[derive(Clone, Debug)]
pub enum Part {
    /// The document has no such property; written `{}`.
    Undefined,
    Null,
    Bool(bool),
    Number(Number),
    Text(Box<str>),
    /// The minified JSON of an object or list, which no key can hold: shown as it stands.
    Other(Box<str>),
}

impl Part {
    fn rank(&self) -> u8 {
        match self {
            Self::Undefined => 0,
            Self::Null => 1,
            Self::Bool(_) => 2,
            Self::Number(_) => 3,
            Self::Text(_) => 4,
            Self::Other(_) => 5,
        }
    }

    fn has_respelled_number(&self) -> bool {
        match self {
            Self::Number(number) => number.text() != canonical_number(number.value()),
            Self::Other(json) => **json != *canonical_other(json),
            _ => false,
        }
    }

    fn push_canonical(&self, out: &mut String) {
        match self {
            Self::Undefined => out.push_str("{}"),
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Number(number) => out.push_str(&canonical_number(number.value())),
            Self::Text(text) => push_string(text, out),
            Self::Other(json) => out.push_str(&canonical_other(json)),
        }
    }

    /// A text without quotes, everything else in canonical text.
    pub fn bare_text(&self) -> String {
        let mut out = String::new();
        match self {
            Self::Text(text) => out.push_str(text),
            other => other.push_canonical(&mut out),
        }
        out
    }

    fn push_json(&self, out: &mut String) {
        match self {
            Self::Number(number) => out.push_str(number.text()),
            Self::Text(text) => {
                out.push('"');
                json_escape_into(text, out);
                out.push('"');
            }
            Self::Other(json) => json_harmless_into(json, out),
            Self::Undefined | Self::Null | Self::Bool(_) => self.push_canonical(out),
        }
    }
}

equal_by_order!(Part);

impl Ord for Part {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a.cmp(b),
            (Self::Number(a), Self::Number(b)) => a.cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::Other(a), Self::Other(b)) => canonical_other(a).cmp(&canonical_other(b)),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl Hash for Part {
    fn hash<H: Hasher>(&self, state: &mut H) {
        mem::discriminant(self).hash(state);
        match self {
            Self::Undefined | Self::Null => {}
            Self::Bool(value) => value.hash(state),
            Self::Number(number) => number.hash(state),
            Self::Text(text) => text.hash(state),
            Self::Other(json) => canonical_other(json).hash(state),
        }
    }
}

/// A logical partition's key: one part for each path of the container's key definition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Vec<Part>);

impl Key {
    /// The key of a log cell; `None` if the cell is empty, which means no key was reported.
    ///
    /// A cell that is not exactly one JSON list of readable values is one text part as it stands.
    pub fn from_cell(cell: &str) -> Option<Self> {
        if cell.is_empty() {
            return None;
        }
        Some(Self(read_list(cell).unwrap_or_else(|| vec![Part::Text(cell.into())])))
    }

    /// Reads back what [`Key::canonical`] or [`canonicalise`] wrote.
    pub fn from_canonical(canonical: &str) -> Option<Self> {
        read_list(canonical).map(Self)
    }

    pub fn parts(&self) -> &[Part] {
        &self.0
    }

    /// The identity text: two keys are equal if and only if these bytes are.
    pub fn canonical(&self) -> String {
        #[cfg(test)]
        super::work::count(super::work::Work::KeyWritten);
        self.list(Part::push_canonical)
    }

    /// The compact JSON list for outputs: numbers as found, nothing in it that acts on a terminal or cannot be seen.
    pub fn json(&self) -> String {
        self.list(Part::push_json)
    }

    pub(super) fn has_respelled_number(&self) -> bool {
        self.0.iter().any(Part::has_respelled_number)
    }

    fn list(&self, push: impl Fn(&Part, &mut String)) -> String {
        let mut out = String::from("[");
        for (index, part) in self.0.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            push(part, &mut out);
        }
        out.push(']');
        out
    }
}

/// The JSON text that outputs show for a canonical one; what is none stays as it is.
pub fn shown_json(canonical: &str) -> Box<str> {
    Key::from_canonical(canonical).map_or_else(|| canonical.into(), |key| key.json().into())
}

impl From<Vec<Part>> for Key {
    fn from(parts: Vec<Part>) -> Self {
        Self(parts)
    }
}

/// Whether a key has one hash for all paths or one for each level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyKind {
    Hash,
    /// A hierarchical partition key.
    MultiHash,
}

/// The hash function of a container; what an older definition leaves out is `V1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyVersion {
    V1,
    V2,
}

/// A container's partition key definition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeyDefinition {
    pub paths: Vec<String>,
    pub kind: KeyKind,
    pub version: KeyVersion,
}

impl KeyDefinition {
    /// Of a new container: it has version 2.
    pub fn of_new(paths: Vec<String>) -> Self {
        let kind = if paths.len() > 1 { KeyKind::MultiHash } else { KeyKind::Hash };
        Self { paths, kind, version: KeyVersion::V2 }
    }

    /// The same where only hashes are wanted: the names of the paths do not enter them, only their number does.
    pub fn of_levels(levels: usize) -> Self {
        Self::of_new(vec![String::new(); levels])
    }
}

#[cfg(test)]
mod tests;
