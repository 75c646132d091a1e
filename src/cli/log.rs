//! What the program did, line by line in a file, for whoever looks for a fault: no names, no keys, no secrets.

use std::path::Path;
use std::sync::Mutex;

use tracing::level_filters::LevelFilter;

use super::{Cli, LogLevel};
use crate::error::Error;
use crate::source::input;
use crate::tui;

/// Begins the log if one is asked for.
pub fn begin(cli: &Cli) -> Result<(), Error> {
    let Some(path) = &cli.log else { return Ok(()) };
    let file = tui::append(path).map_err(|e| refused(path, &e))?;
    let level = match cli.log_level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    // There is one log; a second call, which only tests make, changes nothing.
    let _ = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_ansi(false)
        .with_writer(Mutex::new(file))
        .try_init();
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "begun");
    Ok(())
}

fn refused(path: &Path, e: &std::io::Error) -> Error {
    let why = format!("the log cannot be written: {}", input::reason(e));
    Error::refused(
        input::shown(path),
        why,
        "give --log a file of your own, not a link, a device or a folder",
    )
}
