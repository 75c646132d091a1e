//! The number every command ends with, and the sentence that goes with it.

use std::fs;
use std::io::Read;

use super::{Place, STANDARD, sample, table};

const TABLE: &str = "hard/object-keys.csv";

#[test]
fn done_is_0() {
    let place = Place::new();
    let (standard, small) = (sample(STANDARD), sample(TABLE));
    for args in [
        &["inspect", &standard][..],
        &["report", &standard],
        &["check", &small],
        &["diff", &small, &standard],
        &["demo"],
        &["demo", "tenants"],
        &["completions", "bash"],
        &["man"],
        &["help"],
        &["help", "trial"],
        &["help", "json"],
        &["--print-config"],
        &["--help"],
        &["--version"],
    ] {
        let answer = place.run(args).ends_with(0);
        assert!(!answer.out.is_empty(), "{args:?}");
        assert_eq!(answer.err, "", "{args:?}");
    }
}

#[test]
fn wrong_usage_is_2_and_writes_nothing() {
    let place = Place::new();
    let table = sample(TABLE);
    let t = table.as_str();
    let wrong: &[&[&str]] = &[
        &["--no-such-option"],
        &["inspect", "--no-such-option", t],
        &["report", "--no-such-option", t],
        &["check", "--no-such-option", t],
        &["diff", "--no-such-option", t, t],
        &["demo", "--no-such-option"],
        &["completions", "--no-such-option"],
        &["man", "--no-such-option"],
        &["no-such-command"],
        &["inspect"],
        &["report"],
        &["check"],
        &["diff", t],
        &["completions", "no-such-shell"],
        &["report", t, "--format", "xml"],
        &["report", t, "--top", "-1"],
        &["report", t, "--ceiling", "much"],
        &["report", t, "--ceiling", "0GB"],
        &["report", t, "--as-of", "someday"],
        &["report", t, "--time-zone", "Middle/Earth"],
        &["report", t, "--memory", "1MiB"],
        &["report", t, "--force"],
        &["report", t, "--mask-salt", "text"],
        &["report", "-", "-"],
        &["check", t, "--max-logical", "80"],
        &["check", t, "--fail-on", "never"],
        &["--config", "no-such-file", "report", t],
        &["demo", "no-such-scenario"],
    ];
    place.refuses(wrong);
}

#[test]
fn a_slip_in_a_path_has_the_name_that_is_there() {
    let place = Place::new();
    fs::write(place.data().join("stats.csv"), "").unwrap();
    fs::create_dir(place.data().join("home")).unwrap();
    for (typed, near) in [
        ("stast.csv", Some("stats.csv")),
        ("./stats.cvs", Some("stats.csv")),
        ("stat.csv/more/x.csv", Some("stats.csv")),
        ("load.csv", None),
        ("./nope", None),
    ] {
        for command in ["report", "inspect", "open"] {
            let answer = place.run(&[command, typed]).ends_with(2);
            let question =
                near.map(|name| format!("there is no such file. Did you mean `{name}`?"));
            match question {
                Some(question) => assert!(answer.err.contains(&question), "{}", answer.err),
                None => assert!(!answer.err.contains("Did you mean"), "{}", answer.err),
            }
        }
    }
    let masked = place.run(&["report", "--mask", "stast.csv"]).ends_with(2);
    assert!(!masked.err.contains("stats"), "{}", masked.err);
}

#[test]
fn a_missing_file_is_2_with_its_name() {
    let place = Place::new();
    let table = sample(TABLE);
    for args in [
        &["inspect", "absent.csv"][..],
        &["report", "absent.csv"],
        &["check", "absent.csv"],
        &["diff", "absent.csv", &table],
        &["diff", &table, "absent.csv"],
    ] {
        let answer = place.run(args).ends_with(2);
        let first = answer.err.lines().next().unwrap();
        assert_eq!(first, "error: absent.csv: cannot be opened: there is no such file");
        assert!(answer.err.contains("\nhint: check the path"), "{}", answer.err);
        assert!(answer.out.is_empty(), "{args:?}");
    }
}

#[test]
fn what_cannot_be_used_is_listed_in_the_order_it_was_named() {
    let place = Place::new();
    place.write("a.txt", "nothing of use\n");
    place.write("b.txt", "nothing of use\n");
    let args = ["report", "b.txt", "absent-1", "a.txt", "absent-2"];
    let refused = place.run(&args).ends_with(2).err;
    let at = |name: &str| refused.find(&format!("{name}: ")).unwrap();
    assert!(at("b.txt") < at("absent-1"), "{refused}");
    assert!(at("absent-1") < at("a.txt") && at("a.txt") < at("absent-2"), "{refused}");
    // The hint is for what is named first.
    assert!(refused.contains("\nhint: export "), "{refused}");
    let good = sample(TABLE);
    let found = place.run(&["inspect", "absent-1", &good, "absent-2", "--format", "json"]);
    let found = found.ends_with(0).json();
    let paths: Vec<&str> =
        found["files"].as_array().unwrap().iter().map(|f| f["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["absent-1", &good, "absent-2"]);
}

#[test]
fn standard_input_is_read_once() {
    let place = Place::new();
    for args in [&["report", "-", "-"][..], &["diff", "-", "-"]] {
        let refused = place.run_with(args, "").ends_with(2);
        assert_eq!(refused.err.lines().next(), Some("error: standard input can be read only once"));
    }
}

#[test]
fn hints_fit_what_was_given() {
    let place = Place::new();
    let table = sample(TABLE);
    for (args, hint) in [
        (["--memory", "999999GiB"], "at most 900TiB"),
        (["--memory", "1MiB"], "at least 128MiB"),
        (["--as-of", "0001-01-01"], "1601 to 9999"),
        (["--config", "absent.toml"], "cosmoscope --print-config"),
    ] {
        let refused = place.run(&["report", &table, args[0], args[1]]).ends_with(2);
        let (error, reported) = refused.err.split_once("\nhint: ").unwrap();
        assert!(reported.contains(hint), "{}", refused.err);
        assert!(!error.contains("os error"), "{error}");
    }
}

#[test]
fn thresholds_of_the_configuration_are_taken_and_wrong_ones_refused() {
    let place = Place::new();
    let table = sample(TABLE);
    let hot_of = |args: &[&str]| {
        let heat = ["report", &table, "--view", "heat", "--format", "json"];
        let args: Vec<&str> = heat.iter().chain(args).copied().collect();
        let text = place.run(&args).ends_with(0).text();
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        report["thresholds"]["hot"].as_f64().unwrap()
    };
    place.write("mine.toml", "thresholds = [\"hot=85%\"]\n");
    assert!((hot_of(&[]) - 0.9).abs() < 1e-9);
    assert!((hot_of(&["--config", "mine.toml"]) - 0.85).abs() < 1e-9);
    let both = ["--config", "mine.toml", "--threshold", "hot=80%"];
    assert!((hot_of(&both) - 0.8).abs() < 1e-9);
    place.write("wrong.toml", "thresholds = [\"warm=85%\"]\n");
    let refused =
        place.run(&["report", &table, "--view", "heat", "--config", "wrong.toml"]).ends_with(2);
    assert!(refused.err.contains("there is no threshold warm"), "{}", refused.err);
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_2() {
    let place = Place::new();
    for args in [
        &["report", &sample(TABLE)][..],
        &["--help"],
        &["report", "--help"],
        &["--version"],
        &["help", "json"],
        &["completions", "bash"],
        &["man"],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = place.command(args).stdout(full).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {err}");
        assert!(err.starts_with("error: standard output cannot be written\ncaused by: "), "{err}");
        assert!(!err.contains("os error") && err.contains("\nhint: -o "), "{err}");
    }
}

#[test]
fn what_is_no_export_is_2_with_one_sentence_and_a_hint() {
    let place = Place::new();
    for (file, says) in [
        ("hard/empty.csv", "the file is empty"),
        ("hard/not-a-log.txt", "not a known format"),
        ("hard/not-text.bin", "not a known format"),
        ("hard/other-table.csv", "no partition statistics in this file"),
        ("stats/log-analytics/query-api.error.json", "InsufficientAccessError"),
    ] {
        for command in ["inspect", "report", "check"] {
            let answer = place.run(&[command, &sample(file)]).ends_with(2);
            let lines: Vec<&str> = answer.err.lines().collect();
            assert!(
                matches!(lines[..], [error, hint] if error.starts_with("error: ")
                    && error.contains(says) && hint.starts_with("hint: ")),
                "{}",
                answer.err
            );
            assert!(answer.out.is_empty(), "{file}");
        }
    }
}

#[test]
fn several_refused_files_are_one_error() {
    let place = Place::new();
    for n in 0..7 {
        place.write(&format!("{n}.txt"), "nothing of use\n");
    }
    let answer = place.run(&["report", "."]).ends_with(2);
    assert_eq!(answer.err.matches("error: ").count(), 1, "{}", answer.err);
    assert_eq!(answer.err.matches(".txt: ").count(), 5, "{}", answer.err);
    assert!(answer.err.contains("and 2 more files"), "{}", answer.err);
    assert!(answer.err.contains("\nhint: "), "{}", answer.err);
}

#[test]
fn good_but_empty_answers_are_0_with_a_note() {
    let place = Place::new();
    for (file, note) in [
        ("hard/header-only.csv", "no records"),
        ("stats/log-analytics/query-api.no-rows.json", "no rows"),
        ("metrics/no-data.json", "no data in this period"),
    ] {
        let found = place.run(&["inspect", &sample(file), "--format", "json"]);
        let found = found.ends_with(0).json();
        assert_eq!((&found["rows"], &found["keys_total"]), (&0.into(), &0.into()));
        let said = found["notes"][0].as_str().unwrap();
        assert!(said.contains(note), "{said}");
        for command in ["report", "check"] {
            place.run(&[command, &sample(file)]).ends_with(0);
        }
    }
}

#[test]
fn one_good_input_of_several_is_enough() {
    let place = Place::new();
    let (good, bad) = (sample(TABLE), sample("hard/not-a-log.txt"));
    for order in [[&good, &bad], [&bad, &good]] {
        for command in ["inspect", "report"] {
            let args = [command, order[0], order[1], "--format", "json"];
            let notes = place.run(&args).ends_with(0).json()["notes"].to_string();
            assert!(notes.contains("not-a-log.txt"), "{notes}");
        }
    }
    place.write("before/good.csv", table([("a", "5".to_owned())]));
    place.write("before/bad.txt", "nothing of use\n");
    let answer = place.run(&["diff", "before", &good]).ends_with(0);
    assert!(answer.err.starts_with("note: "), "{}", answer.err);
}

#[test]
fn a_finding_is_1_from_the_severity_that_was_asked_for() {
    let place = Place::new();
    let standard = sample(STANDARD);
    place.run(&["check", &standard]).ends_with(1);
    let warned = place.write("warn.csv", table([("a", "16777216".to_owned())]));
    let warned = warned.to_str().unwrap();
    let found = place.run(&["check", warned, "--format", "json"]);
    assert_eq!(found.ends_with(0).json()["worst"], "warn");
    place.run(&["check", warned, "--fail-on", "warn"]).ends_with(1);
    place.run(&["check", warned, "--fail-on", "note"]).ends_with(1);
    place.run(&["check", warned, "--max-logical", "80%"]).ends_with(1);
    place.run(&["check", warned, "--max-logical", "0.8"]).ends_with(1);
    place.run(&["check", warned, "--ceiling", "16GB"]).ends_with(1);
    let over = place.write("over.csv", table([("a", "20971521".to_owned())]));
    let over = over.to_str().unwrap();
    place.run(&["check", over, "--max-logical", "200%"]).ends_with(1);
}

#[test]
fn partial_data_is_4_only_for_check_and_only_without_a_finding() {
    let place = Place::new();
    let rows = [("a", "5".to_owned()), ("b", "many".to_owned())];
    place.write("skipped.csv", table(rows));
    let large = [("a", "20971521".to_owned()), ("b", "many".to_owned())];
    place.write("large.csv", table(large));
    let found = place.run(&["check", "skipped.csv", "--format", "json"]);
    let found = found.ends_with(4).json();
    assert_eq!((&found["partial"], &found["worst"]), (&true.into(), &serde_json::Value::Null));
    place.run(&["check", &sample(TABLE), "absent.csv"]).ends_with(4);
    place.run(&["check", "large.csv"]).ends_with(1);
    place.run(&["check", &sample(STANDARD), "absent.csv"]).ends_with(1);
    let cut_short = sample("stats/log-analytics/query-api.partial-error.json");
    place.run(&["check", &cut_short]).ends_with(4);
    for args in [
        &["inspect", "skipped.csv"][..],
        &["report", "skipped.csv"],
        &["diff", "skipped.csv", "skipped.csv"],
        &["report", &sample(TABLE), "absent.csv"],
    ] {
        place.run(args).ends_with(0);
    }
}

#[test]
fn a_packed_file_that_ends_early_is_refused_as_a_whole() {
    let place = Place::new();
    let whole = fs::read(sample(&format!("{STANDARD}.gz"))).unwrap();
    place.write("cut.csv.gz", &whole[..whole.len() - 9]);
    place.run(&["inspect", "cut.csv.gz"]).ends_with(2);
    let small = sample(TABLE);
    let both = place.run(&["inspect", &small, "cut.csv.gz", "--format", "json"]);
    let both = both.ends_with(0).json();
    assert_eq!((&both["rows"], &both["keys_total"]), (&2.into(), &2.into()));
    place.run(&["check", &small, "cut.csv.gz"]).ends_with(4);
}

#[test]
fn what_was_left_out_is_told_in_words_that_fit_the_number() {
    let place = Place::new();
    let bad = |key| (key, "many".to_owned());
    place.write("one.csv", table([("a", "5".to_owned()), bad("b")]));
    place.write("two.csv", table([("a", "5".to_owned()), bad("b"), bad("c")]));
    for (args, said) in [
        (&["report", "one.csv"][..], "note: 1 row could not be used; "),
        (&["report", "two.csv"], "note: 2 rows could not be used; "),
        (&["report", &sample(TABLE), "x"], "note: not used: x: "),
        (&["report", &sample(TABLE), "x", "y"], "note: not used: x: "),
    ] {
        let answer = place.run(args).ends_with(0);
        assert!(answer.err.starts_with(said), "{}", answer.err);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::new();
    // More than a pipe holds, so that the program must notice.
    let rows = (0..4000).map(|n| (format!("key-{n:0100}"), n.to_string()));
    let large = place.write("large.csv", table(rows));
    let large = large.to_str().unwrap();
    for args in [
        &["inspect", large, "--format", "json", "--keys", "4000"][..],
        &["report", large, "--format", "json"],
        &["report", large, "--format", "csv"],
        &["report", large, "--format", "md", "--top", "4000"],
        &["report", large, "--top", "4000"],
        &["diff", large, &sample(TABLE), "--format", "json"],
        &["completions", "bash"],
        &["man"],
        &["demo"],
    ] {
        let mut child = place.command(args).spawn().unwrap();
        let mut first = [0];
        let read = child.stdout.take().unwrap().read(&mut first).unwrap();
        assert_eq!(read, 1, "{args:?}");
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {err}");
        assert_eq!(err, "", "{args:?}");
    }
}

#[test]
fn a_bad_value_is_made_visible_once() {
    let place = Place::new();
    place.write("odd.csv", table([("a", "5".to_owned()), ("b", "x\u{1b}y".to_owned())]));
    let said = place.run(&["inspect", "odd.csv"]).ends_with(0).err;
    assert!(said.contains("`x␛y`"), "{said}");
}

#[test]
fn long_keys_and_containers_are_cut_to_a_line() {
    let place = Place::new();
    let long = |kib: u64| {
        table([("k".repeat(900), kib.to_string())])
            .replace(",box,", &format!(",{},", "b".repeat(200)))
    };
    place.write("before.csv", long(19_000_000));
    place.write("after.csv", long(20_900_000));
    for (code, args) in
        [(1, &["check", "after.csv"][..]), (0, &["diff", "before.csv", "after.csv"])]
    {
        let text = place.run(args).ends_with(code).text();
        assert!(text.contains('…'), "{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
