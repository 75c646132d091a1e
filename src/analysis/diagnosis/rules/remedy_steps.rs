//! How each remedy that helps is done: commands and sentences, the remedy to try first before the others.

use crate::analysis::candidate::{Candidate, JOINT};
use crate::analysis::demand::remedies::{Remedy, RemedyEffect};
use crate::analysis::diagnosis::picture::{HotPlace, Picture};
use crate::analysis::diagnosis::{Phrase, steps};
use crate::analysis::heat::RangeName;
use crate::analysis::suffix::{ChangedLevel, spread_by_id};
use crate::model::units::{PARTITION_RU_PER_SECOND, as_number, rounded_text, whole_text};

use crate::model::names::is_resource;
use crate::model::query_text::shell_word;

/// What helps and does not fix is no step at more than so many times the RU/s of today.
const MOST_DEARER: f64 = 3.0;

/// Fills in how each row is done, and gives the steps of all that help, the best first; `key` is the one to blame. Without
/// computed rows the logs come first: they show who causes it.
pub(super) fn steps(
    picture: &Picture<'_>,
    hot: &HotPlace,
    key: Option<&str>,
    rows: &mut [Remedy],
) -> Vec<Phrase> {
    if rows.len() < 2 {
        return steps::switch_on_logs();
    }
    let most = MOST_DEARER * picture.ru_per_second().unwrap_or(f64::INFINITY);
    for row in rows.iter_mut() {
        let is_dear = row.ru_per_second.is_some_and(|ru| ru > most);
        let is_done = match row.effect {
            RemedyEffect::Fixes => true,
            RemedyEffect::Helps | RemedyEffect::InPart => !is_dear,
            _ => false,
        };
        if is_done {
            let parts: Vec<&str> = row.name.split('+').collect();
            row.how = parts.iter().flat_map(|part| how(picture, hot, part, row)).collect();
        }
    }
    let mut ranked: Vec<&Remedy> = rows.iter().filter(|row| !row.how.is_empty()).collect();
    ranked.sort_by_key(|row| row.rank());
    let mut steps: Vec<Phrase> = Vec::new();
    for text in ranked.into_iter().flat_map(|row| &row.how) {
        let step = steps::about_key(text, key);
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    if steps.is_empty() {
        steps.push(Phrase::plain(steps::TRY_KEYS));
    }
    steps
}

fn how(picture: &Picture<'_>, hot: &HotPlace, part: &str, row: &Remedy) -> Vec<String> {
    match part {
        "redistribute" if !hot.is_even => {
            let command = redistribution(picture, row);
            std::iter::once(command).chain(row.detail.clone()).collect()
        }
        "scale-up" => {
            let ru = row.ru_per_second;
            ru.map(|ru| steps::set_ru(ru, picture.physical.throughput_mode)).into_iter().collect()
        }
        "scale-up-evenly" => {
            row.first_ru.map(|first| set_and_lower(picture, first, row)).unwrap_or_default()
        }
        "split-hot" => split(picture, picture.physical.len(), row),
        "split-all" => split(picture, picture.physical.len() * 2 - 1, row),
        "burst" => vec![steps::BURST.to_owned()],
        "limit-client" => {
            let limit = row.detail.iter();
            let limit = limit.map(|to| format!("{} {to}", steps::LIMIT_KEY));
            limit.chain([steps::LIMIT.to_owned()]).collect()
        }
        "cap-key" => {
            let cap = row.detail.iter();
            cap.map(|percent| format!("cap the key in the portal's Data Explorer, Scale and Settings: maximumPerPartitionKeyThroughputUtilizationPercent {percent} (preview; unverified)")).collect()
        }
        _ if part.starts_with("suffixes") => {
            let suffixed = |count| suffixed(picture, count, ChangedLevel::First);
            row.suffixes().map(suffixed).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// One partition more than `before`, by RU/s that so many cannot serve.
fn split(picture: &Picture<'_>, before: usize, row: &Remedy) -> Vec<String> {
    let [step, _] = picture.physical.throughput_mode.sold();
    let above = PARTITION_RU_PER_SECOND * as_number(before) + step;
    let first = format!(
        "no command splits partitions: {} RU/s for 4 to 6 hours do, and the service chooses which",
        whole_text(above)
    );
    std::iter::once(first).chain(set_and_lower(picture, above, row)).collect()
}

/// High RU/s, and those of the row once the partitions are split.
fn set_and_lower(picture: &Picture<'_>, first: f64, row: &Remedy) -> Vec<String> {
    let set = |ru| steps::set_ru(ru, picture.physical.throughput_mode);
    let back = row.ru_per_second.map(|ru| {
        let then = "once they are split the RU/s can be lowered again".to_owned();
        [then, set(ru)]
    });
    let back = back.into_iter().flatten();
    std::iter::once(set(first)).chain(back).collect()
}

/// Partitions that need more than now, with the RU/s that they get, and those that give some.
fn redistribution(picture: &Picture<'_>, row: &Remedy) -> String {
    let named = |place: u32| match &picture.partition(place)?.named {
        RangeName::Range(id) | RangeName::Guid(id) if is_resource(id) => Some(id.as_str()),
        _ => None,
    };
    let target = |name: &str, ru: f64| format!("{name}={}", rounded_text(ru.floor()));
    let (mut targets, mut sources) = (Vec::new(), Vec::new());
    let capacities: Option<Vec<f64>> = picture.loads().iter().map(|load| load.capacity).collect();
    let capacities = capacities.filter(|now| now.len() == row.given.len()).unwrap_or_default();
    let factor = row.given.iter().sum::<f64>() / capacities.iter().sum::<f64>();
    let loads = (0..).zip(picture.loads());
    for (((place, load), now), given) in loads.zip(&capacities).zip(&row.given) {
        let (more, is_short) = (given - now * factor, load.peak > now * factor);
        match named(place) {
            Some(name) if more > 1.0 && is_short => targets.push(target(name, *given)),
            Some(name) if more < -1.0 => sources.push(name),
            _ => {}
        }
    }
    if targets.is_empty() {
        let most = row.given.iter().copied().fold(0.0, f64::max);
        targets.push(target("<hot-partition>", most));
    }
    if sources.is_empty() {
        sources.push("<coldest-partition>");
    }
    steps::redistribute(&targets, &sources)
}

fn key_of(picture: &Picture<'_>) -> Option<Candidate> {
    Candidate::of_definition(picture.container.definition.as_ref()?)
}

/// A new container with suffixes that an application can compute from a document.
pub(super) fn suffixed(picture: &Picture<'_>, count: u32, at: ChangedLevel) -> Vec<String> {
    let values = format!(
        "key{JOINT}1 to key{JOINT}{count} by a hash of the id. Point reads compute it, too (cosmoscope help buckets)"
    );
    let key = key_of(picture);
    let key = key.and_then(|key| spread_by_id(&key, at, count));
    new_container(picture, at, key.as_ref(), &values)
}

/// A new container with the id as a further level of its key.
pub(super) fn with_id(picture: &Picture<'_>) -> Option<Vec<String>> {
    let key = key_of(picture)?.with_id()?;
    let way = steps::to_key(&key);
    Some(std::iter::once(trial_of(&key)).chain(way).collect())
}

/// What is known better of documents: keys that are found are compared with this one.
fn trial_of(key: &Candidate) -> String {
    format!(
        "cosmoscope trial DOCUMENTS --key {} --suggest (on an export of documents, first; on the screen: 4 then a)",
        shell_word(&key.to_string())
    )
}

/// The trial of the new key, where that of today is known, and the way to it.
fn new_container(
    picture: &Picture<'_>,
    at: ChangedLevel,
    key: Option<&Candidate>,
    values: &str,
) -> Vec<String> {
    let paths = picture.container.definition.as_ref().map(|d| &d.paths);
    let mut levels = paths.cloned().unwrap_or_default();
    let new = steps::NEW_PROPERTY.to_owned();
    match at.of(&mut levels) {
        Some(level) => *level = new,
        None => levels.push(new),
    }
    let mut how: Vec<String> = key.into_iter().map(trial_of).collect();
    how.extend(steps::to_container(&levels, Some(values)));
    how
}
