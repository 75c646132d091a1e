//! Limits and their dates.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::analysis::diagnosis::thresholds::Thresholds;
use crate::analysis::growth::limit_date_text;
use crate::analysis::heat::Heat;
use crate::analysis::testing::*;
use crate::model::load::SeriesName;

fn forecast(capture: &Capture, asked: &ForecastQuestion) -> Forecast {
    let lookups = Lookups::of(capture, asked.ceiling);
    let heat = Heat::of(capture);
    let diagnoses = Diagnoses::of(capture, &heat, &lookups, &Thresholds::default());
    let made = Forecast::of(capture, &lookups, &diagnoses, asked);
    // What is held for later questions gives the same answer, by however many hands.
    for workers in [1, 3] {
        let hands = Parallelism::new(workers, |parts| parts.iter_mut().for_each(|part| part()));
        let trends = KeyTrends::of(capture, &lookups, hands, &|| true).unwrap();
        assert_eq!(trends.forecast(capture, &diagnoses, asked, hands), made);
    }
    made
}

/// Who, and when.
fn rows(forecast: &Forecast) -> Vec<(String, String)> {
    let row = |limit: &NextLimit| {
        let who = match &limit.subject {
            LimitSubject::Key(key) => key.as_deref().unwrap_or("none").to_owned(),
            LimitSubject::Partition(id) => format!("partition {id}"),
            LimitSubject::OneKey { .. } => "one key".to_owned(),
        };
        (who, limit_date_text(&limit.date, forecast.as_of))
    };
    forecast.limits.iter().map(row).collect()
}

fn pair(who: &str, when: &str) -> (String, String) {
    (who.to_owned(), when.to_owned())
}

#[test]
fn keys_come_by_date_over_all_containers_and_as_in_the_report() {
    let capture = northpier();
    let made = forecast(&capture, &ForecastQuestion::default());
    assert_eq!(
        rows(&made),
        [
            pair(r#"["tenant-0002"]"#, "over the limit"),
            pair(r#"["tenant-0001"]"#, "2026-07-01 ±6 d"),
        ]
    );
    let report = report(&capture, crate::analysis::summary::SummaryOptions::default());
    for limit in &made.limits {
        let LimitSubject::Key(key) = &limit.subject else {
            continue;
        };
        let mut keys = report.containers.iter().flat_map(|c| &c.keys);
        let row = keys.find(|row| row.key == *key).unwrap();
        assert_eq!((row.limit_date, row.size_kib), (limit.date, limit.now));
    }
    let reported = report.keys_total();
    assert_eq!(made.undated_keys + made.calm_keys + 2, reported);
    let next = made.next.as_ref().unwrap();
    assert_eq!(next.subject, LimitSubject::Key(Some(r#"["tenant-0001"]"#.into())));
}

#[test]
fn twice_the_growth_halves_the_time_and_deleted_documents_level_off() {
    let capture = northpier();
    let days_to = |growth_factor: f64| {
        let asked = ForecastQuestion { growth_factor, ..ForecastQuestion::default() };
        let made = forecast(&capture, &asked);
        let newest = seconds(NEWEST);
        made.next.as_ref().unwrap().date.date().unwrap().days_since(newest)
    };
    assert!((days_to(1.0) / days_to(2.0) - 2.0).abs() < 1e-6);
    let asked = ForecastQuestion { kept_days: Some(30.0), ..ForecastQuestion::default() };
    let made = forecast(&capture, &asked);
    let level = |key: &str| {
        let is_it = |l: &&NextLimit| l.subject == LimitSubject::Key(Some(key.into()));
        let limit = made.limits.iter().find(is_it).unwrap();
        (limit.date, limit.levels_off_kib)
    };
    // 1.5 GiB a week, kept 30 days.
    let (date, kept) = level(r#"["tenant-0001"]"#);
    assert_eq!(date, LimitDate::Never);
    assert!((kept.unwrap() / GIB - 1.5 / 7.0 * 30.0).abs() < 0.01, "{kept:?}");
    assert_eq!(level(r#"["tenant-0002"]"#).0, LimitDate::Over);
}

#[test]
fn a_partition_grows_by_its_keys_where_they_are_nearly_all_of_it() {
    let log = Log::new("a.csv");
    let ranges = [("0", "", "FF")];
    log.facts(ORDERS, &["/tenantId"], &[30.0 * GIB]);
    log.ranges(ORDERS, &ranges, &[]);
    for (key, kib) in [(r#"["a"]"#, 15.0), (r#"["b"]"#, 14.0)] {
        let sizes = [kib - 3.0, kib - 2.0, kib - 1.0, kib].map(|gib| gib * GIB);
        log.weeks(ORDERS, key, "West Europe", &sizes);
    }
    let capture = log.capture();
    let made = forecast(&capture, &ForecastQuestion::default());
    let partition = made.limits.iter().find(|l| l.kind == LimitKind::PartitionSize);
    let partition = partition.unwrap();
    let kept = ForecastQuestion { kept_days: Some(30.0), ..ForecastQuestion::default() };
    let level =
        forecast(&capture, &kept).limits.into_iter().find(|l| l.kind == LimitKind::PartitionSize);
    assert_eq!(level.map(|l| (l.date, l.levels_off_kib.is_some())), Some((LimitDate::Never, true)));
    let largest = partition.largest_key.clone();
    assert_eq!(largest, Some(LargestKey { key: Some(r#"["a"]"#.into()), share: 0.5 }));
    // 2 GiB a week of 29 GiB in keys, and the rest alike.
    let a_week = partition.growth_a_day().unwrap() * 7.0 / GIB;
    assert!((a_week - 2.0 * 30.0 / 29.0).abs() < 0.01, "{a_week}");
    let days = partition.date.date().unwrap().days_since(seconds(NEWEST));
    // After six weeks both keys are at 20 GB; then only the rest grows, from 1 GiB and some to 10.
    let rest_a_week = a_week - 2.0;
    assert!((days - 9.0 / rest_a_week * 7.0).abs() < 0.1, "{days}");
    assert!(partition.is_slowed);
    let one_key = ForecastQuestion { one_key_share: Some(0.4), ..ForecastQuestion::default() };
    let made = forecast(&capture, &one_key);
    let assumed = LimitSubject::OneKey { permille: 400 };
    let limit = made.limits.iter().find(|l| l.subject == assumed).unwrap();
    assert!((limit.now / GIB - 12.0).abs() < 1e-9, "{limit:?}");
    let days = limit.date.date().unwrap().days_since(seconds(NEWEST));
    assert!((days - 8.0 / (0.4 * a_week) * 7.0).abs() < 0.1, "{days}");
}

#[test]
fn a_key_that_is_full_grows_no_more_and_its_partition_without_it() {
    let log = Log::new("a.csv");
    log.facts(ORDERS, &["/tenantId"], &[34.0 * GIB]);
    log.ranges(ORDERS, &[("0", "", "FF")], &[]);
    for (key, sizes) in
        [(r#"["a"]"#, [17.0, 20.0, 20.0, 20.0]), (r#"["b"]"#, [11.0, 12.0, 13.0, 14.0])]
    {
        log.weeks(ORDERS, key, "West Europe", &sizes.map(|gib| gib * GIB));
    }
    let made = forecast(&log.capture(), &ForecastQuestion::default());
    let (full, partition) = (made.limits.first().unwrap(), made.limits.last().unwrap());
    assert_eq!((full.date, full.growth), (LimitDate::Over, None));
    let a_week = partition.growth_a_day().unwrap() * 7.0 / GIB;
    assert!((a_week - 1.0).abs() < 0.05, "{a_week}");
}

/// A container that grows by 70 GiB a day, 60 of them data, up to a size in GiB.
fn growing(to_gib: f64, lifetime: Option<TimeToLive>) -> Capture {
    let log = Log::new("a.csv");
    log.weeks(READINGS, "[1]", "West Europe", &[GIB]);
    if let Some(set) = lifetime {
        log.lifetime(READINGS, set);
    }
    let mut capture = log.capture();
    for (metric, share) in [("DataUsage", 6.0 / 7.0), ("IndexUsage", 1.0 / 7.0)] {
        let name = SeriesName {
            metric: metric.into(),
            unit: "Bytes".into(),
            aggregation: "total".into(),
            container: 0,
            dimensions: Vec::new(),
        };
        for back in (0..10_i32).rev() {
            let gib = to_gib - 70.0 * f64::from(back);
            let at = seconds(NEWEST - i64::from(back) * 86_400);
            capture.load.add_point(&name, at, gib * share * GIB * 1024.0);
        }
    }
    capture
}

#[test]
fn a_container_levels_off_at_its_growth_times_the_days_that_documents_live() {
    let month = TimeToLive::On { default_seconds: Some(30 * 86_400) };
    let no_default = TimeToLive::On { default_seconds: None };
    let kept = ForecastQuestion { kept_days: Some(30.0), ..ForecastQuestion::default() };
    let level = |to_gib, lifetime, asked| {
        let made = forecast(&growing(to_gib, lifetime), asked);
        let notes: Vec<String> = made.notes.iter().map(|note| note.text.clone()).collect();
        let row = |l: &ContainerLevel| {
            let gib = (l.level_kib / GIB * 1e3).round() / 1e3;
            (gib, l.partitions, l.retention.is_default)
        };
        (made.levels.first().map(row), notes.concat())
    };
    let none = String::new;
    for (to_gib, lifetime, asked, row, note) in [
        (800.0, None, &kept, Some((2_100.0, 42, false)), none()),
        (
            800.0,
            Some(month),
            &ForecastQuestion::default(),
            Some((2_100.0, 42, true)),
            DEFAULT.to_owned(),
        ),
        // Beyond the level documents are deleted already: the growth has that in it.
        (3_000.0, Some(month), &ForecastQuestion::default(), None, DEFAULT.to_owned()),
        (3_000.0, Some(month), &kept, Some((2_100.0, 42, false)), none()),
        (800.0, Some(no_default), &ForecastQuestion::default(), None, DELETES.to_owned()),
        (800.0, Some(TimeToLive::Off), &ForecastQuestion::default(), None, none()),
    ] {
        assert_eq!(level(to_gib, lifetime, asked), (row, note), "{to_gib} {lifetime:?}");
    }
}

#[test]
fn only_the_first_are_listed_and_all_are_counted() {
    let log = Log::new("a.csv");
    for n in 0..3_000_u32 {
        let largest = 4.0 + f64::from(n) / 300.0;
        let sizes = [largest - 3.0, largest - 2.0, largest - 1.0, largest].map(|gib| gib * GIB);
        log.weeks(ORDERS, &format!("[{n}]"), "West Europe", &sizes);
    }
    let capture = log.capture();
    let asked = ForecastQuestion { top: Some(5), ..ForecastQuestion::default() };
    let (some, all) =
        (forecast(&capture, &asked), forecast(&capture, &ForecastQuestion::default()));
    assert_eq!((some.limits.len(), some.limits_total), (5, 3_000));
    assert_eq!(all.limits_total, 3_000);
    // Neither depends on how many are listed.
    let none = ForecastQuestion { top: Some(0), ..ForecastQuestion::default() };
    let none = forecast(&capture, &none);
    assert_eq!((&none.next, none.reached), (&all.next, all.reached));
    assert_eq!(none.next.as_ref(), all.limits.first());
    assert_eq!(some.limits.as_slice(), all.limits.get(..5).unwrap());
}

#[test]
fn containers_that_are_not_asked_for_are_not_looked_at() {
    let asked = ForecastQuestion {
        containers: vec![ContainerFilter::parse("shop/orders")],
        ..ForecastQuestion::default()
    };
    let made = forecast(&northpier(), &asked);
    let is_orders = |l: &NextLimit| l.name.container.as_deref() == Some("orders");
    assert!(!made.limits.is_empty() && made.limits.iter().all(is_orders));
    let all = forecast(&northpier(), &ForecastQuestion::default());
    assert!(made.undated_keys < all.undated_keys);
}

#[test]
fn a_partition_of_many_keys_has_a_date_where_none_of_them_has_one() {
    let log = Log::new("a.csv");
    log.facts(ORDERS, &["/tenantId"], &[40.0 * GIB]).ranges(ORDERS, &[("0", "", "FF")], &[]);
    for key in 0..19 {
        let sizes = [1.4, 1.6, 1.8, 2.0].map(|gib| gib * GIB);
        log.weeks(ORDERS, &format!("[{key}]"), "West Europe", &sizes);
    }
    // It is certain, and later.
    let sizes = [7.0, 9.0, 11.0, 13.0].map(|gib| gib * GIB);
    log.weeks(READINGS, "[1]", "West Europe", &sizes);
    let made = forecast(&log.capture(), &ForecastQuestion::default());
    assert_eq!(made.undated_keys, 19);
    let next = made.next.as_ref().unwrap();
    assert_eq!(next.subject, LimitSubject::Partition("0".to_owned()));
    assert_eq!(made.limits.first(), made.next.as_ref());
    let days = |at: Stamp| at.days_since(seconds(NEWEST));
    let LimitDate::Date { at, earliest, latest } = next.date else {
        unreachable!("{next:?}");
    };
    // 10 GiB at 3.8 GiB a week of 38 in keys, and the rest alike.
    assert!((days(at) - 10.0 / 4.0 * 7.0).abs() < 0.1, "{next:?}");
    // Each key may be wrong by 0.8 GiB in three weeks; all at once are not.
    let wrong = 0.8 / 3.0 * 19_f64.sqrt() * 40.0 / 38.0;
    let expected = [9.6 / (4.0 + wrong), 10.4 / (4.0 - wrong)].map(|weeks| weeks * 7.0);
    for (found, expected) in [earliest, latest.unwrap()].into_iter().zip(expected) {
        assert!((days(found) - expected).abs() < 0.1, "{expected} {next:?}");
    }
}

#[test]
fn limits_come_by_the_date_that_is_shown() {
    let made = forecast(&northpier(), &ForecastQuestion::default());
    let limit = made.next.unwrap();
    let day = |n: i64| seconds(NEWEST + n * 86_400);
    let with = |[at, earliest]: [i64; 2], latest: Option<i64>| NextLimit {
        date: LimitDate::Date { at: day(at), earliest: day(earliest), latest: latest.map(day) },
        ..limit.clone()
    };
    let in_order = [with([300, 100], None), with([200, 190], Some(210)), with([9_000, 100], None)];
    let shown = in_order.each_ref().map(|l| limit_date_text(&l.date, made.as_of));
    assert!(shown[0].starts_with('≥') && shown[2].starts_with('>'), "{shown:?}");
    assert!(in_order.is_sorted_by(|a, b| a.order(b, made.as_of).is_lt()), "{shown:?}");
}
