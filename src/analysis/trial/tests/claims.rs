//! Numbers of the material, and of layouts that were worked out by hand.

use super::super::super::findings::Severity;
use super::super::super::routing::workload::Workload;
use super::*;
use crate::analysis::rules::Rule;

fn texts(rows: &[(&str, &str)]) -> Vec<(Vec<Cell>, u32)> {
    let row = |(a, b): &(&str, &str)| {
        (vec![Cell::Text((*a).to_owned()), Cell::Text((*b).to_owned())], 1_000)
    };
    rows.iter().map(row).collect()
}

#[test]
fn a_date_with_suffixes_from_1_to_400_is_not_quite_even() {
    let row = |n: i32| (vec![Cell::Text("2018-08-09".to_owned()), Cell::Number(n)], 1_024);
    let rows: Vec<_> = (1..=400).map(row).collect();
    let documents = documents(&["date", "suffix"], &rows, &coded());
    for (partitions, wanted) in [(5, 1.1375), (10, 1.275), (20, 1.4)] {
        let settings = Settings { partitions, ..Settings::default() };
        let trials = trials(&documents, settings);
        let trial = trials.trial(&parsed("/date + \".\" + /suffix"));
        let found = trial.placement.load_ratio_storage.unwrap();
        assert!((found - wanted).abs() < 1e-9, "{partitions}: {found}");
        assert_eq!(trial.distinct.seen, 400);
        let alone = trials.trial(&parsed("/date")).placement;
        assert_eq!(alone.load_ratio_ru, Some(placed_on_one(partitions)));
    }
}

fn placed_on_one(partitions: usize) -> f64 {
    f64::from(u32::try_from(partitions).unwrap())
}

#[test]
fn throttling_is_what_the_worked_example_says() {
    // 2,000 500 1,500 12,000 300 700 RU/s of six tenants on 30,000 RU/s and three partitions.
    let asked = [("A", 20), ("B", 5), ("C", 15), ("D", 120), ("E", 3), ("F", 7)];
    let mut rows = Vec::new();
    for (tenant, count) in asked {
        rows.extend((0..count).map(|_| (vec![Cell::Text(tenant.to_owned())], 500)));
    }
    let documents = documents(&["tenant"], &rows, &coded());
    let settings = Settings {
        partitions: 3,
        ru_per_second: Some(30_000.0),
        load_ru_per_second: Some(17_000.0),
        ..Settings::default()
    };
    let trial = trials(&documents, settings).trial(&parsed("/tenant"));
    let loads: Vec<f64> =
        trial.placement.partitions.iter().filter_map(|p| p.ru_per_second).collect();
    let wanted = [15_000.0, 2_000.0, 0.0];
    assert!(loads.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-6), "{loads:?}");
    assert!((trial.placement.throttled_share.unwrap() - 5.0 / 17.0).abs() < 1e-9);
    assert!((trial.placement.load_ratio_ru.unwrap() - 2.647).abs() < 1e-3);
    assert!((trial.beyond_any_ru.unwrap() - 2_000.0).abs() < 1e-6);
}

#[test]
fn a_month_as_key_takes_all_writes_of_now() {
    let row = |n: i32| {
        let (month, day) = (1 + n / 2_000, 1 + n % 2_000 * 28 / 2_000);
        let time = format!("2026-{month:02}-{day:02}T12:00:{:02}Z", n % 60);
        (vec![Cell::Text(time), Cell::Text(format!("car-{}", n * 7 % 199))], 1_024)
    };
    let rows: Vec<_> = (0..12_000).map(row).collect();
    let documents = documents(&["time", "vin"], &rows, &coded());
    let settings = Settings {
        ru_per_second: Some(60_000.0),
        load_ru_per_second: Some(60_000.0),
        ..Settings::default()
    };
    let trials = trials(&documents, settings);
    assert_eq!(trials.prepared().time().unwrap().to_string(), "/time");
    let by_month = trials.trial(&parsed("month(/time)"));
    let writes = by_month.writes.as_ref().unwrap();
    assert!((writes.top.share - 1.0).abs() < 1e-12 && writes.keys == 1);
    // One partition of ten gives 6,000 of the 60,000 RU/s.
    assert!((by_month.placement.throttled_share.unwrap() - 0.9).abs() < 1e-9);
    assert!((by_month.placement.load_ratio_ru.unwrap() - 10.0).abs() < 1e-9);
    let by_car = trials.trial(&parsed("/vin + \"-\" + month(/time)"));
    assert!(by_car.writes.unwrap().top.share < 0.1);
    assert!(by_car.placement.throttled_share.unwrap() < 0.5);
}

#[test]
fn one_document_of_2099_is_not_now() {
    let row = |n: usize| {
        let time = format!("2026-06-{:02}T{:02}:00:{:02}Z", 1 + n / 240, n / 10 % 24, n % 60);
        (vec![Cell::Text(time), Cell::Text(format!("k{}", n % 30))], 1_024)
    };
    let rows: Vec<_> = (0..6_000).map(row).collect();
    let of = |wrong: &[&str]| {
        let wrong = wrong
            .iter()
            .map(|time| (vec![Cell::Text((*time).to_owned()), Cell::Text("k".to_owned())], 1_024));
        let rows: Vec<_> = rows.iter().cloned().chain(wrong).collect();
        let documents = documents(&["time", "k"], &rows, &coded());
        let trials = trials(&documents, Settings::default());
        let trial = trials.trial(&parsed("/k"));
        let notes = trials.notes(&[&trial]);
        (trial, notes)
    };
    let (right, notes) = of(&[]);
    assert!(!notes.iter().any(|note| note.contains("long after")));
    for wrong in
        [&["2099-01-01T00:00:00Z"][..], &["2035-01-01", "2099-01-01T00:00:00Z", "2098-12-31"]]
    {
        let (trial, notes) = of(wrong);
        let (now, wanted) = (trial.writes.unwrap(), right.writes.clone().unwrap());
        assert_eq!(
            (now.until, now.top, now.documents),
            (wanted.until, wanted.top, wanted.documents)
        );
        assert_eq!(trial.ahead.as_of, right.ahead.as_of);
        let reported = if wrong.len() == 1 {
            "1 document is dated 2099-01-01 or later by /time"
        } else {
            "3 documents are dated 2035-01-01 or later by /time"
        };
        assert!(
            notes.iter().any(|note| note.starts_with(reported)
                && note.ends_with("the newest time is 2026-06-25")),
            "{notes:?}"
        );
    }
    // Documents that come a while after the others, or seldom, are not wrong.
    for plausible in [&["2026-07-10T00:00:00Z"][..], &["2026-09-20", "2026-12-20", "2027-03-20"]] {
        let (trial, _) = of(plausible);
        let date = trial.writes.unwrap().until.unwrap().date_text();
        assert_eq!(Some(date.as_str()), plausible.last().and_then(|t| t.get(..10)));
    }
}

#[test]
fn a_sample_stands_for_the_whole() {
    let rows: Vec<_> = (0..1_000)
        .map(|n| (vec![Cell::Text(format!("k{}", n % 300)), Cell::Number(n)], 1_000))
        .collect();
    let documents = documents(&["a", "id"], &rows, &coded());
    let whole = Settings { stored_bytes: Some(5e6), storage_factor: 1.25, ..Settings::default() };
    let trial = trials(&documents, whole).trial(&parsed("/a"));
    assert!(trial.whole.is_sample && (trial.whole.documents - 4_000.0).abs() < 1e-6);
    assert!((trial.whole.bytes - 5e6).abs() < 1e-3);
    // Four of a thousand documents, as many as chance alone would give to some of equal keys of 13,333 bytes.
    let [low, high] = trial.largest_range.unwrap();
    assert!((low..high).contains(&13_333.0) && trial.largest_bytes < 14_000.0);
    assert!(trial.distinct.range.is_some() && trial.distinct.coverage.is_some());
    let [low, high] = trial.placement.load_ratio_storage_interval.unwrap();
    let ratio = trial.placement.load_ratio_storage.unwrap();
    assert!(low < ratio * 1.05 && ratio < high, "{low} {ratio} {high}");
    let plain = trials(&documents, Settings::default()).trial(&parsed("/a"));
    assert_eq!((plain.distinct.range, plain.placement.load_ratio_storage_interval), (None, None));
}

#[test]
fn what_speaks_against_a_key_is_found() {
    let rows = texts(&[("x", "p"), ("x", "p"), ("y", "q")]);
    let documents = documents(&["a", "id"], &rows, &coded());
    let trial = trials(&documents, Settings::default()).trial(&parsed("/a + \"-\" + day(/id)"));
    let rules: Vec<&str> = trial.findings.iter().map(|f| f.rule.name()).collect();
    assert!(rules.contains(&"no-time") && rules.contains(&"id-collisions"), "{rules:?}");
    let collisions = trial.collisions.unwrap();
    assert_eq!((collisions.pairs, collisions.documents), (1, 2));
    assert_eq!(collisions.examples[0].id.as_ref(), "p");
    let nowhere = trials(&documents, Settings::default()).trial(&parsed("/nowhere"));
    assert!(nowhere.findings.iter().any(|f| f.rule == Rule::Absent));
    assert_eq!(nowhere.distinct.seen, 1);
    assert_eq!(nowhere.levels[0].gaps.total(), 3);
}

#[test]
fn a_hierarchy_of_few_tenants_lies_on_few_partitions() {
    let row = |n: i32| (vec![Cell::Text(format!("tenant-{}", n % 5)), Cell::Number(n)], 1_000);
    let rows: Vec<_> = (0..2_000).map(row).collect();
    let documents = documents(&["tenant", "user"], &rows, &coded());
    let settings = Settings { partitions: 20, ..Settings::default() };
    let trials = trials(&documents, settings);
    let trial = trials.trial(&parsed("/tenant > /user"));
    let used = trial.placement.partitions.iter().filter(|p| p.bytes > 0.0).count();
    assert!(used <= 5 && trial.placement.load_ratio_storage.unwrap() >= 4.0);
    assert_eq!((trial.levels[0].distinct, trial.levels[1].distinct), (5, 2_000));
    assert!((trial.levels[0].largest_share - 0.2).abs() < 1e-9);
    let joined = trials.trial(&parsed("/tenant + \"-\" + /user")).placement;
    assert!(joined.load_ratio_storage.unwrap() < 1.5);
}

#[test]
fn no_documents_are_no_reason_to_stop() {
    let documents = documents(&["a"], &[], &coded());
    let settings = Settings { ru_per_second: Some(400.0), ..Settings::default() };
    let trial = trials(&documents, settings).trial(&parsed("/a > /b"));
    assert_eq!((trial.distinct.seen, trial.k_eff), (0, None));
    assert_eq!(trial.placement.throttled_share, None);
}

/// Fifteen plants, one of them with a quarter of the data.
fn plants() -> Documents {
    let row = |n: i32| {
        let plant = if n % 4 == 0 { 0 } else { 1 + n % 14 };
        (vec![Cell::Text(format!("plant-{plant}")), Cell::Number(n)], 1_000)
    };
    let rows: Vec<_> = (0..5_600).map(row).collect();
    documents(&["plant", "id"], &rows, &coded())
}

#[test]
fn a_plant_with_a_quarter_of_the_data_is_full_at_80_gib_in_all() {
    let documents = plants();
    let settings = Settings::default();
    let trial = trials(&documents, settings.clone()).trial(&parsed("/plant"));
    assert_eq!(trial.distinct.seen, 15);
    let stored = trial.stored_when_full().unwrap();
    assert!((stored / f64::from(1 << 30) - 80.0).abs() < 1e-9, "{stored}");
}

#[test]
fn verdicts_rank_reasons_and_mark_the_dominated() {
    let documents = plants();
    let settings = Settings { ru_per_second: Some(60_000.0), ..Settings::default() };
    let trials = trials(&documents, settings.clone());
    let made = ["/plant", "/plant + \"-\" + /id", "\"one\""].map(|key| trials.trial(&parsed(key)));
    let tried: Vec<_> =
        made.iter().map(|trial| verdict::RoutedTrial { trial, routed: &[] }).collect();
    let verdicts = verdict::verdicts(&tried, &settings);
    // Without requests nothing is said of reads, which pay for spread.
    let standings: Vec<_> = verdicts.iter().map(verdict::KeyVerdict::word).collect();
    assert_eq!(standings, ["caution", "good for spread", "reject"]);
    assert!(verdicts.iter().all(|v| v.dominated_by.is_none()));
    let causes: Vec<_> = tried.iter().zip(&verdicts).map(|(t, v)| t.cause(v)).collect();
    let words = |words: &str| Some(verdict::Cause::Words(words.to_owned()));
    assert_eq!(causes, [words("uneven storage"), words("reads unknown"), words("too few keys")]);
    for verdict in &verdicts {
        assert!(verdict.reasons.is_sorted_by_key(|r| std::cmp::Reverse(r.severity)));
    }
}

fn requested(text: &str) -> Settings {
    Settings { workload: Arc::new(Workload::parse(text)), ..Settings::default() }
}

#[test]
fn queries_go_where_the_key_sends_them() {
    let documents = plants();
    let text = "-- name: a plant\n-- rate: 2/s\nSELECT * FROM c WHERE c.plant = 'plant-1';\n\n-- name: all\nSELECT * FROM c;";
    let trials = trials(&documents, requested(text));
    let words = |key: &str| {
        let (_, routed) = trials.trial_with_routes(&parsed(key));
        let words: Vec<_> =
            routed.iter().map(|r| (r.route.routing.word(), r.route.visits())).collect();
        words
    };
    assert_eq!(words("/plant"), [("single", Some(1.0)), ("fan-out", Some(10.0))]);
    assert_eq!(words("/id"), [("fan-out", Some(10.0)), ("fan-out", Some(10.0))]);
    let [(word, visits), _] = words("/plant > /id")[..] else { unreachable!() };
    assert_eq!((word, visits), ("targeted", Some(1.0)));
}

#[test]
fn rare_cross_partition_requests_are_no_reason_against_a_key() {
    let documents = plants();
    for (rate, severity) in [("4", Severity::Note), ("20", Severity::Warn)] {
        let text = format!(
            "-- rate: 1000/s\nSELECT * FROM c WHERE c.plant = @plant;\n-- rate: {rate}/s\nSELECT * FROM c"
        );
        let trials = trials(&documents, requested(&text));
        let (trial, routed) = trials.trial_with_routes(&parsed("/plant"));
        let tried = verdict::RoutedTrial { trial: &trial, routed: &routed };
        let verdict = verdict::verdicts(&[tried], trials.settings()).swap_remove(0);
        let found = verdict.reasons.iter().find(|r| r.rule == Rule::RequestsCrossPartitions);
        assert_eq!(found.unwrap().severity, severity, "{rate}/s: {found:?}");
    }
}

#[test]
fn requests_for_one_hot_constant_are_too_much_for_its_key() {
    let documents = plants();
    let judged = |text: &str| {
        let trials = trials(&documents, requested(text));
        let (trial, routed) = trials.trial_with_routes(&parsed("/plant"));
        let tried = verdict::RoutedTrial { trial: &trial, routed: &routed };
        let verdict = verdict::verdicts(&[tried], trials.settings()).swap_remove(0);
        let cause = tried.cause(&verdict);
        (verdict, cause, tried.hottest_key().unwrap().1)
    };
    let reasons = |text: &str| judged(text).0;
    let hot = "-- rate: 10000/s\nSELECT * FROM c WHERE c.plant = 'plant-1'";
    let (verdict, cause, share) = judged(hot);
    // The documents of plant-0 are more.
    assert_eq!(cause, Some(verdict::Cause::HotKey(r#"["plant-1"]"#.into())));
    assert!((share - 1.0).abs() < 1e-9, "{share}");
    let of =
        |rate, plant| format!("-- rate: {rate}/s\nSELECT * FROM c WHERE c.plant = 'plant-{plant}'");
    // All requests of a key count together.
    let several = [of(6_000, 1), of(7_000, 2), of(6_000, 1)].join(";\n");
    assert_eq!(judged(&several).1, Some(verdict::Cause::HotKey(r#"["plant-1"]"#.into())));
    let of_key = |v: &verdict::KeyVerdict| {
        let mut found = v.reasons.iter().filter(|r| r.rule == Rule::BeyondAnyKey);
        found.next().cloned()
    };
    let found = of_key(&verdict).unwrap();
    assert_eq!(found.severity, Severity::Alarm);
    assert_eq!(
        found.sentence,
        "The hottest key needs 15,000 RU/s more than one key can use: 10,000."
    );
    for fine in [
        "-- rate: 1000/s\nSELECT * FROM c WHERE c.plant = 'plant-1'",
        "-- rate: 10000/s\nSELECT * FROM c WHERE c.plant = @plant",
    ] {
        assert_eq!(of_key(&reasons(fine)), None);
    }
}

#[test]
fn what_weighs_in_a_workload_is_said() {
    let documents = plants();
    let rules = |key: &str, text: &str| {
        let trials = trials(&documents, requested(text));
        let (trial, routed) = trials.trial_with_routes(&parsed(key));
        let tried = verdict::RoutedTrial { trial: &trial, routed: &routed };
        let verdicts = verdict::verdicts(&[tried], &Settings::default());
        let reasons = verdicts[0].reasons.iter();
        let of_mix = reasons.filter(|r| r.rule.name().ends_with("-heavy"));
        of_mix.map(|r| (r.rule.name(), r.severity)).collect::<Vec<_>>()
    };
    let reads =
        "-- rate: 90/s\nSELECT * FROM c WHERE c.plant = 'plant-1';\n\n-- rate: 10/s\ncreate";
    let writes =
        "-- rate: 10/s\nSELECT * FROM c WHERE c.plant = 'plant-1';\n\n-- rate: 90/s\ncreate";
    // Reads by plant: one visit under the plant, all of them under the id.
    assert_eq!(rules("/plant", reads), [("read-heavy", Severity::Note)]);
    assert_eq!(rules("/id", reads), [("read-heavy", Severity::Warn)]);
    // A quarter of all writes are of one plant.
    assert_eq!(rules("/plant", writes), [("write-heavy", Severity::Warn)]);
    assert_eq!(rules("/id", writes), [("write-heavy", Severity::Note)]);
    // Keys spread writes or do not, however unevenly hashes lay them on ten partitions.
    for (buckets, severity) in [(30, Severity::Note), (8, Severity::Warn)] {
        let key = format!("bucket(/id, {buckets})");
        assert_eq!(rules(&key, writes), [("write-heavy", severity)], "{key}");
    }
    let unrated = "SELECT * FROM c WHERE c.plant = 'plant-1'";
    assert!(rules("/plant", unrated).is_empty());
}
