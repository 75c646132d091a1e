//! Plain words: what users read has the terms of the product's documentation, in short sentences.

use std::fs;

use super::rules::Source;
use super::{ROOT, scan, tree};

/// Phrases that leave the texts, as whole words in any letter case.
const BANNED: &[&str] = &[
    "anew",
    "as many as",
    "asked for",
    "asks",
    "begun",
    "beside",
    "given up",
    "holds with care",
    "is none",
    "nobody",
    "refused",
    "so many",
    "somebody",
    "tells",
    "told",
    "wall",
    "whoever",
    "worth equal",
];

/// Texts that stay, each as it is spelled, with the reason.
const EXEMPT: &[(&str, &str)] = &[
    ("wall", "a field of reports and a rule of check in JSON"),
    ("refused", "a field of inspect and a rule of check in JSON"),
    ("STORAGE WALL", "a rule of the heat report in JSON"),
    ("refused: {why}", "an input that was refused"),
    (", {refused} refused", "inputs that were refused"),
    ("refused: {}", "an input that was refused"),
    ("holds with care", "a verdict in JSON, CSV and decision files"),
    ("told", "where a capacity is from, in JSON and CSV"),
    (
        "account,database,container,key,size_kib,share_of_ceiling,region,sampled_at,growth_kib_per_day,wall\\n",
        "a header of CSV",
    ),
    (
        "key,stands,verdict,distinct,distinct_low,distinct_high,coverage,largest_bytes,share_of_ceiling,wall,top_share,k_eff,hot_hour_share,keys_a_second,load_ratio_storage,load_ratio_ru,throttled_share,partitions,partitions_after_splits,colliding_documents,single,targeted,fan_out,unknown,documents,bytes,sampled\\n",
        "a header of CSV",
    ),
    (
        "account,database,container,partition,guid,min_inclusive,max_exclusive,parents,ru_per_second,ru_per_second_from,size_kib,share_of_50gb,measure,region,p99,highest,highest_at,saturated_s,steps,gaps,ru,requests,refused,refused_share,key,key_share\\n",
        "a header of CSV",
    ),
];

/// Words of a sentence or of a part of one, up to a colon or semicolon.
const MAX_WORDS: usize = 25;

/// Programs whose command lines are as long as they are.
const COMMANDS: &[&str] = &["az ", "kubectl "];

type TextRule = fn(&str) -> Option<String>;

fn banned(text: &str) -> Option<String> {
    let text = text.to_lowercase();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let stands = |phrase: &&&str| {
        text.match_indices(**phrase).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + phrase.len()..]);
            !before.ends_with(is_part) && !after.starts_with(is_part)
        })
    };
    let found = BANNED.iter().find(stands)?;
    Some(format!("`{found}` is not a word of ours"))
}

fn long_winded(text: &str) -> Option<String> {
    text.split('\n').find_map(long_line)
}

fn long_line(text: &str) -> Option<String> {
    let is_end = |pair: &str| [". ", "; ", ": ", "? ", "\\n", " | "].contains(&pair);
    let mut rest = text;
    while !rest.is_empty() {
        let ends = (0..rest.len()).find(|at| {
            let end = |n: usize| rest.get(*at..at + n).is_some_and(is_end);
            end(2) || end(3)
        });
        let (part, behind) = rest.split_at(ends.map_or(rest.len(), |at| at + 2));
        let words = part.split_whitespace();
        let words = words.filter(|word| word.contains(char::is_alphanumeric));
        let count = words.count();
        if count > MAX_WORDS && !COMMANDS.iter().any(|name| part.starts_with(name)) {
            return Some(format!("{count} words in one sentence: {part}"));
        }
        rest = behind;
    }
    None
}

/// Texts of the code outside of tests; on the command line also the comments that are its help.
fn in_code(source: &Source, rule: TextRule) -> Vec<String> {
    if !source.path.starts_with("src/") {
        return Vec::new();
    }
    let lines: Vec<&str> = source.text.lines().collect();
    let tests = source.test_lines();
    let is_test = |line: usize| tests.iter().any(|range| range.contains(&line));
    let line = |at: usize| lines.get(at - 1).map_or("", |line| line.trim_start());
    let mut found = Vec::new();
    for string in scan::strings(&source.text) {
        let inner = string.text.trim_start_matches(['b', 'c', 'r', '#']);
        let inner = inner.trim_matches(['"', '#']);
        let joined: Vec<&str> = inner.split("\\\n").map(str::trim_start).collect();
        let text = joined.concat();
        let is_reason = line(string.line).contains("reason = \"");
        let is_exempt = EXEMPT.iter().any(|(exempt, _)| *exempt == text);
        if !is_test(string.line) && !is_reason && !is_exempt {
            found.extend(rule(&text).map(|why| source.at(string.line, &why)));
        }
    }
    if source.path.starts_with("src/cli") && source.text.contains("use clap") {
        let help = (1..=lines.len()).filter(|at| line(*at).starts_with("/// ") && !is_test(*at));
        found.extend(help.filter_map(|at| Some(source.at(at, &rule(line(at))?))));
    }
    found
}

/// Paragraphs of a page; names and samples between backticks are not prose.
fn in_page(page: &Source, rule: TextRule) -> Vec<String> {
    let prose: Vec<&str> = page.text.split('`').step_by(2).collect();
    let lines = prose.join("`x`").replace("`x``x`", "\n");
    let blocks = lines.split("\n\n").map(|block| block.replace('\n', " "));
    let blocks = blocks.filter_map(|block| Some(format!("{}: {}", page.path, rule(&block)?)));
    blocks.collect()
}

/// What is read outside of the program; of the changes those that are not released yet.
fn pages() -> Vec<Source> {
    let mut paths = vec!["README.md".to_owned(), "CHANGELOG.md".to_owned()];
    for folder in ["assets/help", "assets/scenarios"] {
        let entries = fs::read_dir(format!("{ROOT}/{folder}")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name());
        paths.extend(names.map(|name| format!("{folder}/{}", name.to_string_lossy())));
    }
    let read = |path: String| {
        let text = fs::read_to_string(format!("{ROOT}/{path}")).unwrap();
        let text = text.replace("\r\n", "\n");
        let text = match path.as_str() {
            "CHANGELOG.md" => text.split("\n## [").nth(1).unwrap_or_default().to_owned(),
            _ => text,
        };
        Source { path, text }
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn texts_have_plain_words() {
    let mut broken: Vec<String> = tree().iter().flat_map(|s| in_code(s, banned)).collect();
    broken.extend(pages().iter().flat_map(|page| in_page(page, banned)));
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn sentences_are_short() {
    let broken: Vec<String> =
        (tree().iter()).flat_map(|source| in_code(source, long_winded)).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn banned_words_are_caught() {
    let found = |path: &str, text: &str| in_code(&Source::new(path, text), banned);
    for text in [
        "fn f() { g(\"It asks all.\") }",
        "const A: &str = \"of so \\\n     many keys\";",
        "const A: &str = r#\"Nobody\"#;",
        "fn f() { format!(\"{a} was told\") }",
    ] {
        assert_eq!(found("src/work/load.rs", text).len(), 1, "{text}");
    }
    let help = "use clap::Args;\n/// Whoever reads this\nstruct A;";
    assert_eq!(found("src/cli/live.rs", help).len(), 1);
    for text in [
        "// It asks all.\nfn asks() {}",
        "#[expect(a, reason = \"b\")]\nconst A: &str = \"wall\";",
        "#[expect(\n    a,\n    reason = \"nobody asks\"\n)]\nfn f() {}",
        "const A: &str = \"wall-warn, tasks, a wallet\";",
        "#[cfg(test)]\nmod tests {\n    const A: &str = \"nobody\";\n}",
    ] {
        assert_eq!(found("src/work/load.rs", text), [""; 0], "{text}");
    }
    let page = |text: &str| in_page(&Source::new("README.md", text), banned);
    assert_eq!(page("The\nwall of `a`").len(), 1);
    assert_eq!(page("of so\nmany `wall`").len(), 1);
    assert_eq!(page("A `wall` of\n```text\nwall\n```\nend"), [""; 0]);
}

#[test]
fn long_sentences_are_caught() {
    let words = |count: usize| vec!["word"; count].join(" ");
    assert!(long_winded(&words(MAX_WORDS + 1)).is_some());
    assert!(long_winded(&format!("a; {}", words(MAX_WORDS + 1))).is_some());
    for fine in [
        format!("{}. {}", words(MAX_WORDS), words(MAX_WORDS)),
        format!("az {}", words(MAX_WORDS)),
        format!("{} → – {{}}", words(MAX_WORDS)),
    ] {
        assert_eq!(long_winded(&fine), None, "{fine}");
    }
}

#[test]
fn exemptions_are_needed() {
    let sources = tree();
    for (text, _) in EXEMPT {
        assert!(banned(text).is_some(), "{text} needs no exemption");
        let is_used = |s: &Source| s.path.starts_with("src/") && s.text.contains(text);
        assert!(sources.iter().any(is_used), "{text} is no longer there");
    }
}
