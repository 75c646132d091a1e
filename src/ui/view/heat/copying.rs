//! What leaves the screen: the incident note, the chosen cell, the chosen key, the queries that ask again, and exports.

use super::layout::Pane;
use super::{head, keylist, readout};
use crate::analysis::diagnosis::note::{Names, Naming, note};
use crate::analysis::diagnosis::{Verdict, queries};
use crate::report::key_text::key_text;
use crate::ui::app::App;
use crate::ui::kit::action::Action;
use crate::ui::kit::msg::{Clipboard, Effect};
use crate::work::data::Exported;
use crate::work::export::HeatShown;

pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let cell = || readout::whole(app);
    let line = |line: Option<String>| line.map(|line| Clipboard::Lines(vec![line]));
    let (text, what) = match (action, app.heat.pane) {
        (Action::CopyQuery, _) => {
            let what = "no verdict whose numbers could be asked for";
            (query(app).map(Clipboard::from), what)
        }
        (Action::CopyCell, _) => (line(cell()), "no cell to copy"),
        (_, Pane::Keys) => (line(keylist::line(app)), "no key to copy"),
        (_, Pane::Map) => (incident(app).map(Clipboard::from), "no verdict to copy"),
    };
    if let Some(text) = text {
        return vec![Effect::Copy(text)];
    }
    app.fail(format!("there is {what}"), None);
    Vec::new()
}

/// Lets `with` write about the worst verdict, in the names that are shown.
fn named(app: &App, with: impl FnOnce(&Verdict, &Naming<'_>) -> Option<String>) -> Option<String> {
    let verdict = head::worst(app)?;
    let held = app.heat.scope.as_ref()?.held()?;
    let container = app.mask.container(&held.name);
    let mask = &app.mask;
    let shown = |json: Option<&str>| {
        let json = json.map(|json| mask.key(json));
        key_text(json.as_deref())
    };
    let naming = Naming {
        names: if mask.is_on() {
            Names::Invented
        } else {
            Names::Real
        },
        container: &container,
        shown: &shown,
        json: &|json| mask.key(json).into(),
    };
    with(verdict, &naming)
}

fn incident(app: &App) -> Option<String> {
    named(app, |verdict, naming| Some(note(verdict, naming, app.now)))
}

fn query(app: &App) -> Option<String> {
    let scope = app.heat.scope.as_ref()?;
    let (heat, held) = (scope.heat()?, scope.held()?);
    named(app, |verdict, naming| {
        let text = queries::text(verdict, heat, held, naming);
        Some(text).filter(|text| !text.is_empty())
    })
}

/// The container as it is shown: its measure, region, order and time.
pub fn exported(app: &App) -> Option<Exported> {
    let scope = app.heat.scope.as_ref()?;
    let masker = app.mask.shared();
    Some(Exported::Heat(HeatShown {
        data: scope.data.clone(),
        container: scope.held()?.name.identity(),
        measure: scope.measure(),
        region: scope.track().and_then(|track| track.region.clone()),
        order: scope.order,
        span: app.heat.time.span,
        masker,
    }))
}
