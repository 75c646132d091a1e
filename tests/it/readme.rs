//! What the README names exists: commands, topics, keys, pictures and files.

use std::fs;
use std::process::Command;

use clap::{CommandFactory, Parser};
use cosmoscope::cli::Cli;
use cosmoscope::cli::help::TOPICS;
use cosmoscope::ui::kit::action::ACTIONS;
use cosmoscope::ui::kit::keymap::{Keymap, key_cap};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// A newcomer reads it to its end: what is longer belongs in the help.
const MAX_README_LINES: usize = 110;
/// What is seen before the first page down.
const FIRST_SCREEN_LINES: usize = 12;

fn page(name: &str) -> String {
    fs::read_to_string(format!("{ROOT}/{name}")).unwrap().replace("\r\n", "\n")
}

#[test]
fn the_readme_is_short_and_begins_with_a_picture_and_what_to_run() {
    let readme = page("README.md");
    let lines: Vec<&str> = readme.lines().collect();
    assert!(lines.len() <= MAX_README_LINES, "{} lines", lines.len());
    let first = lines[..FIRST_SCREEN_LINES].join("\n");
    for part in [
        "](assets/screens/heat.svg)",
        "git clone <address of this repository>",
        "cargo run --locked --release -- demo",
        "cargo test --locked",
    ] {
        assert!(first.contains(part), "{part}");
    }
    assert_eq!(readme.matches("address of this repository").count(), 1);
}

/// Code in sentences and the lines of blocks behind `$`, where they begin with the program's name.
fn commands(page: &str) -> Vec<&str> {
    let spans = page.split('`').skip(1).step_by(2);
    let lines = page.lines().filter_map(|line| line.strip_prefix("$ "));
    let lines = lines.map(|line| line.split('#').next().unwrap_or_default().trim_end());
    spans.chain(lines).filter(|text| text.starts_with("cosmoscope ")).collect()
}

#[test]
fn every_command_and_topic_in_the_pages_exists() {
    let program = Cli::command();
    let is_command = |name: &str| program.find_subcommand(name).is_some();
    let is_topic = |name: &str| TOPICS.iter().any(|topic| topic.name == name);
    for (name, least) in [("README.md", 20), ("CHANGELOG.md", 3), ("SECURITY.md", 1)] {
        let text = page(name);
        let found = commands(&text);
        assert!(found.len() >= least, "{name}: {found:?}");
        for command in found {
            // What stands behind `>` is for the shell.
            let words: Vec<String> = words(command).into_iter().take_while(|w| w != ">").collect();
            // `--version` ends parsing, too.
            let error = Cli::try_parse_from(&words).err().filter(clap::Error::use_stderr);
            assert!(error.is_none(), "{name}: {command}: {error:?}");
            if let [_, help, about] = words.as_slice()
                && help == "help"
            {
                assert!(is_command(about) || is_topic(about), "{name}: {command}");
            }
        }
    }
}

/// The end of an address that a heading of the page has.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || [' ', '-'].contains(c));
    kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

#[test]
fn what_the_pages_link_to_is_there() {
    for name in ["README.md", "CHANGELOG.md", "SECURITY.md"] {
        let text = page(name);
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.starts_with("https://")) {
            let is_there = match link.strip_prefix('#') {
                Some(heading) => text.lines().any(|line| {
                    line.starts_with("##") && anchor(line.trim_start_matches('#')) == heading
                }),
                None => fs::exists(format!("{ROOT}/{link}")).unwrap(),
            };
            assert!(is_there, "{name}: {link}");
        }
    }
}

fn print(arguments: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_cosmoscope"))
        .args(arguments)
        .env_remove("NO_COLOR")
        .env("LANG", "C.UTF-8")
        .env("LC_ALL", "C.UTF-8")
        .env("COLORTERM", "truecolor")
        .env("HOME", env!("CARGO_TARGET_TMPDIR"))
        .env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .unwrap();
    assert!(done.status.success(), "{arguments:?}");
    String::from_utf8(done.stdout).unwrap()
}

/// The words of a command as a shell reads them: blanks part, except between single quotes.
pub(crate) fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for character in command.chars() {
        match character {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            other => words.last_mut().unwrap().push(other),
        }
    }
    words
}

/// `COSMOSCOPE_UPDATE=1 cargo test pictures` draws them.
#[test]
fn the_pictures_are_what_the_program_draws() {
    let readme = page("README.md");
    for (file, scenario, view, keys) in [
        ("overview", "car", "overview", ""),
        ("keys", "tenants", "keys", ""),
        ("heat", "night", "heat", ""),
        ("trial", "car", "trial", ""),
        ("what-now", "night", "overview", "w"),
        ("forecast", "tenants", "forecast", "j j"),
        ("lesson", "tenants", "heat", ": lesson space hot enter : step space 3 enter"),
    ] {
        let link = format!("](assets/screens/{file}.svg)");
        assert!(readme.contains(&link), "{file} is not in the README");
        let path = format!("{ROOT}/assets/screens/{file}.svg");
        let arguments = [
            "demo", scenario, "--print", view, "--size", "130x34", "--format", "svg", "--type",
            keys,
        ];
        let drawn = print(&arguments);
        assert!(!drawn.contains("\\u{") && !drawn.contains('␠'), "codes in {file}");
        if std::env::var_os("COSMOSCOPE_UPDATE").is_some() {
            fs::create_dir_all(format!("{ROOT}/assets/screens")).unwrap();
            fs::write(&path, &drawn).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(kept.replace("\r\n", "\n") == drawn, "{path} is not what is drawn now");
    }
}

#[test]
fn every_key_that_the_help_names_is_a_key() {
    let help = page("assets/help/keys.md");
    let map = Keymap::built_in();
    let caps: Vec<String> = ACTIONS
        .iter()
        .flat_map(|about| map.chords(about.action))
        .map(|chord| key_cap(*chord))
        .collect();
    let rows = help.lines().filter(|line| line.starts_with('`'));
    let mut named = 0;
    for row in rows.take(16) {
        for cap in row.split('`').skip(1).step_by(2) {
            assert!(caps.iter().any(|known| known == cap), "{cap} in {row}");
            named += 1;
        }
    }
    assert!(named > 25, "{named}");
    // What the stories of the README press.
    let readme = page("README.md");
    let stories = readme.split("## Stories\n").nth(1).unwrap();
    let stories = stories.split("\n## ").next().unwrap();
    let quoted = stories.split('`').skip(1).step_by(2);
    let pressed: Vec<&str> = quoted.filter(|text| *text == "Enter" || text.len() == 1).collect();
    for cap in &pressed {
        assert!(caps.iter().any(|known| known == cap), "{cap} in the README");
    }
    assert!(pressed.len() > 12, "{pressed:?}");
}
