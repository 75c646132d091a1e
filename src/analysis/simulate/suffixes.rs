//! The same data and load in a new container whose key has suffixes.

use super::{LapseStart, StartKey, StartPartition};
use crate::analysis::demand::remedies::suffixed;
use crate::analysis::demand::{Demand, DemandKey, DemandLoad, Keyless, Requester};
use crate::analysis::placement::{Layout, ThroughputMode, as_number, planned_partitions};
use crate::analysis::rows::Note;
use crate::analysis::throttling::equal_share;
use crate::model::epk::epk;
use crate::model::key::KeyDefinition;
use crate::model::units::counted;

/// A new container, and how many suffixes its keys have.
struct Suffixes<'a> {
    count: u32,
    definition: &'a KeyDefinition,
    layout: Layout,
}

impl Suffixes<'_> {
    /// Each key under its suffixes: canonical text and the partition.
    fn of<'k>(&'k self, canonical: &'k str) -> impl Iterator<Item = (DemandKey, Option<u32>)> + 'k {
        (1..=self.count).filter_map(move |number| {
            let key = suffixed(canonical, 0, number)?;
            let epk = epk(key.parts(), self.definition);
            let owner = epk.as_ref().and_then(|epk| self.layout.owner(epk));
            let canonical = key.canonical();
            Some((DemandKey { canonical, epk }, u32::try_from(owner?).ok()))
        })
    }

    fn part(&self) -> f64 {
        f64::from(self.count).recip()
    }

    /// Requests of a key are spread over its suffixes; those without a key reach what they did.
    fn demand(&self, demand: &Demand, partitions: usize) -> Demand {
        let spread: Vec<Vec<(DemandKey, Option<u32>)>> = demand
            .keys
            .iter()
            .map(|key| self.of(&key.canonical).collect())
            .collect();
        let mut first = 0;
        let firsts = spread.iter().map(|keys| {
            let at = first;
            first += u32::try_from(keys.len()).unwrap_or(0);
            at
        });
        let firsts: Vec<u32> = firsts.collect();
        let even = as_number(self.layout.len()).recip();
        let all = match demand.keyless {
            Keyless::Everywhere => as_number(partitions).recip(),
            Keyless::Divided | Keyless::Unknown => even,
        };
        let mut loads: Vec<DemandLoad> = Vec::with_capacity(demand.loads.len());
        for load in &demand.loads {
            let on = |partition: u32, requester: Requester, part: f64| DemandLoad {
                partition,
                requester,
                ru_per_second: load.ru_per_second * part,
                served: load.served * part,
                ..*load
            };
            let keys = match load.requester {
                Requester::Key(key) => spread.get(key as usize).zip(firsts.get(key as usize)),
                Requester::Keyless => None,
            };
            match keys {
                Some((keys, first)) if !keys.is_empty() => {
                    let numbered = (*first..).zip(keys);
                    loads.extend(numbered.filter_map(|(number, (_, place))| {
                        Some(on((*place)?, Requester::Key(number), self.part()))
                    }));
                }
                _ => {
                    let places = (0_u32..).take(self.layout.len());
                    loads.extend(places.map(|place| on(place, Requester::Keyless, all)));
                }
            }
        }
        loads.sort_by_key(|load| (load.second, load.partition, load.requester));
        Demand {
            keys: spread.into_iter().flatten().map(|(key, _)| key).collect(),
            loads,
            ..*demand
        }
    }
}

impl LapseStart {
    /// None where the key's paths or the RU/s are unknown.
    #[must_use]
    pub fn with_suffixes(&self, count: u32) -> Option<Self> {
        let definition = self.definition.as_ref()?;
        let mode = match self.autoscale {
            Some(_) => ThroughputMode::AutoscaleOrShared,
            None => ThroughputMode::Manual,
        };
        let ru = self.provisioned?;
        let sum = |of: fn(&StartPartition) -> Option<f64>| -> Option<f64> {
            self.partitions.iter().map(of).sum()
        };
        let of_keys: f64 = self.keys.iter().map(|key| key.kib).sum();
        let grown: f64 = self.keys.iter().filter_map(|key| key.kib_per_day).sum();
        let stored = sum(|p| p.kib);
        let partitions = planned_partitions(Some(ru), mode, stored, of_keys);
        let new = Suffixes {
            count,
            definition,
            layout: Layout::even(partitions, definition),
        };
        let part = new.part();
        let keys = self.keys.iter().flat_map(|key| {
            let new = new.of(&key.canonical);
            new.map(move |(named, partition)| StartKey {
                canonical: named.canonical.into(),
                epk: named.epk,
                partition,
                kib: key.kib * part,
                kib_per_day: key.kib_per_day.map(|rate| rate * part),
                ends_s: key.ends_s,
                is_full: false,
            })
        });
        let keys: Vec<StartKey> = keys.collect();
        let even = as_number(partitions).recip();
        let rest = stored.map(|all| (all - of_keys).max(0.0) * even);
        let growing = sum(|p| p.kib_per_day).map(|all| (all - grown).max(0.0) * even);
        let partition = |place: u32| {
            let here = || keys.iter().filter(|key| key.partition == Some(place));
            let rates = here().filter_map(|key| key.kib_per_day);
            let kib: f64 = here().map(|key| key.kib).sum();
            let rate: f64 = rates.sum();
            StartPartition {
                id: place.to_string(),
                kib: Some(kib + rest.unwrap_or(0.0)),
                kib_per_day: growing.map(|more| rate + more),
                ru_per_second: Some(equal_share(ru, partitions)),
            }
        };
        let places = 0..u32::try_from(partitions).ok()?;
        let mut start = Self {
            partitions: places.map(partition).collect(),
            demand: self
                .demand
                .as_ref()
                .map(|demand| new.demand(demand, self.partitions.len())),
            ..self.clone()
        };
        start.keys = keys;
        start.layout = Some(new.layout);
        let partitions = counted(partitions as u64, "partition", "partitions");
        start.notes.insert(
            0,
            Note::new(format!(
                "A new container on {partitions}: each key of today with {count} suffixes."
            )),
        );
        Some(start)
    }
}
