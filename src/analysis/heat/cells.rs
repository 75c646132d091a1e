//! The load of a capture in an order of its own: what a map gives in any order is always summed in the same one.

use crate::model::load::{Load, RequestCell, RequestSum, RuCell, RuSum, SeriesName};
use crate::model::time::Stamp;

pub(in crate::analysis) type RuEntry<'l> = (&'l RuCell, &'l RuSum);
pub(in crate::analysis) type RequestEntry<'l> = (&'l RequestCell, &'l RequestSum);
pub(in crate::analysis) type MetricEntry<'l> = (&'l SeriesName, &'l [(Stamp, f64)]);

/// Everything, by container.
#[derive(Debug)]
pub(in crate::analysis) struct Cells<'l> {
    ru: Vec<RuEntry<'l>>,
    requests: Vec<RequestEntry<'l>>,
    metrics: Vec<MetricEntry<'l>>,
}

/// What is told of one container.
#[derive(Clone, Copy, Debug)]
pub(in crate::analysis) struct ContainerCells<'c, 'l> {
    pub ru: &'c [RuEntry<'l>],
    pub requests: &'c [RequestEntry<'l>],
    pub metrics: &'c [MetricEntry<'l>],
}

impl<'l> Cells<'l> {
    pub fn of(load: &'l Load) -> Self {
        #[cfg(test)]
        crate::model::work::count(crate::model::work::Work::LoadSorted);
        let mut ru: Vec<RuEntry<'l>> = load.ru.iter().collect();
        ru.sort_unstable_by_key(|(cell, _)| *cell);
        let mut requests: Vec<RequestEntry<'l>> = load.requests.iter().collect();
        requests.sort_unstable_by_key(|(cell, _)| *cell);
        let points = load.metrics.iter();
        let mut metrics: Vec<MetricEntry<'l>> = points.map(|(n, p)| (n, p.as_slice())).collect();
        metrics.sort_unstable_by(|(a, _), (b, _)| (a.container, a).cmp(&(b.container, b)));
        Self { ru, requests, metrics }
    }

    pub fn container(&self, number: u32) -> ContainerCells<'_, 'l> {
        ContainerCells {
            ru: part(&self.ru, number, |(cell, _)| cell.container),
            requests: part(&self.requests, number, |(cell, _)| cell.container),
            metrics: part(&self.metrics, number, |(name, _)| name.container),
        }
    }
}

fn part<T>(sorted: &[T], number: u32, container: impl Fn(&T) -> u32) -> &[T] {
    let from = sorted.partition_point(|entry| container(entry) < number);
    let to = sorted.partition_point(|entry| container(entry) <= number);
    sorted.get(from..to).unwrap_or_default()
}
