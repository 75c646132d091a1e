//! Requests answered with 403: how many since when, and a verdict of their own where no key is known to be at 20 GB.

use std::collections::BTreeMap;
use std::iter;

use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::diagnosis::card::GAP;
use crate::analysis::diagnosis::picture::Picture;
use crate::analysis::diagnosis::since::{rate_text, since_text};
use crate::analysis::diagnosis::steps;
use crate::analysis::diagnosis::text::{number_text, ru_text, span_text};
use crate::analysis::diagnosis::{Answers, Fact, Phrase, RemedyAnswer, Verdict};
use crate::analysis::findings::Severity;
use crate::analysis::heat::requests::PartitionRequests;
use crate::analysis::heat::{Measure, Track};
use crate::analysis::rules::Rule;
use crate::analysis::usage::item_kib;
use crate::model::load::FORBIDDEN;
use crate::model::time::{SECONDS_PER_DAY, Stamp};
use crate::model::units::{count_text, real, real_seconds};

use super::{bare, fact, storage};

/// What clients see of a 403, which no log of requests has.
const SUB_STATUS: &str = "look up the sub-status in the client's error: 1014 is a logical partition at 20 GB, 5300 a missing permission";

/// Operations that may create a document.
const CREATES: [&str; 3] = ["create", "insert", "upsert"];

/// Requests answered with 403.
pub(super) struct Forbidden {
    counts: PartitionRequests,
    from: &'static str,
    /// First and last second of the input, and how long a step of it is.
    span: Option<(i64, i64)>,
    step_s: u32,
}

impl Forbidden {
    /// On partitions by their number in `ContainerHeat`, or on all of them: by the request log, else by the metric, which
    /// knows the container only.
    pub fn on(picture: &Picture<'_>, is_meant: impl Fn(u32) -> bool) -> Option<Self> {
        let (heat, whole) = (picture.heat, picture.heat.whole);
        let track = heat.track(Measure::Requests);
        let mut found = Self {
            counts: PartitionRequests::default(),
            from: "request log",
            span: track.and_then(Track::span),
            step_s: track.map_or(1, |t| t.step_s),
        };
        for (_, of) in (0..).zip(&heat.requests).filter(|(n, _)| is_meant(*n)) {
            found.counts.add(of);
        }
        if heat.requests.is_empty() {
            found.from = "metric TotalRequests";
            found.span = whole.span;
            found.step_s = 60;
            found.counts.requests = whole.requests.unwrap_or_default();
            found.counts.forbidden = whole.forbidden;
            found.counts.forbidden_from = whole.forbidden_from;
        }
        (found.counts.forbidden > 0).then_some(found)
    }

    /// `  403s: 203/s  since 2026-05-12 10:05 (3 d)`: a rate, as that of 429s.
    pub fn words(&self) -> String {
        let since = self.counts.forbidden_from.zip(self.span);
        let since = since.and_then(|(from, (begins, ends))| {
            // What is in the first step may have begun before it.
            let begins = begins.saturating_add(i64::from(self.step_s) - 1);
            let since = (Stamp::from_seconds(from)?, self.step_s);
            Some(since_text(since, None, (begins, ends)))
        });
        let rate = self.counts.forbidden_rate(self.span.map(|(_, ends)| ends));
        let count = rate.map_or_else(|| count_text(self.counts.forbidden), rate_text);
        format!("{GAP}403s: {count}{}", since.unwrap_or_default())
    }

    /// When the first of them was.
    pub fn since(&self) -> Option<Stamp> {
        self.counts.forbidden_from.and_then(Stamp::from_seconds)
    }

    pub fn fact(&self) -> Fact {
        let (forbidden, all) = (self.counts.forbidden, self.counts.requests);
        let value = format!("{} of {} requests", count_text(forbidden), count_text(all));
        fact("answered with 403", value, self.from)
    }

    /// The charge of one if it were served, as a served request of the same operation, the seconds in which there were some,
    /// and the RU/s of all: no log has it as RU.
    fn unserved_ru(&self, picture: &Picture<'_>) -> Option<(f64, i64, f64)> {
        let (from, (_, ends)) = self.counts.forbidden_from.zip(self.span)?;
        let of = picture.capture.load.requests.iter();
        let of = of.filter(|(cell, _)| cell.container == picture.number);
        let mut each: BTreeMap<u32, (f64, f64, f64)> = BTreeMap::new();
        for (cell, sum) in of {
            let held = each.entry(cell.operation).or_default();
            match cell.status {
                FORBIDDEN => held.0 += real(sum.requests),
                200..300 => {
                    held.1 += sum.ru;
                    held.2 += real(sum.requests);
                }
                _ => {}
            }
        }
        let known = each.values().filter(|(.., served)| *served > 0.0);
        let (ru, requests) = known.fold((0.0, 0.0), |(ru, all), (count, charge, served)| {
            (ru + count * charge / served, all + count)
        });
        let seconds = ends.saturating_sub(from).max(1);
        let each = ru / requests;
        let all = real(self.counts.forbidden) * each / real(seconds.unsigned_abs());
        (requests > 0.0).then_some((each, seconds, all))
    }

    /// KiB a day that they would add, as far as they create documents, each of mean size.
    pub fn unstored_kib(&self, picture: &Picture<'_>) -> Option<f64> {
        let rate = self.counts.forbidden_rate(self.span.map(|(_, ends)| ends))?;
        let load = &picture.capture.load;
        let (mut created, mut all) = (0.0, 0.0);
        for (cell, sum) in &load.requests {
            if cell.container == picture.number && cell.status == FORBIDDEN {
                let requests = real(sum.requests);
                let name = load.names.text(cell.operation).to_ascii_lowercase();
                all += requests;
                if CREATES.iter().any(|word| name.contains(word)) {
                    created += requests;
                }
            }
        }
        let item_kib = item_kib(picture.capture, picture.number)?;
        let a_day = rate * created / all * item_kib * real_seconds(SECONDS_PER_DAY);
        (a_day > 0.0).then_some(a_day)
    }

    /// The same as evidence.
    pub fn unserved(&self, picture: &Picture<'_>) -> Option<Fact> {
        let (each, seconds, all) = self.unserved_ru(picture)?;
        let value = format!(
            "{} × {} RU in {} = {}, not in the demand: they are served again with another key",
            count_text(self.counts.forbidden),
            number_text(each),
            span_text(seconds),
            ru_text(all),
        );
        let from =
            "computed, by the charge of served requests; unverified: whether a 403 is charged";
        Some(fact("requested behind the 403s", value, from))
    }
}

/// RU/s behind all 403s of a container.
pub fn unserved_ru(picture: &Picture<'_>) -> Option<f64> {
    let (.., all) = Forbidden::on(picture, |_| true)?.unserved_ru(picture)?;
    Some(all)
}

pub(super) fn forbidden(picture: &Picture<'_>) -> Option<Verdict> {
    // Keys at their limit explain those of their partitions; one that lies nowhere all of them.
    let full: Option<Vec<u32>> = storage::full_keys(picture).collect();
    let full = full?;
    let found = Forbidden::on(picture, |number| !full.contains(&number))?;
    if !full.is_empty() && picture.heat.requests.is_empty() {
        return None;
    }
    let logged = picture.capture.load.limited.get(&picture.number);
    let (of_full, of_other) = logged.map_or((0, 0), |l| (l.of_full_keys, l.of_other_403));
    let numbered = (0_u32..).zip(&picture.heat.requests);
    let open = numbered.filter(|(number, of)| of.forbidden > 0 && !full.contains(number));
    let most = open.max_by_key(|(_, of)| of.forbidden).map(|(n, _)| n);
    let place = most.map_or_else(|| "the container".to_owned(), |n| picture.name(n));
    // Sub-statuses are counted for the container: those of a known key may be the ones with 1014.
    let (rule, severity, who, why) = match (of_full, of_other) {
        (1.., other) if full.is_empty() || other == 0 => (
            Rule::KeyOverLimit,
            Severity::Alarm,
            format!("a key of {place}"),
            "sub-status 1014: a logical partition is at 20 GB; no input has its size",
        ),
        (0, 1..) => (
            Rule::Forbidden,
            Severity::Note,
            place,
            "no sub-status 1014: not the size of a key, but a missing permission or a firewall",
        ),
        _ => (
            Rule::Forbidden,
            Severity::Warn,
            place,
            "sub-status unknown: a logical partition at 20 GB (1014), or a missing permission",
        ),
    };
    // Another key gives no permission.
    let is_full = rule == Rule::KeyOverLimit;
    let unserved = is_full.then(|| found.unserved(picture)).flatten();
    let mut next = vec![Phrase::plain(SUB_STATUS)];
    if is_full || picture.stored.keys == 0 {
        next.extend(steps::switch_on_logs());
    }
    Some(Verdict {
        partition: most,
        detail: Phrase::plain(why),
        evidence: iter::once(found.fact()).chain(unserved).collect(),
        since: found.since(),
        as_of: picture.as_of(),
        steps: next,
        ..bare(rule, severity, Phrase::plain(who + &found.words()), answers())
    })
}

fn answers() -> Answers {
    let size = "RU/s and splits change neither the size of a key nor a permission";
    Answers {
        new_key: RemedyAnswer::new(RemedyEffect::Unknown, "the key and its size are unknown"),
        ..Answers::all(RemedyEffect::None, size)
    }
}
