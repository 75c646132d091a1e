//! The mean of a cycle, where load is not followed second by second.

use super::server::{CyclePace, Server};
use super::{AUTOSCALE_LEAST, LapseEventKind, LoadMoment, LoadReplay, LoadTotals, hour_of, raise};
use crate::model::time::SECONDS_PER_HOUR;
use crate::model::units::real_seconds;

/// So long before a cycle its load runs once, to fill buckets and queues.
const WARM_UP_S: i64 = SECONDS_PER_HOUR;

/// The cycle of one partition.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct ServerMean {
    totals: LoadTotals,
    /// When its first 429s and the end of its saved RU come, from when the cycle was run on.
    moments: Vec<LoadMoment>,
    /// Of each hour of the cycle the largest part of the RU/s that is used in a second.
    hours: Vec<f64>,
}

impl Server {
    /// One whole cycle from a second on, after a time to fill buckets and queues.
    fn cycle(&self, at_s: i64, pace: &CyclePace) -> ServerMean {
        let mut run = self.clone();
        let (cycle_s, begin) = (pace.cycle_s, at_s.rem_euclid(pace.cycle_s));
        run.run(begin - WARM_UP_S.min(cycle_s), begin, pace, &mut Vec::new(), |_, _| {});
        run.totals = LoadTotals::default();
        (run.has_burst, run.has_throttled) = (false, false);
        let mut moments: Vec<LoadMoment> = Vec::new();
        let mut hours = vec![0.0; hour_of(cycle_s - 1) + 1];
        for (from, to, later) in [(begin, cycle_s, 0), (0, begin, cycle_s)] {
            let first = moments.len();
            run.run(from, to, pace, &mut moments, |second, used| raise(&mut hours, second, used));
            for moment in moments.iter_mut().skip(first) {
                moment.at_s += at_s - begin + later;
            }
        }
        ServerMean { totals: run.totals, moments, hours }
    }
}

impl LoadReplay<'_> {
    /// Runs the cycle of partitions whose load or RU/s are new, where seconds are not followed one by one.
    pub(super) fn follow_cycles(&mut self, at_s: i64) {
        if self.terms.is_exact {
            return;
        }
        let pace = self.pace();
        let mut hours = vec![AUTOSCALE_LEAST; hour_of(pace.cycle_s - 1) + 1];
        for server in &mut self.servers {
            let mean = server.mean.take().unwrap_or_else(|| server.cycle(at_s, &pace));
            for (most, used) in hours.iter_mut().zip(&mean.hours) {
                *most = most.max(*used);
            }
            server.mean = Some(mean);
        }
        let billed = (0..).zip(hours).map(|(hour, used)| {
            used * real_seconds(SECONDS_PER_HOUR.min(pace.cycle_s - hour * SECONDS_PER_HOUR))
        });
        self.billed_mean = billed.sum::<f64>() / real_seconds(pace.cycle_s);
    }

    /// The mean of the cycle for so long, and what first happens in it.
    pub(super) fn add_means(&mut self, from: i64, to: i64, out: &mut Vec<LoadMoment>) {
        let seconds = real_seconds(to.saturating_sub(from));
        let cycles = seconds / real_seconds(self.cycle_s());
        for server in &mut self.servers {
            let Some(mean) = &server.mean else {
                continue;
            };
            server.totals.add(&mean.totals, cycles);
            for moment in mean.moments.iter().filter(|moment| moment.at_s < to) {
                let has = match moment.kind {
                    LapseEventKind::BurstUsed => &mut server.has_burst,
                    _ => &mut server.has_throttled,
                };
                if !std::mem::replace(has, true) {
                    out.push(*moment);
                }
            }
        }
        self.billed += self.billed_mean * seconds;
        self.billed_s += seconds;
    }
}
