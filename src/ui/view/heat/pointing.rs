//! The mouse on the heat view: a click chooses, a drag chooses a span of time, the wheel with Ctrl zooms.

use ratatui::layout::Rect;

use super::layout::Pane;
use super::{Chart, areas, chosen_by_hand, keylist, map, strip, time};
use crate::ui::app::App;
use crate::ui::kit::action::Action;
use crate::ui::kit::input::Pointer;
use crate::ui::kit::msg::Effect;

/// What lies under the pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spot {
    /// A row of the map, counted from the first one of the list, and a cell of its window.
    Map { row: usize, cell: Option<usize> },
    /// A place along the strip of hash ranges.
    Strip { column: u16 },
    /// A row of the keys, counted from the first one.
    Key(usize),
}

pub fn spot_at(app: &App, body: Rect, column: u16, row: u16) -> Option<Spot> {
    let areas = areas(app, body);
    let state = &app.heat;
    if areas.map.contains((column, row).into()) {
        if state.chart == Chart::Ranges {
            let column = column.checked_sub(areas.map.x)?;
            return Some(Spot::Strip { column });
        }
        let at = state.cursor.first + usize::from(row - areas.map.y);
        let is_row = at < map::rows(state);
        let cell = cell_at(app, areas.map, column);
        return is_row.then_some(Spot::Map { row: at, cell });
    }
    if areas.keys.contains((column, row).into()) {
        let below = usize::from(row - areas.keys.y).checked_sub(1)?;
        return keylist::row(app, below).map(Spot::Key);
    }
    None
}

/// The cell of the window in a column of the screen.
fn cell_at(app: &App, area: Rect, column: u16) -> Option<usize> {
    let map = &app.heat.map;
    let cells = map.columns.cells(area);
    let at = usize::from(column.checked_sub(cells.x)?);
    let is_inside = at < map.width().min(cells.width.into());
    is_inside.then(|| map.under(at).start)
}

/// The same of a pointer that was dragged beyond the edge of the map.
fn nearest_cell(app: &App, area: Rect, column: u16) -> Option<usize> {
    let map = &app.heat.map;
    let cells = map.columns.cells(area);
    let width = u16::try_from(map.width())
        .unwrap_or(u16::MAX)
        .min(cells.width);
    let last = width.checked_sub(1)?;
    let at = column.clamp(cells.x, cells.x.saturating_add(last));
    let under = map.under(usize::from(at - cells.x));
    // To the very end there is the last of the cells under the edge.
    let is_beyond = column > at;
    if is_beyond {
        under.last()
    } else {
        Some(under.start)
    }
}

fn choose_cell(app: &mut App, cell: usize) -> Option<(i64, i64)> {
    let span = app.heat.map.window?.cell(cell);
    app.heat.time.at = Some(span.0);
    Some(span)
}

/// A click on a row chooses it, one on the chosen row opens it.
pub fn click(app: &mut App, spot: Spot) -> Vec<Effect> {
    match spot {
        Spot::Map { row, cell } => {
            app.heat.pane = Pane::Map;
            if app.heat.cursor.chosen != row {
                app.heat.cursor.chosen = row;
                chosen_by_hand(app);
            } else if cell.is_none() {
                return super::act(app, Action::Enter);
            }
            app.heat.time.pressed = cell
                .and_then(|cell| choose_cell(app, cell))
                .map(|span| span.0);
            Vec::new()
        }
        Spot::Strip { column } => {
            strip::choose(app, column);
            Vec::new()
        }
        Spot::Key(row) => {
            let is_chosen = app.heat.pane == Pane::Keys && keylist::is_chosen(app, row);
            app.heat.pane = Pane::Keys;
            if is_chosen {
                return super::act(app, Action::Enter);
            }
            keylist::choose(app, row);
            Vec::new()
        }
    }
}

/// The pointer moves with the button down: from where it went down to here.
pub fn drag(app: &mut App, body: Rect, pointer: Pointer) {
    let Some(pressed) = app
        .heat
        .time
        .pressed
        .filter(|_| app.heat.chart == Chart::Time)
    else {
        return;
    };
    let areas = areas(app, body);
    if let Some(cell) = nearest_cell(app, areas.map, pointer.column)
        && choose_cell(app, cell).is_some()
    {
        app.heat.time.brush = Some(pressed);
    }
}

/// The button is let go: what was dragged over is zoomed to.
pub fn release(app: &mut App) {
    if app.heat.time.pressed.take().is_none() {
        return;
    }
    let Some(begun) = app.heat.time.brush.take() else {
        return;
    };
    let map = &app.heat.map;
    let span = map
        .window
        .zip(map.cursor)
        .map(|(window, cell)| window.cell(cell));
    if let Some(span) = span.filter(|span| span.0 != begun) {
        time::to_brush(app, begun, span);
    }
}

/// Moves the cursor to the cell under the pointer.
pub fn point_at(app: &mut App, body: Rect, pointer: Pointer) {
    let areas = areas(app, body);
    if let Some(cell) = cell_at(app, areas.map, pointer.column) {
        let _ = choose_cell(app, cell);
        let state = &mut app.heat;
        let cells = state.map.window.map_or(0, |window| window.columns);
        state.map.cursor = Some(cell).filter(|cell| *cell < cells);
    }
}
