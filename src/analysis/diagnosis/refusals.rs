//! Requests and how many of them were refused with 429, by partition and in all, from request logs or metrics.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::analysis::heat::{ContainerHeat, Measure, Track};

/// Requests of some time.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Counts {
    pub requests: f64,
    pub refused: f64,
    /// Of the requests that were served.
    pub ru: f64,
}

impl Counts {
    /// None where nothing was asked for.
    pub fn refused_share(&self) -> Option<f64> {
        (self.requests > 0.0).then(|| (self.refused / self.requests).clamp(0.0, 1.0))
    }

    pub fn ru_per_request(&self) -> Option<f64> {
        let served = self.requests - self.refused;
        (served >= 1.0).then(|| self.ru / served)
    }
}

/// What was refused within a stretch of time.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Refusals {
    /// By the number of the partition in `ContainerHeat`; empty where only the container is known as a whole.
    by_partition: BTreeMap<u32, Counts>,
    pub all: Counts,
    pub from: String,
}

impl Refusals {
    /// Of one region; of the metric of the whole container where there is no request log. None where nothing tells.
    pub fn of(
        heat: &ContainerHeat,
        region: Option<&Arc<str>>,
        window: Option<(i64, i64)>,
    ) -> Option<Self> {
        Self::logged(heat, region, window).or_else(|| Self::whole(heat))
    }

    fn logged(
        heat: &ContainerHeat,
        region: Option<&Arc<str>>,
        window: Option<(i64, i64)>,
    ) -> Option<Self> {
        let requests = of_region(heat, Measure::Requests, region)?;
        let mut out = Self {
            from: requests.from.clone(),
            ..Self::default()
        };
        for (measure, add) in [
            (
                Measure::Requests,
                (|c, n| c.requests += n) as fn(&mut Counts, f64),
            ),
            (Measure::Refused, |c, n| c.refused += n),
            (Measure::RequestRu, |c, n| c.ru += n),
        ] {
            let Some(track) = of_region(heat, measure, requests.region.as_ref().or(region)) else {
                continue;
            };
            let step = i64::from(track.step_s.max(1));
            // A step that only reaches into the window counts: totals of five minutes are no finer.
            let (from, to) = window.map_or((i64::MIN, i64::MAX), |(from, to)| {
                (from.saturating_sub(step - 1), to)
            });
            for (partition, series) in (0_u32..).zip(&track.series) {
                let rates = series.points(from, to).map(|(_, rate)| f64::from(rate));
                let sum = rates.filter(|r| r.is_finite()).sum::<f64>() * f64::from(track.step_s);
                add(out.by_partition.entry(partition).or_default(), sum);
                add(&mut out.all, sum);
            }
        }
        (out.all.requests > 0.0).then_some(out)
    }

    fn whole(heat: &ContainerHeat) -> Option<Self> {
        let number = |n: u64| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
        let all = Counts {
            requests: number(heat.whole.requests?),
            refused: number(heat.whole.refused?),
            ru: 0.0,
        };
        (all.requests > 0.0).then(|| Self {
            by_partition: BTreeMap::new(),
            all,
            from: "metric TotalRequests, all partitions together".to_owned(),
        })
    }

    pub fn on(&self, partition: u32) -> Option<Counts> {
        self.by_partition.get(&partition).copied()
    }

    /// By the number of the partition in `ContainerHeat`.
    pub fn partitions(&self) -> impl Iterator<Item = (u32, Counts)> + '_ {
        self.by_partition
            .iter()
            .map(|(number, counts)| (*number, *counts))
    }

    pub fn share_on(&self, partition: u32) -> Option<f64> {
        self.on(partition)?.refused_share()
    }

    pub fn knows_partitions(&self) -> bool {
        !self.by_partition.is_empty()
    }
}

/// The track of a region; the only one there is where inputs name regions differently.
fn of_region<'h>(
    heat: &'h ContainerHeat,
    measure: Measure,
    region: Option<&Arc<str>>,
) -> Option<&'h Track> {
    let mut tracks = heat.tracks_of(measure);
    tracks
        .find(|track| region.is_some() && track.region.as_ref() == region)
        .or_else(|| heat.track(measure))
}
