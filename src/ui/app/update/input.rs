//! What keys, pasted text and the pointer do, by what they meet.

use super::{perform, typing, waiting};
use crate::model::visible::visible;
use crate::ui::app::{App, Overlay, Status, frame, lesson, replaying};
use crate::ui::kit::action::{Action, Context};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::input::{Chord, InputEvent, MouseAct, Pointer};
use crate::ui::kit::line::LineChange;
use crate::ui::kit::msg::Effect;
use crate::ui::view::trial::KeyEffect;
use crate::ui::view::{
    Hit, View, design_form, help, prompt, replaying as scrubber, text_pages, trial,
};

pub(super) fn on_input(app: &mut App, input: InputEvent) -> Vec<Effect> {
    if let InputEvent::Key(chord) = input
        && let Some(action) = lesson::action(app, chord)
    {
        return perform(app, action);
    }
    if !matches!(input, InputEvent::Resized(_) | InputEvent::Resumed) {
        lesson::touch(app);
    }
    match input {
        InputEvent::Key(chord) => on_key(app, chord),
        InputEvent::Paste(text) => on_paste(app, &text),
        InputEvent::Pointer(pointer) => on_pointer(app, pointer),
        InputEvent::Resized(size) => {
            app.cx.size = size;
            vec![Effect::Redraw]
        }
        InputEvent::Resumed => vec![Effect::Redraw],
    }
}

fn on_key(app: &mut App, chord: Chord) -> Vec<Effect> {
    if let Some(Overlay::Line(line)) = &mut app.overlay {
        if let Some(action) = app.cx.keymap.action(&[Context::Prompt], chord) {
            return typing::act(app, action);
        }
        let Some(c) = chord.typed() else {
            return Vec::new();
        };
        let edited = line.insert(c);
        return typing::on_edited(app, edited);
    }
    if let Some(Overlay::Help(state)) = &mut app.overlay
        && help::on_chord(state, &app.cx.keymap, chord)
    {
        return Vec::new();
    }
    if let Some(Overlay::Paper(state)) = &mut app.overlay
        && text_pages::on_chord(state, &app.cx.keymap, chord)
    {
        return Vec::new();
    }
    if app.overlay == Some(Overlay::Sampling) {
        match trial::on_dialog_key(&mut app.views.trial, chord) {
            KeyEffect::Begin => {
                app.overlay = None;
                return app.with(|views, cx| trial::begin_sample(&mut views.trial, cx));
            }
            KeyEffect::Taken => return Vec::new(),
            KeyEffect::Other => {}
        }
    }
    if app.form_on_top().is_some() {
        let form = app.design.as_mut();
        let done = form.and_then(|form| design_form::on_chord(form, &app.cx, chord));
        if let Some(effects) = done {
            app.status = Status::Quiet;
            return app.with(|_, _| effects);
        }
    }
    let replay = app.cx.playback.as_ref().map(|_| Context::Replay);
    let own = app.cx.view.about().context;
    let own = own.filter(|_| !app.is_covered());
    let contexts = replay.into_iter().chain(own);
    let contexts: Vec<Context> = contexts.chain([Context::List, Context::Global]).collect();
    if let Some(action) = app.cx.keymap.action(&contexts, chord) {
        return perform(app, action);
    }
    let later = waiting::view(app).and_then(|view| app.cx.keymap.action(&[view.context?], chord));
    if later.is_some_and(|action| waiting::keep(app, action, "")) {
        return Vec::new();
    }
    if let Some(c) = chord.typed() {
        let known = app.cx.keymap.shown(Action::Help).unwrap_or_default();
        app.fail(
            format!("{} does nothing here", visible(&c.to_string())),
            Some(&format!("{known} shows what every key does")),
        );
    }
    Vec::new()
}

fn on_paste(app: &mut App, text: &str) -> Vec<Effect> {
    if app.overlay == Some(Overlay::Sampling) && trial::on_dialog_paste(&mut app.views.trial, text)
    {
        return Vec::new();
    }
    let Some(Overlay::Line(line)) = &mut app.overlay else {
        return app.fail(
            "pasted text is taken only where a line is typed",
            Some("/ begins a filter, : a command"),
        );
    };
    let edited = line.paste(text);
    typing::on_edited(app, edited)
}

fn on_pointer(app: &mut App, pointer: Pointer) -> Vec<Effect> {
    match pointer.did {
        MouseAct::WheelUp => wheel(app, Action::PreviousRow),
        MouseAct::WheelDown => wheel(app, Action::NextRow),
        MouseAct::ZoomIn => wheel_zoom(app, pointer, Action::ZoomIn),
        MouseAct::ZoomOut => wheel_zoom(app, pointer, Action::ZoomOut),
        MouseAct::Drag => drag(app, pointer),
        MouseAct::Release => release(app),
        MouseAct::Click => match hit(app, pointer.column, pointer.row) {
            Some(Hit::Action(action)) => perform(app, action),
            Some(Hit::Offer(at)) => {
                if let Some(Overlay::Line(line)) = &mut app.overlay {
                    line.chosen = at.checked_sub(1);
                    line.choose(1);
                }
                typing::on_edited(app, LineChange::Text)
            }
            Some(Hit::Moment(place)) => replaying::to(app, place),
            Some(hit) => app.with_shown(|view, cx| view.click(cx, hit)),
            None => Vec::new(),
        },
    }
}

/// Rows that one notch of the wheel moves.
const WHEEL_ROWS: usize = 3;

fn wheel(app: &mut App, action: Action) -> Vec<Effect> {
    if matches!(app.overlay, Some(Overlay::Line(_))) {
        return Vec::new();
    }
    let steps = (0..WHEEL_ROWS).flat_map(|_| perform(app, action));
    steps.collect()
}

/// What lies under the pointer.
fn hit(app: &App, column: u16, row: u16) -> Option<Hit> {
    let cx = &app.cx;
    if cx.is_small() {
        return None;
    }
    let parts = cx.parts(cx.area());
    if row == parts.footer.y {
        return frame::footer_hit(app, parts.footer, column).map(Hit::Action);
    }
    if parts.scrubber.height > 0 && row == parts.scrubber.y && !app.is_covered() {
        return scrubber::place_at(cx, parts.scrubber, column).map(Hit::Moment);
    }
    match &app.overlay {
        Some(Overlay::Line(line)) => prompt::hit(line, parts.body, column, row).map(Hit::Offer),
        Some(_) => None,
        None if app.form().is_some() => None,
        None => app.shown().hit(cx, parts.body, column, row),
    }
}

/// Runs `then` on the view unless something covers it.
fn on_view(app: &mut App, then: impl FnOnce(&mut dyn View, &Cx) -> Vec<Effect>) -> Vec<Effect> {
    if app.is_covered() || app.cx.is_small() {
        return Vec::new();
    }
    app.with_shown(then)
}

/// The pointer moves with its button held: a span of time is chosen.
fn drag(app: &mut App, pointer: Pointer) -> Vec<Effect> {
    on_view(app, |view, cx| {
        view.drag(cx, cx.body(), pointer);
        Vec::new()
    })
}

/// The button is let go.
fn release(app: &mut App) -> Vec<Effect> {
    on_view(app, |view, cx| view.release(cx))
}

/// The wheel with Ctrl zooms around the cell under the pointer.
fn wheel_zoom(app: &mut App, pointer: Pointer, action: Action) -> Vec<Effect> {
    on_view(app, |view, cx| {
        if view.point_at(cx, cx.body(), pointer) { view.act(cx, action) } else { Vec::new() }
    })
}
