//! What lies under the pointer, and what clicks, drags and the wheel do there.

use super::{
    ViewId, act, area, body, frame, heat, is_small, keys, overview, prompt, replaying, start, trial,
};
use crate::ui::app::{App, Overlay};
use crate::ui::kit::action::Action;
use crate::ui::kit::input::Pointer;
use crate::ui::kit::msg::Effect;

/// What lies under the pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hit {
    Action(Action),
    /// An offer of the line that is typed.
    Offer(usize),
    /// A row of the list, counted from its first row.
    Row(usize),
    /// A path of the documents that keys are tried on.
    Path(usize),
    /// A place of the heat map.
    Spot(heat::Spot),
    /// A moment of a recording.
    Moment(usize),
}

pub fn hit(app: &App, column: u16, row: u16) -> Option<Hit> {
    if is_small(app) {
        return None;
    }
    let parts = frame::parts(app, area(app));
    if row == parts.footer.y {
        return frame::footer_hit(app, parts.footer, column).map(Hit::Action);
    }
    if parts.scrubber.height > 0 && row == parts.scrubber.y && app.overlay.is_none() {
        return replaying::place_at(app, parts.scrubber, column).map(Hit::Moment);
    }
    if let Some(Overlay::Line(line)) = &app.overlay {
        return prompt::hit(line, parts.body, column, row).map(Hit::Offer);
    }
    if app.overlay.is_some() {
        return None;
    }
    let found = match app.view {
        ViewId::Start => start::row_at(app, parts.body, row),
        ViewId::Overview => overview::row_at(app, parts.body, column, row),
        ViewId::Keys => keys::row_at(app, parts.body, column, row),
        ViewId::Heat => {
            return heat::spot_at(app, parts.body, column, row).map(Hit::Spot);
        }
        ViewId::Trial => return trial::place_at(app, parts.body, column, row),
    };
    found.map(Hit::Row)
}

/// A click on a row chooses it, one on the chosen row opens it.
pub fn click(app: &mut App, row: usize) -> Vec<Effect> {
    let cursor = match app.view {
        ViewId::Start => &mut app.start.cursor,
        ViewId::Overview => &mut app.overview.cursor,
        ViewId::Keys => &mut app.keys.cursor,
        ViewId::Heat => return Vec::new(),
        ViewId::Trial => return trial::click(app, row),
    };
    if cursor.chosen == row {
        return act(app, Action::Enter);
    }
    cursor.chosen = row;
    if app.view == ViewId::Keys {
        keys::chosen_by_click(app);
    }
    Vec::new()
}

/// Whether the heat map is what the pointer works on.
fn is_on_map(app: &App) -> bool {
    app.view == ViewId::Heat && app.overlay.is_none() && !is_small(app)
}

/// The pointer moves with its button held: a span of time is chosen.
pub fn drag(app: &mut App, pointer: Pointer) -> Vec<Effect> {
    if is_on_map(app) {
        let body = body(app);
        heat::drag(app, body, pointer);
    }
    Vec::new()
}

/// The button is let go.
pub fn release(app: &mut App, _pointer: Pointer) -> Vec<Effect> {
    if is_on_map(app) {
        heat::release(app);
    }
    Vec::new()
}

/// The wheel with Ctrl zooms around the cell under the pointer.
pub fn wheel_zoom(app: &mut App, pointer: Pointer, action: Action) -> Vec<Effect> {
    if !is_on_map(app) {
        return Vec::new();
    }
    let body = body(app);
    heat::point_at(app, body, pointer);
    act(app, action)
}
