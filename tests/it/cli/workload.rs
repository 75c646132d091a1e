//! `workload`: sums as `report` has them, the file of queries, and what changes between two captures of documents.

use std::fmt::Write as _;

use serde_json::Value;

use super::{Place, sample};

const REQUESTS: &str = "ru/data-plane-requests.portal-us.csv";
const TABLE: &str = "stats/log-analytics/azure-diagnostics.portal-us.csv";

fn json(place: &Place, args: &[&str]) -> Value {
    serde_json::from_str(&place.run(&[args, &["--format", "json"]].concat()).ends_with(0).text())
        .unwrap()
}

fn sum(of: &Value, field: &str) -> u64 {
    let all = of.as_array().unwrap().iter();
    all.map(|one| one[field].as_u64().unwrap_or(0)).sum()
}

#[test]
fn sums_equal_those_of_the_report() {
    let place = Place::new();
    let totals = "ru/data-plane-requests-5m.portal-us.csv";
    for name in [REQUESTS, totals, TABLE] {
        let path = sample(name);
        let found = json(&place, &["workload", &path, "--container", "orders"]);
        let report = json(&place, &["report", &path, "--container", "orders", "--view", "heat"]);
        let (found, report) = (&found["containers"][0], &report["containers"][0]);
        let requests = found["requests"].as_u64().unwrap();
        assert_eq!(sum(&report["partitions"], "requests"), requests, "{name}");
        assert_eq!(sum(&found["operations"], "requests"), requests, "{name}");
        let throttled = sum(&report["partitions"], "refused");
        assert_eq!(sum(&found["operations"], "throttled"), throttled, "{name}");
        assert_eq!(found["counted_by"], "request_log");
    }
}

#[test]
fn programs_and_query_texts_of_the_older_table_are_found() {
    let place = Place::new();
    let path = sample(TABLE);
    let found = json(&place, &["workload", &path]);
    let found = &found["containers"][0];
    assert_eq!(found["clients"][0]["name"], ".NET 3.45.0");
    assert_eq!(found["clients"][0]["hierarchical_keys"], true);
    let query = &found["queries"][0];
    assert_eq!(query["sql"], "SELECT * FROM c WHERE c.tenantId = @p1, c.status <> @value1");
    assert_eq!((query["requests"].as_u64(), query["ru_each"].as_f64()), (Some(1), Some(143.9)));
    for format in ["text", "md", "html", "csv"] {
        let text = place.run(&["workload", &path, "--format", format]).ends_with(0).text();
        assert!(text.contains("tenantId"), "{format}: {text}");
    }
    let hidden = json(&place, &["workload", &path, "--mask"]).to_string();
    assert!(!hidden.contains("tenant-0001") && !hidden.contains("northpier"), "{hidden}");
}

#[test]
fn documents_make_a_whole_page() {
    let place = Place::new();
    let docs = documents(&place, "docs.jsonl", 0);
    let named = written(&place, "named.jsonl", r#"{"id":"1","status":"open"}"#);
    let moved = documents(&place, "moved.jsonl", 9);
    for paths in [&[&docs][..], &[&named], &[&docs, &moved]] {
        let mut args = vec!["workload", "--format", "html"];
        args.extend(paths.iter().map(|path| path.as_str()));
        let page = place.run(&args).ends_with(0).text();
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
        assert!(page.contains("Content-Security-Policy") && page.contains("<h1>"), "{page}");
    }
}

#[test]
fn the_csv_has_a_row_for_each_thing_of_the_json() {
    const BEGINNING: &str = "account,database,container,kind,name,requests,per_second,ru_each,ms_each,throttled,partitions,compared,changed,";
    let place = Place::new();
    let table = sample(TABLE);
    for args in [&["workload", &table][..], &["workload", "--scenario", "tenants"]] {
        let found = json(&place, args);
        let csv = place.run(&[args, &["--format", "csv"]].concat()).ends_with(0).text();
        assert!(csv.starts_with(BEGINNING), "{csv}");
        let of_kind = |kind: &str| {
            let kind = format!(",{kind},");
            csv.lines().filter(move |line| line.contains(&kind)).collect::<Vec<_>>()
        };
        let containers = found["containers"].as_array().unwrap();
        for (list, kind) in [
            ("queries", "query text"),
            ("clients", "client"),
            ("keys", "key"),
            ("advice", "advice"),
        ] {
            let all: usize = containers.iter().map(|c| c[list].as_array().unwrap().len()).sum();
            assert_eq!(of_kind(kind).len(), all, "{kind}\n{csv}");
        }
        assert_eq!(of_kind("rate").len(), 2 * containers.len(), "{csv}");
        let ru = containers[0]["reads"]["ru"].to_string();
        assert!(of_kind("rate")[0].contains(ru.trim_end_matches(".0")), "{csv}");
    }
}

fn written(place: &Place, name: &str, content: &str) -> String {
    place.write(name, content).display().to_string()
}

/// Requests of one container: 3 queries by city and 2 creates a second, for ten seconds.
fn logs(place: &Place) -> [String; 2] {
    let mut requests = "TimeGenerated,AccountName,ActivityId,CollectionName,DatabaseName,DurationMs,OperationName,PartitionId,RegionName,RequestCharge,StatusCode\n".to_owned();
    let mut texts = "TimeGenerated,AccountName,ActivityId,CollectionName,DatabaseName,PartitionKeyRangeId,QueryText,RegionName\n".to_owned();
    for n in 0..50 {
        let at = format!("2026-06-01T08:00:{:02}.123Z", n / 5);
        let (operation, ru) = if n % 5 < 3 { ("Query", 4) } else { ("Create", 9) };
        let _ =
            writeln!(requests, "{at},a,id-{n},orders,shop,5,{operation},p,West Europe,{ru},200");
        if operation == "Query" {
            let _ = writeln!(
                texts,
                "{at},a,id-{n},orders,shop,0,SELECT * FROM c WHERE c.city = 'c{n}',West Europe"
            );
        }
    }
    [written(place, "requests.csv", &requests), written(place, "texts.csv", &texts)]
}

fn documents(place: &Place, name: &str, moved: u32) -> String {
    let lines = (0..200).map(|n| {
        let city = if n < moved { "Moved".to_owned() } else { format!("c{}", n % 50) };
        format!(
            "{{\"id\":\"d{n}\",\"tenant\":\"t{}\",\"city\":\"{city}\",\"status\":\"s{}\"}}\n",
            n % 7,
            n % 3
        )
    });
    written(place, name, &lines.collect::<String>())
}

#[test]
fn the_file_of_queries_is_what_a_trial_takes_from_the_logs_by_itself() {
    let place = Place::new();
    let [requests, texts] = logs(&place);
    let docs = documents(&place, "docs.jsonl", 0);
    let file = place.data().join("queries.sql").display().to_string();
    place.run(&["workload", &requests, &texts, "--as", "queries", "-o", &file]).ends_with(0);
    let keys = ["--key", "/city", "--key", "/tenant"];
    let queries = |more: &[&str]| {
        let args = [&["trial", &docs], &keys[..], more].concat();
        let found = json(&place, &args);
        let of = |n: usize| found["candidates"][n]["queries"].clone();
        [of(0), of(1)]
    };
    let by_file = queries(&["--queries", &file]);
    assert_eq!(by_file[0].as_array().unwrap().len(), 2);
    assert_eq!(by_file[0][0]["routing"], "single");
    assert_eq!(queries(&["--logs", &requests, "--logs", &texts])[0][0]["routing"], "single");
    // Without texts the queries would be taken for no load.
    let none = queries(&["--logs", &requests]);
    assert_eq!(none[0].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_trial_takes_the_partitions_that_logs_name_without_their_ranges() {
    let place = Place::new();
    let docs = documents(&place, "docs.jsonl", 0);
    let trial = ["trial", &docs, "--key", "/city", "--container", "orders"];
    let found = json(&place, &[&trial[..], &["--logs", &sample(REQUESTS)]].concat());
    let partitions = &found["candidates"][0]["partitions"];
    assert_eq!(partitions.as_array().map(Vec::len), Some(4));
}

#[test]
fn a_key_that_parts_batches_says_so() {
    let place = Place::new();
    let docs = documents(&place, "docs.jsonl", 0);
    let file = written(&place, "batch.sql", "-- rate: 3/s\nbatch\n");
    let base = ["trial", &docs, "--current", "/tenant", "--queries", &file];
    let notes = |key: &str| json(&place, &[&base[..], &["--key", key]].concat());
    let text = |key: &str| {
        let args = [&base[..], &["--key", key]].concat();
        place.run(&args).ends_with(0).text().replace("\n  ", " ")
    };
    assert_eq!(notes("/city")["candidates"][1]["queries"][0]["routing"], "single");
    let found = text("/city");
    assert!(
        found.contains("not atomic under /city") && found.contains("of 7 of 7 keys"),
        "{found}"
    );
    assert!(!text("/tenant").contains("not atomic"));
}

#[test]
fn two_captures_show_what_changes() {
    let place = Place::new();
    let (before, after) = (documents(&place, "a.jsonl", 0), documents(&place, "b.jsonl", 25));
    let found = json(&place, &["workload", &before, &after]);
    let changes = &found["changes"];
    assert_eq!(
        (changes["paired"].as_u64(), changes["paired_by"].as_str()),
        (Some(200), Some("/id"))
    );
    let paths = changes["paths"].as_array().unwrap();
    let share = |path: &str| paths.iter().find(|p| p["path"] == path).unwrap()["share"].as_f64();
    assert_eq!((share("/city"), share("/tenant")), (Some(0.125), Some(0.0)));
    let text = place.run(&["workload", &before, &after]).ends_with(0).text();
    assert!(text.contains("13 %") && text.contains("stable"), "{text}");
    let csv = place.run(&["workload", &before, &after, "--format", "csv"]);
    let csv = csv.ends_with(0).text();
    let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let city = csv.lines().find(|line| line.contains(",/city,")).unwrap();
    let of = |name: &str| {
        let at = header.iter().position(|column| *column == name).unwrap();
        city.split(',').nth(at).unwrap()
    };
    let columns = ["compared", "changed", "requests", "throttled"];
    assert_eq!(columns.map(of), ["200", "25", "", ""], "{csv}");
}

#[test]
fn what_changes_is_measured_for_a_key_else_its_name_decides() {
    let place = Place::new();
    let (before, after) = (documents(&place, "a.jsonl", 0), documents(&place, "b.jsonl", 25));
    let named = json(&place, &["workload", &after]);
    assert_eq!(named["changes_by_name"][0]["path"], "/status");
    let text = place.run(&["workload", &after]).ends_with(0).text();
    assert!(text.contains("~ a state that documents pass through"), "{text}");
    let said = |more: &[&str], key: &str| {
        let args = [&["trial", &after, "--key", key][..], more].concat();
        let found = json(&place, &args)["candidates"][0]["findings"].to_string();
        let text = place.run(&args).ends_with(0).text();
        (found, text)
    };
    assert!(said(&[], "/status").0.contains("~ /status looks like a state"));
    let measured = ["--before", before.as_str()];
    let (found, text) = said(&measured, "/city");
    assert!(found.contains("/city changed in 13 % of the documents"), "{found}");
    assert!(text.contains("200 documents are in both captures"), "{text}");
    // It never changed, whatever it is called.
    assert!(!said(&measured, "/status").0.contains("mutable-name"));
    let other = written(&place, "other.jsonl", "{\"id\":\"x\",\"city\":\"y\"}\n");
    place.refuses(&[
        &["trial", &after, "--key", "/city", "--before", &other],
        &["trial", &after, "--key", "/city", "--before", &after],
    ]);
}

#[test]
fn what_holds_no_requests_is_2_with_what_to_give() {
    let place = Place::new();
    let docs = documents(&place, "a.jsonl", 0);
    let sizes = sample(super::STANDARD);
    let several = sample("ru/partition-key-ru-consumption.portal-us.csv");
    place.refuses(&[
        &["workload"],
        &["workload", &docs, &docs, "--as", "queries"],
        &["workload", &docs, &docs, "--container", "orders"],
        &["workload", &docs, "--container", "orders"],
        &["workload", &several, "--as", "queries"],
    ]);
    let refused = place.run(&["workload", &sizes]).ends_with(2);
    assert!(refused.err.contains("CDBDataPlaneRequests"), "{}", refused.err);
}

/// The rows of a log, its header first, each as cells.
fn cells(name: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(sample(name)).unwrap().replace('"', "");
    let mut lines = text.lines();
    let header = lines.next().unwrap().to_owned();
    let rows = (0..60).zip(lines).map(|(second, line)| {
        let (_, rest) = line.split_once(" AM,").unwrap();
        format!("2026-06-22T02:00:{second:02}Z,{rest}")
    });
    let all = std::iter::once(header).chain(rows);
    all.map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn table(rows: &[Vec<String>]) -> String {
    rows.iter().map(|row| row.join(",") + "\n").collect()
}

#[test]
fn only_requests_to_data_are_counted() {
    let place = Place::new();
    let rows = cells(REQUESTS);
    let at = |name: &str| rows[0].iter().position(|cell| cell == name).unwrap();
    let (resource, operation, id) =
        (at("RequestResourceType"), at("OperationName"), at("ActivityId"));
    let found = |more: &[Vec<String>]| {
        let path = written(&place, "log.csv", &table(&[&rows[..], more].concat()));
        let heat = json(&place, &["report", &path, "--view", "heat"]);
        let partitions = heat["containers"][0]["partitions"].clone();
        (json(&place, &["workload", &path])["containers"][0].clone(), partitions)
    };
    let of_data = found(&[]);
    for (on, name, is_data) in [
        ("PartitionKeyRange", "ReadFeed", false),
        ("Collection", "Read", false),
        ("StoredProcedure", "Read", false),
        ("StoredProcedure", "ExecuteJavaScript", true),
        ("document", "Read", true),
        ("", "Read", true),
    ] {
        let mut row = rows[1].clone();
        (row[resource], row[operation]) = (on.to_owned(), name.to_owned());
        let more: Vec<Vec<String>> = (0..200)
            .map(|n| {
                row[id] = format!("more-{n}");
                row.clone()
            })
            .collect();
        let all = found(&more);
        assert_eq!(all == of_data, !is_data, "{on} {name}");
        let more = if is_data { 200 } else { 0 };
        assert_eq!(all.0["requests"].as_u64(), of_data.0["requests"].as_u64().map(|n| n + more));
    }
}

#[test]
fn a_request_log_without_partitions_is_a_request_log() {
    let place = Place::new();
    let mut rows = cells(REQUESTS);
    let whole = written(&place, "whole.csv", &table(&rows));
    let out: Vec<usize> = ["Type", "PartitionId"]
        .map(|name| rows[0].iter().position(|cell| cell == name).unwrap())
        .into();
    for row in &mut rows {
        for at in &out {
            row.remove(*at);
        }
    }
    let path = written(&place, "log.csv", &table(&rows));
    let [all, found] = [whole, path].map(|path| json(&place, &["workload", &path]));
    assert_eq!(found["containers"], all["containers"]);
    assert_eq!(found["containers"][0]["requests"], 24);
    let refused = place.run(&["trial", "log.csv", "--key", "/id"]).ends_with(2);
    assert!(refused.err.contains("these are not documents"), "{}", refused.err);
}

#[test]
fn documents_with_one_id_are_told_apart_by_their_key() {
    let place = Place::new();
    let file = |name: &str, rows: &[[&str; 3]]| {
        let row = |[id, tenant, city]: &[&str; 3]| {
            format!("{{\"id\":\"{id}\",\"tenant\":\"{tenant}\",\"city\":\"{city}\"}}\n")
        };
        written(&place, name, &rows.iter().map(row).collect::<String>())
    };
    let old = file("old.jsonl", &[["1", "a", "x"], ["1", "b", "y"], ["2", "a", "x"]]);
    let new = file("new.jsonl", &[["1", "a", "z"], ["2", "a", "x"], ["3", "a", "x"]]);
    let keys: [&[&str]; 2] = [&[], &["--key", "/tenant"]];
    for key in keys {
        let found = json(&place, &[&["workload", &old, &new], key].concat());
        let changes = &found["changes"];
        let figures = ["paired", "only_before", "only_after", "ambiguous"];
        let figures = figures.map(|name| changes[name].as_u64().unwrap());
        // The document of b is gone, 3 is new.
        assert_eq!(figures, [2, 1, 1, 0], "{key:?} {changes}");
        assert_eq!(changes["paired_by"], "/id and /tenant");
        assert_eq!(changes["paths"][0]["share"], 0.5);
    }
    place.refuses(&[
        &["workload", &old, &new, "--key", "/nothing"],
        &["workload", &sample(REQUESTS), "--key", "/tenant"],
    ]);
}

#[test]
fn documents_alone_say_what_they_show_and_what_is_missing() {
    let place = Place::new();
    let path = written(&place, "docs.jsonl", "{\"id\":\"1\",\"city\":\"x\"}\n");
    let text = place.run(&["workload", &path]).ends_with(0).text().replace('\n', " ");
    for said in ["name of a property", "documents show no requests", "CDBDataPlaneRequests"] {
        assert!(text.contains(said), "{said}: {text}");
    }
}
