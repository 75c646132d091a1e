//! What holds for every source file: each rule turns one file into its findings.

use std::collections::{BTreeMap, BTreeSet};

use super::scan;

/// Beyond this a file holds more than one idea.
pub const MAX_FILE_LINES: usize = 500;
/// One screen of a large terminal: longer functions are no longer read as a whole.
pub const MAX_FUNCTION_LINES: usize = 70;

const TOP_LEVEL: &[&str] = &[
    ".ci",
    ".gitattributes",
    ".gitignore",
    ".rustfmt.toml",
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "assets",
    "src",
    "tests",
];

/// What a folder under `src/` (or the file of that name) may not name.
struct Layer {
    name: &'static str,
    /// Our own modules that it may name; none means any.
    ours: Option<&'static [&'static str]>,
    foreign: &'static [&'static [&'static str]],
}

const FILES: &[&str] = &["std::fs", "tempfile"];
/// `*::now` is any function of that name.
const CLOCK: &[&str] = &["std::time::SystemTime", "std::time::Instant", "*::now"];
const WORLD: &[&str] = &[
    "std::env",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
    "std::time",
    "getrandom",
    "signal_hook",
];
const SCREEN: &[&str] = &["ratatui", "crossterm"];
const RUNTIME: &[&str] = &["tokio", "crossterm"];

const LAYERS: &[Layer] = &[
    Layer {
        name: "model",
        ours: Some(&["model"]),
        foreign: &[FILES, CLOCK, WORLD, SCREEN, RUNTIME],
    },
    Layer {
        name: "analysis",
        ours: Some(&["analysis", "model"]),
        foreign: &[FILES, CLOCK, WORLD, SCREEN, RUNTIME],
    },
    Layer { name: "source", ours: Some(&["error", "model", "source"]), foreign: &[SCREEN] },
    Layer {
        name: "report",
        ours: Some(&["analysis", "error", "model", "report"]),
        foreign: &[FILES, CLOCK, SCREEN, RUNTIME],
    },
    Layer {
        name: "work",
        ours: Some(&["analysis", "config", "error", "model", "report", "source", "work"]),
        foreign: &[SCREEN],
    },
    Layer {
        name: "ui",
        ours: Some(&["analysis", "error", "model", "report", "source", "ui", "work"]),
        foreign: &[FILES, CLOCK, RUNTIME],
    },
];

/// What is named in some places only: the names, and the files or folders under `src/` that they stand in.
const ONLY_IN: &[(&[&str], &[&str])] = &[
    // `work` and `tui` do what the screens ask for.
    (FILES, &["cli", "main", "source", "tui", "work"]),
    (CLOCK, &["cli", "main", "source", "tui", "work"]),
    (&["azure_core", "azure_data_cosmos", "azure_identity"], &["source/live"]),
    // Whatever is sent carries a token: it follows no redirect and is bounded there.
    (&["reqwest::Client", "reqwest::redirect"], &["source/live/wire", "source/live/pipeline"]),
    (&["std::net::TcpStream"], &["source/live/reach"]),
    // A private file is looked at once more after it was opened.
    (&["std::fs::OpenOptions", "std::os::unix::fs::OpenOptionsExt"], &["source/private"]),
    (&["std::process::Command"], &["source/live/credential/child", "cli/live/restart"]),
];

/// Words that say nothing to those who look for a thing: pronouns, participles, verbs.
const NO_NAMES: &[&str] = &[
    "Above", "Against", "Ahead", "Alike", "Along", "Also", "Answered", "Aside", "Asked", "Because",
    "Before", "Begun", "Behind", "Beside", "Between", "Bought", "By", "Came", "Cannot", "Chosen",
    "Counted", "Course", "Crew", "Decides", "Demanded", "Did", "Does", "Drawn", "Dropped", "Each",
    "Ended", "Found", "Given", "Going", "Gone", "Ground", "Happened", "Held", "How", "Inside",
    "Instead", "Kept", "Known", "Late", "Leave", "Made", "MadeOf", "Mapped", "Means", "Measured",
    "Missed", "Named", "Now", "Numbered", "Of", "On", "One", "Opened", "Ordered", "Others", "Over",
    "Own", "Parted", "Passed", "Placed", "Pressed", "Refused", "Said", "Say", "Scanned",
    "Scrolled", "Searched", "Seen", "Sent", "Settled", "Shown", "Sniffed", "Sold", "Speaks",
    "Spelled", "Standing", "Stands", "Stored", "Taken", "Told", "Tried", "Turn", "Twice", "Twins",
    "Typed", "Untold", "Wanted", "Was", "Way", "What", "Whatever", "When", "Which", "Who", "Whose",
    "Why", "Wish", "Wishes", "With", "Within", "Worth", "Wrapped", "Written",
];

/// A function says what it gives or does.
const NO_FUNCTIONS: &[&str] = &["asked", "held", "made", "own", "said", "told", "whose"];

pub struct Source {
    pub path: String,
    pub text: String,
}

impl Source {
    pub fn new(path: &str, text: impl Into<String>) -> Self {
        let (path, text) = (path.to_owned(), text.into());
        Self { path, text }
    }

    pub fn at(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.path)
    }

    /// `src/model/epk.rs` is `crate::model::epk`; nothing outside `src/` is a module of the product.
    fn module(&self) -> Option<Vec<&str>> {
        let inside = self.path.strip_prefix("src/")?.strip_suffix(".rs")?;
        let names = inside.split('/').filter(|&name| name != "mod" && name != "lib");
        Some(std::iter::once("crate").chain(names).collect())
    }

    fn is_in(&self, place: &[&str]) -> bool {
        self.module().is_some_and(|module| module.starts_with(place))
    }

    /// The lines of tests: all of a file of tests, else those of its test modules.
    pub fn test_lines(&self) -> Vec<std::ops::RangeInclusive<usize>> {
        let names = self.module().unwrap_or_default();
        if names.iter().any(|n| ["tests", "testing"].contains(n)) {
            return vec![0..=usize::MAX];
        }
        let items = scan::test_items(&scan::tokens(&self.text));
        items.iter().map(|(first, last, _)| *first..=*last).collect()
    }

    fn paths(&self) -> Vec<scan::Path> {
        let module = self.module().unwrap_or_default();
        scan::paths(&scan::tokens(&self.text), &module)
    }

    /// Findings for every named path that `forbids` gives a reason against.
    fn naming(&self, forbids: impl Fn(&[String]) -> Option<String>) -> Vec<String> {
        self.paths()
            .iter()
            .filter_map(|path| Some(self.at(path.line, &forbids(&path.segments)?)))
            .collect()
    }
}

pub type Rule = fn(&Source) -> Vec<String>;

/// Whether a path is `pattern`, lies under it, or takes everything of `std` at once.
fn matches(segments: &[String], pattern: &str) -> bool {
    if let Some(function) = pattern.strip_prefix("*::") {
        return segments.len() > 1 && segments.last().is_some_and(|name| name == function);
    }
    let names = segments.iter().map(|name| match name.as_str() {
        "core" => "std",
        name => name,
    });
    pattern
        .split("::")
        .zip(names.chain(std::iter::repeat("")))
        .all(|(wanted, name)| wanted == name || name == "*")
}

fn named_of<'a>(segments: &[String], lists: &[&[&'a str]]) -> Option<&'a str> {
    let mut all = lists.iter().copied().flatten().copied();
    all.find(|pattern| matches(segments, pattern))
}

pub fn layers(source: &Source) -> Vec<String> {
    let Some(layer) = LAYERS.iter().find(|layer| source.is_in(&["crate", layer.name])) else {
        return Vec::new();
    };
    source.naming(|segments| {
        let foreign = named_of(segments, layer.foreign)
            .map(|pattern| format!("{} names {pattern}", layer.name));
        let ours = match (segments, layer.ours) {
            ([root, name, ..], Some(allowed)) if root == "crate" => (!allowed
                .contains(&name.as_str()))
            .then(|| format!("{} names crate::{name}", layer.name)),
            _ => None,
        };
        foreign.or(ours)
    })
}

/// What is made of the engines' figures.
const ON_ENGINES: &[&str] = &[
    "decision",
    "design",
    "diagnosis",
    "diff",
    "forecast",
    "migration",
    "overview",
    "plan",
    "simulate",
    "suffix",
    "suggest",
    "trial",
];
/// What stands in a floor may not name what stands above it; tests may.
const FLOORS: &[(&str, &str, &[&str])] = &[
    ("ui", "kit", &["view", "app"]),
    ("ui", "view", &["app"]),
    ("analysis", "demand", ON_ENGINES),
    ("analysis", "growth", ON_ENGINES),
    ("analysis", "routing", ON_ENGINES),
];

pub fn floors(source: &Source) -> Vec<String> {
    let is_in = |layer: &str, floor: &str| source.is_in(&["crate", layer, floor]);
    let Some((layer, name, above)) = FLOORS.iter().find(|(l, floor, _)| is_in(l, floor)) else {
        return Vec::new();
    };
    let tests = source.test_lines();
    let mut found = source.paths();
    found.retain(|path| !tests.iter().any(|lines| lines.contains(&path.line)));
    let found = found.iter().filter_map(|path| match &path.segments[..] {
        [root, of, floor, ..] if root == "crate" && of == layer => {
            let is_above = above.contains(&floor.as_str()) || floor == "*";
            is_above
                .then(|| source.at(path.line, &format!("{layer}::{name} names {layer}::{floor}")))
        }
        _ => None,
    });
    found.collect()
}

/// A view changes itself and gives back effects.
pub fn only_the_app_changes_the_app(source: &Source) -> Vec<String> {
    if source.is_in(&["crate", "ui", "app"]) || source.module().is_none() {
        return Vec::new();
    }
    let tokens = scan::tokens(&source.text);
    let changing = tokens.windows(2).filter(|pair| match pair {
        [before, name] => before.text == "mut" && name.text == "App",
        _ => false,
    });
    let changing = changing.filter_map(|pair| pair.first());
    let tests = source.test_lines();
    let changing = changing.filter(|token| !tests.iter().any(|l| l.contains(&token.line)));
    changing.map(|token| source.at(token.line, "&mut App outside ui::app")).collect()
}

pub fn only_there(source: &Source) -> Vec<String> {
    if source.module().is_none() {
        return Vec::new();
    }
    let elsewhere = ONLY_IN.iter().filter(|(_, places)| {
        let is_in = |place: &&str| {
            let place: Vec<&str> = std::iter::once("crate").chain(place.split('/')).collect();
            source.is_in(&place)
        };
        !places.iter().any(is_in)
    });
    let elsewhere: Vec<_> = elsewhere.collect();
    source.naming(|segments| {
        let of = |(names, places): &&(&[&str], &[&str])| {
            let name = named_of(segments, &[names])?;
            Some(format!("{name} outside {}", places.join(", ")))
        };
        elsewhere.iter().find_map(of)
    })
}

/// How many digits a number is shown with is settled in one module.
pub fn digits_in_one_place(source: &Source) -> Vec<String> {
    if source.module().is_none() || source.is_in(&["crate", "model", "units"]) {
        return Vec::new();
    }
    let tests = source.test_lines();
    let lines = (1..).zip(source.text.lines());
    let lines = lines.filter(|(at, _)| !tests.iter().any(|range| range.contains(at)));
    // `{x:>8.2}` and `{:.1e}`; `{text:.width$}` cuts a text.
    let sets_digits = |hole: &str| {
        let form = hole.split_once('}').and_then(|(hole, _)| hole.split_once(':'));
        let digits = form.and_then(|(_, form)| form.split_once('.'));
        digits.is_some_and(|(form, digits)| {
            let digits = digits.trim_end_matches('e');
            let is_number = |c: char| c.is_ascii_digit();
            let is_form = |c: char| is_number(c) || "<>^+#".contains(c);
            form.chars().all(is_form) && !digits.is_empty() && digits.chars().all(is_number)
        })
    };
    let found = lines.filter(|(_, line)| line.split('{').skip(1).any(sets_digits));
    found.map(|(at, _)| source.at(at, "digits of a number, which model::units settles")).collect()
}

/// Types and files have nouns for names.
pub fn plain_names(source: &Source) -> Vec<String> {
    let tokens = scan::tokens(&source.text);
    let named = tokens.windows(2).filter(|pair| match pair[0].text {
        "struct" | "enum" | "trait" | "type" => NO_NAMES.contains(&pair[1].text),
        "fn" => NO_FUNCTIONS.contains(&pair[1].text),
        _ => false,
    });
    let mut found: Vec<String> = named
        .map(|pair| source.at(pair[1].line, &format!("{} says nothing", pair[1].text)))
        .collect();
    let file = source.path.rsplit('/').next().unwrap_or_default();
    let stem = file.trim_end_matches(".rs");
    if NO_NAMES.iter().any(|name| name.eq_ignore_ascii_case(stem)) {
        found.push(source.at(1, "a file whose name says nothing"));
    }
    found
}

pub fn no_unsafe(source: &Source) -> Vec<String> {
    scan::tokens(&source.text)
        .iter()
        .filter(|token| token.text == "unsafe")
        .map(|token| source.at(token.line, "unsafe code"))
        .collect()
}

pub fn short_file(source: &Source) -> Vec<String> {
    let lines = source.text.lines().count();
    let found = (lines > MAX_FILE_LINES).then(|| source.at(lines, "the file is too long"));
    found.into_iter().collect()
}

pub fn short_functions(source: &Source) -> Vec<String> {
    scan::functions(&scan::tokens(&source.text))
        .iter()
        .filter(|function| function.lines > MAX_FUNCTION_LINES)
        .map(|function| {
            let what = format!("{} has {} lines", function.name, function.lines);
            source.at(function.line, &what)
        })
        .collect()
}

/// The marks are put together here, so that a plain search for them finds only real ones.
pub fn finished(source: &Source) -> Vec<String> {
    const WORDS: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];
    const MACROS: &[&str] = &[concat!("to", "do"), concat!("unimpl", "emented")];
    let is_mark = |line: &str| {
        line.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_').any(|piece| {
            let word = piece.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
            WORDS.contains(&word) || (MACROS.contains(&word) && piece.ends_with('!'))
        })
    };
    let lines = source.text.lines().enumerate();
    lines
        .filter(|(_, line)| is_mark(line))
        .map(|(above, line)| source.at(above + 1, line.trim()))
        .collect()
}

/// A test that is skipped, by attribute or as an example in a comment.
/// Whether a test is left to those who have the tool or the time.
fn gives_reason(source: &Source, line: usize) -> bool {
    let line = source.text.lines().nth(line - 1).unwrap_or_default().trim();
    ["slow: ", "needs "].iter().any(|why| line.starts_with(&format!("#[ignore = \"{why}")))
}

pub fn nothing_ignored(source: &Source) -> Vec<String> {
    let tokens = scan::tokens(&source.text);
    let mut found = Vec::new();
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        let opens = token.text == "[" && at > 0 && tokens[at - 1].text == "#";
        match token.text {
            "[" if opens || depth > 0 => depth += 1,
            "]" => depth = depth.saturating_sub(1),
            "ignore" if depth > 0 && !gives_reason(source, token.line) => {
                found.push(source.at(token.line, "an ignored test"));
            }
            _ => {}
        }
    }
    let examples = source.text.lines().enumerate();
    found.extend(
        examples
            .filter(|(_, line)| line.contains(concat!("```", "ignore")))
            .map(|(above, _)| source.at(above + 1, "an ignored example")),
    );
    found
}

pub fn module_doc(source: &Source) -> Vec<String> {
    let found = (!source.text.starts_with("//!"))
        .then(|| source.at(1, "no //! sentence that says what the file is for"));
    found.into_iter().collect()
}

/// Public types of one name in different files: a search for a name finds one type.
pub fn shared_names(sources: &[Source]) -> Vec<String> {
    let mut files: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for source in sources.iter().filter(|source| source.module().is_some()) {
        let tests = source.test_lines();
        let tokens = scan::tokens(&source.text);
        let types = tokens.windows(3).filter(|of| {
            let is_type = ["struct", "enum", "trait", "type"].contains(&of[1].text);
            let is_test = tests.iter().any(|lines| lines.contains(&of[1].line));
            of[0].text == "pub" && is_type && !is_test
        });
        for of in types {
            files.entry(of[2].text).or_default().insert(&source.path);
        }
    }
    (files.into_iter())
        .filter(|(_, files)| files.len() > 1)
        .map(|(name, files)| {
            format!("{name}: {}", files.into_iter().collect::<Vec<_>>().join(", "))
        })
        .collect()
}

pub fn odd_at_top<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let names = names.into_iter();
    names.filter(|name| !TOP_LEVEL.contains(name)).collect()
}
