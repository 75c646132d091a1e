//! Each command from its options to its exit code.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::CommandFactory;

use super::output::{self, style};
use super::progress::{self, Names};
use super::{
    Check, Cli, Command, Demo, Diff, FailOn, Inspect, Measure, Output, Reading, Report, TextOrJson,
};
use super::{ask, demo, inspect, log, masking, picture, salt, screens, settings, whole_file};
use crate::analysis::findings::{self, Limits, Severity};
use crate::analysis::mask::{Kind, Masker};
use crate::analysis::rows::{self, Completeness};
use crate::analysis::select::Selection;
use crate::analysis::summary::{self, ContainerFilter, Distributions, Prefixes, Summary};
use crate::config::{self, Config};
use crate::error::{Error, exit};
use crate::model::capture::SourceInfo;
use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::report::{self, Cells};
use crate::source::tally::quoted;
use crate::source::watch::Watch;
use crate::source::{import, input};

/// Keys taken where the keys outgrow the memory budget and nobody said how many are wanted.
const TOP_OVER_BUDGET: usize = 100_000;

/// Runs what was asked for and gives the exit code.
pub fn run(cli: &Cli) -> Result<u8, Error> {
    if cli.print_config {
        return print(|to| to.write_all(config::DEFAULTS.as_bytes()));
    }
    log::begin(cli)?;
    let Some(command) = &cli.command else {
        return screens::start(cli);
    };
    match command {
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "cosmoscope", &mut script);
            return print(|to| to.write_all(&script));
        }
        Command::Man => return print(|to| man(to)),
        Command::Connect(_) => return Err(screens::connect()),
        Command::Demo(c) => return run_demo(cli, c),
        Command::Open(_)
        | Command::Inspect(_)
        | Command::Report(_)
        | Command::Check(_)
        | Command::Diff(_) => {}
    }
    let done = match command {
        Command::Open(c) => screens::open(cli, c),
        command => run_reading(command, cli.config.as_deref()),
    };
    done.map_err(|e| masking::error(e, command.masking()))
}

/// One picture if asked for; else the screens where there is a terminal, and text where there is none.
fn run_demo(cli: &Cli, c: &Demo) -> Result<u8, Error> {
    match &c.print {
        Some(view) => picture::print(cli, c, view),
        None if screens::is_possible() => screens::demo(cli, c.name.as_deref()),
        None => demo::print(c),
    }
}

/// The commands that read inputs.
fn run_reading(command: &Command, config: Option<&Path>) -> Result<u8, Error> {
    let config = settings::load(config)?;
    let watch = Watch::stopping_at(stop_flag()?);
    match command {
        Command::Inspect(c) => run_inspect(c, &config, &watch),
        Command::Report(c) => run_report(c, &config, &watch),
        Command::Check(c) => run_check(c, &config, &watch),
        Command::Diff(c) => run_diff(c, &config, &watch),
        Command::Completions { .. }
        | Command::Man
        | Command::Demo(_)
        | Command::Connect(_)
        | Command::Open(_) => Ok(exit::DONE),
    }
}

fn print(mut write: impl FnMut(&mut dyn Write) -> io::Result<()>) -> Result<u8, Error> {
    output::write(&Output::default(), &mut write)?;
    Ok(exit::DONE)
}

/// The manual: one page for the program and one for each command, in one stream.
fn man(to: &mut dyn Write) -> io::Result<()> {
    let command = Cli::command();
    clap_mangen::Man::new(command.clone()).render(to)?;
    for sub in command.get_subcommands() {
        let name = format!("cosmoscope-{}", sub.get_name());
        clap_mangen::Man::new(sub.clone().display_name(name)).render(to)?;
    }
    Ok(())
}

/// Ctrl-C asks the work to stop; a second one ends the program at once.
fn stop_flag() -> Result<Arc<AtomicBool>, Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let failed = |e: io::Error| Error::usage(format!("signals cannot be caught: {e}"));
    let code = i32::from(exit::INTERRUPTED);
    let interrupt = signal_hook::consts::SIGINT;
    signal_hook::flag::register_conditional_shutdown(interrupt, code, Arc::clone(&stop))
        .map_err(failed)?;
    signal_hook::flag::register(interrupt, Arc::clone(&stop)).map_err(failed)?;
    Ok(stop)
}

/// A report and the inputs it came from, masked if asked for.
struct Read {
    report: rows::Report,
    sources: Vec<SourceInfo>,
    notes: Vec<String>,
    /// Containers that were asked for and are not there, and the ones that are.
    missing: Vec<String>,
    present: Vec<String>,
}

/// Containers that a refusal lists.
const LISTED_CONTAINERS: usize = 8;

/// A container that stands in none of the inputs is a slip of the pen: an empty answer would look like a good one.
fn found_all(reads: &[&Read]) -> Result<(), Error> {
    let Some(first) = reads.first() else {
        return Ok(());
    };
    let nowhere = |c: &&String| reads.iter().all(|r| r.missing.contains(c));
    let Some(wanted) = first.missing.iter().find(nowhere) else {
        return Ok(());
    };
    let mut present: Vec<String> = reads
        .iter()
        .flat_map(|r| &r.present)
        .map(|c| quoted(c))
        .collect();
    present.sort();
    present.dedup();
    let more = if present.len() > LISTED_CONTAINERS {
        ", …"
    } else {
        ""
    };
    present.truncate(LISTED_CONTAINERS);
    Err(Error::Usage {
        what: format!(
            "there is no container {} in the inputs; they hold {}{more}",
            quoted(wanted),
            present.join(", ")
        ),
        next: Some("--container takes NAME or DATABASE/NAME, in the same letter case".to_owned()),
    })
}

/// What a command wants from its inputs.
struct Wish {
    selection: Selection,
    prefixes: Prefixes,
    distributions: Distributions,
    /// Whether all keys were asked for only because nothing else was.
    cut_over_budget: bool,
    as_of: Option<Stamp>,
    ceiling: crate::analysis::ceiling::Ceiling,
}

impl Wish {
    fn new(selection: Selection, measure: &Measure, config: &Config) -> Result<Self, Error> {
        Ok(Self {
            selection,
            prefixes: Prefixes::Skipped,
            distributions: Distributions::Skipped,
            cut_over_budget: false,
            as_of: ask::as_of(measure.as_of.as_deref())?,
            ceiling: ask::ceiling(measure.ceiling.as_deref(), config)?,
        })
    }
}

/// The containers that are asked for.
pub(super) fn filters(reading: &Reading) -> Vec<ContainerFilter> {
    let named = reading.container.iter();
    named.map(|c| ContainerFilter::parse(c)).collect()
}

/// How inputs are read, as the options and the configuration say.
pub(super) fn import_options(
    reading: &Reading,
    filters: &[ContainerFilter],
    config: &Config,
) -> Result<import::Options, Error> {
    let zone = Some(config.time_zone.as_str()).filter(|z| !z.is_empty());
    Ok(import::Options {
        memory_bytes: ask::memory(reading.memory.as_deref().unwrap_or(&config.memory))?,
        time_zone: ask::time_zone(reading.time_zone.as_deref().or(zone))?,
        container: default_container(filters),
        seed: salt::seed(),
        ..import::Options::default()
    })
}

fn read(
    paths: &[PathBuf],
    reading: &Reading,
    wish: &Wish,
    config: &Config,
    watch: &Watch,
) -> Result<Read, Error> {
    let filters = filters(reading);
    let options = import_options(reading, &filters, config)?;
    let masking = salt::salt(&reading.masking)?;
    let names = if masking.is_some() {
        Names::Hidden
    } else {
        Names::Shown
    };
    let wanted = summary::Options {
        ceiling: wish.ceiling,
        selection: wish.selection,
        containers: filters,
        as_of: wish.as_of,
        prefixes: wish.prefixes,
        distributions: wish.distributions,
    };
    let mut read = progress::during(watch, reading.quiet, names, || {
        let keep_going = || watch.keep_going();
        let inputs = input::find(paths, &keep_going)?;
        read_all(&inputs, &options, &wanted, wish.cut_over_budget, watch)
    })?;
    if let Some(salt) = masking {
        mask(&mut read, &salt);
    }
    Ok(read)
}

fn read_all(
    inputs: &input::Inputs,
    options: &import::Options,
    wanted: &summary::Options,
    cut: bool,
    watch: &Watch,
) -> Result<Read, Error> {
    let mut summary = Summary::new(wanted.clone());
    let mut passes = 0;
    let capture = import::import(inputs, options, watch, &mut |part| {
        if passes == 0 && cut {
            summary = Summary::new(summary::Options {
                selection: Selection::Top(TOP_OVER_BUDGET),
                ..wanted.clone()
            });
        }
        passes += 1;
        summary.absorb(part);
    })?;
    summary.absorb(&capture);
    let mut notes = capture.notes.clone();
    let mut report = summary.finish();
    if passes > 0 && cut && report.keys_total() > TOP_OVER_BUDGET as u64 {
        notes.push(format!("more keys than memory: the {TOP_OVER_BUDGET} largest are given; --top or --memory changes that"));
    }
    report
        .notes
        .extend(notes.iter().skip(capture.notes.len()).map(rows::Note::new));
    let names = || capture.containers.iter().map(|c| &c.name);
    let absent = |f: &&ContainerFilter| !names().any(|n| f.fits(n));
    let title = |n: &ContainerName| {
        let container = n.container.as_deref()?;
        Some(
            n.database
                .as_ref()
                .map_or_else(|| container.to_owned(), |d| format!("{d}/{container}")),
        )
    };
    Ok(Read {
        missing: wanted
            .containers
            .iter()
            .filter(absent)
            .map(ContainerFilter::text)
            .collect(),
        present: names().filter_map(title).collect(),
        report,
        sources: capture.sources,
        notes,
    })
}

/// One container that is asked for is also whose data it is where a file does not say.
fn default_container(filters: &[ContainerFilter]) -> Option<ContainerName> {
    let [only] = filters else { return None };
    Some(ContainerName::new(
        None,
        only.database.as_deref(),
        Some(&only.container),
    ))
}

fn mask(read: &mut Read, salt: &[u8]) {
    let mut masker = Masker::new(salt);
    masker.report(&mut read.report);
    for source in &mut read.sources {
        masker.learn_file(&source.path);
        source.path = masker.name(Kind::File, &source.path);
        source.refused = source.refused.as_ref().map(|t| masker.text(t));
        source.notes.iter_mut().for_each(|n| *n = masker.text(n));
        for error in &mut source.row_errors {
            error.detail = masker.text(&error.detail);
        }
    }
    read.notes.iter_mut().for_each(|n| *n = masker.text(n));
}

fn run_inspect(c: &Inspect, config: &Config, watch: &Watch) -> Result<u8, Error> {
    prepare(&c.output, &c.input.paths)?;
    let wish = Wish::new(Selection::Top(c.keys), &Measure::default(), config)?;
    let read = read(&c.input.paths, &c.input.reading, &wish, config, watch)?;
    found_all(&[&read])?;
    if !c.input.reading.quiet {
        inspect::tell_skipped(&read.sources, &mut io::stderr().lock());
    }
    let style = style(&c.output, Cells::Safe);
    output::write(&c.output, &mut |to| match c.format {
        TextOrJson::Json => report::inspect::json(&read.report, &read.sources, &read.notes, to),
        TextOrJson::Text => {
            report::inspect::text(&read.report, &read.sources, &read.notes, style, to)
        }
    })?;
    Ok(exit::DONE)
}

fn run_report(c: &Report, config: &Config, watch: &Watch) -> Result<u8, Error> {
    prepare(&c.output, &c.input.paths)?;
    let Some(format) = report::format(c.format.name()) else {
        return Err(Error::usage("an unknown format"));
    };
    let top = c.top.or(format.default_top);
    let wish = Wish {
        prefixes: format.prefixes,
        distributions: format.distributions,
        cut_over_budget: top.is_none(),
        ..Wish::new(
            top.map_or(Selection::All, Selection::Top),
            &c.measure,
            config,
        )?
    };
    let read = read(&c.input.paths, &c.input.reading, &wish, config, watch)?;
    found_all(&[&read])?;
    if !c.input.reading.quiet {
        inspect::tell_partial(&read.sources, &mut io::stderr().lock());
        if c.exact {
            let _ = writeln!(
                io::stderr(),
                "note: --exact leaves cells that a spreadsheet may run as formulas"
            );
        }
    }
    let style = style(&c.output, if c.exact { Cells::Exact } else { Cells::Safe });
    output::write(&c.output, &mut |to| (format.write)(&read.report, style, to))?;
    Ok(exit::DONE)
}

fn run_check(c: &Check, config: &Config, watch: &Watch) -> Result<u8, Error> {
    prepare(&c.output, &c.input.paths)?;
    let max_logical = ask::share("--max-logical", &c.max_logical)?;
    let worth = Selection::Worth(Limits::lowest_share(max_logical));
    let wish = Wish::new(worth, &c.measure, config)?;
    let read = read(&c.input.paths, &c.input.reading, &wish, config, watch)?;
    found_all(&[&read])?;
    let limits = Limits::of(&read.report, max_logical);
    let found = findings::findings(&read.report, &limits);
    if !c.input.reading.quiet {
        tell_empty(&[&read]);
        inspect::tell_partial(&read.sources, &mut io::stderr().lock());
    }
    let completeness = if is_partial(&read) {
        Completeness::Partial
    } else {
        Completeness::Whole
    };
    let style = style(&c.output, Cells::Safe);
    output::write(&c.output, &mut |to| match c.format {
        TextOrJson::Json => report::check::json(&found, completeness, to),
        TextOrJson::Text => report::check::text(&found, completeness, style, to),
    })?;
    let fail_on = match c.fail_on {
        FailOn::Note => Severity::Note,
        FailOn::Warn => Severity::Warn,
        FailOn::Alarm => Severity::Alarm,
    };
    Ok(match findings::worst(&found) {
        Some(worst) if worst >= fail_on => exit::FINDING,
        _ if completeness == Completeness::Partial => exit::PARTIAL,
        _ => exit::DONE,
    })
}

/// Inputs that hold records but not one size leave nothing checked; that must not pass for good news.
fn is_partial(read: &Read) -> bool {
    read.report.completeness == Completeness::Partial || holds_no_sizes(read)
}

fn holds_no_sizes(read: &Read) -> bool {
    read.report.keys_total() == 0 && read.sources.iter().any(|s| s.rows > 0)
}

fn tell_empty(reads: &[&Read]) {
    if reads.iter().any(|r| r.report.keys_total() == 0) {
        let sentence =
            "note: there are no key sizes in these inputs; export PartitionKeyStatistics";
        let _ = writeln!(io::stderr(), "{sentence}");
    }
}

fn run_diff(c: &Diff, config: &Config, watch: &Watch) -> Result<u8, Error> {
    if [&c.before, &c.after].iter().all(|p| p.as_os_str() == "-") {
        return Err(input::stdin_twice());
    }
    prepare(&c.output, &[c.before.clone(), c.after.clone()])?;
    let wish = Wish::new(Selection::All, &c.measure, config)?;
    let before = read(
        std::slice::from_ref(&c.before),
        &c.reading,
        &wish,
        config,
        watch,
    )?;
    let after = read(
        std::slice::from_ref(&c.after),
        &c.reading,
        &wish,
        config,
        watch,
    )?;
    found_all(&[&before, &after])?;
    let changes = crate::analysis::diff::diff(&before.report, &after.report);
    if !c.reading.quiet {
        tell_empty(&[&before, &after]);
        let both: Vec<SourceInfo> = before.sources.into_iter().chain(after.sources).collect();
        inspect::tell_partial(&both, &mut io::stderr().lock());
    }
    let style = style(&c.output, Cells::Safe);
    output::write(&c.output, &mut |to| match c.format {
        TextOrJson::Json => report::diff::json(&changes, to),
        TextOrJson::Text => report::diff::text(&changes, style, to),
    })?;
    Ok(exit::DONE)
}

/// Long work should not end at a target that was never writable.
fn prepare(output: &Output, inputs: &[PathBuf]) -> Result<(), Error> {
    let Some(path) = &output.output else {
        return Ok(());
    };
    whole_file::check_target(path, output.existing())?;
    whole_file::check_apart(path, inputs)
}
