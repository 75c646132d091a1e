//! A container that is designed before any document exists: what is written, whose it is, and what is asked of it.

mod shares;

use super::path::Path;
use super::time::Stamp;
use super::units::{
    MANUAL_RU_PER_NEW_PARTITION, PARTITION_RU_PER_SECOND, PHYSICAL_CEILING_KIB, RU_PER_VISIT, real,
    root, write_ru,
};

pub use shares::{RankCurve, ValueShares};

const ROUNDS: u32 = 8;
/// The part of the RU/s that the busiest time may take: keys never lie quite evenly.
pub const PLANNED_USE: f64 = 0.7;
/// The most values of a property.
pub const MOST_VALUES: u64 = 1_000_000_000;
const DAY_S: f64 = 86_400.0;

#[derive(Clone, PartialEq, Debug)]
pub struct Design {
    pub title: String,
    pub container: String,
    /// One path for each level.
    pub key: Vec<Path>,
    /// Other keys, as texts.
    pub try_keys: Vec<String>,
    pub ru_per_second: Option<f64>,
    pub autoscale: bool,
    pub indexed: bool,
    /// The first day of use; dates are given only where it is.
    pub starts: Option<Stamp>,
    /// How old the container is of which documents are drawn.
    pub age_days: f64,
    pub properties: Vec<Property>,
    pub entities: Vec<Entity>,
    pub queries: Vec<DesignQuery>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    pub name: String,
    pub values: PropertyValues,
}

#[derive(Clone, PartialEq, Debug)]
pub enum PropertyValues {
    Drawn(ValueShares),
    Day,
    Month,
}

/// One kind of document.
#[derive(Clone, PartialEq, Debug)]
pub struct Entity {
    pub name: String,
    pub bytes: f64,
    /// There from the beginning.
    pub count: f64,
    /// A second of the time in which there are any.
    pub writes: f64,
    pub updates: f64,
    pub reads: f64,
    /// The rates are of each value of this property.
    pub each: Option<usize>,
    /// The part of the day in which there are requests.
    pub active: f64,
    /// Places of its properties.
    pub properties: Vec<usize>,
    pub kept_days: Option<f64>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct DesignQuery {
    pub name: String,
    pub sql: String,
    pub per_second: f64,
    /// On each physical partition that it visits.
    pub ru: f64,
}

/// Documents written, changed and read in a second, while there are any.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EntityRates {
    pub owners: f64,
    pub writes: f64,
    pub updates: f64,
    pub reads: f64,
}

/// RU/s of the busiest time, RU/s to provide, and the physical partitions that these and the data need.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DesignPlan {
    pub demand: f64,
    pub ru_per_second: f64,
    pub partitions: f64,
}

impl DesignQuery {
    /// On all physical partitions that it visits together.
    pub fn charge(&self, visits: f64) -> f64 {
        self.ru + RU_PER_VISIT * (visits - 1.0)
    }
}

impl Design {
    pub fn rates(&self, entity: &Entity) -> EntityRates {
        let of = entity.each.and_then(|at| self.shares(at));
        let owners = of.map_or(1.0, |shares| real(shares.distinct));
        EntityRates {
            owners,
            writes: entity.writes * owners,
            updates: entity.updates * owners,
            reads: entity.reads * owners,
        }
    }

    pub fn shares(&self, property: usize) -> Option<&ValueShares> {
        match &self.properties.get(property)?.values {
            PropertyValues::Drawn(shares) => Some(shares),
            PropertyValues::Day | PropertyValues::Month => None,
        }
    }

    pub fn place(&self, name: &str) -> Option<usize> {
        self.properties.iter().position(|p| p.name == name)
    }

    /// RU of writing one document.
    pub fn write_ru(&self, bytes: f64) -> f64 {
        let [without, with] = write_ru(bytes);
        if self.indexed { with } else { without }
    }

    /// RU/s of writes and point reads at the busiest time.
    pub fn point_ru(&self) -> f64 {
        let of = |entity: &Entity| {
            let rates = self.rates(entity);
            let written = (rates.writes + rates.updates) * self.write_ru(entity.bytes);
            written + rates.reads * root(entity.bytes)
        };
        self.entities.iter().map(of).sum()
    }

    /// The time after which all documents are deleted; none where some are kept.
    pub fn kept_days(&self) -> Option<f64> {
        let kept = self.entities.iter().map(|e| e.kept_days);
        kept.reduce(|a, b| Some(a?.max(b?))).flatten()
    }

    pub fn bytes_after(&self, days: f64) -> f64 {
        let of = |entity: &Entity| self.documents_after(entity, days) * entity.bytes;
        self.entities.iter().map(of).sum()
    }

    pub fn documents_after(&self, entity: &Entity, days: f64) -> f64 {
        let growing = entity.kept_days.map_or(days, |kept| kept.min(days));
        entity.count + self.a_day(entity) * growing
    }

    /// What the container has when it is so old, with the RU/s that it has from the first day on. Queries of which
    /// `is_targeted` says so visit one physical partition, others all.
    pub fn plan(&self, days: f64, is_targeted: &dyn Fn(&DesignQuery) -> bool) -> DesignPlan {
        let first = (days > 0.0).then(|| self.plan(0.0, is_targeted).ru_per_second);
        let by_size = self.bytes_after(days) / 1024.0 / PHYSICAL_CEILING_KIB;
        let of_new =
            if self.autoscale { PARTITION_RU_PER_SECOND } else { MANUAL_RU_PER_NEW_PARTITION };
        let [step, least] = if self.autoscale { [1_000.0; 2] } else { [100.0, 400.0] };
        let mut plan =
            DesignPlan { demand: 0.0, ru_per_second: 0.0, partitions: by_size.ceil().max(1.0) };
        // More partitions make queries of all of them dearer, and dearer queries need more partitions.
        for _ in 0..ROUNDS {
            let queries = self.queries.iter().map(|query| {
                let visits = if is_targeted(query) { 1.0 } else { plan.partitions };
                query.per_second * query.charge(visits)
            });
            plan.demand = self.point_ru() + queries.sum::<f64>();
            let needed = ((plan.demand / PLANNED_USE).max(least) / step).ceil() * step;
            plan.ru_per_second = self.ru_per_second.or(first).unwrap_or(needed);
            plan.partitions = (plan.ru_per_second / of_new).max(by_size).ceil().max(1.0);
        }
        plan
    }

    /// Documents written in a day.
    pub fn a_day(&self, entity: &Entity) -> f64 {
        self.rates(entity).writes * entity.active * DAY_S
    }
}
