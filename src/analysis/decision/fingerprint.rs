//! By what documents are known again: how many, how large, and hashes of what was read that do not depend on the machine,
//! the memory or the version.

use std::collections::BTreeMap;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::DecisionValue;
use crate::analysis::mask::hex;
use crate::model::documents::{Column, ColumnCells, Documents, FIRST_VALUE, Value as Cell};
use crate::model::path::Path;
use crate::model::units::real;

/// Hexadecimal digits of a hash: no two sets of documents meet by chance.
const DIGITS: usize = 32;

/// The documents of a decision.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// All that was read, kept or not.
    pub documents: f64,
    pub bytes: f64,
    /// Those that were looked at: fewer of a sample.
    pub looked_at: f64,
    /// Of the sizes of the documents looked at, in their order.
    pub hash: String,
    /// Of the values at the paths that keys name, where all of them were kept.
    #[serde(default)]
    pub columns: BTreeMap<String, String>,
    /// Inputs as they may be shown.
    #[serde(default)]
    pub sources: Vec<String>,
}

impl Data {
    /// `paths` are those of the candidates.
    pub fn of<'p>(
        documents: &Documents,
        sources: Vec<String>,
        paths: impl IntoIterator<Item = &'p Path>,
    ) -> Self {
        let mut sizes = Sha256::new();
        for size in documents.bytes() {
            sizes.update(size.to_le_bytes());
        }
        let column = |path: &Path| {
            let column = documents.column(path)?;
            Some((path.to_string(), hash_of(column)?))
        };
        let seen = documents.seen();
        Self {
            documents: real(seen.documents),
            bytes: real(seen.bytes),
            looked_at: real(documents.len() as u64),
            hash: hex(sizes, DIGITS),
            columns: paths.into_iter().filter_map(column).collect(),
            sources,
        }
    }

    /// What is compared under its name.
    pub(super) fn facts(&self) -> BTreeMap<String, DecisionValue> {
        BTreeMap::from([
            ("documents".to_owned(), self.documents.into()),
            ("bytes".to_owned(), self.bytes.into()),
            ("looked_at".to_owned(), self.looked_at.into()),
            ("hash".to_owned(), self.hash.as_str().into()),
            ("sources".to_owned(), self.sources.join(", ").as_str().into()),
        ])
    }
}

/// None where nearly every document has a value of its own: their texts were not kept.
fn hash_of(column: &Column) -> Option<String> {
    let ColumnCells::Codes { codes, dictionary } = column.cells() else { return None };
    let entries: Vec<u64> = dictionary.values().map(|(_, value)| short(value)).collect();
    let mut hash = Sha256::new();
    for code in codes {
        let entry = code.checked_sub(FIRST_VALUE).and_then(|at| entries.get(at as usize).copied());
        // The codes of null, true and the like are the same in all dictionaries.
        hash.update(entry.unwrap_or(u64::from(*code)).to_le_bytes());
    }
    Some(hex(hash, DIGITS))
}

fn short(value: Cell<'_>) -> u64 {
    let (kind, text) = match value {
        Cell::Number(text) => (b'n', text),
        Cell::Cut(text) => (b'c', text),
        Cell::Text(text) => (b't', text),
        _ => (b'-', ""),
    };
    let hash = Sha256::new().chain_update([kind]).chain_update(text).finalize();
    let mut first = [0; 8];
    first.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
    u64::from_le_bytes(first)
}
