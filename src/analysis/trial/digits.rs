//! What each document has for each part of a level, as the digits of one number.

use std::borrow::Cow;

use crate::model::documents::{Documents, MISSING};

use super::super::candidate::{self, Gap, Gaps, LevelPart, RandomSuffix};
use super::dates::PeriodTable;
use super::fold::FoldContext;
use super::level::{LevelFold, Piece, is_told_apart};
use super::numbering::ALONE;
use super::pieces::{self, Nulls, Pieces, gap_of, gap_of_hash, marked};
use super::rows::numbered;

/// Rows that are worked on together: what they need stays near the processor.
pub(super) const BLOCK: usize = 512;
/// Indexes stay below; above it are marks.
const MOST: u64 = 1 << 62;
const GAP: u64 = u64::MAX;

/// A level that is being folded.
#[derive(Debug)]
pub(super) struct Level<'a> {
    sources: Vec<(Source<'a>, u64)>,
    pieces: Vec<Piece<'a>>,
    by_chance: bool,
}

/// Where the digits of a part are from.
#[derive(Debug)]
enum Source<'a> {
    /// No document has the path.
    Nothing,
    Suffix(RandomSuffix),
    /// Codes that the table leaves out are digits themselves.
    Coded {
        codes: Cow<'a, [u32]>,
        table: Vec<u32>,
    },
    Dated(PeriodTable<'a>),
    Hashed {
        hashes: &'a [u64],
        codes: &'a [u32],
        shared: &'a [bool],
        nulls: Nulls,
    },
}

impl<'a> Level<'a> {
    /// None where it was not wanted to the end. `before` counts the random suffixes of the key.
    pub fn of(
        documents: &'a Documents,
        level: &'a candidate::Level,
        (seed, before): (u64, &mut u64),
        by: FoldContext<'_>,
    ) -> Option<Self> {
        let mut made = Self { sources: Vec::new(), pieces: Vec::new(), by_chance: false };
        if let Some(path) = level.path() {
            match documents.column(path) {
                Some(column) => made.add(pieces::alone(column)),
                None => made.sources.push((Source::Nothing, 1)),
            }
            return (by.keep_going)().then_some(made);
        }
        for part in &level.parts {
            match part {
                LevelPart::Literal(text) => made.pieces.push(Piece::Literal(text)),
                LevelPart::Random { buckets } => {
                    let width = u64::from(buckets.get()) + 1;
                    let suffix = RandomSuffix { seed, before: *before, buckets: *buckets };
                    *before += 1;
                    made.push(Source::Suffix(suffix), Piece::Suffix(width));
                }
                part => match part.path().and_then(|path| documents.column(path)) {
                    Some(column) => {
                        made.by_chance |= pieces::is_by_chance(part, column);
                        made.add(pieces::joined(part, column, by.workers));
                    }
                    None => made.sources.push((Source::Nothing, 1)),
                },
            }
            made.fit(documents.len(), by)?;
        }
        (by.keep_going)().then_some(made)
    }

    /// Where the last part does not fit into the index, the others become one.
    fn fit(&mut self, rows: usize, by: FoldContext<'_>) -> Option<()> {
        if self.product().is_some() {
            return Some(());
        }
        let (source, piece) = (self.sources.pop(), self.pieces.pop());
        let mut numbers = vec![0; rows];
        let found = numbered(&mut numbers, self, &[], by)?.pairs;
        let groups = (0_u32..).take(found.len());
        let values: Vec<u64> = groups.map(|group| found.of(group).1).collect();
        // Those without a value are one group.
        let gap = values.iter().position(|value| *value == 0);
        let mut table: Vec<u32> = (0_u32..).take(gap.map_or(0, |gap| gap + 1)).collect();
        if let Some(last) = table.last_mut() {
            *last = marked(Gap::NoValue);
        }
        let pieces = std::mem::take(&mut self.pieces);
        self.sources.clear();
        let together = Source::Coded { codes: numbers.into(), table };
        self.push(together, Piece::Together { pieces, values });
        self.sources.extend(source);
        self.pieces.extend(piece);
        Some(())
    }

    fn add(&mut self, pieces: Pieces<'a>) {
        match pieces {
            Pieces::Coded { codes, table, texts } => {
                self.push(Source::Coded { codes, table }, Piece::Texts(texts));
            }
            Pieces::Dated { dated, texts } => {
                self.push(Source::Dated(dated), Piece::Texts(texts));
            }
            Pieces::Hashed { hashes, column, nulls } => {
                let alike = column.alike();
                let source =
                    Source::Hashed { hashes, codes: alike.codes(), shared: alike.shared(), nulls };
                self.push(source, Piece::Hash(column));
            }
        }
    }

    fn push(&mut self, source: Source<'a>, piece: Piece<'a>) {
        self.sources.push((source, piece.width()));
        self.pieces.push(piece);
    }

    fn product(&self) -> Option<u64> {
        let mut widths = self.sources.iter().map(|(_, width)| *width);
        widths.try_fold(1, |product: u64, width| product.checked_mul(width).filter(|n| *n < MOST))
    }

    /// Indexes and the place for none, as far as a table can be so wide.
    pub fn width(&self) -> Option<usize> {
        usize::try_from(self.product()?).ok()?.checked_add(1)
    }

    /// The values of a few documents from `start` on: 0 for none, else one more than their index, with marks on what one
    /// document alone has.
    pub fn indexes(&self, start: usize, values: &mut [u64], gaps: &mut Gaps) {
        values.fill(0);
        for (source, width) in &self.sources {
            source.add_to((start, &mut *values), *width, gaps);
        }
        for value in values {
            *value = value.wrapping_add(1);
        }
    }

    /// Whether different values have different texts for sure.
    pub fn is_told_apart(&self) -> bool {
        is_told_apart(&self.pieces)
    }

    pub fn done(self, gaps: Gaps) -> LevelFold<'a> {
        LevelFold { pieces: self.pieces, gaps, by_chance: self.by_chance }
    }
}

/// Adds a digit of each, or notes that there is none. Whoever has a gap before has no more of them.
fn put(
    (start, values): (usize, &mut [u64]),
    width: u64,
    gaps: &mut Gaps,
    digit: impl Fn(usize) -> Result<u64, Gap>,
) {
    for (row, value) in (start..).zip(values).filter(|(_, value)| **value != GAP) {
        match digit(row) {
            Ok(digit) => {
                let index = (*value & !ALONE).wrapping_mul(width).wrapping_add(digit & !ALONE);
                *value = index | (*value | digit) & ALONE;
            }
            Err(gap) => {
                gaps.add(gap, 1);
                *value = GAP;
            }
        }
    }
}

impl Source<'_> {
    fn add_to(&self, values: (usize, &mut [u64]), width: u64, gaps: &mut Gaps) {
        match self {
            Self::Nothing => put(values, width, gaps, |_| Err(Gap::NoValue)),
            Self::Suffix(suffix) => {
                put(values, width, gaps, |row| Ok(u64::from(suffix.of(row as u64))));
            }
            Self::Coded { codes, table } => put(values, width, gaps, |row| {
                let code = codes.get(row).copied().unwrap_or(MISSING);
                let piece = table.get(code as usize).copied().unwrap_or(code);
                gap_of(piece).map_or(Ok(u64::from(piece)), Err)
            }),
            Self::Dated(dated) => put(values, width, gaps, |row| dated.digit(row)),
            Self::Hashed { hashes, codes, shared, nulls } => put(values, width, gaps, |row| {
                let hash = hashes.get(row).copied().unwrap_or_default();
                if let Some(gap) = gap_of_hash(hash, *nulls) {
                    return Err(gap);
                }
                let code = codes.get(row).copied().unwrap_or_default();
                let is_alone = shared.get(code as usize) == Some(&false);
                Ok(u64::from(code) | if is_alone { ALONE } else { 0 })
            }),
        }
    }
}
