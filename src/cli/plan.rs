//! `plan`: the way to another key as a document, or one of its artefacts alone.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::output::{self, style};
use super::trial::deciding::DecisionOptions;
use super::trial::{self, TrialInputs, TrialOutput, parts};
use super::{Masking, Output, TrialArguments};
use crate::analysis::candidate::Candidate;
use crate::analysis::plan::PlanAdvice;
use crate::config::Config;
use crate::error::{Error, usage};
use crate::model::limits::MOST_SAMPLE;
use crate::model::query_text::shell_word;
use crate::report::CsvCells;
use crate::report::plan::artefact::Artefact;
use crate::report::plan::{self as report, PlanReport};
use crate::source::input::shown;
use crate::source::scenario;
use crate::source::watch::Watch;

#[derive(Args, Debug, Clone)]
pub struct PlanArguments {
    /// The key to move to, such as '/tenantId > /userId' or '/vin + "-" + month(/time)'
    #[arg(value_name = "KEY")]
    pub key: String,

    /// Documents of the container, as for trial; of a recording its sample
    #[arg(required_unless_present = "scenario", value_name = "DOCS")]
    pub docs: Vec<PathBuf>,

    /// Instead of files the documents of a built-in scenario
    #[arg(long, value_name = "NAME", conflicts_with = "docs", help_heading = "Data")]
    pub scenario: Option<String>,

    /// The container of the scenario, of the logs or of a recording where they know several
    #[arg(long, value_name = "[[ACCOUNT/]DB/]NAME", help_heading = "Data")]
    pub container: Option<String>,

    /// How many documents of the scenario are drawn
    #[arg(long, value_name = "N", requires = "scenario", default_value_t = scenario::SAMPLE_DOCUMENTS, value_parser = clap::value_parser!(u64).range(1..=MOST_SAMPLE), help_heading = "Data")]
    pub sample: u64,

    /// The key that the container has [default: that of the logs or the scenario, else unknown]
    #[arg(long, value_name = "KEY", help_heading = "Data")]
    pub current: Option<String>,

    #[command(flatten)]
    pub against: TrialInputs,

    /// The limit of a logical partition, such as 20GB or 30GiB [default: 20 GiB]
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    pub ceiling: Option<String>,

    /// Memory to stay within, at least 128MiB; of more documents a uniform sample is kept [default: 2GiB]
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    pub memory: Option<String>,

    /// The day for which the sizes hold and from which growth is counted [default: that of the newest document]
    #[arg(long, value_name = "TIME", help_heading = "Limits")]
    pub as_of: Option<String>,

    #[arg(long, default_value = "text", value_parser = report::FORMATS, help_heading = "Output")]
    pub format: String,

    /// Print one artefact alone: the new container's definition or the key builder of a language
    #[arg(long = "as", value_name = "ARTEFACT", conflicts_with = "format", value_parser = Artefact::ALL.map(|one| one.name), help_heading = "Output")]
    pub artefact: Option<String>,

    /// Also write the decision for this key to a file, which the plan then names
    #[arg(long, value_name = "FILE.toml", group = "written", help_heading = "Output")]
    pub save: Option<PathBuf>,

    /// No progress and no warnings on standard error
    #[arg(long, help_heading = "Output")]
    pub quiet: bool,

    #[command(flatten)]
    pub masking: Masking,
    #[command(flatten)]
    pub output: Output,
}

pub(super) fn run(c: &PlanArguments, config: &Config, watch: &Watch) -> Result<u8, Error> {
    check_key(c)?;
    let with = as_trial(c);
    trial::prepare(&with)?;
    let write = report::format(&c.format).ok_or_else(|| Error::usage("an unknown format"))?;
    let made = planned(c, trial::decide(&with, None, config, watch)?)?;
    let style = style(&c.output, CsvCells::Safe);
    let artefact = c.artefact.as_deref().and_then(Artefact::named);
    if let (Some(_), PlanAdvice::Unusable(why)) = (&artefact, &made.plan.advice) {
        return Err(usage(format!("no plan: {why}"), "name a path that documents have"));
    }
    output::write(&c.output, &mut |to: &mut dyn Write| match artefact {
        Some(artefact) => to.write_all(artefact.text(&made).as_bytes()),
        None => write(&made, style, to),
    })
}

/// Checks the key. Where it stands behind the documents, the error shows the line as it should be.
#[expect(clippy::disallowed_methods, reason = "the path of a file can be read as one of a key")]
fn check_key(c: &PlanArguments) -> Result<(), Error> {
    let is_key = |text: &str| Candidate::parse(text).is_ok() && !Path::new(text).exists();
    let later = c.docs.iter().position(|doc| doc.to_str().is_some_and(is_key));
    let Some(at) = later.filter(|_| !is_key(&c.key)) else {
        return parts::parsed("KEY", &c.key).map(|_| ());
    };
    let mut words = c.docs.clone();
    words.push(c.key.clone().into());
    let key = words.swap_remove(at);
    if c.masking.mask {
        words = vec!["DOCS".into()];
    }
    let words = [key].into_iter().chain(words).map(|word| shell_word(&word.to_string_lossy()));
    let line = format!("cosmoscope plan {}", words.collect::<Vec<_>>().join(" "));
    Err(usage("the key comes first, then the documents", line))
}

/// The trial that the plan rests on.
fn as_trial(c: &PlanArguments) -> TrialArguments {
    let mut with = TrialArguments {
        scenario: c.scenario.clone(),
        container: c.container.clone(),
        sample: c.sample,
        key: vec![c.key.clone()],
        current: c.current.clone(),
        ceiling: c.ceiling.clone(),
        memory: c.memory.clone(),
        as_of: c.as_of.clone(),
        quiet: c.quiet,
        deciding: DecisionOptions {
            choose: c.save.as_ref().map(|_| c.key.clone()),
            save: c.save.clone(),
            decision: None,
        },
        masking: c.masking.clone(),
        output: c.output.clone(),
        ..TrialArguments::of(c.docs.clone(), c.against.clone())
    };
    with.search.route = true;
    with
}

fn planned(c: &PlanArguments, made: TrialOutput) -> Result<PlanReport, Error> {
    let mut trial = made.report;
    let migration = trial.searched.routes.pop();
    let of_key = |migration| PlanReport::of(trial, &migration, &made.facts);
    let report = migration.and_then(of_key);
    let report = report.ok_or_else(|| Error::usage("the key was not tried"))?;
    let is_masked = c.masking.mask;
    let decision = c.save.as_ref().filter(|_| !is_masked);
    Ok(PlanReport { decision: decision.map(|path| shown(path)), is_masked, ..report })
}
