//! One measure in one region, for each partition of the container.

use std::cmp::Ordering;
use std::sync::Arc;

use super::grid::{TrackStatistics, hotter, standing};
use super::series::Series;
use super::{Aggregate, Measure};

/// One measure in one region, for each partition of the container.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Track {
    pub measure: Measure,
    /// None where the input names no region.
    pub region: Option<Arc<str>>,
    /// Seconds of a step: the finest there is.
    pub step_s: u32,
    /// By the index of the partition; empty where nothing is told of it.
    pub series: Vec<Series>,
    /// All partitions together, as [`Measure::along`] says.
    pub together: Series,
    /// By the index of the partition, over all of its time.
    pub standings: Vec<Option<TrackStatistics>>,
    /// Where it comes from, in words: `metric NormalizedRUConsumption, 60 s`.
    pub from: String,
}

impl Track {
    pub fn new(
        measure: Measure,
        region: Option<Arc<str>>,
        step_s: u32,
        series: Vec<Series>,
        from: String,
    ) -> Self {
        let together = match measure.along() {
            Aggregate::Sum => Series::joined(&series, step_s, |a, b| a + b),
            Aggregate::Highest => Series::joined(&series, step_s, f64::max),
        };
        let mut track =
            Self { measure, region, step_s, series, together, standings: Vec::new(), from };
        track.standings = (0_u32..)
            .zip(&track.series)
            .map(|(partition, series)| {
                let (from, to) = series.span()?;
                standing(&track, partition, from, to)
            })
            .collect();
        track
    }

    /// Start of the first step and end of the last one, over all partitions.
    pub fn span(&self) -> Option<(i64, i64)> {
        self.together.span()
    }

    /// Over all of its time; None where nothing is told of the partition.
    pub fn standing(&self, partition: u32) -> Option<TrackStatistics> {
        self.standings.get(partition as usize).copied().flatten()
    }

    /// The hottest partition, over all of its time.
    pub fn hottest(&self) -> Option<(u32, TrackStatistics)> {
        let reported = (0_u32..).zip(&self.standings);
        reported
            .filter_map(|(partition, s)| Some((partition, (*s)?)))
            .min_by(|a, b| hotter(&a.1, &b.1).then(a.0.cmp(&b.0)))
    }

    /// Less for the region to be looked at first: the one with the hottest partition, or with the most of a sum.
    pub(super) fn busier(&self, other: &Self) -> Ordering {
        let sum = |track: &Self| -> f64 {
            let points = track.together.points(i64::MIN, i64::MAX);
            points.map(|(_, value)| f64::from(value)).sum()
        };
        match self.measure.along() {
            Aggregate::Sum => sum(other).total_cmp(&sum(self)),
            Aggregate::Highest => match (self.hottest(), other.hottest()) {
                (Some((_, a)), Some((_, b))) => hotter(&a, &b),
                (a, b) => b.is_some().cmp(&a.is_some()),
            },
        }
    }
}
