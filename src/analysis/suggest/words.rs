//! Why a key is proposed and what was left out, in sentences.

use std::fmt::Write as _;

use super::super::candidate::{Candidate, Part};
use super::measures::Measures;
use super::{Suggestions, Unfit};
use crate::model::units::{count_text, percent_text, whole_text};
use crate::model::visible::visible;

/// A change that is worth a word.
const TELLING: f64 = 1.15;
/// Paths named for each reason.
const PATHS_NAMED: usize = 4;

/// One sentence on what is better, one on the price.
pub(super) fn why(
    key: &Candidate,
    it: &Measures,
    now: Option<&Measures>,
    partitions: usize,
) -> String {
    let mut sentence = match now {
        Some(now) => better(it, now),
        None => alone(it),
    };
    let price = price(key, it, now, partitions);
    if !price.is_empty() {
        let _ = write!(sentence, " Its price: {}.", price.join("; "));
    }
    sentence
}

fn ratio_text(ratio: f64) -> String {
    format!("{ratio:.2}")
}

fn better(it: &Measures, now: &Measures) -> String {
    let floor = 1e-3;
    let mut changes: Vec<(f64, String)> = Vec::new();
    let mut change = |it: f64, now: f64, say: &dyn Fn() -> String| {
        let gain = now.max(floor) / it.max(floor);
        if gain > TELLING {
            changes.push((gain, say()));
        }
    };
    let shares =
        |it: f64, now: f64| format!("{} instead of {}", percent_text(it), percent_text(now));
    change(it.refused_share, now.refused_share, &|| {
        format!(
            "{} of the RU are refused",
            shares(it.refused_share, now.refused_share)
        )
    });
    change(it.hot_share, now.hot_share, &|| {
        let shares = shares(it.hot_share, now.hot_share);
        format!("the busiest key takes {shares} of the last hours")
    });
    change(it.largest_share, now.largest_share, &|| {
        let shares = shares(it.largest_share, now.largest_share);
        format!("the largest key is at {shares} of the limit")
    });
    change(it.load_ratio, now.load_ratio, &|| {
        let (it, now) = (ratio_text(it.load_ratio), ratio_text(now.load_ratio));
        format!("the fullest partition holds {it} instead of {now} times the mean")
    });
    if let (Some(it), Some(now)) = (it.visits, now.visits) {
        change(it, now, &|| {
            let (it, now) = (amount(it), amount(now));
            format!("a read asks {it} instead of {now} physical partitions on average")
        });
    }
    changes.sort_by(|a, b| b.0.total_cmp(&a.0));
    let told: Vec<String> = changes.into_iter().take(2).map(|(_, s)| s).collect();
    if told.is_empty() {
        return "No better than the current key in what was measured.".to_owned();
    }
    format!("Better than the current key: {}.", told.join("; "))
}

fn alone(it: &Measures) -> String {
    format!(
        "The largest key is at {} of the limit, the busiest takes {} of the last hours, and the fullest partition holds {} \
         times the mean.",
        percent_text(it.largest_share),
        percent_text(it.hot_share),
        ratio_text(it.load_ratio)
    )
}

fn price(key: &Candidate, it: &Measures, now: Option<&Measures>, partitions: usize) -> Vec<String> {
    let mut price = Vec::new();
    if let Some(visits) = it.visits.filter(|v| *v > 1.05) {
        // Where that is better than now, it was told already.
        let is_worse = now
            .and_then(|now| now.visits)
            .is_none_or(|now| visits > now - 0.05);
        let all = count_text(partitions as u64);
        if is_worse {
            price.push(format!(
                "a read asks {} of {all} physical partitions on average",
                amount(visits)
            ));
        }
    }
    if it.fan_outs > now.map_or(0, |now| now.fan_outs) && partitions > 1 {
        let kinds = match it.fan_outs {
            1 => "1 kind of read asks".to_owned(),
            n => format!("{} kinds of read ask", count_text(n)),
        };
        let before = now.map_or(String::new(), |now| {
            format!(" (now {})", count_text(now.fan_outs))
        });
        price.push(format!("{kinds} all physical partitions{before}"));
    }
    let worse = |it: f64, now: Option<f64>| now.is_some_and(|now| it > now.max(1e-3) * TELLING);
    if worse(it.load_ratio, now.map(|n| n.load_ratio)) {
        let ratio = ratio_text(it.load_ratio);
        price.push(format!(
            "the fullest partition holds {ratio} times the mean"
        ));
    }
    if worse(it.hot_share, now.map(|n| n.hot_share)) {
        let share = percent_text(it.hot_share);
        price.push(format!("the busiest key takes {share} of the last hours"));
    }
    for part in key.parts() {
        if let Part::Bucket { path, buckets } = part {
            let n = count_text(buckets.get().into());
            price.push(format!("readers that do not know {path} ask {n} keys"));
        }
    }
    if !key.is_stored() {
        price.push("the application writes it as a property of its own".to_owned());
    }
    price
}

impl Suggestions {
    /// What was tried, what not, and why; names of properties are as in the documents.
    pub fn sentences(&self) -> Vec<String> {
        let mut said = vec![self.tried_sentence()];
        if let Some([reads, writes]) = self.mix {
            said.push(mix_sentence(reads, writes));
        }
        if !self.dropped.is_empty() {
            let dropped: Vec<String> = self
                .dropped
                .iter()
                .map(|(why, n)| format!("{} ({})", why.words(), count_text(*n as u64)))
                .collect();
            said.push(format!("Not proposed: {}.", dropped.join("; ")));
        }
        let unfit = self.unfit.iter().map(|(why, paths)| {
            let named: Vec<String> = paths
                .iter()
                .take(PATHS_NAMED)
                .map(|path| visible(&path.to_string()).into_owned())
                .collect();
            let more = match paths.len().saturating_sub(PATHS_NAMED) {
                0 => String::new(),
                more => format!(" and {} more", count_text(more as u64)),
            };
            format!("{} ({}{more})", why.words(), named.join(", "))
        });
        let unfit: Vec<String> = unfit.collect();
        if !unfit.is_empty() {
            said.push(format!("Paths left out: {}.", unfit.join("; ")));
        }
        said
    }

    fn tried_sentence(&self) -> String {
        let keys = match self.tried {
            1 => "1 key was tried".to_owned(),
            n => format!("{} keys were tried", count_text(n as u64)),
        };
        let on = self.searched_on.map_or(String::new(), |n| {
            format!(
                " on a sample of {} documents, those proposed on all",
                count_text(n as u64)
            )
        });
        let rest = match (self.not_tried, self.is_complete) {
            (0, _) => String::new(),
            (n, true) => format!("; {} longer ones were not", count_text(n as u64)),
            (n, false) => format!("; stopped with {} to go", count_text(n as u64)),
        };
        let none = if self.proposals.is_empty() {
            " None of them can be proposed."
        } else {
            ""
        };
        format!("{keys}{on}{rest}.{none}")
    }

    /// Paths left out for a reason.
    pub fn left_out(&self, reason: Unfit) -> usize {
        let found = self.unfit.iter().find(|(r, _)| *r == reason);
        found.map_or(0, |(_, paths)| paths.len())
    }
}

fn mix_sentence(reads: f64, writes: f64) -> String {
    let share = writes / (reads + writes).max(f64::MIN_POSITIVE);
    let of = percent_text(share);
    if share > 0.5 {
        format!(
            "{of} of the requests write: an even spread matters more than few partitions asked."
        )
    } else {
        format!(
            "{of} of the requests write: how many partitions a read asks matters more than the last of evenness."
        )
    }
}

fn amount(value: f64) -> String {
    if (value - value.round()).abs() < 0.05 {
        return whole_text(value);
    }
    format!("{value:.1}")
}
