//! What is told of the chosen key below and beside the table: reasons, sizes, partitions, queries.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::layout::{Areas, Pane};
use super::reasons;
use crate::app::App;
use crate::view::{sign, text};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Panel {
    #[default]
    Reasons,
}

impl Panel {
    const ALL: [Self; 1] = [Self::Reasons];

    fn name(self) -> &'static str {
        match self {
            Self::Reasons => "reasons",
        }
    }

    pub fn next(self) -> Self {
        self.turned(1)
    }

    pub fn before(self) -> Self {
        self.turned(Self::ALL.len() - 1)
    }

    fn turned(self, by: usize) -> Self {
        let at = Self::ALL.iter().position(|panel| *panel == self);
        let at = (at.unwrap_or(0) + by) % Self::ALL.len();
        Self::ALL.get(at).copied().unwrap_or_default()
    }
}

/// What the panels show, made once for a key and a width.
#[derive(Debug, Default)]
pub struct Made {
    of: Option<(usize, usize)>,
    reasons: Vec<reasons::Line>,
}

impl Made {
    /// Results changed.
    pub fn forget(&mut self) {
        self.of = None;
    }
}

pub fn settle(app: &mut App, body: Rect) {
    let areas = super::layout::areas(app, body);
    let width = usize::from(areas.panel.width);
    let of = Some((app.trial.chosen, width));
    if app.trial.panels.of == of {
        return;
    }
    let state = &app.trial;
    let result = state.report.as_ref().zip(state.result(state.chosen));
    let reasons = result.map(|(report, of)| reasons::made(report, of, width, &app.theme));
    app.trial.panels = Made {
        of,
        reasons: reasons.unwrap_or_default(),
    };
}

/// Rows of the turned panel.
pub fn rows(app: &App, _areas: &Areas) -> usize {
    match app.trial.panel {
        Panel::Reasons => app.trial.panels.reasons.len(),
    }
}

pub fn explained(_app: &App) -> Vec<String> {
    Vec::new()
}

pub fn draw(app: &App, areas: &Areas, buffer: &mut Buffer) {
    tabs(app, areas.tabs, buffer);
    match app.trial.panel {
        Panel::Reasons => draw_reasons(app, areas.panel, buffer),
    }
}

/// `─ reasons ─ sizes ─ …`, the turned one standing out.
fn tabs(app: &App, area: Rect, buffer: &mut Buffer) {
    let theme = &app.theme;
    let line = theme.glyphs.signs().frame.horizontal;
    let mut spans = Vec::new();
    for panel in Panel::ALL {
        let style = match (panel == app.trial.panel, app.trial.pane) {
            (true, Pane::Panel) => theme.selected,
            (true, Pane::Table) => theme.title,
            (false, _) => theme.dim,
        };
        spans.push(Span::styled(format!("{line} "), theme.border));
        spans.push(Span::styled(panel.name(), style));
        spans.push(Span::raw(" "));
    }
    let used: usize = spans.iter().map(Span::width).sum();
    let left = usize::from(area.width).saturating_sub(used);
    spans.push(Span::styled(line.repeat(left), theme.border));
    text::left(buffer, area, &spans, theme);
}

fn draw_reasons(app: &App, area: Rect, buffer: &mut Buffer) {
    let lines = &app.trial.panels.reasons;
    let first = app.trial.lines.first;
    for (index, line) in (0..area.height).zip(lines.iter().skip(first)) {
        text::left(buffer, text::row(area, index), line, &app.theme);
    }
    sign::scroll(buffer, area, first, lines.len(), &app.theme);
}
