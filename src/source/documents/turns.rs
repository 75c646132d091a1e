//! Workers hand over what they read in the order of the input, whoever is done first.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::model::documents::{Documents, Rows, Table};

/// The table that all workers fill, and whose turn it is.
#[derive(Debug)]
pub struct Turns {
    table: Mutex<(Table, u64)>,
    turned: Condvar,
    stopped: AtomicBool,
}

impl Turns {
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

    /// Waits until all pieces before `number` are in the table; false where one of them will never come.
    pub fn hand_over(&self, number: u64, rows: &mut Rows) -> bool {
        let mut held = self.lock();
        while held.1 != number {
            if self.stopped.load(Ordering::Relaxed) {
                return false;
            }
            held = self
                .turned
                .wait(held)
                .unwrap_or_else(PoisonError::into_inner);
        }
        held.0.append(rows);
        held.1 += 1;
        drop(held);
        self.turned.notify_all();
        true
    }

    /// Without a turn: by the only worker, or by one that is done.
    pub fn leave(&self, rows: &mut Rows) {
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
        let (table, _) = self
            .table
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        table.finish()
    }
}
