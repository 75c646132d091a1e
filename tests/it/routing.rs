//! Where queries go, held against the claims of the material and the queries of every scenario.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path as FilePath;

use cosmoscope::analysis::candidate::Candidate;
use cosmoscope::analysis::routing::workload::{Request, RequestAccess};
use cosmoscope::analysis::routing::{
    Cap, PointOperation, Query, RU_PER_VISIT, Route, RoutedLayout, Routing, price, route,
    route_point,
};
use cosmoscope::model::path::Path;
use cosmoscope::source::scenario::{self, QuerySpec};
use serde_json::Value;

fn claims() -> BTreeMap<String, Value> {
    let text = include_str!("data/seed-claims.json");
    let data: Value = serde_json::from_str(text).unwrap();
    let claims = data["claims"].as_array().unwrap();
    let named =
        claims.iter().map(|claim| (claim["id"].as_str().unwrap().to_owned(), claim.clone()));
    named.collect()
}

fn key(text: &str) -> Candidate {
    Candidate::parse(text).unwrap()
}

fn routed(sql: &str, key_text: &str, layout: &RoutedLayout) -> Route {
    let query = Query::parse(sql).unwrap();
    route(&query, &key(key_text), layout)
}

#[track_caller]
fn assert_near(claim: &Value, found: f64) {
    let expected = claim["expected"].as_f64().unwrap();
    let tolerance = claim["tolerance_relative"].as_f64().unwrap().max(1e-9);
    assert!(
        (found - expected).abs() <= expected.abs() * tolerance,
        "{}: {found}, expected {expected}",
        claim["id"]
    );
}

#[test]
fn equality_on_levels_is_classified_as_claimed() {
    let claims = claims();
    let mut checked = 0;
    for (id, claim) in &claims {
        let Some(equal) = claim["inputs"]["equality_on"].as_array() else {
            continue;
        };
        let levels = claim["inputs"]["levels"].as_array().unwrap();
        let names = |list: &[Value], form: &dyn Fn(&str) -> String, between: &str| {
            let all: Vec<String> = list.iter().map(|name| form(name.as_str().unwrap())).collect();
            all.join(between)
        };
        let key = names(levels, &|name| format!("/{name}"), " > ");
        let condition = names(equal, &|name| format!("c.{name} = @{name}"), " AND ");
        let sql = format!("SELECT * FROM c WHERE {condition}");
        let word = match routed(&sql, &key, &RoutedLayout::even(10)).routing {
            Routing::Single => "single partition",
            other => other.word(),
        };
        assert_eq!(claim["expected"], word, "{id}");
        checked += 1;
    }
    assert_eq!(checked, 6);
}

#[test]
fn prices_are_as_claimed() {
    let claims = claims();
    assert_near(&claims["fanout-empty-visit"], RU_PER_VISIT);
    let every = routed("SELECT * FROM c WHERE c.model = @m", "/deviceId", &RoutedLayout::even(10));
    for id in ["fanout-10000qps-deck", "fanout-10000qps-docs"] {
        let each = claims[id]["inputs"]["ru_per_visit"].as_f64().unwrap();
        let price = price(&every, each, Some(10_000.0)).unwrap();
        // Each of the ten partitions costs what an empty visit does; the claim counts with its own price of a visit.
        let visit = price.ru_each - RU_PER_VISIT * 9.0;
        assert_near(&claims[id], visit * 10_000.0);
    }
    let one = routed("SELECT * FROM c WHERE c.model = @m", "/model", &RoutedLayout::even(10));
    let improved = price(&one, 2.5, Some(10_000.0)).unwrap();
    assert_near(&claims["fanout-improved"], improved.ru_each);
    assert_eq!(improved.cap, Some(Cap::OverIfOneKey));

    let claim = &claims["hpk-1000-vs-5"];
    let cost = |visits: f64| {
        let route = Route {
            routing: Routing::Targeted { visits, of: 1000 },
            keys: None,
            known: Vec::new(),
            why: String::new(),
        };
        price(&route, 2.5, None).unwrap().ru_each
    };
    assert_near(claim, cost(1000.0) / cost(5.0));

    let read = route_point(
        PointOperation::Read,
        &key("/date + \".\" + random(400)"),
        &RoutedLayout::even(20),
    );
    assert_near(&claims["suffix-read-random"], read.keys.unwrap());
    let calculated = key("/date + \".\" + bucket(/vin, 400)");
    let read = route_point(PointOperation::Read, &calculated, &RoutedLayout::even(20));
    assert_eq!(read.keys, Some(1.0));
}

fn request(spec: &QuerySpec) -> Request {
    let access =
        if spec.operation.adds_data() { RequestAccess::Write } else { RequestAccess::Read };
    Request::of_sql(spec.name.as_str(), access, &spec.sql)
        .at(Some(spec.per_second), Some(spec.ru_per_visit))
}

/// A query with the paths that a scenario states.
fn sql_of_paths(spec: &QuerySpec) -> String {
    let conditions = |paths: &[String], sign: &str| -> Vec<String> {
        let names = paths.iter().map(|path| Path::parse(path).unwrap().to_string());
        let names = names.map(|path| path.replace('/', "."));
        names.map(|name| format!("c{name} {sign} @{}", name.replace('.', ""))).collect()
    };
    let all = [conditions(&spec.equal_paths, "="), conditions(&spec.range_paths, ">")].concat();
    let condition = if all.is_empty() { "true".to_owned() } else { all.join(" AND ") };
    format!("SELECT * FROM c WHERE {condition}")
}

fn routes(name: &str, container: &str, key_text: &str, partitions: u32) -> Vec<(String, String)> {
    let specs = scenario::queries(name, container);
    assert!(!specs.is_empty(), "{name} {container}");
    let shown = |spec: &QuerySpec| {
        let layout = RoutedLayout::even(partitions);
        let route = request(spec).route(&key(key_text), &layout);
        let text = match route.routing {
            Routing::Targeted { visits, .. } => format!("targeted {visits:.1}"),
            other => other.word().to_owned(),
        };
        (spec.name.clone(), text)
    };
    specs.iter().map(shown).collect()
}

#[track_caller]
fn assert_routes(found: &[(String, String)], expected: &[(&str, &str)]) {
    let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_queries_of_the_stories_route_as_they_are_told() {
    let of_model = "vehicles of a model";
    assert_routes(&routes("fanout", "without-key", "/deviceId", 10), &[(of_model, "fan-out")]);
    assert_routes(&routes("fanout", "with-key", "/model", 10), &[(of_model, "single")]);
    assert_routes(
        &routes("events", "events", "/tenantId > /userId > /sessionId", 5),
        &[
            ("an event", "single"),
            ("an event of a session", "single"),
            ("the events of a session", "single"),
            ("the events of a user", "targeted 1.0"),
            ("the latest events of a tenant", "targeted 1.0"),
            ("a session of a tenant, user unknown", "targeted 1.0"),
            ("the events of a user, tenant unknown", "fan-out"),
            ("the events of a session, nothing else known", "fan-out"),
        ],
    );
    assert_routes(
        &routes("suffix", "by-date", "/date", 20),
        &[
            ("a reading", "single"),
            ("the readings of a vehicle on a day", "single"),
            ("a reading of a day, its suffix unknown", "single"),
            ("the readings of a vehicle", "fan-out"),
        ],
    );
    let suffixed = [
        ("a reading", "single"),
        ("the readings of a vehicle on a day", "fan-out"),
        ("a reading, its suffix calculated from the VIN", "single"),
        ("a reading of a day, its suffix unknown", "fan-out"),
        ("the readings of a vehicle", "fan-out"),
    ];
    assert_routes(&routes("suffix", "by-date-and-suffix", "/dateSuffix", 20), &suffixed);
    let calculated = "/date + \".\" + bucket(/vin, 400)";
    let mut computed = suffixed;
    computed[1].1 = "single";
    computed[3].1 = "targeted 20.0";
    assert_routes(&routes("suffix", "by-date-and-suffix", calculated, 20), &computed);
}

#[test]
fn the_queries_of_plants_route_by_what_they_name() {
    assert_routes(
        &routes("plants", "by-plant", "/plantId", 6),
        &[
            ("a message of a device", "single"),
            ("latest messages of a device", "single"),
            ("a day of a plant", "single"),
            ("a message by its id", "fan-out"),
        ],
    );
    assert_routes(
        &routes("plants", "by-plant-and-date", "/plantDate", 6),
        &[
            ("a message of a device", "single"),
            ("latest messages of a device", "fan-out"),
            ("a day of a plant", "single"),
            ("a message by its id", "fan-out"),
        ],
    );
    assert_routes(
        &routes("plants", "by-uuid", "/id", 6),
        &[
            ("a message of a device", "single"),
            ("latest messages of a device", "fan-out"),
            ("a day of a plant", "fan-out"),
            ("a message by its id", "single"),
        ],
    );
}

#[test]
fn ten_thousand_queries_a_second_without_the_key_fit_no_number_of_partitions() {
    let spec = scenario::queries("fanout", "without-key").remove(0);
    let request = request(&spec);
    for partitions in [10, 100, 1000] {
        let route = request.route(&key("/deviceId"), &RoutedLayout::even(partitions));
        let price = request.price(&route, 1.0).unwrap();
        assert_eq!(price.cap, Some(Cap::OverWithAny));
    }
}

/// Every scenario states the paths of its queries beside their texts: both must route alike.
#[test]
fn query_texts_say_what_their_paths_say() {
    let folder = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("assets/scenarios");
    let mut checked = 0;
    for info in scenario::list() {
        let text = fs::read_to_string(folder.join(format!("{}.toml", info.name))).unwrap();
        let data: toml::Table = text.parse().unwrap();
        for container in data["containers"].as_array().unwrap() {
            let texts = container["paths"].as_array().unwrap();
            let paths = texts.iter().map(|path| Path::parse(path.as_str().unwrap()).unwrap());
            let current = Candidate::of_paths(paths);
            for spec in scenario::queries(info.name, container["name"].as_str().unwrap()) {
                let by_text = request(&spec);
                let by_paths = request(&QuerySpec { sql: sql_of_paths(&spec), ..spec });
                let route =
                    |request: &Request| request.route(&current, &RoutedLayout::even(10)).routing;
                assert_eq!(route(&by_text), route(&by_paths), "{} {by_text:?}", info.name);
                checked += 1;
            }
        }
    }
    assert!(checked > 60, "{checked}");
}
