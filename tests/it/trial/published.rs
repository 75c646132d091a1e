//! Keys that are published as the best for their requests, and others whose answer is known: one of them comes first.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;

use cosmoscope::source::scenario;
use serde_json::Value;

use super::Documents;
use crate::cli::Place;
use crate::hostile;

const GENERATOR: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/published-keys/make.py");
/// Where the load is that of the rates, given, scaled, and where the data grows.
const CALLS: [&str; 4] = ["", "--ru 60000", "--ru 60000 --load 20000", "--growth 5GB"];

/// RU/s that are worth no other key: where keys lie is luck.
const LEAST_SAVED: f64 = 500.0;

fn trial(place: &Place, input: &[&str], more: &[&str]) -> Value {
    let args = [&["trial"], input, &["--quiet", "--format", "json"], more].concat();
    place.run(&args).ends_with(0).json()
}

/// Documents and requests in a folder, with the options of a call.
fn input<'a>(docs: &'a str, queries: &'a str, call: &'a str) -> Vec<&'a str> {
    let usual = [docs, "--queries", queries, "--partitions", "10", "--stored", "100GB"];
    usual.into_iter().chain(call.split_whitespace()).collect()
}

/// The first proposal; None where there is none.
fn first(place: &Place, input: &[&str]) -> Option<Value> {
    let found = trial(place, input, &["--suggest", "5"]);
    found["suggestions"]["proposals"].get(0).cloned()
}

fn key(proposal: Option<&Value>) -> &str {
    proposal.and_then(|one| one["key"].as_str()).unwrap_or("none")
}

/// Keys of one path or two that a read compares with values, as levels and joined.
fn bound_keys<'a>(queries: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut keys = BTreeSet::new();
    for query in queries {
        let compared = query.split("c.").skip(1).filter_map(|rest| rest.split_once(" = @"));
        let paths: Vec<&str> = compared.map(|(name, _)| name).collect();
        for first in &paths {
            keys.insert(format!("/{first}"));
            for second in paths.iter().filter(|second| *second != first) {
                keys.insert(format!("/{first} > /{second}"));
                keys.insert(format!("/{first} + \"-\" + /{second}"));
            }
        }
    }
    keys.into_iter().collect()
}

/// Those of the keys that need less than nine tenths of the RU/s of what is proposed first, by the trial's own figures.
fn cheaper(place: &Place, input: &[&str], proposal: &Value, keys: &[String]) -> Vec<String> {
    let Some(ru) = proposal["ru_to_buy"]["point"].as_f64() else { return Vec::new() };
    let named: Vec<&str> = keys.iter().flat_map(|key| ["--key", key.as_str()]).collect();
    let tried = trial(place, input, &named);
    let is_cheaper = |one: &&Value| {
        let own = one["ru_to_buy"]["point"].as_f64();
        own.is_some_and(|own| own < 0.9 * ru && own < ru - LEAST_SAVED)
    };
    let candidates = tried["candidates"].as_array().into_iter().flatten();
    let known = candidates.filter(|one| keys.iter().any(|key| one["key"] == **key));
    let found = known.filter(is_cheaper);
    found.map(|one| format!("{}: {}, not {ru}", one["key"], one["ru_to_buy"]["point"])).collect()
}

/// A key by this path alone, or as the first level.
fn starts_with(key: &str, path: &str) -> bool {
    key == path || key.starts_with(&format!("{path} >"))
}

#[test]
fn a_published_key_comes_first_in_every_call() {
    let Some(folder) = hostile::generated_files(OsStr::new(GENERATOR)) else {
        return;
    };
    // A path is to be the key or its first level; keys that begin otherwise stand whole.
    let cases: [(&str, &[&str]); 8] = [
        ("tpcc-order-line", &["/ol_w_id"]),
        ("twitter-tweets", &["/uid"]),
        ("wikipedia-revision", &["/rev_page"]),
        ("ms-iot", &["/deviceId"]),
        ("agentkit-orders", &["/customerId"]),
        ("discord-messages", &["/channelId + \"-\" + /bucket", "/channelId > /bucket"]),
        ("leaderboard", &["/scope + \"-\" + /period", "/period + \"-\" + /scope"]),
        ("movr-rides", &["/city > /id", "/city > /riderId"]),
    ];
    let place = Place::new();
    let mut wrong = Vec::new();
    for (case, paths) in cases {
        for kind in ["jsonl", "sql"] {
            let name = format!("{case}.{kind}");
            place.write(&name, fs::read_to_string(folder.path().join(&name)).unwrap());
        }
        let (docs, queries) = (format!("{case}.jsonl"), format!("{case}.sql"));
        let asked = fs::read_to_string(folder.path().join(&queries)).unwrap();
        let bound = bound_keys(asked.split(';'));
        for call in CALLS {
            let input = input(&docs, &queries, call);
            let proposal = first(&place, &input);
            let key = key(proposal.as_ref());
            // The warehouse may be one of several parts.
            let is_part = case == "tpcc-order-line" && key.contains("/ol_w_id");
            if !paths.iter().any(|path| starts_with(key, path)) && !is_part {
                wrong.push(format!("{case} {call}: {key}"));
            }
            let cheaper = proposal.map(|first| cheaper(&place, &input, &first, &bound));
            wrong.extend(cheaper.into_iter().flatten().map(|key| format!("{case} {call}: {key}")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn requests(place: &Documents, sql: &str, wanted: impl Fn(&str) -> bool) {
    place.place.write("own.sql", sql);
    for call in CALLS {
        let proposal = first(&place.place, &input("docs.jsonl", "own.sql", call));
        let key = key(proposal.as_ref());
        assert!(wanted(key), "{call}: {key}");
    }
}

/// Numbers without order that are the same every time.
fn scattered(n: u64) -> u64 {
    n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20
}

fn day(n: u64) -> String {
    format!("2026-{:02}-{:02}T{:02}:{:02}:00Z", 1 + n / 3_000, 1 + n / 110 % 28, n / 5 % 24, n % 60)
}

#[test]
fn a_tenant_with_a_third_of_all_is_parted_by_user() {
    // 40 tenants, the first of them a giant; readers name tenant and user.
    let lines = (0..6_000).map(|n| {
        let tenant = if n % 3 == 0 { 0 } else { scattered(n) % 40 };
        let user = scattered(n + 7_000) % 60;
        let (id, time) = (format!("{:016x}", scattered(n)), day(n));
        format!(
            r#"{{"id":"{id}","tenantId":"t{tenant}","userId":"t{tenant}-u{user}","createdAt":"{time}","text":"x"}}"#
        )
    });
    let place = Documents::new(lines);
    let sql = "-- rate: 2000/s\nSELECT * FROM c WHERE c.tenantId = @t AND c.userId = @u;\n-- rate: 3000/s\ncreate;";
    requests(&place, sql, |key| key.contains("/userId"));
}

#[test]
fn devices_of_which_a_few_write_much_stay_the_key_of_their_readers() {
    let lines = (0..8_000).map(|n| {
        // One document in ten is of ten busy devices, the others of 1,500.
        let device = if n % 10 == 0 { n / 10 % 10 } else { 10 + scattered(n) % 1_500 };
        let (id, time, value) = (format!("{:016x}", scattered(n)), day(n), scattered(n) % 90);
        format!(
            r#"{{"id":"{id}","deviceId":"d{device}","site":"s{}","ts":"{time}","value":{value}}}"#,
            device % 7
        )
    });
    let place = Documents::new(lines);
    let sql = "-- rate: 3000/s\n-- ru: 6\ncreate;\n-- rate: 600/s\n\
        SELECT * FROM c WHERE c.deviceId = @d AND c.ts >= @from;";
    requests(&place, sql, |key| starts_with(key, "/deviceId"));
}

#[test]
fn orders_are_keyed_by_customer_although_reports_ask_for_days() {
    let lines = (0..6_000).map(|n| {
        let (id, time) = (format!("{:016x}", scattered(n)), day(n));
        let customer = scattered(n) % 900;
        format!(
            r#"{{"id":"{id}","customerId":"c{customer}","orderDate":"{time}","total":{},"country":"x{}"}}"#,
            n % 500,
            customer % 5
        )
    });
    let place = Documents::new(lines);
    let sql = "-- rate: 500/s\nSELECT * FROM c WHERE c.customerId = @c;\n\
        -- rate: 2/s\nSELECT * FROM c WHERE c.orderDate >= @from AND c.orderDate < @to;\n\
        -- rate: 100/s\n-- ru: 8\ncreate;";
    requests(&place, sql, |key| starts_with(key, "/customerId"));
}

/// Of every container of the scenarios.
#[test]
fn no_key_that_reads_name_is_cheaper_than_the_first_proposal() {
    let place = Place::new();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for of in scenario::list() {
        let path = format!("{}/assets/scenarios/{}.toml", env!("CARGO_MANIFEST_DIR"), of.name);
        let text = fs::read_to_string(path).unwrap();
        for container in text.split("\n[[containers]]").skip(1) {
            let name = container.split('"').nth(1).unwrap();
            let bound = bound_keys(container.lines().filter(|line| line.starts_with("sql = ")));
            let input = ["--scenario", of.name, "--container", name, "--sample", "20000"];
            let Some(proposal) = first(&place, &input) else { continue };
            let cheaper = cheaper(&place, &input, &proposal, &bound).into_iter();
            wrong.extend(cheaper.map(|key| format!("{} {name}: {key}", of.name)));
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 10, "{count} containers have a proposal");
}
