//! What logs and reads tell of a container as it is: its key, hash ranges, RU/s, true size, and the RU of each key.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::capture::{Capture, Container};
use crate::model::epk::Epk;
use crate::model::key::{KeyDefinition, KeyKind, KeyVersion};
use crate::model::names::ContainerName;
use crate::model::physical::{TimeToLive, WithoutOwn};
use crate::model::units::{real, sum_of_known};

use super::super::candidate::Candidate;
use super::super::demand::{CurrentLoad, Demand};
use super::super::diagnosis::Diagnosis;
use super::super::key_ru::KeyRu;
use super::super::overview::Standouts;
use super::super::provisioning::RuOwner;
use super::super::usage::stored_kib;
use crate::model::layout::Layout;
use crate::model::throughput::ThroughputMode;

/// A container as it is.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Today {
    pub name: ContainerName,
    pub key: Option<Candidate>,
    pub definition: Option<KeyDefinition>,
    /// None unless the ranges cover the whole hash space.
    pub ranges: Option<Layout>,
    /// Of the ranges, in their order.
    pub ids: Vec<String>,
    pub ru_per_second: Option<f64>,
    pub throughput_mode: Option<ThroughputMode>,
    /// No RU/s are provisioned: none are to buy.
    pub is_serverless: bool,
    /// Data and indexes.
    pub stored_bytes: Option<f64>,
    /// Documents, where every partition is counted.
    pub stored_documents: Option<f64>,
    /// Of each physical partition, by its id; only of some where the others are not measured.
    pub partition_bytes: BTreeMap<String, f64>,
    pub logged: LoggedRu,
    /// Today's partitions under today's demand, as every screen shows them.
    pub now: Option<Arc<CurrentLoad>>,
    /// Its keys of which sizes are measured, as the overview shows them.
    pub measured: Option<Standouts>,
    /// What the diagnosis advises in place of its key.
    pub advised: Option<Candidate>,
    /// Documents expire: by its default, or by a time to live of their own.
    pub has_time_to_live: bool,
    /// Physical partitions that logs name.
    pub logged_partitions: Option<usize>,
}

/// RU of logs by key.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LoggedRu {
    /// By canonical text.
    pub by_key: BTreeMap<Box<str>, f64>,
    /// Of records that name no key, or one of more keys than are told apart.
    pub keyless: f64,
}

impl LoggedRu {
    fn of(capture: &Capture, container: u32) -> Self {
        let sums = KeyRu::of(&capture.load);
        let names = &capture.load.keys;
        let numbers = (0..).take(names.len()).map(|n| names.text(n));
        let by_key: BTreeMap<Box<str>, f64> = numbers
            .filter_map(|key| Some((key.into(), sums.of_key(&capture.load, container, key)?)))
            .collect();
        let of_keys: f64 = by_key.values().sum();
        let all = sums.of_container(container).unwrap_or(0.0);
        Self { by_key, keyless: (all - of_keys).max(0.0) }
    }

    /// Requested in the sizing window.
    fn of_demand(demand: &Demand) -> Self {
        let by_key: BTreeMap<Box<str>, f64> = demand
            .ru_by_key()
            .into_iter()
            .filter_map(|(key, ru)| Some((demand.keys.get(key)?.canonical.as_str().into(), ru)))
            .collect();
        let of_keys: f64 = by_key.values().sum();
        let seconds = f64::from(demand.step_s) * demand.steps_in_span();
        Self { by_key, keyless: (demand.ru_per_second() * seconds - of_keys).max(0.0) }
    }

    pub fn total(&self) -> f64 {
        self.by_key.values().sum::<f64>() + self.keyless
    }
}

impl Today {
    pub fn of(capture: &Capture, container: u32, now: Option<Arc<CurrentLoad>>) -> Option<Self> {
        let described = capture.container(container)?;
        let kib = stored_kib(capture, container);
        let definition = described.definition.clone();
        let ranges = ranges(described);
        Some(Self {
            name: described.name.clone(),
            key: definition.as_ref().and_then(Candidate::of_definition),
            definition,
            ids: ids(described, ranges.as_ref()),
            ranges,
            ru_per_second: ru_per_second(described),
            throughput_mode: throughput_mode(described),
            is_serverless: RuOwner::of(described, capture.account_of(&described.name))
                == RuOwner::Serverless,
            stored_bytes: kib.map(|kib| kib * 1024.0),
            stored_documents: current_documents(described),
            partition_bytes: described
                .current_partitions()
                .filter_map(|(_, p)| Some((p.id.clone(), p.kib? * 1024.0)))
                .collect(),
            logged: match &now {
                Some(now) if !now.demand.keys.is_empty() => LoggedRu::of_demand(&now.demand),
                _ => LoggedRu::of(capture, container),
            },
            now,
            measured: None,
            advised: None,
            has_time_to_live: matches!(described.lifetime, Some(TimeToLive::On { .. })),
            logged_partitions: None,
        })
    }

    /// With what the diagnosis found.
    #[must_use]
    pub fn diagnosed(self, found: &Diagnosis, measured: Option<Standouts>) -> Self {
        let advised = self.key.as_ref().and_then(|key| found.advised(key));
        Self { measured, advised, logged_partitions: found.physical_partitions, ..self }
    }

    /// How many physical partitions it has: by its ranges, else those that logs name.
    pub fn partitions(&self) -> Option<usize> {
        let ranges = self.ranges.as_ref().map(Layout::len);
        ranges.or(self.logged_partitions)
    }

    /// RU/s that another key has to serve, where logs or metrics tell what was throttled: also the writes that get 403 today.
    pub fn demand(&self) -> Option<f64> {
        let now = self.now.as_ref().filter(|now| now.is_known)?;
        let unserved = self.unserved().unwrap_or(0.0);
        Some(now.outcome.demand_ru_per_second + unserved).filter(|ru| *ru > 0.0)
    }

    /// The part of the demand that there is if clients only repeated what was throttled.
    pub fn repeated_part(&self) -> Option<f64> {
        let now = &self.now.as_ref()?.outcome;
        let part = now.repeated?.demand_ru_per_second / now.demand_ru_per_second;
        (part < 1.0).then_some(part)
    }

    /// RU/s behind 403s of full keys.
    pub fn unserved(&self) -> Option<f64> {
        let unserved = self.now.as_ref()?.unserved_ru_per_second;
        unserved.filter(|ru| *ru >= 1.0 && self.is_full())
    }

    /// Whether one of its keys is.
    pub fn is_full(&self) -> bool {
        let measured = self.measured.as_ref();
        measured.is_some_and(|found| found.full.is_some())
    }

    pub fn is_current(&self, candidate: &Candidate) -> bool {
        self.key.as_ref() == Some(candidate)
    }

    /// How the container hashes its keys.
    pub(super) fn hashing(&self, levels: usize) -> KeyDefinition {
        let version = match &self.definition {
            Some(d) if d.kind == KeyKind::Hash => d.version,
            _ => KeyVersion::V2,
        };
        KeyDefinition { version, ..KeyDefinition::of_levels(levels) }
    }
}

/// Its hash ranges; None unless all are known and cover the whole space.
pub(in crate::analysis) fn ranges(container: &Container) -> Option<Layout> {
    let bound = |text: &Option<String>| Epk::from_hex(text.as_deref()?);
    let range = |(at, p): (usize, &crate::model::physical::PhysicalPartition)| {
        Some((at, bound(&p.min_inclusive)?, bound(&p.max_exclusive)?))
    };
    Layout::from_ranges(container.current_partitions().map(range).collect::<Option<_>>()?)
}

/// Of the ranges, in their order.
pub(in crate::analysis) fn ids(container: &Container, ranges: Option<&Layout>) -> Vec<String> {
    let spans = ranges.iter().flat_map(|ranges| ranges.spans());
    let id = |at: usize| Some(container.partitions.get(at)?.id.clone());
    spans.filter_map(|span| id(span.from)).collect()
}

fn ru_per_second(container: &Container) -> Option<f64> {
    let reported = container.throughput.map(|t| t.throughput.highest());
    let summed = || container.current_partitions().map(|(_, p)| p.ru_per_second).sum();
    let known = reported.or_else(summed);
    known.filter(|ru| ru.is_finite() && *ru > 0.0)
}

fn throughput_mode(container: &Container) -> Option<ThroughputMode> {
    match (container.throughput, &container.without_own) {
        (Some(own), _) => Some(own.throughput.mode()),
        (None, Some(WithoutOwn::Shared(_))) => Some(ThroughputMode::AutoscaleOrShared),
        (None, _) => None,
    }
}

fn current_documents(container: &Container) -> Option<f64> {
    let sum = sum_of_known(container.current_partitions().map(|(_, p)| p.documents));
    sum.filter(|documents| *documents > 0).map(real)
}
