//! `simulate`: what happens to the physical partitions of a container in time.

pub(super) mod candidates;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use candidates::{CandidateArguments, note_of};

use super::forecast::ScenarioArgument;
use super::output::{self, style, writer};
use super::reading::{Keep, ReadRequest, filters, of_capture};
use super::run::prepare;
use super::{MeasureArgument, Output, ReadArguments, ReportFormat, option_values, settings};
use crate::analysis::ceiling::Ceiling;
use crate::analysis::columns::Lookups;
use crate::analysis::diagnosis::Diagnoses;
use crate::analysis::forecast::MONTH_DAYS;
use crate::analysis::heat::Heat;
use crate::analysis::simulate::{
    LapseEventKind, LapseStart, OverflowPolicy, SimulateQuestion, TimeLapse,
};
use crate::analysis::summary::ContainerFilter;
use crate::config::Config;
use crate::error::{Error, usage};
use crate::model::capture::Capture;
use crate::model::limits;
use crate::model::time::{DAY_S, Stamp};
use crate::model::units::whole_u64;
use crate::report::CsvCells;
use crate::report::simulate as report;
use crate::source::watch::Watch;

/// Events that people read at a time; scripts take all.
const TOP_FOR_PEOPLE: usize = 20;
/// Up to this many days load is followed second by second.
const EXACT_DAYS: f64 = 30.0;

#[derive(Args, Debug)]
pub struct SimulateArguments {
    /// Files or folders; `-` is standard input. They are recognized by their content
    #[arg(required_unless_present_any = ["scenario", "documents"], value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub scenario: ScenarioArgument,
    #[command(flatten)]
    pub reading: ReadArguments,
    #[command(flatten)]
    pub candidates: CandidateArguments,
    #[command(flatten)]
    pub terms: LapseTerms,

    #[arg(long, value_enum, default_value_t = ReportFormat::Text, help_heading = "Output")]
    pub format: ReportFormat,
    /// The first events [default: 20 for text, md and html, all for json and csv]
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub top: Option<usize>,
    #[command(flatten)]
    pub measure: MeasureArgument,
    #[command(flatten)]
    pub output: Output,
}

/// How the simulation runs.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Limits")]
pub struct LapseTerms {
    /// Time to simulate, such as 12h, 30d or 10y
    #[arg(long, value_name = "TIME", default_value = "30d")]
    pub until: String,
    /// 1s follows load second by second; longer steps take its mean [default: 1s up to 30d, else 1d]
    #[arg(long, value_name = "TIME")]
    pub step: Option<String>,
    /// Load times this factor, such as 10x
    #[arg(long, visible_alias = "load", value_name = "FACTOR", default_value = "1")]
    pub load_factor: String,
    /// Load grows by this share a month, such as 10%
    #[arg(long, value_name = "SHARE")]
    pub load_growth: Option<String>,
    /// RU/s set at the start; partitions are split as far as these need [default: as reported]
    #[arg(long, value_name = "RU")]
    pub ru: Option<f64>,
    /// Physical partitions that there are at least: splits begin at the start
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20_000))]
    pub partitions: Option<u32>,
    /// Growth of sizes times this factor
    #[arg(long, value_name = "FACTOR", default_value = "1")]
    pub growth_factor: String,
    /// Documents are deleted after this time (time to live), such as 30d
    #[arg(long, value_name = "TIME")]
    pub retention: Option<String>,
    /// What writers do when a key is at 20 GB
    #[arg(long, value_enum, default_value_t = OverflowArgument::Stop)]
    pub overflow: OverflowArgument,
    /// Instead of today's key: a new container whose keys have this number of suffixes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub suffixes: Option<u32>,
    /// End at the first event of this kind
    #[arg(long, value_enum, value_name = "EVENT")]
    pub stop_at: Option<StopArgument>,
    /// How often clients repeat a throttled request; without it as their SDK does, 9 for most
    #[arg(long, value_name = "N")]
    pub retries: Option<u8>,
    /// For the time that splits take: the same seed gives the same result
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverflowArgument {
    /// Writes get 403
    Stop,
    /// Writes go on under the next suffix of the key
    LinkedList,
    /// Ids start again, and writes replace the oldest documents
    CircularBuffer,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopArgument {
    #[value(name = "403")]
    Forbidden,
    #[value(name = "429")]
    Throttled,
    Split,
}

impl LapseTerms {
    /// `until` is the option that says how long.
    fn question(&self, until: &str, ceiling: Ceiling) -> Result<SimulateQuestion, Error> {
        let seconds = |option, text: &str| {
            let days = option_values::days(option, text)?;
            Ok::<_, Error>((days, seconds(days)))
        };
        let (days, until_s) = seconds(until, &self.until)?;
        let step = self.step.as_deref().map(|text| seconds("--step", text));
        let step = step.transpose()?.map(|(_, step)| step);
        let default = if days <= EXACT_DAYS { 1 } else { 86_400 };
        let growth = self.load_growth.as_deref();
        let growth =
            growth.map(|text| option_values::share("--load-growth", text, limits::LOAD_GROWTH));
        let growth = growth.transpose()?;
        let load_factor = option_values::factor("--load-factor", &self.load_factor)?;
        let grown = load_factor * (1.0 + growth.unwrap_or(0.0)).powf(days / MONTH_DAYS);
        option_values::number("--load-growth", grown, limits::GROWN_LOAD)?;
        let ru = self.ru.map(|ru| option_values::number("--ru", ru, limits::RU));
        let kept = self.retention.as_deref();
        let kept = kept.map(|text| option_values::days("--retention", text));
        Ok(SimulateQuestion {
            ceiling,
            until_s,
            step_s: step.unwrap_or(default),
            load_factor,
            load_growth: growth,
            ru_per_second: ru.transpose()?,
            partitions: self.partitions.map(|n| n as usize),
            growth_factor: option_values::factor("--growth-factor", &self.growth_factor)?,
            kept_days: kept.transpose()?,
            retries: self.retries,
            overflow: match self.overflow {
                OverflowArgument::Stop => OverflowPolicy::Stop,
                OverflowArgument::LinkedList => OverflowPolicy::LinkedList,
                OverflowArgument::CircularBuffer => OverflowPolicy::CircularBuffer,
            },
            stop_at: self.stop_at.map(|stop| match stop {
                StopArgument::Forbidden => LapseEventKind::Forbidden,
                StopArgument::Throttled => LapseEventKind::Throttled,
                StopArgument::Split => LapseEventKind::SplitBegins,
            }),
            seed: self.seed,
        })
    }
}

fn seconds(days: f64) -> i64 {
    i64::try_from(whole_u64((days * DAY_S).round())).unwrap_or(i64::MAX)
}

/// The question of `check --simulate`.
pub(super) fn gate_question(
    until: &str,
    load_factor: &str,
    (ru, retention): (Option<f64>, Option<&str>),
    ceiling: Ceiling,
) -> Result<SimulateQuestion, Error> {
    let terms = LapseTerms {
        until: until.to_owned(),
        step: None,
        load_factor: load_factor.to_owned(),
        load_growth: None,
        ru,
        partitions: None,
        growth_factor: "1".to_owned(),
        retention: retention.map(str::to_owned),
        overflow: OverflowArgument::Stop,
        suffixes: None,
        stop_at: None,
        retries: None,
        seed: 1,
    };
    terms.question("--simulate", ceiling)
}

pub(super) fn run(c: &SimulateArguments, config: &Config, watch: &Watch) -> Result<u8, Error> {
    let mut inputs = c.paths.clone();
    inputs.extend(c.candidates.documents.iter().cloned());
    inputs.extend(c.candidates.queries.clone());
    prepare(&c.output, &inputs)?;
    if c.top.is_some() && c.format == ReportFormat::Svg {
        return Err(Error::usage("--top lists events, and --format svg draws all of them"));
    }
    let write = writer(c.format, report::format)?;
    let is_for_people =
        matches!(c.format, ReportFormat::Text | ReportFormat::Md | ReportFormat::Html);
    let top = is_for_people.then_some(TOP_FOR_PEOPLE);
    let request = ReadRequest::of_capture(&c.measure, config)?;
    let request = ReadRequest { capture: Keep::Simulated, ..request };
    let asked = c.terms.question("--until", request.ceiling)?;
    let thresholds = settings::thresholds(config)?;
    let containers = filters(&c.reading);
    let lapses = |capture: &Capture| -> Result<Vec<TimeLapse>, Error> {
        let lookups = Lookups::of(capture, asked.ceiling);
        let heat = Heat::of(capture);
        let with = (&heat, &lookups, &thresholds);
        let is_none = capture.containers.is_empty() && !c.candidates.documents.is_empty();
        let found = if is_none { None } else { Some(chosen(capture, &containers)?) };
        let start = found
            .and_then(|(number, _)| LapseStart::of(capture, number, with, &asked, request.as_of));
        let mut start = start.unwrap_or_default();
        if let Some(count) = c.terms.suffixes {
            start = start.with_suffixes(count, asked.ceiling).ok_or_else(no_suffixes)?;
        }
        let mut made = Vec::new();
        if found.is_some() {
            let mut lapse = TimeLapse::of(&start, &asked);
            lapse.notes.splice(0..0, note_of(found.map_or(0, |(_, of)| of)));
            made.push(lapse);
        }
        if !c.candidates.key.is_empty() {
            let number = found.map(|(number, _)| number);
            let of_one = |number| Diagnoses::of_one(capture, number, &lookups, &thresholds);
            let diagnosis = number.and_then(of_one).unwrap_or_default();
            let of = (&start, diagnosis);
            let on = (capture, number);
            made.extend(candidates::lapses(c, on, of, &asked, (config, watch))?);
        }
        Ok(made)
    };
    let (mut made, notes) = of_capture(
        (&c.scenario, &c.paths),
        (&c.reading, &request),
        (config, watch),
        lapses,
        |lapses, masker| lapses.iter_mut().for_each(|lapse| lapse.mask(masker)),
    )?;
    if let Some(first) = made.first_mut() {
        first.notes.extend(notes);
    }
    let style = style(&c.output, CsvCells::Safe);
    let top = c.top.or(top).unwrap_or(usize::MAX);
    output::write(&c.output, &mut |to| write(&made, top, style, to))
}

fn no_suffixes() -> Error {
    usage(
        "--suffixes needs the key's paths and the RU/s of the container",
        "add a container read and its throughput to the inputs",
    )
}

/// The container that is simulated, and how many were to choose from: of several the one with the largest key.
fn chosen(capture: &Capture, named: &[ContainerFilter]) -> Result<(u32, usize), Error> {
    let numbered = (0_u32..).zip(&capture.containers);
    let found: Vec<u32> = numbered
        .filter(|(_, c)| ContainerFilter::any_fits(named, &c.name))
        .map(|(number, _)| number)
        .collect();
    let worst = LapseStart::worst(capture, &found);
    worst.map(|worst| (worst, found.len())).ok_or_else(|| {
        usage("the inputs hold no container", "cosmoscope inspect shows what they hold")
    })
}

/// All containers that `check` is about, as of their newest moments.
pub(super) fn all(
    capture: &Capture,
    named: &[ContainerFilter],
    asked: &SimulateQuestion,
    (config, as_of): (&Config, Option<Stamp>),
) -> Result<Vec<TimeLapse>, Error> {
    let (heat, lookups) = (Heat::of(capture), Lookups::of(capture, asked.ceiling));
    let thresholds = settings::thresholds(config)?;
    let with = (&heat, &lookups, &thresholds);
    let numbered = (0_u32..).zip(&capture.containers);
    let wanted = numbered.filter(|(_, c)| ContainerFilter::any_fits(named, &c.name));
    let starts =
        wanted.filter_map(|(number, _)| LapseStart::of(capture, number, with, asked, as_of));
    Ok(starts.map(|start| TimeLapse::of(&start, asked)).collect())
}
