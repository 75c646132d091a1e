//! The state of the screens and the one function that changes it.
//!
//! Whatever happens outside becomes a [`Msg`](crate::ui::kit::msg::Msg); [`update::update`] changes the [`App`] and gives back the
//! [`Effect`]s that it wants done. Nothing here reads a clock, a file or the terminal.

mod frame;
mod header;
pub mod lesson;
pub mod live;
pub mod replaying;
mod screens;
#[cfg(test)]
pub mod testing;
pub mod update;

pub use screens::{cursor, draw};

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::analysis::ceiling::Ceiling;
use crate::model::lesson::Lesson;
use crate::source::scenario::ScenarioInfo;
use crate::ui::kit::command::Command;
use crate::ui::kit::cx::{Cx, Polling, Turns, Veil};
use crate::ui::kit::theme::Theme;
use crate::ui::view::design_form::{DesignForm, FormPlace};
use crate::ui::view::lesson::LessonProgress;
use crate::ui::view::{Views, help, proposals, text_pages, trial, what_now};

use crate::ui::kit::input::Size;
use crate::ui::kit::keymap::Keymap;
use crate::ui::kit::line::{Prompt, PromptPurpose};
use crate::ui::kit::masking::Mask;
use crate::ui::kit::msg::{Effect, Generation, ViewId};
use crate::work::data::{Dataset, Origin};
use crate::work::fault::WorkFault;
use crate::work::salt::Salt;
use crate::work::sample::Allowance;
use crate::work::shared::Shared;

/// Views one can go back through; nobody remembers more.
const MAX_TRAIL: usize = 32;
/// Actions that wait for the end of reading; more are not kept.
const MOST_WAITING: usize = 8;

/// What is known before anything happens.
#[derive(Clone, Debug)]
pub struct AppSettings {
    pub keymap: Keymap,
    pub theme: Theme,
    /// The theme's name among the built-in ones.
    pub theme_name: String,
    pub ceiling: Ceiling,
    pub scenarios: Vec<ScenarioInfo>,
    /// A lesson to begin with, at a step counted from 0.
    pub lesson: Option<(Shared<Lesson>, usize)>,
    /// The view that is shown first.
    pub view: ViewId,
    /// Masks from the start if given.
    pub salt: Option<Salt>,
    /// Opened at once if given.
    pub origin: Option<Origin>,
    /// Documents for trials, read when the trial view is asked for.
    pub documents: Vec<PathBuf>,
    /// Queries that trials route in place of those that the data knows.
    pub queries: Option<PathBuf>,
    /// The pause between rounds of questions to an account.
    pub every_ms: Option<u64>,
    /// What reading documents of an account may cost.
    pub allowance: Allowance,
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
    Help(help::HelpState),
    /// A text to be read: evidence, sources, how to connect.
    Paper(text_pages::TextPageState),
    /// What to do about the container that is shown.
    WhatNow(what_now::WhatNowState),
    /// Keys that were found for the container that is shown.
    Proposals(proposals::ProposalsState),
    /// What a sample of documents would cost, before anything is asked.
    Sampling,
    /// A line that is typed.
    Line(Box<Prompt>),
}

/// The line above the footer: what happened last.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Status {
    #[default]
    Quiet,
    Done(String),
    Failed(WorkFault),
}

/// Everything the screens show.
#[derive(Debug)]
pub struct App {
    /// What views may read.
    pub cx: Cx,
    pub live: live::LiveAccount,
    pub freeze: Freeze,
    pub views: Views,
    pub overlay: Option<Overlay>,
    pub status: Status,
    /// What was requested before it could be done, at most [`MOST_WAITING`] commands in their order.
    pub waiting: Vec<Command>,
    /// The workload that is to be shown once it is known.
    pub workload: Generation,
    /// The form of a design, also while it is not shown.
    pub design: Option<DesignForm>,
    /// The file of a design that is read.
    pub design_read: Generation,
    /// A lesson that was begun.
    pub lesson: Option<LessonProgress>,
    /// The lesson that is read.
    pub lesson_read: Generation,
}

impl App {
    /// The first state and what is wanted at once.
    pub fn new(settings: AppSettings) -> (Self, Vec<Effect>) {
        let mut app = Self {
            cx: Cx {
                keymap: settings.keymap,
                theme: settings.theme,
                theme_name: settings.theme_name,
                ceiling: settings.ceiling,
                scenarios: settings.scenarios,
                size: Size::default(),
                now: None,
                year: None,
                data: None,
                loading: None,
                polling: Polling {
                    every_ms: settings.every_ms,
                    allowance: settings.allowance,
                    ..Polling::default()
                },
                playback: None,
                mask: settings.salt.map_or(Mask::Off, |salt| Mask::on(&salt)),
                view: ViewId::Start,
                trail: Vec::new(),
                is_covered: false,
                change_key: None,
                groups: BTreeMap::new(),
                turns: Turns::default(),
                lesson_rows: 0,
                veil: Veil::default(),
            },
            live: live::LiveAccount::default(),
            freeze: Freeze::default(),
            views: Views {
                trial: trial::TrialState::new(settings.documents, settings.queries),
                ..Views::default()
            },
            overlay: None,
            status: Status::Quiet,
            waiting: Vec::new(),
            workload: Generation::default(),
            design: None,
            design_read: Generation::default(),
            lesson: None,
            lesson_read: Generation::default(),
        };
        let mut effects = vec![Effect::ReadRecent];
        if let Some((lesson, place)) = settings.lesson {
            effects.extend(lesson::begin(&mut app, lesson, place));
        } else if settings.view != ViewId::Start {
            app.go(settings.view);
        } else if let Some(origin) = settings.origin {
            effects.extend(update::open(&mut app, origin));
        } else if app.views.trial.needs_no_data() {
            app.go(ViewId::Trial);
            effects.extend(screens::on_shown(&mut app));
        }
        (app, effects)
    }

    /// The form, where it lies over the view.
    pub fn form(&self) -> Option<&DesignForm> {
        let form = self.design.as_ref();
        form.filter(|form| form.place == FormPlace::Shown)
    }

    /// The form where keys go to it: nothing lies over it.
    pub fn form_on_top(&mut self) -> Option<&mut DesignForm> {
        let form = self.design.as_mut().filter(|_| self.overlay.is_none());
        form.filter(|form| form.place == FormPlace::Shown)
    }

    /// Whether anything lies over the view.
    pub fn is_covered(&self) -> bool {
        self.overlay.is_some() || self.form().is_some()
    }

    /// Leaves the form, which keeps its values.
    pub fn put_form(&mut self) {
        if let Some(form) = &mut self.design {
            form.place = FormPlace::Put;
        }
    }

    /// Shows another view and remembers the way back.
    pub fn go(&mut self, view: ViewId) {
        if self.cx.view != view {
            self.cx.trail.push(self.cx.view);
            if self.cx.trail.len() > MAX_TRAIL {
                self.cx.trail.remove(0);
            }
            self.cx.view = view;
        }
    }

    /// Whether the line that is typed is a field of the trial's header, so that Tab leads to the next one.
    pub fn is_in_field(&self) -> bool {
        matches!(&self.overlay, Some(Overlay::Line(line)) if line.purpose == PromptPurpose::Command
            && line.offers.is_empty()
            && trial::field_after(&self.views.trial, &line.command_line(), 1).is_some())
    }

    /// Nothing more is to be done.
    pub fn say(&mut self, what: impl Into<String>) -> Vec<Effect> {
        self.status = Status::Done(what.into());
        Vec::new()
    }

    /// Nothing more is to be done.
    pub fn fail(&mut self, what: impl Into<String>, next: Option<&str>) -> Vec<Effect> {
        self.status = Status::Failed(WorkFault::new(what, next));
        Vec::new()
    }
}
