//! The findings of `check`, for people and for scripts.

use std::io::{self, Write};

use crate::analysis::findings::{GateFinding, Severity, worst};
use crate::analysis::rules::Rule;
use crate::model::units::{count_text, counted};
use crate::model::visible::visible;

use super::doc::Doc;
use super::key_text::key_text;
use super::layout::{shortened, title};
use super::write_json::{as_found, lines, object};
use super::{Style, junit, sarif};

/// Under the text behind the word.
const INDENT: &str = "       ";

/// Everything `check` tells.
#[derive(Clone, Copy, Debug)]
pub struct CheckReport<'a> {
    /// Worst first.
    pub findings: &'a [GateFinding],
    pub is_partial: bool,
    /// None where only documents were looked at.
    pub exports: Option<Exports>,
    /// Whether time was simulated on them.
    pub is_simulated: bool,
    /// Keys that were judged, as they are written.
    pub candidates: &'a [String],
    /// The least finding that fails.
    pub fail_on: Severity,
    /// What was read, as it may be shown.
    pub inputs: &'a [String],
}

/// What was looked at in exports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exports {
    Keys,
    KeysAndPartitions,
}

pub type CheckWriter = fn(&CheckReport<'_>, Style, &mut dyn Write) -> io::Result<()>;

const FORMATS: [(&str, CheckWriter); 4] =
    [("text", text), ("json", json), ("junit", junit::write), ("sarif", sarif::write)];

/// What writes the format of that name.
pub fn format(name: &str) -> Option<CheckWriter> {
    let mut formats = FORMATS.into_iter();
    formats.find_map(|(known, write)| (known == name).then_some(write))
}

/// What is said wherever not all of the data could be used.
pub(super) const PARTIAL: &str =
    "The data is partial: some rows or inputs could not be used, so a key may be missing here.";

fn json(checked: &CheckReport<'_>, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let finding = |of: &GateFinding| {
        let finding = &of.finding;
        object()
            .with("rule", finding.rule.name())
            .with("severity", finding.severity.word())
            .names(&of.name)
            .with("key", as_found(of.key.as_deref()))
            .with("value", finding.measured.map(|m| m.value))
            .with("threshold", finding.measured.map(|m| m.threshold))
            .with("message", &finding.sentence)
            .with_known("candidate", of.candidate.as_ref())
    };
    object()
        .with("schema", 1)
        .with("worst", worst(checked.findings).map(Severity::word))
        .with("partial", checked.is_partial)
        .with("findings", lines(checked.findings.iter().map(finding)))
        .write(to)
}

/// Whom a finding is about, visible.
pub(super) fn subject(finding: &GateFinding) -> Option<String> {
    match &finding.candidate {
        Some(candidate) => Some(visible(candidate).into_owned()),
        // Nobody is to blame, which is not the same as a key that the log left out.
        None if matches!(finding.finding.rule, Rule::MaxHot | Rule::Simulated)
            && finding.key.is_none() =>
        {
            None
        }
        None => Some(key_text(finding.key.as_deref())),
    }
}

/// The container; of documents only if somebody said whose they are.
pub(super) fn place(finding: &GateFinding) -> Option<String> {
    let is_known = finding.candidate.is_none() || finding.name.container.is_some();
    is_known.then(|| title(&finding.name))
}

fn text(checked: &CheckReport<'_>, style: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut doc = Doc::text(style);
    doc.line(&headline(checked), "", "");
    if checked.is_partial {
        doc.line(PARTIAL, "", "");
    }
    if !checked.findings.is_empty() {
        doc.gap();
    }
    // A line of its own for each, behind the word.
    let room = style.width.saturating_sub(INDENT.len() + " in ".len());
    let findings = checked.findings;
    let subjects = shortened(findings, room, |finding| subject(finding).unwrap_or_default());
    let places = shortened(findings, room, |finding| place(finding).unwrap_or_default());
    for (finding, (subject, place)) in findings.iter().zip(subjects.zip(places)) {
        let between = if subject.is_empty() || place.is_empty() { "" } else { " in " };
        let about = format!("{subject}{between}{place}");
        let line = format!("{about}: {}", visible(&finding.finding.sentence));
        doc.severity_line(finding.finding.severity, &line, "", INDENT);
    }
    doc.end(to)
}

fn noun(severity: Severity) -> &'static str {
    match severity {
        Severity::Alarm => "alarm",
        Severity::Warn => "warning",
        Severity::Note => "note",
    }
}

/// `3 alarms, worst first.`, or what was looked at in vain.
pub(super) fn headline(checked: &CheckReport<'_>) -> String {
    let findings = checked.findings;
    let counted = Severity::ALL.into_iter().rev().filter_map(|severity| {
        let count = findings.iter().filter(|f| f.finding.severity == severity).count() as u64;
        let noun = noun(severity);
        (count > 0).then(|| counted(count, noun, &format!("{noun}s")))
    });
    let counted: Vec<String> = counted.collect();
    if counted.is_empty() {
        return format!("No finding: {}.", all_clear(checked));
    }
    let order = if findings.len() > 1 { ", worst first" } else { "" };
    format!("{}{order}.", counted.join(", "))
}

const SIMULATED: &str =
    "in the simulated time no write gets 403 and at most 1 % of the load is throttled";

fn all_clear(checked: &CheckReport<'_>) -> String {
    let keys = "no reported key is at a threshold or reaches its limit within 90 days";
    let partitions = "no physical partition is at a threshold of its RU/s";
    let candidates = match checked.candidates {
        [] => None,
        [one] => Some(format!("nothing speaks against {}", visible(one))),
        several => Some(format!(
            "nothing speaks against any of {} candidates",
            count_text(several.len() as u64)
        )),
    };
    let exports = checked.exports.map(|exports| match exports {
        Exports::Keys => keys.to_owned(),
        Exports::KeysAndPartitions => format!("{keys}, and {partitions}"),
    });
    let simulated = checked.is_simulated.then(|| SIMULATED.to_owned());
    let said = exports.into_iter().chain(simulated).chain(candidates);
    let said: Vec<String> = said.collect();
    said.join("; ")
}

#[cfg(test)]
mod tests;
