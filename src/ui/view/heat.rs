//! The load of a container's physical partitions over time, what is wrong with it, and the keys behind it.
//!
//! ```text
//! shop ▸ orders   key /tenantId   4 partitions · 40,000 RU/s          where, and what it may use
//! RU % of partition (metric) · West Europe · 1 min a cell             which track is shown
//! ● HOT KEY partition 3 at 100 % … more RU/s: no  split: no           the verdict, always there
//!     13:02                                        14:02    p99  GB
//! ▶ 3 ████████████████████████████████████         100 %  ▇▇▁ 38      the map, one row a partition
//! highest of all  ▁▂▇█▇▂▁                                             totals
//! 97.9 %  14:01–14:02 UTC  partition 3                                the cell under the cursor
//! 0 ▒▒▒▒ 70 % ▓ 90 % █ 100 %  ! refused (429)                         what colours mean, always there
//! keys of partition 3        RU/s  share   GB  of 20 GB   wall        the keys of the chosen partition
//! ```
//!
//! All of it is made after a message, and only if what it is made of has changed; drawing paints what was made.

mod choosing;
mod copying;
mod evidence;
mod head;
mod index;
mod keylist;
mod layout;
mod legend;
mod map;
mod names;
mod paint;
mod pointing;
mod readout;
mod scope;
mod shade;
mod storage;
mod strip;
mod time;
mod verdict;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{no_container, overview};
use crate::analysis::heat::Named;
use crate::analysis::heat::grid::Order;
use crate::model::names::ContainerName;
use crate::ui::app::App;
use crate::ui::kit::action::Action;
use crate::ui::kit::list::Cursor;
use crate::ui::kit::msg::Effect;
use crate::ui::kit::panel::Zoom;
use crate::ui::kit::text;
use crate::work::export::Export;
use crate::work::whole_file::Existing;

pub use choosing::on_shown;
pub use names::short;
pub use pointing::{Spot, click, drag, point_at, release, spot_at};

use choosing::{Begun, Seen, begin};
use layout::{Areas, Pane};
use map::Map;
use scope::{Scope, Wish};
use shade::Look;
use time::Time;

/// What the list of keys can be sorted by, as `:sort` names it.
pub const COLUMNS: &[&str] = keylist::COLUMNS;

/// As the help shows them.
pub const OVER_SIGN: &str = "▲";
pub const REFUSED_SIGN: &str = shade::REFUSED;
pub const GAP_SIGN: &str = "·";

/// Rows of what is said where there is no map.
const SENTENCE_ROWS: usize = 5;

/// What partitions are shown against.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Chart {
    #[default]
    Time,
    Storage,
    Ranges,
}

impl Chart {
    fn next(self) -> Self {
        match self {
            Self::Time => Self::Storage,
            Self::Storage => Self::Ranges,
            Self::Ranges => Self::Time,
        }
    }
}

/// What the heat view holds from message to message.
#[derive(Debug, Default)]
pub struct State {
    /// By its number in the newest capture.
    container: Option<u32>,
    /// The same by name, since more data may number it anew.
    name: Option<ContainerName>,
    seen: Seen,
    chart: Chart,
    begun: Begun,
    wish: Wish,
    order: Order,
    cursor: Cursor,
    /// The partition that the selection follows, once a person chose one.
    anchor: Option<Named>,
    time: Time,
    look: Look,
    pin: Option<readout::Pin>,
    pane: Pane,
    zoom: Zoom,
    list: keylist::State,
    /// Counted up with every change of how names are shown.
    names: u64,
    scope: Option<Scope>,
    map: Map,
    index: index::Index,
    head: head::Made,
    readout: Vec<readout::Piece>,
    storage: storage::Made,
    strips: strip::Made,
}

impl State {
    /// The partition under the cursor, by its index in the load of the container; of merged ones the first.
    fn chosen(&self) -> Option<u32> {
        let scope = self.scope.as_ref()?;
        let group = self.map.group.max(1);
        let first = self.cursor.chosen.saturating_mul(group);
        if group > 1 {
            return self
                .map
                .hottest_of_chosen(self)
                .or(scope.rows.get(first).copied());
        }
        scope.rows.get(first).copied()
    }
}

pub fn on_data(app: &mut App) {
    let named = app.heat.name.clone();
    if let (Some(data), Some(name)) = (&app.data, named) {
        app.heat.container = data.container_named(&name);
    }
}

/// The container that is shown.
pub fn container(app: &App) -> Option<u32> {
    app.heat.container
}

pub fn on_names_changed(app: &mut App) {
    app.heat.names += 1;
}

/// How old the newest value of the track is.
pub fn age(app: &App) -> Vec<Span<'static>> {
    let newest = app.heat.scope.as_ref().and_then(|scope| scope.span);
    let newest = newest.and_then(|(_, to)| crate::model::time::Stamp::from_seconds(to));
    overview::read_span(newest, app).into_iter().collect()
}

fn areas(app: &App, body: Rect) -> Areas {
    let rows = app
        .heat
        .scope
        .as_ref()
        .map_or(0, |scope| match scope.track {
            // A sentence stands in place of the map.
            None => scope.rows.len().max(SENTENCE_ROWS),
            Some(_) => scope.rows.len(),
        });
    layout::areas(body, &app.heat, rows)
}

/// Makes what the next frame shows.
pub fn settle(app: &mut App, body: Rect) {
    if app.heat.container.is_none() {
        on_shown(app);
    }
    begin(app);
    scope::settle(app);
    index::settle(app);
    if app.heat.chart == Chart::Ranges {
        strip::settle(app);
    }
    head::settle(app, body.width);
    let areas = areas(app, body);
    if map::settle(app, &areas) == map::Settled::Anew {
        // The width of a cell is told above the map.
        head::settle(app, body.width);
    }
    keylist::settle(app, &areas);
    if app.heat.chart == Chart::Storage {
        storage::settle(app, &areas);
    }
    readout::settle(app);
}

/// Out of a brush, a zoomed pane, the keys, another chart, and back through the zooms of time.
pub fn step_back(app: &mut App) -> Option<Vec<Effect>> {
    let state = &mut app.heat;
    if state.time.brush.is_some() {
        state.time.brush = None;
    } else if state.zoom == Zoom::On {
        state.zoom = Zoom::Off;
    } else if state.pane == Pane::Keys {
        state.pane = Pane::Map;
    } else if state.chart != Chart::Time && state.map.window.is_some() {
        state.chart = Chart::Time;
    } else if !state.time.step_back() {
        return None;
    }
    Some(Vec::new())
}

pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    app.heat.begun = Begun::Yes;
    if app.heat.anchor.is_none() {
        follow_chosen(app);
    }
    if matches!(action, Action::Enter) {
        return enter(app);
    }
    if matches!(action, Action::Copy | Action::CopyQuery | Action::CopyCell) {
        return copying::act(app, action);
    }
    let state = &mut app.heat;
    match action {
        Action::NextPane | Action::PreviousPane => state.pane = state.pane.other(),
        Action::Zoom => state.zoom = state.zoom.other(),
        Action::NextChart => {
            state.chart = state.chart.next();
            state.pane = Pane::Map;
        }
        Action::NextRegion => scope::next_region(app),
        Action::NextOrder => scope::next_order(app),
        Action::ClearFilter => {
            if state.list.filter_is_empty() {
                app.say("no filter hides any key");
            }
            keylist::set_filter(app, "");
        }
        Action::NextMeasure
        | Action::PreviousMeasure
        | Action::Darker
        | Action::Brighter
        | Action::ToggleRelative
        | Action::ToggleDense
        | Action::Pin
            if state.chart != Chart::Time =>
        {
            time::elsewhere(app, action);
        }
        Action::NextMeasure => scope::turn_measure(app, 1),
        Action::PreviousMeasure => scope::turn_measure(app, -1),
        Action::ToggleRelative => turn_scale(app),
        Action::Darker => state.look.turn_brightness(-1),
        Action::Brighter => state.look.turn_brightness(1),
        Action::ToggleDense => turn_density(app),
        Action::Pin => readout::pin(app),
        Action::SortNext => keylist::sort_further(app, 1),
        Action::SortPrevious => keylist::sort_further(app, -1),
        Action::Evidence => evidence::show(app),
        Action::Earlier | Action::Later if state.chart == Chart::Ranges => {
            strip::step(app, action);
        }
        Action::Earlier
        | Action::Later
        | Action::PanEarlier
        | Action::PanLater
        | Action::ZoomIn
        | Action::ZoomOut
        | Action::ZoomAll
        | Action::Brush => time::act(app, action),
        _ => moved(app, action),
    }
    Vec::new()
}

fn turn_scale(app: &mut App) {
    let state = &mut app.heat;
    state.look.turn_scale();
    let has_ceiling = state.scope.as_ref().is_some_and(|scope| scope.has_ceiling);
    if !has_ceiling {
        app.say("this measure has no ceiling: colours stay relative to its highest value");
    }
}

fn turn_density(app: &mut App) {
    let state = &mut app.heat;
    state.look.turn_density();
    if state.map.rows.len() >= map::rows(state) && state.map.group <= 1 {
        app.say("every partition has a row of its own already");
    }
}

/// Ends a brush, goes from the partition to its keys, and from a key to the list of keys.
fn enter(app: &mut App) -> Vec<Effect> {
    if app.heat.time.brush.is_some() {
        time::act(app, Action::Brush);
        return Vec::new();
    }
    match app.heat.pane {
        Pane::Map => {
            app.heat.pane = Pane::Keys;
            Vec::new()
        }
        Pane::Keys => keylist::enter(app),
    }
}

/// Moves what the focused pane shows.
fn moved(app: &mut App, action: Action) {
    let body = super::body(app);
    let areas = areas(app, body);
    match app.heat.pane {
        Pane::Map => {
            let rows = map::rows(&app.heat);
            let height = usize::from(areas.map.height);
            if app.heat.cursor.act(action, rows, height) {
                chosen_by_hand(app);
            }
        }
        Pane::Keys => keylist::moved(app, action, areas.key_rows()),
    }
}

/// Another row was chosen: the list of keys begins anew.
fn chosen_by_hand(app: &mut App) {
    follow_chosen(app);
    app.heat.list.rewind();
}

/// The selection follows the partition under the cursor from now on.
fn follow_chosen(app: &mut App) {
    let state = &app.heat;
    let named = (|| {
        let scope = state.scope.as_ref()?;
        let at = state.cursor.chosen.saturating_mul(state.map.group.max(1));
        let partition = *scope.rows.get(at)?;
        Some(
            scope
                .heat()?
                .partitions
                .get(partition as usize)?
                .named
                .clone(),
        )
    })();
    app.heat.anchor = named.or(app.heat.anchor.take());
}

pub fn filter_text(app: &App) -> String {
    keylist::filter_text(app)
}

pub fn set_filter(app: &mut App, text: &str) {
    keylist::set_filter(app, text);
}

pub fn sort_by(app: &mut App, column: &str) {
    keylist::sort_by(app, column);
}

pub fn export_name(_app: &App) -> String {
    "cosmoscope-heat.html".to_owned()
}

/// Writes the map, the verdict and the keys to a file.
pub fn export(app: &mut App, path: &str, existing: Existing) -> Vec<Effect> {
    let Some(what) = copying::exported(app) else {
        app.fail("there is no container whose load could be written", None);
        return Vec::new();
    };
    let export = Export {
        path: path.into(),
        existing,
        what,
    };
    vec![Effect::Export(app.turn.advance(), export)]
}

pub fn draw(app: &App, body: Rect, buffer: &mut Buffer) {
    if app.heat.scope.is_none() {
        text::paragraph(buffer, body, &no_container(app), app.theme.text, &app.theme);
        return;
    }
    let areas = areas(app, body);
    head::draw(app, &areas, buffer);
    match app.heat.chart {
        Chart::Time => paint::draw(app, &areas, buffer),
        Chart::Storage => storage::draw(app, &areas, buffer),
        Chart::Ranges => strip::draw(app, &areas, buffer),
    }
    readout::draw(app, areas.readout, buffer);
    legend::draw(app, areas.legend, buffer);
    keylist::draw(app, &areas, buffer);
}

#[cfg(test)]
mod tests;
