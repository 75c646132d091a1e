//! A decision for a key as it was written down: on which documents, measured against what, with which numbers; and what
//! differs between two of them.
//!
//! Numbers and settings stand under their names, so that a decision of an older version still opens, and what only one side
//! tells is a difference like any other.

mod fingerprint;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

pub use fingerprint::Data;

use super::mask::{Masker, NameKind};

/// The setting that names the file of the queries.
const QUERIES: &str = "queries";
/// The setting that names the files or folders of the logs, a line each, and that of their container.
const LOGS: &str = "logs";
const CONTAINER: &str = "container";
/// The setting that names the property with the time of a document.
const TIME: &str = "time";
/// The least difference that counts, as a share: what is computed in another order differs in the last digits.
const ALIKE: f64 = 1e-9;

/// A key chosen among candidates, or not chosen yet.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Decision {
    /// RFC 3339.
    pub made_at: Option<String>,
    /// The version of the program.
    pub program: String,
    pub chosen: Option<String>,
    pub data: Data,
    pub settings: BTreeMap<String, DecisionValue>,
    /// In the order in which they were tried.
    pub candidates: Vec<Judged>,
}

/// What a trial reads besides its documents; the next one reads it again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DecisionInputs {
    pub time: Option<String>,
    pub queries: Option<String>,
    pub logs: Vec<String>,
    /// The container of the logs.
    pub container: Option<String>,
}

impl DecisionInputs {
    /// Files and containers have names, which are left out where names are masked.
    #[must_use]
    pub fn masked(self, is_masked: bool) -> Self {
        if is_masked { Self { time: self.time, ..Self::default() } } else { self }
    }
}

impl Decision {
    /// Keeps what the next trial reads again.
    pub fn keep_inputs(&mut self, inputs: DecisionInputs) {
        let logs = Some(inputs.logs.join("\n")).filter(|logs| !logs.is_empty());
        let container = inputs.container.filter(|_| logs.is_some());
        let texts =
            [(TIME, inputs.time), (QUERIES, inputs.queries), (LOGS, logs), (CONTAINER, container)];
        let known = texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?)));
        self.settings.extend(known.map(|(name, text)| (name, DecisionValue::Text(text))));
    }

    pub fn inputs(&self) -> DecisionInputs {
        let text = |name: &str| match self.settings.get(name) {
            Some(DecisionValue::Text(text)) => Some(text.clone()),
            _ => None,
        };
        let logs = text(LOGS).unwrap_or_default();
        DecisionInputs {
            time: text(TIME),
            queries: text(QUERIES),
            logs: logs.lines().map(str::to_owned).collect(),
            container: text(CONTAINER),
        }
    }

    /// Invented names in place of those of files and requests; names of properties stay, as in the keys tried.
    pub fn mask(&mut self, masker: &Masker) {
        for source in &mut self.data.sources {
            *source = masker.name(NameKind::File, source);
        }
        for (setting, kind) in
            [(QUERIES, NameKind::File), (LOGS, NameKind::File), (CONTAINER, NameKind::Container)]
        {
            if let Some(DecisionValue::Text(name)) = self.settings.get_mut(setting) {
                *name = masker.name(kind, name);
            }
        }
        for candidate in &mut self.candidates {
            let visits = std::mem::take(&mut candidate.visits).into_iter();
            let invented =
                visits.map(|(name, visits)| (masker.name(NameKind::Text, &name), visits));
            candidate.visits = invented.collect();
        }
    }

    /// Without what masking alone makes differ from a decision that was not masked, or by another salt.
    #[must_use]
    pub fn without_names(mut self) -> Self {
        self.data.sources.clear();
        self.settings.retain(|name, _| ![QUERIES, LOGS, CONTAINER].contains(&name.as_str()));
        for candidate in &mut self.candidates {
            candidate.visits.clear();
        }
        self
    }
}

/// A candidate with its numbers.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "struct CandidateTable")]
pub struct Judged {
    pub key: String,
    /// Whether the container has this key already.
    #[serde(rename = "current", default)]
    pub is_current: bool,
    pub verdict: String,
    #[serde(default)]
    pub numbers: BTreeMap<String, DecisionValue>,
    /// Physical partitions that each kind of request asks, by its name.
    #[serde(default)]
    pub visits: BTreeMap<String, DecisionValue>,
    /// Warnings and alarms, by the names of their rules.
    #[serde(default)]
    pub reasons: BTreeMap<String, DecisionValue>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged)]
pub enum DecisionValue {
    Number(f64),
    Text(String),
}

impl DecisionValue {
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => {
                a.total_cmp(b).is_eq() || (a - b).abs() <= ALIKE * a.abs().max(b.abs())
            }
            (a, b) => a == b,
        }
    }
}

impl From<f64> for DecisionValue {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for DecisionValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// What a difference is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ChangeSubject {
    Data,
    Setting,
    Candidate(String),
    Choice,
}

/// One thing that two decisions tell differently; none where one of them tells nothing.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    pub about: ChangeSubject,
    /// `largest_bytes`: what it is called in outputs.
    pub name: String,
    pub before: Option<DecisionValue>,
    pub after: Option<DecisionValue>,
}

/// What differs, in the order of the file; nothing where both say the same.
pub fn diff(before: &Decision, after: &Decision) -> Vec<Difference> {
    let mut found = Vec::new();
    let data = (before.data.facts(), after.data.facts());
    compare(&ChangeSubject::Data, &data.0, &data.1, &mut found);
    for (path, hash) in &before.data.columns {
        // A column that only one side looked at tells nothing.
        if let Some(other) = after.data.columns.get(path) {
            let [old, new] = [hash, other].map(|hash| Some(hash.as_str().into()));
            push(&ChangeSubject::Data, path, old, new, &mut found);
        }
    }
    compare(&ChangeSubject::Setting, &before.settings, &after.settings, &mut found);
    candidates(before, after, &mut found);
    let chosen = |d: &Decision| d.chosen.as_deref().map(DecisionValue::from);
    push(&ChangeSubject::Choice, "chosen", chosen(before), chosen(after), &mut found);
    found
}

fn candidates(before: &Decision, after: &Decision, found: &mut Vec<Difference>) {
    let of = |decision: &Decision, key: &str| {
        let mut all = decision.candidates.iter();
        all.find(|c| c.key == key).cloned()
    };
    let mut seen = BTreeSet::new();
    for candidate in before.candidates.iter().chain(&after.candidates) {
        let key = candidate.key.as_str();
        if !seen.insert(key) {
            continue;
        }
        let about = ChangeSubject::Candidate(key.to_owned());
        let pair = (of(before, key), of(after, key));
        let verdict =
            |c: &Option<Judged>| c.as_ref().map(|c| DecisionValue::from(c.verdict.as_str()));
        push(&about, "verdict", verdict(&pair.0), verdict(&pair.1), found);
        // Of one that only one side tried, that it was is all there is to say.
        let (Some(old), Some(new)) = &pair else { continue };
        compare(&about, &old.numbers, &new.numbers, found);
        compare(&about, &old.reasons, &new.reasons, found);
        compare(&about, &old.visits, &new.visits, found);
    }
}

fn compare(
    about: &ChangeSubject,
    before: &BTreeMap<String, DecisionValue>,
    after: &BTreeMap<String, DecisionValue>,
    found: &mut Vec<Difference>,
) {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for name in names {
        let values = (before.get(name).cloned(), after.get(name).cloned());
        push(about, name, values.0, values.1, found);
    }
}

fn push(
    about: &ChangeSubject,
    name: &str,
    before: Option<DecisionValue>,
    after: Option<DecisionValue>,
    found: &mut Vec<Difference>,
) {
    let values = before.as_ref().zip(after.as_ref());
    let is_alike = before == after || values.is_some_and(|(a, b)| a.is_like(b));
    if !is_alike {
        found.push(Difference { about: about.clone(), name: name.to_owned(), before, after });
    }
}
