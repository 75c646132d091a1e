//! What speaks against candidate keys on a sample of documents, as findings: for a gate that nobody reads until it closes.

use super::{Finding, GateFinding, Severity, ThresholdCheck, full};
use crate::analysis::rules::Rule;
use crate::analysis::trial::Trial;
use crate::analysis::trial::verdict::KeyVerdict;
use crate::model::names::ContainerName;

/// Every reason of a verdict that is no all-clear, weightiest first; `max_logical` is the share of the ceiling at which
/// the largest logical partition raises an alarm.
pub fn of(
    trial: &Trial,
    verdict: &KeyVerdict,
    name: &ContainerName,
    max_logical: f64,
) -> Vec<GateFinding> {
    let finding = |reason: &Finding| {
        let (severity, measured) = weight(reason, trial, max_logical)?;
        let is_size = reason.rule == Rule::LargestKey;
        let largest = trial.top.first().filter(|_| is_size);
        Some(GateFinding {
            finding: Finding { severity, measured, ..reason.clone() },
            name: name.clone(),
            key: largest.map(|top| top.key.json().into()),
            candidate: Some(trial.candidate.to_string().into()),
            share: if is_size { trial.largest_share_of_ceiling } else { 0.0 },
        })
    };
    let mut found: Vec<GateFinding> = verdict.reasons.iter().filter_map(finding).collect();
    found.sort_by_key(|f| std::cmp::Reverse(f.finding.severity));
    found
}

/// What cannot be told is worth a note at a gate; other notes of a verdict say that all is well, or only describe.
const UNREPORTED: [Rule; 2] = [Rule::TimeUnknown, Rule::RoutingUnknown];

/// None for what is no finding: a number that did not pass its threshold, or a note that nothing speaks against.
fn weight(
    reason: &Finding,
    trial: &Trial,
    max_logical: f64,
) -> Option<(Severity, Option<ThresholdCheck>)> {
    if let (Rule::LargestKey, Some(measured)) = (reason.rule, reason.measured) {
        let strike = full(measured.value, max_logical)?;
        return Some((strike.severity, Some(strike.measured)));
    }
    let is_of_form = || trial.findings.iter().any(|f| f.rule == reason.rule);
    let counts =
        reason.severity > Severity::Note || UNREPORTED.contains(&reason.rule) || is_of_form();
    counts.then_some((reason.severity, reason.measured))
}
