//! One set of records in every form it is found in: one report.

use serde_json::{Map, Value};

use super::{Place, STANDARD, sample};

/// Every form, with the options it needs. Folders are opened as folders.
const FORMS: [(&str, &[&str]); 18] = [
    ("log-analytics/resource-specific.portal-us.csv", &[]),
    ("log-analytics/resource-specific.portal-us.csv.gz", &[]),
    // Its times are local, one hour ahead of UTC.
    ("log-analytics/resource-specific.portal-gb-localtime.csv", &["--time-zone", "Europe/London"]),
    ("log-analytics/resource-specific.excel-de-semicolon.csv", &[]),
    ("log-analytics/resource-specific.excel-utf16le.txt", &[]),
    ("log-analytics/resource-specific.powershell.csv", &[]),
    ("log-analytics/resource-specific.kusto.csv", &[]),
    ("log-analytics/azure-diagnostics.portal-us.csv", &[]),
    ("log-analytics/az-query.json", &[]),
    ("log-analytics/az-query.azure-diagnostics.json", &[]),
    ("log-analytics/az-query.tsv", &[]),
    ("log-analytics/query-api.json", &[]),
    ("log-analytics/data-export", &[]),
    ("log-analytics/export-job.parquet", &[]),
    ("storage-archive", &[]),
    ("event-hubs/one-message.json", &[]),
    ("event-hubs/messages.jsonl", &[]),
    ("event-hubs/stream-analytics.json", &[]),
];
const MOMENTS: [&str; 5] = ["as_of", "sampled_at", "wall", "wall_earliest", "wall_latest"];

fn report(place: &Place, path: &str, options: &[&str]) -> Value {
    let mut args = vec!["report", path, "--format", "json"];
    args.extend(options);
    place.run(&args).ends_with(0).json()
}

/// Two reports, equal but for the notes of the whole, and moments less than a millisecond apart: portals cut times to
/// milliseconds, and a moment computed from such times moves with them.
fn assert_same(place: &str, one: &Value, other: &Value) {
    match (one, other) {
        (Value::Object(a), Value::Object(b)) => {
            let names = |of: &Map<String, Value>| of.keys().cloned().collect::<Vec<_>>();
            assert_eq!(names(a), names(b), "{place}");
            for (name, value) in a {
                let inner = format!("{place}.{name}");
                if name == "notes" && a.contains_key("schema") {
                    continue;
                }
                if let (true, Some(x), Some(y)) =
                    (MOMENTS.contains(&name.as_str()), value.as_str(), b[name].as_str())
                {
                    let at = |text: &str| text.parse::<jiff::Timestamp>().unwrap().as_nanosecond();
                    assert!((at(x) - at(y)).abs() < 1_000_000, "{inner}: {x} and {y}");
                } else {
                    assert_same(&inner, value, &b[name]);
                }
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{place}");
            for (n, (x, y)) in a.iter().zip(b).enumerate() {
                assert_same(&format!("{place}[{n}]"), x, y);
            }
        }
        _ => assert_eq!(one, other, "{place}"),
    }
}

#[test]
fn every_form_of_the_standard_set_gives_one_report() {
    let place = Place::new();
    let standard = report(&place, &sample(STANDARD), &[]);
    for (form, options) in FORMS {
        let other = report(&place, &sample(&format!("stats/{form}")), options);
        assert_same(form, &standard, &other);
    }
}

#[test]
fn a_told_zone_makes_local_times_exact() {
    let place = Place::new();
    let local = sample("stats/log-analytics/resource-specific.portal-gb-localtime.csv");
    let standard = report(&place, &sample(STANDARD), &[]);
    let reported = report(&place, &local, &["--time-zone", "Europe/London"]);
    assert_eq!(standard["containers"], reported["containers"]);
    assert_eq!(standard["as_of"], reported["as_of"]);
    let guessed = report(&place, &local, &[]);
    assert_eq!(guessed["as_of"], "2026-06-22T03:10:41.418Z");
    assert!(guessed["notes"].to_string().contains("the zone is unknown"), "{guessed}");
    place.write("zone.toml", "time_zone = \"Europe/London\"\n");
    let configured = report(&place, &local, &["--config", "zone.toml"]);
    assert_eq!(configured, reported);
}

#[test]
fn results_of_queries_have_the_sizes_but_no_region_and_no_growth() {
    let place = Place::new();
    let standard = report(&place, &sample(STANDARD), &[]);
    for form in ["query-result.azure-diagnostics-20gb.csv", "query-result.alert-20gb.csv"] {
        let found = report(&place, &sample(&format!("stats/log-analytics/{form}")), &[]);
        let pairs = standard["containers"].as_array().unwrap().iter();
        for (one, other) in pairs.zip(found["containers"].as_array().unwrap()) {
            assert_eq!(one["container"], other["container"]);
            assert_eq!(one["keys_total"], other["keys_total"]);
            let rows = one["keys"].as_array().unwrap().iter();
            for (one, other) in rows.zip(other["keys"].as_array().unwrap()) {
                assert_eq!(one["key"], other["key"], "{form}");
                assert_eq!(other["region"], Value::Null, "{form}");
                assert_eq!(other["growth_kib_per_day"], Value::Null, "{form}");
                // The query takes the newest record of a key, whatever its region; here the smaller one.
                let expected = match one["size_kib"].as_u64() {
                    Some(9_860_710) => 9_856_614,
                    size => size.unwrap(),
                };
                assert_eq!(other["size_kib"], expected, "{form}");
            }
        }
    }
}

#[test]
fn all_forms_together_still_say_the_same_of_the_largest_keys() {
    let place = Place::new();
    let found = report(&place, &sample(""), &[]);
    let key = |name: &str| super::row(&found, "orders", &serde_json::json!([name])).clone();
    assert_eq!(key("tenant-0002")["size_kib"], 22_650_880);
    let growth = key("tenant-0001")["growth_kib_per_day"].as_f64().unwrap();
    // 1.5 GiB a week; the awkward files add records that are a few seconds off.
    assert!((growth - 1.5 * 1_048_576.0 / 7.0).abs() < 5.0, "{growth}");
}
