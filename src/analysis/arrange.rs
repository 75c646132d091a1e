//! Sorting and filtering the rows of a container's columns: a million keys in tens of milliseconds.

mod bits;
mod text_order;

use std::ops::Range;

use super::columns::{ContainerColumns, RowRef};
use super::filter::FilterRow;

pub use bits::Bits;
use text_order::sort_by_text;

words! {
    /// What rows are sorted by.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum SortBy {
        #[default]
        Size = "size",
        /// The same order as by size: all keys of a container have one ceiling.
        Share = "share",
        Growth = "growth",
        /// When it reaches the limit.
        LimitDate = "date",
        Key = "key",
        Region = "region",
        Partition = "partition",
        Ru = "ru",
        Newest = "newest",
    }
    /// For commands and settings.
    fn name, ALL
}

impl SortBy {
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.name() == name)
    }

    /// Above the column.
    pub fn label(self) -> &'static str {
        match self {
            Self::LimitDate => "20 GB on",
            Self::Ru => "RU share",
            Self::Newest => "newest sample",
            _ => self.name(),
        }
    }

    /// The direction that shows first what is looked for: the largest, the soonest, A before Z.
    pub fn first_direction(self) -> Direction {
        match self {
            Self::LimitDate | Self::Key | Self::Region | Self::Partition => Direction::Ascending,
            Self::Size | Self::Share | Self::Growth | Self::Ru | Self::Newest => {
                Direction::Descending
            }
        }
    }
}

words! {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum Direction {
        Ascending = "ascending",
        #[default]
        Descending = "descending",
    }
    fn name, ALL
}

impl Direction {
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.name() == name)
    }

    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Ascending => Self::Descending,
            Self::Descending => Self::Ascending,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Sort {
    pub by: SortBy,
    pub direction: Direction,
}

impl Sort {
    pub fn by(by: SortBy) -> Self {
        Self { by, direction: by.first_direction() }
    }
}

/// Sorts after everything that is known.
const UNKNOWN: u64 = u64::MAX;

/// All rows in an order; None when `keep_going` said no. Rows whose value is not known come last in both directions.
/// Equal ones stand by size, the largest first, then by the key's JSON text: with size first that is the order of the
/// report.
pub fn order(
    columns: &ContainerColumns<'_>,
    sort: Sort,
    keep_going: &dyn Fn() -> bool,
) -> Option<Vec<u32>> {
    let rows = 0..columns.len();
    if sort.by == SortBy::Key {
        let mut order: Vec<u32> = rows.collect();
        sort_by_text(&mut order, columns, keep_going)?;
        if sort.direction == Direction::Descending {
            order.reverse();
        }
        return Some(order);
    }
    let rank = ranks(columns, sort);
    let size = |row: u32| columns.key(row).map_or(0.0, |key| key.size_kib);
    // Where the size itself is the rank there is no use in carrying it twice.
    if matches!(sort.by, SortBy::Size | SortBy::Share) {
        let keyed = rows.map(|row| (rank(row), row));
        return sorted(keyed.collect(), columns, keep_going);
    }
    let keyed = rows.map(|row| ((rank(row), !of_f64(size(row))), row));
    sorted(keyed.collect(), columns, keep_going)
}

/// The rows in the order of their ranks; those of one rank by text.
fn sorted<R: Ord>(
    mut keyed: Vec<(R, u32)>,
    columns: &ContainerColumns<'_>,
    keep_going: &dyn Fn() -> bool,
) -> Option<Vec<u32>> {
    if !keep_going() {
        return None;
    }
    keyed.sort_unstable();
    let mut order: Vec<u32> = keyed.iter().map(|(_, row)| *row).collect();
    let mut from = 0;
    for run in keyed.chunk_by(|a, b| a.0 == b.0) {
        let to = from + run.len();
        if run.len() > 1
            && let Some(rows) = order.get_mut(from..to)
        {
            sort_by_text(rows, columns, keep_going)?;
        }
        from = to;
    }
    Some(order)
}

/// A number for each row by which rows come in the wanted order.
fn ranks(columns: &ContainerColumns<'_>, sort: Sort) -> impl Fn(u32) -> u64 {
    let is_by_region = sort.by == SortBy::Region;
    let regions = if is_by_region { region_ranks(columns) } else { Vec::new() };
    let known = move |row: RowRef<'_, '_>| match sort.by {
        SortBy::Size | SortBy::Share | SortBy::Key => Some(of_f64(row.size_kib())),
        SortBy::Growth => row.growth_kib_per_day().map(of_f64),
        SortBy::Ru => row.ru().map(of_f64),
        SortBy::LimitDate => row.key.limit_rank(),
        SortBy::Newest => row.newest().map(|at| at.ticks().cast_unsigned() ^ (1 << 63)),
        // The partitions of a container stand in the order of their ids.
        SortBy::Partition => row.key.partition_index().map(|index| u64::from(index) + 1),
        SortBy::Region => regions.get(usize::from(row.key.region)).copied().flatten(),
    };
    move |n| match (columns.row(n).and_then(&known), sort.direction) {
        (None, _) => UNKNOWN,
        (Some(rank), Direction::Ascending) => rank,
        (Some(rank), Direction::Descending) => !rank,
    }
}

/// The rank of each region by name; the one without a name has none.
fn region_ranks(columns: &ContainerColumns<'_>) -> Vec<Option<u64>> {
    let regions = &columns.capture.regions;
    let text = |n: &usize| u32::try_from(*n).map_or("", |n| regions.text(n));
    let mut numbers: Vec<usize> = (0..regions.len()).filter(|n| !text(n).is_empty()).collect();
    numbers.sort_unstable_by_key(text);
    let mut ranks = vec![None; regions.len()];
    for (number, rank) in numbers.into_iter().zip(1..) {
        if let Some(place) = ranks.get_mut(number) {
            *place = Some(rank);
        }
    }
    ranks
}

/// Whole numbers in the order of `total_cmp`; what is no number at either end.
fn of_f64(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 0 { bits | (1 << 63) } else { !bits }
}

/// The rows of a range that pass a test; None when `keep_going` said no. `among` are the rows of the whole container
/// that may pass, where a wider filter has been tried. Only ranges of `shares`, which can be tried at once and joined.
pub fn matching<'a>(
    columns: &ContainerColumns<'a>,
    rows: Range<u32>,
    among: Option<&Bits>,
    test: impl Fn(&RowRef<'_, 'a>) -> bool,
    keep_going: &dyn Fn() -> bool,
) -> Option<Bits> {
    let mut out = Bits::default();
    let mut from = rows.start;
    while from < rows.end {
        if (from - rows.start).is_multiple_of(ROWS_PER_ASKING) && !keep_going() {
            return None;
        }
        let count = (rows.end - from).min(64);
        // Where few passed before, most words hold nothing to try.
        let mut to_try = among.map_or(u64::MAX, |bits| bits.word_from(from));
        if count < 64 {
            to_try &= (1 << count) - 1;
        }
        let mut passed = 0;
        while to_try != 0 {
            let n = to_try.trailing_zeros();
            to_try &= to_try - 1;
            let is_in = columns.row(from + n).is_some_and(|row| test(&row));
            passed |= u64::from(is_in) << n;
        }
        out.push_word(passed);
        from += count;
    }
    Some(out)
}

/// Whole words of `Bits`.
const ROWS_PER_ASKING: u32 = 16 * 64;

/// Ranges over all rows, as even as whole words of `Bits` allow.
pub fn shares(rows: u32, parts: u32) -> Vec<Range<u32>> {
    let parts = u64::from(parts.max(1));
    let words = u64::from(rows).div_ceil(64);
    let edge = |n: u64| u32::try_from(words * n / parts * 64).map_or(rows, |edge| edge.min(rows));
    (0..parts).map(|n| edge(n)..edge(n + 1)).collect()
}

/// The rows of an order that passed.
pub fn narrow(order: &[u32], passed: &Bits) -> Vec<u32> {
    // One place more than is kept: each row is written, then kept or written over. Whether a row passed is as good as
    // random here, and a wrong guess of the processor costs more than the write.
    let mut out = vec![0; passed.ones() as usize + 1];
    let mut kept = 0;
    for row in order {
        if let Some(place) = out.get_mut(kept) {
            *place = *row;
        }
        kept += usize::from(passed.contains(*row));
    }
    out.truncate(kept);
    out
}

#[cfg(test)]
mod tests;
