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
    /// Missing, a list, an object, or null where text has to be made of it.
    NoValue,
    /// Not read as a time.
    NoTime,
}

/// The text that a part contributes.
pub type PartText<'v> = Result<Cow<'v, str>, Gap>;

/// Documents without a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Gaps {
    /// For other reasons than the next.
    no_value: u64,
    pub no_time: u64,
}

impl Gaps {
    pub fn add(&mut self, gap: Gap, documents: u64) {
        let count = match gap {
            Gap::NoValue => &mut self.no_value,
            Gap::NoTime => &mut self.no_time,
        };
        *count = count.saturating_add(documents);
    }

    pub fn add_all(&mut self, others: &Self) {
        self.add(Gap::NoValue, others.no_value);
        self.add(Gap::NoTime, others.no_time);
    }

    pub fn total(&self) -> u64 {
        self.no_value.saturating_add(self.no_time)
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
            return match value(path) {
                Value::Undefined | Value::Other(_) => Err(Gap::NoValue),
                value => Ok(value),
            };
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
            Self::Prefix { characters, .. } => {
                let count = characters.get() as usize;
                Ok(text_of(value)?.chars().take(count).collect())
            }
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
        Value::Undefined | Value::Null | Value::Other(_) => Err(Gap::NoValue),
        Value::Bool(true) => Ok(Cow::Borrowed("true")),
        Value::Bool(false) => Ok(Cow::Borrowed("false")),
        Value::Number(number) => Ok(Cow::Owned(Number::canonical(number))),
        Value::Text(text) => Ok(Cow::Borrowed(text)),
    }
}
