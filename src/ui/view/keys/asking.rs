//! What the list asks for: a filter, an order, another container; and what becomes of the answer.

use std::collections::HashMap;

use super::State;
use super::tree::Shape;
use crate::analysis::arrange::{Direction, Sort, SortBy};
use crate::analysis::filter::{Basis, Filter, Gigabyte, Typed, complete, parse};
use crate::analysis::growth::day_of;
use crate::model::logical::KeyId;
use crate::model::visible::visible;
use crate::ui::app::{App, Overlay};
use crate::ui::kit::line::Offer;
use crate::ui::kit::msg::Effect;
use crate::work::data::{Arranged, Ask, Dataset};
use crate::work::shared::Shared;

/// Whether the list is of the newest data and as it is wanted, or will be.
pub fn is_answered(app: &App) -> bool {
    let state = &app.keys;
    let Some(data) = &app.data else { return true };
    let wanted = state.container.or_else(|| data.worst_container());
    let is_there = |list: &Shared<Arranged>| list.data == *data && Some(list.container) == wanted;
    state.asked.is_some() || state.list.as_ref().is_some_and(is_there)
}

/// Asks for the list as the state wants it.
pub fn ask(app: &mut App) -> Vec<Effect> {
    let Some(data) = app.data.clone() else {
        return Vec::new();
    };
    let state = &mut app.keys;
    let Some(container) = state.container.or_else(|| data.worst_container()) else {
        state.list = None;
        return Vec::new();
    };
    if state.name.is_none() {
        let held = data.capture.container(container);
        state.name = held.map(|c| c.name.identity());
    }
    state.container = Some(container);
    state.following.clear();
    let mut follow = Vec::new();
    if let Some(list) = state.list.as_ref().filter(|list| list.data != data) {
        for id in state.anchor.into_iter().chain(state.marks.ids()) {
            if let Some(view) = list.data.capture.sizes.view(id) {
                state.following.push(id);
                follow.push(view.canonical().into());
            }
        }
    }
    let ask = Ask {
        data,
        container,
        sort: state.sort,
        filter: state.filter.clone(),
        before: state.list.clone(),
        follow,
    };
    let turn = app.turn.advance();
    app.keys.asked = Some(turn);
    vec![Effect::Arrange(turn, ask)]
}

/// Whether a person chose another key while this answer was made of other data, so that it is not looked for in it.
pub fn misses_chosen(state: &State, list: &Arranged) -> bool {
    let chosen = state.anchor.filter(|_| is_other_data(state, list));
    chosen.is_some_and(|id| !state.following.contains(&id))
}

fn is_other_data(state: &State, list: &Arranged) -> bool {
    let held = state.list.as_ref();
    held.is_none_or(|held| held.data != list.data)
}

/// Shows an answer. The selection stays on the key that was chosen, or as near to it as the list has anything.
pub fn take(state: &mut State, list: Shared<Arranged>) {
    let was_chosen = state.anchor.is_some();
    if is_other_data(state, &list) {
        let columns = list.columns();
        let id = |row: u32| columns.as_ref()?.ids.get(row as usize).copied();
        let rows = list.followed.iter().map(|row| row.and_then(id));
        let before = state.following.iter().zip(rows);
        let found: HashMap<KeyId, KeyId> = before
            .filter_map(|(before, now)| Some((*before, now?)))
            .collect();
        let now = |id: &KeyId| found.get(id).copied();
        state.anchor = state.anchor.as_ref().and_then(now);
        let marked: Vec<KeyId> = state.marks.ids().iter().filter_map(now).collect();
        state.marks.renew(&list, &marked);
    }
    if state.shape == Shape::List {
        let place = state.anchor.and_then(|id| list.near_key(id));
        let fallback = if was_chosen { state.cursor.chosen } else { 0 };
        state.cursor.chosen = place.unwrap_or(fallback);
        if was_chosen && place.is_none() {
            // It is gone; what took its place is followed from now on, or the next answer would begin at the top.
            let lowest = list.len().saturating_sub(1);
            state.anchor = list.id(fallback.min(lowest));
        }
    }
    state.list = Some(list);
}

fn basis(data: &Dataset) -> Basis {
    Basis {
        gigabyte: Gigabyte::of(data.report.ceiling),
        as_of_day: data.report.as_of.map(day_of),
    }
}

/// Narrows the list by a text that may be unfinished: then the last whole filter stays.
pub fn set_filter(app: &mut App, text: &str) -> Vec<Effect> {
    let Some(data) = &app.data else {
        return Vec::new();
    };
    let typed = parse(text, basis(data));
    text.clone_into(&mut app.keys.filter_text);
    let is_typed = matches!(app.overlay, Some(Overlay::Line(_)));
    match typed {
        Typed::Complete(filter) => use_filter(app, filter),
        // `size>` was the text `size` a letter before, which no key may hold: its words so far are what counts.
        Typed::Incomplete(_) if is_typed => {
            let whole = text
                .rfind(char::is_whitespace)
                .map_or("", |at| text.get(..at).unwrap_or_default());
            match app.data.as_ref().map(|data| parse(whole, basis(data))) {
                Some(Typed::Complete(filter)) => use_filter(app, filter),
                _ => Vec::new(),
            }
        }
        Typed::Incomplete(ref expected) | Typed::Wrong(ref expected) => {
            // While it is typed the line itself tells; here it was taken as it stands.
            if !is_typed {
                app.keys.filter_text = app.keys.filter.to_string();
                let what = match &typed {
                    Typed::Wrong(_) => format!("no such filter: {expected}"),
                    _ => format!("the filter ends too soon: {expected}"),
                };
                app.fail(
                    visible(&what).into_owned(),
                    Some("what was shown last is shown still"),
                );
            }
            Vec::new()
        }
    }
}

fn use_filter(app: &mut App, filter: Filter) -> Vec<Effect> {
    if filter == app.keys.filter {
        return Vec::new();
    }
    app.keys.filter = filter;
    ask(app)
}

/// How a filter can go on, and what is wrong with it.
pub fn filter_offers(app: &App, text: &str) -> (Vec<Offer>, Option<(usize, String)>) {
    let Some(data) = &app.data else {
        return (Vec::new(), None);
    };
    let cursor = match &app.overlay {
        Some(Overlay::Line(line)) => line.cursor(),
        _ => text.chars().count(),
    };
    let offers = Offer::of(text, complete(text, cursor));
    let problem = match parse(text, basis(data)) {
        Typed::Incomplete(e) | Typed::Wrong(e) => {
            Some((e.column, visible(&e.to_string()).into_owned()))
        }
        Typed::Complete(_) if app.mask.is_on() && !text.is_empty() => Some((
            0,
            "masked: it is the real names that are filtered".to_owned(),
        )),
        Typed::Complete(_) => None,
    };
    (offers, problem)
}

/// What `s` goes through, in the order of the columns; by share is by size.
const ROUND: [SortBy; 8] = [
    SortBy::Size,
    SortBy::Growth,
    SortBy::Wall,
    SortBy::Ru,
    SortBy::Partition,
    SortBy::Region,
    SortBy::Newest,
    SortBy::Key,
];

pub fn sort_further(app: &mut App, step: isize) -> Vec<Effect> {
    let held = match app.keys.sort.by {
        SortBy::Share => SortBy::Size,
        by => by,
    };
    let at = ROUND.iter().position(|by| *by == held).unwrap_or(0);
    let at = isize::try_from(at).unwrap_or(0) + step;
    let count = isize::try_from(ROUND.len()).unwrap_or(1);
    let at = usize::try_from(at.rem_euclid(count)).unwrap_or(0);
    sort(app, Sort::by(ROUND.get(at).copied().unwrap_or_default()))
}

pub fn reverse(app: &mut App) -> Vec<Effect> {
    let held = app.keys.sort;
    let direction = held.direction.reversed();
    sort(app, Sort { direction, ..held })
}

/// `growth`, or `growth ascending`.
pub fn sort_by(app: &mut App, text: &str) -> Vec<Effect> {
    let (name, direction) = match text.trim().split_once(' ') {
        Some((name, direction)) => (name, Some(direction.trim())),
        None => (text.trim(), None),
    };
    let by = SortBy::parse(name).map(Sort::by);
    let wanted = match (by, direction) {
        (Some(by), None) => Some(by),
        (Some(by), Some(direction)) => {
            Direction::parse(direction).map(|direction| Sort { direction, ..by })
        }
        (None, _) => None,
    };
    let Some(wanted) = wanted else {
        let known = super::COLUMNS.join(", ");
        app.fail(
            format!("nothing is sorted by {}", visible(text)),
            Some(&format!(
                "the columns are {known}, with ascending or descending after it"
            )),
        );
        return Vec::new();
    };
    sort(app, wanted)
}

fn sort(app: &mut App, wanted: Sort) -> Vec<Effect> {
    if wanted == app.keys.sort {
        return Vec::new();
    }
    app.keys.sort = wanted;
    ask(app)
}
