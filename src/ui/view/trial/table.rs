//! Keys side by side, a column each, the container's own always first.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::Style;
use ratatui::text::Span;

use super::editor::DraftReads;
use super::entries::{ResultAge, TriedKey};
use super::layout::{TrialAreas, TrialPane};
use super::{TrialState, figures};
use crate::analysis::trial::verdict::READS_UNKNOWN;
use crate::report::trial::{
    CROSS_PARTITION, CandidateRow, DECISION_ROWS, KeyRole, ROWS, cross_partition, filled,
};
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::{Cx, Veil};
use crate::ui::kit::table::{Align, ColumnSpec, GAP, TableColumn, column_at, fit};
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{list, text};
use crate::work::trial::TrialSample;

/// A key itself takes at most four rows below its number.
const KEY_ROWS: u16 = 4;
/// `hottest key, newest`, and a blank.
const LABEL: u16 = 23;
/// `≤ 2.00 MiB  <0.1 %`, `too few partitions`.
const NARROWEST: u16 = 18;
const WIDEST: u16 = 30;

/// What decides, above all other figures.
pub fn decision_rows(state: &TrialState) -> Vec<&'static CandidateRow> {
    known(state, ROWS.iter().take(DECISION_ROWS))
}

/// `real size (:size 81GB), RU/s to buy (:load 5000), reads (:queries FILE)`: what no input reports, and what adds it.
fn missing(state: &TrialState) -> Option<String> {
    let rows = decision_rows(state);
    let lacks = |label: &str| rows.iter().all(|row| row.0 != label);
    let missing = [
        ((state.result(0)).is_some_and(|of| of.trial.whole.is_assumed), "real size (:size 81GB)"),
        (lacks("RU/s to buy"), "RU/s to buy (:load 5000)"),
        (lacks(CROSS_PARTITION), "reads (:queries FILE)"),
    ];
    let missing = missing.iter().filter(|(lacks, _)| *lacks);
    let missing: Vec<&str> = missing.map(|(_, words)| *words).collect();
    (state.report.is_some() && !missing.is_empty()).then(|| missing.join(", "))
}

/// Rows for what decides, and for what is missing.
pub fn wanted_rows(state: &TrialState) -> u16 {
    let rows = decision_rows(state).len() + usize::from(missing(state).is_some());
    u16::try_from(rows).unwrap_or(u16::MAX)
}

/// How many rows of the table are seen.
pub fn rows_seen(state: &TrialState, cx: &Cx, areas: &TrialAreas) -> usize {
    let names = name_rows(state, cx, areas.table.width);
    areas.table.height.saturating_sub(names).into()
}

/// The other figures, as far as one of the keys has them.
pub fn figure_rows(state: &TrialState) -> Vec<&'static CandidateRow> {
    let results = (0..state.entries.len()).filter_map(|at| state.result(at));
    let rows = filled(&ROWS, results.map(|result| &result.trial));
    known(state, rows.skip(DECISION_ROWS))
}

/// Rows that one of the keys has; all before there are results.
fn known(
    state: &TrialState,
    rows: impl Iterator<Item = &'static CandidateRow>,
) -> Vec<&'static CandidateRow> {
    let results = || (0..state.entries.len()).filter_map(|at| state.result(at));
    // What is unknown of every key stands in one line below.
    let is_known = |(_, cell): &&CandidateRow| {
        let mut cells = results().map(cell);
        cells.any(|cell| cell != "–" && cell != READS_UNKNOWN)
    };
    let is_empty = results().next().is_none();
    rows.filter(|row| is_empty || is_known(row)).collect()
}

/// The entries that have a column: the first, the chosen one, and the best of the others, which stand before the rest.
fn columns(state: &TrialState, width: u16) -> Vec<TableColumn<usize>> {
    let count = u16::try_from(state.entries.len()).unwrap_or(u16::MAX);
    let room = width.saturating_sub(LABEL);
    let shown = (room / (NARROWEST + GAP)).clamp(1, count.max(1));
    let each = (room / shown).saturating_sub(GAP).min(WIDEST);
    let need = |at: usize| match at {
        _ if at == state.chosen => 0,
        _ => u8::try_from(at + 1).unwrap_or(u8::MAX),
    };
    let spec = |at| ColumnSpec::new(at, "", each, each, need(at), Align::Left);
    let specs: Vec<_> = (0..state.entries.len()).map(spec).collect();
    fit(&specs, LABEL, width)
}

/// Rows above the figures: number and role of the keys, and the keys themselves.
pub fn name_rows(state: &TrialState, cx: &Cx, width: u16) -> u16 {
    let columns = columns(state, width);
    let lines = columns.iter().filter_map(|column| {
        let entry = state.entries.get(column.id)?;
        Some(key_lines(entry, column.width.into(), &cx.theme).len())
    });
    let most = u16::try_from(lines.max().unwrap_or(1)).unwrap_or(KEY_ROWS);
    1 + most.clamp(1, KEY_ROWS)
}

/// The entry under a cell.
pub fn entry_at(state: &TrialState, areas: &TrialAreas, at: Position) -> Option<usize> {
    let columns = columns(state, areas.table.width);
    let inside = areas.table.contains(at).then(|| at.x - areas.table.x)?;
    column_at(&columns, inside)
}

/// ```text
///                      ▶1 current          2
///                      /tenantId           /customerId
/// verdict              reject              caution
/// why                  hot key contoso     cross-partition reads
/// ```
pub fn draw(state: &TrialState, cx: &Cx, areas: &TrialAreas, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let area = areas.table;
    let columns = columns(state, area.width);
    let names = name_rows(state, cx, area.width);
    let hidden = state.entries.len().saturating_sub(columns.len());
    let corner = match hidden {
        0 => String::new(),
        1 => "1 more key".to_owned(),
        n => format!("{n} more keys"),
    };
    let way = cx.keymap.shown(Action::NextKey).filter(|_| hidden > 0);
    let corner = way.map_or(corner.clone(), |way| format!("{corner}: {way}"));
    let first = text::column(text::row(area, 0), 0, LABEL - GAP);
    text::left(buffer, first, &[Span::styled(corner, theme.dim)], theme);
    let [names, room] =
        Layout::vertical([Constraint::Length(names), Constraint::Fill(1)]).areas(area);
    for column in &columns {
        draw_name(state, cx, column.id, column.area(names), buffer);
    }
    let rows = decision_rows(state);
    let seen = rows.get(state.rows.first..).unwrap_or_default();
    draw_rows(state, cx, room, seen, buffer);
    if let (Some(missing), Ok(at)) = (missing(state), u16::try_from(seen.len())) {
        let line = text::row(room, at);
        let words = [Span::styled("unknown  ", theme.dim), Span::styled(missing, theme.hint)];
        text::left(buffer, line, &words, theme);
    }
}

/// Figures under the columns of the keys, in a room as wide as the table.
pub fn draw_rows(
    state: &TrialState,
    cx: &Cx,
    area: Rect,
    rows: &[&CandidateRow],
    buffer: &mut Buffer,
) {
    let theme = &cx.theme;
    let focus = match state.pane {
        TrialPane::Table => theme.title,
        TrialPane::Panel => theme.dim,
    };
    let columns = columns(state, area.width);
    for (index, row) in (0..area.height).zip(rows) {
        let line = text::row(area, index);
        let label = [Span::styled(cx.ceiling.heading(row.0), focus)];
        let room = text::column(line, 0, LABEL - GAP);
        text::left(buffer, room, &label, theme);
        for column in &columns {
            let cell = cell(state, cx, (column.id, column.width.into()), row);
            column.cell(buffer, line, &[cell], theme);
        }
    }
}

/// Without what stands in brackets where there is no room for it.
fn without_brackets(text: String, width: usize, theme: &Theme) -> String {
    let ends = text.split_once(" (").zip(text.rsplit_once(')'));
    match ends.filter(|_| text::width(&text, theme.glyphs) > width) {
        Some(((before, _), (_, after))) => format!("{before}{after}"),
        None => text,
    }
}

fn cell(
    state: &TrialState,
    cx: &Cx,
    (at, width): (usize, usize),
    (label, figure): &CandidateRow,
) -> Span<'static> {
    let theme = &cx.theme;
    let found = state.result(at).zip(state.settings.as_ref());
    let entry = state.entries.get(at);
    if let Some((_, because)) = state.unreported(at)
        && *label == CROSS_PARTITION
    {
        return Span::styled(cross_partition(&because.routed), theme.text);
    }
    let Some((result, settings)) = found else {
        return Span::styled(theme.glyphs.signs().unknown, theme.stale);
    };
    if cx.veil.is_drawn() {
        return Span::styled(Veil::SIGN, theme.dim);
    }
    let is_old = entry.is_none_or(|entry| is_stale(state, at, entry));
    let shown = match *label {
        "why" => result.why(|key| cx.mask.key(key)),
        _ => figure(result),
    };
    let mut shown = without_brackets(shown, width, theme);
    if text::width(&shown, theme.glyphs) > width {
        // Signs of ASCII are longer.
        shown = shown.replace("  ", " ");
    }
    let style: Style = match figures::mark(label, result, settings) {
        _ if is_old => theme.stale,
        Some(mark) => theme.mark(mark),
        None => theme.text,
    };
    Span::styled(theme.glyphs.sentence(&shown).into_owned(), style)
}

fn draw_name(state: &TrialState, cx: &Cx, at: usize, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let Some(entry) = state.entries.get(at) else {
        return;
    };
    let head = [
        Span::styled(number(state, cx, at, entry), theme.title),
        Span::styled(standing_of(state, at, entry), theme.dim),
    ];
    text::left(buffer, text::row(area, 0), &head, theme);
    let lines = key_lines(entry, area.width.into(), theme);
    for (index, line) in (1..area.height).zip(lines) {
        let spans = [Span::styled(line, theme.accent)];
        text::left(buffer, text::row(area, index), &spans, theme);
    }
    if state.chosen == at {
        list::lay_chosen(buffer, area, theme.cursor_row);
    }
}

/// Whether what is shown is of another key or of other settings.
fn is_stale(state: &TrialState, at: usize, entry: &TriedKey) -> bool {
    let typed = state.draft.as_ref().filter(|draft| draft.at() == Some(at));
    entry.age == ResultAge::Stale || typed.is_some_and(|draft| draft.reads == DraftReads::NotYet)
}

fn number(state: &TrialState, cx: &Cx, at: usize, entry: &TriedKey) -> String {
    let signs = cx.theme.glyphs.signs();
    let sign = if state.chosen == at { signs.cursor } else { " " };
    let decided = match &state.decided {
        Some(candidate) if *candidate == entry.candidate => signs.tick,
        _ => "",
    };
    format!("{sign}{} {decided}", at + 1)
}

fn standing_of(state: &TrialState, at: usize, entry: &TriedKey) -> &'static str {
    if state.draft.as_ref().is_some_and(|draft| draft.at() == Some(at)) {
        return "typing";
    }
    if entry.unreported.is_some() && entry.age == ResultAge::Fresh {
        return "unknown";
    }
    let is_on_whole = |sample: &TrialSample| sample.needs_whole(&entry.candidate);
    match (entry.stands, entry.age) {
        (_, ResultAge::Stale) => "computing",
        _ if state.sample.as_deref().is_some_and(is_on_whole) => "whole only",
        (KeyRole::Current, _) => "current",
        (KeyRole::Candidate, _) => "",
    }
}

/// A key in at most four rows, broken at its blanks; a path that is wider than a row is cut in its middle.
fn key_lines(entry: &TriedKey, width: usize, theme: &Theme) -> Vec<String> {
    let key = theme.glyphs.outside(&entry.candidate.to_string()).into_owned();
    let width = width.max(1);
    let mut lines: Vec<String> = Vec::new();
    for part in key.split(' ') {
        match lines.last_mut() {
            Some(line)
                if text::width(line, theme.glyphs) + 1 + text::width(part, theme.glyphs)
                    <= width =>
            {
                line.push(' ');
                line.push_str(part);
            }
            _ => lines.push(part.to_owned()),
        }
    }
    let last = lines.split_off(lines.len().min(usize::from(KEY_ROWS) - 1));
    lines.extend((!last.is_empty()).then(|| last.join(" ")));
    let cut = |line: String| text::shorten(&line, width, theme.glyphs);
    lines.into_iter().map(cut).collect()
}
