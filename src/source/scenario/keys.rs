//! The logical partitions of a scenario: every combination of its axes, with size, load and place in the hash space.

use std::collections::BTreeMap;

use super::random::Random;
use super::spec::{Amount, Axis, ContainerSpec, KeyGroup, Spread, ValueRange};
use crate::model::epk::{Epk, epk};
use crate::model::key::{Key, KeyDefinition, Part};
use crate::model::time::{Civil, SECONDS_PER_DAY, Stamp};
use crate::model::units::KIB_PER_GIB;

/// Enough to show any case, few enough to load at once.
const MAX_KEYS: usize = 20_000;

/// A span of seconds since 1970, the end not in it.
pub(super) type Period = (i64, i64);

#[derive(Clone, Debug)]
pub(super) struct PlacedKey {
    pub canonical: String,
    pub epk: Epk,
    /// Index of its physical partition in hash order, once that is known.
    pub range: usize,
    /// At the end.
    pub kib: f64,
    pub gained: f64,
    pub written: f64,
    /// The only time it is written, where its value holds a date.
    pub period: Option<Period>,
    pub group: usize,
    /// Which combination of the axes of its group it is.
    pub number: usize,
    /// RU/s for each load of its group while it is written.
    pub ru_per_s: Vec<f64>,
}

/// A key before its group is shared out.
struct Draft {
    parts: Vec<Part>,
    /// Which value of the first axis it has.
    first: usize,
    period: Option<Period>,
}

/// One value of an axis.
#[derive(Debug)]
pub(super) struct Step {
    pub text: String,
    period: Option<Period>,
}

/// In the order of the hash space.
pub(super) fn of(
    spec: &ContainerSpec,
    definition: &KeyDefinition,
    ends: Stamp,
    seed: u64,
) -> Result<Vec<PlacedKey>, String> {
    let mut keys = Vec::new();
    for (group, described) in spec.keys.iter().enumerate() {
        let mut random = Random::new(seed, group as u64);
        let drafts = drafts(described, ends, &mut random)?;
        if keys.len() + drafts.len() > MAX_KEYS {
            return Err(format!("{} has more than {MAX_KEYS} keys", spec.name));
        }
        place(described, group, drafts, definition, &mut random, &mut keys)?;
    }
    keys.sort_by(|a, b| a.epk.cmp(&b.epk));
    Ok(keys)
}

fn drafts(group: &KeyGroup, ends: Stamp, random: &mut Random) -> Result<Vec<Draft>, String> {
    let axes = axes(group, ends);
    let count = axes
        .iter()
        .try_fold(1_usize, |product, axis| product.checked_mul(axis.len()))
        .filter(|n| *n <= MAX_KEYS);
    let count = count.ok_or_else(|| format!("a group has more than {MAX_KEYS} keys"))?;
    let mut drafts = Vec::with_capacity(count);
    for number in 0..count {
        let (chosen, first) = combination(&axes, number);
        let period = chosen.iter().find_map(|step| step.period);
        let parts = group
            .key
            .iter()
            .map(|pattern| Part::Text(fill(pattern, &group.axes, &chosen, random).into()))
            .collect();
        drafts.push(Draft { parts, first, period });
    }
    Ok(drafts)
}

pub(super) fn axes(group: &KeyGroup, ends: Stamp) -> Vec<Vec<Step>> {
    let axes = group.axes.iter();
    axes.map(|axis| steps(&axis.over, ends)).collect()
}

/// The steps of one combination, and the place of the first among its axis.
pub(super) fn combination(axes: &[Vec<Step>], number: usize) -> (Vec<&Step>, usize) {
    let mut rest = number;
    let mut first = 0;
    let mut chosen = Vec::with_capacity(axes.len());
    for axis in axes.iter().rev() {
        let length = axis.len().max(1);
        first = rest % length;
        rest /= length;
        chosen.extend(axis.get(first));
    }
    chosen.reverse();
    (chosen, first)
}

fn fill(pattern: &str, axes: &[Axis], chosen: &[&Step], random: &mut Random) -> String {
    let mut text = pattern.to_owned();
    for (axis, step) in axes.iter().zip(chosen) {
        text = text.replace(&format!("{{{}}}", axis.name), &step.text);
    }
    if text.contains("{uuid}") { text.replace("{uuid}", &random.uuid()) } else { text }
}

fn steps(over: &ValueRange, ends: Stamp) -> Vec<Step> {
    let last = ends.seconds();
    let always = |text: String| Step { text, period: None };
    match over {
        ValueRange::Values(values) => values.iter().cloned().map(always).collect(),
        ValueRange::Numbers(count) => (1..=*count).map(|n| always(n.to_string())).collect(),
        ValueRange::Days(count) => (1..=i64::from(*count))
            .rev()
            .filter_map(|back| day(last - back * SECONDS_PER_DAY))
            .collect(),
        ValueRange::Months(count) => months(ends, *count),
        ValueRange::Seconds(count) => (1..=i64::from(*count))
            .rev()
            .map(|back| Step {
                text: (last - back).to_string(),
                period: Some((last - back, last - back + 1)),
            })
            .collect(),
    }
}

fn day(start: i64) -> Option<Step> {
    let text = Stamp::from_seconds(start)?.date_text();
    Some(Step { text, period: Some((start, start + SECONDS_PER_DAY)) })
}

/// Whole months; one that has begun at the end counts as the first after them.
fn months(ends: Stamp, count: u32) -> Vec<Step> {
    let c = ends.civil();
    let after = c.year * 12 + i64::from(c.month) - 1;
    let start = |months: i64| {
        let month = u8::try_from(months.rem_euclid(12) + 1).ok()?;
        let first = Civil::midnight(months.div_euclid(12), month, 1);
        Some(Stamp::from_civil(first)?.seconds())
    };
    let step = |back: i64| {
        let month = after - back;
        let text = format!("{:04}-{:02}", month.div_euclid(12), month.rem_euclid(12) + 1);
        Some(Step { text, period: Some((start(month)?, start(month + 1)?)) })
    };
    (1..=i64::from(count)).rev().filter_map(step).collect()
}

fn place(
    group: &KeyGroup,
    group_number: usize,
    drafts: Vec<Draft>,
    definition: &KeyDefinition,
    random: &mut Random,
    keys: &mut Vec<PlacedKey>,
) -> Result<(), String> {
    let total_kib = total_kib(group);
    let weights = weights(&group.spread, group, &drafts, random)?;
    let all: f64 = weights.iter().sum();
    let kib: Vec<f64> = weights.iter().map(|w| total_kib * w / all).collect();
    let mut loads = vec![Vec::new(); drafts.len()];
    for load in &group.load {
        let weights = self::weights(&load.spread, group, &drafts, random)?;
        let mut at_one_time: BTreeMap<Option<Period>, f64> = BTreeMap::new();
        for (draft, weight) in drafts.iter().zip(&weights) {
            *at_one_time.entry(draft.period).or_default() += weight;
        }
        for ((draft, weight), of_key) in drafts.iter().zip(&weights).zip(&mut loads) {
            let sum = at_one_time.get(&draft.period).copied().unwrap_or_default();
            of_key.push(load.ru_per_s * weight / sum);
        }
    }
    for (number, ((draft, kib), ru_per_s)) in drafts.into_iter().zip(kib).zip(loads).enumerate() {
        let epk = epk(&draft.parts, definition).ok_or("a key does not fit its definition")?;
        let canonical = Key::from(draft.parts).canonical();
        keys.push(PlacedKey {
            canonical,
            epk,
            range: 0,
            kib,
            gained: group.gained,
            written: group.written,
            period: draft.period,
            group: group_number,
            number,
            ru_per_s,
        });
    }
    Ok(())
}

pub(super) fn total_kib(group: &KeyGroup) -> f64 {
    KIB_PER_GIB
        * match group.gib {
            Amount::Each(gib) => {
                let counts = group.axes.iter().map(|axis| axis.over.count());
                gib * counts.product::<f64>()
            }
            Amount::Total(gib) => gib,
        }
}

fn weights(
    spread: &Spread,
    group: &KeyGroup,
    drafts: &[Draft],
    random: &mut Random,
) -> Result<Vec<f64>, String> {
    Ok(match spread {
        Spread::Even => vec![1.0; drafts.len()],
        Spread::Zipf => (1_u32..).zip(drafts).map(|(rank, _)| 1.0 / f64::from(rank)).collect(),
        Spread::Ragged => drafts.iter().map(|_| 0.5 + random.share()).collect(),
        Spread::Weights(of_first) => {
            let values = drafts.last().map_or(0, |d| d.first + 1);
            if of_first.len() != values {
                return Err(format!(
                    "{} has {} weights for {values} values",
                    group.key.join(", "),
                    of_first.len()
                ));
            }
            drafts.iter().filter_map(|d| of_first.get(d.first).copied()).collect()
        }
    })
}
