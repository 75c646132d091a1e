//! Where the parts of the trial view lie.

use ratatui::layout::{Constraint, Layout, Rect};

use super::panels::TrialPanel;
use super::{head, table};
use crate::ui::kit::cx::{Cx, WindowLayout};
use crate::ui::kit::panel::Zoom;
use crate::ui::view::trial::TrialState;

/// Columns of the table where panels stand beside it, at most and of the whole.
const TABLE_COLUMNS: u16 = 120;
const TABLE_PART: [u16; 2] = [3, 5];
const LEAST_PANEL: u16 = 5;
/// What is said above the paths before the first key, and a blank row.
const SENTENCE: u16 = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TrialPane {
    #[default]
    Table,
    Panel,
}

/// The rooms of the view; one that is not seen is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TrialAreas {
    /// What the keys are measured against.
    pub fields: Rect,
    /// The chosen key in a sentence.
    pub verdict: Rect,
    pub table: Rect,
    pub panel: Rect,
    /// Beside the table in a wide window: the panels that are not the turned one.
    pub beside: Rect,
}

pub fn areas(state: &TrialState, cx: &Cx, body: Rect) -> TrialAreas {
    let lines = |n: usize| Constraint::Length(u16::try_from(n).unwrap_or(u16::MAX));
    let layout = cx.layout();
    // The reasons say it, too.
    let is_said = state.panel == TrialPanel::Reasons && state.zoom == Zoom::Off;
    let said = match layout {
        WindowLayout::Compact if is_said => 0,
        _ => head::verdict_lines(state, cx, body.width.into()).len().clamp(1, 2),
    };
    let fields = Constraint::Length(head::lines(state, cx, body.width));
    let [fields, verdict, rest] =
        Layout::vertical([fields, lines(said), Constraint::Fill(1)]).areas(body);
    let mut areas = TrialAreas { fields, verdict, ..TrialAreas::default() };
    if state.zoom == Zoom::On {
        match state.pane {
            TrialPane::Table => areas.table = rest,
            TrialPane::Panel => areas.panel = rest,
        }
        return areas;
    }
    let is_wide = layout == WindowLayout::Wide && state.report.is_some();
    let columns = if is_wide {
        TABLE_COLUMNS.min(body.width * TABLE_PART[0] / TABLE_PART[1])
    } else {
        body.width
    };
    let [left, beside] = Layout::horizontal([Constraint::Length(columns), Constraint::Fill(1)])
        .spacing(u16::from(is_wide))
        .areas(rest);
    if is_wide {
        areas.beside = beside;
    }
    let names = table::name_rows(state, cx, left.width);
    let rows = table::wanted_rows(state);
    let wanted = match (&state.report, &state.sample) {
        (None, Some(_)) => SENTENCE,
        (None, None) => left.height,
        (Some(_), _) => names + rows,
    };
    let most = left.height.saturating_sub(LEAST_PANEL);
    let rows = wanted.min(most).max(left.height.min(names + 1));
    [areas.table, areas.panel] =
        Layout::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(left);
    areas
}
