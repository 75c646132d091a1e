//! What text and Markdown share: the rows of the comparison and the sentences around it.

use crate::analysis::growth::Wall;
use crate::analysis::trial::{Share, Trial, TrialBasis};
use crate::model::units::{
    count_text, counted, kib_text, percent_text, ratio_text, tenths_text, whole_text,
};
use crate::model::visible::visible;
use crate::report::key_text::key_text;
use crate::report::layout::{optional, wall_text};

use super::{CandidateReport, KeyRole, TrialReport};

/// A line of the comparison: what is compared, and the cell of a candidate.
pub type CandidateRow = (&'static str, fn(&CandidateReport) -> String);

pub const ROWS: [CandidateRow; 16] = [
    ("verdict", |c| c.verdict.standing.word().to_owned()),
    ("different keys", |c| distinct(&c.trial)),
    ("seen by sample", |c| {
        optional(c.trial.distinct.coverage, percent_text)
    }),
    ("largest key", |c| c.trial.largest_text()),
    ("of the limit", |c| c.trial.largest_share_text()),
    ("full on", |c| full_on(&c.trial)),
    ("commonest key", |c| share_text(&c.trial, c.trial.top_share)),
    ("worth equal keys", |c| optional(c.trial.k_eff, amount)),
    ("busiest now", |c| {
        let writes = c.trial.writes.as_ref();
        optional(writes.map(|w| w.top.share), percent_text)
    }),
    ("keys a second", |c| {
        let active = c.trial.writes.as_ref().and_then(|w| w.active);
        let least = if active.is_some_and(|a| a.at_least) {
            "≥ "
        } else {
            ""
        };
        optional(active.map(|a| a.mean), |mean| {
            format!("{least}{}", amount(mean))
        })
    }),
    ("load ratio bytes", |c| {
        let placement = &c.trial.placement;
        ratio_within(
            placement.load_ratio_storage,
            placement.load_ratio_storage_interval,
        )
    }),
    ("load ratio RU", |c| {
        let placement = &c.trial.placement;
        ratio_within(placement.load_ratio_ru, placement.load_ratio_ru_interval)
    }),
    ("throttled", |c| {
        optional(c.trial.placement.throttled_share, percent_text)
    }),
    ("RU/s to buy", |c| ru_to_buy(&c.trial)),
    ("after splits", |c| {
        optional(c.trial.placement.after_splits.as_ref(), |after| {
            let partitions = count_text(after.partitions.len() as u64);
            format!("{partitions} at {}", ratio(after.load_ratio_storage))
        })
    }),
    ("id collisions", |c| {
        let found = c.trial.collisions.as_ref();
        optional(found, |found| count_text(found.documents))
    }),
];

/// Rows that documents fill only where no demand is measured.
const OF_WRITES: [&str; 2] = ["busiest now", "keys a second"];

/// The rows of a comparison that these trials can fill.
pub fn filled<'a, T>(
    rows: &'static [(&'static str, T)],
    mut trials: impl Iterator<Item = &'a Trial>,
) -> impl Iterator<Item = &'static (&'static str, T)> + Clone {
    let has_writes = trials.any(|trial| trial.writes.is_some());
    let is_filled = move |row: &&(&str, T)| has_writes || !OF_WRITES.contains(&row.0);
    rows.iter().filter(is_filled)
}

/// `current /tenantId`, visible.
pub(super) fn name(candidate: &CandidateReport) -> String {
    let key = candidate.trial.candidate.to_string();
    let key = visible(&key);
    match candidate.standing {
        KeyRole::Current => format!("current: {key}"),
        KeyRole::Candidate => key.into_owned(),
    }
}

/// What was looked at, and on what it is placed.
pub(super) fn summary(report: &TrialReport) -> String {
    let whole = &report.whole;
    let settings = &report.settings;
    let basis = report.candidates.first().map(|c| c.trial.basis);
    let (looked_at, size) = (count_text(whole.looked_at), kib_text(whole.bytes / 1024.0));
    let documents = if let Some(TrialBasis::Statistics { keys, .. }) = basis {
        let keys = count_text(keys);
        format!("Sizes and RU of {keys} logged keys of {size}, without documents")
    } else if whole.is_sample {
        let stands_for = amount(whole.documents);
        format!("A sample of {looked_at} documents, standing for {stands_for} of {size}")
    } else {
        format!("{looked_at} documents of {size}")
    };
    let weighed = whole.weighed_sentence();
    let weighed = weighed.map_or(String::new(), |said| format!("; {said}"));
    let factor = format!("storage factor {}{weighed}", settings.storage_factor);
    let ru = match settings.ru_per_second {
        Some(ru) => format!(" with {} RU/s provisioned", amount(ru)),
        None => String::new(),
    };
    let demand = match settings.load_ru_per_second {
        Some(load) => format!(", {} RU/s of demand", amount(load)),
        None => String::new(),
    };
    let partitions = settings.partitions as u64;
    let partitions = counted(partitions, "physical partition", "physical partitions");
    format!("{documents} ({factor}), on {partitions}{ru}{demand}.")
}

/// Whose key is no better than another in anything.
pub fn dominated(report: &TrialReport, candidate: &CandidateReport) -> Option<String> {
    let other = report.candidates.get(candidate.verdict.dominated_by?)?;
    let key = other.trial.candidate.to_string();
    Some(format!(
        "{} is as good in everything and better in something.",
        visible(&key)
    ))
}

/// Where the queries go.
pub(super) fn routes(candidate: &CandidateReport) -> Vec<[String; 3]> {
    let routed = candidate.routed.iter().map(|routed| {
        let visits = optional(routed.route.visits(), amount);
        [
            visible(&routed.name).into_owned(),
            format!("{} ({visits})", routed.route.routing.word()),
            visible(&routed.reason()).into_owned(),
        ]
    });
    routed.collect()
}

/// The largest keys: key, size, documents, their share.
pub(super) fn top(trial: &Trial) -> Vec<[String; 4]> {
    let row = |top: &crate::analysis::trial::TopKey| {
        [
            key_text(Some(&top.key.json())),
            kib_text(top.bytes / 1024.0),
            match trial.basis {
                TrialBasis::Documents => amount(top.documents),
                TrialBasis::Statistics { .. } => "–".to_owned(),
            },
            share_text(trial, top.share),
        ]
    };
    trial.top.iter().map(row).collect()
}

/// Documents that would meet.
pub fn collisions(trial: &Trial) -> Vec<String> {
    let examples = trial.collisions.iter().flat_map(|c| &c.examples);
    let line = |e: &crate::analysis::candidate::legality::IdCollision| {
        format!(
            "{} documents: key {}, id {}",
            count_text(e.documents),
            key_text(Some(&e.key.json())),
            visible(&e.id)
        )
    };
    examples.map(line).collect()
}

fn distinct(trial: &Trial) -> String {
    let seen = count_text(trial.distinct.seen);
    if trial.basis != TrialBasis::Documents {
        return format!("≥ {seen}");
    }
    match trial.distinct.range {
        Some([low, high]) if trial.distinct.once > 0 => {
            format!("{} to {}", whole_text(low), amount(high))
        }
        _ => seen,
    }
}

/// The date, or the size at which a key stops.
fn full_on(trial: &Trial) -> String {
    let ahead = &trial.ahead;
    match (ahead.wall, ahead.most_bytes) {
        (Wall::Never, Some(_)) => "ends first".to_owned(),
        (wall, _) => wall_text(&wall, ahead.as_of),
    }
}

/// For the demand, where it is known.
pub(super) fn ru_to_buy(trial: &Trial) -> String {
    match (trial.demand, trial.to_buy.first().map(|buy| (buy, buy.ru))) {
        (Some(_), Some((buy, Ok(ru)))) => whole_text(ru.point) + &buy.money(),
        (Some(_), Some((_, Err(_)))) => "none".to_owned(),
        _ => "–".to_owned(),
    }
}

/// Of a sample with how far it may be off.
fn ratio_within(value: Option<f64>, interval: Option<[f64; 2]>) -> String {
    let doubt = interval
        .zip(value)
        .map_or_else(String::new, |([low, high], value)| {
            format!(" ±{}", ratio_text((high - value).max(value - low)))
        });
    ratio(value) + &doubt
}

/// Of a sample with how far it may be off.
pub(super) fn share_text(trial: &Trial, found: Share) -> String {
    let text = percent_text(found.share);
    if !trial.whole.is_sample || trial.basis != TrialBasis::Documents {
        return text;
    }
    let [low, high] = found.interval;
    let doubt = (high - found.share).max(found.share - low) * 100.0;
    format!("{text} ±{}", tenths_text(doubt))
}

fn ratio(value: Option<f64>) -> String {
    optional(value, ratio_text)
}

/// One digit after the point while it tells something, then whole and grouped.
pub fn amount(value: f64) -> String {
    if value < 100.0 && (value - value.round()).abs() > 0.05 {
        return tenths_text(value);
    }
    whole_text(value)
}
