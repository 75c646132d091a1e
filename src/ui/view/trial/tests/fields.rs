//! The header: its fields are set in place, and its verdict is whole.

use super::*;

/// What is typed in the line at the bottom.
fn line(app: &App) -> String {
    match &app.overlay {
        Some(Overlay::Line(line)) => line.text().to_owned(),
        _ => String::new(),
    }
}

#[test]
fn fields_of_the_header_are_set_one_after_the_other() {
    let mut app = by_month();
    keys(&mut app, "E");
    assert!(line(&app).starts_with("size "), "{}", line(&app));
    keys(&mut app, "ctrl-u");
    typed(&mut app, "size 100GB");
    keys(&mut app, "tab");
    // What was typed is taken; the next field waits with what it has.
    assert!(line(&app).starts_with("growth "), "{}", line(&app));
    assert!(shown(&app).contains("size [100 GiB]"), "{}", shown(&app));
    keys(&mut app, "ctrl-u");
    typed(&mut app, "growth lots");
    keys(&mut app, "tab");
    assert_eq!(line(&app), "growth lots");
    assert!(
        shown(&app).contains("lots is not a size"),
        "{}",
        shown(&app)
    );
    keys(&mut app, "shift-tab");
    assert_eq!(line(&app), "size 100 GiB");
    keys(&mut app, "esc");
    // A command alone opens its field, too.
    keys(&mut app, ":");
    typed(&mut app, "load");
    keys(&mut app, "enter");
    assert!(line(&app).starts_with("load "), "{}", line(&app));
}

#[test]
fn a_click_opens_a_field_of_the_header() {
    let mut app = by_month();
    for (field, wanted) in [
        ("provisioned [", "ru 2,400"),
        ("partitions [", "partitions 12"),
    ] {
        let text = screen(&app);
        let row = text.iter().position(|line| line.contains(field)).unwrap();
        let before = text[row].split(field).next().unwrap();
        let pointer = Pointer {
            column: u16::try_from(before.chars().count() + 1).unwrap(),
            row: u16::try_from(row).unwrap(),
            did: MouseAct::Click,
        };
        update(&mut app, Msg::Did(InputEvent::Pointer(pointer)));
        assert_eq!(line(&app), wanted);
        press(&mut app, "esc");
    }
}

#[test]
fn the_verdict_is_whole_in_a_small_window() {
    let mut app = by_month();
    resize(&mut app, 80, 24);
    for _ in 0..4 {
        let text = screen(&app);
        let chosen = format!("{} /", app.views.trial.chosen + 1);
        let at = text
            .iter()
            .position(|line| line.starts_with(&chosen))
            .unwrap();
        assert!(
            !text[at].contains('…') && !text[at + 1].contains('…'),
            "{text:?}"
        );
        keys(&mut app, "l");
    }
}
