//! The container of today under another key, as the simulation starts it: where documents put its data and its requests.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::super::candidate::Candidate;
use super::super::demand::Demand;
use super::super::simulate::{
    KeyPeriod, LapseStart, NewContainer, NewKey, NewKeyless, NewPart, StartPartition,
};
use super::fold::{FoldContext, Groups};
use super::load::CandidateDemand;
use super::rates;
use super::running::Sums;
use super::tally::Tally;
use super::weights::{Weighing, is_newest};
use super::{KeepGoing, Trials, clock};
use crate::model::epk::epk;
use crate::model::key::Key;
use crate::model::layout::Layout;
use crate::model::path::Path;
use crate::model::time::{DAY_S, Stamp};
use crate::model::units::{counted, real, whole_usize};

/// Keys that come to less of a key's limit are not followed one by one.
const SMALL: f64 = 0.01;
/// Loads that a simulation is to hold at most.
const MOST_LOADS: usize = 4_000_000;
/// Fewer documents say nothing of other keys.
const ENOUGH: usize = 8;
/// Keys that are told apart for their load alone.
const HEAVIEST: usize = 256;
/// Small keys of a partition lie at most in 2 to the power of so many places.
const HALVINGS: u32 = 4;
const LOAD_OF_WRITES: &str = " Load: writes by the documents' times, each with all its properties indexed; reads are unknown.";
const SIZE_UNKNOWN: &str =
    " The size of the container is unknown: the documents at hand are taken for all of it.";

/// Documents of what: data, growth, load.
type Shares = [f64; 3];

/// Documents by today's key where that is known, and of each the group where its key is one of those that are simulated.
type OfToday<'a> = (Option<Groups<'a>>, Vec<Option<u32>>);

impl Trials {
    /// Data and load of today under a key, up to so many seconds ahead: None where it was not wanted to the end. Under the
    /// key of today it is today's own where that is known.
    pub fn start_of(
        &self,
        candidate: &Candidate,
        (today, until_s): (&LapseStart, i64),
        keep_going: &KeepGoing<'_>,
    ) -> Option<LapseStart> {
        let by = FoldContext { workers: self.workers, keep_going };
        let is_measured = !today.keys.is_empty() || !today.partitions.is_empty();
        if self.settings.is_current(candidate) && is_measured {
            return Some(today.clone());
        }
        let documents = &self.prepared.documents;
        let groups = Groups::of(documents, candidate, self.settings.seed, by)?;
        let tally = Tally::of(&groups.sizes, &self.whole, None, by.workers);
        let weights = self.weighing.of_groups(&groups);
        let sums = Sums { weights: &weights, tally: &tally };
        let moment = self.moment(candidate, &groups, sums, by)?;
        let settings = &self.settings;
        let (ranges, routed, load) = self.laid_out(candidate, settings, &groups, sums, &moment);
        let total = load.as_ref().map(|_| rates::total_today(&routed, settings));
        let flow = load.as_ref().map(CandidateDemand::without_fan_out);
        let charge = flow.map(|flow| flow.squares / flow.ru_per_second.max(f64::MIN_POSITIVE));
        let known = &self.with_known(today, total, charge);
        let is_of_writes = today.demand.is_none() && total.is_none() && known.demand.is_some();
        let today = known;
        let absent = self.absent(candidate);
        let period = self.period(candidate).filter(|_| absent.is_empty());
        let mut new = NewContainer {
            layout: ranges.layout.numbered(),
            definition: ranges.definition,
            key: candidate.to_string(),
            ru_per_second: settings.ru_per_second,
            keys: Vec::new(),
            of: HashMap::new(),
            others: Vec::new(),
            keyless: NewKeyless::Spread,
            each: 0.0,
            period,
            keeps_periods: false,
            ceiling_kib: settings.ceiling.kib(),
            note: String::new(),
        };
        new.note = note(candidate, &new.layout, period);
        self.fill(&mut new, &groups, (today, until_s), by)?;
        if !absent.is_empty() {
            let paths = absent.join(", ");
            let _ = write!(new.note, " No document has {paths}: all have the same key.");
        }
        if is_of_writes {
            new.note.push_str(LOAD_OF_WRITES);
        }
        if self.whole.is_assumed {
            new.note.push_str(SIZE_UNKNOWN);
        }
        if let Some((load, total)) = load.as_ref().zip(total) {
            by_workload(&mut new, load, total);
        }
        Some(today.moved(&new))
    }

    /// What options and documents say of the container, where no input does.
    fn with_known(&self, today: &LapseStart, load: Option<f64>, charge: Option<f64>) -> LapseStart {
        let mut known = today.clone();
        let time = self.prepared.clock.as_ref().and_then(clock::Clock::last);
        known.at = known.at.or(time);
        let (kib, kib_per_day) = today.data();
        if kib <= 0.0 || kib_per_day.is_none() {
            let all = if kib > 0.0 { kib } else { self.whole.bytes / 1024.0 };
            let growth = kib_per_day.or_else(|| self.growth().map(|bytes| bytes / 1024.0));
            known.partitions = vec![StartPartition {
                id: "0".to_owned(),
                kib: Some(all),
                kib_per_day: growth,
                ru_per_second: self.settings.ru_per_second,
            }];
        }
        if known.item_kib.is_none() && self.whole.documents > 0.0 {
            known.item_kib = Some(self.whole.bytes / self.whole.documents / 1024.0);
        }
        known.demand = match (known.demand.take(), load) {
            (None, Some(load)) => Some(rates::steady(load, charge)),
            (Some(demand), Some(load)) => Some(demand.times(self.scale(load))),
            (None, None) if today.partitions.is_empty() => self.writes(),
            (demand, None) => demand,
        };
        known
    }

    /// What the documents' times say of load, where nothing else does.
    fn writes(&self) -> Option<Demand> {
        let clock = self.prepared.clock.as_ref()?;
        let bytes = self.document_kib() * 1024.0;
        let is_long = clock.whole().days() >= clock::SHORTEST_DAYS;
        is_long.then(|| rates::of_writes(clock, self.whole.documents_scale, bytes))
    }

    /// From today's demand to the load that is set.
    fn scale(&self, load: f64) -> f64 {
        let now = self.settings.today.as_ref().and_then(|today| today.now.as_ref());
        let measured = now.map(|now| now.outcome.demand_ru_per_second);
        measured.filter(|ru| *ru > 0.0).map_or(1.0, |ru| load / ru)
    }

    /// Bytes a day of all keys.
    fn growth(&self) -> Option<f64> {
        let given = self.settings.growth_bytes_per_day;
        given.or_else(|| {
            let clock = self.prepared.clock.as_ref()?;
            let recent = clock::recent(clock.whole());
            let is_long = clock.whole().days() >= clock::SHORTEST_DAYS;
            let bytes = real(clock.written(recent, self.prepared.documents.bytes()));
            is_long.then(|| bytes * self.whole.bytes_scale / recent.days())
        })
    }

    /// Paths that no document has.
    fn absent(&self, candidate: &Candidate) -> Vec<String> {
        let is_absent = |path: &&Path| {
            let found = self.prepared.path_stats(path);
            found.missing >= found.documents
        };
        let absent = candidate.paths().into_iter().filter(is_absent);
        absent.map(ToString::to_string).collect()
    }

    fn period(&self, candidate: &Candidate) -> Option<KeyPeriod> {
        let documents = &self.prepared.documents;
        let clock = self.prepared.clock.as_ref()?;
        let unit = clock.period(candidate, documents)?;
        let level = candidate.levels.iter().position(|level| {
            let alone = Candidate { levels: vec![level.clone()] };
            clock.period(&alone, documents).is_some()
        });
        Some(KeyPeriod { unit, level: level.unwrap_or(0) })
    }

    fn of_today<'a>(&'a self, today: &LapseStart, by: FoldContext<'_>) -> Option<OfToday<'a>> {
        let Some(key) = self.settings.today.as_ref().and_then(|t| t.key.as_ref()) else {
            return Some((None, vec![None; self.prepared.documents.len()]));
        };
        let stored = today.keys.iter().map(|key| &*key.canonical);
        let requested = today.demand.iter().flat_map(|d| d.keys.iter());
        let known: HashSet<&str> =
            stored.chain(requested.map(|key| key.canonical.as_str())).collect();
        let groups = Groups::of(&self.prepared.documents, key, self.settings.seed, by)?;
        let mut known_as = vec![None; groups.len()];
        groups.sizes.all(|group, _| {
            if let Some(known_as) = known_as.get_mut(group as usize) {
                let is_known = known.contains(groups.key(group).canonical().as_str());
                *known_as = is_known.then_some(group);
            }
        });
        let of = |group: &u32| known_as.get(*group as usize).copied().flatten();
        let of_row = groups.of_row.iter().map(of).collect();
        Some((Some(groups), of_row))
    }

    /// What a document stands for: data, growth by the newest, load by logs or else by growth.
    fn of_rows(&self) -> Vec<Shares> {
        let documents = &self.prepared.documents;
        let is_new = is_newest(self.prepared.clock.as_ref());
        let sizes = documents.bytes().iter().enumerate();
        let shares = sizes.map(|(row, bytes)| {
            let bytes = f64::from(*bytes);
            let growth = if is_new(row) { bytes } else { 0.0 };
            let load = match &*self.weighing {
                Weighing::Rows(rows) => rows.ru.get(row).map_or(0.0, |ru| f64::from(*ru)),
                Weighing::Documents => f64::from(u8::from(growth > 0.0)),
                Weighing::Bytes => growth,
            };
            [bytes, growth, load]
        });
        shares.collect()
    }

    /// Keys of the new container, and what each gets of today's.
    fn fill(
        &self,
        new: &mut NewContainer,
        groups: &Groups<'_>,
        (today, until_s): (&LapseStart, i64),
        by: FoldContext<'_>,
    ) -> Option<()> {
        let (of_today, from) = self.of_today(today, by)?;
        let of_rows = self.of_rows();
        let mut sums = vec![[0.0; 3]; groups.len()];
        for (group, shares) in groups.of_row.iter().zip(&of_rows) {
            if let Some(sum) = sums.get_mut(*group as usize) {
                add(sum, shares);
            }
        }
        let alone = self.large(&sums, new.period, (today, until_s));
        let target = targets(new, groups, &sums, (&alone, today));
        if !(by.keep_going)() {
            return None;
        }
        let mut found: HashMap<(Option<u32>, u32), Shares> = HashMap::new();
        let mut others: HashMap<u32, Shares> = HashMap::new();
        for ((group, shares), from) in groups.of_row.iter().zip(&of_rows).zip(&from) {
            let to = target.get(*group as usize).copied().unwrap_or(0);
            add(found.entry((*from, to)).or_default(), shares);
            add(others.entry(to).or_default(), shares);
        }
        let mut by_key: HashMap<Option<u32>, Vec<(u32, Shares)>> = HashMap::new();
        for ((from, to), shares) in found {
            by_key.entry(from).or_default().push((to, shares));
        }
        // Enough documents are of other keys to stand for all of these.
        let has_others = from.iter().filter(|from| from.is_none()).take(ENOUGH).count() == ENOUGH;
        let unknown = by_key.remove(&None).filter(|_| has_others);
        new.others = parts(unknown.unwrap_or_else(|| others.into_iter().collect()));
        if let Some(of) = &of_today {
            let named = by_key.into_iter().filter_map(|(from, shares)| {
                let canonical = of.key(from?).canonical();
                Some((canonical.into_boxed_str(), parts(shares)))
            });
            new.of = named.collect();
        }
        Some(())
    }

    /// Groups that are followed one by one: large ones, and those of most load.
    fn large(
        &self,
        sums: &[Shares],
        period: Option<KeyPeriod>,
        (today, until_s): (&LapseStart, i64),
    ) -> Vec<u32> {
        let [bytes, growth, _] = sum(sums.iter()).map(|sum| sum.max(f64::MIN_POSITIVE));
        let (kib, kib_per_day) = today.data();
        let until = real(u64::try_from(until_s).unwrap_or(0)) / DAY_S;
        let written = |at: Stamp| {
            let end = period.and_then(|period| period.end_s(at, 0));
            let next = end.and_then(|end| period?.end_s(at, end));
            let days = end.zip(next).map(|(end, next)| clock::days_between(end, next));
            days.unwrap_or(until).min(until)
        };
        let days = today.at.map_or(until, written);
        let comes_to = |sum: &Shares| {
            kib * sum[0] / bytes + kib_per_day.unwrap_or(0.0) * days * sum[1] / growth
        };
        let least = SMALL * self.settings.ceiling.kib();
        let numbered = || (0_u32..).zip(sums);
        let large = numbered().filter(|(_, sum)| comes_to(sum) >= least);
        let mut alone: Vec<u32> = large.map(|(group, _)| group).collect();
        let mut heavy: Vec<(u32, f64)> = numbered().map(|(at, sum)| (at, sum[2])).collect();
        heavy.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let most = HEAVIEST.min(most_targets(today));
        alone.extend(heavy.into_iter().take(most).map(|(group, _)| group));
        alone.sort_unstable();
        alone.dedup();
        alone
    }
}

/// So many keys with load in each step are not too many.
fn most_targets(today: &LapseStart) -> usize {
    let demand = today.demand.as_ref();
    let steps = demand.map_or(1, |demand| whole_usize(demand.steps_in_span()));
    MOST_LOADS / steps.max(1)
}

fn add(sum: &mut Shares, more: &Shares) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum += more;
    }
}

fn sum<'a>(of: impl Iterator<Item = &'a Shares>) -> Shares {
    of.fold([0.0; 3], |mut sum, more| {
        add(&mut sum, more);
        sum
    })
}

/// Parts of one: of growth as data is where none is new, of load as growth is where nothing tells it.
fn parts(mut of: Vec<(u32, Shares)>) -> Vec<NewPart> {
    of.sort_by_key(|(key, _)| *key);
    let all = sum(of.iter().map(|(_, shares)| shares));
    let part = |shares: &Shares, of: usize| {
        let at = (0..=of).rev().find(|at| all.get(*at).is_some_and(|all| *all > 0.0));
        let at = at.unwrap_or(0);
        let sum = all.get(at).copied().unwrap_or(0.0).max(f64::MIN_POSITIVE);
        shares.get(at).map_or(0.0, |share| share / sum)
    };
    let parts = of.iter().map(|(key, shares)| NewPart {
        key: *key,
        data: part(shares, 0),
        growth: part(shares, 1),
        load: part(shares, 2),
    });
    parts.collect()
}

/// Makes the keys that stand alone and those that stand for small ones; which one each group belongs to.
fn targets(
    new: &mut NewContainer,
    groups: &Groups<'_>,
    sums: &[Shares],
    (alone, today): (&[u32], &LapseStart),
) -> Vec<u32> {
    let room = most_targets(today) / new.layout.len().max(1);
    new.add_small(room.max(1).ilog2().min(HALVINGS));
    let small = std::mem::take(&mut new.keys);
    let depth = groups.levels.len();
    let places = |group: u32| {
        let (epk, _) = groups.place(group, depth, &new.definition);
        let owner = new.layout.owner(&epk).unwrap_or(0);
        (epk, u32::try_from(owner).unwrap_or(0))
    };
    let made = alone.iter().map(|group| {
        let (epk, partition) = places(*group);
        NewKey { canonical: groups.key(*group).canonical(), epk: Some(epk), partition }
    });
    let mut keys: Vec<NewKey> = made.collect();
    let first = u32::try_from(keys.len()).unwrap_or(u32::MAX);
    let mut target = vec![0; groups.len()];
    for (at, group) in (0_u32..).zip(alone) {
        if let Some(slot) = target.get_mut(*group as usize) {
            *slot = at + 1;
        }
    }
    for (group, slot) in (0_u32..).zip(&mut target) {
        let has = sums.get(group as usize).is_some_and(|sum| sum[0] > 0.0);
        if *slot > 0 {
            *slot -= 1;
        } else if has {
            let (epk, _) = places(group);
            let after = small.partition_point(|key| key.epk.as_ref() <= Some(&epk));
            *slot = first + u32::try_from(after.saturating_sub(1)).unwrap_or(0);
        }
    }
    keys.extend(small);
    new.keys = keys;
    target
}

/// What requests of a workload cost under the key: of today's load a part by key, one at the keys that texts name, and one
/// at every partition.
fn by_workload(new: &mut NewContainer, load: &CandidateDemand, total: f64) {
    if total <= 0.0 {
        return;
    }
    let by_key = load.by_key.ru_per_second / total;
    let mut more = Vec::new();
    for (key, flow) in load.named.iter().zip(&load.bound) {
        let epk = epk(key, &new.definition);
        let owner = epk.as_ref().and_then(|epk| new.layout.owner(epk));
        let canonical = Key::from(key.clone()).canonical();
        let held = new.keys.iter().position(|held| held.canonical == canonical);
        let at = held.unwrap_or(new.keys.len());
        if held.is_none() {
            new.keys.push(NewKey {
                canonical,
                epk,
                partition: u32::try_from(owner.unwrap_or(0)).unwrap_or(0),
            });
        }
        more.push(NewPart {
            key: u32::try_from(at).unwrap_or(0),
            data: 0.0,
            growth: 0.0,
            load: flow.ru_per_second / total,
        });
    }
    new.each = load.each.ru_per_second / total;
    for parts in new.of.values_mut().chain([&mut new.others]) {
        for part in parts.iter_mut() {
            part.load *= by_key;
        }
        parts.extend(more.iter().copied());
    }
}

fn note(candidate: &Candidate, layout: &Layout, period: Option<KeyPeriod>) -> String {
    let partitions = counted(layout.len() as u64, "partition", "partitions");
    let later = match period {
        Some(period) => format!(
            " With each new {} its writes go to other keys (+1, +2 …), which lie by chance.",
            period.unit.word()
        ),
        None => String::new(),
    };
    format!("A new container on {partitions} with the key {candidate}.{later}")
}
