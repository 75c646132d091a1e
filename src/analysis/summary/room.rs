//! The memory of a report's rows: counted while they are made, so that a report that would not fit is refused in time.

use crate::analysis::rows::KeyRow;

/// What sorting and writing a row take beside the row: places in lists of candidates, a line of a format.
const BESIDE_ROW_BYTES: usize = 64;

/// The rows of a report take more memory than they may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoRoom {
    /// Rows there would be, of the captures seen so far.
    pub rows: u64,
    /// What they would take.
    pub bytes: usize,
}

/// The memory of the rows kept, and what they may take.
#[derive(Debug, Default)]
pub(super) struct Room {
    pub used: usize,
    taken: usize,
    /// Rows that found no room.
    pub missed: usize,
    pub bytes: Option<usize>,
}

impl Room {
    pub fn is_left(&self) -> bool {
        self.bytes.is_none_or(|bytes| self.used < bytes)
    }

    pub fn take(&mut self, row: &KeyRow) {
        self.used += row.bytes() + BESIDE_ROW_BYTES;
        self.taken += 1;
    }

    /// Takes all rows out, to be counted anew.
    pub fn empty(&mut self) {
        (self.used, self.taken) = (0, 0);
    }

    pub fn check(&self) -> Result<(), NoRoom> {
        if self.missed == 0 {
            return Ok(());
        }
        let rows = self.taken + self.missed;
        let bytes = self.used / self.taken.max(1) * rows;
        Err(NoRoom { rows: rows as u64, bytes })
    }
}
