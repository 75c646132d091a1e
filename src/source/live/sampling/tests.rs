//! Quotas, places and estimates.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;

use super::places::Place;
use super::*;
use crate::model::epk::{Epk, epk};
use crate::model::key::{KeyDefinition, KeyKind, KeyVersion, Part};

fn stratum(id: &str, documents: Option<u64>, kib: Option<f64>) -> Stratum {
    Stratum {
        id: id.to_owned(),
        min: "10".to_owned(),
        max: "20".to_owned(),
        documents,
        kib,
        keys: Vec::new(),
        heat: None,
    }
}

#[test]
fn unknown_counts_share_equally() {
    let strata = [stratum("0", None, None), stratum("1", Some(9), None)];
    assert_eq!(quotas(&strata, 100, 10), [50, 50]);
}

#[test]
fn an_empty_partition_is_looked_into_and_a_small_one_whole() {
    let strata = [0, 3, 100_000].map(|n| stratum("0", Some(n), None));
    assert_eq!(quotas(&strata, 100, 10), [1, 3, 100]);
}

#[test]
fn an_estimate_counts_what_is_read_and_every_page() {
    let strata = [stratum("0", Some(1_000), Some(2_000.0))];
    let made = estimate(&strata, 120, 10.0);
    // Pages of 3 documents of 2 KiB, which a second pays for, and two that tell of times.
    assert!((made.ru - (240.0 + 42.0 * 2.5)).abs() < 1e-9, "{made:?}");
    assert!((made.seconds - made.ru / 10.0).abs() < 1e-9);
    assert_eq!(suggested(&strata, 1_000.0, 10.0), 200);
    let quick = estimate(&strata, 120, 100.0);
    assert!((quick.ru - (240.0 + 22.0 * 2.5)).abs() < 1e-9, "pages of 6: {quick:?}");
    assert_eq!(Estimate::stepped(200, true), 500);
    assert_eq!(Estimate::stepped(100, false), 100);
}

fn hashed_v1(text: &str) -> Epk {
    let definition = KeyDefinition {
        paths: vec!["/a".to_owned()],
        kind: KeyKind::Hash,
        version: KeyVersion::V1,
    };
    epk(&[Part::Text(text.into())], &definition).unwrap()
}

#[test]
fn places_of_version_1_hold_every_key_of_their_partition_once() {
    // All of the space, and a real boundary of the service on each side.
    let ranges = [("", "FF"), ("", "05C1C9999998CC"), ("05C1C9999998CC", "FF")];
    for (min, max) in ranges {
        let range =
            Stratum { min: min.to_owned(), max: max.to_owned(), ..stratum("0", None, None) };
        let (low, high) = range.bounds().unwrap();
        let places = places::of(&range, 4, Hashing::V1, 7);
        assert!(places.len() >= 4, "{places:?}");
        let windows: Vec<(String, String)> = places.iter().filter_map(Place::window).collect();
        assert!(windows.iter().all(|(start, _)| !start.is_empty()));
        let mut inside = 0;
        for n in 0..500 {
            let key = hashed_v1(&format!("tenant-{n}"));
            let is_in = |(start, end): &&(String, String)| {
                Epk::from_hex(start).unwrap() <= key && key < Epk::from_hex(end).unwrap()
            };
            let held = windows.iter().filter(is_in).count();
            let is_of_range = low <= key && key < high;
            assert_eq!(held, usize::from(is_of_range), "{n} in {min}..{max}");
            inside += held;
        }
        assert!(inside > 80, "{inside}");
        let mut spread: Vec<u64> = Vec::new();
        for (start, end) in &windows {
            let (start, end) = (Epk::from_hex(start).unwrap(), Epk::from_hex(end).unwrap());
            let keys = (0..500).map(|n| hashed_v1(&format!("tenant-{n}")));
            spread.push(keys.filter(|key| start <= *key && *key < end).count() as u64);
        }
        assert!(spread.iter().filter(|n| **n > 0).count() >= 3, "{spread:?}");
    }
}

#[test]
fn bounds_that_are_none_of_version_1_are_read_as_a_whole() {
    let places = places::of(&stratum("0", None, None), 4, Hashing::V1, 7);
    assert_eq!(places, [Place::whole()]);
}

#[test]
fn the_last_range_is_not_sought_beyond_the_hashes_that_there_are() {
    let last = Stratum { min: "30".to_owned(), max: "FF".to_owned(), ..stratum("0", None, None) };
    for place in places::of(&last, 4, Hashing::V2, 7) {
        let (start, _) = place.window().unwrap();
        assert!(start.as_str() < "40", "{start}");
    }
}

proptest! {
    /// Shares add up to what was wanted, and none is a document away from its exact share.
    #[test]
    fn quotas_are_in_proportion(counts in proptest::collection::vec(200_u64..1_000_000, 1..40), wanted in 1_u64..50_000) {
        let strata: Vec<Stratum> = counts.iter().map(|n| stratum("0", Some(*n), None)).collect();
        let quotas = quotas(&strata, wanted, 0);
        let sum: u64 = counts.iter().sum();
        let least: u64 = quotas.iter().sum();
        prop_assert!(least >= wanted.min(least));
        for (quota, count) in quotas.iter().zip(&counts) {
            let exact = u128::from(*count) * u128::from(wanted);
            let low = exact / u128::from(sum);
            prop_assert!(u128::from(*quota) >= low && u128::from(*quota) <= low + 1, "{quota} of {low}");
        }
    }

    /// Places cover a hash range once and leave nothing out.
    #[test]
    fn places_are_all_of_a_range(min in 0_u128..(1 << 124), width in 1_u128 << 40..1 << 124, wanted in 1_u64..6, seed: u64) {
        let range = Stratum { min: format!("{min:032X}"), max: format!("{:032X}", min + width), ..stratum("3", None, None) };
        let mut windows: Vec<(String, String)> = places::of(&range, wanted, Hashing::V2, seed)
            .iter()
            .filter_map(Place::window)
            .collect();
        windows.sort();
        prop_assert_eq!(&windows[0].0, &range.min);
        prop_assert_eq!(&windows[windows.len() - 1].1, &range.max);
        for pair in windows.windows(2) {
            prop_assert_eq!(&pair[0].1, &pair[1].0);
            prop_assert!(Epk::from_hex(&pair[0].0) < Epk::from_hex(&pair[0].1));
        }
    }
}

#[test]
fn large_keys_are_read_by_themselves_whatever_their_hash() {
    let with = |keys: Vec<(Epk, f64)>| Stratum {
        min: String::new(),
        max: "FF".to_owned(),
        keys,
        ..stratum("0", None, Some(100.0))
    };
    // A small one is none; each key of several levels lies by itself.
    let (a, b) = ("0A".repeat(16), "2B".repeat(16));
    let hex = |text: &str| Epk::from_hex(text).unwrap();
    let hierarchical =
        with(vec![(hex(&format!("{a}{b}")), 30.0), (hex(&format!("{a}{a}")), 4.0), (hex(&b), 1.0)]);
    let of_version_1 = with(vec![(hashed_v1("one"), 30.0), (hashed_v1("two"), 2.0)]);
    for (stratum, hashing) in [(hierarchical, Hashing::V2), (of_version_1, Hashing::V1)] {
        let keys: Vec<LargeKey> = stratum
            .large_keys(100)
            .into_iter()
            .map(|(epk, share)| LargeKey { epk: epk.clone(), share, reads: Reads::Narrow })
            .collect();
        let places = places::of(&stratum, 5, hashing, 3);
        let places = places::set_apart(places, &keys, &stratum, hashing);
        let apart: Vec<&Place> = places.iter().filter(|place| place.is_key).collect();
        let [key] = apart.as_slice() else { unreachable!("{apart:?}") };
        assert!((key.share - 0.3).abs() < 1e-9 && key.name().starts_with("key-"));
        let all: f64 = places.iter().map(|place| place.share).sum();
        assert!((all - 1.0).abs() < 1e-9, "{all}");
        let windows = places.iter().filter_map(Place::window);
        let mut windows: Vec<(Epk, Epk)> = windows.map(|(a, b)| (hex(&a), hex(&b))).collect();
        windows.sort();
        assert!(windows.windows(2).all(|pair| pair[0].1 == pair[1].0));
        let (start, end) = key.window().unwrap();
        let first = &stratum.keys[0].0;
        assert!(&hex(&start) <= first && first < &hex(&end));
    }
}

#[test]
fn a_partition_that_ends_inside_a_first_level_is_read_to_its_end() {
    let (a, b) = ("0A".repeat(16), "2B".repeat(16));
    let (min, max) = (format!("05{}", "0".repeat(30)), format!("{a}{b}"));
    let within = |min: &str, max: &str| Stratum {
        min: min.to_owned(),
        max: max.to_owned(),
        ..stratum("0", None, None)
    };
    let windows = |of: &Stratum| {
        let mut windows: Vec<(String, String)> =
            places::of(of, 3, Hashing::V2, 9).iter().filter_map(Place::window).collect();
        windows.sort();
        windows
    };
    let left = windows(&within(&min, &max));
    assert_eq!((&left[0].0, &left[left.len() - 1].1), (&min, &max));
    // Within one first level the second one is taken apart.
    let inside = windows(&within(&format!("{a}{}", "01".repeat(16)), &max));
    assert!(inside.len() >= 3 && inside.iter().all(|(start, _)| start.starts_with(&a)));
    assert_eq!(inside[inside.len() - 1].1, max);
    let right = windows(&within(&max, "FF"));
    assert_eq!((&right[0].0, right[right.len() - 1].1.as_str()), (&max, "FF"));
}

#[test]
fn ranges_that_split_share_what_was_known() {
    let key = |hex| Epk::from_hex(hex).unwrap();
    let before = [Stratum {
        min: String::new(),
        max: "FF".to_owned(),
        keys: vec![(key("1F"), 7.0), (key("20"), 9.0)],
        ..stratum("0", Some(10), Some(100.0))
    }];
    let ranges = br#"{"PartitionKeyRanges":[{"id":"1","minInclusive":"","maxExclusive":"20"},{"id":"2","minInclusive":"20","maxExclusive":"FF"}]}"#;
    let reported = strata_of(ranges, &before);
    let ids: Vec<&str> = reported.iter().map(|s| s.id.as_str()).collect();
    assert_eq!(ids, ["1", "2"]);
    // The large keys go where they lie, the other 84 KiB evenly.
    let kib: Vec<Option<f64>> = reported.iter().map(|s| s.kib).collect();
    assert_eq!(kib, [Some(49.0), Some(51.0)]);
    assert!(reported.iter().all(|s| s.documents == Some(5)));
    assert_eq!(reported[0].keys, [(key("1F"), 7.0)]);
    assert_eq!(reported[1].keys, [(key("20"), 9.0)]);
}
