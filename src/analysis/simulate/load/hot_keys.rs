//! Keys that need more RU/s than one key can use.

use super::{LoadMoment, LoadReplay};
use crate::analysis::demand::{Demand, Requester};
use crate::analysis::simulate::LapseEventKind;
use crate::model::units::PARTITION_RU_PER_SECOND;

impl LoadReplay<'_> {
    /// Keys that come to all that one key can use.
    pub(super) fn watch_keys(&mut self, at_s: i64) {
        let mut found = hot_keys(self.demand, self.terms.factor);
        found.retain(|moment| moment.key.is_some_and(|key| self.seen_hot.insert(key)));
        for moment in &mut found {
            moment.at_s = moment.at_s.saturating_add(at_s);
        }
        self.hot_keys.extend(found);
    }
}

/// Keys that need all that one key can use, when they first do: a partition serves no more either, so nothing further is
/// throttled by it.
fn hot_keys(demand: &Demand, factor: f64) -> Vec<LoadMoment> {
    let mut seen = vec![false; demand.keys.len()];
    let mut found = Vec::new();
    for load in &demand.loads {
        let ru_per_second = load.ru_per_second * factor;
        let Requester::Key(key) = load.requester else {
            continue;
        };
        let named = demand.keys.get(key as usize);
        if ru_per_second >= PARTITION_RU_PER_SECOND
            && named.is_some_and(|key| !key.canonical.is_empty())
            && let Some(seen) = seen.get_mut(key as usize)
            && !std::mem::replace(seen, true)
        {
            found.push(LoadMoment {
                at_s: load.second.saturating_sub(demand.span.0),
                kind: LapseEventKind::KeyRu,
                // On today's partitions, which are numbered as slots are.
                slot: load.partition,
                key: Some(key),
                ru_per_second,
                limit: PARTITION_RU_PER_SECOND,
            });
        }
    }
    found
}
