//! What stands at each path of the documents, and whether it could be a partition key: owned rows, made once.

use std::cmp::Reverse;

use crate::model::documents::{
    Column, ColumnCells, Documents, Kinds, Sureness, TimeForm, Value, statistics,
};
use crate::model::key::{Key, KeyVersion};
use crate::model::path::Path;
use crate::model::time::Stamp;

use super::candidate::Candidate;
use super::candidate::legality::findings;
use super::candidate::mutable::is_identity;
use super::findings::Finding;
use super::findings::Severity;
use super::rules::Rule;
use super::trial::{Distinct, Share, path_stats, share};
use crate::model::units::{counted, percent_text, real};

/// Fewer values fill few physical partitions.
const FEW_VALUES: u64 = 20;
/// A value with this part of the documents keeps one partition busy.
const HALF: f64 = 0.5;
const ENOUGH_DOCUMENTS: u64 = 100;
/// From here on nearly every document has a value of its own.
pub(super) const NEAR_UNIQUE: f64 = 0.9;

/// Whether a path alone could be a partition key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fitness {
    Fit,
    /// There is something to think about first.
    WithCare,
    Unfit,
}

/// A value of which an example is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Example {
    /// As a key of one part.
    Value(Key),
    /// The beginning of a longer text.
    Beginning(Box<str>),
    List,
    Object,
    TooLarge,
}

/// A common value.
#[derive(Clone, PartialEq, Debug)]
pub struct Common {
    /// None where only the hash of the value was kept.
    pub value: Option<Example>,
    pub documents: u64,
    pub share: Share,
}

/// When the documents are from, by a path that holds times.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Times {
    pub form: TimeForm,
    pub sureness: Sureness,
    pub range: Option<[Stamp; 2]>,
}

/// One path of the documents.
#[derive(Clone, PartialEq, Debug)]
pub struct PathRow {
    pub path: Path,
    /// Documents looked at, with and without it.
    pub documents: u64,
    pub kinds: Kinds,
    /// Null and truth values among them; missing is none.
    pub distinct: Distinct,
    /// Values were told apart by hashes alone.
    pub is_hashed: bool,
    /// The longest value as found, over all documents that were seen.
    pub longest_bytes: u32,
    pub number_range: Option<[f64; 2]>,
    /// The commonest first.
    pub top: Vec<Common>,
    pub example: Option<Example>,
    pub times: Option<Times>,
    pub fitness: Fitness,
    /// What speaks against it as a key, worst first.
    pub findings: Vec<Finding>,
}

impl Kinds {
    /// Each kind that is there, the commonest first; missing apart.
    pub fn mix(&self) -> Vec<(&'static str, u64)> {
        let mut mix = vec![
            ("text", self.texts),
            ("number", self.numbers),
            ("true or false", self.bools),
            ("null", self.nulls),
            ("list", self.arrays),
            ("object", self.objects),
            ("number too large", self.too_large),
        ];
        mix.retain(|(_, documents)| *documents > 0);
        mix.sort_by_key(|(_, documents)| Reverse(*documents));
        mix
    }
}

impl PathRow {
    pub fn missing_share(&self) -> f64 {
        share(self.kinds.missing, self.documents).share
    }
}

/// Paths that could be a key as they are, the id behind all others: texts, as numbers are mostly measured values, and no
/// texts of which nearly every document has its own, as those are contents.
pub fn first_keys(rows: &[PathRow]) -> Vec<Candidate> {
    let is_id = |row: &PathRow| row.path.top_name() == Some("id");
    let is_own = |row: &PathRow| real(row.distinct.seen) > real(row.documents) * NEAR_UNIQUE;
    let is_key = |row: &&PathRow| {
        let is_text = row.kinds.texts > 0 && row.times.is_none();
        row.fitness == Fitness::Fit && is_text && (is_id(row) || !is_own(row))
    };
    let mut keys: Vec<&PathRow> = rows.iter().filter(is_key).collect();
    keys.sort_by_key(|row| is_id(row));
    let candidate = |row: &PathRow| Candidate::of_paths([row.path.clone()]);
    keys.into_iter().map(candidate).collect()
}

/// A row for each column, in the order of the documents, with the `top` commonest values of each.
///
/// None as soon as `keep_going` says that nobody waits any more.
pub fn rows(
    documents: &Documents,
    top: usize,
    keep_going: &dyn Fn() -> bool,
) -> Option<Vec<PathRow>> {
    let columns = documents.columns().iter().enumerate();
    let row = |(number, column)| keep_going().then(|| row(documents, number, column, top));
    columns.map(row).collect()
}

fn row(documents: &Documents, number: usize, column: &Column, top: usize) -> PathRow {
    let n = documents.len() as u64;
    let found = statistics(column, top);
    let seen = documents.seen().documents;
    let of = documents.is_sampled().then_some(real(seen));
    let counts = [found.distinct, found.once, found.twice];
    let common = found.top.iter().map(|top| Common {
        value: top.value.map(example),
        documents: top.documents,
        share: share(top.documents, n),
    });
    let time = documents.time_columns().iter().find(|time| time.column == number);
    let distinct = Distinct::of(counts, n, of);
    let mut findings = against(documents, column.path());
    findings.extend(coarse(&distinct, found.top.first().map(|top| top.documents), n));
    let is_time = documents.is_time(column.path());
    findings.extend(if is_time {
        Some(of_time(column.path()))
    } else {
        of_contents(column.path(), found.kinds, n)
    });
    findings.sort_by_key(|finding| Reverse(finding.severity));
    PathRow {
        path: column.path().clone(),
        documents: n,
        kinds: found.kinds,
        distinct,
        is_hashed: matches!(column.cells(), ColumnCells::Hashes { .. }),
        longest_bytes: found.longest_bytes,
        number_range: found.number_range,
        top: common.collect(),
        example: found.example.map(example),
        times: time.map(|time| Times {
            form: time.form,
            sureness: time.sureness,
            range: found.time_range,
        }),
        fitness: match findings.first().map(|finding| finding.severity) {
            Some(Severity::Alarm) => Fitness::Unfit,
            Some(Severity::Warn) => Fitness::WithCare,
            Some(Severity::Note) | None => Fitness::Fit,
        },
        findings,
    }
}

pub(super) fn of_time(path: &Path) -> Finding {
    let why = "queries compare ranges of it, and each range is cross-partition";
    Finding::new(Rule::TimeOnly, Severity::Warn, format!("{path} is a time: {why}."))
}

/// Numbers are mostly measured values, unless the name says that things are told apart by them.
fn of_contents(path: &Path, kinds: Kinds, documents: u64) -> Option<Finding> {
    let is_measured = kinds.numbers > 0 && kinds.texts == 0 && !is_identity(path);
    (is_measured && documents >= ENOUGH_DOCUMENTS).then(|| {
        let why = "holds numbers and is not named like an id: a measured value is no key";
        Finding::new(Rule::MutableName, Severity::Warn, format!("{path} {why}."))
    })
}

/// Values too few, or too unlike, for a key of this path alone. Of few documents nobody knows.
fn coarse(distinct: &Distinct, top: Option<u64>, documents: u64) -> Option<Finding> {
    let most = share(top.unwrap_or(0), documents).share;
    let is_coarse = distinct.seen < FEW_VALUES || most >= HALF;
    (is_coarse && documents >= ENOUGH_DOCUMENTS && distinct.seen > 0).then(|| {
        let values = counted(distinct.seen, "value", "values");
        let part = percent_text(most);
        let what = format!("{values}, {part} of the documents in the largest: too coarse for a key of this path alone.");
        Finding::new(Rule::TooFewKeys, Severity::Warn, what)
    })
}

fn against(documents: &Documents, path: &Path) -> Vec<Finding> {
    let stats = path_stats(documents, path);
    let candidate = Candidate::of_paths([path.clone()]);
    findings(&candidate, KeyVersion::V2, |_| Some(&stats))
}

fn example(value: Value<'_>) -> Example {
    match value {
        Value::Cut(text) => Example::Beginning(text.into()),
        Value::Array => Example::List,
        Value::Object => Example::Object,
        Value::TooLarge => Example::TooLarge,
        other => {
            other.part().map_or(Example::TooLarge, |part| Example::Value(Key::from(vec![part])))
        }
    }
}

#[cfg(test)]
mod tests;
