//! Rules of size: logical partitions against 20 GB, physical ones against 50 GB.

use std::cmp::Reverse;
use std::fmt::Write as _;

use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::demand::remedies::SUFFIXES;
use crate::analysis::diagnosis::card::GAP;
use crate::analysis::diagnosis::picture::Picture;
use crate::analysis::diagnosis::steps;
use crate::analysis::diagnosis::stored_keys::LargeKey;
use crate::analysis::diagnosis::text::json_of;
use crate::analysis::diagnosis::{Answers, Fact, Phrase, RemedyAnswer, Verdict};
use crate::analysis::findings::Severity;
use crate::analysis::growth::LimitDate;
use crate::model::time::Stamp;
use crate::model::units::{PHYSICAL_CEILING_KIB, counted, kib_text, percent_text};

use crate::analysis::rules::Rule;

use super::forbidden::Forbidden;
use super::{bare, fact};

const STATISTICS: &str = "partition key statistics, estimates of the service";

/// How near a key is to its limit, by size or by date.
fn severity_of(key: &LargeKey, picture: &Picture<'_>) -> Option<Severity> {
    let limits = picture.limits;
    let days = match (&key.limit_date, key.newest) {
        (LimitDate::Date { earliest, .. }, Some(newest)) => earliest.days_since(newest),
        _ => f64::INFINITY,
    };
    if key.share >= limits.limit_alarm || days <= limits.limit_alarm_days {
        Some(Severity::Alarm)
    } else if key.share >= limits.limit_warn || days <= limits.limit_warn_days {
        Some(Severity::Warn)
    } else {
        None
    }
}

pub(super) fn key_size(picture: &Picture<'_>) -> Option<Verdict> {
    let struck = picture.stored.large.iter();
    let mut struck: Vec<(Severity, &LargeKey)> = struck
        .filter_map(|key| Some((severity_of(key, picture)?, key)))
        .collect();
    // Largest first within a severity: that is their order already.
    struck.sort_by_key(|s| Reverse(s.0));
    let (severity, key) = *struck.first()?;
    let refused = forbidden_to(key, picture);
    let rule = if is_full(key, picture) {
        Rule::KeyOverLimit
    } else {
        Rule::KeyNearLimit
    };
    let of_limit = match refused {
        Some(_) if rule == Rule::KeyOverLimit => String::new(),
        _ => format!(", {} of the 20 GB limit", percent_text(key.share)),
    };
    let size = format!("{GAP}{}{of_limit}", kib_text(key.kib));
    let state = match &key.limit_date {
        _ if rule == Rule::KeyOverLimit => {
            let words = refused.as_ref().map(Forbidden::words);
            words.unwrap_or_else(|| format!("{GAP}writes get 403"))
        }
        LimitDate::Date { at, .. } => format!("{GAP}reaches it on {}", at.date_text()),
        LimitDate::Over | LimitDate::Never | LimitDate::Unknown => String::new(),
    };
    let others = match struck.len() - 1 {
        0 => String::new(),
        n => format!("{GAP}+{}", counted(n as u64, "key", "keys")),
    };
    let json = json_of(&key.canonical);
    let headline = Phrase::default()
        .key(json)
        .and(format!("{size}{state}{others}"));
    Some(Verdict {
        partition: heat_number(picture, key.partition_at),
        key: Some(key.canonical.clone()),
        evidence: evidence(picture, &struck, refused.as_ref()),
        as_of: key.newest.or(picture.stored.newest),
        steps: vec![
            Phrase::plain("delete early, or set a time to live: deletes free space late"),
            Phrase::plain(
                "a support ticket can raise the limit for a while, without a service level agreement",
            ),
            steps::copy(),
            steps::try_keys(),
        ],
        ..bare(rule, severity, headline, answers(key, picture))
    })
}

/// 403s to the partition of a key, of all partitions where it is unknown.
fn forbidden_to(key: &LargeKey, picture: &Picture<'_>) -> Option<Forbidden> {
    let place = heat_number(picture, key.partition_at);
    Forbidden::on(picture, |number| place.is_none_or(|at| at == number))
}

/// Sizes are estimates: a key a little below the limit is at it where writes get 403.
fn is_full(key: &LargeKey, picture: &Picture<'_>) -> bool {
    let limits = picture.limits;
    key.share >= limits.limit_full
        || key.share >= limits.limit_alarm && forbidden_to(key, picture).is_some()
}

/// The partition of each key at its limit, None where it is unknown.
pub(super) fn full_keys(picture: &Picture<'_>) -> impl Iterator<Item = Option<u32>> {
    let large = picture.stored.large.iter();
    let full = large.filter(|key| is_full(key, picture));
    full.map(|key| heat_number(picture, key.partition_at))
}

/// The partition of the load model that a partition of the capture is.
fn heat_number(picture: &Picture<'_>, known: Option<usize>) -> Option<u32> {
    let known = known?;
    let mut numbered = (0_u32..).zip(&picture.heat.partitions);
    numbered
        .find(|(_, p)| p.known == Some(known))
        .map(|(number, _)| number)
}

fn evidence(
    picture: &Picture<'_>,
    struck: &[(Severity, &LargeKey)],
    refused: Option<&Forbidden>,
) -> Vec<Fact> {
    let mut facts: Vec<Fact> = refused.map(Forbidden::fact).into_iter().collect();
    for (_, key) in struck.iter().take(5) {
        let mut value = format!("{}, {}", kib_text(key.kib), percent_text(key.share));
        if let Some(growth) = key.kib_per_day {
            let sign = if growth < 0.0 { "-" } else { "+" };
            let _ = write!(value, ", {sign}{} a day", kib_text(growth.abs()));
        }
        if let LimitDate::Date {
            at,
            earliest,
            latest,
        } = &key.limit_date
        {
            let latest = latest.map_or_else(|| "open".to_owned(), Stamp::date_text);
            let _ = write!(
                value,
                ", reaches 20 GB on {} (between {} and {latest})",
                at.date_text(),
                earliest.date_text()
            );
        }
        facts.push(Fact {
            what: Phrase::plain("size of ").key(json_of(&key.canonical)),
            value,
            from: STATISTICS.to_owned(),
        });
    }
    facts.push(fact(
        "the limit",
        picture.lookups.ceiling.sentence(),
        "product limit",
    ));
    facts
}

fn answers(key: &LargeKey, picture: &Picture<'_>) -> Answers {
    let limits = picture.limits;
    let fits = |count: &&u32| key.share / f64::from(**count) < limits.limit_warn;
    let new_key = match SUFFIXES.iter().find(fits) {
        Some(count) => {
            let each = key.kib / f64::from(*count);
            let share = percent_text(picture.lookups.ceiling.share(each));
            let why = format!(
                "with {count} suffixes it is {} each, {share} of the limit",
                kib_text(each)
            );
            RemedyAnswer::new(RemedyEffect::Fixes, why)
        }
        None => RemedyAnswer::new(RemedyEffect::None, "this key needs more than 100 suffixes"),
    };
    Answers {
        more_ru: RemedyAnswer::new(
            RemedyEffect::None,
            "the limit of a logical partition is the same at any RU/s",
        ),
        split: RemedyAnswer::new(RemedyEffect::None, "a split does not divide a key"),
        redistribute: RemedyAnswer::new(
            RemedyEffect::None,
            "RU/s do not change the limit of a logical partition",
        ),
        new_key,
    }
}

/// Number, share of 50 GB and size of each partition whose size is known.
fn sizes(picture: &Picture<'_>) -> Vec<(u32, f64, f64)> {
    let size_of = |number: &u32| {
        let partition = picture.heat.partitions.get(*number as usize)?;
        let known = partition
            .known
            .and_then(|at| picture.container.partitions.get(at));
        let kib = partition.kib.or_else(|| known?.kib)?;
        Some((*number, kib / PHYSICAL_CEILING_KIB, kib))
    };
    picture
        .physical
        .numbers
        .iter()
        .filter_map(size_of)
        .collect()
}

pub(super) fn filling(picture: &Picture<'_>) -> Option<Verdict> {
    let limits = picture.limits;
    let sizes = sizes(picture);
    let fullest = sizes
        .iter()
        .copied()
        .reduce(|a, b| if b.1 > a.1 { b } else { a });
    let (number, share, kib) = fullest?;
    if share < limits.filling_note {
        return None;
    }
    // The service splits it by itself; it is a worry only where there would be too few RU/s for each afterwards.
    let is_busy = picture.highest().is_some_and(|h| h >= limits.busy_share);
    let severity = if share >= limits.filling_warn && is_busy {
        Severity::Warn
    } else {
        Severity::Note
    };
    let many = sizes.iter().filter(|s| s.1 >= limits.filling_note).count();
    let place = picture.physical.place(number)?;
    let name = picture.partition_text(place);
    let others = match many.saturating_sub(1) {
        0 => String::new(),
        n => format!(", {n} more above {}", percent_text(limits.filling_note)),
    };
    let split = "the service splits it near 50 GB; one more partition then shares the RU/s";
    let headline = Phrase::plain(format!(
        "{name} holds {}, {} of 50 GB{others}: it will be split",
        kib_text(kib),
        percent_text(share)
    ));
    let answers = Answers {
        more_ru: RemedyAnswer::new(
            RemedyEffect::NotNeeded,
            "storage splits partitions at any RU/s; each new one gets an equal share of the same RU/s",
        ),
        split: RemedyAnswer::new(RemedyEffect::Fixes, split),
        redistribute: RemedyAnswer::new(
            RemedyEffect::NotNeeded,
            "RU/s do not change what a partition stores",
        ),
        new_key: RemedyAnswer::new(RemedyEffect::NotNeeded, "a split needs no other key"),
    };
    let from = "sizes of physical partitions";
    Some(Verdict {
        partition: Some(number),
        evidence: vec![
            fact("size", kib_text(kib), from),
            fact(
                "partitions filling",
                format!("{many} of {}", sizes.len()),
                from,
            ),
        ],
        as_of: picture.stored.newest.or_else(|| picture.as_of()),
        steps: vec![
            Phrase::plain("after the split, compare the RU/s of each partition with its load"),
            steps::usages(),
        ],
        ..bare(Rule::PartitionFilling, severity, headline, answers)
    })
}
