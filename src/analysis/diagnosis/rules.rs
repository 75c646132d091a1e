//! The rules, one row each.

mod calm;
pub(super) mod cost;
mod forbidden;
mod load;
mod remedy_steps;
mod shape;
mod storage;
mod unjudged;
mod usable;

pub(super) use forbidden::unserved_ru;
pub(super) use storage::suffixes_for_size;

use super::picture::Picture;
use super::text::{json_of, number_text, second_text};
use super::thresholds::TABLE;
use super::{Answers, Fact, Phrase, RemedyAnswer, Severity, Verdict};
use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::rules::Rule;
use crate::model::units::counted;

type Check = fn(&Picture<'_>) -> Option<Verdict>;

/// The check of each rule, in the order of verdicts of one severity.
const CHECKS: [Check; 19] = [
    |picture| load::hot_key(picture).or_else(|| unjudged::hot_key(picture)),
    load::hot_range,
    |picture| load::hot_partition(picture).or_else(|| unjudged::hot_partition(picture)),
    load::fan_out,
    load::under_provisioned,
    usable::paid_not_usable,
    usable::throttled_by_bucket,
    |picture| storage::key_size(picture, 0),
    forbidden::forbidden,
    shape::null_key,
    calm::healthy,
    storage::filling,
    shape::uneven_ru_shares,
    shape::low_cardinality,
    calm::not_enough_data,
    cost::over_provisioned,
    cost::idle,
    cost::manual_or_autoscale,
    cost::merge_candidates,
];

/// Everything that strikes, worst first. What is healthy is said only where nothing else is wrong.
pub(super) fn strike(picture: &Picture<'_>) -> Vec<Verdict> {
    let checks = CHECKS.into_iter().enumerate();
    let mut struck: Vec<(usize, Verdict)> =
        checks.filter_map(|(order, check)| Some((order, check(picture)?))).collect();
    // One new key serves load and size.
    let for_load = struck.iter().find_map(|(_, v)| v.suffixes_for_load());
    if let Some(for_load) = for_load {
        for (_, verdict) in struck.iter_mut().filter(|(_, v)| v.is_of_size()) {
            *verdict = storage::key_size(picture, for_load).unwrap_or_else(|| verdict.clone());
        }
    }
    let is_wrong = |v: &Verdict| v.severity > Severity::Note;
    if struck.iter().any(|(_, v)| is_wrong(v)) {
        struck.retain(|(_, v)| v.rule != Rule::Healthy);
    }
    let throttled = |v: &Verdict| {
        let now = v.remedies.first().and_then(|row| row.throttled);
        now.map_or(0.0, |t| t.point)
    };
    // What remedies do for throttled load is said once: with the rule that is about it.
    let cured = picture.limits.cured_throttled;
    let judged = struck.iter().find(|(_, v)| v.remedies.len() > 1 && throttled(v) > cured);
    if let Some(judged) = judged.map(|(_, verdict)| verdict.answers.clone()) {
        let is_of_load = |rule| matches!(rule, Rule::LowCardinality | Rule::PaidNotUsable);
        for (_, verdict) in struck.iter_mut().filter(|(_, v)| is_of_load(v.rule)) {
            verdict.answers = judged.clone();
        }
    }
    // A key whose month or day is over is the least of all notes.
    let is_past = |v: &Verdict| v.rule == Rule::KeyNearLimit && !is_wrong(v);
    struck.sort_by(|(a_order, a), (b_order, b)| {
        (b.severity.cmp(&a.severity))
            .then(is_past(a).cmp(&is_past(b)))
            .then(throttled(b).total_cmp(&throttled(a)))
            .then(a_order.cmp(b_order))
    });
    let reported = struck.into_iter().map(|(_, mut verdict)| {
        verdict.evidence.extend(burst(verdict.rule, picture));
        verdict.evidence.extend(measured_against(verdict.rule, picture));
        verdict
    });
    reported.collect()
}

/// What burst capacity served, where a rule judges by the RU/s of partitions.
fn burst(rule: Rule, picture: &Picture<'_>) -> Option<Fact> {
    let bursts = &picture.heat.bursts;
    let (first, last) = (bursts.first()?.second, bursts.last()?.second);
    if !rule.thresholds().contains(&"hot") {
        return None;
    }
    let ru = number_text(bursts.iter().map(|burst| burst.ru).sum());
    let seconds: u64 = bursts.iter().map(|burst| u64::from(burst.step_s)).sum();
    let minutes = counted(seconds.div_ceil(60), "minute", "minutes");
    let value = format!("served {ru} RU in {minutes}: provisioned RU/s alone would not have");
    let [first, last] = [first, last].map(second_text);
    let metric = "metric TotalRequestUnits, CapacityType BurstCapacity";
    Some(fact("burst capacity", value, format!("{metric}, {first} to {last}")))
}

/// The thresholds of a rule with their values, as the last fact of its evidence.
fn measured_against(rule: Rule, picture: &Picture<'_>) -> Option<Fact> {
    let rows = TABLE.iter().filter(|row| rule.thresholds().contains(&row.name));
    let reported: Vec<String> = rows
        .map(|row| format!("{} {}", row.name, row.unit.text((row.value)(picture.limits))))
        .collect();
    (!reported.is_empty()).then(|| {
        fact("measured against", reported.join(", "), "thresholds, each of which can be set")
    })
}

/// A bare verdict with the region and the time of the picture.
fn seen(
    picture: &Picture<'_>,
    rule: Rule,
    severity: Severity,
    headline: Phrase,
    answers: Answers,
) -> Verdict {
    let (region, as_of) = (picture.region.clone(), picture.as_of());
    Verdict { region, as_of, ..bare(rule, severity, headline, answers) }
}

/// A verdict with nothing but its line and its answers yet.
fn bare(rule: Rule, severity: Severity, headline: Phrase, answers: Answers) -> Verdict {
    Verdict {
        rule,
        severity,
        partition: None,
        region: None,
        key: None,
        headline,
        detail: Phrase::default(),
        evidence: Vec::new(),
        answers,
        remedies: Vec::new(),
        since: None,
        until: None,
        as_of: None,
        steps: Vec::new(),
    }
}

/// An answer that it has no effect.
fn none(why: impl Into<String>) -> RemedyAnswer {
    RemedyAnswer::new(RemedyEffect::None, why)
}

/// An answer that it is not needed.
fn unneeded(why: &str) -> RemedyAnswer {
    RemedyAnswer::new(RemedyEffect::NotNeeded, why)
}

/// A fact without a key in its name.
pub(super) fn fact(
    what: impl Into<String>,
    value: impl Into<String>,
    from: impl Into<String>,
) -> Fact {
    Fact { what: Phrase::plain(what), value: value.into(), from: from.into() }
}

/// A fact of a key, by its canonical text, which stands behind the words.
pub(super) fn fact_of_key(
    what: &str,
    key: Option<&str>,
    value: String,
    from: impl Into<String>,
) -> Fact {
    let Fact { what, value, from } = fact(what, value, from);
    Fact { what: what.key(key.and_then(json_of)), value, from }
}
