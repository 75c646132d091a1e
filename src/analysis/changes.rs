//! Which properties change: documents of one container read at two times, paired by their ids.

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
    /// By which a document is known again.
    pub paired_by: Vec<Path>,
    pub paired: u64,
    pub only_before: u64,
    pub only_after: u64,
    /// Several documents of one capture cannot be told apart by that.
    pub ambiguous: u64,
    /// Those that change most first.
    pub paths: Vec<PathChange>,
}

fn is_system(path: &Path) -> bool {
    path.names().next().is_some_and(|name| name.starts_with('_'))
}

impl DocumentChanges {
    /// `/id and /tenantId`
    pub fn paired_by_text(&self) -> String {
        let paths: Vec<String> = self.paired_by.iter().map(ToString::to_string).collect();
        paths.join(" and ")
    }

    /// Both have to be read with the same seed for hashes. `key` has the paths of the partition key, where it is known: ids are
    /// unique within a key only. None where no id pairs documents.
    pub fn of(before: &Documents, after: &Documents, key: &[Path]) -> Option<Self> {
        let both = [before, after];
        let rows = both.map(|documents| (0..documents.len()).collect());
        let of_system: Vec<Path> = vec![["_rid"].into_iter().collect()];
        let id: Path = ["id"].into_iter().collect();
        let of_key: Vec<Path> = [&[id][..], key].concat();
        let found = [of_key, of_system].map(|by| (Pairs::of(both, &by, &rows), by));
        let known = |(pairs, _): &(Pairs, _)| (pairs.rows.len(), pairs.alike.concat().len());
        // Of equal ones the last.
        let (mut pairs, mut paired_by) = found.into_iter().max_by_key(known)?;
        let mut paths: Vec<&Path> =
            both.into_iter().flat_map(Documents::columns).map(Column::path).collect();
        paths.retain(|path| !is_system(path) && !paired_by.contains(path));
        paths.sort_unstable();
        paths.dedup();
        if key.is_empty() {
            paired_by.extend(pairs.tell_apart(both, &paired_by, &paths));
        }
        if pairs.rows.is_empty() {
            return None;
        }
        let changing = paths.into_iter().filter(|path| !paired_by.contains(path));
        let mut paths: Vec<PathChange> = changing
            .map(|path| pairs.compare(path, before.column(path), after.column(path)))
            .filter(|change| change.compared > 0)
            .collect();
        paths.sort_by(|a, b| {
            let share = |change: &PathChange| change.share().unwrap_or(0.0);
            share(b).total_cmp(&share(a)).then_with(|| a.path.cmp(&b.path))
        });
        let [only_before, only_after] = pairs.only;
        Some(Self {
            paired_by,
            paired: pairs.rows.len() as u64,
            only_before,
            only_after,
            ambiguous: pairs.alike.iter().map(|rows| rows.len() as u64).sum(),
            paths,
        })
    }
}

/// Properties whose names say that they change, with what changes there.
pub fn changes_by_name(documents: &Documents) -> Vec<(Path, &'static str)> {
    let paths = documents.columns().iter().map(Column::path).filter(|path| !is_system(path));
    let named = paths.filter_map(|path| Some((path.clone(), mutable::changes(path)?)));
    named.collect()
}

/// Rows of the same document in both captures.
#[derive(Default)]
struct Pairs {
    rows: Vec<(usize, usize)>,
    /// Documents that the other capture does not have.
    only: [u64; 2],
    /// Rows of each capture that cannot be told apart, in it or in the other one.
    alike: [Vec<usize>; 2],
}

impl Pairs {
    /// `by` begins with the id: rows without one are left out.
    fn of(both: [&Documents; 2], by: &[Path], rows: &[Vec<usize>; 2]) -> Self {
        let mut all: Vec<(u64, usize, usize)> = Vec::new();
        for (capture, (documents, rows)) in both.into_iter().zip(rows).enumerate() {
            let columns: Vec<_> = by.iter().map(|path| documents.column(path)).collect();
            let identity = |row: usize| {
                let mut values = columns.iter().map(|column| value_hash((*column)?, row));
                let id = values.next()??;
                Some(values.fold(id, |held, value| mixed(held, value.unwrap_or(0))))
            };
            all.extend(rows.iter().filter_map(|row| Some((identity(*row)?, capture, *row))));
        }
        all.sort_unstable();
        let mut pairs = Self::default();
        for same in all.chunk_by(|a, b| a.0 == b.0) {
            match same {
                [(_, 0, row), (_, 1, other)] => pairs.rows.push((*row, *other)),
                [(_, 0, _)] => pairs.only[0] += 1,
                [_] => pairs.only[1] += 1,
                several => {
                    for (_, capture, row) in several {
                        if let Some(alike) = pairs.alike.get_mut(*capture) {
                            alike.push(*row);
                        }
                    }
                }
            }
        }
        pairs
    }

    /// Pairs rows that are alike by one more property, the one that pairs most of them.
    fn tell_apart(&mut self, both: [&Documents; 2], by: &[Path], paths: &[&Path]) -> Option<Path> {
        if self.alike.iter().any(Vec::is_empty) {
            return None;
        }
        let found = paths.iter().rev().map(|path| {
            let by: Vec<Path> = by.iter().chain([*path]).cloned().collect();
            (Self::of(both, &by, &self.alike), *path)
        });
        let (more, path) = found.max_by_key(|(pairs, _)| pairs.rows.len())?;
        if more.rows.is_empty() {
            return None;
        }
        self.rows.extend(more.rows);
        for (only, more) in self.only.iter_mut().zip(more.only) {
            *only += more;
        }
        self.alike = more.alike;
        Some(path.clone())
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

fn mixed(held: u64, value: u64) -> u64 {
    (held.rotate_left(5) ^ value).wrapping_mul(0x517c_c1b7_2722_0a95)
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
