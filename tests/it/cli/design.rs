//! `design`: a container before any document exists.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Place;

/// Fewer documents than usual: enough for what is asserted.
const FEW: [&str; 3] = ["--sample", "5000", "--quiet"];

fn designed(place: &Place, text: &str) -> Value {
    let path = place.write("design.toml", text);
    let file = path.to_str().unwrap();
    let args = [&["design", file, "--format", "json"], &FEW[..]].concat();
    place.run(&args).ends_with(0).json()
}

fn template(place: &Place, name: &str) -> String {
    place.run(&["design", "--new", name]).ends_with(0).text()
}

fn figure<'a>(design: &'a Value, name: &str) -> &'a Value {
    let figures = design["figures"].as_array().unwrap();
    let found = figures.iter().find(|figure| figure["name"] == name);
    found.unwrap_or_else(|| panic!("{name}: {design}"))
}

fn near(value: &Value, expected: f64, part: f64) -> bool {
    (value.as_f64().unwrap() - expected).abs() <= expected * part
}

fn key<'a>(design: &'a Value, key: &str) -> &'a Value {
    let keys = design["keys"].as_array().unwrap();
    keys.iter().find(|found| found["key"] == key).unwrap()
}

#[test]
fn a_car_of_1_kb_a_second_for_360_minutes_a_day_is_full_in_2_66_years() {
    let place = Place::new();
    let cars = designed(&place, &template(&place, "iot"));
    let day = figure(&cars, "message of one deviceId, a day");
    assert_eq!(day["text"], "21.09 MiB");
    assert_eq!(day["how"], "1,024 B × 60 × 360 min = 21.09 MiB a day");
    assert_eq!(day["value"], 1024.0 * 3600.0 * 6.0);
    assert_eq!(figure(&cars, "message of one deviceId, a year")["text"], "7.52 GiB");
    let full = figure(&cars, "the largest key is full after");
    assert_eq!(full["text"], "2.66 years, 2029-08-28");
    // As the trial of drawn documents sees it: the rate of all, and the share of the largest.
    let trial = ["trial", "--scenario", "design.toml", "--key", "/model"];
    let args = [&trial[..], &["--format", "json"], &FEW[..]].concat();
    let trial = place.run(&args).ends_with(0).json();
    let found = &trial["candidates"];
    assert!(near(&found[0]["largest_bytes"], 1024.0 * 21_600.0 * 30.0, 0.02));
    assert!(near(&found[0]["demand_ru"], 10_050.0, 0.02));
    let model = &key(&cars, "/model")["largest_share"];
    assert!(near(&found[1]["top_share"], model.as_f64().unwrap(), 0.1), "{model}");
    let written = figure(&cars, "written a day")["value"].as_f64().unwrap();
    assert!(near(&found[1]["growth"]["all_bytes_per_day"], written, 0.1), "{}", found[1]["growth"]);
}

fn messages(more: &str) -> String {
    format!(
        "container = \"c\"\nkey = \"/device\"\n{more}\n[[properties]]\nname = \"device\"\ndistinct = 100_000\n"
    )
}

#[test]
fn gb_of_messages_a_day_are_those_that_everyone_computes() {
    let place = Place::new();
    let entity = "[[entities]]\nname = \"m\"\nsize = \"1KB\"\n";
    let decimal = messages("units = \"decimal\"");
    let much = designed(&place, &format!("{decimal}{entity}writes = \"10000/s\"\n"));
    let day = figure(&much, "m a day");
    assert!(near(&day["value"], 864e9, 1e-9));
    assert_eq!(day["text"], "805 GiB (864 GB)");
    let data = designed(&place, &format!("{decimal}{entity}writes = \"70GB/day\"\n"));
    assert!(near(&figure(&data, "m written")["value"], 810.0, 0.001));
    let binary = designed(&place, &format!("{}{entity}writes = \"10000/s\"\n", messages("")));
    assert_eq!(figure(&binary, "m a day")["text"], "824 GiB (885 GB)");
}

#[test]
fn one_of_a_thing_and_what_never_happens_are_said_so() {
    let place = Place::new();
    let entity =
        "[[entities]]\nname = \"m\"\nsize = \"1KB\"\neach = \"device\"\nwrites = \"1/s\"\n";
    let text = messages("retention = \"1d\"\ntry = [\"/id\"]").replace("100_000", "1") + entity;
    let path = place.write("design.toml", text);
    let args = [&["design", path.to_str().unwrap()], &FEW[..]].concat();
    let said = place.run(&args).ends_with(0).text();
    for expected in ["× 1 owner\n", "1 day × ", "20 GB never"] {
        assert!(said.contains(expected), "{expected}\n{said}");
    }
    assert!(!said.contains("20 GB in never"), "{said}");
}

#[test]
fn with_a_time_to_live_a_key_stays_at_a_level() {
    let place = Place::new();
    let entity = "[[entities]]\nname = \"m\"\nsize = \"1KB\"\nwrites = \"1000/s\"\n";
    let text = messages("retention = \"10d\"").replace("100_000", "100") + entity;
    let design = designed(&place, &text);
    let full = figure(&design, "the largest key is full after");
    assert_eq!(full["value"], Value::Null);
    assert_eq!(full["text"], "never; at most 8.24 GiB");
    let args = ["forecast", "--scenario", "design.toml", "--format", "json"];
    let forecast = place.run(&args).ends_with(0).text();
    assert!(!forecast.contains("\"logical\""), "{forecast}");
    let args = [&["trial", "--scenario", "design.toml", "--format", "json"], &FEW[..]].concat();
    let trial = place.run(&args).ends_with(0).json();
    assert_eq!(
        trial["candidates"][0]["growth"]["wall_state"], "never",
        "{}",
        trial["candidates"][0]["growth"]
    );
}

#[test]
fn a_demand_that_no_ru_serve_is_said_everywhere_and_null_in_json() {
    let place = Place::new();
    let orders = template(&place, "orders");
    let crossing = orders.replace("c.customerId = @customerId", "c.note = @note");
    let design = designed(&place, &crossing.replace("\"30/s\"", "\"3000/s\""));
    let ru = figure(&design, "RU/s to provide");
    assert_eq!((&ru["value"], &ru["text"]), (&Value::Null, &"no RU/s serves this".into()));
    for format in ["text", "md", "html", "csv"] {
        let args = [&["design", "design.toml", "--format", format], &FEW[..]].concat();
        let text = place.run(&args).ends_with(0).text();
        assert!(text.contains("no RU/s serves this"), "{format}: {text}");
    }
    for command in [&["forecast", "--scenario"][..], &["demo"]] {
        let text = place.run(&[command, &["design.toml"]].concat()).ends_with(0).text();
        assert!(text.contains("no RU/s serves this"), "{command:?}: {text}");
    }
}

#[test]
fn one_file_has_the_same_ru_in_a_design_and_as_a_scenario() {
    let place = Place::new();
    let orders = template(&place, "orders").replace("\"30/s\"", "\"3000/s\"");
    for condition in ["@customerId = c.customerId", "c.customerId IN (@customerId)"] {
        let text = orders.replace("c.customerId = @customerId", condition);
        let design = designed(&place, &text);
        let ru = &figure(&design, "RU/s to provide")["text"];
        assert_eq!(*ru, "22,800 RU/s", "{condition}");
        let text = place.run(&["forecast", "--scenario", "design.toml"]).ends_with(0).text();
        assert!(text.contains("Now 22,800 RU/s"), "{condition}: {text}");
    }
}

/// 10,000 messages a second of 1 KB, kept so long that data needs more partitions than 1,000,000 RU/s make.
#[test]
fn data_on_many_partitions_rejects_no_key() {
    let place = Place::new();
    let text = messages("retention = \"200d\"\ntry = [\"/id\"]").replace("100_000", "10_000")
        + "[[entities]]\nname = \"m\"\nsize = \"1KB\"\neach = \"device\"\nwrites = \"1/s\"\n";
    place.write("design.toml", text);
    let args = ["design", "design.toml", "--format", "json", "--quiet"];
    let design = place.run(&args).ends_with(0).json();
    for found in ["/device", "/id"] {
        let found = key(&design, found);
        assert_ne!(found["verdict"], "reject", "{found}");
    }
}

/// What an expert says of each template, by key; the current one first.
const VERDICTS: [(&str, &[(&str, &str)]); 7] = [
    ("orders", &[("/customerId", "good"), ("/orderDate", "reject"), ("/status", "reject")]),
    (
        "iot",
        &[
            ("/deviceId", "caution"),
            ("/date", "reject"),
            ("/deviceId + \"-\" + month(/time)", "good"),
            ("/model", "reject"),
        ],
    ),
    (
        "saas",
        &[("/tenantId", "reject"), ("/tenantId > /userId", "caution"), ("/userId", "caution")],
    ),
    ("chat", &[("/conversationId", "good"), ("/senderId", "reject"), ("/date", "reject")]),
    ("rag", &[("/tenantId > /documentId", "good"), ("/tenantId", "reject"), ("/id", "caution")]),
    ("gaming", &[("/playerId", "good"), ("/season", "reject"), ("/region", "reject")]),
    ("event-sourcing", &[("/streamId", "good"), ("/kind", "reject"), ("/id", "reject")]),
];

#[test]
fn each_template_gives_what_an_expert_says_and_trials_of_it_agree() {
    let place = Place::new();
    for (name, verdicts) in VERDICTS {
        let design = designed(&place, &template(&place, name));
        for (text, verdict) in verdicts {
            let found = key(&design, text);
            assert_eq!(found["verdict"], *verdict, "{name}: {found}");
        }
        let keys = verdicts.iter().skip(1).flat_map(|(key, _)| ["--key", key]);
        let trial: Vec<&str> = ["trial", "--scenario", "design.toml", "--format", "json"]
            .into_iter()
            .chain(FEW)
            .chain(keys)
            .collect();
        let trial = place.run(&trial).ends_with(0).json();
        for (found, (text, _)) in trial["candidates"].as_array().unwrap().iter().zip(verdicts) {
            let designed = key(&design, text);
            assert_eq!(found["key"], *text, "{name}");
            let share = designed["largest_share"].as_f64().unwrap();
            let is_dated = designed["from_design"] == true && share > 0.999;
            if share > 0.01 && !is_dated {
                assert!(near(&found["top_share"], share, 0.1), "{name} {text}: {found}");
            }
        }
        // The load that is logged is that of the requests; writes to a full key are not in it.
        let demand = &trial["candidates"][0]["demand_ru"];
        let busiest = figure(&design, "all at the busiest time")["value"].as_f64().unwrap();
        let is_full = trial["candidates"][0]["growth"]["wall_state"] == "over";
        assert!(is_full || near(demand, busiest, 0.1), "{name}: {demand} {busiest}");
    }
}

#[test]
fn giants_and_ranks_have_their_shares_of_the_documents() {
    let place = Place::new();
    place.write("saas.toml", template(&place, "saas"));
    let args = ["design", "saas.toml", "--documents", "d.jsonl", "--queries", "q.sql"];
    place.run(&[&args, &FEW[..]].concat()).ends_with(0);
    let lines = std::fs::read_to_string(place.data().join("d.jsonl")).unwrap();
    let mut tenants = BTreeMap::new();
    for line in lines.lines() {
        let document: Value = serde_json::from_str(line).unwrap();
        let size = if document["type"] == "record" { 2048 } else { 4096 };
        assert_eq!(line.len(), size);
        let tenant = document["tenantId"].as_str().unwrap().to_owned();
        assert!(document["userId"].as_str().unwrap().starts_with(&tenant), "{line:.200}");
        *tenants.entry(tenant).or_insert(0.0_f64) += 1.0 / 5000.0;
    }
    assert!((tenants["contoso"] - 0.4).abs() < 0.03, "{}", tenants["contoso"]);
    let [second, third] = ["tenant-2", "tenant-3"].map(|name| tenants[name]);
    assert!((second / third - 2_f64.powf(0.8)).abs() < 0.4, "{second} {third}");
    // Both files are what other commands read.
    let check = ["check", "--documents", "d.jsonl", "--key", "/tenantId", "--queries", "q.sql"];
    let found = place.run(&check);
    assert!(found.text().contains("/tenantId"), "{} {}", found.text(), found.err);
}

#[test]
fn a_full_key_of_a_design_grows_as_its_writes_that_get_403() {
    let place = Place::new();
    place.write("saas.toml", template(&place, "saas"));
    let shown = ["demo", "saas.toml", "--plain"];
    let text = place.run(&shown).ends_with(0).text();
    // 40 % of 60/s of 2 KB: no number of suffixes lasts a year.
    for part in [
        "size of contoso: 20.0 GiB, 100 %, ≈+3.97 GiB a day by creates that get 403",
        "change key, fixes, add the level /id",
        "cosmoscope trial DOCUMENTS --key '/tenantId > /id'",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn commands_that_take_a_scenario_take_a_design() {
    let place = Place::new();
    place.write("chat.toml", template(&place, "chat"));
    for args in [
        &["forecast", "--scenario", "chat.toml"][..],
        &["simulate", "--scenario", "chat.toml"],
        &["locate", "conversation-1", "--scenario", "chat.toml"],
        &["demo", "chat.toml", "--print", "overview"],
        &["demo", "chat.toml"],
    ] {
        let text = place.run(args).ends_with(0).text();
        assert!(text.contains("messages"), "{args:?}: {text}");
    }
    for format in ["text", "md", "html", "csv"] {
        let args = [&["design", "chat.toml", "--format", format], &FEW[..]].concat();
        let text = place.run(&args).ends_with(0).text();
        assert!(text.contains("8,640,000") || text.contains("8.24 GiB"), "{format}: {text}");
    }
}

#[test]
fn a_file_that_is_no_design_is_2_with_what_and_what_next() {
    let place = Place::new();
    let iot = template(&place, "iot");
    for (name, text) in [
        ("unknown.toml", iot.replace("writes =", "wirtes =")),
        ("short.toml", iot.replace("\"1KB\"", "20")),
        ("negative.toml", iot.replace("\"1/s\"", "\"-1/s\"")),
        ("large.toml", "#".repeat(2 << 20)),
        ("text.toml", "neither toml nor design".to_owned()),
        ("path.toml", iot.replace("\"/model\"]", "\"/modell\"]")),
        ("key.toml", iot.replace("\"/model\"]", "\"bucket(\"]")),
        ("old.toml", iot.replace("starts =", "age = \"90y\"\nstarts =")),
    ] {
        place.write(name, text);
        let refused = place.run(&["design", name, "--sample", "100"]).ends_with(2);
        assert!(refused.err.starts_with("error: "), "{name}: {}", refused.err);
        let says_more = refused.err.contains("hint: ") || refused.err.contains("Did you mean");
        assert!(says_more, "{name}: {}", refused.err);
        assert!(refused.out.is_empty(), "{name}");
    }
    place.write("good.toml", &iot);
    place.refuses(&[
        &["design"],
        &["design", "nowhere.toml"],
        &["design", "--new", "iott"],
        &["design", "--new", "iot", "--sample", "5"],
        &["design", "--new", "iot", "--format", "json"],
        &["design", "good.toml", "--force"],
        &["design", "good.toml", "--sample", "0"],
        &["design", "good.toml", "--sample", "4294967296"],
        &["trial", "--scenario", "nowhere.toml", "--key", "/a"],
    ]);
    let simplest = place.run(&["design", "--new"]).ends_with(0).text();
    assert!(simplest.contains("event-sourcing") && simplest.contains("[[entities]]"));
}
