//! What the documents have at a path: kinds of values, how many different ones, the commonest, the extremes.

use super::column::{Column, ColumnCells, counts};
use super::value::{
    ARRAY, FALSE, FIRST_VALUE, MISSING, NULL, OBJECT, TOO_LARGE, TRUE, Value, ValueKind,
};
use crate::model::order::keep_first;
use crate::model::time::Stamp;

/// A common value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Top<'a> {
    /// None where only the hash of the value was kept.
    pub value: Option<Value<'a>>,
    pub documents: u64,
}

/// Documents by what they have at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Kinds {
    pub missing: u64,
    pub nulls: u64,
    pub bools: u64,
    pub numbers: u64,
    pub texts: u64,
    pub arrays: u64,
    pub objects: u64,
    /// Numbers beyond what a double holds.
    pub too_large: u64,
}

/// Exact for the kept documents; the extremes are those of all documents that were seen.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Statistics<'a> {
    pub kinds: Kinds,
    /// Different values that can be part of a key, null and truth values among them; missing is none.
    pub distinct: u64,
    /// Of these, values that one document alone has, and those that two have.
    pub once: u64,
    pub twice: u64,
    pub longest_bytes: u32,
    pub number_range: Option<[f64; 2]>,
    pub time_range: Option<[Stamp; 2]>,
    /// Values that can be part of a key, the commonest first; of equally common ones the one found first.
    pub top: Vec<Top<'a>>,
    /// The first value that is not missing or null.
    pub example: Option<Value<'a>>,
}

impl Statistics<'_> {
    fn count(&mut self, code: u32, documents: u64) {
        let kinds = &mut self.kinds;
        match code {
            MISSING => kinds.missing += documents,
            NULL => kinds.nulls += documents,
            FALSE | TRUE => kinds.bools += documents,
            ARRAY => kinds.arrays += documents,
            OBJECT => kinds.objects += documents,
            TOO_LARGE => kinds.too_large += documents,
            _ => {}
        }
        if matches!(code, NULL | FALSE | TRUE) {
            self.count_distinct(documents);
        }
    }

    fn count_value(&mut self, kind: ValueKind, documents: u64) {
        match kind {
            ValueKind::Number => self.kinds.numbers += documents,
            ValueKind::Text | ValueKind::Cut => self.kinds.texts += documents,
        }
        self.count_distinct(documents);
    }

    fn count_distinct(&mut self, documents: u64) {
        self.distinct += u64::from(documents > 0);
        self.once += u64::from(documents == 1);
        self.twice += u64::from(documents == 2);
    }
}

/// Whether a value can be part of a key and is one.
fn is_key_code(code: u64) -> bool {
    matches!(u32::try_from(code), Ok(NULL | FALSE | TRUE)) || code >= u64::from(FIRST_VALUE)
}

/// What the kept documents have in a column, with its `top` commonest values.
pub fn statistics(column: &Column, top: usize) -> Statistics<'_> {
    let mut found = Statistics {
        longest_bytes: column.longest_bytes(),
        number_range: column.number_range(),
        time_range: column.time_range(),
        ..Statistics::default()
    };
    let mut ranked: Vec<(u64, u64, u64)> = match column.cells() {
        ColumnCells::Codes { codes, dictionary } => {
            let counts = counts(codes, dictionary.len());
            for (code, documents) in (0..).zip(&counts) {
                match dictionary.hash_of(code) {
                    Some(hash) => found.count_value(ValueKind::of_hash(hash), *documents),
                    None => found.count(code, *documents),
                }
            }
            let used = (0..).zip(counts).filter(|(c, n)| *n > 0 && is_key_code(*c));
            used.map(|(c, n)| (n, c, c)).collect()
        }
        ColumnCells::Hashes { hashes, .. } => count_hashes(hashes, &mut found),
    };
    // Of equally common ones the earlier.
    keep_first(&mut ranked, top, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let value = |value: u64| match column.cells() {
        ColumnCells::Codes { dictionary, .. } => {
            Some(dictionary.value(u32::try_from(value).unwrap_or(MISSING)))
        }
        ColumnCells::Hashes { .. } => column.value_of_hash(value),
    };
    let top = ranked.into_iter().map(|(documents, _, v)| Top { value: value(v), documents });
    found.top = top.collect();
    found.example = example(column).or_else(|| found.top.iter().find_map(|t| t.value));
    found
}

fn example(column: &Column) -> Option<Value<'_>> {
    match column.cells() {
        ColumnCells::Codes { codes, dictionary } => {
            let first = codes.iter().find(|c| !matches!(**c, MISSING | NULL))?;
            Some(dictionary.value(*first))
        }
        ColumnCells::Hashes { .. } => None,
    }
}

/// Counts all values by sorting them, and gives those that keys can hold: (documents, order, hash).
fn count_hashes(hashes: &[u64], found: &mut Statistics<'_>) -> Vec<(u64, u64, u64)> {
    let mut sorted = hashes.to_vec();
    sorted.sort_unstable();
    let mut ranked = Vec::new();
    for run in sorted.chunk_by(|a, b| a == b) {
        let Some(&hash) = run.first() else { continue };
        let documents = run.len() as u64;
        if hash < u64::from(FIRST_VALUE) {
            found.count(u32::try_from(hash).unwrap_or(MISSING), documents);
        } else {
            found.count_value(ValueKind::of_hash(hash), documents);
        }
        // A value that one document has is among the commonest only where there is no other.
        if is_key_code(hash) && (documents > 1 || ranked.len() < 1_024) {
            ranked.push((documents, hash, hash));
        }
    }
    ranked
}
