//! Three rounds of an account, a day apart, from the sample answers: a key grows, and partition 2 splits into 3 and 4.

use std::fs;
use std::path::{Path, PathBuf};

use cosmoscope::model::time::Stamp;
use cosmoscope::source::answers::{Answer, Failure, Inquiry, Kind, Observation, Obstacle, Trouble};
use cosmoscope::source::recording::{Recorder, RecordingOptions};
use serde_json::{Value, json};

use crate::cli::sample;

pub const ENDPOINT: &str = "https://northpier-prod.documents.azure.com/";
/// 2026-06-20 02:10:41 UTC.
const FIRST: i64 = 1_781_921_441;
const DAY: i64 = 86_400;
/// What the largest key but one grows by in a day.
const GROWTH_KIB: u64 = 524_288;

fn read(name: &str) -> String {
    fs::read_to_string(sample(name)).unwrap()
}

fn at(round: usize, second: i64) -> Stamp {
    let day = i64::try_from(round).unwrap() * DAY;
    Stamp::from_seconds(FIRST + day + second).unwrap()
}

fn orders(kind: Kind) -> Inquiry {
    Inquiry::container(kind, "shop", "orders")
}

/// The container as it was: partitions 3 and 4 were one before the second round.
fn container(round: usize) -> String {
    let text = read("stats/container-read/shop.orders.data-plane.json");
    let mut body: Value = serde_json::from_str(&text).unwrap();
    let partitions = body["statistics"].as_array_mut().unwrap();
    for partition in partitions.iter_mut() {
        for key in partition["partitionKeys"].as_array_mut().unwrap() {
            if key["partitionKey"][0] == "tenant-0001" {
                let kib = key["sizeInKB"].as_u64().unwrap();
                // It passes 90 % of 20 GiB in the second round.
                let before = kib - GROWTH_KIB;
                key["sizeInKB"] = json!(before + GROWTH_KIB * u64::try_from(round).unwrap());
            }
        }
    }
    if round == 0 {
        let fourth = partitions.pop().unwrap();
        let third = partitions.last_mut().unwrap();
        third["id"] = json!("2");
        let sum = |name: &str| third[name].as_u64().unwrap() + fourth[name].as_u64().unwrap();
        let (kib, documents) = (sum("sizeInKB"), sum("documentCount"));
        third["sizeInKB"] = json!(kib);
        third["documentCount"] = json!(documents);
        let keys = fourth["partitionKeys"].as_array().unwrap().clone();
        third["partitionKeys"].as_array_mut().unwrap().extend(keys);
    }
    serde_json::to_string_pretty(&body).unwrap()
}

fn ranges(round: usize) -> String {
    let text = read("stats/container-read/shop.orders.pkranges.json");
    let mut body: Value = serde_json::from_str(&text).unwrap();
    let ranges = body["PartitionKeyRanges"].as_array_mut().unwrap();
    if round == 0 {
        let fourth = ranges.pop().unwrap();
        let third = ranges.last_mut().unwrap();
        third["id"] = json!("2");
        third["maxExclusive"] = fourth["maxExclusive"].clone();
        third["throughputFraction"] = json!(0.5);
        third["parents"] = json!([]);
    }
    serde_json::to_string_pretty(&body).unwrap()
}

fn answer(round: usize, second: i64, inquiry: Inquiry, body: &str) -> Observation {
    Observation::Answer(Answer {
        at: at(round, second),
        inquiry,
        body: body.as_bytes().into(),
        ru: Some(1.0),
    })
}

/// What is seen in each round.
pub fn rounds(count: usize) -> Vec<Vec<Observation>> {
    let round = |n: usize| {
        let metric = orders(Kind::Metrics).part("NormalizedRUConsumption");
        let metrics = if n == 1 {
            Observation::Failure(Failure {
                at: at(n, 3),
                inquiry: metric,
                trouble: Trouble::new(
                    Obstacle::Throttled,
                    "Azure Monitor refused: too many requests (429)",
                    "nothing: it is tried again",
                ),
                ru: None,
            })
        } else {
            answer(n, 3, metric, &read("metrics/normalized-ru-by-range.json"))
        };
        let usages = read("arm/partitions-usages.orders.json");
        let settings = read("arm/throughput-settings.orders.json");
        vec![
            answer(n, 0, Inquiry::account(Kind::Databases), "{\"Databases\":[{\"id\":\"shop\"}]}"),
            answer(
                n,
                0,
                Inquiry::database(Kind::Containers, "shop"),
                "{\"DocumentCollections\":[{\"id\":\"orders\"}]}",
            ),
            answer(n, 1, orders(Kind::Container), &container(n)),
            answer(n, 1, orders(Kind::Ranges), &ranges(n)),
            answer(n, 2, orders(Kind::ManagedThroughput), &settings),
            answer(n, 2, orders(Kind::Usages), &usages),
            metrics,
        ]
    };
    (0..count).map(round).collect()
}

pub fn write(folder: &Path, name: &str, count: usize, options: RecordingOptions) -> PathBuf {
    let path = folder.join(name);
    let mut recorder = Recorder::create(&path, ENDPOINT, at(0, -1), options).unwrap();
    for round in rounds(count) {
        for seen in &round {
            assert_eq!(recorder.seen(seen), None);
        }
        assert_eq!(recorder.end_round(), None);
    }
    path
}

/// Documents of the sample: thirty are whole, of twice as many only two properties were read.
pub const WHOLE: u64 = 30;
pub const NARROW: u64 = 60;

/// Three rounds; in the second a sample is drawn.
pub fn write_with_documents(folder: &Path, name: &str, options: RecordingOptions) -> PathBuf {
    let path = folder.join(name);
    let mut recorder = Recorder::create(&path, ENDPOINT, at(0, -1), options).unwrap();
    for (number, round) in rounds(3).iter().enumerate() {
        for seen in round {
            assert_eq!(recorder.seen(seen), None);
        }
        if number == 1 {
            for seen in pages() {
                assert_eq!(recorder.seen(&seen), None);
            }
        }
        assert_eq!(recorder.end_round(), None);
    }
    path
}

fn pages() -> Vec<Observation> {
    let whole = |n: u64| {
        json!({
            "id": n.to_string(),
            "tenantId": format!("tenant-{:04}", n % 5),
            "city": format!("city-{}", n % 3),
            "_ts": 1_782_000_000 + n,
            "note": "x".repeat(200),
        })
    };
    let narrow =
        |n: u64| json!({"tenantId": format!("tenant-{:04}", n % 5), "_ts": 1_782_000_000 + n});
    let page = |part: &str, documents: Vec<Value>| {
        let body = json!({"_rid": "x", "Documents": documents}).to_string();
        answer(1, 5, orders(Kind::Documents).part(part), &body)
    };
    let named = r#"0/2000000A/00000["/tenantId","/_ts"]"#;
    vec![
        page("0/00000000/00000", (0..WHOLE).map(whole).collect()),
        page(named, (0..NARROW).map(|n| narrow(WHOLE + n)).collect()),
    ]
}
