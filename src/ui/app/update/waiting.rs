//! Keys that are pressed before what they need is read: they wait, and act when it is there.

use super::{App, typing};
use crate::ui::app::MOST_WAITING;
use crate::ui::kit::action::Action;
use crate::ui::kit::command::Command;
use crate::ui::kit::msg::{Effect, ViewId};
use crate::ui::view::{AboutView, VIEWS, trial};
use crate::work::data::Stage;
use crate::work::fault::WorkProgress;
use crate::work::whole_file::IfExists;

/// Whether an action waits from now on.
pub fn is_kept(app: &mut App, action: Action) -> bool {
    let can_wait = match action {
        Action::ShowStart | Action::ShowLesson => false,
        Action::WhatNow | Action::Explain => true,
        _ => view_of(action).is_some(),
    };
    can_wait && keep(app, action, "")
}

/// The same of an action of the view that waits: what is done there waits with it. `rest` is what the action takes.
pub fn keep(app: &mut App, action: Action, rest: &str) -> bool {
    let is_early = is_early(app, action);
    let command = Command { action, rest: rest.to_owned(), existing: IfExists::Keep };
    if is_early && app.waiting.len() < MOST_WAITING && app.waiting.last() != Some(&command) {
        app.waiting.push(command);
    }
    is_early
}

/// Does what can be done by now, in its order.
pub(super) fn act(app: &mut App) -> Vec<Effect> {
    let mut effects = Vec::new();
    while let Some(command) = app.waiting.first().cloned() {
        if is_early(app, command.action) {
            break;
        }
        app.waiting.remove(0);
        effects.extend(typing::run(app, &command));
    }
    effects
}

/// The view that waits, the newest where there are several.
pub fn view(app: &App) -> Option<&'static AboutView> {
    app.waiting.iter().rev().find_map(|command| view_of(command.action))
}

/// How far what is waited for is read.
pub fn progress(app: &App) -> Option<u64> {
    let loading = app.cx.loading.as_ref().map(|loading| &loading.progress);
    trial::progress(&app.views.trial).or(loading).and_then(WorkProgress::percent)
}

fn view_of(action: Action) -> Option<&'static AboutView> {
    VIEWS.iter().find(|view| view.action == action)
}

/// Whether what an action needs is being read. A view opens with the first of the data; a verdict needs the last.
pub fn is_early(app: &App, action: Action) -> bool {
    let data = app.cx.data.as_ref();
    let is_begun = data.is_none_or(|data| matches!(data.stage, Stage::Reading { .. }));
    let is_read = app.cx.loading.is_some();
    match action {
        Action::WhatNow => is_read && is_begun,
        // A step of a lesson would cover the key.
        // What a step of a lesson still does would cover the key.
        Action::TryKey if app.guide().is_some_and(|lesson| !lesson.is_ready()) => true,
        Action::TryKey => is_read && data.is_none(),
        action if view_of(action).is_some() => is_read && data.is_none(),
        _ => {
            let is_tried = app.cx.view == ViewId::Trial && trial::is_early(&app.views.trial);
            is_read && is_begun || is_tried
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ui::app::testing::{app, dataset, generation_of, press};
    use crate::ui::app::update::{open, update};
    use crate::ui::kit::msg::{Msg, ViewId};
    use crate::ui::view::testing::screen;
    use crate::work::data::{Origin, Stage};
    use crate::work::fault::WorkProgress;

    #[test]
    fn what_was_asked_for_too_early_waits_for_its_data_unless_esc_drops_it() {
        use ViewId::{Heat, Overview, Trial};
        // The keys, what the line says of them, the view after the first of the data and after all of it, what lies over it.
        let cases = [
            ("3", "3", Heat, Heat, false),
            ("4 x", "4 x", Trial, Trial, false),
            ("w", "w", Overview, Overview, true),
            ("3 w w", "3 w", Heat, Heat, true),
            ("3 w esc", "", Overview, Overview, false),
            ("3 esc w", "w", Overview, Overview, true),
        ];
        let progress = WorkProgress { done_bytes: 41, total_bytes: 100, ..WorkProgress::default() };
        for (keys, waiting, first, last, is_covered) in cases {
            for has_glimpse in [true, false] {
                let mut app = app();
                let origin = Origin::Scenario("tenants");
                let generation = generation_of(&open(&mut app, origin));
                press(&mut app, keys);
                update(&mut app, Msg::Progressed(generation, progress.clone()));
                let line = format!("{waiting} when reading is done (41 % so far)  Esc drops it");
                let is_said = screen(&app).concat().contains(&line);
                assert_eq!(is_said, !waiting.is_empty(), "{keys}");
                assert_eq!((app.cx.view, &app.overlay), (ViewId::Start, &None));
                if has_glimpse {
                    let stage = Stage::Reading { keys_so_far: 5 };
                    update(&mut app, Msg::Glimpsed(generation, dataset("tenants", stage)));
                    assert_eq!((app.cx.view, &app.overlay), (first, &None), "{keys}");
                }
                let data = dataset("tenants", Stage::Whole);
                update(&mut app, Msg::Loaded(generation, data));
                let found = (app.cx.view, app.overlay.is_some());
                assert_eq!(found, (last, is_covered), "{keys}");
            }
        }
    }
}
