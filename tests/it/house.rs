//! Reads the sources and checks what no compiler checks: layers, lengths, unfinished marks, the top level.
//! Each rule is also run on code that breaks it, so that it cannot pass by seeing nothing.

mod rules;
mod scan;
mod words;

use rules::{MAX_FILE_LINES, MAX_FUNCTION_LINES, Rule, Source};
use std::fs;
use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Every Rust file under `src/` and `tests/`.
fn tree() -> Vec<Source> {
    let mut sources = Vec::new();
    let mut folders = vec!["src".to_owned(), "tests".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(Path::new(ROOT).join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else if Path::new(&path).extension().is_some_and(|end| end == "rs") {
                let text = fs::read_to_string(entry.path()).unwrap();
                sources.push(Source { path, text });
            }
        }
    }
    sources
}

/// What the repository holds at its top; without a repository, what lies there but the build.
fn top_level() -> Vec<String> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(ROOT).output();
    let listed = listed.map(|done| String::from_utf8_lossy(&done.stdout).into_owned());
    let mut names: Vec<String> = listed
        .unwrap_or_default()
        .split_terminator('\0')
        .map(|path| path.split('/').next().unwrap_or(path).to_owned())
        .collect();
    if names.is_empty() {
        let entries = fs::read_dir(ROOT).unwrap();
        names = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|name| name != ".git" && name != "target")
            .collect();
    }
    names.sort();
    names.dedup();
    names
}

#[track_caller]
fn assert_kept(rule: Rule) {
    let broken: Vec<String> = tree().iter().flat_map(rule).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[track_caller]
fn assert_caught(rule: Rule, path: &str, text: &str) {
    let found = rule(&Source::new(path, text));
    assert!(!found.is_empty(), "not caught in {path}: {text}");
}

#[track_caller]
fn assert_fine(rule: Rule, path: &str, text: &str) {
    let found = rule(&Source::new(path, text));
    assert!(found.is_empty(), "{}\nin: {text}", found.join("\n"));
}

#[test]
fn the_tree_is_read_whole() {
    let sources = tree();
    for path in ["src/lib.rs", "src/main.rs", "tests/it/house/scan.rs"] {
        assert!(sources.iter().any(|source| source.path == path), "{path} was not read");
    }
}

#[test]
fn layers_name_only_what_they_may() {
    assert_kept(rules::layers);
}

#[test]
fn a_layer_that_names_too_much_is_caught() {
    let caught = |path: &str, text: &str| assert_caught(rules::layers, path, text);
    for name in ["analysis", "cli", "config", "error", "report", "source", "tui", "ui", "work"] {
        caught("src/model/key.rs", &format!("use crate::{name}::Thing;"));
    }
    for name in [
        "crossterm",
        "ratatui",
        "std::env",
        "std::fs",
        "std::io",
        "std::thread",
        "std::time",
        "tokio",
    ] {
        let text = format!("fn f() {{ {name}::thing(); }}");
        for layer in ["model", "analysis"] {
            caught(&format!("src/{layer}/key.rs"), &text);
        }
    }
    caught("src/model.rs", "use crate::{model::Key, analysis};");
    caught("src/model/mod.rs", "use super::report::Row;");
    caught("src/model/key.rs", "use super::super::source;");
    caught("src/model/key.rs", "mod tests { use super::super::super::error::Error; }");
    caught("src/model/key.rs", "use crate::*;");
    caught("src/model/key.rs", "use std::{collections::BTreeMap, io::{self, Write}};");
    caught("src/model/key.rs", "use std::*;");
    caught("src/model/key.rs", "fn f(d: ::core::time::Duration) {}");
    caught("src/model/key.rs", "fn f() -> Timestamp { Timestamp::now() }");
    caught("src/analysis/growth.rs", "use crate::error::Error;");
    caught("src/analysis/growth.rs", "fn f() { crate::report::text::bar(); }");
    for name in ["analysis", "cli", "report", "ui", "work"] {
        caught("src/source/format/csv.rs", &format!("use crate::{name}::Thing;"));
    }
    caught("src/report/text.rs", "use crate::source::Shape;");
    caught("src/report/text.rs", "use crate::cli;");
    caught("src/report/text.rs", "fn f() { std::fs::write(a, b); }");
    for name in ["cli", "config", "tui"] {
        caught("src/ui/app/mod.rs", &format!("use crate::{name}::Thing;"));
    }
    for name in ["cli", "tui", "ui"] {
        caught("src/work/load.rs", &format!("use crate::{name}::Thing;"));
    }
    for layer in ["ui/app", "ui/view"] {
        for name in ["crossterm", "std::fs", "std::time::Instant", "tokio"] {
            caught(&format!("src/{layer}/keys.rs"), &format!("use {name};"));
        }
    }
}

#[test]
fn a_layer_may_name_what_lies_below() {
    let fine = |path: &str, text: &str| assert_fine(rules::layers, path, text);
    fine("src/model/key.rs", "use crate::model::epk; use super::units::Kib; use self::inner::X;");
    fine("src/model/key.rs", "mod tests { use super::*; use super::super::epk; } use super::epk;");
    fine("src/model/key.rs", "pub(crate) fn now() {} // std::fs, crate::source");
    fine(
        "src/model/key.rs",
        r##"const A: &str = "std::fs"; const B: &str = r#"crate::"source"#;"##,
    );
    fine("src/model/key.rs", "fn f<'std>(c: char) -> bool { c == '\"' || c == '\\'' }");
    fine("src/analysis/skew.rs", "use crate::{analysis::growth, model};");
    fine("src/source/mod.rs", "use crate::{error::Error, model}; use std::{fs, io};");
    fine("src/report/csv.rs", "use crate::{analysis, error, model}; use std::io::Write;");
    fine("src/modelling.rs", "use crate::source;");
}

#[test]
fn floors_stand_on_each_other_in_one_direction() {
    assert_kept(rules::floors);
    let caught = |path: &str, text: &str| assert_caught(rules::floors, path, text);
    caught("src/ui/view/keys.rs", "use crate::ui::app::App;");
    caught("src/ui/view/heat/map.rs", "use super::super::super::app;");
    caught("src/ui/view/mod.rs", "fn f(app: &crate::ui::app::App) {}");
    caught("src/ui/view/keys.rs", "use crate::ui::{app::App, kit::cx::Cx};");
    caught("src/ui/kit/cx.rs", "use crate::ui::view::ViewId;");
    caught("src/ui/kit/cx.rs", "use crate::ui::*;");
    caught("src/ui/kit/mod.rs", "use super::app;");
    caught("src/analysis/demand/outcome.rs", "use crate::analysis::trial::Trials;");
    caught("src/analysis/growth.rs", "use super::forecast::Retention;");
    caught("src/analysis/routing/filter.rs", "use super::super::suggest::Proposal;");
    let fine = |path: &str, text: &str| assert_fine(rules::floors, path, text);
    let below = "use crate::ui::view::Views; use crate::ui::kit::cx::Cx;";
    fine("src/ui/app/update.rs", below);
    let beside = "use super::heat; use crate::ui::kit::cx::Cx;";
    fine("src/ui/view/keys.rs", beside);
    fine("src/ui/view/keys/tests.rs", "use crate::ui::app::App;");
    fine("src/analysis/demand.rs", "use super::routing::Routing; use super::heat::Heat;");
    fine("src/ui/view/keys.rs", "#[cfg(test)]\nmod tests {\n    use crate::ui::app::App;\n}\n");
}

#[test]
fn only_the_app_changes_the_app() {
    assert_kept(rules::only_the_app_changes_the_app);
    let rule: Rule = rules::only_the_app_changes_the_app;
    assert_caught(rule, "src/ui/view/keys.rs", "fn act(app: &mut App) {}");
    assert_caught(rule, "src/tui/mod.rs", "fn f<'a>(app: &'a mut App) {}");
    assert_fine(rule, "src/ui/app/update.rs", "fn act(app: &mut App) {}");
    assert_fine(rule, "src/tui/mod.rs", "fn f(app: &App) {}");
    assert_fine(rule, "src/ui/view/testing.rs", "fn f(app: &mut App) {}");
}

#[test]
fn some_things_are_named_in_their_places_only() {
    assert_kept(rules::only_there);
    for (path, text) in [
        ("src/error.rs", "use std::fs::File;"),
        ("src/lib.rs", "fn f() { std::time::Instant::now(); }"),
        ("src/report/text.rs", "fn f() { jiff::Timestamp::now(); }"),
        ("src/main.rs", "use azure_core::Url;"),
        ("src/model/epk.rs", "use azure_core::Url;"),
        ("src/source/live_view.rs", "use azure_data_cosmos::CosmosClient;"),
        ("src/source/live/logs.rs", "use reqwest::{Client, Url};"),
        ("src/source/spool.rs", "use std::fs::{File, OpenOptions};"),
        ("src/tui/runtime.rs", "fn f() { std::process::Command::new(a); }"),
        ("src/source/input.rs", "use std::net::TcpStream;"),
    ] {
        assert_caught(rules::only_there, path, text);
    }
    for (path, text) in [
        ("src/cli.rs", "use std::fs;"),
        ("src/cli/report.rs", "fn f() { jiff::Timestamp::now(); }"),
        ("tests/it/house.rs", "use std::fs;"),
        ("src/source/live/sdk.rs", "use azure_core::Url; use reqwest::Url;"),
        ("tests/it/live.rs", "use azure_core::Url;"),
        ("src/main.rs", "fn f(s: S) { s.azure_x(); }"),
        ("src/source/live/wire.rs", "use reqwest::Client;"),
        ("src/source/private.rs", "use std::fs::OpenOptions;"),
    ] {
        assert_fine(rules::only_there, path, text);
    }
}

#[test]
fn numbers_become_text_in_one_module() {
    assert_kept(rules::digits_in_one_place);
    let rule: Rule = rules::digits_in_one_place;
    for digits in ["{:.1} s", "{a:>8.2}", "{} {a:.3e}"] {
        assert_caught(rule, "src/ui/view/heat.rs", digits);
        assert_fine(rule, "src/model/units.rs", digits);
        assert_fine(rule, "tests/it/heat.rs", digits);
    }
    let fine = "a.b { c: d.e } {a:<8} {b}: 1.5 {c:?}. {d:.width$}";
    assert_fine(rule, "src/ui/view/heat.rs", fine);
}

#[test]
fn names_are_nouns() {
    assert_kept(rules::plain_names);
    for (path, text) in [
        ("src/report/csv.rs", "pub(super) struct Made<'a>(&'a str);"),
        ("src/ui/app/mod.rs", "enum Wish { Whole }"),
        ("src/model/whose.rs", "//! Whose."),
        ("tests/it/cli/told.rs", "type A = u8;"),
        ("src/model/epk.rs", "pub fn whose() {}"),
    ] {
        assert_caught(rules::plain_names, path, text);
    }
    let fine = "struct MadeOfStone; fn made_of() {} impl Held for A { type Output = Made; }";
    assert_fine(rules::plain_names, "src/report/csv.rs", fine);
}

#[test]
fn public_types_have_a_name_each() {
    let shared = rules::shared_names(&tree());
    assert!(shared.is_empty(), "{}", shared.join("\n"));
    let of = |path: &str, text: &str| Source::new(path, text);
    let twice = [
        of("src/cli.rs", "pub struct Row;"),
        of("src/model/a.rs", "pub(super) struct Cell; pub enum Row { A }"),
        of("src/model/b.rs", "struct Row; pub struct Cell;"),
        of("tests/it/c.rs", "pub struct Cell;"),
    ];
    assert_eq!(rules::shared_names(&twice), ["Row: src/cli.rs, src/model/a.rs"]);
}

#[test]
fn no_code_is_unsafe() {
    assert_kept(rules::no_unsafe);
    assert_caught(rules::no_unsafe, "src/main.rs", "fn f() { unsafe { g() } }");
    assert_fine(
        rules::no_unsafe,
        "src/main.rs",
        "#![forbid(unsafe_code)] // unsafe\n/* /* */ unsafe */",
    );
}

#[test]
fn files_are_short() {
    assert_kept(rules::short_file);
    let file = |lines: usize| "//\n".repeat(lines);
    assert_caught(rules::short_file, "src/main.rs", &file(MAX_FILE_LINES + 1));
    assert_fine(rules::short_file, "src/main.rs", &file(MAX_FILE_LINES));
}

#[test]
fn functions_are_short() {
    assert_kept(rules::short_functions);
    let function =
        |lines: usize| format!("fn f(\n a: [u8; 3]) {{{}}}\nfn g();\n", "\n".repeat(lines - 2));
    assert_fine(rules::short_functions, "src/main.rs", &function(MAX_FUNCTION_LINES));
    let long = function(MAX_FUNCTION_LINES + 1);
    assert_caught(rules::short_functions, "src/main.rs", &long);
    assert_caught(rules::short_functions, "src/main.rs", &format!("mod tests {{ {long} }}"));
    let odd = long.replacen('\n', "let a = ('}', '\\'', \"}\\\"}\", r#\"}\"}\"#, b'}'); // }\n", 1);
    assert_caught(rules::short_functions, "src/main.rs", &odd);
}

#[test]
fn nothing_is_marked_unfinished() {
    assert_kept(rules::finished);
    for mark in ["TO-DO", "FIX-ME", "XX-X", "to-do!()", "unimpl-emented!()"] {
        let mark = mark.replacen('-', "", 1);
        assert_caught(rules::finished, "src/main.rs", &format!("fn f() {{}} // {mark}: later"));
        assert_caught(rules::finished, "src/main.rs", &format!("fn f() {{ {mark} }}"));
    }
    assert_fine(rules::finished, "src/main.rs", "let todo_list = method(TODOS);");
}

#[test]
fn nothing_is_ignored() {
    assert_kept(rules::nothing_ignored);
    let attribute = |inner: &str| format!("#[test] #[{inner}] fn f() {{}}");
    let caught = |text: &str| assert_caught(rules::nothing_ignored, "src/main.rs", text);
    caught(&attribute("ignore"));
    caught(&attribute("ignore = \"slow\""));
    caught(&attribute("cfg_attr(windows, ignore)"));
    caught(&format!("//! ```{}\n//! f();\n//! ```", "ignore"));
    assert_fine(
        rules::nothing_ignored,
        "src/main.rs",
        "fn ignore(a: &[u8]) { ignore(a[0]) } // ignore",
    );
    let reasoned = "#[test]\n#[ignore = \"slow: 1,000 draws\"]\nfn f() {}";
    assert_fine(rules::nothing_ignored, "src/main.rs", reasoned);
}

#[test]
fn every_file_says_what_it_is_for() {
    assert_kept(rules::module_doc);
    assert_caught(rules::module_doc, "src/main.rs", "fn main() {}");
    assert_caught(rules::module_doc, "src/main.rs", "\n//! Late.\n");
    assert_fine(rules::module_doc, "src/main.rs", "//! What it is for.\n");
}

#[test]
fn the_top_level_holds_nothing_else() {
    let names = top_level();
    assert!(names.iter().any(|name| name == "Cargo.toml"), "the top level was not read");
    let odd = rules::odd_at_top(names.iter().map(String::as_str));
    assert!(odd.is_empty(), "{odd:?} at the top level");
    let odd = rules::odd_at_top(["src", "rustfmt.toml", "Makefile"]);
    assert_eq!(odd, ["rustfmt.toml", "Makefile"]);
}

/// Runs the counter of lines on a tree: its lines on standard output, and what it found wrong.
fn count(root: &Path, options: &[&str]) -> (String, String) {
    let script = Path::new(ROOT).join(".ci/count");
    let mut command = Command::new("python3");
    let done = command.arg(script).args(options).arg("--root").arg(root).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (printed, wrong) = (text(done.stdout), text(done.stderr));
    assert_eq!(done.status.success(), wrong.is_empty(), "{wrong}");
    (printed, wrong)
}

#[expect(clippy::print_stdout, reason = "how much is left is worth seeing")]
#[test]
fn mass_only_falls() {
    let (printed, wrong) = count(Path::new(ROOT), &["--check"]);
    println!("{printed}");
    assert_eq!(wrong, "");
}

/// A tree with some files, and a repository if it has a history.
fn small_tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

#[test]
fn lines_of_code_are_counted_without_those_of_tests() {
    for (text, code) in [
        ("//! A.\n\nfn f() {}\n  // B.\n", 1),
        ("fn f() {}\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\n", 1),
        (
            "#[cfg(test)]\n#[expect(\n    a,\n    reason = \"b;\"\n)]\nmod a {\n    fn f() {}\n}\n",
            0,
        ),
        ("struct A {\n    #[cfg(test)]\n    made: B<u8>,\n    kept: u8,\n}\n", 3),
        // The item ends where its signature does: test functions with long signatures stand in test modules.
        ("#[cfg(test)]\nfn f<A, B>(\n    a: A,\n) {\n    g();\n}\nfn h() {}\n", 3),
        ("fn f() {\n    #[cfg(test)]\n    {\n        a += 1;\n    }\n    g();\n}\n", 3),
        ("#[cfg(unix)]\nmod a {\n}\n#[cfg(test)]\npub(super) mod c;\n", 3),
    ] {
        let tree = small_tree(&[
            ("src/model/mod.rs", text),
            // A module of tests in a file of its own, and what lies below it.
            ("src/model/a.rs", "#[cfg(test)]\nmod tests;\n"),
            ("src/model/a/tests.rs", "mod more;\n"),
            ("src/model/a/tests/more.rs", "fn f() {}\n"),
            ("src/model/a/tests_of.rs", "fn f() {}\n"),
            ("src/tui/input.rs", "a\n\nb\n"),
            ("src/new.rs", "a\n"),
            ("tests/it/a.rs", "a\n"),
        ]);
        let (printed, _) = count(tree.path(), &[]);
        let mut floors: Vec<_> = (printed.lines().map(str::split_whitespace))
            .map(|mut words| (words.next().unwrap(), words.next().unwrap().parse().unwrap()))
            .collect();
        floors.sort_unstable();
        let all = code + 1 + 2 + 1;
        assert_eq!(
            floors,
            [("all", all), ("cli+tui", 2), ("model", code + 1), ("root", 1)],
            "{text}"
        );
    }
}

#[test]
fn a_tree_that_grew_is_caught() {
    let mass = |all: usize| format!("root {all}\nall {all}\n");
    let check = |text: &str, mass: Option<&str>| {
        let tree = small_tree(&[("src/lib.rs", text)]);
        if let Some(mass) = mass {
            fs::create_dir(tree.path().join(".ci")).unwrap();
            fs::write(tree.path().join(".ci/mass"), mass).unwrap();
        }
        count(tree.path(), &["--check"]).1
    };
    let text = "// A.\nfn f() {}\nfn g() {}\n";
    assert_eq!(check(text, Some(&mass(2))), "");
    assert!(check(text, Some(&mass(1))).contains("remove 1"));
    assert!(check(text, None).contains("missing"));
    assert!(check(text, Some("root 2\n")).contains("all LINES"));
    assert!(check("fn f() {}\n", Some(&mass(2))).contains("comments"));
}

#[test]
fn a_record_that_rose_by_more_than_its_allowance_is_caught() {
    let tree = small_tree(&[("src/lib.rs", "// A.\nfn f() {}\n"), (".ci/mass", "all 1\n")]);
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
        let mut command = Command::new("git");
        let done = command.args(identity).args(args).current_dir(tree.path()).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    let record =
        |all: usize| fs::write(tree.path().join(".ci/mass"), format!("all {all}\n")).unwrap();
    let commit = || {
        git(&["add", "-A"]);
        git(&["commit", "-qm", "a"]);
    };
    git(&["init", "-q"]);
    commit();
    // No count of any tree: it lowers no bound.
    record(0);
    commit();
    record(4001);
    assert_eq!(count(tree.path(), &["--check"]).1, "");
    record(4002);
    assert!(count(tree.path(), &["--check"]).1.contains("at most 4001"));
    let (_, wrong) = count(tree.path(), &["--write"]);
    assert_eq!(wrong, "");
    assert_eq!(fs::read_to_string(tree.path().join(".ci/mass")).unwrap(), "root 1\nall 1\n");
}
