//! What the program did, line by line in a file, for whoever looks for a fault: no names, no keys, no secrets.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tracing::Metadata;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::fmt::MakeWriter;

use super::{Cli, LogLevel};
use crate::error::Error;
use crate::source::input;
use crate::source::live::secret::scrub_bytes;
use crate::source::private::{self, PrivatePurpose};

/// Begins the log if one is asked for.
pub fn begin(cli: &Cli) -> Result<(), Error> {
    let Some(path) = &cli.log else { return Ok(()) };
    let file = private::open(path, PrivatePurpose::Append).map_err(|e| refused(path, &e))?;
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
        .with_writer(Log(Mutex::new(file)))
        .try_init();
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "started");
    Ok(())
}

/// The file, for what this program itself tells. What the libraries below tell holds addresses and names: it is left out.
struct Log(Mutex<File>);

impl<'a> MakeWriter<'a> for Log {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Line<'a> {
        Line(Some(&self.0))
    }

    fn make_writer_for(&'a self, meta: &Metadata<'_>) -> Line<'a> {
        let crate_name = meta.target().split("::").next();
        Line((crate_name == Some(env!("CARGO_CRATE_NAME"))).then_some(&self.0))
    }
}

/// One line on its way to the file, which no secret reaches.
struct Line<'a>(Option<&'a Mutex<File>>);

impl Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(file) = self.0 {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            file.write_all(&scrub_bytes(bytes))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.map_or(Ok(()), |file| file.lock().unwrap_or_else(PoisonError::into_inner).flush())
    }
}

fn refused(path: &Path, e: &io::Error) -> Error {
    let why = format!("the log cannot be written: {}", input::reason(e));
    Error::refused(
        input::shown(path),
        why,
        "give --log a file of your own, not a link, a device or a folder",
    )
}
