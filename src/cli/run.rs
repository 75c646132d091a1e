//! Each command from its options to its exit code.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::CommandFactory;

use super::output::{self, style, writer};
use super::reading::{Read, ReadRequest, check_comparison, found_all, read};
use super::{
    Cli, CliCommand, Demo, Diff, Inspect, MeasureArgument, Output, ReportArguments, ReportView,
    TextOrJson,
};
use super::{
    check, count, decisions, demo, design, doctor, forecast, heat, help, inspect, lesson, live,
    locate, log, masking, picture, plan, replay, screens, settings, simulate, trial, workload,
};
use crate::analysis::diff::diff;
use crate::analysis::select::Selection;
use crate::config::{self, Config};
use crate::error::{Error, exit, usage};
use crate::model::capture::SourceInfo;
use crate::report::{self, CsvCells};
use crate::source::input;
use crate::source::watch::Watch;
use crate::work::whole_file;

/// Runs the command and gives the exit code.
pub fn run(cli: &Cli) -> Result<u8, Error> {
    if cli.print_config {
        return output::print(config::DEFAULTS);
    }
    if matches!(
        cli.command,
        Some(CliCommand::Connect(_) | CliCommand::Doctor(_) | CliCommand::Count(_))
    ) && let Some(code) = live::restart::without_machine_probe()
    {
        return Ok(code);
    }
    log::begin(cli)?;
    let Some(command) = &cli.command else {
        return screens::start(cli);
    };
    let done = match command {
        CliCommand::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "cosmoscope", &mut script);
            output::print(script)
        }
        CliCommand::Man => output::write(&Output::default(), &mut |to| man(to)),
        CliCommand::Help { name } => help::run(name.as_deref()),
        CliCommand::Connect(c) => screens::connect(cli, c),
        CliCommand::Doctor(c) => doctor::run(cli, c),
        CliCommand::Count(c) => count::run(cli, c),
        CliCommand::Demo(c) => run_demo(cli, c),
        CliCommand::Lesson(c) => lesson::run(cli, c),
        CliCommand::Open(c) => screens::open(cli, c),
        CliCommand::Replay(c) => replay::run(cli, c),
        CliCommand::Inspect(c) => reading(cli, |config, watch| run_inspect(c, config, watch)),
        CliCommand::Report(c) => reading(cli, |config, watch| run_report(c, config, watch)),
        CliCommand::Check(c) => reading(cli, |config, watch| check::run(c, config, watch)),
        CliCommand::Diff(c) => reading(cli, |config, watch| run_diff(c, config, watch)),
        CliCommand::Forecast(c) => reading(cli, |config, watch| forecast::run(c, config, watch)),
        CliCommand::Simulate(c) => reading(cli, |config, watch| simulate::run(c, config, watch)),
        CliCommand::Locate(c) => reading(cli, |config, watch| locate::run(c, config, watch)),
        CliCommand::Workload(c) => reading(cli, |config, watch| workload::run(c, config, watch)),
        CliCommand::Design(c) => reading(cli, |config, watch| design::run(c, config, watch)),
        CliCommand::Plan(c) => reading(cli, |config, watch| plan::run(c, config, watch)),
        CliCommand::Trial(c) => reading(cli, |config, watch| trial::run(c, config, watch)),
    };
    done.map_err(|e| masking::error(e, command.masking()))
}

/// One picture if wanted; else the screens where there is a terminal, else text.
fn run_demo(cli: &Cli, c: &Demo) -> Result<u8, Error> {
    demo::check_name(c.name.as_deref())?;
    match &c.print {
        Some(view) => picture::print(cli, c, view),
        None if c.list => demo::print_list(),
        None if screens::is_possible(cli) => screens::demo(cli, c.name.as_deref()),
        None => demo::print(c),
    }
}

/// A command that reads inputs.
fn reading(cli: &Cli, run: impl FnOnce(&Config, &Watch) -> Result<u8, Error>) -> Result<u8, Error> {
    let config = settings::load(cli.config.as_deref())?;
    let watch = Watch::stopping_at(stop_flag()?);
    run(&config, &watch)
}

/// The manual: one page for the program and one for each command, in one stream.
fn man(to: &mut dyn Write) -> io::Result<()> {
    let command = Cli::command();
    clap_mangen::Man::new(command.clone()).render(to)?;
    help::manual(to)?;
    for sub in command.get_subcommands() {
        let name = format!("cosmoscope-{}", sub.get_name());
        clap_mangen::Man::new(sub.clone().display_name(name)).render(to)?;
    }
    Ok(())
}

/// Ctrl-C lets the work stop; a second one ends the program at once.
fn stop_flag() -> Result<Arc<AtomicBool>, Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let failed = |e: io::Error| Error::usage(format!("signals cannot be caught: {e}"));
    let code = i32::from(exit::INTERRUPTED);
    let interrupt = signal_hook::consts::SIGINT;
    signal_hook::flag::register_conditional_shutdown(interrupt, code, Arc::clone(&stop))
        .map_err(failed)?;
    signal_hook::flag::register(interrupt, Arc::clone(&stop)).map_err(failed)?;
    output::stop_at(&stop);
    Ok(stop)
}

fn run_inspect(c: &Inspect, config: &Config, watch: &Watch) -> Result<u8, Error> {
    prepare(&c.output, &c.input.paths)?;
    let wanted = ReadRequest {
        fewer: "a smaller --keys",
        ..ReadRequest::new(Selection::Top(c.keys), &MeasureArgument::default(), config)?
    };
    let read = read(&c.input.paths, &c.input.reading, &wanted, config, watch)?;
    found_all(&[&read])?;
    if !c.input.reading.quiet {
        inspect::tell_skipped(&read.sources, &mut io::stderr().lock());
    }
    let style = style(&c.output, CsvCells::Safe);
    output::write(&c.output, &mut |to| match c.format {
        TextOrJson::Json => report::inspect::json(&read.report, &read.sources, &read.notes, to),
        TextOrJson::Text => {
            report::inspect::text(&read.report, &read.sources, &read.notes, style, to)
        }
    })
}

fn run_report(c: &ReportArguments, config: &Config, watch: &Watch) -> Result<u8, Error> {
    prepare(&c.output, &c.input.paths)?;
    if c.view == ReportView::Heat {
        return heat::report(c, config, watch);
    }
    heat::refuse_options(c)?;
    let format = writer(c.format, report::format).map_err(|_| {
        usage(
            "--format svg shows the heat only",
            "add --view heat, or take text, json, csv, md or html",
        )
    })?;
    let top = c.top.or(format.default_top);
    let is_for_people = format.default_top.is_some();
    let alarms = is_for_people.then(|| settings::thresholds(config));
    let alarms = alarms.transpose()?;
    let wanted = ReadRequest {
        has_prefixes: format.has_prefixes,
        has_distributions: format.has_distributions,
        fewer: "--top N for the largest",
        alarms,
        ..ReadRequest::new(top.map_or(Selection::All, Selection::Top), &c.measure, config)?
    };
    let read = read(&c.input.paths, &c.input.reading, &wanted, config, watch)?;
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
    let style = style(&c.output, if c.exact { CsvCells::Exact } else { CsvCells::Safe });
    output::write(&c.output, &mut |to| (format.write)(&read.report, style, to))
}

pub(super) fn tell_empty(reads: &[&Read]) {
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
    if let Some(done) = decisions::run(c) {
        return done;
    }
    let mut wanted = ReadRequest::new(Selection::All, &c.measure, config)?;
    let before = read(std::slice::from_ref(&c.before), &c.reading, &wanted, config, watch)?;
    wanted.held_bytes = before.rows_bytes as u64;
    let after = read(std::slice::from_ref(&c.after), &c.reading, &wanted, config, watch)?;
    found_all(&[&before, &after])?;
    check_comparison([&before, &after], &c.reading, &wanted, config)?;
    let changes = diff(&before.report, &after.report);
    if !c.reading.quiet {
        tell_empty(&[&before, &after]);
        let both: Vec<SourceInfo> = before.sources.into_iter().chain(after.sources).collect();
        inspect::tell_partial(&both, &mut io::stderr().lock());
    }
    let style = style(&c.output, CsvCells::Safe);
    let write = writer(c.format, report::diff::format)?;
    output::write(&c.output, &mut |to| write(&changes, style, to))
}

/// Long work should not end at a target that was never writable.
pub(super) fn prepare(output: &Output, inputs: &[PathBuf]) -> Result<(), Error> {
    let Some(path) = &output.output else {
        return Ok(());
    };
    whole_file::check_target(path, output.existing())?;
    whole_file::check_apart(path, inputs)
}
