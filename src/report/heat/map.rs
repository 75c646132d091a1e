//! The map of a report: partitions against time, merged to what a page can hold; a merged cell shows the highest.

use std::collections::BTreeSet;

use crate::analysis::heat::grid::{Grid, Window, grid, standing};
use crate::analysis::heat::{Aggregate, ContainerHeat, RangeName, Track};

use crate::model::visible::{display_width, shorten, visible};

use super::TrackRow;
use super::scale::MapScale;
use super::words::value_text;

#[derive(Clone, PartialEq, Debug)]
pub struct HeatMap {
    pub track: TrackRow,
    pub window: Window,
    /// In the order asked for.
    pub rows: Vec<MapRow>,
    /// Partitions that one row stands for.
    pub merged: usize,
    pub scale: MapScale,
    /// All partitions in each cell of time, as `along` says.
    pub together: Vec<f32>,
    pub along: Aggregate,
    /// Seconds over which each rate of throttled requests (429) is averaged; None without such rates.
    pub throttled_step_s: Option<u32>,
    /// Partitions without a row: the track tells nothing of them.
    pub silent: usize,
}

#[derive(Clone, PartialEq, Debug)]
pub struct MapRow {
    /// Names of its partitions.
    pub partitions: Vec<String>,
    /// NaN where nothing is told.
    pub cells: Vec<f32>,
    /// Throttled requests (429) per second or as a share; empty where no input has them.
    pub throttled: Vec<f32>,
    pub p99: Option<f64>,
}

/// What a map is made of.
#[derive(Clone, Copy)]
pub(super) struct Plan<'a> {
    pub heat: &'a ContainerHeat,
    pub track: &'a Track,
    pub row: &'a TrackRow,
    pub throttled: Option<&'a Track>,
    pub order: &'a [u32],
    pub span: (i64, i64),
    pub columns: usize,
    pub rows: usize,
}

impl HeatMap {
    /// None where the track tells nothing in the span.
    pub(super) fn of(plan: Plan<'_>) -> Option<Self> {
        let (from, to) = plan.span;
        let reported = |p: &&u32| {
            let series = plan.track.series.get(**p as usize);
            series.is_some_and(|s| s.read(from, to).is_some())
        };
        let shown: Vec<u32> = plan.order.iter().filter(reported).copied().collect();
        if shown.is_empty() || plan.rows == 0 || plan.columns == 0 {
            return None;
        }
        let merged = shown.len().div_ceil(plan.rows);
        let mut window = Window::around(from, to, plan.columns, plan.track.step_s.max(1));
        // A page ends where the load ends.
        let last = window.column(to.saturating_sub(1));
        window.columns = last.map_or(window.columns, |column| column + 1);
        let grid = grid(plan.track, &shown, merged, window);
        let rows: Vec<MapRow> = shown
            .chunks(merged)
            .enumerate()
            .map(|(number, partitions)| row(plan, &grid, number, partitions, window))
            .collect();
        let cells = rows.iter().flat_map(|r| &r.cells);
        let highest = cells.copied().fold(f32::NAN, f32::max);
        let capacities: Option<Vec<f64>> = shown
            .iter()
            .map(|p| Some(plan.heat.partitions.get(*p as usize)?.capacity?.ru_per_second))
            .collect();
        let measure = plan.row.measure;
        let scale = MapScale::of(measure, &capacities.unwrap_or_default(), f64::from(highest));
        let mut together = vec![f32::NAN; window.columns];
        plan.track.together.fill(window.from, window.width_s, &mut together);
        Some(Self {
            track: plan.row.clone(),
            window,
            silent: silent(plan, &shown),
            throttled_step_s: plan.throttled.map(|track| track.step_s),
            rows,
            merged,
            scale,
            together,
            along: measure.along(),
        })
    }

    /// Whether any request was refused, and whether anything tells of it.
    pub(super) fn has_refused(&self) -> bool {
        self.rows.iter().any(|r| r.throttled.iter().any(|v| *v > 0.0))
    }

    /// `02:00:09 to 02:00:10` of a run of cells.
    pub(super) fn stretch(&self, first: usize, cells: usize) -> (i64, i64) {
        let last = first.saturating_add(cells.max(1)) - 1;
        (self.window.cell(first).0, self.window.cell(last).1)
    }

    /// What must be said of how it is cut.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let width = super::words::duration(u64::from(self.window.width_s));
        let finest = self.track.step_s == self.window.width_s;
        notes.push(if finest {
            format!("a cell is {width}, the finest there is")
        } else {
            format!(
                "a cell is {width} and shows the highest of its steps of {}",
                super::words::duration(u64::from(self.track.step_s))
            )
        });
        if self.merged > 1 {
            let plus = if self.merged > 2 {
                format!(" (+{} with the one named)", self.merged - 1)
            } else {
                String::new()
            };
            notes.push(format!(
                "a row is {} partitions{plus} and shows the highest of them",
                self.merged
            ));
        }
        match self.silent {
            0 => {}
            1 => notes.push("1 partition has no value here and no row".to_owned()),
            n => notes.push(format!("{n} partitions have no value here and no row")),
        }
        notes
    }

    pub(super) fn value(&self, value: f64) -> String {
        value_text(self.track.measure.unit(), value)
    }

    pub(super) fn highest_together(&self) -> f64 {
        f64::from(self.together.iter().copied().fold(f32::NAN, f32::max))
    }

    /// What the line over the map adds up.
    pub(super) fn together_words(&self) -> &'static str {
        match self.along {
            Aggregate::Sum => "all together",
            Aggregate::Highest => "highest of all",
        }
    }
}

/// Partitions without a row. Of those that stand there under two names only the kind that the track uses counts.
fn silent(plan: Plan<'_>, shown: &[u32]) -> usize {
    let named = |p: u32| plan.heat.partitions.get(p as usize).map(|p| &p.named);
    let is_guid = |p: u32| matches!(named(p), Some(RangeName::Guid(_)));
    let by_guid = plan.heat.unpaired() > 0 && shown.iter().any(|p| is_guid(*p));
    let mut unshown: BTreeSet<u32> = if by_guid {
        plan.order.iter().copied().filter(|p| is_guid(*p)).collect()
    } else {
        plan.heat.physical().collect()
    };
    for p in shown {
        unshown.remove(p);
    }
    unshown.len()
}

impl MapRow {
    /// `3`, `3, 4`, or `3 +4`, which the notes explain.
    pub(super) fn label(&self) -> String {
        match self.partitions.as_slice() {
            [] => String::new(),
            [one] => one.clone(),
            [one, other] => format!("{one}, {other}"),
            [first, more @ ..] => format!("{first} +{}", more.len()),
        }
    }

    /// Visible, in so many columns; a name is cut before the number of those beside it.
    pub(super) fn label_in(&self, columns: usize) -> String {
        let whole = self.label();
        let whole = visible(&whole);
        let more = self.partitions.len().saturating_sub(1);
        let (Some(first), 1..) = (self.partitions.first(), more) else {
            return shorten(&whole, columns);
        };
        if display_width(&whole) <= columns {
            return whole.into_owned();
        }
        let more = format!(" +{more}");
        let room = columns.saturating_sub(more.len());
        format!("{}{more}", shorten(&visible(first), room))
    }

    /// `partition 3`, `partitions 3 and 4`, or `partition 3 and 4 more`.
    pub(super) fn words(&self) -> String {
        match self.partitions.as_slice() {
            [] => String::new(),
            [one] => format!("partition {one}"),
            [one, other] => format!("partitions {one} and {other}"),
            [first, more @ ..] => format!("partition {first} and {} more", more.len()),
        }
    }
}

fn row(plan: Plan<'_>, grid: &Grid, number: usize, partitions: &[u32], window: Window) -> MapRow {
    let name = |p: &u32| plan.heat.partitions.get(*p as usize).map(|p| p.named.text().to_owned());
    let (from, to) = plan.span;
    let mut cells = grid.row(number).to_vec();
    cells.resize(window.columns, f32::NAN);
    let p99 = partitions
        .iter()
        .filter_map(|p| standing(plan.track, *p, from, to))
        .map(|s| s.p99)
        .reduce(f64::max);
    MapRow {
        partitions: partitions.iter().filter_map(name).collect(),
        cells,
        throttled: plan
            .throttled
            .map(|track| throttled(track, partitions, window))
            .unwrap_or_default(),
        p99,
    }
}

/// The highest of each cell, over all partitions of the row.
fn throttled(track: &Track, partitions: &[u32], window: Window) -> Vec<f32> {
    let mut highest = vec![f32::NAN; window.columns];
    let mut cells = highest.clone();
    for series in partitions.iter().filter_map(|p| track.series.get(*p as usize)) {
        series.fill(window.from, window.width_s, &mut cells);
        for (held, cell) in highest.iter_mut().zip(&cells) {
            *held = held.max(*cell);
        }
    }
    highest
}

#[cfg(test)]
#[expect(clippy::panic, clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::analysis::heat::series::Series;
    use crate::analysis::heat::{Measure, Partition};

    const START: i64 = 1_782_093_600;
    const STEPS: i64 = 1000;

    /// Calm partitions, of which one is hot for one step.
    fn heat(partitions: u32, hot: u32, at: i64) -> ContainerHeat {
        let series = (0..partitions).map(|p| {
            let share = |n| if p == hot && n == at { 1.5 } else { 0.1 };
            let points: Vec<(i64, f64)> = (0..STEPS).map(|n| (START + n * 60, share(n))).collect();
            Series::of(&points, 60)
        });
        let from = "metric".to_owned();
        let track = Track::new(Measure::NormalizedRu, None, 60, series.collect(), from);
        let partition = |id: u32| Partition {
            known: None,
            named: RangeName::Range(id.to_string()),
            capacity: None,
            kib: None,
        };
        ContainerHeat {
            partitions: (0..partitions).map(partition).collect(),
            tracks: vec![track],
            ..ContainerHeat::default()
        }
    }

    fn map(heat: &ContainerHeat, rows: usize, columns: usize) -> Option<HeatMap> {
        let row = TrackRow {
            measure: Measure::NormalizedRu,
            region: None,
            step_s: 60,
            from: String::new(),
            span: None,
        };
        let order: Vec<u32> = (0_u32..).take(heat.partitions.len()).collect();
        HeatMap::of(Plan {
            heat,
            track: &heat.tracks[0],
            row: &row,
            throttled: None,
            order: &order,
            span: heat.tracks[0].span().unwrap(),
            columns,
            rows,
        })
    }

    #[test]
    fn a_map_is_bounded_and_hides_no_hot_cell() {
        let heat = heat(450, 333, 777);
        let map = map(&heat, 200, 240).unwrap();
        assert_eq!((map.merged, map.rows.len()), (3, 150));
        assert!(map.window.columns <= 240, "{}", map.window.columns);
        let hot: Vec<&MapRow> = map.rows.iter().filter(|r| r.cells.contains(&1.5)).collect();
        let [row] = hot.as_slice() else { panic!("{hot:?}") };
        assert!(row.partitions.contains(&"333".to_owned()));
        let column = row.cells.iter().position(|v| *v >= 1.5).unwrap();
        let (from, to) = map.stretch(column, 1);
        assert!((from..to).contains(&(START + 777 * 60)));
        assert!(
            map.notes().iter().any(|n| n
                == "a row is 3 partitions (+2 with the one named) and shows the highest of them")
        );
        // It ends where the load ends: no gap is made up.
        assert!(row.cells.iter().all(|v| !v.is_nan()));
    }

    #[test]
    fn a_label_keeps_how_many_it_stands_for() {
        let row = |names: &[&str]| MapRow {
            partitions: names.iter().map(|n| (*n).to_owned()).collect(),
            cells: Vec::new(),
            throttled: Vec::new(),
            p99: None,
        };
        let label = |names: &[&str]| row(names).label_in(10);
        assert_eq!(label(&["3"]), "3");
        assert_eq!(label(&["20", "21"]), "20, 21");
        assert_eq!(label(&["20", "21", "22"]), "20 +2");
        let guid = "0000a003-0000-4000-8000-00000000a003";
        let cut = label(&[guid, guid]);
        assert!(cut.ends_with(" +1") && cut.chars().count() <= 10, "{cut}");
        assert_eq!(row(&["20", "21"]).words(), "partitions 20 and 21");
        assert_eq!(row(&["1", "2", "3"]).words(), "partition 1 and 2 more");
    }

    #[test]
    fn what_fits_is_not_merged_and_nothing_gives_no_map() {
        let heat = heat(4, 3, 7);
        let whole = map(&heat, 200, 2000).unwrap();
        assert_eq!((whole.merged, whole.rows.len(), whole.window.columns), (1, 4, 1000));
        assert!(map(&heat, 0, 240).is_none() && map(&heat, 200, 0).is_none());
    }
}
