//! Decision files: what trials told when a key was chosen, written as TOML that opens again.
//!
//! ```toml
//! schema = 1
//! kind = "cosmoscope-decision"
//! program = "0.1.0"
//! made_at = "2026-06-28T12:00:00Z"
//! chosen = "/deviceId"
//!
//! [data]
//! documents = 100000
//! [data.columns]
//! "/deviceId" = "…"
//! [settings]
//! partitions = 6
//! [[candidates]]
//! key = "/deviceId"
//! current = false
//! verdict = "holds"
//! [candidates.numbers]
//! largest_bytes = 1234
//! [candidates.reasons]
//! hot-now = "warn"
//! ```

pub mod changes;
mod read;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::candidate::Candidate;
use crate::analysis::decision::{Data, Decision, DecisionValue, Judged};
use crate::analysis::findings::Severity;
use crate::analysis::trial::{Settings, Trial};
use crate::model::time::Stamp;
use crate::model::visible::needs_code;

use super::trial::{CandidateReport, KeyRole, TrialReport};
use crate::model::units::real;

pub use read::parse;

/// The only form there is; a later one gets a later number.
const SCHEMA: u32 = 1;
/// By this a decision is known, whatever its file is called.
const KIND: &str = "cosmoscope-decision";
/// Whole numbers up to here are told exactly by doubles.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// Whether a text says that it is a decision.
pub fn is_decision(text: &str) -> bool {
    let wanted = format!("kind = \"{KIND}\"");
    text.lines().any(|line| line.trim_end() == wanted)
}

impl Decision {
    /// What a report tells, with the key that was chosen of it.
    pub fn of(
        report: &TrialReport,
        data: Data,
        chosen: Option<&Candidate>,
        made_at: Option<Stamp>,
    ) -> Self {
        Self {
            made_at: made_at.map(Stamp::rfc3339),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            chosen: chosen.map(Candidate::to_string),
            data,
            settings: settings(&report.settings),
            candidates: report.candidates.iter().map(judged).collect(),
        }
    }
}

fn named<const N: usize>(values: [(&str, Option<f64>); N]) -> BTreeMap<String, DecisionValue> {
    let known = values.into_iter().filter_map(|(name, value)| {
        let value = value.filter(|v| v.is_finite())?;
        Some((name.to_owned(), DecisionValue::Number(value)))
    });
    known.collect()
}

fn settings(settings: &Settings) -> BTreeMap<String, DecisionValue> {
    let mut all = named([
        ("partitions", Some(real(settings.partitions as u64))),
        ("ru_per_second", settings.ru_per_second),
        ("load_ru_per_second", settings.load_ru_per_second),
        ("storage_factor", Some(settings.storage_factor)),
        ("stored_bytes", settings.stored_bytes),
        ("stored_documents", settings.stored_documents),
        ("ceiling_kib", Some(settings.ceiling.bytes() / 1024.0)),
        ("seed", Some(real(settings.seed))),
        ("growth_bytes_per_day", settings.growth_bytes_per_day),
        ("kept_days", settings.kept_days),
    ]);
    let weight = DecisionValue::Text(settings.weight.name().to_owned());
    all.insert("weight".to_owned(), weight);
    all
}

fn judged(candidate: &CandidateReport) -> Judged {
    let trial = &candidate.trial;
    let visits = candidate.routed.iter().filter_map(|routed| {
        let visits = routed.route.visits()?;
        Some((routed.name.clone(), DecisionValue::Number(visits)))
    });
    let mut reasons: BTreeMap<String, Severity> = BTreeMap::new();
    for reason in &candidate.verdict.reasons {
        if reason.severity > Severity::Note {
            let worst = reasons.entry(reason.rule.name().to_owned()).or_insert(reason.severity);
            *worst = reason.severity.max(*worst);
        }
    }
    let word = |(rule, severity): (String, Severity)| (rule, severity.word().into());
    Judged {
        key: trial.candidate.to_string(),
        is_current: candidate.standing == KeyRole::Current,
        verdict: candidate.verdict.standing.name().to_owned(),
        numbers: numbers(trial),
        visits: visits.collect(),
        reasons: reasons.into_iter().map(word).collect(),
    }
}

fn numbers(trial: &Trial) -> BTreeMap<String, DecisionValue> {
    let placement = &trial.placement;
    let collisions = trial.collisions.as_ref();
    named([
        ("distinct", Some(real(trial.distinct.seen))),
        ("distinct_most", trial.distinct.range.map(|[_, most]| most)),
        ("largest_bytes", Some(trial.largest_bytes)),
        ("largest_share_of_ceiling", Some(trial.largest_share_of_ceiling)),
        ("top_share", Some(trial.top_share.share)),
        ("k_eff", trial.k_eff),
        ("hot_hour_share", trial.hot_hour_share),
        ("load_ratio_storage", placement.load_ratio_storage),
        ("load_ratio_ru", placement.load_ratio_ru),
        ("throttled_share", placement.throttled_share),
        ("id_collisions", collisions.map(|c| real(c.documents))),
    ])
}

/// Byte for byte the same from the same decision; harmless whatever its names hold.
pub fn write(decision: &Decision, to: &mut dyn Write) -> io::Result<()> {
    let text = |text: &str| DecisionValue::Text(text.to_owned());
    let data = &decision.data;
    writeln!(
        to,
        "# A decision for a partition key. It opens again with: cosmoscope trial DOCS --decision FILE\nschema = {SCHEMA}"
    )?;
    write_value("kind", &text(KIND), to)?;
    write_value("program", &text(&decision.program), to)?;
    for (name, known) in [("made_at", &decision.made_at), ("chosen", &decision.chosen)] {
        if let Some(known) = known {
            write_value(name, &text(known), to)?;
        }
    }
    writeln!(to, "\n[data]")?;
    write_value("documents", &DecisionValue::Number(data.documents), to)?;
    write_value("bytes", &DecisionValue::Number(data.bytes), to)?;
    write_value("looked_at", &DecisionValue::Number(data.looked_at), to)?;
    write_value("hash", &text(&data.hash), to)?;
    let sources: Vec<String> = data.sources.iter().map(|s| quoted(s)).collect();
    writeln!(to, "sources = [{}]", sources.join(", "))?;
    let columns = data.columns.iter();
    let columns = columns.map(|(path, hash)| (path.clone(), text(hash)));
    write_table("data.columns", &columns.collect(), to)?;
    write_table("settings", &decision.settings, to)?;
    for candidate in &decision.candidates {
        writeln!(to, "\n[[candidates]]")?;
        write_value("key", &text(&candidate.key), to)?;
        writeln!(to, "current = {}", candidate.is_current)?;
        write_value("verdict", &text(&candidate.verdict), to)?;
        write_table("candidates.numbers", &candidate.numbers, to)?;
        write_table("candidates.visits", &candidate.visits, to)?;
        write_table("candidates.reasons", &candidate.reasons, to)?;
    }
    Ok(())
}

fn write_table(
    name: &str,
    values: &BTreeMap<String, DecisionValue>,
    to: &mut dyn Write,
) -> io::Result<()> {
    if !values.is_empty() {
        writeln!(to, "\n[{name}]")?;
    }
    let mut all = values.iter();
    all.try_for_each(|(name, value)| write_value(name, value, to))
}

fn write_value(name: &str, value: &DecisionValue, to: &mut dyn Write) -> io::Result<()> {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let name = match name {
        name if !name.is_empty() && name.chars().all(is_bare) => name.to_owned(),
        name => quoted(name),
    };
    match value {
        DecisionValue::Text(text) => writeln!(to, "{name} = {}", quoted(text)),
        DecisionValue::Number(number) if number.fract() == 0.0 && number.abs() < WHOLE => {
            writeln!(to, "{name} = {}", number + 0.0)
        }
        // With a point or an exponent always, as a number that is not whole is written.
        DecisionValue::Number(number) => writeln!(to, "{name} = {number:?}"),
    }
}

/// A basic string: exact, and nothing in it acts on whoever looks at the file.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            other if needs_code(other) => {
                let _ = write!(out, "\\U{:08X}", u32::from(other));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
