//! What the requests of a workload say of a key: where they go, and whether reads or writes weigh more.

use super::super::super::findings::Severity;
use super::super::super::routing::workload::RequestAccess;
use super::super::super::routing::{Cap, RU_PER_VISIT, Routing};
use super::super::super::rules::Rule;
use super::super::Trial;
use super::super::routes::Routed;
use super::spread::is_served;
use super::{ReasonSink, RoutedTrial, UNEVEN, Weight, partitions, whole_text};
use crate::model::units::{count_text, counted, percent_text, real, tenths_text};

/// From which part of the requests on a container is called write-heavy, or read-heavy.
const HEAVY: f64 = 0.6;
/// From this part of the RU on cross-partition requests are a cause.
pub(super) const CROSS_PARTITION: f64 = 0.2;
/// What takes less of the RU than this is no reason against a key, and less than that puts it behind none.
const FEW: f64 = 0.05;
const LITTLE: f64 = 0.01;
/// Reads that query more than this part of the physical partitions are as good as fan-outs.
const MANY_VISITS: f64 = 0.5;

pub(super) fn queries(routed: &[Routed], partitions: u64, say: ReasonSink<'_>) {
    if routed.is_empty() {
        return;
    }
    let count = |wanted: fn(Routing) -> bool| {
        let all = routed.iter().filter(|r| wanted(r.route.routing));
        all.count() as u64
    };
    let fan_out = count(Routing::is_on_all);
    let unknown = count(|r| r == Routing::Unknown);
    let of_request = |n| counted(n, "kind of request", "kinds of request");
    let kinds = of_request(routed.len() as u64);
    let part = fan_out_part(routed);
    let is_small = partitions <= 1 || part.is_some_and(|part| part < FEW);
    let severity = if fan_out == 0 || is_small { Severity::Note } else { Severity::Warn };
    let sentence = if fan_out > 0 {
        let of_ru =
            part.map_or_else(String::new, |part| format!(", {} of the RU", percent_text(part)));
        format!(
            "{} cross-partition ({n} of {n}){of_ru}.",
            counted(fan_out, &format!("of {kinds} is"), &format!("of {kinds} are")),
            n = count_text(partitions)
        )
    } else {
        format!("None of {kinds} queries all physical partitions.")
    };
    let weight = Weight::by(severity, real(fan_out), 1.0, 1.0);
    say(Rule::RequestsCrossPartitions, weight, sentence);
    if unknown > 0 {
        say(
            Rule::RoutingUnknown,
            Severity::Note.into(),
            format!("Routing of {} unknown.", of_request(unknown)),
        );
    }
    let is_over = |r: &&Routed| {
        let cap = r.price.and_then(|p| p.cap);
        matches!(cap, Some(Cap::Over | Cap::OverWithAny))
    };
    let over = routed.iter().filter(is_over).count() as u64;
    if over > 0 {
        say(
            Rule::OverPartition,
            Severity::Alarm.into(),
            format!("More than 10,000 RU/s of each partition are needed by {}.", of_request(over)),
        );
    }
}

/// Cross-partition reads: kinds of so many, and the part of their rate where that is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CrossReads {
    pub kinds: usize,
    pub of: usize,
    pub share: Option<f64>,
}

pub fn cross_reads(routed: &[Routed]) -> CrossReads {
    let reads = || routed.iter().filter(|r| r.access == RequestAccess::Read);
    let is_cross = |r: &&Routed| r.route.routing.is_on_all();
    let all: Option<f64> = reads().map(|r| r.per_second).sum();
    let cross: f64 = reads().filter(is_cross).filter_map(|r| r.per_second).sum();
    CrossReads {
        kinds: reads().filter(is_cross).count(),
        of: reads().count(),
        share: all.filter(|all| *all > 0.0).map(|all| cross / all),
    }
}

/// What part of the RU requests take that query all partitions; None where a rate is not known.
pub fn fan_out_part(routed: &[Routed]) -> Option<f64> {
    let (mut all, mut fan_out) = (0.0, 0.0);
    for one in routed {
        let ru = one.per_second? * ru_of_one(one);
        all += ru;
        if one.route.routing.is_on_all() {
            fan_out += ru;
        }
    }
    (all > 0.0).then(|| fan_out / all)
}

/// What one takes with all the partitions that it queries.
fn ru_of_one(one: &Routed) -> f64 {
    one.ru + further_ru(one)
}

fn further_ru(one: &Routed) -> f64 {
    RU_PER_VISIT * (one.route.visits().unwrap_or(1.0) - 1.0).max(0.0)
}

/// Whether cross-partition requests take so little of the RU that they speak against no key.
pub fn reads_one_partition(routed: &[Routed]) -> bool {
    fan_out_part(routed).is_some_and(|part| part < LITTLE)
}

/// What part of the RU goes to querying further partitions than one.
pub(super) fn cross_partition_part(routed: &[Routed]) -> f64 {
    let (mut all, mut further) = (0.0, 0.0);
    for one in routed {
        let rate = one.per_second.unwrap_or(1.0);
        all += rate * ru_of_one(one);
        further += rate * further_ru(one);
    }
    further / all.max(f64::MIN_POSITIVE)
}

/// `; 63 % of the demand is for querying further partitions`, from where on it matters.
pub(super) fn cross_partition_text(routed: &[Routed]) -> String {
    match cross_partition_part(routed) {
        part if part < CROSS_PARTITION => String::new(),
        part => {
            format!("; {} of the demand is for querying further partitions", percent_text(part))
        }
    }
}

/// Where writes are most of the requests, spread counts most; where reads are, how many partitions each asks.
pub(super) fn mix(tried: RoutedTrial<'_>, say: ReasonSink<'_>) {
    let rate = |r: &Routed| r.per_second.unwrap_or(0.0);
    let of = |access: RequestAccess| tried.routed.iter().filter(move |r| r.access == access);
    let writes: f64 = of(RequestAccess::Write).map(rate).sum();
    let reads: f64 = of(RequestAccess::Read).map(rate).sum();
    let all = writes + reads;
    if all <= 0.0 {
        return;
    }
    let trial = tried.trial;
    let n = partitions(trial).max(1);
    if writes / all >= HEAVY {
        let fair = 1.0 / real(n);
        let hot = hottest_of_writes(trial);
        let (severity, words) = if hot <= fair {
            (Severity::Note, "spreads them")
        } else {
            (Severity::Warn, "does not spread them")
        };
        say(
            Rule::WriteHeavy,
            Weight::by(severity, hot, fair, fair),
            format!(
                "{} of {} requests/s are writes: this key {words}.",
                percent_text(writes / all),
                whole_text(all)
            ),
        );
    }
    if reads / all >= HEAVY && n > 1 {
        let visits = |r: &Routed| r.route.visits().unwrap_or(real(n)) * rate(r);
        let mean = of(RequestAccess::Read).map(visits).sum::<f64>() / reads;
        let part = mean / real(n);
        let severity = if part > MANY_VISITS { Severity::Warn } else { Severity::Note };
        say(
            Rule::ReadHeavy,
            Weight::by(severity, part, MANY_VISITS, MANY_VISITS),
            format!(
                "{} of {} requests/s are reads: one queries {} of {} physical partitions on average.",
                percent_text(reads / all),
                whole_text(all),
                tenths_text(mean),
                count_text(n)
            ),
        );
    }
}

/// What the hottest key has of the writes of a moment. Where keys lie is luck, which splits and other hashes change.
fn hottest_of_writes(trial: &Trial) -> f64 {
    let dated = trial.keys_at_a_time.map_or(0.0, |keys| 1.0 / real(keys));
    let uneven = trial.placement.load_ratio_ru_interval;
    let is_even = uneven.is_some_and(|i| i[0] <= UNEVEN);
    let is_unique = trial.distinct.once == trial.distinct.seen;
    let of_all = match &trial.writes {
        _ if trial.beyond_any_ru > Some(0.0) => 1.0,
        Some(_) if is_served(trial) => 0.0,
        Some(writes) => writes.top.interval[0],
        // Of few documents chance makes one key hot.
        None if is_even || is_unique => 0.0,
        None => trial.hottest_share,
    };
    of_all.max(dated)
}
