//! All containers, the worst first.

mod detail;
mod draw;
mod evidence;
mod layout;
mod missing;
mod paint;
mod rows;
mod sorting;
#[cfg(test)]
mod tests;
mod verdicts;

use super::{Hit, View};
use crate::ui::kit::line::Typing;
use crate::ui::kit::msg::{Destination, OnScreen, ViewId};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::analysis::ceiling::Mark;
use crate::analysis::overview::Totals;
use crate::model::names::ContainerName;
use crate::model::units::{count_text, counted};
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::list::{Cursor, RowRole, further};
use crate::ui::kit::msg::{Clipboard, Effect};
use crate::ui::kit::panel::{Panel, Zoom};
use crate::ui::kit::scroll::Scroll;
use crate::ui::kit::text;
use crate::work::export::{Exported, ReportShown};

use layout::{OverviewAreas, OverviewPane, PlacedColumn};
use paint::Painted;
use rows::Row;
use sorting::{Direction, ORDERS, Sort, SortColumn};

pub use missing::missing;
pub use paint::{age, is_stale};

/// The shared part of the names is the first thing on the screen, not the only one.
const MOST_COMMON_COLUMNS: usize = 28;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct OverviewState {
    /// Counts the containers that the filter lets through.
    pub cursor: Cursor,
    pub filter: String,
    sort: Sort,
    pane: OverviewPane,
    zoom: Zoom,
    /// The part of their names that all containers share.
    common: String,
    /// Every container, the worst first.
    rows: Vec<Row>,
    /// The rows that are shown, in order.
    order: Vec<usize>,
    totals: Totals,
    missing: Vec<String>,
    /// How many containers use RU/s that are not their own.
    bought: Vec<String>,
    scroll: Scroll,
    drawn: FrameContent,
}

/// Lines said of the chosen container in a list; the details have them all.
const MOST_LINES: usize = 4;

/// What the next frame shows.
#[derive(Clone, PartialEq, Debug, Default)]
struct FrameContent {
    placed: Vec<PlacedColumn>,
    rows_each: u16,
    /// Rows more that the chosen container may take.
    more: u16,
    rows: Vec<Painted>,
    head: detail::Line,
    foot: Vec<String>,
    detail: Vec<detail::Line>,
    /// Whose details they are.
    of: Option<ContainerName>,
}

impl OverviewState {
    fn chosen(&self) -> Option<&Row> {
        let at = self.order.get(self.cursor.chosen)?;
        self.rows.get(*at)
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
}

fn areas(state: &OverviewState, body: Rect) -> OverviewAreas {
    // All containers, also those that a filter hides: while it is typed nothing may jump.
    let (_, rows_each) = layout::columns(body.width);
    let list_rows = 1 + state.rows.len().saturating_mul(rows_each.into());
    let foot_rows = state.drawn.foot.len();
    if state.rows.is_empty() {
        // Without a container there is nothing to tell of beside the list.
        return layout::areas(body, OverviewPane::List, Zoom::On, foot_rows, list_rows);
    }
    layout::areas(body, state.pane, state.zoom, foot_rows, list_rows)
}

/// Rows kept free for what more is said of the chosen container where nothing else tells it: as many for each of them,
/// so that the list stands still while one moves in it.
fn rows_for_more(state: &OverviewState, areas: &OverviewAreas) -> u16 {
    if areas.detail.height > 0 {
        return 0;
    }
    let most = state.rows.iter().map(|row| row.lines().len()).max();
    let more = most.unwrap_or(1).clamp(1, MOST_LINES) - 1;
    let room = areas.rows().height / 2;
    u16::try_from(more).unwrap_or(0).min(room)
}

fn visible_rows(areas: &OverviewAreas, rows_each: u16, more: u16) -> usize {
    let height = areas.rows().height.saturating_sub(more);
    usize::from(height / rows_each.max(1)).max(1)
}

fn detail_room(area: Rect) -> Rect {
    let inner = Panel::inner(area);
    text::column(inner, 1, inner.width.saturating_sub(2)).intersection(inner)
}

/// The line above the list: how many, how bad.
fn head(state: &OverviewState, cx: &Cx) -> detail::Line {
    let theme = &cx.theme;
    let sum = &state.totals;
    let mut spans = Vec::new();
    if !state.common.is_empty() {
        let name = text::shorten(&state.common, MOST_COMMON_COLUMNS, theme.glyphs);
        spans = vec![Span::styled(name, theme.accent), Span::raw("  ")];
    }
    spans.push(Span::styled(
        counted(sum.containers, "container", "containers"),
        theme.title,
    ));
    let mut say = |text: String, style| {
        spans.push(Span::styled(" · ", theme.dim));
        spans.push(Span::styled(text, style));
    };
    if !state.filter.is_empty() {
        let filter = theme.glyphs.outside(&state.filter);
        let shown = count_text(state.order.len() as u64);
        say(format!("{shown} with \"{filter}\""), theme.found);
    }
    say(
        counted(sum.keys_total, "key listed", "keys listed"),
        theme.text,
    );
    let counts = [
        (sum.marks.full, Mark::Full, "100 %"),
        (sum.marks.alarm, Mark::Alarm, "90 %"),
        (sum.marks.warn, Mark::Warn, "70 %"),
    ];
    for (n, mark, share) in counts.into_iter().filter(|(n, ..)| *n > 0) {
        say(format!("{} ≥{share}", count_text(n)), theme.mark(mark));
    }
    for bought in &state.bought {
        say(bought.clone(), theme.dim);
    }
    spans
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
        Action::Enter => OnScreen::Go(Destination {
            view: ViewId::Keys,
            container: row.number,
            key: None,
        })
        .alone(),
        Action::Copy => vec![Effect::Copy(Clipboard::Lines(evidence::row_lines(cx, row)))],
        Action::CopyQuery => vec![Effect::Copy(Clipboard::Lines(evidence::query(cx, row)))],
        _ => {
            let lines = evidence::lines(cx, row);
            OnScreen::Read("evidence", lines).alone()
        }
    }
}

fn resort(state: &mut OverviewState, step: isize) -> Vec<Effect> {
    sort_with(state, further(ORDERS.all, &state.sort.by, step))
}

fn sort_with(state: &mut OverviewState, by: SortColumn) -> Vec<Effect> {
    state.sort = Sort {
        by,
        direction: Direction::First,
    };
    state.arrange();
    Effect::say(format!("sorted by {}", ORDERS.name(by)))
}

impl View for OverviewState {
    fn container(&self) -> Option<u32> {
        chosen_container(self)
    }

    fn settle(&mut self, cx: &Cx, body: Rect) -> Vec<Effect> {
        let glyphs = cx.theme.glyphs;
        let most = layout::most_foot_rows(body);
        let wrapped = |sentence: &String| text::wrapped(sentence, body.width.into(), glyphs);
        let foot = self.missing.iter().flat_map(wrapped).take(most);
        self.drawn.foot = foot.collect();
        let areas = areas(self, body);
        let (placed, rows_each) = layout::columns(areas.list.width);
        let more = rows_for_more(self, &areas);
        let height = visible_rows(&areas, rows_each, more);
        let shown = self.order.len();
        self.cursor.settle(shown, height);
        let window = self.cursor.window(shown, height);
        let rows = window.filter_map(|at| {
            let row = self.rows.get(*self.order.get(at)?)?;
            let standing = if at == self.cursor.chosen && self.pane == OverviewPane::List {
                RowRole::Chosen
            } else {
                RowRole::Other
            };
            let lines = if at == self.cursor.chosen { more } else { 0 };
            Some(paint::painted(row, &placed, cx, standing, 1 + lines))
        });
        let rows: Vec<Painted> = rows.collect();
        let head = head(self, cx);
        let room = detail_room(areas.detail);
        let (detail, of) = match self.chosen().filter(|_| room.height > 0) {
            Some(row) => (
                detail::lines(cx, row, room.width.into()),
                Some(row.identity.clone()),
            ),
            None => (Vec::new(), None),
        };
        if self.drawn.of != of {
            self.scroll = Scroll::default();
        }
        self.scroll.settle(detail.len(), room.height.into());
        self.drawn = FrameContent {
            placed,
            rows_each,
            more,
            rows,
            head,
            foot: std::mem::take(&mut self.drawn.foot),
            detail,
            of,
        };
        Vec::new()
    }

    fn draw(&self, cx: &Cx, body: Rect, buffer: &mut Buffer) {
        draw::draw(self, cx, body, buffer);
    }

    fn act(&mut self, cx: &Cx, action: Action) -> Vec<Effect> {
        let body = cx.body();
        let areas = areas(self, body);
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
                self.sort.direction = match self.sort.direction {
                    Direction::First => Direction::Turned,
                    Direction::Turned => Direction::First,
                };
                self.arrange();
            }
            Action::Enter | Action::Evidence | Action::Copy | Action::CopyQuery => {
                return act_on_chosen(self, cx, action);
            }
            _ if self.pane == OverviewPane::Detail => {
                let height = usize::from(detail_room(areas.detail).height);
                let lines = self.drawn.detail.len();
                self.scroll.act(action, lines, height);
            }
            _ => {
                let height = visible_rows(&areas, self.drawn.rows_each, self.drawn.more);
                self.cursor.act(action, self.order.len(), height);
            }
        }
        Vec::new()
    }

    fn hit(&self, _cx: &Cx, body: Rect, column: u16, row: u16) -> Option<Hit> {
        let areas = areas(self, body);
        let rows = areas.rows();
        if !rows.contains((column, row).into()) {
            return None;
        }
        let drawn = &self.drawn;
        let mut bottom = rows.y;
        let index = drawn.rows.iter().position(|painted| {
            bottom += painted.height(drawn.rows_each);
            row < bottom
        });
        index.map(|index| Hit::Row(self.cursor.first + index))
    }

    fn click(&mut self, cx: &Cx, hit: Hit) -> Vec<Effect> {
        match hit {
            Hit::Row(row) if self.cursor.click(row) => self.act(cx, Action::Enter),
            _ => Vec::new(),
        }
    }

    fn on_data(&mut self, cx: &Cx) -> Vec<Effect> {
        let Some(data) = &cx.data else {
            *self = OverviewState::default();
            return Vec::new();
        };
        let rows = rows::rows(data, &cx.mask);
        let common = rows::common_name(data, &cx.mask);
        let key = cx.keymap.shown(Action::Sources);
        let missing = missing::foot(data, key.as_deref());
        let bought = missing::bought(data);
        let held = self.chosen().map(|row| row.identity.clone());
        self.totals = data.overview.totals.clone();
        self.missing = missing;
        self.bought = bought;
        self.rows = rows;
        self.common = common;
        self.order = sorting::order(&self.rows, &self.filter, self.sort);
        self.choose(held.as_ref());
        Vec::new()
    }

    fn on_names_changed(&mut self, cx: &Cx) {
        let _ = self.on_data(cx);
    }

    /// Out of the details, out of the zoom, out of the filter.
    fn step_back(&mut self, cx: &Cx) -> Option<Vec<Effect>> {
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
        self.filter.clone()
    }

    fn set_filter(&mut self, _cx: &Cx, filter: &str, _typing: Typing) -> Vec<Effect> {
        filter.clone_into(&mut self.filter);
        self.arrange();
        Vec::new()
    }

    fn sort_columns(&self) -> &'static [&'static str] {
        ORDERS.names
    }

    fn sort_by(&mut self, _cx: &Cx, column: &str) -> Vec<Effect> {
        match ORDERS.named(column) {
            Some(by) => sort_with(self, by),
            None => ORDERS.unknown("there is no column", column),
        }
    }

    fn exported(&self, cx: &Cx) -> Result<Exported, &'static str> {
        let rows = self.order.iter().filter_map(|at| self.rows.get(*at));
        let names = rows.map(|row| row.identity.clone());
        let is_narrowed = self.order.len() < self.rows.len();
        Ok(Exported::Report(ReportShown {
            data: cx
                .data
                .clone()
                .ok_or("nothing is open that could be written")?,
            containers: is_narrowed.then(|| names.collect()),
            masker: cx.mask.shared(),
        }))
    }
}
