//! Documents by key: the pieces of a level become one index, and (group so far, index) a group. Texts are made of few
//! groups, never of each document.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;

use crate::model::documents::Documents;

use super::super::candidate::{Candidate, Draws, Gaps, Part};
use super::super::crew::Crew;
use super::KeepGoing;
use super::digits::{BLOCK, Drawn, Level};
use super::level::LevelFold;
use super::numbering::{Moved, Numbering};
use super::sums::Sums;

/// Blocks of rows between two looks at whether the groups are still wanted.
const BLOCKS: usize = 64;

/// All documents by their keys.
#[derive(Debug)]
pub(super) struct Groups<'a> {
    /// The group of each document.
    pub of_row: Vec<u32>,
    pub levels: Vec<LevelFold<'a>>,
    /// For each number of levels: (group of one level less, value of this level; 0 where it has none).
    pub depths: Vec<Vec<(u32, u64)>>,
    /// What the groups of all levels have.
    pub counts: Vec<u64>,
    pub bytes: Vec<u64>,
}

/// By whom, and as long as it is wanted.
#[derive(Clone, Copy)]
pub(super) struct By<'k> {
    pub crew: Crew,
    pub keep_going: &'k KeepGoing<'k>,
}

/// What became of rows that were given numbers.
pub(super) struct Numbered {
    numbers: Numbering,
    pub gaps: Gaps,
    counts: Vec<u64>,
    bytes: Vec<u64>,
}

impl Numbered {
    pub fn into_pairs(self) -> Vec<(u32, u64)> {
        self.numbers.into_pairs()
    }

    /// Takes in what was found of rows that come behind.
    fn take_in(&mut self, others: Self) -> Moved {
        self.gaps.add_all(&others.gaps);
        let moved = self.numbers.take_in(others.numbers);
        moved.add(&others.counts, &mut self.counts);
        moved.add(&others.bytes, &mut self.bytes);
        moved
    }
}

impl<'a> Groups<'a> {
    /// None where it was not wanted to the end.
    pub fn of(
        documents: &'a Documents,
        candidate: &'a Candidate,
        seed: u64,
        by: By<'_>,
    ) -> Option<Self> {
        let rows = documents.len();
        let is_random = |part: &&Part| matches!(part, Part::Random { .. });
        let mut drawn = match candidate.parts().filter(is_random).count() {
            0 | 1 => Drawn::Once(seed),
            // Those of one document follow each other.
            _ => Drawn::Often((0..).take(rows).map(|row| Draws::of(seed, row)).collect()),
        };
        let mut groups = Self {
            of_row: vec![0; rows],
            levels: Vec::new(),
            depths: Vec::new(),
            counts: Vec::new(),
            bytes: Vec::new(),
        };
        let mut count = 1;
        for (at, level) in candidate.levels.iter().enumerate() {
            let mut level = Level::of(documents, level, &mut drawn, by)?;
            let is_last = at + 1 == candidate.levels.len();
            let sizes = if is_last { documents.bytes() } else { &[] };
            let of_row = &mut groups.of_row;
            let mut found = number(of_row, count, &level, &mut drawn, sizes, by)?;
            level.add_gaps(&found.gaps);
            groups.counts = std::mem::take(&mut found.counts);
            groups.bytes = std::mem::take(&mut found.bytes);
            let mut pairs = found.into_pairs();
            let done = level.done();
            if !done.is_told_apart() {
                pairs = groups.merge_alike(&done, &pairs);
            }
            count = pairs.len();
            groups.depths.push(pairs);
            groups.levels.push(done);
        }
        (by.keep_going)().then_some(groups)
    }

    /// Brings values together that read the same: `1` and `23` beside `12` and `3`.
    fn merge_alike(&mut self, level: &LevelFold<'_>, pairs: &[(u32, u64)]) -> Vec<(u32, u64)> {
        let (merged, moved) = alike(level, pairs);
        moved.of_rows(&mut self.of_row);
        for sums in [&mut self.counts, &mut self.bytes] {
            let before = std::mem::take(sums);
            moved.add(&before, sums);
        }
        merged
    }

    pub fn len(&self) -> usize {
        self.depths.last().map_or(0, Vec::len)
    }

    /// The group of the first `depth` levels to which a group of all levels belongs.
    pub fn prefix(&self, group: u32, depth: usize) -> u32 {
        let pairs = self.depths.iter().skip(depth).rev();
        pairs.fold(group, |group, pairs| {
            pairs.get(group as usize).map_or(0, |p| p.0)
        })
    }
}

/// Turns the groups so far into those with one more level. Rows are numbered in parts, each by itself; then the parts are
/// taken in one after another, which gives the numbers that one hand would have given. Sizes are summed up where given.
pub(super) fn number(
    of_row: &mut [u32],
    count: usize,
    level: &Level<'_>,
    drawn: &mut Drawn,
    sizes: &[u32],
    by: By<'_>,
) -> Option<Numbered> {
    let all = of_row.len();
    let one = |start: usize, rows: &mut [u32], drawn: &mut Drawn| {
        let numbers = Numbering::of(count, level.width(), all);
        let sizes = sizes.get(start..).unwrap_or_default();
        number_part(numbers, (start, rows), level, drawn, sizes, by.keep_going)
    };
    let Drawn::Once(seed) = *drawn else {
        return one(0, of_row, drawn);
    };
    let length = by.crew.share(all, BLOCK * BLOCKS);
    let parts = of_row.chunks_mut(length).enumerate();
    let found = by.crew.each(parts, |(part, rows)| {
        one(part * length, rows, &mut Drawn::Once(seed))
    });
    let mut found = found.into_iter();
    let Some(first) = found.next() else {
        return one(0, of_row, drawn);
    };
    let mut first = first?;
    let mut moved = Vec::new();
    for others in found {
        moved.push(first.take_in(others?));
    }
    let behind = of_row.chunks_mut(length).skip(1).zip(&moved);
    let each = length.div_ceil(by.crew.hands()).max(1);
    let behind = behind.flat_map(|(rows, moved)| rows.chunks_mut(each).map(move |r| (r, moved)));
    by.crew.each(behind, |(rows, moved)| moved.of_rows(rows));
    Some(first)
}

fn number_part(
    mut numbers: Numbering,
    (start, of_row): (usize, &mut [u32]),
    level: &Level<'_>,
    drawn: &mut Drawn,
    sizes: &[u32],
    keep_going: &KeepGoing<'_>,
) -> Option<Numbered> {
    let mut gaps = Gaps::default();
    let mut sums = Sums::default();
    let mut indexes = [0_u64; BLOCK];
    for (block, groups) in of_row.chunks_mut(BLOCK).enumerate() {
        if block % BLOCKS == 0 && !keep_going() {
            return None;
        }
        let indexes = indexes.get_mut(..groups.len()).unwrap_or_default();
        level.indexes(start + block * BLOCK, indexes, &mut gaps, drawn);
        numbers.number_all(groups, indexes);
        let sizes = sizes.get(block * BLOCK..).unwrap_or_default();
        if !sizes.is_empty() {
            let sizes = sizes.get(..groups.len()).unwrap_or_default();
            sums.add(groups, sizes, numbers.len());
        }
    }
    let [counts, bytes] = sums.done();
    Some(Numbered {
        numbers,
        gaps,
        counts,
        bytes,
    })
}

/// The pairs that are left where values read the same, and what became of the others.
fn alike(level: &LevelFold<'_>, pairs: &[(u32, u64)]) -> (Vec<(u32, u64)>, Moved) {
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
    let mut numbers = Numbering::of_hashes();
    let merged: Vec<u32> = pairs
        .iter()
        .map(|(before, value)| match value {
            0 => numbers.number(*before, 0),
            value => numbers.number(*before, first_alike(*value)),
        })
        .collect();
    (numbers.into_pairs(), Moved::To(merged))
}

pub(super) fn narrow(piece: u64) -> u32 {
    u32::try_from(piece).unwrap_or(u32::MAX)
}
