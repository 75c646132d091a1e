//! Trials of a container of which logs tell how it is, and of growth.

use serde_json::{Value, json};

use super::{Documents, number};

/// A container of two partitions with key /t, as reads and range feeds tell it.
const RANGES: &str = r#"{"_rid":"x","PartitionKeyRanges":[
 {"_rid":"a","id":"0","minInclusive":"","maxExclusive":"1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF","throughputFraction":0.5,"status":"online","parents":[]},
 {"_rid":"b","id":"1","minInclusive":"1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF","maxExclusive":"FF","throughputFraction":0.5,"status":"online","parents":[]}],"_count":2}"#;
const READ: &str =
    r#"{"id":"orders","_rid":"x","partitionKey":{"paths":["/t"],"kind":"Hash","version":2}}"#;

fn documents() -> Documents {
    let line = |n: u32| {
        let (hour, day) = (n % 24, 1 + n / 24 % 20);
        format!(
            r#"{{"id":"{n}","t":"t{}","u":"u{}","time":"2026-06-{day:02}T{hour:02}:00:07Z"}}"#,
            n % 7,
            n % 50
        )
    };
    let documents = Documents::new((0..960).map(line));
    documents.place.write("ranges.json", RANGES);
    documents.place.write("read.json", READ);
    documents
}

const LOGS: [&str; 4] = ["--logs", "ranges.json", "--logs", "read.json"];

#[test]
fn the_current_key_and_its_ranges_come_from_logs() {
    let documents = documents();
    let found = documents.json(&[&LOGS[..], &["--key", "/u", "--container", "orders"]].concat());
    let [current, other] = [0, 1].map(|at| found["candidates"][at].clone());
    assert_eq!((&current["key"], &current["layout"]), (&json!("/t"), &json!("today")));
    assert_eq!((&other["key"], &other["layout"]), (&json!("/u"), &json!("creation")));
    assert_eq!(current["partitions"].as_array().unwrap().len(), 2);
    let more = [&LOGS[..], &["--partitions", "5", "--container", "orders"]].concat();
    let found = documents.json(&more);
    assert_eq!(found["candidates"][0]["layout"], "today-split");
    assert_eq!(found["candidates"][0]["partitions"].as_array().unwrap().len(), 5);
    let wrong = [&LOGS[..], &["--key", "/u", "--container", "nowhere"]].concat();
    let answer = documents.run(&wrong).ends_with(2);
    assert!(answer.err.contains("no container"), "{}", answer.err);
}

/// What logs show is no number that a decision keeps: it is read again, or said to be missing.
#[test]
fn a_decision_reads_its_logs_again() {
    let documents = documents();
    let options = [&LOGS[..], &["--key", "/u", "--container", "orders"]].concat();
    documents.run(&[&options[..], &["--save", "key.toml"]].concat()).ends_with(0);
    let again = documents.json(&["--decision", "key.toml"]);
    assert_eq!(again["candidates"], documents.json(&options)["candidates"]);
    assert_eq!(again["candidates"][0]["layout"], "today");
    let note = again["notes"][0].as_str().unwrap();
    assert!(note.starts_with("nothing differs"), "{note}");
    let file = |name: &str| documents.place.data().join(name);
    std::fs::rename(file("read.json"), file("read-2.json")).unwrap();
    std::fs::rename(file("ranges.json"), file("ranges-2.json")).unwrap();
    let missing = documents.run(&["--decision", "key.toml"]).ends_with(2).err;
    assert!(missing.contains("ranges.json") && missing.contains("read.json"), "{missing}");
    let others = ["--logs", "ranges-2.json", "--logs", "read-2.json"];
    let others = [&["--decision", "key.toml"], &others[..]].concat();
    assert_eq!(documents.json(&others)["candidates"], again["candidates"]);
    let masked = [&others[2..], &["--key", "/u", "--mask", "--save", "masked.toml"]].concat();
    documents.run(&masked).ends_with(0);
    let text = std::fs::read_to_string(file("masked.toml")).unwrap();
    assert!(!text.contains("read-2") && !text.contains("orders"), "{text}");
}

#[test]
fn growth_and_retention_are_told_with_their_dates() {
    let documents = documents();
    let growth = |more: &[&str]| -> Value {
        let options = [&["--key", "/t", "--key", "/t + \"-\" + day(/time)"], more].concat();
        documents.json(&options)["candidates"].clone()
    };
    let found = growth(&["--growth", "70GB", "--as-of", "2026-07-01"]);
    let (plain, dated) = (&found[0]["growth"], &found[1]["growth"]);
    assert_eq!((&plain["wall_state"], &plain["rate"]), (&json!("date"), &json!("given")));
    assert_eq!(plain["as_of"], "2026-07-01T00:00:00Z");
    assert_eq!(dated["period"], "day");
    assert!(number(&dated["most_bytes"]) < 20e9);
    assert_eq!(dated["because"], "period-ends");
    let kept = growth(&["--growth", "70GB", "--retention", "1d"]);
    assert_eq!(kept[0]["growth"]["because"], "deleted");
    let text = documents.run(&["--key", "/t", "--growth", "70GB"]).ends_with(0).text();
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(words.join(" ").contains("(70.0 GiB/day in all, as given)"), "{text}");
    for wrong in [["--growth", "much"], ["--retention", "30"], ["--as-of", "soon"]] {
        documents.run(&[&["--key", "/t"], &wrong[..]].concat()).ends_with(2);
    }
}

#[test]
fn what_is_hot_says_over_which_window() {
    let found = documents().json(&["--key", "/t"]);
    let now = &found["candidates"][0]["now"];
    assert_eq!(now["time"], "/time");
    assert_eq!(now["share"], found["candidates"][0]["hot_hour_share"]);
    let hours = number(&now["hours"]);
    assert!(hours >= 24.0 && number(&now["documents"]) >= 100.0, "{now}");
    let [low, high] = [0, 1].map(|at| number(&now["share_range"][at]));
    assert!(low < number(&now["share"]) && number(&now["share"]) < high);
    assert_eq!(found["candidates"][0]["active_keys"]["at_least"], false);
}

/// Whether some properties are read or all of them, and whatever a property is called.
#[test]
fn the_same_property_is_the_time_with_and_without_a_search() {
    for (time, properties) in [
        ("/takenAt", r#""takenAt":"2026-06-DDTHH:00:07Z""#),
        ("/device/seen", r#""device":{"seen":"2026-06-DDTHH:00:07Z"}"#),
        (
            "/modifiedAt",
            r#""modifiedAt":"2026-06-DDTHH:00:07Z","createdAt":"2026-05-DDTHH:00:07Z""#,
        ),
        ("/_ts", r#""created":"2026-06-DDTHH:00:07Z","_ts":17822DDHH0"#),
        ("/at", r#""note":"2026","day":"2026-06-DD","at":"2026-06-DDTHH:00:07Z""#),
    ] {
        let line = |n: u32| {
            let (hour, day) = (format!("{:02}", n % 24), format!("{:02}", 1 + n / 24 % 20));
            let properties = properties.replace("DD", &day).replace("HH", &hour);
            format!(r#"{{"id":"{n}","t":"t{}",{properties}}}"#, n % 7)
        };
        let documents = Documents::new((0..960).map(line));
        let some = documents.json(&["--key", "/t", "--partitions", "2"]);
        let all = documents.json(&["--key", "/t", "--partitions", "2", "--suggest"]);
        for found in [&some, &all] {
            assert_eq!(found["candidates"][0]["now"]["time"], time, "{properties}");
        }
        assert_eq!(some["candidates"][0]["now"], all["candidates"][0]["now"]);
    }
}

#[test]
fn ru_by_logged_keys_need_logs_and_say_so() {
    let text = documents().run(&["--key", "/t", "--weight", "logged"]).ends_with(0).text();
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(words.join(" ").contains("no logged RU belong to keys of these documents"), "{text}");
    let weighed = documents().json(&["--key", "/t", "--weight", "bytes"]);
    assert!(number(&weighed["candidates"][0]["hottest_share"]) > 0.14);
}

#[test]
fn logged_sizes_alone_judge_what_is_made_of_the_current_key() {
    let place = crate::cli::Place::new();
    let read = r#"{"id":"orders","_rid":"x","partitionKey":{"paths":["/t"],"kind":"Hash","version":2},
 "statistics":[{"id":"0","sizeInKB":9000000,"documentCount":5,"partitionKeys":[{"partitionKey":["a"],"sizeInKB":8000000},{"partitionKey":["b"],"sizeInKB":500000}]}]}"#;
    place.write("read.json", read);
    let options = [
        "trial",
        "--logs",
        "read.json",
        "--key",
        "/t + \".\" + random(4)",
        "--key",
        "/other",
        "--partitions",
        "2",
    ];
    let found = place.run(&[&options[..], &["--format", "json"]].concat()).ends_with(0).json();
    assert_eq!(found["documents"], Value::Null);
    let [current, suffixed] = [0, 1].map(|at| found["candidates"][at].clone());
    assert_eq!((&current["basis"], &current["key"]), (&json!("statistics"), &json!("/t")));
    assert!((number(&current["largest_bytes"]) - 8_000_000.0 * 1024.0).abs() < 1.0);
    assert!((number(&suffixed["largest_bytes"]) - 2_000_000.0 * 1024.0).abs() < 1.0);
    assert_eq!(found["candidates"].as_array().unwrap().len(), 2);
    assert!(found["notes"].to_string().contains("/other: unknown without"), "{}", found["notes"]);
    let text = place.run(&options).ends_with(0).text();
    assert!(text.contains("without documents"), "{text}");
    let refused =
        place.run(&["trial", "--logs", "read.json", "--current", "/z", "--key", "/other"]);
    assert!(refused.ends_with(2).err.contains("sample of documents"));
}
