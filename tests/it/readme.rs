//! What the README shows is what the program prints.

use std::fs;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The text block that follows a command in the README.
fn shown_after(readme: &str, command: &str) -> String {
    let at = readme
        .find(command)
        .expect("the command stands in the README");
    let block = readme[at..]
        .split("```text\n")
        .nth(1)
        .expect("a block follows");
    block.split("\n```").next().unwrap_or_default().to_owned()
}

#[test]
fn the_report_in_the_readme_is_the_real_one() {
    let readme = fs::read_to_string(format!("{ROOT}/README.md"))
        .unwrap()
        .replace("\r\n", "\n");
    let path = "tests/it/data/samples/stats/log-analytics/resource-specific.portal-us.csv";
    let command = format!("cosmoscope report {path}");
    let done = Command::new(env!("CARGO_BIN_EXE_cosmoscope"))
        .args(["report", path])
        .current_dir(ROOT)
        .output()
        .unwrap();
    let printed = String::from_utf8(done.stdout).unwrap();
    assert_eq!(
        shown_after(&readme, &command),
        printed.trim_end_matches('\n')
    );
}

#[test]
fn every_command_and_format_is_in_the_readme() {
    let readme = fs::read_to_string(format!("{ROOT}/README.md")).unwrap();
    let help = Command::new(env!("CARGO_BIN_EXE_cosmoscope"))
        .arg("--help")
        .output()
        .unwrap();
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
    assert!(readme.contains("cargo run --release -- demo") && readme.contains("cargo test"));
}
