//! The physical partitions that queries are routed to: their hash ranges, and what is known of where prefixes lie.

use std::ops::Range;

use crate::model::key::{KeyDefinition, KeyVersion, Part};
use crate::model::layout::Layout;
use crate::model::units::real;

/// Ranges of a container with one hash version; a new container always has version 2.
#[derive(Clone, PartialEq, Debug)]
pub struct RoutedLayout {
    pub(super) layout: Layout,
    version: KeyVersion,
    /// Of the first level, then of the first two.
    spread: Vec<PrefixSpread>,
}

/// On how many physical partitions the keys of one prefix lie, over the prefixes that are known.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PrefixSpread {
    pub prefixes: u64,
    /// A prefix counts as much as its weight.
    pub mean_visits: f64,
    pub most_visits: u64,
}

impl RoutedLayout {
    /// A container as it is created: the hash space in equal parts, at least one and at most 20,000.
    pub fn even(partitions: u32) -> Self {
        let layout = Layout::even(partitions as usize, &KeyDefinition::of_levels(1));
        Self::of(layout, KeyVersion::V2)
    }

    /// The ranges of a container that exists.
    pub fn of(layout: Layout, version: KeyVersion) -> Self {
        Self { layout, version, spread: Vec::new() }
    }

    /// Adds where the known prefixes of a hierarchical key of `levels` levels lie, each given once, with its weight.
    #[must_use]
    pub fn with_prefixes<'a>(
        mut self,
        levels: usize,
        prefixes: impl IntoIterator<Item = (&'a [Part], f64)>,
    ) -> Self {
        let mut counted = vec![(PrefixSpread::default(), 0.0); levels];
        for (prefix, weight) in prefixes {
            let counts = prefix.len().checked_sub(1).and_then(|i| counted.get_mut(i));
            let Some(((spread, weights), found)) = counts.zip(self.places(prefix, levels)) else {
                continue;
            };
            let visits = u64::try_from(found.len()).unwrap_or(u64::MAX);
            spread.prefixes = spread.prefixes.saturating_add(1);
            spread.most_visits = spread.most_visits.max(visits);
            *weights += weight;
            if *weights > 0.0 {
                spread.mean_visits += (real(visits) - spread.mean_visits) * weight / *weights;
            }
        }
        self.spread = counted.into_iter().map(|(spread, _)| spread).collect();
        self
    }

    /// The number of physical partitions, at least one.
    pub fn partitions(&self) -> u32 {
        u32::try_from(self.layout.len()).unwrap_or(u32::MAX)
    }

    /// What is known of prefixes of this many levels.
    pub fn spread(&self, levels_given: usize) -> Option<PrefixSpread> {
        let index = levels_given.checked_sub(1)?;
        self.spread.get(index).copied().filter(|spread| spread.prefixes > 0)
    }

    /// The places of the partitions that can hold keys with these first parts; `None` for a value that no key can have.
    pub fn places(&self, parts: &[Part], levels: usize) -> Option<Range<usize>> {
        let definition =
            KeyDefinition { version: self.version, ..KeyDefinition::of_levels(levels) };
        self.layout.places(parts, &definition)
    }
}
