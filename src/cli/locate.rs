//! `locate`: where values of a key lie.

use std::path::PathBuf;

use clap::Args;

use super::forecast::ScenarioArgument;
use super::output::{self, style, writer};
use super::reading::{CONTAINER_NAMES, ReadRequest, filters, of_capture};
use super::run::prepare;
use super::{DocumentFormat, MeasureArgument, Output, ReadArguments};
use crate::analysis::columns::Lookups;
use crate::analysis::locate::{LocateRanges, Located};
use crate::analysis::summary::ContainerFilter;
use crate::config::Config;
use crate::error::{Error, usage};
use crate::model::capture::Capture;
use crate::model::key::Key;
use crate::report::CsvCells;
use crate::report::locate as report;
use crate::source::watch::Watch;

#[derive(Args, Debug)]
pub struct LocateArguments {
    /// Values of the key: a text as it stands; a list in JSON for numbers and for several levels, such as [42]
    #[arg(required = true, value_name = "VALUE")]
    pub values: Vec<String>,

    /// Physical partitions of a new container, which divide the hashes evenly
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20_000), required_unless_present_any = ["from", "scenario"], conflicts_with_all = ["from", "scenario"], help_heading = "Data")]
    pub partitions: Option<u32>,
    /// Levels of its key [default: those of the first value]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=3), requires = "partitions", help_heading = "Data")]
    pub levels: Option<u32>,
    /// Exports with the hash ranges of a container; may be given several times
    #[arg(long, value_name = "PATH", help_heading = "Data")]
    pub from: Vec<PathBuf>,
    /// A built-in scenario or the file of a design, instead of exports
    #[arg(long, value_name = "NAME", conflicts_with = "from", help_heading = "Data")]
    pub scenario: Option<String>,
    #[command(flatten)]
    pub reading: ReadArguments,

    #[arg(long, value_enum, default_value_t = DocumentFormat::Text, help_heading = "Output")]
    pub format: DocumentFormat,
    #[command(flatten)]
    pub measure: MeasureArgument,
    #[command(flatten)]
    pub output: Output,
}

pub(super) fn run(c: &LocateArguments, config: &Config, watch: &Watch) -> Result<u8, Error> {
    prepare(&c.output, &c.from)?;
    let write = writer(c.format, report::format)?;
    let keys: Vec<Key> = c.values.iter().filter_map(|v| Key::from_cell(v)).collect();
    let request =
        ReadRequest { is_about_sizes: false, ..ReadRequest::of_capture(&c.measure, config)? };
    let containers = filters(&c.reading);
    let answer = |capture: &Capture| {
        if let Some(partitions) = c.partitions {
            let levels = keys.first().map_or(1, |key| key.parts().len());
            let levels = c.levels.map_or(levels, |levels| levels as usize);
            let ranges = LocateRanges::even(partitions as usize, levels);
            return Ok(Located::of(ranges, keys.clone()));
        }
        let number = meant(capture, &containers)?;
        let ranges = LocateRanges::of(capture, number).ok_or_else(no_ranges)?;
        let lookups = Lookups::of(capture, request.ceiling);
        Ok(Located::of(ranges, keys.clone()).with_sizes(capture, number, &lookups))
    };
    let scenario = ScenarioArgument { scenario: c.scenario.clone() };
    let (from, reading, with) =
        ((&scenario, c.from.as_slice()), (&c.reading, &request), (config, watch));
    let (mut made, notes) = of_capture(from, reading, with, answer, Located::mask)?;
    made.notes.extend(notes);
    let style = style(&c.output, CsvCells::Safe);
    output::write(&c.output, &mut |to| write(&made, style, to))
}

/// The only container whose ranges are known.
fn meant(capture: &Capture, named: &[ContainerFilter]) -> Result<u32, Error> {
    let numbered = (0_u32..).zip(&capture.containers);
    let found: Vec<u32> = numbered
        .filter(|(_, container)| ContainerFilter::any_fits(named, &container.name))
        .filter(|(number, _)| LocateRanges::of(capture, *number).is_some())
        .map(|(number, _)| number)
        .collect();
    match found.as_slice() {
        [only] => Ok(*only),
        [] => Err(no_ranges()),
        _ => Err(usage(
            format!("the inputs have hash ranges of {} containers", found.len()),
            CONTAINER_NAMES,
        )),
    }
}

fn no_ranges() -> Error {
    usage(
        "the inputs hold no key and hash ranges of such a container",
        "add a container read and its partition key ranges, or give --partitions",
    )
}
