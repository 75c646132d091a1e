//! A container that is designed before any document exists: what is written, whose it is, and what is asked of it.

mod shares;

use super::path::Path;
use super::throughput::{ThroughputMode, initial_partitions, partitions_for_storage};
use super::time::{DAY_S, Stamp};
use super::units::{
    MOST_RU, RU_PER_VISIT, as_number, percent_text, real, root, whole_text, write_ru,
};

pub use shares::{RankCurve, ValueShares};

/// The part of the RU/s that the busiest time may take: keys never lie quite evenly.
pub const PLANNED_USE: f64 = 0.7;
/// The most values of a property.
pub const MOST_VALUES: u64 = 1_000_000_000;

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
    /// None where no RU/s serve the demand; the others are then those of the most RU/s.
    pub ru_per_second: Option<f64>,
    pub partitions: f64,
}

/// How many physical partitions of a number a query visits under the key of a design. Models know no routes: the router of
/// `analysis` is passed in, so that there is one.
pub type QueryRouter = fn(&Design, &DesignQuery, f64) -> f64;

/// What stands in place of RU/s where none serve the demand.
pub const UNSERVED: &str = "no RU/s serves this";

impl DesignPlan {
    /// Why no RU/s serve the demand; None where some do.
    pub fn shortfall(&self) -> Option<String> {
        let [demand, most, n] = [self.demand, MOST_RU, self.partitions].map(whole_text);
        let planned = percent_text(PLANNED_USE);
        self.ru_per_second.is_none().then(|| {
            format!(
                "{demand} RU/s ÷ {planned} is more than {most} RU/s, the most of a container, which has {n} physical partitions then"
            )
        })
    }
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
        let of = |e: &Entity| self.documents_after(e, days).iter().sum::<f64>() * e.bytes;
        self.entities.iter().map(of).sum()
    }

    /// What is left of the documents at the start, which expire as others do, and of those written since.
    pub fn documents_after(&self, entity: &Entity, days: f64) -> [f64; 2] {
        let kept = entity.kept_days.unwrap_or(f64::INFINITY);
        let at_start = if days <= kept { entity.count } else { 0.0 };
        [at_start, self.a_day(entity) * days.min(kept)]
    }

    /// What the container has at this age, with the RU/s of the first day. These are the least that serve the demand on the
    /// physical partitions that they make: more partitions never make a query cheaper, so the search goes up from the fewest.
    pub fn plan(&self, days: f64, router: QueryRouter) -> DesignPlan {
        let mode =
            if self.autoscale { ThroughputMode::AutoscaleOrShared } else { ThroughputMode::Manual };
        let [step, least] = mode.sold();
        let by_size = partitions_for_storage(self.bytes_after(days) / 1024.0);
        let partitions_of = |ru| as_number(initial_partitions(ru, mode).max(by_size));
        let on = |partitions: f64, ru_per_second| {
            let demand = self.demand(partitions, router);
            DesignPlan { demand, ru_per_second, partitions }
        };
        if days > 0.0 || self.ru_per_second.is_some() {
            let first = || self.plan(0.0, router).ru_per_second;
            let set = self.ru_per_second.or_else(first);
            return on(partitions_of(set.unwrap_or(MOST_RU)), set);
        }
        let mut plan = on(as_number(by_size), None);
        loop {
            let needed = ((plan.demand / PLANNED_USE).max(least) / step).ceil() * step;
            let partitions = partitions_of(needed);
            if needed > MOST_RU {
                return on(partitions_of(MOST_RU), None);
            }
            if partitions <= plan.partitions {
                return DesignPlan { ru_per_second: Some(needed), ..plan };
            }
            plan = on(partitions, None);
        }
    }

    /// RU/s of the busiest time on a number of physical partitions.
    fn demand(&self, partitions: f64, router: QueryRouter) -> f64 {
        let ru = |q: &DesignQuery| q.per_second * q.charge(router(self, q, partitions));
        self.point_ru() + self.queries.iter().map(ru).sum::<f64>()
    }

    /// Whether a query goes to one key, and with it to one partition however many there are.
    pub fn is_keyed(&self, query: &DesignQuery, router: QueryRouter) -> bool {
        router(self, query, 2.0) < 2.0
    }

    /// Documents written in a day.
    pub fn a_day(&self, entity: &Entity) -> f64 {
        self.rates(entity).writes * entity.active * DAY_S
    }
}
