//! Where the parts of the trial view lie.

use ratatui::layout::Rect;

use super::panels::TrialPanel;
use crate::ui::kit::panel::Zoom;
use crate::ui::kit::text;
use crate::ui::view::trial::TrialState;

/// From this width on the panels stand beside the table, below it under it.
const BESIDE: u16 = 132;
/// Columns of the table where panels stand beside it.
const TABLE_COLUMNS: u16 = 84;
const HEAD_ROWS: u16 = 1;
const LEAST_PANEL: u16 = 9;
/// From here on the chosen key has lines of its own.
const ROOMY: u16 = 28;
const MOST_SAID: u16 = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TrialPane {
    #[default]
    Table,
    Panel,
}

/// The rooms of the view; one that is not seen is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TrialAreas {
    pub head: Rect,
    /// The chosen key in a line.
    pub verdict: Rect,
    pub table: Rect,
    pub panel: Rect,
    /// Beside the table where there is room: the panels that are not the turned one.
    pub beside: Rect,
}

impl TrialAreas {
    /// Rows of figures below the names of the keys.
    pub fn table_rows(&self) -> usize {
        usize::from(self.table.height.saturating_sub(super::table::NAME_ROWS))
    }
}

pub fn areas(state: &TrialState, body: Rect) -> TrialAreas {
    let mut rest = body;
    let mut take = |rows: u16| {
        let rows = rows.min(rest.height);
        let taken = Rect {
            height: rows,
            ..rest
        };
        rest.y += rows;
        rest.height -= rows;
        taken
    };
    let head = take(HEAD_ROWS);
    // The reasons say it, too.
    let is_said = state.panel == TrialPanel::Reasons && state.zoom == Zoom::Off;
    let said = take(if is_said && body.height < ROOMY {
        0
    } else {
        MOST_SAID
    });
    let mut areas = TrialAreas {
        head,
        verdict: said,
        ..TrialAreas::default()
    };
    if state.zoom == Zoom::On {
        match state.pane {
            TrialPane::Table => areas.table = rest,
            TrialPane::Panel => areas.panel = rest,
        }
        return areas;
    }
    let mut left = rest;
    if body.width >= BESIDE {
        left.width = TABLE_COLUMNS;
        areas.beside = text::column(rest, TABLE_COLUMNS + 1, rest.width);
    }
    let figures = u16::try_from(super::table::rows(state)).unwrap_or(u16::MAX);
    let wanted = figures.saturating_add(super::table::NAME_ROWS);
    let most = left.height.saturating_sub(LEAST_PANEL);
    let least = left.height.min(super::table::NAME_ROWS + 1);
    let rows = wanted.min(most).max(least);
    areas.table = Rect {
        height: rows,
        ..left
    };
    let below = Rect {
        y: left.y + rows,
        height: left.height - rows,
        ..left
    };
    areas.panel = below;
    areas
}
