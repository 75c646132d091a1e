//! Runs load and sizes side by side, from one change to the next.

use super::event::{EventCause, LapseEvent, LapseEventKind};
use super::load::{LoadMoment, LoadReplay, LoadTerms, LoadTotals, cycle_s};
use super::sizes::Storage;
use super::{LapseFrame, LapseStart, LapseTotals, PartitionFrame, SimulateQuestion, TimeLapse};
use crate::analysis::demand::Demand;
use crate::analysis::forecast::MONTH_DAYS;
use crate::analysis::rows::Note;
use crate::model::client::SDK_RETRIES;
use crate::model::key::shown_json;
use crate::model::units::real_seconds;
use std::collections::HashMap;

/// Frames evenly spaced, and at most so many more at events.
const FRAMES: i64 = 240;
const EVENT_FRAMES: usize = 240;
/// Later ones are counted only.
const MOST_EVENTS: usize = 10_000;

/// Load grows in steps of this share.
const LOAD_STEP: f64 = 0.01;

const LOAD_STAYS: &str =
    "Load after a split is unknown, as too much of it has no known key: it stays as it was.";

/// A simulation on its way.
struct Run<'a> {
    start: &'a LapseStart,
    asked: &'a SimulateQuestion,
    storage: Storage<'a>,
    load: Option<LoadReplay<'a>>,
    /// Load follows a split.
    can_follow: bool,
    /// Slots of the newest frame and their load up to it.
    before: Vec<(u32, LoadTotals)>,
    framed_s: i64,
    made: TimeLapse,
}

impl TimeLapse {
    pub fn of(start: &LapseStart, asked: &SimulateQuestion) -> Self {
        let made = Self {
            name: start.name.clone(),
            key: start.key.clone(),
            is_moved: start.is_moved,
            start: start.at,
            overflow: asked.overflow,
            seed: asked.seed,
            notes: start.notes.iter().chain(&start.load_notes).cloned().collect(),
            ..Self::default()
        };
        let mut run = Run {
            start,
            asked,
            storage: Storage::of(start, asked),
            load: None,
            can_follow: start.demand.as_ref().is_some_and(Demand::can_follow),
            before: Vec::new(),
            framed_s: 0,
            made,
        };
        run.load = run.replay();
        run.play();
        run.finish()
    }
}

impl<'a> Run<'a> {
    fn replay(&self) -> Option<LoadReplay<'a>> {
        let demand = self.start.demand.as_ref()?;
        // Numbered as the demand has them.
        let mut servers = self.servers().filter(|servers| !servers.is_empty())?;
        servers.sort_by_key(|(slot, _)| *slot);
        let asked = self.asked;
        let terms = LoadTerms {
            factor: asked.load_factor,
            retries: asked.retries.or(self.start.retries).unwrap_or(SDK_RETRIES),
            is_burst: self.start.is_burst,
            // A mean says nothing of a part of the cycle.
            is_exact: asked.step_s <= 1 || asked.until_s <= cycle_s(demand),
            stops_at_throttled: asked.stop_at == Some(LapseEventKind::Throttled),
        };
        Some(LoadReplay::new(demand, terms, &servers))
    }

    /// Slots and their RU/s.
    fn servers(&self) -> Option<Vec<(u32, f64)>> {
        let partitions = self.storage.partitions(0);
        partitions.map(|(slot, _, _, ru, _)| Some((slot, ru?))).collect()
    }

    /// Load grows from month to month.
    fn raise_load(&mut self, now: i64) {
        let (Some(load), Some(growth)) = (&mut self.load, self.asked.load_growth) else {
            return;
        };
        let months = real_seconds(now) / (MONTH_DAYS * 86_400.0);
        let factor = self.asked.load_factor * (1.0 + growth).powf(months);
        if (factor / load.terms.factor - 1.0).abs() >= LOAD_STEP {
            load.set_factor(now, factor);
        }
    }

    fn play(&mut self) {
        let (until, spacing) = (self.asked.until_s, self.spacing());
        let (mut now, mut event_frames) = (0, 0);
        let mut events = Vec::new();
        self.storage.begin(&mut events);
        self.add(events);
        self.pass_sizes(0);
        self.frame(0);
        while now < until && !self.is_over() {
            let next_frame = (now / spacing + 1) * spacing;
            let change = self.storage.next_s().map_or(until, |at| at.max(now + 1));
            let to = next_frame.min(change).min(until);
            self.raise_load(now);
            let events = self.made.events.len();
            let reached = self.pass_load(now, to);
            self.fill_frame(reached);
            self.pass_sizes(reached);
            let has_events = self.made.events.len() > events && event_frames < EVENT_FRAMES;
            event_frames += usize::from(has_events);
            if reached == next_frame || reached == until || has_events || self.is_over() {
                self.frame(reached);
            }
            now = reached;
        }
        self.made.seconds = now;
    }

    /// Seconds between frames.
    fn spacing(&self) -> i64 {
        (self.asked.until_s / FRAMES).max(self.asked.step_s).max(1)
    }

    fn is_over(&self) -> bool {
        self.asked.stop_at.is_some_and(|stop| self.made.first(stop).is_some())
    }

    fn add(&mut self, events: impl IntoIterator<Item = LapseEvent>) {
        for event in events {
            self.made.events_total += 1;
            if self.made.events.len() < MOST_EVENTS {
                self.made.events.push(event);
            }
        }
    }

    fn pass_load(&mut self, from: i64, to: i64) -> i64 {
        let Some(load) = &mut self.load else {
            return to;
        };
        let mut moments = Vec::new();
        let reached = load.advance(from, to, &mut moments);
        moments.sort_by_key(|moment| moment.at_s);
        let events: Vec<_> = moments.iter().map(|moment| self.event(moment)).collect();
        self.add(events);
        reached
    }

    fn event(&self, of: &LoadMoment) -> LapseEvent {
        let keys = self.start.demand.as_ref().map(|demand| &demand.keys);
        let key = of.key.and_then(|key| keys?.get(key as usize));
        let key = key.filter(|key| !key.canonical.is_empty());
        LapseEvent {
            at_s: of.at_s,
            kind: of.kind,
            partition: self.storage.id(Some(of.slot)),
            key: key.map(|key| {
                let heir = self.storage.heir_of(&key.canonical);
                shown_json(heir.unwrap_or(&key.canonical))
            }),
            cause: EventCause::Load { ru_per_second: of.ru_per_second, limit: of.limit },
        }
    }

    fn pass_sizes(&mut self, to: i64) {
        let mut events = Vec::new();
        self.storage.pass(to, &mut events);
        self.add(events);
        if std::mem::take(&mut self.storage.is_changed) {
            self.place(to);
        }
    }

    /// Puts the load on the partitions that a split left, and on the keys that others gave way to.
    fn place(&mut self, at_s: i64) {
        let servers = self.servers();
        let (Some(load), Some(demand)) = (&mut self.load, &self.start.demand) else {
            return;
        };
        let layout = self.storage.layout.as_ref();
        let layout = layout.filter(|_| self.can_follow);
        let route = layout.map(|layout| demand.route_on(layout, self.start.partitions.len()));
        if let (Some(mut route), Some(servers)) = (route, servers) {
            self.storage.route_heirs(demand, &mut route);
            load.place(at_s, route, &servers);
            return;
        }
        let note = Note::new(LOAD_STAYS);
        if !self.made.notes.contains(&note) {
            self.made.notes.push(note);
        }
    }

    fn frame(&mut self, at_s: i64) {
        let load: HashMap<u32, LoadTotals> =
            self.load.iter().flat_map(LoadReplay::by_slot).collect();
        let served = self.storage.partitions(at_s);
        let partition = |(slot, id, kib, ru, is_splitting): (u32, &str, _, _, _)| {
            let frame = PartitionFrame {
                id: id.to_owned(),
                kib,
                demand: None,
                ru_per_second: ru,
                throttled_share: None,
                is_splitting,
            };
            ((slot, load.get(&slot).copied().unwrap_or_default()), frame)
        };
        let (before, partitions) = served.map(partition).unzip();
        self.made.frames.push(LapseFrame { at_s, partitions, full_keys: self.storage.full_keys });
        self.before = before;
        self.framed_s = at_s;
    }

    /// Gives the newest frame the load since then, so that it agrees with the events at its moment.
    fn fill_frame(&mut self, to: i64) {
        let seconds = real_seconds(to.saturating_sub(self.framed_s));
        let (Some(load), Some(frame)) = (&self.load, self.made.frames.last_mut()) else {
            return;
        };
        let now: HashMap<u32, LoadTotals> = load.by_slot().collect();
        for (partition, (slot, before)) in frame.partitions.iter_mut().zip(&self.before) {
            let since = now.get(slot).map(|all| all.since(before));
            partition.demand = since.map(|load| load.requested / seconds);
            partition.throttled_share = since.map(|load| load.throttled_share());
        }
    }

    fn finish(mut self) -> TimeLapse {
        let seconds = self.made.seconds;
        let (rejected_kib, rejected_writes) = self.storage.rejected(seconds);
        let billed = self.load.as_mut().and_then(|load| load.billed_part(seconds));
        self.made.totals = LapseTotals {
            load: self.load.as_ref().map(LoadReplay::totals),
            rejected_kib,
            rejected_writes,
            full_of_unknown_growth: self.storage.full_of_unknown_growth,
            billed_ru_per_second: billed
                .zip(self.start.autoscale)
                .map(|(part, ru)| part * self.asked.ru_per_second.unwrap_or(ru)),
            splits: self.storage.splits,
        };
        // The last frame, too, shows what follows it.
        let further = seconds.saturating_add(self.spacing());
        if let Some(load) = &mut self.load {
            let reached = load.advance(seconds, further, &mut Vec::new());
            self.fill_frame(reached);
        }
        self.made
    }
}
