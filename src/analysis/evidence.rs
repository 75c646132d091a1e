//! Which kinds of input there are of each container, and up to when they go.

use super::overview::{Missing, Overview};
use crate::model::capture::Capture;
use crate::model::time::Stamp;

/// What is known of a container, by the kind of input that it is known from.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct InputEvidence {
    pub ru_log: bool,
    pub metrics: bool,
    pub requests: bool,
    pub missing: Vec<Missing>,
    pub newest: Option<Stamp>,
}

/// Of every container, by its number in the capture.
pub fn of_containers(capture: &Capture, overview: &Overview) -> Vec<InputEvidence> {
    let mut out = vec![InputEvidence::default(); capture.containers.len()];
    let mut note = |number: u32, at: Option<Stamp>, set: &dyn Fn(&mut InputEvidence)| {
        if let Some(of_it) = out.get_mut(number as usize) {
            set(of_it);
            of_it.newest = of_it.newest.max(at);
        }
    };
    for row in &overview.rows {
        note(row.number, row.standing.newest, &|e| {
            e.missing.clone_from(&row.missing);
        });
    }
    let load = &capture.load;
    let stamp = |second: Option<i64>| second.and_then(Stamp::from_seconds);
    for cell in load.ru.keys() {
        note(cell.container, stamp(cell.second), &|e| e.ru_log = true);
    }
    for cell in load.requests.keys() {
        // Totals are of all of their time.
        let to = cell.second.map(|second| second + i64::from(cell.span_s));
        note(cell.container, stamp(to), &|e| e.requests = true);
    }
    for (series, points) in &load.metrics {
        let newest = points.iter().map(|(at, _)| *at).max();
        note(series.container, newest, &|e| e.metrics = true);
    }
    out
}
