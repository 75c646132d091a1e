//! Small changes to good files, a thousand of them: whatever comes of one, it is an answer, it comes, and it is small.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use cosmoscope::analysis::mask::Masker;
use cosmoscope::analysis::rows::Report;
use cosmoscope::analysis::summary::{self, Prefixes, Summary};
use cosmoscope::error::Error;
use cosmoscope::report::{Cells, Colour, Style, json, text};
use cosmoscope::source::import::{self, MIN_MEMORY_BYTES};
use cosmoscope::source::input;
use cosmoscope::source::watch::Watch;

use super::random::Random;

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/samples");
const MUTATIONS: u64 = 1_000;
/// Larger files hold nothing that smaller ones of their shape do not.
const MAX_FILE_BYTES: u64 = 25_000;
/// Far beyond what any of these files takes; what is not back by then will not come.
const PATIENCE: Duration = Duration::from_secs(120);
/// For all tests of this binary at one time; one import of a file that claims too much would pass it at once.
#[cfg(target_os = "linux")]
const MAX_RESIDENT_KIB: u64 = 2 << 20;
/// Bytes that mean something in one of the shapes.
const MARKS: &[u8] = b"\"\\{}[],;\t\n\r\0-.eE09:#\xef\xbb\xbf\xff\x1f\x8b";

/// Read together with each of them: one key.
const GOOD: &str =
    "AccountName,DatabaseName,CollectionName,PartitionKey,SizeKb,RegionName,TimeGenerated
good,good,good,\"[\"\"good\"\"]\",5,West Europe,2026-06-22T02:10:41Z
";

fn part(random: &mut Random, len: usize) -> std::ops::Range<usize> {
    let start = random.below(len + 1);
    let longest = (len - start).min(if random.below(4) == 0 { len } else { 40 });
    start..start + random.below(longest + 1)
}

fn small_samples(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let metadata = entry.metadata().unwrap();
        if metadata.is_dir() {
            small_samples(&entry.path(), into);
        } else if metadata.len() <= MAX_FILE_BYTES && entry.file_name() != "README.md" {
            into.push(entry.path());
        }
    }
}

/// One to four changes: bytes flipped or replaced, parts cut out, doubled or put elsewhere, the end cut off.
fn mutated(mut bytes: Vec<u8>, random: &mut Random) -> Vec<u8> {
    for _ in 0..=random.below(4) {
        let part = part(random, bytes.len());
        match random.below(6) {
            0 if !bytes.is_empty() => {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
            1 if !bytes.is_empty() => {
                let at = random.below(bytes.len());
                bytes[at] = MARKS[random.below(MARKS.len())];
            }
            2 => drop(bytes.drain(part)),
            3 => {
                let copy = bytes[part.clone()].to_vec();
                bytes.splice(part.end..part.end, copy);
            }
            4 => {
                let copy = bytes[part].to_vec();
                let at = random.below(bytes.len() + 1);
                bytes.splice(at..at, copy);
            }
            _ => bytes.truncate(part.end),
        }
    }
    bytes
}

/// The report of a good file and the changed one, and why the changed one was refused.
fn import(paths: &[PathBuf]) -> Result<(Report, Option<String>), Error> {
    let inputs = input::find(paths, &|| true)?;
    let options = import::Options {
        memory_bytes: MIN_MEMORY_BYTES,
        threads: 2,
        ..import::Options::default()
    };
    let wanted = summary::Options {
        prefixes: Prefixes::Totalled,
        ..summary::Options::default()
    };
    let mut summary = Summary::new(wanted);
    let capture = import::import(&inputs, &options, &Watch::default(), &mut |_| Ok(()))?;
    summary.absorb(&capture);
    let refused = capture.sources.last().and_then(|s| s.refused.clone());
    Ok((summary.finish(), refused))
}

/// Everything that can be made of a file; what is written of it.
fn answer(paths: &[PathBuf]) -> Option<Vec<u8>> {
    let (mut report, refused) = import(paths).expect("the other file is good");
    if let Some(why) = &refused {
        assert!(!why.is_empty());
        // Nothing of a refused file may stay.
        assert_eq!(report.keys_total(), 1, "{why}");
    }
    let style = Style {
        width: 80,
        colour: Colour::Off,
        cells: Cells::Safe,
    };
    let mut written = Vec::new();
    json::write(&report, style, &mut written).unwrap();
    text::write(&report, style, &mut Vec::new()).unwrap();
    Masker::new(b"salt").report(&mut report);
    refused.is_none().then_some(written)
}

fn check(json: &[u8], what: &str) {
    let found: serde_json::Value = serde_json::from_slice(json).expect(what);
    for container in found["containers"].as_array().expect(what) {
        for row in container["keys"].as_array().expect(what) {
            let size = row["size_kib"].as_f64();
            assert!(size.is_some_and(|kib| kib >= 0.0), "{what}: {row}");
        }
    }
}

#[cfg(target_os = "linux")]
fn resident_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let number = line.and_then(|l| l.split_whitespace().next());
    number
        .and_then(|n| n.parse().ok())
        .expect("the system tells the largest size so far")
}

#[test]
fn a_changed_file_is_read_or_refused() {
    let mut samples = Vec::new();
    small_samples(Path::new(SAMPLES), &mut samples);
    samples.sort();
    assert!(samples.len() > 50, "{} samples", samples.len());
    let folder = tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let good = folder.path().join("good.csv");
    fs::write(&good, GOOD).unwrap();
    let mut read = 0;
    for seed in 0..MUTATIONS {
        let mut random = Random(seed);
        let original = &samples[random.below(samples.len())];
        let name = original.file_name().unwrap().to_str().unwrap();
        let bytes = mutated(fs::read(original).unwrap(), &mut random);
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let what = format!("seed {seed}, made from {}", original.display());
        let (done, waits) = channel();
        let paths = [good.clone(), path];
        thread::spawn(move || done.send(answer(&paths)));
        match waits.recv_timeout(PATIENCE) {
            Ok(Some(json)) => {
                check(&json, &what);
                read += 1;
            }
            Ok(None) => {}
            Err(RecvTimeoutError::Timeout) => panic!("no answer: {what}"),
            Err(RecvTimeoutError::Disconnected) => panic!("it panicked: {what}"),
        }
    }
    // Changes are small: were most files refused, their content would not be tested.
    assert!(read > MUTATIONS / 2, "{read} of {MUTATIONS} were read");
    #[cfg(target_os = "linux")]
    assert!(resident_kib() < MAX_RESIDENT_KIB, "{} KiB", resident_kib());
}
