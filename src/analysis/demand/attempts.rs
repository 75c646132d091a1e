//! Requests and how many of them were answered with 429, by partition and in all, from request logs or metrics.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::analysis::heat::{ContainerHeat, Measure, ThrottledRu, Track};

use super::partitions::Partitions;
use crate::model::time::Stamp;
use crate::model::units::{real, real_seconds};

/// In less than a minute a share of 429s is mostly chance.
const LEAST_STEP_S: i64 = 60;

/// Requests of some time.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Counts {
    pub requests: f64,
    pub throttled: f64,
    /// Of the requests that were served.
    pub ru: f64,
    /// What the throttled ones would have cost, as far as the log has their operation.
    pub priced: ThrottledRu,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.throttled += other.throttled;
        self.ru += other.ru;
        self.priced.add(&other.priced);
    }

    /// None where nothing was asked for.
    pub fn throttled_share(&self) -> Option<f64> {
        (self.requests > 0.0).then(|| (self.throttled / self.requests).clamp(0.0, 1.0))
    }

    /// The part of the RU of all attempts that was throttled; of the attempts where their RU are not known.
    pub fn lost_share(&self) -> Option<f64> {
        let lost = self.ru_of_429().map(|charge| charge * self.throttled);
        let of_ru =
            lost.filter(|lost| self.ru > 0.0 && *lost > 0.0).map(|lost| lost / (self.ru + lost));
        of_ru.or_else(|| self.throttled_share())
    }

    /// Mean RU of a throttled request; of what was served where its own operation is not known.
    pub fn ru_of_429(&self) -> Option<f64> {
        let priced = (self.priced.ru > 0.0).then(|| self.priced.ru / self.priced.requests);
        priced.or_else(|| self.ru_per_request())
    }

    /// Variance of RU by their mean, where requests arrive by chance.
    pub fn chance(&self) -> Option<f64> {
        let priced = (self.priced.ru > 0.0).then(|| self.priced.squares / self.priced.ru);
        priced.or_else(|| self.ru_per_request())
    }

    /// None where no input has the RU of requests, which is not that they cost none.
    pub fn ru_per_request(&self) -> Option<f64> {
        let served = self.requests - self.throttled;
        (served >= 1.0 && self.ru > 0.0).then(|| self.ru / served)
    }
}

/// What was refused within a stretch of time.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Attempts {
    /// By the number of the partition in `ContainerHeat`; empty where only the container is known as a whole.
    by_partition: BTreeMap<u32, Counts>,
    pub all: Counts,
    /// Of all times, by partition and start of a step.
    by_step: BTreeMap<(u32, i64), Counts>,
    step_s: i64,
    pub from: String,
}

impl Attempts {
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
        let mut out = Self { from: requests.from.clone(), ..Self::default() };
        let none = Counts::default();
        for (measure, counted) in [
            (Measure::Requests, (|n, of| Counts { requests: n, ..of }) as fn(f64, Counts) -> _),
            (Measure::Throttled, |n, of| Counts { throttled: n, ..of }),
            (Measure::RequestRu, |n, of| Counts { ru: n, ..of }),
        ] {
            let Some(track) = of_region(heat, measure, requests.region.as_ref().or(region)) else {
                continue;
            };
            let step = i64::from(track.step_s.max(1));
            out.step_s = out.step_s.max(step.max(LEAST_STEP_S));
            for (partition, series) in (0_u32..).zip(&track.series) {
                let points = series.points(i64::MIN, i64::MAX);
                for (second, rate) in points.filter(|(_, rate)| rate.is_finite()) {
                    let count = f64::from(rate) * f64::from(track.step_s);
                    out.add((partition, second, step), window, &counted(count, none));
                }
            }
        }
        let step = i64::from(requests.step_s.max(1));
        for ((region, partition, second), priced) in &heat.ru_of_429s {
            if *region == requests.region {
                let priced = Counts { priced: *priced, ..none };
                out.add((*partition, *second, step), window, &priced);
            }
        }
        (out.all.requests > 0.0).then_some(out)
    }

    /// Adds the counts of a step. One that only reaches into the window counts: totals of five minutes are no finer.
    fn add(
        &mut self,
        (partition, second, step): (u32, i64, i64),
        window: Option<(i64, i64)>,
        counts: &Counts,
    ) {
        let start = self.start_of(second);
        self.by_step.entry((partition, start)).or_default().add(counts);
        if window.is_none_or(|(from, to)| second > from.saturating_sub(step) && second < to) {
            self.by_partition.entry(partition).or_default().add(counts);
            self.all.add(counts);
        }
    }

    fn whole(heat: &ContainerHeat) -> Option<Self> {
        let all = Counts {
            requests: real(heat.whole.requests?),
            throttled: real(heat.whole.throttled?),
            ru: heat.whole.ru.unwrap_or(0.0),
            priced: ThrottledRu::default(),
        };
        (all.requests > 0.0).then(|| Self {
            all,
            from: "metric TotalRequests, all partitions together".to_owned(),
            ..Self::default()
        })
    }

    pub fn on(&self, partition: u32) -> Option<Counts> {
        self.by_partition.get(&partition).copied()
    }

    /// By the number of the partition in `ContainerHeat`.
    pub fn partitions(&self) -> impl Iterator<Item = (u32, Counts)> + '_ {
        self.by_partition.iter().map(|(number, counts)| (*number, *counts))
    }

    /// Starts and counts of the steps that reach into `[from, to)`, of a partition or of all.
    fn steps(
        &self,
        partition: Option<u32>,
        from: i64,
        to: i64,
    ) -> impl Iterator<Item = (i64, &Counts)> {
        let of = self.by_step.iter().filter(move |((number, start), _)| {
            let is_asked = partition.is_none_or(|wanted| wanted == *number);
            is_asked && start.saturating_add(self.step_s) > from && *start < to
        });
        of.map(|((_, start), counts)| (*start, counts))
    }

    /// Requests of a partition, or of all, between two moments, and the 429s a second of the step with most; a step that
    /// reaches into them counts.
    pub fn between(&self, partition: Option<u32>, from: i64, to: i64) -> Option<(Counts, f64)> {
        let (mut sum, mut by_start) = (Counts::default(), BTreeMap::<i64, f64>::new());
        for (start, counts) in self.steps(partition, from, to) {
            sum.add(counts);
            *by_start.entry(start).or_default() += counts.throttled;
        }
        let most = by_start.into_values().fold(0.0, f64::max);
        let is_known = from < to && !self.by_step.is_empty();
        is_known.then(|| (sum, most / real_seconds(self.step_s.max(1))))
    }

    /// The first step that reaches into `[from, to)` in which a partition, or any, answered with 429, and its seconds.
    pub fn throttled_since(
        &self,
        partition: Option<u32>,
        from: i64,
        to: i64,
    ) -> Option<(Stamp, u32)> {
        let throttled =
            self.steps(partition, from, to).filter(|(_, counts)| counts.throttled > 0.0);
        let first = throttled.map(|(start, _)| start).min()?;
        Some((Stamp::from_seconds(first)?, u32::try_from(self.step_s).ok()?))
    }

    /// Whether any of them is counted by a partition that is known.
    pub fn knows(&self, partitions: &Partitions) -> bool {
        let mut of = self.by_step.keys();
        of.any(|(number, _)| partitions.place(*number).is_some())
    }

    /// Requests to a partition in the step that holds a second.
    pub fn counts_at(&self, partition: u32, second: i64) -> Option<Counts> {
        self.by_step.get(&(partition, self.start_of(second))).copied()
    }

    /// The start of the step that holds a second.
    pub fn start_of(&self, second: i64) -> i64 {
        second.div_euclid(self.step_s.max(1)) * self.step_s.max(1)
    }

    /// RU that the 429s of no known partition would have cost; None where no charge is known.
    pub fn unjoined_ru(&self, partitions: &Partitions) -> Option<f64> {
        if self.by_step.is_empty() {
            return match self.all.throttled {
                none if none <= 0.0 => Some(0.0),
                throttled => Some(throttled * self.all.ru_of_429()?),
            };
        }
        let unjoined = self.by_step.iter();
        let unjoined = unjoined.filter(|((number, _), _)| partitions.place(*number).is_none());
        let mut sum = Counts::default();
        for (_, counts) in unjoined {
            sum.add(counts);
        }
        if sum.throttled <= 0.0 {
            return Some(0.0);
        }
        Some(sum.throttled * sum.ru_of_429().or_else(|| self.all.ru_of_429())?)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A month of 1,700 requests a second.
    #[test]
    fn a_whole_month_is_counted() {
        let mut heat = ContainerHeat::default();
        (heat.whole.requests, heat.whole.throttled) = (Some(4_406_400_000), Some(4_300_000_000));
        let all = Attempts::of(&heat, None, None).map(|attempts| attempts.all);
        let share = all.and_then(|all| all.throttled_share());
        assert_eq!(share, Some(4_300_000_000.0 / 4_406_400_000.0));
    }

    #[test]
    fn a_total_of_minutes_is_not_a_rate_of_seconds() {
        let throttled = |throttled| Counts { throttled, ..Counts::default() };
        let of = Attempts {
            by_step: [((3, 0), throttled(41_000.0)), ((3, 300), throttled(0.0))].into(),
            step_s: 300,
            ..Attempts::default()
        };
        // An RU log of ten seconds beside totals of five minutes.
        for (partition, from, to, expected) in [
            (Some(3), 0, 10, (41_000.0, 41_000.0 / 300.0)),
            (None, 0, 600, (41_000.0, 41_000.0 / 300.0)),
            (Some(3), 60, 300, (41_000.0, 41_000.0 / 300.0)),
            (Some(1), 0, 10, (0.0, 0.0)),
        ] {
            let found = of.between(partition, from, to).map(|(sum, most)| (sum.throttled, most));
            assert_eq!(found, Some(expected));
        }
        // 429s before or after are of another time.
        for (from, to, expected) in
            [(-300, 0, None), (0, 10, Some(0)), (299, 600, Some(0)), (300, 600, None)]
        {
            let since = of.throttled_since(Some(3), from, to);
            assert_eq!(since.map(|(since, _)| since.seconds()), expected);
        }
    }
}
