//! Splits: at 50 GB, at the median of the data, with whole keys.

use super::super::event::{EventCause, LapseEvent, LapseEventKind, SplitChild};
use super::{Change, SizeLine, SplitReason, Storage, StoredKey, StoredPartition, whole_seconds};
use crate::analysis::throttling::equal_share;
use crate::model::epk::Epk;
use crate::model::layout::{PlacedWeight, Span};
use crate::model::throughput::SPLIT_ROUND_HOURS;
use crate::model::time::HOUR_S;
use crate::model::units::{PARTITION_RU_PER_SECOND, as_number};

/// A key with so much of a partition leaves nothing to be split.
const NEARLY_ALL: f64 = 0.9;
/// Data whose keys are not reported is spread over a range in 2 to the power of this points.
const POINTS_LOG2: u32 = 5;

impl Storage<'_> {
    fn members(&self, slot: u32) -> impl Iterator<Item = &StoredKey> {
        let partition = self.partitions.get(slot as usize).into_iter();
        let numbers = partition.flat_map(|partition| &partition.keys);
        numbers.filter_map(|number| self.keys.get(*number as usize))
    }

    /// Further splits where there are too few partitions, each at most once at a time. The service does not say which it
    /// splits: here those with the least load, so that the hottest stays whole as long as it can, and of equal ones the
    /// fullest.
    pub(super) fn split_more(&mut self, at_s: i64, out: &mut Vec<LapseEvent>) {
        let missing = self.least.saturating_sub(self.slots.len());
        let free = |slot: &u32| {
            let partition = self.partitions.get(*slot as usize)?;
            let kib = partition.line.map_or(0.0, |line| line.at(at_s));
            let is_free = partition.splitting.is_none() && !partition.is_whole;
            is_free.then_some((partition.load, kib, *slot))
        };
        let is_splitting =
            |slot: &u32| self.partitions.get(*slot as usize).is_some_and(|p| p.splitting.is_some());
        if missing == 0 || self.slots.iter().any(is_splitting) {
            return;
        }
        let mut free: Vec<(f64, f64, u32)> = self.slots.iter().filter_map(free).collect();
        free.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        for (_, _, slot) in free.into_iter().take(missing) {
            self.begin_split(at_s, slot, SplitReason::Asked, out);
        }
    }

    /// Other RU/s leave each partition its fraction of them.
    pub(super) fn set_ru(&mut self) {
        let Some(ru) = self.asked.ru_per_second else {
            return;
        };
        let even = equal_share(ru, self.slots.len());
        for partition in &mut self.partitions {
            let fraction =
                partition.ru_per_second.zip(self.provisioned).map(|(own, all)| own / all);
            let own = fraction.map_or(even, |part| (part * ru).min(PARTITION_RU_PER_SECOND));
            partition.ru_per_second = Some(own);
        }
    }

    /// Splits for RU/s give equal parts to all.
    fn share_ru(&mut self) {
        let Some(ru) = self.asked.ru_per_second.or(self.provisioned) else {
            return;
        };
        let even = equal_share(ru, self.slots.len());
        for slot in &self.slots {
            if let Some(partition) = self.partitions.get_mut(*slot as usize) {
                partition.ru_per_second = Some(even);
            }
        }
    }

    pub(super) fn begin_split(
        &mut self,
        at_s: i64,
        slot: u32,
        reason: SplitReason,
        out: &mut Vec<LapseEvent>,
    ) {
        let kib = |key: &StoredKey| key.line.at(at_s);
        let named = self.members(slot).filter(|key| key.canonical.is_some());
        let largest = named.map(kib).fold(0.0, f64::max);
        let can_follow = self.span_of(slot).is_some() && self.definition.is_some();
        let Some(partition) = self.partitions.get_mut(slot as usize) else {
            return;
        };
        let all = partition.line.map_or(0.0, |line| line.at(at_s));
        let event = |kind, cause| LapseEvent {
            at_s,
            kind,
            partition: Some(partition.id.clone()),
            key: None,
            cause,
        };
        let share = largest / all.max(f64::MIN_POSITIVE);
        let is_one_key = share >= NEARLY_ALL && reason == SplitReason::Full;
        if is_one_key || !can_follow {
            let found = if is_one_key {
                event(LapseEventKind::SplitImpossible, EventCause::OneKey { share })
            } else {
                event(LapseEventKind::SplitBegins, EventCause::Split { kib: all, hours: None })
            };
            out.push(found);
            partition.is_whole = true;
            return;
        }
        let [from, to] = SPLIT_ROUND_HOURS.map(f64::from);
        let hours = from + (to - from) * self.chance.unit();
        let cause = EventCause::Split { kib: all, hours: Some(hours) };
        out.push(event(LapseEventKind::SplitBegins, cause));
        partition.splitting = Some(reason);
        let ends_s = at_s.saturating_add(whole_seconds(hours * HOUR_S));
        self.push(ends_s, Change::SplitEnds(slot));
    }

    fn span_of(&self, slot: u32) -> Option<(usize, &Span)> {
        let at = self.slots.iter().position(|held| *held == slot)?;
        Some((at, self.layout.as_ref()?.spans().get(at)?))
    }

    pub(super) fn end_split(&mut self, at_s: i64, slot: u32, out: &mut Vec<LapseEvent>) {
        let Some(found) = self.split(at_s, slot) else {
            if let Some(partition) = self.partitions.get_mut(slot as usize) {
                (partition.splitting, partition.is_whole) = (None, true);
            }
            return;
        };
        self.splits += 1;
        self.is_changed = true;
        out.push(LapseEvent {
            at_s,
            kind: LapseEventKind::SplitEnds,
            partition: self.id(Some(slot)),
            key: None,
            cause: EventCause::Children(found),
        });
        self.split_more(at_s, out);
    }

    /// Two partitions for one, cut at the median of the data. Each gets half of its RU/s; after a split for RU/s all
    /// partitions have equal parts.
    fn split(&mut self, at_s: i64, slot: u32) -> Option<[SplitChild; 2]> {
        let definition = self.definition?;
        let (at, span) = self.span_of(slot)?;
        let points = span.points(POINTS_LOG2, definition);
        let part = as_number(points.len()).recip();
        let mut weights: Vec<PlacedWeight> = Vec::new();
        for key in self.members(slot) {
            let kib = key.line.at(at_s);
            match (&key.canonical, &key.epk) {
                (Some(_), Some(epk)) => weights.push((epk.clone(), kib)),
                _ => weights.extend(points.iter().map(|epk| (epk.clone(), kib * part))),
            }
        }
        let cut = self.layout.as_mut()?.split_at(at, &weights, definition)?;
        let below = points.iter().filter(|epk| **epk < cut).count();
        let below = as_number(below) * part;
        let next = u32::try_from(self.partitions.len()).ok()?;
        let children = [next, next + 1];
        let parent = self.partitions.get(slot as usize)?.clone();
        for id in self.next_ids(&parent.id) {
            self.partitions.push(StoredPartition {
                id,
                line: Some(SizeLine { at_s, ..SizeLine::default() }),
                ru_per_second: parent.ru_per_second.map(|ru| ru / 2.0),
                load: parent.load / 2.0,
                ..StoredPartition::default()
            });
        }
        self.slots.splice(at..=at, children);
        // Also a split for storage brings RU/s that the partitions before could not serve.
        let before = PARTITION_RU_PER_SECOND * as_number(self.slots.len() - 1);
        let is_short = self.asked.ru_per_second.is_some_and(|ru| ru > before);
        if parent.splitting == Some(SplitReason::Asked) || is_short {
            self.share_ru();
        }
        self.move_keys(at_s, slot, children, (&cut, below));
        for child in children {
            self.watch(child);
        }
        let child = |slot: u32| {
            let partition = self.partitions.get(slot as usize)?;
            let keys = self.members(slot).filter(|key| key.canonical.is_some());
            Some(SplitChild {
                id: partition.id.clone(),
                kib: partition.line?.at(at_s),
                keys: keys.count() as u64,
                ru_per_second: partition.ru_per_second,
            })
        };
        Some([child(children[0])?, child(children[1])?])
    }

    /// Keys go whole to one side; what is not reported is divided, `below` of it to the lower one.
    fn move_keys(&mut self, at_s: i64, slot: u32, children: [u32; 2], (cut, below): (&Epk, f64)) {
        let [lower, upper] = children;
        let mut more = Vec::new();
        let parent = self.partitions.get_mut(slot as usize);
        let numbers = parent.map(|parent| std::mem::take(&mut parent.keys));
        for number in numbers.unwrap_or_default() {
            let Some(key) = self.keys.get_mut(number as usize) else {
                continue;
            };
            let kib = key.line.at(at_s);
            if key.canonical.is_none() {
                let (line, above) = (key.line, 1.0 - below);
                key.line.turn(at_s, kib * below, line.per_s * below);
                let mut rest = key.clone();
                rest.slot = Some(upper);
                rest.line.turn(at_s, kib * above, line.per_s * above);
                more.push(rest);
            }
            let is_upper = key.epk.as_ref().is_some_and(|epk| epk >= cut);
            let child = if is_upper { upper } else { lower };
            key.slot = Some(child);
            if let Some(partition) = self.partitions.get_mut(child as usize) {
                partition.keys.push(number);
            }
        }
        let first_rest = self.keys.len();
        self.keys.extend(more);
        for number in first_rest..self.keys.len() {
            if let (Ok(number), Some(key)) = (u32::try_from(number), self.keys.get(number).cloned())
            {
                self.schedule(number, &key);
                if let Some(partition) = self.partitions.get_mut(upper as usize) {
                    partition.keys.push(number);
                }
            }
        }
        for child in children {
            let (mut kib, mut per_s) = (0.0, 0.0);
            for key in self.members(child) {
                kib += key.line.at(at_s);
                per_s += key.line.per_s;
            }
            if let Some(partition) = self.partitions.get_mut(child as usize) {
                partition.line = Some(SizeLine { at_s, kib, per_s });
            }
        }
    }

    /// As the service numbers them: the next free ones.
    fn next_ids(&mut self, parent: &str) -> [String; 2] {
        let Some(highest) = &mut self.highest_id else {
            return ["a", "b"].map(|n| format!("{parent}-{n}"));
        };
        *highest += 2;
        [*highest - 1, *highest].map(|id| id.to_string())
    }
}
