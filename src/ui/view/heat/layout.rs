//! Where the parts of the heat view lie.

use ratatui::layout::Rect;

use super::{Chart, HeatState};
use crate::ui::kit::panel::Zoom;
use crate::ui::kit::text;

/// Narrower or lower windows show the map or the keys, not both.
const BOTH_COLUMNS: u16 = 60;
const BOTH_ROWS: u16 = 15;
/// Rows that the keys keep beside a map of many partitions, their heading included.
const LEAST_KEYS: u16 = 5;
/// The map of a container of few partitions leaves its rows to the keys.
const LEAST_MAP: u16 = 3;
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
    pub totals: Rect,
    pub readout: Rect,
    pub legend: Rect,
    pub keys: Rect,
}

impl HeatAreas {
    /// Rows of keys below their heading.
    pub fn key_rows(&self) -> usize {
        usize::from(self.keys.height.saturating_sub(1))
    }
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
        let from = |least: u16| u16::from(height >= least);
        let made = &state.head.verdict;
        let verdict = match height {
            ..BOTH_ROWS => made.short().clamp(1, 3),
            BOTH_ROWS..TALL => made.short().max(2),
            _ => made.all().clamp(2, height / 3),
        };
        // One row is left to the map and one to what is under the cursor, whatever else goes.
        let verdict = verdict.min(height.saturating_sub(3).max(1));
        let chart = state.chart;
        let beside = height.saturating_sub(verdict);
        let when = |least: u16| u16::from(beside >= least);
        Self {
            head: 1 + from(16),
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

pub fn areas(body: Rect, state: &HeatState, partitions: usize) -> HeatAreas {
    let rows = Rows::of(body.height, state);
    let rest = body.height.saturating_sub(rows.sum());
    let is_one = state.zoom == Zoom::On || body.width < BOTH_COLUMNS || body.height < BOTH_ROWS;
    let (map, keys) = match (is_one, state.pane) {
        (true, HeatPane::Map) => (rest, 0),
        (true, HeatPane::Keys) => (0, rest + rows.axis + rows.totals),
        (false, _) => {
            let wanted = match state.chart {
                Chart::Ranges => state.strips.rows(),
                Chart::Time | Chart::Storage => u16::try_from(partitions).unwrap_or(u16::MAX),
            };
            let most = rest.saturating_sub(LEAST_KEYS.max(rest * 2 / 5)).max(1);
            let map = wanted.clamp(LEAST_MAP, LEAST_MAP.max(most)).min(rest);
            (map, rest - map)
        }
    };
    let is_map = !(is_one && state.pane == HeatPane::Keys);
    let mut top = 0;
    let mut take = |height: u16| {
        let room = Rect {
            y: body.y.saturating_add(top).min(body.bottom()),
            height: height.min(body.height.saturating_sub(top)),
            ..body
        };
        top = top.saturating_add(height);
        room
    };
    let seen = |height: u16| if is_map { height } else { 0 };
    HeatAreas {
        head: take(rows.head),
        verdict: take(rows.verdict),
        axis: take(seen(rows.axis)),
        map: take(map),
        totals: take(seen(rows.totals)),
        readout: take(rows.readout),
        legend: take(rows.legend),
        keys: take(keys),
    }
}

/// The columns of a row of the map.
///
/// ```text
/// ▶ 3 ████████████████████   100 %  15 min ▇▇▇▇▁▁  38.1
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
}

/// The marker of the chosen row and a blank.
pub const MARKER: u16 = 2;

pub fn columns(width: u16, label: usize) -> MapColumns {
    let label = u16::try_from(label)
        .unwrap_or(u16::MAX)
        .clamp(2, width / 4 + 2);
    let when = |least: u16, columns: u16| if width >= least { columns } else { 0 };
    let p99 = when(50, 8);
    let saturated = when(100, 9);
    let bar = when(76, 9) + when(140, 6);
    let size = when(60, 6);
    let cells_at = MARKER + label + 1;
    MapColumns {
        label,
        cells_at,
        cells: width.saturating_sub(cells_at + p99 + saturated + bar + size),
        p99,
        saturated,
        bar,
        size,
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
                            let state = HeatState {
                                chart,
                                pane,
                                ..HeatState::default()
                            };
                            let a = areas(body, &state, partitions);
                            let rooms = [
                                a.head, a.verdict, a.axis, a.map, a.totals, a.readout, a.legend,
                                a.keys,
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
            let c = columns(width, 3);
            let sum = c.cells_at + c.cells + c.p99 + c.saturated + c.bar + c.size;
            assert!(sum == width || c.cells == 0, "{width} {c:?}");
        }
    }

    #[test]
    fn few_partitions_leave_room_for_keys() {
        let body = Rect::new(0, 1, 80, 21);
        let rows = |partitions| {
            let a = areas(body, &HeatState::default(), partitions);
            (a.map.height, a.keys.height)
        };
        assert_eq!(rows(4), (4, 9));
        assert_eq!(rows(10_000), (8, 5));
        let low = areas(Rect::new(0, 1, 80, 12), &HeatState::default(), 4);
        assert_eq!((low.keys.height, low.map.height > 0), (0, true));
    }
}
