//! `report --view heat`: numbers of one time only, and partitions that are counted once.

use serde_json::Value;

use super::heat::{INPUTS, orders};
use super::{Place, sample};

#[test]
fn request_units_of_a_partition_are_those_of_its_keys() {
    let place = Place::new();
    // The metric tells of 5 minutes, the RU log of others too.
    for span in [
        &[][..],
        &["--measure", "normalized-ru"],
        &["--from", "2026-06-22T02:00:03Z"],
        &["--to", "2026-06-22T02:00:05Z", "--measure", "normalized-ru"],
    ] {
        let found = orders(&place, span);
        let partitions = found["partitions"].as_array().unwrap();
        let keys = found["keys"].as_array().unwrap();
        assert!(!keys.is_empty());
        for of in keys {
            let rows = of["keys"].as_array().unwrap().iter();
            let sum: f64 = rows.map(|k| k["ru"].as_f64().unwrap()).sum();
            let mut partitions = partitions.iter();
            let is_it = |p: &&Value| [&p["id"], &p["named"]].contains(&&of["partition"]);
            let row = partitions.find(is_it).unwrap();
            let ru = row["ru"].as_f64().unwrap();
            assert!((ru - sum).abs() < 0.001, "{span:?}: {row} but {sum}");
        }
    }
}

#[test]
fn a_time_without_load_is_said() {
    let place = Place::new();
    let found = orders(&place, &["--from", "2030-01-01"]);
    let notes = found["notes"].to_string();
    assert!(notes.contains("no load lies in the time given"), "{notes}");
    assert!(notes.contains("not the verdicts"), "{notes}");
}

#[test]
fn guids_that_no_input_pairs_are_no_further_partitions() {
    let place = Place::new();
    let log = sample(INPUTS[1]);
    let ru = sample(INPUTS[0]);
    let args = ["report", "--view", "heat", "--container", "orders", &ru, &log];
    let text = place.run(&args).ends_with(0).text();
    assert!(
        text.contains("3 partitions of the request log or of metrics are named by GUID"),
        "{text}"
    );
    let facts = text.lines().find(|l| l.contains("physical partition")).unwrap();
    assert!(facts.contains("3 physical partitions"), "{text}");
}
