//! Every view as it is drawn, colours included, over data and windows of every size.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use cosmoscope::analysis::ceiling::Ceiling;
use cosmoscope::source::scenario;
use cosmoscope::ui::kit::glyphs::Glyphs;
use cosmoscope::ui::kit::msg::{Effect, copied_text};
use cosmoscope::ui::kit::picture;
use cosmoscope::ui::kit::theme::{Colours, Paper};
use cosmoscope::ui::view::VIEWS;
use cosmoscope::work::data::Origin;
use tempfile::TempDir;

use super::stage::Stage;
use crate::pictures;

/// A way to each thing that can be seen: its name, and the keys that lead there from the overview.
const WAYS: &[(&str, &str)] = &[
    ("start", "H"),
    ("overview", ""),
    ("overview-evidence", "i"),
    ("keys", "2"),
    ("keys-detail", "2 tab z"),
    ("keys-distribution", "2 tab tab z"),
    ("keys-filtered", "2 / \"size>1GiB\""),
    ("keys-evidence", "2 i"),
    ("heat", "3"),
    ("heat-keys", "3 enter"),
    ("heat-storage", "3 c"),
    ("heat-ranges", "3 c c"),
    ("heat-evidence", "3 i"),
    ("trial", "4"),
    ("trial-reasons", "4 l c c"),
    ("trial-sizes", "4 l c c c tab z"),
    ("trial-queries", "4 l c c c c"),
    ("trial-paths", "4 P"),
    ("trial-typing", "4 t \"/userId\""),
    ("trial-evidence", "4 l x"),
    ("forecast", "5"),
    ("forecast-dials", "5 l + l l > c"),
    ("forecast-evidence", "5 j j i"),
    ("forecast-time", "5 space n n"),
    ("lesson", "6"),
    ("help", "?"),
    ("palette", ": \"so\""),
    ("sources", "v"),
    ("design", ": \"design\" space \"orders\" enter"),
];

/// These show the path of the inputs, which is another one in every run.
const WITH_PATH: &[&str] = &["start", "sources", "keys-detail", "keys-evidence"];

const SIZES: &[(u16, u16)] = &[(60, 20), (80, 24), (120, 40), (200, 60)];

fn check(name: &str, stage: &Stage) {
    let picture = pictures::styled(&stage.frame());
    insta::with_settings!({
        snapshot_path => "snapshots/screens",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, picture);
    });
}

#[test]
fn every_view_of_the_table_has_a_way() {
    for view in VIEWS {
        assert!(WAYS.iter().any(|(name, _)| *name == view.name), "{}", view.name);
    }
}

#[test]
fn every_view_in_every_window() {
    for (name, keys) in WAYS {
        for size in SIZES {
            let mut stage = Stage::dark(*size);
            stage.open(Origin::Scenario("tenants"));
            stage.keys(keys);
            check(&format!("{name}-{}x{}", size.0, size.1), &stage);
        }
    }
}

#[test]
fn every_view_without_colour_and_without_unicode() {
    for (name, keys) in WAYS {
        let mut stage = Stage::new((80, 24), "dark", Colours::None, Glyphs::Ascii);
        stage.open(Origin::Scenario("tenants"));
        stage.keys(keys);
        let frame = stage.frame();
        assert!(
            frame.content().iter().all(|cell| cell.symbol().is_ascii()),
            "{name}\n{}",
            stage.text()
        );
        check(&format!("{name}-plain"), &stage);
    }
}

#[test]
fn every_view_in_the_other_themes() {
    for theme in ["light", "colour-blind"] {
        for (name, keys) in [("overview", ""), ("keys", "2"), ("heat", "3")] {
            let mut stage = Stage::new((80, 24), theme, Colours::Indexed256, Glyphs::Unicode);
            stage.open(Origin::Scenario("tenants"));
            stage.keys(keys);
            check(&format!("{name}-{theme}"), &stage);
        }
    }
}

#[test]
fn the_heat_of_the_samples() {
    let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/samples");
    let mut stage = Stage::dark((80, 24));
    stage.open(Origin::Paths(vec![samples]));
    stage.keys("3");
    for size in [(60, 20), (80, 24), (200, 60)] {
        stage.resize(size);
        check(&format!("heat-samples-{}x{}", size.0, size.1), &stage);
    }
    // Merged rows, the measure of the logs, a span of time.
    stage.resize((80, 24));
    stage.keys("m d + b");
    check("heat-samples-measure", &stage);
}

/// An export of one header and `keys` rows.
fn export(folder: &TempDir, keys: u32) -> PathBuf {
    let mut text = String::from(
        "TimeGenerated,AccountName,RegionName,DatabaseName,CollectionName,PartitionKey,SizeKb\n",
    );
    for key in 0..keys {
        let kib = 20_000_000 / (key + 1);
        let container = if key % 100 == 7 { "carts" } else { "orders" };
        let _ = writeln!(
            text,
            "2026-06-22T02:00:00Z,northpier-prod,West Europe,shop,{container},\"[\"\"tenant-{key:05}\"\"]\",{kib}"
        );
    }
    let path = folder.path().join("sizes.csv");
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn every_view_of_nothing_and_of_much() {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for (data, keys_in_file) in [("empty", 0), ("large", 20_000)] {
        let path = export(&folder, keys_in_file);
        for (name, keys) in WAYS.iter().filter(|(name, _)| !WITH_PATH.contains(name)) {
            let mut stage = Stage::dark((80, 24));
            stage.open(Origin::Paths(vec![path.clone()]));
            stage.keys(keys);
            check(&format!("{name}-{data}"), &stage);
        }
    }
}

#[test]
fn a_hierarchical_key_opens_level_by_level() {
    let mut stage = Stage::dark((100, 30));
    stage.open(Origin::Scenario("events"));
    stage.keys("2 T");
    check("tree", &stage);
    stage.keys("enter j enter");
    check("tree-open", &stage);
}

#[test]
fn masked_screens_show_no_name() {
    for (name, keys) in WAYS.iter().filter(|(name, _)| *name != "start") {
        let mut stage = Stage::dark((200, 60));
        stage.open(Origin::Scenario("events"));
        stage.keys("p");
        stage.keys(keys);
        let text = stage.text().to_lowercase();
        for secret in ["contoso", "fabrikam", "analytics", "user-1"] {
            // The titles of scenarios are the product's own words; they stand on the start screen only.
            assert!(!text.contains(secret), "{name} shows {secret}\n{text}");
        }
    }
}

#[test]
fn a_given_ceiling_is_named_on_every_screen() {
    let ways = WAYS.iter().filter(|(name, _)| {
        let about = ["overview", "keys", "heat-keys", "trial", "forecast"];
        about.iter().any(|view| name.starts_with(view))
    });
    for (name, keys) in ways {
        let mut stage = Stage::dark((200, 60)).limited(Ceiling::given(31_457_280.0).unwrap());
        stage.open(Origin::Scenario("tenants"));
        stage.keys(keys);
        let text = stage.text().replace("KEY NEAR 20 GB", "");
        assert!(!text.contains("20 GB"), "{name}\n{text}");
    }
}

#[test]
fn every_scenario_opens_every_view() {
    for info in scenario::list() {
        let mut stage = Stage::dark((80, 24));
        stage.open(Origin::Scenario(info.name));
        for (name, keys) in WAYS {
            stage.keys(keys);
            let text = stage.text();
            let title = text.lines().next().unwrap_or_default();
            assert!(!title.trim().is_empty(), "{} {name}: {text}", info.name);
            let filled = text.lines().filter(|line| !line.trim().is_empty());
            assert!(filled.count() >= 5, "{} {name}: {text}", info.name);
            stage.keys("y");
            let copied = stage.outside.drain(..).find_map(|effect| match effect {
                Effect::Copy(copied) => Some(copied.into_text()),
                _ => None,
            });
            let receipt = copied.map_or(String::new(), |copied| copied_text(&copied));
            let drawn = picture::svg(&stage.frame(), info.name, Paper::Dark);
            // No scenario has a name that needs a code.
            for shown in [&text, &receipt, &drawn] {
                let is_coded = shown.contains("\\u{") || shown.contains('␠');
                assert!(!is_coded, "{} {name}: {shown}", info.name);
            }
            stage.keys("esc esc esc esc 1");
        }
    }
}

#[test]
fn the_sources_tell_of_documents_that_were_read() {
    let mut stage = Stage::dark((120, 40));
    stage.open(Origin::Scenario("night"));
    stage.keys("v");
    assert!(!stage.text().contains("Documents"), "{}", stage.text());
    stage.keys("esc 4 v");
    for expected in ["Documents to try keys on", "drawn from the scenario", "2,000 documents"] {
        assert!(stage.text().contains(expected), "{expected}\n{}", stage.text());
    }
}

#[test]
fn a_scenario_is_judged_at_its_own_time() {
    let mut stage = Stage::dark((120, 40));
    stage.open(Origin::Scenario("night"));
    // Years after the dates that its keys reach 20 GB on.
    let later = cosmoscope::model::time::Stamp::from_seconds(2_000_000_000).unwrap();
    stage.send(cosmoscope::ui::kit::msg::Msg::Clock(later));
    for keys in ["1", "2", "i", "esc 3"] {
        stage.keys(keys);
        let text = stage.text();
        assert!(!text.contains("passed") && !text.contains(" old"), "{text}");
    }
}

#[test]
fn a_key_that_is_typed_before_the_trial_is_shown_stands_next_to_today_s() {
    let mut stage = Stage::dark((100, 30));
    stage.open(Origin::Scenario("tenants"));
    stage.keys(": \"try\" space \"/userId\" enter");
    let text = stage.text();
    assert!(text.contains(" 1 current "), "{text}");
    assert!(text.contains("hot key D"), "{text}");
    assert!(text.contains(" /userId: reject"), "{text}");
}
