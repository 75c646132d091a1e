//! A load of many items at once: RU/s against hours, and what holds a deadline.

use crate::analysis::migration::write_ru;
use crate::model::capture::Container;
use crate::model::names::ContainerName;
use crate::model::throughput::{
    SPLIT_ROUND_HOURS, ThroughputMode, creation_ru, initial_partitions, most_ru,
    partitions_for_storage,
};
use crate::model::time::HOUR_S;
use crate::model::units::{
    KIB_PER_GIB, MOST_RU, PARTITION_RU_PER_SECOND, as_number, real, whole_usize,
};

use super::ladder::Ladder;

/// With this much in it, ranges hold data, and splits fall where the data is.
const FIRST_KIB: f64 = 5.0 * KIB_PER_GIB;
/// From a single partition on, they lead to the most RU/s that a container can have.
const MOST_ROUNDS: u32 = 7;

/// What is loaded, and until when.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LoadQuestion {
    pub kib: f64,
    pub item_kib: f64,
    /// Until the deadline.
    pub hours: Option<f64>,
    /// Distinct values of the first level of the key, where they are few.
    pub first_values: Option<u64>,
}

/// The container that is loaded.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LoadTarget {
    pub throughput_mode: ThroughputMode,
    /// None of a new container whose RU/s are open.
    pub ru_per_second: Option<f64>,
    /// None of a new container.
    pub partitions: Option<usize>,
    pub stored_kib: f64,
}

/// RU/s and the hours that the load takes with them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LoadRun {
    pub ru_per_second: f64,
    /// Those that the first items come to.
    pub partitions_before: usize,
    pub partitions_after: usize,
    /// Rounds of splits before the load, and what is loaded before them.
    pub rounds: u32,
    pub first_kib: f64,
    /// With the splits at their longest.
    pub hours: f64,
    /// Hours after the deadline.
    pub missed_by: Option<f64>,
    /// As low as RU/s can be set afterwards.
    pub lowest_after: f64,
    pub first_level: Option<FirstLevel>,
}

/// A few values of the first level lie on a few partitions, until these split.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FirstLevel {
    pub values: u64,
    pub partitions: usize,
    /// Different partitions that they come to on average.
    pub expected_partitions: f64,
    /// RU/s that can be used at most, with luck.
    pub most_ru: f64,
}

impl FirstLevel {
    pub fn of(values: u64, partitions: usize) -> Self {
        let n = as_number(partitions);
        let is_empty = (1.0 - 1.0 / n).powf(real(values));
        Self {
            values,
            partitions,
            expected_partitions: n * (1.0 - is_empty),
            most_ru: real(values).min(n) * PARTITION_RU_PER_SECOND,
        }
    }
}

/// Why no RU/s hold the deadline.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LoadObstacle {
    /// It takes more RU/s than a container can have.
    TooMuch(f64),
    FirstLevel(FirstLevel),
    /// These RU/s are there at once, and splits take too long.
    Splits(f64),
}

/// A load and the ways to it.
#[derive(Clone, PartialEq, Debug)]
pub struct LoadPlan {
    /// None of a new container.
    pub name: Option<ContainerName>,
    pub question: LoadQuestion,
    pub target: LoadTarget,
    pub items: f64,
    /// Of one item: without an index, and with everything indexed.
    pub item_ru: [f64; 2],
    /// Of all items, with everything indexed.
    pub ru: f64,
    /// With the RU/s that are set.
    pub today: Option<LoadRun>,
    /// The least RU/s that hold the deadline, where there is one.
    pub holding: Option<Result<LoadRun, LoadObstacle>>,
    /// RU/s against hours, where there is no deadline.
    pub choices: Vec<LoadRun>,
}

/// What comes before the load, and what is left for it.
struct LoadStart {
    first_kib: f64,
    hours: f64,
    ru: f64,
    /// Of all RU/s those that can be used.
    share: f64,
}

impl LoadTarget {
    /// None where RU/s or partitions are not known.
    pub fn of_container(container: &Container) -> Option<Self> {
        let ladder = Ladder::of_container(container, None)?;
        Some(Self {
            throughput_mode: ladder.throughput_mode,
            ru_per_second: Some(ladder.ru_per_second),
            partitions: Some(ladder.partitions),
            stored_kib: container.kib().unwrap_or(0.0),
        })
    }
}

impl LoadPlan {
    pub fn of(name: Option<ContainerName>, target: LoadTarget, question: LoadQuestion) -> Self {
        let items = (question.kib / question.item_kib).ceil();
        let item_ru = write_ru(question.item_kib * 1024.0);
        let [_, indexed] = item_ru;
        let mut plan = Self {
            name,
            question,
            target,
            items,
            item_ru,
            ru: items * indexed,
            today: None,
            holding: None,
            choices: Vec::new(),
        };
        plan.today = target.ru_per_second.map(|ru| plan.run_at(ru));
        plan.holding = question.hours.map(|hours| plan.least(hours));
        if question.hours.is_none() {
            plan.choices = plan.rows();
        }
        plan
    }

    fn stored_kib(&self) -> f64 {
        self.target.stored_kib + self.question.kib
    }

    fn run_at(&self, ru_per_second: f64) -> LoadRun {
        let new = || initial_partitions(ru_per_second, self.target.throughput_mode);
        let before = self.target.partitions.unwrap_or_else(new);
        let rounds = (0..MOST_ROUNDS).find(|rounds| most_ru(before, *rounds) >= ru_per_second);
        self.run(ru_per_second, before, rounds.unwrap_or(MOST_ROUNDS))
    }

    fn run(&self, ru_per_second: f64, before: usize, rounds: u32) -> LoadRun {
        let start = self.start(before, rounds);
        let hours = start.hours + start.ru / (ru_per_second * start.share) / HOUR_S;
        let stored = self.stored_kib();
        let missed = self.question.hours.map(|until| hours - until);
        let first = |values| FirstLevel::of(values, before);
        LoadRun {
            ru_per_second,
            partitions_before: before,
            partitions_after: (before << rounds).max(partitions_for_storage(stored)),
            rounds,
            first_kib: start.first_kib,
            hours,
            missed_by: missed.filter(|missed| *missed > 0.0),
            lowest_after: self.target.throughput_mode.minimum_after(ru_per_second, stored),
            first_level: self.question.first_values.map(first),
        }
    }

    fn start(&self, before: usize, rounds: u32) -> LoadStart {
        let values = self.question.first_values;
        let used = values.map(|values| FirstLevel::of(values, before).expected_partitions);
        let share = used.map_or(1.0, |used| used / as_number(before));
        let is_empty = rounds > 0 && self.target.stored_kib < FIRST_KIB;
        let first_kib = if is_empty { FIRST_KIB.min(self.question.kib) } else { 0.0 };
        let first_ru = self.ru * first_kib / self.question.kib;
        let [_, longest] = SPLIT_ROUND_HOURS;
        let first_hours = first_ru / (most_ru(before, 0) * share) / HOUR_S;
        LoadStart {
            first_kib,
            hours: first_hours + f64::from(longest * rounds),
            ru: self.ru - first_ru,
            share,
        }
    }

    /// The least RU/s that hold the deadline, after as few splits as possible.
    fn least(&self, until: f64) -> Result<LoadRun, LoadObstacle> {
        let all = whole_usize(MOST_RU / PARTITION_RU_PER_SECOND);
        let (now, few) = (self.target.partitions, self.question.first_values);
        for rounds in 0..=MOST_ROUNDS {
            let counts = match (now, few) {
                (Some(now), _) => now..=now,
                (None, Some(_)) => 1..=all >> rounds,
                // Evenly spread, it has all partitions from the start: splits would win nothing.
                (None, None) => 1..=usize::from(rounds == 0),
            };
            let mut runs = counts.filter_map(|before| self.held_by(until, before, rounds));
            if let Some(run) = runs.next() {
                return Ok(run);
            }
        }
        let needed = self.ru / (until * HOUR_S);
        let partitions = now.unwrap_or(all);
        Err(match few {
            _ if needed > MOST_RU => LoadObstacle::TooMuch(needed),
            Some(values) => LoadObstacle::FirstLevel(FirstLevel::of(values, partitions)),
            None => LoadObstacle::Splits(most_ru(partitions, 0)),
        })
    }

    fn held_by(&self, until: f64, before: usize, rounds: u32) -> Option<LoadRun> {
        let start = self.start(before, rounds);
        let left = Some(until - start.hours).filter(|left| *left > 0.0)?;
        let mode = self.target.throughput_mode;
        let [step, _] = mode.sold();
        let needed = start.ru / (left * HOUR_S) / start.share;
        let ru = ((needed / step).ceil() * step).max(mode.minimum(self.stored_kib()));
        if self.target.partitions.is_none() && self.question.first_values.is_none() {
            // Created with room for everything, it does not split while it is loaded.
            let ru = ru.max(self.roomy_ru());
            return (ru <= MOST_RU).then(|| self.run_at(ru));
        }
        (ru <= most_ru(before, rounds)).then(|| self.run(ru, before, rounds))
    }

    /// RU/s with which a new container has partitions for all that it is to store.
    fn roomy_ru(&self) -> f64 {
        let partitions = as_number(partitions_for_storage(self.question.kib));
        creation_ru(self.target.throughput_mode) * partitions
    }

    fn rows(&self) -> Vec<LoadRun> {
        let target = self.target;
        let least = target.ru_per_second.unwrap_or_else(|| self.roomy_ru());
        let mut rus = vec![least];
        match target.partitions {
            Some(now) => rus.extend((0..=3).map(|rounds| most_ru(now, rounds))),
            None => rus.extend([2.0, 4.0, 8.0].map(|times| (times * least).min(MOST_RU))),
        }
        rus.dedup();
        rus.into_iter().map(|ru| self.run_at(ru)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SET: LoadTarget = LoadTarget {
        throughput_mode: ThroughputMode::Manual,
        ru_per_second: Some(24_000.0),
        partitions: Some(4),
        stored_kib: 120.0 * KIB_PER_GIB,
    };

    /// 500 GB of 1 KB are 524,288,000 writes of 10 RU.
    fn plan(target: LoadTarget, hours: Option<f64>, first_values: Option<u64>) -> LoadPlan {
        let question =
            LoadQuestion { kib: 500.0 * KIB_PER_GIB, item_kib: 1.0, hours, first_values };
        LoadPlan::of(None, target, question)
    }

    #[test]
    fn five_values_come_to_four_of_ten_partitions() {
        let first = FirstLevel::of(5, 10);
        assert!((first.expected_partitions - 4.0951).abs() < 1e-4);
        assert!((first.most_ru - 50_000.0).abs() < 1e-9);
        assert!((FirstLevel::of(500, 2).most_ru - 20_000.0).abs() < 1e-9);
    }

    #[test]
    fn the_least_ru_hold_a_deadline_or_there_is_a_reason() {
        let new = LoadTarget::default();
        let with = |partitions, ru_per_second, stored_kib| LoadTarget {
            partitions: Some(partitions),
            ru_per_second: Some(ru_per_second),
            stored_kib,
            ..SET
        };
        let late = with(13, 76_650.0, SET.stored_kib);
        let ten = with(10, 24_000.0, SET.stored_kib);
        let held =
            |ru, before, after, rounds, first_gib| Ok((ru, before, after, rounds, first_gib));
        let few = |partitions| Err(LoadObstacle::FirstLevel(FirstLevel::of(5, partitions)));
        for (target, hours, values, expected) in [
            // 121,363 RU/s for 12 h.
            (new, 12.0, None, held(121_400.0, 21, 21, 0, 0.0)),
            // A week is long, but it is to hold 500 GB: ten partitions of 50 GB.
            (new, 168.0, None, held(60_000.0, 10, 10, 0, 0.0)),
            (late, 12.0, None, held(121_400.0, 13, 13, 0, 0.0)),
            // One round leaves 18 h, in which 80,000 RU/s do not do; two leave 12 h.
            (SET, 24.0, None, held(121_400.0, 4, 16, 2, 0.0)),
            (with(4, 24_000.0, 0.0), 30.0, None, held(61_100.0, 4, 10, 1, 5.0)),
            (SET, 12.0, None, Err(LoadObstacle::Splits(40_000.0))),
            // Four partitions hold 3.05 values on average: 39,800 RU/s of them are 30,341.
            (new, 48.0, Some(5), held(39_800.0, 4, 10, 0, 0.0)),
            (ten, 12.0, Some(5), few(10)),
            (new, 12.0, Some(5), few(100)),
        ] {
            let plan = plan(target, Some(hours), values);
            let figures = |run: LoadRun| {
                let first_gib = run.first_kib / KIB_PER_GIB;
                let partitions = (run.partitions_before, run.partitions_after);
                (run.ru_per_second, partitions.0, partitions.1, run.rounds, first_gib)
            };
            assert_eq!(plan.holding.map(|held| held.map(figures)), Some(expected), "{hours}");
        }
        let much = plan(new, Some(1.0), None).holding;
        assert!(matches!(much, Some(Err(LoadObstacle::TooMuch(ru))) if ru > MOST_RU));
        // 76,650 RU/s take 19 h.
        let missed = |hours| plan(late, Some(hours), None).today?.missed_by;
        assert!(missed(12.0).is_some_and(|hours| (hours - 7.0).abs() < 0.01));
        assert_eq!(missed(20.0), None);
    }

    #[test]
    fn without_a_deadline_more_ru_are_set_against_hours() {
        let row = |run: &LoadRun| (run.ru_per_second, run.rounds, run.hours.round());
        let rows = plan(SET, None, None).choices;
        assert_eq!(
            rows.iter().map(row).collect::<Vec<_>>(),
            [
                (24_000.0, 0, 61.0),
                (40_000.0, 0, 36.0),
                (80_000.0, 1, 24.0),
                (160_000.0, 2, 21.0),
                (320_000.0, 3, 23.0),
            ]
        );
    }
}
