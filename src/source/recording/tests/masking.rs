//! A masked recording of every sample answer holds none of the names and keys, and still fits together.

use std::path::PathBuf;

use super::*;
use crate::source::sampled::PageName;

/// Every name and key of the imaginary account of the samples, as texts that must not be found.
const NAMES: [&str; 22] = [
    "northpier",
    "rg-northpier",
    "11111111-2222-3333-4444-555555555555",
    "99999999-8888-7777-6666-555555555555",
    "\"shop\"",
    "\"orders\"",
    "\"carts\"",
    "\"telemetry\"",
    "\"readings\"",
    "/orders/",
    "/shop/",
    "tenant-000",
    "acme",
    "pizzeria",
    "oslo",
    "plant-",
    "dev-00",
    "O'Brien",
    "línea",
    "tab\\there",
    "NPr0A",
    // The hash of a key tells which it is to whoever can guess.
    "0123ACED",
];

fn mask() -> RecordingMask {
    Arc::new(|role, name| match role {
        // Words that no name holds, different for different names.
        MaskedRole::Key => format!(
            "[\"key-{:x}\"]",
            name.len() * 7919 + name.bytes().map(usize::from).sum::<usize>()
        ),
        _ => format!(
            "{role:?}-{:x}",
            name.bytes()
                .fold(7_usize, |n, b| n.wrapping_mul(31).wrapping_add(b.into()) % 1_000_003)
        ),
    })
}

fn sample(path: &str) -> String {
    let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/samples");
    std::fs::read_to_string(samples.join(path)).unwrap()
}

fn samples() -> Vec<Observation> {
    let of = |kind| Inquiry::container(kind, "shop", "orders");
    let files = [
        (Kind::Container, "read/shop.orders.data-plane"),
        (Kind::Container, "read/shop.orders.az-container-show"),
        (Kind::Ranges, "read/shop.orders.pkranges"),
        (Kind::ManagedThroughput, "arm/throughput-settings.orders"),
        (Kind::Distribution, "arm/retrieve-throughput-distribution.orders"),
        (Kind::Usages, "arm/partitions-usages.orders"),
        (Kind::Metrics, "metrics/normalized-ru-by-range"),
        (Kind::Metrics, "metrics/total-requests-by-status"),
        (Kind::Metrics, "metrics/container-usage"),
        (Kind::Metrics, "metrics/physical-partition-size"),
        (Kind::LoggedSizes, "logged/query-api"),
        (Kind::LoggedSizes, "logged/query-api.partial-error"),
        (Kind::LoggedSizes, "logged/az-query"),
        (Kind::LoggedSizes, "logged/query-api.error"),
    ];
    let text = |path: &str| {
        let path = path.replace("read/", "stats/container-read/");
        sample(&(path.replace("logged/", "stats/log-analytics/") + ".json"))
    };
    let files = files.map(|(kind, path)| answer(1, of(kind), &text(path)));
    let mut seen = Vec::from(files);
    seen.extend(lists_and_documents());
    seen
}

fn lists_and_documents() -> Vec<Observation> {
    let of = |kind| Inquiry::container(kind, "shop", "orders");
    vec![
        answer(
            1,
            Inquiry::account(Kind::Databases),
            "{\"Databases\":[{\"id\":\"shop\"},{\"id\":\"telemetry\",\"_self\":\"dbs/shop/\"}]}",
        ),
        answer(
            1,
            Inquiry::database(Kind::Containers, "shop"),
            "{\"DocumentCollections\":[{\"id\":\"orders\",\"partitionKey\":{\"paths\":[\"/tenantId\"],\"kind\":\"Hash\",\"version\":2}}]}",
        ),
        answer(
            1,
            Inquiry::account(Kind::Account),
            "{\"id\":\"northpier-prod\",\"_rid\":\"northpier-prod.documents.azure.com\",\"writableLocations\":[{\"name\":\"West Europe\",\"databaseAccountEndpoint\":\"https://northpier-prod-westeurope.documents.azure.com:443/\"}]}",
        ),
        answer(
            1,
            Inquiry::account(Kind::ManagedAccount),
            "{\"name\":\"northpier-prod\",\"tags\":{\"acme\":\"acme\"},\"properties\":{\"documentEndpoint\":\"https://northpier-prod.documents.azure.com/\",\"acme inc\":1}}",
        ),
        answer(
            1,
            of(Kind::Documents).part("3/0A1B2C3D/00000"),
            "{\"Documents\":[{\"tenantId\":\"acme\",\"acme inc\":1,\"_ts\":1782000000,\"at\":\"2026-06-22T02:10:41Z\",\"age\":41,\"scores\":{\"pizzeria\":3,\"n\":4},\"list\":[\"oslo\"],\"ok\":true},{\"tenantId\":\"acme\",\"_ts\":1782000001,\"at\":\"2026-06-22T02:10:42Z\",\"list\":[],\"age\":7,\"scores\":{\"oslo\":3,\"n\":4},\"ok\":null},{\"tenantId\":\"x\"}]}",
        ),
        answer(
            1,
            of(Kind::Documents).part("3/key-0123ACED/00002[\"/tenantId\"]"),
            "{\"Documents\":[{\"tenantId\":\"acme\"}]}",
        ),
        answer(1, of(Kind::Counts), "[[\"acme\",7]]"),
        answer(1, of(Kind::Offer), "no JSON: acme"),
        Observation::of(
            &of(Kind::Metrics).part("acme, inc."),
            at(1),
            Err(Trouble::new(Obstacle::Forbidden, "acme is not allowed", "ask northpier")),
        ),
    ]
}

fn masked(dir: &Path) -> (PathBuf, Recording) {
    let path = dir.join("a.rec");
    let options = RecordingOptions { mask: Some(mask()), ..RecordingOptions::default() };
    let mut recorder = recorder(&path, options);
    for one in samples() {
        assert_eq!(recorder.seen(&one), None);
    }
    let recording = read(&path);
    (path, recording)
}

#[test]
fn no_name_and_no_key_is_in_it() {
    let home = tempfile::tempdir().unwrap();
    let (path, recording) = masked(home.path());
    let text = std::fs::read_to_string(path).unwrap();
    for line in text.lines() {
        let lower = line.to_lowercase();
        for name in NAMES {
            assert!(!lower.contains(&name.to_lowercase()), "{name} in {line}");
        }
    }
    assert!(recording.header.masked);
    // No counts by key.
    assert_eq!(recording.lines(), samples().len() - 1);
    let seen = all(&recording);
    let kinds = |kind| seen.iter().any(|seen| seen.inquiry().kind == kind);
    assert!(kinds(Kind::Documents) && !kinds(Kind::Counts));
}

#[test]
fn masked_documents_keep_their_shape_their_times_and_their_sizes() {
    let home = tempfile::tempdir().unwrap();
    let (_, recording) = masked(home.path());
    let documents = all(&recording).into_iter().find_map(|seen| match seen {
        Observation::Answer(answer) if answer.inquiry.kind == Kind::Documents => Some(answer),
        _ => None,
    });
    let answer = documents.unwrap();
    assert_eq!(answer.inquiry.part.as_deref(), Some("3/0A1B2C3D/00000"));
    let body: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
    let read = &body["Documents"];
    let key = |text: &str| {
        let list: Vec<String> = serde_json::from_str(&mask()(MaskedRole::Key, text)).unwrap();
        list[0].clone()
    };
    // The same word for the same value, and as the statistics call it.
    assert_eq!(read[0]["tenantId"], key("[\"acme\"]"));
    assert_eq!(read[0]["tenantId"], read[1]["tenantId"]);
    assert_eq!(
        (&read[0]["_ts"], &read[1]["ok"]),
        (&1_782_000_000.into(), &serde_json::Value::Null)
    );
    assert_eq!(read[0]["at"], "2026-06-22T02:10:41Z");
    assert_eq!(read[0]["age"], key("[41]"));
    assert_eq!(read[0]["scores"]["n"], key("[4]"));
    assert_eq!(read[0]["list"], serde_json::json!([]));
    // Names that only one of three has may be data.
    let names: Vec<&String> = read[0]["scores"].as_object().unwrap().keys().collect();
    assert!(names.iter().any(|name| name.starts_with("Text-")), "{names:?}");
    let sizes = body[crate::source::sampled::SIZES].as_array().unwrap();
    assert_eq!((sizes.len(), &sizes[2]), (3, &16.into()));
    let parts = all(&recording).into_iter().filter_map(|seen| seen.inquiry().part.clone());
    let of_key = parts.filter_map(|part| PageName::parse(&part)).nth(1).unwrap();
    assert!(of_key.is_key() && of_key.number == 2, "{of_key:?}");
    assert_eq!(of_key.paths.map(|paths| paths.len()), Some(1));
}

#[test]
fn names_stay_one_name_and_figures_stay() {
    let home = tempfile::tempdir().unwrap();
    let (_, recording) = masked(home.path());
    let mask = mask();
    let container = mask(MaskedRole::Container, "orders");
    let mut texts = Vec::new();
    for seen in all(&recording) {
        if let Observation::Answer(answer) = &seen {
            if answer.inquiry.container.is_some() {
                assert_eq!(answer.inquiry.container.as_deref(), Some(&*container));
            }
            texts.push(String::from_utf8(answer.body.to_vec()).unwrap());
        }
    }
    let with = |text: &str| texts.iter().filter(|t| t.contains(text)).count();
    // Container reads, resource ids, metrics, logs and the list of containers.
    assert!(with(&container) >= 8, "{}", with(&container));
    assert!(with("22650880") >= 4);
    assert_eq!(with("2FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"), 1);
    assert_eq!(with("\"throughput\":6000.0"), 1);
    assert!(with("NormalizedRUConsumption") >= 1);
    assert!(with("\"/tenantId\"") >= 3);
    assert!(with("West Europe") >= 2);
    assert!(with("2026-06-22T02:10:41.4187442Z") >= 1);
    let account = mask(MaskedRole::Account, "northpier-prod");
    assert_eq!(recording.header.endpoint, format!("https://{account}.documents.azure.com/"));
    assert!(with(&account) >= 5);
}

#[test]
fn an_endpoint_of_one_s_own_is_replaced_whole() {
    for (endpoint, expected) in [
        ("https://a.documents.azure.com:443/", ".documents.azure.com/"),
        ("https://cosmos.acme.example/", ".example/"),
        ("http://localhost:8081/", "http://localhost:8081/"),
        ("http://127.0.0.1:8081/", "http://127.0.0.1:8081/"),
        ("nonsense acme", ".example/"),
    ] {
        let found = masked::Masking::new(mask(), endpoint).endpoint();
        assert!(found.ends_with(expected), "{found}");
        assert!(!found.contains("acme"), "{found}");
    }
}
