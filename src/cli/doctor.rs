//! `doctor`: asks what the views would ask, once, and tells what is there, what is missing and what to do.

use std::io::Write as _;

use super::live;
use super::output::{self, style};
use super::{Cli, Doctor, Output, TextOrJson, settings};
use crate::error::{Error, exit};
use crate::report::Cells;
use crate::report::doctor::{self as report, Check, State};
use crate::source::answers::Trouble;
use crate::source::live::credential::{self, Entry};
use crate::source::live::secret::Given;
use crate::source::live::target::{Pace, Target};

/// Runs every check and gives the exit code.
pub fn run(cli: &Cli, c: &Doctor) -> Result<u8, Error> {
    let config = settings::load(cli.config.as_deref())?;
    let (target, mut notes) = live::target(&c.account, &config)?;
    let (given, more) = live::given(&c.account, &target)?;
    notes.extend(more);
    for note in &notes {
        let _ = writeln!(std::io::stderr(), "note: {note}");
    }
    let runtime = runtime()?;
    let checks = runtime.block_on(checks(&target, given));
    runtime.shutdown_background();
    let told = report::Doctor {
        endpoint: &target.endpoint,
        checks: &checks,
        views: &[],
    };
    let options = Output::default();
    let style = style(&options, Cells::Safe);
    output::write(&options, &mut |to| match c.format {
        TextOrJson::Json => report::json(&told, to),
        TextOrJson::Text => report::text(&told, style, to),
    })?;
    Ok(code(&checks))
}

/// Signs in and tells by what.
pub fn signed_in(target: &Target, given: Option<Given>) -> Result<String, Error> {
    let runtime = runtime()?;
    let entry = runtime.block_on(credential::enter(target, given, &Pace::default()));
    runtime.shutdown_background();
    entry.map(|entry| entry.by).map_err(error)
}

pub fn error(trouble: Trouble) -> Error {
    Error::Live {
        what: trouble.what,
        next: trouble.next,
    }
}

fn runtime() -> Result<tokio::runtime::Runtime, Error> {
    let built = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    built.map_err(|_| Error::usage("the system gives this program no means to wait for a network"))
}

async fn checks(target: &Target, given: Option<Given>) -> Vec<Check> {
    let entry = credential::enter(target, given, &Pace::default()).await;
    match entry {
        Ok(entry) => signed(&entry),
        Err(trouble) => vec![failed("sign-in", trouble)],
    }
}

fn signed(entry: &Entry) -> Vec<Check> {
    vec![Check {
        check: "sign-in",
        state: State::Ok,
        what: entry.by.clone(),
        next: None,
    }]
}

fn failed(check: &'static str, trouble: Trouble) -> Check {
    Check {
        check,
        state: State::Failed,
        what: trouble.what,
        next: trouble.next,
    }
}

fn code(checks: &[Check]) -> u8 {
    let worst = checks.iter().map(|check| check.state).max();
    match worst {
        Some(State::Failed) => exit::UNREACHABLE,
        Some(State::Missing) => exit::FINDING,
        _ => exit::DONE,
    }
}
