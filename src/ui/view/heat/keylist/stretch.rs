//! Since when a key is busy, and its share of the RU since then: the verdict is of that time, the list of more.

use super::MOST_LOOKED_AT;
use crate::analysis::heat::keys::{KeyShare, RecordFilter};
use crate::model::time::SECONDS_PER_MINUTE;
use crate::model::units::percent_text;
use crate::ui::view::heat::HeatState;
use crate::ui::view::heat::head;
use crate::ui::view::heat::names::{self, Precision};
use crate::ui::view::heat::scope::HeatScope;

/// `23:24`, or `≤23:00` where the records begin then, and the share since then.
pub fn since(state: &HeatState, scope: &HeatScope, load: &KeyShare) -> (String, Option<f64>) {
    let Some(since) = load.since.or(load.first) else {
        return (String::new(), None);
    };
    let span = scope.span.map_or(0, |(from, to)| to.saturating_sub(from));
    let clock = names::clock(since, Precision::of(60, span));
    let minute = |second: i64| second.div_euclid(SECONDS_PER_MINUTE);
    let begins = state.list.begins;
    let is_from_begin = begins.is_some_and(|begins| minute(since) <= minute(begins));
    if is_from_begin {
        return (format!("≤{clock}"), None);
    }
    (clock, share_from(state, scope, load, since))
}

fn share_from(state: &HeatState, scope: &HeatScope, load: &KeyShare, from: i64) -> Option<f64> {
    let which = state.list.records()?;
    let to = which.span.map_or(i64::MAX, |(_, to)| to);
    let which = RecordFilter { span: Some((from, to)), ..which };
    let keys = &scope.heat()?.keys;
    let (own, all) = (keys.total_of(load.key, which).ru, keys.total(which).ru);
    (all > 0.0).then(|| own / all)
}

/// `since 23:24 (36 min): contoso 93 % of RU`, where rows have no second line for it and one is left below them.
pub fn of_blamed(state: &HeatState) -> Option<String> {
    let list = &state.list;
    let scope = state.scope.as_ref().filter(|_| list.lines == 1)?;
    let verdict = head::worst(state)?;
    let key = verdict.key.as_deref().filter(|_| !verdict.is_of_size())?;
    let mut entries = list.entries.iter().take(MOST_LOOKED_AT);
    let at = entries.position(|entry| entry.canonical(scope).as_deref() == Some(key))?;
    let load = list.entries.get(at)?.load.as_ref()?;
    let row = list.rows.get(at.checked_sub(list.cursor.first)?)?;
    let share = row.share_since()?;
    let from = load.since?;
    let length = list.span()?.1.saturating_sub(from).max(0).unsigned_abs();
    // Whole minutes, as the verdict has them.
    let length = names::length(length - length % SECONDS_PER_MINUTE.unsigned_abs());
    let (since, key) = (row.since(), row.shown());
    Some(format!("since {since} ({length}): {key} {} of RU", percent_text(share)))
}
