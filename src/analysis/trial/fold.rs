//! Documents by key: the pieces of a level become one index, and (group so far, index) a group. Texts are made of few
//! groups, never of each document.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;

use crate::model::documents::Documents;

use super::super::candidate::{Candidate, Gaps};
use super::super::parallelism::Parallelism;
use super::KeepGoing;
use super::column_values::ColumnValues;
use super::digits::Level;
use super::level::LevelFold;
use super::numbering::{Numbering, moved};
use super::pairs::{Pairs, ParentGroups};
use super::rows::{self, RowGroups};
use super::sizes::{Sizes, Sums};

/// Numbers that hold a group and a value are at most so many for two documents.
const CELLS_FOR_TWO: usize = 5;
/// Fewer are always worth it.
const SMALL_CELLS: usize = 1 << 16;

/// All documents by their keys.
#[derive(Debug)]
pub(super) struct Groups<'a> {
    /// The group of each document. Numbers of groups may be left out.
    pub of_row: Cow<'a, [u32]>,
    pub levels: Vec<LevelFold<'a>>,
    /// For each number of levels.
    pub depths: Vec<Pairs<'a>>,
    /// What the groups of all levels have.
    pub sizes: Sizes<'a>,
    /// What those of fewer levels have, one level first.
    before: Vec<Sizes<'a>>,
}

/// By whom, and as long as it is wanted.
#[derive(Clone, Copy)]
pub(super) struct FoldContext<'k> {
    pub workers: Parallelism,
    pub keep_going: &'k KeepGoing<'k>,
}

impl FoldContext<'_> {
    /// To the end.
    pub const ALONE: Self = Self { workers: Parallelism::ALONE, keep_going: &|| true };
}

impl<'a> Groups<'a> {
    /// None where it was not wanted to the end.
    pub fn of(
        documents: &'a Documents,
        candidate: &'a Candidate,
        seed: u64,
        by: FoldContext<'_>,
    ) -> Option<Self> {
        let mut suffixes = 0;
        let mut groups = Self {
            of_row: Cow::Owned(vec![0; documents.len()]),
            levels: Vec::new(),
            depths: Vec::new(),
            sizes: Sizes::default(),
            before: Vec::new(),
        };
        for level in &candidate.levels {
            let own = ColumnValues::of(documents, level);
            let made = Level::of(documents, level, (seed, &mut suffixes), by)?;
            let found = groups.add(&made, own, documents.bytes(), by)?;
            let done = made.done(found.gaps);
            if !groups.depths.is_empty() {
                groups.before.push(groups.sizes);
            }
            groups.sizes = found.sizes;
            let mut pairs = found.pairs;
            if let Pairs::Listed(listed) = &pairs
                && !done.is_told_apart()
            {
                pairs = groups.merge_alike(&done, listed);
            }
            groups.depths.push(pairs);
            groups.levels.push(done);
        }
        (by.keep_going)().then_some(groups)
    }

    /// The first groups of so many levels.
    pub fn first(&self, depth: usize, most: usize) -> Vec<u32> {
        let sizes = self.sizes_at(depth);
        let groups = (0_u32..).take(sizes.len());
        groups.filter(|group| sizes.count(*group) > 0).take(most).collect()
    }

    /// What the groups of the first `depth` levels have.
    pub fn sizes_at(&self, depth: usize) -> &Sizes<'a> {
        let before = depth.checked_sub(1).and_then(|at| self.before.get(at));
        before.unwrap_or(&self.sizes)
    }

    /// Turns the groups so far into those with one more level.
    fn add(
        &mut self,
        level: &Level<'a>,
        own: Option<ColumnValues<'a>>,
        sizes: &'a [u32],
        by: FoldContext<'_>,
    ) -> Option<RowGroups<'a>> {
        let width = level.width().and_then(|width| u32::try_from(width).ok());
        let cells = level.width().and_then(|width| width.checked_mul(self.len()));
        let cells = cells.unwrap_or(usize::MAX);
        let is_first = self.depths.is_empty();
        let goes_with = |own: &ColumnValues<'_>| {
            is_first || own.is_single() || cells > SMALL_CELLS && own.goes_with(&self.of_row)
        };
        let own = own.filter(goes_with);
        let of_row = std::mem::take(&mut self.of_row);
        if let Some(own) = own {
            let (found, of_row) = by_value(&own, is_first, of_row, sizes, by)?;
            self.of_row = of_row;
            return Some(found);
        }
        let most = (of_row.len().saturating_mul(CELLS_FOR_TWO) / 2).max(SMALL_CELLS);
        let mut of_row = of_row.into_owned();
        let found = match width {
            // Group and value in one number, of which there are so many.
            Some(width) if cells <= most && level.is_told_apart() => {
                rows::joined(&mut of_row, level, (width, cells), sizes, by)
            }
            _ => rows::numbered(&mut of_row, level, sizes, by),
        };
        self.of_row = Cow::Owned(of_row);
        found
    }

    /// Brings values together that read the same: `1` and `23` beside `12` and `3`.
    fn merge_alike(&mut self, level: &LevelFold<'_>, pairs: &[(u32, u64)]) -> Pairs<'a> {
        let (merged, to) = alike(level, pairs);
        for row in self.of_row.to_mut() {
            *row = moved(&to, *row);
        }
        let mut sums = Sums::default();
        self.sizes.all(|group, has| sums.add_to(moved(&to, group), has));
        self.sizes = sums.done();
        Pairs::Listed(merged)
    }

    /// Numbers that groups may have.
    pub fn len(&self) -> usize {
        self.depths.last().map_or(1, Pairs::len)
    }

    /// The group of the first `depth` levels to which a group of all levels belongs.
    pub fn prefix(&self, group: u32, depth: usize) -> u32 {
        let pairs = self.depths.iter().skip(depth).rev();
        pairs.fold(group, |group, pairs| pairs.of(group).0)
    }
}

/// Groups numbered as the values have them.
fn by_value<'a>(
    own: &ColumnValues<'a>,
    is_first: bool,
    of_row: Cow<'a, [u32]>,
    sizes: &'a [u32],
    by: FoldContext<'_>,
) -> Option<(RowGroups<'a>, Cow<'a, [u32]>)> {
    let whole = |with, sizes| RowGroups {
        pairs: Pairs::Own { with, values: own.values, others: Vec::new() },
        sizes,
        gaps: Gaps::default(),
    };
    let with = |groups| if is_first { ParentGroups::First } else { ParentGroups::Each(groups) };
    if own.is_single() {
        // Values are numbered in the order of the documents.
        return Some((whole(with(of_row), Sizes::Single(sizes)), Cow::Borrowed(own.codes)));
    }
    if own.is_whole && is_first {
        let sums = rows::sum_up(own.codes, sizes, own.values, by)?;
        return Some((whole(ParentGroups::First, sums.done()), Cow::Borrowed(own.codes)));
    }
    let groups = if is_first { Vec::new() } else { own.groups(&of_row) };
    let with = with(groups.into());
    let mut of_row = of_row.into_owned();
    let found = rows::number_by_value(&mut of_row, own, with, sizes, by)?;
    Some((found, Cow::Owned(of_row)))
}

/// The pairs that are left where values read the same, and what became of the others.
fn alike(level: &LevelFold<'_>, pairs: &[(u32, u64)]) -> (Vec<(u32, u64)>, Vec<u32>) {
    let (one, other) = (FixedState::with_seed(1), FixedState::with_seed(2));
    let mut by_text: HashMap<(u64, u64), u64, FixedState> = HashMap::default();
    let mut stands_for: HashMap<u64, u64, FixedState> = HashMap::default();
    let mut text = String::new();
    let mut first_alike = |value: u64| {
        *stands_for.entry(value).or_insert_with(|| {
            let (mut first, mut second) = (one.build_hasher(), other.build_hasher());
            text.clear();
            level.push_text(value, &mut text);
            first.write(text.as_bytes());
            second.write(text.as_bytes());
            let hashes = (first.finish(), second.finish());
            *by_text.entry(hashes).or_insert(value)
        })
    };
    let mut numbers = Numbering::default();
    let merged = pairs.iter().map(|(before, value)| match value {
        0 => numbers.number(*before, 0),
        value => numbers.number(*before, first_alike(*value)),
    });
    let to = merged.collect();
    (numbers.pairs, to)
}

pub(super) fn narrow(piece: u64) -> u32 {
    u32::try_from(piece).unwrap_or(u32::MAX)
}
