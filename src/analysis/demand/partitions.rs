//! The physical partitions of today: their ids, hash ranges and RU/s.

use std::collections::HashMap;

use crate::analysis::heat::{ContainerHeat, Partition};
use crate::analysis::usage::stored_kib;
use crate::model::capture::Capture;
use crate::model::epk::Epk;
use crate::model::key::KeyDefinition;
use crate::model::layout::Layout;
use crate::model::throughput::ThroughputMode;

/// The partitions that exist, of those that load speaks of.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Partitions {
    /// Their numbers among the partitions of `ContainerHeat`.
    pub numbers: Vec<u32>,
    by_number: HashMap<u32, u32>,
    /// As the service names them.
    pub ids: Vec<String>,
    /// RU/s of each, where all are known.
    pub capacities: Option<Vec<f64>>,
    /// Their hash ranges, numbered as here, where all are known.
    pub layout: Option<Layout>,
    pub definition: Option<KeyDefinition>,
    /// RU/s of the container, as provisioned.
    pub provisioned: Option<f64>,
    /// The least RU/s that the service takes.
    pub minimum: Option<f64>,
    pub throughput_mode: ThroughputMode,
    /// Data of the container, where it is known.
    pub stored_kib: Option<f64>,
}

impl Partitions {
    /// None where there is no such container.
    pub fn of(capture: &Capture, number: u32, heat: &ContainerHeat) -> Option<Self> {
        let container = capture.container(number)?;
        let numbers: Vec<u32> = heat.physical().collect();
        let partitions = || {
            let of = |number: &u32| Some((*number, heat.partitions.get(*number as usize)?));
            numbers.iter().filter_map(of)
        };
        let by_number = numbers.iter().zip(0_u32..).map(|(n, at)| (*n, at)).collect();
        let capacities: Option<Vec<f64>> = partitions()
            .map(|(_, p)| p.capacity.map(|c| c.ru_per_second).filter(|ru| *ru > 0.0))
            .collect();
        let range = |(at, (_, p)): (usize, (u32, &Partition))| {
            let known = container.partitions.get(p.known?)?;
            let min = Epk::from_hex(known.min_inclusive.as_deref()?)?;
            let max = Epk::from_hex(known.max_exclusive.as_deref()?)?;
            Some((at, min, max))
        };
        let ranges: Option<Vec<_>> = partitions().enumerate().map(range).collect();
        let capacities = capacities.filter(|c| !c.is_empty());
        let settings = container.throughput;
        let summed = || Some(capacities.as_ref()?.iter().sum());
        Some(Self {
            by_number,
            ids: partitions().map(|(_, p)| p.named.text().to_owned()).collect(),
            layout: ranges.and_then(Layout::from_ranges),
            definition: container.definition.clone(),
            provisioned: heat.ru_per_second.filter(|ru| *ru > 0.0).or_else(summed),
            minimum: settings.and_then(|s| s.minimum),
            throughput_mode: settings.map(|s| s.throughput.mode()).unwrap_or_default(),
            stored_kib: stored_kib(capture, number),
            capacities,
            numbers,
        })
    }

    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The place of a partition of `ContainerHeat` among those that exist.
    pub fn place(&self, number: u32) -> Option<u32> {
        self.by_number.get(&number).copied()
    }

    pub fn number(&self, place: u32) -> Option<u32> {
        self.numbers.get(place as usize).copied()
    }

    pub fn capacity(&self, place: u32) -> Option<f64> {
        self.capacities.as_ref()?.get(place as usize).copied()
    }
}
