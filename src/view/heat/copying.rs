//! What goes to the clipboard: the verdict, the chosen cell, the chosen key, and the query that asks again.

use super::layout::Pane;
use super::{head, keylist, readout};
use crate::app::App;
use crate::app::action::Action;
use crate::app::msg::Effect;

pub fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let text = match (action, app.heat.pane) {
        (Action::CopyQuery, _) => return query(app),
        (_, Pane::Keys) => keylist::line(app),
        (_, Pane::Map) => note(app),
    };
    match text {
        Some(text) => vec![Effect::Copy(text)],
        None => {
            app.fail("there is nothing here to copy", None);
            Vec::new()
        }
    }
}

/// The verdict, and the cell under the cursor as its last line.
fn note(app: &App) -> Option<String> {
    let cell = readout::line(app);
    let verdict = head::worst(app).map(|verdict| {
        let headline = head::phrase(&verdict.headline, &app.mask);
        format!("{}: {headline}", verdict.rule)
    });
    let lines: Vec<String> = verdict.into_iter().chain(Some(cell)).collect();
    let lines: Vec<String> = lines.into_iter().filter(|line| !line.is_empty()).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn query(app: &mut App) -> Vec<Effect> {
    app.fail("there is no query for this yet", None);
    Vec::new()
}
