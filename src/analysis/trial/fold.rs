//! Documents by key: parts folded from left to right over numbers, (group so far, piece) → group. Texts are made of few
//! groups, never of each document.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;

use crate::model::documents::{Column, Documents, Value};

use super::super::candidate::{Candidate, Draws, Gap, Gaps, Level, Part};
use super::KeepGoing;
use super::numbering::Numbering;
use super::pieces::{self, Pieces, Texts, gap_of, gap_of_hash};

/// The group of documents whose level has no value.
const GAP: u32 = u32::MAX;

/// All documents by their keys.
#[derive(Debug)]
pub(super) struct Groups<'a> {
    /// The group of each document.
    pub of_row: Vec<u32>,
    pub levels: Vec<LevelFold<'a>>,
    /// For each number of levels: (group of one level less, value of this level).
    pub depths: Vec<Vec<(u32, u64)>>,
}

/// One level's values.
#[derive(Debug)]
pub(super) struct LevelFold<'a> {
    pub steps: Vec<Step<'a>>,
    /// Of values that more than one sequence of pieces gives, the sequence that stands for each; empty where each value
    /// has one.
    pub sequences: Vec<u32>,
    pub gaps: Gaps,
    /// Something of it could not be told from what was kept.
    pub by_chance: bool,
}

/// One part: what it adds to the sequences so far.
#[derive(Debug)]
pub(super) struct Step<'a> {
    pub piece: Piece<'a>,
    /// (sequence before, piece), by the number of the sequence; empty where every sequence gets the same text.
    pub pairs: Vec<(u32, u64)>,
}

#[derive(Debug)]
pub(super) enum Piece<'a> {
    Literal(&'a str),
    /// The piece is the suffix itself.
    Suffix,
    Texts(Texts<'a>),
    Hash(&'a Column),
}

impl<'a> Groups<'a> {
    /// None where it was not wanted to the end.
    pub fn of(
        documents: &'a Documents,
        candidate: &'a Candidate,
        seed: u64,
        keep_going: &KeepGoing<'_>,
    ) -> Option<Self> {
        let rows = documents.len();
        let is_drawn = candidate.parts().any(|p| matches!(p, Part::Random { .. }));
        let mut draws: Vec<Draws> = if is_drawn {
            (0..).take(rows).map(|row| Draws::of(seed, row)).collect()
        } else {
            Vec::new()
        };
        let mut of_row = vec![0; rows];
        let mut count = 1;
        let mut groups = Self {
            of_row: Vec::new(),
            levels: Vec::new(),
            depths: Vec::new(),
        };
        for level in &candidate.levels {
            let mut fold = Fold::new(documents, &mut draws);
            fold.level(level, keep_going)?;
            fold.merge_alike();
            let width = fold.count + 1;
            let mut numbers = Numbering::of(count, width, rows);
            for (group, value) in of_row.iter_mut().zip(&fold.of_row) {
                // No value is 0, the others follow.
                *group = numbers.number(*group, u64::from(value.wrapping_add(1)));
            }
            count = numbers.len();
            groups.depths.push(numbers.into_pairs());
            groups.levels.push(fold.done);
        }
        groups.of_row = of_row;
        keep_going().then_some(groups)
    }

    pub fn len(&self) -> usize {
        self.depths.last().map_or(0, Vec::len)
    }

    /// The groups of the first level to which the groups of all levels belong, or of the first `depth` levels.
    pub fn prefixes(&self, depth: usize) -> Vec<u32> {
        let mut of_group: Vec<u32> = (0..).take(self.len()).collect();
        for pairs in self.depths.iter().skip(depth).rev() {
            for group in &mut of_group {
                *group = pairs.get(*group as usize).map_or(0, |p| p.0);
            }
        }
        of_group
    }
}

/// A level that is being folded.
struct Fold<'a, 'd> {
    documents: &'a Documents,
    draws: &'d mut Vec<Draws>,
    of_row: Vec<u32>,
    count: usize,
    done: LevelFold<'a>,
}

impl<'a, 'd> Fold<'a, 'd> {
    fn new(documents: &'a Documents, draws: &'d mut Vec<Draws>) -> Self {
        Self {
            documents,
            draws,
            of_row: vec![0; documents.len()],
            count: 1,
            done: LevelFold {
                steps: Vec::new(),
                sequences: Vec::new(),
                gaps: Gaps::default(),
                by_chance: false,
            },
        }
    }

    fn level(&mut self, level: &'a Level, keep_going: &KeepGoing<'_>) -> Option<()> {
        if let Some(path) = level.path() {
            match self.documents.column(path) {
                Some(column) => self.pieces(pieces::alone(column)),
                None => self.nothing(),
            }
            return keep_going().then_some(());
        }
        for part in &level.parts {
            match part {
                Part::Literal(text) => self.done.steps.push(Step {
                    piece: Piece::Literal(text),
                    pairs: Vec::new(),
                }),
                Part::Random { buckets } => self.suffix(*buckets),
                part => match part.path().and_then(|path| self.documents.column(path)) {
                    Some(column) => {
                        self.done.by_chance |= pieces::is_by_chance(part, column);
                        self.pieces(pieces::joined(part, column));
                    }
                    None => self.nothing(),
                },
            }
            keep_going().then_some(())?;
        }
        Some(())
    }

    /// No document has the path.
    fn nothing(&mut self) {
        for value in &mut self.of_row {
            if *value != GAP {
                *value = GAP;
                self.done.gaps.add(Gap::Missing, 1);
            }
        }
    }

    fn suffix(&mut self, buckets: std::num::NonZeroU32) {
        let width = usize::try_from(buckets.get()).unwrap_or(usize::MAX);
        let width = width.saturating_add(1);
        let mut numbers = Numbering::of(self.count, width, self.of_row.len());
        for (value, draws) in self.of_row.iter_mut().zip(self.draws.iter_mut()) {
            // Whoever has no value before draws nothing, as one document by itself would.
            if *value != GAP {
                *value = numbers.number(*value, u64::from(draws.draw(buckets)));
            }
        }
        self.push(Piece::Suffix, numbers);
    }

    fn pieces(&mut self, pieces: Pieces<'a>) {
        match pieces {
            Pieces::Coded {
                codes,
                table,
                texts,
            } => {
                let mut numbers = Numbering::of(self.count, texts.len(), self.of_row.len());
                for (value, code) in self.of_row.iter_mut().zip(codes.iter()) {
                    if *value == GAP {
                        continue;
                    }
                    let piece = table.get(*code as usize).copied().unwrap_or(0);
                    *value = match gap_of(piece) {
                        None => numbers.number(*value, u64::from(piece)),
                        Some(gap) => {
                            self.done.gaps.add(gap, 1);
                            GAP
                        }
                    };
                }
                self.push(Piece::Texts(texts), numbers);
            }
            Pieces::Hashed {
                hashes,
                column,
                nulls,
            } => {
                let mut numbers = Numbering::of_hashes();
                for (value, hash) in self.of_row.iter_mut().zip(hashes) {
                    if *value == GAP {
                        continue;
                    }
                    *value = match gap_of_hash(*hash, nulls) {
                        None => numbers.number(*value, *hash),
                        Some(gap) => {
                            self.done.gaps.add(gap, 1);
                            GAP
                        }
                    };
                }
                self.push(Piece::Hash(column), numbers);
            }
        }
    }

    fn push(&mut self, piece: Piece<'a>, numbers: Numbering) {
        self.count = numbers.len();
        self.done.steps.push(Step {
            piece,
            pairs: numbers.into_pairs(),
        });
    }

    /// Brings sequences together that read the same: `1` and `23` beside `12` and `3`.
    fn merge_alike(&mut self) {
        if self.done.is_told_apart() {
            return;
        }
        let mut numbers = Numbering::of_hashes();
        let mut seconds = Numbering::of_hashes();
        let (one, other) = (FixedState::with_seed(1), FixedState::with_seed(2));
        let mut merged = Vec::with_capacity(self.count);
        for sequence in (0..).take(self.count) {
            let (mut first, mut second) = (one.build_hasher(), other.build_hasher());
            let text = self.done.text(sequence);
            first.write(text.as_bytes());
            second.write(text.as_bytes());
            let outer = numbers.number(0, first.finish());
            let number = seconds.number(outer, second.finish());
            if number as usize == self.done.sequences.len() {
                self.done.sequences.push(sequence);
            }
            merged.push(number);
        }
        for value in &mut self.of_row {
            *value = merged.get(*value as usize).copied().unwrap_or(GAP);
        }
        self.count = self.done.sequences.len();
    }
}

impl LevelFold<'_> {
    /// Whether different sequences give different texts for sure: at most one piece has no fixed length. Where texts were
    /// not kept, nothing better is known.
    fn is_told_apart(&self) -> bool {
        if self.steps.len() < 2 {
            return true;
        }
        let is_free = |step: &&Step<'_>| match &step.piece {
            Piece::Literal(_) => false,
            Piece::Suffix | Piece::Hash(_) => true,
            Piece::Texts(texts) => !texts.is_of_one_length(),
        };
        let has_hash = self.steps.iter().any(|s| matches!(s.piece, Piece::Hash(_)));
        has_hash || self.steps.iter().filter(is_free).count() < 2
    }

    /// The numbers of the pieces of a sequence, step by step from the last; none for a literal.
    fn back(&self, sequence: u32) -> impl Iterator<Item = (&Step<'_>, u64)> {
        let mut at = sequence;
        self.steps.iter().rev().map(move |step| {
            if matches!(step.piece, Piece::Literal(_)) {
                return (step, 0);
            }
            let (before, piece) = step.pairs.get(at as usize).copied().unwrap_or_default();
            at = before;
            (step, piece)
        })
    }

    /// The text of a sequence; a piece that was not kept stands as its hash.
    pub fn text(&self, sequence: u32) -> String {
        let mut pieces: Vec<String> = self.back(sequence).map(|(s, p)| s.text(p)).collect();
        pieces.reverse();
        pieces.concat()
    }

    /// What tells a sequence apart where the texts of its pieces were not kept.
    pub fn unkept_hash(&self, sequence: u32) -> Option<u64> {
        let mut hash = 0_u64;
        let mut is_unkept = false;
        for (step, piece) in self.back(sequence) {
            is_unkept |= step.is_unkept(piece);
            hash = (hash.rotate_left(21) ^ piece).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        is_unkept.then_some(hash)
    }
}

impl Step<'_> {
    fn text(&self, piece: u64) -> String {
        match &self.piece {
            Piece::Literal(text) => (*text).to_owned(),
            Piece::Suffix => piece.to_string(),
            Piece::Texts(texts) => texts.text(narrow(piece)).to_owned(),
            Piece::Hash(column) => match column.value_of_hash(piece).and_then(Value::part) {
                Some(part) => Part::Path(column.path().clone())
                    .of(&part)
                    .map(std::borrow::Cow::into_owned)
                    .unwrap_or_default(),
                None => format!("{piece:016x}"),
            },
        }
    }

    fn is_unkept(&self, piece: u64) -> bool {
        match &self.piece {
            Piece::Hash(column) => column.value_of_hash(piece).is_none(),
            _ => false,
        }
    }
}

pub(super) fn narrow(piece: u64) -> u32 {
    u32::try_from(piece).unwrap_or(u32::MAX)
}
