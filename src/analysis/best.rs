//! The key of the greatest value in a stream, whatever the order in which keys come.

use crate::model::logical::{KeyId, LogicalPartitions};

/// The key of the greatest value so far; of equals the first by its text, which is looked up for these alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best<V>(Option<(V, KeyId)>);

impl<V> Default for Best<V> {
    fn default() -> Self {
        Self(None)
    }
}

impl<V: Ord + Copy> Best<V> {
    pub fn offer(&mut self, value: V, key: KeyId, keys: &LogicalPartitions) {
        let is_better = self.0.is_none_or(|(best, held)| {
            value > best || (value == best && keys.text_order(key, held).is_lt())
        });
        if is_better {
            self.0 = Some((value, key));
        }
    }

    /// Takes over what another stream had.
    pub fn merge(&mut self, other: Self, keys: &LogicalPartitions) {
        if let Some((value, key)) = other.0 {
            self.offer(value, key, keys);
        }
    }

    pub fn key(&self) -> Option<KeyId> {
        self.0.map(|(_, key)| key)
    }
}
