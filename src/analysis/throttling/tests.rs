//! The arithmetic of refusals against the numbers of the training material and the documentation.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::float_cmp,
    reason = "a test may panic, and these numbers are exact"
)]

use proptest::prelude::*;

use super::*;
use crate::model::ru_bucket::RuBucket;

fn example(id: &str) -> serde_json::Value {
    let text = include_str!("../../../tests/it/data/seed-claims.json");
    let all: serde_json::Value = serde_json::from_str(text).unwrap();
    let mut found = all["worked_examples"].as_array().unwrap().iter();
    found.find(|e| e["id"] == id).unwrap().clone()
}

fn claim(id: &str) -> serde_json::Value {
    let text = include_str!("../../../tests/it/data/seed-claims.json");
    let all: serde_json::Value = serde_json::from_str(text).unwrap();
    let mut found = all["claims"].as_array().unwrap().iter();
    found.find(|e| e["id"] == id).unwrap()["expected"].clone()
}

fn number(value: &serde_json::Value) -> f64 {
    value.as_f64().unwrap()
}

fn close(found: f64, wanted: &serde_json::Value) {
    let wanted = number(wanted);
    assert!((found - wanted).abs() < 1e-6, "{found}, expected {wanted}");
}

#[test]
fn capacities_follow_the_loads_within_their_bounds() {
    let sum = |given: &[f64]| given.iter().sum::<f64>();
    let given = redistributed(18_000.0, &[2500.0, 6500.0, 3200.0], 100.0);
    assert!((sum(&given) - 18_000.0).abs() < 1e-6);
    assert!(given[1] > 6500.0 && given[0] > 2500.0 && given[2] > 3200.0, "{given:?}");
    let given = redistributed(30_000.0, &[15_000.0, 2000.0, 0.0], 100.0);
    assert_eq!(given, [10_000.0, 10_000.0, 10_000.0]);
    let given = redistributed(6000.0, &[5000.0, 0.0, 0.0], 100.0);
    assert_eq!(given, [5800.0, 100.0, 100.0]);
    assert_eq!(redistributed(6000.0, &[0.0, 0.0], 100.0), [3000.0, 3000.0]);
    assert!(redistributed(6000.0, &[], 100.0).is_empty());
}

#[test]
fn chance_refuses_a_little_below_the_limit() {
    let at = |ru_each: f64| expected_excess(9000.0, 9000.0 * ru_each, 10_000.0);
    assert!(at(10.0) < 0.1, "{}", at(10.0));
    assert!((at(100.0) - 71.0).abs() < 1.0, "{}", at(100.0));
    assert_eq!(expected_excess(0.0, 0.0, 10_000.0), 0.0);
    // Far below the capacity nothing is throttled, never less.
    assert!(expected_excess(10.0, 100.0, 10_000.0) >= 0.0);
}

#[test]
fn shares_and_caps_of_the_claims() {
    close(equal_share(18_000.0, 3), &claim("ru-share-18000"));
    close(equal_share(30_000.0, 3), &claim("ru-share-30000"));
    close(equal_share(1e9, 1), &claim("hpk-max-ingest"));
    close(PARTITION_RU_PER_SECOND, &claim("limit-physical-throughput"));
}

#[test]
fn keys_that_a_number_of_partitions_needs() {
    for (partitions, id) in [
        (3, "distinct-needed-3"),
        (5, "distinct-needed-5"),
        (10, "distinct-needed-10"),
        (50, "distinct-needed-50"),
    ] {
        close(keys_needed(partitions, 1.2), &claim(id));
    }
}

#[test]
fn effective_keys_and_bursts() {
    assert!((effective_keys([1.0; 15].into_iter()) - 15.0).abs() < 1e-9);
    assert_eq!(effective_keys([].into_iter()), 0.0);
    let reported = example("burst-100");
    let own = number(&reported["inputs"]["ru_of_partition"]);
    let expected = &reported["expected"];
    let mut bucket = RuBucket::full(own).unwrap();
    close(bucket.saved, &expected["bucket_ru"]);
    // What it saves while it bursts is its own RU/s.
    let seconds = (0..300).take_while(|_| bucket.beyond(3000.0) <= 0.0).count();
    let least = number(&expected["seconds_at_full_burst"]);
    assert!((as_number(seconds) - least * 3000.0 / (3000.0 - own)).abs() <= 1.0);
    assert_eq!(RuBucket::full(3000.0), None);
}

proptest! {
    #[test]
    fn what_is_handed_out_stays_within_its_bounds(
        loads in prop::collection::vec(0.0..20_000.0_f64, 1..30),
        each in 50.0..10_000.0_f64,
    ) {
        let ru = each * as_number(loads.len());
        let given = redistributed(ru, &loads, 100.0);
        prop_assert_eq!(given.len(), loads.len());
        prop_assert!(given.iter().sum::<f64>() <= ru * 1.000_001);
        for one in &given {
            prop_assert!(*one >= 50.0 - 1e-9 && *one <= 10_000.0 + 1e-6, "{given:?}");
        }
    }
}

#[test]
fn a_fleet_pool_lifts_a_partition_up_to_its_limit() {
    for (own, wanted) in [(400.0, 5_400.0), (5_000.0, 10_000.0), (8_000.0, 10_000.0)] {
        assert!((pooled(own) - wanted).abs() < 1e-9, "{own}");
    }
}
