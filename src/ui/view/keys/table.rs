//! The table of keys: as many columns as fit, the others a scroll away.
//!
//! ```text
//!    key                of 20 GB          %      GiB wall             GiB/week  →
//! ▶◆ tenant-0002        ██████████▶ 108.0 %    21.60 over the limit      +0.84
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::layout::{KeysAreas, KeysPane};
use super::tree::{self, ListShape};
use super::window::KeyTableRow;
use super::{KeysState, head};
use crate::analysis::arrange::{Direction, SortBy};
use crate::analysis::ceiling::Reading;
use crate::ui::kit::bar::bar;
use crate::ui::kit::chart::{Scale, sparkline};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::list::lay_chosen;
use crate::ui::kit::panel::{Focus, Panel};
use crate::ui::kit::sign::scroll;
use crate::ui::kit::text;
use crate::ui::kit::text::coded;
use crate::ui::kit::theme::Theme;
use crate::ui::kit::wall;

/// Cursor sign, mark sign and a blank.
const LEAD: u16 = 3;
const KEY_LEAST: u16 = 12;
const KEY_WIDE: u16 = 60;
/// What a key has at least before the bar grows, and with each further part of a hierarchical one.
const KEY_GOOD: u16 = 18;
const FURTHER_PART: u16 = 6;
/// Below this room keys are narrow, so that the wall is not the first to go.
const NARROW: u16 = 60;
const GAP: u16 = 1;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Column {
    Bar,
    Percent,
    Size,
    Growth,
    Wall,
    Trend,
    Ru,
    Partition,
    Region,
    Readings,
    Newest,
}

/// The columns beside the key in their order, the most needed first, with their least widths.
const COLUMNS: [(Column, u16); 11] = [
    (Column::Bar, 6),
    (Column::Percent, 8),
    (Column::Size, 8),
    (Column::Wall, wall::COLUMNS),
    (Column::Growth, 9),
    (Column::Trend, 16),
    (Column::Ru, 8),
    (Column::Partition, 9),
    (Column::Region, 16),
    (Column::Readings, 8),
    (Column::Newest, 16),
];
/// A narrower bar leaves the `of` out of its heading.
const LIMIT_COLUMNS: u16 = 10;
/// A twentieth of the ceiling each.
const BAR_MOST: u16 = 20;

/// A column and its cells in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct KeyTableColumn {
    column: Column,
    start: u16,
    width: u16,
}

/// What the widths of the columns depend on beside the room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WidthInputs {
    /// Of the keys of this container.
    pub parts: usize,
    pub glyphs: Glyphs,
}

impl WidthInputs {
    pub fn of(state: &KeysState, cx: &Cx) -> Self {
        Self {
            parts: head::parts(state),
            glyphs: cx.theme.glyphs,
        }
    }

    fn key(self) -> u16 {
        let further = u16::try_from(self.parts.saturating_sub(1))
            .unwrap_or(0)
            .min(4);
        KEY_GOOD + further * FURTHER_PART
    }
}

/// The key's width, and the columns that fit beside it, from the first that is not scrolled out.
fn placed(width: u16, first: usize, wishes: WidthInputs) -> (u16, Vec<KeyTableColumn>) {
    let room = width.saturating_sub(LEAD);
    // With more room keys are worth more of it than further columns.
    let least = match room {
        ..NARROW => KEY_LEAST,
        _ => (room / 4).clamp(KEY_LEAST, KEY_WIDE),
    };
    let mut taken: u16 = 0;
    let mut fitting: Vec<(Column, u16)> = Vec::new();
    for (column, columns) in COLUMNS.into_iter().skip(first) {
        let columns = match column {
            Column::Wall => wall::columns(wishes.glyphs),
            _ => columns,
        };
        let further = taken.saturating_add(GAP + columns);
        if further.saturating_add(least) > room {
            break;
        }
        taken = further;
        fitting.push((column, columns));
    }
    // What is left over is the key's, but the bar takes some of it once the key can be read.
    let mut key = room.saturating_sub(taken);
    for (column, columns) in &mut fitting {
        if *column == Column::Bar {
            let more = key.saturating_sub(wishes.key()).min(BAR_MOST - *columns);
            *columns += more;
            key -= more;
        }
    }
    let mut start = LEAD + key;
    let placed = fitting.into_iter().map(|(column, width)| {
        let placed = KeyTableColumn {
            column,
            start: start + GAP,
            width,
        };
        start += GAP + width;
        placed
    });
    (key, placed.collect())
}

/// How wide keys are shown.
pub fn key_columns(list: Rect, first: usize, wishes: WidthInputs) -> u16 {
    placed(list.width, first, wishes).0
}

/// Columns that can be scrolled out before the last one is seen.
pub fn last_first_column(list: Rect, wishes: WidthInputs) -> usize {
    let placed = |first: usize| placed(list.width, first, wishes).1;
    let reaches_end = |first: &usize| placed(*first).len() + first >= COLUMNS.len();
    (0..COLUMNS.len()).find(reaches_end).unwrap_or(0)
}

impl Column {
    fn heading(self, state: &KeysState, limit: &str) -> String {
        let name = match self {
            Self::Bar => limit,
            Self::Percent => "%",
            Self::Size => "GiB",
            Self::Growth => "GiB/week",
            Self::Wall => "wall",
            Self::Trend => "readings",
            Self::Ru => "RU share",
            Self::Partition => "partition",
            Self::Region => "region",
            Self::Readings => "count",
            Self::Newest => "newest, UTC",
        };
        let sorted = match self {
            Self::Bar | Self::Readings | Self::Trend => None,
            Self::Percent => Some(SortBy::Share),
            Self::Size => Some(SortBy::Size),
            Self::Growth => Some(SortBy::Growth),
            Self::Wall => Some(SortBy::Wall),
            Self::Ru => Some(SortBy::Ru),
            Self::Partition => Some(SortBy::Partition),
            Self::Region => Some(SortBy::Region),
            Self::Newest => Some(SortBy::Newest),
        };
        name.to_owned()
            + if sorted == Some(state.sort.by) {
                ARROW
            } else {
                ""
            }
    }

    fn is_number(self) -> bool {
        matches!(
            self,
            Self::Percent | Self::Size | Self::Growth | Self::Ru | Self::Readings
        )
    }
}

/// Stands for the sign of the direction until the glyphs are known.
const ARROW: &str = "\u{1}";

pub fn draw(state: &KeysState, cx: &Cx, areas: &KeysAreas, buffer: &mut Buffer) {
    if areas.table.is_empty() {
        return;
    }
    let theme = &cx.theme;
    let inner = areas.inner(areas.table);
    if inner != areas.table {
        let focus = if state.pane == KeysPane::Table {
            Focus::Here
        } else {
            Focus::Away
        };
        Panel::new("keys")
            .focus(focus)
            .draw(buffer, areas.table, theme);
    }
    if let Some(sentence) = head::emptiness(state, cx) {
        text::paragraph(buffer, inner, &sentence, theme.text, theme);
        return;
    }
    let list = areas.list();
    let headed = Rect {
        width: list.width,
        ..inner
    };
    // Beside the rows, where a frame has its side.
    let side = Rect {
        width: list.width + 1,
        ..list
    }
    .intersection(areas.table);
    if state.shape == ListShape::Tree {
        tree::draw(state, cx, areas, headed, buffer);
        scroll(buffer, side, state.cursor.first, state.rows(), theme);
        return;
    }
    let (key, placed) = placed(list.width, state.first_column, WidthInputs::of(state, cx));
    headings(state, cx, headed, key, &placed, buffer);
    let rows = state.window.rows().iter();
    for (row, index) in rows.zip(0..list.height) {
        let place = state.cursor.first + usize::from(index);
        draw_row(
            state,
            cx,
            row,
            place,
            text::row(list, index),
            &placed,
            buffer,
        );
    }
    scroll(buffer, side, state.cursor.first, state.rows(), theme);
}

fn headings(
    state: &KeysState,
    cx: &Cx,
    area: Rect,
    key: u16,
    placed: &[KeyTableColumn],
    buffer: &mut Buffer,
) {
    let theme = &cx.theme;
    let signs = theme.glyphs.signs();
    let arrow = match state.sort.direction {
        Direction::Ascending => signs.up,
        Direction::Descending => signs.down,
    };
    let row = text::row(area, 0);
    let name = if state.sort.by == SortBy::Key {
        format!("key {arrow}")
    } else {
        "key".to_owned()
    };
    let reading = cx.data.as_ref().map(|data| data.report.ceiling.reading());
    let limit = match reading {
        Some(Reading::Given) => "of ceiling",
        _ => "of 20 GB",
    };
    text::left(
        buffer,
        text::column(row, LEAD, key),
        &[Span::styled(name, theme.title)],
        theme,
    );
    for cell in placed {
        let limit = if cell.column == Column::Bar && cell.width < LIMIT_COLUMNS {
            limit.trim_start_matches("of ")
        } else {
            limit
        };
        let words = cell.column.heading(state, limit).replace(ARROW, arrow);
        let spans = [Span::styled(words, theme.title)];
        let room = text::column(row, cell.start, cell.width);
        if cell.column.is_number() {
            text::right(buffer, room, &spans, theme);
        } else {
            text::left(buffer, room, &spans, theme);
        }
    }
    // What lies out of sight is hinted at by an arrow at its side.
    if state.first_column > 0 {
        let sign = [Span::styled(signs.left, theme.key_hint)];
        text::left(buffer, text::column(row, 0, 1), &sign, theme);
    }
    if placed.len() + state.first_column < COLUMNS.len() {
        let sign = [Span::styled(signs.right, theme.key_hint)];
        let beside = Rect {
            x: row.right(),
            width: 1,
            ..row
        };
        text::left(buffer, beside, &sign, theme);
    }
}

fn draw_row(
    state: &KeysState,
    cx: &Cx,
    row: &KeyTableRow,
    place: usize,
    area: Rect,
    placed: &[KeyTableColumn],
    buffer: &mut Buffer,
) {
    let theme = &cx.theme;
    let signs = theme.glyphs.signs();
    let is_marked = state.marks.contains(row.id);
    let is_chosen = place == state.cursor.chosen;
    let lead = [
        Span::styled(if is_chosen { signs.cursor } else { " " }, theme.accent),
        Span::styled(if is_marked { signs.marked } else { " " }, theme.marked_row),
    ];
    text::left(buffer, text::column(area, 0, LEAD - 1), &lead, theme);
    let style = if is_marked {
        theme.marked_row
    } else {
        theme.text
    };
    let key = placed.first().map_or(area.width, |cell| cell.start - GAP);
    let key = text::column(area, LEAD, key.saturating_sub(LEAD));
    text::left(buffer, key, &coded(&row.key, style, theme), theme);
    for cell in placed {
        let room = text::column(area, cell.start, cell.width);
        draw_cell(row, cell.column, room, buffer, theme);
    }
    if is_chosen && state.pane == KeysPane::Table {
        lay_chosen(buffer, area, theme.cursor_row);
    }
}

fn draw_cell(row: &KeyTableRow, column: Column, room: Rect, buffer: &mut Buffer, theme: &Theme) {
    let plain: (&str, Style) = match column {
        Column::Bar => return bar(buffer, room, row.share, theme),
        Column::Trend => return sparkline(buffer, room, &row.trend, Scale::Spread, theme),
        Column::Percent => (&row.percent, theme.mark(row.mark)),
        Column::Size => (&row.size, theme.text),
        Column::Growth => (&row.growth, theme.text),
        Column::Wall => {
            let fitting = wall::fitting(&row.wall, room.width.into(), theme.glyphs);
            (fitting, theme.text)
        }
        Column::Ru => (&row.ru, theme.text),
        Column::Partition => (&row.partition, theme.text),
        Column::Region => (&row.region, theme.text),
        Column::Readings => (&row.readings, theme.dim),
        Column::Newest => (&row.newest, theme.dim),
    };
    let (words, style) = plain;
    if column.is_number() {
        text::right(buffer, room, &[Span::styled(words, style)], theme);
    } else {
        text::middle(buffer, room, words, style, theme);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WISHES: WidthInputs = WidthInputs {
        parts: 1,
        glyphs: Glyphs::Ascii,
    };

    #[test]
    fn eighty_columns_show_what_is_needed_most() {
        let (key, cells) = placed(79, 0, WISHES);
        let shown: Vec<Column> = cells.iter().map(|cell| cell.column).collect();
        assert_eq!(
            shown,
            [
                Column::Bar,
                Column::Percent,
                Column::Size,
                Column::Wall,
                Column::Growth
            ]
        );
        assert!(key >= KEY_GOOD);
    }

    #[test]
    fn the_wall_is_seen_at_sixty_columns_and_hierarchical_keys_have_more_room() {
        for glyphs in [Glyphs::Unicode, Glyphs::Ascii] {
            let wishes = |parts| WidthInputs { parts, glyphs };
            let (_, cells) = placed(59, 0, wishes(1));
            assert!(cells.iter().any(|cell| cell.column == Column::Wall));
            let [one, three] = [1, 3].map(|parts| placed(79, 0, wishes(parts)));
            assert!(three.0 >= one.0 + 5, "{one:?} {three:?}");
            assert_eq!(one.1.len(), three.1.len());
        }
    }

    #[test]
    fn every_column_is_a_scroll_away_and_none_leaves_the_row() {
        for width in 0..400_u16 {
            let table = Rect::new(0, 0, width, 10);
            let last = last_first_column(table, WISHES);
            let mut seen: Vec<Column> = Vec::new();
            for first in 0..=last {
                let (key, cells) = placed(width, first, WISHES);
                let mut end = LEAD + key;
                for cell in cells {
                    assert_eq!(cell.start, end + GAP);
                    end = cell.start + cell.width;
                    seen.push(cell.column);
                }
                assert!(end <= width.max(LEAD), "{width}");
            }
            if width >= 40 {
                assert!(
                    COLUMNS.iter().all(|(column, _)| seen.contains(column)),
                    "{width}"
                );
            }
        }
    }
}
