//! Where a key lies: its hash, its physical partition, the request units it takes, and the input that reports its size.

use super::DetailInputs;
use crate::analysis::mask::NameKind;
use crate::model::physical::PhysicalPartition;
use crate::model::units::{kib_text, percent_text, rounded_text, tenths_text, whole_text};
use crate::model::visible::visible;
use crate::report::visible_once;
use crate::ui::view::keys::lines::{LineRole, PaneLine, fact};

pub fn lines(of: &DetailInputs<'_>) -> Vec<PaneLine> {
    let mut lines = fact("partition", LineRole::Text, &partition(of), of.width);
    lines.extend(fact("RU", LineRole::Text, &request_units(of), of.width));
    lines
}

/// The hash of the key and the range of those of its partition.
pub fn hashes(of: &DetailInputs<'_>) -> Vec<PaneLine> {
    let epk = of.key.epk.as_ref().filter(|_| !of.mask.is_on());
    let mut lines =
        epk.map_or_else(Vec::new, |epk| fact("epk", LineRole::Outside, &epk.to_string(), of.width));
    if let Some(range) = range(of) {
        lines.extend(fact("range", LineRole::Dim, &range, of.width));
    }
    lines
}

fn partitions<'a>(of: &DetailInputs<'a>) -> &'a [PhysicalPartition] {
    let container = of.data.capture.container(of.container);
    container.map_or(&[], |c| c.partitions.as_slice())
}

fn partition(of: &DetailInputs<'_>) -> String {
    let Some(owner) = &of.key.owner else {
        return if partitions(of).is_empty() {
            "unknown: the inputs list no physical partitions".to_owned()
        } else {
            "unknown: the key is in none of the ranges".to_owned()
        };
    };
    let partition = &owner.partition;
    let mut words = vec![format!("{}, {}", visible(&partition.id), owner.how_known.words())];
    words.extend(partition.kib.map(|kib| format!("{} stored", kib_text(kib))));
    words.extend(partition.ru_per_second.map(|ru| format!("{} RU/s", ru_text(ru))));
    let share = partition.throughput_fraction.map(percent_text);
    words.extend(share.map(|share| format!("{share} of the throughput")));
    words.join("; ")
}

fn range(of: &DetailInputs<'_>) -> Option<String> {
    let partition = &of.key.owner.as_ref()?.partition;
    let bound = |text: &str, open: &str| match text {
        "" | "FF" => open.to_owned(),
        text => visible(text).into_owned(),
    };
    let min = bound(partition.min_inclusive.as_deref()?, "the first hash");
    let max = bound(partition.max_exclusive.as_deref()?, "the last hash");
    Some(format!("from {min} up to {max}"))
}

fn request_units(of: &DetailInputs<'_>) -> String {
    let whole = of.data.lookups.ru.of_container(of.container);
    match (of.key.ru, of.key.ru_share, whole) {
        (Some(ru), Some(share), _) => {
            format!("{} RU in the logs, {} of the container's", ru_text(ru), percent_text(share))
        }
        (Some(ru), None, _) => format!("{} RU in the logs", ru_text(ru)),
        (None, _, Some(_)) => "unknown: no record of the RU log has this key".to_owned(),
        (None, _, None) => "unknown: no RU log is open".to_owned(),
    }
}

/// Whole request units where there are many.
pub fn ru_text(ru: f64) -> String {
    if ru >= 100.0 { whole_text(ru) } else { tenths_text(ru) }
}

/// The input that the size comes from, how it was known there, and how old it is.
pub fn source(of: &DetailInputs<'_>) -> Vec<PaneLine> {
    let Some(region) = of.key.regions.first() else {
        return Vec::new();
    };
    let Some(source) = &region.source else {
        return Vec::new();
    };
    let path = of.mask.name(NameKind::File, &source.path);
    let path = visible_once(&path).into_owned();
    let mut lines = fact("source", LineRole::Outside, &path, of.width);
    let mut words = vec![source.grade_word().to_owned()];
    words.push(match (of.now, region.latest_at) {
        (Some(now), Some(at)) => match now.days_since(at) {
            days if days < 1.0 => "less than a day old".to_owned(),
            days if days < 2.0 => "1 day old".to_owned(),
            days => format!("{} days old", rounded_text(days.floor())),
        },
        (None, Some(at)) => format!("of {}", at.date_text()),
        (_, None) => "without a time".to_owned(),
    });
    if source.incomplete {
        words.push("from an input that is cut short".to_owned());
    }
    lines.extend(fact("", LineRole::Text, &words.join(", "), of.width));
    lines
}
