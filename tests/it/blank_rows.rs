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

/// Views that show all there is of these inputs in fewer rows.
const ALL_IS_SHOWN: &[(&str, &str)] = &[];

/// Whether a row shows nothing but the sides of panes.
fn is_blank(row: &str) -> bool {
    row.chars().all(|c| " │┃█▌".contains(c))
}

fn blank_percent(stage: &Stage) -> usize {
    let text = stage.text();
    let rows: Vec<&str> = text.lines().collect();
    let body = rows.get(1..rows.len() - (ROWS_OF_THE_FRAME - 1)).unwrap();
    let blank = body.iter().filter(|row| is_blank(row)).count();
    100 * blank / body.len()
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
            let is_known = ALL_IS_SHOWN.contains(&(name.as_str(), view));
            if blank > MOST_BLANK && !is_known {
                wasteful.push(format!(
                    "{name} in view {view}: {blank} % of its rows are blank"
                ));
            }
        }
    }
    assert!(wasteful.is_empty(), "{}", wasteful.join("\n"));
}
