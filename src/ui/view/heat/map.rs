//! The cells of the map and what stands beside them, made for the rows that are seen.

use std::ops::Range;

use super::axis::{self, Tick};
use super::layout::{self, HeatAreas, MapColumns};
use super::scope::HeatScope;
use super::shade::{CellStyle, Density, means};
use super::throttled::{self, ThrottledTotal};
use super::{Chart, HeatState, names};
use crate::analysis::ceiling::Mark;
use crate::analysis::heat::grid::{TrackStatistics, Window, grid, standing};
use crate::analysis::heat::{Track, Unit};
use crate::model::units::{PHYSICAL_CEILING_KIB, figure_text};
use crate::report::gib;
use crate::ui::kit::cx::Cx;
use crate::work::data::Dataset;
use crate::work::shared::Shared;

/// One value of the map.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dot {
    /// NaN where nothing is told.
    pub value: f32,
    /// Whether requests were refused in it.
    pub is_refused: bool,
}

/// Values along time of one partition, or the highest of several.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Lane {
    /// The value that is all there is.
    pub full: Option<f64>,
    pub dots: Vec<Dot>,
}

/// A row of the map; in a dense one each has two lanes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HeatMapRow {
    pub label: String,
    /// What was answered with 403; empty where nothing was.
    pub forbidden: String,
    pub lanes: Vec<Lane>,
    /// Requests refused a second, cell by cell.
    pub throttled: Vec<f32>,
    /// Those of them that are totals of several cells.
    pub throttled_totals: Vec<ThrottledTotal>,
    /// The highest of them, as a bound.
    pub throttled_words: String,
    pub p99: String,
    pub p99_mark: Option<Mark>,
    /// How high that stands, of what the partition can give.
    pub level: Option<f64>,
    pub saturated: String,
    pub storage: Option<f64>,
    pub size: String,
}

/// What rows were made of; others are made only if this changes.
#[derive(Clone, PartialEq, Debug)]
pub struct MapInputs {
    data: Shared<Dataset>,
    container: u32,
    track: Option<usize>,
    throttled: Vec<usize>,
    pub rows: Vec<u32>,
    pub window: Window,
    pub merged: usize,
    pub group: usize,
}

#[derive(Debug, Default)]
pub struct Map {
    made_of: Option<MapInputs>,
    /// Partitions in a row.
    pub group: usize,
    pub columns: MapColumns,
    pub window: Option<Window>,
    pub ticks: Vec<Tick>,
    /// Parts of a cell of the screen along time.
    pub units: usize,
    /// So many of those parts are used, evenly divided among the cells.
    pub parts: usize,
    pub rows: Vec<HeatMapRow>,
    /// All partitions together, for each column of the screen.
    pub totals: Vec<Option<f64>>,
    /// The most requests that a cell of these rows refuses a second.
    pub most_throttled: f32,
    /// The chosen cell of the window.
    pub cursor: Option<usize>,
    /// How often rows were made, for tests of the cache.
    #[cfg(test)]
    pub builds: usize,
}

impl Map {
    /// The cells of the window that lie under a column of the map.
    pub fn under(&self, column: usize) -> Range<usize> {
        let units = self.units.max(1);
        let cells = self.window.map_or(0, |window| window.columns);
        let of = |part: usize| part.saturating_mul(cells) / self.parts.max(1);
        let first = column.saturating_mul(units);
        let last = (first + units - 1).min(self.parts.saturating_sub(1));
        of(first).min(cells)..(of(last) + 1).min(cells)
    }

    /// The column in which a cell begins.
    pub fn column(&self, cell: usize) -> usize {
        let cells = self.window.map_or(1, |window| window.columns.max(1));
        cell.saturating_mul(self.parts).div_ceil(cells) / self.units.max(1)
    }

    /// Columns of the screen that have cells.
    pub fn width(&self) -> usize {
        self.parts.div_ceil(self.units.max(1))
    }

    /// Of merged partitions the one that is highest in the chosen cell.
    pub fn hottest_of_chosen(&self, state: &HeatState) -> Option<u32> {
        let scope = state.scope.as_ref()?;
        let (from, to) = self.window?.cell(self.cursor?);
        let of_row = of_row(scope, state.cursor.chosen, self.group);
        let readings = of_row.iter().filter_map(|partition| {
            let reading = scope.series(*partition)?.read(from, to)?;
            Some((*partition, reading.highest))
        });
        readings.reduce(|a, b| if b.1 > a.1 { b } else { a }).map(|(partition, _)| partition)
    }
}

/// The partitions of a row.
pub fn of_row(scope: &HeatScope, row: usize, group: usize) -> &[u32] {
    let group = group.max(1);
    let first = row.saturating_mul(group).min(scope.rows.len());
    let end = first.saturating_add(group).min(scope.rows.len());
    scope.rows.get(first..end).unwrap_or_default()
}

/// Rows of the list, each of one partition or of several.
pub fn rows(state: &HeatState) -> usize {
    let partitions = state.scope.as_ref().map_or(0, |scope| scope.rows.len());
    partitions.div_ceil(state.map.group.max(1))
}

/// How many partitions share a row, and how many of them a lane.
fn merged(state: &HeatState, height: usize, means: CellStyle) -> (usize, usize) {
    let partitions = state.scope.as_ref().map_or(0, |scope| scope.rows.len());
    let is_alone = state.chart != Chart::Time || state.look.density == Density::Rows;
    if is_alone || partitions <= height.max(1) {
        return (1, 1);
    }
    match means {
        CellStyle::Halves => {
            let merged = partitions.div_ceil(height.max(1) * 2);
            (merged * 2, merged)
        }
        CellStyle::Grounds | CellStyle::Signs => {
            let merged = partitions.div_ceil(height.max(1));
            (merged, merged)
        }
    }
}

/// Whether the map shows what it showed before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MapChange {
    AsBefore,
    Anew,
}

/// Makes the rows that are seen if they are not made yet.
pub fn settle(state: &mut HeatState, cx: &Cx, areas: &HeatAreas) -> MapChange {
    let means = means(&cx.theme);
    let height = areas.map_rows();
    let (group, merged) = merged(state, height, means);
    regroup(state, group);
    let count = rows(state);
    state.cursor.settle(count, height);
    let Some(scope) = state.scope.clone() else {
        state.map = Map::default();
        return MapChange::Anew;
    };
    let before = state.map.window;
    let has_key_loads = scope.has_key_loads && state.chart == Chart::Time;
    let width = areas.map.width.saturating_sub(1);
    let steps = window(&scope, None, width.into()).map_or(usize::MAX, |window| window.columns);
    let (labels, names) = (scope.label_columns, state.index.name_columns);
    let columns = layout::columns(width, labels, names, has_key_loads.then_some(steps));
    let is_halved = means == CellStyle::Halves && merged == group;
    let units = if is_halved { 2 } else { 1 };
    let half_cells = usize::from(columns.cells) * units;
    let found = window(&scope, state.time.span, half_cells);
    state.map.parts = half_cells;
    state.map.columns = columns;
    state.map.units = units;
    let Some(window) = found.filter(|_| !areas.map.is_empty()) else {
        state.map.window = found;
        set_cursor(state, &scope);
        labels_only(state, &scope, height);
        return MapChange::of(before, state.map.window);
    };
    state.map.window = Some(window);
    state.map.ticks = axis::ticks(&state.map, window);
    let seen = state.cursor.window(count, height);
    let first = (seen.start * group).min(scope.rows.len());
    let end = (seen.end * group).min(scope.rows.len());
    let made_of = MapInputs {
        data: scope.data.clone(),
        container: scope.container,
        track: scope.track,
        throttled: scope.throttled.clone(),
        rows: scope.rows.get(first..end).unwrap_or_default().to_vec(),
        window,
        merged,
        group,
    };
    if state.map.made_of.as_ref() != Some(&made_of) {
        state.map.rows = map_rows(&scope, &made_of);
        let rates = state.map.rows.iter().flat_map(|row| &row.throttled);
        state.map.most_throttled = rates.copied().fold(0.0, f32::max);
        state.map.made_of = Some(made_of);
        #[cfg(test)]
        {
            state.map.builds += 1;
        }
    }
    totals(state, &scope, window);
    set_cursor(state, &scope);
    MapChange::of(before, state.map.window)
}

impl MapChange {
    fn of(before: Option<Window>, now: Option<Window>) -> Self {
        if before == now { Self::AsBefore } else { Self::Anew }
    }
}

/// Another number of partitions in a row: the cursor stays on its partition.
fn regroup(state: &mut HeatState, group: usize) {
    let before = state.map.group.max(1);
    if before != group {
        state.cursor.chosen = state.cursor.chosen.saturating_mul(before) / group;
        state.map.group = group;
    }
}

/// Without load over time the rows still have their names and sizes.
fn labels_only(state: &mut HeatState, scope: &HeatScope, height: usize) {
    let seen = state.cursor.window(rows(state), height);
    let group = state.map.group;
    state.map.made_of = None;
    state.map.totals.clear();
    state.map.rows = seen.map(|row| beside(scope, of_row(scope, row, group), None)).collect();
}

/// The finest window in which the span has room.
fn window(scope: &HeatScope, span: Option<(i64, i64)>, half_cells: usize) -> Option<Window> {
    let all = scope.span?;
    let step_s = scope.track()?.step_s.max(1);
    if half_cells == 0 {
        return None;
    }
    let inside = span.map(|(from, to)| (from.max(all.0), to.min(all.1)));
    let (from, to) = inside.filter(|(from, to)| from < to).unwrap_or(all);
    let mut window = Window::around(from, to, half_cells, step_s);
    let width = i64::from(window.width_s.max(1));
    let length = to.saturating_sub(window.from).max(1);
    let used = usize::try_from(length.saturating_add(width - 1) / width).unwrap_or(half_cells);
    window.columns = used.clamp(1, half_cells);
    Some(window)
}

fn map_rows(scope: &HeatScope, of: &MapInputs) -> Vec<HeatMapRow> {
    let Some(track) = scope.track() else {
        return Vec::new();
    };
    let cells = grid(track, &of.rows, of.merged, of.window);
    let throttled = throttled::of_lanes(scope, of);
    let lanes_each = (of.group / of.merged.max(1)).max(1);
    let rows = of.rows.chunks(of.group.max(1)).enumerate();
    let rows = rows.map(|(at, partitions)| {
        let mut row = beside(scope, partitions, Some((track, of.window)));
        let lanes = partitions.chunks(of.merged.max(1)).enumerate();
        row.lanes = lanes
            .map(|(lane, partitions)| {
                let place = at * lanes_each + lane;
                let values = cells.row(place).iter().copied();
                let marks = throttled.get(place);
                let mark = |cell: usize| marks.and_then(|m| m.get(cell).copied().flatten());
                let dot = |(cell, value)| Dot { value, is_refused: mark(cell).is_some() };
                Lane { full: full(scope, partitions), dots: values.enumerate().map(dot).collect() }
            })
            .collect();
        if of.group > 1 {
            highest_of_lanes(scope, &mut row);
        }
        let marks = throttled.iter().skip(at * lanes_each).take(row.lanes.len());
        throttled::fill(&mut row, marks, |cells| {
            let [(from, _), (_, to)] =
                [cells.start, cells.end.saturating_sub(1)].map(|cell| of.window.cell(cell));
            throttled::counts(scope, partitions, from, to)
        });
        row
    });
    rows.collect()
}

/// The smallest ceiling among merged partitions: none of them is to look cooler than it is.
fn full(scope: &HeatScope, partitions: &[u32]) -> Option<f64> {
    let all = partitions.iter().filter_map(|p| scope.full(*p));
    all.reduce(f64::min)
}

/// The name of a row and what stands right of its cells.
pub fn beside(scope: &HeatScope, partitions: &[u32], over: Option<(&Track, Window)>) -> HeatMapRow {
    let mut row = HeatMapRow::default();
    let (Some(first), Some(last)) = (partitions.first(), partitions.last()) else {
        return row;
    };
    let label = |index: &u32| scope.partition(*index).map(|p| names::label(&p.named));
    row.label = label(first).unwrap_or_default();
    if partitions.len() > 1 {
        // Only a start: which ones are merged is told by the line below the map.
        row.label.push('+');
    }
    let forbidden = (scope.heat()).and_then(|heat| throttled::forbidden(heat, partitions));
    row.forbidden = forbidden.map_or_else(String::new, |[rate, _]| rate);
    let kib = partitions.iter().map(|p| scope.partition(*p)?.kib);
    let kib = kib.fold(None, |most: Option<f64>, kib| match (most, kib) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    });
    row.storage = kib.map(|kib| kib / PHYSICAL_CEILING_KIB);
    row.size = kib.map(gib).unwrap_or_default();
    if first == last
        && let Some((track, window)) = over
        && let Some(found) = standing_in(track, *first, window)
    {
        standing_texts(scope, *first, &found, &mut row);
    }
    row
}

/// Over all of its time it is known; values of a part of it have to be looked through.
fn standing_in(track: &Track, partition: u32, window: Window) -> Option<TrackStatistics> {
    let is_in = |(first, end)| window.from <= first && end <= window.to();
    if track.span().is_some_and(is_in) {
        return track.standing(partition);
    }
    standing(track, partition, window.from, window.to())
}

fn standing_texts(
    scope: &HeatScope,
    partition: u32,
    found: &TrackStatistics,
    row: &mut HeatMapRow,
) {
    let unit = scope.unit().unwrap_or(Unit::Share);
    row.p99 = short_value(found.p99, unit);
    row.level = scope.full(partition).map(|full| found.p99 / full);
    row.p99_mark = row.level.map(Mark::of);
    row.saturated = match found.saturated_s {
        Some(0) => "0".to_owned(),
        Some(seconds) => names::length(seconds),
        None => String::new(),
    };
}

fn highest_of_lanes(scope: &HeatScope, row: &mut HeatMapRow) {
    let unit = scope.unit().unwrap_or(Unit::Share);
    let dots = row.lanes.iter().flat_map(|lane| &lane.dots);
    let values = dots.map(|dot| f64::from(dot.value)).filter(|v| !v.is_nan());
    let Some(highest) = values.reduce(f64::max) else {
        return;
    };
    row.p99 = short_value(highest, unit);
    let full = row.lanes.iter().filter_map(|lane| lane.full);
    row.level = full.reduce(f64::min).map(|full| highest / full);
    row.p99_mark = row.level.map(Mark::of);
}

/// For a column whose heading tells the unit.
pub fn short_value(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Share => names::value(value, unit),
        Unit::RuPerSecond | Unit::PerSecond => figure_text(value),
        Unit::Kib => gib(value),
    }
}

fn totals(state: &mut HeatState, scope: &HeatScope, window: Window) {
    let mut cells = vec![f32::NAN; window.columns];
    if let Some(track) = scope.track() {
        track.together.fill(window.from, window.width_s, &mut cells);
    }
    let map = &state.map;
    let column = |column| {
        let under = cells.get(map.under(column)).unwrap_or_default();
        let known = under.iter().filter(|value| !value.is_nan());
        known.map(|value| f64::from(*value)).reduce(f64::max)
    };
    state.map.totals = (0..map.width()).map(column).collect();
}

/// The cell with the chosen second; where none is chosen, the highest of the chosen partition.
fn set_cursor(state: &mut HeatState, scope: &HeatScope) {
    let Some(window) = state.map.window else {
        state.map.cursor = None;
        return;
    };
    let first = state.cursor.chosen.saturating_mul(state.map.group.max(1));
    let highest = || {
        let series = scope.series(*scope.rows.get(first)?)?;
        Some(series.read(window.from, window.to())?.highest_at)
    };
    let at = state.time.at.or_else(highest).unwrap_or(window.from);
    let passed = at.saturating_sub(window.from) / i64::from(window.width_s.max(1));
    let last = window.columns.saturating_sub(1);
    state.map.cursor = Some(usize::try_from(passed.max(0)).unwrap_or(last).min(last));
}
