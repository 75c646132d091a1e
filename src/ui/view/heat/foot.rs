//! The line below the rows: how many more there are, and which partitions have none.

use ratatui::buffer::Buffer;
use ratatui::text::Span;

use super::layout::{HeatAreas, MARKER};
use super::scope::HeatScope;
use super::{HeatState, map, names};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::text;

/// More names have no room in any window.
const MOST_NAMES: usize = 200;

pub fn draw(state: &HeatState, cx: &Cx, areas: &HeatAreas, buffer: &mut Buffer) {
    let Some(scope) = state.scope.as_ref().filter(|_| !areas.foot.is_empty()) else {
        return;
    };
    let theme = &cx.theme;
    let room = text::column(areas.foot, MARKER, areas.foot.width);
    let more = map::rows(state).saturating_sub(areas.map_rows());
    let words = words(scope, more, theme.glyphs);
    text::left(buffer, room, &[Span::styled(words, theme.dim)], theme);
}

/// `47 more rows, scroll to see them`, `the header counts no GUIDs · 5 without value: 0, 3, 4, 0000a001, undefined`.
fn words(scope: &HeatScope, more: usize, glyphs: Glyphs) -> String {
    let silent = scope.silent.iter().take(MOST_NAMES);
    let names = silent.filter_map(|at| Some(names::label(&scope.partition(*at)?.named)));
    let names: Vec<_> = names.map(|name| glyphs.shown(&name).into_owned()).collect();
    let (count, names) = (scope.silent.len(), names.join(", "));
    let facts = [
        (more > 0).then(|| format!("{more} more rows, scroll to see them")),
        (scope.uncounted > 0).then(|| "the header counts no GUIDs".to_owned()),
        (count > 0).then(|| format!("{count} without value: {names}")),
    ];
    let facts: Vec<_> = facts.into_iter().flatten().collect();
    glyphs.sentence(&facts.join(" · ")).into_owned()
}
