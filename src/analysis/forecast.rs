//! What happens next: which key or physical partition reaches which limit, and when.

mod ladder;
mod partitions;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use crate::model::capture::Capture;
use crate::model::logical::KeyId;
use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::model::units::PARTITION_RU_PER_SECOND;

use super::ceiling::{Ceiling, MARK_WARN};
use super::columns::Lookups;
use super::diagnosis::Diagnoses;
use super::growth::{Growth, LimitDate, limit_date};
use super::mask::Masker;
use super::outlook::Outlook;
use super::rows::{Note, name_order};
use super::summary::ContainerFilter;
use partitions::PartitionGrowth;

pub use ladder::{Ladder, Rung, SPLIT_ROUND_HOURS};

/// Keys that are held beyond those wanted before the later ones go.
const SPARE_KEYS: usize = 1_024;

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
    /// Of several containers only where they or RU/s are named.
    pub ladders: Vec<(ContainerName, Ladder)>,
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
    pub name: ContainerName,
    pub subject: LimitSubject,
    pub kind: LimitKind,
    /// KiB, or RU/s in the busiest step of the sizing window.
    pub now: f64,
    pub limit: f64,
    /// KiB; of RU/s no growth is known.
    pub growth_a_day: Option<f64>,
    pub date: LimitDate,
    /// The size at which it stays, as older documents are deleted.
    pub levels_off_kib: Option<f64>,
}

impl NextLimit {
    pub fn share(&self) -> f64 {
        self.now / self.limit
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

/// A key with a date, before its texts are looked up.
#[derive(Clone, Copy)]
struct DatedKey {
    id: KeyId,
    kib: f64,
    growth_a_day: Option<f64>,
    date: LimitDate,
    levels_off_kib: Option<f64>,
}

impl DatedKey {
    /// As limits are ordered: all keys have the same one.
    fn order(&self, other: &Self, capture: &Capture) -> Ordering {
        rank(&self.date)
            .cmp(&rank(&other.date))
            .then(other.kib.total_cmp(&self.kib))
            .then_with(|| capture.sizes.text_order(self.id, other.id))
    }
}

/// The containers that are looked at, and what for.
struct Scope<'a> {
    capture: &'a Capture,
    asked: &'a ForecastQuestion,
    /// By number of the container.
    is_wanted: Vec<bool>,
}

impl Scope<'_> {
    fn has(&self, container: u32) -> bool {
        let found = self.is_wanted.get(container as usize);
        found.copied().unwrap_or(false)
    }

    /// Keys with a date, the first ones, and which of them is next; the others are counted. Returns how many were left out.
    fn keys(&self, lookups: &Lookups, made: &mut Forecast, growth: &mut PartitionGrowth) -> u64 {
        let (capture, asked) = (self.capture, self.asked);
        let mut keys = Vec::new();
        let mut dropped = 0;
        let mut next: Option<DatedKey> = None;
        for (id, view) in capture.sizes.iter() {
            if !self.has(view.container()) {
                continue;
            }
            let Some((place, outlook)) = lookups.outlook(capture, &view) else {
                continue;
            };
            made.as_of = made.as_of.max(outlook.now.newest.at());
            let kib = outlook.now.latest.kib;
            let scaled = outlook.growth.map(|g| times(g, asked.growth_factor));
            if let Some((owner, _)) = place.owner {
                growth.add((view.container(), owner), kib, scaled.as_ref());
            }
            let (date, levels_off_kib) = asked.date(&outlook, scaled.as_ref());
            match date {
                LimitDate::Unknown => made.undated_keys += 1,
                LimitDate::Never if levels_off_kib.is_none() => made.calm_keys += 1,
                _ => {
                    let key = DatedKey {
                        id,
                        kib,
                        growth_a_day: scaled.map(|g| g.kib_per_day),
                        date,
                        levels_off_kib,
                    };
                    made.reached += u64::from(date == LimitDate::Over);
                    let is_next = |held: &DatedKey| key.order(held, capture).is_lt();
                    if date.date().is_some() && next.as_ref().is_none_or(is_next) {
                        next = Some(key);
                    }
                    keys.push(key);
                }
            }
            let most = asked.top.map(|top| top.saturating_mul(2) + SPARE_KEYS);
            if most.is_some_and(|most| keys.len() > most) {
                dropped += asked.shorten(capture, &mut keys);
            }
        }
        dropped += asked.shorten(capture, &mut keys);
        let limits = keys.iter().filter_map(|key| asked.limit(capture, key));
        made.limits.extend(limits);
        made.next = next.and_then(|key| asked.limit(capture, &key));
        dropped
    }

    fn containers(&self, diagnoses: &Diagnoses, made: &mut Forecast, growth: &PartitionGrowth) {
        let asked = self.asked;
        for (number, container) in (0_u32..).zip(&self.capture.containers) {
            if !self.has(number) {
                continue;
            }
            let mut others = growth.limits(self.capture, number, asked.growth_factor);
            others.extend(loads(diagnoses, number, &container.name));
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
        let named = &asked.containers;
        let is_wanted = capture.containers.iter();
        let is_wanted =
            is_wanted.map(|c| named.is_empty() || named.iter().any(|f| f.fits(&c.name)));
        let scope = Scope {
            capture,
            asked,
            is_wanted: is_wanted.collect(),
        };
        let mut made = Self {
            ceiling: asked.ceiling,
            ..Self::default()
        };
        let mut growth = PartitionGrowth::default();
        let dropped = scope.keys(lookups, &mut made, &mut growth);
        scope.containers(diagnoses, &mut made, &growth);
        made.limits.sort_by(NextLimit::order);
        made.limits_total = dropped + made.limits.len() as u64;
        made.limits.truncate(asked.top.unwrap_or(usize::MAX));
        made
    }

    /// Replaces every name.
    pub fn mask(&mut self, masker: &Masker) {
        for limit in self.limits.iter_mut().chain(&mut self.next) {
            limit.name = masker.container(&limit.name);
            if let LimitSubject::Key(Some(key)) = &mut limit.subject {
                *key = masker.key(key);
            }
        }
        for (name, _) in &mut self.ladders {
            *name = masker.container(name);
        }
    }
}

impl ForecastQuestion {
    /// When a key reaches its limit at the growth asked for, and where it stays if documents are deleted before.
    fn date(&self, outlook: &Outlook<'_>, growth: Option<&Growth>) -> (LimitDate, Option<f64>) {
        let date = self.at_growth(outlook, growth);
        let (Some(days), Some(growth)) = (self.kept_days, growth) else {
            return (date, None);
        };
        if date == LimitDate::Over || growth.kib_per_day <= 0.0 {
            return (date, None);
        }
        let [level, highest] = [growth.kib_per_day, growth.highest].map(|a_day| a_day * days);
        let levels_off = (level < self.ceiling.kib()).then_some(level);
        let date = match levels_off {
            None => date,
            Some(_) if highest < self.ceiling.kib() => LimitDate::Never,
            Some(_) => LimitDate::Unknown,
        };
        (date, levels_off)
    }

    fn at_growth(&self, outlook: &Outlook<'_>, growth: Option<&Growth>) -> LimitDate {
        let is_measured = (self.growth_factor - 1.0).abs() < f64::EPSILON;
        let measured = outlook.limit_date;
        if is_measured || matches!(measured, LimitDate::Over | LimitDate::Unknown) {
            return measured;
        }
        let date = limit_date(outlook.now.latest.kib, growth, self.ceiling.kib());
        match (date.date(), outlook.period_end) {
            (Some(at), Some(end)) if end < at => LimitDate::Never,
            _ => date,
        }
    }

    /// Leaves the first ones; returns how many go.
    fn shorten(&self, capture: &Capture, keys: &mut Vec<DatedKey>) -> u64 {
        let Some(top) = self.top.filter(|top| *top < keys.len()) else {
            return 0;
        };
        keys.sort_by(|a, b| a.order(b, capture));
        let gone = keys.len() - top;
        keys.truncate(top);
        gone as u64
    }

    fn limit(&self, capture: &Capture, key: &DatedKey) -> Option<NextLimit> {
        let view = capture.sizes.view(key.id)?;
        Some(NextLimit {
            name: capture.container(view.container())?.name.clone(),
            subject: LimitSubject::Key(view.json_text().map(Into::into)),
            kind: LimitKind::KeySize,
            now: key.kib,
            limit: self.ceiling.kib(),
            growth_a_day: key.growth_a_day,
            date: key.date,
            levels_off_kib: key.levels_off_kib,
        })
    }
}

/// Growth so many times as fast.
fn times(growth: Growth, factor: f64) -> Growth {
    Growth {
        kib_per_day: growth.kib_per_day * factor,
        lowest: growth.lowest * factor,
        highest: growth.highest * factor,
        ..growth
    }
}

/// The hottest key and the partitions from 70 % of their RU/s on, in the sizing window: how load grows nothing tells.
fn loads(diagnoses: &Diagnoses, number: u32, name: &ContainerName) -> Vec<NextLimit> {
    let Some(now) = diagnoses.container(number).and_then(|d| d.now.as_ref()) else {
        return Vec::new();
    };
    let limit = |subject, kind, peak: f64, limit: f64| NextLimit {
        name: name.clone(),
        subject,
        kind,
        now: peak,
        limit,
        growth_a_day: None,
        date: if peak >= limit {
            LimitDate::Over
        } else {
            LimitDate::Unknown
        },
        levels_off_kib: None,
    };
    let key = now.outcome.hottest_key.iter().map(|key| {
        let subject = LimitSubject::Key(Some(key.key.as_str().into()));
        limit(subject, LimitKind::KeyRu, key.peak, PARTITION_RU_PER_SECOND)
    });
    let partitions = now.outcome.partitions.iter().filter_map(|p| {
        let subject = LimitSubject::Partition(p.id.clone());
        Some(limit(subject, LimitKind::PartitionRu, p.peak, p.capacity?))
    });
    let all = key.chain(partitions);
    all.filter(|limit| limit.share() >= MARK_WARN).collect()
}
