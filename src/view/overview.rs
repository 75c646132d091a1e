//! All containers, the worst first.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::ViewId;
use super::list::Cursor;
use crate::app::App;
use crate::app::action::Action;
use crate::app::msg::Effect;

pub const COLUMNS: &[&str] = &[];

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    pub cursor: Cursor,
    pub filter: String,
}

pub fn on_data(_app: &mut App) {}

pub fn settle(_app: &mut App, _body: Rect) {}

pub fn step_back(_app: &mut App) -> Option<Vec<Effect>> {
    None
}

pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    if action == Action::Enter {
        app.go(ViewId::Keys);
        return super::on_shown(app);
    }
    let rows = app.data.as_ref().map_or(0, |d| d.report.containers.len());
    let height = usize::from(super::body(app).height);
    app.overview.cursor.act(action, rows, height);
    Vec::new()
}

pub fn sort_by(_app: &mut App, _column: &str) {}

pub fn export(_app: &mut App, _path: &str) -> Vec<Effect> {
    Vec::new()
}

pub fn row_at(_app: &App, _body: Rect, _row: u16) -> Option<usize> {
    None
}

pub fn draw(app: &App, body: Rect, buffer: &mut Buffer) {
    let Some(data) = &app.data else { return };
    for (container, y) in data.report.containers.iter().zip(body.y..body.bottom()) {
        buffer.set_stringn(
            body.x,
            y,
            container.container(),
            usize::from(body.width),
            app.theme.text,
        );
    }
}
