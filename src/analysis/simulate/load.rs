//! Requests on partitions, second by second: the container's own demand, repeated, with what clients ask again.

mod cycle;
mod hot_keys;

use std::collections::{HashMap, HashSet};

use cycle::CycleMean;

use super::event::LapseEventKind;
use crate::analysis::billing::AUTOSCALE_LEAST;
use crate::analysis::demand::outcome::{LoadRoute, StepLoad, routed};
use crate::analysis::demand::{Demand, Requester};
use crate::analysis::throttling::expected_excess;
use crate::model::ru_bucket::RuBucket;
use crate::model::units::real_seconds;

/// Load this many deviations off a limit is not on its other side by chance.
const FAR: f64 = 6.0;
const HOUR_S: i64 = 3_600;

/// RU over some time.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LoadTotals {
    /// First attempts.
    pub requested: f64,
    /// Of these, beyond what partitions can serve; what is asked again does not count.
    pub throttled: f64,
    /// All attempts, and those that got 429.
    pub attempts: f64,
    pub attempts_throttled: f64,
    /// Throttled at the last attempt, too.
    pub failed: f64,
    /// Times seconds until the next attempt.
    pub waited: f64,
}

fn part(of: f64, all: f64) -> f64 {
    if all > 0.0 { of / all } else { 0.0 }
}

impl LoadTotals {
    pub fn throttled_share(&self) -> f64 {
        part(self.throttled, self.requested)
    }

    /// 429s of all attempts.
    pub fn attempts_throttled_share(&self) -> f64 {
        part(self.attempts_throttled, self.attempts)
    }

    /// Of the requests, those that fail although clients repeat them.
    pub fn failed_share(&self) -> f64 {
        part(self.failed, self.requested)
    }

    /// Mean seconds that a request waits for another attempt.
    pub fn delay_s(&self) -> f64 {
        part(self.waited, self.requested)
    }

    fn add(&mut self, other: &Self, times: f64) {
        self.requested += other.requested * times;
        self.throttled += other.throttled * times;
        self.attempts += other.attempts * times;
        self.attempts_throttled += other.attempts_throttled * times;
        self.failed += other.failed * times;
        self.waited += other.waited * times;
    }
}

/// One partition and its RU.
#[derive(Clone, PartialEq, Debug)]
struct Server {
    slot: u32,
    capacity: f64,
    /// Of first attempts alone: DEMAND's throttled share.
    alone: RuBucket,
    /// With what is asked again.
    all: RuBucket,
    /// By how often it was throttled before.
    waiting: Vec<f64>,
    waiting_ru: f64,
    totals: LoadTotals,
    has_throttled: bool,
    has_burst: bool,
    /// The largest part of its RU/s that was used in a second of this hour.
    hour_use: f64,
}

/// RU that a bucket does not serve of a second's load.
fn beyond(bucket: &mut RuBucket, load: f64, variance: f64) -> f64 {
    bucket.begin_second();
    let off = load - bucket.left;
    let beyond = if variance <= 0.0 || off * off > FAR * FAR * variance {
        off.max(0.0)
    } else {
        expected_excess(load, variance, bucket.left)
    };
    bucket.left = (bucket.left - (load - beyond)).max(0.0);
    beyond
}

impl Server {
    fn new(slot: u32, capacity: f64, is_burst: bool, retries: u8) -> Self {
        let bucket = RuBucket::of(capacity, is_burst);
        Self {
            slot,
            capacity,
            alone: bucket,
            all: bucket,
            waiting: vec![0.0; usize::from(retries)],
            waiting_ru: 0.0,
            totals: LoadTotals::default(),
            has_throttled: false,
            has_burst: false,
            hour_use: 0.0,
        }
    }

    /// The same with other RU/s.
    fn with_capacity(self, capacity: f64, terms: &LoadTerms) -> Self {
        if (self.capacity - capacity).abs() < 1e-9 {
            return self;
        }
        let new = Self::new(self.slot, capacity, terms.is_burst, terms.retries);
        Self { capacity, alone: new.alone, all: new.all, ..self }
    }

    /// What is throttled of a second's first attempts, and the part of its RU/s that is used.
    fn second(&mut self, load: f64, variance: f64) -> (f64, f64) {
        let is_alike = self.waiting_ru <= 0.0 && self.alone == self.all;
        let throttled = beyond(&mut self.alone, load, variance);
        self.totals.requested += load;
        self.totals.throttled += throttled;
        let all = load + self.waiting_ru;
        let lost = if is_alike {
            self.all = self.alone;
            throttled
        } else {
            beyond(&mut self.all, all, variance)
        };
        self.totals.attempts += all;
        if lost > 0.0 || self.waiting_ru > 0.0 {
            self.totals.attempts_throttled += lost;
            self.repeat(load, part(lost, all));
        }
        (throttled, ((all - lost) / self.capacity).min(1.0))
    }

    /// What was throttled waits for the next second, as old requests as new ones.
    fn repeat(&mut self, load: f64, lost: f64) {
        let mut before = load;
        self.waiting_ru = 0.0;
        for waiting in &mut self.waiting {
            let ru = std::mem::replace(waiting, before * lost);
            self.waiting_ru += *waiting;
            before = ru;
        }
        self.totals.failed += before * lost;
        self.totals.waited += self.waiting_ru;
        if self.waiting_ru < 1e-9 {
            self.waiting.fill(0.0);
            self.waiting_ru = 0.0;
        }
    }
}

/// Something that load does to a partition, or to a key of the demand.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct LoadMoment {
    pub at_s: i64,
    pub kind: LapseEventKind,
    pub slot: u32,
    pub key: Option<u32>,
    pub ru_per_second: f64,
    pub limit: f64,
}

/// How load is followed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct LoadTerms {
    pub factor: f64,
    pub retries: u8,
    pub is_burst: bool,
    /// Second by second; else the mean over a cycle.
    pub is_exact: bool,
    pub stops_at_throttled: bool,
}

#[derive(Clone, Debug)]
pub(super) struct LoadReplay<'a> {
    demand: &'a Demand,
    terms: LoadTerms,
    route: LoadRoute,
    loads: Vec<StepLoad>,
    servers: Vec<Server>,
    /// Of the step that runs, by server.
    now: Vec<f64>,
    next: usize,
    /// Of the cycle.
    phase: i64,
    gone: LoadTotals,
    /// Parts of the RU/s billed so far, summed over seconds.
    billed: f64,
    billed_s: f64,
    mean: Option<CycleMean>,
    hot_keys: Vec<LoadMoment>,
    seen_hot: HashSet<u32>,
}

impl<'a> LoadReplay<'a> {
    /// `servers` are slots and their RU/s, numbered as the partitions of the demand.
    pub fn new(demand: &'a Demand, terms: LoadTerms, servers: &[(u32, f64)]) -> Self {
        let mut replay = Self::without_servers(demand, terms);
        replay.place(LoadRoute::default(), servers);
        replay.watch_keys(0);
        replay
    }

    fn without_servers(demand: &'a Demand, terms: LoadTerms) -> Self {
        Self {
            demand,
            terms,
            route: LoadRoute::default(),
            loads: Vec::new(),
            servers: Vec::new(),
            now: Vec::new(),
            next: 0,
            phase: 0,
            gone: LoadTotals::default(),
            billed: 0.0,
            billed_s: 0.0,
            mean: None,
            hot_keys: Vec::new(),
            seen_hot: HashSet::new(),
        }
    }

    /// Load comes to so many times the demand from now on.
    pub fn set_factor(&mut self, at_s: i64, factor: f64) {
        let more = factor / self.terms.factor;
        self.terms.factor = factor;
        for load in &mut self.loads {
            load.ru_per_second *= more;
        }
        for now in &mut self.now {
            *now *= more;
        }
        self.watch_keys(at_s);
        if let Some(mean) = self.mean.take() {
            self.mean = Some(self.cycle_mean(mean));
        }
    }

    pub fn factor(&self) -> f64 {
        self.terms.factor
    }

    pub fn cycle_s(&self) -> i64 {
        self.demand.span.1.saturating_sub(self.demand.span.0).max(1)
    }

    /// Puts the load on other partitions; those that stay keep what they saved and what waits.
    pub fn place(&mut self, route: LoadRoute, servers: &[(u32, f64)]) {
        self.loads = routed(&self.demand.loads, &route, servers.len());
        self.route = route;
        for load in &mut self.loads {
            load.ru_per_second *= self.terms.factor;
        }
        let mut before = std::mem::take(&mut self.servers);
        let terms = self.terms;
        let server = |(slot, capacity): &(u32, f64)| {
            let at = before.iter().position(|held| held.slot == *slot);
            let held = at.map(|at| before.swap_remove(at).with_capacity(*capacity, &terms));
            held.unwrap_or_else(|| Server::new(*slot, *capacity, terms.is_burst, terms.retries))
        };
        self.servers = servers.iter().map(server).collect();
        for gone in before {
            self.gone.add(&gone.totals, 1.0);
        }
        self.now = vec![0.0; servers.len()];
        let second = self.demand.span.0.saturating_add(self.phase);
        let step = i64::from(self.demand.step_s.max(1));
        self.next = self.loads.partition_point(|l| l.second.saturating_add(step) <= second);
        if !self.terms.is_exact {
            let before = self.mean.take().unwrap_or_default();
            self.mean = Some(self.cycle_mean(before));
        }
    }

    /// Takes the loads of a step that begins in this second.
    fn take_step(&mut self) {
        let step = i64::from(self.demand.step_s.max(1));
        let second = self.demand.span.0.saturating_add(self.phase);
        let begins = self.phase.rem_euclid(step) == 0;
        let is_due = |load: &&StepLoad| load.second <= second;
        if begins {
            self.now.fill(0.0);
        }
        while let Some(load) = self.loads.get(self.next).filter(is_due) {
            if let Some(now) = self.now.get_mut(load.partition as usize) {
                *now = load.ru_per_second;
            }
            self.next += 1;
        }
    }

    /// One second of all partitions; moments are told by `at_s`.
    fn second(&mut self, at_s: i64, out: &mut Vec<LoadMoment>) {
        self.take_step();
        let charge = self.demand.charge.unwrap_or(0.0);
        for (server, load) in self.servers.iter_mut().zip(&self.now) {
            let (throttled, used) = server.second(*load, load * charge);
            server.hour_use = server.hour_use.max(used);
            let mut add = |kind| {
                out.push(LoadMoment {
                    at_s,
                    kind,
                    slot: server.slot,
                    key: None,
                    ru_per_second: *load,
                    limit: server.capacity,
                });
            };
            if !server.has_burst && server.alone.is_drained() && throttled > 0.0 {
                server.has_burst = true;
                add(LapseEventKind::BurstUsed);
            }
            // By chance a part of a request is throttled now and then: the first whole one counts.
            if !server.has_throttled && server.totals.throttled > charge.max(1e-6 * server.capacity)
            {
                server.has_throttled = true;
                add(LapseEventKind::Throttled);
            }
        }
        self.phase += 1;
        if self.phase >= self.cycle_s() {
            self.phase = 0;
            self.next = 0;
        }
    }

    fn end_hour(&mut self, seconds: i64) {
        let seconds = real_seconds(seconds);
        let used = self.servers.iter_mut();
        let used = used.map(|server| std::mem::take(&mut server.hour_use));
        self.billed += used.fold(AUTOSCALE_LEAST, f64::max) * seconds;
        self.billed_s += seconds;
    }

    /// From one second to before another; returns where it stopped.
    pub fn advance(&mut self, from: i64, to: i64, out: &mut Vec<LoadMoment>) -> i64 {
        if let Some(mean) = self.mean.take() {
            self.advance_by(&mean, (from, to), out);
            self.mean = Some(mean);
            return to;
        }
        let mut at = from;
        while at < to {
            let begins = out.len();
            self.second(at, out);
            at += 1;
            if at % HOUR_S == 0 {
                self.end_hour(HOUR_S);
            }
            let is_throttled = |moment: &LoadMoment| moment.kind == LapseEventKind::Throttled;
            let mut new = out.iter().skip(begins);
            if self.terms.stops_at_throttled && new.any(is_throttled) {
                break;
            }
        }
        self.add_hot_keys((from, at), out);
        self.name_keys(out);
        at
    }

    fn name_keys(&self, moments: &mut [LoadMoment]) {
        for moment in moments.iter_mut().filter(|moment| moment.key.is_none()) {
            moment.key = self.main_key(moment.at_s, moment.slot);
        }
    }

    fn add_hot_keys(&mut self, (from, to): (i64, i64), out: &mut Vec<LoadMoment>) {
        let due = |moment: &LoadMoment| (from..to).contains(&moment.at_s);
        out.extend(self.hot_keys.iter().copied().filter(due));
    }

    fn advance_by(&mut self, mean: &CycleMean, span: (i64, i64), out: &mut Vec<LoadMoment>) {
        let (from, to) = span;
        let seconds = real_seconds(to.saturating_sub(from));
        let cycles = seconds / real_seconds(self.cycle_s());
        for (server, mean) in self.servers.iter_mut().zip(&mean.by_server) {
            server.totals.add(&mean.totals, cycles);
        }
        for moment in mean.by_server.iter().flat_map(|mean| &mean.moments) {
            let at_s = from.saturating_add(moment.at_s);
            let mut servers = self.servers.iter_mut();
            let Some(server) = servers.find(|s| s.slot == moment.slot) else {
                continue;
            };
            let has = match moment.kind {
                LapseEventKind::BurstUsed => &mut server.has_burst,
                _ => &mut server.has_throttled,
            };
            if !*has && at_s < to {
                *has = true;
                out.push(LoadMoment { at_s, ..*moment });
            }
        }
        self.billed += mean.billed * seconds;
        self.billed_s += seconds;
        self.add_hot_keys(span, out);
        self.name_keys(out);
    }

    /// The key with at least half of the load of a partition in this second of the cycle.
    fn main_key(&self, at_s: i64, slot: u32) -> Option<u32> {
        let step = i64::from(self.demand.step_s.max(1));
        let second = self.demand.span.0.saturating_add(at_s.rem_euclid(self.cycle_s()));
        let place = self.servers.iter().position(|server| server.slot == slot)?;
        let place = u32::try_from(place).ok()?;
        let loads = &self.demand.loads;
        let first = loads.partition_point(|l| l.second.saturating_add(step) <= second);
        let step = loads.iter().skip(first).take_while(|l| l.second <= second);
        let (mut all, mut by_key) = (0.0, HashMap::<u32, f64>::new());
        for load in step {
            let targets = match self.route.targets(load) {
                [] => &[(load.partition, 1.0)],
                targets => targets,
            };
            let here = targets.iter().filter(|(to, _)| *to == place);
            let ru = load.ru_per_second * here.map(|(_, part)| part).sum::<f64>();
            all += ru;
            if let Requester::Key(key) = load.requester {
                *by_key.entry(key).or_default() += ru;
            }
        }
        let main = by_key.into_iter().find(|(_, ru)| *ru > all / 2.0);
        main.map(|(key, _)| key)
    }

    /// By slot what was requested and throttled so far.
    pub fn by_slot(&self) -> impl Iterator<Item = (u32, LoadTotals)> {
        self.servers.iter().map(|s| (s.slot, s.totals))
    }

    pub fn totals(&self) -> LoadTotals {
        let mut all = self.gone;
        for server in &self.servers {
            all.add(&server.totals, 1.0);
        }
        all
    }

    /// The mean part of its maximum that an autoscale container is billed: in each hour that of its busiest partition.
    pub fn billed_part(&mut self, seconds: i64) -> Option<f64> {
        let rest = seconds % HOUR_S;
        if self.mean.is_none() && rest > 0 {
            self.end_hour(rest);
        }
        (self.billed_s > 0.0).then(|| self.billed / self.billed_s)
    }
}
