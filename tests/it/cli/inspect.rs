//! `inspect`: its JSON object, its sums, and what it says of rows that are no use.

use std::fs;

use serde_json::{Value, json};

use super::ordered_json::OrderedJson;
use super::{COLUMNS, Place, STANDARD, names_in, sample, table};

const OBJECT: [&str; 10] = [
    "schema",
    "rows",
    "skipped",
    "repeated",
    "other_kinds",
    "warnings",
    "keys",
    "keys_total",
    "notes",
    "files",
];
const FILE: [&str; 9] =
    ["path", "shape", "refused", "rows", "skipped", "repeated", "other_kinds", "warnings", "notes"];
const SUMS: [&str; 4] = ["rows", "skipped", "repeated", "other_kinds"];

fn inspect(place: &Place, paths: &[&str]) -> Value {
    let mut args = vec!["inspect", "--format", "json", "--quiet"];
    args.extend(paths);
    place.run(&args).ends_with(0).json()
}

fn numbers(of: &Value) -> [u64; 4] {
    SUMS.map(|name| of[name].as_u64().unwrap())
}

#[test]
fn the_object_has_exactly_its_names_in_order() {
    let place = Place::new();
    let good = sample(STANDARD);
    let answer = place.run(&["inspect", &good, "absent.csv", "--format", "json"]);
    let found = OrderedJson::parse(&answer.ends_with(0).out);
    assert_eq!(found.names(), OBJECT);
    assert_eq!(found.at("files").items().len(), 2);
    for file in found.at("files").items() {
        assert_eq!(file.names(), FILE);
    }
}

#[test]
fn the_standard_set_has_its_numbers() {
    let place = Place::new();
    let path = sample(STANDARD);
    let found = inspect(&place, &[&path]);
    assert_eq!(found["schema"], 1);
    assert_eq!(numbers(&found), [45, 0, 0, 0]);
    assert_eq!((&found["warnings"], &found["keys_total"]), (&json!(0), &json!(27)));
    assert_eq!(found["keys"][0], json!(["tenant-0002"]));
    assert!(found["keys"].as_array().unwrap().contains(&json!([{}])));
    assert_eq!(found["files"][0]["path"], json!(path));
    assert_eq!(found["files"][0]["refused"], Value::Null);
}

#[test]
fn awkward_files_have_the_numbers_that_are_told_of_them() {
    let place = Place::new();
    for (file, wanted, keys) in [
        ("hard/duplicates.csv", [11, 0, 6, 0], 5),
        ("hard/bad-rows.csv", [5, 4, 0, 0], 5),
        ("hard/two-exports-joined.csv", [6, 0, 1, 0], 5),
        ("hard/truncated-last-line.PT1H.json", [5, 1, 0, 0], 5),
        ("hard/one-key-two-spellings.csv", [6, 0, 0, 0], 3),
        ("stats/log-analytics/azure-diagnostics.portal-us.csv", [45, 0, 0, 3], 27),
        ("stats/log-analytics/query-api.partial-error.json", [20, 0, 0, 0], 20),
        ("stats/container-read/shop.orders.data-plane.json", [10, 0, 0, 0], 10),
        ("stats/container-read/shop.orders.pkranges.json", [4, 0, 0, 0], 0),
        ("metrics/normalized-ru-by-range.json", [19, 0, 0, 0], 0),
        ("arm/partition-merge-dry-run.carts.json", [1, 0, 0, 0], 0),
        ("ru/partition-key-ru-consumption.portal-us.csv", [41, 0, 0, 0], 0),
    ] {
        let found = inspect(&place, &[&sample(file)]);
        assert_eq!(numbers(&found), wanted, "{file}");
        assert_eq!(found["keys_total"], keys, "{file}");
    }
}

#[test]
fn warnings_are_the_notes_and_there_is_one_for_all_that_is_left_out() {
    let place = Place::new();
    let mut left_out = 0;
    for folder in ["hard", "stats/log-analytics"] {
        for name in names_in(sample(folder).as_ref()) {
            let path = sample(&format!("{folder}/{name}"));
            let answer = place.run(&["inspect", &path, "--format", "json"]);
            if answer.code != Some(0) {
                continue;
            }
            let found = answer.json();
            let notes = found["notes"].as_array().unwrap().len();
            assert_eq!(found["warnings"], notes, "{name}");
            let [_, skipped, repeated, other_kinds] = numbers(&found);
            if skipped + repeated + other_kinds > 0 {
                left_out += 1;
                assert!(notes > 0, "{name}");
            }
        }
    }
    assert!(left_out >= 5, "{left_out} files with something left out");
}

#[test]
fn several_files_and_folders_are_added_up() {
    let place = Place::new();
    let copy = |from: &str, to: &str| place.write(to, fs::read(sample(from)).unwrap());
    copy("hard/duplicates.csv", "folder/inner/a.csv");
    copy("hard/bad-rows.csv", "folder/b.csv");
    copy(STANDARD, "folder/.hidden.csv");
    copy(STANDARD, "folder/.hidden/c.csv");
    copy("hard/object-keys.csv", "alone.csv");
    let found = inspect(&place, &["folder", "alone.csv"]);
    let files = found["files"].as_array().unwrap();
    let paths: Vec<&str> = files.iter().map(|f| f["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["folder/b.csv", "folder/inner/a.csv", "alone.csv"]);
    let mut sums = [0; 4];
    for file in files {
        for (sum, n) in sums.iter_mut().zip(numbers(file)) {
            *sum += n;
        }
    }
    assert_eq!(numbers(&found), sums);
    assert_eq!((sums[0], sums[1]), (18, 4));
    // A hidden file that is named itself was meant.
    assert_eq!(inspect(&place, &["folder/.hidden.csv"])["rows"], 45);
}

#[test]
fn as_many_keys_as_asked_for() {
    let place = Place::new();
    let path = sample(STANDARD);
    let found = inspect(&place, &[&path, "--keys", "2"]);
    assert_eq!(found["keys"], json!([["tenant-0002"], ["tenant-0001"]]));
    assert_eq!(found["keys_total"], 27);
    let many = (0..1100).map(|n| (format!("k{n}"), n.to_string()));
    place.write("many.csv", table(many));
    let found = inspect(&place, &["many.csv"]);
    assert_eq!(found["keys"].as_array().unwrap().len(), 1000);
    assert_eq!(found["keys_total"], 1100);
    assert_eq!(inspect(&place, &["many.csv", "--keys", "0"])["keys"], json!([]));
}

#[test]
fn standard_input_is_read_like_a_file() {
    let place = Place::new();
    for file in [
        STANDARD,
        "stats/log-analytics/resource-specific.portal-us.csv.gz",
        "stats/log-analytics/export-job.parquet",
    ] {
        let path = sample(file);
        let bytes = fs::read(&path).unwrap();
        let piped = place.run_with(&["inspect", "-", "--format", "json"], bytes);
        let (piped, read) = (piped.ends_with(0).json(), inspect(&place, &[&path]));
        assert_eq!(numbers(&piped), numbers(&read), "{file}");
        assert_eq!(piped["keys"], read["keys"], "{file}");
        assert!(piped["notes"].to_string().contains("private temporary file"));
    }
    assert!(place.left_in_tmp().is_empty());
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_read_like_a_file() {
    let place = Place::new();
    let pipe = place.data().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let writer = std::thread::spawn(move || fs::write(pipe, fs::read(sample(STANDARD)).unwrap()));
    let found = inspect(&place, &["pipe"]);
    writer.join().unwrap().unwrap();
    assert_eq!(numbers(&found), [45, 0, 0, 0]);
    assert_eq!(found["keys_total"], 27);
}

#[test]
fn of_many_bad_rows_twenty_are_listed_and_all_counted() {
    let place = Place::new();
    // Long, of wide characters and of controls: what would be longest on a terminal.
    let worst = "\u{1b}[31m🍕".repeat(400);
    let rows = (0..5000).map(|n| (format!("k{n}"), worst.clone()));
    let folder = "long-folder-name-".repeat(10);
    let file = format!("{folder}/bad.csv");
    let good = table([("good", "5".to_owned())]);
    let bad = table(rows).split_once('\n').unwrap().1.to_owned();
    place.write(&file, good + &bad);
    let answer = place.run(&["inspect", &file, "--format", "json"]).ends_with(0);
    assert_eq!(answer.json()["skipped"], 5000);
    assert!(answer.err.len() <= 20_000, "{} bytes", answer.err.len());
    assert!(!answer.err.contains('\u{1b}'));
    let lines: Vec<&str> = answer.err.lines().filter(|l| l.starts_with("skipped: ")).collect();
    assert_eq!(lines.len(), 21, "{}", answer.err);
    assert!(lines[0].contains(" line 3: "), "{}", lines[0]);
    assert_eq!(lines[20], "skipped: 4,980 more rows");
    let quiet = place.run(&["inspect", &file, "--quiet"]).ends_with(0);
    assert_eq!(quiet.err, "");
}

#[test]
fn keys_keep_their_exact_value_and_harmless_bytes() {
    let place = Place::new();
    let hostile = "a\u{1b}[2J\u{202e}b\u{7}\r\n\"\\";
    place.write("hostile.csv", table([(hostile, "5".to_owned())]));
    let answer = place.run(&["inspect", "hostile.csv", "--format", "json"]).ends_with(0);
    assert_eq!(answer.json()["keys"], json!([[hostile]]));
    for harmful in ['\u{1b}', '\u{202e}', '\u{7}', '\r'] {
        assert!(!answer.text().contains(harmful), "{harmful:?}");
    }
    let numbers = place.write(
        "numbers.csv",
        table([("a", "1".to_owned())]).replace("\"[\"\"a\"\"]\"", "[123456789012345680000]"),
    );
    let answer = place.run(&["inspect", numbers.to_str().unwrap(), "--format", "json"]);
    assert!(answer.ends_with(0).text().contains("[123456789012345680000]"));
}

/// Two values of what says whose a record is, what it is about or when it was: nobody can know which is right.
#[test]
fn a_record_with_two_values_of_one_field_is_skipped() {
    let place = Place::new();
    let good = ["acc", "db", "box", "[\"\"k\"\"]", "5", "West Europe", "2026-06-22T02:10:41Z"];
    let names = COLUMNS.split(',').collect::<Vec<_>>();
    assert_eq!(names.len(), good.len());
    let others =
        ["other", "other", "other", "[\"\"other\"\"]", "6", "North Europe", "2026-06-22T03:10:41Z"];
    let quoted = |cell: &str| format!("\"{cell}\"");
    for (at, name) in names.iter().enumerate() {
        let line = |second: &str| {
            let cells = good.iter().copied().chain([second]).map(quoted);
            cells.collect::<Vec<_>>().join(",")
        };
        let table =
            format!("{COLUMNS},{name}\n{}\n{}\n{}\n", line(good[at]), line(""), line(others[at]));
        place.write("twice.csv", table);
        // The same as lines of JSON, where a later member has the name of an earlier one.
        let json = |second: &str| {
            let cells = names.iter().zip(good).chain([(name, second)]);
            let member = |(name, cell): (&&str, &str)| {
                let cell = cell.replace("\"\"", "\\\"");
                format!("\"{name}\":\"{cell}\"")
            };
            let members: Vec<String> = cells.map(member).collect();
            format!("{{{}}}\n", members.join(","))
        };
        place.write("twice.json", [json(good[at]), json(""), json(others[at])].concat());
        for (file, bad) in [("twice.csv", "line 4"), ("twice.json", "line 3")] {
            let answer = place.run(&["inspect", file, "--format", "json"]).ends_with(0);
            let (rows, skipped) = (&answer.json()["rows"], &answer.json()["skipped"]);
            assert!(*rows == 2 && *skipped == 1, "{file} {name}: {}", answer.err);
            assert!(
                answer.err.contains(bad) && answer.err.contains("in one record"),
                "{}",
                answer.err
            );
        }
    }
}

#[test]
fn a_line_with_a_brace_too_many_is_one_skipped_line() {
    let place = Place::new();
    let line = |key: &str, end: &str| {
        format!(
            "{{\"DatabaseName\":\"db\",\"CollectionName\":\"box\",\"PartitionKey\":\"{key}\",\"SizeKb\":5}}{end}"
        )
    };
    let lines =
        [line("a", "\n"), line("b", "}\n"), line("c", ""), line("d", "\n"), line("e", "]\n")];
    place.write("lines.json", lines.concat());
    let answer = place.run(&["inspect", "lines.json", "--format", "json"]).ends_with(0);
    assert_eq!(answer.json()["rows"], 3, "{}", answer.err);
    assert_eq!(answer.json()["skipped"], 2, "{}", answer.err);
    assert_eq!(answer.json()["keys_total"], 3);
}

/// Files of a Delta table that its log no longer names still lie in its folder.
#[test]
fn a_delta_table_is_refused_and_its_neighbours_are_read() {
    let place = Place::new();
    let document = "{\"id\":\"1\",\"t\":\"a\"}\n";
    for name in ["lake/orders/_delta_log/0.json", "lake/orders/part-0.jsonl", "lake/new.jsonl"] {
        place.write(name, document);
    }
    let trial = |folder: &str| {
        place.run(&["trial", folder, "--key", "/t", "--format", "json", "--partitions", "2"])
    };
    let refused = trial("lake/orders").ends_with(2).err;
    assert!(refused.starts_with("error: lake/orders: ") && refused.contains("Delta"), "{refused}");
    place.run(&["inspect", "lake/orders"]).ends_with(2);
    let both = trial("lake").ends_with(0);
    assert!(both.err.contains("lake/orders: ") && both.err.contains("Delta"), "{}", both.err);
    assert_eq!(both.json()["documents"], 1);
    place.run(&["check", "--documents", "lake", "--key", "/id"]).ends_with(4);
}
