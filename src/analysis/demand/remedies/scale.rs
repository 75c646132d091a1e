//! Scaling up: the least RU/s, as they are sold, with which no more is throttled than is healthy.
//!
//! RU/s that today's partitions can serve are there at once and persist as fractions. More of them split partitions, in one
//! of two ways. In place, the service chooses which partitions split. Evenly, RU/s are set high enough for every partition
//! to split, and are lowered afterwards.

use super::layouts::new_terms;
use super::{
    AT_ONCE, Case, Question, Remedy, RemedyEffect, SPLIT_HOURS, SPLIT_ROUNDS, partitions_text,
    ru_text,
};
use crate::analysis::demand::least::{DemandSpread, LeastRu, NEAR, ThroughputTerms, is_cured};
use crate::analysis::demand::outcome::{
    JudgedSteps, LoadRoute, StepLoad, most_throttled, overload, routed,
};
use crate::analysis::demand::{CurrentLoad, Demand, Requester};
use crate::analysis::throttling::{equal_share, redistributed};
use crate::model::layout::{Layout, MAX_PARTITIONS, SplitBy, SplitFirst, SplitPoint};
use crate::model::throughput::most_ru;
use crate::model::units::{MOST_RU, PARTITION_RU_PER_SECOND, as_number, counted};

/// How RU/s become what partitions serve.
#[derive(Clone, Copy, PartialEq)]
enum Sharing {
    /// Each partition keeps its fraction.
    AsToday,
    /// Redistributed by demand, to each at least so many.
    ByDemand(f64),
}

/// The least RU/s, in place or evenly. None where no RU/s do, or it is not known what was throttled.
pub fn least_ru(now: &CurrentLoad, cured: f64) -> Option<f64> {
    if !now.is_known {
        return None;
    }
    let [_, minimum] = now.partitions.throughput_mode.sold();
    let from = now.partitions.minimum.unwrap_or(minimum);
    let found = [in_place(now, from, cured, Sharing::AsToday), evenly(now, from, cured)];
    found.into_iter().flatten().map(|at| at.ru_per_second).reduce(f64::min)
}

fn sold(now: &CurrentLoad, from: f64) -> ThroughputTerms {
    ThroughputTerms {
        throughput_mode: now.partitions.throughput_mode,
        least: now.outcome.partitions.len(),
        ru_of_one: PARTITION_RU_PER_SECOND,
        from,
    }
}

type LeastOrBest<'a> = Result<LeastRu<ScaledDemand<'a>>, Option<LeastRu<ScaledDemand<'a>>>>;

fn in_place(now: &CurrentLoad, from: f64, cured: f64, sharing: Sharing) -> LeastOrBest<'_> {
    sold(now, from).least(cured, |n| ScaledDemand::new(now, n, sharing))
}

/// The fewest rounds of splits that do, else the best of them.
fn evenly(now: &CurrentLoad, from: f64, cured: f64) -> LeastOrBest<'_> {
    let today = now.partitions.len();
    let mode = now.partitions.throughput_mode;
    let stored = now.partitions.stored_kib.unwrap_or(0.0);
    let mut best: Option<LeastRu<ScaledDemand<'_>>> = None;
    for rounds in 1.. {
        let partitions = today << rounds;
        let highest = PARTITION_RU_PER_SECOND * as_number(partitions);
        if highest > MOST_RU || partitions > MAX_PARTITIONS {
            break;
        }
        if partitions < now.outcome.partitions.len() {
            continue;
        }
        let from = from.max(mode.minimum_after(highest, stored));
        let terms = ThroughputTerms { least: partitions, ..sold(now, from) };
        let spread = |n| (n == partitions).then(|| ScaledDemand::new(now, n, Sharing::AsToday))?;
        match terms.least(cured, spread) {
            Ok(at) => return Ok(at),
            Err(None) => break,
            Err(Some(at)) => {
                let goes_on = at.on.next().is_some();
                if best.as_ref().is_none_or(|held| at.share() < held.share() - NEAR) {
                    best = Some(at);
                }
                if !goes_on {
                    break;
                }
            }
        }
    }
    Err(best)
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
    /// Where the service leaves the hottest partition whole as long as it can.
    worst: Vec<StepLoad>,
    /// Where it splits the hottest first; None where every choice comes to the same.
    best: Option<Vec<StepLoad>>,
    partitions: usize,
    sharing: Sharing,
}

impl<'a> ScaledDemand<'a> {
    /// None where it is not known where keys go.
    fn new(now: &'a CurrentLoad, partitions: usize, sharing: Sharing) -> Option<Self> {
        let today = now.partitions.len();
        let loads = |first| {
            let grown = now.grown(partitions, first, SplitPoint::Data)?;
            now.loads_on(&now.demand, Some(&grown))
        };
        // In whole rounds every partition is split as often as the others.
        let rounds = partitions.checked_div(today).filter(|_| partitions.is_multiple_of(today));
        let is_choice = partitions > today && !rounds.is_some_and(usize::is_power_of_two);
        let worst = if partitions == today {
            now.loads_on(&now.demand, None)?
        } else {
            loads(SplitFirst::Lightest)?
        };
        let best = if is_choice { Some(loads(SplitFirst::Heaviest)?) } else { None };
        Some(Self { now, worst, best, partitions, sharing })
    }

    fn capacities(&self, loads: &[StepLoad], ru_per_second: f64) -> Vec<f64> {
        match self.sharing {
            Sharing::AsToday => capacities(self.now, ru_per_second, self.partitions),
            Sharing::ByDemand(least) => {
                let highest = super::highest(loads, self.partitions);
                redistributed(ru_per_second, &highest, least)
            }
        }
    }
}

impl DemandSpread for ScaledDemand<'_> {
    fn throttled_share(&self, ru_per_second: f64) -> f64 {
        let share = |loads: &Vec<StepLoad>| {
            most_throttled(loads, &self.capacities(loads, ru_per_second), &self.now.demand)
        };
        share(&self.worst).max(self.best.as_ref().map_or(0.0, share))
    }

    /// None where only keys beyond what one key can use are left.
    fn next(&self) -> Option<usize> {
        let most = PARTITION_RU_PER_SECOND * as_number(self.partitions);
        let all = capacities(self.now, most, self.partitions);
        let is_whole = all.iter().all(|c| *c >= PARTITION_RU_PER_SECOND - 1.0);
        let floor = super::beyond_one_key(&self.now.demand.loads);
        let left = overload(&self.worst, &all, JudgedSteps::default(), |l| l.ru_per_second).share;
        (!is_whole || left > floor + NEAR).then_some(self.partitions + 1 + self.partitions / 8)
    }
}

impl LeastRu<ScaledDemand<'_>> {
    fn is_split(&self) -> bool {
        self.on.partitions > self.on.now.partitions.len()
    }

    fn share(&self) -> f64 {
        self.on.throttled_share(self.ru_per_second)
    }
}

impl CurrentLoad {
    /// Today's ranges split up to this number of partitions.
    pub fn grown(&self, partitions: usize, first: SplitFirst, how: SplitPoint) -> Option<Layout> {
        let definition = self.partitions.definition.as_ref()?;
        let layout = self.partitions.layout.as_ref()?;
        let mut keyless = vec![0.0; self.partitions.len()];
        for load in self.demand.loads.iter().filter(|l| l.requester == Requester::Keyless) {
            if let Some(sum) = keyless.get_mut(load.partition as usize) {
                *sum += load.ru_per_second * f64::from(self.demand.step_s);
            }
        }
        let weights = self.weights();
        let by = SplitBy::new(&weights, definition, how).spread(&keyless);
        Some(layout.grown(partitions, first, by))
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
    /// In place, and evenly where splits in place do not fix it or need more RU/s.
    pub(super) fn scale_up(&self) -> Vec<Remedy> {
        let provisioned = self.now.partitions.provisioned.unwrap_or(0.0);
        let [step, _] = self.now.partitions.throughput_mode.sold();
        let next = (provisioned / step).floor() * step + step;
        let found = in_place(self.now, next, self.cured, Sharing::AsToday);
        let is_enough = found.as_ref().is_ok_and(|at| !at.is_split());
        let other = if is_enough { Err(None) } else { evenly(self.now, provisioned, self.cured) };
        let none = if found.is_ok() || other.is_ok() { "" } else { "; no RU/s fix it" };
        let [found, other] = [found, other].map(|at| at.map_or_else(|best| best, Some));
        let Some(in_place) = found else {
            let words = "RU/s beyond today's partitions: keys of the load are not known";
            return vec![self.row("scale-up", words.to_owned(), None, None, SPLIT_HOURS)];
        };
        let is_better = |evenly: &LeastRu<ScaledDemand<'_>>| {
            let [held, found] = [&in_place, evenly].map(LeastRu::share);
            let is_as_good = found < held + NEAR || is_cured(found, self.cured);
            let is_cheaper = evenly.ru_per_second < in_place.ru_per_second;
            found < held - NEAR || is_as_good && is_cheaper
        };
        let first = self.scaled("scale-up", &in_place, none);
        let evenly = other.filter(is_better).map(|at| self.scaled_evenly(&at, none));
        std::iter::once(first).chain(evenly).collect()
    }

    fn scaled(&self, name: &str, at: &LeastRu<ScaledDemand<'_>>, with: &str) -> Remedy {
        let ru = at.ru_per_second;
        let chosen = match at.on.best {
            Some(_) => ", split in place (the service chooses which)",
            None => "",
        };
        let words =
            format!("{} on {}{chosen}{with}", ru_text(ru), partitions_text(at.on.partitions));
        let takes = if at.is_split() { SPLIT_HOURS } else { AT_ONCE };
        let row = |loads: &Vec<StepLoad>| {
            let capacities = &at.on.capacities(loads, ru);
            let row =
                self.row(name, words.clone(), Some(Case { loads, capacities }), Some(ru), takes);
            let is_handed_out = matches!(at.on.sharing, Sharing::ByDemand(_));
            let given = if is_handed_out { capacities.clone() } else { Vec::new() };
            Remedy { given, ..row }
        };
        let mut worst = row(&at.on.worst);
        let Some(mut best) = at.on.best.as_ref().map(row) else { return worst };
        let high = |row: &Remedy| row.throttled.map_or(1.0, |share| share.high);
        // Which choice leaves more is known only now.
        if high(&worst) < high(&best) {
            std::mem::swap(&mut worst, &mut best);
        }
        if let (Some(share), Some(best)) = (&mut worst.throttled, best.throttled) {
            share.low = share.low.min(best.low);
        }
        let is_open = matches!(worst.effect, RemedyEffect::Helps | RemedyEffect::None);
        if best.effect == RemedyEffect::Fixes && is_open {
            worst.effect = RemedyEffect::InPart;
        }
        worst
    }

    fn scaled_evenly(&self, at: &LeastRu<ScaledDemand<'_>>, with: &str) -> Remedy {
        let today = self.now.partitions.len().max(1);
        let rounds = (at.on.partitions / today).ilog2();
        let first = most_ru(today, rounds);
        let words = format!(
            "{} first, for {} of splits; then {} on {}, all alike{with}",
            ru_text(first),
            counted(u64::from(rounds), "round", "rounds"),
            ru_text(at.ru_per_second),
            partitions_text(at.on.partitions)
        );
        let row = self.scaled("scale-up-evenly", at, "");
        let takes = if rounds > 1 { SPLIT_ROUNDS } else { SPLIT_HOURS };
        Remedy { words, takes, first_ru: Some(first), ..row }
    }

    /// The cheapest two remedies together.
    pub(super) fn pair(&self) -> Option<Remedy> {
        let by_demand = Sharing::ByDemand(self.least_partition_ru);
        let by_demand = in_place(self.now, self.now.partitions.provisioned?, self.cured, by_demand);
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
