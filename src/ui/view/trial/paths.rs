//! The path browser: what stands at each path of the documents, and whether it could be a key.

mod paint;
mod path_table;

use ratatui::layout::{Position, Rect};

use crate::analysis::paths::PathRow;
use crate::ui::kit::action::Action;
use crate::ui::kit::list::{Cursor, Orders};

pub use paint::{draw, list};
pub use path_table::{PathTable, path_table};

/// By what paths stand in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PathOrder {
    /// As the documents name them.
    #[default]
    Found,
    Path,
    /// Most values first.
    Distinct,
    /// Most documents without it first.
    Missing,
}

pub const ORDERS: Orders<PathOrder> = Orders {
    all: &[PathOrder::Found, PathOrder::Path, PathOrder::Distinct, PathOrder::Missing],
    names: &["found", "path", "distinct", "missing"],
};

/// Where the browser stands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathsState {
    pub cursor: Cursor,
    by: PathOrder,
    filter: String,
    /// Rows that pass the filter, in their order.
    order: Vec<usize>,
}

impl PathsState {
    pub fn by(&self) -> PathOrder {
        self.by
    }

    pub fn filter(&self) -> &str {
        &self.filter
    }

    /// How many paths are listed.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    pub fn sort_by(&mut self, by: PathOrder, rows: &[PathRow]) {
        self.by = by;
        self.arrange(rows);
    }

    pub fn set_filter(&mut self, text: &str, rows: &[PathRow]) {
        text.clone_into(&mut self.filter);
        self.arrange(rows);
    }

    /// Renews the list: its rows, order or filter are others now.
    pub fn arrange(&mut self, rows: &[PathRow]) {
        let wanted = self.filter.to_lowercase();
        let texts: Vec<String> = rows.iter().map(|row| row.path.to_string()).collect();
        let named = texts.iter().enumerate();
        let named = named.filter(|(_, text)| text.to_lowercase().contains(&wanted));
        self.order = named.map(|(at, _)| at).collect();
        let most =
            |of: fn(&PathRow) -> u64| move |at: &usize| std::cmp::Reverse(rows.get(*at).map(of));
        match self.by {
            PathOrder::Found => {}
            PathOrder::Path => self.order.sort_by_key(|at| texts.get(*at)),
            PathOrder::Distinct => self.order.sort_by_key(most(|row| row.distinct.seen)),
            PathOrder::Missing => self.order.sort_by_key(most(|row| row.kinds.missing)),
        }
        self.cursor = Cursor::default();
    }

    /// Keeps the cursor inside the room that the list has.
    pub fn settle(&mut self, area: Rect) {
        let height = list(area).height.into();
        self.cursor.settle(self.order.len(), height);
    }

    /// Moves as an action asks; false if it asks for something else.
    pub fn act(&mut self, action: Action, area: Rect) -> bool {
        let height = list(area).height.into();
        self.cursor.act(action, self.order.len(), height)
    }

    /// The number of the row under the cursor.
    pub fn chosen(&self) -> Option<usize> {
        self.order.get(self.cursor.chosen).copied()
    }

    /// The place in the list under the pointer, to be chosen.
    pub fn place_at(&self, area: Rect, pointer: Position) -> Option<usize> {
        super::pane::place_at(list(area), self.cursor.first, self.order.len(), pointer)
    }

    fn seen(&self, height: u16) -> impl Iterator<Item = (usize, usize)> + '_ {
        let seen = self.cursor.window(self.order.len(), height.into());
        let rows = self.order.get(seen.clone()).unwrap_or_default();
        seen.zip(rows.iter().copied())
    }
}

#[cfg(test)]
mod tests;
