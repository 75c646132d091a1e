//! Rules of the key and of the partitions: too few active keys, values that are no values, uneven RU/s.

use crate::analysis::demand::Demand;
use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::diagnosis::card::GAP;
use crate::analysis::diagnosis::picture::Picture;
use crate::analysis::diagnosis::steps;
use crate::analysis::diagnosis::stored_keys::is_blank;
use crate::analysis::diagnosis::text::{RU_LOG, json_of, number_text, ru_text};
use crate::analysis::diagnosis::{Answers, Fact, Phrase, RemedyAnswer, Verdict};
use crate::analysis::findings::Severity;
use crate::analysis::throttling::effective_keys;
use crate::model::units::{as_number, count_text, counted, kib_text, percent_text, real_seconds};

use crate::analysis::rules::Rule;

use super::{bare, fact, fact_of_key, none, seen, unneeded};

/// Steps in which a key is seen, on average, before the keys seen are thought to be all there are.
const SEEN_EACH: f64 = 10.0;

/// What the keys of a log are worth.
struct Variety {
    active: usize,
    /// Small keys are not listed: the count is a lower bound.
    is_at_least: bool,
    needed: f64,
    at_a_time: f64,
    effective: f64,
    first: String,
    of_first: f64,
}

fn variety(picture: &Picture<'_>) -> Option<Variety> {
    let demand = picture.logged.as_ref()?;
    let active = demand.keys.len();
    // Keys that come back show that there are no others; a log in which each is seen once shows nothing.
    if active == 0 || as_number(demand.loads.len()) < as_number(active) * SEEN_EACH {
        return None;
    }
    let by_key = demand.ru_by_key();
    let total: f64 = by_key.iter().map(|(_, ru)| ru).sum();
    let (first, of_first) = by_key.first().copied()?;
    // RU of small keys by those of the listed ones; each of them adds nothing to the sum of squares.
    let (small, unlisted) = (1.0 - picture.unnamed_part, demand.keyless_share());
    let times = 1.0 + small * unlisted / (1.0 - unlisted);
    Some(Variety {
        active: active + usize::from(small > 0.0),
        is_at_least: small > 0.0,
        needed: picture.limits.active_keys * as_number(picture.physical.len()),
        at_a_time: at_a_time(demand),
        effective: effective_keys(by_key.iter().map(|(_, ru)| *ru)) * times * times,
        first: picture.key_text(first)?.to_owned(),
        of_first: of_first / (total * times).max(f64::MIN_POSITIVE),
    })
}

pub(super) fn low_cardinality(picture: &Picture<'_>) -> Option<Verdict> {
    let limits = picture.limits;
    let count = picture.physical.len();
    let keyless = picture.logged.as_ref()?.keyless_share();
    if count < 2 || keyless >= limits.fan_out_share {
        return None;
    }
    let found = variety(picture)?;
    let is_few = as_number(found.active) < found.needed && !found.is_at_least;
    if !is_few && found.effective >= limits.effective_keys * as_number(count) {
        return None;
    }
    let is_busy = picture.highest().is_some_and(|h| h >= limits.busy_share);
    let severity = if is_busy { Severity::Warn } else { Severity::Note };
    let partitions = counted(count as u64, "partition", "partitions");
    let headline = Phrase::plain(format!(
        "{} for {partitions}{GAP}behave like {} by RU{GAP}",
        keys_text(&found),
        number_text(found.effective),
    ))
    .key(json_of(&found.first))
    .and(format!(" {} of RU", percent_text(found.of_first)));
    let wanted = number_text(found.needed);
    let answers = Answers {
        more_ru: none("one key is served by one partition"),
        split: none("a split does not divide a key"),
        redistribute: none("it moves RU/s between partitions, not keys"),
        new_key: RemedyAnswer::new(
            RemedyEffect::Fixes,
            format!(
                "it needs at least {wanted} values active at a time, each with a small share of the load"
            ),
        ),
    };
    Some(Verdict {
        key: Some(found.first.clone()),
        evidence: vec![
            fact("keys in the log", found.active_text(), RU_LOG),
            fact("keys active in a second, on average", number_text(found.at_a_time), RU_LOG),
            fact(
                "effective keys (K_eff)",
                number_text(found.effective),
                "computed: 1 / Σ w² of RU by key",
            ),
            fact("keys needed", format!("{wanted} for {partitions}"), "threshold active-keys"),
        ],
        steps: [steps::TRY_KEYS, steps::COPY].map(Phrase::plain).to_vec(),
        ..seen(picture, Rule::LowCardinality, severity, headline, answers)
    })
}

impl Variety {
    fn active_text(&self) -> String {
        let least = if self.is_at_least { "≥ " } else { "" };
        format!("{least}{}", count_text(self.active as u64))
    }
}

fn keys_text(found: &Variety) -> String {
    let noun = if found.active == 1 { "key" } else { "keys" };
    format!("{} active {noun}", found.active_text())
}

/// Keys with demand in a step, on average over the steps in which anything is.
fn at_a_time(demand: &Demand) -> f64 {
    let seconds = demand.loads.chunk_by(|a, b| a.second == b.second);
    let (mut sum, mut count) = (0_usize, 0_usize);
    for second in seconds {
        sum += second.len();
        count += 1;
    }
    if count == 0 { 0.0 } else { as_number(sum) / as_number(count) }
}

fn find_writer(picture: &Picture<'_>) -> String {
    let path = picture.container.definition.as_ref();
    let path = path.and_then(|definition| definition.paths.first()?.strip_prefix('/'));
    // A name that needs quotes is filled in by hand.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '/');
    let path = path.filter(|path| path.chars().all(is_plain));
    let name = format!("c.{}", path.unwrap_or("<property>").replace('/', "."));
    format!(
        "find out which writer leaves the key out, and let it write a value: SELECT TOP 10 * FROM c WHERE NOT IS_DEFINED({name}) OR IS_NULL({name})"
    )
}

/// What null, missing and empty values hold and take.
struct Blank {
    key: String,
    of_data: f64,
    of_ru: f64,
    /// On average over the log, over a minute at least.
    mean_ru: f64,
}

fn blank(picture: &Picture<'_>) -> Option<Blank> {
    let stored = picture.stored;
    let whole = picture.container.kib().filter(|kib| *kib > 0.0);
    let whole = whole.unwrap_or(stored.reported_kib);
    let of_data = if whole > 0.0 { stored.blank_kib / whole } else { 0.0 };
    let (mut of_log, mut ru, mut total) = (None, 0.0, 0.0);
    if let Some(demand) = &picture.logged {
        for (at, of_key) in demand.ru_by_key() {
            total += of_key;
            if let Some(key) = demand.keys.get(at).filter(|k| is_blank(&k.canonical)) {
                ru += of_key;
                of_log.get_or_insert_with(|| key.canonical.clone());
            }
        }
    }
    let of_ru = if total > 0.0 { ru / total } else { 0.0 };
    let of_stored = stored.blank.as_ref().map(|(key, _)| key.clone());
    let least = picture.limits.null_share;
    let span = picture.logged.as_ref().map_or((0, 0), |d| d.span);
    let seconds = real_seconds(span.1.saturating_sub(span.0).max(60));
    let width = picture.logged.as_ref().map_or(1, |d| d.step_s);
    (of_data >= least || of_ru >= least).then_some(())?;
    Some(Blank {
        key: of_stored.or(of_log)?,
        of_data,
        of_ru,
        mean_ru: ru * f64::from(width) / seconds,
    })
}

pub(super) fn null_key(picture: &Picture<'_>) -> Option<Verdict> {
    let limits = picture.limits;
    let found = blank(picture)?;
    let largest = picture.stored.blank.as_ref().map(|(_, kib)| picture.lookups.ceiling.share(*kib));
    let is_large = largest.is_some_and(|share| share >= limits.limit_warn);
    let is_hot = found.of_ru >= limits.null_share && picture.hot.is_some();
    let severity = if is_large || is_hot {
        Severity::Alarm
    } else if found.of_data >= limits.null_share || found.mean_ru >= limits.null_ru {
        Severity::Warn
    } else {
        Severity::Note
    };
    let parts = [(found.of_data, "hold", "data"), (found.of_ru, "take", "RU")];
    let parts = parts.iter().filter(|p| p.0 > 0.0);
    let parts: Vec<String> = parts
        .map(|(share, verb, what)| format!("{verb} {} of the {what}", percent_text(*share)))
        .collect();
    let headline = Phrase::default()
        .key(json_of(&found.key))
        .and(format!(" and values like it {}, each in one logical partition", parts.join(" and ")));
    let answers = Answers {
        more_ru: none("documents without a key value share one logical partition at any RU/s"),
        split: none("a split does not divide a key"),
        redistribute: none("documents without a key value stay in one logical partition"),
        new_key: RemedyAnswer::new(
            RemedyEffect::Fixes,
            "with a value in every document they spread like the others",
        ),
    };
    Some(Verdict {
        evidence: blank_evidence(picture, &found),
        key: Some(found.key),
        steps: vec![
            Phrase::plain(find_writer(picture)),
            Phrase::plain(
                "documents keep the key value they were written with: write them again under a real one, then delete the old ones",
            ),
        ],
        ..seen(picture, Rule::NullKey, severity, headline, answers)
    })
}

fn blank_evidence(picture: &Picture<'_>, found: &Blank) -> Vec<Fact> {
    let mut evidence = Vec::new();
    if picture.stored.blank_kib > 0.0 {
        let of = match picture.container.kib() {
            Some(_) => "of the container",
            None => "of the reported keys",
        };
        evidence.push(fact(
            "data under null, missing and empty values",
            format!("{}, {} {of}", kib_text(picture.stored.blank_kib), percent_text(found.of_data)),
            "partition key statistics",
        ));
    }
    if found.of_ru > 0.0 {
        evidence.push(fact("RU of them, of the RU with a key", percent_text(found.of_ru), RU_LOG));
    }
    evidence.extend(largest_blank(picture));
    evidence
}

fn largest_blank(picture: &Picture<'_>) -> Option<Fact> {
    let (key, kib) = picture.stored.blank.as_ref()?;
    let share = percent_text(picture.lookups.ceiling.share(*kib));
    let value = format!("{}, {share} of the limit", kib_text(*kib));
    Some(fact_of_key("the largest of them: ", Some(key), value, "partition key statistics"))
}

pub(super) fn uneven_ru_shares(picture: &Picture<'_>) -> Option<Verdict> {
    let limits = picture.limits;
    let capacities = picture.physical.capacities.as_ref()?;
    let mean = capacities.iter().sum::<f64>() / as_number(capacities.len());
    let least = capacities.iter().copied().fold(f64::INFINITY, f64::min);
    let most = capacities.iter().copied().fold(0.0, f64::max);
    if most - least <= mean * limits.uneven_capacity {
        return None;
    }
    let with_least = (0_u32..).zip(capacities).filter(|(_, c)| **c <= least);
    let share = |place: u32| picture.shares.as_ref().and_then(|s| s.standing(place)).map(|s| s.p99);
    let busiest = with_least
        .map(|(place, _)| (place, share(place)))
        .reduce(|a, b| if b.1 > a.1 { b } else { a })?;
    let is_busy = busiest.1.is_some_and(|s| s >= limits.busy_share);
    let name = picture.partition_text(busiest.0);
    let load = busiest.1.map_or_else(String::new, |s| format!(", at {} (p99)", percent_text(s)));
    let (says, severity) = if is_busy {
        (RemedyEffect::Fixes, Severity::Warn)
    } else {
        (RemedyEffect::NotNeeded, Severity::Note)
    };
    let headline = Phrase::plain(format!(
        "{name} has {}{load}, others up to {}, as after a split or a redistribution",
        ru_text(least),
        ru_text(most)
    ));
    let from = "RU/s of partitions";
    Some(Verdict {
        partition: picture.physical.number(busiest.0),
        evidence: vec![
            fact("least RU/s of a partition", ru_text(least), from),
            fact("most RU/s of a partition", ru_text(most), from),
            fact("partitions", count_text(capacities.len() as u64), from),
        ],
        steps: vec![Phrase::plain(steps::REDISTRIBUTE_EVENLY)],
        as_of: picture.as_of(),
        ..bare(Rule::UnevenRuShares, severity, headline, evened(says, capacities.len(), mean))
    })
}

/// Only redistribution has a part in it.
fn evened(says: RemedyEffect, partitions: usize, mean: f64) -> Answers {
    let evenly = format!("evenly, each of {partitions} would get {}", ru_text(mean));
    Answers {
        more_ru: unneeded("the provisioned RU/s can be redistributed evenly"),
        split: unneeded("the RU/s are uneven, not the hash ranges"),
        redistribute: RemedyAnswer::new(says, evenly),
        new_key: unneeded("the RU/s are uneven, not the keys"),
    }
}
