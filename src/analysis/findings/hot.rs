//! Physical partitions that stand at their limit of RU/s, as findings: measured, whom to blame, and what would help.

use crate::model::capture::Capture;
use crate::model::key::Key;
use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::model::units::{percent_text, real};

use super::{GateFinding, Severity, Strike};
use crate::analysis::diagnosis::thresholds::Thresholds;
use crate::analysis::diagnosis::{Diagnoses, RemedyAnswer, Verdict};
use crate::analysis::heat::grid::{TrackStatistics, standing};
use crate::analysis::heat::{ContainerHeat, Heat, Measure, RangeName, Track};
use crate::analysis::rules::Rule;
use crate::analysis::summary::ContainerFilter;

/// Verdicts whose answers are about RU/s; those about storage say nothing on a hot partition.
const LOAD_RULES: [Rule; 7] = [
    Rule::HotKey,
    Rule::HotRange,
    Rule::HotPartition,
    Rule::FanOut,
    Rule::UnderProvisioned,
    Rule::UnevenRuShares,
    Rule::Healthy,
];
/// All that a partition can give.
const ALL_OF_IT: f64 = 1.0;

/// What is looked at, and against what.
#[derive(Clone, Copy, Debug)]
pub struct HotInputs<'a> {
    pub capture: &'a Capture,
    pub heat: &'a Heat,
    pub diagnoses: &'a Diagnoses,
    /// None given = every container.
    pub containers: &'a [ContainerFilter],
    /// The share of its RU/s at which a partition raises an alarm.
    pub max_hot: f64,
    /// A busy partition is a warning.
    pub thresholds: &'a Thresholds,
}

/// What the load of partitions gave.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HotFindings {
    pub findings: Vec<GateFinding>,
    /// Partitions whose share of RU/s is known.
    pub partitions: u64,
}

/// The region and measure in which a partition stands highest.
struct Worst<'a> {
    track: &'a Track,
    standing: TrackStatistics,
}

/// One finding for each partition at a threshold, in the worst of its regions.
pub fn hot(of: HotInputs<'_>) -> HotFindings {
    let mut out = HotFindings::default();
    for (number, container) in (0_u32..).zip(&of.capture.containers) {
        let is_wanted = ContainerFilter::any_fits(of.containers, &container.name);
        let Some(heat) = of.heat.container(number).filter(|_| is_wanted) else { continue };
        let verdicts = of.diagnoses.container(number).map_or(&[][..], |d| &d.verdicts);
        let judged = out.partitions;
        for (index, partition) in (0_u32..).zip(&heat.partitions) {
            let Some(worst) = of.worst(heat, index) else { continue };
            out.partitions += 1;
            let Some(strike) = of.strike(&worst.standing) else { continue };
            let verdict = verdict_on(verdicts, index);
            let key = verdict.and_then(|v| v.key.as_deref());
            let threshold = strike.measured.threshold;
            let message = message(&partition.named, &worst, threshold, verdict);
            out.findings.push(GateFinding {
                key: key.and_then(Key::from_canonical).map(|k| k.json().into()),
                ..finding(&container.name, &strike, message)
            });
        }
        if out.partitions == judged {
            out.findings.extend(of.unjudged(&container.name, heat, verdicts));
        }
    }
    out
}

impl HotInputs<'_> {
    /// By the measure that a report of heat shows, and in the region it shows unless another one is graver: both then tell
    /// the same numbers.
    fn worst<'a>(&self, heat: &'a ContainerHeat, partition: u32) -> Option<Worst<'a>> {
        let reported = |measure| {
            let standings = heat.tracks_of(measure).filter_map(|track| {
                let (from, to) = track.span()?;
                let standing = standing(track, partition, from, to)?;
                Some(Worst { track, standing }).filter(|w| w.standing.p99.is_finite())
            });
            let severity = |worst: &Worst<'_>| self.strike(&worst.standing).map(|s| s.severity);
            // The busiest region comes first.
            standings.reduce(|a, b| if severity(&b) > severity(&a) { b } else { a })
        };
        let shares = [Measure::NormalizedRu, Measure::LoggedShare];
        shares.into_iter().find_map(reported)
    }

    /// Without any share of RU/s: what was refused, else that load is there and cannot be judged. No load, no finding.
    fn unjudged(
        &self,
        name: &ContainerName,
        heat: &ContainerHeat,
        verdicts: &[Verdict],
    ) -> Vec<GateFinding> {
        let healthy = self.thresholds.healthy_throttled;
        let finding = |severity, share, message| {
            finding(name, &Strike::new(severity, share, healthy), message)
        };
        let throttled = (0_u32..).zip(&heat.requests).filter_map(|(index, sums)| {
            let share = real(sums.throttled) / real(sums.requests.max(1));
            if share <= healthy {
                return None;
            }
            let partition = heat.partitions.get(index as usize)?.named.text();
            let message = format!(
                "partition {partition}: {} of its requests throttled (429); up to {} is healthy; no input has its RU/s{}",
                percent_text(share),
                percent_text(healthy),
                answers(verdict_on(verdicts, index))
            );
            Some(finding(Severity::Alarm, share, message))
        });
        let mut found: Vec<GateFinding> = throttled.collect();
        let is_load = |track: &Track| track.measure != Measure::Storage;
        if found.is_empty() && !heat.is_empty() && heat.tracks.iter().any(is_load) {
            let message = "load cannot be judged: no input has the RU/s of the partitions or their share of them";
            found.push(finding(Severity::Note, 0.0, message.to_owned()));
        }
        found
    }

    fn strike(&self, standing: &TrackStatistics) -> Option<Strike> {
        let p99 = rounded(standing.p99);
        let minutes = real(standing.saturated_s.unwrap_or(0)) / 60.0;
        let (severity, value, threshold) = if p99 >= self.max_hot {
            (Severity::Alarm, p99, self.max_hot)
        } else if minutes > 0.0 && minutes >= self.thresholds.saturated_minutes {
            // An incident too short for the p99 of a long log.
            (Severity::Warn, rounded(standing.highest), ALL_OF_IT)
        } else if p99 >= self.thresholds.busy_share {
            (Severity::Warn, p99, self.thresholds.busy_share)
        } else {
            return None;
        };
        Some(Strike::new(severity, value, threshold))
    }
}

fn finding(name: &ContainerName, strike: &Strike, message: String) -> GateFinding {
    GateFinding {
        finding: strike.finding(Rule::MaxHot, message),
        name: name.clone(),
        key: None,
        candidate: None,
        share: strike.measured.value,
    }
}

/// Series hold 32 bits: 90 % would lie a hair below its threshold.
fn rounded(share: f64) -> f64 {
    const PARTS: f64 = 1e6;
    (share * PARTS).round() / PARTS
}

/// The verdict that names the partition, else the one on the whole container.
fn verdict_on(verdicts: &[Verdict], partition: u32) -> Option<&Verdict> {
    let load = || verdicts.iter().filter(|v| LOAD_RULES.contains(&v.rule));
    load()
        .find(|v| v.partition == Some(partition))
        .or_else(|| load().find(|v| v.partition.is_none()))
}

fn message(
    named: &RangeName,
    worst: &Worst<'_>,
    threshold: f64,
    verdict: Option<&Verdict>,
) -> String {
    let partition = named.text();
    let region = worst.track.region.as_deref();
    let region = region.map(|r| format!(" in {r}")).unwrap_or_default();
    let standing = worst.standing;
    let at = Stamp::from_seconds(standing.highest_at);
    let at = at.map(|at| format!(" at {}", at.rfc3339())).unwrap_or_default();
    let saturated = match standing.saturated_s {
        Some(s) if s > 0 => format!(", {s} s at 100 % or more"),
        _ => String::new(),
    };
    let measure = worst.track.measure.title();
    let answers = answers(verdict);
    format!(
        "partition {partition}{region}: {} of its RU/s at p99, highest {}{at}{saturated} ({measure}); the threshold is {}{answers}",
        percent_text(standing.p99),
        percent_text(standing.highest),
        percent_text(threshold),
    )
}

/// `; HOT KEY: scale up: no effect …`, or nothing.
fn answers(verdict: Option<&Verdict>) -> String {
    verdict.map_or_else(String::new, |v| {
        let named = v.answers.named();
        let named = named.map(|(question, of)| format!("{question}: {}", answer(of)));
        format!("; {}: {}", v.rule.name(), named.join("; "))
    })
}

fn answer(answer: &RemedyAnswer) -> String {
    match answer.why.as_str() {
        "" => answer.effect.word().to_owned(),
        why => format!("{} ({why})", answer.effect.word()),
    }
}

#[cfg(test)]
mod tests;
