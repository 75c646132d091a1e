//! Workloads in every form that they come in.

use crate::analysis::routing::filter::ParameterValue;
use crate::analysis::routing::workload::{Request, RequestKind, Workload, WorkloadNote};
use crate::model::key::{Number, Part};

use super::*;

fn line(request: &Request) -> String {
    let kind = match &request.kind {
        RequestKind::Query { query: Ok(_), sql } => {
            sql.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        RequestKind::Query { query: Err(fault), .. } => format!("!{}", fault.what),
        RequestKind::Point(operation) => format!("{operation:?}"),
    };
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| value.to_string());
    format!("{} | {kind} | {} | {}", request.name, number(request.per_second), number(request.ru))
}

fn lines(text: &str) -> Vec<String> {
    Workload::parse(text).requests.iter().map(line).collect()
}

#[test]
fn texts_with_headings() {
    let text = "\
-- name: latest messages
-- rate: 12/s
-- ru: 3 RU
SELECT *
FROM c -- of one vehicle; no more
WHERE c.deviceId = 'a;b'

  AND c.time > @from;

-- name: a message
-- rate: 30 / min
create;
-- rate: 1,200/h
SELECT * FROM c WHERE c.a = 1

SELECT * FROM c WHERE c.b = 2
-- name: writes
-- replace: the whole document is sent
";
    assert_eq!(
        lines(text),
        [
            "latest messages | SELECT * FROM c -- of one vehicle; no more WHERE c.deviceId = 'a;b' AND c.time > @from | 12 | 3",
            "a message | Create | 0.5 | -",
            "SELECT * FROM c WHERE c.a = 1 | SELECT * FROM c WHERE c.a = 1 | 0.3333333333333333 | -",
            "SELECT * FROM c WHERE c.b = 2 | SELECT * FROM c WHERE c.b = 2 | - | -",
            "writes | Replace | - | -",
        ]
    );
    assert_eq!(
        lines("-- name: a\n-- rate: 1/s\n\nSELECT * FROM c\n\n\n"),
        ["a | SELECT * FROM c | 1 | -"]
    );
    assert_eq!(lines("SELECT 1 FROM c;;;\n;\nSELECT 2 FROM c").len(), 2);
    assert_eq!(
        lines("SELECT * FROM c WHERE c.a = 1\nSELECT * FROM c WHERE c.b = 2\n"),
        [
            "SELECT * FROM c WHERE c.a = 1 | SELECT * FROM c WHERE c.a = 1 | - | -",
            "SELECT * FROM c WHERE c.b = 2 | SELECT * FROM c WHERE c.b = 2 | - | -"
        ]
    );
    let named = Workload::parse(
        "SELECT * FROM c WHERE c.tenantId = @tenant-id AND c.n = @n-1\nbatch\nexecute",
    );
    let routes: Vec<Routing> = (named.requests.iter())
        .map(|request| request.route(&key("/tenantId"), &RoutedLayout::even(3)).routing)
        .collect();
    assert_eq!(routes, [Routing::Single; 3]);
    let inner = "SELECT * FROM c WHERE EXISTS(\nSELECT VALUE t FROM t IN c.tags)\nORDER BY c.a";
    assert_eq!(lines(inner).len(), 1);
    assert!(lines("").is_empty() && lines("\n-- nothing\n").is_empty());
}

#[test]
fn what_cannot_be_read_is_kept_and_told() {
    let text = "-- name: broken\n-- rate: often\nSELECT * FROM c WHERE c.a = 'x;\nSELECT * FROM c WHERE c.a = 1;";
    let workload = Workload::parse(text);
    let bad = |line, what: &str| {
        let what = format!("{what} is not a number up to 1,000,000,000");
        WorkloadNote { line, what }
    };
    assert_eq!(workload.notes, [bad(2, "rate: often")]);
    let huge = Workload::parse("-- rate: 1e308/s\n-- ru: 1e10\nread");
    assert_eq!(huge.notes, [bad(1, "rate: 1e308/s"), bad(2, "ru: 1e10")]);
    assert_eq!(huge.requests.first().map(|read| (read.per_second, read.ru)), Some((None, None)));
    let broken = workload.requests.first().unwrap();
    let route = broken.route(&key("/a"), &RoutedLayout::even(3));
    assert_eq!(route.routing, Routing::Unknown);
    assert_eq!(route.why, "not understood at character 29: this text has no closing quote");
    let workload = Workload::parse("-- name: empty\n-- ru: 1\n");
    assert_eq!(workload.notes.len(), 1);
    let many = "SELECT * FROM c;\n".repeat(10_030);
    let workload = Workload::parse(&many);
    assert_eq!((workload.requests.len(), workload.notes.len()), (10_000, 20));
}

#[test]
fn json_in_its_forms() {
    let list = r#"[{"name":"a","sql":"SELECT * FROM c WHERE c.a = @p","per_second":2.5,"ru":3},
        {"query":"SELECT * FROM c","rate":"60/min","ru":"7.5"},
        {"name":"w","operation":"Upsert","rate":1},
        {"name":"nothing"}, 7, "SELECT 1 FROM c"]"#;
    let workload = Workload::parse(list);
    let read: Vec<String> = workload.requests.iter().map(line).collect();
    assert_eq!(
        read,
        [
            "a | SELECT * FROM c WHERE c.a = @p | 2.5 | 3",
            "SELECT * FROM c | SELECT * FROM c | 1 | 7.5",
            "w | Upsert | 1 | -",
            "SELECT 1 FROM c | SELECT 1 FROM c | - | -",
        ]
    );
    assert_eq!(workload.notes.len(), 2);
    let one_a_line = "{\"sql\":\"SELECT * FROM c\"}\n\n{\"sql\":\"SELECT 2 FROM c\"}\n{bad\n{\"ru\":-1,\"sql\":\"SELECT 3 FROM c\"}";
    let workload = Workload::parse(one_a_line);
    assert_eq!(workload.requests.len(), 3);
    assert_eq!(workload.notes.len(), 2);
    assert_eq!(lines(r#"{"query":"SELECT * FROM c","parameters":[]}"#).len(), 1);
    assert_eq!(lines(r#"{"queries":[{"sql":"SELECT * FROM c"}]}"#).len(), 1);
    assert_eq!(Workload::parse("[{\n}").notes.len(), 1);
}

#[test]
fn parameters_come_with_their_values() {
    let number = |text: &str| Part::Number(Number::from_text(text).unwrap());
    let list = r#"{"sql":"SELECT * FROM c WHERE c.a IN (@a, @b)",
        "parameters":[{"name":"@a","value":"x"},{"name":"b","value":[1, 2.50]}]}"#;
    let object = "{\"sql\":\"SELECT * FROM c WHERE c.a IN (@a, @b)\",\"parameters\":{\"@a\":\"x\",\"b\":[1,2.5]}}";
    let heading = "-- @a: \"x\"\n-- @b: [1, 2.5]\nSELECT * FROM c WHERE c.a IN (@a, @b)";
    for text in [list, object, heading] {
        let workload = Workload::parse(text);
        let request = workload.requests.first().unwrap();
        let RequestKind::Query { query: Ok(query), .. } = &request.kind else {
            panic!("{text}");
        };
        let expected = [
            ("a".into(), ParameterValue::One(Part::Text("x".into()))),
            ("b".into(), ParameterValue::List(vec![number("1"), number("2.5")])),
        ];
        assert_eq!(query.parameters, expected.into(), "{text}");
        let route = request.route(&key("/a"), &RoutedLayout::even(10));
        assert_eq!(route.keys, Some(3.0));
    }
    let bare = Workload::parse("-- @a: car-7\nSELECT * FROM c WHERE c.a = @a");
    let RequestKind::Query { query: Ok(query), .. } = &bare.requests.first().unwrap().kind else {
        panic!();
    };
    assert_eq!(
        query.parameters,
        [("a".into(), ParameterValue::One(Part::Text("car-7".into())))].into()
    );
}

/// What an index of the first request of a workload is, with a key over four partitions.
fn index_of(text: &str, candidate: &str) -> Option<SecondaryIndex> {
    let (workload, layout) = (Workload::parse(text), RoutedLayout::even(4));
    let request = workload.requests.first()?;
    let route = request.route(&key(candidate), &layout);
    secondary_index(request, &route, &workload, &layout, 1.0)
}

#[test]
fn a_secondary_index_saves_visits_and_costs_each_write_once_more() {
    let by_status = "-- rate: 1000/s\n-- ru: 3\nSELECT * FROM c WHERE c.status = @s";
    let writes = "-- rate: 200/s\n-- ru: 6\ncreate";
    // 3 + 3 × 2.5 RU on four partitions, 3 RU on one; 1,200 RU/s of writes once more.
    for (text, candidate, wanted) in [
        (
            format!("{by_status};\n{writes}"),
            "/id",
            Some((Some([10_500.0, 3_000.0]), Some(1_200.0))),
        ),
        (
            format!("-- rate: 10/s\n-- ru: 3\nSELECT * FROM c WHERE c.status = @s;\n{writes}"),
            "/id",
            Some((Some([105.0, 30.0]), Some(1_200.0))),
        ),
        (by_status.to_owned(), "/id", Some((Some([10_500.0, 3_000.0]), None))),
        (
            format!("{by_status};\n-- rate: 200/s\ncreate"),
            "/id",
            Some((Some([10_500.0, 3_000.0]), None)),
        ),
        (
            format!("SELECT * FROM c WHERE c.status = @s;\n{writes}"),
            "/id",
            Some((None, Some(1_200.0))),
        ),
        // The key is in the filter; no property with one value is; a write.
        (format!("{by_status};\n{writes}"), "/status", None),
        ("SELECT * FROM c WHERE c.at > 5".to_owned(), "/id", None),
        (writes.to_owned(), "/id", None),
    ] {
        let found = index_of(&text, candidate);
        let figures = found.as_ref().map(|index| (index.reads, index.writes));
        assert_eq!(figures, wanted, "{text}");
        if let Some(index) = found {
            assert_eq!((index.key.to_string().as_str(), index.visits), ("/status", [4.0, 1.0]));
        }
    }
    let seldom = "-- rate: 10/s\n-- ru: 3\nSELECT * FROM c WHERE c.status = @s;\n";
    let index = index_of(&format!("{seldom}{writes}"), "/id").unwrap();
    assert_eq!(
        index.sentence(),
        "a global secondary index keyed by /status would cost 1,125 RU/s more than it saves"
    );
    let index = index_of(&format!("{by_status};\n{writes}"), "/id").unwrap();
    assert_eq!(
        index.sentence(),
        "global secondary index keyed by /status: queries 1 instead of 4 partitions; \
         reads 10,500 → 3,000 RU/s, no longer on this container; writes +1,200 RU/s on the index; net -6,300 RU/s; \
         eventually consistent, needs continuous backup"
    );
}

#[test]
fn what_single_documents_cost_is_published_by_their_size() {
    use PointOperation::{Create, Delete, Read};
    let cases = [
        (Some(Read), 1.0, 1.0),
        (Some(Read), 100.0, 10.0),
        (Some(Create), 0.2, 5.0),
        (Some(Create), 100.0, 50.0),
        (Some(Delete), 4.0, 10.0),
        (None, 100.0, 2.5),
    ];
    for (operation, document_kib, ru) in cases {
        let request = match operation {
            Some(operation) => Request::point("", operation),
            None => Request::query("", "SELECT * FROM c"),
        };
        assert!((request.charge(document_kib) - ru).abs() < 1e-9, "{operation:?}");
        let measured = request.at(None, Some(7.0));
        assert!((measured.charge(document_kib) - 7.0).abs() < 1e-9);
    }
}
