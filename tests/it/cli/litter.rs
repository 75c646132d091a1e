//! What is left of a program that is ended in the middle of its work, and of streams without an end: nothing.

#![cfg(unix)]

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::thread;

use super::{Answer, COLUMNS, PROGRAM, Place};

fn export(rows: u32) -> String {
    let row =
        |n| format!("acc,db,box,\"[\"\"{n:0100}\"\"]\",{n},West Europe,2026-06-22T02:10:41Z\n");
    let rows: String = (0..rows).map(row).collect();
    format!("{COLUMNS}\n{rows}")
}

/// The system ends it at the first byte beyond the limit, as it would at any other moment.
#[test]
fn a_program_that_is_killed_while_it_writes_leaves_no_file() {
    let place = Place::new();
    place.write("large.csv", export(5_000));
    let args = ["report", "large.csv", "--format", "json", "-o", "out.json"];
    let limits = "ulimit -c 0; ulimit -f 64; exec \"$0\" \"$@\"";
    let whole = place.command(&args);
    let mut command = Command::new("sh");
    command.args(["-c", limits, PROGRAM]).args(args);
    command.current_dir(place.data()).stderr(Stdio::null());
    command.envs(whole.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let status = command.status().unwrap();
    assert!(status.signal().is_some(), "it was not killed: {status}");
    assert!(!place.files().contains(&"out.json".to_owned()));
    // Where a volume knows no files without a name, the next writer removes what is left.
    place.run(&args).ends_with(0);
    assert_eq!(place.files(), ["large.csv", "out.json"]);
    assert!(place.left_in_tmp().is_empty());
}

#[test]
fn a_program_that_is_killed_while_it_keeps_a_stream_leaves_no_file() {
    // HUP does the same, but where it is ignored (nohup) the program would wait on.
    for signal in ["-KILL", "-TERM"] {
        let place = Place::new();
        let mut child = place.command(&["report", "-"]).stdin(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(export(20_000).as_bytes()).unwrap();
        // Its first word of progress says that it waits for more.
        let mut progress = [0];
        let mut said = child.stderr.take().unwrap();
        said.read_exact(&mut progress).unwrap();
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.unwrap().success());
        assert!(!child.wait().unwrap().success());
        assert!(place.left_in_tmp().is_empty(), "{signal}");
    }
}

/// Feeds a text again and again until nobody reads it any more.
fn endless(place: &Place, args: &[&str], text: &'static str) -> Answer {
    let mut child = place.command(args).stdin(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let block = text.repeat(4096);
    let feeder = thread::spawn(move || while pipe.write_all(block.as_bytes()).is_ok() {});
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    Answer::of(args, output)
}

#[test]
fn a_stream_without_records_or_end_is_refused() {
    let place = Place::new();
    let args = ["report", "-"];
    let zeros = place.command(&args).stdin(File::open("/dev/zero").unwrap()).output();
    let zeros = Answer::of(&args, zeros.unwrap()).ends_with(2);
    assert!(zeros.err.contains("not text"), "{}", zeros.err);
    let device = place.run(&["report", "/dev/zero"]).ends_with(2);
    assert!(device.err.contains("a device, not a file"), "{}", device.err);
    for text in ["y\n", "{\"a\":1}\n", "x"] {
        let answer = endless(&place, &args, text).ends_with(2);
        assert!(answer.err.contains("error: "), "{text:?}: {}", answer.err);
    }
    assert!(place.left_in_tmp().is_empty());
}
