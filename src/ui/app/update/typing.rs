//! Lines that are typed: what a key does to them, what they offer, and what they do once they are taken.

use super::{copy_step, designing, go, open, perform, refresh, use_theme, waiting, what_now};
use crate::analysis::diagnosis::note::is_plain;
use crate::model::near;
use crate::model::visible::visible;
use crate::source::times::date_order;
use crate::ui::app::screens::{export, on_shown, set_filter};
use crate::ui::app::{App, Overlay, Status, Views, lesson, replaying};
use crate::ui::kit::action::Action;
use crate::ui::kit::command;
use crate::ui::kit::command::Command;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::line::{LineChange, Offers, Prompt, PromptPurpose, Typing};
use crate::ui::kit::msg::{Effect, Generation, ViewId};
use crate::ui::view::heat::locating;
use crate::ui::view::trial;
use crate::work::data::Origin;
use crate::work::paths::PathOffer;

/// A command that is done as it stands; else what is wrong with it.
pub fn run_line(app: &mut App, line: &str) -> Result<Vec<Effect>, String> {
    command::parse(line).map(|command| run(app, &command))
}

pub fn begin(app: &mut App, purpose: PromptPurpose, text: &str) -> Vec<Effect> {
    type_in(app, Prompt::new(purpose, text))
}

pub(super) fn type_in(app: &mut App, line: Prompt) -> Vec<Effect> {
    app.overlay = Some(Overlay::Line(Box::new(line)));
    on_edited(app, LineChange::Text)
}

pub(super) fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let is_field = app.is_in_field();
    let Some(Overlay::Line(line)) = &mut app.overlay else {
        return Vec::new();
    };
    match action {
        Action::Cancel => {
            let (purpose, before) = (line.purpose, line.before.clone());
            app.overlay = None;
            match purpose {
                PromptPurpose::Filter => set_filter(app, &before, Typing::Over),
                PromptPurpose::Command | PromptPurpose::Value => Vec::new(),
                PromptPurpose::Key => {
                    app.with(|views, cx| trial::leave_editor(&mut views.trial, cx))
                }
                PromptPurpose::ResourceGroup(step) => what_now(app, step),
            }
        }
        Action::Accept => accept(app),
        Action::Complete | Action::CompleteBack if is_field => {
            next_field(app, if action == Action::Complete { 1 } else { -1 })
        }
        Action::Complete => {
            let is_only = line.purpose == PromptPurpose::Command
                && line.chosen.is_none()
                && command::begins_one(&line.command_line());
            line.choose(1);
            if is_only {
                return on_edited(app, LineChange::Text);
            }
            after_choice(app)
        }
        Action::CompleteBack => {
            line.choose(-1);
            after_choice(app)
        }
        other => {
            let edited = line.act(other);
            on_edited(app, edited)
        }
    }
}

/// From a field of the trial's header to another one: what was typed is taken, or stays with what is wrong with it.
fn next_field(app: &mut App, step: isize) -> Vec<Effect> {
    let Some(Overlay::Line(line)) = &app.overlay else {
        return Vec::new();
    };
    let (mut held, is_new) = (line.clone(), line.text() != line.before);
    line.text().clone_into(&mut held.before);
    let mut effects = if is_new { accept(app) } else { Vec::new() };
    let problem = match &app.status {
        Status::Failed(fault) if is_new => Some((0, fault.what.clone())),
        _ => None,
    };
    let next = trial::field_after(&app.views.trial, &held.command_line(), step);
    let next = next.filter(|_| problem.is_none());
    effects.extend(type_in(app, next.unwrap_or(*held)));
    if let (Some(Overlay::Line(line)), Some(_)) = (&mut app.overlay, &problem) {
        line.problem = problem;
    }
    effects
}

/// A chosen offer is in the line; the offers stay as they are, unless there was only this one.
fn after_choice(app: &mut App) -> Vec<Effect> {
    match &app.overlay {
        Some(Overlay::Line(line)) if line.offers.len() == 1 => on_edited(app, LineChange::Text),
        _ => show_typed(app),
    }
}

/// Shows in the view what is typed so far.
fn show_typed(app: &mut App) -> Vec<Effect> {
    let Some(Overlay::Line(line)) = &app.overlay else {
        return Vec::new();
    };
    let text = line.text().to_owned();
    match line.purpose {
        PromptPurpose::Filter => set_filter(app, &text, Typing::GoesOn),
        PromptPurpose::Key => app.with(|views, cx| trial::on_typed(&mut views.trial, cx, &text)),
        _ => Vec::new(),
    }
}

pub(super) fn on_edited(app: &mut App, edited: LineChange) -> Vec<Effect> {
    if edited != LineChange::Text {
        return Vec::new();
    }
    let mut effects = show_typed(app);
    let Some(Overlay::Line(line)) = &app.overlay else {
        return effects;
    };
    let (text, cursor) = (line.text().to_owned(), line.cursor());
    let found = match line.purpose {
        PromptPurpose::Filter => app.shown().filter_offers(&app.cx, &text, cursor),
        PromptPurpose::Key => trial::key_offers(&app.views.trial, &text, cursor),
        PromptPurpose::Value => Offers::default(),
        PromptPurpose::ResourceGroup(_) => {
            let words = "letters, digits, - _ . only; left empty it is filled in by hand";
            (Vec::new(), (!is_plain(&text)).then(|| (1, words.to_owned())))
        }
        PromptPurpose::Command => {
            let text = line.command_line();
            effects.extend(list_paths(app, &text));
            completed(app, &text, &[])
        }
    };
    offer(app, found);
    effects
}

/// The request for paths that complete a command.
fn list_paths(app: &mut App, text: &str) -> Option<Effect> {
    let asks = ["open ", "compare ", "documents ", "queries ", "design "];
    let start = asks.iter().find_map(|word| text.strip_prefix(word))?;
    let generation = app.cx.turns.next();
    if let Some(Overlay::Line(line)) = &mut app.overlay {
        line.generation = generation;
    }
    Some(Effect::ListPaths(generation, start.trim_start().to_owned()))
}

fn offer(app: &mut App, found: Offers) {
    if let Some(Overlay::Line(line)) = &mut app.overlay {
        line.offer(found);
    }
}

/// What a command may become.
fn completed(app: &App, text: &str, paths: &[PathOffer]) -> Offers {
    let times = trial::times(&app.views.trial);
    let known = command::CompletionFacts {
        scenarios: &app.cx.scenarios,
        columns: app.shown().sort_columns(),
        paths,
        times: &times,
        chord: &|action| app.cx.keymap.shown(action),
    };
    command::offers(text, &known)
}

pub(super) fn on_paths(app: &mut App, generation: Generation, paths: &[PathOffer]) -> Vec<Effect> {
    let text = match &app.overlay {
        Some(Overlay::Line(line)) if line.generation == generation => line.command_line(),
        _ => return Vec::new(),
    };
    let found = completed(app, &text, paths);
    offer(app, found);
    Vec::new()
}

fn accept(app: &mut App) -> Vec<Effect> {
    let is_wrong = |line: &Prompt| match line.purpose {
        // A caution stands at no column.
        PromptPurpose::Filter | PromptPurpose::ResourceGroup(_) => {
            line.problem.as_ref().is_some_and(|(column, _)| *column > 0)
        }
        PromptPurpose::Key => !trial::is_key(line.text()),
        PromptPurpose::Command | PromptPurpose::Value => false,
    };
    if matches!(&app.overlay, Some(Overlay::Line(line)) if is_wrong(line)) {
        // What is wrong stands in the line; it stays open for another letter.
        return Vec::new();
    }
    let Some(Overlay::Line(mut line)) = app.overlay.take() else {
        return Vec::new();
    };
    match line.purpose {
        PromptPurpose::Filter => set_filter(app, line.text(), Typing::Over),
        PromptPurpose::Key => {
            let is_kept = waiting::keep(app, Action::TryKey, line.text());
            app.with(|views, cx| {
                if is_kept {
                    trial::leave_editor(&mut views.trial, cx)
                } else {
                    trial::keep_typed(&mut views.trial, cx, line.text())
                }
            })
        }
        PromptPurpose::Value => designing::accept(app, line),
        PromptPurpose::ResourceGroup(step) => copy_step(app, step, line.text()),
        PromptPurpose::Command => {
            // What is chosen but not typed counts: Enter on an offer is what a list is for.
            match command::parse(&line.command_line()) {
                Ok(command) => run(app, &command),
                Err(what) => {
                    // A letter may be all that is wrong.
                    line.problem = Some((0, what));
                    app.overlay = Some(Overlay::Line(line));
                    Vec::new()
                }
            }
        }
    }
}

/// Does what a command says.
pub(super) fn run(app: &mut App, command: &Command) -> Vec<Effect> {
    app.status = Status::Quiet;
    let rest = command.rest.as_str();
    if rest.is_empty() {
        return perform(app, command.action);
    }
    let paths = || crate::work::paths::paths(rest);
    match command.action {
        Action::Open => open(app, Origin::Paths(paths())),
        Action::Compare => {
            in_view(app, ViewId::Overview, |views, cx| views.overview.compare_with(cx, paths()))
        }
        Action::Scenarios => scenario(app, rest),
        Action::Design => designing::open(app, rest),
        Action::Filter => match filter_problem(app, rest) {
            Some((column, problem)) if column > 0 => {
                app.fail(problem, Some("the filter stays as it is"))
            }
            _ => set_filter(app, rest, Typing::Over),
        },
        Action::SortNext => app.with_shown(|view, cx| view.sort_by(cx, rest)),
        Action::NextTheme => use_theme(app, rest),
        Action::DateOrder => read_dates(app, rest),
        Action::ShowLesson => lesson::open(app, rest),
        Action::LessonStep => lesson::jump(app, rest),
        Action::HandOut => lesson::hand_out(app, rest, command.existing),
        Action::Export => export(app, rest, command.existing),
        Action::TryKey => {
            in_trial(app, trial::parsed(rest), |state, cx, ()| trial::try_key(state, cx, rest))
        }
        Action::MorePartitions
        | Action::MoreRu
        | Action::DemandRu
        | Action::ExpectedSize
        | Action::GrowthADay
        | Action::KeptDays => {
            let action = command.action;
            app.with(|views, cx| trial::set_dial(&mut views.trial, cx, action, rest))
        }
        Action::Documents => {
            let mut effects = in_trial(app, Ok(paths()), trial::read_documents);
            // The way to the view may have begun to read others.
            let newest = effects.pop();
            effects.retain(|effect| !matches!(effect, Effect::Sample(..)));
            effects.extend(newest);
            effects
        }
        Action::Queries => in_trial(app, Ok(paths()), trial::read_queries),
        Action::DatedBy => in_trial(app, trial::time_path(rest), trial::date_by),
        Action::SetDial => {
            in_view(app, ViewId::Forecast, |views, cx| views.forecast.set_dial(cx, rest))
        }
        Action::Locate => {
            in_view(app, ViewId::Heat, |views, cx| locating::locate(&mut views.heat, cx, rest))
        }
        Action::Plan => {
            in_view(app, ViewId::Trial, |views, cx| trial::plan_as(&mut views.trial, cx, rest))
        }
        Action::LeastSuffix => app.with(|views, cx| trial::bucket(&mut views.trial, cx, rest)),
        Action::Speed => {
            let effects = replaying::set_speed(app, rest);
            effects.unwrap_or_else(|| replaying::not_replaying(app))
        }
        other => {
            let name = other.about().name;
            app.fail(format!("{name} takes nothing after its name"), None)
        }
    }
}

/// Reads the same inputs again, and ambiguous dates in this order.
fn read_dates(app: &mut App, named: &str) -> Vec<Effect> {
    match date_order(named) {
        Some(order) => {
            let again = refresh(app);
            std::iter::once(Effect::ReadDates(order)).chain(again).collect()
        }
        None => app.fail("date-order takes dmy (day first) or mdy (month first)", None),
    }
}

/// Shows a view, and does there what was typed.
fn in_view(
    app: &mut App,
    view: ViewId,
    then: impl FnOnce(&mut Views, &Cx) -> Vec<Effect>,
) -> Vec<Effect> {
    let mut effects = go(app, view);
    if app.cx.view == view {
        effects.extend(app.with(then));
    }
    effects
}

fn scenario(app: &mut App, name: &str) -> Vec<Effect> {
    let known = app.cx.scenarios.iter().map(|s| s.name);
    if let Some(name) = known.clone().find(|known| *known == name) {
        return open(app, Origin::Scenario(name));
    }
    let what = format!("there is no scenario {}", visible(name));
    app.fail(near::unknown(&what, name, known), Some("Tab after the word shows all of them"))
}

/// What is wrong with a filter, and at which character.
fn filter_problem(app: &App, text: &str) -> Option<(usize, String)> {
    let end = text.chars().count();
    app.shown().filter_offers(&app.cx, text, end).1
}

/// Shows the trial view, and does there what was typed, if it is what it must be.
fn in_trial<T>(
    app: &mut App,
    typed: Result<T, Vec<Effect>>,
    then: impl FnOnce(&mut trial::TrialState, &Cx, T) -> Vec<Effect>,
) -> Vec<Effect> {
    let typed = match typed {
        Ok(typed) => typed,
        Err(refusal) => return app.with(|_, _| refusal),
    };
    let mut effects = Vec::new();
    if app.cx.view != ViewId::Trial {
        app.go(ViewId::Trial);
        effects = on_shown(app);
    }
    effects.extend(app.with(|views, cx| then(&mut views.trial, cx, typed)));
    effects
}
