//! The views as the app has them: what they are lent, what they want done on the screen, what is drawn over them.

use ratatui::buffer::Buffer;

use super::{App, Overlay, Status, frame, header, lesson, update};
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::{Cx, SMALLEST};
use crate::ui::kit::line::Typing;
use crate::ui::kit::msg::{Destination, Effect, Msg, OnScreen, ViewId};
use crate::ui::view::{
    OtherViews, View, Views, design_form, heat, help, keys, overview, prompt, proposals, replaying,
    text_pages, trial, what_now,
};
use crate::work::data::Origin;
use crate::work::export::Export;
use crate::work::whole_file::IfExists;

impl App {
    /// Lends the views what they may read, and does what they want on the screen. What is left is to be done outside.
    pub(super) fn with(
        &mut self,
        call: impl FnOnce(&mut Views, &Cx) -> Vec<Effect>,
    ) -> Vec<Effect> {
        self.cx.is_covered = self.is_covered();
        self.cx.change_key = self.views.trial.change_key();
        let effects = call(&mut self.views, &self.cx);
        apply(self, effects)
    }

    /// The same with the view that is shown.
    pub(super) fn with_shown(
        &mut self,
        call: impl FnOnce(&mut dyn View, &Cx) -> Vec<Effect>,
    ) -> Vec<Effect> {
        self.with(|views, cx| call(views.one_mut(cx.view), cx))
    }

    pub(super) fn shown(&self) -> &dyn View {
        self.views.one(self.cx.view)
    }
}

/// Does what views want on the screen; gives back the rest.
fn apply(app: &mut App, effects: Vec<Effect>) -> Vec<Effect> {
    let mut outside = Vec::new();
    for effect in effects {
        let Effect::OnScreen(wanted) = effect else {
            outside.push(effect);
            continue;
        };
        match wanted {
            OnScreen::Say(what) => app.status = Status::Done(what),
            OnScreen::Fail(fault) => app.status = Status::Failed(fault),
            OnScreen::Read(title, lines) => {
                app.overlay = Some(Overlay::Paper(text_pages::TextPageState::new(title, lines)));
            }
            OnScreen::ReadReport(title, lines) => {
                let page = text_pages::TextPageState::report(title, lines);
                app.overlay = Some(Overlay::Paper(page));
            }
            OnScreen::Propose(found) => {
                let chosen = trial::chosen_key(&app.views.trial);
                let list = proposals::ProposalsState::of(&found, chosen);
                app.overlay = list.map(Overlay::Proposals);
            }
            OnScreen::Type(line) => app.overlay = Some(Overlay::Line(line)),
            OnScreen::AskForSample => app.overlay = Some(Overlay::Sampling),
            OnScreen::Go(target) => outside.extend(go(app, &target)),
            // A scenario that is open is the same again.
            OnScreen::Open(Origin::Scenario(name)) if is_open(app, name) => {
                outside.extend(update::perform(app, Action::ShowOverview));
            }
            OnScreen::Open(origin) => outside.extend(update::open(app, origin)),
            OnScreen::Learn(name) => outside.extend(lesson::open(app, &name)),
            OnScreen::Do(action) => outside.extend(update::perform(app, action)),
        }
    }
    outside
}

fn is_open(app: &App, name: &str) -> bool {
    let data = app.cx.data.as_ref();
    data.is_some_and(|data| matches!(data.origin, Origin::Scenario(held) if held == name))
}

fn go(app: &mut App, target: &Destination) -> Vec<Effect> {
    if target.view == ViewId::Heat {
        heat::choosing::open(&mut app.views.heat, &app.cx, target.container);
        app.go(target.view);
        return Vec::new();
    }
    let opened = keys::open(&mut app.views.keys, &app.cx, target);
    if opened.is_ok() {
        app.go(target.view);
    }
    app.with(|_, _| opened.unwrap_or_else(|refusal| refusal))
}

/// A view comes up.
pub fn on_shown(app: &mut App) -> Vec<Effect> {
    let views = &app.views;
    let comes_from_keys = app.cx.trail.last() == Some(&ViewId::Keys);
    let others = OtherViews {
        overview: overview::chosen_container(&views.overview),
        keys: views.keys.container,
        heat: views.heat.container(),
        forecast: views.forecast.container(),
        tried: views.trial.tried(&app.cx),
        is_first: views.overview.cursor.chosen == 0,
        is_key: keys::is_chosen(&views.keys),
        partition: comes_from_keys.then(|| keys::partition_of_chosen(&views.keys)).flatten(),
    };
    app.with_shown(|view, cx| view.on_shown(cx, &others))
}

/// Makes what the next frame shows, after every message.
pub fn settle(app: &mut App) -> Vec<Effect> {
    lesson::settle(app);
    let body = app.cx.body();
    match &mut app.overlay {
        Some(Overlay::Help(state)) => help::settle(state, &app.cx, body),
        Some(Overlay::Paper(state)) => text_pages::settle(state, &app.cx, body),
        Some(Overlay::WhatNow(state)) => what_now::settle(state, &app.cx, body),
        Some(Overlay::Proposals(state)) => proposals::settle(state, &app.cx, body),
        Some(Overlay::Sampling | Overlay::Line(_)) | None => {}
    }
    if let Some(form) = &mut app.design {
        design_form::settle(form, &app.cx, body);
    }
    let mut effects = Vec::new();
    if app.cx.view == ViewId::Heat && app.views.heat.container().is_none() {
        effects = on_shown(app);
    }
    effects.extend(app.with_shown(|view, cx| view.settle(cx, body)));
    effects
}

/// What came of what a view asked for.
pub fn answer(app: &mut App, msg: &Msg) -> Vec<Effect> {
    app.with(|views, cx| {
        let views = views.all_mut().into_iter();
        views.flat_map(|view| view.answer(cx, msg)).collect()
    })
}

/// Other data is there, or more of the same.
pub fn on_data(app: &mut App) -> Vec<Effect> {
    app.with(|views, cx| {
        let views = views.all_mut().into_iter();
        views.flat_map(|view| view.on_data(cx)).collect()
    })
}

/// Names are masked from now on, or no more.
pub fn on_names_changed(app: &mut App) {
    // It was written with the names as they were.
    if matches!(app.overlay, Some(Overlay::Paper(_) | Overlay::WhatNow(_) | Overlay::Proposals(_)))
    {
        app.overlay = None;
    }
    for view in app.views.all_mut() {
        view.on_names_changed(&app.cx);
    }
}

/// What an action means to what lies over the view; None if it means something else.
pub fn act_on_overlay(app: &mut App, action: Action) -> Option<Vec<Effect>> {
    let body = app.cx.body();
    let is_list = matches!(app.overlay, Some(Overlay::WhatNow(_) | Overlay::Proposals(_)));
    if action == Action::Filter && is_list {
        // The view below would open its own line over the list.
        app.fail("this list has no filter", Some("Esc closes it"));
        return Some(Vec::new());
    }
    match &mut app.overlay {
        Some(Overlay::Help(_)) if action == Action::Help => Some(closed(app)),
        Some(Overlay::Help(state)) => help::act(state, action, body),
        Some(Overlay::Paper(_)) if action == Action::Enter => Some(closed(app)),
        Some(Overlay::Paper(state)) => text_pages::act(state, action),
        Some(Overlay::WhatNow(_)) if action == Action::WhatNow => Some(closed(app)),
        Some(Overlay::WhatNow(_)) if action == Action::Help => {
            app.overlay = Some(Overlay::Help(help::HelpState::of("what now")));
            Some(Vec::new())
        }
        Some(Overlay::WhatNow(state)) => {
            what_now::act(state, &app.cx, action).map(|effects| app.with(|_, _| effects))
        }
        Some(Overlay::Proposals(state)) if action == Action::Enter => {
            let key = state.key().cloned();
            app.overlay = None;
            let show = |views: &mut Views, cx: &Cx| {
                key.map_or_else(Vec::new, |key| trial::show(&mut views.trial, cx, &key))
            };
            Some(app.with(show))
        }
        Some(Overlay::Proposals(state)) => proposals::act(state, action, body),
        Some(Overlay::Sampling) => action.is_of_rows().then(Vec::new),
        None => {
            design_form::act(app.form_on_top()?, action).map(|effects| app.with(|_, _| effects))
        }
        Some(Overlay::Line(_)) => None,
    }
}

fn closed(app: &mut App) -> Vec<Effect> {
    app.overlay = None;
    Vec::new()
}

/// Narrows the rows of the view that is shown.
pub fn set_filter(app: &mut App, text: &str, typing: Typing) -> Vec<Effect> {
    app.with_shown(|view, cx| view.set_filter(cx, text, typing))
}

/// Writes what the view shows to a file.
pub fn export(app: &mut App, path: &str, existing: IfExists) -> Vec<Effect> {
    match app.shown().exported(&app.cx) {
        Ok(what) => {
            let path = path.into();
            let export = Export { path, existing, what };
            vec![Effect::Export(app.cx.turns.next(), export)]
        }
        Err(why) => app.fail(why, None),
    }
}

/// Draws everything into a buffer that begins at the window's first cell.
pub fn draw(app: &App, buffer: &mut Buffer) {
    let (area, cx) = (buffer.area, &app.cx);
    if cx.is_small() || area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        frame::too_small(cx, area, buffer);
        return;
    }
    let parts = cx.parts(area);
    header::draw(app, parts.title, buffer);
    app.shown().draw(cx, parts.body, buffer);
    if let Some(form) = app.form() {
        design_form::draw(form, cx, parts.body, buffer);
    }
    match &app.overlay {
        None => {}
        Some(Overlay::Help(state)) => help::draw(state, cx, parts.body, buffer),
        Some(Overlay::Paper(state)) => text_pages::draw(state, cx, buffer),
        Some(Overlay::WhatNow(state)) => what_now::draw(state, cx, parts.body, buffer),
        Some(Overlay::Proposals(state)) => proposals::draw(state, cx, parts.body, buffer),
        Some(Overlay::Sampling) => app.views.trial.draw_dialog(cx, parts.body, buffer),
        Some(Overlay::Line(line)) => prompt::draw_offers(&cx.theme, line, parts.body, buffer),
    }
    let held = app.guide().and_then(|guide| guide.held.as_ref());
    if let Some(guide) = app.guide().filter(|_| held.is_none()) {
        guide.panel.draw(cx, parts.lesson, buffer);
        lesson::mark(app, buffer);
    }
    replaying::draw(cx, parts.scrubber, buffer);
    if let Some(held) = held.filter(|held| held.area == area) {
        let rows = usize::from(area.width) * usize::from(parts.status.y);
        let cells = buffer.content.iter_mut().zip(&held.content).take(rows);
        cells.for_each(|(cell, held)| cell.clone_from(held));
    }
    frame::status(app, parts.status, buffer);
    frame::footer(app, parts.footer, buffer);
}

/// Where the cursor of a typed line stands; nowhere else is a cursor shown.
pub fn cursor(app: &App) -> Option<(u16, u16)> {
    match &app.overlay {
        Some(Overlay::Line(line)) if !app.cx.is_small() => {
            let status = app.cx.parts(app.cx.area()).status;
            Some(prompt::cursor(line, status, app.cx.theme.glyphs))
        }
        _ => None,
    }
}
