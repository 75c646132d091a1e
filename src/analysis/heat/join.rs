//! Which partition a record speaks of: by range id, by physical partition id or by GUID.

use std::collections::{BTreeSet, HashMap};

use crate::model::capture::Container;
use crate::model::load::{Load, SeriesName};
use crate::model::names::is_guid;

use super::cells::ContainerCells;
use super::grid::by_named;
use super::{Partition, RangeName};

const RANGE: &str = "partitionkeyrangeid";
const PHYSICAL: &str = "physicalpartitionid";

/// The partitions of one container and the names that lead to them.
#[derive(Debug, Default)]
pub(super) struct Join {
    pub partitions: Vec<Partition>,
    by_name: HashMap<RangeName, u32>,
    /// Range ids by GUID, in lower case.
    ranges: HashMap<String, String>,
}

impl Join {
    /// Those the capture describes first, in its order; then those that only load names, by id.
    pub fn of(container: &Container, cells: ContainerCells<'_, '_>, load: &Load) -> Self {
        let mut join = Self::default();
        for (index, known) in container.partitions.iter().enumerate() {
            join.add(RangeName::Range(known.id.clone()), Some(index));
            if let Some(guid) = &known.guid {
                join.ranges.insert(guid.to_lowercase(), known.id.clone());
            }
        }
        // A series that names both pairs them too.
        for (name, _) in cells.metrics {
            if let (Some(range), Some(physical)) = (name.dimension(RANGE), name.dimension(PHYSICAL))
                && let RangeName::Range(id) = by_range(range)
                && is_guid(physical)
            {
                let guid = physical.to_lowercase();
                join.ranges.entry(guid).or_insert(id);
            }
        }
        let mut only_load: BTreeSet<RangeName> = BTreeSet::new();
        for same in cells.ru.chunk_by(|(a, _), (b, _)| (a.region, a.range) == (b.region, b.range)) {
            let cell = same.first().map(|(cell, _)| cell.range);
            only_load.extend(cell.map(|range| by_range(load.names.text(range))));
        }
        for same in cells
            .requests
            .chunk_by(|(a, _), (b, _)| (a.region, a.partition) == (b.region, b.partition))
        {
            let cell = same.first().map(|(cell, _)| cell.partition);
            only_load.extend(cell.map(|p| join.by_partition(load.names.text(p))));
        }
        let of_series = cells.metrics.iter();
        only_load.extend(of_series.filter_map(|(name, _)| join.by_series(name)));
        let mut only_load: Vec<RangeName> = only_load.into_iter().collect();
        only_load.sort_by(by_named);
        for named in only_load {
            join.add(named, None);
        }
        join
    }

    fn add(&mut self, named: RangeName, known: Option<usize>) {
        let Ok(index) = u32::try_from(self.partitions.len()) else {
            return;
        };
        // What the capture describes keeps its index, even a second one of the same id.
        if known.is_none() && self.by_name.contains_key(&named) {
            return;
        }
        self.by_name.entry(named.clone()).or_insert(index);
        self.partitions.push(Partition { known, named, capacity: None, kib: None });
    }

    /// What the RU log names.
    pub fn range(&self, text: &str) -> Option<u32> {
        self.by_name.get(&by_range(text)).copied()
    }

    /// What the request log names.
    pub fn partition(&self, text: &str) -> Option<u32> {
        self.by_name.get(&self.by_partition(text)).copied()
    }

    /// What a metric names; None for a series of the whole container.
    pub fn series(&self, name: &SeriesName) -> Option<u32> {
        self.by_name.get(&self.by_series(name)?).copied()
    }

    fn by_partition(&self, text: &str) -> RangeName {
        if !is_guid(text) {
            return by_range(text);
        }
        let guid = text.to_lowercase();
        match self.ranges.get(&guid) {
            Some(id) => RangeName::Range(id.clone()),
            None => RangeName::Guid(guid),
        }
    }

    fn by_series(&self, name: &SeriesName) -> Option<RangeName> {
        let ids = || [RANGE, PHYSICAL].into_iter().filter_map(|of| name.dimension(of));
        let id = ids().find(|id| !is_nothing(id)).or_else(|| ids().next())?;
        Some(self.by_partition(id))
    }
}

fn by_range(text: &str) -> RangeName {
    let text = text.trim();
    if is_nothing(text) {
        RangeName::NotReported
    } else if text.eq_ignore_ascii_case("undefined") {
        RangeName::Undefined
    } else {
        RangeName::Range(text.to_owned())
    }
}

/// Metrics write a dimension without a value in words.
fn is_nothing(text: &str) -> bool {
    text.is_empty() || text.eq_ignore_ascii_case("<empty>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart() {
        assert_eq!(by_range("undefined"), RangeName::Undefined);
        assert_eq!(by_range(""), RangeName::NotReported);
        assert_eq!(by_range("<empty>"), RangeName::NotReported);
        assert_eq!(by_range("12"), RangeName::Range("12".into()));
        assert!(is_guid("0000a003-0000-4000-8000-00000000a003"));
        for text in ["", "3", "0000a003-0000-4000-8000-00000000a00", "-----"] {
            assert!(!is_guid(text), "{text}");
        }
        assert!(!is_guid("0000a003-0000-4000-8000-00000000a0-3"));
    }
}
