//! Commands that are printed, given to a real shell: every value stays one argument, and nothing in it runs.

use std::process::{Command, Stdio};

use cosmoscope::model::query_text::shell_word;
use cosmoscope::model::visible::{needs_code, visible};
use proptest::prelude::*;

/// What a program gets of these words.
fn arguments(words: &[String]) -> Vec<String> {
    let script = format!("printf '%s\\001' {}", words.join(" "));
    let shell = Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).output().unwrap();
    assert!(shell.stderr.is_empty(), "{script}: {shell:?}");
    let out = String::from_utf8(shell.stdout).unwrap();
    out.split_terminator('\u{1}').map(str::to_owned).collect()
}

/// A text that acts or hides is its codes; every other one is itself.
fn expected(text: &str) -> String {
    if text.contains(needs_code) { visible(text).into_owned() } else { text.to_owned() }
}

#[test]
fn names_that_are_commands_stay_names() {
    let texts = [
        "3;touch PWN #",
        "$(touch PWN)",
        "`touch PWN`",
        "a'; touch PWN; '",
        "--force",
        "two  spaces",
        r"C:\exports\june.csv",
        "~/x*?[a]{b,c}!",
        "a\nb",
        "",
    ];
    let words: Vec<String> = texts.iter().map(|text| shell_word(text)).collect();
    let wanted: Vec<String> = texts.iter().map(|text| expected(text)).collect();
    assert_eq!(arguments(&words), wanted);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_word_arrives_as_one_argument(
        texts in prop::collection::vec("(?s)(['\"\\\\$`;&|<>(){}*?!#~ \n]|[a-z]|.){0,20}", 1..6)
    ) {
        let words: Vec<String> = texts.iter().map(|text| shell_word(text)).collect();
        let wanted: Vec<String> = texts.iter().map(|text| expected(text)).collect();
        prop_assert_eq!(arguments(&words), wanted);
    }
}
