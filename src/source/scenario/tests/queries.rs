//! The queries of the scenarios: what they say must be what the load carries and the documents hold.

use std::collections::BTreeMap;

use super::super::spec::{Operation, Reach};
use super::*;

/// The share of the RU/s of a container that questions asked now and then may need without being in its load.
const NOW_AND_THEN: f64 = 0.01;

fn containers() -> Vec<(&'static str, ContainerSpec)> {
    let of = |(name, _): &(&'static str, &str)| {
        let (name, spec) = read(name, ONE_PARTITION).unwrap();
        spec.containers.into_iter().map(move |c| (name, c))
    };
    SCENARIOS.iter().flat_map(of).collect()
}

fn named(name: &str, container: &str, query: &str) -> QuerySpec {
    let all = queries(name, container);
    all.into_iter().find(|q| q.name == query).unwrap()
}

/// Requests and RU a second of each operation, on all partitions together.
fn load(described: &ContainerSpec) -> BTreeMap<Operation, (f64, f64)> {
    let mut sums: BTreeMap<Operation, (f64, f64)> = BTreeMap::new();
    for load in described.keys.iter().flat_map(|group| &group.load) {
        let sum = sums.entry(load.operation).or_default();
        sum.0 += load.ru_per_s / load.ru_each;
        sum.1 += load.ru_per_s;
    }
    for load in &described.without_key {
        let visits = match load.reach {
            Reach::EveryPartition => f64::from(described.partitions),
            Reach::OnePartition => 1.0,
        };
        let sum = sums.entry(load.operation).or_default();
        sum.0 += load.requests_per_s;
        sum.1 += load.requests_per_s * load.ru_each * visits;
    }
    sums
}

/// Physical partitions that a query visits at most.
fn visits(described: &ContainerSpec, equal: &[String], partitions: usize) -> f64 {
    if described.paths.iter().all(|path| equal.contains(path)) {
        1.0
    } else {
        f64::from(u32::try_from(partitions).unwrap())
    }
}

#[test]
fn queries_are_what_the_load_carries() {
    for (name, described) in containers() {
        let load = load(&described);
        let capture = capture(name);
        let number = number(capture, &described.name) as usize;
        let partitions = capture.containers[number].partitions.len();
        let mut listed: BTreeMap<Operation, (f64, f64)> = BTreeMap::new();
        for line in &described.queries {
            let visits = visits(&described, &line.equal_paths, partitions);
            let sum = listed.entry(line.operation).or_default();
            sum.0 += line.per_second;
            sum.1 += line.per_second * line.ru_per_visit * visits;
        }
        let all_ru: f64 = load.values().map(|l| l.1).sum();
        for (operation, (requests, ru)) in &listed {
            let place = format!("{name} {} {operation:?}", described.name);
            if let Some((loaded, loaded_ru)) = load.get(operation) {
                assert!(near(*requests, *loaded), "{place}: {requests} {loaded}");
                assert!(near(*ru, *loaded_ru), "{place}: {ru} {loaded_ru}");
            } else {
                assert_eq!(*operation, Operation::Query, "{place}");
                assert!(*ru <= NOW_AND_THEN * all_ru, "{place}: {ru} of {all_ru}");
            }
        }
        assert!(load.keys().all(|operation| listed.contains_key(operation)));
    }
}

#[test]
fn every_query_says_itself_in_one_line_of_sql() {
    for (name, described) in containers() {
        let all = queries(name, &described.name);
        let names: BTreeSet<&str> = all.iter().map(|q| q.name.as_str()).collect();
        assert_eq!(names.len(), all.len());
        let document = documents(name, &described.name, 1).unwrap().next().unwrap();
        let document: serde_json::Value = serde_json::from_str(&document).unwrap();
        for query in &all {
            assert!(!query.sql.contains('\n') && !query.equal_paths.is_empty());
            assert!(query.per_second > 0.0 && query.ru_per_visit >= 1.0);
            for path in query.equal_paths.iter().chain(&query.range_paths) {
                assert!(document.pointer(path).is_some(), "{name} {path}");
            }
            if query.operation.adds_data() {
                assert!(query.sql.starts_with("-- "), "{}", query.sql);
                assert_eq!(query.equal_paths, described.paths, "{}", query.name);
                continue;
            }
            let equal = query.equal_paths.iter().map(|p| (p, "= @", &p[1..]));
            let range = query.range_paths.iter().map(|p| (p, ">= @", "from"));
            let conditions: Vec<String> = equal
                .chain(range)
                .map(|(path, is, value)| format!("c.{} {is}{value}", &path[1..]))
                .collect();
            let sql = format!("SELECT * FROM c WHERE {}", conditions.join(" AND "));
            assert_eq!(query.sql, sql);
        }
    }
}

#[test]
fn there_are_no_queries_of_what_is_not_there() {
    assert_eq!(queries("nothing", "events"), []);
    assert_eq!(queries("events", "nothing"), []);
}

#[test]
fn the_numbers_of_the_fan_out() {
    let without = named("fanout", "without-key", "vehicles of a model");
    assert_eq!(without.ru_per_visit, claim("fanout-empty-visit"));
    let on_each = without.per_second * without.ru_per_visit;
    assert_eq!(on_each, claim("fanout-10000qps-docs"));
    assert_eq!(without.equal_paths, ["/model"]);
    let with = named("fanout", "with-key", "vehicles of a model");
    assert_eq!(with, without);
    // All of them for one model would ask two and a half times what one key can be given.
    let one_key = with.per_second * with.ru_per_visit;
    assert_eq!(one_key / PARTITION_RU_PER_SECOND, claim("fanout-improved"));
}

#[test]
fn each_way_to_name_the_levels_of_a_hierarchical_key_is_asked() {
    let all = queries("events", "events");
    for levels in [
        &["/tenantId", "/userId", "/sessionId"][..],
        &["/tenantId", "/userId"],
        &["/tenantId"],
        &["/userId"],
        &["/sessionId"],
        &["/tenantId", "/sessionId"],
    ] {
        let reads = all.iter().filter(|q| !q.operation.adds_data());
        assert!(reads.clone().any(|q| q.equal_paths == levels), "{levels:?}");
    }
}

#[test]
fn writes_of_the_telemetry_scenarios() {
    let message = |container| named("plants", container, "a message of a device");
    for container in ["by-plant", "by-plant-and-date", "by-uuid"] {
        let off = message(container).per_second / claim("blog-rate-for-70") - 1.0;
        assert!(off.abs() < 0.005, "{off}");
    }
    let epoch = message("by-plant-and-epoch");
    let on_one_key = epoch.per_second * epoch.ru_per_visit * 0.25;
    assert_eq!(on_one_key, claim("blog-epoch-hot"));
    let month = named("car", "by-month", "a message of a vehicle");
    let cap = PARTITION_RU_PER_SECOND / month.ru_per_visit;
    assert_eq!(cap, claim("month-key-write-cap"));
}
