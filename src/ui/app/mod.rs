//! The state of the screens and the one function that changes it.
//!
//! Whatever happens outside becomes a [`Msg`](crate::ui::kit::msg::Msg); [`update::update`] changes the [`App`] and gives back the
//! [`Effect`]s that it wants done. Nothing here reads a clock, a file or the terminal.

pub mod live;
pub mod replaying;
#[cfg(test)]
pub mod testing;
pub mod update;

use std::path::PathBuf;

use crate::analysis::ceiling::Ceiling;
use crate::model::time::Stamp;
use crate::source::live::plan::Urgency;
use crate::source::scenario::ScenarioInfo;
use crate::ui::kit::theme::Theme;
use crate::ui::view::{ViewId, heat, help, keys, overview, papers, start, trial};

use crate::ui::kit::input::Size;
use crate::ui::kit::keymap::Keymap;
use crate::ui::kit::line::Line;
use crate::ui::kit::masking::Mask;
use crate::ui::kit::msg::{Effect, Turn};
use crate::work::data::{Dataset, Origin};
use crate::work::fault::{Fault, Progress};
use crate::work::salt::Salt;
use crate::work::sample::Allowance;
use crate::work::shared::Shared;

/// Views one can go back through; nobody remembers more.
const MAX_TRAIL: usize = 32;

/// What is known before anything happens.
#[derive(Clone, Debug)]
pub struct Settings {
    pub keymap: Keymap,
    pub theme: Theme,
    /// The theme's name among the built-in ones.
    pub theme_name: String,
    pub ceiling: Ceiling,
    pub scenarios: Vec<ScenarioInfo>,
    /// Masks from the start if given.
    pub salt: Option<Salt>,
    /// Opened at once if given.
    pub origin: Option<Origin>,
    /// Documents for trials, read when the trial view is asked for.
    pub documents: Vec<PathBuf>,
    /// The pause between rounds of questions to an account.
    pub every_ms: Option<u64>,
    /// What reading documents of an account may cost.
    pub allowance: Allowance,
}

/// Reading that goes on.
#[derive(Clone, PartialEq, Debug)]
pub struct Loading {
    pub turn: Turn,
    pub origin: Origin,
    pub progress: Progress,
    pub wish: Wish,
    /// The view that was asked for before there was anything to show.
    pub then: Option<ViewId>,
    /// Whether somebody waits for it.
    pub urgency: Urgency,
}

/// What a person wants of reading that goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wish {
    #[default]
    Whole,
    /// No more of it; the answer takes a moment.
    Stop,
}

/// Whether data that arrives is shown.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Freeze {
    #[default]
    Flowing,
    /// Held; with the newest data that arrived since.
    Held(Option<Shared<Dataset>>),
}

/// What lies over the view; at most one thing.
#[derive(Clone, PartialEq, Debug)]
pub enum Overlay {
    Help(help::State),
    /// A text to be read: evidence, sources, how to connect.
    Paper(papers::State),
    /// What a sample of documents would cost, before anything is asked.
    Sampling(Box<trial::Dialog>),
    /// A line that is typed.
    Line(Box<Line>),
}

/// The line above the footer: what happened last.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Status {
    #[default]
    Quiet,
    Done(String),
    Failed(Fault),
}

/// Everything the screens show.
#[derive(Debug)]
pub struct App {
    pub keymap: Keymap,
    pub theme: Theme,
    pub theme_name: String,
    pub ceiling: Ceiling,
    pub scenarios: Vec<ScenarioInfo>,
    pub size: Size,
    pub now: Option<Stamp>,
    pub data: Option<Shared<Dataset>>,
    pub loading: Option<Loading>,
    pub live: live::State,
    pub replay: Option<replaying::State>,
    pub freeze: Freeze,
    pub mask: Mask,
    pub view: ViewId,
    pub trail: Vec<ViewId>,
    pub start: start::State,
    pub overview: overview::State,
    pub keys: keys::State,
    pub heat: heat::State,
    pub trial: trial::State,
    pub overlay: Option<Overlay>,
    pub status: Status,
    pub turn: Turn,
}

impl App {
    /// The first state and what is wanted at once.
    pub fn new(settings: Settings) -> (Self, Vec<Effect>) {
        let mut app = Self {
            keymap: settings.keymap,
            theme: settings.theme,
            theme_name: settings.theme_name,
            ceiling: settings.ceiling,
            scenarios: settings.scenarios,
            size: Size::default(),
            now: None,
            data: None,
            loading: None,
            live: live::State::every(settings.every_ms).allowing(settings.allowance),
            replay: None,
            freeze: Freeze::default(),
            mask: settings.salt.map_or(Mask::Off, |salt| Mask::on(&salt)),
            view: ViewId::Start,
            trail: Vec::new(),
            start: start::State::default(),
            overview: overview::State::default(),
            keys: keys::State::default(),
            heat: heat::State::default(),
            trial: trial::State::new(settings.documents),
            overlay: None,
            status: Status::Quiet,
            turn: Turn::default(),
        };
        let mut effects = vec![Effect::ReadRecent];
        if let Some(origin) = settings.origin {
            effects.extend(update::open(&mut app, origin));
        } else if trial::needs_no_data(&app, ViewId::Trial) {
            app.go(ViewId::Trial);
            effects.extend(trial::on_shown(&mut app));
        }
        (app, effects)
    }

    /// Shows another view and remembers the way back.
    pub fn go(&mut self, view: ViewId) {
        if self.view != view {
            self.trail.push(self.view);
            if self.trail.len() > MAX_TRAIL {
                self.trail.remove(0);
            }
            self.view = view;
        }
    }

    pub fn say(&mut self, what: impl Into<String>) {
        self.status = Status::Done(what.into());
    }

    pub fn fail(&mut self, what: impl Into<String>, next: Option<&str>) {
        self.status = Status::Failed(Fault {
            what: what.into(),
            next: next.map(str::to_owned),
        });
    }
}
