//! A container's keys, or one of them, shown because something elsewhere leads there.

use super::layout::KeysPane;
use super::tree::ListShape;
use super::{KeysState, asking};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::line::Typing;
use crate::ui::kit::msg::{Destination, Effect};
use crate::ui::view::View as _;

/// Shows a container's keys, or one of them.
pub fn open(
    state: &mut KeysState,
    cx: &Cx,
    target: &Destination,
) -> Result<Vec<Effect>, Vec<Effect>> {
    match target.key.as_deref() {
        None => Ok(open_container(state, cx, target.container)),
        Some(key) => show_key(state, cx, target.container, key),
    }
}

/// Shows a container's keys with one of them chosen, by its canonical text.
fn show_key(
    state: &mut KeysState,
    cx: &Cx,
    container: u32,
    canonical: &str,
) -> Result<Vec<Effect>, Vec<Effect>> {
    let found = cx.data.as_ref().and_then(|data| {
        let columns = data.columns.container(&data.capture, container)?;
        Some(columns.key(columns.find_text(canonical)?)?.id)
    });
    if found.is_none() && is_logged(cx, container, canonical) {
        let effects = open_container(state, cx, container);
        state.by_ru.wanted = Some(canonical.into());
        return Ok(effects);
    }
    let Some(id) = found else {
        return Err(Effect::fail(
            "no input reports the size of this key",
            Some("the statistics list only the largest keys; what is known of it stands here"),
        ));
    };
    let mut effects = open_container(state, cx, container);
    state.shape = ListShape::List;
    state.pane = KeysPane::Table;
    state.anchor = Some(id);
    if !state.filter_text.is_empty() {
        effects = state.set_filter(cx, "", Typing::Over);
    }
    let mut is_asked = false;
    for effect in &mut effects {
        if let Effect::Arrange(_, ask) = effect {
            ask.follow = vec![canonical.into()];
            is_asked = true;
        }
    }
    if is_asked {
        state.following = vec![id];
    } else if let Some(place) = state.list.as_ref().and_then(|list| list.near_key(id)) {
        state.cursor.chosen = place;
    }
    Ok(effects)
}

/// Whether a container without sizes lists a key of the RU log.
fn is_logged(cx: &Cx, container: u32, canonical: &str) -> bool {
    cx.data.as_ref().is_some_and(|data| {
        let columns = data.columns.container(&data.capture, container);
        let has_sizes = columns.is_some_and(|columns| !columns.is_empty());
        let load = &data.capture.load;
        !has_sizes && data.lookups.ru.of_key(load, container, canonical).is_some()
    })
}

pub fn open_container(state: &mut KeysState, cx: &Cx, container: u32) -> Vec<Effect> {
    let name = cx.data.as_ref().and_then(|data| {
        let container = data.capture.container(container)?;
        Some(container.name.identity())
    });
    if name.is_some() && state.name != name {
        *state = KeysState {
            sort: state.sort,
            pane: KeysPane::Table,
            names: state.names,
            ..KeysState::default()
        };
    }
    state.container = Some(container);
    state.name = name;
    asking::ask_unless_answered(state, cx)
}
