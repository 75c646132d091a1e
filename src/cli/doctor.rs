//! `doctor`: asks what the views would ask, once, and tells what is there, what is missing and what to do.

mod questions;
mod views;

#[cfg(test)]
mod tests;

use std::io::Write as _;

use serde_json::json;

use super::live;
use super::output::{self, style};
use super::{Cli, DoctorArguments, Output, TextOrJson, progress, settings};
use crate::error::{Error, exit};
use crate::model::time::Stamp;
use crate::model::units::with_unit;
use crate::model::visible::visible;
use crate::report::CsvCells;
use crate::report::doctor::{self as report, Check, CheckState};
use crate::source::answers::Trouble;
use crate::source::live::clock;
use crate::source::live::credential::{self, Claims, SignedIn};
use crate::source::live::door;
use crate::source::live::exchange::{Exchange, Exchanges};
use crate::source::live::reach::{self, Reached};
use crate::source::live::secret::KeyCredential;
use crate::source::live::target::{Pace, Side, Target};

/// A clock this far off is told: tokens and signatures hold for minutes.
const CLOCK_TOLERANCE_SECONDS: i64 = 60;
/// From here on the service refuses signatures, as far as is known.
const CLOCK_LIMIT_SECONDS: i64 = 300;

/// Runs every check and gives the exit code.
pub fn run(cli: &Cli, c: &DoctorArguments) -> Result<u8, Error> {
    let config = settings::load(cli.config.as_deref())?;
    let (mut target, mut notes) = live::target(&c.account, &config)?;
    if c.bundle.is_some() {
        target.exchanges = Exchanges::kept();
    }
    let (given, more) = live::given(&c.account, &target)?;
    notes.extend(more);
    for note in &notes {
        let _ = writeln!(std::io::stderr(), "note: {note}");
    }
    let runtime = runtime()?;
    let checks = || runtime.block_on(checks(&target, given, Pace::default()));
    let checks = progress::waiting_for(&target.endpoint, checks);
    // What the system has not answered by now is not waited for.
    runtime.shutdown_background();
    let reported = report::DoctorReport {
        endpoint: &target.endpoint,
        checks: &checks,
        views: &views::views(&checks),
    };
    let options = Output::default();
    let style = style(&options, CsvCells::Safe);
    output::write(&options, &mut |to| match c.format {
        TextOrJson::Json => report::json(&reported, to),
        TextOrJson::Text => report::text(&reported, style, to),
    })?;
    if let Some(path) = &c.bundle {
        let bundle = bundle(&target, &checks);
        let to_file = Output { output: Some(path.clone()), ..options };
        output::write(&to_file, &mut |to| writeln!(to, "{bundle:#}"))?;
        let path = visible(&path.to_string_lossy()).into_owned();
        let _ = writeln!(std::io::stderr(), "{path} is written: read it before you send it");
    }
    Ok(code(&checks))
}

/// What a report of a fault needs and nobody is known by: sentences of checks can hold names, so that their states stand
/// alone.
fn bundle(target: &Target, checks: &[Check]) -> serde_json::Value {
    let check = |check: &Check| json!({ "check": check.check, "state": check.state.word() });
    let exchange = |exchange: Exchange| {
        json!({
            "method": exchange.method,
            "path": exchange.path,
            "status": exchange.status,
            "milliseconds": exchange.milliseconds,
            "bytes": exchange.bytes,
            "headers": exchange.headers.into_iter().collect::<serde_json::Map<_, _>>(),
            "shape": exchange.shape,
            "fault": exchange.fault,
        })
    };
    json!({
        "schema": 1,
        "program": concat!("cosmoscope ", env!("CARGO_PKG_VERSION")),
        "system": std::env::consts::OS,
        "cloud": target.cloud.word(),
        "checks": checks.iter().map(check).collect::<Vec<_>>(),
        "exchanges": target.exchanges.all().into_iter().map(exchange).collect::<Vec<_>>(),
    })
}

fn runtime() -> Result<tokio::runtime::Runtime, Error> {
    let built = tokio::runtime::Builder::new_current_thread().enable_all().build();
    built.map_err(|_| Error::usage("the system gives this program no means to wait for a network"))
}

async fn checks(target: &Target, given: Option<KeyCredential>, pace: Pace) -> Vec<Check> {
    let mut checks = vec![ok("endpoint", format!("read as {}", target.endpoint))];
    let reached = reach::reach(target, &pace).await;
    reachable(&reached, target, &mut checks);
    let entry = credential::enter(target, given, &pace).await;
    signed(&entry, clock::now(), &mut checks);
    let Ok(entry) = entry else { return checks };
    if reached.connection.is_some_and(|connection| connection.is_err()) {
        return checks;
    }
    match door::open(target, entry.sign_in, pace).await {
        Ok(account) => questions::ask(account.as_ref(), target, &mut checks).await,
        Err(trouble) => checks.push(failed("account", trouble)),
    }
    checks
}

fn ok(check: &'static str, what: impl Into<String>) -> Check {
    Check { check, state: CheckState::Ok, what: what.into(), next: None }
}

/// What is not as it should be, and what to do.
fn lacking(check: &'static str, state: CheckState, what: impl Into<String>, next: &str) -> Check {
    Check { check, state, what: what.into(), next: Some(next.to_owned()) }
}

fn failed(check: &'static str, trouble: Trouble) -> Check {
    with_state(check, CheckState::Failed, trouble)
}

fn with_state(check: &'static str, state: CheckState, trouble: Trouble) -> Check {
    Check { check, state, what: trouble.what, next: trouble.next }
}

/// Name, connection, answer, clock: as far as it went.
fn reachable(reached: &Reached, target: &Target, checks: &mut Vec<Check>) {
    checks.push(match &reached.name {
        Ok(0) => lacking(
            "host name",
            CheckState::NotChecked,
            "the proxy looks it up",
            "leave --proxy out to have it looked up here",
        ),
        Ok(1) => ok("host name", "it leads to an address"),
        Ok(several) => ok("host name", format!("it has {several} addresses")),
        Err(trouble) => failed("host name", trouble.clone()),
    });
    match &reached.connection {
        Some(Ok(())) => checks.push(ok("connection", "something listens there")),
        Some(Err(trouble)) => checks.push(failed("connection", trouble.clone())),
        None => {}
    }
    match &reached.answer {
        Some(Ok(_)) => {
            checks.push(ok("certificate", "trusted by this system, and HTTP is answered"));
        }
        Some(Err(trouble)) => checks.push(failed("certificate", trouble.clone())),
        None if target.side == Side::Emulator => checks.push(lacking(
            "certificate",
            CheckState::NotChecked,
            "not looked at: --emulator takes any on this machine",
            "leave --emulator out for an account",
        )),
        None => {}
    }
    if let Some(ahead) = reached.ahead_seconds() {
        checks.push(clocks(ahead));
    }
}

fn clocks(ahead: i64) -> Check {
    let off = ahead.abs();
    if off <= CLOCK_TOLERANCE_SECONDS {
        return ok("clock", "within a minute of the service's");
    }
    let side = if ahead > 0 { "ahead of" } else { "behind" };
    let state = if off >= CLOCK_LIMIT_SECONDS { CheckState::Failed } else { CheckState::Missing };
    let minutes = (off + 30) / 60;
    lacking(
        "clock",
        state,
        format!(
            "this machine's is {} {side} the service's",
            with_unit(&minutes.to_string(), "minute", "minutes")
        ),
        "set the clock of this machine: signatures and tokens hold for minutes",
    )
}

fn signed(entry: &Result<SignedIn, Trouble>, now: Stamp, checks: &mut Vec<Check>) {
    match entry {
        Err(trouble) => checks.push(failed("sign-in", trouble.clone())),
        Ok(entry) => {
            checks.push(ok("sign-in", entry.by.as_str()));
            if let Some(claims) = &entry.claims {
                checks.push(token(claims, now));
            }
        }
    }
}

/// For whom the token is and whose: the numbers that a role is given to.
fn token(claims: &Claims, now: Stamp) -> Check {
    let mut parts = Vec::new();
    if let Some(tenant) = &claims.tenant {
        parts.push(format!("directory (tenant) {tenant}"));
    }
    if let Some(object) = &claims.object {
        parts.push(format!("object id {object}"));
    }
    if let Some(expires) = claims.expires {
        let minutes = (expires.seconds() - now.seconds()) / 60;
        parts.push(format!("ends in {}", with_unit(&minutes.to_string(), "minute", "minutes")));
    }
    match (claims.is_for_data(), &claims.audience) {
        (Some(false), Some(audience)) => lacking(
            "token",
            CheckState::Failed,
            format!("it is for {audience}, not for Cosmos DB"),
            "log in again, or sign in in another way with --auth",
        ),
        (Some(_), _) => ok("token", format!("for Cosmos DB; {}", parts.join(", "))),
        (None, _) => ok("token", "its contents cannot be read"),
    }
}

/// What cannot be reached or signed in to comes first, then what is missing.
fn code(checks: &[Check]) -> u8 {
    let worst = checks.iter().map(|check| check.state).max();
    match worst {
        Some(CheckState::Failed) => exit::UNREACHABLE,
        Some(CheckState::Missing) => exit::FINDING,
        _ => exit::DONE,
    }
}
