//! The screens' outside: the terminal, the loop that feeds what happens to `update`, and the work that effects ask for.
//!
//! The loop sleeps until something happens: a key, a message from work, a signal, or a frame that is due. With nothing
//! to do it is not woken at all; at the level `trace` the log has a line `wake` for each time it was.

mod capabilities;
pub mod clock;
pub mod crash;
mod hand_out;
mod headless;
mod input;
mod mouse;
mod runtime;
mod screens;
mod signals;
mod terminal;
#[cfg(debug_assertions)]
mod test_panic;
mod work;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use crate::error::{Error, exit, usage};
use crate::ui::app::AppSettings;

pub use capabilities::{Surroundings, colours, glyphs, paper};
pub use hand_out::{faults, hand_out, step_screen};
pub use headless::Screen;
pub use terminal::Mouse;
pub use work::{TYPING_PAUSE, WorkContext};

/// Work that does not notice in time that it is unwanted ends with the program.
const END_WITHIN: Duration = Duration::from_millis(500);

/// What the screens begin with.
#[derive(Debug)]
pub struct Start {
    pub settings: AppSettings,
    pub work: WorkContext,
    pub mouse: Mouse,
}

/// Refuses surroundings in which no screen can be shown, before a byte is written.
pub fn check(surroundings: &Surroundings) -> Result<(), Error> {
    terminal::check(surroundings.term.as_deref())
}

/// Whether standard input and output are a terminal that can show screens.
pub fn is_usable(surroundings: &Surroundings) -> bool {
    check(surroundings).is_ok()
}

/// Shows the screens until they are left; gives the exit code.
pub fn run(start: Start) -> Result<u8, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(runtime::THREADS)
        .build()
        .map_err(|e| unusable(&e))?;
    let ended = catch_unwind(AssertUnwindSafe(|| runtime.block_on(screens::show(start))));
    terminal::give_back();
    // Not dropped: that would wait for all work to end.
    runtime.shutdown_timeout(END_WITHIN);
    crash::wait_until_told();
    match ended {
        // The hook has told what there is to tell.
        Err(_) => Ok(exit::INTERNAL),
        Ok(ended) => ended,
    }
}

fn unusable(e: &io::Error) -> Error {
    usage(
        format!("the terminal cannot be used: {}", crate::source::input::reason(e)),
        "cosmoscope report PATH prints the same content",
    )
}
