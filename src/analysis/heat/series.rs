//! Values over time in equal steps, with gaps that stay gaps, and their maxima at coarser widths.

/// Widths in seconds at which maxima are kept, those that are multiples of the finest.
pub const LEVELS_S: [u32; 6] = [1, 10, 60, 300, 900, 3600];

/// One value for each step that has one. Steps count from 1970 in units of the finest width.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Series {
    levels: Vec<Level>,
}

/// The highest value of each step of one width.
#[derive(Clone, PartialEq, Debug, Default)]
struct Level {
    step_s: u32,
    /// Stretches without a long gap, in time order.
    runs: Vec<Run>,
    /// NaN where a step has no value.
    values: Vec<f32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Run {
    first_step: i64,
    from: usize,
    len: usize,
}

/// What a stretch of time holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reading {
    pub highest: f64,
    /// Start of the step that is highest, in seconds since 1970.
    pub highest_at: i64,
    pub mean: f64,
    pub steps: u64,
    /// Steps of the stretch that have no value.
    pub gaps: u64,
}

impl Series {
    /// `points` are (second, value) in time order; of two in one step the higher counts.
    pub fn of(_points: &[(i64, f64)], _step_s: u32) -> Self {
        Self::default()
    }

    pub fn is_empty(&self) -> bool {
        self.levels.iter().all(|l| l.runs.is_empty())
    }

    /// Start of the first step and end of the last one.
    pub fn span(&self) -> Option<(i64, i64)> {
        None
    }

    /// Values of the finest steps with their seconds, gaps left out, within `[from, to)`.
    pub fn points(&self, _from: i64, _to: i64) -> impl Iterator<Item = (i64, f32)> + '_ {
        std::iter::empty()
    }

    /// None where the stretch `[from, to)` has no value.
    pub fn read(&self, _from: i64, _to: i64) -> Option<Reading> {
        None
    }

    /// The value that all but one in a hundred steps with a value stay at or below.
    pub fn p99(&self, _from: i64, _to: i64) -> Option<f64> {
        None
    }

    /// Writes the highest value of each cell of `width_s` seconds, the first beginning at `from`; NaN where there is
    /// none. `width_s` is a multiple of the step and `from` of `width_s`.
    pub fn fill(&self, _from: i64, _width_s: u32, cells: &mut [f32]) {
        cells.fill(f32::NAN);
    }
}
