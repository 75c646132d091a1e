//! The program: parses its arguments, calls the library, and turns errors into sentences and exit codes.

use std::error::Error as _;
use std::io::Write;
use std::panic::PanicHookInfo;
use std::process::ExitCode;

use clap::Parser;
use cosmoscope::cli::{Cli, run};
use cosmoscope::error::{Error, exit};
use cosmoscope::model::visible::visible;
use cosmoscope::source::format::parquet;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(told_briefly));
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

/// An internal error in one sentence: where it happened, never with what data, which may be secret.
fn told_briefly(info: &PanicHookInfo<'_>) {
    if parquet::is_decoding() {
        // The decoder's own checks end this way on damaged files; the importer turns them into a refusal.
        return;
    }
    let place = info
        .location()
        .map(|l| format!(" at {}:{}", l.file(), l.line()))
        .unwrap_or_default();
    let mut err = std::io::stderr().lock();
    let version = env!("CARGO_PKG_VERSION");
    let _ = writeln!(
        err,
        "error: internal error{place} in cosmoscope {version}; nothing was written"
    );
    let _ = writeln!(
        err,
        "hint: please report this line and the command; no data is in it"
    );
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
