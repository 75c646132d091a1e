//! What each part of a key makes of the documents: worked out once for each different value, then looked up.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::model::documents::{
    ARRAY, Column, ColumnCells, Dictionary, FALSE, FIRST_VALUE, MISSING, NULL, OBJECT, TOO_LARGE,
    TRUE, Value, ValueKind,
};
use crate::model::key::Part as KeyPart;

use super::super::candidate::bucket::bucket;
use super::super::candidate::{Gap, LevelPart};
use super::super::parallelism::Parallelism;
use super::dates::{PeriodTable, dates};
use super::fold::narrow;

/// Values whose buckets are worked out together: fewer are not worth a thread.
const GRAIN: usize = 1 << 14;
/// Buckets whose numbers are kept side by side.
const MOST_NUMBERED: u32 = 1 << 16;
/// Numbers of pieces from here on say why there is none.
const NO_VALUE: u32 = u32::MAX - 1;
const NO_TIME: u32 = u32::MAX;

pub(super) fn gap_of(piece: u32) -> Option<Gap> {
    match piece {
        NO_VALUE => Some(Gap::NoValue),
        NO_TIME => Some(Gap::NoTime),
        _ => None,
    }
}

pub(super) fn marked(gap: Gap) -> u32 {
    match gap {
        Gap::NoValue => NO_VALUE,
        Gap::NoTime => NO_TIME,
    }
}

/// The pieces of one part for all documents.
#[derive(Debug)]
pub(super) enum Pieces<'a> {
    /// Of each document a code, of each code a piece.
    Coded {
        codes: Cow<'a, [u32]>,
        /// Codes that it leaves out are pieces themselves.
        table: Vec<u32>,
        texts: Texts<'a>,
    },
    /// Dates of a near-unique column.
    Dated { dated: PeriodTable<'a>, texts: Texts<'a> },
    /// Values that were kept as hashes only.
    Hashed {
        hashes: &'a [u64],
        column: &'a Column,
        /// Whether null is a value: in a level that is one path.
        nulls: Nulls,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Nulls {
    Values,
    Gaps,
}

/// What stands behind the number of a piece.
#[derive(Debug)]
pub(super) enum Texts<'a> {
    /// The values of the column by their codes, with their types.
    Values(&'a Dictionary),
    /// The texts of the column by their codes.
    Column(&'a Dictionary),
    Made(Vec<Box<str>>),
}

impl Texts<'_> {
    pub fn len(&self) -> usize {
        match self {
            Self::Values(dictionary) | Self::Column(dictionary) => {
                FIRST_VALUE as usize + dictionary.len()
            }
            Self::Made(texts) => texts.len(),
        }
    }

    pub fn text(&self, piece: u32) -> &str {
        match self {
            Self::Values(dictionary) | Self::Column(dictionary) => {
                dictionary.text(piece).unwrap_or_default()
            }
            Self::Made(texts) => texts.get(piece as usize).map_or("", AsRef::as_ref),
        }
    }

    pub fn all(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        match self {
            Self::Values(d) | Self::Column(d) => {
                Box::new(d.values().map(|(code, _)| self.text(code)))
            }
            Self::Made(texts) => Box::new(texts.iter().map(AsRef::as_ref)),
        }
    }

    /// Whether all have the same length, so that what stands beside them is told apart from them.
    pub fn is_of_one_length(&self) -> bool {
        let mut lengths = self.all().map(str::len);
        let first = lengths.next();
        lengths.all(|length| Some(length) == first)
    }
}

/// Texts numbered as they come.
#[derive(Default)]
pub(super) struct Interned {
    numbers: HashMap<Box<str>, u32, foldhash::fast::FixedState>,
    pub texts: Vec<Box<str>>,
}

impl Interned {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.numbers.insert(text.into(), number);
        self.texts.push(text.into());
        number
    }

    pub fn piece(&mut self, found: Result<Cow<'_, str>, Gap>) -> u32 {
        match found {
            Ok(text) => self.number(&text),
            Err(gap) => marked(gap),
        }
    }
}

/// A level that is one path: its values as they are.
pub(super) fn alone(column: &Column) -> Pieces<'_> {
    let (codes, dictionary) = match column.cells() {
        ColumnCells::Codes { codes, dictionary } => (codes, dictionary),
        ColumnCells::Hashes { hashes, .. } => {
            return Pieces::Hashed { hashes, column, nulls: Nulls::Values };
        }
    };
    let plain = (0..FIRST_VALUE).map(|code| match code {
        NULL | FALSE | TRUE => code,
        _ => NO_VALUE,
    });
    let codes_held = FIRST_VALUE..FIRST_VALUE.saturating_add(narrow(dictionary.len() as u64));
    let kind = |code: u32| dictionary.hash_of(code).map(ValueKind::of_hash);
    let held = codes_held.map(|code| match kind(code) {
        Some(ValueKind::Cut) => NO_VALUE,
        _ => code,
    });
    // Mostly all of them stand for themselves, and nothing needs to be looked up.
    let last = held.clone().rposition(|piece| piece == NO_VALUE);
    let needed = last.map_or(0, |last| last + 1);
    Pieces::Coded {
        codes: Cow::Borrowed(codes),
        table: plain.chain(held.take(needed)).collect(),
        texts: Texts::Values(dictionary),
    }
}

/// What a part of a joined level makes of a column.
pub(super) fn joined<'a>(part: &LevelPart, column: &'a Column, workers: Parallelism) -> Pieces<'a> {
    match column.cells() {
        ColumnCells::Codes { codes, dictionary } => {
            if matches!(part, LevelPart::Path(_)) && is_plain_text(column, dictionary) {
                return Pieces::Coded {
                    codes: Cow::Borrowed(codes),
                    table: vec![NO_VALUE; FIRST_VALUE as usize],
                    texts: Texts::Column(dictionary),
                };
            }
            let mut made = Interned::default();
            let codes_held = FIRST_VALUE as usize + dictionary.len();
            let value = |code: usize| dictionary.value(narrow(code as u64));
            let table = match part {
                LevelPart::Bucket { buckets, .. } if buckets.get() <= MOST_NUMBERED => {
                    // The buckets of texts are known without a text of each.
                    for bucket in 1..=buckets.get() {
                        made.number(&bucket.to_string());
                    }
                    let of_text = |code| match value(code) {
                        Value::Text(text) => Some(bucket(text, buckets.get()) - 1),
                        _ => None,
                    };
                    let mut found = vec![None; codes_held];
                    let length = workers.share(codes_held, GRAIN);
                    let parts = (0..).step_by(length).zip(found.chunks_mut(length));
                    workers.each(parts, |(start, part)| {
                        for (code, slot) in (start..).zip(part) {
                            *slot = of_text(code);
                        }
                    });
                    let found = found.into_iter().enumerate();
                    let of = |(code, bucket): (usize, Option<u32>)| {
                        bucket.unwrap_or_else(|| piece(part, value(code), &mut made))
                    };
                    found.map(of).collect()
                }
                part => (0..codes_held).map(|code| piece(part, value(code), &mut made)).collect(),
            };
            Pieces::Coded { codes: Cow::Borrowed(codes), table, texts: Texts::Made(made.texts) }
        }
        ColumnCells::Hashes { hashes, seconds } => match (part, seconds) {
            (LevelPart::Date { unit, .. }, seconds) => {
                dates(part, *unit, hashes, seconds.unwrap_or_default(), column.second_range())
            }
            (LevelPart::Bucket { buckets, .. }, _) => chance_buckets(hashes, buckets.get()),
            _ => Pieces::Hashed { hashes, column, nulls: Nulls::Gaps },
        },
    }
}

/// Whether every value is a text that is kept whole: then no two codes are one text.
fn is_plain_text(column: &Column, dictionary: &Dictionary) -> bool {
    let is_text = |code| dictionary.hash_of(code).map(ValueKind::of_hash) == Some(ValueKind::Text);
    (FIRST_VALUE..).take(dictionary.len()).all(is_text)
        && [FALSE, TRUE].iter().all(|code| column.counts().get(*code as usize) == Some(&0))
}

fn piece(part: &LevelPart, value: Value<'_>, made: &mut Interned) -> u32 {
    let key = match (value, part) {
        // The beginning is all that a prefix needs.
        (Value::Cut(text), LevelPart::Prefix { characters, .. })
            if text.chars().count() >= characters.get() as usize =>
        {
            KeyPart::Text(text.into())
        }
        (Value::Cut(_), LevelPart::Date { .. }) => return NO_TIME,
        (Value::Cut(_), _) => return NO_VALUE,
        (value, _) => value.part().unwrap_or(KeyPart::Other("[]".into())),
    };
    made.piece(part.of(&key))
}

/// A hash that is none but a code says why there is no value.
pub(super) fn gap_of_hash(hash: u64, nulls: Nulls) -> Option<Gap> {
    let code = u32::try_from(hash).ok().filter(|c| *c < FIRST_VALUE);
    match (code, nulls) {
        (Some(MISSING | ARRAY | OBJECT | TOO_LARGE), _) | (Some(NULL), Nulls::Gaps) => {
            Some(Gap::NoValue)
        }
        // Texts longer than any key.
        (None, _) if ValueKind::of_hash(hash) == ValueKind::Cut => Some(Gap::NoValue),
        _ => None,
    }
}

/// Buckets of texts that were not kept: by chance, as a good hash spreads them.
fn chance_buckets<'a>(hashes: &[u64], buckets: u32) -> Pieces<'a> {
    let code_of = |hash: &u64| {
        if gap_of_hash(*hash, Nulls::Gaps).is_some() {
            return 0;
        }
        let bucket = (hash >> 8) % u64::from(buckets.max(1));
        1 + u32::try_from(bucket).unwrap_or(0)
    };
    Pieces::Coded {
        codes: Cow::Owned(hashes.iter().map(code_of).collect()),
        table: std::iter::once(NO_VALUE).chain(0..buckets).collect(),
        texts: Texts::Made((1..=buckets).map(|n| n.to_string().into()).collect()),
    }
}

/// Whether the part needs texts that a near-unique column does not keep, so that its result is by chance.
pub(super) fn is_by_chance(part: &LevelPart, column: &Column) -> bool {
    let ColumnCells::Hashes { seconds, .. } = column.cells() else {
        return false;
    };
    match part {
        LevelPart::Prefix { .. } | LevelPart::Lower(_) | LevelPart::Bucket { .. } => true,
        LevelPart::Date { .. } => seconds.is_none(),
        LevelPart::Path(_) | LevelPart::Literal(_) | LevelPart::Random { .. } => false,
    }
}
