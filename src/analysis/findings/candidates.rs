//! What speaks against candidate keys on a sample of documents, as findings: for a gate that nobody reads until it closes.

use super::{Finding, Severity, full};
use crate::analysis::trial::Trial;
use crate::analysis::trial::verdict::{self, Reason, Verdict};
use crate::model::names::ContainerName;

/// Every reason of a verdict that is no all-clear, weightiest first; `max_logical` is the share of the ceiling at which
/// the largest logical partition raises an alarm.
pub fn of(
    trial: &Trial,
    verdict: &Verdict,
    name: &ContainerName,
    max_logical: f64,
) -> Vec<Finding> {
    let finding = |reason: &Reason| {
        let (severity, threshold) = weight(reason, trial, max_logical)?;
        let is_size = reason.rule == verdict::LARGEST_KEY;
        let largest = trial.top.first().filter(|_| is_size);
        Some(Finding {
            rule: reason.rule,
            severity,
            name: name.clone(),
            key: largest.map(|top| top.key.json().into()),
            candidate: Some(trial.candidate.to_string().into()),
            value: reason.measured.map(|m| m.value),
            threshold,
            message: reason.sentence.clone(),
            share: if is_size {
                trial.largest_share_of_ceiling
            } else {
                0.0
            },
        })
    };
    let mut found: Vec<Finding> = verdict.reasons.iter().filter_map(finding).collect();
    found.sort_by_key(|f| std::cmp::Reverse(f.severity));
    found
}

/// What cannot be told is worth a note at a gate; other notes of a verdict say that all is well, or only describe.
const UNTOLD: [&str; 2] = ["time-unknown", "routing-unknown"];

/// None for what is no finding: a number that did not pass its threshold, or a note that nothing speaks against.
fn weight(reason: &Reason, trial: &Trial, max_logical: f64) -> Option<(Severity, Option<f64>)> {
    if let (verdict::LARGEST_KEY, Some(measured)) = (reason.rule, reason.measured) {
        let strike = full(measured.value, max_logical)?;
        return Some((strike.severity, Some(strike.threshold)));
    }
    let is_of_form = || trial.findings.iter().any(|f| f.rule == reason.rule);
    let counts = reason.severity > Severity::Note || UNTOLD.contains(&reason.rule) || is_of_form();
    counts.then_some((reason.severity, reason.measured.map(|m| m.threshold)))
}
