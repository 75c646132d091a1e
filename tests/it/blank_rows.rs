//! Rows of a large window that show nothing: a view that leaves many of them blank wastes the room it was given.

use std::path::PathBuf;

use cosmoscope::source::scenario;
use cosmoscope::work::data::Origin;

use super::stage::Stage;

const WINDOW: (u16, u16) = (200, 60);
/// Title, status and footer are no rows of a view.
const ROWS_OF_THE_FRAME: usize = 3;
/// In percent of the rows of a view.
const MOST_BLANK: usize = 20;

/// Whether a row shows nothing but the sides of panes.
fn is_blank(row: &str) -> bool {
    row.chars().all(|c| " │┃█▌".contains(c))
}

/// Whether a frame says that it shows a part of its text, as in `1-13 of 20`.
fn has_more(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_part = |word: &str| {
        let ends = word.split_once('-');
        ends.is_some_and(|(a, b)| [a, b].iter().all(|n| n.parse::<u32>().is_ok()))
    };
    words
        .windows(2)
        .any(|pair| is_part(pair[0]) && pair[1] == "of")
}

fn blank_percent(stage: &Stage) -> usize {
    let text = stage.text();
    let rows: Vec<&str> = text.lines().collect();
    let body = rows.get(1..rows.len() - (ROWS_OF_THE_FRAME - 1)).unwrap();
    let blank = body.iter().filter(|row| is_blank(row)).count();
    100 * blank / body.len()
}

#[test]
fn a_part_is_told_from_other_numbers() {
    assert!(has_more("┌ orders ── 1-13 of 20 ┐"));
    assert!(!has_more("4 of 20  2026-06-28 of"));
}

#[test]
fn a_large_window_is_used() {
    let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/samples");
    let mut inputs = vec![("samples".to_owned(), Origin::Paths(vec![samples]))];
    for about in scenario::list() {
        inputs.push((about.name.to_owned(), Origin::Scenario(about.name)));
    }
    let mut wasteful = Vec::new();
    for (name, origin) in inputs {
        let mut stage = Stage::dark(WINDOW);
        stage.open(origin);
        for view in ["1", "2", "3", "4"] {
            stage.keys(view);
            let blank = blank_percent(&stage);
            if blank > MOST_BLANK && has_more(&stage.text()) {
                wasteful.push(format!(
                    "{name} in view {view}: {blank} % of its rows are blank"
                ));
            }
        }
    }
    assert!(wasteful.is_empty(), "{}", wasteful.join("\n"));
}
