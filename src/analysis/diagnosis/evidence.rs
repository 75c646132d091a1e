//! The numbers behind a verdict of load, each with where it comes from.

use std::fmt::Write as _;

use crate::analysis::heat::placement::disagreements;
use crate::model::units::{count_text, kib_text};

use super::demand::HowAsked;
use super::picture::{Hot, Picture};
use super::pressure::Pressure;
use super::shares::saturated_minutes;
use super::stored::LargeKey;
use super::text::{json_of, number_text, ru_text, second_text, share_text, span_text};
use super::what_if::{Remedies, WhatIf};
use super::{Fact, Phrase};

const RU_LOG: &str = "RU log (PartitionKeyRUConsumption)";
/// Keys told beside the first.
const MAX_KEYS: usize = 4;

fn fact(what: impl Into<String>, value: impl Into<String>, from: impl Into<String>) -> Fact {
    Fact {
        what: Phrase::plain(what),
        value: value.into(),
        from: from.into(),
    }
}

/// In the order of their weight.
pub fn of_load(picture: &Picture<'_>, hot: &Hot, remedies: Option<&Remedies>) -> Vec<Fact> {
    let mut facts = shares(picture, hot);
    if let Some(pressure) = &hot.pressure {
        facts.extend(keys(picture, hot, pressure));
    }
    facts.extend(refused(picture, hot));
    facts.extend(asked(picture, remedies));
    facts.extend(capacities(picture, hot));
    facts.extend(suspects(picture, hot.place).into_iter().take(3).map(|key| {
        Fact {
            what: Phrase::plain("a large key of the partition, a suspect by size alone: ")
                .key(json_of(&key.canonical)),
            value: kib_text(key.kib),
            from: "partition key statistics".to_owned(),
        }
    }));
    facts
}

fn shares(picture: &Picture<'_>, hot: &Hot) -> Vec<Fact> {
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
    let mut facts = vec![fact(
        format!("RU/s share of {name}, p99"),
        share_text(standing.p99),
        format!("{}, {window}; {of}", shares.from),
    )];
    facts.push(fact(
        format!("minutes in which {name} reached all of its RU/s"),
        number_text(saturated_minutes(standing)),
        shares.from.clone(),
    ));
    if let Some(others) = shares.others(hot.place) {
        facts.push(fact(
            "the others, p99 at most",
            share_text(others),
            shares.from.clone(),
        ));
    }
    facts
}

fn keys(picture: &Picture<'_>, hot: &Hot, pressure: &Pressure) -> Vec<Fact> {
    let mut facts = Vec::new();
    let width = picture.logged.as_ref().map_or(1, |d| d.width_s);
    let from = if width > 1 {
        format!(
            "{RU_LOG}, means over {}: the busiest second may be higher",
            span_text(i64::from(width))
        )
    } else {
        format!("{RU_LOG}, 1 s")
    };
    if let Some(busiest) = pressure.busiest {
        let second = second_text(busiest.second);
        let capacity = picture.physical.capacity(hot.place);
        let of = capacity.map_or_else(String::new, |c| format!(" of {}", ru_text(c)));
        let value = format!("{}{of} at {second}", ru_text(busiest.ru_per_second));
        facts.push(fact("busiest second of the partition", value, from.clone()));
        if let Some((key, ru)) = busiest.key {
            let part = capacity.map_or_else(String::new, |c| {
                format!(", {} of the partition's RU/s", share_text(ru / c))
            });
            facts.push(Fact {
                what: Phrase::plain("in it ").key(picture.key_text(key).and_then(json_of)),
                value: format!("{}{part}", ru_text(ru)),
                from: from.clone(),
            });
        }
    }
    let steps = match pressure.hot_steps {
        0 => "all steps of the log: none of them is hot".to_owned(),
        n => format!("{} hot steps", count_text(n as u64)),
    };
    for key in pressure.keys.iter().take(MAX_KEYS) {
        facts.push(Fact {
            what: Phrase::plain("part of the partition's RU taken by ")
                .key(picture.key_text(key.key).and_then(json_of)),
            value: share_text(key.share),
            from: format!("{from}, {steps}"),
        });
    }
    if pressure.keyless > 0.0 {
        facts.push(fact(
            "part of the partition's RU without a key",
            share_text(pressure.keyless),
            from,
        ));
    }
    let wrong = disagreements(
        picture.heat,
        picture.number,
        picture.capture,
        &picture.lookups.places,
    );
    if !wrong.is_empty() {
        facts.push(fact(
            "keys logged on another partition than their hash says",
            count_text(wrong.len() as u64),
            "RU log against hash ranges",
        ));
    }
    facts
}

fn refused(picture: &Picture<'_>, hot: &Hot) -> Vec<Fact> {
    let Some(refusals) = &picture.refusals else {
        return Vec::new();
    };
    let mut facts = Vec::new();
    let number = picture.physical.number(hot.place);
    if let Some(counts) = number.and_then(|n| refusals.on(n))
        && let Some(share) = counts.refused_share()
    {
        facts.push(fact(
            format!(
                "requests to {} refused with 429, measured",
                picture.partition_text(hot.place)
            ),
            format!(
                "{} of {} requests",
                share_text(share),
                number_text(counts.requests.round())
            ),
            refusals.from.clone(),
        ));
    }
    if let Some(share) = refusals.all.refused_share() {
        facts.push(fact(
            "requests to the container refused with 429, measured",
            format!(
                "{} of {} requests",
                share_text(share),
                number_text(refusals.all.requests.round())
            ),
            refusals.from.clone(),
        ));
    }
    facts
}

fn asked(picture: &Picture<'_>, remedies: Option<&Remedies>) -> Vec<Fact> {
    let (Some(remedies), Some(asked)) = (remedies, &picture.asked) else {
        return Vec::new();
    };
    let mut from = match asked.how {
        HowAsked::Logged if goes_beyond(picture, remedies) => {
            "computed from the load as logged, which is more than partitions give: the log holds refused requests too, or some of them twice".to_owned()
        }
        HowAsked::Logged => "computed from the load as logged".to_owned(),
        HowAsked::Estimated { most_refused } => format!(
            "estimated: what was served divided by what was not refused, up to {} refused; requests sent again count again, so this is the most",
            share_text(most_refused)
        ),
        HowAsked::Shares => "computed from shares of RU/s, without keys".to_owned(),
    };
    if asked.width_s > 1 {
        let step = span_text(i64::from(asked.width_s));
        let _ = write!(
            from,
            "; steps of {step} are no single seconds: this is the least"
        );
    }
    let mut facts = Vec::new();
    if let Some(outcome) = remedies.now.outcome {
        facts.push(fact(
            "part of the RU asked for that is refused, computed (T)",
            share_text(outcome.refused_share),
            from.clone(),
        ));
        facts.push(fact(
            "highest load of a partition",
            ru_text(outcome.highest),
            from.clone(),
        ));
        facts.push(fact(
            "load ratio, largest over mean (S)",
            number_text_2(outcome.load_ratio),
            from.clone(),
        ));
    }
    facts.push(fact(
        "refused at any RU/s",
        share_text(remedies.floor),
        from,
    ));
    if asked.unplaced_ru > 0.0 {
        facts.push(fact(
            "RU on no known partition, left out",
            number_text(asked.unplaced_ru),
            RU_LOG,
        ));
    }
    facts
}

/// Whether some partition was asked for more than it gives.
fn goes_beyond(picture: &Picture<'_>, remedies: &Remedies) -> bool {
    let most = picture
        .physical
        .capacities
        .iter()
        .flatten()
        .copied()
        .fold(0.0, f64::max);
    remedies
        .now
        .outcome
        .is_some_and(|o| o.refused > 0.0 && o.highest > most)
}

/// `2.65`.
fn number_text_2(n: f64) -> String {
    if n.is_finite() {
        format!("{n:.2}")
    } else {
        "–".to_owned()
    }
}

fn capacities(picture: &Picture<'_>, hot: &Hot) -> Option<Fact> {
    let number = picture.physical.number(hot.place)?;
    let capacity = picture.heat.partitions.get(number as usize)?.capacity?;
    Some(fact(
        format!("RU/s of {}", picture.partition_text(hot.place)),
        ru_text(capacity.ru_per_second),
        capacity.from.words(),
    ))
}

/// Large keys of a partition, where no log names those that load it.
pub fn suspects<'p>(picture: &'p Picture<'_>, place: u32) -> Vec<&'p LargeKey> {
    let named = picture
        .hot
        .as_ref()
        .and_then(|h| h.pressure.as_ref())
        .is_some_and(|p| !p.keys.is_empty());
    let known = picture
        .physical
        .number(place)
        .and_then(|n| picture.heat.partitions.get(n as usize)?.known);
    if named || known.is_none() {
        return Vec::new();
    }
    let large = picture.stored.large.iter();
    large.filter(|key| key.partition_at == known).collect()
}

/// Where nothing could be computed the share of refused requests stands for what is refused now.
pub fn with_refused(what_if: &mut Vec<WhatIf>, picture: &Picture<'_>, place: u32) {
    let Some(refusals) = &picture.refusals else {
        return;
    };
    let number = picture.physical.number(place);
    let share = number
        .and_then(|n| refusals.share_on(n))
        .or_else(|| refusals.all.refused_share());
    if let Some(share) = share {
        with_share(what_if, share);
    }
}

pub fn with_share(what_if: &mut Vec<WhatIf>, refused: f64) {
    what_if.push(WhatIf {
        name: "now".to_owned(),
        words: "now, requests refused with 429".to_owned(),
        refused: Some(refused),
        load_ratio: None,
    });
}
