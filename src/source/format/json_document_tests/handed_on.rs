//! Log records, empty answers, and documents that are refused.

use super::*;

#[test]
fn log_records_are_handed_on_from_every_wrapping() {
    let messages = "event messages with log records";
    for (path, shape) in [
        ("log-analytics/az-query", "log records as JSON"),
        ("event-hubs/one-message", messages),
        ("event-hubs/stream-analytics", messages),
    ] {
        let read = of_sample(&format!("stats/{path}.json"));
        assert_eq!(read.outcome.shape, shape, "{path}");
        let (records, bad) = (read.seen.records.len(), read.seen.bad.len());
        assert_eq!((records, bad), (45, 0), "{path}");
        assert!(read.outcome.notes.is_empty(), "{path}");
    }
    let mixed = of("[{\"PartitionKey\":1},null,\n7,\"x\",[],{},{\"SizeKb\":6}]");
    assert_eq!((mixed.seen.records.len(), mixed.seen.bad.len()), (3, 4));
    assert_eq!(mixed.seen.bad[1], (2, RowFault::MissingColumns, "no record: `7`".to_owned()));
    let two = of("{\"time\":1,\"category\":\"x\"}{\"time\":2,\"category\":\"x\"}");
    assert_eq!(two.seen.records.len(), 2);
}

#[test]
fn query_results_have_columns_before_rows() {
    let full = of_sample("stats/log-analytics/query-api.json");
    assert_eq!(full.outcome.shape, "Log Analytics query result");
    assert_eq!((full.seen.rows.len(), full.seen.columns.len()), (45, 11));
    assert_eq!(full.seen.columns[6], "PartitionKey");
    assert!(full.outcome.notes.is_empty());
    let partial = of_sample("stats/log-analytics/query-api.partial-error.json");
    assert!(!partial.seen.rows.is_empty());
    assert_eq!(
        partial.outcome.notes,
        [
            "the result is incomplete (`PartialError`): `There were some errors when processing your query.`"
        ]
    );
    let none = of_sample("stats/log-analytics/query-api.no-rows.json");
    assert_eq!(none.seen.rows.len(), 0);
    let said = "no rows in this result: no key large enough was reported";
    assert_eq!(none.outcome.notes, [said]);
    let (what, _) = refused("{\"tables\":[{\"name\":\"x\",\"rows\":[[1,2]]}]}");
    assert!(what.contains("no column names"), "{what}");
}

#[test]
fn empty_answers_are_good() {
    let nothing = of_sample("metrics/no-data.json");
    assert_eq!(nothing.counts(), ("metrics", 0, 0));
    let note = "no data in this period: `NormalizedRUConsumption`";
    assert_eq!(nothing.outcome.notes, [note]);
    for (text, note) in [
        ("[]", "an empty list: no records"),
        ("{\"records\":[]}", "an empty list of records"),
        ("{\"value\":[],\"timespan\":\"x\"}", "no data in this period"),
    ] {
        assert_eq!(of(text).outcome.notes, [note]);
    }
}

#[test]
fn what_is_nothing_known_is_refused_in_a_sentence() {
    let (what, next) = refused(&sample("stats/log-analytics/query-api.error.json"));
    assert!(
        what.contains("insufficient access") && next.contains("Log Analytics Reader"),
        "{what} {next}"
    );
    for (text, part) in [
        ("\"hello\"", "a text"),
        ("12", "a number"),
        ("null", "null"),
        ("{\"records\":null}", "not a list"),
        ("{\"records\":{\"a\":1}}", "not a list"),
        ("{\"Alpha\":1,\"beta\":{\"c\":2}}", "`Alpha`, `beta`"),
        ("[{\"id\":\"1\",\"tenant\":\"x\"}]", "`id`, `tenant`"),
        ("{}", "an object without members"),
        ("[1,2]", "1"),
        (" \n", "nothing"),
        ("{\"value\":[{\"a\":1}],\"b\":1}", "`value`, `b`"),
    ] {
        let (what, _) = refused(text);
        assert!(what.contains(part), "{text}: {what}");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(refused(&deep).0.contains("64 levels"));
    assert!(read(&[("x", &"{\"a\":".repeat(200_000))]).is_err());
    let joined = of("{\"records\":[]}{\"x\":1}");
    assert_eq!(joined.outcome.shape, "event messages with log records");
}
