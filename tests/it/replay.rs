//! Recorded ways through the screens, played again: every step draws the same, and shows what it showed.
//!
//! A recording is one message a line: `scenario NAME`, `size 80x24`, `keys CHORDS…`, `type TEXT`, `paste TEXT`,
//! `click COLUMN ROW`, `shows TEXT`, `hides TEXT`; a line that begins with `#` says why.

use std::fs;
use std::path::Path;

use cosmoscope::source::scenario;
use cosmoscope::ui::kit::input::InputEvent;
use cosmoscope::ui::kit::msg::Msg;
use cosmoscope::work::data::Origin;

use super::stage::Stage;
use crate::pictures;

/// Plays a recording and gives the picture after every line.
pub fn play(name: &str, text: &str) -> Vec<String> {
    let mut stage = Stage::dark((80, 24));
    let mut pictures = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        step(&mut stage, line, &format!("{name}, line {number}: {line}"));
        pictures.push(pictures::styled(&stage.frame()));
    }
    pictures
}

fn numbers(text: &str, between: char) -> Option<(u16, u16)> {
    let (a, b) = text.split_once(between)?;
    Some((a.parse().ok()?, b.parse().ok()?))
}

pub fn step(stage: &mut Stage, line: &str, place: &str) {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    match verb {
        "" | "#" => {}
        "scenario" => {
            let known = scenario::list();
            let found = known.iter().find(|s| s.name == rest);
            stage.open(Origin::Scenario(found.unwrap_or_else(|| panic!("{place}")).name));
        }
        "size" => stage.resize(numbers(rest, 'x').unwrap_or_else(|| panic!("{place}"))),
        "keys" => stage.keys(rest),
        "type" => {
            for c in rest.chars() {
                let chord = if c == ' ' { "space".to_owned() } else { c.to_string() };
                stage.keys(&chord);
            }
        }
        "paste" => stage.send(Msg::Did(InputEvent::Paste(rest.to_owned()))),
        "click" => {
            let (column, row) = numbers(rest, ' ').unwrap_or_else(|| panic!("{place}"));
            stage.click(column, row);
        }
        "shows" => assert!(stage.text().contains(rest), "{place}\n{}", stage.text()),
        "hides" => assert!(!stage.text().contains(rest), "{place}\n{}", stage.text()),
        _ => panic!("{place}: no such message"),
    }
}

#[test]
fn every_recording_plays_and_plays_the_same_again() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/replays");
    let mut played = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(play(&name, &text), play(&name, &text), "{name}");
        played += 1;
    }
    assert!(played >= 3, "{played} recordings");
}
