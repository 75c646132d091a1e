//! Log records, empty answers, and documents that are refused.

use super::*;

#[test]
fn log_records_are_handed_on_from_every_wrapping() {
    for (path, shape, records) in [
        (
            "stats/log-analytics/az-query.json",
            "log records as JSON",
            45,
        ),
        (
            "stats/event-hubs/one-message.json",
            "event messages with log records",
            45,
        ),
        (
            "stats/event-hubs/stream-analytics.json",
            "event messages with log records",
            45,
        ),
    ] {
        let read = of_sample(path);
        assert_eq!(
            (
                read.outcome.shape,
                read.seen.records.len(),
                read.seen.bad.len()
            ),
            (shape, records, 0),
            "{path}"
        );
        assert!(read.outcome.notes.is_empty(), "{path}");
    }
    let mixed = of("[{\"PartitionKey\":1},null,\n7,\"x\",[],{},{\"SizeKb\":6}]");
    assert_eq!((mixed.seen.records.len(), mixed.seen.bad.len()), (3, 4));
    assert_eq!(
        mixed.seen.bad[1],
        (2, RowFault::MissingColumns, "no record: `7`".to_owned())
    );
    assert_eq!(
        of("{\"time\":1,\"category\":\"x\"}{\"time\":2,\"category\":\"x\"}")
            .seen
            .records
            .len(),
        2
    );
}

#[test]
fn query_results_have_columns_before_rows() {
    let full = of_sample("stats/log-analytics/query-api.json");
    assert_eq!(
        (
            full.outcome.shape,
            full.seen.rows.len(),
            full.seen.columns.len()
        ),
        ("Log Analytics query result", 45, 11)
    );
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
    assert_eq!(
        (none.seen.rows.len(), none.outcome.notes.as_slice()),
        (
            0,
            ["no rows in this result: no key large enough was reported".to_owned()].as_slice()
        )
    );
    assert!(
        refused("{\"tables\":[{\"name\":\"x\",\"rows\":[[1,2]]}]}")
            .0
            .contains("no column names")
    );
}

#[test]
fn empty_answers_are_good() {
    let nothing = of_sample("metrics/no-data.json");
    assert_eq!(
        (nothing.outcome.shape, nothing.outcome.other_rows),
        ("metrics", 0)
    );
    assert_eq!(
        nothing.outcome.notes,
        ["no data in this period: `NormalizedRUConsumption`"]
    );
    assert_eq!(of("[]").outcome.notes, ["an empty list: no records"]);
    assert_eq!(
        of("{\"records\":[]}").outcome.notes,
        ["an empty list of records"]
    );
    assert_eq!(
        of("{\"value\":[],\"timespan\":\"x\"}").outcome.notes,
        ["no data in this period"]
    );
}

#[test]
fn what_is_nothing_known_is_refused_in_a_sentence() {
    let (what, next) = match read(&[("x", &sample("stats/log-analytics/query-api.error.json"))])
        .err()
        .unwrap()
    {
        Ending::Refused { what, next } => (what, next.unwrap()),
        other => unreachable!("{other:?}"),
    };
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
        assert!(
            refused(text).0.contains(part),
            "{text}: {}",
            refused(text).0
        );
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(refused(&deep).0.contains("64 levels"));
    assert!(read(&[("x", &"{\"a\":".repeat(200_000))]).is_err());
    let joined = of("{\"records\":[]}{\"x\":1}");
    assert_eq!(joined.outcome.shape, "event messages with log records");
}
