//! `plan`: one document, and code that computes the trial's keys.

use std::fs;
use std::path::Path as FilePath;
use std::process::Command;

use cosmoscope::analysis::candidate::{Candidate, Draws};
use cosmoscope::model::key::{Number, Part};
use cosmoscope::model::path::Path;
use serde_json::{Value, json};

use super::Place;
use crate::random::Random;

const SCENARIO: [&str; 4] = ["plan", "/tenantId > /userId", "--scenario", "tenants"];

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_format_has_all_parts_and_the_trial_s_figures() {
    let place = Place::new();
    for format in ["text", "md", "html", "json"] {
        let args = [&SCENARIO[..], &["--format", format]].concat();
        let text = place.run(&args).ends_with(0).text();
        let route = match format {
            "json" => "copy-online",
            _ => "container copy job, online",
        };
        for part in [route, "41,400", "partition merge", "Create the new"] {
            assert!(flat(&text).contains(part), "{part} in {format}: {text}");
        }
        assert!(!text.contains('\u{1b}'), "{format}");
    }
    let text = place.run(&SCENARIO).ends_with(0).text();
    let trial = ["trial", "--scenario", "tenants", "--key", "/tenantId > /userId"];
    let trial = place.run(&trial).ends_with(0).text();
    let figures = |text: &str, label: &str| {
        let mut lines = text.lines().filter(|line| line.trim_start().starts_with(label));
        flat(lines.next().unwrap_or_else(|| panic!("{label}: {text}")))
    };
    for label in ["RU/s to buy", "throttled, of RU", "largest key", "20 GB on", "imbalance, RU/s"] {
        assert_eq!(figures(&text, label), figures(&trial, label));
    }
    let json = [&SCENARIO[..], &["--format", "json"]].concat();
    let json = place.run(&json).ends_with(0).json();
    assert_eq!(json["advice"], "move");
    assert_eq!(json["recommended"]["route"], "copy-online");
    assert_eq!(json["container"]["kind"], "MultiHash");
    assert_eq!(json["routes"].as_array().unwrap().len(), 5);
    assert_eq!(json["artefacts"].as_object().unwrap().len(), 10);
}

#[test]
fn a_key_behind_the_documents_is_answered_with_the_line_as_it_should_be() {
    let place = Place::new();
    let documents = (0..20).map(|n| format!("{{\"id\":\"{n}\",\"tenantId\":\"t{n}\"}}\n"));
    place.write("orders.jsonl", documents.collect::<String>());
    let refused = place.run(&["plan", "orders.jsonl", "/tenantId"]).ends_with(2);
    let line = "cosmoscope plan '/tenantId' 'orders.jsonl'";
    assert!(refused.err.ends_with(&format!("hint: {line}\n")), "{}", refused.err);
    assert!(refused.err.contains("the key comes first"), "{}", refused.err);
    place.run(&["plan", "/tenantId", "orders.jsonl"]).ends_with(0);
    let masked = place.run(&["plan", "orders.jsonl", "/tenantId", "--mask"]).ends_with(2);
    assert!(!masked.err.contains("orders"), "{}", masked.err);
    let wrong = place.run(&["plan", "tenantId", "orders.jsonl"]).ends_with(2);
    assert!(wrong.err.contains("KEY is not a key at character 1"), "{}", wrong.err);
}

#[test]
fn a_plan_is_written_with_its_decision_and_masked() {
    let place = Place::new();
    let args = [&SCENARIO[..], &["--save", "key.toml", "--format", "md", "-o", "plan.md"]].concat();
    place.run(&args).ends_with(0);
    let plan = fs::read_to_string(place.data().join("plan.md")).unwrap();
    assert!(plan.contains("Decision file attached: key.toml"), "{plan}");
    let decision = fs::read_to_string(place.data().join("key.toml")).unwrap();
    assert!(decision.contains("chosen = \"/tenantId > /userId\""), "{decision}");
    for more in [&["--format", "md"][..], &["--format", "json"], &["--as", "bicep"]] {
        let args = [&SCENARIO[..], &["--mask"], more].concat();
        let masked = place.run(&args).ends_with(0).text();
        for name in ["contoso", "tickets", "hot key D"] {
            assert!(!masked.contains(name), "{name}: {masked}");
        }
        assert!(flat(&masked).contains("Names are invented"), "{masked}");
    }
}

#[test]
fn a_key_that_stays_has_no_plan() {
    let place = Place::new();
    let kept = place.run(&["plan", "/tenantId", "--scenario", "tenants"]).ends_with(0);
    let text = kept.text();
    assert!(flat(&text).contains("nothing moves. To look for"), "{text}");
    assert!(!text.contains("Routes"), "{text}");
}

/// A request log names the kind of each token, an account its backup.
#[test]
fn tokens_and_backup_are_read_from_logs() {
    let place = Place::new();
    let documents = (0..60).map(|n| format!("{{\"id\":\"{n}\",\"t\":\"a\",\"u\":\"u{n}\"}}\n"));
    place.write("orders.jsonl", documents.collect::<String>());
    let kind = "Microsoft.DocumentDB/databaseAccounts";
    for (token, policy, wanted) in
        [("ResourceToken", "Periodic", "found"), ("PrimaryMasterKey", "Continuous", "not found")]
    {
        let account =
            json!({"name": "a", "type": kind, "properties": {"backupPolicy": {"type": policy}}});
        place.write("logs/account.json", account.to_string());
        let columns = "TimeGenerated,AccountName,DatabaseName,CollectionName,OperationName,StatusCode,PartitionId,RequestCharge,UserAgent,AuthTokenType";
        let row = "2026-06-22T10:00:00Z,a,d,orders,Create,201,p0,6.5,azsdk-java-cosmos/4.60.0";
        place.write("logs/requests.csv", format!("{columns}\n{row},{token}\n"));
        let args = ["plan", "/t > /u", "orders.jsonl", "--logs", "logs", "--current", "/t"];
        let args = [&args[..], &["--stored", "60GB"]].concat();
        let plan = place.run(&[&args[..], &["--format", "json"]].concat()).ends_with(0).json();
        let checks = plan["readiness"].as_array().unwrap();
        for name in ["prefix-permissions", "backup"] {
            let check = checks.iter().find(|check| check["check"] == name).unwrap();
            assert_eq!(check["presence"], wanted, "{check}");
        }
    }
}

#[test]
fn wrong_usage_is_2() {
    let place = Place::new();
    place.refuses(&[
        &["plan"],
        &["plan", "/tenantId"],
        &["plan", "tenantId", "--scenario", "tenants"],
        &["plan", "/tenantId", "--scenario", "nothing"],
        &["plan", "/tenantId", "absent.jsonl"],
        &["plan", "/tenatId", "--scenario", "tenants", "--quiet"],
        &["plan", "/userId", "--scenario", "tenants", "--as", "cobol"],
        &["plan", "/userId", "--scenario", "tenants", "--as", "arm", "--format", "md"],
    ]);
}

/// Documents with values of every sort, some without a property.
fn generated() -> Vec<Value> {
    let mut random = Random(20_261_128);
    let texts = ["contoso", "Müller 漢🚗", "", "A\"b\\c\n", "ΑΣ", "İx", "0", "ẞ"];
    let numbers = [42.0, 0.5, -7.25, 0.1, 1e16, 1e21, 1.5e-7, 0.000_001, 123_456_789.125, -3e30];
    let times = [
        json!("2026-06-22T14:05:09Z"),
        json!("2026-06-22T14:05:09.4187442Z"),
        json!("2026-12-31 23:30:00-02:00"),
        json!("2026-01-01T00:15+0530"),
        json!("2026-06-22"),
        json!("2026-06"),
        json!("1999"),
        json!("20260622"),
        json!(20_260_622),
        json!(1_782_137_109),
        json!(1_782_137_109_999_u64),
        json!("1782137109"),
        json!(-1),
        json!("2026-02-30"),
        json!("no time"),
    ];
    let one = |n: usize| {
        let mut value = || match random.one_of(&[0, 0, 0, 1, 1, 2, 3, 4]) {
            0 => json!(random.one_of(&texts)),
            1 => json!(random.one_of(&numbers)),
            2 => json!(n.is_multiple_of(2)),
            3 => Value::Null,
            _ => json!([1]),
        };
        let mut document = json!({
            "id": format!("{n}-ä"), "tenant": value(), "user": value(), "device": {"type": value()},
            "time": random.one_of(&times),
        });
        let left_out = *random.one_of(&["", "", "", "tenant", "user", "device", "time"]);
        document.as_object_mut().unwrap().remove(left_out);
        document
    };
    (0..1_000).map(one).collect()
}

fn part(document: &Value, path: &Path) -> Part {
    let mut names = path.names();
    match names.try_fold(document, |found, name| found.as_object()?.get(name)) {
        None => Part::Undefined,
        Some(Value::Null) => Part::Null,
        Some(Value::Bool(is)) => Part::Bool(*is),
        Some(Value::Number(n)) => Part::Number(Number::new(n.as_f64().unwrap()).unwrap()),
        Some(Value::String(text)) => Part::Text(text.as_str().into()),
        Some(other) => Part::Other(other.to_string().into()),
    }
}

/// Numbers by their value, however they are written.
fn levels(json: &str) -> Vec<Value> {
    let levels: Vec<Value> = serde_json::from_str(json).unwrap_or_else(|e| panic!("{json}: {e}"));
    let level = |value: Value| value.as_f64().map_or(value.clone(), |n| json!(n));
    levels.into_iter().map(level).collect()
}

const KEYS: [&str; 5] = [
    "/tenant",
    "/tenant + \"-\\\"${x}\\n\" + month(/time) + minute(/time)",
    "/device/type + \".\" + bucket(/tenant, 10)",
    "/tenant > prefix(/user, 3) + lower(/device/type) > /id",
    "day(/time) + year(/time) + hour(/time) > /user",
];

/// Runs the artefact on all documents and compares with the trial's function.
fn assert_same_keys(artefact: &str, file: &str, interpreter: &str, harness: &str) {
    let place = Place::new();
    let documents = generated();
    let lines: Vec<String> = documents.iter().map(Value::to_string).collect();
    place.write("docs.jsonl", lines.join("\n"));
    for key in KEYS {
        let args = ["plan", key, "docs.jsonl", "--as", artefact, "--quiet"];
        place.write(file, place.run(&args).ends_with(0).text());
        place.write("harness", harness);
        let run = |program: &FilePath| {
            let mut command = Command::new(interpreter);
            let done = command.arg(program).current_dir(place.data()).output();
            let done = done.unwrap_or_else(|e| panic!("{interpreter} does not start: {e}"));
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            assert!(done.status.success(), "{key}: {said}");
            String::from_utf8(done.stdout).unwrap()
        };
        // Its own vectors hold.
        run(FilePath::new(file));
        let found = run(FilePath::new("harness"));
        let found: Vec<&str> = found.lines().collect();
        assert_keys(key, &documents, &found);
    }
}

/// Levels as JSON against those that the trial computes.
fn assert_keys(key: &str, documents: &[Value], found: &[impl AsRef<str>]) {
    let candidate = Candidate::parse(key).unwrap();
    assert_eq!(found.len(), documents.len());
    for (document, found) in documents.iter().zip(found) {
        let expected = candidate.key(&|path| part(document, path), &mut Draws::of(1, 1));
        let found = levels(found.as_ref());
        assert_eq!(found, levels(&expected.json()), "{key}: {document}");
    }
}

#[test]
fn python_computes_the_trial_s_keys() {
    let harness = "
import json, sys
sys.path.insert(0, '.')
from key_builder import UNDEFINED, partition_key
for line in open('docs.jsonl', encoding='utf-8'):
    print(json.dumps([{} if v is UNDEFINED else v for v in partition_key(json.loads(line))]))
";
    assert_same_keys("python", "key_builder.py", "python3", harness);
}

#[test]
#[ignore = "needs node"]
fn javascript_computes_the_trial_s_keys() {
    let harness = "
const { partitionKey } = require('./key_builder.cjs');
for (const line of require('fs').readFileSync('docs.jsonl', 'utf8').split('\\n')) {
  console.log(JSON.stringify(partitionKey(JSON.parse(line)).map((v) => (v === undefined ? {} : v))));
}
";
    assert_same_keys("javascript", "key_builder.cjs", "node", harness);
}

#[expect(clippy::pedantic, dead_code, reason = "made for other programs")]
mod joined {
    include!("../data/plan/joined.txt");
}
#[expect(dead_code, reason = "made for other programs")]
mod three_levels {
    include!("../data/plan/three-levels.txt");
}

/// Compiled with the client library that it names, and with its own vectors among the tests.
/// `COSMOSCOPE_UPDATE=1 cargo test rust_computes` writes what is compiled.
#[test]
fn rust_computes_the_trial_s_keys() {
    type Levels = Vec<Option<Value>>;
    type Compiled = (&'static str, &'static str, fn(&Value) -> Levels, fn(&Levels) -> bool);
    let compiled: [Compiled; 2] = [
        (
            "joined.txt",
            "/tenant + \"-\\\"${x}\\n\" + minute(/time) > prefix(/user, 3) + lower(/device/type) + bucket(/tenant, 10)",
            joined::partition_key,
            |levels| joined::key_of(levels).is_ok(),
        ),
        ("three-levels.txt", "/tenant > /user > /id", three_levels::partition_key, |levels| {
            three_levels::key_of(levels).is_ok()
        }),
    ];
    let documents = generated();
    for (file, key, levels_of, is_usable) in compiled {
        let place = Place::new();
        // A plan is made for paths that documents have.
        let whole = documents.iter().find(|one| one["device"]["type"].is_string());
        place.write("docs.jsonl", whole.unwrap().to_string());
        let args = ["plan", key, "docs.jsonl", "--as", "rust", "--quiet"];
        let text = place.run(&args).ends_with(0).text();
        let path = format!("{}/tests/it/data/plan/{file}", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("COSMOSCOPE_UPDATE").is_some() {
            fs::write(&path, &text).unwrap();
        }
        assert_eq!(text, fs::read_to_string(&path).unwrap(), "{path}");
        let found = documents.iter().map(|document| {
            let levels = levels_of(document);
            assert!(is_usable(&levels), "{levels:?}");
            let levels = levels.into_iter().map(|level| level.unwrap_or(json!({})));
            Value::Array(levels.collect()).to_string()
        });
        assert_keys(key, &documents, &found.collect::<Vec<_>>());
    }
}
