//! Where the parts of the heat view lie.

use ratatui::layout::{Constraint, Layout, Rect};

use super::scope::HeatScope;
use super::shade::Density;
use super::{Chart, HeatState};
use crate::ui::kit::panel::Zoom;
use crate::ui::kit::text;

/// Narrower or lower windows show the map or the keys, not both.
const BOTH_COLUMNS: u16 = 60;
const BOTH_ROWS: u16 = 15;
/// Rows that the keys keep beside a map of many partitions, their heading included.
const LEAST_KEYS: u16 = 4;
/// The map of a container of few partitions leaves its rows to the keys.
const LEAST_MAP: u16 = 3;
/// More lines a row say nothing more.
const MOST_LINES: u16 = 6;
/// A key's RU over time are easier to compare where they are higher.
pub const MOST_KEY_LINES: u16 = 10;
/// From here on the verdict has its table of remedies.
const TALL: u16 = 34;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HeatPane {
    #[default]
    Map,
    Keys,
}

/// The rooms of the view; one that is not seen is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HeatAreas {
    pub head: Rect,
    pub verdict: Rect,
    /// Times above the map, or the headings of another chart.
    pub axis: Rect,
    pub map: Rect,
    /// Of which partitions no row is seen.
    pub foot: Rect,
    pub totals: Rect,
    pub readout: Rect,
    pub legend: Rect,
    pub keys: Rect,
    /// Lines of each row of the map.
    pub lines: u16,
}

impl HeatAreas {
    /// Rows of the map that are seen, of one or more lines each.
    pub fn map_rows(&self) -> usize {
        usize::from(self.map.height / self.lines.max(1))
    }

    /// The lines of such a row, counted from the first one that is seen.
    pub fn lines_of(&self, at: usize) -> Rect {
        let lines = self.lines.max(1);
        let start = u16::try_from(at).unwrap_or(u16::MAX).saturating_mul(lines);
        text::rows(self.map, start, lines)
    }
}

/// How many lines each of some rows has in a room: they fill it as far as that makes them easier to see.
pub fn lines_each(rows: usize, room: u16, most: u16) -> u16 {
    let rows = u16::try_from(rows.max(1)).unwrap_or(u16::MAX);
    (room / rows).clamp(1, most)
}

/// Rows of each part, from the top; the map and the keys share what is left.
#[derive(Clone, Copy, Debug)]
struct Rows {
    head: u16,
    verdict: u16,
    axis: u16,
    totals: u16,
    readout: u16,
    legend: u16,
}

impl Rows {
    fn of(height: u16, state: &HeatState) -> Self {
        let made = &state.head.verdict;
        let verdict = match height {
            ..BOTH_ROWS => made.short().clamp(1, 3),
            BOTH_ROWS..TALL => made.short().max(2),
            _ => made.rows_of(height / 3).max(2),
        };
        // One row is left to the map and one to what is under the cursor, whatever else goes.
        let verdict = verdict.min(height.saturating_sub(3).max(1));
        let chart = state.chart;
        let beside = height.saturating_sub(verdict);
        let when = |least: u16| u16::from(beside >= least);
        Self {
            head: 1,
            verdict,
            axis: when(4),
            totals: if chart == Chart::Time { when(9) } else { 0 },
            readout: when(3),
            legend: when(6),
        }
    }

    fn sum(self) -> u16 {
        self.head + self.verdict + self.axis + self.totals + self.readout + self.legend
    }
}

/// Lines of the map and of the keys, and those of each row of the map.
fn shared(state: &HeatState, is_one: bool, count: usize, rest: u16) -> (u16, u16, u16) {
    let lines = |room: u16| match state.chart {
        Chart::Ranges => 1,
        Chart::Time if !has_track(state) => 1,
        Chart::Time | Chart::Storage => lines_each(count, room, MOST_LINES),
    };
    match (is_one, state.pane) {
        (true, HeatPane::Map) => (rest, 0, lines(rest)),
        (true, HeatPane::Keys) => (0, rest, 1),
        (false, _) => {
            let wanted = u16::try_from(count).unwrap_or(u16::MAX);
            // Keys have two lines each only where all partitions are seen, and fewer beside still more partitions.
            let mosts = [(2, rest * 2 / 5), (1, rest * 2 / 5), (1, rest / 5)];
            let mosts = mosts.map(|(lines, part)| {
                let keys = u16::try_from(1 + lines * state.index.most_keys).unwrap_or(u16::MAX);
                let keys = keys.clamp(LEAST_KEYS, LEAST_KEYS.max(part));
                rest.saturating_sub(keys).max(LEAST_MAP).min(rest)
            });
            let most = mosts.into_iter().find(|most| wanted <= *most);
            let most = most.unwrap_or(mosts[2]);
            let lines = lines(most);
            let map = wanted.saturating_mul(lines);
            let map = map.clamp(LEAST_MAP.min(most), most);
            (map, rest - map, lines)
        }
    }
}

/// A sentence stands in place of a map without a measure.
fn has_track(state: &HeatState) -> bool {
    let scope = state.scope.as_ref();
    scope.is_none_or(|scope| scope.track.is_some())
}

/// Whether a line below a map of so many lines tells what it does not show.
fn has_foot(state: &HeatState, count: usize, (map, keys, _): (u16, u16, u16)) -> bool {
    let is_time = state.chart == Chart::Time;
    let is_merged = is_time && state.look.density == Density::Merged;
    let is_apart = |scope: &HeatScope| scope.uncounted > 0 || !scope.silent.is_empty();
    (map > LEAST_MAP || map == LEAST_MAP && keys > LEAST_KEYS)
        && state.chart != Chart::Ranges
        && (!is_time || has_track(state))
        && (!is_merged && count > map.into() || state.scope.as_ref().is_some_and(is_apart))
}

pub fn areas(body: Rect, state: &HeatState, partitions: usize) -> HeatAreas {
    let rows = Rows::of(body.height, state);
    let rest = body.height.saturating_sub(rows.sum());
    let is_one = state.zoom == Zoom::On || body.width < BOTH_COLUMNS || body.height < BOTH_ROWS;
    let count = match state.chart {
        Chart::Ranges => usize::from(state.strips.rows()),
        Chart::Time | Chart::Storage => partitions,
    };
    let foot = has_foot(state, count, shared(state, is_one, count, rest));
    let foot = u16::from(foot);
    let (map, keys, lines) = shared(state, is_one, count, rest - foot);
    let is_map = !(is_one && state.pane == HeatPane::Keys);
    let seen = |height: u16| if is_map { height } else { 0 };
    let heights = [
        rows.head,
        rows.verdict,
        seen(rows.axis),
        map,
        foot,
        seen(rows.totals),
        rows.readout,
        rows.legend,
        if is_map { keys } else { keys + rows.axis + rows.totals },
    ];
    let rooms = Layout::vertical(heights.map(Constraint::Length)).areas(body);
    let [head, verdict, axis, map, foot, totals, readout, legend, keys] = rooms;
    HeatAreas { head, verdict, axis, map, foot, totals, readout, legend, keys, lines }
}

/// The columns of a row of the map. Where logs tell the RU of keys over time, the lines of the keys stand below the
/// cells: names are left of both, and numbers right of both.
///
/// ```text
/// ▶ 3            ████████████████████   100 %  15 min ▇▇▇▇▁▁  38.1
///   429s, 5 min        [! 58/s !]             █ contoso 15.1
///   contoso      ▁▁▁▁▁▃▇▇▇▇▇▇▇▇▇▇▇▇▇  12,739    89 %      76 % 2026-09-19
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MapColumns {
    pub label: u16,
    /// Where cells begin, and how many there are room for.
    pub cells_at: u16,
    pub cells: u16,
    pub p99: u16,
    pub saturated: u16,
    pub bar: u16,
    pub size: u16,
    /// Whether keys have lines below the cells.
    pub has_key_lines: bool,
}

/// The marker of the chosen row and a blank.
pub const MARKER: u16 = 2;
/// Narrower maps have no room for the names and numbers of keys beside them.
const ALIGNED: u16 = 76;

/// In all but a wide window a partition's name takes no more from a map whose steps need the columns.
const MOST_LABEL: u16 = 14;
/// A map of few steps has no fewer columns, however long the names of keys are.
const LEAST_CELLS: u16 = 20;

/// `key_steps`: the steps of the map where keys have RU over time.
pub fn columns(width: u16, label: usize, names: usize, key_steps: Option<usize>) -> MapColumns {
    let [label, names] = [label, names].map(|columns| u16::try_from(columns).unwrap_or(u16::MAX));
    let names = names.max(label);
    let most = if width < 159 { MOST_LABEL } else { width };
    let label = label.clamp(2, most.min(width / 4 + 2));
    let when = |least: u16, columns: u16| if width >= least { columns } else { 0 };
    let key_steps = key_steps.filter(|_| width >= ALIGNED);
    let [label, p99, saturated, bar, size] = if let Some(steps) = key_steps {
        // As much as the numbers of the keys take.
        let right = (width * 2 / 5).clamp(35, 72);
        let (p99, saturated, size) = (8, if right > 44 { 9 } else { 0 }, 7);
        let least = 11 + when(99, 7) + when(159, 8);
        // Longer names would take the room of the map: the line below it has them whole.
        let names = names.min(if width >= 159 { width / 4 } else { width * 3 / 10 });
        // In a narrower window they would take the map its finest cells.
        let label = label.max(when(159, names)).max(least);
        // A few steps are seen as well in fewer columns.
        let needed = u16::try_from(steps).unwrap_or(u16::MAX).max(LEAST_CELLS);
        let idle = width.saturating_sub(MARKER + label + 1 + right + needed);
        [
            label + names.saturating_sub(label).min(idle),
            p99,
            saturated,
            right - p99 - saturated - size,
            size,
        ]
    } else {
        let bar = when(76, 9) + when(140, 6) + when(180, 20);
        [label, when(50, 8), when(100, 9), bar, when(60, 6)]
    };
    let cells_at = MARKER + label + 1;
    MapColumns {
        label,
        cells_at,
        cells: width.saturating_sub(cells_at + p99 + saturated + bar + size),
        p99,
        saturated,
        bar,
        size,
        has_key_lines: key_steps.is_some(),
    }
}

impl MapColumns {
    pub fn cells(&self, row: Rect) -> Rect {
        text::column(row, self.cells_at, self.cells)
    }

    /// The rooms right of the cells, in their order.
    pub fn beside(&self, row: Rect) -> [Rect; 4] {
        let mut at = self.cells_at + self.cells;
        [self.p99, self.saturated, self.bar, self.size].map(|columns| {
            let room = text::column(row, at, columns);
            at += columns;
            room
        })
    }

    /// The room of the names of a partition's keys: from below its bar to the right end.
    pub fn names(&self, row: Rect) -> Rect {
        let at = self.cells_at + self.cells;
        let before = if self.has_key_lines { self.p99 + self.saturated } else { 0 };
        text::column(row, at + before + 1, row.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_room_is_used_twice_and_none_lies_outside() {
        for width in [0, 1, 39, 40, 59, 60, 80, 120, 200, 1000] {
            for height in [0, 1, 3, 4, 5, 7, 11, 14, 15, 16, 21, 33, 34, 57, 497] {
                for partitions in [0, 1, 4, 12, 10_000] {
                    for pane in [HeatPane::Map, HeatPane::Keys] {
                        for chart in [Chart::Time, Chart::Storage, Chart::Ranges] {
                            let body = Rect::new(0, 1, width, height);
                            let state = HeatState { chart, pane, ..HeatState::default() };
                            let a = areas(body, &state, partitions);
                            let rooms = [
                                a.head, a.verdict, a.axis, a.map, a.foot, a.totals, a.readout,
                                a.legend, a.keys,
                            ];
                            let mut y = body.y;
                            for room in rooms.iter().filter(|r| r.height > 0) {
                                assert_eq!(room.y, y, "{body:?} {a:?}");
                                y = room.bottom();
                            }
                            assert!(y <= body.bottom(), "{body:?} {a:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_row_is_full_and_no_column_lies_over_another() {
        for width in [0, 1, 10, 40, 59, 60, 76, 80, 100, 140, 200, 1000] {
            let c = columns(width, 3, 50, (width % 20 == 0).then_some(5));
            let sum = c.cells_at + c.cells + c.p99 + c.saturated + c.bar + c.size;
            assert!(sum == width || c.cells == 0, "{width} {c:?}");
        }
    }

    #[test]
    fn long_names_have_a_part_of_a_wide_window_and_what_few_steps_leave() {
        let label = |width, names, steps| columns(width, 1, names, Some(steps)).label;
        let found = [(79, 47), (99, 47), (199, 7), (199, 47), (199, 60)];
        let found = found.map(|(width, names)| label(width, names, 60));
        assert_eq!(found, [11, 18, 26, 47, 49]);
        let found = [(79, 29, 5), (99, 29, 5), (99, 29, 35), (79, 29, 60)];
        let found = found.map(|(width, names, steps)| label(width, names, steps));
        assert_eq!(found, [21, 29, 22, 11]);
        // GUIDs and what was answered with 403 beside them.
        let label = |width, steps| columns(width, 25, 7, steps).label;
        let found = [(79, Some(60)), (99, Some(60)), (79, Some(5)), (99, None)];
        let found = found.map(|(width, steps)| label(width, steps));
        assert_eq!(found, [14, 18, 21, 14]);
    }

    #[test]
    fn few_partitions_have_higher_rows_and_leave_room_for_keys() {
        let each = [1, 2, 4, 8, 30, 10_000].map(|rows| lines_each(rows, 20, MOST_LINES));
        assert_eq!(each, [6, 6, 5, 2, 1, 1]);
        assert_eq!((lines_each(0, 20, MOST_LINES), lines_each(4, 0, MOST_LINES)), (6, 1));
        let body = Rect::new(0, 1, 80, 21);
        let rows = |partitions| {
            let a = areas(body, &HeatState::default(), partitions);
            (a.map.height, a.foot.height, a.keys.height)
        };
        assert_eq!(rows(4), (8, 0, 6));
        // How many more there are takes a line.
        assert_eq!(rows(10_000), (9, 1, 4));
        let low = areas(Rect::new(0, 1, 80, 12), &HeatState::default(), 4);
        assert_eq!((low.keys.height, low.map.height > 0), (0, true));
    }
}
