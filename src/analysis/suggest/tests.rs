//! What is found on documents whose best key is known.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use super::super::findings::Severity;
use super::super::routing::workload::Workload;
use super::super::suffix::tests::{documents, parsed, trials};
use super::super::trial::{Settings, Today, Trials};
use super::forms::swapped;
use super::*;

/// Two months of 200 devices, three models, a status, a note in few documents, and an id.
fn fleet() -> Trials {
    let row = |n: usize| {
        let (day, hour) = (n / 200, n / 10 % 24);
        let (month, day) = (5 + day / 31, 1 + day % 31);
        let device = n * 7 % 199;
        let cells = vec![
            format!("{n}"),
            format!("car-{device}"),
            format!("model-{}", device % 3),
            format!("2026-{month:02}-{day:02}T{hour:02}:{:02}:00Z", n % 60),
            format!("2026-{month:02}"),
            if n.is_multiple_of(3) { "on" } else { "off" }.to_owned(),
            if n.is_multiple_of(50) { "x" } else { "" }.to_owned(),
            "car".to_owned(),
        ];
        (cells, 1_024)
    };
    let names = ["id", "deviceId", "model", "time", "month", "status", "note", "type"];
    trials(
        documents(&names, (0..12_000).map(row)),
        Settings {
            ru_per_second: Some(60_000.0),
            load_ru_per_second: Some(20_000.0),
            stored_bytes: Some(60e9),
            workload: Arc::new(Workload::parse(QUERIES)),
            ..Settings::default()
        },
    )
}

const QUERIES: &str = "-- name: write\n-- rate: 100/s\ncreate;\n\n\
    -- name: a device's month\n-- rate: 5/s\n\
    SELECT * FROM c WHERE c.deviceId = @d AND c.month = @m;\n\n\
    -- name: a model\n-- rate: 0.1/s\nSELECT * FROM c WHERE c.model = @m";

fn suggested(trials: &Trials, current: Option<&str>, limits: &SearchLimits) -> Suggestions {
    let current = current.map(parsed);
    suggest(trials, current.as_ref(), limits, &|| true, &|_, _, _| {})
}

fn texts(found: &Suggestions) -> Vec<String> {
    found.proposals.iter().map(|p| p.candidate.to_string()).collect()
}

#[test]
fn a_key_of_months_gives_way_to_the_device() {
    let found = suggested(&fleet(), Some("/month"), &SearchLimits::default());
    let keys = texts(&found);
    let first = &found.proposals[0];
    assert!(keys[0].starts_with("/deviceId"), "{keys:?}");
    assert!(keys.iter().all(|k| k != "/month" && k != "month(/time)"));
    let throttled = first.trial.placement.throttled_share.unwrap();
    assert!(first.standing < Acceptance::Reject && throttled < 0.05);
    let why = first.why(found.now.as_ref());
    // All writes of now go to one month: no RU/s are enough for it.
    assert!(why.contains(" RU/s") && !why.contains("instead"), "{why}");
    assert!(first.visits.unwrap() < 1.2);
}

#[test]
fn two_joined_paths_have_another_order() {
    let other = |key: &str| swapped(&parsed(key)).map(|key| key.to_string());
    assert_eq!(other("/a + \"-\" + /b").as_deref(), Some("/b + \"-\" + /a"));
    for alone in ["/a", "/a > /b", "/a + \".\" + bucket(/b, 5)", "/a + \"-\" + day(/t)"] {
        assert_eq!(other(alone), None);
    }
}

#[test]
fn of_a_serverless_account_no_ru_are_to_buy() {
    let fleet = fleet();
    let today = Today { is_serverless: true, ..Today::default() };
    let today = Some(Arc::new(today));
    let settings = Settings { today, ru_per_second: None, ..fleet.settings().clone() };
    let found = suggested(
        &Trials::new(Arc::clone(fleet.prepared()), settings),
        None,
        &SearchLimits::default(),
    );
    assert!(texts(&found)[0].starts_with("/deviceId"));
    for one in &found.proposals {
        let why = one.why(None);
        assert!(one.trial.to_buy.is_empty() && !why.contains("RU/s"), "{why}");
    }
}

#[test]
fn while_reads_are_unknown_the_id_is_last_and_the_key_that_documents_share_is_there() {
    let row = |n: usize| {
        let customer = n * n % 997 * n % 300;
        (vec![format!("{n}"), format!("c{customer}"), format!("s{}", n % 5)], 300)
    };
    let documents = documents(&["id", "customerId", "status"], (0..4_000).map(row));
    let trials = trials(documents, Settings { partitions: 10, ..Settings::default() });
    let found = suggested(&trials, None, &SearchLimits::default());
    let keys = texts(&found);
    assert_eq!(keys.last().map(String::as_str), Some("/id"), "{keys:?}");
    assert!(keys.iter().any(|key| key == "/customerId"), "{keys:?}");
    let last = found.proposals.last().unwrap();
    assert_eq!(last.because.as_deref(), Some("all other queries are cross-partition"));
    assert!(found.head().is_some_and(|said| said.contains(":queries")));
}

#[test]
fn a_key_that_never_fills_up_is_listed_behind_a_simpler_one_that_does() {
    let row = |n: usize| {
        let time = format!("2026-05-{:02}T{:02}:00:00Z", 1 + n / 200, n / 10 % 20);
        let customer = format!("c{}", n * 7 % 200);
        (vec![format!("{n}"), customer, time], 300)
    };
    let documents = documents(&["id", "customerId", "time"], (0..4_000).map(row));
    for (growth, wanted) in
        [(5e9, &["/customerId", "/customerId > /id"][..]), (0.0, &["/customerId"][..])]
    {
        let settings = Settings {
            stored_bytes: Some(100e9),
            growth_bytes_per_day: Some(growth),
            workload: Arc::new(Workload::parse(
                "-- rate: 400/s\nSELECT * FROM c WHERE c.customerId = @c;\n\n-- rate: 30/s\ncreate",
            )),
            ..Settings::default()
        };
        let trials = trials(documents.clone(), settings);
        let found = suggested(&trials, None, &SearchLimits::default());
        let keys = texts(&found);
        assert!(
            keys.iter().map(String::as_str).take(wanted.len()).eq(wanted.iter().copied()),
            "{keys:?}"
        );
        let has_below = keys.iter().any(|key| key == "/customerId > /id");
        assert_eq!(has_below, wanted.len() > 1, "{keys:?}");
    }
}

#[test]
fn paths_that_can_make_no_key_are_left_out_with_the_reason() {
    let found = suggested(&fleet(), None, &SearchLimits::default());
    let reason = |name: &str| {
        let path = Path::parse(name).unwrap();
        let mut all = found.unfit.iter();
        all.find_map(|(why, paths)| paths.contains(&path).then_some(*why))
    };
    assert_eq!(reason("/status"), Some(Unfit::Mutable));
    assert_eq!(reason("/note"), Some(Unfit::Missing));
    assert_eq!(reason("/type"), Some(Unfit::OneValue));
    assert_eq!(reason("/time"), Some(Unfit::Moment));
    assert_eq!(reason("/deviceId"), None);
    let said = found.sentences().join("\n");
    assert!(said.contains("changes, or is named so (/status)"), "{said}");
    let dropped: usize = found.dropped.values().map(Vec::len).sum();
    assert_eq!(found.tried, dropped + found.proposals.len());
    assert!(found.tried > 20 && found.is_complete);
}

#[test]
fn the_same_seed_gives_the_same_answer_on_a_sample_too() {
    let limits = SearchLimits { documents: 2_000, ..SearchLimits::default() };
    let trials = fleet();
    let found = suggested(&trials, Some("/month"), &limits);
    assert_eq!(found, suggested(&trials, Some("/month"), &limits));
    assert_eq!(found.searched_on, Some(2_000));
    let keys = texts(&found);
    assert!(keys[0].contains("/deviceId"), "{keys:?}");
    // Those proposed were tried on all documents.
    let all = trials.whole().looked_at;
    assert!(found.proposals.iter().all(|p| p.trial.whole.looked_at == all));
}

#[test]
fn it_stops_when_it_is_told_to_and_says_how_far_it_was() {
    let trials = fleet();
    // Twelve trials are done; the thirteenth begins, and is stopped in its middle.
    let (done, looks) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let goes_on = || done.load(Ordering::Relaxed) < 12 || looks.fetch_add(1, Ordering::Relaxed) < 2;
    let reported = std::cell::RefCell::new(Vec::new());
    let progress = |now: usize, all: usize, what: &str| {
        done.store(now, Ordering::Relaxed);
        reported.borrow_mut().push((now, all, what.to_owned()));
    };
    let found = suggest(&trials, None, &SearchLimits::default(), &goes_on, &progress);
    assert!(!found.is_complete && found.tried == 12 && found.not_tried > 0);
    assert!(looks.load(Ordering::Relaxed) > 2, "it was looked at within a trial");
    assert!(found.sentences()[0].contains("stopped with"));
    let reported = reported.borrow();
    assert_eq!((reported[2].0, reported[2].2.as_str()), (2, "/deviceId + \"-\" + month(/time)"));
    assert!(reported.iter().all(|(done, all, _)| done <= all));
    let few = SearchLimits { most_trials: 7, ..SearchLimits::default() };
    let found = suggested(&trials, None, &few);
    assert!(found.tried == 7 && found.is_complete && found.not_tried > 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn nothing_illegal_is_proposed_and_bands_are_in_order(
        rows in prop::collection::vec((0_u32..9, 0_u32..40, 0_u32..3, any::<bool>()), 30..200),
        partitions in 1_usize..12,
    ) {
        let row = |(n, (a, b, c, has)): (usize, &(u32, u32, u32, bool))| {
            let c = if *has { format!("c{c}") } else { String::new() };
            (vec![format!("a{a}"), format!("b{b}"), c, format!("{}", n % 50)], 300)
        };
        let documents = documents(&["a", "b", "c", "id"], rows.iter().enumerate().map(row));
        let trials = trials(documents, Settings { partitions, ..Settings::default() });
        let found = suggested(&trials, None, &SearchLimits::default());
        for one in &found.proposals {
            let alarms = one.trial.findings.iter().filter(|f| f.severity == Severity::Alarm);
            prop_assert_eq!(alarms.count(), 0, "{}", one.candidate);
            prop_assert_eq!(one.trial.collisions.as_ref().map_or(0, |c| c.documents), 0);
            let again = parsed(&one.candidate.to_string());
            prop_assert_eq!(&again, &one.candidate);
        }
        // The cheapest first; of the others good keys before cautions. Nothing is known of reads: the id is last.
        let place = |one: &Proposal| (one.candidate.levels[0].is_id(), one.band > 0, one.standing, one.band);
        prop_assert!(found.proposals.is_sorted_by_key(place));
    }
}

/// A month of 20 plants with 100 sensors each, at 20,000 RU/s of demand.
fn plants(queries: &str, current: Option<&str>) -> Suggestions {
    let row = |n: usize| {
        let sensor = n * 7 % 2_000;
        let (day, hour) = (1 + n / 24 % 28, n % 24);
        let cells = vec![
            format!("{n}"),
            format!("plant-{}", sensor % 20),
            format!("sensor-{sensor}"),
            format!("2026-05-{day:02}T{hour:02}:{:02}:00Z", n % 60),
        ];
        (cells, 1_024)
    };
    let trials = trials(
        documents(&["id", "plantId", "sensorId", "time"], (0..12_000).map(row)),
        Settings {
            ru_per_second: Some(60_000.0),
            load_ru_per_second: Some(20_000.0),
            stored_bytes: Some(100e9),
            workload: Arc::new(Workload::parse(queries)),
            ..Settings::default()
        },
    );
    suggested(&trials, current, &SearchLimits::default())
}

#[test]
fn writes_and_queries_of_the_same_data_rank_keys_differently_and_say_why() {
    let of = |creates: u32, queries: u32| {
        let text = format!(
            "-- rate: {creates}/s\ncreate;\n-- rate: {queries}/s\nSELECT * FROM c WHERE c.plantId = @p"
        );
        plants(&text, Some("/plantId"))
    };
    let (written, queried) = (of(950, 50), of(50, 950));
    let natural = "/plantId > /sensorId";
    assert_eq!(texts(&written), [natural, "/sensorId"]);
    assert_eq!(texts(&queried), [natural]);
    let why = written.proposals[1].why(written.now.as_ref());
    assert!(why.contains("instead of") && why.contains("becomes cross-partition"), "{why}");
    let sensor = parsed("/sensorId");
    let no_ru = queried.dropped.get(&Rejection::NoRu);
    assert!(no_ru.is_some_and(|keys| keys.contains(&sensor)));
}

#[test]
fn the_level_that_most_queries_name_comes_first() {
    let row = |n: usize| {
        let cells = vec![
            format!("{n}"),
            format!("tenant-{}", n % 200),
            format!("user-{}", n * 7 % 4_000),
            format!("session-{}", n / 2),
            format!("2026-05-{:02}T{:02}:{:02}:00Z", 1 + n % 28, n % 24, n % 60),
        ];
        (cells, 1_024)
    };
    let names = ["id", "TenantId", "UserId", "SessionId", "time"];
    let trials = trials(
        documents(&names, (0..12_000).map(row)),
        Settings {
            ru_per_second: Some(60_000.0),
            load_ru_per_second: Some(20_000.0),
            stored_bytes: Some(200e9),
            workload: Arc::new(Workload::parse(
                "-- rate: 80/s\nSELECT * FROM c WHERE c.TenantId = @t;\n\
                 -- rate: 10/s\nSELECT * FROM c WHERE c.TenantId = @t AND c.UserId = @u;\n\
                 -- rate: 10/s\nSELECT * FROM c WHERE c.TenantId = @t AND c.UserId = @u AND c.SessionId = @s",
            )),
            ..Settings::default()
        },
    );
    let found = suggested(&trials, Some("/id"), &SearchLimits::default());
    assert_eq!(texts(&found), ["/TenantId", "/TenantId > /UserId"]);
    let reads = |key: &str| {
        let (_, routed) = trials.trial_while(&parsed(key), &|| true).unwrap();
        let routings = routed.iter().map(|routed| routed.route.routing);
        routings.filter(|routing| routing.is_cross_partition()).count()
    };
    assert_eq!(reads("/TenantId > /UserId > /SessionId"), 0);
    assert_eq!(reads("/SessionId > /UserId > /TenantId"), 2);
}
