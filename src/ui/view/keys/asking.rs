//! What the list requests: a filter, an order, another container; and what becomes of the answer.

use crate::ui::kit::line::Typing;
use std::collections::{HashMap, HashSet};

use super::table::ListedBy;
use super::tree::ListShape;
use super::{KeysState, SearchMiss};
use crate::analysis::arrange::{Direction, Sort, SortBy};
use crate::analysis::filter::{Filter, FilterBasis, ParsedFilter, complete, parse, wrong_piece};
use crate::analysis::findings::Severity;
use crate::analysis::growth::day_of;
use crate::model::logical::KeyId;
use crate::model::visible::visible;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::line::Offer;
use crate::ui::kit::list::further;
use crate::ui::kit::msg::Effect;
use crate::ui::view::OtherViews;
use crate::work::data::{Arranged, Ask, Dataset};
use crate::work::shared::Shared;

/// Asks for the list, unless it is of the newest data and as it is wanted, or will be.
pub fn ask_unless_answered(state: &mut KeysState, cx: &Cx) -> Vec<Effect> {
    let Some(data) = &cx.data else {
        return Vec::new();
    };
    let wanted = state.container.or_else(|| first_container(data));
    let is_there = |list: &Shared<Arranged>| list.data == *data && Some(list.container) == wanted;
    if state.generation.is_some() || state.list.as_ref().is_some_and(is_there) {
        return Vec::new();
    }
    ask(state, cx)
}

/// The container with the largest key; where no sizes are reported the one with the most RU.
fn first_container(data: &Dataset) -> Option<u32> {
    let ru = |number: &u32| data.lookups.ru.of_container(*number);
    let numbers = 0..u32::try_from(data.capture.containers.len()).unwrap_or(u32::MAX);
    let by_ru = |a: &u32, b: &u32| ru(a).unwrap_or(0.0).total_cmp(&ru(b).unwrap_or(0.0));
    let busiest = || numbers.filter(|number| ru(number).is_some()).max_by(by_ru);
    data.worst_container().or_else(busiest)
}

/// Another container than the one shown, chosen in the view that one comes from.
pub fn chosen_elsewhere(state: &KeysState, cx: &Cx, others: &OtherViews) -> Option<u32> {
    let chosen = others.container_before(cx);
    chosen.filter(|chosen| state.container != Some(*chosen))
}

/// Asks for the list as the state wants it.
pub fn ask(state: &mut KeysState, cx: &Cx) -> Vec<Effect> {
    let Some(data) = cx.data.clone() else {
        return Vec::new();
    };
    let Some(container) = state.container.or_else(|| first_container(&data)) else {
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
    if state.anchor.is_none() && state.list.as_ref().is_none_or(|list| list.data != data) {
        // Each once: of two that are alike only one is found.
        let mut seen = HashSet::new();
        let keys = alarmed_keys(&data, container).filter(|key| seen.insert(*key));
        follow.extend(keys.map(Into::into));
    }
    let ask = Ask {
        data,
        container,
        sort: state.sort,
        filter: state.filter.clone(),
        before: state.list.clone(),
        follow,
    };
    let turn = cx.turns.next();
    state.generation = Some(turn);
    vec![Effect::Arrange(turn, ask)]
}

/// The keys that findings name, the worst first.
pub fn alarmed_keys(data: &Dataset, container: u32) -> impl Iterator<Item = &str> {
    let found = data.diagnoses.container(container).into_iter();
    let verdicts = found.flat_map(|found| &found.verdicts);
    let wrong = verdicts.filter(|verdict| verdict.severity > Severity::Note);
    wrong.filter_map(|verdict| verdict.key.as_deref())
}

/// Where the cursor stands until a person does something: on the key that a finding names, else on the first.
pub fn alarmed_place(state: &KeysState, list: &Arranged) -> usize {
    let id = state.alarmed.filter(|id| !state.is_rearranged && list.holds(*id));
    id.and_then(|id| list.near_key(id)).unwrap_or(0)
}

/// Shows the awaited answer, unless it misses what was chosen meanwhile.
pub fn on_arranged(state: &mut KeysState, cx: &Cx, list: Shared<Arranged>) -> Vec<Effect> {
    state.generation = None;
    // Once only: new data is shown even while the cursor moves all the time.
    if state.missed == SearchMiss::No && misses_chosen(state, &list) {
        state.missed = SearchMiss::Once;
        return ask(state, cx);
    }
    state.missed = SearchMiss::No;
    take(state, list);
    Vec::new()
}

/// Whether a person chose another key while this answer was made of other data, so that it is not looked for in it.
fn misses_chosen(state: &KeysState, list: &Arranged) -> bool {
    let chosen = state.anchor.filter(|_| is_other_data(state, list));
    chosen.is_some_and(|id| !state.following.contains(&id))
}

fn is_other_data(state: &KeysState, list: &Arranged) -> bool {
    let held = state.list.as_ref();
    held.is_none_or(|held| held.data != list.data)
}

/// Shows an answer. The selection stays on the key that was chosen, or as near to it as the list has anything.
fn take(state: &mut KeysState, list: Shared<Arranged>) {
    let was_chosen = state.anchor.is_some();
    if is_other_data(state, &list) {
        let columns = list.columns();
        let id = |row: u32| Some(columns.as_ref()?.key(row)?.id);
        let rows = list.followed.iter().map(|row| row.and_then(id));
        state.alarmed = rows.clone().skip(state.following.len()).flatten().next();
        let before = state.following.iter().zip(rows);
        let found: HashMap<KeyId, KeyId> =
            before.filter_map(|(before, now)| Some((*before, now?))).collect();
        let now = |id: &KeyId| found.get(id).copied();
        state.anchor = state.anchor.as_ref().and_then(now);
        let marked: Vec<KeyId> = state.marks.ids().iter().filter_map(now).collect();
        state.marks.renew(&list, &marked);
    }
    if state.shape == ListShape::List {
        let place = state.anchor.and_then(|id| list.near_key(id));
        let fallback = if was_chosen { state.cursor.chosen } else { alarmed_place(state, &list) };
        state.cursor.chosen = place.unwrap_or(fallback);
        if was_chosen && place.is_none() {
            // It is gone; what took its place is followed from now on, or the next answer would begin at the top.
            let lowest = list.len().saturating_sub(1);
            state.anchor = list.id(fallback.min(lowest));
        }
    }
    state.list = Some(list);
}

fn basis(data: &Dataset) -> FilterBasis {
    FilterBasis {
        has_decimal_gb: data.report.ceiling.is_decimal(),
        as_of_day: data.report.as_of.map(day_of),
    }
}

/// Narrows the list by a text that may be unfinished: then the last whole filter stays.
pub fn set_filter(state: &mut KeysState, cx: &Cx, text: &str, typing: Typing) -> Vec<Effect> {
    let Some(data) = &cx.data else {
        return Vec::new();
    };
    let typed = parse(text, basis(data));
    text.clone_into(&mut state.filter_text);
    let is_typed = typing == Typing::GoesOn;
    match typed {
        ParsedFilter::Complete(filter) => use_filter(state, cx, filter),
        // `shrae>` was the text `shrae` a letter before, which no key may hold: only what stands before it counts.
        ParsedFilter::Incomplete(_) | ParsedFilter::Wrong(_) if is_typed => {
            let filter = whole_before(text, basis(data));
            use_filter(state, cx, filter)
        }
        // While it is typed the line itself tells; here it was taken as it stands.
        ParsedFilter::Incomplete(ref expected) | ParsedFilter::Wrong(ref expected) => {
            state.filter_text = state.filter.to_string();
            let what = format!("not a filter: {}", wrong_piece(text, expected));
            Effect::fail(what, Some("the filter before stays"))
        }
    }
}

/// The words before the first piece that is not understood.
fn whole_before(text: &str, basis: FilterBasis) -> Filter {
    let blanks = text.char_indices().rev().filter(|(_, c)| c.is_whitespace());
    let mut cuts = blanks.filter_map(|(at, _)| text.split_at_checked(at));
    let whole = cuts.find_map(|(before, after)| match parse(before, basis) {
        // The name of a comparison is not a text to look for.
        _ if after.trim_start().starts_with(['<', '>', '=', '!']) => None,
        ParsedFilter::Complete(filter) => Some(filter),
        _ => None,
    });
    whole.unwrap_or_default()
}

fn use_filter(state: &mut KeysState, cx: &Cx, filter: Filter) -> Vec<Effect> {
    if filter == state.filter {
        return Vec::new();
    }
    state.filter = filter;
    state.is_rearranged = true;
    ask(state, cx)
}

/// How a filter can go on, and what is wrong with it.
pub fn filter_offers(cx: &Cx, text: &str, cursor: usize) -> (Vec<Offer>, Option<(usize, String)>) {
    let Some(data) = &cx.data else {
        return (Vec::new(), None);
    };
    let offers = Offer::of(text, complete(text, cursor));
    let problem = match parse(text, basis(data)) {
        ParsedFilter::Incomplete(e) => Some((e.column, wrong_piece(text, &e))),
        ParsedFilter::Wrong(e) => {
            let what = format!("{}; filter unchanged", wrong_piece(text, &e));
            Some((e.column, what))
        }
        ParsedFilter::Complete(_) if cx.mask.is_on() && !text.is_empty() => {
            Some((0, "masked: the filter looks at real names".to_owned()))
        }
        ParsedFilter::Complete(_) => None,
    };
    (offers, problem)
}

/// What `s` goes through: what keys store, what they take, then the other columns; by share is by size.
const ROUND: [SortBy; 8] = [
    SortBy::Size,
    SortBy::Ru,
    SortBy::Growth,
    SortBy::LimitDate,
    SortBy::Partition,
    SortBy::Region,
    SortBy::Newest,
    SortBy::Key,
];

/// The same where no sizes are reported.
const ROUND_BY_RU: [SortBy; 3] = [SortBy::Ru, SortBy::Partition, SortBy::Key];

pub fn sort_further(state: &mut KeysState, cx: &Cx, step: isize) -> Vec<Effect> {
    let held = match state.possible(state.sort).by {
        SortBy::Share => SortBy::Size,
        by => by,
    };
    let next = match state.listed_by() {
        ListedBy::Size => further(&ROUND, &held, step),
        ListedBy::Ru => further(&ROUND_BY_RU, &held, step),
    };
    sort(state, cx, Sort::by(next))
}

/// By the column whose heading was clicked; a second click reverses.
pub fn sort_by_heading(state: &mut KeysState, cx: &Cx, by: SortBy) -> Vec<Effect> {
    if state.possible(state.sort).by == by {
        return reverse(state, cx);
    }
    sort(state, cx, Sort::by(by))
}

pub fn reverse(state: &mut KeysState, cx: &Cx) -> Vec<Effect> {
    let held = state.possible(state.sort);
    let direction = held.direction.reversed();
    sort(state, cx, Sort { direction, ..held })
}

/// `growth`, or `growth ascending`.
pub fn sort_by(state: &mut KeysState, cx: &Cx, text: &str) -> Vec<Effect> {
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
        return Effect::fail(
            format!("no column is named {}", visible(text)),
            Some(&format!("columns: {known}; add ascending or descending")),
        );
    };
    sort(state, cx, wanted)
}

fn sort(state: &mut KeysState, cx: &Cx, wanted: Sort) -> Vec<Effect> {
    if wanted == state.sort {
        return Vec::new();
    }
    state.sort = wanted;
    state.is_rearranged = true;
    ask(state, cx)
}
