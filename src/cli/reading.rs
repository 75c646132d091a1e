//! What the reading commands share: inputs read into a report, masked where that was asked for.

use std::io;
use std::path::PathBuf;

use super::forecast::ScenarioArgument;
use super::progress::{self, FileNames};
use super::run::tell_empty;
use super::{MeasureArgument, ReadArguments, demo, inspect, option_values};
use crate::analysis::design::query_visits;
use crate::analysis::diagnosis::thresholds::Thresholds;
use crate::analysis::mask::{Masker, NameKind};
use crate::analysis::rows;
use crate::analysis::select::Selection;
use crate::analysis::summary::{self, ContainerFilter, Summary};
use crate::config::Config;
use crate::error::{Error, usage};
use crate::model::capture::{Capture, CaptureBuilder, SourceInfo};
use crate::model::largest::LargestKeys;
use crate::model::names::ContainerName;
use crate::model::near;
use crate::model::time::Stamp;
use crate::model::units::count_text;
use crate::report::heat::HeatReport;
use crate::source::tally::quoted;
use crate::source::watch::Watch;
use crate::source::{import, input, scenario, times};
use crate::work::salt;

/// What a row of a report takes, roughly: how much of the budget is set aside for so many.
const ROW_BYTES: u64 = 512;

/// A report and the inputs it came from, masked if asked for.
pub(super) struct Read {
    pub report: rows::Report,
    pub sources: Vec<SourceInfo>,
    pub notes: Vec<String>,
    /// Only where it was asked for.
    pub capture: Option<Capture>,
    /// What its load is judged, where it holds any and somebody asked.
    load: Option<HeatReport>,
    /// Knows the names of the report, where names are masked.
    pub masker: Option<Masker>,
    /// The memory of the rows of the report.
    pub rows_bytes: usize,
    /// Containers that were asked for and are not there, and the ones that are.
    missing: Vec<String>,
    present: Vec<String>,
}

/// How `--container` names one.
pub(super) const CONTAINER_NAMES: &str =
    "--container takes NAME, DATABASE/NAME or ACCOUNT/DATABASE/NAME, in the same letter case";

/// Containers that a refusal lists.
const LISTED_CONTAINERS: usize = 8;

/// A container that stands in none of the inputs is a slip of the pen: an empty answer would look like a good one.
pub(super) fn found_all(reads: &[&Read]) -> Result<(), Error> {
    let Some(first) = reads.first() else {
        return Ok(());
    };
    let nowhere = |c: &&String| reads.iter().all(|r| r.missing.contains(c));
    let Some(wanted) = first.missing.iter().find(nowhere) else {
        return Ok(());
    };
    let present = || reads.iter().flat_map(|r| &r.present);
    let meant = meant_container(wanted, present());
    let mut present: Vec<String> = present().map(|c| quoted(c)).collect();
    present.sort();
    present.dedup();
    let more = if present.len() > LISTED_CONTAINERS { ", …" } else { "" };
    present.truncate(LISTED_CONTAINERS);
    let (wanted, held) = (quoted(wanted), present.join(", "));
    let what =
        format!("there is no container {wanted} in the inputs; they hold {held}{more}{meant}");
    Err(usage(what, CONTAINER_NAMES))
}

/// The question whether another container was meant, by its name or by its database and name. It has the same name as in a
/// list of all, so that masks hide both alike.
pub(super) fn meant_container<'a>(
    wanted: &str,
    mut present: impl Iterator<Item = &'a String> + Clone,
) -> String {
    let names = |title: &'a String| {
        std::iter::successors(Some(title.as_str()), |title| Some(title.split_once('/')?.1))
    };
    let meant = near::nearest(wanted, present.clone().flat_map(names));
    let meant =
        meant.and_then(|meant| present.find(|&title| names(title).any(|name| name == meant)));
    meant.map_or_else(String::new, |title| format!(". Did you mean {}?", quoted(title)))
}

/// What a command wants from its inputs.
pub(super) struct ReadRequest {
    pub selection: Selection,
    pub has_prefixes: bool,
    pub has_distributions: bool,
    /// What of the memory budget an earlier report takes.
    pub held_bytes: u64,
    /// How to ask for fewer keys, where they do not fit.
    pub fewer: &'static str,
    /// What becomes of everything that was read, once the report is made.
    pub capture: Keep,
    pub as_of: Option<Stamp>,
    pub ceiling: crate::analysis::ceiling::Ceiling,
    /// Judges the load and large keys, too, for a report that is not about them.
    pub alarms: Option<Thresholds>,
    /// Inputs without sizes are worth a note.
    pub is_about_sizes: bool,
}

/// Whether the capture is still wanted after its report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keep {
    Nothing,
    Capture,
    /// And each of its keys is followed.
    Simulated,
}

impl ReadRequest {
    /// Sizes are taken from the capture; the report gives the notes.
    pub fn of_capture(measure: &MeasureArgument, config: &Config) -> Result<Self, Error> {
        Ok(Self { capture: Keep::Capture, ..Self::new(Selection::Top(0), measure, config)? })
    }

    pub fn new(
        selection: Selection,
        measure: &MeasureArgument,
        config: &Config,
    ) -> Result<Self, Error> {
        Ok(Self {
            selection,
            has_prefixes: false,
            has_distributions: false,
            held_bytes: 0,
            fewer: "name one with --container",
            capture: Keep::Nothing,
            alarms: None,
            is_about_sizes: true,
            as_of: option_values::as_of(measure.as_of.as_deref())?,
            ceiling: option_values::ceiling(measure.ceiling.as_deref(), config)?,
        })
    }
}

/// The containers that are asked for.
pub(super) fn filters(reading: &ReadArguments) -> Vec<ContainerFilter> {
    let named = reading.container.iter();
    named.map(|c| ContainerFilter::parse(c)).collect()
}

/// How inputs are read, as the options and the configuration say.
pub(super) fn import_options(
    reading: &ReadArguments,
    filters: &[ContainerFilter],
    config: &Config,
) -> Result<import::ImportOptions, Error> {
    let zone = Some(config.time_zone.as_str()).filter(|z| !z.is_empty());
    Ok(import::ImportOptions {
        memory_bytes: option_values::memory(reading.memory.as_deref().unwrap_or(&config.memory))?,
        time_zone: option_values::time_zone(reading.time_zone.as_deref().or(zone))?,
        date_order: reading.date_order.as_deref().and_then(times::date_order),
        container: default_container(filters),
        seed: salt::seed(),
        ..import::ImportOptions::default()
    })
}

pub(super) fn read(
    paths: &[PathBuf],
    reading: &ReadArguments,
    request: &ReadRequest,
    config: &Config,
    watch: &Watch,
) -> Result<Read, Error> {
    let filters = filters(reading);
    let mut options = import_options(reading, &filters, config)?;
    options.held_bytes = request.held_bytes + set_aside(request, &options);
    let masking = reading.masking.salt()?;
    let names = FileNames::of(masking.is_some());
    let wanted = summary::SummaryOptions {
        ceiling: request.ceiling,
        selection: request.selection,
        containers: filters,
        as_of: request.as_of,
        has_prefixes: request.has_prefixes,
        has_distributions: request.has_distributions,
    };
    let mut read = progress::during(watch, reading.quiet, names, || {
        let keep_going = || watch.keep_going();
        let inputs = input::find(paths, &keep_going)?;
        read_all(&inputs, &options, &wanted, request, watch)
    })?;
    if let Some(salt) = masking {
        mask(&mut read, &salt);
    }
    if let Some(load) = read.load.take() {
        read.report.alarms = load.alarms(&read.report.containers);
    }
    Ok(read)
}

/// What is kept of the budget for the report and for keys that verdicts look at.
fn set_aside(request: &ReadRequest, options: &import::ImportOptions) -> u64 {
    let rows = match request.selection {
        Selection::Top(rows) => (rows as u64).saturating_mul(ROW_BYTES),
        Selection::All | Selection::Worth(_) => u64::MAX,
    };
    let rows = rows.min(options.free_bytes() / 4);
    rows + match request.capture {
        Keep::Nothing => 0,
        Keep::Capture => options.kept_bytes(),
        Keep::Simulated => followed_bytes(options.free_bytes() - rows),
    }
}

/// The part of the memory that is left for simulated keys: each takes five times its place in the table.
pub(super) fn followed_bytes(free: u64) -> u64 {
    free / 6 * 5
}

/// Adds a part to the report, or says that its rows do not fit beside the part.
fn absorb(
    summary: &mut Summary,
    part: &Capture,
    options: &import::ImportOptions,
    request: &ReadRequest,
) -> Result<(), Error> {
    let table = part.sizes.bytes() as u64;
    let free = options.free_bytes().saturating_sub(table + request.held_bytes);
    let Err(none) = summary.absorb_within(part, usize::try_from(free).unwrap_or(usize::MAX)) else {
        return Ok(());
    };
    // Of the largest there are no more in all parts together than were asked for.
    let times = match request.selection {
        Selection::Top(_) => 1,
        Selection::All | Selection::Worth(_) => part.sizes.times_in_all() as u64,
    };
    let about = if times > 1 { "about " } else { "" };
    let keys = format!("a report of {about}{} keys", count_text(none.rows * times));
    let bytes = (table + none.bytes as u64) * times + request.held_bytes;
    Err(options.no_room(&keys, bytes, request.fewer))
}

/// Two reports that are compared: each row is looked up by its name, and may become a change.
pub(super) fn check_comparison(
    both: [&Read; 2],
    reading: &ReadArguments,
    request: &ReadRequest,
    config: &Config,
) -> Result<(), Error> {
    let options = import_options(reading, &[], config)?;
    let rows: usize = both.iter().map(|read| read.rows_bytes).sum();
    let bytes = rows as u64 * 8 / 5;
    if bytes <= options.free_bytes() {
        return Ok(());
    }
    let keys: u64 = both.iter().map(|read| read.report.keys_shown()).sum();
    let what = format!("a comparison of {} keys", count_text(keys));
    Err(options.no_room(&what, bytes, request.fewer))
}

/// Keys of sizes alone that findings look at.
const JUDGED_KEYS: usize = 10_000;

fn read_all(
    inputs: &input::Inputs,
    options: &import::ImportOptions,
    wanted: &summary::SummaryOptions,
    request: &ReadRequest,
    watch: &Watch,
) -> Result<Read, Error> {
    let mut summary = Summary::new(wanted.clone());
    let mut is_in_parts = false;
    // What is wrong with a container may be about a key of any part, and it is about one of the largest.
    let most = options.kept_keys();
    let mut largest = match request.capture {
        Keep::Nothing => None,
        Keep::Capture | Keep::Simulated => {
            Some(LargestKeys::new(usize::try_from(most).unwrap_or(usize::MAX)))
        }
    };
    let mut capture = import::import(inputs, options, watch, &mut |part| {
        is_in_parts = true;
        absorb(&mut summary, part, options, request)?;
        if let Some(largest) = &mut largest {
            largest.absorb(&part.sizes);
        }
        Ok(())
    })?;
    absorb(&mut summary, &capture, options, request)?;
    let rows_bytes = summary.rows_bytes();
    let mut report = summary.finish();
    report.has_load = super::heat::has_load(&capture);
    let judged = request.alarms.as_ref().filter(|limits| {
        !is_in_parts && (report.has_load || super::heat::nears_limit(&report, limits))
    });
    if judged.is_some() && !report.has_load && request.capture == Keep::Nothing {
        // Keys near their limit are among the largest: all others take memory and time.
        keep_largest(LargestKeys::new(JUDGED_KEYS), &mut capture);
    }
    let load = judged
        .map(|thresholds| super::heat::judged(&capture, request, thresholds, &wanted.containers));
    let mut notes = capture.notes.clone();
    if let Some(largest) = largest.filter(|_| is_in_parts) {
        keep_largest(largest, &mut capture);
        notes.push(format!(
            "more keys than memory: verdicts use the {} largest; --memory changes that",
            count_text(most)
        ));
    }
    report.notes.extend(notes.iter().skip(capture.notes.len()).map(rows::Note::new));
    let names = || capture.containers.iter().map(|c| &c.name);
    let absent = |f: &&ContainerFilter| !names().any(|n| f.fits(n));
    Ok(Read {
        missing: wanted.containers.iter().filter(absent).map(ContainerFilter::text).collect(),
        present: names().filter_map(ContainerName::option_text).collect(),
        report,
        sources: capture.sources.clone(),
        notes,
        load,
        masker: None,
        rows_bytes,
        capture: Some(capture).filter(|_| request.capture != Keep::Nothing),
    })
}

fn keep_largest(mut largest: LargestKeys, capture: &mut Capture) {
    largest.absorb(&capture.sizes);
    capture.sizes = largest.finish();
}

/// One container that is asked for is also whose data it is where a file does not say.
pub(super) fn default_container(filters: &[ContainerFilter]) -> Option<ContainerName> {
    let [only] = filters else { return None };
    Some(only.0.clone())
}

fn mask(read: &mut Read, salt: &[u8]) {
    let mut masker = Masker::new(salt);
    for container in read.capture.iter().flat_map(|c| &c.containers) {
        masker.learn_name(&container.name);
    }
    masker.report(&mut read.report);
    for source in &mut read.sources {
        masker.learn_file(&source.path);
        source.path = masker.name(NameKind::File, &source.path);
        source.refused = source.refused.as_ref().map(|t| masker.text(t));
        source.notes.iter_mut().for_each(|n| *n = masker.text(n));
        for error in &mut source.row_errors {
            error.detail = masker.text(&error.detail);
        }
    }
    read.notes.iter_mut().for_each(|n| *n = masker.text(n));
    if let Some(load) = &mut read.load {
        load.mask(&masker);
    }
    read.masker = Some(masker);
}

/// What a command makes of one capture, masked where that is wanted, with what its inputs say.
pub(super) fn of_capture<T>(
    (scenario, paths): (&ScenarioArgument, &[PathBuf]),
    (reading, request): (&ReadArguments, &ReadRequest),
    (config, watch): (&Config, &Watch),
    answer: impl Fn(&Capture) -> Result<T, Error>,
    mask: fn(&mut T, &Masker),
) -> Result<(T, Vec<rows::Note>), Error> {
    let without_files = match &scenario.scenario {
        Some(name) => Some(scenario_capture(name)?),
        None => paths.is_empty().then(Capture::default),
    };
    if let Some(capture) = without_files {
        let mut made = answer(&capture)?;
        if let Some(salt) = reading.masking.salt()? {
            mask(&mut made, &Masker::new(&salt));
        }
        let notes = capture.sources.iter().flat_map(|source| &source.notes);
        return Ok((made, notes.map(rows::Note::new).collect()));
    }
    let read = read(paths, reading, request, config, watch)?;
    found_all(&[&read])?;
    if !reading.quiet {
        inspect::tell_partial(&read.sources, &mut io::stderr().lock());
        if request.is_about_sizes {
            tell_empty(&[&read]);
        }
    }
    let mut made = answer(read.capture.as_ref().unwrap_or(&Capture::default()))?;
    if let Some(masker) = &read.masker {
        mask(&mut made, masker);
    }
    Ok((made, read.report.notes))
}

/// A built-in scenario as if it had been read.
pub(super) fn scenario_capture(name: &str) -> Result<Capture, Error> {
    demo::check_name(Some(name))?;
    let builder = CaptureBuilder::new(salt::seed());
    scenario::load(name, query_visits, &builder)?;
    Ok(builder.finish())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn rows_and_simulated_keys_leave_memory_for_the_table() {
        let options = import::ImportOptions::default();
        for selection in [Selection::Top(0), Selection::Worth(0.5), Selection::All] {
            let measure = MeasureArgument::default();
            let request = ReadRequest::new(selection, &measure, &Config::default()).unwrap();
            let request = ReadRequest { capture: Keep::Simulated, ..request };
            assert!(set_aside(&request, &options) < options.free_bytes() / 10 * 9);
        }
    }
}
