//! The map as it is painted: axis, rows of cells, totals.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use super::layout::{HeatAreas, HeatPane, MARKER};
use super::legend;
use super::map::{Dot, HeatMapRow, Lane};
use super::names::{self, Precision};
use super::readout::Pin;
use super::shade::{self, CellStyle, Palette, means};
use crate::analysis::ceiling::Mark;
use crate::analysis::heat::{Aggregate, Measure, Unit};
use crate::ui::kit::action::Action;
use crate::ui::kit::bar::bar;
use crate::ui::kit::chart::{Scale as ChartScale, sparkline};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::list::lay_chosen;
use crate::ui::kit::{sign, text};
use crate::ui::view::heat::HeatState;

pub fn draw(state: &HeatState, cx: &Cx, areas: &HeatAreas, buffer: &mut Buffer) {
    axis(state, cx, areas.axis, buffer);
    if state.map.window.is_none() && state.scope.is_some() {
        nothing(cx, areas.map, buffer);
        return;
    }
    rows(state, cx, areas.map, buffer);
    totals(state, cx, areas.totals, buffer);
}

/// Why there is no map, and what to do about it.
fn nothing(cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let is_read = cx.loading.is_some();
    let chart = cx.keymap.shown(Action::NextChart).unwrap_or_default();
    let words = if is_read {
        "No load over time so far: the inputs are still being read.".to_owned()
    } else {
        format!(
            "The inputs tell no load over time. It comes from the metric NormalizedRUConsumption split by \
             PartitionKeyRangeId, or from the diagnostic logs PartitionKeyRUConsumption and DataPlaneRequests: export \
             one and open it together with these files. {chart} shows storage, then hash ranges."
        )
    };
    text::paragraph(buffer, area, &words, theme.text, theme);
}

/// `    13:02 ······ ▼ ···· 14:02   p99  ≥100 %  of 50 GB`.
fn axis(state: &HeatState, cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let map = &state.map;
    if map.window.is_none() {
        return;
    }
    let columns = map.columns;
    let cells = columns.cells(area);
    if let Some(window) = map.window.filter(|_| area.height > 0) {
        let width = u16::try_from(map.width()).unwrap_or(cells.width);
        let line = text::column(cells, 0, width.min(cells.width));
        let span = window.to().saturating_sub(window.from);
        let precision = Precision::of(window.width_s, span);
        let from = names::clock(window.from, precision);
        let to = names::clock(window.to(), precision);
        let columns = |text: &str| u16::try_from(text.len()).unwrap_or(u16::MAX);
        let (from_columns, to_columns) = (columns(&from), columns(&to));
        let pointed = cursor_column(state).unwrap_or_default();
        // Beside the arrow, not below it.
        let after = if pointed <= from_columns {
            pointed + 2
        } else {
            0
        };
        let start = text::column(cells, after, from_columns);
        text::left(buffer, start, &[Span::styled(from, theme.dim)], theme);
        let is_near = pointed + 2 + to_columns > line.width;
        let end = if is_near && pointed > from_columns {
            pointed.saturating_sub(1)
        } else {
            line.width
        };
        let is_apart = after + from_columns + to_columns + 2 <= end;
        if is_apart {
            let room = text::column(line, 0, end);
            text::right(buffer, room, &[Span::styled(to, theme.dim)], theme);
        }
        pointer(state, cx, line, buffer);
    }
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

/// The chosen column, and the span that is being chosen.
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
    let sign = [Span::styled(theme.glyphs.signs().down, theme.accent)];
    text::left(buffer, text::column(line, column, 1), &sign, theme);
}

/// The column of the map in which the chosen cell begins.
pub fn cursor_column(state: &HeatState) -> Option<u16> {
    column_of_cell(state, state.map.cursor?)
}

fn column_of_cell(state: &HeatState, cell: usize) -> Option<u16> {
    u16::try_from(state.map.column(cell)).ok()
}

fn column_of(state: &HeatState, second: i64) -> Option<u16> {
    let window = state.map.window?;
    let passed = second.saturating_sub(window.from) / i64::from(window.width_s.max(1));
    let last = window.columns.saturating_sub(1);
    let cell = usize::try_from(passed.max(0)).unwrap_or(last).min(last);
    column_of_cell(state, cell)
}

fn rows(state: &HeatState, cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let look = state.look;
    let painter = Painter {
        state,
        cx,
        palette: Palette::of(theme, look, legend::scale(state)),
        means: means(theme),
        highest: state.scope.as_ref().map_or(0.0, |scope| scope.highest),
        is_absolute: legend::scale(state) == shade::ShadeScale::Absolute,
        cursor: cursor_column(state),
        pin: state.pin.as_ref(),
    };
    for (at, row) in state.map.rows.iter().enumerate().take(area.height.into()) {
        let Ok(index) = u16::try_from(at) else { break };
        let line = text::row(area, index);
        let is_chosen = state.cursor.first + at == state.cursor.chosen;
        painter.row(row, line, is_chosen, buffer);
    }
    sign::scroll(
        buffer,
        area,
        state.cursor.first,
        super::map::rows(state),
        theme,
    );
}

struct Painter<'a> {
    state: &'a HeatState,
    cx: &'a Cx,
    palette: Palette,
    means: CellStyle,
    highest: f64,
    is_absolute: bool,
    cursor: Option<u16>,
    pin: Option<&'a Pin>,
}

impl Painter<'_> {
    fn row(&self, row: &HeatMapRow, line: Rect, is_chosen: bool, buffer: &mut Buffer) {
        let theme = &self.cx.theme;
        let columns = self.state.map.columns;
        head_of_row(self.state, self.cx, row, line, is_chosen, buffer);
        let cells = columns.cells(line);
        let width = u16::try_from(self.state.map.width()).unwrap_or(u16::MAX);
        for column in 0..width.min(cells.width) {
            let position = (cells.x + column, cells.y);
            let (symbol, style) = self.cell(row, column);
            let bracket = (symbol == shade::REFUSED).then(|| self.bracket(row, column));
            let symbol = bracket.flatten().unwrap_or(symbol);
            if let Some(cell) = buffer.cell_mut(position) {
                cell.set_symbol(symbol);
                cell.set_style(style);
            }
        }
        if is_chosen {
            lay_chosen(
                buffer,
                columns_without_cells(columns, line),
                theme.cursor_row,
            );
            let sign = (self.cursor, theme.glyphs.signs().marked);
            self.mark(row, cells, sign, buffer);
        }
        if let Some(pin) = self.pin.filter(|pin| pin.label == row.label) {
            let column = column_of(self.state, pin.from);
            let sign = (column, theme.glyphs.signs().dot);
            self.mark(row, cells, sign, buffer);
        }
    }

    /// A sign over a cell, on the ground of the hottest value in it.
    fn mark(
        &self,
        row: &HeatMapRow,
        cells: Rect,
        (column, sign): (Option<u16>, &str),
        buffer: &mut Buffer,
    ) {
        let Some(column) = column.filter(|column| *column < cells.width) else {
            return;
        };
        let under = self.state.map.under(column.into());
        let mut hot = None;
        for lane in &row.lanes {
            let dot = lane.dots.get(under.clone()).and_then(hottest);
            hot = hotter(hot, dot.map(|dot| (lane, dot)));
        }
        let known = hot.filter(|(_, dot)| !dot.value.is_nan());
        let style = match known {
            Some((lane, dot)) if self.means != CellStyle::Signs => {
                self.palette.ground(self.part(lane, dot.value))
            }
            _ => self.cx.theme.title.add_modifier(Modifier::REVERSED),
        };
        if let Some(cell) = buffer.cell_mut((cells.x + column, cells.y)) {
            cell.reset();
            cell.set_symbol(sign);
            cell.set_style(style.add_modifier(Modifier::BOLD));
        }
    }

    /// What part of all a value is, under the scale in use.
    fn part(&self, lane: &Lane, value: f32) -> f64 {
        let value = f64::from(value);
        let of = match lane.full {
            Some(full) if self.is_absolute => full,
            _ => self.highest,
        };
        if of > 0.0 { value / of } else { 0.0 }
    }

    fn cell(&self, row: &HeatMapRow, column: u16) -> (&'static str, Style) {
        let under = self.state.map.under(column.into());
        match (row.lanes.as_slice(), self.means) {
            ([], _) => (" ", Style::new()),
            ([upper, lower], CellStyle::Halves) => {
                let of = |lane: &Lane| lane.dots.get(under.clone()).and_then(hottest);
                self.halves(["▀", "▄"], (upper, of(upper)), (lower, of(lower)))
            }
            ([lane, ..], CellStyle::Halves) => {
                let dots = lane.dots.get(under).unwrap_or_default();
                let (first, last) = (dots.first().copied(), dots.last().copied());
                if dots.len() > 1 {
                    self.halves(["▌", "▐"], (lane, first), (lane, last))
                } else {
                    self.whole(lane, first)
                }
            }
            (lanes, _) => {
                let mut hot = None;
                for lane in lanes {
                    let dot = lane.dots.get(under.clone()).and_then(hottest);
                    hot = hotter(hot, dot.map(|dot| (lane, dot)));
                }
                match hot {
                    Some((lane, dot)) => self.whole(lane, Some(dot)),
                    None => self.gap(),
                }
            }
        }
    }

    /// One total over several columns stands between brackets: `[!!]`.
    fn bracket(&self, row: &HeatMapRow, column: u16) -> Option<&'static str> {
        let total = |column: Option<u16>| {
            let under = self.state.map.under(column?.into());
            let dots = row
                .lanes
                .iter()
                .filter_map(|lane| lane.dots.get(under.clone()));
            dots.filter_map(hottest).find_map(|dot| dot.total)
        };
        let here = total(Some(column))?;
        let before = |by| total(column.checked_sub(by)) == Some(here);
        match (before(1), total(column.checked_add(1)) == Some(here)) {
            (false, true) => Some("["),
            (true, false) if before(2) => Some("]"),
            _ => None,
        }
    }

    fn gap(&self) -> (&'static str, Style) {
        let theme = &self.cx.theme;
        (shade::gap(theme.glyphs), theme.bar_track)
    }

    /// The sign that lies over a value, if any does.
    fn over(&self, lane: &Lane, dot: Dot) -> Option<&'static str> {
        if dot.is_refused {
            return Some(shade::REFUSED);
        }
        let is_full = lane.full.is_some_and(|full| f64::from(dot.value) >= full);
        let glyphs = self.cx.theme.glyphs;
        (is_full && self.means != CellStyle::Signs).then(|| shade::over(glyphs))
    }

    /// One value in a cell of the screen.
    fn whole(&self, lane: &Lane, dot: Option<Dot>) -> (&'static str, Style) {
        let theme = &self.cx.theme;
        let Some(dot) = dot else { return self.gap() };
        if dot.value.is_nan() {
            if dot.is_refused {
                return (shade::REFUSED, theme.alarm);
            }
            return self.gap();
        }
        let part = self.part(lane, dot.value);
        let over = self.over(lane, dot);
        if self.means == CellStyle::Signs {
            let sign = over.unwrap_or_else(|| self.palette.sign(part, theme.glyphs));
            return (sign, theme.text);
        }
        (over.unwrap_or(" "), self.palette.ground(part))
    }

    /// Two values in a cell of the screen; what is marked takes all of it, and the hotter ground.
    fn halves(
        &self,
        [first, second]: [&'static str; 2],
        (lane_a, a): (&Lane, Option<Dot>),
        (lane_b, b): (&Lane, Option<Dot>),
    ) -> (&'static str, Style) {
        let known = |dot: Option<Dot>| dot.filter(|dot| !dot.value.is_nan());
        let mark = |lane: &Lane, dot: Option<Dot>| dot.and_then(|dot| self.over(lane, dot));
        let marks = [mark(lane_a, a), mark(lane_b, b)];
        let marked = marks.into_iter().flatten();
        // A refusal says more than a full second.
        let over = marked.max_by_key(|sign| *sign == shade::REFUSED);
        if let Some(over) = over {
            let hot = hotter(
                known(a).map(|dot| (lane_a, dot)),
                known(b).map(|dot| (lane_b, dot)),
            );
            let Some((lane, dot)) = hot else {
                return (over, self.cx.theme.alarm);
            };
            return (over, self.palette.ground(self.part(lane, dot.value)));
        }
        let ground = |lane: &Lane, dot: Dot| self.palette.ground(self.part(lane, dot.value)).bg;
        let ink = |lane: &Lane, dot: Dot| {
            let ground = ground(lane, dot);
            ground.map_or(Style::new(), |colour| Style::new().fg(colour))
        };
        match (known(a), known(b)) {
            (None, None) => self.gap(),
            (Some(a), None) => (first, ink(lane_a, a)),
            (None, Some(b)) => (second, ink(lane_b, b)),
            (Some(a), Some(b)) => {
                let style = ink(lane_a, a);
                let below = ground(lane_b, b);
                if ground(lane_a, a) == below {
                    return self.whole(lane_b, Some(b));
                }
                (first, below.map_or(style, |colour| style.bg(colour)))
            }
        }
    }
}

/// The highest of some values; a refusal in any of them counts.
fn hottest(dots: &[Dot]) -> Option<Dot> {
    dots.iter().copied().reduce(|a, b| Dot {
        value: a.value.max(b.value),
        is_refused: a.is_refused || b.is_refused,
        total: a.total.or(b.total),
    })
}

fn hotter<'l>(a: Option<(&'l Lane, Dot)>, b: Option<(&'l Lane, Dot)>) -> Option<(&'l Lane, Dot)> {
    match (a, b) {
        (Some((lane_a, a)), Some((lane_b, b))) => {
            let is_refused = a.is_refused || b.is_refused;
            let (lane, dot) = if b.value > a.value || a.value.is_nan() {
                (lane_b, b)
            } else {
                (lane_a, a)
            };
            Some((lane, Dot { is_refused, ..dot }))
        }
        (a, b) => a.or(b),
    }
}

/// The marker and the name of a row, and its numbers on the right.
pub fn head_of_row(
    state: &HeatState,
    cx: &Cx,
    row: &HeatMapRow,
    line: Rect,
    is_chosen: bool,
    buffer: &mut Buffer,
) {
    let theme = &cx.theme;
    let columns = state.map.columns;
    if is_chosen {
        let style = match state.pane {
            HeatPane::Map => theme.accent,
            HeatPane::Keys => theme.dim,
        };
        let sign = [Span::styled(theme.glyphs.signs().cursor, style)];
        text::left(buffer, text::column(line, 0, 1), &sign, theme);
    }
    let room = text::column(line, MARKER, columns.label);
    text::middle(
        buffer,
        room,
        &theme.glyphs.shown(&row.label),
        theme.text,
        theme,
    );
    let [p99, saturated, storage, size] = columns.beside(line);
    let style = row.p99_mark.map_or(theme.text, |mark| theme.mark(mark));
    let right = |buffer: &mut Buffer, room: Rect, words: &str, style: Style| {
        text::right(
            buffer,
            room,
            &[Span::styled(words.to_owned(), style)],
            theme,
        );
    };
    right(buffer, p99, &row.p99, style);
    if row.level.is_some() && usize::from(p99.width) > row.p99.len() + 1 {
        // One cell a row: from top to bottom they are the other axis of the map.
        let room = text::column(p99, 1, 1);
        sparkline(buffer, room, &[row.level], ChartScale::UpTo(1.0), theme);
    }
    right(buffer, saturated, &row.saturated, theme.text);
    if let Some(share) = row.storage {
        let room = text::column(storage, 1, storage.width.saturating_sub(1));
        bar(buffer, room, share, theme);
        let mark = theme.mark(Mark::of(share));
        right(buffer, size, &row.size, mark);
    }
}

/// The row's words, which the cursor is laid over; the colours of its cells are to be read.
fn columns_without_cells(columns: super::layout::MapColumns, line: Rect) -> Rect {
    text::column(line, 0, columns.cells_at)
}

/// `highest  ▁▂▇█▇▂▁`, `sum …`: all partitions together.
fn totals(state: &HeatState, cx: &Cx, area: Rect, buffer: &mut Buffer) {
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
        let scale = ChartScale::UpTo(if is_share { top.max(1.0) } else { top });
        sparkline(buffer, room, &map.totals, scale, theme);
    }
    let taken = map.columns.cells_at.saturating_sub(1);
    let short = text::shorten(label, taken.into(), theme.glyphs);
    text::left(
        buffer,
        text::column(area, 0, taken),
        &[Span::styled(short, theme.dim)],
        theme,
    );
    let beside = Rect {
        x: cells.right(),
        width: area.right().saturating_sub(cells.right()),
        ..area
    };
    if let Some(unit) = scope.unit().filter(|_| top > 0.0) {
        let words = format!(" {words} {}", names::value(top, unit));
        text::left(buffer, beside, &[Span::styled(words, theme.dim)], theme);
    }
}
