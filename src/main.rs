//! The program: parses its arguments, calls the library, and turns errors into sentences and exit codes.

use std::error::Error as _;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use cosmoscope::cli::{Cli, run};
use cosmoscope::error::{Error, exit};
use cosmoscope::model::visible::visible;
use cosmoscope::tui::crash;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(crash::told_briefly));
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => {
            // Help and version are answers, not errors; a closed pipe is no failure either.
            let _ = e.print();
            let code = if e.use_stderr() {
                exit::REFUSED
            } else {
                exit::DONE
            };
            return ExitCode::from(code);
        }
    };
    match std::panic::catch_unwind(|| run::run(&cli)) {
        Ok(Ok(code)) => ExitCode::from(code),
        Ok(Err(e)) => {
            tell(&e);
            ExitCode::from(e.exit_code())
        }
        Err(_) => ExitCode::from(exit::INTERNAL),
    }
}

/// What the system says, without its number.
fn reason(text: &str) -> String {
    let end = text.find(" (os error").unwrap_or(text.len());
    visible(text.get(..end).unwrap_or_default()).into_owned()
}

fn tell(e: &Error) {
    if e.exit_code() == exit::DONE {
        return;
    }
    let mut err = std::io::stderr().lock();
    let _ = writeln!(err, "error: {e}");
    let mut cause = e.source();
    while let Some(c) = cause {
        let _ = writeln!(err, "caused by: {}", reason(&c.to_string()));
        cause = c.source();
    }
    if let Some(hint) = e.hint() {
        let _ = writeln!(err, "hint: {hint}");
    }
}
