//! Where keys lie: effective partition key and physical partition, listed by the service or computed from hash ranges.

use std::collections::{BTreeSet, HashMap};

use crate::model::capture::{Capture, Container};
use crate::model::epk::{Epk, epk, prefix_range};
use crate::model::key::{Key, KeyDefinition};
use crate::model::physical::PhysicalPartition;

words! {
    /// How the owner of a key is known.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum HowKnown {
        /// The service lists the key under the partition.
        Listed = "listed by the service",
        /// The key's hash lies in the partition's range.
        Computed = "computed from its hash",
    }
    fn words
}

/// The physical partition of one key.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct KeyRange {
    /// Index into the container's partitions.
    pub owner: Option<(usize, HowKnown)>,
    /// Size of the partition that holds the key, or of the largest it may lie in.
    pub partition_kib: Option<f64>,
}

/// The physical partitions of all containers, as far as keys can be placed in them.
#[derive(Debug, Default)]
pub struct Places {
    containers: Vec<ContainerPlaces>,
}

impl Places {
    pub fn of(capture: &Capture) -> Self {
        let containers = capture.containers.iter().map(ContainerPlaces::of).collect();
        Self { containers }
    }

    /// The effective partition key; of a hierarchical key with fewer parts than levels the start of its range. None
    /// without a definition, and for what no key of the container can be.
    pub fn epk(&self, container: u32, canonical: &str) -> Option<Epk> {
        let places = self.containers.get(container as usize)?;
        let key = Key::from_canonical(canonical)?;
        epk(key.parts(), places.definition.as_ref()?)
    }

    /// Index into the container's partitions of the one that holds the key. None where it is not known, or where the
    /// keys under a hierarchical prefix may lie in several.
    pub fn owner(&self, container: u32, canonical: &str) -> Option<(usize, HowKnown)> {
        self.place(container, canonical).owner
    }

    pub fn place(&self, container: u32, canonical: &str) -> KeyRange {
        let places = self.containers.get(container as usize);
        places.map_or(KeyRange::default(), |p| p.place(canonical))
    }
}

#[derive(Debug, Default)]
struct ContainerPlaces {
    definition: Option<KeyDefinition>,
    /// The partition that lists a key, by the key's canonical text.
    listed: HashMap<String, usize>,
    ranges: Ranges,
    sizes_kib: Vec<Option<f64>>,
    /// The largest partition where all are known: no key lies in a larger one.
    largest_kib: Option<f64>,
}

impl ContainerPlaces {
    fn of(container: &Container) -> Self {
        let sizes_kib: Vec<Option<f64>> = container.partitions.iter().map(|p| p.kib).collect();
        let mut listed = HashMap::new();
        // Of several partitions that list a key the last whose size is known: after a split both may.
        for is_sized in [false, true] {
            let partitions = container.partitions.iter().enumerate();
            for (index, partition) in partitions.filter(|(_, p)| p.kib.is_some() == is_sized) {
                let keys = partition.listed.iter();
                for key in keys.filter_map(|(key, _)| Key::from_cell(key)) {
                    listed.insert(key.canonical(), index);
                }
            }
        }
        Self {
            definition: container.definition.clone(),
            listed,
            ranges: Ranges::of(&container.partitions),
            largest_kib: container
                .kib()
                .and_then(|_| sizes_kib.iter().copied().flatten().reduce(f64::max)),
            sizes_kib,
        }
    }

    fn place(&self, canonical: &str) -> KeyRange {
        let size = |index: usize| self.sizes_kib.get(index).copied().flatten();
        let listed = self.listed.get(canonical).copied();
        if let Some(index) = listed
            && size(index).is_some()
        {
            return KeyRange { owner: Some((index, HowKnown::Listed)), partition_kib: size(index) };
        }
        let computed = self.computed(canonical);
        KeyRange {
            owner: listed
                .map(|index| (index, HowKnown::Listed))
                .or(computed.map(|index| (index, HowKnown::Computed))),
            partition_kib: computed.and_then(size).or(self.largest_kib),
        }
    }

    /// The partition whose range holds a key, or all keys under a prefix.
    fn computed(&self, canonical: &str) -> Option<usize> {
        let definition = self.definition.as_ref()?;
        if self.ranges.is_empty() {
            return None;
        }
        let key = Key::from_canonical(canonical)?;
        if key.parts().len() >= definition.paths.len() {
            return self.ranges.owner(&epk(key.parts(), definition)?);
        }
        let (min, max) = prefix_range(key.parts(), definition)?;
        self.ranges.holder(&min, &max)
    }
}

/// Hash ranges cut into pieces that do not overlap, each with the first range of the list that covers it.
#[derive(Debug, Default)]
struct Ranges {
    /// Start of each piece, in order; a piece ends where the next starts.
    pieces: Vec<(Epk, Option<usize>)>,
}

impl Ranges {
    fn of(partitions: &[PhysicalPartition]) -> Self {
        let bound = |text: &Option<String>| Epk::from_hex(text.as_deref()?);
        let mut edges: Vec<(Epk, Edge, usize)> = Vec::new();
        for (index, partition) in partitions.iter().enumerate() {
            if let (Some(min), Some(max)) =
                (bound(&partition.min_inclusive), bound(&partition.max_exclusive))
                && min < max
            {
                edges.push((min, Edge::Opens, index));
                edges.push((max, Edge::Closes, index));
            }
        }
        edges.sort();
        let mut open = BTreeSet::new();
        let mut pieces: Vec<(Epk, Option<usize>)> = Vec::new();
        for (at, edge, index) in edges {
            match edge {
                Edge::Opens => open.insert(index),
                Edge::Closes => open.remove(&index),
            };
            let owner = open.first().copied();
            match pieces.last_mut() {
                Some((start, held)) if *start == at => *held = owner,
                _ => pieces.push((at, owner)),
            }
        }
        Self { pieces }
    }

    fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    fn owner(&self, epk: &Epk) -> Option<usize> {
        self.pieces.get(self.piece(epk)?)?.1
    }

    fn piece(&self, epk: &Epk) -> Option<usize> {
        let after = self.pieces.partition_point(|(start, _)| start <= epk);
        after.checked_sub(1)
    }

    /// The range that holds all of `[min, max)`.
    fn holder(&self, min: &Epk, max: &Epk) -> Option<usize> {
        let first = self.piece(min)?;
        let owner = self.pieces.get(first)?.1?;
        let mut within = self.pieces.iter().skip(first).take_while(|(start, _)| start < max);
        within.all(|(_, held)| *held == Some(owner)).then_some(owner)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Edge {
    Closes,
    Opens,
}

#[cfg(test)]
mod tests;
