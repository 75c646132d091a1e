//! A recording whose process is killed at any moment can be read, and is nobody else's business.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use cosmoscope::source::input::Input;
use cosmoscope::source::recording::{Recorder, Recording, RecordingOptions};
use cosmoscope::source::watch::Watch;

use super::rounds::{ENDPOINT, rounds};
use crate::cli::Place;

/// Names the file that the other process writes.
const FILE: &str = "COSMOSCOPE_TEST_RECORDS_TO";
const KILLS: u64 = 12;
/// Far more than it takes until there is a first line.
const LIMIT: Duration = Duration::from_secs(60);

/// What the other process does: it records until it is killed, or until there is more than anyone waits for.
#[test]
fn records_until_it_is_killed() {
    let Some(path) = env::var_os(FILE).map(PathBuf::from) else {
        return;
    };
    let rounds = rounds(3);
    let options = RecordingOptions { max_bytes: 64 << 20, ..RecordingOptions::default() };
    let mut recorder = Recorder::create(&path, ENDPOINT, rounds[0][0].at(), options).unwrap();
    while !recorder.rests() {
        for round in &rounds {
            for seen in round {
                drop(recorder.seen(seen));
            }
            recorder.end_round();
        }
    }
}

fn child(path: &std::path::Path) -> Command {
    let program = env::current_exe().unwrap();
    let mut command = Command::new("sh");
    // Whatever the person's mask allows, the file is for its owner alone.
    command
        .args(["-c", "umask 000; exec \"$0\" \"$@\""])
        .arg(program)
        .args(["--exact", "recordings::killed::records_until_it_is_killed"])
        .env(FILE, path)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

#[cfg(unix)]
#[test]
fn killed_at_any_moment_it_leaves_a_recording_that_is_read() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    for kill in 0..KILLS {
        let path = place.data().join(format!("{kill}.rec"));
        let mut child = child(&path).spawn().unwrap();
        let begun = Instant::now();
        while fs::metadata(&path).map_or(0, |m| m.len()) < 2_000 {
            assert!(begun.elapsed() < LIMIT, "nothing is recorded");
            thread::sleep(Duration::from_millis(2));
        }
        // Each time a little later, in steps that share nothing with the lines.
        thread::sleep(Duration::from_micros(kill * 7_919));
        child.kill().unwrap();
        child.wait().unwrap();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);

        let bytes = fs::read(&path).unwrap();
        let opened = Input::at(&path).open().unwrap();
        let recording = Recording::open(&opened, &Watch::default()).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let whole = text.split_inclusive('\n').filter(|l| l.ends_with('\n'));
        let whole = whole.filter(|l| l.contains("\"asked\"")).count();
        assert!((whole..=whole + 1).contains(&recording.lines()), "{kill}");
        // The rounds repeat, so their times go back; but nothing is damaged.
        let fine = |note: &String| note.contains("torn") || note.contains("the clock");
        assert!(recording.notes.iter().all(fine), "{:?}", recording.notes);
        let mut seen = 0;
        recording.each(0..recording.lines(), &mut |_| seen += 1);
        assert_eq!(seen, recording.lines());
        // It is gone on with as if nothing had happened.
        let mut going_on =
            Recorder::create(&path, ENDPOINT, rounds(1)[0][0].at(), RecordingOptions::default())
                .unwrap();
        going_on.seen(&rounds(3)[2][2]);
        let opened = Input::at(&path).open().unwrap();
        let whole = Recording::open(&opened, &Watch::default()).unwrap();
        assert_eq!(whole.lines(), recording.lines() + 1);
    }
}
