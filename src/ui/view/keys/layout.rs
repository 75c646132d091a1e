//! Where the panes of the screen of keys lie.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::ui::kit::cx::WindowLayout;
use crate::ui::kit::panel::{Panel, Zoom};

/// What the table keeps next to the other panes of a wide window.
const TABLE_COLUMNS: u16 = 80;
/// Room for a graph and its facts; the names of the keys take the rest.
const SIDE_MOST: u16 = 60;
/// The distribution stands below a list that leaves it this many rows.
const DISTRIBUTION_LEAST: u16 = 14;
/// The chosen key stands below a list that leaves it this many rows, with its frame.
const DETAIL_LEAST: u16 = 8;
/// Of the chosen key below a long list: its name and the first three facts; more where the list leaves rows free.
const STRIP_ROWS: u16 = 4;
const STRIP_FROM: u16 = 12;
/// A sentence in place of rows.
const SENTENCE_ROWS: u16 = 4;
/// A long list in fewer rows than this has the chosen key as a strip below it, too.
const PANES_FROM: u16 = 30;
/// Fewer rows than this have one line above the table.
const TWO_LINES: u16 = 9;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum KeysPane {
    #[default]
    Table,
    Detail,
    Distribution,
}

pub const PANES: [KeysPane; 3] = [KeysPane::Table, KeysPane::Detail, KeysPane::Distribution];

/// Whether panes have frames: alone on the screen they need none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frames {
    Drawn,
    Left,
}

/// What the panes depend on besides the room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayoutInputs {
    pub window: WindowLayout,
    pub pane: KeysPane,
    pub zoom: Zoom,
    /// Of the whole list.
    pub rows: usize,
    /// Lines above the table: the container, what of it is shown, and a finding if there is one.
    pub head_lines: u16,
    /// Lines below the list: what it leaves out.
    pub foot_lines: u16,
}

impl LayoutInputs {
    /// Rows of a framed table that shows all of its list.
    fn table_rows(&self) -> u16 {
        let rows = match self.rows {
            0 => SENTENCE_ROWS,
            rows => u16::try_from(rows).unwrap_or(u16::MAX),
        };
        rows.saturating_add(3 + self.foot_lines)
    }

    /// Whether a short list leaves room for the chosen key below it.
    fn leaves_detail(&self, room: Rect) -> bool {
        let least = self.table_rows().saturating_add(DETAIL_LEAST);
        self.pane == KeysPane::Table && self.rows > 0 && least <= room.height
    }

    /// What a list without its frame leaves of the room.
    fn strip(&self, room: Rect) -> Constraint {
        let free = room.height.saturating_sub(self.table_rows() - 2);
        Constraint::Length(free.max(STRIP_ROWS))
    }

    /// Whether the first facts of the chosen key stand below a longer list.
    fn has_strip(&self, room: Rect) -> bool {
        let is_table = self.pane == KeysPane::Table && self.zoom == Zoom::Off;
        is_table && self.rows > 0 && room.height >= STRIP_FROM
    }
}

/// The rooms of the screen; one that is not seen is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeysAreas {
    pub head: Rect,
    pub frames: Frames,
    pub table: Rect,
    pub detail: Rect,
    pub distribution: Rect,
    foot_lines: u16,
}

impl KeysAreas {
    /// Headings, rows and the lines below them, without the column of the marker.
    fn table_parts(&self) -> [Rect; 3] {
        let lines =
            [Constraint::Length(1), Constraint::Fill(1), Constraint::Length(self.foot_lines)];
        Layout::vertical(lines).areas(self.text(self.table))
    }

    pub fn headings(&self) -> Rect {
        self.table_parts()[0]
    }

    /// The rows of the list.
    pub fn list(&self) -> Rect {
        self.table_parts()[1]
    }

    /// The list with the lines below it.
    pub fn list_and_foot(&self) -> Rect {
        let [_, list, foot] = self.table_parts();
        list.union(foot)
    }

    /// Rows that a page of the list has, also while it is not seen.
    pub fn list_rows(&self) -> usize {
        let unseen = self.detail.height.max(self.distribution.height);
        let rows =
            if self.table.is_empty() { unseen.saturating_sub(1) } else { self.list().height };
        usize::from(rows)
    }

    /// Lines that a pane shows at a time.
    pub fn height(&self, pane: Rect) -> usize {
        usize::from(self.inner(pane).height)
    }

    /// The room of a text that is scrolled: without a frame for the marker it keeps a column free.
    pub fn text(&self, pane: Rect) -> Rect {
        let marker = u16::from(self.frames == Frames::Left);
        let columns = [Constraint::Fill(1), Constraint::Length(marker)];
        let [text, _] = Layout::horizontal(columns).areas(self.inner(pane));
        text
    }

    /// A pane without its frame.
    pub fn inner(&self, pane: Rect) -> Rect {
        match self.frames {
            Frames::Drawn => Panel::inner(pane),
            Frames::Left => pane,
        }
    }

    fn of(&mut self, pane: KeysPane) -> &mut Rect {
        match pane {
            KeysPane::Table => &mut self.table,
            KeysPane::Detail => &mut self.detail,
            KeysPane::Distribution => &mut self.distribution,
        }
    }
}

/// A list or a text with the column of its marker: the free one behind it, or the side of the frame.
pub fn with_marker(text: Rect) -> Rect {
    Rect { width: text.width.saturating_add(u16::from(text.width > 0)), ..text }
}

/// ```text
/// long list   short list   normal                  wide, short list        wide, long list
/// head        head         head                    head                    head
///  table      ┌ table ┐    ┌ table ────────────┐   ┌ table ──┬ detail ─┐   ┌ table ──┬ detail ─┐
///  4 rows of  ├ detail┤    ├ detail ┬ distrib. ┤   ├ distrib.┤         │   │         ├ distrib.┤
///  detail     └───────┘    └────────┴──────────┘   └─────────┴─────────┘   └─────────┴─────────┘
/// ```
pub fn areas(body: Rect, of: LayoutInputs) -> KeysAreas {
    let head = if body.height < TWO_LINES { 1 } else { of.head_lines };
    let lines = [Constraint::Length(head), Constraint::Fill(1)];
    let [head, rest] = Layout::vertical(lines).areas(body);
    let unseen = Rect::ZERO;
    let mut areas = KeysAreas {
        head,
        frames: Frames::Left,
        table: unseen,
        detail: unseen,
        distribution: unseen,
        foot_lines: of.foot_lines,
    };
    let window = match of.zoom {
        Zoom::On => WindowLayout::Compact,
        Zoom::Off => of.window,
    };
    if window != WindowLayout::Compact {
        areas.frames = Frames::Drawn;
    }
    let wanted = Constraint::Length(of.table_rows());
    let most = rest.height * 3 / 5;
    let is_low = rest.height < PANES_FROM && of.table_rows() > most;
    let has_strip = of.has_strip(rest) && (window == WindowLayout::Compact || is_low);
    match window {
        WindowLayout::Compact if of.zoom == Zoom::Off && of.leaves_detail(rest) => {
            areas.frames = Frames::Drawn;
            let rows = [wanted, Constraint::Fill(1)];
            [areas.table, areas.detail] = Layout::vertical(rows).areas(rest);
        }
        WindowLayout::Compact | WindowLayout::Normal if has_strip => {
            areas.frames = Frames::Left;
            let rows = [Constraint::Fill(1), of.strip(rest)];
            [areas.table, areas.detail] = Layout::vertical(rows).areas(rest);
        }
        WindowLayout::Compact => *areas.of(of.pane) = rest,
        WindowLayout::Normal => {
            let rows = [Constraint::Length(of.table_rows().min(most)), Constraint::Fill(1)];
            let [table, below] = Layout::vertical(rows).areas(rest);
            let columns = [Constraint::Fill(3), Constraint::Fill(2)];
            let [detail, distribution] = Layout::horizontal(columns).areas(below);
            (areas.table, areas.detail, areas.distribution) = (table, detail, distribution);
        }
        WindowLayout::Wide => {
            let side = rest.width.saturating_sub(TABLE_COLUMNS).min(SIDE_MOST);
            let columns = [Constraint::Fill(1), Constraint::Length(side)];
            let [left, right] = Layout::horizontal(columns).areas(rest);
            let is_short = of.table_rows() <= left.height.saturating_sub(DISTRIBUTION_LEAST);
            (areas.table, areas.detail, areas.distribution) = if is_short {
                let rows = [wanted, Constraint::Fill(1)];
                let [table, distribution] = Layout::vertical(rows).areas(left);
                (table, right, distribution)
            } else {
                let rows = [Constraint::Fill(3), Constraint::Fill(2)];
                let [detail, distribution] = Layout::vertical(rows).areas(right);
                (left, detail, distribution)
            };
        }
    }
    areas
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUTS: LayoutInputs = LayoutInputs {
        window: WindowLayout::Compact,
        pane: KeysPane::Table,
        zoom: Zoom::Off,
        rows: 100,
        head_lines: 2,
        foot_lines: 1,
    };

    #[test]
    fn no_room_is_used_twice_and_none_lies_outside() {
        use WindowLayout::{Compact, Normal, Wide};
        for width in [0, 1, 39, 40, 80, 119, 120, 121, 200, 1000] {
            for height in [0, 1, 2, 7, 8, 9, 21, 24, 57, 500] {
                let body = Rect::new(0, 1, width, height);
                let windows = [Compact, Normal, Wide].into_iter();
                for (window, pane) in windows.flat_map(|w| PANES.map(|pane| (w, pane))) {
                    for (zoom, rows) in [(Zoom::Off, 3), (Zoom::Off, 999), (Zoom::On, 9)] {
                        let inputs = LayoutInputs { window, pane, zoom, rows, ..INPUTS };
                        let areas = areas(body, inputs);
                        let rooms = [areas.head, areas.table, areas.detail, areas.distribution];
                        let cells: u32 = rooms.iter().map(|r| r.area()).sum();
                        assert_eq!(cells, body.area(), "{body:?} {inputs:?}");
                        for room in rooms.iter().filter(|r| !r.is_empty()) {
                            assert_eq!(room.intersection(body), *room);
                        }
                        let list = areas.list();
                        assert!(list.is_empty() || list.intersection(areas.table) == list);
                    }
                }
            }
        }
    }

    #[test]
    fn a_narrow_window_shows_one_pane_and_the_others_three() {
        let seen = |window, width, height, rows| {
            let body = Rect::new(0, 1, width, height);
            let inputs = LayoutInputs { window, rows, ..INPUTS };
            let areas = areas(body, inputs);
            [areas.table, areas.detail, areas.distribution].map(|r| (r.width, r.height))
        };
        assert_eq!(seen(WindowLayout::Compact, 80, 21, 50), [(80, 15), (80, 4), (0, 0)]);
        assert_eq!(seen(WindowLayout::Compact, 80, 21, 8), [(80, 10), (80, 9), (0, 0)]);
        assert_eq!(seen(WindowLayout::Compact, 80, 21, 5), [(80, 9), (80, 10), (0, 0)]);
        assert_eq!(seen(WindowLayout::Normal, 100, 27, 50), [(100, 21), (100, 4), (0, 0)]);
        assert_eq!(seen(WindowLayout::Wide, 200, 57, 5), [(140, 9), (60, 55), (140, 46)]);
        assert_eq!(seen(WindowLayout::Wide, 200, 57, 500), [(140, 55), (60, 33), (60, 22)]);
    }
}
