//! Two halves, one truth: what a screen shows is what `report` says of the same inputs.

use std::path::{Path, PathBuf};
use std::process::Command;

use cosmoscope::model::units::{count_text, percent_text};
use cosmoscope::report::key_text::key_text;
use cosmoscope::work::data::Origin;
use serde_json::Value;

use super::stage::Stage;

const SAMPLE: &str = "tests/it/data/samples/stats/log-analytics/resource-specific.portal-us.csv";

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn report(path: &Path) -> Value {
    let done = Command::new(env!("CARGO_BIN_EXE_cosmoscope"))
        .args(["report", "--quiet", "--format", "json"])
        .arg(path)
        .output()
        .unwrap();
    assert!(done.status.success());
    serde_json::from_slice(&done.stdout).unwrap()
}

fn stage(path: &Path) -> Stage {
    let mut stage = Stage::dark((200, 60));
    stage.open(Origin::Paths(vec![path.to_owned()]));
    stage
}

/// The line of the frame that holds a text.
#[track_caller]
fn line_with(text: &str, wanted: &str) -> String {
    let found = text.lines().find(|line| line.contains(wanted));
    found.unwrap_or_else(|| panic!("{wanted} is not in\n{text}")).to_owned()
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

#[test]
fn the_overview_shows_the_numbers_of_the_report() {
    let path = path(SAMPLE);
    let report = report(&path);
    let text = stage(&path).text();
    assert!(list(&report["containers"]).len() >= 3);
    for container in list(&report["containers"]) {
        let name = format!("{}  ", container["container"].as_str().unwrap());
        let rows = text.lines().filter(|line| line.contains('%') || line.contains('≥'));
        let rows: Vec<&str> = rows.collect();
        let line = line_with(&rows.join("\n"), &name);
        let keys = list(&container["keys"]);
        let share = |key: &Value| key["share_of_ceiling"].as_f64().unwrap();
        assert!(line.contains(&percent_text(share(&keys[0]))), "{line}");
        assert!(line.contains(&count_text(container["keys_total"].as_u64().unwrap())), "{line}");
        for mark in [0.7, 0.9, 1.0] {
            let at = keys.iter().filter(|key| share(key) >= mark).count();
            assert!(
                at == 0 || line.split_whitespace().any(|word| word == at.to_string()),
                "{mark}: {line}"
            );
        }
    }
}

#[test]
fn the_keys_show_the_numbers_of_the_report() {
    let path = path(SAMPLE);
    let report = report(&path);
    let mut stage = stage(&path);
    for (number, container) in list(&report["containers"]).iter().enumerate() {
        stage.keys("1 g");
        (0..number).for_each(|_| stage.keys("j"));
        stage.keys("enter");
        let text = stage.text();
        for key in list(&container["keys"]) {
            let share = percent_text(key["share_of_ceiling"].as_f64().unwrap());
            let gib = format!("{:.2}", key["size_kib"].as_f64().unwrap() / 1_048_576.0);
            let shown = key_text(Some(&key["key"].to_string()));
            // A long key is shortened in its middle; its beginning and its numbers are enough to find its row.
            let beginning: String = shown.chars().take(2).collect();
            let agrees = text
                .lines()
                .any(|row| row.contains(&beginning) && row.contains(&share) && row.contains(&gib));
            assert!(agrees, "{shown} {share} {gib}\n{text}");
        }
    }
}

#[test]
fn the_detail_of_a_key_shows_its_hash_and_partition_as_the_report_does() {
    let mut stage = Stage::dark((200, 60));
    stage.open(Origin::Scenario("tenants"));
    // The cursor begins on the key of the finding.
    stage.keys("2 home");
    let data = stage.app.cx.data.clone().unwrap();
    let row = &data.report.containers[0].keys[0];
    let text = stage.text();
    assert!(text.contains(&**row.epk.as_ref().unwrap()), "{text}");
    let line = line_with(&text, "partition  ");
    assert!(line.contains(&**row.partition.as_ref().unwrap()), "{line}");
    let distribution = data.report.containers[0].distribution.as_ref().unwrap();
    assert_eq!(distribution.keys, data.report.containers[0].keys_total);
}
