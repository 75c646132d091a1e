//! What is wrong, in rows of rules: each looks at one key and says a sentence where it strikes.

pub mod candidates;
pub mod hot;
pub mod simulated;

use std::cmp::Ordering;

use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::model::units::{count_text, kib_text, percent_text, rounded_text, with_unit};

use super::ceiling::{Ceiling, MARK_ALARM, MARK_FULL, MARK_WARN, Mark, Reading};
use super::growth::LimitDate;
use super::rows::{KeyRow, Report, name_order};
use super::rules::Rule;

/// A limit date this near raises an alarm: migrating a container takes weeks.
pub const LIMIT_DATE_ALARM_DAYS: f64 = 30.0;
pub const LIMIT_DATE_WARN_DAYS: f64 = 90.0;

words! {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Severity {
        Note = "note",
        Warn = "warn",
        Alarm = "alarm",
    }
    fn word, ALL
}

/// What the rules measure against.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// The share of the ceiling that raises an alarm.
    pub max_logical: f64,
    /// The moment from which days are counted.
    pub as_of: Option<Stamp>,
    /// The newest reading of the keys in the report.
    pub newest: Option<Stamp>,
    pub ceiling: Ceiling,
}

impl Limits {
    pub const DEFAULT_MAX_LOGICAL: f64 = MARK_ALARM;

    pub fn of(report: &Report, max_logical: f64) -> Self {
        let rows = report.containers.iter().flat_map(|c| &c.keys);
        Self {
            max_logical,
            as_of: report.as_of,
            newest: rows.filter_map(|row| row.sampled_at).max(),
            ceiling: report.ceiling,
        }
    }

    /// `2026-06-22, the newest sample`: a reader takes a number of days to count from today.
    fn counted_from(&self, as_of: Stamp) -> String {
        let date = as_of.date_text();
        // By the day, as it is told: the newest of the keys that strike may be seconds older than the newest of all.
        if self.newest.is_some_and(|at| at.date_text() == date) {
            format!("{date}, the newest sample")
        } else {
            date
        }
    }

    /// The smallest share that may strike; smaller keys matter only for the date of their limit date.
    pub fn lowest_share(max_logical: f64) -> f64 {
        max_logical.min(MARK_WARN)
    }
}

/// One rule that struck.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    pub rule: Rule,
    pub severity: Severity,
    /// None where nothing is measured: what is seen from the form of a key.
    pub measured: Option<ThresholdCheck>,
    pub at: KeyPlace,
    pub sentence: String,
}

/// A number that weighs, and the threshold that it passed or that comes next.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ThresholdCheck {
    pub value: f64,
    pub threshold: f64,
}

/// What of a key a finding is about; levels and parts are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum KeyPlace {
    Candidate,
    Level(usize),
    Part { level: usize, part: usize },
}

impl Finding {
    /// About the whole candidate, and nothing measured.
    pub fn new(rule: Rule, severity: Severity, sentence: impl Into<String>) -> Self {
        Self { rule, severity, measured: None, at: KeyPlace::Candidate, sentence: sentence.into() }
    }
}

/// What a rule measured, and the threshold that it passed.
struct Strike {
    severity: Severity,
    measured: ThresholdCheck,
}

impl Strike {
    fn new(severity: Severity, value: f64, threshold: f64) -> Self {
        Self { severity, measured: ThresholdCheck { value, threshold } }
    }

    fn finding(&self, rule: Rule, sentence: String) -> Finding {
        Finding { measured: Some(self.measured), ..Finding::new(rule, self.severity, sentence) }
    }
}

/// What the rules find at one reported key.
pub fn of_key(row: &KeyRow, limits: &Limits) -> impl Iterator<Item = Finding> {
    [max_logical(row, limits), limit_near(row, limits)].into_iter().flatten()
}

fn max_logical(row: &KeyRow, limits: &Limits) -> Option<Finding> {
    let mut strike = full(row.share, limits.max_logical)?;
    if row.mark() == Mark::Full {
        strike.severity = Severity::Alarm;
    } else if is_past(row, limits) {
        strike.severity = Severity::Note;
    }
    let sentence = max_logical_sentence(row, strike.measured.threshold, limits);
    Some(strike.finding(Rule::MaxLogical, sentence))
}

/// Whether no document comes to it any more, since the month or day that it names is over.
fn is_past(row: &KeyRow, limits: &Limits) -> bool {
    let end = row.period_end.zip(limits.as_of);
    row.mark() < Mark::Full && end.is_some_and(|(end, now)| end < now)
}

/// Whether a logical partition with this share of the ceiling is too large.
fn full(value: f64, max_logical: f64) -> Option<Strike> {
    let (severity, threshold) = match value {
        v if v >= max_logical => (Severity::Alarm, max_logical),
        v if v > MARK_FULL => (Severity::Alarm, MARK_FULL),
        v if v >= MARK_WARN => (Severity::Warn, MARK_WARN),
        _ => return None,
    };
    Some(Strike::new(severity, value, threshold))
}

fn max_logical_sentence(row: &KeyRow, threshold: f64, limits: &Limits) -> String {
    let [size, limit] = [row.size_kib, limits.ceiling.kib()].map(kib_text);
    let size = format!("{size} of {limit}, {} of the limit", percent_text(row.share));
    // What the service does at a ceiling of somebody's own is nothing special.
    let is_service_limit = limits.ceiling.reading() != Reading::Given;
    if row.mark() == Mark::Full && is_service_limit {
        let counted = match row.forbidden {
            0 => String::new(),
            count => format!(" (403s: {})", count_text(count)),
        };
        return format!("{size}: writes that make it larger get 403{counted}");
    }
    let threshold = percent_text(threshold);
    let over = if is_past(row, limits) { "; its period is over" } else { "" };
    format!("{size}; the threshold is {threshold}{over}")
}

fn limit_near(row: &KeyRow, limits: &Limits) -> Option<Finding> {
    let LimitDate::Date { at, earliest, latest } = &row.limit_date else { return None };
    let as_of = limits.as_of?;
    let value = earliest.days_since(as_of);
    let (severity, threshold) = match value {
        days if days <= LIMIT_DATE_ALARM_DAYS => (Severity::Alarm, LIMIT_DATE_ALARM_DAYS),
        days if days <= LIMIT_DATE_WARN_DAYS => (Severity::Warn, LIMIT_DATE_WARN_DAYS),
        _ => return None,
    };
    let latest = match latest {
        Some(latest) => format!("{} at the latest", latest.date_text()),
        None => "no latest date".to_owned(),
    };
    let days = with_unit(&rounded_text(value.abs()), "day", "days");
    let from = limits.counted_from(as_of);
    let when = if value < 0.0 {
        format!("{days} before {from}")
    } else {
        format!("in {days} from {from}")
    };
    let sentence = format!(
        "reaches the ceiling on {}; {} at the earliest ({when}), {latest}",
        at.date_text(),
        earliest.date_text()
    );
    Some(Strike::new(severity, value, threshold).finding(Rule::LimitDateNear, sentence))
}

/// What a gate is told: one rule that struck at one key, physical partition or candidate.
#[derive(Clone, PartialEq, Debug)]
pub struct GateFinding {
    pub finding: Finding,
    pub name: ContainerName,
    /// Compact JSON list; None where the log named no key.
    pub key: Option<Box<str>>,
    /// The key that would be chosen, where that is what was judged.
    pub candidate: Option<Box<str>>,
    share: f64,
}

impl GateFinding {
    fn order(&self, other: &Self) -> Ordering {
        let rule = |of: &Self| of.finding.rule.name();
        (other.finding.severity)
            .cmp(&self.finding.severity)
            .then(other.share.total_cmp(&self.share))
            .then_with(|| self.key.cmp(&other.key))
            .then_with(|| name_order(&self.name, &other.name))
            .then_with(|| self.candidate.cmp(&other.candidate))
            .then(rule(self).cmp(rule(other)))
    }
}

/// Every strike of every rule, worst first.
pub fn findings(report: &Report, limits: &Limits) -> Vec<GateFinding> {
    let mut found = Vec::new();
    for container in &report.containers {
        for row in &container.keys {
            found.extend(of_key(row, limits).map(|finding| GateFinding {
                finding,
                name: container.name.clone(),
                key: row.key.clone(),
                candidate: None,
                share: row.share,
            }));
        }
    }
    found.sort_by(GateFinding::order);
    found
}

/// All findings together, worst first.
pub fn merged(mut findings: Vec<GateFinding>, more: Vec<GateFinding>) -> Vec<GateFinding> {
    findings.extend(more);
    findings.sort_by(GateFinding::order);
    findings
}

pub fn worst(findings: &[GateFinding]) -> Option<Severity> {
    findings.iter().map(|f| f.finding.severity).max()
}

#[cfg(test)]
mod tests;
