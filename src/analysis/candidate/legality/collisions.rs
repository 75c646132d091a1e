//! Documents that would meet under one key and id in the new container: the second is refused or replaces the first.

use crate::model::key::Key;
use crate::model::units::count_text;

use super::super::super::findings::{Finding, Severity};
use super::super::super::rules::Rule;

/// Examples kept: enough to find the pattern, few enough to be read.
pub const MAX_COLLISION_EXAMPLES: usize = 5;

/// What counting all documents by key and id found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IdCollisions {
    /// Pairs of key and id that more than one document has.
    pub pairs: u64,
    /// Documents that have such a pair.
    pub documents: u64,
    /// The pairs of most documents first, at most [`MAX_COLLISION_EXAMPLES`].
    pub examples: Vec<IdCollision>,
}

/// A key and id that several documents would share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdCollision {
    pub key: Key,
    pub id: Box<str>,
    pub documents: u64,
}

impl IdCollisions {
    /// What it means for the key; none if no documents meet.
    pub fn finding(&self) -> Option<Finding> {
        if self.pairs == 0 {
            return None;
        }
        let (documents, pairs) = (count_text(self.documents), count_text(self.pairs));
        let sentence = format!(
            "{documents} documents would share {pairs} pairs of key and id, of which a container holds one document each."
        );
        Some(Finding::new(Rule::IdCollisions, Severity::Alarm, sentence))
    }
}
