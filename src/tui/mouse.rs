//! Clicks, the wheel and movement with a button held; movement alone would wake the program all the time.

use std::io::{self, Write};

/// Presses, the wheel and drags, with places beyond column 223.
#[cfg(unix)]
const TAKE: &[u8] = b"\x1b[?1002h\x1b[?1006h";
#[cfg(unix)]
const RELEASE: &[u8] = b"\x1b[?1006l\x1b[?1002l";

#[cfg(unix)]
pub fn take(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(TAKE)?;
    out.flush()
}

#[cfg(unix)]
pub fn release(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(RELEASE)?;
    out.flush()
}

#[cfg(not(unix))]
pub fn take(out: &mut dyn Write) -> io::Result<()> {
    let mut out = out;
    crossterm::execute!(out, crossterm::event::EnableMouseCapture)
}

#[cfg(not(unix))]
pub fn release(out: &mut dyn Write) -> io::Result<()> {
    let mut out = out;
    crossterm::execute!(out, crossterm::event::DisableMouseCapture)
}
