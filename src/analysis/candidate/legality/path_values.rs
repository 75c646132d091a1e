//! What the values at a key's paths speak against it.

use crate::model::key::{KeyVersion, Part as Value};
use crate::model::path::Path;
use crate::model::units::{count_text, percent_text, real};

use super::super::super::findings::{Finding, KeyPlace, Severity};
use super::super::super::rules::Rule;
use super::super::value::text_of;
use super::super::{Gaps, Level, LevelPart};
use super::FindingList;

/// The longest value of a key that the service takes.
pub const MAX_BYTES_V2: u64 = 2048;
/// What counts of a value in a container of version 1.
const MAX_BYTES_V1: u64 = 101;
/// From here on documents without a value are a hot key rather than strays.
const GAP_ALARM: f64 = 0.25;
const GAP_WARN: f64 = 0.01;
/// UTF-8 takes at most this many bytes for a character.
const BYTES_PER_CHARACTER: u64 = 4;

/// What stands at a path in the documents that were looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PathStats {
    /// All of them, with and without the property.
    pub documents: u64,
    pub missing: u64,
    pub nulls: u64,
    pub bools: u64,
    pub numbers: u64,
    pub texts: u64,
    /// Lists, objects and numbers beyond what a double holds.
    pub unusable: u64,
    /// Numbers that are not whole.
    pub fractions: u64,
    /// Whole numbers from 2^53 on in size, where not every one has a double of its own.
    pub beyond_2_53: u64,
    /// The longest value's text in UTF-8.
    pub longest_bytes: u64,
    /// Documents whose value changed between two captures, of how many; None where that was not measured.
    pub changed: Option<(u64, u64)>,
}

/// 2^53: here 9007199254740993 becomes its neighbour, so the bound itself is in doubt already.
const FIRST_SHARED_DOUBLE: f64 = 9_007_199_254_740_992.0;

impl PathStats {
    /// Counts documents that have a value; one of a dictionary is counted with all its documents at once.
    pub fn add(&mut self, value: &Value, documents: u64) {
        let kind = match value {
            Value::Undefined => &mut self.missing,
            Value::Null => &mut self.nulls,
            Value::Bool(_) => &mut self.bools,
            Value::Number(_) => &mut self.numbers,
            Value::Text(_) => &mut self.texts,
            Value::Other(_) => &mut self.unusable,
        };
        *kind = kind.saturating_add(documents);
        self.documents = self.documents.saturating_add(documents);
        if let Value::Number(number) = value {
            if number.value().fract() != 0.0 {
                self.fractions = self.fractions.saturating_add(documents);
            } else if number.value().abs() >= FIRST_SHARED_DOUBLE {
                self.beyond_2_53 = self.beyond_2_53.saturating_add(documents);
            }
        }
        if let Ok(text) = text_of(value) {
            let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
            self.longest_bytes = self.longest_bytes.max(bytes);
        }
    }

    fn share(&self, count: u64) -> f64 {
        share(count, self.documents)
    }

    /// `12.0 % of the documents (6 of 50)`.
    fn part(&self, count: u64) -> String {
        let share = percent_text(self.share(count));
        let [count, all] = [count, self.documents].map(count_text);
        format!("{share} of the documents ({count} of {all})")
    }
}

fn share(count: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { real(count) / real(of) }
}

fn gap_severity(share: f64) -> Severity {
    match share {
        GAP_ALARM.. => Severity::Alarm,
        GAP_WARN.. => Severity::Warn,
        _ => Severity::Note,
    }
}

pub(super) fn values(level: &Level, part: &LevelPart, stats: &PathStats, found: &mut FindingList) {
    let Some(path) = part.path() else { return };
    if stats.documents == 0 {
        return;
    }
    let is_alone = level.path().is_some();
    absences(is_alone, path, stats, found);
    if stats.unusable > 0 {
        let documents = stats.part(stats.unusable);
        let what = "a list, an object or a number too large for a double";
        let what = format!("{path} is {what} in {documents}: no key can hold it.");
        found.add(Rule::Unusable, Severity::Alarm, what);
    }
    // A date is the same whatever its time was written as.
    if !matches!(part, LevelPart::Date { .. }) {
        kinds(is_alone, path, stats, found);
        numbers(is_alone, path, stats, found);
    }
}

fn absences(is_alone: bool, path: &Path, stats: &PathStats, found: &mut FindingList) {
    if stats.missing >= stats.documents {
        let what = format!("No document has {path}: no two documents differ in it.");
        found.add(Rule::Absent, Severity::Alarm, what);
        return;
    }
    let shared = |property: &str, count: u64, key: &str| {
        let documents = stats.part(count);
        format!("{path} is {property} in {documents}: they share {key}.")
    };
    if stats.missing > 0 {
        let severity = gap_severity(stats.share(stats.missing));
        let what = shared("missing", stats.missing, "the one key without a value");
        found.add(Rule::Missing, severity, what);
    }
    if stats.nulls > 0 {
        let key = if is_alone { "the one key null" } else { "the one key without a value" };
        let severity = gap_severity(stats.share(stats.nulls));
        found.add(Rule::Null, severity, shared("null", stats.nulls, key));
    }
}

fn kinds(is_alone: bool, path: &Path, stats: &PathStats, found: &mut FindingList) {
    let kinds =
        [("text", stats.texts), ("a number", stats.numbers), ("true or false", stats.bools)];
    let kinds: Vec<String> = kinds
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(kind, count)| format!("{kind} in {}", percent_text(stats.share(count))))
        .collect();
    if kinds.len() < 2 {
        return;
    }
    let (severity, means) = if is_alone {
        (Severity::Warn, "5 and \"5\" are different keys")
    } else {
        (Severity::Note, "joined to a text, 5 and \"5\" are the same key")
    };
    let what = format!("{path} is {}: {means}.", kinds.join(", "));
    found.add(Rule::MixedTypes, severity, what);
}

fn numbers(is_alone: bool, path: &Path, stats: &PathStats, found: &mut FindingList) {
    if stats.fractions > 0 {
        let documents = stats.part(stats.fractions);
        let why = "keys are equal only to the last bit, and 0.1 + 0.2 is not 0.3";
        let what = format!("{path} has fractions in {documents}: {why}.");
        found.add(Rule::Fractions, Severity::Warn, what);
    }
    if stats.beyond_2_53 > 0 {
        let documents = stats.part(stats.beyond_2_53);
        let (severity, means) = if is_alone {
            (Severity::Alarm, "different numbers become the same key; store them as text")
        } else {
            (Severity::Warn, "not every language writes the same digits; store them as text")
        };
        let what = format!("{path} is a number of 2^53 or more in {documents}: {means}.");
        found.add(Rule::Beyond2To53, severity, what);
    }
}

/// Compares the longest value that a level can have with what the service takes.
pub(super) fn length<'s>(
    level: &Level,
    version: KeyVersion,
    stats: &impl Fn(&Path) -> Option<&'s PathStats>,
    found: &mut FindingList,
) {
    let longest = |part: &LevelPart| longest(part, part.path().and_then(stats));
    let bytes = level.parts.iter().map(longest).fold(0, u64::saturating_add);
    let limit = match version {
        KeyVersion::V1 => MAX_BYTES_V1,
        KeyVersion::V2 => MAX_BYTES_V2,
    };
    if bytes <= limit {
        return;
    }
    let (severity, reaches) = match level.parts.as_slice() {
        [_] => (Severity::Alarm, "has values of"),
        // The longest values of all parts need not meet in one document.
        _ => (Severity::Warn, "can have values of up to"),
    };
    let means = match version {
        KeyVersion::V1 => "in version 1, values that agree in their first 101 bytes are one key",
        KeyVersion::V2 => "the service refuses values of more than 2,048",
    };
    let bytes = count_text(bytes);
    let what = format!("{level} {reaches} {bytes} bytes; {means}.");
    found.add(Rule::TooLong, severity, what);
}

fn longest(part: &LevelPart, stats: Option<&PathStats>) -> u64 {
    let value = stats.map_or(0, |stats| stats.longest_bytes);
    let digits = |n: u32| u64::from(n.checked_ilog10().unwrap_or(0)) + 1;
    match part {
        LevelPart::Path(_) | LevelPart::Lower(_) => value,
        LevelPart::Literal(text) => u64::try_from(text.len()).unwrap_or(u64::MAX),
        LevelPart::Date { unit, .. } => unit.width() as u64,
        LevelPart::Prefix { characters, .. } => {
            value.min(u64::from(characters.get()).saturating_mul(BYTES_PER_CHARACTER))
        }
        LevelPart::Random { buckets } | LevelPart::Bucket { buckets, .. } => digits(buckets.get()),
    }
}

/// What it means that a level's dates could not be read; none if all could.
pub fn no_time(level: usize, gaps: &Gaps, documents: u64) -> Option<Finding> {
    if gaps.no_time == 0 {
        return None;
    }
    let share = share(gaps.no_time, documents);
    let sentence = format!(
        "A value is not read as a time in {} of the documents ({} of {}): they share the one key without a value.",
        percent_text(share),
        count_text(gaps.no_time),
        count_text(documents)
    );
    Some(Finding {
        at: KeyPlace::Level(level),
        ..Finding::new(Rule::NoTime, gap_severity(share), sentence)
    })
}
