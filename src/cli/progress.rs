//! Progress on standard error: a bar on a terminal, plain lines elsewhere, nothing for what is over soon.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::output::colour_wanted;
use crate::model::units::{count_text, kib_text, real};
use crate::model::visible::{shorten, visible};
use crate::source::watch::Watch;

/// Work shorter than this needs no progress.
const FIRST_AFTER: Duration = Duration::from_secs(2);
const BAR_EVERY: Duration = Duration::from_millis(200);
/// Lines in a log file are kept few.
const LINE_EVERY: Duration = Duration::from_secs(5);
const BAR_CELLS: u64 = 24;
const NAME_WIDTH: usize = 28;
const WHAT_WIDTH: usize = 36;

/// Whether names of files may be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileNames {
    Shown,
    Hidden,
}

impl FileNames {
    pub fn of(are_masked: bool) -> Self {
        if are_masked { Self::Hidden } else { Self::Shown }
    }
}

/// Runs the work while another thread tells how far it is.
pub fn during<T>(watch: &Watch, quiet: bool, names: FileNames, work: impl FnOnce() -> T) -> T {
    telling(quiet, &|form| line(watch, names, form), work)
}

/// How far a search has come.
#[derive(Debug, Default)]
pub struct Steps {
    done: AtomicUsize,
    all: AtomicUsize,
    what: Mutex<String>,
}

impl Steps {
    pub fn tell(&self, done: usize, all: usize, what: &str) {
        self.done.store(done, Ordering::Relaxed);
        self.all.store(all, Ordering::Relaxed);
        let mut held = self.what.lock().unwrap_or_else(PoisonError::into_inner);
        *held = visible(what).into_owned();
    }

    fn line(&self, form: Form) -> String {
        let count = |n: &AtomicUsize| n.load(Ordering::Relaxed) as u64;
        let (done, all) = (count(&self.done), count(&self.all));
        let held = self.what.lock().unwrap_or_else(PoisonError::into_inner);
        let (done_text, all_text) = (count_text(done), count_text(all));
        let what = shorten(&held, WHAT_WIDTH);
        format!("{}{done_text} of {all_text}  {what}", bar(done, all, form))
    }
}

/// The same for a search that counts its steps.
pub fn searching<T>(steps: &Steps, quiet: bool, work: impl FnOnce() -> T) -> T {
    telling(quiet, &|form| steps.line(form), work)
}

/// The same for an account, where nothing can be counted.
pub fn waiting_for<T>(account: &str, work: impl FnOnce() -> T) -> T {
    telling(false, &|_| format!("waiting for {account}"), work)
}

fn telling<T>(quiet: bool, line: &(dyn Fn(Form) -> String + Sync), work: impl FnOnce() -> T) -> T {
    if quiet {
        return work();
    }
    std::thread::scope(|scope| {
        let (done, waits) = channel::<()>();
        scope.spawn(move || {
            let bar = std::io::stderr().is_terminal() && colour_wanted();
            let step = if bar { BAR_EVERY } else { LINE_EVERY };
            let mut pause = FIRST_AFTER;
            let mut drawn = false;
            while waits.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                drawn = true;
                pause = step;
                let line = line(if bar { Form::Bar } else { Form::Words });
                let mut err = std::io::stderr().lock();
                // A standard error that went away is no reason to stop the work.
                let _ = if bar {
                    write!(err, "\r\x1b[2K{line}").and_then(|()| err.flush())
                } else {
                    writeln!(err, "{line}")
                };
            }
            if bar && drawn {
                let _ = write!(std::io::stderr(), "\r\x1b[2K");
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// How progress is shown: a bar is for eyes, words are for log files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Bar,
    Words,
}

fn line(watch: &Watch, names: FileNames, form: Form) -> String {
    let load = |n: &std::sync::atomic::AtomicU64| n.load(Ordering::Relaxed);
    let (done, total, rows) =
        (load(&watch.done_bytes), load(&watch.total_bytes), load(&watch.rows));
    if total == 0 {
        // Nothing has begun: a pipe has given nothing yet, or the files are still being looked for.
        return "waiting for input".to_owned();
    }
    let done = done.min(total);
    let bar = bar(done, total, form);
    let name =
        if names == FileNames::Hidden { String::new() } else { shorten(&watch.what(), NAME_WIDTH) };
    let size = |bytes: u64| kib_text(real(bytes) / 1024.0);
    format!("{bar}{} of {}  {} rows  {name}", size(done), size(total), count_text(rows))
}

/// `██░░  25 %  `
fn bar(done: u64, all: u64, form: Form) -> String {
    let filled = (done * BAR_CELLS).checked_div(all).unwrap_or(0);
    let percent = (done * 100).checked_div(all).unwrap_or(0);
    let bar: String = match form {
        Form::Words => String::new(),
        Form::Bar => (0..=BAR_CELLS)
            .map(|i| match i {
                BAR_CELLS => ' ',
                _ if i < filled => '█',
                _ => '░',
            })
            .collect(),
    };
    format!("{bar}{percent:>3} %  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_how_far_and_never_divides_by_nothing() {
        let watch = Watch::default();
        watch.begin("export.csv");
        assert_eq!(line(&watch, FileNames::Shown, Form::Bar), "waiting for input");
        watch.total_bytes.store(4 << 20, Ordering::Relaxed);
        watch.done_bytes.store(1 << 20, Ordering::Relaxed);
        let text = line(&watch, FileNames::Shown, Form::Words);
        assert_eq!(text, " 25 %  1.00 MiB of 4.00 MiB  0 rows  export.csv");
        let text = line(&watch, FileNames::Shown, Form::Bar);
        assert!(
            text.starts_with("██████░")
                && text.contains(" 25 %  1.00 MiB of 4.00 MiB  0 rows  export.csv"),
            "{text}"
        );
        assert!(!line(&watch, FileNames::Hidden, Form::Bar).contains("export"));
        let steps = Steps::default();
        assert_eq!(steps.line(Form::Words), "  0 %  0 of 0  ");
        steps.tell(3, 12, "/a > /b");
        assert_eq!(steps.line(Form::Words), " 25 %  3 of 12  /a > /b");
    }
}
