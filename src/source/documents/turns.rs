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
}

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
            held = self
                .turned
                .wait(held)
                .unwrap_or_else(PoisonError::into_inner);
        }
        drop(held);
        if has_turned {
            self.turned.notify_all();
        }
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
