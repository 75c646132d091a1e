//! A table on the screen: the columns that fit into a width, their headings with the mark of the order, their cells.
//!
//! ```text
//!   container        of 20 GB          %  20 GB on ↓
//! ▶ orders           ███████▌░│     76 %   2026-09-19
//! ```
//!
//! A view lists its columns once, as [`ColumnSpec`]s; [`fit`] leaves out the least needed ones until the rest fits and
//! gives what is left over to the columns that can grow.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::text;
use super::theme::Theme;

/// Columns between two cells.
pub const GAP: u16 = 1;

/// At which end of its column a cell stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    Left,
    Right,
}

/// A column as a view describes it; `need` 0 always stays, and the highest number is left out first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColumnSpec<C> {
    pub id: C,
    pub heading: &'static str,
    pub least: u16,
    /// What it grows to where there is room.
    pub most: u16,
    pub need: u8,
    pub align: Align,
}

impl<C> ColumnSpec<C> {
    pub const fn new(
        id: C,
        heading: &'static str,
        least: u16,
        most: u16,
        need: u8,
        align: Align,
    ) -> Self {
        Self { id, heading, least, most, need, align }
    }
}

/// A column in its place, counted from the left end of the row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableColumn<C> {
    pub id: C,
    pub heading: &'static str,
    pub start: u16,
    pub width: u16,
    pub align: Align,
}

/// The order of the rows, as headings show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SortMark {
    Ascending,
    Descending,
}

/// The columns that fit behind `lead` cells, from left to right in the order given. Of what is left over the most needed
/// columns take their share first.
pub fn fit<C: Copy>(specs: &[ColumnSpec<C>], lead: u16, width: u16) -> Vec<TableColumn<C>> {
    let room = width.saturating_sub(lead);
    let mut by_need: Vec<usize> = (0..specs.len()).collect();
    by_need.sort_by_key(|at| specs[*at].need);
    let mut widths = vec![0; specs.len()];
    let mut used = 0;
    for at in &by_need {
        let spec = &specs[*at];
        let gap = if used == 0 { 0 } else { GAP };
        let left = room.saturating_sub(used + gap);
        if spec.need > 0 && left < spec.least {
            break;
        }
        widths[*at] = spec.least.min(left);
        used += gap + widths[*at];
    }
    let mut spare = room.saturating_sub(used);
    for at in by_need {
        if widths[at] > 0 {
            let more = specs[at].most.saturating_sub(widths[at]).min(spare);
            widths[at] += more;
            spare -= more;
        }
    }
    let mut start = lead;
    let shown = specs.iter().zip(widths).filter(|(_, width)| *width > 0);
    let placed = shown.map(|(spec, width)| {
        let ColumnSpec { id, heading, align, .. } = *spec;
        let column = TableColumn { id, heading, start, width, align };
        start += width + GAP;
        column
    });
    placed.collect()
}

impl<C: Copy + PartialEq> TableColumn<C> {
    /// Its cell in a row.
    pub fn area(&self, row: Rect) -> Rect {
        text::column(row, self.start, self.width)
    }

    /// Draws a cell.
    pub fn cell(&self, buffer: &mut Buffer, row: Rect, spans: &[Span], theme: &Theme) {
        match self.align {
            Align::Left => text::left(buffer, self.area(row), spans, theme),
            Align::Right => text::right(buffer, self.area(row), spans, theme),
        };
    }

    /// Draws our own words in a cell.
    pub fn words(&self, buffer: &mut Buffer, row: Rect, words: &str, style: Style, theme: &Theme) {
        let words = theme.glyphs.sentence(words);
        self.cell(buffer, row, &[Span::styled(&*words, style)], theme);
    }
}

/// The column under a place of a row; the gap behind a column belongs to it.
pub fn column_at<C: Copy + PartialEq>(columns: &[TableColumn<C>], x: u16) -> Option<C> {
    let under = |c: &&TableColumn<C>| (c.start..c.start + c.width + GAP).contains(&x);
    columns.iter().find(under).map(|c| c.id)
}

/// Draws the headings; the mark of the order stands at the one by which rows are sorted and is never cut.
pub fn headings<'n, C: Copy + PartialEq>(
    buffer: &mut Buffer,
    row: Rect,
    columns: &[TableColumn<C>],
    name: impl Fn(&TableColumn<C>) -> &'n str,
    sorted: Option<(C, SortMark)>,
    theme: &Theme,
) {
    let signs = theme.glyphs.signs();
    for column in columns {
        let mark = sorted.filter(|(by, _)| *by == column.id);
        let mark = mark.map_or("", |(_, mark)| match mark {
            SortMark::Ascending => signs.sorted_up,
            SortMark::Descending => signs.sorted_down,
        });
        let room = column.width.saturating_sub(u16::try_from(mark.chars().count()).unwrap_or(0));
        let name = text::shorten(name(column), room.into(), theme.glyphs);
        let spans = [Span::styled(name, theme.title), Span::styled(mark, theme.accent)];
        column.cell(buffer, row, &spans, theme);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::view::testing::{lines, theme, theme_ascii};

    const SPECS: [ColumnSpec<u8>; 4] = [
        ColumnSpec::new(0, "container", 8, 20, 0, Align::Left),
        ColumnSpec::new(1, "GiB", 6, 6, 2, Align::Right),
        ColumnSpec::new(2, "of 20 GB", 6, 12, 1, Align::Left),
        ColumnSpec::new(3, "rest", 10, u16::MAX, 3, Align::Left),
    ];

    #[test]
    fn columns_never_overlap_nor_leave_their_room() {
        for width in 0..200 {
            let placed = fit(&SPECS, 2, width);
            for pair in placed.windows(2) {
                assert!(pair[0].start + pair[0].width < pair[1].start, "{width}");
            }
            let end = placed.last().map_or(0, |p| p.start + p.width);
            assert!(end <= width, "{width}: {end}");
        }
    }

    #[test]
    fn the_least_needed_column_goes_first_and_the_most_needed_grows_first() {
        let shown = |width| {
            let placed = fit(&SPECS, 0, width);
            placed.iter().map(|c| (c.id, c.width)).collect::<Vec<_>>()
        };
        assert_eq!(shown(8), [(0, 8)]);
        assert_eq!(shown(15), [(0, 8), (2, 6)]);
        assert_eq!(shown(22), [(0, 8), (1, 6), (2, 6)]);
        assert_eq!(shown(33), [(0, 8), (1, 6), (2, 6), (3, 10)]);
        assert_eq!(shown(50), [(0, 20), (1, 6), (2, 11), (3, 10)]);
        assert_eq!(column_at(&fit(&SPECS, 0, 22), 8), Some(0));
        assert_eq!(column_at(&fit(&SPECS, 0, 22), 9), Some(1));
        assert_eq!(column_at(&fit(&SPECS, 0, 22), 40), None);
    }

    #[test]
    fn headings_keep_the_mark_of_the_order() {
        let row = Rect::new(0, 0, 22, 1);
        let columns = fit(&SPECS, 0, 22);
        let heads = |theme: &Theme| {
            let mut buffer = Buffer::empty(row);
            let sorted = Some((0, SortMark::Descending));
            headings(&mut buffer, row, &columns, |column| column.heading, sorted, theme);
            lines(&buffer)
        };
        assert_eq!(heads(&theme()), ["con…ner↓    GiB of… GB"]);
        // A letter is no part of the name.
        assert_eq!(heads(&theme_ascii()), ["c...er v    GiB o...GB"]);
    }
}
