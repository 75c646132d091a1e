//! Documents by key: the pieces of a level become one index, and (group so far, index) a group. Texts are made of few
//! groups, never of each document.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;

use crate::model::documents::Documents;

use super::super::candidate::{Candidate, Draws, Part};
use super::KeepGoing;
use super::digits::{BLOCK, Drawn, Level};
use super::level::LevelFold;
use super::numbering::Numbering;

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
        };
        let mut count = 1;
        for level in &candidate.levels {
            let mut level = Level::of(documents, level, &mut drawn, keep_going)?;
            let numbers = number(
                &mut groups.of_row,
                count,
                &mut level,
                &mut drawn,
                keep_going,
            )?;
            let mut pairs = numbers.into_pairs();
            let done = level.done();
            if !done.is_told_apart() {
                pairs = merge_alike(&done, &pairs, &mut groups.of_row);
            }
            count = pairs.len();
            groups.depths.push(pairs);
            groups.levels.push(done);
        }
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

/// Turns the groups so far into those with one more level.
pub(super) fn number(
    of_row: &mut [u32],
    count: usize,
    level: &mut Level<'_>,
    drawn: &mut Drawn,
    keep_going: &KeepGoing<'_>,
) -> Option<Numbering> {
    let mut numbers = Numbering::of(count, level.width(), of_row.len());
    let mut indexes = [0_u64; BLOCK];
    for (block, groups) in of_row.chunks_mut(BLOCK).enumerate() {
        if block % BLOCKS == 0 && !keep_going() {
            return None;
        }
        let indexes = indexes.get_mut(..groups.len()).unwrap_or_default();
        level.indexes(block * BLOCK, indexes, drawn);
        numbers.number_all(groups, indexes);
    }
    Some(numbers)
}

/// Brings values together that read the same: `1` and `23` beside `12` and `3`.
fn merge_alike(level: &LevelFold<'_>, pairs: &[(u32, u64)], of_row: &mut [u32]) -> Vec<(u32, u64)> {
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
    for group in of_row {
        *group = merged.get(*group as usize).copied().unwrap_or(0);
    }
    numbers.into_pairs()
}

pub(super) fn narrow(piece: u64) -> u32 {
    u32::try_from(piece).unwrap_or(u32::MAX)
}
