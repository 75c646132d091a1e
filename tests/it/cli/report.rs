//! `report`: its fields and figures on the standard set, its options, and tables that spreadsheets may open.

use std::fmt::Write;
use std::fs;

use serde_json::{Value, json};

use super::ordered_json::OrderedJson;
use super::{Place, STANDARD, row, sample, table};

const CSV_HEADER: &str = "account,database,container,key,size_kib,share_of_ceiling,region,sampled_at,growth_kib_per_day,wall";
const FORMATS: [&str; 5] = ["text", "json", "csv", "md", "html"];

fn report(place: &Place, more: &[&str]) -> Value {
    let path = sample(STANDARD);
    let mut args = vec!["report", &path, "--format", "json"];
    args.extend(more);
    place.run(&args).ends_with(0).json()
}

fn csv_rows(place: &Place, args: &[&str]) -> Vec<csv::StringRecord> {
    let mut all = vec!["report", "--format", "csv"];
    all.extend(args);
    let answer = place.run(&all).ends_with(0);
    let mut reader = csv::Reader::from_reader(&answer.out[..]);
    assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>().join(","), CSV_HEADER);
    reader.records().map(Result::unwrap).collect()
}

#[test]
fn the_json_object_has_exactly_its_names_in_order() {
    let place = Place::new();
    let answer = place.run(&["report", &sample(STANDARD), "--format", "json"]);
    let found = OrderedJson::parse(&answer.ends_with(0).out);
    assert_eq!(found.names(), ["schema", "as_of", "ceiling_kib", "containers", "notes"]);
    for container in found.at("containers").items() {
        let names = "account database container key_paths key_kind key_version keys keys_total notes distribution";
        assert_eq!(container.names().join(" "), names);
        for key in container.at("keys").items() {
            let names = "key size_kib share_of_ceiling region sampled_at growth_kib_per_day wall wall_earliest wall_latest wall_state samples at_least epk partition";
            assert_eq!(key.names().join(" "), names);
        }
    }
}

#[test]
fn the_standard_set_has_its_figures() {
    let place = Place::new();
    let found = report(&place, &[]);
    assert_eq!((&found["schema"], &found["ceiling_kib"]), (&json!(1), &json!(20_971_520)));
    assert_eq!(found["as_of"], "2026-06-22T02:10:41.418Z");
    let over = row(&found, "orders", &json!(["tenant-0002"]));
    assert_eq!(over["size_kib"], 22_650_880);
    assert_eq!(over["share_of_ceiling"], json!(1.080_078_125));
    assert_eq!((&over["wall_state"], &over["wall"]), (&json!("over"), &Value::Null));
    assert_eq!(over["samples"], 4);
    let next = row(&found, "orders", &json!(["tenant-0001"]));
    assert_eq!(next["wall_state"], "date");
    assert!(next["wall"].as_str().unwrap().starts_with("2026-07-01T10:1"), "{next}");
    // 1.5 GiB a week.
    assert_eq!(next["growth_kib_per_day"], 224_695);
    let shrinking = row(&found, "orders", &json!(["tenant-0007"]));
    assert_eq!((&shrinking["wall_state"], &shrinking["wall"]), (&json!("never"), &Value::Null));
    let largest_region = row(&found, "carts", &json!([{}]));
    assert_eq!(largest_region["size_kib"], 9_860_710);
    assert_eq!(largest_region["region"], "North Europe");
    let totals: Vec<&Value> = found["containers"].as_array().unwrap().iter().collect();
    assert_eq!(totals.iter().map(|c| &c["keys_total"]).collect::<Vec<_>>(), [10, 10, 7]);
}

#[test]
fn containers_and_keys_stand_by_size_and_then_by_key() {
    let place = Place::new();
    let sizes = [("b", "7"), ("a", "7"), ("c", "9"), ("B", "7")];
    place.write("ties.csv", table(sizes.map(|(k, s)| (k, s.to_owned()))));
    let rows = csv_rows(&place, &["ties.csv"]);
    let keys: Vec<&str> = rows.iter().map(|r| &r[3]).collect();
    assert_eq!(keys, [r#"["c"]"#, r#"["B"]"#, r#"["a"]"#, r#"["b"]"#]);
    let found = report(&place, &[]);
    let mut largest = f64::INFINITY;
    for container in found["containers"].as_array().unwrap() {
        let sizes = container["keys"].as_array().unwrap().iter();
        let sizes: Vec<f64> = sizes.map(|k| k["size_kib"].as_f64().unwrap()).collect();
        assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
        assert!(sizes[0] <= largest);
        largest = sizes[0];
    }
}

#[test]
fn top_counts_over_all_containers() {
    let place = Place::new();
    let path = sample(STANDARD);
    let keys: Vec<String> =
        csv_rows(&place, &[&path, "--top", "3"]).iter().map(|r| r[3].to_owned()).collect();
    assert_eq!(keys, [r#"["tenant-0002"]"#, r#"["tenant-0001"]"#, "[{}]"]);
    let found = report(&place, &["--top", "3"]);
    let containers = found["containers"].as_array().unwrap();
    let counts: Vec<usize> =
        containers.iter().map(|c| c["keys"].as_array().unwrap().len()).collect();
    assert_eq!(counts, [2, 1, 0]);
    assert_eq!(csv_rows(&place, &[&path]).len(), 27);
    for format in ["text", "md"] {
        let answer = place.run(&["report", &path, "--format", format]).ends_with(0).text();
        assert!(answer.contains("reported, not shown"), "{answer}");
    }
}

#[test]
fn one_container_with_and_without_its_database() {
    let place = Place::new();
    let full = report(&place, &["--container", "shop/orders"]);
    let short = report(&place, &["--container", "orders"]);
    assert_eq!(full, short);
    assert_eq!(full["containers"].as_array().unwrap().len(), 1);
    assert_eq!(full["containers"][0]["keys"].as_array().unwrap().len(), 10);
    let two = report(&place, &["--container", "orders", "--container", "telemetry/readings"]);
    assert_eq!(two["containers"].as_array().unwrap().len(), 2);
    let none = place.run(&["report", &sample(STANDARD), "--container", "telemetry/orders"]);
    assert_eq!(none.ends_with(2).text(), "");
    // A container read does not say its database: then the option does.
    let read = sample("stats/container-read/shop.orders.data-plane.json");
    let named = place.run(&["report", &read, "--container", "shop/orders", "--format", "json"]);
    let named = named.ends_with(0).json();
    let one = &named["containers"][0];
    assert_eq!((&one["database"], &one["container"]), (&json!("shop"), &json!("orders")));
}

#[test]
fn the_ceiling_can_be_moved_and_read_as_decimal() {
    let place = Place::new();
    let moved = report(&place, &["--ceiling", "30GB"]);
    assert_eq!(moved["ceiling_kib"], 31_457_280);
    let largest = row(&moved, "orders", &json!(["tenant-0002"]));
    assert_eq!(largest["share_of_ceiling"], json!(22_650_880.0 / 31_457_280.0));
    place.write("decimal.toml", "ceiling = \"decimal\"\n");
    let decimal = report(&place, &["--config", "decimal.toml"]);
    assert_eq!(decimal["ceiling_kib"], 20_000_000);
    let same = report(&place, &["--config", "decimal.toml", "--ceiling", "20GB"]);
    assert_eq!(decimal, same);
    let binary = report(&place, &["--config", "decimal.toml", "--ceiling", "20GiB"]);
    assert_eq!(binary["ceiling_kib"], 20_971_520);
    // Which reading is used is said.
    assert_ne!(decimal["notes"], binary["notes"]);
}

#[test]
fn a_given_ceiling_is_named_wherever_the_limit_of_a_key_is() {
    // Names of verdicts, and what the service sets for other things.
    const FIXED: [&str; 4] =
        ["KEY OVER 20 GB", "KEY NEAR 20 GB", "20 GB on average", "raise the 20 GB for a while"];
    let place = Place::new();
    let path = sample(STANDARD);
    let gate = place.run(&["check", &path, "--fail-on", "note", "--ceiling", "30GiB"]);
    assert!(!gate.ends_with(1).text().contains("reaches 20 GB"));
    for command in [
        &["report", &path][..],
        &["report", &path, "--view", "heat"],
        &["forecast", &path],
        &["forecast", "--scenario", "tenants"],
        &["trial", "--scenario", "tenants", "--key", "/userId", "--suggest"],
        &["trial", "--scenario", "car", "--container", "by-model", "--key", "/deviceId"],
    ] {
        for format in ["text", "md", "html"] {
            let options = ["--ceiling", "30GiB", "--format", format];
            let answer = place.run(&[command, &options].concat());
            let mut text = answer.text().split_whitespace().collect::<Vec<_>>().join(" ");
            for fixed in FIXED {
                text = text.replace(fixed, "");
            }
            let at = text.find("20 GB").map(|at| text[..at].chars().rev().take(60).collect());
            let before = at.map(|at: String| at.chars().rev().collect::<String>());
            assert_eq!(before, None, "{command:?} {format}");
            assert!(text.len() > 300, "{command:?} {format}: {text}");
        }
    }
}

#[test]
fn the_configuration_in_the_usual_folder_is_used() {
    let place = Place::new();
    let folder = place.home().join("config/cosmoscope");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), "ceiling = \"decimal\"\n").unwrap();
    if cfg!(unix) {
        assert_eq!(report(&place, &[])["ceiling_kib"], 20_000_000);
    }
    place.write("binary.toml", "");
    let named = report(&place, &["--config", "binary.toml"]);
    assert_eq!(named["ceiling_kib"], 20_971_520);
}

#[test]
fn the_moment_of_counting_can_be_told() {
    let place = Place::new();
    let found = report(&place, &["--as-of", "2026-06-28"]);
    assert_eq!(found["as_of"], "2026-06-28T00:00:00Z");
    let path = sample(STANDARD);
    let late = place.run(&["check", &path, "--as-of", "2026-03-01", "--format", "json"]);
    let rules = late.ends_with(1).json()["findings"].to_string();
    // Seen from more than 90 days before, the limit date itself raises nothing.
    assert!(!rules.contains("\"wall\""), "{rules}");
}

#[test]
fn the_output_of_two_runs_is_the_same() {
    let place = Place::new();
    let (a, b) = (sample("stats"), sample("hard"));
    for format in FORMATS {
        let args = ["report", &a, &b, "--format", format];
        let (first, second) = (place.run(&args).ends_with(0), place.run(&args).ends_with(0));
        assert_eq!(first.text(), second.text(), "{format}");
    }
    let args = ["inspect", &a, &b, "--format", "json"];
    assert_eq!(place.run(&args).text(), place.run(&args).text());
}

#[test]
fn no_colour_where_nobody_looks() {
    let place = Place::new();
    let path = sample(STANDARD);
    for format in FORMATS {
        let args = ["report", &path, "--format", format];
        let plain = place.run(&args).ends_with(0);
        assert!(!plain.text().contains('\u{1b}'), "{format}");
        let mut command = place.command(&args);
        let asked = command.env("NO_COLOR", "1").env("TERM", "xterm-256color").output();
        assert_eq!(asked.unwrap().stdout, plain.out, "{format}");
    }
}

#[test]
fn no_cell_runs_as_a_formula() {
    let place = Place::new();
    let hostile = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1", "\"=1", "\r=1"];
    let mut text =
        String::from("AccountName,DatabaseName,CollectionName,PartitionKey,SizeKb,RegionName\n");
    for (n, cell) in hostile.iter().enumerate() {
        let quote = |cell: &str| format!("\"{}\"", cell.replace('"', "\"\""));
        let (quoted, container) = (quote(cell), quote(&format!("{cell}{n}")));
        let size = n + 1;
        let _ = writeln!(text, "{quoted},{quoted},{container},{quoted},{size},{quoted}");
    }
    place.write("hostile.csv", text);
    let rows = csv_rows(&place, &["hostile.csv"]);
    assert_eq!(rows.len(), hostile.len());
    for row in &rows {
        for (column, cell) in row.iter().enumerate() {
            let skipped = |c: char| c.is_whitespace() || c.is_control() || c == '"';
            let first = cell.trim_start_matches(skipped).chars().next();
            let risky = first.is_some_and(|c| "=+-@＝＋－＠".contains(c));
            assert!(!risky, "column {column} is {cell:?}");
        }
        let sizes = row[4].parse::<f64>();
        assert!(sizes.is_ok(), "{row:?}");
    }
    let exact = place.run(&["report", "hostile.csv", "--format", "csv", "--exact"]).ends_with(0);
    assert!(exact.text().contains("\n=1+1,=1+1,=1+10,"), "{}", exact.text());
    assert!(exact.err.contains("formulas"), "{}", exact.err);
}

#[test]
fn text_shows_controls_as_signs() {
    let place = Place::new();
    let key = "a\u{1b}[2J\u{202e}b\u{7}\r\nc";
    place.write("hostile.csv", table([(key, "20971520".to_owned())]));
    for args in [
        &["report", "hostile.csv"][..],
        &["report", "hostile.csv", "--format", "md"],
        &["inspect", "hostile.csv"],
        &["diff", "hostile.csv", &sample(STANDARD)],
    ] {
        let text = place.run(args).ends_with(0).text();
        let harmful = text.chars().find(|c| matches!(c, '\u{1b}' | '\u{202e}' | '\u{7}' | '\r'));
        assert_eq!(harmful, None, "{args:?}");
    }
    let text = place.run(&["check", "hostile.csv"]).ends_with(1).text();
    assert!(!text.contains('\u{1b}'));
}

/// The same four sizes of a key as three programs write them: two of them read both ways or not at all.
fn sizes_in_three_forms(place: &Place) {
    let head = "AccountName,DatabaseName,CollectionName,PartitionKey,RegionName,SizeKb";
    let row = |n: u32| format!("acc,db,c,\"[\"\"k\"\"]\",WE,{}", 18_874_368 + n * 524_288);
    let [mut us, mut padded] = [(); 2].map(|()| format!("TimeGenerated [UTC],{head}\n"));
    let mut de = us.replace(',', ";");
    let mut iso = String::new();
    for n in 0..4 {
        let (day, row) = (1 + 3 * n, row(n));
        let _ = writeln!(us, "\"2/{day}/2024, 12:07:01.999 PM\",{row}");
        let _ = writeln!(padded, "\"02/{day:02}/2024, 12:07:01.999\",{row}");
        let _ = writeln!(de, "{day}.2.2024, 12:07:01,999;{}", row.replace(',', ";"));
        let size = 18_874_368 + n * 524_288;
        let _ = writeln!(
            iso,
            "{{\"TimeGenerated\":\"2024-02-{day:02}T12:07:01.999Z\",\"AccountName\":\"acc\",\"DatabaseName\":\"db\",\"CollectionName\":\"c\",\"PartitionKey\":\"[\\\"k\\\"]\",\"RegionName\":\"WE\",\"SizeKb\":{size},\"Type\":\"CDBPartitionKeyStatistics\"}}"
        );
    }
    for (name, text) in [("us.csv", us), ("padded.csv", padded), ("de.csv", de), ("iso.jsonl", iso)]
    {
        place.write(name, text);
    }
}

#[test]
fn each_file_is_read_by_its_own_date_order_and_by_the_same_records_elsewhere() {
    let place = Place::new();
    sizes_in_three_forms(&place);
    let (february, october) = ("2024-02-10T12:07:01.999Z", "2024-10-02T12:07:01.999Z");
    for (files, as_of, grows, why) in [
        ("us.csv", february, false, "read month first, assumed"),
        ("padded.csv", october, false, "read day first, assumed"),
        ("us.csv de.csv", february, true, "read month first, as the same records"),
        ("us.csv de.csv iso.jsonl", february, true, "read month first, as the same records"),
        // Their form would be read day first.
        ("padded.csv iso.jsonl", february, true, "read month first, as the same records"),
        ("iso.jsonl padded.csv de.csv", february, true, "read month first, as the same records"),
    ] {
        let mut args = vec!["report", "--format", "json", "--quiet"];
        args.extend(files.split(' '));
        let found = place.run(&args).ends_with(0).json();
        assert_eq!(found["as_of"], as_of, "{files}");
        let key = row(&found, "c", &json!(["k"]));
        assert_eq!((&key["size_kib"], &key["samples"]), (&json!(20_447_232), &json!(4)), "{files}");
        assert_eq!(key["growth_kib_per_day"].is_number(), grows, "{files}: {key}");
        let notes = found["notes"].to_string();
        assert!(notes.contains(why), "{files}: {notes}");
    }
}
