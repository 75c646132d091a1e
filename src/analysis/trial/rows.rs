//! Documents get the numbers of their groups, block by block: parts of the rows by as many hands as there are, with the same
//! numbers however many these are.

use super::super::candidate::Gaps;
use super::column_values::ColumnValues;
use super::digits::{BLOCK, Level};
use super::fold::FoldContext;
use super::numbering::{Numbering, moved};
use super::pairs::{Pairs, ParentGroups};
use super::sizes::{Sizes, Sums};

/// Blocks of rows between two looks at whether the groups are still wanted.
const BLOCKS: usize = 128;
/// Cells of a table of sums for each row of its part, at most.
const CELLS_A_ROW: usize = 4;

/// What became of rows that were given numbers.
pub(super) struct RowGroups<'a> {
    pub pairs: Pairs<'a>,
    pub sizes: Sizes<'a>,
    pub gaps: Gaps,
}

/// Every block of some rows from the first on; none where it was not wanted to the end.
fn blocks(
    of_row: &mut [u32],
    start: usize,
    by: FoldContext<'_>,
    mut work: impl FnMut(usize, &mut [u32]),
) -> Option<()> {
    for (block, groups) in of_row.chunks_mut(BLOCK).enumerate() {
        if block % BLOCKS == 0 && !(by.keep_going)() {
            return None;
        }
        work(start + block * BLOCK, groups);
    }
    Some(())
}

/// Works on parts of all rows in parallel. Each part has a table of `cells`: there are only so few parts that all tables
/// together are a few times as long as the rows.
fn parts<R: Send>(
    of_row: &mut [u32],
    cells: usize,
    by: FoldContext<'_>,
    work: impl Fn(usize, &mut [u32]) -> Option<R> + Sync,
) -> Option<Vec<R>> {
    let length = part_length(of_row.len(), cells, by);
    let parts = of_row.chunks_mut(length).enumerate();
    let found = by.workers.each(parts, |(part, rows)| work(part * length, rows));
    found.into_iter().collect()
}

fn part_length(rows: usize, cells: usize, by: FoldContext<'_>) -> usize {
    by.workers.share(rows, BLOCK * BLOCKS * (cells / CELLS_A_ROW / (BLOCK * BLOCKS)).max(1))
}

fn of_rows<T>(values: &[T], start: usize, length: usize) -> &[T] {
    values.get(start..start + length).unwrap_or_default()
}

fn together(found: Vec<(Gaps, Sums)>, by: FoldContext<'_>) -> (Gaps, Sums) {
    let mut found = found.into_iter();
    let first = found.next().unwrap_or_default();
    found.fold(first, |(mut gaps, sums), other| {
        gaps.add_all(&other.0);
        (gaps, sums.and(&other.1, by.workers))
    })
}

/// What groups have whose numbers are known.
pub(super) fn sum_up(
    of_row: &[u32],
    sizes: &[u32],
    groups: usize,
    by: FoldContext<'_>,
) -> Option<Sums> {
    let length = part_length(sizes.len(), groups, by);
    let parts = of_row.chunks(length).zip(sizes.chunks(length));
    let found = by.workers.each(parts, |(of_row, sizes)| {
        let mut sums = Sums::of(groups);
        let parts = of_row.chunks(BLOCK * BLOCKS);
        for (of_row, sizes) in parts.zip(sizes.chunks(BLOCK * BLOCKS)) {
            if !(by.keep_going)() {
                return None;
            }
            sums.add(of_row, sizes);
        }
        Some((Gaps::default(), sums))
    });
    Some(together(found.into_iter().collect::<Option<_>>()?, by).1)
}

/// Numbers as the values have them; what goes with another group comes behind.
pub(super) fn number_by_value<'a>(
    of_row: &mut [u32],
    own: &ColumnValues<'a>,
    with: ParentGroups<'a>,
    sizes: &[u32],
    by: FoldContext<'_>,
) -> Option<RowGroups<'a>> {
    let values = own.values;
    let other = u32::try_from(values).ok()?;
    let found = parts(of_row, values, by, |start, rows| {
        let (mut gaps, mut sums) = (Gaps::default(), Sums::of(values + 1));
        let mut others: Vec<(u32, u32, u64)> = Vec::new();
        blocks(rows, start, by, |at, groups| {
            let codes = of_rows(own.codes, at, groups.len());
            for (row, (group, code)) in (at..).zip(groups.iter_mut().zip(codes)) {
                let gap = if own.is_whole { None } else { own.gap(row, *code) };
                if gap.is_none() && with.of(*code) == *group {
                    *group = *code;
                    continue;
                }
                if let Some(gap) = gap {
                    gaps.add(gap, 1);
                }
                let value = gap.map_or(u64::from(*code) + 1, |_| 0);
                others.push((u32::try_from(row).unwrap_or(u32::MAX), *group, value));
                *group = other;
            }
            sums.add(groups, of_rows(sizes, at, groups.len()));
        })?;
        Some(((gaps, sums), others))
    })?;
    let (found, others): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let (gaps, mut sums) = together(found, by);
    sums.cut(values);
    let mut numbers = Numbering::default();
    for (row, group, value) in others.into_iter().flatten() {
        let number = other.saturating_add(numbers.number(group, value));
        if let Some(slot) = of_row.get_mut(row as usize) {
            *slot = number;
        }
        if let Some(size) = sizes.get(row as usize) {
            sums.add_to(number, [1, u64::from(*size)]);
        }
    }
    Some(RowGroups {
        pairs: Pairs::Own { with, values, others: numbers.pairs },
        sizes: sums.done(),
        gaps,
    })
}

/// Group and value in one number.
pub(super) fn joined<'a>(
    of_row: &mut [u32],
    level: &Level<'_>,
    (width, cells): (u32, usize),
    sizes: &[u32],
    by: FoldContext<'_>,
) -> Option<RowGroups<'a>> {
    let found = parts(of_row, cells, by, |start, rows| {
        let (mut gaps, mut sums) = (Gaps::default(), Sums::of(cells));
        let mut values = [0_u64; BLOCK];
        blocks(rows, start, by, |at, groups| {
            let values = values.get_mut(..groups.len()).unwrap_or_default();
            level.indexes(at, values, &mut gaps);
            for (group, value) in groups.iter_mut().zip(values) {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "values lie below the width, which is of 32 bits, and marks above them"
                )]
                let value = *value as u32;
                *group = group.wrapping_mul(width).wrapping_add(value);
            }
            sums.add(groups, of_rows(sizes, at, groups.len()));
        })?;
        Some((gaps, sums))
    })?;
    let (gaps, sums) = together(found, by);
    Some(RowGroups { pairs: Pairs::Joined { width, count: cells }, sizes: sums.done(), gaps })
}

/// What became of some rows whose groups were numbered as they came.
#[derive(Default)]
struct NumberedRows {
    numbers: Numbering,
    gaps: Gaps,
    sums: Sums,
}

impl NumberedRows {
    /// Takes in what was found of rows that come behind.
    fn take_in(&mut self, others: Self) -> Vec<u32> {
        self.gaps.add_all(&others.gaps);
        let to = self.numbers.take_in(others.numbers);
        let sizes = others.sums.done();
        sizes.all(|group, has| self.sums.add_to(moved(&to, group), has));
        to
    }
}

/// Numbers for groups as they come. Rows are numbered in parts, each by itself; then the parts are taken in one after
/// another, which gives the numbers that one hand would have given.
pub(super) fn numbered<'a>(
    of_row: &mut [u32],
    level: &Level<'_>,
    sizes: &[u32],
    by: FoldContext<'_>,
) -> Option<RowGroups<'a>> {
    let one = |start, rows: &mut [u32]| number_part((start, rows), level, sizes, by);
    let mut found = parts(of_row, 0, by, one)?.into_iter();
    let mut first = found.next().unwrap_or_default();
    let moves: Vec<Vec<u32>> = found.map(|others| first.take_in(others)).collect();
    let length = by.workers.share(of_row.len(), BLOCK * BLOCKS);
    let behind = of_row.chunks_mut(length).skip(1).zip(&moves);
    let each = length.div_ceil(by.workers.workers()).max(1);
    let behind = behind.flat_map(|(rows, to)| rows.chunks_mut(each).map(move |r| (r, to)));
    by.workers.each(behind, |(rows, to)| {
        for row in rows {
            *row = moved(to, *row);
        }
    });
    Some(RowGroups {
        pairs: Pairs::Listed(first.numbers.pairs),
        sizes: first.sums.done(),
        gaps: first.gaps,
    })
}

fn number_part(
    (start, of_row): (usize, &mut [u32]),
    level: &Level<'_>,
    sizes: &[u32],
    by: FoldContext<'_>,
) -> Option<NumberedRows> {
    let NumberedRows { mut numbers, mut gaps, mut sums } = NumberedRows::default();
    let mut indexes = [0_u64; BLOCK];
    blocks(of_row, start, by, |at, groups| {
        let indexes = indexes.get_mut(..groups.len()).unwrap_or_default();
        level.indexes(at, indexes, &mut gaps);
        for (group, index) in groups.iter_mut().zip(indexes) {
            *group = numbers.number(*group, *index);
        }
        sums.reach(numbers.pairs.len());
        sums.add(groups, of_rows(sizes, at, groups.len()));
    })?;
    Some(NumberedRows { numbers, gaps, sums })
}
