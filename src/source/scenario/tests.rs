//! What holds for every scenario.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::float_cmp,
    reason = "a test may panic, and compares numbers that must be the very same"
)]

mod claims;
mod documents;
mod fields;
mod queries;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::*;
use crate::model::capture::Capture;
use crate::model::epk::{Epk, epk};
use crate::model::key::Key;
use crate::model::load::RuKey;
use crate::model::sample::latest;
use crate::model::units::{LOGICAL_CEILING_KIB, PHYSICAL_CEILING_KIB};

const NAMES: [&str; 14] = [
    "night",
    "tenants",
    "launch",
    "food",
    "car",
    "plants",
    "events",
    "customers",
    "suffix",
    "users",
    "fanout",
    "index",
    "bucket",
    "burst",
];

fn capture_with(name: &str, seed: u64) -> Capture {
    let builder = CaptureBuilder::new(seed);
    load(name, ONE_PARTITION, &builder).unwrap();
    builder.finish()
}

/// Made once for all tests: the larger scenarios take a second each.
fn capture(name: &str) -> &'static Capture {
    static HELD: [OnceLock<Capture>; NAMES.len()] = [const { OnceLock::new() }; NAMES.len()];
    let place = NAMES.iter().position(|known| *known == name).unwrap();
    HELD[place].get_or_init(|| capture_with(name, 1))
}

fn number(capture: &Capture, container: &str) -> u32 {
    let named =
        |c: &crate::model::capture::Container| c.name.container.as_deref() == Some(container);
    u32::try_from(capture.containers.iter().position(named).unwrap()).unwrap()
}

/// The newest size of every key, in KiB.
fn sizes(capture: &Capture, container: &str) -> BTreeMap<String, f64> {
    let number = number(capture, container);
    let views = capture.sizes.iter().map(|(_, view)| view);
    let of = views.filter(|v| v.container() == number);
    let newest = |samples| latest(samples).unwrap().kib;
    of.map(|v| (v.canonical().to_owned(), newest(v.series().next().unwrap().samples))).collect()
}

/// RU of every key and range over the whole log.
fn ru(capture: &Capture, container: &str) -> BTreeMap<(String, String), f64> {
    let number = number(capture, container);
    let mut sums = BTreeMap::new();
    for (cell, sum) in capture.load.ru.iter().filter(|(c, _)| c.container == number) {
        let key = match cell.key {
            RuKey::Named(key) => capture.load.keys.text(key),
            RuKey::NotReported | RuKey::Other => "",
        };
        let range = capture.load.names.text(cell.range);
        *sums.entry((key.to_owned(), range.to_owned())).or_default() += sum.ru;
    }
    sums
}

fn ru_per_s_by_range(capture: &Capture, container: &str, seconds: f64) -> BTreeMap<String, f64> {
    let mut sums = BTreeMap::new();
    for ((_, range), ru) in ru(capture, container) {
        *sums.entry(range).or_default() += ru / seconds;
    }
    sums
}

/// Requests by status.
fn statuses(capture: &Capture, container: &str) -> BTreeMap<u16, u64> {
    let number = number(capture, container);
    let mut sums = BTreeMap::new();
    for (cell, sum) in capture.load.requests.iter().filter(|(c, _)| c.container == number) {
        *sums.entry(cell.status).or_default() += sum.requests;
    }
    sums
}

/// The place in hash order of the partition that holds a key, by its real hash.
fn place(capture: &Capture, container: &str, canonical: &str) -> usize {
    let container = &capture.containers[number(capture, container) as usize];
    let key = Key::from_canonical(canonical).unwrap();
    let epk = epk(key.parts(), container.definition.as_ref().unwrap()).unwrap();
    let mut ends: Vec<Epk> = container
        .partitions
        .iter()
        .map(|p| Epk::from_hex(p.max_exclusive.as_ref().unwrap()).unwrap())
        .collect();
    ends.sort();
    ends.iter().position(|end| epk < *end).unwrap()
}

/// The right number of a claim of the training material.
fn claim(id: &str) -> f64 {
    let text = include_str!("../../../tests/it/data/seed-claims.json");
    let all: serde_json::Value = serde_json::from_str(text).unwrap();
    let mut claims = all["claims"].as_array().unwrap().iter();
    claims.find(|c| c["id"] == id).unwrap()["expected"].as_f64().unwrap()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= b.abs() * 1e-9
}

#[test]
fn scenarios_say_what_to_look_at() {
    let list = list();
    assert_eq!(list.iter().map(|i| i.name).collect::<Vec<_>>(), NAMES);
    for info in list {
        assert!(!info.title.is_empty() && !info.title.ends_with('.'));
        assert!(info.look_at.ends_with('.'), "{}", info.look_at);
        assert_eq!(load(info.name, ONE_PARTITION, &CaptureBuilder::new(0)).unwrap(), info);
    }
}

#[test]
fn an_unknown_name_gets_the_nearest_and_all() {
    let error = load("tenant", ONE_PARTITION, &CaptureBuilder::new(0)).unwrap_err();
    assert_eq!(error.to_string(), "there is no scenario tenant. Did you mean tenants?");
    for name in NAMES {
        assert!(error.hint().unwrap().contains(name));
    }
    assert_eq!(only_container("night").unwrap(), "orders");
    let several = only_container("car").unwrap_err();
    assert!(several.hint().unwrap().contains("by-month, by-device"));
    let long = "cat".repeat(1_000_000);
    assert!(load(&long, ONE_PARTITION, &CaptureBuilder::new(0)).is_err());
}

#[test]
fn a_field_that_nothing_reads_is_an_error() {
    let refuses = |text: &str, inner: &str, worse: &str| {
        assert!(text.contains(inner), "{inner}");
        let changed = text.replacen(inner, worse, 1);
        assert!(Spec::parse(&changed).is_err(), "{inner}");
    };
    let table = |text, name: &str| refuses(text, name, &format!("{name}unread = 1\n"));
    for (_, text) in SCENARIOS {
        assert!(Spec::parse(text).is_ok());
        table(text, "[documents]\n");
        table(text, "[[containers]]\n");
        table(text, "[containers.documents]\n");
        table(text, "[[containers.queries]]\n");
    }
    let car = SCENARIOS[4].1;
    table(car, "[documents.hours]\n");
    table(car, "[documents.lists.car]\n");
    table(car, "[[containers.keys]]\n");
    for inner in [
        "of = \"{car}\"",
        "of = \"{model}\"",
        "of = \"{driver}\"",
        "by = \"{driver}-{car}\"",
        "name = \"signals\"",
        "name = \"speed\"",
        "name = \"id\"",
        "name = \"lat\", is",
    ] {
        let inner = format!("{{ {inner}");
        refuses(car, &inner, &inner.replacen("{ ", "{ unread = 1, ", 1));
    }
}

#[test]
fn two_loads_are_the_same_whatever_the_seed_of_the_table() {
    for name in NAMES {
        let (a, b) = (capture(name), &capture_with(name, 2));
        assert_eq!(a.containers, b.containers, "{name}");
        assert_eq!(a.sources, b.sources, "{name}");
        assert_eq!(a.load.ru, b.load.ru, "{name}");
        assert_eq!(a.load.requests, b.load.requests, "{name}");
        assert_eq!(a.load.metrics, b.load.metrics, "{name}");
        let series = |c: &Capture| -> BTreeMap<(u32, String), Vec<(u64, u64)>> {
            let of = |v: crate::model::logical::KeyView<'_>| {
                let samples = v.series().flat_map(|s| s.samples.to_vec());
                samples.map(|s| (s.when.order(), s.kib.to_bits())).collect::<Vec<_>>()
            };
            c.sizes
                .iter()
                .map(|(_, v)| ((v.container(), v.canonical().to_owned()), of(v)))
                .collect()
        };
        assert_eq!(series(a), series(b), "{name}");
    }
}

/// The metric holds the busiest second of a minute, of what was requested and not refused before it cost anything.
#[test]
fn the_metric_and_the_log_of_ru_agree() {
    for name in NAMES {
        let c = capture(name);
        let mut seconds: BTreeMap<(u32, &str, i64), f64> = BTreeMap::new();
        for (cell, sum) in &c.load.ru {
            let range = c.load.names.text(cell.range);
            let at = (cell.container, range, cell.second.unwrap());
            *seconds.entry(at).or_default() += sum.ru;
        }
        let mut minutes: BTreeMap<(u32, &str, i64), f64> = BTreeMap::new();
        for ((container, range, second), ru) in seconds {
            let minute = (container, range, second.div_euclid(60) * 60);
            let held = minutes.entry(minute).or_default();
            *held = held.max(ru);
        }
        let metrics = c.load.metrics.iter();
        for (series, points) in metrics.filter(|(s, _)| s.metric == "NormalizedRUConsumption") {
            let id = series.dimension("partitionkeyrangeid").unwrap();
            let mut partitions = c.containers[series.container as usize].partitions.iter();
            let capacity = partitions.find(|p| p.id == id).unwrap().ru_per_second;
            for (at, percent) in points {
                let logged = minutes.get(&(series.container, id, at.seconds()));
                let share = logged.copied().unwrap_or_default() / capacity.unwrap() * 100.0;
                assert!((share.min(100.0) - percent).abs() <= 0.5, "{name} {series:?}");
            }
        }
    }
}

#[test]
fn every_number_is_one_and_no_limit_of_the_service_is_passed() {
    for name in NAMES {
        let c = capture(name);
        assert!(c.sizes.len() <= 20_000 && !c.sizes.is_empty(), "{name}");
        assert_eq!((c.load.ru_width_s, c.load.listed_share()), (1, None), "{name}");
        assert!(c.load.ru.values().all(|s| s.ru.is_finite() && s.ru > 0.0));
        assert!(
            c.load
                .requests
                .values()
                .all(|s| s.ru.is_finite() && s.ru >= 0.0 && s.duration_ms > 0.0 && s.requests > 0)
        );
        let percents = c.load.metrics.iter().filter(|(s, _)| s.unit == "Percent");
        let points = percents.flat_map(|(_, points)| points);
        assert!(points.map(|p| p.1).all(|v| (0.0..=100.0).contains(&v)));
        for (_, view) in c.sizes.iter() {
            for sample in view.series().flat_map(|s| s.samples) {
                // The best-selling car may be over by less than a document.
                let limit = LOGICAL_CEILING_KIB * 1.0001;
                assert!(sample.kib > 0.0 && sample.kib <= limit, "{name}");
            }
        }
        for container in &c.containers {
            let partitions = &container.partitions;
            assert!(
                partitions.iter().all(|p| (0.0..=PHYSICAL_CEILING_KIB).contains(&p.kib.unwrap()))
            );
            let fractions: f64 = partitions.iter().map(|p| p.throughput_fraction.unwrap()).sum();
            assert!(near(fractions, 1.0), "{name}");
            assert_eq!(
                container.throughput.unwrap().partitions().unwrap(),
                f64::from(u32::try_from(partitions.len()).unwrap())
            );
            let guids: BTreeSet<_> = partitions.iter().map(|p| p.guid.as_ref().unwrap()).collect();
            assert_eq!(guids.len(), partitions.len());
        }
    }
}

#[test]
fn ranges_cover_the_hash_space_and_children_name_their_parents() {
    let mut children = 0;
    for name in NAMES {
        for container in &capture(name).containers {
            let mut ranges: Vec<(Epk, Epk)> = container
                .partitions
                .iter()
                .map(|p| {
                    let end =
                        |text: &Option<String>| Epk::from_hex(text.as_ref().unwrap()).unwrap();
                    (end(&p.min_inclusive), end(&p.max_exclusive))
                })
                .collect();
            ranges.sort();
            assert_eq!(ranges.first().unwrap().0, Epk::MIN);
            assert_eq!(ranges.last().unwrap().1, Epk::MAX);
            assert!(ranges.iter().all(|r| r.0 < r.1));
            assert!(ranges.windows(2).all(|w| w[0].1 == w[1].0));
            let ids: BTreeSet<_> = container.partitions.iter().map(|p| &p.id).collect();
            assert_eq!(ids.len(), container.partitions.len());
            for child in container.partitions.iter().filter(|p| !p.parents.is_empty()) {
                children += 1;
                assert!(child.parents.iter().all(|parent| !ids.contains(parent)));
            }
        }
    }
    assert!(children > 0);
}

#[test]
fn requests_and_data_lie_where_the_hash_says() {
    for name in NAMES {
        let c = capture(name);
        for container in &c.containers {
            let title = container.name.container.as_deref().unwrap();
            let mut ids: Vec<_> = container.partitions.iter().collect();
            ids.sort_by_key(|p| Epk::from_hex(p.min_inclusive.as_ref().unwrap()));
            for (key, range) in ru(c, title).into_keys().filter(|(key, _)| !key.is_empty()) {
                assert_eq!(ids[place(c, title, &key)].id, range, "{name} {title} {key}");
            }
        }
    }
    let c = capture("food");
    let partitions = &c.containers[0].partitions;
    let mut sums = vec![0.0; partitions.len()];
    for (key, kib) in sizes(c, "foods") {
        sums[place(c, "foods", &key)] += kib;
    }
    for (partition, sum) in partitions.iter().zip(sums) {
        assert!(near(sum, partition.kib.unwrap()));
    }
}
