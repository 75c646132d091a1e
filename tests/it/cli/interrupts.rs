//! Ctrl-C while an input is still coming in.

#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use super::{COLUMNS, Place, sample};

/// A line of the table again and again, slowly, until the reader is gone.
fn drip(mut to: impl Write) {
    let line = "acc,db,box,\"[\"\"a\"\"]\",5,West Europe,2026-06-22T02:10:41Z\n";
    while to.write_all(line.as_bytes()).is_ok() {
        thread::sleep(Duration::from_millis(20));
    }
}

/// One Ctrl-C, as soon as the work has begun.
fn interrupt(child: &mut Child) {
    // Its first word of progress says that it is reading, and with the signal handled.
    let mut progress = [0];
    child.stderr.as_mut().unwrap().read_exact(&mut progress).unwrap();
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// The exit code; None if the program is still there long after.
fn code_of(child: Child) -> Option<i32> {
    let id = child.id().to_string();
    let (done, waits) = channel();
    thread::spawn(move || done.send(child.wait_with_output().unwrap().status.code()));
    let code = waits.recv_timeout(Duration::from_secs(20));
    if code.is_err() {
        // It would wait for ever.
        let _ = Command::new("kill").args(["-KILL", &id]).status();
    }
    code.ok().flatten()
}

fn pipe_in(place: &Place) -> std::path::PathBuf {
    let pipe = place.data().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    pipe
}

#[test]
fn one_ends_the_wait_for_a_silent_pipe() {
    let place = Place::new();
    let mut command = place.command(&["inspect", "-"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    // Held open and silent: a terminal where nobody types, a program that hangs.
    let silent = child.stdin.take().unwrap();
    interrupt(&mut child);
    assert_eq!(code_of(child), Some(130));
    drop(silent);
}

#[test]
fn one_ends_the_wait_for_a_pipe_without_a_writer() {
    let place = Place::new();
    let pipe = pipe_in(&place);
    let mut child = place.command(&["inspect", "pipe"]).spawn().unwrap();
    interrupt(&mut child);
    let code = code_of(child);
    // A writer that comes too late is kept by nobody.
    assert_eq!(code, Some(130));
    assert!(fs::symlink_metadata(pipe).is_ok());
}

#[test]
fn a_pipe_that_is_kept_in_a_file_is_told_like_standard_input() {
    for mask in [&[][..], &["--mask"]] {
        let place = Place::new();
        let pipe = pipe_in(&place);
        let from = sample("hard/object-keys.csv");
        let writer = thread::spawn(move || fs::write(pipe, fs::read(from).unwrap()));
        let args = [&["inspect", "pipe", "--format", "json"], mask].concat();
        let found = place.run(&args).ends_with(0).json();
        writer.join().unwrap().unwrap();
        let notes = found["notes"].to_string();
        assert!(notes.contains("private temporary file"), "{notes}");
        let path = found["files"][0]["path"].as_str().unwrap();
        assert!(notes.contains(&format!("`{path}`")), "{notes}");
        assert_eq!(path == "pipe", mask.is_empty());
    }
}

#[test]
fn while_reading_a_slow_pipe_it_ends_with_130_and_nothing_written() {
    let other = sample("hard/object-keys.csv");
    for args in [
        &["inspect", "-"][..],
        &["report", "-", "--format", "json", "-o", "report.json"],
        &["check", "-", "-o", "check.txt"],
        &["diff", "-", &other, "-o", "diff.txt"],
    ] {
        let place = Place::new();
        let mut child = place.command(args).stdin(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        writeln!(pipe, "{COLUMNS}").unwrap();
        let feeder = thread::spawn(move || drip(pipe));
        interrupt(&mut child);
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        assert_eq!(output.status.code(), Some(130), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.ends_with("error: stopped by Ctrl-C; nothing was written\n"), "{said}");
        assert!(place.files().is_empty() && place.left_in_tmp().is_empty(), "{args:?}");
    }
}

/// The reader of a report is slow: the program waits in the middle of writing.
#[test]
fn while_writing_it_ends_with_130_and_says_that_the_rest_is_missing() {
    let place = Place::new();
    let mut table = format!("{COLUMNS}\n");
    for n in 0..20_000 {
        let line = format!("acc,db,box,\"[\"\"key-{n}\"\"]\",5,West Europe,2026-06-22T02:10:41Z\n");
        table.push_str(&line);
    }
    place.write("keys.csv", table);
    let args = ["report", "keys.csv", "--format", "csv", "--top", "20000", "--quiet"];
    let mut child = place.command(&args).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    // A first byte: it is writing, and a pipe holds far less than the report.
    let mut first = [0];
    out.read_exact(&mut first).unwrap();
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let mut rest = Vec::new();
    out.read_to_end(&mut rest).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said, "error: stopped by Ctrl-C; what was written is not whole\n");
    assert!(!String::from_utf8_lossy(&rest).contains("key-19999"));
}
