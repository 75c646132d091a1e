//! `check` and `diff`: the JSON that scripts read, and what counts as a finding or a change.

use serde_json::{Value, json};

use super::ordered_json::OrderedJson;
use super::{Place, STANDARD, sample, table};

fn check(place: &Place, code: i32, more: &[&str]) -> Vec<Value> {
    let path = sample(STANDARD);
    let mut args = vec!["check", &path, "--format", "json"];
    args.extend(more);
    let found = place.run(&args).ends_with(code).json();
    found["findings"].as_array().unwrap().clone()
}

#[test]
fn the_object_of_check_has_exactly_its_names_in_order() {
    let place = Place::new();
    let answer = place.run(&["check", &sample(STANDARD), "--format", "json"]);
    let found = OrderedJson::parse(&answer.ends_with(1).out);
    assert_eq!(found.names(), ["schema", "worst", "partial", "findings"]);
    let names = "rule severity account database container key value threshold message";
    assert_eq!(found.at("findings").items().len(), 4);
    for finding in found.at("findings").items() {
        assert_eq!(finding.names().join(" "), names);
    }
}

#[test]
fn the_standard_set_has_one_key_over_one_at_the_mark_and_one_limit_date() {
    let place = Place::new();
    let found = check(&place, 1, &[]);
    let short: Vec<[&Value; 3]> =
        found.iter().map(|f| [&f["rule"], &f["severity"], &f["key"][0]]).collect();
    assert_eq!(
        json!(short),
        json!([
            ["max-logical", "alarm", "tenant-0002"],
            ["max-logical", "alarm", "tenant-0001"],
            ["wall", "alarm", "tenant-0001"],
            ["wall", "warn", {}]
        ])
    );
    assert_eq!(found[0]["value"], json!(1.080_078_125));
    assert_eq!(found[0]["threshold"], json!(0.9));
    assert_eq!(found[2]["threshold"], 30);
    let days = found[2]["value"].as_f64().unwrap();
    // The earliest date allowed; at the rate of all readings it is 9.34.
    assert!((5.72..5.73).contains(&days), "{days}");
}

#[test]
fn thresholds_move_and_a_full_key_stays_an_alarm() {
    let place = Place::new();
    let alarms = |found: &[Value]| {
        let of = |f: &&Value| f["rule"] == "max-logical" && f["severity"] == "alarm";
        found.iter().filter(of).count()
    };
    assert_eq!(alarms(&check(&place, 1, &["--max-logical", "95%"])), 1);
    assert_eq!(alarms(&check(&place, 1, &["--max-logical", "0.4"])), 3);
    assert_eq!(alarms(&check(&place, 1, &["--max-logical", "150%"])), 1);
    assert_eq!(alarms(&check(&place, 1, &["--container", "carts", "--max-logical", "0.4"])), 1);
    assert_eq!(alarms(&check(&place, 0, &["--container", "carts"])), 0);
}

#[test]
fn the_limit_date_is_an_alarm_at_30_days_and_a_warning_at_90() {
    let place = Place::new();
    let limit_date = |code, ceiling| {
        let found = check(
            &place,
            code,
            &["--container", "orders", "--ceiling", ceiling, "--fail-on", "note"],
        );
        let of = |f: &&Value| f["rule"] == "wall" && f["key"] == json!(["tenant-0001"]);
        found.iter().find(of).map(|f| f["severity"].clone())
    };
    // 18 GiB that grow by 1.5 GiB a week, by 1.83 at the most, and may be half a GiB more.
    assert_eq!(limit_date(1, "26GB"), Some(json!("alarm")));
    assert_eq!(limit_date(1, "27GB"), Some(json!("warn")));
    assert_eq!(limit_date(1, "42GB"), Some(json!("warn")));
    assert_eq!(limit_date(0, "43GB"), None);
}

#[test]
fn every_kind_of_change_is_told() {
    let place = Place::new();
    let rows = |rows: [(&'static str, u32); 5]| table(rows.map(|(k, s)| (k, s.to_string())));
    let before = [
        ("grows", 1_000_000),
        ("shrinks", 3_000_000),
        ("goes", 100),
        ("steps", 100),
        ("passes", 10_000_000),
    ];
    let after = [
        ("grows", 3_000_000),
        ("shrinks", 1_000_000),
        ("comes", 100),
        ("steps", 200),
        ("passes", 19_000_000),
    ];
    place.write("before.csv", rows(before));
    place.write("after.csv", rows(after));
    let args = ["diff", "before.csv", "after.csv", "--format", "json"];
    let answer = place.run(&args).ends_with(0);
    let object = OrderedJson::parse(&answer.out);
    assert_eq!(object.names(), ["schema", "changes"]);
    for change in object.at("changes").items() {
        let names = "account database container key change before_kib after_kib mark within_error";
        assert_eq!(change.names().join(" "), names);
    }
    let found = answer.json();
    let of = |key: &str| {
        let mut changes = found["changes"].as_array().unwrap().iter();
        let change = changes.find(|c| c["key"] == json!([key]));
        change.map(|c| json!([c["change"], c["before_kib"], c["after_kib"]]))
    };
    assert_eq!(of("grows"), Some(json!(["grew", 1_000_000, 3_000_000])));
    assert_eq!(of("shrinks"), Some(json!(["shrank", 3_000_000, 1_000_000])));
    assert_eq!(of("comes"), Some(json!(["new", null, 100])));
    assert_eq!(of("goes"), Some(json!(["not_reported", 100, null])));
    assert_eq!(of("passes"), Some(json!(["over_mark", 10_000_000, 19_000_000])));
    assert_eq!(of("steps"), Some(json!(["grew", 100, 200])));
    let text = place.run(&["diff", "before.csv", "after.csv"]).ends_with(0).text();
    assert!(text.contains("no longer reported") && !text.contains("gone"), "{text}");
}

#[test]
fn an_export_has_not_changed_from_itself() {
    let place = Place::new();
    let args = ["diff", &sample(STANDARD), &sample("stats/log-analytics/az-query.tsv")];
    let found = place.run(&[&args[..], &["--format", "json"]].concat()).ends_with(0);
    assert_eq!(found.json()["changes"], json!([]));
}
