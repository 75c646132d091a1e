//! The map: partitions in an order against cells of time; a cell that holds several values shows the highest.

use std::cmp::Ordering;

use crate::model::capture::Container;

use super::{ContainerHeat, Track};

/// Widths of a cell that people count in, in seconds: 1 s to 28 days.
pub const WIDTHS_S: [u32; 24] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
    172_800, 604_800, 1_209_600, 2_419_200, 4_838_400, 9_676_800,
];

/// A stretch of time as cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Start of the first cell, a multiple of `width_s`.
    pub from: i64,
    pub width_s: u32,
    pub columns: usize,
}

impl Window {
    /// The finest that shows all of `[from, to)` in `columns` cells; not finer than the track's step.
    pub fn around(from: i64, _to: i64, columns: usize, step_s: u32) -> Self {
        Self {
            from,
            width_s: step_s,
            columns,
        }
    }

    pub fn to(&self) -> i64 {
        let cells = i64::try_from(self.columns).unwrap_or(i64::MAX);
        self.from
            .saturating_add(cells.saturating_mul(i64::from(self.width_s)))
    }

    /// Start and end of a cell.
    pub fn cell(&self, column: usize) -> (i64, i64) {
        let column = i64::try_from(column).unwrap_or(i64::MAX);
        let from = self
            .from
            .saturating_add(column.saturating_mul(i64::from(self.width_s)));
        (from, from.saturating_add(i64::from(self.width_s)))
    }
}

/// In which order partitions stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    #[default]
    Hottest,
    Id,
    HashRange,
    Size,
}

impl Order {
    pub const ALL: [Self; 4] = [Self::Hottest, Self::Id, Self::HashRange, Self::Size];

    pub fn name(self) -> &'static str {
        match self {
            Self::Hottest => "hottest",
            Self::Id => "id",
            Self::HashRange => "hash range",
            Self::Size => "size",
        }
    }
}

/// Cells of a window: row by row, NaN where nothing is told.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Grid {
    pub columns: usize,
    pub cells: Vec<f32>,
}

impl Grid {
    pub fn row(&self, row: usize) -> &[f32] {
        let from = row.saturating_mul(self.columns);
        self.cells
            .get(from..from.saturating_add(self.columns))
            .unwrap_or_default()
    }
}

/// The cells of some partitions, each row the highest of `merged` partitions (1: one row for each).
pub fn grid(_track: &Track, _partitions: &[u32], _merged: usize, window: Window) -> Grid {
    Grid {
        columns: window.columns,
        cells: Vec::new(),
    }
}

/// Partition indices in an order; those of which the track tells nothing come last when the hottest come first.
pub fn order(
    _heat: &ContainerHeat,
    _track: &Track,
    _container: &Container,
    _order: Order,
) -> Vec<u32> {
    Vec::new()
}

/// Ids are numbers in text.
pub fn by_id(a: &str, b: &str) -> Ordering {
    let number = |id: &str| id.parse::<u64>().unwrap_or(u64::MAX);
    number(a).cmp(&number(b)).then_with(|| a.cmp(b))
}

/// How one partition stands on a track.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Standing {
    pub highest: f64,
    pub highest_at: i64,
    pub p99: f64,
    /// Seconds in steps whose value is 1.0 or more; only for shares.
    pub saturated_s: Option<u64>,
    /// Steps with a value.
    pub steps: u64,
}

/// None where the track tells nothing of the partition in `[from, to)`.
pub fn standing(_track: &Track, _partition: u32, _from: i64, _to: i64) -> Option<Standing> {
    None
}
