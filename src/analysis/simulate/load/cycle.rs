//! The mean of a cycle, where load is not followed second by second.

use std::collections::HashMap;

use super::{AUTOSCALE_LEAST, HOUR_S, LoadMoment, LoadReplay, LoadTotals};
use crate::analysis::demand::outcome::StepLoad;
use crate::model::units::real_seconds;

/// So long before a cycle its load runs once, to fill buckets and queues.
const WARM_UP_S: i64 = 3_600;

/// What one cycle comes to, where not each second is followed.
#[derive(Clone, Debug, Default)]
pub(super) struct CycleMean {
    pub by_server: Vec<ServerMean>,
    pub billed: f64,
}

/// The cycle of one partition.
#[derive(Clone, Debug, Default)]
pub(super) struct ServerMean {
    slot: u32,
    /// Of which RU/s and loads this is.
    of: [u64; 3],
    pub totals: LoadTotals,
    /// Seconds after its begin.
    pub moments: Vec<LoadMoment>,
    /// Of each hour the largest part of the RU/s that was used in a second; none before it was followed.
    hours: Vec<f64>,
}

impl ServerMean {
    fn is_new(&self) -> bool {
        self.hours.is_empty()
    }
}

impl LoadReplay<'_> {
    /// One whole cycle on the partitions as they are, after a time to fill buckets and queues: of those whose load is what
    /// it was before, that of before.
    pub(super) fn cycle_mean(&self, before: CycleMean) -> CycleMean {
        let mut loads = vec![[0.0; 2]; self.servers.len()];
        for load in &self.loads {
            if let Some([sum, by_time]) = loads.get_mut(load.partition as usize) {
                let at_s = real_seconds(load.second.saturating_sub(self.demand.span.0));
                *sum += load.ru_per_second;
                *by_time += load.ru_per_second * (at_s + 1.0);
            }
        }
        let mut held: HashMap<u32, ServerMean> =
            before.by_server.into_iter().map(|mean| (mean.slot, mean)).collect();
        let servers = self.servers.iter().zip(&loads);
        let of = servers.map(|(server, [sum, by_time])| {
            let of = [server.capacity, *sum, *by_time].map(f64::to_bits);
            let before = held.remove(&server.slot).filter(|mean| mean.of == of);
            before.unwrap_or(ServerMean { slot: server.slot, of, ..ServerMean::default() })
        });
        let mut by_server: Vec<ServerMean> = of.collect();
        self.follow_cycle(&mut by_server);
        let hours = (0_i64..).zip(by_server.first().map_or(0..0, |mean| 0..mean.hours.len()));
        let cycle = self.cycle_s();
        let billed = hours.map(|(hour, at)| {
            let seconds = real_seconds(HOUR_S.min(cycle - hour * HOUR_S));
            let used = by_server.iter().filter_map(|mean| mean.hours.get(at).copied());
            used.fold(AUTOSCALE_LEAST, f64::max) * seconds
        });
        let billed = billed.sum::<f64>() / real_seconds(cycle);
        CycleMean { by_server, billed }
    }

    /// Fills in what is not known: the others are left out.
    fn follow_cycle(&self, by_server: &mut [ServerMean]) {
        let mut place = vec![None; by_server.len()];
        let mut servers = Vec::new();
        let slots = place.iter_mut().zip(&self.servers).zip(&*by_server);
        for ((place, server), _) in slots.filter(|(_, mean)| mean.is_new()) {
            *place = u32::try_from(servers.len()).ok();
            servers.push(server.clone());
        }
        if servers.is_empty() {
            return;
        }
        let here = |load: &StepLoad| {
            let partition = (*place.get(load.partition as usize)?)?;
            Some(StepLoad { partition, ..*load })
        };
        let mut run = Self {
            loads: self.loads.iter().filter_map(here).collect(),
            now: vec![0.0; servers.len()],
            servers,
            ..Self::without_servers(self.demand, self.terms)
        };
        let cycle = run.cycle_s();
        let warm_up = WARM_UP_S.min(cycle);
        run.phase = cycle - warm_up;
        let second = run.demand.span.0.saturating_add(run.phase);
        run.next = run.loads.partition_point(|l| l.second < second);
        let mut moments = Vec::new();
        for at in -warm_up..0 {
            run.second(at, &mut moments);
        }
        moments.clear();
        for server in &mut run.servers {
            server.totals = LoadTotals::default();
            (server.has_burst, server.has_throttled) = (false, false);
            server.hour_use = 0.0;
        }
        let mut hours = vec![Vec::new(); run.servers.len()];
        for at in 0..cycle {
            run.second(at, &mut moments);
            if (at + 1) % HOUR_S == 0 || at + 1 == cycle {
                for (server, hours) in run.servers.iter_mut().zip(&mut hours) {
                    hours.push(std::mem::take(&mut server.hour_use));
                }
            }
        }
        let new = by_server.iter_mut().filter(|mean| mean.is_new());
        for ((mean, server), hours) in new.zip(&run.servers).zip(hours) {
            mean.totals = server.totals;
            mean.hours = hours;
            let own = moments.iter().filter(|moment| moment.slot == mean.slot);
            mean.moments = own.copied().collect();
        }
    }
}
