//! The figures of physical partitions: where keys lie, how evenly, what is refused, what is hot now.

use super::{Asked, Figure, real};
use crate::analysis::placement::Layout;
use crate::analysis::throttling::{equal_share, expected_load_ratio, keys_needed, needed_ru};
use crate::analysis::trial::verdict::UNEVEN;
use crate::analysis::trial::{LayoutFrom, Weight};
use crate::model::key::{KeyDefinition, KeyKind, KeyVersion};
use crate::model::units::{PARTITION_RU_PER_SECOND, count_text, kib_text, percent_text};
use crate::model::visible::visible;
use crate::view::heat::short;
use crate::view::trial::pane::counted;

/// Boundaries that are written out.
const MOST_BOUNDARIES: usize = 8;

pub(super) fn figures(asked: &Asked<'_>) -> Vec<Figure> {
    let mut figures = vec![places(asked)];
    figures.extend(by_bytes(asked));
    figures.extend(by_ru(asked));
    figures.extend(expected(asked));
    figures.extend(refused(asked));
    figures.extend(refused_now(asked));
    figures.extend(cap(asked));
    figures.extend(now(asked));
    figures.extend(active(asked));
    figures
}

/// Which layout, hash and boundaries.
fn places(asked: &Asked<'_>) -> Figure {
    let trial = asked.trial;
    let placement = &trial.placement;
    let count = placement.partitions.len();
    let levels = trial.candidate.levels.len();
    let (what, formula, boundaries) = match placement.layout {
        LayoutFrom::Creation => (
            counted(
                count as u64,
                "range of equal width",
                "ranges of equal width",
            ),
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
    };
    let kind = if levels > 1 {
        "each level is hashed by itself, and the hashes stand one behind the other; a new container's boundaries cut \
         between values of the first level, later splits also inside one"
    } else {
        "the whole key is hashed once"
    };
    let by_chance = placement.by_chance;
    Figure::new("physical partitions", what, formula, boundaries)
        .remark(kind)
        .remark_if((by_chance > 0).then(|| {
            let keys = counted(by_chance, "key was", "keys were");
            format!("{keys} placed by chance: their texts were not kept")
        }))
        .remark_if(placement.after_splits.as_ref().map(|splits| {
            format!(
                "what would hold more than 50 GB is split at the median of its data: {} then",
                counted(splits.partitions.len() as u64, "partition", "partitions")
            )
        }))
}

/// The first boundaries of a new container, in hexadecimal.
fn boundaries(count: usize, levels: usize) -> String {
    let definition = KeyDefinition {
        paths: vec![String::new(); levels],
        kind: if levels > 1 {
            KeyKind::MultiHash
        } else {
            KeyKind::Hash
        },
        version: KeyVersion::V2,
    };
    let layout = Layout::even(count, &definition);
    let spans = layout.spans().iter().skip(1);
    let first: Vec<String> = spans
        .take(MOST_BOUNDARIES)
        .map(|span| span.min.to_string())
        .collect();
    let more = if count > MOST_BOUNDARIES + 1 {
        " …"
    } else {
        ""
    };
    format!("{}{more}", first.join(" "))
}

fn most_and_sum(values: &[f64]) -> (f64, f64) {
    (
        values.iter().copied().fold(0.0, f64::max),
        values.iter().sum(),
    )
}

fn interval(interval: Option<[f64; 2]>) -> Option<String> {
    let [low, high] = interval?;
    Some(format!(
        "{low:.2} to {high:.2} with 95 %: the sample is drawn again 200 times, by a seed"
    ))
}

fn by_bytes(asked: &Asked<'_>) -> Option<Figure> {
    let placement = &asked.trial.placement;
    let bytes: Vec<f64> = placement.partitions.iter().map(|p| p.bytes).collect();
    let (most, sum) = most_and_sum(&bytes);
    let found = placement.load_ratio_storage?;
    Some(
        Figure::new(
            "load ratio by bytes",
            format!("{found:.2}"),
            "S = N × bytes of the fullest partition / bytes of all",
            format!(
                "{} × {} / {}",
                count_text(bytes.len() as u64),
                kib_text(most / 1024.0),
                kib_text(sum / 1024.0)
            ),
        )
        .remark_if(interval(placement.load_ratio_storage_interval)),
    )
}

fn by_ru(asked: &Asked<'_>) -> Option<Figure> {
    let placement = &asked.trial.placement;
    let partitions = &placement.partitions;
    let found = placement.load_ratio_ru?;
    let weight = asked.settings.weight;
    let each = match weight {
        Weight::Documents => "each document is taken to cost the same RU",
        Weight::Bytes => "each byte is taken to cost the same RU",
        Weight::Logged => "documents share the RU that logs name for their keys of today",
    };
    let told: Option<Vec<f64>> = partitions.iter().map(|p| p.ru_per_second).collect();
    let n = count_text(partitions.len() as u64);
    let numbers = match (told, weight) {
        (Some(ru), _) => {
            let (most, sum) = most_and_sum(&ru);
            format!("{n} × {} / {} RU/s", short(most), short(sum))
        }
        (None, Weight::Logged) => "the RU of the logs are not shown by partition".to_owned(),
        (None, Weight::Bytes) => "as by bytes".to_owned(),
        (None, Weight::Documents) => {
            let documents: Vec<f64> = partitions.iter().map(|p| p.documents).collect();
            let (most, sum) = most_and_sum(&documents);
            format!("{n} × {} / {} documents", short(most), short(sum))
        }
    };
    Some(
        Figure::new(
            "load ratio by RU",
            format!("{found:.2}"),
            "S = N × RU of the busiest partition / RU of all",
            numbers,
        )
        .remark(each)
        .remark(format!(
            "{} of the RU/s can be used: 1/S",
            percent_text(1.0 / found.max(1.0))
        ))
        .remark_if(interval(placement.load_ratio_ru_interval)),
    )
}

/// What so many keys are expected to have wherever they lie.
fn expected(asked: &Asked<'_>) -> Option<Figure> {
    let trial = asked.trial;
    let equal = trial.k_eff?;
    let partitions = trial.placement.partitions.len();
    let w1 = trial.top_share.share;
    let found = expected_load_ratio(partitions, equal, w1);
    Some(
        Figure::new(
            "load ratio expected of such keys",
            format!("{found:.2}"),
            "the larger of 1 + √(2 N ln N / K) and N w1 + 1 - w1, at most N: before any key is placed",
            format!(
                "N = {}, K = {}, w1 = {}",
                count_text(partitions as u64),
                short(equal),
                percent_text(w1)
            ),
        )
        .remark(format!(
            "{} equal keys are expected to stay within {UNEVEN} times the mean",
            short(keys_needed(partitions, UNEVEN))
        )),
    )
}

fn given(asked: &Asked<'_>) -> Option<(f64, f64)> {
    let settings = asked.settings;
    let given = settings.ru_per_second?;
    Some((given, settings.load_ru_per_second.unwrap_or(given)))
}

fn refused(asked: &Asked<'_>) -> Option<Figure> {
    let (given, load) = given(asked)?;
    let partitions = &asked.trial.placement.partitions;
    let loads: Vec<f64> = partitions.iter().filter_map(|p| p.ru_per_second).collect();
    let capacity = equal_share(given, loads.len());
    let beyond: f64 = loads.iter().map(|l| (l - capacity).max(0.0)).sum();
    let sum: f64 = loads.iter().sum();
    let highest = loads.iter().copied().fold(0.0, f64::max);
    let needed = needed_ru(loads.len(), highest);
    Some(
        Figure::new(
            "refused",
            percent_text(asked.trial.placement.throttled_share?),
            "T = Σ max(0, L - C) / Σ L over partitions, C = the smaller of 10,000 and R / N",
            format!(
                "{} / {} RU/s, with {} asked, R = {}, C = {}",
                short(beyond),
                short(sum),
                short(load),
                short(given),
                short(capacity)
            ),
        )
        .remark(match needed {
            Some(ru) => format!(
                "{} RU/s would refuse nothing: N × {} RU/s",
                short(ru),
                short(highest)
            ),
            None => format!(
                "no RU/s would do at this layout: one partition is asked for {} RU/s",
                short(highest)
            ),
        }),
    )
}

fn refused_now(asked: &Asked<'_>) -> Option<Figure> {
    let placement = &asked.trial.placement;
    let ratio = placement.load_ratio_now?;
    let result = match placement.throttled_share_now {
        Some(share) => format!("S {ratio:.2}, {} refused", percent_text(share)),
        None => format!("S {ratio:.2}"),
    };
    Some(Figure::new(
        "by the writes of the last hours",
        result,
        "S and T as above, with the documents of the last hours alone as load",
        {
            let (most, sum) = most_and_sum(&placement.recent);
            let n = count_text(placement.recent.len() as u64);
            format!("{n} × {} / {} documents", short(most), short(sum))
        },
    ))
}

fn cap(asked: &Asked<'_>) -> Option<Figure> {
    let beyond = asked.trial.beyond_any_ru?;
    let load = asked.settings.load_ru_per_second;
    let load = load.or(asked.settings.ru_per_second)?;
    let hottest = asked.trial.hottest_share;
    let figure = Figure::new(
        "asked of the hottest key",
        format!("{} RU/s", short(hottest * load)),
        "its share of the RU × RU/s asked, against the 10,000 that any key can have whatever is paid",
        format!("{} × {} RU/s", percent_text(hottest), short(load)),
    );
    Some(figure.remark(if beyond > 0.0 {
        format!("{} RU/s of it are refused at any price", short(beyond))
    } else {
        let of = percent_text(hottest * load / PARTITION_RU_PER_SECOND);
        format!("{of} of the {} RU/s", short(PARTITION_RU_PER_SECOND))
    }))
}

/// Keys that share the work of one second.
fn active(asked: &Asked<'_>) -> Option<Figure> {
    let active = asked.trial.active.as_ref()?;
    let at_least = if active.at_least { "at least " } else { "" };
    let n = asked.trial.placement.partitions.len() as u64;
    let figure = Figure::new(
        "keys within the same second",
        format!("{at_least}{}", short(active.mean)),
        "mean number of different keys in a second that has documents",
        counted(active.seconds, "second looked at", "seconds looked at"),
    );
    let wanted = count_text(n.saturating_mul(10));
    Some(
        figure
            .remark(format!(
                "10 × N = {wanted} and more keep all partitions busy at once"
            ))
            .remark_if(
                active
                    .interval
                    .map(|[low, high]| format!("{} to {} with 95 %", short(low), short(high))),
            ),
    )
}

fn now(asked: &Asked<'_>) -> Option<Figure> {
    let now = asked.trial.now.as_ref()?;
    let hours = match now.hours {
        1 => "hour".to_owned(),
        n => format!("{} hours", count_text(n.into())),
    };
    let path = now.path.to_string();
    let until = now.until.map(|stamp| format!(" until {}", stamp.rfc3339()));
    let count = short((now.top.share * real(now.documents)).round());
    Some(
        Figure::new(
            "busiest key now",
            format!("{} of the last {hours}", percent_text(now.top.share)),
            "documents of the busiest key / documents of the last hours, by the time that they hold",
            format!("{count} / {}, of {}", count_text(now.documents), counted(now.keys, "key", "keys")),
        )
        .remark(format!("by {}{}", visible(&path), until.unwrap_or_default()))
        .remark_if(now.worst_hour.map(|share| {
            format!("in the worst hour one key had {}", percent_text(share))
        })),
    )
}
