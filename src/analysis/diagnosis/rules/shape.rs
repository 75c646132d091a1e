//! Rules of the key and of the partitions: too few active keys, values that are no values, uneven RU/s.

use crate::analysis::diagnosis::demand::Demand;
use crate::analysis::diagnosis::picture::Picture;
use crate::analysis::diagnosis::steps;
use crate::analysis::diagnosis::stored::is_blank;
use crate::analysis::diagnosis::text::{json_of, number_text, ru_text, share_text};
use crate::analysis::diagnosis::{Answer, Answers, Fact, Phrase, Says, Verdict};
use crate::analysis::findings::Severity;
use crate::analysis::placement::as_number;
use crate::analysis::throttling::effective_keys;
use crate::model::units::{count_text, kib_text};

use super::{LOW_CARDINALITY, NULL_KEY, UNEVEN_RU_SHARES, fact};

const RU_LOG: &str = "RU log (PartitionKeyRUConsumption)";
/// Fewer records could not show that few keys are active.
const RECORDS_FOR_EACH_KEY: f64 = 10.0;

pub(super) fn low_cardinality(picture: &Picture<'_>) -> Option<Verdict> {
    let limits = picture.limits;
    let demand = picture.logged.as_ref()?;
    let count = picture.physical.len();
    if count < 2 || demand.keyless_share() >= limits.fan_out_share {
        return None;
    }
    let partitions = as_number(count);
    let wanted = limits.active_keys * partitions;
    if as_number(demand.asks.len()) < wanted * RECORDS_FOR_EACH_KEY {
        return None;
    }
    let active = demand.keys.len();
    let at_a_time = at_a_time(demand);
    let by_key = demand.ru_by_key();
    let effective = effective_keys(by_key.iter().map(|(_, ru)| *ru));
    let is_few = as_number(active) < wanted || at_a_time < partitions;
    let is_lopsided = effective < limits.effective_keys * partitions;
    if !is_few && !is_lopsided {
        return None;
    }
    let is_busy = picture.highest().is_some_and(|h| h >= limits.busy_share);
    let headline = format!(
        "{} keys take all requests of {count} partitions, worth {} equal keys; {} are active at a time",
        count_text(active as u64),
        number_text(effective),
        number_text(at_a_time)
    );
    let why =
        "as many partitions as there are can be used by so few keys, whatever RU/s are bought";
    Some(Verdict {
        rule: LOW_CARDINALITY,
        severity: if is_busy {
            Severity::Warn
        } else {
            Severity::Note
        },
        partition: None,
        region: picture.region.clone(),
        key: None,
        headline: Phrase::plain(headline),
        evidence: vec![
            fact("keys in the log", count_text(active as u64), RU_LOG),
            fact(
                "keys active in a second, on average",
                number_text(at_a_time),
                RU_LOG,
            ),
            fact(
                "equal keys that would be as uneven (K_eff)",
                number_text(effective),
                "computed, 1/Σw² of RU by key",
            ),
            fact(
                "keys wanted",
                format!("{} for {count} partitions", number_text(wanted)),
                "threshold active-keys",
            ),
        ],
        answers: Answers {
            more_ru: Answer::new(Says::No, why),
            split: Answer::new(Says::No, "a split leaves every key whole"),
            new_key: Answer::new(
                Says::Yes,
                format!(
                    "a key with at least {} values active at a time",
                    number_text(wanted)
                ),
            ),
        },
        what_if: Vec::new(),
        since: None,
        as_of: picture.as_of(),
        steps: vec![steps::try_keys(), steps::copy()],
    })
}

/// Keys asked for in a step, on average over the steps in which anything is.
fn at_a_time(demand: &Demand) -> f64 {
    let seconds = demand.asks.chunk_by(|a, b| a.second == b.second);
    let (mut sum, mut count) = (0_usize, 0_usize);
    for second in seconds {
        sum += second.len();
        count += 1;
    }
    if count == 0 {
        0.0
    } else {
        as_number(sum) / as_number(count)
    }
}

pub(super) fn null_key(picture: &Picture<'_>) -> Option<Verdict> {
    let limits = picture.limits;
    let stored = picture.stored;
    let whole = picture
        .container
        .kib()
        .filter(|kib| *kib > 0.0)
        .unwrap_or(stored.reported_kib);
    let of_data = if whole > 0.0 {
        stored.blank_kib / whole
    } else {
        0.0
    };
    let taken = picture.logged.as_ref().map(|demand| {
        let by_key = demand.ru_by_key();
        let total: f64 = by_key.iter().map(|(_, ru)| ru).sum();
        let blank = by_key.into_iter().filter(|(key, _)| {
            demand
                .keys
                .get(*key)
                .is_some_and(|k| is_blank(&k.canonical))
        });
        let first = blank
            .clone()
            .next()
            .and_then(|(key, _)| demand.keys.get(key));
        let ru: f64 = blank.map(|(_, ru)| ru).sum();
        (
            first.map(|k| k.canonical.clone()),
            if total > 0.0 { ru / total } else { 0.0 },
        )
    });
    let (of_log, of_ru) = taken.unwrap_or((None, 0.0));
    if of_data < limits.null_share && of_ru < limits.null_share {
        return None;
    }
    let key = stored
        .blank
        .as_ref()
        .map(|(key, _)| key.clone())
        .or(of_log)?;
    let mut evidence = Vec::new();
    if stored.blank_kib > 0.0 {
        let of = if picture.container.kib().is_some() {
            "of the container"
        } else {
            "of the reported keys"
        };
        evidence.push(fact(
            "data under null, missing and empty values",
            format!(
                "{}, {} {of}",
                kib_text(stored.blank_kib),
                share_text(of_data)
            ),
            "partition key statistics",
        ));
    }
    if of_ru > 0.0 {
        evidence.push(fact(
            "RU of them, of the RU with a key",
            share_text(of_ru),
            RU_LOG,
        ));
    }
    evidence.extend(largest_blank(picture));
    let is_large = stored
        .blank
        .as_ref()
        .is_some_and(|(_, kib)| picture.lookups.ceiling.share(*kib) >= limits.wall_warn);
    let is_hot = of_ru >= limits.null_share && picture.hot.is_some();
    Some(Verdict {
        rule: NULL_KEY,
        severity: if is_large || is_hot { Severity::Alarm } else { Severity::Warn },
        partition: None,
        region: picture.region.clone(),
        key: Some(key.clone()),
        headline: Phrase::default().key(json_of(&key)).and(format!(
            " and other values that are none hold {} of the data and take {} of the RU, in one logical partition each",
            share_text(of_data),
            share_text(of_ru)
        )),
        evidence,
        answers: Answers {
            more_ru: Answer::new(Says::No, "documents without a key value share one logical partition at any RU/s"),
            split: Answer::new(Says::No, "a split leaves every key whole, this one too"),
            new_key: Answer::new(Says::Yes, "with a value in every document they spread like the others"),
        },
        what_if: Vec::new(),
        since: None,
        as_of: picture.as_of(),
        steps: vec![
            Phrase::plain("find out which writer leaves the key out, and let it write a value: SELECT TOP 10 * FROM c WHERE NOT IS_DEFINED(c.<key>) OR IS_NULL(c.<key>)"),
            Phrase::plain("documents keep the key value they were written with: write them again under a real one, then delete the old ones"),
        ],
    })
}

fn largest_blank(picture: &Picture<'_>) -> Option<Fact> {
    let (key, kib) = picture.stored.blank.as_ref()?;
    Some(Fact {
        what: Phrase::plain("the largest of them: ").key(json_of(key)),
        value: format!(
            "{}, {} of the limit",
            kib_text(*kib),
            share_text(picture.lookups.ceiling.share(*kib))
        ),
        from: "partition key statistics".to_owned(),
    })
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
    let share = |place: u32| {
        picture
            .shares
            .as_ref()
            .and_then(|s| s.standing(place))
            .map(|s| s.p99)
    };
    let busiest = with_least
        .map(|(place, _)| (place, share(place)))
        .reduce(|a, b| if b.1 > a.1 { b } else { a })?;
    let is_busy = busiest.1.is_some_and(|s| s >= limits.busy_share);
    let name = picture.partition_text(busiest.0);
    let load = busiest
        .1
        .map_or_else(String::new, |s| format!(", at {} (p99)", share_text(s)));
    let says = if is_busy { Says::Yes } else { Says::NotNeeded };
    Some(Verdict {
        rule: UNEVEN_RU_SHARES,
        severity: if is_busy {
            Severity::Warn
        } else {
            Severity::Note
        },
        partition: picture.physical.number(busiest.0),
        region: picture.region.clone(),
        key: None,
        headline: Phrase::plain(format!(
            "{name} gets {}{load}, others up to {}: a split or a redistribution left them so",
            ru_text(least),
            ru_text(most)
        )),
        evidence: vec![
            fact(
                "least RU/s of a partition",
                ru_text(least),
                "RU/s of partitions",
            ),
            fact(
                "most RU/s of a partition",
                ru_text(most),
                "RU/s of partitions",
            ),
            fact(
                "partitions",
                count_text(capacities.len() as u64),
                "RU/s of partitions",
            ),
        ],
        answers: Answers {
            more_ru: Answer::new(
                Says::NotNeeded,
                "the RU/s that are bought could be handed out evenly",
            ),
            split: Answer::new(
                says,
                format!(
                    "evenly, each of {} would get {}",
                    capacities.len(),
                    ru_text(mean)
                ),
            ),
            new_key: Answer::new(
                Says::NotNeeded,
                "it is the RU/s that are uneven, not the keys",
            ),
        },
        what_if: Vec::new(),
        since: None,
        as_of: picture.as_of(),
        steps: vec![Phrase::plain(
            "if the load is even: az cosmosdb sql container redistribute-partition-throughput --resource-group <resource-group> --account-name <account> --database-name <database> --name <container> --evenly-distribute (preview extension cosmosdb-preview)",
        )],
    })
}
