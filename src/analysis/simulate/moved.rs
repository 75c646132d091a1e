//! The same data and load in a new container with another key.

use std::collections::HashMap;

use super::{KeyPeriod, LapseStart, StartKey, StartPartition};
use crate::analysis::ceiling::Ceiling;
use crate::analysis::demand::remedies::suffixed;
use crate::analysis::demand::{Demand, DemandKey, DemandLoad, Keyless, Requester};
use crate::analysis::rows::Note;
use crate::analysis::throttling::equal_share;
use crate::model::epk::{Epk, epk};
use crate::model::key::KeyDefinition;
use crate::model::layout::Layout;
use crate::model::throughput::{ThroughputMode, planned_partitions};
use crate::model::units::{as_number, counted, kib_text};

/// A key of the new container; without a text it stands for many small ones whose hashes lie around its own.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::analysis) struct NewKey {
    pub canonical: String,
    pub epk: Option<Epk>,
    pub partition: u32,
}

/// What one of the new keys gets of a key of today.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::analysis) struct NewPart {
    pub key: u32,
    pub data: f64,
    pub growth: f64,
    pub load: f64,
}

impl NewPart {
    fn even(key: u32, part: f64) -> Self {
        Self { key, data: part, growth: part, load: part }
    }
}

/// What requests without a key of today come to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::analysis) enum NewKeyless {
    /// They spread as `others`.
    Spread,
    /// Each partition gets this part.
    Everywhere(f64),
}

/// A new container, and where the data and requests of today's keys go.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::analysis) struct NewContainer {
    pub key: String,
    pub definition: KeyDefinition,
    /// Its ranges are numbered in their order.
    pub layout: Layout,
    pub ru_per_second: Option<f64>,
    pub keys: Vec<NewKey>,
    /// By the canonical text of today's key.
    pub of: HashMap<Box<str>, Vec<NewPart>>,
    /// Of all other keys, and of what has none.
    pub others: Vec<NewPart>,
    pub keyless: NewKeyless,
    /// What every partition gets of a load besides, as cross-partition queries reach each.
    pub each: f64,
    /// A date in the key; None keeps the periods of today.
    pub period: Option<KeyPeriod>,
    /// Keys of today that end with a period end under this key, too.
    pub keeps_periods: bool,
    /// Of a key: no more of today's data fits into it.
    pub ceiling_kib: f64,
    pub note: String,
}

/// Data of a new key, or of what is left.
#[derive(Clone, Copy, Default)]
struct Gathered {
    kib: f64,
    kib_per_day: Option<f64>,
    ends_s: Option<i64>,
}

impl Gathered {
    fn add(&mut self, kib: f64, kib_per_day: Option<f64>) {
        self.kib += kib;
        if let Some(rate) = kib_per_day {
            *self.kib_per_day.get_or_insert(0.0) += rate;
        }
    }
}

impl NewContainer {
    fn parts(&self, canonical: &str) -> &[NewPart] {
        self.of.get(canonical).unwrap_or(&self.others)
    }

    /// Requests as the new keys get them, step by step.
    fn demand(&self, demand: &Demand) -> Demand {
        let count = self.layout.len();
        let mut sums = vec![(0.0, 0.0); self.keys.len()];
        let mut touched: Vec<u32> = Vec::new();
        let mut loads: Vec<DemandLoad> = Vec::with_capacity(demand.loads.len());
        for step in demand.loads.chunk_by(|a, b| a.second == b.second) {
            let mut each = (0.0, 0.0);
            for load in step {
                each.0 += load.ru_per_second * self.each;
                each.1 += load.served * self.each;
                let parts = match (load.requester, self.keyless) {
                    (Requester::Keyless, NewKeyless::Everywhere(part)) => {
                        each.0 += load.ru_per_second * part;
                        each.1 += load.served * part;
                        continue;
                    }
                    (Requester::Keyless, NewKeyless::Spread) => self.others.as_slice(),
                    (Requester::Key(key), _) => {
                        let key = demand.keys.get(key as usize);
                        self.parts(key.map_or("", |key| &key.canonical))
                    }
                };
                for part in parts.iter().filter(|part| part.load > 0.0) {
                    if let Some(sum) = sums.get_mut(part.key as usize) {
                        if sum.0 <= 0.0 {
                            touched.push(part.key);
                        }
                        sum.0 += load.ru_per_second * part.load;
                        sum.1 += load.served * part.load;
                    }
                }
            }
            let second = step.first().map_or(0, |load| load.second);
            let first = loads.len();
            let mut add = |partition, requester, (ru_per_second, served)| {
                let load = DemandLoad::served(second, requester, partition, ru_per_second);
                loads.push(DemandLoad { served, ..load });
            };
            for key in touched.drain(..) {
                let sum = sums.get_mut(key as usize).map(std::mem::take);
                if let Some((sum, new)) = sum.zip(self.keys.get(key as usize)) {
                    add(new.partition, Requester::Key(key), sum);
                }
            }
            if each.0 > 0.0 {
                let places = (0_u32..).take(count);
                places.for_each(|place| add(place, Requester::Keyless, each));
            }
            if let Some(step) = loads.get_mut(first..) {
                step.sort_by_key(|load| (load.partition, load.requester));
            }
        }
        let key =
            |key: &NewKey| DemandKey { canonical: key.canonical.clone(), epk: key.epk.clone() };
        Demand {
            keys: self.keys.iter().map(key).collect(),
            loads,
            keyless: Keyless::Everywhere,
            ..*demand
        }
    }
}

impl LapseStart {
    fn sum(&self, of: fn(&StartPartition) -> Option<f64>) -> Option<f64> {
        let all: Option<f64> = self.partitions.iter().map(of).sum();
        all.filter(|_| !self.partitions.is_empty())
    }

    /// KiB of all data, and what is added to it in a day.
    pub(in crate::analysis) fn data(&self) -> (f64, Option<f64>) {
        let of_keys: f64 = self.keys.iter().map(|key| key.kib).sum();
        let grown = self.keys.iter().filter_map(|key| key.kib_per_day);
        let grown = grown.map(|rate| rate.max(0.0)).reduce(|a, b| a + b);
        let all = self.sum(|p| p.kib).unwrap_or(0.0).max(of_keys);
        let growing = self.sum(|p| p.kib_per_day);
        (all, growing.or(grown).map(|rate| rate.max(grown.unwrap_or(0.0))))
    }

    /// What each new key gets of the data of today.
    fn given(&self, new: &NewContainer, growing: Option<f64>, all: f64) -> Vec<Gathered> {
        let mut data = vec![Gathered::default(); new.keys.len()];
        let mut give = |parts: &[NewPart], kib: f64, rate: Option<f64>, ends_s: Option<i64>| {
            for part in parts {
                if let Some(key) = data.get_mut(part.key as usize) {
                    key.add(kib * part.data, rate.map(|rate| rate * part.growth));
                    key.ends_s = key.ends_s.max(ends_s);
                }
            }
        };
        for key in &self.keys {
            let ends_s = key.ends_s.filter(|_| new.keeps_periods);
            give(new.parts(&key.canonical), key.kib, key.kib_per_day, ends_s);
        }
        let of_keys: f64 = self.keys.iter().map(|key| key.kib).sum();
        let grown: f64 = self.keys.iter().filter_map(|key| key.kib_per_day).sum();
        let more = growing.map(|rate| (rate - grown).max(0.0));
        give(&new.others, (all - of_keys).max(0.0), more, None);
        data
    }

    /// The same data and load under another key.
    pub(in crate::analysis) fn moved(&self, new: &NewContainer) -> Self {
        let (all, growing) = self.data();
        let data = self.given(new, growing, all);
        let mut partitions = vec![Gathered::default(); new.layout.len()];
        let mut keys = Vec::new();
        let mut notes = vec![Note::new(new.note.clone())];
        let mut beyond = (0, 0.0);
        for (key, mut found) in new.keys.iter().zip(data) {
            if found.kib > new.ceiling_kib && !key.canonical.is_empty() {
                beyond = (beyond.0 + 1, beyond.1 + found.kib - new.ceiling_kib);
                found.kib = new.ceiling_kib;
            }
            if let Some(partition) = partitions.get_mut(key.partition as usize) {
                partition.add(found.kib, found.kib_per_day);
            }
            if key.canonical.is_empty() {
                continue;
            }
            let ends_s = new.period.and_then(|period| period.end_s(self.at?, 0));
            keys.push(StartKey {
                canonical: key.canonical.as_str().into(),
                epk: key.epk.clone(),
                partition: Some(key.partition),
                kib: found.kib,
                kib_per_day: found.kib_per_day,
                ends_s: ends_s.or(found.ends_s),
                is_full: false,
                period: new.period.filter(|_| ends_s.is_some()),
            });
        }
        if beyond.0 > 0 {
            notes.push(Note::new(format!(
                "{} of today's data cannot be copied: beyond the limit of {}.",
                kib_text(beyond.1),
                counted(beyond.0, "key", "keys")
            )));
        }
        let ru = new.ru_per_second;
        let partition = |(place, found): (usize, Gathered)| StartPartition {
            id: place.to_string(),
            kib: Some(found.kib),
            kib_per_day: growing.and(found.kib_per_day.or(Some(0.0))),
            ru_per_second: ru.map(|ru| equal_share(ru, new.layout.len())),
        };
        let demand = self.demand.as_ref().map(|demand| new.demand(demand));
        Self {
            name: self.name.clone(),
            key: Some(new.key.clone()),
            is_moved: true,
            definition: Some(new.definition.clone()),
            layout: Some(new.layout.clone()),
            partitions: partitions.into_iter().enumerate().map(partition).collect(),
            keys,
            demand,
            provisioned: ru,
            notes,
            load_notes: self.load_notes.clone(),
            ..*self
        }
    }

    /// Each key with so many suffixes. None where the key's paths or the RU/s are unknown.
    #[must_use]
    pub fn with_suffixes(&self, count: u32, ceiling: Ceiling) -> Option<Self> {
        let definition = self.definition.clone()?;
        let mode = match self.autoscale {
            Some(_) => ThroughputMode::AutoscaleOrShared,
            None => ThroughputMode::Manual,
        };
        let ru = self.provisioned?;
        let of_keys: f64 = self.keys.iter().map(|key| key.kib).sum();
        let partitions = planned_partitions(Some(ru), mode, self.sum(|p| p.kib), of_keys);
        let layout = Layout::even(partitions, &definition);
        let key = self.key.clone().unwrap_or_default();
        let mut new = NewContainer {
            key: format!("{key} + {count} suffixes").trim_start().to_owned(),
            ru_per_second: Some(ru),
            keys: Vec::new(),
            of: HashMap::new(),
            others: Vec::new(),
            keyless: match self.demand.as_ref().map(|demand| demand.keyless) {
                Some(Keyless::Divided | Keyless::Unknown) | None => NewKeyless::Spread,
                Some(Keyless::Everywhere) => {
                    NewKeyless::Everywhere(as_number(self.partitions.len()).recip())
                }
            },
            each: 0.0,
            period: None,
            keeps_periods: true,
            ceiling_kib: ceiling.kib(),
            note: format!(
                "A new container on {}: each key of today with {count} suffixes.",
                counted(partitions as u64, "partition", "partitions")
            ),
            layout,
            definition,
        };
        let stored = self.keys.iter().map(|key| &*key.canonical);
        let requested = self.demand.iter().flat_map(|demand| demand.keys.iter());
        for canonical in stored.chain(requested.map(|key| key.canonical.as_str())) {
            if !new.of.contains_key(canonical) {
                let parts = new.add_suffixes(canonical, count);
                new.of.insert(canonical.into(), parts);
            }
        }
        new.add_small(1);
        new.others = new.small_parts();
        Some(self.moved(&new))
    }
}

impl NewContainer {
    /// Equal parts of a key under its suffixes.
    fn add_suffixes(&mut self, canonical: &str, count: u32) -> Vec<NewPart> {
        let part = f64::from(count).recip();
        let new = |number| {
            let key = suffixed(canonical, 0, number)?;
            let epk = epk(key.parts(), &self.definition);
            let owner = epk.as_ref().and_then(|epk| self.layout.owner(epk))?;
            Some(NewKey { canonical: key.canonical(), epk, partition: u32::try_from(owner).ok()? })
        };
        let first = u32::try_from(self.keys.len()).unwrap_or(u32::MAX);
        let new: Vec<NewKey> = (1..=count).filter_map(new).collect();
        let parts = (first..).zip(&new).map(|(key, _)| NewPart::even(key, part)).collect();
        self.keys.extend(new);
        parts
    }

    /// Small keys of each partition, in 2 to the power of `halvings` parts of its range.
    pub(in crate::analysis) fn add_small(&mut self, halvings: u32) {
        let spans = (0_u32..).zip(self.layout.spans());
        let small = spans.flat_map(|(partition, span)| {
            let points = span.points(halvings, &self.definition).into_iter();
            points.map(move |epk| NewKey { canonical: String::new(), epk: Some(epk), partition })
        });
        let small: Vec<NewKey> = small.collect();
        self.keys.extend(small);
    }

    /// Even parts for all small keys: ranges of a new container are.
    fn small_parts(&self) -> Vec<NewPart> {
        let small = (0_u32..).zip(&self.keys);
        let small: Vec<u32> =
            small.filter(|(_, key)| key.canonical.is_empty()).map(|(at, _)| at).collect();
        let part = as_number(small.len().max(1)).recip();
        small.into_iter().map(|key| NewPart::even(key, part)).collect()
    }
}
