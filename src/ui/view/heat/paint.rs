//! The map as it is painted: rows of cells, what was throttled in them, totals.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;
use std::ops::Range;

use super::layout::{HeatAreas, HeatPane, MARKER};
use super::levels::{self, ColumnLevel};
use super::map::{Dot, HeatMapRow, Lane};
use super::readout::Pin;
use super::scope::HeatScope;
use super::shade::{self, CellStyle, Palette, means};
use super::{axis, legend, storage, throttled};
use crate::analysis::ceiling::Mark;
use crate::analysis::heat::Unit;
use crate::ui::kit::action::Action;
use crate::ui::kit::chart::sparkline;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::list::lay_chosen;
use crate::ui::kit::{sign, text};
use crate::ui::view::heat::HeatState;

/// Two values of which one is no more than this above the other, of all there is, share the shade of the higher one:
/// a difference that nobody acts on is no edge.
const NEAR: f64 = 0.05;

pub fn draw(state: &HeatState, cx: &Cx, areas: &HeatAreas, buffer: &mut Buffer) {
    axis::draw(state, cx, areas.axis, buffer);
    if state.map.window.is_none() && state.scope.is_some() {
        nothing(cx, areas.map, buffer);
        return;
    }
    rows(state, cx, areas, buffer);
    axis::totals(state, cx, areas.totals, buffer);
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
            "The inputs have no load over time. It comes from the metric NormalizedRUConsumption split by \
             PartitionKeyRangeId, or from the diagnostic logs PartitionKeyRUConsumption and DataPlaneRequests: export \
             one and open it together with these files. {chart} shows storage, then hash ranges."
        )
    };
    text::paragraph(buffer, area, &words, theme.text, theme);
}

/// The column of the map in which the chosen cell begins.
pub fn cursor_column(state: &HeatState) -> Option<u16> {
    column_of_cell(state, state.map.cursor?)
}

fn column_of_cell(state: &HeatState, cell: usize) -> Option<u16> {
    u16::try_from(state.map.column(cell)).ok()
}

pub fn column_of(state: &HeatState, second: i64) -> Option<u16> {
    let window = state.map.window?;
    let passed = second.saturating_sub(window.from) / i64::from(window.width_s.max(1));
    let last = window.columns.saturating_sub(1);
    let cell = usize::try_from(passed.max(0)).unwrap_or(last).min(last);
    column_of_cell(state, cell)
}

fn rows(state: &HeatState, cx: &Cx, areas: &HeatAreas, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let look = state.look;
    let scope = state.scope.as_ref();
    let cell_lines = cell_lines(state, areas.lines);
    let painter = Painter {
        state,
        cx,
        palette: Palette::of(theme, look, legend::scale(state)),
        means: means(theme),
        highest: scope.map_or(0.0, |scope| scope.highest),
        is_absolute: legend::scale(state) == shade::ShadeScale::Absolute,
        has_429_line: cell_lines < areas.lines,
        cell_lines,
        cursor: cursor_column(state),
        pin: state.pin.as_ref(),
    };
    for (at, row) in state.map.rows.iter().enumerate().take(areas.map_rows()) {
        let lines = areas.lines_of(at);
        let is_chosen = state.cursor.first + at == state.cursor.chosen;
        painter.row(row, lines, is_chosen, buffer);
        storage::draw_names(state, cx, at, lines, buffer);
    }
    let count = super::map::rows(state);
    sign::scroll(buffer, areas.map, state.cursor.first, count, theme);
}

/// Lines of cells in a row: from two lines on the last one is for what was refused, where anything was.
pub fn cell_lines(state: &HeatState, lines: u16) -> u16 {
    let is_throttled = state.scope.as_ref().is_some_and(|scope| scope.is_throttled);
    lines - u16::from(lines > 1 && is_throttled)
}

/// Which signs lie over the ground of a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CellSigns {
    None,
    /// That all of it is used.
    Full,
    /// Refused requests, too.
    All,
}

struct Painter<'a> {
    state: &'a HeatState,
    cx: &'a Cx,
    palette: Palette,
    means: CellStyle,
    highest: f64,
    is_absolute: bool,
    /// Whether what was throttled has the last line of a row.
    has_429_line: bool,
    cell_lines: u16,
    cursor: Option<u16>,
    pin: Option<&'a Pin>,
}

impl Painter<'_> {
    /// ```text
    /// ▶ 0            ▌      ▲▲▲▲▲▲▲▲▲▲▲▲▲▲   █ 100 %  36 min ██████▓▓░░│░░│ 21.90
    ///                20 %   ·                                █ contoso 15.11
    ///   429s, 5 min         [!! 58/s !!]                     ▓ vanarsdel 3.72
    /// ```
    fn row(&self, row: &HeatMapRow, lines: Rect, is_chosen: bool, buffer: &mut Buffer) {
        let theme = &self.cx.theme;
        let columns = self.state.map.columns;
        let line = text::row(lines, 0);
        head_of_row(self.state, self.cx, row, line, is_chosen, buffer);
        self.cells(row, columns.cells(lines), buffer);
        if self.has_429_line {
            let line = text::row(lines, self.cell_lines);
            throttled::draw(self.state, self.cx, row, line, buffer);
        }
        let cells = columns.cells(line);
        if is_chosen {
            // Over the words alone: the colours of its cells are to be read.
            let words = text::column(lines, 0, columns.cells_at);
            lay_chosen(buffer, words, theme.cursor_row);
            let sign = (self.cursor, theme.glyphs.signs().marked);
            self.mark(row, cells, sign, buffer);
        }
        if let Some(pin) = self.pin.filter(|pin| pin.label == row.label) {
            let column = column_of(self.state, pin.from);
            let sign = (column, theme.glyphs.signs().dot);
            self.mark(row, cells, sign, buffer);
        }
    }

    /// The first line has the signs of what is over, the last one of several the values where they change.
    fn cells(&self, row: &HeatMapRow, area: Rect, buffer: &mut Buffer) {
        let width = u16::try_from(self.state.map.width()).unwrap_or(u16::MAX);
        let mut is_429 = false;
        for column in 0..width.min(area.width) {
            let first = self.first_line(row, column, is_429);
            is_429 = first.0 == shade::THROTTLED;
            put(buffer, (area.x + column, area.y), first.0, first.1);
            if self.cell_lines < 2 {
                continue;
            }
            let plain = self.cell(row, column, CellSigns::None);
            for line in 1..self.cell_lines {
                put(buffer, (area.x + column, area.y + line), plain.0, plain.1);
            }
        }
        if self.cell_lines > 1 {
            let line =
                Rect { y: area.y + self.cell_lines - 1, width: width.min(area.width), ..area };
            self.levels(row, line, buffer);
        }
    }

    fn levels(&self, row: &HeatMapRow, line: Rect, buffer: &mut Buffer) {
        let level = |column: u16| {
            let (of, dot) = hot(row, self.state.map.under(column.into()))?;
            let value = f64::from(dot.value);
            Some(ColumnLevel {
                value,
                part: self.part(of, dot.value),
                is_full: of.full.is_some_and(|full| value >= full),
            })
        };
        let levels: Vec<_> = (0..line.width).map(level).collect();
        let unit = self.state.scope.as_ref().and_then(HeatScope::unit);
        for (at, words) in levels::labels(&levels, unit.unwrap_or(Unit::Share)) {
            let columns = words.chars().zip(levels.iter().zip(line.x..).skip(at));
            for (sign, (level, x)) in columns {
                let style = match (self.means, level) {
                    (CellStyle::Signs, _) | (_, None) => self.cx.theme.text,
                    (_, Some(level)) => self.palette.background(level.part),
                };
                put(buffer, (x, line.y), sign.encode_utf8(&mut [0; 4]), style);
            }
        }
    }

    /// Where there is no line for them, refusals stand over the cells; without colours only over every other one, so that
    /// the level is to be seen between them.
    fn first_line(
        &self,
        row: &HeatMapRow,
        column: u16,
        is_after_429: bool,
    ) -> (&'static str, Style) {
        if self.has_429_line || self.means == CellStyle::Signs && is_after_429 {
            return self.cell(row, column, CellSigns::Full);
        }
        let (symbol, style) = self.cell(row, column, CellSigns::All);
        let bracket = (symbol == shade::THROTTLED).then(|| self.bracket(row, column));
        (bracket.flatten().unwrap_or(symbol), style)
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
        let style = match hot(row, under) {
            Some((lane, dot)) if self.means != CellStyle::Signs => {
                self.palette.background(self.part(lane, dot.value))
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

    fn cell(&self, row: &HeatMapRow, column: u16, signs: CellSigns) -> (&'static str, Style) {
        let under = self.state.map.under(column.into());
        match (row.lanes.as_slice(), self.means) {
            ([], _) => (" ", Style::new()),
            ([upper, lower], CellStyle::Halves) => {
                let of = |lane: &Lane| lane.dots.get(under.clone()).and_then(hottest);
                self.halves(["▀", "▄"], (upper, of(upper)), (lower, of(lower)), signs)
            }
            ([lane, ..], CellStyle::Halves) => {
                let dots = lane.dots.get(under).unwrap_or_default();
                let (first, last) = (dots.first().copied(), dots.last().copied());
                if dots.len() > 1 {
                    self.halves(["▌", "▐"], (lane, first), (lane, last), signs)
                } else {
                    self.whole(lane, first, signs)
                }
            }
            (lanes, _) => {
                let mut hot = None;
                for lane in lanes {
                    let dot = lane.dots.get(under.clone()).and_then(hottest);
                    hot = hotter(hot, dot.map(|dot| (lane, dot)));
                }
                match hot {
                    Some((lane, dot)) => self.whole(lane, Some(dot), signs),
                    None => self.gap(),
                }
            }
        }
    }

    /// One total over several columns stands between brackets: `[!!]`.
    fn bracket(&self, row: &HeatMapRow, column: u16) -> Option<&'static str> {
        let total = |column: Option<u16>| {
            let under = self.state.map.under(column?.into());
            let totals = Some(&row.throttled_totals);
            let totals = totals.filter(|totals| throttled::has_ends(&self.state.map, totals))?;
            let at = totals.partition_point(|total| total.cells.end <= under.start);
            let found = totals.get(at)?;
            (found.cells.start < under.end).then_some(at)
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
    fn over(&self, lane: &Lane, dot: Dot, signs: CellSigns) -> Option<&'static str> {
        match signs {
            CellSigns::None => return None,
            CellSigns::All if dot.is_refused => return Some(shade::THROTTLED),
            CellSigns::All | CellSigns::Full => {}
        }
        let is_full = lane.full.is_some_and(|full| f64::from(dot.value) >= full);
        let glyphs = self.cx.theme.glyphs;
        (is_full && self.means != CellStyle::Signs).then(|| shade::over(glyphs))
    }

    /// One value in a cell of the screen.
    fn whole(&self, lane: &Lane, dot: Option<Dot>, signs: CellSigns) -> (&'static str, Style) {
        let theme = &self.cx.theme;
        let Some(dot) = dot else { return self.gap() };
        if dot.value.is_nan() {
            if dot.is_refused && signs == CellSigns::All {
                return (shade::THROTTLED, theme.alarm);
            }
            return self.gap();
        }
        let part = self.part(lane, dot.value);
        let over = self.over(lane, dot, signs);
        if self.means == CellStyle::Signs {
            let sign = over.unwrap_or_else(|| self.palette.sign(part, theme.glyphs));
            return (sign, theme.text);
        }
        (over.unwrap_or(" "), self.palette.background(part))
    }

    /// Two values in a cell of the screen; what is marked takes all of it, and the hotter ground.
    fn halves(
        &self,
        [first, second]: [&'static str; 2],
        (lane_a, a): (&Lane, Option<Dot>),
        (lane_b, b): (&Lane, Option<Dot>),
        signs: CellSigns,
    ) -> (&'static str, Style) {
        let known = |dot: Option<Dot>| dot.filter(|dot| !dot.value.is_nan());
        let mark = |lane: &Lane, dot: Option<Dot>| dot.and_then(|dot| self.over(lane, dot, signs));
        let marks = [mark(lane_a, a), mark(lane_b, b)];
        let marked = marks.into_iter().flatten();
        // A refusal says more than a full second.
        let over = marked.max_by_key(|sign| *sign == shade::THROTTLED);
        if let Some(over) = over {
            let hot = hotter(known(a).map(|dot| (lane_a, dot)), known(b).map(|dot| (lane_b, dot)));
            let Some((lane, dot)) = hot else {
                return (over, self.cx.theme.alarm);
            };
            return (over, self.palette.background(self.part(lane, dot.value)));
        }
        let background =
            |lane: &Lane, dot: Dot| self.palette.background(self.part(lane, dot.value)).bg;
        let ink = |lane: &Lane, dot: Dot| {
            let background = background(lane, dot);
            background.map_or(Style::new(), |colour| Style::new().fg(colour))
        };
        match (known(a), known(b)) {
            (None, None) => self.gap(),
            (Some(a), None) => (first, ink(lane_a, a)),
            (None, Some(b)) => (second, ink(lane_b, b)),
            (Some(a), Some(b)) => {
                let style = ink(lane_a, a);
                let below = background(lane_b, b);
                let parts = [self.part(lane_a, a.value), self.part(lane_b, b.value)];
                let is_near = (parts[0] - parts[1]).abs() < NEAR;
                let [band_a, band_b] = parts.map(Mark::of);
                if background(lane_a, a) == below || is_near && band_a == band_b {
                    let (lane, dot) = if parts[0] > parts[1] { (lane_a, a) } else { (lane_b, b) };
                    return self.whole(lane, Some(dot), signs);
                }
                (first, below.map_or(style, |colour| style.bg(colour)))
            }
        }
    }
}

pub fn put(buffer: &mut Buffer, position: (u16, u16), symbol: &str, style: Style) {
    if let Some(cell) = buffer.cell_mut(position) {
        cell.set_symbol(symbol);
        cell.set_style(style);
    }
}

/// The highest of some values; a refusal in any of them counts.
fn hottest(dots: &[Dot]) -> Option<Dot> {
    dots.iter().copied().reduce(|a, b| Dot {
        value: a.value.max(b.value),
        is_refused: a.is_refused || b.is_refused,
    })
}

/// The highest value under a column, and its lane.
fn hot(row: &HeatMapRow, under: Range<usize>) -> Option<(&Lane, Dot)> {
    let mut hot = None;
    for lane in &row.lanes {
        let dot = lane.dots.get(under.clone()).and_then(hottest);
        hot = hotter(hot, dot.map(|dot| (lane, dot)));
    }
    hot.filter(|(_, dot)| !dot.value.is_nan())
}

fn hotter<'l>(a: Option<(&'l Lane, Dot)>, b: Option<(&'l Lane, Dot)>) -> Option<(&'l Lane, Dot)> {
    match (a, b) {
        (Some((lane_a, a)), Some((lane_b, b))) => {
            let is_refused = a.is_refused || b.is_refused;
            let (lane, dot) =
                if b.value > a.value || a.value.is_nan() { (lane_b, b) } else { (lane_a, a) };
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
    let mut room = text::column(line, MARKER, columns.label);
    let label = theme.glyphs.shown(&row.label);
    let both = text::width(&label, theme.glyphs) + 1 + row.forbidden.len();
    // The line below the map tells how many.
    let is_room = both <= room.width.into();
    let shown = if is_room { row.forbidden.len() } else { 4 };
    let forbidden = row.forbidden.get(..shown).unwrap_or_default();
    let forbidden = [Span::styled(forbidden, theme.alarm)];
    let taken = text::right(buffer, room, &forbidden, theme);
    room.width = room.width.saturating_sub(taken + u16::from(taken > 0));
    text::middle(buffer, room, &label, theme.text, theme);
    let [p99, saturated, _, size] = columns.beside(line);
    let mark = row.p99_mark.filter(|_| !cx.veil.is_drawn());
    let style = mark.map_or(theme.text, |mark| theme.mark(mark));
    let right = |buffer: &mut Buffer, room: Rect, words: &str, style: Style| {
        text::right(buffer, room, &[Span::styled(words, style)], theme);
    };
    right(buffer, p99, cx.veil.over(&row.p99), style);
    if mark.is_some() && usize::from(p99.width) > row.p99.len() + 2 {
        // One cell a row: from top to bottom they are the other axis of the map.
        let room = text::column(p99, 1, 1);
        sparkline(buffer, room, &[row.level], 1.0, theme);
    }
    right(buffer, saturated, cx.veil.over(&row.saturated), theme.text);
    if let Some(share) = row.storage {
        let mark = theme.mark(Mark::of(share));
        right(buffer, size, &row.size, mark);
    }
}
