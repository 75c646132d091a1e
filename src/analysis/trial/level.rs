//! The values of one level: what an index stands for, piece by piece.

use std::fmt::Write as _;

use crate::model::documents::{Column, Value};
use crate::model::key::Part;

use super::super::candidate::{Gaps, LevelPart};
use super::fold::narrow;
use super::keys::KeyPart;
use super::numbering::ALONE;
use super::pieces::Texts;

/// A text in two parts: what values that follow each other often have in common, and the last piece.
#[derive(Debug, Default)]
pub(super) struct SplitText {
    /// That of all pieces but the last.
    index: Option<u64>,
    pub beginning: String,
    pub end: String,
    /// How many beginnings there were.
    pub beginnings: u64,
}

/// One level's values.
#[derive(Debug)]
pub(super) struct LevelFold<'a> {
    pub pieces: Vec<Piece<'a>>,
    pub gaps: Gaps,
    /// Something of it could not be told from what was kept.
    pub by_chance: bool,
}

/// What one part adds to the text.
#[derive(Debug)]
pub(super) enum Piece<'a> {
    Literal(&'a str),
    /// The piece is the suffix itself, below this width.
    Suffix(u64),
    Texts(Texts<'a>),
    Hash(&'a Column),
    /// What several parts together have, where more of them would not fit into one index.
    Together {
        pieces: Vec<Piece<'a>>,
        values: Vec<u64>,
    },
}

impl Piece<'_> {
    /// Below which its digits lie.
    pub fn width(&self) -> u64 {
        let width = match self {
            Self::Literal(_) => 1,
            Self::Suffix(width) => return *width,
            Self::Texts(texts) => texts.len(),
            Self::Hash(column) => column.alike().len(),
            Self::Together { values, .. } => values.len(),
        };
        (width as u64).max(1)
    }

    fn push_text(&self, digit: u64, to: &mut String) {
        match self {
            Self::Literal(text) => to.push_str(text),
            Self::Suffix(_) => push_number(digit, to),
            Self::Texts(texts) => to.push_str(texts.text(narrow(digit))),
            Self::Hash(column) => {
                let hash = hash_of(column, digit);
                match column.value_of_hash(hash).and_then(Value::part) {
                    Some(part) => {
                        let path = LevelPart::Path(column.path().clone());
                        to.push_str(&path.of(&part).unwrap_or_default());
                    }
                    None => {
                        let _ = write!(to, "{hash:016x}");
                    }
                }
            }
            Self::Together { pieces, values } => {
                push_index(pieces, index_of(value_at(values, digit)), to);
            }
        }
    }

    /// What tells the piece apart from others of its part, and whether its text was not kept.
    fn mark(&self, digit: u64) -> (u64, bool) {
        match self {
            Self::Literal(_) => (0, false),
            Self::Suffix(_) | Self::Texts(_) => (digit, false),
            Self::Hash(column) => {
                let hash = hash_of(column, digit);
                (hash, column.value_of_hash(hash).is_none())
            }
            Self::Together { pieces, values } => mark(pieces, value_at(values, digit)),
        }
    }

    fn is_of_one_length(&self) -> bool {
        match self {
            Self::Literal(_) => true,
            Self::Texts(texts) => texts.is_of_one_length(),
            Self::Suffix(_) | Self::Hash(_) | Self::Together { .. } => false,
        }
    }

    /// Whether any of its texts may hold a sign.
    fn may_hold(&self, sign: char) -> bool {
        match self {
            Self::Literal(text) => text.contains(sign),
            Self::Suffix(_) => sign.is_ascii_digit(),
            Self::Texts(texts) => texts.all().any(|text| text.contains(sign)),
            Self::Hash(_) | Self::Together { .. } => true,
        }
    }
}

fn hash_of(column: &Column, digit: u64) -> u64 {
    let row = column.alike().first(narrow(digit));
    row.and_then(|row| column.hash(row as usize)).unwrap_or(0)
}

fn value_at(values: &[u64], digit: u64) -> u64 {
    values.get(narrow(digit) as usize).copied().unwrap_or(0)
}

fn index_of(value: u64) -> u64 {
    (value & !ALONE).saturating_sub(1)
}

/// The digits of a value, the last piece's first.
fn digits<'p, 'a>(
    pieces: &'p [Piece<'a>],
    value: u64,
) -> impl Iterator<Item = (&'p Piece<'a>, u64)> {
    let mut index = index_of(value);
    pieces.iter().rev().map(move |piece| {
        let width = piece.width();
        let digit = index % width;
        index /= width;
        (piece, digit)
    })
}

fn push_index(pieces: &[Piece<'_>], index: u64, to: &mut String) {
    let Some((last, before)) = pieces.split_last() else {
        return;
    };
    let (before_it, digit) = parted(index, last.width());
    push_index(before, before_it, to);
    last.push_text(digit, to);
}

/// Quotient and remainder: numbers of 32 bits are divided much faster, and most are.
fn parted(index: u64, width: u64) -> (u64, u64) {
    match (u32::try_from(index), u32::try_from(width.max(1))) {
        (Ok(index), Ok(width)) => (u64::from(index / width), u64::from(index % width)),
        _ => (index / width.max(1), index % width.max(1)),
    }
}

/// As `write!` does, of which millions take their time.
fn push_number(number: u64, to: &mut String) {
    if number > 9 {
        push_number(number / 10, to);
    }
    to.push(char::from(b'0' + u8::try_from(number % 10).unwrap_or(0)));
}

fn mark(pieces: &[Piece<'_>], value: u64) -> (u64, bool) {
    digits(pieces, value).fold((0, false), |(hash, is_unkept), (piece, digit)| {
        let (mark, unkept) = piece.mark(digit);
        let hash: u64 = hash;
        let mixed = (hash.rotate_left(21) ^ mark).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed, is_unkept || unkept)
    })
}

impl LevelFold<'_> {
    /// `value` is 0 for no value, else one more than its index.
    pub fn known(&self, value: u64) -> KeyPart {
        let digit = index_of(value);
        let (found, hash) = match self.pieces.as_slice() {
            _ if value == 0 => (Some(Value::Missing), 0),
            [Piece::Texts(Texts::Values(dictionary))] => {
                (Some(dictionary.value(narrow(digit))), digit)
            }
            [Piece::Hash(column)] => {
                let hash = hash_of(column, digit);
                (column.value_of_hash(hash), hash)
            }
            pieces => {
                if let Some(hash) = self.unkept(value) {
                    return KeyPart::Hash(hash);
                }
                let mut text = String::new();
                push_index(pieces, digit, &mut text);
                return KeyPart::Part(Part::Text(text.into()));
            }
        };
        found.and_then(Value::part).map_or(KeyPart::Hash(hash), KeyPart::Part)
    }

    /// What tells a value apart of which some text was not kept.
    fn unkept(&self, value: u64) -> Option<u64> {
        let keeps = |piece: &Piece<'_>| !matches!(piece, Piece::Hash(_) | Piece::Together { .. });
        if self.pieces.iter().all(keeps) {
            return None;
        }
        let (hash, is_unkept) = mark(&self.pieces, value);
        is_unkept.then_some(hash)
    }

    /// Writes the text of a value; false where it has none, or none that was kept.
    pub fn spell(&self, value: u64, to: &mut SplitText) -> bool {
        let digit = index_of(value);
        let Some((last, before)) = self.pieces.split_last() else {
            return value > 0;
        };
        match self.pieces.as_slice() {
            _ if value == 0 => return false,
            [Piece::Texts(Texts::Values(dictionary))] => match dictionary.value(narrow(digit)) {
                Value::Text(text) => {
                    to.end.clear();
                    to.end.push_str(text);
                    return true;
                }
                _ => return false,
            },
            [Piece::Hash(_)] => return false,
            _ if self.unkept(value).is_some() => return false,
            _ => {}
        }
        let (index, digit) = parted(digit, last.width());
        if to.index != Some(index) {
            to.index = Some(index);
            to.beginning.clear();
            push_index(before, index, &mut to.beginning);
            to.beginnings += 1;
        }
        to.end.clear();
        last.push_text(digit, &mut to.end);
        true
    }

    /// Appends the text of a value; a piece that was not kept stands as its hash.
    pub fn push_text(&self, value: u64, to: &mut String) {
        push_index(&self.pieces, index_of(value), to);
    }

    /// Whether different values have different texts for sure.
    pub fn is_told_apart(&self) -> bool {
        is_told_apart(&self.pieces)
    }
}

/// Whether different values have different texts for sure: beside at most one piece all others have a fixed length, or
/// end at a literal that they do not hold. Where texts were not kept, nothing better is known.
pub(super) fn is_told_apart(pieces: &[Piece<'_>]) -> bool {
    if pieces.iter().any(|p| matches!(p, Piece::Hash(_))) {
        return true;
    }
    let mut left = pieces;
    loop {
        left = match left {
            [] | [_] => return true,
            [rest @ .., last] if last.is_of_one_length() => rest,
            [rest @ .., Piece::Literal(sign), last] if ends(sign.chars().last(), last) => rest,
            _ => break,
        };
    }
    loop {
        left = match left {
            [] | [_] => return true,
            [first, rest @ ..] if first.is_of_one_length() => rest,
            [first, Piece::Literal(sign), rest @ ..] if ends(sign.chars().next(), first) => rest,
            _ => return false,
        };
    }
}

fn ends(sign: Option<char>, piece: &Piece<'_>) -> bool {
    sign.is_some_and(|sign| !piece.may_hold(sign))
}
