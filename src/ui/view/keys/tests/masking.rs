//! Masked names: nothing that is shown, copied or exported tells a real one.

use super::*;
use crate::ui::kit::masking::Mask;
use crate::work::salt::Salt;

const SECRETS: [&str; 6] = ["tenant-000", "northpier", "orders", "shop", "exports", "0001"];

fn masked() -> App {
    let mut app = keys_of(northpier());
    app.cx.mask = Mask::on(&Salt(b"a salt of at least sixteen bytes".to_vec()));
    let salt = Salt(b"a salt of at least sixteen bytes".to_vec());
    let effects = update(&mut app, Msg::SaltRead(Ok(salt)));
    answered(&mut app, effects);
    app
}

fn assert_silent(text: &str) {
    let text = text.to_lowercase();
    for secret in SECRETS {
        assert!(!text.contains(secret), "{secret} in\n{text}");
    }
}

#[test]
fn every_pane_hides_names_and_what_tells_them() {
    let mut app = masked();
    resize(&mut app, 200, 60);
    for chords in ["j", "tab z", "tab", "z tab", "i", "esc", "space", "T", "T"] {
        pressed(&mut app, chords);
        assert_silent(&shown(&app));
        assert!(!shown(&app).contains("U+"));
    }
}

#[test]
fn the_filter_looks_at_real_names_and_does_not_show_them() {
    let mut app = masked();
    pressed(&mut app, "/ 0 0 7");
    assert!(shown(&app).contains("the filter looks at real names"));
    assert_eq!(app.views.keys.rows(), 1);
    pressed(&mut app, "enter");
    assert_silent(&shown(&app));
    assert!(!shown(&app).contains("007"));
}

#[test]
fn nothing_exact_is_copied() {
    let mut app = masked();
    assert!(pressed(&mut app, "Y").is_empty());
    assert!(shown(&app).contains("names are masked"));
    assert!(pressed(&mut app, "ctrl-y").is_empty());
    let text = &copied(&pressed(&mut app, "y"));
    assert!(text.starts_with("key-"));
    assert_silent(text);
}

#[test]
fn an_export_is_masked_and_the_same_names_stand_for_the_same_keys() {
    let mut app = masked();
    pressed(&mut app, "/ 0 0 enter");
    let effects = export(&mut app, "keys.json", IfExists::Keep);
    let [Effect::Export(_, export)] = &effects[..] else {
        panic!("nothing is exported");
    };
    let Exported::Keys(keys) = &export.what else {
        panic!("not the keys");
    };
    let report = keys.report(&|| true).unwrap();
    let mut out = Vec::new();
    crate::report::json::write(&report, crate::report::Style::default(), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_silent(&text);
    let shown_first = &app.views.keys.window.rows()[0].key;
    let start = shown_first.split('…').next().unwrap();
    assert!(text.contains(start), "{start}");
}
