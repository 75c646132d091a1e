//! What the README shows is what the program prints.

use std::fs;
use std::process::Command;

use cosmoscope::ui::kit::action::ACTIONS;
use cosmoscope::ui::kit::keymap::{Keymap, key_cap};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The text block that follows a command in the README.
fn shown_after(readme: &str, command: &str) -> String {
    let at = readme.find(command).expect("the command stands in the README");
    let block = readme[at..].split("```text\n").nth(1).expect("a block follows");
    block.split("\n```").next().unwrap_or_default().to_owned()
}

#[test]
fn every_command_and_format_is_in_the_readme() {
    let readme = fs::read_to_string(format!("{ROOT}/README.md")).unwrap();
    let help = Command::new(env!("CARGO_BIN_EXE_cosmoscope")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|l| !l.starts_with("Commands:"))
        .skip(1)
        .take_while(|l| l.starts_with(' '))
        .filter_map(|l| l.split_whitespace().next())
        .filter(|c| *c != "help")
        .collect();
    assert!(commands.len() >= 7, "{commands:?}");
    for command in commands {
        assert!(readme.contains(command), "{command} is not in the README");
    }
    assert!(
        readme.contains("cargo run --locked --release -- demo")
            && readme.contains("cargo test --locked")
    );
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

#[test]
fn the_screen_in_the_readme_is_the_real_one() {
    let readme = fs::read_to_string(format!("{ROOT}/README.md")).unwrap();
    let shown = shown_after(&readme, "$ cosmoscope demo night --print heat\n");
    let printed = print(&["demo", "night", "--print", "heat"]);
    assert_eq!(shown, printed.trim_end_matches('\n'));
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
    let readme = fs::read_to_string(format!("{ROOT}/README.md")).unwrap();
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
    let page = fs::read_to_string(format!("{ROOT}/assets/help/keys.md")).unwrap();
    let map = Keymap::built_in();
    let caps: Vec<String> = ACTIONS
        .iter()
        .flat_map(|about| map.chords(about.action))
        .map(|chord| key_cap(*chord))
        .collect();
    let rows = page.lines().filter(|line| line.starts_with('`'));
    let mut named = 0;
    for row in rows.take(16) {
        for cap in row.split('`').skip(1).step_by(2) {
            assert!(caps.iter().any(|known| known == cap), "{cap} in {row}");
            named += 1;
        }
    }
    assert!(named > 25, "{named}");
    // What the stories of the README press.
    let readme = fs::read_to_string(format!("{ROOT}/README.md")).unwrap();
    let stories = readme.split("## Stories\n").nth(1).unwrap();
    let stories = stories.split("\n## ").next().unwrap();
    let quoted = stories.split('`').skip(1).step_by(2);
    let pressed: Vec<&str> = quoted.filter(|text| *text == "Enter" || text.len() == 1).collect();
    for cap in &pressed {
        assert!(caps.iter().any(|known| known == cap), "{cap} in the README");
    }
    assert!(pressed.len() > 12, "{pressed:?}");
}
