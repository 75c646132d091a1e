//! What goes where on the overview, for every size of window.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::ui::kit::cx::WindowLayout;
use crate::ui::kit::limit_date;
use crate::ui::kit::panel::Zoom;
use crate::ui::kit::table::{Align, ColumnSpec, TableColumn, fit};
use crate::ui::kit::text;

/// From this width on the chosen container stands at the right of a long list.
const WIDE: u16 = 140;
/// Columns of the pane there.
const PANE: u16 = 72;
/// Rows that details below a list must have to be worth their frame.
const LEAST_DETAIL: u16 = 4;
/// The cursor, the severity and a blank behind each.
pub(super) const LEAD: u16 = 4;

/// Which part has the keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OverviewPane {
    #[default]
    List,
    Detail,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Column {
    Name,
    Finding,
    Bar,
    Percent,
    Date,
    Hottest,
    Growth,
    Age,
    Keys,
    Largest,
    Size,
    Marks,
}

/// From left to right.
const COLUMNS: [ColumnSpec<Column>; 12] = [
    ColumnSpec::new(Column::Name, "container", 14, 44, 1, Align::Left),
    ColumnSpec::new(Column::Finding, "finding", 18, 48, 0, Align::Left),
    ColumnSpec::new(Column::Bar, "of 20 GB", 8, 20, 5, Align::Left),
    // Wide enough for the sign of the order at its heading.
    ColumnSpec::new(Column::Percent, "largest", 8, 9, 2, Align::Right),
    ColumnSpec::new(Column::Date, "20 GB on", 10, limit_date::COLUMNS, 3, Align::Right),
    // Growth of the largest key: the statistics rarely show that of all keys.
    ColumnSpec::new(Column::Growth, "key GiB/wk", 11, 11, 6, Align::Right),
    ColumnSpec::new(Column::Hottest, "hottest", 9, 12, 4, Align::Right),
    ColumnSpec::new(Column::Age, "age", 5, 10, 7, Align::Right),
    ColumnSpec::new(Column::Keys, "keys", 7, 9, 8, Align::Right),
    ColumnSpec::new(Column::Largest, "its size", 10, 10, 9, Align::Right),
    ColumnSpec::new(Column::Size, "size", 11, 11, 10, Align::Right),
    ColumnSpec::new(Column::Marks, "≥70 ≥90 full", 12, 12, 11, Align::Right),
];

/// Names are shown whole in these columns at the least, before a bar is drawn.
const NAME: u16 = 24;
/// From here on names have up to two fifths of the columns before the least needed numbers.
const WIDE_NAMES: u16 = 99;
/// What a finding takes where there is room, however short all of them are.
const FINDING: u16 = 24;
/// What a long one takes before bar, growth and the less needed have a column: its key and its partition are why it is read.
const LONG_FINDING: u16 = 34;
/// The columns that are needed more than a bar, the gaps between them and what stands before them.
const NEEDED: u16 = LEAD + 8 + 10 + 9 + 4;

/// The columns of a list of this width whose longest name and finding take so many columns.
pub(super) fn placed([name, finding]: [usize; 2], width: u16) -> Vec<TableColumn<Column>> {
    let [name, finding] = [name, finding].map(|n| u16::try_from(n).unwrap_or(u16::MAX));
    let best = match width {
        ..WIDE_NAMES => NAME,
        _ => width * 2 / 5,
    };
    let name = name.clamp(COLUMNS[0].least, best.min(COLUMNS[0].most));
    let left = width.saturating_sub(NEEDED + name).min(LONG_FINDING);
    let specs = COLUMNS.map(|column| match column.id {
        Column::Name => ColumnSpec { least: name, ..column },
        Column::Finding => ColumnSpec {
            least: finding.min(left).max(column.least),
            most: finding.clamp(FINDING, column.most),
            ..column
        },
        _ => column,
    });
    fit(&specs, LEAD, width)
}

#[derive(Clone, Copy, Debug)]
pub(super) struct OverviewAreas {
    /// Totals.
    pub head: Rect,
    /// Labels and rows; without height where the detail has all the room.
    pub list: Rect,
    pub detail: Rect,
    /// What is missing.
    pub foot: Rect,
}

impl OverviewAreas {
    /// The list without its labels.
    pub fn rows(&self) -> Rect {
        let [_, rows] = split(self.list, 1);
        rows
    }
}

/// So many rows at the top, and the rest.
fn split(area: Rect, rows: u16) -> [Rect; 2] {
    Layout::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(area)
}

/// Rows at the foot: a few sentences; where every row counts, one.
pub(super) fn most_foot_rows(layout: WindowLayout) -> usize {
    match layout {
        WindowLayout::Compact => 1,
        WindowLayout::Normal | WindowLayout::Wide => 3,
    }
}

/// What the areas follow from.
#[derive(Clone, Copy, Debug)]
pub(super) struct AreaInputs {
    pub layout: WindowLayout,
    pub pane: OverviewPane,
    pub zoom: Zoom,
    pub foot_rows: usize,
    /// What the list needs to show all.
    pub list_rows: usize,
}

/// ```text
/// totals                        totals
/// list                          list           ┌ pane ┐
/// ┌ pane ─────────────┐         list           │      │
/// └───────────────────┘         list           └──────┘
/// missing                       missing
/// ```
///
/// The pane stands below a list that leaves room; else at its right where the window is wide, or in its place.
pub(super) fn areas(body: Rect, of: AreaInputs) -> OverviewAreas {
    let foot_rows = of.foot_rows.min(most_foot_rows(of.layout));
    let foot_rows = u16::try_from(foot_rows).unwrap_or(0);
    let list_rows = u16::try_from(of.list_rows).unwrap_or(u16::MAX);
    let parts = [
        Constraint::Length(1.min(body.height)),
        Constraint::Fill(1),
        Constraint::Length(foot_rows.min(body.height.saturating_sub(1))),
    ];
    let [head, middle, foot] = Layout::vertical(parts).areas(body);
    let left_over = middle.height.saturating_sub(list_rows);
    let is_compact = of.layout == WindowLayout::Compact;
    let below = match is_compact {
        true => (left_over >= LEAST_DETAIL).then_some(list_rows),
        false if left_over >= middle.height / 2 => Some(list_rows),
        false if body.width >= WIDE => None,
        false => Some(list_rows.min(middle.height / 2)),
    };
    let none = text::row(middle, middle.height);
    let (list, detail) = match below {
        _ if of.zoom == Zoom::On => match of.pane {
            OverviewPane::List => (middle, none),
            OverviewPane::Detail => (none, middle),
        },
        Some(rows) => {
            let [list, detail] = split(middle, rows);
            (list, detail)
        }
        None if is_compact => match of.pane {
            OverviewPane::List => (middle, none),
            OverviewPane::Detail => (none, middle),
        },
        None => {
            let beside = [Constraint::Fill(1), Constraint::Length(PANE)];
            let [list, detail] = Layout::horizontal(beside).spacing(1).areas(middle);
            (list, detail)
        }
    };
    OverviewAreas { head, list, detail, foot }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_row_is_used_twice_and_a_short_list_leaves_room_for_details() {
        for height in 0..60 {
            for layout in [WindowLayout::Compact, WindowLayout::Normal] {
                for (pane, zoom) in [
                    (OverviewPane::List, Zoom::Off),
                    (OverviewPane::Detail, Zoom::Off),
                    (OverviewPane::Detail, Zoom::On),
                ] {
                    for (foot_rows, list_rows) in [(0, 1), (4, 7), (4, 5000), (900, usize::MAX)] {
                        let inputs = AreaInputs { layout, pane, zoom, foot_rows, list_rows };
                        let areas = areas(Rect::new(0, 1, 80, height), inputs);
                        let rooms = [areas.head, areas.list, areas.detail, areas.foot];
                        let rows: u16 = rooms.iter().map(|room| room.height).sum();
                        assert_eq!(rows, height, "{inputs:?}");
                    }
                }
            }
        }
        let seen = |list_rows| {
            let inputs = AreaInputs {
                layout: WindowLayout::Compact,
                pane: OverviewPane::List,
                zoom: Zoom::Off,
                foot_rows: 4,
                list_rows,
            };
            areas(Rect::new(0, 1, 80, 21), inputs)
        };
        assert_eq!((seen(7).list.height, seen(7).detail.height), (7, 12));
        assert_eq!((seen(14).list.height, seen(14).detail.height), (14, 5));
        assert_eq!((seen(16).list.height, seen(16).detail.height), (19, 0));
    }

    #[test]
    fn more_room_shows_more_and_a_bar_gives_way_to_a_long_name() {
        let names = |longest, width| {
            let placed = placed([longest, 0], width);
            placed.iter().map(|p| p.id).collect::<Vec<_>>()
        };
        assert_eq!(names(9, 40), [Column::Name, Column::Finding]);
        assert_eq!(names(9, 79).last(), Some(&Column::Hottest));
        assert_eq!(names(9, 79).len(), 6);
        assert_eq!(names(9, 199).len(), COLUMNS.len());
        assert_eq!(names(30, 79).len(), 5);
        assert!(!names(30, 79).contains(&Column::Bar));
        assert_eq!(placed([30, 0], 79)[0].width, NAME);
        // A key that a small window shows is shown in a larger one.
        for width in 79..200 {
            let placed = placed([18, 30], width);
            assert!(placed[1].width >= 26 && (width < WIDE_NAMES || placed[1].width >= 30));
        }
    }
}
