//! `report --view heat` and `check --max-hot`: what they give on the samples, and on names that would like to act.

use std::fmt::Write as _;
use std::process::Command;

use serde_json::{Value, json};

use super::ordered_json::OrderedJson;
use super::{Answer, Place, SAMPLES, STANDARD, sample};

const FORMATS: [&str; 6] = ["text", "json", "csv", "md", "html", "svg"];
/// Everything that tells of the container orders, each fact once.
pub(super) const INPUTS: [&str; 6] = [
    "ru/partition-key-ru-consumption.portal-us.csv",
    "ru/data-plane-requests-5m.portal-us.csv",
    "metrics",
    "arm",
    "stats/container-read",
    STANDARD,
];

pub(crate) const HOSTILE: [&str; 10] = [
    "<script>document.title='taken'</script>",
    "\"><img src=x onerror=\"document.title='taken'\">",
    "' onload='alert(1)",
    "</title></text></svg></style></script><b>",
    "]]>--><!--",
    "&lt;b&gt;&#60;",
    "\u{1b}[2J\u{7}\r\n",
    "\u{202e}gnp\u{2066}.exe\u{200b}",
    "=cmd|'/c calc'!A0",
    "url(http://127.0.0.1/x)",
];

/// An RU log in which every name is hostile.
pub(crate) fn hostile_log() -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut text = String::from(
        "TimeGenerated,AccountName,DatabaseName,CollectionName,OperationName,PartitionKey,PartitionKeyRangeId,RegionName,RequestCharge,Type\n",
    );
    for (n, name) in HOSTILE.iter().enumerate() {
        let key = serde_json::to_string(&[name]).unwrap();
        let name = quoted(name);
        let _ = writeln!(
            text,
            "2026-06-22T02:00:0{n}Z,{name},{name},{name},{name},{},{name},{name},1{n}.5,CDBPartitionKeyRUConsumption",
            quoted(&key)
        );
    }
    text
}

/// From the folder of the samples, so that notes hold short paths.
fn heat(place: &Place, more: &[&str]) -> Answer {
    let mut args = vec!["report", "--view", "heat"];
    args.extend(INPUTS);
    args.extend(more);
    let mut command: Command = place.command(&args);
    Answer::of(&args, command.current_dir(SAMPLES).output().unwrap())
}

pub(super) fn orders(place: &Place, more: &[&str]) -> Value {
    let more = [&["--container", "orders", "--format", "json"], more].concat();
    heat(place, &more).ends_with(0).json()["containers"][0].clone()
}

#[test]
fn every_format_is_as_it_was() {
    let place = Place::new();
    for format in FORMATS {
        let args = ["--container", "orders", "--top", "3", "--format", format];
        let text = heat(&place, &args).ends_with(0).text();
        insta::with_settings!({
            snapshot_path => "../snapshots/heat",
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(format, text);
        });
    }
}

#[test]
fn the_samples_say_what_is_stated_of_them() {
    let place = Place::new();
    let found = orders(&place, &[]);
    let partitions = found["partitions"].as_array().unwrap();
    let of = |id: &str| partitions.iter().find(|p| p["id"] == id).unwrap();
    assert_eq!(partitions[0]["id"], "3");
    assert_eq!((&of("3")["p99"], &of("3")["saturated_s"]), (&json!(1), &json!(180)));
    assert!(of("0")["highest"].as_f64().unwrap() <= 0.24);
    assert_eq!(of("3")["ru_per_second"], 6000);
    assert_eq!(of("3")["refused"], 41_000);
    // What no input tells is not nothing.
    assert_eq!(of("1")["ru"], Value::Null);
    // One region, not the sum of both.
    let track = &found["tracks"][usize::try_from(found["ru"].as_u64().unwrap()).unwrap()];
    assert_eq!((&track["measure"], &track["region"]), (&json!("logged-ru"), &json!("West Europe")));
    let keys = found["keys"].as_array().unwrap();
    let of_3 = keys.iter().find(|k| k["partition"] == "3").unwrap();
    let key = &of_3["keys"][0];
    assert_eq!(key["key"], json!(["tenant-0001"]));
    assert_eq!(
        (&key["peak_ru_per_second"], &key["peak_at"]),
        (&json!(5872.5), &json!("2026-06-22T02:00:09Z"))
    );
    assert_eq!((&key["share_of_ceiling"], &key["agrees"]), (&json!(0.9), &json!(true)));
    let shares = orders(&place, &["--measure", "logged-share", "--region", "West Europe"]);
    assert_eq!(shares["partitions"][0]["highest"], json!(0.97875));
    assert_eq!(shares["map"]["cell_s"], 1);
}

#[test]
fn the_object_has_exactly_its_names_in_order() {
    let place = Place::new();
    let answer = heat(&place, &["--format", "json"]).ends_with(0);
    let found = OrderedJson::parse(&answer.out);
    assert_eq!(
        found.names(),
        ["schema", "view", "as_of", "ceiling_kib", "thresholds", "containers", "notes"]
    );
    for container in found.at("containers").items() {
        let names = "account database container key_paths key_kind key_version ru_per_second whole_requests whole_refused from to now verdicts tracks load ru requests refused partitions partitions_total map keys notes";
        assert_eq!(container.names().join(" "), names);
        for partition in container.at("partitions").items() {
            let names = "id named guid min_inclusive max_exclusive parents status ru_per_second ru_per_second_from size_kib share_of_50gb p99 highest highest_at saturated_s steps gaps ru requests refused refused_share forbidden";
            assert_eq!(partition.names().join(" "), names);
        }
    }
}

#[test]
fn a_gap_is_null_and_stays_one() {
    let place = Place::new();
    let found = orders(&place, &[]);
    let rows = found["map"]["rows"].as_array().unwrap();
    let of_4 = rows.iter().find(|r| r["partitions"] == json!(["4"])).unwrap();
    let values = of_4["values"].as_array().unwrap();
    assert_eq!(values.iter().filter(|v| v.is_null()).count(), 1, "{of_4}");
    let partitions = found["partitions"].as_array().unwrap();
    let of_4 = partitions.iter().find(|p| p["id"] == "4").unwrap();
    assert_eq!((&of_4["gaps"], &of_4["steps"]), (&json!(1), &json!(4)));
}

#[test]
fn the_options_narrow_and_order() {
    let place = Place::new();
    let ids = |more: &[&str]| {
        let found = orders(&place, more);
        let partitions = found["partitions"].as_array().unwrap().clone();
        let ids = partitions.iter().filter_map(|p| p["id"].as_str().map(str::to_owned));
        ids.collect::<Vec<_>>()
    };
    assert_eq!(ids(&["--order", "id"]), ["0", "1", "3", "4"]);
    assert_eq!(ids(&["--order", "size"])[0], "0");
    let narrow =
        orders(&place, &["--from", "2026-06-22T02:01:00Z", "--to", "2026-06-22T02:03:00Z"]);
    assert_eq!(
        (&narrow["from"], &narrow["to"]),
        (&json!("2026-06-22T02:01:00Z"), &json!("2026-06-22T02:03:00Z"))
    );
    assert_eq!(narrow["map"]["columns"], 2);
    let one = orders(&place, &["--top", "1"]);
    for keys in one["keys"].as_array().unwrap() {
        assert_eq!(keys["keys"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn thresholds_are_printed_and_can_be_set() {
    let place = Place::new();
    let rules = |more: &[&str]| {
        let found = orders(&place, more);
        let verdicts = found["verdicts"].as_array().unwrap().clone();
        let rules = verdicts.into_iter().map(|v| v["rule"].clone());
        rules.collect::<Vec<Value>>()
    };
    let usual = rules(&[]);
    assert_eq!(usual[..2], [json!("HOT KEY"), json!("STORAGE WALL")]);
    let moved = rules(&["--threshold", "hot-key=100%"]);
    assert!(!moved.contains(&json!("HOT KEY")), "{moved:?}");
    let whole = heat(&place, &["--format", "json", "--threshold", "hot=85%"]);
    assert_eq!(whole.ends_with(0).json()["thresholds"]["hot"], 0.85);
    let text = heat(&place, &["--threshold", "hot=85%"]).ends_with(0).text();
    assert!(text.contains("verdicts are measured against: hot 85 %,"), "{text}");
    for wrong in ["warm=1", "hot", "hot=x"] {
        let refused = heat(&place, &["--threshold", wrong]).ends_with(2);
        assert!(refused.err.starts_with("error: --threshold: "), "{}", refused.err);
    }
    let path = sample(STANDARD);
    place.run(&["report", &path, "--threshold", "hot=85%"]).ends_with(2);
    place.run(&["check", &path, "--threshold", "hot=85%"]).ends_with(2);
}

#[test]
fn slips_are_refused_with_what_would_work() {
    let place = Place::new();
    for (args, says) in [
        (&["--measure", "ru"][..], "normalized-ru, logged-share"),
        (
            &["--measure", "storage", "--region", "Mars"],
            "the regions are North Europe, West Europe",
        ),
        (&["--measure", "normalized-ru", "--region", "west europe"], "the inputs hold"),
        (&["--from", "2026-06-22T03:00:00Z", "--to", "2026-06-22T02:00:00Z"], "not before"),
        (&["--from", "yesterday"], "--from is `yesterday`"),
        (&["--as-of", "2026-06-22"], "--from and --to"),
        (&["--container", "nowhere"], "orders"),
    ] {
        let refused = heat(&place, args).ends_with(2);
        assert!(refused.err.contains(says), "{args:?}: {}", refused.err);
        assert!(refused.out.is_empty());
    }
    let path = sample(STANDARD);
    let refused = place.run(&["report", &path, "--format", "svg"]).ends_with(2);
    assert!(refused.err.contains("--view heat"), "{}", refused.err);
    let refused = place.run(&["report", &path, "--order", "id"]).ends_with(2);
    assert!(refused.err.contains("--order is about the heat"), "{}", refused.err);
}

#[test]
fn the_usual_report_is_the_view_of_keys() {
    let place = Place::new();
    let path = sample(STANDARD);
    for format in ["text", "json", "csv", "md", "html"] {
        let usual = place.run(&["report", &path, "--format", format]).ends_with(0);
        let named = place.run(&["report", &path, "--format", format, "--view", "keys"]);
        assert_eq!(usual.out, named.ends_with(0).out);
    }
}

#[test]
fn inputs_without_load_are_told_as_that() {
    let place = Place::new();
    let path = sample("stats/container-read");
    for format in FORMATS {
        let answer = place.run(&["report", "--view", "heat", &path, "--format", format]);
        assert!(!answer.ends_with(0).out.is_empty(), "{format}");
    }
    let found = place.run(&["report", "--view", "heat", &path, "--format", "json"]);
    let found = found.ends_with(0).json();
    let first = &found["containers"][0];
    assert_eq!((&first["map"], &first["load"]), (&Value::Null, &Value::Null));
    assert!(first["notes"].to_string().contains("no load over time"), "{first}");
    assert!(first["partitions"][0]["size_kib"].is_number());
}

#[test]
fn no_name_acts_in_any_format() {
    let place = Place::new();
    place.write("log.csv", hostile_log());
    for format in FORMATS {
        let answer = place.run(&["report", "--view", "heat", "log.csv", "--format", format]);
        let text = answer.ends_with(0).text();
        let odd = text.chars().find(|c| {
            (c.is_control() && *c != '\n') || matches!(c, '\u{200b}' | '\u{202e}' | '\u{2066}')
        });
        assert_eq!(odd, None, "{format}: {text}");
        if ["md", "html", "svg"].contains(&format) {
            assert!(!text.contains("<script") && !text.contains("<img"), "{format}: {text}");
        }
    }
    let found = place.run(&["report", "--view", "heat", "log.csv", "--format", "json"]);
    let found = found.ends_with(0).json();
    let containers = found["containers"].as_array().unwrap();
    assert_eq!(containers.len(), HOSTILE.len());
    for container in containers {
        assert_eq!(container["keys"][0]["keys"][0]["key"], json!([container["container"]]));
    }
}

#[test]
fn masked_reports_hold_no_name() {
    let place = Place::new();
    for format in FORMATS {
        let args = ["--mask", "--mask-salt", "s", "--format", format];
        let text = heat(&place, &args).ends_with(0).text();
        for name in ["tenant-0", "northpier", "acme", "shop", "telemetry", "plant-1"] {
            assert!(!text.to_lowercase().contains(name), "{name} in {format}: {text}");
        }
        assert!(text.contains("container-"), "{format}");
    }
}

#[test]
fn a_hot_partition_is_an_alarm_only_where_it_is_asked_for() {
    let place = Place::new();
    let check = |code: i32, more: &[&str]| {
        let mut args = vec!["check", "--format", "json"];
        args.extend(INPUTS);
        args.extend(more);
        let mut command = place.command(&args);
        let answer = Answer::of(&args, command.current_dir(SAMPLES).output().unwrap());
        answer.ends_with(code).json()
    };
    let hot = |found: &Value| {
        let findings = found["findings"].as_array().unwrap().clone();
        let of = |f: &Value| f["rule"] == "max-hot";
        findings.into_iter().filter(of).collect::<Vec<_>>()
    };
    assert!(hot(&check(1, &[])).is_empty());
    let found = hot(&check(1, &["--max-hot", "90%"]));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (&found[0]["severity"], &found[0]["value"], &found[0]["threshold"]),
        (&json!("alarm"), &json!(1), &json!(0.9))
    );
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.starts_with("partition 3: 100 % of its RU/s at p99"), "{message}");
    assert_eq!(found[0]["key"], json!(["tenant-0001"]));
    for part in
        ["; HOT KEY: scale up: ", "; split: ", "; redistribute RU/s: ", "; change key: fixes ("]
    {
        assert!(message.contains(part), "{part}: {message}");
    }
    let lower = hot(&check(1, &["--max-hot", "20%"]));
    assert_eq!(lower.len(), 4, "{lower:?}");
    let none = hot(&check(0, &["--max-hot", "90%", "--container", "carts"]));
    assert!(none.is_empty());
}

#[test]
fn load_that_is_not_there_is_not_good_news() {
    let place = Place::new();
    let path = sample(STANDARD);
    let args = ["check", &path, "--max-hot", "90%", "--container", "carts"];
    let answer = place.run(&args).ends_with(4);
    assert!(answer.err.contains("no input holds the load"), "{}", answer.err);
    let wrong = place.run(&["check", &path, "--max-hot", "hot"]).ends_with(2);
    assert!(wrong.err.contains("--max-hot is `hot`"), "{}", wrong.err);
}

/// Counts of the largest number there is, in one step and in several that are put together.
#[test]
fn counts_without_bounds_end_no_program() {
    let place = Place::new();
    let mut text = String::from(
        "TimeGenerated,AccountName,DatabaseName,CollectionName,PartitionKey,PartitionKeyRangeId,RegionName,RequestCharge,SpanSeconds,RequestCount\n",
    );
    for (span, second) in [(1, 0), (1, 0), (1, 1), (300, 2), (300, 3)] {
        writeln!(
            text,
            "2026-06-22T02:10:0{second}Z,acc,db,box,\"[\"\"k\"\"]\",0,West Europe,5.{second},{span},{}",
            u64::MAX
        )
        .unwrap();
    }
    place.write("counts.csv", text);
    for format in FORMATS {
        place.run(&["report", "counts.csv", "--view", "heat", "--format", format]).ends_with(0);
    }
}

/// An RU log of a minute as the portal writes it: one key takes all of a partition.
fn portal_log(day: &str) -> String {
    let mut text = String::from(
        "TimeGenerated [UTC],AccountName,ActivityId,CollectionName,DatabaseName,OperationName,PartitionKey,PartitionKeyRangeId,RegionName,RequestCharge\n",
    );
    for second in 0..60 {
        let _ = writeln!(
            text,
            "\"{day}, 2:00:{second:02}.418 PM\",acc,a{second},c,db,Create,\"[\"\"tenant-1\"\"]\",0,WE,9500"
        );
    }
    text
}

#[test]
fn a_day_that_reads_both_ways_has_its_verdict_and_the_order_that_was_assumed() {
    let place = Place::new();
    for (day, more, at, read) in [
        ("6/25/2024", &[][..], "2024-06-25", None),
        ("6/5/2024", &[], "2024-06-05", Some("read month first, assumed")),
        ("06/05/2024", &[], "2024-05-06", Some("read day first, assumed")),
        ("6/5/2024", &["--date-order", "dmy"], "2024-05-06", None),
    ] {
        place.write("log.csv", portal_log(day));
        for view in [&["--view", "heat"][..], &[]] {
            let args = [&["report", "log.csv", "--quiet"], view, more].concat();
            let text = place.run(&args).ends_with(0).text();
            assert!(text.starts_with("HOT KEY") && text.contains(at), "{day}: {text}");
            let first = text.split("\n\n").next().unwrap().split_whitespace();
            let first = first.collect::<Vec<_>>().join(" ");
            assert_eq!(first.contains("assumed"), read.is_some(), "{day}: {first}");
            assert!(read.is_none_or(|read| first.contains(read)), "{day}: {first}");
            assert!(read.is_none_or(|_| first.contains("--date-order")), "{day}: {first}");
        }
    }
}

#[test]
fn screens_show_that_a_date_order_is_assumed_and_a_command_turns_it() {
    let place = Place::new();
    place.write("log.csv", portal_log("6/5/2024"));
    for (more, at, is_assumed) in
        [("", "to 5 Jun", true), (" : date-order space dmy enter", "to 6 May", false)]
    {
        let typed = format!(": open space log.csv enter 3{more}");
        let args = ["demo", "tenants", "--print", "overview", "--type", &typed];
        let text = place.run(&args).ends_with(0).text();
        let title = text.lines().next().unwrap();
        assert!(title.contains(at), "{title}");
        assert_eq!(title.contains("dates assumed (:date-order)"), is_assumed, "{title}");
    }
    let spoken = place.run(&["open", "--plain", "log.csv"]).ends_with(0).text();
    assert!(spoken.contains("read month first, assumed"), "{spoken}");
}
