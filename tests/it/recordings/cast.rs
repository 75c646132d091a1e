//! A recording as an asciicast: what a terminal shows of it is what the screens draw, moment by moment.

use std::fs;
use std::num::NonZeroU16;

use cosmoscope::source::recording::RecordingOptions;
use cosmoscope::ui::kit::msg::Msg;
use cosmoscope::work::data::Origin;
use ratatui::buffer::Buffer;
use ratatui::style::Color;
use serde_json::Value;

use super::rounds::write;
use crate::cli::Place;
use crate::stage::Stage;

const SIZE: (u16, u16) = (100, 30);

/// The header, then each event's second and output.
fn read(text: &str) -> (Value, Vec<(f64, String)>) {
    let mut lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let header = lines.next().unwrap();
    let events = lines.map(|event: Value| {
        assert_eq!(event[1], "o", "{event}");
        let text = event[2].as_str().unwrap();
        (event[0].as_f64().unwrap(), text.to_owned())
    });
    (header, events.collect())
}

fn cast_of(place: &Place) -> String {
    fs::read_to_string(place.data().join("a.cast")).unwrap()
}

fn colour(colour: Color) -> vt100::Color {
    match colour {
        Color::Rgb(red, green, blue) => vt100::Color::Rgb(red, green, blue),
        Color::Reset => vt100::Color::Default,
        other => panic!("{other} is not a colour of this theme"),
    }
}

#[track_caller]
fn assert_same(terminal: &vt100::Screen, frame: &Buffer) {
    for y in 0..SIZE.1 {
        for x in 0..SIZE.0 {
            let (shown, drawn) = (terminal.cell(y, x).unwrap(), &frame[(x, y)]);
            let contents = if shown.has_contents() { shown.contents() } else { " " };
            assert_eq!(contents, drawn.symbol(), "{x} {y}");
            assert_eq!(shown.fgcolor(), colour(drawn.fg), "{x} {y}");
            assert_eq!(shown.bgcolor(), colour(drawn.bg), "{x} {y}");
        }
    }
}

fn set_clock(stage: &mut Stage) {
    let as_of = stage.app.cx.data.as_ref().unwrap().report.as_of.unwrap();
    stage.send(Msg::Clock(as_of));
}

#[test]
fn a_terminal_shows_of_a_cast_what_the_screens_draw() {
    let place = Place::new();
    let path = write(&place.data(), "a.rec", 3, RecordingOptions::default());
    let cast = ["replay", path.to_str().unwrap(), "--cast", "a.cast", "--size", "100x30"];
    assert_eq!(place.run(&cast).ends_with(0).text(), "");
    let (header, events) = read(&cast_of(&place));
    assert_eq!(
        (&header["version"], &header["width"], &header["height"]),
        (&Value::from(2), &Value::from(100), &Value::from(30))
    );
    let times: Vec<f64> = events.iter().map(|event| event.0).collect();
    assert_eq!(times, [0.0, 3.0, 6.0]);
    let of = |cells| NonZeroU16::new(cells).unwrap();
    let mut terminal = vt100::Parser::new(of(SIZE.1), of(SIZE.0), 0);
    let mut stage = Stage::dark(SIZE);
    stage.open(Origin::Recording(path.clone()));
    set_clock(&mut stage);
    stage.keys("P");
    for (at, (_, output)) in events.iter().enumerate() {
        terminal.process(output.as_bytes());
        assert_eq!(stage.app.cx.playback.as_ref().unwrap().place, at);
        set_clock(&mut stage);
        assert_same(terminal.screen(), &stage.frame());
        let turn = stage.app.cx.playback.as_ref().unwrap().generation;
        stage.send(Msg::Due(turn));
    }
    // A file that is there stays.
    let again = place.run(&cast).ends_with(2);
    assert!(again.err.contains("--force"), "{}", again.err);
    place.run(&[&cast[..], &["--force"]].concat()).ends_with(0);
}

#[test]
fn a_cast_is_masked_and_takes_keys_before() {
    let place = Place::new();
    let path = write(&place.data(), "a.rec", 2, RecordingOptions::default());
    let cast = ["replay", path.to_str().unwrap(), "--cast", "a.cast", "--type", "2"];
    place.run(&cast).ends_with(0);
    assert!(cast_of(&place).contains("tenant-0002"));
    let mask = ["--force", "--mask", "--mask-salt", "a long salt"];
    place.run(&[&cast[..], &mask].concat()).ends_with(0);
    let masked = cast_of(&place);
    for name in ["tenant-0002", "northpier", "orders", "a.rec"] {
        assert!(!masked.contains(name), "{name}");
    }
}

#[test]
fn what_is_no_recording_makes_no_cast() {
    let place = Place::new();
    place.write("keys.csv", b"not a recording\n");
    let refused = ["replay", "keys.csv", "--cast", "a.cast"];
    place.run(&refused).ends_with(2);
    assert!(!place.data().join("a.cast").exists());
    place.run(&["replay", "keys.csv", "--size", "80x24"]).ends_with(2);
}
