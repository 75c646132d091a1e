//! A load of many items at once: RU/s against hours, and what holds a deadline.

use crate::analysis::migration::write_ru;
use crate::analysis::placement::{
    MOST_RU, ThroughputMode, as_number, creation_ru, initial_partitions, partitions_for_storage,
};
use crate::model::capture::Container;
use crate::model::names::ContainerName;
use crate::model::units::{KIB_PER_GIB, PARTITION_RU_PER_SECOND, real, whole_usize};

use super::ladder::{Ladder, SPLIT_ROUND_HOURS, lowest_after};

/// With this much in it, ranges hold data, and splits fall where the data is.
const FIRST_KIB: f64 = 5.0 * KIB_PER_GIB;
const SECONDS_PER_HOUR: f64 = 3_600.0;
/// More RU/s than a container can have need no more rounds than this from a single partition.
const MOST_ROUNDS: u32 = 7;
/// Rows of RU/s against hours of a new container.
const ROWS: u32 = 4;

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
#[derive(Clone, PartialEq, Debug)]
pub struct LoadRun {
    pub ru_per_second: f64,
    /// Those that the first items come to.
    pub partitions_before: usize,
    pub partitions_after: usize,
    /// Rounds of splits before the load.
    pub rounds: u32,
    /// With the splits at their longest.
    pub hours: f64,
    /// Hours after the deadline.
    pub missed_by: Option<f64>,
    /// As low as RU/s can be set afterwards.
    pub lowest_after: f64,
    pub first_level: Option<FirstLevel>,
    pub steps: Vec<LoadStep>,
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

    /// Of all RU/s those that can be used.
    fn share(&self) -> f64 {
        self.expected_partitions / as_number(self.partitions)
    }
}

/// What is done, in this order.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LoadStep {
    Create {
        ru_per_second: f64,
        partitions: usize,
    },
    Set(f64),
    /// So that ranges hold data before they split.
    LoadFirst {
        kib: f64,
    },
    WaitForSplits {
        partitions: usize,
        hours: [u32; 2],
    },
    Load {
        hours: f64,
    },
    Lower(f64),
}

/// Why no RU/s hold the deadline.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LoadObstacle {
    /// It takes more RU/s than a container can have.
    TooMuch(f64),
    FirstLevel(FirstLevel),
    /// What can be had at once; splits take too long.
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

    fn run_at(&self, ru_per_second: f64) -> LoadRun {
        let mode = self.target.throughput_mode;
        let new = || initial_partitions(ru_per_second, mode);
        let before = self.target.partitions.unwrap_or_else(new);
        let rounds = (0..MOST_ROUNDS).find(|rounds| top(before, *rounds) >= ru_per_second);
        self.run(ru_per_second, before, rounds.unwrap_or(MOST_ROUNDS))
    }

    fn run(&self, ru_per_second: f64, before: usize, rounds: u32) -> LoadRun {
        let target = self.target;
        let first_level = self.first_level(before);
        let share = first_level.map_or(1.0, |first| first.share());
        let (first_hours, rest) = self.first_hours(before, rounds);
        let loading = rest / (ru_per_second * share) / SECONDS_PER_HOUR;
        let hours = first_hours + split_hours(rounds) + loading;
        let stored = target.stored_kib + self.question.kib;
        let mut run = LoadRun {
            ru_per_second,
            partitions_before: before,
            partitions_after: (before << rounds).max(partitions_for_storage(stored)),
            rounds,
            hours,
            missed_by: self.question.hours.map(|until| hours - until),
            lowest_after: lowest_after(target.throughput_mode, ru_per_second, Some(stored)),
            first_level,
            steps: Vec::new(),
        };
        run.missed_by = run.missed_by.filter(|missed| *missed > 0.0);
        run.steps = self.steps(&run, loading);
        run
    }

    fn first_level(&self, partitions: usize) -> Option<FirstLevel> {
        let values = self.question.first_values?;
        Some(FirstLevel::of(values, partitions))
    }

    /// Hours of what is loaded before splits, and RU of the rest.
    fn first_hours(&self, before: usize, rounds: u32) -> (f64, f64) {
        let kib = self.first_kib(rounds);
        let share = self.first_level(before).map_or(1.0, |first| first.share());
        let ru = self.ru * kib / self.question.kib;
        let hours = ru / (top(before, 0) * share) / SECONDS_PER_HOUR;
        (hours, self.ru - ru)
    }

    fn first_kib(&self, rounds: u32) -> f64 {
        if rounds == 0 || self.target.stored_kib >= FIRST_KIB {
            return 0.0;
        }
        FIRST_KIB.min(self.question.kib)
    }

    fn steps(&self, run: &LoadRun, loading: f64) -> Vec<LoadStep> {
        let target = self.target;
        let (ru, before) = (run.ru_per_second, run.partitions_before);
        let mut steps = Vec::new();
        let mut now = target.ru_per_second.unwrap_or(0.0);
        if target.partitions.is_none() {
            now = ru.min(creation_ru(target.throughput_mode) * as_number(before));
            steps.push(LoadStep::Create {
                ru_per_second: now,
                partitions: before,
            });
        }
        let mut set = |ru: f64, steps: &mut Vec<LoadStep>| {
            if (ru - now).abs() > 0.5 {
                steps.push(LoadStep::Set(ru));
                now = ru;
            }
        };
        if run.rounds > 0 {
            let kib = self.first_kib(run.rounds);
            if kib > 0.0 {
                set(top(before, 0), &mut steps);
                steps.push(LoadStep::LoadFirst { kib });
            }
            set(top(before, run.rounds), &mut steps);
            steps.push(LoadStep::WaitForSplits {
                partitions: before << run.rounds,
                hours: SPLIT_ROUND_HOURS.map(|hours| hours * run.rounds),
            });
        }
        let is_set = run.rounds == 0 && target.partitions.is_some();
        if !is_set || Some(ru) > target.ru_per_second {
            set(ru, &mut steps);
        }
        steps.push(LoadStep::Load { hours: loading });
        if run.lowest_after < ru {
            steps.push(LoadStep::Lower(run.lowest_after));
        }
        steps
    }

    /// The least RU/s that hold the deadline, after as few splits as possible.
    fn least(&self, until: f64) -> Result<LoadRun, LoadObstacle> {
        for rounds in 0..=MOST_ROUNDS {
            let mut counts = self.counts(rounds);
            let run = counts.find_map(|before| self.held_by(until, before, rounds));
            if let Some(run) = run {
                return Ok(run);
            }
        }
        let needed = self.ru / (until * SECONDS_PER_HOUR);
        let most = whole_usize(MOST_RU / PARTITION_RU_PER_SECOND);
        Err(match (self.target.partitions, self.question.first_values) {
            _ if needed > MOST_RU => LoadObstacle::TooMuch(needed),
            (now, Some(values)) => {
                LoadObstacle::FirstLevel(FirstLevel::of(values, now.unwrap_or(most)))
            }
            (now, None) => LoadObstacle::Splits(top(now.unwrap_or(most), 0)),
        })
    }

    /// Partitions that the first items may come to.
    fn counts(&self, rounds: u32) -> std::ops::RangeInclusive<usize> {
        let most = whole_usize(MOST_RU / PARTITION_RU_PER_SECOND) >> rounds;
        match (self.target.partitions, self.question.first_values) {
            (Some(now), _) => now..=now,
            (None, Some(_)) => 1..=most,
            // Evenly spread, it has all partitions from the start: splits would win nothing.
            (None, None) => 1..=usize::from(rounds == 0),
        }
    }

    fn held_by(&self, until: f64, before: usize, rounds: u32) -> Option<LoadRun> {
        let (first_hours, rest) = self.first_hours(before, rounds);
        let left = until - first_hours - split_hours(rounds);
        if left <= 0.0 {
            return None;
        }
        let target = self.target;
        let share = self.first_level(before).map_or(1.0, |first| first.share());
        let needed = rest / (left * SECONDS_PER_HOUR) / share;
        let stored = target.stored_kib + self.question.kib;
        let [step, _] = target.throughput_mode.sold();
        let least = target.throughput_mode.minimum(stored);
        let ru = ((needed / step).ceil() * step).max(least);
        if target.partitions.is_none() && self.question.first_values.is_none() {
            // Created with room for everything, it does not split while it is loaded.
            let ru = ru.max(self.roomy_ru());
            return (ru <= MOST_RU)
                .then(|| self.run(ru, initial_partitions(ru, target.throughput_mode), 0));
        }
        (ru <= top(before, rounds)).then(|| self.run(ru, before, rounds))
    }

    /// RU/s with which a new container has partitions for all that it is to store.
    fn roomy_ru(&self) -> f64 {
        let partitions = as_number(partitions_for_storage(self.question.kib));
        creation_ru(self.target.throughput_mode) * partitions
    }

    fn rows(&self) -> Vec<LoadRun> {
        let target = self.target;
        let rus: Vec<f64> = match target.partitions {
            Some(now) => {
                let rungs = Ladder::of(target.throughput_mode, (0.0, now), None, None).rungs;
                let set = target.ru_per_second.into_iter();
                set.chain(rungs.iter().map(|rung| rung.ru_per_second))
                    .collect()
            }
            None => {
                let least = target.ru_per_second.unwrap_or_else(|| self.roomy_ru());
                let times = (0..ROWS).map(|row| least * f64::from(1_u32 << row));
                times.filter(|ru| *ru <= MOST_RU).collect()
            }
        };
        let mut rows: Vec<LoadRun> = rus.into_iter().map(|ru| self.run_at(ru)).collect();
        rows.dedup_by(|a, b| (a.ru_per_second - b.ru_per_second).abs() < 0.5);
        rows
    }
}

/// The most RU/s after some rounds of splits.
fn top(partitions: usize, rounds: u32) -> f64 {
    (PARTITION_RU_PER_SECOND * as_number(partitions << rounds)).min(MOST_RU)
}

fn split_hours(rounds: u32) -> f64 {
    let [_, longest] = SPLIT_ROUND_HOURS;
    f64::from(longest * rounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    const IMPORT: LoadQuestion = LoadQuestion {
        kib: 500.0 * KIB_PER_GIB,
        item_kib: 1.0,
        hours: Some(12.0),
        first_values: None,
    };
    const SET: LoadTarget = LoadTarget {
        throughput_mode: ThroughputMode::Manual,
        ru_per_second: Some(24_000.0),
        partitions: Some(4),
        stored_kib: 120.0 * KIB_PER_GIB,
    };

    fn plan(target: LoadTarget, hours: f64, first_values: Option<u64>) -> LoadPlan {
        let hours = Some(hours);
        let question = LoadQuestion {
            hours,
            first_values,
            ..IMPORT
        };
        LoadPlan::of(None, target, question)
    }

    /// RU/s, partitions at first and at the end, and rounds of splits.
    fn figures(plan: &LoadPlan) -> Option<(f64, usize, usize, u32)> {
        let run = plan.holding.as_ref()?.as_ref().ok()?;
        let partitions = (run.partitions_before, run.partitions_after);
        Some((run.ru_per_second, partitions.0, partitions.1, run.rounds))
    }

    #[test]
    fn five_values_come_to_four_of_ten_partitions() {
        let first = FirstLevel::of(5, 10);
        assert!((first.expected_partitions - 4.0951).abs() < 1e-4);
        assert!((first.most_ru - 50_000.0).abs() < 1e-9);
        assert!((FirstLevel::of(500, 2).most_ru - 20_000.0).abs() < 1e-9);
    }

    #[test]
    fn a_new_container_gets_its_partitions_when_it_is_created() {
        // 524,288,000 writes of 10 RU in 43,200 s: 121,363 RU/s.
        let new = plan(LoadTarget::default(), 12.0, None);
        assert_eq!(figures(&new), Some((121_400.0, 21, 21, 0)));
        // A week is long, but it is to hold 500 GB: ten partitions of 50 GB.
        let slow = plan(LoadTarget::default(), 168.0, None);
        assert_eq!(figures(&slow), Some((60_000.0, 10, 10, 0)));
        let Some(Ok(run)) = new.holding else { return };
        assert!((run.lowest_after - 1_300.0).abs() < 1e-9);
        assert_eq!(run.steps.len(), 3, "{:?}", run.steps);
    }

    #[test]
    fn what_is_missed_stands_beside_what_holds() {
        let missed = |plan: &LoadPlan| plan.today.as_ref().and_then(|run| run.missed_by);
        // 76,650 RU/s take 19 h.
        let target = LoadTarget {
            ru_per_second: Some(76_650.0),
            partitions: Some(13),
            ..SET
        };
        let late = plan(target, 12.0, None);
        assert!(missed(&late).is_some_and(|hours| (hours - 7.0).abs() < 0.01));
        assert_eq!(figures(&late), Some((121_400.0, 13, 13, 0)));
        assert_eq!(missed(&plan(target, 20.0, None)), None);
        // Within 24 h one round leaves 18 h, in which 80,000 RU/s do not do; two leave 12 h.
        let day = plan(SET, 24.0, None);
        assert_eq!(figures(&day), Some((121_400.0, 4, 16, 2)));
        let steps = day.holding.and_then(Result::ok).map(|run| run.steps);
        let hours = [8, 12];
        let expected = [
            LoadStep::Set(160_000.0),
            LoadStep::WaitForSplits {
                partitions: 16,
                hours,
            },
            LoadStep::Set(121_400.0),
        ];
        assert_eq!(steps.as_ref().and_then(|s| s.get(..3)), Some(&expected[..]));
    }

    #[test]
    fn what_no_ru_hold_has_a_reason() {
        let obstacle = |plan: LoadPlan| plan.holding.and_then(Result::err);
        let splits = obstacle(plan(SET, 12.0, None));
        assert_eq!(splits, Some(LoadObstacle::Splits(40_000.0)));
        let much = obstacle(plan(LoadTarget::default(), 1.0, None));
        assert!(matches!(much, Some(LoadObstacle::TooMuch(ru)) if ru > MOST_RU));
        let ten = LoadTarget {
            partitions: Some(10),
            ..SET
        };
        let few = obstacle(plan(ten, 12.0, Some(5)));
        assert_eq!(few, Some(LoadObstacle::FirstLevel(FirstLevel::of(5, 10))));
        // Four partitions hold 3.05 values on average: 39,800 RU/s of them are 30,341.
        let new = plan(LoadTarget::default(), 48.0, Some(5));
        assert_eq!(figures(&new), Some((39_800.0, 4, 10, 0)));
    }

    #[test]
    fn a_container_without_data_is_loaded_a_little_before_it_splits() {
        let empty = LoadTarget {
            stored_kib: 0.0,
            ..SET
        };
        let plan = plan(empty, 30.0, None);
        let steps = plan.holding.and_then(Result::ok).map(|run| run.steps);
        let expected = [
            LoadStep::Set(40_000.0),
            LoadStep::LoadFirst { kib: FIRST_KIB },
            LoadStep::Set(80_000.0),
        ];
        assert_eq!(steps.as_ref().and_then(|s| s.get(..3)), Some(&expected[..]));
    }

    #[test]
    fn without_a_deadline_more_ru_are_set_against_hours() {
        let question = LoadQuestion {
            hours: None,
            ..IMPORT
        };
        let rows = LoadPlan::of(None, SET, question).choices;
        let row = |run: &LoadRun| (run.ru_per_second, run.rounds, run.hours.round());
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
