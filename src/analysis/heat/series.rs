//! Values over time in equal steps, with gaps that stay gaps, and their maxima at coarser widths.

mod level;

use crate::model::units::{real, single};
use level::{Level, highest};

/// Widths in seconds at which maxima are kept, those that are multiples of the finest; one of a day comes on top.
pub const LEVELS_S: [u32; 6] = [1, 10, 60, 300, 900, 3600];
/// The coarsest width: a year of cells is then read in 365 values.
const DAY_S: u32 = 86_400;
/// Beyond every `Stamp`, and far inside what can be added up.
const FARTHEST_SECOND: i64 = 400_000_000_000;
/// A coarser level is kept where it is smaller than the one before by this factor: all levels together then take no
/// more than twice what the finest takes, however scattered the values lie.
const WORTH: usize = 2;

/// What cells hold while they are filled: less than every value, so that a comparison is all there is to do.
pub(super) const NOTHING: f32 = f32::NEG_INFINITY;

/// Cells that still hold nothing become NaN.
pub(super) fn name_gaps(cells: &mut [f32]) {
    for cell in cells {
        if *cell == NOTHING {
            *cell = f32::NAN;
        }
    }
}

/// One value for each step that has one. Steps count from 1970 in units of the finest width.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Series {
    /// Finest first; the step of each is a multiple of the step before.
    levels: Vec<Level>,
}

/// What a stretch of time holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stretch {
    pub highest: f64,
    /// Start of the step that is highest, in seconds since 1970.
    pub highest_at: i64,
    pub mean: f64,
    pub steps: u64,
    /// Steps of the stretch that have no value.
    pub gaps: u64,
}

/// How high a stretch of time stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrackStatistics {
    pub highest: f64,
    /// Start of the step that is highest, in seconds since 1970.
    pub highest_at: i64,
    /// The value that all but one in a hundred steps with a value stay at or below.
    pub p99: f64,
    /// Seconds in steps whose value is all there is to have, 1.0 or more; only for shares.
    pub saturated_s: Option<u64>,
    /// Steps with a value.
    pub steps: u64,
}

/// A number that is greater where the value is greater, as `f32::total_cmp` has it.
fn ordered(value: f32) -> i32 {
    turned(value.to_bits().cast_signed())
}

fn unordered(number: i32) -> f32 {
    f32::from_bits(turned(number).cast_unsigned())
}

/// Negative values count downwards; turned twice a number is itself.
fn turned(number: i32) -> i32 {
    number ^ ((number >> 31) & i32::MAX)
}

impl Series {
    /// `points` are (second, value) in time order; of two in one step the higher counts. What is no number is left out.
    pub fn of(points: &[(i64, f64)], step_s: u32) -> Self {
        let step_s = step_s.max(1);
        let mut finest = Level::new(step_s);
        let mut push = |points: &[(i64, f64)]| {
            for (second, value) in points {
                let value = single(*value);
                if value.is_finite() && second.abs_diff(0) <= FARTHEST_SECOND.unsigned_abs() {
                    finest.push(second.div_euclid(i64::from(step_s)), value);
                }
            }
        };
        if points.is_sorted_by_key(|(second, _)| *second) {
            push(points);
        } else {
            let mut sorted = points.to_vec();
            sorted.sort_by_key(|(second, _)| *second);
            push(&sorted);
        }
        Self::with_levels(finest)
    }

    /// Several series of one step as one: for each step `join` makes one value of the values there are.
    pub(super) fn joined(all: &[Self], step_s: u32, join: impl Fn(f64, f64) -> f64) -> Self {
        let finest: Vec<&Level> = all.iter().filter_map(|s| s.levels.first()).collect();
        Self::with_levels(Level::joined(&finest, step_s.max(1), join))
    }

    fn with_levels(finest: Level) -> Self {
        if finest.is_empty() {
            return Self::default();
        }
        let mut levels = vec![finest];
        for width in LEVELS_S.into_iter().chain([DAY_S]) {
            let Some(last) = levels.last() else { break };
            // Widths that no level fits become the next multiple below: a step of 7 s gets a level of nearly a day.
            let width = if width == DAY_S { width - width % last.step_s() } else { width };
            if width <= last.step_s() || !width.is_multiple_of(last.step_s()) {
                continue;
            }
            let coarser = last.coarser(width);
            if coarser.bytes().saturating_mul(WORTH) <= last.bytes() {
                levels.push(coarser);
            }
        }
        for level in &mut levels {
            level.shrink();
        }
        Self { levels }
    }

    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// Memory it takes.
    pub fn bytes(&self) -> usize {
        let levels: usize = self.levels.iter().map(Level::bytes).sum();
        size_of::<Self>() + self.levels.capacity() * size_of::<Level>() + levels
    }

    /// Start of the first step and end of the last one.
    pub fn span(&self) -> Option<(i64, i64)> {
        self.levels.first()?.span()
    }

    /// Values of the finest steps with their seconds, gaps left out, for steps that begin within `[from, to)`.
    pub fn points(&self, from: i64, to: i64) -> impl Iterator<Item = (i64, f32)> + '_ {
        self.levels.first().into_iter().flat_map(move |level| {
            let begins = |second: i64| -> i64 {
                let step = i64::from(level.step_s());
                let after = i64::from(second.rem_euclid(step) != 0);
                second.div_euclid(step).saturating_add(after)
            };
            level.values(begins(from), begins(to))
        })
    }

    /// What the steps that touch `[from, to)` hold; None where none has a value.
    pub fn read(&self, from: i64, to: i64) -> Option<Stretch> {
        let level = self.levels.first()?;
        let (first, end) = level.touched(from, to)?;
        let (mut best, mut sum, mut steps) = (None, 0.0, 0_u64);
        for (second, value) in level.values(first, end) {
            if best.is_none_or(|(_, held)| value > held) {
                best = Some((second, value));
            }
            sum += f64::from(value);
            steps += 1;
        }
        let (highest_at, highest) = best?;
        let mean = sum / real(steps);
        Some(Stretch {
            highest: f64::from(highest),
            highest_at,
            mean,
            steps,
            gaps: end.abs_diff(first).saturating_sub(steps),
        })
    }

    /// How high the steps that touch `[from, to)` stand; None where none has a value.
    pub fn extremes(&self, from: i64, to: i64) -> Option<TrackStatistics> {
        let level = self.levels.first()?;
        let (first, end) = level.touched(from, to)?;
        // Numbers in the order of the values: they are compared faster.
        let mut values: Vec<i32> = Vec::new();
        let (mut highest, mut highest_at, mut steps_at_full) = (f32::NEG_INFINITY, 0, 0_u64);
        for (second, value) in level.values(first, end) {
            if value > highest {
                (highest, highest_at) = (value, second);
            }
            steps_at_full += u64::from(value >= 1.0);
            values.push(ordered(value));
        }
        let at = values.len().checked_sub(1 + values.len() / 100)?;
        let (_, p99, _) = values.select_nth_unstable(at);
        Some(TrackStatistics {
            highest: f64::from(highest),
            highest_at,
            p99: f64::from(unordered(*p99)),
            saturated_s: Some(steps_at_full.saturating_mul(u64::from(level.step_s()))),
            steps: values.len() as u64,
        })
    }

    /// Writes into each cell of `width_s` seconds, the first beginning at `from`, the highest value of the steps that
    /// touch it; NaN where there is none. Cells finer than a step show the step they lie in.
    pub fn fill(&self, from: i64, width_s: u32, cells: &mut [f32]) {
        cells.fill(NOTHING);
        self.raise(from, width_s, cells);
        name_gaps(cells);
    }

    /// As `fill`, on top of what the cells hold; those without a value are `NOTHING`.
    pub(super) fn raise(&self, from: i64, width_s: u32, cells: &mut [f32]) {
        let fits = |level: &&Level| {
            width_s.is_multiple_of(level.step_s()) && from % i64::from(level.step_s()) == 0
        };
        if width_s == 0 {
            return;
        }
        match self.levels.iter().rev().find(fits) {
            Some(level) => level.raise(from, width_s, cells),
            None => {
                if let Some(finest) = self.levels.first() {
                    finest.raise_across(from, width_s, cells);
                }
            }
        }
    }

    /// The highest value of all.
    pub fn highest(&self) -> Option<f64> {
        let coarsest = self.levels.last()?;
        let highest = highest(coarsest.all());
        highest.is_finite().then(|| f64::from(highest))
    }
}

#[cfg(test)]
mod tests;
