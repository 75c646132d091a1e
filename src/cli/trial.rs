//! `trial`: documents in, candidate keys side by side out.

mod arguments;
pub mod deciding;
mod keys;
mod loading;
mod logs;
mod running;
pub(super) mod search;
mod statistics;

use std::io;
use std::sync::Arc;

use super::output::{self, style, writer};
use super::progress::{self, FileNames};
use super::simulate::candidates;
use super::{inspect, run};
use crate::analysis::changes::DocumentChanges;
use crate::analysis::decision::{Data, Decision};
use crate::analysis::mask::{Masker, NameKind};
use crate::analysis::plan::facts::PlanFacts;
use crate::analysis::routing::workload::Workload;
use crate::analysis::rows::Note;
use crate::analysis::simulate::TimeLapse;
use crate::analysis::trial::PreparedDocuments;
use crate::config::Config;
use crate::error::Error;
use crate::model::capture::SourceInfo;
use crate::model::path::Path;
use crate::model::units::{count_text, counted};
use crate::model::visible::visible;
use crate::report::trial::{self as report, KeyRole, TrialReport};
use crate::report::{CsvCells, decision};
use crate::source::scenario;
use crate::source::watch::Watch;
use crate::work::queries::{logged, workload};
use crate::work::threads::parallelism;

use arguments::check_numbers;
pub use arguments::{TrialArguments, TrialInputs};

/// What a trial is made of, for commands that follow keys in time.
pub(super) mod parts {
    pub(in crate::cli) use super::keys::{keys, parsed};
    pub(in crate::cli) use super::loading::{
        absent_paths, load, no_pairs, options, refuse_misspelled,
    };
    pub(in crate::cli) use super::logs::today;
    pub(in crate::cli) use super::running::settings;
}
use keys::{keys, time_path};
use loading::{absent_paths, changes_since, load, options, refuse_misspelled};
use running::{growth_note, notes, settings, tried};

/// Trials of the keys that were asked for, and what the documents came from, masked if asked for.
#[derive(Debug)]
pub(super) struct TrialOutput {
    pub report: TrialReport,
    pub sources: Vec<SourceInfo>,
    /// Paths of the keys to try that no document has.
    pub absent: Vec<Path>,
    /// By what the documents are known again, where a decision is written or opened.
    pub data: Option<Data>,
    /// What a way to another key depends on.
    pub facts: PlanFacts,
    /// The keys in time, where that is wanted.
    pub lapses: Vec<TimeLapse>,
}

pub(super) fn run(c: &TrialArguments, config: &Config, watch: &Watch) -> Result<u8, Error> {
    prepare(c)?;
    let write = writer(c.format, report::format)?;
    let past = c.deciding.decision.as_deref().map(deciding::read);
    let made = decide(c, past.transpose()?.as_ref(), config, watch)?;
    let style = style(&c.output, CsvCells::Safe);
    output::write(&c.output, &mut |to| write(&made.report, style, to))
}

/// Long work should not end at a target that was never writable.
pub(super) fn prepare(c: &TrialArguments) -> Result<(), Error> {
    let inputs = c.inputs();
    run::prepare(&c.output, &inputs)?;
    run::prepare(&c.deciding.target(&c.output), &inputs)
}

/// A trial beside the decision of before, where there is one; that of now is written where one is wanted.
pub(super) fn decide(
    c: &TrialArguments,
    past: Option<&Decision>,
    config: &Config,
    watch: &Watch,
) -> Result<TrialOutput, Error> {
    let c = &with_container(c)?;
    let again = past.map(|past| deciding::with(c, past));
    let c = again.as_ref().unwrap_or(c);
    let mut made = output(c, past, config, watch)?;
    refuse_misspelled(c, &made.absent, config, watch)?;
    if let Some(now) = deciding::decided(c, &made, past)? {
        let reported = past.map(|past| deciding::compared(past, &now, c));
        let reported = reported.into_iter().flatten();
        made.report.notes.splice(0..0, reported);
        if c.deciding.save.is_some() {
            output::write(&c.deciding.target(&c.output), &mut |to| decision::write(&now, to))?;
        }
    }
    if !c.quiet {
        inspect::tell_partial(&made.sources, &mut io::stderr().lock());
    }
    Ok(made)
}

/// Documents read, keys tried.
pub(super) fn make(
    c: &TrialArguments,
    config: &Config,
    watch: &Watch,
) -> Result<TrialOutput, Error> {
    output(&with_container(c)?, None, config, watch)
}

/// A scenario's container goes without saying where it has only one.
fn with_container(c: &TrialArguments) -> Result<TrialArguments, Error> {
    let mut c = c.clone();
    if let (Some(name), None) = (&c.scenario, &c.container) {
        c.container = Some(scenario::only_container(name)?);
    }
    Ok(c)
}

fn output(
    c: &TrialArguments,
    past: Option<&Decision>,
    config: &Config,
    watch: &Watch,
) -> Result<TrialOutput, Error> {
    check_numbers(&c.against)?;
    let logs = logs::read(c, config, watch)?;
    let today = logs.as_ref().and_then(logs::Logs::today);
    let keys = keys(c, today.as_ref())?;
    let wanted = search::search_options(&c.search)?;
    let time = c.against.time.as_deref().map(time_path).transpose()?;
    let (workload, logged_note) = requests(c, logs.as_ref())?;
    let mut masker = c.masking.salt()?.map(|salt| Masker::new(&salt));
    let known = logs.iter().flat_map(|logs| &logs.capture.containers);
    if let Some(masker) = &mut masker {
        known.for_each(|container| masker.learn_name(&container.name));
    }
    let names = FileNames::of(masker.is_some());
    if let (Some(logs), None, true) = (&logs, &c.scenario, c.docs.is_empty()) {
        return statistics::make(c, config, logs, &keys, workload, masker.as_ref());
    }
    let options = search::options(options(c, &keys, time.as_ref(), config)?, &wanted);
    let of_keys = keys.iter().flat_map(|(key, _)| key.paths()).cloned();
    let needed: Vec<Path> = of_keys.chain(time.clone()).collect();
    let read = || load(c, &options, &needed, watch);
    let mut loaded = progress::during(watch, c.quiet, names, read)?;
    let absent = absent_paths(&keys, &loaded);
    let mut settings = settings(c, &loaded, today, workload, config)?;
    let current = keys.iter().find(|(_, role)| *role == KeyRole::Current);
    let current = current.map(|(key, _)| key.stored_paths()).unwrap_or_default();
    let changes = changes_since(c, &options, &loaded.documents, &current, watch)?;
    let change_note = changes.as_ref().map(changes_note);
    settings.changes = Arc::new(changes.map_or_else(Vec::new, |found| found.paths));
    if let Some(past) = past {
        deciding::restore(&mut settings, past, c);
    }
    let paths = keys.iter().flat_map(|(key, _)| key.paths());
    let data = c.deciding.is_asked();
    let data = data.then(|| Data::of(&loaded.documents, Vec::new(), paths));
    let documents = std::mem::take(&mut loaded.documents);
    let prepared = PreparedDocuments::made_by(parallelism(), documents, time.as_ref());
    let prepared = Arc::new(prepared);
    let facts = |logs: &logs::Logs| PlanFacts::of(&logs.capture, logs.container);
    let mut facts = logs.as_ref().map(facts).unwrap_or_default();
    let mut made = tried(&prepared, settings, &keys, watch)?;
    let on = (&prepared, &made.settings, &keys[..]);
    let mut lapses =
        candidates::on_logs(c, logs.as_ref().map(logs::Logs::place), on, (config, watch))?;
    made.searched = search::searched(c, &prepared, &made, &wanted, &facts, watch)?;
    made.notes.extend(growth_note(c, &made));
    made.notes.extend(logged_note.into_iter().chain(change_note));
    let of_logs = logs.filter(|_| c.scenario.is_none()).into_iter();
    (loaded.sources).extend(of_logs.flat_map(|logs| logs.capture.sources));
    made.notes.extend(notes(&made.settings, &loaded));
    if let Some(masker) = &masker {
        let mut masker = masker.clone();
        for source in &mut loaded.sources {
            masker.learn_file(&source.path);
            source.path = masker.name(NameKind::File, &source.path);
            source.refused = source.refused.as_ref().map(|why| masker.text(why));
        }
        made.mask(&masker);
        facts.mask(&masker);
        for lapse in &mut lapses {
            lapse.mask(&masker);
        }
    }
    Ok(TrialOutput { lapses, facts, report: made, sources: loaded.sources, absent, data })
}

/// Those of a file or a scenario, else of the logs, with a note that says so.
fn requests(
    c: &TrialArguments,
    logs: Option<&logs::Logs>,
) -> Result<(Workload, Option<Note>), Error> {
    let scenario = c.scenario.as_deref().zip(c.container.as_deref());
    let file = c.against.queries.as_deref();
    let of_logs = logs.filter(|_| file.is_none() && scenario.is_none());
    let of_logs = of_logs.and_then(|logs| logged(&logs.capture, logs.container));
    let note = of_logs.as_ref().map(logged_note);
    Ok((of_logs.map_or_else(|| workload(file, scenario), Ok)?, note))
}

fn changes_note(changes: &DocumentChanges) -> Note {
    Note::new(format!(
        "{} documents are in both captures, paired by {}: which properties change is measured",
        count_text(changes.paired),
        visible(&changes.paired_by_text())
    ))
}

fn logged_note(workload: &Workload) -> Note {
    let shapes = counted(workload.requests.len() as u64, "request shape", "request shapes");
    Note::new(format!("{shapes} with rates from the logs; --queries takes others"))
}
