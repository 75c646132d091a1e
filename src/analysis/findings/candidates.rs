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
        let (severity, threshold) = weight(reason, max_logical)?;
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

/// A number that did not pass its threshold is no finding, but what a note says of the form of a key is one.
fn weight(reason: &Reason, max_logical: f64) -> Option<(Severity, Option<f64>)> {
    let Some(measured) = reason.measured else {
        return Some((reason.severity, None));
    };
    if reason.rule == verdict::LARGEST_KEY {
        let strike = full(measured.value, max_logical)?;
        return Some((strike.severity, Some(strike.threshold)));
    }
    (reason.severity > Severity::Note).then_some((reason.severity, Some(measured.threshold)))
}
