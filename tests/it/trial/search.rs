//! Searches of `trial` on the scenarios: keys found without being typed, suffixes, and the way to a key.

use serde_json::{Value, json};

use super::number;
use crate::cli::{Answer, Place};

/// The connected car, whose key is the month.
fn car(options: &[&str]) -> Answer {
    let scenario = "trial --scenario car --container by-month --sample 6000 --quiet";
    let args: Vec<&str> = scenario.split(' ').chain(options.iter().copied()).collect();
    Place::new().run(&args)
}

fn texts(list: &Value) -> Vec<&str> {
    let list = list.as_array().unwrap();
    list.iter().map(|v| v.as_str().unwrap()).collect()
}

#[test]
fn the_car_is_given_a_key_by_device_and_never_the_month_alone() {
    let options = "--suggest 6 --ru 6000 --format json";
    let found = car(&options.split(' ').collect::<Vec<_>>()).ends_with(0).json();
    let suggestions = &found["suggestions"];
    let proposals = suggestions["proposals"].as_array().unwrap();
    let keys: Vec<&str> = proposals.iter().map(|p| p["key"].as_str().unwrap()).collect();
    let first = &proposals[0];
    // Its keys stay under the limit for a year, and its reads go to one partition; an id of each document costs as much.
    assert!(keys[0].starts_with("/deviceId"), "{keys:?}");
    assert!(number(&first["largest_share"]) < 0.5 && number(&first["hot_share"]) < 0.125);
    assert!(number(&first["ru_to_buy"]["point"]) < 6_000.0);
    assert!(number(&first["refused_share"]) < 0.05);
    let months = ["/month", "month(/time)", "day(/time)", "/time"];
    assert!(keys.iter().all(|k| !months.contains(k)), "{keys:?}");
    let current = &found["candidates"][0];
    assert_eq!(current["key"], "/month");
    let dropped = suggestions["dropped"].as_array().unwrap().iter();
    let dropped: f64 = dropped.map(|d| number(&d["keys"])).sum();
    assert!(
        (dropped + f64::from(u32::try_from(keys.len()).unwrap()) - number(&suggestions["tried"]))
            .abs()
            < 0.5
    );
    let left_out = suggestions["left_out"].as_array().unwrap().iter();
    let left_out: Vec<&str> = left_out.flat_map(|l| texts(&l["paths"])).collect();
    assert!(left_out.contains(&"/position") && left_out.contains(&"/signals"));
}

#[test]
fn the_same_seed_finds_the_same_and_masking_hides_values_alone() {
    let options = "--suggest --ru 6000 --least-suffix /month --route";
    let run = |more: &str| {
        let all = format!("{options} {more}");
        let answer = car(&all.trim().split(' ').collect::<Vec<_>>()).ends_with(0);
        answer.text()
    };
    let plain = run("");
    assert_eq!(plain, run(""));
    let masked = run("--mask --mask-salt x");
    for text in [&plain, &masked] {
        assert!(text.contains("/deviceId > /month"), "{text}");
        assert!(text.contains("Suffixes for /month: random"));
        assert!(text.contains("Plan for"));
        assert!(text.lines().all(|line| line.chars().count() <= 100));
    }
    // What decides stands in 80 columns, and why a caution comes first.
    let heads =
        plain.lines().find(|line| line.contains("throttled  ") && line.contains("20 GB on"));
    let heads: Vec<&str> = heads.unwrap().split("  ").map(str::trim).collect();
    for head in ["throttled", "cross-partition", "20 GB on"] {
        assert!(heads.contains(&head), "{heads:?}");
    }
    let users = "trial --scenario users --container by-favorite-color --sample 6000 --suggest --growth 10MiB";
    let args: Vec<&str> = users.split(' ').collect();
    let users = Place::new().run(&args).ends_with(0).text();
    assert!(users.contains("1    /username: caution (mutable name)"), "{users}");
    assert!(users.contains("A caution is first: only its name"), "{users}");
    assert!(plain.contains("2026-0") && !masked.contains("2026-06 "));
    let md = run("--format md");
    assert!(md.contains("## Proposed keys") && md.contains("## Suffixes for /month: random"));
    assert!(md.contains("| advised |"));
}

#[test]
fn what_keys_are_judged_on_is_said() {
    let call = "trial --scenario plants --container by-plant --sample 2000 --suggest 1 --quiet";
    let text = Place::new().run(&call.split(' ').collect::<Vec<_>>());
    let text = text.ends_with(0).text();
    let words: Vec<&str> = text.split_whitespace().collect();
    let said = "Growth leads from 3 partitions to ";
    let words = words.join(" ");
    assert!(words.contains(said) && words.contains("keys were compared on 6."), "{text}");
}

#[test]
fn suffixes_are_counted_and_priced() {
    let options = "--least-suffix /month --ru 60000 --load 40000 --partitions 10 --until 2027-07-01 --format json";
    let found = car(&options.split(' ').collect::<Vec<_>>()).ends_with(0).json();
    let plan = &found["suffix"][0];
    // 40,000 RU/s go to the month of now, and a key is to have 7,000.
    assert_eq!(plan["by_division"], 6);
    let least = number(&plan["least"]);
    assert!((6.0..=9.0).contains(&least), "{least}");
    assert_eq!((&plan["decides"], &plan["proven"]), (&json!("load"), &json!(true)));
    let rows = plan["rows"].as_array().unwrap();
    let row = rows.iter().find(|r| r["n"] == 400).unwrap();
    assert_eq!(row["read"]["keys"], 400);
    // 640 GB need 13 partitions, whatever is given.
    assert!(number(&row["read"]["visits"]) <= 13.0);
    let is_enough = |r: &&Value| number(&r["n"]) >= least;
    assert!(rows.iter().filter(is_enough).all(|r| r["meets"] == true));
    // With eight, two parts of the month of now meet on a partition: the number to take throttles next to nothing.
    let throttled = |row: &Value| number(&row["throttled_share"]);
    let best = rows.iter().filter(is_enough).find(|r| throttled(r) <= 0.01);
    let best = &best.unwrap()["n"];
    assert!(number(best) > least && throttled(&rows[0]) > 0.01);
    assert_eq!(plan["best"], format!("/month + \".\" + random({best})"));
    // The same with buckets of a property that readers know.
    let options = "--least-suffix /month --bucket-of /deviceId --ru 60000 --load 40000 --partitions 10 --format json";
    let found = car(&options.split(' ').collect::<Vec<_>>()).ends_with(0).json();
    let best = found["suffix"][0]["best"].as_str().unwrap();
    assert!(best.starts_with("/month + \".\" + bucket(/deviceId, "), "{best}");
}

#[test]
fn the_way_tells_who_can_copy() {
    let run = |key: &str| {
        let options = ["--key", key, "--route", "--ru", "6000", "--format", "json"];
        let found = car(&options).ends_with(0).json();
        assert_eq!(found["route"].as_array().unwrap().len(), 1);
        found["route"][0].clone()
    };
    let levels = run("/deviceId > /month");
    assert_eq!((&levels["copy"], &levels["key"]), (&json!("copy"), &json!("/deviceId > /month")));
    assert_eq!((&levels["collisions"], &levels["parted"]), (&json!(0), &json!(24)));
    assert!(number(&levels["write_ru"][1]) > number(&levels["write_ru"][0]));
    assert_eq!(run("/deviceId + \"-\" + month(/time)")["copy"], "transform");
    assert_eq!(run("/month + \".\" + random(50)")["copy"], "transform-once");
}

#[test]
fn what_cannot_be_searched_is_refused_before_anything_is_read() {
    for (options, said) in [
        ("--suggest 0", "--suggest"),
        ("--least-suffix /a+", "--least-suffix"),
        ("--least-suffix /a --max-ru 20000", "--max-ru"),
        ("--least-suffix /a --max-size much", "--max-size"),
        ("--least-suffix /a --until soon", "--until"),
        ("--least-suffix /a --bucket-of x", "--bucket-of"),
        ("--until 2027-01-01", "--least-suffix"),
    ] {
        let args: Vec<&str> = options.split(' ').collect();
        let answer = Place::new().run(&[&["trial", "absent.jsonl"][..], &args].concat());
        let text = answer.ends_with(2).err;
        assert!(text.contains(said), "{options}: {text}");
    }
}

#[test]
fn a_caution_that_costs_reads_is_left_out_for_a_good_key_and_one_that_gains_more_is_not() {
    let date = "/plantId + \"-\" + /date";
    for (call, first, left_out) in [
        ("plants --container by-plant --sample 2000", "/deviceId > /id", date),
        ("car --container by-month --sample 20000", "/deviceId", date),
    ] {
        let call = format!("trial --scenario {call} --suggest 3 --quiet --format csv");
        let table = Place::new().run(&call.split(' ').collect::<Vec<_>>());
        let table = table.ends_with(0).text();
        let mut rows = csv::Reader::from_reader(table.as_bytes());
        let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
        let mut proposed = rows.iter().filter(|row| &row[1] == "proposed");
        assert_eq!(&proposed.next().unwrap()[0], first);
        assert!(proposed.all(|row| &row[0] != left_out), "{table}");
    }
}

/// Scenario, container, whether today's key is rejected for what is throttled, how the first proposal begins, and what the
/// scenario tells its reader to look at.
const STORIES: [(&str, &str, bool, &str, &str); 14] = [
    ("car", "by-month", true, "/deviceId", "by month one partition takes every write"),
    ("customers", "customers", false, "", "nothing is throttled"),
    ("launch", "by-market", false, "/orderId", "each of the four partitions runs at 27 to 33 %"),
    ("events", "events", false, "", "none of its complete keys holds more than 14 GB"),
    ("fanout", "without-key", true, "/model", "With the model in the filter the same queries fit"),
    ("food", "foods", false, "/id", "it cannot use what the other two have left"),
    ("night", "orders", true, "/id", "one key cannot use more than 10,000 RU/s"),
    ("plants", "by-plant-and-epoch", true, "/deviceId", "one key with 12,500 RU/s"),
    ("suffix", "by-date", true, "/vin", "more than half are throttled"),
    ("tenants", "tickets", true, "/id", "D alone needs 12,000 RU/s"),
    ("users", "by-favorite-color", true, "/username", "Blue alone is 40 %"),
    ("index", "customers-alone", true, "/email", "visit all five partitions of customers-alone"),
    ("bucket", "cases", false, "/id", "its throughput bucket throttles it, not the partition"),
    (
        "burst",
        "baskets",
        true,
        "/storeId > /customerId",
        "burst capacity serves what the partition saved before",
    ),
];

#[test]
fn verdict_best_proposal_and_what_to_look_at_agree_in_every_scenario() {
    let scenarios = cosmoscope::source::scenario::list();
    assert_eq!(scenarios.len(), STORIES.len());
    for (scenario, container, is_rejected, first, words) in STORIES {
        let look_at = scenarios.iter().find(|s| s.name == scenario);
        let look_at = &look_at.unwrap().look_at;
        assert!(look_at.contains(words), "{scenario}: {look_at}");
        let call = format!(
            "trial --scenario {scenario} --container {container} --sample 2000 --suggest 1 --quiet --format csv"
        );
        let table = Place::new().run(&call.split(' ').collect::<Vec<_>>());
        let table = table.ends_with(0).text();
        let mut rows = csv::Reader::from_reader(table.as_bytes());
        let heads = rows.headers().unwrap().clone();
        let at = |name: &str| heads.iter().position(|head| head == name).unwrap();
        let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
        let of = |stands: &str| rows.iter().find(|row| &row[at("stands")] == stands);
        let throttled = |row: &csv::StringRecord| row[at("throttled_share")].parse::<f64>();
        let today = of("current").unwrap();
        // What is no better than a good key is not proposed.
        let Some(best) = of("proposed") else {
            assert_eq!((scenario, &today[at("verdict")]), ("customers", "holds"));
            continue;
        };
        let share = throttled(today).unwrap();
        assert_eq!(share > 0.05, is_rejected, "{scenario}: {share}");
        if is_rejected {
            assert_eq!(&today[at("verdict")], "does not hold", "{scenario}");
        }
        assert!(best[at("key")].starts_with(first), "{scenario}: {best:?}");
        assert_ne!(&best[at("verdict")], "does not hold", "{scenario}: {best:?}");
        assert!(throttled(best).unwrap() <= 0.01, "{scenario}: {best:?}");
    }
}
