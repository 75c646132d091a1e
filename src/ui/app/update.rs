//! The one function that changes the state: a message in, the next state and what is to be done out.

mod typing;

use super::{App, Freeze, Loading, Overlay, Status, Wish, live, replaying};
use crate::model::units::count_text;
use crate::model::visible::visible;
use crate::source::live::plan::Urgency;
use crate::ui::kit::action::{Action, Context};
use crate::ui::kit::input::{Chord, Did, Input, Pointer};
use crate::ui::kit::line::{Edited, Purpose};
use crate::ui::kit::masking::Mask;
use crate::ui::kit::msg::{Effect, Msg, Turn};
use crate::ui::kit::theme::{Theme, name_after};
use crate::ui::view;
use crate::ui::view::{Hit, ViewId, papers};
use crate::work::data::{Dataset, Origin, Stage};
use crate::work::fault::{Fault, Progress};
use crate::work::shared::Shared;

/// Changes the state and says what is to be done outside.
pub fn update(app: &mut App, msg: Msg) -> Vec<Effect> {
    let mut effects = match msg {
        Msg::Did(input) => on_input(app, input),
        Msg::Clock(now) => {
            app.now = Some(now);
            Vec::new()
        }
        Msg::Progressed(turn, progress) => on_progress(app, turn, progress),
        Msg::Glimpsed(turn, data) => on_data(app, turn, data, Arrival::Glimpse),
        Msg::Loaded(turn, data) => on_data(app, turn, data, Arrival::Last),
        Msg::LoadFailed(turn, fault) => on_load_failed(app, turn, fault),
        Msg::Due(turn) if replaying::is_awaited(app, turn) => replaying::on_due(app, turn),
        Msg::Due(turn) => live::on_due(app, turn),
        Msg::Rewound(turn, answer) => replaying::on_rewound(app, turn, answer),
        Msg::Arranged(turn, arranged) => view::keys::on_arranged(app, turn, arranged),
        Msg::Grown(turn, grown) => view::keys::on_grown(app, turn, grown),
        Msg::Sampled(turn, sampled) => view::trial::on_sampled(app, turn, sampled),
        Msg::Metered(turn, meter) => {
            view::trial::on_metered(app, turn, meter);
            Vec::new()
        }
        Msg::Charged(ru) => live::on_charged(app, ru),
        Msg::Found(turn, found) => view::trial::on_found(app, turn, &found),
        Msg::Tried(turn, tried) => {
            view::trial::on_tried(app, turn, &tried);
            Vec::new()
        }
        Msg::Untold(turn, untold) => {
            view::trial::on_untold(app, turn, &untold);
            Vec::new()
        }
        Msg::LookedAt(turn, told) => view::trial::on_looked(app, turn, told),
        Msg::Exported(_, Ok(written)) => {
            app.say(written.sentence());
            Vec::new()
        }
        Msg::Copied(Ok(characters)) => {
            let characters = u64::try_from(characters).unwrap_or(u64::MAX);
            app.say(format!(
                "{} characters handed to the terminal's clipboard",
                count_text(characters)
            ));
            Vec::new()
        }
        Msg::Exported(_, Err(fault)) | Msg::Copied(Err(fault)) | Msg::Told(fault) => {
            app.status = Status::Failed(fault);
            Vec::new()
        }
        Msg::PathsListed(turn, paths) => typing::on_paths(app, turn, &paths),
        Msg::RecentRead(paths) => {
            app.start.recent = paths;
            Vec::new()
        }
        Msg::SaltRead(Ok(salt)) => {
            mask_on(app, Mask::on(&salt));
            Vec::new()
        }
        Msg::SaltRead(Err(fault)) => {
            // Whoever wanted names hidden must not go on in the belief that they are.
            app.status = Status::Failed(fault);
            Vec::new()
        }
    };
    replaying::keep_time(app);
    effects.extend(live::keep_polling(app));
    effects.extend(view::settle(app));
    effects
}

/// Begins to read inputs; what is shown stays until they are there.
pub fn open(app: &mut App, origin: Origin) -> Vec<Effect> {
    if let Origin::Live(target) = &origin {
        return live::visit(app, target, Urgency::ByHand);
    }
    let turn = app.turn.advance();
    app.loading = Some(Loading {
        turn,
        origin: origin.clone(),
        progress: Progress::default(),
        wish: Wish::default(),
        then: None,
        urgency: Urgency::ByHand,
    });
    app.status = Status::Quiet;
    vec![Effect::Load(turn, origin)]
}

fn is_current(app: &App, turn: Turn) -> bool {
    app.loading.as_ref().is_some_and(|l| l.turn == turn)
}

fn on_progress(app: &mut App, turn: Turn, progress: Progress) -> Vec<Effect> {
    if let Some(loading) = app.loading.as_mut().filter(|l| l.turn == turn) {
        loading.progress = progress;
    } else {
        view::trial::on_progress(app, turn, progress);
    }
    Vec::new()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Arrival {
    Glimpse,
    Last,
}

fn on_data(app: &mut App, turn: Turn, data: Shared<Dataset>, arrival: Arrival) -> Vec<Effect> {
    if !is_current(app, turn) {
        return Vec::new();
    }
    let mut effects = Vec::new();
    let then = app.loading.as_mut().and_then(|loading| loading.then.take());
    if arrival == Arrival::Last {
        let urgency = app.loading.take().map_or(Urgency::Due, |l| l.urgency);
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
    let is_shown = app
        .data
        .as_ref()
        .is_some_and(|held| held.origin == data.origin);
    match &mut app.freeze {
        Freeze::Held(waiting) if is_shown => {
            *waiting = Some(data);
            return effects;
        }
        freeze => *freeze = Freeze::Flowing,
    }
    effects.extend(show(app, data));
    if let Some(view) = then {
        if app.status == Status::Done(promise(view)) {
            app.status = Status::Quiet;
        }
        effects.extend(go(app, view));
    }
    effects
}

/// Puts data on the screen. Another opening begins at its overview; more of the same one leaves everything in its place.
pub(super) fn show(app: &mut App, data: Shared<Dataset>) -> Vec<Effect> {
    let is_other = app
        .data
        .as_ref()
        .is_none_or(|held| held.origin != data.origin);
    if let Mask::On(masker) = &mut app.mask {
        masker.learn(&data.report);
    }
    replaying::on_data(app, &data);
    app.data = Some(data);
    if is_other {
        app.trail.clear();
        app.keys = view::keys::State::default();
        app.heat = view::heat::State::default();
        app.trial = app.trial.renewed();
        app.overview = view::overview::State::default();
        app.overlay = None;
        app.trail.push(ViewId::Start);
        app.view = ViewId::Overview;
    }
    view::on_data(app)
}

/// A failure leaves everything that is shown as it is.
fn on_load_failed(app: &mut App, turn: Turn, fault: Fault) -> Vec<Effect> {
    if !is_current(app, turn) {
        return Vec::new();
    }
    let failed = app.loading.take();
    app.status = Status::Failed(live::masked(&app.mask, &fault));
    if let Some(loading) = failed {
        live::on_failed(app, &loading.origin, fault);
    }
    Vec::new()
}

fn mask_on(app: &mut App, mask: Mask) {
    app.mask = mask;
    if let (Mask::On(masker), Some(data)) = (&mut app.mask, &app.data) {
        masker.learn(&data.report);
    }
    view::on_names_changed(app);
    if app.mask.is_on() {
        app.say("names and keys are replaced by invented ones, exports included");
    } else {
        app.say("names and keys are shown as they are");
    }
}

fn on_input(app: &mut App, input: Input) -> Vec<Effect> {
    match input {
        Input::Key(chord) => on_key(app, chord),
        Input::Paste(text) => on_paste(app, &text),
        Input::Pointer(pointer) => on_pointer(app, pointer),
        Input::Resized(size) => {
            app.size = size;
            vec![Effect::Redraw]
        }
        Input::Resumed => vec![Effect::Redraw],
    }
}

fn on_key(app: &mut App, chord: Chord) -> Vec<Effect> {
    if let Some(Overlay::Line(line)) = &mut app.overlay {
        if let Some(action) = app.keymap.action(&[Context::Prompt], chord) {
            return typing::act(app, action);
        }
        let Some(c) = chord.typed() else {
            return Vec::new();
        };
        let edited = line.insert(c);
        return typing::on_edited(app, edited);
    }
    if let Some(effects) = view::trial::on_dialog_key(app, chord) {
        return effects;
    }
    let mut contexts = match (&app.overlay, app.view) {
        (None, ViewId::Keys) => &[Context::Keys, Context::List, Context::Global][..],
        (None, ViewId::Heat) => &[Context::Heat, Context::List, Context::Global][..],
        (None, ViewId::Trial) => &[Context::Trial, Context::List, Context::Global][..],
        _ => &[Context::List, Context::Global][..],
    }
    .to_vec();
    if app.replay.is_some() {
        contexts.insert(0, Context::Replay);
    }
    if let Some(action) = app.keymap.action(&contexts, chord) {
        return perform(app, action);
    }
    if let Some(c) = chord.typed() {
        let known = app.keymap.shown(Action::Help).unwrap_or_default();
        app.fail(
            format!("{} does nothing here", visible(&c.to_string())),
            Some(&format!("{known} tells what every key does")),
        );
    }
    Vec::new()
}

fn on_paste(app: &mut App, text: &str) -> Vec<Effect> {
    if view::trial::on_dialog_paste(app, text) {
        return Vec::new();
    }
    let Some(Overlay::Line(line)) = &mut app.overlay else {
        app.fail(
            "pasted text is taken only where a line is typed",
            Some("/ begins a filter, : a command"),
        );
        return Vec::new();
    };
    let edited = line.paste(text);
    typing::on_edited(app, edited)
}

fn on_pointer(app: &mut App, pointer: Pointer) -> Vec<Effect> {
    match pointer.did {
        Did::WheelUp => wheel(app, Action::PreviousRow),
        Did::WheelDown => wheel(app, Action::NextRow),
        Did::ZoomIn => view::wheel_zoom(app, pointer, Action::ZoomIn),
        Did::ZoomOut => view::wheel_zoom(app, pointer, Action::ZoomOut),
        Did::Drag => view::drag(app, pointer),
        Did::Release => view::release(app, pointer),
        Did::Click => match view::hit(app, pointer.column, pointer.row) {
            Some(Hit::Action(action)) => perform(app, action),
            Some(Hit::Offer(at)) => {
                if let Some(Overlay::Line(line)) = &mut app.overlay {
                    line.chosen = at.checked_sub(1);
                    line.choose(1);
                }
                typing::on_edited(app, Edited::Text)
            }
            Some(Hit::Row(row)) => view::click(app, row),
            Some(Hit::Path(place)) => view::trial::click_path(app, place),
            Some(Hit::Spot(spot)) => view::heat::click(app, spot),
            Some(Hit::Moment(place)) => replaying::to(app, place),
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

/// Does what was asked for by key, click or name.
pub fn perform(app: &mut App, action: Action) -> Vec<Effect> {
    app.status = Status::Quiet;
    let done = view::act_on_overlay(app, action).or_else(|| replaying::act(app, action));
    if let Some(effects) = done {
        return effects;
    }
    match action {
        Action::Quit => vec![Effect::Quit],
        Action::Suspend => vec![Effect::Suspend],
        Action::Redraw => vec![Effect::Redraw],
        Action::Back => back(app),
        Action::ShowStart => go(app, ViewId::Start),
        Action::ShowOverview => go(app, ViewId::Overview),
        Action::ShowKeys => go(app, ViewId::Keys),
        Action::ShowHeat => go(app, ViewId::Heat),
        Action::ShowTrial if view::trial::wants_more(app) => {
            view::trial::more_documents(app);
            Vec::new()
        }
        Action::TryKey if view::trial::wants_documents(app) => {
            view::trial::more_documents(app);
            Vec::new()
        }
        Action::TryKey if app.view == ViewId::Trial => {
            let text = view::trial::new_key(app);
            typing::begin(app, Purpose::Key, text)
        }
        Action::ShowTrial | Action::TryKey => go(app, ViewId::Trial),
        Action::Help => over(app, Overlay::Help(view::help::State::default())),
        Action::Sources => paper(app, papers::sources),
        Action::Connect => paper(app, |app| {
            papers::account(app).unwrap_or_else(|| papers::connect(app))
        }),
        Action::Palette => typing::begin(app, Purpose::Command, ""),
        Action::Open => typing::begin(app, Purpose::Command, "open "),
        Action::Scenarios => typing::begin(app, Purpose::Command, "scenario "),
        Action::Export => {
            let name = view::export_name(app);
            typing::begin(app, Purpose::Command, &format!("export {name}"))
        }
        Action::Filter => {
            let held = view::filter_text(app);
            typing::begin(app, Purpose::Filter, &held)
        }
        Action::Refresh => refresh(app),
        Action::StopLoading => stop(app),
        Action::Mask => match app.mask {
            Mask::Off => vec![Effect::ReadSalt],
            Mask::On(_) => {
                mask_on(app, Mask::Off);
                Vec::new()
            }
        },
        Action::Freeze => freeze(app),
        Action::Speed => typing::begin(app, Purpose::Command, "speed "),
        Action::NextTheme => {
            let next = name_after(&app.theme_name);
            use_theme(app, next);
            Vec::new()
        }
        _ => view::act(app, action),
    }
}

fn use_theme(app: &mut App, name: &str) {
    match Theme::named(name, app.theme.colours, app.theme.glyphs) {
        Some(theme) => {
            app.theme = theme;
            name.clone_into(&mut app.theme_name);
            app.say(format!("theme {name}"));
        }
        None => app.fail(
            format!("there is no theme {}", visible(name)),
            Some("they are dark, light and colour-blind"),
        ),
    }
}

fn over(app: &mut App, overlay: Overlay) -> Vec<Effect> {
    app.overlay = Some(overlay);
    Vec::new()
}

fn paper(app: &mut App, write: fn(&App) -> papers::State) -> Vec<Effect> {
    let paper = write(app);
    over(app, Overlay::Paper(paper))
}

/// Said until the view can be shown.
fn promise(view: ViewId) -> String {
    let name = view.about().name;
    format!("{name} opens as soon as there is something to show")
}

fn go(app: &mut App, view: ViewId) -> Vec<Effect> {
    if view != ViewId::Start
        && app.data.is_none()
        && let Some(loading) = &mut app.loading
    {
        loading.then = Some(view);
        app.say(promise(view));
        return Vec::new();
    }
    if view != ViewId::Start && app.data.is_none() && !view::trial::needs_no_data(app, view) {
        let way = |action, does: &str| Some(format!("{} {does}", app.keymap.shown(action)?));
        let ways = [
            way(Action::Enter, "opens the chosen scenario or file"),
            way(Action::Open, "asks for a path"),
        ];
        let ways: Vec<String> = ways.into_iter().flatten().collect();
        app.fail("nothing is open yet", Some(&ways.join("; ")));
        return Vec::new();
    }
    app.overlay = None;
    app.go(view);
    view::on_shown(app)
}

fn back(app: &mut App) -> Vec<Effect> {
    if app.overlay.take().is_some() {
        return Vec::new();
    }
    if let Some(effects) = view::step_back(app) {
        return effects;
    }
    if live::is_waited_for(app) {
        return stop(app);
    }
    if let Some(view) = app.trail.pop() {
        app.view = view;
        return view::on_shown(app);
    }
    let quit = app.keymap.shown(Action::Quit).unwrap_or_default();
    app.say(format!("there is nothing to go back to; {quit} leaves"));
    Vec::new()
}

fn refresh(app: &mut App) -> Vec<Effect> {
    let origin = app.data.as_ref().map(|data| data.origin.clone());
    if let Some(origin) = origin {
        return open(app, origin);
    }
    if let Some(effects) = live::try_again(app) {
        return effects;
    }
    app.fail("nothing is open that could be read again", None);
    Vec::new()
}

fn stop(app: &mut App) -> Vec<Effect> {
    let Some(loading) = &mut app.loading else {
        if view::trial::is_busy(app) {
            return view::trial::stop(app);
        }
        app.say("nothing is being read");
        return Vec::new();
    };
    loading.wish = Wish::Stop;
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
