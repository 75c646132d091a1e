//! The help follows the tables, begins with the view, and finds what is typed.

use crate::ui::app::testing::{app, app_with, press, resize, type_in};
use crate::ui::app::{App, Overlay};
use crate::ui::kit::action::{ACTIONS, Context};
use crate::ui::kit::keymap::Keymap;
use crate::ui::view::testing::{SIZES, screen};

/// Everything the help says, whether it is in sight or not.
fn text(app: &App) -> String {
    let Some(Overlay::Help(state)) = &app.overlay else {
        return String::new();
    };
    let rows = state.rows.iter();
    let lines = rows.map(|row| row.iter().map(|span| &*span.content).collect::<String>());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_action_stands_in_it_with_all_its_keys() {
    let mut app = app();
    resize(&mut app, 200, 60);
    press(&mut app, "?");
    let text = text(&app);
    for about in ACTIONS {
        assert!(text.contains(about.help), "{}", about.name);
        if about.context != Context::Prompt {
            assert!(text.contains(&format!(":{}", about.name)), "{}", about.name);
        }
    }
    for piece in crate::analysis::filter::HELP {
        assert!(text.contains(piece.example) && text.contains(piece.meaning));
    }
    for expected in ["Down one row", "PgDn, Ctrl-f", "While typing", "108 %"] {
        assert!(text.contains(expected), "{expected}");
    }
}

#[test]
fn it_begins_with_its_contents_then_how_to_read_the_view_and_its_keys() {
    let mut app = app_with("tenants");
    for (presses, title, reads, first) in [
        ("1", "This view: overview", "● ○ ·  ", "Enter"),
        ("2", "This view: keys", "of 20 GB  ", "/  "),
        ("3", "This view: heat", "rows, columns  ", "m  "),
        ("4", "This view: trial", "columns  ", "t  "),
        // Over a view, what lies over it is read first.
        ("1 w", "This view: overview", "now, tonight, later  ", "Enter"),
    ] {
        press(&mut app, presses);
        press(&mut app, "?");
        let text = text(&app);
        let (contents, rest) = text.split_once("\n\n").unwrap_or_default();
        let contents = contents.replace('\n', " ");
        let (reading, keys) = rest.split_once("\n\n").unwrap_or_default();
        assert!(reading.starts_with(&format!("How to read it\n{reads}")), "{reading}");
        assert!(keys.starts_with(&format!("{title}\n{first}")), "{keys}");
        // In this window what now shows no word that is explained.
        let terms = if presses == "1 w" { "" } else { " · Terms on this screen" };
        let listed =
            ["Contents: ▶How to read it · ", title, terms, " · Terms · Verdicts · Everywhere"];
        assert!(contents.starts_with(&listed.concat()), "{contents}");
        assert!(contents.ends_with("Filters of keys · Colours and signs"), "{contents}");
        press(&mut app, "?");
    }
}

#[test]
fn a_heading_finds_all_that_stands_under_it() {
    let mut app = app_with("tenants");
    press(&mut app, "?");
    for (typed, found) in [
        ("verdicts", "PAID, NOT USABLE"),
        ("colours signs", "the chosen row"),
        ("read hottest", "the busiest partition"),
    ] {
        type_in(&mut app, typed);
        assert!(text(&app).contains(found), "{typed}\n{}", text(&app));
        press(&mut app, "esc");
    }
}

#[test]
fn typing_searches_keys_names_and_descriptions() {
    let mut app = app_with("tenants");
    press(&mut app, "?");
    type_in(&mut app, "clipboard");
    assert!(text(&app).contains("Copy the chosen or marked rows"));
    assert!(!text(&app).contains("Down one row"));
    assert!(screen(&app).join("\n").contains("help, search: clipboard"));
    press(&mut app, "esc");
    assert!(text(&app).contains("Down one row"));
    // A key by itself is answered first; letters beside it are still found.
    type_in(&mut app, "z");
    assert!(text(&app).starts_with("The key z\nz "), "{}", text(&app));
    type_in(&mut app, "zz");
    assert_eq!(text(&app), "no match for zzz");
    press(&mut app, "backspace backspace backspace");
    type_in(&mut app, "size ceil");
    assert!(text(&app).lines().count() < 10);
    press(&mut app, "esc esc");
    assert_eq!(app.overlay, None);
}

#[test]
fn terms_follow_the_keys_of_the_view_and_each_is_found() {
    let mut app = app_with("night");
    press(&mut app, "?");
    let first = screen(&app).join("\n");
    for expected in ["This view: overview", "Terms", "Contents: ▶How to read it", "what to do now"]
    {
        assert!(first.contains(expected), "{expected}\n{first}");
    }
    for (typed, found) in [
        ("429", "429, throttled"),
        ("RU", "RU, RU/s"),
        ("suffix", "behind the value of the key"),
        ("hierarchical", "two or three properties"),
        ("split", "never divides a key"),
        ("403", "sub-status 1014"),
    ] {
        type_in(&mut app, typed);
        let shown = screen(&app).join("\n");
        assert!(shown.contains(found), "{typed}\n{shown}");
        press(&mut app, "esc");
    }
}

#[test]
fn tab_goes_from_heading_to_heading_and_back() {
    let mut app = app_with("night");
    press(&mut app, "?");
    for (keys, heading) in [
        ("tab", "How to read it"),
        ("tab", "This view: overview"),
        ("tab", "Terms"),
        ("shift-tab", "This view: overview"),
        ("end tab", "Contents: "),
    ] {
        press(&mut app, keys);
        let first = &screen(&app)[2];
        assert!(first.contains(heading), "{keys}: {heading}\n{first}");
    }
    assert!(screen(&app).join("\n").contains("Tab next heading"));
}

#[test]
fn enter_goes_to_the_chosen_heading_of_the_contents() {
    let mut app = app_with("night");
    for (keys, heading) in [
        ("? enter", "How to read it"),
        ("? right right right left enter", "Terms"),
        ("? left right enter", "This view: overview"),
        ("? tab right enter", "This view: overview"),
        ("? right right right enter right enter", "Verdicts"),
    ] {
        press(&mut app, keys);
        let first = &screen(&app)[2];
        assert!(first.contains(heading), "{keys}: {heading}\n{first}");
        press(&mut app, "?");
    }
}

#[test]
fn words_of_the_screens_are_among_the_terms() {
    for word in [
        "p99",
        "provisioned",
        "single-partition",
        "targeted",
        "cross-partition",
        "worse",
        "sample coverage",
        "placement",
        "imbalance",
        "throttled",
        "RU/s to buy",
        "largest share",
        "hottest key, newest",
        "active keys/s",
        "id collisions",
        "weight",
        "evidence",
    ] {
        let mut names = super::TERMS.lines().filter(|line| !line.starts_with(' '));
        let is_name = |line: &str| line == word || line.split(", ").any(|name| name == word);
        assert!(names.any(is_name), "{word}");
    }
}

#[test]
fn a_wider_window_never_has_more_lines() {
    let mut app = app_with("night");
    press(&mut app, "?");
    let mut before = usize::MAX;
    for width in [60, 80, 99, 100, 110, 120, 140, 200, 300] {
        resize(&mut app, width, 30);
        let lines = text(&app).lines().count();
        assert!(lines <= before, "{width}: {lines} after {before}");
        before = lines;
    }
}

#[test]
fn a_key_of_ones_own_shows() {
    let mut app = app();
    let patched = app.cx.keymap.clone().patched("[list]\nnext-row = [\"n\"]\n");
    app.cx.keymap = patched.unwrap_or_else(|_| Keymap::default());
    press(&mut app, "?");
    let text = text(&app);
    let line = text.lines().find(|l| l.contains("Down one row"));
    assert!(line.is_some_and(|line| line.starts_with("n  ")), "{line:?}");
}

#[test]
fn it_scrolls_to_its_end_in_every_window_and_closes() {
    let mut app = app();
    for (width, height) in SIZES {
        resize(&mut app, width, height);
        press(&mut app, "? end");
        let text = screen(&app).join("\n");
        assert!(text.contains("at least"), "{width}x{height}\n{text}");
        press(&mut app, "?");
        assert_eq!(app.overlay, None);
    }
}

#[test]
fn no_line_opens_over_the_help() {
    let mut app = app_with("tenants");
    press(&mut app, "4 ?");
    press(&mut app, "/");
    assert!(matches!(app.overlay, Some(Overlay::Help(_))));
}

#[test]
fn long_names_of_entries_are_whole_and_found() {
    for (wanted, found) in [
        ("behave like", "effective keys,"),
        ("merge candidates", "MERGE CANDIDATES"),
        ("manual or", "OVER-PROVISIONED,"),
    ] {
        let mut app = app_with("night");
        press(&mut app, "?");
        type_in(&mut app, wanted);
        let text = text(&app);
        assert!(text.contains(found) && !text.contains('…'), "{wanted}: {text}");
    }
}
