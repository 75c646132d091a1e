//! Rows of a large window that show nothing: a view that leaves many of them blank wastes the room it was given.

use std::path::PathBuf;

use cosmoscope::source::scenario;
use cosmoscope::ui::kit::glyphs::Glyphs;
use cosmoscope::ui::kit::theme::Colours;
use cosmoscope::work::data::Origin;

use super::stage::Stage;

/// Title, status and footer are no rows of a view.
const ROWS_OF_THE_FRAME: usize = 3;
/// In percent of the rows of a view.
const MOST_BLANK: usize = 20;
/// Keys that the overview holds of a container.
const KEYS_HELD: u32 = 40;
const MOST_CONTAINERS: usize = 12;

/// Whether a row shows nothing but the sides of panes.
fn is_blank(row: &str) -> bool {
    row.chars().all(|c| " │┃█▌".contains(c))
}

/// Whether a frame says that it shows a part of its text, as in `1-13 of 20` or `The 5 largest of 14 keys`.
fn has_more(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |word: &str| word.replace(',', "").parse::<u32>().ok();
    let is_part = |word: &str| {
        let ends = word.split_once('-');
        ends.is_some_and(|(a, b)| [a, b].iter().all(|n| number(n).is_some()))
    };
    let is_scrolled = |pair: &[&str]| is_part(pair[0]) && pair[1] == "of";
    let has_keys_left = |of: &[&str]| {
        let counts = number(of[0]).zip(number(of[3]));
        of[1..3] == ["largest", "of"]
            && counts.is_some_and(|(shown, all)| shown < all.min(KEYS_HELD))
    };
    words.windows(2).any(is_scrolled) || words.windows(4).any(has_keys_left)
}

/// In percent of the rows of a body: all that are blank, and the most that are so one below the other in its left and in its
/// right half, as the part of a pane that was left over.
fn blank_percents(stage: &Stage) -> [usize; 3] {
    let frame = stage.frame();
    let (width, height) = (frame.area.width, usize::from(frame.area.height));
    let body = 1..height - (ROWS_OF_THE_FRAME - 1);
    [(0, width), (0, width / 2), (width / 2, width)].map(|(from, to)| {
        let row = |y: &usize| {
            let y = u16::try_from(*y).unwrap();
            let cells = (from..to).map(|x| frame[(x, y)].symbol());
            cells.collect::<String>()
        };
        let blank: Vec<bool> = body.clone().map(|y| is_blank(&row(&y))).collect();
        let rows = if to - from == width {
            blank.iter().filter(|is| **is).count()
        } else {
            let runs = blank.chunk_by(|a, b| a == b).filter(|run| run[0]);
            runs.map(<[bool]>::len).max().unwrap_or(0)
        };
        100 * rows / body.len()
    })
}

/// The samples and each scenario.
fn inputs() -> Vec<(String, Origin)> {
    let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/samples");
    let scenarios = scenario::list().into_iter();
    let scenarios = scenarios.map(|about| (about.name.to_owned(), Origin::Scenario(about.name)));
    let samples = ("samples".to_owned(), Origin::Paths(vec![samples]));
    std::iter::once(samples).chain(scenarios).collect()
}

#[test]
fn a_part_is_told_from_other_numbers() {
    assert!(has_more("┌ orders ── 1-13 of 20 ┐"));
    assert!(has_more("│ The 5 largest of 1,000 keys"));
    assert!(!has_more("│ The 40 largest of 1,000 keys"));
    assert!(!has_more("4 of 20  2026-06-28 of"));
}

#[test]
fn a_large_window_is_used() {
    let mut wasteful = Vec::new();
    for (name, origin) in inputs() {
        let mut stage = Stage::dark((200, 60));
        stage.open(origin);
        for view in ["1", "2", "3", "4"] {
            stage.keys(view);
            let [all, left, right] = blank_percents(&stage);
            let halves = if view == "1" { left.max(right) } else { 0 };
            let blank = all.max(halves);
            if blank > MOST_BLANK && has_more(&stage.text()) {
                wasteful.push(format!(
                    "{name} in view {view}: {blank} % of its rows are blank\n{}",
                    stage.text()
                ));
            }
        }
    }
    assert!(wasteful.is_empty(), "{}", wasteful.join("\n"));
}

#[test]
fn no_finding_and_no_verdict_is_cut_at_80_columns() {
    for ((name, origin), glyphs) in inputs()
        .into_iter()
        .flat_map(|input| [Glyphs::Unicode, Glyphs::Ascii].map(|glyphs| (input.clone(), glyphs)))
    {
        let mut stage = Stage::new((80, 24), "dark", Colours::None, glyphs);
        stage.open(origin);
        stage.keys("1");
        for _ in 0..MOST_CONTAINERS {
            let text = stage.text();
            let lines: Vec<&str> = text.lines().collect();
            let heading = lines.iter().find(|line| line.contains(" finding"));
            let columns =
                |words: &str| heading.unwrap().split(words).next().unwrap().chars().count();
            let (from, to) = (columns("finding"), columns("of 20 GB").min(columns("largest")));
            let frame = stage.frame();
            let list = (3..).take_while(|y| !"┌+".contains(frame[(0, *y)].symbol()) && *y < 22);
            for y in list {
                let cell = (from..to).map(|x| frame[(u16::try_from(x).unwrap(), y)].symbol());
                let cell: String = cell.collect();
                assert!(!cell.contains('…') && !cell.contains("..."), "{name}: {cell}\n{text}");
            }
            let verdicts =
                lines.iter().filter(|line| line.starts_with("│ ●") || line.starts_with("| o"));
            for verdict in verdicts {
                assert!(!verdict.contains('…') && !verdict.contains("..."), "{name}\n{text}");
            }
            stage.keys("j");
        }
    }
}
