//! The numbers behind a verdict of load, each with where it comes from.

use std::collections::BTreeSet;

use crate::analysis::billing::and_money;
use crate::analysis::demand::Evidence;
use crate::analysis::demand::outcome::{
    Interval, PartitionOutcome, RegionOutcome, RepeatedOutcome,
};
use crate::analysis::demand::remedies::{AT_ONCE, Remedies, Remedy};
use crate::analysis::heat::placement::disagreements;
use crate::analysis::routing::cost_text;
use crate::model::load::RuKey;
use crate::model::units::{
    as_number, count_text, kib_text, percent_text, range_text, ratio_text, trimmed_text,
};
use crate::model::visible::visible;

use super::Fact;
use super::picture::{HotPlace, Picture};
use super::pressure::Pressure;
use super::rules::{cost, fact, fact_of_key};
use super::shares::saturated_minutes;
use super::stored_keys::LargeKey;
use super::text::{RU_LOG, counts_text, number_text, ru_text, second_text, span_text};

/// Keys told beside the first.
const MAX_KEYS: usize = 4;

/// In the order of their weight.
pub fn of_load(picture: &Picture<'_>, hot: &HotPlace, remedies: Option<&Remedies>) -> Vec<Fact> {
    let mut facts = throttled(picture, hot);
    if let Some(pressure) = &hot.pressure {
        facts.extend(busiest(picture, hot, pressure));
    }
    facts.extend(capacities(picture, hot));
    facts.extend(shares(picture, hot));
    if let Some(pressure) = &hot.pressure {
        facts.extend(keys(picture, pressure));
    }
    facts.extend(picture.left_out().map(|log| {
        fact(
            format!("RU of the same seconds by {}, left out", log.log.name()),
            format!("{} against {}", number_text(log.ru), number_text(log.judged_ru)),
            format!("judged by {}, which has more records", log.judged_by.name()),
        )
    }));
    facts.extend(requested(picture, remedies));
    facts.extend(burst(picture, hot.place));
    facts.extend(cost::billed(picture));
    facts.extend(suspects(picture, hot.place).into_iter().take(3).map(|key| {
        let what = "a large key of the partition, a suspect by size alone: ";
        fact_of_key(what, Some(&key.canonical), kib_text(key.kib), "partition key statistics")
    }));
    facts
}

fn shares(picture: &Picture<'_>, hot: &HotPlace) -> Vec<Fact> {
    let Some(shares) = &picture.shares else {
        return Vec::new();
    };
    let name = picture.partition_text(hot.place);
    let standing = &hot.standing;
    let window = format!(
        "{} from {}",
        span_text(shares.window.1.saturating_sub(shares.window.0)),
        second_text(shares.window.0)
    );
    let of = if picture.is_metric() {
        "the highest second of each step counts"
    } else {
        "RU a second over RU/s"
    };
    let from = &shares.track.from;
    let (p99, minutes) = (percent_text(standing.p99), number_text(saturated_minutes(standing)));
    let mut facts = vec![
        fact(format!("RU/s share of {name}, p99"), p99, format!("{from}, {window}; {of}")),
        fact(format!("minutes in which {name} reached all of its RU/s"), minutes, from),
    ];
    if let Some(others) = shares.others(hot.place) {
        facts.push(fact("the others, p99 at most", percent_text(others), from));
    }
    facts
}

/// Where RU were logged, and over how long each number is a mean.
fn logged_by(picture: &Picture<'_>) -> String {
    match picture.logged.as_ref().map_or(1, |d| d.step_s) {
        0 | 1 => format!("{RU_LOG}, 1 s"),
        width => format!(
            "{RU_LOG}, means over {}: the busiest second may be higher",
            span_text(i64::from(width))
        ),
    }
}

/// The busiest second and who takes it, and the busiest minute beside it.
fn busiest(picture: &Picture<'_>, hot: &HotPlace, pressure: &Pressure) -> Vec<Fact> {
    let Some(busiest) = pressure.busiest else {
        return Vec::new();
    };
    let from = logged_by(picture);
    let capacity = picture.physical.capacity(hot.place);
    let of = capacity.map_or_else(String::new, |c| format!(" of {}", ru_text(c)));
    let value =
        format!("{}{of} at {}", ru_text(busiest.ru_per_second), second_text(busiest.second));
    let mut facts = vec![fact("busiest second of the partition", value, from.clone())];
    if let Some((key, ru)) = busiest.key {
        let part = capacity.map(|c| format!(", {} of the partition's RU/s", percent_text(ru / c)));
        let key = picture.key_text(key);
        let most = key.and_then(|key| operation(picture, hot.place, busiest.second, key));
        let most = most.map_or_else(String::new, |name| format!(", most by {name}"));
        let value = format!("{}{}{most}", ru_text(ru), part.unwrap_or_default());
        facts.push(fact_of_key("in it ", key, value, from.clone()));
    }
    if let Some((minute, mean)) = pressure.busiest_minute {
        let (mean, minute) = (ru_text(mean), second_text(minute));
        let value = format!(
            "{mean} at {minute}; RU/s are counted each second: a burst of seconds throttles, whatever the minute's average"
        );
        facts.push(fact("busiest minute, on average", value, from));
    }
    facts
}

/// What a key did most in a second on a partition.
fn operation(picture: &Picture<'_>, place: u32, second: i64, key: &str) -> Option<String> {
    let load = &picture.capture.load;
    let number = picture.physical.number(place)?;
    let cells = picture.heat.keys.cells().iter();
    let of = cells.filter(|cell| {
        cell.second == Some(second)
            && cell.partition == number
            && matches!(cell.key, RuKey::Named(named) if load.keys.text(named) == key)
    });
    let most = of.max_by(|a, b| a.ru.total_cmp(&b.ru))?;
    let name = load.names.text(most.operation);
    (!name.is_empty()).then(|| visible(name).into_owned())
}

fn keys(picture: &Picture<'_>, pressure: &Pressure) -> Vec<Fact> {
    let mut facts = Vec::new();
    let from = logged_by(picture);
    let steps = match pressure.hot_steps {
        0 => "all steps of the log: none of them is hot".to_owned(),
        n => format!("{} hot steps", count_text(n as u64)),
    };
    for key in pressure.keys.iter().take(MAX_KEYS) {
        let (what, value) = ("part of the partition's RU taken by ", percent_text(key.share));
        let from = format!("{from}, {steps}");
        facts.push(fact_of_key(what, picture.key_text(key.key), value, from));
    }
    if pressure.keyless > 0.0 {
        let share = percent_text(pressure.keyless);
        facts.push(fact("part of the partition's RU without a key", share, from));
    }
    let wrong =
        disagreements(picture.heat, picture.number, picture.capture, &picture.lookups.places);
    if !wrong.is_empty() {
        let what = "keys logged on another partition than their hash says";
        let count = count_text(wrong.len() as u64);
        facts.push(fact(what, count, "RU log against hash ranges"));
    }
    facts
}

fn throttled(picture: &Picture<'_>, hot: &HotPlace) -> Vec<Fact> {
    let Some(attempts) = &picture.attempts else {
        return Vec::new();
    };
    let mut facts = Vec::new();
    let number = picture.physical.number(hot.place);
    if let Some(counts) = number.and_then(|n| attempts.on(n))
        && let Some(share) = counts.throttled_share()
    {
        let what = format!("429 of requests to {}, measured", picture.partition_text(hot.place));
        facts.push(fact(what, counts_text(&counts, share), &attempts.from));
    }
    if let Some(share) = attempts.all.throttled_share() {
        let what = "429 of requests to the container, measured";
        let counts = counts_text(&attempts.all, share);
        let value =
            format!("{counts}: 1 to 5 % is healthy only while partitions are evenly loaded");
        facts.push(fact(what, value, &attempts.from));
    }
    facts
}

/// Where the number of retries is from.
const RETRIES_FROM: &str = "computed by the minute: what clients repeat is served later; --threshold retries sets how often they do";

fn requested(picture: &Picture<'_>, remedies: Option<&Remedies>) -> Vec<Fact> {
    let (Some(remedies), Some(now)) = (remedies, picture.known_now()) else {
        return Vec::new();
    };
    let demand = &now.demand;
    let span = span_text(demand.span.1.saturating_sub(demand.span.0));
    let mut from = format!(
        "computed over the worst {span}, from {}: {}",
        second_text(demand.span.0),
        now.outcome.evidence
    );
    let goes_beyond = |p: &PartitionOutcome| p.capacity.is_some_and(|c| p.peak > c);
    if demand.evidence == Evidence::RuLog && picture.loads().iter().any(goes_beyond) {
        from.push_str(
            "; it is more than partitions can serve: the log holds throttled requests too",
        );
    }
    let computed = |what: &str, value: String| fact(what, value, &from);
    let mut facts: Vec<Fact> = now.outcome.other_regions.iter().map(region).collect();
    let share = now.throttled().map(between_text);
    facts.extend(share.map(|share| computed("throttled share of the RU requested", share)));
    facts.extend(now.outcome.repeated.as_ref().map(lost_fact));
    let highest = now.outcome.partitions.iter().map(|p| p.peak).fold(0.0, f64::max);
    facts.push(computed("highest demand on a partition", ru_text(highest)));
    let imbalance = now.outcome.imbalance.map(|ratio| format!("×{}", ratio_text(ratio)));
    facts.extend(imbalance.map(|ratio| computed("imbalance, fullest ÷ average", ratio)));
    if let Some(ru) = now.outcome.ru_to_buy {
        let range = range_text(now.outcome.repeated.and_then(|of| of.ru_to_buy), ru);
        let money = and_money(picture.limits.price.as_ref(), ru);
        facts.push(computed("RU/s to buy, at most 1 % throttled", format!("{range} RU/s{money}")));
    }
    if picture.limits.fleet_pool <= 0.0 && now.throttled().is_some_and(|t| t.point > 0.0) {
        facts.push(fact(
            "fleet pool",
            "not counted",
            "no input shows it: --threshold fleet-pool=1 adds what the pool of the account's fleet serves",
        ));
    }
    let at_any = "throttled at any RU/s, beyond 10,000 RU/s of one key";
    facts.push(computed(at_any, percent_text(remedies.floor)));
    if demand.unplaced_ru > 0.0 {
        let left_out = number_text(demand.unplaced_ru);
        facts.push(fact("RU on no known partition, left out", left_out, RU_LOG));
    }
    facts
}

fn lost_fact(of: &RepeatedOutcome) -> Fact {
    let times = Some(of.retries).filter(|n| n.is_finite()).map(trimmed_text);
    let times = times.unwrap_or_else(|| "endless".to_owned());
    fact(format!("of it lost after {times} retries"), percent_text(of.lost_share), RETRIES_FROM)
}

/// How long unused RU would serve what the partition throttles.
fn burst(picture: &Picture<'_>, place: u32) -> Option<Fact> {
    let text = picture.known_now()?.burst(place)?.words();
    Some(fact(
        format!("with burst capacity, {}", picture.partition_text(place)),
        text,
        "computed second by second from a full bucket of 300 s × its RU/s, up to 3,000 RU/s; bursting is a feature of the account and not guaranteed",
    ))
}

/// What becomes of demand in a region that is not the worst.
fn region(other: &RegionOutcome) -> Fact {
    let share = other.throttled_share.map_or_else(|| "unknown".to_owned(), between_text);
    let name = other.region.as_deref().unwrap_or("a region without name");
    let value = format!("{}, {share} throttled", ru_text(other.demand_ru_per_second));
    let from = "computed like that of the worst region; each has all of the RU/s";
    fact(format!("demand in {}", visible(name)), value, from)
}

/// `29.4 %`, or with both ends where they differ.
fn between_text(share: Interval) -> String {
    if share.high - share.low < 0.001 {
        return percent_text(share.point);
    }
    let [point, low, high] = [share.point, share.low, share.high].map(percent_text);
    format!("{point} ({low} to {high})")
}

fn capacities(picture: &Picture<'_>, hot: &HotPlace) -> Option<Fact> {
    let capacity = picture.partition(hot.place)?.capacity?;
    Some(fact(
        format!("RU/s of {}", picture.partition_text(hot.place)),
        format!("{}, shared by all its keys", ru_text(capacity.ru_per_second)),
        capacity.from.words(),
    ))
}

/// Large keys of a partition, where no log names those that load it.
pub fn suspects<'p>(picture: &'p Picture<'_>, place: u32) -> Vec<&'p LargeKey> {
    let named =
        picture.hot.as_ref().and_then(|h| h.pressure.as_ref()).is_some_and(|p| !p.keys.is_empty());
    let known = picture.partition(place).and_then(|partition| partition.known);
    if named || known.is_none() {
        return Vec::new();
    }
    let large = picture.stored.large.iter();
    large.filter(|key| key.partition_at == known).collect()
}

/// What a copy keyed by the filter of the queries would change, by the request log.
pub fn index(picture: &Picture<'_>) -> Option<Fact> {
    let load = &picture.capture.load;
    let (mut reads, mut writes, mut seconds) = (0.0, 0.0, BTreeSet::new());
    let of = load.requests.iter();
    for (cell, sum) in of.filter(|(cell, _)| cell.container == picture.number) {
        let operation = load.names.text(cell.operation).to_ascii_lowercase();
        if operation.contains("query") {
            reads += sum.ru;
        } else if !operation.contains("read") {
            writes += sum.ru;
        }
        let width = load.requests_width_s.max(cell.span_s);
        seconds.extend(cell.second.map(|second| (second, width)));
    }
    let (first, (last, width)) = (seconds.first()?.0, *seconds.last()?);
    let span = last.saturating_add(i64::from(width)).saturating_sub(first);
    let a_second = |ru: f64| ru / as_number(usize::try_from(span).unwrap_or(1).max(1));
    let (reads, n) = (a_second(reads), picture.physical.len());
    (reads > 0.0).then(|| {
        let what = "global secondary index keyed by what the queries filter by";
        let value = cost_text(Some([reads, reads / as_number(n)]), Some(a_second(writes)));
        let span = span_text(span);
        let how =
            format!("request log of {span}, queries 1 of {n} partitions, each write once more");
        fact(what, value, format!("computed: {how}"))
    })
}

/// Where nothing could be computed the measured share of 429s stands for the present.
pub fn measured(share: f64) -> Remedy {
    Remedy {
        name: "now".to_owned(),
        words: "now, 429 of requests".to_owned(),
        throttled: Some(Interval::exact(share)),
        takes: AT_ONCE,
        ..Remedy::default()
    }
}
