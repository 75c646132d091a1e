//! What goes where on the overview, for every size of window.

use ratatui::layout::Rect;

use crate::ui::kit::panel::Zoom;
use crate::ui::kit::{limit_date, text};

/// From this width on the chosen container is told of beside the list.
const WIDE: u16 = 100;
/// Rows that details below a list must have to be worth their frame.
const LEAST_DETAIL: u16 = 7;
/// The cursor and a blank.
const LEAD: u16 = 2;
const NARROWEST_NAME: u16 = 17;
const WIDEST_NAME: u16 = 44;
/// A finding in less room is cut to nothing; it then has a row of its own.
const NARROWEST_FINDING: u16 = 50;
const MOST_BAR: u16 = 20;
const GAP: u16 = 1;

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
    Keys,
    Largest,
    Bar,
    Percent,
    Marks,
    Size,
    Growth,
    Wall,
    Age,
    Finding,
}

/// Columns from left to right; the number says which gives way first, the highest one.
const COLUMNS: [(Column, u16, u16); 9] = [
    (Column::Keys, 9, 4),
    (Column::Largest, 10, 8),
    (Column::Bar, 10, 2),
    (Column::Percent, 8, 1),
    (Column::Marks, 12, 5),
    (Column::Size, 11, 9),
    (Column::Growth, 8, 7),
    (Column::Wall, limit_date::COLUMNS, 3),
    (Column::Age, 10, 6),
];

impl Column {
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Name => "container",
            Self::Keys => "keys",
            Self::Largest => "largest",
            Self::Bar => "of 20 GB",
            Self::Percent => "",
            Self::Marks => "≥70 ≥90 ≥100",
            Self::Size => "size",
            Self::Growth => "GiB/week",
            Self::Wall => "wall",
            Self::Age => "age",
            Self::Finding => "finding",
        }
    }
}

/// A column in its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PlacedColumn {
    pub column: Column,
    pub start: u16,
    pub width: u16,
}

/// The columns that fit into a width, and the rows that a container takes.
pub(super) fn columns(width: u16) -> (Vec<PlacedColumn>, u16) {
    let width = width.saturating_sub(1);
    let mut room = width.saturating_sub(LEAD + NARROWEST_NAME);
    let mut by_need = COLUMNS;
    by_need.sort_by_key(|(_, _, rank)| *rank);
    let mut kept = Vec::new();
    for (column, columns, _) in by_need {
        if columns + GAP > room {
            break;
        }
        room -= columns + GAP;
        kept.push(column);
    }
    let has_finding = room >= NARROWEST_FINDING + GAP;
    let name_more = room.min(WIDEST_NAME - NARROWEST_NAME);
    let name_more = if has_finding {
        name_more.min(room - NARROWEST_FINDING - GAP)
    } else {
        name_more
    };
    room -= name_more;
    let bar_more = if kept.contains(&Column::Bar) && !has_finding {
        room.min(MOST_BAR - 10)
    } else {
        0
    };
    room -= bar_more;
    let mut placed = vec![PlacedColumn {
        column: Column::Name,
        start: LEAD,
        width: NARROWEST_NAME.min(width.saturating_sub(LEAD)) + name_more,
    }];
    let mut start = LEAD + NARROWEST_NAME + name_more;
    for (column, columns, _) in COLUMNS {
        if !kept.contains(&column) {
            continue;
        }
        let more = if column == Column::Bar { bar_more } else { 0 };
        start += GAP;
        placed.push(PlacedColumn {
            column,
            start,
            width: columns + more,
        });
        start += columns + more;
    }
    if has_finding {
        placed.push(PlacedColumn {
            column: Column::Finding,
            start: start + GAP + 1,
            width: room.saturating_sub(GAP + 1),
        });
    }
    (placed, if has_finding { 1 } else { 2 })
}

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
        Rect {
            y: self.list.y.saturating_add(1).min(self.list.bottom()),
            height: self.list.height.saturating_sub(1),
            ..self.list
        }
    }
}

/// Rows at the foot: a few sentences, never more than a quarter of the window.
pub(super) fn most_foot_rows(body: Rect) -> usize {
    usize::from(body.height / 4).min(6)
}

/// `list_rows` is what the list needs to show all: in a narrow window the details stand below it where that leaves room,
/// else in its place.
pub(super) fn areas(
    body: Rect,
    pane: OverviewPane,
    zoom: Zoom,
    foot_rows: usize,
    list_rows: usize,
) -> OverviewAreas {
    let list_rows = u16::try_from(list_rows).unwrap_or(u16::MAX);
    let rows_of_others = 1 + u16::try_from(foot_rows)
        .unwrap_or(u16::MAX)
        .min(body.height);
    let needed = list_rows
        .saturating_add(LEAST_DETAIL)
        .saturating_add(rows_of_others);
    let is_stacked = body.width < WIDE && body.height >= needed;
    let is_list_there =
        pane == OverviewPane::List || (zoom == Zoom::Off && (body.width >= WIDE || is_stacked));
    let most = if is_list_there {
        most_foot_rows(body)
    } else {
        0
    };
    let foot_rows = u16::try_from(foot_rows.min(most)).unwrap_or(0);
    let head = text::row(body, 0);
    let middle = Rect {
        y: head.bottom(),
        height: body.height.saturating_sub(head.height + foot_rows),
        ..body
    };
    let foot = Rect {
        y: middle.bottom(),
        height: foot_rows,
        ..body
    };
    let none = Rect {
        height: 0,
        ..middle
    };
    let (list, detail) = match (pane, zoom) {
        (_, Zoom::Off) if body.width >= WIDE => {
            let width = (body.width * 2 / 5).clamp(38, 72);
            let list = text::column(middle, 0, middle.width - width - 1);
            (list, text::column(middle, middle.width - width, width))
        }
        (_, Zoom::Off) if is_stacked => {
            let below = Rect {
                y: middle.y + list_rows,
                height: middle.height - list_rows,
                ..middle
            };
            let list = Rect {
                height: list_rows,
                ..middle
            };
            (list, below)
        }
        (OverviewPane::List, _) => (middle, none),
        (OverviewPane::Detail, _) => (none, middle),
    };
    OverviewAreas {
        head,
        list,
        detail,
        foot,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_never_overlap_nor_leave_their_room() {
        for width in 0..400 {
            let (placed, rows) = columns(width);
            assert!(rows == 1 || rows == 2);
            for pair in placed.windows(2) {
                assert!(pair[0].start + pair[0].width < pair[1].start, "{width}");
            }
            let end = placed.last().map_or(0, |p| p.start + p.width);
            assert!(end <= width.max(LEAD), "{width}: {end}");
        }
    }

    #[test]
    fn details_stand_below_a_short_list_and_no_row_is_used_twice() {
        for height in 0..60 {
            for (pane, zoom) in [
                (OverviewPane::List, Zoom::Off),
                (OverviewPane::Detail, Zoom::Off),
                (OverviewPane::Detail, Zoom::On),
            ] {
                for (foot, list) in [(0, 1), (4, 7), (4, 5000), (900, usize::MAX)] {
                    let body = Rect::new(0, 1, 80, height);
                    let areas = areas(body, pane, zoom, foot, list);
                    let rooms = [areas.head, areas.list, areas.detail, areas.foot];
                    let rows: u16 = rooms.iter().map(|room| room.height).sum();
                    assert_eq!(rows, height, "{pane:?} {zoom:?} {foot} {list}");
                }
            }
        }
        let seen = |list| {
            areas(
                Rect::new(0, 1, 80, 21),
                OverviewPane::List,
                Zoom::Off,
                4,
                list,
            )
        };
        assert_eq!((seen(7).list.height, seen(7).detail.height), (7, 9));
        assert_eq!(seen(11).detail.height, 0);
    }

    #[test]
    fn more_room_shows_more() {
        let names = |width| {
            columns(width)
                .0
                .iter()
                .map(|p| p.column)
                .collect::<Vec<_>>()
        };
        let [narrow, usual, wide] = [40, 80, 250].map(names);
        assert_eq!(narrow, [Column::Name, Column::Bar, Column::Percent]);
        for wanted in [Column::Keys, Column::Marks, Column::Wall] {
            assert!(usual.contains(&wanted), "{wanted:?}");
        }
        assert_eq!(wide.len(), 11);
        assert_eq!(columns(250).1, 1);
    }
}
