//! Everything that reads what others wrote, in one table.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cosmoscope::analysis::candidate::Candidate;
use cosmoscope::analysis::filter;
use cosmoscope::analysis::mask::Masker;
use cosmoscope::analysis::routing::workload::Workload;
use cosmoscope::analysis::summary::{self, Summary};
use cosmoscope::error::Error;
use cosmoscope::model::capture::SourceInfo;
use cosmoscope::model::documents::statistics;
use cosmoscope::model::time::Stamp;
use cosmoscope::report::{Colour, CsvCells, Style, decision, json, text};
use cosmoscope::source::answers::{Answer, Inquiry, Kind, Observation};
use cosmoscope::source::import::{self, MIN_MEMORY_BYTES};
use cosmoscope::source::ledger::Ledger;
use cosmoscope::source::watch::Watch;
use cosmoscope::source::{documents, input, recording};
use cosmoscope::ui::kit::command;

use super::{MAX_FILE_BYTES, Seed};
use crate::recordings::rounds;

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/samples");

/// Read together with each export: one key.
const GOOD: &str =
    "AccountName,DatabaseName,CollectionName,PartitionKey,SizeKb,RegionName,TimeGenerated
good,good,good,\"[\"\"good\"\"]\",5,West Europe,2026-06-22T02:10:41Z
";

/// What came of one input.
pub struct Brought {
    pub read: bool,
    /// What was said of it, without numbers and names: an input that brings other words went another way.
    pub said: String,
}

pub struct Reader {
    pub name: &'static str,
    /// Good inputs, beside those in the corpus.
    pub seeds: fn() -> Vec<Seed>,
    /// A folder to write in, the name of the input, and the input.
    pub read: fn(&Path, &str, &[u8]) -> Brought,
    /// At least so many of slightly changed inputs are read.
    pub least_read_percent: u64,
}

pub const READERS: &[Reader] = &[
    Reader { name: "exports", seeds: samples, read: exports, least_read_percent: 50 },
    Reader { name: "documents", seeds: Vec::new, read: read_documents, least_read_percent: 50 },
    Reader { name: "recordings", seeds: recordings, read: read_recording, least_read_percent: 50 },
    Reader { name: "answers", seeds: answers, read: read_answer, least_read_percent: 30 },
    Reader { name: "queries", seeds: Vec::new, read: read_queries, least_read_percent: 20 },
    Reader { name: "decisions", seeds: Vec::new, read: read_decision, least_read_percent: 2 },
    Reader { name: "settings", seeds: settings, read: read_settings, least_read_percent: 2 },
    Reader { name: "typed", seeds: Vec::new, read: read_typed, least_read_percent: 5 },
];

/// Plain words only, and few of them: numbers, names and pieces of the input differ each time.
fn kinds_text<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut kinds: Vec<String> = texts.into_iter().map(words).collect();
    kinds.sort();
    kinds.dedup();
    kinds.join(" | ")
}

fn words(text: &str) -> String {
    let outside: String = text.split(['"', '`']).step_by(2).collect();
    let plain = |word: &&str| word.len() < 16 && word.chars().all(|c| c.is_ascii_lowercase());
    let words: Vec<&str> = outside.split_whitespace().filter(plain).take(6).collect();
    words.join(" ")
}

fn is_read(said: String) -> Brought {
    Brought { read: true, said }
}

fn is_read_as(source: &SourceInfo) -> Brought {
    let faults = source.row_errors.iter().map(|e| e.detail.as_str());
    let notes = source.notes.iter().map(String::as_str);
    is_read(kinds_text(notes.chain(faults).chain([source.shape.as_str()])))
}

fn is_refused(why: &str) -> Brought {
    assert!(!why.is_empty());
    Brought { read: false, said: words(why) }
}

/// A file under the name of the input; the first characters tell kept inputs apart.
fn file(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn seed(name: &str, bytes: impl Into<Vec<u8>>) -> Seed {
    Seed { name: name.to_owned(), bytes: bytes.into() }
}

fn small_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let metadata = entry.metadata().unwrap();
        if metadata.is_dir() {
            small_files(&entry.path(), into);
        } else if metadata.len() <= MAX_FILE_BYTES && entry.file_name() != "README.md" {
            into.push(entry.path());
        }
    }
}

fn samples() -> Vec<Seed> {
    let mut paths = Vec::new();
    small_files(Path::new(SAMPLES), &mut paths);
    paths.sort();
    assert!(paths.len() > 50, "{} samples", paths.len());
    let of =
        |path: &PathBuf| seed(path.file_name().unwrap().to_str().unwrap(), fs::read(path).unwrap());
    paths.iter().map(of).collect()
}

/// Everything that is made of an export beside a good one.
fn exports(folder: &Path, name: &str, bytes: &[u8]) -> Brought {
    let paths = [file(folder, "good.csv", GOOD.as_bytes()), file(folder, name, bytes)];
    let inputs = input::find(&paths, &|| true).unwrap();
    let options = import::ImportOptions {
        memory_bytes: MIN_MEMORY_BYTES,
        threads: 2,
        ..import::ImportOptions::default()
    };
    let capture = import::import(&inputs, &options, &Watch::default(), &mut |_| Ok(()))
        .expect("the other file is good");
    let wanted =
        summary::SummaryOptions { has_prefixes: true, ..summary::SummaryOptions::default() };
    let mut summary = Summary::new(wanted);
    summary.absorb(&capture);
    let mut report = summary.finish();
    let style = Style { width: 80, colour: Colour::Off, cells: CsvCells::Safe };
    let mut written = Vec::new();
    json::write(&report, style, &mut written).unwrap();
    text::write(&report, style, &mut Vec::new()).unwrap();
    let total = report.keys_total();
    Masker::new(b"salt").report(&mut report);
    let source = capture.sources.last().unwrap();
    if let Some(why) = &source.refused {
        // Nothing of a refused file may stay.
        assert_eq!(total, 1, "{why}");
        return is_refused(why);
    }
    check(&written);
    is_read_as(source)
}

fn check(written: &[u8]) {
    let found: serde_json::Value = serde_json::from_slice(written).unwrap();
    for container in found["containers"].as_array().unwrap() {
        for row in container["keys"].as_array().unwrap() {
            assert!(row["size_kib"].as_f64().is_some_and(|kib| kib >= 0.0), "{row}");
        }
    }
}

fn read_documents(folder: &Path, name: &str, bytes: &[u8]) -> Brought {
    let inputs = input::find(&[file(folder, name, bytes)], &|| true).unwrap();
    match documents::read(&inputs, &documents::DocumentOptions::every(), &Watch::default()) {
        Ok(loaded) => {
            let kept = loaded.documents.len() as u64;
            assert!(kept <= loaded.documents.seen().documents);
            for column in loaded.documents.columns() {
                let _ = statistics(column, 5);
            }
            let source = &loaded.sources[0];
            is_read_as(source)
        }
        Err(e) => is_refused(&why(&e)),
    }
}

fn why(error: &Error) -> String {
    match error {
        Error::Refused { refused, .. } => refused.iter().map(|(_, why)| why.as_str()).collect(),
        other => other.to_string(),
    }
}

fn recordings() -> Vec<Seed> {
    let folder = tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let options = recording::RecordingOptions::default;
    let two = rounds::write(folder.path(), "two.rec", 2, options());
    let sampled = rounds::write_with_documents(folder.path(), "sampled.rec", options());
    [two, sampled]
        .iter()
        .map(|path| seed(path.file_name().unwrap().to_str().unwrap(), fs::read(path).unwrap()))
        .collect()
}

fn read_recording(folder: &Path, name: &str, bytes: &[u8]) -> Brought {
    let inputs = input::find(&[file(folder, name, bytes)], &|| true).unwrap();
    let options = import::ImportOptions {
        memory_bytes: MIN_MEMORY_BYTES,
        threads: 2,
        ..import::ImportOptions::default()
    };
    if let Ok(opened) = inputs.readable().next().unwrap().open()
        && let Ok(recording) = recording::Recording::open(&opened, &Watch::default())
    {
        let mut ledger = Ledger::new("a");
        recording.each(0..recording.lines(), &mut |seen| ledger.add(seen));
        let _ = ledger.capture(&options, &Watch::default());
    }
    match import::import(&inputs, &options, &Watch::default(), &mut |_| Ok(())) {
        Ok(capture) => {
            let notes = capture.sources.iter().flat_map(|s| &s.notes).chain(&capture.notes);
            is_read(kinds_text(notes.map(String::as_str)))
        }
        Err(e) => is_refused(&why(&e)),
    }
}

fn answers() -> Vec<Seed> {
    let mut seeds = Vec::new();
    for seen in rounds::rounds(1).remove(0) {
        if let Observation::Answer(answer) = seen {
            let kind = serde_json::to_value(answer.inquiry.kind).unwrap();
            seeds.push(seed(kind.as_str().unwrap(), &*answer.body));
        }
    }
    seeds
}

/// An answer of a kind beside the lists that name its container.
fn read_answer(_: &Path, name: &str, bytes: &[u8]) -> Brought {
    let kind = name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
    let kind: Kind = serde_json::from_value(kind.into()).unwrap();
    let inquiry = match kind {
        Kind::Account | Kind::Databases => Inquiry::account(kind),
        Kind::Containers => Inquiry::database(kind, "shop"),
        Kind::Metrics => Inquiry::container(kind, "shop", "orders").part("NormalizedRUConsumption"),
        _ => Inquiry::container(kind, "shop", "orders"),
    };
    let answer = |inquiry, body: &[u8]| {
        Observation::Answer(Answer {
            at: Stamp::from_seconds(1_782_000_000).unwrap(),
            inquiry,
            body: Arc::from(body),
            ru: Some(1.0),
        })
    };
    let mut ledger = Ledger::new("a");
    let containers = br#"{"DocumentCollections":[{"id":"orders"}]}"#;
    ledger.add(answer(Inquiry::account(Kind::Databases), br#"{"Databases":[{"id":"shop"}]}"#));
    ledger.add(answer(Inquiry::database(Kind::Containers, "shop"), containers));
    ledger.add(answer(inquiry, bytes));
    let options = import::ImportOptions {
        memory_bytes: MIN_MEMORY_BYTES,
        threads: 1,
        ..import::ImportOptions::default()
    };
    match ledger.capture(&options, &Watch::default()) {
        Ok(capture) => {
            let refused = capture.sources.iter().find_map(|s| s.refused.as_deref());
            let notes = capture
                .sources
                .iter()
                .flat_map(|s| &s.notes)
                .chain(&capture.notes)
                .map(String::as_str);
            Brought {
                read: refused.is_none(),
                said: kinds_text(notes.chain(refused).chain([name])),
            }
        }
        Err(e) => is_refused(&why(&e)),
    }
}

fn read_queries(_: &Path, _: &str, bytes: &[u8]) -> Brought {
    let workload = Workload::parse(&String::from_utf8_lossy(bytes));
    assert!(workload.notes.len() <= 20);
    let said = kinds_text(workload.notes.iter().map(|note| note.what.as_str()));
    Brought { read: !workload.requests.is_empty(), said }
}

fn read_decision(_: &Path, _: &str, bytes: &[u8]) -> Brought {
    match decision::parse(&String::from_utf8_lossy(bytes)) {
        Ok(_) => is_read(String::new()),
        Err(why) => is_refused(&why),
    }
}

fn settings() -> Vec<Seed> {
    vec![seed(
        "config.toml",
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/config.toml")),
    )]
}

fn read_settings(_: &Path, _: &str, bytes: &[u8]) -> Brought {
    match cosmoscope::config::parse(&String::from_utf8_lossy(bytes)) {
        Ok(_) => is_read(String::new()),
        Err(why) => is_refused(&why),
    }
}

/// Whatever is typed or pasted into one line, read as each of the things that are typed.
fn read_typed(_: &Path, _: &str, bytes: &[u8]) -> Brought {
    let text = String::from_utf8_lossy(bytes);
    let as_key = Candidate::parse(&text);
    let as_filter = filter::parse(
        &text,
        filter::FilterBasis { has_decimal_gb: false, as_of_day: Some(20_000) },
    );
    let as_command = command::parse(&text);
    let key = as_key.as_ref().map_or_else(|expected| expected.what.clone(), |_| "a key".to_owned());
    let filter = format!("{as_filter:?}");
    let filter = filter.split(['(', '{']).next().unwrap_or_default();
    let said = kinds_text([
        key.as_str(),
        filter,
        as_command.as_ref().err().map_or("a command", String::as_str),
    ]);
    Brought { read: as_key.is_ok() || as_command.is_ok(), said }
}
