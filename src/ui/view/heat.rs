//! The load of a container's physical partitions over time, what is wrong with it, and the keys behind it.
//!
//! ```text
//! shop ▸ orders   key /tenantId   4 partitions · 40,000 RU/s          where, and what it may use
//! RU % of partition (metric) · West Europe · 1 min a cell             which track is shown
//! ● HOT KEY partition 3 at 100 % … more RU/s: no  split: no           the verdict, always there
//!     13:02                                        14:02    p99  GB
//! ▶ 3 ████████████████████████████████████         100 %  ▇▇▁ 38      the map, one row a partition
//!   47 more rows, scroll to see them                               those of which no row is seen
//! highest of all  ▁▂▇█▇▂▁                                             totals
//! 97.9 %  14:01–14:02 UTC  partition 3                                the cell under the cursor
//! 0 ▒▒▒▒ 70 % ▓ 90 % █ 100 %  ! refused (429)                         what colours mean, always there
//! keys of partition 3        RU/s  share   GB  of 20 GB   limit date        the keys of the chosen partition
//! ```
//!
//! All of it is made after a message, and only if what it is made of has changed; drawing paints what was made.

mod axis;
pub mod choosing;
mod copying;
mod evidence;
mod foot;
mod head;
mod index;
mod keylist;
mod layout;
mod legend;
mod levels;
pub mod locating;
mod map;
pub mod names;
mod paint;
mod pointing;
mod readout;
mod scope;
mod shade;
mod storage;
mod strip;
mod throttled;
mod time;

use super::{Hit, OtherViews, View};
use crate::ui::kit::input::Pointer;
use crate::ui::kit::line::Typing;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::no_container;
use crate::analysis::heat::RangeName;
use crate::analysis::heat::grid::GridOrder;
use crate::model::key::Key;
use crate::model::names::ContainerName;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::list::{Cursor, further};
use crate::ui::kit::msg::Effect;
use crate::ui::kit::panel::Zoom;
use crate::ui::kit::text;
use crate::work::data::Exported;

pub use pointing::PointerTarget;

use choosing::{ChosenByUser, begin};
use layout::{HeatAreas, HeatPane};
use map::Map;
use scope::{HeatScope, ScopeRequest};
use shade::Look;
use time::Time;

/// As the help shows them.
pub const OVER_SIGN: &str = "▲";
pub const REFUSED_SIGN: &str = shade::THROTTLED;
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

const CHARTS: [Chart; 3] = [Chart::Time, Chart::Storage, Chart::Ranges];

/// What the heat view holds from message to message.
#[derive(Debug, Default)]
pub struct HeatState {
    /// By its number in the newest capture.
    container: Option<u32>,
    /// The same by name, since more data may number it anew.
    name: Option<ContainerName>,
    /// What other views had chosen when this one was shown last: only another choice leads to another container.
    seen: OtherViews,
    chart: Chart,
    begun: ChosenByUser,
    request: ScopeRequest,
    order: GridOrder,
    cursor: Cursor,
    /// The partition that the selection follows, once a person chose one.
    anchor: Option<RangeName>,
    time: Time,
    look: Look,
    pin: Option<readout::Pin>,
    pane: HeatPane,
    zoom: Zoom,
    list: keylist::KeyListState,
    /// Counted up with every change of how names are shown.
    names: u64,
    scope: Option<HeatScope>,
    map: Map,
    index: index::Index,
    head: head::HeadLines,
    readout: Vec<readout::ReadoutPiece>,
    storage: storage::StorageBars,
    strips: strip::HashStrip,
    /// Values whose places are shown.
    located: Vec<Key>,
}

impl HeatState {
    /// The container that is shown.
    pub fn container(&self) -> Option<u32> {
        self.container
    }

    /// The partition under the cursor, by its index in the load of the container; of merged ones the first.
    fn chosen(&self) -> Option<u32> {
        let scope = self.scope.as_ref()?;
        let group = self.map.group.max(1);
        let first = self.cursor.chosen.saturating_mul(group);
        if group > 1 {
            return self.map.hottest_of_chosen(self).or(scope.rows.get(first).copied());
        }
        scope.rows.get(first).copied()
    }
}

fn areas(state: &HeatState, body: Rect) -> HeatAreas {
    let rows = state.scope.as_ref().map_or(0, |scope| match scope.track {
        None if state.chart == Chart::Time => SENTENCE_ROWS,
        _ => scope.rows.len(),
    });
    layout::areas(body, state, rows)
}

fn turn_scale(state: &mut HeatState) -> Vec<Effect> {
    state.look.turn_scale();
    let has_ceiling = state.scope.as_ref().is_some_and(|scope| scope.has_ceiling);
    if !has_ceiling {
        return Effect::say(
            "this measure has no ceiling: colours stay relative to its highest value",
        );
    }
    Vec::new()
}

fn turn_density(state: &mut HeatState) -> Vec<Effect> {
    state.look.turn_density();
    if state.map.rows.len() >= map::rows(state) && state.map.group <= 1 {
        return Effect::say("every partition has a row of its own already");
    }
    Vec::new()
}

/// Ends a brush, goes from the partition to its keys, and from a key to the list of keys.
fn enter(state: &mut HeatState, cx: &Cx) -> Vec<Effect> {
    if state.time.brush.is_some() {
        return time::act(state, cx, Action::Brush);
    }
    match state.pane {
        HeatPane::Map => {
            state.pane = HeatPane::Keys;
            Vec::new()
        }
        HeatPane::Keys => keylist::enter(state),
    }
}

/// Moves what the focused pane shows.
fn moved(state: &mut HeatState, cx: &Cx, action: Action) {
    let body = cx.body();
    let areas = areas(state, body);
    match state.pane {
        HeatPane::Map => {
            let rows = map::rows(state);
            if state.cursor.act(action, rows, areas.map_rows()) {
                chosen_by_hand(state);
            }
        }
        HeatPane::Keys => keylist::moved(state, action, areas.keys.height),
    }
}

/// Another row was chosen: the list of keys begins anew.
fn chosen_by_hand(state: &mut HeatState) {
    follow_chosen(state);
    state.list.rewind();
}

/// The selection follows the partition under the cursor from now on.
fn follow_chosen(state: &mut HeatState) {
    let named = (|| {
        let scope = state.scope.as_ref()?;
        let at = state.cursor.chosen.saturating_mul(state.map.group.max(1));
        let partition = *scope.rows.get(at)?;
        Some(scope.partition(partition)?.named.clone())
    })();
    state.anchor = named.or(state.anchor.take());
}

impl View for HeatState {
    fn container(&self) -> Option<u32> {
        self.container
    }

    fn settle(&mut self, cx: &Cx, body: Rect) -> Vec<Effect> {
        begin(self, cx);
        scope::settle(self, cx);
        index::settle(self);
        if self.chart == Chart::Ranges {
            strip::settle(self, cx);
        }
        head::settle(self, cx, body.width);
        let areas = areas(self, body);
        if map::settle(self, cx, &areas) == map::MapChange::Anew {
            // The width of a cell is told above the map.
            head::settle(self, cx, body.width);
        }
        storage::settle(self, cx, &areas);
        keylist::settle(self, cx, &areas);
        readout::settle(self);
        Vec::new()
    }

    fn draw(&self, cx: &Cx, body: Rect, buffer: &mut Buffer) {
        if self.scope.is_none() {
            text::paragraph(buffer, body, &no_container(cx), cx.theme.text, &cx.theme);
            return;
        }
        let areas = areas(self, body);
        head::draw(self, cx, &areas, buffer);
        match self.chart {
            Chart::Time => paint::draw(self, cx, &areas, buffer),
            Chart::Storage => storage::draw(self, cx, &areas, buffer),
            Chart::Ranges => strip::draw(self, cx, &areas, buffer),
        }
        foot::draw(self, cx, &areas, buffer);
        readout::draw(self, cx, areas.readout, buffer);
        legend::draw(self, cx, &areas, buffer);
        keylist::draw(self, cx, &areas, buffer);
    }

    fn act(&mut self, cx: &Cx, action: Action) -> Vec<Effect> {
        self.begun = ChosenByUser::Yes;
        if self.anchor.is_none() {
            follow_chosen(self);
        }
        if matches!(action, Action::Enter) {
            return enter(self, cx);
        }
        if matches!(action, Action::Copy | Action::CopyQuery | Action::CopyCell) {
            return copying::act(self, cx, action);
        }
        match action {
            Action::NextPane | Action::PreviousPane => {
                self.pane = further(&[HeatPane::Map, HeatPane::Keys], &self.pane, 1);
            }
            Action::Zoom => self.zoom = self.zoom.other(),
            Action::NextChart => {
                self.chart = further(&CHARTS, &self.chart, 1);
                self.pane = HeatPane::Map;
            }
            Action::NextRegion => return scope::next_region(self),
            Action::NextOrder => return scope::next_order(self),
            Action::ClearFilter => {
                let is_empty = self.list.filter.is_empty();
                keylist::set_filter(self, "");
                if is_empty {
                    return Effect::say("no filter hides any key");
                }
            }
            Action::NextMeasure
            | Action::PreviousMeasure
            | Action::Darker
            | Action::Brighter
            | Action::ToggleRelative
            | Action::ToggleDense
            | Action::Pin
                if self.chart != Chart::Time =>
            {
                return time::elsewhere(cx, action);
            }
            Action::NextMeasure => return scope::turn_measure(self, 1),
            Action::PreviousMeasure => return scope::turn_measure(self, -1),
            Action::ToggleRelative => return turn_scale(self),
            Action::Darker => self.look.turn_brightness(-1),
            Action::Brighter => self.look.turn_brightness(1),
            Action::ToggleDense => return turn_density(self),
            Action::Pin => return readout::pin(self),
            Action::SortNext => return keylist::sort_further(self, 1),
            Action::SortPrevious => return keylist::sort_further(self, -1),
            Action::Evidence => return evidence::show(self, cx),
            Action::Locate => return locating::open(),
            Action::Earlier | Action::Later if self.chart == Chart::Ranges => {
                strip::step(self, action);
            }
            Action::Earlier
            | Action::Later
            | Action::PanEarlier
            | Action::PanLater
            | Action::ZoomIn
            | Action::ZoomOut
            | Action::ZoomAll
            | Action::Brush => return time::act(self, cx, action),
            _ => moved(self, cx, action),
        }
        Vec::new()
    }

    fn hit(&self, _cx: &Cx, body: Rect, column: u16, row: u16) -> Option<Hit> {
        pointing::spot_at(self, body, column, row).map(Hit::Spot)
    }

    fn click(&mut self, cx: &Cx, hit: Hit) -> Vec<Effect> {
        match hit {
            Hit::Spot(spot) => pointing::click(self, cx, spot),
            _ => Vec::new(),
        }
    }

    /// How old the newest value of the track is.
    fn on_data(&mut self, cx: &Cx) -> Vec<Effect> {
        let named = self.name.clone();
        if let (Some(data), Some(name)) = (&cx.data, named) {
            self.container = data.container_named(&name);
        }
        Vec::new()
    }

    fn on_shown(&mut self, cx: &Cx, others: &OtherViews) -> Vec<Effect> {
        choosing::on_shown(self, cx, others);
        Vec::new()
    }

    fn on_names_changed(&mut self, _cx: &Cx) {
        self.names += 1;
    }

    /// Out of a brush, a zoomed pane, the keys, another chart, and back through the zooms of time.
    fn step_back(&mut self, _cx: &Cx) -> Option<Vec<Effect>> {
        if self.time.brush.is_some() {
            self.time.brush = None;
        } else if self.zoom == Zoom::On {
            self.zoom = Zoom::Off;
        } else if self.pane == HeatPane::Keys {
            self.pane = HeatPane::Map;
        } else if locating::step_back(self) {
        } else if self.chart != Chart::Time && self.map.window.is_some() {
            self.chart = Chart::Time;
        } else if !self.time.step_back() {
            return None;
        }
        Some(Vec::new())
    }

    fn drag(&mut self, _cx: &Cx, body: Rect, pointer: Pointer) {
        pointing::drag(self, body, pointer);
    }

    fn release(&mut self, _cx: &Cx) -> Vec<Effect> {
        pointing::release(self)
    }

    fn point_at(&mut self, _cx: &Cx, body: Rect, pointer: Pointer) -> bool {
        pointing::point_at(self, body, pointer);
        true
    }

    fn filter_text(&self) -> String {
        self.list.filter.clone()
    }

    fn set_filter(&mut self, _cx: &Cx, text: &str, _typing: Typing) -> Vec<Effect> {
        keylist::set_filter(self, text);
        Vec::new()
    }

    fn sort_columns(&self) -> &'static [&'static str] {
        keylist::ORDERS.names
    }

    fn sort_by(&mut self, _cx: &Cx, column: &str) -> Vec<Effect> {
        keylist::sort_by(self, column)
    }

    fn export_name(&self) -> &'static str {
        "cosmoscope-heat.html"
    }

    /// The map, the verdict and the keys.
    fn exported(&self, cx: &Cx) -> Result<Exported, &'static str> {
        copying::exported(self, cx).ok_or("there is no container whose load could be written")
    }
}

#[cfg(test)]
mod tests;
