//! What the groups of a number of levels are: each a group of one level less and a value of this level. Where numbers can be
//! chosen so that they tell this by themselves, nothing is written down.

use std::borrow::Cow;

/// Groups by their numbers. Numbers may be left out: their groups have no documents.
#[derive(Debug)]
pub(super) enum Pairs<'a> {
    /// (group of one level less, value of this level; 0 where it has none)
    Listed(Vec<(u32, u64)>),
    /// Both in one number, the values below the width.
    Joined { width: u32, count: usize },
    /// The number is that of the value, which goes with one group of one level less.
    Own {
        with: ParentGroups<'a>,
        values: usize,
        /// What goes with another group, or has no value; their numbers come behind the others.
        others: Vec<(u32, u64)>,
    },
}

/// With which group of one level less a value goes.
#[derive(Debug)]
pub(super) enum ParentGroups<'a> {
    /// There is only one.
    First,
    Each(Cow<'a, [u32]>),
}

impl ParentGroups<'_> {
    pub fn of(&self, value: u32) -> u32 {
        match self {
            Self::First => 0,
            Self::Each(groups) => groups.get(value as usize).copied().unwrap_or(0),
        }
    }
}

impl Pairs<'_> {
    /// Numbers that groups may have.
    pub fn len(&self) -> usize {
        match self {
            Self::Listed(pairs) => pairs.len(),
            Self::Joined { count, .. } => *count,
            Self::Own { values, others, .. } => values + others.len(),
        }
    }

    /// The group of one level less, and the value of this level.
    pub fn of(&self, group: u32) -> (u32, u64) {
        let listed = |pairs: &[(u32, u64)], at: usize| pairs.get(at).copied().unwrap_or_default();
        match self {
            Self::Listed(pairs) => listed(pairs, group as usize),
            Self::Joined { width, .. } => {
                let width = (*width).max(1);
                (group / width, u64::from(group % width))
            }
            Self::Own { with, values, others } => match (group as usize).checked_sub(*values) {
                None => (with.of(group), u64::from(group) + 1),
                Some(at) => listed(others, at),
            },
        }
    }
}
