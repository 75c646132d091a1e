//! Answers in which a name stands twice in one object, with two values.

use super::*;

const KIND: &str = r#""type":"Microsoft.DocumentDB/databaseAccounts","kind":"GlobalDocumentDB""#;
const OF_ORDERS: &str = r#""id":"/sqlDatabases/shop/containers/orders/throughputSettings/default""#;

/// The one entry that was left out of an answer, in words.
fn left_out(text: &str) -> (u64, String) {
    let outcome = of(text).outcome;
    let [error] = &outcome.tally.errors[..] else { unreachable!("{outcome:?}") };
    assert_eq!(outcome.tally.skipped, 1);
    (outcome.other_rows, error.detail.clone())
}

#[test]
fn a_setting_of_an_account_is_named() {
    let twice = r#""enableBurstCapacity":true,"enableBurstCapacity":false"#;
    let good = format!(r#"{{"name":"b",{KIND},"properties":{{}}}}"#);
    let nested = format!(r#"{{"name":"a",{KIND},"properties":{{{twice}}}}}"#);
    for (text, rows) in [
        (nested.clone(), 0),
        (format!(r#"{{"name":"a",{KIND},{twice}}}"#), 0),
        (format!(r#"{{"value":[{nested},{good}]}}"#), 1),
    ] {
        let detail = "`enableburstcapacity` is there twice with different values";
        assert_eq!(left_out(&text), (rows, detail.to_owned()), "{text}");
        assert_eq!(of(&text).outcome.shape, "settings of an account");
    }
    // The same twice says nothing else, and what nobody asks for does not matter.
    for inside in [
        r#""enableBurstCapacity":true,"enableBurstCapacity":true"#,
        r#""enableBurstCapacity":true,"other":1,"other":2"#,
    ] {
        let read = of(&format!(r#"{{"name":"a",{KIND},"properties":{{{inside}}}}}"#));
        assert_eq!(read.counts(), ("settings of an account", 1, 0), "{inside}");
    }
}

#[test]
fn throughput_is_named() {
    let autoscale =
        r#""throughput":400,"autoscaleSettings":{"maxThroughput":4000,"maxThroughput":8000}"#;
    for (inside, name) in [
        (r#""throughput":400,"throughput":4000"#, "throughput"),
        // Without its maximum it would read as 400 RU/s that do not scale.
        (autoscale, "maxthroughput"),
    ] {
        let text = format!(r#"{{{OF_ORDERS},"properties":{{"resource":{{{inside}}}}}}}"#);
        let what = format!("`{name}` is there twice with different values");
        assert_eq!(refused(&text).0, what);
    }
}

#[test]
fn of_a_doubtful_key_definition_nothing_is_taken() {
    let container = |inside: &str| {
        let text = format!(
            r#"{{"id":"orders","partitionKey":{{"paths":["/a"],{inside}}},"statistics":[{{"id":"0","sizeInKB":10}}]}}"#
        );
        let read = of(&text);
        let has = read.container().definition.is_some();
        (has, read.outcome.notes)
    };
    assert!(container(r#""kind":"Hash","version":2"#).0);
    for (inside, name) in [
        (r#""kind":"Hash","version":1,"version":2"#, "version"),
        (r#""kind":"Hash","kind":"MultiHash","version":2"#, "kind"),
    ] {
        let note = format!("`{name}` is there twice with different values: none was taken");
        assert_eq!(container(inside), (false, vec![note]));
    }
}

#[test]
fn the_name_of_a_usage_or_a_metric_is_named() {
    let usage = r#"{"value":[{"name":{"value":"Storage","value":"Other"},"unit":"Bytes","currentValue":1024,
        "partitionKeyRangeId":"0"}]}"#;
    let twice = r#"`value` twice: `"Other"` and `"Storage"`"#;
    assert_eq!(left_out(usage), (0, twice.to_owned()));
    for (name, unit, field) in [
        (r#""DataUsage","value":"IndexUsage""#, r#""Bytes""#, "value"),
        (r#""DataUsage""#, r#""Bytes","unit":"Count""#, "unit"),
    ] {
        let metric = |name: &str, unit: &str| {
            format!(
                r#"{{"id":"i","name":{{"value":{name}}},"timeseries":[{{"metadatavalues":[],"data":[
                {{"timeStamp":"2026-06-22T02:00:00Z","total":5}},{{"timeStamp":"2026-06-22T02:05:00Z","total":5}}]}}],"unit":{unit}}}"#
            )
        };
        let good = metric(r#""DocumentCount""#, r#""Count""#);
        let text = format!(r#"{{"value":[{},{good}]}}"#, metric(name, unit));
        let detail = format!("`{field}` is there twice with different values");
        assert_eq!(left_out(&text), (2, detail));
        let held = of(&text).capture.load;
        let names: Vec<&str> = held.metrics.keys().map(|name| &*name.metric).collect();
        assert_eq!(names, ["DocumentCount"]);
    }
}

#[test]
fn a_list_is_named() {
    let partitions = r#""statistics":[{"id":"0","sizeInKB":10}]"#;
    let data = r#""data":[{"timeStamp":"2026-06-22T02:00:00Z","total":5}]"#;
    let series = |inside: &str| {
        format!(
            r#"{{"value":[{{"name":{{"value":"DataUsage"}},"timeseries":[{{"metadatavalues":[],{inside}}}]}}]}}"#
        )
    };
    for (text, name) in [
        (format!(r#"{{"id":"orders",{partitions},{partitions}}}"#), "statistics"),
        (series(&format!("{data},{data}")), "data"),
        (r#"{"value":[],"Value":[]}"#.to_owned(), "Value"),
    ] {
        assert_eq!(refused(&text).0, format!("the list `{name}` is there twice in one object"));
    }
    let text = format!(r#"[{{"id":"a",{partitions}}},{{"id":"b",{partitions}}}]"#);
    assert_eq!(of(&text).capture.containers.len(), 2);
}
