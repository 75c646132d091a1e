//! The list of paths, and below or beside it what is known of the chosen one.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::Span;

use super::PathsState;
use super::path_table::{PathTable, PathText};
use crate::analysis::ceiling::Mark;
use crate::analysis::paths::Fitness;
use crate::ui::kit::bar::plain_bar;
use crate::ui::kit::list::lay_chosen;
use crate::ui::kit::panel::Focus;
use crate::ui::kit::table::{Align, ColumnSpec, TableColumn, fit, headings};
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{sign, text};
use crate::ui::view::trial::pane;

/// From here on the chosen path stands beside the list instead of below it.
const BESIDE_COLUMNS: u16 = 118;
/// Lower rooms hold the list alone.
const BOTH_ROWS: u16 = 10;
/// The cursor and the sign of fitness.
const SIGNS: u16 = 4;
const MOST_PATH: u16 = 48;

/// Where the list and what is told of the chosen path lie.
fn parts(inner: Rect) -> [Rect; 3] {
    let [left, about] = if inner.width >= BESIDE_COLUMNS {
        let columns = [Constraint::Percentage(60), Constraint::Fill(1)];
        Layout::horizontal(columns).spacing(2).areas(inner)
    } else if inner.height >= BOTH_ROWS {
        let rows = [Constraint::Length(inner.height / 2), Constraint::Fill(1)];
        Layout::vertical(rows).spacing(1).areas(inner)
    } else {
        [inner, Rect::ZERO]
    };
    let headings = Constraint::Length(u16::from(left.height >= 3));
    let [headings, list] = Layout::vertical([headings, Constraint::Fill(1)]).areas(left);
    [headings, list, about]
}

/// The room of the rows.
pub fn list(area: Rect) -> Rect {
    let [_, list, _] = parts(pane::inside(area));
    list
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Column {
    Path,
    Kinds,
    Distinct,
    Missing,
    Top,
    Example,
}

fn columns(width: u16, made: &PathTable) -> Vec<TableColumn<Column>> {
    let longest = made.rows.iter().map(|row| row.path.chars().count()).max();
    let path = u16::try_from(longest.unwrap_or(0)).unwrap_or(u16::MAX);
    let specs = [
        ColumnSpec::new(Column::Path, "path", 16, path.clamp(16, MOST_PATH), 0, Align::Left),
        ColumnSpec::new(Column::Kinds, "types", 13, 25, 3, Align::Left),
        ColumnSpec::new(Column::Distinct, "distinct", 9, 21, 1, Align::Right),
        ColumnSpec::new(Column::Missing, "missing", 8, 8, 2, Align::Right),
        ColumnSpec::new(Column::Top, "top", 7, 7, 4, Align::Right),
        ColumnSpec::new(Column::Example, "example", 20, u16::MAX, 5, Align::Left),
    ];
    fit(&specs, SIGNS, width)
}

/// ```text
/// ─ paths ─────────────────────────────────────────── 100,000 documents ─
///    path                 types                    distinct   missing
/// ▶✓ /deviceId            text                          210     0.0 %
///  △ /status              text 98.0 % · null 2.0 %        4     1.0 %
///
/// warn  /status looks like a state that documents pass through: …
/// open      ████████████████████████████████       61.0 %  61,000
/// ```
pub fn draw(
    buffer: &mut Buffer,
    area: Rect,
    made: &PathTable,
    state: &PathsState,
    focus: Focus,
    theme: &Theme,
) {
    let title = match (state.filter(), state.len()) {
        ("", _) => "paths".to_owned(),
        (_, n) => format!("paths, filtered: {n} of {}", made.rows.len()),
    };
    let inner = pane::draw(buffer, area, (&title, &made.documents), focus, theme);
    let [head, list, foot] = parts(inner);
    if state.is_empty() {
        let words = if made.rows.is_empty() {
            "The documents have no property that a key could be made of."
        } else {
            "No path has that text."
        };
        text::paragraph(buffer, list, words, theme.dim, theme);
        return;
    }
    let columns = columns(list.width, made);
    headings(buffer, head, &columns, |column| column.heading, None, theme);
    for ((place, row), index) in state.seen(list.height).zip(0..) {
        let line = text::row(list, index);
        let Some(row) = made.rows.get(row) else {
            continue;
        };
        let fitness = [fitness_sign(row.fitness, theme)];
        text::left(buffer, text::column(line, 2, 1), &fitness, theme);
        for column in &columns {
            draw_cell(buffer, line, *column, row, theme);
        }
        if place == state.cursor.chosen {
            if focus == Focus::Here {
                let sign = [Span::styled(theme.glyphs.signs().cursor, theme.accent)];
                text::left(buffer, text::column(line, 0, 1), &sign, theme);
            }
            lay_chosen(buffer, line, theme.cursor_row);
        }
    }
    let side = pane::with_side(list).intersection(area);
    sign::scroll(buffer, side, state.cursor.first, state.len(), theme);
    if let Some(row) = state.chosen().and_then(|row| made.rows.get(row)) {
        about(buffer, foot, row, theme);
    }
}

fn draw_cell(
    buffer: &mut Buffer,
    line: Rect,
    column: TableColumn<Column>,
    row: &PathText,
    theme: &Theme,
) {
    let cut = |words: &str| text::shorten(words, column.width.into(), theme.glyphs);
    let outside =
        |words: &str, style: Style| text::coded(&cut(&theme.glyphs.shown(words)), style, theme);
    let missing = if row.is_missing { theme.warning } else { theme.dim };
    let path = match row.fitness {
        Fitness::Unfit => theme.dim,
        Fitness::Fit | Fitness::WithCare => theme.text,
    };
    let (words, style) = match column.id {
        Column::Path => return column.cell(buffer, line, &outside(&row.path, path), theme),
        Column::Example => {
            return column.cell(buffer, line, &outside(&row.example, theme.dim), theme);
        }
        Column::Kinds => (&row.kinds, theme.text),
        Column::Distinct => (&row.distinct, theme.text),
        Column::Missing => (&row.missing, missing),
        Column::Top => (&row.commonest, theme.text),
    };
    column.words(buffer, line, &cut(&theme.glyphs.sentence(words)), style, theme);
}

/// Told without colour.
fn fitness_sign(fitness: Fitness, theme: &Theme) -> Span<'static> {
    match fitness {
        Fitness::Fit => Span::styled(theme.glyphs.signs().tick, theme.good),
        Fitness::WithCare => sign::mark_sign(Mark::Warn, theme),
        Fitness::Unfit => Span::styled(theme.glyphs.signs().cross, theme.alarm),
    }
}

/// What is told of the chosen path: what speaks against it, then its commonest values.
fn about(buffer: &mut Buffer, room: Rect, row: &PathText, theme: &Theme) {
    let mut taken = 0;
    let rest = |taken: u16| text::rows(room, taken, room.height);
    let name = theme.glyphs.shown(&row.path);
    taken += text::middle(buffer, rest(0), &name, theme.title, theme).min(1);
    // Some values are shown even where much is to be said.
    let values = u16::try_from(row.values.len()).unwrap_or(u16::MAX);
    let most = room.height.saturating_sub(values.min(room.height / 2));
    for (severity, line) in &row.about {
        if taken >= most {
            break;
        }
        let (words, style) = match severity {
            Some(severity) => (format!("{}  {line}", severity.word()), theme.severity(*severity)),
            None => (line.clone(), theme.dim),
        };
        let place = Rect { height: most - taken, ..rest(taken) };
        taken += text::paragraph(buffer, place, &words, style, theme);
    }
    let name = Constraint::Length((room.width / 3).clamp(8, 40));
    let parts = [name, Constraint::Fill(1), Constraint::Max(19)];
    for (value, index) in row.values.iter().zip(taken..room.height) {
        let line = Layout::horizontal(parts).spacing(1);
        let [name, bar, words] = line.areas(text::row(room, index));
        let shown = theme.glyphs.shown(&value.text);
        let shown = text::shorten(&shown, name.width.into(), theme.glyphs);
        text::left(buffer, name, &text::coded(&shown, theme.text, theme), theme);
        plain_bar(buffer, bar, value.share, theme.sparkline, theme);
        let share = [Span::styled(theme.glyphs.sentence(&value.words), theme.text)];
        text::right(buffer, words, &share, theme);
    }
}
