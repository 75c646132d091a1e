//! The physical partitions as a candidate would fill and load them, beside those of the key of today.

mod paint;

use super::pane::name;
use crate::analysis::ceiling::Mark;
use crate::analysis::trial::verdict::{UNEVEN, VERY_UNEVEN};
use crate::analysis::trial::{
    LayoutFrom, Limit, PartitionLoad, Placement, Settings, Trial, Weight,
};
use crate::model::units::{
    PHYSICAL_CEILING_KIB, as_number, count_text, counted, figure_text, kib_text, percent_text,
    ratio_text,
};
use crate::model::visible::visible;

pub use paint::{draw, most_rows, rows};

words! {
    /// In which order partitions stand.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum PlacesOrder {
        #[default]
        HashRange = "by hash range",
        FullestFirst = "fullest first",
    }
    fn words
}

/// What a whole bar of stored bytes stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BarScale {
    /// The 50 GB of a physical partition.
    #[default]
    Ceiling,
    /// The fullest partition that is shown: the shape, where all are far from full.
    Fullest,
    /// Shares of the documents at hand, where nothing tells how large the container is.
    Documents,
}

/// What the panel is made of.
#[derive(Clone, Copy, Debug)]
pub struct PlacesInputs<'a> {
    pub candidate: &'a Trial,
    /// The key that the container has, if it is known and another one.
    pub current: Option<&'a Trial>,
    pub settings: &'a Settings,
    pub order: PlacesOrder,
    pub against: BarScale,
}

/// What bars of stored bytes are measured in.
#[derive(Clone, Copy, PartialEq, Debug)]
struct StoredScale {
    /// Bytes of a whole bar.
    whole: f64,
    /// All bytes, where shares are told.
    share_of: Option<f64>,
}

/// What the bars of load are measured in.
#[derive(Clone, Copy, PartialEq, Debug)]
enum LoadIs {
    /// RU/s that are asked, of those that the container is given.
    OfGiven(f64),
    /// Nobody told what is asked: times the mean partition, the whole bar this many times.
    TimesMean { most: f64 },
    /// Neither requests nor documents show any.
    Unknown,
}

#[derive(Clone, PartialEq, Debug, Default)]
struct Bar {
    /// Of the whole bar.
    part: f64,
    mark: Option<Mark>,
    text: String,
}

/// One partition, or the highest values of several that share a row.
#[derive(Clone, PartialEq, Debug, Default)]
struct Row {
    label: String,
    storage: Bar,
    load: Bar,
    /// Of what is asked of it.
    throttled: Option<f64>,
}

/// All partitions under one key.
#[derive(Clone, PartialEq, Debug)]
struct Side {
    name: String,
    /// In one word, and how bad that is.
    evenness: (&'static str, Mark),
    /// What the bars of load are measured against.
    load_of: String,
    rows: Vec<Row>,
    /// The shortest that says it, then more.
    below: Vec<String>,
}

/// Everything that the panel shows.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlacesPanel {
    title: String,
    aside: String,
    /// What the bars are measured against.
    storage_of: String,
    load_of_short: &'static str,
    has_marks: bool,
    storage_has_marks: bool,
    /// The key of today first.
    sides: Vec<Side>,
}

/// For a panel with so many rows for partitions, as [`rows`] tells them.
pub fn places_panel(inputs: &PlacesInputs<'_>, rows: usize) -> PlacesPanel {
    let current = inputs.current.map(|trial| (trial, "current "));
    let trials = current.into_iter().chain([(inputs.candidate, "")]);
    let trials: Vec<(&Trial, &str)> = trials.collect();
    let load_is = load_is(inputs, &trials);
    let fullest = trials.iter().flat_map(|(t, _)| &t.placement.partitions);
    let fullest = fullest.map(|p| p.bytes).fold(0.0, f64::max);
    let is_assumed = inputs.candidate.whole.is_assumed;
    let against = match inputs.against {
        BarScale::Ceiling if is_assumed => BarScale::Documents,
        against => against,
    };
    let stored = StoredScale {
        whole: match against {
            BarScale::Ceiling => PHYSICAL_CEILING_KIB * 1024.0,
            BarScale::Fullest | BarScale::Documents => fullest,
        },
        share_of: (against == BarScale::Documents).then_some(inputs.candidate.whole.bytes),
    };
    let one = |(trial, before): &(&Trial, &str)| {
        let name = format!("{before}{}", name(trial));
        let held = partition_figures(trial, inputs, load_is);
        side(inputs, trial, name, &held, (load_is, stored), rows)
    };
    let sides: Vec<Side> = trials.iter().map(one).collect();
    let count = inputs.candidate.placement.partitions.len();
    let merged = count.div_ceil(rows.max(1));
    // The service splits what would hold more than 50 GB.
    let split = |trial: &Trial| match &trial.placement.after_splits {
        Some(into) => format!(", split to {}", count_text(into.partitions.len() as u64)),
        None => String::new(),
    };
    let partitions = match inputs.current {
        Some(now) => format!(
            "physical partitions: today {}{}, new {}",
            count_text(now.placement.partitions.len() as u64),
            split(now),
            count_text(count as u64)
        ),
        None => counted(count as u64, "physical partition", "physical partitions"),
    } + &split(inputs.candidate);
    let title =
        if merged > 1 { format!("{partitions}; highest of {merged} a row") } else { partitions };
    PlacesPanel {
        title,
        aside: inputs.order.words().to_owned(),
        storage_of: match against {
            BarScale::Documents => "of the documents".to_owned(),
            BarScale::Ceiling => "of 50 GB".to_owned(),
            BarScale::Fullest => format!("of {}", kib_text(fullest / 1024.0)),
        },
        load_of_short: match load_is {
            LoadIs::OfGiven(_) => "of RU/s",
            LoadIs::TimesMean { .. } => "× average",
            LoadIs::Unknown => "load",
        },
        has_marks: matches!(load_is, LoadIs::OfGiven(_)),
        storage_has_marks: against == BarScale::Ceiling,
        sides,
    }
}

/// RU/s that are asked can be held against those that are given only where somebody told both.
fn load_is(inputs: &PlacesInputs<'_>, trials: &[(&Trial, &str)]) -> LoadIs {
    let settings = inputs.settings;
    let is_known = trials.iter().all(|(trial, _)| trial.demand.is_some());
    if let (Some(given), true) = (settings.ru_per_second, is_known) {
        return LoadIs::OfGiven(given);
    }
    let all = trials.iter().map(|(trial, _)| loads(trial, settings));
    let times = all.flat_map(|loads| times_mean(&loads));
    match times.fold(0.0, f64::max) {
        0.0 => LoadIs::Unknown,
        most => LoadIs::TimesMean { most },
    }
}

/// The load of each partition, by the weight that is set: RU/s where they are told. Without them logged weights are not
/// told by partition, and documents stand for them.
fn loads(trial: &Trial, settings: &Settings) -> Vec<f64> {
    let partitions = &trial.placement.partitions;
    let load = |p: &PartitionLoad| match (p.ru_per_second, settings.weight) {
        (Some(ru), _) => ru,
        (None, Weight::Bytes) => p.bytes,
        (None, Weight::Documents | Weight::Logged) => p.documents,
    };
    partitions.iter().map(load).collect()
}

fn times_mean(loads: &[f64]) -> Vec<f64> {
    let mean = loads.iter().sum::<f64>() / as_number(loads.len().max(1));
    let times = |load: &f64| if mean > 0.0 { load / mean } else { 0.0 };
    loads.iter().map(times).collect()
}

/// What one partition is, before it is text.
#[derive(Clone, Copy, Debug)]
struct PartitionFigures {
    number: usize,
    bytes: f64,
    /// RU/s where they are told, else times the mean.
    load: f64,
    limit: Option<Limit>,
}

fn partition_figures(
    trial: &Trial,
    inputs: &PlacesInputs<'_>,
    load_is: LoadIs,
) -> Vec<PartitionFigures> {
    let loads = loads(trial, inputs.settings);
    let (loads, limits) = match load_is {
        LoadIs::OfGiven(given) => {
            let limits = trial.limits(&loads, given);
            (loads, limits)
        }
        LoadIs::TimesMean { .. } | LoadIs::Unknown => (times_mean(&loads), Vec::new()),
    };
    let partitions = trial.placement.partitions.iter();
    let held = partitions.zip(loads).enumerate();
    let mut held: Vec<PartitionFigures> = held
        .map(|(number, (p, load))| PartitionFigures {
            number,
            bytes: p.bytes,
            load,
            limit: limits.get(number).copied(),
        })
        .collect();
    if inputs.order == PlacesOrder::FullestFirst {
        held.sort_by(|a, b| {
            let by_load = b.load.total_cmp(&a.load);
            by_load.then(b.bytes.total_cmp(&a.bytes))
        });
    }
    held
}

fn side(
    inputs: &PlacesInputs<'_>,
    trial: &Trial,
    name: String,
    held: &[PartitionFigures],
    (load_is, stored): (LoadIs, StoredScale),
    rows: usize,
) -> Side {
    let merged = held.len().div_ceil(rows.max(1)).max(1);
    let rows = held.chunks(merged);
    let limits = held.iter().filter_map(|one| one.limit);
    let most = limits.map(|limit| limit.capacity).fold(0.0, f64::max);
    // The hottest key has its peak in the reasons.
    let mean = trial.outcome.as_ref().map_or("", |_| "mean ");
    Side {
        name,
        load_of: match load_is {
            LoadIs::OfGiven(_) => format!("{mean}RU/s of {}", figure_text(most)),
            LoadIs::TimesMean { .. } => "load × average".to_owned(),
            LoadIs::Unknown => "load".to_owned(),
        },
        evenness: evenness(trial),
        rows: rows.map(|some| row(some, load_is, stored, &trial.placement)).collect(),
        below: below(trial, inputs.settings),
    }
}

fn row(
    some: &[PartitionFigures],
    load_is: LoadIs,
    stored: StoredScale,
    placement: &Placement,
) -> Row {
    let id = |held: &PartitionFigures| visible(&placement.id(held.number)).into_owned();
    let highest = |of: fn(&PartitionFigures) -> f64| some.iter().map(of).fold(0.0, f64::max);
    let (bytes, load) = (highest(|h| h.bytes), highest(|h| h.load));
    let used = highest(|h| h.limit.map_or(0.0, |l| h.load / l.capacity));
    // Ids follow no order: a first and a last one would say nothing of those between.
    let label = match some {
        [] => String::new(),
        [one] => id(one),
        [first, others @ ..] => format!("{} +{}", id(first), others.len()),
    };
    Row {
        label,
        storage: Bar {
            part: bytes / stored.whole.max(f64::MIN_POSITIVE),
            mark: Some(Mark::of(bytes / 1024.0 / PHYSICAL_CEILING_KIB)),
            text: match stored.share_of {
                Some(all) => percent_text(bytes / all.max(1.0)),
                None => kib_text(bytes / 1024.0),
            },
        },
        load: match load_is {
            LoadIs::OfGiven(_) => {
                Bar { part: used, mark: Some(Mark::of(used)), text: figure_text(load) }
            }
            LoadIs::TimesMean { most } => {
                Bar { part: load / most, mark: None, text: ratio_text(load) }
            }
            LoadIs::Unknown => Bar { text: "unknown".to_owned(), ..Bar::default() },
        },
        throttled: Some(highest(|h| h.limit.map_or(0.0, |l| l.throttled)))
            .filter(|share| *share > 0.0),
    }
}

/// In one word how alike the partitions are, by the worst of bytes and load.
fn evenness(trial: &Trial) -> (&'static str, Mark) {
    let placement = &trial.placement;
    let ratios = [placement.load_ratio_storage, placement.load_ratio_ru];
    match ratios.into_iter().flatten().reduce(f64::max) {
        None => ("nothing stored", Mark::Below),
        Some(ratio) if ratio > VERY_UNEVEN => ("very uneven", Mark::Alarm),
        Some(ratio) if ratio > UNEVEN => ("uneven", Mark::Warn),
        Some(_) => ("even", Mark::Below),
    }
}

fn below(trial: &Trial, settings: &Settings) -> Vec<String> {
    let placement = &trial.placement;
    let ratio = |value: Option<f64>| {
        value.map_or_else(|| "–".to_owned(), |value| format!("×{}", ratio_text(value)))
    };
    let load = match trial.demand {
        Some(_) => "RU/s".to_owned(),
        None => format!("load by {}", settings.weight.name()),
    };
    let is_loaded = loads(trial, settings).iter().any(|load| *load > 0.0);
    let load = is_loaded.then(|| format!(", {} {load}", ratio(placement.load_ratio_ru)));
    let load = load.unwrap_or_default();
    let stored = ratio(placement.load_ratio_storage);
    let mut lines = vec![format!("imbalance {stored} storage{load}")];
    let is_empty = |p: &&PartitionLoad| p.documents <= 0.0 && p.bytes <= 0.0;
    let empty = placement.partitions.iter().filter(is_empty);
    match empty.count() as u64 {
        0 => {}
        n => lines.push(counted(n, "empty partition", "empty partitions")),
    }
    let is_assumed = trial.whole.is_assumed && settings.ru_per_second.is_none();
    lines.push(if is_assumed {
        "how many partitions there are is assumed".to_owned()
    } else {
        ranges(placement.layout, settings)
    });
    if let Some(splits) = &placement.after_splits {
        let count = counted(splits.partitions.len() as u64, "partition", "partitions");
        let s = ratio(splits.load_ratio_storage);
        let over = match splits.over {
            0 => String::new(),
            n => format!(", {} over 50 GB by one key alone", count_text(n)),
        };
        lines.push(format!("splits at 50 GB: {count}, imbalance of storage {s}{over}"));
    }
    if placement.by_chance > 0 {
        let keys = counted(placement.by_chance, "key", "keys");
        lines.push(format!("{keys} placed by chance: their texts were not kept"));
    }
    let throttled = placement.throttled_share.map(percent_text);
    lines.extend(throttled.map(|share| format!("{share} throttled")));
    lines
}

/// Which ranges these are.
fn ranges(layout: LayoutFrom, settings: &Settings) -> String {
    match layout {
        LayoutFrom::Creation => match settings.partitions_by() {
            Some([by_ru, by_size]) => format!(
                "of a new container: {} by RU/s, {} by size",
                count_text(by_ru as u64),
                count_text(by_size as u64)
            ),
            None => "as many partitions as a new container gets".to_owned(),
        },
        LayoutFrom::Today => "today's hash ranges".to_owned(),
        LayoutFrom::TodaySplit { from } => {
            let today = counted(from as u64, "range", "ranges");
            format!("today's {today}, split")
        }
        LayoutFrom::StorageSplit { from } => {
            format!("created with {}, split at 50 GB", count_text(from as u64))
        }
        LayoutFrom::CreationSplit { from } => {
            format!("created with {}, then split by more RU/s", count_text(from as u64))
        }
    }
}

#[cfg(test)]
mod tests;
