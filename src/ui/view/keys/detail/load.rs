//! The demand of a key: its request units over time, by operation, and on which physical partitions.

use std::fmt::Write as _;

use super::DetailInputs;
use super::place::ru_text;
use crate::analysis::detail::Detail;
use crate::analysis::heat::keys::KeyStory;
use crate::analysis::heat::{ContainerHeat, Partition, RangeName};
use crate::model::load::RuKey;
use crate::model::time::Stamp;
use crate::model::units::{count_text, counted, percent_text, real};
use crate::model::visible::visible;
use crate::ui::view::keys::lines::{LineRole, PaneLine, fact};
use crate::work::data::Dataset;

/// Operations and partitions listed; what a key does less often is summed.
const MAX_LISTED: usize = 6;
/// Points of a small chart; more are put together, the highest of each counts.
const MAX_POINTS: usize = 120;

/// The key's records in the RU log, if any name it.
pub fn story(data: &Dataset, container: u32, key: &Detail) -> Option<KeyStory> {
    let number = data.capture.load.keys.find(&key.canonical)?;
    data.heat.container(container)?.keys.story(RuKey::Named(number))
}

pub fn lines(of: &DetailInputs<'_>) -> Vec<PaneLine> {
    let Some(heat) = of.data.heat.container(of.container) else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    if let Some(story) = story(of.data, of.container, of.key) {
        lines.extend(story_lines(of.data, heat, &story, (of.width, 1)));
        lines.extend(logged_elsewhere(of, heat, &story));
    }
    lines.extend(throttled(of, heat));
    lines
}

/// What the RU log reports of a key, its RU/s as a chart of so many rows.
pub fn story_lines(
    data: &Dataset,
    heat: &ContainerHeat,
    story: &KeyStory,
    (width, rows): (usize, u16),
) -> Vec<PaneLine> {
    let mut lines = busiest(heat, story, width);
    let values = series(story);
    lines.push(PaneLine::Series {
        label: "RU/s",
        top: values.iter().flatten().copied().fold(0.0, f64::max),
        values,
        rows,
    });
    lines.extend((1..rows).map(|_| PaneLine::blank()));
    lines.extend(fact("", LineRole::Dim, &span(story), width));
    let operations = operations(data, story);
    lines.extend(fact("operations", LineRole::Outside, &operations, width));
    lines.extend(since(story, width));
    lines
}

fn busiest(heat: &ContainerHeat, story: &KeyStory, width: usize) -> Vec<PaneLine> {
    let most = story.over_time.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let Some((second, ru)) = most else {
        return Vec::new();
    };
    let at = Stamp::from_seconds(*second)
        .map_or_else(String::new, |at| format!(" at {}", at.second_text()));
    let mut words = format!("{} RU/s{at}", ru_text(*ru));
    let partition = story.partitions.first().and_then(|(at, _)| heat.partitions.get(*at as usize));
    if let Some(partition) = partition
        && let Some(capacity) = partition.capacity
    {
        let share = percent_text(ru / capacity.ru_per_second);
        let whole = ru_text(capacity.ru_per_second);
        let _ = write!(words, ", {share} of the {whole} RU/s of partition {}", name(partition));
    }
    if heat.keys.width_s > 1 {
        let _ = write!(words, ", mean of {} s", heat.keys.width_s);
    }
    fact("peak", LineRole::Text, &words, width)
}

fn series(story: &KeyStory) -> Vec<Option<f64>> {
    let each = story.over_time.len().div_ceil(MAX_POINTS).max(1);
    let highest = |points: &[(i64, f64)]| points.iter().map(|p| p.1).reduce(f64::max);
    story.over_time.chunks(each).map(highest).collect()
}

fn span(story: &KeyStory) -> String {
    let ends = story.over_time.first().zip(story.over_time.last());
    let stamp = |second: i64| Stamp::from_seconds(second).map(Stamp::second_text);
    match ends.map(|(first, last)| (stamp(first.0), stamp(last.0))) {
        Some((Some(first), Some(last))) => format!("{first} to {last}, logged seconds only"),
        _ => "its records have no time".to_owned(),
    }
}

fn operations(data: &Dataset, story: &KeyStory) -> String {
    let names = &data.capture.load.names;
    let words = story.operations.iter().take(MAX_LISTED).map(|(number, sum)| {
        let name = match names.text(*number) {
            "" => "unknown operation".to_owned(),
            name => visible(name).into_owned(),
        };
        format!("{name} {} RU in {}", ru_text(sum.ru), counted(sum.records, "record", "records"))
    });
    let mut words: Vec<String> = words.collect();
    let more = story.operations.len().saturating_sub(MAX_LISTED);
    if more > 0 {
        words.push(format!("{more} other operations"));
    }
    words.join("; ")
}

/// Where the logs say another partition than the hash does: after a split, or where a definition is not the container's.
fn logged_elsewhere(
    of: &DetailInputs<'_>,
    heat: &ContainerHeat,
    story: &KeyStory,
) -> Vec<PaneLine> {
    let Some(owner) = &of.key.owner else {
        return Vec::new();
    };
    let is_elsewhere = |partition: &&Partition| matches!(&partition.named, RangeName::Range(id) if *id != owner.partition.id);
    let logged = story.partitions.iter();
    let logged = logged.filter_map(|(at, _)| heat.partitions.get(*at as usize));
    let names: Vec<String> = logged.filter(is_elsewhere).take(MAX_LISTED).map(name).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let words = format!(
        "the RU log names partition {}, its hash {} ({}): split since, or the log is of another container",
        names.join(", "),
        visible(&owner.partition.id),
        owner.how_known.words()
    );
    fact("disagrees", LineRole::Text, &words, of.width)
}

fn since(story: &KeyStory, width: usize) -> Vec<PaneLine> {
    let at = story.since.and_then(Stamp::from_seconds);
    let Some(at) = at else { return Vec::new() };
    let words = format!("{}, at half of its peak or more", at.second_text());
    fact("busy since", LineRole::Text, &words, width)
}

/// Logs of requests name no key: what was throttled is known of the partition only.
fn throttled(of: &DetailInputs<'_>, heat: &ContainerHeat) -> Vec<PaneLine> {
    let Some(owner) = &of.key.owner else {
        return Vec::new();
    };
    let is_it = |p: &Partition| p.known == Some(owner.index);
    let at = heat.partitions.iter().position(is_it);
    let requests = at.and_then(|at| heat.requests.get(at));
    let Some(requests) = requests.filter(|r| r.requests > 0) else {
        return Vec::new();
    };
    let share = real(requests.throttled) / real(requests.requests);
    let words = format!(
        "on its partition: {} of {} requests (429), {}; {} with 403 (a full key)",
        count_text(requests.throttled),
        count_text(requests.requests),
        percent_text(share),
        count_text(requests.forbidden)
    );
    fact("throttled", LineRole::Text, &words, of.width)
}

fn name(partition: &Partition) -> String {
    visible(partition.named.text()).into_owned()
}
