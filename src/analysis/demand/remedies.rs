//! What would be throttled otherwise: the same demand on other partitions and RU/s.

mod layouts;
mod scale;

pub use layouts::SUFFIXES;
pub(in crate::analysis) use layouts::suffixed;
pub use scale::{capacities, least_ru};

use crate::analysis::throttling::{pooled, redistributed};
use crate::model::time::Stamp;
use crate::model::units::{as_number, count_text, percent_text, whole_text};

use super::least::is_cured;
use super::outcome::{
    Interval, JudgedSteps, LoadRoute, RepeatedOutcome, StepLoad, at_ends, beyond_one_key, overload,
    routed, throttled,
};
use super::{CurrentLoad, DemandLoad, Requester};

words! {
    /// What a remedy does to the throttled share, the best first.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
    pub enum RemedyEffect {
        Fixes = "fixes",
        /// For the others, for a while, or if the service splits the right partition.
        InPart = "helps in part",
        Helps = "helps, not enough",
        None = "no effect",
        Worse = "makes it worse",
        /// Nothing is throttled.
        NotNeeded = "not needed",
        #[default]
        Unknown = "unknown",
    }
    fn word
}

impl RemedyEffect {
    /// `now` and `after` are throttled shares; up to `cured` is fixed. A third less is what counts as help.
    pub fn of(now: f64, after: f64, cured: f64) -> Self {
        if is_cured(now, cured) {
            Self::NotNeeded
        } else if is_cured(after, cured) {
            Self::Fixes
        } else if after <= now * 2.0 / 3.0 {
            Self::Helps
        } else if after > now + cured / 2.0 {
            Self::Worse
        } else {
            Self::None
        }
    }

    /// What is not for all requests or not for long fixes nothing.
    fn in_part(self) -> Self {
        match self {
            Self::Fixes => Self::InPart,
            other => other,
        }
    }
}

/// One row: a circumstance, and what would be throttled in it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Remedy {
    /// `now`, `scale-up`, `scale-up-evenly`, `split-hot`, `split-all`, `redistribute`, `burst`, `fleet-pool`, `suffixes-2`, `limit-client`, `cap-key`, joined by `+` for pairs.
    pub name: String,
    /// `80,000 RU/s on 8 partitions`.
    pub words: String,
    pub throttled: Option<Interval>,
    /// Of the present, where clients may repeat what is throttled.
    pub repeated: Option<RepeatedOutcome>,
    /// Fullest over average partition.
    pub imbalance: Option<f64>,
    /// RU/s provisioned after it.
    pub ru_per_second: Option<f64>,
    /// How long it takes.
    pub takes: &'static str,
    pub effect: RemedyEffect,
    /// RU/s to set first, where they are lowered afterwards.
    pub first_ru: Option<f64>,
    /// RU/s of each partition after a redistribution.
    pub given: Vec<f64>,
    /// What its words and its step both say: until when it helps, to what a key is limited, or the other key.
    pub detail: Option<String>,
    /// How it is done, as text to run or to read; filled in where it helps, by what knows the account.
    pub how: Vec<String>,
}

impl Remedy {
    /// How many suffixes it adds, alone or with another remedy.
    pub fn suffixes(&self) -> Option<u32> {
        let mut parts = self.name.split('+');
        parts.find_map(|part| part.strip_prefix("suffixes-")?.parse().ok())
    }
}

/// Percent of a partition that a key can be capped at, at the lowest.
const LEAST_CAP: f64 = 51.0;

pub const AT_ONCE: &str = "at once";
pub const MINUTES: &str = "minutes";
pub const SPLIT_HOURS: &str = "4-6 h";
pub const SPLIT_ROUNDS: &str = "4-6 h a round";
pub const NEW_CONTAINER: &str = "new container";
pub const NEW_CLIENT: &str = "client change";

/// Every row of a container, the present first.
#[derive(Clone, PartialEq, Debug)]
pub struct Remedies {
    pub rows: Vec<Remedy>,
    /// Throttled at any RU/s: keys that request more than one key can use.
    pub floor: f64,
}

impl Remedies {
    pub fn row(&self, name: &str) -> Option<&Remedy> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// The better way to more RU/s.
    pub fn scale_up(&self) -> Option<&Remedy> {
        let rows = ["scale-up", "scale-up-evenly"].into_iter().filter_map(|name| self.row(name));
        rows.min_by_key(|row| row.effect)
    }

    /// The row whose name begins so.
    pub fn starting(&self, prefix: &str) -> Option<&Remedy> {
        self.rows.iter().find(|row| row.name.starts_with(prefix))
    }

    pub fn throttled_now(&self) -> Option<f64> {
        Some(self.row("now")?.throttled?.point)
    }
}

/// What is needed to compute them.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    pub now: &'a CurrentLoad,
    /// The place of the partition to split; None for the fullest.
    pub hot: Option<u32>,
    /// Keys to blame, among `Demand::keys`.
    pub blamed: &'a [usize],
    /// When the day or month ends that they name: the next one lies on another partition.
    pub next_key_at: Option<Stamp>,
    /// Up to this throttled share it is fixed.
    pub cured: f64,
    /// Redistribution leaves every partition this.
    pub least_partition_ru: f64,
    /// The account is in a fleet pool.
    pub is_pooled: bool,
    /// The service can cap a key of the account.
    pub caps_keys: bool,
    /// Fewer suffixes would soon be too few for the size of a key.
    pub least_suffixes: u32,
}

/// None where it is not known what was throttled.
pub fn remedies(question: &Question<'_>) -> Option<Remedies> {
    let now = question.now;
    let capacities = now.partitions.capacities.as_ref()?;
    let share = now.throttled()?;
    let provisioned = now.partitions.provisioned?;
    let present = Remedy {
        name: "now".to_owned(),
        words: "now".to_owned(),
        repeated: now.outcome.repeated,
        throttled: Some(share),
        imbalance: now.outcome.imbalance,
        ru_per_second: Some(provisioned),
        takes: AT_ONCE,
        effect: RemedyEffect::of(share.point, share.point, question.cured),
        ..Remedy::default()
    };
    let mut rows = vec![present];
    rows.extend(question.scale_up());
    rows.extend(question.splits());
    rows.push(question.redistribute(capacities));
    rows.extend(question.burst(capacities));
    rows.extend(question.fleet_pool(capacities));
    rows.extend(question.suffixes());
    rows.extend(question.limit_key(capacities));
    let is_fixed =
        rows.iter().any(|row| matches!(row.effect, RemedyEffect::Fixes | RemedyEffect::NotNeeded));
    if !is_fixed {
        rows.extend(question.pair());
    }
    Some(Remedies { rows, floor: beyond_one_key(&now.demand.loads) })
}

pub fn partitions_text(count: usize) -> String {
    let noun = if count == 1 { "partition" } else { "partitions" };
    format!("{} {noun}", count_text(count as u64))
}

/// `6,000 RU/s`.
fn ru_text(ru_per_second: f64) -> String {
    format!("{} RU/s", whole_text(ru_per_second))
}

impl Question<'_> {
    fn row(
        &self,
        name: impl Into<String>,
        words: String,
        case: Option<Case<'_>>,
        ru_per_second: Option<f64>,
        takes: &'static str,
    ) -> Remedy {
        self.row_of_all(name.into(), words, case.into_iter(), ru_per_second, takes)
    }

    /// The mean of several cases that are as likely.
    fn row_of_all<'c>(
        &self,
        name: String,
        words: String,
        cases: impl Iterator<Item = Case<'c>> + Clone,
        ru_per_second: Option<f64>,
        takes: &'static str,
    ) -> Remedy {
        let demand = &self.now.demand;
        let shares = cases.clone();
        let shares: Vec<Interval> =
            shares.map(|c| throttled(c.loads, c.capacities, demand)).collect();
        let share = Interval::mean(&shares);
        let imbalance = |c: Case<'_>| {
            overload(c.loads, c.capacities, JudgedSteps::default(), |l| l.ru_per_second).imbalance
        };
        let imbalance = cases.map(imbalance).sum::<f64>() / as_number(shares.len().max(1));
        Remedy {
            name,
            words,
            effect: self.effect(share),
            throttled: share,
            imbalance: Some(imbalance).filter(|i| *i > 0.0),
            ru_per_second,
            takes,
            ..Remedy::default()
        }
    }

    fn effect(&self, after: Option<Interval>) -> RemedyEffect {
        let now = self.now.throttled();
        now.zip(after).map_or(RemedyEffect::Unknown, |(now, after)| {
            RemedyEffect::of(now.point, after.high, self.cured)
        })
    }

    /// Unused RU served again, from full buckets: where partitions burst.
    fn burst(&self, capacities: &[f64]) -> Option<Remedy> {
        let (now, demand) = (self.now, &self.now.demand);
        let mut each: Vec<Vec<&StepLoad>> = vec![Vec::new(); capacities.len()];
        for load in &now.loads {
            if let Some(of) = each.get_mut(load.partition as usize) {
                of.push(load);
            }
        }
        let each = || (0..).zip(&each).zip(capacities);
        let bursts = each().filter_map(|((place, loads), _)| now.burst_of(place, loads));
        let first = bursts.min_by_key(|burst| burst.seconds.unwrap_or(i64::MAX))?;
        let share = at_ends(&now.loads, demand, |of| {
            let excess = each().map(|((place, loads), capacity)| {
                let beyond = || loads.iter().map(|l| (of(l) - l.burst - capacity).max(0.0)).sum();
                let burst = now.burst_at(place, loads, of);
                burst.map_or_else(beyond, |burst| burst.excess)
            });
            let all: f64 = now.loads.iter().map(of).sum();
            excess.sum::<f64>() / all.max(f64::MIN_POSITIVE)
        });
        let words = format!("burst capacity from full buckets: {}", first.words());
        let ru = now.partitions.provisioned;
        let row = self.row("burst", words, None, ru, MINUTES);
        Some(Remedy {
            effect: self.effect(Some(share)).in_part(),
            throttled: Some(share),
            imbalance: now.outcome.imbalance,
            ..row
        })
    }

    fn redistribute(&self, capacities: &[f64]) -> Remedy {
        let given = self.shared_by_demand(&self.now.loads, capacities);
        let all: f64 = capacities.iter().sum();
        let least = given.iter().copied().fold(f64::INFINITY, f64::min);
        let most = given.iter().copied().fold(0.0, f64::max);
        let [ru, least, most] = [all, least.min(all), most].map(ru_text);
        let words = format!("{ru} redistributed by demand, {least} to {most} each");
        let case = Case { loads: &self.now.loads, capacities: &given };
        let ru = self.now.partitions.provisioned;
        let mut row = self.row("redistribute", words, Some(case), ru, MINUTES);
        row.given.clone_from(&given);
        if let Some(end) = self.next_key_at {
            let is_over = end.seconds() <= self.now.demand.span.1;
            let until = if is_over { "over since" } else { "only until" };
            let until =
                format!("the next date lies on another partition: {until} {}", end.minute_text());
            row.words = format!("{}; {until}", row.words);
            row.detail = Some(until);
            row.effect = row.effect.in_part();
            if is_over && row.effect != RemedyEffect::NotNeeded {
                (row.effect, row.throttled) = (RemedyEffect::None, self.now.throttled());
            }
        }
        row
    }

    /// What the pool of the account's fleet serves beyond the partitions' own RU/s, as far as it has them.
    fn fleet_pool(&self, capacities: &[f64]) -> Option<Remedy> {
        let lifted: Vec<f64> = capacities.iter().map(|c| pooled(*c)).collect();
        let least = lifted.iter().copied().fold(f64::INFINITY, f64::min);
        let case = Case { loads: &self.now.loads, capacities: &lifted };
        let words = format!(
            "the fleet pool serves each partition up to {} or more, while it has RU/s left",
            ru_text(least)
        );
        let ru = self.now.partitions.provisioned;
        self.is_pooled.then(|| self.row("fleet-pool", words, Some(case), ru, AT_ONCE))
    }

    /// What the partitions have together, in proportion to their highest loads.
    fn shared_by_demand(&self, loads: &[StepLoad], capacities: &[f64]) -> Vec<f64> {
        let all: f64 = capacities.iter().sum();
        redistributed(all, &highest(loads, capacities.len()), self.least_partition_ru)
    }

    /// The hottest key slowed down until the rest of its partition is served: by its client, or by the service.
    fn limit_key(&self, capacities: &[f64]) -> Vec<Remedy> {
        let room = self.room_of_key(capacities);
        let row = |(key, capacity, room): (u32, f64, f64)| {
            let cap = (room / capacity * 100.0).floor().clamp(LEAST_CAP, 100.0);
            let cap = self.caps_keys.then(|| {
                let (loads, waits) = self.with_key_limited(key, cap / 100.0 * capacity, capacities);
                let words = format!(
                    "the key capped at {} % of a partition (preview); {} of its requests wait",
                    whole_text(cap),
                    percent_text(waits)
                );
                let case = Case { loads: &loads, capacities };
                let ru = self.now.partitions.provisioned;
                let row = self.row("cap-key", words, Some(case), ru, MINUTES);
                let effect = row.effect.in_part();
                Remedy { detail: Some(whole_text(cap)), effect, ..row }
            });
            std::iter::once(self.limit_client(key, room, capacities)).chain(cap)
        };
        room.into_iter().flat_map(row).collect()
    }

    /// The one key to blame, the RU/s of its partition, and what the other loads of the partition leave for it.
    fn room_of_key(&self, capacities: &[f64]) -> Option<(u32, f64, f64)> {
        let [key] = self.blamed else { return None };
        let key = u32::try_from(*key).ok()?;
        let is_it = |l: &DemandLoad| l.requester == Requester::Key(key);
        let place = self.now.demand.loads.iter().find(|l| is_it(l))?.partition;
        let capacity = *capacities.get(place as usize)?;
        let mut others = self.now.demand.loads.clone();
        others.retain(|l| !is_it(l));
        let others = routed(&others, &LoadRoute::default(), capacities.len());
        let beside = others.iter().filter(|l| l.partition == place);
        let most = beside.map(|l| l.ru_per_second).fold(0.0, f64::max);
        if most <= 0.0 {
            // Nobody is served better.
            return None;
        }
        let room = (capacity - most).floor();
        // Else the others take all of it: nothing can be left for the key.
        (room >= 1.0).then_some((key, capacity, room))
    }

    /// All loads with this key at no more than a limit, and what part of its requests waits.
    fn with_key_limited(&self, key: u32, limit: f64, capacities: &[f64]) -> (Vec<StepLoad>, f64) {
        let is_it = |l: &DemandLoad| l.requester == Requester::Key(key);
        let mut limited = self.now.demand.loads.clone();
        let (mut all, mut kept) = (0.0, 0.0);
        for load in limited.iter_mut().filter(|l| is_it(l)) {
            let part = (limit / load.ru_per_second.max(f64::MIN_POSITIVE)).min(1.0);
            all += load.ru_per_second;
            load.ru_per_second *= part;
            load.served *= part;
            kept += load.ru_per_second;
        }
        let waits = if all > 0.0 { 1.0 - kept / all } else { 0.0 };
        (routed(&limited, &LoadRoute::default(), capacities.len()), waits)
    }

    fn limit_client(&self, key: u32, limit: f64, capacities: &[f64]) -> Remedy {
        let (loads, waits) = self.with_key_limited(key, limit, capacities);
        let ru = self.now.partitions.provisioned;
        // A bucket has whole percent, the next lower. That it is not counted by partition is UNVERIFIED.
        let of_all = ru.filter(|ru| limit / ru >= 0.01).map(|ru| {
            let bucket = whole_text((limit / ru * 100.0).floor());
            let share = percent_text(limit / ru);
            format!(" ({share} of the container's; bucket {bucket} %)")
        });
        let of_all = of_all.unwrap_or_default();
        let limit =
            format!("{}{of_all}; {} of its requests wait", ru_text(limit), percent_text(waits));
        let words = format!("the key limited to {limit}");
        let case = Case { loads: &loads, capacities };
        let mut row = self.row("limit-client", words, Some(case), ru, NEW_CLIENT);
        row.detail = Some(limit);
        // What waits is not served either: it helps the others, and fixes nothing for the key.
        row.effect = row.effect.in_part();
        row
    }
}

/// Loads on partitions of these RU/s.
#[derive(Clone, Copy)]
struct Case<'c> {
    loads: &'c [StepLoad],
    capacities: &'c [f64],
}

fn highest(loads: &[StepLoad], partitions: usize) -> Vec<f64> {
    let mut highest = vec![0.0_f64; partitions];
    for load in loads {
        if let Some(held) = highest.get_mut(load.partition as usize) {
            *held = held.max(load.ru_per_second);
        }
    }
    highest
}
