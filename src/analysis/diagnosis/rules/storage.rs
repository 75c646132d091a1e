//! Rules of size: logical partitions against 20 GB, physical ones against 50 GB.

use std::cmp::Reverse;
use std::fmt::Write as _;

use crate::analysis::ceiling::{Ceiling, Reading};
use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::demand::remedies::SUFFIXES;
use crate::analysis::diagnosis::card::{GAP, LIMITS};
use crate::analysis::diagnosis::picture::Picture;
use crate::analysis::diagnosis::since::length_text;
use crate::analysis::diagnosis::steps;
use crate::analysis::diagnosis::stored_keys::LargeKey;
use crate::analysis::diagnosis::text::json_of;
use crate::analysis::diagnosis::{Answers, Fact, Phrase, RemedyAnswer, Verdict};
use crate::analysis::findings::Severity;
use crate::analysis::growth::{HORIZON_DAYS, LimitDate, limit_date_words};
use crate::analysis::suffix::ChangedLevel;
use crate::model::time::Stamp;
use crate::model::units::{PHYSICAL_CEILING_KIB, count_text, kib_text, percent_text};

use crate::analysis::rules::Rule;

use super::forbidden::Forbidden;
use super::{bare, fact, fact_of_key, none, remedy_steps, unneeded};

/// What is done meanwhile.
const GAIN_TIME: [&str; 2] = [
    "delete documents of the key: query their ids by the key, delete each. Or set a time to live on the container: it deletes old documents of every key. Both take hours: deletes free space late and use RU/s",
    "open a support ticket: it can raise the 20 GB for a while, without a service level agreement",
];
/// Whatever lasts longer lasts.
const MOST_DAYS: f64 = 36_525.0;
const STATISTICS: &str = "partition key statistics, estimates of the service";

/// Until when the growth of a key counts.
#[derive(Clone, Copy, PartialEq, Debug)]
enum GrowthEnd {
    /// The month or day that the key names is over.
    Past,
    /// The month or day that it names ends then.
    Period(Stamp),
    /// A year from now.
    Horizon,
    Unknown,
}

/// A key at its limit, or near it.
struct StruckKey<'k> {
    severity: Severity,
    key: &'k LargeKey,
    is_full: bool,
    /// By its size, not by its date alone.
    is_near: bool,
    end: GrowthEnd,
    /// What it has then.
    kib: f64,
    kib_per_day: Option<f64>,
    /// As writes that get 403 show it.
    is_estimate: bool,
}

/// What a key has at the end of its growth.
fn ahead(key: &LargeKey, growth: Option<f64>, picture: &Picture<'_>) -> (GrowthEnd, f64) {
    let newest = key.newest.zip(picture.stored.newest);
    let days = |end: Stamp| newest.map_or(0.0, |(newest, _)| end.days_since(newest).max(0.0));
    let after = |days: f64| key.kib + growth.unwrap_or(0.0).max(0.0) * days;
    match (key.period_end, growth) {
        (Some(end), _) if newest.is_some_and(|(_, newest)| end < newest) => {
            (GrowthEnd::Past, key.kib)
        }
        (Some(end), _) => (GrowthEnd::Period(end), after(days(end))),
        (None, Some(_)) => (GrowthEnd::Horizon, after(HORIZON_DAYS)),
        (None, None) => (GrowthEnd::Unknown, key.kib),
    }
}

/// What is written to a full key that no size shows, where all 403s of its partition are of this key.
fn unstored(key: &LargeKey, picture: &Picture<'_>) -> Option<f64> {
    let at = heat_number(picture, key.partition_at)?;
    let of_other = |full: &Option<u32>| full.is_none_or(|full| full == at);
    if full_keys(picture).filter(of_other).count() > 1 {
        return None;
    }
    Forbidden::on(picture, |number| number == at)?.unstored_kib(picture)
}

/// How near a key is to its limit, by size or by date: of a month or day that goes on by the size at its end.
fn judge<'k>(key: &'k LargeKey, picture: &Picture<'_>) -> Option<StruckKey<'k>> {
    let limits = picture.limits;
    let days = match (&key.limit_date, key.newest) {
        (LimitDate::Date { earliest, .. }, Some(newest)) => earliest.days_since(newest),
        _ => f64::INFINITY,
    };
    let is_full = is_full(key, picture);
    // What is full cannot grow: that it stands tells nothing.
    let measured = key.kib_per_day.filter(|growth| *growth > 0.0 || !is_full);
    let is_unknown = is_full && measured.is_none();
    let estimate = is_unknown.then(|| unstored(key, picture)).flatten();
    let kib_per_day = measured.or(estimate);
    let (end, kib) = ahead(key, kib_per_day, picture);
    let share = match end {
        GrowthEnd::Period(_) => picture.lookups.ceiling.share(kib),
        GrowthEnd::Past | GrowthEnd::Horizon | GrowthEnd::Unknown => key.share,
    };
    let found = if share >= limits.limit_alarm || days <= limits.limit_alarm_days {
        Severity::Alarm
    } else if share >= limits.limit_warn || days <= limits.limit_warn_days {
        Severity::Warn
    } else {
        return None;
    };
    let is_past = end == GrowthEnd::Past && !is_full;
    Some(StruckKey {
        severity: if is_past { Severity::Note } else { found },
        key,
        is_full,
        is_near: share >= limits.limit_warn,
        end,
        kib,
        kib_per_day,
        is_estimate: estimate.is_some(),
    })
}

/// `suffixes`: so many there are in any case, for the load.
pub(super) fn key_size(picture: &Picture<'_>, suffixes: u32) -> Option<Verdict> {
    let large = picture.stored.large.iter();
    let mut struck: Vec<_> = large.filter_map(|key| judge(key, picture)).collect();
    // Largest first within a severity: that is their order already.
    struck.sort_by_key(|s| Reverse(s.severity));
    let worst = struck.first()?;
    let (severity, key) = (worst.severity, worst.key);
    let partition = heat_number(picture, key.partition_at);
    // Of all partitions where that of the key is unknown.
    let refused = Forbidden::on(picture, |number| partition.is_none_or(|at| at == number));
    let rule = if worst.is_full { Rule::KeyOverLimit } else { Rule::KeyNearLimit };
    let (share, size) = (percent_text(key.share), kib_text(key.kib));
    let ceiling = picture.lookups.ceiling;
    let counted = refused.as_ref().filter(|_| rule == Rule::KeyOverLimit);
    let state = match (&key.limit_date, worst.end) {
        _ if rule == Rule::KeyOverLimit => format!("{GAP}writes get 403"),
        (_, GrowthEnd::Past) => format!("{GAP}its period is over"),
        (date @ LimitDate::Date { .. }, _) => {
            let limit = LIMITS[usize::from(ceiling.reading() == Reading::Given)];
            format!("{GAP}{limit}{}", limit_date_words(date, picture.stored.newest))
        }
        (_, GrowthEnd::Period(end)) => {
            let share = percent_text(ceiling.share(worst.kib));
            format!("{GAP}{share} at its end on {}", end.date_text())
        }
        _ => String::new(),
    };
    let size = match counted {
        // Sizes are estimates; that writes get 403 is none.
        Some(counted) if key.share < 1.0 => format!("{GAP}{size} reported{}", counted.words()),
        Some(counted) => format!("{GAP}{size}{}", counted.words()),
        None => format!("{GAP}{share} of {}{state}{GAP}{size}", ceiling.name()),
    };
    let json = json_of(&key.canonical);
    let others = other_keys(&struck, ceiling);
    let headline = Phrase::default().key(json).and(format!("{size}{others}"));
    let least = suffixes_for_size(picture).unwrap_or(0).max(suffixes);
    let at = ChangedLevel::by(suffixes > 0);
    let answers = answers(worst, (least, at), picture);
    let how = answers.new_key.how.iter().map(String::as_str);
    // Who is not full when its day or month ends needs no more time.
    let is_enough = matches!(worst.end, GrowthEnd::Period(_)) && key.limit_date.date().is_none();
    let gain_time = GAIN_TIME.into_iter();
    let gain_time = gain_time.filter(|_| !is_enough || worst.is_full);
    let steps = how.chain(gain_time).map(Phrase::plain).collect();
    Some(Verdict {
        partition,
        key: Some(key.canonical.clone()),
        evidence: evidence(picture, &struck, refused.as_ref()),
        since: counted.and_then(Forbidden::since),
        as_of: key.newest.or(picture.stored.newest),
        steps,
        ..bare(rule, severity, headline, answers)
    })
}

/// `  1 more near 20 GB  14 more full by 2026-07-05`: the keys after the worst, by size and else by the date of the last.
fn other_keys(struck: &[StruckKey<'_>], ceiling: Ceiling) -> String {
    let is_noted = |s: &StruckKey<'_>| s.severity == Severity::Note;
    let is_alike = |s: &&StruckKey<'_>| is_noted(s) == struck.first().is_some_and(is_noted);
    let others = struck.iter().skip(1).filter(is_alike);
    let (near, soon): (Vec<_>, Vec<_>) = others.partition(|s| s.is_near);
    let mut words = match near.len() as u64 {
        0 => String::new(),
        n => format!("{GAP}{} more near {}", count_text(n), ceiling.name()),
    };
    let dates = soon.iter().filter_map(|s| s.key.limit_date.date());
    if let Some(last) = dates.max().map(Stamp::date_text) {
        let _ = write!(words, "{GAP}{} more full by {last}", soon.len());
    }
    words
}

fn is_full(key: &LargeKey, picture: &Picture<'_>) -> bool {
    let limits = picture.limits;
    key.limit_date == LimitDate::Over || key.share >= limits.limit_full
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
    numbered.find(|(_, p)| p.known == Some(known)).map(|(number, _)| number)
}

fn evidence(
    picture: &Picture<'_>,
    struck: &[StruckKey<'_>],
    refused: Option<&Forbidden>,
) -> Vec<Fact> {
    let mut facts: Vec<Fact> = refused.map(Forbidden::fact).into_iter().collect();
    for of in struck.iter().take(5) {
        let StruckKey { severity, key, .. } = of;
        let mut value = format!("{}, {}", kib_text(key.kib), percent_text(key.share));
        if *severity == Severity::Note {
            value.push_str(", its period is over");
        }
        if let Some(growth) = of.kib_per_day {
            let sign = if growth < 0.0 { "-" } else { "+" };
            let about = if of.is_estimate { "≈" } else { "" };
            let _ = write!(value, ", {about}{sign}{} a day", kib_text(growth.abs()));
        }
        if of.is_estimate {
            value.push_str(" by creates that get 403, each of mean size");
        }
        if let LimitDate::Date { at, earliest, latest } = &key.limit_date {
            let latest = latest.map_or_else(|| "open".to_owned(), Stamp::date_text);
            let (limit, [at, earliest]) =
                (picture.lookups.ceiling.name(), [at, earliest].map(|at| at.date_text()));
            let _ = write!(value, ", reaches {limit} on {at} (between {earliest} and {latest})");
        }
        facts.push(fact_of_key("size of ", Some(&key.canonical), value, STATISTICS));
    }
    facts.extend(refused.and_then(|counted| counted.unserved(picture)));
    let limit = picture.lookups.ceiling.sentence();
    facts.push(fact("the limit", limit, "product limit"));
    facts
}

fn answers(
    struck: &StruckKey<'_>,
    suffixes: (u32, ChangedLevel),
    picture: &Picture<'_>,
) -> Answers {
    if struck.severity == Severity::Note {
        let why = "the month or day of this key is over: it does not grow any more";
        return Answers::all(RemedyEffect::NotNeeded, why);
    }
    Answers {
        more_ru: none("the limit of a logical partition is the same at any RU/s"),
        split: none("a split does not divide a key"),
        redistribute: none("RU/s do not change the limit of a logical partition"),
        new_key: new_key(struck, suffixes, picture),
    }
}

/// The fewest suffixes with which all keys stay under the warning for a year of today's growth, as far as suffixes can.
pub fn suffixes_for_size(picture: &Picture<'_>) -> Option<u32> {
    let large = picture.stored.large.iter();
    let struck = large.filter_map(|key| judge(key, picture));
    let growing = struck.filter(|s| s.severity > Severity::Note);
    growing.filter_map(|s| enough(s.kib, 0, picture)).max()
}

/// The fewest suffixes, `least` or more, that keep so much under the warning.
fn enough(kib: f64, least: u32, picture: &Picture<'_>) -> Option<u32> {
    let share = |count: u32| picture.lookups.ceiling.share(kib / f64::from(count));
    let mut counts = SUFFIXES.into_iter().filter(|count| *count >= least);
    counts.find(|count| share(*count) < picture.limits.limit_warn)
}

/// Suffixes for a year of today's growth; else how long the most last, and the id as a further level.
fn new_key(
    struck: &StruckKey<'_>,
    (least, at): (u32, ChangedLevel),
    picture: &Picture<'_>,
) -> RemedyAnswer {
    let ceiling = picture.lookups.ceiling;
    let StruckKey { key, end, kib, .. } = *struck;
    let about = if struck.is_estimate { "≈" } else { "" };
    if let Some(count) = enough(kib, least, picture) {
        let each = kib / f64::from(count);
        let share = format!("{about}{}", percent_text(ceiling.share(each)));
        let when = match end {
            GrowthEnd::Unknown => " today; growth unknown".to_owned(),
            GrowthEnd::Period(_) => format!(" at its end, {share} of the limit"),
            GrowthEnd::Past => format!(", {share} of the limit"),
            GrowthEnd::Horizon => format!(" in a year, {share} of the limit"),
        };
        let why = format!("{count} suffixes: {about}{} each{when}", kib_text(each));
        let how = remedy_steps::suffixed(picture, count, at);
        return RemedyAnswer {
            how,
            suffixes: Some(count),
            ..RemedyAnswer::new(RemedyEffect::Fixes, why)
        };
    }
    let most = SUFFIXES.last().copied().unwrap_or(1);
    let room = ceiling.kib() * f64::from(most) - key.kib;
    let a_day = struck.kib_per_day.unwrap_or(0.0);
    let is_growing = room > 0.0 && a_day > 0.0;
    let lasts = if is_growing {
        #[expect(clippy::cast_possible_truncation, reason = "at most some lifetimes")]
        let seconds = ((room / a_day).min(MOST_DAYS) * 86_400.0) as i64;
        format!("{most} suffixes last {about}{}", length_text(seconds))
    } else {
        format!("this key needs more than {most} suffixes")
    };
    match remedy_steps::with_id(picture) {
        Some(how) => RemedyAnswer {
            how,
            adds_id: true,
            ..RemedyAnswer::new(
                RemedyEffect::Fixes,
                format!("add the level /id: each document its own key; {lasts}"),
            )
        },
        None if is_growing => RemedyAnswer {
            how: remedy_steps::suffixed(picture, most, at),
            suffixes: Some(most),
            ..RemedyAnswer::new(RemedyEffect::Helps, lasts)
        },
        None => none(lasts),
    }
}

/// Number, share of 50 GB and size of each partition whose size is known.
fn sizes(picture: &Picture<'_>) -> Vec<(u32, f64, f64)> {
    let size_of = |number: &u32| {
        let partition = picture.heat.partitions.get(*number as usize)?;
        let all = &picture.container.partitions;
        let known = partition.known.and_then(|at| all.get(at));
        let kib = partition.kib.or_else(|| known?.kib)?;
        Some((*number, kib / PHYSICAL_CEILING_KIB, kib))
    };
    let numbers = picture.physical.numbers.iter();
    numbers.filter_map(size_of).collect()
}

pub(super) fn filling(picture: &Picture<'_>) -> Option<Verdict> {
    let limits = picture.limits;
    let sizes = sizes(picture);
    let all = sizes.iter().copied();
    let (number, share, kib) = all.reduce(|a, b| if b.1 > a.1 { b } else { a })?;
    if share < limits.filling_note {
        return None;
    }
    // The service splits it by itself; it is a worry only where there would be too few RU/s for each afterwards.
    let is_busy = picture.highest().is_some_and(|h| h >= limits.busy_share);
    let severity =
        if share >= limits.filling_warn && is_busy { Severity::Warn } else { Severity::Note };
    let many = sizes.iter().filter(|s| s.1 >= limits.filling_note).count();
    let place = picture.physical.place(number)?;
    let name = picture.partition_text(place);
    let others = match many.saturating_sub(1) {
        0 => String::new(),
        n => format!(", {n} more above {}", percent_text(limits.filling_note)),
    };
    let split = "the service splits it near 50 GB; each half then has half of its RU/s, and a hot key in it half its limit";
    let headline = Phrase::plain(format!(
        "{name} holds {}, {} of 50 GB{others}: at 50 GB the service splits it",
        kib_text(kib),
        percent_text(share)
    ));
    let answers = Answers {
        more_ru: unneeded(
            "storage splits partitions at any RU/s; the two new ones share the RU/s of the one that splits",
        ),
        split: RemedyAnswer::new(RemedyEffect::Fixes, split),
        redistribute: unneeded("RU/s do not change what a partition stores"),
        new_key: unneeded("a split needs no other key"),
    };
    let from = "sizes of physical partitions";
    let filling = format!("{many} of {}", sizes.len());
    Some(Verdict {
        partition: Some(number),
        evidence: vec![
            fact("size", kib_text(kib), from),
            fact("partitions filling", filling, from),
        ],
        as_of: picture.stored.newest.or_else(|| picture.as_of()),
        steps: [
            "after the split, compare the RU/s of each partition with its load: both halves have half of them",
            steps::USAGES,
        ]
        .map(Phrase::plain)
        .to_vec(),
        ..bare(Rule::PartitionFilling, severity, headline, answers)
    })
}
