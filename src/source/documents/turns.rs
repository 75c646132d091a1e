//! Workers hand over what they read in the order of the input, whoever is done first.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::model::documents::{Documents, Rows, Table};

/// Pieces that a worker has read and not handed over: their numbers, and how many of its rows end with them.
#[derive(Debug, Default)]
pub struct Pending(VecDeque<(u64, usize)>);

impl Pending {
    pub fn push(&mut self, number: u64, rows: &Rows) {
        self.0.push_back((number, rows.len()));
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The worker's rows are gone with the piece that ended here: pieces after it that had no documents end where new rows
    /// begin.
    fn begin_anew(&mut self, end: usize) {
        for (_, later) in &mut self.0 {
            *later = later.saturating_sub(end);
        }
    }
}

/// The table that all workers fill, and whose turn it is.
#[derive(Debug)]
pub struct OrderedTable {
    table: Mutex<(Table, u64)>,
    turned: Condvar,
    stopped: AtomicBool,
}

impl OrderedTable {
    pub fn new(table: Table) -> Self {
        Self {
            table: Mutex::new((table, 0)),
            turned: Condvar::new(),
            stopped: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, (Table, u64)> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn rows(&self) -> Rows {
        self.lock().0.rows()
    }

    /// Pieces are numbered from 0 on for each input.
    pub fn begin(&self) {
        self.lock().1 = 0;
        self.stopped.store(false, Ordering::Relaxed);
    }

    /// Takes over those of a worker's pieces whose turn has come. Waits only while more are left than it may hold; false
    /// where a piece before them will never come.
    pub fn hand_over(&self, pending: &mut Pending, may_hold: usize, rows: &mut Rows) -> bool {
        let mut held = self.lock();
        let mut has_turned = false;
        while let Some((number, end)) = pending.0.front().copied() {
            if held.1 == number {
                held.0.append_until(rows, end);
                held.1 += 1;
                pending.0.pop_front();
                if rows.is_empty() {
                    pending.begin_anew(end);
                }
                has_turned = true;
                continue;
            }
            if pending.0.len() <= may_hold {
                break;
            }
            if self.stopped.load(Ordering::Relaxed) {
                return false;
            }
            if std::mem::take(&mut has_turned) {
                self.turned.notify_all();
            }
            held = self.turned.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
        drop(held);
        if has_turned {
            self.turned.notify_all();
        }
        true
    }

    /// Without a turn: by the only worker, or by one that is done.
    pub fn append(&self, rows: &mut Rows) {
        self.lock().0.append(rows);
    }

    /// Lets go of everyone who waits for a piece that does not come.
    pub fn stop(&self) {
        // Under the lock, so that nobody begins to wait in between.
        let held = self.lock();
        self.stopped.store(true, Ordering::Relaxed);
        drop(held);
        self.turned.notify_all();
    }

    pub fn finish(self) -> Documents {
        let (table, _) = self.table.into_inner().unwrap_or_else(PoisonError::into_inner);
        table.finish()
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::model::documents::{Scalar, TableLimits, WantedPaths};
    use crate::model::path::Path;

    fn read(rows: &mut Rows, numbers: std::ops::Range<u64>) {
        let path: Path = ["id"].into_iter().collect();
        let column = rows.add_column(path);
        for number in numbers {
            rows.begin(number);
            rows.put(column, Scalar::Text(&number.to_string()));
            rows.end(10);
        }
    }

    #[test]
    fn pieces_without_documents_keep_the_order() {
        let turns = OrderedTable::new(Table::new(&TableLimits::default(), &WantedPaths::Every));
        turns.begin();
        let mut workers = [0, 1].map(|_| (turns.rows(), Pending::default()));
        let [(one, of_one), (other, of_other)] = &mut workers;
        // Piece 0 has three documents, 2 and 4 none.
        read(one, 0..3);
        for piece in [0, 2, 4] {
            of_one.push(piece, one);
        }
        assert!(turns.hand_over(of_one, 8, one));
        // Meanwhile the same worker reads on, before the others' turn.
        read(one, 6..9);
        of_one.push(6, one);
        for (piece, numbers) in [(1, 3..4), (3, 4..5), (5, 5..6)] {
            read(other, numbers);
            of_other.push(piece, other);
            assert!(turns.hand_over(of_other, 8, other));
            assert!(turns.hand_over(of_one, 8, one));
        }
        assert!(of_one.is_empty() && of_other.is_empty());
        let documents = turns.finish();
        let ids = documents.columns().first().unwrap();
        let ids: Vec<String> =
            (0..documents.len()).map(|row| format!("{:?}", ids.value(row))).collect();
        assert_eq!(ids.len(), 9);
        for (number, id) in ids.iter().enumerate() {
            assert!(id.contains(&number.to_string()), "{ids:?}");
        }
    }
}
