//! What goes to the clipboard: rows as plain text, the exact value of a key, the query for its size.

use super::kql;
use super::window::key_shown;
use crate::model::logical::KeyId;
use crate::model::units::{count_text, kib_text, percent_text};
use crate::model::visible::visible;
use crate::report::{gib_a_week, limit_date_text, limit_name};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::masking::Mask;
use crate::ui::kit::msg::{Clipboard, Effect};
use crate::ui::view::keys::KeysState;
use crate::work::data::Arranged;

/// Terminals take only so much into the clipboard, and a file is the better place for more.
const MAX_LINES: usize = 1000;

/// The marked keys in the order of the list, else the chosen one.
fn selected_keys(state: &KeysState, list: &Arranged) -> Vec<KeyId> {
    if state.marks.is_empty() {
        return state.chosen().into_iter().collect();
    }
    let place = |id: KeyId| (list.near_key(id).unwrap_or(usize::MAX), id);
    let mut marked: Vec<(usize, KeyId)> = state.marks.ids().into_iter().map(place).collect();
    marked.sort_unstable();
    marked.into_iter().map(|(_, id)| id).collect()
}

/// Copies rows, one line each, without any byte that acts on a terminal.
pub fn rows(state: &KeysState, cx: &Cx) -> Vec<Effect> {
    if let Some(logged) = state.by_ru.get(state.cursor.chosen) {
        return vec![Effect::Copy(Clipboard::Lines(vec![logged.line(&cx.mask)]))];
    }
    let Some(list) = state.list.clone() else {
        return nothing();
    };
    let ids = selected_keys(state, &list);
    let lines = ids.iter().take(MAX_LINES);
    let mut lines: Vec<String> = lines.filter_map(|id| line(&list, *id, &cx.mask)).collect();
    if lines.is_empty() {
        return nothing();
    }
    if let Some(more) = ids.len().checked_sub(MAX_LINES).filter(|more| *more > 0) {
        lines.push(format!("and {} more keys", count_text(more as u64)));
    }
    vec![Effect::Copy(Clipboard::Lines(lines))]
}

fn nothing() -> Vec<Effect> {
    Effect::fail("there is no key to copy", None)
}

/// `tenant-0002  21.60 GiB  108.0 % of the 20 GB limit  +0.84 GiB/week  over the limit  West Europe  2026-06-22 02:10 UTC`.
fn line(list: &Arranged, id: KeyId, mask: &Mask) -> Option<String> {
    let data = &list.data;
    let (row, _) = data.lookups.key_row(&data.capture, id)?;
    let mut facts = vec![
        key_shown(&row, mask),
        kib_text(row.size_kib),
        format!("{} of {}", percent_text(row.share), limit_name(data.report.ceiling)),
    ];
    if row.growth.is_some() {
        facts.push(format!("{} GiB/week", gib_a_week(row.growth.as_ref())));
    }
    facts.push(match limit_date_text(&row.limit_date, data.report.as_of) {
        text if text == "unknown" => {
            format!("{}: unknown", data.report.ceiling.heading("20 GB on"))
        }
        text => text,
    });
    facts.extend(row.region.as_deref().map(|r| visible(r).into_owned()));
    facts.extend(row.sampled_at.map(|at| format!("{} UTC", at.minute_text())));
    Some(facts.join("  "))
}

/// Copies the key's JSON list: every value exact, every dangerous character as its code.
pub fn exact(state: &KeysState, cx: &Cx) -> Vec<Effect> {
    if let Some(refusal) = refusal(cx, "the exact value") {
        return refusal;
    }
    let logged = state.by_ru.get(state.cursor.chosen);
    if let Some(json) = logged.and_then(|logged| logged.json.as_deref()) {
        return vec![Effect::Copy(Clipboard::Exact(json.to_owned()))];
    }
    let found = state.list.as_ref().zip(state.chosen());
    let row = found.and_then(|(list, id)| list.data.lookups.key_row(&list.data.capture, id));
    match row {
        Some((row, _)) => vec![Effect::Copy(Clipboard::Exact(row.key_json().to_owned()))],
        None => nothing(),
    }
}

/// Copies the query for the key's sizes; where a filter asks for sizes and nothing is marked, or no key is known, that for all such
/// keys.
pub fn query(state: &KeysState, cx: &Cx) -> Vec<Effect> {
    if let Some(refusal) = refusal(cx, "the query") {
        return refusal;
    }
    let query = state.list.as_ref().and_then(|list| {
        let container = list.data.capture.container(list.container)?;
        if let Some(logged) = state.by_ru.get(state.cursor.chosen) {
            return Some(kql::size_of_key(&container.name, logged.json.as_deref()));
        }
        let mut sizes = list.filter.sizes();
        if list.len_unfiltered() == 0 {
            sizes = vec![(">", 0.0)];
        }
        if state.marks.is_empty() && !sizes.is_empty() {
            return Some(kql::keys_of_size(&container.name, &sizes));
        }
        let id = state.chosen()?;
        let (row, _) = list.data.lookups.key_row(&list.data.capture, id)?;
        Some(kql::size_of_key(&container.name, row.key.as_deref()))
    });
    match query {
        Some(query) => vec![Effect::Copy(query.into())],
        None => nothing(),
    }
}

/// A query with invented names finds nothing, and one with the real ones would reveal them.
fn refusal(cx: &Cx, what: &str) -> Option<Vec<Effect>> {
    cx.mask.is_on().then(|| {
        let key = cx.keymap.shown(crate::ui::kit::action::Action::Mask);
        Effect::fail(
            format!("names are masked: {what} would reveal them"),
            Some(&format!("{} shows them again", key.unwrap_or_default())),
        )
    })
}
