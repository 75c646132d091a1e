//! Lines that are typed: what a key does to them, what they offer, and what they do once they are taken.

use super::{open, perform, use_theme};
use crate::model::visible::visible;
use crate::ui::app::{App, Overlay, Status};
use crate::ui::kit::action::Action;
use crate::ui::kit::command;
use crate::ui::kit::command::Command;
use crate::ui::kit::line::{Edited, Line, Purpose};
use crate::ui::kit::msg::{Effect, Turn};
use crate::ui::view;
use crate::work::data::Origin;
use crate::work::paths::Offered;

pub(super) fn begin(app: &mut App, purpose: Purpose, text: &str) -> Vec<Effect> {
    app.overlay = Some(Overlay::Line(Box::new(Line::new(purpose, text))));
    on_edited(app, Edited::Text)
}

pub(super) fn act(app: &mut App, action: Action) -> Vec<Effect> {
    let Some(Overlay::Line(line)) = &mut app.overlay else {
        return Vec::new();
    };
    match action {
        Action::Cancel => {
            let (purpose, before) = (line.purpose, line.before.clone());
            app.overlay = None;
            match purpose {
                Purpose::Filter => view::set_filter(app, &before),
                Purpose::Command => Vec::new(),
                Purpose::Key => view::trial::leave_editor(app),
            }
        }
        Action::Accept => accept(app),
        Action::Complete => {
            line.choose(1);
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

/// A chosen offer is in the line; the offers stay as they are, unless there was only this one.
fn after_choice(app: &mut App) -> Vec<Effect> {
    let Some(Overlay::Line(line)) = &app.overlay else {
        return Vec::new();
    };
    if line.offers.len() == 1 {
        return on_edited(app, Edited::Text);
    }
    match line.purpose {
        Purpose::Filter => {
            let text = line.text().to_owned();
            view::set_filter(app, &text)
        }
        Purpose::Key => {
            let text = line.text().to_owned();
            view::trial::on_typed(app, &text)
        }
        Purpose::Command => Vec::new(),
    }
}

pub(super) fn on_edited(app: &mut App, edited: Edited) -> Vec<Effect> {
    if edited != Edited::Text {
        return Vec::new();
    }
    let Some(Overlay::Line(line)) = &app.overlay else {
        return Vec::new();
    };
    let text = line.text().to_owned();
    match line.purpose {
        Purpose::Filter => {
            let effects = view::set_filter(app, &text);
            let (offers, problem) = view::filter_offers(app, &text);
            if let Some(Overlay::Line(line)) = &mut app.overlay {
                line.offers = offers;
                line.problem = problem;
            }
            effects
        }
        Purpose::Key => {
            let effects = view::trial::on_typed(app, &text);
            let (offers, problem) = view::trial::key_offers(app, &text);
            if let Some(Overlay::Line(line)) = &mut app.overlay {
                line.offers = offers;
                line.problem = problem;
            }
            effects
        }
        Purpose::Command => {
            offer(app, &text, &[]);
            let asks = ["open ", "documents ", "queries "];
            let Some(start) = asks.iter().find_map(|word| text.strip_prefix(word)) else {
                return Vec::new();
            };
            let turn = app.turn.advance();
            if let Some(Overlay::Line(line)) = &mut app.overlay {
                line.asked = turn;
            }
            vec![Effect::ListPaths(turn, start.trim_start().to_owned())]
        }
    }
}

fn offer(app: &mut App, text: &str, paths: &[Offered]) {
    let times = view::trial::times(app);
    let known = command::Known {
        scenarios: &app.scenarios,
        columns: view::sort_columns(app),
        paths,
        times: &times,
        chord: &|action| app.keymap.shown(action),
    };
    let offers = command::offers(text, &known);
    if let Some(Overlay::Line(line)) = &mut app.overlay {
        line.offers = offers;
        line.chosen = None;
        line.problem = None;
    }
}

pub(super) fn on_paths(app: &mut App, turn: Turn, paths: &[Offered]) -> Vec<Effect> {
    let text = match &app.overlay {
        Some(Overlay::Line(line)) if line.asked == turn => line.text().to_owned(),
        _ => return Vec::new(),
    };
    offer(app, &text, paths);
    Vec::new()
}

fn accept(app: &mut App) -> Vec<Effect> {
    let is_wrong = |line: &Line| match line.purpose {
        // A caution stands at no column.
        Purpose::Filter => line.problem.as_ref().is_some_and(|(column, _)| *column > 0),
        Purpose::Key => !view::trial::is_key(line.text()),
        Purpose::Command => false,
    };
    if matches!(&app.overlay, Some(Overlay::Line(line)) if is_wrong(line)) {
        // What is wrong stands in the line; it stays open for another letter.
        return Vec::new();
    }
    let Some(Overlay::Line(line)) = app.overlay.take() else {
        return Vec::new();
    };
    match line.purpose {
        Purpose::Filter => view::set_filter(app, line.text()),
        Purpose::Key => view::trial::keep_typed(app, line.text()),
        Purpose::Command => {
            // What is chosen but not typed counts: Enter on an offer is what a list is for.
            match command::parse(line.text()) {
                Ok(command) => run(app, &command),
                Err(what) => {
                    app.fail(what, Some("Tab shows what there is"));
                    Vec::new()
                }
            }
        }
    }
}

fn run(app: &mut App, command: &Command) -> Vec<Effect> {
    app.status = Status::Quiet;
    let rest = command.rest.as_str();
    if rest.is_empty() {
        return perform(app, command.action);
    }
    match command.action {
        Action::Open => open(app, Origin::Paths(crate::work::paths::paths(rest))),
        Action::Scenarios => {
            let known = app.scenarios.iter().find(|s| s.name == rest);
            if let Some(name) = known.map(|s| s.name) {
                return open(app, Origin::Scenario(name));
            }
            app.fail(
                format!("there is no scenario {}", visible(rest)),
                Some("Tab after the word shows all of them"),
            );
            Vec::new()
        }
        Action::Filter => match view::filter_offers(app, rest).1 {
            Some((column, problem)) if column > 0 => {
                app.fail(problem, Some("the filter stays as it is"));
                Vec::new()
            }
            _ => view::set_filter(app, rest),
        },
        Action::SortNext => view::sort_by(app, rest),
        Action::NextTheme => {
            use_theme(app, rest);
            Vec::new()
        }
        Action::Export => view::export(app, rest, command.existing),
        Action::TryKey => view::trial::try_key(app, rest),
        Action::MorePartitions
        | Action::MoreRu
        | Action::AskedRu
        | Action::GrowthADay
        | Action::KeptDays => view::trial::set_dial(app, command.action, rest),
        Action::Documents => view::trial::read_documents(app, crate::work::paths::paths(rest)),
        Action::Queries => view::trial::read_queries(app, crate::work::paths::paths(rest)),
        Action::DatedBy => view::trial::date_by(app, rest),
        Action::LeastSuffix => view::trial::bucket(app, rest),
        Action::Speed => crate::ui::app::replaying::set_speed(app, rest),
        other => {
            app.fail(
                format!(
                    "{} takes nothing after its name",
                    other.about().map_or("", |a| a.name)
                ),
                None,
            );
            Vec::new()
        }
    }
}
