//! Progress on standard error: a bar on a terminal, plain lines elsewhere, nothing for what is over soon.

use std::io::{IsTerminal, Write};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::output::colour_wanted;
use crate::model::units::{count_text, kib_text};
use crate::model::visible::shorten;
use crate::source::watch::Watch;

/// Work shorter than this needs no progress.
const FIRST_AFTER: Duration = Duration::from_secs(2);
const BAR_EVERY: Duration = Duration::from_millis(200);
/// Lines in a log file are kept few.
const LINE_EVERY: Duration = Duration::from_secs(5);
const BAR_CELLS: u64 = 24;
const NAME_WIDTH: usize = 28;

/// Whether names of files may be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Names {
    Shown,
    Hidden,
}

/// Runs the work while another thread tells how far it is.
pub fn during<T>(watch: &Watch, quiet: bool, names: Names, work: impl FnOnce() -> T) -> T {
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
                let line = line(watch, names, if bar { Form::Bar } else { Form::Words });
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

fn line(watch: &Watch, names: Names, form: Form) -> String {
    let load = |n: &std::sync::atomic::AtomicU64| n.load(Ordering::Relaxed);
    let (done, total, rows) = (
        load(&watch.done_bytes),
        load(&watch.total_bytes),
        load(&watch.rows),
    );
    if total == 0 {
        // Nothing has begun: a pipe has given nothing yet, or the files are still being looked for.
        return "waiting for input".to_owned();
    }
    let done = done.min(total);
    let filled = (done * BAR_CELLS).checked_div(total).unwrap_or(0);
    let percent = (done * 100).checked_div(total).unwrap_or(0);
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
    let name = if names == Names::Hidden {
        String::new()
    } else {
        shorten(&watch.what(), NAME_WIDTH)
    };
    #[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
    let size = |bytes: u64| kib_text(bytes as f64 / 1024.0);
    format!(
        "{bar}{percent:>3} %  {} of {}  {} rows  {name}",
        size(done),
        size(total),
        count_text(rows)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_how_far_and_never_divides_by_nothing() {
        let watch = Watch::default();
        watch.begin("export.csv");
        assert_eq!(line(&watch, Names::Shown, Form::Bar), "waiting for input");
        watch.total_bytes.store(4 << 20, Ordering::Relaxed);
        watch.done_bytes.store(1 << 20, Ordering::Relaxed);
        let text = line(&watch, Names::Shown, Form::Words);
        assert_eq!(text, " 25 %  1.00 MiB of 4.00 MiB  0 rows  export.csv");
        let text = line(&watch, Names::Shown, Form::Bar);
        assert!(
            text.starts_with("██████░")
                && text.contains(" 25 %  1.00 MiB of 4.00 MiB  0 rows  export.csv"),
            "{text}"
        );
        assert!(!line(&watch, Names::Hidden, Form::Bar).contains("export"));
    }
}
