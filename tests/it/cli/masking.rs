//! `--mask`: nothing that tells whose data it is gets out, in any command or format.

use std::fmt::Write;
use std::fs;

use super::{COLUMNS, Place, sample};

/// Part of every name, key and file below; no word of the product.
const SENTINEL: &str = "sentinel";
const EXPORT: &str = "files/sentinel-export.csv";

fn export(rows: u32) -> String {
    let mut text = format!("{COLUMNS}\n");
    let mut push = |key: &str, size: &str, day: u32| {
        let at = format!("2026-06-{day:02}T02:10:41Z");
        let names = "sentinel-account,sentinel-db,sentinel-box";
        let _ = writeln!(text, "{names},\"[\"\"{key}\"\"]\",{size},West Europe,{at}");
    };
    for n in 0..rows {
        let key = format!("sentinel-key-{n}");
        push(&key, &(19_000_000 + n).to_string(), 15);
        push(&key, &(20_000_000 + n).to_string(), 22);
    }
    push("sentinel-key-0", "20000000", 22);
    push("sentinel-bad-key", "sentinel-size", 22);
    push("sentinel-bad-key", "-1", 22);
    text
}

/// Good, broken and foreign files, all with the sentinel in name and content.
fn place() -> Place {
    let place = Place::new();
    place.write(EXPORT, export(30));
    place.write("files/sentinel-other.csv", "sentinel-column,b\n1,2\n");
    place.write("files/sentinel-text.txt", "sentinel\n");
    place.write("sentinel-before.csv", export(3));
    place
}

fn call(place: &Place, args: &[&str]) -> String {
    let answer = place.run(&[args, &["--mask"]].concat());
    let said = answer.text() + &answer.err;
    assert!(!said.is_empty(), "{args:?}");
    said
}

#[test]
fn no_command_and_no_format_tells_a_name() {
    let place = place();
    let before = "sentinel-before.csv";
    for args in [
        &["inspect", "files"][..],
        &["inspect", "files", "--format", "json"],
        &["inspect", "files", "--keys", "1", "--format", "json"],
        &["report", "files"],
        &["report", "files", "--format", "json"],
        &["report", "files", "--format", "csv"],
        &["report", "files", "--format", "csv", "--exact"],
        &["report", "files", "--format", "md"],
        &["report", "files", "--top", "1"],
        &["report", EXPORT, "--container", "sentinel-db/sentinel-box"],
        &["report", EXPORT, "--container", "sentinel-absent"],
        &["report", EXPORT, "absent-sentinel.csv", "--format", "json"],
        &["check", "files"],
        &["check", "files", "--format", "json"],
        &["check", "files", "--fail-on", "note", "--ceiling", "40GB"],
        &["diff", before, "files"],
        &["diff", before, "files", "--format", "json"],
        &["diff", "files", before],
        &["forecast", "files"],
        &["forecast", "files", "--format", "json"],
        &["simulate", "files"],
        &["simulate", "files", "--format", "json"],
        &["check", "files", "--simulate", "30d"],
    ] {
        let said = call(&place, args);
        assert!(!said.to_lowercase().contains(SENTINEL), "{args:?}\n{said}");
    }
}

#[test]
fn the_names_of_samples_are_told_by_no_command() {
    let place = Place::new();
    let names = [
        "northpier",
        "orders",
        "tenant-0",
        "plant-1",
        "pizzeria",
        "11111111-2222",
        "portal-us.csv",
        "NORTHPIER",
    ];
    let (stats, hard) = (sample("stats"), sample("hard"));
    for args in [
        &["inspect", &stats, &hard][..],
        &["inspect", &stats, &hard, "--format", "json"],
        &["report", &stats, &hard],
        &["report", &stats, &hard, "--format", "json"],
        &["report", &stats, &hard, "--format", "csv"],
        &["report", &stats, &hard, "--format", "md"],
        &["check", &stats, &hard],
        &["check", &stats, &hard, "--format", "json"],
        &["diff", &hard, &stats, "--format", "json"],
    ] {
        let said = call(&place, args);
        for name in names {
            assert!(!said.contains(name), "{name} in {args:?}\n{said}");
        }
    }
}

#[test]
fn a_file_that_is_written_tells_no_name_either() {
    let place = place();
    let args = ["report", EXPORT, "--format", "json", "-o", "masked.json"];
    place.run(&[&args[..], &["--mask"]].concat()).ends_with(0);
    let written = fs::read_to_string(place.data().join("masked.json")).unwrap();
    assert!(written.contains("\"key-") && !written.contains(SENTINEL));
}

#[test]
fn figures_stay() {
    let place = place();
    let args = ["report", EXPORT, "--format", "json"];
    let open = place.run(&args).ends_with(0).json();
    let masked = place.run(&[&args[..], &["--mask"]].concat()).ends_with(0).json();
    let rows =
        |report: &serde_json::Value| report["containers"][0]["keys"].as_array().unwrap().clone();
    assert_eq!(rows(&open).len(), rows(&masked).len());
    for (open, mut masked) in rows(&open).into_iter().zip(rows(&masked)) {
        assert_ne!(open["key"], masked["key"]);
        masked["key"] = open["key"].clone();
        assert_eq!(open, masked);
    }
}

#[test]
fn one_salt_gives_one_set_of_names() {
    let (one, two) = (place(), place());
    let args =
        |salt: &'static str| ["report", EXPORT, "--format", "json", "--mask", "--mask-salt", salt];
    let first = one.run(&args("north")).ends_with(0).text();
    assert_eq!(two.run(&args("north")).ends_with(0).text(), first);
    assert_ne!(one.run(&args("south")).ends_with(0).text(), first);
    // A salt that is given is not kept.
    assert!(!one.home().join("config").exists());
    // Without one, each installation has its own and keeps it.
    let own = |place: &Place| call(place, &["report", EXPORT, "--format", "json"]);
    assert_eq!(own(&one), own(&one));
    assert_ne!(own(&one), own(&two));
    // A name is the same in every command.
    let inspected: serde_json::Value = serde_json::from_str(
        one.run(&["inspect", EXPORT, "--format", "json", "--mask"]).text().as_str(),
    )
    .unwrap();
    assert!(own(&one).contains(&inspected["keys"][0].to_string()));
}

#[cfg(unix)]
#[test]
fn the_salt_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let place = place();
    call(&place, &["report", EXPORT]);
    let mode = |path: &str| {
        let made = fs::metadata(place.home().join(path)).unwrap();
        made.permissions().mode() & 0o777
    };
    assert_eq!(mode("config/cosmoscope"), 0o700);
    assert_eq!(mode("config/cosmoscope/mask-salt"), 0o600);
    let names = super::names_in(&place.home().join("config/cosmoscope"));
    assert_eq!(names, ["mask-salt"]);
}

#[test]
fn a_damaged_salt_is_2_and_never_replaced() {
    let place = place();
    let folder = place.home().join("config/cosmoscope");
    if cfg!(unix) {
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("mask-salt"), "short").unwrap();
        let refused = place.run(&["report", EXPORT, "--mask"]).ends_with(2);
        assert!(refused.out.is_empty() && refused.err.contains("\nhint: "), "{}", refused.err);
        assert_eq!(fs::read(folder.join("mask-salt")).unwrap(), b"short");
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_is_left_aside_is_named_by_no_command() {
    let place = place();
    let link = place.data().join("files/sentinel-link");
    std::os::unix::fs::symlink("sentinel-export.csv", link).unwrap();
    for args in [
        &["inspect", "files"][..],
        &["inspect", "files", "--format", "json"],
        &["report", "files", "--format", "json"],
        &["report", "files", "--format", "md"],
    ] {
        let said = call(&place, args);
        assert!(said.contains("not followed: "), "{args:?}\n{said}");
        assert!(!said.contains(SENTINEL), "{args:?}\n{said}");
    }
}

#[test]
fn names_with_quotes_blanks_and_controls_are_masked_too() {
    let place = Place::new();
    let names = ["sen`ti`nel", "sen\"ti\"nel", "sen ti nel", "sen\u{1b}ti", "Señti", "ti"];
    let mut text = format!("{COLUMNS}\n");
    for name in names {
        let name = format!("\"{}\"", name.replace('"', "\"\""));
        // Two sizes at one moment: a note.
        for kib in [19_000_000, 20_000_000] {
            let row = format!("{name},{name},{name},{name},{kib},West Europe,2026-06-22T02:10:41Z");
            let _ = writeln!(text, "{row}");
        }
    }
    place.write("señti`nel/se nti.csv", text);
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", place.data().join("señti`nel/a se nti")).unwrap();
    for args in [
        &["inspect", "."][..],
        &["inspect", ".", "--format", "json"],
        &["report", "."],
        &["report", ".", "--format", "json"],
        &["report", ".", "--format", "csv"],
        &["report", ".", "--format", "md"],
        &["check", "."],
        &["diff", ".", "."],
    ] {
        let said = call(&place, args).to_lowercase();
        for part in ["ti`", "sen", "señ", "ti nel", "se nti"] {
            assert!(!said.contains(part), "{part} in {args:?}\n{said}");
        }
    }
}

#[test]
fn a_refusal_names_no_file_and_no_column() {
    let place = Place::new();
    place.write("sentinel.txt", "nothing of use\n");
    place.write("sentinel.csv", "sentinel-column,b\n1,2\n");
    place.write("sentinel.json", "{\"sentinel\": 1, \"other-sentinel\": 2}");
    place.write(
        "sentinel-error.json",
        "{\"error\": {\"code\": \"sentinel`sentinel\", \"message\": \"of sentinel\"}}",
    );
    place
        .write("sentinel-kinds.json", "{\"category\":\"sentinel\"}\n{\"category\":\"sentinel\"}\n");
    place.write(
        "sentinel-rows.csv",
        format!("{COLUMNS}\nacc,db,box,[1],sentinel`sentinel,West Europe,sentinel\n"),
    );
    fs::create_dir(place.data().join("sentinel-empty")).unwrap();
    for path in [
        "sentinel.txt",
        "sentinel.csv",
        "sentinel.json",
        "sentinel-error.json",
        "sentinel-kinds.json",
        "sentinel-rows.csv",
        "sentinel-empty",
        "sentinel-absent.csv",
        "sentinel absent/sentinel",
        "sentinel.txt/sentinel",
        ".",
    ] {
        for command in ["inspect", "report", "check"] {
            let refused = place.run(&[command, path, "--mask"]).ends_with(2);
            assert!(!refused.err.contains(SENTINEL), "{}", refused.err);
            assert!(refused.err.contains("\nhint: "), "{}", refused.err);
        }
    }
    let refused = place.run(&["report", "sentinel.csv", "--mask"]);
    assert!(refused.err.contains("needed are `PartitionKey` and `SizeKb`"), "{}", refused.err);
}

#[test]
fn wrong_options_and_targets_name_nothing_either() {
    let place = place();
    place.write("sentinel-there.json", "precious");
    place.write("sentinel.toml", "sentinel = \"sentinel\"\n");
    place.write("sentinel-long.toml", "#".repeat(2 << 20));
    let good = "sentinel-before.csv";
    for args in [
        &["report", good, "-o", "sentinel-there.json"][..],
        &["report", good, "-o", "sentinel absent/report.json"],
        &["report", good, "-o", "files/../sentinel-there.json/x"],
        &["inspect", good, "-o", "files"],
        &["report", good, "--as-of", "sentinel sentinel"],
        &["report", good, "--ceiling", "sentinel`sentinel"],
        &["check", good, "--max-logical", "sentinel"],
        &["check", good, "--memory", "sentinel"],
        &["diff", good, good, "--time-zone", "Sentinel/sentinel"],
        &["diff", "sentinel absent.csv", good],
        &["report", good, "--config", "sentinel.toml"],
        &["report", good, "--config", "sentinel-long.toml"],
        &["report", good, "--config", "sentinel-absent.toml"],
    ] {
        let said = place.run(&[args, &["--mask"]].concat()).ends_with(2).err;
        assert!(!said.to_lowercase().contains(SENTINEL), "{args:?}\n{said}");
    }
}

#[test]
fn a_skipped_row_says_what_was_expected() {
    let place = place();
    let said = place.run(&["inspect", EXPORT, "--mask"]).ends_with(0).err;
    let skipped: Vec<&str> = said.lines().collect();
    assert_eq!(skipped.len(), 2, "{said}");
    for line in skipped {
        assert!(
            line.contains(": cast: `sizeKb` is `text-") && line.ends_with("of at least 0"),
            "{line}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_salt_that_cannot_be_kept_does_not_tell_where() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    fs::create_dir(place.home().join("config")).unwrap();
    let target = place.data().join("sentinel");
    symlink(target, place.home().join("config/cosmoscope")).unwrap();
    let refused = place.run(&["report", "absent.csv", "--mask"]).ends_with(2);
    assert!(!refused.err.contains(SENTINEL) && !refused.err.contains("home/"), "{}", refused.err);
}
