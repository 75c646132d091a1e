//! Files that are cut, mixed up or made to do harm: what is whole is read, the rest is said, nothing ends the program.

use proptest::prelude::*;

use super::*;

fn written(dir: &Path) -> (std::path::PathBuf, Vec<u8>) {
    let path = dir.join("a.rec");
    let mut recorder = recorder(&path, RecordingOptions::default());
    for n in 0..6 {
        let body = format!("{{\"n\":{n},\"text\":\"línea\"}}");
        recorder.seen(&answer(n, ranges(), &body));
        if n % 2 == 1 {
            recorder.end_round();
        }
    }
    (path.clone(), std::fs::read(path).unwrap())
}

#[test]
fn wherever_it_is_cut_the_whole_lines_are_read() {
    let home = tempfile::tempdir().unwrap();
    let (path, bytes) = written(home.path());
    let header = bytes.iter().position(|b| *b == b'\n').unwrap();
    for cut in header..bytes.len() {
        std::fs::write(&path, &bytes[..cut]).unwrap();
        let recording = read(&path);
        let whole = bytes[..cut].split_inclusive(|b| *b == b'\n');
        let seen = whole
            .filter(|l| {
                let text = String::from_utf8_lossy(l);
                text.contains("\"body\"") && text.trim_end().ends_with("}}")
            })
            .count();
        assert_eq!(recording.lines(), seen, "cut at {cut}");
        let torn = bytes[cut - 1] != b'\n' && bytes[cut] != b'\n' && cut > header;
        let said = recording.notes == ["the last line was torn and left out"];
        assert_eq!(said, torn, "cut at {cut}: {:?}", recording.notes);
    }
    for cut in 0..header {
        std::fs::write(&path, &bytes[..cut]).unwrap();
        let refused = Recording::open(&opened(&path), &Watch::default());
        assert!(refused.is_err(), "cut at {cut}");
    }
}

#[test]
fn what_cannot_be_used_is_counted() {
    let home = tempfile::tempdir().unwrap();
    let (path, mut bytes) = written(home.path());
    let time = "\"at\":\"2026-06-22T02:10:41Z\"";
    let deep = "[".repeat(100_000);
    for line in [
        "not JSON".to_owned(),
        format!("{{{time},\"asked\":{{\"kind\":\"ranges\"}},\"body\":{deep}}}"),
        format!("{{{time},\"asked\":{deep},\"body\":1}}"),
        "\u{0}".to_owned(),
        format!("{{{time},\"asked\":{{\"kind\":\"horoscope\"}},\"body\":1}}"),
        format!("{{{time},\"asked\":{{\"kind\":\"ranges\"}},\"trouble\":{{\"obstacle\":\"?\"}}}}"),
        format!("{{{time}}}"),
        "{}".to_owned(),
        "{\"at\":\"yesterday\",\"asked\":{\"kind\":\"ranges\"},\"body\":1}".to_owned(),
        "  \t ".to_owned(),
    ] {
        bytes.extend(line.as_bytes());
        bytes.push(b'\n');
    }
    bytes.extend(b"\xff\xfe{}\n");
    bytes.extend(vec![b'x'; MAX_LINE_BYTES + 5]);
    bytes.extend(
        b"\n{\"at\":\"2020-01-01T00:00:00Z\",\"asked\":{\"kind\":\"ranges\"},\"body\":1}\n",
    );
    std::fs::write(&path, &bytes).unwrap();
    let recording = read(&path);
    assert_eq!(recording.lines(), 7);
    let expected = [
        "5 lines were damaged and left out",
        "5 lines were of a kind that is not known, and left out",
        "1 line was longer than 64 MiB and left out",
        "the clock was set back once while this was recorded",
    ];
    assert_eq!(recording.notes, expected);
}

#[test]
fn lines_of_another_account_are_left_out() {
    let home = tempfile::tempdir().unwrap();
    let (path, mut bytes) = written(home.path());
    let header = |endpoint: &str, masked| RecordingHeader {
        endpoint: endpoint.to_owned(),
        started: at(100),
        masked,
    };
    let line = line::seen(&answer(101, ranges(), "1"));
    for (first, kept) in [
        (header("https://other.documents.azure.com/", false).text(), 0),
        (header(ENDPOINT, true).text(), 0),
        (header(ENDPOINT, false).text(), 1),
        (header(ENDPOINT, false).text(), 2),
        (header(ENDPOINT, false).text().replace("\"format\":1", "\"format\":2"), 2),
    ] {
        bytes.extend(first.as_bytes());
        bytes.extend(line.as_bytes());
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(read(&path).lines(), 6 + kept, "{first}");
    }
    let newer = header(ENDPOINT, false).text().replace("\"format\":1", "\"format\":9,\"more\":[]");
    std::fs::write(&path, newer).unwrap();
    let refused = Recording::open(&opened(&path), &Watch::default()).unwrap_err();
    assert!(refused.what.contains("newer"), "{}", refused.what);
}

#[test]
fn a_line_that_went_away_is_left_out() {
    let home = tempfile::tempdir().unwrap();
    let (path, bytes) = written(home.path());
    let recording = read(&path);
    let shorter = bytes.len() / 2;
    std::fs::write(&path, &bytes[..shorter]).unwrap();
    assert!(all(&recording).len() < 6);
}

proptest! {
    #[test]
    fn no_bytes_end_the_program(
        cut in 0_usize..900,
        with in proptest::collection::vec(any::<u8>(), 0..80),
        drop in 0_usize..60,
    ) {
        let home = tempfile::tempdir().unwrap();
        let (path, mut bytes) = written(home.path());
        let cut = cut.min(bytes.len());
        let end = (cut + drop).min(bytes.len());
        bytes.splice(cut..end, with);
        std::fs::write(&path, &bytes).unwrap();
        if let Ok(recording) = Recording::open(&opened(&path), &Watch::default()) {
            let seen = all(&recording);
            prop_assert_eq!(seen.len(), recording.lines());
            prop_assert!(recording.moments.windows(2).all(|m| m[0].at <= m[1].at && m[0].lines < m[1].lines));
        }
    }

    #[test]
    fn any_answer_comes_back(body in any::<String>(), json in any::<bool>(), second in 0_i64..1000) {
        let body = if json { serde_json::to_string(&body).unwrap() } else { body };
        let seen = answer(second, ranges().part(&body), &body);
        let line = line::seen(&seen);
        prop_assert_eq!(line.matches('\n').count(), 1);
        let Ok(line::RecordingLine::Seen(back)) = line::parse(line.trim_end_matches('\n')) else {
            return Err(TestCaseError::fail(line));
        };
        prop_assert_eq!(back.inquiry(), seen.inquiry());
        let (Observation::Answer(back), Observation::Answer(seen)) = (back, seen) else {
            return Err(TestCaseError::fail("an answer"));
        };
        if serde_json::from_slice::<serde_json::Value>(&seen.body).is_err() {
            prop_assert_eq!(back.body, seen.body);
        } else {
            let read = |b: &[u8]| serde_json::from_slice::<serde_json::Value>(b).unwrap();
            prop_assert_eq!(read(&back.body), read(&seen.body));
        }
    }
}
