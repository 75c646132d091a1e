//! What the program says of itself: scenarios, completions, the manual, the configuration and its help.

use super::{Place, STANDARD, sample};

const SCENARIOS: [&str; 14] = [
    "night",
    "tenants",
    "launch",
    "food",
    "car",
    "plants",
    "events",
    "customers",
    "suffix",
    "users",
    "fanout",
    "index",
    "bucket",
    "burst",
];
const COMMANDS: [&str; 16] = [
    "connect",
    "doctor",
    "inspect",
    "report",
    "check",
    "diff",
    "forecast",
    "simulate",
    "locate",
    "workload",
    "design",
    "plan",
    "demo",
    "lesson",
    "completions",
    "man",
];

#[test]
fn demo_lists_every_scenario_and_shows_one() {
    let place = Place::new();
    let text = place.run(&["demo"]).ends_with(0).text();
    let listed: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .filter_map(|line| line.split("  ").next())
        .take(SCENARIOS.len())
        .collect();
    assert_eq!(listed, SCENARIOS);
    let shown = place.run(&["demo", SCENARIOS[0]]).ends_with(0).text();
    assert!(text.ends_with(&shown), "{text}");
}

#[test]
fn every_scenario_has_a_report() {
    let place = Place::new();
    for name in SCENARIOS {
        let text = place.run(&["demo", name]).ends_with(0).text();
        assert!(text.starts_with(&format!("{name}: ")), "{text}");
        let flat = text.replace('\n', " ");
        assert!(flat.contains("the largest of ") && flat.contains("of the 20 GB limit"), "{text}");
        assert_eq!(text, place.run(&["demo", name]).text(), "{name}");
        assert!(!text.contains('\u{1b}'), "{name}");
    }
}

#[test]
fn what_a_scenario_shows_is_wrapped() {
    let place = Place::new();
    for name in SCENARIOS {
        let text = place.run(&["demo", name]).ends_with(0).text();
        let said = text.split(" of the 20 GB limit: ").next().unwrap();
        for line in said.lines() {
            assert!(line.chars().count() <= 80, "{name}: {line}");
        }
    }
}

#[test]
fn an_unknown_scenario_is_2_with_the_nearest_and_all() {
    let place = Place::new();
    for (typed, meant) in [("tennants", "tenants"), ("fan-out", "fanout"), ("user", "users")] {
        let refused = place.run(&["demo", typed]).ends_with(2);
        let question = format!("error: there is no scenario {typed}. Did you mean {meant}?\n");
        assert!(refused.err.starts_with(&question), "{}", refused.err);
        let hint = refused.err.lines().nth(1).unwrap();
        assert!(SCENARIOS.iter().all(|name| hint.contains(name)), "{hint}");
        assert!(refused.out.is_empty());
    }
}

#[test]
fn completions_know_every_command() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = place.run(&["completions", shell]).ends_with(0).text();
        for command in COMMANDS {
            assert!(script.contains(command), "{command} in {shell}");
        }
        assert!(script.contains("max-logical"), "{shell}");
    }
}

#[test]
fn the_manual_has_every_command() {
    let place = Place::new();
    let manual = place.run(&["man"]).ends_with(0).text();
    for command in COMMANDS {
        assert!(manual.contains(&format!("cosmoscope\\-{command}")), "{command}");
    }
    assert!(manual.contains("max\\-logical"));
}

#[test]
fn the_printed_configuration_is_the_default_one() {
    let place = Place::new();
    let printed = place.run(&["--print-config"]).ends_with(0);
    assert_eq!(printed.text(), include_str!("../../../assets/config.toml"));
    place.write("printed.toml", &printed.out);
    let path = sample(STANDARD);
    let plain = place.run(&["report", &path]).ends_with(0);
    let configured = place.run(&["report", &path, "--config", "printed.toml"]).ends_with(0);
    assert_eq!(plain.text(), configured.text());
}

#[test]
fn a_wrong_configuration_is_2_with_its_line() {
    let place = Place::new();
    place.write("wrong.toml", "memory = \"1GiB\"\ncolour = true\n");
    let path = sample(STANDARD);
    let refused = place.run(&["report", &path, "--config", "wrong.toml"]).ends_with(2);
    assert!(refused.err.contains("wrong.toml: line 2: "), "{}", refused.err);
    assert!(refused.err.contains("\nhint: cosmoscope --print-config "), "{}", refused.err);
    place.write("small.toml", "memory = \"1MiB\"\n");
    place.run(&["report", &path, "--config", "small.toml"]).ends_with(2);
}

/// The long names of the options that a help text describes.
fn options(help: &str) -> Vec<&str> {
    let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let words = lines.flat_map(|line| line.split_whitespace().take(2));
    words.filter_map(|word| word.strip_prefix("--")).collect()
}

/// Options of commands that read files, beside those that all have.
const OWN_OPTIONS: [(&str, &[&str]); 5] = [
    ("inspect", &["format", "keys", "output", "force"]),
    ("report", &["format", "top", "exact", "ceiling", "as-of", "output", "force"]),
    ("check", &["format", "max-logical", "fail-on", "ceiling", "as-of", "output", "force"]),
    ("diff", &["format", "ceiling", "as-of", "output", "force"]),
    (
        "forecast",
        &[
            "scenario",
            "growth-factor",
            "retention",
            "ru",
            "import",
            "item",
            "hours",
            "by",
            "first-level-values",
            "alerts",
            "format",
            "top",
            "output",
            "force",
        ],
    ),
];

#[test]
fn help_names_every_option_and_none_takes_a_secret() {
    let place = Place::new();
    let reading =
        ["container", "time-zone", "date-order", "memory", "quiet", "mask", "mask-salt", "config"];
    let written = ["output", "force"];
    for (command, own) in OWN_OPTIONS {
        let help = place.run(&[command, "--help"]).ends_with(0).text();
        let found = options(&help);
        for option in reading.iter().chain(&written).chain(own) {
            assert!(found.contains(option), "--{option} of {command}: {help}");
        }
    }
    let secret = ["password", "secret", "token", "key", "connection", "credential", "sas"];
    let mut seen = 0;
    for command in COMMANDS {
        let help = place.run(&[command, "--help"]).ends_with(0).text();
        for option in options(&help) {
            seen += 1;
            let takes_one = option.split('-').any(|word| secret.contains(&word));
            // The one is a partition key, and no secret.
            if ["check", "simulate", "workload"].contains(&command) && option == "key" {
                continue;
            }
            // The name of a file.
            if option == "key-file" {
                continue;
            }
            assert!(!takes_one, "--{option} of {command}");
        }
    }
    assert!(seen > 40, "{seen} options seen");
}

#[test]
fn the_program_s_help_names_every_command() {
    let place = Place::new();
    let help = place.run(&["--help"]).ends_with(0).text();
    for command in COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "{command}");
    }
}
