//! The program from outside: what scripts and people depend on, command by command.

mod design;
mod encodings;
mod exits;
mod findings;
mod forecast;
mod gate;
pub(crate) mod heat;
mod heat_spans;
mod help;
mod inspect;
mod interrupts;
mod lesson;
mod litter;
mod live;
mod locate;
mod masking;
mod memory;
mod ordered_json;
mod output;
mod pages;
mod plan;
mod report;
mod simulate;
mod slips;
mod words;
mod workings;
mod workload;
mod xml;

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_cosmoscope");
const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/samples");
/// The standard set of 45 records in the form most people have.
const STANDARD: &str = "stats/log-analytics/resource-specific.portal-us.csv";

/// An address of this machine where nothing listens.
fn nowhere() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

pub(crate) fn sample(name: &str) -> String {
    format!("{SAMPLES}/{name}")
}

/// Reads the standard set: every format names the key and its date, and masked no name.
#[track_caller]
fn formats_name_the_date(command: &str, more: &[&str]) {
    let place = Place::new();
    let path = sample(STANDARD);
    for format in ["text", "json", "csv", "md", "html"] {
        let args = [&[command, &path, "--format", format], more].concat();
        let text = place.run(&args).ends_with(0).text();
        assert!(text.contains("tenant-0001") && text.contains("2026-07-01"), "{format}: {text}");
        let args = [&args[..], &["--mask"]].concat();
        let masked = place.run(&args).ends_with(0).text();
        assert!(!masked.contains("tenant-0001") && !masked.contains("northpier"), "{masked}");
    }
}

/// A folder for one test: its data, a home without any configuration, and where temporary files go.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        for name in ["data", "home", "tmp"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        Self { folder }
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.data().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Everything below the data folder, by name.
    fn files(&self) -> Vec<String> {
        names_in(&self.data())
    }

    fn left_in_tmp(&self) -> Vec<String> {
        names_in(&self.folder.path().join("tmp"))
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let home = self.home();
        let mut command = Command::new(PROGRAM);
        command
            .args(args)
            .current_dir(self.data())
            .env_remove("NO_COLOR")
            .env("HOME", &home)
            .env("USERPROFILE", &home)
            .env("APPDATA", &home)
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("TMPDIR", self.folder.path().join("tmp"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Answer {
        Answer::of(args, self.command(args).output().unwrap())
    }

    /// Each of these ends with 2, an error and nothing else.
    #[track_caller]
    pub(crate) fn refuses(&self, wrong: &[&[&str]]) {
        for args in wrong {
            let answer = self.run(args).ends_with(2);
            assert!(answer.err.starts_with("error: "), "{args:?}: {}", answer.err);
            assert!(answer.out.is_empty(), "{args:?}");
        }
    }

    pub(crate) fn run_with(&self, args: &[&str], stdin: impl Into<Vec<u8>>) -> Answer {
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let bytes = stdin.into();
        // From another thread, so that neither side waits for the other with a full pipe.
        let feeder = std::thread::spawn(move || pipe.write_all(&bytes));
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap().unwrap();
        Answer::of(args, output)
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// What one call of the program gave.
pub(crate) struct Answer {
    called: String,
    code: Option<i32>,
    out: Vec<u8>,
    pub(crate) err: String,
}

impl Answer {
    fn of(args: &[&str], output: Output) -> Self {
        Self {
            called: args.join(" "),
            code: output.status.code(),
            out: output.stdout,
            err: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
        }
    }

    #[track_caller]
    pub(crate) fn ends_with(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}\n{}", self.called, self.text(), self.err);
        self
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.out.clone()).expect("the output is UTF-8")
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.out)
            .unwrap_or_else(|why| panic!("{}: {why}\n{}\n{}", self.called, self.text(), self.err))
    }
}

/// What a report says of one key.
fn row<'r>(report: &'r Value, container: &str, key: &Value) -> &'r Value {
    let containers = report["containers"].as_array().unwrap();
    let mut rows = containers
        .iter()
        .filter(|c| c["container"] == container)
        .flat_map(|c| c["keys"].as_array().unwrap());
    rows.find(|row| row["key"] == *key).unwrap()
}

const COLUMNS: &str =
    "AccountName,DatabaseName,CollectionName,PartitionKey,SizeKb,RegionName,TimeGenerated";

/// A table of the size log with these keys and sizes, one record each.
fn table<K: AsRef<str>>(rows: impl IntoIterator<Item = (K, String)>) -> String {
    let mut text = format!("{COLUMNS}\n");
    for (key, kib) in rows {
        let key = serde_json::to_string(&[key.as_ref()]).unwrap();
        let key = key.replace('"', "\"\"");
        let _ = writeln!(text, "acc,db,box,\"{key}\",{kib},West Europe,2026-06-22T02:10:41Z");
    }
    text
}
