//! Decision files: written beside a trial, opened again, compared.

use cosmoscope::report::decision;
use cosmoscope::source::watch::Watch;
use cosmoscope::ui::kit::msg::Effect;
use cosmoscope::work::export::Export;
use cosmoscope::work::load::Loader;
use serde_json::json;

use super::Documents;
use crate::replay;
use crate::stage::Stage;

fn orders(largest: u32) -> Documents {
    Documents::new((0..200_u32).map(move |n| {
        let tenant = if n < largest { 0 } else { n % 40 };
        format!(
            r#"{{"id":"{n}","tenantId":"t{tenant:02}","device":"d{:03}","_ts":{}}}"#,
            n % 100,
            1_750_557_600 + n * 60
        )
    }))
}

const TRY: [&str; 10] = [
    "--current",
    "/tenantId",
    "--key",
    "/device",
    "--partitions",
    "4",
    "--ru",
    "4000",
    "--storage-factor",
    "1.5",
];

fn saved(documents: &Documents, file: &str, more: &[&str]) -> String {
    documents.run(&[&TRY[..], &["--save", file], more].concat()).ends_with(0);
    std::fs::read_to_string(documents.place.data().join(file)).unwrap()
}

#[test]
fn a_decision_holds_keys_settings_numbers_and_the_choice() {
    let documents = orders(20);
    let text = saved(&documents, "key.toml", &["--choose", "/device"]);
    for line in [
        "schema = 1",
        "kind = \"cosmoscope-decision\"",
        "chosen = \"/device\"",
        "documents = 200",
        "sources = [\"docs.jsonl\"]",
        "partitions = 4",
        "ru_per_second = 4000",
        "storage_factor = 1.5",
        "key = \"/tenantId\"",
        "current = true",
        "distinct = 100",
    ] {
        assert!(text.lines().any(|l| l == line), "{line} is not in\n{text}");
    }
    assert!(text.contains("\nmade_at = \"20"), "{text}");
}

#[test]
fn opened_again_it_tries_the_same_and_tells_what_differs() {
    let documents = orders(20);
    saved(&documents, "key.toml", &["--choose", "/device"]);
    let again = documents.json(&["--decision", "key.toml"]);
    let direct = documents.json(&TRY);
    assert_eq!(again["candidates"], direct["candidates"]);
    let note = again["notes"][0].as_str().unwrap();
    assert!(
        note.starts_with("nothing differs from the decision of 20")
            && note.ends_with(" for /device"),
        "{note}"
    );

    let changed = orders(60);
    std::fs::copy(documents.place.data().join("key.toml"), changed.place.data().join("key.toml"))
        .unwrap();
    let again = changed.json(&["--decision", "key.toml", "--key", "/id"]);
    let notes: Vec<&str> =
        again["notes"].as_array().unwrap().iter().filter_map(|n| n.as_str()).collect();
    let says =
        |end: &str| notes.iter().any(|n| n.starts_with("since the decision of") && n.contains(end));
    assert!(says(": /tenantId: largest key "), "{notes:?}");
    assert!(says(": documents: /tenantId "), "{notes:?}");
    assert!(!says(": /device: "), "{notes:?}");
    assert!(says(": /id: verdict "), "{notes:?}");
    let keys: Vec<&str> = again["candidates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["key"].as_str().unwrap())
        .collect();
    assert_eq!(keys, ["/tenantId", "/device", "/id"]);
    // A newer decision may take the place of the one it came from, and of nothing else.
    changed.run(&["--decision", "key.toml", "--save", "key.toml", "--choose", "/id"]).ends_with(2);
    changed.run(&["--decision", "key.toml", "--save", "key.toml"]).ends_with(0);
    let kept = changed.json(&["--decision", "key.toml"]);
    assert!(kept["notes"][0].as_str().unwrap().contains("nothing differs"), "{kept}");
    changed.run(&[&TRY[..], &["--save", "key.toml"]].concat()).ends_with(2);
    changed.run(&[&TRY[..], &["--save", "key.toml", "--force"]].concat()).ends_with(0);
}

#[test]
fn options_win_over_the_decision() {
    let documents = orders(20);
    saved(&documents, "key.toml", &[]);
    let again = documents.json(&["--decision", "key.toml", "--partitions", "7"]);
    assert_eq!(again["candidates"][0]["partitions"].as_array().unwrap().len(), 7);
    let note = again["notes"][0].as_str().unwrap();
    assert!(note.ends_with("setting: physical partitions 7, before 4"), "{note}");
}

#[test]
fn two_decisions_are_compared_by_diff() {
    let documents = orders(20);
    saved(&documents, "a.toml", &[]);
    saved(&documents, "b.toml", &["--key", "/id", "--choose", "/device"]);
    let place = &documents.place;
    let said = place.run(&["diff", "a.toml", "b.toml"]).ends_with(0).text();
    assert!(said.starts_with("2 differences between"), "{said}");
    assert!(said.contains("\n/id\n  verdict good"), "{said}");
    let found = place.run(&["diff", "a.toml", "b.toml", "--format", "json"]).ends_with(0).json();
    assert_eq!(found["after"]["chosen"], "/device");
    let changes = found["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 2);
    assert_eq!(
        [&changes[0]["about"], &changes[0]["candidate"]],
        [&json!("candidate"), &json!("/id")]
    );
    assert_eq!(
        changes[1],
        json!({"about": "choice", "candidate": null, "name": "chosen", "before": null, "after": "/device"})
    );
    let same = place.run(&["diff", "a.toml", "a.toml"]).ends_with(0).text();
    assert!(same.starts_with("Nothing differs"), "{same}");
    place.run(&["diff", "a.toml", "docs.jsonl"]).ends_with(2);
}

#[test]
fn broken_decisions_are_refused_with_their_line() {
    let documents = orders(20);
    let good = saved(&documents, "key.toml", &[]);
    let refused = |text: &str| {
        documents.place.write("bad.toml", text);
        documents.run(&["--decision", "bad.toml"]).ends_with(2).err
    };
    let why = refused(&good.replace("schema = 1", "schema = 9"));
    assert!(why.starts_with("error: bad.toml: is a decision of form 9"), "{why}");
    assert!(
        refused(&good.replace("key = \"/device\"", "key = \"/device >\"")).contains("is not a key")
    );
    let why = refused(&good.replace("key = \"/device\"", "key = \"\\u001b >\""));
    assert!(why.contains("holds what is not a key") && !why.contains('\u{1b}'), "{why}");
    assert!(refused("not toml at all").contains("is not a decision file"));
    documents.run(&["--decision", "absent.toml"]).ends_with(2);
    documents.run(&["--key", "/a", "--choose", "/a"]).ends_with(2);
    documents.run(&["--key", "/device", "--save", "x.toml", "--choose", "/other"]).ends_with(2);
    assert!(!documents.place.data().join("x.toml").exists());
}

#[test]
fn a_masked_decision_names_no_file() {
    let documents = orders(20);
    let open = saved(&documents, "open.toml", &[]);
    assert!(open.contains("docs.jsonl"), "{open}");
    let mask = ["--mask", "--mask-salt", "s"];
    let again = documents.run(&[&["--decision", "open.toml"], &mask[..]].concat());
    let again = again.ends_with(0).text();
    assert!(again.contains("nothing differs") && !again.contains("docs"), "{again}");
    documents.place.write("other.toml", open.replace("docs.jsonl", "secret.jsonl"));
    let args = [&["diff", "open.toml", "other.toml"], &mask[..]].concat();
    let reported = documents.place.run(&args).ends_with(0).text();
    assert!(reported.contains("sources file-") && !reported.contains(".jsonl"), "{reported}");
    let text = saved(&documents, "key.toml", &mask);
    assert!(!text.contains("docs.jsonl") && text.contains("sources = [\"file-"), "{text}");
}

/// What the screens show is written by the ending of the name; `.toml` is a decision, which opens again.
#[test]
fn a_trial_on_the_screen_is_written_as_a_decision() {
    let mut stage = Stage::dark((80, 24));
    replay::step(&mut stage, "scenario car", "a trial of the car");
    stage.keys("j 4 l l space");
    stage.keys("e enter");
    let export = stage.outside.iter().find_map(|effect| match effect {
        Effect::Export(_, export) => Some(export.clone()),
        _ => None,
    });
    let export = export.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str| {
        let path = folder.path().join(name);
        let to = Export { path: path.clone(), ..export.clone() };
        let written = Loader::default().export(&to, &Watch::default());
        written.map(|_| std::fs::read_to_string(path).unwrap())
    };
    let decision = decision::parse(&write("key.toml").unwrap()).unwrap();
    assert_eq!(decision.chosen.as_deref(), Some("/deviceId + \"-\" + /month"));
    assert_eq!(decision.data.sources, ["scenario car, by-month"]);
    assert!(write("key.csv").unwrap().starts_with("key,"));
    assert!(write("key.xlsx").is_err());
}
