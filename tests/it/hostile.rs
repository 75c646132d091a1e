//! Broken and hostile files: every one gets the expected answer under a time and a memory limit.

use std::env;
use std::ffi::OsStr;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const GENERATOR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/make_hostile.py");

/// A folder with all the files, removed when it is dropped; none only where a missing interpreter is excused.
pub fn files() -> Option<TempDir> {
    generated_files(OsStr::new(GENERATOR))
}

/// What a generator writes into a folder of its own.
pub fn generated_files(generator: &OsStr) -> Option<TempDir> {
    if !python_is_there() {
        // The variable excuses a missing interpreter only: where python3 exists, the files are checked.
        let excused = env::var_os("COSMOSCOPE_SKIP_HOSTILE").is_some_and(|value| value == "1");
        assert!(
            excused,
            "python3 was not found: install it, or set COSMOSCOPE_SKIP_HOSTILE=1 to go without the hostile files"
        );
        return None;
    }
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let made = python([generator, folder.path().as_os_str()]);
    assert!(made.status.success(), "{}", text(&made));
    Some(folder)
}

#[test]
fn every_hostile_file_gets_the_expected_answer() {
    let Some(folder) = files() else { return };
    let files = folder.path().as_os_str();
    let checked = python([
        OsStr::new(GENERATOR),
        OsStr::new("--check"),
        files,
        OsStr::new("--"),
        OsStr::new(env!("CARGO_BIN_EXE_cosmoscope")),
        OsStr::new("inspect"),
        OsStr::new("--format"),
        OsStr::new("json"),
        OsStr::new("{file}"),
    ]);
    let said = text(&checked);
    assert!(
        checked.status.success() && said.lines().any(|line| line == "101 of 101 as expected"),
        "{said}"
    );
}

/// A launcher without an interpreter behind it counts as missing too.
fn python_is_there() -> bool {
    Command::new("python3")
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .is_ok_and(|done| done.status.success())
}

fn python<'a>(args: impl IntoIterator<Item = &'a OsStr>) -> Output {
    Command::new("python3")
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("python3 answered a moment ago")
}

fn text(output: &Output) -> String {
    let mut bytes = output.stdout.clone();
    bytes.extend_from_slice(&output.stderr);
    String::from_utf8_lossy(&bytes).into_owned()
}
