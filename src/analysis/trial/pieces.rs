//! What each part of a key makes of the documents: worked out once for each different value, then looked up.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::model::documents::{
    ARRAY, Cells, Column, Dictionary, FALSE, FIRST_VALUE, Kind, MISSING, NULL, OBJECT, TOO_LARGE,
    TRUE, Value,
};
use crate::model::key::Part as KeyPart;
use crate::model::time::Stamp;

use super::super::candidate::{DateUnit, Gap, Part};

/// Numbers of pieces from here on say why there is none.
const MISSING_GAP: u32 = u32::MAX - 3;
const NULL_GAP: u32 = u32::MAX - 2;
const UNUSABLE_GAP: u32 = u32::MAX - 1;
const NO_TIME_GAP: u32 = u32::MAX;

pub(super) fn gap_of(piece: u32) -> Option<Gap> {
    match piece {
        MISSING_GAP => Some(Gap::Missing),
        NULL_GAP => Some(Gap::Null),
        UNUSABLE_GAP => Some(Gap::Unusable),
        NO_TIME_GAP => Some(Gap::NoTime),
        _ => None,
    }
}

fn marked(gap: Gap) -> u32 {
    match gap {
        Gap::Missing => MISSING_GAP,
        Gap::Null => NULL_GAP,
        Gap::Unusable => UNUSABLE_GAP,
        Gap::NoTime => NO_TIME_GAP,
    }
}

/// The pieces of one part for all documents.
#[derive(Debug)]
pub(super) enum Pieces<'a> {
    /// Of each document a code, of each code a piece.
    Coded {
        codes: Cow<'a, [u32]>,
        table: Vec<u32>,
        texts: Texts<'a>,
    },
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
            Self::Values(dictionary) | Self::Column(dictionary) => match dictionary.value(piece) {
                Value::Text(text) | Value::Number(text) | Value::Cut(text) => text,
                _ => "",
            },
            Self::Made(texts) => texts.get(piece as usize).map_or("", AsRef::as_ref),
        }
    }

    /// Whether any holds a sign.
    pub fn any_holds(&self, sign: char) -> bool {
        match self {
            Self::Values(d) | Self::Column(d) => {
                d.values().any(|(code, _)| self.text(code).contains(sign))
            }
            Self::Made(texts) => texts.iter().any(|text| text.contains(sign)),
        }
    }

    /// Whether all have the same length, so that what stands beside them is told apart from them.
    pub fn is_of_one_length(&self) -> bool {
        let mut lengths: Box<dyn Iterator<Item = usize> + '_> = match self {
            Self::Values(d) | Self::Column(d) => {
                Box::new(d.values().map(|(code, _)| self.text(code).len()))
            }
            Self::Made(texts) => Box::new(texts.iter().map(|t| t.len())),
        };
        let first = lengths.next();
        lengths.all(|length| Some(length) == first)
    }
}

/// Texts numbered as they come.
#[derive(Default)]
struct Interned {
    numbers: HashMap<Box<str>, u32, foldhash::fast::FixedState>,
    texts: Vec<Box<str>>,
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

    fn piece(&mut self, found: Result<Cow<'_, str>, Gap>) -> u32 {
        match found {
            Ok(text) => self.number(&text),
            Err(gap) => marked(gap),
        }
    }
}

/// A level that is one path: its values as they are.
pub(super) fn alone(column: &Column) -> Pieces<'_> {
    let (codes, dictionary) = match column.cells() {
        Cells::Codes { codes, dictionary } => (codes, dictionary),
        Cells::Hashes { hashes, .. } => {
            return Pieces::Hashed {
                hashes,
                column,
                nulls: Nulls::Values,
            };
        }
    };
    let plain = (0..FIRST_VALUE).map(|code| match code {
        NULL | FALSE | TRUE => code,
        ARRAY | OBJECT | TOO_LARGE => UNUSABLE_GAP,
        _ => MISSING_GAP,
    });
    let held = dictionary.values().map(|(code, value)| match value {
        Value::Cut(_) => UNUSABLE_GAP,
        _ => code,
    });
    Pieces::Coded {
        codes: Cow::Borrowed(codes),
        table: plain.chain(held).collect(),
        texts: Texts::Values(dictionary),
    }
}

/// What a part of a joined level makes of a column.
pub(super) fn joined<'a>(part: &Part, column: &'a Column) -> Pieces<'a> {
    match column.cells() {
        Cells::Codes { codes, dictionary } => {
            if matches!(part, Part::Path(_)) && is_plain_text(codes, dictionary) {
                let gaps = (0..FIRST_VALUE).map(|code| match code {
                    NULL => NULL_GAP,
                    ARRAY | OBJECT | TOO_LARGE => UNUSABLE_GAP,
                    _ => MISSING_GAP,
                });
                let held = dictionary.values().map(|(code, _)| code);
                return Pieces::Coded {
                    codes: Cow::Borrowed(codes),
                    table: gaps.chain(held).collect(),
                    texts: Texts::Column(dictionary),
                };
            }
            let mut made = Interned::default();
            let plain = (0..FIRST_VALUE).map(|code| (code, dictionary.value(code)));
            let all = plain.chain(dictionary.values());
            let table = all
                .map(|(_, value)| piece(part, value, &mut made))
                .collect();
            Pieces::Coded {
                codes: Cow::Borrowed(codes),
                table,
                texts: Texts::Made(made.texts),
            }
        }
        Cells::Hashes { hashes, seconds } => match (part, seconds) {
            (Part::Date { unit, .. }, Some(seconds)) => dates(part, *unit, hashes, seconds),
            (Part::Date { unit, .. }, None) => dates(part, *unit, hashes, &[]),
            (Part::Bucket { buckets, .. }, _) => chance_buckets(hashes, buckets.get()),
            _ => Pieces::Hashed {
                hashes,
                column,
                nulls: Nulls::Gaps,
            },
        },
    }
}

/// Whether every value is a text that is kept whole: then no two codes are one text.
fn is_plain_text(codes: &[u32], dictionary: &Dictionary) -> bool {
    let is_text = |(code, _)| dictionary.hash_of(code).map(Kind::of_hash) == Some(Kind::Text);
    dictionary.values().all(is_text) && !codes.iter().any(|c| matches!(*c, FALSE | TRUE))
}

fn piece(part: &Part, value: Value<'_>, made: &mut Interned) -> u32 {
    match value {
        // The beginning is all that a prefix needs.
        Value::Cut(text) => match part {
            Part::Prefix { characters, .. }
                if text.chars().count() >= characters.get() as usize =>
            {
                let key = KeyPart::Text(text.into());
                let found = part.of(&key);
                made.piece(found)
            }
            Part::Date { .. } => NO_TIME_GAP,
            _ => UNUSABLE_GAP,
        },
        value => {
            let key = value.part().unwrap_or(KeyPart::Other("[]".into()));
            let found = part.of(&key);
            made.piece(found)
        }
    }
}

/// A hash that is none but a code says why there is no value.
pub(super) fn gap_of_hash(hash: u64, nulls: Nulls) -> Option<Gap> {
    let code = u32::try_from(hash).ok().filter(|c| *c < FIRST_VALUE);
    match (code, nulls) {
        (Some(MISSING), _) => Some(Gap::Missing),
        (Some(NULL), Nulls::Gaps) => Some(Gap::Null),
        (Some(ARRAY | OBJECT | TOO_LARGE), _) => Some(Gap::Unusable),
        // Texts longer than any key.
        (None, _) if Kind::of_hash(hash) == Kind::Cut => Some(Gap::Unusable),
        _ => None,
    }
}

/// Dates of a near-unique column from its seconds.
fn dates<'a>(part: &Part, unit: DateUnit, hashes: &[u64], seconds: &[u32]) -> Pieces<'a> {
    let step = match unit {
        DateUnit::Minute => 60,
        DateUnit::Hour => 3_600,
        DateUnit::Day | DateUnit::Month | DateUnit::Year => 86_400,
    };
    let mut made = Interned::default();
    // The first codes say why there is no date.
    let mut table = vec![MISSING_GAP, NULL_GAP, UNUSABLE_GAP, NO_TIME_GAP];
    let known = || seconds.iter().filter(|s| **s != u32::MAX);
    let first = known().min().copied().unwrap_or(0) / step;
    let last = known().max().copied().unwrap_or(0) / step;
    let mut numbers = vec![0_u32; (last.saturating_sub(first) as usize).saturating_add(1)];
    let mut code_of = |hash: &u64, second: u32| {
        if second == u32::MAX {
            return match gap_of_hash(*hash, Nulls::Gaps) {
                Some(Gap::Missing) => 0,
                Some(Gap::Null) => 1,
                Some(_) => 2,
                None => 3,
            };
        }
        let at = second / step;
        let Some(number) = numbers.get_mut(at.saturating_sub(first) as usize) else {
            return 3;
        };
        if *number == 0 {
            let start = i64::from(at) * i64::from(step);
            let stamp = Stamp::from_seconds(start).map(Stamp::rfc3339);
            let key = KeyPart::Text(stamp.unwrap_or_default().into());
            let found = part.of(&key);
            *number = u32::try_from(table.len()).unwrap_or(0);
            table.push(made.piece(found));
        }
        *number
    };
    let seconds = seconds.iter().copied().chain(std::iter::repeat(u32::MAX));
    let codes = hashes.iter().zip(seconds).map(|(h, s)| code_of(h, s));
    let codes: Vec<u32> = codes.collect();
    Pieces::Coded {
        codes: Cow::Owned(codes),
        table,
        texts: Texts::Made(made.texts),
    }
}

/// Buckets of texts that were not kept: by chance, as a good hash spreads them.
fn chance_buckets<'a>(hashes: &[u64], buckets: u32) -> Pieces<'a> {
    let first = 3;
    let gaps = [MISSING_GAP, NULL_GAP, UNUSABLE_GAP];
    let code_of = |hash: &u64| match gap_of_hash(*hash, Nulls::Gaps) {
        Some(Gap::Missing) => 0,
        Some(Gap::Null) => 1,
        Some(_) => 2,
        None => {
            let bucket = (hash >> 8) % u64::from(buckets.max(1));
            first + u32::try_from(bucket).unwrap_or(0)
        }
    };
    Pieces::Coded {
        codes: Cow::Owned(hashes.iter().map(code_of).collect()),
        table: gaps.into_iter().chain(0..buckets).collect(),
        texts: Texts::Made((1..=buckets).map(|n| n.to_string().into()).collect()),
    }
}

/// Whether the part needs texts that a near-unique column does not keep, so that its result is by chance.
pub(super) fn is_by_chance(part: &Part, column: &Column) -> bool {
    let Cells::Hashes { seconds, .. } = column.cells() else {
        return false;
    };
    match part {
        Part::Prefix { .. } | Part::Lower(_) | Part::Bucket { .. } => true,
        Part::Date { .. } => seconds.is_none(),
        Part::Path(_) | Part::Literal(_) | Part::Random { .. } => false,
    }
}
