//! Keys that a person marked, to be copied or exported together.

use std::collections::BTreeMap;

use crate::analysis::skew::Total;
use crate::model::logical::KeyId;
use crate::model::units::count_text;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::msg::Effect;
use crate::ui::view::keys::KeysState;
use crate::work::data::Arranged;

/// Marks are made and looked up one by one between two frames; who wants more keys than this wants a filter.
pub const MAX_MARKS: usize = 10_000;

/// Marked keys of the data that is shown, with their sizes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Marks {
    sizes_kib: BTreeMap<KeyId, f64>,
}

impl Marks {
    pub fn len(&self) -> usize {
        self.sizes_kib.len()
    }

    pub fn is_empty(&self) -> bool {
        self.sizes_kib.is_empty()
    }

    pub fn contains(&self, id: KeyId) -> bool {
        self.sizes_kib.contains_key(&id)
    }

    pub fn ids(&self) -> Vec<KeyId> {
        self.sizes_kib.keys().copied().collect()
    }

    pub fn sum_kib(&self) -> f64 {
        let mut sum = Total::default();
        self.sizes_kib.values().for_each(|kib| sum.add(*kib));
        sum.value()
    }

    /// The same keys in other data, as far as it has them.
    pub fn renew(&mut self, list: &Arranged, ids: &[KeyId]) {
        self.sizes_kib.clear();
        for id in ids {
            self.mark(list, *id);
        }
    }

    fn mark(&mut self, list: &Arranged, id: KeyId) {
        let size = || {
            let columns = list.columns()?;
            Some(columns.key(columns.find(id)?)?.size_kib)
        };
        if let Some(kib) = size() {
            self.sizes_kib.insert(id, kib);
        }
    }
}

/// Marks the chosen key or takes its mark away, and goes on to the next.
pub fn toggle(state: &mut KeysState, cx: &Cx) -> Vec<Effect> {
    let rows = state.areas(cx, cx.body()).list_rows();
    let (Some(list), Some(id)) = (state.list.clone(), state.chosen()) else {
        return Effect::fail("only keys with a reported size can be marked", None);
    };
    if state.marks.sizes_kib.remove(&id).is_none() {
        if state.marks.len() >= MAX_MARKS {
            return refusal();
        }
        state.marks.mark(&list, id);
    }
    let count = state.rows();
    state.cursor.act(Action::NextRow, count, rows);
    state.anchor = state.chosen().or(state.anchor);
    Vec::new()
}

/// Marks every key that the filter shows; all or none.
pub fn mark_all(state: &mut KeysState) -> Vec<Effect> {
    let Some(list) = state.list.clone() else {
        return Vec::new();
    };
    // What is marked already may be among them: only more rows than marks can never fit.
    if list.len() > MAX_MARKS {
        return refusal();
    }
    let mut marks = state.marks.clone();
    for id in (0..list.len()).filter_map(|place| list.id(place)) {
        marks.mark(&list, id);
    }
    if marks.len() > MAX_MARKS {
        return refusal();
    }
    state.marks = marks;
    state.anchor = state.chosen().or(state.anchor);
    Vec::new()
}

fn refusal() -> Vec<Effect> {
    Effect::fail(
        format!("no more than {} keys can be marked", count_text(MAX_MARKS as u64)),
        Some("a filter takes any number; e exports all that it shows"),
    )
}

pub fn clear(state: &mut KeysState) {
    state.marks = Marks::default();
}
