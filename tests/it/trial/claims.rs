//! What the training material says, worked out from documents.

use serde_json::Value;

use super::{Documents, number};
use crate::cli::Place;

const CLAIMS: &str = include_str!("../data/seed-claims.json");

fn expected(id: &str) -> f64 {
    let file: Value = serde_json::from_str(CLAIMS).unwrap();
    let all = file["claims"].as_array().unwrap();
    number(&all.iter().find(|claim| claim["id"] == id).unwrap()["expected"])
}

#[test]
fn suffixes_from_1_to_400_are_even_on_average_but_not_exactly() {
    let line = |n: u32| format!(r#"{{"id":"{n:04}","date":"2018-08-09","suffix":{n}}}"#);
    let documents = Documents::new((1..=400).map(line));
    let key = r#"/date + "." + /suffix"#;
    for (partitions, claim) in
        [("5", "suffix-balance-5"), ("10", "suffix-balance-10"), ("20", "suffix-balance-20")]
    {
        let found = documents.json(&["--key", key, "--partitions", partitions]);
        let ratio = number(&found["candidates"][0]["load_ratio_ru_v1"]);
        assert!((ratio - expected(claim)).abs() < 1e-4, "{claim}: {ratio}");
        assert_eq!(found["candidates"][0]["distinct"], 400);
    }
}

#[test]
fn a_plant_with_a_quarter_of_the_data_is_full_at_80_gib_in_all() {
    let line = |n: u32| {
        let plant = if n.is_multiple_of(4) { 0 } else { 1 + n % 14 };
        format!(r#"{{"id":"{n:04}","plant":"p{plant:02}"}}"#)
    };
    let documents = Documents::new((0..5_600).map(line));
    let text = documents.run(&["--key", "/plant"]).ends_with(0).text();
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    assert!(
        text.contains(
            "25 % of all data in the largest key; it reaches the limit at 80.0 GiB in all"
        ),
        "{text}"
    );
}

fn scenario(name: &str, container: &str, more: &[&str]) -> Value {
    let place = Place::new();
    let args = [
        &[
            "trial",
            "--scenario",
            name,
            "--container",
            container,
            "--sample",
            "20000",
            "--format",
            "json",
        ],
        more,
    ]
    .concat();
    place.run(&args).ends_with(0).json()
}

/// RU/s of `scale up` as the verdict has them, then RU/s that today's partitions can serve.
#[test]
fn a_container_keeps_its_partitions_and_splits_for_ru_as_the_remedy_says() {
    let place = Place::new();
    let call = "demo night --print heat --size 200x60";
    let heat = place.run(&call.split(' ').collect::<Vec<_>>());
    let heat = heat.ends_with(0).text();
    let mut lines = heat.lines();
    let remedy = lines.find(|line| line.contains("scale up")).unwrap();
    assert!(remedy.contains("159,700"), "{remedy}");
    for (ru, partitions) in [("159700", 16), ("40000", 4), ("24100", 4)] {
        let found = scenario("night", "orders", &["--ru", ru]);
        let today = &found["candidates"][0];
        let loads = today["partitions"].as_array().unwrap();
        assert_eq!(loads.len(), partitions, "{ru}");
        let throttled = number(&today["throttled_share"]);
        let text = format!("{:.1} %", throttled * 100.0);
        assert_eq!(remedy.contains(&text), ru == "159700", "{ru}: {text}");
        // RU/s and sizes are of the same ranges: the busiest one holds the key that is largest and hottest.
        let by_ru = |a: &&Value, b: &&Value| number(&a["ru"]).total_cmp(&number(&b["ru"]));
        let busiest = loads.iter().max_by(by_ru).unwrap();
        assert!(number(&busiest["bytes"]) > number(&today["largest_bytes"]), "{ru}");
    }
}

#[test]
fn what_is_throttled_now_comes_before_what_is_full_one_day_and_not_before_what_is_full() {
    let cases = [
        // 19.4 GiB in the largest key, and 29 % throttled.
        ("tenants", "tickets", "hot key D", "no RU/s is enough", "29 % throttled"),
        ("plants", "by-plant", "key over 20 GB", "403: no RU/s helps", "20.0 GiB"),
    ];
    for (scenario, container, why, ru, alarm) in cases {
        let args = ["trial", "--scenario", scenario, "--container", container, "--sample", "2000"];
        let text = Place::new().run(&args).ends_with(0).text();
        let line = |of: &str| text.lines().find(|line| line.trim_start().starts_with(of));
        for (label, wanted) in [("why", why), ("RU/s to buy", ru), ("alarm", alarm)] {
            let line = line(label).unwrap();
            assert!(line.contains(wanted), "{scenario}: {line}");
        }
    }
}

#[test]
fn thresholds_of_the_configuration_hold_for_the_demand_of_logs() {
    let place = Place::new();
    place.write("mine.toml", "thresholds = [\"cured=20%\"]\n");
    let ru_to_buy = |more: &[&str]| {
        let args =
            "trial --scenario night --container orders --sample 2000 --key /tenantId --format json";
        let args: Vec<&str> = args.split(' ').chain(more.iter().copied()).collect();
        let found: Value = place.run(&args).ends_with(0).json();
        found["candidates"][0]["outcome"]["ru_to_buy"].as_f64()
    };
    // Of one key too hot for any partition 11 % stay throttled.
    assert_eq!(ru_to_buy(&[]), None);
    assert!(ru_to_buy(&["--config", "mine.toml"]).is_some());
}

#[test]
fn a_month_as_key_caps_what_is_written_now() {
    let key = r#"/deviceId + "-" + month(/time)"#;
    let found = scenario("car", "by-month", &["--key", key, "--ru", "80000"]);
    let [current, other] = [0, 1].map(|at| found["candidates"][at].clone());
    assert_eq!(current["key"], "/month");
    assert_eq!(current["distinct"], 24);
    assert!((number(&current["hot_hour_share"]) - 1.0).abs() < 1e-12);
    assert!(number(&other["hot_hour_share"]) < 0.1);
    assert!(number(&current["load_ratio_storage"]) > number(&other["load_ratio_storage"]));
    // 15.7 GiB in every month, of which each holds about as much.
    let gib = number(&current["largest_bytes"]) / f64::from(1 << 30);
    assert!((15.0..18.0).contains(&gib), "{gib}");
    assert_eq!(found["sampled"], true);
}

#[test]
fn todays_date_is_one_partition_and_a_suffix_twenty() {
    let key = r#"/date + "." + /suffix"#;
    let found =
        scenario("suffix", "by-date", &["--key", key, "--ru", "10000", "--partitions", "20"]);
    let ratio = |at: usize| number(&found["candidates"][at]["load_ratio_ru_v1"]);
    // All that is written goes to today's date; under 400 suffixes the sample's documents of that day are even but for chance.
    assert!(ratio(0) > 15.0 && ratio(1) < 1.7, "{} {}", ratio(0), ratio(1));
    let hot = |at: usize| number(&found["candidates"][at]["hot_hour_share"]);
    assert!((hot(0) - 1.0).abs() < 1e-12 && hot(1) < 0.1);
    let visits =
        |at: usize, query: usize| found["candidates"][at]["queries"][query]["visits"].clone();
    // The readings of a vehicle on a day: one key by date, all 400 with an unknown suffix.
    assert_eq!(visits(0, 1), 1);
    assert_eq!(visits(1, 1), 20);
}

#[test]
fn a_first_level_of_five_tenants_fills_five_partitions_at_most() {
    let line = |n: u32| format!(r#"{{"id":"{n}","tenant":"t{}","user":"u{}"}}"#, n % 5, n % 500);
    let documents = Documents::new((0..5_000).map(line));
    let keys =
        ["--key", "/tenant > /user", "--key", "/tenant + \"-\" + /user", "--partitions", "20"];
    let found = documents.json(&keys);
    let filled = |at: usize| {
        let partitions = found["candidates"][at]["partitions"].as_array().unwrap();
        partitions.iter().filter(|p| number(&p["bytes"]) > 0.0).count()
    };
    assert!(filled(0) <= 5 && filled(1) == 20, "{} {}", filled(0), filled(1));
    let text = documents.run(&keys).ends_with(0).text();
    assert!(text.contains("The first level has 5 values for 20 physical partitions"), "{text}");
}

#[test]
fn what_is_bought_is_enough_once_it_is_provisioned() {
    for (name, container, key) in [
        ("tenants", "tickets", "/tenantId > /userId"),
        ("night", "orders", "/tenantId + \".\" + bucket(/id, 10)"),
        ("plants", "by-plant", "/plantId + \"-\" + /date"),
        // It stores more than 50 GB a partition, which are split.
        ("suffix", "by-date", "/vin"),
        ("suffix", "by-date", "/date + \".\" + bucket(/id, 2)"),
    ] {
        let tried = |more: &[&str]| {
            let args = [&["--key", key], more].concat();
            scenario(name, container, &args)["candidates"][1].clone()
        };
        let point = number(&tried(&[])["ru_to_buy"]["point"]);
        let bought = tried(&["--ru", &format!("{point:.0}")]);
        for of in [&bought, &bought["after_splits"]] {
            let share = of["throttled_share"].as_f64().unwrap_or(0.0);
            assert!(share <= 0.01 + 1e-9, "{name}: {share} at {point} RU/s");
        }
    }
}
