//! The rows of the overview as cells: made when something changed, painted with every frame.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::layout::Column;
use super::rows::{BETWEEN, Row};
use super::sorting::{Direction, Sort};
use crate::analysis::ceiling::{Ceiling, Mark, MarkCounts};
use crate::analysis::findings::Severity;
use crate::analysis::growth::LimitDate;
use crate::analysis::rows::KeyRow;
use crate::analysis::skew::WholeOf;
use crate::model::time::Stamp;
use crate::model::units::{count_text, kib_text, percent_text, rounded_text};
use crate::report::{gib_a_week, limit_date_text};
use crate::ui::kit::cx::{Cx, Veil};
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::list::{RowRole, lay_chosen};
use crate::ui::kit::table::{self, Align, SortMark, TableColumn};
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{bar, limit_date, sign, text};

/// Older samples are shown as such: the service reports several times a day.
const STALE_DAYS: f64 = 7.0;
const DAYS_A_MONTH: f64 = 365.25 / 12.0;
const DAYS_A_YEAR: f64 = 365.25;

/// One row as it is drawn.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::ui::view) struct Painted<C> {
    /// Behind the cursor.
    pub sign: Span<'static>,
    pub cells: Vec<(TableColumn<C>, Cell)>,
    pub role: RowRole,
}

#[derive(Clone, PartialEq, Debug)]
pub(in crate::ui::view) enum Cell {
    Words(String, Style),
    /// Of the 20 GB.
    Bar(f64),
}

/// Of this minute. Our own clock is looked at now and then only: what came since is from after it.
const NOW: &str = "now";
const AHEAD_DAYS: f64 = 1.0 / 1440.0;

/// How old a sample is by the clock, else its date.
pub fn age(newest: Option<Stamp>, now: Option<Stamp>) -> String {
    let Some(newest) = newest else {
        return "–".to_owned();
    };
    let days = now.map(|now| now.days_since(newest));
    // Samples from after now come of a wrong clock or an invented scenario: an age would be nonsense.
    match days.filter(|days| *days >= -AHEAD_DAYS) {
        None => newest.date_text(),
        Some(days) if days < AHEAD_DAYS => NOW.to_owned(),
        Some(days) if days < 1.0 / 24.0 => format!("{} min", rounded_text((days * 1440.0).floor())),
        Some(days) if days < 2.0 => format!("{} h", rounded_text((days * 24.0).floor())),
        Some(days) if days < 100.0 => format!("{} d", rounded_text(days.floor())),
        Some(days) if days < 2.0 * DAYS_A_YEAR => {
            format!("{} mo", rounded_text((days / DAYS_A_MONTH).floor()))
        }
        Some(days) => format!("{} y", rounded_text((days / DAYS_A_YEAR).floor())),
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

/// What is wrong with a container; a note is nothing wrong.
fn severity_sign(severity: Option<Severity>, theme: &Theme) -> Span<'static> {
    let severity = severity.filter(|severity| *severity > Severity::Note);
    severity.map_or_else(
        || Span::raw(" "),
        |severity| Span::styled(sign::severity(severity), theme.severity(severity)),
    )
}

pub(in crate::ui::view) fn known(text: String, theme: &Theme) -> Cell {
    let style = if text == "–" { theme.dim } else { theme.text };
    Cell::Words(text, style)
}

fn date(limit_date: &LimitDate, as_of: Option<Stamp>, theme: &Theme) -> Cell {
    match limit_date {
        LimitDate::Unknown => known("–".to_owned(), theme),
        LimitDate::Over => Cell::Words("over".to_owned(), theme.full),
        LimitDate::Never => Cell::Words("never".to_owned(), theme.dim),
        LimitDate::Date { .. } => Cell::Words(limit_date_text(limit_date, as_of), theme.text),
    }
}

/// `…pier-prod ▸ shop ▸ orders`: accounts differ at their ends, and the container is what is looked for.
fn name_in(name: &str, room: usize, glyphs: Glyphs) -> String {
    let (account, rest) = name.split_once(BETWEEN).unwrap_or(("", name));
    let cut = glyphs.ellipsis();
    let taken = [rest, BETWEEN, cut].map(|part| text::width(part, glyphs));
    let left = room.checked_sub(taken.iter().sum());
    let is_whole = text::width(name, glyphs) <= room;
    let Some(left) = left.filter(|_| !is_whole && !account.is_empty()) else {
        return name.to_owned();
    };
    let skipped = account.chars().count().saturating_sub(left);
    let end: String = account.chars().skip(skipped).collect();
    format!("{cut}{end}{BETWEEN}{rest}")
}

fn cell(row: &Row, at: TableColumn<Column>, cx: &Cx, as_of: Option<Stamp>) -> Cell {
    let theme = &cx.theme;
    let mark = Mark::of(row.share);
    let is_told =
        matches!(at.id, Column::Name | Column::Keys | Column::Size | Column::Growth | Column::Age);
    if cx.veil.is_drawn() && !is_told {
        return known(Veil::SIGN.to_owned(), theme);
    }
    match at.id {
        Column::Name => {
            let name = name_in(&row.name, at.width.into(), theme.glyphs);
            Cell::Words(name, theme.accent)
        }
        Column::Finding => match row.finding.text(at.width.into()) {
            none if none.is_empty() => known("–".to_owned(), theme),
            text => Cell::Words(text, theme.text),
        },
        Column::Keys | Column::Bar | Column::Largest | Column::Percent if row.keys == 0 => {
            known("–".to_owned(), theme)
        }
        Column::Keys => Cell::Words(count_text(row.keys), theme.text),
        Column::Largest => Cell::Words(kib_text(row.largest_kib), theme.text),
        Column::Percent => Cell::Words(percent_text(row.share), theme.mark(mark)),
        Column::Marks => known(marks(row.marks), theme),
        Column::Size => known(size(row), theme),
        Column::Growth => known(gib_a_week(row.growth.as_ref()), theme),
        Column::Date => date(&row.limit_date, as_of, theme),
        Column::Hottest => match &row.hottest {
            None => known("–".to_owned(), theme),
            Some((words, _, mark)) => Cell::Words(words.clone(), theme.mark(*mark)),
        },
        Column::Age if is_stale(row.newest, cx.now) => {
            Cell::Words(age(row.newest, cx.now), theme.stale)
        }
        Column::Age => known(age(row.newest, cx.now), theme),
        Column::Bar => Cell::Bar(row.share),
    }
}

/// A container's row, ready to be drawn.
pub(super) fn container(
    row: &Row,
    placed: &[TableColumn<Column>],
    cx: &Cx,
    role: RowRole,
) -> Painted<Column> {
    let as_of = cx.data.as_ref().and_then(|data| data.report.as_of);
    let cells = placed.iter().map(|at| (*at, cell(row, *at, cx, as_of)));
    Painted {
        sign: severity_sign(row.severity.filter(|_| !cx.veil.is_drawn()), &cx.theme),
        cells: cells.collect(),
        role,
    }
}

/// A key that was found in a container.
pub(super) fn found_key(
    row: &Row,
    key: &KeyRow,
    placed: &[TableColumn<Column>],
    cx: &Cx,
    role: RowRole,
) -> Painted<Column> {
    let theme = &cx.theme;
    let as_of = cx.data.as_ref().and_then(|data| data.report.as_of);
    let cell = |at: &TableColumn<Column>| match at.id {
        Column::Name => Cell::Words(format!("{} ▸", row.name), theme.dim),
        Column::Finding => Cell::Words(cx.mask.key_text(key.key.as_deref()), theme.found),
        Column::Bar => Cell::Bar(key.share),
        Column::Percent => Cell::Words(percent_text(key.share), theme.mark(key.mark())),
        Column::Date => date(&key.limit_date, as_of, theme),
        Column::Growth => known(gib_a_week(key.growth.as_ref()), theme),
        Column::Age => known(age(key.sampled_at, cx.now), theme),
        Column::Largest => Cell::Words(kib_text(key.size_kib), theme.text),
        Column::Hottest | Column::Keys | Column::Size | Column::Marks => {
            Cell::Words(String::new(), theme.dim)
        }
    };
    Painted { sign: Span::raw(" "), cells: placed.iter().map(|at| (*at, cell(at))).collect(), role }
}

impl<C: Copy + PartialEq> Painted<C> {
    pub(in crate::ui::view) fn draw(&self, buffer: &mut Buffer, line: Rect, theme: &Theme) {
        let cursor = match self.role {
            RowRole::Chosen => Span::styled(theme.glyphs.signs().cursor, theme.accent),
            RowRole::Other => Span::raw(" "),
        };
        let lead = [cursor, Span::raw(" "), self.sign.clone()];
        text::left(buffer, line, &lead, theme);
        for (column, cell) in &self.cells {
            match cell {
                Cell::Bar(share) => bar::bar(buffer, column.area(line), *share, theme),
                Cell::Words(words, style) if column.align == Align::Left => {
                    text::middle(buffer, column.area(line), words, *style, theme);
                }
                Cell::Words(words, style) => {
                    let shown = limit_date::fitting(words, column.width.into(), theme.glyphs);
                    column.cell(buffer, line, &[Span::styled(shown, *style)], theme);
                }
            }
        }
        if self.role == RowRole::Chosen {
            lay_chosen(buffer, line, theme.cursor_row);
        }
    }
}

/// The mark that the heading of the sorted column bears.
pub(super) fn sort_mark(sort: Sort) -> SortMark {
    match sort.direction {
        Direction::First => SortMark::Descending,
        Direction::Turned => SortMark::Ascending,
    }
}

/// The labels above the columns; the one that sorts says which way.
pub(super) fn labels(
    buffer: &mut Buffer,
    line: Rect,
    placed: &[TableColumn<Column>],
    sort: Sort,
    ceiling: Ceiling,
    theme: &Theme,
) {
    let name = |column: &TableColumn<Column>| match column.id {
        Column::Marks if theme.glyphs == Glyphs::Ascii => "70+ 90+ full",
        _ => ceiling.heading(column.heading),
    };
    let sorted = Some((sort.by.column(), sort_mark(sort)));
    table::headings(buffer, line, placed, name, sorted, theme);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_container_and_the_end_of_its_account() {
        let name = "northpier-prod ▸ shop ▸ orders";
        for (room, expected) in [
            (30, name),
            (26, "…pier-prod ▸ shop ▸ orders"),
            (17, "… ▸ shop ▸ orders"),
            // What has no room is cut where it is drawn.
            (16, name),
        ] {
            assert_eq!(name_in(name, room, Glyphs::Unicode), expected, "{room}");
        }
        assert_eq!(name_in("orders of customers", 9, Glyphs::Unicode), "orders of customers");
    }
}
