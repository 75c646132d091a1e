//! The mouse on the heat view: a click chooses, a drag chooses a span of time, the wheel with Ctrl zooms.

use crate::ui::view::View;
use ratatui::layout::Rect;

use super::layout::HeatPane;
use super::{Chart, areas, chosen_by_hand, keylist, map, strip, time};
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::input::Pointer;
use crate::ui::kit::msg::Effect;
use crate::ui::view::heat::HeatState;

/// What lies under the pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointerTarget {
    /// A row of the map, counted from the first one of the list, and a cell of its window.
    Map { row: usize, cell: Option<usize> },
    /// A place along the strip of hash ranges.
    Strip { column: u16 },
    /// A row of the keys, counted from the first one.
    Key(usize),
}

pub fn spot_at(state: &HeatState, body: Rect, column: u16, row: u16) -> Option<PointerTarget> {
    let areas = areas(state, body);
    if areas.map.contains((column, row).into()) {
        if state.chart == Chart::Ranges {
            let column = column.checked_sub(areas.map.x)?;
            return Some(PointerTarget::Strip { column });
        }
        let at = state.cursor.first + usize::from((row - areas.map.y) / areas.lines.max(1));
        let is_row = at < map::rows(state);
        let cell = cell_at(state, areas.map, column);
        return is_row.then_some(PointerTarget::Map { row: at, cell });
    }
    if areas.keys.contains((column, row).into()) {
        let below = usize::from(row - areas.keys.y).checked_sub(1)?;
        return keylist::row(state, below).map(PointerTarget::Key);
    }
    None
}

/// The cell of the window in a column of the screen.
fn cell_at(state: &HeatState, area: Rect, column: u16) -> Option<usize> {
    let map = &state.map;
    let cells = map.columns.cells(area);
    let at = usize::from(column.checked_sub(cells.x)?);
    let is_inside = at < map.width().min(cells.width.into());
    is_inside.then(|| map.under(at).start)
}

/// The same of a pointer that was dragged beyond the edge of the map.
fn nearest_cell(state: &HeatState, area: Rect, column: u16) -> Option<usize> {
    let map = &state.map;
    let cells = map.columns.cells(area);
    let width = u16::try_from(map.width()).unwrap_or(u16::MAX).min(cells.width);
    let last = width.checked_sub(1)?;
    let at = column.clamp(cells.x, cells.x.saturating_add(last));
    let under = map.under(usize::from(at - cells.x));
    // To the very end there is the last of the cells under the edge.
    let is_beyond = column > at;
    if is_beyond { under.last() } else { Some(under.start) }
}

fn choose_cell(state: &mut HeatState, cell: usize) -> Option<(i64, i64)> {
    let span = state.map.window?.cell(cell);
    state.time.at = Some(span.0);
    Some(span)
}

/// A click on a row chooses it, one on the chosen row opens it.
pub fn click(state: &mut HeatState, cx: &Cx, spot: PointerTarget) -> Vec<Effect> {
    match spot {
        PointerTarget::Map { row, cell } => {
            state.pane = HeatPane::Map;
            if state.cursor.chosen != row {
                state.cursor.chosen = row;
                chosen_by_hand(state);
            } else if cell.is_none() {
                return state.act(cx, Action::Enter);
            }
            state.time.pressed = cell.and_then(|cell| choose_cell(state, cell)).map(|span| span.0);
            Vec::new()
        }
        PointerTarget::Strip { column } => {
            strip::choose(state, cx, column);
            Vec::new()
        }
        PointerTarget::Key(row) => {
            let is_chosen = state.pane == HeatPane::Keys && state.list.cursor.chosen == row;
            state.pane = HeatPane::Keys;
            if is_chosen {
                return state.act(cx, Action::Enter);
            }
            state.list.cursor.chosen = row;
            Vec::new()
        }
    }
}

/// The pointer moves with the button down: from where it went down to here.
pub fn drag(state: &mut HeatState, body: Rect, pointer: Pointer) {
    let Some(pressed) = state.time.pressed.filter(|_| state.chart == Chart::Time) else {
        return;
    };
    let areas = areas(state, body);
    if let Some(cell) = nearest_cell(state, areas.map, pointer.column)
        && choose_cell(state, cell).is_some()
    {
        state.time.brush = Some(pressed);
    }
}

/// The button is let go: what was dragged over is zoomed to.
pub fn release(state: &mut HeatState) -> Vec<Effect> {
    if state.time.pressed.take().is_none() {
        return Vec::new();
    }
    let Some(begun) = state.time.brush.take() else {
        return Vec::new();
    };
    let map = &state.map;
    let span = map.window.zip(map.cursor);
    let span = span.map(|(window, cell)| window.cell(cell));
    if let Some(span) = span.filter(|span| span.0 != begun) {
        return time::to_brush(state, begun, span);
    }
    Vec::new()
}

/// Moves the cursor to the cell under the pointer.
pub fn point_at(state: &mut HeatState, body: Rect, pointer: Pointer) {
    let areas = areas(state, body);
    if let Some(cell) = cell_at(state, areas.map, pointer.column) {
        let _ = choose_cell(state, cell);
        let cells = state.map.window.map_or(0, |window| window.columns);
        state.map.cursor = Some(cell).filter(|cell| *cell < cells);
    }
}
