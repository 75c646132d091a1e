//! `check` in CI: candidate keys on documents, and findings as `JUnit` and SARIF.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};

use super::xml::{self, Element};
use super::{Answer, Place, STANDARD, sample, table};

/// Documents of 1,500 tenants, two of each, over 30 days.
fn orders() -> Place {
    let place = Place::new();
    let mut text = String::new();
    for n in 0..3000_u32 {
        let (tenant, day) = (n % 1500, n / 100 + 1);
        let _ = writeln!(
            text,
            r#"{{"id":"{n}","tenantId":"t{tenant:04}","status":"open","time":"2026-06-{day:02}T10:{:02}:00Z"}}"#,
            n % 60
        );
    }
    place.write("orders.jsonl", text);
    place
}

fn gate(place: &Place, options: &[&str]) -> Answer {
    let args = [&["check", "--documents", "orders.jsonl"], options].concat();
    place.run(&args)
}

fn rules_of(found: &Value) -> Vec<(String, String)> {
    let all = found["findings"].as_array().unwrap().iter();
    all.map(|f| {
        let text = |name: &str| f[name].as_str().unwrap().to_owned();
        (text("rule"), text("severity"))
    })
    .collect()
}

#[test]
fn a_good_key_is_0_a_bad_one_is_1_and_the_threshold_decides() {
    let place = orders();
    let good = gate(&place, &["--key", "/tenantId", "--format", "json"]);
    let good = good.ends_with(0).json();
    assert_eq!(good, json!({"schema": 1, "worst": null, "partial": false, "findings": []}));
    let month = ["--key", "month(/time)", "--format", "json"];
    let bad = gate(&place, &month).ends_with(1).json();
    let found = rules_of(&bad);
    let has = |rule: &str, severity: &str| found.contains(&(rule.to_owned(), severity.to_owned()));
    assert!(has("too-few-keys", "alarm"), "{found:?}");
    assert!(has("hot-now", "alarm") && has("time-only", "warn"), "{found:?}");
    let first = &bad["findings"][0];
    assert_eq!(
        [&first["candidate"], &first["container"], &first["key"]],
        [&json!("month(/time)"), &json!("unknown container"), &Value::Null]
    );
    let status = ["--key", "/tenantId + \"-\" + /status"];
    let said = gate(&place, &status).ends_with(0).text();
    assert!(
        said.starts_with("1 warning.\n\nwarn   /tenantId + \"-\" + /status: ~ /status looks like"),
        "{said}"
    );
    gate(&place, &[&status[..], &["--fail-on", "warn"]].concat()).ends_with(1);
    // What a key does well is no finding, not even a note.
    gate(&place, &["--key", "/tenantId", "--fail-on", "note"]).ends_with(0);
}

#[test]
fn several_keys_are_judged_each_and_one_bad_one_is_enough() {
    let place = orders();
    let both = ["--key", "/tenantId", "--key", "\"all\"", "--format", "json"];
    let found = gate(&place, &both).ends_with(1).json();
    let of: BTreeSet<&str> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["candidate"].as_str().unwrap())
        .collect();
    assert_eq!(of, BTreeSet::from(["\"all\""]));
}

#[test]
fn the_options_of_trial_count() {
    let place = orders();
    // All documents have this one value.
    let largest = |stored: &str, more: &[&str]| {
        let options = ["--key", "/status", "--stored", stored, "--format", "json"];
        let found = gate(&place, &[&options[..], more].concat());
        let found = found.ends_with(1).json();
        let all = found["findings"].as_array().unwrap().clone();
        all.into_iter().find(|f| f["rule"] == "largest-key")
    };
    assert_eq!(largest("10GB", &[]), None);
    let full = largest("24GB", &[]).unwrap();
    assert_eq!(full["key"], json!(["open"]));
    let share = full["value"].as_f64().unwrap();
    assert!((1.199..1.201).contains(&share), "{share}");
    assert_eq!(full["threshold"], 0.9);
    let asked = largest("10GB", &["--max-logical", "40%"]).unwrap();
    assert_eq!((&asked["severity"], &asked["threshold"]), (&json!("alarm"), &json!(0.4)));
    assert!(largest("10GB", &["--ceiling", "11GB"]).is_some());
    let queries = "SELECT * FROM c WHERE c.status = 'open'";
    place.write("q.sql", queries);
    let fan = gate(
        &place,
        &["--key", "/tenantId", "--queries", "q.sql", "--fail-on", "warn", "--format", "json"],
    );
    assert!(
        rules_of(&fan.ends_with(1).json()).contains(&("fan-out".to_owned(), "warn".to_owned()))
    );
}

/// Half of all documents have one value of /t, the key of the container; its largest key is nearly full.
fn full_soon() -> Place {
    let place = Place::new();
    let mut text = String::new();
    for n in 0..3000_u32 {
        let t = if n % 2 == 0 { 0 } else { n % 40 };
        let _ = writeln!(text, r#"{{"id":"{n}","t":"t{t}","u":"u{}"}}"#, n % 700);
    }
    place.write("orders.jsonl", text);
    place.write(
        "logs.json",
        r#"{"id":"orders","_rid":"x","partitionKey":{"paths":["/t"],"kind":"Hash","version":2},"statistics":[{"id":"0","sizeInKB":30000000,"documentCount":5,"partitionKeys":[{"partitionKey":["t0"],"sizeInKB":20000000}]}]}"#,
    );
    place
}

#[test]
fn the_candidate_decides_and_the_key_of_today_gives_notes() {
    let place = full_soon();
    let logs = ["--logs", "logs.json", "--format", "json"];
    let judged = |key: &str, code: i32| {
        let found = gate(&place, &[&["--key", key], &logs[..]].concat()).ends_with(code).json();
        let found = found["findings"].as_array().unwrap().clone();
        let severities = |of: &str| -> BTreeSet<String> {
            let found = found.iter().filter(|f| f["candidate"] == of);
            found.map(|f| f["severity"].as_str().unwrap().to_owned()).collect()
        };
        (severities("/t"), severities(key))
    };
    let (today, new) = judged("/u", 0);
    assert_eq!(today, BTreeSet::from(["note".to_owned()]));
    assert!(!new.contains("alarm"), "{new:?}");
    let (today, new) = judged("\"all\"", 1);
    assert!(!today.contains("alarm") && new.contains("alarm"), "{today:?} {new:?}");
    // A key that is named decides, also that of today.
    assert!(judged("/t", 1).0.contains("alarm"));
}

#[test]
fn the_candidate_is_what_is_simulated() {
    let place = full_soon();
    let more = ["--simulate", "30d", "--ru", "4000", "--load", "500", "--format", "json"];
    let judged = |options: &[&str], code: i32| {
        let found = gate(&place, &[options, &more[..]].concat()).ends_with(code).json();
        let found = found["findings"].as_array().unwrap().iter();
        let of_rule = found.filter(|f| f["rule"] == "simulated");
        of_rule.map(|f| (f["candidate"].clone(), f["severity"].clone())).collect::<Vec<_>>()
    };
    let logs = ["--logs", "logs.json"];
    assert!(judged(&[&["--key", "/u"], &logs[..]].concat(), 0).is_empty());
    let one = judged(&[&["--key", "\"all\""], &logs[..]].concat(), 1);
    assert_eq!(one.first(), Some(&(json!("\"all\""), json!("alarm"))), "{one:?}");
    // Exports that are checked themselves show the container, too.
    let both = judged(&["logs.json", "--key", "\"all\""], 1);
    assert!(both.contains(&(json!("\"all\""), json!("alarm"))), "{both:?}");
    let sarif = ["logs.json", "--key", "\"all\"", "--simulate", "30d", "--format", "sarif"];
    let sarif = gate(&place, &sarif).text();
    assert_eq!(sarif.matches(r#"{"location":{"uri":"logs.json"}}"#).count(), 1, "{sarif}");
    let without_load = ["--key", "/u", "--simulate", "30d", "--fail-on", "alarm"];
    gate(&place, &without_load).ends_with(4);
}

#[test]
fn a_design_is_judged_by_its_own_key_or_by_another() {
    let place = Place::new();
    let check = |options: &[&str]| place.run(&[&["check", "--scenario"], options].concat());
    let alarms = |found: &Value, key: &str| {
        let found = found["findings"].as_array().unwrap().iter();
        found.filter(|f| f["candidate"] == key && f["severity"] == "alarm").count()
    };
    let own = check(&["tenants", "--format", "json"]).ends_with(1).json();
    assert!(alarms(&own, "/tenantId") > 0, "{own}");
    let two = ["tenants", "--key", "/tenantId > /userId", "--format", "json"];
    let other = check(&two).ends_with(0).json();
    assert_eq!(alarms(&other, "/tenantId"), 0, "{other}");
    // At today's RU/s the new container is throttled, too.
    let simulated = check(&[&two[..], &["--simulate", "1d"]].concat()).ends_with(1).json();
    assert_eq!(alarms(&simulated, "/tenantId"), 0, "{simulated}");
    assert_eq!(alarms(&simulated, "/tenantId > /userId"), 1, "{simulated}");
    check(&[&two[..], &["--simulate", "1d", "--ru", "60000"]].concat()).ends_with(0);
    let template = place.run(&["design", "--new", "saas"]).ends_with(0).text();
    place.write("saas.toml", template);
    let answer = check(&["saas.toml", "--format", "json"]).json();
    assert_eq!(answer["partial"], false);
    place.refuses(&[
        &["check", "--scenario", "nothing"][..],
        &["check", "--scenario", "tenants", "--max-hot", "90%"],
        &["check", "--scenario", "tenants", "--logs", "logs.json"],
        &["check", "logs.json", "--scenario", "tenants"],
        &["check", "logs.json", "--logs", "logs.json"],
    ]);
}

#[test]
fn partial_documents_are_4_and_a_finding_wins() {
    let place = orders();
    let good = fs::read_to_string(place.data().join("orders.jsonl")).unwrap();
    place.write("orders.jsonl", format!("{good}{{\"id\":\n"));
    let found = gate(&place, &["--key", "/tenantId", "--format", "json"]);
    assert_eq!(found.ends_with(4).json()["partial"], true);
    gate(&place, &["--key", "\"all\""]).ends_with(1);
    let missing = ["check", "--documents", "absent.jsonl", "--key", "/a"];
    place.run(&missing).ends_with(2);
}

#[test]
fn slips_of_the_pen_are_2() {
    let place = orders();
    let standard = sample(STANDARD);
    place.refuses(&[
        &["check", "--documents", "orders.jsonl"][..],
        &["check", "--key", "/a"],
        &["check", &standard, "--key", "/a"],
        &["check", &standard, "--ru", "4000"],
        &["check", &standard, "--seed", "2"],
        &["check", "--documents", "orders.jsonl", "--key", "/a >"],
        &["check", "--documents", "orders.jsonl", "--key", "/a", "--max-hot", "90%"],
        &["check", "--documents", "orders.jsonl", "--key", "/a", "--partitions", "0"],
    ]);
}

#[test]
fn exports_and_documents_can_be_judged_together() {
    let place = orders();
    let standard = sample(STANDARD);
    let both = gate(&place, &["--key", "\"all\"", &standard, "--format", "json"]);
    let found = rules_of(&both.ends_with(1).json());
    let names: BTreeSet<&str> = found.iter().map(|(rule, _)| rule.as_str()).collect();
    assert!(names.contains("wall") && names.contains("constant-level"), "{names:?}");
    let clear = [
        "check",
        &sample("hard/object-keys.csv"),
        "--documents",
        "orders.jsonl",
        "--key",
        "/tenantId",
    ];
    let said = place.run(&clear).ends_with(0).text().replace('\n', " ");
    assert!(
        said.contains("nothing speaks against /tenantId") && said.contains("no reported key"),
        "{said}"
    );
}

fn cases(root: &Element) -> Vec<&Element> {
    root.all("testsuite").flat_map(|s| s.all("testcase")).collect()
}

#[test]
fn junit_is_xml_with_a_case_for_each_finding() {
    let place = orders();
    let answer = place.run(&["check", &sample(STANDARD), "--format", "junit"]);
    let root = xml::parse(&answer.ends_with(1).text());
    assert_eq!((root.name.as_str(), root.number("failures")), ("testsuites", 3));
    let all = cases(&root);
    assert_eq!(root.number("tests"), all.len());
    let names: Vec<&str> = all.iter().map(|c| c.attribute("name")).collect();
    assert_eq!(
        names,
        [
            "all data could be used",
            "max-logical: tenant-0002",
            "max-logical: tenant-0001",
            "wall: tenant-0001",
            "wall: no value"
        ]
    );
    let failure = all[1].all("failure").next().unwrap();
    assert!(failure.attribute("message").starts_with("21.6 GiB of 20.0 GiB"));

    let keys = ["--key", "/tenantId", "--key", "/status", "--format", "junit"];
    let root = xml::parse(&gate(&place, &keys).ends_with(1).text());
    let suites: Vec<(&str, usize)> =
        root.all("testsuite").map(|s| (s.attribute("name"), s.number("failures"))).collect();
    assert_eq!(suites[..2], [("inputs", 0), ("/tenantId", 0)]);
    assert!(suites[2].0 == "/status" && suites[2].1 > 0, "{suites:?}");
    let reported =
        cases(&root).into_iter().find(|c| c.attribute("name") == "mutable-name").unwrap();
    assert!(
        reported.all("system-out").next().unwrap().text.starts_with("warn: ~ /status looks like")
    );

    let good = fs::read_to_string(place.data().join("orders.jsonl")).unwrap();
    place.write("orders.jsonl", good + "{\n");
    let root =
        xml::parse(&gate(&place, &["--key", "/tenantId", "--format", "junit"]).ends_with(4).text());
    assert_eq!((root.number("errors"), root.number("failures")), (1, 0));
}

/// What a validator would look for first.
fn assert_sarif(found: &Value) -> Vec<Value> {
    assert_eq!(found["version"], "2.1.0");
    assert!(found["$schema"].as_str().unwrap().contains("sarif-2.1.0"));
    let [run] = found["runs"].as_array().unwrap().as_slice() else { panic!("{found}") };
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "cosmoscope");
    let listed = driver["rules"].as_array().unwrap();
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    let results = run["results"].as_array().unwrap();
    let mut prints = BTreeSet::new();
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(listed[index]["id"], result["ruleId"]);
        assert!(
            listed[index]["shortDescription"]["text"].as_str().unwrap().contains(' '),
            "{listed:?}"
        );
        assert!(["note", "warning", "error"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let location = &result["locations"][0];
        assert!(location["logicalLocations"][0]["fullyQualifiedName"].is_string());
        let print = result["partialFingerprints"]["cosmoscope/v1"].as_str().unwrap();
        assert!(print.len() == 32 && prints.insert(print.to_owned()), "{result}");
    }
    results.clone()
}

#[test]
fn sarif_has_rules_levels_places_and_lasting_fingerprints() {
    let place = orders();
    let path = sample(STANDARD);
    let found = place.run(&["check", &path, "--format", "sarif"]).ends_with(1).json();
    let results = assert_sarif(&found);
    assert_eq!(results.len(), 4);
    let uri = &results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri, &json!(format!("file://{path}")));
    let logical = &results[0]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"];
    assert_eq!(logical, &json!("northpier-prod / shop / orders / [\"tenant-0002\"]"));

    let keys = ["--key", "/status", "--key", "month(/time)", "--format", "sarif"];
    let one = gate(&place, &keys).ends_with(1).json();
    let results = assert_sarif(&one);
    assert_eq!(
        results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "orders.jsonl"
    );
    // The same key on other documents is the same result.
    let other = gate(&place, &[&keys[..], &["--partitions", "7"]].concat()).ends_with(1).json();
    let prints = |results: &[Value]| -> BTreeSet<String> {
        results.iter().map(|r| r["partialFingerprints"].to_string()).collect()
    };
    assert_eq!(prints(&results), prints(&assert_sarif(&other)));
    let stdin = place.run_with(
        &["check", "--documents", "-", "--key", "/a", "--format", "sarif"],
        "{\"id\":\"1\"}\n",
    );
    let results = assert_sarif(&stdin.ends_with(1).json());
    assert_eq!(results[0]["locations"][0].get("physicalLocation"), None);
}

#[test]
fn hostile_names_stay_names() {
    let place = Place::new();
    let hostile = "]]>&<a b='c'>\u{1b}[31m\u{202e}\u{fffe}\u{0}\"[x](http://example.org)";
    let key = serde_json::to_string(hostile).unwrap();
    place.write("d.jsonl", format!("{{\"id\":\"1\",{key}:{key}}}\n").repeat(40));
    let path = format!("/{key}");
    let asked =
        ["check", "--documents", "d.jsonl", "--key", &path, "--stored", "100GB", "--format"];
    let run = |format: &str| place.run(&[&asked[..], &[format]].concat()).ends_with(1);
    let root = xml::parse(&run("junit").text());
    assert!(cases(&root).iter().any(|c| c.attribute("name") == "largest-key"));
    let results = assert_sarif(&run("sarif").json());
    let largest = results.iter().find(|r| r["ruleId"] == "largest-key").unwrap();
    assert_eq!(largest["properties"]["key"], json!([hostile]));
    for result in &results {
        let text = result["message"]["text"].as_str().unwrap();
        assert!(!text.contains("](") && !text.contains(['\u{1b}', '\u{202e}']), "{text}");
    }
    // Keys of exports.
    let text = table([(hostile.replace('\u{0}', ""), "22000000".to_owned())]);
    place.write("sizes.csv", text);
    let exported =
        |format: &str| place.run(&["check", "sizes.csv", "--format", format]).ends_with(1);
    let root = xml::parse(&exported("junit").text());
    assert_eq!(root.number("failures"), 1);
    assert_eq!(assert_sarif(&exported("sarif").json()).len(), 1);
    for format in ["text", "json", "junit", "sarif"] {
        let bytes = run(format).text();
        assert!(!bytes.contains(['\u{1b}', '\u{202e}', '\u{0}']), "{format}");
    }
}

#[test]
fn masked_findings_tell_no_value_and_no_file() {
    let place = orders();
    let options = [
        "--key",
        "/tenantId",
        "--stored",
        "60000GB",
        "--mask",
        "--mask-salt",
        "s",
        "--container",
        "shop/orders",
    ];
    for format in ["text", "json", "junit", "sarif"] {
        let said =
            gate(&place, &[&options[..], &["--format", format]].concat()).ends_with(1).text();
        for secret in ["t000", "orders", "shop"] {
            assert!(!said.contains(secret), "{secret} in {said}");
        }
    }
}
