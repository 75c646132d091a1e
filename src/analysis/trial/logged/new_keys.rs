//! The values of a key that is made of the current one: keys of today as they are, divided, or with the id below.

use std::borrow::Cow;

use super::super::super::candidate::{DateUnit, Level, LevelPart};
use super::super::super::demand::buy::HEAVY;
use super::super::super::demand::profiles::LoadProfiles;
use super::super::clock::period;
use super::super::settings::Settings;
use super::transform::KeySplit;
use super::{KeyLog, LoggedKey};
use crate::model::key::{Key, Part as Value};
use crate::model::time::Stamp;
use crate::model::units::as_number;

/// Values that are placed one by one; of more those of the largest keys.
const MOST_VALUES: usize = 200_000;
/// Periods back to which a key's size is thought to go.
const MOST_PERIODS: f64 = 400.0;

/// Documents of a hot key below which the id is a level: enough for splits to fall between them.
const IDS: u32 = 64;

/// A value of the new key.
#[derive(Clone)]
pub(super) struct NewKey {
    pub key: Key,
    pub bytes: f64,
    pub ru: f64,
    /// That its current key follows.
    pub profile: usize,
}

/// The new key's values, of the largest keys first. With the id below, a key stands for all under it.
pub(super) fn ones<'l>(
    logged: &'l KeyLog,
    made: &'l KeySplit<'_>,
    profiles: &LoadProfiles,
    settings: &Settings,
) -> Vec<NewKey> {
    let of = |key: &'l LoggedKey| -> Box<dyn Iterator<Item = NewKey> + 'l> {
        let whole = NewKey {
            key: key.key.clone(),
            bytes: key.bytes.unwrap_or(0.0),
            ru: key.ru,
            profile: profiles.of_key(&key.key.canonical()),
        };
        match *made {
            KeySplit::Same | KeySplit::ById => Box::new(std::iter::once(whole)),
            KeySplit::Divided { level, parts, unit, .. } => {
                let periods =
                    unit.map_or_else(|| vec![None], |u| periods(key, u, settings, logged));
                Box::new(divided(whole, key, (level, parts), periods))
            }
        }
    };
    logged.keys.iter().flat_map(of).take(MOST_VALUES).collect()
}

fn divided<'l>(
    whole: NewKey,
    key: &'l LoggedKey,
    (level, parts): (&'l Level, u32),
    periods: Vec<Option<Stamp>>,
) -> impl Iterator<Item = NewKey> + 'l {
    let share = 1.0 / (as_number(periods.len()) * f64::from(parts));
    periods.into_iter().enumerate().flat_map(move |(age, start)| {
        let whole = whole.clone();
        (1..=parts).map(move |number| NewKey {
            key: vec![Value::Text(text(key, level, number, start).into())].into(),
            bytes: whole.bytes * share,
            // All that is asked now is asked of the period that goes on.
            ru: if age == 0 { whole.ru / f64::from(parts) } else { 0.0 },
            profile: whole.profile,
        })
    })
}

/// Starts of the periods over which a key grew to its size, the present one first.
fn periods(
    key: &LoggedKey,
    unit: DateUnit,
    settings: &Settings,
    logged: &KeyLog,
) -> Vec<Option<Stamp>> {
    let Some(now) = settings.as_of.or(logged.newest) else {
        return vec![None];
    };
    let rate = key.growth.map_or(0.0, |g| g.kib_per_day * 1024.0);
    let mut at = period(now.seconds(), unit);
    let mut left = key.bytes.unwrap_or(0.0);
    let mut found = Vec::new();
    while let Some((start, end)) = at
        && as_number(found.len()) < MOST_PERIODS
    {
        found.push(Stamp::from_seconds(start));
        let days = Stamp::from_seconds(end).zip(Stamp::from_seconds(start));
        left -= rate * days.map_or(0.0, |(end, start)| end.days_since(start));
        if left <= 0.0 || rate <= 0.0 {
            break;
        }
        at = period(start - 1, unit);
    }
    found
}

/// The text of a value. Where a bucket or a random number is joined, its number stands.
fn text(key: &LoggedKey, level: &Level, number: u32, start: Option<Stamp>) -> String {
    let own = key.key.parts().first();
    let pieces = level.parts.iter().map(|part| match part {
        LevelPart::Random { .. } | LevelPart::Bucket { .. } => number.to_string(),
        LevelPart::Date { .. } => {
            let written = Value::Text(start.map_or_else(String::new, Stamp::rfc3339).into());
            part.of(&written).map(Cow::into_owned).unwrap_or_default()
        }
        part => {
            let of = own.map(|own| part.of(own).map(Cow::into_owned));
            of.and_then(Result::ok).unwrap_or_default()
        }
    });
    pieces.collect()
}

/// What lies in one place each: with the id below hot keys are some of their documents, each with an id.
pub(super) fn placed_apart<'o>(
    ones: &'o [NewKey],
    made: &KeySplit<'_>,
    ru: f64,
) -> Cow<'o, [NewKey]> {
    if *made != KeySplit::ById {
        return Cow::Borrowed(ones);
    }
    let ids = |one: &NewKey| {
        let n = if is_heavy(one, ru) { IDS } else { 1 };
        let share = 1.0 / f64::from(n);
        let with = |id: u32| {
            let id = Value::Text(id.to_string().into());
            let parts = one.key.parts().iter().cloned().chain([id]);
            NewKey {
                key: parts.collect::<Vec<_>>().into(),
                bytes: one.bytes * share,
                ru: one.ru * share,
                profile: one.profile,
            }
        };
        (0..n).map(with).collect::<Vec<_>>()
    };
    Cow::Owned(ones.iter().flat_map(ids).collect())
}

pub(super) fn is_heavy(one: &NewKey, ru: f64) -> bool {
    one.ru / ru.max(f64::MIN_POSITIVE) >= HEAVY
}
