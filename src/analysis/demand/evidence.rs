//! Demand from the best evidence: RU logs with what was throttled, else the metric of RU/s by partition.

use std::collections::{BTreeMap, HashMap};

use super::attempts::Attempts;
use super::partitions::Partitions;
use super::requested::{CourseSums, DemandCourse, RepeatQueue, ServedStep, lost_share};
use super::{Demand, DemandKey, DemandLoad, Evidence, Keyless, Requester};
use crate::analysis::heat::ContainerHeat;
use crate::analysis::places::Places;
use crate::model::capture::Capture;
use crate::model::load::RuKey;
use crate::model::units::{real, real_seconds};

/// A log rounds its charges: a load this little above what a partition can serve is still one that was served.
const SERVED_SLACK: f64 = 1.005;
/// Below it a partition refuses nothing for want of RU/s.
const BUSY: f64 = 0.9;
/// From this share on a partition is at its limit; metrics round to whole percents.
pub const AT_LIMIT: f64 = 0.995;

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
            let (Some(second), true) = (cell.second, cell.ru > 0.0) else { continue };
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

    /// Adds what was throttled to what was served: of a steady load requested = served ÷ (1 − p^(n + 1)), p the part of the
    /// RU of all attempts that was answered with 429 in the step and n the [`Self::retries`]. It lies in those seconds of the
    /// step in which the partition served all it could. A log that holds more than its partition can serve holds what was
    /// throttled already.
    pub fn with_throttled(&mut self, partitions: &Partitions, attempts: &Attempts) {
        let (mut most, step_s) = (0.0_f64, self.step_s.max(1));
        let retries = self.retries.unwrap_or(0.0);
        let all_steps = self.served_steps(partitions);
        // Only what was throttled follows it.
        let mut course = None;
        for (place, steps) in (0_u32..).zip(&all_steps) {
            let (Some(number), Some(capacity)) =
                (partitions.number(place), partitions.capacity(place))
            else {
                continue;
            };
            let holds_throttled = self.holds_throttled(steps, capacity);
            let charge = attempts.on(number).and_then(|counts| counts.chance());
            let charge = charge.unwrap_or(0.0);
            let mut queue = RepeatQueue::new(retries, charge, step_s);
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
                let course =
                    course.get_or_insert_with(|| self.course(&all_steps, partitions, attempts));
                let requested = queue.demand(group, share, capacity, course);
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

    /// The mean of each step of totals is one.
    fn course(
        &self,
        all_steps: &[Vec<ServedStep>],
        partitions: &Partitions,
        attempts: &Attempts,
    ) -> DemandCourse {
        let retries = self.retries.unwrap_or(0.0);
        let mut sums: HashMap<i64, CourseSums> = HashMap::new();
        for (place, steps) in (0_u32..).zip(all_steps) {
            let Some(number) = partitions.number(place) else { continue };
            let start = |s: &ServedStep| attempts.start_of(s.second);
            for group in steps.chunk_by(|a, b| start(a) == start(b)) {
                let Some(first) = group.first() else { continue };
                let counts = attempts.counts_at(number, first.second);
                let share = counts.and_then(|counts| counts.lost_share()).unwrap_or(0.0);
                let served: f64 = group.iter().map(|s| s.served).sum();
                let requested = served / (1.0 - lost_share(share, retries));
                sums.entry(start(first)).or_default().add(group, requested);
            }
        }
        let charge = attempts.all.chance().unwrap_or(0.0) / f64::from(self.step_s.max(1));
        sums.into_values().flat_map(|sums| sums.course(charge)).collect()
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

    /// Whether the log holds more than a partition can serve.
    pub fn exceeds(&self, partitions: &Partitions) -> bool {
        let mut steps = (0_u32..).zip(self.served_steps(partitions));
        steps.any(|(place, steps)| {
            partitions.capacity(place).is_some_and(|most| self.holds_throttled(&steps, most))
        })
    }

    /// Whether these steps hold more than their partition can serve, so its 429s, too. The times of a log are true
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
                (step.len(), 1.0 / (1.0 - lost_share(throttled, self.retries.unwrap_or(0.0))))
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
