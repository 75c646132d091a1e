//! Schema 1: names, order, exact values.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::{Value, json};

use super::*;
use crate::analysis::summary::SummaryOptions;
use crate::analysis::testing::*;

fn written(report: &Report) -> String {
    let mut out = Vec::new();
    write(report, Style::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The names of every object, in the order in which they are written.
fn names(text: &str, start: &str) -> Vec<String> {
    let object = text.split_once(start).unwrap().1;
    let quoted: Vec<&str> = object.split('"').collect();
    let is_name = |i: &usize| quoted.get(i + 1).is_some_and(|after| after.starts_with(':'));
    (0..quoted.len()).filter(is_name).map(|i| quoted[i].to_owned()).collect()
}

#[test]
fn fields_are_those_of_schema_1_in_their_order() {
    let text = written(&report(&northpier(), SummaryOptions::default()));
    let all = names(&text, "");
    assert_eq!(all[..4], ["schema", "as_of", "ceiling_kib", "containers"]);
    let container =
        ["account", "database", "container", "key_paths", "key_kind", "key_version", "keys"];
    assert_eq!(all[4..11], container);
    let key = [
        "key",
        "size_kib",
        "share_of_ceiling",
        "region",
        "sampled_at",
        "growth_kib_per_day",
        "wall",
        "wall_earliest",
        "wall_latest",
        "wall_state",
        "samples",
        "at_least",
        "epk",
        "partition",
    ];
    assert_eq!(all[11..25], key);
    let end = ["keys_total", "notes", "distribution", "notes"];
    assert_eq!(all[all.len() - 4..], end);
}

#[test]
fn what_is_known_of_places_and_sizes_is_written() {
    let mut report = report(&northpier(), SummaryOptions::default());
    let orders = &mut report.containers[0];
    orders.keys[0].epk = Some("05C1DFC5".into());
    orders.keys[0].partition = Some("3".into());
    let sizes = [1.5, 2.0, 1.0, 20.5];
    orders.distribution = Some(Distribution::of(sizes, Some(50.0)));
    report.containers[1].distribution = Some(Distribution::of([], None));
    let value: Value = serde_json::from_str(&written(&report)).unwrap();
    let orders = &value["containers"][0];
    assert_eq!(orders["keys"][0]["epk"], "05C1DFC5");
    assert_eq!(orders["keys"][0]["partition"], "3");
    assert_eq!(orders["keys"][1]["epk"], Value::Null);
    let bucket =
        |from, to, keys, kib| json!({"from_kib": from, "to_kib": to, "keys": keys, "kib": kib});
    let histogram = json!([
        bucket(1, 2, 2, json!(2.5)),
        bucket(2, 4, 1, json!(2)),
        bucket(4, 8, 0, json!(0)),
        bucket(8, 16, 0, json!(0)),
        bucket(16, 32, 1, json!(20.5)),
    ]);
    let expected = json!({
        "p50_kib": 1.5, "p90_kib": 20.5, "p99_kib": 20.5, "max_kib": 20.5,
        "top_shares": [{"keys": 1, "share": 0.41}],
        "whole_of": "container", "k_eff": 5.84795, "histogram": histogram,
    });
    assert_eq!(orders["distribution"], expected);
    let nothing = json!({
        "p50_kib": null, "p90_kib": null, "p99_kib": null, "max_kib": null, "top_shares": [],
        "whole_of": "reported_keys", "k_eff": null, "histogram": [],
    });
    assert_eq!(value["containers"][1]["distribution"], nothing);
    assert_eq!(value["containers"][2]["distribution"], Value::Null);
}

#[test]
fn values_are_exact_and_moments_rfc_3339() {
    let value: Value =
        serde_json::from_str(&written(&report(&northpier(), SummaryOptions::default()))).unwrap();
    assert_eq!(value["as_of"], "2026-06-22T02:10:41Z");
    assert_eq!(value["ceiling_kib"].to_string(), "20971520");
    let orders = &value["containers"][0];
    assert_eq!(orders["keys_total"], 4);
    assert_eq!(orders["key_paths"], Value::Null);
    let full = &orders["keys"][0];
    assert_eq!(full["size_kib"].to_string(), "22650880");
    assert_eq!(full["share_of_ceiling"].to_string(), "1.080078125");
    assert_eq!((&full["wall_state"], &full["wall"]), (&json!("over"), &Value::Null));
    let near = &orders["keys"][1];
    assert_eq!(near["growth_kib_per_day"].to_string(), "224695");
    assert_eq!(near["wall"], "2026-07-01T10:10:41Z");
    assert_eq!(near["wall_state"], "date");
    assert!(near["wall_earliest"].as_str() < near["wall"].as_str());
    assert!(near["wall_latest"].as_str() > near["wall"].as_str());
    assert_eq!(orders["keys"][3]["key"], Value::Null);
    let carts = &value["containers"][1]["keys"];
    assert_eq!(carts[0]["key"], json!([{}]));
    assert_eq!(carts[1]["size_kib"].to_string(), "1500000.5");
    assert!(written(&report(&northpier(), SummaryOptions::default())).contains("{\"key\":[42.0],"));
    let readings = &value["containers"][2];
    assert_eq!(readings["key_kind"], "MultiHash");
    assert_eq!(readings["key_version"], 2);
    assert_eq!(readings["keys"][0]["at_least"], false);
}

#[test]
fn nothing_known_is_null_and_still_json() {
    let log = Log::new("a");
    log.reading(["", "", ""], "\u{1b}[2J\u{202e}\"", "", None, 5.0);
    let text = written(&report(&log.capture(), SummaryOptions::default()));
    let value: Value = serde_json::from_str(&text).unwrap();
    let container = &value["containers"][0];
    assert_eq!(value["as_of"], Value::Null);
    assert_eq!(container["account"], Value::Null);
    assert_eq!(container["container"], "unknown container");
    assert_eq!(container["keys"][0]["key"], json!(["\u{1b}[2J\u{202e}\""]));
    assert!(!text.contains(['\u{1b}', '\u{202e}']));
    let empty = report(&Log::new("b").capture(), SummaryOptions::default());
    let value: Value = serde_json::from_str(&written(&empty)).unwrap();
    assert_eq!(value["containers"], json!([]));
}

#[test]
fn the_same_values_give_the_same_bytes() {
    let once = written(&report(&northpier(), SummaryOptions::default()));
    assert_eq!(once, written(&report(&northpier(), SummaryOptions::default())));
}
