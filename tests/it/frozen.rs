//! What commands give and screens draw, frozen: values and frames as hashes in lists, so that a rebuild shows what it changed.
//!
//! A line of a list is what is done, ` => `, and what came of it. `COSMOSCOPE_UPDATE=1 cargo test frozen` writes the lists
//! anew; a new line needs only its first half. With `COSMOSCOPE_FROZEN=FOLDER` every value and frame is written there, one
//! file a line: done on two commits, `diff -r` of the two folders shows what a hash cannot.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use cosmoscope::source::ledger::Ledger;
use cosmoscope::source::live::target::{Side, Target};
use cosmoscope::source::recording::RecordingOptions;
use cosmoscope::source::watch::Watch;
use cosmoscope::ui::app::update::open;
use cosmoscope::ui::kit::colour::Colours;
use cosmoscope::ui::kit::glyphs::Glyphs;
use cosmoscope::ui::kit::msg::{Effect, Msg};
use cosmoscope::work::data::Origin;
use cosmoscope::work::load::Loader;
use serde_json::Value;

use super::cli::Place;
use super::readme::words;
use super::recordings::rounds;
use super::stage::Stage;
use super::{hostile, replay};
use crate::pictures;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// Stands between what is done and what came of it.
const ARROW: &str = " => ";
/// Stands for what must be there but may be worded otherwise.
const SENTENCE: &str = "…";
/// Lines of a replay whose frames share a hash.
const GROUP: usize = 5;

/// FNV-1a of 64 bits: small, and the same on every machine and in every version of Rust.
const FNV: u64 = 0xcbf2_9ce4_8422_2325;

/// The byte behind a text parts it from the next.
fn fnv(hash: u64, text: &str) -> u64 {
    let bytes = text.bytes().chain([0xff]);
    bytes.fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// What came of a line: the facts for the list, parted by blanks, and everything behind them.
#[derive(Default)]
struct Facts {
    facts: String,
    detail: String,
}

impl Facts {
    /// One more fact with the values behind it.
    fn fact(&mut self, name: &str, values: &[String]) {
        let name = name.replace(' ', "_");
        let hash = values.iter().fold(FNV, |hash, value| fnv(hash, value));
        let _ = write!(self.facts, " {name}={hash:016x}");
        let _ = writeln!(self.detail, "{name}\n  {}", values.join("\n  "));
    }
}

/// Texts with blanks are sentences, which may be worded otherwise; the version is another one in the next release.
fn text_value(text: &str) -> &str {
    if text.contains(char::is_whitespace) || text == env!("CARGO_PKG_VERSION") {
        SENTENCE
    } else {
        text
    }
}

/// `path=value` for every value below; 1.0 is 1.
fn flatten(path: &str, value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Array(items) if !items.is_empty() => {
            for (n, item) in items.iter().enumerate() {
                flatten(&format!("{path}[{n}]"), item, into);
            }
        }
        Value::Object(fields) if !fields.is_empty() => {
            for (name, field) in fields {
                flatten(&format!("{path}.{name}"), field, into);
            }
        }
        Value::String(text) => into.push(format!("{path}=\"{}\"", text_value(text))),
        Value::Number(number) if number.is_f64() => {
            into.push(format!("{path}={}", number.as_f64().unwrap()));
        }
        other => into.push(format!("{path}={other}")),
    }
}

fn json_facts(text: &str, found: &mut Facts) -> Option<()> {
    let Ok(Value::Object(fields)) = serde_json::from_str(text) else {
        return None;
    };
    for (name, value) in &fields {
        let mut values = Vec::new();
        flatten("", value, &mut values);
        // Whatever order the fields came in.
        values.sort();
        if value.is_number() || value.is_boolean() {
            let _ = write!(found.facts, " {name}{}", values[0]);
        } else {
            found.fact(name, &values);
        }
    }
    Some(())
}

fn csv_facts(text: &str, found: &mut Facts) {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    for (n, column) in header.iter().enumerate() {
        let cells: Vec<String> = rows.iter().map(|r| text_value(&r[n]).to_owned()).collect();
        found.fact(column, &cells);
    }
}

/// Of prose each paragraph's words with a digit in them.
fn prose_facts(text: &str, found: &mut Facts) {
    for (n, paragraph) in (1..).zip(text.split("\n\n")) {
        let numbers = paragraph.split_whitespace();
        let numbers = numbers.filter(|word| word.contains(|c: char| c.is_ascii_digit()));
        let numbers: Vec<String> = numbers.map(str::to_owned).collect();
        found.fact(&format!("paragraph-{n}"), &numbers);
    }
}

fn printed_facts(code: Option<i32>, text: &str, is_csv: bool) -> Facts {
    let mut found = Facts::default();
    let _ = write!(found.facts, "exit={}", code.unwrap_or(-1));
    if is_csv {
        csv_facts(text, &mut found);
    } else if json_facts(text, &mut found).is_none() && !text.is_empty() {
        prose_facts(text, &mut found);
    }
    found
}

/// Runs the program in a folder, so that no path of this machine is in what it gives.
fn run(folder: &Path, line: &str) -> Facts {
    let place = Place::new();
    let arguments = words(line);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = place.command(&arguments);
    let done = command.current_dir(folder).output().unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    assert!(!text.contains(ROOT), "{line} gives a path of this machine");
    let is_csv = done.status.success() && line.contains("--format csv");
    printed_facts(done.status.code(), &text, is_csv)
}

/// What differs between the facts of a line as they were kept and as they are.
fn difference(line: &str, kept: &str, found: &str) -> Option<String> {
    let mut text = format!("  {line}");
    for (sign, all, others) in [("was", kept, found), ("is ", found, kept)] {
        let differs = |fact: &&str| !others.split(' ').any(|other| other == *fact);
        for fact in all.split(' ').filter(differs) {
            let _ = write!(text, "\n    {sign} {fact}");
        }
    }
    (kept != found).then_some(text)
}

/// The list as it should be, and what differs from it. Lines for which there is nothing to find stay as they are.
fn compare(list: &str, mut answer: impl FnMut(usize, &str) -> Option<Facts>) -> (String, String) {
    let (mut rewritten, mut differences) = (String::new(), String::new());
    for (number, line) in (1..).zip(list.lines()) {
        let (done, kept) = line.split_once(ARROW).unwrap_or((line, ""));
        let is_said = done.is_empty() || done.starts_with('#');
        let found = (!is_said).then(|| answer(number, done)).flatten();
        let Some(Facts { facts, .. }) = found else {
            let _ = writeln!(rewritten, "{line}");
            continue;
        };
        let facts = facts.trim_start();
        let _ = writeln!(rewritten, "{done}{ARROW}{facts}");
        if let Some(difference) = difference(done, kept, facts) {
            let _ = writeln!(differences, "line {number}:\n{difference}");
        }
    }
    (rewritten, differences)
}

/// Holds a list against what is found now.
#[track_caller]
fn hold(name: &str, mut answer: impl FnMut(&str) -> Option<Facts>) {
    let path = format!("{ROOT}/tests/it/data/frozen/{name}.txt");
    let list = fs::read_to_string(&path).unwrap();
    let folder = detail_folder();
    let (rewritten, differences) = compare(&list, |number, line| {
        let found = answer(line)?;
        if let Some(folder) = &folder {
            let detail = format!("{line}\n{}", found.detail);
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join(format!("{name}-{number:03}.txt")), detail).unwrap();
        }
        Some(found)
    });
    if env::var_os("COSMOSCOPE_UPDATE").is_some() {
        fs::write(&path, rewritten).unwrap();
        return;
    }
    assert!(
        differences.is_empty(),
        "{path}:\n{differences}\nTo see the values: COSMOSCOPE_FROZEN=FOLDER cargo test frozen, here and on the commit before, and \
         diff -r the folders.\nIf the change is wanted: COSMOSCOPE_UPDATE=1 cargo test frozen"
    );
}

fn detail_folder() -> Option<PathBuf> {
    env::var_os("COSMOSCOPE_FROZEN").map(PathBuf::from)
}

/// The frame as text and styles; the same state draws the same cells.
fn look(stage: &Stage, line: &str, hash: &mut u64, detail: &mut String) {
    let frame = stage.frame();
    assert!(frame == stage.frame(), "{line}: drawn twice, it differs");
    let mut last = None;
    for cell in frame.content() {
        *hash = fnv(*hash, cell.symbol());
        let style = cell.style();
        if last.replace(style) != Some(style) {
            *hash = fnv(*hash, &format!("{style:?}"));
        }
    }
    *hash = fnv(*hash, &frame.area.to_string());
    if detail_folder().is_some() {
        detail.push_str(&pictures::styled(&frame));
    }
}

/// Three rounds of an account, as if it had been visited.
fn visit(stage: &mut Stage) {
    let target = Target {
        endpoint: "http://127.0.0.1:8081/".to_owned(),
        side: Side::Emulator,
        ..Target::default()
    };
    let mut ledger = Ledger::new("northpier-prod");
    for seen in rounds::rounds(3).into_iter().flatten() {
        ledger.add(seen);
    }
    let data = Loader::default().watched(&target, &ledger, &Watch::default());
    let effects = open(&mut stage.app, Origin::Live(Box::new(target)));
    let turn = effects.iter().find_map(|effect| match effect {
        Effect::Visit(turn, ..) => Some(*turn),
        _ => None,
    });
    stage.send(Msg::Loaded(turn.unwrap(), data.unwrap()));
}

/// One line of a session, in the words of a replay and some more; a frame after each chord.
fn play(stage: &mut Stage, place: &Place, line: &str) -> Option<Facts> {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let mut hash = FNV;
    let mut found = Facts::default();
    match verb {
        "session" => {
            *stage = Stage::dark((80, 24));
            return None;
        }
        "plain" => {
            *stage = Stage::new((80, 24), "dark", Colours::None, Glyphs::Ascii);
            return None;
        }
        // The tests run in the folder of the package, so that paths on the screens are those of the repository.
        "open" => stage.open(Origin::Paths(vec![PathBuf::from(rest)])),
        "recording" => {
            let path =
                rounds::write_with_documents(&place.data(), rest, RecordingOptions::default());
            stage.open(Origin::Recording(path));
        }
        "account" => visit(stage),
        "replay" => {
            let text = fs::read_to_string(format!("{ROOT}/tests/it/data/replays/{rest}")).unwrap();
            for (n, frames) in replay::play(rest, &text).chunks(GROUP).enumerate() {
                found.fact(&format!("line-{}", n * GROUP + 1), frames);
            }
            return Some(found);
        }
        "keys" => {
            for chord in rest.split(' ') {
                replay::step(stage, &format!("keys {chord}"), line);
                look(stage, line, &mut hash, &mut found.detail);
            }
        }
        _ => replay::step(stage, line, line),
    }
    if verb != "keys" {
        look(stage, line, &mut hash, &mut found.detail);
    }
    stage.outside.clear();
    found.facts = format!("{hash:016x}");
    Some(found)
}

#[test]
fn commands_give_what_they_gave() {
    let data = PathBuf::from(ROOT).join("tests/it/data");
    hold("commands", |line| Some(run(&data, line)));
}

#[test]
fn commands_on_hostile_files_give_what_they_gave() {
    let Some(folder) = hostile::files() else {
        return;
    };
    hold("hostile", |line| Some(run(folder.path(), line)));
}

#[test]
fn sessions_draw_what_they_drew() {
    let mut stage = Stage::dark((80, 24));
    let place = Place::new();
    hold("sessions", |line| play(&mut stage, &place, line));
}

#[test]
fn a_changed_value_is_found_and_a_changed_sentence_is_not() {
    let kept = r#"{"rows":5,"keys":[{"kib":7.0,"name":"a","why":"it is full"}]}"#;
    let facts = |text: &str, is_csv| printed_facts(Some(0), text, is_csv).facts;
    let list = format!("# why\n\ninspect x{ARROW}{}\n", facts(kept, false));
    let differs =
        |text: &str, code| compare(&list, |_, _| Some(printed_facts(Some(code), text, false))).1;
    for (from, to) in [
        ("it is full", "20 GB are reached"),
        ("7.0", "7"),
        (r#""kib":7.0,"name":"a""#, r#""name":"a","kib":7.0"#),
    ] {
        assert_eq!(differs(&kept.replace(from, to), 0), "", "{to}");
    }
    for (from, to) in [("7.0", "7.5"), ("\"a\"", "\"b\""), ("it is full", "full")] {
        let differences = differs(&kept.replace(from, to), 0);
        assert!(differences.contains("was keys="), "{differences}");
        assert!(!differences.contains("rows"), "{differences}");
    }
    let differences = differs(&kept.replace(":5", ":6"), 0);
    assert!(differences.contains("was rows=5\n    is  rows=6"));
    assert!(differs(kept, 1).contains("is  exit=1"));
    let csv = |text: &str| facts(text, true);
    assert_eq!(csv("key,why\na,b c\n"), csv("key,why\na,d e\n"));
    assert_ne!(csv("key,why\na,b c\n"), csv("key,why\nb,b c\n"));
    assert_ne!(facts("9 of 10 keys", false), facts("8 of 10 keys", false));
}
