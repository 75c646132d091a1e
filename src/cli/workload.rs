//! `workload`: what an application does with a container, and which properties of its documents change.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::forecast::ScenarioArgument;
use super::output::{self, style, writer};
use super::reading::{CONTAINER_NAMES, ReadRequest, filters, import_options, of_capture};
use super::run::prepare;
use super::trial::parts::{no_pairs, parsed};
use super::{DocumentFormat, MeasureArgument, Output, ReadArguments};
use crate::analysis::changes::{DocumentChanges, changes_by_name};
use crate::analysis::logged_workload::LoggedWorkload;
use crate::analysis::mask::Masker;
use crate::analysis::rows::Note;
use crate::config::Config;
use crate::error::{Error, usage};
use crate::model::capture::Capture;
use crate::model::documents::Documents;
use crate::model::visible::visible;
use crate::report::CsvCells;
use crate::report::workload::{self as report, WorkloadReport};
use crate::source::documents::{self, DocumentOptions};
use crate::source::input;
use crate::source::watch::Watch;
use crate::work::queries::notes_of_sources;

const NO_REQUESTS: &str = "documents show no requests: for rates, RU/s and programs give CDBDataPlaneRequests, CDBPartitionKeyRUConsumption or CDBQueryRuntimeStatistics";

#[derive(Args, Debug)]
pub struct WorkloadArguments {
    /// Request logs, RU logs and query logs; or documents, one file or an older and a newer one, to see which properties change
    #[arg(required_unless_present = "scenario", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub scenario: ScenarioArgument,
    /// The partition key of the documents, such as /tenantId, within which their ids are unique
    #[arg(long, value_name = "KEY", help_heading = "Data")]
    pub key: Option<String>,
    #[command(flatten)]
    pub reading: ReadArguments,

    #[arg(long, value_enum, default_value_t = DocumentFormat::Text, help_heading = "Output")]
    pub format: DocumentFormat,
    /// queries: the file that trial takes with --queries, with rates
    #[arg(
        long = "as",
        value_enum,
        value_name = "FILE",
        conflicts_with = "format",
        help_heading = "Output"
    )]
    pub written_as: Option<WorkloadFile>,
    #[command(flatten)]
    pub measure: MeasureArgument,
    #[command(flatten)]
    pub output: Output,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkloadFile {
    Queries,
}

pub(super) fn run(c: &WorkloadArguments, config: &Config, watch: &Watch) -> Result<u8, Error> {
    prepare(&c.output, &c.paths)?;
    let write = writer(c.format, report::format)?;
    let found = match logged(c, config, watch) {
        // Documents are no logs: of one capture names show what may change, of two the values do.
        Err(refused @ Error::Refused { .. }) if (1..=2).contains(&c.paths.len()) => {
            match changes(c, config, watch) {
                Err(Error::Refused { .. } | Error::Input { .. }) => return Err(refused),
                found => found?,
            }
        }
        Ok(_) if c.key.is_some() => return Err(Error::usage("--key is about documents, not logs")),
        found => found?,
    };
    if c.written_as == Some(WorkloadFile::Queries) {
        let [only] = found.containers.as_slice() else {
            let what = format!("requests of {} containers are logged", found.containers.len());
            let next = Some(CONTAINER_NAMES.to_owned());
            return Err(Error::Usage { what, next });
        };
        return output::write(&c.output, &mut |to| to.write_all(only.query_file().as_bytes()));
    }
    let style = style(&c.output, CsvCells::Safe);
    output::write(&c.output, &mut |to| write(&found, style, to))
}

fn logged(c: &WorkloadArguments, config: &Config, watch: &Watch) -> Result<WorkloadReport, Error> {
    let request =
        ReadRequest { is_about_sizes: false, ..ReadRequest::of_capture(&c.measure, config)? };
    let containers = filters(&c.reading);
    let answer = |capture: &Capture| {
        let found = LoggedWorkload::of_all(capture, &containers);
        if found.is_empty() {
            return Err(usage(
                "the inputs hold no requests: neither a request log nor an RU log",
                "export CDBDataPlaneRequests, CDBPartitionKeyRUConsumption or CDBQueryRuntimeStatistics",
            ));
        }
        Ok(found)
    };
    let mask = |found: &mut Vec<LoggedWorkload>, masker: &Masker| {
        for workload in found {
            workload.mask(masker);
        }
    };
    let (containers, mut notes) =
        of_capture((&c.scenario, &c.paths), (&c.reading, &request), (config, watch), answer, mask)?;
    // How a limit is read is about sizes.
    notes.retain(|note| note.source.is_some());
    Ok(WorkloadReport {
        containers,
        price: config.price.clone(),
        notes,
        ..WorkloadReport::default()
    })
}

fn changes(c: &WorkloadArguments, config: &Config, watch: &Watch) -> Result<WorkloadReport, Error> {
    let key = c.key.as_deref().map(|text| parsed("--key", text)).transpose()?;
    let key = key.map_or_else(Vec::new, |key| key.stored_paths());
    let memory = import_options(&c.reading, &[], config)?.memory_bytes;
    let mut options = DocumentOptions::every();
    options.limits.memory_bytes = usize::try_from(memory / 2).unwrap_or(usize::MAX);
    let mut notes = Vec::new();
    let mut read = |path: &PathBuf| -> Result<Documents, Error> {
        let inputs = input::find_documents(std::slice::from_ref(path), &|| watch.keep_going())?;
        let loaded = documents::read(&inputs, &options, watch)?;
        notes.extend(loaded.notes.iter().map(Note::new));
        notes.extend(notes_of_sources(&loaded.sources));
        Ok(loaded.documents)
    };
    let both: Vec<Documents> = c.paths.iter().map(&mut read).collect::<Result<_, _>>()?;
    if c.written_as.is_some() {
        return Err(Error::usage("documents hold no requests: --as queries takes logs"));
    }
    if !c.reading.container.is_empty() {
        return Err(usage(
            "--container chooses among containers of logs: documents name none",
            "leave it out, or give logs",
        ));
    }
    if let Some(path) = key.iter().find(|path| both.iter().all(|of| of.column(path).is_none())) {
        return Err(Error::usage(format!("no document has {}", visible(&path.to_string()))));
    }
    let [before, after] = both.as_slice() else {
        notes.push(Note::new(NO_REQUESTS));
        notes.push(Note::new(
            "an older capture of the same documents before this one measures what changes",
        ));
        return Ok(WorkloadReport {
            named_changes: both.iter().flat_map(changes_by_name).collect(),
            notes,
            ..WorkloadReport::default()
        });
    };
    let found = DocumentChanges::of(before, after, &key).ok_or_else(no_pairs)?;
    if found.paths.iter().all(|path| path.changed == 0) {
        notes.push(Note::new("no document differs: two captures of one moment show nothing"));
    }
    Ok(WorkloadReport { changes: Some(found), notes, ..WorkloadReport::default() })
}
