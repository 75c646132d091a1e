//! A key that a container could have: one to three levels, each joined from parts. Its text reads back as the same key.
//!
//! ```text
//! candidate = level { ">" level }                      at most three levels
//! level     = part { "+" part }
//! part      = path | "text" | function
//! path      = /tenantId  /device-data/type  /"plant name"
//! function  = year(path) | month(path) | day(path) | hour(path) | minute(path)
//!           | prefix(path, n) | lower(path) | random(n) | bucket(path, n)
//! ```
//!
//! # What a document's key is
//!
//! - A level that is one path keeps the value's type: a number stays a number, null is null, and a missing property is
//!   "no value", which is a key of its own that all such documents share.
//! - Every other level is text. Texts are joined as they stand, numbers in their shortest decimal text (`42.0` gives
//!   `42`), true and false as these words.
//! - Where a part of such a level has nothing to say (missing, null, a list or object, no time), the whole level is
//!   "no value": what the query language's own `CONCAT` gives, and the reading that shows the danger. The documents are
//!   counted by [`Gap`]. An application that writes a word instead has the same hot key under another name.
//! - A path alone whose value is a list or an object has no key at all: the service refuses such a document.
//! - Dates are cut in UTC: `2026`, `2026-06`, `2026-06-22`, `2026-06-22T14`, `2026-06-22T14:05`. What is read as a time
//!   stands in [`crate::model::moment`].
//! - `prefix` counts Unicode scalar values, `lower` is Unicode's full lower case without regard to a language.
//! - `random(n)` and `bucket(path, n)` give 1 to n. The bucket is the hash in [`bucket`], of the value's text.

pub mod bucket;
mod complete;
pub mod legality;
pub(in crate::analysis) mod mutable;
mod parse;
mod scan;
mod value;

use std::fmt;
use std::num::NonZeroU32;

use super::grammar::separated;
use crate::model::key::KeyDefinition;
use crate::model::path::Path;
use crate::model::time::Stamp;
use crate::model::visible::json_escape_into;

pub use complete::{HELP, KnownPath, PathKind, complete};
pub use parse::{ParsedKey, parse};
pub use value::{Draws, Gap, Gaps, PartText, RandomSuffix};

/// What the service takes in a hierarchical partition key.
pub const MAX_LEVELS: usize = 3;
/// What stands between a key and its suffix, as in `tenant.7`.
pub const JOINT: &str = ".";
/// Parts joined in one level: nobody types more, and each is looked at for every document.
pub const MAX_PARTS: usize = 16;
/// Suffixes and buckets: every read of a value without its bucket asks all of them.
pub const MAX_BUCKETS: u32 = 1_000_000;
/// Characters of a prefix: no longer key exists.
pub const MAX_PREFIX_CHARACTERS: u32 = 2048;

/// A key that a container could have; at least one level.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Candidate {
    pub levels: Vec<Level>,
}

/// What is joined to one value of the key; at least one part.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Level {
    pub parts: Vec<LevelPart>,
}

/// A piece of a level; all but literals and random suffixes are a function of the value at one path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LevelPart {
    Path(Path),
    Literal(Box<str>),
    /// A time cut to its unit, in UTC.
    Date {
        path: Path,
        unit: DateUnit,
    },
    /// The first characters of a value's text.
    Prefix {
        path: Path,
        characters: NonZeroU32,
    },
    Lower(Path),
    /// A suffix from 1 on, drawn for each document.
    Random {
        buckets: NonZeroU32,
    },
    /// A suffix from 1 on that an application can compute from the value.
    Bucket {
        path: Path,
        buckets: NonZeroU32,
    },
}

words! {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum DateUnit {
        Year = "year",
        Month = "month",
        Day = "day",
        Hour = "hour",
        Minute = "minute",
    }
    /// The function's name.
    fn word, ALL
}

impl DateUnit {
    /// How long its text stays the same at most.
    pub fn days(self) -> f64 {
        match self {
            Self::Year => 366.0,
            Self::Month => 31.0,
            Self::Day => 1.0,
            Self::Hour => 1.0 / 24.0,
            Self::Minute => 1.0 / 1440.0,
        }
    }

    /// The characters of a moment's text that it keeps: `2026-06-22T14:05`.
    pub fn width(self) -> usize {
        match self {
            Self::Year => 4,
            Self::Month => 7,
            Self::Day => 10,
            Self::Hour => 13,
            Self::Minute => 16,
        }
    }

    /// The period that a moment lies in.
    pub fn period(self, at: Stamp) -> String {
        let mut text = at.rfc3339();
        text.truncate(self.width());
        text
    }
}

impl Candidate {
    /// The key of these paths as they stand, as containers have it.
    pub fn of_paths(paths: impl IntoIterator<Item = Path>) -> Self {
        let level = |path| Level { parts: vec![LevelPart::Path(path)] };
        Self { levels: paths.into_iter().map(level).collect() }
    }

    /// The key that a container is defined with; None where one of its paths is none.
    pub fn of_definition(definition: &KeyDefinition) -> Option<Self> {
        let paths = definition.paths.iter().map(|path| Path::parse(path).ok());
        let paths: Vec<Path> = paths.collect::<Option<_>>()?;
        (!paths.is_empty()).then(|| Self::of_paths(paths))
    }

    /// The paths that it reads, each once, in the order of their first use.
    pub fn paths(&self) -> Vec<&Path> {
        let mut paths = Vec::new();
        for path in self.parts().filter_map(LevelPart::path) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        paths
    }

    pub fn parts(&self) -> impl Iterator<Item = &LevelPart> {
        self.levels.iter().flat_map(|level| &level.parts)
    }

    /// Its paths where documents have this key as they are, else none.
    pub fn stored_paths(&self) -> Vec<Path> {
        let paths: Option<Vec<Path>> = self.levels.iter().map(|l| l.path().cloned()).collect();
        paths.unwrap_or_default()
    }

    /// With the id as a further level: each document is a key of its own, and queries by the levels above stay on few
    /// partitions.
    pub fn with_id(&self) -> Option<Self> {
        let has_room = self.levels.len() < MAX_LEVELS && !self.levels.iter().any(Level::is_id);
        let id = Self::of_paths([["id"].into_iter().collect()]);
        let levels = self.levels.iter().cloned().chain(id.levels);
        has_room.then(|| Self { levels: levels.collect() })
    }

    /// Whether it is the id and nothing else.
    pub fn is_id(&self) -> bool {
        matches!(self.levels.as_slice(), [level] if level.is_id())
    }

    /// Whether documents have this key as they are, so that copying them as they are is enough.
    pub fn is_stored(&self) -> bool {
        !self.stored_paths().is_empty()
    }
}

impl Level {
    /// The path of a level that is nothing else, whose values therefore keep their type.
    pub fn path(&self) -> Option<&Path> {
        match self.parts.as_slice() {
            [LevelPart::Path(path)] => Some(path),
            _ => None,
        }
    }

    /// Whether it is the id of the document and nothing else.
    pub fn is_id(&self) -> bool {
        self.path().and_then(Path::top_name) == Some("id")
    }
}

impl LevelPart {
    /// The path whose value decides the piece; none for literals and random suffixes.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path)
            | Self::Date { path, .. }
            | Self::Prefix { path, .. }
            | Self::Lower(path)
            | Self::Bucket { path, .. } => Some(path),
            Self::Literal(_) | Self::Random { .. } => None,
        }
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        separated(f, &self.levels, " > ")
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        separated(f, &self.parts, " + ")
    }
}

impl fmt::Display for LevelPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => path.fmt(f),
            Self::Literal(text) => {
                let mut escaped = String::with_capacity(text.len());
                json_escape_into(text, &mut escaped);
                write!(f, "\"{escaped}\"")
            }
            Self::Date { path, unit } => write!(f, "{}({path})", unit.word()),
            Self::Prefix { path, characters } => write!(f, "prefix({path}, {characters})"),
            Self::Lower(path) => write!(f, "lower({path})"),
            Self::Random { buckets } => write!(f, "random({buckets})"),
            Self::Bucket { path, buckets } => write!(f, "bucket({path}, {buckets})"),
        }
    }
}

#[cfg(test)]
mod tests;
