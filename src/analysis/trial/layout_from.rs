//! Where the hash ranges of a trial are from, and what lies in each.

use crate::model::layout::{Layout, Span};
use crate::model::units::as_number;

/// Where the hash ranges are from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LayoutFrom {
    /// Even, as the service divides a new container.
    #[default]
    Creation,
    /// Those of the container today.
    Today,
    /// Those of today, split until there are as many as asked for.
    TodaySplit { from: usize },
    /// Those of a new container with as few partitions as it may have, split where RU/s are raised: its first level is too hot
    /// for one of them.
    CreationSplit { from: usize },
    /// Those of a new container, with partitions over 50 GB split.
    StorageSplit { from: usize },
}

impl LayoutFrom {
    /// Partitions to create a container with whose RU/s are raised once it is filled.
    pub fn created_with(self) -> Option<usize> {
        match self {
            Self::CreationSplit { from } => Some(from),
            _ => None,
        }
    }

    /// What each partition has of keys that lie evenly by hash: of halves each has half. All have as many RU/s.
    pub(super) fn hash_parts(self, layout: &Layout) -> Vec<f64> {
        let even = as_number(layout.len().max(1)).recip();
        let part = |span: &Span| match self {
            Self::StorageSplit { from } => span.part() / as_number(from.max(1)),
            _ => even,
        };
        layout.spans().iter().map(part).collect()
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Creation => "creation",
            Self::Today => "today",
            Self::TodaySplit { .. } => "today-split",
            Self::CreationSplit { .. } => "creation-split",
            Self::StorageSplit { .. } => "storage-split",
        }
    }
}
