//! What stands at the paths of a key, for the rules on what a key may be: from each different value once.

use crate::model::documents::{ColumnCells, Documents, FIRST_VALUE, Value};
use crate::model::key::Part;
use crate::model::path::Path;

use super::super::candidate::legality::PathStats;

/// Without a column no document has the path.
pub fn stats(documents: &Documents, path: &Path) -> PathStats {
    let rows = documents.len() as u64;
    let Some(column) = documents.column(path) else {
        return PathStats { documents: rows, missing: rows, ..PathStats::default() };
    };
    let longest_bytes = u64::from(column.longest_bytes());
    let mut found = PathStats { longest_bytes, ..PathStats::default() };
    let counts = (0_u32..).zip(column.counts().iter().copied());
    for (code, count) in counts.filter(|(_, count)| *count > 0) {
        let value = match column.cells() {
            ColumnCells::Codes { dictionary, .. } => dictionary.value(code),
            // Behind the codes stand texts, numbers and texts longer than any key: none of them was kept.
            ColumnCells::Hashes { .. } => match code.checked_sub(FIRST_VALUE) {
                None => column.value_of_hash(u64::from(code)).unwrap_or(Value::Missing),
                Some(1) => Value::Number("0"),
                Some(_) => Value::Text(""),
            },
        };
        let part = match value {
            // Its length says that no key can hold it.
            Value::Cut(text) => Some(Part::Text(text.into())),
            value => value.part(),
        };
        found.add(&part.unwrap_or_else(|| Part::Other("[]".into())), count);
    }
    found
}
