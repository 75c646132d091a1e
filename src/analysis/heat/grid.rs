//! The map: partitions in an order against cells of time; a cell that holds several values shows the highest.

use std::cmp::Ordering;

use crate::model::capture::Container;
use crate::model::epk::Epk;

use super::series::{NOTHING, Series, name_gaps};
use super::{ContainerHeat, Partition, RangeName, Track, Unit};

pub use super::series::TrackStatistics;
pub use super::window::{WIDTHS_S, Window};

words! {
    /// In which order partitions stand.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum GridOrder {
        #[default]
        Hottest = "hottest",
        Id = "id",
        HashRange = "hash range",
        Size = "size",
    }
    fn name, ALL
}

/// Cells of a window: row by row, NaN where nothing is told.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Grid {
    pub columns: usize,
    pub cells: Vec<f32>,
}

impl Grid {
    pub fn row(&self, row: usize) -> &[f32] {
        let from = row.saturating_mul(self.columns);
        self.cells.get(from..from.saturating_add(self.columns)).unwrap_or_default()
    }
}

/// The cells of some partitions, each row the highest of `merged` partitions (1: one row for each).
pub fn grid(track: &Track, partitions: &[u32], merged: usize, window: Window) -> Grid {
    let merged = merged.max(1);
    let columns = window.columns;
    let rows = partitions.len().div_ceil(merged);
    let mut cells = vec![NOTHING; rows.saturating_mul(columns)];
    if columns > 0 {
        let together = partitions.chunks(merged);
        for (row, together) in cells.chunks_exact_mut(columns).zip(together) {
            let series = together.iter().filter_map(|p| series(track, *p));
            for series in series {
                series.raise(window.from, window.width_s, row);
            }
        }
    }
    name_gaps(&mut cells);
    Grid { columns, cells }
}

fn series(track: &Track, partition: u32) -> Option<&Series> {
    track.series.get(partition as usize)
}

/// Partition indices in an order; those of which the track tells nothing come last when the hottest come first.
pub fn order(
    heat: &ContainerHeat,
    track: &Track,
    container: &Container,
    order: GridOrder,
) -> Vec<u32> {
    let mut indices: Vec<u32> = (0_u32..).zip(&heat.partitions).map(|(index, _)| index).collect();
    let partition = |index: u32| heat.partitions.get(index as usize);
    let by_name = |a: &u32, b: &u32| match (partition(*a), partition(*b)) {
        (Some(a), Some(b)) => by_named(&a.named, &b.named),
        _ => a.cmp(b),
    };
    match order {
        GridOrder::Id => indices.sort_by(by_name),
        GridOrder::Hottest => {
            indices.sort_by(|a, b| {
                let hotter = match (track.standing(*a), track.standing(*b)) {
                    (Some(a), Some(b)) => hotter(&a, &b),
                    (a, b) => b.is_some().cmp(&a.is_some()),
                };
                hotter.then_with(|| by_name(a, b))
            });
        }
        GridOrder::Size => indices.sort_by(|a, b| {
            let kib = |index: u32| partition(index).and_then(|p| p.kib).unwrap_or(-1.0);
            kib(*b).total_cmp(&kib(*a)).then_with(|| by_name(a, b))
        }),
        GridOrder::HashRange => {
            let begins = |index: &u32| partition(*index).and_then(|p| begins(p, container));
            indices.sort_by(by_name);
            indices.sort_by_cached_key(|index| {
                let begins = begins(index);
                (begins.is_none(), begins)
            });
        }
    }
    indices
}

/// Where the hash range of a partition begins.
fn begins(partition: &Partition, container: &Container) -> Option<Epk> {
    let known = container.partitions.get(partition.known?)?;
    Epk::from_hex(known.min_inclusive.as_deref()?)
}

pub(super) fn by_named(a: &RangeName, b: &RangeName) -> Ordering {
    match (a, b) {
        (RangeName::Range(a), RangeName::Range(b)) => by_id(a, b),
        _ => a.cmp(b),
    }
}

/// Ids are numbers in text.
pub fn by_id(a: &str, b: &str) -> Ordering {
    let number = |id: &str| id.parse::<u64>().unwrap_or(u64::MAX);
    number(a).cmp(&number(b)).then_with(|| a.cmp(b))
}

/// Less for what is hotter: longer at all it can give, then the higher peak, then the higher p99. Time at the limit comes
/// first because that is when requests are refused; a short incident in a long log would not show in a p99.
pub fn hotter(a: &TrackStatistics, b: &TrackStatistics) -> Ordering {
    b.saturated_s
        .cmp(&a.saturated_s)
        .then(b.highest.total_cmp(&a.highest))
        .then(b.p99.total_cmp(&a.p99))
}

/// None where the track tells nothing of the partition in `[from, to)`.
pub fn standing(track: &Track, partition: u32, from: i64, to: i64) -> Option<TrackStatistics> {
    let found = series(track, partition)?.extremes(from, to)?;
    let is_share = track.measure.unit() == Unit::Share;
    Some(TrackStatistics { saturated_s: found.saturated_s.filter(|_| is_share), ..found })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::super::Measure;
    use super::*;
    use proptest::prelude::*;

    fn track(series: Vec<Series>, step_s: u32) -> Track {
        Track::new(Measure::NormalizedRu, None, step_s, series, String::new())
    }

    #[test]
    fn time_at_the_limit_comes_before_a_higher_peak() {
        let minutes = |values: &[f64]| {
            let points: Vec<(i64, f64)> = (0..).step_by(60).zip(values.iter().copied()).collect();
            Series::of(&points, 60)
        };
        let track = track(
            vec![
                minutes(&[0.5, 0.9]),
                minutes(&[1.0, 1.0]),
                minutes(&[1.2, 0.1]),
                Series::default(),
            ],
            60,
        );
        let (hottest, standing) = track.hottest().unwrap();
        assert_eq!((hottest, standing.saturated_s), (1, Some(120)));
        assert_eq!(track.standing(2).unwrap().saturated_s, Some(60));
        assert_eq!(track.standing(3), None);
        assert_eq!(super::standing(&track, 2, 60, 120).unwrap().saturated_s, Some(0));
        assert_eq!(super::standing(&track, 9, 0, 60), None);
    }

    #[test]
    fn sizes_that_show_nothing_are_safe() {
        let track = track(vec![Series::of(&[(0, 1.0)], 1)], 1);
        let window = |columns| Window::around(0, 10, columns, 1);
        assert!(grid(&track, &[], 0, window(3)).cells.is_empty());
        let none = Window { columns: 0, ..window(1) };
        assert!(grid(&track, &[0, 5], 1, none).cells.is_empty());
        assert_eq!(grid(&track, &[5], 1, window(10)).row(1), &[0.0_f32; 0]);
        assert!(grid(&track, &[5], 1, window(10)).row(0)[0].is_nan());
    }

    proptest! {
        #[test]
        fn merged_rows_show_the_highest_of_their_partitions(
            values in proptest::collection::vec(
                proptest::collection::vec((0_i64..5000, 0.0..1.0_f64), 0..40),
                0..12,
            ),
            merged in 0_usize..5,
            from in -100_i64..4000,
            len in 1_i64..6000,
            columns in 2_usize..40,
        ) {
            let series: Vec<Series> = values.iter().map(|points| Series::of(points, 10)).collect();
            let track = track(series, 10);
            let window = Window::around(from, from + len, columns, 10);
            let partitions: Vec<u32> = (0..).take(values.len()).collect();
            let whole = grid(&track, &partitions, merged, window);
            let step = merged.max(1);
            prop_assert_eq!(whole.cells.len(), values.len().div_ceil(step) * columns);
            for (row, together) in partitions.chunks(step).enumerate() {
                for (column, cell) in whole.row(row).iter().enumerate() {
                    let (from, to) = window.cell(column);
                    let reads = together.iter().filter_map(|p| track.series[*p as usize].read(from, to));
                    let highest = reads.map(|r| r.highest).reduce(f64::max);
                    prop_assert_eq!((!cell.is_nan()).then(|| f64::from(*cell)), highest);
                }
            }
        }
    }
}
