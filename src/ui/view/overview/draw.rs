//! The overview as it is painted: nothing is made here.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::layout::{OverviewAreas, OverviewPane};
use super::{areas, detail_room, paint, visible_rows};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::panel::{Focus, Panel};
use crate::ui::kit::{sign, text};
use crate::ui::view::overview::OverviewState;
use crate::ui::view::{no_container, papers};

/// ```text
/// 3 containers · 27 keys · 2 ≥70 %
///   container       keys of 20 GB            ≥70 ≥90 ≥100  wall      ┌ orders ─────┐
/// ▶ shop ▸ orders     10 ██████████▶ 108.0 %   2   2    1  over …    │ finding …   │
///     ■ tenant-0002 is over the limit …                              │ facts, keys │
/// no RU logs: heat unknown …                                         └─────────────┘
/// ```
pub fn draw(state: &OverviewState, cx: &Cx, body: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let areas = areas(state, body);
    text::left(buffer, areas.head, &state.drawn.head, theme);
    if areas.list.height > 0 {
        draw_list(state, cx, &areas, buffer);
    }
    if areas.detail.height > 0 {
        draw_detail(state, cx, areas.detail, buffer);
    }
    for (line, index) in state.drawn.foot.iter().zip(0..areas.foot.height) {
        let spans = [Span::styled(line.as_str(), theme.dim)];
        text::left(buffer, text::row(areas.foot, index), &spans, theme);
    }
}

fn draw_list(state: &OverviewState, cx: &Cx, areas: &OverviewAreas, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let drawn = &state.drawn;
    let labels = text::row(areas.list, 0);
    paint::labels(buffer, labels, &drawn.placed, state.sort, cx.ceiling, theme);
    let rows = areas.rows();
    if drawn.rows.is_empty() {
        let words = if state.rows.is_empty() {
            no_container(cx)
        } else {
            "No container has that in its name.".to_owned()
        };
        text::paragraph(buffer, rows, &words, theme.text, theme);
    }
    let mut y = rows.y;
    for row in &drawn.rows {
        let height = row.height(drawn.rows_each).min(rows.bottom() - y);
        row.draw(buffer, Rect { y, height, ..rows }, &drawn.placed, theme);
        y += height;
    }
    let height = visible_rows(areas, drawn.rows_each, drawn.more);
    if state.order.len() > height {
        // Counted in rows of the screen, of which each container takes the same number.
        let each = usize::from(drawn.rows_each.max(1));
        let (first, total) = (state.cursor.first * each, state.order.len() * each);
        sign::scroll(buffer, rows, first, total, theme);
    }
}

fn draw_detail(state: &OverviewState, cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let room = detail_room(area);
    let lines = &state.drawn.detail;
    let title = state.chosen().map_or("", |row| row.name.as_str());
    let focus = match state.pane {
        OverviewPane::List => Focus::Away,
        OverviewPane::Detail => Focus::Here,
    };
    let place = state.scroll.place(lines.len(), room.height.into());
    let panel = Panel::new(title).aside(place).focus(focus);
    panel.draw(buffer, area, theme);
    let shown = lines.iter().skip(state.scroll.first);
    for (line, index) in shown.zip(0..room.height) {
        text::left(buffer, text::row(room, index), line, theme);
    }
    sign::scroll(
        buffer,
        papers::side(area),
        state.scroll.first,
        lines.len(),
        theme,
    );
}
