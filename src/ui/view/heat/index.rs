//! Which sizes belong to the keys of the RU logs, and the largest keys of each partition: looked for once a container.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use crate::analysis::columns::ContainerColumns;
use crate::analysis::heat::ContainerHeat;
use crate::model::key::Key;
use crate::model::load::RuKey;
use crate::model::visible::display_width;
use crate::report::key_text::key_text;
use crate::ui::view::heat::HeatState;
use crate::work::data::Dataset;
use crate::work::shared::Shared;

/// Keys of a partition that are known by their size alone: more are in the list of keys.
pub const LARGEST: usize = 50;
/// Those of a partition that are named with its storage.
pub const NAMED: usize = 6;

#[derive(Debug, Default)]
pub struct Index {
    made_of: Option<(Shared<Dataset>, u32)>,
    /// Rows of the container's columns by the key's canonical text; only of keys that the RU logs name.
    rows: HashMap<Box<str>, u32>,
    /// The largest keys by the index of the partition in the capture, the largest first; where none is known, those of the
    /// container.
    largest: Vec<Vec<u32>>,
    /// How many of these the partition with the most of them has.
    pub most_keys: usize,
    /// Columns of the longest name among the first of each.
    pub name_columns: usize,
}

impl Index {
    /// The row of the columns that holds a key's sizes.
    pub fn row(&self, canonical: &str) -> Option<u32> {
        self.rows.get(canonical).copied()
    }

    /// Rows of the columns of the largest keys of the container, where no partition is known.
    pub fn of_container(&self) -> &[u32] {
        self.largest.first().map_or(&[], Vec::as_slice)
    }

    /// Rows of the columns of the largest keys that a partition is known to hold.
    pub fn largest(&self, known: Option<usize>) -> &[u32] {
        let of = known.and_then(|known| self.largest.get(known));
        of.map_or(&[], Vec::as_slice)
    }
}

pub fn settle(state: &mut HeatState) {
    let Some(scope) = &state.scope else {
        state.index = Index::default();
        return;
    };
    let made_of = Some((scope.data.clone(), scope.container));
    if state.index.made_of == made_of {
        return;
    }
    let data = &scope.data;
    let mut index = Index { made_of, ..Index::default() };
    if let Some(columns) = data.columns.container(&data.capture, scope.container) {
        fill(&mut index, data, scope.heat(), &columns);
    }
    state.index = index;
}

fn fill(
    index: &mut Index,
    data: &Dataset,
    heat: Option<&ContainerHeat>,
    columns: &ContainerColumns<'_>,
) {
    let keys = &data.capture.load.keys;
    let named: HashSet<&str> = heat
        .into_iter()
        .flat_map(|heat| heat.keys.cells())
        .filter_map(|cell| match cell.key {
            RuKey::Named(number) => Some(keys.text(number)),
            RuKey::NotReported | RuKey::Other => None,
        })
        .collect();
    let has_partitions = !columns.container.partitions.is_empty();
    let order = |a: u32, b: u32| {
        let keys = columns.key(a).zip(columns.key(b));
        keys.map_or(Ordering::Equal, |(a, b)| {
            let by_size = b.size_kib.total_cmp(&a.size_kib);
            by_size.then_with(|| data.capture.sizes.text_order(a.id, b.id))
        })
    };
    index.largest = vec![Vec::new(); columns.container.partitions.len().max(1)];
    for (row, key) in (0..).zip(columns.keys) {
        // Nearly all keys of a large container have no RU of their own: their text is not looked at.
        if !key.ru.is_nan()
            && let Some(view) = data.capture.sizes.view(key.id)
            && named.contains(view.canonical())
        {
            index.rows.insert(view.canonical().into(), row);
        }
        let partition = key.partition_index().map(|at| at as usize);
        let partition = if has_partitions { partition } else { Some(0) };
        if let Some(held) = partition.and_then(|at| index.largest.get_mut(at)) {
            keep_largest(held, row, &order);
        }
    }
    index.most_keys = index.largest.iter().map(Vec::len).max().unwrap_or(0);
    let largest = index.largest.iter();
    let first = largest.flat_map(|held| held.iter().take(NAMED));
    let columns_of = first.filter_map(|row| {
        let key = Key::from_canonical(columns.row(*row)?.view()?.canonical())?;
        Some(display_width(&key_text(Some(&key.json()))))
    });
    index.name_columns = columns_of.max().unwrap_or(0);
}

/// Keeps the largest in order; most rows are smaller than all that are kept.
fn keep_largest(held: &mut Vec<u32>, row: u32, order: &impl Fn(u32, u32) -> Ordering) {
    let is_full = held.len() >= LARGEST;
    if is_full && held.last().is_some_and(|last| order(row, *last).is_ge()) {
        return;
    }
    let place = held.partition_point(|other| order(*other, row).is_le());
    held.insert(place, row);
    held.truncate(LARGEST);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_are_kept_in_order() {
        // Two of each size, in whatever order they come.
        let size = |row: u32| row / 2;
        let order = |a: u32, b: u32| size(b).cmp(&size(a)).then(a.cmp(&b));
        let mut held = Vec::new();
        for row in 0..200 {
            keep_largest(&mut held, row * 37 % 200, &order);
        }
        let expected: Vec<u32> = (75..100).rev().flat_map(|n| [2 * n, 2 * n + 1]).collect();
        assert_eq!(held, expected);
    }
}
