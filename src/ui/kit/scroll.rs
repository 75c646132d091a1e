//! A text longer than its room: the line that is drawn first.

use crate::ui::kit::action::Action;

/// Where a text that has no chosen line stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scroll {
    pub first: usize,
}

impl Scroll {
    /// Moves as an action asks; false if it asks for something else.
    pub fn act(&mut self, action: Action, lines: usize, height: usize) -> bool {
        let Some(first) = action.moved(self.first, lines, height) else {
            return false;
        };
        self.first = first;
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
