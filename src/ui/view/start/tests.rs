//! The start screen: what it offers, what it says, and that it fits.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::PathBuf;

use crate::ui::app::testing::{app, press, resize};
use crate::ui::app::update::update;
use crate::ui::app::{App, Overlay};
use crate::ui::kit::input::{InputEvent, MouseAct, Pointer};
use crate::ui::kit::msg::{Effect, Msg};
use crate::ui::view::testing::{SIZES, screen};
use crate::work::data::Origin;
use crate::work::salt::Salt;

fn with_recent(paths: &[&str]) -> App {
    let mut app = app();
    let paths = paths.iter().map(PathBuf::from).collect();
    update(&mut app, Msg::RecentRead(paths));
    app
}

fn row_of(app: &App, text: &str) -> u16 {
    let lines = screen(app);
    let at = lines.iter().position(|line| line.contains(text));
    u16::try_from(at.unwrap()).unwrap()
}

fn click(app: &mut App, row: u16) -> Vec<Effect> {
    let pointer = Pointer { column: 5, row, did: MouseAct::Click };
    update(app, Msg::Did(InputEvent::Pointer(pointer)))
}

#[test]
fn at_80_by_24_it_says_what_it_is_for_and_offers_everything() {
    let app = app();
    let text = screen(&app).join("\n");
    for expected in [
        "Which partition is hot or full",
        "20 GB",
        "What do you have?",
        "O  sizes",
        "documents of a container",
        "an account",
        "Start with night: a hot partition at peak",
        "tenants",
        "fanout",
        "j and k choose, Enter opens",
        "? help",
        "q quit",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert!(!text.contains("Recent"), "{text}");
}

#[test]
fn entries_open_by_key_and_by_click() {
    let mut app = with_recent(&["/exports/june/sizes.csv"]);
    let opened = press(&mut app, "enter");
    let path = PathBuf::from("/exports/june/sizes.csv");
    assert!(matches!(&opened[..], [Effect::Load(_, Origin::Paths(paths))] if *paths == [path]));
    // While that is being read another one can be chosen.
    let opened = press(&mut app, "j j j j enter");
    assert!(matches!(opened[..], [Effect::Load(_, Origin::Scenario("night"))]));
    assert!(screen(&app).join("\n").contains("Look at this: 40,000 RU/s"));
    let row = row_of(&app, "car");
    assert_eq!(click(&mut app, row), []);
    let opened = click(&mut app, row);
    assert!(matches!(opened[..], [Effect::Load(_, Origin::Scenario("car"))]));
    press(&mut app, "g j enter");
    assert!(matches!(&app.overlay, Some(Overlay::Line(line)) if line.text() == "open "));
    press(&mut app, "esc j enter");
    assert!(matches!(app.overlay, Some(Overlay::Paper(_))));
    press(&mut app, "esc j enter");
    assert!(matches!(&app.overlay, Some(Overlay::Line(line)) if line.text() == "documents "));
}

#[test]
fn at_80_by_24_all_entries_are_seen_below_recent_files_whatever_is_chosen() {
    let mut app = with_recent(&["/a/1.csv", "/a/2.csv", "/a/3.csv", "/a/4.csv"]);
    for keys in ["", "j j j j j j", "G"] {
        press(&mut app, keys);
        let text = screen(&app).join("\n");
        for expected in ["Recent files", "3.csv", "plants", "fanout", "Look at|Read again"] {
            let is_there = expected.split('|').any(|words| text.contains(words));
            assert!(is_there, "{keys}: {expected}\n{text}");
        }
    }
}

#[test]
fn headings_are_no_entries() {
    let mut app = with_recent(&["/a/b.csv"]);
    let row = row_of(&app, "What do you");
    click(&mut app, row);
    assert_eq!(app.views.start.cursor.chosen, 0);
}

#[test]
fn the_chosen_entry_stays_in_sight_in_every_window() {
    let names: Vec<String> = (0..30).map(|n| format!("/exports/{n}/東京{n}.csv")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut app = with_recent(&names);
    for (width, height) in SIZES {
        resize(&mut app, width, height);
        for keys in ["g", "j j j j j j", "ctrl-f", "G", "k k"] {
            press(&mut app, keys);
            let lines = screen(&app);
            let chosen = lines.iter().filter(|line| line.contains('▶')).count();
            assert_eq!(chosen, 1, "{width}x{height} {keys}\n{}", lines.join("\n"));
        }
    }
}

#[test]
fn masked_paths_show_neither_name_nor_folder() {
    let mut app = with_recent(&["/home/sentinel-folder/sentinel-name.csv"]);
    update(&mut app, Msg::SaltRead(Ok(Salt(vec![7; 32]))));
    for (width, height) in SIZES {
        resize(&mut app, width, height);
        let text = screen(&app).concat();
        assert!(!text.contains("sentinel"), "{text}");
    }
    let text = screen(&app).concat();
    assert!(text.contains("file-"), "{text}");
}

#[test]
fn the_limits_are_explained_wherever_rows_are_free() {
    for (recent, is_explained) in [(0, true), (1, false), (3, false)] {
        let paths = ["/a/1.csv", "/a/2.csv", "/a/3.csv"];
        let app = with_recent(&paths[..recent]);
        let text = screen(&app).join("\n");
        assert_eq!(text.contains("20 GB and 10,000 RU/s"), is_explained, "{recent}\n{text}");
        assert!(!text.contains("H start"), "{text}");
    }
}
