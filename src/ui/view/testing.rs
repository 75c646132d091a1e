//! What the tests of the screens share.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use ratatui::buffer::{Buffer, Cell, CellWidth};
use ratatui::layout::Rect;

use crate::ui::app::App;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::theme::{Colours, Theme};

pub fn theme() -> Theme {
    Theme::named("dark", Colours::TrueColour, Glyphs::Unicode).unwrap()
}

pub fn theme_ascii() -> Theme {
    Theme::named("dark", Colours::None, Glyphs::Ascii).unwrap()
}

/// The rows of a buffer as a terminal shows them: the second half of a wide character is no cell of its own.
pub fn lines(buffer: &Buffer) -> Vec<String> {
    let area = buffer.area;
    let rows = area.top()..area.bottom();
    rows.map(|y| {
        let mut line = String::new();
        let mut x = area.left();
        while let Some(cell) = buffer.cell((x, y)) {
            line.push_str(cell.symbol());
            x += cell.cell_width().max(1);
        }
        line
    })
    .collect()
}

/// The whole window as it is drawn.
pub fn screen(app: &App) -> Vec<String> {
    let mut buffer = Buffer::empty(app.cx.area());
    crate::ui::app::draw(app, &mut buffer);
    lines(&buffer)
}

/// Windows from the smallest to the largest, with every edge between.
pub const SIZES: [(u16, u16); 14] = [
    (40, 10),
    (41, 11),
    (60, 20),
    (79, 24),
    (80, 24),
    (99, 30),
    (100, 14),
    (101, 17),
    (109, 18),
    (110, 24),
    (120, 40),
    (200, 60),
    (1000, 10),
    (1000, 500),
];

/// Areas inside, across and outside a buffer of 40 by 10, also empty and endless ones.
pub fn odd_areas() -> Vec<Rect> {
    let mut areas = Vec::new();
    for (x, y) in [(0, 0), (3, 2), (39, 9), (40, 10), (60, 60), (u16::MAX, u16::MAX)] {
        for (width, height) in [
            (0, 0),
            (0, 3),
            (1, 1),
            (2, 2),
            (3, 1),
            (7, 3),
            (20, 1),
            (40, 10),
            (u16::MAX, u16::MAX),
        ] {
            areas.push(Rect { x, y, width, height });
        }
    }
    areas
}

/// Asserts that a drawing panics nowhere and touches nothing outside its area.
#[track_caller]
pub fn assert_stays_inside(mut draw: impl FnMut(&mut Buffer, Rect)) {
    for area in odd_areas() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 40, 10));
        draw(&mut buffer, area);
        for (index, cell) in buffer.content.iter().enumerate() {
            let (x, y) = buffer.pos_of(index);
            let is_inside = area.contains((x, y).into());
            assert!(is_inside || *cell == Cell::EMPTY, "{area:?} {x},{y}");
            assert!(x + cell.cell_width() <= 40);
        }
    }
}
