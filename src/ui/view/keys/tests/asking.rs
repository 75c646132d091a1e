//! Sorting and filtering: which questions are asked, and what becomes of their answers.

use super::*;
use crate::analysis::arrange::{Direction, SortBy};
use crate::analysis::diagnosis::testing::DiagnosisFixture;

fn asks(effects: &[Effect]) -> Vec<(Generation, String)> {
    let ask = |e: &Effect| match e {
        Effect::Arrange(generation, ask) => Some((*generation, ask.filter.to_string())),
        _ => None,
    };
    effects.iter().filter_map(ask).collect()
}

#[test]
fn the_selection_follows_its_key_through_orders_and_filters() {
    let mut app = keys_of(northpier());
    pressed(&mut app, "j");
    assert_eq!(chosen_text(&app), "[\"tenant-0001\"]");
    for chords in ["s", "R", "S", "R", "s s s s s s s"] {
        pressed(&mut app, chords);
        assert_eq!(chosen_text(&app), "[\"tenant-0001\"]", "{chords}");
    }
    // While a filter hides it the nearest is chosen, and the key itself again when it is back.
    pressed(&mut app, "/ 7");
    assert_eq!(chosen_text(&app), "[\"tenant-0007\"]");
    pressed(&mut app, "esc");
    assert_eq!(chosen_text(&app), "[\"tenant-0001\"]");
}

/// Until a person chooses, the cursor stands on the key of the first finding that names one, whatever is largest.
#[test]
fn the_list_opens_on_the_key_that_the_alarm_names() {
    for (scenario, key) in [("tenants", "[\"D\"]"), ("suffix", "[\"2018-08-09\"]")] {
        let mut app = app_with(scenario);
        pressed(&mut app, "2");
        assert_eq!(chosen_text(&app), key);
        let line = screen(&app).into_iter().find(|line| line.contains('▶'));
        assert!(line.unwrap().contains(&key[2..key.len() - 2]));
        // A person who sorts looks for what comes first.
        pressed(&mut app, "R R");
        assert_eq!(app.views.keys.cursor.chosen, 0, "{scenario}");
        assert_ne!(chosen_text(&app), key, "{scenario}");
    }
}

#[test]
fn each_letter_asks_and_only_the_newest_answer_counts() {
    let mut app = keys_of(northpier());
    press(&mut app, "/");
    let mut turns = Vec::new();
    let mut answers = Vec::new();
    for letter in ["0", "0", "0", "2"] {
        let effects = press(&mut app, letter);
        turns.extend(asks(&effects));
        answers.extend(effects);
    }
    let filters: Vec<&str> = turns.iter().map(|(_, filter)| filter.as_str()).collect();
    assert_eq!(filters, ["0", "00", "000", "0002"]);
    assert!(turns.windows(2).all(|pair| pair[0].0 < pair[1].0));
    assert_eq!(app.views.keys.rows(), 4, "what was shown stays meanwhile");
    assert!(!shown(&app).contains("sorting"));
    // The second one is late, the last one came before it.
    let stale = answers.remove(1);
    let newest = answers.pop().unwrap();
    answered(&mut app, vec![newest]);
    assert_eq!(app.views.keys.rows(), 1);
    answered(&mut app, vec![stale]);
    assert_eq!(app.views.keys.rows(), 1);
    assert!(shown(&app).contains("1 of 4 keys listed · filter 0002 · sort size ↓"));
    pressed(&mut app, "esc");
    assert_eq!(app.views.keys.rows(), 4);
    press(&mut app, "s");
    assert!(shown(&app).contains("sort size ↓ · sorting"));
}

#[test]
fn an_unfinished_filter_leaves_the_last_whole_one_and_says_where_it_stops() {
    let mut app = keys_of(northpier());
    pressed(&mut app, "/");
    for letter in "size>14".chars() {
        pressed(&mut app, &letter.to_string());
    }
    let lines = screen(&app);
    assert!(lines[22].contains("size>14: expected a unit"), "{}", lines[22]);
    // Enter does not take the half that can be read for all of it.
    pressed(&mut app, "enter");
    assert_eq!(screen(&app), lines);
    for letter in "GiB".chars() {
        pressed(&mut app, &letter.to_string());
    }
    assert_eq!(app.views.keys.rows(), 2);
    assert_eq!(app.views.keys.filter.to_string(), "size>14GiB");
    pressed(&mut app, "enter");
    assert!(shown(&app).contains("2 of 4 keys listed · filter size>14GiB"));
    // Taken as it stands, an unfinished one is refused in words.
    let effects = crate::ui::app::testing::set_filter(&mut app, "size>");
    assert!(effects.is_empty());
    assert!(shown(&app).contains("not a filter: size>: expected"));
    assert_eq!(app.views.keys.filter_text, "size>14GiB");
}

fn type_in(app: &mut App, text: &str) {
    for letter in text.chars() {
        let chord = match letter {
            ' ' => "space".to_owned(),
            letter => letter.to_string(),
        };
        pressed(app, &chord);
    }
}

#[test]
fn a_half_wrong_filter_names_the_half_and_filters_nothing() {
    let mut app = keys_of(northpier());
    pressed(&mut app, "/");
    type_in(&mut app, "size>8xx and ru>1");
    assert_eq!(app.views.keys.rows(), 4);
    let line = &screen(&app)[22];
    assert!(line.contains("size>8xx: expected a unit"), "{line}");
    for (typed, rows, filter) in [
        ("size>14GiB shrae>7", 2, "size>14GiB"),
        ("size>14GiB and shrae>7", 2, "size>14GiB"),
        ("size>14GiB or (shrae > 7", 2, "size>14GiB"),
        ("shrae > 7 size>14GiB", 4, ""),
    ] {
        pressed(&mut app, "esc /");
        type_in(&mut app, typed);
        assert_eq!(app.views.keys.rows(), rows, "{typed}");
        assert_eq!(app.views.keys.filter.to_string(), filter, "{typed}");
        assert!(screen(&app)[22].contains("shrae"), "{typed}");
    }
    pressed(&mut app, "esc");
    let wrong = crate::ui::app::testing::set_filter(&mut app, "size>14GiB and ru>x");
    assert!(wrong.is_empty() && shown(&app).contains("not a filter: ru>x: expected"));
}

#[test]
fn offers_complete_what_stands_at_the_cursor() {
    let mut app = keys_of(northpier());
    pressed(&mut app, "/ g r o");
    let (offers, _) = app.views.keys.filter_offers(&app.cx, "gro", 3);
    assert!(offers.iter().any(|o| o.line == "growth"));
    pressed(&mut app, "tab");
    let Some(crate::ui::app::Overlay::Line(line)) = &app.overlay else {
        panic!("the line is gone");
    };
    assert!(line.text().starts_with("growth"), "{}", line.text());
}

#[test]
fn columns_are_sorted_by_name_and_in_turn() {
    let mut app = keys_of(northpier());
    let effects = sort_by(&mut app, "growth ascending");
    answered(&mut app, effects);
    let sort = app.views.keys.sort;
    assert_eq!((sort.by, sort.direction), (SortBy::Growth, Direction::Ascending));
    assert_eq!(chosen_text(&app), "[\"tenant-0007\"]");
    assert!(shown(&app).contains("sort growth ↑"));
    assert!(sort_by(&mut app, "colour").is_empty());
    assert!(shown(&app).contains("no column is named colour"));
    let known: Vec<&str> = SortBy::ALL.map(SortBy::name).to_vec();
    assert_eq!(COLUMNS, known);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..8 {
        pressed(&mut app, "s");
        seen.insert(app.views.keys.sort.by);
    }
    assert_eq!(seen.len(), 8);
    pressed(&mut app, "R");
    let reversed = app.views.keys.sort.direction;
    assert_eq!(reversed, app.views.keys.sort.by.first_direction().reversed());
}

#[test]
fn another_container_begins_at_its_top() {
    let mut app = keys_of(northpier());
    pressed(&mut app, "j space / 7 enter");
    let data = app.cx.data.clone().unwrap();
    let carts =
        data.capture.containers.iter().position(|c| c.name.container.as_deref() == Some("carts"));
    let effects = go_to(&mut app, ViewId::Keys, u32::try_from(carts.unwrap()).unwrap());
    answered(&mut app, effects);
    assert!(shown(&app).contains("shop ▸ carts"));
    assert!(app.views.keys.marks.is_empty() && app.views.keys.filter.is_empty());
    assert_eq!(app.views.keys.cursor.chosen, 0);
    // The same one again keeps what was chosen in it.
    pressed(&mut app, "j esc");
    let number = app.views.keys.container.unwrap();
    let effects = go_to(&mut app, ViewId::Keys, number);
    assert!(effects.is_empty());
    assert_eq!(app.views.keys.cursor.chosen, 1);
}

#[test]
fn the_container_chosen_in_the_overview_is_the_one_shown() {
    let log = Log::new("exports/two.csv");
    for (container, gib) in [("large", 15.0), ("small", 2.0)] {
        let at = Some(seconds(NEWEST));
        log.reading(["acc", "db", container], "[\"k\"]", "k", at, gib * GIB);
    }
    let mut app = app_showing(log.capture());
    let container = |app: &App| {
        let of = app.views.keys.container.unwrap();
        let data = app.cx.data.as_ref().unwrap();
        let name = &data.capture.container(of).unwrap().name;
        name.container.as_deref().unwrap().to_owned()
    };
    pressed(&mut app, "j 2");
    assert_eq!(container(&app), "small");
    pressed(&mut app, "1 k 2");
    assert_eq!(container(&app), "large");
}

/// The RU log and the request log name partitions in two ways that no input joins.
#[test]
fn a_partition_with_two_names_says_so_below_the_list() {
    let mut load = DiagnosisFixture::new(None, 3, 300);
    load.requested("D", 5_800.0)
        .requests(5, "Read", 1000, 177, 800.0)
        .requests(6, "Read", 1000, 0, 800.0);
    let mut app = app_showing(load.capture());
    let overview = shown(&app);
    assert!(overview.contains(" 429 18 %"), "{overview}");
    pressed(&mut app, "2");
    let words = "no input joins it to the finding's GUID";
    assert!(shown(&app).contains(words), "{}", shown(&app));
    // The chosen key's RU/s are a chart in the free room; in a low window one line, both from zero.
    let bars = |app: &App| shown(app).matches(&"█".repeat(60)).count();
    assert_eq!(bars(&app), 1, "{}", shown(&app));
    resize(&mut app, 120, 50);
    assert!(bars(&app) > 8, "{}", shown(&app));
}
