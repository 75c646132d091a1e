//! An internal error: the terminal first, then one sentence, then a file for the report; never any data.

use std::env::consts::{ARCH, OS};
use std::io::Write;
use std::panic::PanicHookInfo;
use std::path::PathBuf;
use std::sync::Once;

use super::terminal;
use crate::model::visible::visible;
use crate::source::format::parquet;
use crate::source::live::secret::scrub;
use crate::source::private::{self, PrivatePlace};

/// One panic can be followed by others where threads wait for each other: the first is the one to tell.
static REPORTED: Once = Once::new();

/// The newest one replaces the one before.
const FILE: &str = "crash.txt";

/// Tells an internal error: where it happened, never with what data, which may be secret.
pub fn told_briefly(info: &PanicHookInfo<'_>) {
    if parquet::is_decoding() {
        // The decoder's own checks end this way on damaged files; the importer turns them into a refusal.
        return;
    }
    REPORTED.call_once(|| report(info));
}

/// Closing the terminal wakes the loop, which ends the program: not before another thread has told everything.
pub fn wait_until_told() {
    if terminal::is_closed() {
        REPORTED.wait();
    }
}

fn report(info: &PanicHookInfo<'_>) {
    let on_screens = terminal::close();
    let place =
        info.location().map(|l| format!(" at {}:{}", l.file(), l.line())).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    let mut err = std::io::stderr().lock();
    let _ =
        writeln!(err, "error: internal error{place} in cosmoscope {version}; nothing was written");
    let kept = if on_screens { keep(&place) } else { None };
    let also =
        kept.map_or("the command".to_owned(), |path| visible(&path.to_string_lossy()).into_owned());
    let _ = writeln!(err, "hint: please report this line and {also}; no data is in it");
}

/// Writes what helps to find the fault beside the other files of the program.
fn keep(place: &str) -> Option<PathBuf> {
    let thread = std::thread::current();
    let size = terminal::size();
    let now = super::clock::now();
    let text = format!(
        "cosmoscope {}\nfailed{place}\ntime {}\nthread {}\nterminal {}x{}\nsystem {OS} {ARCH}\n",
        env!("CARGO_PKG_VERSION"),
        now.map_or_else(|| "unknown".to_owned(), crate::model::time::Stamp::rfc3339),
        thread.name().unwrap_or("unnamed"),
        size.width,
        size.height,
    );
    let path = private::state_folder()?.join(FILE);
    private::write(&path, scrub(&text).as_bytes(), PrivatePlace::Taken).ok()?;
    Some(path)
}
