//! What is told of the chosen key below and beside the table: partitions, reasons, sizes, requests, and the paths of the
//! documents.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Position, Rect};

use super::layout::{TrialAreas, TrialPane};
use super::{TrialState, explain, pane, paths, places, queries, reasons, sizes, table};
use crate::analysis::candidate::Candidate;
use crate::analysis::paths::PathRow;
use crate::analysis::trial::Trial;
use crate::model::visible::visible;
use crate::report::trial::{CandidateReport, KeyRole};
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::{Cx, Veil};
use crate::ui::kit::list::Cursor;
use crate::ui::kit::list::further;
use crate::ui::kit::msg::Effect;
use crate::ui::kit::panel::Focus;
use crate::ui::kit::scroll::Scroll;
use crate::ui::kit::{sign, text};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TrialPanel {
    #[default]
    Places,
    Queries,
    Reasons,
    Sizes,
    Figures,
    Paths,
}

impl TrialPanel {
    pub const ALL: [Self; 6] =
        [Self::Places, Self::Queries, Self::Reasons, Self::Sizes, Self::Figures, Self::Paths];
}

/// Of the requests: the heading, names of columns, sums, and what is to be known of one.
const QUERY_ROWS: usize = 8;
const LEAST_BELOW: u16 = 6;

const ORDERS: [places::PlacesOrder; 2] =
    [places::PlacesOrder::HashRange, places::PlacesOrder::FullestFirst];

/// What the panels show, made once for results, a key and rooms.
#[derive(Debug, Default)]
pub struct PanelContents {
    of: Option<(usize, Vec<(TrialPanel, Rect)>)>,
    places: Option<places::PlacesPanel>,
    reasons: Vec<reasons::ReasonLine>,
    sizes: Option<sizes::SizesPanel>,
    queries: Option<queries::QueriesPanel>,
    /// Of the documents alone.
    paths: Option<Paths>,
}

/// The paths of documents with their texts.
type Paths = (Arc<Vec<PathRow>>, paths::PathTable);

impl PanelContents {
    /// Results changed, or how they are shown.
    pub fn forget(&mut self) {
        self.of = None;
    }
}

/// Where a person stands in each panel.
#[derive(Debug, Default)]
pub struct PanelPlaces {
    pub figures: Scroll,
    pub reasons: Scroll,
    pub sizes: Scroll,
    pub queries: Cursor,
    pub paths: paths::PathsState,
    pub order: places::PlacesOrder,
    pub against: places::BarScale,
}

/// Which panels are seen, and where: the turned one, and in a wide window the others below and beside the table.
fn rooms(state: &TrialState, areas: &TrialAreas) -> Vec<(TrialPanel, Rect)> {
    // Before the first key there are the paths alone.
    if state.report.is_none() {
        return vec![(TrialPanel::Paths, areas.panel)];
    }
    if areas.beside.is_empty() {
        return vec![(state.panel, areas.panel)];
    }
    let lines = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
    let result = state.result(state.chosen);
    let figures = lines(table::figure_rows(state).len() + 1);
    let reasons = match state.sample {
        Some(_) => Constraint::Max(lines(state.panels.reasons.len() + 1)),
        None => Constraint::Fill(1),
    };
    let paths = Constraint::Min(state.sample.as_ref().map_or(0, |_| LEAST_BELOW));
    let [figures, reasons, paths] =
        Layout::vertical([Constraint::Max(figures), reasons, paths]).areas(areas.panel);
    let queries = lines(result.map_or(0, |result| result.routed.len()) + QUERY_ROWS);
    let places = result.map_or(0, |result| result.trial.placement.partitions.len());
    let sizes = state.panels.sizes.as_ref().map_or(0, sizes::SizesPanel::most_rows);
    let height = areas.beside.height;
    let [places, sizes, queries] = Layout::vertical([
        Constraint::Min(places::most_rows(places).min(height / 2)),
        Constraint::Max(sizes),
        Constraint::Length(queries.min(height / 3)),
    ])
    .areas(areas.beside);
    vec![
        (TrialPanel::Figures, figures),
        (TrialPanel::Reasons, reasons),
        (TrialPanel::Paths, paths),
        (TrialPanel::Places, places),
        (TrialPanel::Sizes, sizes),
        (TrialPanel::Queries, queries),
    ]
}

fn room_of(state: &TrialState, areas: &TrialAreas, panel: TrialPanel) -> Rect {
    let rooms = rooms(state, areas);
    let found = rooms.into_iter().find(|(held, _)| *held == panel);
    found.map_or_else(Rect::default, |(_, room)| room)
}

/// The key that the container has, where it is known and another one.
fn current(state: &TrialState) -> Option<&CandidateReport> {
    let first = state.result(0)?;
    (first.standing == KeyRole::Current && state.chosen != 0).then_some(first)
}

/// How many rows the list of a panel has, and how many of them are seen.
fn extent(state: &TrialState, areas: &TrialAreas, panel: TrialPanel) -> [usize; 2] {
    let room = room_of(state, areas, panel);
    let inside = usize::from(pane::inside(room).height);
    let made = &state.panels;
    match panel {
        TrialPanel::Figures => [table::figure_rows(state).len(), inside],
        TrialPanel::Reasons => [made.reasons.len(), inside],
        TrialPanel::Sizes => {
            let made = made.sizes.as_ref();
            made.map_or([0; 2], |made| [made.rows(), sizes::seen(room, made)])
        }
        TrialPanel::Queries => {
            let list = |made| usize::from(queries::list(room, made).height);
            let made = made.queries.as_ref();
            made.map_or([0; 2], |made| [made.rows(), list(made)])
        }
        TrialPanel::Paths | TrialPanel::Places => [0; 2],
    }
}

pub fn settle(state: &mut TrialState, cx: &Cx, areas: &TrialAreas) {
    let of = (state.chosen, rooms(state, areas));
    if state.panels.of.as_ref() != Some(&of) {
        let paths = state.panels.paths.take();
        let made = panels(state, cx, of, paths);
        state.panels = made;
    }
    let [figures, reasons, sizes, queries] =
        [TrialPanel::Figures, TrialPanel::Reasons, TrialPanel::Sizes, TrialPanel::Queries]
            .map(|panel| extent(state, areas, panel));
    let paths = room_of(state, areas, TrialPanel::Paths);
    let at = &mut state.places_in;
    at.figures.settle(figures[0], figures[1]);
    at.reasons.settle(reasons[0], reasons[1]);
    at.sizes.settle(sizes[0], sizes[1]);
    at.queries.settle(queries[0], queries[1]);
    at.paths.settle(paths);
}

fn panels(
    state: &TrialState,
    cx: &Cx,
    of: (usize, Vec<(TrialPanel, Rect)>),
    paths: Option<Paths>,
) -> PanelContents {
    let (theme, mask) = (&cx.theme, &cx.mask);
    let room = |panel: TrialPanel| of.1.iter().find(|(held, _)| *held == panel).map(|r| r.1);
    let unreported = state.unreported(state.chosen);
    // Of a key that logs do not show the current one is what is known.
    let result = state.result(state.chosen);
    let first = || state.result(0).filter(|_| unreported.is_some());
    let reported = state.report.as_ref().zip(result.or_else(first));
    let reported = reported.zip(state.settings.as_ref());
    let current = current(state).filter(|_| unreported.is_none());
    let mut made =
        PanelContents { paths: paths_made(state, cx, paths), ..PanelContents::default() };
    if let Some(((report, result), settings)) = reported {
        let trial: &Trial = &result.trial;
        made.places = room(TrialPanel::Places).map(|room| {
            let partitions = |trial: &Trial| trial.placement.partitions.len();
            let now = current.map_or(0, |now| partitions(&now.trial));
            let most = partitions(trial).max(now);
            let asked = places::PlacesInputs {
                candidate: trial,
                current: current.map(|c| &c.trial),
                settings,
                order: state.places_in.order,
                against: state.places_in.against,
            };
            places::places_panel(&asked, places::rows(room, most))
        });
        made.reasons = room(TrialPanel::Reasons).map_or_else(Vec::new, |room| {
            let width = pane::inside(room).width.into();
            let sample = state.sample.as_deref();
            reasons::reason_lines(report, result, sample, width, theme)
        });
        made.sizes = Some(sizes::sizes_panel(trial, settings, mask));
        let (name, current) = (pane::name(trial), current.map(|c| &c.routed[..]));
        made.queries = Some(queries::queries_panel(&name, &result.routed, current, mask));
    }
    if let Some((entry, because)) = unreported {
        let name = visible(&entry.candidate.to_string()).into_owned();
        let current = state.result(0).map(|first| &first.routed[..]);
        made.queries = Some(queries::queries_panel(&name, &because.routed, current, mask));
        made.reasons = room(TrialPanel::Reasons).map_or_else(Vec::new, |room| {
            let width = pane::inside(room).width.into();
            reasons::unreported(&because.sentence, width, theme)
        });
    }
    made.of = Some(of);
    made
}

/// The paths are those of the documents, whatever key is tried: they are made once for them.
fn paths_made(state: &TrialState, cx: &Cx, held: Option<Paths>) -> Option<Paths> {
    let rows = &state.sample.as_ref()?.paths;
    if let Some(held) = held.filter(|held| Arc::ptr_eq(&held.0, rows)) {
        return Some(held);
    }
    Some((Arc::clone(rows), paths::path_table(rows, &cx.mask)))
}

/// Documents are there: their paths are listed anew.
pub fn on_documents(state: &mut TrialState) {
    if let Some(sample) = state.sample.clone() {
        state.places_in.paths.arrange(&sample.paths);
    }
    state.panels.forget();
}

/// What an action means in the turned panel.
pub fn act(state: &mut TrialState, action: Action, areas: &TrialAreas) -> Vec<Effect> {
    let [rows, seen] = extent(state, areas, state.panel);
    let room = room_of(state, areas, state.panel);
    let at = &mut state.places_in;
    match state.panel {
        TrialPanel::Places if matches!(action, Action::NextRow | Action::PreviousRow) => {
            at.order = further(&ORDERS, &at.order, 1);
            state.panels.forget();
        }
        TrialPanel::Places => {}
        TrialPanel::Figures => _ = at.figures.act(action, rows, seen),
        TrialPanel::Reasons => _ = at.reasons.act(action, rows, seen),
        TrialPanel::Sizes => _ = at.sizes.act(action, rows, seen),
        TrialPanel::Queries => _ = at.queries.act(action, rows, seen),
        TrialPanel::Paths => _ = at.paths.act(action, room),
    }
    Vec::new()
}

/// Enter in a panel: a path is tried as a key.
pub fn enter(state: &mut TrialState, cx: &Cx) -> Option<Vec<Effect>> {
    if state.panel != TrialPanel::Paths {
        return None;
    }
    let sample = state.sample.clone()?;
    let row = sample.paths.get(state.places_in.paths.chosen()?)?;
    let key = Candidate::of_paths(vec![row.path.clone()]).to_string();
    Some(match super::parsed(&key) {
        Ok(()) => super::try_key(state, cx, &key),
        Err(refusal) => refusal,
    })
}

/// `s` and `S`: partitions by range or fullest first, paths by another column.
pub fn sort(state: &mut TrialState, step: isize) -> Vec<Effect> {
    let at = &mut state.places_in;
    let words = match state.panel {
        TrialPanel::Places => {
            at.order = further(&ORDERS, &at.order, 1);
            let words = at.order.words();
            state.panels.forget();
            format!("partitions {words}")
        }
        TrialPanel::Paths => {
            let by = further(paths::ORDERS.all, &at.paths.by(), step);
            if let Some(sample) = state.sample.clone() {
                at.paths.sort_by(by, &sample.paths);
            }
            format!("paths by {}", paths::ORDERS.name(by))
        }
        _ => "this panel has one order only".to_owned(),
    };
    Effect::say(words)
}

/// Bars against the limit of 50 GB, or against the fullest partition.
pub fn turn_scale(state: &mut TrialState) {
    let against = &mut state.places_in.against;
    *against = further(&[places::BarScale::Ceiling, places::BarScale::Fullest], against, 1);
    state.panels.forget();
}

/// Only paths are filtered: the panel turns to them.
pub fn set_filter(state: &mut TrialState, text: &str) -> Vec<Effect> {
    let Some(sample) = state.sample.clone() else {
        return Effect::say("there are no paths to filter yet");
    };
    state.panel = TrialPanel::Paths;
    state.pane = TrialPane::Panel;
    state.places_in.paths.set_filter(text, &sample.paths);
    Vec::new()
}

/// The path under the pointer.
pub fn path_at(state: &TrialState, areas: &TrialAreas, column: u16, row: u16) -> Option<usize> {
    let room = room_of(state, areas, TrialPanel::Paths);
    let at = Position { x: column, y: row };
    state.places_in.paths.place_at(room, at)
}

/// The formula and the numbers of every figure of the chosen key.
pub fn explained(state: &TrialState, cx: &Cx) -> Vec<String> {
    let result = state.result(state.chosen).zip(state.settings.as_ref());
    result.map_or_else(Vec::new, |(result, settings)| {
        let asked = explain::ExplainInputs { of: result, settings };
        explain::lines(&asked, &cx.mask)
    })
}

pub fn draw(state: &TrialState, cx: &Cx, areas: &TrialAreas, buffer: &mut Buffer) {
    let (made, at, theme) = (&state.panels, &state.places_in, &cx.theme);
    for (panel, room) in rooms(state, areas) {
        if room.is_empty() {
            continue;
        }
        let focus = if state.pane == TrialPane::Panel && state.panel == panel {
            Focus::Here
        } else {
            Focus::Away
        };
        match panel {
            TrialPanel::Places => {
                if let Some(made) = &made.places {
                    places::draw(buffer, room, made, focus, theme);
                }
            }
            TrialPanel::Figures => draw_figures(state, cx, room, focus, buffer),
            TrialPanel::Reasons if cx.veil.is_drawn() => {
                pane::draw(buffer, room, ("why", Veil::WORDS), focus, theme);
            }
            TrialPanel::Reasons => draw_reasons(state, cx, room, focus, buffer),
            TrialPanel::Sizes => {
                if let Some(made) = &made.sizes {
                    sizes::draw(buffer, room, made, at.sizes.first, focus, theme);
                }
            }
            TrialPanel::Queries => {
                if let Some(made) = &made.queries {
                    queries::draw(buffer, room, made, &at.queries, focus, theme);
                }
            }
            TrialPanel::Paths => {
                if let Some((_, made)) = &made.paths {
                    paths::draw(buffer, room, made, &at.paths, focus, theme);
                } else if state.report.is_some() && state.sample.is_none() {
                    let area = pane::draw(buffer, room, ("paths", ""), focus, theme);
                    let words = "none without documents: :documents FILE reads some";
                    text::paragraph(buffer, area, words, theme.text, theme);
                }
            }
        }
    }
}

/// The figures that decide nothing by themselves, under the columns of the table.
fn draw_figures(state: &TrialState, cx: &Cx, room: Rect, focus: Focus, buffer: &mut Buffer) {
    let rows = table::figure_rows(state);
    let first = state.places_in.figures.first;
    let area = pane::draw(buffer, room, ("more figures", ""), focus, &cx.theme);
    // As wide as the table, for its columns.
    let area = pane::with_side(area);
    let seen = rows.get(first..).unwrap_or_default();
    table::draw_rows(state, cx, area, seen, buffer);
    sign::scroll(buffer, area, first, rows.len(), &cx.theme);
}

fn draw_reasons(state: &TrialState, cx: &Cx, room: Rect, focus: Focus, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let lines = &state.panels.reasons;
    let scroll = state.places_in.reasons;
    let entry = state.entries.get(state.chosen);
    let title = entry.map_or_else(String::new, |entry| {
        let word = state.result(state.chosen).map_or("unknown", |key| key.verdict.word());
        format!("why {}: {word}", visible(&entry.candidate.to_string()))
    });
    let area = pane::draw(buffer, room, (&title, ""), focus, theme);
    for (index, line) in (0..area.height).zip(lines.iter().skip(scroll.first)) {
        text::left(buffer, text::row(area, index), line, theme);
    }
    sign::scroll(buffer, pane::with_side(area), scroll.first, lines.len(), theme);
}
