//! The first screen: recent files, built-in scenarios, ways in.

use std::path::PathBuf;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::list::Cursor;
use crate::app::action::Action;
use crate::app::data::Origin;
use crate::app::msg::Effect;
use crate::app::{App, update};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    pub recent: Vec<PathBuf>,
    pub cursor: Cursor,
}

pub fn settle(_app: &mut App, _body: Rect) {}

pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let rows = app.scenarios.len();
    if action == Action::Enter {
        let chosen = app.scenarios.get(app.start.cursor.chosen).map(|s| s.name);
        return chosen.map_or_else(Vec::new, |name| update::open(app, Origin::Scenario(name)));
    }
    let height = usize::from(super::body(app).height);
    app.start.cursor.act(action, rows, height);
    Vec::new()
}

pub fn row_at(_app: &App, _body: Rect, _row: u16) -> Option<usize> {
    None
}

pub fn draw(app: &App, body: Rect, buffer: &mut Buffer) {
    for (scenario, y) in app.scenarios.iter().zip(body.y..body.bottom()) {
        let line = format!("{:<12} {}", scenario.name, scenario.title);
        buffer.set_stringn(body.x, y, line, usize::from(body.width), app.theme.text);
    }
}
