//! What keys are compared in, each by itself; what is good enough counts as equal.

use super::super::findings::Severity;
use super::super::routing::Routing;
use super::super::routing::workload::Workload;
use super::super::trial::routes::Routed;
use super::super::trial::{Settings, Trial};
use super::paths::asks;
use crate::model::units::real;

/// Of the limit: keys below it have room for ten times as much.
const SMALL: f64 = 0.1;
/// Largest over mean: green in every table of the screen.
const EVEN: f64 = 1.25;
/// Refused shares that retries hide.
const REFUSED: f64 = 0.01;
/// Differences below are those of chance.
const ALIKE: f64 = 0.02;

/// One key; less is better in all.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Measures {
    /// The largest logical partition, of the limit.
    pub largest_share: f64,
    /// Largest over mean of the partitions, by bytes or by documents, whichever is worse.
    pub load_ratio: f64,
    /// What the busiest key has of the last hours.
    pub hot_share: f64,
    /// The share of RU refused, at all or in the last hours, whichever is more.
    pub refused_share: f64,
    /// Physical partitions that a request asks which looks for documents, on average over their rates; none without such
    /// requests.
    pub visits: Option<f64>,
    /// Kinds of request that look for documents and ask all physical partitions. Told, not compared: rates are.
    pub fan_outs: u64,
    /// Documents that would meet others under one key and id.
    pub collisions: f64,
}

impl Measures {
    pub fn of(trial: &Trial, routed: &[Routed], workload: &Workload, settings: &Settings) -> Self {
        let placement = &trial.placement;
        let worse = |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).reduce(f64::max);
        // Of a sample the low end: what chance explains is no difference.
        let low = |ratio: Option<f64>, interval: Option<[f64; 2]>| interval.map(|i| i[0]).or(ratio);
        let by_bytes = low(
            placement.load_ratio_storage,
            placement.load_ratio_storage_interval,
        );
        let by_count = low(placement.load_ratio_ru, placement.load_ratio_ru_interval);
        let collisions = trial.collisions.as_ref().map_or(0, |c| c.documents);
        Self {
            largest_share: trial.largest_share_of_ceiling,
            load_ratio: worse(by_bytes, by_count).unwrap_or(1.0),
            hot_share: trial
                .now
                .as_ref()
                .map_or(trial.top_share.share, |now| now.top.share),
            refused_share: worse(placement.throttled_share, placement.throttled_share_now)
                .unwrap_or(0.0),
            visits: mean_visits(routed, workload, settings.partitions),
            fan_outs: fan_outs(routed, workload),
            collisions: real(collisions),
        }
    }

    /// Below what is good enough, better is no advantage.
    fn compared(&self, partitions: usize) -> [f64; 6] {
        let fair = 1.0 / real(partitions.max(1) as u64);
        [
            self.largest_share.max(SMALL),
            self.load_ratio.max(EVEN),
            // A fair share of a partition; a few documents of the last hours tell no less.
            self.hot_share.max(fair),
            self.refused_share.max(REFUSED),
            self.visits.unwrap_or(1.0),
            self.collisions,
        ]
    }

    /// As good in everything and better in something.
    pub(super) fn beats(&self, other: &Self, partitions: usize) -> bool {
        let (a, b) = (self.compared(partitions), other.compared(partitions));
        let pairs = || a.iter().zip(&b);
        let margin = |b: &f64| b.abs() * ALIKE;
        pairs().all(|(a, b)| *a <= b + margin(b)) && pairs().any(|(a, b)| *a < b - margin(b))
    }

    pub(super) fn is_like(&self, other: &Self, partitions: usize) -> bool {
        let (a, b) = (self.compared(partitions), other.compared(partitions));
        a.iter()
            .zip(&b)
            .all(|(a, b)| (a - b).abs() <= a.abs().max(b.abs()) * ALIKE)
    }

    /// By which those that none beats are ordered: what breaks a container before what costs, and of that what the
    /// requests are more of.
    pub(super) fn order(&self, partitions: usize, mix: Option<[f64; 2]>) -> [f64; 6] {
        let [size, ratio, hot, refused, visits, collisions] = self.compared(partitions);
        match mix {
            Some([reads, writes]) if reads > writes => {
                [collisions, refused, hot, size, visits, ratio]
            }
            _ => [collisions, refused, hot, size, ratio, visits],
        }
    }
}

/// By the rates of the requests; what cannot be told is taken to ask all. Documents that are sent whole always go to one.
fn mean_visits(routed: &[Routed], workload: &Workload, partitions: usize) -> Option<f64> {
    let all = real(partitions as u64);
    let (mut rates, mut visits) = (0.0, 0.0);
    for (request, routed) in workload.requests.iter().zip(routed) {
        if asks(request) {
            let rate = request.per_second.unwrap_or(1.0);
            rates += rate;
            visits += rate * routed.route.visits().unwrap_or(all);
        }
    }
    (rates > 0.0).then(|| visits / rates)
}

fn fan_outs(routed: &[Routed], workload: &Workload) -> u64 {
    let pairs = workload.requests.iter().zip(routed);
    let all = pairs.filter(|(request, routed)| {
        asks(request) && matches!(routed.route.routing, Routing::FanOut { .. })
    });
    all.count() as u64
}

/// Whether a rule forbids it.
pub(super) fn is_illegal(trial: &Trial) -> bool {
    // Documents that meet are counted by themselves.
    let mut alarms = trial
        .findings
        .iter()
        .filter(|f| f.severity == Severity::Alarm && f.rule != "id-collisions");
    // What is written now goes to one value, whatever else is good.
    alarms.next().is_some() || trial.findings.iter().any(|f| f.rule == "time-only")
}
