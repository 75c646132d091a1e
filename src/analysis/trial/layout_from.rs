//! Where the hash ranges of a trial are from, and which part of the RU/s each has.

use super::super::placement::{Layout, as_number};

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
    /// Those of a new container, with partitions over 50 GB split. Halves share the RU/s of what was split; keys of a date lie
    /// elsewhere with every period, so that all partitions count alike for them.
    StorageSplit { from: usize, are_halves: bool },
}

impl LayoutFrom {
    /// Of the RU/s, those of each partition; empty where all have as many.
    pub(super) fn ru_parts(self, layout: &Layout) -> Vec<f64> {
        let Self::StorageSplit {
            from,
            are_halves: true,
        } = self
        else {
            return Vec::new();
        };
        let spans = layout.spans().iter();
        spans
            .map(|span| span.part() / as_number(from.max(1)))
            .collect()
    }

    /// What each partition has of keys that lie evenly by hash.
    pub(super) fn hash_parts(self, layout: &Layout) -> Vec<f64> {
        let parts = self.ru_parts(layout);
        if parts.is_empty() {
            return vec![as_number(layout.len().max(1)).recip(); layout.len()];
        }
        parts
    }

    /// The same by the mean: what has half of the RU/s is as full with half of the load.
    pub(super) fn fair_parts(self, layout: &Layout) -> Vec<f64> {
        let parts = self.hash_parts(layout).into_iter();
        parts.map(|part| part * as_number(layout.len())).collect()
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
