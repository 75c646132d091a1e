//! Takes the terminal and gives it back: exactly once for each time it was taken, whatever ends the program.

use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use crossterm::clipboard::CopyToClipboard;
use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::style::ResetColor;
use crossterm::terminal::{
    self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::{Terminal, TerminalOptions, Viewport};
use tokio::sync::Notify;

use super::mouse;
use crate::error::{Error, usage};
use crate::ui::kit::input::Size;

/// Whether the terminal is ours. Only whoever turns it off gives the terminal back.
static HELD: AtomicBool = AtomicBool::new(false);
/// Set by the first panic: from then on nothing is drawn and nothing is taken.
static CLOSED: AtomicBool = AtomicBool::new(false);
/// Wakes the loop when the terminal was given back for good.
static CLOSING: Notify = Notify::const_new();
/// Held by whoever writes to the terminal, so that no frame falls behind the bytes that give it back.
static PEN: Mutex<()> = Mutex::new(());

/// A thread that panics may hold the pen itself, or the terminal may take no bytes: after this the pen is not waited for.
const PEN_TRIES: u32 = 100;
const PEN_PAUSE: Duration = Duration::from_millis(2);

/// The window where the terminal does not tell its size.
const USUAL: Size = Size { width: 80, height: 24 };

/// Whether clicks and the wheel are wanted; without it the terminal's own selecting works as usual.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mouse {
    On,
    Off,
}

/// What is wrong with the surroundings, in one sentence, before a single byte is written to them.
pub fn check(term: Option<&str>) -> Result<(), Error> {
    let ends = [
        (io::stdin().is_terminal(), "standard input"),
        (io::stdout().is_terminal(), "standard output"),
    ];
    usable(&ends, term)
}

fn usable(ends: &[(bool, &str)], term: Option<&str>) -> Result<(), Error> {
    let what = match (ends.iter().find(|(is_terminal, _)| !is_terminal), term) {
        (Some((_, end)), _) => format!("the screens need a terminal, and {end} is not a terminal"),
        (None, Some("dumb")) => "the screens need a terminal, and TERM is `dumb`".to_owned(),
        (None, _) => return Ok(()),
    };
    Err(usage(what, "cosmoscope report PATH prints the same content"))
}

/// The window's size, never larger than what can be drawn.
pub fn size() -> Size {
    terminal::size().map_or(USUAL, |(width, height)| Size::clamped(width, height))
}

fn pen() -> MutexGuard<'static, ()> {
    PEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn pen_if_free() -> Option<MutexGuard<'static, ()>> {
    for _ in 0..PEN_TRIES {
        match PEN.try_lock() {
            Ok(pen) => return Some(pen),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PEN_PAUSE),
        }
    }
    None
}

/// Gives the terminal back if it is held; true if it was.
pub fn give_back() -> bool {
    let _pen = pen_if_free();
    if !HELD.swap(false, Ordering::SeqCst) {
        return false;
    }
    let mut out = io::stdout().lock();
    // Each step is taken whatever became of the one before: a terminal that is gone needs none of them.
    let _ = mouse::release(&mut out);
    let _ = execute!(out, DisableBracketedPaste, ResetColor, Show, LeaveAlternateScreen);
    let _ = disable_raw_mode();
    true
}

/// Gives the terminal back for good: nothing is drawn afterwards. True if it was held.
pub fn close() -> bool {
    // Seen first: once it is closed, the loop may give it back before this does.
    let was_held = HELD.load(Ordering::SeqCst);
    CLOSED.store(true, Ordering::SeqCst);
    let is_given = give_back();
    CLOSING.notify_one();
    was_held || is_given
}

pub fn is_closed() -> bool {
    CLOSED.load(Ordering::SeqCst)
}

/// Ends when the terminal was given back for good.
pub async fn closed() {
    while !is_closed() {
        CLOSING.notified().await;
    }
}

/// The terminal while it is ours; dropping it gives it back.
#[derive(Debug)]
pub struct TerminalGuard {
    mouse: Mouse,
}

impl TerminalGuard {
    pub fn take(mouse: Mouse) -> io::Result<Self> {
        let held = Self { mouse };
        held.take_again()?;
        Ok(held)
    }

    /// After it was given back for a while; harmless if it was not.
    pub fn take_again(&self) -> io::Result<()> {
        let _pen = pen();
        if is_closed() {
            return Err(io::Error::other("the terminal was given back for good"));
        }
        // First, so that half a taking is given back as well.
        HELD.store(true, Ordering::SeqCst);
        // Whoever had the terminal meanwhile may have changed its mode: it is set anew even if the library believes it set.
        let _ = disable_raw_mode();
        enable_raw_mode()?;
        let mut out = io::stdout().lock();
        execute!(out, EnterAlternateScreen, Clear(ClearType::All), EnableBracketedPaste, Hide)?;
        if self.mouse == Mouse::On {
            mouse::take(&mut out)?;
        }
        Ok(())
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        give_back();
    }
}

/// Bytes that wait until a frame is whole: sent at once, they never show half a change.
#[derive(Clone, Debug, Default)]
struct Pending(Rc<RefCell<Vec<u8>>>);

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// The library flushes after every single command; what is sent is for [`Canvas::send`] to say.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where frames are drawn: compares each with the one before and sends what changed.
#[derive(Debug)]
pub struct Canvas {
    terminal: Terminal<CrosstermBackend<Pending>>,
    pending: Pending,
    size: Size,
}

impl Canvas {
    pub fn new(size: Size) -> io::Result<Self> {
        let pending = Pending::default();
        let backend = CrosstermBackend::new(pending.clone());
        // A fixed area: the library would else ask for the size itself and believe any answer.
        let viewport = Viewport::Fixed(area(size));
        let terminal = Terminal::with_options(backend, TerminalOptions { viewport })?;
        Ok(Self { terminal, pending, size })
    }

    pub fn size(&self) -> Size {
        self.size
    }

    /// Every cell is sent with the next frame.
    pub fn forget(&mut self, size: Size) -> io::Result<()> {
        self.size = size;
        self.terminal.backend_mut().clear()?;
        self.terminal.resize(area(size))
    }

    /// Draws a frame and sends it; the cursor is shown only where one is given.
    pub fn draw(
        &mut self,
        cursor: Option<(u16, u16)>,
        draw: impl FnOnce(&mut Buffer),
    ) -> io::Result<()> {
        let inside =
            cursor.filter(|(column, row)| *column < self.size.width && *row < self.size.height);
        self.terminal.draw(|frame| {
            draw(frame.buffer_mut());
            if let Some((column, row)) = inside {
                frame.set_cursor_position(Position::new(column, row));
            }
        })?;
        self.send()
    }

    /// Asks the terminal to put a text into its clipboard.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        queue!(self.pending, CopyToClipboard::to_clipboard_from(text))?;
        self.send()
    }

    fn send(&mut self) -> io::Result<()> {
        let mut bytes = self.pending.0.borrow_mut();
        let _pen = pen();
        let sent = if HELD.load(Ordering::SeqCst) {
            let mut out = io::stdout().lock();
            out.write_all(&bytes).and_then(|()| out.flush())
        } else {
            Ok(())
        };
        bytes.clear();
        sent
    }
}

fn area(size: Size) -> Rect {
    Rect::new(0, 0, size.width, size.height)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_terminal_is_told_in_a_sentence() {
        let told = |input, output, term| {
            let ends = [(input, "standard input"), (output, "standard output")];
            usable(&ends, term).map_err(|e| (e.exit_code(), e.to_string()))
        };
        assert_eq!(told(true, true, Some("xterm")), Ok(()));
        assert_eq!(told(true, true, None), Ok(()));
        let no_input = "the screens need a terminal, and standard input is not a terminal";
        assert_eq!(told(false, false, Some("dumb")), Err((2, no_input.to_owned())));
        let dumb = "the screens need a terminal, and TERM is `dumb`";
        assert_eq!(told(true, true, Some("dumb")), Err((2, dumb.to_owned())));
    }

    #[test]
    fn a_terminal_that_was_never_taken_is_not_given_back() {
        assert!(!give_back());
    }

    #[test]
    fn frames_of_any_size_are_drawn_without_a_terminal() {
        let mut canvas = Canvas::new(Size::default()).unwrap();
        for (width, height) in [(0, 0), (1, 1), (u16::MAX, u16::MAX), (3, 0), (80, 24)] {
            canvas.forget(Size::clamped(width, height)).unwrap();
            let cursor = Some((79, 23));
            let mut drawn = Rect::default();
            canvas.draw(cursor, |buffer| drawn = buffer.area).unwrap();
            assert!(drawn.width <= Size::LARGEST.width && drawn.height <= Size::LARGEST.height);
        }
        // Nothing is kept for a terminal that is not held.
        assert!(canvas.pending.0.borrow().is_empty());
    }
}
