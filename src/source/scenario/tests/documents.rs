//! The documents of the scenarios: the same everywhere, whole JSON, and in the proportions of the sizes.

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::super::document_spec::KeySource;
use super::super::keys;
use super::*;
use crate::model::key::Part;
use crate::model::time::SECONDS_PER_DAY;

const HOUR: i64 = 3600;

/// A container and everything its documents are compared with.
pub(super) struct ComparedContainer {
    name: &'static str,
    pub spec: ContainerSpec,
    pub bytes: [u32; 2],
    ends: Stamp,
    pub keys: Vec<PlacedKey>,
}

/// Made once for all tests: hashing the keys takes its time.
pub(super) fn containers() -> &'static [ComparedContainer] {
    static HELD: OnceLock<Vec<ComparedContainer>> = OnceLock::new();
    HELD.get_or_init(|| SCENARIOS.iter().flat_map(|(name, _)| compared_containers(name)).collect())
}

fn compared_containers(name: &str) -> Vec<ComparedContainer> {
    let (name, spec) = read(name, ONE_PARTITION).unwrap();
    let ends = spec.ends().unwrap();
    let seeds: Vec<u64> = (0..spec.containers.len()).map(|n| spec.seed_of(n)).collect();
    let bytes = spec.documents.bytes;
    let of = |(spec, seed): (ContainerSpec, u64)| {
        let keys = keys::of(&spec, &KeyDefinition::of_new(spec.paths.clone()), ends, seed).unwrap();
        ComparedContainer { name, spec, bytes, ends, keys }
    };
    spec.containers.into_iter().zip(seeds).map(of).collect()
}

pub(super) fn texts(name: &str, container: &str, count: u64) -> Vec<String> {
    documents(name, container, count).unwrap().collect()
}

pub(super) fn parsed(name: &str, container: &str, count: u64) -> Vec<Value> {
    let texts = texts(name, container, count).into_iter();
    texts.map(|t| serde_json::from_str(&t).unwrap()).collect()
}

pub(super) fn text<'a>(document: &'a Value, field: &str) -> &'a str {
    document[field].as_str().unwrap()
}

fn key_of(document: &Value, paths: &[String]) -> String {
    let part = |path: &String| Part::Text(document.pointer(path).unwrap().as_str().unwrap().into());
    Key::from(paths.iter().map(part).collect::<Vec<_>>()).canonical()
}

fn second(time: &str) -> i64 {
    let at: jiff::Timestamp = time.parse().unwrap();
    at.as_second()
}

pub(super) fn moment(document: &Value) -> i64 {
    let named = ["time", "createdAt", "modifiedAt"];
    let field = named.iter().find(|f| document.get(f).is_some()).unwrap();
    second(text(document, field))
}

pub(super) fn number_of(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap())
}

pub(super) fn share(documents: &[Value], holds: impl Fn(&Value) -> bool) -> f64 {
    let of = documents.iter().filter(|d| holds(d));
    number_of(of.count()) / number_of(documents.len())
}

/// Pinned, so that a change of a single byte on any machine shows.
#[test]
fn the_first_documents_are_the_same_everywhere() {
    let expected = [
        ("night", 0xD789_6E24_2452_3C2C),
        ("tenants", 0xEDAE_4E8C_1251_F284),
        ("launch", 0xA7D9_8B0B_83FD_9546),
        ("food", 0x4E9D_D742_7D40_79A4),
        ("car", 0x81FF_95D6_D7AD_795D),
        ("plants", 0x2AB6_0240_8B47_6337),
        ("events", 0xB843_1A26_4900_4C0C),
        ("customers", 0x3123_42C3_6571_3646),
        ("suffix", 0x81B9_4AAC_224E_ACCC),
        ("users", 0x707B_53CF_586C_0C26),
        ("fanout", 0x5616_CD04_6C31_8EC1),
        ("index", 0x3B78_576F_C720_EF44),
        ("bucket", 0xA492_C842_BF32_3A9E),
        ("burst", 0x19DC_F422_7320_3679),
    ];
    for (name, hash) in expected {
        let (_, spec) = read(name, ONE_PARTITION).unwrap();
        let mut hasher = Sha256::new();
        for container in &spec.containers {
            for text in documents(name, &container.name, 200).unwrap() {
                hasher.update(text.as_bytes());
                hasher.update(b"\n");
            }
        }
        let start = hasher.finalize()[..8].try_into().unwrap();
        let found = u64::from_be_bytes(start);
        assert_eq!(found, hash, "{name}: {found:016X}");
    }
    assert_eq!(expected.map(|(name, _)| name), NAMES);
}

#[test]
fn a_smaller_sample_is_the_beginning_of_a_larger_one() {
    for held in containers() {
        let small = texts(held.name, &held.spec.name, 20);
        let large = documents(held.name, &held.spec.name, SAMPLE_DOCUMENTS).unwrap();
        assert!(large.take(20).eq(small));
    }
}

#[test]
fn documents_are_compact_json_of_the_length_that_is_said() {
    for held in containers() {
        let place = format!("{} {}", held.name, held.spec.name);
        let mut total = 0.0;
        for text in texts(held.name, &held.spec.name, 500) {
            let document: Value = serde_json::from_str(&text).unwrap();
            let bytes = u32::try_from(text.len()).unwrap();
            assert!((held.bytes[0]..=held.bytes[1]).contains(&bytes), "{place}");
            total += f64::from(bytes);
            let mut quoted = false;
            for byte in text.bytes() {
                quoted ^= byte == b'"';
                assert!(byte != b'\\' && (quoted || byte > b' '), "{place}: {text}");
            }
            let names = text.matches("\":").count();
            let fields = document.as_object().unwrap();
            let inner = fields.values().filter_map(Value::as_object);
            assert_eq!(names, fields.len() + inner.map(serde_json::Map::len).sum::<usize>());
            let strings = fields.values().filter_map(Value::as_str);
            assert!(strings.clone().all(|s| !s.is_empty() && !s.contains('{')), "{text}");
        }
        let mean = f64::midpoint(f64::from(held.bytes[0]), f64::from(held.bytes[1]));
        assert!((total / 500.0 / mean - 1.0).abs() < 0.05, "{place}");
    }
}

#[test]
fn ids_are_unique_and_keys_are_those_of_the_container() {
    for held in containers() {
        let place = format!("{} {}", held.name, held.spec.name);
        let known: BTreeSet<&str> = held.keys.iter().map(|k| k.canonical.as_str()).collect();
        let mut ids = BTreeSet::new();
        for document in parsed(held.name, &held.spec.name, 1500) {
            assert!(ids.insert(text(&document, "id").to_owned()), "{place}");
            let key = key_of(&document, &held.spec.paths);
            match held.spec.documents.keys {
                KeySource::Listed => assert!(known.contains(key.as_str()), "{place} {key}"),
                KeySource::OneEach => {
                    assert_eq!(held.spec.paths, ["/id"], "{place}");
                    assert!(held.spec.unlisted_gib > 0.0, "{place}");
                }
            }
        }
    }
}

#[test]
fn one_customer_is_one_document_with_a_listed_number() {
    let stored = stored_documents("customers", "customers").unwrap();
    assert_eq!(stored, 25_165_824);
    for document in parsed("customers", "customers", 3000) {
        let number: u64 = text(&document, "id")["customer-".len()..].parse().unwrap();
        assert!((1..=stored).contains(&number));
        assert_eq!(document["country"], document["address"]["country"]);
    }
}

/// Within five standard deviations, and rare keys not far beyond what chance gives.
#[test]
fn documents_and_bytes_are_shared_like_the_sizes() {
    for held in containers() {
        if held.spec.documents.keys == KeySource::OneEach {
            continue;
        }
        let place = format!("{} {}", held.name, held.spec.name);
        let n = 3000.0;
        let mut counts: BTreeMap<String, (f64, f64)> = BTreeMap::new();
        let mut bytes = 0.0;
        for line in texts(held.name, &held.spec.name, 3000) {
            let document: Value = serde_json::from_str(&line).unwrap();
            let count = counts.entry(key_of(&document, &held.spec.paths)).or_default();
            let length = f64::from(u32::try_from(line.len()).unwrap());
            count.0 += 1.0;
            count.1 += length;
            bytes += length;
        }
        let kib: f64 = held.keys.iter().map(|k| k.kib).sum();
        let mut chi_square = 0.0;
        for key in &held.keys {
            let p = key.kib / kib;
            let (count, of_bytes) = counts.get(&key.canonical).copied().unwrap_or_default();
            let deviation = (n * p * (1.0 - p)).sqrt();
            let (far, at_least) = ((count - n * p).abs(), 5.0 * deviation + 5.0);
            assert!(far <= at_least, "{place} {}: {count} of {}", key.canonical, n * p);
            let far = (of_bytes / bytes - p).abs();
            assert!(far <= 1.3 * at_least / n, "{place} {}", key.canonical);
            chi_square += (count - n * p) * (count - n * p) / (n * p);
        }
        let freedom = f64::from(u32::try_from(held.keys.len() - 1).unwrap());
        let slack = 5.0 * (2.0 * freedom).sqrt() + 5.0;
        assert!((chi_square - freedom).abs() < slack, "{place} {chi_square} {freedom}");
    }
}

#[test]
fn times_lie_in_the_period_of_the_key_and_say_one_date() {
    for held in containers() {
        let place = format!("{} {}", held.name, held.spec.name);
        let periods: BTreeMap<&str, (i64, i64)> =
            held.keys.iter().filter_map(|k| Some((k.canonical.as_str(), k.period?))).collect();
        let end = held.ends.seconds();
        let hours = held.spec.documents.since_hours;
        for document in parsed(held.name, &held.spec.name, 500) {
            let at = moment(&document);
            let key = key_of(&document, &held.spec.paths);
            let since = held.ends.plus_seconds(-hours * 3600.0).unwrap().seconds();
            // Hours of the day may come before the hour at which the data began.
            let whole = (since - SECONDS_PER_DAY, end);
            let (from, to) = periods.get(key.as_str()).copied().unwrap_or(whole);
            assert!((from..to).contains(&at), "{place} {key} {at}");
            let date = Stamp::from_seconds(at).unwrap().date_text();
            if let Some(reported) = document.get("date") {
                assert_eq!(reported.as_str(), Some(date.as_str()), "{place}");
            }
            if let Some(reported) = document.get("month") {
                assert_eq!(reported.as_str(), Some(&date[..7]), "{place}");
            }
            if let Some(reported) = document.get("epoch") {
                assert_eq!(reported.as_i64(), Some(at), "{place}");
            }
        }
    }
}

#[test]
fn what_a_key_gained_came_after_the_first_reading() {
    for (name, container, gained, readings_hours) in [
        ("tenants", "tickets", 0.34, 12 * 168),
        ("car", "by-device", 0.115_07, 12 * 168),
        ("car", "by-model", 0.9, 8 * 168),
        ("plants", "by-plant", 0.984_375, 27),
    ] {
        let (_, spec) = read(name, ONE_PARTITION).unwrap();
        let first = spec.ends().unwrap().seconds() - readings_hours * HOUR;
        let found = share(&parsed(name, container, 4000), |d| moment(d) >= first);
        assert!((found - gained).abs() < 0.04, "{name} {container} {found}");
    }
}

#[test]
fn no_more_documents_than_the_container_holds() {
    let hint = |count| documents("plants", "by-plant-and-epoch", count).unwrap().size_hint().1;
    assert_eq!(hint(u64::MAX), Some(3_000_000));
    assert_eq!(hint(0), Some(0));
    assert_eq!(texts("food", "foods", 0), [""; 0]);
}

#[test]
fn an_unknown_container_gets_the_known_ones() {
    let error = documents("suffix", "by-year\u{1b}", 1).unwrap_err();
    assert!(!error.to_string().contains('\u{1b}'));
    let hint = error.hint().unwrap();
    assert_eq!(hint, "its containers are by-date, by-date-and-suffix");
    assert!(documents("nothing", "by-date", 1).is_err());
    assert!(stored_documents("suffix", "").is_err());
}
