//! Keys side by side, a column each, the container's own always first.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::editor::DraftReads;
use super::entries::{ResultAge, TriedKey};
use super::layout::{TrialAreas, TrialPane};
use super::{TrialState, figures};
use crate::report::trial::{CandidateRow, KeyRole};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{list, text};
use crate::work::trial::TrialSample;

/// Rows above the figures: number and standing of a key, and the key itself in two.
pub const NAME_ROWS: u16 = 3;
const KEY_ROWS: u16 = 2;
/// More keys are not compared at one look.
const SIDE_BY_SIDE: usize = 4;
const LABEL: u16 = 18;
const NARROWEST: u16 = 15;
const WIDEST: u16 = 30;

/// The figures of the keys.
fn figures(state: &TrialState) -> Vec<&'static CandidateRow> {
    figures::rows((0..state.entries.len()).filter_map(|at| state.result(at)))
}

/// Rows of figures.
pub fn rows(state: &TrialState) -> usize {
    figures(state).len()
}

/// Which entries have a column, and how wide each is.
fn columns(state: &TrialState, width: u16) -> (Vec<usize>, u16) {
    let room = width.saturating_sub(LABEL);
    let fit = usize::from(room / NARROWEST).clamp(1, SIDE_BY_SIDE);
    let count = state.entries.len();
    let shown: Vec<usize> = if count <= fit {
        (0..count).collect()
    } else if fit == 1 {
        vec![state.chosen]
    } else {
        // The first stays; beside it a window that holds the chosen one.
        let rest = fit - 1;
        let first = state.chosen.max(rest) + 1 - rest;
        let first = first.clamp(1, count - rest);
        std::iter::once(0).chain(first..first + rest).collect()
    };
    let columns = u16::try_from(shown.len().max(1)).unwrap_or(1);
    (shown, (room / columns).min(WIDEST))
}

/// The entry under a cell.
pub fn entry_at(state: &TrialState, areas: &TrialAreas, column: u16, row: u16) -> Option<usize> {
    if !areas.table.contains((column, row).into()) {
        return None;
    }
    let (shown, width) = columns(state, areas.table.width);
    let inside = column.checked_sub(areas.table.x + LABEL)?;
    shown.get(usize::from(inside.checked_div(width)?)).copied()
}

pub fn draw(state: &TrialState, cx: &Cx, areas: &TrialAreas, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let area = areas.table;
    let (shown, width) = columns(state, area.width);
    let focus = if state.pane == TrialPane::Table {
        theme.title
    } else {
        theme.dim
    };
    let hidden = state.entries.len().saturating_sub(shown.len());
    let corner = match hidden {
        0 => String::new(),
        1 => "1 more key".to_owned(),
        n => format!("{n} more keys"),
    };
    let first = text::column(text::row(area, 0), 0, LABEL);
    text::left(buffer, first, &[Span::styled(corner, theme.dim)], theme);
    let figures = figures(state);
    let rows = figures.get(state.rows.first..).unwrap_or_default();
    for (index, (label, _)) in (NAME_ROWS..area.height).zip(rows) {
        let room = text::column(text::row(area, index), 0, LABEL - 1);
        text::left(buffer, room, &[Span::styled(*label, focus)], theme);
    }
    for (place, entry) in (0_u16..).zip(&shown) {
        let column = text::column(area, LABEL + place * width, width);
        draw_entry(state, cx, *entry, column, rows, buffer);
    }
}

fn draw_entry(
    state: &TrialState,
    cx: &Cx,
    at: usize,
    area: Rect,
    rows: &[&CandidateRow],
    buffer: &mut Buffer,
) {
    let theme = &cx.theme;
    let Some(entry) = state.entries.get(at) else {
        return;
    };
    let inner = text::column(area, 0, area.width.saturating_sub(1));
    let is_chosen = state.chosen == at;
    let is_old = is_stale(state, at, entry);
    let head = [
        Span::styled(number(state, cx, at, entry), theme.title),
        Span::styled(standing_of(state, at, entry), theme.dim),
    ];
    text::left(buffer, text::row(inner, 0), &head, theme);
    let key = entry.candidate.to_string();
    let key = theme.glyphs.outside(&key).into_owned();
    let lines = key_lines(&key, usize::from(inner.width), theme);
    for (index, line) in (1..=KEY_ROWS).zip(lines) {
        let spans = [Span::styled(line, theme.accent)];
        text::left(buffer, text::row(inner, index), &spans, theme);
    }
    if is_chosen {
        let names = Rect {
            height: NAME_ROWS.min(area.height),
            ..inner
        };
        list::lay_chosen(buffer, names, theme.cursor_row);
    }
    let result = state.result(at);
    for (index, (label, text)) in (NAME_ROWS..area.height).zip(rows) {
        let (cell, mark) = match (result, state.settings.as_ref()) {
            (Some(result), Some(settings)) => {
                (text(result), figures::mark(label, result, settings))
            }
            _ => (theme.glyphs.signs().unknown.to_owned(), None),
        };
        let style: Style = match mark {
            _ if is_old || result.is_none() => theme.stale,
            Some(mark) => theme.mark(mark),
            None => theme.text,
        };
        let cell = theme.glyphs.sentence(&cell).into_owned();
        text::left(
            buffer,
            text::row(inner, index),
            &[Span::styled(cell, style)],
            theme,
        );
    }
}

/// Whether what is shown is of another key or of other settings.
fn is_stale(state: &TrialState, at: usize, entry: &TriedKey) -> bool {
    let typed = state.draft.as_ref().filter(|draft| draft.at() == at);
    entry.age == ResultAge::Stale || typed.is_some_and(|draft| draft.reads == DraftReads::NotYet)
}

fn number(state: &TrialState, cx: &Cx, at: usize, entry: &TriedKey) -> String {
    let signs = cx.theme.glyphs.signs();
    let sign = if state.chosen == at {
        signs.cursor
    } else {
        " "
    };
    let decided = match &state.decided {
        Some(candidate) if *candidate == entry.candidate => signs.tick,
        _ => "",
    };
    format!("{sign}{} {decided}", at + 1)
}

fn standing_of(state: &TrialState, at: usize, entry: &TriedKey) -> &'static str {
    if state.draft.as_ref().is_some_and(|draft| draft.at() == at) {
        return "typing";
    }
    if entry.untold.is_some() && entry.age == ResultAge::Fresh {
        return "cannot tell";
    }
    let is_on_whole = |sample: &TrialSample| sample.needs_whole(&entry.candidate);
    match (entry.stands, entry.age) {
        (_, ResultAge::Stale) => "computing",
        _ if state.sample.as_deref().is_some_and(is_on_whole) => "whole only",
        (KeyRole::Current, _) => "current",
        (KeyRole::Candidate, _) => "",
    }
}

/// A key in at most two rows, broken before its signs where it can be; what does not fit is cut in its middle.
fn key_lines(key: &str, width: usize, theme: &Theme) -> Vec<String> {
    let mut lines = text::wrapped(key, width.max(1), theme.glyphs);
    let rows = usize::from(KEY_ROWS);
    if lines.len() > rows || lines.iter().any(|l| text::width(l, theme.glyphs) > width) {
        let short = text::shorten(key, (width * rows).saturating_sub(2), theme.glyphs);
        lines = hard(&short, width, theme);
        lines.truncate(rows);
    }
    lines
}

/// Broken where a row ends.
fn hard(text: &str, width: usize, theme: &Theme) -> Vec<String> {
    let mut lines = vec![String::new()];
    for character in text.chars() {
        let Some(line) = lines.last_mut() else {
            break;
        };
        line.push(character);
        if text::width(line, theme.glyphs) > width {
            line.pop();
            lines.push(character.to_string());
        }
    }
    lines
}
