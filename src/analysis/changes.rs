//! Which properties change: documents of one container read at two times, paired by their ids.

use std::collections::HashMap;

use super::candidate::mutable;
use crate::model::documents::{Column, ColumnCells, Documents, FIRST_VALUE, MISSING};
use crate::model::path::Path;
use crate::model::units::real;

/// One property.
#[derive(Clone, PartialEq, Debug)]
pub struct PathChange {
    pub path: Path,
    /// Documents that have it in one of the captures.
    pub compared: u64,
    pub changed: u64,
}

impl PathChange {
    pub fn share(&self) -> Option<f64> {
        (self.compared > 0).then(|| real(self.changed) / real(self.compared))
    }
}

/// What two captures of documents show.
#[derive(Clone, PartialEq, Debug)]
pub struct DocumentChanges {
    pub paired_by: Path,
    pub paired: u64,
    pub only_before: u64,
    pub only_after: u64,
    /// Whose id another document of the same capture has.
    pub ambiguous: u64,
    /// Those that change most first.
    pub paths: Vec<PathChange>,
}

impl DocumentChanges {
    /// Two captures of one moment show nothing.
    pub fn has_change(&self) -> bool {
        self.paths.iter().any(|path| path.changed > 0)
    }

    /// Both have to be read with the same seed for hashes. None where no id pairs documents.
    pub fn of(before: &Documents, after: &Documents) -> Option<Self> {
        let ids = ["_rid", "id"].map(|name| -> Path { [name].into_iter().collect() });
        let both = |path: &Path| before.column(path).zip(after.column(path));
        let candidates = ids.into_iter().filter_map(|path| {
            let (one, other) = both(&path)?;
            let pairs = Pairs::of((one, before.len()), (other, after.len()));
            (!pairs.rows.is_empty()).then_some((path, pairs))
        });
        let (paired_by, pairs) = candidates
            .max_by_key(|(path, pairs)| (pairs.rows.len(), path.to_string() == "/_rid"))?;
        let mut paths: Vec<PathChange> = Vec::new();
        for column in before.columns().iter().chain(after.columns()) {
            let path = column.path();
            let is_system = path.names().next().is_some_and(|name| name.starts_with('_'));
            if is_system || *path == paired_by || paths.iter().any(|known| known.path == *path) {
                continue;
            }
            paths.push(pairs.compare(path, before.column(path), after.column(path)));
        }
        paths.retain(|change| change.compared > 0);
        paths.sort_by(|a, b| {
            let share = |change: &PathChange| change.share().unwrap_or(0.0);
            share(b).total_cmp(&share(a)).then_with(|| a.path.cmp(&b.path))
        });
        Some(Self {
            paired_by,
            paired: pairs.rows.len() as u64,
            only_before: pairs.only_before,
            only_after: pairs.only_after,
            ambiguous: pairs.ambiguous,
            paths,
        })
    }
}

/// Properties whose names say that they change, with what changes there.
pub fn changes_by_name(documents: &Documents) -> Vec<(Path, &'static str)> {
    let is_own = |path: &&Path| !path.top_name().is_some_and(|name| name.starts_with('_'));
    let paths = documents.columns().iter().map(Column::path).filter(is_own);
    let named = paths.filter_map(|path| Some((path.clone(), mutable::changes(path)?)));
    named.collect()
}

/// Rows of the same document in both captures.
#[derive(Default)]
struct Pairs {
    rows: Vec<(usize, usize)>,
    only_before: u64,
    only_after: u64,
    ambiguous: u64,
}

impl Pairs {
    fn of((one, rows): (&Column, usize), (other, more_rows): (&Column, usize)) -> Self {
        let (before, twice) = by_id(one, rows);
        let (after, twice_after) = by_id(other, more_rows);
        let mut pairs = Self { ambiguous: twice + twice_after, ..Self::default() };
        for (id, row) in &before {
            match after.get(id) {
                Some(other) => pairs.rows.push((*row, *other)),
                None => pairs.only_before += 1,
            }
        }
        pairs.only_after = (after.len() - pairs.rows.len()) as u64;
        pairs
    }

    fn compare(&self, path: &Path, one: Option<&Column>, other: Option<&Column>) -> PathChange {
        let at = |column: Option<&Column>, row| column.and_then(|column| value_hash(column, row));
        let (mut compared, mut changed) = (0, 0);
        for (row, other_row) in &self.rows {
            let values = (at(one, *row), at(other, *other_row));
            if values != (None, None) {
                compared += 1;
                changed += u64::from(values.0 != values.1);
            }
        }
        PathChange { path: path.clone(), compared, changed }
    }
}

/// The row of each id that only one document has, and how many documents share theirs.
fn by_id(column: &Column, rows: usize) -> (HashMap<u64, usize>, u64) {
    let mut found: HashMap<u64, (usize, u64)> = HashMap::new();
    for row in 0..rows {
        if let Some(id) = value_hash(column, row) {
            found.entry(id).or_insert((row, 0)).1 += 1;
        }
    }
    let shared = found.values().filter(|(_, n)| *n > 1).map(|(_, n)| n).sum();
    found.retain(|_, (_, n)| *n == 1);
    (found.into_iter().map(|(id, (row, _))| (id, row)).collect(), shared)
}

/// None where the document lacks the property.
fn value_hash(column: &Column, row: usize) -> Option<u64> {
    let found = match column.cells() {
        ColumnCells::Codes { codes, dictionary } => {
            let code = *codes.get(row)?;
            if code < FIRST_VALUE { u64::from(code) } else { dictionary.hash_of(code)? }
        }
        ColumnCells::Hashes { hashes, .. } => *hashes.get(row)?,
    };
    (found != u64::from(MISSING)).then_some(found)
}
