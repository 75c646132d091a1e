//! `cosmoscope help`: commands and topics, and names that are nearly right.

use clap::{CommandFactory, Parser};
use cosmoscope::cli::help::TOPICS;
use serde_json::Value;

use super::{Place, STANDARD, sample};

#[test]
fn every_topic_is_listed_shown_and_in_the_manual() {
    let place = Place::new();
    let list = place.run(&["help"]).ends_with(0).text();
    let manual = place.run(&["man"]).ends_with(0).text();
    for topic in TOPICS {
        let page = topic.plain();
        let title = page.lines().next().unwrap_or_default();
        let listed = format!("\n  {:<11}  {title}\n", topic.name);
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
fn every_command_is_in_the_help_with_its_options() {
    let place = Place::new();
    let list = place.run(&["help"]).ends_with(0).text();
    for command in commands() {
        let name = command.get_name();
        assert!(list.contains(&format!("\n  {name}  ")), "{name}: {list}");
        let shown = place.run(&["help", name]).ends_with(0).text();
        let options = command.get_arguments().filter(|argument| !argument.is_hide_set());
        for option in options.filter_map(clap::Arg::get_long) {
            assert!(shown.contains(&format!("--{option}")), "{name} --{option}: {shown}");
        }
    }
}

#[test]
fn a_name_that_is_nearly_right_is_answered_with_the_right_one() {
    let place = Place::new();
    let path = sample(STANDARD);
    let report = |name| vec!["report", path.as_str(), "--container", name];
    let trial = |name| vec!["trial", "--key", "/id", "--logs", path.as_str(), "--container", name];
    for (args, meant) in [
        (vec!["repot"], "Did you mean report?"),
        (vec!["opn"], "Did you mean open?"),
        (report("ordrs"), "Did you mean `northpier-prod/shop/orders`?"),
        (report("shop/ordrs"), "Did you mean `northpier-prod/shop/orders`?"),
        (trial("Orders"), "Did you mean `northpier-prod/shop/orders`?"),
        (vec!["demo", "night", "--print", "heta"], "Did you mean heat?"),
        (vec!["demo", "night", "--print", "heat", "--theme", "drak"], "Did you mean dark?"),
        (vec!["help", "jsn"], "Did you mean json?"),
        (vec!["help", "trail"], "Did you mean trial?"),
        (vec!["help", "weather"], "exit-codes, speed; `cosmoscope help` lists"),
        (vec!["lesson", "hto"], "Did you mean hot?"),
        (vec!["design", "--new", "ito"], "Did you mean iot?"),
        (vec!["demo", "nigth"], "Did you mean night?"),
    ] {
        let answer = place.run(&args).ends_with(2);
        assert!(answer.err.contains(meant), "{}", answer.err);
    }
    let masked = [report("ordrs"), vec!["--mask"]].concat();
    let masked = place.run(&masked).ends_with(2);
    assert!(!masked.err.contains("orders"), "{}", masked.err);
    let (listed, meant) = masked.err.split_once("Did you mean ").unwrap();
    let name = meant.split('?').next().unwrap();
    assert!(listed.contains(&format!(" {name}")), "{}", masked.err);
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

/// Every command as clap builds it, with the options that it shares with all others.
fn commands() -> Vec<clap::Command> {
    let mut program = cosmoscope::cli::Cli::command();
    program.build();
    program.get_subcommands().cloned().collect()
}

#[test]
fn every_command_has_examples_that_parse() {
    for command in commands() {
        let name = command.get_name();
        let help = command.get_after_help().map(ToString::to_string);
        let help = help.unwrap_or_default();
        let examples = help.lines();
        let examples: Vec<&str> =
            examples.filter_map(|line| line.strip_prefix("  cosmoscope ")).collect();
        assert!(help.starts_with("Examples:\n"), "{name}: {help}");
        assert!(!examples.is_empty(), "{name} has no example");
        for line in examples {
            let command = line.split(['|', '>']).next().unwrap_or_default();
            let command = if line.contains('\'') { line } else { command };
            let words = crate::readme::words(command.trim());
            let words = std::iter::once("cosmoscope".to_owned()).chain(words);
            let parsed = cosmoscope::cli::Cli::try_parse_from(words);
            assert!(parsed.is_ok(), "{line}: {:?}", parsed.err());
            assert_eq!(line.split(' ').next(), Some(name));
        }
    }
}

#[test]
fn every_option_stands_under_a_heading() {
    let headings = ["Data", "Limits", "Output", "Appearance", "Diagnostics"];
    let mut program = cosmoscope::cli::Cli::command();
    program.build();
    for command in commands().iter().chain([&program]) {
        let options = command.get_arguments().filter(|arg| !arg.is_positional());
        for option in options.filter(|arg| !["help", "version"].contains(&arg.get_id().as_str())) {
            let heading = option.get_help_heading().unwrap_or("Options");
            let (name, id) = (command.get_name(), option.get_id());
            assert!(headings.contains(&heading), "{name} --{id}: {heading}");
        }
    }
}

#[test]
fn a_path_that_is_nearly_right_is_answered_with_the_right_one() {
    let place = Place::new();
    let documents: String = (0..20)
        .fold(String::new(), |all, n| all + &format!("{{\"id\":\"{n}\",\"tenantId\":\"t{n}\"}}\n"));
    place.write("docs.jsonl", documents.as_bytes());
    for (key, code, said) in [
        ("/tenatId", 2, "no document has /tenatId. Did you mean /tenantId?"),
        ("/TENANTID", 2, "Did you mean /tenantId?"),
        ("/tenantId", 0, ""),
        ("/region", 0, ""),
    ] {
        let answer = place.run(&["trial", "docs.jsonl", "--key", key]);
        let answer = answer.ends_with(code);
        assert!(answer.err.contains(said), "{key}: {}", answer.err);
    }
}
