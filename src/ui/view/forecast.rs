//! Which key or physical partition reaches which limit when, and how dials change that.

mod dials;
mod draw;
mod evidence;
mod future;
mod lapse;
mod playing;
mod table;
#[cfg(test)]
mod tests;
mod turning;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Hit, OtherViews, View};
use crate::analysis::forecast::{Forecast, ForecastQuestion, LimitSubject, NextLimit};
use crate::analysis::simulate::TimeLapse;
use crate::analysis::summary::ContainerFilter;
use crate::model::names::ContainerName;
use crate::report::forecast as words;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::{Cx, PlayMode};
use crate::ui::kit::fan::FanLine;
use crate::ui::kit::line::{Offers, Typing};
use crate::ui::kit::list::{Cursor, RowRole, further};
use crate::ui::kit::msg::{Clipboard, Destination, Effect, Generation, Msg, OnScreen, ViewId};
use crate::ui::kit::panel::Zoom;
use crate::ui::kit::table::{TableColumn, column_at};
use crate::ui::view::overview::Painted;
use crate::work::export::{Exported, ForecastShown};
use crate::work::forecast::{ForecastAnswer, ForecastAsk};
use crate::work::shared::Shared;
use crate::work::simulate::TriedKeys;

use dials::{Dial, ForecastDials};
use draw::ForecastAreas;
use future::StripRow;
use lapse::Player;
use table::{Column, LimitOrder, ORDERS};

/// Limits in the list; the first ones of more.
const MOST_LISTED: usize = 1_000;

/// Which picture stands below the list where there is room for one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Picture {
    #[default]
    Fan,
    Partitions,
    /// These in time.
    Lapse,
    /// And those of another key beside them.
    Lapses,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct ForecastState {
    dials: ForecastDials,
    chosen_dial: usize,
    /// Only this container, by its identity.
    only: Option<ContainerName>,
    cursor: Cursor,
    zoom: Zoom,
    picture: Picture,
    filter: String,
    sort: LimitOrder,
    /// The answer that is waited for.
    asked: Option<Generation>,
    /// Data or dials changed since the last question.
    is_due: bool,
    held: Option<Shared<ForecastAnswer>>,
    /// What is shown of it: names and keys masked where masks are on.
    shown: Forecast,
    /// All limits are of one account: it need not be named.
    has_one_account: bool,
    /// Places among the limits, filtered and sorted.
    order: Vec<usize>,
    player: Player,
    /// Keys that were tried, and which of them is played beside today's.
    tried: Option<TriedKeys>,
    other: Option<usize>,
    drawn: FrameContent,
}

/// What the next frame shows.
#[derive(Clone, PartialEq, Debug, Default)]
struct FrameContent {
    placed: Vec<TableColumn<Column>>,
    rows: Vec<Painted<Column>>,
    fan: Vec<FanLine>,
    strip: Vec<StripRow>,
}

impl ForecastState {
    /// The film of today's key, once it is there.
    pub fn lapse(&self) -> Option<&TimeLapse> {
        self.player.first()
    }

    fn chosen(&self) -> Option<&NextLimit> {
        let at = self.order.get(self.cursor.chosen)?;
        self.shown.limits.get(*at)
    }

    fn dial(&self) -> Dial {
        let dial = Dial::ALL.get(self.chosen_dial);
        dial.copied().unwrap_or(Dial::Growth)
    }

    /// What is asked with the dials as they are.
    fn question(&self, cx: &Cx) -> ForecastQuestion {
        let only = self.only.as_ref();
        ForecastQuestion {
            ceiling: cx.ceiling,
            as_of: cx.data.as_ref().and_then(|data| data.report.as_of),
            containers: only.into_iter().filter_map(ContainerFilter::of_name).collect(),
            growth_factor: self.dials.growth_factor,
            kept_days: self.dials.kept_days,
            top: Some(MOST_LISTED),
            ru_per_second: self.dials.ru.filter(|_| only.is_some()),
            partitions: self.dials.partitions.filter(|_| only.is_some()),
            one_key_share: self.dials.one_key_share,
            load_growth: self.dials.load_growth,
        }
    }

    fn ask(&mut self, cx: &Cx) -> Vec<Effect> {
        self.is_due = false;
        let Some(data) = cx.data.clone() else {
            return Vec::new();
        };
        let held = self.held.as_ref().filter(|held| held.data == data);
        let ask = ForecastAsk {
            trends: held.map(|held| held.trends.clone()),
            question: self.question(cx),
            data,
        };
        let generation = cx.turns.next();
        self.asked = Some(generation);
        vec![Effect::Forecast(generation, ask)]
    }

    fn show(&mut self, cx: &Cx) {
        let chosen = self.chosen().map(identity);
        let forecast = self.held.as_ref().map(|held| held.forecast.clone());
        self.shown = forecast.unwrap_or_default();
        if let Some(masker) = cx.mask.shared() {
            self.shown.mask(&masker);
        }
        let mut accounts = self.shown.limits.iter().map(|limit| &limit.name.account);
        let first = accounts.next();
        self.has_one_account = accounts.all(|account| Some(account) == first);
        self.arrange(chosen.as_ref());
    }

    /// `shop / orders`, behind the account where there are several.
    fn place(&self, limit: &NextLimit) -> String {
        let name = &limit.name;
        if !self.has_one_account {
            return words::place(name);
        }
        let (database, container) = (name.database.as_deref(), name.container.as_deref());
        words::place(&ContainerName::new(None, database, container))
    }

    /// Puts the rows in order anew; the chosen limit stays chosen where it is still shown.
    fn arrange(&mut self, chosen: Option<&Identity>) {
        self.order = table::order(&self.shown.limits, &self.filter, self.sort);
        let is_it = |at: &usize| {
            let limit = self.shown.limits.get(*at);
            limit.map(identity).as_ref() == chosen
        };
        if let Some(at) = self.order.iter().position(is_it) {
            self.cursor.chosen = at;
        }
    }

    fn rearrange(&mut self) {
        let chosen = self.chosen().map(identity);
        self.arrange(chosen.as_ref());
    }

    fn sorted(&mut self, by: LimitOrder) -> Vec<Effect> {
        self.sort = by;
        self.rearrange();
        Effect::say(format!("sorted by {}", ORDERS.name(by)))
    }

    /// To the key, or to the heat of a partition.
    fn enter(&self, cx: &Cx) -> Vec<Effect> {
        let Some(limit) = self.chosen() else {
            return Effect::fail("there is no limit here", None);
        };
        let key = || {
            let view = cx.data.as_ref()?.capture.sizes.view(limit.key_id?)?;
            Some(view.canonical().into())
        };
        let view = match limit.subject {
            LimitSubject::Key(_) | LimitSubject::OneKey { .. } => ViewId::Keys,
            LimitSubject::Partition(_) => ViewId::Heat,
        };
        OnScreen::Go(Destination { view, container: limit.container, key: key() }).alone()
    }

    fn on_chosen(&self, cx: &Cx, action: Action) -> Vec<Effect> {
        let Some(limit) = self.chosen() else {
            return Effect::fail("there is no limit here", None);
        };
        if action == Action::Copy {
            let line = words::sentence(&self.shown, limit);
            return vec![Effect::Copy(Clipboard::Lines(vec![line]))];
        }
        let lines = evidence::lines(cx, &self.shown, limit, &self.dials);
        OnScreen::Read("evidence", lines).alone()
    }

    fn areas(&self, cx: &Cx, body: Rect) -> ForecastAreas {
        let rows = self.order.len().max(1);
        let picture = match self.picture {
            Picture::Lapse if self.other.is_some() => Picture::Lapses,
            picture => picture,
        };
        draw::areas(body, cx.layout(), self.zoom, picture, rows)
    }

    fn settle_pictures(&mut self, cx: &Cx, areas: &ForecastAreas) {
        let room = draw::room(areas.fan);
        let limit = self.chosen().cloned();
        self.drawn.fan = limit.as_ref().map_or_else(Vec::new, |limit| {
            future::fan_lines(cx, &self.shown, limit, &self.dials, room)
        });
        let room = draw::room(areas.strip);
        self.drawn.strip = limit.map_or_else(Vec::new, |limit| {
            future::strip(cx, &self.shown, limit.container, &self.dials, room)
        });
    }
}

/// What stays of a limit when dates change.
type Identity = (u32, LimitSubject, crate::analysis::forecast::LimitKind);

fn identity(limit: &NextLimit) -> Identity {
    (limit.container, limit.subject.clone(), limit.kind)
}

impl View for ForecastState {
    fn container(&self) -> Option<u32> {
        self.chosen().map(|limit| limit.container)
    }

    fn settle(&mut self, cx: &Cx, body: Rect) -> Vec<Effect> {
        let mut effects = if self.is_due { self.ask(cx) } else { Vec::new() };
        let areas = self.areas(cx, body);
        let rows = areas.rows();
        let place = |limit: &NextLimit| self.place(limit);
        let width = rows.width.saturating_sub(1);
        self.drawn.placed = table::placed(&self.shown, &place, width);
        let height = usize::from(rows.height).max(1);
        self.cursor.settle(self.order.len(), height);
        let window = self.cursor.window(self.order.len(), height);
        let painted = window.filter_map(|place| {
            let limit = self.shown.limits.get(*self.order.get(place)?)?;
            let role = if place == self.cursor.chosen { RowRole::Chosen } else { RowRole::Other };
            let placed = &self.drawn.placed;
            let place = self.place(limit);
            Some(table::painted(&self.shown, (limit, place), placed, cx, role))
        });
        self.drawn.rows = painted.collect();
        self.settle_pictures(cx, &areas);
        effects.extend(self.settle_lapse(cx));
        effects
    }

    fn draw(&self, cx: &Cx, body: Rect, buffer: &mut Buffer) {
        draw::draw(self, cx, body, buffer);
    }

    fn act(&mut self, cx: &Cx, action: Action) -> Vec<Effect> {
        match action {
            Action::NextDial => self.chosen_dial = (self.chosen_dial + 1) % Dial::ALL.len(),
            Action::PreviousDial => {
                self.chosen_dial = (self.chosen_dial + Dial::ALL.len() - 1) % Dial::ALL.len();
            }
            Action::DialUp => return self.turn(cx, true),
            Action::DialDown => return self.turn(cx, false),
            Action::SetDial => {
                let line = self.dials.line(self.dial(), self.reported(cx));
                return OnScreen::Type(Box::new(line)).alone();
            }
            Action::ResetDials => {
                self.dials = ForecastDials::default();
                self.is_due = true;
                return Effect::say("all dials as the inputs report them");
            }
            Action::OneContainer => return self.turn_container(cx),
            Action::NextPicture | Action::NextPane | Action::PreviousPane => {
                self.picture = match self.picture {
                    Picture::Fan => Picture::Partitions,
                    Picture::Partitions => Picture::Lapse,
                    Picture::Lapse | Picture::Lapses => Picture::Fan,
                };
            }
            Action::PlayTime => {
                let is_shown = self.picture == Picture::Lapse && self.player.is_playing();
                self.picture = Picture::Lapse;
                self.player.play(if is_shown { PlayMode::Paused } else { PlayMode::Playing });
            }
            Action::OtherKey => return self.turn_other_key(cx),
            Action::NextFrame => self.player.step(1),
            Action::PreviousFrame => self.player.step(-1),
            Action::NextHappening | Action::PreviousHappening => {
                let is_next = action == Action::NextHappening;
                if !self.player.jump_to_event(is_next) {
                    return Effect::say("nothing more happens there");
                }
            }
            Action::Faster | Action::Slower => {
                let frames = self.player.turn_speed(action == Action::Faster);
                return Effect::say(format!("{frames} frames a second"));
            }
            Action::Zoom => self.zoom = self.zoom.other(),
            Action::ClearFilter => return self.set_filter(cx, "", Typing::Over),
            Action::SortNext => return self.sorted(further(ORDERS.all, &self.sort, 1)),
            Action::SortPrevious => return self.sorted(further(ORDERS.all, &self.sort, -1)),
            Action::Enter => return self.enter(cx),
            Action::Copy | Action::Evidence => return self.on_chosen(cx, action),
            _ => {
                let height = usize::from(self.areas(cx, cx.body()).rows().height);
                self.cursor.act(action, self.order.len(), height);
            }
        }
        Vec::new()
    }

    fn hit(&self, cx: &Cx, body: Rect, column: u16, row: u16) -> Option<Hit> {
        let areas = self.areas(cx, body);
        if areas.labels().contains((column, row).into()) {
            return Some(Hit::Heading(column - areas.list.x));
        }
        let rows = areas.rows();
        let index = usize::from(row.checked_sub(rows.y)?);
        let is_row = rows.contains((column, row).into()) && index < self.drawn.rows.len();
        is_row.then_some(Hit::Row(self.cursor.first + index))
    }

    fn click(&mut self, cx: &Cx, hit: Hit) -> Vec<Effect> {
        match hit {
            Hit::Heading(x) => {
                let column = column_at(&self.drawn.placed, x);
                column.and_then(LimitOrder::of).map_or_else(Vec::new, |by| self.sorted(by))
            }
            Hit::Row(row) if self.cursor.click(row) => self.act(cx, Action::Enter),
            _ => Vec::new(),
        }
    }

    fn on_shown(&mut self, _cx: &Cx, others: &OtherViews) -> Vec<Effect> {
        self.tried.clone_from(&others.tried);
        let count = self.tried.as_ref().map_or(0, |tried| tried.keys.len());
        self.other = self.other.filter(|at| *at < count);
        Vec::new()
    }

    fn on_data(&mut self, cx: &Cx) -> Vec<Effect> {
        if cx.data.is_none() {
            *self = Self::default();
        }
        self.is_due = true;
        Vec::new()
    }

    fn answer(&mut self, cx: &Cx, msg: &Msg) -> Vec<Effect> {
        if let Msg::Forecast(generation, answer) = msg
            && self.asked == Some(*generation)
        {
            self.asked = None;
            self.held = Some(answer.clone());
            self.show(cx);
        }
        if let Msg::Simulated(generation, lapse) = msg {
            self.player.answer(cx, *generation, lapse);
        }
        Vec::new()
    }

    fn on_names_changed(&mut self, cx: &Cx) {
        self.show(cx);
        self.player.show(cx);
    }

    /// Out of the zoom, out of the filter, back to all containers.
    fn step_back(&mut self, cx: &Cx) -> Option<Vec<Effect>> {
        if self.zoom == Zoom::On {
            self.zoom = Zoom::Off;
        } else if !self.filter.is_empty() {
            return Some(self.set_filter(cx, "", Typing::Over));
        } else if self.only.is_some() {
            return Some(self.turn_container(cx));
        } else {
            return None;
        }
        Some(Vec::new())
    }

    fn is_waiting(&self) -> bool {
        self.held.is_none() || self.asked.is_some() || self.player.is_asked()
    }

    fn filter_text(&self) -> String {
        self.filter.clone()
    }

    fn set_filter(&mut self, _cx: &Cx, text: &str, _typing: Typing) -> Vec<Effect> {
        text.clone_into(&mut self.filter);
        self.rearrange();
        Vec::new()
    }

    fn filter_offers(&self, _cx: &Cx, _text: &str, _cursor: usize) -> Offers {
        Offers::default()
    }

    fn sort_columns(&self) -> &'static [&'static str] {
        ORDERS.names
    }

    fn sort_by(&mut self, _cx: &Cx, column: &str) -> Vec<Effect> {
        match ORDERS.named(column) {
            Some(by) => self.sorted(by),
            None => ORDERS.unknown("there is no column", column),
        }
    }

    fn export_name(&self) -> &'static str {
        match self.picture {
            Picture::Lapse | Picture::Lapses => "cosmoscope-simulation.html",
            Picture::Fan | Picture::Partitions => "cosmoscope-forecast.csv",
        }
    }

    fn exported(&self, _cx: &Cx) -> Result<Exported, &'static str> {
        if self.held.is_none() {
            return Err("the forecast is not there yet");
        }
        if self.picture == Picture::Lapse {
            return Ok(Exported::Lapses(Shared::new(self.player.lapses()?)));
        }
        Ok(Exported::Forecast(ForecastShown(Shared::new(self.shown.clone()))))
    }
}
