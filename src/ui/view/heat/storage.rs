//! Partitions against the 50 GB that one can hold, with the known logical partitions as segments inside.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::layout::HeatAreas;
use super::map::{self, HeatMapRow, of_row};
use super::readout::{ReadoutPiece, ReadoutRole};
use super::scope::HeatScope;
use super::{names, paint};
use crate::analysis::ceiling::{MARK_ALARM, MARK_WARN, Mark};
use crate::model::units::{PHYSICAL_CEILING_KIB, kib_text, percent_text};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::list::lay_chosen;
use crate::ui::kit::{sign, text};
use crate::ui::view::heat::HeatState;
use crate::work::data::Dataset;
use crate::work::shared::Shared;

/// A row of the chart: its words, the sizes of its known keys, and all that it holds.
#[derive(Clone, PartialEq, Debug)]
struct Bar {
    row: HeatMapRow,
    /// Shares of 50 GB, the largest first.
    keys: Vec<f64>,
    whole: Option<f64>,
}

#[derive(Clone, PartialEq, Debug)]
struct StorageInputs {
    data: Shared<Dataset>,
    container: u32,
    rows: Vec<u32>,
}

#[derive(Debug, Default)]
pub struct StorageBars {
    made_of: Option<StorageInputs>,
    bars: Vec<Bar>,
}

pub fn settle(state: &mut HeatState, areas: &HeatAreas) {
    let Some(scope) = &state.scope else {
        state.storage = StorageBars::default();
        return;
    };
    let seen = state
        .cursor
        .window(map::rows(state), areas.map.height.into());
    let made_of = StorageInputs {
        data: scope.data.clone(),
        container: scope.container,
        rows: scope.rows.get(seen).unwrap_or_default().to_vec(),
    };
    if state.storage.made_of.as_ref() == Some(&made_of) {
        return;
    }
    let bars = made_of
        .rows
        .iter()
        .map(|partition| bar(state, scope, *partition));
    state.storage = StorageBars {
        bars: bars.collect(),
        made_of: Some(made_of),
    };
}

/// Shares of 50 GB of the largest keys that the partition is known to hold.
fn keys(state: &HeatState, scope: &HeatScope, partition: u32) -> Vec<f64> {
    let known = scope.partition(partition).and_then(|p| p.known);
    let columns = scope
        .data
        .columns
        .container(&scope.data.capture, scope.container);
    let Some(columns) = columns else {
        return Vec::new();
    };
    let rows = state.index.largest(known).iter();
    let sizes = rows.filter_map(|row| columns.size_kib.get(*row as usize));
    sizes.map(|kib| kib / PHYSICAL_CEILING_KIB).collect()
}

fn bar(state: &HeatState, scope: &HeatScope, partition: u32) -> Bar {
    let row = map::beside(scope, &[partition], None);
    Bar {
        keys: keys(state, scope, partition),
        whole: row.storage,
        row,
    }
}

/// Signs of a known key, of the next one, and of what no input lists.
fn signs(glyphs: Glyphs) -> [&'static str; 3] {
    match glyphs {
        Glyphs::Unicode => ["█", "▓", "▒"],
        Glyphs::Ascii => ["#", "=", "%"],
    }
}

/// ```text
///     0                          35 GB      45 GB  50 GB
/// ▶ 3 ██████████▓▓▓▓▓▒▒▒▒▒▒▒▒▒░░░░│░░░░░░░░░░│░░░░    76.2 %  38.1
/// ```
pub fn draw(state: &HeatState, cx: &Cx, areas: &HeatAreas, buffer: &mut Buffer) {
    axis(state, cx, areas.axis, buffer);
    let theme = &cx.theme;
    for (at, (bar, index)) in state
        .storage
        .bars
        .iter()
        .zip(0..areas.map.height)
        .enumerate()
    {
        let line = text::row(areas.map, index);
        let is_chosen = state.cursor.first + at == state.cursor.chosen;
        paint::head_of_row(state, cx, &bar.row, line, is_chosen, buffer);
        segments(cx, bar, state.map.columns.cells(line), buffer);
        if is_chosen {
            let words = text::column(line, 0, state.map.columns.cells_at);
            lay_chosen(buffer, words, theme.cursor_row);
        }
    }
    let rows = map::rows(state);
    sign::scroll(buffer, areas.map, state.cursor.first, rows, theme);
}

fn at(share: f64, width: u16) -> u16 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and a u16; what is no number is 0"
    )]
    let column = (share.clamp(0.0, 1.0) * f64::from(width)).round() as u16;
    column
}

fn segments(cx: &Cx, bar: &Bar, room: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let [key, next, rest] = signs(theme.glyphs);
    let whole = bar.whole.unwrap_or_else(|| bar.keys.iter().sum());
    let style = theme.fill(Mark::of(whole));
    let mut spans: Vec<Span> = Vec::new();
    let mut share = 0.0;
    let mut from = 0;
    let mut put = |to: u16, sign: &'static str, style: Style| {
        if to > from {
            spans.push(Span::styled(sign.repeat((to - from).into()), style));
            from = to;
        }
    };
    for (nth, size) in bar.keys.iter().enumerate() {
        share += size;
        let sign = if nth % 2 == 0 { key } else { next };
        put(at(share.min(whole.max(share)), room.width), sign, style);
    }
    if let Some(whole) = bar.whole {
        put(at(whole, room.width), rest, theme.dim);
    }
    let track = theme.glyphs.signs().bar_track;
    put(room.width, track, theme.bar_track);
    text::left(buffer, room, &spans, theme);
    for mark in [MARK_WARN, MARK_ALARM] {
        let column = at(mark, room.width);
        if column >= at(whole, room.width) {
            let sign = [Span::styled(theme.glyphs.signs().bar_mark, theme.bar_mark)];
            text::left(buffer, text::column(room, column, 1), &sign, theme);
        }
    }
}

fn axis(state: &HeatState, cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let cells = state.map.columns.cells(area);
    for (share, words) in [(0.0, "0"), (MARK_WARN, "35 GB"), (MARK_ALARM, "45 GB")] {
        let columns = u16::try_from(words.len()).unwrap_or(u16::MAX);
        let start = at(share, cells.width).min(cells.width.saturating_sub(columns));
        let room = text::column(cells, start, columns);
        text::left(buffer, room, &[Span::styled(words, theme.dim)], theme);
    }
    let [_, _, bar, size] = state.map.columns.beside(area);
    for (room, words) in [(bar, "of 50 GB"), (size, "GiB")] {
        text::right(buffer, room, &[Span::styled(words, theme.dim)], theme);
    }
}

pub fn legend(cx: &Cx) -> Vec<Span<'static>> {
    let theme = &cx.theme;
    let [key, next, rest] = signs(theme.glyphs);
    let words = |words: &'static str| Span::styled(words, theme.dim);
    vec![
        Span::styled(format!("{key}{key}{next}{next}"), theme.text),
        words(" known keys by size  "),
        Span::styled(rest.repeat(2), theme.dim),
        words(" other keys: smaller, not reported  "),
        Span::styled(theme.glyphs.signs().bar_mark, theme.bar_mark),
        words(" 70, 90 %"),
    ]
}

pub fn readout(state: &HeatState) -> Vec<ReadoutPiece> {
    let Some(scope) = &state.scope else {
        return Vec::new();
    };
    let Some(partition) = of_row(scope, state.cursor.chosen, 1).first().copied() else {
        let words = "no physical partition is known: the inputs list none";
        return vec![(ReadoutRole::Dim, words.to_owned())];
    };
    let named = scope
        .partition(partition)
        .map(|p| names::sentence(&p.named));
    let mut pieces = vec![(ReadoutRole::Text, named.unwrap_or_default())];
    let kib = scope.partition(partition).and_then(|p| p.kib);
    pieces.push(match kib {
        Some(kib) => {
            let share = kib / PHYSICAL_CEILING_KIB;
            let words = format!("{}, {} of 50 GB", kib_text(kib), percent_text(share));
            (ReadoutRole::Value(Some(Mark::of(share))), words)
        }
        None => (ReadoutRole::Dim, "its size is not told".to_owned()),
    });
    let keys = keys(state, scope, partition);
    let sum: f64 = keys.iter().sum::<f64>() * PHYSICAL_CEILING_KIB;
    let words = match keys.len() {
        0 => "no key of it is reported".to_owned(),
        1 => format!("1 known key, {}", kib_text(sum)),
        n => format!("{n} known keys, {}", kib_text(sum)),
    };
    pieces.push((ReadoutRole::Text, words));
    pieces
}
