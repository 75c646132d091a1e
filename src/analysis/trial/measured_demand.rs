//! What stands at the paths of a key, for the rules on what a key may be: from each different value once.

use crate::model::documents::{
    ARRAY, ColumnCells, Documents, FALSE, FIRST_VALUE, MISSING, NULL, OBJECT, TOO_LARGE, TRUE,
    Value,
};
use crate::model::key::Part;
use crate::model::path::Path;

use super::super::candidate::legality::PathStats;

/// Without a column no document has the path.
pub fn stats(documents: &Documents, path: &Path) -> PathStats {
    let rows = documents.len() as u64;
    let Some(column) = documents.column(path) else {
        return PathStats { documents: rows, missing: rows, ..PathStats::default() };
    };
    let mut found = PathStats::default();
    match column.cells() {
        ColumnCells::Codes { dictionary, .. } => {
            let counts = (0_u32..).zip(column.counts().iter().copied());
            for (code, count) in counts.filter(|(_, count)| *count > 0) {
                match dictionary.value(code) {
                    // Its length says that no key can hold it.
                    Value::Cut(_) => {
                        found.texts += count;
                        found.documents += count;
                    }
                    Value::Text(text) => {
                        found.texts += count;
                        found.documents += count;
                        found.longest_bytes = found.longest_bytes.max(text.len() as u64);
                    }
                    value => {
                        let part = value.part().unwrap_or_else(|| Part::Other("[]".into()));
                        found.add(&part, count);
                    }
                }
            }
        }
        ColumnCells::Hashes { .. } => {
            let counts = column.counts();
            let of = |code: u32| counts.get(code as usize).copied().unwrap_or(0);
            // Behind the codes stand texts, numbers and texts longer than any key.
            let [texts, numbers, cut] = [0, 1, 2].map(|kind| of(FIRST_VALUE + kind));
            found = PathStats {
                documents: rows,
                missing: of(MISSING),
                nulls: of(NULL),
                bools: of(FALSE) + of(TRUE),
                numbers,
                texts: texts + cut,
                unusable: of(ARRAY) + of(OBJECT) + of(TOO_LARGE),
                ..PathStats::default()
            };
        }
    }
    found.longest_bytes = found.longest_bytes.max(u64::from(column.longest_bytes()));
    found
}
