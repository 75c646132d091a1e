//! Recordings written, damaged, read again; and what must never be in one.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test reads and writes files and may panic"
)]

mod damage;
mod masking;

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::error::Error;
use crate::model::time::Stamp;
use crate::source::answers::{Answer, Failure, Inquiry, Kind, Observation, Obstacle, Trouble};
use crate::source::input;
use crate::source::watch::Watch;

const ENDPOINT: &str = "https://northpier-prod.documents.azure.com/";

fn at(second: i64) -> Stamp {
    Stamp::from_seconds(1_782_000_000 + second).unwrap()
}

fn answer(second: i64, inquiry: Inquiry, body: &str) -> Observation {
    Observation::Answer(Answer {
        at: at(second),
        inquiry,
        body: body.as_bytes().into(),
        ru: Some(1.5),
    })
}

fn failure(second: i64, inquiry: Inquiry, obstacle: Obstacle) -> Observation {
    Observation::Failure(Failure {
        at: at(second),
        inquiry,
        trouble: Trouble::new(obstacle, "it was refused", "wait"),
        ru: None,
    })
}

fn ranges() -> Inquiry {
    Inquiry::container(Kind::Ranges, "shop", "orders")
}

fn recorder(path: &Path, options: RecordingOptions) -> Recorder {
    Recorder::create(path, ENDPOINT, at(0), options).unwrap()
}

fn opened(path: &Path) -> input::OpenInput {
    let found = input::find(&[path.to_owned()], &|| true).unwrap();
    found.readable().next().unwrap().open().unwrap()
}

fn read(path: &Path) -> Recording {
    Recording::open(&opened(path), &Watch::default()).unwrap()
}

fn all(recording: &Recording) -> Vec<Observation> {
    let mut seen = Vec::new();
    recording.each(0..recording.lines(), &mut |one| seen.push(one));
    seen
}

#[test]
fn what_was_written_is_read_again() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.rec");
    let seen = [
        answer(1, ranges(), "{\"PartitionKeyRanges\":[]}"),
        failure(2, Inquiry::account(Kind::Account).part("a \"part\""), Obstacle::Throttled),
        answer(2, Inquiry::database(Kind::Containers, "a\u{202e}\nb"), "null"),
        answer(9, ranges(), "no JSON at all\n"),
        answer(9, ranges(), "{\"a\":1}{\"b\":2}"),
        answer(9, ranges(), ""),
        answer(10, ranges(), &("[".repeat(64) + &"]".repeat(64))),
    ];
    let mut recorder = recorder(&path, RecordingOptions::default());
    for (n, one) in seen.iter().enumerate() {
        assert_eq!(recorder.seen(one), None);
        if n % 2 == 1 {
            assert_eq!(recorder.end_round(), None);
        }
    }
    assert_eq!(recorder.bytes(), std::fs::metadata(&path).unwrap().len());
    let recording = read(&path);
    assert_eq!(all(&recording), seen);
    assert_eq!(recording.notes, Vec::<String>::new());
    assert_eq!(recording.header.endpoint, ENDPOINT);
    assert_eq!(recording.header.started, at(0));
    let moments: Vec<(Stamp, usize)> = recording.moments.iter().map(|m| (m.at, m.lines)).collect();
    assert_eq!(moments, [(at(2), 2), (at(9), 4), (at(9), 6), (at(10), 7)]);
}

#[test]
fn bodies_stand_in_one_line_and_say_the_same() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.rec");
    let body =
        "{\r\n  \"id\": \"two  blanks\\nand a break\",\n\t\"n\": 12345678901234567890.10\n}\n";
    recorder(&path, RecordingOptions::default()).seen(&answer(1, ranges(), body));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 2);
    let [Observation::Answer(found)] = &all(&read(&path))[..] else {
        unreachable!("one answer was written");
    };
    let blanks = body.trim().replace(['\r', '\n'], " ");
    assert_eq!(std::str::from_utf8(&found.body).unwrap(), blanks);
}

#[test]
fn moments_tell_whether_anything_changed() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.rec");
    let mut recorder = recorder(&path, RecordingOptions::default());
    for (second, body) in [(0, "1"), (60, "1"), (120, "2"), (180, "2")] {
        recorder.seen(&answer(second, ranges(), body));
        recorder.end_round();
    }
    // Where rounds are marked, one may take its time.
    recorder.seen(&answer(240, ranges(), "3"));
    recorder.seen(&answer(251, ranges().part("b"), "3"));
    recorder.end_round();
    assert_eq!(moments(&path), [(0, true), (60, false), (120, true), (180, false), (251, true)]);
}

fn moments(path: &Path) -> Vec<(i64, bool)> {
    let moments = read(path).moments;
    let second = |m: &Moment| m.at.seconds() - at(0).seconds();
    moments.iter().map(|m| (second(m), m.changed)).collect()
}

#[test]
fn without_marks_a_pause_parts_two_rounds() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.rec");
    let mut recorder = recorder(&path, RecordingOptions::default());
    for (second, body) in [(0, "1"), (1, "1"), (60, "1"), (64, "2"), (70, "2")] {
        recorder.seen(&answer(second, ranges(), body));
    }
    recorder.seen(&failure(300, ranges(), Obstacle::Throttled));
    assert_eq!(moments(&path), [(1, true), (64, true), (70, false), (300, true)]);
}

#[test]
fn another_session_of_the_account_is_added_to_the_end() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.rec");
    recorder(&path, RecordingOptions::default()).seen(&answer(1, ranges(), "1"));
    // The first session ended in the middle of a line.
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.extend(b"{\"at\":\"2026-06-22T0");
    std::fs::write(&path, &bytes).unwrap();
    let mut again = Recorder::create(&path, ENDPOINT, at(50), RecordingOptions::default()).unwrap();
    again.seen(&answer(51, ranges(), "2"));
    let recording = read(&path);
    assert_eq!(all(&recording).len(), 2);
    assert_eq!(recording.notes, ["1 line was damaged and left out"]);
    assert!(std::fs::read(&path).unwrap().starts_with(&bytes));

    let other = "https://other.documents.azure.com/";
    for path in [path.clone(), home.path().join("foreign")] {
        if !path.exists() {
            std::fs::write(&path, "precious").unwrap();
        }
        let before = std::fs::read(&path).unwrap();
        let refused = Recorder::create(&path, other, at(60), RecordingOptions::default());
        assert!(matches!(refused, Err(Error::Refused { .. })));
        assert_eq!(std::fs::read(&path).unwrap(), before);
        let options =
            RecordingOptions { existing: Existing::Replace, ..RecordingOptions::default() };
        Recorder::create(&path, other, at(60), options).unwrap();
        assert_eq!(read(&path).header.endpoint, other);
    }
}

#[test]
fn a_recording_ends_at_its_limit_and_says_so_once() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.rec");
    let options = RecordingOptions { max_bytes: 1 << 20, ..RecordingOptions::default() };
    let mut recorder = recorder(&path, options);
    let body = format!("\"{}\"", "x".repeat(100_000));
    let said: Vec<String> =
        (0..20).filter_map(|n| recorder.seen(&answer(n, ranges(), &body))).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("reached its limit of 1 MiB"), "{said:?}");
    assert!(recorder.rests());
    assert_eq!(recorder.end_round(), None);
    assert!(std::fs::metadata(&path).unwrap().len() <= 1 << 20);
    let recording = read(&path);
    assert_eq!(recording.lines(), 10);
    assert_eq!(
        recording.notes,
        ["recording ended before the session did: the recording reached its limit of 1 MiB"]
    );
}

#[test]
fn an_answer_too_long_for_a_line_is_said_instead() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.rec");
    let mut recorder = recorder(&path, RecordingOptions::default());
    let body = format!("\"{}\"", "x".repeat(MAX_LINE_BYTES));
    assert_eq!(recorder.seen(&answer(1, ranges(), &body)), None);
    let [Observation::Failure(failure)] = &all(&read(&path))[..] else {
        unreachable!("one line was written");
    };
    assert!(failure.trouble.what.contains("was not recorded"));
    assert_eq!(failure.inquiry, ranges());
}

#[test]
fn no_line_holds_a_secret() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.rec");
    let options = RecordingOptions {
        scrub: Arc::new(|text| {
            if text.contains("s3cr+t") {
                Cow::Owned(text.replace("s3cr+t", "***"))
            } else {
                Cow::Borrowed(text)
            }
        }),
        ..RecordingOptions::default()
    };
    let mut recorder = recorder(&path, options);
    recorder.seen(&answer(1, ranges(), "{\"key\":\"s3cr+t\"}"));
    recorder.seen(&answer(2, ranges(), "{\"key\":\"\\u00733cr\\u002bt\"}"));
    recorder.seen(&answer(3, ranges().part("s3cr+t"), "no JSON s3cr+t"));
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(!text.contains("s3cr+t") && !text.contains("u002bt"), "{text}");
    let found = all(&read(&path));
    assert_eq!(found.len(), 3);
    assert!(matches!(&found[0], Observation::Answer(a) if *a.body == *b"{\"key\":\"***\"}"));
    assert!(matches!(&found[1], Observation::Failure(f) if f.trouble.what.contains("secret")));
    assert!(matches!(&found[2], Observation::Answer(a) if *a.body == *b"no JSON ***"));
}

#[cfg(unix)]
#[test]
fn a_recording_is_its_owner_s_alone_and_follows_no_link() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.rec");
    recorder(&path, RecordingOptions::default());
    let mode = || std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
    recorder(&path, RecordingOptions::default());
    assert_eq!(mode(), 0o600);

    let target = home.path().join("target");
    std::fs::write(&target, "precious").unwrap();
    for (to, existing) in [
        ("target", Existing::Continue),
        ("target", Existing::Replace),
        ("a.rec", Existing::Continue),
        ("absent", Existing::Continue),
        ("absent", Existing::Replace),
    ] {
        let link = home.path().join("link");
        symlink(home.path().join(to), &link).unwrap();
        let options = RecordingOptions { existing, ..RecordingOptions::default() };
        let refused = Recorder::create(&link, ENDPOINT, at(0), options);
        assert!(matches!(refused, Err(Error::NotAFile { .. })), "{to}");
        std::fs::remove_file(&link).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "precious");
    assert!(!home.path().join("absent").exists());
    let nowhere = home.path().join("no/folder/a.rec");
    let refused = Recorder::create(&nowhere, ENDPOINT, at(0), RecordingOptions::default());
    assert!(matches!(refused, Err(Error::NoFolder { .. })));
}
