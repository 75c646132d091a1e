//! Texts to be read over the view: where numbers come from, what was read, how to connect.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use super::list::Cursor;
use crate::app::action::Action;
use crate::app::{App, Overlay};

/// One text: its lines are visible text already.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    pub title: String,
    pub lines: Vec<String>,
    pub cursor: Cursor,
}

/// What was read, and what was left out and why.
pub fn sources(app: &App) -> State {
    let mut lines = Vec::new();
    for source in app.data.iter().flat_map(|d| &d.capture.sources) {
        lines.push(format!("{}: {}", source.path, source.shape));
    }
    State {
        title: "sources".to_owned(),
        lines,
        ..State::default()
    }
}

/// How to look at an account.
pub fn connect(_app: &App) -> State {
    State {
        title: "connect".to_owned(),
        lines: vec!["Live accounts are not in this version yet.".to_owned()],
        ..State::default()
    }
}

pub fn settle(_app: &mut App, _body: Rect) {}

pub fn act(app: &mut App, action: Action, body: Rect) -> bool {
    let Some(Overlay::Paper(state)) = &mut app.overlay else {
        return false;
    };
    state
        .cursor
        .act(action, state.lines.len(), usize::from(body.height))
}

pub fn draw(app: &App, state: &State, body: Rect, buffer: &mut Buffer) {
    Clear.render(body, buffer);
    for (line, y) in state.lines.iter().zip(body.y..body.bottom()) {
        buffer.set_stringn(body.x, y, line, usize::from(body.width), app.theme.text);
    }
}
