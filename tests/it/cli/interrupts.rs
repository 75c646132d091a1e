//! Ctrl-C while an input is still coming in.

#![cfg(unix)]

use std::io::{Read, Write};
use std::process::{Command, Stdio};
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
        // Its first word of progress says that it is reading, and with the signal handled.
        let mut progress = [0];
        child
            .stderr
            .as_mut()
            .unwrap()
            .read_exact(&mut progress)
            .unwrap();
        let sent = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        assert_eq!(output.status.code(), Some(130), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            said.ends_with("error: stopped by Ctrl-C; nothing was written\n"),
            "{said}"
        );
        assert!(
            place.files().is_empty() && place.left_in_tmp().is_empty(),
            "{args:?}"
        );
    }
}
