//! `simulate`: what happens when, and the gate on it.

use serde_json::Value;

use super::{Place, STANDARD, formats_name_the_date, sample};

/// The first event of each scenario within two years, by container.
const FIRST: [(&str, &str, &str); 10] = [
    ("night", "orders", "2026-06-29 00:24 key contoso on partition 0: 429s begin"),
    ("tenants", "tickets", "2026-06-28 00:00 key D on partition 0: 429s begin"),
    ("food", "foods", "2026-06-28 00:00 key Beef Products on partition 1: 429s begin"),
    ("car", "by-model", "2026-07-01 00:00 key model-1 on partition 2: writes get 403 at 19.8 GiB"),
    (
        "plants",
        "by-plant",
        "2026-07-01 00:00 key PLANT-1 on partition 2: writes get 403 at 20.0 GiB",
    ),
    ("events", "events", "2026-08-19 10:07 partition 10: 50.0 GiB stored: a split begins"),
    ("customers", "customers", "no 429s, no 403s. Nothing happens."),
    ("suffix", "by-date", "2018-08-10 00:00 key 2018-08-09 on partition 20: 429s begin"),
    (
        "users",
        "by-favorite-color",
        "2026-06-28 00:00 key blue on partition 3: 429s begin: 1,980 RU/s requested, 1,500 provisioned",
    ),
    (
        "fanout",
        "without-key",
        "2026-06-28 00:00 partition 0: 429s begin: 25,000 RU/s requested, 10,000 provisioned",
    ),
];

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn each_scenario_has_its_first_event() {
    let place = Place::new();
    for (name, container, first) in FIRST {
        let args = ["simulate", "--scenario", name, "--container", container, "--until", "2y"];
        let text = place.run(&args).ends_with(0).text();
        assert!(flat(&text).contains(first), "{name}: {text}");
        assert_eq!(text, place.run(&args).text(), "{name}");
    }
}

#[test]
fn a_stop_at_an_event_counts_it() {
    let call = ["simulate", "--scenario", "tenants", "--stop-at"];
    for (stop, counted) in [("403", "403s begin"), ("429", "no 403s")] {
        let text = flat(&Place::new().run(&[&call[..], &[stop]].concat()).ends_with(0).text());
        assert!(text.contains(counted) && text.contains("15,000 33 %"), "{stop}: {text}");
    }
}

#[test]
fn the_key_of_each_month_takes_the_load_on_its_own_partition() {
    let call =
        ["simulate", "--scenario", "car", "--container", "by-month", "--until", "90d", "--quiet"];
    let text = flat(&Place::new().run(&call).ends_with(0).text());
    for moment in [
        "2026-07-01 00:00 key 2026-07 on partition 7: 429s begin",
        "2026-08-01 00:00 key 2026-08 on partition",
        "2026-09-01 00:00 key 2026-09 on partition",
    ] {
        assert!(text.contains(moment), "{moment}\n{text}");
    }
    assert!(!text.contains("key 2026-06 on"));
}

fn json(place: &Place, args: &[&str]) -> Value {
    let all = [&["simulate"], args, &["--format", "json"]].concat();
    serde_json::from_str(&place.run(&all).ends_with(0).text()).unwrap()
}

#[test]
fn tenants_are_throttled_as_the_scenario_says_and_far_less_with_ten_suffixes() {
    let place = Place::new();
    let today = json(&place, &["--scenario", "tenants", "--until", "1h"]);
    let share = today["load"]["throttled_share"].as_f64().unwrap();
    assert!((share - 0.294_118).abs() < 1e-6, "{share}");
    let args = ["--scenario", "tenants", "--until", "1h", "--suffixes", "10"];
    let spread = json(&place, &args);
    let share = spread["load"]["throttled_share"].as_f64().unwrap();
    // Ten values of each key lie on five partitions by chance: the fullest has a little too much.
    assert!(share < 0.05, "{share}");
}

/// Throttled shares by key.
fn shares(of: &Value, share: &str) -> Vec<(String, f64)> {
    let each = of.as_array().unwrap().iter();
    let named = |one: &Value| {
        let share = one.pointer(share).unwrap().as_f64().unwrap();
        (one["key"].as_str().unwrap().to_owned(), share)
    };
    each.map(named).collect()
}

#[test]
fn keys_in_time_throttle_as_the_trial_says() {
    let place = Place::new();
    let keys = ["--key", "/tenantId + \"-\" + bucket(/id, 10)", "--key", "/tenantId > /id"];
    let scenario = ["--scenario", "tenants"];
    let lapses = json(&place, &[&scenario[..], &["--until", "1h"], &keys].concat());
    let lapses = shares(&lapses["simulations"], "/load/throttled_share");
    let trial = [&["trial"], &scenario[..], &keys, &["--format", "json"]].concat();
    let trial = place.run(&trial).ends_with(0).text();
    let trial: Value = serde_json::from_str(&trial).unwrap();
    let tried = shares(&trial["candidates"], "/throttled_share");
    assert_eq!(lapses.len(), 3);
    for ((key, lapse), (same, trial)) in lapses.iter().zip(&tried) {
        assert_eq!(key, same);
        assert!((lapse - trial).abs() < 0.005, "{key}: {lapse} {trial}");
    }
}

#[test]
fn documents_name_the_place_of_a_wrong_key_and_masks_hide_their_files() {
    let place = Place::new();
    place.write("secret-docs.jsonl", "{\"id\":\"1\",\"tenantId\":\"t\"}\nno json\n");
    let args = ["simulate", "--documents", "secret-docs.jsonl", "--key"];
    let refused = place.run(&[&args[..], &["/tenantId >"]].concat()).ends_with(2);
    assert!(refused.err.contains("is not a key at character"), "{}", refused.err);
    let refused = place.run(&[&args[..], &["/tenantid"]].concat()).ends_with(2);
    assert!(refused.err.contains("Did you mean /tenantId?"), "{}", refused.err);
    let masked = [&args[..], &["/tenantId", "--mask"]].concat();
    let masked = place.run(&masked);
    let all = masked.text() + &masked.err;
    assert!(!all.contains("secret-docs"), "{all}");
}

#[test]
fn a_path_that_no_document_has_is_one_key_and_is_named() {
    let place = Place::new();
    let args = ["simulate", "--scenario", "events", "--key", "/no + \"-\" + day(/time)"];
    let text = flat(&place.run(&args).ends_with(0).text());
    assert!(text.contains("No document has /no: all have the same key."), "{text}");
    assert!(text.contains("key no value on partition"), "{text}");
}

#[test]
fn documents_and_queries_alone_are_followed_in_time() {
    let place = Place::new();
    let mut documents = String::new();
    for n in 0..20_000_u32 {
        // 200 days of 100 documents; two tenants have half of them.
        let tenant = if n % 4 < 2 { n % 4 } else { 2 + n % 50 };
        let (day, second) = (n / 100, n % 100 * 60);
        let line = format!(
            "{{\"id\":\"{n}\",\"tenantId\":\"t{tenant}\",\"_ts\":{}}}\n",
            1_780_000_000 + day * 86_400 + second
        );
        documents.push_str(&line);
    }
    place.write("docs.jsonl", &documents);
    place.write(
        "queries.sql",
        "-- rate: 500/s\n-- ru: 30\nSELECT * FROM c WHERE c.tenantId = @t;\n",
    );
    let keys = ["--key", "/tenantId", "--key", "/id", "--ru", "20000", "--queries", "queries.sql"];
    let args = [&["--documents", "docs.jsonl", "--until", "200d"], &keys[..]].concat();
    let lapses = json(&place, &args);
    for lapse in lapses["simulations"].as_array().unwrap() {
        let frames = lapse["frames"].as_array().unwrap();
        let stored = |frame: &Value| -> f64 {
            let partitions = frame["partitions"].as_array().unwrap().iter();
            partitions.map(|p| p["size_kib"].as_f64().unwrap()).sum()
        };
        let grown = stored(frames.last().unwrap()) / stored(&frames[0]);
        assert!((grown - 2.0).abs() < 0.02, "{grown}");
    }
    let lapses = shares(&lapses["simulations"], "/load/throttled_share");
    let trial = [&["trial", "docs.jsonl"], &keys[..], &["--format", "json"]].concat();
    let trial: Value = serde_json::from_str(&place.run(&trial).ends_with(0).text()).unwrap();
    let tried = shares(&trial["candidates"], "/throttled_share");
    for ((key, lapse), (same, trial)) in lapses.iter().zip(&tried) {
        assert_eq!(key, same);
        assert!((lapse - trial).abs() < 0.005, "{key}: {lapse} {trial}");
    }
    assert!(lapses[0].1 > 0.01, "{lapses:?}");
    // Without queries the documents' times tell the writes: 100 a day of 10 RU.
    let args = ["--documents", "docs.jsonl", "--until", "21d", "--key", "/id", "--ru", "400"];
    let lapse = json(&place, &args);
    let requested = lapse["load"]["requested_ru"].as_f64().unwrap();
    assert!((requested / 21_000.0 - 1.0).abs() < 0.01, "{requested}");
    assert!(lapse["notes"].to_string().contains("reads are unknown"));
}

#[test]
fn pictures_need_nothing_and_moments_are_gone_through_without_a_script() {
    let place = Place::new();
    let args = ["simulate", "--scenario", "events", "--until", "1y", "--format"];
    let svg = place.run(&[&args[..], &["svg"]].concat()).ends_with(0).text();
    assert!(svg.starts_with("<svg ") && svg.contains("partition 10, "), "{svg}");
    let html = place.run(&[&args[..], &["html"]].concat()).ends_with(0).text();
    assert!(!html.contains("<script") && html.contains("default-src 'none'"));
    let moments: Vec<&str> = html.split("type=\"radio\"").skip(1).collect();
    // The beginning, 20 events, of which two happen at the same moment, and the end.
    assert_eq!(moments.len(), 21, "{html}");
    assert_eq!(html.matches("</label>\n<figure><svg").count(), moments.len());
    assert_eq!(html.matches(" checked>").count(), 1);
    let name = |moment: &&str| {
        let label = moment.split_once("<label").unwrap().1.split("</label>").next().unwrap();
        label.split_once("<bdi>").unwrap().1.to_owned()
    };
    let names: Vec<String> = moments.iter().map(name).collect();
    assert!(names.iter().all(|name| name.starts_with("202")), "{names:?}");
    assert!(names[1..20].iter().all(|name| name.contains("partition ")), "{names:?}");
}

#[test]
fn files_are_read_and_every_format_is_written() {
    formats_name_the_date("simulate", &["--container", "orders"]);
}

#[test]
fn what_cannot_be_is_2_with_what_to_give() {
    let place = Place::new();
    let path = sample(STANDARD);
    for (option, value, hint) in [
        ("--until", "soon", "hint: give a time such as 12h, 30d, 8w or 10y"),
        ("--until", "200y", "from 1s to 100y"),
        ("--load-growth", "1001%", "from 0% to 1000%"),
        ("--load-factor", "more", "hint: give a number such as 2 or 0.5"),
        ("--suffixes", "10", "hint: add a container read and its throughput"),
        ("--container", "nowhere", "they hold"),
        ("--key", "/tenantId", "hint: add --documents FILE"),
    ] {
        let refused = place.run(&["simulate", &path, option, value]).ends_with(2);
        assert!(refused.err.contains(hint), "{}", refused.err);
    }
    // What has no effect is refused, and not passed over.
    let scenario = ["simulate", "--scenario", "tenants"];
    for more in [
        &["--suffixes", "4", "--queries", "q.sql"][..],
        &["--suffixes", "4", "--documents", "d.jsonl"],
        &["--format", "svg", "--top", "1"],
        &["--time-zone", "UTC"],
        &["--until", "100y", "--load-growth", "1000%"],
    ] {
        let refused = place.run(&[&scenario[..], more].concat()).ends_with(2);
        assert!(refused.out.is_empty(), "{more:?}");
    }
}

#[test]
fn the_gate_fails_on_what_a_simulated_time_brings() {
    let place = Place::new();
    let path = sample(STANDARD);
    let fine = ["check", &path, "--max-logical", "200%"];
    let args = [&fine[..], &["--simulate", "30d"]].concat();
    let text = flat(&place.run(&args).ends_with(1).text());
    assert!(text.contains("simulated: writes get 403; first 2026-06-22"), "{text}");
    let refused = place.run(&["check", "--simulate", "soon", &path]).ends_with(2);
    assert!(refused.err.contains("--simulate is `soon`"), "{}", refused.err);
}

/// Both count that keys at 20 GB grow no more.
#[test]
fn the_forecast_and_the_simulation_name_the_same_days() {
    let place = Place::new();
    let json = |args: &[&str]| -> Value {
        let args = [args, &["--scenario", "tenants", "--format", "json"]].concat();
        serde_json::from_str(&place.run(&args).ends_with(0).text()).unwrap()
    };
    let forecast = json(&["forecast"]);
    let limits = forecast["limits"].as_array().unwrap();
    let sizes = limits.iter().filter(|l| l["limit"].as_str().unwrap().ends_with("size"));
    let foreseen: Vec<&str> = sizes.filter_map(|l| l["date"].as_str()).collect();
    let lapse = json(&["simulate", "--until", "10y"]);
    let events = lapse["events"].as_array().unwrap();
    let is_size = |kind: &str| kind == "403" || kind == "split-begins";
    let sizes = events.iter().filter(|e| is_size(e["event"].as_str().unwrap()));
    let simulated: Vec<&str> = sizes.filter_map(|e| e["at"].as_str()?.get(..10)).collect();
    // What the error allows to be no growth has no date there.
    assert!(foreseen.len() > 4, "{foreseen:?}");
    let missing: Vec<&&str> = foreseen.iter().filter(|day| !simulated.contains(day)).collect();
    assert!(missing.is_empty(), "{missing:?} of {simulated:?}");
}
