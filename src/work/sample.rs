//! A sample of documents of an account, as the screens ask for it: from which partitions, how much, for what.

use crate::analysis::heat::{ContainerHeat, Measure};
use crate::model::epk::epk;
use crate::model::key::{Key, KeyKind, KeyVersion};
use crate::model::physical::PhysicalPartition;
use crate::source::live::budget;
use crate::source::live::sampling::{Choice, Estimate, Hashing, Stratum, estimate};
use crate::source::live::target::Target;
use crate::work::data::{Dataset, Origin};

pub use crate::source::live::scan::{Meter, ScanEnd};

/// Seconds before the newest value in which a partition counts as hot.
const HEAT_SECONDS: i64 = 3_600;

/// What reading documents may cost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Allowance {
    /// RU before somebody is asked again.
    pub budget_ru: f64,
    /// RU/s; None = by what is provisioned.
    pub rate_ru: Option<f64>,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { budget_ru: budget::LIMIT, rate_ru: None }
    }
}

/// A container of an account as far as a sample of its documents needs to know it.
#[derive(Clone, PartialEq, Debug)]
pub struct SampleContainer {
    pub target: Box<Target>,
    pub database: String,
    pub container: String,
    pub strata: Vec<Stratum>,
    pub hashing: Hashing,
    /// RU/s of the container, where they are known.
    pub provisioned: Option<f64>,
}

/// A sample that somebody has allowed.
#[derive(Clone, PartialEq, Debug)]
pub struct ScanAsk {
    pub field: SampleContainer,
    /// In all, with what is there already.
    pub documents: u64,
    /// How many of them are whole, and what is read of the others.
    pub choice: Choice,
    /// Beside what was allowed before.
    pub more_ru: f64,
    pub ru_per_second: f64,
}

/// How asking ended, and what it took.
#[derive(Clone, PartialEq, Debug)]
pub struct ScanResult {
    pub over: ScanEnd,
    pub meter: Meter,
}

impl SampleContainer {
    /// None where the data is of no account, or the partitions are not known yet.
    pub fn of(data: &Dataset, number: u32) -> Option<Self> {
        let Origin::Live(target) = &data.origin else {
            return None;
        };
        let container = data.capture.container(number)?;
        let heat = data.heat.container(number);
        let definition = container.definition.as_ref();
        let place = |(text, kib): &(String, f64)| {
            let key = Key::from_canonical(text)?;
            Some((epk(key.parts(), definition?)?, *kib))
        };
        let stratum = |partition: &PhysicalPartition| {
            Some(Stratum {
                id: partition.id.clone(),
                min: partition.min_inclusive.clone()?,
                max: partition.max_exclusive.clone()?,
                documents: partition.documents,
                kib: partition.kib,
                keys: partition.listed.iter().filter_map(place).collect(),
                heat: heat.and_then(|heat| hot(heat, &partition.id)),
            })
        };
        let strata: Vec<Stratum> = container.partitions.iter().filter_map(stratum).collect();
        let is_old = definition.is_some_and(|definition| {
            definition.kind == KeyKind::Hash && definition.version == KeyVersion::V1
        });
        (!strata.is_empty()).then_some(Self {
            target: target.clone(),
            database: container.name.database.as_deref()?.to_owned(),
            container: container.name.container.as_deref()?.to_owned(),
            strata,
            hashing: if is_old { Hashing::V1 } else { Hashing::V2 },
            provisioned: container.throughput.map(|t| t.throughput.highest()),
        })
    }

    /// RU/s that a sample may use.
    pub fn rate(&self, allowance: &Allowance) -> f64 {
        let usual = || budget::rate_for(self.provisioned);
        allowance.rate_ru.unwrap_or_else(usual)
    }

    pub fn estimate(&self, documents: u64, allowance: &Allowance) -> Estimate {
        estimate(&self.strata, documents, self.rate(allowance))
    }

    /// The partition that comes last, by its range id.
    pub fn hottest(&self) -> Option<&str> {
        let heats = self.strata.iter().filter_map(|s| Some((s.heat?, s.id.as_str())));
        let (most, id) = heats.max_by(|a, b| a.0.total_cmp(&b.0))?;
        let is_alone = self.strata.iter().any(|s| s.heat.unwrap_or(0.0) < most);
        is_alone.then_some(id)
    }
}

/// The most of its RU/s that a partition needed lately.
fn hot(heat: &ContainerHeat, id: &str) -> Option<f64> {
    let at = heat.partition_of_range(id)?;
    let measures = [Measure::NormalizedRu, Measure::LoggedRu];
    let track = measures.into_iter().find_map(|measure| heat.track(measure))?;
    let series = track.series.get(at as usize)?;
    let (_, end) = track.together.span()?;
    let values = series.points(end - HEAT_SECONDS, end).map(|(_, value)| f64::from(value));
    values.reduce(f64::max)
}
