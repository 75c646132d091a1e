//! What a filter says, as far as routing needs it: comparisons of the document's properties with values.

use std::collections::BTreeSet;

use crate::model::key::Part;
use crate::model::path::Path;

use super::super::grammar::Op;

/// A condition or a value in it.
///
/// Whatever cannot route (arithmetic on properties, functions, subqueries, joined items) is `Other`.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Expression {
    And(Vec<Expression>),
    Or(Vec<Expression>),
    Not(Box<Expression>),
    Compare(Box<Expression>, Op, Box<Expression>),
    /// Whether the first is one of the others.
    In(Box<Expression>, Vec<Expression>),
    Between(Box<Expression>, Box<Expression>, Box<Expression>),
    /// A text that begins with these characters.
    StartsWith(Path, Box<str>),
    /// Whether a list, given whole, holds the property.
    InList(Path, Box<str>),
    /// A property of the document, not of an item joined to it.
    Property(Path),
    Value(Part),
    List(Vec<Expression>),
    Parameter(Box<str>),
    /// Computed from constants and parameters alone.
    Computed,
    Other,
}

impl Op {
    /// Of a sign of the query language.
    pub fn of(sign: &str) -> Option<Self> {
        let sign = if sign == "<>" { "!=" } else { sign };
        Self::ALL.into_iter().find(|op| op.text() == sign)
    }

    /// The same said with the sides exchanged.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Below => Self::Above,
            Self::AtMost => Self::AtLeast,
            Self::Above => Self::Below,
            Self::AtLeast => Self::AtMost,
            Self::Equal | Self::Unequal => self,
        }
    }

    pub fn negated(self) -> Self {
        match self {
            Self::Equal => Self::Unequal,
            Self::Unequal => Self::Equal,
            Self::Below => Self::AtLeast,
            Self::AtMost => Self::Above,
            Self::Above => Self::AtMost,
            Self::AtLeast => Self::Below,
        }
    }
}

impl Expression {
    /// Adds the properties that are named; false where a part is not understood.
    pub fn name_paths(&self, found: &mut BTreeSet<Path>) -> bool {
        let parts: Vec<&Self> = match self {
            Self::And(parts) | Self::Or(parts) | Self::List(parts) => parts.iter().collect(),
            Self::Not(inner) => vec![inner],
            Self::Compare(left, _, right) => vec![left, right],
            Self::In(one, others) => others.iter().chain([&**one]).collect(),
            Self::Between(one, from, to) => vec![one, from, to],
            Self::StartsWith(path, _) | Self::InList(path, _) | Self::Property(path) => {
                found.insert(path.clone());
                Vec::new()
            }
            Self::Value(_) | Self::Parameter(_) | Self::Computed => Vec::new(),
            Self::Other => return false,
        };
        parts.into_iter().all(|part| part.name_paths(found))
    }

    /// Whether it is the same for every document.
    pub fn is_constant(&self) -> bool {
        match self {
            Self::Value(_) | Self::Parameter(_) | Self::Computed => true,
            Self::List(items) => items.iter().all(Self::is_constant),
            _ => false,
        }
    }
}
