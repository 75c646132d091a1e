//! The JSON that scripts read, the codes, and documents that want to act on a terminal.

use serde_json::{Value, json};

use super::{Documents, number};
use crate::cli::Place;

fn three() -> Documents {
    Documents::new(
        [
            r#"{"id":"1","t":"a","n":1,"_ts":1750557600}"#,
            r#"{"id":"1","t":"a","n":2.5,"_ts":1750557700}"#,
            r#"{"id":"2","t":null,"_ts":1750557800}"#,
        ]
        .map(str::to_owned),
    )
}

fn names(object: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

const OF_CANDIDATE: &str = "active_keys after_splits basis by_chance coverage demand_ru distinct distinct_range findings growth \
                            hot_hour_share hottest_share k_eff key largest_bytes largest_bytes_range layout levels \
                            load_ratio_ru load_ratio_ru_range load_ratio_ru_v1 load_ratio_storage load_ratio_storage_range \
                            money_per_month now outcome partitions queries ru_to_buy throttled_share throttled_share_range throttled_share_v1 top top_share top_share_range";

/// Two candidates on three documents.
fn tried() -> Value {
    let documents = three();
    let queries = "-- name: one\nSELECT * FROM c WHERE c.t = 'a';\nSELECT * FROM c";
    documents.place.write("q.sql", queries);
    let options = "--current /t --key /t>/n --partitions 4 --ru 400 --queries q.sql";
    documents.json(&options.split(' ').collect::<Vec<_>>())
}

#[test]
fn the_json_has_the_names_that_scripts_depend_on() {
    let found = tried();
    let wanted = "bytes candidates documents notes sampled schema";
    assert_eq!(names(&found).join(" "), wanted);
    let current = &found["candidates"][0];
    assert_eq!(names(current).join(" "), OF_CANDIDATE);
    assert_eq!(names(&current["partitions"][0]), ["bytes", "id", "ru"]);
    assert_eq!(
        names(&current["top"][0]).join(" "),
        "bytes documents key share share_of_ru share_range"
    );
    assert_eq!(names(&current["queries"][0]), ["name", "routing", "visits"]);
    assert_eq!(names(&current["findings"][0]), ["message", "rule", "severity"]);
}

#[test]
fn the_json_has_typed_keys_and_whole_sums() {
    let found = tried();
    assert_eq!((&found["schema"], &found["documents"]), (&json!(2), &json!(3)));
    assert_eq!(found["sampled"], false);
    let [current, other] = [&found["candidates"][0], &found["candidates"][1]];
    assert_eq!((&current["key"], &current["levels"]), (&json!("/t"), &json!(1)));
    assert_eq!((&other["key"], &other["levels"]), (&json!("/t > /n"), &json!(2)));
    assert_eq!(current["top"][0]["key"], json!(["a"]));
    assert_eq!(current["top"][1]["key"], json!([null]));
    assert_eq!(other["top"][0]["key"], json!(["a", 2.5]));
    assert_eq!(other["top"][2]["key"], json!([null, {}]));
    let partitions = current["partitions"].as_array().unwrap();
    assert_eq!(partitions.len(), 4);
    let sum: f64 = partitions.iter().map(|p| number(&p["bytes"])).sum();
    assert!((sum - number(&found["bytes"])).abs() < 1e-9);
    let query = json!({"name": "one", "routing": "single", "visits": 1});
    assert_eq!(current["queries"][0], query);
    assert_eq!(current["queries"][1]["routing"], "fan-out");
}

#[test]
fn documents_that_would_meet_are_found_for_the_key_under_which_they_do() {
    let found = tried();
    let has = |at: usize| {
        let findings = found["candidates"][at]["findings"].as_array().unwrap();
        findings.iter().any(|f| f["rule"] == "id-collisions")
    };
    assert!(has(0) && !has(1), "{found}");
}

#[test]
fn a_key_that_is_none_is_pointed_at() {
    let documents = three();
    let answer = documents.run(&["--key", "/t + month("]).ends_with(2);
    assert!(answer.err.contains("at character 12"), "{}", answer.err);
    assert!(answer.err.contains("\n  /t + month(\n             ^"), "{}", answer.err);
    for wrong in [
        &["--key", "/t > /a > /b > /c"][..],
        &["--current", "t"],
        &[],
        &["--key", "/t", "--partitions", "0"],
        &["--key", "/t", "--ru", "-5"],
        &["--key", "/t", "--storage-factor", "nan"],
        &["--key", "/t", "--queries", "nowhere.sql"],
        &["--key", "/t", "--time", "x"],
        &["--key", "/t", "--scenario", "car"],
    ] {
        documents.run(wrong).ends_with(2);
    }
}

#[test]
fn inputs_without_documents_are_refused() {
    let place = Place::new();
    place.write("none.json", "[]");
    place.write("text.txt", "not a document");
    for name in ["none.json", "text.txt", "missing.json"] {
        place.run(&["trial", name, "--key", "/a"]).ends_with(2);
    }
    let unknown = ["trial", "--scenario", "car", "--container", "nowhere", "--key", "/a"];
    place.run(&unknown).ends_with(2);
}

#[test]
fn a_file_is_whole_or_absent_and_never_overwritten_unasked() {
    let documents = three();
    let to_file = ["--key", "/t", "--format", "md", "-o", "out.md"];
    documents.run(&to_file).ends_with(0);
    documents.run(&to_file).ends_with(2);
    documents.run(&[&to_file[..], &["--force"]].concat()).ends_with(0);
    documents.run(&["--key", "/t", "-o", "docs.jsonl", "--force"]).ends_with(2);
}

/// Values, names and ids that would clear a screen, turn text around or break a table.
fn hostile() -> Documents {
    let evil = r"\u001b[2J\u202e|<b>\u0007";
    Documents::new((0..4).map(|n| {
        format!(r#"{{"id":"{evil}","k{evil}":"{evil}","k":"{evil}{n}","o":["{evil}"],"time":"2026-01-01T00:00:00Z"}}"#)
    }))
}

#[test]
fn hostile_documents_never_act_on_the_terminal() {
    let documents = hostile();
    documents.place.write(
        "q.sql",
        "-- name: \u{1b}[2J\u{202e}\nSELECT * FROM c WHERE c.k = '\u{1b}]0;x\u{7}'",
    );
    for format in ["text", "json", "csv", "md", "html"] {
        let answer = documents.run(&[
            "--key",
            "/k",
            "--key",
            "/\"k\\u001b[2J\\u202e|<b>\\u0007\"",
            "--key",
            "/o",
            "--current",
            "lower(/k) + \"-\" + /id",
            "--queries",
            "q.sql",
            "--format",
            format,
        ]);
        let answer = answer.ends_with(0);
        for text in [answer.text(), answer.err] {
            let acts =
                |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202e}' | '\u{2066}');
            assert!(!text.contains(acts), "{format}: {text:?}");
            let is_markup = matches!(format, "md" | "html");
            assert!(!is_markup || !text.contains("<b>"), "{text}");
        }
    }
    let answer = documents.run(&["--key", "/k\u{1b}[2J + "]).ends_with(2);
    assert!(!answer.err.contains('\u{1b}'), "{:?}", answer.err);
}

#[test]
fn masked_values_are_nowhere() {
    let documents = Documents::new((0..50).map(|n| {
        format!(
            r#"{{"id":"same-secret","tenant":"secret-{}","time":"2026-01-01T00:00:00Z"}}"#,
            n % 7
        )
    }));
    documents.place.write("q.sql", "SELECT * FROM c WHERE c.tenant = 'secret-1'");
    for format in ["text", "json", "csv", "md", "html"] {
        let answer = documents.run(&[
            "--key",
            "/tenant",
            "--mask",
            "--ru",
            "400",
            "--mask-salt",
            "s",
            "--queries",
            "q.sql",
            "--format",
            format,
        ]);
        let text = answer.ends_with(0).text();
        assert!(!text.contains("secret") && text.contains("/tenant"), "{text}");
        // A table of keys names no value at all, and has no notes.
        let is_plain =
            format == "csv" || text.contains("key-") && text.contains("demand is unknown");
        assert!(is_plain, "{text}");
    }
}

#[test]
fn a_seed_gives_the_same_and_standard_input_is_read() {
    let documents = three();
    let options =
        ["--key", "/t + \".\" + random(7)", "--seed", "5", "--format", "json", "--stored", "1GB"];
    let [one, other] = [0, 1].map(|_| documents.run(&options).ends_with(0).text());
    assert_eq!(one, other);
    let place = Place::new();
    let piped = place
        .run_with(&["trial", "-", "--key", "/a", "--format", "json"], "{\"a\":1}\n{\"a\":1}\n");
    assert_eq!(piped.ends_with(0).json()["candidates"][0]["top"][0]["documents"], 2);
}

#[test]
fn a_table_of_keys_has_the_numbers_of_the_json() {
    let documents = three();
    let options = ["--key", "/t", "--key", "/id", "--current", "/t + \"x\"", "--suggest", "2"];
    let json = documents.json(&options);
    let table = documents.run(&[&options[..], &["--format", "csv"]].concat());
    let table = table.ends_with(0).text();
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let heads = rows.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    let at = |name: &str| heads.iter().position(|head| head == name).unwrap();
    let candidates = json["candidates"].as_array().unwrap();
    let stands: Vec<&str> = rows.iter().map(|row| &row[at("stands")]).collect();
    assert_eq!(stands[..3], ["current", "candidate", "candidate"]);
    assert!(stands[3..].iter().all(|stands| *stands == "proposed"));
    for (row, candidate) in rows.iter().zip(candidates) {
        assert_eq!(row[at("key")], *candidate["key"].as_str().unwrap());
        for name in ["distinct", "largest_bytes", "k_eff", "load_ratio_storage", "throttled_share"]
        {
            let (cell, value) = (&row[at(name)], &candidate[name]);
            match value.as_f64() {
                None => assert_eq!(cell, "", "{name}"),
                Some(value) => {
                    let cell: f64 = cell.parse().unwrap();
                    assert!((cell - value).abs() <= 1e-5 * value.abs(), "{name}: {cell} {value}");
                }
            }
        }
    }
}

#[test]
fn a_page_stands_alone_and_says_what_the_text_says() {
    let documents = three();
    let options =
        ["--key", "/t", "--ru", "20000", "--suggest", "1", "--route", "--least-suffix", "/t"];
    let page = documents.run(&[&options[..], &["--format", "html"]].concat());
    let page = page.ends_with(0).text();
    for word in ["<script", "href", "src=", "@import", "<link", "http://", "https://"] {
        assert!(!page.contains(word), "{word}: {page}");
    }
    for (open, close) in
        [("<table", "</table>"), ("<section", "</section>"), ("<svg", "</svg>"), ("<li>", "</li>")]
    {
        assert_eq!(page.matches(open).count(), page.matches(close).count(), "{open}");
    }
    let text = documents.run(&options).ends_with(0).text();
    for words in [
        "Proposed keys",
        "Suffixes for /t: random",
        "Plan for /t",
        "distinct keys",
        "effective keys, size",
    ] {
        assert!(text.contains(words), "{words}: {text}");
        let plain = page.replace("<bdi>", "").replace("</bdi>", "");
        assert!(plain.contains(words), "{words}: {page}");
    }
    // Each of the four partitions is drawn, also the empty ones.
    assert_eq!(page.matches("<rect").count(), 4, "{page}");
}
