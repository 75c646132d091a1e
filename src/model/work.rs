//! Counts of work, for tests of how it grows.

use std::cell::Cell;

/// A piece of work.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    /// The range of a layout that holds a key.
    OwnerFound,
    /// The identity text of a key.
    KeyWritten,
    /// A second of a partition's load.
    SecondFollowed,
    /// The load of all containers put in order.
    LoadSorted,
}

thread_local! {
    static DONE: [Cell<u64>; 4] = const { [const { Cell::new(0) }; 4] };
}

/// Counts one piece.
pub fn count(work: Work) {
    DONE.with(|done| {
        if let Some(done) = done.get(work as usize) {
            done.set(done.get() + 1);
        }
    });
}

/// How many pieces this thread has done so far.
pub fn done(work: Work) -> u64 {
    DONE.with(|done| done.get(work as usize).map_or(0, Cell::get))
}
