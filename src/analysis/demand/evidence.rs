//! Demand from the best evidence: RU logs with what was throttled, else the metric of RU/s by partition.

use std::collections::{BTreeMap, HashMap};

use super::attempts::Attempts;
use super::partitions::Partitions;
use super::{Demand, DemandKey, Evidence, Keyless, Load, Requester};
use crate::analysis::heat::ContainerHeat;
use crate::analysis::places::Places;
use crate::model::capture::Capture;
use crate::model::load::RuKey;
use crate::model::units::real;

/// A partition that throttled nearly everything would be thought endlessly busy.
const MOST_THROTTLED: f64 = 0.95;
/// A log rounds its charges: a load this little above what a partition can serve is still one that was served.
const SERVED_SLACK: f64 = 1.005;
/// From this share on a partition is at its limit; metrics round to whole percents.
pub(super) const AT_LIMIT: f64 = 0.995;

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
        let loads = sums
            .into_iter()
            .map(|((second, partition, requester), ru_per_second)| Load {
                second,
                requester,
                partition,
                ru_per_second,
                served: ru_per_second,
            });
        Some(Self {
            keys,
            loads: loads.collect(),
            evidence: Evidence::RuLog,
            keyless: Keyless::Divided,
            step_s,
            span: (first, last.saturating_add(i64::from(step_s))),
            unplaced_ru,
            // A second that was measured needs no chance on top.
            charge: (step_s > 1 && records > 0).then(|| all_ru / real(records)),
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
            Some(Load {
                second,
                requester: Requester::Keyless,
                partition,
                ru_per_second,
                served: ru_per_second,
            })
        };
        let mut loads: Vec<Load> = points.into_iter().filter_map(load).collect();
        loads.sort_by_key(|l| (l.second, l.partition));
        let (first, last) = (loads.first()?.second, loads.last()?.second);
        Some(Self {
            keys: Vec::new(),
            loads,
            evidence: Evidence::Metric,
            keyless,
            step_s,
            span: (first, last.saturating_add(i64::from(step_s))),
            unplaced_ru: 0.0,
            charge: None,
        })
    }

    /// Adds what was throttled to what was served: requested = served ÷ (1 − p^(n + 1)), p the share of attempts answered
    /// with 429 in the step and n how often clients repeat one. A log that holds more than its partition can serve holds
    /// what was throttled already.
    pub fn with_throttled(&mut self, partitions: &Partitions, attempts: &Attempts, retries: f64) {
        let highest = self.highest_by_partition(partitions.len());
        let is_served: Vec<bool> = (0_u32..)
            .zip(&highest)
            .map(|(place, highest)| {
                let capacity = partitions.capacity(place);
                capacity.is_some_and(|c| *highest <= c * SERVED_SLACK)
            })
            .collect();
        let mut most = 0.0_f64;
        for load in &mut self.loads {
            let share = partitions
                .number(load.partition)
                .filter(|_| is_served.get(load.partition as usize) == Some(&true))
                .and_then(|number| attempts.share_at(number, load.second));
            if let Some(share) = share.filter(|share| *share > 0.0) {
                let lost = share.powf(retries + 1.0).min(MOST_THROTTLED);
                load.ru_per_second = load.served / (1.0 - lost);
                most = most.max(share);
            }
        }
        if most > 0.0 {
            self.evidence = Evidence::Throttled { most };
        }
    }

    /// RU of 429s that no known partition is named for lie where partitions are at their limit, in proportion to what
    /// these can serve. `is_full` tells where that is, by partition and second. False where no partition is.
    pub fn with_placed(
        &mut self,
        ru: f64,
        partitions: &Partitions,
        is_full: impl Fn(u32, i64) -> bool,
    ) -> bool {
        let full = |step: &[Load]| {
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
                (step.len(), 1.0 + more)
            })
            .collect();
        let factors = factors.into_iter();
        let factors = factors.flat_map(|(len, factor)| std::iter::repeat_n(factor, len));
        for (load, factor) in self.loads.iter_mut().zip(factors) {
            load.ru_per_second *= factor;
        }
        let seconds = self.steps_in_span() * f64::from(self.step_s.max(1));
        self.evidence = Evidence::Placed {
            ru_per_second: ru / seconds,
        };
        true
    }
}
