//! Recordings from outside: made of the sample answers, read by every command, replayed on the screens, killed while made.

mod cast;
mod documents;
mod killed;
mod replayed;
pub mod rounds;

use std::fs;

use cosmoscope::source::recording::{Existing, Recorder, RecordingOptions};
use serde_json::Value;

use super::cli::Place;
use rounds::{ENDPOINT, rounds, write};

fn json(place: &Place, args: &[&str]) -> Value {
    place.run(args).json()
}

#[test]
fn a_report_is_that_of_the_last_round() {
    let place = Place::new();
    let path = write(&place.data(), "a.rec", 3, RecordingOptions::default());
    let report = json(&place, &["report", path.to_str().unwrap(), "--format", "json"]);
    let containers = report["containers"].as_array().unwrap();
    assert_eq!(containers.len(), 1, "{report}");
    let container = &containers[0];
    assert_eq!(container["account"], "northpier-prod");
    assert_eq!(
        (&container["database"], &container["container"]),
        (&Value::from("shop"), &Value::from("orders"))
    );
    assert_eq!(container["key_paths"][0], "/tenantId");
    let keys = container["keys"].as_array().unwrap();
    assert_eq!(keys[0]["key"][0], "tenant-0002");
    assert_eq!(keys[0]["size_kib"], 22_650_880);
    // Half a GiB more in each round of a day: growth needs the older answers, too.
    let grown = keys.iter().find(|k| k["key"][0] == "tenant-0001").unwrap();
    assert_eq!(grown["size_kib"], 18_874_368 + 524_288);
    assert_eq!(grown["samples"], 3);
    assert_eq!(grown["growth_kib_per_day"], 524_288.0);
}

#[test]
fn inspect_shows_one_row_for_each_kind_of_answer() {
    let place = Place::new();
    let path = write(&place.data(), "a.rec", 3, RecordingOptions::default());
    let found = json(&place, &["inspect", path.to_str().unwrap(), "--format", "json"]);
    let files: Vec<&str> = found["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["path"].as_str().unwrap().rsplit("a.rec: ").next().unwrap())
        .collect();
    assert_eq!(
        files,
        [
            "containers with statistics of their partitions",
            "physical partitions",
            "RU/s by the management plane",
            "storage of each physical partition",
            "metrics"
        ]
    );
}

#[test]
fn check_judges_and_diff_compares_recordings() {
    let place = Place::new();
    let first = write(&place.data(), "first.rec", 1, RecordingOptions::default());
    let last = write(&place.data(), "last.rec", 3, RecordingOptions::default());
    let (first, last) = (first.to_str().unwrap(), last.to_str().unwrap());
    let checked = place.run(&["check", last]).ends_with(1);
    assert!(checked.text().contains("tenant-0002"));
    let changes = json(&place, &["diff", first, last, "--format", "json"]);
    let grew = changes["changes"].as_array().unwrap();
    let grew: Vec<&Value> = grew.iter().filter(|c| c["key"][0] == "tenant-0001").collect();
    assert!(!grew.is_empty(), "{changes}");
    assert_eq!(grew[0]["before_kib"], 18_874_368 - 524_288);
    assert_eq!(grew[0]["after_kib"], 18_874_368 + 524_288);
}

#[test]
fn a_recording_stands_beside_other_files_and_in_folders() {
    let place = Place::new();
    write(&place.data(), "a.rec", 2, RecordingOptions::default());
    let export = super::cli::sample("stats/log-analytics/resource-specific.portal-us.csv");
    let folder = place.data();
    let report = json(&place, &["report", &export, folder.to_str().unwrap(), "--format", "json"]);
    // What the log and the account tell of one container is one container.
    assert_eq!(report["containers"].as_array().unwrap().len(), 3, "{report}");
}

#[test]
fn what_is_no_recording_or_a_damaged_one_is_told_in_a_sentence() {
    let place = Place::new();
    let text = place.write("a.csv", "a,b\n1,2\n");
    let refused = place.run(&["replay", text.to_str().unwrap()]).ends_with(2);
    assert!(refused.err.contains("this is not a recording"), "{}", refused.err);
    place.refuses(&[&["replay", "absent.rec"], &["replay", "-"], &["replay"]]);
    let path = write(&place.data(), "a.rec", 2, RecordingOptions::default());
    let mut bytes = fs::read(&path).unwrap();
    bytes.truncate(bytes.len() - 30);
    fs::write(&path, &bytes).unwrap();
    let found = place.run(&["inspect", path.to_str().unwrap(), "--format", "json"]);
    let said = found.ends_with(0).text();
    assert!(said.contains("the last line was torn and left out"), "{said}");
    fs::write(&path, &bytes[..40]).unwrap();
    place.refuses(&[&["report", path.to_str().unwrap()]]);
    // Where documents are expected one without any is not taken for some.
    let path = write(&place.data(), "b.rec", 2, RecordingOptions::default());
    let refused = place.run(&["trial", path.to_str().unwrap(), "--key", "/a"]);
    let refused = refused.ends_with(2);
    assert!(refused.err.contains("this recording has no documents"), "{}", refused.err);
}

#[test]
fn a_masked_recording_holds_no_name_and_gives_the_masked_report() {
    let place = Place::new();
    let salt = "a salt of this test";
    let masked = |existing| RecordingOptions {
        mask: Some(cosmoscope::cli::replay::mask(salt.as_bytes())),
        existing,
        ..RecordingOptions::default()
    };
    let path = write(&place.data(), "masked.rec", 3, masked(Existing::Continue));
    let text = fs::read_to_string(&path).unwrap();
    for name in
        ["northpier", "shop", "orders", "tenant-", "acme", "pizzeria", "oslo", "11111111-2222"]
    {
        assert!(!text.contains(name), "{name}");
    }
    // The same names as masking gives when the recording was not masked.
    let plain = write(&place.data(), "plain.rec", 3, RecordingOptions::default());
    let of = |path: &str, more: &[&str]| {
        let args = ["report", path, "--format", "json"];
        let args: Vec<&str> = args.iter().chain(more).copied().collect();
        json(&place, &args)["containers"].clone()
    };
    let report = of(path.to_str().unwrap(), &[]);
    let expected = of(plain.to_str().unwrap(), &["--mask", "--mask-salt", salt]);
    assert_eq!(report[0]["account"], expected[0]["account"]);
    assert_eq!(report[0]["container"], expected[0]["container"]);
    let keys = |report: &Value| -> Vec<(String, Value, Value)> {
        let mut keys: Vec<_> = report[0]["keys"]
            .as_array()
            .unwrap()
            .iter()
            .map(|k| (k["key"].to_string(), k["size_kib"].clone(), k["growth_kib_per_day"].clone()))
            .collect();
        keys.sort_by(|a, b| a.0.cmp(&b.0));
        keys
    };
    assert_eq!(keys(&report), keys(&expected));
    // Going on unmasked with a masked one would tell the names after all.
    let refused =
        Recorder::create(&path, ENDPOINT, rounds(1)[0][0].at(), RecordingOptions::default());
    assert!(refused.is_err());
}
