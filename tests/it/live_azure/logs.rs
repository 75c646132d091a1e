//! Log Analytics: what is asked, which table, and what importers make of rows that the service summed up.

use cosmoscope::model::load::RuKey;
use cosmoscope::source::answers::{Inquiry, Kind, Observation, Obstacle};
use cosmoscope::source::live::logs::LogsReader;
use cosmoscope::source::live::target::Target;

use super::fake::{Fake, Response};
use super::{
    WORKSPACE, answer, capture, log_analytics, orders, pace, sample, samples, sign_in, target,
    trouble,
};
use crate::http::Request;

const NO_TABLE: &str = r#"{"error":{"message":"The request had some invalid properties","code":"BadArgumentError","innererror":{"code":"SemanticError","message":"A semantic error occurred.","innererror":{"code":"SEM0100","message":"'where' operator: Failed to resolve table or column expression named 'CDBPartitionKeyStatistics'"}}}}"#;

fn query(request: &Request) -> String {
    let body: serde_json::Value = serde_json::from_str(&request.body).unwrap();
    body["query"].as_str().unwrap().to_owned()
}

/// An answer of the query API with these columns and rows.
fn table(columns: &str, rows: &str) -> String {
    let columns: Vec<String> =
        columns.split(' ').map(|name| format!(r#"{{"name":"{name}","type":"string"}}"#)).collect();
    let columns = columns.join(",");
    format!(r#"{{"tables":[{{"name":"PrimaryResult","columns":[{columns}],"rows":[{rows}]}}]}}"#)
}

/// The columns that a query says it gives, in their order.
fn columns(query: &str) -> String {
    let (_, last) = query.rsplit_once("| project ").unwrap();
    let names = last.split(", ").map(|column| column.split(' ').next().unwrap());
    names.collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn sizes_are_those_of_the_log() {
    let fake = Fake::start(samples);
    let seen = log_analytics(&fake).ask(&Inquiry::account(Kind::LoggedSizes)).await;
    let capture = capture(vec![Observation::Answer(answer(seen))]);
    assert_eq!(capture.sources[0].rows, 45);
    let requests = fake.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].path, format!("/v1/workspaces/{WORKSPACE}/query"));
    let query = query(&requests[0]);
    assert!(query.starts_with(
        "let logged = CDBPartitionKeyStatistics\n| where AccountName =~ \"northpier-prod\";"
    ));
    assert!(!query.contains("DatabaseName =="), "{query}");
}

#[tokio::test]
async fn ru_summed_up_is_no_peak_and_the_rest_is_no_missing_key() {
    let fake = Fake::start(|request| {
        let columns = columns(&query(request));
        assert_eq!(
            columns,
            "TimeGenerated AccountName DatabaseName CollectionName RegionName PartitionKeyRangeId PartitionKey OperationName RequestCharge RequestCount OtherKeys SpanSeconds Type"
        );
        let row = |range: &str, key: &str, ru: f64, count: u32, others: u32| {
            format!(
                r#"["2026-06-22T02:00:00Z","northpier-prod","shop","orders","West Europe","{range}","{key}","Create",{ru:?},{count},{others},60,"CDBPartitionKeyRUConsumption"]"#
            )
        };
        let rows = [
            row("3", r#"[\"tenant-0001\"]"#, 57_145.0, 900, 0),
            row("0", "", 300.0, 80, 17),
            row("0", "", 122.7, 3, 0),
        ];
        Response::ok(table(&columns, &rows.join(",")))
    });
    let seen = log_analytics(&fake).ask(&orders(Kind::LoggedRu)).await;
    let capture = capture(vec![Observation::Answer(answer(seen))]);
    let load = &capture.load;
    assert_eq!(load.ru_width_s, 60);
    let tenant = RuKey::Named(load.keys.find("[\"tenant-0001\"]").unwrap());
    let of = |key: RuKey| {
        let found = load.ru.iter().find(|(cell, _)| cell.key == key).unwrap();
        (found.1.ru, found.1.records)
    };
    assert_eq!(of(tenant), (57_145.0, 900));
    assert_eq!(of(RuKey::Other), (300.0, 80));
    assert_eq!(of(RuKey::NotReported), (122.7, 3));
}

#[tokio::test]
async fn requests_are_told_by_status_and_minute() {
    let fake = Fake::start(|request| {
        let columns = columns(&query(request));
        let rows = [(201, 190_000), (429, 41_000)].map(|(status, count)| {
            format!(
                r#"["2026-06-22T02:00:00Z","northpier-prod","shop","orders","West Europe","0000a003-0000-4000-8000-00000000a003","Create",{status},{count},15.5,250.1,60,"CDBDataPlaneRequests"]"#
            )
        });
        Response::ok(table(&columns, &rows.join(",")))
    });
    let seen = log_analytics(&fake).ask(&orders(Kind::LoggedRequests)).await;
    let capture = capture(vec![Observation::Answer(answer(seen))]);
    let cells = || capture.load.requests.iter();
    assert!(cells().all(|(cell, _)| cell.span_s == 60), "{:?}", cells().next());
    let refused = cells().find(|(cell, _)| cell.status == 429).unwrap().1;
    assert_eq!((refused.requests, refused.ru), (41_000, 15.5));
    assert_eq!(cells().map(|(_, sum)| sum.requests).sum::<u64>(), 231_000);
}

#[tokio::test]
async fn the_shared_table_is_asked_where_the_own_is_missing_or_empty_and_remembered() {
    for own in [
        Response::of(400, NO_TABLE),
        Response::ok(sample("stats/log-analytics/query-api.no-rows.json")),
    ] {
        let fake = Fake::start(move |request| {
            if query(request).contains("AzureDiagnostics") { samples(request) } else { own.clone() }
        });
        let logs = log_analytics(&fake);
        for _ in 0..2 {
            answer(logs.ask(&orders(Kind::LoggedSizes)).await);
        }
        let shared: Vec<bool> = fake
            .requests()
            .iter()
            .map(|request| query(request).contains("AzureDiagnostics"))
            .collect();
        assert_eq!(shared, [false, true, true]);
    }
}

#[tokio::test]
async fn a_log_that_nobody_keeps_is_named() {
    let fake = Fake::start(|_| Response::of(400, NO_TABLE));
    let reported = trouble(log_analytics(&fake).ask(&orders(Kind::LoggedRu)).await);
    assert_eq!((reported.obstacle, fake.count()), (Obstacle::Unsupported, 2));
    assert!(reported.next.unwrap().contains("PartitionKeyRUConsumption"));
    let fake = Fake::start(|_| Response::ok(sample("stats/log-analytics/query-api.no-rows.json")));
    let empty = answer(log_analytics(&fake).ask(&orders(Kind::LoggedSizes)).await);
    assert_eq!(fake.count(), 2);
    assert_eq!(*empty.body, *sample("stats/log-analytics/query-api.no-rows.json"));
}

#[tokio::test]
async fn a_part_of_an_answer_is_an_answer_that_says_so() {
    let partial = sample("stats/log-analytics/query-api.partial-error.json");
    let fake = Fake::start(move |_| Response::ok(partial.clone()));
    let seen = log_analytics(&fake).ask(&Inquiry::account(Kind::LoggedSizes)).await;
    let capture = capture(vec![Observation::Answer(answer(seen))]);
    let source = &capture.sources[0];
    assert_eq!((source.rows, source.incomplete, fake.count()), (20, true, 1));
    assert!(source.notes.iter().any(|note| note.contains("PartialError")), "{:?}", source.notes);
}

#[tokio::test]
async fn refusals_name_the_role_and_the_workspace() {
    let denied = sample("stats/log-analytics/query-api.error.json");
    let fake = Fake::start(move |_| Response::of(403, denied.clone()));
    let reported = trouble(log_analytics(&fake).ask(&orders(Kind::LoggedSizes)).await);
    assert_eq!((reported.obstacle, fake.count()), (Obstacle::Forbidden, 1));
    assert!(reported.next.unwrap().contains("Log Analytics Reader"));
    let fake = Fake::start(|_| Response::of(529, ""));
    let reported = trouble(log_analytics(&fake).ask(&orders(Kind::LoggedSizes)).await);
    assert_eq!((reported.obstacle, fake.count()), (Obstacle::Throttled, 2));
    let named = Target { workspace: Some("my-workspace\u{1b}[2J".to_owned()), ..target() };
    let refused = LogsReader::new(&sign_in(), &named, "a", fake.hosts(), pace()).unwrap_err();
    assert_eq!(refused.what, "no workspace id: my-workspace␛[2J");
}

#[tokio::test]
async fn hostile_names_end_no_literal() {
    let fake = Fake::start(samples);
    let logs = log_analytics(&fake);
    let plain = Inquiry::container(Kind::LoggedSizes, "x", "x");
    answer(logs.ask(&plain).await);
    for name in ["a\" | take 1 //", "\\\"; drop", "a\nb", "\u{2028}"] {
        answer(logs.ask(&Inquiry::container(Kind::LoggedSizes, name, name)).await);
    }
    let requests = fake.requests();
    let lines = |request: &Request| query(request).lines().count();
    assert!(requests.iter().all(|request| lines(request) == lines(&requests[0])));
    assert!(query(&requests[1]).contains(r#"| where DatabaseName == "a\" | take 1 //""#));
}
