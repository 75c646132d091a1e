//! What routing needs to know of a key: its levels, and what each is put together from.

use std::collections::BTreeSet;
use std::fmt;

use crate::model::path::Path;

/// One level, or up to three of a hierarchical key.
#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    pub levels: Vec<Vec<Piece>>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Piece {
    Path(Path),
    Literal(Box<str>),
    /// A moment cut to a unit, as text in UTC.
    Date(Path, Unit),
    /// The first characters.
    Prefix(Path, u32),
    Lower(Path),
    /// One of this many suffixes, drawn anew for each document.
    Random(u32),
    /// One of this many suffixes, always the same for the same value.
    Bucket(Path, u32),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Unit {
    Year,
    Month,
    Day,
    Hour,
    Minute,
}

impl Unit {
    pub fn word(self) -> &'static str {
        match self {
            Self::Year => "year",
            Self::Month => "month",
            Self::Day => "day",
            Self::Hour => "hour",
            Self::Minute => "minute",
        }
    }

    /// The characters of a moment's text that the unit keeps: `2026-06-22T14:05`.
    pub(super) fn width(self) -> usize {
        match self {
            Self::Year => 4,
            Self::Month => 7,
            Self::Day => 10,
            Self::Hour => 13,
            Self::Minute => 16,
        }
    }
}

impl Shape {
    /// A key of plain properties, as containers have it.
    pub fn of_paths(paths: impl IntoIterator<Item = Path>) -> Self {
        let levels = paths.into_iter().map(|path| vec![Piece::Path(path)]);
        Self {
            levels: levels.collect(),
        }
    }

    pub fn paths(&self) -> BTreeSet<&Path> {
        self.levels
            .iter()
            .flatten()
            .filter_map(Piece::path)
            .collect()
    }

    /// How many values a document's key may have by chance.
    pub(super) fn drawn(&self) -> u64 {
        let drawn = self.levels.iter().flatten().map(|piece| match piece {
            Piece::Random(n) => u64::from((*n).max(1)),
            _ => 1,
        });
        drawn.fold(1, u64::saturating_mul)
    }
}

impl Piece {
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path)
            | Self::Date(path, _)
            | Self::Prefix(path, _)
            | Self::Lower(path)
            | Self::Bucket(path, _) => Some(path),
            Self::Literal(_) | Self::Random(_) => None,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => write!(f, "{path}"),
            Self::Literal(text) => write!(f, "{text:?}"),
            Self::Date(path, unit) => write!(f, "{}({path})", unit.word()),
            Self::Prefix(path, n) => write!(f, "prefix({path}, {n})"),
            Self::Lower(path) => write!(f, "lower({path})"),
            Self::Random(n) => write!(f, "random({n})"),
            Self::Bucket(path, n) => write!(f, "bucket({path}, {n})"),
        }
    }
}

/// A level as key expressions write it.
pub(super) fn level_text(pieces: &[Piece]) -> String {
    let texts: Vec<String> = pieces.iter().map(ToString::to_string).collect();
    texts.join(" + ")
}
