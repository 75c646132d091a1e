//! What is wrong, in rows of rules: each looks at one key and says a sentence where it strikes.

pub mod candidates;
pub mod hot;
pub mod rules;

use std::cmp::Ordering;

use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::model::units::{kib_text, percent_text, rounded_text};

use super::ceiling::{Ceiling, MARK_ALARM, MARK_FULL, MARK_WARN, Reading};
use super::growth::Wall;
use super::rows::{KeyRow, Report, name_order};

/// A wall this near raises an alarm: migrating a container takes weeks.
pub const WALL_ALARM_DAYS: f64 = 30.0;
pub const WALL_WARN_DAYS: f64 = 90.0;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    Note,
    Warn,
    Alarm,
}

impl Severity {
    pub const ALL: [Self; 3] = [Self::Note, Self::Warn, Self::Alarm];

    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warn => "warn",
            Self::Alarm => "alarm",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.word() == word)
    }
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
    fn counted_from(&self) -> Option<String> {
        let as_of = self.as_of?;
        let date = as_of.date_text();
        // By the day, as it is told: the newest of the keys that strike may be seconds older than the newest of all.
        Some(if self.newest.is_some_and(|at| at.date_text() == date) {
            format!("{date}, the newest sample")
        } else {
            date
        })
    }

    /// The smallest share that may strike; smaller keys matter only for the date of their wall.
    pub fn lowest_share(max_logical: f64) -> f64 {
        max_logical.min(MARK_WARN)
    }
}

/// What a rule measured, and the threshold that it passed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strike {
    pub severity: Severity,
    pub value: f64,
    pub threshold: f64,
}

#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub name: &'static str,
    pub check: fn(&KeyRow, &Limits) -> Option<Strike>,
    pub sentence: fn(&KeyRow, &Strike, &Limits) -> String,
}

pub const RULES: [Rule; 2] = [
    Rule {
        name: "max-logical",
        check: max_logical,
        sentence: max_logical_sentence,
    },
    Rule {
        name: "wall",
        check: wall_near,
        sentence: wall_sentence,
    },
];

fn max_logical(row: &KeyRow, limits: &Limits) -> Option<Strike> {
    full(row.share, limits.max_logical)
}

/// Whether a logical partition with this share of the ceiling is too large.
fn full(value: f64, max_logical: f64) -> Option<Strike> {
    let strike = |severity, threshold| {
        Some(Strike {
            severity,
            value,
            threshold,
        })
    };
    if value >= max_logical {
        strike(Severity::Alarm, max_logical)
    } else if value > MARK_FULL {
        strike(Severity::Alarm, MARK_FULL)
    } else if value >= MARK_WARN {
        strike(Severity::Warn, MARK_WARN)
    } else {
        None
    }
}

fn max_logical_sentence(row: &KeyRow, strike: &Strike, limits: &Limits) -> String {
    let size = format!(
        "{} of {}, {} of the ceiling",
        kib_text(row.size_kib),
        kib_text(limits.ceiling.kib()),
        percent_text(row.share)
    );
    // What the service does at a ceiling of somebody's own is nothing special.
    let is_service_limit = match limits.ceiling.reading() {
        Reading::Binary | Reading::Decimal => true,
        Reading::Given => false,
    };
    if row.share >= MARK_FULL && is_service_limit {
        return format!("{size}: writes that make it larger are refused");
    }
    format!(
        "{size}; the threshold is {}",
        percent_text(strike.threshold)
    )
}

fn wall_near(row: &KeyRow, limits: &Limits) -> Option<Strike> {
    let (Wall::Date { earliest, .. }, Some(as_of)) = (&row.wall, limits.as_of) else {
        return None;
    };
    let value = earliest.days_since(as_of);
    let strike = |severity, threshold| {
        Some(Strike {
            severity,
            value,
            threshold,
        })
    };
    if value <= WALL_ALARM_DAYS {
        strike(Severity::Alarm, WALL_ALARM_DAYS)
    } else if value <= WALL_WARN_DAYS {
        strike(Severity::Warn, WALL_WARN_DAYS)
    } else {
        None
    }
}

fn wall_sentence(row: &KeyRow, strike: &Strike, limits: &Limits) -> String {
    let Wall::Date {
        at,
        earliest,
        latest,
    } = &row.wall
    else {
        return String::new();
    };
    let latest = match latest {
        Some(latest) => format!("{} at the latest", latest.date_text()),
        None => "no latest date".to_owned(),
    };
    let days = days_text(strike.value.abs());
    let from = limits.counted_from().unwrap_or_default();
    let when = if strike.value < 0.0 {
        format!("{days} before {from}")
    } else {
        format!("in {days} from {from}")
    };
    format!(
        "reaches the ceiling on {}; {} at the earliest ({when}), {latest}",
        at.date_text(),
        earliest.date_text()
    )
}

fn days_text(days: f64) -> String {
    let count = rounded_text(days);
    let noun = if count == "1" { "day" } else { "days" };
    format!("{count} {noun}")
}

/// One rule that struck at one key, physical partition or candidate.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    pub rule: &'static str,
    pub severity: Severity,
    pub name: ContainerName,
    /// Compact JSON list; None where the log named no key.
    pub key: Option<Box<str>>,
    /// The key that would be chosen, where that is what was judged.
    pub candidate: Option<Box<str>>,
    /// None where nothing is measured: what is seen from the form of a key.
    pub value: Option<f64>,
    pub threshold: Option<f64>,
    pub message: String,
    share: f64,
}

impl Finding {
    fn order(&self, other: &Self) -> Ordering {
        other
            .severity
            .cmp(&self.severity)
            .then(other.share.total_cmp(&self.share))
            .then_with(|| self.key.cmp(&other.key))
            .then_with(|| name_order(&self.name, &other.name))
            .then_with(|| self.candidate.cmp(&other.candidate))
            .then(self.rule.cmp(other.rule))
    }
}

/// Every strike of every rule, worst first.
pub fn findings(report: &Report, limits: &Limits) -> Vec<Finding> {
    let mut found = Vec::new();
    for container in &report.containers {
        for row in &container.keys {
            for rule in RULES {
                let Some(strike) = (rule.check)(row, limits) else {
                    continue;
                };
                found.push(Finding {
                    rule: rule.name,
                    severity: strike.severity,
                    name: container.name.clone(),
                    key: row.key.clone(),
                    candidate: None,
                    value: Some(strike.value),
                    threshold: Some(strike.threshold),
                    message: (rule.sentence)(row, &strike, limits),
                    share: row.share,
                });
            }
        }
    }
    found.sort_by(Finding::order);
    found
}

/// All findings together, worst first.
pub fn merged(mut findings: Vec<Finding>, more: Vec<Finding>) -> Vec<Finding> {
    findings.extend(more);
    findings.sort_by(Finding::order);
    findings
}

pub fn worst(findings: &[Finding]) -> Option<Severity> {
    findings.iter().map(|f| f.severity).max()
}

#[cfg(test)]
mod tests;
