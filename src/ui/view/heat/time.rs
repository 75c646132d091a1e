//! Which span of time is shown, and the cell under the cursor: zoom, pan, brush, and the way back.

use super::{Chart, names};
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::msg::Effect;
use crate::ui::view::heat::HeatState;

/// Zooms one can go back through.
const MAX_BEFORE: usize = 64;
/// Fewer steps than this are not worth a map.
const LEAST_STEPS: i64 = 4;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Time {
    /// What is shown, `[from, to)`; None: all of the track.
    pub span: Option<(i64, i64)>,
    before: Vec<Option<(i64, i64)>>,
    /// A second in the chosen cell; None: where the chosen partition is highest.
    pub at: Option<i64>,
    /// Where a span began that is being chosen.
    pub brush: Option<i64>,
    /// Where the button went down.
    pub pressed: Option<i64>,
}

impl Time {
    fn show(&mut self, span: Option<(i64, i64)>) {
        if span == self.span {
            return;
        }
        self.before.push(self.span);
        if self.before.len() > MAX_BEFORE {
            self.before.remove(0);
        }
        self.span = span;
    }

    /// The span before this one; false if there was none.
    pub fn step_back(&mut self) -> bool {
        match self.before.pop() {
            Some(span) => {
                self.span = span;
                true
            }
            None => false,
        }
    }
}

/// What is known of time when an action comes.
#[derive(Clone, Copy)]
struct TimeFacts {
    /// All that the track covers.
    all: (i64, i64),
    shown: (i64, i64),
    step_s: i64,
    /// The chosen cell.
    cell: (i64, i64),
}

fn now(state: &HeatState) -> Option<TimeFacts> {
    let scope = state.scope.as_ref()?;
    let window = state.map.window?;
    let all = scope.span?;
    let shown = (window.from.max(all.0), window.to().min(all.1));
    Some(TimeFacts {
        all,
        shown,
        step_s: i64::from(scope.track()?.step_s.max(1)),
        cell: window.cell(state.map.cursor?),
    })
}

/// What is being chosen, or what is zoomed to; None: all of the time.
pub fn chosen_span(state: &HeatState) -> Option<(i64, i64)> {
    let begun = state.time.brush;
    let cell = state.map.window.zip(state.map.cursor);
    if let (Some(begun), Some((window, cell))) = (begun, cell) {
        return Some(brushed(begun, window.cell(cell)));
    }
    let (from, to) = state.time.span?;
    let all = state.scope.as_ref()?.span?;
    let inside = (from.max(all.0), to.min(all.1));
    (inside != all && inside.0 < inside.1).then_some(inside)
}

/// From the cell in which a span began to another one, both included.
fn brushed(begun: i64, cell: (i64, i64)) -> (i64, i64) {
    let width = length(cell).max(1);
    (begun.min(cell.0), begun.saturating_add(width).max(cell.1))
}

/// What is for the map of time does nothing in another chart, and says so.
pub fn elsewhere(cx: &Cx, action: Action) -> Vec<Effect> {
    let key = cx.keymap.shown(action).unwrap_or_default();
    let chart = cx.keymap.shown(Action::NextChart).unwrap_or_default();
    Effect::say(format!("{key} is for the map of time; {chart} turns to it"))
}

pub fn act(state: &mut HeatState, cx: &Cx, action: Action) -> Vec<Effect> {
    if state.chart != Chart::Time {
        return elsewhere(cx, action);
    }
    let Some(now) = now(state) else {
        return Effect::fail("the inputs have no load over time", None);
    };
    match action {
        Action::Earlier => step(state, now, -1),
        Action::Later => step(state, now, 1),
        Action::PanEarlier => return pan(state, now, -1),
        Action::PanLater => return pan(state, now, 1),
        Action::ZoomIn => return zoom_in(state, now),
        Action::ZoomOut => zoom_out(state, now),
        // Once more: the cursor goes where it is hottest.
        Action::ZoomAll if state.time.span.is_none() => state.time.at = None,
        Action::ZoomAll => state.time.show(None),
        Action::Brush => return brush(state, now),
        _ => {}
    }
    Vec::new()
}

/// One cell on; the map follows.
fn step(state: &mut HeatState, now: TimeFacts, cells: i64) {
    let width = now.cell.1.saturating_sub(now.cell.0).max(1);
    let at = now.cell.0.saturating_add(width.saturating_mul(cells));
    let last = now.all.1.saturating_sub(1).max(now.all.0);
    let at = at.clamp(now.all.0.min(last), last);
    state.time.at = Some(at);
    if at < now.shown.0 || at >= now.shown.1 {
        shift(state, now, width.saturating_mul(cells));
    }
}

fn pan(state: &mut HeatState, now: TimeFacts, direction: i64) -> Vec<Effect> {
    let half = length(now.shown) / 2;
    let by = half.max(1).saturating_mul(direction);
    let is_all = now.shown.0 <= now.all.0 && now.shown.1 >= now.all.1;
    if is_all {
        return Effect::say("all of the time is shown already");
    }
    shift(state, now, by);
    state.time.at = Some(now.cell.0.saturating_add(by).clamp(now.all.0, now.all.1));
    Vec::new()
}

/// Moves what is shown, never past what there is. It is no step to go back through: it shows as much as before.
fn shift(state: &mut HeatState, now: TimeFacts, by: i64) {
    let length = length(now.shown);
    let latest = now.all.1.saturating_sub(length).max(now.all.0);
    let from = now.shown.0.saturating_add(by).clamp(now.all.0, latest);
    state.time.span = Some((from, from.saturating_add(length)));
}

fn length(span: (i64, i64)) -> i64 {
    span.1.saturating_sub(span.0)
}

fn zoom_in(state: &mut HeatState, now: TimeFacts) -> Vec<Effect> {
    let half = length(now.shown) / 2;
    if half < now.step_s.saturating_mul(LEAST_STEPS) {
        let step = names::length(now.step_s.unsigned_abs());
        return Effect::say(format!("this is the finest: the data has steps of {step}"));
    }
    around(state, now, half);
    Vec::new()
}

fn zoom_out(state: &mut HeatState, now: TimeFacts) {
    let wanted = length(now.shown).saturating_mul(2);
    if wanted >= length(now.all) {
        state.time.show(None);
        return;
    }
    around(state, now, wanted);
}

/// A span of a length with the chosen cell where it was, as far as there is time on both sides.
fn around(state: &mut HeatState, now: TimeFacts, wanted: i64) {
    let shown = length(now.shown).max(1);
    let middle = now.cell.0.saturating_add(length(now.cell) / 2);
    let left = i128::from(middle.saturating_sub(now.shown.0));
    let before = left * i128::from(wanted) / i128::from(shown);
    let before = i64::try_from(before).unwrap_or(wanted / 2);
    let latest = now.all.1.saturating_sub(wanted).max(now.all.0);
    let from = middle.saturating_sub(before).clamp(now.all.0, latest);
    // Whole steps: a step that is cut would seem to have begun later.
    let from = from - (from - now.all.0).rem_euclid(now.step_s);
    state.time.at = Some(middle);
    state.time.show(Some((from, from.saturating_add(wanted))));
}

fn brush(state: &mut HeatState, now: TimeFacts) -> Vec<Effect> {
    match state.time.brush.take() {
        None => {
            state.time.brush = Some(now.cell.0);
            state.time.at = Some(now.cell.0);
            Effect::say("move to the other end of the span; the same key or Enter zooms to it")
        }
        Some(begun) => to_brush(state, begun, now.cell),
    }
}

/// Zooms to what was chosen between two cells.
pub fn to_brush(state: &mut HeatState, begun: i64, cell: (i64, i64)) -> Vec<Effect> {
    let width = length(cell).max(1);
    let (from, to) = brushed(begun, cell);
    if length((from, to)) <= width {
        return Effect::say("a span has more than one cell");
    }
    state.time.show(Some((from, to)));
    Vec::new()
}
