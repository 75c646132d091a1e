//! Which paths can take part in a key at all, told from their values and names before anything is tried.

use std::collections::BTreeMap;

use super::super::candidate::legality::PathStats;
use super::super::candidate::mutable::is_identity;
use super::super::candidate::{Candidate, legality};
use super::super::findings::Severity;
use super::super::paths::NEAR_UNIQUE;
use super::super::routing::PointOperation;
use super::super::routing::workload::{Request, RequestKind, Workload};
use super::super::rules::Rule;
use super::super::trial::{KeepGoing, Trials};
use crate::model::documents::{Column, ColumnCells, Documents, statistics};
use crate::model::key::KeyVersion;
use crate::model::path::Path;
use crate::model::units::real;

/// Documents without a value share one key: more of them are a hot key.
const MOST_WITHOUT: f64 = 0.01;
/// Longer texts are contents: an id has at most 255 characters.
const LONG_TEXT: u64 = 255;
/// As long as no query is known longer ones that are not called an id are contents, too.
const CONTENT: u64 = 64;
/// Times of fewer values than documents by this factor are periods, such as months.
const PERIOD_DOCUMENTS: f64 = 20.0;

/// A property that more of the requests compare is the natural key.
const MOST: f64 = 0.5;

words! {
    /// Why a path takes part in no key.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Unfit {
        System = "set by the service",
        Unusable = "lists, objects or numbers too large for a key",
        Missing = "missing or null in more than 1 % of the documents",
        Mutable = "changes, or is named so",
        MixedTypes = "of mixed types",
        Fractions = "numbers with fractions",
        LargeNumbers = "numbers of 2^53 or more",
        TooLong = "longer than a key may be",
        OneValue = "the same in all documents",
        Moment = "a moment: its month, day and hour are tried instead",
        NearUnique = "nearly unique, and in no filter",
        LongText = "long texts in no filter",
        Measurement = "numbers in no filter",
        /// Beyond the number of paths that are combined.
        Surplus = "in fewer filters than those combined",
    }
    fn words
}

/// Where a path can stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Anywhere.
    Any,
    /// Fewer values than physical partitions: joined to others only.
    Few,
    /// Months, days or other values of which one follows another: behind others only.
    Period,
    /// A document's own: behind others, and by itself if requests ask for it.
    Own,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Usable {
    pub path: Path,
    pub role: Role,
    pub distinct: u64,
    /// Requests a second that compare it with one value.
    pub requests_per_second: f64,
}

/// Paths that can take part, those most asked for first, and the others with the reason; as far as it is wanted.
pub(super) fn sorted_out(
    trials: &Trials,
    thin: &Trials,
    workload: &Workload,
    keep_going: &KeepGoing<'_>,
) -> (Vec<Usable>, Vec<(Path, Unfit)>) {
    let queried = comparison_rates(workload);
    let documents: &Documents = trials.prepared().documents();
    let mut usable = Vec::new();
    let mut unfit = Vec::new();
    for column in documents.columns().iter().take_while(|_| keep_going()) {
        let path = column.path();
        let rate = queried.get(path).copied();
        let stats = thin.path_stats(path);
        let is_named = is_identity(path);
        let is_sound = !is_named && by_stats(path, &stats).is_none();
        let is_measured = rate.is_none() && !queried.is_empty() && stats.numbers > 0;
        let found = if is_sound && is_measured {
            Err(Unfit::Measurement)
        } else if is_sound && queried.is_empty() && stats.longest_bytes > CONTENT {
            Err(Unfit::LongText)
        } else {
            judged(documents, thin, column, rate, trials.settings().partitions)
        };
        let path = path.clone();
        match found {
            Ok((role, distinct)) => {
                let requests_per_second = rate.unwrap_or(0.0);
                usable.push(Usable { path, role, distinct, requests_per_second });
            }
            Err(reason) => unfit.push((path, reason)),
        }
    }
    usable.sort_by(|a, b| {
        let by_asked = b.requests_per_second.total_cmp(&a.requests_per_second);
        by_asked.then(b.distinct.cmp(&a.distinct)).then_with(|| a.path.cmp(&b.path))
    });
    (usable, unfit)
}

fn judged(
    documents: &Documents,
    thin: &Trials,
    column: &Column,
    queried: Option<f64>,
    partitions: usize,
) -> Result<(Role, u64), Unfit> {
    let path = column.path();
    let stats = thin.path_stats(path);
    // What requests look for by one value may be a name that people choose: its verdict is a caution.
    let is_known = |reason: &Unfit| *reason == Unfit::Mutable && queried.is_some();
    if let Some(reason) = by_stats(path, &stats).filter(|reason| !is_known(reason)) {
        return Err(reason);
    }
    if queried.is_none() && stats.longest_bytes > LONG_TEXT {
        return Err(Unfit::LongText);
    }
    let of: &Documents = match column.cells() {
        ColumnCells::Codes { .. } => documents,
        // A count means sorting them: the sample has to do.
        ColumnCells::Hashes { .. } => thin.prepared().documents(),
    };
    let column = of.column(path).ok_or(Unfit::Missing)?;
    let distinct = statistics(column, 0).distinct;
    let rows = real(of.len() as u64);
    if distinct < 2 {
        return Err(Unfit::OneValue);
    }
    let values = real(distinct);
    if thin.prepared().takes_turns(path) {
        return Ok((Role::Period, distinct));
    }
    Ok(match (documents.is_time(path), values > rows * NEAR_UNIQUE) {
        (true, _) if values * PERIOD_DOCUMENTS <= rows => (Role::Period, distinct),
        (true, _) => return Err(Unfit::Moment),
        (false, true) if queried.is_some() || path.top_name() == Some("id") => {
            (Role::Own, distinct)
        }
        (false, true) => return Err(Unfit::NearUnique),
        (false, false) if distinct < partitions as u64 => (Role::Few, distinct),
        (false, false) => (Role::Any, distinct),
    })
}

/// By the rules on what a key may be, of the path alone as a key.
fn by_stats(path: &Path, stats: &PathStats) -> Option<Unfit> {
    let without = real(stats.missing + stats.nulls);
    if without > real(stats.documents) * MOST_WITHOUT {
        // A list says more than that most documents have none.
        return Some(match stats.unusable {
            0 => Unfit::Missing,
            _ => Unfit::Unusable,
        });
    }
    let alone = Candidate::of_paths([path.clone()]);
    let findings = legality::findings(&alone, KeyVersion::V2, |_| Some(stats));
    let reasons = findings.iter().filter_map(|finding| match finding.rule {
        Rule::SystemProperty => Some(Unfit::System),
        Rule::Unusable | Rule::Absent => Some(Unfit::Unusable),
        Rule::MutableName if finding.severity != Severity::Note => Some(Unfit::Mutable),
        Rule::MixedTypes => Some(Unfit::MixedTypes),
        Rule::Fractions => Some(Unfit::Fractions),
        Rule::Beyond2To53 => Some(Unfit::LargeNumbers),
        Rule::TooLong => Some(Unfit::TooLong),
        _ if finding.severity == Severity::Alarm => Some(Unfit::Unusable),
        _ => None,
    });
    reasons.min()
}

/// How often each path is compared with one value.
fn comparison_rates(workload: &Workload) -> BTreeMap<Path, f64> {
    let mut queried = BTreeMap::new();
    for request in &workload.requests {
        let rate = request.per_second.unwrap_or(1.0);
        match &request.kind {
            RequestKind::Query { query: Ok(query), .. } => {
                for path in query.equal_paths() {
                    *queried.entry(path).or_insert(0.0) += rate;
                }
            }
            RequestKind::Point(PointOperation::Read | PointOperation::Delete) => {
                *queried.entry(["id"].into_iter().collect()).or_insert(0.0) += rate;
            }
            RequestKind::Query { .. } | RequestKind::Point(_) => {}
        }
    }
    queried
}

/// The property that most of the requests which look for documents compare with one value, and their share; the id alone
/// finds no others.
pub(super) fn most_asked(workload: &Workload) -> Option<(Path, f64)> {
    let looking = workload.requests.iter().filter(|request| asks(request));
    let all: f64 = looking.map(|r| r.per_second.unwrap_or(1.0)).sum();
    let queried = comparison_rates(workload).into_iter();
    let queried = queried.filter(|(path, _)| path.top_name() != Some("id"));
    let (path, rate) = queried.max_by(|a, b| a.1.total_cmp(&b.1))?;
    (rate > all * MOST).then(|| (path, rate / all))
}

/// Whether it looks for documents: those that are sent whole go where their key is.
pub(super) fn asks(request: &Request) -> bool {
    use PointOperation::{Delete, Read};
    matches!(request.kind, RequestKind::Query { .. } | RequestKind::Point(Read | Delete))
}
