//! Trials against a plain evaluation of each document by itself, on random small tables.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod claims;
mod coverage;
mod demand;
mod forecast;
mod layouts;
mod logged;
mod many;
mod measured_demand;
mod random;
mod singles;

use std::collections::BTreeMap;

use super::super::candidate::Draws;
use super::routes::Routed;
use super::*;
use crate::model::documents::{NearUnique, Scalar, Table, TableLimits, WantedPaths};
use crate::model::key::Part as KeyPart;

impl Trials {
    /// To its end.
    pub fn trial(&self, candidate: &Candidate) -> Trial {
        self.trial_with_routes(candidate).0
    }

    pub fn trial_with_routes(&self, candidate: &Candidate) -> (Trial, Vec<Routed>) {
        self.trial_while(candidate, &|| true).unwrap()
    }
}

/// A value as a test writes it.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Cell {
    Missing,
    Null,
    Bool(bool),
    Number(i32),
    Text(String),
    List,
}

impl Cell {
    fn put(&self, to: &mut dyn FnMut(Scalar<'_>)) {
        match self {
            Self::Missing => {}
            Self::Null => to(Scalar::Null),
            Self::Bool(value) => to(Scalar::Bool(*value)),
            Self::Number(n) => to(Scalar::Number { text: &n.to_string(), value: f64::from(*n) }),
            Self::Text(text) => to(Scalar::Text(text)),
            Self::List => to(Scalar::Array),
        }
    }

    fn part(&self) -> KeyPart {
        match self {
            Self::Missing => KeyPart::Undefined,
            Self::Null => KeyPart::Null,
            Self::Bool(value) => KeyPart::Bool(*value),
            Self::Number(n) => {
                KeyPart::Number(crate::model::key::Number::new(f64::from(*n)).unwrap())
            }
            Self::Text(text) => KeyPart::Text(text.as_str().into()),
            Self::List => KeyPart::Other("[]".into()),
        }
    }
}

/// Documents of a few columns, each row with its size.
pub(super) fn documents(
    names: &[&str],
    rows: &[(Vec<Cell>, u32)],
    limits: &TableLimits,
) -> Documents {
    let mut table = Table::new(limits, &WantedPaths::Every);
    let mut worker = table.rows();
    let columns: Vec<u32> =
        names.iter().map(|name| worker.add_column([*name].into_iter().collect())).collect();
    for (number, (cells, bytes)) in (0..).zip(rows) {
        worker.begin(number);
        for (column, cell) in columns.iter().zip(cells) {
            cell.put(&mut |scalar| worker.put(*column, scalar));
        }
        worker.end(*bytes as usize);
    }
    table.append(&mut worker);
    table.finish()
}

pub(super) fn coded() -> TableLimits {
    TableLimits { near_unique: NearUnique::AtLimit, ..TableLimits::default() }
}

pub(super) fn parsed(key: &str) -> Candidate {
    Candidate::parse(key).unwrap()
}

/// The key of each document by the plain rule, with its documents and bytes.
pub(super) fn plain(
    names: &[&str],
    rows: &[(Vec<Cell>, u32)],
    candidate: &Candidate,
    seed: u64,
) -> BTreeMap<Key, (u64, u64)> {
    let mut found = BTreeMap::new();
    for (number, (cells, bytes)) in (0..).zip(rows) {
        let value = |path: &Path| {
            let at = names.iter().position(|n| path.top_name() == Some(n));
            at.and_then(|at| cells.get(at)).map_or(KeyPart::Undefined, Cell::part)
        };
        let key = candidate.key(&value, &mut Draws::of(seed, number));
        let sums: &mut (u64, u64) = found.entry(key).or_default();
        sums.0 += 1;
        sums.1 += u64::from(*bytes);
    }
    found
}

pub(super) fn trials(documents: &Documents, settings: Settings) -> Trials {
    Trials::new(Arc::new(PreparedDocuments::new(documents.clone(), None)), settings)
}

pub(super) fn of_groups(
    documents: &Documents,
    candidate: &Candidate,
    seed: u64,
) -> BTreeMap<Key, (u64, u64)> {
    let settings = Settings { seed, top: usize::MAX, ..Settings::default() };
    let top = trials(documents, settings).trial(candidate).top;
    let whole = |n: f64| format!("{n}").parse().unwrap();
    let found: BTreeMap<_, _> =
        top.iter().map(|t| (t.key.clone(), (whole(t.documents), whole(t.bytes)))).collect();
    assert_eq!(found.len(), top.len(), "a key has one group");
    found
}

#[test]
fn a_trial_ends_when_it_is_not_wanted() {
    let rows: Vec<(Vec<Cell>, u32)> = (0..100).map(|n| (vec![Cell::Number(n % 7)], 500)).collect();
    let documents = documents(&["a"], &rows, &TableLimits::default());
    let trials = trials(&documents, Settings::default());
    let key = parsed("/a + \"-\" + random(3)");
    assert_eq!(trials.trial_while(&key, &|| false), None);
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let once = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0;
    assert_eq!(trials.trial_while(&key, &once), None);
    let made = trials.trial_while(&key, &|| true);
    assert_eq!(made, Some(trials.trial_with_routes(&key)));
}

#[test]
fn a_count_of_documents_says_how_many_each_stands_for_and_sizes_what_they_take() {
    let rows: Vec<(Vec<Cell>, u32)> = (0..50).map(|_| (vec![Cell::Number(7)], 500)).collect();
    let documents = documents(&["a"], &rows, &TableLimits::default());
    let whole = |stored_documents, stored_bytes| {
        let settings = Settings { stored_bytes, stored_documents, ..Settings::default() };
        let trials = trials(&documents, settings);
        let whole = trials.whole();
        let largest = trials.trial(&parsed("/a")).largest_bytes;
        [whole.documents.round(), whole.bytes.round(), largest.round()].map(|n| n.to_string())
    };
    // By sizes alone, 83,350 bytes of 500 each; the service knows better.
    assert_eq!(whole(None, Some(83_350.0)), ["167", "83350", "83350"]);
    assert_eq!(whole(Some(200.0), Some(83_350.0)), ["200", "83350", "83350"]);
    assert_eq!(whole(Some(200.0), None), ["200", "100000", "100000"]);
    // Counts are some minutes old.
    assert_eq!(whole(Some(40.0), None), ["50", "25000", "25000"]);
}
