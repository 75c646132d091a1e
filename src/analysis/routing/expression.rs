//! What a filter says, as far as routing needs it: comparisons of the document's properties with values.

use std::collections::BTreeSet;

use crate::model::key::Part;
use crate::model::path::Path;

/// A condition or a value in it.
///
/// Whatever cannot route (arithmetic on properties, functions, subqueries, joined items) is `Other`.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Expression {
    And(Vec<Expression>),
    Or(Vec<Expression>),
    Not(Box<Expression>),
    Compare(Box<Expression>, Comparison, Box<Expression>),
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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    pub fn of(sign: &str) -> Option<Self> {
        Some(match sign {
            "=" => Self::Equal,
            "!=" | "<>" => Self::NotEqual,
            "<" => Self::Less,
            "<=" => Self::LessOrEqual,
            ">" => Self::Greater,
            ">=" => Self::GreaterOrEqual,
            _ => return None,
        })
    }

    /// The same said with the sides exchanged.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
            Self::Equal | Self::NotEqual => self,
        }
    }

    pub fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
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
