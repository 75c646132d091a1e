//! Loads that go to the same partitions, and what a split changes of them.

use std::collections::{BTreeMap, HashMap};
use std::slice;
use std::sync::Arc;

use super::LoadReplay;
use crate::analysis::demand::outcome::LoadRoute;
use crate::analysis::demand::{Demand, DemandLoad, Requester};

/// The requests of one key on a partition, or those on it without a key.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    /// One of its loads.
    first: DemandLoad,
    stays: (u32, f64),
    /// Their numbers in the demand.
    loads: Vec<usize>,
}

pub(super) fn streams(demand: &Demand) -> Arc<[Stream]> {
    let mut all: BTreeMap<(Requester, u32), Stream> = BTreeMap::new();
    for (number, load) in demand.loads.iter().enumerate() {
        let stream = all.entry((load.requester, load.partition)).or_insert_with(|| Stream {
            first: *load,
            stays: (load.partition, 1.0),
            loads: Vec::new(),
        });
        stream.loads.push(number);
    }
    all.into_values().collect()
}

impl Stream {
    fn targets<'a>(&'a self, route: &'a LoadRoute) -> &'a [(u32, f64)] {
        match route.targets(&self.first) {
            [] => slice::from_ref(&self.stays),
            targets => targets,
        }
    }
}

impl LoadReplay<'_> {
    /// Whether the load of each partition may have changed: a split changes that of its two children only.
    pub(in super::super) fn with_other_load(
        &self,
        route: &LoadRoute,
        servers: &[(u32, f64)],
    ) -> Vec<bool> {
        let numbered = servers.iter().enumerate().map(|(place, (slot, _))| (*slot, place));
        let places: HashMap<u32, usize> = numbered.collect();
        let mut is_new = vec![false; servers.len()];
        for stream in &*self.streams {
            let before = stream.targets(&self.route).iter().map(|(place, part)| {
                (self.servers.get(*place as usize).map(|server| server.slot), part.to_bits())
            });
            let now = stream.targets(route).iter().map(|(place, part)| {
                (servers.get(*place as usize).map(|(slot, _)| *slot), part.to_bits())
            });
            // Both are in the order of the partitions: where one was split, what is before and behind it stays.
            let alike = before.clone().zip(now.clone()).take_while(|(a, b)| a == b).count();
            let (before, now) = (before.skip(alike), now.skip(alike));
            let behind = before.clone().rev().zip(now.clone().rev());
            let behind = behind.take_while(|(a, b)| a == b).count();
            let (gone, come) = (before.len() - behind, now.len() - behind);
            for (slot, _) in before.take(gone).chain(now.take(come)) {
                let place = slot.and_then(|slot| places.get(&slot));
                if let Some(is_new) = place.and_then(|place| is_new.get_mut(*place)) {
                    *is_new = true;
                }
            }
        }
        is_new
    }

    /// What goes to some partitions, in the order of time, and its way to these alone.
    pub(super) fn load_on(
        &self,
        partitions: &[bool],
        route: &LoadRoute,
    ) -> (Vec<DemandLoad>, LoadRoute) {
        let mut numbers: Vec<usize> = Vec::new();
        let mut on = LoadRoute {
            keys: vec![Vec::new(); route.keys.len()],
            keyless: vec![Vec::new(); route.keyless.len()],
        };
        for stream in &*self.streams {
            let is_here = |to: &&(u32, f64)| partitions.get(to.0 as usize) == Some(&true);
            let here: Vec<_> = stream.targets(route).iter().filter(is_here).copied().collect();
            if here.is_empty() {
                continue;
            }
            numbers.extend(&stream.loads);
            let targets = match stream.first.requester {
                Requester::Key(key) => on.keys.get_mut(key as usize),
                Requester::Keyless => on.keyless.get_mut(stream.first.partition as usize),
            };
            if let Some(targets) = targets.filter(|_| !route.targets(&stream.first).is_empty()) {
                *targets = here;
            }
        }
        numbers.sort_unstable();
        let loads = numbers.into_iter().filter_map(|number| self.demand.loads.get(number).copied());
        (loads.collect(), on)
    }
}
