//! One width of a series: runs of values, NaN where a step between others has none.

use crate::model::units::single;

/// Steps without a value that a run may hold in a row: seven empty values cost more than the run that leaves them out.
const LONGEST_GAP: i64 = 6;

/// The highest value of each step of one width.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Level {
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

impl Run {
    fn end_step(&self) -> i64 {
        self.first_step.saturating_add(signed(self.len))
    }
}

impl Level {
    pub fn new(step_s: u32) -> Self {
        Self { step_s, runs: Vec::new(), values: Vec::new() }
    }

    pub fn step_s(&self) -> u32 {
        self.step_s
    }

    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    pub fn bytes(&self) -> usize {
        self.runs.len() * size_of::<Run>() + self.values.len() * size_of::<f32>()
    }

    pub fn shrink(&mut self) {
        self.runs.shrink_to_fit();
        self.values.shrink_to_fit();
    }

    pub fn all(&self) -> &[f32] {
        &self.values
    }

    /// Steps come in order; of two values of one step the higher counts.
    pub fn push(&mut self, step: i64, value: f32) {
        if let Some(run) = self.runs.last_mut() {
            let next = run.end_step();
            if step < next {
                if let Some(held) = self.values.last_mut() {
                    *held = held.max(value);
                }
                return;
            }
            let gap = step - next;
            if gap <= LONGEST_GAP {
                let gap = unsigned(gap);
                let len = self.values.len() + gap;
                self.values.resize(len, f32::NAN);
                self.values.push(value);
                run.len += gap + 1;
                return;
            }
        }
        self.runs.push(Run { first_step: step, from: self.values.len(), len: 1 });
        self.values.push(value);
    }

    /// The maxima at a width that is a multiple of this one.
    pub fn coarser(&self, step_s: u32) -> Self {
        let mut out = Self::new(step_s);
        let ratio = i64::from(step_s / self.step_s);
        for run in &self.runs {
            let mut values = self.of(run, run.first_step, run.end_step());
            let mut step = run.first_step.div_euclid(ratio);
            let mut room = ratio - run.first_step.rem_euclid(ratio);
            while !values.is_empty() {
                let (cell, rest) = values.split_at(unsigned(room).min(values.len()));
                let value = highest(cell);
                if value > f32::NEG_INFINITY {
                    out.push(step, value);
                }
                (values, step, room) = (rest, step + 1, ratio);
            }
        }
        out
    }

    /// Several levels of one width as one.
    pub fn joined(levels: &[&Self], step_s: u32, join: impl Fn(f64, f64) -> f64) -> Self {
        let mut runs: Vec<(i64, i64)> = levels
            .iter()
            .flat_map(|level| level.runs.iter().map(|r| (r.first_step, r.end_step())))
            .collect();
        runs.sort_unstable();
        // Stretches that together hold all runs, each with the place of its first step.
        let mut whole: Vec<Run> = Vec::new();
        let mut len = 0_usize;
        for (first, end) in runs {
            match whole.last_mut() {
                Some(held) if first <= held.end_step() => {
                    let more = unsigned(end - held.end_step());
                    held.len += more;
                    len += more;
                }
                _ => {
                    let run = Run { first_step: first, from: len, len: unsigned(end - first) };
                    len += run.len;
                    whole.push(run);
                }
            }
        }
        let mut joined = vec![f64::NAN; len];
        for (level, run) in
            levels.iter().flat_map(|level| level.runs.iter().map(move |run| (level, run)))
        {
            let at = whole.partition_point(|w| w.first_step <= run.first_step);
            let Some(place) = at.checked_sub(1).and_then(|at| whole.get(at)) else {
                continue;
            };
            let from = place.from + unsigned(run.first_step - place.first_step);
            let into = joined.get_mut(from..from + run.len).unwrap_or_default();
            let values = level.of(run, run.first_step, run.end_step());
            for (held, value) in into.iter_mut().zip(values).filter(|(_, v)| !v.is_nan()) {
                let value = f64::from(*value);
                *held = if held.is_nan() { value } else { join(*held, value) };
            }
        }
        let mut out = Self::new(step_s);
        for run in whole {
            let values = joined.get(run.from..run.from + run.len).unwrap_or_default();
            for (step, value) in (run.first_step..).zip(values) {
                let value = single(*value);
                if value.is_finite() {
                    out.push(step, value);
                }
            }
        }
        out
    }

    /// Start of the first step and end of the last one.
    pub fn span(&self) -> Option<(i64, i64)> {
        let (first, last) = (self.runs.first()?, self.runs.last()?);
        let second = |step: i64| step.saturating_mul(i64::from(self.step_s));
        Some((second(first.first_step), second(last.end_step())))
    }

    /// The steps that touch a stretch of seconds, the last one not included; None for an empty stretch.
    pub fn touched(&self, from: i64, to: i64) -> Option<(i64, i64)> {
        let step = i64::from(self.step_s);
        let last = to.checked_sub(1).filter(|last| *last >= from)?;
        Some((from.div_euclid(step), last.div_euclid(step) + 1))
    }

    /// Seconds and values of the steps `[first, end)` that have one.
    pub fn values(&self, first: i64, end: i64) -> impl Iterator<Item = (i64, f32)> + '_ {
        self.between(first, end).flat_map(move |run| {
            let from = run.first_step.max(first);
            (from..)
                .zip(self.of(run, from, end))
                .filter(|(_, value)| !value.is_nan())
                .map(|(step, value)| (step.saturating_mul(i64::from(self.step_s)), *value))
        })
    }

    /// Cells that are whole numbers of steps, and begin where a step does.
    pub fn raise(&self, from: i64, width_s: u32, cells: &mut [f32]) {
        let ratio = i64::from(width_s / self.step_s).max(1);
        let base = from.div_euclid(i64::from(self.step_s));
        let end = base.saturating_add(signed(cells.len()).saturating_mul(ratio));
        for run in self.between(base, end) {
            let first = run.first_step.max(base);
            let values = self.of(run, first, end);
            let offset = first - base;
            let into = cells.get_mut(unsigned(offset / ratio)..).unwrap_or_default();
            // The run may begin within a cell.
            let missing = unsigned((ratio - offset % ratio) % ratio);
            let (begun, values) = values.split_at(missing.min(values.len()));
            let into = match into.split_first_mut() {
                Some((cell, rest)) if missing > 0 => {
                    lift(cell, highest(begun));
                    rest
                }
                _ => into,
            };
            match ratio {
                1 => lift_all::<1>(into, values),
                2 => lift_all::<2>(into, values),
                3 => lift_all::<3>(into, values),
                5 => lift_all::<5>(into, values),
                6 => lift_all::<6>(into, values),
                _ => {
                    for (cell, inside) in into.iter_mut().zip(values.chunks(unsigned(ratio))) {
                        lift(cell, highest(inside));
                    }
                }
            }
        }
    }

    /// Cells that begin anywhere: a step counts in each cell that it touches.
    pub fn raise_across(&self, from: i64, width_s: u32, cells: &mut [f32]) {
        let (width, step_s) = (i64::from(width_s), i64::from(self.step_s));
        let to = from.saturating_add(signed(cells.len()).saturating_mul(width));
        let Some((first, end)) = self.touched(from, to) else {
            return;
        };
        for (second, value) in self.values(first, end) {
            let begins = second.max(from).saturating_sub(from);
            let ends = second.saturating_add(step_s).min(to).saturating_sub(from);
            let touched = unsigned(begins / width)..unsigned((ends - 1) / width + 1);
            for cell in cells.get_mut(touched).unwrap_or_default() {
                lift(cell, value);
            }
        }
    }

    /// The runs that hold any of the steps.
    fn between(&self, first: i64, end: i64) -> impl Iterator<Item = &Run> {
        let at = self.runs.partition_point(|run| run.end_step() <= first);
        let runs = self.runs.get(at..).unwrap_or_default();
        runs.iter().take_while(move |run| run.first_step < end)
    }

    /// The values of a run between two steps.
    fn of(&self, run: &Run, first: i64, end: i64) -> &[f32] {
        let first = first.max(run.first_step);
        let end = end.min(run.end_step()).max(first);
        let from = run.from + unsigned(first - run.first_step);
        let to = from + unsigned(end - first);
        self.values.get(from..to).unwrap_or_default()
    }
}

/// Minus infinity where there is no value.
pub(super) fn highest(values: &[f32]) -> f32 {
    // Eight at a time side by side: a comparison waits for the one before it.
    let (eights, rest) = values.as_chunks::<8>();
    let mut held = [f32::NEG_INFINITY; 8];
    for eight in eights {
        for (held, value) in held.iter_mut().zip(eight) {
            *held = higher(*held, *value);
        }
    }
    let lanes = held.iter().copied().fold(f32::NEG_INFINITY, higher);
    rest.iter().copied().fold(lanes, higher)
}

/// NaN is never greater.
fn higher(held: f32, value: f32) -> f32 {
    if value > held { value } else { held }
}

fn lift(cell: &mut f32, value: f32) {
    *cell = higher(*cell, value);
}

/// Cells of so many values each; the number is known to the compiler for those that people zoom through most.
fn lift_all<const N: usize>(cells: &mut [f32], values: &[f32]) {
    let (whole, rest) = values.as_chunks::<N>();
    for (cell, inside) in cells.iter_mut().zip(whole) {
        *cell = inside.iter().copied().fold(*cell, higher);
    }
    if let Some(cell) = cells.get_mut(whole.len()) {
        *cell = rest.iter().copied().fold(*cell, higher);
    }
}

fn signed(len: usize) -> i64 {
    i64::try_from(len).unwrap_or(i64::MAX)
}

/// Zero for what is below zero.
fn unsigned(len: i64) -> usize {
    usize::try_from(len.max(0)).unwrap_or(usize::MAX)
}
