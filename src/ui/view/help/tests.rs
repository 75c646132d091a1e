//! The help follows the tables.

use crate::ui::app::testing::{app, copied, press, resize};
use crate::ui::kit::action::{ACTIONS, Context};
use crate::ui::kit::keymap::Keymap;
use crate::ui::view::testing::{SIZES, screen};

#[test]
fn every_action_stands_in_it_with_all_its_keys() {
    let mut app = app();
    resize(&mut app, 200, 60);
    press(&mut app, "?");
    let effects = press(&mut app, "y");
    let text = copied(&effects);
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
fn a_key_of_ones_own_shows() {
    let mut app = app();
    let patched = app
        .cx
        .keymap
        .clone()
        .patched("[list]\nnext-row = [\"n\"]\n");
    app.cx.keymap = patched.unwrap_or_else(|_| Keymap::default());
    press(&mut app, "?");
    let effects = press(&mut app, "y");
    let text = copied(&effects);
    let line = text.lines().find(|l| l.contains("Down one row"));
    assert!(line.is_some_and(|line| line.starts_with("n  ")), "{line:?}");
}

#[test]
fn it_scrolls_to_its_end_in_every_window_and_closes() {
    let mut app = app();
    for (width, height) in SIZES {
        resize(&mut app, width, height);
        press(&mut app, "? G");
        let text = screen(&app).join("\n");
        assert!(text.contains("at least"), "{width}x{height}\n{text}");
        press(&mut app, "?");
        assert_eq!(app.overlay, None);
    }
}

#[test]
fn no_line_opens_over_the_help() {
    let mut app = crate::ui::app::testing::app_with("tenants");
    press(&mut app, "4 ?");
    press(&mut app, "/");
    assert!(matches!(
        app.overlay,
        Some(crate::ui::app::Overlay::Help(_))
    ));
}
