//! The logical partitions of a container against the ceiling.
//!
//! ```text
//! shop / orders   key /tenantId                                  where the container is, how its keys are made
//! 12 of 1,204,332 keys · filter size>14GiB · sort growth ↓       what of it is shown
//! table                                  │ detail of the chosen key
//!                                        │ distribution of all keys
//! ```
//!
//! A narrow window shows one of the three panes at a time. Where no sizes are reported the keys of the RU log are
//! listed. Nothing here works through all keys: the list is arranged by
//! an effect, and only the rows of the window are made, after each message.

mod asking;
mod by_ru;
mod copying;
mod detail;
mod distribution;
mod evidence;
mod head;
mod kql;
mod layout;
mod lines;
mod marks;
mod opening;
mod table;
mod tree;
mod window;

use super::{Hit, OtherViews, View};
use crate::ui::kit::line::{Offers, Typing};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::analysis::arrange::Sort;
use crate::analysis::detail::detail as detail_of;
use crate::analysis::filter::Filter;
use crate::analysis::heat::{Partition, RangeName};
use crate::model::logical::KeyId;
use crate::model::names::ContainerName;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::{Cx, WindowLayout};
use crate::ui::kit::list::{Cursor, further};
use crate::ui::kit::msg::ViewId;
use crate::ui::kit::msg::{Effect, Generation, Msg};
use crate::ui::kit::panel::Zoom;
use crate::ui::kit::table::column_at;
use crate::work::data::{Arranged, Exported};
use crate::work::export::KeysShown;
use crate::work::shared::Shared;

use by_ru::KeysByRu;
use layout::{KeysAreas, KeysPane, LayoutInputs, PANES};
use lines::ScrolledLines;
use marks::Marks;
use table::{ListedBy, WidthInputs};
use tree::{KeyTree, ListShape};
use window::KeyWindow;

pub use opening::open;

/// Columns that the list can be sorted by, as `:sort` names them.
pub const COLUMNS: &[&str] =
    &["size", "share", "growth", "date", "key", "region", "partition", "ru", "newest"];

/// Whether an answer was turned down because the chosen key was not looked for in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum SearchMiss {
    #[default]
    No,
    Once,
}

/// What the screen of keys holds from message to message.
#[derive(Debug, Default)]
pub struct KeysState {
    /// The container by its number in the newest capture; None: the one with the largest key.
    pub container: Option<u32>,
    /// The same by name, since more data may number it anew.
    name: Option<ContainerName>,
    pub cursor: Cursor,
    pub filter_text: String,
    /// The last text that was a whole filter.
    filter: Filter,
    sort: Sort,
    /// What is shown: the newest answer, kept until the next is there.
    list: Option<Shared<Arranged>>,
    generation: Option<Generation>,
    /// The keys that the newest question follows into other data, in its order.
    following: Vec<KeyId>,
    missed: SearchMiss,
    figures: Option<head::ContainerFigures>,
    /// The key that the selection follows, once a person chose one.
    anchor: Option<KeyId>,
    /// The key of the first finding that names a listed one: under the cursor until a person does something.
    alarmed: Option<KeyId>,
    /// A person sorted or filtered the list, to see what comes first.
    is_rearranged: bool,
    marks: Marks,
    pane: KeysPane,
    zoom: Zoom,
    /// Columns that were scrolled out to the left.
    first_column: usize,
    /// Counted up with every change of how names are shown.
    names: u64,
    shape: ListShape,
    tree: KeyTree,
    by_ru: KeysByRu,
    window: KeyWindow,
    detail: ScrolledLines<detail::DetailLines>,
    distribution: ScrolledLines<distribution::DistributionInputs>,
}

impl KeysState {
    /// The key under the cursor.
    fn chosen(&self) -> Option<KeyId> {
        match self.shape {
            ListShape::List if self.listed_by() == ListedBy::Ru => None,
            ListShape::List => self.list.as_ref()?.id(self.cursor.chosen),
            ListShape::Tree => self.tree.id(self.cursor.chosen, &self.list.as_ref()?.data),
        }
    }

    fn rows(&self) -> usize {
        match self.shape {
            ListShape::List if self.listed_by() == ListedBy::Ru => self.by_ru.len(),
            ListShape::List => self.list.as_ref().map_or(0, |list| list.len()),
            ListShape::Tree => self.tree.len(),
        }
    }

    fn listed_by(&self) -> ListedBy {
        if self.by_ru.is_empty() { ListedBy::Size } else { ListedBy::Ru }
    }

    /// The order as the list can be in it: without sizes not every one is possible.
    fn possible(&self, sort: Sort) -> Sort {
        match self.listed_by() {
            ListedBy::Size => sort,
            ListedBy::Ru => by_ru::sort(sort),
        }
    }

    fn width_inputs(&self, cx: &Cx) -> WidthInputs {
        WidthInputs {
            by: self.listed_by(),
            glyphs: cx.theme.glyphs,
            first: self.first_column,
            longest: self.window.longest,
        }
    }

    fn areas(&self, cx: &Cx, body: Rect) -> KeysAreas {
        // Without sizes there is no distribution: the chosen key has its room.
        let is_all = self.filter_text.is_empty() && self.shape == ListShape::List;
        let has_sizes = self.listed_by() == ListedBy::Size && !(is_all && self.rows() == 0);
        let inputs = LayoutInputs {
            window: if has_sizes { cx.layout() } else { WindowLayout::Compact },
            pane: self.pane,
            zoom: self.zoom,
            rows: self.rows(),
            head_lines: head::lines(self),
            foot_lines: u16::from(head::other_keys(self).is_some()),
        };
        layout::areas(body, inputs)
    }
}

/// Whether a person chose a key.
pub fn is_chosen(state: &KeysState) -> bool {
    state.anchor.is_some()
}

/// The physical partition of the chosen key, as its load knows it: where it lies, else where it was logged.
pub fn partition_of_chosen(state: &KeysState) -> Option<RangeName> {
    if let Some(logged) = state.by_ru.get(state.cursor.chosen) {
        return logged.partition().cloned();
    }
    let list = state.list.as_ref()?;
    let data = &list.data;
    let key = detail_of(&data.capture, &data.lookups, state.chosen()?)?;
    let heat = data.heat.container(list.container)?;
    let holds = |partition: &&Partition| {
        let owner = key.owner.as_ref().map(|owner| owner.index);
        owner.is_some() && partition.known == owner
    };
    let held = heat.partitions.iter().find(holds);
    let logged = || {
        let story = detail::story(data, list.container, &key)?;
        let (partition, _) = story.partitions.first()?;
        heat.partitions.get(*partition as usize)
    };
    Some(held.or_else(logged)?.named.clone())
}

/// Moves what the focused pane shows.
fn moved(state: &mut KeysState, cx: &Cx, action: Action) {
    let areas = state.areas(cx, cx.body());
    match state.pane {
        KeysPane::Table => {
            let rows = state.rows();
            if state.cursor.act(action, rows, areas.list_rows()) {
                state.anchor = state.chosen().or(state.anchor);
            }
        }
        KeysPane::Detail => state.detail.act(action, areas.height(areas.detail)),
        KeysPane::Distribution => state.distribution.act(action, areas.height(areas.distribution)),
    }
}

impl View for KeysState {
    fn is_waiting(&self) -> bool {
        self.generation.is_some() || self.tree.is_growing()
    }

    fn container(&self) -> Option<u32> {
        self.container
    }

    fn settle(&mut self, cx: &Cx, body: Rect) -> Vec<Effect> {
        head::settle(self, cx);
        by_ru::settle(self);
        let areas = self.areas(cx, body);
        let rows = self.rows();
        self.cursor.settle(rows, areas.list_rows());
        match self.shape {
            ListShape::List => window::settle(self, cx, &areas),
            ListShape::Tree => tree::settle_rows(self, cx, &areas),
        }
        detail::settle(self, cx, &areas);
        distribution::settle(self, cx, &areas);
        tree::settle(self, cx)
    }

    fn draw(&self, cx: &Cx, body: Rect, buffer: &mut Buffer) {
        let areas = self.areas(cx, body);
        head::draw(self, cx, areas.head, buffer);
        table::draw(self, cx, &areas, buffer);
        detail::draw(self, cx, &areas, buffer);
        distribution::draw(self, cx, &areas, buffer);
    }

    fn act(&mut self, cx: &Cx, action: Action) -> Vec<Effect> {
        match action {
            Action::NextPane => self.pane = further(&PANES, &self.pane, 1),
            Action::PreviousPane => self.pane = further(&PANES, &self.pane, -1),
            Action::ToggleTree => return tree::toggle(self, cx),
            Action::Expand | Action::Collapse | Action::Enter
                if self.shape == ListShape::Tree && self.pane == KeysPane::Table =>
            {
                return tree::act(self, action);
            }
            Action::Zoom => self.zoom = self.zoom.other(),
            Action::Enter => {
                self.pane = match self.pane {
                    KeysPane::Table => KeysPane::Detail,
                    KeysPane::Detail | KeysPane::Distribution => KeysPane::Table,
                }
            }
            Action::ScrollLeft => {
                self.first_column = self.first_column.saturating_sub(1);
            }
            Action::ScrollRight => {
                let width = self.areas(cx, cx.body()).list().width;
                let last = table::last_first_column(width, self.width_inputs(cx));
                self.first_column = (self.first_column + 1).min(last);
            }
            Action::SortNext => return asking::sort_further(self, cx, 1),
            Action::SortPrevious => return asking::sort_further(self, cx, -1),
            Action::SortReverse => return asking::reverse(self, cx),
            Action::ClearFilter => return self.set_filter(cx, "", Typing::Over),
            Action::Mark => return marks::toggle(self, cx),
            Action::MarkAll => return marks::mark_all(self),
            Action::ClearMarks => marks::clear(self),
            Action::Copy => return copying::rows(self, cx),
            Action::CopyExact => return copying::exact(self, cx),
            Action::CopyQuery => return copying::query(self, cx),
            Action::Evidence => return evidence::show(self, cx),
            _ => moved(self, cx, action),
        }
        Vec::new()
    }

    fn hit(&self, cx: &Cx, body: Rect, column: u16, row: u16) -> Option<Hit> {
        let areas = self.areas(cx, body);
        let list = areas.list();
        if areas.headings().contains((column, row).into()) && self.shape == ListShape::List {
            return Some(Hit::Heading(column - list.x));
        }
        if !list.contains((column, row).into()) {
            return None;
        }
        let place = self.cursor.first + usize::from(row - list.y);
        (place < self.rows()).then_some(Hit::Row(place))
    }

    fn click(&mut self, cx: &Cx, hit: Hit) -> Vec<Effect> {
        match hit {
            Hit::Row(row) if self.cursor.click(row) => return self.act(cx, Action::Enter),
            Hit::Heading(x) => {
                let column = column_at(self.window.columns(), x);
                if let Some(by) = column.and_then(table::KeyColumn::sort) {
                    return asking::sort_by_heading(self, cx, by);
                }
            }
            // The selection follows the row that was clicked from now on.
            Hit::Row(_) => {
                self.pane = KeysPane::Table;
                self.anchor = self.chosen().or(self.anchor);
            }
            _ => {}
        }
        Vec::new()
    }

    fn on_data(&mut self, cx: &Cx) -> Vec<Effect> {
        let named = self.name.clone();
        if let (Some(data), Some(name)) = (&cx.data, named) {
            self.container = data.container_named(&name);
        }
        if self.list.is_some() || cx.view == ViewId::Keys {
            asking::ask(self, cx)
        } else {
            Vec::new()
        }
    }

    fn answer(&mut self, cx: &Cx, msg: &Msg) -> Vec<Effect> {
        match msg {
            Msg::Arranged(generation, list) if self.generation == Some(*generation) => {
                asking::on_arranged(self, cx, list.clone())
            }
            Msg::Grown(generation, grown) => {
                tree::on_grown(self, *generation, grown.clone());
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn on_shown(&mut self, cx: &Cx, others: &OtherViews) -> Vec<Effect> {
        match asking::chosen_elsewhere(self, cx, others) {
            Some(container) => opening::open_container(self, cx, container),
            None => asking::ask_unless_answered(self, cx),
        }
    }

    fn on_names_changed(&mut self, _cx: &Cx) {
        self.names += 1;
    }

    /// Out of a zoomed pane, back to the table, out of a filter.
    fn step_back(&mut self, cx: &Cx) -> Option<Vec<Effect>> {
        if self.zoom == Zoom::On {
            self.zoom = Zoom::Off;
            return Some(Vec::new());
        }
        if self.pane != KeysPane::Table {
            self.pane = KeysPane::Table;
            return Some(Vec::new());
        }
        if self.filter_text.is_empty() && self.filter.is_empty() {
            return None;
        }
        Some(self.set_filter(cx, "", Typing::Over))
    }

    fn filter_text(&self) -> String {
        self.filter_text.clone()
    }

    fn set_filter(&mut self, cx: &Cx, text: &str, typing: Typing) -> Vec<Effect> {
        // The rows that are narrowed are to be seen.
        if self.areas(cx, cx.body()).table.is_empty() {
            self.pane = KeysPane::Table;
        }
        asking::set_filter(self, cx, text, typing)
    }

    fn filter_offers(&self, cx: &Cx, text: &str, cursor: usize) -> Offers {
        asking::filter_offers(cx, text, cursor)
    }

    fn sort_columns(&self) -> &'static [&'static str] {
        COLUMNS
    }

    fn sort_by(&mut self, cx: &Cx, column: &str) -> Vec<Effect> {
        asking::sort_by(self, cx, column)
    }

    fn export_name(&self) -> &'static str {
        "cosmoscope-keys.csv"
    }

    /// The keys that are shown, or the marked ones where there are marks.
    fn exported(&self, cx: &Cx) -> Result<Exported, &'static str> {
        let list = self.list.clone().ok_or("there are no keys to export")?;
        if self.listed_by() == ListedBy::Ru {
            let shown = self.by_ru.exported(&list, &cx.mask);
            return Ok(Exported::RuKeys(Shared::new(shown)));
        }
        Ok(Exported::Keys(KeysShown { list, marked: self.marks.ids(), masker: cx.mask.shared() }))
    }
}

#[cfg(test)]
mod tests;
