//! `forecast`: what reaches which limit when.

mod load_plan;

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use load_plan::LoadArguments;

use super::heat::LoadAnalysis;
use super::output::{self, style, writer};
use super::reading::{self, ReadRequest};
use super::run::prepare;
use super::{DocumentFormat, MeasureArgument, Output, ReadArguments, option_values, settings};
use crate::analysis::forecast::{Forecast, ForecastQuestion};
use crate::config::Config;
use crate::error::Error;
use crate::model::capture::Capture;
use crate::model::limits;
use crate::report::CsvCells;
use crate::report::Writer;
use crate::report::forecast::{self as report, alerts};
use crate::source::watch::Watch;

/// Limits that people read at a time; scripts take all.
const TOP_FOR_PEOPLE: usize = 20;

#[derive(Args, Debug)]
pub struct ScenarioArgument {
    /// A built-in scenario or the file of a design, instead of files
    #[arg(long, value_name = "NAME", conflicts_with_all = ["paths", "time_zone", "date_order"], help_heading = "Data")]
    pub scenario: Option<String>,
}

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("inputs").args(["paths", "scenario"]).multiple(true)))]
pub struct ForecastArguments {
    /// Files or folders; `-` is standard input. They are recognized by their content
    #[arg(required_unless_present_any = ["scenario", "import"], value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub scenario: ScenarioArgument,
    #[command(flatten)]
    pub reading: ReadArguments,

    /// Growth of sizes times this factor
    #[arg(
        long,
        value_name = "FACTOR",
        default_value = "1",
        requires = "inputs",
        help_heading = "Limits"
    )]
    pub growth_factor: String,
    /// Documents are deleted after this time (time to live), such as 30d
    #[arg(long, value_name = "TIME", requires = "inputs", help_heading = "Limits")]
    pub retention: Option<String>,
    /// RU/s to scale to: the steps, their hours and the lowest RU/s afterwards
    #[arg(long, value_name = "RU", help_heading = "Limits")]
    pub ru: Option<f64>,
    /// Physical partitions that there are at least
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20_000), requires = "inputs", help_heading = "Limits")]
    pub partitions: Option<u32>,
    /// What a single tenant (key) comes to that takes this part of the data and load, such as 40%
    #[arg(long, value_name = "SHARE", requires = "inputs", help_heading = "Limits")]
    pub tenant_share: Option<String>,
    /// Load grows by this share a month, such as 10%: gives dates to RU/s
    #[arg(long, value_name = "SHARE", requires = "inputs", help_heading = "Limits")]
    pub load_growth: Option<String>,
    #[command(flatten)]
    pub loading: LoadArguments,

    #[arg(long, value_enum, default_value_t = DocumentFormat::Text, help_heading = "Output")]
    pub format: DocumentFormat,
    /// Print alerts on the listed limits instead: log queries, commands, or a Prometheus text file. They are not run
    #[arg(
        long,
        value_enum,
        value_name = "LANGUAGE",
        conflicts_with_all = ["format", "import", "item", "hours", "by", "first_level_values", "tenant_share"],
        help_heading = "Output"
    )]
    pub alerts: Option<AlertLanguage>,
    /// The first limits over all containers [default: 20 for text, md and html, all for json and csv]
    #[arg(long, value_name = "N", requires = "inputs", help_heading = "Output")]
    pub top: Option<usize>,
    #[command(flatten)]
    pub measure: MeasureArgument,
    #[command(flatten)]
    pub output: Output,
}

/// What alerts are written in.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum AlertLanguage {
    Kql,
    Az,
    Prometheus,
}

/// The writer of a format, and how many limits it shows.
fn listed(c: &ForecastArguments) -> Result<(Writer<Forecast>, Option<usize>), Error> {
    let write: Writer<Forecast> = match c.alerts {
        Some(AlertLanguage::Kql) => Box::new(alerts::kql),
        Some(AlertLanguage::Az) => Box::new(alerts::az),
        Some(AlertLanguage::Prometheus) => return Ok((Box::new(alerts::prometheus), None)),
        None => writer(c.format, report::format)?,
    };
    let is_for_scripts = matches!(c.format, DocumentFormat::Json | DocumentFormat::Csv);
    Ok((write, (!is_for_scripts).then_some(TOP_FOR_PEOPLE)))
}

pub(super) fn run(c: &ForecastArguments, config: &Config, watch: &Watch) -> Result<u8, Error> {
    prepare(&c.output, &c.paths)?;
    let (write, top) = listed(c)?;
    let request = ReadRequest::of_capture(&c.measure, config)?;
    let asked = ForecastQuestion { top: c.top.or(top), ..forecast_question(c, &request)? };
    let thresholds = settings::thresholds(config)?;
    let question = c.loading.question(request.as_of)?;
    let forecast = |capture: &Capture| {
        let load = LoadAnalysis::of(capture, asked.ceiling, &thresholds);
        let mut made = Forecast::of(capture, &load.lookups, &load.diagnoses, &asked);
        if let Some(question) = question {
            let plan = load_plan::into_container(capture, &asked.containers, question);
            made.load_plan = Some(plan?);
        }
        Ok::<_, Error>(made)
    };
    let is_alone = c.paths.is_empty() && c.scenario.scenario.is_none();
    let made = if let (Some(question), true) = (question, is_alone) {
        Forecast {
            as_of: asked.as_of,
            ceiling: asked.ceiling,
            load_plan: Some(load_plan::into_new(asked.ru_per_second, question)),
            ..Forecast::default()
        }
    } else {
        let (from, with) = ((&c.scenario, c.paths.as_slice()), (config, watch));
        let of = (&c.reading, &request);
        let (mut made, notes) = reading::of_capture(from, of, with, forecast, Forecast::mask)?;
        made.notes.extend(notes);
        made
    };
    let style = style(&c.output, CsvCells::Safe);
    output::write(&c.output, &mut |to| write(&made, style, to))
}

/// What is asked, without how many limits are listed.
fn forecast_question(
    c: &ForecastArguments,
    request: &ReadRequest,
) -> Result<ForecastQuestion, Error> {
    let share = |option, text: &Option<String>, limits| {
        let text = text.as_deref();
        text.map(|text| option_values::share(option, text, limits)).transpose()
    };
    let kept = c.retention.as_deref();
    let kept = kept.map(|text| option_values::days("--retention", text));
    Ok(ForecastQuestion {
        ceiling: request.ceiling,
        as_of: request.as_of,
        containers: reading::filters(&c.reading),
        growth_factor: option_values::factor("--growth-factor", &c.growth_factor)?,
        kept_days: kept.transpose()?,
        top: None,
        ru_per_second: c.ru.map(|ru| option_values::number("--ru", ru, limits::RU)).transpose()?,
        partitions: c.partitions.map(|n| n as usize),
        one_key_share: share("--tenant-share", &c.tenant_share, limits::KEY_SHARE)?,
        load_growth: share("--load-growth", &c.load_growth, limits::LOAD_GROWTH)?,
    })
}
