//! Effective partition keys against vectors that several official client libraries agree on.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod sdk;

use std::cmp::Ordering;

use cosmoscope::model::epk::{Epk, epk, even_boundaries, midpoint, prefix_range};
use cosmoscope::model::key::{KeyDefinition, KeyKind, KeyVersion, Number, Part};
use serde_json::Value;

fn entries(name: &str) -> Vec<Value> {
    let vectors: Value = serde_json::from_str(include_str!("data/epk-vectors.json")).unwrap();
    vectors[name].as_array().unwrap().clone()
}

fn text<'a>(entry: &'a Value, name: &str) -> &'a str {
    entry[name].as_str().unwrap()
}

fn hex(entry: &Value, name: &str) -> Epk {
    Epk::from_hex(text(entry, name)).unwrap()
}

fn definition(entry: &Value) -> KeyDefinition {
    let count = entry["paths"].as_u64().unwrap_or(1);
    KeyDefinition {
        paths: (0..count).map(|level| format!("/level{level}")).collect(),
        kind: match text(entry, "kind") {
            "Hash" => KeyKind::Hash,
            "MultiHash" => KeyKind::MultiHash,
            other => panic!("unknown kind {other}"),
        },
        version: match entry["version"].as_u64() {
            Some(1) => KeyVersion::V1,
            Some(2) => KeyVersion::V2,
            other => panic!("unknown version {other:?}"),
        },
    }
}

fn parts(entry: &Value) -> Vec<Part> {
    entry["components"].as_array().unwrap().iter().map(part).collect()
}

fn part(component: &Value) -> Part {
    match text(component, "type") {
        "undefined" => Part::Undefined,
        "null" => Part::Null,
        "bool" => Part::Bool(component["value"].as_bool().unwrap()),
        "number" => {
            let bits = u64::from_str_radix(text(component, "bits"), 16).unwrap();
            Part::Number(Number::new(f64::from_bits(bits)).unwrap())
        }
        "string" => match component["count"].as_u64() {
            Some(count) => {
                Part::Text(text(component, "repeat").repeat(usize::try_from(count).unwrap()).into())
            }
            None => Part::Text(text(component, "value").into()),
        },
        other => panic!("unknown type {other}"),
    }
}

fn text_part(value: &str) -> Part {
    Part::Text(value.into())
}

/// The index of the partition that holds a key when the space is divided by `boundaries`.
fn partition_index(key: &Epk, boundaries: &[Epk]) -> usize {
    boundaries.iter().take_while(|boundary| *boundary <= key).count()
}

#[test]
fn every_key_vector() {
    let vectors = entries("vectors");
    for vector in &vectors {
        let key = epk(&parts(vector), &definition(vector)).unwrap();
        assert_eq!(key.to_string(), text(vector, "epk"), "{}", text(vector, "id"));
        assert!(Epk::MIN <= key && key < Epk::MAX);
    }
    assert_eq!(vectors.len(), 550);
}

#[test]
fn every_prefix_range() {
    let ranges = entries("prefix_ranges");
    for range in &ranges {
        let (min, max) = prefix_range(&parts(range), &definition(range)).unwrap();
        assert_eq!(min.to_string(), text(range, "min_inclusive"), "{}", text(range, "id"));
        assert_eq!(max.to_string(), text(range, "max_exclusive"), "{}", text(range, "id"));
    }
    assert_eq!(ranges.len(), 52);
}

#[test]
fn every_even_layout() {
    let layouts = entries("even_ranges");
    for layout in &layouts {
        let count = u32::try_from(layout["partitions"].as_u64().unwrap()).unwrap();
        let boundaries: Vec<String> =
            even_boundaries(count, &definition(layout)).iter().map(Epk::to_string).collect();
        let expected: Vec<&str> =
            layout["boundaries"].as_array().unwrap().iter().map(|b| b.as_str().unwrap()).collect();
        assert_eq!(boundaries, expected, "{count}");
    }
    assert_eq!(layouts.len(), 32);
}

#[test]
fn every_midpoint() {
    let midpoints = entries("midpoints");
    for entry in &midpoints {
        let (min, max) = (hex(entry, "min_inclusive"), hex(entry, "max_exclusive"));
        let middle = midpoint(&min, &max, &definition(entry)).unwrap();
        assert_eq!(middle.to_string(), text(entry, "midpoint"), "{min} {max}");
    }
    assert_eq!(midpoints.len(), 20);
}

#[test]
fn every_ordering() {
    let pairs = entries("ordering");
    for pair in &pairs {
        let expected = match text(pair, "result") {
            "less" => Ordering::Less,
            "equal" => Ordering::Equal,
            "greater" => Ordering::Greater,
            other => panic!("unknown result {other}"),
        };
        let (a, b) = (hex(pair, "a"), hex(pair, "b"));
        assert_eq!(a.cmp(&b), expected, "{a} {b}");
        assert_eq!(b.cmp(&a), expected.reverse(), "{a} {b}");
        assert_eq!(a == b, expected == Ordering::Equal);
    }
    assert_eq!(pairs.len(), 5);
}

#[test]
fn every_placement() {
    let placements = entries("placements");
    let mut checked = (0, 0);
    for placement in &placements {
        let definition = definition(placement);
        let count = u32::try_from(placement["partitions"].as_u64().unwrap()).unwrap();
        let boundaries = even_boundaries(count, &definition);
        let place = |value: &str| {
            partition_index(&epk(&[text_part(value)], &definition).unwrap(), &boundaries)
        };
        if let Some(by_value) = placement["partition_index_by_value"].as_object() {
            for (value, index) in by_value {
                assert_eq!(place(value) as u64, index.as_u64().unwrap(), "{value} of {count}");
            }
            checked.0 += 1;
        } else {
            assert_eq!(text(placement, "what"), "2018-08-09.1 to 2018-08-09.400");
            let mut held = vec![0_u64; boundaries.len() + 1];
            (1..=400).for_each(|suffix| held[place(&format!("2018-08-09.{suffix}"))] += 1);
            let expected: Vec<u64> = placement["values_per_partition"]
                .as_array()
                .unwrap()
                .iter()
                .map(|n| n.as_u64().unwrap())
                .collect();
            assert_eq!(held, expected);
            checked.1 += 1;
        }
    }
    assert_eq!(placements.len(), 12);
    assert_eq!(checked, (7, 5));
}

fn hierarchical(paths: usize) -> KeyDefinition {
    KeyDefinition {
        paths: vec!["/p".into(); paths],
        kind: KeyKind::MultiHash,
        version: KeyVersion::V2,
    }
}

#[test]
fn keys_without_a_place() {
    let definition = hierarchical(1);
    assert_eq!(epk(&[Part::Other("[1]".into())], &definition), None);
    assert_eq!(epk(&[Part::Null, Part::Null], &definition), None);
    assert_eq!(epk(&[], &definition), Some(Epk::MIN));
    assert_eq!(prefix_range(&[], &hierarchical(2)), Some((Epk::MIN, Epk::MAX)));
    let whole = prefix_range(&[text_part("a")], &definition).unwrap();
    assert_eq!(whole.0, whole.1);
}

#[test]
fn hexadecimal_text() {
    for text in ["A", "GG", "0x", "é", "05 1"] {
        assert_eq!(Epk::from_hex(text), None, "{text}");
    }
    assert_eq!(Epk::from_hex("05c1dF").unwrap().to_string(), "05C1DF");
    assert_eq!(Epk::from_hex(&"0".repeat(128)).unwrap(), Epk::MIN);
}

#[test]
fn a_range_too_narrow_has_no_middle() {
    let at = |hex: &str| Epk::from_hex(hex).unwrap();
    let v2 = KeyDefinition { kind: KeyKind::Hash, ..hierarchical(1) };
    let v1 = KeyDefinition { version: KeyVersion::V1, ..v2.clone() };
    for definition in [&v1, &v2, &hierarchical(3)] {
        assert_eq!(midpoint(&Epk::MAX, &Epk::MIN, definition), None);
        assert_eq!(midpoint(&Epk::MIN, &Epk::MIN, definition), None);
    }
    let (low, high) =
        (at("00000000000000000000000000000001"), at("00000000000000000000000000000002"));
    assert_eq!(midpoint(&low, &high, &v2), None);
    assert_eq!(
        midpoint(&low, &high, &hierarchical(2)).unwrap().to_string(),
        format!("{low}1{}", "F".repeat(31))
    );
    assert_eq!(midpoint(&at("05"), &Epk::MAX, &v1), None);
    assert_eq!(midpoint(&at("09AB"), &Epk::MAX, &v1), None);
}
