//! The logical partitions of a container against the ceiling.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::list::Cursor;
use crate::app::App;
use crate::app::action::Action;
use crate::app::data::Arranged;
use crate::app::line::Offer;
use crate::app::msg::{Effect, Shared, Turn};

pub const COLUMNS: &[&str] = &[];

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    pub cursor: Cursor,
    pub filter_text: String,
}

pub fn on_data(_app: &mut App) -> Vec<Effect> {
    Vec::new()
}

pub fn on_shown(_app: &mut App) -> Vec<Effect> {
    Vec::new()
}

pub fn on_names_changed(_app: &mut App) {}

pub fn on_arranged(_app: &mut App, _turn: Turn, _arranged: Shared<Arranged>) {}

pub fn settle(_app: &mut App, _body: Rect) -> Vec<Effect> {
    Vec::new()
}

pub fn step_back(_app: &mut App) -> Option<Vec<Effect>> {
    None
}

pub fn act(_app: &mut App, _action: Action) -> Vec<Effect> {
    Vec::new()
}

pub fn set_filter(app: &mut App, text: &str) -> Vec<Effect> {
    text.clone_into(&mut app.keys.filter_text);
    Vec::new()
}

pub fn filter_offers(_app: &App, _text: &str) -> (Vec<Offer>, Option<(usize, String)>) {
    (Vec::new(), None)
}

pub fn sort_by(_app: &mut App, _column: &str) -> Vec<Effect> {
    Vec::new()
}

pub fn export_name(_app: &App) -> String {
    "cosmoscope-keys.csv".to_owned()
}

pub fn export(_app: &mut App, _path: &str) -> Vec<Effect> {
    Vec::new()
}

pub fn row_at(_app: &App, _body: Rect, _column: u16, _row: u16) -> Option<usize> {
    None
}

pub fn draw(_app: &App, _body: Rect, _buffer: &mut Buffer) {}
