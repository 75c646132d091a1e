//! The reason that decides, in a few words for a cell of a table.

use std::collections::BTreeMap;

use super::super::super::demand::outcome::KeyOutcome;
use super::super::super::findings::LIMIT_DATE_WARN_DAYS;
use super::super::super::growth::{HORIZON_DAYS, LimitDate};
use super::super::super::rules::Rule;
use super::super::load::CandidateDemand;
use crate::model::key::{Key, Part};
use crate::model::units::{percent_text, ratio_text, real};

use super::{Acceptance, KeyVerdict, RoutedTrial, UNEVEN, cross_reads, partitions, requests};

/// What decides a verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cause {
    /// By its JSON text, which may have to be masked.
    HotKey(Box<str>),
    Words(String),
}

impl Cause {
    /// Of a key that is not good, without the key that is hot.
    pub fn words(self, standing: Acceptance) -> Option<String> {
        let words = match self {
            Self::HotKey(_) => "hot key".to_owned(),
            Self::Words(words) => words,
        };
        (standing != Acceptance::Good).then_some(words)
    }
}

/// Rules whose names do not say what is wrong.
const CAUSES: [(Rule, &str); 10] = [
    (Rule::Absent, "no document has it"),
    (Rule::ActiveKeys, "few active keys"),
    (Rule::Beyond2To53, "numbers ≥ 2^53"),
    (Rule::GrowthNotLogged, "growth unknown"),
    (Rule::HotNow, "writes to one key"),
    (Rule::OverPartition, "over 10,000 RU/s"),
    (Rule::ReadHeavy, CROSS_PARTITION),
    (Rule::RequestsCrossPartitions, CROSS_PARTITION),
    (Rule::Splits, "partition over 50 GB"),
    (Rule::WriteHeavy, "writes not spread"),
];
/// Of more than this part of the reads it is said of a good key that they are cross-partition.
const MOST_READS: f64 = 0.5;
/// A key with this part of the fullest partition is the one to name, as in the diagnosis.
const MOST_OF_PARTITION: f64 = 0.5;
const CROSS_PARTITION: &str = "cross-partition";
/// Of a good key whose queries are not known.
pub const READS_UNKNOWN: &str = "reads unknown";

impl RoutedTrial<'_> {
    /// What speaks most against the key, or is unknown of it.
    pub fn cause(self, verdict: &KeyVerdict) -> Option<Cause> {
        if verdict.standing == Acceptance::Good {
            let is_cross = cross_reads(self.routed).share > Some(MOST_READS);
            let words = match requests::fan_out_part(self.routed) {
                _ if !verdict.knows_reads => Some(READS_UNKNOWN.to_owned()),
                Some(part) if is_cross => Some(format!("cross {} of RU", percent_text(part))),
                _ => is_cross.then(|| CROSS_PARTITION.to_owned()),
            };
            return words.map(Cause::Words);
        }
        let weightiest = verdict.reasons.first()?;
        let rule = weightiest.rule;
        if rule == Rule::HotNow
            && let Some(share) = self.hottest_of_several()
        {
            return Some(Cause::Words(format!("{} to one key", percent_text(share))));
        }
        let limit = self.trial.ceiling.name();
        let is_over = self.trial.is_full() || self.trial.largest_share_of_ceiling >= 1.0;
        let words = match rule {
            Rule::ThrottledWrites if verdict.more_partitions.is_some() => {
                "too few partitions".to_owned()
            }
            Rule::ThrottledWrites | Rule::BeyondAnyKey => return Some(self.of_throttling(None)),
            Rule::RuToBuy => {
                let times = weightiest.measured.map(|measured| measured.value);
                return Some(self.of_throttling(times.filter(|times| times.is_finite())));
            }
            Rule::LargestKey if is_over => format!("key over {limit}"),
            Rule::LargestKey => format!("key near {limit}"),
            Rule::LimitDateNear => match self.days_to_limit() {
                days if days > HORIZON_DAYS => "full in <5 years".to_owned(),
                days if days > LIMIT_DATE_WARN_DAYS => "full in <1 year".to_owned(),
                _ => format!("{limit} soon"),
            },
            _ => {
                let known = CAUSES.iter().find(|(known, _)| *known == rule);
                known.map_or_else(|| rule.name().replace('-', " "), |(_, words)| (*words).into())
            }
        };
        Some(Cause::Words(words))
    }

    fn days_to_limit(self) -> f64 {
        let ahead = &self.trial.ahead;
        let LimitDate::Date { at, .. } = ahead.limit_date else { return 0.0 };
        ahead.as_of.map_or(0.0, |now| at.days_since(now))
    }

    /// What the hottest key has of the last writes, where others have some, too.
    fn hottest_of_several(self) -> Option<f64> {
        let now = self.trial.writes.as_ref().filter(|now| now.keys > 1)?;
        (self.trial.keys_at_a_time != Some(1)).then_some(now.top.share)
    }

    /// Whether a key would not be throttled if it were alone on its partition: then several are to blame, as in the diagnosis.
    fn fits_alone(self, key: &KeyOutcome) -> bool {
        let outcome = self.trial.outcome.as_ref();
        let served = outcome.and_then(|of| {
            let partitions = real(of.partitions.len().max(1) as u64);
            Some(of.provisioned_ru_per_second? / partitions)
        });
        served.is_some_and(|served| key.peak <= served)
    }

    /// The key with the largest share of the demand, by all requests that name it or by the documents, and that share.
    pub fn hottest_key(self) -> Option<(Key, f64)> {
        let load = CandidateDemand::shape(self.routed, 1.0);
        let all = load.total(self.trial.placement.partitions.len()).max(f64::MIN_POSITIVE);
        let by_documents =
            if load.bound.is_empty() { 1.0 } else { load.by_key.ru_per_second / all };
        let keys = self.trial.top.iter();
        let keys = keys.map(|top| (undated(&top.key), top.share_of_ru * by_documents));
        let mut named: BTreeMap<String, f64> = BTreeMap::new();
        for (key, flow) in load.named.into_iter().zip(load.bound) {
            *named.entry(Key::from(key).canonical()).or_default() += flow.ru_per_second / all;
        }
        let named =
            named.iter().filter_map(|(key, share)| Some((Key::from_canonical(key)?, *share)));
        keys.chain(named).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Where the demand comes from that is throttled, or that needs these times the RU/s of an even spread.
    fn of_throttling(self, times: Option<f64>) -> Cause {
        let trial = self.trial;
        let measured = trial.outcome.as_ref().and_then(|o| o.hottest_key.as_ref());
        let alone = measured.is_some_and(|key| self.fits_alone(key));
        let measured = measured.map(|key| (key.key.as_str().into(), key.share));
        let computed = || self.hottest_key().map(|(key, share)| (key.json().into(), share));
        let hottest = measured.or_else(computed);
        let imbalance = trial.placement.load_ratio_ru.unwrap_or(1.0);
        let fullest = imbalance / real(partitions(trial).max(1));
        let words = match hottest {
            Some((key, _)) if trial.beyond_any_ru > Some(0.0) => return Cause::HotKey(key),
            _ if requests::cross_partition_part(self.routed) >= requests::CROSS_PARTITION => {
                CROSS_PARTITION.to_owned()
            }
            _ if imbalance <= UNEVEN && times.is_none() => "too few RU/s".to_owned(),
            Some((key, share)) if share >= MOST_OF_PARTITION * fullest && !alone => {
                return Cause::HotKey(key);
            }
            _ => times.map_or_else(
                || "hot partition".to_owned(),
                |times| format!("{}× the RU/s", ratio_text(times)),
            ),
        };
        Cause::Words(words)
    }
}

/// A key without the dates in it, which documents give: they are of other days than the load.
fn undated(key: &Key) -> Key {
    let part = |part: &Part| match part {
        Part::Text(text) => match date_at(text).and_then(|at| text.get(..at)) {
            Some(before) => Part::Text(format!("{before}date of load").into()),
            None => part.clone(),
        },
        other => other.clone(),
    };
    Key::from(key.parts().iter().map(part).collect::<Vec<_>>())
}

/// Where the date begins with which a text ends.
fn date_at(text: &str) -> Option<usize> {
    let is_date = |at: &usize| {
        let rest = text.as_bytes().get(*at..).unwrap_or_default();
        let [year @ .., b'-', _, _] = rest.get(..7).unwrap_or_default() else { return false };
        let mut of_dates = rest.iter();
        year.iter().all(u8::is_ascii_digit)
            && of_dates.all(|c| c.is_ascii_digit() || b"-:.+TZ".contains(c))
    };
    (0..text.len()).find(is_date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_that_documents_give_are_no_name_of_a_hot_key() {
        for (key, wanted) in [
            (r#"["contoso","2026-05-13"]"#, r#"["contoso","date of load"]"#),
            (r#"["contoso-2026-05"]"#, r#"["contoso-date of load"]"#),
            (r#"["2026-05-13T07:00:00Z"]"#, r#"["date of load"]"#),
            (r#"["order 17-23",2026]"#, r#"["order 17-23",2026]"#),
        ] {
            let key = Key::from_canonical(key);
            assert_eq!(key.map(|key| undated(&key).json()).as_deref(), Some(wanted));
        }
    }
}
