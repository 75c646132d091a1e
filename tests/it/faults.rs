//! The fault matrix: everything that can go wrong between an account and somebody at the screens, met at the start, with a
//! refresh and in the dialog of a sample; each time by the real program, a new one for each row.
#![cfg(unix)]

mod keys;
mod rows;
pub(crate) mod ways;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rows::Row;
use ways::Outcome;

/// Programs that run at a time: most of them wait.
const AT_ONCE: usize = 8;

#[expect(clippy::print_stdout, reason = "the figures are read by whoever looks at faults")]
fn tell(way: &str, row: &Row, outcome: &Outcome) {
    println!(
        "{way}, {}: {:.1} s, {} requests, {} RU",
        row.name,
        outcome.took.as_secs_f64(),
        outcome.requests,
        outcome.ru
    );
}

/// Every row in one way, all of them whatever becomes of the others.
#[track_caller]
fn all(way: &str, meet: fn(&Row) -> Outcome) {
    let mut rows = rows::rows();
    // What waits longest begins first.
    rows.sort_by_key(|row| !row.start.says.contains("within"));
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::SeqCst)) {
                    match catch_unwind(AssertUnwindSafe(|| meet(row))) {
                        Ok(outcome) => tell(way, row, &outcome),
                        Err(_) => failed.lock().unwrap().push(row.name),
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{way}: {failed:?}");
}

#[test]
fn every_fault_is_named_at_the_start() {
    all("start", ways::start);
}

#[test]
fn every_fault_is_named_with_a_refresh_and_what_was_read_stays() {
    all("refresh", ways::refresh);
}

#[test]
fn every_fault_is_named_in_the_dialog_of_a_sample() {
    all("dialog", ways::dialog);
}
