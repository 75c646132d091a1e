//! The way to one key of a container from another view.

use super::tree::Shape;
use super::{Pane, open, set_filter};
use crate::ui::app::App;
use crate::ui::kit::msg::Effect;

/// Shows a container's keys with one of them chosen, by its canonical text.
pub fn show_key(app: &mut App, container: u32, canonical: &str) -> Vec<Effect> {
    let found = app.data.as_ref().and_then(|data| {
        let columns = data.columns.container(&data.capture, container)?;
        columns
            .ids
            .get(columns.find_text(canonical)? as usize)
            .copied()
    });
    let Some(id) = found else {
        app.fail(
            "no input reports the size of this key",
            Some("the statistics list only the largest keys; what is known of it stands here"),
        );
        return Vec::new();
    };
    let mut effects = open(app, container);
    app.keys.shape = Shape::List;
    app.keys.pane = Pane::Table;
    app.keys.anchor = Some(id);
    if !app.keys.filter_text.is_empty() {
        effects = set_filter(app, "");
    }
    let mut is_asked = false;
    for effect in &mut effects {
        if let Effect::Arrange(_, ask) = effect {
            ask.follow = vec![canonical.into()];
            is_asked = true;
        }
    }
    if is_asked {
        app.keys.following = vec![id];
    } else if let Some(place) = app.keys.list.as_ref().and_then(|list| list.near_key(id)) {
        app.keys.cursor.chosen = place;
    }
    effects
}
