//! The header: its fields are set in place, and its verdict is whole.

use super::*;

/// What is typed in the line at the bottom.
fn line(app: &App) -> String {
    match &app.overlay {
        Some(Overlay::Line(line)) => line.command_line(),
        _ => String::new(),
    }
}

#[test]
fn fields_of_the_header_are_set_one_after_the_other() {
    let mut app = by_month();
    keys(&mut app, "E");
    assert!(line(&app).starts_with("size "), "{}", line(&app));
    assert!(shown(&app).contains("\nsize = "), "{}", shown(&app));
    typed(&mut app, "100GB");
    keys(&mut app, "tab");
    // What was typed is taken; the next field waits with what it has.
    assert!(line(&app).starts_with("growth "), "{}", line(&app));
    assert!(shown(&app).contains("size [100 GiB]"), "{}", shown(&app));
    typed(&mut app, "lots");
    keys(&mut app, "tab");
    assert_eq!(line(&app), "growth lots");
    assert!(shown(&app).contains("lots is not a size"), "{}", shown(&app));
    keys(&mut app, "shift-tab");
    assert_eq!(line(&app), "size 100 GiB");
    keys(&mut app, "esc");
    // A command alone opens its field, too.
    keys(&mut app, ":");
    typed(&mut app, "load");
    keys(&mut app, "enter");
    assert!(line(&app).starts_with("load "), "{}", line(&app));
    assert!(shown(&app).contains("\ndemand = "), "{}", shown(&app));
}

#[test]
fn what_is_typed_replaces_a_value_and_what_moves_in_it_edits_it() {
    let mut app = by_month();
    typed(&mut app, ":load 2400");
    keys(&mut app, "enter");
    for (edit, text, wanted) in [
        ("", "20000", "load 20000"),
        ("backspace", "7", "load 2,407"),
        ("left", "1", "load 2,4010"),
        ("end", "0", "load 2,4000"),
    ] {
        typed(&mut app, ":load");
        keys(&mut app, "enter");
        assert_eq!(line(&app), "load 2,400");
        keys(&mut app, edit);
        typed(&mut app, text);
        assert_eq!(line(&app), wanted);
        keys(&mut app, "esc");
    }
    typed(&mut app, ":load");
    keys(&mut app, "enter end");
    typed(&mut app, "00");
    keys(&mut app, "tab");
    let text = shown(&app);
    assert!(text.contains("2,40000 is not RU/s from 0.001 to 1,000,000,000"), "{text}");
    assert!(text.contains("demand [2,400 RU/s]"), "{text}");
}

/// Partitions are split and never merged.
#[test]
fn the_partitions_of_today_are_the_fewest() {
    let mut app = by_month();
    for (typed_in, partitions, shown_as) in
        [("1", 12, "partitions [today 12"), ("14", 14, "partitions [today split to 14")]
    {
        typed(&mut app, &format!(":partitions {typed_in}"));
        keys(&mut app, "enter");
        let settings = app.views.trial.settings.clone().unwrap();
        assert_eq!(settings.partitions, partitions);
        assert!(shown(&app).contains(shown_as), "{}", shown(&app));
    }
}

#[test]
fn digits_are_grouped_in_threes_or_not_at_all() {
    for (text, wanted) in [
        ("20000", Some("20000")),
        ("20,000", Some("20000")),
        ("1 700 020.5", Some("1700020.5")),
        ("1,024.5 GiB", Some("1024.5GiB")),
        ("17,00020000", None),
        ("1,70", None),
        ("1700,000", None),
        (",000", None),
        ("1,000,", None),
    ] {
        let plain = without_grouping(text);
        let plain = plain.map(|plain| plain.replace(' ', ""));
        assert_eq!(plain.as_deref(), wanted, "{text}");
    }
}

#[test]
fn a_click_opens_a_field_of_the_header() {
    let mut app = by_month();
    for (field, wanted) in [("provisioned [", "ru 2,400"), ("partitions [", "partitions 12")] {
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
        let at = text.iter().position(|line| line.starts_with(&chosen)).unwrap();
        assert!(!text[at].contains('…') && !text[at + 1].contains('…'), "{text:?}");
        keys(&mut app, "l");
    }
}
