//! What leaves the screen: the incident note, the chosen cell, the chosen key, the queries that ask again, and exports.

use super::layout::HeatPane;
use super::{head, keylist, readout};
use crate::analysis::diagnosis::note::{Naming, note};
use crate::analysis::diagnosis::{Verdict, queries};
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::msg::{Clipboard, Effect};
use crate::ui::view::heat::HeatState;
use crate::ui::view::what_now;
use crate::work::data::Exported;
use crate::work::export::HeatShown;

pub fn act(state: &mut HeatState, cx: &Cx, action: Action) -> Vec<Effect> {
    let cell = || readout::whole(state, cx);
    let line = |line: Option<String>| line.map(|line| Clipboard::Lines(vec![line]));
    let (text, what) = match (action, state.pane) {
        (Action::CopyQuery, _) => {
            let what = "no verdict to query";
            (query(state, cx).map(Clipboard::from), what)
        }
        (Action::CopyCell, _) => (line(cell()), "no cell to copy"),
        (_, HeatPane::Keys) => (line(keylist::line(state)), "no key to copy"),
        (_, HeatPane::Map) => (incident(state, cx).map(Clipboard::from), "no verdict to copy"),
    };
    if let Some(text) = text {
        return vec![Effect::Copy(text)];
    }
    Effect::fail(format!("there is {what}"), None)
}

/// Lets `with` write about the worst verdict, in the names that are shown.
fn named(
    state: &HeatState,
    cx: &Cx,
    with: impl FnOnce(&Verdict, &Naming<'_>) -> Option<String>,
) -> Option<String> {
    let verdict = head::worst(state)?;
    let held = state.scope.as_ref()?.container;
    what_now::with_naming(cx, held, |naming| with(verdict, naming))?
}

fn incident(state: &HeatState, cx: &Cx) -> Option<String> {
    named(state, cx, |verdict, naming| Some(note(verdict, naming, cx.now)))
}

fn query(state: &HeatState, cx: &Cx) -> Option<String> {
    let scope = state.scope.as_ref()?;
    let (heat, held) = (scope.heat()?, scope.capture_container()?);
    named(state, cx, |verdict, naming| {
        let text = queries::text(verdict, heat, held, naming);
        Some(text).filter(|text| !text.is_empty())
    })
}

/// The container as it is shown: its measure, region, order and time.
pub fn exported(state: &HeatState, cx: &Cx) -> Option<Exported> {
    let scope = state.scope.as_ref()?;
    let masker = cx.mask.shared();
    Some(Exported::Heat(HeatShown {
        data: scope.data.clone(),
        container: scope.capture_container()?.name.identity(),
        measure: scope.measure(),
        region: scope.track().and_then(|track| track.region.clone()),
        order: scope.order,
        span: state.time.span,
        masker,
    }))
}
