//! Request units, requests, metrics and management answers.

use std::collections::BTreeMap;
use std::path::Path;

use cosmoscope::model::capture::Capture;
use cosmoscope::model::load::{RuCell, RuKey, SeriesName};
use cosmoscope::model::names::ContainerName;
use cosmoscope::model::physical::Throughput;
use cosmoscope::model::time::Stamp;
use cosmoscope::source::import::{ImportOptions, import};
use cosmoscope::source::input::find;
use cosmoscope::source::times::DateOrder;
use cosmoscope::source::watch::Watch;

use super::{SAMPLES, assert_close, container, open};

/// Names the containers, which most management answers do not.
const LOG: &str = "stats/log-analytics/resource-specific.portal-us.csv";
const RU_FILES: [&str; 2] = ["ru/partition-key-ru-consumption.portal-us.csv", "ru/storage-archive"];

/// RU and records of the cells that fit.
fn ru(capture: &Capture, fits: impl Fn(&RuCell) -> bool) -> (f64, u64) {
    let cells = capture.load.ru.iter().filter(|(cell, _)| fits(cell));
    cells.fold((0.0, 0), |sum, (_, s)| (sum.0 + s.ru, sum.1 + s.records))
}

#[test]
fn request_units_add_up_alike_in_both_forms() {
    for path in RU_FILES {
        let capture = open(&[path]);
        let load = &capture.load;
        let (total, records) = ru(&capture, |_| true);
        assert_eq!((records, capture.sources[0].rows), (41, 41), "{path}");
        assert_close(total, 61_707.45);
        let tenant = RuKey::Named(load.keys.find("[\"tenant-0001\"]").unwrap());
        assert_close(ru(&capture, |c| c.key == tenant).0, 57_145.0);
        let range = |id: &str| load.names.find(id).unwrap();
        assert_close(ru(&capture, |c| c.range == range("3")).0, 57_206.2);
        let (nobody, records) = ru(&capture, |c| c.key == RuKey::NotReported);
        assert_eq!(records, 3);
        assert_close(nobody, 122.7);
        let (undefined, records) = ru(&capture, |c| c.range == range("undefined"));
        assert_eq!(records, 1);
        assert_close(undefined, 3.1);

        let mut by_second: BTreeMap<_, f64> = BTreeMap::new();
        for (cell, sum) in &load.ru {
            let place = (cell.region, cell.key, cell.second);
            *by_second.entry(place).or_default() += sum.ru;
        }
        let busiest = by_second.iter().max_by(|a, b| a.1.total_cmp(b.1));
        let ((region, key, second), most) = busiest.unwrap();
        assert_close(*most, 5_872.5);
        let region = capture.regions.text(u32::from(*region));
        assert_eq!((region, *key), ("West Europe", tenant));
        let at = Stamp::from_seconds(second.unwrap()).unwrap();
        assert_eq!(at.rfc3339(), "2026-06-22T02:00:09Z");
    }
}

#[test]
fn the_same_records_in_two_forms_count_once() {
    let capture = open(&RU_FILES);
    assert_close(ru(&capture, |_| true).0, 61_707.45);
    let repeated: u64 = capture.sources.iter().map(|s| s.repeated).sum();
    assert_eq!(repeated, 41);
}

/// A copy of a sample with other words in it.
fn changed(folder: &Path, sample: &str, name: &str, words: &[(&str, &str)]) -> String {
    let mut text = std::fs::read_to_string(Path::new(SAMPLES).join(sample)).unwrap();
    for (word, by) in words {
        text = text.replace(word, by);
    }
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn an_export_of_ambiguous_dates_repeats_its_archive() {
    let folder = tempfile::tempdir().unwrap();
    let archive = "ru/storage-archive/insights-logs-partitionkeyruconsumption/resourceId=/SUBSCRIPTIONS/\
        11111111-2222-3333-4444-555555555555/RESOURCEGROUPS/RG-NORTHPIER/PROVIDERS/MICROSOFT.DOCUMENTDB/DATABASEACCOUNTS/\
        NORTHPIER-PROD/y=2026/m=06/d=22/h=02/m=00/PT1H.json";
    let archive = changed(folder.path(), archive, "PT1H.json", &[("2026-06-22", "2026-06-05")]);
    let ids = [("TenantId,", ""), ("99999999-8888-7777-6666-555555555555,", "")];
    let without = [("ActivityId", "Other"), ("activityId", "other")];
    for (name, day, others) in [
        ("day-first", "05/06/2026", &ids[..]),
        ("month-first", "6/5/2026", &ids[..]),
        ("local", "05/06/2026", &[("[UTC]", "[Local Time]")]),
    ] {
        let csv = [&[("6/22/2026", day), ("2026-06-22", "2026-06-05")], others].concat();
        let csv = changed(folder.path(), RU_FILES[0], &format!("{name}.csv"), &csv);
        // The export first: what has sure times is read before it all the same.
        let capture = open(&[&csv, &archive]);
        assert_close(ru(&capture, |_| true).0, 61_707.45);
        let timed = ru(&capture, |cell| cell.second.is_some());
        assert_eq!(timed.1, 41, "{name}");
    }
    // Without activity ids by time, key and charge; records that are alike stay as many as one file has.
    let twice = [
        &without[..],
        &[
            ("2026-06-22", "2026-06-05"),
            ("6/22/2026", "2026-06-05"),
            (", 2:0", " 02:0"),
            (" AM", ""),
        ],
    ]
    .concat();
    let csv = changed(folder.path(), RU_FILES[0], "twice.csv", &twice);
    let archive = changed(folder.path(), &archive, "without.json", &without);
    assert_close(ru(&open(&[&csv]), |_| true).0, 61_707.45);
    assert_close(ru(&open(&[&archive, &csv]), |_| true).0, 61_707.45);
}

#[test]
fn a_date_order_is_taken_from_the_options_and_never_from_other_records() {
    let dates = |capture: &Capture| -> Vec<String> {
        let (_, key) = capture.sizes.iter().next().unwrap();
        let series = key.series().next().unwrap();
        let dates = series.samples.iter().filter_map(|s| s.when.at());
        dates.map(Stamp::date_text).collect()
    };
    let notes = |capture: &Capture| capture.sources[0].notes.join("; ");
    let file = "hard/ambiguous-dates.csv";
    let open_with = |paths: &[&str], date_order| {
        let paths: Vec<_> = paths.iter().map(|p| Path::new(SAMPLES).join(p)).collect();
        let options = ImportOptions { date_order, ..ImportOptions::default() };
        let inputs = find(&paths, &|| true).unwrap();
        import(&inputs, &options, &Watch::default(), &mut |_| Ok(())).unwrap()
    };
    let day_first = ["2026-04-03", "2026-05-03", "2026-06-03"];
    let month_first = ["2026-03-04", "2026-03-05", "2026-03-06"];
    // The other file is month first without doubt, and says nothing of these dates.
    for (paths, given, expected, is_assumed) in [
        (&[file][..], None, day_first, true),
        (&[file, RU_FILES[0]], None, day_first, true),
        (&[file], Some(DateOrder::DayFirst), day_first, false),
        (&[file, RU_FILES[0]], Some(DateOrder::MonthFirst), month_first, false),
    ] {
        let opened = open_with(paths, given);
        assert_eq!(dates(&opened), expected, "{paths:?} {given:?}");
        let notes = notes(&opened);
        assert_eq!(notes.contains("read day first, assumed"), is_assumed, "{notes}");
    }
}

#[test]
fn management_answers_join_by_their_partitions_or_by_the_given_container() {
    let folder = tempfile::tempdir().unwrap();
    let usages = "arm/partitions-usages.orders.json";
    let usages = changed(folder.path(), usages, "usages.json", &[]);
    let spread = "arm/retrieve-throughput-distribution.orders.json";
    let spread = changed(folder.path(), spread, "spread.json", &[]);
    let shares = |capture: &Capture| -> Vec<Option<f64>> {
        let orders = container(capture, "orders");
        assert!(orders.name.account.is_some());
        orders.partitions.iter().map(|p| p.ru_per_second).collect()
    };
    let unknown = |capture: &Capture| capture.containers.iter().any(|c| c.name.container.is_none());
    // By the ids of the ranges, since those of all containers are known.
    let joined = open(&["stats/container-read", &spread, &usages]);
    assert_eq!(shares(&joined), [Some(6_000.0); 4]);
    assert!(!unknown(&joined));
    let note = "because it has the same physical partitions";
    let has_note = |notes: &Vec<String>| notes.iter().any(|n| n.contains(note));
    assert!(joined.sources.iter().any(|s| has_note(&s.notes)));
    // By the GUIDs of the request log, and then by the ids that go with these.
    let joined = open(&["ru/data-plane-requests.portal-us.csv", &spread, &usages]);
    assert_eq!(shares(&joined), [Some(6_000.0); 4]);
    // Nothing tells: the container that was named is that of the log, with its account.
    assert!(unknown(&open(&[LOG, &spread])));
    let paths = [LOG, &spread].map(|p| Path::new(SAMPLES).join(p)).to_vec();
    let options = ImportOptions {
        container: Some(ContainerName::new(None, None, Some("orders"))),
        ..ImportOptions::default()
    };
    let inputs = find(&paths, &|| true).unwrap();
    let named = import(&inputs, &options, &Watch::default(), &mut |_| Ok(())).unwrap();
    assert_eq!(shares(&named), [Some(6_000.0); 4]);
    assert!(!unknown(&named));
}

#[test]
fn requests_are_counted_by_status() {
    let single = open(&["ru/data-plane-requests.portal-us.csv"]);
    let mut by_status: BTreeMap<u16, u64> = BTreeMap::new();
    for (cell, sum) in &single.load.requests {
        *by_status.entry(cell.status).or_default() += sum.requests;
        // A GUID, not a range id.
        assert_eq!(single.load.names.text(cell.partition).len(), 36);
    }
    let wanted = [(200, 8), (201, 4), (403, 2), (404, 2), (429, 6), (449, 2)];
    assert_eq!(by_status, wanted.into());
    assert_eq!(single.sources[0].rows, 24);

    let totals = open(&["ru/data-plane-requests-5m.portal-us.csv"]);
    assert_eq!(totals.sources[0].rows, 6);
    let cells = || totals.load.requests.iter();
    let requests: u64 = cells().map(|(_, s)| s.requests).sum();
    assert_eq!(requests, 288_812);
    assert_close(cells().map(|(_, s)| s.ru).sum(), 1_840_682.88);
    let throttled = cells().filter(|(c, _)| c.status == 429);
    let throttled: u64 = throttled.map(|(_, s)| s.requests).sum();
    assert_eq!(throttled, 41_000);
}

/// Series, and points over all of them.
fn extent(capture: &Capture) -> (usize, usize) {
    let points = capture.load.metrics.values().map(Vec::len).sum();
    (capture.load.metrics.len(), points)
}

/// The sum of the points of each series that fits, by what `group` makes of its name.
fn sums(capture: &Capture, group: impl Fn(&SeriesName) -> Option<String>) -> BTreeMap<String, f64> {
    let mut out: BTreeMap<String, f64> = BTreeMap::new();
    for (name, points) in &capture.load.metrics {
        if let Some(group) = group(name) {
            *out.entry(group).or_default() += points.iter().map(|p| p.1).sum::<f64>();
        }
    }
    out
}

fn container_name(capture: &Capture, series: &SeriesName) -> String {
    let container = capture.container(series.container).unwrap();
    container.name.container.as_deref().unwrap().to_owned()
}

#[test]
fn shares_of_the_budget_keep_their_gap() {
    let capture = open(&["metrics/normalized-ru-by-range.json"]);
    // 4 series of 5 points, one of which has no value.
    assert_eq!(extent(&capture), (4, 19));
    for (name, points) in &capture.load.metrics {
        let peak = points.iter().map(|p| p.1).fold(0.0, f64::max);
        match name.dimension("partitionkeyrangeid") {
            Some("3") => assert_close(peak, 100.0),
            Some(range) => {
                assert!(peak <= 24.0, "range {range}: {peak}");
                assert_eq!(points.len(), if range == "4" { 4 } else { 5 });
            }
            None => panic!("{name:?} has no range"),
        }
    }
}

#[test]
fn metrics_of_partitions_and_containers_add_up() {
    let sizes = open(&["metrics/physical-partition-size.json"]);
    assert_eq!(extent(&sizes), (11, 11));
    let points = sizes.load.metrics.iter().map(|(n, p)| (n, p[0].1));
    let (name, bytes) = points.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    assert_close(bytes, 31_185_816_576.0);
    assert_eq!(container_name(&sizes, name), "orders");
    assert_eq!(name.dimension("physicalpartitionid"), Some("0"));

    let throughput = open(&["metrics/physical-partition-throughput.json"]);
    assert_eq!(extent(&throughput), (11, 11));
    for (name, points) in &throughput.load.metrics {
        let wanted = match container_name(&throughput, name).as_str() {
            "orders" => 6_000.0,
            "carts" => 1_000.0,
            _ => 3_000.0,
        };
        assert_close(points[0].1, wanted);
    }

    let usage = open(&["metrics/container-usage.json"]);
    assert_eq!(extent(&usage), (9, 9));
    let found = sums(&usage, |s| {
        let is_bytes = matches!(s.metric.as_str(), "DataUsage" | "IndexUsage");
        is_bytes.then(|| container_name(&usage, s))
    });
    let wanted =
        [("carts", 27_463_298_048.0), ("orders", 73_157_734_400.0), ("readings", 22_541_375_488.0)];
    assert_eq!(found, wanted.map(|(n, b)| (n.to_owned(), b)).into());
}

#[test]
fn metrics_of_requests_and_of_nothing() {
    let requests = open(&["metrics/total-requests-by-status.json"]);
    assert_eq!(extent(&requests), (4, 20));
    let by_status = sums(&requests, |s| s.dimension("statuscode").map(str::to_owned));
    assert_close(by_status["429"], 41_350.0);
    assert_close(by_status.values().sum(), 288_662.0);

    let none = open(&["metrics/no-data.json"]);
    assert_eq!(extent(&none), (0, 0));
    let notes = &none.sources[0].notes;
    assert!(notes.iter().any(|n| n.contains("no data in this period")), "{notes:?}");
}

#[test]
fn management_answers_tell_partitions() {
    let usages = open(&[LOG, "arm/partitions-usages.orders.json"]);
    let metrics = open(&["metrics/physical-partition-size.json"]);
    let by_partition = sums(&metrics, |s| {
        let id = s.dimension("physicalpartitionid")?.to_owned();
        (container_name(&metrics, s) == "orders").then_some(id)
    });
    let orders = container(&usages, "orders");
    assert_eq!(orders.partitions.len(), 4);
    for p in &orders.partitions {
        assert_close(p.kib.unwrap() * 1024.0, by_partition[&p.id]);
        let guid = format!("0000a00{0}-0000-4000-8000-00000000a00{0}", p.id);
        assert_eq!(p.guid.as_ref(), Some(&guid));
    }

    let spread = open(&[LOG, "arm/retrieve-throughput-distribution.orders.json"]);
    let partitions = &container(&spread, "orders").partitions;
    let shares: Vec<_> = partitions.iter().map(|p| p.ru_per_second).collect();
    assert_eq!(shares, [Some(6_000.0); 4]);

    let merged = open(&[LOG, "arm/partition-merge-dry-run.carts.json"]);
    let preview = &container(&merged, "carts").merge_preview;
    let found: Vec<_> = preview.iter().map(|p| (p.id.as_str(), p.kib)).collect();
    assert_eq!(found, [("4", Some(26_819_627.0))]);
}

#[test]
fn management_answers_tell_throughput() {
    let expected = [
        (
            "arm/throughput-settings.orders.json",
            "orders",
            Throughput::Manual { ru_per_second: 24_000.0 },
            [400.0, 40_000.0, 4.0],
        ),
        (
            "arm/throughput-settings.readings-autoscale.json",
            "readings",
            Throughput::Autoscale { maximum: 9_000.0, now: Some(900.0) },
            [1_000.0, 30_000.0, 3.0],
        ),
    ];
    for (path, name, throughput, limits) in expected {
        let settings = container(&open(&[path]), name).throughput.unwrap();
        assert_eq!(settings.throughput, throughput, "{path}");
        let found = [settings.minimum, settings.instant_maximum, settings.partitions()];
        assert_eq!(found, limits.map(Some), "{path}");
    }
}
