//! Who takes a hot partition's RU/s: the keys of its busy steps.

use std::collections::BTreeMap;

use crate::analysis::demand::outcome::{LoadRoute, StepLoad, routed};
use crate::analysis::demand::partitions::Partitions;
use crate::analysis::demand::{CurrentLoad, Demand, DemandLoad, Requester};
use crate::model::time::SECONDS_PER_MINUTE;
use crate::model::units::as_number;

use super::thresholds::Thresholds;

/// A second in which all others idle says no more than this.
const MAX_RATIO: f64 = 100.0;

/// RU of one key on the hot partition.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KeyPressure {
    /// Among `Demand::keys`.
    pub key: usize,
    /// Of the partition's RU in the steps looked at.
    pub share: f64,
    /// RU/s in the busiest of them, which need not be that of the partition.
    pub peak: f64,
}

/// The busiest step of the hot partition.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Busiest {
    pub second: i64,
    pub ru_per_second: f64,
    /// The key that took most of it.
    pub key: Option<(usize, f64)>,
}

/// What the RU log tells of the hot partition.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Pressure {
    /// Steps of the partition at the hot share or above; 0 where the log shows none, and all of its steps count then.
    pub hot_steps: usize,
    /// Largest share over the mean of the others, over the seconds in which any is hot.
    pub unevenness: Option<f64>,
    /// Keys of the steps looked at, most first.
    pub keys: Vec<KeyPressure>,
    /// The part of their RU that the largest key of each step took.
    pub by_largest: f64,
    /// The part without a key.
    pub keyless: f64,
    pub busiest: Option<Busiest>,
    /// The minute with most RU of the partition and its mean RU/s; None where steps are a minute or the log is shorter.
    pub busiest_minute: Option<(i64, f64)>,
    /// Keys that took most of a hot step, on any partition.
    pub leaders: Vec<usize>,
}

impl Pressure {
    pub fn of(demand: &Demand, physical: &Partitions, place: u32, limits: &Thresholds) -> Self {
        let is_hot = |step: &[DemandLoad]| {
            let on = step.first().map_or(u32::MAX, |a| a.partition);
            let capacity = physical.capacity(on);
            capacity.is_some_and(|c| load(step) >= c * limits.hot_share)
        };
        let on_place = |step: &&[DemandLoad]| step.first().is_some_and(|a| a.partition == place);
        let hot: Vec<&[DemandLoad]> = demand.steps().filter(|step| is_hot(step)).collect();
        let mut steps: Vec<&[DemandLoad]> = hot.iter().copied().filter(on_place).collect();
        let hot_steps = steps.len();
        if steps.is_empty() {
            steps = demand.steps().filter(on_place).collect();
        }
        let mut out = Self {
            hot_steps,
            unevenness: unevenness(demand, physical, limits),
            busiest_minute: busiest_minute(demand, demand.steps().filter(on_place)),
            ..Self::default()
        };
        out.add_up(demand, &steps);
        let led = hot
            .iter()
            .filter_map(|step| largest(step).filter(|l| l.1 >= load(step) * limits.hot_key_share));
        out.leaders = led.map(|(key, _)| key).collect();
        out.leaders.sort_unstable();
        out.leaders.dedup();
        out
    }

    fn add_up(&mut self, demand: &Demand, steps: &[&[DemandLoad]]) {
        let mut by_key = vec![(0.0, 0.0_f64); demand.keys.len()];
        let (mut total, mut by_largest, mut keyless) = (0.0, 0.0, 0.0);
        for step in steps {
            let load = load(step);
            total += load;
            let largest = largest(step);
            by_largest += largest.map_or(0.0, |(_, ru)| ru);
            for ask in *step {
                match ask.requester {
                    Requester::Key(key) => {
                        if let Some((sum, peak)) = by_key.get_mut(key as usize) {
                            *sum += ask.ru_per_second;
                            *peak = peak.max(ask.ru_per_second);
                        }
                    }
                    Requester::Keyless => keyless += ask.ru_per_second,
                }
            }
            if self.busiest.is_none_or(|held| load > held.ru_per_second) {
                self.busiest = Some(Busiest {
                    second: step.first().map_or(0, |a| a.second),
                    ru_per_second: load,
                    key: largest,
                });
            }
        }
        if total <= 0.0 {
            return;
        }
        let by_key = by_key.into_iter().enumerate();
        let taken = by_key.filter(|(_, (ru, _))| *ru > 0.0);
        self.keys =
            taken.map(|(key, (ru, peak))| KeyPressure { key, share: ru / total, peak }).collect();
        self.keys.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.key.cmp(&b.key)));
        self.by_largest = by_largest / total;
        self.keyless = keyless / total;
    }

    /// The key with most RU, and the part that it took.
    pub fn first(&self) -> Option<KeyPressure> {
        self.keys.first().copied()
    }
}

/// The part of the steps above what the partition gives in which the largest key alone would fit; None without such steps.
pub fn fits_alone(now: &CurrentLoad, place: u32) -> Option<f64> {
    let capacity = now.partitions.capacity(place)?;
    let on_place = |step: &&[DemandLoad]| step.first().is_some_and(|a| a.partition == place);
    let over = now.demand.steps().filter(on_place).filter(|step| load(step) > capacity);
    let (mut all, mut fit) = (0_usize, 0_usize);
    for step in over {
        all += 1;
        fit += usize::from(largest(step).is_some_and(|(_, ru)| ru <= capacity));
    }
    (all > 0).then(|| as_number(fit) / as_number(all))
}

/// Of a partition's steps, the minute that holds most.
fn busiest_minute<'d>(
    demand: &Demand,
    steps: impl Iterator<Item = &'d [DemandLoad]>,
) -> Option<(i64, f64)> {
    let (from, to) = demand.span;
    if i64::from(demand.step_s) >= SECONDS_PER_MINUTE
        || to.saturating_sub(from) < SECONDS_PER_MINUTE
    {
        return None;
    }
    let mut minutes: BTreeMap<i64, f64> = BTreeMap::new();
    for step in steps {
        let minute = step.first().map_or(0, |a| a.second.div_euclid(SECONDS_PER_MINUTE));
        *minutes.entry(minute).or_default() += load(step) * f64::from(demand.step_s);
    }
    let most = minutes.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
    most.map(|(minute, ru)| (minute * SECONDS_PER_MINUTE, ru / 60.0))
}

fn load(step: &[DemandLoad]) -> f64 {
    step.iter().map(|a| a.ru_per_second).sum()
}

/// The key that asks for most.
fn largest(step: &[DemandLoad]) -> Option<(usize, f64)> {
    let keys = step.iter().filter_map(|a| match a.requester {
        Requester::Key(key) => Some((key as usize, a.ru_per_second)),
        Requester::Keyless => None,
    });
    keys.reduce(|held, found| if found.1 > held.1 { found } else { held })
}

fn unevenness(demand: &Demand, physical: &Partitions, limits: &Thresholds) -> Option<f64> {
    let capacities = physical.capacities.as_ref()?;
    let others = as_number(capacities.len().saturating_sub(1));
    let loads = routed(&demand.loads, &LoadRoute::default(), capacities.len());
    let (mut sum, mut seconds) = (0.0, 0_usize);
    for second in loads.chunk_by(|a, b| a.second == b.second) {
        let share = |l: &StepLoad| Some(l.ru_per_second / capacities.get(l.partition as usize)?);
        let (all, highest) = second
            .iter()
            .filter_map(share)
            .fold((0.0, 0.0_f64), |(all, highest), share| (all + share, highest.max(share)));
        let of_others = (all - highest) / others.max(1.0);
        if highest >= limits.hot_share && others >= 1.0 {
            // Where the others idle the ratio has no bound; one second of it is enough to tell.
            sum += (highest / of_others.max(f64::MIN_POSITIVE)).min(MAX_RATIO);
            seconds += 1;
        }
    }
    (seconds > 0).then(|| sum / as_number(seconds))
}
