//! Parts of columns into one, grouped by container.

use std::collections::BTreeMap;

use crate::model::capture::Capture;

use super::super::ceiling::Ceiling;
use super::{Cells, Columns, ColumnsPart, FirstKeys};

/// Joins all parts of a capture, given in their order. Works column by column, so that only one is held twice.
pub fn join(mut parts: Vec<ColumnsPart>, capture: &Capture, ceiling: Ceiling) -> Columns {
    let mut starts = vec![0_usize; capture.containers.len() + 1];
    for container in parts.iter().flat_map(|p| &p.containers) {
        // Counted one further: the sums of those before are where a container starts.
        if let Some(n) = starts.get_mut(*container as usize + 1) {
            *n += 1;
        }
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    let containers: Vec<Vec<u32>> =
        parts.iter_mut().map(|p| std::mem::take(&mut p.containers)).collect();
    let mut first_full: BTreeMap<u32, FirstKeys> = BTreeMap::new();
    for (container, keys) in parts.iter_mut().flat_map(|p| std::mem::take(&mut p.first_full)) {
        let first = first_full.entry(container).or_default();
        first.merge(keys, &capture.sizes);
    }
    let mut cells: Vec<Cells> = parts.into_iter().map(|p| p.cells).collect();
    let groups = Groups { starts: &starts, containers: &containers };
    let cells = Cells {
        ids: groups.column(&mut cells, |c| &mut c.ids),
        size_kib: groups.column(&mut cells, |c| &mut c.size_kib),
        growth_kib_per_day: groups.column(&mut cells, |c| &mut c.growth_kib_per_day),
        newest_ticks: groups.column(&mut cells, |c| &mut c.newest_ticks),
        limit_date: groups.column(&mut cells, |c| &mut c.limit_date),
        partition: groups.column(&mut cells, |c| &mut c.partition),
        ru: groups.column(&mut cells, |c| &mut c.ru),
        region: groups.column(&mut cells, |c| &mut c.region),
    };
    Columns { starts, cells, first_full, ceiling }
}

struct Groups<'a> {
    starts: &'a [usize],
    /// The container of each value, by part.
    containers: &'a [Vec<u32>],
}

impl Groups<'_> {
    /// One column of all parts, each value behind those of its container that came before.
    fn column<T: Copy>(
        &self,
        cells: &mut [Cells],
        of: impl Fn(&mut Cells) -> &mut Vec<T>,
    ) -> Vec<T> {
        let mut parts: Vec<Vec<T>> = cells.iter_mut().map(|c| std::mem::take(of(c))).collect();
        let Some(fill) = parts.iter().find_map(|p| p.first().copied()) else {
            return Vec::new();
        };
        if let [only] = parts.as_mut_slice()
            && self.has_one_container(only.len())
        {
            return std::mem::take(only);
        }
        let mut next = self.starts.to_vec();
        let mut out = vec![fill; self.starts.last().copied().unwrap_or(0)];
        for (containers, values) in self.containers.iter().zip(parts) {
            for (container, value) in containers.iter().zip(values) {
                let Some(place) = next.get_mut(*container as usize) else {
                    continue;
                };
                if let Some(slot) = out.get_mut(*place) {
                    *slot = value;
                }
                *place += 1;
            }
        }
        out
    }

    /// Nothing has to move then.
    fn has_one_container(&self, keys: usize) -> bool {
        self.starts.windows(2).any(|w| w == [0, keys])
    }
}
