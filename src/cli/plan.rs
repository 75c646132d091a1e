//! `plan`: the way to another key as a document, or one of its artefacts alone.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use super::output::{self, style};
use super::run::prepare;
use super::trial::deciding::{self, DecisionOptions};
use super::trial::{self, TrialInputs, TrialOutput, parts};
use super::{Masking, Output, TrialArguments, inspect};
use crate::config::Config;
use crate::error::{Error, exit};
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
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with = "docs",
        help_heading = "Data"
    )]
    pub scenario: Option<String>,

    /// The container of the scenario, of the logs or of a recording where they know several
    #[arg(long, value_name = "[[ACCOUNT/]DB/]NAME", help_heading = "Data")]
    pub container: Option<String>,

    /// How many documents of the scenario are drawn
    #[arg(long, value_name = "N", requires = "scenario", default_value_t = scenario::SAMPLE_DOCUMENTS, help_heading = "Data")]
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

    #[arg(long, value_enum, default_value_t = PlanFormat::Text, help_heading = "Output")]
    pub format: PlanFormat,

    /// Print one artefact alone: the new container's definition or the key builder of a language
    #[arg(long = "as", value_name = "ARTEFACT", conflicts_with = "format", value_parser = PossibleValuesParser::new(Artefact::ALL.map(Artefact::name)), help_heading = "Output")]
    pub artefact: Option<String>,

    /// Also write the decision for this key to a file, which the plan then names
    #[arg(long, value_name = "FILE.toml", help_heading = "Output")]
    pub save: Option<PathBuf>,

    /// No progress and no warnings on standard error
    #[arg(long, help_heading = "Output")]
    pub quiet: bool,

    #[command(flatten)]
    pub masking: Masking,
    #[command(flatten)]
    pub output: Output,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanFormat {
    Text,
    Md,
    Html,
    Json,
}

impl PlanFormat {
    fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Md => "md",
            Self::Html => "html",
            Self::Json => "json",
        }
    }
}

pub(super) fn run(c: &PlanArguments, config: &Config, watch: &Watch) -> Result<u8, Error> {
    let mut inputs = c.docs.clone();
    inputs.extend(c.against.queries.clone());
    inputs.extend(c.against.logs.iter().cloned());
    prepare(&c.output, &inputs)?;
    let write = report::format(c.format.name());
    let write = write.ok_or_else(|| Error::usage("an unknown format"))?;
    let with = trial::with_container(&as_trial(c))?;
    with.deciding.prepare(&inputs)?;
    let made = trial::make(&with, config, watch)?;
    parts::refuse_misspelled(&with, &made.absent, config, watch)?;
    if let Some(decision) = deciding::decided(&with, &made, None)? {
        deciding::save(&with, &decision)?;
    }
    if !c.quiet {
        inspect::tell_partial(&made.sources, &mut io::stderr().lock());
    }
    let made = planned(c, made)?;
    let style = style(&c.output, CsvCells::Safe);
    let artefact = c.artefact.as_deref().and_then(Artefact::named);
    output::write(&c.output, &mut |to: &mut dyn Write| match artefact {
        Some(artefact) => to.write_all(artefact.text(&made).as_bytes()),
        None => write(&made, style, to),
    })?;
    Ok(exit::DONE)
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
        ..TrialArguments::of(c.docs.clone(), c.against.clone())
    };
    with.search.route = true;
    with
}

fn planned(c: &PlanArguments, made: TrialOutput) -> Result<PlanReport, Error> {
    let mut trial = made.report;
    let Some(migration) = trial.searched.routes.pop() else {
        return Err(Error::usage("the key was not tried"));
    };
    let made_plan = PlanReport::of(trial, &migration, &made.facts);
    let made_plan = made_plan.ok_or_else(|| Error::usage("the key was not tried"))?;
    let is_masked = c.masking.mask;
    let decision = c.save.as_ref().filter(|_| !is_masked);
    Ok(PlanReport {
        decision: decision.map(|path| shown(path)),
        is_masked,
        ..made_plan
    })
}
