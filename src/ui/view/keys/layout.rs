//! Where the panes of the screen of keys lie.

use ratatui::layout::Rect;

use crate::ui::kit::panel::{Panel, Zoom};

/// From here on the panes stand side by side.
const WIDE: u16 = 120;
/// What the table keeps beside the other panes: room for its six first columns.
const TABLE_COLUMNS: u16 = 80;
const SIDE_MOST: u16 = 72;
/// Fewer rows than this on the right side show only one pane there.
const TWO_PANES: u16 = 22;
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

/// The rooms of the screen; one that is not seen is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeysAreas {
    pub head: Rect,
    pub frames: Frames,
    pub table: Rect,
    pub detail: Rect,
    pub distribution: Rect,
}

impl KeysAreas {
    /// The rows of the list, below the headings and without the column of the marker.
    pub fn list(&self) -> Rect {
        let inner = self.text(self.table);
        let headed = inner.height.min(1);
        Rect {
            y: inner.y + headed,
            height: inner.height - headed,
            ..inner
        }
    }

    /// Rows that a page of the list has, also while it is not seen.
    pub fn list_rows(&self) -> usize {
        let unseen = self.detail.height.max(self.distribution.height);
        let rows = if self.table.is_empty() {
            unseen.saturating_sub(1)
        } else {
            self.list().height
        };
        usize::from(rows)
    }

    /// Lines that a pane shows at a time.
    pub fn height(&self, pane: Rect) -> usize {
        usize::from(self.inner(pane).height)
    }

    /// The room of a text that is scrolled: without a frame for the marker it keeps a column free.
    pub fn text(&self, pane: Rect) -> Rect {
        let inner = self.inner(pane);
        let marker = u16::from(self.frames == Frames::Left);
        Rect {
            width: inner.width.saturating_sub(marker),
            ..inner
        }
    }

    /// That room and the column of the marker beside it.
    pub fn text_and_marker(&self, pane: Rect) -> Rect {
        let text = self.text(pane);
        let marker = u16::from(text.width > 0);
        Rect {
            width: text.width + marker,
            ..text
        }
    }

    /// A pane without its frame.
    pub fn inner(&self, pane: Rect) -> Rect {
        match self.frames {
            Frames::Drawn => Panel::inner(pane),
            Frames::Left => pane,
        }
    }
}

pub fn areas(body: Rect, pane: KeysPane, zoom: Zoom) -> KeysAreas {
    let lines = if body.height < TWO_LINES { 1 } else { 2 };
    let head = Rect {
        height: body.height.min(lines),
        ..body
    };
    let rest = Rect {
        y: head.bottom(),
        height: body.height - head.height,
        ..body
    };
    let unseen = Rect {
        width: 0,
        height: 0,
        ..rest
    };
    let mut areas = KeysAreas {
        head,
        frames: Frames::Left,
        table: unseen,
        detail: unseen,
        distribution: unseen,
    };
    if zoom == Zoom::On || body.width < WIDE {
        *areas.of(pane) = rest;
        return areas;
    }
    areas.frames = Frames::Drawn;
    let side = (body.width - TABLE_COLUMNS).min(SIDE_MOST);
    areas.table = Rect {
        width: rest.width - side,
        ..rest
    };
    let right = Rect {
        x: areas.table.right(),
        width: side,
        ..rest
    };
    if right.height < TWO_PANES {
        let seen = match pane {
            KeysPane::Distribution => KeysPane::Distribution,
            KeysPane::Table | KeysPane::Detail => KeysPane::Detail,
        };
        *areas.of(seen) = right;
        return areas;
    }
    let upper = right.height * 3 / 5;
    areas.detail = Rect {
        height: upper,
        ..right
    };
    areas.distribution = Rect {
        y: right.y + upper,
        height: right.height - upper,
        ..right
    };
    areas
}

impl KeysAreas {
    fn of(&mut self, pane: KeysPane) -> &mut Rect {
        match pane {
            KeysPane::Table => &mut self.table,
            KeysPane::Detail => &mut self.detail,
            KeysPane::Distribution => &mut self.distribution,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_room_is_used_twice_and_none_lies_outside() {
        for width in [0, 1, 39, 40, 80, 119, 120, 121, 200, 1000] {
            for height in [0, 1, 2, 7, 8, 9, 21, 24, 57, 500] {
                let body = Rect::new(0, 1, width, height);
                for pane in [KeysPane::Table, KeysPane::Detail, KeysPane::Distribution] {
                    for zoom in [Zoom::Off, Zoom::On] {
                        let areas = areas(body, pane, zoom);
                        let rooms = [areas.head, areas.table, areas.detail, areas.distribution];
                        let cells: u32 = rooms.iter().map(|r| r.area()).sum();
                        assert_eq!(cells, body.area(), "{body:?} {pane:?} {zoom:?}");
                        for room in rooms.iter().filter(|r| !r.is_empty()) {
                            assert_eq!(room.intersection(body), *room);
                        }
                        assert_eq!(areas.list().intersection(areas.table), areas.list());
                    }
                }
            }
        }
    }

    #[test]
    fn a_narrow_window_shows_one_pane_and_a_wide_one_three() {
        let seen = |width, height, pane| {
            let areas = areas(Rect::new(0, 1, width, height), pane, Zoom::Off);
            [areas.table, areas.detail, areas.distribution].map(|r| r.width)
        };
        assert_eq!(seen(80, 21, KeysPane::Table), [80, 0, 0]);
        assert_eq!(seen(80, 21, KeysPane::Distribution), [0, 0, 80]);
        assert_eq!(seen(120, 37, KeysPane::Table), [80, 40, 40]);
        assert_eq!(seen(200, 57, KeysPane::Detail), [128, 72, 72]);
        assert_eq!(seen(200, 20, KeysPane::Detail), [128, 72, 0]);
    }
}
