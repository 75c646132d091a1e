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

// The console of Windows takes a call; there is nothing to write.
#[cfg(windows)]
pub fn take(_: &mut dyn Write) -> io::Result<()> {
    use crossterm::Command as _;
    crossterm::event::EnableMouseCapture.execute_winapi()
}

#[cfg(windows)]
pub fn release(_: &mut dyn Write) -> io::Result<()> {
    use crossterm::Command as _;
    crossterm::event::DisableMouseCapture.execute_winapi()
}
