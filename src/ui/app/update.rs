//! The one function that changes the state: a message in, the next state and what is to be done out.

mod designing;
mod input;
pub(super) mod typing;
pub mod waiting;

use ratatui::buffer::Buffer;

use super::{App, Freeze, Overlay, Status, lesson, live, replaying, screens};
use crate::analysis::logged_workload::LoggedWorkload;
use crate::model::near;
use crate::model::visible::{shorten, visible};
use crate::source::live::plan::Urgency;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::{Loading, ReadingGoal};
use crate::ui::kit::line::{Prompt, PromptPurpose};
use crate::ui::kit::masking::Mask;
use crate::ui::kit::msg::{Effect, Generation, Msg, ViewId, copied_text};
use crate::ui::kit::picture;
use crate::ui::kit::theme::{THEMES, Theme, name_after};
use crate::ui::view::{VIEWS, Views, help, text_pages, trial, what_now};
use crate::work::data::{Dataset, Origin, Stage};
use crate::work::fault::{WorkFault, WorkProgress};
use crate::work::queries::WorkloadAsk;
use crate::work::shared::Shared;

/// Columns of a key that is decided for in a sentence.
const LONGEST_KEY: usize = 24;

/// Changes the state and says what is to be done outside.
pub fn update(app: &mut App, msg: Msg) -> Vec<Effect> {
    let mut effects = match msg {
        Msg::Did(input) => input::on_input(app, input),
        Msg::Clock(now) => {
            app.cx.now = Some(now);
            app.cx.year = Some(now.civil().year);
            Vec::new()
        }
        Msg::Progressed(generation, progress) if is_current(app, generation) => {
            if let Some(loading) = &mut app.cx.loading {
                loading.progress = progress;
            }
            Vec::new()
        }
        Msg::Glimpsed(generation, data) => on_data(app, generation, data, Arrival::Glimpse),
        Msg::Loaded(generation, data) => on_data(app, generation, data, Arrival::Last),
        Msg::LoadFailed(generation, fault) => on_load_failed(app, generation, fault),
        Msg::Due(generation) if replaying::is_awaited(app, generation) => {
            replaying::on_due(app, generation)
        }
        Msg::Due(generation) if app.views.forecast.is_awaited(generation) => {
            app.with(|views, cx| views.forecast.on_due(cx))
        }
        Msg::Due(generation) => live::on_due(app, generation),
        Msg::Rewound(generation, answer) => replaying::on_rewound(app, generation, answer),
        Msg::Charged(ru) => {
            app.cx.polling.charged = Some(ru);
            Vec::new()
        }
        Msg::Exported(_, Ok(written)) => {
            app.views.trial.on_exported(&written.path);
            app.say(written.sentence())
        }
        Msg::Copied(Ok(text)) => app.say(copied_text(&text)),
        Msg::Exported(_, Err(fault)) | Msg::Copied(Err(fault)) | Msg::Reported(fault) => {
            app.status = Status::Failed(fault);
            Vec::new()
        }
        Msg::WorkloadFound(generation, found) if app.workload == generation => {
            show_workload(app, found.as_deref())
        }
        Msg::DesignRead(generation, read) if app.design_read == generation => {
            designing::on_read(app, read)
        }
        Msg::LessonRead(generation, read) if app.lesson_read == generation => {
            lesson::on_read(app, read)
        }
        Msg::PathsListed(generation, paths) => typing::on_paths(app, generation, &paths),
        Msg::SaltRead(Ok(salt)) => mask_on(app, Mask::on(&salt)),
        Msg::SaltRead(Err(fault)) => {
            // Whoever wanted names hidden must not go on in the belief that they are.
            app.status = Status::Failed(fault);
            Vec::new()
        }
        answer => screens::answer(app, &answer),
    };
    replaying::keep_time(app);
    effects.extend(lesson::go_on(app));
    effects.extend(waiting::act(app));
    effects.extend(live::read_first(app));
    effects.extend(live::keep_polling(app));
    effects.extend(screens::settle(app));
    effects.extend(lesson::settled(app));
    effects
}

/// Begins to read inputs; what is shown stays until they are there.
pub fn open(app: &mut App, origin: Origin) -> Vec<Effect> {
    if let Origin::Live(target) = &origin {
        return live::visit(app, target, Urgency::ByHand);
    }
    let generation = app.cx.turns.next();
    app.cx.loading = Some(Loading {
        generation,
        origin: origin.clone(),
        progress: WorkProgress::default(),
        goal: ReadingGoal::default(),
        urgency: Urgency::ByHand,
    });
    app.status = Status::Quiet;
    vec![Effect::Load(generation, origin)]
}

fn is_current(app: &App, generation: Generation) -> bool {
    app.cx.loading.as_ref().is_some_and(|l| l.generation == generation)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Arrival {
    Glimpse,
    Last,
}

fn on_data(
    app: &mut App,
    generation: Generation,
    data: Shared<Dataset>,
    arrival: Arrival,
) -> Vec<Effect> {
    if !is_current(app, generation) {
        return lesson::on_ahead(app, generation, Some(data));
    }
    let mut effects = Vec::new();
    if arrival == Arrival::Last {
        let urgency = app.cx.loading.take().map_or(Urgency::Due, |l| l.urgency);
        if let (Origin::Paths(paths), Stage::Whole | Stage::Largest { .. }) =
            (&data.origin, &data.stage)
        {
            effects.push(Effect::Remember(paths.clone()));
        }
        if let Origin::Recording(path) = &data.origin {
            effects.push(Effect::Remember(vec![path.clone()]));
        }
        if let Origin::Live(_) = &data.origin {
            live::tell_news(app, &data, urgency);
        }
        live::on_round(app, None);
    }
    // More of what is shown waits; what was opened instead of it does not.
    let is_shown = app.cx.data.as_ref().is_some_and(|held| held.origin == data.origin);
    match &mut app.freeze {
        Freeze::Held(waiting) if is_shown => {
            *waiting = Some(data);
            return effects;
        }
        freeze => *freeze = Freeze::Flowing,
    }
    effects.extend(show(app, data));
    effects
}

/// Puts data on the screen. Another opening begins at its overview; more of the same one leaves everything in its place.
pub(super) fn show(app: &mut App, data: Shared<Dataset>) -> Vec<Effect> {
    let is_other = app.cx.data.as_ref().is_none_or(|held| held.origin != data.origin);
    if let Mask::On(masker) = &mut app.cx.mask {
        masker.learn(&data.report);
    }
    replaying::on_data(app, &data);
    app.cx.data = Some(data);
    let mut typed = None;
    if is_other {
        if let Some(Overlay::Line(line)) = app.overlay.take() {
            typed = (line.purpose == PromptPurpose::Key).then_some(*line);
        }
        app.cx.trail.clear();
        app.views = Views {
            start: std::mem::take(&mut app.views.start),
            trial: app.views.trial.renewed(),
            ..Views::default()
        };
        app.put_form();
        app.cx.trail.push(ViewId::Start);
        app.cx.view = ViewId::Overview;
    }
    let mut effects = screens::on_data(app);
    // What was typed before there was anything to try it on is tried now.
    effects.extend(typed.map_or_else(Vec::new, |line| try_key(app, line)));
    effects
}

/// A failure leaves everything that is shown as it is.
fn on_load_failed(app: &mut App, generation: Generation, fault: WorkFault) -> Vec<Effect> {
    if !is_current(app, generation) {
        return lesson::on_ahead(app, generation, None);
    }
    let failed = app.cx.loading.take();
    app.waiting.clear();
    app.status = Status::Failed(live::masked(&app.cx.mask, &fault));
    if let Some(loading) = failed {
        live::on_failed(app, &loading.origin, fault);
    }
    Vec::new()
}

fn mask_on(app: &mut App, mask: Mask) -> Vec<Effect> {
    app.cx.mask = mask;
    if let (Mask::On(masker), Some(data)) = (&mut app.cx.mask, &app.cx.data) {
        masker.learn(&data.report);
    }
    screens::on_names_changed(app);
    if app.cx.mask.is_on() {
        app.say("names and keys are replaced by invented ones, exports included")
    } else {
        app.say("names and keys are shown as they are")
    }
}

/// Does what was asked for by key, click or name.
pub fn perform(app: &mut App, action: Action) -> Vec<Effect> {
    let said = std::mem::replace(&mut app.status, Status::Quiet);
    let is_closed = action == Action::Quit && app.is_covered();
    let action = if is_closed { Action::Back } else { action };
    let done = lesson::hidden(app, action)
        .or_else(|| screens::act_on_overlay(app, action))
        .or_else(|| replaying::act(app, action))
        .or_else(|| lesson::act(app, action));
    if let Some(effects) = done {
        return effects;
    }
    if waiting::is_kept(app, action) {
        return Vec::new();
    }
    match action {
        Action::Quit => quit(app, &said),
        Action::Leave => vec![Effect::Quit],
        Action::Suspend => vec![Effect::Suspend],
        Action::Redraw => vec![Effect::Redraw],
        Action::Back => back(app),
        Action::ShowTrial => show_trial(app),
        Action::TryKey => try_key(app, Prompt::new(PromptPurpose::Key, "")),
        Action::Help => {
            let mut screen = Buffer::empty(app.cx.area());
            screens::draw(app, &mut screen);
            let state = help::HelpState::on(&picture::plain(&screen));
            app.overlay = Some(Overlay::Help(state));
            Vec::new()
        }
        Action::WhatNow => what_now(app, 0),
        Action::Workload => ask_workload(app),
        Action::Design => designing::show(app),
        Action::Sources => {
            paper(app, |app| text_pages::sources(&app.cx, app.views.trial.documents()))
        }
        Action::Connect => paper(app, |app| {
            text_pages::account(&app.cx).unwrap_or_else(|| text_pages::connect(&app.cx))
        }),
        Action::Palette => typing::begin(app, PromptPurpose::Command, ""),
        Action::Open => typing::begin(app, PromptPurpose::Command, "open "),
        Action::Compare => typing::begin(app, PromptPurpose::Command, "compare "),
        Action::Scenarios => typing::begin(app, PromptPurpose::Command, "scenario "),
        Action::Export => {
            let name = app.shown().export_name();
            typing::begin(app, PromptPurpose::Command, &format!("export {name}"))
        }
        Action::Filter => {
            let held = app.shown().filter_text();
            typing::begin(app, PromptPurpose::Filter, &held)
        }
        Action::Refresh => refresh(app),
        Action::DateOrder => typing::begin(app, PromptPurpose::Command, "date-order "),
        Action::StopLoading => stop(app),
        Action::Mask => match app.cx.mask {
            Mask::Off => vec![Effect::ReadSalt],
            Mask::On(_) => mask_on(app, Mask::Off),
        },
        Action::Freeze => freeze(app),
        Action::LessonStep => typing::begin(app, PromptPurpose::Command, "step "),
        Action::Speed => typing::begin(app, PromptPurpose::Command, "speed "),
        Action::NextTheme => {
            let next = name_after(&app.cx.theme_name);
            use_theme(app, next)
        }
        _ => match VIEWS.iter().find(|view| view.action == action) {
            Some(view) => go(app, view.id),
            None => app.with_shown(|view, cx| view.act(cx, action)),
        },
    }
}

/// Leaves; where a decision is not saved only once that was said.
fn quit(app: &mut App, said: &Status) -> Vec<Effect> {
    let Some(key) = app.views.trial.unsaved() else {
        return vec![Effect::Quit];
    };
    let key = shorten(&visible(&key.to_string()), LONGEST_KEY);
    let way = [Action::ShowTrial, Action::Export].into_iter();
    let way = way.filter(|of| *of != app.cx.view.about().action);
    let way: Vec<String> = way.filter_map(|of| app.cx.keymap.shown(of)).collect();
    let (save, quit) = (way.join(" "), app.cx.keymap.shown(Action::Quit).unwrap_or_default());
    app.say(format!("decision {key} is not saved: {save} saves, {quit} again leaves"));
    if app.status == *said { vec![Effect::Quit] } else { Vec::new() }
}

/// The way to the trial view; in it, the way to documents.
fn show_trial(app: &mut App) -> Vec<Effect> {
    app.put_form();
    if trial::wants_more(&app.views.trial, &app.cx) {
        return app.with(|views, cx| trial::more_documents(&mut views.trial, cx));
    }
    go(app, ViewId::Trial)
}

/// The line of a key over the trial view; over any other view while what it is tried on is not there yet.
fn try_key(app: &mut App, line: Prompt) -> Vec<Effect> {
    app.put_form();
    let is_there =
        |app: &App| app.cx.view == ViewId::Trial || waiting::is_early(app, Action::TryKey);
    let mut effects = if is_there(app) { Vec::new() } else { go(app, ViewId::Trial) };
    if is_there(app) {
        trial::new_key(&mut app.views.trial);
        effects.extend(typing::type_in(app, line));
    }
    effects
}

/// The container of the view, else the worst one.
fn judged(app: &App) -> Option<u32> {
    app.shown().container().or_else(|| app.cx.data.as_ref()?.worst_container())
}

/// The steps for a container, at one of them.
fn what_now(app: &mut App, step: usize) -> Vec<Effect> {
    let steps = judged(app).and_then(|number| what_now::of_container(&app.cx, number, step));
    match steps {
        Some(steps) => {
            app.overlay = Some(Overlay::WhatNow(steps));
            Vec::new()
        }
        None if app.views.trial.needs_no_data() => only_documents(app, "what now"),
        None => app.fail("nothing is open that could be judged", None),
    }
}

/// The steps with a resource group, if one was typed, and what is copied of one of them.
fn copy_step(app: &mut App, step: usize, group: &str) -> Vec<Effect> {
    let data = app.cx.data.as_ref();
    let container = judged(app).and_then(|number| data?.capture.container(number));
    if let Some(container) = container.filter(|_| !group.is_empty()) {
        app.cx.groups.insert(container.name.identity().account, group.to_owned());
    }
    let mut effects = what_now(app, step);
    if let Some(Overlay::WhatNow(state)) = &app.overlay {
        effects.extend(state.copied());
    }
    effects
}

fn use_theme(app: &mut App, name: &str) -> Vec<Effect> {
    match Theme::named(name, app.cx.theme.colours, app.cx.theme.glyphs) {
        Some(theme) => {
            app.cx.theme = theme;
            name.clone_into(&mut app.cx.theme_name);
            app.say(format!("theme {name}"))
        }
        None => app.fail(
            near::unknown(
                &format!("there is no theme {}", visible(name)),
                name,
                THEMES.iter().map(|(known, _)| *known),
            ),
            Some("they are dark, light and colour-blind"),
        ),
    }
}

fn paper(app: &mut App, write: fn(&App) -> text_pages::TextPageState) -> Vec<Effect> {
    app.overlay = Some(Overlay::Paper(write(app)));
    Vec::new()
}

/// Of the container of the view, else of the worst one.
fn ask_workload(app: &mut App) -> Vec<Effect> {
    let Some(data) = app.cx.data.clone() else {
        return app.fail("nothing is open whose requests could be counted", None);
    };
    let Some(container) = judged(app) else {
        return app.fail("no container is open", None);
    };
    app.workload = app.cx.turns.next();
    vec![Effect::Workload(app.workload, WorkloadAsk { data, container })]
}

fn show_workload(app: &mut App, found: Option<&LoggedWorkload>) -> Vec<Effect> {
    let Some(found) = found else {
        let next = "add CDBDataPlaneRequests or CDBPartitionKeyRUConsumption to what is opened";
        return app.fail("no requests of this container are logged", Some(next));
    };
    let data = app.cx.data.as_ref();
    let price = data.and_then(|data| data.thresholds.price.clone());
    let page = text_pages::workload(found, price, &app.cx);
    app.overlay = Some(Overlay::Paper(page));
    Vec::new()
}

/// Of documents alone only the trial can tell.
fn only_documents(app: &mut App, view: &str) -> Vec<Effect> {
    let open = app.cx.keymap.shown(Action::Open).unwrap_or_default();
    let next = format!("{open} opens an export of these, a file or a folder");
    let what = format!("{view}: only documents are open; key sizes, RU logs or metrics are needed");
    app.fail(what, Some(&next))
}

fn go(app: &mut App, view: ViewId) -> Vec<Effect> {
    let needs_nothing = matches!(view, ViewId::Start | ViewId::Lesson);
    if !needs_nothing
        && app.cx.data.is_none()
        && !(view == ViewId::Trial && app.views.trial.needs_no_data())
    {
        if app.cx.view == ViewId::Trial {
            return only_documents(app, view.about().name);
        }
        let way = |action, does: &str| Some(format!("{} {does}", app.cx.keymap.shown(action)?));
        let ways = [
            way(Action::Enter, "opens the chosen scenario or file"),
            way(Action::Open, "opens a path"),
        ];
        let ways: Vec<String> = ways.into_iter().flatten().collect();
        return app.fail("nothing is open yet", Some(&ways.join("; ")));
    }
    app.overlay = None;
    app.put_form();
    app.go(view);
    screens::on_shown(app)
}

fn back(app: &mut App) -> Vec<Effect> {
    if app.overlay.take().is_some() {
        return Vec::new();
    }
    if app.waiting.drain(..).count() > 0 {
        return app.say("no key waits any more");
    }
    if let Some(effects) = step_back(app) {
        return effects;
    }
    if live::is_waited_for(app) {
        return stop(app);
    }
    if let Some(view) = app.cx.trail.pop() {
        app.cx.view = view;
        return screens::on_shown(app);
    }
    let quit = app.cx.keymap.shown(Action::Quit).unwrap_or_default();
    app.say(format!("there is nothing to go back to; {quit} leaves"))
}

/// A step back inside the view, if there is one.
fn step_back(app: &mut App) -> Option<Vec<Effect>> {
    let view = app.views.one_mut(app.cx.view);
    let effects = view.step_back(&app.cx)?;
    Some(app.with(|_, _| effects))
}

fn refresh(app: &mut App) -> Vec<Effect> {
    let origin = app.cx.data.as_ref().map(|data| data.origin.clone());
    if let Some(origin) = origin {
        return open(app, origin);
    }
    if let Some(effects) = live::try_again(app) {
        return effects;
    }
    app.fail("nothing is open that could be read again", None)
}

fn stop(app: &mut App) -> Vec<Effect> {
    let Some(loading) = &mut app.cx.loading else {
        if trial::is_busy(&app.views.trial) {
            return app.with(|views, _| trial::stop(&mut views.trial));
        }
        return app.say("nothing is being read");
    };
    loading.goal = ReadingGoal::Stop;
    // What was read by now arrives as the last of it.
    vec![Effect::StopLoading]
}

fn freeze(app: &mut App) -> Vec<Effect> {
    match std::mem::take(&mut app.freeze) {
        Freeze::Flowing => {
            app.freeze = Freeze::Held(None);
            Vec::new()
        }
        Freeze::Held(waiting) => waiting.map_or_else(Vec::new, |data| show(app, data)),
    }
}

#[cfg(test)]
mod tests;
