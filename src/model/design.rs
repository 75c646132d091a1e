//! A container that is designed before any document exists: what is written, whose it is, and what is asked of it.

use super::path::Path;
use super::time::Stamp;
use super::units::{real, root, whole_u64, write_ru};

/// Values whose shares are summed one by one; further ones follow the curve.
const SUMMED: u64 = 1_000;
/// Where the curve goes on behind them.
const BEHIND: f64 = 1_000.5;
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

/// Who has how much: a few by name, the others by rank.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueShares {
    /// In all, those with a name among them.
    pub distinct: u64,
    pub curve: RankCurve,
    pub giants: Vec<(String, f64)>,
    /// The place of the property that its values are divided among, as that has shares.
    pub within: Option<usize>,
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

    /// Documents written in a day.
    pub fn a_day(&self, entity: &Entity) -> f64 {
        self.rates(entity).writes * entity.active * DAY_S
    }
}

impl ValueShares {
    fn named(&self) -> u64 {
        self.giants.len() as u64
    }

    /// What is left for those without a name.
    fn rest(&self) -> f64 {
        1.0 - self.giants.iter().map(|(_, share)| share).sum::<f64>()
    }

    /// The share of the value of this rank, from 1 on; names come first.
    pub fn share(&self, rank: u64) -> f64 {
        let at = usize::try_from(rank.saturating_sub(1)).unwrap_or(usize::MAX);
        if let Some((_, share)) = self.giants.get(at) {
            return *share;
        }
        let others = self.distinct.saturating_sub(self.named());
        self.rest() * self.curve.share(rank.saturating_sub(self.named()), others)
    }

    /// How many values this value of the property above has.
    pub fn children(&self, parent_share: f64) -> u64 {
        whole_u64((real(self.distinct) * parent_share).round()).max(1)
    }

    /// The rank that a number from 0 up to 1 falls on.
    pub fn rank(&self, number: f64) -> u64 {
        let mut before = 0.0;
        for (rank, (_, share)) in (1..).zip(&self.giants) {
            before += share;
            if number < before {
                return rank;
            }
        }
        let others = self.distinct.saturating_sub(self.named()).max(1);
        let part = ((number - before) / self.rest().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        self.named() + self.curve.rank(part, others)
    }
}

/// The second has 1 / 2^zipf of the first; with 0 all are alike.
#[derive(Clone, PartialEq, Debug)]
pub struct RankCurve {
    zipf: f64,
    /// Sums of 1 / rank^zipf one by one; further ones are the area below the curve.
    sums: Vec<f64>,
}

impl RankCurve {
    pub fn new(zipf: f64) -> Self {
        let mut sum = 0.0;
        let sums = (1..=SUMMED).map(|rank| {
            sum += real(rank).powf(-zipf);
            sum
        });
        Self {
            sums: sums.collect(),
            zipf,
        }
    }

    pub fn is_even(&self) -> bool {
        self.zipf == 0.0
    }

    /// What the value of this rank has, of so many.
    pub fn share(&self, rank: u64, values: u64) -> f64 {
        real(rank.max(1)).powf(-self.zipf) / self.sum(values.max(1))
    }

    /// The rank that a part of all falls on.
    pub fn rank(&self, part: f64, values: u64) -> u64 {
        let wanted = part * self.sum(values);
        let first = self.sums.partition_point(|sum| *sum <= wanted) as u64 + 1;
        if first <= SUMMED {
            return first.min(values);
        }
        let more = wanted - self.sum(SUMMED);
        let power = 1.0 - self.zipf;
        let at = if power.abs() < 1e-9 {
            BEHIND * more.exp()
        } else {
            (BEHIND.powf(power) + power * more).powf(1.0 / power)
        };
        whole_u64(at.round()).clamp(1, values)
    }

    fn sum(&self, values: u64) -> f64 {
        let at = usize::try_from(values.clamp(1, SUMMED) - 1).unwrap_or_default();
        let first = self.sums.get(at).copied().unwrap_or(1.0);
        if values <= SUMMED {
            return first;
        }
        let to = real(values) + 0.5;
        let power = 1.0 - self.zipf;
        first
            + if power.abs() < 1e-9 {
                (to / BEHIND).ln()
            } else {
                (to.powf(power) - BEHIND.powf(power)) / power
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_all_values_are_one_and_ranks_are_drawn_by_them() {
        for (distinct, zipf, giant) in [(5, 0.0, 0.4), (40_000, 1.0, 0.0), (30_000, 1.3, 0.25)] {
            let giants = (giant > 0.0).then(|| ("contoso".to_owned(), giant));
            let shares = ValueShares {
                distinct,
                curve: RankCurve::new(zipf),
                giants: giants.into_iter().collect(),
                within: None,
            };
            let sum: f64 = (1..=distinct).map(|rank| shares.share(rank)).sum();
            assert!((sum - 1.0).abs() < 1e-6, "{distinct}: {sum}");
            let mut before = 0.0;
            for rank in 1..=distinct {
                let share = shares.share(rank);
                let drawn = shares.rank(before + share / 2.0);
                assert!(drawn.abs_diff(rank) <= rank / 1_000, "{rank}: {drawn}");
                before += share;
            }
        }
    }
}
