//! Keys that need more RU/s than one key can use.

use super::{LoadMoment, LoadReplay};
use crate::analysis::demand::{DemandLoad, Requester};
use crate::analysis::simulate::LapseEventKind;
use crate::model::units::PARTITION_RU_PER_SECOND;

impl LoadReplay<'_> {
    /// Keys that need all that one key can use, when they first do from a second on: a partition serves no more either, so
    /// nothing further is throttled by it.
    pub(super) fn watch_keys(&mut self, at_s: i64) {
        let (demand, cycle_s) = (self.demand, self.cycle_s());
        let (now, step_s) = (at_s.rem_euclid(cycle_s), i64::from(demand.step_s.max(1)));
        let begin = |load: &DemandLoad| load.second.saturating_sub(demand.span.0);
        let passed = demand.loads.partition_point(|load| begin(load) + step_s <= now);
        let (passed, ahead) = demand.loads.split_at(passed);
        for load in ahead.iter().chain(passed) {
            let ru_per_second = load.ru_per_second * self.terms.factor;
            let Requester::Key(key) = load.requester else {
                continue;
            };
            let named = demand.keys.get(key as usize);
            if ru_per_second >= PARTITION_RU_PER_SECOND
                && named.is_some_and(|key| !key.canonical.is_empty())
                && self.seen_hot.insert(key)
            {
                let since = (now - begin(load)).rem_euclid(cycle_s);
                self.hot_keys.push(LoadMoment {
                    at_s: if since < step_s { at_s } else { at_s + cycle_s - since },
                    kind: LapseEventKind::KeyRu,
                    // On today's partitions, which are numbered as slots are.
                    slot: load.partition,
                    key: Some(key),
                    ru_per_second,
                    limit: PARTITION_RU_PER_SECOND,
                });
            }
        }
    }
}
