//! `cosmoscope help`: commands and topics, and names that are nearly right.

use clap::Parser;
use cosmoscope::cli::help::{TOPIC_LIST, TOPICS};
use serde_json::Value;

use super::{Place, STANDARD, sample};

#[test]
fn every_topic_is_listed_shown_and_in_the_manual() {
    let place = Place::new();
    let list = place.run(&["help"]).ends_with(0).text();
    let manual = place.run(&["man"]).ends_with(0).text();
    for topic in TOPICS {
        let listed = format!("\n  {}  ", topic.name);
        assert!(TOPIC_LIST.contains(&listed), "{}", topic.name);
        assert!(list.contains(&listed), "{}: {list}", topic.name);
        let shown = place.run(&["help", topic.name]).ends_with(0).text();
        assert!(shown.ends_with(&topic.plain()), "{}", topic.name);
        for line in topic.plain().lines() {
            assert!(line.chars().count() <= 80, "{}: {line}", topic.name);
        }
        let section = format!(".SH \"{}\"", topic.name.to_uppercase());
        assert!(manual.contains(&section), "{}", topic.name);
    }
}

#[test]
fn help_of_a_command_lists_its_options() {
    let place = Place::new();
    for (command, option) in [("trial", "--key"), ("connect", "--record")] {
        let shown = place.run(&["help", command]).ends_with(0).text();
        assert!(shown.contains(option), "{shown}");
    }
}

#[test]
fn a_name_that_is_nearly_right_is_answered_with_the_right_one() {
    let place = Place::new();
    for (args, meant) in [
        (["help", "jsn"], "Did you mean json?"),
        (["help", "trail"], "Did you mean trial?"),
        (["help", "weather"], "lists commands and topics"),
        (["demo", "nigth"], "Did you mean night?"),
    ] {
        let answer = place.run(&args).ends_with(2);
        assert!(answer.err.contains(meant), "{}", answer.err);
    }
    let far = place.run(&["demo", "weather"]).ends_with(2);
    assert!(!far.err.contains("Did you mean"), "{}", far.err);
}

/// Names of all members of an object and of those in it.
fn member_names(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                names.push(name.clone());
                member_names(member, names);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| member_names(item, names)),
        _ => {}
    }
}

#[test]
fn the_help_names_every_member_of_reports() {
    let place = Place::new();
    let page = place.run(&["help", "json"]).ends_with(0).text();
    let path = sample(STANDARD);
    for command in ["report", "inspect", "check"] {
        let format = ["--format", "json"];
        let json = place.run(&[command, &path, format[0], format[1]]).json();
        let mut names = Vec::new();
        member_names(&json, &mut names);
        for name in names {
            assert!(page.contains(&format!("\"{name}\"")), "{command}: {name}");
        }
    }
    let csv = place.run(&["report", &path, "--format", "csv"]).text();
    let header = csv.lines().next().unwrap_or_default();
    let page = page.replace(char::is_whitespace, "");
    assert!(page.contains(header), "{header}");
}

#[test]
fn every_command_has_examples_that_parse() {
    let place = Place::new();
    let list = place.run(&["--help"]).ends_with(0).text();
    let commands = list.lines().skip_while(|line| *line != "Commands:");
    let commands = commands.skip(1).take_while(|line| !line.is_empty());
    let names = commands
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next());
    let mut examples = 0;
    for name in names.filter(|name| *name != "help") {
        let help = place.run(&[name, "--help"]).ends_with(0).text();
        let lines = help.lines().skip_while(|line| *line != "Examples:");
        let before = examples;
        for line in lines.filter_map(|line| line.strip_prefix("  cosmoscope ")) {
            let command = line.split(['|', '>']).next().unwrap_or_default();
            let command = if line.contains('\'') { line } else { command };
            let words = crate::readme::words(command.trim());
            let words = std::iter::once("cosmoscope".to_owned()).chain(words);
            let parsed = cosmoscope::cli::Cli::try_parse_from(words);
            assert!(parsed.is_ok(), "{line}: {:?}", parsed.err());
            examples += 1;
        }
        assert!(examples > before, "{name} has no example");
    }
}

#[test]
fn a_path_that_is_nearly_right_is_answered_with_the_right_one() {
    let place = Place::new();
    let documents: String = (0..20).fold(String::new(), |all, n| {
        all + &format!("{{\"id\":\"{n}\",\"tenantId\":\"t{n}\"}}\n")
    });
    place.write("docs.jsonl", documents.as_bytes());
    for (key, code, said) in [
        (
            "/tenatId",
            2,
            "no document has /tenatId. Did you mean /tenantId?",
        ),
        ("/TENANTID", 2, "Did you mean /tenantId?"),
        ("/tenantId", 0, ""),
        ("/region", 0, ""),
    ] {
        let answer = place.run(&["trial", "docs.jsonl", "--key", key]);
        let answer = answer.ends_with(code);
        assert!(answer.err.contains(said), "{key}: {}", answer.err);
    }
}
