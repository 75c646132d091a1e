//! Stretches of the hash space whose documents a sample read together: they are alike in their key, and in all that goes
//! with it.

use crate::model::epk::Epk;

/// A document that was drawn by itself.
pub const BY_ITSELF: u32 = u32::MAX;

/// The window of each document; empty where all were drawn by themselves.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Windows {
    /// By document, as a place in `all` or `BY_ITSELF`.
    pub of_row: Vec<u32>,
    pub all: Vec<ReadWindow>,
}

/// A window is read from its start on.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ReadWindow {
    /// The end is not included; none where it was not told.
    pub bounds: Option<(Epk, Epk)>,
    /// Whether it was read to its end. If not, the last key in it was cut.
    pub is_whole: bool,
    /// Whether only documents of a stretch of time were read of it.
    pub is_of_time: bool,
}

impl Windows {
    /// Of some of the documents: how much of a window these are of is not known.
    pub(super) fn of_rows(&self, of: impl FnOnce(&[u32]) -> Vec<u32>) -> Self {
        let of_row = match self.of_row.as_slice() {
            [] => Vec::new(),
            windows => of(windows),
        };
        let all = vec![ReadWindow::default(); self.all.len()];
        Self { of_row, all }
    }
}
