//! What the load takes in memory.

use std::collections::HashMap;

use super::Load;

/// What the analysis makes of a cell of RU.
const ANALYSED_BYTES: usize = 250;
/// A list of points grows by doubling.
const POINT_BYTES: usize = 32;

/// An eighth of the places stays free, and each takes one byte more than what it holds.
pub(super) fn map_bytes<K, V>(map: &HashMap<K, V>) -> usize {
    map.capacity() / 7 * 8 * (size_of::<(K, V)>() + 1)
}

impl Load {
    /// What it takes while records are read.
    pub fn bytes(&self) -> usize {
        let cells = map_bytes(&self.ru) + map_bytes(&self.requests);
        let names = self.keys.bytes() + self.names.bytes();
        cells + names + self.marks.bytes() + self.queries.bytes() + self.points * POINT_BYTES
    }

    /// What it takes once all records are read, with what is made of them.
    pub fn analysed_bytes(&self) -> usize {
        self.bytes() - self.marks.bytes() - self.queries.bytes() + self.ru.len() * ANALYSED_BYTES
    }
}
