//! Where the results of commands go: standard output or a file, and how text is laid out there.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use clap::ValueEnum;

use super::Output;
use crate::error::{Error, exit};
use crate::report::{Colour, CsvCells, Style};
use crate::work::whole_file::{self, IfExists, Stoppable};

/// Text is laid out for at most this width: longer lines are hard to read whatever the window.
const MAX_WIDTH: usize = 160;
const MIN_WIDTH: usize = 60;
const DEFAULT_WIDTH: usize = 80;

impl Output {
    /// What becomes of a file that is there.
    pub fn existing(&self) -> IfExists {
        if self.force { IfExists::Replace } else { IfExists::Keep }
    }
}

/// Prints a text; gives the exit code.
pub fn print(text: impl AsRef<[u8]>) -> Result<u8, Error> {
    write(&Output::default(), &mut |to| to.write_all(text.as_ref()))
}

/// Writes through `write` to where the options say; gives the exit code of a command that ends with it.
pub fn write(
    options: &Output,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<u8, Error> {
    let keep_going = &|| !is_stopped();
    let mut write = |to: &mut dyn Write| write(&mut Stoppable { to, keep_going });
    let Some(path) = &options.output else {
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        let written = write(&mut out).and_then(|()| out.flush()).map_err(|source| {
            if is_stopped() { Error::CutShort } else { Error::Output { source } }
        });
        return written.map(|()| exit::DONE);
    };
    let written = whole_file::write(path, options.existing(), &mut write);
    written.map_err(|e| if is_stopped() { Error::Interrupted } else { e })?;
    Ok(exit::DONE)
}

/// Set by Ctrl-C.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// What is written from now on ends once this is set.
pub fn stop_at(stop: &Arc<AtomicBool>) {
    let _ = STOP.set(Arc::clone(stop));
}

fn is_stopped() -> bool {
    STOP.get().is_some_and(|stop| stop.load(Ordering::Relaxed))
}

/// What writes a format, which reports look up by its name.
pub fn writer<T>(format: impl ValueEnum + Copy, named: fn(&str) -> Option<T>) -> Result<T, Error> {
    let value = format.to_possible_value();
    let writer = value.and_then(|value| named(value.get_name()));
    writer.ok_or_else(|| Error::usage("an unknown format"))
}

/// The layout of text: the window's width and colour on a terminal, plain otherwise.
pub fn style(options: &Output, cells: CsvCells) -> Style {
    let terminal = options.output.is_none() && io::stdout().is_terminal();
    let colour = if terminal && colour_wanted() { Colour::On } else { Colour::Off };
    let window = terminal_size::terminal_size().filter(|_| terminal).map(|(w, _)| usize::from(w.0));
    let width = window.unwrap_or(DEFAULT_WIDTH).clamp(MIN_WIDTH, MAX_WIDTH);
    Style { width, colour, cells }
}

#[expect(clippy::disallowed_methods, reason = "the terminal's wishes are in the environment")]
pub fn colour_wanted() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
}
