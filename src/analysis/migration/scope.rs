//! What becomes of documents that share a key: transactions, stored procedures and unique keys reach no further.

use super::super::candidate::Candidate;
use super::super::trial::DocumentKeys;
use crate::model::units::count_text;

/// No key met yet.
const NONE: u32 = u32::MAX;
/// Met more than one.
const SEVERAL: u32 = u32::MAX - 1;

/// The documents of the keys of before under the new key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MigrationScope {
    /// Keys that more than one document has now.
    pub shared: u64,
    /// Of these, those whose documents do not stay together.
    pub parted: u64,
    /// New keys that bring documents of several keys together.
    pub brought_together: u64,
    pub new_keys: u64,
}

impl MigrationScope {
    /// What becomes of batches and stored procedures, where some of them lose documents.
    pub fn broken_sentence(&self, key: &Candidate) -> Option<String> {
        (self.parted > 0).then(|| {
            format!(
                "batches and procedures are not atomic under {key} where they reach across its keys: the documents of {} of {} keys \
                 of today no longer share one",
                count_text(self.parted),
                count_text(self.shared)
            )
        })
    }

    pub fn of(before: &DocumentKeys, after: &DocumentKeys) -> Self {
        let met = |from: &DocumentKeys, to: &DocumentKeys| {
            let mut met = vec![NONE; from.documents.len()];
            for (one, other) in from.of_row.iter().zip(&to.of_row) {
                if let Some(known) = met.get_mut(*one as usize) {
                    *known = match *known {
                        NONE => *other,
                        same if same == *other => same,
                        _ => SEVERAL,
                    };
                }
            }
            met
        };
        let several = |met: Vec<u32>| met.iter().filter(|m| **m == SEVERAL).count() as u64;
        Self {
            shared: before.documents.iter().filter(|n| **n > 1).count() as u64,
            parted: several(met(before, after)),
            brought_together: several(met(after, before)),
            new_keys: after.documents.iter().filter(|n| **n > 0).count() as u64,
        }
    }
}
