//! Demand from the best evidence: RU logs with what was throttled, else the metric of RU/s by partition.

use std::collections::{BTreeMap, HashMap};

use super::attempts::Attempts;
use super::partitions::Partitions;
use super::{Demand, DemandKey, DemandLoad, Evidence, Keyless, Requester};
use crate::analysis::heat::ContainerHeat;
use crate::analysis::places::Places;
use crate::model::capture::Capture;
use crate::model::load::RuKey;
use crate::model::units::{as_number, real, real_seconds};

/// A partition that throttled nearly everything would be thought endlessly busy.
const MOST_THROTTLED: f64 = 0.95;
/// A log rounds its charges: a load this little above what a partition can serve is still one that was served.
const SERVED_SLACK: f64 = 1.005;
/// Below it a partition refuses nothing for want of RU/s.
const BUSY: f64 = 0.9;
/// The last request of a second may cost more than is left.
const MOST_OVERDRAWN: f64 = 1.05;
/// From this share on a partition is at its limit; metrics round to whole percents.
pub const AT_LIMIT: f64 = 0.995;

/// What a partition served in a step of the log.
#[derive(Clone, Debug)]
struct ServedStep {
    /// Where in [`Demand::loads`].
    loads: std::ops::Range<usize>,
    second: i64,
    served: f64,
    /// It served all it could. Its last request may overdraw a second, since charges are not known before; that is missing
    /// in the next second.
    is_full: bool,
}

/// RU/s requested in each of these steps, of which this part was lost, in requests of this charge.
fn requested(steps: &[ServedStep], capacity: f64, lost: f64, charge: f64) -> Vec<f64> {
    let sum = |is_full| -> f64 {
        let of = steps.iter().filter(|s| s.is_full == is_full);
        of.map(|s| s.served).sum()
    };
    let (in_full, in_others) = (sum(true), sum(false));
    let count = steps.iter().filter(|s| s.is_full).count();
    let full = as_number(count);
    if count == 0 {
        return steps.iter().map(|s| s.served / (1.0 - lost)).collect();
    }
    let throttled = (in_full + in_others) * lost / (1.0 - lost);
    // Where it served all it could it had the RU/s of the partition; what was overdrawn counts in the other seconds.
    let overdrawn = in_full - full * capacity;
    let is_small = in_others > 10.0 * overdrawn.abs();
    let (served, factor) =
        if is_small { (capacity, 1.0 + overdrawn / in_others) } else { (in_full / full, 1.0) };
    let mean = throttled / full;
    let deviation = ((served + mean) * charge).sqrt();
    let mut more = by_chance(count, mean, deviation).into_iter();
    let of = |s: &ServedStep| {
        if s.is_full { served + more.next().unwrap_or(mean) } else { s.served * factor }
    };
    steps.iter().map(of).collect()
}

/// So many values of this mean, none below zero, that differ as far as chance lets them: what was throttled is counted over
/// a step, not by the second.
fn by_chance(count: usize, mean: f64, deviation: f64) -> Vec<f64> {
    // Parts of a golden section fill the range evenly in any stretch; the power is close to the normal distribution's
    // quantiles.
    let quantile = |n| {
        let part = (as_number(n) * 0.618_033_988_749_895).fract();
        4.91 * (part.powf(0.14) - (1.0 - part).powf(0.14)) * deviation
    };
    let off: Vec<f64> = (1..=count).map(quantile).collect();
    let at = |middle: f64| off.iter().map(move |off| (middle + off).max(0.0));
    let highest = off.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let lowest = off.iter().copied().fold(f64::INFINITY, f64::min);
    let (mut low, mut high) = (mean - highest, mean - lowest);
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        let is_low = at(middle).sum::<f64>() < mean * as_number(count);
        *(if is_low { &mut low } else { &mut high }) = middle;
    }
    at(high).collect()
}

impl Demand {
    /// From the RU log of one region; None where it holds nothing with a time on a known partition.
    pub fn logged(
        capture: &Capture,
        number: u32,
        heat: &ContainerHeat,
        partitions: &Partitions,
        places: &Places,
        region: Option<u16>,
    ) -> Option<Self> {
        let step_s = heat.keys.width_s.max(1);
        let cells = heat.keys.cells().iter();
        let cells = cells.filter(|cell| region.is_none_or(|region| region == cell.region));
        let mut dense: HashMap<RuKey, u32> = HashMap::new();
        let mut keys = Vec::new();
        let mut sums: BTreeMap<(i64, u32, Requester), f64> = BTreeMap::new();
        let (mut unplaced_ru, mut all_ru, mut records) = (0.0, 0.0, 0_u64);
        for cell in cells {
            let (Some(second), true) = (cell.second, cell.ru > 0.0) else {
                continue;
            };
            let Some(place) = partitions.place(cell.partition) else {
                unplaced_ru += cell.ru;
                continue;
            };
            let requester = match cell.key {
                RuKey::Named(name) => Requester::Key(*dense.entry(cell.key).or_insert_with(|| {
                    let canonical = capture.load.keys.text(name).to_owned();
                    let epk = places.epk(number, &canonical);
                    keys.push(DemandKey { canonical, epk });
                    u32::try_from(keys.len() - 1).unwrap_or(u32::MAX)
                })),
                RuKey::NotReported | RuKey::Other => Requester::Keyless,
            };
            all_ru += cell.ru;
            records = records.saturating_add(cell.records);
            *sums.entry((second, place, requester)).or_default() += cell.ru / f64::from(step_s);
        }
        let first = sums.first_key_value()?.0.0;
        let last = sums.last_key_value()?.0.0;
        let loads = sums.into_iter().map(|((second, partition, requester), ru_per_second)| {
            DemandLoad::served(second, requester, partition, ru_per_second)
        });
        Some(Self {
            keys: keys.into(),
            loads: loads.collect(),
            evidence: Evidence::RuLog,
            keyless: Keyless::Divided,
            step_s,
            span: (first, last.saturating_add(i64::from(step_s))),
            unplaced_ru,
            // A second that was measured needs no chance on top.
            charge: (step_s > 1 && records > 0).then(|| all_ru / real(records)),
            ..Self::default()
        })
    }

    /// From shares of RU/s by partition and second: the busiest second of each step, so a peak.
    pub fn of_shares(
        points: Vec<(i64, u32, f64)>,
        partitions: &Partitions,
        step_s: u32,
        keyless: Keyless,
    ) -> Option<Self> {
        let load = |(second, partition, share): (i64, u32, f64)| {
            let ru_per_second = share * partitions.capacity(partition)?;
            Some(DemandLoad::served(second, Requester::Keyless, partition, ru_per_second))
        };
        let mut loads: Vec<DemandLoad> = points.into_iter().filter_map(load).collect();
        loads.sort_by_key(|l| (l.second, l.partition));
        let (first, last) = (loads.first()?.second, loads.last()?.second);
        Some(Self {
            loads,
            evidence: Evidence::Metric,
            keyless,
            step_s,
            span: (first, last.saturating_add(i64::from(step_s))),
            ..Self::default()
        })
    }

    /// Adds what was throttled to what was served: requested = served ÷ (1 − p^(n + 1)), p the part of the RU of all
    /// attempts that was answered with 429 in the step and n the [`Self::retries`]. It lies in those seconds of the step in
    /// which the partition served all it could. A log that holds more than its partition can serve holds what was throttled
    /// already.
    pub fn with_throttled(&mut self, partitions: &Partitions, attempts: &Attempts) {
        let mut most = 0.0_f64;
        for (place, steps) in (0_u32..).zip(self.served_steps(partitions)) {
            let (Some(number), Some(capacity)) =
                (partitions.number(place), partitions.capacity(place))
            else {
                continue;
            };
            let holds_throttled = self.holds_throttled(&steps, capacity);
            let charge = attempts.on(number).and_then(|counts| counts.chance());
            let charge = charge.unwrap_or(0.0);
            let start = |s: &ServedStep| attempts.start_of(s.second);
            for group in steps.chunk_by(|a, b| start(a) == start(b)) {
                let counts = group.first().and_then(|s| attempts.counts_at(number, s.second));
                let shares = counts.and_then(|c| Some((c.throttled_share()?, c.lost_share()?)));
                let Some((of_attempts, share)) = shares else { continue };
                if of_attempts <= 0.0 {
                    for step in group {
                        self.say_served(step, capacity);
                    }
                }
                if of_attempts <= 0.0 || holds_throttled {
                    continue;
                }
                most = most.max(of_attempts);
                let requested = requested(group, capacity, self.lost_share(share), charge);
                for (step, requested) in group.iter().zip(requested) {
                    // What had room did not refuse for want of RU/s: a throughput bucket or a cap did.
                    let had_room = !step.is_full && step.served < capacity * BUSY;
                    let beyond = if had_room { (requested - capacity).max(0.0) } else { 0.0 };
                    for load in self.loads.get_mut(step.loads.clone()).into_iter().flatten() {
                        let part = load.served / step.served;
                        (load.ru_per_second, load.burst) = (requested * part, beyond * part);
                    }
                }
            }
        }
        if most > 0.0 {
            self.evidence = Evidence::Throttled { most };
            self.ru_of_429 = attempts.all.ru_of_429().unwrap_or(0.0);
        }
    }

    /// The part of the RU requested that is lost after all retries, of this share of 429s.
    fn lost_share(&self, throttled: f64) -> f64 {
        throttled.powf(self.retries.unwrap_or(0.0) + 1.0).min(MOST_THROTTLED)
    }

    /// Nothing was refused in this step: RU beyond the RU/s of the partition are burst or rounding.
    fn say_served(&mut self, step: &ServedStep, capacity: f64) {
        let part = (1.0 - capacity / step.served).max(0.0);
        for load in self.loads.get_mut(step.loads.clone()).into_iter().flatten() {
            load.burst = load.served * part;
        }
    }

    /// What each partition served, step by step.
    fn served_steps(&self, partitions: &Partitions) -> Vec<Vec<ServedStep>> {
        let mut of: Vec<Vec<ServedStep>> = vec![Vec::new(); partitions.len()];
        let mut overdrawn = vec![0.0_f64; partitions.len()];
        let mut next = 0;
        for loads in self.steps() {
            let range = next..next + loads.len();
            next = range.end;
            let Some(first) = loads.first() else { continue };
            let place = first.partition as usize;
            let (Some(steps), Some(overdrawn), Some(capacity)) =
                (of.get_mut(place), overdrawn.get_mut(place), partitions.capacity(first.partition))
            else {
                continue;
            };
            let is_next = steps
                .last()
                .is_some_and(|s| s.second.saturating_add(i64::from(self.step_s)) == first.second);
            let before = if is_next { *overdrawn } else { 0.0 };
            let served: f64 = loads.iter().map(|l| l.served).sum();
            *overdrawn = (served + before - capacity).clamp(0.0, capacity);
            steps.push(ServedStep {
                loads: range,
                second: first.second,
                served,
                is_full: served + before >= capacity * AT_LIMIT,
            });
        }
        of
    }

    /// Whether the log holds more than a partition can serve, beyond what its last request may overdraw.
    pub fn exceeds(&self, partitions: &Partitions) -> bool {
        let highest = (0_u32..).zip(self.highest_by_partition(partitions.len()));
        let capacity = |place| partitions.capacity(place).unwrap_or(f64::INFINITY);
        highest.into_iter().any(|(place, ru)| ru > capacity(place) * MOST_OVERDRAWN)
    }

    /// Whether these steps hold more than their partition can serve, so what it refused, too. The times of a log are true
    /// to a second: what the partition serves in one does not show it.
    fn holds_throttled(&self, steps: &[ServedStep], capacity: f64) -> bool {
        let (mut ahead, mut next) = (0.0_f64, i64::MIN);
        let width = i64::from(self.step_s.max(1));
        let most = capacity * SERVED_SLACK;
        steps.iter().any(|step| {
            let idle = real_seconds(step.second.saturating_sub(next).max(0));
            next = step.second.saturating_add(width);
            ahead = (ahead - most * idle).max(0.0) + (step.served - most) * real_seconds(width);
            ahead > capacity
        })
    }

    /// RU of 429s that no known partition is named for lie where partitions are at their limit, in proportion to what
    /// these can serve; where they are at most so many, that is said. `is_full` tells where that is, by partition and second.
    /// False where no partition is.
    pub fn with_placed(
        &mut self,
        (ru, is_at_most): (f64, bool),
        partitions: &Partitions,
        is_full: impl Fn(u32, i64) -> bool,
    ) -> bool {
        let full = |step: &[DemandLoad]| {
            let first = step.first()?;
            let capacity = partitions.capacity(first.partition)?;
            let load: f64 = step.iter().map(|l| l.ru_per_second).sum();
            let is_it = load >= capacity * AT_LIMIT || is_full(first.partition, first.second);
            (is_it && load > 0.0).then_some((capacity, load))
        };
        let capacities: f64 = self.steps().filter_map(|step| Some(full(step)?.0)).sum();
        if capacities <= 0.0 {
            return false;
        }
        let rate = ru / f64::from(self.step_s.max(1)) / capacities;
        let factors: Vec<(usize, f64)> = self
            .steps()
            .map(|step| {
                let more = full(step).map_or(0.0, |(capacity, load)| rate * capacity / load);
                let throttled = more / (1.0 + more);
                (step.len(), 1.0 / (1.0 - self.lost_share(throttled)))
            })
            .collect();
        let factors = factors.into_iter();
        let factors = factors.flat_map(|(len, factor)| std::iter::repeat_n(factor, len));
        for (load, factor) in self.loads.iter_mut().zip(factors) {
            load.ru_per_second *= factor;
        }
        let seconds = self.steps_in_span() * f64::from(self.step_s.max(1));
        self.evidence = Evidence::Placed { ru_per_second: ru / seconds, is_at_most };
        true
    }
}
