//! The table of keys: the columns that fit, the others a scroll away.
//!
//! ```text
//!    key                of 20 GB          %      GiB↓ 20 GB on        RU share  →
//! ▶◆ tenant-0002        ██████████▶ 108.0 %    21.60  over the limit     4.2 %
//! other keys: smaller, not reported
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::layout::{Frames, KeysAreas, KeysPane, with_marker};
use super::tree::{self, ListShape};
use super::window::KeyTableRow;
use super::{KeysState, head};
use crate::analysis::arrange::{Direction, Sort, SortBy};
use crate::analysis::ceiling::Mark;
use crate::ui::kit::bar::{bar, plain_bar};
use crate::ui::kit::chart::sparkline;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::limit_date;
use crate::ui::kit::list::lay_chosen;
use crate::ui::kit::panel::{Focus, Panel};
use crate::ui::kit::sign::scroll;
use crate::ui::kit::table::{Align, ColumnSpec, SortMark, TableColumn, fit, headings};
use crate::ui::kit::text;
use crate::ui::kit::text::coded;

/// Cursor sign, mark sign and a blank.
const LEAD: u16 = 3;
const KEY_LEAST: u16 = 12;
/// What a key has before further columns are shown, and at most.
const KEY_GOOD: u16 = 18;
const KEY_MOST: u16 = 64;
/// Below this width keys are narrow, so that the date of the limit is not the first to go.
const NARROW: u16 = 63;
const LONG_BAR: u16 = 120;
/// There the key and its bar share this many columns, of which a long key leaves the bar its least.
const KEY_AND_BAR: u16 = 40;
const BAR_LEAST: u16 = 8;
const BAR_GOOD: u16 = 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyColumn {
    Key,
    Bar,
    Percent,
    Size,
    LimitDate,
    Ru,
    Growth,
    Trend,
    Partition,
    Region,
    Samples,
    Newest,
    /// Where no sizes are reported: the share of RU as a bar, and the busiest step.
    RuBar,
    RuPeak,
    /// When the busiest stretch began.
    BusySince,
}

/// The columns next to the key in their order, the most needed first, with their least and greatest widths.
const BY_SIZE: [ColumnSpec<KeyColumn>; 11] = [
    // A twentieth of the limit each.
    ColumnSpec::new(KeyColumn::Bar, "of 20 GB", BAR_LEAST, 20, 1, Align::Left),
    ColumnSpec::new(KeyColumn::Percent, "%", 7, 7, 2, Align::Right),
    ColumnSpec::new(KeyColumn::Size, "GiB", 8, 8, 3, Align::Right),
    // As wide as the doubt of its date needs.
    ColumnSpec::new(KeyColumn::LimitDate, "20 GB on", DATE, DATE, 4, Align::Left),
    ColumnSpec::new(KeyColumn::Ru, "RU share", 9, 9, 5, Align::Right),
    ColumnSpec::new(KeyColumn::Growth, "GiB/week", 9, 9, 6, Align::Right),
    ColumnSpec::new(KeyColumn::Trend, "size over time", 16, 24, 7, Align::Left),
    ColumnSpec::new(KeyColumn::Partition, "partition", 9, 12, 8, Align::Left),
    ColumnSpec::new(KeyColumn::Region, "region", 16, 16, 9, Align::Left),
    ColumnSpec::new(KeyColumn::Samples, "samples", 8, 8, 10, Align::Right),
    ColumnSpec::new(KeyColumn::Newest, "newest, UTC", 16, 16, 11, Align::Left),
];

/// The same where no sizes are reported.
const BY_RU: [ColumnSpec<KeyColumn>; 6] = [
    ColumnSpec::new(KeyColumn::RuBar, "of all RU", 8, 20, 1, Align::Left),
    ColumnSpec::new(KeyColumn::Ru, "RU share", 9, 9, 2, Align::Right),
    ColumnSpec::new(KeyColumn::RuPeak, "peak RU/s", 9, 9, 3, Align::Right),
    ColumnSpec::new(KeyColumn::Partition, "partition", 9, 12, 4, Align::Left),
    ColumnSpec::new(KeyColumn::BusySince, "busy since", 16, 16, 5, Align::Left),
    ColumnSpec::new(KeyColumn::Size, "GiB", 8, 8, 6, Align::Right),
];

/// What the list is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListedBy {
    Size,
    /// Of a container whose sizes are not reported.
    Ru,
}

/// What the widths of the columns depend on besides the room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WidthInputs {
    pub by: ListedBy,
    pub glyphs: Glyphs,
    /// Columns that are scrolled out to the left.
    pub first: usize,
    /// Of the longest key that was seen.
    pub longest: u16,
}

impl WidthInputs {
    fn columns(&self) -> &'static [ColumnSpec<KeyColumn>] {
        match self.by {
            ListedBy::Size => &BY_SIZE,
            ListedBy::Ru => &BY_RU,
        }
    }
}

/// A date without its doubt, which stands with the chosen key.
const DATE: u16 = 10;

/// The key and the columns that fit next to it, from the first that is not scrolled out.
pub fn columns(width: u16, of: WidthInputs) -> Vec<TableColumn<KeyColumn>> {
    let date = limit_date::columns(of.glyphs);
    let found = placed(width, of, date, 0);
    let key = found.first().map_or(0, |key| key.width);
    let lacking = of.longest.saturating_sub(key).min(date - DATE);
    let has_date = found.iter().any(|column| column.id == KeyColumn::LimitDate);
    match width {
        NARROW..LONG_BAR if has_date && lacking > 0 => {
            placed(width, of, date - lacking, key + lacking)
        }
        _ => found,
    }
}

/// With so many columns of a date, and as many of the key at the least.
fn placed(width: u16, of: WidthInputs, date: u16, key: u16) -> Vec<TableColumn<KeyColumn>> {
    let least = match width {
        ..NARROW => KEY_LEAST,
        LONG_BAR.. => of.longest.clamp(KEY_GOOD, KEY_AND_BAR - BAR_LEAST),
        _ => KEY_GOOD.max(key),
    };
    let most = of.longest.clamp(least, KEY_MOST);
    let key = ColumnSpec::new(KeyColumn::Key, "key", least, most, 0, Align::Left);
    let others = of.columns().iter().skip(of.first).map(|column| match column.id {
        KeyColumn::LimitDate => ColumnSpec { least: date, most: date, ..*column },
        // With much room a bar that can be read is worth more than a further column.
        KeyColumn::Bar if width >= LONG_BAR => {
            ColumnSpec { least: BAR_GOOD.min(KEY_AND_BAR - key.least), ..*column }
        }
        _ => *column,
    });
    let specs: Vec<_> = std::iter::once(key).chain(others).collect();
    fit(&specs, LEAD, width)
}

/// Columns that can be scrolled out before the last one is seen.
pub fn last_first_column(width: u16, of: WidthInputs) -> usize {
    let all = of.columns().len();
    let reaches_end = |first: &usize| {
        let first = *first;
        columns(width, WidthInputs { first, ..of }).len() + first > all
    };
    (0..all).find(reaches_end).unwrap_or(0)
}

impl KeyColumn {
    /// What its rows can be sorted by.
    pub fn sort(self) -> Option<SortBy> {
        match self {
            Self::Key => Some(SortBy::Key),
            Self::Percent => Some(SortBy::Share),
            Self::Bar | Self::Size => Some(SortBy::Size),
            Self::LimitDate => Some(SortBy::LimitDate),
            Self::Ru | Self::RuBar => Some(SortBy::Ru),
            Self::Growth => Some(SortBy::Growth),
            Self::Partition => Some(SortBy::Partition),
            Self::Region => Some(SortBy::Region),
            Self::Newest => Some(SortBy::Newest),
            Self::Trend | Self::Samples | Self::RuPeak | Self::BusySince => None,
        }
    }
}

/// The column that carries the mark of the order; a bar carries none while its number is there.
fn sorted(sort: Sort, columns: &[TableColumn<KeyColumn>]) -> Option<(KeyColumn, SortMark)> {
    let mark = match sort.direction {
        Direction::Ascending => SortMark::Ascending,
        Direction::Descending => SortMark::Descending,
    };
    let is_it = |c: &&TableColumn<KeyColumn>| c.id.sort() == Some(sort.by);
    columns.iter().rfind(is_it).map(|c| (c.id, mark))
}

pub fn draw(state: &KeysState, cx: &Cx, areas: &KeysAreas, buffer: &mut Buffer) {
    if areas.table.is_empty() {
        return;
    }
    let theme = &cx.theme;
    if areas.frames == Frames::Drawn {
        let focus = if state.pane == KeysPane::Table { Focus::Here } else { Focus::Away };
        Panel::new("keys").focus(focus).draw(buffer, areas.table, theme);
    }
    if let Some(sentence) = head::emptiness(state, cx) {
        let inner = areas.inner(areas.table);
        head::draw_emptiness(state, cx, &sentence, inner, buffer);
        return;
    }
    let list = areas.list();
    if state.shape == ListShape::Tree {
        tree::draw(state, cx, areas, buffer);
    } else {
        draw_headings(state, cx, areas.headings(), buffer);
        let rows = state.window.rows().iter();
        for (row, index) in rows.zip(0..list.height) {
            let place = state.cursor.first + usize::from(index);
            draw_row(state, cx, row, place, text::row(list, index), buffer);
        }
    }
    if let Some(words) = head::other_keys(state) {
        let shown = u16::try_from(state.rows()).unwrap_or(u16::MAX);
        let row = text::row(areas.list_and_foot(), shown.min(list.height));
        let room = text::column(row, LEAD, row.width.saturating_sub(LEAD));
        text::left(buffer, room, &[Span::styled(words, theme.dim)], theme);
    }
    let side = with_marker(list);
    scroll(buffer, side, state.cursor.first, state.rows(), theme);
}

fn draw_headings(state: &KeysState, cx: &Cx, row: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let signs = theme.glyphs.signs();
    let columns = state.window.columns();
    let name = |column: &TableColumn<KeyColumn>| cx.ceiling.heading(column.heading);
    let mark = sorted(state.possible(state.sort), columns);
    headings(buffer, row, columns, name, mark, theme);
    // What lies out of sight is hinted at by an arrow at its side.
    if state.first_column > 0 {
        let sign = [Span::styled(signs.left, theme.key_hint)];
        text::left(buffer, text::column(row, 0, 1), &sign, theme);
    }
    let all = state.width_inputs(cx).columns().len();
    if columns.len() + state.first_column <= all {
        let sign = [Span::styled(signs.right, theme.key_hint)];
        let side = Rect { width: row.width + 1, ..row };
        text::right(buffer, side, &sign, theme);
    }
}

fn draw_row(
    state: &KeysState,
    cx: &Cx,
    row: &KeyTableRow,
    place: usize,
    area: Rect,
    buffer: &mut Buffer,
) {
    let theme = &cx.theme;
    let signs = theme.glyphs.signs();
    let is_marked = row.id.is_some_and(|id| state.marks.contains(id));
    let is_chosen = place == state.cursor.chosen;
    let lead = [
        Span::styled(if is_chosen { signs.cursor } else { " " }, theme.accent),
        Span::styled(if is_marked { signs.marked } else { " " }, theme.marked_row),
    ];
    text::left(buffer, text::column(area, 0, LEAD - 1), &lead, theme);
    let style = if is_marked { theme.marked_row } else { theme.text };
    for column in state.window.columns() {
        if column.id == KeyColumn::Key {
            column.cell(buffer, area, &coded(&row.key, style, theme), theme);
        } else {
            draw_cell(row, *column, area, buffer, cx);
        }
    }
    if is_chosen && state.pane == KeysPane::Table {
        lay_chosen(buffer, area, theme.cursor_row);
    }
}

fn draw_cell(
    row: &KeyTableRow,
    column: TableColumn<KeyColumn>,
    area: Rect,
    buffer: &mut Buffer,
    cx: &Cx,
) {
    let (theme, veil) = (&cx.theme, cx.veil);
    let room = column.area(area);
    let (words, style) = match column.id {
        KeyColumn::Bar => return bar(buffer, room, row.share, theme),
        KeyColumn::RuBar if !veil.is_drawn() => {
            let style = theme.fill(Mark::Below);
            return plain_bar(buffer, room, row.ru_share, style, theme);
        }
        // One scale for all rows: a flat line is a key that does not grow, a high one a key that is large.
        KeyColumn::Trend => {
            return sparkline(buffer, room, &row.trend, 1.0, theme);
        }
        KeyColumn::Key => (row.key.as_str(), theme.text),
        KeyColumn::Percent => (row.percent.as_str(), theme.mark(Mark::of(row.share))),
        KeyColumn::Size => (row.size.as_str(), theme.text),
        KeyColumn::Growth => (row.growth.as_str(), theme.text),
        KeyColumn::LimitDate => {
            let date = limit_date::fitting(&row.limit_date, room.width.into(), theme.glyphs);
            (date, theme.text)
        }
        KeyColumn::Ru | KeyColumn::RuBar => (veil.over(&row.ru), theme.text),
        KeyColumn::Partition => (row.partition.as_str(), theme.text),
        KeyColumn::Region => (row.region.as_str(), theme.text),
        KeyColumn::Samples => (row.samples.as_str(), theme.dim),
        KeyColumn::Newest => (row.newest.as_str(), theme.dim),
        KeyColumn::RuPeak => (veil.over(&row.ru_peak), theme.text),
        KeyColumn::BusySince => (veil.over(&row.busy_since), theme.text),
    };
    let words = match words {
        "" => theme.glyphs.signs().unknown,
        words => words,
    };
    if column.align == Align::Left {
        text::middle(buffer, room, words, style, theme);
    } else {
        column.cell(buffer, area, &[Span::styled(words, style)], theme);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUTS: WidthInputs =
        WidthInputs { by: ListedBy::Size, glyphs: Glyphs::Ascii, first: 0, longest: 80 };

    fn shown(width: u16, of: WidthInputs) -> Vec<KeyColumn> {
        columns(width, of).iter().map(|c| c.id).collect()
    }

    #[test]
    fn eighty_columns_show_what_is_needed_most() {
        for glyphs in [Glyphs::Unicode, Glyphs::Ascii] {
            let of = WidthInputs { glyphs, ..INPUTS };
            let six = [
                KeyColumn::Key,
                KeyColumn::Bar,
                KeyColumn::Percent,
                KeyColumn::Size,
                KeyColumn::LimitDate,
                KeyColumn::Ru,
            ];
            assert_eq!(shown(79, of), six);
            assert!(columns(79, of)[0].width >= KEY_GOOD);
            assert!(shown(60, of).contains(&KeyColumn::LimitDate));
            assert_eq!(shown(98, of)[6], KeyColumn::Growth);
        }
        let by = ListedBy::Ru;
        assert!(shown(79, WidthInputs { by, ..INPUTS }).contains(&KeyColumn::BusySince));
    }

    #[test]
    fn a_long_key_takes_what_other_columns_leave() {
        let key = |width, longest| columns(width, WidthInputs { longest, ..INPUTS })[0].width;
        assert_eq!(key(79, 20), 20);
        // The doubt of the dates goes before the end of a name.
        assert_eq!(key(79, 29), 29);
        assert!(key(79, 200) > 20);
        assert_eq!(key(400, 200), KEY_MOST);
        assert_eq!(shown(160, INPUTS), {
            let longest = 1;
            shown(160, WidthInputs { longest, ..INPUTS })
        });
    }

    #[test]
    fn every_column_is_a_scroll_away() {
        for by in [ListedBy::Size, ListedBy::Ru] {
            let of = WidthInputs { by, ..INPUTS };
            for width in 40..400 {
                let last = last_first_column(width, of);
                let seen: Vec<KeyColumn> = (0..=last)
                    .flat_map(|first| shown(width, WidthInputs { first, ..of }))
                    .collect();
                let all = of.columns().iter();
                assert!(all.map(|c| c.id).all(|c| seen.contains(&c)), "{width}");
            }
        }
    }

    #[test]
    fn the_mark_of_the_order_stands_at_the_number() {
        let placed = columns(79, INPUTS);
        let by = |by| sorted(Sort::by(by), &placed).map(|s| s.0);
        assert_eq!(by(SortBy::Size), Some(KeyColumn::Size));
        assert_eq!(by(SortBy::Key), Some(KeyColumn::Key));
        assert_eq!(by(SortBy::Newest), None);
    }
}
