//! The key of one document: each part a function of the value at one path.

use std::borrow::Cow;
use std::num::NonZeroU32;

use crate::model::key::{Key, Number, Part as Value};
use crate::model::moment;
use crate::model::path::Path;
use crate::model::random::{GOLDEN, mixed};

use super::bucket::bucket;
use super::{Candidate, Level, LevelPart};

/// Why a level has no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gap {
    Missing,
    /// Null where text has to be made of it.
    Null,
    /// A list or an object.
    Unusable,
    /// Not read as a time.
    NoTime,
}

/// The text that a part contributes.
pub type PartText<'v> = Result<Cow<'v, str>, Gap>;

/// Documents without a value, by reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Gaps {
    pub missing: u64,
    pub null: u64,
    pub unusable: u64,
    pub no_time: u64,
}

impl Gaps {
    pub fn add(&mut self, gap: Gap, documents: u64) {
        let count = match gap {
            Gap::Missing => &mut self.missing,
            Gap::Null => &mut self.null,
            Gap::Unusable => &mut self.unusable,
            Gap::NoTime => &mut self.no_time,
        };
        *count = count.saturating_add(documents);
    }

    pub fn add_all(&mut self, others: &Self) {
        self.add(Gap::Missing, others.missing);
        self.add(Gap::Null, others.null);
        self.add(Gap::Unusable, others.unusable);
        self.add(Gap::NoTime, others.no_time);
    }

    pub fn total(&self) -> u64 {
        [self.missing, self.null, self.unusable, self.no_time]
            .into_iter()
            .fold(0, u64::saturating_add)
    }
}

/// The random suffixes of one document: the same for the same seed and document, in whatever order they are read.
#[derive(Clone, Debug)]
pub struct Draws {
    state: u64,
}

impl Draws {
    /// `document` is its number among all that are looked at.
    pub fn of(seed: u64, document: u64) -> Self {
        Self { state: mixed(seed).wrapping_add(mixed(document ^ GOLDEN)) }
    }

    /// From 1 to `buckets`, evenly.
    pub fn draw(&mut self, buckets: NonZeroU32) -> u32 {
        self.state = self.state.wrapping_add(GOLDEN);
        let wide = u128::from(mixed(self.state)) * u128::from(buckets.get());
        // The upper half of a product with a number below 2^32 fits.
        1 + u32::try_from(wide >> 64).unwrap_or(0)
    }
}

/// One of a key's random suffixes: a document has the same whatever else the key makes of it.
#[derive(Clone, Copy, Debug)]
pub struct RandomSuffix {
    pub seed: u64,
    /// Random suffixes of the key before this one.
    pub before: u64,
    pub buckets: NonZeroU32,
}

impl RandomSuffix {
    pub fn of(self, document: u64) -> u32 {
        let mut draws = Draws::of(self.seed, document);
        draws.state = draws.state.wrapping_add(GOLDEN.wrapping_mul(self.before));
        draws.draw(self.buckets)
    }
}

impl Candidate {
    /// The key of a document whose values `value` knows; missing properties are [`Value::Undefined`].
    pub fn key(&self, value: &impl Fn(&Path) -> Value, draws: &mut Draws) -> Key {
        let levels = self.levels.iter();
        let parts: Vec<Value> =
            levels.map(|level| level.value(value, draws).unwrap_or(Value::Undefined)).collect();
        parts.into()
    }
}

impl Level {
    /// The level's value, or why it has none.
    pub fn value(&self, value: &impl Fn(&Path) -> Value, draws: &mut Draws) -> Result<Value, Gap> {
        if let Some(path) = self.path() {
            return alone(value(path));
        }
        let text = |part: &LevelPart| match (part, part.path()) {
            (LevelPart::Random { buckets }, _) => Ok(draws.draw(*buckets).to_string()),
            (_, path) => part.of(&path.map_or(Value::Undefined, value)).map(Cow::into_owned),
        };
        // All are drawn, also where a part has nothing to say: other levels draw the same.
        let texts: Vec<Result<String, Gap>> = self.parts.iter().map(text).collect();
        let text: String = texts.into_iter().collect::<Result<_, _>>()?;
        Ok(Value::Text(text.into()))
    }
}

/// A value that is a level by itself.
pub(super) fn alone(value: Value) -> Result<Value, Gap> {
    match value {
        Value::Undefined => Err(Gap::Missing),
        Value::Other(_) => Err(Gap::Unusable),
        value => Ok(value),
    }
}

impl LevelPart {
    /// The text that it makes of the value at its path. A literal asks for no value; a random suffix is handed the number
    /// that was drawn.
    pub fn of<'v>(&'v self, value: &'v Value) -> PartText<'v> {
        match self {
            Self::Literal(text) => Ok(Cow::Borrowed(text)),
            Self::Path(_) | Self::Random { .. } => text_of(value),
            Self::Date { unit, .. } => {
                // What cannot be read at all says why by itself.
                text_of(value)?;
                let moment = moment::of(value).ok_or(Gap::NoTime)?;
                Ok(Cow::Owned(unit.period(moment)))
            }
            Self::Prefix { characters, .. } => Ok(first(text_of(value)?, *characters)),
            Self::Lower(_) => Ok(Cow::Owned(text_of(value)?.to_lowercase())),
            Self::Bucket { buckets, .. } => {
                let bucket = bucket(&text_of(value)?, buckets.get());
                Ok(Cow::Owned(bucket.to_string()))
            }
        }
    }
}

/// A value as an application writes it into a text.
pub(super) fn text_of(value: &Value) -> PartText<'_> {
    match value {
        Value::Undefined => Err(Gap::Missing),
        Value::Null => Err(Gap::Null),
        Value::Other(_) => Err(Gap::Unusable),
        Value::Bool(true) => Ok(Cow::Borrowed("true")),
        Value::Bool(false) => Ok(Cow::Borrowed("false")),
        Value::Number(number) => Ok(Cow::Owned(Number::canonical(number))),
        Value::Text(text) => Ok(Cow::Borrowed(text)),
    }
}

fn first(text: Cow<'_, str>, characters: NonZeroU32) -> Cow<'_, str> {
    let count = usize::try_from(characters.get()).unwrap_or(usize::MAX);
    let end = text.char_indices().nth(count).map(|(at, _)| at);
    match (end, text) {
        (None, text) => text,
        (Some(end), Cow::Borrowed(text)) => Cow::Borrowed(text.get(..end).unwrap_or(text)),
        (Some(end), Cow::Owned(mut text)) => {
            text.truncate(end);
            Cow::Owned(text)
        }
    }
}
