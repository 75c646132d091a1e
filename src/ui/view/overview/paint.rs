//! The rows of the overview as cells: made when something changed, painted with every frame.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::layout::{Column, PlacedColumn};
use super::rows::Row;
use super::sorting::{Direction, Sort};
use crate::analysis::ceiling::{Ceiling, Mark, MarkCounts, Reading};
use crate::analysis::growth::Wall;
use crate::analysis::skew::WholeOf;
use crate::model::time::Stamp;
use crate::model::units::{count_text, kib_text, percent_text, rounded_text};
use crate::report::{gib_a_week, wall_text};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::list::{RowRole, lay_chosen};
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{bar, limit_date, sign, text};

/// Columns that a finding of its own row stands in.
const FINDING_INDENT: u16 = 4;
/// Older readings are shown as such: the service reports several times a day.
const STALE_DAYS: f64 = 7.0;
const DAYS_A_MONTH: f64 = 365.25 / 12.0;
const DAYS_A_YEAR: f64 = 365.25;

/// One container as it is drawn.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Painted {
    cells: Vec<Cell>,
    share: f64,
    findings: Vec<Vec<Span<'static>>>,
    standing: RowRole,
}

#[derive(Clone, PartialEq, Debug)]
struct Cell {
    at: PlacedColumn,
    text: String,
    style: Style,
}

/// Of this minute. Our own clock is looked at now and then only: what came since is from after it.
const NOW: &str = "now";
const AHEAD_DAYS: f64 = 1.0 / 1440.0;

/// How old a reading is by the clock, else its date.
pub fn age(newest: Option<Stamp>, now: Option<Stamp>) -> String {
    let Some(newest) = newest else {
        return "–".to_owned();
    };
    let days = now.map(|now| now.days_since(newest));
    // Readings from after now come of a wrong clock or an invented scenario: an age would be nonsense.
    match days.filter(|days| *days >= -AHEAD_DAYS) {
        None => newest.date_text(),
        Some(days) if days < AHEAD_DAYS => NOW.to_owned(),
        Some(days) if days < 1.0 / 24.0 => format!("{} min", rounded_text((days * 1440.0).floor())),
        Some(days) if days < 2.0 => format!("{} h", rounded_text((days * 24.0).floor())),
        Some(days) if days < 100.0 => format!("{} d", rounded_text(days.floor())),
        Some(days) if days < 2.0 * DAYS_A_YEAR => {
            format!("{} mo", rounded_text((days / DAYS_A_MONTH).floor()))
        }
        Some(days) => format!("{} years", rounded_text((days / DAYS_A_YEAR).floor())),
    }
}

pub fn is_stale(newest: Option<Stamp>, now: Option<Stamp>) -> bool {
    let days = newest.zip(now).map(|(newest, now)| now.days_since(newest));
    days.is_some_and(|days| days > STALE_DAYS)
}

/// `3 2 1`, each number in the column of its mark; a dash where nothing passed any.
fn marks(marks: MarkCounts) -> String {
    if marks.warn == 0 {
        return "–".to_owned();
    }
    let [warn, alarm, full] = [marks.warn, marks.alarm, marks.full].map(short_count);
    format!("{warn:>3} {alarm:>3} {full:>4}")
}

fn short_count(n: u64) -> String {
    match n {
        0..=999 => n.to_string(),
        1000..=999_999 => format!("{}k", n / 1000),
        _ => format!("{}M", n / 1_000_000),
    }
}

fn size(row: &Row) -> String {
    match (row.size_kib, row.size_of) {
        (None, _) => "–".to_owned(),
        (Some(kib), WholeOf::Container) => kib_text(kib),
        (Some(kib), WholeOf::ReportedKeys) => format!("≥{}", kib_text(kib)),
    }
}

fn cell(row: &Row, at: PlacedColumn, cx: &Cx, as_of: Option<Stamp>) -> Option<Cell> {
    let theme = &cx.theme;
    let mark = Mark::of(row.share);
    let known = |text: String| {
        let style = if text == "–" { theme.dim } else { theme.text };
        (text, style)
    };
    let (text, style) = match at.column {
        Column::Name => (row.name.clone(), theme.accent),
        Column::Keys => (count_text(row.keys), theme.text),
        Column::Largest | Column::Percent if row.keys == 0 => known("–".to_owned()),
        Column::Largest => (kib_text(row.largest_kib), theme.text),
        Column::Percent => (percent_text(row.share), theme.mark(mark)),
        Column::Marks => known(marks(row.marks)),
        Column::Size => known(size(row)),
        Column::Growth => known(gib_a_week(row.growth.as_ref())),
        Column::Wall => match row.wall {
            Wall::Unknown => known("–".to_owned()),
            Wall::Over => (wall_text(&row.wall, as_of), theme.full),
            Wall::Never | Wall::Date { .. } => (wall_text(&row.wall, as_of), theme.text),
        },
        Column::Age if is_stale(row.newest, cx.now) => (age(row.newest, cx.now), theme.stale),
        Column::Age => known(age(row.newest, cx.now)),
        Column::Bar | Column::Finding => return None,
    };
    Some(Cell { at, text, style })
}

/// A container's row, ready to be drawn, with so many lines of what is to be said of it.
pub(super) fn painted(
    row: &Row,
    placed: &[PlacedColumn],
    cx: &Cx,
    standing: RowRole,
    lines: u16,
) -> Painted {
    let as_of = cx.data.as_ref().and_then(|data| data.report.as_of);
    let cells = placed.iter().filter_map(|at| cell(row, *at, cx, as_of));
    let theme = &cx.theme;
    let line = |(mark, words): (Option<Mark>, &str)| {
        let style = match mark {
            None | Some(Mark::Below) => theme.dim,
            Some(_) => theme.text,
        };
        let sign = mark.map_or(Span::raw("  "), |mark| sign::mark_sign(mark, theme));
        let mut spans = vec![sign, Span::raw(" ")];
        spans.extend(text::coded(words, style, theme));
        spans
    };
    let said = row.lines().into_iter().take(lines.into());
    Painted {
        cells: cells.collect(),
        share: row.share,
        findings: said.map(line).collect(),
        standing,
    }
}

impl Painted {
    /// Rows that it takes, where a container takes `rows_each` for itself and one finding.
    pub(super) fn height(&self, rows_each: u16) -> u16 {
        let more = self.findings.len().saturating_sub(1);
        rows_each.saturating_add(u16::try_from(more).unwrap_or(0))
    }

    pub(super) fn draw(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        placed: &[PlacedColumn],
        theme: &Theme,
    ) {
        let line = text::row(area, 0);
        if self.standing == RowRole::Chosen {
            let sign = [Span::styled(theme.glyphs.signs().cursor, theme.accent)];
            text::left(buffer, line, &sign, theme);
        }
        for cell in &self.cells {
            let room = text::column(line, cell.at.start, cell.at.width);
            if cell.at.column == Column::Name {
                text::middle(buffer, room, &cell.text, cell.style, theme);
            } else {
                let shown = limit_date::fitting(&cell.text, room.width.into(), theme.glyphs);
                let spans = [Span::styled(shown, cell.style)];
                text::right(buffer, room, &spans, theme);
            }
        }
        let at = |column| placed.iter().find(|at| at.column == column);
        if let Some(at) = at(Column::Bar) {
            bar::bar(
                buffer,
                text::column(line, at.start, at.width),
                self.share,
                theme,
            );
        }
        let column = at(Column::Finding);
        for (finding, index) in self.findings.iter().zip(0..) {
            let room = if let Some(at) = column {
                text::column(text::row(area, index), at.start, at.width)
            } else {
                let below = text::row(area, index + 1);
                let width = below.width.saturating_sub(FINDING_INDENT + 1);
                text::column(below, FINDING_INDENT, width)
            };
            text::left(buffer, room, finding, theme);
        }
        if self.standing == RowRole::Chosen {
            lay_chosen(buffer, area, theme.cursor_row);
        }
    }
}

/// The labels above the columns; the one that sorts says which way.
pub(super) fn labels(
    buffer: &mut Buffer,
    line: Rect,
    placed: &[PlacedColumn],
    sort: Sort,
    ceiling: Ceiling,
    theme: &Theme,
) {
    let signs = theme.glyphs.signs();
    for at in placed {
        let mut label = match (at.column, ceiling.reading()) {
            (Column::Bar, Reading::Given) => "of limit".to_owned(),
            (Column::Marks, _) if theme.glyphs == Glyphs::Ascii => "70+ 90+ 100+".to_owned(),
            (column, _) => column.label().to_owned(),
        };
        if sort.by.column() == Some(at.column) {
            let arrow = match sort.direction {
                Direction::First => signs.down,
                Direction::Turned => signs.up,
            };
            label.push_str(arrow);
        }
        let spans = [Span::styled(label, theme.title)];
        let room = text::column(line, at.start, at.width);
        match at.column {
            Column::Name | Column::Bar | Column::Finding => text::left(buffer, room, &spans, theme),
            _ => text::right(buffer, room, &spans, theme),
        };
    }
}
