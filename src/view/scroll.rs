//! A text longer than its room: the line that is drawn first, and the marker that shows where one is.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::text;
use super::theme::Theme;
use crate::app::action::Action;

/// Where a text that has no chosen line stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scroll {
    pub first: usize,
}

impl Scroll {
    /// Moves as an action asks; false if it asks for something else.
    pub fn act(&mut self, action: Action, lines: usize, height: usize) -> bool {
        let page = height.max(1);
        let half = page.div_ceil(2);
        self.first = match action {
            Action::NextRow => self.first.saturating_add(1),
            Action::PreviousRow => self.first.saturating_sub(1),
            Action::NextPage => self.first.saturating_add(page),
            Action::PreviousPage => self.first.saturating_sub(page),
            Action::NextHalfPage => self.first.saturating_add(half),
            Action::PreviousHalfPage => self.first.saturating_sub(half),
            Action::FirstRow => 0,
            Action::LastRow => lines,
            _ => return false,
        };
        self.settle(lines, height);
        true
    }

    /// No empty room below the last line while there are lines above.
    pub fn settle(&mut self, lines: usize, height: usize) {
        self.first = self.first.min(lines.saturating_sub(height));
    }

    /// Which lines are shown, for a frame: `12-30 of 80`; nothing where all are.
    pub fn place(&self, lines: usize, height: usize) -> String {
        if lines <= height {
            return String::new();
        }
        let last = self.first.saturating_add(height).min(lines);
        format!("{}-{last} of {lines}", self.first + 1)
    }
}

/// Draws which part of a text is shown into the first column of an area; nothing where all of it is.
pub fn marker(buffer: &mut Buffer, area: Rect, first: usize, lines: usize, theme: &Theme) {
    let height = usize::from(area.height);
    if height == 0 || lines <= height {
        return;
    }
    let length = (height * height / lines).max(1);
    let way = height - length;
    let from = (first * way).div_ceil((lines - height).max(1)).min(way);
    let sign = [Span::styled(theme.glyphs.signs().scroll_thumb, theme.dim)];
    for index in from..from + length {
        let row = text::row(area, u16::try_from(index).unwrap_or(u16::MAX));
        text::left(buffer, text::column(row, 0, 1), &sign, theme);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::testing::{assert_stays_inside, lines, theme};

    #[test]
    fn a_text_moves_by_lines_and_pages_and_never_leaves_its_room() {
        let mut scroll = Scroll::default();
        for (action, first) in [
            (Action::NextRow, 1),
            (Action::NextPage, 11),
            (Action::PreviousHalfPage, 6),
            (Action::LastRow, 20),
            (Action::NextRow, 20),
            (Action::FirstRow, 0),
            (Action::PreviousPage, 0),
        ] {
            assert!(scroll.act(action, 30, 10));
            assert_eq!(scroll.first, first, "{action:?}");
        }
        assert!(!scroll.act(Action::Copy, 30, 10));
        assert_eq!(scroll.place(30, 10), "1-10 of 30");
        assert_eq!(scroll.place(10, 10), "");
    }

    #[test]
    fn the_marker_reaches_both_ends() {
        let drawn = |first| {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 1, 4));
            marker(&mut buffer, Rect::new(0, 0, 1, 4), first, 12, &theme());
            lines(&buffer).concat()
        };
        assert_eq!(drawn(0), "█   ");
        assert_eq!(drawn(1), " █  ");
        assert_eq!(drawn(8), "   █");
        assert_stays_inside(|buffer, area| marker(buffer, area, usize::MAX / 70_000, 90, &theme()));
    }
}
