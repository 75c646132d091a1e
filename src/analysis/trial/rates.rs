//! What the rates of a workload come to under the key of today.

use super::super::demand::{Demand, DemandLoad, Evidence, Requester};
use super::super::migration::write_ru;
use super::super::routing::workload::Request;
use super::super::routing::{self, RU_PER_VISIT};
use super::clock::Clock;
use super::routes::Routed;
use super::settings::Settings;

/// Of loads that no log has.
const STEP_S: u32 = 3_600;
const WEEK_S: i64 = 7 * 86_400;

/// A request without a rate is taken to be as frequent as the others are on average.
pub(super) fn usual_rate(rates: impl Iterator<Item = Option<f64>>) -> f64 {
    let (sum, n) = rates.flatten().fold((0.0, 0.0), |(sum, n), rate| (sum + rate, n + 1.0));
    if n > 0.0 { sum / n } else { 1.0 }
}

/// By how much a total is more than the rates of the requests come to; None where they come to nothing.
pub fn factor(total: f64, routed: &[Routed], settings: &Settings) -> Option<f64> {
    let reference = reference(routed, settings);
    (reference > 0.0).then_some(total / reference)
}

/// RU/s of all requests under the current key: as given, else as the rates of the workload are.
pub(super) fn total_today(routed: &[Routed], settings: &Settings) -> f64 {
    let given = settings.load_ru_per_second;
    given.unwrap_or_else(|| reference(routed, settings))
}

/// RU/s of the workload as its rates stand, under the current key where that is known.
fn reference(routed: &[Routed], settings: &Settings) -> f64 {
    let partitions = u32::try_from(settings.partitions).unwrap_or(u32::MAX);
    let layout = routing::RoutedLayout::even(partitions);
    let requests = &settings.workload.requests;
    let usual = usual_rate(requests.iter().map(|r| r.per_second));
    let current = settings.today.as_ref().and_then(|today| today.key.as_ref());
    let ru = |(request, routed): (&Request, &Routed)| {
        let route = current.map(|key| request.route(key, &layout));
        let visits = route.and_then(|route| route.visits()).unwrap_or(1.0);
        let further = RU_PER_VISIT * (visits - 1.0).max(0.0);
        request.per_second.unwrap_or(usual) * (routed.ru + further)
    };
    requests.iter().zip(routed).map(ru).sum()
}

/// The same load at all times.
pub(super) fn steady(ru_per_second: f64, charge: Option<f64>) -> Demand {
    hourly(0, &[ru_per_second], charge)
}

/// Writes of the last week by the documents' times, hour by hour, each at the RU of a document of this size with everything
/// indexed; `scale` are the documents that one at hand stands for. Reads are not in it.
pub(super) fn of_writes(clock: &Clock, scale: f64, bytes: f64) -> Demand {
    let whole = clock.whole();
    let hour = i64::from(STEP_S);
    let end = (i64::from(whole.to) / hour + 1) * hour;
    let begin = (i64::from(whole.from) / hour * hour).max(end - WEEK_S);
    let [_, ru] = write_ru(bytes);
    let each = ru * scale / f64::from(STEP_S);
    let hours = usize::try_from((end - begin) / hour).unwrap_or(0);
    let mut loads = vec![0.0; hours];
    for second in &clock.seconds {
        let at = (i64::from(*second) - begin).div_euclid(hour);
        if let Some(load) = usize::try_from(at).ok().and_then(|at| loads.get_mut(at)) {
            *load += each;
        }
    }
    hourly(begin, &loads, Some(ru))
}

/// RU/s of hours, of no key.
fn hourly(begin: i64, hours: &[f64], charge: Option<f64>) -> Demand {
    let seconds = (begin..).step_by(STEP_S as usize);
    let load = |(second, ru): (i64, &f64)| DemandLoad::served(second, Requester::Keyless, 0, *ru);
    let count = i64::try_from(hours.len()).unwrap_or(i64::MAX);
    let end = begin.saturating_add(i64::from(STEP_S).saturating_mul(count));
    Demand {
        loads: seconds.zip(hours).map(load).collect(),
        evidence: Evidence::RuLog,
        step_s: STEP_S,
        span: (begin, end),
        charge,
        ..Demand::default()
    }
}
