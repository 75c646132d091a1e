//! How far long work has come, and whether it is still wanted: shared with whoever shows progress.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Shared by the importers and whoever watches them. Cheap enough to be asked once a chunk.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    pub done_bytes: Arc<AtomicU64>,
    pub total_bytes: Arc<AtomicU64>,
    pub rows: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
    what: Arc<Mutex<String>>,
}

impl Watch {
    /// Stops when `stop` is set, which a signal handler may do.
    pub fn stopping_at(stop: Arc<AtomicBool>) -> Self {
        Self {
            stop,
            ..Self::default()
        }
    }

    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub fn keep_going(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }

    /// What is being read, already made visible.
    pub fn begin(&self, what: &str) {
        let mut held = self.what.lock().unwrap_or_else(PoisonError::into_inner);
        what.clone_into(&mut held);
    }

    pub fn what(&self) -> String {
        self.what
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
