//! The chosen row of a list and the window of rows that is drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use crate::model::visible::visible;
use crate::ui::kit::action::Action;
use crate::ui::kit::msg::Effect;

/// Whether a row is the one the cursor is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowRole {
    Chosen,
    Other,
}

/// Lays the style of the chosen row over what is drawn. Words that have a ground of their own keep it: they are chosen
/// to be read on that, not on another.
pub fn lay_chosen(buffer: &mut Buffer, area: Rect, style: Style) {
    let area = area.intersection(buffer.area);
    for position in area.positions() {
        if let Some(cell) = buffer.cell_mut(position) {
            let prepared = cell.bg;
            cell.set_style(style);
            if prepared != Color::Reset {
                cell.set_bg(prepared);
            }
        }
    }
}

/// The place so many steps further, round and round; none in a list without places.
pub fn place_further(at: usize, step: isize, count: usize) -> Option<usize> {
    let at = isize::try_from(at).ok()?.checked_add(step)?;
    let at = at.checked_rem_euclid(isize::try_from(count).ok()?)?;
    usize::try_from(at).ok()
}

/// The value so many steps further in a round.
pub fn further<T: Clone + PartialEq>(round: &[T], now: &T, step: isize) -> T {
    let at = round.iter().position(|one| one == now).unwrap_or(0);
    let next = place_further(at, step, round.len());
    next.and_then(|at| round.get(at)).unwrap_or(now).clone()
}

/// What rows can be sorted by, in the order of `s`, each with the name that commands give it.
pub struct Orders<By: 'static> {
    pub all: &'static [By],
    pub names: &'static [&'static str],
}

impl<By: Copy + PartialEq> Orders<By> {
    pub fn named(&self, name: &str) -> Option<By> {
        let at = self.names.iter().position(|known| *known == name)?;
        self.all.get(at).copied()
    }

    pub fn name(&self, by: By) -> &'static str {
        let at = self.all.iter().position(|one| *one == by);
        at.and_then(|at| self.names.get(at)).copied().unwrap_or("")
    }

    /// That there is nothing of a name, and what there is.
    pub fn unknown(&self, what: &str, name: &str) -> Vec<Effect> {
        let what = format!("{what} {}", visible(name));
        Effect::fail(what, Some(&format!("they are {}", self.names.join(", "))))
    }
}

/// Where a list stands: which row is chosen, and which is drawn first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cursor {
    pub chosen: usize,
    pub first: usize,
}

impl Cursor {
    /// Chooses the row that was clicked; true where it was chosen already.
    pub fn click(&mut self, row: usize) -> bool {
        std::mem::replace(&mut self.chosen, row) == row
    }

    /// Moves as an action asks; false if it asks for something else.
    pub fn act(&mut self, action: Action, rows: usize, height: usize) -> bool {
        let Some(chosen) = action.moved(self.chosen, rows, height) else {
            return false;
        };
        self.chosen = chosen.min(rows.saturating_sub(1));
        self.settle(rows, height);
        true
    }

    /// Keeps the chosen row among the rows, and the window around it.
    pub fn settle(&mut self, rows: usize, height: usize) {
        self.chosen = self.chosen.min(rows.saturating_sub(1));
        let height = height.max(1);
        self.first = self
            .first
            .min(self.chosen)
            .max((self.chosen + 1).saturating_sub(height))
            // No empty space below the last row while there are rows above.
            .min(rows.saturating_sub(height));
    }

    /// The rows that are drawn.
    pub fn window(&self, rows: usize, height: usize) -> std::ops::Range<usize> {
        let first = self.first.min(rows);
        first..first.saturating_add(height).min(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_on_their_own_ground_keep_it_in_the_chosen_row() {
        let area = Rect::new(0, 0, 4, 1);
        let mut buffer = Buffer::empty(area);
        buffer.set_string(0, 0, "ab", Style::new().fg(Color::White).bg(Color::Red));
        lay_chosen(&mut buffer, Rect::new(0, 0, 9, 9), Style::new().bg(Color::Gray));
        let grounds: Vec<Color> = buffer.content.iter().map(|cell| cell.bg).collect();
        assert_eq!(grounds, [Color::Red, Color::Red, Color::Gray, Color::Gray]);
    }

    #[test]
    fn the_window_follows_the_chosen_row_and_never_leaves_the_list() {
        let mut cursor = Cursor::default();
        for (action, expected) in [
            (Action::NextRow, (1, 0)),
            (Action::NextPage, (11, 2)),
            (Action::LastRow, (24, 15)),
            (Action::NextRow, (24, 15)),
            (Action::PreviousHalfPage, (19, 15)),
            (Action::PreviousPage, (9, 9)),
            (Action::FirstRow, (0, 0)),
            (Action::PreviousRow, (0, 0)),
        ] {
            assert!(cursor.act(action, 25, 10));
            assert_eq!((cursor.chosen, cursor.first), expected, "{action:?}");
        }
        assert!(!cursor.act(Action::Help, 25, 10));
        cursor.act(Action::LastRow, 25, 10);
        cursor.settle(3, 10);
        assert_eq!((cursor.chosen, cursor.window(3, 10)), (2, 0..3));
        cursor.settle(0, 0);
        assert_eq!((cursor.chosen, cursor.window(0, 0)), (0, 0..0));
    }
}
