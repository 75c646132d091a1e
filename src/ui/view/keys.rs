//! The logical partitions of a container against the ceiling.
//!
//! ```text
//! shop / orders   key /tenantId                                  where the container is, how its keys are made
//! 12 of 1,204,332 keys · filter size>14GiB · sort growth ↓       what of it is shown
//! table                                  │ detail of the chosen key
//!                                        │ distribution of all keys
//! ```
//!
//! A narrow window shows one of the three panes at a time. Nothing here works through all keys: the list is arranged by
//! an effect, and only the rows of the window are made, after each message.

mod asking;
mod copying;
mod detail;
mod distribution;
mod evidence;
mod head;
mod kql;
mod layout;
mod lines;
mod marks;
mod showing;
mod table;
mod tree;
mod window;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::ViewId;
use crate::analysis::arrange::Sort;
use crate::analysis::detail::detail as detail_of;
use crate::analysis::filter::Filter;
use crate::analysis::heat::{Named, Partition};
use crate::model::logical::KeyId;
use crate::model::names::ContainerName;
use crate::ui::app::App;
use crate::ui::kit::action::Action;
use crate::ui::kit::line::Offer;
use crate::ui::kit::list::Cursor;
use crate::ui::kit::msg::{Effect, Turn};
use crate::ui::kit::panel::Zoom;
use crate::work::data::{Arranged, Exported, Grown};
use crate::work::export::{Export, KeysShown};
use crate::work::shared::Shared;
use crate::work::whole_file::Existing;

pub use head::age_and_missing;
pub use showing::show_key;

use layout::{Areas, Pane};
use lines::Scrolled;
use marks::Marks;
use table::Wishes;
use tree::{Shape, Tree};
use window::Window;

/// Columns that the list can be sorted by, as `:sort` names them.
pub const COLUMNS: &[&str] = &[
    "size",
    "share",
    "growth",
    "wall",
    "key",
    "region",
    "partition",
    "ru",
    "newest",
];

/// Whether an answer was turned down because the chosen key was not looked for in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Missed {
    #[default]
    No,
    Once,
}

/// What the screen of keys holds from message to message.
#[derive(Debug, Default)]
pub struct State {
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
    asked: Option<Turn>,
    /// The keys that the newest question follows into other data, in its order.
    following: Vec<KeyId>,
    missed: Missed,
    told: Option<head::Told>,
    /// The key that the selection follows, once a person chose one.
    anchor: Option<KeyId>,
    marks: Marks,
    pane: Pane,
    zoom: Zoom,
    /// Columns that were scrolled out to the left.
    first_column: usize,
    /// Counted up with every change of how names are shown.
    names: u64,
    shape: Shape,
    tree: Tree,
    window: Window,
    detail: Scrolled<detail::Made>,
    distribution: Scrolled<distribution::Made>,
}

impl State {
    /// The key under the cursor.
    fn chosen(&self) -> Option<KeyId> {
        match self.shape {
            Shape::List => self.list.as_ref()?.id(self.cursor.chosen),
            Shape::Tree => self.tree.id(self.cursor.chosen, &self.list.as_ref()?.data),
        }
    }

    fn rows(&self) -> usize {
        match self.shape {
            Shape::List => self.list.as_ref().map_or(0, |list| list.len()),
            Shape::Tree => self.tree.len(),
        }
    }
}

/// Whether a person chose a key.
pub fn is_chosen(app: &App) -> bool {
    app.keys.anchor.is_some()
}

/// The physical partition of the chosen key, as its load knows it: where it lies, else where it was logged.
pub fn partition_of_chosen(app: &App) -> Option<Named> {
    let list = app.keys.list.as_ref()?;
    let data = &list.data;
    let key = detail_of(&data.capture, &data.lookups, app.keys.chosen()?)?;
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

/// Shows a container's keys.
pub fn open(app: &mut App, container: u32) -> Vec<Effect> {
    let name = app.data.as_ref().and_then(|data| {
        let container = data.capture.container(container)?;
        Some(container.name.identity())
    });
    let held = &app.keys;
    if name.is_some() && held.name != name {
        app.keys = State {
            sort: held.sort,
            pane: Pane::Table,
            names: held.names,
            ..State::default()
        };
    }
    app.keys.container = Some(container);
    app.keys.name = name;
    app.go(ViewId::Keys);
    on_shown(app)
}

pub fn on_data(app: &mut App) -> Vec<Effect> {
    let named = app.keys.name.clone();
    if let (Some(data), Some(name)) = (&app.data, named) {
        app.keys.container = data.container_named(&name);
    }
    if app.keys.list.is_some() || app.view == ViewId::Keys {
        asking::ask(app)
    } else {
        Vec::new()
    }
}

pub fn on_shown(app: &mut App) -> Vec<Effect> {
    if asking::is_answered(app) {
        return Vec::new();
    }
    asking::ask(app)
}

pub fn on_names_changed(app: &mut App) {
    app.keys.names += 1;
}

pub fn on_arranged(app: &mut App, turn: Turn, arranged: Shared<Arranged>) -> Vec<Effect> {
    if app.keys.asked != Some(turn) {
        return Vec::new();
    }
    app.keys.asked = None;
    // Once only: whoever moves all the time is to see the new data all the same.
    if app.keys.missed == Missed::No && asking::misses_chosen(&app.keys, &arranged) {
        app.keys.missed = Missed::Once;
        return asking::ask(app);
    }
    app.keys.missed = Missed::No;
    asking::take(&mut app.keys, arranged);
    Vec::new()
}

/// The selection follows the row that was clicked from now on.
pub fn chosen_by_click(app: &mut App) {
    let state = &mut app.keys;
    state.pane = Pane::Table;
    state.anchor = state.chosen().or(state.anchor);
}

pub fn on_grown(app: &mut App, turn: Turn, grown: Shared<Grown>) -> Vec<Effect> {
    tree::on_grown(&mut app.keys, turn, grown);
    Vec::new()
}

/// Makes the rows of the window and the lines of the panes that are seen.
pub fn settle(app: &mut App, body: Rect) -> Vec<Effect> {
    let areas = layout::areas(body, app.keys.pane, app.keys.zoom);
    head::settle(app);
    let rows = app.keys.rows();
    app.keys.cursor.settle(rows, areas.list_rows());
    match app.keys.shape {
        Shape::List => window::settle(app, &areas),
        Shape::Tree => tree::settle_rows(app, &areas),
    }
    detail::settle(app, &areas);
    distribution::settle(app, &areas);
    tree::settle(app)
}

/// Out of a zoomed pane, back to the table, out of a filter.
pub fn step_back(app: &mut App) -> Option<Vec<Effect>> {
    let state = &mut app.keys;
    if state.zoom == Zoom::On {
        state.zoom = Zoom::Off;
        return Some(Vec::new());
    }
    if state.pane != Pane::Table {
        state.pane = Pane::Table;
        return Some(Vec::new());
    }
    if state.filter_text.is_empty() && state.filter.is_empty() {
        return None;
    }
    Some(set_filter(app, ""))
}

fn areas(app: &App) -> Areas {
    layout::areas(super::body(app), app.keys.pane, app.keys.zoom)
}

pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    match action {
        Action::NextPane => app.keys.pane = app.keys.pane.next(),
        Action::PreviousPane => app.keys.pane = app.keys.pane.previous(),
        Action::ToggleTree => tree::toggle(app),
        Action::Expand | Action::Collapse | Action::Enter
            if app.keys.shape == Shape::Tree && app.keys.pane == Pane::Table =>
        {
            tree::act(app, action);
        }
        Action::Zoom => app.keys.zoom = app.keys.zoom.other(),
        Action::Enter => {
            app.keys.pane = match app.keys.pane {
                Pane::Table => Pane::Detail,
                Pane::Detail | Pane::Distribution => Pane::Table,
            }
        }
        Action::ScrollLeft => {
            app.keys.first_column = app.keys.first_column.saturating_sub(1);
        }
        Action::ScrollRight => {
            let last = table::last_first_column(areas(app).list(), Wishes::of(app));
            app.keys.first_column = (app.keys.first_column + 1).min(last);
        }
        Action::SortNext => return asking::sort_further(app, 1),
        Action::SortPrevious => return asking::sort_further(app, -1),
        Action::SortReverse => return asking::reverse(app),
        Action::ClearFilter => return set_filter(app, ""),
        Action::Mark => marks::toggle(app),
        Action::MarkAll => marks::mark_all(app),
        Action::ClearMarks => marks::clear(app),
        Action::Copy => return copying::rows(app),
        Action::CopyExact => return copying::exact(app),
        Action::CopyQuery => return copying::query(app),
        Action::Evidence => evidence::show(app),
        _ => moved(app, action),
    }
    Vec::new()
}

/// Moves what the focused pane shows.
fn moved(app: &mut App, action: Action) {
    let areas = areas(app);
    let state = &mut app.keys;
    match state.pane {
        Pane::Table => {
            let rows = state.rows();
            if state.cursor.act(action, rows, areas.list_rows()) {
                state.anchor = state.chosen().or(state.anchor);
            }
        }
        Pane::Detail => state.detail.act(action, areas.height(areas.detail)),
        Pane::Distribution => state
            .distribution
            .act(action, areas.height(areas.distribution)),
    }
}

pub fn set_filter(app: &mut App, text: &str) -> Vec<Effect> {
    // Whoever narrows the rows wants to see them.
    if areas(app).table.is_empty() {
        app.keys.pane = Pane::Table;
    }
    asking::set_filter(app, text)
}

pub fn filter_offers(app: &App, text: &str) -> (Vec<Offer>, Option<(usize, String)>) {
    asking::filter_offers(app, text)
}

pub fn sort_by(app: &mut App, column: &str) -> Vec<Effect> {
    asking::sort_by(app, column)
}

pub fn export_name(_app: &App) -> String {
    "cosmoscope-keys.csv".to_owned()
}

/// Writes the keys that are shown, or the marked ones where there are marks.
pub fn export(app: &mut App, path: &str, existing: Existing) -> Vec<Effect> {
    let Some(list) = app.keys.list.clone() else {
        app.fail("there are no keys to export", None);
        return Vec::new();
    };
    let masker = app.mask.shared();
    let what = Exported::Keys(KeysShown {
        list,
        marked: app.keys.marks.ids(),
        masker,
    });
    let export = Export {
        path: path.into(),
        existing,
        what,
    };
    vec![Effect::Export(app.turn.advance(), export)]
}

/// The row of the list under a cell.
pub fn row_at(app: &App, body: Rect, column: u16, row: u16) -> Option<usize> {
    let areas = layout::areas(body, app.keys.pane, app.keys.zoom);
    let list = areas.list();
    if !list.contains((column, row).into()) {
        return None;
    }
    let place = app.keys.cursor.first + usize::from(row - list.y);
    (place < app.keys.rows()).then_some(place)
}

pub fn draw(app: &App, body: Rect, buffer: &mut Buffer) {
    let areas = layout::areas(body, app.keys.pane, app.keys.zoom);
    head::draw(app, areas.head, buffer);
    table::draw(app, &areas, buffer);
    detail::draw(app, &areas, buffer);
    distribution::draw(app, &areas, buffer);
}

#[cfg(test)]
mod tests;
