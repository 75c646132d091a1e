//! The program: parses its arguments, calls the library, and turns errors into sentences and exit codes.

use std::error::Error as _;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use cosmoscope::cli::{Cli, run};
use cosmoscope::error::Error;
use cosmoscope::model::visible::visible;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => {
            // Help and version are answers, not errors; a closed pipe is no failure either.
            let _ = e.print();
            return ExitCode::from(if e.use_stderr() {
                cosmoscope::error::exit::REFUSED
            } else {
                0
            });
        }
    };
    match run::run(&cli) {
        Ok(code) => ExitCode::from(code),
        Err(e) => {
            tell(&e);
            ExitCode::from(e.exit_code())
        }
    }
}

fn tell(e: &Error) {
    if e.exit_code() == cosmoscope::error::exit::DONE {
        return;
    }
    let mut err = std::io::stderr().lock();
    let _ = writeln!(err, "error: {e}");
    let mut cause = e.source();
    while let Some(c) = cause {
        let _ = writeln!(err, "caused by: {}", visible(&c.to_string()));
        cause = c.source();
    }
    if let Some(hint) = e.hint() {
        let _ = writeln!(err, "hint: {hint}");
    }
}
