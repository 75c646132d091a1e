//! What stands at the paths of a key, for the rules on what a key may be: from each different value once.

use crate::model::documents::{Cells, Documents, FIRST_VALUE, Value};
use crate::model::key::Part;
use crate::model::path::Path;

use super::super::candidate::legality::PathStats;

/// Without a column no document has the path.
pub fn stats(documents: &Documents, path: &Path) -> PathStats {
    let rows = documents.len() as u64;
    let Some(column) = documents.column(path) else {
        return PathStats {
            documents: rows,
            missing: rows,
            ..PathStats::default()
        };
    };
    let mut found = PathStats::default();
    match column.cells() {
        Cells::Codes { codes, dictionary } => {
            let mut counts = vec![0_u64; FIRST_VALUE as usize + dictionary.len()];
            for code in codes {
                if let Some(count) = counts.get_mut(*code as usize) {
                    *count += 1;
                }
            }
            for (code, count) in (0_u32..).zip(counts).filter(|(_, count)| *count > 0) {
                match dictionary.value(code) {
                    // Its length says that no key can hold it.
                    Value::Cut(_) => {
                        found.texts += count;
                        found.documents += count;
                    }
                    value => {
                        let part = value.part().unwrap_or_else(|| Part::Other("[]".into()));
                        found.add(&part, count);
                    }
                }
            }
        }
        Cells::Hashes { .. } => {
            let known = documents.statistics(column, 0);
            found = PathStats {
                documents: rows,
                missing: known.missing,
                nulls: known.nulls,
                bools: known.bools,
                numbers: known.numbers,
                texts: known.texts,
                unusable: known.unusable(),
                ..PathStats::default()
            };
        }
    }
    found.longest_bytes = found.longest_bytes.max(u64::from(column.longest_bytes()));
    found
}
