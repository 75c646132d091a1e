//! `--memory`: keys that do not fit are read in several passes, and no figure changes by it; load that does not is refused.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Stdio;

use super::{Answer, COLUMNS, Place};

/// Keys of the greatest length fill the smallest budget with the fewest rows.
const KEYS: u32 = 32_000;
const KEY_BYTES: usize = 2_000;

fn write_export(path: &Path) {
    let mut file = BufWriter::new(File::create(path).unwrap());
    writeln!(file, "{COLUMNS}").unwrap();
    for n in 0..KEYS {
        // Sizes repeat, so that the order of equal sizes is asked for too.
        let kib = n.wrapping_mul(7919) % 4001;
        writeln!(
            file,
            "acc,db,box,\"[\"\"{n:0KEY_BYTES$}\"\"]\",{kib},West Europe,2026-06-22T02:10:41Z"
        )
        .unwrap();
    }
    file.flush().unwrap();
}

fn report(place: &Place, input: &str, more: &[&str]) -> Answer {
    let args = ["report", input, "--top", "50", "--quiet"];
    let mut command = place.command(&[&args[..], more].concat());
    if input == "-" {
        command.stdin(Stdio::from(File::open(place.data().join("large.csv")).unwrap()));
    }
    Answer::of(&args, command.output().unwrap()).ends_with(0)
}

#[test]
fn a_small_budget_gives_the_same_bytes_in_more_passes() {
    let place = Place::new();
    let path = place.data().join("large.csv");
    write_export(&path);
    let csv = ["--format", "csv"];
    let small = ["--memory", "128MiB"];
    let whole = report(&place, "large.csv", &csv);
    assert_eq!(whole.text().lines().count(), 51);
    for input in ["large.csv", "-"] {
        let parts = report(&place, input, &[csv, small].concat());
        assert_eq!(parts.out, whole.out, "from {input}");
    }
    // Without this sentence the comparison above would say nothing.
    let notes = report(&place, "large.csv", &["--format", "json", "--memory", "128MiB"]);
    let said = notes.json()["notes"].to_string();
    assert!(said.contains("did not fit into 128 MiB") && said.contains("read 2 times"), "{said}");
    assert_eq!(notes.json()["containers"][0]["keys_total"], KEYS);
    let notes = report(&place, "large.csv", &["--format", "json"]).json()["notes"].to_string();
    assert!(!notes.contains("did not fit"), "{notes}");
    // Keys are cut only where there are more than can be given.
    let tiny = super::table([("a", "5".to_owned())]).replace(",db,box,", ",db,tiny,");
    place.write("tiny.csv", tiny);
    let all = ["report", "large.csv", "tiny.csv", "--container", "tiny", "--format", "json"];
    let all = place.run(&[&all[..], &small].concat()).ends_with(0).json();
    let said = all["notes"].to_string();
    assert!(said.contains("read 2 times") && !said.contains("largest are given"), "{said}");
    fs::remove_file(path).unwrap();
    fs::remove_file(place.data().join("tiny.csv")).unwrap();
    assert!(place.files().is_empty() && place.left_in_tmp().is_empty());
}

#[test]
fn what_does_not_fit_the_budget_is_refused_and_never_cut() {
    let place = Place::new();
    write_export(&place.data().join("large.csv"));
    let run = |args: &[&str], memory: &str| {
        let memory = ["--memory", memory, "--quiet"];
        place.run(&[args, &memory[..]].concat())
    };
    let csv = ["report", "large.csv", "--format", "csv"];
    let changes = ["diff", "large.csv", "large.csv", "--format", "json"];
    let listed = ["inspect", "large.csv", "--format", "json", "--keys", "32000"];
    for args in [&csv[..], &changes, &listed] {
        let small = run(args, "128MiB").ends_with(2);
        assert!(small.out.is_empty(), "{args:?}");
        let said = &small.err;
        assert!(said.contains("does not fit into the 128 MiB of --memory"), "{said}");
        assert!(said.contains("give --memory "), "{said}");
        assert!(said.lines().count() < 4, "{said}");
    }
    // Both reports fit, and what they are compared with does not.
    let compared = run(&changes, "287MiB").ends_with(2).err;
    assert!(compared.contains("a comparison of 64,000 keys"), "{compared}");
    // The largest fit, and with room so do all.
    assert_eq!(
        run(&[&csv[..], &["--top", "50"]].concat(), "128MiB").ends_with(0).text().lines().count(),
        51
    );
    assert_eq!(run(&csv, "512MiB").ends_with(0).text().lines().count(), 1 + KEYS as usize);
    assert!(place.left_in_tmp().is_empty());
}

#[test]
fn load_that_does_not_fit_is_refused_with_the_budget_that_does() {
    let place = Place::new();
    let mut file = BufWriter::new(File::create(place.data().join("ru.csv")).unwrap());
    let columns = "DatabaseName,CollectionName,PartitionKey,PartitionKeyRangeId,RequestCharge";
    writeln!(file, "TimeGenerated,AccountName,{columns}").unwrap();
    for n in 0..KEYS {
        let key = format!("[\"\"{n:0KEY_BYTES$}\"\"]");
        writeln!(file, "2026-06-22T02:10:41Z,acc,db,box,\"{key}\",0,10").unwrap();
    }
    file.flush().unwrap();
    let heat = ["report", "ru.csv", "--view", "heat", "--format", "json", "--quiet", "--memory"];
    let run = |memory: &str| place.run(&[&heat[..], &[memory]].concat());
    let refused = run("128MiB").ends_with(2);
    assert!(refused.out.is_empty());
    let (_, wanted) = refused.err.split_once("give --memory ").unwrap();
    let (wanted, _) = wanted.split_once(',').unwrap();
    assert_ne!(wanted, "128MiB");
    run(wanted).ends_with(0);
}

#[test]
fn a_simulation_follows_the_keys_that_fit() {
    let place = Place::new();
    write_export(&place.data().join("large.csv"));
    let simulate = ["simulate", "large.csv", "--format", "json", "--quiet", "--memory"];
    for (memory, is_cut) in [("256MiB", true), ("2GiB", false)] {
        let answer = place.run(&[&simulate[..], &[memory]].concat()).ends_with(0);
        let notes = answer.text();
        assert_eq!(notes.contains("more keys than memory"), is_cut, "{memory}");
        // Verdicts use the largest keys then: only sizes are said to be exact.
        assert!(!notes.contains("figures are exact"), "{notes}");
    }
}
