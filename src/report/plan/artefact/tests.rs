//! Definitions hold what was planned, and no name gets out of its literal.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::analysis::candidate::Candidate;
use crate::analysis::migration::{Copy, Cost, Facts, Migration};
use crate::analysis::plan::facts::{PlanFacts, ThroughputForm};
use crate::model::names::ContainerName;
use crate::model::physical::TimeToLive;

fn container(key: &str, facts: &PlanFacts) -> NewContainer {
    let migration = Migration {
        candidate: Candidate::parse(key).unwrap(),
        copy: Copy::AsTheyAre,
        hurdles: Vec::new(),
        cost: Cost {
            documents: 10.0,
            read_ru: 10.0,
            write_ru: [50.0, 100.0],
            hours: None,
            load_ratio: 1.0,
            ru_per_second: Some(6_050.0),
            spare: None,
        },
        created_with: None,
        scope: None,
        collisions: None,
        facts: Facts::default(),
        ru_to_buy: Some(12_000.0),
        throttled: None,
        absent: None,
    };
    NewContainer::of(&migration, facts, None)
}

fn named(name: &str) -> PlanFacts {
    PlanFacts {
        name: ContainerName::new(Some(name), Some(name), Some(name)),
        resource_group: Some(Arc::from(name)),
        throughput: Some(ThroughputForm::Autoscale),
        way: Facts {
            lifetime: Some(TimeToLive::On { default_seconds: None }),
            unique_keys: Some(true),
            ..Facts::default()
        },
        ..PlanFacts::default()
    }
}

fn texts(container: &NewContainer) -> [String; 10] {
    Artefact::ALL.map(|one| one.written(container, Some(RouteKind::CopyOnline)))
}

#[test]
fn templates_have_paths_kind_version_and_ru() {
    for (key, paths, kind) in [
        ("/t", json!(["/t"]), "Hash"),
        ("/t > /a/\"b c\"", json!(["/t", "/a/\"b c\""]), "MultiHash"),
        ("/t + \"-\" + day(/time)", json!(["/partitionKey"]), "Hash"),
        (
            "/t > lower(/u) > lower(/partitionKey)",
            json!(["/t", "/partitionKey2", "/partitionKey3"]),
            "MultiHash",
        ),
    ] {
        let container = container(key, &named("shop"));
        let template: Value = serde_json::from_str(&definition::arm(&container)).unwrap();
        let properties = &template["resources"][0]["properties"];
        let expected = json!({"paths": paths, "kind": kind, "version": 2});
        assert_eq!(properties["resource"]["partitionKey"], expected, "{key}");
        // Autoscale is sold in thousands.
        let most = &template["parameters"]["maxThroughput"]["defaultValue"];
        assert_eq!(*most, json!(7_000), "{key}");
        assert_eq!(template["parameters"]["defaultTtl"]["defaultValue"], json!(-1));
        let bicep = definition::BICEP.text(&container, None);
        assert!(bicep.contains(&format!("kind: '{kind}'")), "{bicep}");
        assert!(bicep.contains("maxThroughput int = 7000"), "{bicep}");
        let terraform = definition::TERRAFORM.text(&container, None);
        assert!(terraform.contains(&format!("partition_key_kind    = \"{kind}\"")));
    }
    let manual = PlanFacts::default();
    let template = definition::arm(&container("/t", &manual));
    let template: Value = serde_json::from_str(&template).unwrap();
    assert_eq!(template["parameters"]["throughput"]["defaultValue"], json!(6_100));
    let shared = PlanFacts { throughput: Some(ThroughputForm::Shared), ..PlanFacts::default() };
    assert!(!definition::BICEP.text(&container("/t", &shared), None).contains("hroughput"));
}

/// A name adds no line, ends no literal, and is itself where it is read.
#[test]
fn hostile_names_stay_literals() {
    let hostile = "a\"b'c`d${e}#{f}%{g}\\u000ah\\\n*/i//j\r\u{2028}\u{1b}[k]--'; DROP\u{202e}";
    let key = format!("/t > lower(/{})", {
        let quoted = serde_json::to_string(hostile).unwrap();
        quoted + ") + " + &serde_json::to_string(hostile).unwrap()
    });
    let key = key.strip_suffix(')').unwrap();
    let harmless = texts(&container("/t > lower(/x) + \"y\"", &named("shop")));
    let mut hostile_names = container(key, &named("shop"));
    let name = Some(Arc::from(hostile));
    [hostile_names.account, hostile_names.resource_group] = [name.clone(), name.clone()];
    [hostile_names.database, hostile_names.container] = [name.clone(), name];
    let found = texts(&hostile_names);
    for (harmless, found) in harmless.iter().zip(&found) {
        let lines = |text: &str| text.lines().count();
        assert_eq!(lines(harmless), lines(found), "{found}");
        let acts = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{2028}' | '\u{202e}');
        assert!(!found.contains(acts), "{found:?}");
        // Of Java a code in a comment would be read, too.
        for line in found.lines().filter(|line| line.trim_start().starts_with("//")) {
            assert!(!line.contains('\\') && !line.contains("*/"), "{line}");
        }
    }
    let template: Value = serde_json::from_str(&found[1]).unwrap();
    let parameter = |name: &str| &template["parameters"][name]["defaultValue"];
    assert_eq!(*parameter("databaseName"), json!(hostile));
    assert_eq!(*parameter("containerName"), json!(format!("{hostile}-v2")));
    // In brackets a text would be evaluated.
    let brackets = container("/t", &named("[concat('a')]"));
    let template: Value = serde_json::from_str(&definition::arm(&brackets)).unwrap();
    let escaped = &template["parameters"]["databaseName"]["defaultValue"];
    assert_eq!(*escaped, json!("[[concat('a')]"));
}

/// The endpoint that the credential of the code goes to is one of the service, whatever a log names the account.
#[test]
fn no_name_leads_to_another_host_or_resource() {
    let endpoint = |account: &str| format!("https://{account}.documents.azure.com:443/");
    let codes = |name: &str| texts(&container("/t", &named(name)));
    for name in [
        "evil.example/",
        "contoso.documents.azure.com.evil.example/#",
        "x@evil.example:443/",
        "../b",
    ] {
        let found = codes(name);
        assert!(found.iter().all(|text| !text.contains(name)), "{name}");
        let placed = found.iter().filter(|text| text.contains(&endpoint("<account>")));
        assert_eq!(placed.count(), 5, "{name}");
    }
    assert_eq!(codes("Shop-1").iter().filter(|t| t.contains(&endpoint("Shop-1"))).count(), 5);
}

#[test]
fn literals_are_those_of_their_languages() {
    let text = "a\"b'\\${c}%{d}\n\u{e4}\u{1f697}";
    for (literal, expected) in [
        (quote::python(text), r#""a\"b'\\${c}%{d}\u000a\u00e4\U0001f697""#),
        (quote::javascript(text), r#""a\"b'\\${c}%{d}\u000a\u00e4\ud83d\ude97""#),
        (quote::java(text), r#""a\"b'\\${c}%{d}\012\344\ud83d\ude97""#),
        (quote::rust(text), r#""a\"b'\\${c}%{d}\u{a}\u{e4}\u{1f697}""#),
        (quote::bicep(text), r#"'a"b\'\\\u{24}{c}%{d}\u{a}\u{e4}\u{1f697}'"#),
        (quote::terraform(text), r#""a\"b'\\\u0024{c}\u0025{d}\u000a\u00e4\U0001f697""#),
    ] {
        assert_eq!(literal, expected);
    }
}

#[test]
fn no_hole_is_left_and_only_needed_sections_are_there() {
    let all = "/t + lower(/u) > prefix(/v, 3) + day(/w) > bucket(/x, 4) + random(5)";
    for text in texts(&container(all, &named("shop"))) {
        assert!(!text.contains("{{") && !text.contains("@@"), "{text}");
    }
    let python = |key: &str| code::PYTHON.text(&container(key, &named("shop")));
    for (key, has, lacks) in [
        ("/t > /u", "def alone", "def text"),
        ("/t + /u", "def text", "def date"),
        ("/t + day(/u)", "def date", "def bucket"),
        ("/t + bucket(/u, 3)", "def bucket", "def drawn"),
    ] {
        let text = python(key);
        assert!(text.contains(has) && !text.contains(lacks), "{key}: {text}");
    }
    // What is drawn has no vectors.
    assert!(python("/t + random(3)").contains("VECTORS = [\n\n]"));
    assert_eq!(vectors::of(&Candidate::parse("/t").unwrap()).len(), 7);
}
