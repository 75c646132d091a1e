//! What is stored, key by key and partition by partition: straight lines between changes, which wait in a queue.

mod full;
mod periods;
mod splits;

use crate::model::throughput::partitions_after;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::event::{LapseEvent, LapseEventKind};
use super::{KeyPeriod, LapseStart, SimulateQuestion};
use crate::analysis::ceiling::MARK_WARN;
use crate::analysis::chance::Chance;
use crate::analysis::forecast::Retention;
use crate::model::epk::Epk;
use crate::model::key::{KeyDefinition, shown_json};
use crate::model::layout::Layout;
use crate::model::time::{DAY_S, Stamp};
use crate::model::units::{PHYSICAL_CEILING_KIB, as_number, real_seconds, whole_u64};

/// A size that grows evenly.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct SizeLine {
    at_s: i64,
    kib: f64,
    per_s: f64,
}

impl SizeLine {
    fn at(&self, at_s: i64) -> f64 {
        self.kib + self.per_s * real_seconds(at_s.saturating_sub(self.at_s))
    }

    fn turn(&mut self, at_s: i64, kib: f64, per_s: f64) {
        *self = Self { at_s, kib, per_s };
    }

    /// The first second at which it is so large; None if it does not grow there.
    fn reaches(&self, kib: f64) -> Option<i64> {
        let missing = kib - self.kib;
        if missing <= 0.0 {
            return Some(self.at_s);
        }
        let seconds = (missing / self.per_s).ceil();
        let is_finite = self.per_s > 0.0 && seconds < 1e15;
        is_finite.then(|| self.at_s.saturating_add(whole_seconds(seconds)))
    }
}

fn whole_seconds(seconds: f64) -> i64 {
    i64::try_from(whole_u64(seconds)).unwrap_or(i64::MAX)
}

/// A key, or the data of a partition whose keys are not reported.
#[derive(Clone, PartialEq, Debug, Default)]
struct StoredKey {
    /// None of what is not reported.
    canonical: Option<Box<str>>,
    epk: Option<Epk>,
    slot: Option<u32>,
    line: SizeLine,
    /// KiB/s that are written to it, whatever is deleted or rejected.
    writes_per_s: f64,
    /// Of these, what gets 403.
    lost_per_s: f64,
    /// When it got its first writes, at the present rate.
    begun_s: i64,
    /// When it gets no more writes.
    ends_s: Option<i64>,
    /// Then another key takes them.
    period: Option<KeyPeriod>,
    /// The key of today that it follows, so many periods later.
    first: u32,
    periods: u32,
    /// Of a chain: the key it began with, and its number in it.
    chain: (u32, u32),
    is_full: bool,
}

#[derive(Clone, PartialEq, Debug, Default)]
struct StoredPartition {
    id: String,
    /// The sum of its keys and the rest.
    line: Option<SizeLine>,
    ru_per_second: Option<f64>,
    /// Of today's demand; a split halves it.
    load: f64,
    /// Why it is being split.
    splitting: Option<SplitReason>,
    /// It splits no more: one key is all of it, or its range is unknown.
    is_whole: bool,
    /// Keys in it, by number.
    keys: Vec<u32>,
    /// Of entries in the queue only those of the present version count.
    version: u32,
}

/// Why a partition is split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SplitReason {
    Full,
    /// For more RU/s or partitions.
    Asked,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum KeyChange {
    Full,
    LevelsOff,
    Ends,
    Shrinks,
    Empty,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Change {
    Key(u32, KeyChange),
    Full { slot: u32, version: u32 },
    SplitEnds(u32),
}

/// All that is stored, as far as it has been followed.
#[derive(Debug)]
pub(super) struct Storage<'a> {
    asked: &'a SimulateQuestion,
    provisioned: Option<f64>,
    start: Option<Stamp>,
    definition: Option<&'a KeyDefinition>,
    retention: Option<Retention>,
    item_kib: Option<f64>,
    pub layout: Option<Layout>,
    /// Partitions by range, or as they were listed.
    pub slots: Vec<u32>,
    partitions: Vec<StoredPartition>,
    /// None where one of them is not a number.
    highest_id: Option<u64>,
    keys: Vec<StoredKey>,
    queue: BinaryHeap<Reverse<(i64, u64, Change)>>,
    queued: u64,
    chance: Chance,
    /// KiB/s that get 403, and what did so far.
    rejected: SizeLine,
    pub full_keys: u64,
    pub full_of_unknown_growth: u64,
    pub splits: u64,
    /// Load goes elsewhere: the layout is another one, or keys gave way to others.
    pub is_changed: bool,
    /// By the number of a key of today the one that gets its writes now; None where that is many.
    heirs: HashMap<u32, Option<u32>>,
    /// Partitions are split until there are so many.
    least: usize,
}

impl<'a> Storage<'a> {
    pub fn of(start: &'a LapseStart, asked: &'a SimulateQuestion) -> Self {
        let partitions = start.partitions.iter().map(|p| StoredPartition {
            id: p.id.clone(),
            line: p.kib.map(|_| SizeLine::default()),
            ru_per_second: p.ru_per_second,
            ..StoredPartition::default()
        });
        let places = |layout: &Layout| -> Vec<u32> {
            let spans = layout.spans().iter();
            spans.filter_map(|s| u32::try_from(s.from).ok()).collect()
        };
        let count = u32::try_from(start.partitions.len()).unwrap_or(u32::MAX);
        let ids: Option<Vec<u64>> = start.partitions.iter().map(|p| p.id.parse().ok()).collect();
        let layout = start.layout.clone();
        let mut storage = Self {
            asked,
            provisioned: start.provisioned,
            start: start.at,
            definition: start.definition.as_ref(),
            retention: start.retention,
            item_kib: start.item_kib,
            slots: layout.as_ref().map_or_else(|| (0..count).collect(), places),
            layout,
            partitions: partitions.collect(),
            highest_id: ids.and_then(|ids| ids.into_iter().max()),
            keys: Vec::with_capacity(start.keys.len()),
            queue: BinaryHeap::new(),
            queued: 0,
            chance: Chance::new(asked.seed),
            rejected: SizeLine::default(),
            full_keys: 0,
            full_of_unknown_growth: 0,
            splits: 0,
            is_changed: false,
            heirs: HashMap::new(),
            least: 0,
        };
        for load in start.demand.iter().flat_map(|demand| &demand.loads) {
            if let Some(partition) = storage.partitions.get_mut(load.partition as usize) {
                partition.load += load.ru_per_second;
            }
        }
        storage.fill(start);
        storage.set_ru();
        storage
    }

    fn fill(&mut self, start: &LapseStart) {
        let mut sums = vec![(0.0, 0.0); self.partitions.len()];
        for key in &start.keys {
            let rate = key.kib_per_day.map(|a_day| (a_day * self.asked.growth_factor).max(0.0));
            let per_s = rate.unwrap_or(0.0) / DAY_S;
            let sum = key.partition.and_then(|at| sums.get_mut(at as usize));
            if let Some((kib, rates)) = sum {
                *kib += key.kib;
                *rates += per_s;
            }
            let is_past = key.period.is_some() && rate.is_none_or(|rate| rate <= 0.0);
            let is_full = !is_past && (key.is_full || key.kib >= self.asked.ceiling.kib());
            if is_full && rate.is_none_or(|rate| rate <= 0.0) {
                self.full_of_unknown_growth += 1;
            }
            let number = u32::try_from(self.keys.len()).unwrap_or(u32::MAX);
            self.add_key(StoredKey {
                canonical: Some(key.canonical.clone()),
                epk: key.epk.clone(),
                slot: key.partition,
                line: SizeLine { at_s: 0, kib: key.kib, per_s },
                writes_per_s: per_s,
                begun_s: if per_s > 0.0 { -whole_seconds(key.kib / per_s) } else { 0 },
                ends_s: key.ends_s,
                period: key.period,
                first: number,
                chain: (number, 1),
                is_full,
                ..StoredKey::default()
            });
            self.empty_past(number, key, is_past);
        }
        for ((slot, of), (kib, per_s)) in (0_u32..).zip(&start.partitions).zip(sums) {
            if of.kib.or(of.kib_per_day).is_none() {
                continue;
            }
            let all = of.kib.map(|all| (all - kib).max(0.0));
            let rate = of.kib_per_day.unwrap_or(0.0) * self.asked.growth_factor / DAY_S;
            self.add_key(StoredKey {
                slot: Some(slot),
                line: SizeLine { at_s: 0, kib: all.unwrap_or(0.0), per_s: (rate - per_s).max(0.0) },
                ..StoredKey::default()
            });
        }
        for slot in 0..u32::try_from(self.partitions.len()).unwrap_or(0) {
            self.watch(slot);
        }
    }

    /// Takes up a key and counts it in its partition.
    fn add_key(&mut self, key: StoredKey) {
        let number = u32::try_from(self.keys.len()).unwrap_or(u32::MAX);
        let line = key.line;
        if let Some(held) = key.slot.and_then(|slot| self.partitions.get_mut(slot as usize)) {
            held.keys.push(number);
            let held = held.line.get_or_insert_with(SizeLine::default);
            let kib = held.at(line.at_s) + line.kib;
            held.turn(line.at_s, kib, held.per_s + line.per_s);
        }
        self.schedule(number, &key);
        self.keys.push(key);
    }

    fn push(&mut self, at_s: i64, change: Change) {
        self.queued += 1;
        self.queue.push(Reverse((at_s, self.queued, change)));
    }

    /// The next change of a key.
    fn schedule(&mut self, number: u32, key: &StoredKey) {
        let line = key.line;
        if key.is_full {
            self.push(line.at_s, Change::Key(number, KeyChange::Full));
            return;
        }
        if line.per_s <= 0.0 {
            return;
        }
        let a_day = line.per_s * DAY_S;
        let level = self.retention.and_then(|kept| kept.level(line.kib, a_day));
        let ceiling = self.asked.ceiling.kib();
        let limit = key.canonical.as_ref().map(|_| ceiling);
        let next = match (level, limit) {
            (Some(level), limit) if limit.is_none_or(|limit| level < limit) => {
                Some((line.reaches(level), KeyChange::LevelsOff))
            }
            (_, Some(limit)) => Some((line.reaches(limit), KeyChange::Full)),
            _ => None,
        };
        let ends = key.ends_s.map(|at| (Some(at.max(line.at_s)), KeyChange::Ends));
        let all = next.into_iter().chain(ends);
        let first = all.filter_map(|(at, change)| Some((at?, change))).min();
        if let Some((at_s, change)) = first.filter(|(at, _)| *at <= self.asked.until_s) {
            self.push(at_s, Change::Key(number, change));
        }
    }

    /// When a partition reaches 50 GB.
    fn watch(&mut self, slot: u32) {
        let Some(partition) = self.partitions.get_mut(slot as usize) else {
            return;
        };
        partition.version += 1;
        let version = partition.version;
        if partition.splitting.is_some() || partition.is_whole {
            return;
        }
        let at_s = partition.line.and_then(|line| line.reaches(PHYSICAL_CEILING_KIB));
        if let Some(at_s) = at_s.filter(|at| *at <= self.asked.until_s) {
            self.push(at_s, Change::Full { slot, version });
        }
    }

    /// Begins the splits that are wanted from the start.
    pub fn begin(&mut self, out: &mut Vec<LapseEvent>) {
        let by_ru = partitions_after(self.slots.len(), self.asked.ru_per_second);
        self.least = by_ru.max(self.asked.partitions.unwrap_or(0));
        self.split_more(0, out);
    }

    /// When the next change comes.
    pub fn next_s(&self) -> Option<i64> {
        self.queue.peek().map(|Reverse((at_s, _, _))| *at_s)
    }

    /// All changes up to a moment.
    pub fn pass(&mut self, to_s: i64, out: &mut Vec<LapseEvent>) {
        while self.next_s().is_some_and(|at| at <= to_s)
            && let Some(Reverse((at_s, _, change))) = self.queue.pop()
        {
            match change {
                Change::Key(number, change) => self.change_key(at_s, number, change, out),
                Change::Full { slot, version } => {
                    let held = self.partitions.get(slot as usize).map(|p| p.version);
                    if held == Some(version) {
                        self.begin_split(at_s, slot, SplitReason::Full, out);
                    }
                }
                Change::SplitEnds(slot) => self.end_split(at_s, slot, out),
            }
        }
    }

    /// A key grows at another rate from now on; returns how fast it grew.
    fn turn_key(&mut self, at_s: i64, number: u32, to_per_s: f64) -> f64 {
        let Some(key) = self.keys.get_mut(number as usize) else {
            return 0.0;
        };
        let per_s = key.line.per_s;
        let kib = key.line.at(at_s).max(0.0);
        key.line.turn(at_s, kib, to_per_s);
        if let Some(slot) = key.slot
            && let Some(partition) = self.partitions.get_mut(slot as usize)
            && let Some(line) = &mut partition.line
        {
            let kib = line.at(at_s);
            line.turn(at_s, kib, line.per_s + to_per_s - per_s);
            self.watch(slot);
        }
        per_s
    }

    fn change_key(&mut self, at_s: i64, number: u32, change: KeyChange, out: &mut Vec<LapseEvent>) {
        if change == KeyChange::Shrinks {
            return self.shrink(at_s, number);
        }
        let per_s = self.turn_key(at_s, number, 0.0);
        let ends_s = self.keys.get(number as usize).and_then(|key| key.ends_s);
        match (change, ends_s) {
            (KeyChange::Ends, _) => self.end_period(at_s, number),
            (KeyChange::Full | KeyChange::LevelsOff, Some(ends_s)) => {
                self.push(ends_s.max(at_s), Change::Key(number, KeyChange::Ends));
            }
            _ => {}
        }
        let Some(key) = self.keys.get(number as usize) else {
            return;
        };
        let (kib, slot, canonical) = (key.line.kib, key.slot, key.canonical.clone());
        let is_large = canonical.is_some() && kib >= MARK_WARN * self.asked.ceiling.kib();
        let (kind, cause) = match change {
            KeyChange::Full => self.fill_up(at_s, number, per_s),
            KeyChange::LevelsOff if is_large => (LapseEventKind::LevelsOff, self.size(kib, None)),
            _ => return,
        };
        out.push(LapseEvent {
            at_s,
            kind,
            partition: self.id(slot),
            key: canonical.as_deref().map(shown_json),
            cause,
        });
    }

    pub fn id(&self, slot: Option<u32>) -> Option<String> {
        Some(self.partitions.get(slot? as usize)?.id.clone())
    }

    /// The partitions that serve, by slot: their ids, KiB at a moment, RU/s, and whether they split.
    pub fn partitions(
        &self,
        at_s: i64,
    ) -> impl Iterator<Item = (u32, &str, Option<f64>, Option<f64>, bool)> {
        self.slots.iter().filter_map(move |slot| {
            let p = self.partitions.get(*slot as usize)?;
            let kib = p.line.map(|line| line.at(at_s));
            Some((*slot, p.id.as_str(), kib, p.ru_per_second, p.splitting.is_some()))
        })
    }

    /// KiB that got 403, and in writes.
    pub fn rejected(&self, at_s: i64) -> (f64, Option<f64>) {
        let kib = self.rejected.at(at_s);
        (kib, self.item_kib.map(|item| kib / item))
    }
}
