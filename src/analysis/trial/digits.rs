//! What each document has for each part of a level, as the digits of one number.

use std::borrow::Cow;

use crate::model::documents::Documents;

use super::super::candidate::{self, Gap, Gaps, LevelPart, RandomSuffix};
use super::dates::PeriodTable;
use super::fold::FoldContext;
use super::level::{LevelFold, Piece, is_told_apart};
use super::numbering::ALONE;
use super::pieces::{self, FIRST_GAP, Nulls, Pieces, gap_of, gap_of_hash};
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
    gaps: Gaps,
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
    Together {
        numbers: Vec<u32>,
        /// The number of those that have a gap.
        gap: Option<u32>,
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
        let mut made = Self {
            sources: Vec::new(),
            pieces: Vec::new(),
            gaps: Gaps::default(),
            by_chance: false,
        };
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
        Some(made)
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

    /// Where the last part does not fit into the index, the others become one.
    fn fit(&mut self, rows: usize, by: FoldContext<'_>) -> Option<()> {
        if self.product().is_some() {
            return Some(());
        }
        let (source, piece) = (self.sources.pop(), self.pieces.pop());
        let mut numbers = vec![0; rows];
        let found = numbered(&mut numbers, 1, self, &[], by)?;
        self.gaps.add_all(&found.gaps);
        let groups = (0_u32..).take(found.pairs.len());
        let values: Vec<u64> = groups.map(|group| found.pairs.of(group).1).collect();
        let gap = (0..).zip(&values).find(|(_, value)| **value == 0);
        let gap = gap.map(|(number, _)| number);
        let pieces = std::mem::take(&mut self.pieces);
        self.sources.clear();
        self.push(Source::Together { numbers, gap }, Piece::Together { pieces, values });
        self.sources.extend(source);
        self.pieces.extend(piece);
        Some(())
    }

    /// The values of a few documents from `start` on: 0 for none, else one more than their index.
    pub fn indexes(&self, start: usize, values: &mut [u64], gaps: &mut Gaps) {
        if self.whole_indexes(start, values) {
            return;
        }
        self.marked_indexes(start, values, gaps);
        for value in values {
            *value &= !ALONE;
        }
    }

    /// The same, with marks on what one document alone has.
    pub fn marked_indexes(&self, start: usize, values: &mut [u64], gaps: &mut Gaps) {
        values.fill(0);
        for (source, width) in &self.sources {
            source.add_to(start, values, *width, gaps);
        }
        for value in values {
            *value = value.wrapping_add(1);
        }
    }

    /// The same where every one of the documents has a value; false where one has none, or where that takes a closer look.
    fn whole_indexes(&self, start: usize, values: &mut [u64]) -> bool {
        values.fill(0);
        let mut sources = self.sources.iter();
        let is_whole = sources.all(|(source, width)| source.put_whole(start, values, *width));
        for value in values {
            *value = value.wrapping_add(1);
        }
        is_whole
    }

    /// Whether different values have different texts for sure.
    pub fn is_told_apart(&self) -> bool {
        is_told_apart(&self.pieces)
    }

    pub fn add_gaps(&mut self, gaps: &Gaps) {
        self.gaps.add_all(gaps);
    }

    pub fn done(self) -> LevelFold<'a> {
        LevelFold { pieces: self.pieces, gaps: self.gaps, by_chance: self.by_chance }
    }
}

/// Adds a digit, or notes that there is none.
fn put(value: &mut u64, width: u64, digit: Result<u64, Option<Gap>>, gaps: &mut Gaps) {
    match digit {
        Ok(digit) => {
            let index = (*value & !ALONE).wrapping_mul(width).wrapping_add(digit);
            *value = index | *value & ALONE;
        }
        Err(gap) => {
            if let Some(gap) = gap {
                gaps.add(gap, 1);
            }
            *value = GAP;
        }
    }
}

fn joined(value: u64, width: u64, digit: u32) -> u64 {
    value.wrapping_mul(width).wrapping_add(u64::from(digit))
}

fn rows<T>(values: &[T], start: usize, length: usize) -> &[T] {
    values.get(start..start + length).unwrap_or_default()
}

impl Source<'_> {
    /// Adds the digits of a few documents, of which each must have one: nothing is asked for each but whether all have, at
    /// the end.
    fn put_whole(&self, start: usize, values: &mut [u64], width: u64) -> bool {
        let length = values.len();
        let mut highest = 0;
        match self {
            Self::Nothing | Self::Hashed { .. } | Self::Together { .. } => return false,
            Self::Suffix(suffix) => {
                for (row, value) in (start as u64..).zip(values) {
                    *value = joined(*value, width, suffix.of(row));
                }
            }
            Self::Coded { codes, table } => {
                let codes = rows(codes, start, length);
                for (value, code) in values.iter_mut().zip(codes) {
                    let piece = table.get(*code as usize).copied().unwrap_or(*code);
                    highest = highest.max(piece);
                    *value = joined(*value, width, piece);
                }
            }
            Self::Dated(dated) => {
                dated.pieces_of(start, length, |at, piece| {
                    highest = highest.max(piece);
                    if let Some(value) = values.get_mut(at) {
                        *value = joined(*value, width, piece);
                    }
                });
            }
        }
        highest < FIRST_GAP
    }

    fn add_to(&self, start: usize, values: &mut [u64], width: u64, gaps: &mut Gaps) {
        let length = values.len();
        // Whoever has a gap before has no more of them.
        match self {
            Self::Nothing => {
                for value in values.iter_mut().filter(|v| **v != GAP) {
                    put(value, width, Err(Some(Gap::NoValue)), gaps);
                }
            }
            Self::Suffix(suffix) => {
                for (row, value) in (start as u64..).zip(values).filter(|(_, v)| **v != GAP) {
                    put(value, width, Ok(u64::from(suffix.of(row))), gaps);
                }
            }
            Self::Coded { codes, table } => {
                let codes = rows(codes, start, length).iter();
                let open = values.iter_mut().zip(codes).filter(|(v, _)| **v != GAP);
                for (value, code) in open {
                    let piece = table.get(*code as usize).copied().unwrap_or(*code);
                    let digit = gap_of(piece).map_or(Ok(u64::from(piece)), |gap| Err(Some(gap)));
                    put(value, width, digit, gaps);
                }
            }
            Self::Dated(dated) => {
                for (row, value) in (start..).zip(values).filter(|(_, v)| **v != GAP) {
                    put(value, width, dated.digit(row).map_err(Some), gaps);
                }
            }
            Self::Hashed { hashes, codes, shared, nulls } => {
                let both = rows(hashes, start, length).iter();
                let both = both.zip(rows(codes, start, length));
                let open = values.iter_mut().zip(both).filter(|(v, _)| **v != GAP);
                for (value, (hash, code)) in open {
                    let gap = gap_of_hash(*hash, *nulls);
                    let digit = gap.map_or(Ok(u64::from(*code)), |gap| Err(Some(gap)));
                    put(value, width, digit, gaps);
                    if gap.is_none() && shared.get(*code as usize) == Some(&false) {
                        *value |= ALONE;
                    }
                }
            }
            Self::Together { numbers, gap } => {
                for (value, number) in values.iter_mut().zip(rows(numbers, start, length)) {
                    let digit =
                        if Some(*number) == *gap { Err(None) } else { Ok(u64::from(*number)) };
                    put(value, width, digit, gaps);
                }
            }
        }
    }
}
