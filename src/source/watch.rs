//! How far long work has come, and whether it is still wanted: shared with whoever shows progress.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Error;
use crate::model::capture::CaptureBuilder;
use crate::model::largest::Glimpse;

/// Shared by the importers and whoever watches them. Cheap enough to be asked once a chunk.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    pub done_bytes: Arc<AtomicU64>,
    pub total_bytes: Arc<AtomicU64>,
    pub rows: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
    /// Rows after which it stops by itself.
    most_rows: Option<u64>,
    what: Arc<Mutex<String>>,
    /// How many keys a glimpse is wanted of, 0 for none.
    wanted_keys: Arc<AtomicUsize>,
    glimpse: Arc<Mutex<Option<Box<Glimpse>>>>,
}

impl Watch {
    /// Stops when `stop` is set, which a signal handler may do.
    pub fn stopping_at(stop: Arc<AtomicBool>) -> Self {
        Self { stop, ..Self::default() }
    }

    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub fn keep_going(&self) -> bool {
        let is_enough = |most| self.rows.load(Ordering::Relaxed) >= most;
        !self.stop.load(Ordering::Relaxed) && !self.most_rows.is_some_and(is_enough)
    }

    /// A look at the first rows, which shows no progress.
    #[must_use]
    pub fn first_rows(&self, most: u64) -> Self {
        Self { most_rows: Some(most), ..Self::stopping_at(Arc::clone(&self.stop)) }
    }

    /// Whether all rows are wanted.
    pub fn is_whole(&self) -> bool {
        self.most_rows.is_none()
    }

    /// An error once it is to stop.
    pub fn check(&self) -> Result<(), Error> {
        if self.keep_going() { Ok(()) } else { Err(Error::Interrupted) }
    }

    /// Adds the rows beyond those that were counted before.
    pub fn count_rows(&self, rows: u64, before: &mut u64) {
        self.rows.fetch_add(rows - *before, Ordering::Relaxed);
        *before = rows;
    }

    /// So many steps of so many are done, and what the next one is about.
    pub fn at(&self, done: usize, total: usize, what: &str) {
        self.done_bytes.store(done as u64, Ordering::Relaxed);
        self.total_bytes.store(total as u64, Ordering::Relaxed);
        self.begin(what);
    }

    /// What is being read, already made visible.
    pub fn begin(&self, what: &str) {
        let mut held = self.what.lock().unwrap_or_else(PoisonError::into_inner);
        what.clone_into(&mut held);
    }

    pub fn what(&self) -> String {
        self.what.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Asks for the `limit` largest keys so far: whoever reads next finds them out between two chunks, once.
    pub fn want_glimpse(&self, limit: usize) {
        self.wanted_keys.store(limit.max(1), Ordering::Relaxed);
    }

    /// What was asked for, once it is there. Nothing comes when the work ended before.
    pub fn take_glimpse(&self) -> Option<Glimpse> {
        let mut held = self.glimpse.lock().unwrap_or_else(PoisonError::into_inner);
        held.take().map(|glimpse| *glimpse)
    }

    /// Gives the glimpse that is wanted, if one is; one load where none is.
    pub fn offer_glimpse(&self, builder: &CaptureBuilder) {
        if self.wanted_keys.load(Ordering::Relaxed) == 0 {
            return;
        }
        // Of several workers that see the wish one takes it.
        let limit = self.wanted_keys.swap(0, Ordering::Relaxed);
        if limit == 0 {
            return;
        }
        let glimpse = Box::new(builder.glimpse(limit));
        let mut held = self.glimpse.lock().unwrap_or_else(PoisonError::into_inner);
        *held = Some(glimpse);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glimpse_is_given_once_for_each_wish() {
        let (watch, builder) = (Watch::default(), CaptureBuilder::new(0));
        watch.offer_glimpse(&builder);
        assert!(watch.take_glimpse().is_none());
        watch.want_glimpse(0);
        watch.clone().offer_glimpse(&builder);
        assert!(watch.take_glimpse().is_some());
        watch.offer_glimpse(&builder);
        assert!(watch.take_glimpse().is_none());
    }
}
