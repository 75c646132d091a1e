//! The program: parses its arguments, calls the library, and turns errors into sentences and exit codes.

use std::error::Error as _;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use cosmoscope::cli::{argument_errors, help, run};
use cosmoscope::error::{Error, exit};
use cosmoscope::model::visible::{needs_code, visible};
use cosmoscope::source::live::secret::scrub;
use cosmoscope::tui::crash;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(crash::told_briefly));
    #[expect(
        clippy::disallowed_methods,
        reason = "here the command line is parsed, and looked at again where parsing it fails"
    )]
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let done = match argument_errors::parse(&arguments) {
        Ok(cli) => std::panic::catch_unwind(|| run::run(&cli)),
        // Help and version are answers, not errors.
        Err(e) if !e.use_stderr() => Ok(help::answer(&e)),
        Err(e) => {
            if let Some(slip) = argument_errors::in_own_words(&arguments, &e) {
                Ok(Err(slip))
            } else {
                print_usage(&e);
                Ok(Ok(exit::REFUSED))
            }
        }
    };
    match done {
        Ok(Ok(code)) => ExitCode::from(code),
        Ok(Err(e)) => {
            tell(&e);
            ExitCode::from(e.exit_code())
        }
        Err(_) => ExitCode::from(exit::INTERNAL),
    }
}

/// In colour as it is; but what was typed may hide or act.
fn print_usage(e: &clap::Error) {
    let text = e.render().to_string();
    let is_odd = |c: char| c != '\n' && needs_code(c);
    if !text.contains(is_odd) {
        let _ = e.print();
        return;
    }
    let mut shown = String::new();
    for c in text.chars() {
        if is_odd(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    let _ = write!(std::io::stderr(), "{shown}");
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
    // The last gate: whatever was put into a sentence, no secret of this run leaves in it.
    let mut err = std::io::stderr().lock();
    let _ = writeln!(err, "error: {}", scrub(&e.to_string()));
    let mut cause = e.source();
    while let Some(c) = cause {
        let _ = writeln!(err, "caused by: {}", scrub(&reason(&c.to_string())));
        cause = c.source();
    }
    if let Some(hint) = e.hint() {
        let _ = writeln!(err, "hint: {}", scrub(&hint));
    }
}
