//! Documents with the same id: the only ones that can meet under one key and id. Found once, looked at for each key.

use crate::model::documents::{ColumnCells, Documents, FIRST_VALUE, Value, repeated};
use crate::model::order::keep_first;
use crate::model::path::Path;

use super::super::candidate::legality::{IdCollision, IdCollisions, MAX_COLLISION_EXAMPLES};
use super::fold::Groups;

/// Rows that share their id with others, by id.
#[derive(Debug, Default)]
pub(super) struct SharedIds {
    /// The id's number or hash, and the row.
    rows: Vec<(u64, u32)>,
    /// Whether the documents have ids at all.
    pub are_known: bool,
}

impl SharedIds {
    pub fn of(documents: &Documents) -> Self {
        let path: Path = ["id"].into_iter().collect();
        let Some(column) = documents.column(&path) else {
            return Self::default();
        };
        let counts = column.counts();
        let mut rows: Vec<(u64, u32)> = match column.cells() {
            ColumnCells::Codes { codes, .. } => {
                let is_shared = |code: u32| counts.get(code as usize).is_some_and(|c| *c > 1);
                let all = (0..).zip(codes).filter(|(_, c)| is_shared(**c));
                all.map(|(row, code)| (u64::from(*code), row)).collect()
            }
            ColumnCells::Hashes { hashes, .. } => repeated(hashes, u64::from(FIRST_VALUE)),
        };
        // Documents without an id get one from whoever writes them.
        rows.retain(|(id, _)| *id >= u64::from(FIRST_VALUE));
        rows.sort_unstable();
        let are_known = counts.iter().skip(FIRST_VALUE as usize).any(|count| *count > 0);
        Self { rows, are_known }
    }

    /// Which of them meet under a key.
    pub fn collisions(&self, documents: &Documents, groups: &Groups<'_>) -> IdCollisions {
        let group = |row: u32| groups.of_row.get(row as usize).copied().unwrap_or(0);
        let mut found = IdCollisions::default();
        let mut most: Vec<(u64, u32, u32)> = Vec::new();
        for same_id in self.rows.chunk_by(|a, b| a.0 == b.0) {
            let mut by_group: Vec<(u32, u32)> = same_id.iter().map(|r| (group(r.1), r.1)).collect();
            by_group.sort_unstable();
            for pair in by_group.chunk_by(|a, b| a.0 == b.0) {
                let (Some((group, row)), 2..) = (pair.first(), pair.len()) else {
                    continue;
                };
                let count = pair.len() as u64;
                found.pairs += 1;
                found.documents += count;
                most.push((count, *group, *row));
            }
            if most.len() > 1_024 {
                keep(&mut most);
            }
        }
        keep(&mut most);
        let path: Path = ["id"].into_iter().collect();
        let column = documents.column(&path);
        let id_text = |row: u32| {
            let part = column.and_then(|c| c.value(row as usize)).and_then(Value::part);
            match part {
                Some(crate::model::key::Part::Text(text)) => text,
                Some(part) => crate::model::key::Key::from(vec![part]).json().into(),
                None => "(text not kept)".into(),
            }
        };
        found.examples = most
            .iter()
            .map(|(documents, group, row)| IdCollision {
                key: groups.key(*group),
                id: id_text(*row),
                documents: *documents,
            })
            .collect();
        found
    }
}

/// Of equally common ones the first documents.
fn keep(most: &mut Vec<(u64, u32, u32)>) {
    keep_first(most, MAX_COLLISION_EXAMPLES, |a, b| b.0.cmp(&a.0).then(a.2.cmp(&b.2)));
}
