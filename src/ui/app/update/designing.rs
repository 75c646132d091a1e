//! The form of a design: how it comes up, and what is typed into it.

use super::typing;
use crate::source::design::TEMPLATES;
use crate::ui::app::{App, Overlay};
use crate::ui::kit::line::{Prompt, PromptPurpose};
use crate::ui::kit::msg::Effect;
use crate::ui::view::design_form::{DesignForm, FormPlace};
use crate::work::fault::WorkFault;

/// The form as it was left, else the templates to choose from.
pub(super) fn show(app: &mut App) -> Vec<Effect> {
    match &mut app.design {
        Some(form) => {
            form.place = FormPlace::Shown;
            app.overlay = None;
            Vec::new()
        }
        None => typing::begin(app, PromptPurpose::Command, "design "),
    }
}

/// A template by its name, else a file.
pub(super) fn open(app: &mut App, named: &str) -> Vec<Effect> {
    if let Some((name, text)) = TEMPLATES.iter().find(|(name, _)| *name == named) {
        return begin(app, name, text);
    }
    app.design_read = app.cx.turns.next();
    let path = crate::work::paths::paths(named).into_iter().next();
    let read = path.map(|path| Effect::ReadDesign(app.design_read, path));
    read.into_iter().collect()
}

pub(super) fn on_read(app: &mut App, read: Result<(String, String), WorkFault>) -> Vec<Effect> {
    match read {
        Ok((name, text)) => begin(app, &name, &text),
        Err(fault) => app.fail(fault.what, fault.next.as_deref()),
    }
}

fn begin(app: &mut App, name: &str, text: &str) -> Vec<Effect> {
    match DesignForm::new(name, text, app.cx.ceiling) {
        Ok(form) => {
            app.design = Some(form);
            app.overlay = None;
            Vec::new()
        }
        Err(fault) => app.fail(fault.what, Some(&fault.next)),
    }
}

/// A value of the form; what is wrong with it stands in the line, which stays.
pub(super) fn accept(app: &mut App, mut line: Box<Prompt>) -> Vec<Effect> {
    let ceiling = app.cx.ceiling;
    let set = app.design.as_mut().map(|form| form.set(line.text(), ceiling));
    if let Some(Err(what)) = set {
        line.problem = Some((0, what));
        app.overlay = Some(Overlay::Line(line));
    }
    Vec::new()
}
