//! Sizes of a key: now, by region, over time, and what follows for the ceiling.

use super::Of;
use crate::analysis::ceiling::Mark;
use crate::analysis::growth::Wall;
use crate::analysis::rows::SizeOf;
use crate::model::sample::{Sample, Trust, latest};
use crate::model::units::{count_text, kib_text, percent_text};
use crate::model::visible::visible;
use crate::report::limit_name;
use crate::view::keys::lines::{Line, Role, fact};
use crate::view::keys::window::{growth_sentence, trend};

/// Regions that are listed; more than any account has in use.
const MAX_REGIONS: usize = 32;

pub fn lines(of: &Of<'_>) -> Vec<Line> {
    let row = of.row;
    let mark = Mark::of(row.share);
    let ceiling = of.list.data.report.ceiling;
    let at_least = match row.size_of {
        SizeOf::Key => "",
        SizeOf::Prefix => "at least ",
    };
    let size = format!(
        "{at_least}{}, {} of {}: {}",
        kib_text(row.size_kib),
        percent_text(row.share),
        limit_name(ceiling),
        mark.word()
    );
    let mut lines = fact("size", Role::Mark(mark), &size, of.width);
    lines.extend(fact("may be off", Role::Text, &band(of), of.width));
    lines.extend(regions(of));
    lines.push(Line::Series("readings", trend(of.series)));
    lines.extend(fact("", Role::Dim, &extent(of), of.width));
    lines.extend(fact("growth", Role::Text, &growth(of), of.width));
    lines.extend(fact("wall", Role::Text, &wall(of), of.width));
    lines
}

/// How far the size may be off, and why that far.
fn band(of: &Of<'_>) -> String {
    let data = &of.list.data;
    let view = data.capture.sizes.view(of.id);
    let place = view.map(|v| data.lookups.places.place(v.container(), v.canonical()));
    let band = kib_text(of.row.band_kib);
    match place.and_then(|place| place.partition_kib) {
        Some(kib) => format!(
            "by {band}: the service estimates in hundredths of the physical partition, which holds {}",
            kib_text(kib)
        ),
        None => format!(
            "by {band}: the service estimates in hundredths of the physical partition, taken to hold 50 GiB since its size \
             is not known"
        ),
    }
}

fn regions(of: &Of<'_>) -> Vec<Line> {
    let data = &of.list.data;
    let Some(view) = data.capture.sizes.view(of.id) else {
        return Vec::new();
    };
    let mut regions: Vec<(String, Sample, u64)> = view
        .series()
        .filter_map(|series| {
            let name = data.capture.regions.text(u32::from(series.region));
            let name = if name.is_empty() {
                "region not said".to_owned()
            } else {
                visible(name).into_owned()
            };
            Some((name, latest(series.samples)?, series.count()))
        })
        .collect();
    regions.sort_by(|a, b| b.1.kib.total_cmp(&a.1.kib).then_with(|| a.0.cmp(&b.0)));
    let mut lines = Vec::new();
    for (index, (name, sample, count)) in regions.iter().enumerate().take(MAX_REGIONS) {
        let at = match sample.when.at() {
            Some(at) => format!("at {} UTC", at.minute_text()),
            None => "without a time".to_owned(),
        };
        let doubt = match sample.when.trust() {
            Trust::Exact => "",
            Trust::Weak => ", time or size in doubt",
        };
        let readings = if *count == 1 { "reading" } else { "readings" };
        let words = format!(
            "{name}: {} {at}{doubt}, {} {readings}",
            kib_text(sample.kib),
            count_text(*count)
        );
        let label = if index == 0 { "regions" } else { "" };
        lines.extend(fact(label, Role::Outside, &words, of.width));
    }
    lines
}

/// The smallest and the largest reading, and when the first and the last were taken.
fn extent(of: &Of<'_>) -> String {
    let samples = of.series.samples;
    let first = of.series.thinned.map(|t| t.first);
    let largest = of.series.thinned.map(|t| t.largest.kib);
    let sizes = || samples.iter().map(|s| s.kib).chain(largest);
    let times = samples.iter().chain(first.as_ref());
    let mut times: Vec<_> = times.filter_map(|s| s.when.at()).collect();
    times.sort_unstable();
    let least = sizes().reduce(f64::min).unwrap_or_default();
    let most = sizes().reduce(f64::max).unwrap_or_default();
    let span = match (times.first(), times.last()) {
        (Some(from), Some(to)) if from.date_text() != to.date_text() => {
            format!(", {} to {}", from.date_text(), to.date_text())
        }
        (Some(at), _) => format!(", {}", at.date_text()),
        _ => String::new(),
    };
    format!("{} to {}{span}", kib_text(least), kib_text(most))
}

fn growth(of: &Of<'_>) -> String {
    let readings = count_text(of.series.count());
    match &of.row.growth {
        Some(growth) => format!("{}, from {readings} readings", growth_sentence(growth)),
        None if of.series.count() < 2 => "not known from one reading".to_owned(),
        None => format!("not known: {readings} readings lie too close to each other"),
    }
}

/// The date of the wall with its state in words.
pub fn wall(of: &Of<'_>) -> String {
    match &of.row.wall {
        Wall::Over => "reached: the service refuses further writes to this key".to_owned(),
        Wall::Date {
            at,
            earliest,
            latest,
        } => {
            let latest = match latest {
                Some(latest) => format!("{} at the latest", latest.date_text()),
                None => "no latest date can be told".to_owned(),
            };
            format!(
                "{} if it goes on like this; {} at the earliest, {latest}",
                at.date_text(),
                earliest.date_text()
            )
        }
        Wall::Never => "none in sight: the key does not grow".to_owned(),
        Wall::Unknown if of.row.growth.is_none() => "not known, since growth is not".to_owned(),
        Wall::Unknown => {
            "not known: within what the sizes may be off the key may not grow at all".to_owned()
        }
    }
}
