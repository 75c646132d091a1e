//! Documents as columns: for each path one value a document, kept as numbers of different values, or as hashes where
//! nearly every document has its own.
//!
//! A [`Table`] collects what any number of workers read into their [`Rows`] and becomes [`Documents`]. Pieces are handed
//! over in the order of the input, so the result does not depend on how many workers there are or how it was cut. Where
//! the columns would pass the memory they may take, a uniform sample of the documents is kept: each has a priority that
//! its place in the input and a seed decide, and those with the lowest stay.

mod column;
mod dictionary;
mod growing;
mod moments;
mod rows;
mod statistics;
mod table;
#[cfg(test)]
mod tests;
mod value;
mod value_numbers;
mod windows;

pub use column::{Column, ColumnCells};
pub use dictionary::{Dictionary, MAX_VALUES};
pub use moments::{Sureness, TimeColumn, TimeForm, moment_of};
pub use rows::Rows;
pub use statistics::{Kinds, Statistics, Top, statistics};
pub use table::{
    DEFAULT_PATHS, DEFAULT_VALUE_BYTES, DEFAULT_VALUES, MAX_PATH_NAMES, NearUnique, Table,
    TableLimits, WantedPaths,
};
pub use value::{
    ARRAY, FALSE, FIRST_VALUE, KEPT_TEXT_BYTES, MISSING, NULL, OBJECT, Scalar, TOO_LARGE, TRUE,
    Value, ValueKind,
};
pub use value_numbers::{ValueNumbers, repeated};

pub use windows::{BY_ITSELF, ReadWindow, Windows};

use super::path::Path;

/// What was read, whether it was kept or not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReadCounts {
    pub documents: u64,
    pub bytes: u64,
    /// Values at paths beyond the limit of paths; of a sample at least so many.
    pub values_beyond_paths: u64,
    /// The first such path.
    pub path_beyond: Option<Path>,
    /// Objects inside more than `MAX_PATH_NAMES` others: what they hold has no column.
    pub objects_too_deep: u64,
}

/// Documents that do not change any more.
#[derive(Clone, Debug, Default)]
pub struct Documents {
    columns: Vec<Column>,
    bytes: Vec<u32>,
    seen: ReadCounts,
    times: Vec<TimeColumn>,
    windows: Windows,
}

impl Documents {
    fn new(columns: Vec<Column>, mut bytes: Vec<u32>, of_row: Vec<u32>, seen: ReadCounts) -> Self {
        bytes.shrink_to_fit();
        Self {
            windows: Windows { of_row, all: Vec::new() },
            times: moments::of_columns(&columns, bytes.len()),
            columns,
            bytes,
            seen,
        }
    }

    /// Documents that were kept: the rows of the columns.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn seen(&self) -> &ReadCounts {
        &self.seen
    }

    /// Whether only a part of what was seen was kept.
    pub fn is_sampled(&self) -> bool {
        self.seen.documents > self.bytes.len() as u64
    }

    /// What the numbers of windows mean that came with the documents.
    #[must_use]
    pub fn with_windows(mut self, all: Vec<ReadWindow>) -> Self {
        self.windows.all = all;
        if self.is_sampled() {
            self.windows = self.windows.of_rows(<[u32]>::to_vec);
        }
        self
    }

    pub fn windows(&self) -> &Windows {
        &self.windows
    }

    /// The size of each kept document: its text as found, without line end and without blanks outside strings.
    pub fn bytes(&self) -> &[u32] {
        &self.bytes
    }

    pub fn kept_bytes(&self) -> u64 {
        self.bytes.iter().map(|b| u64::from(*b)).sum()
    }

    /// In the order in which the documents name their paths, or as the paths were asked for.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    pub fn column(&self, path: &Path) -> Option<&Column> {
        self.columns.iter().find(|c| c.path() == path)
    }

    /// Columns that can serve as the time of a document, the best first.
    pub fn time_columns(&self) -> &[TimeColumn] {
        &self.times
    }

    /// Whether a path holds times, for all that is known.
    pub fn is_time(&self, path: &Path) -> bool {
        let column = |time: &TimeColumn| self.columns.get(time.column);
        let mut sure = self.times.iter().filter(|t| t.sureness > Sureness::Possible);
        sure.any(|time| column(time).map(Column::path) == Some(path))
    }
}
