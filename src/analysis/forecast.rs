//! What happens next: which key or physical partition reaches which limit, and when.

mod keys;
mod ladder;
mod loads;
mod load_plan;
mod partitions;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use crate::model::capture::{Capture, Container};
use crate::model::logical::KeyId;
use crate::model::names::ContainerName;
use crate::model::time::Stamp;

use super::ceiling::Ceiling;
use super::columns::Lookups;
use super::diagnosis::Diagnoses;
use super::growth::{Growth, LimitDate};
use super::mask::Masker;
use super::parallelism::{Parallelism, Task};
use super::rows::{Note, name_order};
use super::summary::ContainerFilter;
use keys::{KeyPicks, KeySums, KeyTrend};
use loads::loads;
use partitions::PartitionGrowth;

pub use ladder::{Ladder, Rung, SPLIT_ROUND_HOURS};
pub use loads::MONTH_DAYS;
pub use partitions::PartitionFuture;
pub use load_plan::{
    FirstLevel, LoadObstacle, LoadPlan, LoadQuestion, LoadRun, LoadStep, LoadTarget,
};

const DELETES: &str = "time to live is on: sizes level off, and --retention shows at which size";

/// What is asked.
#[derive(Clone, PartialEq, Debug)]
pub struct ForecastQuestion {
    pub ceiling: Ceiling,
    /// None given = every container.
    pub containers: Vec<ContainerFilter>,
    /// Sizes grow so many times as fast as they did.
    pub growth_factor: f64,
    /// Documents are deleted after so many days.
    pub kept_days: Option<f64>,
    /// Limits listed at most; all where none is given.
    pub top: Option<usize>,
    /// RU/s to scale to.
    pub ru_per_second: Option<f64>,
    /// Physical partitions that there are at least.
    pub partitions: Option<usize>,
    /// Load grows by this share in a month.
    pub load_growth: Option<f64>,
}

impl ForecastQuestion {
    /// The date where documents are deleted after a time, and the size at which that keeps it.
    fn levelled(
        &self,
        date: LimitDate,
        growth: Option<&Growth>,
        limit_kib: f64,
    ) -> (LimitDate, Option<f64>) {
        let (Some(days), Some(growth)) = (self.kept_days, growth) else {
            return (date, None);
        };
        if date == LimitDate::Over || growth.kib_per_day <= 0.0 {
            return (date, None);
        }
        let [level, highest] = [growth.kib_per_day, growth.highest].map(|a_day| a_day * days);
        let levels_off = (level < limit_kib).then_some(level);
        let date = match levels_off {
            None => date,
            Some(_) if highest < limit_kib => LimitDate::Never,
            Some(_) => LimitDate::Unknown,
        };
        (date, levels_off)
    }
}

impl Default for ForecastQuestion {
    fn default() -> Self {
        Self {
            ceiling: Ceiling::default(),
            containers: Vec::new(),
            growth_factor: 1.0,
            kept_days: None,
            top: None,
            ru_per_second: None,
            partitions: None,
            load_growth: None,
        }
    }
}

/// The limits that keys and physical partitions come to, the first at the top.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Forecast {
    pub as_of: Option<Stamp>,
    pub ceiling: Ceiling,
    pub limits: Vec<NextLimit>,
    /// Listed or not.
    pub limits_total: u64,
    /// Limits that are reached, listed or not.
    pub reached: u64,
    /// The first with a date, listed or not.
    pub next: Option<NextLimit>,
    /// Keys of which no date follows.
    pub undated_keys: u64,
    /// Keys that never reach their limit, as they do.
    pub calm_keys: u64,
    /// Physical partitions of known size, by the number of the container.
    pub partitions: Vec<(u32, Vec<PartitionFuture>)>,
    /// Of several containers only where they or RU/s are named.
    pub ladders: Vec<(ContainerName, Ladder)>,
    /// A load at once, where one is planned.
    pub load_plan: Option<LoadPlan>,
    pub notes: Vec<Note>,
}

/// Who reaches a limit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LimitSubject {
    /// JSON text; None where the log named no key.
    Key(Option<Box<str>>),
    /// A physical partition by its id.
    Partition(String),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LimitKind {
    KeySize,
    PartitionSize,
    KeyRu,
    PartitionRu,
}

impl LimitKind {
    pub fn word(self) -> &'static str {
        match self {
            Self::KeySize => "key-size",
            Self::PartitionSize => "partition-size",
            Self::KeyRu => "key-ru",
            Self::PartitionRu => "partition-ru",
        }
    }

    /// Whether it is about what is stored.
    pub fn is_size(self) -> bool {
        matches!(self, Self::KeySize | Self::PartitionSize)
    }

    /// What happens there.
    pub fn consequence(self) -> &'static str {
        match self {
            Self::KeySize => "writes to it get 403",
            Self::PartitionSize => "it splits in two, which takes 4 to 6 h",
            Self::KeyRu | Self::PartitionRu => "requests get 429",
        }
    }
}

/// One limit ahead.
#[derive(Clone, PartialEq, Debug)]
pub struct NextLimit {
    /// By its number.
    pub container: u32,
    pub name: ContainerName,
    pub subject: LimitSubject,
    /// Of a key whose sizes were read.
    pub key_id: Option<KeyId>,
    pub kind: LimitKind,
    /// KiB, or RU/s in the busiest step of the sizing window.
    pub now: f64,
    pub limit: f64,
    /// Of sizes, as asked for; of RU/s none is measured.
    pub growth: Option<Growth>,
    pub date: LimitDate,
    /// The size at which it stays, as older documents are deleted.
    pub levels_off_kib: Option<f64>,
}

impl NextLimit {
    pub fn share(&self) -> f64 {
        self.now / self.limit
    }

    /// KiB.
    pub fn growth_a_day(&self) -> Option<f64> {
        self.growth.map(|growth| growth.kib_per_day)
    }

    /// Over first, then by date, then the fullest.
    fn order(&self, other: &Self) -> Ordering {
        rank(&self.date)
            .cmp(&rank(&other.date))
            .then(other.share().total_cmp(&self.share()))
            .then_with(|| name_order(&self.name, &other.name))
            .then_with(|| (&self.subject, self.kind).cmp(&(&other.subject, other.kind)))
    }
}

fn rank(date: &LimitDate) -> (u8, Option<Stamp>) {
    match date {
        LimitDate::Over => (0, None),
        LimitDate::Date { at, .. } => (1, Some(*at)),
        LimitDate::Unknown => (2, None),
        LimitDate::Never => (3, None),
    }
}

/// The containers that are looked at, and what for.
struct Scope<'a> {
    capture: &'a Capture,
    asked: &'a ForecastQuestion,
    /// By number of the container.
    is_wanted: Vec<bool>,
}

impl<'a> Scope<'a> {
    fn of(capture: &'a Capture, asked: &'a ForecastQuestion) -> Self {
        let named = &asked.containers;
        let is_wanted = |c: &Container| named.is_empty() || named.iter().any(|f| f.fits(&c.name));
        Self {
            capture,
            asked,
            is_wanted: capture.containers.iter().map(is_wanted).collect(),
        }
    }

    fn has(&self, container: u32) -> bool {
        let found = self.is_wanted.get(container as usize);
        found.copied().unwrap_or(false)
    }

    fn forecast(&self, sums: &KeySums, mut picks: KeyPicks<'_>, diagnoses: &Diagnoses) -> Forecast {
        let (as_of, undated, calm) = sums.totals(|number| self.has(number));
        let (limits, next) = picks.limits();
        let mut made = Forecast {
            as_of,
            ceiling: self.asked.ceiling,
            limits,
            next,
            reached: picks.reached,
            undated_keys: undated + picks.undated,
            calm_keys: calm + picks.calm,
            ..Forecast::default()
        };
        self.containers(diagnoses, &mut made, &sums.growth);
        made.limits.sort_by(NextLimit::order);
        made.limits_total = picks.left_out + made.limits.len() as u64;
        made.limits.truncate(self.asked.top.unwrap_or(usize::MAX));
        made
    }

    fn containers(&self, diagnoses: &Diagnoses, made: &mut Forecast, growth: &PartitionGrowth) {
        let asked = self.asked;
        for (number, container) in (0_u32..).zip(&self.capture.containers) {
            if !self.has(number) {
                continue;
            }
            let futures = growth.futures(self.capture, number, asked.growth_factor);
            let sizes = futures
                .iter()
                .filter_map(|p| p.limit(number, &container.name, asked));
            let mut others: Vec<NextLimit> = sizes.collect();
            if !futures.is_empty() {
                made.partitions.push((number, futures));
            }
            if let Some(now) = diagnoses.container(number).and_then(|d| d.now.as_ref()) {
                others.extend(loads(now, number, &container.name, asked));
            }
            for limit in &others {
                made.reached += u64::from(limit.date == LimitDate::Over);
                let is_next = |held: &NextLimit| limit.order(held).is_lt();
                if limit.date.date().is_some() && made.next.as_ref().is_none_or(is_next) {
                    made.next = Some(limit.clone());
                }
            }
            made.limits.append(&mut others);
            let ladder = Ladder::of_container(container, asked.ru_per_second);
            let ladder = ladder.map(|ladder| (container.name.clone(), ladder));
            made.ladders.extend(ladder);
            if container.lifetime == Some(true) && asked.kept_days.is_none() {
                made.notes = vec![Note::new(DELETES)];
            }
        }
        let is_about_ru = asked.ru_per_second.is_some() || !asked.containers.is_empty();
        if made.ladders.len() > 1 && !is_about_ru {
            made.ladders.clear();
        }
        made.ladders.sort_by(|a, b| name_order(&a.0, &b.0));
    }
}

impl Forecast {
    pub fn of(
        capture: &Capture,
        lookups: &Lookups,
        diagnoses: &Diagnoses,
        asked: &ForecastQuestion,
    ) -> Self {
        let scope = Scope::of(capture, asked);
        let mut sums = KeySums::of_none(capture);
        let mut picks = KeyPicks::new(capture, asked);
        let mut take = |trend: KeyTrend| {
            if scope.has(trend.container) {
                picks.add(&trend);
            }
        };
        let _ = sums.walk(capture, lookups, (0, 1), &|| true, &mut take);
        scope.forecast(&sums, picks, diagnoses)
    }

    /// Replaces every name.
    pub fn mask(&mut self, masker: &Masker) {
        for limit in self.limits.iter_mut().chain(&mut self.next) {
            limit.name = masker.container(&limit.name);
            if let LimitSubject::Key(Some(key)) = &mut limit.subject {
                *key = masker.key(key);
            }
        }
        let planned = self.load_plan.iter_mut().filter_map(|p| p.name.as_mut());
        for name in self.ladders.iter_mut().map(|(name, _)| name).chain(planned) {
            *name = masker.container(name);
        }
    }
}

/// What the readings of all keys say, looked up once for whatever is asked.
#[derive(Debug, Default)]
pub struct KeyTrends {
    sums: KeySums,
    parts: Vec<Vec<KeyTrend>>,
}

impl KeyTrends {
    /// By all hands. None when `keep_going` said no.
    pub fn of(
        capture: &Capture,
        lookups: &Lookups,
        hands: Parallelism,
        keep_going: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let parts = hands.workers();
        let mut slots: Vec<Option<(KeySums, Vec<KeyTrend>)>> = Vec::new();
        slots.resize_with(parts, || None);
        let tasks = slots
            .iter_mut()
            .enumerate()
            .map(|(part, slot)| -> Task<'_> {
                Box::new(move || {
                    let mut sums = KeySums::of_none(capture);
                    let mut trends = Vec::new();
                    let mut take = |trend| trends.push(trend);
                    let walked = sums.walk(capture, lookups, (part, parts), keep_going, &mut take);
                    *slot = walked.map(|()| (sums, trends));
                })
            });
        hands.all(tasks.collect());
        let mut all = Self {
            sums: KeySums::of_none(capture),
            parts: Vec::with_capacity(parts),
        };
        for slot in slots {
            let (sums, trends) = slot?;
            all.sums.merge(sums);
            all.parts.push(trends);
        }
        Some(all)
    }

    /// The same as [`Forecast::of`].
    pub fn forecast(
        &self,
        capture: &Capture,
        diagnoses: &Diagnoses,
        asked: &ForecastQuestion,
        hands: Parallelism,
    ) -> Forecast {
        let scope = Scope::of(capture, asked);
        let mut slots: Vec<KeyPicks<'_>> = Vec::new();
        slots.resize_with(self.parts.len(), || KeyPicks::new(capture, asked));
        let work = self.parts.iter().zip(&mut slots);
        let scope_of_part = &scope;
        let tasks = work.map(|(trends, picks)| -> Task<'_> {
            Box::new(move || {
                let wanted = trends.iter().filter(|t| scope_of_part.has(t.container));
                wanted.for_each(|trend| picks.add(trend));
            })
        });
        hands.all(tasks.collect());
        let mut picks = KeyPicks::new(capture, asked);
        slots.into_iter().for_each(|part| picks.merge(part));
        scope.forecast(&self.sums, picks, diagnoses)
    }
}
