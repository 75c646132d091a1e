//! A level that is one path: its values have numbers already, and each mostly goes with one group of the levels before it, as
//! a device goes with its plant.

use crate::model::documents::{Column, ColumnCells, Documents, FIRST_VALUE, MISSING};

use super::super::candidate::{Gap, Level};
use super::pieces::{self, Nulls, Pieces, gap_of, gap_of_hash};

/// Documents by which it is told whether values go with one group each.
const COMPARED: usize = 4_096;
/// Of these at most one of so many may be another's.
const ONE_OF: usize = 50;

/// The values of one path by their numbers.
#[derive(Debug)]
pub(super) struct ColumnValues<'a> {
    column: &'a Column,
    pub codes: &'a [u32],
    /// Numbers that values may have.
    pub values: usize,
    gaps: Gaps<'a>,
    /// Whether every document has a value.
    pub is_whole: bool,
}

/// What tells why there is no value.
#[derive(Debug)]
enum Gaps<'a> {
    /// By the code.
    Table(Vec<u32>),
    /// By the hash of the document.
    Hashes(&'a [u64]),
}

impl<'a> ColumnValues<'a> {
    /// None where the level is no path that any document has.
    pub fn of(documents: &'a Documents, level: &Level) -> Option<Self> {
        let column = documents.column(level.path()?)?;
        let (codes, values, gaps) = match (column.cells(), pieces::alone(column)) {
            (ColumnCells::Codes { codes, .. }, Pieces::Coded { table, texts, .. }) => {
                (codes, texts.len(), Gaps::Table(table))
            }
            (ColumnCells::Hashes { hashes, .. }, _) => {
                let alike = column.alike();
                (alike.codes(), alike.len(), Gaps::Hashes(hashes))
            }
            _ => return None,
        };
        let mut made = Self { column, codes, values, gaps, is_whole: false };
        made.is_whole = made.has_no_gaps();
        Some(made)
    }

    /// Whether every document has a value that no other has.
    pub fn is_single(&self) -> bool {
        self.is_whole && self.values == self.codes.len() && matches!(self.gaps, Gaps::Hashes(_))
    }

    /// Why a document has no value; `code` is its number.
    pub fn gap(&self, row: usize, code: u32) -> Option<Gap> {
        match &self.gaps {
            Gaps::Table(table) => table.get(code as usize).copied().and_then(gap_of),
            Gaps::Hashes(hashes) => {
                let hash = hashes.get(row).copied().unwrap_or(u64::from(MISSING));
                gap_of_hash(hash, Nulls::Values)
            }
        }
    }

    /// Whether values mostly go with one group each.
    pub fn goes_with(&self, of_row: &[u32]) -> bool {
        let step = self.codes.len().div_ceil(COMPARED).max(1);
        let rows = self.codes.iter().zip(of_row).enumerate().step_by(step);
        let compared = rows.len();
        let others = rows.filter(|(row, (code, group))| {
            let first = self.column.first(**code).unwrap_or(0);
            of_row.get(first as usize) != Some(*group) || self.gap(*row, **code).is_some()
        });
        others.count() * ONE_OF <= compared
    }

    /// The group of each value's first document.
    pub fn groups(&self, of_row: &[u32]) -> Vec<u32> {
        let group = |code: u32| {
            let first = self.column.first(code)?;
            of_row.get(first as usize).copied()
        };
        let codes = (0_u32..).take(self.values);
        codes.map(|code| group(code).unwrap_or(0)).collect()
    }

    fn has_no_gaps(&self) -> bool {
        let counts = self.column.counts();
        let is_gap = |code: u32| match &self.gaps {
            Gaps::Table(table) => table.get(code as usize).is_some_and(|p| gap_of(*p).is_some()),
            // Behind the codes stand texts, numbers and texts longer than any key.
            Gaps::Hashes(_) if code >= FIRST_VALUE => code == FIRST_VALUE + 2,
            Gaps::Hashes(_) => gap_of_hash(u64::from(code), Nulls::Values).is_some(),
        };
        let mut codes = (0_u32..).zip(counts);
        !codes.any(|(code, count)| *count > 0 && is_gap(code))
    }
}
