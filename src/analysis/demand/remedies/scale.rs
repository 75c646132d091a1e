//! Scaling up: the least RU/s, as they are sold, with which no more is throttled than is healthy.

use super::layouts::new_terms;
use super::{AT_ONCE, Case, Question, Remedy, SPLIT_HOURS, partitions_text, ru_text};
use crate::analysis::demand::least::{DemandSpread, LeastRu, NEAR, ThroughputTerms};
use crate::analysis::demand::outcome::{LoadRoute, StepLoad, most_throttled, overload, routed};
use crate::analysis::demand::{CurrentLoad, Demand};
use crate::analysis::placement::{Layout, SplitBy, SplitPoint, as_number};
use crate::analysis::throttling::{equal_share, redistributed};
use crate::model::units::PARTITION_RU_PER_SECOND;

/// How RU/s become what partitions serve.
#[derive(Clone, Copy, PartialEq)]
enum Sharing {
    /// Each partition keeps its fraction.
    AsToday,
    /// Redistributed by demand, to each at least so many.
    ByDemand(f64),
}

/// None where none does it, or it is not known what was throttled.
pub fn least_ru(now: &CurrentLoad, cured: f64) -> Option<f64> {
    let [_, minimum] = now.partitions.throughput_mode().sold();
    let from = now.partitions.minimum.unwrap_or(minimum);
    let found = now.is_known.then(|| sold(now, from).least(cured, |n| ScaledDemand::of(now, n)));
    Some(found?.ok()?.ru_per_second)
}

fn sold(now: &CurrentLoad, from: f64) -> ThroughputTerms {
    ThroughputTerms {
        throughput_mode: now.partitions.throughput_mode(),
        least: now.outcome.partitions.len(),
        ru_of_one: PARTITION_RU_PER_SECOND,
        from,
    }
}

/// RU/s of each partition at other RU/s of the container. Fractions persist until partitions are split, which makes all
/// shares equal.
pub fn capacities(now: &CurrentLoad, ru_per_second: f64, partitions: usize) -> Vec<f64> {
    let today = now.partitions.capacities.as_deref().unwrap_or_default();
    let provisioned = now.partitions.provisioned.filter(|ru| *ru > 0.0);
    match provisioned {
        Some(provisioned) if partitions == today.len() => {
            let part = |c: &f64| (c / provisioned * ru_per_second).min(PARTITION_RU_PER_SECOND);
            today.iter().map(part).collect()
        }
        _ => vec![equal_share(ru_per_second, partitions); partitions],
    }
}

/// The demand of today on a number of partitions.
struct ScaledDemand<'a> {
    now: &'a CurrentLoad,
    loads: Vec<StepLoad>,
    partitions: usize,
    sharing: Sharing,
}

impl<'a> ScaledDemand<'a> {
    /// None where it is not known where keys go.
    fn of(now: &'a CurrentLoad, partitions: usize) -> Option<Self> {
        let is_today = partitions == now.partitions.len();
        let grown = if is_today { None } else { Some(now.grown(partitions, SplitPoint::Data)?) };
        Some(Self {
            now,
            loads: now.loads_on(&now.demand, grown.as_ref())?,
            partitions,
            sharing: Sharing::AsToday,
        })
    }

    fn capacities(&self, ru_per_second: f64) -> Vec<f64> {
        match self.sharing {
            Sharing::AsToday => capacities(self.now, ru_per_second, self.partitions),
            Sharing::ByDemand(least) => {
                let highest = super::highest(&self.loads, self.partitions);
                redistributed(ru_per_second, &highest, least)
            }
        }
    }
}

impl DemandSpread for ScaledDemand<'_> {
    fn throttled_share(&self, ru_per_second: f64) -> f64 {
        let capacities = self.capacities(ru_per_second);
        most_throttled(&self.loads, &capacities, &self.now.demand)
    }

    /// None where only keys beyond what one key can use are left.
    fn next(&self) -> Option<usize> {
        let most = PARTITION_RU_PER_SECOND * as_number(self.partitions);
        let all = capacities(self.now, most, self.partitions);
        let is_whole = all.iter().all(|c| *c >= PARTITION_RU_PER_SECOND - 1.0);
        let floor = super::beyond_one_key(&self.now.demand.loads);
        let left = overload(&self.loads, &all, None, |l| l.ru_per_second).share;
        (!is_whole || left > floor + NEAR).then_some(self.partitions + 1 + self.partitions / 8)
    }
}

impl CurrentLoad {
    /// Today's ranges split until there are so many: the same for each remedy and trial.
    pub fn grown(&self, partitions: usize, how: SplitPoint) -> Option<Layout> {
        let definition = self.partitions.definition.as_ref()?;
        let layout = self.partitions.layout.as_ref()?;
        Some(layout.grown(partitions, SplitBy::new(&self.weights(), definition, how)))
    }

    /// Loads on what today's partitions were split into, or on these; None where it is not known where keys go.
    pub fn loads_on(&self, demand: &Demand, grown: Option<&Layout>) -> Option<Vec<StepLoad>> {
        let route = match grown {
            Some(grown) => self.route(grown)?,
            None => LoadRoute::default(),
        };
        let count = grown.map_or(self.partitions.len(), Layout::len);
        Some(routed(&demand.loads, &route, count))
    }
}

impl Question<'_> {
    pub(super) fn scale_up(&self) -> Remedy {
        let provisioned = self.now.partitions.provisioned.unwrap_or(0.0);
        let [step, _] = self.now.partitions.throughput_mode().sold();
        let next = (provisioned / step).floor() * step + step;
        let found = sold(self.now, next).least(self.cured, |n| ScaledDemand::of(self.now, n));
        let none = if found.is_ok() { "" } else { "; no RU/s fix it" };
        if let Some(at) = found.map_or_else(|best| best, Some) {
            return self.scaled("scale-up", &at, none);
        }
        let words = "RU/s beyond today's partitions: keys of the load are not known";
        self.row("scale-up", words.to_owned(), None, None, SPLIT_HOURS)
    }

    fn scaled(&self, name: &str, at: &LeastRu<ScaledDemand<'_>>, with: &str) -> Remedy {
        let words =
            format!("{} on {}{with}", ru_text(at.ru_per_second), partitions_text(at.on.partitions));
        let is_split = at.on.partitions > self.now.partitions.len();
        let takes = if is_split { SPLIT_HOURS } else { AT_ONCE };
        let case = Case { loads: &at.on.loads, capacities: &at.on.capacities(at.ru_per_second) };
        self.row(name, words, Some(case), Some(at.ru_per_second), takes)
    }

    /// The cheapest two remedies together.
    pub(super) fn pair(&self) -> Option<Remedy> {
        let sold = sold(self.now, self.now.partitions.provisioned?);
        let by_demand = sold.least(self.cured, |n| {
            Some(ScaledDemand {
                sharing: Sharing::ByDemand(self.least_partition_ru),
                ..ScaledDemand::of(self.now, n)?
            })
        });
        let by_demand = by_demand.ok().map(|at| {
            let with = ", redistributed by demand";
            self.scaled("scale-up+redistribute", &at, with)
        });
        let ru = |row: &Remedy| row.ru_per_second.unwrap_or(f64::INFINITY);
        let by_demand = by_demand.filter(|_| self.next_key_at.is_none());
        let rows = by_demand.into_iter().chain(self.suffixes_and_more_ru());
        rows.min_by(|a, b| ru(a).total_cmp(&ru(b)))
    }

    /// The number of suffixes with which a new container needs the least RU/s, the fewest of those that need as many.
    fn suffixes_and_more_ru(&self) -> Option<Remedy> {
        let terms = new_terms(self.now);
        let of = |count| {
            let found = terms.least(self.cured, |n| self.suffixed(count, &self.now.in_new(n)?));
            Some((count, found.ok()?))
        };
        let least = self.suffix_counts().filter_map(of);
        let (count, at) = least.reduce(|held, found| {
            let is_cheaper = found.1.ru_per_second < held.1.ru_per_second;
            if is_cheaper { found } else { held }
        })?;
        Some(Remedy {
            name: format!("suffixes-{count}+scale-up"),
            ..self.suffix_row(count, at.ru_per_second, &at.on)
        })
    }
}
