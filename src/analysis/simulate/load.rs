//! Requests on partitions, second by second: the container's own demand, repeated, with what clients ask again.

mod cycle;
mod hot_keys;
mod server;
mod streams;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use server::{CyclePace, LoadStep, Server};
use streams::{Stream, streams};

use super::event::LapseEventKind;
use crate::analysis::billing::AUTOSCALE_LEAST;
use crate::analysis::demand::outcome::{LoadRoute, routed};
use crate::analysis::demand::{Demand, Requester};
use crate::model::time::SECONDS_PER_HOUR;
use crate::model::units::real_seconds;

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

/// How long the demand is, which is repeated.
pub(super) fn cycle_s(demand: &Demand) -> i64 {
    demand.span.1.saturating_sub(demand.span.0).max(1)
}

fn hour_of(second: i64) -> usize {
    usize::try_from(second / SECONDS_PER_HOUR).unwrap_or(0)
}

/// Raises the figure of the hour that holds a second.
fn raise(hours: &mut [f64], second: i64, used: f64) {
    if let Some(most) = hours.get_mut(hour_of(second)) {
        *most = most.max(used);
    }
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

    /// What came after another total of the same partition.
    pub(super) fn since(&self, before: &Self) -> Self {
        let mut since = *self;
        since.add(before, -1.0);
        since
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
    pub terms: LoadTerms,
    streams: Arc<[Stream]>,
    route: LoadRoute,
    servers: Vec<Server>,
    gone: LoadTotals,
    /// The largest part of the RU/s of a partition that was used in a second of this hour.
    hour_use: f64,
    /// Parts of the RU/s billed so far, summed over seconds.
    billed: f64,
    billed_s: f64,
    /// The part of the RU/s billed over a cycle, where seconds are not followed one by one.
    billed_mean: f64,
    hot_keys: Vec<LoadMoment>,
    seen_hot: HashSet<u32>,
}

impl<'a> LoadReplay<'a> {
    /// `servers` are slots and their RU/s, numbered as the partitions of the demand.
    pub fn new(demand: &'a Demand, terms: LoadTerms, servers: &[(u32, f64)]) -> Self {
        let mut replay = Self {
            demand,
            terms,
            streams: streams(demand),
            route: LoadRoute::default(),
            servers: Vec::new(),
            gone: LoadTotals::default(),
            hour_use: 0.0,
            billed: 0.0,
            billed_s: 0.0,
            billed_mean: 0.0,
            hot_keys: Vec::new(),
            seen_hot: HashSet::new(),
        };
        replay.place(0, LoadRoute::default(), servers);
        replay.watch_keys(0);
        replay
    }

    /// Load comes to so many times the demand from now on.
    pub fn set_factor(&mut self, at_s: i64, factor: f64) {
        self.terms.factor = factor;
        for server in &mut self.servers {
            server.mean = None;
        }
        self.watch_keys(at_s);
        self.follow_cycles(at_s);
    }

    fn cycle_s(&self) -> i64 {
        cycle_s(self.demand)
    }

    /// Puts the load on other partitions; those that stay keep what they saved and what waits.
    pub fn place(&mut self, at_s: i64, route: LoadRoute, servers: &[(u32, f64)]) {
        let is_new = self.with_other_load(&route, servers);
        let (moved, on) = self.load_on(&is_new, &route);
        let mut loads = vec![Vec::new(); servers.len()];
        let step_s = i64::from(self.demand.step_s.max(1));
        for load in routed(&moved, &on, servers.len()) {
            if let Some(of) = loads.get_mut(load.partition as usize) {
                let from = load.second.saturating_sub(self.demand.span.0);
                let to = from + step_s - from.rem_euclid(step_s);
                of.push(LoadStep { from, to, ru_per_second: load.ru_per_second });
            }
        }
        self.route = route;
        let gone = self.seat(servers);
        for ((server, loads), (is_new, (_, capacity))) in
            self.servers.iter_mut().zip(loads).zip(is_new.into_iter().zip(servers))
        {
            server.set(*capacity, is_new.then_some(loads), &self.terms);
        }
        for gone in gone {
            self.gone.add(&gone.totals, 1.0);
        }
        self.follow_cycles(at_s);
    }

    /// Servers in this order, new ones without load; returns those that are gone. All before and behind what changed stay.
    fn seat(&mut self, servers: &[(u32, f64)]) -> Vec<Server> {
        let is_same = |(server, (slot, _)): &(&Server, &(u32, f64))| server.slot == *slot;
        let before = self.servers.iter().zip(servers).take_while(is_same).count();
        let most = self.servers.len().min(servers.len()) - before;
        let both = self.servers.iter().rev().zip(servers.iter().rev());
        let behind = both.take(most).take_while(is_same).count();
        let changed = self.servers.drain(before..self.servers.len() - behind);
        let mut held: BTreeMap<u32, Server> = changed.map(|server| (server.slot, server)).collect();
        let come = servers.iter().take(servers.len() - behind).skip(before);
        let come = come.map(|&(slot, capacity)| {
            held.remove(&slot).unwrap_or_else(|| Server::new(slot, capacity, &self.terms))
        });
        let come: Vec<Server> = come.collect();
        self.servers.splice(before..before, come);
        held.into_values().collect()
    }

    fn end_hour(&mut self, seconds: i64) {
        let seconds = real_seconds(seconds);
        self.billed += std::mem::take(&mut self.hour_use).max(AUTOSCALE_LEAST) * seconds;
        self.billed_s += seconds;
    }

    /// From one second to before another; returns where it stopped.
    pub fn advance(&mut self, from: i64, mut to: i64, out: &mut Vec<LoadMoment>) -> i64 {
        if self.terms.stops_at_throttled {
            let (mut ahead, mut found) = (self.clone(), Vec::new());
            ahead.pass(from, to, &mut found);
            let throttled = found.iter().filter(|m| m.kind == LapseEventKind::Throttled);
            to = throttled.map(|moment| moment.at_s + 1).fold(to, i64::min);
        }
        self.pass(from, to, out);
        to
    }

    fn pass(&mut self, from: i64, to: i64, out: &mut Vec<LoadMoment>) {
        if self.terms.is_exact {
            self.follow(from, to, out);
        } else {
            self.add_means(from, to, out);
        }
        let due = |moment: &&LoadMoment| (from..to).contains(&moment.at_s);
        out.extend(self.hot_keys.iter().filter(due));
        for moment in out.iter_mut().filter(|moment| moment.key.is_none()) {
            moment.key = self.main_key(moment.at_s, moment.slot);
        }
    }

    /// Second by second.
    fn follow(&mut self, from: i64, to: i64, out: &mut Vec<LoadMoment>) {
        let (pace, first) = (self.pace(), from / SECONDS_PER_HOUR);
        let mut hours = vec![0.0; hour_of(to - 1 - first * SECONDS_PER_HOUR) + 1];
        for server in &mut self.servers {
            server.run(from, to, &pace, out, |at_s, used| {
                raise(&mut hours, at_s - first * SECONDS_PER_HOUR, used);
            });
        }
        for (hour, used) in (first..).zip(hours) {
            self.hour_use = self.hour_use.max(used);
            if (hour + 1) * SECONDS_PER_HOUR <= to {
                self.end_hour(SECONDS_PER_HOUR);
            }
        }
    }

    fn pace(&self) -> CyclePace {
        let charge = self.demand.charge.unwrap_or(0.0);
        CyclePace { cycle_s: self.cycle_s(), factor: self.terms.factor, charge }
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
        let rest = seconds % SECONDS_PER_HOUR;
        if self.terms.is_exact && rest > 0 {
            self.end_hour(rest);
        }
        (self.billed_s > 0.0).then(|| self.billed / self.billed_s)
    }
}
