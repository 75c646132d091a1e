//! What happens next: which key or physical partition reaches which limit, and when.

mod keys;
mod ladder;
mod load_plan;
mod loads;
mod one_key;
mod partitions;
mod retention;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::model::capture::{Capture, Container};
use crate::model::logical::KeyId;
use crate::model::names::ContainerName;
use crate::model::physical::TimeToLive;
use crate::model::sample::SampleTime;
use crate::model::time::Stamp;
use crate::model::units::kib_text;

use super::ceiling::Ceiling;
use super::columns::Lookups;
use super::demand::CurrentLoad;
use super::diagnosis::Diagnoses;
use super::growth::{Growth, LimitDate, shown_moment};
use super::mask::{Masker, NameKind};
use super::outlook::current;
use super::parallelism::Parallelism;
use super::rows::{Note, name_order};
use super::summary::ContainerFilter;
use keys::{KeyPicks, KeySums, KeyTrend};
use ladder::is_uneven;
use loads::loads;

pub(super) use partitions::PartitionGrowth;

pub use ladder::{Ladder, Rung};
pub use load_plan::{FirstLevel, LoadObstacle, LoadPlan, LoadQuestion, LoadRun, LoadTarget};
pub use loads::MONTH_DAYS;
pub use partitions::{GrowthEnd, LargestKey, PartitionFuture};
pub use retention::{ContainerLevel, Retention};

const DELETES: &str = "time to live is on: sizes level off, and --retention shows at which size";
const DEFAULT: &str = "documents end by the default time to live of the container, or by one of their own. Sizes beyond growth times that time keep their date: growth has deletions in it";

/// What is asked.
#[derive(Clone, PartialEq, Debug)]
pub struct ForecastQuestion {
    pub ceiling: Ceiling,
    /// The moment from which days are counted: that of the newest sample where none is given.
    pub as_of: Option<Stamp>,
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
    /// A key that takes this part of a container's data and load.
    pub one_key_share: Option<f64>,
    /// Load grows by this share in a month.
    pub load_growth: Option<f64>,
}

#[cfg(test)]
impl Default for ForecastQuestion {
    fn default() -> Self {
        Self {
            ceiling: Ceiling::default(),
            as_of: None,
            containers: Vec::new(),
            growth_factor: 1.0,
            kept_days: None,
            top: None,
            ru_per_second: None,
            partitions: None,
            one_key_share: None,
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
    /// Containers that level off, as documents are deleted.
    pub levels: Vec<ContainerLevel>,
    /// A load at once, where one is planned.
    pub load_plan: Option<LoadPlan>,
    /// Of accounts, where they are known.
    pub resource_groups: BTreeMap<String, String>,
    pub is_masked: bool,
    pub notes: Vec<Note>,
}

/// Who reaches a limit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LimitSubject {
    /// JSON text; None where the log named no key.
    Key(Option<Box<str>>),
    /// A physical partition by its id.
    Partition(String),
    /// A key that takes the part asked for.
    OneKey { permille: u32 },
}

words! {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum LimitKind {
        KeySize = "key-size",
        PartitionSize = "partition-size",
        KeyRu = "key-ru",
        PartitionRu = "partition-ru",
    }
    fn word
}

impl LimitKind {
    /// Whether it is about what is stored.
    pub fn is_size(self) -> bool {
        matches!(self, Self::KeySize | Self::PartitionSize)
    }

    fn consequence(self) -> &'static str {
        match self {
            Self::KeySize => "writes to it get 403",
            Self::PartitionSize => "it splits in two, which takes 4 to 6 h",
            Self::KeyRu | Self::PartitionRu => "requests get 429",
        }
    }
}

/// KiB a day that are shown as none.
pub const LEAST_SHOWN: f64 = 0.5;

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
    /// Of a partition that is mostly one key.
    pub largest_key: Option<LargestKey>,
    /// Some of its keys fill up first, which makes its date later.
    pub is_slowed: bool,
    /// The throttled share, where only single seconds are above the limit.
    pub hidden_share: Option<f64>,
}

impl NextLimit {
    /// One of which neither growth nor a date is known.
    fn new(
        container: u32,
        name: &ContainerName,
        subject: LimitSubject,
        kind: LimitKind,
        now: f64,
        limit: f64,
    ) -> Self {
        Self {
            container,
            name: name.clone(),
            subject,
            key_id: None,
            kind,
            now,
            limit,
            growth: None,
            date: LimitDate::Unknown,
            levels_off_kib: None,
            largest_key: None,
            is_slowed: false,
            hidden_share: None,
        }
    }

    /// Whether it stays below the limit, as it grows now.
    pub fn stays_below(&self) -> bool {
        let is_flat = || self.growth_a_day().is_some_and(|kib| kib < LEAST_SHOWN);
        self.date == LimitDate::Never || (self.date == LimitDate::Unknown && is_flat())
    }

    /// What happens there, or why nothing does.
    pub fn consequence(&self) -> String {
        match (self.hidden_share, self.levels_off_kib) {
            (Some(share), _) if share > 0.0 => "peaks only: few 429s".to_owned(),
            (Some(_), _) => "peaks only: nothing is throttled".to_owned(),
            (None, Some(kib)) if self.stays_below() => format!("levels off at {}", kib_text(kib)),
            (None, _) if self.stays_below() => match self.growth_a_day() {
                None => "stays below",
                Some(kib) if kib < -LEAST_SHOWN => "shrinks",
                Some(_) => "does not grow",
            }
            .to_owned(),
            (None, _) => self.kind.consequence().to_owned(),
        }
    }

    pub fn share(&self) -> f64 {
        self.now / self.limit
    }

    /// KiB.
    pub fn growth_a_day(&self) -> Option<f64> {
        self.growth.map(|growth| growth.kib_per_day)
    }

    /// Over first, then by the date that is shown, then the fullest.
    fn order(&self, other: &Self, as_of: Option<Stamp>) -> Ordering {
        rank(&self.date, as_of)
            .cmp(&rank(&other.date, as_of))
            .then(other.share().total_cmp(&self.share()))
            .then_with(|| name_order(&self.name, &other.name))
            .then_with(|| (&self.subject, self.kind).cmp(&(&other.subject, other.kind)))
    }
}

fn rank(date: &LimitDate, as_of: Option<Stamp>) -> (u8, Option<Stamp>) {
    match date {
        LimitDate::Over => (0, None),
        LimitDate::Date { .. } => (1, shown_moment(date, as_of)),
        LimitDate::Unknown => (2, None),
        LimitDate::Never => (3, None),
    }
}

/// The containers that are looked at, and what for.
struct Scope<'a> {
    capture: &'a Capture,
    asked: &'a ForecastQuestion,
    as_of: Option<Stamp>,
    /// By number of the container.
    is_wanted: Vec<bool>,
}

impl<'a> Scope<'a> {
    fn of(capture: &'a Capture, asked: &'a ForecastQuestion) -> Self {
        let is_wanted = |c: &Container| ContainerFilter::any_fits(&asked.containers, &c.name);
        let is_wanted = capture.containers.iter().map(is_wanted).collect();
        let mut scope = Self { capture, asked, as_of: asked.as_of, is_wanted };
        if scope.as_of.is_none() {
            let keys = capture.sizes.iter().filter(|(_, view)| scope.has(view.container()));
            let times = keys.filter_map(|(_, view)| Some(current(&view, &capture.regions)?.newest));
            scope.as_of = times.max_by_key(|at| at.earliest()).and_then(SampleTime::at);
        }
        scope
    }

    fn has(&self, container: u32) -> bool {
        let found = self.is_wanted.get(container as usize);
        found.copied().unwrap_or(false)
    }

    fn forecast(&self, sums: &KeySums, mut picks: KeyPicks<'_>, diagnoses: &Diagnoses) -> Forecast {
        let (undated, calm) = sums.totals(|number| self.has(number));
        let (limits, next) = picks.limits();
        let mut made = Forecast {
            as_of: self.as_of,
            ceiling: self.asked.ceiling,
            limits,
            next,
            reached: picks.reached,
            undated_keys: undated + picks.undated,
            calm_keys: calm + picks.calm,
            ..Forecast::default()
        };
        self.containers(diagnoses, &mut made, &sums.growth);
        made.limits.sort_by(|a, b| a.order(b, self.as_of));
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
            let now = diagnoses.container(number).and_then(|d| d.now.as_deref());
            self.partitions((number, container), now, made, growth);
            let capacities = now.and_then(|now| now.partitions.capacities.as_ref());
            if let Some(mut ladder) = Ladder::of_container(container, asked.ru_per_second) {
                ladder.has_uneven_ru |= is_uneven(capacities.into_iter().flatten().copied());
                made.ladders.push((container.name.clone(), ladder));
            }
            let group = container.name.account.as_ref().zip(container.resource_group.as_ref());
            let named = group.map(|(account, group)| (account.to_string(), group.to_string()));
            made.resource_groups.extend(named);
        }
        made.levels.sort_by(|a, b| name_order(&a.name, &b.name));
        let is_about_ru = asked.ru_per_second.is_some() || !asked.containers.is_empty();
        if made.ladders.len() > 1 && !is_about_ru {
            made.ladders.clear();
        }
        made.ladders.sort_by(|a, b| name_order(&a.0, &b.0));
    }

    /// Limits of partitions, and where the container levels off.
    fn partitions(
        &self,
        (number, container): (u32, &Container),
        now: Option<&CurrentLoad>,
        made: &mut Forecast,
        growth: &PartitionGrowth,
    ) {
        let (capture, asked) = (self.capture, self.asked);
        let factor = asked.growth_factor;
        let futures = growth.futures(capture, number, (factor, asked.ceiling.kib()));
        let retention = Retention::of(container, asked.kept_days);
        let sizes = futures.iter();
        let sizes = sizes.filter_map(|p| p.limit(number, &container.name, retention));
        let loads = now.map(|now| loads(now, number, &container.name, asked));
        let one_key = one_key::limits(capture, number, (&futures, now), asked);
        let all = sizes.chain(loads.into_iter().flatten()).chain(one_key);
        for limit in all {
            made.reached += u64::from(limit.date == LimitDate::Over);
            let is_next = |held: &NextLimit| limit.order(held, self.as_of).is_lt();
            if limit.date.date().is_some() && made.next.as_ref().is_none_or(is_next) {
                made.next = Some(limit.clone());
            }
            made.limits.push(limit);
        }
        let level = retention
            .and_then(|kept| ContainerLevel::of(capture, number, (kept, factor), &futures));
        made.levels.extend(level);
        if !futures.is_empty() {
            made.partitions.push((number, futures));
        }
        let is_on = matches!(container.lifetime, Some(TimeToLive::On { .. }));
        let note = match retention {
            Some(Retention { is_default, .. }) => is_default.then_some(DEFAULT),
            None => is_on.then_some(DELETES),
        };
        let is_new = |text: &&str| made.notes.iter().all(|note| note.text != *text);
        made.notes.extend(note.filter(is_new).map(Note::new));
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
        let mut picks = KeyPicks::new(&scope);
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
        self.is_masked = true;
        let groups = std::mem::take(&mut self.resource_groups);
        for (account, group) in groups {
            let group = masker.name(NameKind::ResourceGroup, &group);
            let account = masker.name(NameKind::Account, &account);
            self.resource_groups.insert(account, group);
        }
        let futures = self.partitions.iter_mut().flat_map(|(_, futures)| futures);
        let futures = futures.filter_map(|p| p.largest_key.as_mut()?.key.as_mut());
        futures.for_each(|key| *key = masker.key(key));
        for limit in self.limits.iter_mut().chain(&mut self.next) {
            limit.name = masker.container(&limit.name);
            if let LimitSubject::Key(Some(key)) = &mut limit.subject {
                *key = masker.key(key);
            }
            let largest = limit.largest_key.as_mut();
            if let Some(key) = largest.and_then(|largest| largest.key.as_mut()) {
                *key = masker.key(key);
            }
        }
        let planned = self.load_plan.iter_mut().filter_map(|p| p.name.as_mut());
        let levels = self.levels.iter_mut().map(|level| &mut level.name);
        let ladders = self.ladders.iter_mut().map(|(name, _)| name);
        for name in ladders.chain(planned).chain(levels) {
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
        let walked = hands.each(0..parts, |part| {
            let mut sums = KeySums::of_none(capture);
            let mut trends = Vec::new();
            let mut take = |trend| trends.push(trend);
            sums.walk(capture, lookups, (part, parts), keep_going, &mut take)?;
            Some((sums, trends))
        });
        let mut all = Self { sums: KeySums::of_none(capture), parts: Vec::with_capacity(parts) };
        for part in walked {
            let (sums, trends) = part?;
            all.sums.merge(sums, capture);
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
        let picked = hands.each(&self.parts, |trends| {
            let mut picks = KeyPicks::new(&scope);
            let wanted = trends.iter().filter(|t| scope.has(t.container));
            wanted.for_each(|trend| picks.add(trend));
            picks
        });
        let mut picks = KeyPicks::new(&scope);
        for part in picked {
            picks.merge(part);
        }
        scope.forecast(&self.sums, picks, diagnoses)
    }
}
