//! The overview as it is painted: nothing is made here.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::layout::{OverviewAreas, OverviewPane};
use super::{areas, detail_room, paint, search};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::panel::{Focus, Panel};
use crate::ui::kit::{sign, text};
use crate::ui::view::overview::OverviewState;
use crate::ui::view::{no_container, text_pages};

/// ```text
/// 3 containers · 1 full · next key reaches 20 GB: carts tenant-0001, 2026-11-26 ±33 d
///     container      finding              largest  /20 GB   20 GB on   hottest
/// ▶ ● shop ▸ orders  HOT KEY contoso p0   ██████████▶ 108 %       over  p0 100 %
/// ┌ shop ▸ orders ────────────────────────────────────────────────────────────┐
/// │ card, keys, hottest partition, facts                                      │
/// └───────────────────────────────────────────────────────────────────────────┘
/// no RU logs: heat unknown …
/// ```
pub fn draw(state: &OverviewState, cx: &Cx, body: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    if let Some(compared) = &state.compared {
        compared.draw(cx, body, buffer);
        return;
    }
    let areas = areas(state, cx, body);
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
        } else if state.search.is_under_way() {
            "No container has that in its name; keys are being searched.".to_owned()
        } else if let Some((_, wrong)) = search::problem(state, &state.filter) {
            format!("No container has that in its name. Keys are not searched: {wrong}.")
        } else {
            "No container has that in its name, and no key.".to_owned()
        };
        text::paragraph(buffer, rows, &words, theme.text, theme);
    }
    for (row, index) in drawn.rows.iter().zip(0..rows.height) {
        row.draw(buffer, text::row(rows, index), theme);
    }
    let total = state.shown();
    if total > rows.height.into() {
        sign::scroll(buffer, rows, state.cursor.first, total, theme);
    }
}

fn draw_detail(state: &OverviewState, cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let room = detail_room(area);
    let pane = &state.drawn.detail;
    let title = state.chosen().map_or("", |row| row.name.as_str());
    let focus = match state.pane {
        OverviewPane::List => Focus::Away,
        OverviewPane::Detail => Focus::Here,
    };
    let place = state.scroll.place(pane.height(), room.height.into());
    let panel = Panel::new(title).aside(place).focus(focus);
    panel.draw(buffer, area, theme);
    for (column, lines) in pane.columns.iter().enumerate() {
        let [start, width] =
            [column * pane.step(), pane.width].map(|n| u16::try_from(n).unwrap_or(u16::MAX));
        let room = text::column(room, start, width);
        let shown = lines.iter().skip(state.scroll.first);
        for (line, index) in shown.zip(0..room.height) {
            text::left(buffer, text::row(room, index), line, theme);
        }
    }
    sign::scroll(buffer, text_pages::side(area), state.scroll.first, pane.height(), theme);
}
