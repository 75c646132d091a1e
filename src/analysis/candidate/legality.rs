//! What speaks against a key before any document is counted: from its form, and from what stands at its paths.

mod collisions;
mod path_values;

use std::cmp::Reverse;

use crate::model::key::KeyVersion;
use crate::model::path::Path;
use crate::model::units::{count_text, percent_text, real};

use super::super::findings::{Finding, KeyPlace, Severity};
use super::super::rules::Rule;
use super::mutable;
use super::{Candidate, Level, LevelPart, MAX_LEVELS};

pub use collisions::{IdCollision, IdCollisions, MAX_COLLISION_EXAMPLES};
pub use path_values::{MAX_BYTES_V2, PathStats, no_time};

/// A smaller share of changed documents is noted only.
const RARE: f64 = 0.01;

/// What the service sets in every document.
const SYSTEM_PROPERTIES: [&str; 6] = ["_ts", "_etag", "_rid", "_self", "_attachments", "_lsn"];

/// Findings, worst first, then from left to right; `stats` knows nothing of a path that was not measured.
///
/// The version counts for keys of one level alone: hierarchical keys exist in version 2 only.
pub fn findings<'s>(
    candidate: &Candidate,
    version: KeyVersion,
    stats: impl Fn(&Path) -> Option<&'s PathStats>,
) -> Vec<Finding> {
    let count = candidate.levels.len();
    let version = if count > 1 { KeyVersion::V2 } else { version };
    let mut found = FindingList { place: KeyPlace::Candidate, findings: Vec::new() };
    if count > MAX_LEVELS {
        let what = format!("The key has {count} levels; the service takes at most {MAX_LEVELS}.");
        found.add(Rule::TooManyLevels, Severity::Alarm, what);
    }
    for (at, level) in candidate.levels.iter().enumerate() {
        found.place = KeyPlace::Level(at);
        form(candidate, at, level, &mut found);
        path_values::length(level, version, &stats, &mut found);
        for (index, part) in level.parts.iter().enumerate() {
            found.place = KeyPlace::Part { level: at, part: index };
            let stats = part.path().and_then(&stats);
            piece(level, part, stats, &mut found);
            if let Some(stats) = stats {
                path_values::values(level, part, stats, &mut found);
            }
        }
    }
    let mut findings = found.findings;
    findings.sort_by_key(|finding| (Reverse(finding.severity), finding.at));
    findings
}

/// Findings as they come, with the place that is looked at.
struct FindingList {
    place: KeyPlace,
    findings: Vec<Finding>,
}

impl FindingList {
    fn add(&mut self, rule: Rule, severity: Severity, sentence: impl Into<String>) {
        self.findings.push(Finding { at: self.place, ..Finding::new(rule, severity, sentence) });
    }
}

fn form(candidate: &Candidate, at: usize, level: &Level, found: &mut FindingList) {
    let before = candidate.levels.get(..at).unwrap_or_default();
    if before.contains(level) {
        let what = format!("{level} is a level already; once more it parts nothing.");
        found.add(Rule::RepeatedLevel, Severity::Warn, what);
    }
    if level.parts.iter().all(|p| matches!(p, LevelPart::Literal(_))) {
        let what = format!("{level} is the same for every document; it parts nothing.");
        found.add(Rule::ConstantLevel, Severity::Alarm, what);
    } else if at == 0 && is_time_only(level) {
        let what = format!(
            "{level} is time alone: whatever is written now goes to one value, which one physical partition serves \
             with at most 10,000 RU/s."
        );
        found.add(Rule::TimeOnly, Severity::Warn, what);
    }
    if is_ambiguous(level) {
        let what = format!(
            "In {level} nothing parts two values, so that 1 and 23 meet 12 and 3; put a text such as \"-\" between \
             them."
        );
        found.add(Rule::AmbiguousJoin, Severity::Note, what);
    }
    if level.is_id() {
        id(candidate.levels.len(), at, found);
    }
}

fn id(levels: usize, at: usize, found: &mut FindingList) {
    let (rule, severity, sentence) = match (levels, at + 1 == levels) {
        (1, _) => (
            Rule::IdAlone,
            Severity::Note,
            "With /id as the key every document is a logical partition of its own: no limit is reached and point reads \
             stay single, but every query without the id is cross-partition, and no transaction holds two \
             documents.",
        ),
        (_, true) => (
            Rule::IdLast,
            Severity::Note,
            "/id as the last level makes the number of logical partitions unlimited: no full key can grow to 20 GB, and \
             point reads stay single.",
        ),
        (_, false) => (
            Rule::IdNotLast,
            Severity::Warn,
            "/id is unique already; the levels after it add nothing.",
        ),
    };
    found.add(rule, severity, sentence);
}

fn is_time_only(level: &Level) -> bool {
    let is_time = |part: &LevelPart| matches!(part, LevelPart::Date { .. } | LevelPart::Literal(_));
    level.parts.iter().all(is_time)
}

/// Whether two values of any length stand side by side; a date always has the same length.
fn is_ambiguous(level: &Level) -> bool {
    let is_free =
        |part: &LevelPart| !matches!(part, LevelPart::Literal(_) | LevelPart::Date { .. });
    let empty = |part: &&LevelPart| !matches!(part, LevelPart::Literal(text) if text.is_empty());
    let parts: Vec<&LevelPart> = level.parts.iter().filter(empty).collect();
    parts.windows(2).any(|pair| pair.iter().all(|part| is_free(part)))
}

fn piece(level: &Level, part: &LevelPart, stats: Option<&PathStats>, found: &mut FindingList) {
    if let LevelPart::Random { buckets } = part {
        let n = count_text(u64::from(buckets.get()));
        let what = format!(
            "Reads cannot know what {part} drew: each queries {n} values. bucket(path, {buckets}) spreads as well and \
             a client that knows the path's value can compute it."
        );
        found.add(Rule::RandomReads, Severity::Warn, what);
    }
    let Some(path) = part.path() else { return };
    if let Some(name) = path.top_name().filter(|n| SYSTEM_PROPERTIES.contains(n)) {
        system(level, name, found);
    } else {
        change(path, stats.and_then(|stats| stats.changed), found);
    }
}

/// As measured between two captures, else by its name.
fn change(path: &Path, measured: Option<(u64, u64)>, found: &mut FindingList) {
    let (severity, reason) = match measured {
        Some((0, _)) => return,
        Some((changed, of)) => {
            let share = real(changed) / real(of);
            let is_rare = share < RARE;
            let severity = if is_rare { Severity::Note } else { Severity::Warn };
            let share = percent_text(share);
            (severity, format!("{path} changed in {share} of the documents between two captures"))
        }
        None => match mutable::changes(path) {
            Some(why) => (Severity::Warn, format!("~ {path} looks like {why}, by its name")),
            None => return,
        },
    };
    let what = "the key of a document cannot change, so each change means a delete and an insert";
    found.add(Rule::MutableName, severity, format!("{reason}: {what}."));
}

fn system(level: &Level, name: &str, found: &mut FindingList) {
    let (severity, why) = if level.path().is_some() {
        (Severity::Alarm, "and cannot be a partition key.")
    } else {
        (
            Severity::Warn,
            "with each write: the application that makes the key does not know it. \
             This shows the spread alone; use a property of its own.",
        )
    };
    found.add(Rule::SystemProperty, severity, format!("/{name} is set by the service {why}"));
}

#[cfg(test)]
mod tests;
