//! Marks, the clipboard, exports and evidence.

use super::*;
use crate::analysis::rows::KeyRow;

fn exported(app: &mut App) -> crate::analysis::rows::Report {
    let effects = export(app, "keys.csv", IfExists::Keep);
    let [Effect::Export(_, export)] = &effects[..] else {
        panic!("nothing is exported");
    };
    let Exported::Keys(keys) = &export.what else {
        panic!("not the keys");
    };
    keys.report(&|| true).unwrap()
}

fn keys_in(report: &crate::analysis::rows::Report) -> Vec<&str> {
    report.containers[0].keys.iter().map(KeyRow::key_json).collect()
}

#[test]
fn marks_are_bounded_summed_and_taken_away() {
    let mut app = keys_of(northpier());
    pressed(&mut app, "space space");
    assert!(shown(&app).contains("2 marked, 39.6 GiB"));
    assert_eq!(app.views.keys.cursor.chosen, 2);
    pressed(&mut app, "k space");
    assert!(shown(&app).contains("1 marked, 21.6 GiB"));
    pressed(&mut app, "ctrl-a");
    assert_eq!(app.views.keys.marks.len(), 4);
    pressed(&mut app, "U");
    assert!(app.views.keys.marks.is_empty());
    let mut app = keys_of(many(u32::try_from(marks::MAX_MARKS).unwrap() + 1));
    pressed(&mut app, "ctrl-a");
    assert!(app.views.keys.marks.is_empty());
    assert!(shown(&app).contains("no more than 10,000 keys can be marked"));
}

#[test]
fn rows_are_copied_as_plain_lines() {
    let mut app = keys_of(northpier());
    let effects = pressed(&mut app, "y");
    let line = "tenant-0002  21.6 GiB  108 % of the 20 GB limit  +0.95 GiB/week  over the limit  \
                West Europe  2026-06-22 02:10 UTC";
    assert_eq!(copied(&effects), line);
    let effects = pressed(&mut app, "j space k k space y");
    let text = copied(&effects);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].starts_with("tenant-0002") && lines[1].starts_with("tenant-0001"));
}

#[test]
fn the_exact_key_and_the_query_for_it_are_harmless() {
    let log = Log::new("exports/x.csv");
    let key = "[\"a\\\"; drop\\u001b]0;x\\u0007\u{202e}\",42.0]";
    log.reading(ORDERS, key, "West Europe", Some(seconds(NEWEST)), GIB);
    let mut app = keys_of(log.capture());
    let exact = pressed(&mut app, "ctrl-y");
    let exact = copied(&exact);
    assert_eq!(exact, "[\"a\\\"; drop\\u001b]0;x\\u0007\\u202e\",42.0]");
    let query = pressed(&mut app, "Y");
    let query = copied(&query);
    assert!(query.contains("| where CollectionName == \"orders\""));
    assert!(
        query.lines().all(|l| l.starts_with("CDB") || l.starts_with("| ") || l.starts_with("// "))
    );
    for text in [exact, query] {
        assert!(!text.contains(|c: char| c != '\n' && c.is_control()));
    }
}

#[test]
fn the_query_is_for_all_keys_of_the_size_that_a_filter_asks_for() {
    let mut app = keys_of(northpier());
    let effects = crate::ui::app::testing::set_filter(&mut app, "size>14GiB tenant");
    answered(&mut app, effects);
    let all = copied(&pressed(&mut app, "Y"));
    assert!(all.contains("\n| where SizeKb > 14680064\n"), "{all}");
    let marked = copied(&pressed(&mut app, "space k Y"));
    assert!(!marked.contains("SizeKb >"), "{marked}");
}

#[test]
fn without_a_key_the_next_step_and_its_query_are_shown() {
    let log = Log::new("exports/range.json");
    log.facts(ORDERS, &["/tenantId"], &[1.0, 2.0]);
    let mut app = keys_of(log.capture());
    let text = shown(&app);
    let words = ["no keys reported", "Unknown: the keys", "Sizes: Y copies"];
    assert!(words.iter().all(|words| text.contains(words)), "{text}");
    assert!(!text.contains("0 keys") && !text.contains("sort size"));
    let query = copied(&pressed(&mut app, "Y"));
    assert!(query.contains("CollectionName, RegionName, PartitionKey, SizeKb\n"));
}

#[test]
fn an_export_holds_what_is_shown() {
    let mut app = keys_of(northpier());
    let report = exported(&mut app);
    assert_eq!(keys_in(&report).len(), 4);
    assert!(report.containers[0].notes.iter().all(|n| !n.text.starts_with("only")));
    pressed(&mut app, "/ 0 0 0 enter");
    let effects = sort_by(&mut app, "growth");
    answered(&mut app, effects);
    let report = exported(&mut app);
    let by_growth = ["[\"tenant-0001\"]", "[\"tenant-0002\"]", "[\"tenant-0007\"]"];
    assert_eq!(keys_in(&report), by_growth);
    let note = &report.containers[0].notes.last().unwrap().text;
    assert_eq!(note, "only the 3 of 4 keys that pass the filter `000`");
    pressed(&mut app, "G space");
    let report = exported(&mut app);
    assert_eq!(keys_in(&report), ["[\"tenant-0007\"]"]);
}

#[test]
fn evidence_names_the_origin_of_every_number() {
    let mut app = keys_of(northpier());
    pressed(&mut app, "j i");
    let crate::ui::app::Overlay::Paper(paper) = app.overlay.as_ref().unwrap() else {
        panic!("no paper");
    };
    let text = paper.lines.join("\n");
    for words in [
        "size: 18.0 GiB",
        "logged: exports/northpier-prod.csv, 2026-06-22T02:10:41",
        "± error: 512 MiB",
        "share: 90 %",
        "20,971,520 KiB",
        "growth: +1.50 GiB/week",
        "least-squares line through 4 samples",
        "20 GB on: 2026-07-01 at this growth",
        "physical partition: unknown",
        "RU share: unknown",
    ] {
        assert!(text.contains(words), "{words} in\n{text}");
    }
}

#[test]
fn the_detail_shows_the_key_its_parts_and_its_regions() {
    let mut app = keys_of(northpier());
    resize(&mut app, 200, 60);
    pressed(&mut app, "j");
    let text = shown(&app);
    for words in [
        "18.0 GiB, 90 % of the 20 GB limit",
        "North Europe: 18.0 GiB",
        "from 4 samples",
        "in 21 days",
        "2026-06-01 to 2026-06-22",
        "part 1: string of 11 tenant-0001",
    ] {
        assert!(text.contains(words), "{words} in\n{text}");
    }
}
