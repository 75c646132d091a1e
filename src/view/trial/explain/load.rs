//! The figures of physical partitions: where keys lie, how evenly, what is refused, what is hot now.

use super::{Asked, Figure, real};
use crate::analysis::placement::Layout;
use crate::analysis::throttling::{equal_share, expected_load_ratio, keys_needed, needed_ru};
use crate::analysis::trial::verdict::UNEVEN;
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
    figures
}

/// Which layout, hash and boundaries.
fn places(asked: &Asked<'_>) -> Figure {
    let trial = asked.trial;
    let count = trial.placement.partitions.len();
    let levels = trial.candidate.levels.len();
    let is_hierarchical = levels > 1;
    let definition = KeyDefinition {
        paths: vec![String::new(); levels],
        kind: if is_hierarchical {
            KeyKind::MultiHash
        } else {
            KeyKind::Hash
        },
        version: KeyVersion::V2,
    };
    let layout = Layout::even(count, &definition);
    let spans = layout.spans().iter().skip(1);
    let boundaries: Vec<String> = spans
        .take(MOST_BOUNDARIES)
        .map(|span| span.min.to_string())
        .collect();
    let more = if count > MOST_BOUNDARIES + 1 {
        " …"
    } else {
        ""
    };
    let kind = if is_hierarchical {
        "each level is hashed by itself, and the hashes stand one behind the other; a new container's boundaries cut \
         between values of the first level, later splits also inside one"
    } else {
        "the whole key is hashed once"
    };
    let by_chance = trial.placement.by_chance;
    Figure::new(
        "physical partitions",
        counted(count as u64, "range of equal width", "ranges of equal width"),
        "boundary i = (2^126 - 1) / N × i in the space of hash version 2, as a new container is divided",
        format!("boundaries: {}{more}", boundaries.join(" ")),
    )
    .remark(kind)
    .remark_if((by_chance > 0).then(|| {
        let keys = counted(by_chance, "key was", "keys were");
        format!("{keys} placed by chance: their texts were not kept")
    }))
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
    let documents: Vec<f64> = placement.partitions.iter().map(|p| p.documents).collect();
    let (most, sum) = most_and_sum(&documents);
    let found = placement.load_ratio_ru?;
    Some(
        Figure::new(
            "load ratio by RU",
            format!("{found:.2}"),
            "S = N × documents of the busiest partition / all documents: each costs the same RU",
            format!(
                "{} × {} / {}",
                count_text(documents.len() as u64),
                short(most),
                short(sum)
            ),
        )
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
        String::new(),
    ))
}

fn cap(asked: &Asked<'_>) -> Option<Figure> {
    let beyond = asked.trial.beyond_any_ru?;
    let (_, load) = given(asked).or_else(|| {
        let load = asked.settings.load_ru_per_second?;
        Some((load, load))
    })?;
    let w1 = asked.trial.top_share.share;
    Some(Figure::new(
        "asked of the commonest key",
        format!("{} RU/s", short(w1 * load)),
        "w1 × RU/s asked, against the 10,000 that any key can have whatever is paid",
        format!("{} × {} RU/s", percent_text(w1), short(load)),
    ))
    .map(|figure| {
        figure.remark(if beyond > 0.0 {
            format!("{} RU/s of it are refused at any price", short(beyond))
        } else {
            format!(
                "{} of the {} RU/s",
                percent_text(w1 * load / PARTITION_RU_PER_SECOND),
                short(PARTITION_RU_PER_SECOND)
            )
        })
    })
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
