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

use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{keys, papers};
use crate::analysis::ceiling::Mark;
use crate::analysis::overview::Totals;
use crate::model::names::ContainerName;
use crate::model::units::{count_text, counted};
use crate::model::visible::visible;
use crate::ui::app::{App, Overlay};
use crate::ui::kit::action::Action;
use crate::ui::kit::list::{Cursor, Standing};
use crate::ui::kit::msg::{Clipboard, Effect};
use crate::ui::kit::panel::{Panel, Zoom};
use crate::ui::kit::scroll::Scroll;
use crate::ui::kit::text;
use crate::work::export::{Export, Exported, ReportShown};
use crate::work::whole_file::Existing;

use layout::{Areas, Pane, Placed};
use paint::Painted;
use rows::Row;
use sorting::{By, Direction, Sort};

pub use draw::draw;
pub use missing::missing;
pub use paint::read_span;
pub use sorting::COLUMNS;

/// The shared part of the names is the first thing on the screen, not the only one.
const MOST_COMMON_COLUMNS: usize = 28;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    /// Counts the containers that the filter lets through.
    pub cursor: Cursor,
    pub filter: String,
    sort: Sort,
    pane: Pane,
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
    drawn: Drawn,
}

/// Lines said of the chosen container in a list; the details have them all.
const MOST_LINES: usize = 4;

/// What the next frame shows.
#[derive(Clone, PartialEq, Debug, Default)]
struct Drawn {
    placed: Vec<Placed>,
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

impl State {
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

/// Other data is there, or names are shown otherwise.
pub fn on_data(app: &mut App) {
    let Some(data) = &app.data else {
        app.overview = State::default();
        return;
    };
    let rows = rows::rows(data, &app.mask);
    let common = rows::common_name(data, &app.mask);
    let key = app.keymap.shown(Action::Sources);
    let missing = missing::foot(data, key.as_deref());
    let bought = missing::bought(data);
    let state = &mut app.overview;
    let held = state.chosen().map(|row| row.identity.clone());
    state.totals = data.overview.totals.clone();
    state.missing = missing;
    state.bought = bought;
    state.rows = rows;
    state.common = common;
    state.order = sorting::order(&state.rows, &state.filter, state.sort);
    state.choose(held.as_ref());
}

pub fn set_filter(app: &mut App, filter: &str) {
    filter.clone_into(&mut app.overview.filter);
    app.overview.arrange();
}

fn areas(app: &App, body: Rect) -> Areas {
    let state = &app.overview;
    // All containers, also those that a filter hides: while it is typed nothing may jump.
    let (_, rows_each) = layout::columns(body.width);
    let list_rows = 1 + state.rows.len().saturating_mul(rows_each.into());
    let foot_rows = state.drawn.foot.len();
    if state.rows.is_empty() {
        // Without a container there is nothing to tell of beside the list.
        return layout::areas(body, Pane::List, Zoom::On, foot_rows, list_rows);
    }
    layout::areas(body, state.pane, state.zoom, foot_rows, list_rows)
}

/// Rows kept free for what more is said of the chosen container where nothing else tells it: as many for each of them,
/// so that the list stands still while one moves in it.
fn rows_for_more(state: &State, areas: &Areas) -> u16 {
    if areas.detail.height > 0 {
        return 0;
    }
    let most = state.rows.iter().map(|row| row.lines().len()).max();
    let more = most.unwrap_or(1).clamp(1, MOST_LINES) - 1;
    let room = areas.rows().height / 2;
    u16::try_from(more).unwrap_or(0).min(room)
}

fn visible_rows(areas: &Areas, rows_each: u16, more: u16) -> usize {
    let height = areas.rows().height.saturating_sub(more);
    usize::from(height / rows_each.max(1)).max(1)
}

fn detail_room(area: Rect) -> Rect {
    let inner = Panel::inner(area);
    text::column(inner, 1, inner.width.saturating_sub(2)).intersection(inner)
}

pub fn settle(app: &mut App, body: Rect) {
    let glyphs = app.theme.glyphs;
    let most = layout::most_foot_rows(body);
    let wrapped = |sentence: &String| text::wrapped(sentence, body.width.into(), glyphs);
    let foot = app.overview.missing.iter().flat_map(wrapped).take(most);
    app.overview.drawn.foot = foot.collect();
    let areas = areas(app, body);
    let (placed, rows_each) = layout::columns(areas.list.width);
    let more = rows_for_more(&app.overview, &areas);
    let height = visible_rows(&areas, rows_each, more);
    let shown = app.overview.order.len();
    app.overview.cursor.settle(shown, height);
    let state = &app.overview;
    let window = state.cursor.window(shown, height);
    let rows = window.filter_map(|at| {
        let row = state.rows.get(*state.order.get(at)?)?;
        let standing = if at == state.cursor.chosen && state.pane == Pane::List {
            Standing::Chosen
        } else {
            Standing::Other
        };
        let lines = if at == state.cursor.chosen { more } else { 0 };
        Some(paint::painted(row, &placed, app, standing, 1 + lines))
    });
    let rows: Vec<Painted> = rows.collect();
    let head = head(app);
    let room = detail_room(areas.detail);
    let (detail, of) = match state.chosen().filter(|_| room.height > 0) {
        Some(row) => (
            detail::lines(app, row, room.width.into()),
            Some(row.identity.clone()),
        ),
        None => (Vec::new(), None),
    };
    let state = &mut app.overview;
    if state.drawn.of != of {
        state.scroll = Scroll::default();
    }
    state.scroll.settle(detail.len(), room.height.into());
    state.drawn = Drawn {
        placed,
        rows_each,
        more,
        rows,
        head,
        foot: std::mem::take(&mut state.drawn.foot),
        detail,
        of,
    };
}

/// The line above the list: how many, how bad.
fn head(app: &App) -> detail::Line {
    let theme = &app.theme;
    let state = &app.overview;
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
pub fn chosen_container(app: &App) -> Option<u32> {
    app.overview.chosen().map(|row| row.number)
}

/// How old the newest reading of all is.
pub fn age(app: &App) -> Vec<Span<'static>> {
    let age = read_span(app.overview.totals.newest, app);
    age.into_iter().collect()
}

/// Out of the details, out of the zoom, out of the filter.
pub fn step_back(app: &mut App) -> Option<Vec<Effect>> {
    let state = &mut app.overview;
    if state.pane == Pane::Detail {
        state.pane = Pane::List;
        state.zoom = Zoom::Off;
    } else if state.zoom == Zoom::On {
        state.zoom = Zoom::Off;
    } else if state.filter.is_empty() {
        return None;
    } else {
        set_filter(app, "");
    }
    Some(Vec::new())
}

pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let body = super::body(app);
    let areas = areas(app, body);
    let state = &mut app.overview;
    match action {
        Action::NextPane | Action::PreviousPane => {
            state.pane = match state.pane {
                Pane::List => Pane::Detail,
                Pane::Detail => Pane::List,
            };
        }
        Action::Zoom => {
            state.zoom = state.zoom.other();
        }
        Action::ClearFilter => set_filter(app, ""),
        Action::SortNext => resort(app, |by| by.turned(1)),
        Action::SortPrevious => resort(app, By::before),
        Action::SortReverse => {
            state.sort.direction = match state.sort.direction {
                Direction::First => Direction::Turned,
                Direction::Turned => Direction::First,
            };
            state.arrange();
        }
        Action::Enter | Action::Evidence | Action::Copy | Action::CopyQuery => {
            return act_on_chosen(app, action);
        }
        _ if state.pane == Pane::Detail => {
            let height = usize::from(detail_room(areas.detail).height);
            let lines = state.drawn.detail.len();
            state.scroll.act(action, lines, height);
        }
        _ => {
            let height = visible_rows(&areas, state.drawn.rows_each, state.drawn.more);
            state.cursor.act(action, state.order.len(), height);
        }
    }
    Vec::new()
}

fn act_on_chosen(app: &mut App, action: Action) -> Vec<Effect> {
    let Some(row) = app.overview.chosen() else {
        app.fail("there is no container here", None);
        return Vec::new();
    };
    match action {
        Action::Enter => {
            let number = row.number;
            keys::open(app, number)
        }
        Action::Copy => vec![Effect::Copy(Clipboard::Lines(evidence::row_lines(
            app, row,
        )))],
        Action::CopyQuery => vec![Effect::Copy(Clipboard::Lines(evidence::query(app, row)))],
        _ => {
            let lines = evidence::lines(app, row);
            app.overlay = Some(Overlay::Paper(papers::State::new("evidence", lines)));
            Vec::new()
        }
    }
}

fn resort(app: &mut App, next: impl FnOnce(By) -> By) {
    let by = next(app.overview.sort.by);
    sort_with(app, by);
}

fn sort_with(app: &mut App, by: By) {
    app.overview.sort = Sort {
        by,
        direction: Direction::First,
    };
    app.overview.arrange();
    app.say(format!("sorted by {}", by.name()));
}

pub fn sort_by(app: &mut App, column: &str) {
    if let Some(by) = By::named(column) {
        return sort_with(app, by);
    }
    let what = format!("there is no column {}", visible(column));
    app.fail(what, Some(&format!("they are {}", COLUMNS.join(", "))));
}

/// Writes the containers that are shown, with their keys.
pub fn export(app: &mut App, path: &str, existing: Existing) -> Vec<Effect> {
    let Some(data) = app.data.clone() else {
        app.fail("nothing is open that could be written", None);
        return Vec::new();
    };
    let state = &app.overview;
    let named = state.order.iter().filter_map(|at| state.rows.get(*at));
    let containers = if state.order.len() < state.rows.len() {
        Some(named.map(|row| row.identity.clone()).collect())
    } else {
        None
    };
    let masker = app.mask.shared();
    let export = Export {
        path: path.into(),
        existing,
        what: Exported::Report(ReportShown {
            data,
            containers,
            masker,
        }),
    };
    vec![Effect::Export(app.turn.advance(), export)]
}

/// The container in a row of the screen, counted from the first one shown.
pub fn row_at(app: &App, body: Rect, column: u16, row: u16) -> Option<usize> {
    let areas = areas(app, body);
    let rows = areas.rows();
    if !rows.contains((column, row).into()) {
        return None;
    }
    let drawn = &app.overview.drawn;
    let mut bottom = rows.y;
    let index = drawn.rows.iter().position(|painted| {
        bottom += painted.height(drawn.rows_each);
        row < bottom
    });
    index.map(|index| app.overview.cursor.first + index)
}
