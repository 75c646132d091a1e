//! A lesson that guides: it puts each step on the screens by the same commands that are typed, and goes on where one left it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::update::{perform, show, typing};
use super::{App, Overlay, Status, screens};
use crate::model::lesson::{Lesson, LessonStep};
use crate::model::visible::visible;
use crate::ui::kit::action::{Action, Context};
use crate::ui::kit::cx::Veil;
use crate::ui::kit::input::Chord;
use crate::ui::kit::line::PromptPurpose;
use crate::ui::kit::msg::{Effect, Generation, ViewId};
use crate::ui::view::lesson::{Guidance, LessonPanel, LessonProgress, ReadAhead};
use crate::ui::view::overview;
use crate::work::data::{Dataset, Exported, Origin};
use crate::work::export::Export;
use crate::work::fault::WorkFault;
use crate::work::shared::Shared;
use crate::work::whole_file::IfExists;

impl App {
    /// The lesson, while it guides.
    pub fn guide(&self) -> Option<&LessonProgress> {
        let lesson = self.lesson.as_ref();
        lesson.filter(|lesson| lesson.guidance == Guidance::Guides)
    }
}

/// Begins a lesson by its name or its file.
pub fn open(app: &mut App, name: &str) -> Vec<Effect> {
    app.lesson_read = app.cx.turns.next();
    vec![Effect::ReadLesson(app.lesson_read, name.to_owned())]
}

pub fn on_read(app: &mut App, read: Result<Shared<Lesson>, WorkFault>) -> Vec<Effect> {
    match read {
        Ok(lesson) => begin(app, lesson, 0),
        Err(fault) => app.fail(fault.what, fault.next.as_deref()),
    }
}

/// Begins a lesson at a step, counted from 0.
pub fn begin(app: &mut App, lesson: Shared<Lesson>, place: usize) -> Vec<Effect> {
    app.lesson = Some(LessonProgress::new(lesson));
    enter(app, place)
}

/// To a step. What it shares with the one that is shown is not done again.
fn enter(app: &mut App, place: usize) -> Vec<Effect> {
    let mut before = Buffer::empty(app.cx.area());
    screens::draw(app, &mut before);
    let Some(progress) = &mut app.lesson else {
        return no_lesson(app);
    };
    let Some(step) = progress.lesson.steps.get(place).cloned() else {
        let last = progress.lesson.steps.len();
        return app.fail(format!("this lesson has {last} steps"), None);
    };
    let is_next = progress.place + 1 == place && progress.is_ready() && !progress.is_changed;
    let done = step.shared.filter(|_| is_next);
    let rest = step.commands.iter().skip(done.unwrap_or_default());
    progress.waiting = rest.cloned().collect();
    progress.place = place;
    progress.container = step.container.clone().filter(|_| done.is_none());
    progress.guidance = Guidance::Guides;
    (progress.is_revealed, progress.is_changed) = (false, false);
    progress.faults.clear();
    progress.held = Some(before);
    app.status = Status::Quiet;
    let mut effects = Vec::new();
    if done.is_none() {
        app.overlay = None;
        app.put_form();
        effects = fresh(app, &step);
    }
    effects.extend(go_on(app));
    effects
}

/// The scenario as it opens, with the container of the step.
fn fresh(app: &mut App, step: &LessonStep) -> Vec<Effect> {
    let origin = Origin::Scenario(step.scenario);
    let progress = app.lesson.as_mut();
    let ahead = progress.and_then(|progress| progress.ahead.take_if(|of| of.origin == origin));
    let (reading, read) = ahead.map_or((None, None), |ahead| (ahead.reading, ahead.data));
    let held = app.cx.data.clone().filter(|data| data.origin == origin);
    match (held, read) {
        (Some(data), _) => {
            app.cx.loading = None;
            app.cx.data = None;
            let before = std::mem::take(&mut app.views.trial);
            app.views.trial = before.renewed();
            let effects = show(app, data);
            app.views.trial.keep_sample(&before);
            effects
        }
        (None, Some(data)) => {
            app.cx.loading = None;
            show(app, data)
        }
        (None, None) => {
            let effects = super::update::open(app, origin);
            let loading = app.cx.loading.as_mut().zip(reading);
            // It is on its way.
            loading.map_or(effects, |(loading, reading)| {
                loading.generation = reading;
                Vec::new()
            })
        }
    }
}

/// Once the step is whole it is shown, and the scenario of the next one is read. Without a clock nothing is read ahead: a
/// picture needs its own step alone.
pub fn settled(app: &mut App) -> Vec<Effect> {
    let is_whole = app.guide().is_some_and(LessonProgress::is_ready) && !is_busy(app);
    let Some(progress) = &mut app.lesson else {
        return Vec::new();
    };
    if is_whole || matches!(app.status, Status::Failed(_)) {
        progress.held = None;
    }
    let shown = app.cx.data.as_ref().map(|data| &data.origin);
    let known = [shown, progress.ahead.as_ref().map(|ahead| &ahead.origin)];
    let next = progress.lesson.steps.get(progress.place + 1).filter(|_| is_whole);
    let next = next.filter(|_| app.cx.now.is_some()).map(|step| Origin::Scenario(step.scenario));
    let Some(origin) = next.filter(|next| !known.contains(&Some(next))) else {
        return Vec::new();
    };
    let generation = app.cx.turns.next();
    let reading = Some(generation);
    progress.ahead = Some(ReadAhead { origin: origin.clone(), reading, data: None });
    vec![Effect::Load(generation, origin)]
}

/// What was read ahead is there, or cannot be read: then its step says why.
pub fn on_ahead(
    app: &mut App,
    generation: Generation,
    data: Option<Shared<Dataset>>,
) -> Vec<Effect> {
    let ahead = app.lesson.as_mut().and_then(|progress| progress.ahead.as_mut());
    if let Some(ahead) = ahead.filter(|ahead| ahead.reading == Some(generation)) {
        (ahead.reading, ahead.data) = (None, data);
    }
    Vec::new()
}

/// Does what can be done by now of what the step shows.
pub fn go_on(app: &mut App) -> Vec<Effect> {
    let mut effects = Vec::new();
    while app.guide().is_some_and(|guide| !guide.is_ready()) && !is_busy(app) {
        let Some(progress) = &mut app.lesson else {
            break;
        };
        if let Some(name) = progress.container.take() {
            effects.extend(choose(app, &name));
            continue;
        }
        let Some(command) = progress.waiting.pop_front() else {
            break;
        };
        effects.extend(run(app, &command));
        // What a view wants for its next frame is asked for before the next command.
        effects.extend(screens::settle(app));
    }
    effects
}

fn run(app: &mut App, command: &str) -> Vec<Effect> {
    let effects = match typing::run_line(app, command) {
        Ok(effects) => effects,
        Err(what) => return fault(app, format!("{}: {what}", visible(command))),
    };
    if let Status::Failed(failed) = &app.status {
        let what = format!("{}: {}", visible(command), failed.what);
        return [effects, fault(app, what)].concat();
    }
    app.status = Status::Quiet;
    effects
}

fn fault(app: &mut App, what: String) -> Vec<Effect> {
    if let Some(progress) = &mut app.lesson {
        progress.faults.push(what.clone());
    }
    app.fail(what, None)
}

/// Whether the next command would meet something that is not there yet.
fn is_busy(app: &App) -> bool {
    let has_data = (app.lesson.as_ref()).is_some_and(|lesson| lesson.has_data(&app.cx));
    let is_typed =
        matches!(&app.overlay, Some(Overlay::Line(line)) if line.purpose == PromptPurpose::Key);
    app.cx.loading.is_some() || !has_data || is_typed || app.shown().is_waiting()
}

/// The container that a step is about is the chosen one, before the first view is opened.
fn choose(app: &mut App, name: &str) -> Vec<Effect> {
    let Some(data) = app.cx.data.clone() else {
        return Vec::new();
    };
    let mut numbered = (0_u32..).zip(&data.capture.containers);
    let wanted = numbered.find(|(_, held)| held.name.container.as_deref() == Some(name));
    let wanted = wanted.map(|(number, _)| number);
    if wanted.is_none() {
        return fault(app, format!("there is no container {}", visible(name)));
    }
    if app.cx.view != ViewId::Overview {
        return Vec::new();
    }
    let mut effects = Vec::new();
    for _ in &data.capture.containers {
        if overview::chosen_container(&app.views.overview) == wanted {
            break;
        }
        effects.extend(perform(app, Action::NextRow));
    }
    effects
}

fn no_lesson(app: &mut App) -> Vec<Effect> {
    app.fail("no lesson is open", Some(":lesson NAME opens one"))
}

/// `:step N`, counted from 1.
pub fn jump(app: &mut App, typed: &str) -> Vec<Effect> {
    match typed.parse::<usize>() {
        Ok(number @ 1..) => enter(app, number - 1),
        _ => app.fail("a step is a number from 1 on", None),
    }
}

/// What an action means while a lesson guides; None if it means something else.
pub fn act(app: &mut App, action: Action) -> Option<Vec<Effect>> {
    let is_covered = app.is_covered();
    let progress = app.lesson.as_mut()?;
    let place = progress.place;
    if progress.guidance == Guidance::Waits {
        return (action == Action::ShowLesson).then(|| enter(app, place));
    }
    Some(match action {
        // The list of all.
        Action::ShowLesson => {
            progress.guidance = Guidance::Waits;
            app.views.lessons.leave(progress);
            return None;
        }
        Action::NextStep if place + 1 == progress.lesson.steps.len() => {
            let shown = app.cx.keymap.shown(Action::ShowLesson).unwrap_or_default();
            app.say(format!("the lesson ends here; {shown} shows the others"))
        }
        Action::NextStep => enter(app, place + 1),
        Action::PreviousStep => match place.checked_sub(1) {
            Some(before) => enter(app, before),
            None => app.say("this is the first step"),
        },
        Action::Reveal => {
            if progress.step().is_none_or(|step| step.question.is_none()) {
                return Some(app.say("this step has no question"));
            }
            progress.is_revealed = !progress.is_revealed;
            Vec::new()
        }
        Action::PlayLapse if app.cx.view == ViewId::Forecast => perform(app, Action::PlayTime),
        Action::PlayLapse => app.say("this step has no time to play"),
        Action::HandOut => {
            let line = format!("hand-out cosmoscope-{}.html", progress.lesson.name);
            typing::begin(app, PromptPurpose::Command, &line)
        }
        Action::Back if !is_covered => {
            progress.guidance = Guidance::Waits;
            let shown = app.cx.keymap.shown(Action::ShowLesson).unwrap_or_default();
            app.say(format!("look around; {shown} goes on with the lesson"))
        }
        _ => return None,
    })
}

/// What a key means to a lesson that guides, before the view or what lies over it.
pub fn action(app: &App, chord: Chord) -> Option<Action> {
    let is_typed = match &app.overlay {
        Some(Overlay::Paper(state)) => state.search.is_some(),
        Some(Overlay::Help(_) | Overlay::Sampling | Overlay::Line(_)) => true,
        Some(Overlay::WhatNow(_) | Overlay::Proposals(_)) | None => false,
    };
    app.guide().filter(|_| !is_typed)?;
    app.cx.keymap.action(&[Context::Lesson], chord)
}

/// Marks what the step is about; false where the screen does not have it.
pub fn mark(app: &App, frame: &mut Buffer) -> bool {
    let above = Rect { height: app.cx.body().bottom(), ..app.cx.area() };
    app.guide().is_none_or(|guide| guide.panel.mark(frame, above))
}

/// Something else than the lesson was done: the next step begins afresh.
pub fn touch(app: &mut App) {
    if let Some(progress) = &mut app.lesson {
        progress.is_changed = true;
        progress.held = None;
    }
}

/// Writes the lesson with its pictures.
pub fn hand_out(app: &mut App, path: &str, existing: IfExists) -> Vec<Effect> {
    let Some(progress) = &app.lesson else {
        return no_lesson(app);
    };
    let export =
        Export { path: path.into(), existing, what: Exported::Lesson(progress.lesson.clone()) };
    let effect = Effect::Export(app.cx.turns.next(), export);
    app.say("the lesson is played for its pictures");
    vec![effect]
}

/// Whether verdicts are shown.
fn veil(app: &App) -> Veil {
    let asks = |lesson: &LessonProgress| {
        !lesson.is_revealed && lesson.step().is_some_and(|step| step.is_hidden)
    };
    if app.guide().is_some_and(asks) { Veil::Drawn } else { Veil::Off }
}

/// What the panel says in a window of this width.
pub fn settle(app: &mut App) {
    app.cx.veil = veil(app);
    let guide = app.guide();
    let panel = guide.map(|guide| LessonPanel::of(guide, &app.cx, &app.views));
    let height = app.cx.size.height;
    app.cx.lesson_rows = panel.as_ref().map_or(0, |panel| panel.rows(height));
    if let (Some(panel), Some(lesson)) = (panel, &mut app.lesson) {
        lesson.panel = panel;
    }
}

/// What a view may not show before the answer.
pub fn hidden(app: &mut App, action: Action) -> Option<Vec<Effect>> {
    let is_answer =
        matches!(action, Action::WhatNow | Action::Suggest | Action::Evidence | Action::Explain);
    (is_answer && app.cx.veil.is_drawn()).then(|| {
        let reveal = app.cx.keymap.shown(Action::Reveal).unwrap_or_default();
        app.say(format!("guess first; {reveal} shows the answer"))
    })
}
