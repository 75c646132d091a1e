//! RU/s that are paid and not usable, and requests that no partition throttled.

use crate::analysis::billing::and_money;
use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::diagnosis::picture::Picture;
use crate::analysis::diagnosis::steps;
use crate::analysis::diagnosis::text::{counts_text, number_text, ru_text};
use crate::analysis::diagnosis::{Answers, Fact, Phrase, RemedyAnswer, Verdict};
use crate::analysis::findings::Severity;
use crate::analysis::heat::{CapacityFrom, Measure, Track};
use crate::analysis::throttling::redistributed;
use crate::model::units::{PARTITION_RU_PER_SECOND, as_number, count_text, percent_text, real};

use crate::analysis::rules::Rule;

use super::{fact, none, seen};

/// What is asked of whoever can look at it, where no column says what throttled the requests.
const ASK: &str = "export the sub-status of the 429s (3212 is a throughput bucket), or the metric TotalRequests with StatusCode split by ThroughputBucket or PriorityLevel";

/// Whether every partition is among those looked at: a missing one would look like RU/s that are not usable.
fn are_all_known(picture: &Picture<'_>) -> bool {
    let count = as_number(picture.physical.len());
    let settings = picture.container.throughput;
    let counted = settings.and_then(|s| s.partitions());
    picture.physical.layout.is_some() || counted.is_some_and(|n| n <= count)
}

/// Provisioned RU/s that the partitions can serve together.
fn usable(capacities: &[f64], provisioned: f64) -> f64 {
    capacities.iter().sum::<f64>().min(provisioned)
}

pub(super) fn paid_not_usable(picture: &Picture<'_>) -> Option<Verdict> {
    let capacities = picture.physical.capacities.as_deref()?;
    let provisioned = picture.ru_per_second()?;
    let usable = usable(capacities, provisioned);
    let lost = 1.0 - usable / provisioned;
    if !are_all_known(picture) || lost < picture.limits.unusable_share {
        return None;
    }
    let clamped = capacities.iter().filter(|c| **c >= PARTITION_RU_PER_SECOND).count();
    let why = match clamped {
        0 => "the partitions keep smaller fractions".to_owned(),
        n => format!(
            "{} of {} partitions at the 10,000 RU/s limit",
            count_text(n as u64),
            count_text(capacities.len() as u64)
        ),
    };
    let (billed, used) = (ru_text(provisioned), ru_text(usable));
    let share = percent_text(usable / provisioned);
    let headline = Phrase::plain(format!("{billed} billed, {used} usable ({share}): {why}"));
    let from = "RU/s of partitions";
    let mut evidence = vec![
        fact(
            "billed",
            ru_text(provisioned) + &and_money(picture.limits.price.as_ref(), provisioned),
            picture.heat.ru_from.words(),
        ),
        fact("usable", ru_text(usable), "computed: Σ min(10,000, RU/s of the partition)"),
        fact("partitions at 10,000 RU/s", count_text(clamped as u64), from),
    ];
    evidence.extend(how_known(picture));
    let answers = usable_answers(picture, capacities, provisioned);
    Some(Verdict {
        evidence,
        steps: vec![Phrase::plain(steps::REDISTRIBUTE_EVENLY)],
        ..seen(picture, Rule::PaidNotUsable, Severity::Warn, headline, answers)
    })
}

/// Redistribution reaches all RU/s unless these partitions are too few; a split makes all fractions equal.
fn usable_answers(picture: &Picture<'_>, capacities: &[f64], provisioned: f64) -> Answers {
    let usable = usable(capacities, provisioned);
    let limits = picture.limits;
    let given = redistributed(provisioned, &vec![1.0; capacities.len()], limits.least_partition_ru);
    let after = given.iter().sum::<f64>().min(provisioned);
    let effect = |after: f64| {
        if after >= provisioned * (1.0 - limits.unusable_share) {
            RemedyEffect::Fixes
        } else if after > usable {
            RemedyEffect::Helps
        } else {
            RemedyEffect::None
        }
    };
    let least = (provisioned / PARTITION_RU_PER_SECOND).ceil();
    let (now, then) = (ru_text(usable), ru_text(after));
    let redistributed = format!("{now} usable now → {then} when redistributed evenly");
    Answers {
        more_ru: none("fractions persist: the same share of more RU/s stays unusable"),
        split: RemedyAnswer::new(
            RemedyEffect::Fixes,
            format!(
                "a split for RU/s makes fractions equal: {} need at least {} partitions",
                ru_text(provisioned),
                number_text(least)
            ),
        ),
        redistribute: RemedyAnswer::new(effect(after), redistributed),
        new_key: none("the RU/s of the partitions are the cause, not the keys"),
    }
}

fn how_known(picture: &Picture<'_>) -> Option<Fact> {
    let partitions = picture.physical.numbers.iter();
    let mut known = partitions
        .filter_map(|n| picture.heat.partitions.get(*n as usize)?.capacity)
        .map(|c| c.from);
    let first = known.next()?;
    let worst = known.fold(first, CapacityFrom::max);
    Some(fact("RU/s of partitions from", worst.words(), "inputs"))
}

/// The highest second of the metric, or a log by the second: means over longer steps hide seconds at the limit.
fn tracks<'p>(picture: &'p Picture<'_>) -> impl Iterator<Item = &'p Track> {
    let all = picture.heat.tracks.iter();
    all.filter(|track| match track.measure {
        Measure::NormalizedRu => true,
        Measure::LoggedShare => track.step_s == 1,
        _ => false,
    })
}

pub(super) fn throttled_by_bucket(picture: &Picture<'_>) -> Option<Verdict> {
    let attempts = picture.attempts.as_ref()?;
    let all = attempts.all;
    let share = all.throttled_share()?;
    let highest = tracks(picture).filter_map(|track| track.together.highest()).reduce(f64::max)?;
    let limits = picture.limits;
    if share <= limits.cured_throttled || highest >= limits.hot_share {
        return None;
    }
    let (what, next, from) = cause(picture, all.throttled)?;
    let inputs: Vec<&str> = tracks(picture).map(|track| track.from.as_str()).collect();
    let headline = Phrase::plain(format!(
        "{} of requests throttled, no partition above {}: {what}",
        percent_text(share),
        percent_text(highest)
    ));
    Some(Verdict {
        evidence: vec![
            fact("429 of requests", counts_text(&all, share), attempts.from.clone()),
            fact("highest RU/s share of any partition", percent_text(highest), inputs.join("; ")),
            fact("cause", what, from),
        ],
        steps: vec![Phrase::plain(next)],
        ..seen(picture, Rule::ThrottledByBucket, Severity::Warn, headline, bucket_answers())
    })
}

fn bucket_answers() -> Answers {
    let why =
        "no partition is near its RU/s: the limit of the client's own bucket or priority throttles";
    Answers {
        more_ru: RemedyAnswer::new(
            RemedyEffect::Unknown,
            "the limit of a bucket is a part of the RU/s and rises with them; raising the limit costs nothing",
        ),
        ..Answers::all(RemedyEffect::None, why)
    }
}

/// What throttles if no partition does, what to do next, and which input says so: the request log, else the metric. None
/// where the sub-status says that it was neither.
fn cause(picture: &Picture<'_>, throttled: f64) -> Option<(String, &'static str, &'static str)> {
    let logged = picture.capture.load.limited.get(&picture.number);
    let whole = picture.heat.whole;
    let log = logged.map(|l| (l.in_buckets, l.of_low_priority));
    let metric = (whole.in_buckets.unwrap_or(0), whole.of_low_priority.unwrap_or(0));
    let of = |n: u64| percent_text((real(n) / throttled.max(1.0)).min(1.0));
    let found =
        [(log.unwrap_or_default(), "request log"), (metric, "metric TotalRequests by dimension")];
    for ((buckets, low), from) in found {
        if buckets > 0 {
            let what = format!("{} of the 429s are of a throughput bucket", of(buckets));
            let next = "raise the limit of the throughput bucket, or move the client to another bucket (az cosmosdb sql container throughput show lists the limits)";
            return Some((what, next, from));
        }
        if low > 0 {
            let what = format!("{} of the 429s have low priority", of(low));
            let next =
                "raise the priority level of the requests, or provision RU/s for the low ones too";
            return Some((what, next, from));
        }
    }
    let cap = picture.container.throughput.and_then(|settings| settings.key_cap);
    if cap.is_some() || picture.caps_keys() {
        let what = cap.map_or_else(
            || "hot-key throttling may be the cause".to_owned(),
            |share| format!("one key may use {} of a partition", percent_text(share)),
        );
        let next = "the RU log names the key at its cap: spread its load, or raise maximumPerPartitionKeyThroughputUtilizationPercent (preview)";
        return Some((what, next, "settings of the account and the container (preview)"));
    }
    let is_neither = logged.is_some_and(|l| l.of_neither > 0);
    let what = "a throughput bucket or a low priority: unknown which".to_owned();
    let from = "no input has the sub-status, ThroughputBucket or PriorityLevel";
    (!is_neither).then_some((what, ASK, from))
}
