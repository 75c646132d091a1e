//! Files of partition key sizes: what is taken, what is left out, and what is said about it.

use std::collections::BTreeSet;

use cosmoscope::model::capture::{Capture, SourceInfo};
use cosmoscope::model::epk::{Epk, epk};
use cosmoscope::model::key::Key;
use cosmoscope::model::physical::PhysicalPartition;
use cosmoscope::model::time::Stamp;
use cosmoscope::model::units::LOGICAL_CEILING_KIB;

use super::{container, container_of, largest, open, size_of, try_open};

/// What a file is expected to give.
#[derive(Clone, Copy)]
struct Case {
    path: &'static str,
    rows: u64,
    keys: usize,
    /// Container, canonical key and KB.
    largest: (&'static str, &'static str, f64),
    skipped: u64,
    repeated: u64,
    other_kinds: u64,
    /// Telling words, each in some note; none = there is no note.
    says: &'static [&'static str],
}

const TENANT_2: (&str, &str, f64) = ("orders", "[\"tenant-0002\"]", 22_650_880.0);
const NO_VALUE: (&str, &str, f64) = ("carts", "[{}]", 9_856_614.0);
const PLANT_1: (&str, &str, f64) =
    ("readings", "[\"plant-1\",\"dev-001\",\"2026-06-21\"]", 3_355_443.0);

const fn case(path: &'static str, rows: u64, keys: usize) -> Case {
    Case { path, rows, keys, largest: TENANT_2, skipped: 0, repeated: 0, other_kinds: 0, says: &[] }
}

const fn standard(path: &'static str) -> Case {
    case(path, 45, 27)
}

/// Everything that holds exactly the standard set.
const STANDARD: [Case; 18] = [
    standard("stats/log-analytics/resource-specific.portal-us.csv"),
    standard("stats/log-analytics/resource-specific.portal-us.csv.gz"),
    Case {
        says: &["local and the zone is unknown"],
        ..standard("stats/log-analytics/resource-specific.portal-gb-localtime.csv")
    },
    standard("stats/log-analytics/resource-specific.excel-de-semicolon.csv"),
    standard("stats/log-analytics/resource-specific.excel-utf16le.txt"),
    standard("stats/log-analytics/resource-specific.powershell.csv"),
    standard("stats/log-analytics/resource-specific.kusto.csv"),
    Case {
        other_kinds: 3,
        says: &["records of request", "query text", "records of other kinds"],
        ..standard("stats/log-analytics/azure-diagnostics.portal-us.csv")
    },
    standard("stats/log-analytics/az-query.json"),
    standard("stats/log-analytics/az-query.azure-diagnostics.json"),
    standard("stats/log-analytics/az-query.tsv"),
    standard("stats/log-analytics/query-api.json"),
    standard("stats/log-analytics/data-export"),
    standard("stats/log-analytics/export-job.parquet"),
    standard("stats/storage-archive"),
    standard("stats/event-hubs/one-message.json"),
    standard("stats/event-hubs/messages.jsonl"),
    standard("stats/event-hubs/stream-analytics.json"),
];

const OTHERS: [Case; 9] = [
    Case {
        largest: NO_VALUE,
        says: &["PartialError"],
        ..case("stats/log-analytics/query-api.partial-error.json", 20, 20)
    },
    case("stats/log-analytics/query-result.azure-diagnostics-20gb.csv", 27, 27),
    case("stats/log-analytics/query-result.alert-20gb.csv", 27, 27),
    case("stats/container-read/shop.orders.data-plane.json", 10, 10),
    case("stats/container-read/shop.orders.az-container-show.json", 10, 10),
    Case { largest: NO_VALUE, ..case("stats/container-read/shop.carts.data-plane.json", 10, 10) },
    Case {
        largest: NO_VALUE,
        ..case("stats/container-read/shop.carts.az-container-show.json", 10, 10)
    },
    Case {
        largest: PLANT_1,
        ..case("stats/container-read/telemetry.readings.data-plane.json", 7, 7)
    },
    Case {
        largest: PLANT_1,
        ..case("stats/container-read/telemetry.readings.az-container-show.json", 7, 7)
    },
];

const HARD: [Case; 16] = [
    Case {
        skipped: 1,
        says: &["last line is incomplete"],
        ..case("hard/truncated-last-line.PT1H.json", 5, 5)
    },
    case("hard/no-trailing-newline.PT1H.json", 5, 5),
    case("hard/unescaped-quotes.PT1H.json", 3, 3),
    case("hard/older-property-names.PT1H.json", 4, 4),
    case("hard/older-column-names.csv", 4, 4),
    case("hard/case-twin-columns.csv", 4, 4),
    case("hard/unwrapped-keys.csv", 8, 8),
    Case { repeated: 6, says: &["6 repeated records"], ..case("hard/duplicates.csv", 11, 5) },
    Case {
        repeated: 1,
        says: &["1 repeated record", "header"],
        ..case("hard/two-exports-joined.csv", 6, 5)
    },
    case("hard/two-accounts.csv", 4, 4),
    Case {
        largest: ("orders", "[\"tenant-0001\"]", 17_301_504.0),
        says: &["ambiguous (day or month first): read day first, assumed", "no growth"],
        ..case("hard/ambiguous-dates.csv", 3, 1)
    },
    Case {
        largest: ("orders", "[\"tenant-0002\"]", 22_650_900.0),
        says: &["rounded by a spreadsheet"],
        ..case("hard/excel-mangled.csv", 3, 3)
    },
    Case { skipped: 4, says: &["4 rows skipped"], ..case("hard/bad-rows.csv", 5, 5) },
    Case { largest: PLANT_1, ..case("hard/one-key-two-spellings.csv", 6, 3) },
    Case {
        largest: ("orders", "[\"{\\\"_v\\\":\\\"c-17\\\"}\"]", 4_100_000.0),
        ..case("hard/object-keys.csv", 2, 2)
    },
    Case { says: &["Windows-1252"], ..case("hard/windows-1252.csv", 2, 2) },
];

/// Files from which nothing is taken, with telling words of the answer.
const REFUSED: [(&str, &[&str]); 5] = [
    ("hard/empty.csv", &["empty"]),
    ("hard/other-table.csv", &["no partition statistics", "columns found are `"]),
    ("hard/not-a-log.txt", &["not a known format"]),
    ("hard/not-text.bin", &["not a known format"]),
    ("stats/log-analytics/query-api.error.json", &["insufficient access"]),
];

/// Files that are in order and hold no records.
const EMPTY: [(&str, &str); 2] = [
    ("hard/header-only.csv", "no records"),
    ("stats/log-analytics/query-api.no-rows.json", "no key large enough was reported"),
];

fn all_notes(capture: &Capture) -> Vec<&str> {
    let of_sources = capture.sources.iter().flat_map(|s| &s.notes);
    of_sources.chain(&capture.notes).map(String::as_str).collect()
}

/// All that differs from what was expected, so that one run tells about every file.
fn differences(case: &Case) -> Vec<String> {
    let capture = match try_open(&[case.path]) {
        Ok(capture) => capture,
        Err(e) => return vec![format!("refused: {e}")],
    };
    let sum = |of: fn(&SourceInfo) -> u64| capture.sources.iter().map(of).sum::<u64>();
    let mut out = Vec::new();
    for (what, found, wanted) in [
        ("rows", sum(|s| s.rows), case.rows),
        ("keys", capture.sizes.len() as u64, case.keys as u64),
        ("skipped", sum(|s| s.skipped), case.skipped),
        ("repeated", sum(|s| s.repeated), case.repeated),
        ("other kinds", sum(|s| s.other_kinds), case.other_kinds),
    ] {
        if found != wanted {
            out.push(format!("{what}: {found}, expected {wanted}"));
        }
    }
    let found = largest(&capture);
    if found.as_ref().is_none_or(|(c, k, kib)| (c.as_str(), k.as_str(), *kib) != case.largest) {
        out.push(format!("largest: {found:?}, expected {:?}", case.largest));
    }
    let notes = all_notes(&capture);
    if case.says.is_empty() != notes.is_empty() {
        out.push(format!("notes: {notes:?}, expected {:?}", case.says));
    }
    for word in case.says {
        if !notes.iter().any(|n| n.contains(word)) {
            out.push(format!("no note says `{word}`: {notes:?}"));
        }
    }
    out
}

#[test]
fn every_file_gives_what_its_description_says() {
    let cases = STANDARD.iter().chain(&OTHERS).chain(&HARD);
    let wrong: Vec<String> = cases
        .flat_map(|case| {
            let all = differences(case).into_iter();
            all.map(|d| format!("{}: {d}", case.path))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn what_holds_no_records_is_answered_in_a_sentence() {
    for (path, words) in REFUSED {
        let said = try_open(&[path]).map(|c| c.sources).unwrap_err().to_string();
        for word in words {
            assert!(said.contains(word), "{path}: {said}");
        }
    }
    for (path, word) in EMPTY {
        let capture = open(&[path]);
        let notes = all_notes(&capture);
        let found = (capture.sizes.len(), capture.sources[0].rows);
        assert_eq!(found, (0, 0), "{path}");
        assert!(notes.iter().any(|n| n.contains(word)), "{path}: {notes:?}");
    }
}

#[test]
fn the_standard_set_is_the_same_in_every_form() {
    for Case { path, .. } in STANDARD {
        let capture = open(&[path]);
        let keys = || capture.sizes.iter().map(|(_, key)| key);
        let series: Vec<_> = keys().flat_map(|k| k.series()).collect();
        assert_eq!(series.len(), 33, "{path}: keys counted per region");
        let samples = series.iter().flat_map(|s| s.samples);
        let seconds: BTreeSet<i64> =
            samples.filter_map(|s| s.when.at()).map(Stamp::seconds).collect();
        // 2026-06-01 02:10:23 and 2026-06-22 02:10:41; the clock of one file is an hour ahead and cannot say of what.
        let ahead = if path.contains("localtime") { 3600 } else { 0 };
        let ends = (seconds.first().copied(), seconds.last().copied());
        let wanted = (Some(1_780_279_823 + ahead), Some(1_782_094_241 + ahead));
        assert_eq!(ends, wanted, "{path}");
        let above = |kib: f64| keys().filter(|k| size_of(*k) > kib).count();
        assert_eq!(above(LOGICAL_CEILING_KIB), 1, "{path}: over 20 GiB");
        assert_eq!(above(0.8 * LOGICAL_CEILING_KIB), 2, "{path}: over 80 %");
        let long: BTreeSet<(&str, usize)> = keys()
            .flat_map(|k| k.series().map(move |s| (k.canonical(), s.samples.len())))
            .filter(|(_, n)| *n > 1)
            .collect();
        let wanted = ["[\"tenant-0001\"]", "[\"tenant-0002\"]", "[\"tenant-0007\"]", "[{}]"];
        assert_eq!(long, wanted.map(|k| (k, 4)).into(), "{path}");
        let by_container = ["orders", "carts", "readings"].map(|name| {
            let name = Some(name);
            keys().filter(|k| container_of(&capture, *k).name.container.as_deref() == name).count()
        });
        assert_eq!(by_container, [10, 10, 7], "{path}");
        // The larger of the two regions counts.
        assert_eq!(sizes_of(&capture, "[{}]"), [9_860_710.0], "{path}");
    }
}

fn sizes_of(capture: &Capture, canonical: &str) -> Vec<f64> {
    let keys = capture.sizes.iter().map(|(_, key)| key);
    keys.filter(|k| k.canonical() == canonical).map(size_of).collect()
}

#[test]
fn keys_that_look_alike_stay_apart_and_odd_ones_arrive_whole() {
    let capture = open(&["stats/log-analytics/resource-specific.portal-us.csv"]);
    for key in [
        "[\"tenant-0001\"]",
        "[\"Tenant-0001\"]",
        "[42]",
        "[\"42\"]",
        "[null]",
        "[\"null\"]",
        "[\"\"]",
        "[{}]",
        "[\"acme, inc.\"]",
        "[\"O'Brien \\\"The Shop\\\" GmbH\"]",
        "[\"línea\\nnueva\"]",
        "[\"tab\\there\"]",
        "[\"🍕-pizzeria-東京\"]",
        "[\"plant-2\",null,\"2026-06-22\"]",
        "[\"plant-3\",{},{}]",
        "[\"plant-4\",7,true]",
    ] {
        let canonical = Key::from_cell(key).unwrap().canonical();
        assert_eq!(sizes_of(&capture, &canonical).len(), 1, "{key}");
    }
    let mut texts = capture.sizes.iter().map(|(_, k)| k.canonical());
    let long = texts.find(|k| k.starts_with("[\"/site/oslo/building-7"));
    assert_eq!(long.unwrap().len(), 2048 + "[\"\"]".len());
}

#[test]
fn accounts_are_one_whatever_their_case_and_two_stay_two() {
    let titles = |path| -> Vec<String> {
        let containers = open(&[path]).containers;
        containers.iter().map(|c| c.name.title()).collect()
    };
    let twice = titles("hard/two-accounts.csv");
    let orders = twice.iter().filter(|t| t.ends_with("shop / orders"));
    assert_eq!(orders.collect::<BTreeSet<_>>().len(), 2);
    assert_eq!(titles("hard/unwrapped-keys.csv"), ["shop / orders"]);
    let both = open(&["hard/older-column-names.csv", "hard/bad-rows.csv"]);
    let account = |name| container(&both, name).name.account.as_deref();
    assert_eq!(account("orders"), Some("northpier-prod"));
    let names = both.containers.iter().map(|c| c.name.container.as_deref());
    assert_eq!(names.filter(|n| *n == Some("orders")).count(), 1);
}

#[test]
fn two_spellings_are_one_key_with_two_points() {
    let capture = open(&["hard/one-key-two-spellings.csv"]);
    let points: Vec<usize> =
        capture.sizes.iter().flat_map(|(_, k)| k.series()).map(|s| s.samples.len()).collect();
    assert_eq!(points, [2, 2, 2]);
    let latin = open(&["hard/windows-1252.csv"]);
    assert_eq!(sizes_of(&latin, "[\"línea\"]"), [1_468_006.0]);
}

#[test]
fn all_samples_at_once_are_one_account() {
    let capture = open(&[""]);
    let keys = capture.sizes.iter().map(|(_, key)| key);
    let largest = keys
        .filter(|k| container_of(&capture, *k).name.title() == "northpier-prod / shop / orders")
        .max_by(|a, b| size_of(*a).total_cmp(&size_of(*b)))
        .unwrap();
    assert_eq!(largest.canonical(), "[\"tenant-0002\"]");
    assert_eq!(size_of(largest).to_bits(), 22_650_880_f64.to_bits());
    assert_eq!(placed_keys(&capture), 27);
}

/// Keys for which the computed place is the partition that listed them; any other place fails.
fn placed_keys(capture: &Capture) -> usize {
    let bound = |hex: &Option<String>| Epk::from_hex(hex.as_deref().unwrap()).unwrap();
    let bounds = |p: &PhysicalPartition| (bound(&p.min_inclusive), bound(&p.max_exclusive));
    let mut placed = 0;
    for title in ["shop / orders", "shop / carts", "telemetry / readings"] {
        let title = format!("northpier-prod / {title}");
        let container = capture.containers.iter().find(|c| c.name.title() == title);
        let container = container.unwrap_or_else(|| panic!("no {title}"));
        let definition = container.definition.as_ref().unwrap();
        let ranges: Vec<_> = container.partitions.iter().map(bounds).collect();
        for (i, partition) in container.partitions.iter().enumerate() {
            for (text, _) in &partition.listed {
                let key = Key::from_cell(text).unwrap();
                let place = epk(key.parts(), definition).unwrap();
                let found = ranges.iter().position(|(min, max)| *min <= place && place < *max);
                assert_eq!(found, Some(i), "{title} {text}");
                placed += 1;
            }
        }
    }
    placed
}

#[test]
fn container_reads_and_range_lists_tell_the_partitions() {
    let capture = open(&["stats/container-read"]);
    let expected: [(&str, &[&str], &[f64], f64); 3] = [
        (
            "orders",
            &["0", "1", "3", "4"],
            &[30_454_899.0, 5_728_073.0, 24_866_662.0, 10_393_466.0],
            0.25,
        ),
        (
            "carts",
            &["0", "1", "2", "3"],
            &[5_490_451.0, 11_322_962.0, 3_614_473.0, 6_391_741.0],
            0.25,
        ),
        ("readings", &["0", "1", "2"], &[3_154_439.0, 14_112_895.0, 4_745_728.0], 1.0 / 3.0),
    ];
    for (name, ids, kib, share) in expected {
        let partitions = &container(&capture, name).partitions;
        let found: Vec<&str> = partitions.iter().map(|p| p.id.as_str()).collect();
        assert_eq!(found, ids, "{name}");
        let found: Vec<f64> = partitions.iter().filter_map(|p| p.kib).collect();
        assert_eq!(found, kib, "{name}");
        for p in partitions {
            let found = p.throughput_fraction.unwrap();
            assert!((found - share).abs() < 1e-6, "{name} {}: {found}", p.id);
        }
    }
}
