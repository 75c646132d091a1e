//! `check`: exported sizes and load, and candidate keys on documents, judged to an exit code.

use std::io;

use clap::ValueEnum;

use super::output::{self, style, writer};
use super::reading::{Keep, Read, ReadRequest, default_container, filters, found_all, read};
use super::trial::{self, TrialArguments};
use super::{CheckArguments, heat, inspect, option_values, run, simulate};
use crate::analysis::findings::{self, GateFinding, Limits, Severity, candidates};
use crate::analysis::mask::Masker;
use crate::analysis::select::Selection;
use crate::config::Config;
use crate::error::{Error, exit, usage};
use crate::model::capture::SourceInfo;
use crate::model::limits::SHARE_OF_LIMIT;
use crate::report::CsvCells;
use crate::report::check::{self as report, CheckReport, Exports};
use crate::report::simulate::event_text;
use crate::report::trial::{CandidateReport, KeyRole};
use crate::source::input;
use crate::source::watch::Watch;

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailOn {
    Note,
    Warn,
    Alarm,
}

/// What the inputs of one kind gave.
struct Judged {
    findings: Vec<GateFinding>,
    is_partial: bool,
    sources: Vec<SourceInfo>,
}

pub(super) fn run(c: &CheckArguments, config: &Config, watch: &Watch) -> Result<u8, Error> {
    refuse_aimless(c)?;
    let max_logical = option_values::share("--max-logical", &c.max_logical, SHARE_OF_LIMIT)?;
    let tried = judges_keys(c).then(|| as_trial(c, config)).transpose()?;
    let mut inputs = tried.as_ref().map(TrialArguments::inputs).unwrap_or_default();
    inputs.extend_from_slice(&c.paths);
    if inputs.iter().filter(|p| p.as_os_str() == "-").count() > 1 {
        return Err(input::stdin_twice());
    }
    run::prepare(&c.output, &inputs)?;
    let write = writer(c.format, report::format)?;
    let mut judged = Vec::new();
    if !c.paths.is_empty() {
        judged.push(exports(c, max_logical, config, watch)?);
    }
    let mut keys = Vec::new();
    if let Some(tried) = &tried {
        let (found, candidates) = documents(c, tried, max_logical, &judged, (config, watch))?;
        judged.push(found);
        keys = candidates;
    }
    let is_partial = judged.iter().any(|j| j.is_partial);
    let mut found = Vec::new();
    let mut inputs = Vec::new();
    for one in judged {
        found = findings::merged(found, one.findings);
        inputs.extend(one.sources.into_iter().map(|source| source.path));
    }
    let checked = CheckReport {
        findings: &found,
        is_partial,
        exports: (!c.paths.is_empty()).then(|| exports_of(c)),
        is_simulated: c.simulate.is_some(),
        candidates: &keys,
        fail_on: fail_on(c),
        inputs: &inputs,
    };
    let style = style(&c.output, CsvCells::Safe);
    output::write(&c.output, &mut |to| write(&checked, style, to))?;
    Ok(match findings::worst(&found) {
        Some(worst) if worst >= checked.fail_on => exit::FINDING,
        _ if is_partial => exit::PARTIAL,
        _ => exit::DONE,
    })
}

fn fail_on(c: &CheckArguments) -> Severity {
    match c.fail_on {
        FailOn::Note => Severity::Note,
        FailOn::Warn => Severity::Warn,
        FailOn::Alarm => Severity::Alarm,
    }
}

fn exports_of(c: &CheckArguments) -> Exports {
    match c.max_hot {
        None => Exports::Keys,
        Some(_) => Exports::KeysAndPartitions,
    }
}

/// Whether keys are judged on documents.
fn judges_keys(c: &CheckArguments) -> bool {
    !c.documents.is_empty() || c.scenario.is_some()
}

/// Options that are about what was not given are a slip of the pen, which a gate must not pass over.
fn refuse_aimless(c: &CheckArguments) -> Result<(), Error> {
    let about_documents = c.against.first_given().filter(|_| !judges_keys(c));
    let simulate = c.simulate.as_ref().filter(|_| !judges_keys(c)).map(|_| "--simulate");
    let about_load = c.max_hot.as_ref().map(|_| "--max-hot").or(simulate);
    let about_load = about_load.filter(|_| c.paths.is_empty());
    let (option, of, next) = match (about_documents, about_load) {
        (Some(option), _) => (option, "documents", "add --documents FILE and --key KEY"),
        (None, Some(option)) => (option, "exported load", "name the exports, too"),
        (None, None) => return Ok(()),
    };
    Err(usage(format!("{option} needs {of}"), next))
}

/// Sizes of logical partitions, and on request the load of physical ones.
fn exports(
    c: &CheckArguments,
    max_logical: f64,
    config: &Config,
    watch: &Watch,
) -> Result<Judged, Error> {
    let worth = Selection::Worth(Limits::lowest_share(max_logical));
    let hot = heat::LoadCheck::of(c, config)?;
    let wanted = ReadRequest {
        capture: match c.simulate {
            Some(_) => Keep::Simulated,
            None if hot.is_some() => Keep::Capture,
            None => Keep::Nothing,
        },
        ..ReadRequest::new(worth, &c.measure, config)?
    };
    let read = read(&c.paths, &c.reading, &wanted, config, watch)?;
    found_all(&[&read])?;
    let limits = Limits::of(&read.report, max_logical);
    let mut found = findings::findings(&read.report, &limits);
    let hot = hot.map(|asked| asked.findings(&read, wanted.ceiling));
    let looked_at = hot.as_ref().map(|h| h.partitions);
    if let Some(hot) = hot {
        found = findings::merged(found, hot.findings);
    }
    let mut knows_load = None;
    if let Some(until) = &c.simulate {
        let (mut more, is_whole) = simulated(c, until, &read, (config, &wanted))?;
        if judges_keys(c) {
            more = more.into_iter().map(of_today).collect();
        } else {
            knows_load = Some(is_whole);
        }
        found = findings::merged(found, more);
    }
    if !c.reading.quiet {
        match looked_at {
            Some(0) => heat::tell_empty(),
            Some(_) => {}
            None => run::tell_empty(&[&read]),
        }
        inspect::tell_partial(&read.sources, &mut io::stderr().lock());
    }
    let is_unchecked = match (looked_at, knows_load) {
        (_, Some(false)) => true,
        (Some(partitions), _) => partitions == 0,
        (None, Some(true)) => false,
        (None, None) => holds_no_sizes(&read),
    };
    let is_partial = is_unchecked || read.report.is_partial;
    Ok(Judged { findings: found, is_partial, sources: read.sources })
}

/// What happens to each container in a simulated time, and whether load is known of any.
fn simulated(
    c: &CheckArguments,
    until: &str,
    read: &Read,
    (config, wanted): (&Config, &ReadRequest),
) -> Result<(Vec<GateFinding>, bool), Error> {
    let asked = simulate::gate_question(until, &c.load_factor, (None, None), wanted.ceiling)?;
    let Some(capture) = &read.capture else {
        return Ok((Vec::new(), false));
    };
    let with = (config, wanted.as_of);
    let mut lapses = simulate::all(capture, &filters(&c.reading), &asked, with)?;
    for lapse in &mut lapses {
        if let Some(masker) = &read.masker {
            lapse.mask(masker);
        }
    }
    let found = lapses.iter().map(|lapse| findings::simulated::simulated(lapse, event_text));
    let knows_load = lapses.iter().any(|lapse| lapse.totals.load.is_some());
    Ok((found.flatten().collect(), knows_load))
}

/// Inputs that hold records but not one size leave nothing checked; that must not pass for good news.
fn holds_no_sizes(read: &Read) -> bool {
    read.report.keys_total() == 0 && read.sources.iter().any(|s| s.rows > 0)
}

/// Candidate keys on documents, and how they are written. Where some are named, the key of today decides nothing.
fn documents(
    c: &CheckArguments,
    tried: &TrialArguments,
    max_logical: f64,
    before: &[Judged],
    (config, watch): (&Config, &Watch),
) -> Result<(Judged, Vec<String>), Error> {
    let mut made = trial::make(tried, config, watch)?;
    // Exports that are judged show the container, too: each is listed once.
    let is_listed =
        |s: &SourceInfo| before.iter().flat_map(|j| &j.sources).any(|b| b.path == s.path);
    made.sources.retain(|source| !is_listed(source));
    if !c.reading.quiet {
        inspect::tell_partial(&made.sources, &mut io::stderr().lock());
    }
    let name = default_container(&filters(&c.reading)).unwrap_or_default();
    let name = match c.reading.masking.salt()? {
        Some(salt) => Masker::new(&salt).container(&name),
        None => name,
    };
    let mut found = Vec::new();
    let mut keys: Vec<String> = Vec::new();
    let is_today = |one: &&CandidateReport| one.standing == KeyRole::Current && !c.key.is_empty();
    let (today, decisive): (Vec<_>, Vec<_>) = made.report.candidates.iter().partition(is_today);
    for candidate in decisive.into_iter().chain(today) {
        let key = candidate.trial.candidate.to_string();
        if keys.contains(&key) {
            continue;
        }
        let more = candidates::of(&candidate.trial, &candidate.verdict, &name, max_logical);
        if is_today(&candidate) {
            found.extend(more.into_iter().map(of_today));
        } else {
            found.extend(more);
            keys.push(key);
        }
    }
    for lapse in &made.lapses {
        let mut more = findings::simulated::simulated(lapse, event_text);
        for one in &mut more {
            one.candidate = lapse.key.as_deref().map(Into::into);
        }
        found.extend(more);
    }
    let knows_load =
        tried.simulate.is_none() || made.lapses.iter().any(|l| l.totals.load.is_some());
    let is_unused = |s: &SourceInfo| s.skipped > 0 || s.refused.is_some() || s.incomplete;
    let judged = Judged {
        findings: found,
        is_partial: !knows_load || made.sources.iter().any(is_unused),
        // A scenario is no file.
        sources: if c.scenario.is_some() { Vec::new() } else { made.sources },
    };
    Ok((judged, keys))
}

/// A finding of the key that the container has, where others are judged.
fn of_today(mut of: GateFinding) -> GateFinding {
    of.finding.severity = Severity::Note;
    of.finding.sentence.insert_str(0, "today's key: ");
    of
}

/// The trial that is judged; exports show the container that is simulated where no logs do.
fn as_trial(c: &CheckArguments, config: &Config) -> Result<TrialArguments, Error> {
    let mut against = c.against.clone();
    let simulate = |until: &String| {
        let ceiling = option_values::ceiling(c.measure.ceiling.as_deref(), config)?;
        let terms = (c.against.ru, c.against.retention.as_deref());
        simulate::gate_question(until, &c.load_factor, terms, ceiling)
    };
    if c.simulate.is_some() && against.logs.is_empty() {
        against.logs.clone_from(&c.paths);
    }
    let has_containers = c.scenario.is_some() || !against.logs.is_empty();
    let container = match c.reading.container.as_slice() {
        [only] if has_containers => Some(only.clone()),
        _ => None,
    };
    Ok(TrialArguments {
        scenario: c.scenario.clone(),
        container,
        simulate: c.simulate.as_ref().map(simulate).transpose()?,
        key: c.key.clone(),
        ceiling: c.measure.ceiling.clone(),
        memory: c.reading.memory.clone(),
        as_of: c.measure.as_of.clone(),
        quiet: c.reading.quiet,
        masking: c.reading.masking.clone(),
        output: c.output.clone(),
        ..TrialArguments::of(c.documents.clone(), against)
    })
}
