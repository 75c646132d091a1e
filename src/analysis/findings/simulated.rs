//! What a simulated time brings, as findings: writes that get 403, and throttling beyond what is healthy.

use super::{GateFinding, Severity, Strike};
use crate::analysis::rules::Rule;
use crate::analysis::simulate::{LapseEvent, LapseEventKind, TimeLapse};
use crate::model::units::percent_text;

/// Of the load.
pub const MOST_THROTTLED: f64 = 0.01;

/// One finding for each kind; `text` says an event with its moment.
pub fn simulated(
    lapse: &TimeLapse,
    text: impl Fn(&TimeLapse, &LapseEvent) -> String,
) -> Vec<GateFinding> {
    let finding = |kind: LapseEventKind, what: String, value: f64, threshold: f64| {
        let first = lapse.first(kind);
        let said = first.map(|event| format!("; first {}", text(lapse, event)));
        let sentence = what + &said.unwrap_or_default();
        let strike = Strike::new(Severity::Alarm, value, threshold);
        GateFinding {
            finding: strike.finding(Rule::Simulated, sentence),
            name: lapse.name.clone(),
            key: first.and_then(|event| event.key.clone()),
            candidate: None,
            share: value,
        }
    };
    let share = lapse.throttled_share().unwrap_or(0.0);
    let throttled = (share > MOST_THROTTLED).then(|| {
        let [share_text, most] = [share, MOST_THROTTLED].map(percent_text);
        let what = format!(
            "simulated: {share_text} of the load is throttled (429); the threshold is {most}"
        );
        // The share is of the container, not of the key that is throttled first.
        GateFinding { key: None, ..finding(LapseEventKind::Throttled, what, share, MOST_THROTTLED) }
    });
    let full = lapse.events.iter().filter(|e| e.kind == LapseEventKind::Forbidden);
    let full = crate::model::units::real(full.count() as u64);
    let forbidden = (full > 0.0).then(|| {
        let what = "simulated: writes get 403".to_owned();
        finding(LapseEventKind::Forbidden, what, full, 0.0)
    });
    forbidden.into_iter().chain(throttled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::simulate::{EventCause, LapseTotals, LoadTotals};

    /// The share is of all the container's load.
    #[test]
    fn what_is_throttled_is_a_finding_of_the_container_that_names_the_first_key() {
        let load = LoadTotals { requested: 100.0, throttled: 2.1, ..LoadTotals::default() };
        let lapse = TimeLapse {
            events: vec![LapseEvent {
                at_s: 9,
                kind: LapseEventKind::Throttled,
                partition: None,
                key: Some("[\"a\"]".into()),
                cause: EventCause::Load { ru_per_second: 2.0, limit: 1.0 },
            }],
            totals: LapseTotals { load: Some(load), ..LapseTotals::default() },
            ..TimeLapse::default()
        };
        let found = simulated(&lapse, |_, event| format!("{:?}", event.key));
        let found: Vec<_> = found.iter().map(|f| (&f.key, &f.finding.sentence)).collect();
        let [(None, sentence)] = found.as_slice() else { unreachable!("{found:?}") };
        assert!(sentence.contains("2.1 %") && sentence.contains("[\\\"a\\\"]"), "{sentence}");
    }
}
