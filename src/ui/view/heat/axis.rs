//! Round times above the map, the chosen one, and the headings of what stands right of it; all partitions below it.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::map::Map;
use super::names::{self, Precision};
use super::paint::{column_of, cursor_column};
use crate::analysis::heat::grid::{WIDTHS_S, Window};
use crate::analysis::heat::{Aggregate, Measure, Unit};
use crate::model::time::SECONDS_PER_DAY;
use crate::ui::kit::chart::sparkline;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::text;
use crate::ui::view::heat::HeatState;

/// Columns from one round time to the next, at least.
const APART: usize = 9;
const TWENTY_MIN_S: u32 = 1_200;

/// A round time and the column of the map in which it begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tick {
    pub column: u16,
    pub words: String,
}

/// Round times of a window, as many as have room: clock times, and the date at midnight.
pub fn ticks(map: &Map, window: Window) -> Vec<Tick> {
    let width = i64::from(window.width_s.max(1));
    let columns = |seconds: u32| {
        let cells = usize::try_from(i64::from(seconds) / width).unwrap_or(usize::MAX);
        cells.saturating_mul(map.width()) / window.columns.max(1)
    };
    // Other times would lie within a cell.
    let steps = WIDTHS_S.into_iter().chain([TWENTY_MIN_S]);
    let steps = steps.filter(|step| step.is_multiple_of(window.width_s.max(1)));
    // Seconds take more columns.
    let apart = |step: u32| APART + usize::from(step < 60);
    let Some(step) = steps.filter(|step| columns(*step) >= apart(*step)).min() else {
        return Vec::new();
    };
    let step = i64::from(step);
    let precision = Precision::of(u32::try_from(step).unwrap_or(u32::MAX), 0);
    let first = window.from + (-window.from).rem_euclid(step);
    let times = std::iter::successors(Some(first), |at| Some(at + step));
    let seen = times.take_while(|at| *at < window.to());
    let tick = |at: i64| {
        let cell = usize::try_from((at - window.from) / width).ok()?;
        let is_midnight = at.rem_euclid(SECONDS_PER_DAY) == 0;
        let words = if is_midnight { names::day(at) } else { names::clock(at, precision) };
        Some(Tick { column: u16::try_from(map.column(cell)).ok()?, words })
    };
    seen.filter_map(tick).collect()
}

/// `    23:40     23:50  ↓23:56   00:10     p99  ≥100 %  of 50 GB`.
pub fn draw(state: &HeatState, cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let map = &state.map;
    if map.window.is_none() {
        return;
    }
    let columns = map.columns;
    let cells = columns.cells(area);
    let pointed = pointer_columns(state, cells.width);
    for tick in &map.ticks {
        let width = u16::try_from(tick.words.len()).unwrap_or(u16::MAX);
        let end = tick.column.saturating_add(width);
        // The chosen time stands beside another one, never in it, and none is cut.
        let is_pointed =
            pointed.as_ref().is_some_and(|at| tick.column <= at.end && at.start <= end);
        if !is_pointed && end <= cells.width {
            let room = text::column(cells, tick.column, width);
            let words = Span::styled(tick.words.as_str(), theme.dim);
            text::left(buffer, room, &[words], theme);
        }
    }
    pointer(state, cx, cells, buffer);
    let is_merged = map.group > 1;
    let headings = [
        if is_merged { "highest" } else { "p99" },
        if is_merged { "" } else { "\u{2265}100 %" },
        "of 50 GB",
        "GiB",
    ];
    for (room, words) in columns.beside(area).into_iter().zip(headings) {
        let words = theme.glyphs.sentence(words).into_owned();
        text::right(buffer, room, &[Span::styled(words, theme.dim)], theme);
    }
}

/// The chosen time as it stands right of its arrow, or left of it at the end; nothing where there is no room.
fn pointed_time(state: &HeatState, column: u16, width: u16) -> (String, bool) {
    let window = state.map.window.zip(state.map.cursor);
    let words = window.map_or_else(String::new, |(window, cell)| {
        names::clock(window.cell(cell).0, Precision::of(window.width_s, 0))
    });
    let taken = u16::try_from(words.len()).unwrap_or(u16::MAX);
    let is_right = column.saturating_add(taken) < width;
    if is_right || taken <= column { (words, is_right) } else { (String::new(), true) }
}

/// The columns of the arrow and the chosen time.
fn pointer_columns(state: &HeatState, width: u16) -> Option<Range<u16>> {
    let column = cursor_column(state)?;
    let (words, is_right) = pointed_time(state, column, width);
    let taken = u16::try_from(words.len()).unwrap_or(u16::MAX);
    Some(if is_right {
        column..column.saturating_add(taken).saturating_add(1)
    } else {
        column.saturating_sub(taken)..column.saturating_add(1)
    })
}

/// The chosen column and its time, and the span that is being chosen.
fn pointer(state: &HeatState, cx: &Cx, line: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let Some(column) = cursor_column(state) else {
        return;
    };
    if let Some(begun) = state.time.brush.and_then(|at| column_of(state, at)) {
        let (from, to) = (begun.min(column), begun.max(column));
        let sign = theme.glyphs.signs().progress_done;
        let width = (to - from + 1).min(line.width.saturating_sub(from));
        let span = [Span::styled(sign.repeat(width.into()), theme.found)];
        text::left(buffer, text::column(line, from, width), &span, theme);
    }
    let (words, is_right) = pointed_time(state, column, line.width);
    let sign = theme.glyphs.signs().down;
    let words = if is_right { format!("{sign}{words}") } else { format!("{words}{sign}") };
    let columns = pointer_columns(state, line.width).unwrap_or_default();
    let room = text::column(line, columns.start, columns.end - columns.start);
    text::left(buffer, room, &[Span::styled(words, theme.accent)], theme);
}

/// `highest  ▁▂▇█▇▂▁`, `sum …`: all partitions together.
pub fn totals(state: &HeatState, cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let map = &state.map;
    let Some(scope) = state.scope.as_ref().filter(|_| area.height > 0) else {
        return;
    };
    let (label, words) = match scope.measure().map(Measure::along) {
        Some(Aggregate::Sum) => ("sum", "highest sum"),
        Some(Aggregate::Highest) => ("max", "highest"),
        None => ("", ""),
    };
    let cells = map.columns.cells(area);
    let width = u16::try_from(map.totals.len()).unwrap_or(u16::MAX);
    let known = map.totals.iter().copied().flatten();
    let top = known.fold(0.0_f64, f64::max);
    if top > 0.0 {
        let room = text::column(cells, 0, width);
        // A share of what there is looks high only where it is.
        let is_share = scope.unit() == Some(Unit::Share);
        let top = if is_share { top.max(1.0) } else { top };
        sparkline(buffer, room, &map.totals, top, theme);
    }
    let taken = map.columns.cells_at.saturating_sub(1);
    let short = text::shorten(label, taken.into(), theme.glyphs);
    let room = text::column(area, 0, taken);
    text::left(buffer, room, &[Span::styled(short, theme.dim)], theme);
    let beside =
        Rect { x: cells.right(), width: area.right().saturating_sub(cells.right()), ..area };
    if let Some(unit) = scope.unit().filter(|_| top > 0.0) {
        let value = names::value(top, unit);
        let forms = [format!(" {words} {value}"), format!(" {value}")];
        let fits = |words: &&String| text::width(words, theme.glyphs) <= beside.width.into();
        if let Some(words) = forms.iter().find(fits) {
            let words = [Span::styled(words.as_str(), theme.dim)];
            text::left(buffer, beside, &words, theme);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks_of(from: i64, width_s: u32, cells: usize, columns: usize) -> Vec<(u16, String)> {
        let window = Window { from, width_s, columns: cells };
        let mut map = Map::default();
        (map.window, map.units, map.parts) = (Some(window), 2, columns * 2);
        let ticks = ticks(&map, window).into_iter();
        ticks.map(|tick| (tick.column, tick.words)).collect()
    }

    #[test]
    fn ticks_stand_at_round_times_and_midnight_has_its_date() {
        // 2026-06-21 23:37:00.
        let from = 1_782_085_020;
        let of = |ticks: &[(u16, &str)]| -> Vec<(u16, String)> {
            let ticks = ticks.iter();
            ticks.map(|(at, words)| (*at, (*words).to_owned())).collect()
        };
        assert_eq!(
            ticks_of(from, 60, 50, 50),
            of(&[(3, "23:40"), (13, "23:50"), (23, "06-22"), (33, "00:10"), (43, "00:20")])
        );
        // 23:00 to 00:00 in a window of 80 columns, and of 100.
        for (columns, expected) in
            [(30, "0 23:00 10 23:20 20 23:40"), (39, "0 23:00 10 23:15 19 23:30 29 23:45")]
        {
            let ticks = ticks_of(1_782_082_800, 60, 60, columns).into_iter();
            let ticks = ticks.map(|(at, words)| format!("{at} {words}"));
            assert_eq!(ticks.collect::<Vec<_>>().join(" "), expected);
        }
        // A few steps over the whole width: every step has its time.
        assert_eq!(ticks_of(from, 60, 3, 60), of(&[(0, "23:37"), (20, "23:38"), (40, "23:39")]));
        for width_s in WIDTHS_S {
            for columns in [1, 20, 34, 100, 400] {
                let ticks = ticks_of(from - from.rem_euclid(width_s.into()), width_s, 77, columns);
                let apart = ticks.windows(2).map(|pair| pair[1].0 - pair[0].0);
                assert!(apart.min().unwrap_or(10) >= 9, "{width_s} {columns} {ticks:?}");
            }
        }
    }
}
