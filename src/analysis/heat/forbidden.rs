//! 403s by physical partition, without any track: a key near 20 GB is full where its partition answers them.

use std::collections::{BTreeSet, HashMap};

use crate::model::capture::Capture;
use crate::model::load::FORBIDDEN;

use super::cells::ContainerCells;
use super::join::Join;
use super::points::Room;
use super::requests::{of_log, status, whole};

/// Those that may be of a full key: not where the log says another reason.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ForbiddenRequests {
    /// Of containers with a request log, by the index of the partition; None of others.
    by_partition: HashMap<(u32, Option<usize>), u64>,
    by_container: HashMap<u32, u64>,
}

impl ForbiddenRequests {
    pub fn of(capture: &Capture) -> Self {
        let load = &capture.load;
        let logged = load.requests.keys().filter(|c| c.status == FORBIDDEN);
        let measured = load.metrics.keys().filter(|m| status(m) == Some(FORBIDDEN));
        let logged = logged.map(|c| c.container);
        let containers: BTreeSet<u32> = logged.chain(measured.map(|m| m.container)).collect();
        let mut found = Self::default();
        for number in containers {
            let reasons = load.limited.get(&number);
            if !reasons.is_some_and(|l| l.of_full_keys == 0 && l.of_other_403 > 0) {
                found.add(capture, number);
            }
        }
        found
    }

    fn add(&mut self, capture: &Capture, number: u32) {
        let Some(container) = capture.container(number) else {
            return;
        };
        let load = &capture.load;
        let requests = load.requests.iter().filter(|(c, _)| c.container == number);
        let mut requests: Vec<_> = requests.collect();
        requests.sort_unstable_by_key(|(cell, _)| *cell);
        let metrics = load.metrics.iter().filter(|(m, _)| m.container == number);
        let metrics: Vec<_> = metrics.map(|(m, points)| (m, points.as_slice())).collect();
        let cells = ContainerCells { ru: &[], requests: &requests, metrics: &metrics };
        let join = Join::of(container, cells, load);
        let (_, sums, _) = of_log(&requests, capture, &join, &mut Room::default());
        let mut all = if sums.is_empty() { whole(&metrics).forbidden } else { 0 };
        for (partition, sum) in join.partitions.iter().zip(&sums) {
            all += sum.forbidden;
            let held = self.by_partition.entry((number, partition.known));
            *held.or_default() += sum.forbidden;
        }
        self.by_container.insert(number, all);
    }

    pub fn is_empty(&self) -> bool {
        self.by_container.is_empty()
    }

    /// Those of a partition of the capture; of the whole container where it is unknown which, or the metric has no partitions.
    pub fn to(&self, container: u32, partition: Option<usize>) -> u64 {
        let all = self.by_container.get(&container).copied().unwrap_or(0);
        let is_split = self.by_partition.keys().any(|(of, _)| *of == container);
        match partition {
            Some(_) if is_split => {
                let held = self.by_partition.get(&(container, partition));
                held.copied().unwrap_or(0)
            }
            _ => all,
        }
    }
}
