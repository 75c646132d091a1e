//! Settings on the left, figures on the right; in a narrow window one of them at a time.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::settings::DesignSetting;
use super::{DesignForm, FormPane};
use crate::model::visible::visible;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::panel::{Focus, Panel};
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{sign, text};
use crate::ui::view::text_pages;

const WIDEST: u16 = 130;
/// Columns inside the frame from which on both panes have room.
const BOTH: u16 = 70;
const LEAST_SETTINGS: u16 = 33;
const MOST_SETTINGS: u16 = 56;
/// Of the cursor and a blank, and of the longest name with the blanks around it.
const LEAD: u16 = 2;
const NAME: u16 = 11;
const LEAST_VALUE: u16 = 11;

/// A figure and its value; a heading has none.
pub(super) type FigureRow = (FigureRole, String, String);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FigureRole {
    Heading,
    Figure,
    Changed,
}

struct FormAreas {
    frame: Rect,
    settings: Rect,
    figures: Rect,
    /// What the chosen setting is.
    about: Rect,
}

impl FormAreas {
    fn of(form: &DesignForm, body: Rect) -> Self {
        let width = body.width.min(WIDEST);
        let frame = text::column(body, (body.width - width) / 2, width);
        let inner = Panel::inner(frame);
        let rows = inner.height.saturating_sub(1);
        let (about, panes) = (text::row(inner, rows), text::rows(inner, 0, rows));
        let nothing = text::column(panes, 0, 0);
        let (settings, figures) = match form.pane {
            _ if inner.width >= BOTH => {
                let left = (inner.width * 2 / 5).clamp(LEAST_SETTINGS, MOST_SETTINGS);
                let right = inner.width.saturating_sub(left + 3);
                let figures = text::column(panes, left + 2, right);
                (text::column(panes, 0, left), figures)
            }
            FormPane::Settings => (panes, nothing),
            FormPane::Figures => (nothing, text::column(panes, 1, inner.width - 2)),
        };
        Self { frame, settings, figures, about }
    }
}

fn figure_rows(form: &DesignForm, width: usize, glyphs: Glyphs) -> Vec<FigureRow> {
    let mut rows = Vec::new();
    for group in &form.figures {
        rows.push((FigureRole::Heading, group.name.to_owned(), String::new()));
        for figure in &group.figures {
            let (role, mark) = if form.is_changed(figure) {
                (FigureRole::Changed, glyphs.signs().marked)
            } else {
                (FigureRole::Figure, "")
            };
            let name = visible(&figure.name).into_owned();
            let value = format!("{mark} {}", figure.text);
            if text::width(&name, glyphs) + text::width(&value, glyphs) <= width {
                rows.push((role, name, value));
            } else {
                rows.push((role, name, String::new()));
                rows.push((role, String::new(), value));
            }
        }
    }
    rows
}

pub fn settle(form: &mut DesignForm, cx: &Cx, body: Rect) {
    let areas = FormAreas::of(form, body);
    let height = usize::from(areas.settings.height.max(areas.figures.height));
    form.rows = figure_rows(form, areas.figures.width.into(), cx.theme.glyphs);
    if form.rows.len() > height {
        form.rows.retain(|(role, ..)| *role != FigureRole::Heading);
    }
    form.height = height;
    form.cursor.settle(form.settings.len(), height);
    form.scroll.settle(form.rows.len(), height);
}

pub fn draw(form: &DesignForm, cx: &Cx, body: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let areas = FormAreas::of(form, body);
    text::clear(buffer, areas.frame);
    let changed = if form.text == form.opened { "" } else { "changed, " };
    let place = match form.pane {
        FormPane::Settings => format!("{} of {}", form.cursor.chosen + 1, form.settings.len()),
        FormPane::Figures => form.scroll.place(form.rows.len(), form.height),
    };
    let title = format!("design: {}", theme.glyphs.outside(&form.name));
    let panel = Panel::new(title.as_str()).aside(format!("{changed}{place}"));
    let panel = panel.footer(ways(cx)).focus(Focus::Here);
    panel.draw(buffer, areas.frame, theme);
    draw_settings(form, areas.settings, theme, buffer);
    let shown = form.rows.iter().skip(form.scroll.first);
    for (row, index) in shown.zip(0..areas.figures.height) {
        draw_figure(row, text::row(areas.figures, index), theme, buffer);
    }
    if let Some(setting) = form.chosen() {
        let of = visible(&setting.of);
        let about = format!("{of} {}: {}", setting.name, setting.about);
        let about = Span::styled(theme.glyphs.sentence(about.trim()).into_owned(), theme.dim);
        let room = text::column(areas.about, 1, areas.about.width);
        text::left(buffer, room, &[about], theme);
    }
    let (first, rows) = match form.pane {
        FormPane::Settings => (form.cursor.first, form.settings.len()),
        FormPane::Figures => (form.scroll.first, form.rows.len()),
    };
    let side = text_pages::side(areas.frame);
    sign::scroll(
        buffer,
        text::rows(side, 0, areas.settings.height.max(areas.figures.height)),
        first,
        rows,
        theme,
    );
}

fn ways(cx: &Cx) -> String {
    let ways = |of: &[(Action, &str)]| text_pages::ways(cx, of);
    let changes = ways(&[(Action::Enter, "changes")]);
    let more =
        ways(&[(Action::Evidence, "explains"), (Action::Copy, "copies"), (Action::Back, "closes")]);
    format!("{changes}, + - twice and half, o opens, {more}")
}

/// The whole name of whose settings these are stands in the first of their rows.
fn draw_settings(form: &DesignForm, area: Rect, theme: &Theme, buffer: &mut Buffer) {
    if area.width == 0 {
        return;
    }
    let longest = form.settings.iter().map(|s| text::width(&visible(&s.of), theme.glyphs));
    let longest = u16::try_from(longest.max().unwrap_or(0)).unwrap_or(u16::MAX);
    let rest = area.width.saturating_sub(LEAD + NAME);
    let of = longest.min(rest.saturating_sub(LEAST_VALUE.max(rest / 2)));
    let window = form.cursor.window(form.settings.len(), area.height.into());
    let shown = form.settings.get(window.clone()).unwrap_or_default();
    let mut above = None;
    for ((setting, place), index) in shown.iter().zip(window).zip(0..area.height) {
        let row = text::row(area, index);
        let is_chosen = place == form.cursor.chosen;
        let cell = |start, width, words: &str, style: Style, buffer: &mut Buffer| {
            let words = text::shorten(words, usize::from(width), theme.glyphs);
            let room = text::column(row, start, width);
            text::left(buffer, room, &[Span::styled(words, style)], theme);
        };
        if is_chosen {
            cell(0, 1, theme.glyphs.signs().cursor, theme.accent, buffer);
        }
        if above != Some(&setting.of) {
            cell(LEAD, of, &visible(&setting.of), theme.title, buffer);
        }
        above = Some(&setting.of);
        cell(LEAD + of + 1, NAME - 1, setting.name, theme.text, buffer);
        let room = rest.saturating_sub(of);
        let (value, style) = value(setting, usize::from(room), theme);
        cell(LEAD + of + NAME, room, &value, style, buffer);
        if is_chosen && form.pane == FormPane::Settings {
            text::lay(buffer, row, theme.cursor_row);
        }
    }
}

/// With its unit where there is room for it.
fn value(setting: &DesignSetting, room: usize, theme: &Theme) -> (String, Style) {
    if setting.value.is_empty() {
        return (theme.glyphs.signs().unknown.to_owned(), theme.dim);
    }
    let value = visible(&setting.value).into_owned();
    let whole = format!("{value} {}", setting.unit);
    if text::width(&whole, theme.glyphs) <= room {
        return (whole, theme.accent);
    }
    (value, theme.accent)
}

fn draw_figure((role, name, value): &FigureRow, area: Rect, theme: &Theme, buffer: &mut Buffer) {
    let (style, of_value) = match role {
        FigureRole::Heading => (theme.title, theme.title),
        FigureRole::Figure => (theme.text, theme.accent),
        FigureRole::Changed => (theme.text, theme.warning),
    };
    text::left(buffer, area, &text::coded(name, style, theme), theme);
    text::right(buffer, area, &[Span::styled(value.as_str(), of_value)], theme);
}
