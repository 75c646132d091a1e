//! All containers, the most urgent first.

mod cause;
mod compare;
mod detail;
mod draw;
mod evidence;
mod head;
mod layout;
mod missing;
mod paint;
mod rows;
mod search;
mod sorting;
#[cfg(test)]
mod tests;
pub(super) mod trends;

use std::path::PathBuf;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Hit, View};
use crate::analysis::diagnosis::note::note;
use crate::analysis::overview::Totals;
use crate::model::logical::KeyId;
use crate::model::names::ContainerName;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::{Cx, WindowLayout};
use crate::ui::kit::line::{Offers, Typing};
use crate::ui::kit::list::{Cursor, RowRole, further};
use crate::ui::kit::msg::{Clipboard, Destination, Effect, Generation, Msg, OnScreen, ViewId};
use crate::ui::kit::panel::{Panel, Zoom};
use crate::ui::kit::scroll::Scroll;
use crate::ui::kit::table::{TableColumn, column_at};
use crate::ui::kit::text;
use crate::ui::view::what_now;
use crate::work::compare::CompareAsk;
use crate::work::data::Stage;
use crate::work::export::{Exported, ReportShown};

use cause::{cause, worst};
use compare::Compared;
use layout::{AreaInputs, OverviewAreas, OverviewPane};
use rows::Row;
use search::FoundKeys;
use sorting::{Direction, ORDERS, Sort, SortColumn};

pub use missing::missing;
pub(super) use paint::{Cell, Painted, known};
pub use paint::{age, is_stale};

#[derive(Clone, PartialEq, Debug, Default)]
pub struct OverviewState {
    /// Counts the containers that the filter lets through, then the keys that it finds.
    pub cursor: Cursor,
    pub filter: String,
    sort: Sort,
    pane: OverviewPane,
    zoom: Zoom,
    /// The part of their names that all containers share.
    common: String,
    /// Columns that the longest of their names and of their findings take.
    longest: [usize; 2],
    /// Every container, the worst first.
    rows: Vec<Row>,
    /// Whether they are of inputs that are still being read.
    is_early: bool,
    /// The rows that are shown, in order.
    order: Vec<usize>,
    search: FoundKeys,
    totals: Totals,
    missing: Vec<String>,
    /// How many containers use RU/s that are not their own.
    provisioned: Vec<String>,
    scroll: Scroll,
    trends: trends::KeyTrends,
    /// The comparison that is being made.
    comparing: Option<Generation>,
    /// What lies over the list.
    compared: Option<Compared>,
    drawn: FrameContent,
}

/// What the next frame shows.
#[derive(Clone, PartialEq, Debug, Default)]
struct FrameContent {
    placed: Vec<TableColumn<layout::Column>>,
    rows: Vec<Painted<layout::Column>>,
    head: detail::Line,
    foot: Vec<String>,
    detail: detail::Pane,
    /// Whose details they are.
    of: Option<ContainerName>,
}

impl OverviewState {
    /// The container under the cursor, or that of the key there.
    fn chosen(&self) -> Option<&Row> {
        match self.order.get(self.cursor.chosen) {
            Some(at) => self.rows.get(*at),
            None => self.row_of(self.chosen_key()?.0),
        }
    }

    fn chosen_key(&self) -> Option<(u32, KeyId)> {
        self.found(self.cursor.chosen)
    }

    /// The key at a place of the list: keys stand below the containers.
    fn found(&self, place: usize) -> Option<(u32, KeyId)> {
        let at = place.checked_sub(self.order.len())?;
        self.search.hits().get(at).copied()
    }

    fn row_of(&self, container: u32) -> Option<&Row> {
        self.rows.iter().find(|row| row.number == container)
    }

    /// Rows of the list.
    fn shown(&self) -> usize {
        self.order.len() + self.search.hits().len()
    }

    /// Puts the rows in order anew; the chosen container stays chosen where it is still shown.
    fn arrange(&mut self) {
        let held = self.chosen().map(|row| row.identity.clone());
        self.order = sorting::order(&self.rows, &self.filter, self.sort);
        self.choose(held.as_ref());
    }

    fn choose(&mut self, name: Option<&ContainerName>) {
        let is_it = |at: &usize| self.rows.get(*at).map(|row| &row.identity) == name;
        if let Some(at) = self.order.iter().position(is_it) {
            self.cursor.chosen = at;
        }
    }

    /// Reads another export, to show what changed.
    pub fn compare_with(&mut self, cx: &Cx, paths: Vec<PathBuf>) -> Vec<Effect> {
        let Some(data) = &cx.data else {
            return Effect::fail("nothing is open that could be compared", None);
        };
        let generation = cx.turns.next();
        self.comparing = Some(generation);
        let ask = CompareAsk { data: data.clone(), paths };
        let mut effects =
            Effect::say("reading the other export; the changes appear when it is read");
        effects.push(Effect::Compare(generation, ask));
        effects
    }

    fn painted(&self, cx: &Cx, place: usize) -> Option<Painted<layout::Column>> {
        let role = match self.pane {
            OverviewPane::List if place == self.cursor.chosen => RowRole::Chosen,
            _ => RowRole::Other,
        };
        let placed = &self.drawn.placed;
        if let Some(at) = self.order.get(place) {
            return Some(paint::container(self.rows.get(*at)?, placed, cx, role));
        }
        let (container, id) = self.found(place)?;
        let data = cx.data.as_ref()?;
        let (key, _) = data.lookups.key_row(&data.capture, id)?;
        let row = self.row_of(container)?;
        Some(paint::found_key(row, &key, placed, cx, role))
    }
}

fn areas(state: &OverviewState, cx: &Cx, body: Rect) -> OverviewAreas {
    let inputs = AreaInputs {
        layout: cx.layout(),
        pane: state.pane,
        zoom: state.zoom,
        foot_rows: state.drawn.foot.len(),
        // All containers, also those that a filter hides: while it is typed nothing may jump.
        list_rows: 1 + state.rows.len().max(1),
    };
    if state.rows.is_empty() {
        // Without a container there is nothing to show of one.
        let list = AreaInputs { pane: OverviewPane::List, zoom: Zoom::On, ..inputs };
        return layout::areas(body, list);
    }
    layout::areas(body, inputs)
}

fn detail_room(area: Rect) -> Rect {
    let inner = Panel::inner(area);
    text::column(inner, 1, inner.width.saturating_sub(2)).intersection(inner)
}

/// The container under the cursor, by its number.
pub fn chosen_container(state: &OverviewState) -> Option<u32> {
    state.chosen().map(|row| row.number)
}

fn act_on_chosen(state: &mut OverviewState, cx: &Cx, action: Action) -> Vec<Effect> {
    let Some(row) = state.chosen() else {
        return Effect::fail("there is no container here", None);
    };
    match action {
        Action::Enter => {
            let key = canonical(state, cx);
            let (view, key) = match (&key, worst(cx, row.number)) {
                (None, Some(verdict)) => cause(verdict),
                _ => (ViewId::Keys, key),
            };
            let container = row.number;
            OnScreen::Go(Destination { view, container, key }).alone()
        }
        Action::Copy => {
            let verdict = worst(cx, row.number).filter(|_| state.chosen_key().is_none());
            let note = verdict.and_then(|verdict| {
                what_now::with_naming(cx, row.number, |naming| note(verdict, naming, cx.now))
            });
            let text = note
                .map_or_else(|| Clipboard::Lines(evidence::row_lines(cx, row)), Clipboard::from);
            vec![Effect::Copy(text)]
        }
        Action::CopyQuery => vec![Effect::Copy(Clipboard::Lines(evidence::query(cx, row)))],
        _ => {
            let lines = evidence::lines(cx, row);
            OnScreen::Read("evidence", lines).alone()
        }
    }
}

/// The chosen key by its canonical text; None where a container is chosen.
fn canonical(state: &OverviewState, cx: &Cx) -> Option<Box<str>> {
    let (_, id) = state.chosen_key()?;
    let view = cx.data.as_ref()?.capture.sizes.view(id)?;
    Some(view.canonical().into())
}

fn resort(state: &mut OverviewState, step: isize) -> Vec<Effect> {
    sort_with(state, further(ORDERS.all, &state.sort.by, step))
}

fn sort_with(state: &mut OverviewState, by: SortColumn) -> Vec<Effect> {
    state.sort = Sort { by, direction: Direction::First };
    state.arrange();
    Effect::say(format!("sorted by {}", ORDERS.name(by)))
}

impl View for OverviewState {
    fn container(&self) -> Option<u32> {
        chosen_container(self)
    }

    fn settle(&mut self, cx: &Cx, body: Rect) -> Vec<Effect> {
        if let Some(compared) = &mut self.compared {
            compared.settle(cx, body);
            return Vec::new();
        }
        let glyphs = cx.theme.glyphs;
        let wrapped = |sentence: &String| text::wrapped(sentence, body.width.into(), glyphs);
        self.drawn.foot = match cx.layout() {
            WindowLayout::Compact => missing::in_a_line(&self.missing).into_iter().collect(),
            _ => self.missing.iter().flat_map(wrapped).collect(),
        };
        let most = layout::most_foot_rows(cx.layout());
        let is_cut = self.drawn.foot.len() > most;
        self.drawn.foot.truncate(most);
        if let Some(last) = self.drawn.foot.last_mut().filter(|_| is_cut) {
            last.truncate(last.rfind(' ').unwrap_or(0));
            *last = format!("{last} {}", glyphs.ellipsis());
        }
        let areas = areas(self, cx, body);
        let list = areas.rows();
        self.drawn.placed = layout::placed(self.longest, list.width.saturating_sub(1));
        let height = usize::from(list.height).max(1);
        self.cursor.settle(self.shown(), height);
        let window = self.cursor.window(self.shown(), height);
        self.drawn.rows = window.filter_map(|place| self.painted(cx, place)).collect();
        self.drawn.head = head::head(self, cx, body.width.into());
        let room = detail_room(areas.detail);
        let (width, height) = (usize::from(room.width), usize::from(room.height));
        let found = self.chosen_key().map(|(_, id)| id);
        if let Some(number) = self.container().filter(|_| height > 0) {
            self.trends.settle(cx, number, found);
        }
        let row = self.chosen().filter(|_| height > 0);
        let pane = row.map(|row| detail::pane(cx, row, &self.trends, width, height));
        let of = row.map(|row| row.identity.clone());
        if self.drawn.of != of {
            self.scroll = Scroll::default();
        }
        self.drawn.of = of;
        self.drawn.detail = pane.unwrap_or_default();
        self.scroll.settle(self.drawn.detail.height(), height);
        Vec::new()
    }

    fn draw(&self, cx: &Cx, body: Rect, buffer: &mut Buffer) {
        draw::draw(self, cx, body, buffer);
    }

    fn act(&mut self, cx: &Cx, action: Action) -> Vec<Effect> {
        if let Some(compared) = &mut self.compared {
            return compared.act(cx, action);
        }
        let areas = areas(self, cx, cx.body());
        match action {
            Action::NextPane | Action::PreviousPane => {
                self.pane = further(&[OverviewPane::List, OverviewPane::Detail], &self.pane, 1);
            }
            Action::Zoom => {
                self.zoom = self.zoom.other();
            }
            Action::ClearFilter => return self.set_filter(cx, "", Typing::Over),
            Action::SortNext => return resort(self, 1),
            Action::SortPrevious => return resort(self, -1),
            Action::SortReverse => {
                self.sort.direction = self.sort.direction.other();
                self.arrange();
            }
            Action::Enter | Action::Evidence | Action::Copy | Action::CopyQuery => {
                return act_on_chosen(self, cx, action);
            }
            _ if self.pane == OverviewPane::Detail => {
                let height = usize::from(detail_room(areas.detail).height);
                let lines = self.drawn.detail.height();
                self.scroll.act(action, lines, height);
            }
            _ => {
                let height = usize::from(areas.rows().height);
                self.cursor.act(action, self.shown(), height);
            }
        }
        Vec::new()
    }

    fn hit(&self, cx: &Cx, body: Rect, column: u16, row: u16) -> Option<Hit> {
        if let Some(compared) = &self.compared {
            return compared.hit(body, column, row);
        }
        let areas = areas(self, cx, body);
        if text::row(areas.list, 0).contains((column, row).into()) {
            return Some(Hit::Heading(column - areas.list.x));
        }
        let rows = areas.rows();
        let index = usize::from(row.checked_sub(rows.y)?);
        let is_row = rows.contains((column, row).into()) && index < self.drawn.rows.len();
        is_row.then_some(Hit::Row(self.cursor.first + index))
    }

    fn click(&mut self, cx: &Cx, hit: Hit) -> Vec<Effect> {
        if let Some(compared) = &mut self.compared {
            return compared.click(cx, hit);
        }
        match hit {
            Hit::Heading(x) => match column_at(&self.drawn.placed, x).map(SortColumn::of) {
                Some(by) if by == self.sort.by => self.act(cx, Action::SortReverse),
                Some(by) => sort_with(self, by),
                None => Vec::new(),
            },
            Hit::Row(row) if self.cursor.click(row) => self.act(cx, Action::Enter),
            _ => Vec::new(),
        }
    }

    fn answer(&mut self, cx: &Cx, msg: &Msg) -> Vec<Effect> {
        self.search.answer(msg);
        let Msg::Compared(generation, answer) = msg else {
            return Vec::new();
        };
        if self.comparing != Some(*generation) {
            return Vec::new();
        }
        self.comparing = None;
        match answer {
            Ok(comparison) => {
                self.compared = Some(Compared::new(cx, comparison));
                Effect::say("compared with the other export; Esc closes")
            }
            Err(fault) => OnScreen::Fail(fault.clone()).alone(),
        }
    }

    fn on_data(&mut self, cx: &Cx) -> Vec<Effect> {
        let Some(data) = &cx.data else {
            *self = OverviewState::default();
            return Vec::new();
        };
        let held = self.chosen().map(|row| row.identity.clone());
        // The old rows go first: an account can have thousands.
        self.rows = Vec::new();
        self.rows = rows::rows(data, &cx.mask);
        let common = rows::common_name(data, &cx.mask);
        let key = cx.keymap.shown(Action::Sources);
        let missing = missing::foot(data, key.as_deref());
        let provisioned = missing::provisioned(data);
        self.totals = data.overview.totals.clone();
        self.missing = missing;
        self.provisioned = provisioned;
        self.longest = rows::longest(&self.rows, cx.theme.glyphs);
        self.common = common;
        self.order = sorting::order(&self.rows, &self.filter, self.sort);
        // While inputs are read the first row stays chosen, not the container that was the worst so far.
        if !self.is_early || self.cursor.chosen > 0 {
            self.choose(held.as_ref());
        }
        self.is_early = matches!(data.stage, Stage::Reading { .. });
        self.search.ask_again(cx, &self.filter)
    }

    fn on_names_changed(&mut self, cx: &Cx) {
        let _ = self.on_data(cx);
        self.compared = None;
    }

    /// Out of a comparison, out of the details, out of the zoom, out of the filter.
    fn step_back(&mut self, cx: &Cx) -> Option<Vec<Effect>> {
        if self.compared.take().is_some() {
            return Some(Vec::new());
        }
        if self.pane == OverviewPane::Detail {
            self.pane = OverviewPane::List;
            self.zoom = Zoom::Off;
        } else if self.zoom == Zoom::On {
            self.zoom = Zoom::Off;
        } else if self.filter.is_empty() {
            return None;
        } else {
            return Some(self.set_filter(cx, "", Typing::Over));
        }
        Some(Vec::new())
    }

    fn filter_text(&self) -> String {
        let compared = self.compared.as_ref().map(Compared::filter);
        compared.unwrap_or(&self.filter).to_owned()
    }

    fn filter_offers(&self, _cx: &Cx, text: &str, _cursor: usize) -> Offers {
        (Vec::new(), search::problem(self, text))
    }

    fn set_filter(&mut self, cx: &Cx, filter: &str, _typing: Typing) -> Vec<Effect> {
        if let Some(compared) = &mut self.compared {
            return compared.set_filter(cx, filter);
        }
        filter.clone_into(&mut self.filter);
        let effects = self.search.ask(cx, filter);
        self.arrange();
        effects
    }

    fn sort_columns(&self) -> &'static [&'static str] {
        match self.compared {
            Some(_) => compare::ORDERS.names,
            None => ORDERS.names,
        }
    }

    fn sort_by(&mut self, cx: &Cx, column: &str) -> Vec<Effect> {
        const NONE: &str = "there is no column";
        match &mut self.compared {
            Some(compared) => match compare::ORDERS.named(column) {
                Some(by) => compared.sort(cx, by),
                None => compare::ORDERS.unknown(NONE, column),
            },
            None => match ORDERS.named(column) {
                Some(by) => sort_with(self, by),
                None => ORDERS.unknown(NONE, column),
            },
        }
    }

    fn exported(&self, cx: &Cx) -> Result<Exported, &'static str> {
        let rows = self.order.iter().filter_map(|at| self.rows.get(*at));
        let names = rows.map(|row| row.identity.clone());
        let is_narrowed = self.order.len() < self.rows.len();
        Ok(Exported::Report(ReportShown {
            data: cx.data.clone().ok_or("nothing is open that could be written")?,
            containers: is_narrowed.then(|| names.collect()),
            masker: cx.mask.shared(),
        }))
    }
}
