//! The form of a design, over any view: what a container that does not exist yet has to hold, and at once what it comes to.
//!
//! ```text
//! ┏ design: orders ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 12 of 19 ┓
//! ┃   order       size       2KB         order a day           3.30 GiB (3.5 GB)       ┃
//! ┃ ▶             writes     50/s        RU/s to provide            ◆ 2,200 RU/s       ┃
//! ┃ order writes: new documents, such as 20/s or 70GB/day                              ┃
//! ┗ Enter changes, + - twice and half, o opens, i explains, y copies, Esc closes ━━━━━━┛
//! ```

mod draw;
mod settings;
#[cfg(test)]
mod tests;

use crate::analysis::ceiling::Ceiling;
use crate::analysis::design::{DesignFigure, FigureGroup, figures};
use crate::model::visible::visible;
use crate::source::design::{DesignFault, parse};
use crate::source::scenario;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::input::{Chord, Code, Modifier};
use crate::ui::kit::line::Prompt;
use crate::ui::kit::list::Cursor;
use crate::ui::kit::msg::{Clipboard, Effect, OnScreen};
use crate::ui::kit::scroll::Scroll;
use crate::work::data::Origin;

use draw::FigureRow;
pub use draw::{draw, settle};
use settings::{DesignSetting, settings};

/// Where keys go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum FormPane {
    #[default]
    Settings,
    Figures,
}

/// Whether the form lies over the view, or waits with its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FormPlace {
    #[default]
    Shown,
    Put,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct DesignForm {
    /// The template, or the file without its folder.
    name: String,
    pub place: FormPlace,
    /// The file as it would be written with the values of the form.
    text: String,
    opened: String,
    settings: Vec<DesignSetting>,
    figures: Vec<FigureGroup>,
    /// As they were before the last change.
    before: Vec<FigureGroup>,
    pane: FormPane,
    cursor: Cursor,
    scroll: Scroll,
    rows: Vec<FigureRow>,
    /// Rows of both panes in the window.
    height: usize,
}

impl DesignForm {
    /// A text that is a design; else what is wrong with it.
    pub fn new(name: &str, text: &str, ceiling: Ceiling) -> Result<Self, DesignFault> {
        let end = if text.ends_with('\n') { "" } else { "\n" };
        let text = format!("{text}{end}");
        let mut form =
            Self { name: name.to_owned(), opened: text.clone(), height: 1, ..Self::default() };
        form.take(text, ceiling)?;
        form.before.clear();
        Ok(form)
    }

    fn take(&mut self, text: String, ceiling: Ceiling) -> Result<(), DesignFault> {
        let figures = figures(&parse(&text)?, ceiling);
        self.settings = settings(&text);
        self.text = text;
        self.before = std::mem::replace(&mut self.figures, figures);
        Ok(())
    }

    fn chosen(&self) -> Option<&DesignSetting> {
        self.settings.get(self.cursor.chosen)
    }

    /// Gives the chosen setting a value; one that is wrong changes nothing, and it is said what is expected.
    pub fn set(&mut self, value: &str, ceiling: Ceiling) -> Result<(), String> {
        let Some(setting) = self.chosen() else {
            return Ok(());
        };
        let changed = setting.changed(&self.text, value);
        let taken = changed.and_then(|text| self.take(text, ceiling));
        taken.map_err(|fault| sentence(&fault))
    }

    fn is_changed(&self, figure: &DesignFigure) -> bool {
        let mut before = self.before.iter().flat_map(|group| &group.figures);
        !self.before.is_empty()
            && !before.any(|old| old.name == figure.name && old.text == figure.text)
    }

    /// The line in which the chosen value is typed; the first letter replaces it.
    fn line(&self, first: Option<char>) -> Vec<Effect> {
        let Some(setting) = self.chosen() else {
            return Vec::new();
        };
        let name = format!("{} {}", setting.of, setting.name);
        let mut line = Prompt::of_value(name.trim_start(), "", &setting.value);
        if let Some(first) = first {
            line.insert(first);
        }
        OnScreen::Type(Box::new(line)).alone()
    }

    fn step(&mut self, is_up: bool, cx: &Cx) -> Vec<Effect> {
        let value = self.chosen().map(|setting| setting.value.as_str());
        let Some(next) = value.and_then(|value| stepped(value, is_up)) else {
            return Effect::fail("this value has no steps", Some("Enter changes it"));
        };
        let set = self.set(&next, cx.ceiling);
        set.map_or_else(|what| Effect::fail(what, None), |()| Vec::new())
    }

    /// What the form comes to with the working of each figure.
    fn working(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for group in &self.figures {
            lines.push(group.name.to_owned());
            for figure in &group.figures {
                lines.push(format!("  {}: {}", visible(&figure.name), figure.text));
                lines.push(format!("    = {}", visible(&figure.how)));
            }
        }
        lines
    }

    fn open(&mut self) -> Vec<Effect> {
        self.place = FormPlace::Put;
        let name = scenario::keep_design(&self.name, &self.text);
        OnScreen::Open(Origin::Scenario(name)).alone()
    }
}

/// Twice or half as much, unit and all; of true and false the other one. None of what begins with no number.
fn stepped(value: &str, is_up: bool) -> Option<String> {
    match value {
        "true" => return Some("false".to_owned()),
        "false" => return Some("true".to_owned()),
        _ => {}
    }
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '_' | '.' | ',');
    let end = value.find(|c| !is_digit(c)).unwrap_or(value.len());
    let (number, unit) = value.split_at_checked(end)?;
    let number: f64 = number.replace(['_', ','], "").parse().ok()?;
    let is_date = unit.starts_with('-');
    let by = if is_up { 2.0 } else { 0.5 };
    (!is_date && number > 0.0).then(|| format!("{}{unit}", number * by))
}

/// Without the line of a text that is not in sight.
fn sentence(fault: &DesignFault) -> String {
    let line = fault.what.strip_prefix("line ");
    match line.and_then(|line| line.split_once(": ")) {
        Some((_, what)) => visible(what).into_owned(),
        None => format!("{}: {}", visible(&fault.what), fault.next),
    }
}

/// Keys that the form alone knows; None of any other.
pub fn on_chord(form: &mut DesignForm, cx: &Cx, chord: Chord) -> Option<Vec<Effect>> {
    if chord.modifier != Modifier::Nothing {
        return None;
    }
    let is_in_settings = form.pane == FormPane::Settings;
    match chord.code {
        Code::Char('o') => Some(form.open()),
        Code::Char('+' | '=') | Code::Right if is_in_settings => Some(form.step(true, cx)),
        Code::Char('-') | Code::Left if is_in_settings => Some(form.step(false, cx)),
        Code::Char(digit @ '0'..='9') if is_in_settings => Some(form.line(Some(digit))),
        _ => None,
    }
}

/// What an action means while the form lies over the view; None if it means something else.
pub fn act(form: &mut DesignForm, action: Action) -> Option<Vec<Effect>> {
    let (count, height) = (form.settings.len(), form.height);
    Some(match action {
        Action::Enter if form.pane == FormPane::Settings => form.line(None),
        Action::NextPane | Action::PreviousPane => {
            form.pane = match form.pane {
                FormPane::Settings => FormPane::Figures,
                FormPane::Figures => FormPane::Settings,
            };
            Vec::new()
        }
        Action::Evidence => OnScreen::Read("how the figures come about", form.working()).alone(),
        Action::Copy => vec![Effect::Copy(Clipboard::from(form.text.clone()))],
        Action::Export => Effect::fail("a design is not exported", Some("y copies it as TOML")),
        Action::Filter => Effect::fail("this form has no filter", Some("Esc closes it")),
        Action::Back => {
            form.place = FormPlace::Put;
            Effect::say("the values are kept; :design shows them again")
        }
        _ => {
            let moved = match form.pane {
                FormPane::Settings => form.cursor.act(action, count, height),
                FormPane::Figures => form.scroll.act(action, form.rows.len(), height),
            };
            return (moved || action.is_of_rows()).then(Vec::new);
        }
    })
}
