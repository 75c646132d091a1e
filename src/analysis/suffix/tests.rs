//! The least number against trying every number on the documents, and the numbers of the material.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::super::routing::workload::Workload;
use super::super::trial::{PreparedDocuments, Trials};
use super::*;
use crate::model::documents::{Documents, NearUnique, Scalar, Table, TableLimits, WantedPaths};

/// Documents of text columns, each row with its size; an empty text is a missing property.
pub(in super::super) fn documents(
    names: &[&str],
    rows: impl IntoIterator<Item = (Vec<String>, usize)>,
) -> Documents {
    let limits = TableLimits { near_unique: NearUnique::AtLimit, ..TableLimits::default() };
    let mut table = Table::new(&limits, &WantedPaths::Every);
    let mut worker = table.rows();
    let columns: Vec<u32> =
        names.iter().map(|name| worker.add_column([*name].into_iter().collect())).collect();
    for (number, (cells, bytes)) in (0..).zip(rows) {
        worker.begin(number);
        for (column, cell) in columns.iter().zip(&cells) {
            if !cell.is_empty() {
                worker.put(*column, Scalar::Text(cell));
            }
        }
        worker.end(bytes);
    }
    table.append(&mut worker);
    table.finish()
}

pub(in super::super) fn trials(documents: Documents, settings: Settings) -> Trials {
    Trials::new(Arc::new(PreparedDocuments::new(documents, None)), settings)
}

pub(in super::super) fn parsed(key: &str) -> Candidate {
    Candidate::parse(key).unwrap()
}

fn path(text: &str) -> Path {
    Path::parse(text).unwrap()
}

fn found(trials: &Trials, key: &str, suffix: &Suffix, goal: &Goal) -> SuffixPlan {
    least(trials, &parsed(key), suffix, goal, &|| true, &|_, _, _| {})
}

/// One day and a thousand cars.
fn day(rows: usize) -> Documents {
    let row = |n: usize| {
        let cells = vec!["2018-08-09".to_owned(), format!("vin-{}", n * 7 % 1_000)];
        (cells, 1_024)
    };
    documents(&["date", "vin"], (0..rows).map(row))
}

const MIB: f64 = 1_048_576.0;

fn under(bytes: f64) -> Goal {
    Goal { bytes, ru_per_second: 7_000.0, until: None }
}

#[test]
fn a_suffix_from_1_to_400_is_what_the_material_says() {
    for (partitions, wanted) in [(5, 1.1375), (10, 1.275), (20, 1.4)] {
        let settings = Settings { partitions, ..Settings::default() };
        let trials = trials(day(4_000), settings);
        let plan = found(&trials, "/date", &Suffix::Random, &under(20.0 * 1024.0));
        let row = plan.rows.iter().find(|r| r.n == 400).unwrap();
        let ratio = row.load_ratio_busiest.unwrap();
        assert!((ratio - wanted).abs() < 1e-9, "{partitions}: {ratio}");
        // 400 keys a date, of 20 GB each; at most 400 point reads without the suffix, on every partition.
        assert_eq!((row.keys, row.read.keys), (400, 400));
        assert!((row.read.visits - f64::from(u32::try_from(partitions).unwrap())).abs() < 1e-9);
        assert!((row.read.ru - 2.5 * row.read.visits).abs() < 1e-9);
    }
    let goal = Goal::of(&Settings::default());
    assert!((goal.bytes / MIB / 1024.0 - 14.0).abs() < 1e-9);
    assert!((goal.ru_per_second - 7_000.0).abs() < 1e-9);
}

#[test]
fn what_meets_on_a_partition_needs_more_suffixes_than_the_limits_of_keys() {
    let settings = Settings {
        ru_per_second: Some(60_000.0),
        load_ru_per_second: Some(30_000.0),
        ..Settings::default()
    };
    let trials = trials(day(40_000), settings);
    let plan = found(&trials, "/date", &Suffix::Random, &under(39.0 * MIB));
    let n = plan.advised().unwrap();
    let throttled = |n: u32| plan.rows.iter().find(|r| r.n == n)?.throttled;
    // Five keys of 6,000 RU/s are within the limits of a key; two of them on one of ten partitions are too many for its 6,000.
    assert!(matches!(plan.least, SuffixAnswer::Found { n: 5 | 6, .. }), "{:?}", plan.least);
    assert!(plan.best().unwrap().to_string().ends_with(&format!("random({n})")));
    assert!(throttled(5).unwrap() > 0.05, "{:?}", plan.rows);
    assert!(throttled(n).unwrap() <= 0.01, "{:?}", plan.rows);
    let said = plan.sentences().join(" ");
    assert!(said.contains(&format!("queries {n} keys on")), "{said}");
    let between = plan.rows.iter().filter(|r| (5..n).contains(&r.n));
    assert!(between.clone().all(|r| r.throttled.unwrap() > 0.01));
}

#[test]
fn storage_or_load_decides() {
    let settings = Settings { load_ru_per_second: Some(40_000.0), ..Settings::default() };
    let trials = trials(day(40_000), settings);
    let by_load = found(&trials, "/date", &Suffix::Random, &under(39.0 * MIB));
    // 40,000 / 7,000 is 5.7; six random parts are uneven, but not by a sixth.
    assert_eq!((by_load.by_division, by_load.decides), (6, Some(DecidingLimit::Load)));
    assert!(matches!(by_load.least, SuffixAnswer::Found { n: 6, is_proven: true }));
    let by_size = found(&trials, "/date", &Suffix::Random, &under(1.0 * MIB));
    assert_eq!((by_size.by_division, by_size.decides), (40, Some(DecidingLimit::Storage)));
    let SuffixAnswer::Found { n, .. } = by_size.least else { unreachable!() };
    assert!(n > 40, "random parts are not equal: {n}");
    // So few of one date would be written at a time that partitions stay uneven.
    let advised = by_size.advised().unwrap();
    assert!(advised > n && by_size.answer()[1].contains("With fewer than "));
    let key = by_size.best().unwrap();
    assert_eq!(key.to_string(), format!("/date + \".\" + random({advised})"));
    let said = by_size.sentences().join(" ");
    assert!(
        said.contains("the largest key holds 39.") && said.contains("at least 40 suffixes"),
        "{said}"
    );
    // Those that a key has already are replaced.
    let text = "/date + \".\" + random(7)";
    assert_eq!(found(&trials, text, &Suffix::Random, &under(1.0 * MIB)), by_size);
    let as_it_is = found(&trials, "/vin", &Suffix::Random, &under(1.0 * MIB));
    assert_eq!(as_it_is.least, SuffixAnswer::AsItIs);
}

#[test]
fn keys_within_their_limits_that_share_a_partition_are_parted() {
    let row = |n: usize| (vec![format!("group {}", n % 3), format!("v{n}")], 1_024);
    let settings = Settings {
        ru_per_second: Some(18_000.0),
        load_ru_per_second: Some(17_000.0),
        partitions: 3,
        ..Settings::default()
    };
    let trials = trials(documents(&["group", "id"], (0..3_000).map(row)), settings);
    let bucket = Suffix::Bucket(path("/id"));
    let plan = found(&trials, "/group", &bucket, &under(1e12));
    assert_eq!(plan.least, SuffixAnswer::AsItIs);
    let throttled = |n: u32| plan.rows.iter().find(|r| r.n == n)?.throttled_share;
    // Two of three keys of 5,667 RU/s meet on a partition that has 6,000.
    assert!(throttled(1).unwrap() > 0.2, "{:?}", throttled(1));
    let n = plan.advised().unwrap();
    assert!(n > 1 && throttled(n).unwrap() < 0.01, "{n}");
    let said = plan.answer();
    let wanted = format!("{n} suffixes: ");
    assert!(said[0].starts_with(&wanted), "{said:?}");
    assert_eq!(plan.best().unwrap().to_string(), format!("/group + \".\" + bucket(/id, {n})"));
}

#[test]
fn a_number_that_leaves_requests_throttled_cures_nothing() {
    let row = |n: usize| (vec![format!("group {}", n % 3), format!("v{n}")], 1_024);
    let settings = Settings {
        ru_per_second: Some(18_000.0),
        load_ru_per_second: Some(60_000.0),
        partitions: 3,
        ..Settings::default()
    };
    let trials = trials(documents(&["group", "id"], (0..3_000).map(row)), settings);
    let plan = found(&trials, "/group", &Suffix::Random, &under(1e12));
    let said = plan.answer();
    assert!(said[0].starts_with("No number here cures it"), "{said:?}");
    assert!(said[1].contains("--least-suffix '/group' --bucket-of"), "{said:?}");
}

/// Reads of a group query every suffix: with them a key has more than its part of what it had.
#[test]
fn what_reads_of_all_suffixes_cost_counts_for_the_hottest_key() {
    let row = |n: usize| (vec![format!("group {}", n % 2), format!("v{n}")], 1_024);
    let reads = "-- name: of a group\n-- rate: 4000/s\nSELECT * FROM c WHERE c['group'] = @group;";
    let settings = Settings {
        load_ru_per_second: Some(20_000.0),
        ru_per_second: Some(40_000.0),
        partitions: 4,
        workload: Arc::new(Workload::parse(reads)),
        ..Settings::default()
    };
    let trials = trials(documents(&["group", "id"], (0..4_000).map(row)), settings);
    let plan = found(&trials, "/group", &Suffix::Random, &under(1e12));
    let two = plan.rows.iter().find(|row| row.n == 2).unwrap();
    let ru = |row: &SuffixRow| row.worst.ru_per_second.unwrap();
    assert!(ru(two) > 7_000.0 && !two.meets, "{:?}", two.worst);
    for row in plan.rows.iter().filter(|row| row.n > 1) {
        assert_eq!(row.meets, ru(row) <= plan.goal.ru_per_second);
    }
    match plan.least {
        SuffixAnswer::Found { n, is_proven } => {
            assert!(!is_proven && plan.rows.iter().any(|row| row.n == n && row.meets));
        }
        least => assert_eq!(least, SuffixAnswer::None(SuffixObstacle::Reads)),
    }
}

#[test]
fn no_number_parts_what_has_no_value_or_one_value() {
    let rows = |n: usize| {
        let date = if n.is_multiple_of(2) { "" } else { "2018-08-09" };
        let vin = format!("vin-{}", n % 4);
        (vec![date.to_owned(), vin], 1_024)
    };
    let trials = trials(documents(&["date", "vin"], (0..4_000).map(rows)), Settings::default());
    let plan = found(&trials, "/date", &Suffix::Random, &under(1.0 * MIB));
    assert_eq!(plan.least, SuffixAnswer::None(SuffixObstacle::NoValue));
    assert_eq!(plan.best(), None);
    let bucket = Suffix::Bucket(path("/vin"));
    let plan = found(&trials, "\"all\"", &bucket, &under(0.5 * MIB));
    assert_eq!(plan.least, SuffixAnswer::None(SuffixObstacle::OneValue));
    assert!(plan.answer()[0].contains("/vin"));
    let plan = found(&trials, "\"all\"", &bucket, &under(0.001 * MIB));
    assert_eq!(plan.least, SuffixAnswer::None(SuffixObstacle::OneValue));
    let tiny = found(&trials, "\"all\"", &Suffix::Random, &under(100.0));
    assert_eq!(tiny.least, SuffixAnswer::None(SuffixObstacle::TooMany));
}

#[test]
fn a_sample_too_small_says_so() {
    let settings = Settings { stored_bytes: Some(4e12), ..Settings::default() };
    let trials = trials(day(200), settings);
    let plan = found(&trials, "/date", &Suffix::Random, &Goal::of(trials.settings()));
    assert_eq!(plan.least, SuffixAnswer::None(SuffixObstacle::SampleTooSmall));
    assert_eq!(plan.by_division, 267);
}

#[test]
fn what_is_stopped_says_so() {
    let trials = trials(day(4_000), Settings::default());
    let goal = under(0.01 * MIB);
    let plan = least(&trials, &parsed("/date"), &Suffix::Random, &goal, &|| false, &|_, _, _| {});
    assert_eq!((plan.least, plan.is_complete), (SuffixAnswer::Stopped, false));
    assert!(plan.rows.is_empty());
    assert!(plan.answer()[0].contains("Stopped before anything was known"));
}

#[test]
fn wherever_it_is_stopped_what_was_found_so_far_is_the_answer() {
    let trials = trials(day(4_000), Settings::default());
    let goal = under(0.5 * MIB);
    let bucket = Suffix::Bucket(path("/vin"));
    for suffix in [&Suffix::Random, &bucket] {
        let whole = found(&trials, "/date", suffix, &goal);
        let mut stopped = 0;
        for looks in (0..400).step_by(7) {
            let left = std::sync::atomic::AtomicI64::new(looks);
            let goes_on = || left.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) > 0;
            let plan = least(&trials, &parsed("/date"), suffix, &goal, &goes_on, &|_, _, _| {});
            assert!(plan.is_complete == (plan == whole), "{looks}: {plan:?}");
            assert!(plan.rows.iter().zip(&whole.rows).all(|(a, b)| a == b));
            stopped += u32::from(!plan.is_complete);
        }
        assert!(stopped > 5);
    }
}

/// Sixty days of two months, ten documents an hour.
fn months() -> Documents {
    let row = |n: usize| {
        let (day, hour) = (n / 120, n / 5 % 24);
        let (month, day) = (5 + day / 31, 1 + day % 31);
        let cells = vec![
            format!("2026-{month:02}-{day:02}T{hour:02}:00:00Z"),
            format!("2026-{month:02}"),
            format!("vin-{}", n % 10),
        ];
        (cells, 2_048)
    };
    documents(&["time", "month", "vin"], (0..120 * 60).map(row))
}

#[test]
fn what_ends_the_growth_of_keys_is_named_and_later_sizes_have_their_date() {
    let until = Stamp::from_seconds(1_782_864_000 + 365 * 86_400);
    let goal = Goal { until, ..under(1.0 * MIB) };
    let said = |kept_days, key| {
        let trials = trials(months(), Settings { kept_days, ..Settings::default() });
        found(&trials, key, &Suffix::Random, &goal).sentences().join(" ")
    };
    for (kept_days, key, expected) in [
        (None, "/month", "No key is written for more than 31 days"),
        (Some(90.0), "/month", "No key is written for more than 31 days"),
        (Some(90.0), "/vin", "Documents are deleted after 90 days"),
        (Some(90.0), "/vin", "Without a suffix the largest key holds 2.1"),
        (Some(90.0), "/vin", " on 2027-07-01: at least 3 suffixes"),
    ] {
        let said = said(kept_days, key);
        assert!(said.contains(expected), "{key} {kept_days:?}: {said}");
    }
}

#[test]
fn keys_of_a_while_grow_until_they_are_as_old_as_others() {
    let trials = trials(months(), Settings::default());
    let until = Stamp::from_seconds(1_782_864_000 + 365 * 86_400);
    let goal = Goal { until, ..under(1.0 * MIB) };
    let largest = |key| found(&trials, key, &Suffix::Random, &goal).now.bytes / MIB;
    // 31 days of 240 KiB, whatever the year brings.
    let wanted = 31.0 * 240.0 / 1024.0;
    for key in ["/month", "month(/time)"] {
        assert!((largest(key) - wanted).abs() < 0.25, "{key}: {}", largest(key));
    }
    // A car goes on: 425 days of 24 KiB.
    assert!((largest("/vin") / (425.0 * 24.0 / 1024.0) - 1.0).abs() < 0.02);
    let still = under(1.0 * MIB);
    let now = found(&trials, "/vin", &Suffix::Random, &still);
    assert!((now.now.bytes / MIB - 60.0 * 24.0 / 1024.0).abs() < 1e-6);
    assert_eq!(now.growth, KnownGrowth::NotProjected);
}

#[test]
fn a_given_growth_counts_without_a_date_and_without_times() {
    let day = 86_400.0;
    // 24 KiB a day for each of ten cars, as the documents have it; twice that is given.
    let given = |per_day: f64, as_of| Settings {
        growth_bytes_per_day: Some(per_day),
        as_of,
        ..Settings::default()
    };
    let trials_of = |documents, per_day, as_of| trials(documents, given(per_day, as_of));
    let grown = trials_of(months(), 480.0 * 1024.0, None);
    let plan = found(&grown, "/vin", &Suffix::Random, &under(1.0 * MIB));
    let wanted = (60.0 + 2.0 * 365.0) * 24.0 / 1024.0;
    assert!((plan.now.bytes / MIB / wanted - 1.0).abs() < 0.02, "{plan:?}");
    assert!(plan.goal.until.is_some());
    // One day that is not known to be one: each key doubles in the 100 days in which all data does.
    let documents =
        || documents(&["vin"], (0..1_000).map(|n| (vec![format!("v{}", n % 10)], 1_024)));
    let at = Stamp::from_seconds(1_782_864_000);
    let until = at.and_then(|at| at.plus_seconds(100.0 * day));
    let goal = Goal { until, ..under(1.0 * MIB) };
    let plan = found(&trials_of(documents(), 10.0 * 1024.0, at), "/vin", &Suffix::Random, &goal);
    assert!((plan.now.bytes - 2.0 * 100.0 * 1024.0).abs() < 1.0);
    assert_eq!(plan.growth, KnownGrowth::Given { days: 100.0 });
    let plan = found(&trials_of(documents(), 10.0 * 1024.0, None), "/vin", &Suffix::Random, &goal);
    assert_eq!(plan.growth, KnownGrowth::Unknown);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_least_is_the_first_of_all_numbers_that_does(
        tenants in prop::collection::vec(0_usize..6, 50..400),
        part in 2_u32..30,
        is_bucket in any::<bool>(),
        seed in 0_u64..5,
    ) {
        let row = |(n, tenant): (usize, &usize)| {
            // One in six has no tenant.
            let tenant = if *tenant == 5 { String::new() } else { format!("t{}", tenant / 2) };
            (vec![tenant, format!("v{}", n % 97)], 500 + n % 7 * 100)
        };
        let documents = documents(&["t", "v"], tenants.iter().enumerate().map(row));
        let bytes: u32 = documents.bytes().iter().sum();
        let settings = Settings { seed, ..Settings::default() };
        let trials = trials(documents, settings);
        let suffix = if is_bucket { Suffix::Bucket(path("/v")) } else { Suffix::Random };
        let goal = under(f64::from(bytes) / f64::from(part));
        let plan = found(&trials, "/t", &suffix, &goal);
        let tried = RefCell::new(BTreeMap::new());
        let largest = |n| {
            let trial = || trials.trial(&suffixed(&parsed("/t"), &suffix, n).unwrap()).largest_bytes;
            *tried.borrow_mut().entry(n).or_insert_with(trial)
        };
        let first = (1..=64).find(|n| largest(*n) <= goal.bytes + 1e-6);
        match plan.least {
            SuffixAnswer::AsItIs => prop_assert_eq!(first, Some(1)),
            SuffixAnswer::Found { n, is_proven } => {
                prop_assert!(is_proven || n > 64);
                prop_assert_eq!(first, (n <= 64).then_some(n));
            }
            SuffixAnswer::None(_) => prop_assert_eq!(first, None),
            SuffixAnswer::Stopped => prop_assert!(false),
        }
        for row in &plan.rows {
            prop_assert!((row.worst.bytes - largest(row.n)).abs() < 1e-6, "{}", row.n);
        }
    }
}
