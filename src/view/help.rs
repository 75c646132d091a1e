//! What every key does, made from the table of actions and the keys in force.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use super::list::Cursor;
use crate::app::action::{ACTIONS, Action};
use crate::app::{App, Overlay};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct State {
    pub cursor: Cursor,
}

pub fn settle(_app: &mut App, _body: Rect) {}

pub fn act(app: &mut App, action: Action, body: Rect) -> bool {
    let Some(Overlay::Help(state)) = &mut app.overlay else {
        return false;
    };
    state
        .cursor
        .act(action, ACTIONS.len(), usize::from(body.height))
}

pub fn draw(app: &App, state: &State, body: Rect, buffer: &mut Buffer) {
    Clear.render(body, buffer);
    for (about, y) in ACTIONS
        .iter()
        .skip(state.cursor.first)
        .zip(body.y..body.bottom())
    {
        let key = app.keymap.shown(about.action).unwrap_or_default();
        let line = format!("{key:<10} {:<20} {}", about.name, about.help);
        buffer.set_stringn(body.x, y, line, usize::from(body.width), app.theme.text);
    }
}
