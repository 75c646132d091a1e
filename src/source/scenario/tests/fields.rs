//! What the fields of the documents say, one beside the other and as the training material counts.

use serde_json::Value;

use super::documents::{containers, moment, number_of, parsed, share, text};
use super::*;
use crate::model::time::SECONDS_PER_DAY;

const HOUR: i64 = 3600;

#[test]
fn synthetic_keys_are_made_of_the_fields_beside_them() {
    for document in parsed("car", "by-device-and-month", 200) {
        let made = format!("{}-{}", text(&document, "deviceId"), text(&document, "month"));
        assert_eq!(text(&document, "deviceMonth"), made);
    }
    for document in parsed("plants", "by-plant-and-date", 200) {
        let made = format!("{}-{}", text(&document, "plantId"), text(&document, "date"));
        assert_eq!(text(&document, "plantDate"), made);
    }
    for document in parsed("plants", "by-plant-and-epoch", 200) {
        let made = format!("{}-{}", text(&document, "plantId"), document["epoch"]);
        assert_eq!(text(&document, "plantEpoch"), made);
    }
    for document in parsed("suffix", "by-date-and-suffix", 200) {
        let made = format!("{}.{}", text(&document, "date"), document["suffix"]);
        assert_eq!(text(&document, "dateSuffix"), made);
    }
}

/// One thing is of one kind in all containers of its scenario; the smaller fleet of `by-month` is one of its own.
#[test]
fn what_belongs_together_stays_together() {
    for (name, containers, owner, fields) in [
        (
            "car",
            &["by-model", "by-device", "by-device-and-month"][..],
            "deviceId",
            &["vin", "model", "driverType"][..],
        ),
        ("car", &["by-month"], "deviceId", &["vin", "model", "driverType"]),
        ("fanout", &["without-key", "with-key"], "deviceId", &["vin", "model"]),
        ("suffix", &["by-date", "by-date-and-suffix"], "vin", &["suffix"]),
        ("users", &["by-username", "by-favorite-color"], "username", &["favoriteColor", "country"]),
    ] {
        let mut known: BTreeMap<(String, &str), Value> = BTreeMap::new();
        let mut met = 0;
        for document in containers.iter().flat_map(|c| parsed(name, c, 1500)) {
            for field in fields {
                let place = (document[owner].as_str().unwrap().to_owned(), *field);
                let value = document[*field].clone();
                if let Some(before) = known.insert(place, value.clone()) {
                    assert_eq!(before, value, "{name} {field}");
                    met += 1;
                }
            }
        }
        assert!(met > 500, "{name} {met}");
    }
}

#[test]
fn the_drivers_of_the_training_material() {
    // 5,400 messages of 1 KB a day of each of 200, four times as many of each of 10, for two years.
    let two_years = (200 + 4 * 10) * 5_400 * 730;
    assert_eq!(stored_documents("car", "by-device").unwrap(), two_years);
    let held = containers().iter().find(|h| h.spec.name == "by-device").unwrap();
    assert_eq!(held.bytes, [1024, 1024]);
    let of_two_years = |key: &str| {
        let named = held.keys.iter().find(|k| k.canonical == key);
        named.unwrap().kib
    };
    for (key, day, year) in [
        ("[\"car-1\"]", "driver-day", "driver-year"),
        ("[\"hourly-1\"]", "hourly-day", "hourly-year"),
    ] {
        let kib = of_two_years(key);
        assert!(near(kib / 730.0 / 1024.0, claim(day)), "{key}");
        assert!(near(kib / 2.0 / KIB_PER_GIB, claim(year)), "{key}");
    }
    let all = parsed("car", "by-device", 6000);
    let hourly = share(&all, |d| text(d, "driverType") == "hourly");
    assert!((hourly - 40.0 / 240.0).abs() < 0.025, "{hourly}");
    // Half of the vehicles end their day at midnight, half in the morning or in the afternoon.
    for document in &all {
        let minute = moment(document).rem_euclid(SECONDS_PER_DAY) / 60;
        let driven = match text(document, "driverType") {
            "typical" => (1350..1440).contains(&minute) || (390..480).contains(&minute),
            _ => (1080..1440).contains(&minute) || (480..840).contains(&minute),
        };
        assert!(driven, "{document}");
    }
    let evening = share(&all, |d| moment(d).rem_euclid(SECONDS_PER_DAY) >= 18 * HOUR);
    assert!((evening - 0.5).abs() < 0.04, "{evening}");
}

#[test]
fn the_plants_of_the_training_material() {
    let all = parsed("plants", "by-plant-and-date", 6000);
    let first = share(&all, |d| text(d, "plantId") == "PLANT-1");
    assert!((first - 0.25).abs() < 0.03, "{first}");
    let keys: BTreeSet<&str> = all.iter().map(|d| text(d, "plantDate")).collect();
    assert_eq!(number_of(keys.len()), claim("blog-plant-date-keys"));
    let days: BTreeSet<&str> = all.iter().map(|d| text(d, "date")).collect();
    assert_eq!(days.len(), 30);
    assert_eq!(stored_documents("plants", "by-plant-and-epoch").unwrap(), 3_000_000);
    let first = share(&parsed("plants", "by-uuid", 6000), |d| text(d, "plantId") == "PLANT-1");
    assert!((first - 0.25).abs() < 0.03, "{first}");
}

#[test]
fn the_suffixes_of_the_training_material() {
    let all = parsed("suffix", "by-date", 6000);
    let suffixes: BTreeSet<i64> = all.iter().map(|d| d["suffix"].as_i64().unwrap()).collect();
    assert_eq!(suffixes, (1..=400).collect());
    let keys = sizes(capture("suffix"), "by-date-and-suffix");
    let of_a_day = keys.keys().filter(|key| key.contains("2018-08-09"));
    let of_a_day = number_of(of_a_day.count());
    assert_eq!(of_a_day, claim("suffix-keys"));
    // So many point reads find what has a suffix by chance.
    assert_eq!(of_a_day, claim("suffix-read-random"));
}
