//! The figures of physical partitions: where keys lie, how evenly, what is refused, what is hot now.

use super::{ExplainInputs, Working};
use crate::analysis::demand::buy::Shortfall;
use crate::analysis::trial::PartitionLoad;
use crate::analysis::trial::verdict::RoutedTrial;
use crate::analysis::trial::{LayoutFrom, TrialBasis, Weight};
use crate::model::key::KeyDefinition;
use crate::model::layout::Layout;
use crate::model::units::{
    PARTITION_RU_PER_SECOND, count_text, counted, figure_text, kib_text, percent_range_text,
    percent_text, ratio_text, real,
};
use crate::model::visible::visible;
use crate::report::trial::THROTTLED;

/// Boundaries that are written out.
const MOST_BOUNDARIES: usize = 8;

pub(super) fn figures(inputs: &ExplainInputs<'_>) -> Vec<Working> {
    let mut figures = vec![places(inputs)];
    figures.extend(by_bytes(inputs));
    figures.extend(by_ru(inputs));
    figures.extend(throttled(inputs));
    figures.extend(ru_to_buy(inputs));
    figures.extend(after_splits(inputs));
    figures.extend(cap(inputs));
    figures.extend(now(inputs));
    figures.extend(active(inputs));
    figures
}

/// Which layout, hash and boundaries.
fn places(inputs: &ExplainInputs<'_>) -> Working {
    let trial = inputs.trial();
    let placement = &trial.placement;
    let count = placement.partitions.len();
    let levels = trial.candidate.levels.len();
    let created = |from: usize, formula| {
        let from = counted(from as u64, "range", "ranges");
        let what = counted(count as u64, "range", "ranges");
        (what, formula, format!("from {from} at creation"))
    };
    let (what, formula, boundaries) = match placement.layout {
        LayoutFrom::Creation => (
            counted(count as u64, "range of equal width", "ranges of equal width"),
            "boundary i = (2^126 - 1) / N × i in the space of hash version 2, as a new container is divided",
            format!("boundaries: {}", boundaries(count, levels)),
        ),
        LayoutFrom::Today => (
            counted(count as u64, "range of today", "ranges of today"),
            "the ranges and the hash version that the container has",
            String::new(),
        ),
        LayoutFrom::TodaySplit { from } => (
            counted(count as u64, "range", "ranges"),
            "the container's ranges, the fullest split at the median of its data until there are N",
            format!("from {} today", counted(from as u64, "range", "ranges")),
        ),
        LayoutFrom::CreationSplit { from } => created(
            from,
            "a new container's ranges; where RU/s are raised the hottest is split at the median of its data until there are N",
        ),
        LayoutFrom::StorageSplit { from } => created(
            from,
            "a new container's ranges, those over 50 GB split at the median of their data",
        ),
    };
    let kind = if levels > 1 {
        "each level is hashed by itself, and the hashes stand one behind the other; a new container's boundaries cut \
         between values of the first level, later splits also inside one"
    } else {
        "the whole key is hashed once"
    };
    let by_chance = placement.by_chance;
    Working::new("physical partitions", what, formula, boundaries).remark(kind).remark_if(
        (by_chance > 0).then(|| {
            let keys = counted(by_chance, "key was", "keys were");
            format!("{keys} placed by chance: their texts were not kept")
        }),
    )
}

/// The first boundaries of a new container, in hexadecimal.
fn boundaries(count: usize, levels: usize) -> String {
    let layout = Layout::even(count, &KeyDefinition::of_levels(levels));
    let spans = layout.spans().iter().skip(1);
    let first: Vec<String> = spans.take(MOST_BOUNDARIES).map(|span| span.min.to_string()).collect();
    let more = if count > MOST_BOUNDARIES + 1 { " …" } else { "" };
    format!("{}{more}", first.join(" "))
}

fn most_and_sum(values: &[f64]) -> (f64, f64) {
    (values.iter().copied().fold(0.0, f64::max), values.iter().sum())
}

/// `12 × 47.27 GiB / 375.94 GiB`.
fn fullest_of_all(partitions: &[PartitionLoad]) -> String {
    let bytes: Vec<f64> = partitions.iter().map(|p| p.bytes).collect();
    let (most, sum) = most_and_sum(&bytes);
    let [most, sum] = [most, sum].map(|bytes| kib_text(bytes / 1024.0));
    format!("{} × {most} / {sum}", count_text(bytes.len() as u64))
}

fn interval(interval: Option<[f64; 2]>) -> Option<String> {
    let [low, high] = interval?.map(ratio_text);
    Some(format!("{low} to {high} with 95 %: the sample is drawn again 200 times, by a seed"))
}

fn by_bytes(inputs: &ExplainInputs<'_>) -> Option<Working> {
    let placement = &inputs.trial().placement;
    let figure = inputs.row(
        "imbalance, storage",
        "S = N × bytes of the fullest partition / bytes of all",
        fullest_of_all(&placement.partitions),
    )?;
    Some(figure.remark_if(interval(placement.load_ratio_storage_interval)))
}

fn by_ru(inputs: &ExplainInputs<'_>) -> Option<Working> {
    let placement = &inputs.trial().placement;
    let partitions = &placement.partitions;
    let found = placement.load_ratio_ru?;
    let weight = inputs.settings.weight;
    let is_logged = inputs.trial().basis != TrialBasis::Documents;
    let each = match weight {
        _ if is_logged => "by the RU that logs report by key",
        Weight::Documents => "each document is taken to cost the same RU",
        Weight::Bytes => "each byte is taken to cost the same RU",
        Weight::Logged => "documents share the RU that logs name for their keys of today",
    };
    let reported: Option<Vec<f64>> = partitions.iter().map(|p| p.ru_per_second).collect();
    let n = count_text(partitions.len() as u64);
    let numbers = match (reported, weight) {
        (Some(ru), _) => {
            let (most, sum) = most_and_sum(&ru);
            format!("{n} × {} / {} RU/s", figure_text(most), figure_text(sum))
        }
        (None, weight) if is_logged || weight == Weight::Logged => {
            "the RU of the logs are not shown by partition".to_owned()
        }
        (None, Weight::Bytes) => "as by bytes".to_owned(),
        (None, _) => {
            let documents: Vec<f64> = partitions.iter().map(|p| p.documents).collect();
            let (most, sum) = most_and_sum(&documents);
            format!("{n} × {} / {} documents", figure_text(most), figure_text(sum))
        }
    };
    let figure = inputs.row(
        "imbalance, RU/s",
        "S = N × RU of the hottest partition / RU of all",
        numbers,
    )?;
    let used = percent_text(1.0 / found.max(1.0));
    Some(
        figure
            .remark(each)
            .remark(format!("{used} of the RU/s can be used: 1/S"))
            .remark_if(interval(placement.load_ratio_ru_interval)),
    )
}

fn given(inputs: &ExplainInputs<'_>) -> Option<(f64, f64)> {
    Some((inputs.settings.ru_per_second?, inputs.trial().demand?))
}

fn throttled(inputs: &ExplainInputs<'_>) -> Option<Working> {
    let (given, load) = given(inputs)?;
    let partitions = &inputs.trial().placement.partitions;
    let loads: Vec<f64> = partitions.iter().filter_map(|p| p.ru_per_second).collect();
    let sum: f64 = loads.iter().sum();
    let placement = &inputs.trial().placement;
    let beyond = placement.throttled_share? * sum;
    let ends = placement.throttled_share_interval;
    let ends = ends.map(|[low, high]| percent_range_text(low, high));
    let figure = inputs.row(
        THROTTLED,
        "T = Σ max(0, L - C) / Σ L over partitions, C = the smaller of 10,000 and the RU/s of the partition",
        format!(
            "{} / {} RU/s, with {} of demand, R = {}, C = {}",
            figure_text(beyond),
            figure_text(sum),
            figure_text(load),
            figure_text(given),
            capacities(inputs, &loads, given)
        ),
    )?;
    Some(figure.remark_if(ends))
}

/// `6,000`, or `2,000 to 8,000` where partitions differ.
fn capacities(inputs: &ExplainInputs<'_>, loads: &[f64], given: f64) -> String {
    let limits = inputs.trial().limits(loads, given);
    let each = || limits.iter().map(|limit| limit.capacity);
    let least = figure_text(each().fold(f64::INFINITY, f64::min));
    let most = figure_text(each().fold(0.0, f64::max));
    if least == most { most } else { format!("{least} to {most}") }
}

/// The median over placements.
fn ru_to_buy(inputs: &ExplainInputs<'_>) -> Option<Working> {
    let buy = inputs.trial().to_buy.first()?;
    let numbers = match buy.ru {
        Ok(ru) if inputs.trial().outcome.is_some() => figure_text(ru.point),
        Ok(ru) => format!("{} to {} over 32 placements", figure_text(ru.low), figure_text(ru.high)),
        Err(Shortfall::Key(ru)) => format!("one key needs {} RU/s", figure_text(ru)),
        Err(Shortfall::Full) => "writes to a full key get 403, whatever the RU/s".to_owned(),
        Err(Shortfall::Partition) => "some partition needs more than it can have".to_owned(),
    };
    let rule = match inputs.trial().outcome {
        Some(_) => "the least RU/s with T up to 1 % on today's partitions and their splits",
        None => {
            "the least RU/s of a new container with T up to 1 %, where chance places the keys: the median"
        }
    };
    inputs.row(
        "RU/s to buy",
        rule,
        format!("{numbers}, with {} of demand{}", figure_text(buy.demand), buy.money()),
    )
}

/// What storage splits make of partitions that would hold too much.
fn after_splits(inputs: &ExplainInputs<'_>) -> Option<Working> {
    let splits = inputs.trial().placement.after_splits.as_ref()?;
    let figure = inputs.row(
        "after splits",
        "what would hold more than 50 GB is split at the median of its data until it does not; then S as above",
        fullest_of_all(&splits.partitions),
    )?;
    Some(figure.remark_if((splits.over > 0).then(|| {
        let over = counted(splits.over, "partition is", "partitions are");
        format!("{over} over 50 GB even so: one key alone fills it, and no split divides a key")
    })))
}

fn cap(inputs: &ExplainInputs<'_>) -> Option<Working> {
    let beyond = inputs.trial().beyond_any_ru?;
    let load = inputs.trial().demand?;
    let routed = RoutedTrial { trial: inputs.trial(), routed: &inputs.of.routed };
    let named = routed.hottest_key().map_or(0.0, |(_, share)| share);
    let hottest = inputs.trial().hottest_share.max(named);
    let figure = Working::new(
        "demand of the hottest key",
        format!("{} RU/s", figure_text(hottest * load)),
        "its share of the RU × demand, against the 10,000 RU/s that one key can use",
        format!("{} × {} RU/s", percent_text(hottest), figure_text(load)),
    );
    Some(figure.remark(if beyond > 0.0 {
        format!("{} RU/s of it are throttled whatever is provisioned", figure_text(beyond))
    } else {
        let of = percent_text(hottest * load / PARTITION_RU_PER_SECOND);
        format!("{of} of the {} RU/s", figure_text(PARTITION_RU_PER_SECOND))
    }))
}

/// Keys that share the work of one second.
fn active(inputs: &ExplainInputs<'_>) -> Option<Working> {
    let active = inputs.trial().writes.as_ref()?.active?;
    let n = inputs.trial().placement.partitions.len() as u64;
    let figure = inputs.row(
        "active keys/s",
        "mean number of distinct keys in a second that has documents",
        counted(active.seconds, "second looked at", "seconds looked at"),
    )?;
    let wanted = count_text(n.saturating_mul(10));
    let interval = active.interval;
    let interval = interval
        .map(|[low, high]| format!("{} to {} with 95 %", figure_text(low), figure_text(high)));
    Some(
        figure
            .remark(format!("10 × N = {wanted} and more keep all partitions busy at once"))
            .remark_if(interval),
    )
}

fn now(inputs: &ExplainInputs<'_>) -> Option<Working> {
    let now = inputs.trial().writes.as_ref()?;
    let hours = match now.hours {
        1 => "hour".to_owned(),
        n => format!("{} hours", count_text(n.into())),
    };
    let path = now.path.to_string();
    let until = now.until.map(|stamp| format!(" until {}", stamp.rfc3339()));
    let count = figure_text((now.top.share * real(now.documents)).round());
    let figure = inputs.row(
        "hottest key, newest",
        "documents of the hottest key / documents of the last hours, by the time that they hold",
        format!("{count} / {}, of {}", count_text(now.documents), counted(now.keys, "key", "keys")),
    )?;
    let until = until.unwrap_or_default();
    Some(figure.remark(format!("the last {hours} by {}{until}", visible(&path))))
}
